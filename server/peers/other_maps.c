/* SPDX-License-Identifier: MIT */
/* Finds the process of a map, passes messages on to it, and its messages back. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cluster/member.h"
#include "peers/flights.h"
#include "peers/line_client.h"
#include "peers/other_maps.h"

/// A session's connection to a map.
typedef struct peer {
    other_maps *all;
    struct peer *next;
    uint64_t session;
    bool owner;
    char map[CLUSTER_NODE_BYTES + 1];
    line_client *line; ///< NULL: its address is looked for, or it is gone
    char *waiting;     ///< lines, until there is a connection
    size_t waiting_used, waiting_capacity;
    flights ids;
} peer;

/// A question for the address of a map.
typedef struct search {
    uv_work_t work;
    other_maps *all;
    char map[CLUSTER_NODE_BYTES + 1], address[CLUSTER_ADDRESS_BYTES + 1];
    bool known; ///< there is a map of that name
} search;

struct other_maps {
    other_maps_def def;
    peer *peers;
    size_t count, searches;
    uint64_t next_look_ms;
};

/* ---- messages to sessions ---- */

/* A line of the map's process, with the map's name. @return false: there is no room for it */
static bool pass_line(const peer *p, const char *line, size_t size) {
    const other_maps_def *def = &p->all->def;
    const size_t room = size + sizeof p->map + sizeof "\"map\":\"\",";
    char *text = malloc(room);
    if (!text) return false;
    const int head = snprintf(text, room, "{\"map\":\"%s\",", p->map);
    memcpy(text + head, line + 1, size - 1);
    const int error = def->tell(def->context, p->session, text, (size_t)head + size - 1);
    free(text);
    return error != UV_ENOBUFS;
}

static void end_flights(peer *p, const char *error, const char *why) {
    char line[FLIGHT_END_BYTES];
    for (size_t i = 0; i < p->ids.count; i++) pass_line(p, line, flight_write_end(&p->ids.items[i], error, why, line));
    flights_free(&p->ids);
}

/* ---- the connection ---- */

static void on_line(void *context, char *line, size_t size) {
    peer *p = context;
    char instead[FLIGHT_END_BYTES];
    bool ends = false;
    if (size < 2) return;
    flight *f = flights_find(&p->ids, line, &ends);
    if (!pass_line(p, line, size) && f) pass_line(p, instead, flight_write_end(f, "", "", instead));
    if (f && ends) flights_end(&p->ids, f);
}

static void free_peer(peer *p) {
    peer **at = &p->all->peers;
    while (*at != p) at = &(*at)->next;
    *at = p->next;
    p->all->count--;
    flights_free(&p->ids);
    free(p->waiting);
    free(p);
}

static void on_gone(void *context) {
    static const char gone[] = "{\"type\":\"event\",\"event\":{\"event\":\"gone\"}}";
    peer *p = context;
    end_flights(p, "moved", "the answer of the map's node did not come: this may have been done");
    pass_line(p, gone, sizeof gone - 1);
    free_peer(p);
}

/* @return false: the peer is freed, and its session has the error */
static bool join(peer *p, const char *address) {
    const other_maps_def *def = &p->all->def;
    const line_client_def line = {.loop = def->loop,
                                  .token = p->owner && def->owner_token ? def->owner_token : def->token,
                                  .on_line = on_line,
                                  .on_gone = on_gone,
                                  .context = p};
    p->line = line_client_open(&line, address);
    if (p->line && !line_client_send(p->line, p->waiting, p->waiting_used)) line_client_close(p->line);
    free(p->waiting);
    p->waiting = NULL;
    p->waiting_used = p->waiting_capacity = 0;
    if (p->line) return true;
    end_flights(p, "busy", "the map's node has no lines");
    free_peer(p);
    return false;
}

/* ---- finding a map's process ---- */

/* On a thread. This node's own process is near; else the owner will do. */
static void look_up(uv_work_t *work) {
    search *s = work->data;
    const other_maps_def *def = &s->all->def;
    cluster_value value;
    cluster_holder holder;
    cluster_note note;
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_node_key(s->map, def->node, key);
    if (def->store->get(def->store, key, &value) == CLUSTER_DONE && cluster_note_read(value.text, &note)) {
        s->known = true;
        if (cluster_note_is_new(&note)) memcpy(s->address, note.lines, sizeof s->address);
    }
    if (s->address[0] != '\0' || def->store->get(def->store, s->map, &value) != CLUSTER_DONE) return;
    if (!cluster_holder_read(value.text, &holder)) return;
    s->known = true;
    if (strcmp(holder.node, "-") != 0) memcpy(s->address, holder.lines, sizeof s->address);
}

