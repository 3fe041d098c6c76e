/* SPDX-License-Identifier: MIT */
/* Growing: limits, hooks and kinds of orders may be added. See docs/stability.md. */
/* libwend-live: a page and a protocol on a host's own service, maps and agents, run by its libuv loop. */
/* uv.h itself needs POSIX: with -std=c11 define _GNU_SOURCE, or use -std=gnu11. */
#ifndef WEND_LIVE_H
#define WEND_LIVE_H

#include <uv.h>
#include <wend/order.h>
#include <wend/wend.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_live wend_live;

/// Errors that a message can be answered with; docs/protocol.md has their words.
enum {
    WEND_LIVE_OK = 0,           ///< the order is done
    WEND_LIVE_BAD_MESSAGE = 1,  ///< no message of the protocol
    WEND_LIVE_BAD_ARGUMENT = 2, ///< a field is outside its range, or does not fit the world
    WEND_LIVE_OUT_OF_RANGE = 3, ///< a cell is off the map
    WEND_LIVE_BUSY = 4,         ///< there is no room now: try again
    WEND_LIVE_TOO_LARGE = 5,    ///< more than a limit of the server allows
    WEND_LIVE_TOO_FAST = 6,     ///< more in a second than a limit of the server allows
    WEND_LIVE_DENIED = 7,       ///< the client may not do that
    WEND_LIVE_UNKNOWN = 8,      ///< there is no such name
    WEND_LIVE_MOVED = 9,        ///< another node has it now
    WEND_LIVE_UNAVAILABLE = 10, ///< no node has it now
    WEND_LIVE_UNCERTAIN = 11,   ///< the node does not know whether it was done
    WEND_LIVE_TOO_OLD = 12,     ///< the history does not reach back that far
    WEND_LIVE_FORGOTTEN = 13,   ///< the answer is not kept any more
};

/// Limits of the server. X(name, default, least, most, text): the field, the option of `wend serve` and the text of its
/// help follow from it.
#define WEND_LIVE_LIMITS(X)                                                                                            \
    X(clients, 10240, 1, 1000000, "connections at a time")                                                             \
    X(message_bytes, 1048576, 64, 67108864, "longest message; a longer one closes its connection")                     \
    X(messages, 100000, 1, 100000000, "messages of a client in a second")                                              \
    X(requests, 1024, 1, 1000000, "requests of a client in flight")                                                    \
    X(edits, 64, 1, 1000000, "edits of a client between two frames")                                                   \
    X(edit_cells, 4194304, 1, 4294967296, "cells that one edit may change")                                            \
    X(answer_cells, 1048576, 1, 16777216, "cells of a box that one message may ask for")                               \
    X(queue_bytes, 4194304, 4096, 1073741824, "bytes that wait for a client before it is read no more")                \
    X(sessions, 1024, 0, 1000000, "sessions that are kept while their client is away")                                 \
    X(session_seconds, 300, 0, 1000000000, "seconds that a session is kept")                                           \
    X(kept_bytes, 1048576, 0, 1073741824, "bytes of completions that are kept for a session")                          \
    X(work, 67108864, 65536, 1099511627776, "work for a client in a second, in units of about 10 ns")                  \
    X(hello_seconds, 30, 1, 1000000000, "seconds for the first message, or hello where there is a token")              \
    X(hello_bytes, 16384, 64, 67108864, "longest message before hello, where there is a token")                        \
    X(guesses, 30, 1, 1000000, "wrong tokens from an address in a minute")

/// Most bytes of a token.
#define WEND_LIVE_TOKEN_BYTES 256

typedef struct wend_live_limits {
#define WEND_X(name, standard, least, most, text) uint64_t name;
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
} wend_live_limits;

/// The client that gives an order.
typedef struct wend_live_sender {
    uint32_t struct_bytes;
    bool owner;       ///< true: the session may command everything
    uint64_t session; ///< a number of the session, never 0
    uint64_t once;    ///< the session's own number of this order, from 1: it is to be done once; 0: not given
    const char *name; ///< of the session; NULL: it has none, and `once` is 0
} wend_live_sender;

/// Called for each order that comes. The host answers each once, at once or later, with wend_live_answer().
///
/// The kinds that come are EDIT (loads and unloads, too), OCCUPY, VACATE, CLEAR, RELEASE; AGENT, GO, FOLLOW, FLEE,
/// STEER, HALT, REMOVE, ROUTE, TAKE, ADJUST; PAUSE, RESUME, ADVANCE (`step`), RESET, PACE; INSPECT, SAVE, FIELD, JAMS.
/// A host refuses those that it does not do as WEND_LIVE_DENIED. Definitions in an order are complete, so that
/// functions of wend take them.
/// @param reference   for the answer
/// @param order       checked as far as its form goes. Text is UTF-8 and ends with a zero. It is valid until the
///                    callback returns, as `sender` is
typedef void wend_live_order_fn(void *context, uint64_t reference, const wend_live_sender *sender,
                                const wend_order *order);

