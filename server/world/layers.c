/* SPDX-License-Identifier: MIT */
/* Layers of costs by place, by name: adds and paints them, passes time, and finds profiles of agents and requests. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/cells.h"
#include "cli/world/heap.h"
#include "orders/avoiding.h"
#include "world/rows.h"

/* ---- names ---- */

static bool refuse_name(world_error *error, const wend_name *name, const void *member, const char *format) {
    return world_refuse(error, WORLD_UNKNOWN, member, format,
                        wend__show_word((wend__span){name->text, name->length, 0}).text);
}

/* Returns the layer of a name; -1, and the order is refused. */
static int32_t layer_of(const world_state *w, const wend_name *name, const void *member, world_error *error) {
    const int32_t layer = cli_layers_find(w->layers, name->text, name->length);
    if (layer < 0) refuse_name(error, name, member, "there is no layer '%s'");
    return layer;
}

/* Reads the weights of an order. @return false: refused */
static bool read_weights(const world_state *w, const wend_weights *from, wend_layer_weight *out, world_error *error) {
    for (uint32_t i = 0; i < from->count; i++) {
        const int32_t layer = layer_of(w, &from->items[i].layer, from, error);
        if (layer < 0) return false;
        for (uint32_t k = 0; k < i; k++)
            if (out[k].layer == layer) return world_refuse(error, WORLD_BAD_ARGUMENT, from, "a layer is named twice");
        out[i] = (wend_layer_weight){layer, from->items[i].weight};
    }
    return true;
}

bool world_check_weights(const world_state *w, const wend_weights *weights, world_error *error) {
    wend_layer_weight own[WEND_MAX_PROFILE_LAYERS];
    return read_weights(w, weights, own, error);
}

/* Reads of clients leave the other half to orders. @return whether the map has the profile, or room for it */
static bool may_read(const world_state *w, const wend_layer_weight *own, uint32_t count, world_error *error) {
    wend_layer_weight there[WEND_MAX_PROFILE_LAYERS];
    uint32_t layers = 0;
    int32_t at = 1;
    for (; !wend_map_get_profile(w->map, at, there, &layers); at++)
        if (layers == count && memcmp(there, own, count * sizeof *own) == 0) return true;
    if (!w->has_clients || at <= WEND_MAX_PROFILES / 2) return true;
    return world_refuse(error, WORLD_BUSY, NULL, "there are too many different weights of layers");
}

int32_t world_read_profile(const world_state *w, const wend_weights *weights, world_error *error) {
    wend_layer_weight own[WEND_MAX_PROFILE_LAYERS];
    if (!read_weights(w, weights, own, error)) return -1;
    if (weights->count > 0 && !may_read(w, own, weights->count, error)) return -1;
    return world_profile_of(w, weights, error);
}

int32_t world_profile_of(const world_state *w, const wend_weights *weights, world_error *error) {
    wend_layer_weight own[WEND_MAX_PROFILE_LAYERS];
    int32_t profile = WEND_PROFILE_NONE;
    if (weights->count == 0) return profile;
    if (!read_weights(w, weights, own, error)) return -1;
    const wend_error refused = wend_map_add_profile(w->map, own, weights->count, &profile);
    return world_refuse_error(error, refused, weights) ? profile : -1;
}

wend_weights world_weights_of(const world_state *w, int32_t profile) {
    wend_layer_weight own[WEND_MAX_PROFILE_LAYERS];
    wend_weights out = {0};
    if (profile == WEND_PROFILE_NONE || wend_map_get_profile(w->map, profile, own, &out.count)) return out;
    for (uint32_t i = 0; i < out.count; i++) {
        out.items[i].layer = wend__named(w->layers->names[own[i].layer]);
        out.items[i].weight = own[i].weight;
    }
    return out;
}

/* ---- adding ---- */

