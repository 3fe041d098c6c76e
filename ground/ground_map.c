/* SPDX-License-Identifier: MIT */
/* The map of a ground. Sheets lie side by side; what is between them is blocked. */
#include "ground_map.h"

#include <stdlib.h>
#include <string.h>

#include <wend/acceleration.h>
#include <wend/edit.h>
#include <wend/ways.h>

/* ---- ways ---- */

/* Two cells of a sheet that lie side by side, but not on the ground. */
static uint32_t find_closed(const ground_ways *w, const ground_span *s, int32_t d, ground_way *out) {
    const int32_t x = s->x + ground_dx[d], y = s->y + ground_dy[d];
    if (!ground_has_column(w->spans, x, y)) return 0;
    const size_t column = ground_column(w->spans, x, y);
    for (uint32_t i = w->spans->columns[column]; i < w->spans->columns[column + 1]; i++) {
        const ground_span *other = &w->spans->spans[i];
        if (other->sheet != s->sheet) continue;
        *out =
            (ground_way){wend__ground_cell_of(w->layout, s), wend__ground_cell_of(w->layout, other), 0, GROUND_CLOSED};
        return 1;
    }
    return 0;
}

static ground_way seam_between(const ground_ways *w, const ground_span *from, int32_t to) {
    return (ground_way){wend__ground_cell_of(w->layout, from), wend__ground_cell_of(w->layout, &w->spans->spans[to]),
                        WEND_LINK_SEAM, GROUND_SEAM};
}

/* A link costs a straight step for each column, WEND_MAX_COST at most. */
static uint32_t find_leaps(const ground_ways *w, int32_t span, ground_way *out) {
    uint32_t count = 0;
    for (int32_t d = 0; d < GROUND_DIRECTIONS; d++) {
        int32_t columns;
        const int32_t to = wend__ground_leap(&w->leaper, span, d, &columns);
        const int32_t factor = to < 0 ? 0 : w->rules.factors[w->spans->spans[to].terrain];
        if (factor == 0) continue;
        const int64_t cost = (int64_t)factor * columns * w->rules.cost_straight;
        out[count++] = (ground_way){wend__ground_cell_of(w->layout, &w->spans->spans[span]),
                                    wend__ground_cell_of(w->layout, &w->spans->spans[to]),
                                    cost < WEND_MAX_COST ? (int32_t)cost : WEND_MAX_COST, GROUND_LEAP};
    }
    return count;
}

uint32_t wend__ground_find_ways(const ground_ways *w, int32_t span, ground_way *out) {
    const ground_span *s = &w->spans->spans[span];
    uint32_t count = 0;
    for (int32_t k = 0; k < 2 * GROUND_DIRECTIONS; k++) {
        const int32_t to = wend__ground_neighbour(w->spans, span, k);
        if (to >= 0 && wend__ground_is_seam(w->spans, span, k, to)) out[count++] = seam_between(w, s, to);
        const bool joined = to >= 0 && w->spans->spans[to].sheet == s->sheet;
        if (k % 2 == 0 && !joined) count += find_closed(w, s, k / 2, &out[count]);
    }
    if (w->leaper.drop > 0 || w->leaper.jump > 0) count += find_leaps(w, span, &out[count]);
    return count;
}

wend_error wend__ground_add_way(wend_edit *edit, const ground_way *way, wend_ground_info *counts) {
    if (way->kind == GROUND_CLOSED) return wend_edit_set_step(edit, way->from, way->to, false);
    if (way->kind == GROUND_SEAM)
        counts->seams++;
    else
        counts->leaps++;
    return wend_edit_add_link(edit, &(wend_link){way->from, way->to, way->cost, 0});
}

wend_error wend__ground_remove_way(wend_edit *edit, const ground_way *way, wend_ground_info *counts) {
    if (way->kind == GROUND_CLOSED) return wend_edit_set_step(edit, way->from, way->to, true);
    if (way->kind == GROUND_SEAM)
        counts->seams--;
    else
        counts->leaps--;
    return wend_edit_remove_link(edit, way->from, way->to);
}

/* ---- the whole map ---- */

static wend_error set_terrain(const ground_ways *w, wend_edit *edit) {
    const size_t width = (size_t)w->layout->width, cells = width * (size_t)w->layout->height;
    uint8_t *classes = calloc(cells, 1);
    if (!classes) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < w->spans->count; i++) {
        const wend_cell cell = wend__ground_cell_of(w->layout, &w->spans->spans[i]);
        classes[(size_t)cell.y * width + (size_t)cell.x] = w->spans->spans[i].terrain;
    }
    const wend_box all = {{0, 0, 0}, {w->layout->width - 1, w->layout->height - 1, 0}};
    const wend_error error = wend_edit_set_box(edit, all, classes, width);
    free(classes);
    return error;
}

static wend_error fill_map(const ground_ways *w, wend_map *map, wend_ground_info *counts) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    error = set_terrain(w, edit);
    for (uint32_t i = 0; i < w->spans->count && !error; i++) {
        ground_way found[GROUND_MOST_WAYS];
        const uint32_t count = wend__ground_find_ways(w, (int32_t)i, found);
        for (uint32_t k = 0; k < count && !error; k++) error = wend__ground_add_way(edit, &found[k], counts);
    }
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

/* Where each sheet lies on the ground; what is between two belongs to the first. */
static void describe_sheets(const ground_layout *layout, wend_sheet *out) {
    for (uint32_t i = 0; i < layout->count; i++) {
        const ground_sheet *s = &layout->sheets[i];
        const int32_t right = (s->map_x + s->width) | (WEND_CHUNK_SIDE - 1);
        const int32_t bottom = (s->map_y + s->height) | (WEND_CHUNK_SIDE - 1);
        out[i].box.min = (wend_cell){s->map_x, s->map_y, 0};
        out[i].box.max.x = right < layout->width ? right : layout->width - 1;
        out[i].box.max.y = bottom < layout->height ? bottom : layout->height - 1;
        out[i].box.max.z = 0;
        out[i].ground = (wend_cell){s->x, s->y, 0};
    }
}

wend_error wend__ground_make_map(const wend_ground_def *def, ground_ways *ways, wend_map **out,
                                 wend_ground_info *counts, ground_trouble *trouble) {
    wend_map_def plain;
    wend_sheet sheets[WEND_MAX_GROUND_SHEETS];
    wend_map_def_init(&plain, sizeof plain);
    if (def->map) plain = *def->map;
    wend_map_rules_init(&ways->rules, sizeof ways->rules);
    if (plain.rules) ways->rules = *plain.rules;
    plain.kind = WEND_KIND_GRID;
    plain.width = ways->layout->width;
    plain.height = ways->layout->height;
    plain.depth = 1;
    if (ways->layout->count > 1) {
        describe_sheets(ways->layout, sheets);
        plain.sheets = sheets, plain.sheet_count = ways->layout->count;
    }
    plain.acceleration = NULL; /* made once, when all is there */
    wend_map *map;
    wend_error error = wend_map_create(&plain, &map);
    if (!error) {
        error = fill_map(ways, map, counts);
        if (!error && def->map && def->map->acceleration) error = wend_map_accelerate(map, def->map->acceleration);
        if (error) wend_map_release(map);
    }
    if (error) {
        wend__ground_fail(trouble, error, wend_error_detail(error));
        return error;
    }
    *out = map;
    return WEND_OK;
}
