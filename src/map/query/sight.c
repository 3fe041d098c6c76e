/* SPDX-License-Identifier: MIT */
/* Line of sight: the cells that the straight line between two centres passes through, in integers. */
#include "map/ground/ground.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walls.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"

/* ---- among voxels: the cells that the line between two centres passes through, in integers ---- */

typedef struct line {
    const wend__version *version;
    int32_t sign[3];      ///< along x, y, z
    int64_t cells[3];     ///< number of steps along each
    int32_t direction[8]; ///< number of a step along some axes (bit 0: x) among the 26
} line;

static wend_cell beside(const line *l, wend_cell c, unsigned axes) {
    c.x += axes & 1 ? l->sign[0] : 0;
    c.y += axes & 2 ? l->sign[1] : 0;
    c.z += axes & 4 ? l->sign[2] : 0;
    return c;
}

static bool leads(const line *l, wend_cell from, unsigned axes) {
    return wend__voxel_steps(l->version, from) >> l->direction[axes] & 1;
}

/* Returns true if every order of straight steps along some axes is possible. */
static bool every_way(const line *l, wend_cell from, unsigned axes) {
    for (unsigned gone = 0; gone < axes; gone++)
        for (unsigned next = 1; next < 8; next <<= 1)
            if ((gone & ~axes) == 0 && next & axes & ~gone && !leads(l, beside(l, from, gone), next)) return false;
    return true;
}

/* Returns whether the line passes a side, an edge or a corner of the cell: if the rules have such a step, by that
   step. Else all cells around have to be open, as on a flat grid. The result is the same from either end. */
static bool passes(const line *l, wend_cell from, unsigned axes) {
    uint32_t step = UINT32_C(1) << l->direction[axes];
    if (wend__voxel_every_step(l->version) & step) return leads(l, from, axes);
    return every_way(l, from, axes);
}

/* With a steps of the n along an axis behind it, the line leaves the cell there at (2a + 1) / 2n of its length; through
   an edge or a corner if those are equal. An axis with no step left comes after all others. */
static unsigned next_axes(const line *l, const int64_t gone[3]) {
    unsigned axes = 0, first = 3;
    for (unsigned i = 0; i < 3; i++) {
        if (gone[i] == l->cells[i]) continue;
        int64_t later = axes ? (2 * gone[i] + 1) * l->cells[first] - (2 * gone[first] + 1) * l->cells[i] : -1;
        if (later < 0) axes = 0, first = i;
        if (later <= 0) axes |= 1u << i;
    }
    return axes;
}

