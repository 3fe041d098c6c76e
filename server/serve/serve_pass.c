/* SPDX-License-Identifier: MIT */
/* Passes orders of clients on to the node that owns the map, over its lines, and its answers back; and the events of
 * agents that were sent from here. An order without an answer may have been done: its client gets a note. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "cli/output/messages.h"
#include "peers/line_client.h"
#include "serve/serve_log.h"
#include <wend/versions.h>

/// An order that waits for the owner's answer.
typedef struct passed {
    uint64_t number, reference;
} passed;

/// An agent that the log has still to bring, and the session that sent it somewhere.
typedef struct sent_agent {
    char name[SERVE_NAME_BYTES + 1];
    uint64_t session;
} sent_agent;

struct serve_pass {
    serve *server;
    line_client *owner; ///< NULL: not connected
    char address[128];
    uint64_t next;
    passed *waiting;
    size_t count, capacity;
    char *fields; ///< of the answer that is being passed back
    sent_agent *sent;
    size_t sent_count, sent_capacity;
};

/* ---- what clients get ---- */

static void answer(const struct serve_pass *pass, uint64_t reference, const wend_live_reply *reply) {
    if (pass->server->clients.live) wend_live_answer(pass->server->clients.live, reference, reply);
}

static void refuse(const struct serve_pass *pass, uint64_t reference, const char *why) {
    const wend_live_reply reply = {
        .struct_bytes = sizeof reply, .error = WEND_LIVE_MOVED, .text = why, .fields = pass->server->clients.owner};
    answer(pass, reference, &reply);
}

static void refuse_all(struct serve_pass *pass, const char *why) {
    passed *waiting = pass->waiting;
    const size_t count = pass->count;
    pass->waiting = NULL;
    pass->count = pass->capacity = 0;
    for (size_t i = 0; i < count; i++) refuse(pass, waiting[i].reference, why);
    free(waiting);
}

/* ---- the connection ---- */

static void on_gone(void *context) {
    struct serve_pass *pass = context;
    pass->owner = NULL;
    refuse_all(pass, "the owner's answer did not come: this may have been done");
}

static void leave(const struct serve_pass *pass) {
    if (pass->owner) line_client_close(pass->owner);
}

static int32_t error_of(const char *name) {
    static const char *const names[] = {
#define WEND_X(name, number, words) words,
        WEND_LIVE_ERRORS(WEND_X)
#undef WEND_X
    };
    for (int32_t i = 1; i < (int32_t)(sizeof names / sizeof names[0]); i++)
        if (strcmp(names[i], name) == 0) return i;
    return WEND_LIVE_BUSY;
}

/* Takes all members of an answer that this server does not write itself. */
static void copy_fields(struct serve_pass *pass, json_t *object) {
    static const char *const own[] = {"id", "ok", "error", "text", "term", "epoch", "frame"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) json_object_del(object, own[i]);
    free(pass->fields);
    pass->fields = json_object_size(object) > 0 ? json_dumps(object, JSON_COMPACT) : NULL;
    if (!pass->fields) return;
    pass->fields[0] = ',';
    pass->fields[strlen(pass->fields) - 1] = '\0';
}

static void handle_answer(struct serve_pass *pass, json_t *object) {
    const uint64_t number = (uint64_t)json_integer_value(json_object_get(object, "id"));
    const json_t *error = json_object_get(object, "error");
    wend_live_reply reply = {.struct_bytes = sizeof reply};
    size_t i = 0;
    while (i < pass->count && pass->waiting[i].number != number) i++;
    if (i == pass->count) return;
    const uint64_t reference = pass->waiting[i].reference;
    memmove(&pass->waiting[i], &pass->waiting[i + 1], (--pass->count - i) * sizeof *pass->waiting);
    char *words = json_is_string(error) ? strdup(json_string_value(json_object_get(object, "text"))) : NULL;
    if (json_is_string(error)) reply.error = error_of(json_string_value(error));
    reply.text = words;
    reply.epoch = wend_map_get_epoch(pass->server->world.map) - wend_live_get_epoch(pass->server->clients.live) +
                  (uint64_t)json_integer_value(json_object_get(object, "epoch"));
    reply.term = (uint64_t)json_integer_value(json_object_get(object, "term"));
    copy_fields(pass, object);
    reply.fields = pass->fields;
    answer(pass, reference, &reply);
    free(words);
}

static wend_cell cell_of(const json_t *array) {
    const json_int_t x = json_integer_value(json_array_get(array, 0)), y = json_integer_value(json_array_get(array, 1));
    return (wend_cell){(int32_t)x, (int32_t)y, (int32_t)json_integer_value(json_array_get(array, 2))};
}

/* Returns the session that is to hear of an agent. */
static uint64_t orderer_of(struct serve_pass *pass, const char *name) {
    const world_agent *agent = world_agent_find(&pass->server->world, name, strlen(name));
    uint64_t session = agent ? agent->orderer : 0;
    for (size_t i = 0; i < pass->sent_count; i++) {
        if (strcmp(pass->sent[i].name, name) != 0) continue;
        session = pass->sent[i].session;
        pass->sent[i] = pass->sent[--pass->sent_count];
        break;
    }
    return session;
}

