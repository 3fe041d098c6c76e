/* SPDX-License-Identifier: MIT */
/* Internal: connected components of a version, for any kind of map. */
#ifndef WEND_SRC_MAP_COMPONENTS_COMPONENTS_H
#define WEND_SRC_MAP_COMPONENTS_COMPONENTS_H

#include "map/edit/edit.h"

/// Returns the component of an open cell, without links: the same number for two cells exactly if they are connected.
/// Any kind of map; for a mover, its view. Cost: O(log side).
uint64_t wend__component_of(const wend__version *view, wend_cell cell);

/// The same, with links as if each led both ways.
uint64_t wend__component_name(const wend__version *view, wend_cell cell);

/// Returns the number of components, links not counted.
uint64_t wend__version_components(const wend__version *version);

/// Returns true if two open cells are connected, also by links. Weakly: reachable if all steps lead both ways.
bool wend__components_connect(const wend__version *view, wend_cell a, wend_cell b);

/* ---- as derived data: see version/derivation.h ---- */

void wend__components_share(wend__version *version, const wend__version *from);
void wend__components_drop(wend__version *version);
wend_error wend__components_create(wend__version *version);
wend_error wend__components_rebuild(wend_edit *edit, uint32_t changes);
void wend__components_validate(const wend__version *version);

#endif
