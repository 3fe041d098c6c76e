/* SPDX-License-Identifier: MIT */
/* Connections: their list, sending, ending; opening and closing all of it. */
#define _GNU_SOURCE

#include "live/net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- connections ---- */

live_connection *live_connection_new(live_net *net) {
    live_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) return NULL;
    connection->net = net;
    if (net->count >= net->def.clients || !net->def.hooks.on_open(net->def.hooks.context, connection)) {
        net->refused++;
        free(connection);
        return NULL;
    }
    connection->next = net->connections;
    if (connection->next != NULL) connection->next->previous = connection;
    net->connections = connection;
    net->count++;
    net->opened++;
    return connection;
}

void live_connection_gone(live_connection *connection) {
    live_net *net = connection->net;
    if (connection->gone) return;
    connection->gone = true;
    if (connection->next != NULL) connection->next->previous = connection->previous;
    if (connection->previous != NULL)
        connection->previous->next = connection->next;
    else
        net->connections = connection->next;
    net->count--;
    for (live_connection **at = &net->scheduled; connection->scheduled && *at != NULL; at = &(*at)->next_scheduled) {
        if (*at != connection) continue;
        *at = connection->next_scheduled;
        connection->scheduled = false;
        break;
    }
    for (live_connection **at = &net->resting; connection->resting && *at != NULL; at = &(*at)->next_resting) {
        if (*at != connection) continue;
        *at = connection->next_resting;
        connection->resting = false;
        break;
    }
    net->def.hooks.on_closed(net->def.hooks.context, connection);
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
    return connection->resting || live_connection_full(connection);
}

bool live_connection_keep(live_connection *connection, const char *bytes, size_t count) {
    if (connection->inbox_capacity - connection->inbox_used < count) {
        const size_t capacity = (connection->inbox_used + count) * 2;
        char *inbox = realloc(connection->inbox, capacity);
        if (inbox == NULL) return false;
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

static void flush_all(uv_prepare_t *handle) {
    live_net *net = handle->data;
    uv_prepare_stop(handle);
    while (net->scheduled != NULL) {
        live_connection *connection = net->scheduled;
        net->scheduled = connection->next_scheduled;
        connection->scheduled = false;
        if (connection->wsi != NULL)
            live_web_flush(connection);
        else
            live_lines_flush(connection);
    }
}

/* Messages queued during one turn of the loop are sent at its end, in as few writes as possible. */
void live_schedule(live_connection *connection) {
    live_net *net = connection->net;
    if (connection->scheduled || connection->gone) return;
    if (net->scheduled == NULL) uv_prepare_start(&net->flush, flush_all);
    connection->scheduled = true;
    connection->next_scheduled = net->scheduled;
    net->scheduled = connection;
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
    live_schedule(connection);
}

/* ---- credit ---- */

static void end_rests(uv_timer_t *timer) {
    live_net *net = timer->data;
    const uint64_t now = uv_now(net->loop);
    for (live_connection **at = &net->resting; *at != NULL;) {
        live_connection *connection = *at;
        if (connection->lingering && connection->linger_ms < now) {
            live_lines_close(connection); /* it leaves the list */
            continue;
        }
        live_credit_renew(&connection->credit, net->def.work, now);
        if (connection->lingering || connection->credit.left < 0) {
            at = &connection->next_resting;
            continue;
        }
        *at = connection->next_resting;
        connection->resting = false;
        live_schedule(connection);
    }
    if (net->resting == NULL) uv_timer_stop(timer);
}

void live_connection_rest(live_connection *connection) {
    enum { REST_MS = 5 };
    live_net *net = connection->net;
    if (connection->resting || connection->gone) return;
    if (net->resting == NULL) uv_timer_start(&net->rest, end_rests, REST_MS, REST_MS);
    connection->resting = true;
    connection->next_resting = net->resting;
    net->resting = connection;
}

void live_spend(live_connection *connection, uint64_t work) {
    const live_net *net = connection->net;
    if (work > 0 && !live_credit_spend(&connection->credit, net->def.work, uv_now(net->loop), work))
        live_connection_rest(connection);
}

/* ---- opening and closing ---- */

static void handle_closed(uv_handle_t *handle) {
    live_net *net = handle->data;
    net->handles--;
}

int live_net_open(live_net *net, uv_loop_t *loop, const live_net_def *def, const char **why) {
    *net = (live_net){.loop = loop, .def = *def, .port = -1};
    net->read_buffer = malloc(LIVE_READ_BYTES);
    if (net->read_buffer == NULL) return UV_ENOMEM;
    uv_prepare_init(loop, &net->flush);
    uv_timer_init(loop, &net->turn);
    uv_timer_init(loop, &net->rest);
    net->flush.data = net->turn.data = net->rest.data = net;
    uv_unref((uv_handle_t *)&net->flush);
    net->handles = 3;
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
    free(net->read_buffer);
    if (closed != NULL) closed(context);
}

static void last_closed(uv_handle_t *handle) {
    finish(handle->data);
}

/* libwebsockets closes its handles in steps, each a turn of the loop, and says nothing when it is done: its second
 * destruction comes some turns after the first. */
static void last_turns(uv_timer_t *timer) {
    live_net *net = timer->data;
    if (++net->turns < LAST_TURNS || net->handles > 1) return;
    live_web_close(net);
    uv_timer_stop(timer);
    uv_close((uv_handle_t *)timer, last_closed);
}

/* Clients get some time to take what was sent to them. */
static void wait_for_clients(uv_timer_t *timer) {
    live_net *net = timer->data;
    if (net->connections != NULL && ++net->turns < PATIENCE) return;
    net->turns = 0;
    live_web_close(net);
    live_lines_stop(net);
    for (live_connection *connection = net->connections, *next; connection != NULL; connection = next) {
        next = connection->next;
        if (connection->wsi == NULL) live_lines_close(connection);
    }
    uv_prepare_stop(&net->flush);
    uv_close((uv_handle_t *)&net->flush, handle_closed);
    uv_close((uv_handle_t *)&net->rest, handle_closed);
    uv_timer_start(timer, last_turns, TURN_MS, TURN_MS);
}

void live_net_close(live_net *net, int code, const char *reason, void (*closed)(void *context), void *context) {
    net->closed = closed;
    net->closed_context = context;
    net->turns = 0;
    live_net_stop(net);
    for (live_connection *connection = net->connections; connection != NULL; connection = connection->next)
        live_end(connection, code, reason);
    uv_timer_start(&net->turn, wait_for_clients, 0, TURN_MS);
}
