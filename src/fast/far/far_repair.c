/* SPDX-License-Identifier: MIT */
/* Making what is stale in a layer, from the lowest level up. An area that comes out as it was changes nothing above it;
 * an area whose border comes out differently makes the one beyond stale. So all ends where nothing differs any more. */
#include "fast/far/far_layer.h"
#include "map/store/memory.h"

static bool same_record(const wend__far_record *a, const wend__far_record *b) {
    const size_t from = offsetof(wend__far_record, first);
    return a && a->shared.bytes == b->shared.bytes &&
           memcmp((const char *)a + from, (const char *)b + from, a->shared.bytes - from) == 0;
}

/* Returns whether two areas agree on the gates of the border between them, and on what its crossings cost. */
static bool same_border(const wend__far_record *here, unsigned side, const wend__far_record *there) {
    const unsigned opposite = side ^ 2;
    const int count = here->first[side + 1] - here->first[side];
    if (there->first[opposite + 1] - there->first[opposite] != count) return false;
    for (uint32_t i = here->first[side], j = there->first[opposite]; i < here->first[side + 1]; i++, j++)
        if (wend__far_places(here)[i] != wend__far_places(there)[j] ||
            wend__far_crossing(here, i, false) != wend__far_crossing(there, j, true) ||
            wend__far_crossing(here, i, true) != wend__far_crossing(there, j, false))
            return false;
    return true;
}

/* Marks as stale what depends on a record that changed: the record above or, at the top, its numbers; and those beyond
 * its borders that had other gates there. */
static bool mark_dependents(wend_map *map, wend__far *far, wend__far_area a) {
    const wend__far_record *here = wend__far_get(far, a);
    const bool top = a.level == far->levels - 1;
    const wend__far_area numbers = {WEND__FAR_NUMBERS, a.column, a.row};
    if (top) far->age++;
    if (!wend__far_mark_stale(map, far, top ? numbers : wend__far_above(a))) return false;
    for (unsigned side = 0; side < 4; side++) {
        const wend__far_area beyond = wend__far_beyond(a, side);
        if (!wend__far_has(far, beyond) || wend__far_is_stale(far, beyond)) continue;
        if (!same_border(here, side, wend__far_get(far, beyond)) && !wend__far_mark_stale(map, far, beyond))
            return false;
    }
    return true;
}

static wend_error remake(wend_map *map, wend__far *far, wend__far_maker *maker, wend__far_area a) {
    if (a.level == WEND__FAR_NUMBERS) return wend__far_numbers_repair(map, far, a);
    const wend__far_record *before = wend__far_get(far, a);
    wend__far_record *now = wend__far_record_make(map, maker, a);
    if (!now) return WEND_OUT_OF_MEMORY;
    if (same_record(before, now)) {
        wend__shared_release(map, now);
        return wend__far_put(map, far, a, NULL) ? WEND_OK : WEND_OUT_OF_MEMORY;
    }
    wend__shared_retain(map, before);
    bool enough = wend__far_put(map, far, a, now);
    if (enough && a.level == far->levels - 1) enough = wend__far_numbers_move(map, far, a, before);
    enough = enough && mark_dependents(map, far, a);
    wend__shared_release(map, before);
    return enough ? WEND_OK : WEND_OUT_OF_MEMORY;
}

wend_error wend__far_remake_from(wend_map *map, wend__far *far, const wend__version *view, wend__far_area a) {
    wend__far_maker *maker = wend__far_maker_create(map, view, far);
    const wend_error error = maker ? remake(map, far, maker, a) : WEND_OUT_OF_MEMORY;
    wend__map_free(map, maker, sizeof *maker);
    return error;
}

wend_error wend__far_repair(wend_edit *edit, uint64_t objects) {
    wend_map *map = edit->map;
    wend__far_area a;
    wend__far *far = wend__far_copy(map, edit->draft->far);
    wend__far_maker *maker = far ? wend__far_maker_create(map, edit->draft, far) : NULL;
    wend_error error = maker ? WEND_OK : WEND_OUT_OF_MEMORY;
    for (; !error && objects > 0 && wend__far_first_stale(far, &a); objects--) error = remake(map, far, maker, a);
    wend__map_free(map, maker, sizeof *maker);
    wend__shared_release(map, error ? far : edit->draft->far);
    if (!error) edit->draft->far = far;
    return error;
}
