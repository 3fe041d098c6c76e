/* SPDX-License-Identifier: MIT */
/* Publishing: a batch's links and chunks are made final, all derived data is rebuilt, and the draft becomes the newest
 * version. */
#include "map/edit/derive_chunks.h"
#include "map/edit/edit.h"
#include "map/edit/edit_links.h"
#include "map/edit/note_changes.h"
#include "map/edit/publish.h"
#include "map/links/links.h"
#include "map/store/map_layout.h"
#include "map/version/change_log.h"
#include "map/version/derivation.h"
#include "map/version/version.h"

/* ---- making a draft final ---- */

static int32_t apply_links(wend_edit *edit) {
    const wend__links *old = edit->draft->links;
    wend_error error = wend__edit_links(edit, &edit->draft->links);
    if (!error) wend__links_release(edit->map, old);
    return error;
}

wend_error wend__edit_finish_view(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = wend__edit_derive_chunks(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_IN_VIEWS);
}

wend_error wend__edit_finish(wend_edit *edit, const wend_map_rules *rules) {
    uint32_t changes;
    wend_error error = apply_links(edit);
    if (!error) error = wend__edit_derive_chunks(edit, rules, &changes);
    return error ? error : wend__derivations_rebuild(edit, changes, WEND__ROWS_ALL);
}

/* ---- installing it ---- */

wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone) {
    wend_map *map = edit->map;
    wend__mutex_lock(map->mutex);
    wend__version *old = map->newest;
    bool refused = alone && wend__map_any_pinned(map);
    if (!refused) {
        edit->draft->epoch = epoch;
        edit->draft->revision = old->revision + !edit->same;
        edit->draft->serial = old->serial + 1;
        edit->draft->older = old;
        old->newer = edit->draft;
        map->newest = edit->draft;
        atomic_store_explicit(&map->serial, map->newest->serial, memory_order_release);
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

static wend_error publish(wend_edit *edit, uint64_t epoch_step, uint64_t *epoch) {
    wend_map *map = edit->map;
    wend_error error = wend__edit_failed(edit);
    uint64_t number = edit->base->epoch + epoch_step;
    wend__mutex_lock(map->writer);
    /* The rules may have changed since the batch began. */
    if (!error) error = wend__edit_finish(edit, &map->newest->rules);
    if (!error && epoch_step) wend__edit_note_changes(edit, number);
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
    return publish(edit, 1, epoch);
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
