/* SPDX-License-Identifier: MIT */
/* Options that say how a map is walked and searched; cells in words and in JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Reads a whole number of at most 9 digits, moves *text past it. */
static bool take_int(const char **text, int32_t *out) {
    const char *at = *text;
    bool negative = *at == '-';
    int32_t value = 0, digits = 0;
    if (negative) at++;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (++digits > 9) return false;
        value = value * 10 + (*at - '0');
    }
    if (digits == 0) return false;
    *text = at;
    *out = negative ? -value : value;
    return true;
}

/* Up to three whole numbers parted by commas. @return how many, 0 where it is not that */
static int take_ints(const char *text, int32_t out[3]) {
    int count = 0;
    while (count < 3) {
        if (!take_int(&text, &out[count++])) return 0;
        if (*text == '\0') return count;
        if (*text++ != ',') return 0;
    }
    return 0;
}

bool cli_parse_cell(const char *text, int32_t kind, wend_cell *out) {
    int32_t numbers[3] = {0, 0, 0};
    int count = take_ints(text, numbers);
    if (kind == WEND_KIND_GRAPH ? count != 1 : count < 2) return false;
    *out = (wend_cell){numbers[0], numbers[1], numbers[2]};
    return true;
}

bool cli_has_cell(const wend_map *map, const wend_map_info *info, wend_cell cell) {
    if (cell.x < 0 || cell.y < 0 || cell.z < 0) return false;
    if (cell.x >= info->width || cell.y >= info->height || cell.z >= info->depth) return false;
    size_t edges;
    return info->kind != WEND_KIND_GRAPH || wend_map_get_edges(map, (uint32_t)cell.x, NULL, 0, &edges) == WEND_OK;
}

void cli_print_cell(FILE *out, int32_t kind, wend_cell cell) {
    fprintf(out, "%" PRId32, cell.x);
    if (kind != WEND_KIND_GRAPH) fprintf(out, ",%" PRId32, cell.y);
    if (kind == WEND_KIND_VOXEL) fprintf(out, ",%" PRId32, cell.z);
}

void cli_json_cell(FILE *out, int32_t kind, wend_cell cell) {
    if (kind != WEND_KIND_GRAPH) fputc('[', out);
    cli_print_cell(out, kind, cell);
    if (kind != WEND_KIND_GRAPH) fputc(']', out);
}

void cli_json_cells(FILE *out, int32_t kind, const wend_cell *cells, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputc(',', out);
        cli_json_cell(out, kind, cells[i]);
    }
    fputc(']', out);
}

/* What S, D and T may be, whatever the map. */
static int read_cost(const char *text, int32_t costs[3], int *count) {
    *count = take_ints(text, costs);
    if (*count < 2) return cli_fail("--cost is S,D[,T] in whole numbers, such as 10,14; not '%s'", text);
    for (int i = 0; i < *count; i++) {
        if (costs[i] < 1 || costs[i] > WEND_MAX_COST)
            return cli_fail("--cost: each is from 1 to %d, not %" PRId32, WEND_MAX_COST, costs[i]);
    }
    if (costs[1] < costs[0] || costs[1] > 2 * costs[0])
        return cli_fail("--cost: a diagonal step costs from S to 2 S, here %" PRId32 " to %" PRId32 ", not %" PRId32,
                        costs[0], 2 * costs[0], costs[1]);
    return -1;
}

static int apply_cost(const char *text, bool known, wend_map_rules *rules) {
    int32_t costs[3];
    int count;
    int status = read_cost(text, costs, &count);
    if (status != -1) return status;
    rules->cost_straight = costs[0];
    rules->cost_diagonal = costs[1];
    if (!known || rules->neighbours != 26) return -1; /* T has no meaning there */
    if (count < 3) return cli_fail("--cost: with 26 neighbours it is S,D,T, such as 10,14,17; not '%s'", text);
    if (costs[2] < costs[1] || costs[2] > 2 * costs[1] - costs[0])
        return cli_fail("--cost: a diagonal step through space costs from D to 2 D - S, here %" PRId32 " to %" PRId32
                        ", not %" PRId32,
                        costs[1], 2 * costs[1] - costs[0], costs[2]);
    rules->cost_space = costs[2];
    return -1;
}

