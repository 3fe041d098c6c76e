/* SPDX-License-Identifier: MIT */
/* Lines by geometry: each cell of the box around the line is cut with the line. */
#include "models/line_model.h"

#include <math.h>
#include <stdlib.h>

static int64_t component(wend_cell c, int axis) {
    return axis == 0 ? c.x : axis == 1 ? c.y : c.z;
}

/* Cut the line with the slab of one axis in which the cell lies. */
static bool cut_axis(wend_cell a, wend_cell b, wend_cell c, int axis, int64_t whole, line_part *part) {
    int64_t way = llabs(component(b, axis) - component(a, axis)), gone = llabs(component(c, axis) - component(a, axis));
    if (way == 0) return gone == 0;
    int64_t low = whole / (2 * way) * (2 * gone - 1), high = whole / (2 * way) * (2 * gone + 1);
    if (low > part->low) part->low = low;
    if (high < part->high) part->high = high;
    return part->low < part->high;
}

static int by_place(const void *a, const void *b) {
    int64_t x = ((const line_part *)a)->low, y = ((const line_part *)b)->low;
    return (x > y) - (x < y);
}

static int32_t lesser(int32_t a, int32_t b) {
    return a < b ? a : b;
}

int line_parts(const world *w, wend_cell a, wend_cell b, line_part *parts, int64_t *whole) {
    int count = 0;
    (void)w;
    *whole = 2;
    for (int axis = 0; axis < 3; axis++) {
        int64_t way = llabs(component(b, axis) - component(a, axis));
        if (way) *whole *= way;
    }
    wend_cell low = {lesser(a.x, b.x), lesser(a.y, b.y), lesser(a.z, b.z)}, c;
    wend_cell high = {a.x + b.x - low.x, a.y + b.y - low.y, a.z + b.z - low.z};
    for (c.z = low.z; c.z <= high.z; c.z++)
        for (c.y = low.y; c.y <= high.y; c.y++)
            for (c.x = low.x; c.x <= high.x; c.x++) {
                line_part part = {0, *whole, c};
                bool meets = true;
                for (int axis = 0; axis < 3; axis++) meets = meets && cut_axis(a, b, c, axis, *whole, &part);
                if (meets) parts[count++] = part;
            }
    qsort(parts, (size_t)count, sizeof *parts, by_place);
    return count;
}

static uint64_t model_step(const world *w, int mover, wend_cell a, wend_cell b) {
    wend_request request = default_request();
    request.mover = mover;
    return world_step(w, &request, a, b);
}

/* Returns whether the rules have a step between neighbours, whether or not it is allowed. */
static bool is_rule(const world *w, wend_cell a, wend_cell b) {
    wend_cell to;
    for (int i = 0; i < 27; i++)
        if (world_neighbour(w, a, i, &to) && to.x == b.x && to.y == b.y && to.z == b.z) return true;
    return false;
}

/* By every order of straight steps. */
static bool every_way(const world *w, int mover, wend_cell a, wend_cell b) {
    const wend_cell next[3] = {{b.x, a.y, a.z}, {a.x, b.y, a.z}, {a.x, a.y, b.z}};
    bool same = a.x == b.x && a.y == b.y && a.z == b.z;
    for (int i = 0; i < 3 && !same; i++) {
        if (next[i].x == a.x && next[i].y == a.y && next[i].z == a.z) continue;
        if (model_step(w, mover, a, next[i]) == UINT64_MAX || !every_way(w, mover, next[i], b)) return false;
    }
    return true;
}

bool line_walkable(const world *w, int mover, wend_cell a, wend_cell b) {
    line_part parts[WORLD_CELLS];
    int64_t whole;
    int count = line_parts(w, a, b, parts, &whole);
    for (int i = 0; i + 1 < count; i++) {
        wend_cell from = parts[i].cell, to = parts[i + 1].cell;
        bool good = is_rule(w, from, to) ? model_step(w, mover, from, to) != UINT64_MAX : every_way(w, mover, from, to);
        if (!good) return false;
    }
    return true;
}

double line_price(const world *w, int mover, wend_cell a, wend_cell b) {
    line_part parts[WORLD_CELLS];
    int64_t whole;
    int count = line_parts(w, a, b, parts, &whole);
    double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, sum = 0;
    for (int i = 0; i < count; i++)
        sum += (double)(parts[i].high - parts[i].low) * world_factor(w, mover, parts[i].cell);
    return sum / (double)whole * sqrt(x * x + y * y + z * z);
}
