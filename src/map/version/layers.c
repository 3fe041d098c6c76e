/* SPDX-License-Identifier: MIT */
/* Layers of values: adds and changes them, and profiles. */
#include "map/version/layers.h"

#include "map/ground/ground.h"
#include "map/store/memory.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "recording/tap/tap.h"

static wend__place place_on(const wend_map *map, wend_cell cell) {
    return wend__place_in(map->kind, map->tolls->layers->chunk_y, cell);
}

/* As wend__block_index(). */
static size_t block_of(const wend__layers *layers, wend__place place) {
    return (size_t)(place.row >> WEND__BLOCK_SHIFT) * (size_t)layers->block_columns +
           (size_t)(place.column >> WEND__BLOCK_SHIFT);
}

/* ---- copy on write ---- */

/* Returns an object that only the writer holds: this one, or a copy in its place. NULL: out of memory, no change. */
static void *own_shared(wend_map *map, void *object) {
    wend__shared *shared = object, *copy;
    wend__mutex_lock(map->mutex);
    const bool alone = shared->references == 1;
    wend__mutex_unlock(map->mutex);
    if (alone) return shared;
    copy = wend__shared_copy(map, shared);
    if (copy) wend__shared_release(map, shared);
    return copy;
}

static wend__layers *own_root(wend_map *map) {
    wend__layers *own = own_shared(map, map->tolls->layers);
    if (own) map->tolls->layers = own;
    return own;
}

/* Creates the first layer of a map: what all of them need. */
static wend_error found_tolls(wend_map *map) {
    wend__tolls *made = wend__map_alloc(map, sizeof *made);
    wend__layers *root = made ? wend__shared_create(map, sizeof *root) : NULL;
    if (!root) {
        if (made) wend__map_free(map, made, sizeof *made);
        return WEND_OUT_OF_MEMORY;
    }
    wend__version *v = wend__map_newest(map); /* all versions have a table of this form */
    root->chunk_y = v->chunk_y, root->block_columns = v->block_columns;
    root->blocks = (uint32_t)wend__version_blocks(v);
    wend__map_release(v, false);
    root->shared.held = WEND_MAX_LAYERS;
    made->layers = root;
    made->profile_count = 0;
    map->tolls = made;
    return WEND_OK;
}

static wend__layer *own_layer(wend_map *map, int32_t layer) {
    wend__layers *root = own_root(map);
    wend__layer *own = root ? own_shared(map, root->layers[layer]) : NULL;
    if (own) root->layers[layer] = own;
    return own;
}

static wend__layer_block *own_block(wend_map *map, wend__layer *layer, size_t index) {
    wend__layer_block *own = layer->blocks[index];
    if (own) {
        own = own_shared(map, own);
    } else {
        own = wend__shared_create(map, sizeof *own);
        if (own) own->shared.held = WEND__BLOCK_CHUNKS;
    }
    if (own) layer->blocks[index] = own;
    return own;
}

static uint64_t halvings(const wend__layers *layers, const wend__layer *layer) {
    return layer->half_life > 0 ? layers->updates / layer->half_life : 0;
}

/* Returns by how many bits a plane's values are shifted now. */
static unsigned shift_of(const wend__layers *layers, const wend__layer *layer, const wend__layer_plane *plane) {
    const uint64_t passed = halvings(layers, layer) - plane->halved;
    return passed < 8 ? (unsigned)passed : 8;
}

