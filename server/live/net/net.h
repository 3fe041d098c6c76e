/* SPDX-License-Identifier: MIT */
/* The network: connections over WebSocket and as lines, on the host's loop. Messages pass through unread. */
#ifndef WEND_SERVER_LIVE_NET_NET_H
#define WEND_SERVER_LIVE_NET_NET_H

#include <uv.h>

#include "live/net/address.h"
#include "live/net/credit.h"
#include "live/net/guesses.h"
#include "live/net/outbox.h"

/// Largest read from a client that sends lines; and the quiet seconds before the system probes the other side.
enum { LIVE_READ_BYTES = 65536, LIVE_KEEPALIVE_SECONDS = 60 };
/// Work of a message without its bytes.
enum { LIVE_MESSAGE_WORK = 100 };

struct lws;
struct lws_context;
struct wend_live_file;
typedef struct live_net live_net;
typedef struct live_connection live_connection;

/// Lists of connections, in the order in which they came: with something to send or to take at the end of this turn of
/// the loop; waiting for time to pass; silent so far.
enum { LIVE_SCHEDULED, LIVE_RESTING, LIVE_SILENT, LIVE_LISTS };

/// A connected client. Its memory is freed after `on_closed`, and once libuv has released it.
struct live_connection {
    live_net *net;
    live_connection *previous, *next; ///< list of all connections
    void *owner;                      ///< data of the layer above
    live_outbox outbox;
    char *inbox; ///< an incomplete message, or unread messages
    size_t inbox_used, inbox_capacity;
    live_credit credit; ///< credit left for its messages
    uint64_t turn_work; ///< cost of its messages in this turn of the loop
    uint64_t turn;      ///< turn in which it was scheduled
    uint64_t opened_ms;
    struct lws *wsi; ///< WebSocket; NULL: lines
    union {
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } lines;
    uv_write_t write;
    uv_shutdown_t shutdown;
    uint64_t linger_ms;     ///< end of lingering
    unsigned char *writing; ///< owned by the write under way
    size_t writing_bytes;
    bool stopped;     ///< the connection is not read until its client has read, or has credit again
    bool yielding;    ///< the connection had its piece of this turn, and continues in the next one
    bool stranger;    ///< the client still has to say hello with the token
    bool lingering;   ///< all is sent; incoming bytes are dropped, as closing at once would discard sent ones
    bool reading;     ///< its messages are being processed: no other code may take them
    bool closing;     ///< the connection ends once all is sent
    bool ended;       ///< the close frame is on its way
    bool gone;        ///< reported to the layer above
    int code;         ///< the reason of its end, as a WebSocket code
    char reason[124]; ///< UTF-8; a close frame holds no more
    struct live_place {
        live_connection *previous, *next;
        bool in;
    } places[LIVE_LISTS];
};

/// Functions of the layer above.
typedef struct live_net_hooks {
    void *context;
    /// @return false: refused, no room
    bool (*on_open)(void *context, live_connection *connection);
    /// Each message. The bytes are valid until it returns.
    void (*on_message)(void *context, live_connection *connection, const char *bytes, size_t count);
    void (*on_closed)(void *context, live_connection *connection);
    /// Returns the text of /metrics, malloc'd; NULL: no memory.
    char *(*get_metrics)(void *context, size_t *count);
    /// Checks the token in a text. NULL: no token.
    /// @param socket   the client's
    /// @return 200, 401 or 429 (too many wrong ones)
    int (*check_token)(void *context, const char *token, int socket);
    /// Writes why the host is not ready, for /readyz. @return the bytes; 0: it is ready
    size_t (*get_unready)(void *context, char *out, size_t capacity);
} live_net_hooks;

typedef struct live_net_def {
    live_address listen, lines;
    const char *lines_path;
    const char *host;
    const char *certificate, *key;
    const struct wend_live_file *files; ///< files of the host
    size_t file_count;
    bool strangers; ///< connections are strangers at first, as there is a token
    size_t message_bytes, hello_bytes, queue_bytes;
    uint64_t clients, work, hello_ms;
    live_net_hooks hooks;
} live_net_def;

