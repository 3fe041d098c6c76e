/* SPDX-License-Identifier: MIT */
/* Batches of changes: a draft of the next version, which copies the blocks that the batch writes to. */
#include "map/edit/edit.h"
#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/store/sweep.h"
#include "map/store/terrain.h"
#include "map/version/map.h"
#include "map/version/version.h"

#include <stdio.h>

static size_t edit_bytes(size_t blocks) {
    return sizeof(wend_edit) + blocks * sizeof(wend__dirty *);
}

/* ---- beginning and ending ---- */

static bool enter(wend_map *map, bool counted) {
    wend__mutex_lock(map->mutex);
    bool free = !counted || !map->batch_open;
    if (free) {
        map->references++;
        if (counted) map->batch_open = true;
    }
    wend__mutex_unlock(map->mutex);
    return free;
}

static void leave(wend_map *map, bool counted) {
    wend__mutex_lock(map->mutex);
    if (counted) map->batch_open = false;
    wend__mutex_unlock(map->mutex);
    wend_map_release(map);
}

wend_error wend__edit_create(wend_map *map, bool counted, wend_edit **out) {
    if (!enter(map, counted))
        return wend__refuse(WEND_IN_USE, "the map has an open batch: publish or discard that one first");
    wend__version *base = wend__map_acquire(map, false);
    size_t bytes = edit_bytes(wend__version_blocks(base));
    wend_edit *edit = wend__map_alloc(map, bytes);
    wend__version *draft = edit ? wend__version_copy(base, map, WEND__ROWS_IN_VIEWS) : NULL;
    if (!draft) {
        wend__map_free(map, edit, bytes);
        wend__map_release(base, false);
        leave(map, counted);
        return WEND_OUT_OF_MEMORY;
    }
    memset(edit, 0, bytes);
    edit->map = map, edit->base = base, edit->draft = draft;
    edit->counted = counted;
    edit->log.kept = counted && wend__map_tap(map);
    edit->bytes = bytes;
    edit->changed_links = &edit->links;
    *out = edit;
    return WEND_OK;
}

void wend__edit_free(wend_edit *edit) {
    wend_map *map = edit->map;
    bool counted = edit->counted;
    size_t blocks = wend__version_blocks(edit->base);
    for (size_t i = 0; i < blocks; i++) wend__map_free(map, edit->dirty[i], sizeof *edit->dirty[i]);
    wend__link_changes_free(map, &edit->links);
    wend__log_free(map, &edit->log);
    if (edit->draft) wend__version_free(edit->draft);
    wend__map_release(edit->base, false);
    wend__sweep_as_allocated(map->family);
    wend__map_free(map, edit, edit->bytes);
    leave(map, counted);
}

wend_error wend_edit_begin(wend_map *map, wend_edit **out) {
    WEND__ALIVE(map, "the map");
    wend_error error = wend__edit_create(map, true, out);
    if (!error) WEND__BORN(*out, "the batch");
    return error;
}

void wend_edit_discard(wend_edit *edit) {
    if (!edit) return;
    WEND__GONE(edit, "the batch");
    wend__edit_free(edit);
}

/* ---- copy on write ---- */

wend_error wend__edit_own_block(wend_edit *edit, int32_t column, int32_t row) {
    wend_map *map = edit->map;
    size_t index = wend__block_index(edit->draft, column, row);
    if (edit->dirty[index]) return WEND_OK;
    wend__dirty *dirty = wend__map_alloc(map, sizeof *dirty);
    wend__block *block = dirty ? wend__block_copy(map, edit->draft->blocks[index]) : NULL;
    if (!block) {
        wend__map_free(map, dirty, sizeof *dirty);
        return WEND_OUT_OF_MEMORY;
    }
    memset(dirty, 0, sizeof *dirty);
    wend__shared_release(map, edit->draft->blocks[index]);
    edit->draft->blocks[index] = block;
    edit->dirty[index] = dirty;
    return WEND_OK;
}

/* A box of cells in one chunk, with both corners, counted from the chunk's first cell. A graph's chunk is one row. */
typedef struct part {
    int32_t column, row;
    unsigned x0, y0, z0, x1, y1, z1;
    unsigned width, height, depth; ///< cells of the chunk that are on the map
    unsigned shift;                ///< log2 of the chunk's side
} part;

