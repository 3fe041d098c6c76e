/* SPDX-License-Identifier: MIT */
/* The turns of a line that is being pulled, and the lines between cells that it may take. */
#include "motion/pull/window.h"
#include "map/ground/ground.h"
#include "map/query/step_cost.h"

#include <string.h>

bool wend__pull_units_between(const wend__pull *pull, wend_cell a, wend_cell b) {
    return pull->units && wend__line_occupied(pull->map, pull->view, pull->size, pull->cells[0], a, b);
}

bool wend__pull_distance(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price) {
    if (price->high >= limit) return false; /* no factor is below 1 */
    if (!wend__same_cell(wend__sight_end(pull->view, a, b), b)) return false;
    if (!pull->even) *price = wend__line_price(pull->view, a, b);
    if (price->high >= limit) return false;
    return !wend__pull_units_between(pull, a, b);
}

bool wend__pull_line(const wend__pull *pull, wend_cell a, wend_cell b, uint64_t limit, wend__price *price) {
    *price = wend__cell_distance(pull->version, a, b);
    return wend__pull_distance(pull, a, b, limit, price);
}

bool wend__pull_shortcut(const wend__pull *pull, wend_cell a, wend_cell b, wend__price by_two, wend__price *price) {
    return wend__pull_line(pull, a, b, pull->even ? UINT64_MAX : by_two.low, price);
}

/* Finds the cell next to a cell, in its sheet or over a seam. */
static bool cell_on_sheets(const wend__version *view, wend_cell at, int32_t dx, int32_t dy, wend_cell *out) {
    const wend_cell beside = {at.x + dx, at.y + dy, 0};
    if ((dx || dy) && wend__step_over(view, at, dx, dy, out)) return true;
    *out = beside;
    return wend__on_map(view, beside.x, beside.y) && wend__lie_together(view, at, beside);
}

bool wend__pull_cell_around(const wend__pull *pull, wend_cell at, int32_t i, wend_cell *out) {
    WEND__DEBUG_ASSERT(i >= 0 && i < WEND__AROUND_SPACE);
    if (WEND__UNLIKELY(pull->version->sheets)) return cell_on_sheets(pull->view, at, i % 3 - 1, i / 3 % 3 - 1, out);
    *out = (wend_cell){at.x + i % 3 - 1, at.y + i / 3 % 3 - 1, at.z};
    if (pull->version->kind == WEND_KIND_VOXEL) out->z += i / 9 - 1;
    *out = wend__wrapped_cell(pull->version, *out);
    return wend__on_map(pull->version, out->x, out->y) && out->z >= 0 && out->z < pull->version->depth;
}

static void neighbours_unsettled(wend__pull *pull, uint32_t i) {
    for (uint32_t k = i > 1 ? i - 1 : 1; k <= i + 1 && k < pull->count; k++) pull->settled[k] = false;
}

void wend__pull_drop_turn(wend__pull *pull, uint32_t i, wend__price line) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->line[i - 1] = line;
    pull->count--;
    neighbours_unsettled(pull, i - 1);
    pull->settled[i] = false;
}

void wend__pull_move_turn(wend__pull *pull, uint32_t i, const wend__pull_bend *bend) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count);
    pull->turn[i].cell = bend->cell;
    pull->line[i - 1] = bend->in;
    pull->line[i] = bend->out;
    neighbours_unsettled(pull, i);
}

void wend__pull_split_turn(wend__pull *pull, uint32_t i, wend_cell second, const wend__price lines[3]) {
    WEND__DEBUG_ASSERT(i > 0 && i + 1 < pull->count && pull->count < WEND__PULL_WINDOW);
    uint32_t after = pull->count - i - 1;
    memmove(&pull->turn[i + 2], &pull->turn[i + 1], after * sizeof *pull->turn);
    memmove(&pull->line[i + 2], &pull->line[i + 1], after * sizeof *pull->line);
    memmove(&pull->settled[i + 2], &pull->settled[i + 1], after * sizeof *pull->settled);
    pull->turn[i + 1] = (wend_turn){.cell = second, .index = pull->turn[i].index};
    memcpy(&pull->line[i - 1], lines, 3 * sizeof *lines);
    pull->count++;
    neighbours_unsettled(pull, i);
    neighbours_unsettled(pull, i + 1);
}
