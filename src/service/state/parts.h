/* SPDX-License-Identifier: MIT */
/* Internal: the parts that a service consists of. */
#ifndef WEND_SRC_SERVICE_PARTS_H
#define WEND_SRC_SERVICE_PARTS_H

#include "service/state/entry.h"
#include "service/store/heap.h"
#include "service/store/lines.h"
#include "service/store/numbers.h"
#include <wend/control.h>
#include <wend/explain.h>

/* ---- inbox ---- */

/// A replaced request is not cancelled, and the other way round. But closing cancels all requests, also replaced ones.
enum {
    WEND__CHANGE_CANCEL = 1,
    WEND__CHANGE_URGENCY = 2,
    WEND__CHANGE_GOAL = 4,
    WEND__CHANGE_REPLACE = 8,
    WEND__CHANGE_END = WEND__CHANGE_CANCEL | WEND__CHANGE_REPLACE
};

/// Returns the final status for a change: replaced, if a newer request of its agent came before the closing.
static inline wend_status wend__change_status(uint8_t what) {
    return what & WEND__CHANGE_REPLACE ? WEND_STATUS_REPLACED : WEND_STATUS_CANCELLED;
}

/// Returns whether the host ended the request: its status is final.
static inline bool wend__is_withdrawn(const wend__entry *entry) {
    return entry->status == WEND_STATUS_CANCELLED || entry->status == WEND_STATUS_REPLACED;
}

/// Changes that a thread requested between two frames.
typedef struct wend__change {
    uint32_t next; ///< state in the list of changes
    int32_t urgency;
    wend_cell goal;
    uint8_t what;  ///< WEND__CHANGE_… combined
    uint8_t frame; ///< low byte of the number of the frame in which the first change was requested
    bool listed;
} wend__change;

/// WEND__CHANGE_… requested and still to be applied: before the current frame began, and since.
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
    uint32_t generation;   ///< generation of the ticket that opens it; never 0
    uint32_t entry;        ///< its entry; WEND__NONE: it waits in the backlog. In a free record: the next free one
    uint32_t older, newer; ///< neighbours by number; in `ended`, by the order in which they ended
    uint32_t due_before, due_behind; ///< neighbours in its list of the wheel
    int16_t urgency;
    uint16_t minds; ///< (occupied_within + 1) << 7 | profile
    uint8_t mover, reach, goal_count;
    uint8_t ends; ///< the status with which it is to be completed
    uint32_t weight_milli : 17;
    uint32_t engine : 2, mode : 2, unloaded : 2, heuristic : 2, on_stale : 1;
    uint32_t leaves : 1;     ///< WEND__REQUEST_LEAVES_START
    uint32_t far_begin : 1;  ///< WEND__REQUEST_FAR_BEGIN
    uint32_t moved : 1;      ///< WEND__REQUEST_GOAL_MOVED
    uint32_t open : 1;       ///< a ticket with that generation is good
    uint32_t cancelled : 1;  ///< its holder has cancelled the request, so no newer one replaces it
    uint32_t unrecorded : 1; ///< a recording omits it: a crowd's request, as the recording has the crowd's orders
} wend__waiter;

/// The backlog: requests that wait for an entry.
typedef struct wend__backlog {
    wend__waiter *waiters;
    uint32_t capacity, fresh, free_first;
    uint32_t count;     ///< waiting without an entry
    uint32_t entries;   ///< number of entries
    uint32_t used;      ///< entries in use
    uint32_t spare;     ///< entries for requests that ended, are due, or are urgent; 0: each place has an entry
    uint64_t dealt;     ///< number of entries given in order of service or by age
    uint64_t expired;   ///< up to this frame no request is due any more
    uint32_t *promoted; ///< with `spare`: unended requests with an entry, by urgency: a tree as `lesser`
    wend__lines lines;  ///< in the order of service. A key has the number until the record is free
    wend__chain ages;   ///< requests by number
    wend__chain ended;  ///< requests to be completed
    uint32_t *wheel;    ///< requests with a deadline, by its frame
} wend__backlog;

/// A place in the table of agents: bucket number i, and request number i in the chain of its bucket.
typedef struct wend__agent_place {
    uint32_t first; ///< request of the bucket's chain
    uint32_t next;  ///< request after this one
} wend__agent_place;

/// Weight of one completion a frame in `served`.
enum { WEND__SERVED_ONE = 65536 };

