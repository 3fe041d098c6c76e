/* SPDX-License-Identifier: MIT */
/* The network: connections over WebSocket and as lines, on the host's loop. It carries messages unread. */
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

/// A client that is connected. It is freed after `on_closed`, and once libuv has let go of it.
struct live_connection {
    live_net *net;
    live_connection *previous, *next; ///< of all
    void *owner;                      ///< what the layer above keeps of it
    live_outbox outbox;
    char *inbox; ///< a message of which more is to come, or messages that are not read
    size_t inbox_used, inbox_capacity;
    live_credit credit; ///< what its messages may still cost
    uint64_t turn_work; ///< what they cost in this turn of the loop
    uint64_t turn;      ///< in which it was scheduled
    uint64_t opened_ms;
    struct lws *wsi; ///< WebSocket; NULL: lines
    union {
        uv_stream_t stream;
        uv_tcp_t tcp;
        uv_pipe_t pipe;
    } lines;
    uv_write_t write;
    uv_shutdown_t shutdown;
    uint64_t linger_ms;     ///< until then
    unsigned char *writing; ///< owned by the write under way
    size_t writing_bytes;
    bool stopped;     ///< it is not read from, until it has read, or has credit again
    bool yielding;    ///< it had its piece of this turn, and goes on in the next one
    bool stranger;    ///< it still has to say hello with the token
    bool lingering;   ///< all is sent; what comes is dropped, as closing at once would take away what was sent
    bool reading;     ///< its messages are being taken: nothing else may take them
    bool closing;     ///< it ends once all is sent
    bool ended;       ///< the close frame is on its way
    bool gone;        ///< reported to the layer above
    int code;         ///< why it ends, as WebSocket has it
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
    /// The text of /metrics, malloc'd; NULL: no memory.
    char *(*get_metrics)(void *context, size_t *count);
    /// Returns whether the text gives the right token. NULL: it gave none.
    /// @param socket   that it came by
    /// @return 200, 401 or 429 (too many wrong ones)
    int (*check_token)(void *context, const char *token, int socket);
    /// Writes why the host is not ready, for /readyz. @return the bytes; 0: it is
    size_t (*get_unready)(void *context, char *out, size_t capacity);
} live_net_hooks;

typedef struct live_net_def {
    live_address listen, lines;
    const char *lines_path;
    const char *host;
    const char *certificate, *key;
    const struct wend_live_file *files; ///< of the host
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
    } listener, spare; ///< spare: to refuse a client where memory ran out
    bool spare_used;
    bool spare_wanted; ///< a client waits to be refused; libuv reports no other one until then
    bool listening;
    bool stopped; ///< no one is accepted any more
    live_connection *connections;
    uint32_t count;
    uint64_t opened, refused;
    uint64_t no_descriptors; ///< of the refused ones, for want of descriptors
    uint32_t handles;        ///< of libuv that are not closed
    struct live_list {
        live_connection *first, *last;
    } lists[LIVE_LISTS];
    uint64_t turn;
    live_credit strangers; ///< of all together
    uv_prepare_t flush;
    uv_idle_t again;   ///< while someone yields: the loop does not wait
    uv_timer_t rest;   ///< while someone rests, or lingers
    uv_timer_t silent; ///< while someone has said nothing
    char read_buffer[LIVE_READ_BYTES];
    uv_timer_t closer; ///< while closing
    int turns, web_closes;
    void (*closed)(void *context);
    void *closed_context;
};

/// @return 0 or a libuv error; *why has more
int live_net_open(live_net *net, uv_loop_t *loop, const live_net_def *def, const char **why);
/// Accept no one any more.
void live_net_stop(live_net *net);
/// End all connections with a code, and call `closed` when nothing of it is left.
void live_net_close(live_net *net, int code, const char *reason, void (*closed)(void *context), void *context);

/// Queue a message. Where memory runs out the connection ends.
void live_send(live_connection *connection, const void *bytes, size_t count, bool binary);
/// End a connection once all that waits is sent.
void live_end(live_connection *connection, int code, const char *reason);

/// A message of the client cost so much: where it has no credit left, it is not read from for a while.
void live_spend(live_connection *connection, uint64_t work);
/// The client has said what is asked for first: it is no stranger, and stays.
void live_known(live_connection *connection);
/// Its socket.
int live_connection_socket(const live_connection *connection);

/// Unsent bytes to the client.
static inline size_t live_connection_waiting(const live_connection *connection) {
    return (size_t)(connection->outbox.put - connection->outbox.sent);
}

/* Inside the room. */
live_connection *live_connection_new(live_net *net);
/// Tell the layer above, once.
void live_connection_gone(live_connection *connection);
void live_connection_free(live_connection *connection);
/// Returns whether the client has so much to read that it gets no more.
bool live_connection_full(const live_connection *connection);
/// Returns whether it is not to be read from: it has much to read, or no credit, or had its piece of this turn.
bool live_connection_waits(const live_connection *connection);
/// Longest message that it may send.
size_t live_connection_most(const live_connection *connection);
/// Keep bytes of a message of which more is to come. @return false: no memory
bool live_connection_keep(live_connection *connection, const char *bytes, size_t count);
/// Returns whether the descriptor of a new connection is one of the last few. It is counted then, and to be closed: a
/// listener that finds none at all stays ready, and the loop would spin.
bool live_descriptor_is_last(live_net *net, int descriptor);
void live_schedule(live_connection *connection);
int live_lines_open(live_net *net, const char **why);
void live_lines_stop(live_net *net);
void live_lines_flush(live_connection *connection);
/// It waits for time to pass: for credit, or for the other side to close.
void live_connection_rest(live_connection *connection);
/// End a connection, whatever waits for it.
void live_lines_close(live_connection *connection);
/// Ends a connection at once, with the reason to its client if there is room.
void live_lines_deny(live_connection *connection, const char *why);
void live_web_deny(live_connection *connection, const char *why);
int live_web_socket(const live_connection *connection);
int live_web_open(live_net *net, const char **why);
void live_web_flush(live_connection *connection);
void live_web_close(live_net *net);

#endif
