/* SPDX-License-Identifier: MIT */
/* Reads the layers of a Tiled map, whole or in chunks, and merges their tiles into the class of each cell. On hexagonal
 * and staggered maps, in which every second row or column is shifted by half a tile, cells are moved then. */
#include "tiled/tiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AWAY = 1 << 28 };
enum { COLUMNS_SHIFTED = 2 }; ///< least layout in which columns are shifted, not rows
/// The box of an infinite or slanted map has at most BOX_TIMES × the cells of its tiles + BOX_MORE cells.
enum { BOX_TIMES = 256, BOX_MORE = 1 << 20 };

/// The state of a walk over all blocks of tiles, and the function that handles a block.
typedef struct survey {
    int32_t (*visit)(wend__tiled *t, const wend__tile_block *block, struct survey *survey);
    size_t layers;
    int32_t dx, dy;                   ///< by which the layer is moved
    uint64_t cells;                   ///< number of cells of all blocks
    int64_t left, top, right, bottom; ///< box of all blocks; right and bottom are exclusive
} survey;

static wend_error visit_block(wend__tiled *t, wend__tile_block *block, const json_t *json, survey *s) {
    int64_t x = 0, y = 0, width, height;
    wend_error error = WEND_OK;
    if (t->infinite) {
        error = wend__tiled_whole(t, json, block->what, "x", -MAX_AWAY, MAX_AWAY, &x);
        if (!error) error = wend__tiled_whole(t, json, block->what, "y", -MAX_AWAY, MAX_AWAY, &y);
    }
    if (!error) error = wend__tiled_whole(t, json, block->what, "width", 1, WEND_MAX_SIDE, &width);
    if (!error) error = wend__tiled_whole(t, json, block->what, "height", 1, WEND_MAX_SIDE, &height);
    if (error) return error;
    block->data = json_object_get(json, "data");
    block->x = (int32_t)x + s->dx, block->y = (int32_t)y + s->dy;
    block->width = (int32_t)width, block->height = (int32_t)height;
    return s->visit(t, block, s);
}

static wend_error visit_chunks(wend__tiled *t, wend__tile_block *block, const json_t *layer, survey *s) {
    const json_t *chunks = json_object_get(layer, "chunks");
    char what[sizeof block->what];
    if (!chunks && !json_object_get(layer, "data")) return WEND_OK; /* XML of a layer without tiles */
    if (!json_is_array(chunks))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: expected 'chunks', a list, as the map is infinite",
                                block->what);
    memcpy(what, block->what, sizeof what);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        snprintf(block->what, sizeof block->what, "%.*s, chunk %zu", WEND__NAME_BYTES + 16, what, i + 1);
        wend_error error = visit_block(t, block, json_array_get(chunks, i), s);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error visit_layer(wend__tiled *t, const json_t *layer, void *context) {
    survey *s = context;
    char name[WEND__NAME_BYTES];
    wend__tile_block block = {.encoding = wend__tiled_string(layer, "encoding"),
                              .compression = wend__tiled_string(layer, "compression")};
    wend__tiled_quote(wend__tiled_string(layer, "name"), name);
    snprintf(block.what, sizeof block.what, "layer %s", name);
    s->layers++;
    wend_error error = wend__tiled_layer_shift(t, block.what, &s->dx, &s->dy);
    if (error) return error;
    if (t->classes && t->layer.name) t->layer.name->layers++;
    if (t->infinite) return visit_chunks(t, &block, layer, s);
    return visit_block(t, &block, layer, s);
}

static wend_error measure(wend__tiled *t, const wend__tile_block *b, survey *s) {
    if (!t->infinite && (b->width != t->width || b->height != t->height))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s is %d x %d, but the map is %d x %d", b->what, (int)b->width,
                                (int)b->height, (int)t->width, (int)t->height);
    if (b->x < s->left) s->left = b->x;
    if (b->y < s->top) s->top = b->y;
    if ((int64_t)b->x + b->width > s->right) s->right = (int64_t)b->x + b->width;
    if ((int64_t)b->y + b->height > s->bottom) s->bottom = (int64_t)b->y + b->height;
    s->cells += (uint64_t)b->width * (uint64_t)b->height;
    return wend__tile_block_check(t, b);
}

