/* SPDX-License-Identifier: MIT */
/* A map's log in NATS JetStream: appends, snapshots, opening and end.
 *
 * A publish names the stream's last sequence known to its writer, and the stream refuses it if that differs.
 * The subject's sequence, or an id of the message, would not do: with replicas it is compared too early. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/log_nats.h"
#include "store/log_pieces.h"

static nats_log *of(cluster_log *log) {
    return (nats_log *)(void *)log;
}

/* ---- appending ---- */

static cluster_log_answer answer_of(cluster_log_outcome outcome, const char *why) {
    cluster_log_answer answer = {.outcome = outcome};
    snprintf(answer.why, sizeof answer.why, "%s", why);
    return answer;
}

static cluster_log_answer judge_error(nats_log *log, const json_t *error) {
    const int64_t code = cluster_nats_number(error, "err_code");
    char why[CLUSTER_LOG_WHY_BYTES];
    cluster_log_outcome outcome = CLUSTER_LOG_UNKNOWN;
    snprintf(why, sizeof why, "%s", cluster_nats_text(error, "description"));
    if (code == LOG_ERROR_LAST_SEQUENCE || code == LOG_ERROR_LAST_SEQUENCE_CONSTANT) outcome = CLUSTER_LOG_REFUSED;
    if (code == LOG_ERROR_TOO_LARGE) outcome = CLUSTER_LOG_TOO_LARGE;
    if (code == LOG_ERROR_INSUFFICIENT || code == LOG_ERROR_OFF || code == LOG_ERROR_ACCOUNT_FULL ||
        code == LOG_ERROR_OTHER_STREAM || code == LOG_ERROR_NO_STREAM)
        outcome = CLUSTER_LOG_FAILED; /* a server judges these before it proposes the message */
    if (code == LOG_ERROR_INSUFFICIENT || code == LOG_ERROR_OFF) {
        uv_mutex_lock(&log->mutex);
        snprintf(why, sizeof why, "JetStream is off or full at %.100s: restart it", log->state.server);
        log->check_now = true;
        uv_mutex_unlock(&log->mutex);
    }
    return answer_of(outcome, why);
}

static cluster_log_answer publish_fenced(nats_log *log, const char *subject, const char *stream, uint64_t expected,
                                         const char *bytes, size_t size) {
    bool sent;
    natsMsg *message = nats_log_ask(log, subject, stream, expected, bytes, size, &sent);
    if (!sent) return answer_of(CLUSTER_LOG_FAILED, "no connection");
    if (!message) return answer_of(CLUSTER_LOG_UNKNOWN, "no answer");
    if (natsMsg_IsNoResponders(message)) {
        natsMsg_Destroy(message);
        return answer_of(CLUSTER_LOG_FAILED, "no server takes it: JetStream is off, or the stream has no leader");
    }
    json_t *json = cluster_nats_parse(message);
    const json_t *error = json_object_get(json, "error");
    cluster_log_answer answer = error  ? judge_error(log, error)
                                : json ? answer_of(CLUSTER_LOG_DONE, "")
                                       : answer_of(CLUSTER_LOG_UNKNOWN, "an answer that is no JSON");
    if (answer.outcome == CLUSTER_LOG_DONE) answer.sequence = (uint64_t)cluster_nats_number(json, "seq");
    json_decref(json);
    natsMsg_Destroy(message);
    return answer;
}

/* @return FAILED with the reason if nothing can be written now */
static cluster_log_answer may_write(nats_log *log, size_t size) {
    if (log->def.read_only) return answer_of(CLUSTER_LOG_FAILED, "this node is read-only");
    uv_mutex_lock(&log->mutex);
    const bool large = log->most_entry_bytes > 0 && size > log->most_entry_bytes;
    cluster_log_answer answer = answer_of(large               ? CLUSTER_LOG_TOO_LARGE
                                          : log->state.usable ? CLUSTER_LOG_DONE
                                                              : CLUSTER_LOG_FAILED,
                                          large               ? "more bytes than a server takes"
                                          : log->state.usable ? ""
                                                              : log->state.why);
    uv_mutex_unlock(&log->mutex);
    return answer;
}

static cluster_log_answer append_entry(cluster_log *of_log, uint64_t expected, const char *bytes, size_t size) {
    nats_log *log = of(of_log);
    char subject[CLUSTER_SUBJECT_BYTES];
    const cluster_log_answer may = may_write(log, size);
    if (may.outcome != CLUSTER_LOG_DONE) return may;
    snprintf(subject, sizeof subject, "wend.log.%s", log->map);
    return publish_fenced(log, subject, log->stream, expected, bytes, size);
}

