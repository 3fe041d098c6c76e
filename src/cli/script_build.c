/* SPDX-License-Identifier: MIT */
/* Commands that build and edit the map: grid, settings, movers, terrain. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

static void rules_now(const cli_script *script, cli_arguments *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(script->built.map, &info);
    out->rules = info.rules;
}

/* ---- the map ---- */

int cli_parse_file(cli_script *script, cli_arguments *out) {
    out->name = script->words[1];
    return -1;
}

int cli_parse_size(cli_script *script, cli_arguments *out) {
    return cli_read_ranges(script, 1, script->word_count - 1, "a side", 1, WEND_MAX_SIDE, out->numbers);
}

static void take_size(cli_script *script) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_describe(script->built.map, &info);
    script->width = info.width;
    script->height = info.height;
}

int cli_act_map(cli_script *script, const cli_arguments *arguments) {
    int status = cli_world_load_from(script, arguments->name);
    if (status != -1) {
        script->failed = true;
        return status;
    }
    take_size(script);
    return -1;
}

int cli_act_grid(cli_script *script, const cli_arguments *arguments) {
    uint64_t width = arguments->numbers[0], height = arguments->numbers[1];
    const cli_word *words = script->words;
    uint64_t most = script->options->most_cells;
    if (most > 0 && width * height > most)
        return cli_script_fail(script, words[1].column, "more than %" PRIu64 " cells", most);
    wend_map_def def = wend_map_default();
    def.width = (int32_t)width;
    def.height = (int32_t)height;
    int32_t error = wend_map_create(&def, &script->built.map);
    if (error != WEND_OK) return cli_script_fail(script, words[0].column, "grid: %s", wend_error_text(error));
    take_size(script);
    return -1;
}

/* ---- settings ---- */

int cli_parse_neighbours(cli_script *script, cli_arguments *out) {
    static const char *const known[] = {"4", "8", "6", "18", "26"};
    cli_word word = script->words[1];
    rules_now(script, out);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!cli_word_is(word, known[i])) continue;
        if (i >= 2) return cli_script_fail(script, word.column, "a flat grid has 4 or 8 neighbours, not %s", known[i]);
        out->rules.neighbours = i == 0 ? 4 : 8;
        return -1;
    }
    return cli_script_fail(script, word.column, "neighbours is 4 or 8, in space 6, 18 or 26, not '%s'",
                           cli_quoted(word).text);
}

