/* SPDX-License-Identifier: MIT */
/* The script's grammar, with a row for each command, and the loop that reads, checks and runs a line. */
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"

static const cli_script_command commands[] = {
    {"map", "map FILE", 1, 1, CLI_MAKES_MAP, cli_parse_file, cli_act_map},
    {"grid", "grid W H", 2, 2, CLI_MAKES_MAP, cli_parse_size, cli_act_grid},
    {"voxels", "voxels W H D", 3, 3, CLI_MAKES_MAP, cli_parse_size, cli_act_grid},
    {"graph", "graph", 0, 0, CLI_MAKES_MAP, NULL, cli_act_graph},
    {"neighbours", "neighbours N", 1, 1, CLI_SETTING, cli_parse_neighbours, cli_act_rules},
    {"corners", "corners never|one|always", 1, 1, CLI_SETTING, cli_parse_corners, cli_act_rules},
    {"cost", "cost S D [T]", 2, 3, CLI_SETTING, cli_parse_cost, cli_act_cost},
    {"limit", "limit WHAT N", 2, 2, CLI_BEFORE_REQUEST, cli_parse_limit, cli_act_limit},
    {"mover", "mover NAME [size=N] [CLASS=FACTOR|blocked]...", 1, CLI_ANY_NUMBER, 0, cli_parse_mover, cli_act_mover},
    {"node", "node ID [X Y [Z]]", 1, 4, 0, cli_parse_node, cli_act_node},
    {"edge", "edge A B COST", 3, 3, 0, cli_parse_edge, cli_act_edge},
    {"set", "set CELL open|blocked|N", 2, 2, CLI_EDIT, cli_parse_set, cli_act_fill},
    {"fill", "fill CELL CELL open|blocked|N", 3, 3, CLI_EDIT, cli_parse_fill, cli_act_fill},
    {"step", "step A B open|blocked", 3, 3, CLI_EDIT, cli_parse_step, cli_act_step},
    {"link", "link A B COST", 3, 3, 0, cli_parse_link, cli_act_link},
    {"unlink", "unlink A B", 2, 2, 0, cli_parse_unlink, cli_act_unlink},
    {"occupy", "occupy CELL", 1, 1, 0, cli_parse_occupy, cli_act_occupy},
    {"vacate", "vacate CELL", 1, 1, 0, cli_parse_occupy, cli_act_vacate},
    {"request", "request NAME FROM TO [OPTION=VALUE]...", 3, CLI_ANY_NUMBER, CLI_RUNS, cli_parse_request,
     cli_act_request},
    {"cancel", "cancel NAME", 1, 1, CLI_RUNS, cli_parse_cancel, cli_act_cancel},
    {"urgency", "urgency NAME N", 2, 2, CLI_RUNS, cli_parse_urgency, cli_act_urgency},
    {"goal", "goal NAME CELL", 2, 2, CLI_RUNS, cli_parse_goal, cli_act_goal},
    {"publish", "publish", 0, 0, CLI_RUNS, NULL, cli_act_publish},
    {"accelerate", "accelerate [mover=NAME] [landmarks=N] [units]", 0, 3, CLI_EDIT | CLI_RUNS, cli_parse_accelerate,
     cli_act_accelerate},
    {"watch", "watch NAME", 1, 1, CLI_RUNS, cli_parse_cancel, cli_act_watch},
    {"expect", "expect NAME STATUS [cost=N]", 2, 3, CLI_RUNS, cli_parse_expect, cli_act_expect},
    {"frame",
     "frame [COUNT] [budget=N] [rounds=N] [intakes=N] [deliveries=N] [cells=N] [changes=N] [checks=N] [chosen=N]", 0, 9,
     CLI_RUNS, cli_parse_frame, cli_act_frame},
    {"drain", "drain [budget=N]", 0, 1, CLI_RUNS, cli_parse_drain, cli_act_drain},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const cli_script_command *find(cli_word word) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (cli_word_is(word, commands[i].name)) return &commands[i];
    }
    for (size_t i = 0; i < cli_crowd_command_count; i++) {
        if (cli_word_is(word, cli_crowd_commands[i].name)) return &cli_crowd_commands[i];
    }
    for (size_t i = 0; i < cli_route_command_count; i++) {
        if (cli_word_is(word, cli_route_commands[i].name)) return &cli_route_commands[i];
    }
    for (size_t i = 0; i < cli_order_command_count; i++) {
        if (cli_word_is(word, cli_order_commands[i].name)) return &cli_order_commands[i];
    }
    for (size_t i = 0; i < cli_recording_command_count; i++) {
        if (cli_word_is(word, cli_recording_commands[i].name)) return &cli_recording_commands[i];
    }
    return NULL;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* No map format begins with a command's name. */
bool cli_script_begins(const char *text, size_t size) {
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && (is_space(text[at]) || text[at] == '#')) {
        const char *end = text[at] == '#' ? memchr(text + at, '\n', size - at) : text + at;
        at = end != NULL ? (size_t)(end - text) + 1 : size;
    }
    size_t begin = at;
    while (at < size && !is_space(text[at])) at++;
    return at > begin && find((cli_word){text + begin, at - begin, 1}) != NULL;
}

