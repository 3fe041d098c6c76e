/* SPDX-License-Identifier: MIT */
/* Lines of orders: any line is an order or an error with a place; and an order is written as a line that is read as the
 * same bytes again. */
#include "fuzz_bytes.h"

#include "orders/orders.h"

typedef struct line {
    char *bytes;
    size_t used, capacity;
} line;

static void put(void *context, const char *bytes, size_t size) {
    line *out = context;
    FUZZ_CHECK(size <= out->capacity - out->used);
    memcpy(out->bytes + out->used, bytes, size);
    out->used += size;
}

static void write_line(line *out, const wend_order *order, int32_t axes) {
    out->used = 0;
    wend__order_write(order, axes, put, out);
}

/* A number of a request that is out of its range is clamped, and may have no place in a line. */
static void check(wend__order_reader *reader, const char *bytes, size_t size) {
    const size_t room = size * 8 + 4096; /* a byte of a name takes three, a cell up to 36, an option 40 */
    line once = {malloc(room), 0, room}, twice = {malloc(room), 0, room};
    wend_order order;
    FUZZ_CHECK(once.bytes && twice.bytes);
    const int status = wend__order_read(reader, bytes, size, &order);
    FUZZ_CHECK(status >= 0 || (reader->wrong >= 1 && reader->wrong <= size + 1 && reader->why[0] != '\0'));
    if (status == 1 && !order.bad_argument) {
        write_line(&once, &order, reader->axes);
        FUZZ_CHECK(wend__order_read(reader, once.bytes, once.used, &order) == 1 && !order.bad_argument);
        write_line(&twice, &order, reader->axes);
        FUZZ_CHECK(once.used == twice.used && memcmp(once.bytes, twice.bytes, once.used) == 0);
    }
    free(once.bytes);
    free(twice.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    for (int32_t axes = 1; axes <= 3; axes++) {
        wend__order_reader reader = {.axes = axes, .where = WEND__SCRIPT | WEND__JOURNAL};
        for (size_t at = 0; at < size;) {
            const char *end = memchr(text + at, '\n', size - at);
            const size_t length = (end ? (size_t)(end - text) : size) - at;
            check(&reader, text + at, length);
            at += length + 1;
        }
        wend__order_reader_free(&reader);
    }
    return 0;
}
