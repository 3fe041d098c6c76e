/* SPDX-License-Identifier: MIT */
/* Snapshots of the world in the log of a cluster: when one is due, its text, and its entries.
 *
 * The world is kept between two entries, so a snapshot has what the entries before it made. Orders gather until its
 * first piece is written, while a thread of the loop's pool writes its text. Later pieces take turns with orders. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/member.h"
#include "cli/output/messages.h"
#include "serve/serve_log.h"

/// Bytes of a piece: few, so that a slow link has it within the time of an answer, and orders wait for little. One with
/// a long route has more, up to what an entry holds. And the bytes of entries after which a snapshot is due.
enum {
    PIECE_BYTES = 1 << 17,
    MOST_PIECE_BYTES = CLUSTER_ENTRY_BYTES - 512 - SERVE_JOURNAL_SEAL_BYTES,
    DUE_BYTES = 16 << 20
};

struct serve_snapshot {
    serve *server;
    uv_work_t work;
    serve_saved saved; ///< while its text is written, which the thread of the pool does
    bool prepares;
    bool dropped;          ///< meanwhile
    char *text;            ///< NULL: no snapshot is under way
    size_t bytes, at, end; ///< of the text; start of the next piece; end of the one being written
    uint64_t piece, pieces, epoch;
    bool wrote;     ///< the entry before was a piece: others have their turn
    uint64_t again; ///< no snapshot is begun before this entry
    char words[96];
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

static bool write_text(struct serve_snapshot *snapshot) {
    char *lines = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&lines, &count);
    bool good = out && serve_save_write(&snapshot->saved, out);
    if (out) good = fclose(out) == 0 && good;
    out = good ? open_memstream(&snapshot->text, &snapshot->bytes) : NULL;
    if (out) copy_lines(lines, out);
    free(lines);
    return out && fclose(out) == 0;
}

/* Returns where the piece ends that begins at an offset: behind a line that is no change, so each batch is whole. 0: a
 * line is too long. */
static size_t end_of_piece(const struct serve_snapshot *snapshot, size_t at) {
    size_t end = 0;
    for (size_t next = at; next < snapshot->bytes && end < at + PIECE_BYTES;) {
        const char *line = snapshot->text + next;
        next = (size_t)(strchr(line, '\n') + 1 - snapshot->text);
        if (next - at > MOST_PIECE_BYTES) break;
        if (!is_change(line)) end = next;
    }
    return end;
}

static void write_in_pool(uv_work_t *work) {
    struct serve_snapshot *snapshot = work->data;
    if (!write_text(snapshot)) {
        free(snapshot->text);
        snapshot->text = NULL;
    }
    snapshot->pieces = 0;
    for (size_t at = 0; snapshot->text && (at < snapshot->bytes || snapshot->pieces == 0); snapshot->pieces++) {
        at = end_of_piece(snapshot, at);
        if (at > 0 || snapshot->bytes == 0) continue;
        free(snapshot->text);
        snapshot->text = NULL;
    }
}

/* ---- its entries ---- */

/* Where it could not be written, it is tried again after as many entries as one is due after. */
static void end_snapshot(struct serve_snapshot *snapshot, bool failed) {
    const serve *server = snapshot->server;
    const uint64_t entry = serve_node_chain(server).entry;
    snapshot->again = failed ? entry + server->options->snapshot_entries : 0;
    free(snapshot->text);
    snapshot->text = NULL;
}

static void piece_written(void *context, int error) {
    struct serve_snapshot *snapshot = context;
    if (!snapshot->text) return; /* it was dropped */
    snapshot->at = snapshot->end;
    snapshot->wrote = true;
    if (error != 0 || snapshot->piece == snapshot->pieces) end_snapshot(snapshot, error != 0);
}

static void write_piece(struct serve_snapshot *snapshot) {
    serve_journal *journal = serve_log_journal(snapshot->server);
    snapshot->end = end_of_piece(snapshot, snapshot->at);
    snprintf(snapshot->words, sizeof snapshot->words, "snapshot %" PRIu64 " of %" PRIu64 " epoch %" PRIu64,
             ++snapshot->piece, snapshot->pieces, snapshot->epoch);
    if (!serve_journal_insert(journal, snapshot->words, snapshot->text + snapshot->at, snapshot->end - snapshot->at,
                              piece_written, snapshot))
        end_snapshot(snapshot, true);
}

static void text_is_there(uv_work_t *work, int status) {
    struct serve_snapshot *snapshot = work->data;
    serve_journal *journal = serve_log_journal(snapshot->server);
    serve_save_end(&snapshot->saved);
    snapshot->prepares = false;
    if (snapshot->dropped || status != 0 || !snapshot->text)
        end_snapshot(snapshot, !snapshot->dropped);
    else
        write_piece(snapshot);
    serve_journal_hold(journal, false);
    serve_journal_commit(journal);
}

/* ---- when ---- */

/* Land that was unloaded is not in a script: the log of a streamed map is cut by a reset only. */
static bool is_due(const struct serve_snapshot *snapshot) {
    const serve *server = snapshot->server;
    wend_map_info info = {.struct_bytes = sizeof info};
    if (!serve_node_owns(server)) return false;
    const cluster_chain chain = serve_node_chain(server);
    if (chain.entry < snapshot->again) return false;
    if (chain.entry - chain.snapshot < server->options->snapshot_entries && chain.bytes < DUE_BYTES) return false;
    wend_map_get_info(server->world.map, &info);
    return !info.streamed;
}

static void begin_snapshot(struct serve_snapshot *snapshot) {
    serve *server = snapshot->server;
    if (!serve_save_begin(server, true, &snapshot->saved)) {
        end_snapshot(snapshot, true);
        return;
    }
    snapshot->epoch = wend_live_get_epoch(server->clients.live);
    snapshot->piece = snapshot->at = 0;
    snapshot->prepares = true;
    snapshot->dropped = snapshot->wrote = false;
    snapshot->work.data = snapshot;
    serve_journal_hold(serve_log_journal(server), true);
    if (uv_queue_work(&server->loop, &snapshot->work, write_in_pool, text_is_there) != 0)
        text_is_there(&snapshot->work, UV_ENOMEM);
}

void serve_snapshot_step(serve *server) {
    struct serve_snapshot *snapshot = server->snapshot;
    serve_journal *journal = serve_log_journal(server);
    if (!snapshot || snapshot->prepares) return;
    if (snapshot->wrote) serve_journal_commit(journal);
    if (serve_journal_is_writing(journal)) {
        snapshot->wrote = false;
        return;
    }
    if (snapshot->text)
        write_piece(snapshot);
    else if (server->clients.live && is_due(snapshot))
        begin_snapshot(snapshot);
}

void serve_snapshot_drop(serve *server) {
    struct serve_snapshot *snapshot = server->snapshot;
    if (!snapshot) return;
    snapshot->dropped = true;
    if (snapshot->prepares) {
        serve_journal_hold(serve_log_journal(server), false);
        serve_journal_commit(serve_log_journal(server));
        return;
    }
    free(snapshot->text);
    snapshot->text = NULL;
}

bool serve_snapshot_open(serve *server) {
    server->snapshot = calloc(1, sizeof *server->snapshot);
    if (server->snapshot) server->snapshot->server = server;
    return server->snapshot;
}

void serve_snapshot_end(serve *server) {
    serve_snapshot_drop(server);
    while (server->snapshot && server->snapshot->prepares) uv_run(&server->loop, UV_RUN_ONCE);
}

void serve_snapshot_close(serve *server) {
    free(server->snapshot);
    server->snapshot = NULL;
}
