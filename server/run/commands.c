/* SPDX-License-Identifier: MIT */
/* The function of each order, and the loop that reads, checks and runs a line. */
#include <stdlib.h>
#include <string.h>

#include "script/script.h"

host_act *const host_acts[WEND_ORDER_KINDS] = {
    [WEND_ORDER_MAP] = host_act_map,
    [WEND_ORDER_GRID] = host_act_grid,
    [WEND_ORDER_VOXELS] = host_act_grid,
    [WEND_ORDER_GRAPH] = host_act_graph,
    [WEND_ORDER_NEIGHBOURS] = host_act_neighbours,
    [WEND_ORDER_CORNERS] = host_act_corners,
    [WEND_ORDER_COST] = host_act_cost,
    [WEND_ORDER_LIMIT] = host_act_limit,
    [WEND_ORDER_MOVER] = host_act_mover,
    [WEND_ORDER_NODE] = host_act_node,
    [WEND_ORDER_EDGE] = host_act_edge,
    [WEND_ORDER_SET] = host_act_change,
    [WEND_ORDER_FILL] = host_act_change,
    [WEND_ORDER_STEP] = host_act_change,
    [WEND_ORDER_LINK] = host_act_change,
    [WEND_ORDER_UNLINK] = host_act_change,
    [WEND_ORDER_LOAD] = host_act_load,
    [WEND_ORDER_UNLOAD] = host_act_change,
    [WEND_ORDER_PUBLISH] = host_act_publish,
    [WEND_ORDER_OCCUPY] = host_act_host,
    [WEND_ORDER_VACATE] = host_act_host,
    [WEND_ORDER_REQUEST] = host_act_request,
    [WEND_ORDER_CANCEL] = host_act_cancel,
    [WEND_ORDER_URGENCY] = host_act_urgency,
    [WEND_ORDER_GOAL] = host_act_goal,
    [WEND_ORDER_WATCH] = host_act_watch,
    [WEND_ORDER_EXPECT] = host_act_expect,
    [WEND_ORDER_ACCELERATE] = host_act_accelerate,
    [WEND_ORDER_FRAME] = host_act_frame,
    [WEND_ORDER_DRAIN] = host_act_drain,
    [WEND_ORDER_WALK] = host_act_walk,
    [WEND_ORDER_AGENT] = host_act_agent,
    [WEND_ORDER_CLEAR] = host_act_clear,
    [WEND_ORDER_REMOVE] = host_act_remove,
    [WEND_ORDER_POSITIONS] = host_act_positions,
    [WEND_ORDER_WANTED] = host_act_wanted,
    [WEND_ORDER_CROWD] = host_act_crowd,
    [WEND_ORDER_DISBAND] = host_act_disband,
    [WEND_ORDER_UPDATE] = host_act_update,
    [WEND_ORDER_RECORDING] = host_act_recording,
    [WEND_ORDER_DURING] = host_act_during,
    [WEND_ORDER_PREPARE] = host_act_accelerate,
    [WEND_ORDER_MAINTAIN] = host_act_maintain,
    [WEND_ORDER_CLOSE] = host_act_close,
};

/* Orders without a function here are the host's. */
static int act(host_script *script, wend_order *order) {
    return (host_acts[order->kind] ? host_acts[order->kind] : host_act_host)(script, order);
}

/* Returns the row of an order; NULL: there is none of that name. */
static const wend__row *find(host_word word) {
    const int32_t kind = wend__order_find(word.text, word.length, WEND__SCRIPT);
    return kind >= 0 ? &wend__order_rows[kind] : NULL;
}

static int fail_unknown(host_script *script, host_word word) {
    const wend__shown_word quote = wend__show_word(word);
    if (script->built.map) return host_script_fail(script, word.column, "there is no command '%s'", quote.text);
    return host_script_fail(script, word.column,
                            "there is no command '%s': a script begins with map, grid, voxels or graph", quote.text);
}

/* Checks that come before the line's words are read. */
static int check_place(host_script *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    bool makes_map = (row->where & WEND__MAKES_MAP) != 0, has_map = script->built.map;
    if (makes_map && has_map)
        return host_script_fail(script, column,
                                "the script has its map already: there is one map, grid, voxels or graph");
    if (!makes_map && !has_map)
        return host_script_fail(script, column, "before %s comes the map: map FILE, grid W H, voxels W H D or graph",
                                row->name);
    if ((row->where & WEND__RUNS) != 0 && script->world && !script->options->serves)
        return host_script_fail(script, column, "a world file has no %s: only a script to run or to serve has it",
                                row->name);
    return HOST_DONE;
}

