/* SPDX-License-Identifier: MIT */
/* The map of a ground. Sheets lie side by side; what is between them is blocked. */
#include "ground_map.h"

#include <stdlib.h>
#include <string.h>

#include <wend/acceleration.h>
#include <wend/edit.h>
#include <wend/ways.h>

typedef struct map_maker {
    const ground_spans *spans;
    const ground_layout *layout;
    wend_map_rules rules;
    wend_edit *edit;
    ground_leaper leaper; ///< no drop, no jump: there are no leaps
    uint32_t seams, leaps;
} map_maker;

static wend_error set_terrain(const map_maker *m) {
    const size_t width = (size_t)m->layout->width, cells = width * (size_t)m->layout->height;
    uint8_t *classes = calloc(cells, 1);
    if (!classes) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < m->spans->count; i++) {
        const wend_cell cell = wend__ground_cell_of(m->spans, m->layout, (int32_t)i);
        classes[(size_t)cell.y * width + (size_t)cell.x] = m->spans->spans[i].terrain;
    }
    const wend_box all = {{0, 0, 0}, {m->layout->width - 1, m->layout->height - 1, 0}};
    const wend_error error = wend_edit_set_box(m->edit, all, classes, width);
    free(classes);
    return error;
}

/* Two cells of a sheet that lie side by side, but not on the ground. */
static wend_error close_step(const map_maker *m, int32_t span, int32_t d) {
    const ground_span *s = &m->spans->spans[span];
    const int32_t x = s->x + ground_dx[d], y = s->y + ground_dy[d];
    if (x < 0 || y < 0 || x >= m->spans->width || y >= m->spans->height) return WEND_OK;
    const size_t column = (size_t)y * (size_t)m->spans->width + (size_t)x;
    for (uint32_t other = m->spans->columns[column]; other < m->spans->columns[column + 1]; other++) {
        if (m->layout->sheet_of[other] != m->layout->sheet_of[span]) continue;
        return wend_edit_set_step(m->edit, wend__ground_cell_of(m->spans, m->layout, span),
                                  wend__ground_cell_of(m->spans, m->layout, (int32_t)other), 0);
    }
    return WEND_OK;
}

static wend_error add_seam(map_maker *m, int32_t span, int32_t to) {
    m->seams++;
    return wend_edit_add_link(m->edit, wend__ground_cell_of(m->spans, m->layout, span),
                              wend__ground_cell_of(m->spans, m->layout, to), WEND_LINK_SEAM);
}

/* A link costs a straight step for each column. */
static wend_error add_leaps(map_maker *m, int32_t span) {
    wend_error error = WEND_OK;
    for (int32_t d = 0; d < GROUND_DIRECTIONS && !error; d++) {
        int32_t columns;
        const int32_t to = wend__ground_leap(&m->leaper, span, d, &columns);
        const int32_t factor = to < 0 ? 0 : m->rules.factors[m->spans->spans[to].terrain];
        if (factor == 0) continue;
        m->leaps++;
        error = wend_edit_add_link(m->edit, wend__ground_cell_of(m->spans, m->layout, span),
                                   wend__ground_cell_of(m->spans, m->layout, to),
                                   factor * columns * m->rules.cost_straight);
    }
    return error;
}

static wend_error join_span(map_maker *m, int32_t span) {
    wend_error error = WEND_OK;
    for (int32_t k = 0; k < 2 * GROUND_DIRECTIONS && !error; k++) {
        const int32_t to = wend__ground_neighbour(m->spans, span, k);
        if (to >= 0 && wend__ground_is_seam(m->spans, m->layout, span, k, to)) error = add_seam(m, span, to);
        const bool joined = to >= 0 && m->layout->sheet_of[to] == m->layout->sheet_of[span];
        if (!error && k % 2 == 0 && !joined) error = close_step(m, span, k / 2);
    }
    if (!error && (m->leaper.drop > 0 || m->leaper.jump > 0)) error = add_leaps(m, span);
    return error;
}

static wend_error fill_map(map_maker *m, wend_map *map) {
    wend_error error = wend_edit_begin(map, &m->edit);
    if (error) return error;
    error = set_terrain(m);
    for (uint32_t i = 0; i < m->spans->count && !error; i++) error = join_span(m, (int32_t)i);
    if (!error) return wend_edit_publish(m->edit, NULL);
    wend_edit_discard(m->edit);
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

wend_error wend__ground_make_map(const wend_ground_def *def, const ground_spans *spans, const ground_air *air,
                                 const ground_layout *layout, wend_map **out, wend_ground_info *counts,
                                 ground_trouble *trouble) {
    map_maker m = {.spans = spans, .layout = layout};
    if (air) m.leaper = wend__ground_leaper(def, spans, air);
    wend_map_def plain;
    wend_sheet sheets[WEND_MAX_GROUND_SHEETS];
    wend_map_def_init(&plain, sizeof plain);
    if (def->map) plain = *def->map;
    wend_map_rules_init(&m.rules, sizeof m.rules);
    if (plain.rules) m.rules = *plain.rules;
    plain.kind = WEND_KIND_GRID;
    plain.width = layout->width;
    plain.height = layout->height;
    plain.depth = 1;
    if (layout->count > 1) {
        describe_sheets(layout, sheets);
        plain.sheets = sheets, plain.sheet_count = layout->count;
    }
    plain.acceleration = NULL; /* made once, when all is there */
    wend_map *map;
    wend_error error = wend_map_create(&plain, &map);
    if (!error) {
        error = fill_map(&m, map);
        if (!error && def->map && def->map->acceleration) error = wend_map_accelerate(map, def->map->acceleration);
        if (error) wend_map_release(map);
    }
    if (error) {
        wend__ground_fail(trouble, error, wend_error_detail(error));
        return error;
    }
    *out = map;
    counts->seams = m.seams;
    counts->leaps = m.leaps;
    return WEND_OK;
}
