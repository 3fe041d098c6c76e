/* SPDX-License-Identifier: MIT */
/* Messages about maps that other processes serve. Each session has a connection of its own to each map that it names;
 * what comes back goes to the session with the map's name, and is kept for it as its own map's is.
 *
 * Threads: the loop's; the store is asked on a thread of libuv's pool. */
#ifndef WEND_SERVER_PEERS_OTHER_MAPS_H
#define WEND_SERVER_PEERS_OTHER_MAPS_H

#include <wend/live.h>

#include "store/store.h"

/// Connections to other maps, of all sessions.
enum { OTHER_MAPS_MOST = 4096 };

typedef struct other_maps other_maps;

typedef struct other_maps_def {
    uv_loop_t *loop;
    cluster_store *store;
    const char *node;                ///< of this process: its own processes of other maps are asked first
    const char *token, *owner_token; ///< NULL: none
    /// Send a session a text; NULL: nothing. @return as wend_live_send_text()
    int (*tell)(void *context, uint64_t session, const char *text, size_t size);
    void *context;
} other_maps_def;

/// @return NULL: no memory
other_maps *other_maps_open(const other_maps_def *def);
/// Passes a message on. @return WEND_LIVE_OK: its outcome follows; BUSY (too many connections, no memory)
int32_t other_maps_pass(other_maps *all, const wend_live_message *message);
/// Close connections of sessions that have ended; in each frame.
void other_maps_close_ended(other_maps *all);
/// Close all. The loop runs until they are closed.
void other_maps_close(other_maps *all);

#endif
