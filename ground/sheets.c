/* SPDX-License-Identifier: MIT */
/* Cuts the ground into sheets by floods, the lowest span first, so that a floor is finished before a ramp leads away
 * from it. Few seams matter more than few sheets: large pieces go first, small ones are left for the last sheets. */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

/* Least spans of a piece, pass by pass: large pieces first leave few seams. */
static const uint32_t least_spans[] = {2000, 64, 1};
enum { PASSES = sizeof least_spans / sizeof least_spans[0], NOT_YET = 255, LEFT_OUT = 254, CHUNK = WEND_CHUNK_SIDE };
_Static_assert(WEND_MAX_GROUND_SHEETS < LEFT_OUT, "a byte holds the number of a sheet");

typedef struct cutter {
    ground_spans *spans;
    uint8_t *used;   /* columns that the sheet covers */
    uint32_t *order; /* spans, the lowest first */
    uint64_t *heap;  /* floor and number of spans at the rim of a flood */
    uint32_t heap_count;
    uint32_t *piece; /* spans of a flood */
    uint32_t piece_count;
    uint32_t left; /* spans without a sheet */
} cutter;

static size_t column_of(const ground_spans *g, uint32_t span) {
    return ground_column(g, g->spans[span].x, g->spans[span].y);
}
static uint64_t heap_key(const ground_spans *g, uint32_t span) {
    return (uint64_t)(uint32_t)g->spans[span].floor << 32 | span;
}

static size_t column_places(const ground_spans *g) {
    return (size_t)g->tiles_x * (size_t)g->tiles_y * (GROUND_TILE_COLUMNS + 1);
}

static void heap_push(cutter *c, uint64_t key) {
    uint32_t at = c->heap_count++;
    for (; at > 0 && c->heap[(at - 1) / 2] > key; at = (at - 1) / 2) c->heap[at] = c->heap[(at - 1) / 2];
    c->heap[at] = key;
}

static uint32_t heap_pop(cutter *c) {
    const uint64_t least = c->heap[0], last = c->heap[--c->heap_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= c->heap_count) break;
        if (child + 1 < c->heap_count && c->heap[child + 1] < c->heap[child]) child++;
        if (c->heap[child] >= last) break;
        c->heap[at] = c->heap[child];
        at = child;
    }
    c->heap[at] = last;
    return (uint32_t)least;
}

static void take_span(cutter *c, uint32_t span, uint8_t sheet) {
    c->spans->spans[span].sheet = sheet;
    c->used[column_of(c->spans, span)] = 1;
    c->piece[c->piece_count++] = span;
    heap_push(c, heap_key(c->spans, span));
}

static bool can_take(const cutter *c, uint32_t span) {
    return c->spans->spans[span].sheet == NOT_YET && !c->used[column_of(c->spans, span)];
}

/* The spans that can be reached from one over others of the sheet. */
static void flood(cutter *c, uint32_t from, uint8_t sheet) {
    c->piece_count = 0;
    take_span(c, from, sheet);
    while (c->heap_count > 0) {
        const ground_span *span = &c->spans->spans[heap_pop(c)];
        for (int d = 0; d < GROUND_DIRECTIONS; d++)
            if (span->next[d] >= 0 && can_take(c, (uint32_t)span->next[d]))
                take_span(c, (uint32_t)span->next[d], sheet);
    }
}

static void leave_piece_out(cutter *c) {
    for (uint32_t i = 0; i < c->piece_count; i++) {
        c->spans->spans[c->piece[i]].sheet = LEFT_OUT;
        c->used[column_of(c->spans, c->piece[i])] = 0;
    }
}

/* @return whether the sheet got a piece */
static bool cut_pieces(cutter *c, uint8_t sheet, uint32_t least) {
    const uint32_t before = c->left;
    for (uint32_t i = 0; i < c->spans->count; i++) {
        if (!can_take(c, c->order[i])) continue;
        flood(c, c->order[i], sheet);
        if (c->piece_count < least)
            leave_piece_out(c);
        else
            c->left -= c->piece_count;
    }
    for (uint32_t i = 0; i < c->spans->count; i++)
        if (c->spans->spans[i].sheet == LEFT_OUT) c->spans->spans[i].sheet = NOT_YET;
    return c->left < before;
}

static void cut_sheet(cutter *c, uint8_t sheet) {
    memset(c->used, 0, column_places(c->spans));
    for (int pass = 0; pass < PASSES && !cut_pieces(c, sheet, least_spans[pass]); pass++) {
    }
}

/* By counting: floors are small numbers. Equal ones keep their order. */
static bool sort_by_floor(const ground_spans *g, uint32_t *order) {
    uint32_t *firsts = calloc(WEND_MAX_GROUND_LEVELS + 3, sizeof *firsts);
    if (!firsts) return false;
    for (uint32_t i = 0; i < g->count; i++) firsts[g->spans[i].floor + 1]++;
    for (int32_t f = 0; f <= WEND_MAX_GROUND_LEVELS + 1; f++) firsts[f + 1] += firsts[f];
    for (uint32_t i = 0; i < g->count; i++) order[firsts[g->spans[i].floor]++] = i;
    free(firsts);
    return true;
}

/* ---- where they lie ---- */

