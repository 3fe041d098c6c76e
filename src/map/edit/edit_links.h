/* SPDX-License-Identifier: MIT */
/* Internal: the links as a batch leaves them. */
#ifndef WEND_SRC_MAP_EDIT_EDIT_LINKS_H
#define WEND_SRC_MAP_EDIT_EDIT_LINKS_H

#include "map/edit/edit.h"
#include "map/links/links.h"

/// The links as the batch leaves them, with a reference; NULL where there are none.
wend_error wend__edit_links(const wend_edit *edit, const wend__links **out);
/// Is a link, or one that there was, among the changes?
bool wend__link_changed(const wend__link_changes *changes, uint32_t from, uint32_t to);
void wend__link_changes_free(wend_map *map, wend__link_changes *changes);

#endif
