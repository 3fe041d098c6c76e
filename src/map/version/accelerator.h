/* SPDX-License-Identifier: MIT */
/* Internal: functions of acceleration for maps, their description and their files, as data of a table above. */
#ifndef WEND_SRC_MAP_VERSION_ACCELERATOR_H
#define WEND_SRC_MAP_VERSION_ACCELERATOR_H

#include "map/store/map_layout.h"

/// Receives bytes to write.
typedef void wend__put_bytes_fn(void *context, const void *bytes, size_t size);

/// src/fast/acceleration.c defines it; a build without that room has the one of src/fast/no_fast.c.
typedef struct wend__accelerating {
    /// See wend_map_accelerate().
    wend_error (*accelerate)(wend_map *map, const wend_acceleration *def);
    /// Makes requested marks of units: all searches that see units call this at their start. Threads:
    /// any, while no unit moves. Cost: O(chunks with units) once, then O(1).
    void (*make_units)(wend_map *map);
    /// See wend__units_follow() and wend__units_set_reader() in fast/stops/units.h.
    void (*follow_units)(wend_map *map, wend_box chunks);
    void (*set_unit_reader)(wend_map *map, const void *pool);
    /// Fills in the landmarks and far layers of a version. With the map's mutex held.
    void (*describe)(const wend__version *version, wend_map_info *out);
    /// Returns about how many cells remain to be done for landmarks; 0: none are lacking.
    uint64_t (*landmarks_left)(wend_map *map);

    /* ---- baked maps ---- */

    /// Save a version's landmarks, if it has any.
    void (*put_landmarks)(const wend__version *version, wend__put_bytes_fn *put, void *context);
    /// Gives the default mover the landmarks in such bytes. They begin at a multiple of 64 and outlive the map and
    /// its forks. @return WEND_OK, WEND_BAD_FORMAT (with its detail), WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
    wend_error (*take_landmarks)(wend_map *map, const void *bytes, size_t size);
    /// Applies a file's acceleration to a map and makes its tables now. Its landmarks were loaded before; if the
    /// file has none, wend_map_maintain() makes them.
    /// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY (nothing changed)
    wend_error (*restore)(wend_map *map, uint32_t tables, uint32_t landmarks, uint64_t publish_effort);
} wend__accelerating;
extern const wend__accelerating wend__accelerator;

static inline wend_acceleration wend__default_acceleration(void) {
    return (wend_acceleration){.struct_bytes = sizeof(wend_acceleration),
                               .mover = WEND_MOVER_DEFAULT,
                               .tables = 1,
                               .landmarks = 4,
                               .max_bytes = WEND_NO_LIMIT,
                               .publish_effort = WEND_LANDMARK_EFFORT,
                               .far = WEND_FAR_LARGE};
}

/// Returns the columns and rows of chunks in which units in a box of cells leave marks, inclusive.
static inline wend_box wend__chunks_marked_in(wend_box box) {
    return (wend_box){{(box.min.x - 1) >> WEND__CHUNK_SHIFT, (box.min.y - 1) >> WEND__CHUNK_SHIFT, 0},
                      {(box.max.x + 1) >> WEND__CHUNK_SHIFT, (box.max.y + 1) >> WEND__CHUNK_SHIFT, 0}};
}

/// Returns the box of cells within some distance of the start, also those off the map.
static inline wend_box wend__box_around(wend_cell start, int32_t within) {
    return (wend_box){{start.x - within, start.y - within, 0}, {start.x + within, start.y + within, 0}};
}

/// Returns the columns and rows of all chunks of a flat grid.
static inline wend_box wend__all_chunks(const wend_map *map) {
    return (wend_box){{0, 0, 0}, {(map->width - 1) >> WEND__CHUNK_SHIFT, (map->height - 1) >> WEND__CHUNK_SHIFT, 0}};
}

/// Returns whether a search that sees units may use their marks, once make_units() was called.
static inline bool wend__units_serve(const wend_map *map) {
    const int32_t state = atomic_load_explicit(&map->unit_state, memory_order_acquire);
    return state == WEND__UNITS_WANTED || state == WEND__UNITS_KEPT;
}

#endif
