/* SPDX-License-Identifier: MIT */
/* Changing a map's rules: an edit that writes to no cell. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/store/rules.h"

wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules) {
    wend_edit *edit;
    wend_map_rules own;
    wend_error error = rules ? wend__rules_take(rules, &own) : wend__refuse_null("rules");
    if (!error) error = wend__rules_check(&own, map->kind);
    if (error) return error;
    const wend_map_rules complete = wend__rules_complete(&own, map->kind);
    wend__mutex_lock(map->writer);
    error = wend__edit_create(map, false, &edit);
    if (!error) {
        error = wend__edit_finish(edit, &complete);
        if (!error) error = wend__edit_install(edit, edit->base->epoch, true);
        if (!error) wend__tap_unsupported(map, "the map's rules changed");
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
