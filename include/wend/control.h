/* SPDX-License-Identifier: MIT */
/* Requests under way, and the whole queue: change, move and cancel many; what waits, for what, and how long. */
#ifndef WEND_CONTROL_H
#define WEND_CONTROL_H

#include <wend/search.h>
#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Move a request's goal, from the next frame's intake on. The last call before the intake wins. The request keeps its
/// place in the order, and its search keeps what the new goal can use. Its further goals are removed. A finished
/// request that waits for delivery is searched again; a request that the frame under way delivers keeps its old goal.
///
/// A search with WEND_MODE_NEAREST, a weight, or a reach above 8 can use nothing and begins again at each call. It ends
/// only if one frame has time for all of it, or by max_expansions or its deadline.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_OUT_OF_RANGE
/// Threads: any. Cost: O(1). The intake costs O(entries of the search's open list), and O(log queue) for a finished
/// request.
WEND_API wend_error wend_service_set_goal(wend_service *service, wend_ticket ticket, wend_cell goal);

/// Cancel all pending requests of a map, as wend_service_cancel() does with each. Requests that are submitted meanwhile
/// by other threads may be among them.
/// @param count   receives the number of requests cancelled by this call; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (map is NULL)
/// Threads: any, also inside a callback. Cost: O(most requests that were ever pending at a time), some 0.06 us for
/// each that it cancels among a million; other threads get in after every 1,024 of them.
WEND_API wend_error wend_service_cancel_map(wend_service *service, const wend_map *map, size_t *count);

/// Get the beginning of the path that a request is searched for, so that an agent can set out before it is delivered:
/// see wend_search_get_prefix(). A goal that was moved counts from the next intake on. The request goes on as if it had
/// not been asked. The same calls give the same cells for any number of workers.
/// @param cells    receives the first `capacity` cells, start first; may be NULL where capacity is 0
/// @param prefix   receives the rest of the answer; `whole` is 1 where the path waits for its delivery, which may still
///                 find that it is no longer valid; may be NULL
/// @return WEND_OK, WEND_EMPTY (waiting for its search, or nothing but the start is known, or no path),
///         WEND_STALE_TICKET (also after delivery), WEND_BAD_ARGUMENT
/// Threads: owner, also inside a callback of a completion. Cost: as of wend_search_get_prefix(); no expansion.
WEND_API wend_error wend_service_get_prefix(wend_service *service, wend_ticket ticket, wend_cell *cells,
                                            size_t capacity, wend_prefix *prefix);

/// Estimate the frames until all requests that are pending now are completed, from the completions of recent frames
/// (a frame counts half after five more). It is what WEND_BUSY means in frames. The same calls give the same
/// number.
/// @return frames, 0 where nothing is pending; WEND_NO_LIMIT where no frame has completed a request
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_service_get_wait(const wend_service *service);

/// Get the number of pending requests and cancellations that another frame could advance. Requests that wait for
/// land count only if they have a deadline. 0: a tick would do nothing, unless the map of a request that waits for land
/// has changed.
/// Threads: any. Cost: O(1).
WEND_API uint64_t wend_service_get_work(const wend_service *service);

/// Most chunks that a service keeps as wanted, and the frames for which it does.
enum { WEND_MAX_WANTED = 256, WEND_WANTED_FRAMES = 64 };

/// Get the chunks of a streamed map at which requests stopped, for a host that loads what paths need. A request that
/// ends as start_blocked, goal_blocked, partial or an unknown no_path, though other land might help it, wants the
/// chunks of its start and goals; if those are loaded, up to four chunks next to what it can reach, by the least that a
/// way through them may cost. A chunk is wanted until it is loaded, for WEND_WANTED_FRAMES after the frame that
/// delivered the request; the chunks of requests that wait for land (WEND_UNLOADED_WAIT) as long as they do. Where more
/// are wanted than are kept, those of the most urgent are.
/// @param chunks   receives x and y of the first `capacity` chunks, as in wend_edit_load(): the most urgent request's
///                 first, of equal ones the older's, of one request the cheapest way's; NULL with capacity 0
/// @param count    receives how many there are, also when that is more than capacity; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT (the map is NULL or not streamed)
/// Threads: owner, also inside a callback of a completion. Cost: O(WEND_MAX_WANTED).
WEND_API wend_error wend_service_get_wanted(const wend_service *service, const wend_map *map, wend_cell *chunks,
                                            size_t capacity, size_t *count);

/// Get the number of slices (a lane's turn in a round) that a thread has run since creation. With the host's jobs all
/// slices count for the ticking thread. The sum is the same for any number of workers; the shares vary.
/// @param thread   0: the ticking thread; workers count from 1
/// Threads: owner. Cost: O(1).
WEND_API uint64_t wend_service_get_slices(const wend_service *service, uint32_t thread);

/// Set a function that the service calls when its work goes from none to some. The calling thread is that of
/// submits, changes or closes. The function must not call the service.
/// @param wake   NULL: none
/// Threads: owner, while no other thread submits. Cost: O(1).
WEND_API void wend_service_set_wake(wend_service *service, void (*wake)(void *context), void *context);

/// Refuse new requests from now on and cancel all pending ones. The cancellations are delivered like any completion.
/// Threads: any. Cost: O(1); the next frame's intake is O(pending).
WEND_API void wend_service_close(wend_service *service);

#ifdef __cplusplus
}
#endif
#endif
