/* SPDX-License-Identifier: MIT */
/* Messages that wait to be sent to one client. */
#ifndef WEND_SERVER_LIVE_NET_OUTBOX_H
#define WEND_SERVER_LIVE_NET_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Messages one after another in one growing piece. As lines they are bytes with an LF behind each. Framed, each has a
/// header before it, with room for that of the WebSocket.
typedef struct live_outbox {
    unsigned char *bytes;
    size_t head, tail, capacity;
    uint64_t put, sent; ///< bytes that were ever added, and that the socket took
    bool lines;
} live_outbox;

/// A framed message: `bytes` has LWS_PRE bytes before it that may be written.
typedef struct live_framed {
    unsigned char *bytes;
    size_t count;
    bool binary;
} live_framed;

/// Bytes that wait.
static inline size_t live_outbox_waiting(const live_outbox *outbox) {
    return outbox->tail - outbox->head;
}

/// Add a message. @return false where memory ran out
bool live_outbox_put(live_outbox *outbox, const void *bytes, size_t count, bool binary);
/// Get the first framed message. @return false: there is none
bool live_outbox_first(const live_outbox *outbox, live_framed *out);
/// The first framed message was sent.
void live_outbox_pop(live_outbox *outbox);
/// This many bytes of lines were sent.
void live_outbox_sent(live_outbox *outbox, size_t count);
void live_outbox_free(live_outbox *outbox);

#endif