/* Returns a plane for writing, with its present values. */
static wend__layer_plane *own_plane(wend_map *map, int32_t layer, wend__place place) {
    const unsigned chunk = wend__chunk_index(place.column, place.row);
    wend__layer *own = own_layer(map, layer);
    wend__layer_block *block = own ? own_block(map, own, block_of(map->tolls->layers, place)) : NULL;
    if (!block) return NULL;
    wend__layer_plane *plane = block->planes[chunk];
    plane = plane ? own_shared(map, plane) : wend__shared_create(map, sizeof *plane);
    if (!plane) return NULL;
    if (!block->planes[chunk]) plane->halved = halvings(map->tolls->layers, own);
    block->planes[chunk] = plane;
    const unsigned shift = shift_of(map->tolls->layers, own, plane);
    for (int i = 0; shift > 0 && i < WEND__CHUNK_CELLS; i++) plane->values[i] = (uint8_t)(plane->values[i] >> shift);
    plane->most = (uint8_t)(plane->most >> shift);
    plane->halved = halvings(map->tolls->layers, own);
    return plane;
}

/* Updates `most` after each change: searches skip a plane in which all values are 0. */
static void find_most(wend__layer_plane *plane) {
    uint8_t most = 0;
    for (int i = 0; i < WEND__CHUNK_CELLS; i++) most = plane->values[i] > most ? plane->values[i] : most;
    plane->most = most;
}

/* Returns the cells of a box in the chunk of its first cell. */
static wend_box box_in_chunk(const wend_map *map, wend_cell first, wend_box box) {
    const int32_t side = map->kind == WEND_KIND_GRID    ? WEND__CHUNK_SIDE
                         : map->kind == WEND_KIND_VOXEL ? WEND__VOXEL_SIDE
                                                        : WEND__CHUNK_CELLS;
    const wend_cell last = {first.x | (side - 1), first.y | (side - 1), first.z | (side - 1)};
    return (wend_box){first,
                      {last.x < box.max.x ? last.x : box.max.x, last.y < box.max.y ? last.y : box.max.y,
                       last.z < box.max.z ? last.z : box.max.z}};
}

/* Finds the first cell of the box's part in the chunk after that of a part; false: there is none. */
static bool next_part(wend_box box, wend_box part, wend_cell *first) {
    *first = (wend_cell){part.max.x + 1, part.min.y, part.min.z};
    if (first->x <= box.max.x) return true;
    *first = (wend_cell){box.min.x, part.max.y + 1, part.min.z};
    if (first->y <= box.max.y) return true;
    *first = (wend_cell){box.min.x, box.min.y, part.max.z + 1};
    return first->z <= box.max.z;
}

/* Makes all planes of a box the writer's, so that later steps cannot fail. */
static wend_error own_box(wend_map *map, int32_t layer, wend_box box) {
    wend_cell first = box.min;
    wend_box part;
    do {
        part = box_in_chunk(map, first, box);
        if (!own_plane(map, layer, place_on(map, first))) return WEND_OUT_OF_MEMORY;
    } while (next_part(box, part, &first));
    return WEND_OK;
}

/* ---- values ---- */

static wend_error check_layer(const wend_map *map, int32_t layer) {
    if (!map) return wend__refuse_null("map");
    const int32_t count = map->tolls ? (int32_t)map->tolls->layers->count : 0;
    if (layer >= 0 && layer < count) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "layer is %d, but the map has %d layers", layer, count);
}

/* The values in the form of recordings. */
static wend_name layer_name(int32_t layer) {
    return wend__numbered('l', layer);
}

/* Checks that a layer of the map exists and has values set by the host. */
static wend_error check_painted(const wend_map *map, int32_t layer) {
    const wend_error error = check_layer(map, layer);
    if (error || map->tolls->layers->layers[layer]->within == 0) return error;
    return wend__refuse(WEND_BAD_ARGUMENT, "layer %d has the values that follow from walls", layer);
}

static const wend_layer_def default_layer = {.struct_bytes = sizeof default_layer};

void wend_layer_def_init(wend_layer_def *def, size_t bytes) {
    wend__sized_init(def, bytes, &default_layer, sizeof default_layer);
}

static wend_error check_definition(const wend_map *map, const wend_layer_def *def) {
    const wend_error error = wend__check_range("within", def->within, 0, WEND_MAX_WITHIN);
    if (error || def->within == 0) return error;
    if (map->kind != WEND_KIND_GRID) return wend__refuse(WEND_UNSUPPORTED, "only flat grids have layers of walls");
    if (def->half_life > 0) return wend__refuse(WEND_BAD_ARGUMENT, "a layer of walls has no half_life");
    return WEND_OK;
}

