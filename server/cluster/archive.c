/* SPDX-License-Identifier: MIT */
/* A backup is lines, each followed by the bytes that it counts:
 *
 *   # a backup of wend cluster
 *   map town
 *   snapshot 4711 term 12 after HASH state HASH bytes N
 *   entry 4712 bytes N
 *   end HASH                                              of all bytes above */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/output/messages.h"
#include "cli/world/world.h"
#include "cluster/archive.h"
#include "journal/journal_read.h"

#define FIRST_LINE "# a backup of wend cluster\n"
#define MOST_BYTES (UINT64_C(1) << 36)

bool cluster_chain_fits(const session_entry *entries, size_t count, uint64_t *checked, uint64_t *state) {
    *checked = 0;
    for (size_t i = 0; i < count; i++) {
        cluster_entry entry;
        const session_entry *e = &entries[i];
        const char *wrong = NULL;
        if (cluster_entry_read(e->bytes, e->size, &entry) != CLUSTER_READ)
            wrong = "is damaged, or of a newer wend";
        else if (entry.number != e->sequence)
            wrong = "has another number";
        else if (i > 0 && e->sequence != e[-1].sequence + 1)
            wrong = "comes behind a gap";
        else if (i > 0 && entry.after != cluster_entry_hash(e[-1].bytes, e[-1].size))
            wrong = "was written behind another entry than the one before";
        if (wrong) cli_fail("cluster: entry %" PRIu64 " %s", e->sequence, wrong);
        if (wrong) return false;
        if (entry.kind == CLUSTER_KIND_CHECK) *checked = entry.number, *state = entry.state;
    }
    return true;
}

/* ---- backups ---- */

typedef struct archive {
    FILE *file;
    uint64_t hash;
    bool failed;
} archive;

static void put_bytes(archive *a, const char *bytes, size_t size) {
    a->hash = wend__hash_bytes(a->hash, bytes, size);
    if (fwrite(bytes, 1, size, a->file) != size) a->failed = true;
}

__attribute__((format(printf, 2, 3))) static void put_line(archive *a, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put_bytes(a, line, (size_t)length);
}

static void put_all(archive *a, const cluster_session *s, const cluster_log_snapshot *snapshot) {
    put_line(a, FIRST_LINE "map %s\n", s->map);
    if (snapshot->text) {
        put_line(a, "snapshot %" PRIu64 " term %" PRIu64 " after %016" PRIx64 " state %016" PRIx64 " bytes %zu\n",
                 snapshot->entry, snapshot->term, snapshot->after, snapshot->state, snapshot->size);
        put_bytes(a, snapshot->text, snapshot->size);
    }
    for (size_t i = 0; i < s->entry_count; i++) {
        put_line(a, "entry %" PRIu64 " bytes %zu\n", s->entries[i].sequence, s->entries[i].size);
        put_bytes(a, s->entries[i].bytes, s->entries[i].size);
    }
    put_line(a, "end %016" PRIx64 "\n", a->hash);
}

static int write_backup(const cluster_session *s, const cluster_log_snapshot *snapshot, const char *file) {
    archive a = {fopen(file, "wbx"), WEND__HASH_START, false};
    if (!a.file) return cli_fail_at(file, 0, 0, "%s", strerror(errno));
    put_all(&a, s, snapshot);
    if (fflush(a.file) != 0 || fsync(fileno(a.file)) != 0) a.failed = true;
    if (fclose(a.file) != 0) a.failed = true;
    if (a.failed) return cli_fail_at(file, 0, 0, "%s", strerror(errno));
    printf("%s: %zu entries, %s\n", file, s->entry_count, snapshot->text ? "and a snapshot" : "no snapshot");
    return CLI_DONE;
}

int cluster_backup(cluster_session *s, const char *file) {
    cluster_log_snapshot snapshot = {.text = NULL};
    uint64_t checked, state;
    int status = cluster_session_need_log(s);
    if (status) return status;
    const cluster_log_answer got = s->log->snapshot_get(s->log, UINT64_MAX, &snapshot);
    if (got.outcome == CLUSTER_LOG_UNKNOWN) status = cli_fail("cluster: map %s: snapshots: %s", s->map, got.why);
    if (!status) status = cluster_session_read(s, 1);
    const bool fits = status || (cluster_chain_fits(s->entries, s->entry_count, &checked, &state) &&
                                 (s->entry_count == 0 || s->entries[0].sequence <= snapshot.entry + 1 ||
                                  (cli_fail("cluster: entries are lacking behind the snapshot"), false)));
    if (!status) status = fits ? write_backup(s, &snapshot, file) : CLI_ANSWER_IS_NO;
    free(snapshot.text);
    return status;
}

/* ---- restoring ---- */