/* Finds the cells of chunks from..to along one axis that are in the box, and how many cells are on the map. */
static void cut(int32_t from, int32_t to, int32_t size, int32_t chunk, unsigned shift, unsigned out[3]) {
    int32_t first = chunk << shift, left = size - first, side = 1 << shift;
    out[0] = from > first ? (unsigned)(from - first) : 0;
    out[1] = to - first < side ? (unsigned)(to - first) : (unsigned)side - 1;
    out[2] = left < side ? (unsigned)left : (unsigned)side;
}

static part part_of(const wend_edit *edit, const wend_box *box, unsigned shift, wend_cell chunk) {
    const wend_map *map = edit->map;
    unsigned x[3], y[3], z[3];
    cut(box->min.x, box->max.x, map->width, chunk.x, shift, x);
    cut(box->min.y, box->max.y, map->height, chunk.y, shift, y);
    cut(box->min.z, box->max.z, map->depth, chunk.z, shift, z);
    return (part){.column = chunk.x,
                  .row = chunk.z * edit->draft->chunk_y + chunk.y,
                  .x0 = x[0],
                  .y0 = y[0],
                  .z0 = z[0],
                  .x1 = x[1],
                  .y1 = y[1],
                  .z1 = z[1],
                  .width = x[2],
                  .height = y[2],
                  .depth = z[2],
                  .shift = shift};
}

/* Where a row of the part begins in the chunk. */
static unsigned place_of(const part *p, unsigned y, unsigned z) {
    return z << 2 * WEND__VOXEL_SHIFT | y << p->shift | p->x0;
}

/* A row of the part: its places go on from the first. */
static unsigned columns_of(const part *p) {
    return p->x1 - p->x0 + 1;
}

static bool whole_chunk(const part *p) {
    return columns_of(p) == p->width && p->y1 - p->y0 + 1 == p->height && p->z1 - p->z0 + 1 == p->depth;
}

/* Marks the chunks that depend on this one's cells. */
static void touch(wend_edit *edit, const part *p) {
    wend__dirty *dirty = wend__edit_dirty(edit, p->column, p->row);
    unsigned index = wend__chunk_index(p->column, p->row), around = 0;
    bool grid = edit->draft->kind == WEND_KIND_GRID;
    bool north = grid && p->y0 == 0, south = grid && p->y1 == 63, west = grid && p->x0 == 0, east = grid && p->x1 == 63;
    around |=
        (unsigned)north << WEND__N | (unsigned)east << WEND__E | (unsigned)south << WEND__S | (unsigned)west << WEND__W;
    around |= (unsigned)(north && east) << WEND__NE | (unsigned)(south && east) << WEND__SE |
              (unsigned)(south && west) << WEND__SW | (unsigned)(north && west) << WEND__NW;
    for (unsigned z = p->z0; z <= p->z1; z++) {
        unsigned first = place_of(p, p->y0, z) >> 6, last = (place_of(p, p->y1, z) + p->x1 - p->x0) >> 6;
        dirty->rows[index] |= wend__low_bits(last + 1) & ~wend__low_bits(first);
    }
    dirty->around[index] |= (uint8_t)around;
    dirty->terrain[index] = true;
}

static bool is_own(const wend_edit *edit, const part *p) {
    return wend__edit_dirty(edit, p->column, p->row)->terrain[wend__chunk_index(p->column, p->row)];
}

/* Returns the chunk's classes as bytes, for writing in the draft only. NULL: no memory. */
static uint8_t *own_terrain(wend_edit *edit, const part *p) {
    if (wend__edit_own_block(edit, p->column, p->row)) return NULL;
    wend__chunk *chunk = wend__edit_chunk(edit, p->column, p->row);
    if (chunk->terrain && is_own(edit, p)) return ((wend__plane *)chunk->terrain)->bytes;
    wend__plane *plane = wend__shared_create(edit->map, sizeof(wend__plane));
    if (!plane) return NULL;
    unsigned width, height;
    wend__chunk_extents(edit->draft, p->column, p->row, &width, &height);
    wend__chunk_expand(chunk, width, height, plane->bytes);
    wend__shared_release(edit->map, chunk->terrain);
    wend__shared_release(edit->map, chunk->bits);
    chunk->bits = NULL;
    chunk->terrain = plane;
    return plane->bytes;
}

