/* SPDX-License-Identifier: MIT */
/* Orders to a world: each is checked and done by the functions of its row. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/output/cells.h"
#include "host/world/rows.h"

/* ---- errors ---- */

bool host_refuse(host_error *error, host_refusal refusal, const void *member, const char *format, ...) {
    va_list arguments;
    error->refusal = refusal;
    error->member = member;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool host_refuse_error(host_error *out, wend_error error, const void *member) {
    host_refusal refusal = HOST_BAD_ARGUMENT;
    switch (error) {
    case WEND_OK: return true;
    case WEND_OUT_OF_RANGE: refusal = HOST_OUT_OF_RANGE; break;
    case WEND_OUT_OF_MEMORY: refusal = HOST_NO_MEMORY; break;
    case WEND_BUSY:
    case WEND_CLOSED:
    case WEND_IN_USE: refusal = HOST_BUSY; break;
    default: break;
    }
    out->error = error;
    return host_refuse(out, refusal, member, "%s", wend_error_detail(error));
}

bool host_no_memory(host_error *error) {
    return host_refuse(error, HOST_NO_MEMORY, NULL, "no memory");
}

/* ---- cells ---- */

bool host_is_on_map(const host *h, wend_cell cell) {
    uint8_t terrain;
    if (h->nodes) return cell.x >= 0 && (uint64_t)cell.x < h->node_count && h->nodes[cell.x] == 2;
    return !wend_map_get_terrain(h->map, cell, &terrain);
}

bool host_refuse_cell(const host *h, const char *words, const void *member, host_error *error) {
    wend_map_info info = {.struct_bytes = sizeof info};
    if (h->kind == WEND_KIND_GRAPH) return host_refuse(error, HOST_OUT_OF_RANGE, member, "there is no node %s", words);
    wend_map_get_info(h->map, &info);
    return host_refuse(error, HOST_OUT_OF_RANGE, member,
                       h->kind == WEND_KIND_GRID ? "the cell %s is not on the map of %d x %d"
                                                 : "the cell %s is not on the map of %d x %d x %d",
                       words, (int)info.width, (int)info.height, (int)info.depth);
}

bool host_check_cell(const host *h, const wend_cell *cell, host_error *error) {
    return host_is_on_map(h, *cell) || host_refuse_cell(h, host_cell_text(h->kind, *cell).text, cell, error);
}

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
