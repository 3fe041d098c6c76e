/* SPDX-License-Identifier: MIT */
/* Functions of orders by subject. Those with `forget` drop what the check noted. */
#ifndef WEND_SERVER_WORLD_ROWS_H
#define WEND_SERVER_WORLD_ROWS_H

#include "world/world.h"

typedef bool world_fn(world_state *w, const world_client *who, const wend_order *order, world_error *error);

world_fn world_check_change, world_check_edit, world_do_edit;
world_fn world_check_units, world_do_units;
world_fn world_check_agent, world_do_agent, world_check_named, world_check_remove, world_do_remove;
world_fn world_check_goal, world_do_goal, world_do_steer, world_do_halt, world_do_take, world_check_adjust,
    world_do_adjust;
world_fn world_do_body, world_do_place;
world_fn world_check_layer, world_do_layer, world_check_paint, world_do_paint, world_check_fade, world_do_fade;
world_fn world_check_box, world_do_box;
world_fn world_check_route, world_do_route, world_check_take;
void world_forget_change(world_state *w, const wend_order *order);
void world_forget_edit(world_state *w, const wend_order *order);
void world_forget_units(world_state *w, const wend_order *order);
void world_forget_agent(world_state *w, const wend_order *order);
void world_forget_body(world_state *w, const wend_order *order);
void world_forget_remove(world_state *w, const wend_order *order);
void world_forget_box(world_state *w, const wend_order *order);
void world_forget_layer(world_state *w, const wend_order *order);
void world_forget_route(world_state *w, const wend_order *order);

/// Checks that all layers of an order exist. @return false: refused
bool world_check_weights(const world_state *w, const wend_weights *weights, world_error *error);
/// Returns whether a name stands for the players: agents never push these, so they are no further agents.
bool world_is_players(wend_name name);
/// Sets which agents an agent waits for, in place of the previous ones.
/// @param others   `count` agents, at most WEND_MAX_WAITED_FOR
void world_set_waits(world_state *w, world_agent *agent, world_agent *const *others, uint32_t count);
/// Makes no agent wait any more for one that is removed.
void world_drop_waits(world_state *w, const world_agent *removed);
/// Checks that the route of TAKE exists, or will after all checked orders. @return false: refused
bool world_names_route(const world_state *w, const wend_order *order, world_error *error);
/// Checks that it exists now. @return false: refused
bool world_has_route(const world_state *w, const wend_order *order, world_error *error);
/// Returns whether an order's cell is a chunk.
static inline bool world_is_land(int32_t kind) {
    return kind == WEND_ORDER_LOAD || kind == WEND_ORDER_UNLOAD;
}
/// Checks that all chunks of a box are loaded, or will be after waiting changes; and the chunk of a LOAD or UNLOAD.
/// @return false: refused
bool world_check_loaded(world_state *w, wend_box box, const void *member, world_error *error);
bool world_check_chunk(world_state *w, int32_t kind, const wend_cell *chunk, world_error *error);
/// Gives an agent of the crowd its body, if it has one. @return as wend_crowd_set_body()
wend_error world_body_give(world_state *w, world_agent *agent);
/// Tests whether an agent could have a body: it gets one, and loses it. @return as world_body_give()
wend_error world_body_try(world_state *w, wend_agent_id id, const wend_body_def *body);
/// Returns the newest pending agent of a name. NULL: there is none
world_agent *world_agent_coming(const world_state *w, wend_name name);
/// Returns the cells along a side of a mover.
uint8_t world_mover_size(const world_state *w, int32_t mover);
/// Keeps the cells free that an agent would hold. @return as wend_map_occupy()
wend_error world_keep_place(const world_state *w, world_agent *agent, wend_cell at, int32_t size);
/// Stops keeping cells for an agent that comes, or does not.
void world_free_place(world_state *w, world_agent *agent);
/// Refuses with words for the library's answers about a place. @return whether there was no error
bool world_refuse_place(const world_state *w, world_error *out, wend_error error, const void *member, wend_cell cell);
/// Returns the one agent that an order names. NULL: refused
world_agent *world_named_agent(world_state *w, const world_client *who, const wend_order *order, world_error *error);
void world_land_free(world_land *land);
/// Refuses for lack of memory. @return false
bool world_no_memory(world_error *error);

#endif
