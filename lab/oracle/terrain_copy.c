/* SPDX-License-Identifier: MIT */
/* A copy of a map with its own step rules, and a log of its changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/terrain_copy.h"
#include "shared/array.h"
#include <wend/graph.h>
#include <wend/versions.h>

enum { LOG_MAX = 1 << 20, NEIGHBOURS_MAX = 26 };

const char *terrain_name(const terrain_copy *land, wend_cell cell, char out[TERRAIN_NAME_BYTES]) {
    if (land->kind == WEND_KIND_GRAPH)
        snprintf(out, TERRAIN_NAME_BYTES, "%d", (int)cell.x);
    else if (land->kind == WEND_KIND_VOXEL)
        snprintf(out, TERRAIN_NAME_BYTES, "%d,%d,%d", (int)cell.x, (int)cell.y, (int)cell.z);
    else
        snprintf(out, TERRAIN_NAME_BYTES, "%d,%d", (int)cell.x, (int)cell.y);
    return out;
}

/* ---- steps to neighbours ---- */

/* The cell of a diagonal's box that lies `axes` (1: x, 2: y, 4: z) away from its first one. */
static wend_cell box_cell(wend_cell from, int32_t dx, int32_t dy, int32_t dz, unsigned axes) {
    return (wend_cell){from.x + (axes & 1 ? dx : 0), from.y + (axes & 2 ? dy : 0), from.z + (axes & 4 ? dz : 0)};
}

/* The corner rules by their words. NEVER: all cells of the diagonal's box are open, and no straight step forwards in it
   is closed. ONE: straight steps forwards lead through open cells of it. */
static bool corners_allow(const terrain_copy *land, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    const unsigned all = (dx != 0 ? 1 : 0) | (dy != 0 ? 2 : 0) | (dz != 0 ? 4 : 0);
    bool reached[8] = {true}, clear = true;
    if (land->rules.corners == WEND_CORNERS_ALWAYS) return true;
    for (unsigned axes = 1; axes <= all; axes++) {
        if ((axes & ~all) != 0) continue;
        const bool open = terrain_factor(land, box_cell(from, dx, dy, dz, axes)) != 0;
        clear = clear && open;
        for (unsigned axis = 1; axis <= 4; axis *= 2) {
            if ((axes & axis) == 0) continue;
            const wend_cell before = box_cell(from, dx, dy, dz, axes & ~axis);
            const bool shut =
                land->closed && terrain_on_map(land, before) &&
                terrain_step_closed(land, before, axis == 1 ? dx : 0, axis == 2 ? dy : 0, axis == 4 ? dz : 0);
            clear = clear && !shut;
            reached[axes] = reached[axes] || (open && !shut && reached[axes & ~axis]);
        }
    }
    return land->rules.corners == WEND_CORNERS_NEVER ? clear : reached[all];
}

/* Hexagons in axial coordinates: of the diagonals only those along which x and y change by different signs. */
static bool is_hex(const terrain_copy *land) {
    return land->kind == WEND_KIND_GRID && land->rules.neighbours == 6;
}

/* Along how many axes a step may go at once. */
static int most_axes(const terrain_copy *land) {
    const int32_t neighbours = land->rules.neighbours;
    return neighbours == 26 ? 3 : neighbours == 18 || neighbours == 8 || is_hex(land) ? 2 : 1;
}

/* Cost of a step to a neighbour; 0: the rules do not allow it. */
static uint64_t neighbour_step(const terrain_copy *land, wend_cell from, int32_t dx, int32_t dy, int32_t dz) {
    const uint64_t factor = terrain_factor(land, (wend_cell){from.x + dx, from.y + dy, from.z + dz});
    const int axes = (dx != 0) + (dy != 0) + (dz != 0);
    if (factor == 0 || axes == 0 || axes > most_axes(land) || terrain_step_closed(land, from, dx, dy, dz)) return 0;
    if (axes == 1) return (uint64_t)land->rules.cost_straight * factor;
    if (is_hex(land)) return dx == dy ? 0 : (uint64_t)land->rules.cost_straight * factor;
    if (!corners_allow(land, from, dx, dy, dz)) return 0;
    return (uint64_t)(axes == 2 ? land->rules.cost_diagonal : land->rules.cost_space) * factor;
}

