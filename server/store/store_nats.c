/* SPDX-License-Identifier: MIT */
/* A store in NATS JetStream, which keeps what it acknowledged on as many servers as its streams have replicas.
 *
 *   WEND_LOG       the logs: one subject a map, wend.log.MAP
 *   KV_wend        the bucket `wend`: texts that change by compare-and-set
 *   KV_wend_last   a bucket in memory: bytes of which only the last ones count
 *
 * Streams that are there are used as they are, so those who run NATS choose how many replicas they have; others are
 * made with one. Each publish names the last sequence of its subject that the writer has, and the stream refuses it
 * where that is another one: so a writer that was replaced cannot write. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <uv.h>

#include "store/store_nats.h"

#define LOG_STREAM "WEND_LOG"
#define KEY_STREAM "KV_wend"
#define LAST_STREAM "KV_wend_last"
#define LOG_SUBJECT "wend.log."
#define KEY_SUBJECT "$KV.wend."
#define LAST_SUBJECT "$KV.wend_last."

enum { SUBJECT_BYTES = CLUSTER_KEY_BYTES + 32, ANSWER_MS = 600, NS_A_MS = 1000000 };

typedef struct nats_store {
    cluster_store calls;
    natsConnection *connection;
    jsCtx *stream;
    natsSubscription *news; ///< of the log that is read: something was published
    char reads[CLUSTER_KEY_BYTES + 1];
    bool had_news; ///< the last read was for news
    uv_mutex_t mutex;
    uv_cond_t came;           ///< news, or their end
    bool has_news, news_over; ///< the mutex's: some unread came; no more come
} nats_store;

static nats_store *of(cluster_store *store) {
    return (nats_store *)(void *)store;
}

static void subject_of(const char *prefix, const char *key, char out[SUBJECT_BYTES]) {
    snprintf(out, SUBJECT_BYTES, "%s%s", prefix, key);
}

/* ---- streams ---- */

static natsStatus make_stream(const nats_store *store, const char *name, const char *subject, bool in_memory,
                              int64_t most_a_subject) {
    jsStreamConfig config;
    jsErrCode error = (jsErrCode)0;
    jsStreamConfig_Init(&config);
    config.Name = name;
    config.Subjects = &subject;
    config.SubjectsLen = 1;
    config.Storage = in_memory ? js_MemoryStorage : js_FileStorage;
    config.MaxMsgsPerSubject = most_a_subject;
    config.Discard = js_DiscardNew;
    config.AllowDirect = true;
    if (most_a_subject > 0) { /* a bucket */
        config.Discard = js_DiscardOld;
        config.AllowRollup = true;
        config.DenyDelete = true;
    }
    const natsStatus status = js_AddStream(NULL, store->stream, &config, NULL, &error);
    return error == JSStreamNameExistErr ? NATS_OK : status; /* with settings of its own */
}

static natsStatus make_buckets(const nats_store *store) {
    natsStatus status = make_stream(store, KEY_STREAM, KEY_SUBJECT ">", false, 1);
    if (status == NATS_OK) status = make_stream(store, LAST_STREAM, LAST_SUBJECT ">", true, 1);
    return status;
}

/* A call failed: the buckets may be gone with the disk of their server. Leases are claimed again, above the log's last
 * term. A log that is gone is not made again here: an empty one would say that nothing ever happened. */
static cluster_outcome failed(const nats_store *store, natsStatus status) {
    if (status == NATS_NO_RESPONDERS || status == NATS_ERR || status == NATS_NOT_FOUND) (void)make_buckets(store);
    return CLUSTER_UNKNOWN;
}

/* ---- publishing and reading ---- */

/* The server's disk, or what it or the stream may take of it. */
static bool is_full(jsErrCode error) {
    return error == JSStreamStoreFailedErr || error == JSStorageResourcesExceededErr ||
           error == JSInsufficientResourcesErr || error == JSStreamMessageExceedsMaximumErr;
}

static cluster_outcome publish(nats_store *store, const char *stream, const char *subject, uint64_t last,
                               const char *bytes, size_t size, uint64_t *sequence) {
    jsPubOptions options;
    jsPubAck *ack = NULL;
    jsErrCode error = (jsErrCode)0;
    jsPubOptions_Init(&options);
    options.ExpectStream = stream;
    options.MaxWait = ANSWER_MS;
    if (last > 0)
        options.ExpectLastSubjectSeq = last;
    else
        options.ExpectNoMessage = true;
    const natsStatus status = js_Publish(&ack, store->stream, subject, bytes, (int)size, &options, &error);
    if (status == NATS_OK) *sequence = ack->Sequence;
    jsPubAck_Destroy(ack);
    if (status == NATS_OK) return CLUSTER_DONE;
    return error == JSStreamWrongLastSequenceErr ? CLUSTER_REFUSED
           : is_full(error)                      ? CLUSTER_FAILED
                                                 : failed(store, status);
}

