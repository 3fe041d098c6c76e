/* SPDX-License-Identifier: MIT */
/* Messages of clients: from JSON to checked plain structs. */
#ifndef WEND_SERVER_LIVE_MESSAGE_MESSAGE_H
#define WEND_SERVER_LIVE_MESSAGE_MESSAGE_H

#include "live/message/read_order.h"

/// Messages that the library answers itself, and all orders, which the host answers.
typedef enum live_op {
    LIVE_OP_HELLO,
    LIVE_OP_REQUEST,
    LIVE_OP_CANCEL,
    LIVE_OP_URGENCY,
    LIVE_OP_GOAL,
    LIVE_OP_SUBSCRIBE,
    LIVE_OP_MAP,
    LIVE_OP_STATS,
    LIVE_OP_POSITIONS,
    LIVE_OP_ORDERS
} live_op;

/// Subjects that clients can watch, as bits.
enum { LIVE_FRAMES = 1, LIVE_AGENTS = 2, LIVE_EDITS = 4, LIVE_COMPLETIONS = 8, LIVE_QUEUE = 16 };

/// An id as JSON: a whole number, or a text with its quotes. Empty: no id.
typedef struct live_id_text {
    char text[LIVE_MAX_ID];
    size_t length;
} live_id_text;

typedef struct live_hello {
    int64_t protocol;
    const char *session, *secret, *token; ///< NULL: not given
    const json_t *waiting;                ///< ids that the client waits for; NULL: not given
    bool runs;                            ///< paths come as runs
} live_hello;

typedef struct live_subscription {
    uint32_t what; ///< LIVE_FRAMES …
    uint32_t every;
    bool binary;
} live_subscription;

typedef struct live_box {
    bool given;
    wend_box box;
} live_box;

/// A message. Text in it belongs to `root`; arrays belong to the message and are used again for the next one.
typedef struct live_message {
    live_reader reader;
    live_id_text id;
    bool closes; ///< no JSON object: the connection ends
    bool known;  ///< an id and an operation were read, even if other fields are bad
    live_op op;
    live_id_text about; ///< CANCEL, URGENCY, GOAL: id of the request
    live_hello hello;
    live_subscription subscription;
    live_box box;
    bool hash;            ///< STATS: the hash is requested
    bool features, runs;  ///< MAP: links and closed steps are requested; the classes of the box come as runs
    const char *layer;    ///< MAP: the layer to read values of the box from; NULL: its classes
    wend_request request; ///< REQUEST; URGENCY and GOAL: its urgency and goal
    const char *mover;    ///< REQUEST; NULL: the default one
    bool no_cells;
    uint64_t at_least;      ///< REQUEST: the required epoch of the map
    wend_order order;       ///< requests and orders
    uint64_t changed_cells; ///< EDIT
    uint64_t once;          ///< orders: the session's number; 0: not given
    live_lists lists;
} live_message;

/// Parses a message. `reader.error` is its verdict; the id is set if it has one.
/// @param map          the map's name; NULL: it has none
/// @param kind         of the map, or 0
/// @param edit_cells   most cells that an edit may change
void live_message_parse(live_message *message, const char *bytes, size_t count, const char *map, int32_t kind,
                        uint64_t edit_cells);
/// Releases the JSON. The arrays stay.
void live_message_end(live_message *message);
/// Frees the arrays.
void live_message_free(live_message *message);

/// Reads an id as JSON. @return false: it is neither a whole number nor a text of up to 64 bytes
bool live_id_read(const json_t *value, live_id_text *out);

/* check_order.c: errors are the reader's. */

/// Fills `request` from `order`.
void live_take_request(live_message *message);
/// Checks an order, and counts the cells of an edit, with its boxes' least corners first.
void live_check_order(live_message *message, uint64_t edit_cells);

#endif
