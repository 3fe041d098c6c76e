/* SPDX-License-Identifier: MIT */
/* Joins a newer path from the same start: back along the way walked to where both part, or straight across. */
#include "map/movers/views.h"
#include "motion/walk/points.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <wend/geometry.h>

enum {
    LOOK_BACK = 256, ///< cells of the way walked that may be on the new path, counted from its end
    MOST_ACROSS = 64 ///< steps of a straight joint
};

typedef struct cell_row {
    const wend_cell *cells;
    size_t count;
} cell_row;

/* Where the new path is joined: the way walked is left at walked[back], and the path begins at path[ahead]. Between
 * them are `across` straight steps. */
typedef struct joint {
    size_t back, ahead;
    uint32_t across;
    bool straight_first;
    uint64_t saved; ///< against walking back to where both part
} joint;

/* ---- back ---- */

static size_t common_cells(cell_row a, cell_row b) {
    const size_t most = a.count < b.count ? a.count : b.count;
    size_t count = 0;
    while (count < most && wend__same_cell(a.cells[count], b.cells[count])) count++;
    return count;
}

/* The last cell of the way walked that is on the path; both begin with the same cell. */
static joint part_of(cell_row walked, cell_row path) {
    const size_t common = common_cells(walked, path);
    WEND__DEBUG_ASSERT(common > 0);
    const size_t last =
        walked.count > LOOK_BACK && walked.count - LOOK_BACK > common ? walked.count - LOOK_BACK : common;
    for (size_t i = walked.count; i-- > last;)
        for (size_t j = path.count; j-- > 0;)
            if (wend__same_cell(walked.cells[i], path.cells[j])) return (joint){.back = i, .ahead = j};
    return (joint){.back = common - 1, .ahead = common - 1};
}

/* The cost of walking back; UINT64_MAX: that is not possible. */
static uint64_t cost_back(const wend__version *v, int32_t mover, cell_row walked, size_t to) {
    WEND__DEBUG_ASSERT(to < walked.count);
    uint64_t sum = 0;
    for (size_t i = walked.count - 1; i > to; i--) {
        const uint64_t cost = wend__step_cost(v, mover, walked.cells[i], walked.cells[i - 1]);
        if (cost == UINT64_MAX) return UINT64_MAX;
        sum += cost;
    }
    return sum;
}

/* ---- across ---- */

static uint32_t size_of(int32_t value) {
    return (uint32_t)(value < 0 ? -value : value);
}

static int32_t sign_of(int32_t value) {
    return (value > 0) - (value < 0);
}

static uint32_t steps_across(wend_cell from, wend_cell to) {
    const uint32_t x = size_of(to.x - from.x), y = size_of(to.y - from.y), z = size_of(to.z - from.z);
    const uint32_t more = x > y ? x : y;
    return more > z ? more : z;
}

/* The next cell of the way across: along its longest side first, or along all sides at once first. */
static wend_cell next_across(wend_cell at, wend_cell to, bool straight_first) {
    const int32_t x = to.x - at.x, y = to.y - at.y, z = to.z - at.z;
    const uint32_t most = steps_across(at, to);
    const uint32_t least = straight_first ? most : 1; /* sides shorter than that wait */
    if (size_of(x) >= least) at.x += sign_of(x);
    if (size_of(y) >= least) at.y += sign_of(y);
    if (size_of(z) >= least) at.z += sign_of(z);
    return at;
}

static uint64_t cost_across(const wend__version *v, int32_t mover, wend_cell at, wend_cell to, bool straight_first) {
    uint64_t sum = 0;
    while (!wend__same_cell(at, to)) {
        const wend_cell next = next_across(at, to, straight_first);
        const uint64_t cost = wend__step_cost(v, mover, at, next);
        if (cost == UINT64_MAX) return UINT64_MAX;
        sum += cost;
        at = next;
    }
    return sum;
}

