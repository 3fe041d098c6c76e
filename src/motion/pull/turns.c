/* SPDX-License-Identifier: MIT */
/* The turns of a path that is not pulled. */
#include "base/base.h"
#include <stdbool.h>
#include <wend/geometry.h>

static bool goes_on(wend_cell a, wend_cell b, wend_cell c) {
    return b.x - a.x == c.x - b.x && b.y - a.y == c.y - b.y && b.z - a.z == c.z - b.z;
}

wend_error wend_path_turns(const wend_cell *cells, size_t cell_count, wend_cell *out, size_t capacity, size_t *count) {
    if (!count) return wend__refuse_null("count");
    wend_error error = wend__check_room("cells", cells, cell_count);
    if (!error) error = wend__check_room("out", out, capacity);
    if (error) return error;
    size_t turns = 0;
    for (size_t i = 0; i < cell_count; i++) {
        if (i > 0 && i + 1 < cell_count && goes_on(cells[i - 1], cells[i], cells[i + 1])) continue;
        if (turns < capacity) out[turns] = cells[i];
        turns++;
    }
    *count = turns;
    return WEND_OK;
}
