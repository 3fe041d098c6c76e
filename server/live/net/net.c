/* SPDX-License-Identifier: MIT */
/* Connections: their list, sending, ending; opening and closing all of it. */
#define _GNU_SOURCE

#include "live/net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/utf8.h"

/* ---- lists ---- */

static void add_to(live_connection *connection, int which) {
    struct live_list *list = &connection->net->lists[which];
    struct live_place *place = &connection->places[which];
    if (place->in) return;
    *place = (struct live_place){.previous = list->last, .in = true};
    if (list->last)
        list->last->places[which].next = connection;
    else
        list->first = connection;
    list->last = connection;
}

static void remove_from(live_connection *connection, int which) {
    struct live_list *list = &connection->net->lists[which];
    struct live_place *place = &connection->places[which];
    if (!place->in) return;
    if (place->next)
        place->next->places[which].previous = place->previous;
    else
        list->last = place->previous;
    if (place->previous)
        place->previous->places[which].next = place->next;
    else
        list->first = place->next;
    place->in = false;
}

/* ---- connections ---- */

static void await_hello(live_connection *connection);

live_connection *live_connection_new(live_net *net) {
    live_connection *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->net = net;
    connection->stranger = net->def.strangers;
    if (net->count >= net->def.clients || !net->def.hooks.on_open(net->def.hooks.context, connection)) {
        net->refused++;
        free(connection);
        return NULL;
    }
    connection->next = net->connections;
    if (connection->next) connection->next->previous = connection;
    net->connections = connection;
    net->count++;
    net->opened++;
    await_hello(connection);
    return connection;
}

void live_connection_gone(live_connection *connection) {
    live_net *net = connection->net;
    if (connection->gone) return;
    connection->gone = true;
    if (connection->next) connection->next->previous = connection->previous;
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        net->connections = connection->next;
    net->count--;
    for (int which = 0; which < LIVE_LISTS; which++) remove_from(connection, which);
    net->def.hooks.on_closed(net->def.hooks.context, connection);
}

int live_connection_socket(const live_connection *connection) {
    int descriptor = -1;
    if (connection->wsi) return live_web_socket(connection);
    uv_fileno((const uv_handle_t *)&connection->lines.stream, &descriptor);
    return descriptor;
}

void live_connection_free(live_connection *connection) {
    live_outbox_free(&connection->outbox);
    free(connection->inbox);
    free(connection->writing);
    free(connection);
}

bool live_connection_full(const live_connection *connection) {
    return live_connection_waiting(connection) > connection->net->def.queue_bytes;
}

bool live_connection_waits(const live_connection *connection) {
    return connection->places[LIVE_RESTING].in || connection->yielding || live_connection_full(connection);
}

size_t live_connection_most(const live_connection *connection) {
    const live_net_def *def = &connection->net->def;
    return connection->stranger && def->hello_bytes < def->message_bytes ? def->hello_bytes : def->message_bytes;
}

bool live_connection_keep(live_connection *connection, const char *bytes, size_t count) {
    if (count == 0) return true; /* an empty fragment: there may be no inbox yet */
    if (connection->inbox_capacity - connection->inbox_used < count) {
        const size_t capacity = (connection->inbox_used + count) * 2;
        char *inbox = realloc(connection->inbox, capacity);
        if (!inbox) return false;
        connection->inbox = inbox;
        connection->inbox_capacity = capacity;
    }
    memcpy(connection->inbox + connection->inbox_used, bytes, count);
    connection->inbox_used += count;
    return true;
}

/* The system gives the lowest free number, so all below it are in use. */
bool live_descriptor_is_last(live_net *net, int descriptor) {
    enum { SPARE = 8 }; /* for files: journals and their folders */
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || (rlim_t)descriptor + SPARE < limit.rlim_cur) return false;
    net->refused++;
    net->no_descriptors++;
    return true;
}

/* ---- sending ---- */

static void do_nothing(uv_idle_t *idle) {
    (void)idle;
}