/* Returns whether the chunk has at most two classes with this one. */
static bool fits_in_bits(const wend__chunk *chunk, uint8_t class) {
    if (chunk->terrain) return false;
    return !chunk->bits || chunk->bits->classes[0] == class || chunk->bits->classes[1] == class;
}

/* Returns the chunk's classes as bits, with this class, for writing in the draft only. NULL: no memory. */
static wend__bits *own_bits(wend_edit *edit, const part *p, uint8_t class) {
    if (wend__edit_own_block(edit, p->column, p->row)) return NULL;
    wend__chunk *chunk = wend__edit_chunk(edit, p->column, p->row);
    if (chunk->bits && is_own(edit, p)) return (wend__bits *)chunk->bits;
    wend__bits *bits = wend__shared_create(edit->map, sizeof(wend__bits));
    if (!bits) return NULL;
    bits->classes[0] = chunk->bits ? chunk->bits->classes[0] : chunk->uniform;
    bits->classes[1] = chunk->bits ? chunk->bits->classes[1] : class;
    if (chunk->bits) memcpy(bits->rows, chunk->bits->rows, sizeof bits->rows);
    wend__shared_release(edit->map, chunk->bits);
    chunk->bits = bits;
    return bits;
}

static bool is_own_voxels(const wend_edit *edit, int32_t column, int32_t row) {
    const part p = {.column = column, .row = row};
    if (edit->draft->kind != WEND_KIND_VOXEL || !wend__edit_dirty(edit, column, row)) return false;
    return is_own(edit, &p);
}

wend_error wend__edit_compact(wend_edit *edit, int32_t column, int32_t row) {
    const uint8_t *factors = edit->draft->rules.factors;
    bool voxels = is_own_voxels(edit, column, row);
    unsigned width, height;
    if (voxels)
        wend__voxels_paint_rim(wend__edit_chunk(edit, column, row), wend__voxels_extent(edit->draft, column, row));
    wend__chunk_extents(edit->draft, column, row, &width, &height);
    wend__form form =
        wend__chunk_form(wend__version_chunk(edit->draft, column, row), &edit->draft->rules, width, height);
    wend_error error = WEND_OK;
    if (form.kind != WEND__FORM_AS_IS) {
        error = wend__edit_own_block(edit, column, row);
        if (!error) error = wend__chunk_reform(edit->map, wend__edit_chunk(edit, column, row), &form, width, height);
    }
    if (voxels && !error)
        wend__voxels_orient_bits(wend__edit_chunk(edit, column, row), factors,
                                 wend__voxels_extent(edit->draft, column, row));
    return error;
}

/* ---- writing ---- */

typedef int32_t part_fn(wend_edit *edit, const part *p, const void *context);

static unsigned side_shift(const wend_edit *edit) {
    if (edit->draft->kind == WEND_KIND_GRID) return WEND__CHUNK_SHIFT;
    return edit->draft->kind == WEND_KIND_VOXEL ? WEND__VOXEL_SHIFT : 2 * WEND__CHUNK_SHIFT;
}

static wend_error for_chunks(wend_edit *edit, const wend_box *box, part_fn *fn, const void *context) {
    unsigned shift = side_shift(edit);
    wend_cell from = {box->min.x >> shift, box->min.y >> shift, box->min.z >> shift}, c;
    for (c.z = from.z; c.z <= box->max.z >> shift; c.z++)
        for (c.y = from.y; c.y <= box->max.y >> shift; c.y++)
            for (c.x = from.x; c.x <= box->max.x >> shift; c.x++) {
                part p = part_of(edit, box, shift, c);
                wend_error error = fn(edit, &p, context);
                if (error) return error;
            }
    return WEND_OK;
}

