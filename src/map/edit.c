/* SPDX-License-Identifier: MIT */
/* Batches of changes: a draft of the next version that copies what it writes to. */
#include "map/map_private.h"

static size_t edit_bytes(size_t blocks) {
    return sizeof(wend_edit) + blocks * sizeof(wend__marks *);
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

int32_t wend__edit_create(wend_map *map, bool counted, wend_edit **out) {
    if (!enter(map, counted)) return WEND_IN_USE;
    wend__version *base = wend__map_acquire(map, false);
    size_t bytes = edit_bytes(wend__version_blocks(base));
    wend_edit *edit = wend__map_alloc(map, bytes);
    wend__version *draft = edit ? wend__version_copy(base, map) : NULL;
    if (!draft) {
        wend__map_free(map, edit, bytes);
        wend__map_release(base, false);
        leave(map, counted);
        return WEND_OUT_OF_MEMORY;
    }
    memset(edit, 0, bytes);
    edit->map = map, edit->base = base, edit->draft = draft;
    edit->counted = counted;
    edit->bytes = bytes;
    *out = edit;
    return WEND_OK;
}

void wend__edit_free(wend_edit *edit) {
    wend_map *map = edit->map;
    bool counted = edit->counted;
    size_t blocks = wend__version_blocks(edit->base);
    for (size_t i = 0; i < blocks; i++) wend__map_free(map, edit->marks[i], sizeof *edit->marks[i]);
    wend__link_changes_free(map, &edit->links);
    if (edit->draft) wend__version_free(edit->draft);
    wend__map_release(edit->base, false);
    wend__map_free(map, edit, edit->bytes);
    leave(map, counted);
}

int32_t wend_edit_begin(wend_map *map, wend_edit **out) {
    return wend__edit_create(map, true, out);
}

void wend_edit_discard(wend_edit *edit) {
    if (edit) wend__edit_free(edit);
}

/* ---- copy on write ---- */

int32_t wend__edit_own_block(wend_edit *edit, int32_t column, int32_t row) {
    wend_map *map = edit->map;
    size_t index = wend__block_index(edit->draft, column, row);
    if (edit->marks[index]) return WEND_OK;
    wend__marks *marks = wend__map_alloc(map, sizeof *marks);
    wend__block *block = marks ? wend__block_copy(map, edit->draft->blocks[index]) : NULL;
    if (!block) {
        wend__map_free(map, marks, sizeof *marks);
        return WEND_OUT_OF_MEMORY;
    }
    memset(marks, 0, sizeof *marks);
    wend__block_release(map, edit->draft->blocks[index]);
    edit->draft->blocks[index] = block;
    edit->marks[index] = marks;
    return WEND_OK;
}

/* A rectangle of cells in one chunk, both corners in, counted from the chunk's first cell. */
typedef struct part {
    int32_t column, row;
    unsigned x0, y0, x1, y1;
    unsigned width, height; ///< cells of the chunk that are on the map
} part;

static part part_of(const wend_edit *edit, const wend_box *box, int32_t column, int32_t row) {
    int32_t left = column << WEND__CHUNK_SHIFT, top = row << WEND__CHUNK_SHIFT;
    int32_t right = left + WEND__CHUNK_SIDE - 1, bottom = top + WEND__CHUNK_SIDE - 1;
    return (part){.column = column,
                  .row = row,
                  .x0 = box->min.x > left ? (unsigned)(box->min.x - left) : 0,
                  .y0 = box->min.y > top ? (unsigned)(box->min.y - top) : 0,
                  .x1 = (unsigned)((box->max.x < right ? box->max.x : right) - left),
                  .y1 = (unsigned)((box->max.y < bottom ? box->max.y : bottom) - top),
                  .width = wend__chunk_extent(edit->map->width, column),
                  .height = wend__chunk_extent(edit->map->height, row)};
}

static wend__chunk *own_chunk(wend_edit *edit, int32_t column, int32_t row) {
    wend__block *block = edit->draft->blocks[wend__block_index(edit->draft, column, row)];
    return &block->chunks[wend__chunk_index(column, row)];
}

/* Remember which chunks have to look at this one's cells again. */
static void touch(wend_edit *edit, const part *p) {
    wend__marks *marks = edit->marks[wend__block_index(edit->draft, p->column, p->row)];
    unsigned index = wend__chunk_index(p->column, p->row), around = 0;
    bool north = p->y0 == 0, south = p->y1 == 63, west = p->x0 == 0, east = p->x1 == 63;
    around |=
        (unsigned)north << WEND__N | (unsigned)east << WEND__E | (unsigned)south << WEND__S | (unsigned)west << WEND__W;
    around |= (unsigned)(north && east) << WEND__NE | (unsigned)(south && east) << WEND__SE |
              (unsigned)(south && west) << WEND__SW | (unsigned)(north && west) << WEND__NW;
    marks->rows[index] |= wend__low_bits(p->y1 + 1) & ~wend__low_bits(p->y0);
    marks->around[index] |= (uint8_t)around;
    marks->terrain[index] = true;
}

static bool is_own(const wend_edit *edit, const part *p) {
    return edit->marks[wend__block_index(edit->draft, p->column, p->row)]->terrain[wend__chunk_index(p->column, p->row)];
}

/* The chunk's classes as bytes, to be written to in the draft only. NULL: no room. */
static uint8_t *own_terrain(wend_edit *edit, const part *p) {
    if (wend__edit_own_block(edit, p->column, p->row)) return NULL;
    wend__chunk *chunk = own_chunk(edit, p->column, p->row);
    if (chunk->terrain && is_own(edit, p)) return ((wend__plane *)chunk->terrain)->bytes;
    wend__plane *plane = wend__plane_create(edit->map);
    if (!plane) return NULL;
    wend__chunk_expand(chunk, p->width, p->height, plane->bytes);
    wend__plane_release(edit->map, chunk->terrain);
    wend__bits_release(edit->map, chunk->bits);
    chunk->bits = NULL;
    chunk->terrain = plane;
    return plane->bytes;
}

/* With this class there are two of them in the chunk at most. */
static bool fits_in_bits(const wend__chunk *chunk, uint8_t class) {
    if (chunk->terrain) return false;
    return !chunk->bits || chunk->bits->classes[0] == class || chunk->bits->classes[1] == class;
}

/* The chunk's classes as bits, this one among them, to be written to in the draft only. NULL: no room. */
static wend__bits *own_bits(wend_edit *edit, const part *p, uint8_t class) {
    if (wend__edit_own_block(edit, p->column, p->row)) return NULL;
    wend__chunk *chunk = own_chunk(edit, p->column, p->row);
    if (chunk->bits && is_own(edit, p)) return (wend__bits *)chunk->bits;
    wend__bits *bits = wend__bits_create(edit->map);
    if (!bits) return NULL;
    bits->classes[0] = chunk->bits ? chunk->bits->classes[0] : chunk->uniform;
    bits->classes[1] = chunk->bits ? chunk->bits->classes[1] : class;
    if (chunk->bits)
        memcpy(bits->rows, chunk->bits->rows, sizeof bits->rows);
    else
        memset(bits->rows, 0, sizeof bits->rows);
    wend__bits_release(edit->map, chunk->bits);
    chunk->bits = bits;
    return bits;
}

int32_t wend__edit_settle(wend_edit *edit, int32_t column, int32_t row) {
    unsigned width, height;
    wend__chunk_extents(edit->draft, column, row, &width, &height);
    wend__form form =
        wend__chunk_form(wend__version_chunk(edit->draft, column, row), &edit->draft->rules, width, height);
    if (form.kind == WEND__FORM_AS_IS) return WEND_OK;
    if (wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    return wend__chunk_reform(edit->map, own_chunk(edit, column, row), &form, width, height);
}

/* ---- writing ---- */

typedef int32_t part_fn(wend_edit *edit, const part *p, const void *context);

static int32_t for_parts(wend_edit *edit, const wend_box *box, part_fn *fn, const void *context) {
    for (int32_t row = box->min.y >> WEND__CHUNK_SHIFT; row <= box->max.y >> WEND__CHUNK_SHIFT; row++)
        for (int32_t column = box->min.x >> WEND__CHUNK_SHIFT; column <= box->max.x >> WEND__CHUNK_SHIFT; column++) {
            part p = part_of(edit, box, column, row);
            int32_t error = fn(edit, &p, context);
            if (error) return error;
        }
    return WEND_OK;
}

static int32_t make_uniform(wend_edit *edit, const part *p, uint8_t class) {
    if (wend__edit_own_block(edit, p->column, p->row)) return WEND_OUT_OF_MEMORY;
    wend__chunk_make_uniform(edit->map, own_chunk(edit, p->column, p->row), class);
    touch(edit, p);
    return WEND_OK;
}

static int32_t fill_bytes(wend_edit *edit, const part *p, uint8_t class) {
    uint8_t *bytes = own_terrain(edit, p);
    if (!bytes) return WEND_OUT_OF_MEMORY;
    for (unsigned y = p->y0; y <= p->y1; y++)
        memset(bytes + (y << WEND__CHUNK_SHIFT | p->x0), class, p->x1 - p->x0 + 1);
    touch(edit, p);
    return WEND_OK;
}

static int32_t fill_bits(wend_edit *edit, const part *p, uint8_t class) {
    wend__bits *bits = own_bits(edit, p, class);
    if (!bits) return WEND_OUT_OF_MEMORY;
    uint64_t columns = wend__low_bits(p->x1 + 1) & ~wend__low_bits(p->x0),
             set = bits->classes[1] == class ? columns : 0;
    for (unsigned y = p->y0; y <= p->y1; y++) bits->rows[y] = (bits->rows[y] & ~columns) | set;
    touch(edit, p);
    return WEND_OK;
}

static int32_t fill_part(wend_edit *edit, const part *p, const void *context) {
    uint8_t class = *(const uint8_t *)context;
    const wend__chunk *chunk = wend__version_chunk(edit->draft, p->column, p->row);
    if (!chunk->terrain && !chunk->bits && chunk->uniform == class) return WEND_OK;
    unsigned columns = p->x1 - p->x0 + 1, rows = p->y1 - p->y0 + 1;
    if (columns == p->width && rows == p->height) return make_uniform(edit, p, class);
    return fits_in_bits(chunk, class) ? fill_bits(edit, p, class) : fill_bytes(edit, p, class);
}

typedef struct source {
    const uint8_t *terrain;
    size_t stride;
    wend_cell origin;
} source;

static const uint8_t *source_row(const source *s, const part *p, unsigned y) {
    size_t row = (size_t)((p->row << WEND__CHUNK_SHIFT) + (int32_t)y - s->origin.y);
    size_t column = (size_t)((p->column << WEND__CHUNK_SHIFT) + (int32_t)p->x0 - s->origin.x);
    return s->terrain + row * s->stride + column;
}

static bool changes_nothing(const wend_edit *edit, const part *p, const source *s) {
    const wend__chunk *chunk = wend__version_chunk(edit->draft, p->column, p->row);
    unsigned columns = p->x1 - p->x0 + 1;
    for (unsigned y = p->y0; y <= p->y1; y++) {
        uint8_t cells[WEND__CHUNK_SIDE];
        wend__chunk_row(chunk, y, cells);
        if (memcmp(source_row(s, p, y), cells + p->x0, columns) != 0) return false;
    }
    return true;
}

static int32_t write_part(wend_edit *edit, const part *p, const void *context) {
    const source *s = context;
    if (changes_nothing(edit, p, s)) return WEND_OK;
    uint8_t *bytes = own_terrain(edit, p);
    if (!bytes) return WEND_OUT_OF_MEMORY;
    for (unsigned y = p->y0; y <= p->y1; y++)
        memcpy(bytes + (y << WEND__CHUNK_SHIFT | p->x0), source_row(s, p, y), p->x1 - p->x0 + 1);
    touch(edit, p);
    /* A loader writes row by row: chunks of one or two classes give their plane back as soon as their last row is
       there. */
    return p->y1 + 1 == p->height ? wend__edit_settle(edit, p->column, p->row) : WEND_OK;
}

/* ---- what the host calls: the first error sticks ---- */

static int32_t keep(wend_edit *edit, int32_t error) {
    if (!edit->error) edit->error = error;
    return edit->error;
}

int32_t wend_edit_set(wend_edit *edit, wend_cell cell, uint8_t terrain) {
    if (edit->error) return edit->error;
    if (!wend__cell_on_map(edit->map, cell)) return keep(edit, WEND_OUT_OF_RANGE);
    if (wend__version_class(edit->draft, cell.x, cell.y) == terrain) return WEND_OK;
    wend_box box = {cell, cell};
    return keep(edit, for_parts(edit, &box, fill_part, &terrain));
}

int32_t wend_edit_fill(wend_edit *edit, wend_box box, uint8_t terrain) {
    if (edit->error) return edit->error;
    int32_t error = wend__box_check(edit->map, box);
    if (error) return keep(edit, error);
    return keep(edit, for_parts(edit, &box, fill_part, &terrain));
}

int32_t wend_edit_write(wend_edit *edit, wend_box box, const uint8_t *terrain, size_t stride_bytes) {
    if (edit->error) return edit->error;
    int32_t error = wend__box_check(edit->map, box);
    if (error) return keep(edit, error);
    if (stride_bytes < (size_t)(box.max.x - box.min.x) + 1) return keep(edit, WEND_BAD_ARGUMENT);
    source s = {.terrain = terrain, .stride = stride_bytes, .origin = box.min};
    return keep(edit, for_parts(edit, &box, write_part, &s));
}
