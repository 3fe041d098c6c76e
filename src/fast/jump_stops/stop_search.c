/* SPDX-License-Identifier: MIT */
/* Jump search with stops: the loop, its beginning and its end. stop_scan.h generates successors. */

/* Tried: this search for all requests, without the plain one: 1.17 to 1.29 times its instructions, as a node takes 12
 * bytes, not 8, and each chunk is asked for marks and goals. */
#include "fast/jump_stops/stop_search.h"
#include "map/movers/views.h"
#include "search/general/general_astar.h"
#include "search/request/request.h"
#include "fast/jump/grid_jump_choice.h"
#include "fast/jump_stops/stop_scan.h"
#include <string.h>
#include "fast/jump_stops/stop_goals.h"

/* ---- goals: as boxes, and as bits by rows and columns of chunks ---- */

/* Returns the bits of a chunk's rows (or columns) from `low` to `high`, in cells of the map. */
static uint64_t bits_between(int32_t low, int32_t high, int32_t chunk) {
    const int32_t first = wend__most(low - (chunk << 6), 0), last = wend__least(high - (chunk << 6), 63);
    return wend__low_bits((unsigned)last + 1) & ~wend__low_bits((unsigned)first);
}

static void add_span(uint64_t *boxes, uint64_t *plain, uint64_t *reversed, unsigned i, int32_t low, int32_t high) {
    for (int32_t chunk = wend__most(low, 0) >> 6; chunk <= high >> 6; chunk++) {
        const uint64_t bits = bits_between(low, high, chunk);
        boxes[wend__stop_goal_line(chunk)] |= UINT64_C(1) << i;
        plain[wend__stop_goal_line(chunk)] |= bits;
        reversed[wend__stop_goal_line(chunk)] |= wend__reversed(bits);
    }
}

static void add_goal(wend__stop_goals *goals, wend_cell goal, int32_t reach) {
    const unsigned i = goals->count++;
    goals->boxes[i].left = goal.x - reach, goals->boxes[i].right = goal.x + reach;
    goals->boxes[i].top = goal.y - reach, goals->boxes[i].bottom = goal.y + reach;
    add_span(goals->in_row, goals->rows[0], goals->rows[1], i, goal.y - reach, goal.y + reach);
    add_span(goals->in_column, goals->columns[0], goals->columns[1], i, goal.x - reach, goal.x + reach);
}

static void set_goals(wend__stop_goals *goals, const wend__request *request) {
    goals->count = 0;
    memset(goals->in_row, 0, sizeof goals->in_row);
    memset(goals->in_column, 0, sizeof goals->in_column);
    memset(goals->rows, 0, sizeof goals->rows);
    memset(goals->columns, 0, sizeof goals->columns);
    add_goal(goals, request->goal, request->reach);
    for (uint32_t i = 0; i < request->more_goal_count; i++) add_goal(goals, request->more_goals[i], request->reach);
}

/* Points of an estimate: with links or many goals it takes most of the time. */
enum { POINTS_A_PRICE = 128 };

/* ---- ending ---- */

/* A way around a unit, or a cheaper one than through it, begins at marks next to it, which earlier runs ignored. */
static void finish_search(wend__search *s) {
    if (s->best == UINT64_MAX && (s->request.mode == WEND_MODE_NEAREST || wend__search_stirred(s))) {
        s->outgrown = true; /* A* finds the nearest cell, or whether there is a way */
        return;
    }
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status != WEND_STATUS_FOUND) return;
    s->cost = s->best;
    wend__stop_path_keep(s);
}

/* Puts the nearest node of a search that is cut short in the goal's place. */
static bool settle_for_nearest(wend__search *s) {
    wend__stop_jump_search *j = wend__stop_of(s);
    if (!s->begun) return false;
    if (s->best == UINT64_MAX) {
        const wend_cell near = wend__nearest_closed(s);
        const uint32_t cell = wend__jump_cell(near.x, near.y);
        const bool start = cell == wend__jump_cell(s->start.x, s->start.y);
        j->jump.goal_cell = cell;
        j->goal = start ? (wend__stop_node){0} : *wend__stop_node_at(s, wend__stop_place_find(s, cell));
        s->best = j->goal.g;
    }
    s->cost = s->best;
    wend__stop_path_keep(s);
    return true;
}

