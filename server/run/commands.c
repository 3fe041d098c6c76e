/* SPDX-License-Identifier: MIT */
/* The function of each order, and the loop that reads, checks and runs a line. */
#include <stdlib.h>
#include <string.h>

#include "cli/world/heap.h"
#include "script/script.h"

script_act *const script_acts[WEND_ORDER_KINDS] = {
    [WEND_ORDER_MAP] = script_act_map,
    [WEND_ORDER_GRID] = script_act_grid,
    [WEND_ORDER_VOXELS] = script_act_grid,
    [WEND_ORDER_GRAPH] = script_act_graph,
    [WEND_ORDER_NEIGHBOURS] = script_act_neighbours,
    [WEND_ORDER_CORNERS] = script_act_corners,
    [WEND_ORDER_COST] = script_act_cost,
    [WEND_ORDER_LIMIT] = script_act_limit,
    [WEND_ORDER_MOVER] = script_act_mover,
    [WEND_ORDER_NODE] = script_act_node,
    [WEND_ORDER_EDGE] = script_act_edge,
    [WEND_ORDER_SET] = script_act_change,
    [WEND_ORDER_FILL] = script_act_change,
    [WEND_ORDER_STEP] = script_act_change,
    [WEND_ORDER_LINK] = script_act_change,
    [WEND_ORDER_UNLINK] = script_act_change,
    [WEND_ORDER_LOAD] = script_act_load,
    [WEND_ORDER_UNLOAD] = script_act_change,
    [WEND_ORDER_PUBLISH] = script_act_publish,
    [WEND_ORDER_OCCUPY] = script_act_world,
    [WEND_ORDER_VACATE] = script_act_world,
    [WEND_ORDER_REQUEST] = script_act_request,
    [WEND_ORDER_CANCEL] = script_act_cancel,
    [WEND_ORDER_URGENCY] = script_act_urgency,
    [WEND_ORDER_GOAL] = script_act_goal,
    [WEND_ORDER_NEAREST] = script_act_nearest,
    [WEND_ORDER_WATCH] = script_act_watch,
    [WEND_ORDER_EXPECT] = script_act_expect,
    [WEND_ORDER_ACCELERATE] = script_act_accelerate,
    [WEND_ORDER_FRAME] = script_act_frame,
    [WEND_ORDER_DRAIN] = script_act_drain,
    [WEND_ORDER_WALK] = script_act_walk,
    [WEND_ORDER_AGENT] = script_act_agent,
    [WEND_ORDER_CLEAR] = script_act_clear,
    [WEND_ORDER_REMOVE] = script_act_remove,
    [WEND_ORDER_POSITIONS] = script_act_positions,
    [WEND_ORDER_BODIES] = script_act_bodies,
    [WEND_ORDER_JAMS] = script_act_jams,
    [WEND_ORDER_WANTED] = script_act_wanted,
    [WEND_ORDER_CROWD] = script_act_crowd,
    [WEND_ORDER_DISBAND] = script_act_disband,
    [WEND_ORDER_UPDATE] = script_act_update,
    [WEND_ORDER_RECORDING] = script_act_recording,
    [WEND_ORDER_DURING] = script_act_during,
    [WEND_ORDER_PREPARE] = script_act_accelerate,
    [WEND_ORDER_MAINTAIN] = script_act_maintain,
    [WEND_ORDER_CLOSE] = script_act_close,
    [WEND_ORDER_SAVE_FILE] = script_act_save,
    [WEND_ORDER_RESTORE] = script_act_restore,
    [WEND_ORDER_STATE] = script_act_state,
    [WEND_ORDER_MARK] = script_act_mark,
    [WEND_ORDER_REWIND] = script_act_rewind,
    [WEND_ORDER_LETTERS] = script_act_letters,
};

/* Orders without a function here are the world's. */
static int act(script_state *script, wend_order *order) {
    return (script_acts[order->kind] ? script_acts[order->kind] : script_act_world)(script, order);
}

/* Returns the row of an order; NULL: there is none of that name. */
static const wend__row *find(script_word word) {
    const int32_t kind = wend__order_find(word.text, word.length, WEND__SCRIPT);
    return kind >= 0 ? &wend__order_rows[kind] : NULL;
}

static int fail_unknown(script_state *script, script_word word) {
    const char *near = wend__order_near(word.text, word.length, WEND__SCRIPT);
    return script_fail(script, word.column, "there is no command '%s'%s%s%s", wend__show_word(word).text,
                       near ? "; did you mean " : "", near ? near : "",
                       script->built.map ? "" : ": a script begins with map, grid, voxels or graph");
}

