/* SPDX-License-Identifier: MIT */
/* wend info: describes a map: size, terrain, components and memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/world/world.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"
#include <wend/query.h>

/* Counts of cells by class, and how many of them are open. */
typedef struct census {
    uint64_t open;
    uint64_t classes[256];
} census;

static void count_map(const wend_map *map, const wend_map_rules *rules, census *sum) {
    wend_map_get_class_counts(map, sum->classes);
    for (int class = 0; class < 256; class++)
        if (rules->factors[class] != 0) sum->open += sum->classes[class];
}

static const char *kind_name(int32_t kind) {
    return kind == WEND_KIND_GRAPH ? "graph" : kind == WEND_KIND_VOXEL ? "voxel" : "grid";
}

static const char *corner_name(int32_t corners) {
    static const char *const names[] = {"never", "one", "always"};
    return corners >= 0 && corners < 3 ? names[corners] : "unknown";
}

static const char *wrap_name(int32_t wrap) {
    return wrap == WEND_WRAP_X ? "x" : wrap == WEND_WRAP_Y ? "y" : "xy";
}

/* Returns the least cost of an edge for a unit of straight distance. */
static double cost_per_unit(const wend_map_info *info) {
    return (double)info->cost_per_unit / 4294967296.0;
}

static void print_json_graph(const wend_map_info *info) {
    printf(",\"nodes\":%" PRIu64 ",\"edges\":%" PRIu64 ",\"coordinates\":%s,\"heuristic\":\"%s\"", info->cells,
           info->edges, info->has_coordinates ? "true" : "false", info->cost_per_unit > 0 ? "distance" : "none");
    printf(",\"cost_per_unit\":%.9g", cost_per_unit(info));
}

static void print_json_rules(const wend_map_rules *rules, int32_t kind) {
    printf(",\"neighbours\":%" PRId32 ",\"corners\":\"%s\",\"cost\":[%" PRId32 ",%" PRId32, rules->neighbours,
           corner_name(rules->corners), rules->cost_straight, rules->cost_diagonal);
    if (kind == WEND_KIND_VOXEL) printf(",%" PRId32, rules->cost_space);
    putchar(']');
}

static void print_json(const wend_map_info *info, const wend_map_rules *rules, const census *count,
                       const wend_map_markers *markers) {
    printf("{\"kind\":\"%s\",\"width\":%" PRId32 ",\"height\":%" PRId32 ",\"depth\":%" PRId32 ",\"cells\":%" PRIu64,
           kind_name(info->kind), info->width, info->height, info->depth, info->cells);
    printf(",\"open\":%" PRIu64 ",\"components\":%" PRIu64 ",\"links\":%" PRIu64 ",\"bytes\":%" PRIu64, count->open,
           info->components, info->links, info->bytes);
    printf(",\"closed_steps\":%" PRIu64 ",\"movers\":%" PRId32, info->closed_steps, info->movers);
    if (info->kind == WEND_KIND_GRAPH)
        print_json_graph(info);
    else
        print_json_rules(rules, info->kind);
    if (info->wrap) printf(",\"wrap\":\"%s\"", wrap_name(info->wrap));
    if (info->sheets) printf(",\"sheets\":%" PRIu32, info->sheets);
    if (cli_first_cell.x || cli_first_cell.y)
        printf(",\"origin\":[%" PRId32 ",%" PRId32 "]", cli_first_cell.x, cli_first_cell.y);
    if (markers->has_start) {
        printf(",\"start\":");
        cli_json_cell(stdout, info->kind, markers->start);
    }
    if (markers->has_goal) {
        printf(",\"goal\":");
        cli_json_cell(stdout, info->kind, markers->goal);
    }
    printf("}\n");
}

static void print_classes(const wend_map_info *info, const wend_map_rules *rules, const census *count) {
    const char *what = info->kind == WEND_KIND_GRAPH ? "nodes" : "cells";
    for (int class = 0; class < 256; class++) {
        if (count->classes[class] == 0) continue;
        printf("  class %-3d     %" PRIu64 " %s, ", class, count->classes[class], what);
        if (rules->factors[class] == 0)
            printf("blocked\n");
        else
            printf("costs times %d\n", rules->factors[class]);
    }
}

