/* SPDX-License-Identifier: MIT */
/* wend ground: makes a map of a level file. */
#include <inttypes.h>

#include <wend/ground.h>

#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/save.h"
#include "level.h"
#include "parts.h"

typedef struct arguments {
    int32_t radius, height, climb, slope, drop, jump, cell, level; /* thousandths */
    bool z_up, json;
    const char *output;
} arguments;

static wend_ground_def describe(const arguments *given, const level_file *level) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.radius = (float)given->radius / 1000;
    def.height = (float)given->height / 1000;
    def.climb = (float)given->climb / 1000;
    def.slope = (float)given->slope / 1000;
    def.drop = (float)given->drop / 1000;
    def.jump = (float)given->jump / 1000;
    def.cell = (float)given->cell / 1000;
    def.level = (float)given->level / 1000;
    def.y_up = !given->z_up;
    def.vertices = level->vertices;
    def.vertex_count = level->vertex_count;
    def.triangles = level->triangles;
    def.triangle_count = level->triangle_count;
    return def;
}

/* The parts, and the climb that would join some. */
static void print_parts(const ground_parts *parts, bool json) {
    const double climb = (double)parts->join_climb / 1000;
    printf(json ? ",\"parts\":%" PRIu32 : "parts       %" PRIu32, parts->count);
    if (parts->joined > 0)
        printf(json ? ",\"join_climb\":%g,\"joined\":%" PRIu32 : "; --climb %g would join %" PRIu32 " of them", climb,
               parts->joined);
    else if (!json && parts->count > 1)
        printf("; no --climb up to the agent's height joins any of them");
}

static void print_ground(const arguments *given, const level_file *level, const wend_ground *ground,
                         const wend_map *map, const ground_parts *parts) {
    wend_ground_info info = {.struct_bytes = sizeof info};
    wend_map_info flat = {.struct_bytes = sizeof flat};
    wend_ground_get_info(ground, &info);
    wend_map_get_info(map, &flat);
    if (given->json) {
        printf("{\"triangles\":%zu,\"columns\":[%" PRId32 ",%" PRId32 "],\"spans\":%" PRIu32 ",\"sheets\":%" PRIu32
               ",\"seams\":%" PRIu32 ",\"leaps\":%" PRIu32 ",\"width\":%" PRId32 ",\"height\":%" PRId32
               ",\"components\":%" PRIu64,
               level->triangle_count, info.columns, info.rows, info.spans, info.sheets, info.seams, info.leaps,
               flat.width, flat.height, flat.components);
        print_parts(parts, true);
        printf("}\n");
        return;
    }
    printf("triangles   %zu\ncolumns     %" PRId32 " x %" PRId32 "\nplaces      %" PRIu32
           " where the agent can stand\nsheets      %" PRIu32 ", joined by %" PRIu32 " steps\nleaps       %" PRIu32
           "\nmap         %" PRId32 " x %" PRId32 " cells\n",
           level->triangle_count, info.columns, info.rows, info.spans, info.sheets, info.seams, info.leaps, flat.width,
           flat.height);
    print_parts(parts, false);
    printf("\n");
}

static int make_map(const arguments *given, const char *path, const level_file *level) {
    const wend_ground_def def = describe(given, level);
    wend_file_error where = {.struct_bytes = sizeof where};
    wend_ground *ground;
    wend_map *map;
    const wend_error error = wend_ground_create(&def, &ground, &map, &where);
    if (error) return cli_fail_file(path, error, &where);
    int status = CLI_DONE;
    if (given->output) status = cli_save(map, NULL, NULL, given->output, WEND_FORMAT_BAKED);
    if (!status) {
        ground_parts parts;
        ground_find_parts(&def, given->level, ground, map, &parts);
        print_ground(given, level, ground, map, &parts);
    }
    wend_ground_destroy(ground);
    wend_map_release(map);
    return status;
}

static int run(int argc, char **argv) {
    arguments given = {0};
    const cli_option options[] = {
        {"radius", CLI_DECIMAL_MILLI, &given.radius, "R", 0, 1000000, 600, "of the agent, in the level's unit"},
        {"height", CLI_DECIMAL_MILLI, &given.height, "H", 1, 1000000, 2000, "that the agent needs above the ground"},
        {"climb", CLI_DECIMAL_MILLI, &given.climb, "C", 0, 1000000, 900, "highest step"},
        {"slope", CLI_DECIMAL_MILLI, &given.slope, "DEGREES", 0, 89000, 45000, "steepest ground"},
        {"drop", CLI_DECIMAL_MILLI, &given.drop, "H", 0, 1000000, 0, "links down to ground so much lower; none"},
        {"jump", CLI_DECIMAL_MILLI, &given.jump, "D", 0, 1000000, 0, "links across gaps so wide; none"},
        {"cell", CLI_DECIMAL_MILLI, &given.cell, "SIZE", 1, 1000000, 300, "side of a cell"},
        {"level", CLI_DECIMAL_MILLI, &given.level, "SIZE", 1, 1000000, 200, "height of a level"},
        {"z-up", CLI_FLAG, &given.z_up, NULL, 0, 0, 0, "the file has z up, not y"},
        {"output", CLI_TEXT, &given.output, "MAP", 0, 0, 0, "write the map, as wend bake does; -o MAP too"},
        {"json", CLI_FLAG, &given.json, NULL, 0, 0, 0, "print an object of JSON"}};
    const char *words[1];
    size_t count;
    int status = cli_parse(&cli_ground, options, sizeof options / sizeof options[0], argc, argv, words, 1, &count);
    if (status) return status;
    if (count < 1) return cli_fail("ground: which level? (see wend ground --help)");
    level_file level;
    status = level_load(words[0], &level);
    if (status) return status;
    status = make_map(&given, words[0], &level);
    level_free(&level);
    return status;
}

const cli_command cli_ground = {
    .name = "ground",
    .usage = "LEVEL [OPTION]...",
    .summary = "make a map of a level's triangles",
    .details = "LEVEL is a file of triangles: .obj, or .glb, .gltf, .fbx and others that assimp\n"
               "reads, where this build has it. A face has at most 1024 corners. Recast finds\n"
               "where an agent of that size can stand; these places become the cells of a flat\n"
               "grid. Parts of the ground without two floors above each other lie side by side\n"
               "in it, with links between. The line parts counts what no way joins, and names\n"
               "the least --climb that would join some.",
    .run = run,
};
