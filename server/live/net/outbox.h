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
    uint64_t put, sent; ///< bytes ever added, and bytes taken by the socket
    bool lines;
} live_outbox;

/// A framed message: `bytes` has LWS_PRE bytes before it that may be written.
typedef struct live_framed {
    unsigned char *bytes;
    size_t count;
    bool binary;
} live_framed;

/// Returns the number of waiting bytes.
static inline size_t live_outbox_waiting(const live_outbox *outbox) {
    return outbox->tail - outbox->head;
}

/// Adds a message. @return false if memory ran out
bool live_outbox_put(live_outbox *outbox, const void *bytes, size_t count, bool binary);
/// Gets the first framed message. @return false: there is none
bool live_outbox_first(const live_outbox *outbox, live_framed *out);
/// Removes the first framed message, which was sent.
void live_outbox_pop(live_outbox *outbox);
/// Removes this many sent bytes of lines.
void live_outbox_sent(live_outbox *outbox, size_t count);
void live_outbox_free(live_outbox *outbox);

#endif
