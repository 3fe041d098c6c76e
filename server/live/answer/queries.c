/* SPDX-License-Identifier: MIT */
/* Answers to queries: the map, counts, positions, and subscriptions. */
#define _GNU_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/answer/answer.h"
#include "live/watch/watch.h"
#include <wend/layers.h>
#include <wend/stream.h>
#include <wend/versions.h>
#include <wend/ways.h>

/* ---- map ---- */

static void put_size(live_text *text, const wend_map_info *info) {
    live_puts(text, ",\"size\":[");
    live_put_signed(text, info->width);
    if (info->kind != WEND_KIND_GRAPH) live_puts(text, ","), live_put_signed(text, info->height);
    if (info->kind == WEND_KIND_VOXEL) live_puts(text, ","), live_put_signed(text, info->depth);
    live_puts(text, "]");
}

static void put_rules(const wend_live *live, live_text *text) {
    static const char *const corners[] = {"never", "one", "always"}; /* WEND_CORNERS_… */
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    if (live->kind == WEND_KIND_GRAPH) return;
    wend_map_get_rules(live->map, &rules);
    live_put_field(text, "neighbours", (uint64_t)rules.neighbours);
    live_puts(text, ",\"corners\":\"");
    live_puts(text, corners[rules.corners]);
    live_puts(text, "\",\"cost\":[");
    live_put_signed(text, rules.cost_straight);
    live_puts(text, ",");
    live_put_signed(text, rules.cost_diagonal);
    if (live->kind == WEND_KIND_VOXEL) live_puts(text, ","), live_put_signed(text, rules.cost_space);
    live_puts(text, "]");
}

/* Writes two corners of each sheet, and the place of the first on the ground. Nothing if there are none. */
static void put_sheets(const wend_live *live, live_text *text) {
    size_t count = 0;
    wend_map_get_sheets(live->map, NULL, 0, &count);
    wend_sheet *sheets = count > 0 ? malloc(count * sizeof *sheets) : NULL;
    if (!sheets) return;
    wend_map_get_sheets(live->map, sheets, count, NULL);
    live_puts(text, ",\"sheets\":[");
    for (size_t i = 0; i < count; i++) {
        const wend_cell cells[] = {sheets[i].box.min, sheets[i].box.max, sheets[i].ground};
        for (size_t k = 0; k < 3; k++) {
            live_puts(text, k > 0 ? "," : i > 0 ? ",[" : "[");
            live_put_cell(text, WEND_KIND_GRID, cells[k]);
        }
        live_puts(text, "]");
    }
    live_puts(text, "]");
    free(sheets);
}

/* ---- layers ---- */

static size_t layers_of(const wend_live *live, const char *const **names) {
    return live->def.get_layers ? live->def.get_layers(live->def.context, names) : 0;
}

/* Writes layers in the form of `layer` orders. A layer with a pending order is omitted. */
static void put_layers(const wend_live *live, live_text *text) {
    const char *const *names = NULL;
    const size_t count = layers_of(live, &names);
    live_puts(text, ",\"layers\":[");
    for (size_t i = 0; i < count; i++) {
        wend_layer_info info = {.struct_bytes = sizeof info};
        if (wend_map_get_layer(live->map, (int32_t)i, &info)) break;
        live_puts(text, i > 0 ? ",{\"name\":" : "{\"name\":");
        live_put_string(text, names[i], strlen(names[i]));
        live_puts(text, info.within > 0 ? ",\"kind\":\"walls\"" : ",\"kind\":\"values\"");
        if (info.half_life > 0) live_put_field(text, "half_life", info.half_life);
        if (info.within > 0) live_put_field(text, "within", (uint64_t)info.within);
        live_puts(text, "}");
    }
    live_puts(text, "]");
}

/* Returns the number of the layer that the message names; -1: there is none. */
static int32_t named_layer(const wend_live *live) {
    const char *const *names = NULL;
    const size_t count = layers_of(live, &names);
    wend_layer_info info = {.struct_bytes = sizeof info};
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], live->message.layer) == 0)
            return wend_map_get_layer(live->map, (int32_t)i, &info) ? -1 : (int32_t)i;
    return -1;
}

