/* SPDX-License-Identifier: MIT */
/* Internal: the map object: its kind and size, and creating it without a version. */
#ifndef WEND_SRC_MAP_VERSION_MAP_H
#define WEND_SRC_MAP_VERSION_MAP_H

#include "map/kinds/graph.h"
#include <wend/versions.h>

/// A caller's definition, of any size, with rules of its own. NULL: the defaults.
/// @param rules   receives the rules; out->rules points there
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
wend_error wend__map_def_read(const wend_map_def *theirs, wend_map_def *out, wend_map_rules *rules);

/// Returns the kind and size of the map. They never change. Threads: any, without a lock.
int32_t wend__map_kind(const wend_map *map);
void wend__map_size(const wend_map *map, int32_t *width, int32_t *height, int32_t *depth);

/// Returns true if the map is a graph with coordinates.
bool wend__map_placed(const wend_map *map);
/// Returns true if each edge of the newest version has one back at its cost; also if the map is no graph.
bool wend__map_symmetric(const wend_map *map);

/// Returns true if a cell lies on the map; on a graph, if a node may have that id. Threads: any, without a lock.
static inline bool wend__map_inside(const wend_map *map, wend_cell cell) {
    return (uint32_t)cell.x < (uint32_t)map->width && (uint32_t)cell.y < (uint32_t)map->height &&
           (uint32_t)cell.z < (uint32_t)map->depth;
}

/// Returns true if the newest version of a graph has a node. Threads: any.
bool wend__map_has_node(const wend_map *map, int32_t node);
/// Returns true if this is a cell of the map; on a graph, a node of its newest version. Threads: any.
static inline bool wend__map_has(const wend_map *map, wend_cell cell) {
    return wend__map_inside(map, cell) && (map->kind != WEND_KIND_GRAPH || wend__map_has_node(map, cell.x));
}

/// Checks cells of a caller's, with details on failure: WEND_OK, or WEND_OUT_OF_RANGE.
WEND__COLD wend_error wend__refuse_cell(const wend_map *map, const char *name, wend_cell cell);
static inline wend_error wend__check_cell(const wend_map *map, const char *name, wend_cell cell) {
    return wend__map_has(map, cell) ? WEND_OK : wend__refuse_cell(map, name, cell);
}
wend_error wend__check_each_cell(const wend_map *map, const char *name, const wend_cell *cells, size_t count);

/// Checks that class 0 is blocked, as it must be for land that is not loaded: WEND_OK or WEND_BAD_ARGUMENT.
wend_error wend__check_blocked_class(const uint8_t factors[256]);
/// Refuses rules that a map that wraps (WEND_WRAP_…) cannot have.
wend_error wend__check_wrapped_rules(int32_t wrap, const wend_map_rules *rules);
/// The same for a map with sheets.
wend_error wend__check_sheet_rules(const wend_map *map, const wend_map_rules *rules);

/// Returns WEND_UNSUPPORTED if the map is a graph.
wend_error wend__check_lines(const wend_map *map);

/// Returns true if the cells of the newest version are hexagons.
bool wend__map_hexagons(const wend_map *map);

/// @param what   a feature that hexagons do not have
/// @return WEND_UNSUPPORTED (the map's cells are hexagons)
wend_error wend__check_squares(const wend_map *map, const char *what);

/// WEND_OK, WEND_BAD_ARGUMENT (max before min) or WEND_OUT_OF_RANGE.
wend_error wend__box_check(const wend_map *map, wend_box box);
/// A row of the box in the caller's array has room for its cells: WEND_OK or WEND_BAD_ARGUMENT.
wend_error wend__check_stride(wend_box box, size_t stride_bytes);

/* ---- memory kept from one call to the next ---- */

/// Takes the memory of the C library's that a call has left. NULL: none. Threads: any.
void *wend__map_take_spare(wend_map *map, size_t *bytes);
/// Leaves memory of the C library's to the next call, or frees it if there is some already. Threads: any.
void wend__map_leave_spare(wend_map *map, void *memory, size_t bytes);

/* ---- the log of places that the last publishes changed ---- */

/// A ring of boxes, oldest first, allocated on the host's first request.
typedef struct wend__change_log {
    uint64_t from;   ///< the log has all changes of later epochs
    uint64_t lost;   ///< the same for versions of the last restore or later
    uint64_t serial; ///< the log has changes of this serial and later ones, whatever their epochs
    uint64_t noted;  ///< the last epoch with recorded changes
    uint32_t first, count;
    struct {
        uint64_t epoch; ///< epoch of the version that has the change
        wend_box box;
    } of[WEND_MAX_CHANGES];
} wend__change_log;

/// Returns true if a host has requested changes. The writer lock is held.
bool wend__change_log_wanted(wend_map *map);
/// Records changes of a version that is about to become the newest; the oldest give way. The writer lock is held.
void wend__change_log_add(wend_map *map, uint64_t epoch, const wend_box *boxes, uint32_t count);
/// Records that a version became the newest, after one of epoch `before`. The mutex is held.
/// @param anywhere   any cell may have changed, without a new epoch
void wend__change_log_turn(wend_map *map, uint64_t before, bool anywhere);
/// As wend_map_changes(), since a version that the caller had pinned: others may have had its epoch, before a restore.
/// @param boxes        room for WEND_MAX_CHANGES
/// @param everything   receives whether the log lacks some changes
wend_error wend__map_changes_since(const wend_map *map, uint64_t epoch, uint64_t serial, wend_box *boxes, size_t *count,
                                   bool *everything);
void wend__change_log_free(wend_map *map); ///< when its map is freed

#endif
