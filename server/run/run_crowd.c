/* SPDX-License-Identifier: MIT */
/* The crowd of a script: its limits, its steps, and the printing of its events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "run/run.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/versions.h>
#include <wend/crowd_tuning.h>

/* ---- making ---- */

/// Requirements of this line and those after it.
typedef struct needs {
    uint64_t agents; ///< most agents at once
    uint64_t routes, corners;
    uint64_t goals, most_goals; ///< goals since the last frame, and most between any two
    uint64_t movers;            ///< lines that may add one
    bool jams;                  ///< a line prints them
} needs;

/* Returns whether a word of the line has a text, at its beginning or behind the name of an option. */
static bool has_word(const script_state *script, const char *text, bool behind) {
    const size_t length = strlen(text);
    for (size_t i = 1; i < script->reader.word_count; i++) {
        const script_word word = script->reader.words[i];
        const char *from = behind ? memchr(word.text, '=', word.length) : word.text;
        from += behind && from;
        if (from && (size_t)(word.text + word.length - from) >= length && memcmp(from, text, length) == 0) return true;
    }
    return false;
}

/* Returns how many movers a line may add: one that shuns classes takes two numbers. */
static unsigned movers_of(const script_state *script, bool mover) {
    if (mover) return has_word(script, "shunned", true) ? 2 : 1;
    const bool avoids = has_word(script, "avoid=", false), shuns = has_word(script, "shun=", false);
    return (unsigned)avoids + (shuns ? 2 : 0);
}

static void count_line(const script_state *script, needs *out) {
    const script_word command = script->reader.words[0];
    const int32_t kind = wend__order_find(command.text, command.length, WEND__SCRIPT);
    if (kind >= 0 && (wend__order_rows[kind].where & WEND__GIVES_GOAL) != 0)
        out->goals += script->reader.word_count - 1;
    if (out->goals > out->most_goals) out->most_goals = out->goals;
    if (script_word_is(command, "frame") &&
        (script->reader.word_count == 1 || !script_word_is(script->reader.words[1], "0")))
        out->goals = 0;
    out->agents += script_word_is(command, "agent");
    out->jams |= script_word_is(command, "jams");
    out->movers += movers_of(script, script_word_is(command, "mover"));
    if (!script_word_is(command, "route")) return;
    out->routes++;
    out->corners += script->reader.word_count;
}

static int count_ahead(script_state *script, needs *out) {
    int status;
    script_place place = script_mark(script);
    *out = (needs){.agents = 1};
    while (script_next_line(script, &status))
        if (script->reader.word_count > 0) count_line(script, out);
    if (!script_return(script, &place)) return script_no_memory(script);
    if (out->agents > WEND_MAX_AGENTS) out->agents = WEND_MAX_AGENTS;
    return CLI_DONE;
}

static void print_event(void *context, const wend_agent_event *event) {
    const script_state *script = context;
    const world_agent *agent = event->context;
    FILE *out = script->options->out;
    const wend__event_line line =
        wend__event_line_of(script->frames, agent ? agent->name : NULL, event, wend__kind_axes(script->kind));
    if (script->failed || script->options->trial) return;
    if (script->crowd_ended && event->event != WEND_AGENT_EVENT_REPLACED) return;
    wend__event_write_json(&line, cli_put, out);
    fputc('\n', out);
}

/* Room for each agent's path of as many steps as the map has cells, up to about a thousand; the rest is searched for
 * when the agent gets there. Each goal that the script gives between two frames ends in an event, and an agent may have
 * one from before, and be rerouted. */
static void set_limits(script_state *script, const needs *ahead, wend_crowd_def *out, wend_crowd_tuning *tuning) {
    enum { BLOCK = 64, BLOCK_STEPS = 14, LEAST = 4, MOST = 64, EVENTS = 4, MOST_EVENTS = 1 << 24 };
    const uint32_t agents = (uint32_t)ahead->agents;
    const uint64_t events = ahead->agents * EVENTS + ahead->most_goals;
    const uint64_t blocks = script->cells / BLOCK_STEPS + 1;
    out->agents = agents;
    out->path_bytes = (uint64_t)agents * BLOCK * (blocks < LEAST ? LEAST : blocks > MOST ? MOST : blocks);
    tuning->events = events < MOST_EVENTS ? (uint32_t)events : (uint32_t)MOST_EVENTS;
}