/* The same for all neighbours on a flat grid without closed steps, where nearly all of the oracle's time goes. A step
   and the one back pass the same two sides. */
static size_t list_flat(const terrain_copy *land, uint32_t place, bool backward, terrain_next *out) {
    static const int8_t dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
    const wend_cell at = terrain_cell(land, place);
    const uint8_t *middle = &land->factors[place];
    const int32_t corners = land->rules.corners;
    const bool west = at.x > 0, east = at.x + 1 < land->width, north = at.y > 0, south = at.y + 1 < land->height;
    const bool diagonals = land->rules.neighbours == 8;
    uint8_t around[3][3] = {{0}};
    for (int32_t row = north ? -1 : 0; row <= (south ? 1 : 0); row++)
        for (int32_t column = west ? -1 : 0; column <= (east ? 1 : 0); column++)
            around[row + 1][column + 1] = middle[(int64_t)row * land->width + column];
    size_t count = 0;
    for (int d = 0; d < 8 && (!backward || *middle != 0); d++) {
        const uint64_t factor = around[dy[d] + 1][dx[d] + 1], entered = backward ? *middle : factor;
        const bool straight = dx[d] == 0 || dy[d] == 0;
        const int sides = (around[1][dx[d] + 1] != 0) + (around[dy[d] + 1][1] != 0);
        const int needed = corners == WEND_CORNERS_NEVER ? 2 : corners == WEND_CORNERS_ONE ? 1 : 0;
        if (factor == 0 || (!straight && (!diagonals || sides < needed))) continue;
        const int32_t cost = straight ? land->rules.cost_straight : land->rules.cost_diagonal;
        const int64_t other = (int64_t)place + (int64_t)dy[d] * land->width + dx[d];
        out[count++] = (terrain_next){(uint32_t)other, (uint64_t)cost * entered};
    }
    return count;
}

static size_t list_neighbours(const terrain_copy *land, uint32_t place, bool backward, terrain_next *out) {
    if (land->kind == WEND_KIND_GRID && !land->closed && !is_hex(land)) return list_flat(land, place, backward, out);
    const wend_cell at = terrain_cell(land, place);
    const int32_t up = land->depth > 1 ? 1 : 0;
    size_t count = 0;
    for (int32_t dz = -up; dz <= up; dz++)
        for (int32_t dy = -1; dy <= 1; dy++)
            for (int32_t dx = -1; dx <= 1; dx++) {
                const wend_cell other = {at.x + dx, at.y + dy, at.z + dz};
                if (terrain_factor(land, other) == 0) continue;
                const uint64_t cost =
                    backward ? neighbour_step(land, other, -dx, -dy, -dz) : neighbour_step(land, at, dx, dy, dz);
                if (cost > 0) out[count++] = (terrain_next){terrain_index(land, other), cost};
            }
    return count;
}

/* ---- all steps ---- */

/* Cost of a way that can be taken; 0: it is removed, or leads to a blocked place. */
static uint64_t way_cost(const terrain_copy *land, const terrain_way *way) {
    if (way->cost == TERRAIN_SEAM && !way->scaled) return terrain_seam_cost(land, way);
    const uint64_t factor = land->factors[way->to];
    return factor == 0 ? 0 : way->scaled ? way->cost * factor : way->cost;
}

size_t terrain_steps(const terrain_copy *land, uint32_t place, bool backward, const terrain_next **out) {
    terrain_next *list = land->nexts;
    size_t count = land->kind == WEND_KIND_GRAPH ? 0 : list_neighbours(land, place, backward, list);
    *out = list;
    if (land->way_count == 0) return count;
    const terrain_index_of_ways *ways = backward ? &land->in : &land->out;
    for (uint32_t i = ways->first[place]; i < ways->first[place + 1]; i++) {
        const terrain_way *way = &land->ways[ways->ways[i]];
        const uint64_t cost = backward && land->factors[way->from] == 0 ? 0 : way_cost(land, way);
        if (cost > 0) list[count++] = (terrain_next){backward ? way->from : way->to, cost};
    }
    return count;
}

