/* SPDX-License-Identifier: MIT */
/* Records of land that is known and not loaded: read for saves, and set again. */
#include "fast/far/far_layer.h"

const wend__far_record *wend__far_told(const wend__version *view, int32_t column, int32_t row) {
    const wend__far_area area = {0, column, row};
    const wend__far_record *kept = view->far ? wend__far_kept(view, view->far, area) : NULL;
    return kept && kept->first[4] > 0 ? kept : NULL;
}

wend_error wend__far_learn(wend_edit *edit, wend__far *far, int32_t column, int32_t row, wend__far_maker *maker,
                           bool known) {
    const wend__far_area area = {0, column, row};
    if (known) {
        wend__far_maker_init(maker, edit->draft, far);
        return wend__far_put_made(edit->map, far, maker, area);
    }
    const wend__far_record *before = wend__far_get(far, area);
    const bool leads = before && before->first[4] > 0;
    return !leads || wend__far_lose(edit->map, far, area) ? WEND_OK : WEND_OUT_OF_MEMORY;
}
