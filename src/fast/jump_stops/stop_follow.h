/* SPDX-License-Identifier: MIT */
/* Internal: reaching cells and following straight runs in a jump search with stops. Only stop_scan.h includes this. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_FOLLOW_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_FOLLOW_H

#include "fast/jump/jump_lines.h"
#include "fast/jump_stops/stop_goals.h"
#include "fast/jump_stops/stop_heuristic.h"
#include "fast/jump_stops/stop_runs.h"
#include "map/ground/ground.h"
#include <stdlib.h>

typedef wend__stop_ground ground;

/* The direction of a quadrant. */
WEND__INLINE unsigned direction_of(unsigned k) {
    return k & 2 ? (k & 1 ? WEND__SE : WEND__SW) : (k & 1 ? WEND__NE : WEND__NW);
}
/* ---- reaching cells ---- */

/* Relax the node of (x, y), reached in these directions. */
WEND__INLINE void relax_node(wend__search *s, uint32_t place, int32_t x, int32_t y, uint32_t g, uint32_t entered,
                             uint8_t flags) {
    wend__stop_node *const node = wend__stop_node_at(s, place);
    wend__jump_entry entry = wend__jump_entry_of(g, wend__jump_cell(x, y), 0);
    if (WEND__LIKELY(g < node->g)) {
        node->g = g, node->parent = wend__jump_of(s)->cell;
        node->entered = (uint8_t)entered, node->flags = flags;
        wend__jump_enter(s, wend__stop_bucket(s, g, x, y), entry);
    } else if (g == node->g) {
        entry.more = entered & ~(uint32_t)node->entered;
        node->entered |= (uint8_t)entered;
        if (WEND__UNLIKELY(entry.more && node->flags & WEND__STOP_CLOSED)) /* expanded without this direction */
            wend__jump_enter(s, wend__stop_bucket(s, g, x, y), entry);
    }
}

/* Relax (x, y) in the chunk `at`. False if there is no room for its node. */
WEND__INLINE bool reach_in(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y, uint32_t g,
                           uint32_t entered, uint8_t flags, bool point) {
    const uint32_t place = wend__stop_place(s, stock, at, x, y, point);
    if (WEND__UNLIKELY(place == WEND__NONE)) return false;
    relax_node(s, place, x, y, g, entered, flags);
    return true;
}

/* The same at a jump point of a chunk without nodes of this search. */
static WEND__NOINLINE bool reach_first(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g,
                                       unsigned d) {
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    return reach_in(s, stock, &at, x, y, g, 1u << d, 0, true);
}

/* The same at a jump point in any chunk. */
static bool reach_point(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    wend__stop_ensure_block(s, column, row);
    const unsigned across = (unsigned)column & (WEND__BLOCK_SIDE - 1), down = (unsigned)row & (WEND__BLOCK_SIDE - 1);
    const uint32_t part = WEND__STOP_PARTS * (down << WEND__BLOCK_SHIFT | across) + wend__stop_part(y);
    const uint32_t word = j->directory[part];
    if (WEND__UNLIKELY(word == WEND__NONE)) return reach_first(s, stock, x, y, g, d);
    const wend__jump_points *points = &j->block->jumps->rows[down]->tables[across]->points;
    relax_node(s, wend__stop_place_in(s, word, points, x, y), x, y, g, 1u << d, 0);
    return true;
}

/* The same at a dead jump point, which counts only in chunks with special cells, units or goals. */
static WEND__NOINLINE bool reach_dead(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g,
                                      unsigned d) {
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    return !at.close || reach_in(s, stock, &at, x, y, g, 1u << d, 0, true);
}

/* Reach a goal. A goal needs no node, as nothing follows it. It counts only if it is better, so that an interrupted and
 * repeated scan does not count it again. */
static void reach_goal(wend__search *s, int32_t x, int32_t y, uint32_t g, uint8_t flags) {
    wend__stop_jump_search *j = wend__stop_of(s);
    if (g >= s->best) return;
    j->jump.owed++;
    s->best = g;
    j->jump.goal_cell = wend__jump_cell(x, y);
    j->goal = (wend__stop_node){g, j->jump.cell, 0, flags, 0};
    j->jump.goal_bucket = g >> s->open.shift;
}

