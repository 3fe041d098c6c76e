/* SPDX-License-Identifier: MIT */
/* Pictures from --draw and --output, and files that are written next to them. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include <wend/units.h>

wend_error cli_write_to_file(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

int cli_output_open(wend__replacement *file, const char *name) {
    const int reason = wend__replace_begin(file, name);
    return reason ? cli_fail_at(name, 0, 0, "%s", wend__errno_text(reason)) : CLI_DONE;
}

int cli_output_close(wend__replacement *file, const char *name) {
    const int reason = wend__replace_end(file, 0);
    return reason ? cli_fail_at(name, 0, 0, "cannot be written: %s", wend__errno_text(reason)) : CLI_DONE;
}

void cli_output_drop(wend__replacement *file) {
    if (file->stream) wend__replace_end(file, ECANCELED);
}

static int explain(const wend_picture *picture, wend_error error, int32_t draw) {
    static const char *const names[] = {"ansi", "svg", "png"};
    const char *refusal = error == WEND_UNSUPPORTED ? wend_picture_refusal(picture) : NULL;
    return cli_fail("--draw %s: %s", names[draw], refusal ? refusal : wend_error_detail(error));
}

/* A writer that stops at the first byte: WEND_EMPTY, which drawing itself never returns, means not refused. */
static wend_error stop_at_once(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_EMPTY;
}

int cli_draw_open(const wend_picture *picture, int32_t draw, const char *output, wend__replacement *file) {
    wend_picture asked = *picture;
    asked.format = draw + 1;
    const wend_error error = wend_picture_write(&asked, stop_at_once, NULL);
    return error == WEND_EMPTY ? cli_output_open(file, output) : explain(&asked, error, draw);
}

int cli_draw_to_file(wend_picture *picture, int32_t draw, const char *output, wend__replacement *file) {
    picture->format = draw + 1; /* WEND_PICTURE_ANSI, _SVG, _PNG */
    picture->legend = WEND_LEGEND_BELOW;
    picture->colours = draw == CLI_DRAW_ANSI && isatty(fileno(file->stream)) == 1;
    const wend_error error = wend_picture_write(picture, cli_write_to_file, file->stream);
    if (!error || error == WEND_IO) return cli_output_close(file, output); /* which has the reason */
    cli_output_drop(file);
    return explain(picture, error, draw);
}

int cli_draw(wend_picture *picture, int32_t draw, const char *output, bool apart) {
    wend__replacement file;
    int status = output ? cli_draw_open(picture, draw, output, &file) : CLI_DONE;
    if (status || output) return status ? status : cli_draw_to_file(picture, draw, output, &file);
    picture->format = draw + 1; /* WEND_PICTURE_ANSI, _SVG, _PNG */
    picture->legend = WEND_LEGEND_BELOW;
    if (draw == CLI_DRAW_PNG && isatty(STDOUT_FILENO) == 1)
        return cli_fail("a PNG cannot be shown on a terminal: name a file with --output");
    picture->colours = draw == CLI_DRAW_ANSI && isatty(STDOUT_FILENO) == 1;
    apart = apart && draw == CLI_DRAW_ANSI;
    if (apart) picture->legend = WEND_LEGEND_NONE;
    wend_error error = wend_picture_write(picture, cli_write_to_file, stdout);
    if (error) return explain(picture, error, draw);
    if (!apart || fflush(stdout) != 0) return CLI_DONE;
    picture->legend = WEND_LEGEND_ONLY;
    picture->colours = picture->colours && isatty(STDERR_FILENO) == 1;
    wend_picture_write(picture, cli_write_to_file, stderr);
    return CLI_DONE;
}

static const char *describe_ending(const wend_completion *result) {
    switch (result->status) {
    case WEND_STATUS_FOUND: return "path found";
    case WEND_STATUS_PARTIAL: return "the goal cannot be reached; path to the nearest cell";
    case WEND_STATUS_NO_PATH: return "no path: no way leads from the start to the goal";
    case WEND_STATUS_START_BLOCKED: return "no path: the start is blocked";
    case WEND_STATUS_GOAL_BLOCKED: return "no path: the goal is blocked";
    case WEND_STATUS_LIMIT: return "no path: the limit of expansions is reached";
    case WEND_STATUS_OUT_OF_NODES: return "no path: the search ran out of memory";
    default: return wend_status_name(result->status);
    }
}

void cli_caption(const wend_completion *result, int32_t kind, uint64_t expanded,
                 char out[WEND_PICTURE_MAX_CAPTION + 1]) {
    const bool graph = kind == WEND_KIND_GRAPH;
    char cost[64] = "";
    if (result->cost >= 0)
        snprintf(cost, sizeof cost, ", cost %" PRId64 ", %zu %s", result->cost, result->cell_count,
                 graph ? "nodes" : "cells");
    snprintf(out, WEND_PICTURE_MAX_CAPTION + 1, "%s%s; expanded %" PRIu64 " %s (%" PRIu64 " expansions)",
             describe_ending(result), cost, expanded, graph ? "nodes" : "cells", result->expansions);
}

/* Adds the occupied cells of one row. */
static bool add_units(const wend_map *map, wend_cell from, int32_t width, wend_cell **cells, size_t *count,
                      size_t *capacity) {
    for (wend_cell cell = from; cell.x < width; cell.x++) {
        uint32_t units = 0;
        if (wend_map_get_occupants(map, cell, &units) || units == 0) continue;
        if (!WEND__ARRAY_ROOM(*cells, *capacity, *count + 1)) return false;
        (*cells)[(*count)++] = cell;
    }
    return true;
}

bool cli_occupied_cells(const wend_map *map, wend_cell **cells, size_t *count) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    size_t capacity = 0;
    *cells = NULL;
    *count = 0;
    bool good = true;
    for (int32_t z = 0; z < info.depth && good; z++)
        for (int32_t y = 0; y < info.height && good; y++)
            good = add_units(map, (wend_cell){0, y, z}, info.width, cells, count, &capacity);
    if (!good) free(*cells);
    return good;
}

bool cli_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

int cli_draw_check_options(int32_t *draw, const char *output, bool json) {
    static const char *const endings[] = {".ansi", ".svg", ".png"}; /* as CLI_DRAW_… */
    if (*draw != CLI_DRAW_NONE && !output && json)
        return cli_fail("--draw and --json both write to standard output: name a file with --output");
    if (*draw != CLI_DRAW_NONE || !output) return CLI_DONE;
    for (int32_t i = 0; i < 3 && *draw == CLI_DRAW_NONE; i++)
        if (cli_ends_with(output, endings[i])) *draw = i;
    if (*draw != CLI_DRAW_NONE) return CLI_DONE;
    return cli_fail("--output %s: which picture? Say --draw ansi|svg|png, or name it .ansi, .svg or .png", output);
}