/* ---- beginning ---- */

/* The chunks with marks of units of the window; without a window all chunks. */
static void set_window(wend__stop_jump_search *j, const wend__version *view, const wend__request *request) {
    const int32_t within = request->occupied_within;
    j->windowed = within >= 0;
    j->sheets = j->windowed ? view->sheets : NULL;
    j->window_left = j->window_top = 0;
    j->window_right = view->chunk_columns - 1, j->window_bottom = view->chunk_rows - 1;
    if (!j->windowed) return;
    j->window = wend__box_around(wend__place_on_ground(view, request->start), within);
    const wend_box chunks = wend__chunks_marked_in(j->window);
    j->window_left = chunks.min.x, j->window_right = chunks.max.x;
    j->window_top = chunks.min.y, j->window_bottom = chunks.max.y;
}

static void set_costs(wend__search *s) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const wend_map_rules *rules = &s->view->rules;
    s->edge[WEND__N] = (uint32_t)rules->cost_straight;
    s->edge[WEND__NE] = (uint32_t)rules->cost_diagonal;
    j->four = rules->neighbours == 4;
    j->jump.bend = j->four ? s->edge[WEND__N] : s->edge[WEND__NE] - s->edge[WEND__N];
    j->unit_cost = s->request.occupied == WEND_OCCUPIED_BLOCK ? UINT32_MAX : (uint32_t)s->request.occupied;
    j->jump.g_limit = (uint32_t)(WEND__STOP_G_MAX - wend__stop_dearest(s->view));
}

/* Converts work outside the search to its units. */
static uint32_t count_points(const wend__search *s, uint64_t points) {
    return (uint32_t)(points / (WEND__EXPANSION_POINTS * s->price));
}

/* Returns whether an entry will be expanded. */
static bool is_due(const wend__search *s, const uint32_t *entry) {
    const wend__stop_node *node = wend__stop_node_at(s, wend__stop_place_find(s, entry[1]));
    return entry[0] == node->g && (entry[2] != 0 || !(node->flags & WEND__STOP_CLOSED));
}

static uint32_t bucket_of(const wend__search *s, const uint32_t *entry) {
    return wend__stop_bucket(s, entry[0], wend__jump_x(entry[1]), wend__jump_y(entry[1]));
}

static const wend__jump_kind kind = {is_due, bucket_of};

static void begin_search(wend__search *s, const wend__request *request) {
    wend__stop_jump_search *j = wend__stop_of(s);
    j->jump.kind = &kind;
    /* One page for each block, and one for the directory of these. */
    j->jump.directories = (size_t)s->view->block_columns * (size_t)s->view->block_rows + 1;
    j->links = s->version->links;
    j->rim = wend__wraps(s->version) && s->view->max_factor <= 1 && s->view->closed_steps == 0 &&
             request->occupied == WEND_OCCUPIED_IGNORE;
    j->bare = j->rim && wend__links_of_host(j->links) == 0;
    j->seams = 0;
    set_costs(s);
    set_window(j, s->view, request);
    set_goals(&j->goals, request);
    wend__stop_estimate_begin(s);
    j->jump.has_next = j->jump.on_way = j->leaps = false;
    j->jump.exits = 0;
    j->jump.landmark_bounds.landmarks = NULL;
    s->begun = false;
    s->best = UINT64_MAX;
    uint32_t shift = 0;
    while ((UINT32_C(2) << shift) <= s->edge[WEND__N]) shift++;
    wend__open_reset(&s->open, s->pool->open_entries, shift);
    if (s->status != WEND_STATUS_PENDING) return;
    wend__heuristic_set_plain(&j->heuristic, s->version, request);
    j->round = wend__wraps(s->version) && j->heuristic.goal_count == 1 && j->heuristic.shortcut_count == 0 &&
               !j->heuristic.blind && !s->version->sheets;
    s->price = 1 + wend__heuristic_points(&j->heuristic) / POINTS_A_PRICE;
    j->jump.owed = WEND__JUMP_BEGIN_COSTS + count_points(s, wend__heuristic_begin_points(&j->heuristic, s->version));
}