/* Step into a goal from the previous cell, at its real price. */
static WEND__NOINLINE void enter_goal(wend__search *s, int32_t x, int32_t y, uint32_t g, uint32_t edge) {
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    const uint32_t price = wend__stop_price(s, &at, x, y, edge);
    if (price != UINT32_MAX) reach_goal(s, x, y, g + price, 0);
}

WEND__INLINE bool lies_at_rim(const wend__version *v, int32_t x, int32_t y) {
    return (v->around_x && (x == 0 || x == v->around_x - 1)) || (v->around_y && (y == 0 || y == v->around_y - 1));
}

/* Returns whether steps lead from the cell over a rim that is crossed by canonical ways. */
WEND__INLINE bool is_on_rim(const wend__search *s, int32_t x, int32_t y) {
    return WEND__UNLIKELY(wend__stop_of(s)->rim) && lies_at_rim(s->version, x, y);
}

/* The directions that lead from a cell over the rim of the map. */
WEND__INLINE uint32_t directions_beyond(const wend__version *v, int32_t x, int32_t y) {
    enum { N = 1 << WEND__N, E = 1 << WEND__E, S = 1 << WEND__S, W = 1 << WEND__W };
    enum { NE = 1 << WEND__NE, SE = 1 << WEND__SE, SW = 1 << WEND__SW, NW = 1 << WEND__NW };
    return (uint32_t)((x == 0 ? NW | W | SW : 0) | (x == v->width - 1 ? NE | E | SE : 0) | (y == 0 ? NW | N | NE : 0) |
                      (y == v->height - 1 ? SW | S | SE : 0));
}

/* The same of a corner of the map, neighbour by neighbour. */
static WEND__NOINLINE unsigned open_at_corner(const wend__search *s, unsigned open, int32_t x, int32_t y) {
    for (uint32_t left = directions_beyond(s->view, x, y); left; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        const wend_cell cell = wend__wrapped_cell(s->view, (wend_cell){x + wend__dx[d], y + wend__dy[d], 0});
        const bool on_map = wend__on_map(s->view, cell.x, cell.y);
        open |= (unsigned)(on_map && wend__version_factor(s->view, cell.x, cell.y)) << d;
    }
    return open;
}

/* The open neighbours of a cell at the rim, over the rim, too: the cell opposite has three of them and their mask. */
static unsigned open_round(const wend__search *s, const ground *at, int32_t x, int32_t y) {
    const wend__version *v = s->view;
    const unsigned open = wend__stop_open(at, wend__stop_local(x, y));
    const bool west = x == 0, east = x == v->width - 1, north = y == 0, south = y == v->height - 1;
    if ((west | east) & (north | south)) return open_at_corner(s, open, x, y);
    const unsigned d = east ? WEND__E : west ? WEND__W : north ? WEND__N : WEND__S, a = (d + 1) & 3, b = (d + 3) & 3;
    const int32_t to_x = d & 1 ? v->width - 1 - x : x, to_y = d & 1 ? y : v->height - 1 - y;
    const wend__chunk *chunk = wend__version_chunk(v, to_x >> WEND__CHUNK_SHIFT, to_y >> WEND__CHUNK_SHIFT);
    const uint32_t local = wend__stop_local(to_x, to_y), mask = chunk->masks->bytes[local];
    const unsigned there = v->rules.factors[wend__chunk_class(chunk, local)] != 0;
    return open | there << d | (mask >> a & 1) << (4 + d) | (mask >> b & 1) << (4 + b);
}

/* The exits there after arrivals in these directions, as 8 directions, over the rim, too. */
static WEND__NOINLINE uint32_t rim_exits(const wend__search *s, const ground *at, int32_t x, int32_t y,
                                         uint32_t entered) {
    const unsigned open = open_round(s, at, x, y);
    uint32_t exits = 0;
    if (entered == 0xff) return wend__exit_directions(wend__jump_exits[15][open]);
    for (; entered; entered &= entered - 1) exits |= wend__canonical_exits(open, wend__ctz32(entered));
    return exits;
}