/* Routes of the world and of later lines; each kind of agent has its own ways. Ways are as long as most paths are. */
static void set_route_limits(const script_state *script, const needs *ahead, wend_crowd_tuning *out) {
    enum { LEG_CELLS = 4096, MOST_CELLS = 1 << 26, CORNERS = 16, MOST_ROUTES = 65536 };
    const cli_routes *own = &script->built.routes;
    uint64_t routes = ahead->routes + own->count, corners = ahead->corners;
    for (size_t i = 0; i < own->count; i++) corners += own->items[i].count;
    const uint64_t known = script->built.movers.count + 1, most = WEND_MAX_MOVERS;
    const uint64_t movers = known + ahead->movers < most ? known + ahead->movers : most;
    const uint64_t leg = script->cells < LEG_CELLS ? script->cells : LEG_CELLS;
    const uint64_t all = (routes + corners / CORNERS) * movers, cells = corners * 2 * (leg + 1) * movers;
    out->routes = (uint32_t)(all < MOST_ROUTES ? all : MOST_ROUTES);
    out->route_cells = (uint32_t)(cells < MOST_CELLS ? cells : MOST_CELLS);
}

/* Sets what the order `crowd` gives. */
static void read_limits(const wend_order *said, wend_crowd_def *out, wend_crowd_tuning *tuning) {
    const wend__row *row = &wend__order_rows[WEND_ORDER_CROWD];
    wend_order own = {.kind = WEND_ORDER_CROWD, .crowd = {*out, *tuning}};
    for (uint32_t i = 0; i < row->field_count; i++)
        if (said->given >> i & 1) wend__value_set(&row->fields[i], &own, wend__value_get(&row->fields[i], said));
    *out = own.crowd.def;
    *tuning = own.crowd.tuning;
    if (tuning->events < out->agents) tuning->events = out->agents;
}

int script_crowd_make(script_state *script, const wend_order *said) {
    if (script->world.crowd) return CLI_DONE;
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    needs ahead = {.agents = 1};
    int status = script_make_service(script);
    if (!status && !(script->recorded && said)) status = count_ahead(script, &ahead);
    if (status) return status;
    ahead.agents += script->built.agents.count;
    if (ahead.agents > WEND_MAX_AGENTS) ahead.agents = WEND_MAX_AGENTS;
    wend_crowd_def_init(&def, sizeof def);
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    set_limits(script, &ahead, &def, &tuning);
    set_route_limits(script, &ahead, &tuning);
    if (said) read_limits(said, &def, &tuning);
    script->crowd_def = def;
    script->crowd_tuning = tuning;
    status = script_crowd_create(script);
    for (size_t i = 0; i < script->built.routes.count && !status; i++)
        (void)world_route_add(&script->built.routes.items[i], script->world.crowd);
    return !status && ahead.jams && !world_jams_begin(&script->world) ? script_no_memory(script) : status;
}

int script_crowd_create(script_state *script) {
    wend_crowd_def *const def = &script->crowd_def;
    def->tuning = &script->crowd_tuning;
    def->on_event = print_event;
    def->context = script;
    def->service = script->world.service = script->service;
    def->map = script->built.map;
    def->allocator = script->built.limits.def.allocator;
    const uint64_t most = script->options->most_bytes;
    if (most > 0 && wend_crowd_bytes(def) > most) return script_no_memory(script);
    script_trial *const trial = script->options->trial;
    if (trial) trial->crowd = *def, trial->crowd.tuning = NULL, trial->crowd_bytes = wend_crowd_bytes(def);
    const wend_error error = world_crowd_make(&script->world, def);
    if (!error) return CLI_DONE;
    if (error == WEND_OUT_OF_MEMORY) return script_no_memory(script);
    return script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

int script_act_crowd(script_state *script, wend_order *order) {
    if (script->world.crowd)
        return script_fail(script, script->reader.words[0].column, "crowd comes once, before the first agent");
    int status = script->frames == 0 ? script_publish(script) : CLI_DONE;
    if (!status) status = script_film_begin(script);
    return !status ? script_crowd_make(script, order) : status;
}

static wend_crowd_stats counts_of(const script_state *script) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_stats(script->world.crowd, &counts);
    return counts;
}

