/* SPDX-License-Identifier: MIT */
/* Chooses the signs and words of a picture's legend, and places them. */
#include "drawing/legend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/colours.h"
#include "drawing/roads.h"

enum { MARGIN = 4, LINE = 13, ITEM_GAP = 9, LEAST_WIDTH = 240, LEAST_DOT = 2 }; /* dots; of LEAST_DOT pixels */

static wend__legend_item *add_item(wend__legend *l, wend__sign sign, int32_t ink, const char *text) {
    wend__legend_item *item = &l->items[l->count++]; /* there are fewer kinds of things than items */
    item->sign = sign, item->ink = ink;
    item->sign_width = sign == WEND__SIGN_NONE ? 0 : WEND__LEGEND_SIGN * l->dot;
    snprintf(item->text, sizeof item->text, "%s", text);
    return item;
}

/// Adds the caption, broken at blanks into lines that fit.
static void add_caption(wend__legend *l, const char *text, bool ansi) {
    int32_t fit = l->width / l->dot - 2 * MARGIN;
    size_t most = ansi ? 80 : (size_t)(fit / WEND__LEGEND_ADVANCE), left = strlen(text);
    while (left && l->count < 32) {
        size_t length = left;
        if (length > most) {
            length = most;
            while (length > 1 && text[length] != ' ') length--;
            if (length == 1) length = most;
        }
        wend__legend_item *item = add_item(l, WEND__SIGN_NONE, 0, "");
        memcpy(item->text, text, length);
        item->text[length] = 0;
        text += length, left -= length;
        while (*text == ' ') text++, left--;
    }
}

/// Finds the largest of 1, 2, 5, 10, 20, 50, … that is at most `most`; at least 1.
static int64_t round_number(int64_t most) {
    int64_t power = 1;
    while (power <= most / 10) power *= 10;
    return most >= 5 * power ? 5 * power : most >= 2 * power ? 2 * power : power;
}

static void add_scale(const wend__drawing *d, wend__legend *l) {
    char text[64];
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    int64_t whole = graph ? d->nodes.span : wend__larger(d->width, d->height) / (d->hexagons ? 2 : 1);
    int64_t pixels = graph ? d->nodes.span_pixels : whole * d->scale * (d->hexagons ? 2 : 1);
    if (whole <= 0) return;
    int64_t fits = whole * (l->width / 2) / pixels; /* the bar is at most half as wide as the legend */
    int64_t length = round_number(whole / 4 < fits ? whole / 4 : fits), bar = length * pixels / whole;
    if (bar > l->width / 2) return;
    snprintf(text, sizeof text, graph ? "distance %lld" : length == 1 ? "%lld cell" : "%lld cells", (long long)length);
    add_item(l, WEND__SIGN_SCALE, WEND__INK_BLOCKED, text)->sign_width = (int32_t)bar;
}

static void add_size(const wend__drawing *d, wend__legend *l) {
    char text[96];
    const wend_map_info *info = &d->info;
    if (info->kind == WEND_KIND_GRAPH)
        snprintf(text, sizeof text, "graph of %llu nodes, %llu edges", (unsigned long long)info->cells,
                 (unsigned long long)info->edges);
    else if (info->depth > 1)
        snprintf(text, sizeof text, "map of %d x %d x %d cells", (int)info->width, (int)info->height, (int)info->depth);
    else
        snprintf(text, sizeof text, "map of %d x %d cells", (int)info->width, (int)info->height);
    add_item(l, WEND__SIGN_NONE, 0, text);
}

typedef struct floors {
    bool up, down;
} floors;

static void note_floor(void *context, const wend__floor *floor) {
    floors *f = context;
    f->up |= floor->up, f->down |= !floor->up;
}

static void add_paths(const wend__drawing *d, wend__legend *l) {
    char text[48];
    const wend_picture *picture = d->picture;
    size_t count = 0;
    floors f = {false, false};
    for (size_t i = 0; i < picture->path_count; i++) {
        count += picture->paths[i].cell_count > 0;
        if (d->info.kind == WEND_KIND_VOXEL && !(f.up && f.down))
            wend__floors_visit(&picture->paths[i], note_floor, &f);
    }
    snprintf(text, sizeof text, count == 1 ? "path" : "%zu paths", count);
    if (picture->start_count) add_item(l, WEND__SIGN_START, WEND__INK_START, "start");
    if (picture->goal_count) add_item(l, WEND__SIGN_GOAL, WEND__INK_GOAL, "goal");
    if (count) add_item(l, WEND__SIGN_PATH, wend__path_ink(0), text);
    if (f.up) add_item(l, WEND__SIGN_UP, WEND__INK_UP, "floor up");
    if (f.down) add_item(l, WEND__SIGN_DOWN, WEND__INK_DOWN, "floor down");
    if (picture->unit_count) add_item(l, WEND__SIGN_UNIT, WEND__INK_UNIT, "unit");
    if (picture->expanded_count) add_item(l, WEND__SIGN_EXPANDED, WEND__INK_EXPANDED, "expanded");
}