/// The agents of a host: arrays with an element for each. Those with a name of NULL are left out.
typedef struct wend_live_positions {
    uint32_t struct_bytes;
    uint32_t count;
    const char *const *names;
    const wend_cell *cells;   ///< cells held
    const wend_point *points; ///< where they are
    const uint8_t *states;    ///< WEND_AGENT_…; NULL: all idle
    uint64_t names_revision;  ///< another number whenever a name came or went, or a size or radius changed
    const uint8_t *sizes;     ///< cells along a side, of large movers; NULL: all 1
    const uint32_t *radii;    ///< of bodies, as wend_crowd_view.radii; NULL: none has one
} wend_live_positions;

/// Called when someone wants to know where the agents are: at most once a frame, and for each message `positions`.
/// @param out   receives the arrays, which stay valid until the next call into the host
typedef void wend_live_positions_fn(void *context, wend_live_positions *out);

/// The units of a host that are no agents: a cell for each, again for each further unit on it.
typedef struct wend_live_units {
    uint32_t struct_bytes;
    uint32_t reserved;
    const wend_cell *cells;
    uint64_t count;
} wend_live_units;

/// Called when a client requests what stands on the map.
/// @param out   receives the array, which stays valid until the next call into the host
typedef void wend_live_units_fn(void *context, wend_live_units *out);

/// A file that clients get over HTTP, with the token where there is one.
typedef struct wend_live_file {
    const char *path; ///< of the URL, "/tiled.json"; those of the page itself go before it
    const char *type; ///< for Content-Type
    const void *bytes;
    size_t count;
} wend_live_file;

typedef struct wend_live_def {
    uint32_t struct_bytes;
    bool read_only;     ///< true: no orders, whatever on_order is
    const char *listen; ///< "ADDRESS:PORT" of HTTP and WebSocket; port 0: any free one. Default 127.0.0.1:7780
    const char *lines;  ///< "ADDRESS:PORT", or a path of at most 107 bytes, with a slash, for a Unix socket: messages
                        ///< as lines. NULL: none
    const char *host;   ///< a further name under which clients may ask for the page; NULL: none
    const char *token;  ///< password of clients: 1 to WEND_LIVE_TOKEN_BYTES bytes without control characters; NULL:
                        ///< none. Needed where an address is not loopback
    const char *owner_token; ///< only sessions that give it may order others' agents, pause and reset; as token; NULL:
                             ///< all may
    const char *certificate, *key;         ///< files in PEM, for TLS; NULL: no TLS
    wend_live_order_fn *on_order;          ///< NULL: orders are denied
    wend_live_positions_fn *get_positions; ///< NULL: there are no agents, or wend_live_send_frame() brings them
    /// Called when the metrics are asked for. Writes text in the format of Prometheus, up to `capacity` bytes, of which
    /// the last may be a zero.
    /// @return its length; more than capacity: call again with so much room. NULL: only those of the server itself
    size_t (*get_metrics)(void *context, char *out, size_t capacity);
    void *context;                  ///< of the callbacks
    const wend_live_limits *limits; ///< copied; NULL: the defaults
    wend_live_units_fn *get_units;  ///< NULL: there are no units but agents
    const char *map;                ///< name of the map, by which messages may call it; NULL: it has none
    const wend_cell *start, *goal;  ///< markers of the map's file, shown as A and B; copied. NULL: it has none
    /// Called for /readyz. Writes why the host should get no clients now, a line for each reason, with a zero behind
    /// them. @return their bytes; 0: it is ready. NULL: it always is
    size_t (*get_unready)(void *context, char *out, size_t capacity);
    /// Returns the profile of wend_map_add_profile() for the weights of a request's layers, which it gives by name; -1:
    /// it has no such layer. NULL: there are no layers.
    int32_t (*get_profile)(void *context, const wend_weights *layers);
    /// Called for each message `map`. `names` receives the names of its layers by number, valid until the next
    /// call into the host. @return how many. NULL: clients see no layers
    size_t (*get_layers)(void *context, const char *const **names);
    /// Files for the page, which draws the pictures of "/tiled.json" (docs/protocol.md). Not copied, not even their
    /// bytes: they must outlive the server. NULL with count 0: none.
    const wend_live_file *files;
    size_t file_count;
    /// Returns wend_world_hash() of the world, for `stats` with "hash". NULL: those have none.
    uint64_t (*get_hash)(void *context);
} wend_live_def;

