/* SPDX-License-Identifier: MIT */
/* Internal: the first two phases of a frame: requests are taken in, and searched in rounds of lanes. */
#ifndef WEND_SRC_SERVICE_SCHEDULING_SCHEDULING_H
#define WEND_SRC_SERVICE_SCHEDULING_SCHEDULING_H

#include "service/state/service_state.h"

/* ---- intake.c: changes and new requests are taken in ---- */

/// Applies changes that an earlier frame left over, before the frame is opened. Nothing is added to the rest: the
/// service is `behind` then, and later changes of threads wait for a later frame.
void wend__intake_leftovers(wend_service *service, wend__tick *tick);
/// In the rounds, if none is left to search: promotes requests of the backlog, in a frame without a budget of time.
/// Returns false if none came.
bool wend__intake_more(wend_service *service, wend__tick *tick);
void wend__intake(wend_service *service, wend__tick *tick);

/* ---- schedule.c: the requests of a round ---- */

/// Gives requests to lanes. Returns false if nothing can be searched.
bool wend__schedule(wend_service *service, uint64_t left);

/// Begins the rounds of a frame of that many expansions.
void wend__schedule_begin(wend_service *service, uint64_t expansions);
/// Records the fair lanes' part of a round that is over.
void wend__schedule_settle(wend_service *service);

/* ---- lane.c: a lane runs its requests, a piece at a time ---- */

/// Called before a round's first piece.
void wend__lane_begin(wend__lane *lane);
/// Spends up to `most` of the rest of its grant. The result of the round is the same for any pieces.
/// @return false: its grant is spent, or its list is done
bool wend__lane_run(wend_service *service, wend__lane *lane, uint64_t most);

/* ---- postpone.c: postponed searches ---- */

/// Counts a search that ended in a lane; adds the lanes' counts, in lane order.
void wend__postpone_note(wend__ended *ended, const wend__search *search);
void wend__postpone_learn(wend_service *service, const wend__ended *ended);
/// Decides after a slice whether a request goes behind its peers.
void wend__postpone_decide(const wend_service *service, wend__entry *entry);

/* ---- parts_of_frame.c: slices and quanta follow the budget ---- */

/// Sets a frame's quantum and first slice, before its rounds.
void wend__parts_begin(wend_service *service, const wend__budget *budget);
/// Sets the slice before each round of a frame that has spent so much.
void wend__parts_next_round(wend_service *service, const wend__budget *budget, uint64_t spent);
/// Updates the estimate after the rounds of a frame that ran some.
void wend__parts_end(wend_service *service, uint64_t spent);

/* ---- workers.c: threads that run the lanes ---- */

/// Starts def.workers threads. Returns false if the system has no room for them; none is left behind then.
bool wend__workers_start(wend_service *service, void *memory);
void wend__workers_stop(wend_service *service);
/// Runs the round's lanes, each once; all are done when it returns.
void wend__workers_run(wend_service *service);

/* ---- pace.c: the time of rounds, so that a frame ends in time ---- */

/// Before a frame's rounds, and after them.
void wend__pace_begin(wend_service *service, const wend__tick *tick);
void wend__pace_end(wend_service *service, wend__tick *tick);
/// Counts expansions of a kind in a round.
void wend__pace_note(wend_service *service, wend__tick *tick, uint32_t work, uint64_t used);
/// Returns whether the frame lacks time for another round like the last one and the delivery. Reads the clock.
bool wend__pace_is_over(wend_service *service, wend__tick *tick);

/* ---- rounds.c: the rounds of a frame ---- */

void wend__rounds(wend_service *service, wend__tick *tick);

#endif