/* Checks that come before the line's words are read. */
static int check_place(script_state *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    bool makes_map = (row->where & WEND__MAKES_MAP) != 0, has_map = script->built.map;
    if (row == &wend__order_rows[WEND_ORDER_RESTORE] && script->is_world)
        return script_fail(script, column, "a world file has no restore: only a script to run has it");
    if (makes_map && has_map)
        return script_fail(script, column, "the script has its map already: there is one map, grid, voxels or graph");
    if (row == &wend__order_rows[WEND_ORDER_LETTERS]) {
        if (!has_map) return CLI_DONE;
        return script_fail(script, column, "letters come before map");
    }
    if (!makes_map && !has_map && row != &wend__order_rows[WEND_ORDER_RESTORE])
        return script_fail(script, column, "before %s comes the map: map FILE, grid W H, voxels W H D or graph",
                           row->name);
    if ((row->where & WEND__RUNS) != 0 && script->is_world && !script->options->serves)
        return script_fail(script, column, "a world file has no %s: only a script to run or to serve has it",
                           row->name);
    return CLI_DONE;
}

/* Checks that an order is allowed at this place of the script. */
static int check_phase(script_state *script, const wend__row *row) {
    size_t column = script->reader.words[0].column;
    if ((row->where & WEND__SETTING) != 0 && script->changed)
        return script_fail(script, column, "%s comes before the first set, fill, request or frame", row->name);
    if ((row->where & WEND__BEFORE_REQUEST) != 0 && script->requested && script->line > script->limits_end)
        return script_fail(script, column, "%s comes before the first request or frame", row->name);
    return (row->where & (WEND__ENDS_SETTINGS | WEND__RUNS)) != 0 ? script_check_costs(script) : CLI_DONE;
}

/* Returns whether only a run executes the order: all from the first frame on, as agents would be elsewhere by then. */
static bool is_left_out(script_state *script, const wend_order *order) {
    const uint32_t where = wend__order_rows[order->kind].where;
    if (!script->is_world || !script->options->serves) return false;
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

static int do_line(script_state *script) {
    const wend__row *row = find(script->reader.words[0]);
    wend_order order;
    if (!row) return fail_unknown(script, script->reader.words[0]);
    const bool ends = (row->where & WEND__ENDS_SETTINGS) != 0, runs = (row->where & WEND__RUNS) != 0;
    int status = check_place(script, row);
    if (!status) status = script_read(script, &order);
    if (!status) status = script_hash_before(script, order.kind);
    if (!status && is_left_out(script, &order)) {
        script->built.left_out++;
        return script->options->left_out ? script->options->left_out(script->options->context, script, &order)
                                         : CLI_DONE;
    }
    if (!status && ((row->where & WEND__MEETS_AGENTS) != 0 || (runs && !ends))) status = script_agents_begin(script);
    if (!status) status = check_phase(script, row);
    return !status ? act(script, &order) : status;
}

int script_line_at(script_state *script, size_t place, int line) {
    const wend__order_reader reader = script->reader;
    const size_t next = script->next;
    const int before = script->line;
    int status;
    script->reader = (wend__order_reader){0};
    script->next = place;
    script->line = line - 1;
    if (script_next_line(script, &status)) status = do_line(script);
    wend__order_reader_free(&script->reader);
    script->reader = reader;
    script->next = next;
    script->line = before;
    return status;
}

bool script_run_line(script_state *script, int *status) {
    if (!script_next_line(script, status)) return false;
    if (script->reader.word_count > 0)
        *status = script_during_takes(script) ? script_during_keep(script) : do_line(script);
    return !*status;
}

int script_run(script_state *script) {
    int status;
    while (script_run_line(script, &status)) {
    }
    if (status) return status;
    if (script->line == 0) script->line = 1;
    if (!script->built.map)
        return script_fail(script, script->reader.end_column,
                           "the end comes before the map: map FILE, grid W H, voxels W H D or graph");
    status = script_check_costs(script);
    if (!status) status = script_recording_check_end(script);
    if (!status) status = script_hash_before(script, WEND_ORDER_KINDS);
    if (status) return status;
    if (script->is_world && script->graph.empty) {
        script->line = script->graph.line;
        return script_fail(script, 1, "a graph without nodes is not a map");
    }
    if (script->is_world) {
        status = script_agents_end(script);
        return !status ? script_publish(script) : status;
    }
    script_trial_goes_on(script, SCRIPT_ENDS, NULL);
    status = script_draw(script);
    if (!status) status = script_film_write(script);
    if (!status && script->options->record_from > 0 && script->options->record_file && !script->record.name)
        status = script_fail(script, script->reader.end_column,
                             "no recording: after frame %llu of --record-from the script runs none with a service",
                             (unsigned long long)script->options->record_from);
    const int record_status = world_recording_close(&script->record);
    if (!status) status = record_status;
    script_watch_end(script);
    script_crowd_end(script);
    script_end_service(script);
    if (script->options->hash && !status) script_recording_print_hash(script);
    return status;
}

void script_free(script_state *script) {
    script->failed = true;
    script_watch_end(script);
    script_crowd_end(script);
    script_end_service(script);
    script_film_free(script);
    script_trails_free(script);
    script_during_free(script);
    script_saves_free(script);
    script_names_free(&script->names);
    cli_kept_free(&script->nearest);
    world_edits_free(&script->world.edits);
    script_land_file_free(&script->land_file);
    free(script->letters);
    cli_free(script->graph.known);
    script->graph.known = NULL;
    wend__order_reader_free(&script->reader);
}