/// Set the defaults of a definition.
/// @param bytes   sizeof *def
/// Threads: any. Cost: O(1).
WEND_API void wend_live_def_init(wend_live_def *def, size_t bytes);

/// Set the default limits.
/// Threads: any. Cost: O(1).
WEND_API void wend_live_limits_init(wend_live_limits *limits);

/// Open the server on a loop. It owns its sockets, and uses no thread of its own.
/// @param def    copied
/// @param out    receives the server, for wend_live_close()
/// @param why    receives a line of text where it fails; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (a bad def; an address that is no loopback, and no token), WEND_BUSY (the address
///         is in use), WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED (the libuv part of libwebsockets is not installed), WEND_IO
///         (the system refuses the address or a file). After an error the loop must run for some turns, to close what
///         was opened
/// Threads: the loop's. Cost: O(clients).
WEND_API wend_error wend_live_open(uv_loop_t *loop, const wend_live_def *def, wend_live **out, const char **why);

/// Get the port of HTTP and WebSocket.
/// Threads: the loop's. Cost: O(1).
WEND_API int wend_live_get_port(const wend_live *live);

/// Set the map that the page shows, and that requests are searched on, from now on. Its version now is epoch 0 for
/// clients. Requests of clients that are pending on the map before go on there.
/// @param map      a reference is held; NULL: none, as before a rewind of its arena (mark.h)
/// @param movers   names of its movers from 1 on, copied; may be NULL with count 0
/// @return WEND_OK, WEND_OUT_OF_MEMORY
/// Threads: the loop's. Cost: O(count).
WEND_API wend_error wend_live_set_map(wend_live *live, wend_map *map, const char *const *movers, size_t count);

/// Set the service that clients' requests go to; it must outlive the server. NULL: requests are denied.
/// Threads: the loop's, which ticks the service. Cost: O(1).
WEND_API void wend_live_set_service(wend_live *live, wend_service *service);

/// Tell of a frame that the host ran, once for each frame. Sends what clients
/// subscribed to, handles messages that waited for an edit, and ends sessions whose time is over. While the host is
/// paused, agents may come and go: a further call with the number of the frame before does the same, but of the frame
/// it sends only where agents are.
/// @param frame       as the service counted it
/// @param positions   NULL: def.get_positions is asked where someone watches
/// Threads: the loop's. Cost: O(1) without watchers and messages; else O(agents + watchers × bytes).
WEND_API void wend_live_send_frame(wend_live *live, const wend_frame *frame, const wend_live_positions *positions);

/// The answer to an order.
typedef struct wend_live_reply {
    uint32_t struct_bytes;
    int32_t error;      ///< WEND_LIVE_…
    const char *text;   ///< for people; NULL: none
    uint64_t epoch;     ///< EDIT, RESET: wend_map_get_epoch() after publishing, less that at wend_live_set_map()
    uint64_t frame;     ///< ADVANCE, PAUSE, RESUME: the last frame run
    const char *fields; ///< INSPECT, PACE, SAVE, FIELD, JAMS, and errors: members of a JSON object, each after a comma;
                        ///< NULL: none
    uint64_t work;      ///< what it cost apart from its bytes, in units of about 10 ns: the limit `work` counts it
    bool again;         ///< true: the order of this number was done before, and watchers get no message
    int32_t reserved;
} wend_live_reply;

/// Answer an order.
/// @param reference   as on_order got it; each is answered once
/// Threads: the loop's. Cost: O(text); of an edit also O(watchers × its bytes).
WEND_API void wend_live_answer(wend_live *live, uint64_t reference, const wend_live_reply *reply);

/// Tell those that watch edits, or frames, of a change that the host made: as if a client had given the order. Where
/// memory is lacking, none gets a message.
/// @param order   EDIT, with its changes in the order in which they apply; OCCUPY, VACATE; LAYER, PAINT; RESET
/// @param epoch   EDIT, RESET: the map's, after it was published
/// Threads: the loop's. Cost: O(1) without watchers; else O(changes or cells + watchers × bytes).
WEND_API void wend_live_send_order(wend_live *live, const wend_order *order, uint64_t epoch);

/// Close the server: what waits is sent as far as it goes at once, clients are closed with 1001, pending requests of
/// theirs are cancelled. The loop must run until `closed` is called.
/// @param closed    called from the loop when all is freed; may be NULL
/// @param context   for closed
/// Threads: the loop's, not inside a callback of the server. Cost: O(clients).
WEND_API void wend_live_close(wend_live *live, void (*closed)(void *context), void *context);

#ifdef __cplusplus
}
#endif
#endif
