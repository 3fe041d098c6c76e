/* SPDX-License-Identifier: MIT */
/* Writes pictures for terminals: a letter a cell, on coloured ground where colours are asked for. */
#include "drawing/colours.h"
#include "pictures/canvas.h"

#include <stdlib.h>
#include <string.h>

/// In colour, maps up to this wide have two columns a cell: letters are twice as high as wide.
enum { DOUBLE_UP_TO = 40 };

/// Finds the nearest of the 216 colours that every terminal with 256 colours has.
static int32_t terminal_colour(wend__rgb c) {
    int32_t parts[3] = {c.r, c.g, c.b}, number = 0;
    for (int32_t i = 0; i < 3; i++)
        number = number * 6 + (parts[i] < 48 ? 0 : parts[i] < 115 ? 1 : (parts[i] - 35) / 40);
    return 16 + number;
}

/// Footprints over the ground: a letter a cell, 0 for none, and the ink of their path.
typedef struct prints {
    char *letters;
    uint8_t *inks;
    int32_t width;
    int32_t ink; ///< ink of the current path
} prints;

/// Note two feet: side by side, one behind the other, or diagonal.
static void note_print(void *context, wend__spot at, int32_t dx, int32_t dy) {
    prints *p = context;
    size_t cell = (size_t)at.y * (size_t)p->width + (size_t)at.x;
    p->letters[cell] = dx && dy ? '%' : dx ? ':' : '"';
    p->inks[cell] = (uint8_t)p->ink;
}

/// A row of the picture: the inks of its cells, and the footprints on them, if there are any.
typedef struct row {
    const uint8_t *inks;
    const char *letters;
    const uint8_t *print_inks;
    int32_t width;
} row;

/// Gets the footprint on a cell, unless a marker, unit or change of floor hides it.
static char print_at(const row *r, int32_t x) {
    int32_t ink = r->inks[x];
    bool hidden = ink == WEND__INK_START || ink == WEND__INK_GOAL || ink == WEND__INK_UNIT || ink == WEND__INK_UP ||
                  ink == WEND__INK_DOWN;
    return r->letters && !hidden ? r->letters[x] : 0;
}

static void put_plain_row(wend__outlet *outlet, const row *r) {
    for (int32_t x = 0; x < r->width; x++) {
        char print = print_at(r, x), letter = print ? print : wend__ink_letter(r->inks[x]);
        wend__outlet_put(outlet, &letter, 1);
    }
    wend__outlet_put(outlet, "\n", 1);
}

/// Open and blocked ground and paths have no letter on colour, so that other letters are easy to see.
static char letter_on_colour(int32_t ink) {
    if (ink == WEND__INK_OPEN || ink == WEND__INK_BLOCKED || ink >= WEND__INK_PATHS) return ' ';
    return wend__ink_letter(ink);
}

static void put_colours(wend__outlet *outlet, int32_t ink, int32_t print_ink) {
    int ground = (int)terminal_colour(wend__ink_colour(ink));
    bool bright = ink == WEND__INK_START || ink == WEND__INK_GOAL || ink == WEND__INK_LINK || ink == WEND__INK_UNIT ||
                  ink == WEND__INK_UP || ink == WEND__INK_DOWN;
    if (print_ink >= 0)
        wend__outlet_print(outlet, "\033[1;38;5;%d;48;5;%dm", (int)terminal_colour(wend__ink_colour(print_ink)),
                           ground);
    else
        wend__outlet_print(outlet, "\033[%s;48;5;%dm", bright ? "1;97" : "0;38;5;240", ground);
}

static void put_colour_row(wend__outlet *outlet, const row *r) {
    int32_t last = -1, last_print = -1;
    for (int32_t x = 0; x < r->width; x++) {
        int32_t ink = r->inks[x];
        char print = print_at(r, x);
        int32_t print_ink = print ? r->print_inks[x] : -1;
        if (ink != last || print_ink != last_print) put_colours(outlet, ink, print_ink);
        char cell[2] = {print ? print : letter_on_colour(ink), ' '};
        wend__outlet_put(outlet, cell, r->width <= DOUBLE_UP_TO ? 2 : 1);
        last = ink, last_print = print_ink;
    }
    wend__outlet_print(outlet, "\033[0m\n");
}

