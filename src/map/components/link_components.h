/* SPDX-License-Identifier: MIT */
/* Internal: link components: which components of a version its links connect, and the links that do so (ties). */
#ifndef WEND_SRC_MAP_COMPONENTS_LINK_COMPONENTS_H
#define WEND_SRC_MAP_COMPONENTS_LINK_COMPONENTS_H

#include "map/edit/edit.h"

/// A link between open cells of different components.
typedef struct wend__tie {
    uint64_t key;     ///< as wend__link_key()
    uint64_t ends[2]; ///< components
} wend__tie;

/// A component that some tie connects with another. A set that ties connect is named by its lowest component.
typedef struct wend__link_component {
    uint64_t component, name;
} wend__link_component;

/// Immutable, shared between versions and forks. A version without ties has none.
struct wend__link_components {
    wend__shared shared;
    size_t tie_count, count;
    const wend__tie *ties;          ///< ties by key
    const wend__link_component *of; ///< entries by component
};

/// The tie of a link; false: it connects no two components.
bool wend__tie_make(const wend__version *version, uint64_t key, wend__tie *out);
/// Makes the link components of ties sorted by key; *out is NULL if there are none.
wend_error wend__link_components_create(wend_map *map, const wend__tie *ties, size_t count,
                                        wend__link_components **out);
/// The entry of a component; NULL: no tie ends in it.
const wend__link_component *wend__link_components_find(const wend__link_components *components, uint64_t component);

/// Makes the link components of a version or view with final components; *out is NULL if no link connects two.
wend_error wend__link_components_build(const wend__version *version, wend__link_components **out);
/// Returns the same number for all components that links connect with this one.
uint64_t wend__link_component_name(const wend__version *version, uint64_t component);

/// Makes the link components of a draft with final components, from those of its base. Examines only links that end in
/// touched chunks, changed links, and links in parts of components that the batch cut off.
wend_error wend__link_components_update(const wend_edit *edit, wend__link_components **out);

/* ---- as derived data: see version/derivation.h ---- */

void wend__link_components_share(wend__version *version, const wend__version *from);
void wend__link_components_drop(wend__version *version);
wend_error wend__link_components_rebuild(wend_edit *edit, uint32_t changes);

#endif
