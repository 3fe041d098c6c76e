/* SPDX-License-Identifier: MIT */
/* HTTP and WebSocket by libwebsockets, on the host's loop: the page, the host's files, /healthz, /readyz, /metrics and
 * /ws. */
#define _GNU_SOURCE

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <wend/live.h>

#include "live/net/net.h"
#include "live/page/page.h"

_Static_assert(LWS_PRE <= 16, "live/net/outbox.c leaves 16 bytes before a message");

/// Data that libwebsockets keeps for each of its connections.
typedef struct web_user {
    live_connection *connection; ///< connection of a WebSocket
    unsigned char *body;         ///< body of an unsent answer, malloc'd; NULL: `rest` stays without it
    const unsigned char *rest;   ///< unsent part
    size_t count;                ///< bytes of that part
} web_user;

/* Returns the file of the page at a URL's path; NULL: there is none. */
static const wend__page_file *find_file(const char *path) {
    for (const wend__page_file *file = wend__page_files; file->path; file++)
        if (!strcmp(file->path, path)) return file;
    return NULL;
}

static live_net *net_of(struct lws *wsi) {
    return lws_context_user(lws_get_context(wsi));
}

/* ---- access ---- */

enum { HEADER_BYTES = 512 };

/* Copies a header's value; false: it is longer than any valid one. */
static bool read_header(struct lws *wsi, enum lws_token_indexes token, char out[HEADER_BYTES]) {
    out[0] = '\0';
    return lws_hdr_total_length(wsi, token) == 0 || lws_hdr_copy(wsi, out, HEADER_BYTES, token) > 0;
}

static bool is_welcome(struct lws *wsi) {
    const live_net *net = net_of(wsi);
    char host[HEADER_BYTES], origin[HEADER_BYTES];
    if (!read_header(wsi, WSI_TOKEN_HOST, host) || !read_header(wsi, WSI_TOKEN_ORIGIN, origin)) return false;
    if (host[0] != '\0' && !live_host_allowed(&net->def.listen, net->def.host, host, strlen(host))) return false;
    return origin[0] == '\0' || live_origin_allowed(origin, host);
}

/* ---- HTTP: one request for each connection ----
 *
 * libwebsockets 4.1 goes round for ever where a request follows another and its body comes in one packet with its head.
 * So a connection ends with its first answer, and what else a client sends is dropped. */

static int put_headers(struct lws *wsi, unsigned status, const char *type, size_t count) {
    static const char *const fixed[][2] = {
        {"connection:", "close"},
        {"content-security-policy:", WEND__PAGE_POLICY},
        {"x-content-type-options:", "nosniff"},
        {"x-frame-options:", "DENY"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-resource-policy:", "same-origin"},
        {"cross-origin-opener-policy:", "same-origin"},
        {"cache-control:", "no-store"},
    };
    unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start, *end = buffer + sizeof buffer - 1;
    if (lws_add_http_common_headers(wsi, status, type, count, &at, end) != 0) return 1;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)fixed[i][0], (const unsigned char *)fixed[i][1],
                                        (int)strlen(fixed[i][1]), &at, end) != 0)
            return 1;
    return lws_finalize_write_http_header(wsi, start, &at, end);
}

/* Ends the connection. Closing a socket with unread bytes would discard sent ones, so unread bytes are read first.
 * @return for a callback: close */
static int finish(struct lws *wsi) {
    enum { MOST_READS = 64 };
    char dropped[4096];
    const int socket = lws_get_socket_fd(wsi);
    for (int i = 0; i < MOST_READS && recv(socket, dropped, sizeof dropped, MSG_DONTWAIT) > 0;) i++;
    return -1;
}

/* Sends the headers now, the body when the socket has room.
 * @param owned   malloc'd: the body, freed after it; NULL: `bytes` outlives the server */
