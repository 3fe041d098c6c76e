/* SPDX-License-Identifier: MIT */
/* Fields away from goals. Such a field contains one with the distances to the goals. If a cell's distance is worth less
 * than `base`, staying there costs the difference, so Dijkstra from all cells at once leads to the best refuge.
 *
 * After an edit the distances are repaired first. Then each cell is compared with the present worth of its distance:
 * only cells that are refuges, or become refuges, change, and doubts and Dijkstra do the rest. `base` is above the
 * largest worth, so that the costs stay while that rises a little. */

#include "field/field_queue.h"
#include "field/field_ways.h"

#include <string.h>

enum { CELLS = 4096, TURN_EXPANSIONS = 256, RANGE_EXPANSIONS = 32, COMPARE_EXPANSIONS = 128, LISTED = 32, SPARE = 8 };

/* ---- the distances, and the greatest of them */

static uint32_t lesser(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Costs from before stay, if no worth is above `base`. */
static void find_worst(wend_field *f) {
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < f->chunks; i++)
        if (f->distances->farthest[i] > farthest) farthest = f->distances->farthest[i];
    const uint32_t worst = wend__field_worth(f, farthest);
    WEND__DEBUG_ASSERT(worst <= WEND_FIELD_MAX_COST && f->distances->phase == WEND__FIELD_COMPLETE);
    f->has_costs = f->has_costs && worst <= f->base;
    if (!f->has_costs) f->base = worst + lesser(worst / SPARE, WEND_FIELD_MAX_COST - worst);
    f->lift = f->base - worst;
    f->owed += f->chunks / LISTED;
    f->cursor = 0;
    if (!f->has_costs) wend__field_scatter(f, 0);
    f->phase = f->has_costs ? WEND__FIELD_COMPARING : WEND__FIELD_CONVERTING;
}

/* Returns the next chunk from the cursor on with changed distances, or the end. */
static uint32_t next_changed(const wend_field *f) {
    uint32_t at = f->cursor;
    const uint64_t *changed = f->distances->changed;
    while (at < f->chunks && !wend__field_has_bit(changed, at))
        at = changed[at >> 6] >> (at & 63) ? at + 1 : (at | 63) + 1;
    return lesser(at, f->chunks);
}

static uint32_t farthest_in(const uint32_t *distances) {
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        const uint32_t distance = distances[i] == WEND__FIELD_FAR ? 0 : distances[i];
        farthest = distance > farthest ? distance : farthest;
    }
    return farthest;
}

void wend__field_range(wend_field *f) {
    wend_field *d = f->distances;
    const uint32_t chunk = next_changed(f);
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_RANGING && f->cursor <= f->chunks);
    f->cursor = chunk + 1;
    if (chunk == f->chunks) {
        find_worst(f);
        return;
    }
    d->farthest[chunk] = farthest_in(d->costs + ((size_t)chunk << 12));
    f->owed += RANGE_EXPANSIONS;
}

/* ---- turning */

void wend__field_turn(wend_field *f) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_CONVERTING && f->cursor < f->chunks);
    const uint32_t at = f->cursor << 12;
    uint32_t least = WEND__FIELD_FAR;
    for (uint32_t id = at; id < at + CELLS; id++) {
        const uint32_t stay = wend__field_stay(f, id);
        const bool out = stay == WEND__FIELD_FAR;
        f->costs[id] = out ? 0 : stay;
        f->ways[id] = out ? WEND__FIELD_OUT : WEND__FIELD_SOURCE | WEND__FIELD_OPEN;
        least = stay < least ? stay : least;
    }
    f->least[f->cursor++] = least == WEND__FIELD_FAR ? least : least >> f->shift;
    f->owed += TURN_EXPANSIONS;
    if (f->cursor < f->chunks) return;
    memset(f->distances->changed, 0, ((size_t)f->chunks + 63) / 64 * sizeof *f->distances->changed);
    f->outside = 0;
    f->known = 0;
    f->lost = WEND__NONE;
    f->has_costs = true;
    f->phase = WEND__FIELD_SETTLING;
}

/* ---- a repair */

/* A cell's cost is at most the cost of staying, and equal to it if its way ends there. */
static bool is_changed(const wend_field *f, uint32_t id) {
    const uint32_t stay = wend__field_stay(f, id), cost = f->costs[id];
    const bool out = f->ways[id] == WEND__FIELD_OUT, ends = (f->ways[id] & WEND__FIELD_WAY) == WEND__FIELD_SOURCE;
    if (out || stay == WEND__FIELD_FAR) return out != (stay == WEND__FIELD_FAR);
    return stay < cost || (ends && stay != cost);
}

static void end_comparing(wend_field *f) {
    wend__field_recall(f);
    f->phase = f->touched ? WEND__FIELD_DOUBTING : WEND__FIELD_COMPLETE;
    f->touched = false;
}

void wend__field_compare(wend_field *f) {
    WEND__DEBUG_ASSERT(f->phase == WEND__FIELD_COMPARING && f->has_costs && f->cursor <= f->chunks);
    const uint32_t chunk = next_changed(f), at = chunk << 12;
    f->cursor = chunk + 1;
    if (chunk == f->chunks) {
        end_comparing(f);
        return;
    }
    f->distances->changed[chunk >> 6] &= ~(UINT64_C(1) << (chunk & 63));
    for (uint32_t id = at; id < at + CELLS; id++) {
        if (WEND__LIKELY(!is_changed(f, id))) continue;
        if (f->ways[id] == WEND__FIELD_OUT) {
            f->costs[id] = WEND__FIELD_FAR;
            f->ways[id] = WEND__FIELD_NOWHERE;
        }
        wend__field_recheck(f, id);
    }
    f->owed += COMPARE_EXPANSIONS;
}
