/* SPDX-License-Identifier: MIT */
/* Internal: the expansion loop on voxels, included once for each width of record; compare with
 * grid_astar_loop.h.
 *
 *   STEP         name of the function
 *   RECORD       uint32_t or uint64_t: g << 6 | open << 5 | direction it was entered by
 *   LAYER_SHIFT  layers of a page: 4 or 3
 *   LED          1: the search has bearings
 *
 * Successors are generated in the order of directions. The open list pops the newest entry
 * first, so that fixes all ties. A closed node that becomes cheaper is opened again; this occurs
 * only where buckets hold several values of f. */

static uint64_t STEP(wend__search *s, wend__stock *stock, const uint64_t budget) {
    enum { LAYERS = 1 << LAYER_SHIFT };
    const RECORD open_bit = WEND__VOXEL_OPEN, low_bits = 2 * WEND__VOXEL_OPEN - 1;
    wend__pool *const pool = s->pool;
    wend__open *const open = &s->open;
    const uint64_t g_limit = (((RECORD) ~(RECORD)0) >> 6) - 1 - s->largest_edge;
    const bool exhaust = s->exhaust;
    const wend__voxel_costs costs = wend__voxel_of(s)->costs;
    bool found = s->best != UINT64_MAX; /* the goal is found, and its bucket is being emptied */
    uint64_t used = 0;
    wend__ring ring = wend__ring_load(open);
    const wend__bearings bearings = wend__voxel_of(s)->bearings;
    const int32_t layer_rows = wend__voxel_of(s)->layer_rows;
    const wend_cell goal = s->goal;
    (void)bearings, (void)layer_rows, (void)goal;

/* The estimate from a voxel, as seen from the goal. */
#define PLAIN(a, b, c) estimate_offset(&costs, a, b, c)
#define CELL(a, b, c) ((wend_cell){(a) + goal.x, (b) + goal.y, (c) + goal.z})
#define ESTIMATE(a, b, c)                                                                                              \
    (LED ? led_estimate(&bearings, layer_rows, PLAIN(a, b, c), CELL(a, b, c)) : PLAIN(a, b, c))

    while (used < budget) {
        if (!wend__pages_spare_ring(s, stock, &ring, WEND__SPACE_DIRECTIONS)) {
            wend__pages_starve(s, 0, 1);
            break;
        }
        if (ring.head == 0 && (!wend__ring_advance(&ring, open) || found)) {
            finish_search(s);
            break;
        }
        const uint32_t id = wend__ring_pop(&ring), page = id >> 12, local = id & 4095;
        RECORD *const at = (RECORD *)wend__page_records(pool, page) + local;
        const RECORD record = *at;
        if (!(record & open_bit)) continue; /* closed since it was pushed */
        const wend__page *const header = &pool->pages[page];
        const uint64_t g = record >> 6;
        const wend_cell cell = cell_at(s, header, local);
        const int32_t x = cell.x - s->goal.x, y = cell.y - s->goal.y, z = cell.z - s->goal.z;
        if (WEND__UNLIKELY(found) && g + ESTIMATE(x, y, z) >= s->best) {
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
        const uint32_t in_chunk = LAYER_SHIFT == 4 ? local : local | (uint32_t)header->part << 11;
        const bool inside = wend__voxel_inside(in_chunk) && (LAYER_SHIFT == 4 || ((local >> 8) - 1u) < LAYERS - 2);
        uint32_t pages[8], steps;
        if (WEND__LIKELY(inside && !header->chunk->closed_near)) {
            const uint32_t near = wend__voxel_near_inside(header->open, in_chunk);
            steps = worth_taking(s, header, near, (uint32_t)record & 31);
        } else {
            steps = steps_at(s, header, in_chunk, cell, (uint32_t)record & 31);
            if (!inside && !reach_pages(s, stock, page, local, LAYERS, steps, pages)) {
                wend__ring_push_here(&ring, id);
                break;
            }
        }
        *at = record & ~open_bit;
        used++;

/* Records compare like their g: the low bits of the new record are all set, so it is below the
 * old one exactly where its g is. */
#define RELAX(d, to_record, to_id, to_edge)                                                                            \
    do {                                                                                                               \
        const RECORD next = (RECORD)((record | low_bits) + ((RECORD)(to_edge) << 6));                                  \
        if (next < *(to_record)) {                                                                                     \
            *(to_record) = next ^ (31 ^ (d));                                                                          \
            const int32_t next_x = x + wend__sx[d], next_y = y + wend__sy[d], next_z = z + wend__sz[d];                \
            const uint64_t left = ESTIMATE(next_x, next_y, next_z);                                                    \
            const uint64_t f = (uint64_t)(next >> 6) + left;                                                           \
            wend__ring_push(&ring, open, (uint32_t)(f >> open->shift) & (WEND__BUCKETS - 1), to_id);                   \
        }                                                                                                              \
    } while (0)

        if (WEND__LIKELY(inside && !header->dear)) {
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                RELAX(d, at + step_offset[d], id + (uint32_t)step_offset[d], costs.edge[d]);
            }
            continue;
        }
        const int32_t column = local & 15, row = local >> 4 & 15, layer = (int32_t)(local >> 8);
        pages[0] = page;
        for (; steps; steps &= steps - 1) {
            const uint32_t d = wend__ctz32(steps);
            const int32_t to_x = column + wend__sx[d], to_y = row + wend__sy[d], to_z = layer + wend__sz[d];
            const uint32_t across = (uint32_t)((to_x >> 4 & 1) | (to_y >> 4 & 1) << 1 | (to_z >> LAYER_SHIFT & 1) << 2);
            const uint32_t to_page = pages[across];
            const uint32_t to = (uint32_t)((to_z & (LAYERS - 1)) << 8 | (to_y & 15) << 4 | (to_x & 15));
            const wend__page *const to_header = &pool->pages[to_page];
            uint64_t to_edge = costs.edge[d];
            if (WEND__UNLIKELY(to_header->dear)) {
                const uint32_t place = LAYER_SHIFT == 4 ? to : to | (uint32_t)to_header->part << 11;
                to_edge *= s->view->rules.factors[wend__chunk_class(to_header->chunk, place)];
            }
            RELAX(d, (RECORD *)wend__page_records(pool, to_page) + to, to_page << 12 | to, to_edge);
        }
#undef RELAX
    }
#undef ESTIMATE
#undef CELL
#undef PLAIN
    wend__ring_save(&ring, open);
    return used;
}

#undef STEP
#undef RECORD
#undef LAYER_SHIFT
#undef LED
