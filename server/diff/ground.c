/* SPDX-License-Identifier: MIT */
/* Contents of a map: chunks, cells, links, edges, steps, values of layers, units. */
#include "diff/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <wend/graph.h>
#include <wend/query.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/versions.h>

/// Writes a world's data of a cell. @param number   of a layer. @return false: nothing to report
typedef bool cell_fn(const script_state *world, wend_cell cell, int32_t number, char *out, size_t room);

static bool say_class(const script_state *world, wend_cell cell, int32_t number, char *out, size_t room) {
    uint8_t class = 0;
    (void)number;
    if (wend_map_get_terrain(world->world.map, cell, &class)) return false;
    snprintf(out, room, "\"class\":%u", class);
    return true;
}

static bool say_units(const script_state *world, wend_cell cell, int32_t number, char *out, size_t room) {
    uint32_t units = 0;
    (void)number;
    if (wend_map_get_occupants(world->world.map, cell, &units)) return false;
    snprintf(out, room, "\"units\":%" PRIu32, units);
    return true;
}

static bool say_value(const script_state *world, wend_cell cell, int32_t number, char *out, size_t room) {
    uint8_t value = 0;
    if (wend_map_get_layer_box(world->world.map, number, (wend_box){cell, cell}, &value, 1)) return false;
    snprintf(out, room, "\"value\":%u", value);
    return true;
}

/* Returns the size of both maps, which may be graphs with room for more or fewer nodes. */
static wend_cell size_of(script_state *const worlds[2]) {
    wend_cell size = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        wend_map_info info = {.struct_bytes = sizeof info};
        wend_map_get_info(worlds[i]->world.map, &info);
        if (info.width > size.x) size.x = info.width;
        size.y = info.height, size.z = info.depth;
    }
    return size;
}

/* Finds the first cell that differs. @param numbers   of a layer in each world */
static bool find_cell(script_state *const worlds[2], const char *what, cell_fn *say, const int32_t numbers[2],
                      diff_object *out) {
    const wend_cell size = size_of(worlds);
    for (wend_cell at = {0, 0, 0}; at.z < size.z; at.z++)
        for (at.y = 0; at.y < size.y; at.y++)
            for (at.x = 0; at.x < size.x; at.x++) {
                for (int i = 0; i < 2; i++)
                    if (!say(worlds[i], at, numbers[i], out->has[i], sizeof out->has[i])) out->has[i][0] = '\0';
                if (strcmp(out->has[0], out->has[1]) == 0) continue;
                out->what = what;
                diff_name_cell(worlds[0], at, out->name, sizeof out->name);
                return true;
            }
    return false;
}

/* ---- chunks ---- */

