/* SPDX-License-Identifier: MIT */
/* Resumable A* on voxels, with the open list of grids and records one bit wider;
 * voxel_astar_loop.h has the expansion loop. A page holds a chunk's 4,096 narrow records, or
 * wide records of half a chunk. */
#include "search/voxel/voxel_astar.h"

#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/planes.h"
#include "search/general/general_astar.h"
#include "search/open/bucket_ring.h"
#include "search/open/bucket_queue.h"
#include "search/request/request.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "search/store/candidate.h"
#include "search/store/pages.h"
#include "search/voxel/voxel_runs.h"

#include <string.h>

/* The open bit of a record, above the direction by which its voxel was entered. */
enum { WEND__VOXEL_OPEN = 32 };
enum { LEAST_GAIN = 20 };                                     /* landmarks are used if the estimate rises by a 20th */
enum { MOST_WANTED = 3 };                                     /* greatest value of wants_pages */
static const uint64_t narrow_limit = (UINT64_C(1) << 26) - 2; /* largest g of a 4-byte record */

static bool serves_request(const wend__version *version, const wend__request *request) {
    const bool exact = request->heuristic == WEND_HEURISTIC_EXACT && request->weight_milli == 1000;
    return version->kind == WEND_KIND_VOXEL && !version->links && request->more_goal_count == 0 &&
           request->reach == 0 && request->occupied == WEND_OCCUPIED_IGNORE && request->profile == WEND_PROFILE_NONE &&
           !(request->flags & WEND__REQUEST_GOAL_MOVED) && (exact || request->heuristic == WEND_HEURISTIC_ZERO) &&
           wend__voxel_canonical_choose(&version->rules) >= 0 &&
           !wend__is_walker(wend__version_view(version, request->mover));
}

/* ---- beginning, and beginning again ---- */

/* Sets the costs, in units, and the factors of the estimate. */
static void set_costs(wend__search *s, const wend_map_rules *rules) {
    const bool six = rules->neighbours == 6;
    wend__voxel_costs *costs = &wend__voxel_of(s)->costs;
    uint32_t straight = (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal,
             across = (uint32_t)rules->cost_space;
    s->unit = six ? straight : wend__common_divisor(wend__common_divisor(straight, diagonal), across);
    straight /= s->unit, diagonal /= s->unit, across /= s->unit;
    if (six) diagonal = 2 * straight, across = 3 * straight;
    for (unsigned d = 0; d < WEND__SPACE_DIRECTIONS; d++)
        costs->edge[d] = d < WEND__SPACE_FLAT ? straight : d < WEND__SPACE_SPACE ? diagonal : across;
    const bool zero = s->heuristic == WEND_HEURISTIC_ZERO;
    costs->straight = zero ? 0 : straight;
    costs->second = zero ? 0 : diagonal - straight;
    costs->third = zero ? 0 : across - diagonal;
    s->largest_edge = (uint64_t)(six ? straight : across) * (s->view->max_factor ? s->view->max_factor : 1);
}

/* The narrowest buckets with which the ring covers the largest rise of f in one step: the
 * dearest edge, and the growth of the estimate. */
static uint32_t bucket_shift(const wend__search *s) {
    const wend__voxel_costs *costs = &wend__voxel_of(s)->costs;
    uint64_t growth = (uint64_t)costs->straight + costs->second + costs->third;
    if (wend__voxel_of(s)->landmark_bounds.landmarks && growth < s->largest_edge) growth = s->largest_edge;
    const uint64_t rise = s->largest_edge + growth;
    uint32_t shift = 0;
    while ((rise >> shift) + 2 >= WEND__BUCKETS) shift++;
    wend__voxel_of(s)->shortest_run = (uint32_t)((((uint64_t)WEND__BUCKETS - 2) << shift) / (rise ? rise : 1));
    return shift;
}

static void reset_search(wend__search *s) {
    s->part_shift = s->wide ? 11 : 12;
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, bucket_shift(s));
    s->begun = false;
    s->best = UINT64_MAX;
    s->exhaust = s->open.shift > 0;
}

