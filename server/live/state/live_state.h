/* SPDX-License-Identifier: MIT */
/* The server's state, shared by the network, the sessions, the watchers and the answers. */
#ifndef WEND_SERVER_LIVE_STATE_LIVE_STATE_H
#define WEND_SERVER_LIVE_STATE_LIVE_STATE_H

#include "live/session/session.h"

/// Data of a connection.
typedef struct live_client {
    wend_live *live;
    live_connection *connection;
    live_session *session;
    bool greeted; ///< the client said hello, with the right token if there is one
    live_subscription subscription;
    struct live_client *previous_watcher, *next_watcher;
    uint64_t second, messages;           ///< messages read in that second
    uint64_t edit_frame, edit_ms, edits; ///< edits since then
    uint64_t names_revision;             ///< revision of its names for binary positions, + 1; 0: none
    uint64_t missed;                     ///< events not sent, as the client did not read
} live_client;

/// A request that waits for an epoch of the map.
typedef struct live_later live_later;

struct wend_live {
    live_net net;
    wend_live_def def; ///< its texts are copies
    wend_cell ends[2]; ///< def.start and def.goal point to these
    wend_live_limits limits;
    live_sessions sessions;
    live_guesses guesses;
    live_client *watchers;
    uint32_t watcher_count;
    wend_map *map;
    int32_t kind; ///< kind of the map; 0: none
    uint64_t first_epoch;
    char **movers;
    size_t mover_count;
    wend_service *service;
    uint64_t term;                   ///< term of the map's owner; 0: no cluster
    char owner[64], owner_page[128]; ///< name of the owner and address of its page; "": none
    char pages[2048];                ///< pages of the other hosts, separated by blanks
    uint64_t frame;                  ///< the last executed frame
    uint64_t shown_before;           ///< previous frame that was reported to watchers
    wend_frame last;                 ///< last report of the host
    live_message message;
    const char *raw; ///< the message as it came
    size_t raw_count;
    bool raw_late; ///< the message has waited long enough
    live_later *later;
    live_text text, batch; ///< text of the current output; batch of an edit for watchers
    uint64_t work;         ///< work for the current message, besides its bytes
    bool draining, closing;
    uint64_t next_expiry_ms;
    uint64_t messages, errors, skipped;
    void (*closed)(void *context);
    void *closed_context;
};

/// Returns the server that has the sessions.
static inline wend_live *live_of(live_sessions *sessions) {
    return (wend_live *)(void *)((char *)sessions - offsetof(wend_live, sessions));
}

#endif