static bool check_kind(const world_state *w, const wend_order *order, world_error *error) {
    const bool walls = order->layer.kind == 1;
    if (walls && w->kind != WEND_KIND_GRID)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->layer.kind, "only flat grids have layers of walls");
    if (walls && order->layer.half_life > 0)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->layer.half_life, "a layer of walls has no half_life");
    if (walls != (order->layer.within > 0))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->layer.kind,
                            walls ? "a layer of walls needs within=N" : "only a layer of walls has within");
    return true;
}

bool world_check_layer(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_name *name = &order->layer.name;
    (void)who;
    if (cli_layers_find(w->layers, name->text, name->length) >= 0) {
        refuse_name(error, name, name, "there is a layer '%s' already");
        error->refusal = WORLD_BAD_ARGUMENT;
        return false;
    }
    if (!check_kind(w, order, error)) return false;
    if (w->layers->count == WEND_MAX_LAYERS)
        return world_refuse(error, WORLD_BUSY, NULL, "a map has at most %d layers", WEND_MAX_LAYERS);
    if (!cli_layers_add(w->layers, name->text, name->length)) return world_no_memory(error);
    const uint64_t bit = UINT64_C(1) << (w->layers->count - 1);
    w->layers->walls = order->layer.kind == 1 ? w->layers->walls | bit : w->layers->walls & ~bit;
    return true;
}

/* The newest layer, as later ones were forgotten before. */
void world_forget_layer(world_state *w, const wend_order *order) {
    (void)order;
    cli_layers_drop(w->layers);
}

bool world_do_layer(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    wend_layer_def def;
    (void)who;
    wend_layer_def_init(&def, sizeof def);
    def.half_life = order->layer.half_life;
    def.within = order->layer.within;
    return world_refuse_error(error, wend_map_add_layer(w->map, &def, NULL), &order->layer.name);
}

/* ---- painting ---- */

/* Also works for a layer whose order is pending. */
static bool is_of_walls(const world_state *w, int32_t layer) {
    wend_layer_info info = {.struct_bytes = sizeof info};
    const bool comes = wend_map_get_layer(w->map, layer, &info);
    return comes ? w->layers->walls >> layer & 1 : info.within > 0;
}

bool world_check_paint(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const bool disc = wend_order_gave(order, &order->paint.radius) && wend_order_gave(order, &order->paint.peak);
    const bool any_disc = wend_order_gave(order, &order->paint.radius) || wend_order_gave(order, &order->paint.peak);
    const bool box = wend_order_gave(order, &order->paint.value);
    const size_t cells = order->paint.cells.count;
    const int32_t layer = layer_of(w, &order->paint.layer, &order->paint.layer, error);
    (void)who;
    if (layer < 0) return false;
    if (is_of_walls(w, layer))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->paint.layer, "a layer of walls is not painted");
    if (cells == 1 && (!disc || box))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->paint.cells, "one cell needs radius and peak");
    if (cells == 2 && (!box || any_disc))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->paint.cells, "two cells need value");
    if (cells == 1 && w->kind == WEND_KIND_GRAPH && order->paint.radius > 0)
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->paint.radius, "on a graph the radius is 0");
    return true;
}

/* In bands of rows, so that the values take little memory. */
static wend_error paint_box(wend_map *map, int32_t layer, wend_box box, uint8_t value) {
    enum { BAND_BYTES = 1 << 22 };
    const size_t width = (size_t)(box.max.x - box.min.x + 1);
    const int32_t most = width < BAND_BYTES ? (int32_t)(BAND_BYTES / width) : 1, height = box.max.y - box.min.y + 1;
    const int32_t rows = most < height ? most : height;
    uint8_t *values = cli_alloc(width * (size_t)rows);
    wend_error error = values ? WEND_OK : WEND_OUT_OF_MEMORY;
    if (values) memset(values, value, width * (size_t)rows);
    for (int32_t z = box.min.z; !error && z <= box.max.z; z++)
        for (int32_t y = box.min.y, end; !error && y <= box.max.y; y = end + 1) {
            end = box.max.y - y < rows ? box.max.y : y + rows - 1;
            const wend_box band = {{box.min.x, y, z}, {box.max.x, end, z}};
            error = wend_map_set_layer_box(map, layer, band, values, width);
        }
    cli_free(values);
    return error;
}

