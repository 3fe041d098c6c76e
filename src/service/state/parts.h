/* SPDX-License-Identifier: MIT */
/* Internal: the parts that a service consists of. */
#ifndef WEND_SRC_SERVICE_PARTS_H
#define WEND_SRC_SERVICE_PARTS_H

#include "service/state/entry.h"
#include "service/store/heap.h"
#include "service/store/lines.h"
#include "service/store/numbers.h"
#include <wend/control.h>

/* ---- inbox ---- */

/// A request that is replaced is not cancelled, and the other way round. But closing cancels all, also those.
enum {
    WEND__CHANGE_CANCEL = 1,
    WEND__CHANGE_URGENCY = 2,
    WEND__CHANGE_GOAL = 4,
    WEND__CHANGE_REPLACE = 8,
    WEND__CHANGE_END = WEND__CHANGE_CANCEL | WEND__CHANGE_REPLACE
};

/// The status that a change ends a request with: replaced, where a newer one of its agent came before the closing.
static inline wend_status wend__change_status(uint8_t what) {
    return what & WEND__CHANGE_REPLACE ? WEND_STATUS_REPLACED : WEND_STATUS_CANCELLED;
}

/// The host ended the request: nothing bears on its status any more.
static inline bool wend__is_withdrawn(const wend__entry *entry) {
    return entry->status == WEND_STATUS_CANCELLED || entry->status == WEND_STATUS_REPLACED;
}

/// Changes that a thread asked for between two frames.
typedef struct wend__change {
    uint32_t next; ///< state in the list of changes
    int32_t urgency;
    wend_cell goal;
    uint8_t what;  ///< WEND__CHANGE_… together
    uint8_t frame; ///< low byte of the number of the frame in which the first of them was asked for
    bool listed;
} wend__change;

/// WEND__CHANGE_… that were asked for and are still to be applied: before the frame under way began, and since.
typedef struct wend__asked {
    uint8_t before, during;
} wend__asked;

/// An entry's changes. Threads write one side; the owner reads the other, without the lock.
typedef struct wend__entry_changes {
    uint32_t next_free;
    wend__change side[2];
} wend__entry_changes;

/// A list of entries through their `previous` and `next`.
typedef struct wend__chain {
    uint32_t first, last;
} wend__chain;

/// Further goals of requests, each request's in a chain, so that all of the room can be used.
typedef struct wend__goal {
    wend_cell cell;
    uint32_t next;
} wend__goal;

typedef struct wend__goal_store {
    wend__goal *items;
    uint32_t count, fresh, free_first, free_count;
} wend__goal_store;

/// A request's record in the queue, from submission to delivery: what was submitted, and its ticket.
typedef struct wend__waiter {
    wend_map *map; ///< NULL: the record is free
    wend_done_fn *on_done;
    void *context;
    uint64_t max_expansions, agent;
    uint32_t start, goal; ///< numbers of cells
    uint32_t submitted;   ///< low half of the number of the frame before its first
    uint32_t deadline;    ///< frames; UINT32_MAX: none
    int32_t occupied;
    uint32_t goals_first, goals_last;
    uint32_t generation;   ///< of the ticket that opens it; never 0
    uint32_t entry;        ///< that it has; WEND__NONE: it waits in the backlog. Of a free record: the next free one
    uint32_t older, newer; ///< by number; in `ended`, in the order in which they ended
    uint32_t due_before, due_behind; ///< in its list of the wheel
    int16_t urgency;
    uint16_t minds; ///< (occupied_within + 1) << 7 | profile
    uint8_t mover, reach, goal_count;
    uint8_t ends; ///< a status: it is to be completed with that
    uint32_t weight_milli : 17;
    uint32_t engine : 2, mode : 2, unloaded : 2, heuristic : 2, on_stale : 1;
    uint32_t leaves : 1;     ///< WEND_REQUEST_LEAVE_BLOCKED_START
    uint32_t far_begin : 1;  ///< WEND_REQUEST_FAR_BEGIN
    uint32_t moved : 1;      ///< WEND__REQUEST_GOAL_MOVED
    uint32_t open : 1;       ///< a ticket with that generation is good
    uint32_t cancelled : 1;  ///< its holder has cancelled the request, so that no newer one replaces it
    uint32_t unrecorded : 1; ///< a recording leaves it out: a crowd's, which has the crowd's orders instead
} wend__waiter;

