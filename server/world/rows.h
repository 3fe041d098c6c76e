/* SPDX-License-Identifier: MIT */
/* Functions of orders by subject. Those with `forget` drop what the check noted. */
#ifndef WEND_SERVER_WORLD_ROWS_H
#define WEND_SERVER_WORLD_ROWS_H

#include "world/host.h"

typedef bool host_fn(host *h, const host_client *who, const wend_order *order, host_error *error);

host_fn host_check_change, host_check_edit, host_do_edit;
host_fn host_check_units, host_do_units;
host_fn host_check_agent, host_do_agent, host_check_named, host_check_remove, host_do_remove;
host_fn host_check_goal, host_do_goal, host_do_steer, host_do_halt, host_do_take, host_check_adjust, host_do_adjust;
host_fn host_check_box, host_do_box;
host_fn host_check_route, host_do_route, host_check_take;
void host_forget_change(host *h, const wend_order *order);
void host_forget_edit(host *h, const wend_order *order);
void host_forget_units(host *h, const wend_order *order);
void host_forget_agent(host *h, const wend_order *order);
void host_forget_remove(host *h, const wend_order *order);
void host_forget_box(host *h, const wend_order *order);
void host_forget_route(host *h, const wend_order *order);

/// Check that the route of TAKE is there, or will be when all orders that were checked are done. @return false: refused
bool host_names_route(const host *h, const wend_order *order, host_error *error);
/// Check that it is there now. @return false: refused
bool host_has_route(const host *h, const wend_order *order, host_error *error);
/// Returns whether an order's cell is a chunk.
static inline bool host_is_land(int32_t kind) {
    return kind == WEND_ORDER_LOAD || kind == WEND_ORDER_UNLOAD;
}
/// Check that all chunks of a box are loaded, or will be by what waits; and the chunk of a LOAD or UNLOAD.
/// @return false: refused
bool host_check_loaded(host *h, wend_box box, const void *member, host_error *error);
bool host_check_chunk(host *h, int32_t kind, const wend_cell *chunk, host_error *error);
void host_land_free(host_land *land);
/// Refuse for want of memory. @return false
bool host_no_memory(host_error *error);

#endif
