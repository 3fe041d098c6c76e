/* SPDX-License-Identifier: MIT */
/* Internal: the expansion loop of weighted A* on grids, for weights above 1 and for `manhattan`;
 * compare with grid_astar_loop.h. Records are wide.
 *
 * Nodes are expanded in strict order of their keys, and a closed node is never opened again. Why
 * the cost is within the bound, also with canonical successors: docs/design/weights.md. */

/* The end of a step out of a cell of a page. */
typedef struct grid_target {
    uint64_t *record;
    uint64_t edge;
    uint32_t id;
} grid_target;

/* The step leads to another page, or the page is slow. */
static grid_target target_beyond(const wend__search *s, uint32_t page, int32_t column, int32_t row, uint32_t d) {
    enum { ROWS = 1 << WEND__WIDE_ROW_SHIFT, LAST = WEND__CHUNK_SIDE - 1 };
    const wend__pool *const pool = s->pool;
    const int32_t to_column = column + step_x[d], to_row = row + step_y[d];
    const int32_t way = page_way(to_column, to_row, ROWS);
    const uint32_t to_page = way < 0 ? page : pool->pages[page].links[way];
    const uint32_t to = (uint32_t)(to_row & (ROWS - 1)) << WEND__CHUNK_SHIFT | (uint32_t)(to_column & LAST);
    const wend__page *const header = &pool->pages[to_page];
    const uint8_t *const factors = s->view->rules.factors;
    const uint64_t factor = !header->slow ? 1 : header->classes ? factors[header->classes[to]] : header->factor;
    return (grid_target){(uint64_t *)wend__page_records(pool, to_page) + to, s->edge[d] * factor, to_page << 12 | to};
}

/* The best successor of an expansion is held back, as it is often the next node. `other`: the
 * estimate is not the octile one. */
WEND__INLINE uint64_t weighted_loop(wend__search *s, wend__stock *stock, const uint64_t budget, const bool other) {
    enum { ROWS = 1 << WEND__WIDE_ROW_SHIFT, LAST = WEND__CHUNK_SIDE - 1 };
    enum { SLOW_COUNTS = 3 }; /* expansions, as every step is taken, and nodes are pushed several times */
    const uint64_t open_bit = 16, low_bits = 31;
    wend__pool *const pool = s->pool;
    wend__open *const open = &s->open;
    const uint32_t straight = wend__grid_of(s)->estimate_straight,
                   bend = wend__grid_of(s)->estimate_diagonal - wend__grid_of(s)->estimate_straight;
    const wend__weights weights = wend__grid_of(s)->weights;
    wend__strict_entry held = {0};
    bool holds = false;
    uint64_t used = 0;

    while (used < budget) {
        if (WEND__UNLIKELY(!wend__pages_spare_strict(s, stock))) {
            wend__pages_starve(s, 0, 1);
            break;
        }
        const wend__strict_entry *const first = wend__strict_first(open);
        if (!holds || (first && wend__strict_before(first, &held))) {
            if (WEND__UNLIKELY(!first)) {
                finish_search(s);
                break;
            }
            const wend__strict_entry next = *first;
            wend__strict_pop(open);
            if (holds) wend__strict_push(open, held);
            held = next;
        }
        holds = false;
        const uint32_t id = held.node, page = id >> 12, local = id & 4095;
        uint64_t *const at = (uint64_t *)wend__page_records(pool, page) + local;
        const uint64_t record = *at;
        if (!(record & open_bit)) continue; /* closed since it was pushed */
        const wend__page *const header = &pool->pages[page];
        const int32_t column = (int32_t)(local & LAST), row = (int32_t)(local >> WEND__CHUNK_SHIFT);
        if (WEND__UNLIKELY(id == s->goal_id)) {
            *at = record & ~open_bit;
            used++;
            s->best = record >> 5;
            finish_search(s);
            break;
        }
        uint32_t steps = header->steps[((uint32_t)record & header->arrivals) << 8 | header->masks[local]];
        const bool rim = ((local + 1) & LAST) <= 1 || (local >> WEND__CHUNK_SHIFT) - 1 >= ROWS - 2;
        if (WEND__UNLIKELY(rim) && !reach_pages(s, stock, page, column, row, ROWS, steps)) {
            holds = true;
            break;
        }
        *at = record & ~open_bit;
        used++;
        const int32_t x = header->x + column - s->goal.x, y = header->y + row - s->goal.y; /* as seen from the goal */
        const bool beyond = rim || header->slow;
        if (header->slow) used += SLOW_COUNTS;
        for (; steps; steps &= steps - 1) {
            const uint32_t d = wend__ctz32(steps);
            grid_target to = {at + step_offset[d], s->edge[d], id + (uint32_t)step_offset[d]};
            if (WEND__UNLIKELY(beyond)) to = target_beyond(s, page, column, row, d);
            const uint64_t next = (record | low_bits) + (to.edge << 5), known = *to.record;
            if (next >= known || !(known & open_bit)) continue; /* no cheaper, or closed */
            *to.record = next ^ (15 ^ d);
            const int32_t to_x = x + step_x[d], to_y = y + step_y[d];
            const uint64_t left = other ? estimate_from(s, to_x, to_y) : loop_octile(to_x, to_y, straight, bend);
            const uint64_t key = weights.g * (next >> 5) + weights.h * left;
            const wend__strict_entry made = wend__strict_make(open, key, left, to.id, 0);
            if (!holds) {
                held = made;
                holds = true;
            } else if (wend__strict_before(&made, &held)) {
                wend__strict_push(open, held);
                held = made;
            } else {
                wend__strict_push(open, made);
            }
        }
    }
    if (holds) wend__strict_push(open, held);
    return used;
}

static uint64_t step_weighted(wend__search *s, wend__stock *stock, uint64_t budget) {
    return weighted_loop(s, stock, budget, false);
}

/* With `euclid`, or landmarks. */
static uint64_t step_weighted_other(wend__search *s, wend__stock *stock, uint64_t budget) {
    return weighted_loop(s, stock, budget, true);
}