/* Gets the sequences of a stream. @return false: `why` has the reason */
static bool ask_sequences(nats_log *log, const char *stream, uint64_t *first, uint64_t *last, char *why) {
    char subject[CLUSTER_SUBJECT_BYTES];
    int64_t error;
    snprintf(subject, sizeof subject, "$JS.API.STREAM.INFO.%s", stream);
    json_t *info = nats_log_ask_json(log, subject, "", &error, why);
    const json_t *state = json_object_get(info, "state");
    *first = (uint64_t)cluster_nats_number(state, "first_seq");
    *last = (uint64_t)cluster_nats_number(state, "last_seq");
    json_decref(info);
    return info != NULL;
}

static cluster_log_answer put_piece(void *context, uint64_t expected, const char *bytes, size_t size) {
    nats_log *log = context;
    char subject[CLUSTER_SUBJECT_BYTES];
    snprintf(subject, sizeof subject, "wend.snap.%s", log->map);
    return publish_fenced(log, subject, log->snaps, expected, bytes, size);
}

static cluster_log_answer put_snapshot(cluster_log *of_log, cluster_log_snapshot *snapshot) {
    nats_log *log = of(of_log);
    char why[CLUSTER_LOG_WHY_BYTES];
    uint64_t first, last;
    const cluster_log_answer may = may_write(log, 0);
    if (may.outcome != CLUSTER_LOG_DONE) return may;
    if (!ask_sequences(log, log->snaps, &first, &last, why)) return answer_of(CLUSTER_LOG_FAILED, why);
    return cluster_pieces_put(snapshot, last, put_piece, log);
}

/* The stream's leader answers, so no message is older than it is. */
static char *get_piece(void *context, uint64_t sequence, size_t *size, cluster_log_answer *answer) {
    nats_log *log = context;
    char subject[CLUSTER_SUBJECT_BYTES], bytes[64], why[CLUSTER_LOG_WHY_BYTES] = "out of memory";
    int64_t error;
    snprintf(subject, sizeof subject, "$JS.API.STREAM.MSG.GET.%s", log->snaps);
    snprintf(bytes, sizeof bytes, "{\"seq\":%" PRIu64 "}", sequence);
    json_t *json = nats_log_ask_json(log, subject, bytes, &error, why);
    const json_t *data = json_object_get(json_object_get(json, "message"), "data");
    char *out = json ? cluster_nats_decode(json_string_value(data), json_string_length(data), size) : NULL;
    json_decref(json);
    *answer = answer_of(error == LOG_ERROR_NO_MESSAGE ? CLUSTER_LOG_REFUSED : CLUSTER_LOG_UNKNOWN, why);
    return out;
}

static cluster_log_answer get_snapshot(cluster_log *of_log, uint64_t before, cluster_log_snapshot *out) {
    nats_log *log = of(of_log);
    char why[CLUSTER_LOG_WHY_BYTES];
    uint64_t first, last;
    if (!ask_sequences(log, log->snaps, &first, &last, why)) return answer_of(CLUSTER_LOG_UNKNOWN, why);
    if (last == 0) return answer_of(CLUSTER_LOG_REFUSED, "there is no snapshot");
    return cluster_pieces_get(first, before <= last ? before : last + 1, get_piece, log, out);
}

static cluster_log_answer purge_one(nats_log *log, const char *stream, uint64_t keep) {
    char subject[CLUSTER_SUBJECT_BYTES], bytes[64], why[CLUSTER_LOG_WHY_BYTES];
    int64_t error;
    if (keep <= 1) return answer_of(CLUSTER_LOG_DONE, ""); /* NATS takes 0 for all */
    snprintf(subject, sizeof subject, "$JS.API.STREAM.PURGE.%s", stream);
    snprintf(bytes, sizeof bytes, "{\"seq\":%" PRIu64 "}", keep);
    json_t *json = nats_log_ask_json(log, subject, bytes, &error, why);
    const cluster_log_answer answer =
        json ? answer_of(CLUSTER_LOG_DONE, "") : answer_of(error ? CLUSTER_LOG_FAILED : CLUSTER_LOG_UNKNOWN, why);
    json_decref(json);
    return answer;
}

static cluster_log_answer purge(cluster_log *of_log, uint64_t keep_from, uint64_t keep_piece) {
    nats_log *log = of(of_log);
    const cluster_log_answer may = may_write(log, 0);
    if (may.outcome != CLUSTER_LOG_DONE) return may;
    const cluster_log_answer first = purge_one(log, log->stream, keep_from);
    return first.outcome == CLUSTER_LOG_DONE ? purge_one(log, log->snaps, keep_piece) : first;
}

