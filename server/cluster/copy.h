/* SPDX-License-Identifier: MIT */
/* A node's own copy of the log, with --journal: its consecutive entries, in a file. The log is authoritative: at
 * its end and at each of its entries, the copy is compared with the log. */
#ifndef WEND_SERVER_CLUSTER_COPY_H
#define WEND_SERVER_CLUSTER_COPY_H

#include <uv.h>

#include "cluster/entry.h"

typedef struct cluster_copy {
    const char *file; ///< NULL: the node keeps none
    int descriptor;
    uint64_t first, last; ///< numbers of its entries; last is 0: there is none
    struct copied {
        uint64_t hash, end; ///< hash of an entry; end of the entry in the file
    } * entries;            ///< entries from `first` on
    size_t capacity;
    char why[160];    ///< why the file cannot be written; "": no error
    uv_mutex_t mutex; ///< guards the fields above, except the file's name
} cluster_copy;

/// Reads the file, or creates it. An entry that was cut short at its end is dropped.
/// @return CLI_DONE, or the exit status after a message: it is damaged, of another map, or another node's
int cluster_copy_open(cluster_copy *copy, const char *file, const char *map);
/// Takes an entry of the log: the copy's next one, or the same as the copy's. Behind a gap the copy begins again,
/// and the previous file is kept as FILE.before. Entries before its first one are not compared.
/// @param syncs   return when the entry is on disk
/// @return false: the copy has another entry in its place; nothing changed
bool cluster_copy_take(cluster_copy *copy, uint64_t number, const char *bytes, size_t size, bool syncs);
/// Writes taken entries to the disk.
void cluster_copy_sync(cluster_copy *copy);
/// Removes the entries before this one. On failure nothing changed.
void cluster_copy_cut(cluster_copy *copy, uint64_t first);
void cluster_copy_close(cluster_copy *copy);

#endif
