/* SPDX-License-Identifier: MIT */
/* A copy of a map with its own step rules: terrain, closed steps, links, seams, and edges of a graph. The checker
   judges by it, so the only library code it trusts is the reading of classes, links, sheets, edges and closed steps.
   The copy follows the map's edits and can go back to earlier epochs.

   A place is a cell or a node, by its index. */
#ifndef WEND_LAB_ORACLE_TERRAIN_COPY_H
#define WEND_LAB_ORACLE_TERRAIN_COPY_H

#include <stdbool.h>

#include <wend/map.h>
#include <wend/ways.h>

/// The connected parts of the open places. Steps, links and edges connect as if they led both ways.
typedef struct terrain_parts {
    uint32_t *labels; ///< for each place, the number of its part from 1; 0: blocked
    uint32_t count;
    uint32_t first[2]; ///< a place of each of the first two parts
    uint64_t epoch;    ///< epoch of their terrain
} terrain_parts;

/// The cost of a link that is a seam.
#define TERRAIN_SEAM UINT32_MAX

/// A link, or an edge of a graph.
typedef struct terrain_way {
    uint32_t from, to;
    uint32_t cost; ///< 0: the link is removed; TERRAIN_SEAM: see terrain_seam_cost()
    bool scaled;   ///< an edge: the factor of `to` multiplies its cost
} terrain_way;

/// The ways from each place, or to it.
typedef struct terrain_index_of_ways {
    uint32_t *first; ///< for each place: its first index in `ways`; with the end as one more
    uint32_t *ways;
} terrain_index_of_ways;

/// A step to a place, or from one; its cost.
typedef struct terrain_next {
    uint32_t place;
    uint64_t cost;
} terrain_next;

/// A change of one value (terrain_set()).
typedef struct terrain_change {
    uint64_t epoch; ///< the first that has it
    uint64_t what;
    uint32_t value; ///< the other one: the old value where the change is in force, the new one where it is undone
} terrain_change;

typedef struct terrain_copy {
    int32_t kind, width, height, depth;
    uint64_t cells; ///< places
    wend_map_rules rules;
    uint8_t *factors;      ///< row by row, layer by layer; 0: blocked
    uint8_t *absent;       ///< in a graph that lacks nodes: 1 for a missing one; else NULL
    terrain_parts home;    ///< the parts of the map as it was read
    uint64_t open;         ///< places of the map as it was read
    uint64_t blocked;      ///< places blocked there
    uint32_t blocked_cell; ///< the first of them

    terrain_way *ways; ///< links first, then edges
    uint32_t way_count, link_count;
    terrain_index_of_ways out, in; ///< where there are ways
    wend_sheet *sheets;
    size_t sheet_count;
    wend_step *closed_steps; ///< steps closed when the map was read
    size_t closed_count;
    uint32_t *closed;    ///< for each place: a bit for each neighbour; NULL: no step is closed
    bool one_way;        ///< there are ways or closed steps: a way there does not mean a way back
    terrain_next *nexts; ///< room for terrain_steps()

    uint64_t epoch;  ///< the newest
    uint64_t oldest; ///< epoch that the log leads back to
    terrain_change *log;
    size_t log_count, log_capacity;
    size_t log_at; ///< changes before it are in force: all, unless the copy is at an earlier epoch
} terrain_copy;

/// Copies a map and finds its parts. @return WEND_OK, WEND_OUT_OF_MEMORY, or an error of the map
wend_error terrain_read(const wend_map *map, terrain_copy *out);
void terrain_free(terrain_copy *land);

/* Values that edits change, by one number `what`: factors of places; costs of links from terrain_link_value() on, 0:
   removed; closed steps from terrain_step_value() on, 1: closed. */

static inline uint64_t terrain_link_value(const terrain_copy *land) {
    return land->cells;
}

static inline uint64_t terrain_step_value(const terrain_copy *land) {
    return land->cells + land->link_count;
}

static inline uint64_t terrain_value_count(const terrain_copy *land) {
    return land->cells + land->link_count + land->closed_count;
}

uint32_t terrain_get(const terrain_copy *land, uint64_t what);

/* Follows an edit of the map: first the new epoch, then each new value. */
void terrain_begin_epoch(terrain_copy *land, uint64_t epoch);
/// @return false where memory ran out
bool terrain_set(terrain_copy *land, uint64_t what, uint32_t value);

/// Takes the copy to an epoch. @return false where the epoch is too old or still to come: nothing changes then
bool terrain_go_to(terrain_copy *land, uint64_t epoch);

/// Finds the parts at the present epoch; *out is zero, or from an earlier call. @return false where memory ran out
bool terrain_find_parts(const terrain_copy *land, terrain_parts *out);
void terrain_free_parts(terrain_parts *parts);

