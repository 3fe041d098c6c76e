/* SPDX-License-Identifier: MIT */
/* Internal: how a service is laid out, and what its files ask of one another.
 *
 *   gate        the only part that other threads touch, under one mutex: tickets, inbox, changes, counts
 *   intake      inbox and changes -> entries in order, answered or runnable
 *   rounds      deal -> grant pages -> lanes run -> settle, until the frame's budget is spent
 *   yield       when a search goes behind its peers
 *   workers     threads that share out the lanes of a round
 *   memory      slots and pages: who gets them, who has to give them back
 *   finish      one place where a request gets its status
 *   paths       the arena in which found paths wait
 *   goals       the store of further goals
 *   deliver     finished requests -> callbacks, or put out for polling
 *
 * Everything lies in one allocation (layout.c); threads have their stacks from the system. Nothing depends on pointers,
 * time or threads. */
#ifndef WEND_SRC_SERVICE_INTERNAL_H
#define WEND_SRC_SERVICE_INTERNAL_H

#include "map/movers/views.h"
#include "map/query/reachable.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/engines.h"
#include "service/heap.h"
#include "service/numbers.h"
#include <wend/service.h>

/* ---- the gate ---- */

enum { WEND__CHANGE_CANCEL = 1, WEND__CHANGE_URGENCY = 2, WEND__CHANGE_GOAL = 4 };

/// What a thread asked of an accepted request between two frames.
typedef struct wend__change {
    uint32_t next; ///< door in the list of changes
    int32_t urgency;
    wend_cell goal;
    uint8_t what;  ///< WEND__CHANGE_… together
    uint8_t frame; ///< low byte of the number of the frame in which the first of them was asked for
    bool listed;
} wend__change;

/// WEND__CHANGE_… that were asked for and not applied yet: before the frame under way began, and since.
typedef struct wend__asked {
    uint8_t before, during;
} wend__asked;

/// An entry's outer side: its ticket.
typedef struct wend__door {
    uint32_t generation; ///< of the ticket that opens it; never 0 once used
    uint32_t next_free;
    bool open;              ///< a ticket with that generation is good
    wend__change change[2]; ///< threads write one side; the owner reads the other, without the lock
} wend__door;

/// A list of entries through their `previous` and `next`.
typedef struct wend__chain {
    uint32_t first, last;
} wend__chain;

/// Further goals of requests, each request's in a chain, so that all of the room can be used.
typedef struct wend__goal {
    wend_cell cell;
    uint32_t next;
} wend__goal;

typedef struct wend__goals {
    wend__goal *items;
    uint32_t count, fresh, free_first, free_count;
} wend__goals;

typedef struct wend__gate {
    wend__mutex *mutex; ///< guards all below, and the doors; the changes of the side that is not `side` are the owner's
    wend__door *doors;
    uint32_t free_door, fresh_door, door_count;
    wend__chain inbox;   ///< accepted since the last intake; their entries too are guarded
    uint32_t dated;      ///< those of them with a deadline, through next_dated
    uint32_t changed[2]; ///< doors with a change, by side
    unsigned side;       ///< which one threads write
    wend__goals goals;   ///< what a pending request has of it is its own
    bool closed;
    uint64_t frame;  ///< number of the frame that runs or ran last
    uint64_t number; ///< of the next request
    uint64_t pending, work, submitted, refused;
    uint64_t asked;   ///< changes not applied yet
    uint64_t shelved; ///< requests that only a poll can bring forward; not in `work`
    uint32_t polled;  ///< pending requests without a callback
    uint32_t polls;   ///< most of those
    void (*wake)(void *context);
    void *wake_context;
} wend__gate;

/* ---- entries ---- */

enum {
    WEND__ARRIVED,  ///< in `arrivals`, not taken in
    WEND__WAITING,  ///< in `runnable`; where it has a slot also in `parked`
    WEND__DEALT,    ///< in a lane's list, this round
    WEND__BARRED,   ///< evicted too often: waits until it is the oldest
    WEND__SHELVED,  ///< in the shelf, until what waits for a poll leaves room
    WEND__FINISHED, ///< in `finished`
    WEND__PUT_OUT   ///< in `put_out`, until it is polled
};

/// A path in the arena.
typedef struct wend__path {
    uint32_t first, last; ///< blocks; WEND__NONE: none
    uint32_t blocks;      ///< how many
    bool wide;            ///< cell numbers, not steps
} wend__path;

