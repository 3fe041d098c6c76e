/* SPDX-License-Identifier: MIT */
/* Pictures for terminals: a letter a cell, on request on coloured ground. */
#include "extra/picture.h"

#include <stdlib.h>

/// Maps up to this wide are drawn two columns a cell when in colour: letters are twice as high as wide.
enum { DOUBLE_UP_TO = 40 };

/// The nearest of the 216 colours that every terminal with 256 colours has.
static int32_t terminal_colour(wend__rgb c) {
    int32_t parts[3] = {c.r, c.g, c.b}, number = 0;
    for (int32_t i = 0; i < 3; i++)
        number = number * 6 + (parts[i] < 48 ? 0 : parts[i] < 115 ? 1 : (parts[i] - 35) / 40);
    return 16 + number;
}

static void put_plain_row(wend__outlet *outlet, const uint8_t *looks, int32_t width) {
    for (int32_t x = 0; x < width; x++) {
        char letter = wend__look_letter(looks[x]);
        wend__outlet_put(outlet, &letter, 1);
    }
    wend__outlet_put(outlet, "\n", 1);
}

/// Ground that colour alone tells apart has no letter, so that what matters stands out.
static char letter_on_colour(int32_t look) {
    if (look == WEND__LOOK_OPEN || look == WEND__LOOK_BLOCKED || look >= WEND__LOOK_PATHS) return ' ';
    return wend__look_letter(look);
}

static void put_colour_row(wend__outlet *outlet, const uint8_t *looks, int32_t width) {
    int32_t last = -1;
    for (int32_t x = 0; x < width; x++) {
        int32_t look = looks[x];
        bool bright = look == WEND__LOOK_START || look == WEND__LOOK_GOAL;
        if (look != last)
            wend__outlet_print(outlet, "\033[%s;48;5;%dm", bright ? "1;97" : "0;38;5;240",
                               (int)terminal_colour(wend__look_colour(look)));
        char cell[2] = {letter_on_colour(look), ' '};
        wend__outlet_put(outlet, cell, width <= DOUBLE_UP_TO ? 2 : 1);
        last = look;
    }
    wend__outlet_print(outlet, "\033[0m\n");
}

int32_t wend__ansi_write(const wend__drawing *drawing, wend__outlet *outlet) {
    wend__drawing cells = *drawing;
    cells.scale = cells.line = cells.marker = 1;
    cells.halo = 0;
    cells.grid = false;
    wend__canvas canvas = {.drawing = &cells, .width = cells.width, .bottom = cells.height};
    canvas.pixels = malloc((size_t)cells.width * (size_t)cells.height);
    if (!canvas.pixels) return WEND_OUT_OF_MEMORY;
    int32_t error = wend__canvas_draw(&canvas);
    for (int32_t y = 0; y < cells.height && !error && !outlet->error; y++) {
        const uint8_t *row = canvas.pixels + (size_t)y * (size_t)cells.width;
        if (drawing->picture->colours)
            put_colour_row(outlet, row, cells.width);
        else
            put_plain_row(outlet, row, cells.width);
    }
    free(canvas.pixels);
    if (error) return error;
    wend__outlet_flush(outlet);
    return outlet->error;
}