/* Takes the line at `*at`, and the bytes that it counts. @return false: they are not all there */
static bool take_bytes(const char *text, size_t size, size_t *at, size_t bytes, const char **out) {
    const char *end = memchr(text + *at, '\n', size - *at);
    if (!end || size - (size_t)(end + 1 - text) < bytes) return false;
    *out = end + 1;
    *at = (size_t)(end + 1 - text) + bytes;
    return true;
}

/// The parts of a backup, which point into its text.
typedef struct backup {
    cluster_log_snapshot snapshot; ///< no text: none
    session_entry *entries;
    size_t count;
} backup;

/* @return false: it is damaged */
static bool read_backup(const char *map, char *text, size_t size, backup *out) {
    char line[128];
    const int head = snprintf(line, sizeof line, FIRST_LINE "map %s\n", map);
    size_t at = (size_t)head;
    if (size < at || memcmp(text, line, at) != 0) return false;
    out->entries = malloc((size / 16 + 1) * sizeof *out->entries);
    while (out->entries && at < size) {
        cluster_log_snapshot *s = &out->snapshot;
        session_entry *e = &out->entries[out->count];
        const char *bytes;
        snprintf(line, sizeof line, "%.*s", (int)(size - at < sizeof line ? size - at : sizeof line - 1), text + at);
        if (sscanf(line, "entry %" SCNu64 " bytes %zu", &e->sequence, &e->size) == 2) {
            if (!take_bytes(text, size, &at, e->size, &bytes)) return false;
            e->bytes = text + (bytes - text);
            out->count++;
        } else if (sscanf(line, "snapshot %" SCNu64 " term %" SCNu64 " after %" SCNx64 " state %" SCNx64 " bytes %zu",
                          &s->entry, &s->term, &s->after, &s->state, &s->size) == 5) {
            if (!take_bytes(text, size, &at, s->size, &bytes)) return false;
            s->text = text + (bytes - text);
        } else {
            char end[64];
            const int length =
                snprintf(end, sizeof end, "end %016" PRIx64 "\n", wend__hash_bytes(WEND__HASH_START, text, at));
            return size - at == (size_t)length && memcmp(text + at, end, (size_t)length) == 0;
        }
    }
    return false;
}

static int fill_streams(cluster_session *s, backup *b) {
    for (size_t i = 0; i < b->count; i++) {
        const session_entry *e = &b->entries[i];
        const int status = cluster_session_append(s, e->sequence - 1, e->bytes, e->size);
        if (status) return status;
    }
    if (!b->snapshot.text) return CLI_DONE;
    const cluster_log_answer put = s->log->snapshot_put(s->log, &b->snapshot);
    return put.outcome == CLUSTER_LOG_DONE ? CLI_DONE : cli_fail("cluster: map %s: the snapshot: %s", s->map, put.why);
}

