/* SPDX-License-Identifier: MIT */
/* Maps: what can be walked. A map is a chain of immutable versions; an edit publishes a new one. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_map wend_map;
typedef struct wend_edit wend_edit;

enum { WEND_KIND_GRID = 1 };

/// When a diagonal step is allowed: both side cells open, at least one open, or whatever they are.
enum { WEND_CORNERS_NEVER = 0, WEND_CORNERS_ONE = 1, WEND_CORNERS_ALWAYS = 2 };

/// Longest side of a grid, in cells.
#define WEND_MAX_SIDE 65536
/// Most cells of a grid: 2^32.
#define WEND_MAX_CELLS (UINT64_C(1) << 32)
/// Most versions of a map that may be asked for.
#define WEND_MAX_VERSIONS 64
/// Largest cost of a step.
#define WEND_MAX_COST 1000000

enum { WEND_CLASS_BLOCKED = 0, WEND_CLASS_OPEN = 1, WEND_CLASS_SWAMP = 254, WEND_CLASS_WATER = 255 };

/// How a map is walked.
typedef struct wend_map_rules {
    uint32_t struct_bytes;
    int32_t neighbours;    ///< 8 or 4
    int32_t corners;       ///< WEND_CORNERS_…; no meaning with 4 neighbours
    int32_t cost_straight; ///< S, 1 to WEND_MAX_COST
    int32_t cost_diagonal; ///< D, S to 2 S (and to WEND_MAX_COST); not used, but checked, with 4 neighbours
    /// What a terrain class multiplies a step into it by: 1 to 255; 0: it cannot be entered.
    uint8_t factors[256];
} wend_map_rules;

typedef struct wend_map_def {
    uint32_t struct_bytes;
    int32_t kind;          ///< WEND_KIND_GRID
    int32_t width, height; ///< cells, 1 to WEND_MAX_SIDE; width × height up to WEND_MAX_CELLS
    int32_t max_versions;  ///< live at a time, 1 to WEND_MAX_VERSIONS; searches on older ones start again. Default 8
    uint64_t max_bytes;    ///< all that the map, its versions and its forks may hold, or WEND_NO_LIMIT
    wend_map_rules rules;
    wend_allocator allocator; ///< must outlive the map; alloc NULL: the C library's
} wend_map_def;

/// 8 neighbours, corners never, costs 10 and 14; class 0 and 255 (water) blocked, 254 (swamp) factor 1, class n factor n.
WEND_API wend_map_rules wend_map_rules_default(void);

/// A grid of 0 × 0 (fill in the size), default rules, no limit of bytes, the C library's allocator.
WEND_API wend_map_def wend_map_default(void);

/// Make a grid, all of class WEND_CLASS_OPEN, at epoch 0. The caller holds one reference.
/// @return WEND_OK, WEND_BAD_ARGUMENT (size, rules, struct_bytes), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks on the rim + cells / 2^20).
WEND_API int32_t wend_map_create(const wend_map_def *def, wend_map **out);

/// Give an instance (a dungeon, a match) its own map: it begins as the map's newest version, shares what neither changes,
/// and goes its own way from there, with epochs counted on from the original's. The caller holds one reference.
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(cells / 2^20).
WEND_API int32_t wend_map_fork(wend_map *map, wend_map **out);

/// Take or give back a reference. The last one frees the map: requests, searches and edits hold one each.
/// Threads: any. NULL is ignored. Cost: O(1); the last release O(chunks).
WEND_API void wend_map_retain(wend_map *map);
WEND_API void wend_map_release(wend_map *map);

/// What a map is, at its newest version.
typedef struct wend_map_info {
    uint32_t struct_bytes;
    int32_t kind;
    int32_t width, height, depth; ///< cells; depth 1 on a flat grid
    uint64_t epoch;
    uint64_t components; ///< sets of open cells connected with one another
    uint64_t bytes;      ///< held now by all live versions, its own and its forks'
    uint64_t bytes_peak; ///< the most ever held
    wend_map_rules rules;
} wend_map_info;

/// Threads: any. Cost: O(1).
WEND_API void wend_map_describe(const wend_map *map, wend_map_info *out);

/// Change how the map is walked; makes no new epoch. Refused while a search is under way on the map; answers that wait
/// for delivery are held against the new rules.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells) where a factor changes, else O(cells / 2^20).
WEND_API int32_t wend_map_set_rules(wend_map *map, const wend_map_rules *rules);

/// Change how many versions may be live at a time: what max_versions says in the definition. A fork begins with its
/// original's. Where more are in use now, searches on the oldest start again in their service's next frame.
/// @return WEND_OK, WEND_BAD_ARGUMENT (not 1 to WEND_MAX_VERSIONS). Threads: any. Cost: O(live versions).
WEND_API int32_t wend_map_set_max_versions(wend_map *map, int32_t max_versions);

/// The terrain class of one cell at the newest version.
/// @return WEND_OK, WEND_OUT_OF_RANGE. Threads: any. Cost: O(1).
WEND_API int32_t wend_map_terrain(const wend_map *map, wend_cell cell, uint8_t *out);

/// Copy the terrain classes of a box, row by row.
/// @param stride_bytes   from one row to the next in out, at least the box's width
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (max before min, stride too short)
/// Threads: any. Cost: O(cells of the box).
WEND_API int32_t wend_map_read(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes);

/* Edits: a batch of changes that nobody sees until it is published. One open batch a map. The first error sticks:
   later calls return it, and so does publish. A batch is used by one thread at a time. */

