/* SPDX-License-Identifier: MIT */
/* Walks through the layers of a Tiled map, with the properties of the groups around each. */
#include "tiled/tiled.h"

#include <math.h>
#include <stdio.h>

enum { MAX_DEPTH = 64, NO_STOREY = -1, MAX_AWAY = 1 << 28 };

/* Gets the storey that a layer or group has, or else that of the group around it. */
static wend_error read_storey(const wend__tiled *t, const json_t *layer, const char *what, int32_t *storey) {
    json_t *value;
    int64_t number;
    wend_error error = wend__tiled_property(t, layer, what, "storey", &value);
    if (error || !value) return error;
    if (!wend__tiled_integer(value, &number) || number < 0 || number >= WEND_TILED_MAX_STOREYS)
        return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                "%s: property 'storey' must be a whole number from 0 to %d (type int)", what,
                                WEND_TILED_MAX_STOREYS - 1);
    *storey = (int32_t)number;
    return WEND_OK;
}

/* A layer's properties go before its name, and both before the group around it. */
static wend_error read_blocking(const wend__tiled *t, const json_t *layer, const char *what, wend__tiled_name **name) {
    bool said;
    wend__tiled_name *by;
    wend_error error = wend__tiled_blocks(t, layer, what, &said, &by);
    if (error) return error;
    wend__tiled_name *named = wend__tiled_blocking_name(t, wend__tiled_string(layer, "name"), WEND__NAMES_LAYER);
    if (said)
        *name = by;
    else if (named)
        *name = named;
    return WEND_OK;
}

static wend_error read_state(const wend__tiled *t, const json_t *layer, const char *its, wend__layer_state *state) {
    char name[WEND__NAME_BYTES], what[WEND__NAME_BYTES + 8];
    wend__pixels offset;
    wend__tiled_quote(wend__tiled_string(layer, "name"), name);
    snprintf(what, sizeof what, "layer %s", name);
    wend_error error = read_storey(t, layer, what, &state->storey);
    if (!error && strcmp(its, "imagelayer") != 0) error = read_blocking(t, layer, what, &state->name);
    if (error) return error;
    if (!wend__tiled_number(layer, "offsetx", &offset.x) || !wend__tiled_number(layer, "offsety", &offset.y))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its offset must be numbers of up to 2^30 pixels", what);
    state->offset.x += offset.x, state->offset.y += offset.y;
    const json_t *shown = json_object_get(layer, "visible"), *opacity = json_object_get(layer, "opacity");
    double part = json_is_number(opacity) ? json_number_value(opacity) : 1;
    if (json_is_false(shown) || (json_is_integer(shown) && !json_integer_value(shown)) || !(part > 0)) part = 0;
    state->see_through = 1 - (1 - state->see_through) * (part < 1 ? part : 1);
    return WEND_OK;
}

static wend_error walk(wend__tiled *t, const json_t *owner, const char *type, wend__layer_fn *visit, void *context,
                       int32_t depth, wend__layer_state around) {
    const json_t *list = json_object_get(owner, "layers");
    if (!json_is_array(list)) return wend__tiled_fail(t, WEND_BAD_FORMAT, "expected 'layers', a list");
    if (depth == MAX_DEPTH)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "groups of layers are nested more than %d deep", MAX_DEPTH);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *layer = json_array_get(list, i);
        const char *its = wend__tiled_string(layer, "type");
        wend__layer_state state = around;
        state.number = t->layers++;
        if (!its) return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %zu: expected 'type', a string", i + 1);
        wend_error error = read_state(t, layer, its, &state);
        if (error) return error;
        if (strcmp(its, "group") == 0) error = walk(t, layer, type, visit, context, depth + 1, state);
        if (strcmp(its, type) == 0) {
            if (state.storey >= t->storeys && strcmp(type, "tilelayer") == 0) t->storeys = state.storey + 1;
            t->layer = state;
            if (state.storey == NO_STOREY) t->layer.storey = 0;
            error = visit(t, layer, context);
        }
        if (error) return error;
    }
    return WEND_OK;
}

wend_error wend__tiled_layers(wend__tiled *t, const char *type, wend__layer_fn *visit, void *context) {
    t->layers = 0;
    return walk(t, t->root, type, visit, context, 0, (wend__layer_state){.storey = NO_STOREY});
}

/* On the screen a step to the right on an isometric map leads down by half a tile, too. */
wend_error wend__tiled_layer_shift(const wend__tiled *t, const char *what, int32_t *dx, int32_t *dy) {
    double x = t->layer.offset.x / t->tile_width, y = t->layer.offset.y / t->tile_height;
    if (t->slant) x = y > 0 || y < 0 || x > 0 || x < 0 ? .5 : 0, y = 0; /* by no tile: every second row is shifted */
    if (t->isometric) {
        const double across = x;
        x = y + across, y = y - across;
    }
    if (fabs(x) > MAX_AWAY || fabs(y) > MAX_AWAY)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s is moved by more than %d tiles", what, MAX_AWAY);
    *dx = (int32_t)floor(x), *dy = (int32_t)floor(y);
    if (t->classes && (x > *dx || y > *dy)) /* once: layers are measured before they are read */
        wend__tiled_note(t, WEND__NOTE_OFFSET, "%s is moved by %g,%g pixels, which is taken as %d,%d tiles", what,
                         t->layer.offset.x, t->layer.offset.y, (int)*dx, (int)*dy);
    return WEND_OK;
}

wend__pixels wend__tiled_object_offset(const wend__tiled *t) {
    const wend__pixels by = t->layer.offset;
    if (!t->isometric) return by;
    const double x = by.x / t->tile_width, y = by.y / t->tile_height;
    return (wend__pixels){(y + x) * t->cell_width, (y - x) * t->cell_height};
}