WEND__INLINE uint64_t estimate_offset(const wend__voxel_costs *costs, int32_t x, int32_t y, int32_t z) {
    const uint32_t a = (uint32_t)(x < 0 ? -x : x), b = (uint32_t)(y < 0 ? -y : y), c = (uint32_t)(z < 0 ? -z : z);
    const uint32_t more = a > b ? a : b, less = a > b ? b : a;
    const uint32_t most = more > c ? more : c, least = less < c ? less : c;
    return (uint64_t)costs->straight * most + (uint64_t)costs->second * (a + b + c - most - least) +
           (uint64_t)costs->third * least;
}

/* Returns the estimate, by landmarks, too; `plain` without them. */
WEND__INLINE uint64_t led_estimate(const wend__landmark_bounds *landmark_bounds, int32_t layer_rows, uint64_t plain,
                                   wend_cell cell) {
    const uint64_t known = wend__landmark_bound_at(landmark_bounds, wend__place_in(WEND_KIND_VOXEL, layer_rows, cell));
    return known > plain ? known : plain;
}

static uint64_t estimate_at(const wend__search *s, wend_cell cell) {
    const wend__voxel_astar_search *voxel = wend__voxel_of(s);
    const uint64_t plain = estimate_offset(&voxel->costs, cell.x - s->goal.x, cell.y - s->goal.y, cell.z - s->goal.z);
    return voxel->landmark_bounds.landmarks ? led_estimate(&voxel->landmark_bounds, voxel->layer_rows, plain, cell)
                                            : plain;
}

/* Looking landmarks up takes about a third of an expansion. They are not used if they raise the start's bound hardly
 * above the estimate by its place. */
static void init_landmark_bounds(wend__search *s) {
    wend__voxel_astar_search *voxel = wend__voxel_of(s);
    const wend__landmark_goals goal = {&s->goal, 1, 0};
    voxel->landmark_bounds.landmarks = NULL;
    if (s->heuristic == WEND_HEURISTIC_ZERO) return;
    const uint64_t plain = estimate_at(s, s->start);
    const uint64_t known = wend__landmark_bounds_init(&voxel->landmark_bounds, s->view, s->start, &goal, s->unit);
    if (known < plain + plain / LEAST_GAIN) voxel->landmark_bounds.landmarks = NULL;
}

static void describe_page(wend__search *s, uint32_t page);

static void begin_search(wend__search *s, const wend__request *request) {
    s->describe_page = describe_page;
    const wend_map_rules *rules = &s->version->rules;
    const wend__voxel_canonical *ways = wend__voxel_canonical_of(wend__voxel_canonical_choose(rules));
    s->heuristic = request->heuristic;
    s->weight_milli = 1000;
    s->price = s->heuristic == WEND_HEURISTIC_ZERO ? 2 : 3; /* the estimates of its many successors take a third */
    set_costs(s, rules);
    wend__voxel_of(s)->layer_rows = s->view->chunk_y;
    wend__voxel_of(s)->legal = rules->neighbours == 26 && rules->corners == WEND_CORNERS_ONE ? NULL : ways;
    init_landmark_bounds(s);
    wend__voxel_of(s)->canonical = wend__voxel_canonical_holds(rules) ? ways : NULL;
    wend__voxel_of(s)->lines = 0;
    for (uint32_t d = 0; d < WEND__SPACE_FLAT; d++)
        if (ways->kept[d][0][7] == UINT32_C(1) << d) wend__voxel_of(s)->lines |= UINT32_C(1) << d;
    wend__voxel_of(s)->far_runs = wend__voxel_of(s)->canonical && s->heuristic != WEND_HEURISTIC_ZERO &&
                                  s->view->max_factor == 1 && s->view->closed_steps == 0;
    s->wide = estimate_at(s, s->start) + s->largest_edge > narrow_limit;
    reset_search(s);
}

/* Costs exceed 26 bits: begin again with 8-byte records, in the pages that the search holds. The
 * expansions spent still count. */
