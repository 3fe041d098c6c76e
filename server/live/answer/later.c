/* SPDX-License-Identifier: MIT */
/* Requests that wait until the map has an epoch: on a host that follows another one, so that a client reads its own
 * writes. Each is kept as it came, and later handled as a new message. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live/answer/answer.h"
#include <wend/versions.h>

struct live_later {
    live_client *client;
    uint64_t at_least, until_ms;
    live_id_text id;
    live_later *next;
    size_t count;
    char bytes[];
};

static uint64_t epoch_now(const wend_live *live) {
    return live->map ? wend_map_get_epoch(live->map) - live->first_epoch : 0;
}

static bool is_kept(const live_client *client) {
    const live_id_text *id = &client->live->message.id;
    for (const live_later *at = client->live->later; at; at = at->next)
        if (at->client == client && at->id.length == id->length && !memcmp(at->id.text, id->text, id->length))
            return true;
    return false;
}

/* @return false: no memory, or too many */
static bool keep(live_client *client) {
    enum { PATIENCE_MS = 10000 };
    wend_live *live = client->live;
    live_later *later = malloc(sizeof *later + live->raw_count), **end = &live->later;
    uint64_t own = client->session->pending_count;
    if (!later) return false;
    *later = (live_later){.client = client,
                          .at_least = live->message.at_least,
                          .until_ms = uv_now(live->net.loop) + PATIENCE_MS,
                          .id = live->message.id,
                          .count = live->raw_count};
    memcpy(later->bytes, live->raw, live->raw_count);
    for (; *end; end = &(*end)->next) own += (*end)->client == client;
    if (own >= live->limits.requests) {
        free(later);
        return false;
    }
    *end = later;
    return true;
}

bool live_later_takes(live_client *client) {
    wend_live *live = client->live;
    const bool waits = live->message.at_least > epoch_now(live);
    if (is_kept(client))
        live_refuse(client, WEND_LIVE_BAD_ARGUMENT, "the id is in use");
    else if (!waits)
        return false;
    else if (live->raw_late)
        live_refuse(client, WEND_LIVE_BUSY, "the map has not come to that epoch");
    else if (!keep(client))
        live_refuse(client, WEND_LIVE_BUSY, "too many requests in flight");
    return true;
}

/* Takes all due ones out first, as each may end its connection. */
void live_later_pass_on(wend_live *live, live_message_fn *take) {
    const uint64_t now = live->later ? uv_now(live->net.loop) : 0;
    for (live_later **at = &live->later; *at;) {
        live_later *later = *at;
        const bool late = now >= later->until_ms;
        if (later->at_least > epoch_now(live) && !late) {
            at = &later->next;
            continue;
        }
        *at = later->next;
        live->raw_late = late;
        take(live, later->client->connection, later->bytes, later->count);
        live->raw_late = false;
        free(later);
        at = &live->later;
    }
}

void live_later_forget(const live_client *client) {
    for (live_later **at = &client->live->later; *at;) {
        live_later *later = *at;
        if (later->client != client) {
            at = &later->next;
            continue;
        }
        *at = later->next;
        free(later);
    }
}