static int fail_unknown(cli_script *script, cli_word word) {
    cli_quote quote = cli_quoted(word);
    if (script->built.map != NULL) return cli_script_fail(script, word.column, "there is no command '%s'", quote.text);
    return cli_script_fail(script, word.column,
                           "there is no command '%s': a script begins with map, grid, voxels or graph", quote.text);
}

/* Checks that come before the line's words are read. */
static int check_place(cli_script *script, const cli_script_command *command) {
    size_t column = script->words[0].column;
    bool makes_map = (command->phase & CLI_MAKES_MAP) != 0, has_map = script->built.map != NULL;
    if (makes_map && has_map)
        return cli_script_fail(script, column,
                               "the script has its map already: there is one map, grid, voxels or graph");
    if (!makes_map && !has_map)
        return cli_script_fail(script, column, "before %s comes the map: map FILE, grid W H, voxels W H D or graph",
                               command->name);
    if ((command->phase & CLI_RUNS) != 0 && script->world)
        return cli_script_fail(script, column, "a world file has no %s: it only builds a map", command->name);
    return -1;
}

static int check_words(cli_script *script, const cli_script_command *command) {
    size_t count = script->word_count - 1;
    if (count < command->least)
        return cli_script_fail(script, script->end_column, "a word is missing: %s", command->usage);
    if (count > command->most)
        return cli_script_fail(script, script->words[command->most + 1].column, "a word too many: %s", command->usage);
    return -1;
}

/* Checks that a command is allowed at this place of the script. */
static int check_phase(cli_script *script, const cli_script_command *command) {
    size_t column = script->words[0].column;
    if ((command->phase & CLI_SETTING) != 0 && script->changed)
        return cli_script_fail(script, column, "%s comes before the first set, fill, request or frame", command->name);
    if ((command->phase & CLI_BEFORE_REQUEST) != 0 && script->requested && script->line > script->limits_end)
        return cli_script_fail(script, column, "%s comes before the first request or frame", command->name);
    return (command->phase & (CLI_EDIT | CLI_RUNS)) != 0 ? cli_script_check_costs(script) : -1;
}

static int do_line(cli_script *script) {
    const cli_script_command *command = find(script->words[0]);
    if (command == NULL) return fail_unknown(script, script->words[0]);
    int status = check_place(script, command);
    if (status == -1) status = check_words(script, command);
    const bool meets = (command->phase & CLI_AGENTS) != 0 || (command->phase & (CLI_RUNS | CLI_EDIT)) == CLI_RUNS;
    if (status == -1 && meets) status = cli_world_agents_begin(script);
    if (status != -1) return status;
    cli_arguments arguments;
    memset(&arguments, 0, sizeof arguments);
    if (command->parse != NULL) status = command->parse(script, &arguments);
    if (status == -1) status = check_phase(script, command);
    return status == -1 ? command->act(script, &arguments) : status;
}

int cli_script_line_at(cli_script *script, size_t place, int line) {
    const cli_script before = *script;
    int status;
    script->words = NULL;
    script->word_count = script->word_capacity = 0;
    script->next = place;
    script->line = line - 1;
    if (cli_script_next_line(script, &status)) status = do_line(script);
    free(script->words);
    script->words = before.words;
    script->word_count = before.word_count, script->word_capacity = before.word_capacity;
    script->next = before.next, script->line = before.line, script->end_column = before.end_column;
    return status;
}

bool cli_script_run_line(cli_script *script, int *status) {
    if (!cli_script_next_line(script, status)) return false;
    if (script->word_count > 0) *status = cli_during_takes(script) ? cli_during_keep(script) : do_line(script);
    return *status == -1;
}

int cli_script_run(cli_script *script) {
    int status;
    while (cli_script_run_line(script, &status)) {
    }
    if (status != -1) return status;
    if (script->line == 0) script->line = 1;
    if (script->built.map == NULL)
        return cli_script_fail(script, script->end_column,
                               "the end comes before the map: map FILE, grid W H, voxels W H D or graph");
    status = cli_script_check_costs(script);
    if (status == -1) status = cli_recording_check_end(script);
    if (status != -1) return status;
    if (script->world && script->graph.empty) {
        script->line = script->graph.line;
        return cli_script_fail(script, 1, "a graph without nodes is not a map");
    }
    if (script->world) {
        status = cli_world_agents_end(script);
        return status == -1 ? cli_script_publish(script) : status;
    }
    cli_trial_goes_on(script, CLI_ENDS, NULL);
    status = cli_script_draw(script);
    if (status == -1) status = cli_film_write(script);
    const int record_status = cli_record_close(&script->record);
    if (status == -1) status = record_status;
    cli_watch_end(script);
    cli_crowd_end(script);
    cli_script_end_service(script);
    if (script->options->hash && status == -1) cli_recording_print_hash(script);
    return status;
}

void cli_script_free(cli_script *script) {
    script->failed = true;
    cli_watch_end(script);
    cli_crowd_end(script);
    cli_script_end_service(script);
    cli_film_free(script);
    cli_trails_free(script);
    cli_during_free(script);
    cli_labels_free(&script->names);
    cli_links_free(script);
    free(script->graph.known);
    script->graph.known = NULL;
    free(script->edits);
    free(script->words);
    script->edits = NULL;
    script->words = NULL;
}
