/* SPDX-License-Identifier: MIT */
/* Snapshots of a cluster's map: when one is due, its text, and what is removed behind it.
 *
 * A snapshot has the world behind a check entry, and must reproduce its hash. The world is copied between two
 * entries; a thread of the loop's pool writes its text and sends it, while orders go on. Its text is an entry that
 * begins the world: a head, and the orders that turn the file's world into this one. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/output/messages.h"
#include "journal/journal_read.h"
#include "serve/serve_node.h"

/// Entries that stay in the log behind a snapshot, for nodes that are a little late.
enum { KEPT_ENTRIES = 1024 };

struct serve_snapshot {
    serve *server;
    uv_work_t work;
    serve_saved saved; ///< copy for its text, which the thread of the pool writes
    bool busy;
    cluster_log_snapshot newest;  ///< the last acknowledged one, or the one begun at; entry 0: none
    cluster_log_snapshot written; ///< the current one, and its outcome
    cluster_log_answer answer;
    uint64_t purged; ///< the log's first entry from then on; 0: nothing was removed
    uint64_t again;  ///< entry before which none is begun
    char *begin;     ///< beginning of its text: the head, the epoch, lines of orders' numbers
};

/* ---- the text ---- */

static bool is_change(const char *line) {
    static const char *const words[] = {"set ", "fill ", "step ", "link ", "unlink "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0) return true;
    return false;
}

/* Copies the lines, and ends each batch of changes: a piece can end there. */
static void copy_lines(const char *from, FILE *out) {
    enum { BATCH = 1000 };
    size_t changes = 0;
    for (const char *line = from, *next; *line != '\0'; line = next) {
        next = strchr(line, '\n') + 1;
        const bool changes_map = is_change(line);
        if (changes > 0 && (!changes_map || changes == BATCH)) fputs("publish\n", out), changes = 0;
        changes += changes_map;
        fwrite(line, 1, (size_t)(next - line), out);
    }
    if (changes > 0) fputs("publish\n", out);
}

static void put_seal(FILE *out, const char *const *text, const size_t *size) {
    char seal[SERVE_JOURNAL_SEAL_BYTES + 1];
    fflush(out);
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, *text, *size), seal);
    fputs(seal, out);
}

static bool write_text(struct serve_snapshot *snapshot) {
    cluster_log_snapshot *made = &snapshot->written;
    char *lines = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&lines, &count);
    bool good = out && serve_save_write(&snapshot->saved, out);
    if (out) good = fclose(out) == 0 && good;
    out = good ? open_memstream(&made->text, &made->size) : NULL;
    if (out) {
        fputs(snapshot->begin, out);
        copy_lines(lines, out);
        put_seal(out, (const char *const *)&made->text, &made->size);
    }
    free(lines);
    return out && fclose(out) == 0;
}

/* ---- on the thread of the pool ---- */

/* If the log cannot be cut, or an older snapshot not removed, the next one does it. */
static void write_in_pool(uv_work_t *work) {
    struct serve_snapshot *snapshot = work->data;
    cluster_log *log = snapshot->server->node->log;
    cluster_log_snapshot *made = &snapshot->written;
    snapshot->answer = (cluster_log_answer){.outcome = CLUSTER_LOG_FAILED, .why = "no memory"};
    snapshot->purged = 0;
    if (!write_text(snapshot)) return;
    snapshot->answer = log->snapshot_put(log, made);
    if (snapshot->answer.outcome != CLUSTER_LOG_DONE || made->entry <= KEPT_ENTRIES) return;
    const uint64_t first = made->entry - KEPT_ENTRIES;
    if (log->purge(log, first, made->first).outcome == CLUSTER_LOG_DONE) snapshot->purged = first;
}

/* ---- on the loop ---- */

static void is_written(uv_work_t *work, int status) {
    struct serve_snapshot *snapshot = work->data;
    serve *server = snapshot->server;
    cluster_log_snapshot *made = &snapshot->written;
    snapshot->busy = false;
    serve_save_end(&snapshot->saved);
    free(snapshot->begin);
    free(made->text);
    made->text = NULL;
    if (status == 0 && snapshot->answer.outcome == CLUSTER_LOG_DONE) {
        snapshot->newest = *made;
        if (snapshot->purged == 0) return;
        server->node->purged = snapshot->purged;
        cluster_copy_cut(&server->node->copy, snapshot->purged);
        return;
    }
    snapshot->again = made->entry + server->options->snapshot_entries;
    cli_note("serve: the snapshot of entry %" PRIu64 " is not written: %s", made->entry, snapshot->answer.why);
}

/* Unloaded land is not in a script: the log of a streamed map is cut by a reset only. */
bool serve_snapshot_is_due(const serve *server, uint64_t number) {
    const struct serve_snapshot *snapshot = server->snapshot;
    wend_map_info info = {.struct_bytes = sizeof info};
    if (snapshot->busy || number < snapshot->again) return false;
    if (number - snapshot->newest.entry < server->options->snapshot_entries) return false;
    wend_map_get_info(server->world.map, &info);
    return !info.streamed;
}

static char *write_begin(const serve *server, const cluster_term *term) {
    cluster_entry entry = cluster_term_next(term, server->node->map, CLUSTER_KIND_HEAD);
    char head[CLUSTER_HEAD_BYTES], *text = NULL;
    size_t size = 0;
    entry.number = term->number;
    entry.world = server->node->world;
    const size_t length = cluster_entry_write(&entry, true, head);
    FILE *out = length > 0 ? open_memstream(&text, &size) : NULL;
    if (!out) return NULL;
    fwrite(head, 1, length, out);
    fprintf(out, SERVE_SNAPSHOT_EPOCH "%" PRIu64 "\n", live_get_epoch(server->clients.live));
    serve_once_write(&server->once, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

void serve_snapshot_at_check(serve *server, uint64_t state) {
    struct serve_snapshot *snapshot = server->snapshot;
    const cluster_term term = cluster_member_term(server->node->member);
    if (!server->clients.live) return; /* the server ends */
    if (!serve_node_owns(server) || !serve_snapshot_is_due(server, term.number)) return;
    if (!serve_save_begin(server, true, &snapshot->saved)) return;
    snapshot->begin = write_begin(server, &term);
    snapshot->written =
        (cluster_log_snapshot){.entry = term.number, .term = term.term, .after = term.hash, .state = state};
    snapshot->busy = snapshot->begin;
    snapshot->work.data = snapshot;
    if (!snapshot->busy || uv_queue_work(&server->loop, &snapshot->work, write_in_pool, is_written) != 0) {
        serve_save_end(&snapshot->saved);
        free(snapshot->begin);
        snapshot->busy = false;
    }
}

void serve_snapshot_seen(const serve *server, const cluster_log_snapshot *snapshot) {
    server->snapshot->newest = *snapshot;
}

bool serve_snapshot_open(serve *server) {
    server->snapshot = calloc(1, sizeof *server->snapshot);
    if (server->snapshot) server->snapshot->server = server;
    return server->snapshot;
}

void serve_snapshot_close(serve *server) {
    while (server->snapshot && server->snapshot->busy) uv_run(&server->loop, UV_RUN_ONCE);
    free(server->snapshot);
    server->snapshot = NULL;
    serve_state_forget(server);
}
