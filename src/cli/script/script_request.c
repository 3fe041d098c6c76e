/* SPDX-License-Identifier: MIT */
/* Parses a request: two cells and options. Submit refuses numbers outside an option's range. */
#include <string.h>

#include "cli/script/script.h"
#include "cli/script/world.h"

typedef struct request_option {
    const char *name;
    int (*read)(cli_script *script, cli_word word, cli_word value, cli_arguments *out);
} request_option;

static int fail_choice(cli_script *script, const char *what, cli_word value) {
    return cli_script_fail(script, value.column, "%s, not '%s'", what, cli_quoted(value).text);
}

static int read_urgency(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    return cli_read_int(script, value, "urgency", &out->request.urgency);
}

/* Negative numbers are out of range, but do not fit the request: they are refused without submit. */
static int read_count(cli_script *script, cli_word value, const char *what, cli_arguments *out, uint64_t *target) {
    bool negative = false;
    int status = cli_read_number(script, value, what, &negative, target);
    if (status == -1 && negative) out->bad_argument = true;
    return status;
}

static int read_deadline(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    return read_count(script, value, "deadline", out, &out->request.deadline_frames);
}

static int read_max(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    return read_count(script, value, "max", out, &out->request.max_expansions);
}

static int read_mode(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    if (cli_word_is(value, "exact")) return -1;
    if (!cli_word_is(value, "nearest")) return fail_choice(script, "mode is exact or nearest", value);
    out->request.mode = WEND_MODE_NEAREST;
    return -1;
}

/* A number for which the request has 32 bits: a larger one is outside its range, too. */
static int read_small(cli_script *script, cli_word value, const char *what, cli_arguments *out, int32_t *target) {
    int status = cli_read_int(script, value, what, target);
    if (status == -1 && *target < 0) out->bad_argument = true;
    return status;
}

/* Graphs have no reach: any number is refused, 0 too. */
static int read_reach(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    if (script->kind == WEND_KIND_GRAPH) out->bad_argument = true;
    return read_small(script, value, "reach", out, &out->request.reach);
}

/* Submit refuses a node that no line has declared yet, like any cell off the map. */
static int read_place(cli_script *script, cli_word word, wend_cell *out) {
    int status = cli_read_cell(script, word, out);
    if (status == -1 && script->kind == WEND_KIND_GRAPH && !cli_node_there(script, out->x)) out->x = -1;
    return status;
}

static int read_goals(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    enum { MOST = sizeof out->goals / sizeof out->goals[0] };
    (void)word;
    for (cli_word rest = value;;) {
        const char *end = memchr(rest.text, ';', rest.length);
        cli_word part = rest;
        wend_cell cell;
        if (end != NULL) part.length = (size_t)(end - rest.text);
        int status = read_place(script, part, &cell);
        if (status != -1) return status;
        if (out->request.more_goal_count < MOST)
            out->goals[out->request.more_goal_count++] = cell;
        else
            out->bad_argument = true;
        if (end == NULL) return -1;
        rest = (cli_word){end + 1, rest.length - part.length - 1, rest.column};
    }
}

static int read_mover(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    int32_t mover = cli_world_mover(&script->built, value.text, value.length);
    if (mover < 0) return cli_script_fail(script, value.column, "there is no mover '%s'", cli_quoted(value).text);
    out->request.mover = mover;
    return -1;
}

/* A cost of 0 is the same as `ignore`. */
static int read_occupied(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    if (cli_word_is(value, "ignore")) return -1;
    if (!cli_word_is(value, "block"))
        return read_small(script, value, "occupied (ignore, block or a cost)", out, &out->request.occupied);
    out->request.occupied = WEND_OCCUPIED_BLOCK;
    return -1;
}

static int read_occupied_within(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    if (script->kind == WEND_KIND_GRAPH) out->bad_argument = true;
    return read_small(script, value, "occupied_within", out, &out->request.occupied_within);
}

/* The number that stands for no agent is outside the range of those that do. */
static int read_agent(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    const int status = read_count(script, value, "agent", out, &out->request.agent);
    if (out->request.agent == WEND_NO_AGENT) out->bad_argument = true;
    return status;
}

