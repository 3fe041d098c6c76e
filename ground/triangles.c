/* SPDX-License-Identifier: MIT */
/* Triangles in a list, and the tiles that each touches: the box of a triangle, and the columns that a tile takes part
 * of its neighbours in. */
#include "triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool resize(void **array, size_t count, size_t bytes) {
    void *moved = realloc(*array, count * bytes);
    if (moved) *array = moved;
    return moved != NULL;
}

void wend__ground_turn(bool y_up, const float *from, float *to) {
    const float y = y_up ? from[1] : from[2], z = y_up ? from[2] : -from[1];
    to[0] = from[0];
    to[1] = y;
    to[2] = z;
}

bool wend__ground_reserve_triangles(ground_triangles *triangles, size_t count) {
    if (count <= triangles->capacity) return true;
    const size_t half_more = triangles->capacity + (size_t)triangles->capacity / 2;
    const size_t capacity = half_more > count ? half_more : count;
    if (!resize((void **)&triangles->corners, capacity, 9 * sizeof *triangles->corners)) return false;
    if (!resize((void **)&triangles->classes, capacity, 1) || !resize((void **)&triangles->absent, capacity, 1))
        return false;
    triangles->capacity = (uint32_t)capacity;
    return true;
}

void wend__ground_set_corners(ground_triangles *triangles, uint32_t number, const float corners[9], uint8_t terrain) {
    memcpy(&triangles->corners[9 * (size_t)number], corners, 9 * sizeof *corners);
    triangles->classes[number] = wend__ground_is_walkable(triangles->slope, corners) ? terrain : 0;
    triangles->absent[number] = 0;
    triangles->used[terrain] = true;
}

void wend__ground_drop_triangles(ground_triangles *triangles) {
    for (uint32_t i = 0; triangles->tiles && i < triangles->tile_count; i++) free(triangles->tiles[i].numbers);
    free(triangles->tiles);
    free(triangles->marked);
    free(triangles->corners);
    free(triangles->classes);
    free(triangles->absent);
    *triangles = (ground_triangles){0};
}

/* ---- tiles that a triangle touches ---- */

typedef struct tile_box {
    int32_t x0, y0, x1, y1; /* both ends in; x1 < x0: none */
} tile_box;

/* In tiles, cut off at the grid's ends, so that any number fits. */
static int32_t tile_at(double columns, int32_t tiles) {
    const double tile = floor(columns / GROUND_TILE);
    return tile < -1 ? -1 : tile > tiles ? tiles : (int32_t)tile;
}

static tile_box touched_tiles(const float *corners, const ground_spans *grid) {
    const int32_t border = grid->radius + GROUND_SPOILED + 1; /* another one for rounding errors of floats */
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        const float *c = &corners[2 * axis];
        low[axis] = floor((fminf(fminf(c[0], c[3]), c[6]) - (double)grid->least[2 * axis]) / grid->cell);
        high[axis] = floor((fmaxf(fmaxf(c[0], c[3]), c[6]) - (double)grid->least[2 * axis]) / grid->cell);
    }
    tile_box box = {tile_at(low[0] - border, grid->tiles_x), tile_at(low[1] - border, grid->tiles_y),
                    tile_at(high[0] + border, grid->tiles_x), tile_at(high[1] + border, grid->tiles_y)};
    if (box.x0 < 0) box.x0 = 0;
    if (box.y0 < 0) box.y0 = 0;
    if (box.x1 >= grid->tiles_x) box.x1 = grid->tiles_x - 1;
    if (box.y1 >= grid->tiles_y) box.y1 = grid->tiles_y - 1;
    return box;
}

static bool list_reserve(ground_list *list, uint32_t more) {
    if (list->count + more <= list->capacity) return true;
    const size_t capacity = (size_t)list->count + more + list->count / 2;
    if (!resize((void **)&list->numbers, capacity, sizeof *list->numbers)) return false;
    list->capacity = (uint32_t)capacity;
    return true;
}

