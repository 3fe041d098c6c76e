/* SPDX-License-Identifier: MIT */
/* Messages that wait to be sent, in one growing piece of memory. */
#include "live/net/outbox.h"

#include <stdlib.h>
#include <string.h>

/// The header of a framed message, and the room that libwebsockets needs before it (LWS_PRE, 16).
typedef struct frame_header {
    uint64_t count;
    uint64_t binary;
    unsigned char room[16];
} frame_header;

enum { SMALL = 16384, ALIGNMENT = 8 };

static size_t rounded(size_t count) {
    return (count + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static bool make_room(live_outbox *outbox, size_t count) {
    if (outbox->capacity - outbox->tail >= count) return true;
    /* Fewer bytes move than were sent: a slow reader's long queue is not moved for each message. */
    if (outbox->head > live_outbox_waiting(outbox)) {
        memmove(outbox->bytes, outbox->bytes + outbox->head, outbox->tail - outbox->head);
        outbox->tail -= outbox->head;
        outbox->head = 0;
    }
    if (outbox->capacity - outbox->tail >= count) return true;
    size_t capacity = outbox->capacity < 1024 ? 1024 : outbox->capacity * 2;
    while (capacity - outbox->tail < count) capacity *= 2;
    unsigned char *bytes = realloc(outbox->bytes, capacity);
    if (!bytes) return false;
    outbox->bytes = bytes;
    outbox->capacity = capacity;
    return true;
}

/* An empty outbox keeps a small buffer only. */
static void rest(live_outbox *outbox) {
    if (outbox->head < outbox->tail) return;
    outbox->head = outbox->tail = 0;
    if (outbox->capacity > SMALL) live_outbox_free(outbox);
}

bool live_outbox_put(live_outbox *outbox, const void *bytes, size_t count, bool binary) {
    if (outbox->lines) {
        if (!make_room(outbox, count + 1)) return false;
        memcpy(outbox->bytes + outbox->tail, bytes, count);
        outbox->bytes[outbox->tail + count] = '\n';
        outbox->tail += count + 1;
        outbox->put += count + 1;
        return true;
    }
    const frame_header header = {.count = count, .binary = binary};
    const size_t all = sizeof header + rounded(count);
    if (!make_room(outbox, all)) return false;
    memcpy(outbox->bytes + outbox->tail, &header, sizeof header);
    memcpy(outbox->bytes + outbox->tail + sizeof header, bytes, count);
    outbox->tail += all;
    outbox->put += all;
    return true;
}

bool live_outbox_first(const live_outbox *outbox, live_framed *out) {
    frame_header header;
    if (outbox->head == outbox->tail) return false;
    memcpy(&header, outbox->bytes + outbox->head, sizeof header);
    *out = (live_framed){outbox->bytes + outbox->head + sizeof header, (size_t)header.count, header.binary != 0};
    return true;
}

void live_outbox_pop(live_outbox *outbox) {
    live_framed first;
    if (!live_outbox_first(outbox, &first)) return;
    outbox->head += sizeof(frame_header) + rounded(first.count);
    outbox->sent += sizeof(frame_header) + rounded(first.count);
    rest(outbox);
}

void live_outbox_sent(live_outbox *outbox, size_t count) {
    outbox->head += count;
    outbox->sent += count;
    rest(outbox);
}

void live_outbox_free(live_outbox *outbox) {
    free(outbox->bytes);
    outbox->bytes = NULL;
    outbox->head = outbox->tail = outbox->capacity = 0;
}
