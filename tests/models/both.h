/* SPDX-License-Identifier: MIT */
/* Links and steps in both directions. */
#ifndef WEND_TESTS_BOTH_H
#define WEND_TESTS_BOTH_H

#include <wend/ways.h>

static inline wend_error add_link_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t cost) {
    const wend_error error = wend_edit_add_link(edit, &(wend_link){a, b, cost, 0});
    return error ? error : wend_edit_add_link(edit, &(wend_link){b, a, cost, 0});
}

static inline wend_error set_step_both(wend_edit *edit, wend_cell a, wend_cell b, int32_t open) {
    const wend_error error = wend_edit_set_step(edit, a, b, open);
    return error ? error : wend_edit_set_step(edit, b, a, open);
}

#endif
