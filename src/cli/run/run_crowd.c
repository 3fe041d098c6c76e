/* SPDX-License-Identifier: MIT */
/* The crowd of a script: its limits, its steps, and the printing of its events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "cli/run/run.h"
#include "cli/shared/cells.h"
#include "cli/shared/messages.h"

/* ---- making ---- */

/// Needs of this line and those after it.
typedef struct needs {
    uint64_t agents; ///< as many at most are there at once
    uint64_t routes, corners;
    uint64_t wishes, most_wishes; ///< given since the last frame, and between any two
} needs;

static void count_line(const cli_script *script, needs *out) {
    static const char *const orders[] = {"go", "follow", "flee", "take", "steer"};
    const cli_word command = script->reader.words[0];
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (cli_word_is(command, orders[i])) out->wishes += script->reader.word_count - 1;
    if (out->wishes > out->most_wishes) out->most_wishes = out->wishes;
    if (cli_word_is(command, "frame") && (script->reader.word_count == 1 || !cli_word_is(script->reader.words[1], "0")))
        out->wishes = 0;
    out->agents += cli_word_is(command, "agent");
    if (!cli_word_is(command, "route")) return;
    out->routes++;
    out->corners += script->reader.word_count;
}

static int count_ahead(cli_script *script, needs *out) {
    int status;
    cli_place place = cli_script_mark(script);
    *out = (needs){.agents = 1};
    while (cli_script_next_line(script, &status))
        if (script->reader.word_count > 0) count_line(script, out);
    if (!cli_script_return(script, &place)) return cli_script_no_memory(script);
    if (out->agents > WEND_MAX_AGENTS) out->agents = WEND_MAX_AGENTS;
    return -1;
}

static void print_event(void *context, const wend_agent_event *event) {
    const cli_script *script = context;
    const cli_agent *agent = event->context;
    FILE *out = script->options->out;
    if (script->failed || script->options->trial) return;
    if (script->crowd->ended && event->event != WEND_AGENT_EVENT_REPLACED) return;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agent\":", script->frames);
    cli_json_string(out, agent->label.text);
    fprintf(out, ",\"event\":\"%s\"", wend_agent_event_name(event->event));
    if (event->event == WEND_AGENT_EVENT_GAVE_UP) fprintf(out, ",\"why\":\"%s\"", wend_agent_why_name(event->why));
    fputs(",\"cell\":", out);
    cli_json_cell(out, script->kind, event->cell);
    fputs("}\n", out);
}

/* Room for each agent's path of as many steps as the map has cells, up to about a thousand; the rest is searched for
 * when the agent gets there. Each wish that the script gives between two frames ends in an event, and an agent may
 * have one from before, and be rerouted. */
static void set_limits(cli_script *script, const needs *ahead, wend_crowd_def *out) {
    enum { BLOCK = 64, BLOCK_STEPS = 14, LEAST = 4, MOST = 64, EVENTS = 4, MOST_EVENTS = 1 << 24 };
    const uint32_t agents = (uint32_t)ahead->agents;
    const uint64_t events = ahead->agents * EVENTS + ahead->most_wishes;
    const uint64_t blocks = script->cells / BLOCK_STEPS + 1;
    wend_crowd_def_init(out, sizeof *out);
    out->agents = agents;
    out->service = script->service;
    out->map = script->built.map;
    out->path_bytes = (uint64_t)agents * BLOCK * (blocks < LEAST ? LEAST : blocks > MOST ? MOST : blocks);
    out->events = events < MOST_EVENTS ? (uint32_t)events : (uint32_t)MOST_EVENTS;
    out->on_event = print_event;
    out->context = script;
    out->allocator = script->built.limits.def.allocator;
}

int cli_crowd_make(cli_script *script, const wend__order *said) {
    if (script->crowd != NULL) return -1;
    wend_crowd_def def;
    needs ahead = {.agents = 1};
    int status = cli_script_make_service(script);
    if (status == -1 && !(script->recorded && said != NULL)) status = count_ahead(script, &ahead);
    if (status != -1) return status;
    ahead.agents += script->built.agent_count;
    if (ahead.agents > WEND_MAX_AGENTS) ahead.agents = WEND_MAX_AGENTS;
    set_limits(script, &ahead, &def);
    cli_routes_limit(script, ahead.routes, ahead.corners, &def);
    if (said != NULL) cli_crowd_read_limits(said, &def);
    const uint64_t most = script->options->most_bytes;
    if (most > 0 && wend_crowd_bytes(&def) > most) return cli_script_no_memory(script);
    script->crowd = calloc(1, sizeof *script->crowd);
    if (script->crowd == NULL) return cli_script_no_memory(script);
    cli_trial *const trial = script->options->trial;
    if (trial) trial->crowd = def, trial->crowd_bytes = wend_crowd_bytes(&def);
    const wend_error error = wend_crowd_create(&def, &script->crowd->crowd);
    if (error == WEND_OK) return -1;
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    return cli_script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

static wend_crowd_stats counts_of(const cli_script *script) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_stats(script->crowd->crowd, &counts);
    return counts;
}

