/* SPDX-License-Identifier: MIT */
/* Internal: the successors of a node of a jump search with stops. Only stop_search.c includes this file.
 *
 * Runs and diagonals are those of jump search, a look-up each, except near marks: there they end at the
 * first stop. From the cells of a diagonal with a mark or a goal on their row (or column), runs are followed one by
 * one; all others go by the words of the tables.
 *
 * A scan that finds no room for a node is interrupted, and repeated from its beginning when there is room: nodes that
 * it has made are found unchanged. So results do not depend on when a search gets pages. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_SCAN_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_SCAN_H

#include "fast/jump_stops/stop_columns.h"
#include "fast/jump_stops/stop_rim.h"

/* ---- diagonals ---- */

enum { RUNS_A_COUNT = 2 }; /* runs among marks that count as an expansion */

/* What a piece of a diagonal may meet: no marks; marks; or only those of cells at the rim (wend__stop_jump_search.bare). */
typedef enum surroundings { PLAIN, MARKED, RIM } surroundings;

/* The cells of a piece from which runs are followed one by one, and the stop or goal that the diagonal meets. */
typedef struct closeness {
    uint64_t goal_h, goal_v;   ///< cells from which runs may meet a goal
    uint64_t mark_h, mark_v;   ///< cells from which runs may meet a mark
    uint64_t ahead_h, ahead_v; ///< cells from which they may meet a mark in other chunks
    int32_t stop, goal;        ///< cell of the piece with a stop, and with a goal; −1: none
} closeness;

/* The first stop or barrier on a piece; −1: there is none. */
static WEND__NOINLINE int32_t stop_on_piece(const wend__search *s, const ground *at, const unsigned k, uint64_t marks,
                                            int32_t x, int32_t y) {
    for (; marks; marks &= marks - 1) {
        const int32_t n = (int32_t)wend__ctz64(marks);
        if (wend__stop_here(s, at, x + n * step_x(k), y + n * step_y(k), direction_of(k)) != WEND__STOP_NONE) return n;
    }
    return -1;
}

/* Returns how far a chunk lies on the ground from its place in the map, along an axis. */
static inline int32_t sheet_shift(const wend__stop_jump_search *j, const ground *at, bool down) {
    const wend_cell first = {at->column * WEND__CHUNK_SIDE, at->row * WEND__CHUNK_SIDE, 0};
    const wend__sheet_part *part = wend__sheets_part(j->sheets, first);
    return down ? part->y : part->x;
}

/* Returns the rows (columns) of a chunk with marks of units of the window, in the frame of quadrant k. */
static inline uint64_t lines_in_window(const wend__stop_jump_search *j, const ground *at, unsigned axis, unsigned k) {
    const bool across = axis == WEND__MARKS_ACROSS, flipped = across ? !(k & 2) : !(k & 1);
    int32_t origin = (across ? at->row : at->column) * WEND__CHUNK_SIDE;
    if (WEND__UNLIKELY(j->sheets)) origin += sheet_shift(j, at, across);
    const int32_t low = (across ? j->window.min.y : j->window.min.x) - 1 - origin;
    const int32_t high = (across ? j->window.max.y : j->window.max.x) + 1 - origin;
    const int32_t first = wend__most(flipped ? 63 - high : low, 0), last = wend__least(flipped ? 63 - low : high, 63);
    return first > last ? 0 : wend__low_bits((unsigned)last + 1) & ~wend__low_bits((unsigned)first);
}

/* Returns the rows (columns) of the chunk from which runs may meet marks of units in the chunks ahead. Chunks outside
 * the window may have marks of past moves. */
static inline uint64_t units_ahead(const wend__stop_jump_search *j, const ground *at, unsigned axis, unsigned k) {
    const unsigned across = at->index & (WEND__BLOCK_SIDE - 1), down = at->index >> WEND__BLOCK_SHIFT;
    const uint64_t ahead = j->unit_block->ahead[at->index][axis][k];
    if (!j->windowed || ahead == 0) return ahead;
    const bool h = axis == WEND__MARKS_ACROSS, forward = h ? k & 1 : k & 2;
    if (!((h ? j->unit_rows >> down : j->unit_columns >> across) & 1)) return 0;
    const uint32_t here = h ? across : down, beyond = forward ? ~UINT32_C(1) << here : (UINT32_C(1) << here) - 1;
    uint64_t lines = 0;
    for (uint32_t left = beyond & (h ? j->unit_columns : j->unit_rows); left; left &= left - 1) {
        const unsigned i = wend__ctz32(left);
        const wend__marks *marks =
            j->unit_block->chunks[h ? down << WEND__BLOCK_SHIFT | i : i << WEND__BLOCK_SHIFT | across];
        if (marks) lines |= marks->here[axis][k];
    }
    return lines & lines_in_window(j, at, axis, k);
}

