/* SPDX-License-Identifier: MIT */
/* Internal: searches and answers when the map has changed since they began, or units stand in the way. */
#ifndef WEND_SRC_SERVICE_REVALIDATE_H
#define WEND_SRC_SERVICE_REVALIDATE_H

#include "service/state/service_state.h"

/// How an answer stands on the newest version.
typedef struct wend__verdict {
    bool compared; ///< the answer is of another version, and was compared with the newest
    bool again;    ///< the answer does not stand, and the request is to be searched again
    wend_status status;
    uint64_t steps; ///< of its path, as far as it can be walked
    int64_t cost;   ///< of those today; -1: no path
    uint64_t epoch, checked;
} wend__verdict;
/// A finished request's answer is of the newest version, and nothing but that bears on it.
bool wend__revalidate_stands(const wend_service *service, uint32_t entry);
/// Judge a finished request, or one that waits for a poll (which cannot be searched again). Changes only
/// service->cells.
wend__verdict wend__revalidate(wend_service *service, uint32_t entry);
/// The request takes the verdict's status and path.
void wend__revalidate_apply(wend_service *service, uint32_t entry, const wend__verdict *verdict);
/// The request returns to the queue.
void wend__revalidate_again(wend_service *service, uint32_t entry);
/// Addition to the cost of a path for units on its cells after the first, for a request that pays for them.
int64_t wend__revalidate_crowd_cost(const wend__version *version, const wend_request *request, const wend_cell *cells,
                                    uint64_t steps);
/// Searches on retired versions start again.
void wend__revalidate_retire(wend_service *service);

#endif
