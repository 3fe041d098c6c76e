/* SPDX-License-Identifier: MIT */
/* Takes messages from NATS, and sends back what becomes of them. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>
#include <nats/nats.h>

#include "base/array.h"
#include "cluster/lease.h"
#include "store/store_nats.h"
#include "peers/flights.h"
#include "peers/line_client.h"
#include "peers/nats_clients.h"

enum { SUBJECT_BYTES = 256 };

typedef struct text {
    char *bytes;
    size_t used, capacity;
} text;

/// A NATS message and its growing reply.
typedef struct batch {
    char *reply; ///< subject; NULL: none waits for it
    text out;
    size_t left;          ///< lines with a missing part of the reply
    struct client *alone; ///< without a session: its connection. NULL: none
} batch;

/// A session, or a connection for messages without one.
typedef struct client {
    nats_clients *all;
    struct client *next;
    char name[CLUSTER_NODE_BYTES + 1]; ///< "": no session
    line_client *line;
    flights ids; ///< their owner is the batch; NULL: its reply has what it needs
    text news;   ///< for the session's subject, at the end of this turn of the loop
    bool busy;   ///< without a session: a batch has it
    uint64_t used_ms;
} client;

typedef struct incoming {
    natsMsg *message;
    struct incoming *next;
} incoming;

struct nats_clients {
    nats_clients_def def;
    natsConnection *connection;
    size_t most_bytes; ///< that NATS takes in a message
    client *clients;
    size_t sessions, alone;
    uv_async_t wake;
    uv_check_t turn; ///< sends what sessions got in a turn of the loop
    uint64_t next_look_ms;
    int handles;
    uv_thread_t thread;
    uv_mutex_t mutex; ///< of what follows
    uv_cond_t changed;
    incoming *first, **last;
    bool serves, ends;
};

static void put(text *out, const char *bytes, size_t size) {
    if (!WEND__ARRAY_ROOM(out->bytes, out->capacity, out->used + size)) return;
    memcpy(out->bytes + out->used, bytes, size);
    out->used += size;
}

/* ---- what goes out ---- */

static void publish(const nats_clients *all, const char *subject, const text *out) {
    if (out->used > 0) (void)natsConnection_Publish(all->connection, subject, out->bytes, (int)out->used);
}

/* Adds a line. @return false: NATS has no room for it in this message */
static bool put_line(const nats_clients *all, text *out, const char *line, size_t size) {
    if (out->used + size + 1 > all->most_bytes) return false;
    put(out, line, size);
    put(out, "\n", 1);
    return true;
}

static void end_batch(nats_clients *all, batch *b) {
    if (b->reply) publish(all, b->reply, &b->out);
    if (b->alone) b->alone->busy = false;
    free(b->reply);
    free(b->out.bytes);
    free(b);
}

/* A part of a batch's reply. `whole`: it was the last one of its line. */
static void answer(nats_clients *all, batch *b, const char *line, size_t size, bool whole) {
    (void)put_line(all, &b->out, line, size);
    if (whole && --b->left == 0) end_batch(all, b);
}

static void session_subject(const client *c, char out[SUBJECT_BYTES]) {
    snprintf(out, SUBJECT_BYTES, "wend.%s.session.%s", c->all->def.map, c->name);
}

static void flush(client *c) {
    char subject[SUBJECT_BYTES];
    if (c->news.used == 0) return;
    session_subject(c, subject);
    publish(c->all, subject, &c->news);
    c->news.used = 0;
}

static void send_to_session(client *c, const char *line, size_t size) {
    if (c->name[0] == '\0' || put_line(c->all, &c->news, line, size)) return;
    flush(c);
    (void)put_line(c->all, &c->news, line, size);
}

/* A long line for which NATS has no room comes as `lost`; some is kept for those. @return what is sent */
static const char *fitting(const client *c, const flight *f, const char *line, size_t *size,
                           char out[FLIGHT_END_BYTES]) {
    enum { SHORT_BYTES = 512, KEPT_PART = 8 };
    const batch *b = f->owner;
    const size_t most = c->all->most_bytes - c->all->most_bytes / KEPT_PART, used = b ? b->out.used : 0;
    if (*size < SHORT_BYTES || used + *size + 1 <= most) return line;
    *size = flight_write_end(f, "", "", out);
    return out;
}