/* The rows (columns) of the chunk, in the frame of quadrant k, from which runs may meet a mark in this chunk; ahead. */
typedef struct marked_lines {
    uint64_t here, ahead;
} marked_lines;

WEND__INLINE marked_lines lines_marked(const wend__stop_jump_search *j, const ground *at, unsigned axis, unsigned k) {
    marked_lines lines = {0, 0};
    if (at->stops) lines.here |= at->stops->loose.here[axis][k];
    if (at->units)
        lines.here |= at->units->marks.here[axis][k] & (j->windowed ? lines_in_window(j, at, axis, k) : UINT64_MAX);
    if (j->stop_block) lines.ahead |= j->stop_block->marks.ahead[at->index][axis][k];
    if (j->unit_block) lines.ahead |= units_ahead(j, at, axis, k);
    return lines;
}

/* The first stop on a piece; −1: there is none. */
WEND__INLINE int32_t find_stop(const wend__search *s, const ground *at, const unsigned k, const piece *c, int32_t x,
                               int32_t y) {
    const unsigned line = (c->p - c->q) & 63;
    if (WEND__LIKELY(!at->units)) {
        const uint64_t stops = at->stops ? at->stops->tight.diagonal[k][line] >> c->p & c->cells : 0;
        return stops ? (int32_t)wend__ctz64(stops) : -1;
    }
    const uint64_t terrain = at->stops ? at->stops->loose.diagonal[k][line] : 0;
    const uint64_t marks = (at->units->marks.diagonal[k][line] | terrain) >> c->p & c->cells;
    return marks ? stop_on_piece(s, at, k, marks, x, y) : -1;
}

/* Reads the marks and goals on and next to a piece. */
WEND__INLINE closeness closeness_of(wend__search *s, const surroundings around, const ground *at, const unsigned k,
                                    const piece *c, int32_t x, int32_t y) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    closeness near = {.stop = -1, .goal = -1};
    near.goal_h = j->goals.rows[k & 2 ? 0 : 1][wend__stop_goal_line(at->row)] >> c->q & c->cells;
    near.goal_v = j->goals.columns[k & 1 ? 0 : 1][wend__stop_goal_line(at->column)] >> c->p & c->cells;
    if (WEND__UNLIKELY(near.goal_h & near.goal_v)) {
        near.goal = wend__stop_goal_along(&j->goals, x, y, step_x(k), step_y(k), (int32_t)wend__ctz64(c->cells));
        if (near.goal > 63 || (near.goal >= 0 && !(c->cells >> near.goal & 1))) near.goal = -1;
    }
    if (around == PLAIN) return near;
    wend__stop_ensure_block(s, at->column, at->row);
    near.stop = find_stop(s, at, k, c, x, y);
    if (around == RIM) {
        near.mark_h = cells_near_rim(s, at, k, c, true), near.mark_v = cells_near_rim(s, at, k, c, false);
        return near;
    }
    const marked_lines rows = lines_marked(j, at, WEND__MARKS_ACROSS, k);
    const marked_lines columns = lines_marked(j, at, WEND__MARKS_DOWN, k);
    const uint64_t border_h = c->line->rim_h >> c->p & c->cells, border_v = c->line->rim_v >> c->p & c->cells;
    near.ahead_h = rows.ahead >> c->q & border_h;
    near.ahead_v = columns.ahead >> c->p & border_v;
    near.mark_h = (rows.here >> c->q & c->cells) | near.ahead_h;
    near.mark_v = (columns.here >> c->p & c->cells) | near.ahead_v;
    return near;
}