bool world_do_paint(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    const wend_cells *cells = &order->paint.cells;
    const int32_t layer = layer_of(w, &order->paint.layer, &order->paint.layer, error);
    (void)who;
    if (layer < 0) return false;
    if (cells->count == 1)
        return world_refuse_error(
            error, wend_map_add_layer_disc(w->map, layer, cells->items[0], order->paint.radius, order->paint.peak),
            cells);
    const wend_change_item item = {WEND_ORDER_FILL, {.from = cells->items[0], .to = cells->items[1]}};
    return world_refuse_error(error, paint_box(w->map, layer, world_box(&item), (uint8_t)order->paint.value), cells);
}

/* ---- time ---- */

wend_error world_layers_pass(const world_state *w, uint64_t updates) {
    wend_error error = WEND_OK;
    while (w->layers->count > 0 && updates > 0 && !error) {
        const uint32_t part = updates < UINT32_MAX ? (uint32_t)updates : UINT32_MAX;
        error = wend_map_update_layers(w->map, part);
        updates -= part;
    }
    return error;
}

bool world_check_fade(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)w, (void)who, (void)order, (void)error;
    return true;
}

bool world_do_fade(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    (void)who;
    return world_refuse_error(error, world_layers_pass(w, order->fade.updates), NULL);
}

/* ---- the nearest places ---- */

bool world_check_nearest(const world_state *w, const wend_order *order, world_error *error) {
    if (wend_order_gave(order, &order->nearest.terrain) == (order->nearest.cells.count > 0))
        return world_refuse(error, WORLD_BAD_ARGUMENT, &order->nearest.cells, "nearest has either class or cells");
    return world_mover_of(w, &order->nearest.mover, error) >= 0 &&
           world_check_weights(w, &order->nearest.layers, error) &&
           world_check_weights(w, &order->nearest.score, error);
}

/* Returns the mover of a query. */
static int32_t read_mover(const world_state *w, const wend_name *name, const wend_classes *avoid, world_error *error) {
    int32_t mover = world_mover_of(w, name, error);
    const wend_error refused =
        mover < 0 ? WEND_OK : wend__mover_minding(w->map, mover, avoid, NULL, w->has_clients, &mover);
    if (refused == WEND_BUSY) return world_refuse(error, WORLD_BUSY, avoid, WEND__MOST_AVOIDING), -1;
    return world_refuse_error(error, refused, avoid) ? mover : -1;
}

bool world_nearest(const world_state *w, const wend_order *order, wend_hit *hits, size_t *count, world_error *error) {
    wend_nearest_def def;
    wend_nearest_def_init(&def, sizeof def);
    const bool by_class = wend_order_gave(order, &order->nearest.terrain);
    if (!world_check_nearest(w, order, error)) return false;
    def.map = w->map;
    def.start = order->nearest.from;
    def.mover = read_mover(w, &order->nearest.mover, &order->nearest.avoid, error);
    def.profile = def.mover >= 0 ? world_read_profile(w, &order->nearest.layers, error) : -1;
    def.score = def.profile >= 0 ? world_read_profile(w, &order->nearest.score, error) : -1;
    if (def.score < 0) return false;
    def.free_only = order->nearest.free;
    def.cells = order->nearest.cells.items, def.cell_count = (uint32_t)order->nearest.cells.count;
    if (by_class) def.classes[order->nearest.terrain / 64] = UINT64_C(1) << order->nearest.terrain % 64;
    return world_refuse_error(error, wend_find_nearest(&def, hits, order->nearest.k, count), &order->nearest.from);
}

void world_put_places(FILE *out, int32_t kind, const wend_hit *hits, size_t count) {
    fputs("\"places\":[", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",{\"cell\":" : "{\"cell\":", out);
        cli_json_cell(out, kind, hits[i].cell);
        fprintf(out, ",\"cost\":%lld}", (long long)hits[i].cost);
    }
    fputs("]", out);
}