wend_error wend_map_add_layer(wend_map *map, const wend_layer_def *def, int32_t *layer) {
    wend_layer_def own = default_layer;
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (!WEND__READ_STRUCT(wend_layer_def, half_life, &own, def)) return WEND_BAD_ARGUMENT;
    const wend_error error = check_definition(map, &own);
    if (error) return error;
    if (map->tolls && map->tolls->layers->count == WEND_MAX_LAYERS)
        return wend__refuse(WEND_BUSY, "the map has %d layers, the most that it can have", WEND_MAX_LAYERS);
    if (!map->tolls && found_tolls(map)) return WEND_OUT_OF_MEMORY;
    wend__layers *root = own_root(map);
    if (!root) return WEND_OUT_OF_MEMORY;
    if (root->blocks > UINT16_MAX) return wend__refuse(WEND_UNSUPPORTED, "so flat a map in space has no layers");
    wend__layer *made = wend__shared_create(map, sizeof *made + root->blocks * sizeof(wend__layer_block *));
    if (!made) return WEND_OUT_OF_MEMORY;
    made->shared.held = (uint16_t)root->blocks;
    made->half_life = own.half_life;
    made->within = own.within;
    root->layers[root->count] = made;
    if (layer) *layer = (int32_t)root->count;
    const wend_order order = {.kind = WEND_ORDER_LAYER,
                              .layer = {.name = layer_name((int32_t)root->count),
                                        .kind = own.within > 0,
                                        .half_life = own.half_life,
                                        .within = own.within}};
    root->count++;
    wend__tap_report(map, &order);
    return WEND_OK;
}

static int64_t square(int32_t a) {
    return (int64_t)a * a;
}

static void add_value(uint8_t *value, int64_t more) {
    *value = (uint8_t)(more < UINT8_MAX - *value ? *value + more : UINT8_MAX);
}

static void add_to_part(const wend_map *map, uint8_t *values, wend_box part, wend_cell centre, int64_t squared,
                        int32_t peak) {
    for (int32_t z = part.min.z; z <= part.max.z; z++)
        for (int32_t y = part.min.y; y <= part.max.y; y++) {
            const uint32_t first = place_on(map, (wend_cell){part.min.x, y, z}).local;
            for (int32_t x = part.min.x; x <= part.max.x; x++) {
                const wend_cell d = wend__map_difference(map, centre, (wend_cell){x, y, z});
                const int64_t left = squared - square(d.x) - square(d.y) - square(d.z);
                if (left > 0) add_value(&values[first + (uint32_t)(x - part.min.x)], peak * left / squared);
            }
        }
}

static void report_disc(const wend_map *map, int32_t layer, const wend_cell *centre, int32_t radius, int32_t peak) {
    if (!wend__map_tap(map)) return;
    wend_order order = {.kind = WEND_ORDER_PAINT,
                        .paint = {.layer = layer_name(layer), .cells = {centre, 1}, .radius = radius, .peak = peak}};
    wend__order_give(&order, &order.paint.radius);
    wend__order_give(&order, &order.paint.peak);
    wend__tap_report(map, &order);
}

/* Returns how many ranges of an axis a disc covers: up to two if the axis wraps. Writes them. */
static int32_t ranges_of(int32_t centre, int32_t radius, int32_t side, bool wraps, int32_t out[2][2]) {
    const int32_t low = centre - radius, high = centre + radius;
    out[0][0] = wend__most(low, 0), out[0][1] = wend__least(high, side - 1);
    if (!wraps || (low >= 0 && high < side)) return 1;
    if (high - low + 1 >= side) {
        out[0][0] = 0, out[0][1] = side - 1;
        return 1;
    }
    out[1][0] = low < 0 ? low + side : 0, out[1][1] = low < 0 ? side - 1 : high - side;
    return 2;
}