/* Returns whether a stop that is entered in direction d has successors. Next to units it counts as having some. */
WEND__INLINE bool leads_on(const wend__search *s, const ground *at, int32_t x, int32_t y, unsigned d) {
    if (!at->stops || at->units) return true;
    if (is_on_rim(s, x, y)) return rim_exits(s, at, x, y, 1u << d) != 0 || wend__stop_leaps(s, x, y);
    return wend__stop_exits_at(s, at, x, y, d) != 0 || wend__stop_leaps(s, x, y);
}

/* A straight run on its way over rims. Only walls lie at the rim (wend__stop_jump_search.rim), so each step costs the
 * same. */
typedef struct rim_run {
    int32_t x, y;
    uint32_t g;
    unsigned d;
    uint8_t flags; ///< WEND__STOP_ROUND once it has crossed a rim
    int32_t left;  ///< steps that it may still take at rims
} rim_run;

enum { RIM_STEPS = 16 };

static bool end_rim_run(wend__search *s, wend__stock *stock, const ground *at, const rim_run *r) {
    const bool point = wend__jump_is_point(&at->table->points, (uint32_t)r->x & 63, (uint32_t)r->y & 63);
    return reach_in(s, stock, at, r->x, r->y, r->g, 1u << r->d, r->flags, point);
}

/* Returns whether a jump that is followed `more` cells on still goes the shorter way round, as path reading assumes. */
static bool stays_short(const wend__search *s, const rim_run *r, int32_t more) {
    const int32_t around_x = s->version->around_x, around_y = s->version->around_y;
    const int32_t dx = r->x - wend__jump_x(wend__jump_of(s)->cell), dy = r->y - wend__jump_y(wend__jump_of(s)->cell);
    const int32_t x = r->d & 1 ? wend__wrapped(dx * wend__dx[r->d], around_x) + more : abs(dx);
    const int32_t y = r->d & 1 ? abs(dy) : wend__wrapped(dy * wend__dy[r->d], around_y) + more;
    return (!around_x || 2 * x < around_x) && (!around_y || 2 * y < around_y);
}

/* Follows the part of a run that leads away from a rim. False if it ends at once, or there is no room.
 * @param ends   receives whether the run has ended */
static bool leave_rim(wend__search *s, wend__stock *stock, const ground *at, rim_run *r, bool *ends) {
    const wend__leg leg = wend__stop_leg_along(s, at, r->x, r->y, r->d);
    const int32_t goal = wend__stop_goal_ahead(&wend__stop_of(s)->goals, r->x, r->y, r->d);
    const bool at_goal = goal && goal <= leg.cells;
    const int32_t cells = at_goal ? goal : leg.cells;
    *ends = true;
    if (!at_goal && leg.end != WEND__LEG_POINT && leg.end != WEND__LEG_STOP) return true;
    if (r->flags && !stays_short(s, r, cells)) return end_rim_run(s, stock, at, r);
    r->x += cells * wend__dx[r->d], r->y += cells * wend__dy[r->d], r->g += (uint32_t)cells * s->edge[WEND__N];
    if (at_goal) {
        reach_goal(s, r->x, r->y, r->g, r->flags);
        return true;
    }
    *ends = false;
    return true;
}

/* Returns how many cells a run along a rim can skip, by the tables on this side and beyond the rim. */
static int32_t cells_along_rim(wend__search *s, const ground *at, const rim_run *r) {
    const bool h = r->d & 1;
    const int32_t around = h ? s->version->around_y : s->version->around_x, place = h ? r->y : r->x;
    const int32_t other = around ? wend__wrapped(place == 0 ? -1 : place + 1, around) : place;
    const wend_cell beyond = {h ? r->x : other, h ? other : r->y, 0};
    ground side;
    if (wend__links_of_host(s->version->links) || !wend__version_factor(s->view, beyond.x, beyond.y)) return 1;
    const int32_t cells = (int32_t)wend__stop_run_of(at, r->x, r->y, r->d).cells;
    wend__stop_ground_of(s, &side, beyond.x, beyond.y);
    const int32_t open = (int32_t)wend__stop_run_of(&side, beyond.x, beyond.y, r->d).cells;
    const int32_t goal = wend__stop_goal_ahead(&wend__stop_of(s)->goals, r->x, r->y, r->d);
    const int32_t most = wend__least(cells, open);
    return wend__most(goal ? wend__least(goal, most) : most, 1);
}

