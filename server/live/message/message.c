/* SPDX-License-Identifier: MIT */
/* Parses a message: its id, its operation, and the fields that go with it. */
#define _GNU_SOURCE

#include "live/message/message.h"

#include <stdlib.h>
#include <string.h>

#include "live/message/text.h"

enum { MAX_ID_TEXT = 64 };

static const char *const operations[LIVE_OP_ORDERS] = {
    [LIVE_OP_HELLO] = "hello",     [LIVE_OP_REQUEST] = "request", [LIVE_OP_CANCEL] = "cancel",
    [LIVE_OP_URGENCY] = "urgency", [LIVE_OP_GOAL] = "goal",       [LIVE_OP_SUBSCRIBE] = "subscribe",
    [LIVE_OP_MAP] = "map",         [LIVE_OP_STATS] = "stats",     [LIVE_OP_POSITIONS] = "positions",
};

bool live_id_read(const json_t *value, live_id_text *out) {
    live_text text = {.bytes = out->text, .capacity = sizeof out->text};
    out->length = 0;
    if (json_is_integer(value))
        live_put_signed(&text, json_integer_value(value));
    else if (json_is_string(value) && json_string_length(value) <= MAX_ID_TEXT)
        live_put_string(&text, json_string_value(value), json_string_length(value));
    else
        return false;
    out->length = text.used;
    return true;
}

/* "paths": the form of the cells of completions. */
static void parse_paths(live_reader *reader, bool *runs) {
    const json_t *paths = live_read_value(reader, "paths");
    if (!paths) return;
    const char *form = json_string_value(paths);
    *runs = form && strcmp(form, "runs") == 0;
    if (!*runs && (!form || strcmp(form, "cells") != 0))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"paths\" is \"cells\" or \"runs\"");
}

static void parse_hello(live_message *message) {
    live_reader *reader = &message->reader;
    live_hello *hello = &message->hello;
    const json_t *token = live_read_value(reader, "token");
    *hello = (live_hello){.protocol = 1};
    live_read_number(reader, "protocol", INT32_MIN, INT32_MAX, &hello->protocol);
    hello->session = live_read_name(reader, "session");
    hello->secret = live_read_name(reader, "secret");
    hello->waiting = live_read_value(reader, "waiting");
    if (hello->waiting && !json_is_array(hello->waiting))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"waiting\" is an array of ids");
    if (token && !json_is_string(token)) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"token\" is a text");
    hello->token = json_string_value(token);
    parse_paths(reader, &hello->runs);
}

static void parse_subscribe(live_message *message) {
    static const char *const whats[] = {"frames", "agents", "edits", "completions", "queue"};
    live_reader *reader = &message->reader;
    const json_t *what = live_read_needed(reader, "what");
    int64_t every = 1;
    message->subscription = (live_subscription){0};
    if (what && !json_is_array(what)) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"what\" is an array of texts");
    for (size_t i = 0; reader->error == WEND_LIVE_OK && i < json_array_size(what); i++) {
        const char *word = json_string_value(json_array_get(what, i));
        uint32_t bit = 0;
        for (uint32_t j = 0; word && j < sizeof whats / sizeof *whats; j++)
            if (strcmp(word, whats[j]) == 0) bit = 1u << j;
        message->subscription.what |= bit;
        if (bit == 0)
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT,
                             "\"what\" has frames, agents, edits, completions and queue");
    }
    live_read_number(reader, "every", 1, 1000000, &every);
    live_read_flag(reader, "binary", &message->subscription.binary);
    message->subscription.every = (uint32_t)every;
}

static void parse_map(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *box = live_read_value(reader, "box");
    message->box.given = box;
    message->features = message->runs = false;
    live_read_flag(reader, "features", &message->features);
    live_read_flag(reader, "runs", &message->runs);
    message->layer = live_read_name(reader, "layer");
    if (message->layer && !box) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"layer\" needs a box");
    if (!box) return;
    if (!json_is_array(box) || json_array_size(box) != 2)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"box\" is two cells");
    live_take_cell(reader, "box", json_array_get(box, 0), &message->box.box.min);
    live_take_cell(reader, "box", json_array_get(box, 1), &message->box.box.max);
}

/* Requests and orders are in the catalogue. Loads and unloads are edits with one of them. */
static void parse_order(live_message *message, uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    wend_order *order = &message->order;
    live_read_order(reader, order->kind, &message->lists, order);
    if (reader->error != WEND_LIVE_OK) return;
    if (order->kind == WEND_ORDER_LOAD || order->kind == WEND_ORDER_UNLOAD)
        live_become_edit(reader, &message->lists, order);
    if (message->op == LIVE_OP_REQUEST)
        live_take_request(message);
    else if (message->op == LIVE_OP_ORDERS)
        live_check_order(message, edit_cells);
    else if (!live_id_read(json_object_get(reader->object, "request"), &message->about))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"request\" is the id of a request");
    message->request.urgency = message->op == LIVE_OP_URGENCY ? order->about.urgency : message->request.urgency;
    message->request.goal = message->op == LIVE_OP_GOAL ? order->about.to : message->request.goal;
}

