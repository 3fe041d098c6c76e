/* SPDX-License-Identifier: MIT */
/* Writes and reads the texts of a cluster. A read text is written again and compared, so each text has one form. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "cluster/entry.h"
#include "journal/journal_read.h"

#define NAME "%63[A-Za-z0-9_-]"

static const char *const kind_names[] = {"head", "claim", "release", "hand", "check", "orders"};
static const char *const role_names[] = {"owner", "follower", "replica"};
enum { KINDS = sizeof kind_names / sizeof kind_names[0], ROLES = sizeof role_names / sizeof role_names[0] };

bool cluster_is_word(const char *name) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const size_t length = strlen(name);
    return length >= 1 && length <= CLUSTER_NAME_BYTES && strspn(name, good) == length;
}

/* Returns the index of a name, or the count if there is none. */
static int find_name(const char *name, const char *const *names, int count) {
    int i = 0;
    while (i < count && strcmp(names[i], name) != 0) i++;
    return i;
}

static size_t fitting(int length, size_t capacity) {
    return length > 0 && (size_t)length < capacity ? (size_t)length : 0;
}

/* The first bytes of a text that may have no end: it comes from the network. */
static void copy_text(const char *bytes, size_t size, char *out, size_t capacity) {
    snprintf(out, capacity, "%.*s", (int)(size < capacity ? size : capacity - 1), bytes);
}

/* Returns whether the bytes begin with the written form of the values read from them. */
static bool same_text(const char *bytes, size_t size, const char *again, size_t length) {
    return length > 0 && length <= size && memcmp(bytes, again, length) == 0;
}

/* ---- entries ---- */

static int write_words(const cluster_entry *entry, char *out, size_t capacity) {
    const cluster_world *world = &entry->world;
    switch (entry->kind) {
    case CLUSTER_KIND_HEAD:
        return snprintf(out, capacity,
                        " format %" PRIu64 " world %016" PRIx64 " rules %016" PRIx64 " version %s limits %s",
                        world->format, world->world, world->rules, world->version, world->limits);
    case CLUSTER_KIND_HAND: return snprintf(out, capacity, " %s", entry->heir);
    case CLUSTER_KIND_CHECK:
        return snprintf(out, capacity, " state %016" PRIx64 " epoch %" PRIu64, entry->state, entry->epoch);
    default: return snprintf(out, capacity, "%s", "");
    }
}

size_t cluster_entry_write(const cluster_entry *entry, bool sealed, char out[CLUSTER_HEAD_BYTES]) {
    char words[CLUSTER_HEAD_BYTES];
    write_words(entry, words, sizeof words);
    const int length = snprintf(out, CLUSTER_HEAD_BYTES,
                                "%s# map %s entry %" PRIu64 " term %" PRIu64 " writer %s after %016" PRIx64 " %s%s\n",
                                SERVE_JOURNAL_FIRST_LINE, entry->map, entry->number, entry->term, entry->writer,
                                entry->after, kind_names[entry->kind], words);
    const size_t size = fitting(length, CLUSTER_HEAD_BYTES - SERVE_JOURNAL_SEAL_BYTES);
    if (size > 0 && sealed) serve_journal_seal(wend__hash_bytes(WEND__HASH_START, out, size), out + size);
    return size > 0 && sealed ? size + SERVE_JOURNAL_SEAL_BYTES : size;
}

static bool read_words(const char *words, cluster_entry *out) {
    cluster_world *world = &out->world;
    switch (out->kind) {
    case CLUSTER_KIND_HEAD:
        return sscanf(words, " format %" SCNu64 " world %" SCNx64 " rules %" SCNx64 " version %31s limits %127[^\n]",
                      &world->format, &world->world, &world->rules, world->version, world->limits) == 5;
    case CLUSTER_KIND_HAND: return sscanf(words, " " NAME, out->heir) == 1;
    case CLUSTER_KIND_CHECK: return sscanf(words, " state %" SCNx64 " epoch %" SCNu64, &out->state, &out->epoch) == 2;
    default: return true;
    }
}

/* Reads the format of a head, or the kind, which may be too new for this wend. */
static bool is_newer(const cluster_entry *entry, const char *words) {
    uint64_t format = 0;
    if (entry->kind != CLUSTER_KIND_HEAD) return (int)entry->kind == KINDS;
    return sscanf(words, " format %" SCNu64, &format) == 1 && format > CLUSTER_FORMAT;
}

