/* SPDX-License-Identifier: MIT */
/* Shared by the service's tests: a log of completions, maps to order, an allocator that counts, clocks. */
#ifndef WEND_TESTS_SERVICE_SUPPORT_H
#define WEND_TESTS_SERVICE_SUPPORT_H

#include "models/defaults.h"
#include "models/counting.h"
#include "models/random.h"
#include "service/delivery/delivery.h"
#include "service/frame_log/frame_log.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/inbox/inbox.h"
#include "service/scheduling/scheduling.h"
#include "service/state/entry.h"
#include "service/state/parts.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/numbers.h"
#include "service/store/path_arena.h"

/// A completion as it came, its cells copied.
typedef struct seen {
    wend_completion completion;
    wend_cell *cells;
    uint64_t frame; ///< number of the frame that brought it; 0: none (destroy)
} seen;

extern seen *seen_log;
extern size_t seen_count;
/// Called after each completion is noted, inside its callback.
extern void (*seen_hook)(const seen *last);

void seen_clear(void);
/// Returns the completion of a submission number; NULL if there is none so far. Fails the test if there are two.
const seen *seen_number(uint64_t number);
size_t seen_status(wend_status status);
/// A hash over everything of all completions but pointers.
uint64_t seen_hash(void);

/// A def for small tests: queue 64, searches 8, lanes 2, slice 50, quantum 100,000, 64 pages, paths to 4,096 cells.
/// Its tuning is `tuning`, which it sets to the defaults except lanes, searches, slice and quantum.
wend_service_def small_def(void);
extern wend_service_tuning tuning;
wend_service *service_of(const wend_service_def *def);
/// The end of a test: destroys the service, which must work, and releases its maps (NULL: none). Clears log and hook.
void end_service(wend_service *service, wend_map *map, wend_map *other);
/// The entry of a good ticket's request, which was taken in.
wend__entry *entry_of(const wend_service *service, wend_ticket ticket);
/// A request that waits for its delivery; there is one.
uint32_t a_finished(const wend_service *service);
/// Gives the arena room for one path of `cells` cells on a plane; the default is four times the room.
void shrink_arena(wend_service *service, uint64_t cells);
/// Returns a request that logs to seen_log. Context: the service, so that the log has the frame.
wend_request request_on(wend_service *service, wend_map *map, wend_cell start, wend_cell goal);
/// Submit, which must work. Returns the ticket.
wend_ticket submit(wend_service *service, const wend_request *request);
wend_ticket submit_from_to(wend_service *service, wend_map *map, wend_cell start, wend_cell goal, int32_t urgency);

/// Runs a frame of this number of expansions; checks the rules of every frame.
wend_frame frame_of(wend_service *service, uint64_t expansions);
wend_frame frame_with(wend_service *service, const wend_budget *budget);
/// A frame without limits but of its deliveries.
wend_frame frame_delivering(wend_service *service, uint64_t deliveries);
/// Frames until there is no work; fails the test after 100,000. Returns how many.
uint64_t drain(wend_service *service, uint64_t expansions);

wend_map *open_map(int32_t width, int32_t height);
/// From rows of '.' and '#'.
wend_map *text_map(const char *const *rows, int32_t count);
/// Corridors one cell wide, up and down, from (0, 0) to the other end. width is odd; the only path has all open cells.
wend_map *snake_map(int32_t width, int32_t height);
size_t snake_cells(int32_t width, int32_t height);
/// The middle closed in: a goal that cannot be reached.
wend_map *closed_map(int32_t side);
wend_cell closed_goal(int32_t side);
/// The middle behind ground so slow that all other cells are expanded before it (up to a side of 300): a long search.
wend_map *moat_map(int32_t side);
wend_cell moat_goal(int32_t side);
/// Expansions from the corner of such a map to its goal, by a service of its own. The log is empty then.
uint64_t cost_of_flood(wend_map *moat, int32_t side);
/// Some cells blocked, by a seed.
wend_map *rough_map(int32_t width, int32_t height, unsigned percent, uint64_t seed);

static inline wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

/// A clock that advances by `step_ns` at each reading.
typedef struct fake_clock {
    uint64_t now, step, reads;
} fake_clock;
wend_clock clock_of(fake_clock *clock);

#endif