/* Returns how many boxes hold a disc, and writes them. No cell is in two of them. */
static int32_t boxes_of_disc(const wend_map *map, wend_cell centre, int32_t radius, wend_box out[4]) {
    int32_t across[2][2], down[2][2], count = 0;
    const int32_t columns = ranges_of(centre.x, radius, map->width, map->wrap & WEND_WRAP_X, across);
    const int32_t rows = ranges_of(centre.y, radius, map->height, map->wrap & WEND_WRAP_Y, down);
    const int32_t lowest = wend__most(centre.z - radius, 0), highest = wend__least(centre.z + radius, map->depth - 1);
    for (int32_t j = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++)
            out[count++] = (wend_box){{across[i][0], down[j][0], lowest}, {across[i][1], down[j][1], highest}};
    return count;
}

/* Returns whether a chunk lies in the sheet of a cell; like the cell, in none. */
static bool is_in_sheet_of(const wend_map *map, wend_cell centre, wend_cell cell) {
    return !map->sheets || wend__sheets_part(map->sheets, centre)->sheet == wend__sheets_part(map->sheets, cell)->sheet;
}

static void add_to_box(wend_map *map, int32_t layer, wend_box box, wend_cell centre, int64_t squared, int32_t peak) {
    wend_cell first = box.min;
    wend_box part;
    do {
        part = box_in_chunk(map, first, box);
        if (!is_in_sheet_of(map, centre, first)) continue;
        wend__layer_plane *plane = own_plane(map, layer, place_on(map, first));
        add_to_part(map, plane->values, part, centre, squared, peak);
        find_most(plane);
    } while (next_part(box, part, &first));
}

wend_error wend_map_add_layer_disc(wend_map *map, int32_t layer, wend_cell centre, int32_t radius, int32_t peak) {
    WEND__ALIVE(map, "the map");
    wend_error error = check_painted(map, layer);
    if (!error) error = wend__check_cell(map, "centre", centre);
    if (!error) error = wend__check_range("radius", radius, 0, map->kind == WEND_KIND_GRAPH ? 0 : WEND_MAX_DISC);
    if (!error) error = wend__check_range("peak", peak, 1, UINT8_MAX);
    if (error) return error;
    wend_box boxes[4];
    const int32_t count = boxes_of_disc(map, centre, radius, boxes);
    for (int32_t i = 0; i < count && !error; i++) error = own_box(map, layer, boxes[i]);
    if (error) return error;
    for (int32_t i = 0; i < count; i++) add_to_box(map, layer, boxes[i], centre, square(radius + 1), peak);
    report_disc(map, layer, &centre, radius, peak);
    return WEND_OK;
}

static void report_run(const wend_map *map, int32_t layer, wend_cell from, int32_t count, int32_t value) {
    const wend_cell corners[] = {from, {from.x + count - 1, from.y, from.z}};
    wend_order order = {.kind = WEND_ORDER_PAINT,
                        .paint = {.layer = layer_name(layer), .cells = {corners, 2}, .value = value}};
    wend__order_give(&order, &order.paint.value);
    wend__tap_report(map, &order);
}

/* Writes a line for each run of equal values. */
static void report_box(const wend_map *map, int32_t layer, wend_box box, const uint8_t *values, size_t stride_bytes) {
    const int32_t width = box.max.x - box.min.x + 1;
    if (!wend__map_tap(map)) return;
    for (int32_t z = box.min.z; z <= box.max.z; z++)
        for (int32_t y = box.min.y; y <= box.max.y; y++, values += stride_bytes)
            for (int32_t x = 0, end; x < width; x = end) {
                for (end = x + 1; end < width && values[end] == values[x];) end++;
                report_run(map, layer, (wend_cell){box.min.x + x, y, z}, end - x, values[x]);
            }
}