/* Fills the runs of nodes that a graph has; the other cells stay blocked. */
static wend_error for_parts(wend_edit *edit, const wend_box *box, part_fn *fn, const void *context) {
    const wend__graph *graph = edit->draft->graph;
    if (!graph) return for_chunks(edit, box, fn, context);
    wend_error error = WEND_OK;
    for (int64_t x = box->min.x, end; x <= box->max.x && !error; x = end) {
        bool there = wend__graph_has(graph, x);
        for (end = x + 1; end <= box->max.x && wend__graph_has(graph, end) == there;) end++;
        wend_box run = {{(int32_t)x, 0, 0}, {(int32_t)(end - 1), 0, 0}};
        if (there) error = for_chunks(edit, &run, fn, context);
    }
    return error;
}

static wend_error make_uniform(wend_edit *edit, const part *p, uint8_t class) {
    if (wend__edit_own_block(edit, p->column, p->row)) return WEND_OUT_OF_MEMORY;
    wend__chunk_make_uniform(edit->map, wend__edit_chunk(edit, p->column, p->row), class);
    touch(edit, p);
    return WEND_OK;
}

static wend_error fill_bytes(wend_edit *edit, const part *p, uint8_t class) {
    uint8_t *bytes = own_terrain(edit, p);
    if (!bytes) return WEND_OUT_OF_MEMORY;
    for (unsigned z = p->z0; z <= p->z1; z++)
        for (unsigned y = p->y0; y <= p->y1; y++) memset(bytes + place_of(p, y, z), class, columns_of(p));
    touch(edit, p);
    return WEND_OK;
}

static void set_run(wend__bits *bits, unsigned place, unsigned count, uint64_t value) {
    for (unsigned end = place + count, next; place < end; place = next) {
        next = (place | 63) + 1 < end ? (place | 63) + 1 : end;
        uint64_t run = wend__low_bits(next - place) << (place & 63), *row = &bits->rows[place >> 6];
        *row = (*row & ~run) | (value & run);
    }
}

static wend_error fill_bits(wend_edit *edit, const part *p, uint8_t class) {
    wend__bits *bits = own_bits(edit, p, class);
    if (!bits) return WEND_OUT_OF_MEMORY;
    uint64_t value = bits->classes[1] == class ? UINT64_MAX : 0;
    for (unsigned z = p->z0; z <= p->z1; z++)
        for (unsigned y = p->y0; y <= p->y1; y++) set_run(bits, place_of(p, y, z), columns_of(p), value);
    touch(edit, p);
    return WEND_OK;
}

static wend_error fill_part(wend_edit *edit, const part *p, const void *context) {
    uint8_t class = *(const uint8_t *)context;
    const wend__chunk *chunk = wend__version_chunk(edit->draft, p->column, p->row);
    if (!chunk->terrain && !chunk->bits && chunk->uniform == class) return WEND_OK;
    if (whole_chunk(p)) return make_uniform(edit, p, class);
    return fits_in_bits(chunk, class) ? fill_bits(edit, p, class) : fill_bytes(edit, p, class);
}

wend_error wend__edit_fill(wend_edit *edit, wend_box box, uint8_t terrain) {
    return for_parts(edit, &box, fill_part, &terrain);
}

wend_error wend__edit_put_bits(wend_edit *edit, int32_t column, int32_t row, const uint8_t classes[2],
                               const uint64_t rows[WEND__CHUNK_SIDE]) {
    const wend_box all = {{0, 0, 0}, {edit->map->width - 1, edit->map->height - 1, 0}};
    const part p = part_of(edit, &all, WEND__CHUNK_SHIFT, (wend_cell){column, row, 0});
    wend_error error = make_uniform(edit, &p, classes[0]);
    if (error) return error;
    wend__bits *bits = wend__shared_create(edit->map, sizeof(wend__bits));
    if (!bits) return WEND_OUT_OF_MEMORY;
    memcpy(bits->classes, classes, sizeof bits->classes);
    for (unsigned y = 0; y < p.height; y++) bits->rows[y] = rows[y] & wend__low_bits(p.width);
    wend__edit_chunk(edit, column, row)->bits = bits;
    return WEND_OK;
}

typedef struct source {
    const uint8_t *terrain;
    size_t stride, layer; ///< bytes from a row, and from a layer, to the next
    wend_cell origin;
} source;

