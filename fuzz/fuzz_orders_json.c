/* SPDX-License-Identifier: MIT */
/* Orders as JSON: each line is read as an object of each row, on maps of every kind. It is an order or an error with
 * words; and an order is written as an object that is read as the same bytes again. */
#define _GNU_SOURCE
#include "fuzz_bytes.h"

#include "live/message/read_order.h"

typedef struct text {
    char *bytes;
    size_t used, capacity;
} text;

static void put(void *context, const char *bytes, size_t size) {
    text *out = context;
    FUZZ_CHECK(size <= out->capacity - out->used);
    memcpy(out->bytes + out->used, bytes, size);
    out->used += size;
}

static bool read_object(live_reader *reader, const text *from, int32_t kind, live_lists *lists, wend_order *out) {
    *reader = (live_reader){.kind = reader->kind};
    reader->object = json_loadb(from->bytes, from->used, JSON_REJECT_DUPLICATES, NULL);
    FUZZ_CHECK(json_is_object(reader->object));
    live_read_order(reader, kind, lists, out);
    FUZZ_CHECK(reader->error == WEND_LIVE_OK || reader->why[0] != '\0');
    return reader->error == WEND_LIVE_OK;
}

/* Reads an object as an order of one row, writes it, and reads it again. */
static void check(const text *from, int32_t kind, int32_t axes, live_lists *lists) {
    static const int32_t kinds[] = {0, WEND_KIND_GRAPH, WEND_KIND_GRID, WEND_KIND_VOXEL};
    const size_t room = from->used * 16 + 4096;
    text once = {malloc(room), 0, room}, twice = {malloc(room), 0, room};
    live_reader reader = {.kind = kinds[axes]};
    wend_order order;
    FUZZ_CHECK(once.bytes && twice.bytes);
    const bool good = read_object(&reader, from, kind, lists, &order);
    if (good) wend__order_write_json(&order, axes, put, &once);
    json_decref(reader.object);
    if (good) {
        FUZZ_CHECK(read_object(&reader, &once, kind, lists, &order));
        wend__order_write_json(&order, axes, put, &twice);
        json_decref(reader.object);
        FUZZ_CHECK(once.used == twice.used && memcmp(once.bytes, twice.bytes, once.used) == 0);
    }
    free(once.bytes);
    free(twice.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    live_lists lists = {0};
    for (size_t at = 0; at < size;) {
        const char *line = (const char *)data + at, *end = memchr(line, '\n', size - at);
        const size_t length = end ? (size_t)(end - line) : size - at;
        const text from = {(char *)(uintptr_t)line, length, length};
        json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
        const bool good = json_is_object(object);
        json_decref(object);
        for (int32_t kind = 0; good && kind < WEND_ORDER_KINDS; kind++)
            for (int32_t axes = 1; axes <= 3; axes++) check(&from, kind, axes, &lists);
        at += length + 1;
    }
    live_lists_free(&lists);
    return 0;
}