static void widen_records(wend__search *s) {
    WEND__ASSERT(!s->wide);
    s->wide = true;
    reset_search(s);
}

/* ---- pages ---- */

/* Returns whether all voxels of a chunk and of the chunks around it cost 1, without closed steps. Then
 * canonical successors are valid for all voxels of the chunk. `open`: whether all these voxels are open. */
static bool is_even(const wend__version *v, int32_t column, int32_t row, int32_t layer, bool *open) {
    *open = true;
    const int32_t layers = v->chunk_rows / v->chunk_y, in_layer = row - layer * v->chunk_y;
    for (int32_t i = 0; i < 27; i++) {
        const int32_t x = column + i % 3 - 1, y = in_layer + i / 3 % 3 - 1, z = layer + i / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= v->chunk_columns || y >= v->chunk_y || z >= layers) {
            *open = false;
            continue;
        }
        const wend__chunk *chunk = wend__version_chunk(v, x, z * v->chunk_y + y);
        if (chunk->max_factor > 1 || chunk->closed_near) return false;
        if (chunk->open != &wend__voxels_open) *open = false;
    }
    return true;
}

static void describe_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const wend__place goal = wend__place_of(s->view, s->goal);
    header->open = header->chunk->open;
    header->dear = header->chunk->max_factor > 1;
    bool open = false;
    header->ways = wend__voxel_of(s)->canonical && is_even(s->view, header->column, header->row, header->layer, &open)
                       ? wend__voxel_of(s)->canonical
                       : NULL;
    header->amid_air = header->ways && open;
    if (header->column == goal.column && header->row == goal.row && header->part == goal.local >> s->part_shift)
        s->goal_id = page << 12 | (goal.local & ((1u << s->part_shift) - 1));
}

WEND__INLINE wend_cell cell_at(const wend__search *s, const wend__page *header, uint32_t local) {
    const int32_t row = header->row - header->layer * s->view->chunk_y, z = (int32_t)(local >> 8);
    return (wend_cell){header->column << 4 | (int32_t)(local & 15), row << 4 | (int32_t)(local >> 4 & 15),
                       header->layer << 4 | (z + (int32_t)(header->part << (s->part_shift - 8)))};
}

/* Returns the page beyond the sides of a page that `across` names (bit 0: x, 1: y, 2: z), new if
 * necessary; WEND__NONE if the stock is empty. Six of the page's links store pages beyond one
 * side, two are shared by all others. */
static uint32_t page_across(wend__search *s, wend__stock *stock, uint32_t page, uint32_t across,
                            const int32_t sides[3]) {
    wend__page *const pages = s->pool->pages, *const header = &pages[page];
    const bool one = (across & (across - 1)) == 0;
    const uint32_t slot = one ? (across & 6u) | (sides[across >> 1] > 0) : 6 | (across & 1);
    uint32_t other = header->links[slot];
    if (one && other != WEND__NONE) return other;
    const uint32_t halves = 12 - s->part_shift;
    const int32_t in_layer = header->row - header->layer * s->view->chunk_y + (across & 2 ? sides[1] : 0);
    const int32_t part = (header->layer << halves | (int32_t)header->part) + (across & 4 ? sides[2] : 0);
    const wend__place place = {header->column + (across & 1 ? sides[0] : 0),
                               (part >> halves) * s->view->chunk_y + in_layer,
                               ((uint32_t)part & halves) << s->part_shift};
    if (other != WEND__NONE && wend__pages_is_part(s, other, place)) return other;
    other = wend__pages_get_part(s, stock, WEND__NONE, place);
    header->links[slot] = other;
    return other;
}

/* The directions that lead down and up along each axis. */
#define BITS(a, b, c, d, e, f, g, h, i)                                                                                \
    (1u << (a) | 1u << (b) | 1u << (c) | 1u << (d) | 1u << (e) | 1u << (f) | 1u << (g) | 1u << (h) | 1u << (i))