uint64_t terrain_step(const terrain_copy *land, wend_cell from, wend_cell to) {
    const int64_t dx = (int64_t)to.x - from.x, dy = (int64_t)to.y - from.y, dz = (int64_t)to.z - from.z;
    const bool near = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && dz >= -1 && dz <= 1;
    uint64_t best = 0;
    if (!terrain_on_map(land, to)) return 0;
    if (land->kind != WEND_KIND_GRAPH && near) best = neighbour_step(land, from, (int32_t)dx, (int32_t)dy, (int32_t)dz);
    if (land->way_count == 0) return best;
    const uint32_t place = terrain_index(land, from);
    for (uint32_t i = land->out.first[place]; i < land->out.first[place + 1]; i++) {
        const terrain_way *way = &land->ways[land->out.ways[i]];
        const uint64_t cost = way->to == terrain_index(land, to) ? way_cost(land, way) : 0;
        if (cost > 0 && (best == 0 || cost < best)) best = cost;
    }
    return best;
}

size_t terrain_walk(const terrain_copy *land, const wend_cell *path, size_t count, uint64_t *cost) {
    *cost = 0;
    if (count == 0 || terrain_factor(land, path[0]) == 0) return 0;
    for (size_t i = 1; i < count; i++) {
        const uint64_t step = terrain_step(land, path[i - 1], path[i]);
        if (step == 0) return i;
        *cost += step;
    }
    return count;
}

/* ---- parts ---- */

/* Places that the flood has still to expand. */
typedef struct stack {
    uint32_t *places;
    size_t count, capacity;
} stack;

static bool push(stack *todo, uint32_t place) {
    if (!ARRAY_ROOM(todo->places, todo->capacity, todo->count + 1)) return false;
    todo->places[todo->count++] = place;
    return true;
}

/* Without ways and closed steps every step is legal in both directions: outward steps suffice. */
static bool flood(const terrain_copy *land, uint32_t *labels, uint32_t seed, uint32_t label, stack *todo) {
    labels[seed] = label;
    if (!push(todo, seed)) return false;
    while (todo->count > 0) {
        const uint32_t place = todo->places[--todo->count];
        for (int backward = 0; backward <= (land->one_way ? 1 : 0); backward++) {
            const terrain_next *nexts;
            const size_t count = terrain_steps(land, place, backward == 1, &nexts);
            for (size_t i = 0; i < count; i++) {
                if (labels[nexts[i].place] != 0) continue;
                labels[nexts[i].place] = label;
                if (!push(todo, nexts[i].place)) return false;
            }
        }
    }
    return true;
}

bool terrain_find_parts(const terrain_copy *land, terrain_parts *out) {
    size_t bytes = (size_t)land->cells * sizeof *out->labels;
    if (!out->labels) out->labels = malloc(bytes);
    if (!out->labels) return false;
    memset(out->labels, 0, bytes);
    out->count = 0;
    stack todo = {0};
    bool ok = true;
    for (uint64_t i = 0; i < land->cells && ok; i++) {
        if (land->factors[i] == 0 || out->labels[i] != 0) continue;
        if (out->count < 2) out->first[out->count] = (uint32_t)i;
        ok = flood(land, out->labels, (uint32_t)i, ++out->count, &todo);
    }
    free(todo.places);
    out->epoch = land->epoch;
    return ok;
}

void terrain_free_parts(terrain_parts *parts) {
    free(parts->labels);
    *parts = (terrain_parts){0};
}

/* ---- from a map ---- */

static void count_open(terrain_copy *land) {
    for (uint64_t i = land->cells; i > 0; i--) {
        const uint32_t place = (uint32_t)(i - 1);
        if (land->factors[place] != 0)
            land->open++;
        else if (terrain_exists(land, place))
            land->blocked_cell = place, land->blocked++;
    }
}

static wend_error read_factors(const wend_map *map, terrain_copy *land) {
    land->factors = malloc((size_t)land->cells);
    if (!land->factors) return WEND_OUT_OF_MEMORY;
    const wend_box all = {{0, 0, 0}, {land->width - 1, land->height - 1, land->depth - 1}};
    const wend_error error = wend_map_get_terrain_box(map, all, land->factors, (size_t)land->width);
    for (uint64_t i = 0; error == WEND_OK && i < land->cells; i++)
        land->factors[i] = land->rules.factors[land->factors[i]];
    return error;
}

