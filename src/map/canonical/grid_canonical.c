/* SPDX-License-Identifier: MIT */
/* Canonical successors: the steps out of a cell that a search can omit, given how it
 * reached the cell.
 *
 * Let p be the cell before x, and n a cell after it. The step from x to n is left out if the
 * nine cells around x allow a path from p to n round x that is cheaper, or as cheap and diagonal
 * first (with 4 neighbours: vertical first). All nine cells must cost the same to enter, and no
 * step among them may be closed; else all steps are taken.
 *
 * No cheapest path is lost. Let x be the cell before n on a cheapest path to n, let the search
 * have reached x from p at that cost, and let the step to n be left out. The path through x is a
 * cheapest one, so the path round x costs the same: it goes from p diagonally to a cell y, and
 * from there straight to n. So y is before n on a cheapest path, too, and the search knows y at
 * its cost: it expanded p before x, or it knows y without it. Let q be the cell from which it
 * reached y. Does y leave out its straight step to n?
 *   - After the same straight step, or a diagonal one that turns by 45 degrees: never.
 *   - After a step at right angles: only for the diagonal from q to n, which is cheaper, as D < 2 S.
 *   - After any other step: only for a cheaper path.
 * Nothing is cheaper than the path through y. So y takes the step, and n gets its cost. (With 4
 * neighbours y is reached vertically and left horizontally; such a step is never left out.) The
 * proof needs S < D < 2 S.
 *
 * Between hexagons all steps cost the same, and a step is left out after one at 60 degrees if the
 * two in the other order are possible and its own direction is preferred; at more than 60 degrees p
 * is next to n. So if x leaves out a step to n, y takes one in a direction that is less preferred and
 * next to it on the circle, and so on: at most once round. The last cell of that chain takes its
 * step, and all of them are before n on a cheapest path.
 *
 * Where the cells around differ in what entering them costs more, p, x, n and p, y, n are compared with that of x and
 * y. Of two ways of the same cost the one is left out whose second step is diagonal. So the proof holds: where x leaves
 * out a step for a way of the same cost, that step is diagonal and the one from y is straight; y leaves its step out
 * for a cheaper way only. */
#include "map/canonical/canonical.h"
#include "map/store/rules.h"

static bool is_open(unsigned open, int x, int y) {
    const int32_t direction = wend__flat_direction(x, y);
    WEND__DEBUG_ASSERT(direction >= 0);
    return open >> direction & 1;
}

/* Returns whether the step (vx, vy) is worth taking after the straight step (ux, uy) to x. */
static bool after_straight(bool never, unsigned open, int ux, int uy, int vx, int vy) {
    const int along = ux * vx + uy * vy, sx = vx - along * ux, sy = vy - along * uy; /* v = along u + s */
    if (along < 0) return false;                                                     /* back, or to a neighbour of p */
    if (sx == 0 && sy == 0) return true;                                             /* straight on */
    const bool corner = !never || is_open(open, sx - ux, sy - uy); /* p may step diagonally to x + s */
    if (along == 0) return !corner;
    return !(is_open(open, sx, sy) && corner);
}

/* The same after a diagonal step. */
static bool after_diagonal(unsigned open, int ux, int uy, int vx, int vy) {
    if (vx == 0 || vy == 0) return vx == ux || vy == uy; /* a straight step is one half of u, or leads back */
    if (vx == ux && vy == uy) return true;
    if (vx == ux) return !is_open(open, 0, -uy); /* round a corner: needed if the straight way from p is blocked */
    if (vy == uy) return !is_open(open, -ux, 0);
    return false;
}

/* The same with 4 neighbours: if both ways round a corner are open, the vertical step comes
 * first. */
static bool after_one_of_4(unsigned open, int ux, int uy, int vx, int vy) {
    if (ux == vx && uy == vy) return true;
    if (ux == -vx && uy == -vy) return false;
    return ux == 0 || !is_open(open, vx - ux, vy - uy);
}

/* The same between hexagons. The later of two directions is preferred: an open list that pops the newest entry first
 * then goes straight to a goal on open ground. */
