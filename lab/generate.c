/* SPDX-License-Identifier: MIT */
/* wend generate: makes maps for trials and tests. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate/gen.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/save.h"
#include "lab_version.h"
#include <wend/formats.h>

typedef struct kind {
    const char *name;
    gen_make *flat, *space;
    int32_t flat_milli, space_milli; /* default density; −1: the kind has none */
} kind;

static const kind kinds[] = {
    {"empty", gen_empty, gen_space_empty, -1, -1},   {"random", gen_scattered, gen_space_scattered, 250, 250},
    {"maze", gen_maze, gen_space_maze, 1000, 1000},  {"rooms", gen_rooms, gen_space_rooms, 600, 600},
    {"caves", gen_caves, gen_space_caves, 475, 530}, {"city", gen_city, gen_space_city, 850, 850}};

enum { ROADS_LEFT_OUT = 350, MOST_NODES = 1 << 24 };

typedef struct settings {
    uint64_t seed;
    int32_t density_milli; /* −1: not given */
    const char *output;
} settings;

static const kind *find(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    }
    return NULL;
}

static bool read_side(const char **text, int64_t *out) {
    const char *at = *text;
    int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value < INT32_MAX) value = value * 10 + (*at - '0'); /* a number that is too large stays too large */
    }
    bool any = at != *text;
    *text = at;
    *out = value;
    return any;
}

/* WxH or WxHxD. @return CLI_DONE, or the exit status */
static int read_size(const char *text, int32_t sides[3], bool *space) {
    int64_t read[3] = {0, 0, 1};
    int count = 0;
    const char *at = text;
    while (count < 3 && read_side(&at, &read[count])) {
        count++;
        if (*at != 'x') break;
        at++;
    }
    if (count < 2 || *at != '\0' || at[-1] == 'x')
        return cli_fail("a size is WxH or WxHxD in cells, such as 512x512; not '%s'", text);
    for (int i = 0; i < 3; i++) {
        if (read[i] < 1 || read[i] > WEND_MAX_SIDE)
            return cli_fail("%s: a side is from 1 to %d cells", text, WEND_MAX_SIDE);
        sides[i] = (int32_t)read[i];
    }
    if ((uint64_t)read[0] * (uint64_t)read[1] * (uint64_t)read[2] > WEND_MAX_CELLS)
        return cli_fail("%s: more than %" PRIu64 " cells", text, WEND_MAX_CELLS);
    *space = count == 3;
    return CLI_DONE;
}

/* @return a wend error */
static wend_error make_map(const gen_grid *grid, bool space, wend_map **out) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_map *map;
    wend_edit *edit;
    def.kind = space ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    def.width = grid->width;
    def.height = grid->height;
    def.depth = grid->depth;
    wend_error error = wend_map_create(&def, &map);
    if (error) return error;
    error = wend_edit_begin(map, &edit);
    if (!error) {
        wend_box all = {{0, 0, 0}, {grid->width - 1, grid->height - 1, grid->depth - 1}};
        wend_edit_set_box(edit, all, grid->cells, (size_t)grid->width); /* publish returns an error of this call */
        error = wend_edit_publish(edit, NULL);
    }
    if (!error)
        *out = map;
    else
        wend_map_release(map);
    return error;
}

/* Releases the map. */
static int save(wend_map *map, const char *output, int32_t format) {
    int status = CLI_DONE;
    if (output) {
        status = cli_save(map, NULL, NULL, output, format);
    } else {
        wend_error error = wend_map_write(map, format, NULL, cli_write_to_file, stdout, NULL);
        if (error && error != WEND_IO) status = cli_fail("%s", wend_error_detail(error));
    }
    wend_map_release(map);
    return status;
}

/* The format of the output. A format that cannot hold the map is refused before the work. */
static int choose_format(const char *output, const char *what, bool space, bool graph, int32_t *format) {
    *format = graph ? WEND_FORMAT_DIMACS : space ? WEND_FORMAT_VOXEL : WEND_FORMAT_MOVINGAI;
    int32_t plain = *format;
    int status = output ? cli_format_of(output, format) : CLI_DONE;
    if (status || *format == plain) return status;
    const bool flat = *format == CLI_FORMAT_TILED || *format == CLI_FORMAT_CHUNKS;
    const bool fits = *format == WEND_FORMAT_GRID_TEXT ? !graph : flat && !graph && !space;
    return fits ? CLI_DONE : cli_fail("%s: %s cannot be written in that format", output, what);
}

