/* SPDX-License-Identifier: MIT */
/* The watcher: makes the connection, checks server and streams, and has the consumer made. After any error it begins
 * again. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "store/log_nats.h"

enum {
    AGAIN_MS = 200, ///< between two attempts to connect, or to check
    CHECK_MS = 15000,
    SPARE_BYTES = 4 << 10, ///< bytes of a message for subject and headers
    MOST_BYTES = 1 << 20
};

/* ---- checking ---- */

/* The server's name and version, and whether this user has more rights than it needs. */
static json_t *check_server(nats_log *log, cluster_log_state *state) {
    char why[CLUSTER_LOG_WHY_BYTES], stream[CLUSTER_SUBJECT_BYTES];
    int64_t error;
    json_t *info = nats_log_ask_json(log, "$SYS.REQ.USER.INFO", "", &error, why);
    const json_t *server = json_object_get(info, "server");
    if (!info && !error) cluster_nats_add_reason(state->why, "NATS does not answer $SYS.REQ.USER.INFO");
    if (!info) snprintf(state->server, sizeof state->server, "a server before 2.10");
    if (info)
        snprintf(state->server, sizeof state->server, "%.60s %.60s", cluster_nats_text(server, "name"),
                 cluster_nats_text(server, "ver"));
    snprintf(stream, sizeof stream, "$JS.API.STREAM.DELETE.%s", log->stream);
    if (info && !log->said_rights && !log->def.operates &&
        cluster_nats_may_publish(json_object_get(info, "data"), stream)) {
        log->said_rights = true;
        cli_note("map %s: this node may delete streams: give it fewer rights", log->map);
    }
    return info;
}

static int check_one(nats_log *log, const char *stream, const char *subject, cluster_log_state *state) {
    char request[CLUSTER_SUBJECT_BYTES], why[CLUSTER_LOG_WHY_BYTES];
    int64_t error;
    snprintf(request, sizeof request, "$JS.API.STREAM.INFO.%s", stream);
    json_t *info = nats_log_ask_json(log, request, "", &error, why);
    if (!info && (error == 503 || error == LOG_ERROR_OFF))
        cluster_nats_add_reason(state->why, "JetStream is off at %s: restart it", state->server);
    else if (!info)
        cluster_nats_add_reason(state->why, "stream %s: %s", stream, why);
    if (!info) return 1;
    cluster_nats_check_stream(info, stream, subject, state->why);
    const json_t *config = json_object_get(info, "config"), *sequences = json_object_get(info, "state");
    const int64_t most = cluster_nats_number(config, "max_msg_size");
    if (stream == log->stream) {
        state->first = (uint64_t)cluster_nats_number(sequences, "first_seq");
        state->last = (uint64_t)cluster_nats_number(sequences, "last_seq");
        uv_rwlock_rdlock(&log->swap);
        int64_t bytes = log->connection ? natsConnection_GetMaxPayload(log->connection) : 0;
        uv_rwlock_rdunlock(&log->swap);
        if (most > 0 && most < bytes) bytes = most;
        if (bytes > MOST_BYTES) bytes = MOST_BYTES;
        if (bytes - SPARE_BYTES < CLUSTER_LOG_LEAST_ENTRY_BYTES)
            cluster_nats_add_reason(state->why, "max_payload of %s is below 68 KiB", state->server);
        uv_mutex_lock(&log->mutex);
        log->most_entry_bytes = bytes > SPARE_BYTES ? (size_t)(bytes - SPARE_BYTES) : 0;
        uv_mutex_unlock(&log->mutex);
    }
    const int replicas = (int)cluster_nats_number(config, "num_replicas");
    json_decref(info);
    return replicas;
}

static void check_old_log(nats_log *log, cluster_log_state *state) {
    char why[CLUSTER_LOG_WHY_BYTES];
    int64_t error;
    json_t *old = nats_log_ask_json(log, "$JS.API.STREAM.INFO.WEND_LOG", "", &error, why);
    if (old) cluster_nats_add_reason(state->why, "stream WEND_LOG is of an older wend: delete it");
    json_decref(old);
}

static void check_all(nats_log *log, cluster_log_state *state) {
    char subject[CLUSTER_SUBJECT_BYTES];
    *state = (cluster_log_state){.connected = true};
    json_t *info = check_server(log, state);
    snprintf(subject, sizeof subject, "wend.log.%s", log->map);
    const bool any_map = log->map[0] == '*';
    int replicas = any_map ? 1 : check_one(log, log->stream, subject, state);
    snprintf(subject, sizeof subject, "wend.snap.%s", log->map);
    const int of_snaps = any_map ? 1 : check_one(log, log->snaps, subject, state);
    if (of_snaps > replicas) replicas = of_snaps;
    check_old_log(log, state);
    const char *version = info ? cluster_nats_text(json_object_get(info, "server"), "ver") : "2.9";
    if (!log->def.login.any_version && !cluster_nats_version_fits(version, replicas))
        cluster_nats_add_reason(state->why, "%s is too old for %d replica%s: %s needed", state->server, replicas,
                                replicas == 1 ? "" : "s",
                                replicas == 1 ? "2.10.27 is" : "2.12.15, 2.14.5 or 2.15.1 is");
    json_decref(info);
    uv_rwlock_rdlock(&log->swap);
    state->connected = log->connection != NULL;
    uv_rwlock_rdunlock(&log->swap);
    state->usable = state->connected && state->why[0] == '\0';
}