static void looked_up(uv_work_t *work, int status) {
    search *s = work->data;
    const bool found = status == 0 && s->address[0] != '\0' && strcmp(s->address, "-") != 0;
    for (peer *p = s->all->peers, *next; p; p = next) {
        next = p->next;
        if (p->line || strcmp(p->map, s->map) != 0) continue;
        if (found) {
            join(p, s->address);
            continue;
        }
        end_flights(p, s->known ? "busy" : "unknown",
                    s->known ? "no node serves that map now" : "there is no map of that name");
        free_peer(p);
    }
    s->all->searches--;
    free(s);
}

static bool begin_search(peer *p) {
    search *s = calloc(1, sizeof *s);
    if (!s) return false;
    *s = (search){.all = p->all, .work.data = s};
    memcpy(s->map, p->map, sizeof s->map);
    p->all->searches++;
    if (uv_queue_work(p->all->def.loop, &s->work, look_up, looked_up) == 0) return true;
    p->all->searches--;
    free(s);
    return false;
}

/* ---- passing on ---- */

static peer *find_peer(const other_maps *all, const wend_live_message *message) {
    peer *p = all->peers;
    while (p && (p->session != message->session || strcmp(p->map, message->map) != 0)) p = p->next;
    return p;
}

static peer *make_peer(other_maps *all, const wend_live_message *message) {
    peer *p = all->count < OTHER_MAPS_MOST ? calloc(1, sizeof *p) : NULL;
    if (!p) return NULL;
    *p = (peer){.all = all, .next = all->peers, .session = message->session, .owner = message->owner};
    snprintf(p->map, sizeof p->map, "%s", message->map);
    all->peers = p;
    all->count++;
    if (begin_search(p)) return p;
    free_peer(p);
    return NULL;
}

/* Until there is a connection, lines wait. */
static bool put_line(peer *p, const char *bytes, size_t count) {
    enum { MOST_WAITING = 4 << 20 };
    if (p->waiting_used + count + 1 > MOST_WAITING ||
        !WEND__ARRAY_ROOM(p->waiting, p->waiting_capacity, p->waiting_used + count + 1))
        return false;
    memcpy(p->waiting + p->waiting_used, bytes, count);
    p->waiting[p->waiting_used + count] = '\n';
    p->waiting_used += count + 1;
    return true;
}

int32_t other_maps_pass(other_maps *all, const wend_live_message *message) {
    if (!cluster_is_name(message->map)) return WEND_LIVE_UNKNOWN;
    peer *p = find_peer(all, message);
    if (!p) p = make_peer(all, message);
    if (!p || !flights_add(&p->ids, message->id, message->op, NULL)) return WEND_LIVE_BUSY;
    bool good = put_line(p, message->bytes, message->count);
    if (good && p->line) {
        good = line_client_send(p->line, p->waiting, p->waiting_used);
        p->waiting_used = 0;
    }
    if (!good) flights_end(&p->ids, &p->ids.items[p->ids.count - 1]);
    return good ? WEND_LIVE_OK : WEND_LIVE_BUSY;
}

/* ---- opening and closing ---- */

other_maps *other_maps_open(const other_maps_def *def) {
    other_maps *all = calloc(1, sizeof *all);
    if (all) all->def = *def;
    return all;
}

void other_maps_close_ended(other_maps *all) {
    enum { SECOND_MS = 1000 };
    const uint64_t now = uv_now(all->def.loop);
    if (!all->peers || now < all->next_look_ms) return;
    all->next_look_ms = now + SECOND_MS;
    for (peer *p = all->peers; p; p = p->next)
        if (p->line && all->def.tell(all->def.context, p->session, NULL, 0) == UV_ENOENT) line_client_close(p->line);
}

void other_maps_close(other_maps *all) {
    while (all->searches > 0) uv_run(all->def.loop, UV_RUN_ONCE);
    for (peer *p = all->peers; p; p = p->next)
        if (p->line) line_client_close(p->line);
    while (all->peers) uv_run(all->def.loop, UV_RUN_ONCE);
    free(all);
}
