/* SPDX-License-Identifier: MIT */
/* The line protocol: one message a line, over TCP or a Unix socket. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "live/must/must.h"
#include "live/net/net.h"

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *out);
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer);

/* ---- ending ---- */

enum { GOING_AWAY = 1001 };

static void connection_closed(uv_handle_t *handle) {
    live_connection *connection = handle->data;
    connection->net->handles--;
    live_connection_free(connection);
}

void live_lines_close(live_connection *connection) {
    live_connection_gone(connection);
    if (!uv_is_closing((uv_handle_t *)&connection->lines.stream))
        uv_close((uv_handle_t *)&connection->lines.stream, connection_closed);
}

static void on_shut_down(uv_shutdown_t *shutdown, int status) {
    (void)shutdown;
    (void)status;
}

/* Closing a socket with unread bytes resets the connection, and sent bytes are lost, with the reason. So the rest is
 * read until the client closes, or its time is over. */
static void linger(live_connection *connection) {
    enum { LINGER_MS = 10000 };
    if (connection->lingering) return;
    connection->linger_ms = uv_now(connection->net->loop) + LINGER_MS;
    connection->lingering = true;
    live_connection_rest(connection);
    if (uv_shutdown(&connection->shutdown, &connection->lines.stream, on_shut_down) != 0)
        live_lines_close(connection);
    else
        uv_read_start(&connection->lines.stream, give_buffer, on_read);
}

void live_lines_deny(live_connection *connection, const char *why) {
    char words[128];
    live_outbox *outbox = &connection->outbox;
    const int length = snprintf(words, sizeof words, "{\"id\":null,\"error\":\"denied\",\"text\":\"%s\"}", why);
    if (!connection->writing && live_outbox_put(outbox, words, (size_t)length, false)) {
        const uv_buf_t all = uv_buf_init((char *)outbox->bytes + outbox->head, (unsigned)live_outbox_waiting(outbox));
        uv_try_write(&connection->lines.stream, &all, 1);
    }
    live_lines_close(connection);
}

/* ---- reading ---- */

static void too_long(live_connection *connection) {
    static const char words[] = "{\"id\":null,\"error\":\"too_large\",\"text\":\"the line is too long\"}";
    live_send(connection, words, sizeof words - 1, false);
    live_end(connection, 1009, "the line is too long");
}

/* Passes the complete lines of some bytes to the layer above; the first `seen` of them have no LF. So a long line in
 * small pieces is not searched again for each. @return the bytes taken */
static size_t read_lines(live_connection *connection, const char *bytes, size_t count, size_t seen) {
    const live_net *net = connection->net;
    size_t at = 0;
    connection->reading = true;
    while (at < count && !connection->closing && !connection->gone && !connection->stopped) {
        const size_t from = at > seen ? at : seen;
        const char *end = memchr(bytes + from, '\n', count - from);
        const size_t length = (end ? (size_t)(end - bytes) : count) - at;
        if (length > live_connection_most(connection) + (length > 0 && bytes[at + length - 1] == '\r')) {
            too_long(connection);
            break;
        }
        if (!end) break;
        const bool feed = length > 0 && bytes[at + length - 1] == '\r';
        if (length > feed) net->def.hooks.on_message(net->def.hooks.context, connection, bytes + at, length - feed);
        at += length + 1;
        connection->stopped = live_connection_waits(connection);
    }
    connection->reading = false;
    return at;
}

