/* SPDX-License-Identifier: MIT */
/* Snapshots in pieces: the snapshot that a reader finds among whole, broken and damaged ones. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "models/owned.h"
#include "store/log_pieces.h"

enum { MOST = 64 };

/// A stream of snapshots in memory.
typedef struct stream {
    struct stream_message {
        char *bytes;
        size_t size;
    } messages[MOST];
    uint64_t last;
    unsigned unknown; ///< number of the next answers that are lost, before the message is written
    uint64_t refuse;  ///< from this sequence on; 0: never
    uint64_t without; ///< sequence of the missing message
    bool lost;        ///< readers get no answers
} stream;

static cluster_log_answer put(void *context, uint64_t expected, const char *bytes, size_t size) {
    stream *s = context;
    if (s->unknown > 0 && s->unknown--) return (cluster_log_answer){.outcome = CLUSTER_LOG_UNKNOWN};
    if (expected != s->last || (s->refuse > 0 && s->last + 1 >= s->refuse))
        return (cluster_log_answer){.outcome = CLUSTER_LOG_REFUSED};
    char *copy = malloc(size > 0 ? size : 1);
    cr_assert(copy && s->last < MOST);
    memcpy(copy, bytes, size);
    s->messages[s->last++] = (struct stream_message){copy, size};
    return (cluster_log_answer){.outcome = CLUSTER_LOG_DONE, .sequence = s->last};
}

/* Any text, another one for each entry. */
static char *text_of(uint64_t entry, size_t size) {
    char *text = malloc(size + 1);
    cr_assert(text);
    for (size_t i = 0; i < size; i++) text[i] = (char)(wend__hash_u64(entry, i / 8) >> 8 * (i % 8));
    text[size] = '\0';
    return text;
}

static cluster_log_outcome write_snapshot(stream *s, uint64_t entry, size_t size) {
    cluster_log_snapshot snapshot = {.entry = entry, .term = 2, .after = 3, .state = 4, .size = size};
    snapshot.text = text_of(entry, size);
    const cluster_log_answer answer = cluster_pieces_put(&snapshot, s->last, put, s);
    if (answer.outcome == CLUSTER_LOG_DONE) cr_assert(snapshot.last == s->last && snapshot.first <= snapshot.last);
    free(snapshot.text);
    return answer.outcome;
}

static char *get(void *context, uint64_t sequence, size_t *size, cluster_log_answer *answer) {
    const stream *s = context;
    const struct stream_message *message = &s->messages[sequence - 1];
    *answer = (cluster_log_answer){.outcome = s->lost ? CLUSTER_LOG_UNKNOWN : CLUSTER_LOG_REFUSED};
    if (sequence == s->without || s->lost) return NULL;
    char *bytes = calloc(message->size + 1, 1);
    cr_assert(bytes);
    memcpy(bytes, message->bytes, *size = message->size);
    return bytes;
}

/* Checks the snapshot found from a message on. @return its entry; 0: none */
static uint64_t find_newest(stream *s, uint64_t from, uint64_t without) {
    cluster_log_snapshot found = {.text = NULL};
    s->without = without;
    const cluster_log_answer answer = cluster_pieces_get(from, s->last + 1, get, s, &found);
    if (answer.outcome == CLUSTER_LOG_DONE) {
        char *text = text_of(found.entry, found.size);
        cr_assert_arr_eq(found.text, text, found.size + 1);
        cr_assert(found.term == 2 && found.after == 3 && found.state == 4 && found.first >= from);
        free(text);
        free(found.text);
        return found.entry;
    }
    cr_assert(!found.text && answer.outcome == CLUSTER_LOG_REFUSED);
    return 0;
}

static void free_stream(stream *s) {
    for (uint64_t i = 0; i < s->last; i++) free(s->messages[i].bytes);
}

Test(pieces, the_newest_whole_snapshot_is_found) {
    OWNED(free_stream) stream s = {.last = 0};
    cr_assert_eq(find_newest(&s, 1, 0), 0);
    for (uint64_t i = 1; i <= 4; i++) { /* zero, one and several pieces; the last one full */
        const size_t sizes[] = {0, 1, CLUSTER_LOG_PIECE_BYTES, 2 * CLUSTER_LOG_PIECE_BYTES + 77};
        cr_assert_eq(write_snapshot(&s, 100 * i, sizes[i - 1]), CLUSTER_LOG_DONE);
        cr_assert_eq(find_newest(&s, 1, 0), 100 * i);
    }
    cr_assert_eq(find_newest(&s, s.last - 2, 0), 0, "its first piece was purged");
}

Test(pieces, a_snapshot_without_one_of_its_messages_is_not_there) {
    OWNED(free_stream) stream s = {.last = 0};
    write_snapshot(&s, 100, 500);
    const uint64_t before = s.last;
    write_snapshot(&s, 200, 3 * CLUSTER_LOG_PIECE_BYTES);
    for (uint64_t without = before + 1; without <= s.last; without++)
        cr_assert_eq(find_newest(&s, 1, without), 100, "without message %d", (int)without);
    cr_assert_eq(find_newest(&s, 1, before), 200);
    s.lost = true;
    cluster_log_snapshot none;
    cr_assert_eq(cluster_pieces_get(1, s.last + 1, get, &s, &none).outcome, CLUSTER_LOG_UNKNOWN);
}

Test(pieces, a_snapshot_with_any_bit_changed_is_not_there) {
    OWNED(free_stream) stream s = {.last = 0};
    write_snapshot(&s, 200, 90);
    for (uint64_t i = 0; i < s.last; i++)
        for (size_t at = 0; at < s.messages[i].size; at++) {
            s.messages[i].bytes[at] ^= 0x10;
            cr_assert_eq(find_newest(&s, 1, 0), 0, "message %d, byte %zu", (int)i + 1, at);
            s.messages[i].bytes[at] ^= 0x10;
        }
    cr_assert_eq(find_newest(&s, 1, 0), 200);
}

Test(pieces, a_writer_ends_where_another_one_writes) {
    OWNED(free_stream) stream s = {.refuse = 3};
    cr_assert_eq(write_snapshot(&s, 100, 3 * CLUSTER_LOG_PIECE_BYTES), CLUSTER_LOG_REFUSED);
    cr_assert_eq(s.last, 2);
    s.refuse = 0;
    cr_assert_eq(write_snapshot(&s, 200, 10), CLUSTER_LOG_DONE);
    cr_assert_eq(find_newest(&s, 1, 0), 200);
}

Test(pieces, a_lost_answer_is_asked_for_again) {
    OWNED(free_stream) stream s = {.unknown = 3};
    cr_assert_eq(write_snapshot(&s, 100, 10), CLUSTER_LOG_DONE);
    s.unknown = 4;
    cr_assert_eq(write_snapshot(&s, 200, 10), CLUSTER_LOG_UNKNOWN);
    cr_assert_eq(find_newest(&s, 1, 0), 100);
}
