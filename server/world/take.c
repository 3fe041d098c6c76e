/* SPDX-License-Identifier: MIT */
/* Orders to a world: each is checked and executed by the functions of its row. */
#include "world/rows.h"

/* ---- cells ---- */

static bool check_list(const world_state *w, const wend_cells *cells, world_error *error) {
    for (size_t i = 0; i < cells->count; i++) {
        error->index = i;
        if (!world_check_cell(w, &cells->items[i], error)) {
            error->member = cells;
            return false;
        }
    }
    error->index = 0;
    return true;
}

/* Checks that all cells of an order are on the map. */
static bool check_cells(const world_state *w, const wend_order *order, world_error *error) {
    const wend__row *row = &wend__order_rows[order->kind];
    /* changes of the map check their own cells: waiting nodes are allowed, and land has chunks */
    if (order->kind >= WEND_ORDER_NODE && order->kind <= WEND_ORDER_UNLOAD) return true;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const void *at = (const char *)order + row->fields[i].offset;
        if (!wend__value_shows(order, i)) continue;
        if (row->fields[i].kind == WEND__CELL && !world_check_cell(w, at, error)) return false;
        if (row->fields[i].kind == WEND__CELLS && !check_list(w, at, error)) return false;
    }
    return true;
}

/* ---- rows ---- */

/// Functions that check an order, forget what the check noted, and execute it. NULL: nothing to do. Another check
/// before these finds cells of its fields that are off the map.
typedef struct world_row {
    world_fn *check;
    void (*forget)(world_state *w, const wend_order *order);
    world_fn *apply;
} world_row;

static const world_row rows[WEND_ORDER_KINDS] = {
    [WEND_ORDER_NODE] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_EDGE] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_SET] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_FILL] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_STEP] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_LINK] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_UNLINK] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_LOAD] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_UNLOAD] = {world_check_change, world_forget_change, NULL},
    [WEND_ORDER_EDIT] = {world_check_edit, world_forget_edit, world_do_edit},
    [WEND_ORDER_OCCUPY] = {world_check_units, world_forget_units, world_do_units},
    [WEND_ORDER_VACATE] = {world_check_units, world_forget_units, world_do_units},
    [WEND_ORDER_LAYER] = {world_check_layer, world_forget_layer, world_do_layer},
    [WEND_ORDER_PAINT] = {world_check_paint, NULL, world_do_paint},
    [WEND_ORDER_FADE] = {world_check_fade, NULL, world_do_fade},
    [WEND_ORDER_AGENT] = {world_check_agent, world_forget_agent, world_do_agent},
    [WEND_ORDER_BODY] = {world_check_named, world_forget_body, world_do_body},
    [WEND_ORDER_PLACE] = {world_check_named, NULL, world_do_place},
    [WEND_ORDER_GO] = {world_check_goal, NULL, world_do_goal},
    [WEND_ORDER_FOLLOW] = {world_check_goal, NULL, world_do_goal},
    [WEND_ORDER_FLEE] = {world_check_goal, NULL, world_do_goal},
    [WEND_ORDER_STEER] = {world_check_named, NULL, world_do_steer},
    [WEND_ORDER_CLEAR] = {world_check_box, world_forget_box, world_do_box},
    [WEND_ORDER_RELEASE] = {world_check_box, world_forget_box, world_do_box},
    [WEND_ORDER_HALT] = {world_check_named, NULL, world_do_halt},
    [WEND_ORDER_REMOVE] = {world_check_remove, world_forget_remove, world_do_remove},
    [WEND_ORDER_ROUTE] = {world_check_route, world_forget_route, world_do_route},
    [WEND_ORDER_TAKE] = {world_check_take, NULL, world_do_take},
    [WEND_ORDER_ADJUST] = {world_check_adjust, NULL, world_do_adjust},
};

bool world_accepts(int32_t kind) {
    return kind >= 0 && rows[kind].check;
}

bool world_check(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return check_cells(w, order, error) && rows[order->kind].check(w, who, order, error);
}

void world_forget(world_state *w, const wend_order *order) {
    if (rows[order->kind].forget) rows[order->kind].forget(w, order);
}

bool world_do(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return !rows[order->kind].apply || rows[order->kind].apply(w, who, order, error);
}

bool world_check_and_do(world_state *w, const world_client *who, const wend_order *order, world_error *error) {
    return world_check(w, who, order, error) && world_do(w, who, order, error);
}