/// @return WEND_OK, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(cells / 2^20).
WEND_API int32_t wend_edit_begin(wend_map *map, wend_edit **out);

/// Set the class of one cell. @return WEND_OK, WEND_OUT_OF_RANGE, WEND_OUT_OF_MEMORY. Cost: O(1), O(chunk) the first time.
WEND_API int32_t wend_edit_set(wend_edit *edit, wend_cell cell, uint8_t terrain);

/// Set the class of all cells of a box. Errors as wend_edit_set(), and WEND_BAD_ARGUMENT (max before min).
/// Cost: O(chunks + cells of chunks partly covered).
WEND_API int32_t wend_edit_fill(wend_edit *edit, wend_box box, uint8_t terrain);

/// Set the classes of a box from an array, row by row; stride_bytes from one row to the next.
/// Errors as wend_edit_fill(); WEND_BAD_ARGUMENT also where the stride is too short. Cost: O(cells of the box).
WEND_API int32_t wend_edit_write(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes);

/// Make the batch the newest version, and free it. On error nothing has changed, and the batch is freed too.
/// Searches under way go on with the version they began on; where more than max_versions would be in use, those on the
/// oldest start again in their service's next frame.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, the batch's first error, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks touched).
WEND_API int32_t wend_edit_publish(wend_edit *edit, uint64_t *epoch);

/// Forget the batch. NULL is ignored. Cost: O(chunks touched).
WEND_API void wend_edit_discard(wend_edit *edit);

/// Would publishing the batch as it stands part two cells that are connected now (build a wall across the only way)?
/// @param mover      WEND_MOVER_DEFAULT
/// @param disconnects   receives 1 or 0; 0 also where they are not connected now; 1 where the batch blocks one of them
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY, the batch's first error
/// Cost: O(cells of chunks touched + rims of the areas above them).
WEND_API int32_t wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                            int32_t *disconnects);

/* Cheap questions, answered at the newest version without a request. */

/// The kind of agent that every map knows: size 1, the rules' factors.
enum { WEND_MOVER_DEFAULT = 0 };

/// Is there any way from one cell to another? Answered from labels that every edit keeps up to date, without a search.
/// @param mover      WEND_MOVER_DEFAULT
/// @param reachable  receives 1 or 0; 0 where either cell is blocked
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT. Threads: any. Cost: O(log side).
WEND_API int32_t wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b, int32_t *reachable);

/// Can one walk the straight line between two cells' centres? Every cell the line passes through must be open; where it
/// passes exactly through a corner, the map's corner rule decides (with 4 neighbours: both side cells open).
/// @param visible   receives 1 or 0
/// @param last      receives the last cell reached on the way, `to` itself when visible; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE. Threads: any. Cost: O(distance).
WEND_API int32_t wend_map_line_of_sight(const wend_map *map, wend_cell from, wend_cell to, int32_t *visible,
                                        wend_cell *last);

/// Farthest that wend_map_nearest_open() looks, in cells.
#define WEND_MAX_NEAREST 1024

/// The open cell nearest to a cell: by the cost of fewest-cost steps on empty ground, ties by lower y, then lower x.
/// @param max_cells   how far to look in x and y, 0 to WEND_MAX_NEAREST
/// @param found       receives 1, or 0 where nothing is open within reach (out untouched)
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT. Threads: any. Cost: O(distance to the answer, squared).
WEND_API int32_t wend_map_nearest_open(const wend_map *map, wend_cell cell, int32_t max_cells, int32_t *found,
                                       wend_cell *out);

/// What a given path costs: each step's cost times the factor of the cell it enters; the first cell is free.
/// @param walkable   receives how many cells, from the first on, can be walked one after another: count when the whole
///                   path can be; 0 when the first is not open. May be NULL.
/// @param cost       receives the cost of those
/// @return WEND_OK, WEND_OUT_OF_RANGE (some cell is off the map), WEND_BAD_ARGUMENT (no cells)
/// Threads: any. Cost: O(count).
WEND_API int32_t wend_map_path_cost(const wend_map *map, const wend_cell *cells, size_t count, size_t *walkable,
                                    uint64_t *cost);

#ifdef __cplusplus
}
#endif
#endif
