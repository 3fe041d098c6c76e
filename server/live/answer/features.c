/* SPDX-License-Identifier: MIT */
/* Features of a map besides its terrain: links, closed steps, units; of a graph its nodes and edges. */
#define _GNU_SOURCE

#include "live/answer/answer.h"

#include <stdlib.h>
#include <wend/ways.h>

static bool refuse_features(live_client *client, int32_t error, const char *why) {
    live_refuse(client, error, why);
    return false;
}

static void put_pair(const wend_live *live, live_text *text, size_t i, wend_cell from, wend_cell to) {
    live_puts(text, i > 0 ? ",[" : "[");
    live_put_cell(text, live->kind, from);
    live_puts(text, ",");
    live_put_cell(text, live->kind, to);
}

/* Movers without a name are those of the API alone. */
static void put_movers(const wend_live *live, live_text *text, uint32_t movers) {
    const char *before = ",[";
    for (size_t i = 0; i < WEND_LINK_MOVERS && i <= live->mover_count; i++) {
        const char *name = i == 0 ? "default" : live->movers[i - 1];
        if (!(movers >> i & 1)) continue;
        live_puts(text, before);
        live_put_string(text, name, strlen(name));
        before = ",";
    }
    live_puts(text, before[1] == '[' ? ",[]" : "]");
}

static bool put_links(const wend_live *live, live_text *text, size_t count) {
    wend_link *links = malloc((count + 1) * sizeof *links);
    if (!links) return false;
    wend_map_get_links(live->map, links, count, &count);
    live_puts(text, ",\"link_list\":[");
    for (size_t i = 0; i < count; i++) {
        put_pair(live, text, i, links[i].from, links[i].to);
        live_puts(text, ",");
        live_put_signed(text, links[i].cost);
        if (links[i].movers != 0) put_movers(live, text, links[i].movers);
        live_puts(text, "]");
    }
    live_puts(text, "]");
    free(links);
    return true;
}

static bool put_closed(const wend_live *live, live_text *text, size_t count) {
    wend_step *steps = malloc((count + 1) * sizeof *steps);
    if (!steps) return false;
    wend_map_get_closed_steps(live->map, steps, count, &count);
    live_puts(text, ",\"closed\":[");
    for (size_t i = 0; i < count; i++) put_pair(live, text, i, steps[i].from, steps[i].to), live_puts(text, "]");
    live_puts(text, "]");
    free(steps);
    return true;
}

static void put_units(const wend_live *live, live_text *text, const wend_live_units *units) {
    live_puts(text, ",\"units\":[");
    for (uint64_t i = 0; i < units->count; i++) {
        if (i > 0) live_put(text, ",", 1);
        live_put_cell(text, live->kind, units->cells[i]);
    }
    live_puts(text, "]");
}

static void put_end(const wend_live *live, live_text *text, const char *name, const wend_cell *cell) {
    if (!cell) return;
    live_puts(text, name);
    live_put_cell(text, live->kind, *cell);
}

/* ---- graphs ---- */

/* Writes null if there is no node; [] if it has no coordinates. */
static void put_nodes(const wend_live *live, live_text *text, uint32_t count) {
    live_puts(text, ",\"nodes\":[");
    for (uint32_t node = 0; node < count; node++) {
        wend_cell at;
        if (node > 0) live_put(text, ",", 1);
        const wend_error error = wend_map_get_coordinates(live->map, node, &at);
        if (!error)
            live_put_cell(text, WEND_KIND_VOXEL, at);
        else
            live_puts(text, error == WEND_EMPTY ? "[]" : "null");
    }
    live_puts(text, "]");
}

static bool put_edges(const wend_live *live, live_text *text, uint32_t nodes) {
    wend_edge *edges = NULL;
    size_t capacity = 0;
    bool first = true;
    live_puts(text, ",\"edges\":[");
    for (uint32_t node = 0; node < nodes; node++) {
        size_t count = 0;
        wend_map_get_edges(live->map, node, NULL, 0, &count);
        if (count > capacity) {
            wend_edge *more = realloc(edges, count * sizeof *more);
            if (!more) {
                free(edges);
                return false;
            }
            edges = more;
            capacity = count;
        }
        wend_map_get_edges(live->map, node, edges, capacity, &count);
        for (size_t i = 0; i < count; i++) {
            live_puts(text, first ? "[" : ",[");
            first = false;
            live_put_number(text, edges[i].from);
            live_put(text, ",", 1);
            live_put_number(text, edges[i].to);
            live_put(text, ",", 1);
            live_put_signed(text, edges[i].cost);
            live_put(text, "]", 1);
        }
    }
    live_puts(text, "]");
    free(edges);
    return true;
}

static bool put_graph(const wend_live *live, live_text *text, const wend_map_info *info) {
    if (info->kind != WEND_KIND_GRAPH) return true;
    put_nodes(live, text, (uint32_t)info->width);
    return put_edges(live, text, (uint32_t)info->width);
}

bool live_put_features(live_client *client, live_text *text) {
    const wend_live *live = client->live;
    const uint64_t most = live->limits.answer_cells;
    wend_live_units units = {.struct_bytes = sizeof units};
    wend_map_info info = {.struct_bytes = sizeof info};
    size_t links = 0, steps = 0;
    wend_map_get_info(live->map, &info);
    wend_map_get_links(live->map, NULL, 0, &links);
    wend_map_get_closed_steps(live->map, NULL, 0, &steps);
    if (live->def.get_units) live->def.get_units(live->def.context, &units);
    if (links > most || steps > most || units.count > most)
        return refuse_features(client, WEND_LIVE_TOO_LARGE,
                               "so many links, closed steps or units do not fit an answer");
    if (info.kind == WEND_KIND_GRAPH && ((uint64_t)info.width > most || info.edges > most))
        return refuse_features(client, WEND_LIVE_TOO_LARGE, "so many nodes or edges do not fit an answer");
    if (!put_links(live, text, links) || !put_closed(live, text, steps) || !put_graph(live, text, &info))
        return refuse_features(client, WEND_LIVE_BUSY, "no memory");
    put_units(live, text, &units);
    put_end(live, text, ",\"start\":", live->def.start);
    put_end(live, text, ",\"goal\":", live->def.goal);
    return true;
}
