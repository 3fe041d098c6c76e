/* SPDX-License-Identifier: MIT */
/* Opens and closes the server, and handles its host's calls. */
#define _GNU_SOURCE

#include <wend/live.h>
#include <wend/versions.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "live/must/must.h"
#include "base/sized.h"
#include "live/answer/answer.h"
#include "live/private/live_private.h"
#include "live/watch/watch.h"

/* ---- definitions ---- */

void wend_live_limits_init(wend_live_limits *limits) {
#define WEND_X(name, standard, least, most, text) limits->name = standard;
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
}

void wend_live_def_init(wend_live_def *def, size_t bytes) {
    const wend_live_def standard = {.struct_bytes = (uint32_t)bytes, .listen = "127.0.0.1:7780"};
    memset(def, 0, bytes);
    memcpy(def, &standard, bytes < sizeof standard ? bytes : sizeof standard);
}

static bool limits_fit(const wend_live_limits *limits) {
    bool fit = true;
#define WEND_X(name, standard, least, most, text)                                                                      \
    fit = fit && limits->name + 1 > (uint64_t)(least) && limits->name <= UINT64_C(most);
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
    return fit;
}

/* ---- connections ---- */

/* Once a second, if anything happens: while the host runs no frames, clients that come and go. */
static void expire_sessions(wend_live *live) {
    const uint64_t now = uv_now(live->net.loop);
    if (live->sessions.named == 0 || now < live->next_expiry_ms) return;
    live->next_expiry_ms = now + 1000;
    live_sessions_expire(&live->sessions, now, live->limits.sessions, live->limits.session_seconds * 1000);
}

static bool on_open(void *context, live_connection *connection) {
    wend_live *live = context;
    expire_sessions(live);
    live_client *client = live->closing || live->draining ? NULL : calloc(1, sizeof *client);
    if (!client) return false;
    *client = (live_client){.live = live, .connection = connection};
    client->session = live_session_new(&live->sessions, connection);
    if (!client->session) {
        free(client);
        return false;
    }
    client->session->owner = !live->def.owner_token;
    connection->owner = client;
    return true;
}

static void on_closed(void *context, live_connection *connection) {
    wend_live *live = context;
    live_client *client = connection->owner;
    live_watch_end(client);
    live_later_forget(client);
    if (client->session) live_session_leave(client->session, uv_now(live->net.loop));
    free(client);
}

/* For HTTP: accepts any token that a client may use in hello. */
static int check_token(void *context, const char *token, int socket) {
    enum { RIGHT = 200, WRONG = 401, TOO_MANY = 429 };
    wend_live *live = context;
    bool owner;
    if (!live->def.token) return RIGHT;
    const int32_t error = live_check_token(live, token, socket, &owner);
    return error == WEND_LIVE_OK ? RIGHT : error == WEND_LIVE_DENIED ? WRONG : TOO_MANY;
}

/* ---- metrics ---- */

static void put_own_metrics(const wend_live *live, live_text *text) {
    char line[256];
    const struct {
        const char *name, *type, *help;
        uint64_t value;
    } rows[] = {
        {"wend_live_clients", "gauge", "Connections now.", live->net.count},
        {"wend_live_watchers", "gauge", "Connections with a subscription.", live->watcher_count},
        {"wend_live_sessions", "gauge", "Named sessions.", live->sessions.named},
        {"wend_live_requests", "gauge", "Ids in use.", live->sessions.pending},
        {"wend_live_opened_total", "counter", "Connections since the beginning.", live->net.opened},
        {"wend_live_refused_total", "counter", "Connections refused.", live->net.refused},
        {"wend_live_no_descriptors_total", "counter", "Connections refused for want of descriptors.",
         live->net.no_descriptors},
        {"wend_live_messages_total", "counter", "Messages read.", live->messages},
        {"wend_live_errors_total", "counter", "Messages answered with an error.", live->errors},
        {"wend_live_skipped_total", "counter", "Frames not sent to watchers that were behind.", live->skipped},
        {"wend_live_lost_total", "counter", "Completions that were kept no longer.", live->sessions.lost},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(line, sizeof line, "# HELP %s %s\n# TYPE %s %s\n%s %llu\n", rows[i].name, rows[i].help, rows[i].name,
                 rows[i].type, rows[i].name, (unsigned long long)rows[i].value);
        live_puts(text, line);
    }
}

static char *get_metrics(void *context, size_t *count) {
    const wend_live *live = context;
    live_text text = {0};
    put_own_metrics(live, &text);
    if (live->def.get_metrics && !text.starved) {
        const size_t needed = live->def.get_metrics(live->def.context, NULL, 0) + 1;
        char *more = malloc(needed);
        const size_t length = more ? live->def.get_metrics(live->def.context, more, needed) : 0;
        live_put(&text, more, length < needed ? length : needed - 1);
        text.starved = text.starved || !more;
        free(more);
    }
    *count = text.used;
    if (!text.starved) return text.bytes;
    live_text_free(&text);
    return NULL;
}

