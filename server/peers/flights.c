/* SPDX-License-Identifier: MIT */
/* Matches lines of a server with the ids that wait, by their first bytes: a server writes ids as they were given. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "peers/flights.h"

bool flights_add(flights *all, const char *id, const char *op, void *owner) {
    if (!WEND__ARRAY_ROOM(all->items, all->capacity, all->count + 1)) return false;
    flight *f = &all->items[all->count];
    *f = (flight){.id = strdup(id), .request = strcmp(op, "request") == 0, .owner = owner};
    all->count += f->id != NULL;
    return f->id;
}

/* Returns where the id begins in an answer or a completion; NULL: it is neither. */
static const char *id_of(const char *line, bool *done) {
    static const char answer[] = "{\"id\":", completion[] = "{\"type\":\"done\",\"id\":";
    *done = strncmp(line, completion, sizeof completion - 1) == 0;
    if (*done) return line + sizeof completion - 1;
    return strncmp(line, answer, sizeof answer - 1) == 0 ? line + sizeof answer - 1 : NULL;
}

flight *flights_find(flights *all, const char *line, bool *ends) {
    static const char ok[] = ",\"ok\"";
    bool done;
    const char *id = id_of(line, &done);
    for (size_t i = 0; id && i < all->count; i++) {
        flight *f = &all->items[i];
        const size_t length = strlen(f->id);
        if (done != f->answered || strncmp(id, f->id, length) != 0 || id[length] != ',') continue;
        *ends = done || !f->request || strncmp(id + length, ok, sizeof ok - 1) != 0;
        f->answered = true;
        return f;
    }
    return NULL;
}

bool flights_awaits(const flights *all, const char *id) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].answered && strcmp(all->items[i].id, id) == 0) return true;
    return false;
}

/* The order stays, as the oldest of equal ids is meant. */
void flights_end(flights *all, flight *f) {
    free(f->id);
    memmove(f, f + 1, (size_t)(all->items + --all->count - f) * sizeof *f);
}

void flights_free(flights *all) {
    while (all->count > 0) flights_end(all, &all->items[all->count - 1]);
    free(all->items);
    *all = (flights){0};
}

size_t flight_write_end(const flight *f, const char *error, const char *why, char out[FLIGHT_END_BYTES]) {
    const int length = f->answered ? snprintf(out, FLIGHT_END_BYTES, "{\"id\":%s,\"lost\":true}", f->id)
                                   : snprintf(out, FLIGHT_END_BYTES, "{\"id\":%s,\"error\":\"%s\",\"text\":\"%s\"}",
                                              f->id, error, why);
    return (size_t)length;
}