cluster_reading cluster_entry_read(const char *bytes, size_t size, cluster_entry *out) {
    static const char first[] = SERVE_JOURNAL_FIRST_LINE;
    char kind[16] = "", line[CLUSTER_HEAD_BYTES], again[CLUSTER_HEAD_BYTES];
    int words = 0;
    *out = (cluster_entry){.number = 0};
    if (size < sizeof first || memcmp(bytes, first, sizeof first - 1) != 0) return CLUSTER_READ_DAMAGED;
    copy_text(bytes + sizeof first - 1, size - (sizeof first - 1), line, sizeof line);
    const int count =
        sscanf(line, "# map " NAME " entry %" SCNu64 " term %" SCNu64 " writer " NAME " after %" SCNx64 " %15[a-z]%n",
               out->map, &out->number, &out->term, out->writer, &out->after, kind, &words);
    if (count != 6) return CLUSTER_READ_DAMAGED;
    out->kind = (cluster_kind)find_name(kind, kind_names, KINDS);
    if (is_newer(out, line + words)) return CLUSTER_READ_NEWER;
    if (!read_words(line + words, out)) return CLUSTER_READ_DAMAGED;
    out->records = cluster_entry_write(out, true, again);
    return same_text(bytes, size, again, out->records) ? CLUSTER_READ : CLUSTER_READ_DAMAGED;
}

uint64_t cluster_entry_hash(const char *bytes, size_t size) {
    return wend__hash_bytes(WEND__HASH_START, bytes, size);
}

/* The last seal is of all bytes before it. */
static bool is_sealed(const char *bytes, size_t size) {
    char seal[SERVE_JOURNAL_SEAL_BYTES + 1];
    if (size <= SERVE_JOURNAL_SEAL_BYTES) return false;
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, bytes, size - SERVE_JOURNAL_SEAL_BYTES), seal);
    return memcmp(bytes + size - SERVE_JOURNAL_SEAL_BYTES, seal, SERVE_JOURNAL_SEAL_BYTES) == 0;
}

cluster_reading cluster_entry_next(const char *text, size_t size, size_t *bytes, cluster_entry *out) {
    static const char begin[] = "\n" SERVE_JOURNAL_FIRST_LINE "# map ";
    const char *next = memmem(text, size, begin, sizeof begin - 1);
    *bytes = next ? (size_t)(next - text) + 1 : size;
    for (size_t cut = sizeof begin - 2; !next && cut > 0; cut--) /* the next may be cut short in its first lines */
        if (cut + 1 < size && memcmp(text + size - cut - 1, begin, cut + 1) == 0 && is_sealed(text, size - cut))
            *bytes = size - cut;
    return is_sealed(text, *bytes) ? cluster_entry_read(text, *bytes, out) : CLUSTER_READ_DAMAGED;
}

/* ---- messages ---- */

const char *cluster_role_name(cluster_role role) {
    return role_names[role];
}

size_t cluster_report_write(const cluster_report *r, char *out, size_t capacity) {
    return fitting(snprintf(out, capacity,
                            "node %s role %s address %s page %s term %" PRIu64 " sequence %" PRIu64 " epoch %" PRIu64
                            " lag %" PRIu64 " checked %" PRIu64 " state %016" PRIx64 " purged %" PRIu64 " version %s\n",
                            r->node, role_names[r->role], r->address, r->page, r->term, r->sequence, r->epoch,
                            r->lag_ms, r->checked, r->state, r->purged, r->version),
                   capacity);
}

bool cluster_report_read(const char *bytes, size_t size, cluster_report *out) {
    char line[CLUSTER_REPORT_BYTES], again[CLUSTER_REPORT_BYTES], role[16] = "";
    *out = (cluster_report){.line = 0};
    copy_text(bytes, size, line, sizeof line);
    if (sscanf(line,
               "node " NAME " role %15[a-z] address %127s page %127s term %" SCNu64 " sequence %" SCNu64
               " epoch %" SCNu64 " lag %" SCNu64 " checked %" SCNu64 " state %" SCNx64 " purged %" SCNu64
               " version %31s",
               out->node, role, out->address, out->page, &out->term, &out->sequence, &out->epoch, &out->lag_ms,
               &out->checked, &out->state, &out->purged, out->version) != 12)
        return false;
    out->role = (cluster_role)find_name(role, role_names, ROLES);
    if ((int)out->role == ROLES) return false;
    out->line = cluster_report_write(out, again, sizeof again);
    return same_text(bytes, size, again, out->line);
}

bool cluster_ask_read(const char *bytes, size_t size, char node[CLUSTER_NAME_BYTES + 1]) {
    static const char move[] = "move ";
    if (size < sizeof move || size - (sizeof move - 1) > CLUSTER_NAME_BYTES) return false;
    snprintf(node, CLUSTER_NAME_BYTES + 1, "%.*s", (int)(size - (sizeof move - 1)), bytes + sizeof move - 1);
    return memcmp(bytes, move, sizeof move - 1) == 0 && cluster_is_word(node);
}
