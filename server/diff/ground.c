/* SPDX-License-Identifier: MIT */
/* Maps: cells, links, layers, units. */
#include "diff/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <wend/query.h>
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
    if (wend_layer_get_box(world->world.map, number, (wend_box){cell, cell}, &value, 1)) return false;
    snprintf(out, room, "\"value\":%u", value);
    return true;
}

static void name_cell(const script_state *world, wend_cell cell, char *out, size_t room) {
    if (world->kind == WEND_KIND_GRAPH)
        snprintf(out, room, "%" PRId32, cell.x);
    else if (world->kind == WEND_KIND_VOXEL)
        snprintf(out, room, "%" PRId32 ",%" PRId32 ",%" PRId32, cell.x, cell.y, cell.z);
    else
        snprintf(out, room, "%" PRId32 ",%" PRId32, cell.x, cell.y);
}

/* Finds the first cell that differs. */
static bool find_cell(script_state *const worlds[2], const char *what, cell_fn *say, int32_t number, diff_object *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(worlds[0]->world.map, &info);
    for (wend_cell at = {0, 0, 0}; at.z < info.depth; at.z++)
        for (at.y = 0; at.y < info.height; at.y++)
            for (at.x = 0; at.x < info.width; at.x++) {
                for (int i = 0; i < 2; i++)
                    if (!say(worlds[i], at, number, out->has[i], sizeof out->has[i])) out->has[i][0] = '\0';
                if (strcmp(out->has[0], out->has[1]) == 0) continue;
                out->what = what;
                name_cell(worlds[0], at, out->name, sizeof out->name);
                return true;
            }
    return false;
}

static bool diff_size(script_state *const worlds[2], diff_object *out) {
    for (int i = 0; i < 2; i++) {
        wend_map_info info = {.struct_bytes = sizeof info};
        wend_map_get_info(worlds[i]->world.map, &info);
        snprintf(out->has[i], sizeof out->has[i],
                 "\"kind\":%" PRId32 ",\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"depth\":%" PRId32
                 ",\"movers\":%" PRId32,
                 info.kind, info.width, info.height, info.depth, info.movers);
    }
    return diff_said(out, "map", "map");
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
    name_cell(world, link->from, from, sizeof from), name_cell(world, link->to, to, sizeof to);
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

/* ---- all of it ---- */

bool diff_ground(script_state *const worlds[2], diff_object *out) {
    if (diff_size(worlds, out)) return true;
    if (find_cell(worlds, "cell", say_class, 0, out) || diff_links(worlds, out)) return true;
    for (uint32_t i = 0; i < worlds[0]->built.layers.count; i++) {
        if (!find_cell(worlds, "layer", say_value, (int32_t)i, out)) continue;
        char cell[sizeof out->name];
        memcpy(cell, out->name, sizeof cell);
        snprintf(out->name, sizeof out->name, "%.60s %.60s", worlds[0]->built.layers.names[i], cell);
        return true;
    }
    return false;
}

bool diff_units(script_state *const worlds[2], diff_object *out) {
    if (find_cell(worlds, "unit", say_units, 0, out)) return true;
    for (int i = 0; i < 2; i++)
        snprintf(out->has[i], sizeof out->has[i], "\"epoch\":%" PRIu64,
                 wend_map_get_epoch(worlds[i]->world.map) - worlds[i]->first_epoch);
    return diff_said(out, "map", "map");
}
