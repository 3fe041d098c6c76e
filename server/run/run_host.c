/* SPDX-License-Identifier: MIT */
/* Orders of a script to its world: agents, routes, and what a world file keeps of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include <wend/control.h>

/* ---- orders ---- */

/* Behind `map` agents only stand. */
static int keep_order(host_script *script, const wend_order *order) {
    if (script->depth > 0)
        script->built.left_out++;
    else if (!host_keep(&script->built.orders, order, script->line))
        return host_script_no_memory(script);
    return HOST_DONE;
}

static const host_client itself = {.owner = true};

/* A world file lists agents, and keeps the orders that a server of it gives them. */
int host_act_host(host_script *script, wend_order *order) {
    const bool kept = script->world && (wend__order_rows[order->kind].where & WEND__RUNS) != 0;
    host_error error = {0};
    if (kept && host_check(&script->host, &itself, order, &error)) return keep_order(script, order);
    if (!kept && host_take(&script->host, &itself, order, &error)) return HOST_DONE;
    if (error.refusal == HOST_NO_CROWD && script->options->serves) return keep_order(script, order);
    return host_script_refused(script, order, &error);
}

/* ---- agents ---- */

/* Before the first frame the map is epoch 0, whatever was published: the cell is judged on the map as built so far. */
static int begin_crowd(host_script *script) {
    int status = script->frames == 0 ? host_script_publish(script) : HOST_DONE;
    if (!status) status = host_film_begin(script);
    return !status ? host_script_crowd_make(script, NULL) : status;
}

int host_act_agent(host_script *script, wend_order *order) {
    const wend_name name = order->agent.name;
    int status = script->world ? HOST_DONE : begin_crowd(script);
    if (!status) status = host_act_host(script, order);
    if (status) return status;
    host_agent *agent = host_agent_find(&script->host, name.text, name.length);
    agent->line = script->line;
    host_film_add(script, agent);
    return HOST_DONE;
}

int host_act_clear(host_script *script, wend_order *order) {
    const int status = script->world ? HOST_DONE : begin_crowd(script);
    return !status ? host_act_host(script, order) : status;
}

int host_act_remove(host_script *script, wend_order *order) {
    for (size_t i = 0; i < order->names.count; i++) {
        const wend_name name = order->names.items[i];
        const host_agent *agent = host_agent_find(&script->host, name.text, name.length);
        if (agent) host_film_remove(script, agent);
    }
    return host_act_host(script, order);
}

int host_act_positions(host_script *script, wend_order *order) {
    (void)order;
    FILE *out = script->options->out;
    const char *separator = "";
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agents\":{", script->frames);
    for (const host_agent *agent = script->host.agents.first; agent; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->host.crowd, agent->id, &state);
        fputs(separator, out);
        host_json_string(out, agent->name);
        fputc(':', out);
        host_json_cell(out, script->kind, state.cell);
        separator = ",";
    }
    fputs("}}\n", out);
    return HOST_DONE;
}

int host_act_wanted(host_script *script, wend_order *order) {
    (void)order;
    wend_cell chunks[WEND_MAX_WANTED];
    size_t count = 0;
    const wend_error error =
        script->service ? wend_service_get_wanted(script->service, script->host.map, chunks, WEND_MAX_WANTED, &count)
                        : 0;
    if (error) return host_script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
    fprintf(script->options->out, "{\"frame\":%" PRIu64 ",\"wanted\":[", script->frames);
    for (size_t i = 0; i < count; i++)
        fprintf(script->options->out, "%s[%d,%d]", i > 0 ? "," : "", chunks[i].x, chunks[i].y);
    fputs("]}\n", script->options->out);
    return HOST_DONE;
}

/* ---- agents of world files: the script that has the file as its map has them from its beginning ---- */

static int add_listed(host_script *script, const wend_order *order) {
    const wend_name name = order->agent.name;
    host_error error = {0};
    if (host_take(&script->host, &itself, order, &error)) {
        host_film_add(script, host_agent_find(&script->host, name.text, name.length));
        return HOST_DONE;
    }
    if (error.refusal == HOST_NO_MEMORY) return host_script_no_memory(script);
    return host_script_fail(script, script->reader.words[0].column,
                            "the world's agent '%s' cannot stand where it is added: %s", name.text, error.text);
}

int host_world_agents_begin(host_script *script) {
    if (script->built.agents.count == 0) return HOST_DONE;
    int status = script->world ? HOST_DONE : begin_crowd(script);
    for (size_t i = 0; !status && i < script->built.agents.count; i++)
        status = add_listed(script, script->built.agents.items[i].order);
    host_kept_free(&script->built.agents);
    return status;
}

int host_world_agents_end(host_script *script) {
    for (const host_agent *agent = script->host.agents.first; agent; agent = agent->next) {
        wend_order orders[2];
        host_agent_orders(&script->host, agent, orders);
        if (!host_keep(&script->built.agents, orders, agent->line)) return host_script_no_memory(script);
    }
    return HOST_DONE;
}
