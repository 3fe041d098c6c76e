/* SPDX-License-Identifier: MIT */
/* A small world for fuzz_calls, and the arguments of its calls: bytes of the input become numbers in range, near a
 * limit and past it. */
#ifndef WEND_FUZZ_CALLS_H
#define WEND_FUZZ_CALLS_H

#include "fuzz_bytes.h"

#include <stdbool.h>

#include <wend/wend.h>

#include <wend/acceleration.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/control.h>
#include <wend/crowd_tuning.h>
#include <wend/field.h>
#include <wend/figures.h>
#include <wend/geometry.h>
#include <wend/graph.h>
#include <wend/layers.h>
#include <wend/movers.h>
#include <wend/query.h>
#include <wend/search_options.h>
#include <wend/routes.h>
#include <wend/save.h>
#include <wend/search.h>
#include <wend/service_tuning.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/versions.h>
#include <wend/ways.h>

enum {
    CALLS_SHEET_AT = 40,  ///< where the second sheet of a map with sheets lies
    CALLS_NAMES = 16,     ///< tickets, agents and watched paths that later calls can name
    CALLS_REQUESTS = 512, ///< requests of one input
    CALLS_AGENTS = 24,
    CALLS_CELLS = 4096,     ///< room for paths and boxes
    CALLS_SAVE = 1 << 20,   ///< room for each of the three saves
    CALLS_BYTES = 48 << 20, ///< max_bytes of the map
};

/* A request of the host. */
typedef struct calls_request {
    bool accepted;
    int32_t answers;
    wend_ticket ticket;
} calls_request;

typedef struct calls_world {
    const uint8_t *at, *end; ///< bytes of the input that are left
    wend_cell size;          ///< sides of the map; of a graph its node capacity, 1, 1
    bool graph, streamed, layers;
    wend_map *map;
    wend_edit *edit;
    wend_service *service;
    wend_crowd *crowd;
    wend_bodies *bodies;
    wend_field *field;
    bool field_served;
    wend_search *search; ///< made when it is needed
    bool moved_bodies;   ///< wend_body_set() may have left overlaps
    uint32_t requested;
    calls_request requests[CALLS_REQUESTS];
    wend_ticket tickets[CALLS_NAMES];
    wend_agent_id agents[CALLS_NAMES];
    uint32_t next_agent;
    wend_cell path[CALLS_CELLS]; ///< the last path found
    size_t path_count;
    wend_figures *figures;
} calls_world;

typedef void calls_fn(calls_world *w);

/// Returns the next byte of the input; 0 behind its end.
static inline uint8_t calls_byte(calls_world *w) {
    return w->at < w->end ? *w->at++ : 0;
}

/// A number from 0 to limit, or with one byte in eight one next to a limit, or far off.
static inline int32_t calls_number(calls_world *w, int32_t limit) {
    const uint8_t byte = calls_byte(w);
    switch (byte) {
    case 255: return INT32_MAX;
    case 254: return INT32_MIN;
    case 253: return -1;
    case 252: return limit;
    case 251: return limit < INT32_MAX ? limit + 1 : limit;
    case 250: return limit > INT32_MIN ? limit - 1 : limit;
    case 249: return 0;
    default: return limit > 0 ? (int32_t)(byte % ((uint32_t)limit + 1)) : 0;
    }
}

static inline uint32_t calls_count(calls_world *w, uint32_t limit) {
    return (uint32_t)calls_number(w, (int32_t)limit);
}

/// A number of a host's that may be larger than a byte.
static inline uint64_t calls_large(calls_world *w, uint64_t limit) {
    const uint32_t low = calls_byte(w);
    if (low == 255) return UINT64_MAX;
    if (low == 254) return limit;
    if (low == 253) return limit + 1;
    return ((uint64_t)low << 8 | calls_byte(w)) % (limit + 1);
}

static inline wend_cell calls_cell(calls_world *w) {
    wend_cell cell;
    cell.x = calls_number(w, w->size.x - 1);
    cell.y = calls_number(w, w->size.y - 1);
    cell.z = w->size.z > 1 || calls_byte(w) == 77 ? calls_number(w, w->size.z - 1) : 0;
    return cell;
}

/// A cell next to another, mostly.
static inline wend_cell calls_neighbour(calls_world *w, wend_cell cell) {
    const uint8_t byte = calls_byte(w);
    if (byte > 240) return calls_cell(w);
    const int64_t x = (int64_t)cell.x + byte % 3 - 1, y = (int64_t)cell.y + byte / 3 % 3 - 1;
    if (x >= INT32_MIN && x <= INT32_MAX) cell.x = (int32_t)x;
    if (y >= INT32_MIN && y <= INT32_MAX) cell.y = (int32_t)y;
    if (w->size.z > 1 && cell.z < INT32_MAX && byte / 9 % 3 == 1) cell.z++;
    return cell;
}

static inline wend_box calls_box(calls_world *w) {
    wend_box box;
    box.min = calls_cell(w);
    const uint8_t byte = calls_byte(w);
    box.max = byte > 200 ? calls_cell(w) : box.min;
    if (byte <= 200 && box.max.x < INT32_MAX - 16) box.max.x += byte % 6;
    if (byte <= 200 && box.max.y < INT32_MAX - 16) box.max.y += byte / 6 % 6;
    return box;
}

/// Returns true if a box lies on the map and is not empty, so that a buffer for all of it is known to suffice.
static inline bool calls_fits(const calls_world *w, wend_box box) {
    return box.min.x >= 0 && box.min.y >= 0 && box.min.z >= 0 && box.min.x <= box.max.x && box.min.y <= box.max.y &&
           box.min.z <= box.max.z && box.max.x < w->size.x && box.max.y < w->size.y && box.max.z < w->size.z;
}

/// An agent that was added, or none that ever was.
static inline wend_agent_id calls_agent(calls_world *w) {
    const uint8_t byte = calls_byte(w);
    if (byte >= 250) return (wend_agent_id){calls_count(w, CALLS_AGENTS), calls_count(w, 3)};
    return w->agents[byte % CALLS_NAMES];
}

static inline wend_ticket calls_ticket(calls_world *w) {
    const uint8_t byte = calls_byte(w);
    if (byte >= 250) return (wend_ticket){calls_count(w, 70), calls_count(w, 3)};
    return w->tickets[byte % CALLS_NAMES];
}

/// Each returns the number of rows in its table, which the input's bytes choose from.
size_t calls_of_maps(calls_fn *const **table);
size_t calls_of_land(calls_fn *const **table);
size_t calls_of_services(calls_fn *const **table);
size_t calls_of_crowds(calls_fn *const **table);
size_t calls_of_paths(calls_fn *const **table);

/// Checks that hold between any two calls: figures add up, agents stand apart.
void calls_check_service(calls_world *w);
void calls_check_crowd(calls_world *w);
/// The answer of a request of the host's.
void calls_answer(void *context, const wend_completion *completion);
/// Makes the search of the world, unless it is there.
void calls_need_search(calls_world *w);
/// Saves, restores, and saves again: the bytes are the same.
void calls_save_and_restore(calls_world *w);

#endif
