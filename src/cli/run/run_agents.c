/* SPDX-License-Identifier: MIT */
/* Commands that add agents, send them somewhere, remove them, and print where they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The words from first to before end name agents, each another one. */
static int check_names(cli_script *script, size_t first, size_t end) {
    int status = -1;
    cli_agent *agent;
    size_t read = first;
    for (; status == -1 && read < end; read++) {
        status = cli_agent_find(script, script->words[read], &agent);
        if (status != -1) break;
        if (agent->named)
            status = cli_script_fail(script, script->words[read].column, "'%s' is named twice", agent->label.text);
        agent->named = true;
    }
    for (size_t i = first; i < read; i++) {
        agent = cli_label_find(&script->crowd->names, script->words[i]);
        agent->named = false;
    }
    return status;
}

/* The ids of the line's agents; freed by the caller. */
static wend_agent_id *take_ids(const cli_script *script, const cli_arguments *arguments) {
    const size_t count = arguments->end - arguments->first;
    wend_agent_id *ids = malloc(count * sizeof *ids);
    for (size_t i = 0; ids != NULL && i < count; i++) {
        const cli_agent *agent = cli_label_find(&script->crowd->names, script->words[arguments->first + i]);
        ids[i] = agent->id;
    }
    return ids;
}

/* ---- agent ---- */

static int read_mover(cli_script *script, cli_word value, int32_t *out) {
    *out = cli_world_mover(&script->built, value.text, value.length);
    if (*out >= 0) return -1;
    return cli_script_fail(script, value.column, "there is no mover '%s'", cli_quoted(value).text);
}

int cli_agent_urgency(cli_script *script, cli_word value, int32_t *out) {
    int status = cli_read_int(script, value, "urgency", out);
    if (status != -1 || (*out >= WEND_URGENCY_MIN && *out <= WEND_URGENCY_MAX)) return status;
    return cli_script_fail(script, value.column, "urgency is from %d to %d, not '%s'", WEND_URGENCY_MIN,
                           WEND_URGENCY_MAX, cli_quoted(value).text);
}

enum { SPEED = 1, MOVER = 2, URGENCY = 4, GHOST = 8 };

static int read_option(cli_script *script, cli_word word, unsigned *given, cli_arguments *out) {
    cli_word key = word, value = word;
    const bool split = cli_word_split(word, &key, &value);
    const unsigned what = !split ? (cli_word_is(word, "ghost") ? GHOST : 0)
                                 : (cli_word_is(key, "speed")     ? SPEED
                                    : cli_word_is(key, "mover")   ? MOVER
                                    : cli_word_is(key, "urgency") ? URGENCY
                                                                  : 0);
    uint64_t speed;
    if (what == 0)
        return cli_script_fail(script, word.column, "'%s' is none of speed=N, mover=NAME, urgency=N and ghost",
                               cli_quoted(word).text);
    if (*given & what) return cli_script_fail(script, word.column, "%s is given twice", cli_quoted(key).text);
    *given |= what;
    if (what == MOVER) return read_mover(script, value, &out->agent.mover);
    if (what == URGENCY) return cli_agent_urgency(script, value, &out->agent.urgency);
    if (what == GHOST) out->agent.flags |= WEND_AGENT_GHOST;
    if (what == GHOST) return -1;
    int status = cli_read_range(script, value, "speed", 1, WEND_MAX_SPEED_MILLI, &speed);
    if (status == -1) out->agent.speed_milli = (uint32_t)speed;
    return status;
}

static int parse_agent(cli_script *script, cli_arguments *out) {
    unsigned given = 0;
    out->name = script->words[1];
    const cli_agent *known = script->crowd != NULL ? cli_label_find(&script->crowd->names, out->name) : NULL;
    if (known != NULL && known->present)
        return cli_script_fail(script, out->name.column, "there is an agent '%s' already", cli_quoted(out->name).text);
    wend_agent_def_init(&out->agent, sizeof out->agent);
    out->agent.mover = script->built.default_mover;
    int status = cli_read_cell_on_map(script, script->words[2], &out->agent.cell);
    for (size_t i = 3; status == -1 && i < script->word_count; i++)
        status = read_option(script, script->words[i], &given, out);
    return status;
}

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
    const cli_word cell = script->words[2];
    wend_crowd_counts counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_counts(script->crowd->crowd, &counts);
    if (error == WEND_OUT_OF_MEMORY) return cli_script_no_memory(script);
    if (error == WEND_BAD_ARGUMENT)
        return cli_script_fail(script, cell.column, "the agent cannot stand on %s", cli_quoted(cell).text);
    if (error == WEND_BUSY && counts.agents < WEND_MAX_AGENTS)
        return cli_script_fail(script, cell.column, "an agent or a unit stands on %s already", cli_quoted(cell).text);
    return cli_script_fail(script, script->words[0].column, "there are at most %d agents at once", WEND_MAX_AGENTS);
}

