/* SPDX-License-Identifier: MIT */
/* A town with all that a save can hold: links, closed steps, layers, movers, groups, routes, a box that is cleared,
 * requests of the host's. */
#ifndef WEND_TESTS_SAVE_TOWN_H
#define WEND_TESTS_SAVE_TOWN_H

#include "models/defaults.h"
#include <wend/save.h>

typedef struct town {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    uint64_t heard; ///< a hash of all events and answers
} town;

enum { TOWN_BYTES = 1 << 18 };

/// The three saves of a town, one behind the other.
typedef struct town_save {
    uint8_t bytes[TOWN_BYTES];
    size_t of[3]; ///< how many each takes
} town_save;

/// Makes a town without agents, with a number of workers.
void town_open(town *t, uint32_t workers);
/// Makes a town without workers, whose large groups go by flow fields.
void town_open_with_fields(town *t);
void town_close(town *t);
/// Adds the agents and their goals.
void town_fill(town *t);
/// Sends half of the large group to a goal of its own.
void town_send_group(town *t, wend_cell goal);
/// Runs a frame. Returns a hash of all that it shows.
uint64_t town_frame(town *t);

wend_save_host town_host(town *t);
wend_error town_store(town *t, town_save *save);
wend_error town_restore(town *t, const town_save *save);
/// Sets the checksum of a save to that of its bytes.
void town_sum(uint8_t *bytes, size_t count);

#endif