/// Takes the size that the map gives, as no layer has one. Few bytes may claim a large map here.
static wend_error settle_without_tiles(wend__tiled *t) {
    int64_t width, height;
    if (t->infinite && json_integer_value(json_object_get(t->root, "width")) < 1)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map is infinite, and has no tiles");
    wend_error error = wend__tiled_whole(t, t->root, "the map", "width", 1, WEND_MAX_SIDE, &width);
    if (!error) error = wend__tiled_whole(t, t->root, "the map", "height", 1, WEND_MAX_SIDE, &height);
    if (error) return error;
    t->width = (int32_t)width, t->height = (int32_t)height;
    if (width * height <= BOX_MORE) return WEND_OK;
    return wend__tiled_fail(t, WEND_UNSUPPORTED, "a map of %d x %d cells without a layer of tiles: at most %d cells",
                            (int)width, (int)height, BOX_MORE);
}

/// Finds the box of all chunks, unless they are too far apart.
static wend_error settle_box(wend__tiled *t, const survey *s) {
    if (!s->layers || (t->infinite && !s->cells)) return settle_without_tiles(t);
    if (!t->infinite) return WEND_OK;
    int64_t width = s->right - s->left, height = s->bottom - s->top;
    if (width > WEND_MAX_SIDE || height > WEND_MAX_SIDE)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "all chunks together are %lld x %lld cells: at most %d a side",
                                (long long)width, (long long)height, WEND_MAX_SIDE);
    if ((uint64_t)(width * height) > s->cells * BOX_TIMES + BOX_MORE)
        return wend__tiled_fail(t, WEND_UNSUPPORTED,
                                "chunks are too far apart: they have %llu cells, the box round them %lld x %lld",
                                (unsigned long long)s->cells, (long long)width, (long long)height);
    t->left = (int32_t)s->left, t->top = (int32_t)s->top;
    t->width = (int32_t)width, t->height = (int32_t)height;
    return WEND_OK;
}

/// A blocked tile blocks its cell whatever the other layers have. The largest cost counts.
static void put_class(wend__tiled *t, size_t at, int32_t class) {
    uint8_t *cell = &t->classes[at];
    t->floors[at] = 1;
    if (class == WEND_CLASS_BLOCKED)
        *cell = WEND_CLASS_BLOCKED;
    else if (*cell != WEND_CLASS_BLOCKED && class > *cell)
        *cell = (uint8_t)class;
}

static wend_error put_tile(wend__tiled *t, const wend__tile_block *b, size_t index, uint32_t number) {
    uint32_t tile = number & ~WEND__TILE_FLIPS;
    if (!number) return WEND_OK;
    const int32_t x = b->x + (int32_t)(index % (size_t)b->width), y = b->y + (int32_t)(index / (size_t)b->width);
    int32_t class = tile ? wend__tile_class(t, tile) : -1;
    if (class < 0)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: tile %u at %d,%d belongs to no tileset", b->what,
                                (unsigned)tile, (int)x, (int)y);
    if (x < t->left || y < t->top || x - t->left >= t->width || y - t->top >= t->height) {
        wend__tiled_note(t, WEND__NOTE_OFF_MAP, "%s: the tile at %d,%d is off the map", b->what, (int)x, (int)y);
        return WEND_OK;
    }
    if (t->layer.name) {
        class = WEND_CLASS_BLOCKED;
        t->layer.name->layer_tiles++;
    }
    const size_t row = (size_t)t->layer.storey * (size_t)t->height + (size_t)(y - t->top);
    put_class(t, row * (size_t)t->width + (size_t)(x - t->left), class);
    return WEND_OK;
}

static wend_error read_block(wend__tiled *t, const wend__tile_block *b, survey *s) {
    wend_error error = wend__tile_block_read(t, b, put_tile);
    if (!error && t->scene.root) error = wend__tiled_scene_block(t, b, b->x - s->dx, b->y - s->dy);
    return error;
}

wend_error wend__tiled_cells(wend__tiled *t) {
    survey s = {.visit = measure, .left = INT64_MAX, .top = INT64_MAX, .right = INT64_MIN, .bottom = INT64_MIN};
    wend_error error = wend__tiled_layers(t, "tilelayer", visit_layer, &s);
    if (!error) error = settle_box(t, &s);
    if (error) return error;
    const size_t cells = (size_t)t->width * (size_t)t->height * (size_t)(t->storeys ? t->storeys : 1);
    t->classes = 2 * cells <= t->def.max_bytes ? malloc(2 * cells) : NULL;
    if (!t->classes) return wend__tiled_no_memory(t);
    t->floors = t->classes + cells;
    memset(t->classes, WEND_CLASS_OPEN, cells);
    memset(t->floors, 0, cells);
    s.visit = read_block;
    return wend__tiled_layers(t, "tilelayer", visit_layer, &s);
}