/// An accepted request, from submission to delivery.
typedef struct wend__entry {
    wend_request request; ///< its urgency and goal are those in force; more_goals is set by wend__goals_ready()
    uint64_t number;
    uint64_t submitted_frame, due_frame, delivered_frame;
    wend__version *version; ///< pinned while it has a slot for a search that is not finished; else NULL
    uint64_t spent;         ///< expansions, over all restarts
    uint64_t wait_frames;
    uint64_t steps;    ///< of the path that waits, as far as it is handed over
    int64_t cost;      ///< −1: no path
    uint64_t epoch;    ///< searched last, or judged on; valid where dated
    uint64_t revision; ///< of the version searched last
    uint64_t serial;   ///< of the version that `epoch` is of, until it is handed over
    uint64_t
        asked; ///< serial of the version whose answer at intake was that it has to be searched; WEND_NO_LIMIT: none
    uint64_t checked; ///< at hand-over
    wend_status status;
    int32_t exact, bound_milli, engine;
    uint32_t restarts;  ///< begun again, for whatever reason
    uint32_t evictions; ///< gave its pages back
    uint32_t outdated;  ///< started again because the map had changed, or units stood in the way
    uint32_t generation;
    uint32_t previous, next; ///< in inbox, arrivals, ages or put_out
    uint32_t next_dated;
    uint32_t slot;                    ///< WEND__NONE: no search in flight
    uint32_t goals_first, goals_last; ///< of its chain in the store; WEND__NONE: none
    wend__path path;                  ///< where it waits in the arena
    uint32_t staged; ///< until the round is settled: where its path lies in `stage`; WEND__NONE: nowhere
    uint32_t wants_pages, wants_open; ///< what its search could not go on without
    uint32_t blocks;                  ///< of the arena that its last path would have taken; 0: unknown
    uint32_t reserved;                ///< blocks reserved for its path, where it waits for a poll
    uint32_t quanta;                  ///< spent, as far as its place in the order goes by them
    uint8_t state;                    ///< WEND__ARRIVED …
    bool answered_wait;               ///< wait_frames is final
    bool dated;                       ///< epoch is valid: it was searched or judged
    bool searched;                    ///< not answered at once, so that the answer may be outdated
    bool begun;                       ///< the slot's search is this request's
    bool starved;
    bool again;        ///< the next begin is a restart
    bool lined : 1;    ///< waits in a line, not in the heap
    bool returned : 1; ///< of `ages`: in its heap, not in its chain
    bool lengthy : 1;  ///< known to have spent a quantum
} wend__entry;

/// Room for a search in flight.
typedef struct wend__slot {
    uint32_t entry; ///< WEND__NONE: free
    uint32_t next_free;
    bool ready; ///< the search is initialised, which its first lane does
    bool used;  ///< by a search since it was taken
    union {
        wend__search search;
        wend__search_memory memory; /* of whichever engine serves it */
    };
} wend__slot;

/// Waiting requests of one urgency for which no quantum counts, by number. `last_number`: the last one's.
typedef struct wend__line {
    uint32_t first, last;
    uint64_t last_number;
} wend__line;

/// Lines of all urgencies, the highest first. Requests mostly come and go at their ends, at the cost of a few words, however
/// many wait; the others, and those that spent more, are in the heap `runnable`.
enum { WEND__LINES = WEND_URGENCY_MAX - WEND_URGENCY_MIN + 1, WEND__LINE_WORDS = (WEND__LINES + 63) / 64 };
typedef struct wend__lines {
    wend__line *of;                  ///< says nothing where its bit is not set
    wend__chain *links;              ///< of each entry in a line: the one before (`first`) and the one behind (`last`)
    uint64_t busy[WEND__LINE_WORDS]; ///< lines with somebody in them
    uint32_t words;                  ///< words of `busy` that are not 0
} wend__lines;

/// Requests that were taken in and are not finished, by number. Most come and go in order, through a chain. A finished request
/// that is searched again belongs between others: it is in a heap.
typedef struct wend__ages {
    wend__chain chain;
    wend__heap returned;
    uint32_t fair_next; ///< of the chain: before it nobody waits, in this round
} wend__ages;

/// Blocks of the arena that paths waiting for a poll have and may have.
typedef struct wend__polls {
    uint32_t limit, used, reserved;
    wend__heap shelf; ///< requests that wait for room, in the order of service
} wend__polls;

/* ---- lanes and paths ---- */

