/* SPDX-License-Identifier: MIT */
/* The sheets of a map: checks of definitions, and the table of the places of chunks. */
#include "map/links/sheet_table.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "map/store/directions.h"
#include "map/store/memory.h"

#include <string.h>
#include <wend/ways.h>

/* ---- checks ---- */

/* Returns whether a box begins at the corner of a chunk, and ends at a chunk's corner or at the map's rim. */
static bool has_whole_chunks(const wend_map_def *def, const wend_box *box) {
    const int32_t last = WEND__CHUNK_SIDE - 1;
    const bool begins = (box->min.x & last) == 0 && (box->min.y & last) == 0;
    const bool across = (box->max.x & last) == last || box->max.x == def->width - 1;
    return begins && across && ((box->max.y & last) == last || box->max.y == def->height - 1);
}

static bool lies_on_map(const wend_map_def *def, const wend_box *box) {
    return box->min.x >= 0 && box->min.y >= 0 && box->min.z == 0 && box->max.z == 0 && box->min.x <= box->max.x &&
           box->min.y <= box->max.y && box->max.x < def->width && box->max.y < def->height;
}

static bool overlap(const wend_box *a, const wend_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y;
}

static wend_error check_sheet(const wend_map_def *def, uint32_t i) {
    const wend_sheet *sheet = &def->sheets[i];
    const wend_cell at = sheet->ground;
    if (!lies_on_map(def, &sheet->box))
        return wend__refuse(WEND_BAD_ARGUMENT, "sheets[%u].box is off the map, or empty", (unsigned)i);
    if (!has_whole_chunks(def, &sheet->box))
        return wend__refuse(WEND_BAD_ARGUMENT,
                            "sheets[%u].box has to begin and end on borders of chunks, each %d cells", (unsigned)i,
                            WEND_CHUNK_SIDE);
    for (uint32_t k = 0; k < i; k++)
        if (overlap(&sheet->box, &def->sheets[k].box))
            return wend__refuse(WEND_BAD_ARGUMENT, "sheets[%u].box and sheets[%u].box overlap", (unsigned)k,
                                (unsigned)i);
    const bool near = at.z == 0 && at.x >= 0 && at.y >= 0 && at.x <= WEND_MAX_SIDE && at.y <= WEND_MAX_SIDE;
    if (near) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "sheets[%u].ground is %d,%d,%d: x and y are 0 to %d, z is 0", (unsigned)i,
                        at.x, at.y, at.z, WEND_MAX_SIDE);
}

wend_error wend__sheets_check(const wend_map_def *def) {
    if (def->sheet_count == 0) return WEND_OK;
    if (!def->sheets) return wend__refuse_null("sheets");
    if (def->kind != WEND_KIND_GRID || def->rules->neighbours == 6)
        return wend__refuse(WEND_UNSUPPORTED, "only flat grids of squares have sheets");
    if (def->wrap != 0 || def->streamed)
        return wend__refuse(WEND_UNSUPPORTED, "a map that wraps, or is streamed, has no sheets");
    if (def->sheet_count > WEND_MAX_SHEETS)
        return wend__refuse(WEND_BAD_ARGUMENT, "sheet_count is %u, but must be 0 to %d", (unsigned)def->sheet_count,
                            WEND_MAX_SHEETS);
    wend_error error = WEND_OK;
    for (uint32_t i = 0; i < def->sheet_count && !error; i++) error = check_sheet(def, i);
    return error;
}

/* ---- the table ---- */

static int32_t chunks_along(int32_t cells) {
    return (cells + WEND__CHUNK_SIDE - 1) >> WEND__CHUNK_SHIFT;
}

static void set_parts(wend__sheets *sheets, wend__sheet_part *parts, int32_t columns) {
    for (uint32_t i = 0; i < sheets->count; i++) {
        const wend_box *box = &sheets->list[i].box;
        const wend_cell at = sheets->list[i].ground;
        const wend__sheet_part part = {at.x - box->min.x, at.y - box->min.y, i + 1, false};
        for (int32_t row = box->min.y >> WEND__CHUNK_SHIFT; row <= box->max.y >> WEND__CHUNK_SHIFT; row++)
            for (int32_t column = box->min.x >> WEND__CHUNK_SHIFT; column <= box->max.x >> WEND__CHUNK_SHIFT; column++)
                parts[(size_t)row * (size_t)columns + (size_t)column] = part;
        sheets->width = wend__most(sheets->width, box->max.x + part.x + 1);
        sheets->height = wend__most(sheets->height, box->max.y + part.y + 1);
    }
}

static bool lie_together(const wend__sheet_part *a, const wend__sheet_part *b) {
    return a->x == b->x && a->y == b->y;
}

