/* SPDX-License-Identifier: MIT */
/* Sheets for the spans of a tile that is made again. Which ones is free, as long as no sheet has two spans in a column:
 * steps from sheet to sheet are seams, whose costs are right anyway. Few seams are the aim. */
#include <stdlib.h>

#include "sheets.h"

enum { NOT_CHOSEN = 255 };

typedef struct chooser {
    const ground_spans *spans;
    const ground_layout *layout;
    ground_piece *piece;
    int32_t x, y;    /* first column of the tile */
    uint32_t *queue; /* spans with a sheet; their neighbours wait */
    uint32_t count, next;
} chooser;

static uint32_t own_column(const ground_span *s) {
    return (uint32_t)(s->y % GROUND_TILE * GROUND_TILE + s->x % GROUND_TILE);
}

static bool is_free(const chooser *c, const ground_span *s, uint8_t sheet) {
    const ground_sheet *box = &c->layout->sheets[sheet];
    if (s->x < box->x || s->y < box->y || s->x >= box->x + box->width || s->y >= box->y + box->height) return false;
    const uint32_t column = own_column(s);
    for (uint32_t i = c->piece->columns[column]; i < c->piece->columns[column + 1]; i++)
        if (c->piece->spans[i].sheet == sheet) return false;
    return true;
}

static void choose(chooser *c, uint32_t span, uint8_t sheet) {
    c->piece->spans[span].sheet = sheet;
    c->queue[c->count++] = span;
}

/* The sheet of the nearest floor that stands there, if a step's height lies between at most. */
static void keep_sheet(chooser *c, uint32_t span) {
    const ground_span *s = &c->piece->spans[span];
    const size_t column = ground_column(c->spans, s->x, s->y);
    int32_t least = c->spans->climb + 1;
    int32_t sheet = -1;
    for (uint32_t i = c->spans->columns[column]; i < c->spans->columns[column + 1]; i++) {
        const ground_span *old = &c->spans->spans[i];
        const int32_t apart = abs(old->floor - s->floor);
        if (apart >= least || !is_free(c, s, old->sheet)) continue;
        least = apart;
        sheet = old->sheet;
    }
    if (sheet >= 0) choose(c, span, (uint8_t)sheet);
}

/* The sheet of a span in a tile next to it. */
static void adopt_sheet(chooser *c, uint32_t span) {
    const ground_span *s = &c->piece->spans[span];
    for (int32_t d = 0; d < GROUND_DIRECTIONS && s->sheet == NOT_CHOSEN; d++) {
        const int32_t x = s->x + ground_dx[d], y = s->y + ground_dy[d];
        if (x >= c->x && y >= c->y && x < c->x + GROUND_TILE && y < c->y + GROUND_TILE) continue;
        const int32_t other = wend__ground_find_joined(c->spans, s, x, y);
        if (other >= 0 && is_free(c, s, c->spans->spans[other].sheet)) choose(c, span, c->spans->spans[other].sheet);
    }
}

static void spread(chooser *c) {
    while (c->next < c->count) {
        const ground_span *s = &c->piece->spans[c->queue[c->next++]];
        for (int32_t d = 0; d < GROUND_DIRECTIONS; d++) {
            const ground_span *to = s->next[d] < 0 ? NULL : &c->piece->spans[s->next[d]];
            if (to && to->sheet == NOT_CHOSEN && is_free(c, to, s->sheet)) choose(c, (uint32_t)s->next[d], s->sheet);
        }
    }
}

static bool choose_any(chooser *c, uint32_t span) {
    for (uint32_t sheet = 0; sheet < c->layout->count; sheet++) {
        if (!is_free(c, &c->piece->spans[span], (uint8_t)sheet)) continue;
        choose(c, span, (uint8_t)sheet);
        return true;
    }
    return false;
}

static bool choose_all(chooser *c) {
    const ground_span *spans = c->piece->spans;
    for (uint32_t i = 0; i < c->piece->count; i++) keep_sheet(c, i);
    for (uint32_t i = 0; i < c->piece->count; i++)
        if (spans[i].sheet == NOT_CHOSEN) adopt_sheet(c, i);
    spread(c);
    for (uint32_t i = 0; i < c->piece->count; i++) {
        if (spans[i].sheet != NOT_CHOSEN) continue;
        if (!choose_any(c, i)) return false;
        spread(c);
    }
    return true;
}

wend_error wend__ground_choose_sheets(const ground_spans *spans, const ground_layout *layout, uint32_t tile,
                                      ground_piece *piece) {
    chooser c = {.spans = spans,
                 .layout = layout,
                 .piece = piece,
                 .x = (int32_t)tile % spans->tiles_x * GROUND_TILE,
                 .y = (int32_t)tile / spans->tiles_x * GROUND_TILE,
                 .queue = malloc(((size_t)piece->count + 1) * sizeof *c.queue)};
    if (!c.queue) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < piece->count; i++) piece->spans[i].sheet = NOT_CHOSEN;
    const bool good = choose_all(&c);
    free(c.queue);
    return good ? WEND_OK : WEND_BUSY;
}
