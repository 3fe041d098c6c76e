/* SPDX-License-Identifier: MIT */
/* Internal: components that links connect. */
#ifndef WEND_SRC_MAP_COMPONENTS_LINK_COMPONENTS_H
#define WEND_SRC_MAP_COMPONENTS_LINK_COMPONENTS_H

#include "map/edit/edit.h"
#include "map/store/map_layout.h"

/// What links connect in a version (or ground) whose labels are final. *out: NULL where no link joins two components.
wend_error wend__links_join(const wend__version *version, wend__joined **out);
/// Are they what a batch found, this being the version (or ground) that it makes of `before`, labels final? Only what it
/// touched is looked at.
bool wend__joined_stands(const wend__version *now, const wend__version *before, wend__marks *const *marks);
wend__joined *wend__joined_retain(wend_map *map, wend__joined *joined); ///< NULL is passed through
void wend__joined_release(wend_map *map, wend__joined *joined);         ///< NULL is ignored
/// A component as links leave it: the same number for all components that links connect.
uint64_t wend__joined_component(const wend__version *version, uint64_t component);

/* ---- as derived data: see version/derivation.h ---- */

void wend__link_components_share(wend__version *version, const wend__version *from);
void wend__link_components_drop(wend__version *version);
int32_t wend__link_components_renew(wend_edit *edit, uint32_t changes);

#endif
