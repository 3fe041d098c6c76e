/* SPDX-License-Identifier: MIT */
/* A node's part in the cluster, for one map: it follows the map's log, claims its lease where that is free, and holds
 * it. A thread of its own does what waits; events come to the loop, in their order.
 *
 * A snapshot has the map and the agents as they were before its first entry, so entries between its pieces come after
 * it. When it is complete the log is cut before it, and so is each node's copy. */
#ifndef WEND_SERVER_CLUSTER_MEMBER_H
#define WEND_SERVER_CLUSTER_MEMBER_H

#include <uv.h>

#include "cluster/balance.h"

/// Where a log has got to.
typedef struct cluster_chain {
    uint64_t sequence; ///< of the store's last entry
    uint64_t entry;    ///< number of that entry, from 1
    uint64_t hash;     ///< of its bytes
    uint64_t term;     ///< of who wrote it
    uint64_t snapshot; ///< number of the entry that completed the newest snapshot; 0: there was none
    uint64_t bytes;    ///< of the entries after that one
} cluster_chain;

typedef enum cluster_event_kind {
    CLUSTER_ENTRY,    ///< `bytes` is the next entry of the log
    CLUSTER_SNAPSHOT, ///< `bytes` is the next entry of the snapshot from which the node begins; all come together
    CLUSTER_HOLDER,   ///< `holder` is the lease's text now
    CLUSTER_PLACES,   ///< `bytes` has where the owner's agents are
    CLUSTER_PAGES,    ///< `bytes` has the addresses of other nodes' pages, parted by blanks
    CLUSTER_ELECTED,  ///< this node owns the map, in `holder`'s term; all entries came before
    CLUSTER_HAND,     ///< `holder.heir` is to own the map: call cluster_member_hand()
    CLUSTER_LOST,     ///< this node does not own the map any more: call cluster_member_follow()
    CLUSTER_DAMAGED   ///< `why` this node cannot go on
} cluster_event_kind;

typedef struct cluster_event {
    cluster_event_kind kind;
    cluster_bytes bytes; ///< freed after the callback
    cluster_holder holder;
    char why[CLUSTER_WHY_BYTES];
    struct cluster_event *next;
} cluster_event;

typedef struct cluster_member cluster_member;

typedef struct cluster_member_def {
    cluster_store *store;
    const char *map, *node, *lines, *page; ///< addresses of the node; "-": none
    uint64_t lease_ms;
    uint64_t balance_ms; ///< time between two moves of any map for balance; 0: this node moves none
    cluster_store *copy; ///< where this node keeps the entries for itself; NULL: nowhere
    bool never_owns;     ///< it only follows
    void (*on_event)(void *context, const cluster_event *event); ///< on the loop's thread
    void *context;
} cluster_member_def;

/// Begin to follow a log. Texts are the caller's.
/// @return NULL: no memory, or no thread
cluster_member *cluster_member_open(uv_loop_t *loop, const cluster_member_def *def);

/// Returns whether the node owns the map at this moment: the time of its lease has not passed.
bool cluster_member_owns(cluster_member *member);

/// Write the lines that begin the next entry of this owner.
/// @param words   that end the second line, after a blank; "": none
/// @return their bytes
size_t cluster_member_head(cluster_member *member, const char *words, char *out, size_t capacity);
/// Append an entry to the log, on any thread. Where no answer comes, it tries again until the lease ends.
cluster_outcome cluster_member_append(cluster_member *member, const char *bytes, size_t size);
/// Say which epoch the map has. @return the chain
cluster_chain cluster_member_set_epoch(cluster_member *member, uint64_t epoch);

/// After CLUSTER_LOST, when no append is under way any more: follow the log again.
void cluster_member_follow(cluster_member *member);
/// After CLUSTER_HAND, when no append is under way: tell the heir, give the lease back, and follow.
void cluster_member_hand(cluster_member *member);

/// Give the lease back, if this node has it, and end the thread. Events that wait are dropped.
/// @param closed   called by the loop when all is freed
void cluster_member_close(cluster_member *member, void (*closed)(void *context), void *context);

/// The second line of an entry.
typedef struct cluster_head {
    char map[CLUSTER_NODE_BYTES + 1];
    uint64_t term, entry, after;
    bool fresh;                        ///< the world begins again
    char heir[CLUSTER_NODE_BYTES + 1]; ///< who is to own the map next; "": as it comes
    uint64_t piece, pieces;            ///< it is piece 1, 2 … of a snapshot of this many; 0: of none
    uint64_t epoch;                    ///< of the map in that snapshot
} cluster_head;
/// Read it. @return false: this is no entry
bool cluster_head_read(const char *bytes, cluster_head *out);

#endif