/* Where a number is, or would be. */
static uint32_t list_find(const ground_list *list, uint32_t number) {
    uint32_t low = 0, high = list->count;
    if (high > 0 && list->numbers[high - 1] < number) return high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_add(ground_list *list, uint32_t number) {
    const uint32_t at = list_find(list, number);
    memmove(&list->numbers[at + 1], &list->numbers[at], (list->count - at) * sizeof *list->numbers);
    list->numbers[at] = number;
    list->count++;
}

static void list_remove(ground_list *list, uint32_t number) {
    const uint32_t at = list_find(list, number);
    list->count--;
    memmove(&list->numbers[at], &list->numbers[at + 1], (list->count - at) * sizeof *list->numbers);
}

typedef bool tile_visitor(ground_triangles *triangles, uint32_t tile, uint32_t number);

static bool for_tiles(ground_triangles *triangles, const ground_spans *grid, const float *corners, uint32_t number,
                      tile_visitor *visit) {
    const tile_box box = touched_tiles(corners, grid);
    for (int32_t y = box.y0; y <= box.y1; y++)
        for (int32_t x = box.x0; x <= box.x1; x++)
            if (!visit(triangles, (uint32_t)(y * grid->tiles_x + x), number)) return false;
    return true;
}

static bool add_to_tile(ground_triangles *triangles, uint32_t tile, uint32_t number) {
    ground_list *list = &triangles->tiles[tile];
    if (!list_reserve(list, 1)) return false;
    list->numbers[list->count++] = number;
    return true;
}

bool wend__ground_sort_triangles(ground_triangles *triangles, const ground_spans *grid) {
    triangles->tile_count = (uint32_t)(grid->tiles_x * grid->tiles_y);
    triangles->tiles = calloc(triangles->tile_count, sizeof *triangles->tiles);
    triangles->marked = calloc(triangles->tile_count, 1);
    if (!triangles->tiles || !triangles->marked) return false;
    for (uint32_t i = 0; i < triangles->count; i++)
        if (!for_tiles(triangles, grid, &triangles->corners[9 * (size_t)i], i, add_to_tile)) return false;
    return true;
}

/* ---- triangles set later ---- */

static bool make_room_in_tile(ground_triangles *triangles, uint32_t tile, uint32_t number) {
    (void)number;
    ground_list *list = &triangles->tiles[tile];
    return list_reserve(list, ++list->coming);
}

static bool forget_coming(ground_triangles *triangles, uint32_t tile, uint32_t number) {
    (void)number;
    triangles->tiles[tile].coming = 0;
    return true;
}

static void mark_tile(ground_triangles *triangles, uint32_t tile) {
    triangles->marked_count += !triangles->marked[tile];
    triangles->marked[tile] = 1;
}

static bool put_in_tile(ground_triangles *triangles, uint32_t tile, uint32_t number) {
    list_add(&triangles->tiles[tile], number);
    mark_tile(triangles, tile);
    return true;
}

static bool take_from_tile(ground_triangles *triangles, uint32_t tile, uint32_t number) {
    list_remove(&triangles->tiles[tile], number);
    mark_tile(triangles, tile);
    return true;
}

static bool make_room(ground_triangles *triangles, const ground_spans *grid, uint32_t first, uint32_t count,
                      const float *corners) {
    bool good = wend__ground_reserve_triangles(triangles, (size_t)first + count);
    for (uint32_t i = 0; good && corners && i < count; i++)
        good = for_tiles(triangles, grid, &corners[9 * (size_t)i], first + i, make_room_in_tile);
    for (uint32_t i = 0; corners && i < count; i++)
        for_tiles(triangles, grid, &corners[9 * (size_t)i], first + i, forget_coming);
    return good;
}

bool wend__ground_replace_triangles(ground_triangles *triangles, const ground_spans *grid, uint32_t first,
                                    uint32_t count, const float *corners, const uint8_t *classes) {
    if (!make_room(triangles, grid, first, count, corners)) return false;
    for (uint32_t i = first; i < first + count; i++) {
        float *own = &triangles->corners[9 * (size_t)i];
        if (i < triangles->count && !triangles->absent[i]) for_tiles(triangles, grid, own, i, take_from_tile);
        if (i >= triangles->count) triangles->count = i + 1;
        triangles->absent[i] = 1;
        if (!corners) continue;
        wend__ground_set_corners(triangles, i, &corners[9 * (size_t)(i - first)],
                                 classes ? classes[i - first] : (uint8_t)WEND_CLASS_OPEN);
        for_tiles(triangles, grid, own, i, put_in_tile);
    }
    return true;
}