static void set_state(nats_log *log, const cluster_log_state *state) {
    uv_mutex_lock(&log->mutex);
    const cluster_log_state *old = &log->state;
    const bool differs = old->connected != state->connected || old->usable != state->usable ||
                         strcmp(old->why, state->why) != 0 || strcmp(old->server, state->server) != 0;
    log->state = *state;
    if (log->ends) log->state.usable = false;
    const bool says = differs && !log->ends;
    uv_mutex_unlock(&log->mutex);
    if (says && log->def.on_state) log->def.on_state(log->def.context, state);
}

/* ---- the watcher ---- */

void nats_log_disconnect(nats_log *log) {
    uv_rwlock_wrlock(&log->swap);
    natsConnection *old = log->connection;
    log->connection = NULL;
    uv_rwlock_wrunlock(&log->swap);
    if (!old) return;
    nats_log_drop_consumer(log);
    natsConnection_Close(old);
    uv_mutex_lock(&log->mutex);
    while (log->open) uv_cond_wait(&log->changed, &log->mutex);
    uv_mutex_unlock(&log->mutex);
    while (log->subscribed > 0) natsSubscription_Destroy(log->subscriptions[--log->subscribed]);
    natsConnection_Destroy(old);
}

static bool connect_now(nats_log *log) {
    cluster_log_state state = {.connected = false};
    natsConnection *made;
    uv_mutex_lock(&log->mutex);
    log->lost = log->unanswered = false;
    log->broken = log->check_now = log->open = true;
    uv_mutex_unlock(&log->mutex);
    if (!cluster_nats_dial(&made, log, state.why)) {
        uv_mutex_lock(&log->mutex);
        log->open = false; /* no callback can come */
        uv_mutex_unlock(&log->mutex);
        set_state(log, &state);
        return false;
    }
    uv_rwlock_wrlock(&log->swap);
    log->connection = made;
    uv_rwlock_wrunlock(&log->swap);
    nats_log_listen(log);
    return true;
}

/* A connection without any answer is made again: perhaps to another server. */
static void check_connection(nats_log *log) {
    cluster_log_state state;
    uv_mutex_lock(&log->mutex);
    log->check_now = log->unanswered = false;
    uv_mutex_unlock(&log->mutex);
    check_all(log, &state);
    log->checked_ns = uv_hrtime();
    set_state(log, &state);
    uv_mutex_lock(&log->mutex);
    if (!state.usable) log->check_now = true;
    if (strstr(state.why, "does not answer")) log->lost = true;
    uv_mutex_unlock(&log->mutex);
}

/* Runs a round of all due work. */
static void watch(nats_log *log) {
    uv_mutex_lock(&log->mutex);
    const bool lost = log->lost || !log->connection;
    const bool checks =
        log->check_now || log->unanswered || uv_hrtime() - log->checked_ns > CHECK_MS * (LOG_SECOND_NS / 1000);
    uv_mutex_unlock(&log->mutex);
    if (lost) {
        if (log->connection) {
            const cluster_log_state state = {.why = "the connection to NATS is lost"};
            nats_log_disconnect(log);
            set_state(log, &state);
        }
        if (!connect_now(log)) return;
    }
    if (lost || checks) check_connection(log);
    uv_mutex_lock(&log->mutex);
    const uint64_t silent_ns = uv_hrtime() - log->heard_ns;
    if (log->consumer && !log->delivers && silent_ns > LOG_SILENT_MS * (LOG_SECOND_NS / 1000)) log->broken = true;
    const bool consumes = log->follows && log->broken && log->state.usable && log->def.on_entry;
    uv_mutex_unlock(&log->mutex);
    if (consumes) nats_log_consume(log);
}

/* The thread waits after each round, so that a failing server gets only a few requests a second. */
void nats_log_watch(void *context) {
    nats_log *log = context;
    for (bool ends = false; !ends;) {
        watch(log);
        const uint64_t soon = uv_hrtime() + AGAIN_MS * (LOG_SECOND_NS / 1000);
        uv_mutex_lock(&log->mutex);
        for (uint64_t now; !log->ends && (now = uv_hrtime()) < soon;) {
            if (log->state.usable && (log->lost || (log->follows && log->broken))) break;
            (void)uv_cond_timedwait(&log->changed, &log->mutex, soon - now);
        }
        ends = log->ends;
        uv_mutex_unlock(&log->mutex);
    }
}
