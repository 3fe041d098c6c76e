/* SPDX-License-Identifier: MIT */
/* Begins a field from its goals: clearing is done by the steps. */
#include "field/field_queue.h"

static void begin_toward(wend_field *f) {
    f->phase = WEND__FIELD_CLEARING;
    f->gather = WEND__GATHER_NONE;
    f->window = WEND__BUCKETS;
    f->fresh = f->canonical;
    f->repaired = false;
    f->cursor = 0;
    f->known = 0;
    f->lost = WEND__NONE;
    f->largest = f->def.largest_cost;
}

static void begin_away(wend_field *f) {
    WEND__DEBUG_ASSERT(f->distances->version == f->version && f->distances->goals);
    begin_toward(f->distances);
    f->phase = WEND__FIELD_MEASURING;
    f->gather = WEND__GATHER_NONE;
    f->window = WEND__BUCKETS;
    f->has_costs = f->touched = f->fresh = false;
    f->known = 0;
    f->lost = WEND__NONE;
    f->largest = WEND__FIELD_FAR - 1;
}

void wend__field_begin(wend_field *f) {
    if (f->distances)
        begin_away(f);
    else
        begin_toward(f);
}
