/* SPDX-License-Identifier: MIT */
/* Messages become structs, and each mistake its error. */
#include <criterion/criterion.h>
#include <string.h>

#include "live/message/message.h"
#include "live/message/text.h"
#include "models/options.h"
#include "models/owned.h"

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
    cr_assert_eq(read_options(&message.request).weight_milli, 1250);
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
    static const int32_t kinds[] = {WEND_ORDER_SET,  WEND_ORDER_SET,  WEND_ORDER_FILL,
                                    WEND_ORDER_STEP, WEND_ORDER_LINK, WEND_ORDER_UNLINK};
    static const int32_t values[] = {0, 1, 9, 0, 7, 0};
    live_message_parse(&message, text, sizeof text - 1, NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s", message.reader.why);
    cr_assert_eq(message.order.changes.count, 6);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(message.order.changes.items[i].kind, kinds[i]);
        cr_assert_eq(message.order.changes.items[i].change.value, values[i]);
    }
    const wend_change *fill = &message.order.changes.items[2].change;
    cr_assert(fill->from.x == 2 && fill->to.y == 4, "corners are sorted");
    live_message_end(&message);
    live_message_free(&message);
}

static void expect_land(const char *text, size_t count, const int32_t kinds[], const int32_t values[]) {
    live_message_parse(&message, text, strlen(text), NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s: %s", text, message.reader.why);
    cr_assert_eq(message.order.kind, WEND_ORDER_EDIT);
    cr_assert_eq(message.order.changes.count, count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(message.order.changes.items[i].kind, kinds[i]);
        cr_assert_eq(message.order.changes.items[i].change.value, values[i]);
    }
    live_message_end(&message);
}

Test(message, takes_a_load_or_an_unload_as_an_edit) {
    enum { SET = WEND_ORDER_SET, FILL = WEND_ORDER_FILL, LOAD = WEND_ORDER_LOAD, UNLOAD = WEND_ORDER_UNLOAD };
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[3,4]}", 1, (const int32_t[]){LOAD}, (const int32_t[]){1});
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[3,4],\"ground\":\"blocked\"}", 1, (const int32_t[]){LOAD},
                (const int32_t[]){0});
    expect_land("{\"op\":\"unload\",\"id\":1,\"chunk\":[3,4],\"forget\":true}", 1, (const int32_t[]){UNLOAD},
                (const int32_t[]){1});
    static const char rows[] = "{\"op\":\"load\",\"id\":1,\"chunk\":[1,2],\"classes\":[[0,1,1,7],[],[5]]}";
    cr_assert_eq(error_of(rows), WEND_LIVE_BAD_ARGUMENT, "an empty row");
    expect_land("{\"op\":\"load\",\"id\":1,\"chunk\":[1,2],\"classes\":[[0,1,1,7],[5]]}", 4,
                (const int32_t[]){LOAD, FILL, SET, SET}, (const int32_t[]){0, 1, 7, 5});
    const wend_change *run = &message.order.changes.items[1].change, *last = &message.order.changes.items[3].change;
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
    cr_assert_eq(message.order.kind, WEND_ORDER_GO);
    cr_assert_eq(message.order.go.names.count, 2);
    cr_assert_str_eq(message.order.go.names.items[1].text, "b");
    cr_assert(message.order.go.def.cell.x == 8 && message.order.go.def.reach == 3);
    live_message_end(&message);
    cr_assert_eq(error_of("{\"op\":\"go\",\"id\":1,\"names\":[],\"to\":[8,2]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\"}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\",\"cell\":[1,1],\"speed\":0}"),
                 WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"step\",\"id\":1,\"frames\":0}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"adjust\",\"id\":1,\"names\":[\"a\"]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"grid\",\"id\":1,\"width\":1,\"height\":1}"), WEND_LIVE_UNKNOWN);
    cr_assert_eq(error_on(WEND_KIND_GRAPH, "{\"op\":\"go\",\"id\":1,\"names\":[\"a\"],\"to\":8,\"reach\":1}"),
                 WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"take\",\"id\":1,\"name\":\"a\"}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"occupy\",\"id\":1,\"cells\":[[1,1]]}"), WEND_LIVE_OK);
    cr_assert_eq(error_of("{\"op\":\"subscribe\",\"id\":1,\"what\":[\"frames\",\"rain\"]}"), WEND_LIVE_BAD_ARGUMENT);
    cr_assert_eq(error_of("{\"op\":\"subscribe\",\"id\":1,\"what\":[],\"every\":0}"), WEND_LIVE_BAD_ARGUMENT);
    live_message_free(&message);
}

/* Parses an order; the JSON stays until live_message_end(). */
static const wend_order *order_of(const char *text) {
    live_message_end(&message);
    live_message_parse(&message, text, strlen(text), NULL, WEND_KIND_GRID, 1000);
    cr_assert_eq(message.reader.error, WEND_LIVE_OK, "%s: %s", text, message.reader.why);
    return &message.order;
}

/* Checks what a host sees of absent fields; tests/orders reads all fields of all orders. */
Test(message, says_which_fields_were_given) {
    const wend_order *o = order_of("{\"op\":\"agent\",\"id\":1,\"name\":\"a\",\"cell\":[2,1],\"ghost\":true}");
    cr_assert(o->agent.def.ghost && o->agent.def.speed_milli == 250 && !o->agent.mover.text);
    o = order_of("{\"op\":\"flee\",\"id\":1,\"name\":\"a\",\"target\":\"b\",\"keep\":false}");
    cr_assert_not(wend_order_gave(o, &o->go.def.keep), "a flag that is false is not said");
    cr_assert_eq(o->go.def.struct_bytes, sizeof o->go.def, "a crowd takes the definition as it is");
    o = order_of("{\"op\":\"adjust\",\"id\":1,\"names\":[\"a\",\"b\"],\"urgency\":0}");
    cr_assert(wend_order_gave(o, &o->adjust.urgency) && !wend_order_gave(o, &o->adjust.mover));
    o = order_of("{\"op\":\"pace\",\"id\":1,\"budget\":70,\"wander\":false}");
    cr_assert(o->pace.hz == 0 && o->pace.budget == 70 && !o->pace.wander && wend_order_gave(o, &o->pace.wander));
    o = order_of("{\"op\":\"pace\",\"id\":1,\"hz\":9}");
    cr_assert_not(wend_order_gave(o, &o->pace.wander));
    cr_assert_eq(order_of("{\"op\":\"step\",\"id\":1,\"frames\":12}")->kind, WEND_ORDER_ADVANCE);
    live_message_end(&message);
    live_message_free(&message);
}

Test(message, writes_json_that_reads_back) {
    OWNED(live_text_free) live_text text = {0};
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
}
