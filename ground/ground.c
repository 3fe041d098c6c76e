/* SPDX-License-Identifier: MIT */
/* From a level to a ground and its map, and between points of the level and cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ground_map.h"

struct wend_ground {
    ground_spans spans;
    ground_layout layout;
    bool y_up;
    wend_ground_info counts; ///< seams and leaps
};

void wend_ground_def_init(wend_ground_def *def, size_t bytes) {
    const wend_ground_def standard = {.struct_bytes = (uint32_t)bytes,
                                      .cell = .3f,
                                      .level = .2f,
                                      .radius = .6f,
                                      .height = 2,
                                      .climb = .9f,
                                      .slope = 45,
                                      .y_up = 1,
                                      .square = 1};
    memset(def, 0, bytes);
    memcpy(def, &standard, bytes < sizeof standard ? bytes : sizeof standard);
}

static wend_error tell(const ground_trouble *trouble, wend_file_error *error) {
    if (error) {
        error->line = error->column = 0;
        snprintf(error->text, sizeof error->text, "%s", trouble->text);
    }
    return trouble->code;
}

/* ---- the level, with y up ---- */

static wend_error turn_vertices(const wend_ground_def *def, float **out) {
    float *turned = malloc((def->vertex_count * 3 + 1) * sizeof *turned);
    if (!turned) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < def->vertex_count; i++) {
        const float *from = &def->vertices[3 * i];
        float *to = &turned[3 * i];
        to[0] = from[0];
        to[1] = def->y_up ? from[1] : from[2];
        to[2] = def->y_up ? from[2] : -from[1];
    }
    *out = turned;
    return WEND_OK;
}

/* Two triangles for each square of a terrain of heights, with y up. */
static void describe_heights(const wend_ground_def *def, float *vertices, uint32_t *triangles) {
    const uint32_t across = (uint32_t)def->columns + 1;
    for (int32_t y = 0; y <= def->rows; y++) {
        for (int32_t x = 0; x <= def->columns; x++, vertices += 3) {
            vertices[0] = (float)x * def->square;
            vertices[1] = def->heights(def->heights_context, x, y);
            vertices[2] = (float)y * def->square;
        }
    }
    for (uint32_t y = 0; y < (uint32_t)def->rows; y++) {
        for (uint32_t x = 0; x < (uint32_t)def->columns; x++, triangles += 6) {
            const uint32_t corner = y * across + x;
            const uint32_t both[] = {corner,     corner + across, corner + 1,
                                     corner + 1, corner + across, corner + across + 1};
            memcpy(triangles, both, sizeof both);
        }
    }
}

static wend_error make_from_triangles(const wend_ground_def *def, const float *y_up, wend_ground *ground,
                                      wend_map **map, ground_trouble *trouble) {
    const bool leaps = def->drop > 0 || def->jump > 0;
    ground_air air = {0};
    bool good = wend__ground_voxelise(def, y_up, &ground->spans, leaps ? &air : NULL, trouble);
    if (good) good = wend__ground_cut(&ground->spans, &ground->layout, trouble);
    const wend_error error = good ? wend__ground_make_map(def, &ground->spans, leaps ? &air : NULL, &ground->layout,
                                                          map, &ground->counts, trouble)
                                  : trouble->code;
    wend__ground_drop_air(&air);
    return error;
}

static wend_error make_from_heights(const wend_ground_def *def, wend_ground *ground, wend_map **map,
                                    ground_trouble *trouble) {
    wend_ground_def made = *def;
    made.vertex_count = ((size_t)def->columns + 1) * ((size_t)def->rows + 1);
    made.triangle_count = (size_t)def->columns * (size_t)def->rows * 2;
    float *vertices = malloc(made.vertex_count * 3 * sizeof *vertices);
    uint32_t *triangles = malloc(made.triangle_count * 3 * sizeof *triangles);
    wend_error error = WEND_OUT_OF_MEMORY;
    if (vertices && triangles) {
        describe_heights(def, vertices, triangles);
        made.vertices = vertices;
        made.triangles = triangles;
        error = wend__ground_check_vertices(&made, trouble);
        if (!error) error = make_from_triangles(&made, vertices, ground, map, trouble);
    }
    free(vertices);
    free(triangles);
    return error;
}

static wend_error make(const wend_ground_def *def, wend_ground *ground, wend_map **map, ground_trouble *trouble) {
    if (def->heights) return make_from_heights(def, ground, map, trouble);
    float *y_up;
    wend_error error = turn_vertices(def, &y_up);
    if (error) return error;
    error = make_from_triangles(def, y_up, ground, map, trouble);
    free(y_up);
    return error;
}

wend_error wend_ground_create(const wend_ground_def *def, wend_ground **out, wend_map **map, wend_file_error *error) {
    ground_trouble trouble = {WEND_OUT_OF_MEMORY, "no memory"};
    if (wend__ground_check(def, &trouble)) return tell(&trouble, error);
    wend_ground *ground = calloc(1, sizeof *ground);
    if (!ground) return tell(&trouble, error);
    ground->y_up = def->heights || def->y_up;
    trouble.code = make(def, ground, map, &trouble);
    if (trouble.code) {
        wend_ground_destroy(ground);
        return tell(&trouble, error);
    }
    *out = ground;
    return WEND_OK;
}