/* Reach the jump points of this chunk to both sides, from the cells of two sets. */
WEND__INLINE bool scan_inside(wend__search *s, wend__stock *stock, const ground *at, const unsigned k, uint64_t from_h,
                              uint64_t from_v, const int32_t x, const int32_t y, const uint32_t g) {
    const uint32_t factor = wend__stop_of(s)->factor;
    while (from_h | from_v) {
        const bool h = from_h != 0;
        const uint64_t from = h ? from_h : from_v, rest = from & (from - 1);
        from_v = h ? from_v : rest;
        from_h = h ? rest : 0;
        const int32_t n = (int32_t)wend__ctz64(from);
        const int32_t from_x = x + n * step_x(k), from_y = y + n * step_y(k);
        const unsigned d = h ? side_h(k) : side_v(k);
        const int32_t cells = cells_of_run(at->table, from_x, from_y, d) + 1;
        const int32_t across = h ? cells : 0, down = h ? 0 : cells;
        const uint32_t cost = (s->edge[WEND__NE] * (uint32_t)n + s->edge[WEND__N] * (uint32_t)cells) * factor;
        if (!reach_in(s, stock, at, from_x + across * step_x(k), from_y + down * step_y(k), g + cost, 1u << d, 0, true))
            return false;
    }
    return true;
}

/* Follows lanes to one side, straight in direction d. `live`: cells with lanes that end at a live jump point. */
WEND__INLINE bool scan_beyond(wend__search *s, wend__stock *stock, const ground *at, const unsigned k, const unsigned d,
                              uint64_t from, const uint64_t live, const int32_t x, const int32_t y, const uint32_t g) {
    const int32_t dx = d & 1 ? step_x(k) : 0, dy = d & 1 ? 0 : step_y(k);
    const uint32_t factor = wend__stop_of(s)->factor;
    for (; from; from &= from - 1) {
        const int32_t n = (int32_t)wend__ctz64(from);
        const int32_t from_x = x + n * step_x(k), from_y = y + n * step_y(k);
        const uint32_t from_g = g + s->edge[WEND__NE] * factor * (uint32_t)n;
        const int32_t reach = wend__stop_lane(at, from_x, from_y, d);
        const int32_t cells = cells_of_run(at->table, from_x, from_y, d) + reach;
        const int32_t to_x = from_x + cells * dx, to_y = from_y + cells * dy;
        const uint32_t to_g = from_g + s->edge[WEND__N] * factor * (uint32_t)cells;
        const bool room = WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)
                              ? follow_closely(s, stock, at, from_x, from_y, from_g, d)
                          : WEND__LIKELY(live >> n & 1) ? reach_point(s, stock, to_x, to_y, to_g, d)
                                                        : reach_dead(s, stock, to_x, to_y, to_g, d);
        if (!room) return false;
    }
    return true;
}

/* Follows the runs to one side from these cells, one by one. */
static WEND__NOINLINE bool scan_closely(wend__search *s, wend__stock *stock, const ground *at, const unsigned k,
                                        const unsigned d, uint64_t from, const int32_t x, const int32_t y,
                                        const uint32_t g) {
    const uint32_t each = s->edge[WEND__NE] * wend__stop_of(s)->factor;
    for (; from; from &= from - 1) {
        const int32_t n = (int32_t)wend__ctz64(from);
        if (!follow_closely(s, stock, at, x + n * step_x(k), y + n * step_y(k), g + each * (uint32_t)n, d))
            return false;
    }
    return true;
}

/* The same for runs that meet no goal. */
WEND__INLINE bool scan_among_marks(wend__search *s, wend__stock *stock, const ground *at, const unsigned k,
                                   const unsigned d, uint64_t from, const uint64_t ahead, const int32_t x,
                                   const int32_t y, const uint32_t g) {
    const uint32_t each = s->edge[WEND__NE] * wend__stop_of(s)->factor;
    for (; from; from &= from - 1) {
        const int32_t n = (int32_t)wend__ctz64(from);
        if (!follow_among_marks(s, stock, at, x + n * step_x(k), y + n * step_y(k), g + each * (uint32_t)n, d,
                                ahead >> n & 1))
            return false;
    }
    return true;
}

/* Ends a piece at a stop or a goal: nothing behind it counts. */
static WEND__NOINLINE bool end_piece(wend__search *s, wend__stock *stock, const ground *at, const unsigned k,
                                     const closeness *near, int32_t x, int32_t y, uint32_t g) {
    const bool goal = near->goal >= 0 && (near->stop < 0 || near->goal <= near->stop);
    const int32_t n = goal ? near->goal : near->stop;
    const int32_t to_x = x + n * step_x(k), to_y = y + n * step_y(k);
    const uint32_t edge = s->edge[WEND__NE];
    const uint32_t before = g + edge * wend__stop_of(s)->factor * (uint32_t)n - edge * wend__stop_of(s)->factor;
    if (!goal) return enter_stop(s, stock, at, to_x, to_y, before, direction_of(k));
    enter_goal(s, to_x, to_y, before, edge);
    return true;
}

