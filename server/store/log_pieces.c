/* SPDX-License-Identifier: MIT */
/* Writes snapshots in pieces, and gets the newest whole one. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/log_pieces.h"

enum { LINE_BYTES = 256, ATTEMPTS = 4 };

static uint64_t hash_of(const char *bytes, size_t size) {
    return wend__hash_bytes(WEND__HASH_START, bytes, size);
}

static cluster_log_answer put_surely(cluster_piece_fn *put, void *context, uint64_t expected, const char *bytes,
                                     size_t size) {
    cluster_log_answer answer = put(context, expected, bytes, size);
    for (int i = 1; i < ATTEMPTS && answer.outcome == CLUSTER_LOG_UNKNOWN; i++)
        answer = put(context, expected, bytes, size);
    return answer;
}

static size_t write_begin(uint64_t entry, uint64_t piece, char out[LINE_BYTES]) {
    return (size_t)snprintf(out, LINE_BYTES, "piece %" PRIu64 " of entry %" PRIu64 "\n", piece, entry);
}

static size_t write_end(const cluster_log_snapshot *s, uint64_t pieces, char out[LINE_BYTES]) {
    return (size_t)snprintf(out, LINE_BYTES,
                            "end entry %" PRIu64 " term %" PRIu64 " after %016" PRIx64 " state %016" PRIx64
                            " pieces %" PRIu64 " bytes %zu sum %016" PRIx64 "\n",
                            s->entry, s->term, s->after, s->state, pieces, s->size, hash_of(s->text, s->size));
}

cluster_log_answer cluster_pieces_put(cluster_log_snapshot *snapshot, uint64_t last, cluster_piece_fn *put,
                                      void *context) {
    char *bytes = malloc(LINE_BYTES + CLUSTER_LOG_PIECE_BYTES);
    cluster_log_answer answer = {.outcome = CLUSTER_LOG_FAILED, .why = "out of memory"};
    uint64_t pieces = 0;
    if (!bytes) return answer;
    answer = (cluster_log_answer){.outcome = CLUSTER_LOG_DONE, .sequence = last};
    for (size_t at = 0; at < snapshot->size && answer.outcome == CLUSTER_LOG_DONE; at += CLUSTER_LOG_PIECE_BYTES) {
        const size_t left = snapshot->size - at, size = left < CLUSTER_LOG_PIECE_BYTES ? left : CLUSTER_LOG_PIECE_BYTES;
        const size_t line = write_begin(snapshot->entry, ++pieces, bytes);
        memcpy(bytes + line, snapshot->text + at, size);
        answer = put_surely(put, context, answer.sequence, bytes, line + size);
        if (pieces == 1) snapshot->first = answer.sequence;
    }
    if (answer.outcome == CLUSTER_LOG_DONE) {
        answer = put_surely(put, context, answer.sequence, bytes, write_end(snapshot, pieces, bytes));
        if (pieces == 0) snapshot->first = answer.sequence;
        snapshot->last = answer.sequence;
    }
    free(bytes);
    return answer;
}

/* ---- reading ---- */

/* Reads the line that ends a snapshot.
 * @return how many pieces are before it; UINT64_MAX: it is no such line, or some were removed */
static uint64_t read_end(const char *line, uint64_t first, uint64_t sequence, cluster_log_snapshot *out) {
    uint64_t pieces = 0;
    *out = (cluster_log_snapshot){.last = sequence};
    if (sscanf(line,
               "end entry %" SCNu64 " term %" SCNu64 " after %" SCNx64 " state %" SCNx64 " pieces %" SCNu64
               " bytes %zu",
               &out->entry, &out->term, &out->after, &out->state, &pieces, &out->size) != 6 ||
        pieces > sequence - first || out->size > pieces * CLUSTER_LOG_PIECE_BYTES)
        return UINT64_MAX;
    out->first = sequence - pieces;
    return pieces;
}

/* Adds a piece to the text. @return false: it is another message, or too long */
static bool add_piece(cluster_log_snapshot *s, uint64_t piece, const char *bytes, size_t size, size_t *used) {
    char begin[LINE_BYTES];
    const size_t line = write_begin(s->entry, piece, begin);
    if (size < line || memcmp(bytes, begin, line) != 0 || size - line > s->size - *used) return false;
    memcpy(s->text + *used, bytes + line, size - line);
    *used += size - line;
    return true;
}

/* Gets the text that a line ends. @return REFUSED: it was changed */
static cluster_log_answer get_text(cluster_log_snapshot *s, uint64_t pieces, const char *end, size_t end_bytes,
                                   cluster_piece_get_fn *get, void *context) {
    cluster_log_answer answer = {.outcome = CLUSTER_LOG_UNKNOWN, .why = "out of memory"};
    char again[LINE_BYTES];
    size_t used = 0;
    s->text = calloc(s->size + 1, 1);
    bool good = s->text != NULL;
    for (uint64_t i = 1; good && i <= pieces; i++) {
        size_t size;
        char *bytes = get(context, s->first + i - 1, &size, &answer);
        if (!bytes) return answer;
        good = add_piece(s, i, bytes, size, &used);
        free(bytes);
    }
    good = good && used == s->size && write_end(s, pieces, again) == end_bytes && memcmp(again, end, end_bytes) == 0;
    answer.outcome = good ? CLUSTER_LOG_DONE : s->text ? CLUSTER_LOG_REFUSED : CLUSTER_LOG_UNKNOWN;
    return answer;
}

/* Searches from the last message on. If some were removed meanwhile, a newer snapshot may have come. */
cluster_log_answer cluster_pieces_get(uint64_t first, uint64_t end, cluster_piece_get_fn *get, void *context,
                                      cluster_log_snapshot *out) {
    cluster_log_answer answer, none = {.outcome = CLUSTER_LOG_REFUSED, .why = "there is no whole snapshot"};
    for (uint64_t at = end; at-- > first;) {
        cluster_log_snapshot found = {.text = NULL};
        size_t size;
        char *line = get(context, at, &size, &answer);
        const uint64_t pieces = line ? read_end(line, first, at, &found) : UINT64_MAX;
        if (line && pieces != UINT64_MAX) answer = get_text(&found, pieces, line, size, get, context);
        free(line);
        if (line && pieces == UINT64_MAX) continue;
        if (answer.outcome == CLUSTER_LOG_DONE) *out = found;
        if (answer.outcome == CLUSTER_LOG_DONE) return answer;
        free(found.text);
        if (answer.outcome != CLUSTER_LOG_REFUSED) return answer;
    }
    return none;
}
