/* SPDX-License-Identifier: MIT */
/* The crowd of a world, and the names of its movers. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "host/world/rows.h"

/* ---- the crowd ---- */

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

/* ---- movers ---- */

bool host_movers_add(host_movers *movers, const char *name, size_t length) {
    char **names = realloc(movers->names, (movers->count + 1) * sizeof *names);
    if (!names) return false;
    movers->names = names;
    names[movers->count] = strndup(name, length);
    if (!names[movers->count]) return false;
    movers->count++;
    return true;
}

int32_t host_movers_find(const host_movers *movers, const char *name, size_t length) {
    static const char first[] = "default";
    if (length == sizeof first - 1 && memcmp(name, first, length) == 0) return movers->standard;
    for (size_t i = 0; i < movers->count; i++) {
        const char *other = movers->names[i];
        if (strlen(other) == length && memcmp(other, name, length) == 0) return (int32_t)i + 1;
    }
    return -1;
}

int32_t host_mover_of(const host *h, const wend__name *name, host_error *error) {
    if (!name->text) return h->movers->standard;
    const int32_t mover = host_movers_find(h->movers, name->text, name->length);
    if (mover < 0)
        host_refuse(error, HOST_UNKNOWN, name, "there is no mover '%s'",
                    wend__show_word((wend__span){name->text, name->length, 0}).text);
    return mover;
}

void host_movers_free(host_movers *movers) {
    for (size_t i = 0; i < movers->count; i++) free(movers->names[i]);
    free(movers->names);
    *movers = (host_movers){0};
}
