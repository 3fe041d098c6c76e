/* SPDX-License-Identifier: MIT */
/* Commands about the crowd as a whole, and agents that are changed: what a recording has beside wishes. */
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

/* ---- crowd ---- */

void cli_crowd_read_limits(const wend__order *said, wend_crowd_def *out) {
    const wend__row *row = &wend__order_rows[WEND__ORDER_CROWD];
    wend__order own = {.kind = WEND__ORDER_CROWD, .crowd = *out};
    for (uint32_t i = 0; i < row->field_count; i++)
        if (said->given >> i & 1) wend__value_set(&row->fields[i], &own, wend__value_get(&row->fields[i], said));
    *out = own.crowd;
    if (out->events < out->agents) out->events = out->agents;
}

int cli_act_crowd(cli_script *script, wend__order *order) {
    if (script->crowd != NULL)
        return cli_script_fail(script, script->reader.words[0].column, "crowd comes once, before the first agent");
    int status = script->frames == 0 ? cli_script_publish(script) : -1;
    if (status == -1) status = cli_film_begin(script);
    return status == -1 ? cli_crowd_make(script, order) : status;
}

int cli_act_disband(cli_script *script, wend__order *order) {
    (void)order;
    cli_crowd_disband(script);
    for (size_t i = 0; i < script->built.routes.count; i++) script->built.routes.items[i].added = false;
    if (script->recorded) host_routes_free(&script->built.routes); /* the next crowd names its own */
    return -1;
}

int cli_act_update(cli_script *script, wend__order *order) {
    return cli_crowd_step(script, order->update.milli);
}

/* ---- adjust ---- */

static wend_error adjust(wend_crowd *crowd, const wend__order *order, const wend_agent_id *ids, int32_t mover) {
    const size_t count = order->adjust.names.count;
    wend_error error = WEND_OK;
    if (wend__order_gave(order, &order->adjust.cell)) error = wend_crowd_move(crowd, ids[0], order->adjust.cell);
    if (!error && wend__order_gave(order, &order->adjust.mover)) error = wend_crowd_set_mover(crowd, ids, count, mover);
    for (size_t i = 0; i < count; i++) {
        if (wend__order_gave(order, &order->adjust.speed_milli))
            wend_crowd_set_speed(crowd, ids[i], order->adjust.speed_milli);
        if (wend__order_gave(order, &order->adjust.urgency))
            wend_crowd_set_urgency(crowd, ids[i], order->adjust.urgency);
    }
    return error;
}

int cli_act_adjust(cli_script *script, wend__order *order) {
    const size_t count = order->adjust.names.count;
    const bool moves = wend__order_gave(order, &order->adjust.cell);
    int32_t mover = WEND_MOVER_DEFAULT;
    int status;
    wend_agent_id *ids = cli_agents_find(script, order, &order->adjust.names, &status);
    if (status == -1) status = cli_check_mover(script, order, &order->adjust.mover, &mover);
    if (status == -1 && moves) status = cli_check_cell(script, order, &order->adjust.cell);
    if (status == -1 && moves && count > 1)
        status =
            cli_script_fail(script, cli_said(script, order, &order->adjust.cell).column, "a cell is for one agent");
    const bool adjusts = status == -1 && !script->world;
    const wend_error error = adjusts ? adjust(script->crowd->crowd, order, ids, mover) : WEND_OK;
    free(ids);
    if (status == -1 && script->world) return cli_world_keep_order(script, order);
    if (error == WEND_OK) return status;
    return cli_script_fail(script, script->reader.words[1 + count].column, "%s", wend_error_detail(error));
}