/* Ends of a scan of a piece of a diagonal. */
typedef enum piece_end {
    PIECE_STARVED, ///< no room for a node: the piece has to be scanned again
    PIECE_ENDS,    ///< the diagonal ends without a successor
    PIECE_GOES_ON  ///< the scan goes on in the next chunk
} piece_end;

WEND__INLINE piece_end scan_piece(wend__search *s, wend__stock *stock, const surroundings around, const ground *at,
                                  const unsigned k, const piece *c, const int32_t x, const int32_t y,
                                  const uint32_t g) {
    const uint64_t lanes_h = at->beside->ends[at->any_h][k] >> c->q, lanes_v = at->above->ends[at->any_v][k];
    const uint64_t *const sides = c->line->sides[at->close ? 2 : 0];
    closeness near = closeness_of(s, around, at, k, c, x, y);
    uint64_t cells = c->cells;
    piece_end end = c->length == 0 ? PIECE_ENDS : PIECE_GOES_ON;
    if (WEND__UNLIKELY((near.stop & near.goal) >= 0)) {
        const int32_t n = near.goal >= 0 && (near.stop < 0 || near.goal < near.stop) ? near.goal : near.stop;
        if (!end_piece(s, stock, at, k, &near, x, y, g)) return PIECE_STARVED;
        cells &= (UINT64_C(1) << n) - 1;
        near.goal_h &= cells, near.goal_v &= cells, near.mark_h &= cells, near.mark_v &= cells;
        end = PIECE_ENDS;
    }
    const uint64_t plain_h = cells & ~(near.goal_h | near.mark_h), plain_v = cells & ~(near.goal_v | near.mark_v);
    const uint64_t beyond_h = c->line->rim_h >> c->p & lanes_h & plain_h;
    const uint64_t beyond_v = (c->line->rim_v & lanes_v) >> c->p & plain_v;
    if (!scan_inside(s, stock, at, k, sides[0] >> c->p & plain_h, sides[1] >> c->p & plain_v, x, y, g))
        return PIECE_STARVED;
    if (WEND__UNLIKELY(near.goal_h | near.goal_v) && (!scan_closely(s, stock, at, k, side_h(k), near.goal_h, x, y, g) ||
                                                      !scan_closely(s, stock, at, k, side_v(k), near.goal_v, x, y, g)))
        return PIECE_STARVED;
    near.mark_h &= ~near.goal_h, near.mark_v &= ~near.goal_v;
    if (around == RIM) {
        if ((near.mark_h && !scan_past_rim(s, stock, at, k, side_h(k), near.mark_h, x, y, g)) ||
            (near.mark_v && !scan_past_rim(s, stock, at, k, side_v(k), near.mark_v, x, y, g)))
            return PIECE_STARVED;
    }
    if (around == MARKED && (!scan_among_marks(s, stock, at, k, side_h(k), near.mark_h, near.ahead_h, x, y, g) ||
                             !scan_among_marks(s, stock, at, k, side_v(k), near.mark_v, near.ahead_v, x, y, g)))
        return PIECE_STARVED;
    if (WEND__UNLIKELY(beyond_h | beyond_v)) {
        const uint64_t live_h = at->beside->live[k] >> c->q, live_v = at->above->live[k] >> c->p;
        if (!scan_beyond(s, stock, at, k, side_h(k), beyond_h, live_h, x, y, g) ||
            !scan_beyond(s, stock, at, k, side_v(k), beyond_v, live_v, x, y, g))
            return PIECE_STARVED;
    }
    /* Counts followed runs; not before, as an interrupted scan is repeated. */
    if (WEND__UNLIKELY(near.goal_h | near.goal_v))
        wend__jump_of(s)->owed += wend__popcount64(near.goal_h) + wend__popcount64(near.goal_v);
    if (around != PLAIN && near.mark_h | near.mark_v)
        wend__jump_of(s)->owed += (wend__popcount64(near.mark_h) + wend__popcount64(near.mark_v)) / RUNS_A_COUNT;
    return end;
}

