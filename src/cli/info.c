/* SPDX-License-Identifier: MIT */
/* wend info: what a map is: its size, ground, connected parts and memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { BAND_ROWS = 64, BLOCKED = 0 };

/* Ground and parts, counted row by row in memory for two rows, so that the largest map needs little more than a small
   one. A label names a part within the two rows at hand; `parent` joins labels that turn out to be one part. */
typedef struct census {
    int32_t width;
    bool diagonal; /* diagonal steps join what straight steps do not: only where corners never matter */
    const uint8_t *factors;
    uint32_t *above, *here; /* labels of two rows, a blocked cell of margin on both sides */
    uint32_t *parent;       /* of the labels of both rows */
    uint32_t *renamed;      /* what a root is called in the row to come */
    uint32_t label_count;
    uint64_t open, parts;
    uint64_t classes[256];
} census;

static uint32_t root(census *count, uint32_t label) {
    while (count->parent[label] != label) {
        count->parent[label] = count->parent[count->parent[label]];
        label = count->parent[label];
    }
    return label;
}

/* The label of a cell that has these two beside it, either of which may be blocked. */
static uint32_t join(census *count, uint32_t a, uint32_t b) {
    if (a == BLOCKED || b == BLOCKED) return a + b;
    a = root(count, a);
    b = root(count, b);
    if (a == b) return a;
    count->parts--;
    count->parent[b] = a;
    return a;
}

static void count_row(census *count, const uint8_t *row) {
    for (int32_t x = 0; x < count->width; x++) {
        uint32_t *here = count->here + x + 1;
        const uint32_t *above = count->above + x + 1;
        count->classes[row[x]]++;
        if (count->factors[row[x]] == 0) {
            *here = BLOCKED;
            continue;
        }
        count->open++;
        uint32_t label = join(count, here[-1], above[0]);
        if (count->diagonal) label = join(count, join(count, label, above[-1]), above[1]);
        if (label == BLOCKED) {
            label = ++count->label_count;
            count->parent[label] = label;
            count->parts++;
        }
        *here = label;
    }
}

/* Make the finished row the one above, its parts named from 1 on. */
static void next_row(census *count) {
    uint32_t names = 0;
    memset(count->renamed, 0, ((size_t)count->label_count + 1) * sizeof *count->renamed);
    for (int32_t x = 1; x <= count->width; x++) {
        if (count->here[x] == BLOCKED) continue;
        uint32_t label = root(count, count->here[x]);
        if (count->renamed[label] == 0) count->renamed[label] = ++names;
        count->here[x] = count->renamed[label];
    }
    for (uint32_t i = 1; i <= names; i++) count->parent[i] = i;
    count->label_count = names;
    uint32_t *finished = count->here;
    count->here = count->above;
    count->above = finished;
}

/* @return a wend error */
static int32_t take_census(const wend_map *map, const wend_map_info *info, census *count, uint8_t *band) {
    for (int32_t y = 0; y < info->height; y += BAND_ROWS) {
        int32_t last = y + BAND_ROWS < info->height ? y + BAND_ROWS - 1 : info->height - 1;
        wend_box box = {{0, y, 0}, {info->width - 1, last, 0}};
        int32_t error = wend_map_read(map, box, band, (size_t)info->width);
        if (error != WEND_OK) return error;
        for (int32_t row = 0; row <= last - y; row++) {
            count_row(count, band + (size_t)row * (size_t)info->width);
            next_row(count);
        }
        cli_progress("counting", (uint64_t)last, (uint64_t)info->height);
    }
    cli_progress_end();
    return WEND_OK;
}

static int32_t count_map(const wend_map *map, const wend_map_info *info, census *count) {
    size_t width = (size_t)info->width;
    /* Two rows of labels; and each cell of a row may bring a new label beside those of the row above. */
    uint32_t *memory = calloc(6 * (width + 2), sizeof *memory);
    uint8_t *band = malloc(width * BAND_ROWS);
    int32_t error = WEND_OUT_OF_MEMORY;
    if (memory != NULL && band != NULL) {
        count->width = info->width;
        count->diagonal = info->rules.neighbours == 8 && info->rules.corners == WEND_CORNERS_ALWAYS;
        count->factors = info->rules.factors;
        count->above = memory;
        count->here = memory + (width + 2);
        count->parent = memory + 2 * (width + 2);
        count->renamed = memory + 4 * (width + 2);
        error = take_census(map, info, count, band);
    }
    free(memory);
    free(band);
    return error;
}

static const char *corner_name(int32_t corners) {
    static const char *const names[] = {"never", "one", "always"};
    return corners >= 0 && corners < 3 ? names[corners] : "unknown";
}

static void print_json(const wend_map_info *info, const census *count, const wend_map_markers *markers) {
    printf("{\"kind\":\"grid\",\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"depth\":%" PRId32 ",\"cells\":%" PRIu64,
           info->width, info->height, info->depth, (uint64_t)info->width * (uint64_t)info->height);
    printf(",\"open\":%" PRIu64 ",\"components\":%" PRIu64 ",\"links\":0,\"bytes\":%" PRIu64, count->open, count->parts,
           info->bytes);
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
    printf("components      %" PRIu64 "\n", count->parts);
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
    census count = {.width = 0};
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
