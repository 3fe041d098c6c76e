/* SPDX-License-Identifier: MIT */
/* Takes a message, refuses it if it must, and finds the function that answers it. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live/answer/answer.h"

/* ---- refusing ---- */

/* Messages in the current second. */
static bool is_too_fast(live_client *client) {
    const uint64_t second = uv_now(client->live->net.loop) / 1000;
    if (client->second != second) {
        client->second = second;
        client->messages = 0;
    }
    return ++client->messages > client->live->limits.messages;
}

/* A pace that sets nothing only looks, too. */
static bool only_looks(const live_message *message) {
    static const char *const changes[] = {"hz", "budget", "wander", "history"};
    const int32_t kind = message->order.kind;
    for (size_t i = 0; kind == WEND_ORDER_PACE && i < sizeof changes / sizeof *changes; i++)
        if (json_object_get(message->reader.object, changes[i])) return false;
    return kind == WEND_ORDER_PACE || wend__order_is(kind, WEND__LOOKS);
}

/* Checks the rights of the client besides the form of its message. @return why it is denied, or NULL */
static const char *denied(const live_client *client) {
    const wend_live *live = client->live;
    const live_message *message = &live->message;
    if (live->def.token && !client->greeted && message->op != LIVE_OP_HELLO) return "hello with the token comes first";
    if (message->op != LIVE_OP_ORDERS) return NULL;
    if (!live->def.on_order) return "the host takes no orders";
    if (only_looks(message)) return NULL;
    if (live->def.read_only) return "this server is read-only";
    if (wend__order_is(message->order.kind, WEND__TIME) && live->def.owner_token && !client->session->owner)
        return "only the owner may do this";
    return NULL;
}

/* Returns true if the session requested this before its client came back, and has no completion: one comes. */
static bool is_repeated(const live_client *client) {
    const live_message *message = &client->live->message;
    live_pending *pending = live_pending_find(client->session, &message->id);
    const bool repeated =
        message->op == LIVE_OP_REQUEST && pending && pending->service && pending->visit != client->session->visits;
    if (repeated) pending->visit = client->session->visits;
    return repeated;
}

/* @return true: the message is handled */
static bool refuse(live_client *client) {
    const wend_live *live = client->live;
    const live_message *message = &live->message;
    const live_id_text *id = &message->id;
    const char *why = message->known ? denied(client) : NULL;
    if (is_too_fast(client) && id->length > 0)
        live_answer_error(client, id, WEND_LIVE_TOO_FAST, "too many messages in a second");
    else if (why)
        live_answer_error(client, id, WEND_LIVE_DENIED, why);
    else if (message->reader.error != WEND_LIVE_OK)
        live_answer_error(client, id, message->reader.error, message->reader.why);
    else if (is_repeated(client))
        live_answer_ok(client, id);
    else if (live_pending_find(client->session, id))
        live_answer_error(client, id, WEND_LIVE_BAD_ARGUMENT, "the id is in use");
    else if (live->draining)
        live_answer_error(client, id, WEND_LIVE_BUSY, "the server is closing");
    else
        return false;
    return true;
}

/* ---- answers ---- */

typedef void answer_fn(live_client *client);
static answer_fn *const answers[] = {
    [LIVE_OP_HELLO] = live_answer_hello,
    [LIVE_OP_REQUEST] = live_answer_request,
    [LIVE_OP_CANCEL] = live_answer_cancel,
    [LIVE_OP_URGENCY] = live_answer_urgency,
    [LIVE_OP_GOAL] = live_answer_goal,
    [LIVE_OP_SUBSCRIBE] = live_answer_subscribe,
    [LIVE_OP_MAP] = live_answer_map,
    [LIVE_OP_STATS] = live_answer_stats,
    [LIVE_OP_POSITIONS] = live_answer_positions,
    [LIVE_OP_ORDERS] = live_answer_order,
};

/* Charges the client for a message, in units of about 10 ns: its bytes to parse, the bytes of its answers, and other
 * work. */
static void charge(live_connection *connection, size_t parsed, uint64_t sent, uint64_t work) {
    enum { PARSE = 6 };
    live_spend(connection, LIVE_MESSAGE_WORK + (uint64_t)parsed * PARSE + sent + work);
}

void live_on_message(void *context, live_connection *connection, const char *bytes, size_t count) {
    wend_live *live = context;
    live_client *client = connection->owner;
    const uint64_t put = connection->outbox.put;
    live->messages++;
    live->raw = bytes;
    live->raw_count = count;
    live->work = 0;
    live_message_parse(&live->message, bytes, count, live->def.map, live->kind, live->limits.edit_cells);
    if (live->message.closes) {
        enum { NO_OBJECT = 1007 };
        live_answer_error(client, &live->message.id, WEND_LIVE_BAD_MESSAGE, live->message.reader.why);
        live_end(connection, NO_OBJECT, live->message.reader.why);
    } else {
        if (!live->def.token) live_known(connection);
        if (!refuse(client)) answers[live->message.op](client);
    }
    live_message_end(&live->message);
    charge(connection, count, connection->outbox.put - put, live->work);
}
