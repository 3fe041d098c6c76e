/* SPDX-License-Identifier: MIT */
/* Internal: the expansion loop on voxels, included once for each width of record; compare with
 * grid_astar_loop.h.
 *
 *   STEP         name of the function
 *   RECORD       uint32_t or uint64_t: g << 6 | open << 5 | direction it was entered by
 *   LAYER_SHIFT  layers of a page: 4 or 3
 *   LED          1: the search has landmark bounds
 *
 * Successors are generated in the order of directions. The open list pops the newest entry
 * first, so that fixes all ties. A closed node that becomes cheaper is opened again; this occurs
 * only where buckets hold several values of f. */

/* Tried: runs of straight steps over all chunks. They leave voxels without records, which ways of higher cost then
 * enter: 18,100 µs a query on the third map, in open chunks only 6,500. */

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
    const wend__landmark_bounds landmark_bounds = wend__voxel_of(s)->landmark_bounds;
    const int32_t layer_rows = wend__voxel_of(s)->layer_rows;
    const wend_cell goal = s->goal;
    const uint32_t lines = wend__voxel_of(s)->lines, shortest_run = wend__voxel_of(s)->shortest_run;
    const bool far_runs = wend__voxel_of(s)->far_runs;
    const uint64_t most_rise = ((uint64_t)WEND__BUCKETS - 2) << open->shift;
    (void)landmark_bounds, (void)layer_rows, (void)goal;

/* The estimate from a voxel, as seen from the goal. */
#define PLAIN(a, b, c) estimate_offset(&costs, a, b, c)
#define STEPS_ON(from, d, n)                                                                                           \
    ((wend_cell){(from).x + (n)*wend__sx[d], (from).y + (n)*wend__sy[d], (from).z + (n)*wend__sz[d]})
#define CELL(a, b, c) ((wend_cell){(a) + goal.x, (b) + goal.y, (c) + goal.z})
#define ESTIMATE(a, b, c)                                                                                              \
    (LED ? led_estimate(&landmark_bounds, layer_rows, PLAIN(a, b, c), CELL(a, b, c)) : PLAIN(a, b, c))

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
            steps = wend__voxel_worth(s, header, near, (uint32_t)record & 31);
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
 * old one exactly where its g is. A run's end is `n` steps ahead. */
#define RELAX(d, n, to_record, to_id, to_cost)                                                                         \
    do {                                                                                                               \
        const RECORD next = (RECORD)((record | low_bits) + ((RECORD)(to_cost) << 6));                                  \
        if (next < *(to_record)) {                                                                                     \
            *(to_record) = next ^ (31 ^ (d));                                                                          \
            const int32_t next_x = x + (n)*wend__sx[d], next_y = y + (n)*wend__sy[d], next_z = z + (n)*wend__sz[d];    \
            const uint64_t left = ESTIMATE(next_x, next_y, next_z);                                                    \
            const uint64_t f = (uint64_t)(next >> 6) + left;                                                           \
            wend__ring_push(&ring, open, (uint32_t)(f >> open->shift) & (WEND__BUCKETS - 1), to_id);                   \
        }                                                                                                              \
    } while (0)

/* The rise of f along a run must fit in the ring, and its g in the records. */
#define TOO_STEEP(d, n)                                                                                                \
    (g + (uint64_t)(n)*costs.edge[d] > g_limit ||                                                                      \
     ((uint32_t)(n) > shortest_run &&                                                                                  \
      (uint64_t)(n)*costs.edge[d] + ESTIMATE(x + (n)*wend__sx[d], y + (n)*wend__sy[d], z + (n)*wend__sz[d]) >=         \
          ESTIMATE(x, y, z) + most_rise))

        if (WEND__LIKELY(inside && !header->dear && header->open != &wend__voxels_open)) {
            for (; steps; steps &= steps - 1) {
                const uint32_t d = wend__ctz32(steps);
                RELAX(d, 1, at + step_offset[d], id + (uint32_t)step_offset[d], costs.edge[d]);
            }
            continue;
        }
        const int32_t column = local & 15, row = local >> 4 & 15, layer = (int32_t)(local >> 8);
        pages[0] = page;
        for (; steps; steps &= steps - 1) {
            const uint32_t d = wend__ctz32(steps);
            const int32_t to_x = column + wend__sx[d], to_y = row + wend__sy[d], to_z = layer + wend__sz[d];
            const uint32_t across = (uint32_t)((to_x >> 4 & 1) | (to_y >> 4 & 1) << 1 | (to_z >> LAYER_SHIFT & 1) << 2);
            uint32_t to_page = pages[across];
            uint32_t to = (uint32_t)((to_z & (LAYERS - 1)) << 8 | (to_y & 15) << 4 | (to_x & 15));
            const wend__page *const to_header = &pool->pages[to_page];
            uint64_t cost = costs.edge[d];
            int32_t n = 1;
            if (WEND__UNLIKELY(to_header->dear)) {
                const uint32_t place = LAYER_SHIFT == 4 ? to : to | (uint32_t)to_header->part << 11;
                cost *= s->view->rules.factors[wend__chunk_class(to_header->chunk, place)];
            } else if (lines >> d & 1 && to_header->open == &wend__voxels_open) {
                const uint32_t run = wend__voxel_run(s, to_header, to_page, to, d, LAYERS);
                n += (int32_t)run;
                const int32_t level = far_runs ? wend__voxel_level_steps(x, y, z, d) : 0;
                const uint32_t far =
                    level > n ? wend__voxel_far_run(s, STEPS_ON(cell, d, 1), d, (uint32_t)level - 1) : 0;
                if (far > run && !TOO_STEEP(d, (int32_t)far + 1)) {
                    n = (int32_t)far + 1;
                    const wend__place end = wend__place_in(WEND_KIND_VOXEL, layer_rows, STEPS_ON(cell, d, n));
                    to_page = wend__pages_get_part(s, stock, WEND__NONE, end);
                    to = end.local & ((LAYERS << 8) - 1);
                    if (WEND__UNLIKELY(to_page == WEND__NONE)) break;
                } else {
                    if (n > 1 && TOO_STEEP(d, n)) n = n > (int32_t)shortest_run ? (int32_t)shortest_run : 1;
                    to += (uint32_t)((n - 1) * step_offset[d]);
                }
                cost *= (uint32_t)n;
            }
            RELAX(d, n, (RECORD *)wend__page_records(pool, to_page) + to, to_page << 12 | to, cost);
        }
        if (WEND__UNLIKELY(steps != 0)) { /* a run's end has no page: begin the voxel again, which changes nothing */
            *at = record;
            used--;
            wend__pages_starve(s, 1, 0);
            wend__ring_push_here(&ring, id);
            break;
        }
    }
#undef TOO_STEEP
#undef RELAX
#undef ESTIMATE
#undef CELL
#undef STEPS_ON
#undef PLAIN
    wend__ring_save(&ring, open);
    return used;
}

#undef STEP
#undef RECORD
#undef LAYER_SHIFT
#undef LED