wend_error wend_map_set_layer_box(wend_map *map, int32_t layer, wend_box box, const uint8_t *values,
                                  size_t stride_bytes) {
    WEND__ALIVE(map, "the map");
    wend_error error = check_painted(map, layer);
    if (!error && !values) return wend__refuse_null("values");
    if (!error) error = wend__box_check(map, box);
    if (!error) error = wend__check_stride(box, stride_bytes);
    if (!error) error = own_box(map, layer, box);
    if (error) return error;
    const size_t rows = (size_t)(box.max.y - box.min.y + 1);
    wend_cell first = box.min;
    wend_box part;
    do {
        part = box_in_chunk(map, first, box);
        wend__layer_plane *plane = own_plane(map, layer, place_on(map, first));
        for (int32_t z = part.min.z; z <= part.max.z; z++)
            for (int32_t y = part.min.y; y <= part.max.y; y++) {
                const size_t row = (size_t)(z - box.min.z) * rows + (size_t)(y - box.min.y);
                memcpy(plane->values + place_on(map, (wend_cell){part.min.x, y, z}).local,
                       values + row * stride_bytes + (size_t)(part.min.x - box.min.x),
                       (size_t)(part.max.x - part.min.x + 1));
            }
        find_most(plane);
    } while (next_part(box, part, &first));
    report_box(map, layer, box, values, stride_bytes);
    return WEND_OK;
}

wend_error wend_map_update_layers(wend_map *map, uint32_t steps) {
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (!map->tolls) return WEND_OK;
    wend__layers *root = own_root(map);
    if (!root) return WEND_OUT_OF_MEMORY;
    root->updates += steps;
    const wend_order order = {.kind = WEND_ORDER_FADE, .fade = {steps}};
    wend__tap_report(map, &order);
    return WEND_OK;
}

/* Takes the planes of a block that are of a later time. */
static wend_error drop_later(wend_map *map, wend__layer *layer, size_t index, uint64_t halved) {
    bool any = false;
    for (unsigned i = 0; layer->blocks[index] && i < WEND__BLOCK_CHUNKS; i++)
        any |= layer->blocks[index]->planes[i] && layer->blocks[index]->planes[i]->halved > halved;
    wend__layer_block *block = any ? own_block(map, layer, index) : NULL;
    for (unsigned i = 0; block && i < WEND__BLOCK_CHUNKS; i++) {
        if (!block->planes[i] || block->planes[i]->halved <= halved) continue;
        wend__shared_release(map, block->planes[i]);
        block->planes[i] = NULL;
    }
    return any && !block ? WEND_OUT_OF_MEMORY : WEND_OK;
}

wend_error wend__layers_set_updates(wend_map *map, uint64_t passed) {
    wend__layers *root = own_root(map);
    wend_error error = root ? WEND_OK : WEND_OUT_OF_MEMORY;
    if (!error) root->updates = passed;
    for (int32_t i = 0; !error && i < (int32_t)root->count; i++) {
        wend__layer *layer = root->layers[i]->half_life > 0 ? own_layer(map, i) : root->layers[i];
        if (!layer) return WEND_OUT_OF_MEMORY;
        for (size_t k = 0; k < root->blocks && layer->half_life > 0 && !error; k++)
            error = drop_later(map, layer, k, halvings(root, layer));
    }
    return error;
}

/* Returns a chunk's plane, and the shift of its values; NULL: all are 0. */
static const wend__layer_plane *plane_at(const wend__layers *layers, int32_t layer, wend__place place,
                                         unsigned *shift) {
    const wend__layer *of = layers->layers[layer];
    const wend__layer_block *block = of->blocks[block_of(layers, place)];
    const wend__layer_plane *plane = block ? block->planes[wend__chunk_index(place.column, place.row)] : NULL;
    *shift = plane ? shift_of(layers, of, plane) : 8;
    return plane && plane->most >> *shift > 0 ? plane : NULL;
}