static void put_rows(const wend__drawing *cells, wend__outlet *outlet, const uint8_t *inks, const prints *feet) {
    for (int32_t y = 0; y < cells->height && !outlet->error; y++) {
        size_t at = (size_t)y * (size_t)cells->width;
        row r = {inks + at, feet->letters ? feet->letters + at : NULL, feet->inks + at, cells->width};
        int32_t layer = wend__layer_labelled(cells, y);
        if (layer >= 0)
            wend__outlet_print(outlet, "z=%d\n", (int)layer);
        else if (cells->picture->colours)
            put_colour_row(outlet, &r);
        else
            put_plain_row(outlet, &r);
    }
}

/// Gets the letter of a sign; 0: it has none.
static char sign_letter(const wend__drawing *d, const wend__legend_item *item) {
    if (item->sign == WEND__SIGN_PATH && d->feet) return ':';
    bool has_letter = item->sign != WEND__SIGN_NONE && item->sign != WEND__SIGN_STEP;
    return has_letter ? wend__ink_letter(item->ink) : 0;
}

/// Writes the legend's items, up to 80 columns a line: a letter, on its colour where there are colours, and a word.
static void put_legend(const wend__drawing *d, const wend__legend *l, wend__outlet *outlet) {
    enum { COLUMNS = 80 };
    size_t column = 0;
    bool before_captions = true;
    for (int32_t i = 0; i < l->count; i++) {
        const wend__legend_item *item = &l->items[i];
        char letter = sign_letter(d, item);
        size_t width = strlen(item->text) + (letter ? 2 : 0);
        bool own_line = before_captions || column + width > COLUMNS;
        if (column) wend__outlet_print(outlet, own_line ? "\n" : "  ");
        if (column && own_line) column = 0;
        before_captions = item->sign == WEND__SIGN_NONE;
        if (letter && d->picture->colours) {
            put_colours(outlet, item->ink, -1);
            wend__outlet_print(outlet, "%c\033[0m ", letter == ':' ? letter : letter_on_colour(item->ink));
        } else if (letter) {
            wend__outlet_print(outlet, "%c ", letter);
        }
        wend__outlet_print(outlet, "%s", item->text);
        column += width + 2;
    }
    if (l->count) wend__outlet_print(outlet, "\n");
}

/// Copies a drawing, with one pixel a cell.
static wend__drawing in_cells(const wend__drawing *drawing) {
    wend__drawing cells = *drawing;
    cells.scale = cells.line = cells.marker = cells.unit = cells.expanded = 1;
    cells.halo = 0;
    cells.grid = false;
    return cells;
}

static wend_error put_picture(const wend__drawing *cells, wend__outlet *outlet) {
    size_t count = (size_t)cells->width * (size_t)cells->height;
    wend__raster raster = {.width = cells->width, .bottom = cells->height};
    uint8_t *planes = calloc(count, cells->feet ? 3 : 1);
    if (!planes) return WEND_OUT_OF_MEMORY;
    raster.pixels = planes;
    prints feet = {.inks = planes, .width = cells->width};
    wend_error error = wend__canvas_map(cells, &raster);
    if (cells->feet) {
        feet.letters = (char *)planes + count, feet.inks = planes + 2 * count;
        for (size_t i = cells->picture->path_count; i-- > 0;) {
            feet.ink = wend__path_ink(i);
            wend__feet_walk(cells, &cells->picture->paths[i], note_print, &feet);
        }
    }
    if (!error) put_rows(cells, outlet, planes, &feet);
    free(planes);
    return error;
}

wend_error wend__ansi_write(const wend__drawing *drawing, const wend__legend *legend, wend__outlet *outlet) {
    wend__drawing cells = in_cells(drawing);
    wend_error error = drawing->picture->legend == WEND_LEGEND_ONLY ? WEND_OK : put_picture(&cells, outlet);
    if (error) return error;
    put_legend(&cells, legend, outlet);
    wend__outlet_flush(outlet);
    return outlet->error;
}
