/* SPDX-License-Identifier: MIT */
/* The rules of flat grids, as in docs/semantics.md: where movers fit, which steps are allowed, and their costs. */
#include "exact/exact.h"
#include "models/options.h"

#include <stdlib.h>
#include <string.h>

const int exact_dx[8] = {0, 1, 0, -1, 1, 1, -1, -1}, exact_dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

wend_cell exact_cell(const exact_world *w, int number) {
    return (wend_cell){number % w->width, number / w->width, 0};
}

int exact_number(const exact_world *w, wend_cell cell) {
    return cell.y * w->width + cell.x;
}

bool exact_on(const exact_world *w, int x, int y) {
    return x >= 0 && y >= 0 && x < w->width && y < w->height;
}

/* ---- terrain ---- */

/* S26: the mover fits where all covered cells are open for it, and pays for the most expensive one. */
static int fit(const exact_world *w, const wend_mover *mover, int x, int y) {
    int dearest = 0;
    for (int j = y; j < y + mover->size; j++)
        for (int i = x; i < x + mover->size; i++) {
            const int factor = exact_on(w, i, j) ? mover->factors[w->terrain[j * w->width + i]] : 0;
            if (factor == 0) return 0;
            if (factor > dearest) dearest = factor;
        }
    return dearest;
}

static int factor_at(const exact_world *w, int mover, int x, int y) {
    return exact_on(w, x, y) ? w->factor[mover][y * w->width + x] : 0;
}

/* S26: closed for any covered cell. */
static bool is_closed(const exact_world *w, int mover, int x, int y, int d) {
    const int size = w->movers[mover].size;
    for (int j = y; j < y + size; j++)
        for (int i = x; i < x + size; i++)
            if (exact_on(w, i, j) && w->closed[j * w->width + i] >> d & 1) return true;
    return false;
}

/* S7: may the mover go straight from a cell to the next? */
static bool goes(const exact_world *w, int mover, int x, int y, int d) {
    return factor_at(w, mover, x + exact_dx[d], y + exact_dy[d]) > 0 && !is_closed(w, mover, x, y, d);
}

/* S7: a diagonal has two ways round, by its column first or by its row first. */
static bool is_legal(const exact_world *w, int mover, int x, int y, int d) {
    if (!goes(w, mover, x, y, d)) return false;
    if (d < 4) return true;
    if (w->rules.neighbours == 6) return exact_dx[d] != exact_dy[d];
    if (w->rules.neighbours == 4) return false;
    if (w->rules.corners == WEND_CORNERS_ALWAYS) return true;
    const int level = exact_dx[d] > 0 ? 1 : 3, upright = exact_dy[d] > 0 ? 2 : 0;
    const bool by_row = goes(w, mover, x, y, level) && goes(w, mover, x + exact_dx[d], y, upright);
    const bool by_column = goes(w, mover, x, y, upright) && goes(w, mover, x, y + exact_dy[d], level);
    return w->rules.corners == WEND_CORNERS_NEVER ? by_row && by_column : by_row || by_column;
}

void exact_derive(exact_world *w) {
    memset(w->entrance, 0, sizeof w->entrance);
    for (int i = 0; i < w->link_count; i++) w->entrance[exact_number(w, w->links[i].from)] = 1;
    for (int mover = 0; mover < w->mover_count; mover++) {
        for (int i = 0; i < w->cells; i++)
            w->factor[mover][i] = (uint8_t)fit(w, &w->movers[mover], i % w->width, i / w->width);
        for (int i = 0; i < w->cells; i++) {
            unsigned mask = 0;
            for (int d = 0; d < 8; d++) mask |= (unsigned)is_legal(w, mover, i % w->width, i / w->width, d) << d;
            w->legal[mover][i] = (uint8_t)mask;
        }
    }
}

/* ---- units ---- */

static bool covers(const wend_mover *mover, wend_cell at, int x, int y) {
    return x >= at.x && y >= at.y && x < at.x + mover->size && y < at.y + mover->size;
}

/* S24: units farther from the start are ignored. */
static bool counts(const wend_request *request, int x, int y) {
    const int within = read_options(request).occupied_within;
    if (within == WEND_EVERYWHERE) return true;
    return abs(x - request->start.x) <= within && abs(y - request->start.y) <= within;
}

/* S24: any covered cell counts, except cells that the mover covers at its start. */
bool exact_crowded(const exact_world *w, const wend_request *request, wend_cell cell) {
    const wend_mover *mover = &w->movers[request->mover];
    if (read_options(request).occupied == WEND_OCCUPIED_IGNORE) return false;
    for (int y = cell.y; y < cell.y + mover->size; y++)
        for (int x = cell.x; x < cell.x + mover->size; x++) {
            if (!exact_on(w, x, y) || w->occupants[y * w->width + x] == 0) continue;
            if (counts(request, x, y) && !covers(mover, request->start, x, y)) return true;
        }
    return false;
}

/* ---- prices ---- */

static int direction_to(wend_cell a, wend_cell b) {
    for (int d = 0; d < 8; d++)
        if (b.x - a.x == exact_dx[d] && b.y - a.y == exact_dy[d] && b.z == a.z) return d;
    return -1;
}

/* S9, S11, S24, and layers. */
int64_t exact_price(const exact_world *w, const wend_request *request, wend_cell a, wend_cell b) {
    const int mover = request->mover, to = exact_number(w, b), d = direction_to(a, b);
    int64_t price = -1;
    if (d >= 0 && w->legal[mover][exact_number(w, a)] >> d & 1)
        price = (int64_t)(d < 4 || w->rules.neighbours == 6 ? w->rules.cost_straight : w->rules.cost_diagonal) *
                w->factor[mover][to];
    for (int i = 0; i < w->link_count; i++) {
        const wend_link *link = &w->links[i];
        if (memcmp(&link->from, &a, sizeof a) != 0 || memcmp(&link->to, &b, sizeof b) != 0) continue;
        if (w->factor[mover][to] && world_takes(w->movers, mover, link) && (price < 0 || link->cost < price))
            price = link->cost;
    }
    if (price < 0) return price;
    price += w->tolls[read_options(request).profile][to];
    if (!exact_crowded(w, request, b)) return price;
    return read_options(request).occupied == WEND_OCCUPIED_BLOCK ? -1 : price + read_options(request).occupied;
}

int64_t exact_walk(const exact_world *w, const wend_request *request, const wend_cell *cells, size_t count) {
    int64_t total = 0;
    for (size_t i = 0; i < count; i++)
        if (!exact_on(w, cells[i].x, cells[i].y) || cells[i].z != 0) return -1;
    for (size_t i = 0; i + 1 < count; i++) {
        const int64_t price = exact_price(w, request, cells[i], cells[i + 1]);
        if (price < 0) return -1;
        total += price;
    }
    return total;
}

/* S5, S25. */
bool exact_target(const exact_world *w, const wend_request *request, wend_cell cell) {
    if (w->factor[request->mover][exact_number(w, cell)] == 0) return false;
    if (read_options(request).occupied == WEND_OCCUPIED_BLOCK && exact_crowded(w, request, cell)) return false;
    for (uint32_t i = 0; i <= read_options(request).more_goal_count; i++) {
        const wend_cell goal = i == 0 ? request->goal : read_options(request).more_goals[i - 1];
        if (abs(cell.x - goal.x) <= request->reach && abs(cell.y - goal.y) <= request->reach) return true;
    }
    return false;
}