static bool diff_chunks(script_state *const worlds[2], diff_object *out) {
    static const char *const words[] = {"loaded", "known", "absent"}; /* WEND_LAND_… */
    const wend_cell size = size_of(worlds);
    char name[32];
    for (int32_t y = 0; y < (size.y + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE; y++)
        for (int32_t x = 0; x < (size.x + WEND_CHUNK_SIDE - 1) / WEND_CHUNK_SIDE; x++) {
            for (int i = 0; i < 2; i++) {
                int32_t land = 0;
                if (wend_map_get_land(worlds[i]->world.map, x, y, &land)) return false;
                snprintf(out->has[i], sizeof out->has[i], "\"land\":\"%s\"", words[land]);
            }
            snprintf(name, sizeof name, "%" PRId32 ",%" PRId32, x, y);
            if (diff_said(out, "chunk", name)) return true;
        }
    return false;
}

/* ---- links ---- */

static int compare_links(const void *a, const void *b) {
    return memcmp(a, b, sizeof(wend_cell) * 2);
}

static wend_link *links_of(const script_state *world, size_t *count) {
    wend_map_get_links(world->world.map, NULL, 0, count);
    wend_link *links = calloc(*count + 1, sizeof *links);
    if (!links) return *count = 0, NULL;
    wend_map_get_links(world->world.map, links, *count, count);
    qsort(links, *count, sizeof *links, compare_links);
    return links;
}

static void say_link(const script_state *world, const wend_link *link, bool there, char *out, size_t room, char *name,
                     size_t name_room) {
    char from[48], to[48];
    out[0] = '\0';
    if (!there) return;
    diff_name_cell(world, link->from, from, sizeof from), diff_name_cell(world, link->to, to, sizeof to);
    snprintf(name, name_room, "%s to %s", from, to);
    const int used = snprintf(out, room, "\"cost\":%" PRId32, link->cost);
    if (link->movers != 0) snprintf(out + used, room - (size_t)used, ",\"movers\":%" PRIu32, link->movers);
}

static bool diff_links(script_state *const worlds[2], diff_object *out) {
    size_t counts[2], i = 0, k = 0;
    wend_link *a = links_of(worlds[0], &counts[0]), *b = links_of(worlds[1], &counts[1]);
    bool found = false;
    while (a && b && !found && (i < counts[0] || k < counts[1])) {
        const int order = i == counts[0] ? 1 : k == counts[1] ? -1 : compare_links(&a[i], &b[k]);
        found = order != 0 || a[i].cost != b[k].cost || a[i].movers != b[k].movers;
        if (found) {
            say_link(worlds[0], &a[i], order <= 0, out->has[0], sizeof out->has[0], out->name, sizeof out->name);
            say_link(worlds[1], &b[k], order >= 0, out->has[1], sizeof out->has[1], out->name, sizeof out->name);
            out->what = "link";
        }
        i += order <= 0, k += order >= 0;
    }
    free(a), free(b);
    return found;
}

/* ---- edges ---- */

/* Returns the edges out of a node; NULL: there is no memory. */
static wend_edge *edges_of(const script_state *world, uint32_t node, size_t *count) {
    *count = 0;
    (void)wend_map_get_edges(world->world.map, node, NULL, 0, count);
    wend_edge *edges = calloc(*count + 1, sizeof *edges);
    if (edges && *count > 0) (void)wend_map_get_edges(world->world.map, node, edges, *count, count);
    return edges;
}

static void say_edge(const wend_edge *edge, bool there, char *out, size_t room) {
    out[0] = '\0';
    if (there) snprintf(out, room, "\"cost\":%" PRId32, edge->cost);
}

/* Both lists are sorted by the other end. */
static bool diff_edges_of(script_state *const worlds[2], uint32_t node, diff_object *out) {
    size_t counts[2], i = 0, k = 0;
    char name[48];
    wend_edge *a = edges_of(worlds[0], node, &counts[0]), *b = edges_of(worlds[1], node, &counts[1]);
    bool found = false;
    while (a && b && !found && (i < counts[0] || k < counts[1])) {
        const bool in_a = k == counts[1] || (i < counts[0] && a[i].to <= b[k].to);
        const bool in_b = i == counts[0] || (k < counts[1] && b[k].to <= a[i].to);
        say_edge(&a[i], in_a, out->has[0], sizeof out->has[0]), say_edge(&b[k], in_b, out->has[1], sizeof out->has[1]);
        snprintf(name, sizeof name, "%" PRIu32 " to %" PRIu32, node, in_a ? a[i].to : b[k].to);
        found = diff_said(out, "edge", name);
        i += in_a, k += in_b;
    }
    free(a), free(b);
    return found;
}

static bool diff_edges(script_state *const worlds[2], diff_object *out) {
    if (worlds[0]->kind != WEND_KIND_GRAPH) return false;
    for (int32_t node = 0; node < size_of(worlds).x; node++)
        if (diff_edges_of(worlds, (uint32_t)node, out)) return true;
    return false;
}

/* ---- closed steps: terrain, rules and links are the same ---- */

static bool diff_steps_of(script_state *const worlds[2], wend_cell from, bool straight, diff_object *out) {
    const int32_t up = worlds[0]->kind == WEND_KIND_VOXEL;
    for (wend_cell off = {-1, -1, -up}; off.z <= up; off.z++)
        for (off.y = -1; off.y <= 1; off.y++)
            for (off.x = -1; off.x <= 1; off.x++) {
                const wend_cell to = {from.x + off.x, from.y + off.y, from.z + off.z};
                bool open[2] = {false, false};
                const bool is_straight = abs(off.x) + abs(off.y) + abs(off.z) == 1;
                if (is_straight != straight || !world_is_on_map(&worlds[0]->world, to)) continue;
                for (int i = 0; i < 2; i++)
                    (void)wend_map_step_legal(worlds[i]->world.map, WEND_MOVER_DEFAULT, from, to, &open[i], NULL);
                if (open[0] == open[1]) continue;
                char a[48], b[48], name[100];
                diff_name_cell(worlds[0], from, a, sizeof a), diff_name_cell(worlds[0], to, b, sizeof b);
                snprintf(name, sizeof name, "%s to %s", a, b);
                for (int i = 0; i < 2; i++)
                    snprintf(out->has[i], sizeof out->has[i], "\"open\":%s", open[i] ? "true" : "false");
                return diff_said(out, "step", name);
            }
    return false;
}

static bool diff_steps_that(script_state *const worlds[2], bool straight, diff_object *out) {
    const wend_cell size = size_of(worlds);
    for (wend_cell at = {0, 0, 0}; at.z < size.z; at.z++)
        for (at.y = 0; at.y < size.y; at.y++)
            for (at.x = 0; at.x < size.x; at.x++)
                if (diff_steps_of(worlds, at, straight, out)) return true;
    return false;
}

/* Diagonals come last, as most rules close them beside a closed step. */
static bool diff_steps(script_state *const worlds[2], diff_object *out) {
    if (worlds[0]->kind == WEND_KIND_GRAPH) return false;
    return diff_steps_that(worlds, true, out) || diff_steps_that(worlds, false, out);
}

/* ---- all of it ---- */

static bool diff_values(script_state *const worlds[2], diff_object *out) {
    for (uint32_t i = 0; i < worlds[0]->built.layers.count; i++) {
        const char *name = worlds[0]->built.layers.names[i];
        const int32_t same = (int32_t)i, other = cli_layers_find(&worlds[1]->built.layers, name, strlen(name));
        const int32_t numbers[2] = {same, diff_by_order(worlds) ? same : other};
        if (!find_cell(worlds, "layer", say_value, numbers, out)) continue;
        char cell[sizeof out->name];
        memcpy(cell, out->name, sizeof cell);
        snprintf(out->name, sizeof out->name, "%.60s %.60s", name, cell);
        return true;
    }
    return false;
}

static const int32_t no_layer[2];

bool diff_ground(script_state *const worlds[2], diff_object *out) {
    return diff_chunks(worlds, out) || find_cell(worlds, "cell", say_class, no_layer, out) || diff_edges(worlds, out) ||
           diff_links(worlds, out) || diff_steps(worlds, out) || diff_values(worlds, out);
}

/* ---- what follows from agents and requests ---- */

/* Weights by the map's number for them. */
static bool diff_weights(script_state *const worlds[2], diff_object *out) {
    char name[32];
    for (int32_t i = 1; i <= WEND_MAX_PROFILES; i++) {
        for (int k = 0; k < 2; k++) {
            out->has[k][0] = '\0';
            diff_add_way(worlds, k, WEND_MOVER_DEFAULT, i, out->has[k], sizeof out->has[k]);
        }
        snprintf(name, sizeof name, "weights %" PRId32, i);
        if (diff_said(out, "map", name)) return true;
    }
    return false;
}

bool diff_results(script_state *const worlds[2], diff_object *out) {
    if (find_cell(worlds, "unit", say_units, no_layer, out) || diff_weights(worlds, out)) return true;
    for (int i = 0; i < 2; i++)
        snprintf(out->has[i], sizeof out->has[i], "\"epoch\":%" PRIu64,
                 wend_map_get_epoch(worlds[i]->world.map) - worlds[i]->first_epoch);
    return diff_said(out, "map", "map");
}
