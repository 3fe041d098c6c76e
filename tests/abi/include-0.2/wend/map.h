/* SPDX-License-Identifier: MIT */
/* Maps: what can be walked. A map is a chain of immutable versions; an edit publishes a new one.
 *
 * There are three kinds: flat grids, grids of voxels, and graphs of nodes with directed edges. A graph's node is the cell
 * x = id, y = z = 0. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_map wend_map;
typedef struct wend_acceleration wend_acceleration; ///< see acceleration.h

enum { WEND_KIND_GRID = 1, WEND_KIND_VOXEL = 2, WEND_KIND_GRAPH = 3 };

/// When a diagonal step is allowed: both side cells open, at least one open, or whatever they are. In space: every cell of
/// the step's box open; at least one way of straight steps through open cells, none of them backwards; whatever they are.
enum { WEND_CORNERS_NEVER = 0, WEND_CORNERS_ONE = 1, WEND_CORNERS_ALWAYS = 2 };

/// Longest side of a grid, in cells.
#define WEND_MAX_SIDE 65536
/// Most cells of a grid: 2^32.
#define WEND_MAX_CELLS (UINT64_C(1) << 32)
/// Most nodes and edges of a graph.
#define WEND_MAX_NODES ((UINT32_C(1) << 31) - 1)
#define WEND_MAX_EDGES (UINT32_C(1) << 31)
/// Most movers of a map, the default one among them, and the largest size of one, in cells.
#define WEND_MAX_MOVERS 64
#define WEND_MAX_MOVER_SIZE 16
/// Most links of a map: 2^20.
#define WEND_MAX_LINKS 1048576
/// Most units that may stand on a cell.
#define WEND_MAX_OCCUPANTS 255
/// Most versions of a map that may be asked for.
#define WEND_MAX_VERSIONS 64
/// Largest cost of a step.
#define WEND_MAX_COST 1000000

enum { WEND_CLASS_BLOCKED = 0, WEND_CLASS_OPEN = 1, WEND_CLASS_SWAMP = 254, WEND_CLASS_WATER = 255 };

/// How a map is walked.
typedef struct wend_map_rules {
    uint32_t struct_bytes;
    int32_t neighbours;    ///< 8 or 4; of voxels 26, 18 or 6; 0: the most there are, 8 or 26. No meaning on graphs
    int32_t corners;       ///< WEND_CORNERS_…; no meaning with 4 or 6 neighbours, nor on graphs
    int32_t cost_straight; ///< S, 1 to WEND_MAX_COST; no meaning on graphs
    int32_t cost_diagonal; ///< D, S to 2 S (and to WEND_MAX_COST); not used, but checked, with 4 or 6 neighbours
    int32_t cost_space;    ///< T, of a diagonal in space, D to 2 D − S; no meaning but with 26 neighbours
    /// What a terrain class multiplies a step into it by: 1 to 255; 0: it cannot be entered.
    uint8_t factors[256];
} wend_map_rules;

typedef struct wend_map_def {
    uint32_t struct_bytes;
    int32_t kind;          ///< WEND_KIND_GRID or WEND_KIND_VOXEL; graphs have wend_graph_def
    int32_t width, height; ///< cells, 1 to WEND_MAX_SIDE; width × height × depth up to WEND_MAX_CELLS
    int32_t depth;         ///< layers of voxels, 1 to WEND_MAX_SIDE; 1 on a flat grid
    int32_t max_versions;  ///< live at a time, 1 to WEND_MAX_VERSIONS; searches on older ones start again. Default 8
    uint64_t max_bytes;    ///< all that the map, its versions and its forks may hold, or WEND_NO_LIMIT
    const wend_map_rules *rules;           ///< copied; NULL: those of wend_map_rules_init()
    const wend_acceleration *acceleration; ///< made with the map, see wend_map_accelerate(); NULL: none
    wend_allocator allocator;              ///< must outlive the map; alloc NULL: the C library's
} wend_map_def;

/// Neighbours 0 (8 or 26 by kind), corners never, costs 10, 14 and 17; class 0 and 255 (water) blocked, 254 (swamp) factor
/// 1, class n factor n.
WEND_API void wend_map_rules_init(wend_map_rules *rules, size_t bytes);

/// A grid of 0 × 0, depth 1 (fill in the size), default rules, no limit of bytes, the C library's allocator.
WEND_API void wend_map_def_init(wend_map_def *def, size_t bytes);

/// Make a grid, flat or of voxels, all of class WEND_CLASS_OPEN, at epoch 0. The caller holds one reference.
/// @return WEND_OK, WEND_BAD_ARGUMENT (size, rules, struct_bytes), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks on the rim + chunks / 256).
WEND_API wend_error wend_map_create(const wend_map_def *def, wend_map **out);

/// A directed edge of a graph: a way from one node to another, at a cost of its own.
typedef struct wend_edge {
    uint32_t from, to;
    int32_t cost; ///< 1 to WEND_MAX_COST; times the factor of the class of `to`
} wend_edge;

typedef struct wend_graph_def {
    uint32_t struct_bytes;
    uint32_t node_count;          ///< nodes are 0 to node_count − 1; 1 to WEND_MAX_NODES
    const uint8_t *present;       ///< a byte for each of those: 0 where there is no such node. NULL: all are there
    const wend_cell *coordinates; ///< of each node, in any unit; NULL: none. Those of absent nodes are not looked at
    const wend_edge *edges;       ///< in any order; parallel edges and loops are fine
    uint64_t edge_count;          ///< up to WEND_MAX_EDGES
    int32_t max_versions;         ///< as in wend_map_def
    uint32_t reserved;            ///< 0
    uint64_t max_bytes;           ///< as in wend_map_def
    uint8_t factors[256];         ///< as in wend_map_rules
    wend_allocator allocator;     ///< as in wend_map_def
} wend_graph_def;

/// No nodes; the factors of wend_map_rules_init().
WEND_API void wend_graph_def_init(wend_graph_def *def, size_t bytes);

/// Make a graph, all nodes of class WEND_CLASS_OPEN, at epoch 0. The arrays are copied. Nodes and edges never change
/// afterwards; classes and links do.
/// @return WEND_OK, WEND_BAD_ARGUMENT (counts, a cost), WEND_OUT_OF_RANGE (an edge's end is no node), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(nodes + edges).
WEND_API wend_error wend_graph_create(const wend_graph_def *def, wend_map **out);

/// Give an instance (a dungeon, a match) its own map: it begins as the map's newest version, shares what neither changes,
/// and goes its own way from there, with epochs counted on from the original's. The caller holds one reference.
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_map_fork(wend_map *map, wend_map **out);

/// Take or give back a reference. The last one frees the map: requests, searches and edits hold one each.
/// Threads: any. NULL is ignored. Cost: O(1); the last release O(chunks).
WEND_API void wend_map_retain(wend_map *map);
WEND_API void wend_map_release(wend_map *map);

/// What a map is, at its newest version.
typedef struct wend_map_info {
    uint32_t struct_bytes;
    int32_t kind;
    int32_t width, height, depth; ///< cells; depth 1 on a flat grid; of a graph: highest node + 1, 1, 1
    uint64_t epoch;
    uint64_t components; ///< sets of open cells connected with one another, for the default mover, links not counted
    uint64_t cells;      ///< all of them, open or not; of a graph its nodes
    uint64_t edges;      ///< of a graph
    uint64_t links;
    uint64_t closed_steps;
    int32_t movers;          ///< the default one among them
    int32_t has_coordinates; ///< of a graph: 1 or 0
    /// Of a graph: what an edge costs at least for each unit of straight distance between its ends, × 2^32, rounded down
    /// (the distance up, where it is no whole number, to 31 bits or more): what the estimate is made of. 0: no estimate.
    uint64_t cost_per_unit;
    uint64_t bytes;         ///< held now by all live versions, its own and its forks'. A publish first frees what older
                            ///< landmarks left, so after one that failed this may be less than before it, never more
    uint64_t bytes_peak;    ///< the most ever held
    int32_t jumps;          ///< 1: it has jump tables; else 0
    uint64_t jump_unpruned; ///< chunks whose tables an edit changed, and nobody pruned since
    uint64_t jump_bytes;    ///< of `bytes`, jump tables'
    int32_t landmarks;      ///< how many it has that searches go by
    /// Cells from where others, that rest, are still to be mended, counted for each; 0: none rests.
    uint64_t landmark_unmended;
    uint64_t landmark_age;    ///< versions since in which steps opened or closed; all while they were made count as one
    uint64_t landmark_bytes;  ///< of `bytes`, what the newest version's take, shared with other versions or not
    uint64_t landmark_effort; ///< publish_effort of wend_map_accelerate()
} wend_map_info;

/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_info(const wend_map *map, wend_map_info *out);

/// How the map is walked, at its newest version: neighbours as a number, never 0 on a grid.
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes). Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out);

/// The number of the newest version: 0 after creation, one more for each publish.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_map_get_epoch(const wend_map *map);

/// Change how the map is walked; makes no new epoch. Refused while a search is under way on the map; answers that wait
/// for delivery are held against the new rules.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells) where a factor changes, else O(chunks / 256), O(chunks) where steps are closed.
WEND_API wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules);

/// Change how many versions may be live at a time: what max_versions says in the definition. A fork begins with its
/// original's. Where more are in use now, searches on the oldest start again in their service's next frame.
/// @return WEND_OK, WEND_BAD_ARGUMENT (not 1 to WEND_MAX_VERSIONS). Threads: any. Cost: O(live versions).
WEND_API wend_error wend_map_set_max_versions(wend_map *map, int32_t max_versions);

/// The kind of agent that every map knows: size 1, the rules' factors.
enum { WEND_MOVER_DEFAULT = 0 };

/// A kind of agent.
typedef struct wend_mover {
    uint32_t struct_bytes;
    int32_t
        size; ///< 1 to WEND_MAX_MOVER_SIZE: it covers size × size cells right and down of its own (× size upwards in
              ///< space), stands where all are open for it, and the dearest of them counts. On graphs 1
    uint8_t factors[256]; ///< what a class multiplies a step into it by: 1 to 255; 0: it cannot be entered
} wend_mover;

/// Size 1, the factors of wend_map_rules_init().
WEND_API void wend_mover_init(wend_mover *mover, size_t bytes);

/// Have the map know another kind of agent: what it can walk is kept up to date with every edit, like the default mover's.
/// Makes no new epoch. Refused while a search is under way on the map. Forks made from now on know it too.
/// @param id   receives its number, from 1 on in the order of adding
/// @return WEND_OK, WEND_BAD_ARGUMENT (size, too many movers), WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells × size).
WEND_API wend_error wend_map_add_mover(wend_map *map, const wend_mover *mover, int32_t *id);

/// What a mover of the map is; WEND_MOVER_DEFAULT: size 1, the rules' factors.
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover)
WEND_API wend_error wend_map_get_mover(const wend_map *map, int32_t id, wend_mover *out);

/// A directed extra way between two cells: a teleport, a door, a ladder, a jump.
typedef struct wend_link {
    wend_cell from, to;
    int32_t cost;      ///< 1 to WEND_MAX_COST; as it is, whatever the ground
    uint32_t reserved; ///< 0
} wend_link;

/// The links of the newest version, by their ends.
/// @param out     may be NULL with capacity 0, to count only
/// @param count   receives how many there are, also when that is more than capacity (then the first are written)
/// Threads: any. Cost: O(count).
WEND_API void wend_map_get_links(const wend_map *map, wend_link *out, size_t capacity, size_t *count);

/// A step from a cell to a neighbour.
typedef struct wend_step {
    wend_cell from, to;
} wend_step;

/// The closed steps of the newest version, by chunk and cell. As wend_map_get_links(). Cost: O(chunks + count).
WEND_API void wend_map_get_closed_steps(const wend_map *map, wend_step *out, size_t capacity, size_t *count);

/// The edges that lead out of a graph's node, by their other end. As wend_map_get_links().
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_UNSUPPORTED (no graph). Threads: any. Cost: O(count).
WEND_API wend_error wend_map_get_edges(const wend_map *map, uint32_t node, wend_edge *out, size_t capacity,
                                       size_t *count);

/// The coordinates of a graph's node.
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_EMPTY (it has none), WEND_UNSUPPORTED (no graph). Threads: any.
WEND_API wend_error wend_map_get_coordinates(const wend_map *map, uint32_t node, wend_cell *out);

/* Units that stand about: a count for each cell, beside the versions. It makes no epoch and changes no label; searches see
   it as it is in each frame. Forks begin with none. */

