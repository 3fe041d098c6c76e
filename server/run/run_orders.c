/* SPDX-License-Identifier: MIT */
/* Orders of a script to its world: agents, routes, the nearest places, and the orders that a world file keeps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/control.h>

/* ---- orders ---- */

/* After `map` agents only stand. */
static int keep_order(script_state *script, const wend_order *order) {
    if (script->depth > 0)
        script->built.left_out++;
    else if (!cli_keep_order(&script->built.orders, order, script->line))
        return script_no_memory(script);
    return CLI_DONE;
}

static const world_client itself = {.owner = true};

/* A world file lists agents, and keeps the orders that a server of it gives them. */
int script_act_world(script_state *script, wend_order *order) {
    const bool kept = script->is_world && (wend__order_rows[order->kind].where & WEND__RUNS) != 0;
    world_error error = {0};
    if (kept && world_check(&script->world, &itself, order, &error)) return keep_order(script, order);
    if (!kept && world_check_and_do(&script->world, &itself, order, &error)) return CLI_DONE;
    if (error.refusal == WORLD_NO_CROWD && script->options->serves) return keep_order(script, order);
    return script_refused(script, order, &error);
}

/* ---- agents ---- */

/* Before the first frame the map is epoch 0, whatever was published: the cell is judged on the map as built so far. */
static int begin_crowd(script_state *script) {
    int status = script->frames == 0 ? script_publish(script) : CLI_DONE;
    if (!status) status = script_film_begin(script);
    return !status ? script_crowd_make(script, NULL) : status;
}

int script_act_agent(script_state *script, wend_order *order) {
    const wend_name name = order->agent.name;
    int status = script->is_world ? CLI_DONE : begin_crowd(script);
    if (!status) status = script_act_world(script, order);
    if (status) return status;
    world_agent *agent = world_agent_find(&script->world, name.text, name.length);
    agent->line = script->line;
    script_film_add(script, agent);
    return CLI_DONE;
}

int script_act_clear(script_state *script, wend_order *order) {
    const int status = script->is_world ? CLI_DONE : begin_crowd(script);
    return !status ? script_act_world(script, order) : status;
}

int script_act_remove(script_state *script, wend_order *order) {
    for (size_t i = 0; i < order->names.count; i++) {
        const wend_name name = order->names.items[i];
        const world_agent *agent = world_agent_find(&script->world, name.text, name.length);
        if (agent) script_film_remove(script, agent);
    }
    return script_act_world(script, order);
}

int script_act_positions(script_state *script, wend_order *order) {
    (void)order;
    FILE *out = script->options->out;
    const char *separator = "";
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agents\":{", script->frames);
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->world.crowd, agent->id, &state);
        fputs(separator, out);
        cli_json_string(out, agent->name);
        fputc(':', out);
        cli_json_cell(out, script->kind, state.cell);
        separator = ",";
    }
    fputs("}}\n", out);
    return CLI_DONE;
}

static void put_vector(FILE *out, const char *name, wend_body_vector of) {
    const double one = WEND_BODY_UNITS;
    fprintf(out, "\"%s\":[%.4f,%.4f],", name, of.x / one, of.y / one);
}

int script_act_bodies(script_state *script, wend_order *order) {
    (void)order;
    FILE *out = script->options->out;
    const char *separator = "";
    fprintf(out, "{\"frame\":%" PRIu64 ",\"bodies\":{", script->frames);
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        wend_body_state body = {.struct_bytes = sizeof body};
        if (wend_crowd_get_body(script->world.crowd, agent->id, &body)) continue;
        fputs(separator, out);
        cli_json_string(out, agent->name);
        fputs(":{", out);
        put_vector(out, "at", body.exact_at);
        put_vector(out, "velocity", body.exact_velocity);
        fprintf(out, "\"radius\":%.4f}", body.radius_milli / 1000.0);
        separator = ",";
    }
    fputs("}}\n", out);
    return CLI_DONE;
}