static void print_size(const wend_map_info *info) {
    printf("kind            %s\n", kind_name(info->kind));
    if (info->kind == WEND_KIND_GRAPH) {
        printf("nodes           %" PRIu64 ", the highest %" PRId32 "\nedges           %" PRIu64 "\n", info->cells,
               info->width - 1, info->edges);
        return;
    }
    printf("size            %" PRId32 " x %" PRId32, info->width, info->height);
    if (info->kind == WEND_KIND_VOXEL) printf(" x %" PRId32, info->depth);
    if (info->wrap) printf(", wraps along %s", wrap_name(info->wrap));
    if (info->sheets) printf(", %" PRIu32 " sheets", info->sheets);
    printf("\ncells           %" PRIu64 "\n", info->cells);
    if (cli_first_cell.x || cli_first_cell.y)
        printf("origin          %" PRId32 ",%" PRId32 ", the first cell in Tiled\n", cli_first_cell.x,
               cli_first_cell.y);
}

static void print_rules(const wend_map_rules *rules, int32_t kind) {
    printf("neighbours      %" PRId32 ", corners %s\n", rules->neighbours, corner_name(rules->corners));
    printf("costs           %" PRId32 " straight, %" PRId32 " diagonal", rules->cost_straight, rules->cost_diagonal);
    if (kind == WEND_KIND_VOXEL) printf(", %" PRId32 " through space", rules->cost_space);
    printf("\n");
}

static void print_estimate(const wend_map_info *info) {
    printf("coordinates     %s\n", info->has_coordinates ? "yes" : "no");
    if (info->cost_per_unit > 0)
        printf("heuristic       straight distance, %.9g a unit\n", cost_per_unit(info));
    else
        printf("heuristic       none\n");
}

static void print_marker(const char *name, int32_t kind, wend_cell cell) {
    printf("%-16s", name);
    cli_print_cell(stdout, kind, cell);
    printf("\n");
}

static void print_text(const wend_map_info *info, const wend_map_rules *rules, const census *count,
                       const wend_map_markers *markers) {
    print_size(info);
    printf("open            %" PRIu64 " (%.1f %%)\n", count->open, 100.0 * (double)count->open / (double)info->cells);
    print_classes(info, rules, count);
    printf("components      %" PRIu64 "\n", info->components);
    if (info->kind == WEND_KIND_GRAPH)
        print_estimate(info);
    else
        print_rules(rules, info->kind);
    printf("links           %" PRIu64 "\n", info->links);
    if (info->closed_steps > 0) printf("closed steps    %" PRIu64 "\n", info->closed_steps);
    printf("movers          %" PRId32 "\n", info->movers);
    if (markers->has_start) print_marker("start", info->kind, markers->start);
    if (markers->has_goal) print_marker("goal", info->kind, markers->goal);
    printf("memory          %" PRIu64 " bytes, %.3f a %s\n", info->bytes, (double)info->bytes / (double)info->cells,
           info->kind == WEND_KIND_GRAPH ? "node" : "cell");
}

static int run(int argc, char **argv) {
    bool json = false;
    const char *path;
    size_t words;
    const cli_option options[] = {{"json", CLI_FLAG, &json, NULL, 0, 0, 0, "one JSON object"}, CLI_READING_OPTIONS};
    const size_t count_of = sizeof options / sizeof options[0];
    int status = cli_parse(&cli_info, options, count_of, argc, argv, &path, 1, &words);
    if (status) return status;
    if (words == 0) return cli_fail("info: which map? (see wend info --help)");
    cli_world world;
    status = cli_world_load(path, &world);
    if (status) return status;
    cli_world_number_cells(&world);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(world.map, &info);
    const wend_map_rules rules = cli_map_rules(world.map);
    census count = {0};
    count_map(world.map, &rules, &count);
    if (json)
        print_json(&info, &rules, &count, &world.markers);
    else
        print_text(&info, &rules, &count, &world.markers);
    cli_world_free(&world);
    return CLI_DONE;
}

const cli_command cli_info = {
    .name = "info",
    .usage = "MAP [OPTION]...",
    .summary = "describe a map: size, open cells, components, costs, links, memory",
    .details = "MAP is a map file, a world file, or - for standard input. No path leads from one\n"
               "component to another, by the map's own neighbours and corner rule. Links are not\n"
               "counted for components, and edges of a graph count in both directions. The\n"
               "estimate of a graph comes from its coordinates: the straight distance, times the\n"
               "least cost of a unit of distance.\n"
               "JSON: kind, width, height, depth, cells, open, components, links, bytes,\n"
               "closed_steps, movers; of grids neighbours, corners, cost; of graphs nodes,\n"
               "edges, coordinates, heuristic, cost_per_unit; start and goal where the map has\n"
               "them; wrap where it goes on over its rim: x, y or xy; origin, the numbers of the\n"
               "first cell of an infinite map of Tiled, by which its cells are numbered in info\n"
               "and solve (in scripts from 0 on).",
    .run = run,
};
