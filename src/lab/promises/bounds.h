/* SPDX-License-Identifier: MIT */
/* The longest that a request may take, computed from outside: by the lane that serves the oldest request; for urgent
   requests by the share of the budget that this lane leaves. */
#ifndef WEND_SRC_LAB_PROMISES_BOUNDS_H
#define WEND_SRC_LAB_PROMISES_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- all requests: one lane in so many serves the oldest ---- */

/// A request by its place among the accepted ones.
typedef struct fair_record {
    uint64_t asked, ended; ///< frames; ended 0: pending
    uint64_t spent;        ///< its expansions
    uint64_t spent_before; ///< expansions of all frames before it was accepted
    bool joint;            ///< its expansions may have been for others too
} fair_record;

/// Requests wait for their turn to be judged until all older ones have ended: then their expansions are known. Where
/// requests share searches, a younger one may pay for an older one: they wait until none is pending.
typedef struct fair_bound {
    fair_record *list; ///< by number; those before `front` are judged
    size_t capacity;
    uint64_t front, accepted; ///< numbers of the oldest not judged, and of the next accepted
    uint64_t spent;           ///< expansions of all requests before `front`
    uint64_t pending;         ///< accepted ones that have not ended
    uint64_t joint;           ///< expansions of those from `front` on that have ended and are joint
    bool shares;              ///< requests share searches
    uint64_t budget, share;   ///< of a frame; one lane in `share` serves the oldest
    uint64_t lanes;
    uint64_t slice; ///< most expansions of a lane in a round
} fair_bound;

/// @return false where memory ran out
bool fair_bound_accept(fair_bound *bound, uint64_t frame, uint64_t spent_by_frames);
/// @param joint   its search may have answered others too
void fair_bound_end(fair_bound *bound, uint64_t number, uint64_t frame, uint64_t spent, bool joint);
/// Take the oldest request, if it has ended. *most receives the frames that it may have taken.
/// @return its number of frames; 0: none has ended
uint64_t fair_bound_judge(fair_bound *bound, uint64_t *most);
void fair_bound_free(fair_bound *bound);

/* ---- urgent requests: the expansions of all that are pending at the same time ---- */

typedef struct urgent_record {
    uint64_t number, asked, ended; ///< frames
    uint64_t spent;
    uint64_t wait; ///< frames until its search began
} urgent_record;

/// Requests are judged when none is pending: then it is known what each of them took.
typedef struct urgent_bound {
    urgent_record *list;
    size_t count, capacity;
    size_t judged;    ///< records before it are judged
    uint64_t pending; ///< urgent requests that have not ended
} urgent_bound;

void urgent_bound_accept(urgent_bound *bound);
/// @return false where memory ran out
bool urgent_bound_end(urgent_bound *bound, const urgent_record *ended);
/// Take a request that has ended, while none is pending; *together receives the expansions of all urgent requests that
/// were pending in one of its frames, its own with them. @return NULL where there is none: begin again
const urgent_record *urgent_bound_judge(urgent_bound *bound, uint64_t *together);
void urgent_bound_free(urgent_bound *bound);

#endif