/* A wall fills its storey. Other ground is at the storey's lowest level, with air above it; its highest level is the
 * floor of the storey above, where that has a tile. Stairs lead up where there are stairs above them. */
void wend__tiled_level_classes(const wend__tiled *t, int32_t level, uint8_t *out) {
    const size_t cells = (size_t)t->width * (size_t)t->height;
    const int32_t storey = level / WEND_TILED_LEVELS, height = level % WEND_TILED_LEVELS;
    const uint8_t *classes = t->classes + (size_t)storey * cells;
    const bool top = storey + 1 >= t->storeys;
    for (size_t i = 0; i < cells; i++) {
        const bool stairs = !top && classes[i] == WEND_CLASS_STAIRS && classes[cells + i] == WEND_CLASS_STAIRS;
        const bool ceiling = height == WEND_TILED_LEVELS - 1 && !top && t->floors[(size_t)(storey + 1) * cells + i];
        if (height == 0 || classes[i] == WEND_CLASS_BLOCKED)
            out[i] = classes[i];
        else
            out[i] = stairs ? WEND_CLASS_STAIRS : ceiling ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    }
}

/* ---- hexagonal and staggered maps ---- */

static bool is_flat(const wend__tiled *t) {
    return t->layout >= COLUMNS_SHIFTED;
}

/* Returns 0 or 1 for the words; -1: it is neither. A map without the key is as Tiled writes it by default. */
static int32_t choice_of(const wend__tiled *t, const char *key, const char *zero, const char *one) {
    const char *word = wend__tiled_string(t->root, key);
    if (!word) return 0;
    return strcmp(word, zero) == 0 ? 0 : strcmp(word, one) == 0 ? 1 : -1;
}

wend_error wend__tiled_slant_head(wend__tiled *t) {
    const int32_t axis = choice_of(t, "staggeraxis", "y", "x"), index = choice_of(t, "staggerindex", "odd", "even");
    int64_t side = 0;
    if (axis < 0) return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map: 'staggeraxis' must be \"x\" or \"y\"");
    if (index < 0) return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map: 'staggerindex' must be \"odd\" or \"even\"");
    t->layout = 2 * axis + index;
    if (t->slant != WEND_TILED_HEXAGONAL) return WEND_OK;
    t->rules.neighbours = 6;
    if (!json_object_get(t->root, "hexsidelength")) return WEND_OK;
    const wend_error error = wend__tiled_whole(t, t->root, "the map", "hexsidelength", 0, 65536, &side);
    t->side = (int32_t)side;
    return error;
}

/* By how many half tiles a row or column is shifted. Even ones shifted forwards are odd ones shifted back. */
static int32_t shift_of(const wend__tiled *t, int32_t line) {
    return t->layout & 1 ? -(line & 1) : line & 1;
}

/* The hexagon of a column and row, in axial coordinates. */
static wend_cell axial_cell(const wend__tiled *t, int32_t column, int32_t row) {
    if (is_flat(t)) return (wend_cell){column, row + (shift_of(t, column) - column) / 2, 0};
    return (wend_cell){column + (shift_of(t, row) - row) / 2, row, 0};
}

/* The cell of Tiled's column and row, before the least ones are subtracted. */
static wend_cell slanted_cell(const wend__tiled *t, int32_t column, int32_t row) {
    const wend_cell hex = axial_cell(t, column, row);
    if (t->slant == WEND_TILED_HEXAGONAL) return hex;
    return (wend_cell){is_flat(t) ? -hex.y : hex.x, hex.x + hex.y, 0};
}

/* The box of all cells. Columns and rows lead along it evenly, so its extremes lie on the rim, in two rows or columns
 * where these are shifted. */
static wend_box slanted_box(const wend__tiled *t) {
    const wend_cell any = slanted_cell(t, t->left, t->top);
    wend_box box = {any, any};
    for (int32_t i = 0; i < 16; i++) {
        const int32_t x = i & 1 ? t->columns - 1 : 0, y = i & 2 ? t->rows - 1 : 0;
        const int32_t column = x + (i & 4 && t->columns > 1 ? (x ? -1 : 1) : 0);
        const int32_t row = y + (i & 8 && t->rows > 1 ? (y ? -1 : 1) : 0);
        const wend_cell cell = slanted_cell(t, t->left + column, t->top + row);
        if (cell.x < box.min.x) box.min.x = cell.x;
        if (cell.y < box.min.y) box.min.y = cell.y;
        if (cell.x > box.max.x) box.max.x = cell.x;
        if (cell.y > box.max.y) box.max.y = cell.y;
    }
    return box;
}

