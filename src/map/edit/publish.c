/* SPDX-License-Identifier: MIT */
/* Publishing: makes a draft final, its links, its chunks, all derived data, and makes it the newest version. */
#include "map/edit/edit.h"
#include "map/kinds/graph.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/validate.h"
#include "map/version/version.h"

/* ---- making a draft final ---- */

static int32_t apply_links(wend_edit *edit) {
    const wend__links *old = edit->draft->links;
    wend_error error = wend__edit_links(edit, &edit->draft->links);
    if (!error) wend__shared_release(edit->map, old);
    return error;
}

wend_error wend__edit_finish_view(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = wend__edit_derive(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_IN_VIEWS);
}

/* Makes a draft final: its links, its chunks, all derived data. The writer lock is held. */
static wend_error finish_edit(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = apply_links(edit);
    if (edit->draft->graph != edit->base->graph) wend__graph_sum((wend__graph *)edit->draft->graph);
    if (!error) error = wend__edit_derive(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_ALL);
}

/* ---- making the draft the newest version ---- */

wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone) {
    WEND__DEBUG_ASSERT(edit->draft);
    wend_map *map = edit->map;
    wend__mutex_lock(map->mutex);
    wend__version *old = map->newest;
    bool refused = alone && wend__map_any_pinned(map);
    if (!refused) {
        wend__version_check_seal(old);
        edit->draft->epoch = epoch;
        edit->draft->revision = old->revision + !edit->same;
        edit->draft->serial = old->serial + 1;
        edit->draft->older = old;
        old->newer = edit->draft;
        map->newest = edit->draft;
        wend__version_seal(map->newest);
        wend__version_validate(map->newest);
        atomic_store_explicit(&map->serial, map->newest->serial, memory_order_release);
        atomic_store_explicit(&map->revision, map->newest->revision, memory_order_release);
        edit->draft = NULL;
        wend__change_log_turn(map, old->epoch, alone);
        wend__map_retire_excess(map);
    }
    wend__mutex_unlock(map->mutex);
    if (refused)
        return wend__refuse(WEND_IN_USE, "searches, requests or fields hold a version of the map: end them first");
    wend__map_release(old, false);
    return WEND_OK;
}

static wend_error publish(wend_edit *edit, uint64_t number, uint64_t *epoch) {
    wend_map *map = edit->map;
    wend_error error = wend__edit_failed(edit);
    wend__mutex_lock(map->writer);
    /* The rules may have changed since the batch began. */
    if (!error) error = finish_edit(edit, &map->newest->rules);
    if (!error && number != edit->base->epoch) wend__edit_log_changes(edit, number);
    wend__tap *tap = error ? NULL : wend__map_tap(map);
    if (tap) tap->shut(tap->context);
    if (!error) error = wend__edit_install(edit, number, false);
    if (tap && !error) wend__tap_published(tap, &edit->log);
    if (tap) tap->open(tap->context);
    wend__mutex_unlock(map->writer);
    wend__edit_free(edit);
    if (!error && epoch) *epoch = number;
    return error;
}

wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch) {
    WEND__GONE(edit, "the batch");
    return publish(edit, edit->base->epoch + 1, epoch);
}

wend_error wend__edit_publish_as(wend_edit *edit, uint64_t epoch) {
    WEND__GONE(edit, "the batch");
    wend_map *map = edit->map;
    const wend_error error = publish(edit, epoch, NULL);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    wend__change_log_turn(map, map->newest->epoch, true);
    wend__mutex_unlock(map->mutex);
    return WEND_OK;
}

wend_error wend__edit_publish_first(wend_edit *edit) {
    WEND__GONE(edit, "the batch");
    WEND__ASSERT(edit->base->epoch == 0);
    return publish(edit, 0, NULL);
}

wend_error wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context) {
    wend_edit *edit;
    wend__mutex_lock(map->writer);
    wend_error error = wend__edit_create(map, counted, &edit);
    if (!error) {
        wend__derivations_share(edit->draft, edit->base, WEND__ROWS_NOT_IN_VIEWS);
        error = fn(edit, context);
        edit->same = true;
        if (!error) error = wend__edit_install(edit, edit->base->epoch, false);
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}

/* ---- a map's rules: changing them is an edit that writes to no cell ---- */

wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules) {
    WEND__ALIVE(map, "the map");
    wend_edit *edit;
    wend_map_rules own;
    wend_error error = rules ? wend__rules_read(rules, &own) : wend__refuse_null("rules");
    if (!error) error = wend__rules_check(&own, map->kind);
    if (!error && map->streamed) error = wend__check_blocked_class(own.factors);
    if (!error) error = wend__check_wrapped_rules(map->wrap, &own);
    if (!error) error = wend__check_sheet_rules(map, &own);
    if (error) return error;
    const wend_map_rules complete = wend__rules_complete(&own, map->kind);
    wend__mutex_lock(map->writer);
    error = wend__edit_create(map, false, &edit);
    if (!error) {
        error = finish_edit(edit, &complete);
        if (!error) error = wend__edit_install(edit, edit->base->epoch, true);
        if (!error) wend__tap_unsupported(map, "the map's rules changed, which a script has before the first frame");
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