static size_t get_unready(void *context, char *out, size_t capacity) {
    const wend_live *live = context;
    return live->def.get_unready ? live->def.get_unready(live->def.context, out, capacity) : 0;
}

/* ---- opening ---- */

static bool copy_text(const char **text) {
    if (!*text) return true;
    *text = strdup(*text);
    return *text;
}

/* Copies the definition, with its own texts and cells. */
static bool copy_def(wend_live *live) {
    const wend_cell **ends[] = {&live->def.start, &live->def.goal};
    for (int i = 0; i < 2; i++)
        if (*ends[i]) live->ends[i] = **ends[i], *ends[i] = &live->ends[i];
    const char **texts[] = {&live->def.listen,      &live->def.lines,       &live->def.host, &live->def.token,
                            &live->def.owner_token, &live->def.certificate, &live->def.key,  &live->def.map};
    bool good = true;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        good = good ? copy_text(texts[i]) : (*texts[i] = NULL, false);
    return good;
}

static void free_texts(wend_live *live) {
    const char *texts[] = {live->def.listen,      live->def.lines,       live->def.host, live->def.token,
                           live->def.owner_token, live->def.certificate, live->def.key,  live->def.map};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) free((void *)(uintptr_t)texts[i]);
}

static void free_movers(wend_live *live) {
    for (size_t i = 0; i < live->mover_count; i++) free(live->movers[i]);
    free(live->movers);
    live->movers = NULL;
    live->mover_count = 0;
}

static void free_live(wend_live *live) {
    live_sessions_free(&live->sessions);
    live_message_free(&live->message);
    live_text_free(&live->text);
    live_text_free(&live->batch);
    wend_map_release(live->map);
    free_movers(live);
    free_texts(live);
    free(live);
}

/* A token must be valid in JSON and in a header of HTTP. */
static bool is_good_token(const char *token) {
    size_t length = 0;
    if (!token) return true;
    while (token[length] != '\0' && (unsigned char)token[length] >= ' ' && token[length] != 0x7f) length++;
    return token[length] == '\0' && length >= 1 && length <= WEND_LIVE_TOKEN_BYTES;
}

static bool read_addresses(wend_live *live, live_net_def *net, const char **why) {
    const wend_live_def *def = &live->def;
    *why = "a token has 1 to 256 bytes, and no control characters";
    if (!is_good_token(def->token) || !is_good_token(def->owner_token)) return false;
    *why = "an address is ADDRESS:PORT, as 127.0.0.1:8080 or [::]:8080: numeric, the port from 0 to 65535";
    if (!live_address_parse(def->listen, false, &net->listen)) return false;
    if (def->lines && !live_address_parse(def->lines, true, &net->lines)) return false;
    net->lines_path = def->lines && net->lines.path ? def->lines : NULL;
    *why = "the path of a Unix socket has at most 107 bytes";
    if (net->lines_path && strlen(net->lines_path) >= sizeof(struct sockaddr_un){0}.sun_path) return false;
    *why = "an address other than loopback needs a token";
    const bool local = net->listen.loopback && (!def->lines || net->lines.loopback);
    return local || def->token;
}

static void closed_after_failure(void *context) {
    free_live(context);
}

static wend_error error_of(int number) {
    switch (number) {
    case 0: return WEND_OK;
    case UV_EINVAL: return WEND_BAD_ARGUMENT;
    case UV_EADDRINUSE: return WEND_BUSY;
    case UV_ENOMEM: return WEND_OUT_OF_MEMORY;
    case UV_ENOTSUP: return WEND_UNSUPPORTED;
    default: return WEND_IO;
    }
}

wend_error wend_live_open(uv_loop_t *loop, const wend_live_def *def, wend_live **out, const char **why) {
    const char *ignored;
    wend_live *live = calloc(1, sizeof *live);
    if (!why) why = &ignored;
    *why = "no memory";
    if (!live) return WEND_OUT_OF_MEMORY;
    live_net_def net = {.hooks = {live, on_open, live_on_message, on_closed, get_metrics, check_token, get_unready}};
    wend_live_limits_init(&live->limits);
    wend_live_def_init(&live->def, sizeof live->def);
    *why = "the definition has a wrong size";
    bool good = wend__sized_read(&live->def, sizeof live->def, WEND__FIRST_BYTES(wend_live_def, limits), def);
    if (good && live->def.limits) live->limits = *live->def.limits;
    if (good && !limits_fit(&live->limits)) good = false, *why = "a limit is out of its range";
    if (!good) {
        free(live);
        return WEND_BAD_ARGUMENT;
    }
    live->sessions.most_kept_bytes = live->limits.kept_bytes;
    *why = "no memory";
    const wend_error refused = !copy_def(live)                    ? WEND_OUT_OF_MEMORY
                               : !read_addresses(live, &net, why) ? WEND_BAD_ARGUMENT
                                                                  : WEND_OK;
    if (refused) {
        free_live(live);
        return refused;
    }
    net.host = live->def.host;
    net.certificate = live->def.certificate;
    net.key = live->def.key;
    net.files = live->def.files;
    net.file_count = live->def.file_count;
    net.strangers = live->def.token;
    net.message_bytes = (size_t)live->limits.message_bytes;
    net.hello_bytes = (size_t)live->limits.hello_bytes;
    net.hello_ms = live->limits.hello_seconds * 1000;
    net.queue_bytes = (size_t)live->limits.queue_bytes;
    net.clients = live->limits.clients;
    net.work = live->limits.work;
    const int error = live_net_open(&live->net, loop, &net, why);
    if (error == 0) {
        *out = live;
        return WEND_OK;
    }
    live->closing = true;
    live_net_close(&live->net, 1001, "", closed_after_failure, live);
    return error_of(error);
}

