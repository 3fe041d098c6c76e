/* SPDX-License-Identifier: MIT */
/* Narrow ways: whose turn it is to pass one. */
#include "agents/manners/narrow_ways.h"

#include "agents/manners/traffic_state.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/version/version.h"

enum {
    LASTS = 4,    ///< updates for which a direction keeps a way after its last agent
    MOST = 160,   ///< updates after which only those inside go on, if others wait
    LONGEST = 32, ///< cells of a way; longer ones have no turns
    PROBES = 4,   ///< slots in which a way may be
    ALONG_X = 1 << WEND__E | 1 << WEND__W,
    ALONG_Y = 1 << WEND__N | 1 << WEND__S
};

/* ---- the table ---- */

/* Returns the number of slots: one for each agent at least. A way without a slot has no turns. */
static uint32_t slots_of(uint32_t capacity) {
    uint32_t slots = 64;
    while (slots < capacity) slots *= 2;
    return slots;
}

size_t wend__narrow_ways_bytes(uint32_t capacity) {
    return slots_of(capacity) * sizeof(wend__narrow_way);
}

void wend__narrow_ways_init(wend__narrow_ways *ways, void *memory, uint32_t capacity) {
    *ways = (wend__narrow_ways){.count = slots_of(capacity), .of = memory};
    memset(memory, 0, wend__narrow_ways_bytes(capacity));
}

bool wend__narrow_way_is_used(const wend__narrow_way *way, uint32_t now) {
    return way->last > 0 && (now - way->last <= LASTS || (way->refused > 0 && now - way->refused <= LASTS));
}

/* Finds a narrow way, or a slot for it. Returns NULL if there is none. */
static wend__narrow_way *find(wend__narrow_ways *ways, wend_cell low, uint32_t now) {
    const uint64_t place = (uint64_t)(uint32_t)low.y << 32 | (uint32_t)low.x;
    const uint32_t first = (uint32_t)(place * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    wend__narrow_way *unused = NULL;
    for (uint32_t k = 0; k < PROBES; k++) {
        wend__narrow_way *way = &ways->of[(first + k) & (ways->count - 1)];
        const bool used = wend__narrow_way_is_used(way, now);
        if (used && wend__same_cell(way->low, low)) return way;
        if (!used && !unused) unused = way;
    }
    if (unused) *unused = (wend__narrow_way){.low = low};
    return unused;
}

/* ---- the map ---- */

/* Returns the axis along which a cell is one wide, as a mask of directions; 0: it is not. */
static uint32_t axis_of(const wend__version *view, wend_cell cell) {
    const uint32_t steps = wend__version_steps(view, cell.x, cell.y);
    const bool along_x = steps & ALONG_X, along_y = steps & ALONG_Y;
    return along_x == along_y ? 0 : along_x ? ALONG_X : ALONG_Y;
}

/* Finds the lowest cell of the narrow way in which a cell is. Returns false if that is too long. */
static bool find_low(const wend__version *view, wend_cell cell, uint32_t axis, wend_cell *low) {
    const unsigned back = axis == ALONG_X ? WEND__W : WEND__N;
    for (int32_t k = 0; k < LONGEST; k++) {
        const wend_cell next = {cell.x + wend__dx[back], cell.y + wend__dy[back], 0};
        *low = cell;
        if (!(wend__version_steps(view, cell.x, cell.y) >> back & 1) || axis_of(view, next) != axis) return true;
        cell = next;
    }
    return false;
}

/* ---- turns ---- */

/* Returns whether it is the turn of a direction. */
static bool has_turn(wend__narrow_way *way, uint8_t direction, bool inside, uint32_t now) {
    if (way->last == 0 || (way->direction != direction && now - way->last > LASTS))
        *way = (wend__narrow_way){.low = way->low, .direction = direction, .since = now, .last = now};
    const bool own = way->direction == direction, wait = way->refused > 0 && now - way->refused <= LASTS;
    if (own && (inside || !wait || now - way->since <= MOST)) {
        way->last = now;
        return true;
    }
    if (!own) way->refused = now;
    return inside;
}

bool wend__traffic_may_pass(wend__traffic *t, const wend__version *version, uint32_t index, const wend_cell *cells,
                            uint32_t count, uint32_t now) {
    const wend__version *view = wend__version_view(version, t->agents[index].mover);
    uint32_t first = 0, axis = 0;
    wend_cell low;
    for (; first < count && first <= WEND__TURN_STEPS; first++)
        if ((axis = axis_of(view, cells[first])) != 0) break;
    if (axis == 0 || !find_low(view, cells[first], axis, &low)) return true;
    const wend_cell from = cells[first > 0 ? first - 1 : 0], to = cells[first + 1 < count ? first + 1 : first];
    const wend_cell way_on = wend__map_apart(t->map, from, to);
    const int32_t along = axis == ALONG_X ? way_on.x : way_on.y;
    if (along == 0) return true;
    wend__narrow_way *way = find(&t->narrow_ways, low, now);
    return !way || has_turn(way, along > 0, first == 0, now);
}
