/* SPDX-License-Identifier: MIT */
/* Sessions: the identity of a client, its ids in use, and what it missed while it was away. */
#ifndef WEND_SERVER_LIVE_SESSION_SESSION_H
#define WEND_SERVER_LIVE_SESSION_SESSION_H

#include "live/message/message.h"
#include "live/message/text.h"
#include "live/net/net.h"

typedef struct live_session live_session;
typedef struct live_pending live_pending;
typedef struct live_sessions live_sessions;

/// A completion or an event still to be sent to a session. `lost`: only its id is left. Events have none.
typedef struct live_kept {
    struct live_kept *next;
    uint64_t position; ///< in the outbox: sent once this many bytes are; UINT64_MAX: not in it
    bool lost;
    size_t count, id_length;
    char bytes[]; ///< the message with its id behind it; if it is lost, the id only
} live_kept;

enum { LIVE_SHORT_ID = 32, LIVE_SPARES = 4096 };
enum { LIVE_SECRET_BYTES = 32, LIVE_REMEMBERED = 4096, LIVE_NAME_BUCKETS = 1024 };

struct live_session {
    live_sessions *all;
    live_session *previous, *next;
    uint64_t number;
    char name[LIVE_MAX_NAME + 1]; ///< empty: it ends with its connection
    char secret[LIVE_SECRET_BYTES + 1];
    bool owner;
    bool runs;                               ///< its paths come as runs
    live_session *next_named;                ///< next one with the same hash of its name
    live_session *previous_away, *next_away; ///< named ones without a connection, the longest away first
    live_connection *connection;             ///< NULL: away
    uint64_t away_ms;                        ///< time since which it has been away
    uint64_t visits;                         ///< number of times that its client came back
    live_pending *pending;
    uint32_t pending_count;
    live_kept *kept, **kept_end;
    uint64_t kept_bytes;
    uint64_t *done; ///< hashes of the last LIVE_REMEMBERED completed ids
    uint64_t done_count;
};

/// An id in use: of a request, or of an order that the host has not answered.
struct live_pending {
    live_sessions *all;    ///< NULL: the server is closed
    live_session *session; ///< NULL: the session has ended
    live_pending *previous, *next, *next_hashed;
    uint64_t hash;
    wend_service *service; ///< NULL: an order
    wend_ticket ticket;
    uint64_t first_epoch;
    int32_t kind;
    bool no_cells, has_deadline;
    uint64_t visit; ///< visit of the session in which the client asked last
    uint32_t slot;  ///< slot of an order, from 1
    int32_t order;  ///< its kind, WEND_ORDER_…
    char *batch;    ///< for an edit: the text for its watchers, malloc'd; NULL: none
    size_t batch_bytes;
    size_t length;
    char id[];
};

/// All sessions of a server, and all ids in use.
struct live_sessions {
    live_session *first;
    live_session *names[LIVE_NAME_BUCKETS]; ///< named sessions by the hash of their name
    live_session *first_away, *last_away;
    uint32_t named, away, pending, deadlines;
    live_pending *spare; ///< freed ones with room for LIVE_SHORT_ID bytes, by `next`, so that requests reuse them
    uint32_t spare_count;
    uint64_t lost;
    live_session **numbered; ///< sessions by the lower half of their numbers, less 1
    uint32_t *numbers;       ///< upper halves
    uint32_t numbered_count, numbered_capacity, free_number;
    live_pending **table;
    size_t table_size;
    live_pending **slots; ///< orders that wait for their answer
    uint32_t *generations;
    uint32_t slot_count, slot_capacity, free_slot;
    uint64_t most_kept_bytes;
};

/// Makes a session without a name. @return NULL: no memory
live_session *live_session_new(live_sessions *all, live_connection *connection);
/// Gives it a name and a secret. @return false: the system has no random bytes
bool live_session_name(live_session *session, const char *name);
/// Returns the session of a number; NULL: it has ended.
live_session *live_session_by_number(const live_sessions *all, uint64_t number);
live_session *live_session_find(live_sessions *all, const char *name);
/// Removes its connection. Without a name the session ends.
void live_session_leave(live_session *session, uint64_t now_ms);
/// Gives a connection to a session that was away.
void live_session_return(live_session *session, live_connection *connection);
/// Ends sessions that were away too long, and the longest away if there are too many.
void live_sessions_expire(live_sessions *all, uint64_t now_ms, uint64_t most, uint64_t most_ms);
/// Cancels its requests and frees it.
void live_session_end(live_session *session);
void live_sessions_free(live_sessions *all);
/// Checks what must hold of them between messages. Cost: O(1); a few sessions are looked at.
void live_sessions_check(const live_sessions *all);

/// Finds an id in use. @return NULL: it is free
live_pending *live_pending_find(const live_session *session, const live_id_text *id);
/// Returns whether the id was completed recently; true also if so many were since that this one may be forgotten.
bool live_pending_was(const live_session *session, const live_id_text *id);
/// @return NULL: no memory
live_pending *live_pending_new(live_session *session, const live_id_text *id);
/// Makes a reference by which the answer of an order finds the id. @return 0: no memory
uint64_t live_pending_refer(live_pending *pending);
live_pending *live_pending_by_reference(const live_sessions *all, uint64_t reference);
/// Completes an id; `remember`: as a request.
void live_pending_free(live_pending *pending, bool remember);

/// Informs a client that an id gets no more messages.
void live_send_lost(live_connection *connection, const char *id, size_t length);
/// Sends a completion or an event, or keeps it while the client is away.
/// @param pending   the request with its id; NULL: an event
void live_deliver(live_session *session, const live_pending *pending, const live_text *text);
/// Sends what a returning client missed.
void live_session_catch_up(live_session *session);

#endif