/* Takes the step from a rim cell that leads over the rim, or on along it. */
static bool step_at_rim(wend__search *s, const ground *at, rim_run *r) {
    const wend_cell to = {r->x + wend__dx[r->d], r->y + wend__dy[r->d], 0}, next = wend__wrapped_cell(s->version, to);
    const bool over = next.x != to.x || next.y != to.y;
    const int32_t cells = over ? 1 : cells_along_rim(s, at, r);
    if ((over || r->flags) && !stays_short(s, r, cells)) return false;
    if (--r->left < 0) return false;
    if (over) r->flags = WEND__STOP_ROUND;
    r->x = over ? next.x : r->x + cells * wend__dx[r->d], r->y = over ? next.y : r->y + cells * wend__dy[r->d];
    r->g += (uint32_t)cells * s->edge[WEND__N];
    return true;
}

/* Returns whether a run has come into another chunk. */
WEND__INLINE bool has_left(const ground *at, const rim_run *r) {
    return r->x >> WEND__CHUNK_SHIFT != at->column || r->y >> WEND__CHUNK_SHIFT != at->row;
}

/* Follows a straight run that has entered a cell, perhaps at a rim, until a node is needed or it ends. */
static WEND__NOINLINE bool follow_rim_run(wend__search *s, wend__stock *stock, rim_run run) {
    rim_run *const r = &run;
    const unsigned straight = 1u << r->d;
    ground at;
    wend__stop_ground_of(s, &at, r->x, r->y);
    for (;;) {
        if (has_left(&at, r)) wend__stop_ground_of(s, &at, r->x, r->y);
        if (wend__stop_is_goal(&wend__stop_of(s)->goals, r->x, r->y)) {
            reach_goal(s, r->x, r->y, r->g, r->flags);
            return true;
        }
        if (!lies_at_rim(s->version, r->x, r->y))
            return (at.stops && !leads_on(s, &at, r->x, r->y, r->d)) || end_rim_run(s, stock, &at, r);
        const bool leaps = !wend__stop_of(s)->bare && wend__stop_leaps(s, r->x, r->y);
        const uint32_t exits = wend__jump_exits[straight][open_round(s, &at, r->x, r->y)];
        if (exits == 0 && !leaps) return true;
        if (exits != straight || leaps) return end_rim_run(s, stock, &at, r);
        const int32_t to_x = r->x + wend__dx[r->d], to_y = r->y + wend__dy[r->d];
        bool ends = false;
        if (wend__on_map(s->version, to_x, to_y) && !lies_at_rim(s->version, to_x, to_y)) {
            if (!leave_rim(s, stock, &at, r, &ends)) return false;
            if (ends) return true;
        } else if (!step_at_rim(s, &at, r)) {
            return end_rim_run(s, stock, &at, r);
        }
    }
}

/* Steps into a stop of the chunk `at` from the previous cell, at its real price. Without successors it gets no node. */
WEND__INLINE bool enter_stop_in(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y, uint32_t g,
                                unsigned d) {
    if (d < WEND__NE && is_on_rim(s, x, y))
        return follow_rim_run(s, stock, (rim_run){x, y, g + s->edge[WEND__N], d, 0, RIM_STEPS});
    const uint32_t price = wend__stop_price(s, at, x, y, s->edge[d < WEND__NE ? WEND__N : WEND__NE]);
    if (price == UINT32_MAX || !leads_on(s, at, x, y, d)) return true;
    return reach_in(s, stock, at, x, y, g + price, 1u << d, 0, false);
}

/* The same in any chunk; `at` is the chunk of the cell from which the run began. */
static WEND__NOINLINE bool enter_stop(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                      uint32_t g, unsigned d) {
    ground other;
    if (WEND__UNLIKELY(x >> WEND__CHUNK_SHIFT != at->column || y >> WEND__CHUNK_SHIFT != at->row)) {
        wend__stop_ground_of(s, &other, x, y);
        at = &other;
    }
    return enter_stop_in(s, stock, at, x, y, g, d);
}

/* ---- runs ---- */

