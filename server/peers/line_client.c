/* SPDX-License-Identifier: MIT */
/* Connects, sends hello, and parts what comes into lines. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "cluster/note.h"
#include "peers/line_client.h"

struct line_client {
    line_client_def def;
    union {
        uv_handle_t handle;
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } socket;
    uv_connect_t connecting;
    bool greeted; ///< the answer to hello has come
    char *bytes;  ///< of which lines are taken
    size_t used, capacity;
};

static void on_closed(uv_handle_t *handle) {
    line_client *client = handle->data;
    if (client->def.on_gone) client->def.on_gone(client->def.context);
    free(client->bytes);
    free(client);
}

void line_client_close(line_client *client) {
    if (!uv_is_closing(&client->socket.handle)) uv_close(&client->socket.handle, on_closed);
}

/* ---- reading ---- */

/* The first line answers hello. */
static void handle_line(line_client *client, char *line, size_t size) {
    if (client->greeted)
        client->def.on_line(client->def.context, line, size);
    else if (strstr(line, "\"error\""))
        line_client_close(client);
    client->greeted = true;
}

/* Lines are searched for from `begin` on, where the last read ended. */
static void read_lines(line_client *client, size_t begin) {
    size_t at = 0;
    for (char *end;
         !uv_is_closing(&client->socket.handle) && (end = memchr(client->bytes + begin, '\n', client->used - begin));
         at = begin = (size_t)(end - client->bytes) + 1) {
        *end = '\0';
        handle_line(client, client->bytes + at, (size_t)(end - client->bytes) - at);
    }
    memmove(client->bytes, client->bytes + at, client->used - at);
    client->used -= at;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    line_client *client = stream->data;
    (void)buffer; /* it is the room behind `used` */
    if (count < 0) {
        line_client_close(client);
        return;
    }
    client->used += (size_t)count;
    read_lines(client, client->used - (size_t)count);
}

static void give_room(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    line_client *client = handle->data;
    if (!WEND__ARRAY_ROOM(client->bytes, client->capacity, client->used + size))
        *buffer = uv_buf_init(NULL, 0);
    else
        *buffer = uv_buf_init(client->bytes + client->used, (unsigned)size);
}

static void on_connect(uv_connect_t *request, int status) {
    line_client *client = request->data;
    if (status == 0) status = uv_read_start(request->handle, give_room, on_read);
    if (status != 0) line_client_close(client);
}

/* ---- sending ---- */

typedef struct sending {
    uv_write_t request;
    char bytes[];
} sending;

static void on_sent(uv_write_t *request, int status) {
    (void)status; /* a connection that broke is read as its end */
    free(request->data);
}

bool line_client_send(line_client *client, const char *line, size_t size) {
    sending *sent = !uv_is_closing(&client->socket.handle) ? malloc(sizeof *sent + size) : NULL;
    if (!sent) return false;
    memcpy(sent->bytes, line, size);
    sent->request.data = sent;
    const uv_buf_t buffer = uv_buf_init(sent->bytes, (unsigned)size);
    if (uv_write(&sent->request, &client->socket.stream, &buffer, 1, on_sent) == 0) return true;
    free(sent);
    return false;
}

static bool greet(line_client *client) {
    json_t *hello =
        json_pack("{s:s, s:i, s:i, s:s*}", "op", "hello", "id", 0, "protocol", 1, "token", client->def.token);
    char *line = hello ? json_dumps(hello, JSON_COMPACT) : NULL;
    const size_t length = line ? strlen(line) : 0;
    if (line) line[length] = '\n'; /* it needs no zero any more */
    const bool good = line && line_client_send(client, line, length + 1);
    free(line);
    json_decref(hello);
    return good;
}

/* ---- connecting ---- */

static line_client *make(const line_client_def *def) {
    line_client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    client->def = *def;
    return client;
}

/* It is not used: its end is not reported. */
static line_client *drop(line_client *client) {
    client->def.on_gone = NULL;
    line_client_close(client);
    return NULL;
}

line_client *line_client_open(const line_client_def *def, const char *address) {
    struct sockaddr_storage to = {0};
    const bool path = strchr(address, '/');
    line_client *client = path || cluster_address_read(address, &to) ? make(def) : NULL;
    if (!client) return NULL;
    if (path)
        uv_pipe_init(def->loop, &client->socket.pipe, 0);
    else
        uv_tcp_init(def->loop, &client->socket.tcp);
    client->socket.handle.data = client->connecting.data = client;
    if (path)
        uv_pipe_connect(&client->connecting, &client->socket.pipe, address, on_connect);
    else if (uv_tcp_connect(&client->connecting, &client->socket.tcp, (const struct sockaddr *)&to, on_connect) != 0)
        return drop(client);
    return greet(client) ? client : drop(client);
}

line_client *line_client_adopt(const line_client_def *def, int socket) {
    line_client *client = make(def);
    if (!client) {
        close(socket);
        return NULL;
    }
    uv_pipe_init(def->loop, &client->socket.pipe, 0);
    client->socket.handle.data = client;
    if (uv_pipe_open(&client->socket.pipe, socket) != 0) {
        close(socket);
        return drop(client);
    }
    if (uv_read_start(&client->socket.stream, give_room, on_read) != 0) return drop(client);
    return greet(client) ? client : drop(client);
}
