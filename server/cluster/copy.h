/* SPDX-License-Identifier: MIT */
/* A node's own copy of the log, with --journal: its entries, one behind another, in a file. It is not the truth: at
 * its end and at each entry that it has, it is compared with the log. */
#ifndef WEND_SERVER_CLUSTER_COPY_H
#define WEND_SERVER_CLUSTER_COPY_H

#include <uv.h>

#include "cluster/entry.h"

typedef struct cluster_copy {
    const char *file; ///< NULL: the node keeps none
    int descriptor;
    uint64_t first, last; ///< numbers of its entries; last is 0: there is none
    struct copied {
        uint64_t hash, end; ///< of an entry; where it ends in the file
    } * entries;            ///< from `first` on
    size_t capacity;
    char why[160];    ///< it cannot be written; "": it can
    uv_mutex_t mutex; ///< of what is above but for the file's name
} cluster_copy;

/// Read the file, or create it. An entry that was cut short at its end is dropped.
/// @return CLI_DONE, or the exit status after a message: it is damaged, of another map, or another node's
int cluster_copy_open(cluster_copy *copy, const char *file, const char *map);
/// Take an entry of the log: it is the copy's next one, or the same as the copy's. Behind a gap the copy begins again,
/// and the file before is kept as FILE.before. Those before its first one are not compared.
/// @param syncs   return when it is on disk
/// @return false: the copy has another entry in its place; nothing changed
bool cluster_copy_take(cluster_copy *copy, uint64_t number, const char *bytes, size_t size, bool syncs);
/// Bring what was taken to the disk.
void cluster_copy_sync(cluster_copy *copy);
/// Remove the entries before this one. Where it fails, nothing changed.
void cluster_copy_cut(cluster_copy *copy, uint64_t first);
void cluster_copy_close(cluster_copy *copy);

#endif
