/* SPDX-License-Identifier: MIT */
/* Commands that make the map, and its settings: map, grid, voxels, neighbours, corners, cost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/script/world.h"
#include "cli/shared/rules.h"

void cli_script_rules(const cli_script *script, wend_map_rules *out) {
    *out = cli_map_rules(script->built.map);
}

/* ---- the map ---- */

int cli_parse_file(cli_script *script, cli_arguments *out) {
    out->name = script->words[1];
    return -1;
}

int cli_parse_size(cli_script *script, cli_arguments *out) {
    out->numbers[2] = 1;
    return cli_read_ranges(script, 1, script->word_count - 1, "a side", 1, WEND_MAX_SIDE, out->numbers);
}

void cli_script_take_size(cli_script *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(script->built.map, &info);
    script->kind = info.kind;
    script->width = info.width;
    script->height = info.height;
    script->layers = info.depth;
    script->cells = info.cells;
}

int cli_act_map(cli_script *script, const cli_arguments *arguments) {
    int status = cli_world_load_from(script, arguments->name);
    if (status != -1) {
        script->failed = true;
        return status;
    }
    cli_script_take_size(script);
    return -1;
}

int cli_act_grid(cli_script *script, const cli_arguments *arguments) {
    const uint64_t *sides = arguments->numbers;
    const cli_word *words = script->words;
    uint64_t most = script->options->most_cells > 0 ? script->options->most_cells : WEND_MAX_CELLS;
    if (sides[0] * sides[1] * sides[2] > most)
        return cli_script_fail(script, words[1].column, "more than %" PRIu64 " cells", most);
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.kind = cli_word_is(words[0], "grid") ? WEND_KIND_GRID : WEND_KIND_VOXEL;
    def.width = (int32_t)sides[0];
    def.height = (int32_t)sides[1];
    def.depth = (int32_t)sides[2];
    wend_error error = wend_map_create(&def, &script->built.map);
    if (error != WEND_OK)
        return cli_script_fail(script, words[0].column, "%s: %s", cli_quoted(words[0]).text, wend_error_detail(error));
    cli_script_take_size(script);
    return -1;
}

/* ---- settings ---- */

static int fail_on_graph(cli_script *script) {
    return cli_script_fail(script, script->words[0].column, "a graph has edges, and no setting '%s'",
                           cli_quoted(script->words[0]).text);
}

int cli_parse_neighbours(cli_script *script, cli_arguments *out) {
    static const struct {
        const char *word;
        int32_t number;
        bool flat;
    } known[] = {{"4", 4, true}, {"8", 8, true}, {"6", 6, false}, {"18", 18, false}, {"26", 26, false}};
    cli_word word = script->words[1];
    bool flat = script->kind == WEND_KIND_GRID;
    if (script->kind == WEND_KIND_GRAPH) return fail_on_graph(script);
    if (script->stepped)
        return cli_script_fail(script, script->words[0].column, "neighbours comes before the first step");
    cli_script_rules(script, &out->rules);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!cli_word_is(word, known[i].word)) continue;
        if (known[i].flat != flat)
            return cli_script_fail(script, word.column, "%s neighbours, not %s",
                                   flat ? "a flat grid has 4 or 8" : "a map in space has 6, 18 or 26", known[i].word);
        out->rules.neighbours = known[i].number;
        return -1;
    }
    return cli_script_fail(script, word.column, "neighbours is 4 or 8, in space 6, 18 or 26, not '%s'",
                           cli_quoted(word).text);
}

int cli_parse_corners(cli_script *script, cli_arguments *out) {
    cli_word word = script->words[1];
    if (script->kind == WEND_KIND_GRAPH) return fail_on_graph(script);
    cli_script_rules(script, &out->rules);
    if (cli_word_is(word, "never"))
        out->rules.corners = WEND_CORNERS_NEVER;
    else if (cli_word_is(word, "one"))
        out->rules.corners = WEND_CORNERS_ONE;
    else if (cli_word_is(word, "always"))
        out->rules.corners = WEND_CORNERS_ALWAYS;
    else
        return cli_script_fail(script, word.column, "corners is never, one or always, not '%s'", cli_quoted(word).text);
    return -1;
}

static uint64_t most_space(const uint64_t cost[2]) {
    return 2 * cost[1] - cost[0];
}

/* The third cost matters only with 26 neighbours, and their number may come in a later line: until then a cost that
   fits the other two is used. */
int cli_parse_cost(cli_script *script, cli_arguments *out) {
    uint64_t *cost = out->numbers;
    if (script->kind == WEND_KIND_GRAPH) return fail_on_graph(script);
    cli_script_rules(script, &out->rules);
    int status = cli_read_ranges(script, 1, script->word_count - 1, "a cost", 1, WEND_MAX_COST, cost);
    if (status != -1) return status;
    if (cost[1] < cost[0] || cost[1] > 2 * cost[0])
        return cli_script_fail(script, script->words[2].column,
                               "a diagonal step costs from S to 2 S, here %" PRIu64 " to %" PRIu64 ", not %" PRIu64,
                               cost[0], 2 * cost[0], cost[1]);
    bool fits = cost[2] >= cost[1] && cost[2] <= most_space(cost);
    out->rules.cost_straight = (int32_t)cost[0];
    out->rules.cost_diagonal = (int32_t)cost[1];
    if (script->kind == WEND_KIND_VOXEL) out->rules.cost_space = (int32_t)(fits ? cost[2] : cost[1]);
    return -1;
}

int cli_act_rules(cli_script *script, const cli_arguments *arguments) {
    wend_error error = cli_world_set_rules(&script->built, &arguments->rules);
    if (error == WEND_OK) return -1;
    return cli_script_fail(script, script->words[0].column, "%s", wend_error_detail(error));
}

int cli_act_cost(cli_script *script, const cli_arguments *arguments) {
    const uint64_t *cost = arguments->numbers;
    script->costs = (cli_costs){.line = script->line,
                                .column = script->word_count > 3 ? script->words[3].column : script->end_column,
                                .diagonal = cost[1],
                                .space = cost[2],
                                .most = most_space(cost)};
    return cli_act_rules(script, arguments);
}

int cli_script_check_costs(cli_script *script) {
    const cli_costs costs = script->costs;
    wend_map_rules rules;
    if (costs.line == 0 || script->kind != WEND_KIND_VOXEL) return -1;
    cli_script_rules(script, &rules);
    script->costs.line = 0;
    if ((rules.neighbours != 0 && rules.neighbours != 26) ||
        (costs.space >= costs.diagonal && costs.space <= costs.most))
        return -1;
    script->line = costs.line;
    if (costs.space == 0)
        return cli_script_fail(script, costs.column, "with 26 neighbours a third cost is needed: cost S D T");
    return cli_script_fail(script, costs.column,
                           "a diagonal step in space costs from D to 2 D - S, here %" PRIu64 " to %" PRIu64
                           ", not %" PRIu64,
                           costs.diagonal, costs.most, costs.space);
}