static void add_roads(const wend__drawing *d, wend__legend *l) {
    bool one_way = false, two_way = false;
    for (size_t i = 0; i < d->link_count && !(one_way && two_way); i++) {
        bool one = d->link_count <= WEND__MOST_ARCS && wend__link_is_one_way(d, &d->links[i]);
        one_way |= one, two_way |= !one;
    }
    if (two_way) add_item(l, WEND__SIGN_LINK, WEND__INK_LINK, "link");
    if (one_way) add_item(l, WEND__SIGN_ONE_WAY_LINK, WEND__INK_LINK, "one-way link");
    if (d->step_count) add_item(l, WEND__SIGN_STEP, WEND__INK_STEP, "closed step");
    one_way = two_way = false;
    for (size_t i = 0; i < d->road_count && !(one_way && two_way); i++) {
        bool one = wend__road_is_one_way(d, &d->roads[i]);
        one_way |= one, two_way |= !one;
    }
    if (two_way) add_item(l, WEND__SIGN_ROAD, WEND__INK_EDGE, "road");
    if (one_way) add_item(l, WEND__SIGN_ONE_WAY_ROAD, WEND__INK_EDGE, "one-way road");
}

/// Finds which grounds there are. @return WEND_OK, WEND_OUT_OF_MEMORY, the map's error
static wend_error scan_grounds(const wend__drawing *d, bool seen[WEND__INK_COUNT]) {
    if (d->info.kind == WEND_KIND_GRAPH) {
        for (size_t i = 0; i < d->nodes.count; i++)
            if (d->nodes.x[i] >= 0) seen[d->nodes.inks[i]] = true;
        return WEND_OK;
    }
    uint8_t *row = malloc((size_t)d->width);
    if (!row) return WEND_OUT_OF_MEMORY;
    wend_error error = WEND_OK;
    for (int32_t y = 0; y < d->height && !error; y++) {
        error = wend__drawing_read(d, y, y + 1, row);
        for (int32_t x = 0; x < d->width && !error; x++) seen[row[x]] = true;
    }
    free(row);
    return error;
}

static wend_error add_grounds(const wend__drawing *d, wend__legend *l) {
    bool seen[WEND__INK_COUNT] = {false};
    static const char *const names[WEND__INK_SLOW] = {"open", "blocked", "water", "swamp"};
    bool graph = d->info.kind == WEND_KIND_GRAPH;
    wend_error error = scan_grounds(d, seen);
    if (error) return error;
    for (int32_t ink = 0; ink < WEND__INK_PAPER; ink++) {
        char text[48];
        int32_t factor = ink - WEND__INK_SLOW + 2;
        if (!seen[ink]) continue;
        if (ink < WEND__INK_SLOW)
            snprintf(text, sizeof text, "%s%s", names[ink], graph ? " node" : "");
        else
            snprintf(text, sizeof text, factor < 9 ? "cost x%d" : "cost x%d or more", (int)factor);
        add_item(l, WEND__SIGN_GROUND, ink, text);
    }
    return WEND_OK;
}

/// Place the items. Each line of the caption has a row of its own; other items share rows as far as they fit.
static void place_items(wend__legend *l, int32_t captions) {
    int32_t x = MARGIN * l->dot, y = MARGIN * l->dot, right = l->width - MARGIN * l->dot;
    for (int32_t i = 0; i < l->count; i++) {
        wend__legend_item *item = &l->items[i];
        int32_t gap = item->sign_width ? WEND__LEGEND_GAP : 0;
        int32_t wide = item->sign_width + (gap + WEND__LEGEND_ADVANCE * (int32_t)strlen(item->text)) * l->dot;
        bool first = x == MARGIN * l->dot;
        if (!first && (x + wide > right || i <= captions)) x = MARGIN * l->dot, y += LINE * l->dot;
        item->x = x, item->y = y;
        x += wide + ITEM_GAP * l->dot;
    }
    l->height = y + LINE * l->dot;
}

wend_error wend__legend_make(const wend__drawing *d, wend__legend *l) {
    int32_t width = d->width * d->scale, high = d->height * d->scale, side = wend__larger(width, high / 4);
    memset(l, 0, sizeof *l);
    l->width = width;
    if (d->picture->legend == WEND_LEGEND_NONE) return WEND_OK;
    l->dot = wend__larger(LEAST_DOT, (side + 250) / 500);
    l->width = wend__larger(width, LEAST_WIDTH * l->dot);
    if (d->picture->caption) add_caption(l, d->picture->caption, d->picture->format == WEND_PICTURE_ANSI);
    int32_t captions = l->count;
    if (d->picture->format != WEND_PICTURE_ANSI) add_scale(d, l);
    add_size(d, l);
    add_paths(d, l);
    add_roads(d, l);
    wend_error error = add_grounds(d, l);
    if (!error) place_items(l, captions);
    return error;
}
