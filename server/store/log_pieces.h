/* SPDX-License-Identifier: MIT */
/* A snapshot as messages: its text in pieces, then a line that describes it.
 *
 *   piece 1 of entry 4711                                                     and 128 KiB of text behind it
 *   end entry 4711 term 12 after HASH state HASH pieces 3 bytes 300000 sum HASH */
#ifndef WEND_SERVER_STORE_LOG_PIECES_H
#define WEND_SERVER_STORE_LOG_PIECES_H

#include "store/log.h"

/// Appends a message to the stream of snapshots.
typedef cluster_log_answer cluster_piece_fn(void *context, uint64_t expected, const char *bytes, size_t size);

/// Writes a snapshot behind the sequence `last`, and sets its first and last one. An unknown answer is asked for again,
/// three times; a refusal behind it ends the snapshot.
cluster_log_answer cluster_pieces_put(cluster_log_snapshot *snapshot, uint64_t last, cluster_piece_fn *put,
                                      void *context);

/// Finds the newest whole snapshot among messages that come in order. Zero at first.
typedef struct cluster_pieces {
    cluster_log_snapshot found; ///< the newest whole one; no text: none
    cluster_log_snapshot part;  ///< being read
    uint64_t pieces;            ///< of it that came
    size_t capacity;
} cluster_pieces;
/// @return false: no memory
bool cluster_pieces_read(cluster_pieces *pieces, uint64_t sequence, const char *bytes, size_t size);
/// Frees what is left; `found` is the caller's.
void cluster_pieces_free(cluster_pieces *pieces);

#endif