static const uint32_t towards[3][2] = {
    {BITS(3, 7, 10, 12, 15, 18, 20, 22, 24), BITS(1, 8, 11, 13, 16, 19, 21, 23, 25)},
    {BITS(0, 6, 10, 11, 14, 18, 19, 22, 23), BITS(2, 9, 12, 13, 17, 20, 21, 24, 25)},
    {BITS(5, 6, 7, 8, 9, 18, 19, 20, 21), BITS(4, 14, 15, 16, 17, 22, 23, 24, 25)},
};

/* The side of its page at which a place lies: -1, 0 (inside) or 1. */
WEND__INLINE int32_t side_of(uint32_t at, uint32_t last) {
    return at == 0 ? -1 : at == last;
}

/* Takes the pages that the steps of a voxel at a page's sides lead to, before it is expanded;
 * `pages` by the sides that they are across. Results do not depend on when a page is taken, so
 * it takes all that it can get. */
static bool reach_pages(wend__search *s, wend__stock *stock, uint32_t page, uint32_t local, uint32_t layers,
                        uint32_t steps, uint32_t pages[8]) {
    const int32_t sides[3] = {side_of(local & 15, 15), side_of(local >> 4 & 15, 15), side_of(local >> 8, layers - 1)};
    uint32_t out[3], missing = 0, all = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        out[axis] = sides[axis] == 0 ? 0 : towards[axis][sides[axis] > 0];
        all |= (sides[axis] != 0 ? 1u : 0) << axis;
    }
    pages[0] = page;
    for (uint32_t across = all; across != 0; across = (across - 1) & all) {
        uint32_t leading = steps;
        for (unsigned axis = 0; axis < 3; axis++) leading &= across >> axis & 1 ? out[axis] : ~out[axis];
        if (leading == 0) continue;
        pages[across] = page_across(s, stock, page, across, sides);
        missing += pages[across] == WEND__NONE;
    }
    if (missing > 0) wend__pages_starve(s, missing < MOST_WANTED ? missing : MOST_WANTED, 0);
    return missing == 0;
}

/* ---- steps ---- */

/* The open bits of the chunks around a voxel at its chunk's sides, by the sides that they are
 * across. */
static void bits_around(const wend__search *s, const wend__page *header, const int32_t sides[3],
                        const wend__bits *around[8]) {
    const wend__version *v = s->view;
    const int32_t layers = v->chunk_rows / v->chunk_y;
    const uint32_t all = (uint32_t)((sides[0] != 0) | (sides[1] != 0) << 1 | (sides[2] != 0) << 2);
    around[0] = header->open;
    for (uint32_t across = all; across != 0; across = (across - 1) & all) {
        const int32_t x = header->column + (across & 1 ? sides[0] : 0);
        const int32_t y = header->row - header->layer * v->chunk_y + (across & 2 ? sides[1] : 0);
        const int32_t z = header->layer + (across & 4 ? sides[2] : 0);
        const bool on_map = (uint32_t)x < (uint32_t)v->chunk_columns && (uint32_t)y < (uint32_t)v->chunk_y &&
                            (uint32_t)z < (uint32_t)layers;
        around[across] = on_map ? wend__version_chunk(v, x, z * v->chunk_y + y)->open : &wend__voxels_blocked;
    }
}

/* wend__voxel_near() for a voxel at its chunk's sides. */
static uint32_t near_side(const wend__search *s, const wend__page *header, uint32_t local) {
    const uint32_t x = local & 15;
    const int32_t y = (int32_t)(local >> 4 & 15), z = (int32_t)(local >> 8);
    const int32_t sides[3] = {side_of(x, 15), side_of(local >> 4 & 15, 15), side_of(local >> 8, 15)};
    const wend__bits *around[8];
    uint32_t near = 0;
    bits_around(s, header, sides, around);
    for (int32_t i = 0; i < 9; i++) {
        const int32_t to_y = y + i % 3 - 1, to_z = z + i / 3 - 1;
        const wend__bits *const *both = &around[(to_y >> 4 & 1) << 1 | (to_z >> 4 & 1) << 2];
        const uint32_t word = (uint32_t)((to_z & 15) << 2 | (to_y & 15) >> 2), shift = (uint32_t)(to_y & 3) << 4;
        uint32_t cells = (uint32_t)(both[0]->rows[word] >> shift & 0xFFFF) << 1;
        if (x == 0) cells |= (uint32_t)(both[1]->rows[word] >> (shift + 15) & 1);
        if (x == 15) cells |= (uint32_t)(both[1]->rows[word] >> shift & 1) << 17;
        near |= (cells >> x & 7) << 3 * i;
    }
    return near;
}

