/* SPDX-License-Identifier: MIT */
/* Maps: terrain, links and movers. A map is a chain of immutable versions; an edit publishes a new one.
 *
 * There are three kinds: flat grids, grids of voxels, and graphs of nodes with directed edges. A graph's node is the
 * cell x = id, y = z = 0. */
#ifndef WEND_MAP_H
#define WEND_MAP_H

#include <wend/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_map wend_map;
typedef struct wend_acceleration wend_acceleration; ///< see acceleration.h

enum { WEND_KIND_GRID = 1, WEND_KIND_VOXEL = 2, WEND_KIND_GRAPH = 3 };

/// Corner rules: when a diagonal step is allowed.
/// On a plane, NEVER requires both side cells to be open, ONE at least one of them, ALWAYS none.
/// In space, NEVER requires every cell of the step's box to be open. ONE requires one way of straight steps through
/// open cells, none of them backwards. ALWAYS requires nothing.
enum { WEND_CORNERS_NEVER = 0, WEND_CORNERS_ONE = 1, WEND_CORNERS_ALWAYS = 2 };

/// Longest side of a grid, in cells.
#define WEND_MAX_SIDE 65536
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

/// States of a chunk of a streamed grid: its cells are there; a hash of those that it had; nothing.
enum { WEND_LAND_LOADED = 0, WEND_LAND_KNOWN = 1, WEND_LAND_ABSENT = 2 };

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
    int32_t neighbours;    ///< 8 or 4; voxels: 26, 18 or 6; 0: the most, 8 or 26. Ignored on graphs
    int32_t corners;       ///< WEND_CORNERS_…; ignored with 4 or 6 neighbours, and on graphs
    int32_t cost_straight; ///< S, 1 to WEND_MAX_COST; ignored on graphs
    int32_t cost_diagonal; ///< D, S to 2 S (and to WEND_MAX_COST); not used, but checked, with 4 or 6 neighbours
    int32_t cost_space;    ///< T, of a diagonal in space, D to 2 D − S; ignored unless neighbours is 26
    /// Factor of each terrain class: the cost of a step is multiplied by the factor of the cell it enters. 1 to 255;
    /// 0: the mover cannot enter the class.
    uint8_t factors[256];
} wend_map_rules;

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
    int32_t streamed; ///< of a grid, 1: it begins without any land, and wend_edit_load() brings it, a chunk at a time;
                      ///< 0: all of it is there. Default 0
    int32_t reserved; ///< 0
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
/// Threads: any. Cost: O(chunks on the rim + chunks / 256).
WEND_API wend_error wend_map_create(const wend_map_def *def, wend_map **out);

/// A directed edge of a graph, with a cost of its own.
typedef struct wend_edge {
    uint32_t from, to;
    int32_t cost; ///< 1 to WEND_MAX_COST; multiplied by the factor of the class of `to`
} wend_edge;

typedef struct wend_graph_def {
    uint32_t struct_bytes;
    uint32_t node_count;          ///< ids are 0 to node_count − 1; 1 to WEND_MAX_NODES
    const uint8_t *present;       ///< one byte for each id, 0: no such node. NULL: all nodes exist
    const wend_cell *coordinates; ///< of each node, in any unit; NULL: none. Those of absent nodes are ignored
    const wend_edge *edges;       ///< in any order; parallel edges and loops are fine
    uint64_t edge_count;          ///< up to WEND_MAX_EDGES
    int32_t max_versions;         ///< as in wend_map_def
    uint32_t reserved;            ///< 0
    uint64_t max_bytes;           ///< as in wend_map_def
    uint8_t factors[256];         ///< as in wend_map_rules
    wend_allocator allocator;     ///< as in wend_map_def
} wend_graph_def;

/// Set the defaults: no nodes, and the factors of wend_map_rules_init().
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_graph_def_init(wend_graph_def *def, size_t bytes);

