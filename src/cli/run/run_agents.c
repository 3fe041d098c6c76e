/* SPDX-License-Identifier: MIT */
/* Commands that add agents, send them somewhere, remove them, and print where they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"
#include "cli/shared/cells.h"
#include "cli/shared/messages.h"

/* ---- names ---- */

int cli_agent_find(cli_script *script, cli_word word, cli_agent **out) {
    cli_agent *agent = script->crowd != NULL ? cli_label_find(&script->crowd->names, word) : NULL;
    *out = agent;
    if (agent != NULL && agent->present) return -1;
    return cli_script_fail(script, word.column, "there is no agent '%s'", cli_quoted(word).text);
}

/* The ids of the agents that a list names, each another one; freed by the caller. NULL where *status is not -1. */
wend_agent_id *cli_agents_find(cli_script *script, const wend__order *order, const wend__names *names, int *status) {
    wend_agent_id *ids = malloc(names->count * sizeof *ids);
    size_t found = 0;
    *status = ids != NULL ? -1 : cli_script_no_memory(script);
    for (; *status == -1 && found < names->count; found++) {
        const cli_word said = wend__order_word(&script->reader, order, names, found);
        const wend__name name = names->items[found];
        cli_agent *agent;
        *status = cli_agent_find(script, (cli_word){name.text, name.length, said.column}, &agent);
        if (*status != -1) break;
        ids[found] = agent->id;
        if (agent->named) *status = cli_script_fail(script, said.column, "'%s' is named twice", agent->label.text);
        agent->named = true;
    }
    for (size_t i = 0; i < found; i++) {
        const wend__name name = names->items[i];
        cli_agent *agent = cli_label_find(&script->crowd->names, (cli_word){name.text, name.length, 1});
        agent->named = false;
    }
    if (*status == -1) return ids;
    free(ids);
    return NULL;
}

/* ---- agent ---- */

void cli_agent_append(cli_crowd *crowd, cli_agent *agent) {
    agent->previous = crowd->last;
    agent->next = NULL;
    if (crowd->last != NULL)
        crowd->last->next = agent;
    else
        crowd->first = agent;
    crowd->last = agent;
    agent->present = true;
}

static void unlink_agent(cli_crowd *crowd, cli_agent *agent) {
    *(agent->previous != NULL ? &agent->previous->next : &crowd->first) = agent->next;
    *(agent->next != NULL ? &agent->next->previous : &crowd->last) = agent->previous;
    agent->present = false;
}

static int fail_add(cli_script *script, wend_error error) {
    const cli_word cell = script->reader.words[2];
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_stats(script->crowd->crowd, &counts);
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    if (error == WEND_BAD_ARGUMENT)
        return cli_script_fail(script, cell.column, "the agent cannot stand on %s", cli_quoted(cell).text);
    if (error == WEND_BUSY && counts.agents < WEND_MAX_AGENTS)
        return cli_script_fail(script, cell.column, "an agent or a unit stands on %s already", cli_quoted(cell).text);
    return cli_script_fail(script, script->reader.words[0].column, "there are at most %d agents at once",
                           WEND_MAX_AGENTS);
}

/* A world file lists it. */
static int list_agent(cli_script *script, cli_word name, const wend_agent_def *def) {
    if (script->crowd == NULL) script->crowd = calloc(1, sizeof *script->crowd);
    cli_agent *agent = script->crowd != NULL ? cli_label_make(&script->crowd->names, name, sizeof *agent) : NULL;
    if (agent == NULL) return cli_script_no_memory(script);
    agent->def = *def;
    agent->line = script->line;
    cli_agent_append(script->crowd, agent);
    return -1;
}

/* Before the first frame the map is epoch 0, whatever was published: the cell is judged on the map as built so far. */
int cli_act_agent(cli_script *script, wend__order *order) {
    const cli_word name = cli_named(script, order, &order->agent.name);
    const cli_agent *known = script->crowd != NULL ? cli_label_find(&script->crowd->names, name) : NULL;
    wend_agent_def def = order->agent.def;
    if (known != NULL && known->present)
        return cli_script_fail(script, name.column, "there is an agent '%s' already", cli_quoted(name).text);
    int status = cli_check_cell(script, order, &order->agent.def.cell);
    if (status == -1) status = cli_check_mover(script, order, &order->agent.mover, &def.mover);
    if (status == -1 && script->world) return list_agent(script, name, &def);
    if (status == -1 && script->frames == 0) status = cli_script_publish(script);
    if (status == -1) status = cli_film_begin(script);
    if (status == -1) status = cli_crowd_make(script, NULL);
    if (status != -1) return status;
    cli_agent *agent = cli_label_make(&script->crowd->names, name, sizeof *agent);
    if (agent == NULL) return cli_script_no_memory(script);
    def.context = agent;
    const wend_error error = wend_crowd_add(script->crowd->crowd, &def, &agent->id);
    if (error != WEND_OK) return fail_add(script, error);
    agent->script = script;
    cli_agent_append(script->crowd, agent);
    cli_film_add(script, agent);
    return -1;
}

/* ---- go, follow, flee ---- */

