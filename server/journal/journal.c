/* SPDX-License-Identifier: MIT */
/* Appends records to a journal, many with one sync, on a thread of the loop's pool. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/must/must.h"
#include "base/array.h"
#include "base/fault.h"
#include "base/hash.h"
#include "journal/journal.h"
#include "cli/output/messages.h"

/// The most bytes that wait for a commit.
enum { MOST_WAITING_BYTES = 1 << 26 };
/// The most records of an entry.
enum { MOST_GATHERED = 1024 };

/// The most bytes of the lines that begin an entry, with their seal.
enum { HEAD_BYTES = 512 };

/// A record, and its waiter.
typedef struct waiter {
    serve_journal_fn *done;
    void *context;
    size_t end; ///< end of the record in the group's bytes
} waiter;

/// Records that are written together.
typedef struct group {
    char *bytes;
    size_t used, capacity;
    waiter *waiters;
    size_t count, waiter_capacity;
    bool fresh;                     ///< the records begin a new file
    const char *words;              ///< words of an inserted entry; NULL: not inserted
    const serve_journal_save *save; ///< save to write first; NULL: none
} group;

struct serve_journal {
    uv_loop_t *loop;
    serve_journal_file file;
    serve_journal_sink sink; ///< replaces the file, if it has functions
    group gathering;         ///< records, then the lines of the next one
    group writing;           ///< the current commit
    size_t record;           ///< beginning of the next record in the gathering group
    int line_error;          ///< a line of the next record got no memory
    int broken;              ///< an errno: a sync failed, so the contents of the disk are unknown
    uint64_t bytes;          ///< synced bytes of the file
    uint64_t hash;           ///< hash of these bytes
    uint64_t records;        ///< records written since the journal was opened
    bool busy;               ///< a commit is under way
    void (*idle)(void *context);
    void *idle_context;
    uv_work_t work;
    /* While `busy`, the thread of the pool owns these and `file`, and reads whether the group is fresh. */
    char *sealed; ///< the bytes to write
    size_t sealed_bytes;
    uint64_t sealed_hash;
    serve_journal_outcome outcome;
};

/* ---- gathering ---- */

void serve_journal_put(void *journal_of, const char *bytes, size_t size) {
    serve_journal *journal = journal_of;
    group *g = &journal->gathering;
    if (!WEND__ARRAY_ROOM(g->bytes, g->capacity, g->used + size)) {
        journal->line_error = ENOMEM;
        return;
    }
    memcpy(g->bytes + g->used, bytes, size);
    g->used += size;
}

void serve_journal_line(serve_journal *journal, const char *format, ...) {
    group *g = &journal->gathering;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0 || !WEND__ARRAY_ROOM(g->bytes, g->capacity, g->used + (size_t)length + 1)) {
        journal->line_error = ENOMEM;
    } else {
        vsnprintf(g->bytes + g->used, (size_t)length + 1, format, again);
        g->used += (size_t)length;
        g->bytes[g->used++] = '\n';
    }
    va_end(again);
    va_end(arguments);
}

static void discard_lines(serve_journal *journal) {
    journal->gathering.used = journal->record;
    journal->line_error = 0;
}

/* Bytes of a group with its seals. */
static size_t sealed_size(const group *g) {
    return g->used + g->count * SERVE_JOURNAL_SEAL_BYTES;
}

/* Returns why the record cannot be taken, or 0. */
static int refuse(const serve_journal *journal) {
    const group *g = &journal->gathering;
    const uint64_t others =
        g->fresh || journal->sink.append ? 0 : journal->bytes + (journal->busy ? sealed_size(&journal->writing) : 0);
    if (journal->broken != 0) return journal->broken;
    if (journal->line_error != 0) return journal->line_error;
    if (journal->sink.append && sealed_size(g) + HEAD_BYTES > journal->sink.most_bytes(journal->sink.context))
        return g->count == 0 ? EFBIG : ENOBUFS;
    if (journal->sink.append && g->count >= MOST_GATHERED) return ENOBUFS;
    if (g->used > MOST_WAITING_BYTES) return ENOBUFS;
    if (others + sealed_size(g) + SERVE_JOURNAL_SEAL_BYTES > SERVE_JOURNAL_MOST_BYTES) return EFBIG;
    return 0;
}

/* Checks the records that gather: each ends behind those before it, the last where the next one begins. */
static void check_group(const serve_journal *journal) {
    const group *g = &journal->gathering;
    const size_t last = g->count - 1;
    MUST(g->count > 0 && g->count <= g->waiter_capacity && g->used <= g->capacity);
    MUST(g->waiters[last].end == journal->record && journal->record == g->used);
    MUST(last == 0 || g->waiters[last - 1].end <= g->waiters[last].end);
    MUST(journal->busy || journal->writing.count == 0);
}

int serve_journal_end_record(serve_journal *journal, serve_journal_fn *done, void *context) {
    group *g = &journal->gathering;
    int error = refuse(journal);
    if (error == 0 && !WEND__ARRAY_ROOM(g->waiters, g->waiter_capacity, g->count + 1)) error = ENOMEM;
    if (error != 0) {
        discard_lines(journal);
        return error;
    }
    g->waiters[g->count++] = (waiter){done, context, g->used};
    journal->record = g->used;
    check_group(journal);
    return 0;
}

