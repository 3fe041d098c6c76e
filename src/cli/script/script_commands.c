/* SPDX-License-Identifier: MIT */
/* The function of each order, and the loop that reads, checks and runs a line. */
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"

cli_act *const cli_acts[WEND__ORDER_KINDS] = {
    [WEND__ORDER_MAP] = cli_act_map,
    [WEND__ORDER_GRID] = cli_act_grid,
    [WEND__ORDER_VOXELS] = cli_act_grid,
    [WEND__ORDER_GRAPH] = cli_act_graph,
    [WEND__ORDER_NEIGHBOURS] = cli_act_neighbours,
    [WEND__ORDER_CORNERS] = cli_act_corners,
    [WEND__ORDER_COST] = cli_act_cost,
    [WEND__ORDER_LIMIT] = cli_act_limit,
    [WEND__ORDER_MOVER] = cli_act_mover,
    [WEND__ORDER_NODE] = cli_act_node,
    [WEND__ORDER_EDGE] = cli_act_edge,
    [WEND__ORDER_SET] = cli_act_change,
    [WEND__ORDER_FILL] = cli_act_change,
    [WEND__ORDER_STEP] = cli_act_change,
    [WEND__ORDER_LINK] = cli_act_change,
    [WEND__ORDER_UNLINK] = cli_act_change,
    [WEND__ORDER_PUBLISH] = cli_act_publish,
    [WEND__ORDER_OCCUPY] = cli_act_host,
    [WEND__ORDER_VACATE] = cli_act_host,
    [WEND__ORDER_REQUEST] = cli_act_request,
    [WEND__ORDER_CANCEL] = cli_act_cancel,
    [WEND__ORDER_URGENCY] = cli_act_urgency,
    [WEND__ORDER_GOAL] = cli_act_goal,
    [WEND__ORDER_WATCH] = cli_act_watch,
    [WEND__ORDER_EXPECT] = cli_act_expect,
    [WEND__ORDER_ACCELERATE] = cli_act_accelerate,
    [WEND__ORDER_FRAME] = cli_act_frame,
    [WEND__ORDER_DRAIN] = cli_act_drain,
    [WEND__ORDER_WALK] = cli_act_walk,
    [WEND__ORDER_AGENT] = cli_act_agent,
    [WEND__ORDER_REMOVE] = cli_act_remove,
    [WEND__ORDER_POSITIONS] = cli_act_positions,
    [WEND__ORDER_CROWD] = cli_act_crowd,
    [WEND__ORDER_DISBAND] = cli_act_disband,
    [WEND__ORDER_UPDATE] = cli_act_update,
    [WEND__ORDER_RECORDING] = cli_act_recording,
    [WEND__ORDER_DURING] = cli_act_during,
    [WEND__ORDER_PREPARE] = cli_act_accelerate,
    [WEND__ORDER_MAINTAIN] = cli_act_maintain,
    [WEND__ORDER_POLL] = cli_act_poll,
    [WEND__ORDER_CLOSE] = cli_act_close,
};

/* Orders without a function here are the host's. */
static int act(cli_script *script, wend__order *order) {
    return (cli_acts[order->kind] ? cli_acts[order->kind] : cli_act_host)(script, order);
}

/* The row of an order; NULL: there is none of that name. */
static const wend__row *find(cli_word word) {
    const int32_t kind = wend__order_find(word.text, word.length, WEND__SCRIPT);
    return kind >= 0 ? &wend__order_rows[kind] : NULL;
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
    const host_quote quote = cli_quoted(word);
    if (script->built.map != NULL) return cli_script_fail(script, word.column, "there is no command '%s'", quote.text);
    return cli_script_fail(script, word.column,
                           "there is no command '%s': a script begins with map, grid, voxels or graph", quote.text);
}

