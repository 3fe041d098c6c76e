/* SPDX-License-Identifier: MIT */
/* Orders: they go to the host, which may answer later; watchers get the edits. */
#define _GNU_SOURCE

#include "live/answer/answer.h"

#include <stdlib.h>
#include <string.h>

#include "live/private/live_private.h"
#include "live/watch/watch.h"
#include "orders/orders.h"

/* Returns the agents, or routes, that an order names. */
static uint64_t names_of(const wend_order *order) {
    const wend__row *row = &wend__order_rows[order->kind];
    const void *first = row->field_count > 0 ? (const char *)order + row->fields[0].offset : NULL;
    if (first && row->fields[0].kind == WEND__NAMES) return ((const wend_names *)first)->count;
    return first && row->fields[0].kind == WEND__NAME;
}

/* Counts edits of a client between two frames, or in a second while the host runs none. */
static bool too_many_edits(live_client *client) {
    const wend_live *live = client->live;
    if (!wend__order_is(live->message.order.kind, WEND__EDIT_LIMIT)) return false;
    const uint64_t now = uv_now(live->net.loop);
    if (client->edit_frame != live->frame + 1 || now - client->edit_ms >= 1000) {
        client->edit_frame = live->frame + 1;
        client->edit_ms = now;
        client->edits = 0;
    }
    return ++client->edits > live->limits.edits;
}

/* Checks the cells of a requested field: an answer has at most this many. */
static bool is_good_box(live_client *client) {
    const wend_order *order = &client->live->message.order;
    if (order->kind != WEND_ORDER_FIELD) return true;
    const wend_box box = {order->field.box.items[0], order->field.box.items[1]};
    const uint64_t count = live_box_cells(box, client->live->limits.answer_cells);
    if (count == 0)
        live_answer_error(client, &client->live->message.id, WEND_LIVE_BAD_ARGUMENT, LIVE_BAD_BOX);
    else if (count > client->live->limits.answer_cells)
        live_answer_error(client, &client->live->message.id, WEND_LIVE_TOO_LARGE, LIVE_LARGE_BOX);
    return count > 0 && count <= client->live->limits.answer_cells;
}

/* Writes an order's content as a batch: members of an object, each after a comma. @return their beginning */
static size_t write_batch(wend_live *live, const wend_order *order) {
    live_text *text = &live->batch;
    live_text_begin(text);
    wend__order_write_json(order, wend__kind_axes(live->kind), live_put_to, text);
    if (!text->starved) text->used--; /* the brace at its end */
    return strlen("{\"op\":\"\"") + strlen(wend__order_rows[order->kind].name);
}

static void keep_bytes(live_pending *pending, const char *bytes, size_t count) {
    pending->batch = malloc(count);
    if (!pending->batch) return;
    memcpy(pending->batch, bytes, count);
    pending->batch_bytes = count;
}

/* Writes for watchers: the message as it came, without its op and id; loads and unloads as the equivalent edits. */
static void keep_batch(wend_live *live, live_pending *pending) {
    if (!wend__order_is(pending->order, WEND__WATCHED) || !live_watch_wanted(live, LIVE_EDITS)) return;
    if (json_object_get(live->message.reader.object, "chunk")) {
        const size_t begin = write_batch(live, &live->message.order);
        if (!live->batch.starved) keep_bytes(pending, live->batch.bytes + begin, live->batch.used - begin);
        return;
    }
    json_t *batch = json_copy(live->message.reader.object);
    if (!batch) return;
    json_object_del(batch, "op");
    json_object_del(batch, "id");
    char *text = json_dumps(batch, JSON_COMPACT);
    if (text && text[1] != '}') {
        text[0] = ',';
        keep_bytes(pending, text, strlen(text) - 1);
    }
    free(text);
    json_decref(batch);
}

void live_answer_order(live_client *client) {
    enum { AN_AGENT = 1024 }; /* cost of an order for each agent that it names */
    wend_live *live = client->live;
    const live_id_text *id = &live->message.id;
    const wend_order *order = &live->message.order;
    if (too_many_edits(client)) {
        live_answer_error(client, id, WEND_LIVE_TOO_FAST, "too many edits between two frames");
        return;
    }
    if (!is_good_box(client)) return;
    if (live->message.once > 0 && client->session->name[0] == '\0') {
        live_answer_error(client, id, WEND_LIVE_BAD_ARGUMENT, "once is for sessions with a name");
        return;
    }
    if (client->session->pending_count >= live->limits.requests) {
        live_answer_error(client, id, WEND_LIVE_BUSY, "too many messages that wait for their answers");
        return;
    }
    live_pending *pending = live_pending_new(client->session, id);
    const uint64_t reference = pending ? live_pending_refer(pending) : 0;
    if (reference == 0) {
        if (pending) live_pending_free(pending, false);
        live_answer_error(client, id, WEND_LIVE_BUSY, "no memory");
        return;
    }
    pending->order = order->kind;
    live->work += live->message.changed_cells + names_of(order) * AN_AGENT;
    keep_batch(live, pending);
    const wend_live_sender sender = {.struct_bytes = sizeof sender,
                                     .owner = client->session->owner,
                                     .session = client->session->number,
                                     .once = live->message.once,
                                     .name = client->session->name[0] != '\0' ? client->session->name : NULL};
    live->def.on_order(live->def.context, reference, &sender, order);
}

/* ---- the host's answer ---- */

static uint64_t epoch_for_clients(const wend_live *live, uint64_t epoch) {
    return (int64_t)(epoch - live->first_epoch) > 0 ? epoch - live->first_epoch : 0;
}

