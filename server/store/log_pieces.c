/* SPDX-License-Identifier: MIT */
/* Writes snapshots in pieces, and finds the newest whole one. */
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

static bool keep_piece(cluster_pieces *p, const char *bytes, size_t size) {
    cluster_log_snapshot *part = &p->part;
    if (part->size + size + 1 > p->capacity) {
        const size_t capacity = 2 * (part->size + size) + 1;
        char *more = realloc(part->text, capacity);
        if (!more) return false;
        part->text = more;
        p->capacity = capacity;
    }
    memcpy(part->text + part->size, bytes, size);
    part->size += size;
    part->text[part->size] = '\0';
    return true;
}

static void begin_part(cluster_pieces *p, uint64_t sequence, uint64_t entry) {
    p->part = (cluster_log_snapshot){.text = p->part.text, .first = sequence, .entry = entry};
    p->pieces = 0;
}

/* Returns whether the line ends the snapshot that is being read, and all its pieces came. */
static bool is_end(cluster_pieces *p, uint64_t sequence, const char *line, size_t size) {
    cluster_log_snapshot s = p->part;
    char again[LINE_BYTES];
    uint64_t pieces, sum;
    size_t bytes;
    if (sscanf(line,
               "end entry %" SCNu64 " term %" SCNu64 " after %" SCNx64 " state %" SCNx64 " pieces %" SCNu64
               " bytes %zu sum %" SCNx64,
               &s.entry, &s.term, &s.after, &s.state, &pieces, &bytes, &sum) != 7)
        return false;
    if (pieces == 0 && p->pieces == 0) begin_part(p, sequence, s.entry), s.first = sequence, s.size = 0;
    if (s.entry != p->part.entry || pieces != p->pieces || bytes != s.size || sequence != s.first + pieces)
        return false;
    if (write_end(&s, pieces, again) != size || memcmp(again, line, size) != 0) return false;
    s.last = sequence;
    p->part = s;
    return true;
}

bool cluster_pieces_read(cluster_pieces *p, uint64_t sequence, const char *bytes, size_t size) {
    char line[LINE_BYTES], again[LINE_BYTES];
    uint64_t piece, entry;
    const char *end = memchr(bytes, '\n', size < LINE_BYTES ? size : LINE_BYTES - 1);
    const size_t length = end ? (size_t)(end - bytes) + 1 : 0;
    snprintf(line, sizeof line, "%.*s", (int)length, bytes);
    if (is_end(p, sequence, line, size)) {
        if (!p->part.text && !keep_piece(p, "", 0)) return false;
        free(p->found.text);
        p->found = p->part;
        p->part = (cluster_log_snapshot){.text = NULL};
        p->pieces = p->capacity = 0;
        return true;
    }
    if (sscanf(line, "piece %" SCNu64 " of entry %" SCNu64, &piece, &entry) != 2) piece = 0;
    if (piece > 0 && (write_begin(entry, piece, again) != length || memcmp(again, line, length) != 0)) piece = 0;
    if (piece == 1) begin_part(p, sequence, entry);
    const bool fits =
        piece > 0 && piece == p->pieces + 1 && entry == p->part.entry && sequence == p->part.first + p->pieces;
    p->pieces = fits ? piece : 0;
    return !fits || keep_piece(p, bytes + length, size - length);
}

void cluster_pieces_free(cluster_pieces *p) {
    free(p->part.text);
    p->part = (cluster_log_snapshot){.text = NULL};
}