/* The most chunks and runs that are read. */
enum { DIRECT_PARTS = 8 };

/* Returns whether a straight part of a direct path is clear, and moves (x, y) to its end. */
static bool is_clear(wend__search *s, unsigned d, uint32_t left, int32_t *x, int32_t *y, uint32_t *parts) {
    while (left > 0) {
        ground at;
        wend__stop_ground_of(s, &at, *x, *y);
        if (at.stops || at.units || ++*parts > DIRECT_PARTS) return false;
        const wend__leg leg = wend__stop_leg_along(s, &at, *x, *y, d);
        const bool ends = leg.end == WEND__LEG_WALL && left > (uint32_t)leg.cells;
        if (leg.end == WEND__LEG_STOP || ends || leg.cells == 0) return false;
        const int32_t n = wend__least(leg.cells, (int32_t)left);
        *x += n * wend__dx[d], *y += n * wend__dy[d], left -= (uint32_t)n;
    }
    return true;
}

/* Returns whether the direct path with 4 neighbours is clear: vertical, then horizontal. */
static bool is_direct_four(wend__search *s, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    uint32_t parts = 0;
    return is_clear(s, dy < 0 ? WEND__N : WEND__S, wend__distance(dy, 0), &x, &y, &parts) &&
           is_clear(s, dx < 0 ? WEND__W : WEND__E, wend__distance(dx, 0), &x, &y, &parts);
}

/* Returns whether the cell at which the direct path to the goal's box ends is reached diagonally first and then
 * straight, over even ground without marks. That costs the estimate, so no path is cheaper. */
static bool is_direct(wend__search *s, wend_cell to) {
    int32_t x = s->start.x, y = s->start.y;
    const int32_t dx = to.x - x, dy = to.y - y;
    const unsigned k = (unsigned)(dx > 0) | (unsigned)(dy > 0) << 1;
    const uint32_t across = wend__distance(dx, 0), down = wend__distance(dy, 0);
    uint32_t left = across < down ? across : down, parts = 0;
    if (wend__stop_of(s)->four) return is_direct_four(s, x, y, dx, dy);
    while (left > 0) {
        ground at;
        wend__stop_ground_of(s, &at, x, y);
        const piece c = piece_of(at.table, k, x, y, 0);
        const uint32_t steps = c.length ? c.length : wend__popcount64(c.cells) - 1;
        if (++parts > DIRECT_PARTS || (steps < left && c.length == 0) || at.stops || at.units) return false;
        const int32_t n = (int32_t)(steps < left ? steps : left);
        x += n * step_x(k), y += n * step_y(k), left -= (uint32_t)n;
    }
    if (across != down) {
        const bool h = across > down;
        return is_clear(s, h ? side_h(k) : side_v(k), h ? across - down : down - across, &x, &y, &parts);
    }
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    return !at.stops && !at.units;
}

/* Returns how many cells of a way to (dx, dy) are clear from (x, y) on in its chunk, or one step into the next chunk. */
static int32_t clear_cells(wend__search *s, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    const unsigned d = (unsigned)wend__flat_direction(dx, dy);
    if (!(s->view->legal[at.chunk->masks->bytes[wend__stop_local(x, y)]] >> d & 1)) return 0;
    if (d < WEND__NE) return wend__most((int32_t)wend__stop_run_of(&at, x, y, d).cells, 1);
    const piece c = piece_of(at.table, (unsigned)(dx > 0) | (unsigned)(dy > 0) << 1, x, y, 0);
    return wend__most(c.length ? (int32_t)c.length : (int32_t)wend__popcount64(c.cells) - 1, 1);
}

