/* SPDX-License-Identifier: MIT */
/* Completes what a line says of a request: names, defaults of the command line, and what graphs have not. */
#include "host/script/script.h"
#include "host/script/world.h"

/* Submit refuses a node that no line has declared yet, like any cell off the map. */
static void check_node(const host_script *script, wend_cell *cell) {
    if (script->kind == WEND_KIND_GRAPH && !host_is_on_map(&script->host, *cell)) cell->x = -1;
}

int host_script_request(host_script *script, wend__order *order) {
    wend_request *request = &order->request.def;
    request->map = script->built.map;
    request->on_done = order->request.polled ? NULL : host_script_done;
    if (!wend__order_gave(order, &request->engine)) request->engine = script->options->engine;
    check_node(script, &request->start);
    check_node(script, &request->goal);
    for (size_t i = 0; i < order->request.goals.count; i++) check_node(script, &script->reader.cells[i]);
    request->more_goals = order->request.goals.items;
    request->more_goal_count = (uint32_t)order->request.goals.count;
    /* graphs have no distances: any number is refused, 0 too */
    if (script->kind == WEND_KIND_GRAPH &&
        (wend__order_gave(order, &request->reach) || wend__order_gave(order, &request->occupied_within)))
        order->bad_argument = true;
    host_error refusal = {0};
    request->mover = host_mover_of(&script->host, &order->request.mover, &refusal);
    return request->mover >= 0 ? HOST_DONE : host_script_refused(script, order, &refusal);
}