static int apply_neighbours(int32_t neighbours, int32_t kind, wend_map_rules *rules) {
    bool flat = neighbours == 4 || neighbours == 8;
    if (kind == WEND_KIND_GRID && !flat)
        return cli_fail("--neighbours %" PRId32 " is for maps in space; a flat grid has 4 or 8", neighbours);
    if (kind == WEND_KIND_VOXEL && flat)
        return cli_fail("--neighbours %" PRId32 " is for flat grids; a map in space has 6, 18 or 26", neighbours);
    rules->neighbours = neighbours;
    return -1;
}

/* A graph's edges say all that these do. */
static int check_graph(const cli_rules *given) {
    const char *name = given->neighbours >= 0 ? "neighbours" : given->corners >= 0 ? "corners" : NULL;
    if (name == NULL && given->cost != NULL) name = "cost";
    return name == NULL ? -1 : cli_fail("--%s is for grids; a graph has its edges", name);
}

int cli_rules_apply(const cli_rules *given, int32_t kind, wend_map_rules *rules) {
    static const int32_t neighbours[] = {4, 8, 6, 18, 26}; /* as in CLI_NEIGHBOURS */
    if (kind == WEND_KIND_GRAPH) return check_graph(given);
    int status = given->neighbours >= 0 ? apply_neighbours(neighbours[given->neighbours], kind, rules) : -1;
    if (status != -1) return status;
    if (given->corners >= 0) rules->corners = given->corners;
    return given->cost != NULL ? apply_cost(given->cost, kind != 0, rules) : -1;
}

static uint64_t parts(int32_t length, int32_t part) {
    return ((uint64_t)length + (uint64_t)part - 1) / (uint64_t)part;
}

/* Up to four pages a chunk, which is 64 x 64 cells, 16 x 16 x 16 voxels or 4,096 nodes. */
uint64_t cli_search_nodes(const wend_map_info *info) {
    uint64_t chunks = parts(info->width, 4096);
    if (info->kind == WEND_KIND_GRID) chunks = parts(info->width, 64) * parts(info->height, 64);
    if (info->kind == WEND_KIND_VOXEL)
        chunks = parts(info->width, 16) * parts(info->height, 16) * parts(info->depth, 16);
    return 4 * WEND_PAGE_NODES * chunks;
}

wend_map_rules cli_map_rules(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules;
}

uint32_t cli_prefault(const wend_service_def *def) {
    return wend_service_bytes(def) <= (size_t)1 << 28;
}

/* Tables take about 8 bytes a cell where the ground is mixed. By itself the program makes them up to this size. */
static const uint64_t auto_cells = UINT64_C(1) << 24;

/* Tables come last: they are looked at most, and so they are in the caches when searches begin. */
int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    const wend_map_rules rules = cli_map_rules(map);
    bool serves = info.kind == WEND_KIND_GRID && rules.neighbours == 8 && rules.corners == WEND_CORNERS_NEVER;
    if (!serves || engine == WEND_ENGINE_ASTAR || (engine == WEND_ENGINE_AUTO && info.cells > auto_cells)) return -1;
    wend_error error = wend_map_prepare_landmarks(map, (int32_t)landmarks);
    if (error != WEND_OK && error != WEND_UNSUPPORTED && error != WEND_OUT_OF_MEMORY) /* else it does without */
        return cli_fail("landmarks: %s", wend_error_text(error));
    error = wend_map_prepare_jumps(map);
    if (error == WEND_OK || error == WEND_UNSUPPORTED) return -1; /* A* answers */
    if (error == WEND_OUT_OF_MEMORY && engine == WEND_ENGINE_AUTO) return -1;
    return cli_fail("jump tables: %s", wend_error_text(error));
}

/* So many chunks a frame are pruned again, which takes about 0.1 ms each; and landmarks that rest are mended so far. */
enum { PRUNED_A_FRAME = 4, MENDED_A_FRAME = 2048 };

int cli_engine_upkeep(wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    const bool prune = info.jump_unpruned > 0; /* one of the two: each makes a version */
    wend_error error =
        prune ? wend_map_prune_jumps(map, PRUNED_A_FRAME, NULL) : wend_map_mend_landmarks(map, MENDED_A_FRAME, NULL);
    return error == WEND_OK ? -1 : cli_fail("%s: %s", prune ? "jump tables" : "landmarks", wend_error_text(error));
}

const char *cli_engine_name(int32_t engine) {
    return engine == WEND_ENGINE_JUMP ? "jump" : "astar";
}