int cluster_restore(cluster_session *s, const char *file, uint64_t replicas) {
    size_t size;
    uint64_t checked, state;
    backup b = {.count = 0};
    char *text = cli_read_file(file, MOST_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = CLI_DONE;
    if (!read_backup(s->map, text, size, &b))
        status = cli_fail_at(file, 0, 0, "this is no whole backup of map %s", s->map);
    else if (b.count == 0 || !cluster_chain_fits(b.entries, b.count, &checked, &state))
        status = cli_fail_at(file, 0, 0, "its entries do not follow each other");
    if (!status) status = cluster_session_make(s, replicas, b.entries[0].sequence);
    if (!status) status = fill_streams(s, &b);
    if (!status)
        printf("map %s: %zu entries, %s\n", s->map, b.count, b.snapshot.text ? "and a snapshot" : "no snapshot");
    free(b.entries);
    free(text);
    return status;
}

/* ---- repair ---- */

static bool is_whole(const char *file, char *text, size_t size) {
    serve_journal_past past;
    return serve_journal_read_entry(file, text, size, &past) == CLI_DONE;
}

/* The entries of a journal, one behind another. The last one may be cut short: its node was killed. */
static int read_journal(const char *file, char *text, size_t size, backup *out) {
    uint64_t checked, state;
    out->entries = malloc((size / 16 + 1) * sizeof *out->entries);
    if (!out->entries) return cli_fail("out of memory");
    for (size_t at = 0, bytes; at < size; at += bytes) {
        cluster_entry entry;
        bytes = cluster_entry_bytes(text + at, size - at);
        const cluster_reading reading = cluster_entry_read(text + at, bytes, &entry);
        const bool whole = reading == CLUSTER_READ && is_whole(file, text + at, bytes);
        const bool last = out->count > 0 && at + bytes == size && reading != CLUSTER_READ_NEWER;
        if (!whole && last) cli_note_at(file, "its last entry is not whole, and left out");
        if (!whole && last) break;
        if (!whole) return cli_fail_at(file, 0, 0, "its entry at byte %zu is damaged, or of a newer wend", at);
        out->entries[out->count++] = (session_entry){entry.number, text + at, bytes};
    }
    if (out->count == 0) return cli_fail_at(file, 0, 0, "it has no entry");
    return cluster_chain_fits(out->entries, out->count, &checked, &state) ? CLI_DONE : CLI_BAD_INPUT;
}

static bool same_entry(const session_entry *a, const session_entry *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Finds the first entry of both that differs. @return its number; 0: none does */
static uint64_t find_fork(const cluster_session *s, const backup *journal) {
    const uint64_t first = s->entry_count > 0 ? s->entries[0].sequence : UINT64_MAX,
                   begin = journal->entries[0].sequence;
    for (uint64_t n = first > begin ? first : begin; n - first < s->entry_count && n - begin < journal->count; n++)
        if (!same_entry(&s->entries[n - first], &journal->entries[n - begin])) return n;
    return 0;
}

static int append_rest(cluster_session *s, const backup *journal, uint64_t last) {
    uint64_t added = 0;
    for (size_t i = 0; i < journal->count; i++) {
        const session_entry *e = &journal->entries[i];
        if (e->sequence <= last) continue;
        const int status = cluster_session_append(s, e->sequence - 1, e->bytes, e->size);
        if (status) return status;
        added++;
    }
    printf("map %s: %" PRIu64 " entries appended\n", s->map, added);
    return CLI_DONE;
}

/* The old streams are in a backup by then. */
static int begin_again(cluster_session *s, backup *journal) {
    char what[128], why[CLUSTER_LOG_WHY_BYTES], file[128];
    cluster_log_snapshot snapshot = {.text = NULL};
    const cluster_log_answer got = s->log->snapshot_get(s->log, UINT64_MAX, &snapshot);
    if (got.outcome == CLUSTER_LOG_UNKNOWN) return cli_fail("cluster: map %s: snapshots: %s", s->map, got.why);
    snprintf(what, sizeof what, "STREAM.INFO.WEND_%s", s->map);
    char *info = s->log->ask(s->log, what, "", why);
    const char *replicas = info ? strstr(info, "\"num_replicas\":") : NULL;
    const uint64_t count = replicas ? strtoull(replicas + strlen("\"num_replicas\":"), NULL, 10) : 1;
    free(info);
    snprintf(file, sizeof file, "%s-%ld.backup", s->map, (long)getpid());
    int status = write_backup(s, &snapshot, file);
    for (int i = 0; i < 2 && !status; i++) {
        snprintf(what, sizeof what, "STREAM.DELETE.%s_%s", i == 0 ? "WEND" : "WENDS", s->map);
        char *done = s->log->ask(s->log, what, "", why);
        if (!done) status = cli_fail("cluster: %s: %s", what, why);
        free(done);
    }
    if (!status) status = cluster_session_make(s, count, journal->entries[0].sequence);
    journal->snapshot = snapshot;
    if (snapshot.text && (snapshot.entry + 1 < journal->entries[0].sequence ||
                          snapshot.entry > journal->entries[journal->count - 1].sequence))
        journal->snapshot.text = NULL;
    if (!status) status = fill_streams(s, journal);
    free(snapshot.text);
    return status;
}

static int repair(cluster_session *s, backup *journal, int32_t keep) {
    const uint64_t fork = find_fork(s, journal),
                   last = s->entry_count > 0 ? s->entries[s->entry_count - 1].sequence : s->state.last;
    const session_entry *begin = &journal->entries[0], *end = &journal->entries[journal->count - 1];
    if (fork == 0 && end->sequence <= last) {
        printf("map %s: the log lacks nothing of the journal, which ends with entry %" PRIu64 "\n", s->map,
               end->sequence);
        return CLI_DONE;
    }
    if (fork == 0 && begin->sequence <= last + 1) return append_rest(s, journal, last);
    if (fork == 0)
        cli_fail("cluster: the log ends with entry %" PRIu64 ", and the journal begins with %" PRIu64, last,
                 begin->sequence);
    else
        cli_fail("cluster: log and journal part at entry %" PRIu64 "; the log ends with %" PRIu64
                 ", the journal with %" PRIu64,
                 fork, last, end->sequence);
    if (keep == 2) return begin_again(s, journal);
    if (keep == 1) printf("map %s: the log stays; set the journal aside before its node starts\n", s->map);
    if (keep == 0) cli_fail("cluster: say --keep log or --keep journal");
    return keep == 1 ? CLI_DONE : CLI_ANSWER_IS_NO;
}

int cluster_repair(cluster_session *s, const char *file, int32_t keep) {
    size_t size;
    backup journal = {.count = 0};
    char *text = cli_read_file(file, MOST_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = read_journal(file, text, size, &journal);
    if (!status) status = cluster_session_need_log(s);
    if (!status) status = cluster_session_read(s, 1);
    if (!status) status = repair(s, &journal, keep);
    free(journal.entries);
    free(text);
    return status;
}
