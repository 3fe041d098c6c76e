/* SPDX-License-Identifier: MIT */
/* A node of a cluster, for its own files.
 *
 *   serve_node.c    the part of the owner: its entries, and from the opening to the end
 *   serve_follow.c  the part of a follower: entries of others, snapshots
 *   serve_beats.c   messages: beats with places of agents, states of nodes, reasons */
#ifndef WEND_SERVER_SERVE_SERVE_NODE_H
#define WEND_SERVER_SERVE_SERVE_NODE_H

#include "cluster/copy.h"
#include "cluster/member.h"
#include "serve/serve_log.h"

enum { SERVE_PEERS = 16, SERVE_NS_A_MS = 1000000, SERVE_BEAT_BYTES = 512 << 10 };

/// Another node with a page, and the time of its last message.
typedef struct serve_peer {
    char page[CLUSTER_HOST_BYTES + 1];
    uint64_t heard_ns;
} serve_peer;

struct serve_node {
    cluster_member *member;
    cluster_log *log;
    cluster_copy copy;
    cluster_world world; ///< from this node's own files and options
    const char *map;
    char address[CLUSTER_HOST_BYTES + 1], page[CLUSTER_HOST_BYTES + 1], log_name[CLUSTER_NAME_BYTES + 32];
    bool owns, leaves;
    cluster_report beat;                     ///< the owner's last one
    char owner[2 * CLUSTER_HOST_BYTES + 64]; ///< members of a reply that name the owner
    uint64_t shown;                          ///< hash of the owner as clients know it
    uint64_t heard_ns, behind_ns;            ///< its last beat; time since which this node lacks its entries; 0: none
    char why[CLUSTER_LOG_WHY_BYTES];         ///< why the node has stopped; "": it has not
    const char *waits;                       ///< last printed text of cluster_member_waits()
    char heir[CLUSTER_NAME_BYTES + 1];       ///< the node that gets the map; "": none
    uint64_t checked, check_state, last_ns;  ///< the last check entry, this node's hash at it, time of the last entry
    uint64_t checked_records;                ///< number of this node's own records in the log at that entry
    uint64_t next_state, next_epoch;         ///< for the check entry that is being written
    uint64_t purged;                         ///< entries before this one were removed from the log
    uint64_t again_ns;                       ///< time before which no check entry is retried
    uint64_t next_beat_ns, next_seen_ns;
    uint32_t next_place;
    serve_peer peers[SERVE_PEERS];
    char *lines; ///< buffer for a beat
    uint64_t takeovers, refused;
    uint64_t append_us; ///< microseconds of the last append
    wend_histogram appends;
    _Atomic uint64_t unknowns; ///< entries without an answer
};

/* serve_node.c */

/// Informs clients about the owner of the map, if it has changed.
void serve_node_show(serve *server);
/// While nothing is under way to the log: writes an entry that is no order, if one is due.
void serve_node_write(serve *server);

/* serve_follow.c: for cluster_member_def. */

bool serve_follow_snapshot(void *context, const cluster_log_snapshot *snapshot);
const char *serve_follow_entry(void *context, const cluster_entry *entry, const char *bytes, size_t size);

/* serve_beats.c: for cluster_member_def. */

void serve_beats_beat(void *context, const cluster_report *beat, const char *places);
void serve_beats_seen(void *context, const cluster_report *seen, const char *why);
void serve_beats_move(void *context, const char *name);
void serve_beats_turn(void *context, uint64_t now);

#endif
