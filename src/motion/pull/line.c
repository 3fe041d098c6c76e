/* SPDX-License-Identifier: MIT */
/* Straight lines between cells: the cells that they pass through, and their price, rounded down and up. */
#include "motion/pull/line.h"
#include "base/system/root.h"
#include "map/version/occupancy.h"

enum { LENGTH_BITS = 20, FACTOR_BITS = 16 };

/* ---- lengths ---- */

/* The square is shifted as far as it fits, then the root is shifted by the rest. */
static wend__price root_of(uint64_t square) {
    if (square == 0) return (wend__price){0, 0};
    unsigned shift = 2 * LENGTH_BITS;
    while (square >> (64 - shift)) shift -= 2;
    uint64_t root = wend__root_down(square << shift), up = root + (root * root != square << shift);
    unsigned rest = LENGTH_BITS - shift / 2;
    return (wend__price){root << rest, up << rest};
}

wend__price wend__cell_distance(const wend__version *version, wend_cell a, wend_cell b) {
    const wend_cell d = wend__place_difference(version, a, b);
    uint64_t x = wend__distance(d.x, 0), y = wend__distance(d.y, 0), z = wend__distance(d.z, 0);
    return root_of(x * x + y * y + z * z);
}

/* ---- the cells of a line ---- */

static void set_axis(wend__ray *line, unsigned axis, int64_t way) {
    line->sign[axis] = way < 0 ? -1 : 1;
    line->count[axis] = way * line->sign[axis];
}

/* The line leaves its a-th cell along an axis of n cells at (2a + 1) / 2n of its length. All fractions get a common
   denominator, at most 2 x the cells of the map. */
void wend__ray_begin(wend__ray *line, const wend__version *version, wend_cell from, wend_cell to) {
    const wend_cell way = wend__place_difference(version, from, to);
    *line = (wend__ray){.at = from, .version = version};
    set_axis(line, 0, way.x);
    set_axis(line, 1, way.y);
    set_axis(line, 2, way.z);
    int64_t product = 1;
    for (unsigned i = 0; i < 3; i++)
        if (line->count[i]) product *= line->count[i];
    for (unsigned i = 0; i < 3; i++)
        if (line->count[i]) line->weight[i] = product / line->count[i];
    line->whole = 2 * product;
}

static int64_t leaves_at(const wend__ray *line, unsigned axis) {
    if (line->gone[axis] == line->count[axis]) return line->whole;
    return (2 * line->gone[axis] + 1) * line->weight[axis];
}

static int64_t least_of(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int64_t wend__ray_next(wend__ray *line) {
    WEND__DEBUG_ASSERT(line->done < line->whole);
    int64_t at[3] = {leaves_at(line, 0), leaves_at(line, 1), leaves_at(line, 2)};
    int64_t first = least_of(at[0], least_of(at[1], at[2])), span = first - line->done;
    WEND__DEBUG_ASSERT(span >= 0);
    line->done = first;
    if (first == line->whole) return span;
    int32_t go[3];
    for (unsigned i = 0; i < 3; i++) {
        bool leaves = at[i] == first;
        go[i] = leaves ? line->sign[i] : 0;
        line->gone[i] += leaves;
    }
    wend_cell over;
    if (WEND__UNLIKELY(line->version->sheets)) {
        if (wend__step_over(line->version, line->at, go[0], go[1], &over)) line->at = over;
        return span;
    }
    line->at =
        wend__wrapped_cell(line->version, (wend_cell){line->at.x + go[0], line->at.y + go[1], line->at.z + go[2]});
    return span;
}

/* ---- prices ---- */

/* Returns length x factor, where the factor is a / b and at most 255. */
static wend__price times_factor(wend__price length, uint64_t a, uint64_t b) {
    WEND__DEBUG_ASSERT(b > 0 && a / b <= UINT8_MAX);
    uint64_t whole = a / b << FACTOR_BITS, rest = a % b << FACTOR_BITS, half = (1u << FACTOR_BITS) - 1;
    uint64_t down = whole + rest / b, up = down + (rest % b != 0);
    return (wend__price){length.low * down >> FACTOR_BITS, (length.high * up + half) >> FACTOR_BITS};
}

wend__price wend__line_price(const wend__version *view, wend_cell from, wend_cell to) {
    wend__price length = wend__cell_distance(view, from, to);
    wend__ray line;
    uint64_t sum = 0;
    wend__ray_begin(&line, view, from, to);
    while (line.done < line.whole) {
        uint64_t factor = wend__cell_factor(view, line.at);
        sum += factor * (uint64_t)wend__ray_next(&line);
    }
    return times_factor(length, sum, (uint64_t)line.whole);
}

/* Steps along one, two and three axes. */
static const wend__price step_lengths[3] = {{1048576, 1048576}, {1482910, 1482911}, {1816186, 1816187}};

wend__price wend__steps_price(const uint32_t count[3]) {
    wend__price sum = {0, 0};
    for (int32_t i = 0; i < 3; i++)
        sum.low += count[i] * step_lengths[i].low, sum.high += count[i] * step_lengths[i].high;
    return sum;
}

wend__price wend__step_price(const wend__version *view, wend_cell from, wend_cell to) {
    WEND__DEBUG_ASSERT(wend__step_axes(view, from, to) > 0);
    uint64_t factors = (uint64_t)wend__cell_factor(view, from) + wend__cell_factor(view, to);
    wend__price length = step_lengths[wend__step_axes(view, from, to) - 1];
    return factors == 2 ? length : times_factor(length, factors, 2);
}

bool wend__line_occupied(const wend_map *map, const wend__version *view, int32_t size, wend_cell start, wend_cell from,
                         wend_cell to) {
    wend__ray line;
    wend__ray_begin(&line, view, from, to);
    while (wend__ray_next(&line), line.done < line.whole)
        if (wend__map_occupied(map, line.at, size, start)) return true;
    return false;
}
