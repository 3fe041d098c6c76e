/* SPDX-License-Identifier: MIT */
/* Messages become structs, and each mistake its error. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/message/message.h"
#include "live/message/text.h"

static live_message message;

/* The error of a message on a flat grid, and -1 where it ends the connection. */
static int32_t error_on(int32_t kind, const char *text) {
    live_message_parse(&message, text, strlen(text), NULL, kind, 1000);
    const int32_t error = message.closes ? -1 : message.reader.error;
    live_message_end(&message);
    return error;
}

static int32_t error_of(const char *text) {
    return error_on(WEND_KIND_GRID, text);
}

static bool id_is(const char *text) {
    return message.id.length == strlen(text) && memcmp(message.id.text, text, message.id.length) == 0;
}

Test(message, closes_on_what_is_no_object) {
    static const char *const wrong[] = {"", "x", "1", "[]", "\"op\"", "null", "{", "{}x", "{\"op\":}", "\xff\xfe"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) cr_assert_eq(error_of(wrong[i]), -1, "%s", wrong[i]);
}

Test(message, needs_an_id_and_an_op) {
    cr_assert_eq(error_of("{}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert(id_is(""));
    cr_assert_eq(error_of("{\"op\":\"stats\"}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert_eq(error_of("{\"op\":\"stats\",\"id\":1.5}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert_eq(error_of("{\"op\":\"stats\",\"id\":null}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert_eq(error_of("{\"id\":1}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert(id_is("1"));
    cr_assert_eq(error_of("{\"op\":5,\"id\":1}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert_eq(error_of("{\"op\":\"dance\",\"id\":1}"), WEND_LIVE_UNKNOWN);
    cr_assert_eq(error_of("{\"op\":\"stats\",\"id\":-3}"), WEND_LIVE_OK);
    cr_assert(id_is("-3"));
    cr_assert_eq(error_of("{\"op\":\"stats\",\"op\":\"map\",\"id\":1}"), WEND_LIVE_BAD_MESSAGE);
    cr_assert_eq(error_of("{\"op\":\"stats\",\"id\":99999999999999999999}"), WEND_LIVE_BAD_MESSAGE);
}

Test(message, takes_ids_of_0_to_64_bytes) {
    char text[200], id[66];
    memset(id, '\n', sizeof id); /* the longest when escaped */
    for (int length = 63; length <= 65; length++) {
        char *at = text + sprintf(text, "{\"op\":\"stats\",\"id\":\"");
        for (int i = 0; i < length; i++) *at++ = 'x';
        strcpy(at, "\"}");
        cr_assert_eq(error_of(text), length <= 64 ? WEND_LIVE_OK : WEND_LIVE_BAD_MESSAGE);
    }
    cr_assert_eq(error_of("{\"op\":\"stats\",\"id\":\"\"}"), WEND_LIVE_OK);
    cr_assert(id_is("\"\""));
    live_id_text out;
    json_t *value = json_stringn(id, 64);
    cr_assert(live_id_read(value, &out) && out.length == 64 * 6 + 2);
    json_decref(value);
}

Test(message, reads_a_request) {
    static const char text[] =
        "{\"op\":\"request\",\"id\":\"q\",\"from\":[1,2],\"to\":[3,4],\"urgency\":5,\"weight\":1.25}";
    live_message_parse(&message, text, sizeof text - 1, NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s", message.reader.why);
    cr_assert(id_is("\"q\""));
    cr_assert_eq(message.request.start.y, 2);
    cr_assert_eq(message.request.goal.x, 3);
    cr_assert_eq(message.request.urgency, 5);
    cr_assert_eq(message.request.weight_milli, 1250);
    live_message_end(&message);
}

Test(message, refuses_requests_that_are_not_right) {
    static const char *const wrong[] = {
        "\"to\":[1,1]",
        "\"from\":[1],\"to\":[1,1]",
        "\"from\":[1,1,1,1],\"to\":[1,1]",
        "\"from\":3,\"to\":[1,1]",
        "\"from\":[1,1.5],\"to\":[1,1]",
        "\"from\":[1,1],\"to\":[1,1],\"mode\":\"best\"",
        "\"from\":[1,1],\"to\":[1,1],\"reach\":256",
        "\"from\":[1,1],\"to\":[1,1],\"reach\":-1",
        "\"from\":[1,1],\"to\":[1,1],\"weight\":0.9",
        "\"from\":[1,1],\"to\":[1,1],\"colour\":1",
        "\"from\":[1,1],\"to\":[1,1],\"cells\":1",
        "\"from\":[1,1],\"to\":[1,1],\"occupied\":\"maybe\"",
        "\"from\":[1,1],\"to\":[1,1],\"goals\":[[1]]",
        "\"from\":[1,1],\"to\":[1,1],\"deadline\":-1",
        "\"from\":[1,1],\"to\":[1,1],\"mover\":\"\"",
    };
    char text[256];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sprintf(text, "{\"op\":\"request\",\"id\":1,%s}", wrong[i]);
        cr_assert_eq(error_of(text), WEND_LIVE_BAD_ARGUMENT, "%s", text);
        cr_assert(id_is("1"));
    }
    cr_assert_eq(error_on(WEND_KIND_GRAPH, "{\"op\":\"request\",\"id\":1,\"from\":1,\"to\":2}"), WEND_LIVE_OK);
    cr_assert_eq(error_on(WEND_KIND_GRAPH, "{\"op\":\"request\",\"id\":1,\"from\":1,\"to\":2,\"reach\":0}"),
                 WEND_LIVE_BAD_ARGUMENT);
}

Test(message, orders_the_changes_of_an_edit) {
    static const char text[] = "{\"op\":\"edit\",\"id\":1,\"unlinks\":[[[0,0],[1,1]]],\"links\":[[[0,0],[4,4],7]],"
                               "\"steps\":[[[0,0],[0,1],\"blocked\"]],\"fill\":[[[4,4],[2,3],9]],"
                               "\"set\":[[[3,3],\"blocked\"],[[5,5],\"open\"]]}";
    static const int32_t whats[] = {WEND_LIVE_FILL, WEND_LIVE_FILL, WEND_LIVE_FILL,
                                    WEND_LIVE_STEP, WEND_LIVE_LINK, WEND_LIVE_UNLINK};
    static const int32_t values[] = {0, 1, 9, 0, 7, 0};
    live_message_parse(&message, text, sizeof text - 1, NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s", message.reader.why);
    cr_assert_eq(message.order.change_count, 6);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(message.order.changes[i].what, whats[i]);
        cr_assert_eq(message.order.changes[i].value, values[i]);
    }
    cr_assert(message.order.changes[2].from.x == 2 && message.order.changes[2].to.y == 4, "corners are sorted");
    live_message_end(&message);
    live_message_free(&message);
}

static void expect_land(const char *text, size_t count, const int32_t whats[], const int32_t values[]) {
    live_message_parse(&message, text, strlen(text), NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s: %s", text, message.reader.why);
    cr_assert_eq(message.order.order, WEND_LIVE_ORDER_EDIT);
    cr_assert_eq(message.order.change_count, count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(message.order.changes[i].what, whats[i]);
        cr_assert_eq(message.order.changes[i].value, values[i]);
    }
    live_message_end(&message);
}

Test(message, takes_a_load_or_an_unload_as_an_edit) {
    enum { FILL = WEND_LIVE_FILL, LOAD = WEND_LIVE_LOAD, UNLOAD = WEND_LIVE_UNLOAD };
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[3,4]}", 1, (const int32_t[]){LOAD}, (const int32_t[]){1});
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[3,4],\"ground\":\"blocked\"}", 1, (const int32_t[]){LOAD},
                (const int32_t[]){0});
    expect_land("{\"op\":\"unload\",\"id\":1,\"chunk\":[3,4],\"forget\":true}", 1, (const int32_t[]){UNLOAD},
                (const int32_t[]){1});
    static const char rows[] = "{\"op\":\"load\",\"id\":1,\"chunk\":[1,2],\"classes\":[[0,1,1,7],[],[5]]}";
    cr_assert_eq(error_of(rows), WEND_LIVE_BAD_ARGUMENT, "an empty row");
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[1,2],\"classes\":[[0,1,1,7],[5]]}", 4,
                (const int32_t[]){LOAD, FILL, FILL, FILL}, (const int32_t[]){0, 1, 7, 5});
    const wend_live_change *run = &message.order.changes[1], *last = &message.order.changes[3];
    cr_assert(run->from.x == 65 && run->to.x == 66 && run->from.y == 128 && last->from.x == 64 && last->from.y == 129);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1,\"chunk\":[1023,1023]}"), WEND_LIVE_OK);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1,\"chunk\":[1024,0],\"classes\":[[1]]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1,\"chunk\":[0,-1],\"classes\":[[1]]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1,\"chunk\":[0,0],\"classes\":[[256]]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1,\"chunk\":[0,0],\"classes\":[]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"load\",\"id\":1}"), WEND_LIVE_BAD_ARGUMENT);
    char text[512] = "{\"op\":\"load\",\"id\":1,\"chunk\":[0,0],\"classes\":[[1", *at = text + strlen(text);
    for (int i = 1; i < WEND_CHUNK_SIDE; i++) at += sprintf(at, ",1");
    strcpy(at, "]]}");
    cr_assert_eq(error_of(text), WEND_LIVE_OK);
    strcpy(at, ",1]]}");
    cr_assert_eq(error_of(text), WEND_LIVE_BAD_ARGUMENT, "65 cells in a row");
    live_message_free(&message);
}

Test(message, refuses_edits_that_are_not_right) {
    static const char *const wrong[] = {
        "\"set\":[]",
        "\"set\":1",
        "\"set\":[[[1,1]]]",
        "\"set\":[[[1,1],256]]",
        "\"set\":[[[1,1],\"wet\"]]",
        "\"steps\":[[[0,0],[0,1],1]]",
        "\"links\":[[[0,0],[0,1],0]]",
        "\"fill\":[[[0,0],1]]",
        "\"sets\":[[[1,1],1]]",
    };
    char text[256];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sprintf(text, "{\"op\":\"edit\",\"id\":1,%s}", wrong[i]);
        cr_assert_eq(error_of(text), WEND_LIVE_BAD_ARGUMENT, "%s", text);
    }
    cr_assert_eq(error_of("{\"op\":\"edit\",\"id\":1,\"fill\":[[[0,0],[9,99],1]]}"), WEND_LIVE_OK);
    cr_assert_eq(error_of("{\"op\":\"edit\",\"id\":1,\"fill\":[[[0,0],[10,99],1]]}"), WEND_LIVE_TOO_LARGE);
    live_message_free(&message);
}

Test(message, reads_orders) {
    static const char go[] = "{\"op\":\"go\",\"id\":1,\"names\":[\"a\",\"b\"],\"to\":[8,2],\"reach\":3}";
    live_message_parse(&message, go, sizeof go - 1, NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.order.order, WEND_LIVE_ORDER_GO);
    cr_assert_eq(message.order.name_count, 2);
    cr_assert_str_eq(message.order.names[1], "b");
    cr_assert(message.order.cells[0].x == 8 && message.order.reach == 3);
    live_message_end(&message);
    cr_assert_eq(error_of("{\"op\":\"go\",\"id\":1,\"names\":[],\"to\":[8,2]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\"}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\",\"cell\":[1,1],\"speed\":0}"),
                 WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"step\",\"id\":1,\"frames\":0}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"take\",\"id\":1,\"name\":\"a\"}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"occupy\",\"id\":1,\"cells\":[[1,1]]}"), WEND_LIVE_OK);
    cr_assert_eq(error_of("{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"rain\"]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"subscribe\",\"id\":1,\"what\":[],\"every\":0}"), WEND_LIVE_BAD_ARGUMENT);
    live_message_free(&message);
}

