/* SPDX-License-Identifier: MIT */
/* Internal: points and vectors of bodies, in 1/16384 of a cell. Integers only: the same bytes everywhere. */
#ifndef WEND_SRC_AGENTS_FLOOR_VECTORS_H
#define WEND_SRC_AGENTS_FLOOR_VECTORS_H

#include "base/system/root.h"
#include "map/store/map_layout.h"

enum { WEND__BODY_SHIFT = 14, WEND__BODY_ONE = 1 << WEND__BODY_SHIFT };

/// A vector, or a point: the corner of a cell is at x × WEND__BODY_ONE.
typedef struct wend__vec {
    int32_t x, y;
} wend__vec;

/// Returns the square root, to within 1: two steps of Newton on the top 32 bits, one on all.
static inline uint32_t wend__root_by_steps(uint64_t n) {
    if (n < 2) return (uint32_t)n;
    const uint32_t zeros = (63 - wend__top64(n)) & ~1U;
    const uint32_t top = (uint32_t)(n << zeros >> 32); /* from 2^30 on, so its root from 2^15 on */
    uint32_t guess = (top >> 17) + 28000;
    guess = (guess + top / guess) >> 1;
    guess = (guess + top / guess) >> 1;
    uint64_t root = zeros < 32 ? (uint64_t)guess << (16 - zeros / 2) : guess >> (zeros / 2 - 16);
    root += root == 0;
    return (uint32_t)((root + n / root) >> 1);
}

/// Returns the same, mostly from the exact root r: the last step begins less than r / 2^14 + 3 from r + 1. Its result
/// is r unless the square of that distance reaches (r + 1)^2 - n.
static inline uint32_t wend__root(uint64_t n) {
    const uint64_t root = wend__root_down(n), apart = (root >> 14) + 3;
    return WEND__LIKELY((root + 1) * (root + 1) - n > apart * apart) ? (uint32_t)root : wend__root_by_steps(n);
}

static inline int64_t wend__vec_dot(wend__vec a, wend__vec b) {
    return (int64_t)a.x * b.x + (int64_t)a.y * b.y;
}

static inline int64_t wend__vec_cross(wend__vec a, wend__vec b) {
    return (int64_t)a.x * b.y - (int64_t)a.y * b.x;
}

static inline int32_t wend__length(wend__vec a) {
    return (int32_t)wend__root((uint64_t)wend__vec_dot(a, a));
}

static inline wend__vec wend__minus(wend__vec a, wend__vec b) {
    return (wend__vec){a.x - b.x, a.y - b.y};
}

static inline wend__vec wend__plus(wend__vec a, wend__vec b) {
    return (wend__vec){a.x + b.x, a.y + b.y};
}

/// A difference along an axis, by the shorter way round; `around`: 0 where the axis does not wrap.
static inline int32_t wend__shorter_off(int32_t difference, int32_t around) {
    if (WEND__LIKELY(around == 0)) return difference;
    return difference > around / 2      ? difference - around
           : difference < -(around / 2) ? difference + around
                                        : difference;
}

static inline int32_t wend__quotient(int64_t a, int64_t b) {
    return (int32_t)((a >= 0 ? a + b / 2 : a - b / 2) / b);
}

/// Returns a × part ÷ whole; 0, 0 if `whole` is 0.
static inline wend__vec wend__scaled(wend__vec a, int64_t part, int64_t whole) {
    if (whole == 0) return (wend__vec){0, 0};
    return (wend__vec){wend__quotient(a.x * part, whole), wend__quotient(a.y * part, whole)};
}

/// Returns the point of a line between two others that is nearest to a point.
static inline wend__vec wend__nearest_on(wend__vec at, wend__vec from, wend__vec to) {
    const wend__vec line = wend__minus(to, from), off = wend__minus(at, from);
    const int64_t length = wend__vec_dot(line, line), along = wend__vec_dot(off, line);
    if (along <= 0 || length == 0) return from;
    if (along >= length) return to;
    return (wend__vec){from.x + (int32_t)(line.x * along / length), from.y + (int32_t)(line.y * along / length)};
}

/// Returns the squared distance of a point from a line between two others.
static inline int64_t wend__from_line(wend__vec at, wend__vec from, wend__vec to) {
    const wend__vec line = wend__minus(to, from), off = wend__minus(at, from);
    const int64_t length = wend__vec_dot(line, line), along = wend__vec_dot(off, line);
    if (along <= 0 || length == 0) return wend__vec_dot(off, off);
    if (along >= length) {
        const wend__vec end = wend__minus(at, to);
        return wend__vec_dot(end, end);
    }
    const int64_t across = wend__vec_cross(line, off) / (int32_t)wend__root((uint64_t)length);
    return across * across;
}

/// Returns the point at a distance from p along a unit vector, of length WEND__BODY_ONE.
static inline wend__vec wend__along(wend__vec p, wend__vec unit, int32_t distance) {
    return (wend__vec){p.x + (int32_t)((int64_t)unit.x * distance / WEND__BODY_ONE),
                       p.y + (int32_t)((int64_t)unit.y * distance / WEND__BODY_ONE)};
}

/// Returns a vector turned by the angle of a cosine and a sine in 1/16384.
static inline wend__vec wend__turned(wend__vec a, int32_t cosine, int32_t sine) {
    return (wend__vec){(int32_t)(((int64_t)a.x * cosine - (int64_t)a.y * sine) / WEND__BODY_ONE),
                       (int32_t)(((int64_t)a.x * sine + (int64_t)a.y * cosine) / WEND__BODY_ONE)};
}

static inline int32_t wend__cell_along(int32_t at) {
    return at >> WEND__BODY_SHIFT;
}

static inline wend_cell wend__cell_at(wend__vec p) {
    return (wend_cell){wend__cell_along(p.x), wend__cell_along(p.y), 0};
}

static inline wend__vec wend__middle_of(wend_cell cell) {
    return (wend__vec){cell.x * WEND__BODY_ONE + WEND__BODY_ONE / 2, cell.y * WEND__BODY_ONE + WEND__BODY_ONE / 2};
}

#endif