uint8_t wend__layer_value(const wend__layers *layers, int32_t layer, wend__place place) {
    unsigned shift;
    const wend__layer_plane *plane = plane_at(layers, layer, place, &shift);
    return (uint8_t)(plane ? plane->values[place.local] >> shift : 0);
}

wend_error wend_map_get_layer_value(const wend_map *map, int32_t layer, wend_cell cell, uint8_t *value) {
    WEND__ALIVE(map, "the map");
    wend_error error = check_layer(map, layer);
    if (!error) error = wend__check_cell(map, "cell", cell);
    if (error || !value) return error;
    const int32_t within = map->tolls->layers->layers[layer]->within;
    if (within > 0) {
        wend__version *newest = wend__map_newest(map);
        *value = wend__walls_value(newest, within, cell.x, cell.y);
        wend__map_release(newest, false);
        return WEND_OK;
    }
    *value = wend__layer_value(map->tolls->layers, layer, place_on(map, cell));
    return WEND_OK;
}

/* Visits the chunks of a box, one after another. */
static void copy_walls(const wend_map *map, int32_t within, wend_box box, uint8_t *values, size_t stride_bytes) {
    wend__version *newest = wend__map_newest(map);
    uint8_t chunk[WEND__CHUNK_CELLS];
    wend_cell first = box.min;
    wend_box part;
    do {
        part = box_in_chunk(map, first, box);
        const wend__place place = place_on(map, first);
        wend__walls_fill(newest, within, place.column, place.row, chunk);
        for (int32_t y = part.min.y; y <= part.max.y; y++)
            memcpy(values + (size_t)(y - box.min.y) * stride_bytes + (size_t)(part.min.x - box.min.x),
                   chunk + place_on(map, (wend_cell){part.min.x, y, 0}).local, (size_t)(part.max.x - part.min.x + 1));
    } while (next_part(box, part, &first));
    wend__map_release(newest, false);
}

wend_error wend_map_get_layer_box(const wend_map *map, int32_t layer, wend_box box, uint8_t *values,
                                  size_t stride_bytes) {
    WEND__ALIVE(map, "the map");
    wend_error error = check_layer(map, layer);
    if (!error && !values) return wend__refuse_null("values");
    if (!error) error = wend__box_check(map, box);
    if (!error) error = wend__check_stride(box, stride_bytes);
    if (error) return error;
    const int32_t within = map->tolls->layers->layers[layer]->within;
    if (within > 0) {
        copy_walls(map, within, box, values, stride_bytes);
        return WEND_OK;
    }
    const size_t rows = (size_t)(box.max.y - box.min.y + 1);
    wend_cell first = box.min;
    wend_box part;
    do {
        unsigned shift;
        part = box_in_chunk(map, first, box);
        const wend__layer_plane *plane = plane_at(map->tolls->layers, layer, place_on(map, first), &shift);
        for (int32_t z = part.min.z; z <= part.max.z; z++)
            for (int32_t y = part.min.y; y <= part.max.y; y++) {
                const size_t row = (size_t)(z - box.min.z) * rows + (size_t)(y - box.min.y);
                uint8_t *out = values + row * stride_bytes + (size_t)(part.min.x - box.min.x);
                const uint32_t local = place_on(map, (wend_cell){part.min.x, y, z}).local;
                for (int32_t x = 0; x <= part.max.x - part.min.x; x++)
                    out[x] = (uint8_t)(plane ? plane->values[local + (uint32_t)x] >> shift : 0);
            }
    } while (next_part(box, part, &first));
    return WEND_OK;
}

wend_error wend_map_get_layer(const wend_map *map, int32_t layer, wend_layer_info *out) {
    WEND__ALIVE(map, "the map");
    const wend_error error = check_layer(map, layer);
    if (error) return error;
    if (!WEND__FITS(wend_layer_info, layers, out)) return WEND_BAD_ARGUMENT;
    const wend__layers *layers = map->tolls->layers;
    const wend_layer_info own = {.struct_bytes = sizeof own,
                                 .half_life = layers->layers[layer]->half_life,
                                 .updates = layers->updates,
                                 .layers = (int32_t)layers->count,
                                 .within = layers->layers[layer]->within};
    (void)WEND__GIVE(wend_layer_info, layers, out, &own);
    return WEND_OK;
}