/* @param as_bytes   receives the message; NULL: as_value does, as far as it fits */
static void copy_message(natsMsg *message, cluster_bytes *as_bytes, cluster_value *as_value) {
    const size_t size = (size_t)natsMsg_GetDataLength(message);
    if (as_value) {
        const size_t fits = size < CLUSTER_TEXT_BYTES ? size : CLUSTER_TEXT_BYTES;
        memcpy(as_value->text, natsMsg_GetData(message), fits);
        as_value->text[fits] = '\0';
        as_value->revision = natsMsg_GetSequence(message);
        return;
    }
    as_bytes->bytes = malloc(size + 1);
    if (!as_bytes->bytes) return;
    memcpy(as_bytes->bytes, natsMsg_GetData(message), size);
    as_bytes->bytes[size] = '\0';
    as_bytes->size = size;
    as_bytes->sequence = natsMsg_GetSequence(message);
}

static cluster_outcome get(cluster_store *of_store, const char *key, cluster_value *out) {
    nats_store *store = of(of_store);
    char subject[SUBJECT_BYTES];
    natsMsg *message = NULL;
    jsErrCode error = (jsErrCode)0;
    *out = (cluster_value){0};
    subject_of(KEY_SUBJECT, key, subject);
    const natsStatus status = js_GetLastMsg(&message, store->stream, KEY_STREAM, subject, NULL, &error);
    if (error == JSNoMessageFoundErr) return CLUSTER_NOTHING;
    if (status != NATS_OK) return failed(store, status);
    copy_message(message, NULL, out);
    natsMsg_Destroy(message);
    return CLUSTER_DONE;
}

static cluster_outcome set(cluster_store *of_store, const char *key, cluster_value *value) {
    char subject[SUBJECT_BYTES];
    subject_of(KEY_SUBJECT, key, subject);
    return publish(of(of_store), KEY_STREAM, subject, value->revision, value->text, strlen(value->text),
                   &value->revision);
}

/* Without an answer, the entry may be there: the log's last one decides. A log that still ends with `last` may get the
 * entry later, so only another try decides, or the next writer's. */
static cluster_outcome was_appended(const nats_store *store, const char *subject, uint64_t last, const char *bytes,
                                    size_t size, uint64_t *sequence) {
    natsMsg *message = NULL;
    jsErrCode error = (jsErrCode)0;
    const natsStatus status = js_GetLastMsg(&message, store->stream, LOG_STREAM, subject, NULL, &error);
    const bool lost = error == JSStreamNotFoundErr || error == JSNoMessageFoundErr;
    if (status != NATS_OK) return lost && last > 0 ? CLUSTER_REFUSED : CLUSTER_UNKNOWN;
    const uint64_t found = natsMsg_GetSequence(message);
    const bool same = (size_t)natsMsg_GetDataLength(message) == size && !memcmp(natsMsg_GetData(message), bytes, size);
    natsMsg_Destroy(message);
    if (found <= last) return CLUSTER_UNKNOWN;
    *sequence = found;
    return same ? CLUSTER_DONE : CLUSTER_REFUSED;
}

static cluster_outcome append(cluster_store *of_store, const char *map, uint64_t last, const char *bytes, size_t size,
                              uint64_t *sequence) {
    nats_store *store = of(of_store);
    char subject[SUBJECT_BYTES];
    if (size > CLUSTER_ENTRY_BYTES) return CLUSTER_FAILED;
    subject_of(LOG_SUBJECT, map, subject);
    const cluster_outcome outcome = publish(store, LOG_STREAM, subject, last, bytes, size, sequence);
    /* A refusal may be of our own first try, which the client repeated. */
    if (outcome == CLUSTER_DONE) return outcome;
    const cluster_outcome found = was_appended(store, subject, last, bytes, size, sequence);
    return found == CLUSTER_UNKNOWN ? outcome : found;
}