/* The edges of all nodes, behind the links; nodes that are absent have none. */
static wend_error read_edges(const wend_map *map, terrain_copy *land, uint64_t edges) {
    wend_edge *list = NULL;
    size_t capacity = 0;
    land->absent = calloc((size_t)land->cells, 1);
    wend_error error = land->absent ? WEND_OK : WEND_OUT_OF_MEMORY;
    for (uint32_t node = 0; error == WEND_OK && node < land->cells; node++) {
        size_t count = 0;
        if (wend_map_get_edges(map, node, NULL, 0, &count) != WEND_OK) {
            land->absent[node] = 1, land->factors[node] = 0;
            continue;
        }
        if (!ARRAY_ROOM(list, capacity, count) || land->way_count + count > land->link_count + edges)
            error = WEND_OUT_OF_MEMORY;
        else
            error = wend_map_get_edges(map, node, list, count, &count);
        for (size_t i = 0; error == WEND_OK && i < count; i++)
            land->ways[land->way_count++] =
                (terrain_way){list[i].from, list[i].to, (uint32_t)list[i].cost, .scaled = true};
    }
    free(list);
    return error;
}

static uint32_t cost_of_link(const wend_link *link) {
    return link->cost == WEND_LINK_SEAM ? TERRAIN_SEAM : (uint32_t)link->cost;
}

static wend_error read_ways(const wend_map *map, terrain_copy *land, const wend_map_info *info) {
    size_t links = (size_t)info->links;
    wend_link *list = malloc((links + 1) * sizeof *list);
    land->ways = calloc(links + (size_t)info->edges + 1, sizeof *land->ways);
    wend_error error = list && land->ways ? WEND_OK : WEND_OUT_OF_MEMORY;
    if (error == WEND_OK) wend_map_get_links(map, list, links, &links);
    for (size_t i = 0; error == WEND_OK && i < links; i++)
        land->ways[i] = (terrain_way){terrain_index(land, list[i].from), terrain_index(land, list[i].to),
                                      cost_of_link(&list[i]), .scaled = false};
    free(list);
    if (error != WEND_OK) return error;
    land->link_count = land->way_count = (uint32_t)links;
    return info->kind == WEND_KIND_GRAPH ? read_edges(map, land, info->edges) : WEND_OK;
}

/* Sorts the ways by one of their ends. *most receives the most that one place has. */
static bool index_ways(const terrain_copy *land, bool backward, terrain_index_of_ways *out, size_t *most) {
    out->first = calloc((size_t)land->cells + 2, sizeof *out->first);
    out->ways = calloc((size_t)land->way_count + 1, sizeof *out->ways);
    if (!out->first || !out->ways) return false;
    for (uint32_t i = 0; i < land->way_count; i++)
        out->first[(backward ? land->ways[i].to : land->ways[i].from) + UINT64_C(2)]++;
    for (uint64_t i = 2; i < land->cells + 2; i++) {
        if (out->first[i] > *most) *most = out->first[i];
        out->first[i] += out->first[i - 1];
    }
    /* first[place + 1] moves on from the place's first way to its end. */
    for (uint32_t i = 0; i < land->way_count; i++)
        out->ways[out->first[(backward ? land->ways[i].to : land->ways[i].from) + UINT64_C(1)]++] = i;
    return true;
}

static bool index_all(terrain_copy *land) {
    size_t most = 0;
    if (land->way_count > 0 &&
        (!index_ways(land, false, &land->out, &most) || !index_ways(land, true, &land->in, &most)))
        return false;
    land->nexts = malloc((most + NEIGHBOURS_MAX) * sizeof *land->nexts);
    return land->nexts != NULL;
}

static uint32_t *closed_bits(const terrain_copy *land, size_t index, uint32_t *bit) {
    const wend_step *step = &land->closed_steps[index];
    *bit = step_bit(step->to.x - step->from.x, step->to.y - step->from.y, step->to.z - step->from.z);
    return &land->closed[terrain_index(land, step->from)];
}

