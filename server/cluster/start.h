/* SPDX-License-Identifier: MIT */
/* The search for a place where a node can start: the first entry of a log, a fresh world, or the first piece of a
 * complete snapshot. */
#ifndef WEND_SERVER_CLUSTER_START_H
#define WEND_SERVER_CLUSTER_START_H

#include "cluster/member.h"

/// Zero at first, but for `after`.
typedef struct cluster_start {
    uint64_t after;                 ///< sequence of the last entry that was looked at
    uint64_t first, first_sequence; ///< number and sequence of the first one; 0: there was none
    uint64_t sequence;              ///< of the entry where the node can start
    cluster_head head;              ///< of that entry
    uint64_t next;                  ///< piece that is to come
    cluster_event *pieces, **last;  ///< of kind CLUSTER_SNAPSHOT, as far as they came
} cluster_start;

/// Reads the next entry, and owns its bytes from now on. An unfinished snapshot is left out.
/// @return whether the place is found
bool cluster_start_read(cluster_start *place, cluster_bytes bytes);
/// Free the pieces.
void cluster_start_drop(cluster_start *place);
void cluster_events_free(cluster_event *first);

#endif
