/* SPDX-License-Identifier: MIT */
/* wend generate: maps to try things on. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "gen.h"
#include "save.h"

typedef struct kind {
    const char *name;
    gen_make *make;
    int32_t density_milli; /* used where none is given; −1: has none */
} kind;

static const kind kinds[] = {{"empty", gen_empty, -1},  {"random", gen_noise, 250}, {"maze", gen_maze, 1000},
                             {"rooms", gen_rooms, 600}, {"caves", gen_caves, 475},  {"city", gen_city, 850}};

static const kind *find(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    }
    return NULL;
}

static bool take_side(const char **text, int64_t *out) {
    const char *at = *text;
    int64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value < INT32_MAX) value = value * 10 + (*at - '0'); /* far too large stays far too large */
    }
    bool any = at != *text;
    *text = at;
    *out = value;
    return any;
}

/* WxH, WxHxD or, for a graph, N. @return −1 to go on, else the exit status */
static int take_size(const char *text, int32_t *width, int32_t *height) {
    int64_t sides[3] = {0, 0, 1};
    int count = 0;
    const char *at = text;
    while (count < 3 && take_side(&at, &sides[count])) {
        count++;
        if (*at != 'x') break;
        at++;
    }
    if (count < 2 || *at != '\0' || at[-1] == 'x')
        return cli_fail("a size is WxH in cells, such as 512x512; not '%s'", text);
    if (count == 3) return cli_fail("%s: maps in space are not available in this version", text);
    for (int i = 0; i < 2; i++) {
        if (sides[i] < 1 || sides[i] > WEND_MAX_SIDE)
            return cli_fail("%s: a side is from 1 to %d cells", text, WEND_MAX_SIDE);
    }
    *width = (int32_t)sides[0];
    *height = (int32_t)sides[1];
    return -1;
}

static int refuse_graph(const char *size) {
    int64_t nodes;
    if (!take_side(&size, &nodes) || *size != '\0' || nodes < 1)
        return cli_fail("generate graph takes a number of nodes, not '%s'", size);
    return cli_fail("generate graph is not available in this version");
}

/* @return a wend error */
static int32_t make_map(const gen_grid *grid, wend_map **out) {
    wend_map_def def = wend_map_default();
    wend_map *map;
    wend_edit *edit;
    def.width = grid->width;
    def.height = grid->height;
    int32_t error = wend_map_create(&def, &map);
    if (error != WEND_OK) return error;
    error = wend_edit_begin(map, &edit);
    if (error == WEND_OK) {
        wend_box all = {{0, 0, 0}, {grid->width - 1, grid->height - 1, 0}};
        wend_edit_write(edit, all, grid->cells, (size_t)grid->width); /* an error sticks, and publish returns it */
        error = wend_edit_publish(edit, NULL);
    }
    if (error == WEND_OK)
        *out = map;
    else
        wend_map_release(map);
    return error;
}

static int save(const gen_grid *grid, const char *output, int32_t format) {
    wend_map *map;
    int32_t error = make_map(grid, &map);
    if (error != WEND_OK) return cli_fail("%s", wend_error_text(error));
    int status = -1;
    if (output != NULL) {
        status = cli_save(map, output, format, NULL);
    } else {
        error = wend_map_write(map, format, NULL, cli_write_to_file, stdout, NULL);
        if (error != WEND_OK && error != WEND_IO) status = cli_fail("%s", wend_error_text(error));
    }
    wend_map_release(map);
    return status == -1 ? CLI_DONE : status;
}

static int generate(const kind *what, int32_t width, int32_t height, uint64_t seed, int32_t density_milli,
                    const char *output) {
    int32_t format = WEND_FORMAT_MOVINGAI;
    int status = output != NULL ? cli_format_of(output, &format) : -1;
    if (status != -1) return status;
    uint64_t cells = (uint64_t)width * (uint64_t)height;
    gen_grid grid = {width, height, cells <= SIZE_MAX ? calloc((size_t)cells, 1) : NULL, cli_progress};
    gen_random random;
    gen_seed(&random, seed);
    if (grid.cells == NULL || !what->make(&grid, &random, density_milli))
        status = cli_fail("%" PRId32 "x%" PRId32 ": %s", width, height, wend_error_text(WEND_OUT_OF_MEMORY));
    else
        status = save(&grid, output, format);
    free(grid.cells);
    return status;
}

static int run(int argc, char **argv) {
    uint64_t seed = 1;
    int32_t density_milli = -1, width = 0, height = 0;
    const char *output = NULL, *words[2];
    size_t count;
    const cli_option options[] = {
        {"seed", CLI_NUMBER, &seed, "N", 0, UINT64_MAX, "the same seed makes the same map (1)"},
        {"density", CLI_DECIMAL_MILLI, &density_milli, "P", 0, 1000, "how much is blocked, see below"},
        {"output", CLI_TEXT, &output, "FILE", 0, 0, "write there, as .txt or .map by its name"}};
    int status = cli_parse(&cli_generate, options, 3, argc, argv, words, 2, &count);
    if (status != -1) return status;
    if (count < 2) return cli_fail("generate: which kind, and how large? (see wend generate --help)");
    if (strcmp(words[0], "graph") == 0) return refuse_graph(words[1]);
    const kind *what = find(words[0]);
    if (what == NULL) return cli_fail("there is no kind '%s': empty random maze rooms caves city graph", words[0]);
    if (what->density_milli < 0 && density_milli >= 0) return cli_fail("an empty map has no --density");
    status = take_size(words[1], &width, &height);
    if (status != -1) return status;
    return generate(what, width, height, seed, density_milli >= 0 ? density_milli : what->density_milli, output);
}

const cli_command cli_generate = {
    "generate", "KIND WxH[xD] [--seed N] [--density P] [--output FILE]",
    "make a map: empty random maze rooms caves city",
    "Without --output the map goes to standard output as a MovingAI .map.\n"
    "--density is the share, from 0 to 1, of: random, cells blocked (0.25); maze, walls kept of one without loops "
    "(1);\n"
    "rooms, doors left out beyond those needed (0.6); caves, rock to begin with (0.475); city, blocks built up, the\n"
    "others being parks (0.85).\n"
    "'graph N' and maps in space (WxHxD) are not available in this version.",
    run};