static int generate(const kind *what, const int32_t sides[3], bool space, const settings *given) {
    int32_t format, density = space ? what->space_milli : what->flat_milli;
    int status = choose_format(given->output, space ? "a map in space" : "a flat grid", space, false, &format);
    if (status) return status;
    uint64_t cells = (uint64_t)sides[0] * (uint64_t)sides[1] * (uint64_t)sides[2];
    gen_grid grid = {sides[0], sides[1], cells <= SIZE_MAX ? calloc((size_t)cells, 1) : NULL, cli_progress, sides[2]};
    gen_random random;
    wend_map *map = NULL;
    gen_seed(&random, given->seed);
    if (given->density_milli >= 0) density = given->density_milli;
    bool made = grid.cells && (space ? what->space : what->flat)(&grid, &random, density);
    cli_progress_end();
    wend_error error = made ? make_map(&grid, space, &map) : WEND_OUT_OF_MEMORY;
    free(grid.cells);
    return !error ? save(map, given->output, format) : cli_fail("%s", wend_error_detail(error));
}

/* ---- graphs ---- */

static wend_error make_graph(const gen_roads *roads, wend_map **out) {
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    uint8_t *present = malloc((size_t)roads->nodes + 1);
    if (!present) return WEND_OUT_OF_MEMORY;
    memset(present, 1, (size_t)roads->nodes + 1);
    present[0] = 0; /* nodes of .gr files are counted from 1 */
    def.node_count = roads->nodes + 1;
    def.present = present;
    def.coordinates = roads->at;
    def.edges = roads->edges;
    def.edge_count = roads->edge_count;
    wend_error error = wend_graph_create(&def, out);
    free(present);
    return error;
}

static int generate_graph(const char *text, const settings *given) {
    const char *size = text;
    int64_t nodes;
    int32_t format;
    if (!read_side(&size, &nodes) || *size != '\0' || nodes < 1 || nodes > MOST_NODES)
        return cli_fail("generate graph takes a number of nodes from 1 to %d, not '%s'", MOST_NODES, text);
    int status = choose_format(given->output, "a graph", false, true, &format);
    if (status) return status;
    gen_roads roads = {.nodes = (uint32_t)nodes};
    gen_random random;
    wend_map *map;
    gen_seed(&random, given->seed);
    bool made = gen_roads_make(&roads, &random, given->density_milli >= 0 ? given->density_milli : ROADS_LEFT_OUT);
    wend_error error = made ? make_graph(&roads, &map) : WEND_OUT_OF_MEMORY;
    free(roads.at);
    free(roads.edges);
    return !error ? save(map, given->output, format) : cli_fail("%s", wend_error_detail(error));
}

static int run(int argc, char **argv) {
    settings given = {.density_milli = -1};
    int32_t sides[3] = {0, 0, 0};
    bool space = false;
    const char *words[2];
    size_t count;
    const cli_option options[] = {
        {"seed", CLI_NUMBER, &given.seed, "N", 0, UINT64_MAX, 1, "the same seed makes the same map"},
        {"density", CLI_DECIMAL_MILLI, &given.density_milli, "P", 0, 1000, 0, "how much is blocked, see below"},
        {"output", CLI_TEXT, &given.output, "FILE", 0, 0, 0, "write there, in the format that the name asks for"}};
    int status = cli_parse(&cli_generate, options, 3, argc, argv, words, 2, &count);
    if (status) return status;
    if (count < 2) return cli_fail("generate: which kind, and how large? (see wend generate --help)");
    if (strcmp(words[0], "graph") == 0) return generate_graph(words[1], &given);
    const kind *what = find(words[0]);
    if (!what) return cli_fail("there is no kind '%s': empty random maze rooms caves city graph", words[0]);
    if (what->flat_milli < 0 && given.density_milli >= 0) return cli_fail("an empty map has no --density");
    status = read_size(words[1], sides, &space);
    return !status ? generate(what, sides, space, &given) : status;
}

const cli_command cli_generate = {
    .name = "generate",
    .usage = "KIND WxH[xD] | graph N [OPTION]...",
    .summary = "make a map: empty random maze rooms caves city graph",
    .details = "WxH makes a flat map and WxHxD a map in space. Without --output they go to\n"
               "standard output as .map and .3dmap, and a graph of N nodes as .gr. --output\n"
               "writes .txt, .map, .3dmap, .tmj or .gr, by its name; next to a .gr the\n"
               "coordinates of the nodes are written as .co. A name that ends in / is a folder,\n"
               "where each chunk gets a file.\n"
               "Every map has open cells, and a path leads from each of them to every other. A\n"
               "graph resembles roads: slow and fast streets, some of them one-way; every node\n"
               "can be reached from every other. Meaning and default of --density:\n"
               "  random  cells blocked, before ways are opened between parts that are cut off;\n"
               "          0.25\n"
               "  maze    walls kept of a maze without loops; 1\n"
               "  rooms   doors left out beyond those needed to reach every room; 0.6\n"
               "  caves   rock before it is worn; 0.475, in space 0.53\n"
               "  city    blocks with houses, the others are parks; 0.85\n"
               "  graph   streets left out beyond those needed to reach every node; 0.35",
    .run = run,
    .package = LAB_VERSION,
};
