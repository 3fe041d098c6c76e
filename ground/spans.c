/* SPDX-License-Identifier: MIT */
/* Spans in tiles, their neighbours, and how a tile is put in place of another. */
#include "spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wend__ground_fail(ground_trouble *trouble, wend_error code, const char *text) {
    trouble->code = code;
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    return false;
}

bool wend__ground_open_spans(ground_spans *spans, bool rooms) {
    spans->tiles_x = (spans->width + GROUND_TILE - 1) / GROUND_TILE;
    spans->tiles_y = (spans->height + GROUND_TILE - 1) / GROUND_TILE;
    const size_t tiles = (size_t)spans->tiles_x * (size_t)spans->tiles_y, columns = tiles * (GROUND_TILE_COLUMNS + 1);
    spans->tiles = calloc(tiles, sizeof *spans->tiles);
    spans->columns = calloc(columns, sizeof *spans->columns);
    if (rooms) spans->room_columns = calloc(columns, sizeof *spans->room_columns);
    return spans->tiles && spans->columns && (!rooms || spans->room_columns);
}

void wend__ground_drop_spans(ground_spans *spans) {
    free(spans->tiles);
    free(spans->columns);
    free(spans->spans);
    free(spans->room_columns);
    free(spans->rooms);
    *spans = (ground_spans){0};
}

/* ---- room ---- */

/* Grows an array by half at least. */
static bool grow(void **array, uint32_t *capacity, uint64_t count, size_t bytes) {
    if (count <= *capacity) return true;
    uint64_t more = *capacity + (uint64_t)*capacity / 2;
    if (more < count) more = count;
    if (more > INT32_MAX) more = count;
    if (more > INT32_MAX) return false;
    void *moved = realloc(*array, (size_t)more * bytes);
    if (!moved) return false;
    *array = moved;
    *capacity = (uint32_t)more;
    return true;
}

bool wend__ground_reserve_piece(ground_piece *piece, uint32_t spans, uint32_t rooms) {
    return grow((void **)&piece->spans, &piece->capacity, spans, sizeof *piece->spans) &&
           grow((void **)&piece->rooms, &piece->room_capacity, rooms, sizeof *piece->rooms);
}

void wend__ground_drop_piece(ground_piece *piece) {
    free(piece->spans);
    free(piece->rooms);
    piece->spans = NULL;
    piece->rooms = NULL;
    piece->capacity = piece->room_capacity = 0;
}

/* A tile that outgrows its place moves to the end with half as much more, so places left behind stay few. */
static uint32_t next_capacity(uint32_t count, uint32_t capacity) {
    return capacity ? count + count / 2 : count;
}

bool wend__ground_reserve_tile(ground_spans *spans, uint32_t tile, const ground_piece *piece) {
    const ground_tile *t = &spans->tiles[tile];
    const uint64_t more = piece->count > t->capacity ? next_capacity(piece->count, t->capacity) : 0,
                   more_rooms =
                       piece->room_count > t->room_capacity ? next_capacity(piece->room_count, t->room_capacity) : 0;
    return grow((void **)&spans->spans, &spans->span_capacity, spans->span_end + more, sizeof *spans->spans) &&
           grow((void **)&spans->rooms, &spans->room_capacity, spans->room_end + more_rooms, sizeof *spans->rooms);
}

static void find_place(ground_spans *spans, ground_tile *t, const ground_piece *piece) {
    if (piece->count > t->capacity) {
        t->capacity = next_capacity(piece->count, t->capacity);
        t->first = spans->span_end;
        spans->span_end += t->capacity;
    }
    if (piece->room_count > t->room_capacity) {
        t->room_capacity = next_capacity(piece->room_count, t->room_capacity);
        t->room_first = spans->room_end;
        spans->room_end += t->room_capacity;
    }
}

/* ---- neighbours ---- */

int32_t wend__ground_find_joined(const ground_spans *spans, const ground_span *from, int32_t x, int32_t y) {
    if (!ground_has_column(spans, x, y)) return -1;
    const size_t column = ground_column(spans, x, y);
    const int32_t ceiling = from->floor + from->free_levels;
    for (uint32_t i = spans->columns[column]; i < spans->columns[column + 1]; i++) {
        const ground_span *to = &spans->spans[i];
        const int32_t top = to->floor + to->free_levels, high = to->floor > from->floor ? to->floor : from->floor;
        if ((top < ceiling ? top : ceiling) - high < spans->tall) continue;
        if (abs(to->floor - from->floor) <= spans->climb) return (int32_t)i;
    }
    return -1;
}

