/* SPDX-License-Identifier: MIT */
/* Queries that components answer: are two cells connected, and would a batch disconnect them? */
#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/version.h"

bool wend__version_connected(const wend__version *version, int32_t mover, wend_cell a, wend_cell b) {
    return wend__components_connect(wend__version_view(version, mover), a, b);
}

static bool connected(const wend__version *view, wend_cell a, wend_cell b) {
    return wend__cell_factor(view, a) && wend__cell_factor(view, b) && wend__components_connect(view, a, b);
}

static wend_error check(const wend_map *map, int32_t mover, wend_cell a, wend_cell b) {
    wend_error error = wend__check_mover(map, mover);
    if (!error) error = wend__check_cell(map, "a", a);
    return error ? error : wend__check_cell(map, "b", b);
}

wend_error wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b, bool *reachable) {
    WEND__ALIVE(map, "the map");
    wend_error error = check(map, mover, a, b);
    if (error) return error;
    wend__version *v = wend__map_newest(map);
    if (reachable) *reachable = connected(wend__version_view(v, mover), a, b);
    wend__map_release(v, false);
    return WEND_OK;
}

/* ---- would a batch close the way? A copy is made as publishing would make it, with the map's present rules
   and movers, which may have changed since the batch began. ---- */

/* Handles a grid without links: its labels answer, without other derived data. */
static wend_error connected_by_labels(const wend_edit *edit, const wend_map_rules *rules, wend_cell a, wend_cell b,
                                      bool *result) {
    wend__version *draft = edit->draft;
    const wend_map_rules own = draft->rules;
    bool relabel = memcmp(own.factors, rules->factors, sizeof own.factors) != 0 ||
                   wend__contact_directions(&own, WEND_KIND_GRID) != wend__contact_directions(rules, WEND_KIND_GRID);
    wend__area *before = draft->labels, *after;
    draft->rules = *rules;
    wend_error error = wend__labels_rebuild(draft, relabel ? NULL : before, relabel ? NULL : edit->dirty, &after);
    if (!error) {
        draft->labels = after;
        *result = connected(draft, a, b);
        draft->labels = before;
        wend__area_release(edit->map, after);
    }
    draft->rules = own;
    return error;
}

/* Copies the blocks of the batch once more: derived data goes into the copies. */
static wend_error copy_blocks(wend_edit *to, const wend_edit *from) {
    for (size_t b = 0; b < wend__version_blocks(from->draft); b++) {
        if (!from->dirty[b]) continue;
        to->dirty[b] = wend__map_alloc(to->map, sizeof *to->dirty[b]);
        wend__block *block = to->dirty[b] ? wend__block_copy(to->map, from->draft->blocks[b]) : NULL;
        if (!block) return WEND_OUT_OF_MEMORY;
        *to->dirty[b] = *from->dirty[b];
        wend__shared_release(to->map, to->draft->blocks[b]);
        to->draft->blocks[b] = block;
    }
    return WEND_OK;
}

static wend_error connected_in_copy(const wend_edit *edit, const wend_map_rules *rules, const wend__links *links,
                                    wend_cell a, wend_cell b, bool *result) {
    wend_map *map = edit->map;
    wend_edit *copy = wend__scratch_edit_create(map, wend__version_copy(edit->draft, map, WEND__ROWS_IN_VIEWS));
    if (!copy) return WEND_OUT_OF_MEMORY;
    copy->base = edit->base; /* not counted: the batch has the reference */
    copy->changed_links = edit->changed_links;
    wend_error error = copy_blocks(copy, edit);
    wend__shared_release(map, copy->draft->links);
    copy->draft->links = wend__shared_retain(map, links);
    if (!error) error = wend__edit_finish_view(copy, rules);
    if (!error) *result = connected(copy->draft, a, b);
    wend__scratch_edit_free(copy);
    return error;
}

static wend_error connected_in_view(const wend_edit *edit, const wend__version *now, const wend__links *links,
                                    int32_t mover, wend_cell a, wend_cell b, bool *result) {
    const wend__views *views = now->views;
    wend__version *view;
    wend_error error =
        wend__view_rebuild(edit, &now->rules, links, &views->of[mover - 1].mover, views->of[mover - 1].view, &view);
    if (error) return error;
    *result = connected(view, a, b);
    wend__view_release(edit->map, view);
    return WEND_OK;
}

static wend_error connected_after(const wend_edit *edit, const wend__version *now, int32_t mover, wend_cell a,
                                  wend_cell b, bool *result) {
    const wend__links *links;
    wend_error error = wend__edit_links(edit, &links);
    if (error) return error;
    if (mover != WEND_MOVER_DEFAULT)
        error = connected_in_view(edit, now, links, mover, a, b, result);
    else if (now->kind == WEND_KIND_GRID && !links && !edit->draft->link_components)
        error = connected_by_labels(edit, &now->rules, a, b, result);
    else
        error = connected_in_copy(edit, &now->rules, links, a, b, result);
    wend__shared_release(edit->map, links);
    return error;
}

wend_error wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                      bool *disconnects) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = check(edit->map, mover, a, b);
    if (error) return error;
    wend__version *now = wend__map_newest(edit->map);
    bool before = connected(wend__version_view(now, mover), a, b), after = true;
    if (before) error = connected_after(edit, now, mover, a, b, &after);
    wend__map_release(now, false);
    if (!error && disconnects) *disconnects = before && !after;
    return error;
}
