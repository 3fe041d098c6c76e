/* SPDX-License-Identifier: MIT */
/* From a level to a ground and its map, and between points of the level and cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ground_state.h"

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

/* ---- the level, with y up ---- */

static bool copy_triangles(const wend_ground_def *def, bool y_up, ground_triangles *out) {
    if (!wend__ground_reserve_triangles(out, def->triangle_count)) return false;
    for (size_t i = 0; i < def->triangle_count; i++) {
        float corners[9];
        for (int k = 0; k < 3; k++)
            wend__ground_turn(y_up, &def->vertices[3 * (size_t)def->triangles[3 * i + (size_t)k]], &corners[3 * k]);
        wend__ground_set_corners(out, (uint32_t)i, corners, def->classes ? def->classes[i] : (uint8_t)WEND_CLASS_OPEN);
    }
    out->count = (uint32_t)def->triangle_count;
    return true;
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

static wend_error copy_heights(const wend_ground_def *def, ground_triangles *out, ground_trouble *trouble) {
    wend_ground_def made = *def;
    made.vertex_count = ((size_t)def->columns + 1) * ((size_t)def->rows + 1);
    made.triangle_count = (size_t)def->columns * (size_t)def->rows * 2;
    made.classes = NULL;
    float *vertices = malloc(made.vertex_count * 3 * sizeof *vertices);
    uint32_t *triangles = malloc(made.triangle_count * 3 * sizeof *triangles);
    wend_error error = WEND_OUT_OF_MEMORY;
    if (vertices && triangles) {
        describe_heights(def, vertices, triangles);
        made.vertices = vertices;
        made.triangles = triangles;
        error = wend__ground_check_vertices(vertices, made.vertex_count, trouble);
        if (!error && !copy_triangles(&made, true, out)) error = WEND_OUT_OF_MEMORY;
    }
    free(vertices);
    free(triangles);
    return error;
}

/* ---- the grid over it ---- */

static void find_box(const wend_ground_def *def, const ground_triangles *triangles, bool y_up, float least[3],
                     float most[3]) {
    float ends[6];
    bool given = false;
    for (int i = 0; i < 3; i++) given = given || def->least[i] != 0 || def->most[i] != 0;
    wend__ground_turn(y_up, def->least, &ends[0]);
    wend__ground_turn(y_up, def->most, &ends[3]);
    const size_t count = given ? 2 : 3 * (size_t)triangles->count;
    const float *points = given ? ends : triangles->corners;
    for (int i = 0; i < 3; i++) least[i] = most[i] = points[i];
    for (size_t i = 0; i < 3 * count; i++) {
        least[i % 3] = fminf(least[i % 3], points[i]);
        most[i % 3] = fmaxf(most[i % 3], points[i]);
    }
}

/* Lengths as whole columns or levels; a hair's breadth is forgiven. */
static int32_t round_up(float length, float unit) {
    return (int32_t)ceilf(length / unit - 1e-4f);
}

static wend_error open_grid(const wend_ground_def *def, wend_ground *ground, ground_trouble *trouble) {
    ground_spans *spans = &ground->spans;
    float most[3];
    find_box(def, &ground->triangles, ground->y_up, spans->least, most);
    spans->cell = def->cell;
    spans->level = def->level;
    spans->top = most[1];
    spans->tall = round_up(def->height, def->level);
    spans->climb = (int32_t)floorf(def->climb / def->level + 1e-4f);
    spans->radius = round_up(def->radius, def->cell);
    const double columns = ((double)most[0] - spans->least[0]) / def->cell + 1,
                 rows = ((double)most[2] - spans->least[2]) / def->cell + 1,
                 levels = ((double)most[1] - spans->least[1]) / def->level;
    const char *problem = NULL;
    if (columns > WEND_MAX_GROUND_SIDE || rows > WEND_MAX_GROUND_SIDE)
        problem = "more than 16,384 columns on a side: take larger cells";
    else if (levels > WEND_MAX_GROUND_LEVELS)
        problem = "more than 8,190 levels: take higher ones";
    if (problem) {
        wend__ground_fail(trouble, WEND_UNSUPPORTED, problem);
        return WEND_UNSUPPORTED;
    }
    spans->width = (int32_t)columns;
    spans->height = (int32_t)rows;
    return wend__ground_open_spans(spans, def->drop > 0 || def->jump > 0) ? WEND_OK : WEND_OUT_OF_MEMORY;
}

static wend_error voxelise_all(wend_ground *ground, ground_trouble *trouble) {
    ground_piece *piece = &ground->piece;
    for (uint32_t tile = 0; tile < ground->triangles.tile_count; tile++) {
        const wend_error error = wend__ground_voxelise(&ground->triangles, &ground->spans, tile, piece);
        if (error == WEND_UNSUPPORTED) wend__ground_fail(trouble, error, "more than 63 floors above each other");
        if (error) return error;
        if (!wend__ground_reserve_tile(&ground->spans, tile, piece)) return WEND_OUT_OF_MEMORY;
        wend__ground_put_tile(&ground->spans, tile, piece);
    }
    return WEND_OK;
}

/* ---- all of it ---- */

static wend_error make_spans(const wend_ground_def *def, wend_ground *ground, ground_trouble *trouble) {
    wend_error error;
    ground->triangles.slope = def->slope;
    if (def->heights)
        error = copy_heights(def, &ground->triangles, trouble);
    else
        error = copy_triangles(def, ground->y_up, &ground->triangles) ? WEND_OK : WEND_OUT_OF_MEMORY;
    const uint8_t none[1] = {0};
    if (!error) error = wend__ground_check_change(&ground->triangles, 0, 0, ground->triangles.corners, none, trouble);
    if (!error) error = open_grid(def, ground, trouble);
    if (error) return error;
    if (!wend__ground_sort_triangles(&ground->triangles, &ground->spans)) return WEND_OUT_OF_MEMORY;
    error = voxelise_all(ground, trouble);
    if (error) return error;
    if (ground->spans.count > 0) return WEND_OK;
    wend__ground_fail(trouble, WEND_EMPTY,
                      "there is nowhere to stand (do triangles turn counter-clockwise, seen from above?)");
    return WEND_EMPTY;
}

static wend_error make(const wend_ground_def *def, wend_ground *ground, wend_map **map, ground_trouble *trouble) {
    const wend_error error = make_spans(def, ground, trouble);
    if (error) return error;
    if (!wend__ground_cut(&ground->spans, def->changes, def->spare_sheets, &ground->layout, trouble))
        return trouble->code;
    ground->ways = (ground_ways){.spans = &ground->spans, .layout = &ground->layout};
    ground->ways.leaper = wend__ground_leaper(def, &ground->spans);
    return wend__ground_make_map(def, &ground->ways, map, &ground->counts, trouble);
}

wend_error wend_ground_create(const wend_ground_def *def, wend_ground **out, wend_map **map, wend_file_error *error) {
    ground_trouble trouble = {WEND_OUT_OF_MEMORY, "no memory"};
    if (wend__ground_check(def, &trouble)) return wend__ground_tell(&trouble, error);
    wend_ground *ground = calloc(1, sizeof *ground);
    if (!ground) return wend__ground_tell(&trouble, error);
    ground->y_up = def->heights || def->y_up;
    trouble.code = make(def, ground, map, &trouble);
    if (trouble.code) {
        wend_ground_destroy(ground);
        return wend__ground_tell(&trouble, error);
    }
    if (def->changes) {
        wend_map_retain(*map);
        ground->map = *map;
    } else {
        wend__ground_drop_triangles(&ground->triangles);
        wend__ground_drop_piece(&ground->piece);
        free(ground->spans.room_columns);
        free(ground->spans.rooms);
        ground->spans.room_columns = NULL;
        ground->spans.rooms = NULL;
    }
    *out = ground;
    return WEND_OK;
}

void wend_ground_destroy(wend_ground *ground) {
    if (!ground) return;
    wend__ground_drop_updates(ground);
    wend__ground_drop_triangles(&ground->triangles);
    wend__ground_drop_spans(&ground->spans);
    wend__ground_drop_piece(&ground->piece);
    if (ground->map) wend_map_release(ground->map);
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
    double square; /* squared distance of the nearest one */
    int64_t span;  /* -1: none */
} nearest_span;

static void look_at_column(nearest_span *n, int64_t x, int64_t y) {
    const ground_spans *g = &n->ground->spans;
    if (x < 0 || y < 0 || x >= g->width || y >= g->height) return;
    const size_t column = ground_column(g, (int32_t)x, (int32_t)y);
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
    wend__ground_turn(ground->y_up, at, n.at);
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
    *out = wend__ground_cell_of(&ground->layout, &g->spans[n.span]);
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
                              .leaps = ground->counts.leaps,
                              .triangles = ground->triangles.count,
                              .marked = ground->triangles.marked_count};
    return WEND_OK;
}
