/* SPDX-License-Identifier: MIT */
/* A node's copy of its map's log, in a folder of its own. It begins where the log began when the node last cut it, and
 * brings a log back that was lost. */
#ifndef WEND_SERVER_CLUSTER_COPY_H
#define WEND_SERVER_CLUSTER_COPY_H

#include "cluster/start.h"

typedef struct cluster_copy {
    cluster_store *store; ///< NULL: the node keeps none
    const char *map;
    _Atomic uint64_t first, last; ///< numbers of its entries; last is 0: there is none. Of any thread
    uint64_t base;                ///< by which numbers are above the store's sequences
} cluster_copy;

/* Functions that return text: NULL, or what is wrong. */

/// Finds the entries that it has; without a start among them, they are removed. @return false: that failed
bool cluster_copy_open(cluster_copy *copy);
/// Take an entry of the log: it is the copy's next one, or the same as the copy's. Those before its first one are not
/// compared.
const char *cluster_copy_entry(cluster_copy *copy, uint64_t number, const char *bytes, size_t size);
/// Remove all entries; the next one has this number.
const char *cluster_copy_begin(cluster_copy *copy, uint64_t next);
/// Remove the entries before this one. Where it fails, nothing changed.
void cluster_copy_cut(cluster_copy *copy, uint64_t first);
/// Read an entry. @return false: it failed, or it is not there
bool cluster_copy_read(const cluster_copy *copy, uint64_t number, cluster_bytes *out);
/// Finds its start. @return false: there is none. The place is to be dropped
bool cluster_copy_find(const cluster_copy *copy, cluster_start *out);

#endif