static void on_line(void *context, char *line, size_t size) {
    client *c = context;
    char instead[FLIGHT_END_BYTES];
    bool ends = false;
    flight *f = flights_find(&c->ids, line, &ends);
    if (!f) {
        if (size + 1 <= c->all->most_bytes) send_to_session(c, line, size);
        return;
    }
    batch *b = f->owner;
    const char *said = fitting(c, f, line, &size, instead);
    const bool whole = ends || c->name[0] != '\0'; /* a session's completion is not in the reply */
    if (whole) f->owner = NULL;
    if (b)
        answer(c->all, b, said, size, whole);
    else
        send_to_session(c, said, size);
    if (ends) flights_end(&c->ids, f);
}

/* ---- clients ---- */

static void free_client(client *c) {
    client **at = &c->all->clients;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    if (c->name[0] != '\0')
        c->all->sessions--;
    else
        c->all->alone--;
    flush(c);
    flights_free(&c->ids);
    free(c->news.bytes);
    free(c);
}

/* The server closed it: it drains. */
static void on_gone(void *context) {
    client *c = context;
    char line[FLIGHT_END_BYTES];
    for (size_t i = 0; i < c->ids.count; i++) {
        batch *b = c->ids.items[i].owner;
        const size_t size = flight_write_end(&c->ids.items[i], "moved",
                                             "the owner's answer did not come: this may have been done", line);
        if (b)
            answer(c->all, b, line, size, true);
        else
            send_to_session(c, line, size);
    }
    free_client(c);
}

static bool connect_client(client *c) {
    const nats_clients_def *def = &c->all->def;
    const line_client_def line = {def->loop, def->token, on_line, on_gone, c};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0) return false;
    if (def->add_client(def->context, pair[0]) != 0) {
        close(pair[1]);
        return false;
    }
    c->line = line_client_adopt(&line, pair[1]);
    return c->line;
}

static client *make_client(nats_clients *all, const char *name) {
    size_t *count = name[0] != '\0' ? &all->sessions : &all->alone;
    if (*count == (name[0] != '\0' ? (size_t)NATS_CLIENTS_SESSIONS : (size_t)NATS_CLIENTS_ALONE)) return NULL;
    client *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = (client){.all = all, .next = all->clients};
    snprintf(c->name, sizeof c->name, "%s", name);
    all->clients = c;
    ++*count;
    if (connect_client(c)) return c;
    free_client(c);
    return NULL;
}

/* The connection of a session, or of a batch without one. NULL: there is no room for it. */
static client *find_client(nats_clients *all, batch *b, const char *name) {
    client *c = name[0] == '\0' ? b->alone : NULL;
    for (client *at = all->clients; at && !c; at = at->next)
        if (at->line && strcmp(at->name, name) == 0 && !at->busy) c = at;
    if (!c) c = make_client(all, name);
    if (!c) return NULL;
    c->used_ms = uv_now(all->def.loop);
    if (name[0] == '\0') c->busy = true, b->alone = c;
    return c;
}

/* ---- what comes in ---- */

