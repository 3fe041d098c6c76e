/* SPDX-License-Identifier: MIT */
/* The server's state: what the network, the sessions, the watchers and the answers share. */
#ifndef WEND_SERVER_LIVE_STATE_LIVE_STATE_H
#define WEND_SERVER_LIVE_STATE_LIVE_STATE_H

#include "live/session/session.h"

/// Data of a connection.
typedef struct live_client {
    wend_live *live;
    live_connection *connection;
    live_session *session;
    bool greeted; ///< it said hello, with the right token where there is one
    live_subscription subscription;
    struct live_client *previous_watcher, *next_watcher;
    uint64_t second, messages;           ///< read in that second
    uint64_t edit_frame, edit_ms, edits; ///< since then
    uint64_t names_revision;             ///< of the names that it has for binary positions, + 1; 0: none
    uint64_t missed;                     ///< events that were not sent, as it did not read
} live_client;

/// A request that waits for an epoch of the map.
typedef struct live_later live_later;

struct wend_live {
    live_net net;
    wend_live_def def; ///< its texts are copies
    wend_cell ends[2]; ///< that def.start and def.goal point to
    wend_live_limits limits;
    live_sessions sessions;
    live_guesses guesses;
    live_client *watchers;
    uint32_t watcher_count;
    wend_map *map;
    int32_t kind; ///< of the map; 0: none
    uint64_t first_epoch;
    char **movers;
    size_t mover_count;
    wend_service *service;
    uint64_t term;                   ///< of the map's owner; 0: no cluster
    char owner[64], owner_page[128]; ///< its name and its page's address; "": none
    char pages[2048];                ///< of the other hosts' pages, parted by blanks
    uint64_t frame;                  ///< the last run one
    uint64_t shown_before;           ///< the one that watchers heard of before the last
    wend_frame last;                 ///< the host's last report
    live_message message;
    const char *raw; ///< the message as it came
    size_t raw_count;
    bool raw_late; ///< it has waited long enough
    live_later *later;
    live_text text, batch; ///< of the current output; of an edit for watchers
    uint64_t work;         ///< of the message that is being answered, besides its bytes
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
