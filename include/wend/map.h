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
typedef struct wend_edit wend_edit;

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
    const wend_map_rules *rules; ///< copied; NULL: those of wend_map_rules_init()
    wend_allocator allocator;    ///< must outlive the map; alloc NULL: the C library's
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
    uint64_t landmark_effort; ///< see wend_map_set_landmark_effort()
} wend_map_info;

/// Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_info(const wend_map *map, wend_map_info *out);

/// How the map is walked, at its newest version: neighbours as a number, never 0 on a grid.
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes). Threads: any. Cost: O(1).
WEND_API wend_error wend_map_get_rules(const wend_map *map, wend_map_rules *out);

/// Change how the map is walked; makes no new epoch. Refused while a search is under way on the map; answers that wait
/// for delivery are held against the new rules.
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_IN_USE, WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells) where a factor changes, else O(chunks / 256), O(chunks) where steps are closed.
WEND_API wend_error wend_map_set_rules(wend_map *map, const wend_map_rules *rules);

/// Change how many versions may be live at a time: what max_versions says in the definition. A fork begins with its
/// original's. Where more are in use now, searches on the oldest start again in their service's next frame.
/// @return WEND_OK, WEND_BAD_ARGUMENT (not 1 to WEND_MAX_VERSIONS). Threads: any. Cost: O(live versions).
WEND_API wend_error wend_map_set_max_versions(wend_map *map, int32_t max_versions);

/* Jump tables: what lets searches run over empty ground in leaps. They are made for the newest version on demand; from then
 * on every publish keeps them up to date, and forks have them too. Versions that searches are under way on stay as they
 * are. They take 8.4 to 8.8 bytes for each cell of chunks of 64 × 64 cells that are neither open nor closed all round;
 * those that are cost next to nothing. What a publish changes is copied: 34 KB for each chunk, besides 5 KB for each row
 * and column of 16 chunks. All of it counts against max_bytes. They are about the default mover, 8 neighbours and
 * WEND_CORNERS_NEVER; where other rules hold, or steps are closed, they stay, but are of no use to searches; nor are they on
 * maps of more than 1,024 blocks of 1,024 × 1,024 cells.
 *
 * Each of these functions makes a version where it has anything to do: as after an edit, where more than max_versions are in
 * use then, searches on the oldest start again. */

/// Make the tables, or prune those that there are: in the end all are pruned. Makes a new version of the same epoch.
/// @return WEND_OK (also where nothing was to be done), WEND_UNSUPPORTED (no flat grid, or a side above 65,535 cells),
///         WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells of chunks neither open nor closed all round).
WEND_API wend_error wend_map_prepare_jumps(wend_map *map);

/// Give them up, in a new version of the same epoch; their memory is freed as soon as no older version and no fork has them.
/// @return WEND_OK (also where there are none), WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(chunks).
WEND_API wend_error wend_map_drop_jumps(wend_map *map);

/// Tell jump points from which a search can only come to a dead end, in chunks that edits changed: searches expand fewer
/// cells then, and find ways just as short. Not needed, but worth it when there is time. Where anything was to be done it
/// makes a new version of the same epoch.
/// @param max_chunks   prune so many at most, block by block of 16 × 16 chunks and row by row in each
/// @param left         receives how many are still to be pruned; may be NULL
/// @return WEND_OK (also where there are no tables), WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(chunks / 256), and 10 to 60 µs for each chunk pruned.
WEND_API wend_error wend_map_prune_jumps(wend_map *map, uint32_t max_chunks, uint32_t *left);

/* Landmarks: what ways cost to each cell from a few cells at the far ends of its component. A jump search that knows that aims
 * round walls instead of at them (A*'s lower bounds by the triangle inequality): ways cost the same, and are found in half
 * the time on most maps (docs/performance.md). They take 4 bytes for each cell and landmark, in strips of 64 x 16
 * cells, and 21 bytes a cell more while they are made; all of it counts against max_bytes. They are about the default
 * mover and WEND_CORNERS_NEVER, as jump tables are, and of use only where there are such.
 *
 * What was open when they were made may be blocked and opened again as often as one likes. Where anything else opens they are
 * mended: numbers that a short cut makes too great are lowered. Mostly that is a handful, but a way through the wall of a
 * maze may change half the map's. So a publish does so much and no more (wend_map_set_landmark_effort()); a landmark that
 * needs more rests, and searches go by the others. Every later publish goes on with it, as does wend_map_mend_landmarks().
 * Numbers only become lower, so searches save less after many edits than with new landmarks. A landmark is given up where
 * what opens is 2^27 units (below) or more from it, or too much opens at once (WEND_MAX_UNMENDED); a version in which steps
 * cost something else has none.
 *
 * Which of equally cheap ways is found, how many cells are expanded and what `auto` takes depend on which landmarks a version
 * has that do not rest: a host whose frames are to be the same each time has them made, and mended in idle time, between the
 * same two, with the same effort. Giving up jump tables leaves them where they are. */