struct live_net {
    uv_loop_t *loop;
    live_net_def def;
    struct lws_context *context;
    int port, lines_port;
    union {
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } listener, spare; ///< spare: to refuse a client if memory ran out
    bool spare_used;
    bool spare_wanted; ///< a client waits to be refused; libuv reports no other one until then
    bool listening;
    bool stopped; ///< no connection is accepted any more
    live_connection *connections;
    uint32_t count;
    uint64_t opened, refused;
    uint64_t no_descriptors; ///< refused connections for lack of descriptors
    uint32_t handles;        ///< open handles of libuv
    struct live_list {
        live_connection *first, *last;
    } lists[LIVE_LISTS];
    uint64_t turn;
    live_credit strangers; ///< credit of all strangers together
    uv_prepare_t flush;
    uv_idle_t again;   ///< while a connection yields: the loop does not wait
    uv_timer_t rest;   ///< while a connection rests, or lingers
    uv_timer_t silent; ///< while a connection is silent
    char read_buffer[LIVE_READ_BYTES];
    uv_timer_t closer; ///< while closing
    int turns, web_closes;
    void (*closed)(void *context);
    void *closed_context;
};

/// @return 0 or a libuv error; *why has more
int live_net_open(live_net *net, uv_loop_t *loop, const live_net_def *def, const char **why);
/// Accepts no more connections.
void live_net_stop(live_net *net);
/// Ends all connections with a code, and calls `closed` when all of it is freed.
void live_net_close(live_net *net, int code, const char *reason, void (*closed)(void *context), void *context);

/// Queues a message. If memory runs out the connection ends.
void live_send(live_connection *connection, const void *bytes, size_t count, bool binary);
/// Ends a connection once all that waits is sent.
void live_end(live_connection *connection, int code, const char *reason);

/// Charges the cost of a client's message: without credit left, the client is not read for a while.
void live_spend(live_connection *connection, uint64_t work);
/// Handles a successful hello: the client is no stranger, and stays.
void live_known(live_connection *connection);
/// Returns its socket.
int live_connection_socket(const live_connection *connection);

/// Returns the unsent bytes to the client.
static inline size_t live_connection_waiting(const live_connection *connection) {
    return (size_t)(connection->outbox.put - connection->outbox.sent);
}

/* Internal to the room. */
live_connection *live_connection_new(live_net *net);
/// Reports the end to the layer above, once.
void live_connection_gone(live_connection *connection);
void live_connection_free(live_connection *connection);
/// Returns whether the client has so much to read that it gets no more.
bool live_connection_full(const live_connection *connection);
/// Returns whether it must not be read: its client has much to read, or no credit, or it had its piece of this turn.
bool live_connection_waits(const live_connection *connection);
/// Returns the longest message that the client may send.
size_t live_connection_most(const live_connection *connection);
/// Keeps bytes of an incomplete message. @return false: no memory
bool live_connection_keep(live_connection *connection, const char *bytes, size_t count);
/// Returns whether the descriptor of a new connection is one of the last few, and counts it. The caller closes it: a
/// listener without any descriptor stays ready, and the loop would spin.
bool live_descriptor_is_last(live_net *net, int descriptor);
void live_schedule(live_connection *connection);
int live_lines_open(live_net *net, const char **why);
void live_lines_stop(live_net *net);
void live_lines_flush(live_connection *connection);
/// Makes a connection wait for time to pass: for credit, or for the other side to close.
void live_connection_rest(live_connection *connection);
/// Ends a connection, and drops unsent bytes.
void live_lines_close(live_connection *connection);
/// Ends a connection at once, with the reason to its client if there is room.
void live_lines_deny(live_connection *connection, const char *why);
void live_web_deny(live_connection *connection, const char *why);
int live_web_socket(const live_connection *connection);
int live_web_open(live_net *net, const char **why);
void live_web_flush(live_connection *connection);
void live_web_close(live_net *net);

#endif