/* Connections scheduled meanwhile have their turn in the next one, for which the loop does not wait. */
static void flush_all(uv_prepare_t *handle) {
    live_net *net = handle->data;
    const struct live_list *list = &net->lists[LIVE_SCHEDULED];
    const uint64_t turn = net->turn++;
    while (list->first && list->first->turn <= turn) {
        live_connection *connection = list->first;
        remove_from(connection, LIVE_SCHEDULED);
        connection->turn_work = 0;
        connection->yielding = false;
        if (connection->wsi)
            live_web_flush(connection);
        else
            live_lines_flush(connection);
    }
    if (!list->first) {
        uv_prepare_stop(handle);
        uv_idle_stop(&net->again);
    } else {
        uv_idle_start(&net->again, do_nothing);
    }
}

/* Sends messages queued during one turn of the loop at its end, in as few writes as possible. */
void live_schedule(live_connection *connection) {
    live_net *net = connection->net;
    if (connection->places[LIVE_SCHEDULED].in || connection->gone) return;
    uv_prepare_start(&net->flush, flush_all);
    connection->turn = net->turn;
    add_to(connection, LIVE_SCHEDULED);
}

void live_send(live_connection *connection, const void *bytes, size_t count, bool binary) {
    if (connection->gone || connection->closing) return;
    if (!live_outbox_put(&connection->outbox, bytes, count, binary)) {
        live_end(connection, 1011, "no memory");
        return;
    }
    live_schedule(connection);
}

void live_end(live_connection *connection, int code, const char *reason) {
    if (connection->closing || connection->gone) return;
    connection->closing = true;
    connection->code = code;
    snprintf(connection->reason, sizeof connection->reason, "%s", reason);
    connection->reason[wend__utf8_prefix(connection->reason, strlen(connection->reason))] = '\0';
    live_schedule(connection);
}

/* ---- credit ---- */

/// Work of strangers in a second, all together: 10 ms.
enum { STRANGERS_WORK = 1 << 20 };

/* Strangers share one credit, which goes to the one that has rested longest. The others rest on. */
static void end_rests(uv_timer_t *timer) {
    live_net *net = timer->data;
    const uint64_t now = uv_now(net->loop);
    live_credit_renew(&net->strangers, STRANGERS_WORK, now);
    int64_t left = net->strangers.left;
    for (live_connection *connection = net->lists[LIVE_RESTING].first, *next; connection; connection = next) {
        next = connection->places[LIVE_RESTING].next;
        if (connection->lingering) {
            if (connection->linger_ms < now) live_lines_close(connection); /* removes it from the list */
            continue;
        }
        live_credit_renew(&connection->credit, net->def.work, now);
        if ((connection->stranger ? left : connection->credit.left) < 0) continue;
        if (connection->stranger) left -= LIVE_MESSAGE_WORK;
        remove_from(connection, LIVE_RESTING);
        live_schedule(connection);
    }
    if (!net->lists[LIVE_RESTING].first) uv_timer_stop(timer);
}

void live_connection_rest(live_connection *connection) {
    enum { REST_MS = 5 };
    live_net *net = connection->net;
    if (connection->places[LIVE_RESTING].in || connection->gone) return;
    if (!net->lists[LIVE_RESTING].first) uv_timer_start(&net->rest, end_rests, REST_MS, REST_MS);
    add_to(connection, LIVE_RESTING);
}

void live_spend(live_connection *connection, uint64_t work) {
    enum { A_PIECE = 10000 }; /* piece of a turn: 0.1 ms */
    live_net *net = connection->net;
    const uint64_t now = uv_now(net->loop);
    const bool solvent = connection->stranger ? live_credit_spend(&net->strangers, STRANGERS_WORK, now, work)
                                              : live_credit_spend(&connection->credit, net->def.work, now, work);
    if (!solvent) live_connection_rest(connection);
    connection->turn_work += work;
    if (connection->turn_work <= A_PIECE || connection->gone) return;
    connection->yielding = true;
    live_schedule(connection);
}

/* ---- silent connections ---- */

