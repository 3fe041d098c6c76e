/* SPDX-License-Identifier: MIT */
/* Random worlds of all kinds, and calls to them with arguments of which some are hostile. */
#ifndef WEND_TESTS_HOSTILE_CALLS_H
#define WEND_TESTS_HOSTILE_CALLS_H

#include "models/oracle.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/save.h>

enum { HOSTILE_AGENTS = 12, HOSTILE_TICKETS = 8, HOSTILE_BOXES = 4 };
enum { FLAT, HEXAGONS, WRAPPED, STREAMED, VOXELS, NODES_AND_EDGES, HOSTILE_KINDS };

/// A world: its map, service and crowd.
typedef struct place {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
} place;

/// What the host of a world knows of it, and its random numbers.
typedef struct hostile_host {
    uint64_t seed;
    int kind;
    oracle_random random;
    wend_agent_id ids[HOSTILE_AGENTS];
    wend_ticket tickets[HOSTILE_TICKETS];
    wend_box boxes[HOSTILE_BOXES];
} hostile_host;

/// Makes the world of a seed. Calls go to it then.
place hostile_open(uint64_t seed);
/// Makes another world of the same definitions.
place hostile_place(void);
void hostile_drop(place *p);
/// Makes a random call to a world. Returns its name.
/// @param fast    whether derived data may be made
/// @param error   receives what it returned
/// @param frame   receives the frame that it ran, if it did
const char *hostile_call(const place *p, bool fast, wend_error *error, wend_frame *frame);
/// The host of the present world, which may be put back.
extern hostile_host hostile_now;
/// Returns a random number below `count`.
int hostile_below(int count);

#endif
