/* SPDX-License-Identifier: MIT */
/* A path pulled straight or rounded, as `--smooth` asks for it, and printed. */
#ifndef WEND_CLI_SOLVE_SMOOTH_H
#define WEND_CLI_SOLVE_SMOOTH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wend/geometry.h>
#include <wend/wend.h>

/* The option's choices. */
#define CLI_SMOOTHS "none|pull|spline|arc"
enum { CLI_SMOOTH_NONE, CLI_SMOOTH_PULL, CLI_SMOOTH_SPLINE, CLI_SMOOTH_ARC };

/* A smoothed path: the turns of the pulled line, and the points of the line or curve. */
typedef struct cli_smooth {
    int32_t kind; ///< CLI_SMOOTH_…
    wend_turn *turns;
    wend_point *line; ///< the turns' points, one for each
    size_t turn_count;
    wend_point *points; ///< of a curve; of a pulled line the same as `line`
    size_t point_count;
} cli_smooth;

/* Smooth a path of any length, also 0. The result is to be freed, also after an error. */
wend_error cli_smooth_path(const wend_map *map, int32_t mover, int32_t kind, const wend_cell *cells, size_t count,
                           cli_smooth *out);
void cli_smooth_free(cli_smooth *smooth);

/* One point a line: the turns as cells, the samples of a curve with three decimals. */
void cli_print_smooth(FILE *file, int32_t map_kind, const cli_smooth *smooth);
/* A JSON list of all points, with three decimals. */
void cli_json_smooth(FILE *file, int32_t map_kind, const cli_smooth *smooth);

#endif