/// Searches that ended: how many, and in all the expansions that they took (what was lost by beginning anew is not among
/// them) and the pages they held. And of how many, ended or not, it is known whether a quantum was enough, of how many it
/// was, and what those took.
typedef struct wend__ended {
    uint64_t count, spent, pages, open;
    uint64_t known, brief, brief_spent;
} wend__ended;

/// One turn-taker of a round. A lane touches only itself, its entries, their slots, its stock's pages and its part of the
/// stage.
typedef struct wend__lane {
    uint32_t *list; ///< entries, most urgent first
    uint32_t count;
    uint32_t reached; ///< how many of them got a step
    bool fair;
    uint64_t grant, used;
    wend__stock stock;
    wend__ended ended;         ///< in this round
    uint32_t stage, stage_end; ///< room left for paths of searches that end in this round, in bytes
    uint32_t blocks, promised; ///< of the arena: that it may promise them, and has
} wend__lane;

/// Room of one lane for such paths, a byte a step.
enum { WEND__LANE_STAGE = 8192 };

enum {
    WEND__PATH_BLOCK = 64,
    WEND__PATH_BLOCK_STEPS = 2 * (WEND__PATH_BLOCK - 4), ///< 4 bits each
    WEND__PATH_BLOCK_NUMBERS = (WEND__PATH_BLOCK - 4) / 4
};

/// Part of a path: steps to neighbours on a plane, or the numbers of the cells that it goes to.
typedef struct wend__path_block {
    uint32_t next;
    union {
        uint8_t steps[WEND__PATH_BLOCK - 4]; ///< two directions a byte, the low half first
        uint32_t numbers[WEND__PATH_BLOCK_NUMBERS];
    };
} wend__path_block;

/// What turns cells of a map into numbers and back.
typedef struct wend__size {
    uint32_t width, height;
} wend__size;

typedef struct wend__paths {
    wend__path_block *blocks;
    uint32_t count, fresh, free_first, free_count;
    uint32_t promised; ///< of those free: to paths that are staged
} wend__paths;

/* ---- versions ---- */

/// Pins of a map's newest version in hand, so that not each search costs two locks. Only within the rounds of a frame.
typedef struct wend__pins {
    wend_map *map;
    wend__version *version; ///< NULL: none
    uint32_t spare;
} wend__pins;

/// The newest version of a map, for as long as a frame asks about that map and nothing newer comes; never in delivery,
/// where callbacks may drop the map.
typedef struct wend__look {
    wend_map *map;
    wend__version *version; ///< NULL: none
} wend__look;

/* ---- figures ---- */

enum { WEND__HISTOGRAM = 16 + 60 * 8 };

/// Counts by size: one by one up to 15, above that eight to a power of two.
typedef struct wend__histogram {
    uint64_t counts[WEND__HISTOGRAM];
    uint64_t total, max;
} wend__histogram;

typedef struct wend__figures {
    uint64_t frames, completed, expansions, rounds, ns, evictions, checks, outdated;
    uint64_t statuses[16];
    uint32_t pages_peak;
    wend__histogram wait, latency;
} wend__figures;

/* ---- the service ---- */

/// What the frame under way may still spend, and what it did.
typedef struct wend__turn {
    const wend_budget *budget;
    wend_frame *frame;
    uint64_t begun_ns, half_ns, end_ns; ///< half and end: WEND_NO_LIMIT in a frame without a budget of time
    uint64_t left;                      ///< expansions
    uint32_t unlooked;                  ///< what the intake did since it last looked at the clock, in plain requests
} wend__turn;

struct wend_service {
    wend__gate gate;

    /* From here on the owner's alone. */
    wend_service_def def;
    size_t bytes;
    bool ticking, closing;
    bool behind;    ///< changes that were asked for before this frame are left over
    uint64_t frame; ///< copy of the gate's
    wend__entry *entries;
    wend__chain arrivals; ///< in order of submission
    wend__ages ages;
    wend__chain put_out; ///< waiting for a poll, in order of delivery
    uint32_t put_out_count;
    wend__lines lines;      ///< waiting, most of them
    wend__heap runnable;    ///< waiting, the others: by urgency, quanta, number
    wend__numbers finished; ///< by number
    wend__heap due;         ///< with a deadline and not finished, by frame
    wend__heap parked;      ///< slots of waiting entries, the least urgent first

    wend__slot *slots;
    uint32_t free_slots[2], fresh_slot; ///< those used when they were last taken [1] are likelier to be in the caches
    uint32_t running;                   ///< slots of searches in flight
    uint32_t holding;                   ///< slots of finished searches whose path found no room
    wend__pool pool;

