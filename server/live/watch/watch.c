/* SPDX-License-Identifier: MIT */
/* Subscriptions, and messages to watchers: never more than they read. */
#define _GNU_SOURCE

#include "live/watch/watch.h"
#include "live/must/must.h"

#include <string.h>

void live_watch_end(live_client *client) {
    wend_live *live = client->live;
    if (client->subscription.what == 0) return;
    MUST(live->watcher_count > 0 && (client->previous_watcher || live->watchers == client));
    client->subscription.what = 0;
    if (client->next_watcher) client->next_watcher->previous_watcher = client->previous_watcher;
    if (client->previous_watcher)
        client->previous_watcher->next_watcher = client->next_watcher;
    else
        live->watchers = client->next_watcher;
    client->previous_watcher = client->next_watcher = NULL;
    live->watcher_count--;
}

void live_watch_set(live_client *client, const live_subscription *subscription) {
    wend_live *live = client->live;
    live_watch_end(client);
    client->subscription = *subscription;
    client->names_revision = 0;
    if (!client->connection->wsi) client->subscription.binary = false;
    if (subscription->what == 0) return;
    client->next_watcher = live->watchers;
    if (client->next_watcher) client->next_watcher->previous_watcher = client;
    live->watchers = client;
    live->watcher_count++;
}

bool live_watch_wanted(const wend_live *live, uint32_t what) {
    for (const live_client *client = live->watchers; client; client = client->next_watcher)
        if (client->subscription.what & what) return true;
    return false;
}

/* A watcher with much unread in its queue gets no more frames until it has read it. */
static bool is_behind(const live_client *client) {
    enum { SHARE = 16 };
    return live_connection_waiting(client->connection) > client->live->limits.queue_bytes / SHARE;
}

static void put_frame(const wend_live *live, live_text *text) {
    const wend_frame *frame = &live->last;
    live_unasked_begin(text, "frame");
    live_puts(text, ",\"frame\":{\"number\":");
    live_put_number(text, live->frame);
    live_put_field(text, "expansions", frame->expansions);
    live_put_field(text, "us", frame->us);
    live_put_field(text, "waiting", frame->waiting);
    live_put_field(text, "running", frame->running);
    live_put_field(text, "delivered", frame->deliveries);
    live_puts(text, "}}");
}

static void send_text(live_client *client, const live_text *text, bool binary) {
    if (!text->starved) live_send(client->connection, text->bytes, text->used, binary);
}

/// The places of agents, requested when the first watcher needs them.
typedef struct asked_positions {
    const wend_live_positions *known; ///< NULL: not requested
    wend_live_positions own;
} asked_positions;

static const wend_live_positions *positions_of(wend_live *live, asked_positions *asked) {
    if (asked->known) return asked->known;
    asked->own = (wend_live_positions){.struct_bytes = sizeof asked->own};
    if (live->def.get_positions) live->def.get_positions(live->def.context, &asked->own);
    asked->known = &asked->own;
    return asked->known;
}

/* Writes the names for indices in binary positions. */
static void send_names(live_client *client, const wend_live_positions *positions) {
    live_text text = {0};
    if (client->names_revision == positions->names_revision + 1) return;
    live_put_names(&text, positions);
    send_text(client, &text, false);
    live_text_free(&text);
    client->names_revision = positions->names_revision + 1;
}

/// Parts of a picture of the service and its agents, in the order in which they are sent.
enum { FRAME_NUMBERS, QUEUE, PLACES_AS_TEXT, PLACES_AS_BYTES, PART_COUNT };

static void put_part(wend_live *live, int part, asked_positions *asked) {
    switch (part) {
    case FRAME_NUMBERS: put_frame(live, &live->text); break;
    case QUEUE: live_put_queue(live, &live->text); break;
    case PLACES_AS_TEXT: live_put_positions_message(live, &live->text, positions_of(live, asked)); break;
    default: live_put_positions_binary(live, &live->text, positions_of(live, asked));
    }
}

static bool wants_part(const live_subscription *subscription, int part) {
    static const uint32_t whats[PART_COUNT] = {LIVE_FRAMES, LIVE_QUEUE, LIVE_AGENTS, LIVE_AGENTS};
    if (!(subscription->what & whats[part])) return false;
    return part < PLACES_AS_TEXT || subscription->binary == (part == PLACES_AS_BYTES);
}

/* Sends the part in live->text. */
static void send_part(live_client *client, int part, asked_positions *asked) {
    wend_live *live = client->live;
    if (part == PLACES_AS_BYTES) send_names(client, positions_of(live, asked));
    if (live->text.used > 0) send_text(client, &live->text, part == PLACES_AS_BYTES);
}

/* Some frames are not shown at all, so their numbers need not be multiples. */
static bool is_due(const wend_live *live, uint32_t every) {
    return live->frame / every != live->shown_before / every;
}

/* Writes a part once, for all watchers of that form. */
static void send_part_to_all(wend_live *live, int part, bool is_new, asked_positions *asked) {
    bool written = false;
    for (live_client *client = live->watchers; client; client = client->next_watcher) {
        if (!wants_part(&client->subscription, part)) continue;
        if (is_new && !is_due(live, client->subscription.every)) continue;
        if (is_behind(client)) {
            live->skipped++;
            continue;
        }
        if (!written) put_part(live, part, asked);
        written = true;
        send_part(client, part, asked);
    }
    live->text.starved = false;
}

void live_watch_frame(wend_live *live, bool is_new, const wend_live_positions *positions) {
    asked_positions asked = {.known = positions};
    for (int part = is_new ? FRAME_NUMBERS : PLACES_AS_TEXT; part < PART_COUNT; part++)
        send_part_to_all(live, part, is_new, &asked);
}

void live_watch_first(live_client *client) {
    wend_live *live = client->live;
    asked_positions asked = {0};
    for (int part = live->last.frame > 0 ? FRAME_NUMBERS : QUEUE; part < PART_COUNT; part++) {
        const bool known = part < PLACES_AS_TEXT || live->def.get_positions;
        if (!known || !wants_part(&client->subscription, part)) continue;
        put_part(live, part, &asked);
        send_part(client, part, &asked);
    }
    live->text.starved = false;
}

/* Events that do not fit are counted, and their number is sent once there is room. */
static void send_missed(live_client *client) {
    live_text text = {0};
    live_unasked_begin(&text, "event");
    live_puts(&text, ",\"event\":{\"event\":\"missed\",\"count\":");
    live_put_number(&text, client->missed);
    live_puts(&text, "}}");
    send_text(client, &text, false);
    live_text_free(&text);
    client->missed = 0;
}

void live_watch_event(wend_live *live, uint32_t what, const live_text *text, const live_client *except) {
    for (live_client *client = live->watchers; client; client = client->next_watcher) {
        if (!(client->subscription.what & what) || client == except) continue;
        if (live_connection_full(client->connection)) {
            client->missed++;
            continue;
        }
        if (client->missed > 0) send_missed(client);
        send_text(client, text, false);
    }
}