/* The same if marks may be met. A separate function, so that chunks without marks have short code. */
static WEND__NOINLINE piece_end scan_marked_piece(wend__search *s, wend__stock *stock, const ground *at, unsigned k,
                                                  const piece *c, int32_t x, int32_t y, uint32_t g) {
    if (k == 0) return scan_piece(s, stock, MARKED, at, 0, c, x, y, g);
    if (k == 1) return scan_piece(s, stock, MARKED, at, 1, c, x, y, g);
    if (k == 2) return scan_piece(s, stock, MARKED, at, 2, c, x, y, g);
    return scan_piece(s, stock, MARKED, at, 3, c, x, y, g);
}

/* The same near a rim. */
static WEND__NOINLINE piece_end scan_rim_piece(wend__search *s, wend__stock *stock, const ground *at, unsigned k,
                                               const piece *c, int32_t x, int32_t y, uint32_t g) {
    return scan_piece(s, stock, RIM, at, k, c, x, y, g);
}

/* Scan a diagonal. Returns the number of chunks scanned. If budget or room ended first, the exit stays. */
WEND__INLINE uint64_t scan_diagonal(wend__search *s, wend__stock *stock, const ground *from, const unsigned k,
                                    int32_t x, int32_t y, uint32_t g, uint64_t first, uint64_t budget) {
    const ground *at = from;
    ground next;
    for (uint64_t used = 0;;) {
        const piece c = piece_of(at->table, k, x, y, first);
        const piece_end end = !at->marked              ? scan_piece(s, stock, PLAIN, at, k, &c, x, y, g)
                              : wend__stop_of(s)->bare ? scan_rim_piece(s, stock, at, k, &c, x, y, g)
                                                       : scan_marked_piece(s, stock, at, k, &c, x, y, g);
        if (WEND__UNLIKELY(end == PIECE_STARVED)) {
            if (!first) wend__jump_save_place(s, x, y, g);
            return used;
        }
        used++;
        if (end == PIECE_ENDS) {
            wend__jump_of(s)->on_way = false;
            wend__jump_of(s)->exits &= ~(UINT32_C(16) << k);
            return used;
        }
        x += (int32_t)c.length * step_x(k), y += (int32_t)c.length * step_y(k);
        g += s->edge[WEND__NE] * wend__stop_of(s)->factor * c.length;
        first = 0;
        if (WEND__UNLIKELY(used + wend__jump_of(s)->owed >= budget ||
                           wend__jump_crowded(s, 0))) { /* as in jump search */
            wend__jump_save_place(s, x, y, g);
            return used;
        }
        wend__stop_ground_of(s, &next, x, y);
        at = &next;
    }
}

static WEND__NOINLINE uint64_t resume_diagonal(wend__search *s, wend__stock *stock, uint64_t budget) {
    const int32_t x = wend__jump_of(s)->x, y = wend__jump_of(s)->y;
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    const unsigned k = wend__ctz32(wend__jump_of(s)->exits) - 4;
    return scan_diagonal(s, stock, &at, k, x, y, wend__jump_of(s)->g, 0, budget);
}

/* Follows a diagonal exit of the node being expanded, if it is left. Returns false if budget or room ended first. */
WEND__INLINE bool follow_diagonal(wend__search *s, wend__stock *stock, const ground *at, const unsigned k, int32_t x,
                                  int32_t y, uint32_t g, uint64_t budget, uint64_t *used) {
    const uint32_t exit = UINT32_C(16) << k;
    if (!(wend__jump_of(s)->exits & exit)) return true;
    if (*used + wend__jump_of(s)->owed >= budget || wend__jump_crowded(s, 0)) return false;
    *used += scan_diagonal(s, stock, at, k, x, y, g, 1, budget - *used);
    return WEND__LIKELY(!(wend__jump_of(s)->exits & exit)); /* else the exit was interrupted */
}

static bool follow_link(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, uint32_t entered) {
    ground at;
    wend__stop_ground_of(s, &at, x, y);
    const uint32_t local = wend__stop_local(x, y);
    if (s->view->rules.factors[wend__chunk_class(at.chunk, local)] == 0) return true;
    if (at.units && wend__stop_unit_on(s, &at, x, y)) {
        if (wend__stop_of(s)->unit_cost == UINT32_MAX) return true;
        g += wend__stop_of(s)->unit_cost;
    }
    if (wend__stop_is_goal(&wend__stop_of(s)->goals, x, y)) {
        reach_goal(s, x, y, g, WEND__STOP_BY_LINK);
        return true;
    }
    return reach_in(s, stock, &at, x, y, g, entered, WEND__STOP_BY_LINK, false);
}