/* The completion waits for the command `poll`. */
static int read_polled(cli_script *script, cli_word word, cli_arguments *out) {
    if (out->request.on_done == NULL) return cli_script_fail(script, word.column, "polled is given twice");
    out->request.on_done = NULL;
    return -1;
}

static int read_leave(cli_script *script, cli_word word, cli_arguments *out) {
    if (out->request.flags & WEND_REQUEST_LEAVE_BLOCKED_START)
        return cli_script_fail(script, word.column, "leave_blocked_start is given twice");
    out->request.flags |= WEND_REQUEST_LEAVE_BLOCKED_START;
    return -1;
}

static int read_on_stale(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    if (cli_word_is(value, "restart")) return -1;
    if (!cli_word_is(value, "deliver")) return fail_choice(script, "on_stale is restart or deliver", value);
    out->request.on_stale = WEND_ON_STALE_DELIVER;
    return -1;
}

static int read_weight(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    (void)word;
    return cli_read_milli(script, value, "weight", &out->request.weight_milli);
}

static int read_engine(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    static const char *const names[] = {"auto", "astar", "jump"}; /* WEND_ENGINE_… */
    (void)word;
    for (int32_t i = 0; i < 3; i++) {
        if (!cli_word_is(value, names[i])) continue;
        out->request.engine = i;
        return -1;
    }
    return fail_choice(script, "engine is auto, astar or jump", value);
}

static int read_heuristic(cli_script *script, cli_word word, cli_word value, cli_arguments *out) {
    static const char *const names[] = {"exact", "manhattan", "euclid", "zero"}; /* WEND_HEURISTIC_… */
    (void)word;
    for (int32_t i = 0; i < 4; i++) {
        if (!cli_word_is(value, names[i])) continue;
        out->request.heuristic = i;
        return -1;
    }
    return fail_choice(script, "heuristic is exact, manhattan, euclid or zero", value);
}

static const request_option request_options[] = {
    {"urgency", read_urgency},
    {"deadline", read_deadline},
    {"max", read_max},
    {"mode", read_mode},
    {"reach", read_reach},
    {"goals", read_goals},
    {"mover", read_mover},
    {"occupied", read_occupied},
    {"on_stale", read_on_stale},
    {"weight", read_weight},
    {"engine", read_engine},
    {"heuristic", read_heuristic},
    {"occupied_within", read_occupied_within},
    {"agent", read_agent},
};
enum { REQUEST_OPTION_COUNT = sizeof request_options / sizeof request_options[0] };

static int read_request_option(cli_script *script, cli_word word, unsigned *given, cli_arguments *out) {
    cli_word key, value;
    if (cli_word_is(word, "leave_blocked_start")) return read_leave(script, word, out);
    if (cli_word_is(word, "polled")) return read_polled(script, word, out);
    if (!cli_word_split(word, &key, &value))
        return cli_script_fail(script, word.column, "'%s' is not OPTION=VALUE", cli_quoted(word).text);
    for (size_t i = 0; i < REQUEST_OPTION_COUNT; i++) {
        if (!cli_word_is(key, request_options[i].name)) continue;
        if ((*given & 1u << i) != 0)
            return cli_script_fail(script, word.column, "%s is given twice", request_options[i].name);
        *given |= 1u << i;
        return request_options[i].read(script, word, value, out);
    }
    return cli_script_fail(script, word.column, "request has no option '%s'", cli_quoted(key).text);
}

int cli_parse_request(cli_script *script, cli_arguments *out) {
    unsigned given = 0;
    out->name = script->words[1];
    wend_request_init(&out->request, sizeof out->request);
    out->request.map = script->built.map;
    out->request.engine = script->options->engine;
    out->request.mover = script->built.default_mover;
    out->request.on_done = cli_script_done;
    int status = read_place(script, script->words[2], &out->request.start);
    if (status == -1) status = read_place(script, script->words[3], &out->request.goal);
    for (size_t i = 4; status == -1 && i < script->word_count; i++)
        status = read_request_option(script, script->words[i], &given, out);
    return status;
}