void wend_ground_destroy(wend_ground *ground) {
    if (!ground) return;
    wend__ground_drop_spans(&ground->spans);
    free(ground->layout.sheet_of);
    free(ground);
}

/* ---- points and cells ---- */

/* The true ground lies within the highest level of a span's solid part: half a level off at most. */
static void find_point(const wend_ground *ground, uint32_t span, float out[3]) {
    const ground_spans *g = &ground->spans;
    out[0] = g->least[0] + ((float)g->spans[span].x + .5f) * g->cell;
    out[1] = g->least[1] + ((float)g->spans[span].floor - .5f) * g->level;
    out[2] = g->least[2] + ((float)g->spans[span].y + .5f) * g->cell;
}

typedef struct nearest_span {
    const wend_ground *ground;
    float at[3];
    double square; /* of the distance of the nearest one yet */
    int64_t span;  /* -1: none */
} nearest_span;

static void look_at_column(nearest_span *n, int64_t x, int64_t y) {
    const ground_spans *g = &n->ground->spans;
    if (x < 0 || y < 0 || x >= g->width || y >= g->height) return;
    const size_t column = (size_t)y * (size_t)g->width + (size_t)x;
    for (uint32_t span = g->columns[column]; span < g->columns[column + 1]; span++) {
        float point[3];
        double square = 0;
        find_point(n->ground, span, point);
        /* Inside its column a point has no distance but in height. */
        for (int i = 0; i < 3; i++) {
            double apart = fabs((double)n->at[i] - point[i]);
            if (i != 1) apart = apart > g->cell / 2 ? apart - g->cell / 2 : 0;
            square += apart * apart;
        }
        if (square < n->square || (square == n->square && n->span < 0)) {
            n->square = square;
            n->span = span;
        }
    }
}

/* The square of a point's distance from a column. */
static double square_to_column(const nearest_span *n, double x, double y) {
    const ground_spans *g = &n->ground->spans;
    const double across = fabs((double)n->at[0] - (g->least[0] + ((float)x + .5f) * g->cell));
    const double down = fabs((double)n->at[2] - (g->least[2] + ((float)y + .5f) * g->cell));
    const double apart_x = across > g->cell / 2 ? across - g->cell / 2 : 0;
    const double apart_y = down > g->cell / 2 ? down - g->cell / 2 : 0;
    return apart_x * apart_x + apart_y * apart_y;
}

wend_error wend_ground_get_cell(const wend_ground *ground, const float at[3], float within, wend_cell *out) {
    const ground_spans *g = &ground->spans;
    for (int i = 0; i < 3; i++)
        if (!isfinite(at[i])) return WEND_BAD_ARGUMENT;
    if (!isfinite(within) || within < 0) return WEND_BAD_ARGUMENT;
    nearest_span n = {.ground = ground, .square = (double)within * within, .span = -1};
    n.at[0] = at[0];
    n.at[1] = ground->y_up ? at[1] : at[2];
    n.at[2] = ground->y_up ? at[2] : -at[1];
    const double x = floor(((double)n.at[0] - g->least[0]) / g->cell),
                 y = floor(((double)n.at[2] - g->least[2]) / g->cell), far = ceil((double)within / g->cell);
    const double first_x = fmax(x - far, 0), last_x = fmin(x + far, g->width - 1), first_y = fmax(y - far, 0),
                 last_y = fmin(y + far, g->height - 1);
    nearest_span own = n; /* its column's nearest one spares most others a look */
    if (x >= first_x && x <= last_x && y >= first_y && y <= last_y) look_at_column(&own, (int64_t)x, (int64_t)y);
    for (double row = first_y; row <= last_y; row++)
        for (double column = first_x; column <= last_x; column++)
            if (square_to_column(&n, column, row) <= own.square * (1 + 1e-6))
                look_at_column(&n, (int64_t)column, (int64_t)row);
    if (n.span < 0) return WEND_EMPTY;
    *out = wend__ground_cell_of(g, &ground->layout, (int32_t)n.span);
    return WEND_OK;
}

wend_error wend_ground_get_world(const wend_ground *ground, wend_cell cell, float out[3]) {
    const ground_layout *layout = &ground->layout;
    if (cell.x < 0 || cell.y < 0 || cell.x >= layout->width || cell.y >= layout->height || cell.z != 0)
        return WEND_OUT_OF_RANGE;
    const int32_t span = wend__ground_span_of(&ground->spans, layout, cell);
    if (span < 0) return WEND_EMPTY;
    float point[3];
    find_point(ground, (uint32_t)span, point);
    out[0] = point[0];
    out[1] = ground->y_up ? point[1] : -point[2];
    out[2] = ground->y_up ? point[2] : point[1];
    return WEND_OK;
}

wend_error wend_ground_get_info(const wend_ground *ground, wend_ground_info *out) {
    const size_t bytes = out->struct_bytes;
    if (bytes < sizeof *out) return WEND_BAD_ARGUMENT;
    *out = (wend_ground_info){.struct_bytes = (uint32_t)bytes,
                              .columns = ground->spans.width,
                              .rows = ground->spans.height,
                              .spans = ground->spans.count,
                              .sheets = ground->layout.count,
                              .seams = ground->counts.seams,
                              .leaps = ground->counts.leaps};
    return WEND_OK;
}
