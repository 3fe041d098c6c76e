/* SPDX-License-Identifier: MIT */
/* Clients that reach the map's owner through NATS: messages come on the subject `wend.MAP.orders`.
 *
 * A NATS message has one or more lines, each a message of the protocol. All that name a session are that session's;
 * its completions and events go to `wend.MAP.session.NAME`. The reply has the answers to all lines; for those without
 * a session, it also has their completions, and comes when the last one is there. Each session, and each such message,
 * has a connection to the server itself, so the server is independent of NATS.
 *
 * Threads: the loop's. A thread of its own waits for messages. */
#ifndef WEND_SERVER_PEERS_NATS_CLIENTS_H
#define WEND_SERVER_PEERS_NATS_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

/// Most sessions, and most messages under way without a session.
enum { NATS_CLIENTS_SESSIONS = 1024, NATS_CLIENTS_ALONE = 256 };

typedef struct nats_clients nats_clients;

typedef struct nats_clients_def {
    uv_loop_t *loop;
    const char *url, *map;
    const char *token;        ///< for hello; NULL: none
    uint64_t session_seconds; ///< that a session without messages is kept
    /// Give the server one end of a pair of sockets, which it owns then. @return 0: it is a client now
    int (*add_client)(void *context, int socket);
    void *context;
} nats_clients_def;

/// @return NULL: no memory, or no NATS
nats_clients *nats_clients_open(const nats_clients_def *def);
/// Take messages from now on, or no longer.
void nats_clients_serve(nats_clients *clients, bool serves);
/// End sessions that have been quiet for long; in each frame.
void nats_clients_end_quiet(nats_clients *clients);
/// Close all. The loop runs until they are closed.
void nats_clients_close(nats_clients *clients);

#endif
