/* SPDX-License-Identifier: MIT */
/* wend bake: makes a map's landmarks, and writes it with them, and with a request for jump tables. */
#include "cli/world/world.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "cli/shared/save.h"

typedef struct arguments {
    cli_rules rules;
    uint64_t landmarks;
} arguments;

static int set_rules(const arguments *given, cli_world *world) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_rules rules = cli_map_rules(world->map);
    wend_map_get_info(world->map, &info);
    const int status = cli_rules_apply(&given->rules, info.kind, &rules);
    if (status) return status;
    const wend_error error = cli_world_set_rules(world, &rules);
    return error == WEND_OK ? CLI_DONE : cli_fail("%s", wend_error_detail(error));
}

static int accelerate(const arguments *given, wend_map *map) {
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.far = 0; /* baked maps contain no far layer */
    def.landmarks = (int32_t)given->landmarks;
    const wend_error error = wend_map_accelerate(map, &def);
    return error == WEND_OK ? CLI_DONE : cli_fail("%s", wend_error_detail(error));
}

static void report_left_out(const cli_world *world) {
    if (world->markers.has_start || world->markers.has_goal)
        cli_note("start and goal are left out: a baked map has no place for them");
    if (world->routes.count > 0 || world->agents.count > 0)
        cli_note("routes and agents are left out: a baked map has no place for them");
}

static int bake(const arguments *given, cli_world *world, const char *path) {
    int status = set_rules(given, world);
    if (!status) status = accelerate(given, world->map);
    if (!status) status = cli_save(world->map, NULL, NULL, path, WEND_FORMAT_BAKED);
    if (status) return status;
    report_left_out(world);
    return CLI_DONE;
}

static int run(int argc, char **argv) {
    arguments given = {.rules = {.neighbours = -1, .corners = -1}};
    const cli_option options[] = {
        {"landmarks", CLI_NUMBER, &given.landmarks, "N", 0, WEND_MAX_LANDMARKS, 4, "landmarks to make"},
        {"neighbours", CLI_CHOICE, &given.rules.neighbours, CLI_NEIGHBOURS, 0, 0, 0,
         "steps from a cell: 4, 6 (hexagons) or 8 on flat grids, 6, 18 or 26 in space"},
        {"corners", CLI_CHOICE, &given.rules.corners, CLI_CORNERS, 0, 0, 0,
         "when a diagonal step past a blocked cell is allowed"},
        {"cost", CLI_TEXT, &given.rules.cost, "S,D[,T]", 0, 0, 0,
         "costs of a straight and a diagonal step, and of one through space"},
        CLI_READING_OPTIONS};
    const char *words[2];
    size_t count;
    int status = cli_parse(&cli_bake, options, sizeof options / sizeof options[0], argc, argv, words, 2, &count);
    if (status) return status;
    if (count < 2) return cli_fail("bake: which map into which file? (see wend bake --help)");
    cli_world world;
    status = cli_world_load(words[0], &world);
    if (status) return status;
    status = bake(&given, &world, words[1]);
    cli_world_free(&world);
    return status;
}

const cli_command cli_bake = {
    .name = "bake",
    .usage = "MAP OUT [OPTION]...",
    .summary = "write a map with its rules and landmarks, to be loaded quickly",
    .details = "MAP is a map file, a world file, or - for standard input. OUT is a map file that\n"
               "holds terrain, links, closed steps, neighbours, corners, costs, factors and\n"
               "landmarks. Jump tables are made on loading. Every command reads it. Graphs and\n"
               "maps with movers are refused.",
    .run = run,
};