/* The steps worth taking out of any voxel. */
static uint32_t steps_at(const wend__search *s, const wend__page *header, uint32_t local, wend_cell cell,
                         uint32_t arrival) {
    if (header->chunk->closed_near || (s->view->closed_steps > 0 && !header->ways))
        return wend__voxel_steps(s->view, cell);
    const bool inside = wend__voxel_inside(local);
    const uint32_t near = inside ? wend__voxel_near_inside(header->open, local) : near_side(s, header, local);
    return wend__voxel_worth(s, header, near, arrival);
}

/* ---- the search ---- */

static void measure_path(wend__search *s);

/* Closed steps made a goal unreachable: voxels that runs passed over have no records, so the general search finds the
 * nearest cell. */
static void finish_search(wend__search *s) {
    s->outgrown = s->best == UINT64_MAX && s->request.mode == WEND_MODE_NEAREST;
    if (s->outgrown) return;
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status == WEND_STATUS_FOUND) measure_path(s);
}

/* The offset from a voxel to its neighbour on the same page. */
static const int32_t step_offset[WEND__SPACE_DIRECTIONS] = {
    -16, 1,   16,  -1,  256, -256, -272, -257, -255, -240, -17, -15, 15,
    17,  240, 255, 257, 272, -273, -271, -241, -239, 239,  241, 271, 273,
};

#define STEP step_narrow
#define RECORD uint32_t
#define LAYER_SHIFT 4
#define LED 0
#include "search/voxel/voxel_astar_loop.h"

#define STEP step_wide
#define RECORD uint64_t
#define LAYER_SHIFT 3
#define LED 0
#include "search/voxel/voxel_astar_loop.h"

#define STEP step_led_narrow
#define RECORD uint32_t
#define LAYER_SHIFT 4
#define LED 1
#include "search/voxel/voxel_astar_loop.h"

#define STEP step_led_wide
#define RECORD uint64_t
#define LAYER_SHIFT 3
#define LED 1
#include "search/voxel/voxel_astar_loop.h"

static void *record_of(const wend__search *s, uint32_t page, uint32_t local) {
    return (uint8_t *)wend__page_records(s->pool, page) +
           (size_t)local * (s->wide ? sizeof(uint64_t) : sizeof(uint32_t));
}

/* Pushes the start. Returns false if the stock is empty. */
static bool push_start(wend__search *s, wend__stock *stock) {
    const wend__place place = wend__place_of(s->view, s->start);
    const uint32_t page = wend__pages_get_part(s, stock, WEND__NONE, place);
    if (page == WEND__NONE) {
        wend__pages_starve(s, 1, 0);
        return false;
    }
    if (!wend__pages_spare(s, stock)) {
        wend__pages_starve(s, 0, 1);
        return false;
    }
    const uint32_t local = place.local & ((1u << s->part_shift) - 1),
                   record = WEND__VOXEL_OPEN | WEND__SPACE_DIRECTIONS;
    if (s->wide)
        *(uint64_t *)record_of(s, page, local) = record;
    else
        *(uint32_t *)record_of(s, page, local) = record;
    const uint64_t f = estimate_at(s, s->start);
    s->open.current = (uint32_t)(f >> s->open.shift) & (WEND__BUCKETS - 1);
    wend__open_push(&s->open, f, page << 12 | local);
    s->begun = true;
    return true;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    if (!s->begun && !push_start(s, stock)) return 0;
    if (wend__voxel_of(s)->landmark_bounds.landmarks)
        return s->wide ? step_led_wide(s, stock, budget) : step_led_narrow(s, stock, budget);
    return s->wide ? step_wide(s, stock, budget) : step_narrow(s, stock, budget);
}