/// The backlog: requests that wait for an entry.
typedef struct wend__backlog {
    wend__waiter *waiters;
    uint32_t capacity, fresh, free_first;
    uint32_t count;     ///< waiting without an entry
    uint32_t entries;   ///< that there are
    uint32_t used;      ///< of them
    uint32_t spare;     ///< of them: for requests that ended, are due, or are urgent; 0: each place has an entry
    uint64_t dealt;     ///< entries that were given in order of service or by age
    uint64_t expired;   ///< up to this frame none is due any more
    uint32_t *promoted; ///< with `spare`: requests that have an entry and had not ended before, by urgency: as `lesser`
    wend__lines lines;  ///< in the order of service. The key of a record's place has its number until it is free
    wend__chain ages;   ///< by number
    wend__chain ended;  ///< requests that are to be completed
    uint32_t *wheel;    ///< requests with a deadline, by its frame
} wend__backlog;

/// A place in the table of agents: bucket number i, and request number i in the chain of its bucket.
typedef struct wend__agent_place {
    uint32_t first; ///< request of the bucket's chain
    uint32_t next;  ///< request after this one
} wend__agent_place;

/// One completion a frame, in `served`.
enum { WEND__SERVED_ONE = 65536 };

typedef struct wend__inbox {
    wend__mutex
        *mutex; ///< guards all below, and the records; the changes of the side that is not `side` are the owner's
    wend__entry_changes *changes; ///< by entry
    wend__agent_place *agents;    ///< the pending request of each agent; as many buckets as records were ever opened
    uint32_t free_entry, fresh_entry;
    uint32_t changed[2]; ///< entries with a change, by side
    unsigned side;       ///< which one threads write
    wend__backlog backlog;
    wend__goal_store goals; ///< what a pending request has of it is its own
    bool closed;
    uint64_t frame;  ///< number of the frame that runs or ran last
    uint64_t number; ///< of the next request
    uint64_t pending, work, submitted, refused;
    uint64_t asked;          ///< changes that are still to be applied
    bool fields_work;        ///< a field has work left
    uint64_t resting;        ///< requests that only land can bring forward; not in `work`
    uint32_t queue, reserve; ///< places, and those of them for urgency above 0
    uint32_t *lesser; ///< NULL: no displacement. Requests without a search in flight, by urgency: sums of a binary tree
    uint32_t owed;    ///< requests that were taken in place of others, still to be displaced
    int32_t *takers;  ///< their urgencies
    uint32_t *came;   ///< requests accepted, by urgency, the highest first; modulo 2^32
    uint64_t served;  ///< completions a frame recently, in 65,536ths
    void (*wake)(void *context);
    void *wake_context;
} wend__inbox;

/* ---- queue ---- */

/// Requests that were taken in and are not finished, by number. Most go through a chain, in order. A finished request
/// that is searched again belongs between others, and is in a heap.
typedef struct wend__ages {
    wend__chain chain;
    wend__heap returned;
    uint32_t fair_next; ///< of the chain: none waits before it, in this round
} wend__ages;

/* ---- lanes ---- */

/// Sums over searches that ended.
typedef struct wend__ended {
    uint64_t count;
    uint64_t spent; ///< expansions, without those lost by restarts
} wend__ended;

/// A lane runs a list of requests in a round. It touches only itself, its entries, their slots, its stock's pages and
/// its part of the buffers.
typedef struct wend__lane {
    uint32_t *list; ///< entries, most urgent first
    uint32_t count;
    uint32_t reached; ///< how many of them got a step
    bool fair;
    uint64_t grant, used;
    uint64_t work[WEND_WORK_COUNT]; ///< of `used`, by WEND_WORK_…
    bool midway;                    ///< the last that it reached goes on
    uint32_t buffered; ///< the last with a path in its buffer, as long as it can hand its slot on; WEND__NONE: none
    wend__stock stock;
    wend__ended ended;           ///< in this round
    uint32_t buffer, buffer_end; ///< room left for paths of searches that end in this round, in bytes
    uint32_t blocks, promised;   ///< of the arena: that it may promise them, and has
    uint32_t thread;             ///< that ran it in this round; this and the times only if figures keep slices
    uint64_t began_ns, ended_ns;
} wend__lane;

/// Room of one lane for such paths, a byte a step.
enum { WEND__LANE_BUFFER = 8192 };

/// Times of expansions, learnt in frames with a limit of time.
typedef struct wend__pace {
    uint64_t picoseconds[WEND_WORK_COUNT]; ///< an expansion, by WEND_WORK_…; 0: not known
    uint64_t used[WEND_WORK_COUNT];        ///< expansions since the clock was read
    uint64_t read_ns;                      ///< when it was
    uint64_t round_ns;                     ///< what another round like the last one would take
} wend__pace;

/* ---- versions ---- */