typedef struct wend__inbox {
    wend__mutex
        *mutex; ///< guards all below, and the records; the changes of the side that is not `side` are the owner's
    wend__entry_changes *changes; ///< changes by entry
    wend__agent_place *agents;    ///< the pending request of each agent; as many buckets as records were ever opened
    uint32_t free_entry, fresh_entry;
    uint32_t changed[2]; ///< entries with a change, by side
    unsigned side;       ///< the side that threads write
    wend__backlog backlog;
    wend__goal_store goals; ///< further goals; a pending request owns its own
    bool closed;
    uint64_t frame;  ///< number of the current or last frame
    uint64_t number; ///< number of the next request
    uint64_t pending, work, submitted, refused;
    uint64_t asked;          ///< changes that are still to be applied
    bool fields_work;        ///< a field has work left
    uint64_t resting;        ///< requests that only land can bring forward; not in `work`
    uint32_t queue, reserve; ///< number of places, and of those for urgency above 0
    uint32_t *lesser; ///< NULL: no displacement. Requests without a search in flight, by urgency: sums of a binary tree
    uint32_t owed;    ///< displaced requests that are still to be ended
    int32_t *takers;  ///< urgencies of those taken instead
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
    uint32_t fair_next; ///< in the chain: no request before it waits, in this round
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
    uint32_t reached; ///< number of requests that got a step
    bool fair;
    uint64_t grant, used;
    uint64_t work[WEND_WORK_COUNT]; ///< parts of `used`, by WEND_WORK_…
    bool midway;                    ///< the last reached request goes on
    uint32_t buffered; ///< the last request with a path in its buffer, while it can pass its slot on; WEND__NONE: none
    wend__stock stock;
    wend__ended ended;           ///< searches that ended in this round
    uint32_t buffer, buffer_end; ///< room left for paths of searches that end in this round, in bytes
    uint32_t blocks, promised;   ///< blocks of the arena that it may reserve, and has reserved
    uint32_t thread;             ///< thread of this round; set, as the times, only if figures keep slices
    uint64_t began_ns, ended_ns;
} wend__lane;

/// Room of one lane for such paths, a byte a step.
enum { WEND__LANE_BUFFER = 8192 };

/// Times of expansions, measured in frames with a limit of time.
typedef struct wend__pace {
    uint64_t picoseconds[WEND_WORK_COUNT]; ///< picoseconds of an expansion, by WEND_WORK_…; 0: unknown
    uint64_t used[WEND_WORK_COUNT];        ///< expansions since the clock was read
    uint64_t read_ns;                      ///< time of that reading
    uint64_t round_ns;                     ///< estimated time of another round like the last one
} wend__pace;

/* ---- versions ---- */

/// A cache of references to a map's newest version; avoids two lock operations per search. Empty outside the rounds of
/// a frame.
typedef struct wend__pins {
    wend_map *map;
    wend__version *version; ///< NULL: none
    uint32_t spare;
} wend__pins;

/// The newest version of a map, while a frame reads that map and nothing newer comes; never in delivery,
/// where callbacks may drop the map.
typedef struct wend__newest {
    wend_map *map;
    wend__version *version; ///< NULL: none
} wend__newest;

/* ---- sharing ---- */

/// Sharing keeps one for each entry. Requests that are alike form a group: the leader is searched, and the members
/// are not in the order. Entry number i is in the chain of a bucket of the table; bucket number i is here too.
typedef struct wend__share_member {
    uint32_t group;                 ///< WEND__NONE: no group
    uint32_t hash;                  ///< hash of the fields that its search depends on
    uint32_t bucket, next;          ///< first entry of the bucket's chain; entry after this one in its own chain
    uint32_t child, sibling, above; ///< in the heap of members: first child, next sibling, previous one or parent
    uint64_t limit;                 ///< limit of the group's expansions, at which it ends as `limit`
    uint64_t joined_frame;
    uint64_t counted;        ///< expansions of the entry that its goal group has counted
    uint32_t earlier, later; ///< entries next to it in the list of its goal group
    uint8_t goal_group;      ///< WEND__GOAL_GROUPS: none
    bool listed;             ///< the request is in the table
} wend__share_member;

/// Requests with one goal that are searched alone so far.
typedef struct wend__goal_group {
    const wend_map *map; ///< NULL: the place is free
    wend_cell goal;
    int32_t mover;
    uint32_t first;    ///< entries, linked through `later`
    uint32_t count;    ///< entries
    uint32_t begun;    ///< searches that have spent anything, also ended ones
    uint64_t spent;    ///< expansions of these searches
    uint64_t price;    ///< estimated expansions of one search from the goal to all cells
    uint64_t revision; ///< revision of the map for which the price holds; WEND_NO_LIMIT: none
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
    uint64_t least_limit, most_limit; ///< bounds of the members' limits: at most the least, and at least the greatest
    uint64_t first_frame;             ///< frame of the first slice since then; 0: none so far
    uint64_t next_check;              ///< value of `spent` at which to check which starts are known
    bool many;                        ///< many starts: the search begins at the goal
    int32_t urgency;                  ///< `many`: the highest when it began
} wend__group;

typedef struct wend__share {
    wend__share_member *members; ///< by entry; NULL: every request is searched alone
    wend__group *groups;
    uint32_t buckets; ///< buckets of the table; as many of `members` are set
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
    uint64_t map; ///< identity of the map, which may be freed
    uint64_t number, frame;
    int32_t x, y;
    int32_t urgency;
} wend__wanted_chunk;

/// Chunks by urgency, then number, then in the order in which the request wants them.
typedef struct wend__wanted_chunks {
    uint32_t count;
    wend__wanted_chunk of[WEND_MAX_WANTED];
} wend__wanted_chunks;

/* ---- figures ---- */

enum { WEND__HISTOGRAM = 16 + 60 * 8 };

/// Counts by size: single values up to 15, above that eight buckets for each power of two.
typedef struct wend__histogram {
    uint64_t counts[WEND__HISTOGRAM];
    uint64_t total, max;
} wend__histogram;

typedef struct wend__figures {
    uint64_t shared; ///< number of completed requests that shared
    uint64_t frames, completed, expansions, rounds, ns, evictions, checks, outdated;
    uint64_t statuses[16];
    uint32_t pages_peak;
    wend__histogram wait, latency;
} wend__figures;

#endif