/* Returns whether popping a node would count as an expansion, or begin the search again. */
static bool is_live(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const uint32_t page = id >> 12, local = id & 4095;
    const void *at = record_of(s, page, local);
    const uint64_t record = s->wide ? *(const uint64_t *)at : *(const uint32_t *)at;
    if (!(record & WEND__VOXEL_OPEN)) return false;
    if (s->best == UINT64_MAX) return true;
    return (record >> 6) + estimate_at(s, cell_at(s, &s->pool->pages[page], local)) < s->best;
}

/* After the goal is found the search only empties the goal's bucket. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    (void)stock;
    if (!s->begun) return;
    const bool more = s->best == UINT64_MAX ? wend__open_any(&s->open, s, is_live)
                                            : wend__open_any_in(&s->open, s->open.current, s, is_live);
    if (!more) finish_search(s);
}

static uint64_t read_record(const wend__search *s, uint32_t page, uint32_t local) {
    const void *at = record_of(s, page, local);
    return s->wide ? *(const uint64_t *)at : *(const uint32_t *)at;
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    uint32_t page = s->pages.first;
    const uint32_t records = 1u << s->part_shift;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next) {
        const wend__page *header = &s->pool->pages[page];
        if (wend__cell_list_skips(list, (wend_box){cell_at(s, header, 0), cell_at(s, header, records - 1)})) continue;
        for (uint32_t local = 0; local < records; local++)
            if (!(read_record(s, page, local) & WEND__VOXEL_OPEN)) /* open, or not reached: then all bits are set */
                wend__cell_list_add(list, cell_at(s, header, local));
    }
}

/* Puts the closed voxel nearest to the goals in the goal's place, as the search is cut short. */
static bool take_nearest(wend__search *s) {
    if (!s->begun) return false;
    if (s->best == UINT64_MAX) {
        s->goal = wend__nearest_closed(s);
        const wend__place place = wend__place_of(s->view, s->goal);
        s->best = read_record(s, wend__pages_find_part(s, place), place.local & ((1u << s->part_shift) - 1)) >> 6;
    }
    measure_path(s);
    return true;
}

/* ---- the path ---- */

/* The position of a walk back from the goal, and the page of its record. */
typedef struct voxel_walk {
    const wend__search *search;
    wend_cell at;
    uint32_t page;
    unsigned direction; ///< by which it entered the voxel
    bool runs;          ///< perhaps by a run: only pages of even ground have any
    uint64_t g;         ///< with `runs`: g of the previous voxel
} voxel_walk;

static wend__place place_of(const wend__search *s, wend_cell cell) {
    return wend__place_in(WEND_KIND_VOXEL, wend__voxel_of(s)->layer_rows, cell);
}

static voxel_walk voxel_walk_from_goal(const wend__search *s) {
    return (voxel_walk){.search = s, .at = s->goal, .page = WEND__NONE};
}

/* Returns its record; without a page, an unreached one. */
static uint64_t voxel_walk_record(voxel_walk *t) {
    const wend__search *s = t->search;
    const wend__place place = place_of(s, t->at);
    if (t->page == WEND__NONE || !wend__pages_is_part(s, t->page, place)) t->page = wend__pages_find_part(s, place);
    if (t->page == WEND__NONE) return UINT64_MAX;
    const void *record = record_of(s, t->page, place.local & ((1u << s->part_shift) - 1));
    return s->wide ? *(const uint64_t *)record : *(const uint32_t *)record;
}

/* The direction by which the path entered the voxel; WEND__SPACE_DIRECTIONS: it is the start. A voxel that a run passed
 * over has no record, or one of a dearer path: the run goes on there. Where the tables of a baked map are wrong, the
 * voxel where it began may have become cheaper since. */