static cluster_outcome read_now(nats_store *store, const char *subject, uint64_t after, cluster_bytes *out) {
    jsDirectGetMsgOptions next;
    natsMsg *message = NULL;
    jsDirectGetMsgOptions_Init(&next);
    next.Sequence = after + 1;
    next.NextBySubject = subject;
    const natsStatus status = js_DirectGetMsg(&message, store->stream, LOG_STREAM, NULL, &next);
    if (status == NATS_NOT_FOUND) return CLUSTER_NOTHING;
    if (status != NATS_OK) return failed(store, status);
    copy_message(message, out, NULL);
    natsMsg_Destroy(message);
    return out->bytes ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

static void on_news(natsConnection *connection, natsSubscription *news, natsMsg *message, void *of_store) {
    nats_store *store = of_store;
    (void)connection, (void)news;
    natsMsg_Destroy(message);
    uv_mutex_lock(&store->mutex);
    store->has_news = true;
    uv_cond_signal(&store->came);
    uv_mutex_unlock(&store->mutex);
}

static void on_news_over(void *of_store) {
    nats_store *store = of_store;
    uv_mutex_lock(&store->mutex);
    store->news_over = true;
    uv_cond_signal(&store->came);
    uv_mutex_unlock(&store->mutex);
}

static void end_news(nats_store *store) {
    if (!store->news) return;
    natsSubscription_Destroy(store->news);
    store->news = NULL;
    uv_mutex_lock(&store->mutex);
    while (!store->news_over) uv_cond_wait(&store->came, &store->mutex);
    uv_mutex_unlock(&store->mutex);
}

static void begin_news(nats_store *store, const char *map, const char *subject) {
    store->news_over = false;
    if (natsConnection_Subscribe(&store->news, store->connection, subject, on_news, store) != NATS_OK) return;
    snprintf(store->reads, sizeof store->reads, "%s", map);
    if (natsSubscription_SetOnCompleteCB(store->news, on_news_over, store) != NATS_OK) store->news_over = true;
}

/* By a clock that is never set: the library's own waits for messages are until a real time, which may be set back. */
static bool wait_for_news(nats_store *store, int wait_ms) {
    const uint64_t end = uv_hrtime() + (uint64_t)wait_ms * NS_A_MS;
    uv_mutex_lock(&store->mutex);
    for (uint64_t now; !store->has_news && (now = uv_hrtime()) < end;)
        (void)uv_cond_timedwait(&store->came, &store->mutex, end - now);
    const bool came = store->has_news;
    store->has_news = false;
    uv_mutex_unlock(&store->mutex);
    return came;
}

/* A published message wakes the reader, which gets the entry from the stream: one query an entry. If news was missed,
 * the end of the wait queries. */
static cluster_outcome read_log(cluster_store *of_store, const char *map, uint64_t after, int wait_ms,
                                cluster_bytes *out) {
    nats_store *store = of(of_store);
    char subject[SUBJECT_BYTES];
    *out = (cluster_bytes){0};
    subject_of(LOG_SUBJECT, map, subject);
    if (strcmp(store->reads, map) != 0) end_news(store);
    if (!store->news) begin_news(store, map, subject);
    const bool waits = wait_ms > 0 && store->news != NULL;
    cluster_outcome outcome = CLUSTER_NOTHING;
    if (!waits || !store->had_news) outcome = read_now(store, subject, after, out);
    if (outcome != CLUSTER_NOTHING || !waits) return outcome;
    store->had_news = wait_for_news(store, wait_ms);
    return read_now(store, subject, after, out);
}

static cluster_outcome cut(cluster_store *of_store, const char *map, uint64_t sequence) {
    const nats_store *store = of(of_store);
    char subject[SUBJECT_BYTES];
    jsOptions options;
    if (sequence <= 1) return CLUSTER_DONE; /* NATS takes 0 for all */
    subject_of(LOG_SUBJECT, map, subject);
    jsOptions_Init(&options);
    options.Wait = ANSWER_MS;
    options.Stream.Purge.Subject = subject;
    options.Stream.Purge.Sequence = sequence;
    return js_PurgeStream(store->stream, LOG_STREAM, &options, NULL) == NATS_OK ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

static cluster_outcome put(cluster_store *of_store, const char *key, const char *bytes, size_t size) {
    char subject[SUBJECT_BYTES];
    subject_of(LAST_SUBJECT, key, subject);
    const natsStatus status = natsConnection_Publish(of(of_store)->connection, subject, bytes, (int)size);
    return status == NATS_OK ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

static cluster_outcome load_bytes(cluster_store *of_store, const char *key, cluster_bytes *out) {
    char subject[SUBJECT_BYTES];
    jsDirectGetMsgOptions last;
    natsMsg *message = NULL;
    *out = (cluster_bytes){0};
    subject_of(LAST_SUBJECT, key, subject);
    jsDirectGetMsgOptions_Init(&last);
    last.LastBySubject = subject;
    const natsStatus status = js_DirectGetMsg(&message, of(of_store)->stream, LAST_STREAM, NULL, &last);
    if (status == NATS_NOT_FOUND) return CLUSTER_NOTHING;
    if (status != NATS_OK) return CLUSTER_UNKNOWN;
    copy_message(message, out, NULL);
    natsMsg_Destroy(message);
    return out->bytes ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

static cluster_outcome list(cluster_store *of_store, const char *prefix, void (*found)(void *context, const char *key),
                            void *context) {
    kvStore *bucket = NULL;
    kvKeysList keys = {0};
    kvWatchOptions options;
    kvWatchOptions_Init(&options);
    options.Timeout = ANSWER_MS; /* else it waits for ever where the link falls silent */
    natsStatus status = js_KeyValue(&bucket, of(of_store)->stream, "wend");
    if (status == NATS_OK) status = kvStore_Keys(&keys, bucket, &options);
    for (int i = 0; status == NATS_OK && i < keys.Count; i++)
        if (strncmp(keys.Keys[i], prefix, strlen(prefix)) == 0) found(context, keys.Keys[i]);
    kvKeysList_Destroy(&keys);
    kvStore_Destroy(bucket);
    return status == NATS_OK || status == NATS_NOT_FOUND ? CLUSTER_DONE : CLUSTER_UNKNOWN;
}

/* ---- opening ---- */

static void close_store(cluster_store *of_store) {
    nats_store *store = of(of_store);
    enum { FLUSH_MS = 500 };
    if (store->connection) (void)natsConnection_FlushTimeout(store->connection, FLUSH_MS);
    end_news(store);
    jsCtx_Destroy(store->stream);
    natsConnection_Destroy(store->connection);
    uv_cond_destroy(&store->came);
    uv_mutex_destroy(&store->mutex);
    free(store);
}

natsStatus cluster_nats_connect(natsConnection **out, const char *url) {
    enum { CONNECT_MS = 2000, AGAIN_MS = 100, FOR_EVER = -1, PING_MS = 500, PINGS = 2 };
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) status = natsOptions_SetURL(options, url);
    if (status == NATS_OK) status = natsOptions_SetTimeout(options, CONNECT_MS);
    if (status == NATS_OK) status = natsOptions_SetMaxReconnect(options, FOR_EVER);
    if (status == NATS_OK) status = natsOptions_SetReconnectWait(options, AGAIN_MS);
    if (status == NATS_OK) status = natsOptions_SetReconnectBufSize(options, 0);
    if (status == NATS_OK) status = natsOptions_SetPingInterval(options, PING_MS);
    if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(options, PINGS);
    if (status == NATS_OK) status = natsConnection_Connect(out, options);
    natsOptions_Destroy(options);
    return status;
}

static natsStatus connect_to(nats_store *store, const char *url) {
    jsOptions answers;
    natsStatus status = cluster_nats_connect(&store->connection, url);
    jsOptions_Init(&answers);
    answers.Wait = ANSWER_MS;
    if (status == NATS_OK) status = natsConnection_JetStream(&store->stream, store->connection, &answers);
    if (status == NATS_OK) status = make_stream(store, LOG_STREAM, LOG_SUBJECT "*", false, -1);
    return status == NATS_OK ? make_buckets(store) : status;
}

cluster_store *cluster_store_open_nats(const char *url, char why[CLUSTER_WHY_BYTES]) {
    nats_store *store = calloc(1, sizeof *store);
    if (!store) {
        snprintf(why, CLUSTER_WHY_BYTES, "out of memory");
        return NULL;
    }
    store->calls = (cluster_store){get, set, append, read_log, cut, put, load_bytes, list, close_store};
    uv_mutex_init(&store->mutex);
    uv_cond_init(&store->came);
    const natsStatus status = connect_to(store, url);
    if (status == NATS_OK) return &store->calls;
    snprintf(why, CLUSTER_WHY_BYTES, "%s: %s", url, natsStatus_GetText(status));
    close_store(&store->calls);
    return NULL;
}
