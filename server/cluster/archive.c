/* SPDX-License-Identifier: MIT */
/* A backup is a line, the text of the newest snapshot and the entries, one behind another as in a node's journal:
 *
 *   # a backup of map town snapshot 4711 term 12 after HASH state HASH bytes N entries N sum HASH
 *
 * The sum is of all bytes behind the line. Without a snapshot its bytes are 0. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/hash.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/world/world.h"
#include "cluster/archive.h"

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

enum { LINE_BYTES = 512 };

/// The parts of a backup or a journal, as pointers into its text.
typedef struct archive {
    cluster_log_snapshot snapshot; ///< no text: none
    session_entry *entries;
    size_t count;
} archive;

static size_t write_line(const char *map, const cluster_log_snapshot *s, size_t entries, uint64_t sum,
                         char out[LINE_BYTES]) {
    return (size_t)snprintf(out, LINE_BYTES,
                            "# a backup of map %s snapshot %" PRIu64 " term %" PRIu64 " after %016" PRIx64
                            " state %016" PRIx64 " bytes %zu entries %zu sum %016" PRIx64 "\n",
                            map, s->entry, s->term, s->after, s->state, s->size, entries, sum);
}

static int write_backup(const cluster_session *s, const cluster_log_snapshot *snapshot, const char *file) {
    char line[LINE_BYTES];
    uint64_t sum = wend__hash_bytes(WEND__HASH_START, snapshot->text ? snapshot->text : "", snapshot->size);
    for (size_t i = 0; i < s->entry_count; i++) sum = wend__hash_bytes(sum, s->entries[i].bytes, s->entries[i].size);
    const size_t size = write_line(s->map, snapshot, s->entry_count, sum, line);
    wend__replacement out;
    if (access(file, F_OK) == 0) return cli_fail_at(file, 0, 0, "%s", strerror(EEXIST));
    int status = cli_output_open(&out, file);
    if (status) return status;
    fwrite(line, 1, size, out.stream);
    if (snapshot->text) fwrite(snapshot->text, 1, snapshot->size, out.stream);
    for (size_t i = 0; i < s->entry_count; i++) fwrite(s->entries[i].bytes, 1, s->entries[i].size, out.stream);
    status = cli_output_close(&out, file);
    if (status) return status;
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

/* Reads consecutive entries.
 * @param may_end_early   the last one may be cut short: its node was killed */
static int read_entries(const char *file, char *text, size_t size, bool may_end_early, archive *out) {
    uint64_t checked, state;
    out->entries = malloc((size / 16 + 1) * sizeof *out->entries);
    if (!out->entries) return cli_fail("out of memory");
    for (size_t at = 0, bytes; at < size; at += bytes) {
        cluster_entry entry;
        const cluster_reading reading = cluster_entry_next(text + at, size - at, &bytes, &entry);
        const bool cut = reading == CLUSTER_READ_DAMAGED && at + bytes == size && out->count > 0 && may_end_early;
        if (cut) cli_note_at(file, "its last entry is not whole, and left out");
        if (cut) break;
        if (reading != CLUSTER_READ)
            return cli_fail_at(file, 0, 0, "its entry at byte %zu is damaged, or of a newer wend", at);
        out->entries[out->count++] = (session_entry){entry.number, text + at, bytes};
    }
    if (out->count == 0) return cli_fail_at(file, 0, 0, "it has no entry");
    return cluster_chain_fits(out->entries, out->count, &checked, &state) ? CLI_DONE : CLI_BAD_INPUT;
}

static int read_backup(const char *file, const char *map, char *text, size_t size, archive *out) {
    cluster_log_snapshot *s = &out->snapshot;
    char line[LINE_BYTES], named[CLUSTER_NAME_BYTES + 1];
    size_t entries = 0, length = 0;
    if (sscanf(text,
               "# a backup of map %63s snapshot %" SCNu64 " term %" SCNu64 " after %" SCNx64 " state %" SCNx64
               " bytes %zu entries %zu",
               named, &s->entry, &s->term, &s->after, &s->state, &s->size, &entries) == 7) {
        const char *rest = strchr(text, '\n');
        const size_t left = rest ? size - (size_t)(rest + 1 - text) : 0;
        length = rest ? write_line(map, s, entries, wend__hash_bytes(WEND__HASH_START, rest + 1, left), line) : 0;
    }
    if (length == 0 || length > size || memcmp(text, line, length) != 0 || s->size > size - length)
        return cli_fail_at(file, 0, 0, "this is no whole backup of map %s", map);
    if (s->size > 0) s->text = text + length;
    return read_entries(file, text + length + s->size, size - length - s->size, false, out);
}

static int fill_streams(cluster_session *s, archive *b) {
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
    archive b = {.count = 0};
    char *text = cli_read_file(file, MOST_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = read_backup(file, s->map, text, size, &b);
    if (!status) status = cluster_session_make(s, replicas, b.entries[0].sequence);
    if (!status) status = fill_streams(s, &b);
    if (!status)
        printf("map %s: %zu entries, %s\n", s->map, b.count, b.snapshot.text ? "and a snapshot" : "no snapshot");
    free(b.entries);
    free(text);
    return status;
}

/* ---- repair ---- */

static bool same_entry(const session_entry *a, const session_entry *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Finds the first entry of both that differs. @return its number; 0: none does */
static uint64_t find_fork(const cluster_session *s, const archive *journal) {
    const uint64_t first = s->entry_count > 0 ? s->entries[0].sequence : UINT64_MAX,
                   begin = journal->entries[0].sequence;
    for (uint64_t n = first > begin ? first : begin; n - first < s->entry_count && n - begin < journal->count; n++)
        if (!same_entry(&s->entries[n - first], &journal->entries[n - begin])) return n;
    return 0;
}

static int append_rest(cluster_session *s, const archive *journal, uint64_t last) {
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
static int begin_again(cluster_session *s, archive *journal) {
    char what[128], why[CLUSTER_LOG_WHY_BYTES], file[128];
    cluster_log_snapshot snapshot = {.text = NULL};
    const cluster_log_answer got = s->log->snapshot_get(s->log, UINT64_MAX, &snapshot);
    if (got.outcome == CLUSTER_LOG_UNKNOWN) return cli_fail("cluster: map %s: snapshots: %s", s->map, got.why);
    snprintf(what, sizeof what, "STREAM.INFO.WEND_%s", s->map);
    json_t *info = s->log->ask(s->log, what, "", why);
    const json_t *replicas = json_object_get(json_object_get(info, "config"), "num_replicas");
    const uint64_t count = replicas ? (uint64_t)json_integer_value(replicas) : 1;
    json_decref(info);
    snprintf(file, sizeof file, "%s-%ld.backup", s->map, (long)getpid());
    int status = write_backup(s, &snapshot, file);
    for (int i = 0; i < 2 && !status; i++) {
        snprintf(what, sizeof what, "STREAM.DELETE.%s_%s", i == 0 ? "WEND" : "WENDS", s->map);
        json_t *done = s->log->ask(s->log, what, "", why);
        if (!done) status = cli_fail("cluster: %s: %s", what, why);
        json_decref(done);
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

static int repair(cluster_session *s, archive *journal, int32_t keep) {
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
    archive journal = {.count = 0};
    char *text = cli_read_file(file, MOST_BYTES, &size);
    if (!text) return CLI_BAD_INPUT;
    int status = read_entries(file, text, size, true, &journal);
    if (!status) status = cluster_session_need_log(s);
    if (!status) status = cluster_session_read(s, 1);
    if (!status) status = repair(s, &journal, keep);
    free(journal.entries);
    free(text);
    return status;
}