/* The first byte of the part; its rows and layers lie as the source's do. */
static const uint8_t *source_of(const source *s, const wend_edit *edit, const part *p) {
    int32_t layer = p->row / edit->draft->chunk_y, row = p->row % edit->draft->chunk_y;
    size_t x = (size_t)((p->column << p->shift) + (int32_t)p->x0 - s->origin.x);
    size_t y = (size_t)((row << p->shift) + (int32_t)p->y0 - s->origin.y);
    size_t z = (size_t)((layer << p->shift) + (int32_t)p->z0 - s->origin.z);
    return s->terrain + z * s->layer + y * s->stride + x;
}

static bool changes_nothing(const wend_edit *edit, const part *p, const source *s, const uint8_t *from) {
    const wend__chunk *chunk = wend__version_chunk(edit->draft, p->column, p->row);
    for (unsigned z = p->z0; z <= p->z1; z++)
        for (unsigned y = p->y0; y <= p->y1; y++)
            if (!wend__chunk_run_is(chunk, place_of(p, y, z), columns_of(p),
                                    from + (z - p->z0) * s->layer + (y - p->y0) * s->stride))
                return false;
    return true;
}

static void log_fill(wend_edit *edit, wend_cell from, wend_cell to, uint8_t terrain) {
    wend__log_change(edit->map, &edit->log,
                     (wend_change_item){WEND_ORDER_FILL, {.from = from, .to = to, .value = terrain}});
}

/* Writes the part's rows, as runs of one class: they write to the same cells. */
static void log_part(wend_edit *edit, const part *p, const source *s, const uint8_t *from) {
    const int32_t layer = p->row / edit->draft->chunk_y, row = p->row % edit->draft->chunk_y;
    for (unsigned z = p->z0; z <= p->z1; z++)
        for (unsigned y = p->y0; y <= p->y1; y++) {
            const uint8_t *classes = from + (z - p->z0) * s->layer + (y - p->y0) * s->stride;
            for (unsigned x = 0, end; x < columns_of(p); x = end) {
                for (end = x + 1; end < columns_of(p) && classes[end] == classes[x];) end++;
                wend_cell first = {(p->column << p->shift) + (int32_t)(p->x0 + x), (row << p->shift) + (int32_t)y,
                                   (layer << p->shift) + (int32_t)z};
                wend_cell last = {first.x + (int32_t)(end - x) - 1, first.y, first.z};
                log_fill(edit, first, last, classes[x]);
            }
        }
}

/* Returns the class with which the chunk can be kept as bits, once the part is written; -1: there are more than two
 * classes, or the part has only the chunk's own. */
static int32_t other_class(const wend_edit *edit, const part *p, const source *s, const uint8_t *from) {
    const wend__chunk *chunk = wend__version_chunk(edit->draft, p->column, p->row);
    if (chunk->terrain || edit->draft->kind != WEND_KIND_GRID) return -1;
    const uint8_t first = chunk->bits ? chunk->bits->classes[0] : chunk->uniform;
    uint8_t second = chunk->bits ? chunk->bits->classes[1] : first;
    for (unsigned y = 0; y <= p->y1 - p->y0; y++) {
        const uint8_t *cells = from + y * s->stride;
        if (second == first) {
            unsigned x = 0;
            while (x < columns_of(p) && cells[x] == first) x++;
            if (x == columns_of(p)) continue;
            second = cells[x];
        }
        if (!wend__row_of_two(cells, columns_of(p), first, second)) return -1;
    }
    return second == first ? -1 : second;
}

static wend_error write_bits(wend_edit *edit, const part *p, const source *s, const uint8_t *from, uint8_t class) {
    wend__bits *bits = own_bits(edit, p, class);
    if (!bits) return WEND_OUT_OF_MEMORY;
    const uint64_t cells = wend__low_bits(columns_of(p)) << p->x0;
    for (unsigned y = p->y0; y <= p->y1; y++) {
        const uint8_t *row = from + (y - p->y0) * s->stride;
        bits->rows[y] =
            (bits->rows[y] & ~cells) | wend__pack_run(row, columns_of(p), bits->classes[0], bits->classes[1]) << p->x0;
    }
    return WEND_OK;
}