static void end_silent(uv_timer_t *timer) {
    live_net *net = timer->data;
    live_connection *connection;
    const uint64_t now = uv_now(net->loop);
    while ((connection = net->lists[LIVE_SILENT].first) && now - connection->opened_ms >= net->def.hello_ms) {
        remove_from(connection, LIVE_SILENT);
        if (connection->wsi)
            live_web_deny(connection, "no hello in time");
        else
            live_lines_deny(connection, "no hello in time");
    }
    if (!connection)
        uv_timer_stop(timer);
    else
        uv_timer_start(timer, end_silent, connection->opened_ms + net->def.hello_ms - now, 0);
}

static void await_hello(live_connection *connection) {
    live_net *net = connection->net;
    connection->opened_ms = uv_now(net->loop);
    if (!net->lists[LIVE_SILENT].first) uv_timer_start(&net->silent, end_silent, net->def.hello_ms, 0);
    add_to(connection, LIVE_SILENT);
}

void live_known(live_connection *connection) {
    connection->stranger = false;
    remove_from(connection, LIVE_SILENT);
}

/* ---- opening and closing ---- */

static void handle_closed(uv_handle_t *handle) {
    live_net *net = handle->data;
    net->handles--;
}

int live_net_open(live_net *net, uv_loop_t *loop, const live_net_def *def, const char **why) {
    net->loop = loop;
    net->def = *def;
    net->port = -1;
    uv_prepare_init(loop, &net->flush);
    uv_timer_init(loop, &net->closer);
    uv_timer_init(loop, &net->rest);
    uv_timer_init(loop, &net->silent);
    uv_idle_init(loop, &net->again);
    net->flush.data = net->closer.data = net->rest.data = net->silent.data = net->again.data = net;
    uv_unref((uv_handle_t *)&net->flush);
    net->handles = 5;
    const int error = live_web_open(net, why);
    return error != 0 ? error : live_lines_open(net, why);
}

void live_net_stop(live_net *net) {
    net->stopped = true;
    live_lines_stop(net);
}

enum { TURN_MS = 1, PATIENCE = 500, LAST_TURNS = 8 };

static void finish(live_net *net) {
    void (*closed)(void *context) = net->closed;
    void *context = net->closed_context;
    if (closed) closed(context);
}

static void last_closed(uv_handle_t *handle) {
    finish(handle->data);
}

/* libwebsockets closes its handles in steps, each a turn of the loop, and does not report the end: its second
 * destruction comes some turns after the first. */
static void last_turns(uv_timer_t *timer) {
    live_net *net = timer->data;
    if (++net->turns < LAST_TURNS || net->handles > 1) return;
    live_web_close(net);
    uv_timer_stop(timer);
    uv_close((uv_handle_t *)timer, last_closed);
}

/* Clients get some time to read sent messages. */
static void wait_for_clients(uv_timer_t *timer) {
    live_net *net = timer->data;
    if (net->connections && ++net->turns < PATIENCE) return;
    net->turns = 0;
    live_web_close(net);
    live_lines_stop(net);
    for (live_connection *connection = net->connections, *next; connection; connection = next) {
        next = connection->next;
        if (!connection->wsi) live_lines_close(connection);
    }
    uv_prepare_stop(&net->flush);
    uv_close((uv_handle_t *)&net->flush, handle_closed);
    uv_close((uv_handle_t *)&net->rest, handle_closed);
    uv_close((uv_handle_t *)&net->silent, handle_closed);
    uv_close((uv_handle_t *)&net->again, handle_closed);
    uv_timer_start(timer, last_turns, TURN_MS, TURN_MS);
}

void live_net_close(live_net *net, int code, const char *reason, void (*closed)(void *context), void *context) {
    net->closed = closed;
    net->closed_context = context;
    net->turns = 0;
    live_net_stop(net);
    for (live_connection *connection = net->connections; connection; connection = connection->next)
        live_end(connection, code, reason);
    uv_timer_start(&net->closer, wait_for_clients, 0, TURN_MS);
}