/// Most landmarks of a map.
#define WEND_MAX_LANDMARKS 8
/// What a new map's publishes do for each landmark, in cells: see wend_map_set_landmark_effort().
#define WEND_LANDMARK_EFFORT 4096
/// Most cells from where a landmark that rests is still to be mended; one that would have more is given up. All of them are
/// where more than twice as many cells (or twice the effort) have new steps at once that landmarks do not suit, or more than
/// eight times as many have any: to say which they are would take a publish too long.
#define WEND_MAX_UNMENDED 8192

/// Make so many for the newest version, unless it has them and no step opened or closed since; 0: give up those that there
/// are. Makes a new version of the same epoch, as wend_map_prepare_jumps() does, also while a batch is open. Other threads
/// may publish meanwhile: then they are mended as by a publish before anyone sees them. Where all of them rest then, or costs
/// changed, the version keeps those it has that stand, if any.
/// @param count  0 to WEND_MAX_LANDMARKS; 4 is a good choice
/// @return WEND_OK (also where nothing was to be done), WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (no flat grid; more than 1,024
///         blocks of 1,024 x 1,024 cells; a diagonal step that costs no more than a straight one, or as much as two; a cell
///         2^27 units or more from a landmark, a unit being the greatest common divisor of the two costs),
///         WEND_OUT_OF_MEMORY (in all these cases nothing changed)
/// Threads: any. Cost: O(cells x (count + 1)): 0.1 to 0.2 s for 1,024 x 1,024 cells and 4 landmarks.
WEND_API wend_error wend_map_prepare_landmarks(wend_map *map, int32_t count);

/// Change how much a publish, or a change of rules, does for landmarks where cells or steps open: how many cells it holds
/// against those beside them, for each landmark. A strip of 64 x 16 cells that is copied, to be written to, counts as 16 times
/// as many cells as there are landmarks. To note where steps are new is not bounded by it, but by WEND_MAX_UNMENDED: some ms where
/// thousands of cells open at once. A fork begins with its original's.
/// @param cells  WEND_LANDMARK_EFFORT at first; 0: only note where they are to be mended, which wend_map_mend_landmarks() does
///               then; WEND_NO_LIMIT: none comes to rest
/// Threads: any; publishes under way may still go by the old one. Cost: O(1).
WEND_API void wend_map_set_landmark_effort(wend_map *map, uint64_t cells);

/// Go on with landmarks that rest, when there is time. Where anything was to be done it makes a new version of the same epoch,
/// also while a batch is open: as after an edit, where more than max_versions are in use then, searches on the oldest start
/// again. Other threads' publishes wait meanwhile.
/// @param cells  hold so many at most against those beside them, for each landmark; 0: none
/// @param left   receives wend_map_info.landmark_unmended as it is then; may be NULL
/// @return WEND_OK (also where none rests), WEND_OUT_OF_MEMORY (nothing changed)
/// Threads: any. Cost: O(cells x landmarks), about 35 ns each; and for a version O(chunks), 8 bytes for each 1,024 cells.
WEND_API wend_error wend_map_mend_landmarks(wend_map *map, uint64_t cells, uint64_t *left);

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

/* Edits: a batch of changes that nobody sees until it is published. One open batch a map. The first error sticks:
   later calls return it, and so does publish. A batch is used by one thread at a time. */

/// @return WEND_OK, WEND_IN_USE (a batch is open), WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks / 256).
WEND_API wend_error wend_edit_begin(wend_map *map, wend_edit **out);

/// Set the class of one cell. @return WEND_OK, WEND_OUT_OF_RANGE, WEND_OUT_OF_MEMORY. Cost: O(1), O(chunk) the first time.
WEND_API wend_error wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain);

/// Set the class of all cells of a box; of a graph, of all nodes that there are, up to the last one. Errors as
/// wend_edit_set_cell(), and WEND_BAD_ARGUMENT (max before min).
/// Cost: O(chunks + cells of chunks partly covered).
WEND_API wend_error wend_edit_fill_box(wend_edit *edit, wend_box box, uint8_t terrain);

/// Set the classes of a box from an array, row by row and layer by layer; stride_bytes from one row to the next, and times
/// the box's rows from one layer to the next. Of a graph, what the array says of nodes that there are not is passed over.
/// Errors as wend_edit_fill_box(); WEND_BAD_ARGUMENT also where the stride is too short. Cost: O(cells of the box).
WEND_API wend_error wend_edit_set_box(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes);

/// Open or close one step from a cell to a neighbour, that direction only: one-way ledges, thin walls. A diagonal step also
/// depends on the straight ones around it, as on the cells: see the corner rules.
/// @param open   1 or 0
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no neighbours under the rules that the batch began with, or a
///         graph), WEND_OUT_OF_MEMORY. Cost: O(1), O(chunk) the first time.
WEND_API wend_error wend_edit_set_step(wend_edit *edit, wend_cell from, wend_cell to, int32_t open);