static wend_error write_bytes(wend_edit *edit, const part *p, const source *s, const uint8_t *from) {
    uint8_t *bytes = own_terrain(edit, p);
    if (!bytes) return WEND_OUT_OF_MEMORY;
    for (unsigned z = p->z0; z <= p->z1; z++)
        for (unsigned y = p->y0; y <= p->y1; y++)
            memcpy(bytes + place_of(p, y, z), from + (z - p->z0) * s->layer + (y - p->y0) * s->stride, columns_of(p));
    return WEND_OK;
}

static bool ends_chunk(const part *p) {
    return p->x1 + 1 == p->width && p->y1 + 1 == p->height && p->z1 + 1 == p->depth;
}

static wend_error write_part(wend_edit *edit, const part *p, const void *context) {
    const source *s = context;
    const uint8_t *from = source_of(s, edit, p);
    if (changes_nothing(edit, p, s, from)) return WEND_OK;
    const int32_t other = other_class(edit, p, s, from);
    wend_error error = other < 0 ? write_bytes(edit, p, s, from) : write_bits(edit, p, s, from, (uint8_t)other);
    if (error) return error;
    touch(edit, p);
    if (edit->log.kept) log_part(edit, p, s, from);
    /* A loader writes row by row, or layer by layer: chunks of one or two classes free their plane as soon as
       their last cell is written. */
    return ends_chunk(p) ? wend__edit_compact(edit, p->column, p->row) : WEND_OK;
}

/* ---- what the host calls: the first error sticks ---- */

wend_error wend__edit_keep(wend_edit *edit, wend_error error) {
    if (edit->error || !error) return edit->error;
    edit->error = error;
    snprintf(edit->why, sizeof edit->why, "%s", wend_error_detail(error));
    return error;
}

wend_error wend__edit_failed(const wend_edit *edit) {
    if (!edit->error) return WEND_OK;
    return wend__refuse(edit->error, "a change of this batch has failed: %s", edit->why);
}

wend_error wend__edit_check_cell(const wend_edit *edit, const char *name, wend_cell cell) {
    const wend__graph *graph = edit->draft->graph;
    if (!graph) return wend__check_cell(edit->map, name, cell);
    const bool there = wend__map_inside(edit->map, cell) && wend__graph_has(graph, cell.x);
    return there ? WEND_OK : wend__refuse_cell(edit->map, name, cell);
}

wend_error wend_edit_set_cell(wend_edit *edit, wend_cell cell, uint8_t terrain) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = wend__edit_check_cell(edit, "cell", cell);
    if (error) return wend__edit_keep(edit, error);
    wend__place at = wend__place_of(edit->draft, cell);
    if (wend__chunk_class(wend__version_chunk(edit->draft, at.column, at.row), at.local) == terrain) return WEND_OK;
    wend_box box = {cell, cell};
    error = wend__edit_check_land(edit, box);
    if (error) return wend__edit_keep(edit, error);
    log_fill(edit, box.min, box.max, terrain);
    return wend__edit_keep(edit, wend__edit_fill(edit, box, terrain));
}

wend_error wend_edit_fill_box(wend_edit *edit, wend_box box, uint8_t terrain) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = wend__box_check(edit->map, box);
    if (!error) error = wend__edit_check_land(edit, box);
    if (error) return wend__edit_keep(edit, error);
    log_fill(edit, box.min, box.max, terrain);
    return wend__edit_keep(edit, wend__edit_fill(edit, box, terrain));
}

wend_error wend_edit_set_box(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = wend__box_check(edit->map, box);
    if (!error) error = wend__check_stride(box, stride_bytes);
    if (!error) error = wend__edit_check_land(edit, box);
    if (error) return wend__edit_keep(edit, error);
    size_t rows = (size_t)(box.max.y - box.min.y) + 1;
    source s = {.terrain = terrain, .stride = stride_bytes, .layer = stride_bytes * rows, .origin = box.min};
    return wend__edit_keep(edit, for_parts(edit, &box, write_part, &s));
}

/* ---- without a batch of the caller ---- */

wend_error wend_map_set_cell(wend_map *map, wend_cell cell, uint8_t terrain, uint64_t *epoch) {
    WEND__ALIVE(map, "the map");
    wend_edit *edit = NULL;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    error = wend_edit_set_cell(edit, cell, terrain);
    if (!error) return wend_edit_publish(edit, epoch);
    wend_edit_discard(edit);
    return error;
}