/* Checks that come before the line's words are read. */
static int check_place(cli_script *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    bool makes_map = (row->where & WEND__MAKES_MAP) != 0, has_map = script->built.map != NULL;
    if (makes_map && has_map)
        return cli_script_fail(script, column,
                               "the script has its map already: there is one map, grid, voxels or graph");
    if (!makes_map && !has_map)
        return cli_script_fail(script, column, "before %s comes the map: map FILE, grid W H, voxels W H D or graph",
                               row->name);
    if ((row->where & WEND__RUNS) != 0 && script->world && !script->options->serves)
        return cli_script_fail(script, column, "a world file has no %s: only a script to run or to serve has it",
                               row->name);
    return -1;
}

/* Checks that an order is allowed at this place of the script. */
static int check_phase(cli_script *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    if ((row->where & WEND__SETTING) != 0 && script->changed)
        return cli_script_fail(script, column, "%s comes before the first set, fill, request or frame", row->name);
    if ((row->where & WEND__BEFORE_REQUEST) != 0 && script->requested && script->line > script->limits_end)
        return cli_script_fail(script, column, "%s comes before the first request or frame", row->name);
    return (row->where & (WEND__ENDS_SETTINGS | WEND__RUNS)) != 0 ? cli_script_check_costs(script) : -1;
}

/* Is the order one that only a run does? So are all from the first frame on, as agents would be elsewhere by then. */
static bool is_left_out(cli_script *script, const wend__order *order) {
    const uint32_t where = wend__order_rows[order->kind].where;
    if (!script->world || !script->options->serves) return false;
    switch (order->kind) {
    case WEND__ORDER_FRAME:
    case WEND__ORDER_DRAIN:
    case WEND__ORDER_WALK:
    case WEND__ORDER_UPDATE:
    case WEND__ORDER_DURING: script->begun = true; break;
    case WEND__ORDER_RECORDING: return false;
    default: break;
    }
    return script->begun || ((where & WEND__RUNS) != 0 && (where & WEND__JOURNAL) == 0);
}

static int do_line(cli_script *script) {
    const wend__row *row = find(script->reader.words[0]);
    wend__order order;
    if (row == NULL) return fail_unknown(script, script->reader.words[0]);
    const bool ends = (row->where & WEND__ENDS_SETTINGS) != 0, runs = (row->where & WEND__RUNS) != 0;
    int status = check_place(script, row);
    if (status == -1) status = cli_script_read(script, &order);
    if (status == -1 && is_left_out(script, &order)) {
        script->built.left_out++;
        return -1;
    }
    if (status == -1 && ((row->where & WEND__MEETS_AGENTS) != 0 || (runs && !ends)))
        status = cli_world_agents_begin(script);
    if (status == -1) status = check_phase(script, row);
    return status == -1 ? act(script, &order) : status;
}

int cli_script_line_at(cli_script *script, size_t place, int line) {
    const wend__order_reader reader = script->reader;
    const size_t next = script->next;
    const int before = script->line;
    int status;
    script->reader = (wend__order_reader){0};
    script->next = place;
    script->line = line - 1;
    if (cli_script_next_line(script, &status)) status = do_line(script);
    wend__order_reader_free(&script->reader);
    script->reader = reader;
    script->next = next;
    script->line = before;
    return status;
}

bool cli_script_run_line(cli_script *script, int *status) {
    if (!cli_script_next_line(script, status)) return false;
    if (script->reader.word_count > 0) *status = cli_during_takes(script) ? cli_during_keep(script) : do_line(script);
    return *status == -1;
}

int cli_script_run(cli_script *script) {
    int status;
    while (cli_script_run_line(script, &status)) {
    }
    if (status != -1) return status;
    if (script->line == 0) script->line = 1;
    if (script->built.map == NULL)
        return cli_script_fail(script, script->reader.end_column,
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
    host_edits_free(&script->host.edits);
    free(script->graph.known);
    script->graph.known = NULL;
    wend__order_reader_free(&script->reader);
}