/// Add a link, or give the one from `from` to `to` another cost. A link with a blocked end leads nowhere.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (cost; from = to; there are WEND_MAX_LINKS), WEND_OUT_OF_MEMORY.
/// Cost: O(log links); publishing a batch with links O(links).
WEND_API wend_error wend_edit_add_link(wend_edit *edit, wend_cell from, wend_cell to, int32_t cost);

/// Remove a link. WEND_EMPTY, which does not stick, where there is none.
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_EMPTY, WEND_OUT_OF_MEMORY. Cost: as wend_edit_add_link().
WEND_API wend_error wend_edit_remove_link(wend_edit *edit, wend_cell from, wend_cell to);

/// Make the batch the newest version, and free it. On error nothing has changed, and the batch is freed too.
/// Searches under way go on with the version they began on; where more than max_versions would be in use, those on the
/// oldest start again in their service's next frame.
/// @param epoch   receives the new version's number; may be NULL
/// @return WEND_OK, the batch's first error, WEND_OUT_OF_MEMORY
/// Threads: any. Cost: O(chunks touched + links that end in them), for each mover; where links connect other components than
/// before, O(links that do so) for that mover. With landmarks see wend_map_set_landmark_effort().
WEND_API wend_error wend_edit_publish(wend_edit *edit, uint64_t *epoch);

/// Forget the batch. NULL is ignored. Cost: O(chunks touched).
WEND_API void wend_edit_discard(wend_edit *edit);

/// Would publishing the batch as it stands part two cells that are connected now (build a wall across the only way)?
/// @param mover      WEND_MOVER_DEFAULT, or one added
/// @param disconnects   receives 1 or 0; 0 also where they are not connected now; 1 where the batch blocks one of them
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_OUT_OF_MEMORY, the batch's first error
/// Cost: O(cells of chunks touched + rims of the areas above them).
WEND_API wend_error wend_edit_would_disconnect(const wend_edit *edit, int32_t mover, wend_cell a, wend_cell b,
                                               int32_t *disconnects);

/* Cheap questions, answered at the newest version without a request, for one mover. WEND_BAD_ARGUMENT where the map knows
   no such mover. */

/// Is there any way from one cell to another? Answered from labels that every edit keeps up to date, without a search.
/// @param mover      WEND_MOVER_DEFAULT, or one added
/// @param reachable  receives 1 or 0; 0 where either cell is blocked for it. Links and closed steps are looked at as if
///                   they led both ways: where there are any, 1 means maybe
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT. Threads: any. Cost: O(log side).
WEND_API wend_error wend_map_reachable(const wend_map *map, int32_t mover, wend_cell a, wend_cell b,
                                       int32_t *reachable);

/// Can one walk the straight line between two cells' centres? Every cell the line passes through must be open; where it
/// passes exactly through a corner, the map's corner rule decides (with 4 or 6 neighbours, and with 18 at a corner in space:
/// all cells around open). A closed step on the way blocks it. For a large mover: all places its cell passes through.
/// @param visible   receives 1 or 0
/// @param last      receives the last cell reached on the way, `to` itself when visible; may be NULL
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph). Threads: any. Cost: O(distance).
WEND_API wend_error wend_map_line_of_sight(const wend_map *map, int32_t mover, wend_cell from, wend_cell to,
                                           int32_t *visible, wend_cell *last);

/// Farthest that wend_map_nearest_open() looks, in cells.
#define WEND_MAX_NEAREST 1024

/// The open cell nearest to a cell: by the cost of fewest-cost steps on empty ground, ties by lower z, then y,
/// then x. On a graph: the nearest node by straight distance, ties by lower id, any number of cells away.
/// @param max_cells   how far to look in x, y and z, 0 to WEND_MAX_NEAREST
/// @param found       receives 1, or 0 where nothing is open within reach (out untouched)
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT, WEND_UNSUPPORTED (a graph without coordinates). Threads: any.
/// Cost: O(distance to the answer, squared; cubed in space); O(nodes) on a graph.
WEND_API wend_error wend_map_nearest_open(const wend_map *map, int32_t mover, wend_cell cell, int32_t max_cells,
                                          int32_t *found, wend_cell *out);

/// What a given path costs: each step's cost times the factor of the cell it enters; the first cell is free. Where there is
/// a link (or several edges) from a cell to the next, the cheapest way counts. Units that stand about are not asked.
/// @param walkable   receives how many cells, from the first on, can be walked one after another: count when the whole
///                   path can be; 0 when the first is not open. May be NULL.
/// @param cost       receives the cost of those
/// @return WEND_OK, WEND_OUT_OF_RANGE (some cell is off the map), WEND_BAD_ARGUMENT (no cells; no such mover)
/// Threads: any. Cost: O(count).
WEND_API wend_error wend_map_path_cost(const wend_map *map, int32_t mover, const wend_cell *cells, size_t count,
                                       size_t *walkable, uint64_t *cost);

#ifdef __cplusplus
}
#endif
#endif
