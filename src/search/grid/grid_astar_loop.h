/* SPDX-License-Identifier: MIT */
/* Internal: the expansion loop of A* (Hart, Nilsson and Raphael 1968), included for the plainest searches, for those
 * among hexagons, for those with costs by place, and for all others with each width of record.
 *
 *   STEP            name of the function
 *   RECORD          uint32_t or uint64_t: g << 5 | open << 4 | direction it was entered by
 *   ROW_SHIFT       rows of a page: 6 or 5
 *   ESTIMATE(x, y)  the estimate from a cell, as seen from the goal
 *   SEES_UNITS      whether units block cells or add to costs
 *   HAS_TOLLS       whether places add to costs
 *   WRAPS           whether steps lead over the map's rim
 *
 * Successors are generated straight ones first, each group clockwise from north. The open list
 * pops the newest entry first, so that fixes all ties. A closed node that becomes cheaper is
 * opened again; this occurs only where buckets hold several values of f. */

/* Tried: loops without branches for push and pop: slower, as what is not predicted has to be waited for. Ties by cell
 * index, a total order: 2.6 times the time, as newest first stays in the caches. */

static uint64_t STEP(wend__search *s, wend__stock *stock, const uint64_t budget) {
    enum { ROWS = 1 << ROW_SHIFT, LAST = WEND__CHUNK_SIDE - 1 };
    const RECORD open_bit = 16, low_bits = 31;
    wend__pool *const pool = s->pool;
    wend__open *const open = &s->open;
    const uint8_t *const factors = s->view->rules.factors;
    const int32_t goal_x = s->goal.x, goal_y = s->goal.y;
    const uint32_t straight = wend__grid_of(s)->estimate_straight,
                   bend = wend__grid_of(s)->estimate_diagonal - wend__grid_of(s)->estimate_straight;
    const uint64_t g_limit = (((RECORD) ~(RECORD)0) >> 5) - 1 - s->largest_edge;
    const bool exhaust = s->exhaust;
    const uint64_t run_end = exhaust ? 0 : budget; /* limit of expansions without a pop */
    uint32_t edge[WEND__DIRECTIONS];
    memcpy(edge, s->edge, sizeof edge);
    bool found = s->best != UINT64_MAX; /* the goal is found, and its bucket is being emptied */
    uint64_t used = 0;
    wend__ring ring = wend__ring_load(open);
    const bool sees_units = SEES_UNITS, has_tolls = HAS_TOLLS, wraps = WRAPS;
    const uint8_t *const kept =
        has_tolls && wend__grid_of(s)->toll_steps ? &wend__grid_of(s)->toll_steps->kept[0][0] : NULL;
    (void)straight, (void)bend, (void)kept;

/* Whether a cell is in the first or last column or row of its page. */
#define ON_RIM(local)                                                                                                  \
    ((((local) + 1) & LAST) <= 1 || ((local) >> WEND__CHUNK_SHIFT) - 1 >= ROWS - 2 ||                                  \
     (wraps && is_on_last_line(s, header, local)))
    while (used + (has_tolls ? s->owed : 0) < budget) {
        if (!wend__pages_spare_ring(s, stock, &ring, WEND__DIRECTIONS)) {
            wend__pages_starve(s, 0, 1);
            break;
        }
        if (ring.head == 0 && (!wend__ring_advance(&ring, open) || found)) {
            finish_search(s);
            break;
        }
        uint32_t id = wend__ring_pop(&ring), local = id & 4095;
        const uint32_t page = id >> 12;
        RECORD *at = (RECORD *)wend__page_records(pool, page) + local;
        RECORD record = *at;
        if (!(record & open_bit)) continue; /* closed since it was pushed */
        const wend__page *const header = &pool->pages[page];
        const uint64_t g = record >> 5;
        const int32_t column = (int32_t)(local & LAST), row = (int32_t)(local >> WEND__CHUNK_SHIFT);
        int32_t x = header->x + column - goal_x, y = header->y + row - goal_y; /* as seen from the goal */
        if (WEND__UNLIKELY(found) && g + ESTIMATE(x, y) >= s->best) {
            *at = record & ~open_bit;
            continue;
        }
        if (WEND__UNLIKELY(g > g_limit)) {
            wend__ring_save(&ring, open);
            widen_records(s);
            return used;
        }
        if (WEND__UNLIKELY(id ==
                           s->goal_id)) { /* the goal is not expanded, so it needs none of its neighbours' pages */
            *at = record & ~open_bit;
            used++;
            s->best = g;
            found = true;
            if (exhaust) continue;
            finish_search(s);
            break;
        }
        const uint32_t arrival = ((uint32_t)record & header->arrivals) << 8;
        uint32_t steps = header->steps[arrival | header->masks[local]];
        if (has_tolls && header->tolls && header->arrivals)
            steps |= wend__grid_asked_steps(header)[arrival | header->masks[local]] &
                     kept[arrival | wend__grid_compared(header)[local]];
        const bool rim = ON_RIM(local);
        if (WEND__UNLIKELY(rim) && !reach_pages(s, stock, page, column, row, ROWS, steps)) {
            wend__ring_push_here(&ring, id);
            break;
        }
        if (wraps && rim && !relax_seams(s, stock, &ring, id, record)) {
            wend__ring_push_here(&ring, id);
            break;
        }
        *at = record & ~open_bit;
        used++;

#define BUCKET(f) ((uint32_t)((f) >> open->shift) & (WEND__BUCKETS - 1))
/* Records compare like their g: the low bits of the new record are all set, so it is below the
 * old one exactly where its g is. */
#define RELAX(d, to_record, to_id, to_edge)                                                                            \
    do {                                                                                                               \
        const RECORD next = (RECORD)((record | low_bits) + ((RECORD)(to_edge) << 5));                                  \
        if (next < *(to_record)) {                                                                                     \
            *(to_record) = next ^ (15 ^ (d));                                                                          \
            const uint64_t f = (uint64_t)(next >> 5) + ESTIMATE(x + step_x[d], y + step_y[d]);                         \
            wend__ring_push(&ring, open, BUCKET(f), to_id);                                                            \
        }                                                                                                              \
    } while (0)
#define TOLL(of, place) wend__grid_toll(of, place, sizeof(RECORD) == sizeof(uint64_t))
#define RELAX_INSIDE(d) RELAX(d, at + step_offset[d], id + (uint32_t)step_offset[d], edge[d])

        if (has_tolls && WEND__LIKELY(!rim) && header->tolls && header->factor == 1) {
            /* Branches cannot predict which neighbours become cheaper, so all eight are compared without any. Tried:
             * vectors, which were slower. */
            const RECORD ahead = (RECORD)((record | low_bits) + ((RECORD)edge[WEND__N] << 5)),
                         aslant = (RECORD)((record | low_bits) + ((RECORD)edge[WEND__NE] << 5));
#define BETTER(d, base, to)                                                                                            \
    ((uint32_t)((RECORD)((base) + ((RECORD)TOLL(header, local + (uint32_t)(to)) << 5)) < at[to]) << (d))
            if (header->uneven)
                steps &= BETTER(WEND__N, ahead, -64) | BETTER(WEND__E, ahead, 1) | BETTER(WEND__S, ahead, 64) |
                         BETTER(WEND__W, ahead, -1) | BETTER(WEND__NE, aslant, -63) | BETTER(WEND__SE, aslant, 65) |
                         BETTER(WEND__SW, aslant, 63) | BETTER(WEND__NW, aslant, -65);
#undef BETTER
            used += header->slow;
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                const int32_t offset = step_offset[d];
                const uint32_t extra =
                    sees_units && header->slow
                        ? unit_cost_at(s, wend__grid_of(s), x + step_x[d] + goal_x, y + step_y[d] + goal_y)
                        : 0;
                if (extra == UINT32_MAX) continue;
                RELAX(d, at + offset, id + (uint32_t)offset, edge[d] + TOLL(header, local + (uint32_t)offset) + extra);
            }
            continue;
        }
        if (WEND__LIKELY(!rim && !header->slow)) {
            if (steps == 255) { /* open all round: no loop */
                RELAX_INSIDE(0);
                RELAX_INSIDE(1);
                RELAX_INSIDE(2);
                RELAX_INSIDE(3);
                RELAX_INSIDE(4);
                RELAX_INSIDE(5);
                RELAX_INSIDE(6);
                RELAX_INSIDE(7);
                continue;
            }
            /* Most cells have one canonical step. A successor in the bucket being emptied would
             * be popped next, so it is expanded here without a push, and so on while the path
             * goes straight on. */
            if (steps != 0 && (steps & (steps - 1)) == 0) {
                const uint32_t d = wend__ctz32(steps), straight_on = steps;
                const int32_t offset = step_offset[d], dx = step_x[d], dy = step_y[d];
                const RECORD to_edge = (RECORD)edge[d] << 5;
                const uint8_t *const steps_by_mask = header->steps + ((d & header->arrivals) << 8);
                const uint8_t *const masks = header->masks;
                do {
                    const RECORD next = (RECORD)((record | low_bits) + to_edge);
                    steps = 0;
                    at += offset;
                    if (next >= *at) break;
                    *at = record = next ^ (15 ^ d);
                    id += (uint32_t)offset, x += dx, y += dy;
                    const uint32_t bucket = BUCKET((uint64_t)(next >> 5) + ESTIMATE(x, y));
                    if (bucket != ring.current) {
                        wend__ring_push_ahead(&ring, open, bucket, id);
                        break;
                    }
                    local = id & 4095;
                    if (ON_RIM(local) | (used >= run_end) | (id == s->goal_id) | ((next >> 5) > g_limit)) {
                        wend__ring_push_here(&ring, id);
                        break;
                    }
                    steps = steps_by_mask[masks[local]];
                    *at = record & ~open_bit;
                    used++;
                } while (steps == straight_on);
            }
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                RELAX_INSIDE(d);
            }
            continue;
        }
        used += header->slow;     /* slow pages take twice as long */
        if (WEND__LIKELY(!rim)) { /* the successors lie in this page */
            const uint8_t *const plane = sees_units ? units_around(s, x + goal_x, y + goal_y) : NULL;
            const uint8_t *const classes = header->classes ? header->classes + local : NULL;
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                const uint64_t factor = classes ? factors[classes[step_offset[d]]] : header->factor;
                uint64_t plain = edge[d] * factor;
                if (has_tolls && header->tolls) plain += TOLL(header, local + (uint32_t)step_offset[d]);
                RECORD *const to_record = at + step_offset[d];
                if ((RECORD)((record | low_bits) + ((RECORD)plain << 5)) >= *to_record) continue; /* as RELAX does */
                const uint32_t extra =
                    unit_cost_in(plane, wend__grid_of(s), x + step_x[d] + goal_x, y + step_y[d] + goal_y);
                if (extra == UINT32_MAX) continue;
                RELAX(d, to_record, id + (uint32_t)step_offset[d], plain + extra);
            }
            continue;
        }
        for (; steps; steps &= steps - 1) {
            const uint32_t d = wend__ctz32(steps);
            const int32_t to_column = column + step_x[d], to_row = row + step_y[d];
            const int32_t way = page_way(to_column, to_row, ROWS);
            const uint32_t to_page = way < 0 ? page : header->links[way];
            const uint32_t to = (uint32_t)(to_row & (ROWS - 1)) << WEND__CHUNK_SHIFT | (uint32_t)(to_column & LAST);
            const wend__page *const to_header = &pool->pages[to_page];
            uint64_t to_edge = edge[d];
            if (to_header->slow) to_edge *= to_header->classes ? factors[to_header->classes[to]] : to_header->factor;
            if (has_tolls && to_header->tolls) to_edge += TOLL(to_header, to);
            RECORD *const to_record = (RECORD *)wend__page_records(pool, to_page) + to;
            if (sees_units && to_header->slow) {
                if ((RECORD)((record | low_bits) + ((RECORD)to_edge << 5)) >= *to_record) continue; /* as RELAX does */
                const int32_t to_x = x + step_x[d] + goal_x, to_y = y + step_y[d] + goal_y;
                const uint32_t extra = unit_cost_at(s, wend__grid_of(s), to_x, to_y);
                if (extra == UINT32_MAX) continue;
                to_edge += extra;
            }
            RELAX(d, to_record, to_page << 12 | to, to_edge);
        }
#undef RELAX
#undef RELAX_INSIDE
#undef TOLL
#undef BUCKET
#undef ON_RIM
    }
    wend__ring_save(&ring, open);
    return used;
}

#undef STEP
#undef RECORD
#undef ROW_SHIFT
#undef ESTIMATE
#undef SEES_UNITS
#undef HAS_TOLLS
#undef WRAPS