/* Checks that an order is allowed at this place of the script. */
static int check_phase(host_script *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    if ((row->where & WEND__SETTING) != 0 && script->changed)
        return host_script_fail(script, column, "%s comes before the first set, fill, request or frame", row->name);
    if ((row->where & WEND__BEFORE_REQUEST) != 0 && script->requested && script->line > script->limits_end)
        return host_script_fail(script, column, "%s comes before the first request or frame", row->name);
    return (row->where & (WEND__ENDS_SETTINGS | WEND__RUNS)) != 0 ? host_script_check_costs(script) : HOST_DONE;
}

/* Returns whether only a run does the order: all from the first frame on, as agents would be elsewhere by then. */
static bool is_left_out(host_script *script, const wend_order *order) {
    const uint32_t where = wend__order_rows[order->kind].where;
    if (!script->world || !script->options->serves) return false;
    switch (order->kind) {
    case WEND_ORDER_FRAME:
    case WEND_ORDER_DRAIN:
    case WEND_ORDER_WALK:
    case WEND_ORDER_UPDATE:
    case WEND_ORDER_DURING: script->begun = true; break;
    case WEND_ORDER_RECORDING: return false;
    default: break;
    }
    if (script->options->left_out && (where & WEND__OF_SERVICE) != 0) return true;
    return script->begun || ((where & WEND__RUNS) != 0 && (where & WEND__JOURNAL) == 0);
}

static int do_line(host_script *script) {
    const wend__row *row = find(script->reader.words[0]);
    wend_order order;
    if (!row) return fail_unknown(script, script->reader.words[0]);
    const bool ends = (row->where & WEND__ENDS_SETTINGS) != 0, runs = (row->where & WEND__RUNS) != 0;
    int status = check_place(script, row);
    if (!status) status = host_script_read(script, &order);
    if (!status && is_left_out(script, &order)) {
        script->built.left_out++;
        return script->options->left_out ? script->options->left_out(script->options->context, script, &order)
                                         : HOST_DONE;
    }
    if (!status && ((row->where & WEND__MEETS_AGENTS) != 0 || (runs && !ends)))
        status = host_world_agents_begin(script);
    if (!status) status = check_phase(script, row);
    return !status ? act(script, &order) : status;
}

int host_script_line_at(host_script *script, size_t place, int line) {
    const wend__order_reader reader = script->reader;
    const size_t next = script->next;
    const int before = script->line;
    int status;
    script->reader = (wend__order_reader){0};
    script->next = place;
    script->line = line - 1;
    if (host_script_next_line(script, &status)) status = do_line(script);
    wend__order_reader_free(&script->reader);
    script->reader = reader;
    script->next = next;
    script->line = before;
    return status;
}

bool host_script_run_line(host_script *script, int *status) {
    if (!host_script_next_line(script, status)) return false;
    if (script->reader.word_count > 0) *status = host_during_takes(script) ? host_during_keep(script) : do_line(script);
    return !*status;
}

int host_script_run(host_script *script) {
    int status;
    while (host_script_run_line(script, &status)) {
    }
    if (status) return status;
    if (script->line == 0) script->line = 1;
    if (!script->built.map)
        return host_script_fail(script, script->reader.end_column,
                                "the end comes before the map: map FILE, grid W H, voxels W H D or graph");
    status = host_script_check_costs(script);
    if (!status) status = host_recording_check_end(script);
    if (status) return status;
    if (script->world && script->graph.empty) {
        script->line = script->graph.line;
        return host_script_fail(script, 1, "a graph without nodes is not a map");
    }
    if (script->world) {
        status = host_world_agents_end(script);
        return !status ? host_script_publish(script) : status;
    }
    host_trial_goes_on(script, HOST_ENDS, NULL);
    status = host_script_draw(script);
    if (!status) status = host_film_write(script);
    const int record_status = host_record_close(&script->record);
    if (!status) status = record_status;
    host_watch_end(script);
    host_script_crowd_end(script);
    host_script_end_service(script);
    if (script->options->hash && !status) host_recording_print_hash(script);
    return status;
}

void host_script_free(host_script *script) {
    script->failed = true;
    host_watch_end(script);
    host_script_crowd_end(script);
    host_script_end_service(script);
    host_film_free(script);
    host_trails_free(script);
    host_during_free(script);
    host_names_free(&script->names);
    host_edits_free(&script->host.edits);
    host_land_file_free(&script->land_file);
    free(script->graph.known);
    script->graph.known = NULL;
    wend__order_reader_free(&script->reader);
}
