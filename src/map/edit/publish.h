/* SPDX-License-Identifier: MIT */
/* Internal: making a batch the newest version. */
#ifndef WEND_SRC_MAP_EDIT_PUBLISH_H
#define WEND_SRC_MAP_EDIT_PUBLISH_H

#include "map/edit/edit.h"

/// Make the draft of a mover's view final: its chunks, and the derived data that views have. Its links are final.
wend_error wend__edit_finish_view(wend_edit *edit, const wend_map_rules *rules);
/// Make a draft final: its links, its chunks, all derived data. The writer lock is held.
wend_error wend__edit_finish(wend_edit *edit, const wend_map_rules *rules);
/// Let `fn` change the derived data of a draft of the newest version, then make it the newest.
/// @param counted  as in wend__edit_create()
wend_error wend__map_change(wend_map *map, bool counted, int32_t (*fn)(wend_edit *edit, void *context), void *context);
/// Make the draft the newest version. The writer lock is held.
/// @param alone   refuse (WEND_IN_USE) while any version is pinned
wend_error wend__edit_install(wend_edit *edit, uint64_t epoch, bool alone);
/// Publish a loader's batch as the map's first version: the epoch stays 0.
wend_error wend__edit_publish_first(wend_edit *edit);

#endif