/// The number of places, links and closed steps that differ from the map; UINT64_MAX where it cannot be read.
uint64_t terrain_compare(const terrain_copy *land, const wend_map *map);

static inline bool terrain_on_map(const terrain_copy *land, wend_cell cell) {
    return cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x < land->width && cell.y < land->height &&
           cell.z < land->depth;
}

static inline bool same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Index of a cell that is on the map.
static inline uint32_t terrain_index(const terrain_copy *land, wend_cell cell) {
    const uint64_t row = (uint64_t)cell.z * (uint64_t)land->height + (uint64_t)cell.y;
    return (uint32_t)(row * (uint64_t)land->width + (uint64_t)cell.x);
}

static inline wend_cell terrain_cell(const terrain_copy *land, uint32_t index) {
    const uint32_t width = (uint32_t)land->width, height = (uint32_t)land->height, row = index / width;
    return (wend_cell){(int32_t)(index % width), (int32_t)(row % height), (int32_t)(row / height)};
}

/// 0 for a cell that is blocked or not on the map.
static inline uint8_t terrain_factor(const terrain_copy *land, wend_cell cell) {
    return terrain_on_map(land, cell) ? land->factors[terrain_index(land, cell)] : 0;
}

/// The bit of a neighbour in `closed`.
static inline uint32_t step_bit(int32_t dx, int32_t dy, int32_t dz) {
    return UINT32_C(1) << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
}

static inline bool terrain_step_closed(const terrain_copy *land, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    return land->closed && (land->closed[terrain_index(land, from)] & step_bit(dx, dy, dz)) != 0;
}

/// Returns true if there is such a node. Cells of grids always exist.
static inline bool terrain_exists(const terrain_copy *land, uint32_t place) {
    return !land->absent || !land->absent[place];
}

/// Chunks in which the library keeps the places: 64 x 64 cells of a grid, 16 x 16 x 16 voxels, 4,096 nodes in a row.
static inline uint64_t terrain_chunks(const terrain_copy *land) {
    const uint64_t side = land->kind == WEND_KIND_GRAPH ? 4096 : land->kind == WEND_KIND_VOXEL ? 16 : 64;
    const uint64_t columns = ((uint64_t)land->width + side - 1) / side;
    return columns * (((uint64_t)land->height + side - 1) / side) * (((uint64_t)land->depth + side - 1) / side);
}

/// Lists the steps that lead out of a place: to neighbours, by links, along edges. A blocked place has some, too.
/// @param backward   list the steps to it instead, from open places
/// @param out        receives the list, which is valid until the next call
size_t terrain_steps(const terrain_copy *land, uint32_t place, bool backward, const terrain_next **out);

/// Cost of the cheapest step from a cell of the map to another cell; 0: there is none.
uint64_t terrain_step(const terrain_copy *land, wend_cell from, wend_cell to);

/// Walks a path by these rules. @return how many of its first cells can be walked; *cost receives their cost
size_t terrain_walk(const terrain_copy *land, const wend_cell *path, size_t count, uint64_t *cost);

/// How far a cell lies from another on the ground of a map with sheets.
wend_cell terrain_way_on_ground(const terrain_copy *land, wend_cell from, wend_cell to);
/// Cost of a seam (terrain_seams.c); 0: its end is blocked, or the corner rule does not allow it.
uint64_t terrain_seam_cost(const terrain_copy *land, const terrain_way *seam);

enum { TERRAIN_NAME_BYTES = 40 };

/// A cell for messages: 3,4 on a flat grid, 3,4,5 in space, a node's number.
const char *terrain_name(const terrain_copy *land, wend_cell cell, char out[TERRAIN_NAME_BYTES]);
/// The same; each use in an expression has its own buffer.
#define TERRAIN_NAME(land, cell) terrain_name(land, cell, (char[TERRAIN_NAME_BYTES]){0})

/* dijkstra.c: plain Dijkstra, to which the cost of a found path is compared. */

typedef struct dijkstra dijkstra;

/// @return NULL where memory ran out. The terrain copy must outlive it.
dijkstra *dijkstra_create(const terrain_copy *land);
void dijkstra_free(dijkstra *search);

/// Cost of the cheapest path between two cells of the map; −1: there is none; −2: memory ran out.
int64_t dijkstra_cost(dijkstra *search, wend_cell start, wend_cell goal);

/// Finds the costs of the cheapest paths from all cells to one goal. They stay until the next call of any kind.
/// @return false where memory ran out
bool dijkstra_flood(dijkstra *search, wend_cell goal);
/// Cost of the cheapest path from a cell to the goal of the flood; −1: there is none.
int64_t dijkstra_flooded(const dijkstra *search, wend_cell start);

/// Cells closed so far, over all calls.
uint64_t dijkstra_closed(const dijkstra *search);

#endif
