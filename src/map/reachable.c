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

/* The draft as publishing would make it, for the moment: with labels of its own, and with the map's rules, which may have
 * changed since the batch began. */
static int32_t connected_in_draft(const wend_edit *edit, const wend_map_rules *rules, wend_cell a, wend_cell b,
                                  bool *result) {
    wend__version *draft = edit->draft;
    const wend_map_rules own = draft->rules;
    bool anew = memcmp(own.factors, rules->factors, sizeof own.factors) != 0 ||
                wend__labels_diagonal(&own) != wend__labels_diagonal(rules);
    wend__area *before = draft->labels, *after;
    draft->rules = *rules;
    int32_t error = wend__labels_renew(draft, anew ? NULL : before, anew ? NULL : edit->marks, &after);
    if (!error) {
        draft->labels = after;
        *result = connected(draft, a, b);
        draft->labels = before;
        wend__area_release(edit->map, after);
    }
    draft->rules = own;
    return error;
}

int32_t wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                   int32_t *disconnects) {
    if (edit->error) return edit->error;
    int32_t error = check(edit->map, mover, a, b);
    if (error) return error;
    wend__version *now = wend__map_look(edit->map);
    bool before = connected(now, a, b), after = true;
    if (before) error = connected_in_draft(edit, &now->rules, a, b, &after);
    wend__map_release(now, false);
    if (!error) *disconnects = before && !after;
    return error;
}