int wend_live_get_port(const wend_live *live) {
    return live->net.port;
}

int live_get_lines_port(const wend_live *live) {
    return live->net.lines_port;
}

/* ---- reports of the host ---- */

static bool copy_movers(wend_live *live, const char *const *movers, size_t count) {
    free_movers(live);
    if (count == 0) return true;
    live->movers = calloc(count, sizeof *live->movers);
    for (; live->movers && live->mover_count < count; live->mover_count++) {
        live->movers[live->mover_count] = strdup(movers[live->mover_count]);
        if (!live->movers[live->mover_count]) return false;
    }
    return live->movers;
}

wend_error wend_live_set_map(wend_live *live, wend_map *map, const char *const *movers, size_t count) {
    wend_map_info info = {.struct_bytes = sizeof info};
    if (map) wend_map_retain(map);
    wend_map_release(live->map);
    live->map = map;
    live->kind = 0;
    if (!map) return WEND_OK;
    wend_map_get_info(map, &info);
    live->kind = info.kind;
    live->first_epoch = info.epoch;
    return copy_movers(live, movers, count) ? WEND_OK : WEND_OUT_OF_MEMORY;
}

void live_set_epoch(wend_live *live, uint64_t epoch) {
    if (live->map) live->first_epoch = wend_map_get_epoch(live->map) - epoch; /* below 0, it wraps */
}

void live_set_owner(wend_live *live, uint64_t term, const char *node, const char *page, const char *pages) {
    live->term = term;
    snprintf(live->owner, sizeof live->owner, "%s", node ? node : "");
    snprintf(live->owner_page, sizeof live->owner_page, "%s", page ? page : "");
    snprintf(live->pages, sizeof live->pages, "%s", pages ? pages : "");
    live_owner_event(live);
}

uint64_t live_get_epoch(const wend_live *live) {
    return live->map ? wend_map_get_epoch(live->map) - live->first_epoch : 0;
}

void wend_live_set_service(wend_live *live, wend_service *service) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    live->service = service;
    if (service && !wend_service_get_stats(service, &stats)) live->frame = stats.frames;
}

void wend_live_send_frame(wend_live *live, const wend_frame *frame, const wend_live_positions *positions) {
    const bool is_new = frame->frame != live->last.frame;
    live->shown_before = live->last.frame;
    live->frame = frame->frame;
    if (is_new) wend__sized_read(&live->last, sizeof live->last, WEND__FIRST_BYTES(wend_frame, changes), frame);
    if (live->watchers) live_watch_frame(live, is_new, positions);
    live_later_pass_on(live, live_on_message);
    expire_sessions(live);
    live_sessions_check(&live->sessions);
    MUST(!live->watchers == (live->watcher_count == 0));
    MUST(!live->watchers || (live->watchers->live == live && !live->watchers->previous_watcher));
    MUST(live->watcher_count <= live->net.count && (live->kind != 0) == (live->map != NULL));
}

void live_skip_frame(wend_live *live, const wend_frame *frame) {
    live->frame = frame->frame;
}

void wend_live_answer(wend_live *live, uint64_t reference, const wend_live_reply *reply) {
    wend_live_reply given = {.struct_bytes = sizeof given, .error = WEND_LIVE_BUSY};
    wend__sized_read(&given, sizeof given, WEND__FIRST_BYTES(wend_live_reply, fields), reply);
    live_reply(live, reference, &given);
}

live_stats live_get_stats(const wend_live *live) {
    return (live_stats){.clients = live->net.count,
                        .sessions = live->sessions.named,
                        .watchers = live->watcher_count,
                        .requests = live->sessions.pending,
                        .deadlines = live->sessions.deadlines,
                        .opened = live->net.opened,
                        .refused = live->net.refused,
                        .messages = live->messages,
                        .errors = live->errors,
                        .skipped = live->skipped,
                        .lost = live->sessions.lost,
                        .no_descriptors = live->net.no_descriptors};
}

/* ---- closing ---- */

void live_drain(wend_live *live) {
    live->draining = true;
    live_net_stop(&live->net);
}

static void net_closed(void *context) {
    wend_live *live = context;
    void (*closed)(void *context) = live->closed;
    void *closed_context = live->closed_context;
    free_live(live);
    if (closed) closed(closed_context);
}

void wend_live_close(wend_live *live, void (*closed)(void *context), void *context) {
    live->closed = closed;
    live->closed_context = context;
    live->closing = live->draining = true;
    live_net_close(&live->net, 1001, "the server is going away", net_closed, live);
}