/// Make a graph. Copies the arrays. All nodes are of class WEND_CLASS_OPEN; the epoch is 0. Edits can change classes
/// and links, but not nodes and edges.
/// @param out   receives the map; the caller holds one reference
/// @return WEND_OK, WEND_BAD_ARGUMENT (counts, a cost), WEND_OUT_OF_RANGE (an end of an edge is no node),
///         WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(nodes + edges).
WEND_API wend_error wend_graph_create(const wend_graph_def *def, wend_map **out);

/// Make a copy-on-write copy of a map, for an instance of a game (a dungeon, a match). The fork starts as the map's
/// newest version and shares all that neither changes. Edits of one do not change the other. The fork's epochs continue
/// from the original's.
/// @param out   receives the fork; the caller holds one reference
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_map_fork(wend_map *map, wend_map **out);

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
    uint64_t components; ///< connected components of open cells, for the default mover, links not counted
    uint64_t cells;      ///< open or not; of a graph: nodes
    uint64_t edges;      ///< of a graph
    uint64_t links;
    uint64_t closed_steps;
    int32_t movers;          ///< including the default mover
    int32_t has_coordinates; ///< of a graph: 1 or 0
    /// Graphs: the lowest cost of an edge for each unit of straight distance between its ends, × 2^32, rounded down. A
    /// distance that is no whole number is rounded up, to 31 bits or more. The heuristic uses it; 0: no heuristic.
    uint64_t cost_per_unit;
    uint64_t bytes;      ///< held now by all live versions of the map and its forks. A publish first frees what older
                         ///< landmarks left over. After a failed publish it may be less than before, never more
    uint64_t bytes_peak; ///< largest value of `bytes` so far
    int32_t jumps;       ///< 1: the version has jump tables for the default mover; else 0
    uint64_t jump_unpruned;   ///< chunks, of all movers, that a publish left for wend_map_maintain() to prune
    uint64_t jump_bytes;      ///< part of `bytes`: jump tables
    int32_t landmarks;        ///< number of landmarks that searches use
    uint64_t landmark_left;   ///< about how many cells wend_map_maintain() has to go over to make landmarks that are
                              ///< lacking; 0: none are
    uint64_t landmark_age;    ///< versions since in which steps opened or closed; all during their making count as one
    uint64_t landmark_bytes;  ///< part of `bytes`: landmarks of the newest version, shared with other versions or not
    uint64_t landmark_effort; ///< publish_effort of wend_map_accelerate(), in cells for each landmark
    int32_t marks_units;      ///< 1: marks of units are made, and kept up; else 0
    uint64_t unit_bytes;      ///< part of `bytes`: marks of units of this map
    uint64_t far_stale;       ///< parts of far layers, of all movers, that wend_map_maintain() has to make
    int32_t far_levels;       ///< levels of the default mover's far layer; 0: none
    int32_t streamed;         ///< 1: as in wend_map_def; else 0
    uint64_t loaded_chunks;   ///< of a streamed map; else 0
    uint64_t known_chunks;    ///< the same
} wend_map_info;

/// Describe the newest version.
/// @param out   receives the description
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_info(const wend_map *map, wend_map_info *out);

/// Get the rules of the newest version. On a grid neighbours is a number, never 0.
/// @param out   receives the rules
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out);

/// Get the number of the newest version: 0 after creation, one more for each publish.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_map_get_epoch(const wend_map *map);

/// Answer of wend_map_changes() apart from the boxes.
typedef struct wend_changes {
    uint32_t struct_bytes;
    int32_t everything; ///< 1: any cell may have changed, and the one box is the whole map; else 0
    uint64_t epoch;     ///< of the newest version: since_epoch of the next call
    uint64_t revision;  ///< one more each time that cells, links, rules or movers may have changed
} wend_changes;

