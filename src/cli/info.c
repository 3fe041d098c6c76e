/* SPDX-License-Identifier: MIT */
/* wend info: what a map is: its size, ground, connected parts and memory. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli.h"

enum { BAND_ROWS = 64 };

/* Ground, counted in bands of rows, so that the largest map needs little more memory than a small one. */
typedef struct census {
    uint64_t open;
    uint64_t classes[256];
} census;

static void count_cells(const uint8_t *cells, size_t count, census *sum) {
    for (size_t i = 0; i < count; i++) sum->classes[cells[i]]++;
}

/* @return a wend error */
static int32_t count_map(const wend_map *map, const wend_map_info *info, census *sum) {
    size_t width = (size_t)info->width;
    uint8_t *band = malloc(width * BAND_ROWS);
    int32_t error = band != NULL ? WEND_OK : WEND_OUT_OF_MEMORY;
    for (int32_t y = 0; y < info->height && error == WEND_OK; y += BAND_ROWS) {
        int32_t last = y + BAND_ROWS < info->height ? y + BAND_ROWS - 1 : info->height - 1;
        wend_box box = {{0, y, 0}, {info->width - 1, last, 0}};
        error = wend_map_read(map, box, band, width);
        if (error == WEND_OK) count_cells(band, width * (size_t)(last - y + 1), sum);
        cli_progress("counting", (uint64_t)last, (uint64_t)info->height);
    }
    cli_progress_end();
    free(band);
    for (int class = 0; class < 256; class ++)
        if (info->rules.factors[class] != 0) sum->open += sum->classes[class];
    return error;
}

static const char *corner_name(int32_t corners) {
    static const char *const names[] = {"never", "one", "always"};
    return corners >= 0 && corners < 3 ? names[corners] : "unknown";
}

static void print_json(const wend_map_info *info, const census *count, const wend_map_markers *markers) {
    printf("{\"kind\":\"grid\",\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"depth\":%" PRId32 ",\"cells\":%" PRIu64,
           info->width, info->height, info->depth, (uint64_t)info->width * (uint64_t)info->height);
    printf(",\"open\":%" PRIu64 ",\"components\":%" PRIu64 ",\"links\":0,\"bytes\":%" PRIu64, count->open,
           info->components, info->bytes);
    printf(",\"neighbours\":%" PRId32 ",\"corners\":\"%s\",\"cost\":[%" PRId32 ",%" PRId32 "]", info->rules.neighbours,
           corner_name(info->rules.corners), info->rules.cost_straight, info->rules.cost_diagonal);
    if (markers->has_start) {
        printf(",\"start\":");
        cli_json_cell(stdout, markers->start);
    }
    if (markers->has_goal) {
        printf(",\"goal\":");
        cli_json_cell(stdout, markers->goal);
    }
    printf("}\n");
}

static void print_classes(const wend_map_info *info, const census *count) {
    for (int class = 0; class < 256; class ++) {
        if (count->classes[class] == 0) continue;
        printf("  class %-3d     %" PRIu64 " cells, ", class, count->classes[class]);
        if (info->rules.factors[class] == 0)
            printf("blocked\n");
        else
            printf("costs times %d\n", info->rules.factors[class]);
    }
}

static void print_text(const wend_map_info *info, const census *count, const wend_map_markers *markers) {
    uint64_t cells = (uint64_t)info->width * (uint64_t)info->height;
    printf("kind            grid\nsize            %" PRId32 " x %" PRId32 "\ncells           %" PRIu64 "\n",
           info->width, info->height, cells);
    printf("open            %" PRIu64 " (%.1f %%)\n", count->open, 100.0 * (double)count->open / (double)cells);
    print_classes(info, count);
    printf("components      %" PRIu64 "\n", info->components);
    printf("neighbours      %" PRId32 ", corners %s\n", info->rules.neighbours, corner_name(info->rules.corners));
    printf("costs           %" PRId32 " straight, %" PRId32 " diagonal\n", info->rules.cost_straight,
           info->rules.cost_diagonal);
    printf("links           0\n");
    if (markers->has_start) printf("start           %" PRId32 ",%" PRId32 "\n", markers->start.x, markers->start.y);
    if (markers->has_goal) printf("goal            %" PRId32 ",%" PRId32 "\n", markers->goal.x, markers->goal.y);
    printf("memory          %" PRIu64 " bytes, %.3f a cell\n", info->bytes, (double)info->bytes / (double)cells);
}

static int run(int argc, char **argv) {
    bool json = false;
    const char *path;
    size_t words;
    const cli_option options[] = {{"json", CLI_FLAG, &json, NULL, 0, 0, "one JSON object"}};
    int status = cli_parse(&cli_info, options, 1, argc, argv, &path, 1, &words);
    if (status != -1) return status;
    if (words == 0) return cli_fail("info: which map? (see wend info --help)");
    cli_world world;
    status = cli_world_load(path, &world);
    if (status != -1) return status;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(world.map, &info);
    census count = {0};
    int32_t error = count_map(world.map, &info, &count);
    if (error != WEND_OK)
        status = cli_fail("%s", wend_error_text(error));
    else if (json)
        print_json(&info, &count, &world.markers);
    else
        print_text(&info, &count, &world.markers);
    cli_world_free(&world);
    return error == WEND_OK ? CLI_DONE : status;
}

const cli_command cli_info = {
    "info", "MAP [--json]", "say what a map is: size, open cells, connected parts, costs, memory",
    "MAP is a map file, a world file, or - for standard input. Components are the parts between which no path leads,\n"
    "by the map's own neighbours and corner rule.",
    run};