    wend__lane *lanes;
    uint8_t *stage;       ///< directions of paths, each lane's in its part
    uint32_t dealt;       ///< lanes of this round
    uint32_t discarded;   ///< requests that this round found cancelled or overdue, and finished
    uint32_t list_length; ///< that is dealt at present
    uint64_t lanes_dealt; ///< since creation: what the fair share counts
    bool inherits;        ///< the oldest is dealt first, until it is finished
    wend__ended ended;    ///< of late: what a search takes as a rule

    wend__pins pins;
    wend__look look;
    wend__paths paths;
    wend__polls polls;
    wend_cell *cells;     ///< of one path
    wend_cell *rooms;     ///< for further goals side by side: one for each slot, and one more
    uint32_t room;        ///< cells of one
    uint64_t delivery_ns; ///< what a delivery took of late
    wend__crew *crew;     ///< NULL: no workers
    uint64_t worth;       ///< rounds granted fewer expansions wake nobody
    uint64_t *slices;     ///< that the ticking thread and each worker ran; in a round each writes its own
    uint64_t frame_evictions, frame_checks, frame_outdated, submitted_before;
    wend__figures figures;
};

/// layout.c: where everything lies. WEND_OK or WEND_BAD_ARGUMENT.
typedef struct wend__layout {
    size_t bytes, mutex, crew, slices, doors, entries, slots, pool, lanes, lists, stage, blocks, cells, goals, rooms;
    size_t items[6],
        places[4]; ///< runnable, due, finished far off, parked; returned and the shelf share the third's places
    size_t lines, links, words, ids;
    uint32_t numbers_room;
    uint64_t pages;
    uint32_t block_count, poll_blocks, room;
} wend__layout;
wend_error wend__service_layout(const wend_service_def *def, wend__layout *out);

/// chain.c
void wend__chain_append(wend_service *service, wend__chain *chain, uint32_t entry);
void wend__chain_remove(wend_service *service, wend__chain *chain, uint32_t entry);
/// ages.c
void wend__ages_add(wend_service *service, uint32_t entry);
void wend__ages_remove(wend_service *service, uint32_t entry);
/// WEND__NONE: there is none.
uint32_t wend__ages_oldest(const wend_service *service);
/// The oldest that waits to be dealt; WEND__NONE: nobody does. Whoever leaves that state in a round must not come back to it
/// before wend__ages_begin_round().
uint32_t wend__ages_oldest_waiting(wend_service *service);
void wend__ages_begin_round(wend_service *service);

/// gate.c: what the owner does at it. Open frame number service->frame: all that was submitted goes to `arrivals`, and
/// the owner reads the changes that threads wrote; but where it is `behind` it reads on where it was.
void wend__gate_open_frame(wend_service *service);
/// The ticket goes stale. False where a thread has asked meanwhile to cancel, which then comes first.
bool wend__gate_shut(wend_service *service, uint32_t entry, bool always);
/// What is asked of a request and not applied yet.
wend__asked wend__gate_asked(wend_service *service, uint32_t entry);
/// Where the goal is to move that was asked for before this frame. It counts as applied.
wend_cell wend__gate_take_goal(wend_service *service, uint32_t entry);
/// A request goes to the shelf, or comes from there.
void wend__gate_shelved(wend_service *service, bool shelved);
/// The owner does something between frames that may bring work.
void wend__gate_wake_after(wend_service *service, void (*act)(wend_service *service));
/// Changes that were asked for are applied.
void wend__gate_applied(wend_service *service, uint64_t count);
/// Nothing is left to do for a request (it may yet wait for a poll).
void wend__gate_work_done(wend_service *service);
/// The entry is free for another request.
void wend__gate_leave(wend_service *service, uint32_t entry, bool had_work);

/// versions.c: the newest version, to ask about it before delivery begins; it is the service's for as long.
const wend__version *wend__look_at(wend_service *service, wend_map *map);
void wend__look_away(wend_service *service);
/// A pin on the newest version; and it comes back.
wend__version *wend__pins_take(wend_service *service, wend_map *map);
void wend__pins_return(wend_service *service, wend__version *version);
/// Between frames, and while callbacks run, nothing is pinned that no search uses.
void wend__pins_drop(wend_service *service);

/// intake.c: changes that an earlier frame left over, before the frame is opened. What is left of them is not added to: the
/// service is `behind` then, and what threads wrote since waits for a later frame.
void wend__intake_leftovers(wend_service *service, wend__turn *turn);
void wend__intake(wend_service *service, wend__turn *turn);