/* Returns the last cell that the straight line from an open voxel reaches. */
static wend_cell space_line_end(const wend__version *version, wend_cell from, wend_cell to) {
    const int32_t way[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    line l = {.version = version};
    int64_t gone[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        l.sign[i] = way[i] < 0 ? -1 : 1;
        l.cells[i] = (int64_t)way[i] * l.sign[i];
    }
    for (unsigned axes = 1; axes < 8; axes++) {
        wend_cell step = beside(&l, (wend_cell){0, 0, 0}, axes);
        l.direction[axes] = wend__space_direction(step.x, step.y, step.z);
    }
    for (unsigned axes; (axes = next_axes(&l, gone)) != 0 && passes(&l, from, axes);) {
        from = beside(&l, from, axes);
        for (unsigned i = 0; i < 3; i++) gone[i] += axes >> i & 1;
    }
    return from;
}

/* Coordinates may lie over the rim of a map that wraps. */
static bool open_cell(const wend__version *v, int32_t x, int32_t y) {
    const wend_cell cell = wend__wrapped_cell(v, (wend_cell){x, y, 0});
    return wend__on_map(v, cell.x, cell.y) && wend__version_factor(v, cell.x, cell.y) != 0;
}

/* Returns true if a step between two cells of the map is not closed. */
static bool not_closed(const wend__version *v, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return v->closed_steps == 0 ||
           !(wend__closed_at(v, wend__wrapped_cell(v, (wend_cell){x, y, 0})) >> wend__flat_direction(dx, dy) & 1);
}

/* Returns whether there is a way round a corner by the cell (x + ax, y + ay), and from there on by (bx, by). */
static bool way_round(const wend__version *v, int32_t x, int32_t y, int32_t ax, int32_t ay, int32_t bx, int32_t by) {
    return open_cell(v, x + ax, y + ay) && not_closed(v, x, y, ax, ay) && not_closed(v, x + ax, y + ay, bx, by);
}

/* Returns whether the line passes the corner between (x, y) and (x + dx, y + dy). The rule treats both ways round
   alike, so the result is the same from either end, except for steps that are closed in one direction. */
static bool corner_open(const wend__version *v, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    int ways = way_round(v, x, y, dx, 0, 0, dy) + way_round(v, x, y, 0, dy, dx, 0);
    if (v->rules.neighbours == 4 || v->rules.corners == WEND_CORNERS_NEVER) return ways == 2;
    return v->rules.corners == WEND_CORNERS_ALWAYS || ways > 0;
}

/* Returns true if a step straight to a cell of the map is legal where that cell is open. */
static bool open_suffices(const wend__version *v) {
    return v->rules.neighbours == 8 && v->closed_steps == 0 && !v->walker.headroom;
}

/* Returns whether the line goes on to a neighbour. The masks suffice, except over a rim and, with closed steps or four
   neighbours, through a corner. */
static bool goes_on(const wend__version *v, wend_cell at, int32_t dx, int32_t dy) {
    if ((dx == 0 || dy == 0) && open_suffices(v) && wend__on_map(v, at.x + dx, at.y + dy))
        return wend__version_factor(v, at.x + dx, at.y + dy) != 0;
    const wend_cell here = wend__wrapped_cell(v, at);
    const bool corner = dx != 0 && dy != 0, eight = v->rules.neighbours == 8;
    if (wend__on_map(v, here.x + dx, here.y + dy)) {
        const wend__place p = wend__place_of(v, here);
        const wend__chunk *chunk = wend__version_chunk(v, p.column, p.row);
        if (!corner || (eight && !chunk->closed_near))
            return wend__chunk_steps(v, chunk, p.local) >> wend__flat_direction(dx, dy) & 1;
    }
    if (corner && !corner_open(v, at.x, at.y, dx, dy)) return false;
    const bool step = !corner || eight; /* else no step can be closed */
    return open_cell(v, at.x + dx, at.y + dy) && (!step || not_closed(v, at.x, at.y, dx, dy));
}

/* A walk along a line, cell by cell. With i columns and j rows behind it, the line leaves a cell through its vertical
   side where (2i + 1) / columns < (2j + 1) / rows, and through the corner where they are equal. */
typedef struct line_walk {
    wend_cell at;
    int32_t dx, dy;
    int64_t columns, rows, left; ///< cells to go
    int64_t side;                ///< (2i + 1) × rows − (2j + 1) × columns
} line_walk;

/* Returns the walk of the shorter way round if the map wraps. */
static line_walk line_walk_of(const wend__version *v, wend_cell from, wend_cell to) {
    const wend_cell way = wend__ground_difference(v, from, to);
    line_walk w = {.at = from, .dx = way.x < 0 ? -1 : 1, .dy = way.y < 0 ? -1 : 1};
    w.columns = (int64_t)way.x * w.dx, w.rows = (int64_t)way.y * w.dy;
    w.side = w.rows - w.columns, w.left = w.columns + w.rows;
    return w;
}

static inline void line_walk_on(line_walk *w, int32_t x, int32_t y) {
    w->at.x += x, w->at.y += y;
    w->left -= w->side == 0 ? 2 : 1;
    w->side += (x ? 2 * w->rows : 0) - (y ? 2 * w->columns : 0);
}

/* Returns how many cells next to column x of a row of 64 are open, one after another. */
static inline int64_t open_beside(uint64_t open, int32_t x, int32_t dx) {
    const uint64_t blocked = dx > 0 ? ~open >> x >> 1 : ~open << (63 - x) << 1;
    if (!blocked) return dx > 0 ? 63 - x : x;
    return dx > 0 ? (int64_t)wend__ctz64(blocked) : 63 - (int64_t)wend__top64(blocked);
}

/* A line in a chunk of rows of open cells. */
typedef struct row_walk {
    wend__open_rows open;
    const wend__closed *closed; ///< NULL: no step out of a cell of the chunk is closed
    int32_t ways;               ///< how many ways round a corner have to be open
} row_walk;

static bool row_walk_of(const wend__version *v, const wend__chunk *chunk, row_walk *out) {
    const bool never = v->rules.neighbours == 4 || v->rules.corners == WEND_CORNERS_NEVER;
    if (v->walker.headroom || wend__wraps(v) || !wend__open_rows_of(v->rules.factors, chunk, &out->open)) return false;
    out->closed = chunk->closed;
    out->ways = never ? 2 : v->rules.corners != WEND_CORNERS_ALWAYS;
    return true;
}

static bool step_closed(const row_walk *r, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return r->closed && r->closed->steps[y << WEND__CHUNK_SHIFT | x] >> wend__flat_direction(dx, dy) & 1;
}

/* Returns for how many of these cells along the row the line can go on. */
static int64_t open_run(const row_walk *r, uint64_t row, int32_t x, int32_t y, int32_t dx, int64_t most) {
    const int64_t open = open_beside(row, x, dx), run = open < most ? open : most;
    if (!r->closed) return run;
    for (int64_t k = 0; k < run; k++)
        if (step_closed(r, x + (int32_t)k * dx, y, dx, 0)) return k;
    return run;
}

/* Returns whether the line goes through the corner to the next row. With closed steps near, goes_on() decides. */
static bool corner_passes(const row_walk *r, int32_t x, int32_t y, int32_t dx, int32_t dy, uint64_t here,
                          uint64_t next) {
    const uint32_t *closed = r->closed ? r->closed->steps + (y << WEND__CHUNK_SHIFT | x) : NULL;
    if (closed && (closed[0] | closed[dx] | closed[dy * WEND__CHUNK_SIDE] | closed[dy * WEND__CHUNK_SIDE + dx]))
        return false;
    return (int32_t)((here >> (x + dx) & 1) + (next >> x & 1)) >= r->ways;
}

/* A line in a chunk, at a cell of a row: `run` columns further it leaves the row, through the corner where `over` is 0.
 * After the first row, the columns to the next one are one of two numbers. */
typedef struct in_rows {
    int64_t rows, change; ///< `over` grows by `rows` a column, and by `change` in a row of `each` columns
    int64_t each, over, run, left;
    int32_t x, y, dx, dy;
} in_rows;

static in_rows in_rows_of(const line_walk *w) {
    in_rows l = {.rows = 2 * w->rows, .over = w->side, .run = w->left, .left = w->left, .dx = w->dx, .dy = w->dy};
    l.x = w->at.x & 63, l.y = w->at.y & 63;
    if (l.rows == 0) return l;
    const uint32_t rows = (uint32_t)l.rows; /* divisions in 32 bits are faster */
    l.each = (int64_t)((uint32_t)(2 * w->columns) / rows), l.change = l.rows * l.each - 2 * w->columns;
    l.run = w->side < 0 ? (int64_t)((uint32_t)(l.rows - 1 - w->side) / rows) : 0;
    l.over += l.rows * l.run;
    return l;
}

static inline void to_next_row(in_rows *l, bool corner) {
    l->y += l->dy, l->left -= l->run + 1 + corner, l->over += l->change;
    const int64_t more = l->over < 0;
    l->run = l->each + more - corner, l->over += l->rows & -more;
}

/* Passes the rows that the line leaves by a side, where no step is closed. @return the open cells of its row then */
static inline uint64_t pass_rows(const wend__open_rows *open, in_rows *at) {
    in_rows l = *at;
    uint64_t here = wend__row_of(open, l.y);
    while (l.over > 0 && l.run < l.left) {
        const int64_t x = l.x + l.run * l.dx;
        if (((x | (l.y + l.dy)) & ~INT64_C(63)) != 0) break;
        const uint64_t passed = wend__low_bits((unsigned)l.run + 1) << (l.dx < 0 ? x : l.x);
        const uint64_t next = wend__row_of(open, l.y + l.dy);
        if ((passed & ~here) | (~next >> x & 1)) break;
        l.x = (int32_t)x, here = next;
        to_next_row(&l, false);
    }
    *at = l;
    return here;
}

/* Goes on in a row and out of it. @return false: not into another row of the chunk */
static bool pass_row(const row_walk *r, in_rows *l, uint64_t here) {
    const int64_t most = l->run < l->left ? l->run : l->left;
    const int64_t gone = most > 0 ? open_run(r, here, l->x, l->y, l->dx, most) : 0;
    l->x += (int32_t)gone * l->dx, l->run -= gone, l->left -= gone;
    if (l->run > 0 || l->left == 0) return false;
    const bool corner = l->over == 0;
    const int32_t dx = corner ? l->dx : 0, dy = l->dy;
    if ((((l->y + dy) | (l->x + dx)) & ~63) != 0) return false;
    const uint64_t next = wend__row_of(&r->open, l->y + dy);
    if (!(next >> (l->x + dx) & 1)) return false;
    if (corner ? !corner_passes(r, l->x, l->y, dx, dy, here, next) : step_closed(r, l->x, l->y, 0, dy)) return false;
    l->x += dx;
    to_next_row(l, corner);
    return true;
}

/* As walk_in_chunk(), but a row at a time. */
static void walk_rows(const row_walk *r, line_walk *w) {
    in_rows l = in_rows_of(w);
    while (pass_row(r, &l, r->closed ? wend__row_of(&r->open, l.y) : pass_rows(&r->open, &l))) continue;
    w->at.x += l.x - (w->at.x & 63), w->at.y += l.y - (w->at.y & 63);
    w->left = l.left, w->side = l.over - l.rows * l.run;
}

/* Goes as far as masks suffice: not out of the chunk, through walls or through some corners (see goes_on()). */
static void walk_in_chunk(const wend__version *v, line_walk *w) {
    const wend__place p = wend__place_of(v, w->at);
    const wend__chunk *chunk = wend__version_chunk(v, p.column, p.row);
    row_walk r;
    if (row_walk_of(v, chunk, &r)) {
        walk_rows(&r, w);
        return;
    }
    const bool corners = v->rules.neighbours == 8 && !chunk->closed_near;
    const int32_t column = w->at.x & ~(WEND__CHUNK_SIDE - 1), row = w->at.y & ~(WEND__CHUNK_SIDE - 1);
    line_walk now = *w;
    while (now.left > 0) {
        const int32_t x = now.side <= 0 ? now.dx : 0, y = now.side >= 0 ? now.dy : 0;
        const uint32_t local = (uint32_t)((now.at.y - row) << WEND__CHUNK_SHIFT | (now.at.x - column));
        if (!corners && x && y) break;
        if (!(wend__chunk_steps(v, chunk, local) >> wend__flat_directions[y * 3 + x + 4] & 1)) break;
        line_walk_on(&now, x, y);
        if (((now.at.x ^ column) | (now.at.y ^ row)) & ~(WEND__CHUNK_SIDE - 1)) break;
    }
    *w = now;
}

/* The same on a map with sheets: the line between the places of both, over seams. */
static wend_cell walk_over_sheets(const wend__version *v, wend_cell from, wend_cell to) {
    line_walk w = line_walk_of(v, wend__place_on_ground(v, from), wend__place_on_ground(v, to));
    w.at = from;
    for (;;) {
        wend_cell next;
        walk_in_chunk(v, &w);
        const int32_t x = w.side <= 0 ? w.dx : 0, y = w.side >= 0 ? w.dy : 0;
        if (w.left <= 0 || !wend__step_over(v, w.at, x, y, &next)) return w.at;
        line_walk_on(&w, x, y);
        w.at = next;
    }
}

/* Returns the last cell of the way from an open cell. */
static wend_cell walk_line(const wend__version *v, wend_cell from, wend_cell to) {
    if (WEND__UNLIKELY(v->sheets)) return walk_over_sheets(v, from, to);
    line_walk w = line_walk_of(v, from, to);
    for (;;) {
        if (wend__on_map(v, w.at.x, w.at.y)) walk_in_chunk(v, &w);
        if (w.left <= 0) break;
        const int32_t x = w.side <= 0 ? w.dx : 0, y = w.side >= 0 ? w.dy : 0;
        if (!goes_on(v, w.at, x, y)) break;
        line_walk_on(&w, x, y);
    }
    return wend__wrapped_cell(v, w.at);
}

wend_cell wend__sight_end(const wend__version *view, wend_cell from, wend_cell to) {
    if (wend__cell_factor(view, from) == 0) return from;
    return view->kind == WEND_KIND_VOXEL ? space_line_end(view, from, to) : walk_line(view, from, to);
}

wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to, bool *visible,
                                  wend_cell *last) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "from", from);
    if (!error) error = wend__check_cell(map, "to", to);
    if (!error) error = wend__check_lines(map);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const wend__version *view = wend__version_view(v, mover);
    const wend_cell end = wend__sight_end(view, from, to);
    const bool sees = wend__same_cell(end, to) && wend__cell_factor(view, from) != 0;
    wend__map_release(v, false);
    if (visible) *visible = sees;
    if (last) *last = end;
    return WEND_OK;
}