/* Goals replaced after the last frame ended anyway; no other event belongs to that frame. */
void script_crowd_end(script_state *script) {
    script->crowd_ended = true;
    if (script->world.crowd && !script->failed && counts_of(script).events > 0)
        world_crowd_update(&script->world, 0, NULL);
    world_crowd_free(&script->world);
}

int script_act_disband(script_state *script, wend_order *order) {
    (void)order;
    world_crowd_free(&script->world);
    for (size_t i = 0; i < script->built.routes.count; i++) script->built.routes.items[i].added = false;
    if (script->recorded) cli_routes_free(&script->built.routes); /* the next crowd names its own */
    return CLI_DONE;
}

/* ---- frames ---- */

/* In the order in which agents were added, as wend stress --walk has it. */
static void hash_positions(script_state *script) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    uint64_t *const all = &script_maps_tally(script)->positions, hash = *all != 0 ? *all : WEND__HASH_START;
    wend_crowd_get_view(script->world.crowd, &view);
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        const wend_point at = view.points[agent->id.index];
        hash = wend__hash_u64(hash, (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y);
        if (script->kind != WEND_KIND_GRID) hash = wend__hash_u64(hash, (uint32_t)at.z);
    }
    *all = hash;
}

int script_crowd_step(script_state *script, uint32_t milli, uint64_t choices) {
    if (!script->world.crowd) return CLI_DONE;
    if (!script_trial_goes_on(script, SCRIPT_STEPS, NULL)) return CLI_ENDED;
    const wend_update_budget budget = {.struct_bytes = sizeof budget, .us = WEND_NO_LIMIT, .choices = choices};
    const wend_error error = world_crowd_update(&script->world, milli, &budget);
    script->crowd_epoch = wend_map_get_epoch(script->world.map);
    world_agents_updated(&script->world);
    if (!script_trial_goes_on(script, SCRIPT_STEPPED, NULL)) return CLI_ENDED;
    if (!error && script->options->hash) hash_positions(script);
    if (!error) return CLI_DONE;
    return script_fail(script, script->reader.words[0].column, "frame %" PRIu64 ": %s", script->frames,
                       wend_error_detail(error));
}

int script_act_update(script_state *script, wend_order *order) {
    return script_crowd_step(script, order->update.milli, order->update.choices);
}

/* Returns whether a body moves, or returns to its place. */
static bool body_moves(const script_state *script, const world_agent *agent) {
    wend_body_state body = {.struct_bytes = sizeof body};
    if (!script->world.crowd || wend_crowd_get_body(script->world.crowd, agent->id, &body)) return false;
    return body.exact_velocity.x || body.exact_velocity.y ||
           (body.state != WEND_BODY_RESTS && body.state != WEND_BODY_AWAY);
}

/* A crowd clears its boxes, and handles the cells of an edit, in its next update. */
static bool has_news(const script_state *script) {
    size_t boxes = 0;
    (void)wend_crowd_get_boxes(script->world.crowd, NULL, 0, &boxes);
    return boxes > 0 || wend_map_get_epoch(script->world.map) != script->crowd_epoch;
}

bool script_crowd_is_quiet(const script_state *script) {
    if (!script->world.crowd) return true;
    if (has_news(script)) return false;
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->world.crowd, agent->id, &state);
        if (state.has_goal || body_moves(script, agent)) return false;
    }
    const wend_crowd_stats counts = counts_of(script);
    return counts.busy == 0 && counts.events == 0 && counts.searches == 0;
}

bool script_crowd_is_busy(const script_state *script) {
    return script->world.crowd && counts_of(script).busy > 0;
}