/* Follows a straight run from (x, y) that may meet a stop or a goal. */
static WEND__NOINLINE bool follow_closely(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                          uint32_t g, unsigned d) {
    const wend__leg leg = wend__stop_leg_along(s, at, x, y, d);
    const int32_t goal = wend__stop_goal_ahead(&wend__stop_of(s)->goals, x, y, d);
    const uint32_t edge = s->edge[WEND__N], each = edge * wend__stop_of(s)->factor;
    if (goal && goal <= leg.cells) {
        enter_goal(s, x + goal * wend__dx[d], y + goal * wend__dy[d], g + each * (uint32_t)(goal - 1), edge);
        return true;
    }
    const int32_t to_x = x + leg.cells * wend__dx[d], to_y = y + leg.cells * wend__dy[d];
    if (leg.end == WEND__LEG_POINT) return reach_point(s, stock, to_x, to_y, g + each * (uint32_t)leg.cells, d);
    if (leg.end == WEND__LEG_STOP) return enter_stop(s, stock, at, to_x, to_y, g + each * (uint32_t)(leg.cells - 1), d);
    return true;
}

/* The directions in which runs from (x, y) may meet a goal. */
WEND__INLINE uint32_t goal_directions(const wend__search *s, const ground *at, int32_t x, int32_t y) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const bool h = j->goals.rows[0][wend__stop_goal_line(at->row)] >> (y & 63) & 1;
    const bool v = j->goals.columns[0][wend__stop_goal_line(at->column)] >> (x & 63) & 1;
    return (h ? 1u << WEND__E | 1u << WEND__W : 0) | (v ? 1u << WEND__N | 1u << WEND__S : 0);
}

/* Reach the end of a lane that meets no mark and no goal; the chunk's border is `cells` on. */
WEND__INLINE bool follow_lane(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y, uint32_t g,
                              const unsigned d, int32_t cells) {
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63;
    const bool any = d & 1 ? at->any_h : at->any_v;
    if (!(lanes->ends[any][quadrant_of(d)] >> lane & 1)) return true;
    const int32_t reach = lanes->reach[d >> 1][lane];
    if (WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)) return follow_closely(s, stock, at, x, y, g, d);
    cells += reach;
    const int32_t to_x = x + cells * wend__dx[d], to_y = y + cells * wend__dy[d];
    const uint32_t to_g = g + s->edge[WEND__N] * wend__stop_of(s)->factor * (uint32_t)cells;
    if (any && !(lanes->ends[0][quadrant_of(d)] >> lane & 1)) return reach_dead(s, stock, to_x, to_y, to_g, d);
    return reach_point(s, stock, to_x, to_y, to_g, d);
}

/* The same for a run that may meet marks. */
WEND__INLINE bool follow_marked_lane(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                     uint32_t g, const unsigned d, int32_t cells) {
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const int32_t reach = lanes->reach[d >> 1][(d & 1 ? y : x) & 63];
    if (WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)) return follow_closely(s, stock, at, x, y, g, d);
    const int32_t end = wend__stop_end_on_lane(s, at, x, y, d, cells + (reach < 0 ? -reach : reach));
    if (end == 0) return follow_lane(s, stock, at, x, y, g, d, cells);
    if (end < 0) return true;
    const uint32_t each = s->edge[WEND__N] * wend__stop_of(s)->factor;
    return enter_stop(s, stock, at, x + end * wend__dx[d], y + end * wend__dy[d], g + each * (uint32_t)(end - 1), d);
}

/* Follows a run in direction d that meets no goal. `ahead`: it may meet marks in other chunks of its block. */
WEND__INLINE bool follow_among_marks(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                     uint32_t g, const unsigned d, bool ahead) {
    const wend__stop_run run = wend__stop_run_of(at, x, y, d);
    const uint32_t kind = run.kind, cells = run.cells, each = s->edge[WEND__N] * wend__stop_of(s)->factor;
    const uint64_t marks = wend__stop_marks_on(at, x, y, d) & wend__stop_cells_ahead(x, y, d, cells);
    const int32_t end = marks ? wend__stop_end_at_mark(s, at, marks, x, y, d) : 0;
    if (end > 0)
        return enter_stop_in(s, stock, at, x + end * wend__dx[d], y + end * wend__dy[d], g + each * (uint32_t)(end - 1),
                             d);
    if (end < 0 || kind == WEND__RUN_WALL || (kind == WEND__RUN_DEAD && !at->close)) return true;
    if (kind == WEND__RUN_RIM)
        return ahead ? follow_marked_lane(s, stock, at, x, y, g, d, (int32_t)cells)
                     : follow_lane(s, stock, at, x, y, g, d, (int32_t)cells);
    return reach_in(s, stock, at, x + (int32_t)cells * wend__dx[d], y + (int32_t)cells * wend__dy[d], g + each * cells,
                    1u << d, 0, true);
}