int cli_parse_corners(cli_script *script, cli_arguments *out) {
    cli_word word = script->words[1];
    rules_now(script, out);
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

/* A third cost is for space; flat grids accept one and have no use for it. */
int cli_parse_cost(cli_script *script, cli_arguments *out) {
    uint64_t *cost = out->numbers;
    rules_now(script, out);
    int status = cli_read_ranges(script, 1, script->word_count - 1, "a cost", 1, WEND_MAX_COST, cost);
    if (status != -1) return status;
    if (cost[1] < cost[0] || cost[1] > 2 * cost[0])
        return cli_script_fail(script, script->words[2].column,
                               "a diagonal step costs from S to 2 S, here %" PRIu64 " to %" PRIu64 ", not %" PRIu64,
                               cost[0], 2 * cost[0], cost[1]);
    out->rules.cost_straight = (int32_t)cost[0];
    out->rules.cost_diagonal = (int32_t)cost[1];
    return -1;
}

/* ---- movers ---- */

static int read_factor(cli_script *script, cli_word word, uint8_t *out) {
    uint64_t factor;
    if (cli_word_is(word, "blocked")) {
        *out = 0;
        return -1;
    }
    int status = cli_read_range(script, word, "a factor is blocked or a number; that", 1, 255, &factor);
    if (status == -1) *out = (uint8_t)factor;
    return status;
}

static int read_class_factor(cli_script *script, cli_word key, cli_word value, bool given[256], uint8_t factors[256]) {
    uint64_t terrain;
    uint8_t factor = 0;
    int status = cli_read_range(script, key, "a class", 0, 255, &terrain);
    if (status == -1) status = read_factor(script, value, &factor);
    if (status != -1) return status;
    if (given[terrain]) return cli_script_fail(script, key.column, "class %" PRIu64 " is given twice", terrain);
    if (terrain == WEND_CLASS_BLOCKED && factor != 0)
        return cli_script_fail(script, key.column, "class 0 is blocked for every mover");
    given[terrain] = true;
    factors[terrain] = factor;
    return -1;
}

/* `default` stands in the map's own rules, and keeps what is not named. Others come with a later version. */
int cli_parse_mover(cli_script *script, cli_arguments *out) {
    bool given[256] = {false}, has_size = false;
    rules_now(script, out);
    if (!cli_word_is(script->words[1], "default")) out->missing = script->words[1];
    for (size_t i = 2; i < script->word_count; i++) {
        cli_word word = script->words[i], key, value;
        int status;
        if (!cli_word_split(word, &key, &value))
            return cli_script_fail(script, word.column, "'%s' is neither size=N nor CLASS=FACTOR",
                                   cli_quoted(word).text);
        if (cli_word_is(key, "size")) {
            uint64_t size = 1;
            if (has_size) return cli_script_fail(script, word.column, "size is given twice");
            has_size = true;
            status = cli_read_range(script, value, "size", 1, WEND_MAX_SIDE, &size);
            if (status == -1 && size > 1 && out->missing.text == NULL) out->missing = word;
        } else {
            status = read_class_factor(script, key, value, given, out->rules.factors);
        }
        if (status != -1) return status;
    }
    return -1;
}

int cli_act_rules(cli_script *script, const cli_arguments *arguments) {
    int32_t error = wend_map_set_rules(script->built.map, &arguments->rules);
    if (error == WEND_OK) return -1;
    return cli_script_fail(script, script->words[0].column, "%s", wend_error_text(error));
}

/* ---- edits ---- */

static int read_terrain(cli_script *script, cli_word word, uint8_t *out) {
    uint64_t terrain = 0;
    int status = -1;
    if (cli_word_is(word, "open"))
        terrain = WEND_CLASS_OPEN;
    else if (!cli_word_is(word, "blocked"))
        status = cli_read_range(script, word, "ground is open, blocked or a class; a class", 0, 255, &terrain);
    if (status == -1) *out = (uint8_t)terrain;
    return status;
}

static int read_two_cells(cli_script *script, cli_arguments *out) {
    int status = cli_read_cell_on_map(script, script->words[1], &out->cells[0]);
    return status == -1 ? cli_read_cell_on_map(script, script->words[2], &out->cells[1]) : status;
}

int cli_parse_set(cli_script *script, cli_arguments *out) {
    int status = cli_read_cell_on_map(script, script->words[1], &out->cells[0]);
    out->cells[1] = out->cells[0];
    return status == -1 ? read_terrain(script, script->words[2], &out->terrain) : status;
}

int cli_parse_fill(cli_script *script, cli_arguments *out) {
    int status = read_two_cells(script, out);
    return status == -1 ? read_terrain(script, script->words[3], &out->terrain) : status;
}

int cli_parse_node(cli_script *script, cli_arguments *out) {
    if (script->word_count == 3)
        return cli_script_fail(script, script->end_column, "a word is missing: node ID [X Y [Z]]");
    int status = cli_read_range(script, script->words[1], "a node", 0, UINT32_MAX, &out->numbers[0]);
    for (size_t i = 2; status == -1 && i < script->word_count; i++) {
        int32_t coordinate;
        status = cli_read_int(script, script->words[i], "a coordinate", &coordinate);
    }
    return status;
}

int cli_parse_edge(cli_script *script, cli_arguments *out) {
    int status = cli_read_ranges(script, 1, 2, "a node", 0, UINT32_MAX, out->numbers);
    return status == -1 ? cli_read_range(script, script->words[3], "a cost", 1, WEND_MAX_COST, &out->numbers[2])
                        : status;
}

int cli_parse_step(cli_script *script, cli_arguments *out) {
    cli_word word = script->words[3];
    int status = read_two_cells(script, out);
    if (status != -1 || cli_word_is(word, "open") || cli_word_is(word, "blocked")) return status;
    return cli_script_fail(script, word.column, "a step is open or blocked, not '%s'", cli_quoted(word).text);
}

int cli_parse_link(cli_script *script, cli_arguments *out) {
    int status = read_two_cells(script, out);
    return status == -1 ? cli_read_range(script, script->words[3], "a cost", 1, WEND_MAX_COST, &out->numbers[0])
                        : status;
}

int cli_parse_unlink(cli_script *script, cli_arguments *out) {
    return read_two_cells(script, out);
}

int cli_parse_occupy(cli_script *script, cli_arguments *out) {
    return cli_read_cell_on_map(script, script->words[1], &out->cells[0]);
}

static int32_t lower(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Kept until the next frame begins: a batch is not open while rules may still change. */
int cli_act_edit(cli_script *script, const cli_arguments *arguments) {
    if (script->edit_count == script->edit_capacity) {
        size_t capacity = script->edit_capacity == 0 ? 64 : script->edit_capacity * 2;
        cli_edit *edits = realloc(script->edits, capacity * sizeof *edits);
        if (edits == NULL) return cli_script_no_memory(script);
        script->edits = edits;
        script->edit_capacity = capacity;
    }
    wend_cell a = arguments->cells[0], b = arguments->cells[1];
    wend_box box = {{lower(a.x, b.x), lower(a.y, b.y), 0},
                    {a.x + b.x - lower(a.x, b.x), a.y + b.y - lower(a.y, b.y), 0}};
    script->edits[script->edit_count++] = (cli_edit){box, arguments->terrain};
    script->changed = true;
    return -1;
}

int cli_script_publish(cli_script *script) {
    wend_edit *edit;
    if (script->edit_count == 0) return -1;
    int32_t error = wend_edit_begin(script->built.map, &edit);
    if (error == WEND_OK) {
        for (size_t i = 0; i < script->edit_count; i++)
            wend_edit_fill(edit, script->edits[i].box, script->edits[i].terrain); /* its first error sticks */
        error = wend_edit_publish(edit, NULL);
    }
    script->edit_count = 0;
    if (error == WEND_OK) return -1;
    return cli_script_fail(script, script->word_count > 0 ? script->words[0].column : 1, "the map cannot be edited: %s",
                           wend_error_text(error));
}