static int respond_with(struct lws *wsi, web_user *user, unsigned status, const char *type, const void *bytes,
                        size_t count, void *owned) {
    enum { SECONDS = 60, LEAST_SPEED = 16384 }; /* for a client that is slow to take what its system does not */
    free(user->body);
    user->body = owned;
    user->rest = bytes;
    user->count = count;
    if (put_headers(wsi, status, type, count) != 0) return -1;
    if (count == 0 || lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0) return finish(wsi);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS + (int)(count / LEAST_SPEED));
    lws_callback_on_writable(wsi);
    return 0;
}

static int respond(struct lws *wsi, web_user *user, unsigned status, const char *type, const void *bytes,
                   size_t count) {
    void *copy = malloc(count + 1);
    if (!copy) return -1;
    memcpy(copy, bytes, count);
    return respond_with(wsi, user, status, type, copy, count, copy);
}

static int respond_text(struct lws *wsi, web_user *user, unsigned status, const char *text) {
    return respond(wsi, user, status, "text/plain; charset=utf-8", text, strlen(text));
}

/* libwebsockets keeps bytes of a piece that the socket does not take, and calls again when all of it is sent. */
static int send_body(struct lws *wsi, web_user *user) {
    enum { PIECE_BYTES = 32768 };
    unsigned char piece[LWS_PRE + PIECE_BYTES];
    const size_t count = user->count < PIECE_BYTES ? user->count : PIECE_BYTES;
    if (count == 0) return finish(wsi);
    memcpy(piece + LWS_PRE, user->rest, count);
    user->rest += count;
    user->count -= count;
    const int sent = lws_write(wsi, piece + LWS_PRE, count, user->count > 0 ? LWS_WRITE_HTTP : LWS_WRITE_HTTP_FINAL);
    lws_callback_on_writable(wsi);
    return sent < 0 ? -1 : 0;
}

/* @return HTTP_STATUS_OK: the request has the token, or none is needed; else it is answered, and *result is to be
 * returned */
static int check_bearer(struct lws *wsi, web_user *user, int *result) {
    static const char bearer[] = "Bearer ";
    const live_net_hooks *hooks = &net_of(wsi)->def.hooks;
    char given[HEADER_BYTES];
    const bool readable = read_header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, given);
    const bool named = readable && strncmp(given, bearer, sizeof bearer - 1) == 0;
    const int status =
        hooks->check_token(hooks->context, named ? given + sizeof bearer - 1 : NULL, lws_get_socket_fd(wsi));
    if (status != HTTP_STATUS_OK)
        *result = respond_text(wsi, user, (unsigned)status,
                               status == HTTP_STATUS_UNAUTHORIZED ? "the token is needed: Authorization: Bearer TOKEN\n"
                                                                  : "too many wrong tokens: try again later\n");
    return status;
}

static int respond_metrics(struct lws *wsi, web_user *user) {
    const live_net_hooks *hooks = &net_of(wsi)->def.hooks;
    int answered;
    if (check_bearer(wsi, user, &answered) != HTTP_STATUS_OK) return answered;
    size_t count = 0;
    char *text = hooks->get_metrics(hooks->context, &count);
    if (!text) return respond_text(wsi, user, HTTP_STATUS_SERVICE_UNAVAILABLE, "no memory\n");
    return respond_with(wsi, user, HTTP_STATUS_OK, "text/plain; version=0.0.4; charset=utf-8", text, count, text);
}

/* A path is compared as a whole: no part of it ever names a file of the system. */
static int respond_file(struct lws *wsi, web_user *user, const char *path) {
    const live_net_def *def = &net_of(wsi)->def;
    int answered;
    for (size_t i = 0; i < def->file_count; i++) {
        const wend_live_file *file = &def->files[i];
        if (strcmp(file->path, path) != 0) continue;
        if (check_bearer(wsi, user, &answered) != HTTP_STATUS_OK) return answered;
        return respond_with(wsi, user, HTTP_STATUS_OK, file->type, file->bytes, file->count, NULL);
    }
    return respond_text(wsi, user, HTTP_STATUS_NOT_FOUND, "there is no such page\n");
}

