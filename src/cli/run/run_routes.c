/* SPDX-License-Identifier: MIT */
/* Commands of routes: pre-set paths by their corners, and agents that take them. */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

/* ---- route ---- */

static int read_mode(cli_script *script, cli_word word, int32_t *out) {
    static const char *const names[] = {"once", "loop", "back"}; /* WEND_ROUTE_… */
    for (int32_t i = 0; i < 3; i++) {
        *out = i;
        if (cli_word_is(word, names[i])) return -1;
    }
    return cli_script_fail(script, word.column, "a route is once, loop or back, not '%s'", cli_quoted(word).text);
}

static int parse_route(cli_script *script, cli_arguments *out) {
    wend_cell cell;
    out->name = script->words[1];
    if (cli_world_route(&script->built, out->name.text, out->name.length) != NULL)
        return cli_script_fail(script, out->name.column, "there is a route '%s' already", cli_quoted(out->name).text);
    int status = read_mode(script, script->words[2], &out->value);
    for (size_t i = 3; status == -1 && i < script->word_count; i++)
        status = cli_read_cell_on_map(script, script->words[i], &cell);
    return status;
}

static int fail_take(cli_script *script, wend_error error) {
    return cli_script_fail(script, script->words[0].column, "%s", wend_error_detail(error));
}

static wend_error add_to_crowd(const cli_script *script, cli_route *route) {
    wend_route_def def;
    if (route->added) return WEND_OK;
    wend_route_def_init(&def, sizeof def);
    def.mode = route->mode;
    def.corners = route->cells, def.corner_count = (uint32_t)route->count;
    const wend_error error = wend_crowd_add_route(script->crowd->crowd, &def, &route->number);
    route->added = error == WEND_OK;
    return error;
}

/* In a recording a crowd has its routes at once: those that nobody takes take room, too. */
static int act_route(cli_script *script, const cli_arguments *arguments) {
    const size_t count = script->word_count - 3;
    wend_cell *cells = malloc(count * sizeof *cells);
    if (cells == NULL) return cli_script_no_memory(script);
    for (size_t i = 0; i < count; i++) cli_read_cell_on_map(script, script->words[i + 3], &cells[i]);
    const cli_word name = arguments->name;
    const bool kept = cli_world_add_route(&script->built, name.text, name.length, arguments->value, cells, count);
    free(cells);
    if (!kept) return cli_script_no_memory(script);
    if (!script->recorded || script->crowd == NULL) return -1;
    const wend_error error = add_to_crowd(script, cli_world_route(&script->built, name.text, name.length));
    return error == WEND_OK ? -1 : fail_take(script, error);
}

/* ---- take ---- */

static int parse_take(cli_script *script, cli_arguments *out) {
    cli_agent *agent;
    const cli_word name = script->words[2];
    int status = cli_agent_find(script, script->words[1], &agent);
    out->name = name;
    if (status != -1 || cli_world_route(&script->built, name.text, name.length) != NULL) return status;
    return cli_script_fail(script, name.column, "there is no route '%s'", cli_quoted(name).text);
}

static int act_take(cli_script *script, const cli_arguments *arguments) {
    cli_agent *agent;
    cli_route *route = cli_world_route(&script->built, arguments->name.text, arguments->name.length);
    wend_crowd *crowd = script->crowd->crowd;
    cli_agent_find(script, script->words[1], &agent);
    wend_error error = add_to_crowd(script, route);
    if (error == WEND_OK) error = wend_crowd_take(crowd, agent->id, route->number);
    return error == WEND_OK ? -1 : fail_take(script, error);
}

/* ---- limits ---- */

/* Routes of the world and of later lines; each kind of agent has its own ways. Ways are as long as most paths are. */
void cli_routes_limit(const cli_script *script, uint64_t routes, uint64_t corners, wend_crowd_def *out) {
    enum { LEG_CELLS = 4096, MOST_CELLS = 1 << 26, CORNERS = 16, MOST_ROUTES = 65536 };
    for (size_t i = 0; i < script->built.route_count; i++) routes++, corners += script->built.routes[i].count;
    const uint64_t movers = script->built.mover_count + 1;
    const uint64_t leg = script->cells < LEG_CELLS ? script->cells : LEG_CELLS;
    const uint64_t all = (routes + corners / CORNERS) * movers, cells = corners * 2 * (leg + 1) * movers;
    out->routes = (uint32_t)(all < MOST_ROUTES ? all : MOST_ROUTES);
    out->route_cells = (uint32_t)(cells < MOST_CELLS ? cells : MOST_CELLS);
}

const cli_script_command cli_route_commands[] = {
    {"route", "route NAME once|loop|back CELL...", 3, CLI_ANY_NUMBER, CLI_EDIT, parse_route, act_route},
    {"take", "take NAME ROUTE", 2, 2, CLI_RUNS, parse_take, act_take},
};
const size_t cli_route_command_count = sizeof cli_route_commands / sizeof cli_route_commands[0];
