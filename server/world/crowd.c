/* SPDX-License-Identifier: MIT */
/* The crowd of a world. */
#include <stdlib.h>

#include "world/rows.h"

wend_error host_crowd_make(host *h, const wend_crowd_def *def) {
    host_agents *agents = &h->agents;
    agents->most = def->agents;
    agents->by_index = calloc(def->agents, sizeof *agents->by_index);
    agents->names = calloc(def->agents, sizeof *agents->names);
    agents->sizes = calloc(def->agents, sizeof *agents->sizes);
    if (!agents->by_index || !agents->names || !agents->sizes) return WEND_OUT_OF_MEMORY;
    return wend_crowd_create(def, &h->crowd);
}

void host_crowd_free(host *h) {
    wend_crowd_destroy(h->crowd);
    h->crowd = NULL;
    h->boxes.count = 0;
    host_agents_free(&h->agents);
}