/* Parses an order; the JSON stays until live_message_end(). */
static const wend_live_order *order_of(const char *text) {
    live_message_end(&message);
    live_message_parse(&message, text, strlen(text), NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s: %s", text, message.reader.why);
    return &message.order;
}

Test(message, fills_the_members_of_orders) {
    const wend_live_order *o =
        order_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\",\"cell\":[2,1],\"mover\":\"m\",\"ghost\":true}");
    cr_assert(o->flags == WEND_AGENT_GHOST && o->speed_milli == 250 && o->urgency == 0 && !o->has_urgency);
    cr_assert(o->name_count == 1 && o->cell_count == 1 && o->cells[0].x == 2 && o->target == NULL);
    cr_assert_str_eq(o->mover, "m");
    o = order_of("{\"op\":\"flee\",\"id\":1,\"name\":\"a\",\"target\":\"b\",\"keep\":false}");
    cr_assert(o->keep == 0 && o->distance == 10);
    cr_assert_not(wend_order_gave(o->said, &o->said->go.def.keep), "a flag that is false is not said");
    cr_assert_str_eq(o->target, "b");
    cr_assert_eq(order_of("{\"op\":\"flee\",\"id\":1,\"name\":\"a\",\"target\":\"b\",\"keep\":true}")->keep, 1);
    o = order_of("{\"op\":\"steer\",\"id\":1,\"name\":\"a\",\"cell\":[3,4]}");
    cr_assert(o->order == WEND_LIVE_ORDER_STEER && o->cells[0].y == 4 && o->said->steer.cell.x == 3);
    o = order_of("{\"op\":\"adjust\",\"id\":1,\"names\":[\"a\",\"b\"],\"urgency\":0}");
    cr_assert(o->has_urgency && o->speed_milli == 0 && o->mover == NULL && o->name_count == 2);
    o = order_of("{\"op\":\"pace\",\"id\":1,\"budget\":70,\"wander\":false}");
    cr_assert(o->hz == 0 && o->budget == 70 && o->wander == -1);
    cr_assert_eq(order_of("{\"op\":\"pace\",\"id\":1,\"wander\":true}")->wander, 1);
    cr_assert_eq(order_of("{\"op\":\"pace\",\"id\":1,\"hz\":9}")->wander, 0);
    cr_assert_eq(order_of("{\"op\":\"inspect\",\"id\":1,\"name\":\"a\"}")->brief, 0);
    cr_assert_eq(order_of("{\"op\":\"inspect\",\"id\":1,\"name\":\"a\",\"trace\":false}")->brief, 1);
    o = order_of("{\"op\":\"field\",\"id\":1,\"cells\":[[7,7]],\"box\":[[1,2],[3,4]]}");
    cr_assert(o->cell_count == 1 && o->cells[0].x == 7 && o->box.min.y == 2 && o->box.max.x == 3);
    cr_assert_eq(order_of("{\"op\":\"step\",\"id\":1,\"frames\":12}")->frames, 12);
    o = order_of("{\"op\":\"route\",\"id\":1,\"name\":\"r\",\"mode\":\"back\",\"cells\":[[1,1],[2,2]]}");
    cr_assert(o->mode == WEND_ROUTE_BACK && o->cell_count == 2);
    cr_assert_str_eq(order_of("{\"op\":\"take\",\"id\":1,\"name\":\"a\",\"route\":\"r\"}")->target, "r");
    live_message_end(&message);
    live_message_free(&message);
}