static void join_column(ground_spans *spans, int32_t x, int32_t y, int32_t d) {
    if (!ground_has_column(spans, x, y)) return;
    const size_t column = ground_column(spans, x, y);
    for (uint32_t i = spans->columns[column]; i < spans->columns[column + 1]; i++)
        spans->spans[i].next[d] = wend__ground_find_joined(spans, &spans->spans[i], x + ground_dx[d], y + ground_dy[d]);
}

/* Within a tile Recast has joined the spans. Over its sides they are joined here, in both directions. */
static void join_sides(ground_spans *spans, uint32_t tile) {
    const int32_t x = (int32_t)tile % spans->tiles_x * GROUND_TILE, y = (int32_t)tile / spans->tiles_x * GROUND_TILE,
                  last = GROUND_TILE - 1;
    for (int32_t i = 0; i < GROUND_TILE; i++) {
        const int32_t inside[GROUND_DIRECTIONS][2] = {{x, y + i}, {x + i, y + last}, {x + last, y + i}, {x + i, y}};
        for (int32_t d = 0; d < GROUND_DIRECTIONS; d++) {
            join_column(spans, inside[d][0], inside[d][1], d);
            join_column(spans, inside[d][0] + ground_dx[d], inside[d][1] + ground_dy[d], (d + 2) % GROUND_DIRECTIONS);
        }
    }
}

int32_t wend__ground_neighbour(const ground_spans *spans, int32_t span, int32_t k) {
    const int32_t first = k / 2, second = (first + 1) % GROUND_DIRECTIONS;
    const int32_t side = spans->spans[span].next[first];
    if (k % 2 == 0) return side;
    const int32_t other = spans->spans[span].next[second];
    if (side < 0 || other < 0) return -1;
    const int32_t corner = spans->spans[side].next[second];
    return corner == spans->spans[other].next[first] ? corner : -1;
}

/* ---- tiles and pieces ---- */

void wend__ground_put_tile(ground_spans *spans, uint32_t tile, const ground_piece *piece) {
    ground_tile *t = &spans->tiles[tile];
    const size_t columns = (size_t)tile * (GROUND_TILE_COLUMNS + 1);
    find_place(spans, t, piece);
    spans->count += piece->count - t->count;
    t->count = piece->count;
    t->room_count = piece->room_count;
    for (size_t c = 0; c <= GROUND_TILE_COLUMNS; c++) spans->columns[columns + c] = t->first + piece->columns[c];
    for (uint32_t i = 0; i < piece->count; i++) {
        ground_span *span = &spans->spans[t->first + i];
        *span = piece->spans[i];
        for (int32_t d = 0; d < GROUND_DIRECTIONS; d++)
            if (span->next[d] >= 0) span->next[d] += (int32_t)t->first;
    }
    for (size_t c = 0; spans->room_columns && c <= GROUND_TILE_COLUMNS; c++)
        spans->room_columns[columns + c] = t->room_first + piece->room_columns[c];
    for (uint32_t i = 0; i < piece->room_count; i++) {
        ground_room *room = &spans->rooms[t->room_first + i];
        *room = piece->rooms[i];
        if (room->span >= 0) room->span += (int32_t)t->first;
    }
    join_sides(spans, tile);
}

/* A way out of the tile becomes none: it is found again when the tile is put back. */
static int32_t count_within(const ground_tile *t, int32_t span) {
    return span >= (int32_t)t->first && span < (int32_t)(t->first + t->count) ? span - (int32_t)t->first : -1;
}

bool wend__ground_copy_tile(const ground_spans *spans, uint32_t tile, ground_piece *out) {
    const ground_tile *t = &spans->tiles[tile];
    const size_t columns = (size_t)tile * (GROUND_TILE_COLUMNS + 1);
    if (!wend__ground_reserve_piece(out, t->count, t->room_count)) return false;
    out->count = t->count;
    out->room_count = t->room_count;
    for (size_t c = 0; c <= GROUND_TILE_COLUMNS; c++) out->columns[c] = spans->columns[columns + c] - t->first;
    for (uint32_t i = 0; i < t->count; i++) {
        out->spans[i] = spans->spans[t->first + i];
        for (int32_t d = 0; d < GROUND_DIRECTIONS; d++) out->spans[i].next[d] = count_within(t, out->spans[i].next[d]);
    }
    for (size_t c = 0; spans->room_columns && c <= GROUND_TILE_COLUMNS; c++)
        out->room_columns[c] = spans->room_columns[columns + c] - t->room_first;
    for (uint32_t i = 0; i < t->room_count; i++) {
        out->rooms[i] = spans->rooms[t->room_first + i];
        out->rooms[i].span = count_within(t, out->rooms[i].span);
    }
    return true;
}