static bool after_one_of_6(unsigned open, unsigned arrival, unsigned d) {
    const int ux = wend__dx[arrival], uy = wend__dy[arrival], vx = wend__dx[d], vy = wend__dy[d];
    const int32_t round = wend__flat_direction(vx - ux, vy - uy);
    if (arrival == d || !(WEND__HEX_STEPS >> arrival & 1)) return true; /* only links arrive by other directions */
    if (round < 0 || !(WEND__HEX_STEPS >> round & 1)) return false;
    return d < arrival || !(open >> round & 1);
}

static bool worth_taking(int table, unsigned open, unsigned arrival, unsigned d) {
    const int ux = wend__dx[arrival], uy = wend__dy[arrival], vx = wend__dx[d], vy = wend__dy[d];
    if (table == WEND__GRID_CANONICAL_HEX) return after_one_of_6(open, arrival, d);
    if (table == WEND__GRID_CANONICAL_FOUR)
        return arrival >= WEND__NE || after_one_of_4(open, ux, uy, vx, vy); /* no step arrives diagonally */
    if (arrival < WEND__NE) return after_straight(table == WEND_CORNERS_NEVER, open, ux, uy, vx, vy);
    return after_diagonal(open, ux, uy, vx, vy);
}

static void fill_legal(int table, uint8_t legal[256]) {
    static const int32_t neighbours[WEND__GRID_CANONICAL_TABLES] = {8, 8, 8, 4, 6};
    const wend_map_rules rules = {.neighbours = neighbours[table], .corners = table};
    wend__legal_table(&rules, legal);
}

static wend__grid_canonical canonical_steps[WEND__GRID_CANONICAL_TABLES];

static void fill_canonical(int table) {
    wend__grid_canonical *out = &canonical_steps[table];
    fill_legal(table, (*out)[WEND__DIRECTIONS]);
    for (unsigned arrival = 0; arrival < WEND__DIRECTIONS; arrival++)
        for (unsigned open = 0; open < 256; open++) {
            uint8_t steps = 0;
            for (unsigned legal = (*out)[WEND__DIRECTIONS][open]; legal; legal &= legal - 1) {
                unsigned d = wend__ctz32(legal);
                if (worth_taking(table, open, arrival, d)) steps |= (uint8_t)(1u << d);
            }
            (*out)[arrival][open] = steps;
        }
}

const wend__grid_canonical *wend__grid_canonical_of(int table) {
    static wend__once once[WEND__GRID_CANONICAL_TABLES];
    wend__once_run(&once[table], fill_canonical, table);
    return &canonical_steps[table];
}

/* ---- cells with different costs to enter ---- */

/* Returns whether a step from a cell next to x, or from x, is legal; both of its ends are known to be open. */
static bool is_step(int table, unsigned open, int x, int y, int to_x, int to_y) {
    const int dx = to_x - x, dy = to_y - y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1) return false;
    if (dx == 0 || dy == 0) return true;
    if (table == WEND__GRID_CANONICAL_FOUR) return false;
    if (table == WEND__GRID_CANONICAL_HEX) return WEND__HEX_STEPS >> wend__flat_direction(dx, dy) & 1;
    const bool one = (to_x == 0 && y == 0) || is_open(open, to_x, y);
    const bool other = (x == 0 && to_y == 0) || is_open(open, x, to_y);
    return table == WEND_CORNERS_ALWAYS || (one && other) || (table == WEND_CORNERS_ONE && (one || other));
}

/* Finds the cell y, straight from x, of the way round x with as many steps of each kind, or two straight steps for two
 * diagonal ones. False: there is none. */
static bool way_round(unsigned arrival, unsigned d, int *x, int *y) {
    const int ux = wend__dx[arrival], uy = wend__dy[arrival], vx = wend__dx[d], vy = wend__dy[d];
    if (arrival < WEND__NE) {
        *x = vx - ux, *y = vy - uy;
        return d >= WEND__NE && ux * vx + uy * vy > 0;
    }
    *x = vx == ux ? 0 : -ux, *y = vx == ux ? -uy : 0;
    if (d < WEND__NE) return ux * vx + uy * vy > 0;
    return ux * vx + uy * vy == 0;
}

