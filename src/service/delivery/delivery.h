/* SPDX-License-Identifier: MIT */
/* Internal: how requests end: they get a status, are compared with the newest version, and go to their hosts. */
#ifndef WEND_SRC_SERVICE_DELIVERY_DELIVERY_H
#define WEND_SRC_SERVICE_DELIVERY_DELIVERY_H

#include "service/state/service_state.h"

/* In the order in which they call: a file calls those above it only. */

/* ---- answer.c: reading a finished request's answer ---- */

/// A finished request's cells, the first steps + 1, from the arena or from the search that still holds them.
void wend__answer_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out);
/// Its crossings, behind where the cells that are delivered go.
void wend__answer_crossings(wend_service *service, const wend__entry *entry, wend_cell *out);
/// Returns the first of a path's crossings into a chunk that is not loaded now; `count`: there is none.
size_t wend__answer_unloaded(const wend_map *map, const wend_cell *crossings, size_t count);
/// Count the steps of a path in the shared field, if that was not needed before.
void wend__answer_count(wend_service *service, wend__entry *entry);
/// Addition to the cost of a path for units on its cells after the first, and for costs by place, for a request that
/// pays for them.
int64_t wend__answer_extra_cost(const wend__version *version, const wend__request *request, const wend_cell *cells,
                                uint64_t steps);
/// Number of next steps to cells without a unit.
uint64_t wend__answer_clear_steps(const wend__version *newest, const wend__request *request, const wend_cell *cells,
                                  uint64_t steps);

/* ---- revalidate.c: answers when the map has changed since their searches began, or units stand in the way ---- */

/// How an answer stands on the newest version.
typedef struct wend__verdict {
    bool compared; ///< the answer is of another version, and was compared with the newest
    bool again;    ///< the answer does not stand, and the request is to be searched again
    wend_status status;
    uint64_t steps; ///< of its path, as far as it can be walked
    int64_t cost;   ///< of those today; -1: no path
    uint64_t epoch, checked;
    bool unknown; ///< land that is not loaded may hold the path that it did not find
} wend__verdict;
/// A finished request's answer is of the newest version, and nothing but that bears on it.
bool wend__revalidate_stands(const wend_service *service, uint32_t entry);
/// Judge a finished request. Changes only service->cells.
wend__verdict wend__revalidate(wend_service *service, uint32_t entry);

/* ---- wanted.c: chunks at which requests stopped ---- */

/// Forget what was wanted too long ago.
void wend__wanted_begin_frame(wend_service *service);
/// Note the chunks that a request wants on a version which may bring it a way.
/// @param below   only those through which a way may cost less; WEND_NO_LIMIT: all
void wend__wanted_note(wend_service *service, uint32_t entry, const wend__version *version, uint64_t below);
/// The same of a finished request that is delivered.
void wend__wanted_note_end(wend_service *service, uint32_t entry);

/* ---- lists.c: the lists that a request is in ---- */

/// It is not to be searched for now: out of the order of service and `ages`.
void wend__lists_leave_order(wend_service *service, uint32_t entry);
/// A request that is in no list begins to wait for land.
void wend__lists_add_land_wait(wend_service *service, uint32_t entry);
/// It leaves the requests that wait for land; the caller puts it where it belongs.
void wend__lists_leave_land_waits(wend_service *service, uint32_t entry);
/// It leaves the list that it is in, whichever that is; a deadline goes on.
void wend__lists_leave(wend_service *service, uint32_t entry);

/* ---- await_land.c: requests that wait for land ---- */

/// Returns true if a request waits for land instead of ending with a status. It is in no other list then.
bool wend__land_awaits(wend_service *service, uint32_t entry, wend_status status);
/// A waiting request is to be taken in again.
void wend__land_wake(wend_service *service, uint32_t entry);
/// Look at some of the requests that wait, each in turn: where the map has changed, they are taken in again; the
/// others want their chunks on.
void wend__land_begin_frame(wend_service *service);
/// Returns whether land that is not loaded could matter to a request, and counts what that took.
bool wend__land_meets(wend_service *service, uint32_t entry, const wend__version *version);
/// Count what looking at land took, for a request and for the frame.
void wend__land_count(wend_service *service, uint32_t entry, uint64_t taken);
/// Spend what was counted, as far as the frame's budget goes. The rest is left for the next one.
void wend__land_settle(wend_service *service, wend__tick *tick);

/* ---- complete.c: a request gets its status ---- */

/// Give a request its status and drop what it held. A path that its search has (found, partial, or the piece of
/// a nearest search cut short) goes to the arena, or stays in its slot where there is no room.
void wend__complete(wend_service *service, uint32_t entry, wend_status status);
/// Complete a request that is in no list but the ages by the shared field's path from its start.
void wend__complete_in_field(wend_service *service, uint32_t entry);
/// It waits for its delivery, in its place.
void wend__complete_wait(wend_service *service, uint32_t entry);
/// All of a chain, which is empty then.
void wend__complete_wait_all(wend_service *service, wend__chain *chain);
/// A finished request loses its path.
void wend__complete_drop_path(wend_service *service, uint32_t entry);
/// A finished request, out of `finished` already, is to be searched again.
void wend__complete_undo(wend_service *service, uint32_t entry);
/// The same, by a verdict.
void wend__complete_again(wend_service *service, uint32_t entry);
/// A finished request takes a verdict's status and path.
void wend__complete_revise(wend_service *service, uint32_t entry, const wend__verdict *verdict);
/// A finished request becomes cancelled or replaced.
void wend__complete_withdraw(wend_service *service, uint32_t entry, wend_status status);
/// Due by now, and not finished: expired. Not where changes are left over.
void wend__complete_due(wend_service *service, wend__tick *tick);
/// Finish a request that needs no search, or has no expansions left for one. False where it has to be searched.
bool wend__complete_early(wend_service *service, uint32_t entry);

/* ---- retire.c: searches on versions that the map does not keep any more ---- */

/// They begin again.
void wend__retire(wend_service *service);

/* ---- choose.c: which finished requests a frame delivers ---- */

/// Leave in `finished` what the frame is to deliver: all, or the most urgent where the budget has no room for all.
/// @param now_ns   only in a frame with a limit of time
/// Cost: O(1) where there was and is room, else O(finished since the last frame + chosen) x O(log finished).
void wend__choose(wend_service *service, wend__tick *tick, uint64_t now_ns);
/// Take a request out of the finished ones.
void wend__choose_remove(wend_service *service, uint32_t entry);
/// Give a finished request another urgency.
void wend__choose_set_urgency(wend_service *service, uint32_t entry, int32_t urgency);

/* ---- retarget.c: the goal of a request moves ---- */

void wend__retarget(wend_service *service, uint32_t entry, wend_cell goal);

/* ---- deliver.c: finished requests go to callbacks ---- */

void wend__deliver(wend_service *service, wend__tick *tick);

#endif
