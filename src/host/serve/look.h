/* SPDX-License-Identifier: MIT */
/* Writes what a page asks about a world: one agent in detail, and the changes since it was read. */
#ifndef WEND_SRC_HOST_SERVE_LOOK_H
#define WEND_SRC_HOST_SERVE_LOOK_H

#include <stdbool.h>
#include <stdio.h>

#include <wend/wend.h>

#include "orders/orders.h"

/// Write the members of a JSON object, each after a comma, that say all about an agent: where it is, where it goes, its
/// path and its pulled line, how far its search in the service is, and the cells that this has expanded so far. An
/// agent without one gets the cells that a search from its cell to its goal expands.
/// @param brief   without those cells
/// Cost: O(path + nodes that its search has memory for), or at most 50,000 expansions; O(path + queue) where brief.
/// @return what the cells that were expanded cost, in units of about 10 ns
uint64_t serve_inspect(FILE *out, const wend_service *service, const wend_crowd *crowd, wend_map *map, wend_agent_id id,
                       const wend_agent_state *agent, bool brief);

/// Write an order as a line of a script.
/// @param kind   of the map: WEND_KIND_…
void host_put_order(FILE *out, int32_t kind, const wend__order *order);

/// Write a script that makes a map from the file that it came from.
/// @param name     of the file, without its folders
/// @param before   the map as it was read
/// @return false: no memory
bool serve_save_changes(FILE *out, const char *name, const wend_map *now, const wend_map *before);

#endif