/* Sends an event of an agent to the session here that ordered it, and to watchers of agents. */
static void handle_event(struct serve_pass *pass, const json_t *event) {
    const char *name = json_string_value(json_object_get(event, "agent"));
    const char *what = json_string_value(json_object_get(event, "event"));
    const char *why = json_string_value(json_object_get(event, "why"));
    wend_agent_event told = {.struct_bytes = sizeof told, .cell = cell_of(json_object_get(event, "cell"))};
    const json_t *box = json_object_get(event, "box");
    if ((!name && !box) || !what || !pass->server->clients.live) return;
    if (box) told.box = (wend_box){cell_of(json_array_get(box, 0)), cell_of(json_array_get(box, 1))};
    enum { EVENTS = 32 };
    for (int32_t i = 1; i < EVENTS; i++) {
        if (strcmp(wend_agent_event_name(i), what) == 0) told.event = i;
        if (why && strcmp(wend_agent_why_name(i), why) == 0) told.why = i;
    }
    wend_live_send_event(pass->server->clients.live, name ? orderer_of(pass, name) : 0,
                         (uint64_t)json_integer_value(json_object_get(event, "frame")), name, &told);
}

static void on_line(void *context, char *line, size_t size) {
    struct serve_pass *pass = context;
    json_t *object = json_loadb(line, size, 0, NULL);
    const json_t *event = json_object_get(object, "event");
    if (json_is_object(event))
        handle_event(pass, event);
    else if (json_object_get(object, "id"))
        handle_answer(pass, object);
    json_decref(object);
}

/* ---- sending ---- */

/* Connects to the owner. Where it is another one now, later: once the connection before is gone. */
static bool reach(struct serve_pass *pass, const char *address) {
    const serve *server = pass->server;
    if (pass->owner && strcmp(pass->address, address) == 0) return true;
    if (pass->owner) {
        leave(pass);
        return false;
    }
    const line_client_def def = {.loop = &pass->server->loop,
                                 .token = server->options->token,
                                 .on_line = on_line,
                                 .on_gone = on_gone,
                                 .context = pass};
    snprintf(pass->address, sizeof pass->address, "%s", address);
    pass->owner = line_client_open(&def, address);
    return pass->owner;
}

static bool send_order(struct serve_pass *pass, const wend_order *order, uint64_t number) {
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (!out) return false;
    wend__order_write_json(order, wend__kind_axes(pass->server->world.kind), cli_put, out);
    fseek(out, -1, SEEK_CUR); /* over the brace at its end */
    fprintf(out, ",\"id\":%llu}\n", (unsigned long long)number);
    const bool good = fclose(out) == 0 && line_client_send(pass->owner, line, size);
    free(line);
    return good;
}

/* The session is to hear what becomes of the agents. */
static void set_orderer(struct serve_pass *pass, uint64_t session, const wend_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        const wend_name name = wend__names_at(names, i);
        world_agent *agent = world_agent_find(&pass->server->world, name.text, name.length);
        if (agent) {
            agent->orderer = session;
        } else if (name.length <= SERVE_NAME_BYTES &&
                   WEND__ARRAY_ROOM(pass->sent, pass->sent_capacity, pass->sent_count + 1)) {
            sent_agent *sent = &pass->sent[pass->sent_count++];
            *sent = (sent_agent){.session = session};
            memcpy(sent->name, name.text, name.length);
        }
    }
}

bool serve_pass_order(serve *server, uint64_t reference, uint64_t session, const wend_order *order) {
    const char *address = serve_node_lines(server);
    struct serve_pass *pass = server->pass;
    if (!address || server->options->owner_token) return false;
    if (!pass) {
        pass = server->pass = calloc(1, sizeof *pass);
        if (!pass) return false;
        pass->server = server;
    }
    if (!reach(pass, address) || !WEND__ARRAY_ROOM(pass->waiting, pass->capacity, pass->count + 1)) return false;
    const uint64_t number = ++pass->next;
    if (!send_order(pass, order, number)) return false;
    pass->waiting[pass->count++] = (passed){number, reference};
    if (order->kind == WEND_ORDER_GO || order->kind == WEND_ORDER_FOLLOW || order->kind == WEND_ORDER_FLEE)
        set_orderer(pass, session, &order->go.names);
    return true;
}

void serve_pass_watch(serve *server) {
    const char *address = server->pass ? serve_node_lines(server) : NULL;
    if (server->pass && (!address || strcmp(address, server->pass->address) != 0)) leave(server->pass);
}

void serve_pass_close(serve *server) {
    struct serve_pass *pass = server->pass;
    if (!pass) return;
    leave(pass);
    while (pass->owner) uv_run(&server->loop, UV_RUN_ONCE);
    free(pass->waiting);
    free(pass->fields);
    free(pass->sent);
    free(pass);
    server->pass = NULL;
}
