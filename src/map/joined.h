/* SPDX-License-Identifier: MIT */
/* Internal: link components: which components of a version its links connect, and the links that do so (ties). */
#ifndef WEND_SRC_JOINED_H
#define WEND_SRC_JOINED_H

#include "map/links.h"
#include "map/map_private.h"

/// A link both of whose ends are open and lie in different components.
typedef struct wend__tie {
    uint64_t key;     ///< as wend__way_key()
    uint64_t ends[2]; ///< components
} wend__tie;

/// A component that some tie connects with another. The lowest component of a set that ties connect names all of them.
typedef struct wend__link_component {
    uint64_t component, name;
} wend__link_component;

/// Immutable, shared between versions and forks. A version without ties has none.
struct wend__joined {
    uint32_t references; ///< guarded by the map's mutex
    size_t bytes;
    size_t tie_count, count;
    const wend__tie *ties;          ///< by key
    const wend__link_component *of; ///< by component
};

/// The tie that a link is; false: it connects nothing.
bool wend__tie_make(const wend__version *version, uint64_t key, wend__tie *out);
/// From ties in the order of their keys. *out: NULL where there are none.
int32_t wend__joined_create(wend_map *map, const wend__tie *ties, size_t count, wend__joined **out);
/// NULL: no tie ends in that component.
const wend__link_component *wend__joined_find(const wend__joined *joined, uint64_t component);

#endif
