/* SPDX-License-Identifier: MIT */
/* Internal: the traffic object, and the parts of a decision that share it. */
#ifndef WEND_SRC_CROWD_TRAFFIC_STATE_H
#define WEND_SRC_CROWD_TRAFFIC_STATE_H

#include "crowd/traffic/places.h"
#include "crowd/traffic/traffic.h"

enum { WEND__URGENCY_MOST = 1000 };

/// Most travellers that one push moves, and how far ahead its traveller's way is known.
enum { WEND__PUSH_NODES = 4096, WEND__AHEAD_CELLS = 12, WEND__PUSH_COSTS = 8, WEND__IMPATIENT_AFTER = 64 };

/// State of a traveller that only the traffic knows.
typedef struct wend__traffic_priority {
    uint32_t since;      ///< the decision in which its wish began; 0: it has none
    int32_t inherited;   ///< the urgency of a traveller that gave way to it, if above its own
    uint32_t refused_in; ///< the decision in which it was last looked at and stays
    uint32_t reached_by; ///< the push that last reached it
    bool counted;        ///< as a unit on the map
} wend__traffic_priority;

/// A step that a push considers: `traveller` to `to`, for which `blocker` has to make room.
typedef struct wend__push_node {
    wend_cell to;
    int32_t traveller, blocker; ///< blocker -1: the place is free
    int32_t parent, next;       ///< nodes; -1: none
} wend__push_node;

struct wend__traffic {
    wend_map *map;
    uint32_t agents;
    int32_t kind;
    bool unrecorded; ///< a recording tells of the crowd's orders, and not of its units
    wend__traveller *travellers;
    wend__traffic_priority *ranks;
    wend__places places;
    uint64_t *order, *scratch;
    int32_t *claimed; ///< those that move, in the order of their claims; from the end on, ghosts that move
    uint32_t claimed_count;
    uint32_t moved_count; ///< of those in `claimed` after the decision
    uint32_t ghost_count; ///< at its end
    uint32_t decision, pushes;
    int32_t root;                 ///< whose step is being decided
    uint32_t chain_begin;         ///< the claims of the step that is being decided, and of those before it, begin here
    const wend__version *version; ///< of this decision, and below: the host's callback
    wend__work *work;
    wend__ahead_fn *ahead;
    void *context;
    wend_cell way[WEND__AHEAD_CELLS]; ///< of the traveller that pushes
    uint32_t path_ahead_count;
    uint32_t push_capacity, push_count;
    bool push_deferred; ///< by somebody who may make room later: the push may succeed then
    bool foremost;      ///< the one that pushes is steered or the first in order: it does not wait for work
    bool impatient;     ///< the one that pushes has waited long: it pushes aside those who go its way, too
    wend__push_node *push_nodes;
    int32_t push_costs[WEND__PUSH_COSTS]; ///< open nodes, by cost modulo the number of costs
};

/// Answers of wend__traffic_blocker() beside a traveller. LATER: somebody who may have gone later.
/// CLOSED: a unit of the host, which is no business of the traffic.
enum { WEND__BLOCKER_NONE = -1, WEND__BLOCKER_SEVERAL = -2, WEND__BLOCKER_LATER = -3, WEND__BLOCKER_CLOSED = -4 };

static inline bool wend__traffic_moves(const wend__traffic *t, int32_t i) {
    return wend__places_claimed(&t->places, i)->size != 0;
}

/// The obstacle of a step that is legal on the map: a traveller that could still be asked to make room, or one of
/// the above. Steps that cross one that is under way or claimed are closed.
int32_t wend__traffic_blocker(const wend__traffic *t, int32_t i, wend_cell to);
/// Would two steps go through each other if they were made at once?
bool wend__steps_cross(const wend__traffic *t, int32_t a, wend_cell a_to, int32_t b, wend_cell b_from, wend_cell b_to);

/// Does the blocker of a step want to go on where its pusher comes to? Pushing it aside would only change who is first.
bool wend__moves_same_way(const wend__traffic *t, int32_t pusher, wend_cell to, int32_t blocker);

void wend__traffic_claim(wend__traffic *t, int32_t i, wend_cell to);
/// Take back the claims after the first `count`.
void wend__traffic_unclaim(wend__traffic *t, uint32_t count);
/// Move whatever stands in the way of traveller i, which has claimed `to`. False: that is not possible, and nothing but
/// i has claimed.
bool wend__traffic_push(wend__traffic *t, int32_t i, wend_cell to, int32_t blocker);

/// Count a traveller as a unit on a place, or take it off. False: no memory, nothing changed.
bool wend__traffic_count(wend__traffic *t, int32_t i, wend_cell cell);
void wend__traffic_discount(wend__traffic *t, int32_t i, wend_cell cell);

#endif