/* Try the straight joint to path[ahead], which is reached for `otherwise` by walking back. */
static void try_across(const wend__version *v, int32_t mover, wend_cell at, cell_row path, size_t ahead,
                       uint64_t otherwise, size_t back, joint *best) {
    const wend_cell to = path.cells[ahead];
    const uint32_t steps = steps_across(at, to);
    if (steps == 0 || steps > MOST_ACROSS) return;
    for (int order = 0; order < 2; order++) {
        const uint64_t cost = cost_across(v, mover, at, to, order == 1);
        if (cost >= otherwise || otherwise - cost <= best->saved) continue;
        *best = (joint){back, ahead, steps, order == 1, otherwise - cost};
    }
}

/* Finds the straight joint that saves most, among cells of the path at doubling distances from the part. */
static joint best_across(const wend__version *v, int32_t mover, cell_row walked, cell_row path, joint part) {
    const wend_cell at = walked.cells[walked.count - 1];
    const uint64_t back = cost_back(v, mover, walked, part.back);
    joint best = part;
    best.across = UINT32_MAX; /* none */
    if (back != UINT64_MAX) best.across = 0;
    if (v->kind == WEND_KIND_GRAPH || back == 0) return best;
    uint64_t along = back == UINT64_MAX ? UINT64_MAX / 2 : back;
    for (size_t ahead = part.ahead, next = part.ahead + 1, stride = 1; ahead + 1 < path.count; ahead++) {
        const uint64_t cost = wend__step_cost(v, mover, path.cells[ahead], path.cells[ahead + 1]);
        if (cost == UINT64_MAX) break;
        along += cost;
        if (ahead + 1 != next && ahead + 2 != path.count) continue;
        try_across(v, mover, at, path, ahead + 1, along, walked.count - 1, &best);
        if (ahead + 1 == next) next += stride, stride *= 2;
    }
    return best;
}

/* ---- the answer ---- */

static void put_cell(wend_cell *out, size_t capacity, size_t *count, wend_cell cell) {
    if (*count < capacity) out[*count] = cell;
    ++*count;
}

static size_t put_cells(cell_row walked, cell_row path, joint at, wend_cell *out, size_t capacity) {
    WEND__DEBUG_ASSERT(at.back < walked.count && at.ahead < path.count);
    size_t count = 0;
    for (size_t i = walked.count; i-- > at.back;) put_cell(out, capacity, &count, walked.cells[i]);
    if (at.across > 0)
        for (wend_cell cell = walked.cells[walked.count - 1]; !wend__same_cell(cell, path.cells[at.ahead]);) {
            cell = next_across(cell, path.cells[at.ahead], at.straight_first);
            put_cell(out, capacity, &count, cell);
        }
    for (size_t i = at.ahead + 1; i < path.count; i++) put_cell(out, capacity, &count, path.cells[i]);
    return count;
}

static wend_error check_arguments(const wend_map *map, int32_t mover, cell_row walked, cell_row path) {
    wend_error error = map ? wend__check_list("walked", walked.cells, walked.count) : wend__refuse_null("map");
    if (!error) error = wend__check_list("path", path.cells, path.count);
    if (!error) error = wend__check_mover(map, mover);
    if (!error) error = wend__check_each_cell(map, "walked", walked.cells, walked.count);
    if (!error) error = wend__check_each_cell(map, "path", path.cells, path.count);
    if (error || wend__same_cell(walked.cells[0], path.cells[0])) return error;
    return wend__refuse(WEND_BAD_ARGUMENT, "walked and path begin with different cells");
}

wend_error wend__path_join(const wend_map *map, int32_t mover, const wend_cell *walked, size_t walked_count,
                           const wend_cell *path, size_t path_count, wend_cell *out, size_t capacity, size_t *count) {
    const cell_row old = {walked, walked_count}, newer = {path, path_count};
    wend_error error = check_arguments(map, mover, old, newer);
    if (!error) error = wend__check_room("out", out, capacity);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    const joint at = best_across(v, mover, old, newer, part_of(old, newer));
    wend__map_release(v, false);
    if (at.across == UINT32_MAX)
        return wend__refuse(WEND_EMPTY, "no way leads back along the cells walked, and none straight across");
    const size_t cells = put_cells(old, newer, at, out, capacity);
    if (count) *count = cells;
    return WEND_OK;
}
