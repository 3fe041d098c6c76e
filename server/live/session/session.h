/* SPDX-License-Identifier: MIT */
/* Sessions: who a client is, the ids that it has in use, and what it missed while it was away. */
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
    char bytes[]; ///< the message, or the id where it is lost; its id is behind it
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
    live_session *next_named;                ///< of those with the same hash of their names
    live_session *previous_away, *next_away; ///< of named ones without a connection, the longest away first
    live_connection *connection;             ///< NULL: away
    uint64_t away_ms;                        ///< since when
    uint64_t visits;                         ///< times that its client came back
    live_pending *pending;
    uint32_t pending_count;
    live_kept *kept, **kept_end;
    uint64_t kept_bytes;
    uint64_t *done; ///< hashes of the last ids that were completed, LIVE_REMEMBERED of them
    uint64_t done_count;
};

/// An id in use: of a request, or of an order that the host has not answered.
struct live_pending {
    live_sessions *all;    ///< NULL: the server is closed
    live_session *session; ///< NULL: it is gone
    live_pending *previous, *next, *next_hashed;
    uint64_t hash;
    wend_service *service; ///< NULL: an order
    wend_ticket ticket;
    uint64_t first_epoch;
    int32_t kind;
    bool no_cells, has_deadline;
    uint64_t visit; ///< of the session, when the client asked last
    uint32_t slot;  ///< of an order, from 1
    int32_t order;  ///< its kind, WEND_ORDER_…
    char *batch;    ///< of an edit: the text for its watchers, malloc'd; NULL: nothing
    size_t batch_bytes;
    size_t length;
    char id[];
};

/// All sessions of a server, and all ids in use.
struct live_sessions {
    live_session *first;
    live_session *names[LIVE_NAME_BUCKETS]; ///< named ones by the hash of their name
    live_session *first_away, *last_away;
    uint32_t named, away, pending, deadlines;
    live_pending *spare; ///< freed ones with room for LIVE_SHORT_ID bytes, by `next`, so that requests reuse them
    uint32_t spare_count;
    uint64_t lost;
    live_session **numbered; ///< by the lower half of their numbers, less 1
    uint32_t *numbers;       ///< upper halves
    uint32_t numbered_count, numbered_capacity, free_number;
    live_pending **table;
    size_t table_size;
    live_pending **slots; ///< orders that wait for their answer
    uint32_t *generations;
    uint32_t slot_count, slot_capacity, free_slot;
    uint64_t most_kept_bytes;
};

/// Make a session without a name. @return NULL: no memory
live_session *live_session_new(live_sessions *all, live_connection *connection);
/// Give it a name and a secret. @return false: the system has no random bytes
bool live_session_name(live_session *session, const char *name);
/// By its number; NULL: it has ended.
live_session *live_session_by_number(const live_sessions *all, uint64_t number);
live_session *live_session_find(live_sessions *all, const char *name);
/// Its connection is gone. Without a name it ends.
void live_session_leave(live_session *session, uint64_t now_ms);
/// It was away, and has a connection again.
void live_session_return(live_session *session, live_connection *connection);
/// End sessions that were away too long, and the longest away where there are too many.
void live_sessions_expire(live_sessions *all, uint64_t now_ms, uint64_t most, uint64_t most_ms);
/// Cancel its requests and free it.
void live_session_end(live_session *session);
void live_sessions_free(live_sessions *all);

/// Find an id in use. @return NULL: it is not
live_pending *live_pending_find(const live_session *session, const live_id_text *id);
/// Returns whether the id was completed recently; true also where this many were that this one may be forgotten.
bool live_pending_was(const live_session *session, const live_id_text *id);
/// @return NULL: no memory
live_pending *live_pending_new(live_session *session, const live_id_text *id);
/// Make a reference by which the answer of an order finds it. @return 0: no memory
uint64_t live_pending_refer(live_pending *pending);
live_pending *live_pending_by_reference(const live_sessions *all, uint64_t reference);
/// It is completed; `remember`: as a request.
void live_pending_free(live_pending *pending, bool remember);

/// Tell a client that nothing comes of an id any more.
void live_send_lost(live_connection *connection, const char *id, size_t length);
/// Send a completion or an event, or keep it while the client is away.
/// @param pending   the request with its id; NULL: an event
void live_deliver(live_session *session, const live_pending *pending, const live_text *text);
/// The client is back: what it missed is sent.
void live_session_catch_up(live_session *session);

#endif
