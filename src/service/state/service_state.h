/* SPDX-License-Identifier: MIT */
/* Internal: the service, the frame under way, and its clock. Everything lies in one allocation. */
#ifndef WEND_SRC_SERVICE_SERVICE_STATE_H
#define WEND_SRC_SERVICE_SERVICE_STATE_H

#include <wend/service_tuning.h>

#include "base/base.h"
#include "field/field_service.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/occupancy.h"
#include "mark/beside.h"
#include "service/state/parts.h"

/// The limits of a frame: those of wend_budget, and those of wend_frame_limits.
typedef struct wend__budget {
    uint64_t expansions, us;
    uint64_t rounds, intakes, deliveries, cells, changes, checks, chosen;
} wend__budget;

/// Limits of the frame under way, and its counts.
typedef struct wend__tick {
    const wend__budget *budget;
    wend_frame *frame;
    uint64_t begun_ns, half_ns, end_ns; ///< half and end: WEND_NO_LIMIT in a frame without a budget of time
    uint64_t left;                      ///< expansions
    uint32_t since_clock;               ///< work of the intake since it last read the clock, in plain requests
} wend__tick;

typedef struct wend__recording wend__recording;

struct wend_service {
    wend__inbox inbox;

    /* The fields from here on are the owner's alone. */
    wend_service_def def; ///< its tuning is the one below
    wend_service_tuning tuning;
    size_t bytes;
    wend__recording *recording; ///< NULL: none
    uint64_t recordings;        ///< begun so far
    bool ticking, closing;
    bool ending;        ///< wend_service_destroy() runs
    uint32_t crowds;    ///< crowds that are not destroyed
    uint32_t updating;  ///< their updates that run, callbacks included
    bool all_pages;     ///< the last round made no progress: the reserve of pages is for all
    bool behind;        ///< changes requested before this frame are left over
    bool ends;          ///< when this frame began, requests had ended before they had entries
    uint64_t frame;     ///< copy of the inbox's
    uint64_t opened;    ///< requests that were pending when this frame began
    uint64_t first_new; ///< number of the first later request
    uint32_t owed;      ///< copy of the inbox's, from the frame's begin
    uint32_t withdrawn; ///< requests that the host ended, still to be delivered
    wend__entry *entries;
    wend__chain arrivals; ///< in order of submission
    wend__ages ages;
    wend__chain land_waits; ///< requests that wait for land
    uint32_t land_wait_count;
    uint64_t land_owed;     ///< expansions for checking land that no frame has counted
    uint32_t *went;         ///< finished requests, as `came` of the inbox: the difference is unfinished
    wend__lines lines;      ///< waiting, in the order of service
    wend__numbers finished; ///< requests by number; during delivery the chosen ones
    wend__heap left_over;   ///< finished requests that were not chosen: by urgency, number
    wend__chain left_since; ///< the same, in the order in which they were left over
    uint64_t choices;       ///< number of choices among more answers than a frame could deliver
    wend__heap due;         ///< unfinished requests with a deadline, by frame
    wend__heap parked;      ///< slots of waiting entries, the least urgent first

    wend__slot *slots;
    uint32_t free_slots[2], fresh_slot; ///< free slots used when last taken [1] are likelier to be in the caches
    uint32_t running;                   ///< slots of searches in flight
    uint32_t holding;                   ///< slots of finished searches with a path that found no room
    wend__pool pool;

    wend__lane *lanes;
    uint8_t *buffers;         ///< directions of paths, each lane's in its part
    uint32_t scheduled;       ///< lanes of this round
    uint32_t discarded;       ///< requests that this round found cancelled or overdue, and finished
    uint64_t slice;           ///< slice of the current round
    uint64_t last_slice;      ///< slice of the previous round
    uint64_t quantum;         ///< quantum of the current frame
    uint64_t usual_spent;     ///< expansions of a busy frame, by recent ones; 0: unknown
    uint32_t list_length;     ///< most requests a lane gets in a round, at present
    uint64_t lanes_scheduled; ///< lanes scheduled since creation, for the fair lane
    uint64_t fair_turn;       ///< expansions of full lanes between two fair ones, in the frame under way
    int64_t fair_lack;        ///< expansions of others that fair lanes have not matched
    bool inherits;            ///< the oldest is scheduled first, until it has finished
    wend__ended ended;        ///< recently ended searches, for the mean effort

