/* SPDX-License-Identifier: MIT */
/* Landmarks of versions and views: sharing them, and giving a draft those of the version before. */
#include "map/landmarks/landmarks.h"
#include "map/edit/edit.h"
#include "map/landmarks/landmark_tables.h"
#include "map/store/memory.h"
#include "map/store/rules.h"

enum { FEW_CHANGES = 4096, LOOKS = 8 }; /* changed cells that are looked at, and for each cell of the effort */

/* ---- references ---- */

/* The map of a view is known to its version only: a family's maps share their mutex. */
void wend__landmarks_share(wend__version *version, const wend__version *from) {
    if (!from->landmarks) return;
    wend__reference_add(version->map, &from->landmarks->references);
    version->landmarks = from->landmarks;
    version->landmarks_age = from->landmarks_age;
}

void wend__landmarks_drop(wend__version *version) {
    wend__landmarks_release(version->map, version->landmarks);
    version->landmarks = NULL;
    version->landmarks_age = 0;
}

/* ---- after an edit ---- */

static bool same_rules(const wend_map_rules *a, const wend_map_rules *b) {
    return wend__rules_cost_alike(a, b) && a->cost_space == b->cost_space && a->neighbours == b->neighbours &&
           a->corners == b->corners && memcmp(a->factors, b->factors, sizeof a->factors) == 0;
}

static size_t most_changes(uint64_t effort) {
    const uint64_t most = effort < UINT64_MAX / LOOKS ? LOOKS * effort : UINT64_MAX;
    return most < FEW_CHANGES ? FEW_CHANGES : most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

wend_error wend__landmarks_carry(wend_map *map, wend__landmarks *landmarks, const wend__version *before,
                                 wend__version *draft, const wend__link_changes *links, bool *changed) {
    const uint64_t effort = atomic_load_explicit(&map->landmark_effort, memory_order_relaxed);
    wend__landmarks_drop(draft);
    if (!landmarks || !same_rules(&before->rules, &draft->rules)) return WEND_OK;
    wend__changed_cells cells = {.most = most_changes(effort)};
    wend__landmarks_find_changes(before, draft, links, &cells);
    wend_error error = cells.full ? WEND_OUT_OF_MEMORY : WEND_OK;
    if (!error && !cells.many) error = wend__landmarks_repair(map, draft, landmarks, &cells, effort, &draft->landmarks);
    wend__map_free(map, cells.cells, cells.room * sizeof *cells.cells);
    *changed = cells.any;
    return error;
}

/* Landmarks may have been made since the batch began: those of the newest version count. A view's edit begins with the
   newest view; that of a new view has none before. */
wend_error wend__landmarks_rebuild(wend_edit *edit, uint32_t changes) {
    const wend__version *before = edit->base && edit->base->map ? edit->map->newest : edit->base;
    bool changed = false;
    if (!before) return WEND_OK;
    (void)changes; /* it compares the rules itself */
    wend_error error =
        wend__landmarks_carry(edit->map, before->landmarks, before, edit->draft, edit->changed_links, &changed);
    if (edit->draft->landmarks) edit->draft->landmarks_age = before->landmarks_age + changed;
    return error;
}
