/* SPDX-License-Identifier: MIT */
/* Requests of clients: submitting, changing, cancelling, and their completions. */
#define _GNU_SOURCE

#include <string.h>

#include "live/answer/answer.h"
#include "live/watch/watch.h"
#include "orders/avoiding.h"
#include "orders/orders.h"
#include <wend/control.h>

/* ---- completions ---- */

static void put_completion(live_text *text, const wend_live *live, const live_pending *pending,
                           const wend_completion *done, bool runs) {
    const wend__completion_line line = {.done = done,
                                        .frames = done->frames,
                                        .first_epoch = pending->first_epoch,
                                        .axes = wend__kind_axes(pending->kind),
                                        .no_cells = pending->no_cells,
                                        .runs = runs};
    live_puts(text, "\"frame\":");
    live_put_number(text, live->frame + 1);
    live_put_key(text, "id");
    live_put(text, pending->id, pending->length);
    live_puts(text, ",");
    wend__completion_write_json(&line, live_put_to, text);
    live_puts(text, "}");
}

/* The callback of every request of a client. */
static void on_done(void *context, const wend_completion *done) {
    live_pending *pending = context;
    wend_live *live = pending->all ? live_of(pending->all) : NULL;
    if (live && pending->session) {
        live_text *text = &live->text;
        live_unasked_begin(text, "done");
        live_puts(text, ",\"id\":");
        live_put(text, pending->id, pending->length);
        live_puts(text, ",\"done\":{");
        put_completion(text, live, pending, done, pending->session->runs);
        live_puts(text, "}");
        live_deliver(pending->session, pending, text);
    }
    if (live && live_watch_wanted(live, LIVE_COMPLETIONS)) {
        live_text *text = &live->text;
        live_unasked_begin(text, "event");
        live_puts(text, ",\"event\":{\"event\":\"completion\",");
        put_completion(text, live, pending, done, false);
        live_puts(text, "}");
        live_watch_event(live, LIVE_COMPLETIONS, text, NULL);
    }
    live_pending_free(pending, true);
}

/* ---- request ---- */

static int32_t find_mover(const wend_live *live, const char *name) {
    static const char standard[] = "default"; /* a larger default mover is added by that name */
    if (!name) name = standard;
    for (size_t i = 0; i < live->mover_count; i++)
        if (strcmp(live->movers[i], name) == 0) return (int32_t)i + 1;
    return strcmp(name, standard) == 0 ? WEND_MOVER_DEFAULT : -1;
}

static int32_t find_profile(const wend_live *live, const wend_weights *layers) {
    if (layers->count == 0) return WEND_PROFILE_NONE;
    return live->def.get_profile ? live->def.get_profile(live->def.context, layers) : -1;
}

void live_answer_request(live_client *client) {
    wend_live *live = client->live;
    wend_request request = live->message.request;
    if (!live->service || !live->map) {
        live_refuse(client, WEND_LIVE_DENIED, "the host takes no requests");
        return;
    }
    request.mover = find_mover(live, live->message.mover);
    if (request.mover < 0) {
        live_refuse(client, WEND_LIVE_UNKNOWN, "there is no such mover");
        return;
    }
    const wend_error refused = wend__mover_minding(live->map, request.mover, &live->message.order.request.avoid,
                                                   &live->message.order.request.shun, true, &request.mover);
    if (refused) {
        live_refuse(client, live_error_of(refused),
                    refused == WEND_BUSY ? WEND__MOST_AVOIDING : wend_error_detail(refused));
        return;
    }
    live->message.order.request.options.profile = find_profile(live, &live->message.order.request.layers);
    if (live->message.order.request.options.profile < 0) {
        live_refuse(client, WEND_LIVE_UNKNOWN, "there is no such layer");
        return;
    }
    if (live_later_takes(client)) return;
    if (client->session->pending_count >= live->limits.requests) {
        live_refuse(client, WEND_LIVE_BUSY, "too many requests in flight");
        return;
    }
    live_pending *pending = live_pending_new(client->session, &live->message.id);
    if (!pending) {
        live_refuse(client, WEND_LIVE_BUSY, "no memory");
        return;
    }
    pending->service = live->service;
    pending->first_epoch = live->first_epoch;
    pending->kind = live->kind;
    pending->no_cells = live->message.no_cells;
    pending->has_deadline = request.deadline_frames != WEND_NO_LIMIT;
    live->sessions.deadlines += pending->has_deadline;
    request.map = live->map;
    request.on_done = on_done;
    request.context = pending;
    const wend_error error = wend_service_submit(live->service, &request, &pending->ticket);
    if (!error) {
        live_answer_ok(client, &live->message.id);
        return;
    }
    live_pending_free(pending, false);
    live_refuse(client, live_error_of(error), wend_error_detail(error));
}

/* ---- cancel, urgency, goal ---- */

/* Finds the request that a message names. @return false: answered already */
static bool find_request(live_client *client, live_pending **out) {
    const live_message *message = &client->live->message;
    *out = live_pending_find(client->session, &message->about);
    if (*out && (*out)->service) return true;
    if (!*out && live_pending_was(client->session, &message->about))
        live_answer_ok(client, &message->id);
    else
        live_refuse(client, WEND_LIVE_UNKNOWN, "this session has no such request");
    return false;
}

/* The call does nothing if the request is completed meanwhile. */
static void answer_change(live_client *client, wend_error error) {
    if (!error || error == WEND_STALE_TICKET)
        live_answer_ok(client, &client->live->message.id);
    else
        live_refuse(client, live_error_of(error), wend_error_detail(error));
}

void live_answer_cancel(live_client *client) {
    live_pending *pending;
    if (!find_request(client, &pending)) return;
    answer_change(client, wend_service_cancel(pending->service, pending->ticket));
}

void live_answer_urgency(live_client *client) {
    const int32_t urgency = client->live->message.request.urgency;
    live_pending *pending;
    if (!find_request(client, &pending)) return;
    answer_change(client, wend_service_set_urgency(pending->service, pending->ticket, urgency));
}

void live_answer_goal(live_client *client) {
    live_pending *pending;
    if (!find_request(client, &pending)) return;
    answer_change(client, wend_service_set_goal(pending->service, pending->ticket, client->live->message.request.goal));
}