static unsigned voxel_walk_direction(voxel_walk *t) {
    const uint64_t record = voxel_walk_record(t);
    if (!t->runs || record >> 6 <= t->g) {
        t->direction = (unsigned)record & (WEND__VOXEL_OPEN - 1);
        t->runs = t->direction < WEND__SPACE_FLAT && t->search->pool->pages[t->page].ways;
        t->g = record >> 6;
    }
    t->g -= t->runs ? wend__voxel_of(t->search)->costs.edge[t->direction] : 0;
    return t->direction;
}

static void voxel_walk_back(voxel_walk *t, unsigned direction) {
    t->at.x -= wend__sx[direction];
    t->at.y -= wend__sy[direction];
    t->at.z -= wend__sz[direction];
}

static void measure_path(wend__search *s) {
    voxel_walk t = voxel_walk_from_goal(s);
    s->steps = 0;
    for (unsigned d; (d = voxel_walk_direction(&t)) < WEND__SPACE_DIRECTIONS; s->steps++) voxel_walk_back(&t, d);
    s->cost = s->best * s->unit;
}

static void read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    if (s->steps == 0 && count > 0) *out = s->start; /* also if no search was needed */
    if (s->steps == 0) return;
    voxel_walk t = voxel_walk_from_goal(s);
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = t.at;
        if (i == 0) break;
        voxel_walk_back(&t, voxel_walk_direction(&t));
    }
}

/* ---- its row ---- */

static bool is_open(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const void *at = record_of(s, id >> 12, id & 4095);
    return (s->wide ? *(const uint64_t *)at : *(const uint32_t *)at) & WEND__VOXEL_OPEN;
}

static void flip_open(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    void *at = record_of(s, id >> 12, id & 4095);
    if (s->wide)
        *(uint64_t *)at ^= WEND__VOXEL_OPEN;
    else
        *(uint32_t *)at ^= WEND__VOXEL_OPEN;
}

static bool compact_open(wend__search *s) {
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, NULL) >= WEND__SPACE_DIRECTIONS;
}

/* ---- a prefix of a path ---- */

static bool read_candidate(const wend__search *s, uint32_t id, wend__candidate *out) {
    const void *at = record_of(s, id >> 12, id & 4095);
    const uint64_t record = s->wide ? *(const uint64_t *)at : *(const uint32_t *)at;
    if (!(record & WEND__VOXEL_OPEN) && id != s->goal_id) return false;
    const wend_cell cell = cell_at(s, &s->pool->pages[id >> 12], id & 4095);
    *out = (wend__candidate){cell, id, (record >> 6) * s->unit, estimate_at(s, cell) * s->unit};
    return true;
}

static void offer_candidates(wend__search *s, wend__candidate_best *best) {
    best->read = read_candidate;
    wend__candidate_offer_list(best);
    wend__candidate goal;
    if (s->best != UINT64_MAX && read_candidate(s, s->goal_id, &goal)) wend__candidate_offer(best, &goal);
}

/* A run leads back at once to the voxel where it began, which may have become cheaper since. The voxels that the run
 * passed over have no record, or one of a more expensive path. */
static int go_back(const wend__search *s, wend__candidate *at) {
    voxel_walk t = {.search = s, .at = at->cell, .page = WEND__NONE};
    const unsigned d = voxel_walk_direction(&t);
    if (d >= WEND__SPACE_DIRECTIONS) return WEND__HOP_NONE;
    do {
        voxel_walk_back(&t, d);
        if (!t.runs || voxel_walk_record(&t) >> 6 <= t.g) break;
        t.g -= wend__voxel_of(s)->costs.edge[d];
    } while (true);
    at->cell = t.at;
    return WEND__HOP_JUMP;
}

const wend__engine wend__voxel_astar = {
    .name = WEND_ENGINE_ASTAR,
    .work = WEND_WORK_VOXEL_ASTAR,
    .wider = &wend__general_astar,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = compact_open,
    .cells = read_cells,
    .expanded = list_expanded,
    .take_nearest = take_nearest,
    .candidates = offer_candidates,
    .back = go_back,
};