/* Passes lines from the kept bytes; the rest moves to the front. */
static void read_kept(live_connection *connection, size_t seen) {
    const size_t taken = read_lines(connection, connection->inbox, connection->inbox_used, seen);
    MUST(taken <= connection->inbox_used);
    connection->inbox_used -= taken;
    if (connection->inbox_used > 0) {
        memmove(connection->inbox, connection->inbox + taken, connection->inbox_used);
        return;
    }
    free(connection->inbox);
    connection->inbox = NULL;
    connection->inbox_capacity = 0;
}

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
    const live_connection *connection = handle->data;
    (void)suggested;
    *out = uv_buf_init(connection->net->read_buffer, LIVE_READ_BYTES);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    live_connection *connection = stream->data;
    if (count == 0) return;
    if (count < 0) {
        live_lines_close(connection);
        return;
    }
    if (connection->closing) return;
    const size_t seen = connection->inbox_used; /* the beginning of a line: a stopped connection is not here */
    const size_t taken = seen == 0 ? read_lines(connection, buffer->base, (size_t)count, 0) : 0;
    if (connection->gone || connection->closing) return;
    if (taken < (size_t)count && !live_connection_keep(connection, buffer->base + taken, (size_t)count - taken)) {
        live_end(connection, 1011, "no memory");
        return;
    }
    if (seen > 0) read_kept(connection, seen);
    if (connection->stopped) uv_read_stop(stream);
}

/* ---- writing ---- */

static void on_written(uv_write_t *write, int status) {
    live_connection *connection = write->data;
    free(connection->writing);
    connection->writing = NULL;
    if (status < 0) {
        live_lines_close(connection);
        return;
    }
    connection->outbox.sent += connection->writing_bytes;
    live_lines_flush(connection);
}

/* libuv owns bytes that the socket does not take at once, until they are sent. */
static bool write_rest(live_connection *connection) {
    live_outbox *outbox = &connection->outbox;
    uv_buf_t rest = uv_buf_init((char *)outbox->bytes + outbox->head, (unsigned)live_outbox_waiting(outbox));
    connection->writing = outbox->bytes;
    connection->writing_bytes = rest.len;
    outbox->bytes = NULL;
    outbox->head = outbox->tail = outbox->capacity = 0;
    connection->write.data = connection;
    return uv_write(&connection->write, &connection->lines.stream, &rest, 1, on_written) == 0;
}

void live_lines_flush(live_connection *connection) {
    live_outbox *outbox = &connection->outbox;
    if (connection->writing || uv_is_closing((uv_handle_t *)&connection->lines.stream)) return;
    if (live_outbox_waiting(outbox) > 0) {
        uv_buf_t all = uv_buf_init((char *)outbox->bytes + outbox->head, (unsigned)live_outbox_waiting(outbox));
        const int sent = uv_try_write(&connection->lines.stream, &all, 1);
        if (sent > 0) live_outbox_sent(outbox, (size_t)sent);
        if ((sent < 0 && sent != UV_EAGAIN) || (live_outbox_waiting(outbox) > 0 && !write_rest(connection))) {
            live_lines_close(connection);
            return;
        }
    }
    if (connection->writing) return;
    if (connection->closing) {
        if (connection->code == GOING_AWAY)
            live_lines_close(connection);
        else
            linger(connection);
        return;
    }
    if (!connection->stopped || connection->reading || live_connection_waits(connection)) return;
    connection->stopped = false;
    if (connection->inbox_used > 0) read_kept(connection, 0);
    if (!connection->stopped && !connection->closing && !connection->gone)
        uv_read_start(&connection->lines.stream, give_buffer, on_read);
}

/* ---- listening ---- */

static int init_stream(live_net *net, void *stream) {
    return net->def.lines_path ? uv_pipe_init(net->loop, stream, 0) : uv_tcp_init(net->loop, stream);
}

static void refuse(live_net *net);

static void refused_closed(uv_handle_t *handle) {
    live_net *net = handle->data;
    net->handles--;
    if (handle != (uv_handle_t *)&net->spare.stream) {
        free(handle);
        return;
    }
    net->spare_used = false;
    if (net->spare_wanted && !net->stopped) refuse(net);
}

static char full[] = "{\"id\":null,\"error\":\"busy\",\"text\":\"the server takes no more clients\"}\n";
enum { FULL_BYTES = sizeof full - 1 };

/* Accepts, sends the reason and closes: an unaccepted client would stay in the system's queue, and libuv would accept
 * none after it. */