/* The counts begin with the crowd if a later line prints them; a crowd that a recording made counts from here on. */
int script_act_jams(script_state *script, wend_order *order) {
    FILE *out = script->options->out;
    if (!world_jams_begin(&script->world)) return script_no_memory(script);
    fprintf(out, "{\"frame\":%" PRIu64, script->frames);
    if (!world_put_jams(&script->world, out, order)) return script_no_memory(script);
    fputs("}\n", out);
    return CLI_DONE;
}

int script_act_wanted(script_state *script, wend_order *order) {
    (void)order;
    wend_cell chunks[WEND_MAX_WANTED];
    size_t count = 0;
    const wend_error error =
        script->service ? wend_service_get_wanted(script->service, script->world.map, chunks, WEND_MAX_WANTED, &count)
                        : 0;
    if (error) return script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
    fprintf(script->options->out, "{\"frame\":%" PRIu64 ",\"wanted\":[", script->frames);
    for (size_t i = 0; i < count; i++)
        fprintf(script->options->out, "%s[%d,%d]", i > 0 ? "," : "", chunks[i].x, chunks[i].y);
    fputs("]}\n", script->options->out);
    return CLI_DONE;
}

/* ---- the nearest places: questions are answered in the next frame ---- */

static int print_places(script_state *script, const wend_order *order) {
    FILE *out = script->options->out;
    world_error refusal = {0};
    size_t count = 0;
    wend_hit *hits = malloc(order->nearest.k * sizeof *hits);
    if (!hits) return script_no_memory(script);
    const bool found = world_nearest(&script->world, order, hits, &count, &refusal);
    if (!script->options->trial) {
        fprintf(out, "{\"frame\":%" PRIu64 ",\"id\":", script->frames);
        cli_json_string(out, order->nearest.id.text);
        fputc(',', out);
        if (found)
            world_put_places(out, script->kind, hits, count);
        else
            fprintf(out, "\"error\":\"%s\"", script_refusal_name(refusal.error, (char[SCRIPT_REFUSAL_BYTES]){0}));
        fputs("}\n", out);
    }
    free(hits);
    return CLI_DONE;
}

int script_act_nearest(script_state *script, wend_order *order) {
    world_error refusal = {0};
    if (!world_check_nearest(&script->world, order, &refusal)) return script_refused(script, order, &refusal);
    return cli_keep_order(&script->nearest, order, script->line) ? CLI_DONE : script_no_memory(script);
}

int script_nearest_step(script_state *script) {
    int status = CLI_DONE;
    for (size_t i = 0; !status && i < script->nearest.count; i++)
        status = print_places(script, script->nearest.items[i].order);
    cli_kept_free(&script->nearest);
    return status;
}

/* ---- agents of world files: the script that has the file as its map has them from its beginning ---- */

static int add_listed(script_state *script, const wend_order *order) {
    const wend_name name = order->agent.name;
    world_error error = {0};
    if (world_check_and_do(&script->world, &itself, order, &error)) {
        script_film_add(script, world_agent_find(&script->world, name.text, name.length));
        return CLI_DONE;
    }
    if (error.refusal == WORLD_NO_MEMORY) return script_no_memory(script);
    return script_fail(script, script->reader.words[0].column,
                       "the world's agent '%s' cannot stand where it is added: %s", name.text, error.text);
}

int script_agents_begin(script_state *script) {
    if (script->built.agents.count == 0) return CLI_DONE;
    int status = script->is_world ? CLI_DONE : begin_crowd(script);
    for (size_t i = 0; !status && i < script->built.agents.count; i++)
        status = add_listed(script, script->built.agents.items[i].order);
    cli_kept_free(&script->built.agents);
    return status;
}

int script_agents_end(script_state *script) {
    for (const world_agent *agent = script->world.agents.first; agent; agent = agent->next) {
        wend_order orders[2];
        wend_name names[WEND_MAX_WAITED_FOR];
        world_agent_orders(&script->world, agent, orders);
        orders[0].agent.waits_for = world_agent_waits(agent, names);
        if (!cli_keep_order(&script->built.agents, orders, agent->line)) return script_no_memory(script);
    }
    return CLI_DONE;
}
