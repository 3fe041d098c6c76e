/* SPDX-License-Identifier: MIT */
/* The crowd of a world. */
#include <stdlib.h>

#include "world/rows.h"

wend_error world_crowd_make(world_state *w, const wend_crowd_def *def) {
    world_agents *agents = &w->agents;
    agents->most = def->agents;
    agents->by_index = calloc(def->agents, sizeof *agents->by_index);
    agents->names = calloc(def->agents, sizeof *agents->names);
    agents->sizes = calloc(def->agents, sizeof *agents->sizes);
    if (!agents->by_index || !agents->names || !agents->sizes) return WEND_OUT_OF_MEMORY;
    return wend_crowd_create(def, &w->crowd);
}

void world_crowd_free(world_state *w) {
    wend_crowd_destroy(w->crowd);
    w->crowd = NULL;
    wend_bodies_destroy(w->bodies);
    w->bodies = NULL;
    w->boxes.count = 0;
    world_agents_free(&w->agents);
}
