/* SPDX-License-Identifier: MIT */
/* Internal: the expansion loop of A* (Hart, Nilsson and Raphael 1968), taken in once for each width of record.
 *
 *   STEP            name of the function
 *   RECORD          uint32_t or uint64_t: g << 5 | open << 4 | direction it was entered by
 *   ROW_SHIFT       rows of a page: 6 or 5
 *   ESTIMATE(x, y)  what is left from there, as seen from the goal
 *   GENERAL         1: f may fall from one node to the next; it is then raised to the current bucket's
 *
 * Successors are generated straight ones first, each group clockwise from north; with the open list's newest-first rule
 * that fixes every tie. A closed node that becomes cheaper is opened again: that happens only where buckets hold more
 * than one f or the estimate is inconsistent. */

static uint64_t STEP(wend__search *s, wend__stock *stock, const uint64_t budget) {
    enum { ROWS = 1 << ROW_SHIFT, LAST = WEND__CHUNK_SIDE - 1 };
    const RECORD open_bit = 16, low_bits = 31;
    wend__pool *const pool = s->pool;
    wend__open *const open = &s->open;
    const uint8_t *const factors = s->ground->rules.factors;
    const int32_t goal_x = s->goal.x, goal_y = s->goal.y;
    const uint32_t straight = s->estimate_straight, bend = s->estimate_diagonal - s->estimate_straight;
    const uint64_t g_limit = (((RECORD) ~(RECORD)0) >> 5) - 1 - s->largest_edge;
    const bool exhaust = s->exhaust;
    uint32_t edge[WEND__DIRECTIONS];
    memcpy(edge, s->edge, sizeof edge);
    uint64_t used = 0;
    (void)straight, (void)bend;

    while (used < budget) {
        if (WEND__UNLIKELY(open->spare < WEND__DIRECTIONS) && !wend__pages_spare(s, stock)) {
            wend__pages_starve(s, 0, 1);
            break;
        }
        const uint32_t before = open->current;
        if (!wend__open_advance(open)) {
            finish(s);
            break;
        }
        if (GENERAL) s->floor_f += (uint64_t)((open->current - before) & (WEND__BUCKETS - 1)) << open->shift;
        if (WEND__UNLIKELY(exhaust) && s->best != UINT64_MAX && open->current != s->goal_bucket) {
            finish(s);
            break;
        }
        const uint32_t id = wend__open_pop(open), page = id >> 12, local = id & 4095;
        RECORD *const at = (RECORD *)wend__page_records(pool, page) + local;
        const RECORD record = *at;
        if (!(record & open_bit)) continue; /* closed since it was pushed */
        const wend__page *const header = &pool->pages[page];
        const uint64_t g = record >> 5;
        const int32_t column = (int32_t)(local & LAST), row = (int32_t)(local >> WEND__CHUNK_SHIFT);
        const int32_t x = header->x + column - goal_x, y = header->y + row - goal_y; /* as seen from the goal */
        if (WEND__UNLIKELY(exhaust) && s->best != UINT64_MAX && g + ESTIMATE(x, y) >= s->best) {
            *at = record & ~open_bit;
            continue;
        }
        if (WEND__UNLIKELY(g > g_limit)) {
            widen(s);
            break;
        }
        if (WEND__UNLIKELY(id == s->goal_id)) { /* before its neighbours' pages are asked for: it needs none */
            *at = record & ~open_bit;
            used++;
            s->best = g;
            s->goal_bucket = open->current;
            if (exhaust) continue;
            finish(s);
            break;
        }
        uint32_t steps = header->steps[((uint32_t)record & header->arrivals) << 8 | header->masks[local]];
        const bool rim = (uint32_t)(column - 1) >= LAST - 1 || (uint32_t)(row - 1) >= ROWS - 2;
        if (WEND__UNLIKELY(rim) && !reach_pages(s, stock, page, column, row, ROWS, steps)) {
            wend__open_push_bucket(open, open->current, id);
            break;
        }
        *at = record & ~open_bit;
        used++;

/* Records compare like their g: with the low bits of the new one all set, it is below the old one just where its g is. */
#define RELAX(d, to_record, to_id, to_edge)                                                                            \
    do {                                                                                                               \
        const RECORD next = (RECORD)((record | low_bits) + ((RECORD)(to_edge) << 5));                                  \
        if (next < *(to_record)) {                                                                                     \
            *(to_record) = next ^ (15 ^ (d));                                                                          \
            uint64_t f = (uint64_t)(next >> 5) + ESTIMATE(x + step_x[d], y + step_y[d]);                               \
            if (GENERAL && f < s->floor_f) f = s->floor_f;                                                             \
            wend__open_push(open, f, to_id);                                                                           \
        }                                                                                                              \
    } while (0)
#define RELAX_INSIDE(d) RELAX(d, at + step_offset[d], id + (uint32_t)step_offset[d], edge[d])

        if (WEND__LIKELY(!rim && !header->slow)) {
            if (steps == 255) { /* open ground: no loop */
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
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                RELAX_INSIDE(d);
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
            RELAX(d, (RECORD *)wend__page_records(pool, to_page) + to, to_page << 12 | to, to_edge);
        }
#undef RELAX
#undef RELAX_INSIDE
    }
    return used;
}

#undef STEP
#undef RECORD
#undef ROW_SHIFT
#undef ESTIMATE
#undef GENERAL