int serve_journal_restart(serve_journal *journal, serve_journal_fn *done, void *context) {
    return serve_journal_restart_from(journal, NULL, done, context);
}

int serve_journal_restart_from(serve_journal *journal, const serve_journal_save *save, serve_journal_fn *done,
                               void *context) {
    group *g = &journal->gathering;
    const bool fresh = g->fresh;
    discard_lines(journal);
    serve_journal_line(journal, "# the world begins again");
    if (save) serve_journal_put(journal, save->lines, strlen(save->lines));
    g->fresh = true;
    const int error = serve_journal_end_record(journal, done, context);
    if (error != 0) {
        g->fresh = fresh;
        return error;
    }
    g->save = save;
    /* Earlier records are not written; their waiters are called when this record is on disk. */
    const size_t own = g->count > 1 ? g->waiters[g->count - 2].end : 0;
    memmove(g->bytes, g->bytes + own, g->used - own);
    g->used -= own;
    for (size_t i = 0; i + 1 < g->count; i++) g->waiters[i].end = 0;
    g->waiters[g->count - 1].end = g->used;
    journal->record = g->used;
    check_group(journal);
    return 0;
}

/* ---- a commit ---- */

/* The bytes of the group with a seal behind each record. */
static bool seal_group(serve_journal *journal) {
    const group *g = &journal->writing;
    uint64_t hash = g->fresh ? journal->file.head_hash : journal->hash;
    char *out = malloc(HEAD_BYTES + sealed_size(g) + 1);
    journal->sealed = out;
    journal->sealed_bytes = 0;
    if (!out) return false;
    if (journal->sink.append) {
        const char *words = g->words ? g->words : g->fresh ? "fresh" : "";
        out += journal->sink.head(journal->sink.context, words, out, HEAD_BYTES - SERVE_JOURNAL_SEAL_BYTES - 1);
        hash = wend__hash_bytes(WEND__HASH_START, journal->sealed, (size_t)(out - journal->sealed));
        serve_journal_seal(hash, out);
        hash = wend__hash_bytes(hash, out, SERVE_JOURNAL_SEAL_BYTES);
        out += SERVE_JOURNAL_SEAL_BYTES;
    }
    for (size_t i = 0, at = 0; i < g->count; i++) {
        const size_t size = g->waiters[i].end - at;
        if (size == 0) continue; /* a record before a restart, or one without lines */
        memcpy(out, g->bytes + at, size);
        hash = wend__hash_bytes(hash, out, size);
        serve_journal_seal(hash, out + size);
        hash = wend__hash_bytes(hash, out + size, SERVE_JOURNAL_SEAL_BYTES);
        out += size + SERVE_JOURNAL_SEAL_BYTES;
        at += size;
    }
    journal->sealed_bytes = (size_t)(out - journal->sealed);
    MUST(journal->sealed_bytes <= HEAD_BYTES + sealed_size(g));
    journal->sealed_hash = hash;
    return true;
}

static void write_sealed(uv_work_t *work) {
    serve_journal *journal = work->data;
    const serve_journal_sink *sink = &journal->sink;
    const serve_journal_save *save = journal->writing.save;
    if (save) journal->outcome = serve_journal_file_save(save);
    if (save && journal->outcome.error != 0) return;
    journal->outcome = sink->append ? sink->append(sink->context, journal->sealed, journal->sealed_bytes)
                       : journal->writing.fresh
                           ? serve_journal_file_replace(&journal->file, journal->sealed, journal->sealed_bytes)
                           : serve_journal_file_append(&journal->file, journal->sealed, journal->sealed_bytes);
}

static void call_waiters(serve_journal *journal, group *told, int error) {
    size_t end = 0;
    for (size_t i = 0; i < told->count; i++) {
        journal->records += error == 0 && told->waiters[i].end > end;
        end = told->waiters[i].end;
        if (told->waiters[i].done) told->waiters[i].done(told->waiters[i].context, error);
    }
    free(told->bytes);
    free(told->waiters);
}

/* The groups are free before their waiters are called, as these may end further records. Records behind one whose
 * outcome is unknown were not sent. */
static void end_commit(serve_journal *journal, int error) {
    MUST(journal->busy);
    group told = journal->writing, behind = {0};
    journal->writing = (group){0};
    journal->busy = false;
    free(journal->sealed);
    journal->sealed = NULL;
    if (error != 0 && !journal->gathering.fresh && !told.words) {
        discard_lines(journal);
        behind = journal->gathering;
        journal->gathering = (group){0};
        journal->record = 0;
    }
    call_waiters(journal, &told, error);
    call_waiters(journal, &behind, journal->sink.append && error == ETIMEDOUT ? ENOTCONN : error);
    if (journal->idle) journal->idle(journal->idle_context);
}

