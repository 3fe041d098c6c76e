/* SPDX-License-Identifier: MIT */
/* wend convert: from any map file to the format of the other file's name. */
#include <string.h>

#include "cli/world/world.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include "cli/shared/save.h"

/* No map file can contain a mover, and without it the map would mean something else. */
static int refuse_movers(const cli_world *world, const char *path) {
    if (world->movers.count == 0) return CLI_DONE;
    return cli_fail_at(path, 0, 0, "the mover %s, which no map file can hold", world->movers.names[0]);
}

static bool same_rules(int32_t kind, const wend_map_rules *rules) {
    wend_map_rules plain;
    wend_map_rules_init(&plain, sizeof plain);
    bool space = kind == WEND_KIND_VOXEL;
    if (memcmp(rules->factors, plain.factors, sizeof plain.factors) != 0) return false;
    if (kind == WEND_KIND_GRAPH) return true;
    return rules->neighbours == (space ? 26 : 8) && rules->corners == plain.corners &&
           rules->cost_straight == plain.cost_straight && rules->cost_diagonal == plain.cost_diagonal &&
           (!space || rules->cost_space == plain.cost_space);
}

/* Lists the parts that the file has no place for. */
static void report_left_out(const cli_world *world, int32_t format) {
    bool ends = world->markers.has_start || world->markers.has_goal;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(world->map, &info);
    if (ends && format != WEND_FORMAT_GRID_TEXT && format != CLI_FORMAT_TILED)
        cli_note("start and goal are left out: the format has no place for them");
    if (world->tiled && world->tiled->route_count > 0 && format != CLI_FORMAT_TILED)
        cli_note("routes are left out: only .tmj has a place for them");
    const wend_map_rules rules = cli_map_rules(world->map);
    if (!same_rules(info.kind, &rules))
        cli_note("neighbours, corners, costs and factors are left out: no map file has a place for them");
}

static int convert(const cli_world *world, const char *path, int32_t format) {
    int status = refuse_movers(world, path);
    if (!status) status = cli_save(world->map, &world->markers, world->tiled, path, format);
    if (status) return status;
    report_left_out(world, format);
    return CLI_DONE;
}

static int run(int argc, char **argv) {
    const char *words[2];
    size_t count;
    const cli_option options[] = {CLI_READING_OPTIONS};
    int status = cli_parse(&cli_convert, options, sizeof options / sizeof options[0], argc, argv, words, 2, &count);
    if (status) return status;
    if (count < 2) return cli_fail("convert: from which file to which? (see wend convert --help)");
    int32_t format;
    status = cli_format_of(words[1], &format);
    if (status) return status;
    cli_world world;
    status = cli_world_load(words[0], &world);
    if (status) return status;
    status = convert(&world, words[1], format);
    cli_world_free(&world);
    return status;
}

const cli_command cli_convert = {
    .name = "convert",
    .usage = "IN OUT [OPTION]...",
    .summary = "write a map in another format",
    .details = "IN is a map file, a world file, or - for standard input. The name of OUT says\n"
               "the format: .txt (grid text), .map (MovingAI), .3dmap (voxels), .gr (DIMACS;\n"
               "coordinates are written next to it as .co) or .tmj (Tiled); a name that ends in\n"
               "/ is a folder, where each chunk gets a file (wend serve --stream). What the\n"
               "format cannot hold is refused, and the message names the first such cell, link,\n"
               "step, node or mover. Neighbours, corners, costs and factors are in no map file.",
    .run = run,
};
