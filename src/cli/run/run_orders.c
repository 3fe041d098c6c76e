/* SPDX-License-Identifier: MIT */
/* Commands about the crowd as a whole, and agents that are changed: what a recording has beside wishes. */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

/* ---- crowd ---- */

enum { PATHS = 1, OPTIONS = 13 };

static const struct {
    const char *name;
    uint64_t least, most;
    size_t place; ///< of a 32-bit field
} options[OPTIONS] = {
    {"agents", 1, WEND_MAX_AGENTS, offsetof(wend_crowd_def, agents)},
    [PATHS] = {"paths", 0, UINT64_C(1) << 38, 0},
    {"events", 1, UINT64_C(1) << 24, offsetof(wend_crowd_def, events)},
    {"units_within", 0, WEND_MAX_REACH, offsetof(wend_crowd_def, units_within)},
    {"tries", 1, 1000, offsetof(wend_crowd_def, tries)},
    {"retry", 1, 1000000, offsetof(wend_crowd_def, retry_updates)},
    {"routes", 0, 65536, offsetof(wend_crowd_def, routes)},
    {"route_cells", 0, UINT64_C(1) << 28, offsetof(wend_crowd_def, route_cells)},
    {"head_start", 0, WEND_MAX_HEAD_START, offsetof(wend_crowd_def, head_start)},
    {"fields", 0, WEND_MAX_CROWD_FIELDS, offsetof(wend_crowd_def, fields)},
    {"field_agents", 0, UINT32_MAX, offsetof(wend_crowd_def, field_agents)},
    {"work", 0, UINT32_MAX, offsetof(wend_crowd_def, work)},
    {"patience", 0, 1000000, offsetof(wend_crowd_def, patience_updates)},
};

static int read_limit(cli_script *script, cli_word word, cli_arguments *out) {
    cli_word key, value;
    uint64_t number = 0;
    size_t i = 0;
    if (cli_word_split(word, &key, &value))
        while (i < OPTIONS && !cli_word_is(key, options[i].name)) i++;
    else
        i = OPTIONS;
    if (i == OPTIONS)
        return cli_script_fail(script, word.column, "'%s' is no limit of a crowd, such as agents=N",
                               cli_quoted(word).text);
    if (out->given >> i & 1) return cli_script_fail(script, word.column, "%s is given twice", options[i].name);
    out->given |= UINT32_C(1) << i;
    const int status = cli_read_range(script, value, options[i].name, options[i].least, options[i].most, &number);
    const uint32_t small = (uint32_t)number;
    if (i == PATHS)
        out->crowd.path_bytes = number;
    else
        memcpy((char *)&out->crowd + options[i].place, &small, sizeof small);
    return status;
}

static int parse_crowd(cli_script *script, cli_arguments *out) {
    int status = -1;
    if (script->crowd != NULL)
        return cli_script_fail(script, script->words[0].column, "crowd comes once, before the first agent");
    for (size_t i = 1; status == -1 && i < script->word_count; i++) status = read_limit(script, script->words[i], out);
    return status;
}

void cli_crowd_read_limits(const cli_arguments *said, wend_crowd_def *out) {
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!(said->given >> i & 1)) continue;
        if (i == PATHS)
            out->path_bytes = said->crowd.path_bytes;
        else
            memcpy((char *)out + options[i].place, (const char *)&said->crowd + options[i].place, sizeof(uint32_t));
    }
    if (out->events < out->agents) out->events = out->agents;
}

static int act_crowd(cli_script *script, const cli_arguments *arguments) {
    int status = script->frames == 0 ? cli_script_publish(script) : -1;
    if (status == -1) status = cli_film_begin(script);
    return status == -1 ? cli_crowd_make(script, arguments) : status;
}

static int act_disband(cli_script *script, const cli_arguments *arguments) {
    (void)arguments;
    cli_crowd_disband(script);
    for (size_t i = 0; i < script->built.route_count; i++) script->built.routes[i].added = false;
    if (script->recorded) cli_world_forget_routes(&script->built); /* the next crowd names its own */
    return -1;
}

/* ---- update ---- */

static int parse_update(cli_script *script, cli_arguments *out) {
    out->numbers[0] = 1000;
    if (script->word_count == 1) return -1;
    return cli_read_range(script, script->words[1], "a time", 0, WEND_MAX_ELAPSED_MILLI, &out->numbers[0]);
}

static int act_update(cli_script *script, const cli_arguments *arguments) {
    return cli_crowd_step(script, (uint32_t)arguments->numbers[0]);
}

/* ---- adjust ---- */

enum { CELL = 1, SPEED = 2, URGENCY = 4, MOVER = 8 };