/// Most boxes that a map's log of changes keeps, and most that one publish adds. A publish that changed more parts of
/// the map adds one box around them all.
#define WEND_MAX_CHANGES 512
#define WEND_MAX_CHANGES_EACH 128

/// List where a map changed in the versions after an epoch, for a host that derives data of its own. The boxes hold
/// each cell whose class changed, from which a step was opened or closed, and both ends of each link that came, went or
/// has another cost. Each box lies in one chunk; boxes may overlap. A step between two cells depends on all cells of
/// the smallest box around it; for a large mover, also on the cells that it covers; for a walker, also on the cells
/// below both ends, and on its headroom above the higher one over the lower one.
///
/// The first call on a map, or on a fork, begins a log: of the boxes of the last publishes, WEND_MAX_CHANGES in all.
/// Everything may have changed where since_epoch lies before the log, or where wend_map_set_rules() or
/// wend_map_add_mover() was called in that epoch or later. As neither makes a new epoch, the same answer comes until
/// the next publish: a host that sees the same revision twice has nothing to do.
/// @param boxes     receives the first `capacity` boxes, oldest first; may be NULL with capacity 0, to count only
/// @param count     receives the number of boxes, also when that is more than capacity
/// @param changes   receives the rest; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes), WEND_OUT_OF_MEMORY (the first call: the log takes 16 KiB)
/// Threads: any. Cost: O(boxes in the log).
WEND_API wend_error wend_map_changes(const wend_map *map, uint64_t since_epoch, wend_box *boxes, size_t capacity,
                                     size_t *count, wend_changes *changes);

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

/// The mover that every map has: size 1, the rules' factors.
enum { WEND_MOVER_DEFAULT = 0 };

/// Profile of a kind of agent.
typedef struct wend_mover {
    uint32_t struct_bytes;
    /// Side, in cells: 1 to WEND_MAX_MOVER_SIZE; 1 on graphs. The mover covers size × size cells, right and down of its
    /// own cell (× size upwards in space). It can stand where all of them are open for it; the largest factor counts.
    int32_t size;
    uint8_t factors[256]; ///< by terrain class, as in wend_map_rules: 1 to 255; 0: the mover cannot enter the class
    /// 1: a walker, of size 1 in a voxel map. It stands on an open cell with headroom − 1 open cells above, and below
    /// it a cell that it cannot enter; or at z = 0, or on WEND_CLASS_STAIRS. It steps to the neighbours in its plane,
    /// and straight to places up to step_up levels higher or drop lower: that costs one straight step more a level. To
    /// climb, the headroom must be open above the cell left; to drop, above the cell entered. On stairs it goes
    /// straight up and down to further stairs; their factor is factors[WEND_CLASS_STAIRS], 253 by default. 0: it needs
    /// no ground.
    int32_t walker;
    int32_t step_up;  ///< of a walker: 0 to WEND_MAX_LEVELS
    int32_t drop;     ///< of a walker: 0 to WEND_MAX_LEVELS; one way where it exceeds step_up
    int32_t headroom; ///< of a walker: 1 to WEND_MAX_HEADROOM cells, its own counted
} wend_mover;

/// Set the defaults: size 1, the factors of wend_map_rules_init(), no walker; step_up 1, drop 1, headroom 2.
/// @param bytes   sizeof *mover
/// Threads: any. Cost: O(1).
WEND_API void wend_mover_init(wend_mover *mover, size_t bytes);

/// Add a mover. Every edit keeps its data up to date, as for the default mover. Makes no new epoch. Refused while a
/// search runs on the map. Later forks have the mover too.
/// @param mover   copied
/// @param id      receives its number: 1, 2, … in the order of adding
/// @return WEND_OK, WEND_BAD_ARGUMENT (a number out of its range, a walker that is large or on no voxel map, too many
///         movers), WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells × size); of a walker O(cells + chunks × (headroom + levels)).
WEND_API wend_error wend_map_add_mover(wend_map *map, const wend_mover *mover, int32_t *id);

