/* SPDX-License-Identifier: MIT */
/* A node's part in the cluster, for one map: it follows the log, claims the map when its owner is silent, and appends
 * what the owner writes. Threads of the log bring entries and messages; all callbacks are on the loop, in their order.
 *
 * Threads: the loop's, but for cluster_member_append() and the functions that the log calls. */
#ifndef WEND_SERVER_CLUSTER_MEMBER_H
#define WEND_SERVER_CLUSTER_MEMBER_H

#include <uv.h>

#include "cluster/term.h"
#include "store/log.h"

typedef struct cluster_member cluster_member;

typedef struct cluster_member_def {
    const char *map, *node;
    uint64_t lease_ms;
    uint64_t floor;  ///< number of the last entry in the node's journal: the node claims nothing before; 0: none
    bool never_owns; ///< the node only follows
    /// Begins with a snapshot. @return false: the snapshot is bad, and an older one is tried
    bool (*on_snapshot)(void *context, const cluster_log_snapshot *snapshot);
    /// Executes the next entry, of another node. @return NULL, or an error: the node stops
    const char *(*on_entry)(void *context, const cluster_entry *entry, const char *bytes, size_t size);
    /// Reports that an entry of this node is in the log; on the thread that appended it.
    void (*on_written)(void *context, const cluster_entry *entry, const char *bytes, size_t size);
    /// Reports that this node owns the map from now on; all entries came before.
    void (*on_owns)(void *context);
    /// Reports that it does not own the map any more: call cluster_member_follow() when no append is under way.
    void (*on_lost)(void *context);
    /// Passes the owner's beat. @param more   the text sent with it
    void (*on_beat)(void *context, const cluster_report *beat, const char *more);
    /// Passes another node's report. @param why   the reasons why it is not ready; "": it is ready
    void (*on_seen)(void *context, const cluster_report *seen, const char *why);
    /// Reports that an operator wants another owner.
    void (*on_move)(void *context, const char *node);
    /// Called a few times a second: beats are due.
    void (*on_turn)(void *context, uint64_t now_ns);
    /// Reports that the node cannot go on.
    void (*on_stop)(void *context, const char *why);
    void *context;
} cluster_member_def;

/// @return NULL: no memory
cluster_member *cluster_member_open(uv_loop_t *loop, const cluster_member_def *def);
/// Begins with this log: at its newest snapshot, or at its first entry. `log` is closed by cluster_member_close().
void cluster_member_begin(cluster_member *member, cluster_log *log);

/// Functions for cluster_log_def, with the member as context.
void cluster_member_take_entry(void *member, uint64_t sequence, const char *bytes, size_t size);
void cluster_member_take_state(void *member, const cluster_log_state *state);
void cluster_member_take_message(void *member, cluster_log_message kind, const char *node, const char *bytes,
                                 size_t size);

/// Returns the map's owner as far as this node knows, and its own part.
cluster_term cluster_member_term(const cluster_member *member);
/// Returns whether the node owns the map and may act.
bool cluster_member_owns(const cluster_member *member);
/// Returns why the log cannot be used now; "": it can.
const char *cluster_member_problem(const cluster_member *member);
/// Returns why the node waits for the owner's next snapshot, without any entry before; "": it does not. One text lives.
const char *cluster_member_waits(const cluster_member *member);

/// Appends an entry as the owner; on a thread of the loop's pool, one at a time. Without an answer, the same bytes
/// are sent again until the log has the entry, has another one in its place, or a lease has passed.
/// @return DONE; REFUSED (another node owns the map: not done); TOO_LARGE, FAILED (not done); UNKNOWN
cluster_log_outcome cluster_member_append(cluster_member *member, const char *bytes, size_t size);
/// After on_lost: follows the log again. Entries that came meanwhile are next.
void cluster_member_follow(cluster_member *member);
/// Called after the owner's own entry that ends its term.
void cluster_member_leave(cluster_member *member);
/// Reports why the node cannot go on, and takes no more entries.
void cluster_member_stop(cluster_member *member, const char *why);

/// Stops all callbacks. The owner may still append.
void cluster_member_end(cluster_member *member);
/// Ends, and closes the log. @param closed   called by the loop when all is freed
void cluster_member_close(cluster_member *member, void (*closed)(void *context), void *context);

#endif
