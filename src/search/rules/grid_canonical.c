/* SPDX-License-Identifier: MIT */
/* Canonical successors: the steps out of a cell that a search can leave out, given how it
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
 * step, and all of them are before n on a cheapest path. */
#include "map/store/rules.h"
#include "search/rules/canonical.h"

static bool is_open(unsigned open, int x, int y) {
    return open >> wend__flat_direction(x, y) & 1;
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
    if (vx == ux) return !is_open(open, 0, -uy); /* round a corner: needed where the straight way from p is blocked */
    if (vy == uy) return !is_open(open, -ux, 0);
    return false;
}

/* The same with 4 neighbours: where both ways round a corner are open, the vertical step comes
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
    if (arrival == d || !(WEND__HEX_STEPS >> arrival & 1)) return true; /* none arrives by another but by a link */
    if (round < 0 || !(WEND__HEX_STEPS >> round & 1)) return false;
    return d < arrival || !(open >> round & 1);
}

static bool worth_taking(int table, unsigned open, unsigned arrival, unsigned d) {
    const int ux = wend__dx[arrival], uy = wend__dy[arrival], vx = wend__dx[d], vy = wend__dy[d];
    if (table == WEND__GRID_CANONICAL_HEX) return after_one_of_6(open, arrival, d);
    if (table == WEND__GRID_CANONICAL_FOUR)
        return arrival >= WEND__NE || after_one_of_4(open, ux, uy, vx, vy); /* none arrives diagonally */
    if (arrival < WEND__NE) return after_straight(table == WEND_CORNERS_NEVER, open, ux, uy, vx, vy);
    return after_diagonal(open, ux, uy, vx, vy);
}

void wend__grid_canonical_fill(wend__grid_canonical tables[WEND__GRID_CANONICAL_TABLES]) {
    for (int table = 0; table < WEND__GRID_CANONICAL_TABLES; table++) {
        static const int32_t neighbours[WEND__GRID_CANONICAL_TABLES] = {8, 8, 8, 4, 6};
        const wend_map_rules rules = {.neighbours = neighbours[table], .corners = table};
        wend__legal_table(&rules, tables[table][WEND__DIRECTIONS]);
        for (unsigned arrival = 0; arrival < WEND__DIRECTIONS; arrival++)
            for (unsigned open = 0; open < 256; open++) {
                uint8_t steps = 0;
                for (unsigned legal = tables[table][WEND__DIRECTIONS][open]; legal; legal &= legal - 1) {
                    unsigned d = wend__ctz32(legal);
                    if (worth_taking(table, open, arrival, d)) steps |= (uint8_t)(1u << d);
                }
                tables[table][arrival][open] = steps;
            }
    }
}

int wend__grid_canonical_choose(const wend_map_rules *rules) {
    if (rules->neighbours == 4) return WEND__GRID_CANONICAL_FOUR;
    if (rules->neighbours == 6) return WEND__GRID_CANONICAL_HEX;
    bool between = rules->cost_straight < rules->cost_diagonal && rules->cost_diagonal < 2 * rules->cost_straight;
    return between ? rules->corners : -1;
}

/* All cells of the chunk and of the chunks around it cost 1, without closed steps. */
bool wend__grid_canonical_holds(const wend__version *v, int32_t column, int32_t row) {
    for (int32_t y = row - 1; y <= row + 1; y++)
        for (int32_t x = column - 1; x <= column + 1; x++) {
            if (x < 0 || y < 0 || x >= v->chunk_columns || y >= v->chunk_rows) continue;
            const wend__chunk *chunk = wend__version_chunk(v, x, y);
            if (chunk->max_factor > 1 || chunk->closed_near) return false;
        }
    return true;
}
