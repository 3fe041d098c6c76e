/* SPDX-License-Identifier: MIT */
/* The traffic with NATS: requests with their answers, messages of nodes, and entries in order. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "store/log_nats.h"

enum { PENDING_BYTES = 64 << 20, PENDING_BEATS = 64 };

/* ---- the connection ---- */

/* A publish without the right has no answer: only this callback reports the reason. */
void nats_log_on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *context) {
    nats_log *log = context;
    const char *text = NULL;
    (void)subscription;
    if (natsConnection_GetLastError(connection, &text) == NATS_OK || !text || !*text) text = natsStatus_GetText(status);
    uv_mutex_lock(&log->mutex);
    const bool says = log->said_ns == 0 || uv_hrtime() - log->said_ns > 60 * LOG_SECOND_NS;
    if (says) log->said_ns = uv_hrtime();
    if (status == NATS_SLOW_CONSUMER) log->broken = true;
    uv_mutex_unlock(&log->mutex);
    if (says) cli_note("map %s: NATS: %s", log->map, text);
}

/* Called when no thread of the library reads for the connection any more. */
void nats_log_on_closed(natsConnection *connection, void *context) {
    nats_log *log = context;
    (void)connection;
    uv_mutex_lock(&log->mutex);
    log->lost = true;
    log->open = false;
    uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
}

/* ---- requests ---- */

static void on_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context) {
    nats_log *log = context;
    const char *last = strrchr(natsMsg_GetSubject(message), '.');
    const uint64_t number = last ? strtoull(last + 1, NULL, 10) : 0;
    (void)connection, (void)subscription;
    uv_mutex_lock(&log->mutex);
    for (size_t i = 0; i < LOG_ASKS && number > 0; i++)
        if (log->asks[i].number == number && !log->asks[i].answer) {
            log->asks[i].answer = message;
            message = NULL;
            uv_cond_broadcast(&log->changed);
            break;
        }
    uv_mutex_unlock(&log->mutex);
    natsMsg_Destroy(message);
}

/* @return NULL: all are taken */
static ask_slot *take_slot(nats_log *log, uint64_t *number) {
    ask_slot *slot = NULL;
    uv_mutex_lock(&log->mutex);
    for (size_t i = 0; i < LOG_ASKS && !slot; i++)
        if (log->asks[i].number == 0) slot = &log->asks[i];
    if (slot) *slot = (ask_slot){.number = *number = ++log->ask_number};
    uv_mutex_unlock(&log->mutex);
    return slot;
}

/* Frees the slot. @return its answer; NULL: none came */
static natsMsg *wait_for_answer(nats_log *log, ask_slot *slot, bool sent) {
    const uint64_t end = uv_hrtime() + CLUSTER_LOG_ANSWER_MS * (LOG_SECOND_NS / 1000);
    uv_mutex_lock(&log->mutex);
    for (uint64_t now; sent && !slot->answer && !log->lost && (now = uv_hrtime()) < end;)
        (void)uv_cond_timedwait(&log->changed, &log->mutex, end - now);
    natsMsg *answer = slot->answer;
    *slot = (ask_slot){.number = 0};
    if (sent && !answer) log->unanswered = true;
    uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
    return answer;
}

natsMsg *nats_log_ask(nats_log *log, const char *subject, const char *stream, uint64_t expected, const char *bytes,
                      size_t size, bool *sent) {
    char reply[3 * LOG_NAME_BYTES], digits[24];
    natsMsg *message = NULL;
    uint64_t number;
    *sent = false;
    ask_slot *slot = take_slot(log, &number);
    if (!slot) return NULL;
    snprintf(reply, sizeof reply, "%s.r.%" PRIu64, log->inbox, number);
    snprintf(digits, sizeof digits, "%" PRIu64, expected);
    natsStatus status = natsMsg_Create(&message, subject, reply, bytes, (int)size);
    if (status == NATS_OK && stream) status = natsMsgHeader_Set(message, "Nats-Expected-Stream", stream);
    if (status == NATS_OK && stream) status = natsMsgHeader_Set(message, "Nats-Expected-Last-Sequence", digits);
    uv_rwlock_rdlock(&log->swap);
    if (status == NATS_OK) status = log->connection ? NATS_OK : NATS_CONNECTION_CLOSED;
    /* Once it is given to the connection, a failed write may have sent it. */
    *sent = status == NATS_OK && natsConnection_Status(log->connection) == NATS_CONN_STATUS_CONNECTED;
    if (*sent) (void)natsConnection_PublishMsg(log->connection, message);
    uv_rwlock_rdunlock(&log->swap);
    natsMsg_Destroy(message);
    return wait_for_answer(log, slot, *sent);
}