static int finish(cli_script *script, wend_error error) {
    if (error == WEND_OK) return -1;
    if (error == WEND_BUSY)
        return cli_script_fail(script, script->reader.words[0].column,
                               "more wishes between two frames than there is room for: run a frame before");
    return cli_script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

static int act_group(cli_script *script, const wend__order *order) {
    wend_crowd_goal goal = {.struct_bytes = sizeof goal, .cell = order->go.def.cell, .reach = order->go.def.reach};
    int status;
    wend_agent_id *ids = cli_agents_find(script, order, &order->go.names, &status);
    if (status == -1) status = cli_check_cell(script, order, &order->go.def.cell);
    if (status == -1) status = cli_check_reach(script, order, &order->go.def.reach, 0);
    goal.kind = WEND_CROWD_CELL;
    if (status == -1 && script->world)
        status = cli_world_keep_order(script, order);
    else if (status == -1)
        status = finish(script, wend_crowd_go(script->crowd->crowd, ids, order->go.names.count, &goal));
    free(ids);
    return status;
}

int cli_act_go(cli_script *script, wend__order *order) {
    wend_crowd_goal goal = order->go.def;
    cli_agent *agent, *target;
    if (order->kind == WEND__ORDER_GO) return act_group(script, order);
    const cli_word name = cli_named(script, order, &order->go.name),
                   other = cli_named(script, order, &order->go.target);
    int status = cli_agent_find(script, name, &agent);
    if (status == -1) status = cli_agent_find(script, other, &target);
    if (status == -1 && agent == target)
        status = cli_script_fail(script, other.column, "'%s' is named twice", agent->label.text);
    if (status == -1 && order->kind == WEND__ORDER_FOLLOW)
        status = cli_check_reach(script, order, &order->go.def.reach, 1);
    if (status != -1) return status;
    if (script->world) return cli_world_keep_order(script, order);
    goal.struct_bytes = sizeof goal;
    goal.kind = order->kind == WEND__ORDER_FOLLOW ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
    goal.target = target->id;
    return finish(script, wend_crowd_go(script->crowd->crowd, &agent->id, 1, &goal));
}

/* ---- steer ---- */

/* A world file runs nothing: it says that the agent is steered, and stands. */
static int list_steered(cli_script *script, cli_agent *agent, const wend__order *order) {
    const bool stands = memcmp(&agent->def.cell, &order->steer.cell, sizeof agent->def.cell) == 0;
    if (!stands && script->options->serves) return cli_world_keep_order(script, order);
    if (!stands)
        return cli_script_fail(script, script->reader.words[2].column,
                               "in a world file an agent is steered to its own cell");
    agent->def.flags |= WEND_AGENT_STEERED;
    return -1;
}

int cli_act_steer(cli_script *script, wend__order *order) {
    cli_agent *agent;
    int status = cli_agent_find(script, cli_named(script, order, &order->steer.name), &agent);
    if (status == -1) status = cli_check_cell(script, order, &order->steer.cell);
    if (status != -1) return status;
    if (script->world) return list_steered(script, agent, order);
    return finish(script, wend_crowd_step(script->crowd->crowd, agent->id, order->steer.cell));
}

/* ---- halt, remove ---- */

int cli_act_halt(cli_script *script, wend__order *order) {
    int status;
    wend_agent_id *ids = cli_agents_find(script, order, &order->names, &status);
    if (status == -1 && script->world)
        status = cli_world_keep_order(script, order);
    else if (status == -1)
        status = finish(script, wend_crowd_halt(script->crowd->crowd, ids, order->names.count));
    free(ids);
    return status;
}

int cli_act_remove(cli_script *script, wend__order *order) {
    int status;
    wend_agent_id *ids = cli_agents_find(script, order, &order->names, &status);
    for (size_t i = 0; status == -1 && i < order->names.count; i++) {
        const wend__name name = order->names.items[i];
        cli_agent *agent = cli_label_find(&script->crowd->names, (cli_word){name.text, name.length, 1});
        const wend_error error = script->world ? WEND_OK : wend_crowd_remove(script->crowd->crowd, ids[i]);
        if (error != WEND_OK) {
            const size_t column = wend__order_word(&script->reader, order, &order->names, i).column;
            status = cli_script_fail(script, column, "%s", wend_error_detail(error));
        } else {
            if (!script->world) cli_film_remove(script, agent);
            unlink_agent(script->crowd, agent);
        }
    }
    free(ids);
    return status;
}

/* ---- positions ---- */

int cli_act_positions(cli_script *script, wend__order *order) {
    (void)order;
    FILE *out = script->options->out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agents\":{", script->frames);
    const cli_agent *agent = script->crowd != NULL ? script->crowd->first : NULL;
    for (bool first = true; agent != NULL; agent = agent->next, first = false) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_crowd_get_agent(script->crowd->crowd, agent->id, &state);
        if (!first) fputc(',', out);
        cli_json_string(out, agent->label.text);
        fputc(':', out);
        cli_json_cell(out, script->kind, state.cell);
    }
    fputs("}}\n", out);
    return -1;
}
