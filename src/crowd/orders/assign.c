/* SPDX-License-Identifier: MIT */
/* Assigns places to the members of a group. Both are halved along the axis on which they lie widest, and each half goes
 * to its half; that keeps their order. In a small group two then exchange their places wherever the sum of the squared
 * distances becomes less: ways whose sum is the least do not cross. In a large group ways would hardly become shorter,
 * and it would take longer than all the rest. */
#include "crowd/orders/group.h"
#include "map/store/sort.h"

enum { MOST_EXCHANGING = 512, MOST_PAIRS = 131072 }; ///< members; comparisons: once each pair of so many

static int32_t along(wend_cell cell, unsigned axis) {
    return axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
}

/* Element numbers are the low 32 bits of the keys. */
static int64_t extent(const wend_cell *cells, const uint64_t *keys, uint32_t from, uint32_t to, unsigned axis) {
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (uint32_t i = from; i < to; i++) {
        int32_t x = along(cells[(uint32_t)keys[i]], axis);
        least = wend__least(least, x);
        most = wend__most(most, x);
    }
    return (int64_t)most - least;
}

static void sort_along(const wend_cell *cells, uint64_t *keys, uint64_t *scratch, uint32_t from, uint32_t to,
                       unsigned axis) {
    for (uint32_t i = from; i < to; i++) {
        uint32_t number = (uint32_t)keys[i];
        keys[i] = (uint64_t)(uint32_t)along(cells[number], axis) << 32 | number;
    }
    wend__sort_numbers(keys + from, scratch, to - from);
}

static void halve(wend__group_room *group, uint32_t from, uint32_t to) {
    if (to - from == 1) {
        group->place_of[(uint32_t)group->keys[0][from]] = (uint32_t)group->keys[1][from];
        return;
    }
    unsigned axis = 0;
    int64_t widest = -1;
    for (unsigned i = 0; i < 3; i++) {
        int64_t wide =
            extent(group->starts, group->keys[0], from, to, i) + extent(group->places, group->keys[1], from, to, i);
        if (wide > widest) axis = i, widest = wide;
    }
    sort_along(group->starts, group->keys[0], group->scratch, from, to, axis);
    sort_along(group->places, group->keys[1], group->scratch, from, to, axis);
    const uint32_t middle = from + (to - from) / 2;
    halve(group, from, middle);
    halve(group, middle, to);
}

static uint64_t squared(wend_cell a, wend_cell b) {
    const uint64_t x = wend__distance(a.x, b.x), y = wend__distance(a.y, b.y), z = wend__distance(a.z, b.z);
    return x * x + y * y + z * z;
}

/* True: they have exchanged their places. */
static bool exchange(wend__group_room *group, uint32_t a, uint32_t b) {
    const wend_cell *to_a = &group->places[group->place_of[a]], *to_b = &group->places[group->place_of[b]];
    uint64_t now = squared(group->starts[a], *to_a) + squared(group->starts[b], *to_b);
    if (squared(group->starts[a], *to_b) + squared(group->starts[b], *to_a) >= now) return false;
    uint32_t place = group->place_of[a];
    group->place_of[a] = group->place_of[b];
    group->place_of[b] = place;
    return true;
}

void wend__group_assign(wend__group_room *group, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) group->keys[0][i] = group->keys[1][i] = i;
    if (count == 0) return;
    halve(group, 0, count);
    if (count > MOST_EXCHANGING) return;
    uint32_t pairs = 0;
    for (bool better = true; better;) {
        better = false;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = a + 1; b < count; b++) {
                if (++pairs > MOST_PAIRS) return;
                if (exchange(group, a, b)) better = true;
            }
    }
}