static void parse_fields(live_message *message, uint64_t edit_cells) {
    switch (message->op) {
    case LIVE_OP_HELLO: parse_hello(message); break;
    case LIVE_OP_SUBSCRIBE: parse_subscribe(message); break;
    case LIVE_OP_MAP: parse_map(message); break;
    case LIVE_OP_STATS:
        message->hash = false;
        live_read_flag(&message->reader, "hash", &message->hash);
        break;
    case LIVE_OP_POSITIONS: break;
    default: parse_order(message, edit_cells); break;
    }
}

static bool find_operation(live_message *message) {
    const char *name = json_string_value(json_object_get(message->reader.object, "op"));
    size_t op = 0;
    while (name && op < LIVE_OP_ORDERS && strcmp(name, operations[op]) != 0) op++;
    message->op = (live_op)op;
    message->order.kind = name ? wend__order_find(name, strlen(name), WEND__WIRE) : -1;
    if (name && (op < LIVE_OP_ORDERS || message->order.kind >= 0)) return true;
    if (name)
        live_reader_fail(&message->reader, WEND_LIVE_UNKNOWN, "there is no op \"%.40s\"", name);
    else
        live_reader_fail(&message->reader, WEND_LIVE_BAD_MESSAGE, "\"op\" is a text that must be there");
    return false;
}

/* JSON that breaks a rule of the protocol is answered; other bytes than a JSON object end the connection. */
static bool load(live_message *message, const char *bytes, size_t count) {
    live_reader *reader = &message->reader;
    json_error_t error;
    reader->object = json_loadb(bytes, count, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(reader->object)) return true;
    if (!reader->object) {
        const enum json_error_code code = json_error_code(&error);
        message->closes = code != json_error_numeric_overflow && code != json_error_duplicate_key &&
                          code != json_error_null_character;
        live_reader_fail(reader, WEND_LIVE_BAD_MESSAGE, "no JSON that can be read: %.90s", error.text);
        return false;
    }
    message->closes = true;
    live_reader_fail(reader, WEND_LIVE_BAD_MESSAGE, "a message is a JSON object");
    return false;
}

/* Checks the map that a message may name. @return true: it is another one than this */
static bool names_another_map(live_message *message, const char *map) {
    json_t *object = message->reader.object;
    const json_t *named = json_object_get(object, "map");
    const char *name = json_string_value(named);
    if (!named) return false;
    if (!name)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"map\" is the name of a map");
    else if (!map || strcmp(name, map) != 0)
        live_reader_fail(&message->reader, WEND_LIVE_UNKNOWN, "there is no map of that name");
    else
        json_object_del(object, "map");
    return json_object_get(object, "map");
}

/* An order may have a number of its session. */
static void read_once(live_message *message) {
    json_t *object = message->reader.object;
    const json_t *given = message->op == LIVE_OP_ORDERS ? json_object_get(object, "once") : NULL;
    message->once = 0;
    if (!given) return;
    if (!json_is_integer(given) || json_integer_value(given) < 1) {
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"once\" is a whole number from 1");
        return;
    }
    message->once = (uint64_t)json_integer_value(given);
    json_object_del(object, "once");
}

void live_message_parse(live_message *message, const char *bytes, size_t count, const char *map, int32_t kind,
                        uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    message->closes = message->known = false;
    message->id.length = 0;
    reader->object = NULL;
    reader->kind = kind;
    reader->error = WEND_LIVE_OK;
    reader->why[0] = '\0';
    reader->known_count = 0;
    if (!load(message, bytes, count)) return;
    if (!live_id_read(json_object_get(reader->object, "id"), &message->id)) {
        live_reader_fail(reader, WEND_LIVE_BAD_MESSAGE, "\"id\" is a whole number or a text of 1 to %d bytes",
                         MAX_ID_TEXT);
        return;
    }
    if (names_another_map(message, map)) return;
    message->known = find_operation(message);
    if (!message->known) return;
    message->changed_cells = 0;
    read_once(message);
    parse_fields(message, edit_cells);
    live_read_end(reader);
}

void live_message_end(live_message *message) {
    json_decref(message->reader.object);
    message->reader.object = NULL;
}

void live_message_free(live_message *message) {
    live_lists_free(&message->lists);
}