Test(message, writes_json_that_reads_back) {
    live_text text = {0};
    live_put_string(&text, "a\"b\\c\n\x01 \xc3\xa4", 10);
    json_error_t error;
    json_t *value = json_loadb(text.bytes, text.used, JSON_DECODE_ANY, &error);
    cr_assert_str_eq(json_string_value(value), "a\"b\\c\n\x01 \xc3\xa4");
    json_decref(value);
    static const char bad[] = "\xff|\xc3|\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82";
    static const char good[] = "\xef\xbf\xbd|\xf4\x8f\xbf\xbf|\xed\x9f\xbf|\xe0\xa0\x80|\xc2\x80|\x7f";
    for (size_t i = 1; i < sizeof good; i++) { /* cut anywhere */
        text.used = 0;
        live_put_string(&text, good, i);
        value = json_loadb(text.bytes, text.used, JSON_DECODE_ANY, &error);
        cr_assert(value, "%s", error.text);
        if (i == sizeof good - 1) cr_assert_str_eq(json_string_value(value), good);
        json_decref(value);
    }
    text.used = 0;
    live_put_string(&text, bad, sizeof bad - 1);
    value = json_loadb(text.bytes, text.used, JSON_DECODE_ANY, &error);
    cr_assert(value, "%s", error.text);
    cr_assert_eq(json_string_length(value), 13 * 3 + 5, "13 bytes that are no UTF-8, and 5 that are");
    json_decref(value);
    text.used = 0;
    live_put_signed(&text, INT64_MIN);
    live_put(&text, "", 1);
    cr_assert_str_eq(text.bytes, "-9223372036854775808");
    live_text_free(&text);
}