/* ---- profiles ---- */

static wend_error check_weights(const wend_map *map, const wend_layer_weight *weights, uint32_t count) {
    wend_error error = weights ? WEND_OK : wend__refuse_null("weights");
    if (!error) error = wend__check_range("count", count, 1, WEND_MAX_PROFILE_LAYERS);
    for (uint32_t i = 0; i < count && !error; i++) {
        error = check_layer(map, weights[i].layer);
        if (!error) error = wend__check_range("weight", weights[i].weight, 1, WEND_MAX_COST);
        for (uint32_t k = 0; k < i && !error; k++)
            if (weights[k].layer == weights[i].layer)
                error = wend__refuse(WEND_BAD_ARGUMENT, "weights name layer %d twice", weights[i].layer);
    }
    return error;
}

wend_error wend_map_add_profile(wend_map *map, const wend_layer_weight *weights, uint32_t count, int32_t *profile) {
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    wend_error error = check_weights(map, weights, count);
    if (error) return error;
    wend__profile own = {.count = count};
    memcpy(own.weights, weights, count * sizeof *weights);
    wend__tolls *tolls = map->tolls;
    uint32_t at = 0;
    while (at < tolls->profile_count && memcmp(&tolls->profiles[at], &own, sizeof own) != 0) at++;
    if (at == WEND_MAX_PROFILES)
        return wend__refuse(WEND_BUSY, "the map has %d profiles, the most that it can have", WEND_MAX_PROFILES);
    if (at == tolls->profile_count) tolls->profiles[tolls->profile_count++] = own;
    if (profile) *profile = (int32_t)at + 1;
    return WEND_OK;
}

wend_error wend_map_get_profile(const wend_map *map, int32_t profile, wend_layer_weight *weights, uint32_t *count) {
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (!weights) return wend__refuse_null("weights");
    const wend_error error =
        wend__check_range("profile", profile, 1, map->tolls ? (int64_t)map->tolls->profile_count : 0);
    if (error) return error;
    const wend__profile *own = wend__profile_of(map, profile);
    memcpy(weights, own->weights, own->count * sizeof *weights);
    if (count) *count = own->count;
    return WEND_OK;
}

const wend__profile *wend__profile_of(const wend_map *map, int32_t profile) {
    return &map->tolls->profiles[profile - 1];
}

wend_weights wend__profile_weights(const wend_map *map, int32_t profile) {
    wend_weights out = {0};
    if (profile == WEND_PROFILE_NONE) return out;
    const wend__profile *own = wend__profile_of(map, profile);
    out.count = own->count;
    for (uint32_t i = 0; i < own->count; i++) {
        out.items[i].layer = layer_name(own->weights[i].layer);
        out.items[i].weight = own->weights[i].weight;
    }
    return out;
}

wend_error wend__check_profile(const wend_map *map, const char *name, int32_t profile) {
    return wend__check_range(name, profile, 0, map->tolls ? map->tolls->profile_count : 0);
}

/* ---- reads by searches ---- */

const wend__layers *wend__layers_acquire(wend_map *map) {
    return wend__shared_retain(map, map->tolls->layers);
}

bool wend__layers_touch(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                        wend__place place) {
    unsigned shift;
    for (uint32_t i = 0; i < profile->count; i++) {
        const int32_t layer = profile->weights[i].layer;
        if (layers->layers[layer]->within > 0 ? wend__walls_touch(v, place.column, place.row)
                                              : plane_at(layers, layer, place, &shift) != NULL)
            return true;
    }
    return false;
}

static uint32_t price_of(const wend_layer_weight *weight, uint32_t value) {
    return (uint32_t)weight->weight * value / 16;
}