/* Returns how many cells a way leads on before it crosses the rim along an axis. */
static int32_t cells_to_rim(int32_t place, int32_t d, int32_t length) {
    return d == 0 ? INT32_MAX : d > 0 ? length - 1 - place : place;
}

/* Goes so many cells in direction (dx, dy), also over the rim. False: the way is not clear. */
static bool go_clear(wend__search *s, wend_cell *at, int32_t dx, int32_t dy, int32_t left) {
    while (left > 0) {
        const int32_t across = cells_to_rim(at->x, dx, s->version->width);
        const int32_t down = cells_to_rim(at->y, dy, s->version->height);
        int32_t n = wend__least(wend__least(across, down), left);
        if (n > 0) {
            n = wend__least(n, clear_cells(s, at->x, at->y, dx, dy));
            if (n == 0) return false;
            at->x += n * dx, at->y += n * dy, left -= n;
            continue;
        }
        const wend_cell next = wend__wrapped_cell(s->version, (wend_cell){at->x + dx, at->y + dy, 0});
        if (!wend__seam_cost(s->view, *at, next)) return false;
        *at = next, left--;
    }
    return true;
}

/* The same by the shorter way round. */
static bool is_direct_round(wend__search *s, wend_cell to) {
    const wend_cell way = wend__ground_difference(s->version, s->start, to);
    const int32_t dx = (way.x > 0) - (way.x < 0), dy = (way.y > 0) - (way.y < 0);
    const int32_t across = way.x * dx, down = way.y * dy, diagonal = wend__least(across, down);
    wend_cell at = s->start;
    return go_clear(s, &at, dx, dy, diagonal) &&
           go_clear(s, &at, across > down ? dx : 0, down > across ? dy : 0, wend__most(across, down) - diagonal);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static wend_cell nearest_in_box(const wend__search *s, const wend__stop_goals *goals, uint32_t i) {
    return (wend_cell){clamp(s->start.x, goals->boxes[i].left, goals->boxes[i].right),
                       clamp(s->start.y, goals->boxes[i].top, goals->boxes[i].bottom), 0};
}

/* Takes the direct path to the nearest goal, where there is no link that may be shorter. */
static bool go_directly(wend__search *s) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const uint32_t estimate = wend__stop_plain_estimate(s, s->start.x, s->start.y);
    wend_cell to = {0};
    uint32_t least = UINT32_MAX;
    if (j->factor != 1) return false;
    for (uint32_t i = 0; i < j->goals.count && least > estimate; i++) {
        to = nearest_in_box(s, &j->goals, i);
        least = wend__stop_to_box(s, s->start.x, s->start.y, to.x, to.y, to.x, to.y);
    }
    const bool round = j->bare && j->goals.count == 1 && j->heuristic.reach == 0;
    if (!round && (least > estimate || !wend__on_map(s->view, to.x, to.y) || !is_direct(s, to))) return false;
    if (round && !is_direct_round(s, to)) return false;
    s->best = estimate;
    j->jump.goal_cell = wend__jump_cell(to.x, to.y);
    j->goal = (wend__stop_node){(uint32_t)s->best, j->jump.cell, 0, round ? WEND__STOP_ROUND : 0, 0};
    finish_search(s);
    return true;
}

/* If the goal is near and landmarks do not beat the plain estimate, looking them up takes longer than it saves. */
static void init_landmark_bounds(wend__search *s) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const uint64_t plain = wend__stop_estimate(s, s->start.x, s->start.y);
    const wend__landmark_goals goals = {j->heuristic.goals, j->heuristic.goal_count, j->heuristic.reach};
    if (s->view->landmarks)
        j->jump.owed += count_points(s, wend__heuristic_bounds_points(&j->heuristic, WEND_KIND_GRID));
    if (wend__landmark_bounds_init(&j->jump.landmark_bounds, s->view, s->start, &goals, 1) > plain) return;
    if (plain < (uint64_t)WEND__CHOICE_NEAR * s->edge[WEND__N]) j->jump.landmark_bounds.landmarks = NULL;
}

