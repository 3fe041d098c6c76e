/* SPDX-License-Identifier: MIT */
/* Internal: the links as a batch leaves them. */
#ifndef WEND_SRC_MAP_EDIT_EDIT_LINKS_H
#define WEND_SRC_MAP_EDIT_EDIT_LINKS_H

#include "map/edit/edit.h"
#include "map/links/links.h"

/// The links as the batch leaves them, with a reference; NULL where there are none.
wend_error wend__edit_links(const wend_edit *edit, const wend__links **out);
void wend__link_changes_free(wend_map *map, wend__link_changes *changes);

#endif
