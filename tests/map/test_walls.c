/* SPDX-License-Identifier: MIT */
/* Values of a layer of walls, cell by cell and in boxes, compared with distances that are counted in rounds. */
#include "map/map_support.h"
#include "models/few_or_many.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/layers.h>

enum { MOST_WIDTH = 140, MOST_HEIGHT = 70 };

typedef struct walls {
    int32_t width, height, wrap;
    bool near[MOST_HEIGHT][MOST_WIDTH];
    uint8_t wanted[MOST_HEIGHT][MOST_WIDTH];
} walls;

/* Returns whether a cell is marked; off the map, along an axis that does not wrap, all is. */
static bool is_near(const walls *w, int32_t x, int32_t y) {
    if (w->wrap & WEND_WRAP_X) x = (x + w->width) % w->width;
    if (w->wrap & WEND_WRAP_Y) y = (y + w->height) % w->height;
    return x < 0 || y < 0 || x >= w->width || y >= w->height || w->near[y][x];
}

/* Marks the neighbours of all that is marked, a round for each cell of distance. */
static void count_rounds(walls *w, int32_t within) {
    static walls before;
    for (int32_t round = 0; round <= within; round++) {
        if (round > 0) {
            before = *w;
            for (int32_t y = 0; y < w->height; y++)
                for (int32_t x = 0; x < w->width; x++)
                    for (int32_t k = 0; k < 9; k++) w->near[y][x] |= is_near(&before, x + k % 3 - 1, y + k / 3 - 1);
        }
        const int32_t value = round == 0 ? 255 : 255 * (within + 1 - round) / within;
        for (int32_t y = 0; y < w->height; y++)
            for (int32_t x = 0; x < w->width; x++)
                if (w->near[y][x] && w->wanted[y][x] == 0) w->wanted[y][x] = (uint8_t)value;
    }
}

static wend_map *random_map(walls *w, uint64_t *seed) {
    wend_map_def def = default_map();
    w->width = 65 + (int32_t)draw(seed, MOST_WIDTH - 64), w->height = 3 + (int32_t)draw(seed, MOST_HEIGHT - 2);
    def.width = w->width, def.height = w->height, def.wrap = w->wrap;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (uint32_t i = draw(seed, 12); i > 0; i--) {
        const int32_t x = (int32_t)draw(seed, (uint32_t)w->width), y = (int32_t)draw(seed, (uint32_t)w->height);
        w->near[y][x] = true;
        cr_assert_eq(wend_edit_set_cell(edit, at(x, y), WEND_CLASS_BLOCKED), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

Test(map_walls, have_the_values_of_their_distances) {
    static walls w;
    static uint8_t values[MOST_HEIGHT][MOST_WIDTH];
    uint64_t seed = 67;
    for (int32_t round = 0; round < few_or_many(10, 40); round++) {
        memset(&w, 0, sizeof w);
        w.wrap = round % 4;
        OWNED_MAP *map = random_map(&w, &seed);
        wend_layer_def def = default_layer();
        int32_t layer;
        def.within = 1 + (int32_t)draw(&seed, round % 8 < 4 ? 6 : WEND_MAX_WITHIN);
        cr_assert_eq(wend_map_add_layer(map, &def, &layer), WEND_OK);
        count_rounds(&w, def.within);
        const wend_box all = {at(0, 0), at(w.width - 1, w.height - 1)};
        cr_assert_eq(wend_map_get_layer_box(map, layer, all, values[0], MOST_WIDTH), WEND_OK);
        for (int32_t y = 0; y < w.height; y++)
            for (int32_t x = 0; x < w.width; x++) {
                uint8_t one = 0;
                cr_assert_eq(wend_map_get_layer_value(map, layer, at(x, y), &one), WEND_OK);
                cr_assert(one == w.wanted[y][x] && values[y][x] == one, "%d x %d, wrap %d, within %d, %d,%d: %d %d %d",
                          w.width, w.height, w.wrap, def.within, x, y, one, values[y][x], w.wanted[y][x]);
            }
    }
}