/// A unit takes a cell, or leaves it. A large one takes all that it covers.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BUSY (WEND_MAX_OCCUPANTS are there), WEND_EMPTY (nobody is there to leave),
///         WEND_OUT_OF_MEMORY (the first in its part of the map)
/// Threads: the one that ticks the services that use the map, between frames or in a callback; one at a time.
/// Cost: O(1), O(chunks) the first time on a map.
WEND_API wend_error wend_map_occupy(wend_map *map, wend_cell cell);
WEND_API wend_error wend_map_vacate(wend_map *map, wend_cell cell);

/// How many stand there. @return WEND_OK, WEND_OUT_OF_RANGE. Threads: as wend_map_occupy().
WEND_API wend_error wend_map_get_occupants(const wend_map *map, wend_cell cell, uint32_t *count);

/// The terrain class of one cell at the newest version.
/// @return WEND_OK, WEND_OUT_OF_RANGE. Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out);

/// How many cells of each terrain class the newest version has; of a graph, nodes. The counts add up to
/// wend_map_info.cells.
/// Threads: any. Cost: O(chunks), O(chunk) for each of more than one class.
WEND_API void wend_map_get_class_counts(const wend_map *map, uint64_t counts[256]);

/// Copy the terrain classes of a box, row by row and layer by layer.
/// @param stride_bytes   from one row to the next in out, at least the box's width; from one layer to the next it is that
///                       times the box's rows. Of a graph, nodes that there are not are of class 0
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (max before min, stride too short)
/// Threads: any. Cost: O(cells of the box).
WEND_API wend_error wend_map_get_terrain_box(const wend_map *map, wend_box box, uint8_t *out, size_t stride_bytes);

#ifdef __cplusplus
}
#endif
#endif