/* ---- the map ---- */

static void put_map(const wend_live *live, live_text *text) {
    static const char *const kinds[] = {"none", "grid", "voxels", "graph"}; /* WEND_KIND_… */
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(live->map, &info);
    live_puts(text, ",\"kind\":\"");
    live_puts(text, kinds[info.kind]);
    live_puts(text, "\"");
    put_size(text, &info);
    put_rules(live, text);
    live_put_field(text, "epoch", info.epoch - live->first_epoch);
    live_put_field(text, "links", info.links);
    live_put_field(text, "closed_steps", info.closed_steps);
    live_puts(text, ",\"movers\":[\"default\"");
    for (size_t i = 0; i < live->mover_count; i++) {
        if (live->movers[i][0] == '\0') continue; /* an order made it */
        live_puts(text, ",");
        live_put_string(text, live->movers[i], strlen(live->movers[i]));
    }
    live_puts(text, "]");
    put_layers(live, text);
}

static uint64_t side(int32_t min, int32_t max) {
    return max < min ? 0 : (uint64_t)((int64_t)max - min + 1);
}

uint64_t live_box_cells(wend_box box, uint64_t most) {
    const uint64_t width = side(box.min.x, box.max.x), height = side(box.min.y, box.max.y);
    const uint64_t depth = side(box.min.z, box.max.z);
    if (width == 0 || height == 0 || depth == 0) return 0;
    const bool large = width > most || height > most || depth > most || width * height > most;
    return large ? most + 1 : width * height * depth;
}

/* Writes a value for each cell of a box, row by row; layer by layer in space. As runs each is followed by its number of
 * cells. */
static void put_bytes(live_text *text, const char *name, bool runs, const uint8_t *bytes, size_t count) {
    live_put_key(text, runs ? "runs" : name);
    live_puts(text, "[");
    for (size_t i = 0, next; i < count; i = next) {
        next = i + 1;
        while (runs && next < count && bytes[next] == bytes[i]) next++;
        if (i > 0) live_put(text, ",", 1);
        live_put_number(text, bytes[i]);
        if (runs) live_put(text, ",", 1), live_put_number(text, next - i);
    }
    live_puts(text, "]");
}

/* Writes the classes of a box, or a layer's values in it. */
static bool put_box(live_client *client, live_text *text, wend_box box) {
    enum { CELLS_A_UNIT = 8 }; /* cells read in 10 ns */
    wend_live *live = client->live;
    const bool values = live->message.layer;
    const int32_t layer = values ? named_layer(live) : 0;
    const uint64_t most = live->limits.answer_cells, cells = live_box_cells(box, most);
    if (cells == 0 || cells > most) {
        live_refuse(client, cells == 0 ? WEND_LIVE_BAD_ARGUMENT : WEND_LIVE_TOO_LARGE,
                    cells == 0 ? LIVE_BAD_BOX : LIVE_LARGE_BOX);
        return false;
    }
    if (layer < 0) {
        live_refuse(client, WEND_LIVE_UNKNOWN, "there is no layer of that name");
        return false;
    }
    const size_t width = (size_t)side(box.min.x, box.max.x);
    uint8_t *bytes = malloc((size_t)cells);
    const wend_error error = !bytes   ? WEND_OUT_OF_MEMORY
                             : values ? wend_map_get_layer_box(live->map, layer, box, bytes, width)
                                      : wend_map_get_terrain_box(live->map, box, bytes, width);
    if (!error) put_bytes(text, values ? "values" : "classes", live->message.runs, bytes, (size_t)cells);
    free(bytes);
    live->work += cells / CELLS_A_UNIT;
    if (error) live_refuse(client, live_error_of(error), wend_error_detail(error));
    return !error;
}