static void refuse(nats_clients *all, batch *b, const char *id, const char *error, const char *why) {
    char line[FLIGHT_END_BYTES];
    const int length = snprintf(line, sizeof line, "{\"id\":%s,\"error\":\"%s\",\"text\":\"%s\"}", id, error, why);
    answer(all, b, line, (size_t)length, true);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* What NATS and the subject settle already, a message cannot say otherwise. @return why it is refused, or NULL */
static const char *is_wrong(const nats_clients *all, const json_t *object) {
    const json_t *session = json_object_get(object, "session"), *map = json_object_get(object, "map");
    const char *op = text_of(object, "op");
    if (session && !cluster_is_name(text_of(object, "session")))
        return "a session has 1 to 63 letters, digits, '_' and '-'";
    if (map && strcmp(text_of(object, "map"), all->def.map) != 0) return "the subject names the map";
    if (strcmp(op, "hello") == 0) return "over NATS, each message names its session";
    if (strcmp(op, "subscribe") == 0 && !session) return "a subscription needs a session";
    return NULL;
}

static void pass_on(nats_clients *all, batch *b, json_t *object, const char *id, const char *session) {
    char op[32];
    client *c = find_client(all, b, session);
    if (!c) {
        refuse(all, b, id, "busy", "too many sessions");
        return;
    }
    snprintf(op, sizeof op, "%.31s", text_of(object, "op"));
    if (strcmp(op, "request") == 0 && flights_awaits(&c->ids, id)) { /* its answer was lost on the way */
        char line[FLIGHT_END_BYTES];
        const int length = snprintf(line, sizeof line, "{\"id\":%s,\"ok\":true}", id);
        answer(all, b, line, (size_t)length, true);
        return;
    }
    json_object_del(object, "session");
    json_object_del(object, "map");
    char *line = json_dumps(object, JSON_COMPACT);
    const size_t length = line ? strlen(line) : 0;
    if (line) line[length] = '\n'; /* it needs no zero any more */
    if (!line || !flights_add(&c->ids, id, op, b))
        refuse(all, b, id, "busy", "no memory");
    else if (!line_client_send(c->line, line, length + 1))
        line_client_close(c->line); /* its end answers */
    free(line);
}

/* An id is written as the server writes it: without blanks, and with the same escapes. */
static char *id_text(const json_t *id) {
    enum { MOST = 64 };
    const bool good = json_is_integer(id) || (json_is_string(id) && json_string_length(id) <= MOST);
    return good ? json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
}

static void handle_line(nats_clients *all, batch *b, const char *line, size_t size) {
    json_t *object = json_loadb(line, size, JSON_REJECT_DUPLICATES, NULL);
    char *id = json_is_object(object) ? id_text(json_object_get(object, "id")) : NULL;
    char session[CLUSTER_NODE_BYTES + 1];
    const char *why = id ? is_wrong(all, object) : "a message is a JSON object with an id, in a line";
    if (why) {
        refuse(all, b, id ? id : "null", id ? "bad_argument" : "bad_message", why);
    } else {
        snprintf(session, sizeof session, "%s", text_of(object, "session"));
        pass_on(all, b, object, id, session);
    }
    free(id);
    json_decref(object);
}

/* All lines count before the first one is taken: its answer may be there at once. */
static void handle_message(nats_clients *all, natsMsg *message) {
    const char *bytes = natsMsg_GetData(message), *reply = natsMsg_GetReply(message);
    const char *end = bytes + natsMsg_GetDataLength(message);
    batch *b = calloc(1, sizeof *b);
    if (!b) return;
    *b = (batch){.reply = reply ? strdup(reply) : NULL, .left = 1};
    for (const char *at = bytes, *stop; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        if (stop == at) continue;
        b->left++;
        handle_line(all, b, at, (size_t)(stop - at));
    }
    if (--b->left == 0) end_batch(all, b);
}

static void on_wake(uv_async_t *wake) {
    nats_clients *all = wake->data;
    uv_mutex_lock(&all->mutex);
    incoming *first = all->first;
    all->first = NULL;
    all->last = &all->first;
    uv_mutex_unlock(&all->mutex);
    for (incoming *next; first; first = next) {
        next = first->next;
        handle_message(all, first->message);
        natsMsg_Destroy(first->message);
        free(first);
    }
}

static void on_turn(uv_check_t *turn) {
    nats_clients *all = turn->data;
    for (client *c = all->clients; c; c = c->next) flush(c);
}

/* ---- the thread ---- */

static void queue(nats_clients *all, natsMsg *message) {
    incoming *in = malloc(sizeof *in);
    if (!in) {
        natsMsg_Destroy(message);
        return;
    }
    *in = (incoming){.message = message};
    uv_mutex_lock(&all->mutex);
    *all->last = in;
    all->last = &in->next;
    uv_mutex_unlock(&all->mutex);
    uv_async_send(&all->wake);
}

static bool is_to_serve(nats_clients *all, bool *ends) {
    uv_mutex_lock(&all->mutex);
    while (!all->serves && !all->ends) uv_cond_wait(&all->changed, &all->mutex);
    *ends = all->ends;
    const bool serves = all->serves;
    uv_mutex_unlock(&all->mutex);
    return serves && !*ends;
}

static void run(void *context) {
    enum { WAIT_MS = 100 };
    nats_clients *all = context;
    char subject[SUBJECT_BYTES];
    natsSubscription *subscription = NULL;
    bool ends = false;
    snprintf(subject, sizeof subject, "wend.%s.orders", all->def.map);
    while (is_to_serve(all, &ends)) {
        natsMsg *message = NULL;
        if (!subscription && natsConnection_SubscribeSync(&subscription, all->connection, subject) != NATS_OK)
            nats_Sleep(WAIT_MS);
        if (subscription && natsSubscription_NextMsg(&message, subscription, WAIT_MS) == NATS_OK) queue(all, message);
        uv_mutex_lock(&all->mutex);
        const bool serves = all->serves;
        uv_mutex_unlock(&all->mutex);
        if (serves) continue;
        natsSubscription_Destroy(subscription);
        subscription = NULL;
    }
    natsSubscription_Destroy(subscription);
}

/* ---- opening and closing ---- */

nats_clients *nats_clients_open(const nats_clients_def *def) {
    nats_clients *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->def = *def;
    all->last = &all->first;
    if (cluster_nats_connect(&all->connection, def->url) != NATS_OK) {
        free(all);
        return NULL;
    }
    all->most_bytes = (size_t)natsConnection_GetMaxPayload(all->connection);
    uv_mutex_init(&all->mutex);
    uv_cond_init(&all->changed);
    uv_async_init(def->loop, &all->wake, on_wake);
    uv_check_init(def->loop, &all->turn);
    uv_check_start(&all->turn, on_turn);
    uv_unref((uv_handle_t *)&all->turn);
    all->wake.data = all->turn.data = all;
    all->handles = 2;
    if (uv_thread_create(&all->thread, run, all) == 0) return all;
    all->ends = true;
    nats_clients_close(all);
    return NULL;
}

void nats_clients_serve(nats_clients *all, bool serves) {
    if (!all) return;
    uv_mutex_lock(&all->mutex);
    all->serves = serves;
    uv_cond_signal(&all->changed);
    uv_mutex_unlock(&all->mutex);
}

void nats_clients_end_quiet(nats_clients *all) {
    enum { SECOND_MS = 1000 };
    const uint64_t now = all ? uv_now(all->def.loop) : 0;
    if (!all || now < all->next_look_ms) return;
    all->next_look_ms = now + SECOND_MS;
    for (client *c = all->clients; c; c = c->next)
        if (c->ids.count == 0 && !c->busy && now - c->used_ms > all->def.session_seconds * SECOND_MS)
            line_client_close(c->line);
}

static void handle_closed(uv_handle_t *handle) {
    nats_clients *all = handle->data;
    all->handles--;
}

void nats_clients_close(nats_clients *all) {
    if (!all) return;
    const bool threaded = !all->ends;
    uv_mutex_lock(&all->mutex);
    all->ends = true;
    uv_cond_signal(&all->changed);
    uv_mutex_unlock(&all->mutex);
    if (threaded) uv_thread_join(&all->thread);
    on_wake(&all->wake);
    for (client *c = all->clients; c; c = c->next) line_client_close(c->line);
    while (all->clients) uv_run(all->def.loop, UV_RUN_ONCE);
    uv_close((uv_handle_t *)&all->wake, handle_closed);
    uv_close((uv_handle_t *)&all->turn, handle_closed);
    while (all->handles > 0) uv_run(all->def.loop, UV_RUN_ONCE);
    enum { FLUSH_MS = 500 };
    (void)natsConnection_FlushTimeout(all->connection, FLUSH_MS);
    natsConnection_Destroy(all->connection);
    uv_mutex_destroy(&all->mutex);
    uv_cond_destroy(&all->changed);
    free(all);
}
