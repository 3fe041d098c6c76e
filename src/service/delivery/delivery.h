/* SPDX-License-Identifier: MIT */
/* Internal: the end of requests: they get a status, are compared with the newest version, and go to their hosts. */
#ifndef WEND_SRC_SERVICE_DELIVERY_DELIVERY_H
#define WEND_SRC_SERVICE_DELIVERY_DELIVERY_H

#include "service/state/service_state.h"

/* In the order of calls: a file calls only those above it. */

/* ---- answer.c: reading a finished request's answer ---- */

/// Copies a finished request's cells, the first steps + 1, from the arena or from the search that still holds them.
void wend__answer_cells(wend_service *service, const wend__entry *entry, uint64_t steps, wend_cell *out);
/// Writes its crossings, behind the place of the delivered cells.
void wend__answer_crossings(wend_service *service, const wend__entry *entry, wend_cell *out);
/// Returns the first of a path's crossings into a chunk that is not loaded now; `count`: there is none.
size_t wend__answer_unloaded(const wend_map *map, const wend_cell *crossings, size_t count);
/// Counts the steps of a path in the shared field, if that was not done before.
void wend__answer_count(wend_service *service, wend__entry *entry);
/// Returns the addition to the cost of a path for units on its cells after the first, and for costs by place, for a
/// request that pays for them.
int64_t wend__answer_extra_cost(const wend__version *version, const wend__request *request, const wend_cell *cells,
                                uint64_t steps);
/// Returns the number of next steps to cells without a unit.
uint64_t wend__answer_clear_steps(const wend__version *newest, const wend__request *request, const wend_cell *cells,
                                  uint64_t steps);

/* ---- revalidate.c: answers when the map has changed since their searches began, or units stand in the way ---- */

/// The verdict on an answer, on the newest version.
typedef struct wend__verdict {
    bool compared; ///< the answer is of another version, and was compared with the newest
    bool again;    ///< the answer is invalid, and the request is to be searched again
    int32_t mover; ///< as which one it is searched then
    wend_status status;
    uint64_t steps; ///< steps of its path that can be walked
    int64_t cost;   ///< cost of those steps today; -1: no path
    uint64_t epoch, checked;
    bool unknown; ///< land that is not loaded may hold a path that the search did not find
} wend__verdict;
/// Returns whether a finished request's answer is of the newest version, and depends on nothing else.
bool wend__revalidate_stands(const wend_service *service, uint32_t entry);
/// Judges a finished request. Changes only service->cells.
wend__verdict wend__revalidate(wend_service *service, uint32_t entry);

/* ---- wanted.c: chunks at which requests stopped ---- */

/// Forgets chunks that were wanted too long ago.
void wend__wanted_begin_frame(wend_service *service);
/// Records the chunks that may bring a request a way on a version.
/// @param below   only those through which a way may cost less; WEND_NO_LIMIT: all
void wend__wanted_note(wend_service *service, uint32_t entry, const wend__version *version, uint64_t below);
/// The same for a finished request that is delivered.
void wend__wanted_note_end(wend_service *service, uint32_t entry);

/* ---- lists.c: the lists that a request is in ---- */

/// Takes a request out of the order of service and `ages`, as it is not to be searched now.
void wend__lists_leave_order(wend_service *service, uint32_t entry);
/// Begins the wait of a request, which is in no list, for land.
void wend__lists_add_land_wait(wend_service *service, uint32_t entry);
/// Removes a request from those that wait for land; the caller puts it into another list.
void wend__lists_leave_land_waits(wend_service *service, uint32_t entry);
/// Removes a request from its list, whichever that is; a deadline goes on.
void wend__lists_leave(wend_service *service, uint32_t entry);

/* ---- await_land.c: requests that wait for land ---- */

/// Returns true if a request begins to wait for land instead of ending with a status. It is in no other list then.
bool wend__land_awaits(wend_service *service, uint32_t entry, wend_status status);
/// Makes a waiting request one to be taken in again.
void wend__land_wake(wend_service *service, uint32_t entry);
/// Checks some of the waiting requests, each in turn: if their map has changed, they are taken in again; the
/// others still want their chunks.
void wend__land_begin_frame(wend_service *service);
/// Returns whether land that is not loaded could matter to a request, and counts the effort.
bool wend__land_meets(wend_service *service, uint32_t entry, const wend__version *version);
/// Counts the effort of checking land, for a request and for the frame.
void wend__land_count(wend_service *service, uint32_t entry, uint64_t taken);
/// Spends the counted effort, within the frame's budget. The rest is left for the next frame.
void wend__land_settle(wend_service *service, wend__tick *tick);

/* ---- complete.c: a request gets its status ---- */

/// Gives a request its status and releases what it held. A path of its search (found, partial, or the piece of
/// a nearest search cut short) goes to the arena, or stays in its slot if there is no room.
void wend__complete(wend_service *service, uint32_t entry, wend_status status);
/// Completes a request that is in no list but the ages with the shared field's path from its start.
void wend__complete_in_field(wend_service *service, uint32_t entry);
/// Puts a request among the finished ones, by its number.
void wend__complete_wait(wend_service *service, uint32_t entry);
/// Does this for all of a chain, which is empty then.
void wend__complete_wait_all(wend_service *service, wend__chain *chain);
/// Drops the path of a finished request.
void wend__complete_drop_path(wend_service *service, uint32_t entry);
/// Makes a finished request, already out of `finished`, one to be searched again.
void wend__complete_undo(wend_service *service, uint32_t entry);
/// The same, by a verdict: it is searched as that mover.
void wend__complete_again(wend_service *service, uint32_t entry, int32_t mover);
/// Gives a finished request a verdict's status and path.
void wend__complete_revise(wend_service *service, uint32_t entry, const wend__verdict *verdict);
/// Makes a finished request cancelled or replaced.
void wend__complete_withdraw(wend_service *service, uint32_t entry, wend_status status);
/// Ends unfinished requests that are due as expired, unless changes are left over.
void wend__complete_due(wend_service *service, wend__tick *tick);
/// Finishes a request that needs no search, or has no expansions left for one. Returns false if it must be searched.
bool wend__complete_early(wend_service *service, uint32_t entry);

/* ---- retire.c: searches on versions that the map has retired ---- */

/// Begins these searches again.
void wend__retire(wend_service *service);

/* ---- choose.c: which finished requests a frame delivers ---- */

/// Leaves in `finished` the answers to deliver now: all, or the most urgent if the budget has no room for all.
/// @param now_ns   only in a frame with a limit of time
/// Cost: O(1) if there was and is room, else O(finished since the last frame + chosen) x O(log finished).
void wend__choose(wend_service *service, wend__tick *tick, uint64_t now_ns);
/// Takes a request out of the finished ones.
void wend__choose_remove(wend_service *service, uint32_t entry);
/// Gives a finished request another urgency.
void wend__choose_set_urgency(wend_service *service, uint32_t entry, int32_t urgency);

/* ---- retarget.c: the goal of a request moves ---- */

void wend__retarget(wend_service *service, uint32_t entry, wend_cell goal);

/* ---- deliver.c: finished requests go to callbacks ---- */

void wend__deliver(wend_service *service, wend__tick *tick);

#endif