json_t *nats_log_ask_json(nats_log *log, const char *subject, const char *bytes, int64_t *error, char *why) {
    bool sent;
    natsMsg *answer = nats_log_ask(log, subject, NULL, 0, bytes, strlen(bytes), &sent);
    json_t *json = answer && !natsMsg_IsNoResponders(answer) ? cluster_nats_parse(answer) : NULL;
    const json_t *failed = json_object_get(json, "error");
    *error = failed ? cluster_nats_number(failed, "err_code") : answer && natsMsg_IsNoResponders(answer) ? 503 : 0;
    if (failed || !json)
        snprintf(why, CLUSTER_LOG_WHY_BYTES, "%s",
                 failed          ? cluster_nats_text(failed, "description")
                 : *error == 503 ? "no server answers for it"
                                 : "no answer");
    natsMsg_Destroy(answer);
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

/* wend.beat.MAP, wend.seen.MAP.NODE, wend.ask.MAP */
static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context) {
    nats_log *log = context;
    const char *subject = natsMsg_GetSubject(message) + strlen("wend.");
    const cluster_log_message kind = *subject == 'b'   ? CLUSTER_LOG_BEAT
                                     : *subject == 's' ? CLUSTER_LOG_SEEN
                                                       : CLUSTER_LOG_ASK;
    (void)connection, (void)subscription;
    uv_mutex_lock(&log->mutex);
    const bool ends = log->ends;
    uv_mutex_unlock(&log->mutex);
    const char *name = strchr(subject, '.') + 1;
    if (log->map[0] != '*') name = kind == CLUSTER_LOG_SEEN ? strrchr(subject, '.') + 1 : "";
    if (!ends)
        log->def.on_message(log->def.context, kind, name, natsMsg_GetData(message),
                            (size_t)natsMsg_GetDataLength(message));
    natsMsg_Destroy(message);
}

/* ---- entries ---- */

/* Handles a heartbeat, or a request to confirm the pace, which is answered on the server's own subjects alone. */
static void heed_status(const nats_log *log, natsMsg *message) {
    const char *reply = natsMsg_GetReply(message);
    if (reply && strncmp(reply, "$JS.FC.", strlen("$JS.FC.")) == 0)
        (void)natsConnection_Publish(log->connection, reply, "", 0);
}

/* Returns whether the message belongs to the present consumer, and is its next one. The mutex is held. */
static bool is_next(nats_log *log, const natsSubscription *of, natsMsg *message, uint64_t *sequence) {
    jsMsgMetaData *numbers = NULL;
    if (log->ends || !log->follows || of != log->consumer) return false;
    log->heard_ns = uv_hrtime();
    if (log->broken) return false;
    if (natsMsg_GetMetaData(&numbers, message) != NATS_OK) return false; /* a heartbeat */
    *sequence = numbers->Sequence.Stream;
    if (numbers->Sequence.Consumer != log->next) log->broken = true; /* some were dropped on the way */
    jsMsgMetaData_Destroy(numbers);
    log->next++;
    return !log->broken && *sequence > log->at;
}