/* Follows the exits that lead over the rim. Returns false if room ended first. */
static WEND__NOINLINE bool follow_seams(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const uint32_t closely = goal_directions(s, at, x, y);
    for (; j->seams; j->seams &= j->seams - 1) {
        const unsigned d = wend__ctz32(j->seams);
        const wend_cell to = wend__wrapped_cell(s->version, (wend_cell){x + wend__dx[d], y + wend__dy[d], 0});
        const uint32_t g = j->jump.cell_g + s->edge[d < WEND__NE ? WEND__N : WEND__NE];
        if (wend__jump_crowded(s, 0)) return false;
        if (j->bare && d < WEND__NE && !(closely >> d & 1) && !leads_over(at, d, (unsigned)(d & 1 ? y : x) & 63))
            continue;
        if (d >= WEND__NE) {
            if (!follow_link(s, stock, to.x, to.y, g, 1u << d)) return false;
        } else if (!follow_rim_run(s, stock, (rim_run){to.x, to.y, g, d, WEND__STOP_ROUND, RIM_STEPS})) {
            return false;
        }
    }
    return true;
}

/* Follows the links of the node being expanded. Beyond a few, each two count as one. False if budget or room ended. */
static WEND__NOINLINE bool follow_links(wend__search *s, wend__stock *stock, const ground *at, int32_t x, int32_t y,
                                        uint64_t budget, uint64_t *used) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const wend__links *links = s->version->links;
    if (!follow_seams(s, stock, at, x, y)) return false;
    uint32_t count = 0;
    const wend__link *ways = NULL;
    if (!j->rim || wend__links_of_host(links))
        ways = wend__links_from(links, wend__cell_number(s->version, (wend_cell){x, y, 0}), &count);
    while (j->link < count) {
        if (wend__jump_crowded(s, 0)) return false;
        const wend_cell to = wend__cell_of_number(s->version, ways[j->link].to);
        const bool taken = !j->rim || ways[j->link].cost != WEND__SEAM;
        const uint32_t cost = taken ? wend__link_cost(s->view, &ways[j->link]) : 0;
        if (cost && !follow_link(s, stock, to.x, to.y, j->jump.cell_g + cost, 0xff)) return false;
        if (++j->link > WEND__FEW_LINKS && j->link % 2 == 0 && ++*used >= budget) return false;
    }
    j->leaps = false;
    return true;
}

/* Follows the remaining exits of the node being expanded, within budget and room. Returns the expansions spent. */
static inline uint64_t expand_node(wend__search *s, wend__stock *stock, const ground *at, uint64_t budget) {
    wend__stop_jump_search *j = wend__stop_of(s);
    const int32_t x = wend__jump_x(j->jump.cell), y = wend__jump_y(j->jump.cell);
    const uint32_t g = j->jump.cell_g;
    uint64_t used = 0;
    if (WEND__UNLIKELY(j->four)) return expand_four(s, stock, at, budget);
    if (WEND__UNLIKELY(j->leaps) && !follow_links(s, stock, at, x, y, budget, &used)) return used;
    if (j->jump.exits & 15) {
        if (!(!at->marked ? follow_straight(s, stock, at, x, y, g, j->jump.exits)
              : j->bare   ? follow_straight_near_rim(s, stock, at, x, y, g, j->jump.exits)
                          : follow_straight_marked(s, stock, at, x, y, g, j->jump.exits)))
            return used;
        j->jump.exits &= ~UINT32_C(15);
    }
    if (WEND__UNLIKELY(j->jump.on_way)) {
        used += resume_diagonal(s, stock, budget);
        if (j->jump.on_way) return used;
    }
    if (!follow_diagonal(s, stock, at, 0, x, y, g, budget, &used)) return used;
    if (!follow_diagonal(s, stock, at, 1, x, y, g, budget, &used)) return used;
    if (!follow_diagonal(s, stock, at, 2, x, y, g, budget, &used)) return used;
    (void)follow_diagonal(s, stock, at, 3, x, y, g, budget, &used);
    return used;
}

#endif