uint32_t wend__layers_most(const wend__profile *profile) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < profile->count; i++) most += price_of(&profile->weights[i], UINT8_MAX);
    return most;
}

/* Returns the values of a chunk in a layer; NULL: all are 0. `walls`: buffer for those of a layer of walls. */
static const uint8_t *values_of(const wend__layers *layers, int32_t layer, const wend__version *v, wend__place place,
                                uint8_t walls[WEND__CHUNK_CELLS], unsigned *shift) {
    const int32_t within = layers->layers[layer]->within;
    const wend__layer_plane *plane = plane_at(layers, layer, place, shift);
    if (within == 0) return plane ? plane->values : NULL;
    wend__walls_fill(v, within, place.column, place.row, walls);
    *shift = 0;
    return walls;
}

/* weight × value ÷ 16 as the upper half of a product of 16 bits each, which compilers do for many cells at once. */
static void add_prices(uint16_t *restrict costs, const uint8_t *restrict values, unsigned shift, int32_t weight) {
    const uint16_t by = (uint16_t)(weight << 4);
    for (int i = 0; i < WEND__CHUNK_CELLS; i++) {
        const uint16_t value = (uint16_t)(values[i] >> shift << 8);
        costs[i] = (uint16_t)(costs[i] + ((uint32_t)value * by >> 16));
    }
}

void wend__layers_fold_narrow(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                              wend__place place, uint16_t costs[WEND__CHUNK_CELLS]) {
    uint8_t walls[WEND__CHUNK_CELLS];
    memset(costs, 0, WEND__CHUNK_CELLS * sizeof *costs);
    for (uint32_t i = 0; i < profile->count; i++) {
        const wend_layer_weight *weight = &profile->weights[i];
        unsigned shift;
        const uint8_t *values = values_of(layers, weight->layer, v, place, walls, &shift);
        if (values) add_prices(costs, values, shift, weight->weight);
    }
}

void wend__layers_fold(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                       wend__place place, uint32_t costs[WEND__CHUNK_CELLS]) {
    uint8_t walls[WEND__CHUNK_CELLS];
    memset(costs, 0, WEND__CHUNK_CELLS * sizeof *costs);
    for (uint32_t i = 0; i < profile->count; i++) {
        const wend_layer_weight *weight = &profile->weights[i];
        unsigned shift;
        const uint8_t *values = values_of(layers, weight->layer, v, place, walls, &shift);
        for (uint32_t local = 0; values && local < WEND__CHUNK_CELLS; local++)
            costs[local] += price_of(weight, (uint32_t)values[local] >> shift);
    }
}

uint32_t wend__layers_cost(const wend__layers *layers, const wend__profile *profile, const wend__version *v,
                           wend__place place) {
    uint32_t cost = 0;
    for (uint32_t i = 0; i < profile->count; i++) {
        const wend_layer_weight *weight = &profile->weights[i];
        const int32_t within = layers->layers[weight->layer]->within;
        unsigned shift;
        const wend__layer_plane *plane = plane_at(layers, weight->layer, place, &shift);
        if (plane) cost += price_of(weight, (uint32_t)plane->values[place.local] >> shift);
        if (within == 0) continue;
        const wend_cell cell = wend__cell_of_place(v, place);
        cost += price_of(weight, wend__walls_value(v, within, cell.x, cell.y));
    }
    return cost;
}

wend_error wend__layers_fork(wend_map *map, wend_map *fork) {
    if (!map->tolls) return WEND_OK;
    wend__tolls *made = wend__map_alloc(fork, sizeof *made);
    if (!made) return WEND_OUT_OF_MEMORY;
    *made = *map->tolls;
    wend__shared_retain(map, made->layers);
    fork->tolls = made;
    return WEND_OK;
}

void wend__layers_free(wend_map *map) {
    if (!map->tolls) return;
    wend__shared_release(map, map->tolls->layers);
    wend__map_free(map, map->tolls, sizeof *map->tolls);
}