/* The chunks that a box of a streamed map touches, row by row. */
static void put_land(const wend_live *live, live_text *text, wend_box box) {
    static const char *const lands[] = {"\"loaded\"", "\"known\"", "\"absent\""}; /* WEND_LAND_… */
    const int32_t side = WEND_CHUNK_SIDE;
    bool any = false;
    for (int32_t y = box.min.y / side; y <= box.max.y / side; y++)
        for (int32_t x = box.min.x / side; x <= box.max.x / side; x++) {
            int32_t land;
            if (wend_map_get_land(live->map, x, y, &land)) return;
            live_puts(text, any ? "," : ",\"land\":[");
            live_puts(text, lands[land]);
            any = true;
        }
    if (any) live_puts(text, "]");
}

void live_answer_map(live_client *client) {
    wend_live *live = client->live;
    const live_box box = live->message.box;
    if (!live->map) {
        live_refuse(client, WEND_LIVE_UNKNOWN, "the host shows no map");
        return;
    }
    live_text *text = live_answer_begin(live, &live->message.id);
    put_map(live, text);
    if (!box.given) put_sheets(live, text);
    if (box.given && !put_box(client, text, box.box)) return;
    if (box.given) put_land(live, text, box.box);
    if (live->message.features && !live_put_features(client, text)) return;
    live_answer_end(client);
}

/* ---- stats ---- */

static void put_percentiles(live_text *text, const char *name, const wend_percentiles *values) {
    live_put_key(text, name);
    live_put(text, "[", 1);
    live_put_number(text, values->p50);
    live_put(text, ",", 1);
    live_put_number(text, values->p99);
    live_put(text, ",", 1);
    live_put_number(text, values->max);
    live_put(text, "]", 1);
}

static void put_service(live_text *text, const wend_service *service) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    live_put_field(text, "submitted", stats.submitted);
    live_put_field(text, "refused", stats.refused_busy);
    live_put_field(text, "completed", stats.completed);
    live_put_field(text, "pending", stats.pending);
    live_put_field(text, "expansions", stats.expansions);
    live_put_field(text, "us", stats.us);
    put_percentiles(text, "wait_frames", &stats.wait_frames);
    put_percentiles(text, "latency_frames", &stats.latency_frames);
    live_puts(text, ",\"statuses\":{");
    const char *separator = "\"";
    for (int32_t i = 1; i < WEND_STATUS_COUNT; i++) {
        if (stats.statuses[i] == 0) continue;
        live_puts(text, separator);
        live_puts(text, wend_status_name(i));
        live_puts(text, "\":");
        live_put_number(text, stats.statuses[i]);
        separator = ",\"";
    }
    live_puts(text, "}");
}

static void put_hash(wend_live *live, live_text *text) {
    enum { A_HASH = 100000 };
    char hash[32];
    snprintf(hash, sizeof hash, ",\"hash\":\"%016" PRIx64 "\"", live->def.get_hash(live->def.context));
    live_puts(text, hash);
    live->work += A_HASH;
}

void live_answer_stats(live_client *client) {
    wend_live *live = client->live;
    live_text *text = live_answer_begin(live, &live->message.id);
    live_put_field(text, "frames", live->frame);
    live_put_field(text, "clients", live->net.count);
    live_put_field(text, "sessions", live->sessions.named);
    live_put_field(text, "watchers", live->watcher_count);
    live_put_field(text, "messages", live->messages);
    live_put_field(text, "errors", live->errors);
    live_put_field(text, "skipped", live->skipped);
    live_put_field(text, "lost", live->sessions.lost);
    if (live->service) put_service(text, live->service);
    if (live->message.hash && live->def.get_hash) put_hash(live, text);
    live_answer_end(client);
}

/* ---- positions, subscribe ---- */

void live_answer_positions(live_client *client) {
    wend_live *live = client->live;
    wend_live_positions positions = {.struct_bytes = sizeof positions};
    if (live->def.get_positions) live->def.get_positions(live->def.context, &positions);
    live_text *text = live_answer_begin(live, &live->message.id);
    live_put_field(text, "frame", live->frame);
    live_put(text, ",", 1);
    live_put_positions(live, text, &positions);
    live_answer_end(client);
}

void live_answer_subscribe(live_client *client) {
    live_watch_set(client, &client->live->message.subscription);
    live_answer_ok(client, &client->live->message.id);
    live_watch_first(client);
}