/* Takes the outcome of a commit, and reports it to the waiters. */
static void finish_commit(serve_journal *journal) {
    const serve_journal_outcome outcome = journal->outcome;
    if (outcome.error == 0) {
        MUST(journal->sink.append || journal->writing.fresh || journal->file.bytes >= journal->bytes);
        journal->bytes = journal->sink.append ? journal->bytes + journal->sealed_bytes : journal->file.bytes;
        journal->hash = journal->sealed_hash;
    }
    if (outcome.broken) journal->broken = outcome.error;
    end_commit(journal, outcome.error);
}

static void written(uv_work_t *work, int status) {
    serve_journal *journal = work->data;
    if (status != 0) journal->outcome = (serve_journal_outcome){ECANCELED, false};
    finish_commit(journal);
}

/* Takes the gathered records for writing; the lines of the unfinished record stay. */
static void begin_group(serve_journal *journal) {
    group *g = &journal->gathering, next = {0};
    const size_t begun = g->used - journal->record;
    if (begun > 0 && !WEND__ARRAY_ROOM(next.bytes, next.capacity, begun)) {
        journal->line_error = ENOMEM;
    } else if (begun > 0) {
        memcpy(next.bytes, g->bytes + journal->record, begun);
        next.used = begun;
    }
    journal->writing = *g;
    journal->writing.used = journal->record;
    journal->gathering = next;
    journal->record = 0;
}

/* @return false: the group's waiters got the error */
static bool prepare_group(serve_journal *journal) {
    journal->busy = true;
    if (journal->broken == 0 && seal_group(journal)) return true;
    end_commit(journal, journal->broken != 0 ? journal->broken : ENOMEM);
    return false;
}

static bool prepare_commit(serve_journal *journal) {
    begin_group(journal);
    return prepare_group(journal);
}

static void begin_writing(serve_journal *journal) {
    journal->work.data = journal;
    const int error = uv_queue_work(journal->loop, &journal->work, write_sealed, written);
    if (error != 0) end_commit(journal, -error);
}

void serve_journal_commit(serve_journal *journal) {
    if (journal->busy || journal->gathering.count == 0 || !prepare_commit(journal)) return;
    begin_writing(journal);
}

bool serve_journal_insert(serve_journal *journal, const char *words, const char *lines, size_t size,
                          serve_journal_fn *done, void *context) {
    group *g = &journal->writing;
    if (!WEND__ARRAY_ROOM(g->bytes, g->capacity, size + 1) || !WEND__ARRAY_ROOM(g->waiters, g->waiter_capacity, 1)) {
        free(g->bytes);
        *g = (group){0};
        return false;
    }
    memcpy(g->bytes, lines, size);
    g->used = size;
    g->waiters[g->count++] = (waiter){done, context, size};
    g->words = words;
    if (prepare_group(journal)) begin_writing(journal);
    return true;
}

void serve_journal_on_idle(serve_journal *journal, void (*idle)(void *context), void *context) {
    journal->idle = idle;
    journal->idle_context = context;
}

bool serve_journal_is_writing(const serve_journal *journal) {
    return journal->busy;
}

size_t serve_journal_waiting(const serve_journal *journal) {
    return journal->gathering.count + journal->writing.count;
}

uint64_t serve_journal_records(const serve_journal *journal) {
    return journal->records;
}

uint64_t serve_journal_bytes(const serve_journal *journal) {
    return journal->bytes;
}

/* ---- begin and end ---- */

static serve_journal *make_journal(uv_loop_t *loop) {
    serve_journal *journal = calloc(1, sizeof *journal);
    if (journal) journal->loop = loop;
    return journal;
}

int serve_journal_open(uv_loop_t *loop, const char *file, const serve_journal_past *past, serve_journal **out) {
    serve_journal *journal = make_journal(loop);
    if (!journal) return cli_fail("out of memory");
    const int status = serve_journal_file_open(&journal->file, file, past);
    journal->bytes = journal->file.bytes;
    journal->hash = journal->file.hash;
    if (!status)
        *out = journal;
    else
        free(journal);
    return status;
}

serve_journal *serve_journal_open_sink(uv_loop_t *loop, const serve_journal_sink *sink) {
    serve_journal *journal = make_journal(loop);
    if (!journal) return NULL;
    journal->sink = *sink;
    return journal;
}

void serve_journal_close(serve_journal *journal) {
    discard_lines(journal);
    journal->idle = NULL;
    while (journal->busy) uv_run(journal->loop, UV_RUN_ONCE);
    while (journal->gathering.count > 0 || journal->busy) { /* a waiter may end one more, and begin a commit */
        if (journal->busy && journal->gathering.count == 0 && WEND__FAULT("journal-under-writer")) break;
        if (journal->busy) uv_run(journal->loop, UV_RUN_ONCE);
        if (journal->busy || journal->gathering.count == 0 || !prepare_commit(journal)) continue;
        journal->work.data = journal;
        write_sealed(&journal->work);
        finish_commit(journal);
    }
    if (!journal->sink.append) serve_journal_file_close(&journal->file);
    free(journal->gathering.bytes);
    free(journal->gathering.waiters);
    free(journal);
}
