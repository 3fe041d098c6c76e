/* SPDX-License-Identifier: MIT */
/* For the tests of pictures: PNG read back into pixels. */
#ifndef TESTS_PNG_HELP_H
#define TESTS_PNG_HELP_H

#include "models/defaults.h"
#include "extra/extra_help.h"

#include <png.h>

enum { OPEN = 0xfaf8f2, BLOCKED = 0x343c48, SWAMP = 0xaabe50, WATER = 0x88bee0, START = 0x008660, GOAL = 0xd54600 };

typedef struct image {
    int width, height;
    uint8_t *rgb;
} image;

static inline image decode(const wend_picture *picture) {
    bytes out = no_bytes();
    cr_assert_eq(wend_picture_write(picture, keep_bytes, &out), WEND_OK);
    png_image png = {.version = PNG_IMAGE_VERSION};
    cr_assert(png_image_begin_read_from_memory(&png, out.data, out.size));
    png.format = PNG_FORMAT_RGB;
    image result = {.width = (int)png.width, .height = (int)png.height, .rgb = malloc(PNG_IMAGE_SIZE(png))};
    cr_assert(png_image_finish_read(&png, NULL, result.rgb, 0, NULL), "%s", png.message);
    free(out.data);
    return result;
}

static inline uint32_t pixel(const image *i, int x, int y) {
    const uint8_t *p = i->rgb + ((size_t)y * (size_t)i->width + (size_t)x) * 3;
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

#endif