static void put_reply(const wend_live *live, live_text *text, const live_pending *pending,
                      const wend_live_reply *reply) {
    live_puts(text, "{\"id\":");
    live_put(text, pending->id, pending->length);
    if (reply->error != WEND_LIVE_OK) {
        const char *words = reply->text ? reply->text : live_error_name(reply->error);
        live_puts(text, ",\"error\":\"");
        live_puts(text, live_error_name(reply->error));
        live_puts(text, "\",\"text\":");
        live_put_string(text, words, strlen(words));
        if (reply->fields) live_puts(text, reply->fields);
    } else {
        live_puts(text, ",\"ok\":true");
        if (wend__order_is(pending->order, WEND__HAS_EPOCH))
            live_put_field(text, "epoch", epoch_for_clients(live, reply->epoch));
        if (wend__order_is(pending->order, WEND__HAS_FRAME)) live_put_field(text, "frame", live->frame);
        if (reply->again) live_puts(text, ",\"again\":true");
        if (reply->fields) live_puts(text, reply->fields);
    }
    live_put_term(live, text);
    live_puts(text, "}");
}

static void begin_event(live_text *text, int32_t kind) {
    live_unasked_begin(text, "event");
    live_puts(text, ",\"event\":{\"event\":\"");
    live_puts(text, wend__order_rows[kind].name);
    live_puts(text, "\"");
}

/* Sends edits to their watchers, with the batch; changes of the course of time to all watchers of frames. */
static void send_to_watchers(wend_live *live, const live_pending *pending, const wend_live_reply *reply) {
    live_text *text = &live->text;
    if (reply->error != WEND_LIVE_OK || reply->again ||
        (!pending->batch && !wend__order_is(pending->order, WEND__TIME)))
        return;
    begin_event(text, pending->order);
    if (wend__order_is(pending->order, WEND__HAS_EPOCH))
        live_put_field(text, "epoch", epoch_for_clients(live, reply->epoch));
    if (pending->order == WEND_ORDER_PACE && reply->fields) live_puts(text, reply->fields);
    if (pending->batch) live_put(text, pending->batch, pending->batch_bytes);
    live_puts(text, "}}");
    live_watch_event(live, pending->batch ? LIVE_EDITS : LIVE_EDITS | LIVE_FRAMES, text, NULL);
}

void wend_live_send_order(wend_live *live, const wend_order *order, uint64_t epoch) {
    const uint32_t what = order->kind == WEND_ORDER_RESET ? LIVE_EDITS | LIVE_FRAMES : LIVE_EDITS;
    live_text *text = &live->text;
    if (!live_watch_wanted(live, what)) return;
    const size_t begin = write_batch(live, order);
    if (live->batch.starved) return;
    begin_event(text, order->kind);
    if (wend__order_is(order->kind, WEND__HAS_EPOCH)) live_put_field(text, "epoch", epoch_for_clients(live, epoch));
    live_put(text, live->batch.bytes + begin, live->batch.used - begin);
    live_puts(text, "}}");
    live_watch_event(live, what, text, NULL);
}

void live_owner_event(wend_live *live) {
    live_text *text = &live->text;
    if (!live_watch_wanted(live, LIVE_FRAMES)) return;
    live_unasked_begin(text, "event");
    live_puts(text, ",\"event\":{\"event\":\"owner\"");
    live_put_term(live, text);
    live_put_owner(live, text);
    live_puts(text, "}}");
    live_watch_event(live, LIVE_FRAMES, text, NULL);
}

void live_put_owner(const wend_live *live, live_text *text) {
    live_put_key(text, "node");
    live_put_string(text, live->owner, strlen(live->owner));
    live_put_key(text, "page");
    live_put_string(text, live->owner_page, strlen(live->owner_page));
    live_put_key(text, "pages");
    live_puts(text, "[");
    for (const char *page = live->pages; *page != '\0';) {
        const size_t length = strcspn(page, " ");
        if (page != live->pages) live_puts(text, ",");
        live_put_string(text, page, length);
        page += length + (page[length] == ' ');
    }
    live_puts(text, "]");
}

void live_reply(wend_live *live, uint64_t reference, const wend_live_reply *reply) {
    live_pending *pending = live_pending_by_reference(&live->sessions, reference);
    if (!pending) return;
    live_text *text = &live->text;
    live_text_begin(text);
    live->errors += reply->error != WEND_LIVE_OK;
    put_reply(live, text, pending, reply);
    if (pending->session && pending->session->connection) live_spend(pending->session->connection, reply->work);
    if (pending->session) live_deliver(pending->session, pending, text);
    send_to_watchers(live, pending, reply);
    live_pending_free(pending, false);
}

void live_send_event(wend_live *live, uint64_t number, uint64_t frame, const char *agent,
                     const wend_agent_event *event) {
    live_session *session = live_session_by_number(&live->sessions, number);
    const bool watched = live_watch_wanted(live, LIVE_AGENTS);
    live_text *text = &live->text;
    const wend__event_line line = wend__event_line_of(frame, agent, event, wend__kind_axes(live->kind));
    if (!session && !watched) return;
    live_unasked_begin(text, "event");
    live_puts(text, ",\"event\":");
    wend__event_write_json(&line, live_put_to, text);
    live_puts(text, "}");
    if (session) live_deliver(session, NULL, text);
    const live_client *told = session && session->connection ? session->connection->owner : NULL;
    if (watched) live_watch_event(live, LIVE_AGENTS, text, told);
}