static int read_mover(cli_script *script, cli_word name, cli_arguments *out) {
    out->agent.mover = cli_world_mover(&script->built, name.text, name.length);
    if (out->agent.mover >= 0) return -1;
    return cli_script_fail(script, name.column, "there is no mover '%s'", cli_quoted(name).text);
}

static int read_change(cli_script *script, cli_word word, cli_arguments *out) {
    cli_word key, value;
    uint64_t speed = 0;
    const bool split = cli_word_split(word, &key, &value);
    const uint32_t what = !split                        ? 0
                          : cli_word_is(key, "cell")    ? CELL
                          : cli_word_is(key, "speed")   ? SPEED
                          : cli_word_is(key, "urgency") ? URGENCY
                          : cli_word_is(key, "mover")   ? MOVER
                                                        : 0;
    if (what == 0)
        return cli_script_fail(script, word.column, "'%s' is none of cell=CELL, speed=N, urgency=N and mover=NAME",
                               cli_quoted(word).text);
    if (out->given & what) return cli_script_fail(script, word.column, "%s is given twice", cli_quoted(key).text);
    out->given |= what;
    if (what == CELL && out->end - out->first > 1)
        return cli_script_fail(script, word.column, "a cell is for one agent");
    if (what == CELL) return cli_read_cell_on_map(script, value, &out->cells[0]);
    if (what == URGENCY) return cli_agent_urgency(script, value, &out->agent.urgency);
    if (what == MOVER) return read_mover(script, value, out);
    const int status = cli_read_range(script, value, "speed", 1, WEND_MAX_SPEED_MILLI, &speed);
    out->agent.speed_milli = (uint32_t)speed;
    return status;
}

/* Names are the words before the first one with a "=", one at least. */
static int parse_adjust(cli_script *script, cli_arguments *out) {
    cli_agent *agent;
    int status = -1;
    out->first = out->end = 1;
    do status = cli_agent_find(script, script->words[out->end++], &agent);
    while (status == -1 && out->end < script->word_count &&
           memchr(script->words[out->end].text, '=', script->words[out->end].length) == NULL);
    if (status == -1 && out->end == script->word_count)
        return cli_script_fail(script, script->end_column,
                               "a word is missing: adjust NAME... [cell=CELL] [speed=N] [urgency=N] [mover=NAME]");
    for (size_t i = out->end; status == -1 && i < script->word_count; i++)
        status = read_change(script, script->words[i], out);
    return status;
}

static wend_error adjust(wend_crowd *crowd, const cli_arguments *arguments, const wend_agent_id *ids, size_t count) {
    wend_error error = WEND_OK;
    if (arguments->given & CELL) error = wend_crowd_move(crowd, ids[0], arguments->cells[0]);
    if (!error && arguments->given & MOVER) error = wend_crowd_set_mover(crowd, ids, count, arguments->agent.mover);
    for (size_t i = 0; i < count; i++) {
        if (arguments->given & SPEED) wend_crowd_set_speed(crowd, ids[i], arguments->agent.speed_milli);
        if (arguments->given & URGENCY) wend_crowd_set_urgency(crowd, ids[i], arguments->agent.urgency);
    }
    return error;
}

static int act_adjust(cli_script *script, const cli_arguments *arguments) {
    const size_t count = arguments->end - arguments->first, column = script->words[arguments->end].column;
    wend_agent_id *ids = malloc(count * sizeof *ids);
    if (ids == NULL) return cli_script_no_memory(script);
    for (size_t i = 0; i < count; i++) {
        cli_agent *agent;
        cli_agent_find(script, script->words[arguments->first + i], &agent);
        ids[i] = agent->id;
    }
    const wend_error error = adjust(script->crowd->crowd, arguments, ids, count);
    free(ids);
    return error == WEND_OK ? -1 : cli_script_fail(script, column, "%s", wend_error_detail(error));
}

const cli_script_command cli_order_commands[] = {
    {"crowd", "crowd [LIMIT=N]...", 0, OPTIONS, CLI_EDIT | CLI_RUNS, parse_crowd, act_crowd},
    {"disband", "disband", 0, 0, CLI_RUNS, NULL, act_disband},
    {"update", "update [MILLI]", 0, 1, CLI_RUNS, parse_update, act_update},
    {"adjust", "adjust NAME... [cell=CELL] [speed=N] [urgency=N] [mover=NAME]", 2, CLI_ANY_NUMBER, CLI_RUNS,
     parse_adjust, act_adjust},
};
const size_t cli_order_command_count = sizeof cli_order_commands / sizeof cli_order_commands[0];