static void fill_toll_steps(int table, unsigned arrival, unsigned open, const uint8_t legal[256],
                            wend__grid_toll_steps *out) {
    const int px = -wend__dx[arrival], py = -wend__dy[arrival];
    uint8_t always = 0, asked = 0;
    for (unsigned steps = legal[open]; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const int nx = wend__dx[d], ny = wend__dy[d];
        int x, y;
        if ((nx == px && ny == py) || is_step(table, open, px, py, nx, ny)) continue;
        const bool round = way_round(arrival, d, &x, &y) && is_open(open, x, y) && is_step(table, open, px, py, x, y) &&
                           is_step(table, open, x, y, nx, ny);
        *(round ? &asked : &always) |= (uint8_t)(1u << d);
    }
    out->always[arrival][open] = always;
    out->asked[arrival][open] = asked;
}

/* Returns whether a step is to be taken despite a way round by a cell with this comparison. */
static bool is_kept(unsigned arrival, unsigned d, unsigned compared) {
    if (arrival < WEND__NE) return compared >= WEND__TOLL_MORE;
    return compared >= (d < WEND__NE ? WEND__TOLL_EQUAL : WEND__TOLL_MUCH_MORE);
}

static uint8_t kept_steps(unsigned arrival, unsigned compared) {
    uint8_t steps = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        int x, y;
        if (!way_round(arrival, d, &x, &y) || (x != 0) == (y != 0)) continue;
        if (is_kept(arrival, d, compared >> 2 * wend__flat_direction(x, y) & 3)) steps |= (uint8_t)(1u << d);
    }
    return steps;
}

static wend__grid_toll_steps toll_steps[WEND__GRID_CANONICAL_TABLES];

static void fill_tolls(int table) {
    wend__grid_toll_steps *out = &toll_steps[table];
    fill_legal(table, out->always[WEND__DIRECTIONS]);
    for (unsigned arrival = 0; arrival < WEND__DIRECTIONS; arrival++)
        for (unsigned open = 0; open < 256; open++)
            fill_toll_steps(table, arrival, open, out->always[WEND__DIRECTIONS], out);
    for (unsigned arrival = 0; arrival < WEND__DIRECTIONS; arrival++)
        for (unsigned compared = 0; compared < 256; compared++)
            out->kept[arrival][compared] = kept_steps(arrival, compared);
}

const wend__grid_toll_steps *wend__grid_toll_steps_of(int table) {
    static wend__once once[WEND__GRID_CANONICAL_TABLES];
    wend__once_run(&once[table], fill_tolls, table);
    return &toll_steps[table];
}

int wend__grid_canonical_choose(const wend_map_rules *rules) {
    if (rules->neighbours == 4) return WEND__GRID_CANONICAL_FOUR;
    if (rules->neighbours == 6) return WEND__GRID_CANONICAL_HEX;
    bool between = rules->cost_straight < rules->cost_diagonal && rules->cost_diagonal < 2 * rules->cost_straight;
    return between ? rules->corners : -1;
}

void wend__canonical_prepare(int32_t kind, const wend_map_rules *rules) {
    const int table = kind == WEND_KIND_GRID    ? wend__grid_canonical_choose(rules)
                      : kind == WEND_KIND_VOXEL ? wend__voxel_canonical_choose(rules)
                                                : -1;
    if (table < 0) return;
    if (kind == WEND_KIND_GRID)
        (void)wend__grid_canonical_of(table);
    else
        (void)wend__voxel_canonical_of(table);
}

/* Returns whether all cells of the chunk and of the chunks around it cost 1, without closed steps. */
bool wend__grid_canonical_holds(const wend__version *v, int32_t column, int32_t row) {
    for (int32_t y = row - 1; y <= row + 1; y++)
        for (int32_t x = column - 1; x <= column + 1; x++) {
            if (x < 0 || y < 0 || x >= v->chunk_columns || y >= v->chunk_rows) continue;
            const wend__chunk *chunk = wend__version_chunk(v, x, y);
            if (chunk->max_factor > 1 || chunk->closed_near) return false;
        }
    return true;
}
