/* SPDX-License-Identifier: MIT */
/* Internal: searches of WEND_MODE_FAR. The first step finds a route with all its parts, in the memory of its lane's
 * finder; the search owes what that took. Then an ordinary search goes to the third crossing of the route, or to the
 * goal where that is nearer. The crossings behind it wait in a page of the search. */
#ifndef WEND_SRC_FAST_ROUTES_FAR_LEG_H
#define WEND_SRC_FAST_ROUTES_FAR_LEG_H

#include "search/store/pages.h"

/// Returns whether a search of a request looks for a route first: the view has a far layer that is up to date, start
/// and goal are open, and lie two chunks apart at least. With WEND_UNLOADED_KNOWN, on a map of which not all is loaded:
/// at any distance, to a goal in a chunk that is known, too, and exact requests also.
bool wend__far_leg_serves(const wend__version *view, const wend_request *request);

/// Find the route. Sets `far` of the search, and adds what it took to `owed`; far.aimed is false where the search goes
/// to its goal: there is no route, or it leads through land that is not loaded and the request does not allow that, or
/// it does not and the request is exact. It starves where there is no page, and then finds nothing.
void wend__far_leg_find(wend__search *search, wend__stock *stock);

/// Makes a request one for a leg to a cell. A weight, or manhattan where steps are diagonal, would make the rest of the
/// way cost more than the route was said to: a leg is a cheapest path.
static inline void wend__far_leg_aim(wend_request *request, wend_cell target) {
    request->goal = target;
    request->reach = 0;
    request->weight_milli = 1000;
    if (request->heuristic == WEND_HEURISTIC_MANHATTAN) request->heuristic = WEND_HEURISTIC_EXACT;
}

/// Give back the page of crossings, to the search's own pages. NONE is ignored.
void wend__far_leg_forget(wend__search *search);

/// Write the first `count` crossings behind the leg; count <= far.count.
void wend__far_leg_crossings(const wend__search *search, wend_cell *out, uint32_t count);
/// Returns the first of them that leads into a chunk that is not loaded; far.count: none does.
uint32_t wend__far_leg_unloaded(const wend__search *search);

#endif