/* Makes the start's node if it needs no more room, so that the search does not return to it. */
static bool make_start(wend__search *s, wend__stock *stock, const ground *at) {
    const int32_t x = s->start.x, y = s->start.y;
    const bool point = wend__jump_is_point(&at->table->points, (uint32_t)x & 63, (uint32_t)y & 63);
    if (!point && !at->stops && !at->units) return true;
    const uint32_t place = wend__stop_place(s, stock, at, x, y, point);
    if (place == WEND__NONE) return false;
    *wend__stop_node_at(s, place) = (wend__stop_node){0, wend__jump_of(s)->cell, 0xff, WEND__STOP_CLOSED, 0};
    return true;
}

/* Begins to expand a node that was entered in these directions. */
static inline void begin_node(wend__search *s, const ground *at, uint32_t cell, uint32_t g, uint32_t entered) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const int32_t x = wend__jump_x(cell), y = wend__jump_y(cell);
    const uint32_t local = wend__stop_local(x, y);
    j->jump.cell = cell, j->jump.cell_g = g;
    j->factor = wend__stop_factor(s, at, local);
    if (WEND__UNLIKELY(j->four)) {
        j->jump.exits = exits_of_four(wend__stop_open(at, local), entered);
        return;
    }
    if (WEND__LIKELY(!at->stops && !at->units && entered < 16)) {
        j->jump.exits = wend__jump_exits[entered][wend__stop_open(at, local)];
        return;
    }
    uint32_t exits = 0;
    const bool on_rim = is_on_rim(s, x, y);
    if (j->bare && !on_rim && entered < 15) { /* an even cell */
        j->jump.exits = wend__jump_exits[entered][wend__stop_open(at, local)];
        return;
    }
    if (WEND__UNLIKELY(on_rim)) {
        exits = rim_exits(s, at, x, y, entered);
        j->seams = exits & directions_beyond(s->view, x, y);
        exits &= ~j->seams;
    } else if (entered == 0xff)
        exits = wend__chunk_steps(s->view, at->chunk, local);
    else
        for (uint32_t left = entered; left; left &= left - 1)
            exits |= wend__stop_exits_at(s, at, x, y, wend__ctz32(left));
    j->jump.exits = wend__stop_by_quadrant(exits);
    j->leaps = j->links && (j->seams || wend__stop_leaps(s, x, y));
    j->link = 0;
}

/* Begins with the start's exits. */
static bool push_start(wend__search *s, wend__stock *stock) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const int32_t x = s->start.x, y = s->start.y;
    if (!wend__jump_nodes_begin(s, stock)) return false;
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    j->jump.cell = wend__jump_cell(x, y);
    j->factor = wend__stop_factor(s, &at, wend__stop_local(x, y));
    if (go_directly(s)) return true;
    if (!make_start(s, stock, &at)) return false;
    init_landmark_bounds(s);
    wend__jump_open_begin(s, wend__stop_bucket(s, 0, x, y));
    begin_node(s, &at, j->jump.cell, 0, 0xff);
    s->begun = true;
    return true;
}

/* ---- the loop ---- */

