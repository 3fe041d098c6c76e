/* SPDX-License-Identifier: MIT */
/* Requests that outlive the server, with --journal-requests: each is on disk before its client is told `ok`, and a
 * restart submits again what was not answered. They have a file of their own beside the journal, as they are over soon:
 * it begins again when most of it is. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal.h"
#include "cli/journal/journal_requests.h"
#include "cli/serve/serve.h"
#include "cli/shared/messages.h"

struct serve_requests {
    serve_journal *journal;
    char *file;
    kept_requests kept;
    uint64_t begin_at; ///< the file begins again when it has so many bytes
    bool committed;    ///< a commit began since the last frame
    bool lines;        ///< the record that is being made has some
};

/// The least bytes with which the file begins again, and how many times those that are needed.
enum { LEAST_BYTES = 1 << 20, TIMES = 4 };

/* ---- on their way to the disk ---- */

/// A record on its way, and who waits for it.
typedef struct wait {
    serve *server;
    uint64_t reference;
    kept_request *request;
    char *change; ///< its line; NULL: the request itself
} wait;

static void answer(const wait *w, int error) {
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    if (w->server->closed) return;
    if (error != 0) serve_refuse(&reply, WEND_LIVE_BUSY, strerror(error));
    wend_live_answer(w->server->live, w->reference, &reply);
}

static void written(void *context, int error) {
    wait *w = context;
    kept_requests *kept = &w->server->requests->kept;
    if (error != 0 && w->change != NULL)
        kept_requests_unchange(kept, w->request, w->change);
    else if (error != 0)
        kept_requests_remove(kept, w->request);
    if (w->change != NULL) kept_requests_release(w->request);
    answer(w, error);
    free(w->change);
    free(w);
}

/* @return false: it is not kept, and written() is not called */
static bool write_record(struct serve_requests *requests, wait *w) {
    const char *line = w->change != NULL ? w->change : w->request->lines;
    serve_journal_put(requests->journal, line, strlen(line));
    requests->lines = false;
    return serve_journal_end_record(requests->journal, written, w) == 0;
}

static void *keep(serve *server, uint64_t reference, const wend_live_keep *message) {
    struct serve_requests *requests = server->requests;
    kept_requests *all = &requests->kept;
    const bool change = message->what == WEND_LIVE_KEEP_CHANGE;
    wait *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    *w = (wait){.server = server, .reference = reference, .request = message->kept};
    const size_t bytes = (size_t)message->message_bytes;
    if (change)
        w->change = kept_requests_change(all, w->request, message->message, bytes);
    else
        w->request = kept_requests_add(all, message->session, message->secret, message->message, bytes);
    kept_request *request = w->request;
    if (request != NULL && (!change || w->change != NULL)) {
        if (write_record(requests, w)) return request;
        if (change) kept_requests_unchange(all, request, w->change), kept_requests_release(request);
        if (!change) kept_requests_remove(all, request);
    }
    free(w->change);
    free(w);
    return NULL;
}

static void put_done(struct serve_requests *requests, kept_request *request) {
    serve_journal_line(requests->journal, "# done %llu", (unsigned long long)request->number);
    requests->lines = true;
    kept_requests_remove(&requests->kept, request);
}

void *serve_requests_keep(void *context, uint64_t reference, const wend_live_keep *message) {
    serve *server = context;
    struct serve_requests *requests = server->requests;
    kept_request *request = message->kept;
    if (message->what == WEND_LIVE_KEEP_DONE) {
        put_done(requests, request);
        return NULL;
    }
    void *kept = keep(server, reference, message);
    if (kept != NULL && !requests->committed) {
        serve_requests_frame(server);
        requests->committed = true;
    }
    return kept;
}

/* ---- frames ---- */

static void begun_again(void *context, int error) {
    const serve *server = context;
    struct serve_requests *requests = server->requests;
    const uint64_t bytes = error == 0 ? requests->kept.bytes * TIMES : serve_journal_bytes(requests->journal);
    requests->begin_at = bytes + LEAST_BYTES;
}

/* The file gets those only that are not over. */
static void begin_again(serve *server) {
    struct serve_requests *requests = server->requests;
    serve_journal_discard(requests->journal);
    requests->lines = false;
    for (const kept_request *at = requests->kept.first; at != NULL; at = at->next)
        serve_journal_put(requests->journal, at->lines, strlen(at->lines));
    requests->begin_at = UINT64_MAX;
    const int error = serve_journal_begin_again(requests->journal, begun_again, server);
    if (error != 0) begun_again(server, error);
}

void serve_requests_frame(serve *server) {
    struct serve_requests *requests = server->requests;
    if (requests == NULL) return;
    const bool writing = serve_journal_is_writing(requests->journal);
    const bool full = serve_journal_bytes(requests->journal) > requests->begin_at;
    requests->committed = writing && full; /* no other commit goes before the new file */
    if (writing) return;
    if (full) begin_again(server);
    if (requests->lines) serve_journal_end_record(requests->journal, NULL, NULL);
    requests->lines = false;
    serve_journal_commit(requests->journal);
}

/* ---- the beginning and the end ---- */

static int open_file(serve *server, struct serve_requests *requests) {
    serve_journal_past past;
    if (asprintf(&requests->file, "%s.requests", server->options->journal) < 0) return cli_fail("out of memory");
    int status = serve_journal_read(requests->file, server->options->world, &past);
    if (status != -1) return status;
    status = kept_requests_read(&requests->kept, requests->file, &past);
    if (status == -1) status = serve_journal_open(&server->loop, requests->file, &past, &requests->journal);
    serve_journal_forget(&past);
    return status;
}

static void free_requests(struct serve_requests *requests) {
    kept_requests_free(&requests->kept);
    free(requests->file);
    free(requests);
}

int serve_requests_open(serve *server) {
    if (!server->options->journal_requests) return -1;
    struct serve_requests *requests = calloc(1, sizeof *requests);
    if (requests == NULL) return cli_fail("out of memory");
    requests->begin_at = LEAST_BYTES;
    const int status = open_file(server, requests);
    if (status == -1)
        server->requests = requests;
    else
        free_requests(requests);
    return status;
}

static int restore(const serve *server, kept_request *request) {
    kept_message message = {0};
    wend_live_keep keep = {.struct_bytes = sizeof keep, .what = WEND_LIVE_KEEP_REQUEST, .kept = request};
    int error = 0;
    while (error == 0 && kept_requests_message(request, &message)) {
        keep.session = message.session;
        keep.secret = message.secret;
        keep.message = message.text;
        keep.message_bytes = message.bytes;
        error = wend_live_restore(server->live, &keep);
        keep.what = WEND_LIVE_KEEP_CHANGE;
    }
    return error;
}

int serve_requests_restore(serve *server) {
    if (server->requests == NULL) return -1;
    for (kept_request *at = server->requests->kept.first, *next; at != NULL; at = next) {
        next = at->next;
        const int error = restore(server, at);
        if (error == 0) continue;
        if (error == UV_EEXIST) { /* its session had ended, and another one has the name */
            put_done(server->requests, at);
            continue;
        }
        return cli_fail_at(server->requests->file, 0, 0, "request %llu cannot be put back: %s",
                           (unsigned long long)at->number, uv_strerror(error));
    }
    return -1;
}

void serve_requests_close(serve *server) {
    struct serve_requests *requests = server->requests;
    if (requests == NULL) return;
    if (requests->lines) serve_journal_end_record(requests->journal, NULL, NULL);
    serve_journal_close(requests->journal);
    free_requests(requests);
    server->requests = NULL;
}