wend_error wend__tiled_slant(wend__tiled *t) {
    t->columns = t->width, t->rows = t->height;
    const wend_box box = slanted_box(t);
    const int64_t width = (int64_t)box.max.x - box.min.x + 1, height = (int64_t)box.max.y - box.min.y + 1;
    const int64_t tiles = (int64_t)t->columns * t->rows;
    if (t->storeys) return wend__tiled_fail(t, WEND_UNSUPPORTED, "a hexagonal or staggered map has no storeys");
    if (width > WEND_MAX_SIDE || height > WEND_MAX_SIDE || width * height > tiles * BOX_TIMES + BOX_MORE)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "the map's %d x %d tiles take %lld x %lld cells: too many",
                                (int)t->columns, (int)t->rows, (long long)width, (long long)height);
    /* cells outside Tiled's rectangle are blocked */
    uint8_t *classes = (uint64_t)(width * height) <= t->def.max_bytes ? calloc((size_t)(width * height), 1) : NULL;
    if (!classes) return wend__tiled_no_memory(t);
    for (int32_t row = 0; row < t->rows; row++)
        for (int32_t column = 0; column < t->columns; column++) {
            const wend_cell cell = slanted_cell(t, t->left + column, t->top + row);
            classes[(int64_t)(cell.y - box.min.y) * width + cell.x - box.min.x] =
                t->classes[(size_t)row * (size_t)t->columns + (size_t)column];
        }
    free(t->classes);
    t->classes = classes, t->floors = NULL;
    t->first = box.min;
    const wend_cell corner = slanted_cell(t, t->left, t->top);
    t->corner = (wend_cell){corner.x - box.min.x, corner.y - box.min.y, 0};
    t->width = (int32_t)width, t->height = (int32_t)height;
    return WEND_OK;
}

wend__tiled_lattice wend__tiled_slant_lattice(const wend__tiled *t) {
    const bool flat = is_flat(t);
    const wend__pixels cell = {flat ? (t->tile_width + t->side) / 2.0 : t->tile_width,
                               flat ? t->tile_height : (t->tile_height + t->side) / 2.0};
    return (wend__tiled_lattice){
        .cell = cell,
        .corner = {(t->tile_width - cell.x) / 2, (t->tile_height - cell.y) / 2},
        .flat = flat,
        .shifts = {t->layout & 1 ? .5 : 0, t->layout & 1 ? 0 : .5},
    };
}

/* How far a point is from the middle of a tile, by what Tiled has it: the nearest hexagon, or the diamond around. */
static double distance_to(const wend__tiled *t, wend__pixels point, double column, double row) {
    const wend__tiled_lattice *of = &t->lattice;
    const double half = of->shifts[fmod(fabs(of->flat ? column : row), 2) > 0];
    const double x = point.x - (column + (of->flat ? 0 : half)) * of->cell.x - t->tile_width / 2.0;
    const double y = point.y - (row + (of->flat ? half : 0)) * of->cell.y - t->tile_height / 2.0;
    if (t->slant == WEND_TILED_HEXAGONAL) return x * x + y * y;
    return fabs(x) / t->tile_width + fabs(y) / t->tile_height;
}

bool wend__tiled_slant_cell(const wend__tiled *t, wend__pixels point, wend_cell *out) {
    const wend__tiled_lattice *of = &t->lattice;
    const double column = floor(point.x / of->cell.x), row = floor(point.y / of->cell.y);
    double best = INFINITY, x = 0, y = 0;
    for (int32_t i = 0; i < 9; i++) {
        const double its_column = column + i % 3 - 1, its_row = row + i / 3 - 1;
        const double away = distance_to(t, point, its_column, its_row);
        if (away < best) best = away, x = its_column, y = its_row;
    }
    if (!(x >= t->left && y >= t->top && x < t->left + t->columns && y < t->top + t->rows)) return false;
    *out = slanted_cell(t, (int32_t)x, (int32_t)y);
    out->x -= t->first.x, out->y -= t->first.y;
    return true;
}