static void mark_last(wend__sheet_part *parts, int32_t columns, int32_t rows) {
    for (int32_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < columns; column++)
            for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
                const int32_t x = column + wend__dx[d], y = row + wend__dy[d];
                wend__sheet_part *part = &parts[(size_t)row * (size_t)columns + (size_t)column];
                if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
                part->last |= !lie_together(part, &parts[(size_t)y * (size_t)columns + (size_t)x]);
            }
}

const wend__sheets *wend__sheets_create(wend_map *map, const wend_map_def *def) {
    const int32_t columns = chunks_along(def->width), rows = chunks_along(def->height);
    const size_t chunks = (size_t)columns * (size_t)rows, own = def->sheet_count * sizeof(wend_sheet);
    wend__sheets *sheets = wend__shared_create(map, sizeof(wend__sheets) + own + chunks * sizeof(wend__sheet_part));
    if (!sheets) return NULL;
    wend_sheet *list = (wend_sheet *)(sheets + 1);
    wend__sheet_part *parts = (wend__sheet_part *)(list + def->sheet_count);
    memcpy(list, def->sheets, own);
    memset(parts, 0, chunks * sizeof *parts);
    sheets->count = def->sheet_count;
    sheets->width = def->width, sheets->height = def->height;
    sheets->columns = columns;
    sheets->list = list, sheets->parts = parts;
    set_parts(sheets, parts, columns);
    mark_last(parts, columns, rows);
    return sheets;
}

uint64_t wend__sheets_hash(const wend_map *map) {
    uint64_t hash = WEND__HASH_START;
    for (uint32_t i = 0; map->sheets && i < map->sheets->count; i++) {
        const wend_sheet *sheet = &map->sheets->list[i];
        const wend_cell cells[3] = {sheet->box.min, sheet->box.max, sheet->ground};
        for (int k = 0; k < 3; k++)
            hash = wend__hash_u64(hash, (uint64_t)(uint32_t)cells[k].x << 32 | (uint32_t)cells[k].y);
    }
    return map->sheets ? hash : 0;
}

/* ---- steps that leave a sheet ---- */

static bool leaves(const wend__version *v, wend_cell cell) {
    const wend__sheet_part *part = wend__sheet_part_of(v, cell);
    if (!wend__version_factor(v, cell.x, cell.y)) return false;
    for (uint32_t steps = wend__version_steps(v, cell.x, cell.y); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const wend_cell to = {cell.x + wend__dx[d], cell.y + wend__dy[d], 0};
        if (!lie_together(part, wend__sheet_part_of(v, to))) return true;
    }
    return false;
}

static bool is_torn_at(const wend__version *v, int32_t column, int32_t row) {
    const int32_t left = column << WEND__CHUNK_SHIFT, top = row << WEND__CHUNK_SHIFT;
    const int32_t right = wend__least(left + WEND__CHUNK_SIDE, v->width) - 1;
    const int32_t bottom = wend__least(top + WEND__CHUNK_SIDE, v->height) - 1;
    for (int32_t x = left; x <= right; x++)
        if (leaves(v, (wend_cell){x, top, 0}) || leaves(v, (wend_cell){x, bottom, 0})) return true;
    for (int32_t y = top; y <= bottom; y++)
        if (leaves(v, (wend_cell){left, y, 0}) || leaves(v, (wend_cell){right, y, 0})) return true;
    return false;
}

static bool torn_in(const wend__version *v, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    for (int32_t row = top; row <= bottom; row++)
        for (int32_t column = left; column <= right; column++) {
            const bool last = v->sheets->parts[(size_t)row * (size_t)v->chunk_columns + (size_t)column].last;
            if (!last || wend__version_chunk(v, column, row)->max_factor == 0) continue;
            if (is_torn_at(v, column, row)) return true;
        }
    return false;
}

bool wend__sheets_torn(const wend__version *v) {
    return v->sheets && torn_in(v, 0, 0, v->chunk_columns - 1, v->chunk_rows - 1);
}

bool wend__sheets_torn_near(const wend__version *v, int32_t column, int32_t row) {
    const int32_t right = wend__least(column + 1, v->chunk_columns - 1);
    const int32_t bottom = wend__least(row + 1, v->chunk_rows - 1);
    return v->sheets && torn_in(v, column > 0 ? column - 1 : 0, row > 0 ? row - 1 : 0, right, bottom);
}

/* ---- queries ---- */

void wend_map_get_sheets(const wend_map *map, wend_sheet *out, size_t capacity, size_t *count) {
    WEND__ALIVE(map, "the map");
    const size_t all = map->sheets ? map->sheets->count : 0;
    for (size_t i = 0; i < all && i < capacity; i++) out[i] = map->sheets->list[i];
    if (count) *count = all;
}