/* Wishes that were replaced after the last frame ended all the same; no other event belongs to that frame. */
static void print_replaced(cli_script *script) {
    script->crowd->ended = true;
    if (script->crowd->crowd == NULL) return;
    if (!script->failed && counts_of(script).events > 0) wend_crowd_update(script->crowd->crowd, 0);
}

void cli_crowd_end(cli_script *script) {
    if (script->crowd == NULL) return;
    print_replaced(script);
    cli_crowd_disband(script);
}

void cli_crowd_disband(cli_script *script) {
    cli_crowd *crowd = script->crowd;
    if (crowd == NULL) return;
    wend_crowd_destroy(crowd->crowd);
    cli_labels_free(&crowd->names);
    free(crowd);
    script->crowd = NULL;
}

/* ---- frames ---- */

/* In the order in which agents were added, as wend stress --walk has it. */
static void hash_positions(cli_script *script) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    uint64_t *const all = &cli_maps_tally(script)->positions, hash = *all != 0 ? *all : WEND__HASH_START;
    wend_crowd_get_view(script->crowd->crowd, &view);
    for (const cli_agent *agent = script->crowd->first; agent != NULL; agent = agent->next) {
        const wend_point at = view.points[agent->id.index];
        hash = wend__hash_u64(hash, (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y);
        if (script->kind != WEND_KIND_GRID) hash = wend__hash_u64(hash, (uint32_t)at.z);
    }
    *all = hash;
}

int cli_crowd_step(cli_script *script, uint32_t milli) {
    if (script->crowd == NULL) return -1;
    if (!cli_trial_goes_on(script, CLI_STEPS, NULL)) return CLI_DONE;
    const wend_error error = wend_crowd_update(script->crowd->crowd, milli);
    if (!cli_trial_goes_on(script, CLI_STEPPED, NULL)) return CLI_DONE;
    if (error == WEND_OK && script->options->hash) hash_positions(script);
    if (error == WEND_OK) return -1;
    return cli_script_fail(script, script->reader.words[0].column, "frame %" PRIu64 ": %s", script->frames,
                           wend_error_detail(error));
}

bool cli_crowd_is_quiet(const cli_script *script) {
    if (script->crowd == NULL) return true;
    for (const cli_agent *agent = script->crowd->first; agent != NULL; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->crowd->crowd, agent->id, &state);
        if (state.has_goal) return false;
    }
    const wend_crowd_stats counts = counts_of(script);
    return counts.busy == 0 && counts.events == 0 && counts.searches == 0;
}

bool cli_crowd_is_busy(const cli_script *script) {
    return script->crowd != NULL && counts_of(script).busy > 0;
}

static bool covers(const cli_script *script, const wend_agent_state *agent, wend_cell cell) {
    wend_mover mover = {.struct_bytes = sizeof mover};
    wend_map_get_mover(script->built.map, agent->mover, &mover);
    const wend_cell at = agent->cell;
    const int32_t deep = script->kind == WEND_KIND_VOXEL ? mover.size : 1;
    return !(agent->flags & WEND_AGENT_GHOST) && cell.x >= at.x && cell.x - at.x < mover.size && cell.y >= at.y &&
           cell.y - at.y < mover.size && cell.z >= at.z && cell.z - at.z < deep;
}

bool cli_crowd_host_unit(const cli_script *script, wend_cell cell) {
    uint32_t units = 0;
    if (wend_map_get_occupants(script->built.map, cell, &units) != WEND_OK) return false;
    if (script->world) return units > 0;
    const cli_agent *agent = script->crowd != NULL ? script->crowd->first : NULL;
    for (; agent != NULL; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->crowd->crowd, agent->id, &state);
        if (covers(script, &state, cell) && units > 0) units--;
    }
    return units > 0;
}
