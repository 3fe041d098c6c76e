/* SPDX-License-Identifier: MIT */
/* Smooth paths: pull, round, print. */
#include "cli/solve/smooth.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "host/output/cells.h"

static wend_error pull_path(const wend_map *map, int32_t mover, const wend_cell *cells, size_t count, cli_smooth *out) {
    wend_pull_def def;
    wend_pull_def_init(&def, sizeof def);
    def.mover = mover;
    out->turns = malloc((count + 1) * sizeof *out->turns);
    out->line = malloc((count + 1) * sizeof *out->line);
    if (!out->turns || !out->line) return WEND_OUT_OF_MEMORY;
    wend_error error = wend_path_pull(map, &def, cells, count, out->turns, count, &out->turn_count);
    for (size_t i = 0; i < out->turn_count && !error; i++) {
        wend_cell c = out->turns[i].cell;
        out->line[i] = (wend_point){1000 * c.x, 1000 * c.y, 1000 * c.z};
    }
    return error;
}

static wend_error round_line(const wend_map *map, int32_t mover, cli_smooth *out) {
    wend_round_def def;
    size_t count;
    wend_round_def_init(&def, sizeof def);
    def.mover = mover;
    def.kind = out->kind == CLI_SMOOTH_ARC ? WEND_ROUND_ARC : WEND_ROUND_SPLINE;
    wend_error error = wend_path_round(map, &def, out->turns, out->turn_count, NULL, 0, &count);
    if (error) return error;
    out->points = malloc((count + 1) * sizeof *out->points);
    if (!out->points) return WEND_OUT_OF_MEMORY;
    return wend_path_round(map, &def, out->turns, out->turn_count, out->points, count, &out->point_count);
}

wend_error cli_smooth_path(const wend_map *map, int32_t mover, int32_t kind, const wend_cell *cells, size_t count,
                           cli_smooth *out) {
    *out = (cli_smooth){.kind = kind};
    if (kind == CLI_SMOOTH_NONE || count == 0) return WEND_OK;
    wend_error error = pull_path(map, mover, cells, count, out);
    if (error || kind != CLI_SMOOTH_PULL) return !error ? round_line(map, mover, out) : error;
    out->points = out->line;
    out->point_count = out->turn_count;
    return WEND_OK;
}

void cli_smooth_free(cli_smooth *smooth) {
    if (smooth->points != smooth->line) free(smooth->points);
    free(smooth->turns);
    free(smooth->line);
}

/* Thousandths as a decimal number. */
static void print_milli(FILE *file, int32_t milli) {
    int32_t size = milli < 0 ? -milli : milli;
    fprintf(file, "%s%" PRId32 ".%03" PRId32, milli < 0 ? "-" : "", size / 1000, size % 1000);
}

static void print_point(FILE *file, int32_t map_kind, wend_point p) {
    print_milli(file, p.x);
    fputc(',', file);
    print_milli(file, p.y);
    if (map_kind != WEND_KIND_VOXEL) return;
    fputc(',', file);
    print_milli(file, p.z);
}

void cli_print_smooth(FILE *file, int32_t map_kind, const cli_smooth *smooth) {
    for (size_t i = 0; i < smooth->point_count; i++) {
        if (smooth->kind == CLI_SMOOTH_PULL)
            host_print_cell(file, map_kind, smooth->turns[i].cell);
        else
            print_point(file, map_kind, smooth->points[i]);
        fputc('\n', file);
    }
}

void cli_json_smooth(FILE *file, int32_t map_kind, const cli_smooth *smooth) {
    fputc('[', file);
    for (size_t i = 0; i < smooth->point_count; i++) {
        fputs(i == 0 ? "[" : ",[", file);
        print_point(file, map_kind, smooth->points[i]);
        fputc(']', file);
    }
    fputc(']', file);
}