static int respond_ready(struct lws *wsi, web_user *user) {
    enum { REASONS_BYTES = 4096 };
    const live_net_hooks *hooks = &net_of(wsi)->def.hooks;
    char why[REASONS_BYTES] = "";
    if (hooks->get_unready(hooks->context, why, sizeof why) == 0)
        return respond_text(wsi, user, HTTP_STATUS_OK, "ok\n");
    return respond_text(wsi, user, HTTP_STATUS_SERVICE_UNAVAILABLE, why);
}

static int on_http(struct lws *wsi, web_user *user, const char *path) {
    const bool get =
        lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 || lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    if (!is_welcome(wsi)) {
        net_of(wsi)->refused++;
        return respond_text(wsi, user, HTTP_STATUS_FORBIDDEN, "this host or origin is not the server's own\n");
    }
    if (!get) return respond_text(wsi, user, HTTP_STATUS_METHOD_NOT_ALLOWED, "GET only\n");
    if (strcmp(path, "/healthz") == 0) return respond_text(wsi, user, HTTP_STATUS_OK, "ok\n");
    if (strcmp(path, "/readyz") == 0) return respond_ready(wsi, user);
    if (strcmp(path, "/metrics") == 0) return respond_metrics(wsi, user);
    if (strcmp(path, "/ws") == 0) return respond_text(wsi, user, 426, "a WebSocket only\n");
    const wend__page_file *file = find_file(path);
    if (!file) return respond_file(wsi, user, path);
    return respond_with(wsi, user, HTTP_STATUS_OK, file->type, file->bytes, file->length, NULL);
}

/* ---- WebSocket ---- */

/* @return 0: go on; -1: answered, close */
static int confirm_upgrade(struct lws *wsi) {
    char path[HEADER_BYTES];
    live_net *net = net_of(wsi);
    unsigned status = 0;
    if (!is_welcome(wsi))
        status = HTTP_STATUS_FORBIDDEN;
    else if (!read_header(wsi, WSI_TOKEN_GET_URI, path) || strcmp(path, "/ws") != 0)
        status = HTTP_STATUS_NOT_FOUND;
    else if (net->count >= net->def.clients || net->stopped)
        status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    if (status == 0) return 0;
    net->refused++;
    put_headers(wsi, status, "text/plain", 0);
    return finish(wsi);
}

static int open_connection(struct lws *wsi, web_user *user) {
    live_connection *connection = live_connection_new(net_of(wsi));
    if (!connection) return -1;
    connection->wsi = wsi;
    user->connection = connection;
    return 0;
}

static int on_receive(struct lws *wsi, live_connection *connection, const char *bytes, size_t count) {
    live_net *net = connection->net;
    const bool whole = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    if (connection->closing) return 0;
    if (lws_frame_is_binary(wsi)) {
        live_end(connection, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are text");
        return 0;
    }
    if (connection->inbox_used + count > live_connection_most(connection)) {
        live_end(connection, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "the message is too long");
        return 0;
    }
    if (!whole || connection->inbox_used > 0) {
        if (!live_connection_keep(connection, bytes, count)) return -1;
        bytes = connection->inbox;
        count = connection->inbox_used;
    }
    if (!whole) return 0;
    net->def.hooks.on_message(net->def.hooks.context, connection, bytes, count);
    free(connection->inbox);
    connection->inbox = NULL;
    connection->inbox_used = connection->inbox_capacity = 0;
    if (live_connection_waits(connection) && !connection->stopped) {
        connection->stopped = true;
        lws_rx_flow_control(wsi, 0);
    }
    return 0;
}

void live_web_flush(live_connection *connection) {
    lws_callback_on_writable(connection->wsi);
}

/* The close frame goes out, and the other side's is waited for. Returning -1 from a callback would do the same, but
 * libwebsockets 4.1 as Debian builds it ends the connection then before the frame is sent. */
static void close_politely(struct lws *wsi, live_connection *connection) {
    if (connection->ended) return;
    connection->ended = true;
    lws_close_reason(wsi, (enum lws_close_status)connection->code, (unsigned char *)connection->reason,
                     strlen(connection->reason));
    lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_SYNC);
}

