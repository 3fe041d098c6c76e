/* SPDX-License-Identifier: MIT */
/* Messages of clients: each line is parsed as one, on maps of every kind. A message is good, or refused with an error
 * of the protocol and words for it; all that it points to is there. */
#define _GNU_SOURCE
#include "fuzz_bytes.h"

#include "live/message/message.h"

static volatile uint64_t sum; /* makes the target read all data that a message points to */

static void count_bytes(void *context, const char *bytes, size_t size) {
    (void)context;
    for (size_t i = 0; i < size; i++) sum += (uint8_t)bytes[i];
}

static void look(const live_message *m) {
    if (m->op == LIVE_OP_REQUEST && m->mover != NULL) sum += strlen(m->mover);
    if (m->op == LIVE_OP_HELLO && m->hello.session != NULL) sum += strlen(m->hello.session);
    if (m->op == LIVE_OP_HELLO && m->hello.secret != NULL) sum += strlen(m->hello.secret);
    if (m->op == LIVE_OP_HELLO && m->hello.token != NULL) sum += strlen(m->hello.token);
    if (m->op == LIVE_OP_ORDERS) wend__order_write_json(&m->order, 3, count_bytes, NULL);
}

static void parse(live_message *message, const char *line, size_t length, int32_t kind) {
    enum { MOST_CELLS = 1000 };
    char *bytes = malloc(length > 0 ? length : 1); /* with nothing behind its end */
    FUZZ_CHECK(bytes);
    memcpy(bytes, line, length);
    live_message_parse(message, bytes, length, NULL, kind, MOST_CELLS);
    FUZZ_CHECK(message->id.length <= sizeof message->id.text);
    FUZZ_CHECK(message->reader.error >= WEND_LIVE_OK && message->reader.error <= WEND_LIVE_UNKNOWN);
    FUZZ_CHECK(!message->closes || message->reader.error != WEND_LIVE_OK);
    if (message->reader.error == WEND_LIVE_OK) {
        FUZZ_CHECK(message->known && message->id.length > 0);
        look(message);
    }
    live_message_end(message);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int32_t kinds[] = {0, WEND_KIND_GRID, WEND_KIND_VOXEL, WEND_KIND_GRAPH};
    static live_message message; /* the next message uses its arrays again, as in the server */
    const char *text = (const char *)data;
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t length = (end != NULL ? (size_t)(end - text) : size) - at;
        for (size_t i = 0; i < 4; i++) parse(&message, text + at, length, kinds[i]);
        at += length + 1;
    }
    live_message_free(&message);
    memset(&message, 0, sizeof message);
    return 0;
}
