/* SPDX-License-Identifier: MIT */
/* Agents of world files: a file lists them, and the script that the file is the map of has them from its beginning.
 * Orders to them are kept for the server of the script. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

static int add(cli_script *script, const cli_world_agent *listed) {
    const cli_word name = {listed->name, strlen(listed->name), script->reader.words[0].column};
    cli_agent *agent = cli_label_make(&script->crowd->names, name, sizeof *agent);
    if (agent == NULL) return cli_script_no_memory(script);
    agent->def = listed->def;
    agent->line = 0;
    if (!script->world) {
        wend_agent_def def = listed->def;
        def.context = agent;
        const wend_error error = wend_crowd_add(script->crowd->crowd, &def, &agent->id);
        if (error != WEND_OK)
            return cli_script_fail(script, name.column, "the world's agent '%s' cannot stand where it is added: %s",
                                   listed->name, wend_error_detail(error));
        agent->script = script;
    }
    cli_agent_append(script->crowd, agent);
    if (!script->world) cli_film_add(script, agent);
    return -1;
}

int cli_world_agents_begin(cli_script *script) {
    int status = -1;
    if (script->built.agent_count == 0) return -1;
    if (script->world) {
        script->crowd = calloc(1, sizeof *script->crowd);
        if (script->crowd == NULL) return cli_script_no_memory(script);
    } else {
        status = script->frames == 0 ? cli_script_publish(script) : -1;
        if (status == -1) status = cli_film_begin(script);
        if (status == -1) status = cli_crowd_make(script, NULL);
    }
    for (size_t i = 0; status == -1 && i < script->built.agent_count; i++)
        status = add(script, &script->built.agents[i]);
    cli_world_free_agents(&script->built);
    return status;
}

int cli_world_agents_end(cli_script *script) {
    if (script->crowd == NULL) return -1;
    for (const cli_agent *agent = script->crowd->first; agent != NULL; agent = agent->next)
        if (!cli_world_add_agent(&script->built, agent->label.text, agent->label.length, &agent->def, agent->line))
            return cli_script_no_memory(script);
    return -1;
}

/* Behind `map` agents only stand. */
int cli_world_keep_order(cli_script *script, const wend__order *order) {
    const size_t count = script->built.order_count;
    if (script->depth > 0) {
        script->built.left_out++;
        return -1;
    }
    if ((count & (count - 1)) == 0) {
        cli_world_order *orders = realloc(script->built.orders, (count == 0 ? 1 : count * 2) * sizeof *orders);
        if (orders == NULL) return cli_script_no_memory(script);
        script->built.orders = orders;
    }
    wend__order *copy = wend__order_copy(order);
    if (copy == NULL) return cli_script_no_memory(script);
    script->built.orders[script->built.order_count++] = (cli_world_order){copy, script->line};
    return -1;
}