/* Pop a node and begin to expand it, unless the entry is stale. Returns false if the search ended. */
WEND__INLINE bool pop_node(wend__search *s, ground *at, uint64_t *used) {
    wend__jump_entry entry;
    if (WEND__UNLIKELY(!wend__jump_next(s, &entry))) {
        finish_search(s);
        return false;
    }
    const uint32_t cell = wend__jump_cell_of(entry), g = wend__jump_key(entry);
    const int32_t x = wend__jump_x(cell), y = wend__jump_y(cell);
    wend__stop_ground_of(s, at, x, y);
    const uint32_t word = at->parts[wend__stop_part(y)];
    const uint32_t place = word & WEND__STOP_WHOLE
                               ? (word & ~WEND__STOP_WHOLE) + wend__stop_slot(x, y)
                               : word + wend__jump_number(&at->table->points, (uint32_t)x & 63, (uint32_t)y & 63);
    wend__stop_node *const node = wend__stop_node_at(s, place);
    if (g != node->g || (entry.more == 0 && node->flags & WEND__STOP_CLOSED)) return true;
    if (WEND__UNLIKELY(s->best != UINT64_MAX) && g + wend__stop_estimate(s, x, y) >= s->best) return true;
    if (WEND__UNLIKELY(g > wend__jump_of(s)->g_limit)) {
        s->outgrown = true;
        return false;
    }
    ++*used;
    node->flags |= WEND__STOP_CLOSED;
    begin_node(s, at, cell, g, entry.more ? entry.more : node->entered);
    return true;
}

/* Spend a slice. These count as expansions, as each takes about as long: nodes expanded, pieces of diagonals scanned,
 * successors pushed, goals reached. The beginning counts WEND__JUMP_BEGIN_COSTS. A scan may push more successors than
 * the budget allows; they are owed, and are counted before anything else. */
static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    wend__stop_jump_search *j = wend__stop_of(s);
    uint64_t used = 0;
    s->outgrown = s->request.occupied != WEND_OCCUPIED_IGNORE && !wend__units_show(s->version->map, s->pool);
    if (WEND__UNLIKELY(s->outgrown)) return 0; /* the marks are lost, or belong to the searches of another service */
    j->jump.block_column = -1;                 /* units may have moved */
    while (used < budget && s->status == WEND_STATUS_PENDING && !s->starved) {
        used += j->jump.owed; /* without a branch, which could not be predicted */
        j->jump.owed = 0;
        if (used >= budget) break;
        if (WEND__UNLIKELY(!s->begun)) {
            if (!push_start(s, stock)) break;
            continue;
        }
        if (WEND__UNLIKELY(wend__jump_crowded(s, 0)) && !wend__jump_spare(s, stock)) break;
        ground at;
        if (WEND__LIKELY(j->jump.exits == 0 && !j->leaps)) {
            if (!pop_node(s, &at, &used)) break;
            if (j->jump.exits == 0 && !j->leaps) continue;
        } else {
            wend__stop_ground_of(s, &at, wend__jump_x(j->jump.cell), wend__jump_y(j->jump.cell));
        }
        used += expand_node(s, stock, &at, budget - used);
    }
    used += j->jump.owed;
    j->jump.owed = used > budget ? (uint32_t)(used - budget) : 0;
    return used - j->jump.owed;
}

/* Successors that are owed count, and so does each diagonal exit. Otherwise a step shows whether another expansion is
 * needed. A counted one is discarded with its results, as the search does not go on. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const uint64_t best = s->best;
    const uint32_t goal_cell = j->jump.goal_cell;
    const wend__stop_node goal = j->goal;
    const bool known = j->jump.owed > 0 || (s->begun && j->jump.exits > 15);
    if (known || step_slice(s, stock, 1) == 0) return;
    s->starved = false;
    s->best = best;
    j->jump.goal_cell = goal_cell, j->goal = goal;
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    wend__stop_nodes_expanded(s, list);
    if (s->best != UINT64_MAX)
        wend__cell_list_add(
            list, (wend_cell){wend__jump_x(wend__jump_of(s)->goal_cell), wend__jump_y(wend__jump_of(s)->goal_cell), 0});
}

const wend__engine wend__stop_jump = {
    .name = WEND_ENGINE_JUMP,
    .work = WEND_WORK_STOP_JUMP,
    .wider = &wend__general_astar,
    .serves = wend__stop_serves,
    .refuses = wend__stop_refuses,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = wend__jump_compact,
    .cells = wend__stop_path_cells,
    .directions = wend__stop_path_directions,
    .expanded = list_expanded,
    .take_nearest = settle_for_nearest,
    .candidates = wend__stop_path_leads,
    .back = wend__stop_path_back,
};
