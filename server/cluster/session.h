/* SPDX-License-Identifier: MIT */
/* An operator's view of a map: its log, the messages of its nodes, and permission to query JetStream. */
#ifndef WEND_SERVER_CLUSTER_SESSION_H
#define WEND_SERVER_CLUSTER_SESSION_H

#include <uv.h>

#include "cluster/entry.h"
#include "store/log.h"

typedef struct session_entry {
    uint64_t sequence;
    char *bytes;
    size_t size;
} session_entry;

/// The last message of a node, or of the owner.
typedef struct session_node {
    char map[CLUSTER_NAME_BYTES + 1], node[CLUSTER_NAME_BYTES + 1]; ///< node "": a beat
    cluster_report said;
    char why[CLUSTER_REASONS_BYTES + 1]; ///< why a node is not ready, a reason a line
} session_node;

typedef struct cluster_session {
    cluster_log *log;
    const char *map;
    uv_mutex_t mutex; ///< guards all below
    uv_cond_t changed;
    cluster_log_state state;
    session_node *nodes; ///< nodes by map and name
    size_t node_count, node_capacity;
    session_entry *entries; ///< entries in order
    size_t entry_count, entry_capacity;
    uint64_t end; ///< the last entry to keep, as an owner goes on writing
    bool no_memory;
} cluster_session;

/// Connects, within ten seconds. Prints errors. @param map   "*": all maps
/// @return CLI_DONE, or the exit status; close the session in each case
int cluster_session_open(cluster_session *session, const cluster_log_login *login, const char *map);
void cluster_session_close(cluster_session *session);

/// Waits until the streams can be used. Prints errors.
int cluster_session_need_log(cluster_session *session);
/// Waits for reports of nodes for that long.
void cluster_session_listen(cluster_session *session, unsigned ms);
/// Waits, and fails if a beat of an owner arrives. Prints it.
int cluster_session_need_silence(cluster_session *session);
/// Reads the entries from a sequence to the stream's last one. Prints errors.
int cluster_session_read(cluster_session *session, uint64_t from);
/// Makes the streams of the map, which must not exist, with their first sequences. Prints errors.
int cluster_session_make(cluster_session *session, uint64_t replicas, uint64_t first);
/// Appends an entry behind `expected`, again while the answer is unknown. Prints errors.
int cluster_session_append(cluster_session *session, uint64_t expected, const char *bytes, size_t size);

#endif
