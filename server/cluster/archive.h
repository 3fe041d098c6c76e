/* SPDX-License-Identifier: MIT */
/* Backups of a map's log, and logs restored from a backup or a node's journal. */
#ifndef WEND_SERVER_CLUSTER_ARCHIVE_H
#define WEND_SERVER_CLUSTER_ARCHIVE_H

#include "cluster/session.h"

/* Each prints its result or its error. @return CLI_DONE, or the exit status */

/// Writes the newest snapshot and all entries into a file, which must not exist.
int cluster_backup(cluster_session *session, const char *file);
/// Makes the streams, which must not exist, from a backup.
int cluster_restore(cluster_session *session, const char *file, uint64_t replicas);
/// Compares a journal with the log, and appends what the log lacks.
/// @param keep   if they diverge: 0 refuses, 1 keeps the log, 2 replaces the log by the journal, after a backup
int cluster_repair(cluster_session *session, const char *journal, int32_t keep);

/// Checks that entries follow each other, by numbers and hashes. Prints the first gap.
/// @param checked   receives the number of the newest check entry, and the hash of its state; 0: none
bool cluster_chain_fits(const session_entry *entries, size_t count, uint64_t *checked, uint64_t *state);

#endif