static void on_entry(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *context) {
    nats_log *log = context;
    uint64_t sequence = 0;
    (void)connection;
    uv_mutex_lock(&log->mutex);
    while (log->delivers) uv_cond_wait(&log->changed, &log->mutex); /* the previous consumer is not done */
    const bool delivers = log->delivers = is_next(log, subscription, message, &sequence);
    if (log->broken) uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
    if (delivers) {
        log->def.on_entry(log->def.context, sequence, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
        uv_mutex_lock(&log->mutex);
        log->at = sequence;
        log->delivers = false;
        log->heard_ns = uv_hrtime();
        uv_cond_broadcast(&log->changed);
        uv_mutex_unlock(&log->mutex);
    } else if (natsMsg_GetDataLength(message) == 0) {
        uv_rwlock_rdlock(&log->swap);
        if (log->connection) heed_status(log, message);
        uv_rwlock_rdunlock(&log->swap);
    }
    natsMsg_Destroy(message);
}

static void on_complete(void *context) {
    nats_log *log = context;
    uv_mutex_lock(&log->mutex);
    log->running--;
    uv_cond_broadcast(&log->changed);
    uv_mutex_unlock(&log->mutex);
}

static natsSubscription *subscribe(nats_log *log, const char *subject, natsMsgHandler handler, int pending) {
    natsSubscription *made = NULL;
    uv_mutex_lock(&log->mutex);
    log->running++;
    uv_mutex_unlock(&log->mutex);
    natsStatus status = natsConnection_Subscribe(&made, log->connection, subject, handler, log);
    if (status == NATS_OK) status = natsSubscription_SetOnCompleteCB(made, on_complete, log);
    if (status != NATS_OK) on_complete(log);
    if (status == NATS_OK) (void)natsSubscription_SetPendingLimits(made, pending, PENDING_BYTES);
    if (made) log->subscriptions[log->subscribed++] = made;
    return made;
}

void nats_log_listen(nats_log *log) {
    static const char *const messages[] = {"wend.beat.%s", "wend.ask.%s", "wend.seen.%s.*"};
    char subject[CLUSTER_SUBJECT_BYTES];
    snprintf(subject, sizeof subject, "%s.r.*", log->inbox);
    (void)subscribe(log, subject, on_answer, -1);
    for (size_t i = 0; i < sizeof messages / sizeof messages[0] && log->def.on_message; i++) {
        if (i == 1 && log->def.read_only) continue; /* a replica has no right to listen */
        snprintf(subject, sizeof subject, messages[i], log->map);
        (void)subscribe(log, subject, on_message, PENDING_BEATS);
    }
}

void nats_log_drop_consumer(nats_log *log) {
    uv_mutex_lock(&log->mutex);
    natsSubscription *old = log->consumer;
    log->consumer = NULL;
    uv_mutex_unlock(&log->mutex);
    if (old) (void)natsSubscription_Unsubscribe(old);
}

/* The old consumer ends at the server by itself, as it has no listener. */
void nats_log_consume(nats_log *log) {
    char subject[CLUSTER_SUBJECT_BYTES], deliver[CLUSTER_SUBJECT_BYTES], bytes[1024], why[CLUSTER_LOG_WHY_BYTES];
    int64_t error;
    nats_log_drop_consumer(log);
    uv_mutex_lock(&log->mutex);
    if (log->subscribed == LOG_SUBSCRIPTIONS) { /* the connection is made again, and then the consumer */
        log->lost = true;
        uv_mutex_unlock(&log->mutex);
        return;
    }
    while (log->delivers) uv_cond_wait(&log->changed, &log->mutex);
    const uint64_t from = log->at + 1;
    log->next = 1;
    log->broken = false;
    log->heard_ns = uv_hrtime();
    uv_mutex_unlock(&log->mutex);
    snprintf(deliver, sizeof deliver, "%s.e.%" PRIu64, log->inbox, ++log->consumers);
    natsSubscription *consumer = subscribe(log, deliver, on_entry, -1);
    uv_mutex_lock(&log->mutex);
    log->consumer = consumer; /* no messages come before the request below */
    uv_mutex_unlock(&log->mutex);
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.CREATE.%s", log->stream);
    snprintf(bytes, sizeof bytes,
             "{\"stream_name\":\"%s\",\"config\":{\"deliver_subject\":\"%s\",\"deliver_policy\":\"by_start_sequence\","
             "\"opt_start_seq\":%" PRIu64 ",\"ack_policy\":\"none\",\"max_deliver\":1,\"replay_policy\":\"instant\","
             "\"flow_control\":true,\"idle_heartbeat\":%" PRIu64 ",\"mem_storage\":true,\"num_replicas\":1}}",
             log->stream, deliver, from, LOG_SILENT_MS / 3 * (LOG_SECOND_NS / 1000));
    json_t *made = nats_log_ask_json(log, subject, bytes, &error, why);
    if (made) {
        json_decref(made);
        return;
    }
    uv_mutex_lock(&log->mutex);
    log->broken = true;
    uv_mutex_unlock(&log->mutex);
}