static void refuse(live_net *net) {
    const uv_buf_t line = uv_buf_init(full, FULL_BYTES);
    uv_stream_t *stream = malloc(sizeof net->spare);
    net->spare_wanted = !stream && net->spare_used;
    if (net->spare_wanted) return;
    if (!stream) stream = &net->spare.stream, net->spare_used = true;
    init_stream(net, stream); /* no socket is created so far, so this cannot fail */
    stream->data = net;
    net->handles++;
    if (uv_accept(&net->listener.stream, stream) == 0) uv_try_write(stream, &line, 1);
    uv_close((uv_handle_t *)stream, refused_closed);
}

/* Closes at once a connection with one of the last descriptors: many may come in one turn of the loop. */
static bool has_descriptor(live_connection *connection) {
    const uv_buf_t line = uv_buf_init(full, FULL_BYTES);
    int descriptor;
    if (uv_fileno((uv_handle_t *)&connection->lines.stream, &descriptor) != 0) return true;
    if (!live_descriptor_is_last(connection->net, descriptor)) return true;
    uv_try_write(&connection->lines.stream, &line, 1);
    live_lines_close(connection);
    return false;
}

static void on_connection(uv_stream_t *listener, int status) {
    live_net *net = listener->data;
    if (status < 0) return;
    live_connection *connection = live_connection_new(net);
    if (!connection) {
        refuse(net);
        return;
    }
    connection->outbox.lines = true;
    init_stream(net, &connection->lines.stream);
    connection->lines.stream.data = connection;
    net->handles++;
    if (uv_accept(listener, &connection->lines.stream) != 0) {
        live_lines_close(connection);
        return;
    }
    if (!has_descriptor(connection)) return;
    if (!net->def.lines_path) {
        uv_tcp_nodelay(&connection->lines.tcp, 1);
        uv_tcp_keepalive(&connection->lines.tcp, 1, LIVE_KEEPALIVE_SECONDS);
    }
    uv_read_start(&connection->lines.stream, give_buffer, on_read);
}

/* Removes a socket file without a listener, left over from a killed server. */
static void remove_stale(const char *path) {
    struct stat info;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (lstat(path, &info) != 0 || !S_ISSOCK(info.st_mode) || strlen(path) >= sizeof address.sun_path) return;
    strcpy(address.sun_path, path);
    const int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe < 0) return;
    if (connect(probe, (const struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED) unlink(path);
    close(probe);
}

static int bind_tcp(live_net *net) {
    struct sockaddr_storage address;
    const live_address *lines = &net->def.lines;
    int length = sizeof address;
    int error = lines->v6 ? uv_ip6_addr(lines->host, lines->port, (struct sockaddr_in6 *)&address)
                          : uv_ip4_addr(lines->host, lines->port, (struct sockaddr_in *)&address);
    if (error == 0) error = uv_tcp_bind(&net->listener.tcp, (const struct sockaddr *)&address, 0);
    if (error == 0) error = uv_tcp_getsockname(&net->listener.tcp, (struct sockaddr *)&address, &length);
    if (error == 0)
        net->lines_port = address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                                        : ((struct sockaddr_in *)&address)->sin_port;
    net->lines_port = (net->lines_port >> 8 & 0xff) | (net->lines_port & 0xff) << 8; /* network order */
    return error;
}

static void listener_closed(uv_handle_t *handle) {
    live_net *net = handle->data;
    net->handles--;
}

int live_lines_open(live_net *net, const char **why) {
    enum { BACKLOG = 511 };
    const char *path = net->def.lines_path;
    if (!path && net->def.lines.host[0] == '\0') return 0;
    int error = init_stream(net, &net->listener.stream);
    if (error != 0) return error;
    net->listener.stream.data = net;
    net->listening = true;
    net->handles++;
    if (path) remove_stale(path);
    error = path ? uv_pipe_bind(&net->listener.pipe, path) : bind_tcp(net);
    if (error == 0) error = uv_listen(&net->listener.stream, BACKLOG, on_connection);
    if (error != 0) *why = "the address of the lines cannot be listened on";
    return error;
}

void live_lines_stop(live_net *net) {
    if (!net->listening || uv_is_closing((uv_handle_t *)&net->listener.stream)) return;
    uv_close((uv_handle_t *)&net->listener.stream, listener_closed);
}