/// goal.c: a request's goal moves.
void wend__goal_move(wend_service *service, uint32_t entry, wend_cell goal);
/// intake.c: what can be said without a search, or that there is nothing left to spend on one; it is finished then.
bool wend__intake_answers(wend_service *service, uint32_t entry);

/// outdated.c: what becomes of searches and answers when the map has changed since they began, or units stand in the way.
/// How an answer stands on the newest version.
typedef struct wend__verdict {
    bool compared; ///< it is of another version, and was held against the newest
    bool again;    ///< it does not stand, and the request is to be searched again
    wend_status status;
    uint64_t steps; ///< of its path, as far as it can be walked
    int64_t cost;   ///< of those today; -1: no path
    uint64_t epoch, checked;
} wend__verdict;
/// A finished request's answer is of the newest version, and nothing but that bears on it.
bool wend__outdated_stands(const wend_service *service, uint32_t entry);
/// Look at a finished request, or one put out for polling (which cannot go back). Changes nothing but service->cells.
wend__verdict wend__outdated_judge(wend_service *service, uint32_t entry);
/// The request is handed over as the verdict says.
void wend__outdated_apply(wend_service *service, uint32_t entry, const wend__verdict *verdict);
/// It goes back to the queue.
void wend__outdated_again(wend_service *service, uint32_t entry);
/// What units on the cells after the first add to the cost of a path, for a request that pays for that.
int64_t wend__outdated_crowd_cost(const wend__version *version, const wend_request *request, const wend_cell *cells,
                                  uint64_t steps);
/// Searches on retired versions start again.
void wend__outdated_retire(wend_service *service);

/// polls.c: may a waiting request's search begin? Then its path has room, as far as that is known.
bool wend__polls_admit(wend_service *service, uint32_t entry);
/// A waiting or dealt request without a slot waits for room.
void wend__polls_shelve(wend_service *service, uint32_t entry);
/// It leaves the shelf; the caller puts it where it belongs.
void wend__polls_take_off(wend_service *service, uint32_t entry);
void wend__polls_set_urgency(wend_service *service, uint32_t entry, int32_t urgency);
/// Those that find room wait to be dealt.
void wend__polls_unshelve(wend_service *service);
/// Room for the path of a search that has ended is reserved. False where there is none.
bool wend__polls_make_room(wend_service *service, uint32_t entry);
/// Its search is dropped, to begin again when there is room.
void wend__polls_defer(wend_service *service, uint32_t entry);
/// Its path lies in the arena, and leaves it (or never came there).
void wend__polls_stored(wend_service *service, wend__entry *entry);
void wend__polls_drop(wend_service *service, wend__entry *entry);
/// Finished searches that held their slots hand their paths to the arena, where there is room by now.
void wend__polls_free_slots(wend_service *service);

/// order.c: the place in the order of service.
wend__heap_item wend__order_key(const wend__entry *entry);
void wend__order_push(wend_service *service, uint32_t entry);
void wend__order_remove(wend_service *service, uint32_t entry);
/// Who comes first of those that wait; WEND__NONE: nobody does.
uint32_t wend__order_first(const wend_service *service);
/// Does a go before b?
bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b);

/// finish.c: give a request its status and drop what it held. A path that its search has (found, partial, or the piece of
/// a nearest search cut short) goes to the arena, or stays in its slot where there is no room.
void wend__finish(wend_service *service, uint32_t entry, wend_status status);
/// It is not to be searched for now: out of the order of service and `ages`.
void wend__finish_leave_order(wend_service *service, uint32_t entry);
/// It waits for its delivery, in its place.
void wend__finish_wait(wend_service *service, uint32_t entry);
/// All of a chain, which is empty then.
void wend__finish_wait_all(wend_service *service, wend__chain *chain);
/// Move a path from its search to the arena, if it fits; the slot is free then.
void wend__finish_store(wend_service *service, uint32_t entry);
/// A finished request loses its path.
void wend__finish_drop_path(wend_service *service, uint32_t entry);
/// A finished request, out of `finished` already, is to be searched again.
void wend__finish_undo(wend_service *service, uint32_t entry);
/// A finished request becomes cancelled.
void wend__finish_anew_cancelled(wend_service *service, uint32_t entry);
/// Due by now, and not finished: expired. Not where changes are left over.
void wend__finish_due(wend_service *service, wend__turn *turn);

