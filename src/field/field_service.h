/* SPDX-License-Identifier: MIT */
/* Internal: fields as a service runs them. The service has a list of fields, and no memory for them. */
#ifndef WEND_SRC_FIELD_FIELD_SERVICE_H
#define WEND_SRC_FIELD_FIELD_SERVICE_H

#include "field/field_state.h"

/// A service's fields, by urgency, then as they were added.
typedef struct wend__fields {
    wend_field *first;
} wend__fields;

void wend__fields_add(wend__fields *fields, wend_field *field);
void wend__fields_remove(wend__fields *fields, wend_field *field);

/// Bytes of a field of one goal on a grid or voxels of this many cells in whole chunks; 0: too many, or less than one.
size_t wend__field_room(uint64_t cells);
/// Returns whether a field of one goal on a map fits. On graphs all edges must lead both ways at one cost.
bool wend__field_fits(const wend_map *map, size_t bytes);
/// Makes a field on a version, in memory in which one fits. The caller keeps the version pinned and the memory, and
/// never destroys or repairs the field. Cost: O(chunks + links).
wend_field *wend__field_place(void *memory, wend__version *version, int32_t mover, wend_cell goal);

/// Brings all fields to the newest versions of their maps.
void wend__fields_repair(wend__fields *fields);
/// Returns whether a field counts as repaired once it is on the newest version of its map.
bool wend__field_becomes_repaired(const wend_field *field);
/// Returns the first field with work left; NULL: there is none.
wend_field *wend__fields_first(const wend__fields *fields);

#endif