/* A world file lists it. */
static int list_agent(cli_script *script, const cli_arguments *arguments) {
    if (script->crowd == NULL) script->crowd = calloc(1, sizeof *script->crowd);
    cli_agent *agent =
        script->crowd != NULL ? cli_label_make(&script->crowd->names, arguments->name, sizeof *agent) : NULL;
    if (agent == NULL) return cli_script_no_memory(script);
    agent->def = arguments->agent;
    agent->line = script->line;
    cli_agent_append(script->crowd, agent);
    return -1;
}

/* Before the first frame the map is epoch 0, whatever was published: the cell is judged on the map as built so far. */
static int act_agent(cli_script *script, const cli_arguments *arguments) {
    if (script->world) return list_agent(script, arguments);
    int status = script->frames == 0 ? cli_script_publish(script) : -1;
    if (status == -1) status = cli_film_begin(script);
    if (status == -1) status = cli_crowd_make(script, NULL);
    if (status != -1) return status;
    cli_agent *agent = cli_label_make(&script->crowd->names, arguments->name, sizeof *agent);
    if (agent == NULL) return cli_script_no_memory(script);
    wend_agent_def def = arguments->agent;
    def.context = agent;
    const wend_error error = wend_crowd_add(script->crowd->crowd, &def, &agent->id);
    if (error != WEND_OK) return fail_add(script, error);
    agent->script = script;
    cli_agent_append(script->crowd, agent);
    cli_film_add(script, agent);
    return -1;
}

/* ---- go, follow, flee ---- */

/* NAME=N with one name only; `graph`: the most on a graph, which has no distances. */
static int read_distance(cli_script *script, cli_word word, const char *name, int32_t least, int32_t graph,
                         int32_t *out) {
    cli_word key, value;
    uint64_t number = 0;
    const int32_t most = script->kind == WEND_KIND_GRAPH ? graph : WEND_MAX_REACH;
    if (!cli_word_split(word, &key, &value) || !cli_word_is(key, name))
        return cli_script_fail(script, word.column, "only %s=N is allowed here, not '%s'", name, cli_quoted(word).text);
    int status = cli_read_range(script, value, name, (uint64_t)least, (uint64_t)most, &number);
    if (status == -1) *out = (int32_t)number;
    return status;
}

static int parse_go(cli_script *script, cli_arguments *out) {
    size_t to = 2;
    while (to < script->word_count && !cli_word_is(script->words[to], "to")) to++;
    if (to + 1 >= script->word_count)
        return cli_script_fail(script, script->end_column, "a word is missing: go NAME... to CELL [reach=N]");
    if (to + 3 < script->word_count)
        return cli_script_fail(script, script->words[to + 3].column, "a word too many: go NAME... to CELL [reach=N]");
    out->first = 1;
    out->end = to;
    wend_crowd_goal_init(&out->wish, sizeof out->wish);
    int status = check_names(script, 1, to);
    if (status == -1) status = cli_read_cell_on_map(script, script->words[to + 1], &out->wish.cell);
    if (status != -1 || to + 2 == script->word_count) return status;
    return read_distance(script, script->words[to + 2], "reach", 0, 0, &out->wish.reach);
}

/* reach=N of follow; distance=N and keep of flee. Each at most once. */
static int read_pursuit(cli_script *script, cli_word word, bool follow, bool *given, wend_crowd_goal *out) {
    const bool keep = !follow && cli_word_is(word, "keep");
    if (keep ? out->keep != 0 : *given)
        return cli_script_fail(script, word.column, "'%s' is once too many", cli_quoted(word).text);
    if (keep) {
        out->keep = 1;
        return -1;
    }
    *given = true;
    return follow ? read_distance(script, word, "reach", 0, 1, &out->reach)
                  : read_distance(script, word, "distance", 1, WEND_MAX_REACH, &out->distance);
}

static int parse_pair(cli_script *script, cli_arguments *out, int32_t kind) {
    cli_agent *target;
    bool given = false;
    const bool follow = kind == WEND_CROWD_FOLLOW;
    out->first = 1;
    out->end = 2;
    wend_crowd_goal_init(&out->wish, sizeof out->wish);
    out->wish.kind = kind;
    int status = check_names(script, 1, 3);
    if (status != -1) return status;
    cli_agent_find(script, script->words[2], &target);
    out->wish.target = target->id;
    for (size_t i = 3; status == -1 && i < script->word_count; i++)
        status = read_pursuit(script, script->words[i], follow, &given, &out->wish);
    return status;
}

static int parse_follow(cli_script *script, cli_arguments *out) {
    return parse_pair(script, out, WEND_CROWD_FOLLOW);
}