/* ---- core messages ---- */

static void publish(cluster_log *of_log, cluster_log_message kind, const char *bytes, size_t size) {
    nats_log *log = of(of_log);
    char subject[CLUSTER_SUBJECT_BYTES];
    if (kind == CLUSTER_LOG_BEAT && log->def.read_only) return;
    if (kind == CLUSTER_LOG_SEEN)
        snprintf(subject, sizeof subject, "wend.seen.%s.%s", log->map, log->node);
    else
        snprintf(subject, sizeof subject, "wend.%s.%s", kind == CLUSTER_LOG_BEAT ? "beat" : "ask", log->map);
    uv_rwlock_rdlock(&log->swap);
    if (log->connection) (void)natsConnection_Publish(log->connection, subject, bytes, (int)size);
    uv_rwlock_rdunlock(&log->swap);
}

static void follow(cluster_log *of_log, uint64_t from) {
    nats_log *log = of(of_log);
    uv_mutex_lock(&log->mutex);
    log->follows = false; /* later entries are ignored */
    while (log->delivers) uv_cond_wait(&log->changed, &log->mutex);
    log->follows = log->broken = true;
    log->at = from > 0 ? from - 1 : 0;
    uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
}

/* ---- opening ---- */

static void end_watcher(nats_log *log) {
    uv_mutex_lock(&log->mutex);
    log->ends = true;
    uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
    uv_thread_join(&log->watcher);
    nats_log_disconnect(log);
    uv_mutex_lock(&log->mutex);
    while (log->running > 0) uv_cond_wait(&log->changed, &log->mutex);
    uv_mutex_unlock(&log->mutex);
}

static void free_log(nats_log *log) {
    for (size_t i = 0; i < LOG_ASKS; i++) natsMsg_Destroy(log->asks[i].answer);
    uv_cond_destroy(&log->changed);
    uv_mutex_destroy(&log->mutex);
    uv_rwlock_destroy(&log->swap);
    free(log);
}

static void close_log(cluster_log *of_log) {
    nats_log *log = of(of_log);
    end_watcher(log);
    free_log(log);
}

static json_t *ask_operator(cluster_log *of_log, const char *what, const char *bytes, char why[CLUSTER_LOG_WHY_BYTES]) {
    char subject[CLUSTER_SUBJECT_BYTES], reason[CLUSTER_LOG_WHY_BYTES];
    int64_t error;
    snprintf(subject, sizeof subject, "$JS.API.%s", what);
    json_t *json = nats_log_ask_json(of(of_log), subject, bytes, &error, reason);
    if (!json) snprintf(why, CLUSTER_LOG_WHY_BYTES, "%" PRId64 " %.400s", error, reason);
    return json;
}

static size_t get_most_entry_bytes(cluster_log *of_log) {
    nats_log *log = of(of_log);
    uv_mutex_lock(&log->mutex);
    const size_t most = log->most_entry_bytes;
    uv_mutex_unlock(&log->mutex);
    return most;
}

cluster_log *cluster_log_open(const cluster_log_def *def, char why[CLUSTER_LOG_WHY_BYTES]) {
    static atomic_uint opened;
    if (!cluster_nats_check_urls(def->login.urls, why) || !cluster_nats_check_files(&def->login, why)) return NULL;
    snprintf(why, CLUSTER_LOG_WHY_BYTES, "out of memory");
    nats_log *log = calloc(1, sizeof *log);
    if (!log) return NULL;
    log->calls = (cluster_log){append_entry,         follow,    put_snapshot, get_snapshot, purge, publish,
                               get_most_entry_bytes, close_log, ask_operator};
    log->def = *def;
    log->on_error = nats_log_on_error;
    log->on_closed = nats_log_on_closed;
    snprintf(log->map, sizeof log->map, "%s", def->map);
    snprintf(log->node, sizeof log->node, "%s", def->node);
    snprintf(log->stream, sizeof log->stream, "WEND_%s", log->map);
    snprintf(log->snaps, sizeof log->snaps, "WENDS_%s", log->map);
    snprintf(log->inbox, sizeof log->inbox, "_WEND.%s.%x-%x-%" PRIx64, log->node, (unsigned)getpid(), ++opened,
             uv_hrtime());
    snprintf(log->state.why, sizeof log->state.why, "NATS was not reached yet");
    uv_rwlock_init(&log->swap);
    uv_mutex_init(&log->mutex);
    uv_cond_init(&log->changed);
    if (uv_thread_create(&log->watcher, nats_log_watch, log) == 0) return &log->calls;
    free_log(log);
    return NULL;
}