/// yield.c: a search of an entry ended in a lane; the lanes' counts, in lane order.
void wend__yield_note(const wend_service *service, wend__ended *ended, const wend__entry *entry);
void wend__yield_learn(wend_service *service, const wend__ended *ended);
/// After a slice: does the quantum that a search has spent send it behind its peers?
void wend__yield_count(wend_service *service, wend__entry *entry);
/// Before anything is known.
void wend__yield_init(wend_service *service);

/// rounds.c: is a frame's time spent, but for what the delivery of what has finished will take?
bool wend__rounds_over(const wend_service *service, const wend__turn *turn);
void wend__rounds(wend_service *service, wend__turn *turn);
/// lane.c
void wend__lane_run(wend_service *service, wend__lane *lane);
/// workers.c: start def.workers threads. False where the system has no room for them; none is left behind then.
bool wend__workers_start(wend_service *service, void *memory);
void wend__workers_stop(wend_service *service);
/// Run the lanes that were dealt, each once; all are done when it returns.
void wend__workers_run(wend_service *service);
/// deal.c: returns false where nothing can be dealt.
bool wend__deal(wend_service *service, uint64_t left);

/// memory.c
bool wend__memory_take_slot(wend_service *service, uint32_t entry, bool evict);
void wend__memory_free_slot(wend_service *service, uint32_t entry);
/// A waiting request's search is dropped, to be begun again. It is out of the order of service: the caller puts it where it
/// belongs.
void wend__memory_lose_search(wend_service *service, uint32_t entry);
void wend__memory_grant(wend_service *service);
void wend__memory_return(wend_service *service);
/// After a round without progress: make some possible. False where the frame has to end first.
bool wend__memory_relieve(wend_service *service);

/// deliver.c: a finished request's cells, the first steps + 1, from the arena or from the search that still holds them.
void wend__deliver_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out);

/// paths.c
void wend__paths_init(wend__paths *paths, void *memory, uint32_t count);
/// Of a path of so many steps; the wide form is the longer one.
uint64_t wend__paths_blocks(uint64_t steps, bool wide);
/// Is there room for that many steps, in the form that needs least, besides what is promised?
bool wend__paths_may_fit(const wend__paths *paths, uint64_t steps);
bool wend__paths_is_wide(const wend_cell *cells, uint64_t steps);
/// Keep the steps from cells[0] to cells[steps]. False, and nothing is kept, where there is no room for them.
bool wend__paths_store(wend__paths *paths, wend__size size, const wend_cell *cells, uint64_t steps, wend__path *out);
/// Keep a path of these steps to neighbours on a plane.
bool wend__paths_store_directions(wend__paths *paths, const uint8_t *directions, uint64_t steps, wend__path *out);
/// Give its blocks back; it is none then.
void wend__paths_free(wend__paths *paths, wend__path *path);
/// The first `steps` cells after `start`.
void wend__paths_spread(const wend__paths *paths, wend__size size, const wend__path *path, wend_cell start,
                        uint64_t steps, wend_cell *out);
static inline wend__path wend__no_path(void) {
    return (wend__path){WEND__NONE, WEND__NONE, 0, false};
}

/// goals.c: take room for some; the gate is locked. False, and nothing is taken, where there is too little.
bool wend__goals_keep(wend__goals *goals, const wend_cell *cells, uint32_t count, uint32_t *first, uint32_t *last);
/// An entry's go back; the gate is locked.
void wend__goals_free(wend__goals *goals, wend__entry *entry);
/// The entry's request, with its further goals side by side: with its slot, for as long as it has that; without one until
/// the next call.
const wend_request *wend__goals_ready(wend_service *service, wend__entry *entry);

/// deliver.c
void wend__deliver(wend_service *service, wend__turn *turn);
/// Nobody will poll any more.
void wend__deliver_drop(wend_service *service);

/// figures.c
void wend__figures_completed(wend__figures *figures, const wend__entry *entry);
void wend__figures_frame(wend_service *service, wend_frame *frame);

static inline wend__size wend__size_of(const wend_map *map) {
    int32_t width, height, depth;
    wend__map_size(map, &width, &height, &depth);
    return (wend__size){(uint32_t)width, (uint32_t)height};
}

/// A limit of a frame below which nothing would move.
static inline uint64_t wend__at_least_one(uint64_t limit) {
    return limit > 0 ? limit : 1;
}

static inline uint64_t wend__now(const wend_service *service) {
    return service->def.clock.now_ns(service->def.clock.context);
}

static inline bool wend__passed(const wend_service *service, uint64_t ns) {
    return ns != WEND_NO_LIMIT && wend__now(service) >= ns;
}

#endif
