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

/// Writes a snapshot behind the sequence `last`, and sets its first and last one. An unknown answer is requested again,
/// three times; a refusal behind it ends the snapshot.
cluster_log_answer cluster_pieces_put(cluster_log_snapshot *snapshot, uint64_t last, cluster_piece_fn *put,
                                      void *context);

/// Gets a message of that stream.
/// @param answer   receives why there is none: REFUSED if it was removed
/// @return its bytes with a zero behind them, to be freed; NULL: none
typedef char *cluster_piece_get_fn(void *context, uint64_t sequence, size_t *size, cluster_log_answer *answer);

/// Reads the newest complete snapshot whose messages have the sequences from `first` to before `end`.
/// @return DONE, with its text to be freed; REFUSED: there is none; else as `get`
cluster_log_answer cluster_pieces_get(uint64_t first, uint64_t end, cluster_piece_get_fn *get, void *context,
                                      cluster_log_snapshot *out);

#endif
