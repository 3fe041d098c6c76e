/* SPDX-License-Identifier: MIT */
/* Checks the options that change a map's rules, and puts them into the rules. */
#include <inttypes.h>

#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "cli/shared/rules.h"

/* Reads S, D and T, and checks what holds for every map. */
static int read_cost(const char *text, int32_t costs[3], int *count) {
    *count = cli_parse_ints(text, costs);
    if (*count < 2) return cli_fail("--cost is S,D[,T] in whole numbers, such as 10,14; not '%s'", text);
    for (int i = 0; i < *count; i++) {
        if (costs[i] < 1 || costs[i] > WEND_MAX_COST)
            return cli_fail("--cost: each is from 1 to %d, not %" PRId32, WEND_MAX_COST, costs[i]);
    }
    if (costs[1] < costs[0] || costs[1] > 2 * costs[0])
        return cli_fail("--cost: a diagonal step costs from S to 2 S, here %" PRId32 " to %" PRId32 ", not %" PRId32,
                        costs[0], 2 * costs[0], costs[1]);
    return CLI_DONE;
}

static int apply_cost(const char *text, bool known, wend_map_rules *rules) {
    int32_t costs[3];
    int count;
    int status = read_cost(text, costs, &count);
    if (status) return status;
    rules->cost_straight = costs[0];
    rules->cost_diagonal = costs[1];
    if (!known || rules->neighbours != 26) return CLI_DONE; /* T is not used there */
    if (count < 3) return cli_fail("--cost: with 26 neighbours it is S,D,T, such as 10,14,17; not '%s'", text);
    if (costs[2] < costs[1] || costs[2] > 2 * costs[1] - costs[0])
        return cli_fail("--cost: a diagonal step through space costs from D to 2 D - S, here %" PRId32 " to %" PRId32
                        ", not %" PRId32,
                        costs[1], 2 * costs[1] - costs[0], costs[2]);
    rules->cost_space = costs[2];
    return CLI_DONE;
}

static int apply_neighbours(int32_t neighbours, int32_t kind, wend_map_rules *rules) {
    const bool flat = neighbours == 4 || neighbours == 8;
    if (kind == WEND_KIND_GRID && !flat && neighbours != 6)
        return cli_fail("--neighbours %" PRId32 " is for maps in space; a flat grid has 4, 6 (hexagons) or 8",
                        neighbours);
    if (kind == WEND_KIND_VOXEL && flat)
        return cli_fail("--neighbours %" PRId32 " is for flat grids; a map in space has 6, 18 or 26", neighbours);
    rules->neighbours = neighbours;
    return CLI_DONE;
}

/* A graph has edges instead of these rules. */
static int check_graph(const cli_rules *given) {
    const char *name = given->neighbours >= 0 ? "neighbours" : given->corners >= 0 ? "corners" : NULL;
    if (!name && given->cost) name = "cost";
    return !name ? CLI_DONE : cli_fail("--%s is for grids; a graph has its edges", name);
}

int cli_rules_apply(const cli_rules *given, int32_t kind, wend_map_rules *rules) {
    static const int32_t neighbours[] = {4, 8, 6, 18, 26}; /* as in CLI_NEIGHBOURS */
    if (kind == WEND_KIND_GRAPH) return check_graph(given);
    int status = given->neighbours >= 0 ? apply_neighbours(neighbours[given->neighbours], kind, rules) : CLI_DONE;
    if (status) return status;
    if (given->corners >= 0) rules->corners = given->corners;
    return given->cost ? apply_cost(given->cost, kind != 0, rules) : CLI_DONE;
}