/* Follows a run in direction d that meets no stop and no goal in its block. */
WEND__INLINE bool follow_plainly(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                 uint32_t g, const unsigned d) {
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63, from = wend__jump_along((unsigned)x, (unsigned)y, d);
    const uint32_t passed = wend__ctz64(at->table->ends[d][lane] >> from),
                   each = s->edge[WEND__N] * wend__stop_of(s)->factor;
    const unsigned end = from + passed;
    if (end == 63) return follow_lane(s, stock, at, x, y, g, d, (int32_t)passed);
    if (!(at->table->lines[d][lane].live >> end & 1) &&
        !(at->close && wend__jump_end(at->table, (unsigned)x, (unsigned)y, d, passed) == WEND__RUN_DEAD))
        return true;
    const int32_t cells = (int32_t)passed + 1;
    return reach_in(s, stock, at, x + cells * wend__dx[d], y + cells * wend__dy[d], g + each * (uint32_t)cells, 1u << d,
                    0, true);
}

/* Follows a straight exit, if it is one. */
WEND__INLINE bool exit_straight(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y, uint32_t g,
                                const unsigned d, uint32_t exits, uint32_t closely) {
    if (!(exits >> d & 1)) return true;
    if (WEND__UNLIKELY(closely >> d & 1)) return follow_closely(s, stock, at, x, y, g, d);
    return follow_plainly(s, stock, at, x, y, g, d);
}

/* Four calls instead of a loop: d is a constant in each. */
WEND__INLINE bool follow_straight(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                  uint32_t g, uint32_t exits) {
    const uint32_t closely = goal_directions(s, at, x, y);
    if (!exit_straight(s, stock, at, x, y, g, WEND__N, exits, closely) ||
        !exit_straight(s, stock, at, x, y, g, WEND__E, exits, closely) ||
        !exit_straight(s, stock, at, x, y, g, WEND__S, exits, closely) ||
        !exit_straight(s, stock, at, x, y, g, WEND__W, exits, closely))
        return false;
    if (WEND__UNLIKELY(closely)) wend__jump_of(s)->owed += wend__popcount64(exits & closely & 15);
    return true;
}

/* The same for runs that may meet marks. */
WEND__INLINE bool exit_among_marks(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                   uint32_t g, const unsigned d, uint32_t exits, uint32_t closely) {
    if (!(exits >> d & 1)) return true;
    wend__stop_ensure_block(s, at->column, at->row); /* an exit before may have entered another block */
    if (WEND__UNLIKELY(closely >> d & 1)) return follow_closely(s, stock, at, x, y, g, d);
    return follow_among_marks(s, stock, at, x, y, g, d, wend__stop_chunks_ahead(wend__stop_of(s), at, x, y, d));
}

/* The same for all straight exits. A separate function, so that chunks without marks have short code. */
static WEND__NOINLINE bool follow_straight_marked(wend__search *s, wend__stock *stock, const ground *at, int32_t x,
                                                  int32_t y, uint32_t g, uint32_t exits) {
    const uint32_t closely = goal_directions(s, at, x, y);
    if (!exit_among_marks(s, stock, at, x, y, g, WEND__N, exits, closely) ||
        !exit_among_marks(s, stock, at, x, y, g, WEND__E, exits, closely) ||
        !exit_among_marks(s, stock, at, x, y, g, WEND__S, exits, closely) ||
        !exit_among_marks(s, stock, at, x, y, g, WEND__W, exits, closely))
        return false;
    wend__stop_ensure_block(s, at->column, at->row);
    wend__jump_of(s)->owed += wend__popcount64(exits & 15) / 2 + wend__popcount64(exits & closely) / 2;
    return true;
}

#endif
