/* SPDX-License-Identifier: MIT */
/* Maps and their terrain. A map is a chain of immutable versions; an edit publishes a new one.
 *
 * There are three kinds: flat grids, grids of voxels, and graphs (graph.h). A graph's node is the cell x = id,
 * y = z = 0. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_map wend_map;
typedef struct wend_acceleration wend_acceleration; ///< see acceleration.h

/// Kinds of maps.
enum {
    WEND_KIND_GRID = 1,  ///< a flat grid of squares or hexagons
    WEND_KIND_VOXEL = 2, ///< a grid of cubes in space
    WEND_KIND_GRAPH = 3  ///< nodes and edges
};

/// Corner rules: when a diagonal step is allowed.
enum {
    WEND_CORNERS_NEVER = 0, ///< on a plane, both side cells are open; in space, every cell of the step's box
    WEND_CORNERS_ONE = 1,   ///< on a plane, at least one of them is; in space, one way of straight steps leads through
                            ///< open cells, none of them backwards
    WEND_CORNERS_ALWAYS = 2 ///< always
};

/// Axes along which a flat grid goes on over its rim: steps lead from its last cells to its first ones. Bits.
enum {
    WEND_WRAP_X = 1, ///< from the last column to the first
    WEND_WRAP_Y = 2  ///< from the last row to the first
};

/// Longest side of a grid, in cells.
#define WEND_MAX_SIDE 65536
/// Shortest side of a grid that wraps along it.
#define WEND_MIN_WRAPPED 3
/// Most sheets of a grid.
#define WEND_MAX_SHEETS 4096
/// Most cells of a grid: 2^32.
#define WEND_MAX_CELLS (UINT64_C(1) << 32)
/// Most nodes of a graph, and most edges.
#define WEND_MAX_NODES ((UINT32_C(1) << 31) - 1)
#define WEND_MAX_EDGES (UINT32_C(1) << 31)
/// Most movers of a map, including the default mover, and the largest size of a mover, in cells.
#define WEND_MAX_MOVERS 64
#define WEND_MAX_MOVER_SIZE 16
/// Most levels that a walker steps up or drops, and its greatest headroom, in cells.
#define WEND_MAX_LEVELS 15
#define WEND_MAX_HEADROOM 16
/// Most links of a map: 2^20.
#define WEND_MAX_LINKS 1048576
/// Largest occupancy of a cell, in units.
#define WEND_MAX_OCCUPANTS 255
/// Largest max_versions of a map.
#define WEND_MAX_VERSIONS 64
/// Largest cost of a step.
#define WEND_MAX_COST 1000000

/// Cells along a side of a chunk, in which the land of a streamed grid is loaded. A chunk at the map's rim may have
/// fewer.
#define WEND_CHUNK_SIDE 64

/// States of a chunk of a streamed grid.
enum {
    WEND_LAND_LOADED = 0, ///< it is there
    WEND_LAND_KNOWN = 1,  ///< unloaded, and a far layer knows the ways through it
    WEND_LAND_ABSENT = 2  ///< never loaded, or forgotten
};

enum {
    WEND_CLASS_BLOCKED = 0,
    WEND_CLASS_OPEN = 1,
    WEND_CLASS_STAIRS = 253, ///< walkers go straight up and down on it
    WEND_CLASS_SWAMP = 254,
    WEND_CLASS_WATER = 255
};

/// Rules of movement on a map: neighbours, corners, costs, terrain factors.
typedef struct wend_map_rules {
    uint32_t struct_bytes;
    int32_t neighbours; ///< 8, 6 or 4; voxels: 26, 18 or 6; 0: the most, 8 or 26. Ignored on graphs. With 6 the cells
                        ///< of a grid are hexagons: corners become ALWAYS, and D becomes S
    int32_t corners;    ///< WEND_CORNERS_…; ignored with 4 or 6 neighbours, and on graphs
    int32_t cost_straight; ///< S, 1 to WEND_MAX_COST; ignored on graphs
    int32_t cost_diagonal; ///< D, S to 2 S (and to WEND_MAX_COST); not used, but checked, with 4 or 6 neighbours
    int32_t cost_space;    ///< T, of a diagonal in space, D to 2 D − S; ignored unless neighbours is 26
    /// Factor of each terrain class: the cost of a step is multiplied by the factor of the cell it enters. 1 to 255;
    /// 0: the mover cannot enter the class.
    uint8_t factors[256];
} wend_map_rules;

/// A box of a flat grid that lies elsewhere on the ground: there the steps from sheet to sheet are seams, links of the
/// cost WEND_LINK_SEAM.
typedef struct wend_sheet {
    wend_box box;     ///< whole chunks, each WEND_CHUNK_SIDE cells, to the map's rim at most; boxes do not overlap
    wend_cell ground; ///< where box.min lies: x and y 0 to WEND_MAX_SIDE, z 0. Cells in no box lie where they are
} wend_sheet;

typedef struct wend_map_def {
    uint32_t struct_bytes;
    int32_t kind;          ///< WEND_KIND_GRID or WEND_KIND_VOXEL; graphs have wend_graph_def
    int32_t width, height; ///< cells, 1 to WEND_MAX_SIDE; width × height × depth up to WEND_MAX_CELLS
    int32_t depth;         ///< layers of voxels, 1 to WEND_MAX_SIDE; 1 on a flat grid
    int32_t max_versions;  ///< live at a time, 1 to WEND_MAX_VERSIONS; searches on older ones start again. Default 8
    uint64_t max_bytes;    ///< most bytes of the map, its versions and its forks together, or WEND_NO_LIMIT
    const wend_map_rules *rules;           ///< copied; NULL: those of wend_map_rules_init()
    const wend_acceleration *acceleration; ///< made with the map, see wend_map_accelerate(); NULL: none
    wend_allocator allocator;              ///< must outlive the map; alloc NULL: the C library's
    bool streamed; ///< of a grid, true: it begins without any land, and wend_edit_load() brings it, a chunk at a time;
                   ///< false: all of it is there. Default false
    int32_t wrap; ///< of a flat grid, any of WEND_WRAP_…: the axes that wrap, of WEND_MIN_WRAPPED cells or more. Movers
                  ///< of more than one cell do not cross the rim. Not with `streamed`. Default 0
    uint32_t sheet_count;     ///< of a flat grid of squares, 0 to WEND_MAX_SHEETS; not with `wrap` or `streamed`
    const wend_sheet *sheets; ///< copied; NULL where there are none. Estimates go by them unless a step leads from one
                              ///< sheet to another: block the cells at their borders. They have no far layer
} wend_map_def;

/// Set the default rules: neighbours 0 (8 or 26 by kind), corners never, costs 10, 14 and 17. Classes 0 and 255 (water)
/// are blocked, class 254 (swamp) has factor 1, class n has factor n.
/// @param bytes   sizeof *rules
/// Threads: any. Cost: O(1).
WEND_API void wend_map_rules_init(wend_map_rules *rules, size_t bytes);

/// Set the defaults: a grid of 0 × 0 cells and depth 1 (the caller sets the size), default rules, no limit of bytes,
/// the C library's allocator.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_map_def_init(wend_map_def *def, size_t bytes);

/// Make a grid, flat or of voxels. All cells are of class WEND_CLASS_OPEN; the epoch is 0.
/// @param out   receives the map; the caller holds one reference
/// @return WEND_OK, WEND_BAD_ARGUMENT (size, rules, struct_bytes), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks on the rim + chunks / 256); of the first map of a process with such neighbours and
/// corners 0.1 ms more, for a table that searches share.
WEND_API wend_error wend_map_create(const wend_map_def *def, wend_map **out);

/// Take or release a reference. NULL is ignored. The last release frees the map. Requests, searches and edits hold one
/// reference each.
/// Threads: any. Cost: O(1); the last release O(chunks).
WEND_API void wend_map_retain(wend_map *map);
WEND_API void wend_map_release(wend_map *map);

/// Description of a map's newest version.
typedef struct wend_map_info {
    uint32_t struct_bytes;
    int32_t kind;                 ///< WEND_KIND_…
    int32_t width, height, depth; ///< cells; depth 1 on a flat grid; of a graph: highest node + 1, 1, 1
    uint64_t epoch;
    uint64_t components; ///< connected components of open cells, for the default mover, without links and the rim
    uint64_t cells;      ///< open or not; of a graph: nodes
    uint64_t edges;      ///< of a graph
    uint64_t links;
    uint64_t closed_steps;
    int32_t movers;       ///< including the default mover
    bool has_coordinates; ///< of a graph
    /// Graphs: the lowest cost of an edge for each unit of straight distance between its ends, × 2^32, rounded down. A
    /// distance that is no whole number is rounded up, to 31 bits or more. The heuristic uses it; 0: no heuristic.
    uint64_t cost_per_unit;
    uint64_t bytes;      ///< held now by all live versions of the map and its forks. A publish first frees what older
                         ///< landmarks left over. After a failed publish it may be less than before, never more
    uint64_t bytes_peak; ///< largest value of `bytes` so far
    bool jumps;          ///< true: the version has jump tables for the default mover
    uint64_t jump_unpruned;   ///< chunks, of all movers, that a publish left for wend_map_maintain() to prune
    uint64_t jump_bytes;      ///< part of `bytes`: jump tables
    int32_t landmarks;        ///< number of landmarks that searches use
    uint64_t landmark_left;   ///< about how many cells wend_map_maintain() has to go over to make landmarks that are
                              ///< lacking; 0: none are
    uint64_t landmark_age;    ///< versions since in which steps opened or closed; all during their making count as one
    uint64_t landmark_bytes;  ///< part of `bytes`: landmarks of the newest version, shared with other versions or not
    uint64_t landmark_effort; ///< publish_effort of wend_map_accelerate(), in cells for each landmark
    bool marks_units;         ///< true: marks of units are made, and kept up
    uint64_t unit_bytes;      ///< part of `bytes`: marks of units of this map
    uint64_t far_stale;       ///< parts of far layers, of all movers, that wend_map_maintain() has to make
    int32_t far_levels;       ///< levels of the default mover's far layer; 0: none
    bool streamed;            ///< true: as in wend_map_def
    uint64_t loaded_chunks;   ///< of a streamed map; else 0
    uint64_t known_chunks;    ///< the same
    int32_t wrap;             ///< WEND_WRAP_…; the steps over the rim do not count among the links
    uint32_t sheets;          ///< see wend_map_get_sheets()
} wend_map_info;

/// Describe the newest version.
/// @param out   receives the description
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_info(const wend_map *map, wend_map_info *out);

/// The mover that every map has: size 1, the rules' factors.
enum { WEND_MOVER_DEFAULT = 0 };

/// Get the terrain class of a cell in the newest version.
/// @param out   receives the class
/// @return WEND_OK, WEND_OUT_OF_RANGE
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out);

/// Copy the terrain classes of a box, row by row and layer by layer. On a graph absent nodes are of class 0.
/// @param stride_bytes   bytes from one row to the next in out, at least the box's width. From one layer to the next it
///                       is that times the box's rows
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (max before min, stride too short)
/// Threads: any. Cost: O(cells of the box).
WEND_API wend_error wend_map_get_terrain_box(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes);

#ifdef __cplusplus
}
#endif
#endif
