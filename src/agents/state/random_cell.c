/* SPDX-License-Identifier: MIT */
/* A random cell that can be reached. Draws cells at random; if too few of them are reachable, scans the map. */
#include "base/hash.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include <wend/crowd.h>

enum { DRAWS = 1024 };

/* Returns a number below `end`, at most 2^33, each equally likely. */
static uint64_t draw_below(uint64_t *state, uint64_t end) {
    const uint64_t limit = UINT64_MAX - UINT64_MAX % end;
    uint64_t number;
    do number = wend__random(state);
    while (number >= limit);
    return number % end;
}

static bool is_reachable(const wend_map *map, const wend__version *version, int32_t mover, wend_cell from,
                         wend_cell cell) {
    if (!wend__map_has(map, cell)) return false;
    return wend__cell_factor(wend__version_view(version, mover), cell) &&
           wend__version_connected(version, mover, from, cell);
}

static wend_cell choose_cell(const wend_map *map, const wend__version *version, int32_t mover, wend_cell from,
                             uint64_t seed) {
    const uint64_t cells = (uint64_t)version->width * (uint64_t)version->height * (uint64_t)version->depth;
    uint64_t state = seed;
    for (uint32_t i = 0; i < DRAWS; i++) {
        wend_cell cell = wend__cell_of_number(version, (uint32_t)draw_below(&state, cells));
        if (is_reachable(map, version, mover, from, cell)) return cell;
    }
    uint64_t number = draw_below(&state, cells);
    for (uint64_t i = 0; i < cells; i++) {
        wend_cell cell = wend__cell_of_number(version, (uint32_t)number);
        if (is_reachable(map, version, mover, from, cell)) return cell;
        if (++number == cells) number = 0;
    }
    return from;
}

wend_error wend_map_random_cell(const wend_map *map, int32_t mover, wend_cell from, uint64_t seed, wend_cell *out) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "from", from);
    if (error) return error;
    wend__version *version = wend__map_newest(map);
    bool stands = wend__cell_factor(wend__version_view(version, mover), from) != 0;
    if (stands && out) *out = choose_cell(map, version, mover, from, seed);
    wend__map_release(version, false);
    if (stands) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "the mover cannot stand on from, %d,%d,%d", from.x, from.y, from.z);
}
