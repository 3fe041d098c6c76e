/* SPDX-License-Identifier: MIT */
/* Versions of a map: what changed since one, forks, other rules, how many may be live. */
#ifndef WEND_VERSIONS_H
#define WEND_VERSIONS_H

#include <wend/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Make a copy-on-write copy of a map, for an instance of a game (a dungeon, a match). The fork starts as the map's
/// newest version and shares all that neither changes. Edits of one do not change the other. The fork's epochs continue
/// from the original's.
/// @param out   receives the fork; the caller holds one reference
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_map_fork(wend_map *map, wend_map **out);

/// Get the number of the newest version: 0 after creation, one more for each publish.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_map_get_epoch(const wend_map *map);

/// Answer of wend_map_changes() apart from the boxes.
typedef struct wend_changes {
    uint32_t struct_bytes;
    bool everything;   ///< true: any cell may have changed, and the one box is the whole map
    uint64_t epoch;    ///< of the newest version: since_epoch of the next call
    uint64_t revision; ///< one more each time that cells, links, rules or movers may have changed
} wend_changes;

/// Most boxes that a map's log of changes keeps, and most that one publish adds. A publish that changed more parts of
/// the map adds one box around them all.
#define WEND_MAX_CHANGES 512
#define WEND_MAX_CHANGES_EACH 128

/// List where a map changed in the versions after an epoch, for a host that derives data of its own.
/// - The boxes hold each cell whose class changed, from which a step was opened or closed, and both ends of each link
///   that came, went, or has another cost or other movers. Each box lies in one chunk; boxes may overlap.
/// - A step between two cells depends on all cells of the smallest box around it; for a large mover, also on the cells
///   that it covers; for a walker, also on the cells below both ends, and on its headroom above the higher one over the
///   lower one.
/// - The log: the first call on a map, or on a fork, begins it. The log has the boxes of the last publishes,
///   WEND_MAX_CHANGES in all.
/// - Everything may have changed where since_epoch lies before the log, or where wend_map_set_rules() was called in
///   that epoch or later. As it makes no new epoch, the same answer comes until the next publish: a host that sees the
///   same revision twice has nothing to do.
/// @param boxes     receives the first `capacity` boxes, oldest first; may be NULL with capacity 0, to count only
/// @param count     receives the number of boxes, also when that is more than capacity
/// @param changes   receives the rest; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes), WEND_OUT_OF_MEMORY (the first call: the log takes 16 KiB)
/// Threads: any. Cost: O(boxes in the log).
WEND_API wend_error wend_map_changes(const wend_map *map, uint64_t since_epoch, wend_box *boxes, size_t capacity,
                                     size_t *count, wend_changes *changes);

/// Get the rules of the newest version. On a grid neighbours is a number, never 0.
/// @param out   receives the rules
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out);

/// Change the rules of movement. Makes no new epoch. Refused while a search runs on the map, or a field is made for it.
/// Answers that wait for delivery are checked again under the new rules. A step that a walk or an agent has begun keeps
/// the length that it began with, in costs of the old rules. Landmarks are dropped where costs, factors, neighbours or
/// corners change; wend_map_maintain() makes new ones.
/// @param rules   copied
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells) where a factor changes. Else O(chunks / 256), or O(chunks) where steps are closed.
WEND_API wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules);

/// Change max_versions, the number of versions that may be live at a time. A fork begins with its original's number.
/// Where more versions are in use now, searches on the oldest start again in their service's next frame.
/// @param max_versions   1 to WEND_MAX_VERSIONS
/// @return WEND_OK, WEND_BAD_ARGUMENT (max_versions)
/// Threads: any. Cost: O(live versions).
WEND_API wend_error wend_map_set_max_versions(wend_map *map, int32_t max_versions);

#ifdef __cplusplus
}
#endif
#endif