/// A cache of references to a map's newest version; avoids two lock operations per search. Empty outside the rounds of
/// a frame.
typedef struct wend__pins {
    wend_map *map;
    wend__version *version; ///< NULL: none
    uint32_t spare;
} wend__pins;

/// The newest version of a map, for as long as a frame looks at that map and nothing newer comes; never in delivery,
/// where callbacks may drop the map.
typedef struct wend__newest {
    wend_map *map;
    wend__version *version; ///< NULL: none
} wend__newest;

/* ---- sharing ---- */

/// Sharing keeps one for each entry. Requests that are alike form a group: the leader is searched, and the members
/// are not in the order. Entry number i is in the chain of a bucket of the table; bucket number i is here too.
typedef struct wend__share_member {
    uint32_t group;                 ///< WEND__NONE: it is alone
    uint32_t hash;                  ///< of what its search depends on
    uint32_t bucket, next;          ///< first entry of the bucket's chain; entry after this one in its own chain
    uint32_t child, sibling, above; ///< in the heap of members: first child, next sibling, sibling before or parent
    uint64_t limit;                 ///< of the group's expansions, at which it ends as `limit`
    uint64_t joined_frame;
    uint64_t counted;        ///< expansions of the entry that its goal group has counted
    uint32_t earlier, later; ///< entries next to it in the list of its goal group
    uint8_t goal_group;      ///< WEND__GOAL_GROUPS: none
    bool listed;             ///< it is in the table
} wend__share_member;

/// Requests with one goal that are searched alone so far.
typedef struct wend__goal_group {
    const wend_map *map; ///< NULL: the place is free
    wend_cell goal;
    int32_t mover;
    uint32_t first;  ///< entries, linked through `later`
    uint32_t count;  ///< entries
    uint32_t begun;  ///< searches that have spent anything, also ended ones
    uint64_t spent;  ///< expansions of those
    uint64_t price;  ///< expansions of one search from the goal to all cells, by estimate
    uint64_t serial; ///< of the version that the price is of; WEND_NO_LIMIT: none
} wend__goal_group;

/// Goals that a service follows at a time.
enum { WEND__GOAL_GROUPS = 32 };

/// Requests that share a search. A leader comes before all members in the order of service.
typedef struct wend__group {
    uint32_t leader;
    uint32_t first; ///< member in the order of service: the root of their pairing heap
    uint32_t count; ///< members, without the leader
    uint32_t next_free;
    uint64_t spent;                   ///< expansions since there is a group
    uint64_t least_limit, most_limit; ///< at most the least limit of all, and at least the greatest one
    uint64_t first_frame;             ///< frame of the first slice since then; 0: none yet
    uint64_t next_check;              ///< of `spent`: then it is time to check which starts are known
    bool many;                        ///< many starts: its search is that from the goal
    int32_t urgency;                  ///< `many`: the highest when it began
} wend__group;

typedef struct wend__share {
    wend__share_member *members; ///< by entry; NULL: every request is searched alone
    wend__group *groups;
    uint32_t buckets; ///< of the table; as many of `members` are set
    uint32_t free_group, fresh_group;
    wend__goal_group goal_groups[WEND__GOAL_GROUPS];
    uint32_t oldest;          ///< goal group that gives its place to the next goal
    void *room;               ///< memory for a field
    size_t room_bytes;        ///< 0: only requests that are alike share
    struct wend_field *field; ///< NULL: none
    wend__version *version;   ///< pinned for the field
    uint32_t many;            ///< group that the field is made for; WEND__NONE: it has all its answers
    uint32_t holders;         ///< finished requests with paths in the field
} wend__share;

/* ---- wanted chunks ---- */

/// A chunk that is not loaded, and the request that wants it most.
typedef struct wend__wanted_chunk {
    uint64_t map; ///< its identity, as the map may be gone
    uint64_t number, frame;
    int32_t x, y;
    int32_t urgency;
} wend__wanted_chunk;

/// By urgency, then number, then in the order in which the request wants them.
typedef struct wend__wanted_chunks {
    uint32_t count;
    wend__wanted_chunk of[WEND_MAX_WANTED];
} wend__wanted_chunks;

/* ---- figures ---- */

enum { WEND__HISTOGRAM = 16 + 60 * 8 };

/// Counts by size: one by one up to 15, above that eight to a power of two.
typedef struct wend__histogram {
    uint64_t counts[WEND__HISTOGRAM];
    uint64_t total, max;
} wend__histogram;

typedef struct wend__figures {
    uint64_t shared; ///< of those completed
    uint64_t frames, completed, expansions, rounds, ns, evictions, checks, outdated;
    uint64_t statuses[16];
    uint32_t pages_peak;
    wend__histogram wait, latency;
} wend__figures;

#endif
