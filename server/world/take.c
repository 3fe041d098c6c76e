/* SPDX-License-Identifier: MIT */
/* Orders to a world: each is checked and done by the functions of its row. */
#include "world/rows.h"

/* ---- cells ---- */

static bool check_list(const host *h, const wend__cells *cells, host_error *error) {
    for (size_t i = 0; i < cells->count; i++) {
        error->index = i;
        if (!host_check_cell(h, &cells->items[i], error)) {
            error->member = cells;
            return false;
        }
    }
    error->index = 0;
    return true;
}

/* All cells of an order must be on the map. */
static bool check_cells(const host *h, const wend__order *order, host_error *error) {
    const wend__row *row = &wend__order_rows[order->kind];
    if (host_is_land(order->kind)) return true; /* those are chunks */
    for (uint32_t i = 0; i < row->field_count; i++) {
        const void *at = (const char *)order + row->fields[i].offset;
        if (!wend__value_shows(order, i)) continue;
        if (row->fields[i].kind == WEND__CELL && !host_check_cell(h, at, error)) return false;
        if (row->fields[i].kind == WEND__CELLS && !check_list(h, at, error)) return false;
    }
    return true;
}

/* ---- rows ---- */

/// How an order is checked, what that noted is forgotten, and it is done. NULL: there is nothing to do. That the cells
/// of all its fields are on the map is checked before.
typedef struct host_row {
    host_fn *check;
    void (*forget)(host *h, const wend__order *order);
    host_fn *apply;
} host_row;

static const host_row rows[WEND__ORDER_KINDS] = {
    [WEND__ORDER_SET] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_FILL] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_STEP] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_LINK] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_UNLINK] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_LOAD] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_UNLOAD] = {host_check_change, host_forget_change, NULL},
    [WEND__ORDER_EDIT] = {host_check_edit, host_forget_edit, host_do_edit},
    [WEND__ORDER_OCCUPY] = {host_check_units, host_forget_units, host_do_units},
    [WEND__ORDER_VACATE] = {host_check_units, host_forget_units, host_do_units},
    [WEND__ORDER_AGENT] = {host_check_agent, host_forget_agent, host_do_agent},
    [WEND__ORDER_GO] = {host_check_goal, NULL, host_do_goal},
    [WEND__ORDER_FOLLOW] = {host_check_goal, NULL, host_do_goal},
    [WEND__ORDER_FLEE] = {host_check_goal, NULL, host_do_goal},
    [WEND__ORDER_STEER] = {host_check_named, NULL, host_do_steer},
    [WEND__ORDER_CLEAR] = {host_check_box, host_forget_box, host_do_box},
    [WEND__ORDER_RELEASE] = {host_check_box, host_forget_box, host_do_box},
    [WEND__ORDER_HALT] = {host_check_named, NULL, host_do_halt},
    [WEND__ORDER_REMOVE] = {host_check_remove, host_forget_remove, host_do_remove},
    [WEND__ORDER_ROUTE] = {host_check_route, host_forget_route, host_do_route},
    [WEND__ORDER_TAKE] = {host_check_take, NULL, host_do_take},
    [WEND__ORDER_ADJUST] = {host_check_adjust, NULL, host_do_adjust},
};

bool host_takes(int32_t kind) {
    return kind >= 0 && rows[kind].check;
}

bool host_check(host *h, const host_client *who, const wend__order *order, host_error *error) {
    return check_cells(h, order, error) && rows[order->kind].check(h, who, order, error);
}

void host_forget(host *h, const wend__order *order) {
    if (rows[order->kind].forget) rows[order->kind].forget(h, order);
}

bool host_do(host *h, const host_client *who, const wend__order *order, host_error *error) {
    return !rows[order->kind].apply || rows[order->kind].apply(h, who, order, error);
}

bool host_take(host *h, const host_client *who, const wend__order *order, host_error *error) {
    return host_check(h, who, order, error) && host_do(h, who, order, error);
}
