/* SPDX-License-Identifier: MIT */
/* Pictures of hexagons: a polygon a cell, pixels in the nearest hexagon, letters in shifted rows. */
#include "extra/extra_help.h"
#include "extra/png_help.h"

static wend_map *hexagons(void) {
    wend_map_rules rules = default_rules();
    rules.neighbours = 6;
    wend_map_def def = default_map();
    def.width = 3, def.height = 2, def.rules = &rules;
    wend_map *map = made_map(&def);
    cr_assert_eq(wend_map_set_cell(map, (wend_cell){1, 1, 0}, 0, NULL), WEND_OK);
    return map;
}

static wend_picture picture_of(const wend_map *map, int32_t format) {
    wend_picture picture = default_picture();
    picture.map = map, picture.format = format, picture.legend = WEND_LEGEND_NONE;
    return picture;
}

Test(extra_hexagons, are_letters_in_shifted_rows) {
    OWNED_MAP *map = hexagons();
    const wend_picture picture = picture_of(map, WEND_PICTURE_ANSI);
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(&picture, keep_bytes, &out), WEND_OK);
    cr_assert_str_eq(out.data, ". . . \n . # .\n");
    free(out.data);
}

Test(extra_hexagons, are_polygons_in_svg) {
    OWNED_MAP *map = hexagons();
    const wend_picture picture = picture_of(map, WEND_PICTURE_SVG);
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(&picture, keep_bytes, &out), WEND_OK);
    cr_assert(strstr(out.data, "viewBox=\"0 0 8 5\""));
    cr_assert(strstr(out.data, "<path fill=\"#343c48\" d=\"M4.5 2.167l1 .666v1.334l-1 .666-1-.666v-1.334z\"/>"));
    free(out.data);
}

/* Cells have 20 pixels: middles lie 20 apart in a row, and a row is shifted by 10. */
Test(extra_hexagons, are_the_nearest_to_each_pixel_in_png) {
    OWNED_MAP *map = hexagons();
    wend_picture picture = picture_of(map, WEND_PICTURE_PNG);
    picture.cell_pixels = 20;
    const image drawn = decode(&picture);
    cr_assert(drawn.width == 80 && drawn.height == 50);
    int blocked = 0;
    for (int y = 0; y < drawn.height; y++)
        for (int x = 0; x < drawn.width; x++) {
            /* The middle of 1,1 is at 45,35; the six around it lie 20, 0 and 10, 20 away. Rows are stretched. */
            const double dx = x + .5 - 45, dy = (y + .5 - 35) * .8660254, own = dx * dx + dy * dy;
            double least = 1e9;
            for (int d = 0; d < 6; d++) {
                static const double around[6][2] = {{20, 0}, {-20, 0}, {10, 1}, {-10, 1}, {10, -1}, {-10, -1}};
                const double ox = dx - around[d][0], oy = dy - around[d][1] * 17.320508 * (d > 1);
                if (ox * ox + oy * oy < least) least = ox * ox + oy * oy;
            }
            const uint32_t colour = pixel(&drawn, x, y);
            const bool dark = (colour >> 16) < 0x90;
            if (own < least - 20) cr_assert(dark, "%d,%d: %06x", x, y, colour);
            if (own > least + 20) cr_assert(!dark, "%d,%d: %06x", x, y, colour);
            blocked += dark;
        }
    cr_assert(blocked > 350 && blocked < 450); /* 400 */
    free(drawn.rgb);
}