static void measure_sheets(const ground_spans *g, ground_layout *out) {
    for (uint32_t i = 0; i < g->count; i++) {
        ground_sheet *s = &out->sheets[g->spans[i].sheet];
        const int32_t x = g->spans[i].x, y = g->spans[i].y;
        if (s->width == 0) *s = (ground_sheet){.x = x, .y = y, .width = 1, .height = 1};
        const int32_t end_x = s->x + s->width > x + 1 ? s->x + s->width : x + 1;
        const int32_t end_y = s->y + s->height > y + 1 ? s->y + s->height : y + 1;
        if (x < s->x) s->x = x;
        if (y < s->y) s->y = y;
        s->width = end_x - s->x;
        s->height = end_y - s->y;
    }
}

/* With a blocked row and column between it and the next. */
static int32_t in_chunks(int32_t cells) {
    return (cells + 1 + CHUNK - 1) / CHUNK * CHUNK;
}

/* On shelves, as wide as the widest sheet, in the order of the sheets. */
static void place_sheets(ground_layout *out) {
    int32_t x = 0, y = 0, shelf = 0, end_y = 0;
    for (uint32_t i = 0; i < out->count; i++)
        if (in_chunks(out->sheets[i].width) > out->width) out->width = in_chunks(out->sheets[i].width);
    for (uint32_t i = 0; i < out->count; i++) {
        ground_sheet *s = &out->sheets[i];
        if (x + in_chunks(s->width) > out->width) {
            x = 0;
            y += shelf;
            shelf = 0;
        }
        s->map_x = x;
        s->map_y = y;
        x += in_chunks(s->width);
        if (in_chunks(s->height) > shelf) shelf = in_chunks(s->height);
        if (y + s->height > end_y) end_y = y + s->height;
    }
    if (out->count == 1) out->width = out->sheets[0].width;
    out->height = end_y;
}

static bool cut_all(cutter *c, int32_t spare, ground_layout *out, ground_trouble *trouble) {
    c->left = c->spans->count;
    for (uint32_t i = 0; i < c->spans->count; i++) c->spans->spans[i].sheet = NOT_YET;
    if (!sort_by_floor(c->spans, c->order)) return wend__ground_fail(trouble, WEND_OUT_OF_MEMORY, "no memory");
    while (c->left > 0) {
        if (out->count + (uint32_t)spare >= WEND_MAX_GROUND_SHEETS)
            return wend__ground_fail(trouble, WEND_UNSUPPORTED, "the ground needs more than 64 sheets");
        cut_sheet(c, (uint8_t)out->count++);
    }
    return true;
}

static bool lay_out(const ground_spans *spans, bool changes, int32_t spare, ground_layout *out,
                    ground_trouble *trouble) {
    out->count += (uint32_t)spare;
    if (changes) {
        for (uint32_t i = 0; i < out->count; i++)
            out->sheets[i] = (ground_sheet){.width = spans->width, .height = spans->height};
    } else {
        measure_sheets(spans, out);
    }
    place_sheets(out);
    if (out->width > WEND_MAX_SIDE || out->height > WEND_MAX_SIDE)
        return wend__ground_fail(trouble, WEND_UNSUPPORTED,
                                 "the sheets need a map of more than 65,536 cells on a side");
    return true;
}

bool wend__ground_cut(ground_spans *spans, bool changes, int32_t spare, ground_layout *out, ground_trouble *trouble) {
    const size_t count = spans->count;
    memset(out, 0, sizeof *out);
    cutter c = {.spans = spans,
                .used = malloc(column_places(spans)),
                .order = malloc(count * sizeof *c.order),
                .heap = malloc(count * sizeof *c.heap),
                .piece = malloc(count * sizeof *c.piece)};
    const bool room = c.used && c.order && c.heap && c.piece;
    bool good = room ? cut_all(&c, spare, out, trouble) : wend__ground_fail(trouble, WEND_OUT_OF_MEMORY, "no memory");
    free(c.used);
    free(c.order);
    free(c.heap);
    free(c.piece);
    return good && lay_out(spans, changes, spare, out, trouble);
}

/* ---- spans and cells ---- */

wend_cell wend__ground_cell_of(const ground_layout *layout, const ground_span *span) {
    const ground_sheet *s = &layout->sheets[span->sheet];
    return (wend_cell){span->x - s->x + s->map_x, span->y - s->y + s->map_y, 0};
}

int32_t wend__ground_span_of(const ground_spans *spans, const ground_layout *layout, wend_cell cell) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const ground_sheet *s = &layout->sheets[i];
        const int32_t x = cell.x - s->map_x, y = cell.y - s->map_y;
        if (x < 0 || y < 0 || x >= s->width || y >= s->height) continue;
        const size_t column = ground_column(spans, x + s->x, y + s->y);
        for (uint32_t span = spans->columns[column]; span < spans->columns[column + 1]; span++)
            if (spans->spans[span].sheet == i) return (int32_t)span;
    }
    return -1;
}

bool wend__ground_is_seam(const ground_spans *spans, int32_t span, int32_t k, int32_t to) {
    const ground_span *s = &spans->spans[span];
    if (spans->spans[to].sheet != s->sheet) return true;
    if (k % 2 == 0) return false;
    return spans->spans[s->next[k / 2]].sheet != s->sheet ||
           spans->spans[s->next[(k / 2 + 1) % GROUND_DIRECTIONS]].sheet != s->sheet;
}
