/* SPDX-License-Identifier: MIT */
/* Texts that a node of a cluster takes from NATS: heads of entries, beats, states of nodes, orders of an operator, and
 * pieces of snapshots. Each is read, or refused; texts that were read are within limits, and written as they were. */
#define _GNU_SOURCE
#include "fuzz_bytes.h"

#include "base/hash.h"
#include "cluster/entry.h"
#include "journal/journal_read.h"
#include "store/log_pieces.h"

/* A text that ends within its limit. */
static void check_text(const char *text, size_t most) {
    FUZZ_CHECK(strnlen(text, most + 1) <= most);
}

static void read_entry(const char *bytes, size_t size) {
    cluster_entry entry;
    char again[CLUSTER_HEAD_BYTES];
    if (cluster_entry_read(bytes, size, &entry) != CLUSTER_READ) return;
    FUZZ_CHECK(cluster_is_word(entry.map) && cluster_is_word(entry.writer) && entry.kind <= CLUSTER_KIND_ORDERS);
    FUZZ_CHECK(entry.kind != CLUSTER_KIND_HAND || cluster_is_word(entry.heir));
    FUZZ_CHECK(entry.kind != CLUSTER_KIND_HEAD || entry.world.format <= CLUSTER_FORMAT);
    check_text(entry.world.version, CLUSTER_VERSION_BYTES), check_text(entry.world.limits, CLUSTER_LIMITS_BYTES);
    FUZZ_CHECK(entry.records <= size && cluster_entry_write(&entry, true, again) == entry.records);
    FUZZ_CHECK(memcmp(again, bytes, entry.records) == 0);
}

/* Replaces the third line by the seal of the first two, as no fuzzer guesses a seal. */
static void read_sealed_entry(const char *bytes, size_t size) {
    fuzz_bytes text = {NULL, 0, 0};
    char seal[SERVE_JOURNAL_SEAL_BYTES + 1];
    fuzz_append(&text, SERVE_JOURNAL_FIRST_LINE, sizeof SERVE_JOURNAL_FIRST_LINE - 1);
    const char *end = memchr(bytes, '\n', size);
    const size_t line = end ? (size_t)(end - bytes) + 1 : size;
    fuzz_append(&text, bytes, line);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, text.bytes, text.size), seal);
    fuzz_append(&text, seal, SERVE_JOURNAL_SEAL_BYTES);
    fuzz_append(&text, bytes + line, size - line);
    read_entry(text.bytes, text.size);
    size_t first = 0;
    cluster_entry entry;
    if (cluster_entry_next(text.bytes, text.size, &first, &entry) == CLUSTER_READ)
        FUZZ_CHECK(first > 0 && first <= text.size && entry.records <= first);
    free(text.bytes);
}

static void read_messages(const char *bytes, size_t size) {
    static char again[CLUSTER_REPORT_BYTES];
    cluster_report said;
    char node[CLUSTER_NAME_BYTES + 1];
    if (cluster_report_read(bytes, size, &said)) {
        FUZZ_CHECK(cluster_is_word(said.node) && said.line <= size && said.address[0] != '\0');
        FUZZ_CHECK(cluster_report_write(&said, again, sizeof again) == said.line);
        FUZZ_CHECK(memcmp(again, bytes, said.line) == 0);
    }
    if (cluster_ask_read(bytes, size, node)) FUZZ_CHECK(cluster_is_word(node));
}

/* The bytes are messages, each with its length before it. */
typedef struct messages {
    const char *bytes;
    size_t size;
} messages;

static char *get_message(void *context, uint64_t sequence, size_t *size, cluster_log_answer *answer) {
    const messages *all = context;
    size_t at = 0, length = 0;
    for (uint64_t k = 0; k <= sequence; k++) {
        at += length;
        if (at >= all->size) return answer->outcome = CLUSTER_LOG_REFUSED, NULL;
        length = (unsigned char)all->bytes[at++];
        if (length > all->size - at) length = all->size - at;
    }
    char *copy = malloc(length + 1); /* exactly `length` bytes, so that a sanitizer sees reads beyond them */
    FUZZ_CHECK(copy);
    memcpy(copy, all->bytes + at, length);
    copy[length] = '\0';
    *size = length;
    answer->outcome = CLUSTER_LOG_DONE;
    return copy;
}

static void read_pieces(const char *bytes, size_t size) {
    messages all = {bytes, size};
    cluster_log_snapshot found = {.text = NULL};
    const uint64_t end = 1 + size / 64;
    if (cluster_pieces_get(0, end, get_message, &all, &found).outcome != CLUSTER_LOG_DONE) return;
    FUZZ_CHECK(found.text && strlen(found.text) <= found.size && found.last < end);
    free(found.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size + !size);
    FUZZ_CHECK(bytes);
    if (size > 0) memcpy(bytes, data, size);
    read_entry(bytes, size);
    read_sealed_entry(bytes, size);
    read_messages(bytes, size);
    read_pieces(bytes, size);
    free(bytes);
    return 0;
}