static int parse_flee(cli_script *script, cli_arguments *out) {
    return parse_pair(script, out, WEND_CROWD_FLEE);
}

static int finish(cli_script *script, wend_agent_id *ids, wend_error error) {
    free(ids);
    if (error == WEND_OK) return -1;
    if (error == WEND_BUSY)
        return cli_script_fail(script, script->words[0].column,
                               "more wishes between two frames than there is room for: run a frame before");
    return cli_script_fail(script, script->words[0].column, "%s", wend_error_detail(error));
}

static int act_wish(cli_script *script, const cli_arguments *arguments) {
    wend_agent_id *ids = take_ids(script, arguments);
    if (ids == NULL) return cli_script_no_memory(script);
    return finish(script, ids,
                  wend_crowd_go(script->crowd->crowd, ids, arguments->end - arguments->first, &arguments->wish));
}

/* ---- steer ---- */

static int parse_steer(cli_script *script, cli_arguments *out) {
    out->first = 1;
    out->end = 2;
    const int status = check_names(script, 1, 2);
    return status != -1 ? status : cli_read_cell_on_map(script, script->words[2], &out->cells[0]);
}

/* A world file runs nothing: it says that the agent is steered, and stands. */
static int list_steered(cli_script *script, const cli_arguments *arguments) {
    cli_agent *agent = cli_label_find(&script->crowd->names, script->words[1]);
    const wend_cell *own = &agent->def.cell, *cell = &arguments->cells[0];
    if (own->x != cell->x || own->y != cell->y || own->z != cell->z)
        return cli_script_fail(script, script->words[2].column, "in a world file an agent is steered to its own cell");
    agent->def.flags |= WEND_AGENT_STEERED;
    return -1;
}

static int act_steer(cli_script *script, const cli_arguments *arguments) {
    if (script->world) return list_steered(script, arguments);
    wend_agent_id *ids = take_ids(script, arguments);
    if (ids == NULL) return cli_script_no_memory(script);
    return finish(script, ids, wend_crowd_step(script->crowd->crowd, ids[0], arguments->cells[0]));
}

/* ---- halt, remove ---- */

static int parse_names(cli_script *script, cli_arguments *out) {
    out->first = 1;
    out->end = script->word_count;
    return check_names(script, out->first, out->end);
}

static int act_halt(cli_script *script, const cli_arguments *arguments) {
    wend_agent_id *ids = take_ids(script, arguments);
    if (ids == NULL) return cli_script_no_memory(script);
    return finish(script, ids, wend_crowd_halt(script->crowd->crowd, ids, arguments->end - arguments->first));
}

static int act_remove(cli_script *script, const cli_arguments *arguments) {
    for (size_t i = arguments->first; i < arguments->end; i++) {
        cli_agent *agent = cli_label_find(&script->crowd->names, script->words[i]);
        const wend_error error = script->world ? WEND_OK : wend_crowd_remove(script->crowd->crowd, agent->id);
        if (error != WEND_OK) return cli_script_fail(script, script->words[i].column, "%s", wend_error_detail(error));
        if (!script->world) cli_film_remove(script, agent);
        unlink_agent(script->crowd, agent);
    }
    return -1;
}

/* ---- positions ---- */

static int act_positions(cli_script *script, const cli_arguments *arguments) {
    (void)arguments;
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

const cli_script_command cli_crowd_commands[] = {
    {"agent", "agent NAME CELL [speed=N] [mover=NAME] [urgency=N] [ghost]", 2, 6, CLI_EDIT | CLI_AGENTS, parse_agent,
     act_agent},
    {"go", "go NAME... to CELL [reach=N]", 3, CLI_ANY_NUMBER, CLI_RUNS, parse_go, act_wish},
    {"follow", "follow NAME NAME2 [reach=N]", 2, 3, CLI_RUNS, parse_follow, act_wish},
    {"flee", "flee NAME NAME2 [distance=N] [keep]", 2, 4, CLI_RUNS, parse_flee, act_wish},
    {"steer", "steer NAME CELL", 2, 2, CLI_EDIT | CLI_AGENTS, parse_steer, act_steer},
    {"halt", "halt NAME...", 1, CLI_ANY_NUMBER, CLI_RUNS, parse_names, act_halt},
    {"remove", "remove NAME...", 1, CLI_ANY_NUMBER, CLI_EDIT | CLI_AGENTS, parse_names, act_remove},
    {"positions", "positions", 0, 0, CLI_RUNS, NULL, act_positions},
    {"walk", "walk [frames=N] [budget=N]", 0, 2, CLI_RUNS, cli_parse_walk, cli_act_walk},
};
const size_t cli_crowd_command_count = sizeof cli_crowd_commands / sizeof cli_crowd_commands[0];