/// Get a mover of the map. WEND_MOVER_DEFAULT: size 1, the rules' factors.
/// @param out   receives the mover
/// @return WEND_OK, WEND_BAD_ARGUMENT (no such mover)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_mover(const wend_map *map, int32_t id, wend_mover *out);

/// A directed connection between two cells: a teleport, a door, a ladder, a jump.
typedef struct wend_link {
    wend_cell from, to;
    int32_t cost;      ///< 1 to WEND_MAX_COST; not multiplied by a terrain factor
    uint32_t reserved; ///< 0
} wend_link;

/// Get the links of the newest version, sorted by their ends.
/// @param out     receives the first `capacity` links; may be NULL with capacity 0, to count only
/// @param count   receives the number of links, also when that is more than capacity
/// Threads: any. Cost: O(count).
WEND_API void wend_map_get_links(const wend_map *map, wend_link *out, size_t capacity, size_t *count);

/// A step from a cell to a neighbour.
typedef struct wend_step {
    wend_cell from, to;
} wend_step;

/// Get the closed steps of the newest version, sorted by chunk and cell.
/// @param out     receives the first `capacity` steps; may be NULL with capacity 0, to count only
/// @param count   receives the number of steps, also when that is more than capacity
/// Threads: any. Cost: O(chunks + count).
WEND_API void wend_map_get_closed_steps(const wend_map *map, wend_step *out, size_t capacity, size_t *count);

/// Get the edges that leave a graph's node, sorted by their other end.
/// @param out     receives the first `capacity` edges; may be NULL with capacity 0, to count only
/// @param count   receives the number of edges, also when that is more than capacity
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_UNSUPPORTED (no graph)
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_map_get_edges(const wend_map *map, uint32_t node, wend_edge *out, size_t capacity,
                                       size_t *count);

/// Get the coordinates of a graph's node.
/// @param out   receives the coordinates, in the unit of the definition
/// @return WEND_OK, WEND_OUT_OF_RANGE (no such node), WEND_EMPTY (the node has none), WEND_UNSUPPORTED (no graph)
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_coordinates(const wend_map *map, uint32_t node, wend_cell *out);

/* Occupancy: a count of units for each cell, kept outside the versions. Changing it makes no epoch and changes no
   label. Searches read the current counts in each frame. Forks begin with none. */

/// Add a unit to the occupancy of a cell, or remove one. Call it for each cell that a large unit covers.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BUSY (the cell has WEND_MAX_OCCUPANTS), WEND_EMPTY (no unit to remove),
///         WEND_OUT_OF_MEMORY (the first unit in its part of the map)
/// Threads: the one that ticks the services that use the map, between frames or in a callback; one at a time.
/// Cost: O(1); O(chunks) the first time on a map, and once after it is accelerated.
WEND_API wend_error wend_map_occupy(wend_map *map, wend_cell cell);
WEND_API wend_error wend_map_vacate(wend_map *map, wend_cell cell);

/// Get the occupancy of a cell.
/// @param count   receives the number of units, 0 to WEND_MAX_OCCUPANTS
/// @return WEND_OK, WEND_OUT_OF_RANGE
/// Threads: as wend_map_occupy(). Cost: O(1).
WEND_API wend_error wend_map_get_occupants(const wend_map *map, wend_cell cell, uint32_t *count);

/// Get the terrain class of a cell in the newest version.
/// @param out   receives the class
/// @return WEND_OK, WEND_OUT_OF_RANGE
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_terrain(const wend_map *map, wend_cell cell, uint8_t *out);

/// Count the cells of each terrain class in the newest version; on a graph, the nodes.
/// @param counts   receives the counts; their sum is wend_map_info.cells
/// Threads: any. Cost: O(chunks), and O(chunk) for each chunk of more than one class.
WEND_API void wend_map_get_class_counts(const wend_map *map, uint64_t counts[256]);

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
