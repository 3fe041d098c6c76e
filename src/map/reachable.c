/* SPDX-License-Identifier: MIT */
/* Questions that the labels answer: is there a way, and would a batch close it? */
#include "map/map_private.h"

static bool connected(const wend__version *v, wend_cell a, wend_cell b) {
    bool open = wend__version_factor(v, a.x, a.y) && wend__version_factor(v, b.x, b.y);
    return open && wend__version_connected(v, a, b);
}

static int32_t check(const wend_map *map, int32_t mover, wend_cell a, wend_cell b) {
    if (mover != WEND_MOVER_DEFAULT) return WEND_BAD_ARGUMENT;
    return wend__cell_on_map(map, a) && wend__cell_on_map(map, b) ? WEND_OK : WEND_OUT_OF_RANGE;
}

int32_t wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b, int32_t *reachable) {
    int32_t error = check(map, mover, a, b);
    if (error) return error;
    wend__version *v = wend__map_look(map);
    *reachable = connected(v, a, b);
    wend__map_release(v, false);
    return WEND_OK;
}

/* The draft with labels of its own for the moment; it gets its final ones when it is published. */
static int32_t connected_in_draft(const wend_edit *edit, wend_cell a, wend_cell b, bool *result) {
    wend__version *draft = edit->draft;
    wend__area *before = draft->labels, *after;
    int32_t error = wend__labels_renew(draft, before, edit->marks, &after);
    if (error) return error;
    draft->labels = after;
    *result = connected(draft, a, b);
    draft->labels = before;
    wend__area_release(edit->map, after);
    return WEND_OK;
}

int32_t wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                   int32_t *disconnects) {
    if (edit->error) return edit->error;
    int32_t error = check(edit->map, mover, a, b);
    if (error) return error;
    bool after = true;
    wend__version *now = wend__map_look(edit->map);
    bool before = connected(now, a, b);
    wend__map_release(now, false);
    if (before) error = connected_in_draft(edit, a, b, &after);
    if (error) return error;
    *disconnects = before && !after;
    return WEND_OK;
}