void live_web_deny(live_connection *connection, const char *why) {
    live_end(connection, LWS_CLOSE_STATUS_POLICY_VIOLATION, why);
    live_outbox_free(&connection->outbox); /* its client may never read */
    close_politely(connection->wsi, connection);
}

int live_web_socket(const live_connection *connection) {
    return lws_get_socket_fd(connection->wsi);
}

static int on_writable(struct lws *wsi, live_connection *connection) {
    live_framed message;
    while (live_outbox_first(&connection->outbox, &message)) {
        const enum lws_write_protocol kind = message.binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
        const int sent = lws_write(wsi, message.bytes, message.count, kind);
        if (sent < 0) return -1;
        live_outbox_pop(&connection->outbox);
        if (lws_send_pipe_choked(wsi)) break;
    }
    if (live_outbox_waiting(&connection->outbox) > 0) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    if (connection->closing) {
        close_politely(wsi, connection);
        return 0;
    }
    if (connection->stopped && !live_connection_waits(connection)) {
        connection->stopped = false;
        lws_rx_flow_control(wsi, 1);
    }
    return 0;
}

static void close_connection(web_user *user) {
    if (!user->connection) return;
    live_connection_gone(user->connection);
    live_connection_free(user->connection);
    user->connection = NULL;
}

/* ---- the context ---- */

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user_data, void *in, size_t count) {
    web_user *user = user_data;
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return live_descriptor_is_last(net_of(wsi), (int)(intptr_t)in);
    case LWS_CALLBACK_HTTP: return on_http(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_body(wsi, user);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        if (user) free(user->body), user->body = NULL, user->count = 0;
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(wsi);
    case LWS_CALLBACK_ESTABLISHED: return open_connection(wsi, user);
    case LWS_CALLBACK_RECEIVE: return !user->connection ? -1 : on_receive(wsi, user->connection, in, count);
    case LWS_CALLBACK_SERVER_WRITEABLE: return !user->connection ? -1 : on_writable(wsi, user->connection);
    case LWS_CALLBACK_CLOSED: close_connection(user); return 0;
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {{"wend", on_event, sizeof(web_user), 0, 0, NULL, 0},
                                                 {NULL, NULL, 0, 0, 0, NULL, 0}};

int live_web_open(live_net *net, const char **why) {
    struct lws_context_creation_info info;
    void *loops[1] = {net->loop};
    memset(&info, 0, sizeof info);
    info.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
    if (net->def.certificate) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    info.foreign_loops = loops;
    info.user = net;
    info.pt_serv_buf_size = LIVE_READ_BYTES;
    info.server_string = "wend";
    lws_set_log_level(0, NULL);
    net->context = lws_create_context(&info);
    if (!net->context) {
        *why = "libwebsockets cannot run on libuv here: its part for libuv is missing (Debian: libwebsockets-evlib-uv)";
        return UV_ENOTSUP;
    }
    info.port = net->def.listen.port;
    info.iface = net->def.listen.host;
    info.protocols = protocols;
    info.options |= LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND;
    if (!net->def.listen.v6) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    info.ssl_cert_filepath = net->def.certificate;
    info.ssl_private_key_filepath = net->def.key;
    info.alpn = "http/1.1";
    info.ka_time = LIVE_KEEPALIVE_SECONDS;
    info.ka_probes = 3;
    info.ka_interval = 10;
    struct lws_vhost *host = lws_create_vhost(net->context, &info);
    if (!host) {
        *why = net->def.certificate ? "the address cannot be listened on, or the certificate or key not read"
                                    : "the address cannot be listened on: another server may use the port";
        return UV_EADDRINUSE;
    }
    net->port = lws_get_vhost_listen_port(host);
    return 0;
}

/* Called twice, with turns of the loop between: see net.c. */
void live_web_close(live_net *net) {
    if (net->context) lws_context_destroy(net->context);
    if (++net->web_closes == 2) net->context = NULL;
}
