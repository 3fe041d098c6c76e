/* SPDX-License-Identifier: MIT */
/* Where maps should be: nodes say in their notes what each map costs them, and a map moves from the busiest node to
 * the idlest that follows it, where that pays. The map's owner decides, on the member's thread; a text that all owners
 * compare and set lets one map move at a time, and none for a while after. */
#ifndef WEND_SERVER_CLUSTER_BALANCE_H
#define WEND_SERVER_CLUSTER_BALANCE_H

#include "cluster/note.h"

/// A node's words on a map.
typedef struct balance_row {
    char map[CLUSTER_NODE_BYTES + 1], node[CLUSTER_NODE_BYTES + 1];
    bool owns;
    uint64_t load; ///< thousandths of a processor
} balance_row;

/// Choose the move that lowers the busiest node's load most.
/// @param from   receives the row of the map's owner, and `to` that of the node that should own it
/// @return false: none pays, by a tenth of that load and a twentieth of a processor
bool cluster_balance_choose(const balance_row *rows, size_t count, const balance_row **from, const balance_row **to);

typedef struct cluster_balance {
    cluster_value last; ///< the text of the last move
    uint64_t seen_ns;   ///< when this node saw it first, or began
    uint64_t next_ns;   ///< when it looks again
} cluster_balance;

/// The owner of a map requests that another node should own it, if that is the move to make now.
/// @param hold_ms   in which no map has moved
void cluster_balance_step(cluster_balance *balance, cluster_store *store, const char *map, const char *node,
                          uint64_t hold_ms);

#endif
