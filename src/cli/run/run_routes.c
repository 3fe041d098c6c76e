/* SPDX-License-Identifier: MIT */
/* Commands of routes: pre-set paths by their corners, and agents that take them. */
#include <string.h>

#include "cli/run/run.h"

/* ---- route ---- */

static int fail_take(cli_script *script, wend_error error) {
    return cli_script_fail(script, script->reader.words[0].column, "%s", wend_error_detail(error));
}

/* In a recording a crowd has its routes at once: those that nobody takes take room, too. */
int cli_act_route(cli_script *script, wend__order *order) {
    const cli_word name = cli_named(script, order, &order->route.name);
    const wend__cells *cells = &order->route.cells;
    if (host_route_find(&script->built.routes, name.text, name.length) != NULL)
        return cli_script_fail(script, name.column, "there is a route '%s' already", cli_quoted(name).text);
    const int status = cli_check_cells(script, order, cells);
    if (status != -1) return status;
    host_route *route =
        host_route_keep(&script->built.routes, name.text, name.length, order->route.mode, cells->items, cells->count);
    if (route == NULL) return cli_script_no_memory(script);
    if (!script->recorded || script->world || script->crowd == NULL) return -1;
    const wend_error error = host_route_add(route, script->crowd->crowd);
    return error == WEND_OK ? -1 : fail_take(script, error);
}

/* ---- take ---- */

int cli_act_take(cli_script *script, wend__order *order) {
    const cli_word name = cli_named(script, order, &order->take.route);
    cli_agent *agent;
    const int status = cli_agent_find(script, cli_named(script, order, &order->take.name), &agent);
    if (status != -1) return status;
    host_route *route = host_route_find(&script->built.routes, name.text, name.length);
    if (route == NULL) return cli_script_fail(script, name.column, "there is no route '%s'", cli_quoted(name).text);
    if (script->world) return cli_world_keep_order(script, order);
    wend_error error = host_route_add(route, script->crowd->crowd);
    if (error == WEND_OK) error = wend_crowd_take(script->crowd->crowd, agent->id, route->number);
    return error == WEND_OK ? -1 : fail_take(script, error);
}

/* ---- limits ---- */

/* Routes of the world and of later lines; each kind of agent has its own ways. Ways are as long as most paths are. */
void cli_routes_limit(const cli_script *script, uint64_t routes, uint64_t corners, wend_crowd_def *out) {
    enum { LEG_CELLS = 4096, MOST_CELLS = 1 << 26, CORNERS = 16, MOST_ROUTES = 65536 };
    for (size_t i = 0; i < script->built.routes.count; i++) routes++, corners += script->built.routes.items[i].count;
    const uint64_t movers = script->built.movers.count + 1;
    const uint64_t leg = script->cells < LEG_CELLS ? script->cells : LEG_CELLS;
    const uint64_t all = (routes + corners / CORNERS) * movers, cells = corners * 2 * (leg + 1) * movers;
    out->routes = (uint32_t)(all < MOST_ROUTES ? all : MOST_ROUTES);
    out->route_cells = (uint32_t)(cells < MOST_CELLS ? cells : MOST_CELLS);
}