static bool read_closed(const wend_map *map, terrain_copy *land, uint64_t count) {
    if (count == 0) return true;
    land->closed_count = (size_t)count;
    land->closed = calloc((size_t)land->cells, sizeof *land->closed);
    land->closed_steps = malloc(land->closed_count * sizeof *land->closed_steps);
    if (!land->closed || !land->closed_steps) return false;
    wend_map_get_closed_steps(map, land->closed_steps, land->closed_count, &land->closed_count);
    for (size_t i = 0; i < land->closed_count; i++) {
        uint32_t bit, *bits = closed_bits(land, i, &bit);
        *bits |= bit;
    }
    return true;
}

static bool read_sheets(const wend_map *map, terrain_copy *land, size_t count) {
    land->sheets = malloc((count + 1) * sizeof *land->sheets);
    if (!land->sheets) return false;
    wend_map_get_sheets(map, land->sheets, count, &land->sheet_count);
    return true;
}

wend_error terrain_read(const wend_map *map, terrain_copy *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    terrain_copy land = {.kind = info.kind,
                         .width = info.width,
                         .height = info.height,
                         .depth = info.depth,
                         .rules = {.struct_bytes = sizeof land.rules}};
    wend_map_get_rules(map, &land.rules);
    land.epoch = land.oldest = info.epoch;
    land.cells = (uint64_t)info.width * (uint64_t)info.height * (uint64_t)info.depth;
    wend_error error = WEND_OUT_OF_MEMORY;
    if (land.cells > SIZE_MAX / sizeof *land.home.labels) return error;
    error = read_factors(map, &land);
    if (error == WEND_OK) error = read_ways(map, &land, &info);
    if (error != WEND_OK) goto fail;
    error = WEND_OUT_OF_MEMORY;
    if (!index_all(&land) || !read_sheets(map, &land, info.sheets) || !read_closed(map, &land, info.closed_steps))
        goto fail;
    land.one_way = land.way_count > 0 || land.closed_count > 0;
    count_open(&land);
    if (!terrain_find_parts(&land, &land.home)) goto fail;
    *out = land;
    return WEND_OK;
fail:
    terrain_free(&land);
    return error;
}

/* ---- compared with a map ---- */

static uint64_t compare_row(const terrain_copy *land, const wend_map *map, wend_cell first, uint8_t *row) {
    const wend_box box = {first, {land->width - 1, first.y, first.z}};
    uint64_t differ = 0;
    if (wend_map_get_terrain_box(map, box, row, (size_t)land->width) != WEND_OK) return UINT64_MAX;
    for (wend_cell at = first; at.x < land->width; at.x++)
        if (terrain_exists(land, terrain_index(land, at)))
            differ += land->rules.factors[row[at.x]] != terrain_factor(land, at);
    return differ;
}

static size_t differing_counts(size_t a, size_t b) {
    return a > b ? a - b : b - a;
}

/* Links of the map that the copy has not, and how many more there are of the others. */
static uint64_t compare_links(const terrain_copy *land, const wend_map *map) {
    size_t count = 0, kept = 0;
    wend_map_get_links(map, NULL, 0, &count);
    wend_link *links = malloc((count + 1) * sizeof *links);
    if (!links) return UINT64_MAX;
    wend_map_get_links(map, links, count, &count);
    uint64_t differ = 0;
    for (uint32_t i = 0; i < land->link_count; i++) kept += land->ways[i].cost > 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = terrain_index(land, links[i].from), to = terrain_index(land, links[i].to);
        bool same = false;
        for (uint32_t k = land->way_count > 0 ? land->out.first[from] : 0;
             land->way_count > 0 && k < land->out.first[from + 1] && !same; k++) {
            const uint32_t index = land->out.ways[k];
            const terrain_way *way = &land->ways[index];
            same = index < land->link_count && way->to == to && way->cost == cost_of_link(&links[i]);
        }
        differ += !same;
    }
    free(links);
    return differ + differing_counts(count, kept);
}