    wend__pace pace;
    wend__share share;

    wend__pins pins;
    wend__newest newest;
    wend__paths paths;
    wend_cell *cells;                     ///< cells of one path
    wend_cell *rooms;                     ///< rooms for further goals side by side: one for each slot, and one more
    uint32_t room;                        ///< cells of one room
    uint64_t delivery_ns, delivery_cells; ///< mean time and cells of a delivery, recently
    wend__crew *crew;                     ///< NULL: no workers
    struct wend_arena *arena;             ///< arena that contains the service; NULL: none
    wend__crew_use crew_use;              ///< use of an arena's workers
    wend__fields fields;
    uint64_t shared_rounds; ///< rounds in which both fields and searches had work
    uint64_t worth;         ///< rounds granted fewer expansions wake no worker
    uint64_t *slices;       ///< slices of the ticking thread and each worker; in a round each writes its own
    uint64_t frame_evictions, frame_checks, frame_outdated, submitted_before;
    wend__wanted_chunks wanted_chunks;
    wend__figures figures;
    struct wend_figures *noted; ///< the host's (wend/figures.h); NULL: none
};

/// Returns the index of an urgency in a list with the highest first.
static inline uint32_t wend__rank(int32_t urgency) {
    return (uint32_t)(WEND_URGENCY_MAX - urgency);
}

/// Returns the group of an entry; NULL: it has none.
static inline wend__group *wend__group_of(const wend_service *service, uint32_t index) {
    const wend__share *share = &service->share;
    const uint32_t group = index < share->buckets ? share->members[index].group : WEND__NONE;
    return group != WEND__NONE ? &share->groups[group] : NULL;
}

/// Returns the entry with the search for an entry: the leader of its group, or itself. WEND__NONE stays unchanged.
static inline uint32_t wend__searched_for(const wend_service *service, uint32_t index) {
    if (index == WEND__NONE || service->entries[index].state != WEND__JOINED) return index;
    return wend__group_of(service, index)->leader;
}

/// Returns the number of requests that wait for their delivery.
static inline uint64_t wend__finished_count(const wend_service *service) {
    return (uint64_t)service->finished.count + service->left_over.count;
}

/// Returns a limit of a frame, raised so that every frame makes progress.
static inline uint64_t wend__at_least_one(uint64_t limit) {
    return limit > 0 ? limit : 1;
}

static inline uint64_t wend__now(const wend_service *service) {
    return service->def.clock.now_ns(service->def.clock.context);
}

static inline bool wend__passed(const wend_service *service, uint64_t ns) {
    return ns != WEND_NO_LIMIT && wend__now(service) >= ns;
}

/// Returns when a timed frame has to begin its delivery. At least an eighth is for searching, as the estimate
/// of delivery may be wrong.
static inline uint64_t wend__tick_delivers_ns(const wend_service *service, const wend__tick *tick) {
    const uint64_t finished = wend__finished_count(service), most = (tick->end_ns - tick->begun_ns) / 8 * 7;
    return tick->end_ns -
           (finished > 0 && service->delivery_ns > most / finished ? most : finished * service->delivery_ns);
}

/// Returns whether the frame's time is spent, except for delivery.
static inline bool wend__tick_is_over(const wend_service *service, const wend__tick *tick) {
    return tick->end_ns != WEND_NO_LIMIT && wend__passed(service, wend__tick_delivers_ns(service, tick));
}

/// Returns whether a frame runs, or an update of a crowd: each may be in a callback.
static inline bool wend__service_in_callback(const wend_service *service) {
    return service->ticking || service->updating > 0;
}

/// Sets the detail of a call inside a callback, a frame or an update. @return WEND_IN_CALLBACK
static inline wend_error wend__refuse_in_frame(void) {
    return wend__refuse(WEND_IN_CALLBACK, "a frame or an update runs: call it after that, not inside a callback");
}

#endif
