/* SPDX-License-Identifier: MIT */
/* Stops of a draft, from those of its base. */
#include "map/stops/stop_tables.h"

static bool may_have_stops(const wend__version *v) {
    return v->max_factor > 1 || v->closed_steps > 0 || v->links;
}

wend_error wend__stops_renew(wend_edit *edit, uint32_t changes) {
    (void)changes;
    if (!edit->draft->jumps || !may_have_stops(edit->draft)) return WEND_OK;
    return wend__stops_make(edit->draft);
}