static uint64_t compare_closed(const terrain_copy *land, const wend_map *map) {
    size_t count = 0, kept = 0;
    wend_map_get_closed_steps(map, NULL, 0, &count);
    wend_step *steps = malloc((count + 1) * sizeof *steps);
    if (!steps) return UINT64_MAX;
    wend_map_get_closed_steps(map, steps, count, &count);
    uint64_t differ = 0;
    for (size_t i = 0; i < land->closed_count; i++) kept += terrain_get(land, terrain_step_value(land) + i);
    for (size_t i = 0; i < count; i++) {
        const wend_cell from = steps[i].from, to = steps[i].to;
        differ += !terrain_step_closed(land, from, to.x - from.x, to.y - from.y, to.z - from.z);
    }
    free(steps);
    return differ + differing_counts(count, kept);
}

uint64_t terrain_compare(const terrain_copy *land, const wend_map *map) {
    uint8_t *row = malloc((size_t)land->width);
    uint64_t differ = row ? 0 : UINT64_MAX;
    for (int32_t z = 0; z < land->depth && differ != UINT64_MAX; z++)
        for (int32_t y = 0; y < land->height && differ != UINT64_MAX; y++) {
            const uint64_t more = compare_row(land, map, (wend_cell){0, y, z}, row);
            differ = more == UINT64_MAX ? more : differ + more;
        }
    free(row);
    if (differ == UINT64_MAX) return differ;
    const uint64_t links = compare_links(land, map), steps = compare_closed(land, map);
    return links == UINT64_MAX || steps == UINT64_MAX ? UINT64_MAX : differ + links + steps;
}

void terrain_free(terrain_copy *land) {
    free(land->factors);
    free(land->absent);
    free(land->ways);
    free(land->out.first);
    free(land->out.ways);
    free(land->in.first);
    free(land->in.ways);
    free(land->sheets);
    free(land->closed_steps);
    free(land->closed);
    free(land->nexts);
    free(land->log);
    terrain_free_parts(&land->home);
    *land = (terrain_copy){0};
}

/* ---- edits ---- */

uint32_t terrain_get(const terrain_copy *land, uint64_t what) {
    uint32_t bit;
    if (what < land->cells) return land->factors[what];
    if (what < terrain_step_value(land)) return land->ways[what - land->cells].cost;
    const uint32_t *bits = closed_bits(land, (size_t)(what - terrain_step_value(land)), &bit);
    return (*bits & bit) != 0;
}

static void put_value(terrain_copy *land, uint64_t what, uint32_t value) {
    uint32_t bit, *bits;
    if (what < land->cells) {
        land->factors[what] = (uint8_t)value;
    } else if (what < terrain_step_value(land)) {
        land->ways[what - land->cells].cost = value;
    } else {
        bits = closed_bits(land, (size_t)(what - terrain_step_value(land)), &bit);
        *bits = value != 0 ? *bits | bit : *bits & ~bit;
    }
}

void terrain_begin_epoch(terrain_copy *land, uint64_t epoch) {
    terrain_go_to(land, land->epoch);
    land->epoch = epoch;
}

/* A full log drops its older half, and always whole epochs. */
static bool make_room(terrain_copy *land) {
    if (land->log_count < LOG_MAX) return ARRAY_ROOM(land->log, land->log_capacity, land->log_count + 1);
    size_t gone = land->log_count / 2;
    land->oldest = land->log[gone - 1].epoch;
    land->log_count -= gone;
    memmove(land->log, land->log + gone, land->log_count * sizeof *land->log);
    return true;
}

bool terrain_set(terrain_copy *land, uint64_t what, uint32_t value) {
    if (!make_room(land)) return false;
    land->log[land->log_count++] = (terrain_change){land->epoch, what, terrain_get(land, what)};
    land->log_at = land->log_count;
    put_value(land, what, value);
    return true;
}

/* Undo and redo are the same operation: the two values change places. */
static void swap(terrain_copy *land, terrain_change *change) {
    const uint32_t other = change->value;
    change->value = terrain_get(land, change->what);
    put_value(land, change->what, other);
}

bool terrain_go_to(terrain_copy *land, uint64_t epoch) {
    if (epoch < land->oldest || epoch > land->epoch) return false;
    while (land->log_at > 0 && land->log[land->log_at - 1].epoch > epoch) swap(land, &land->log[--land->log_at]);
    while (land->log_at < land->log_count && land->log[land->log_at].epoch <= epoch)
        swap(land, &land->log[land->log_at++]);
    return true;
}
