/* SPDX-License-Identifier: MIT */
/* The table of promises: what is promised, who checks it; and how often each was checked and found broken. */
#ifndef WEND_LAB_PROMISES_PROMISES_H
#define WEND_LAB_PROMISES_PROMISES_H

#include <stdbool.h>
#include <stdint.h>

/// X(who checks it, name, the promise). Each can be checked at any time without a false alarm.
/// CHECKER: checker.h, of every service. LOAD: load.h, in the scenarios made for it. WALK: walk_checker.h, of crowds.
/// DISC: disc_checker.h, of crowds whose agents have bodies.
#define PROMISES(X)                                                                                                    \
    X(CHECKER, budget, "a frame spends no more than its budget")                                                       \
    X(CHECKER, spending, "a frame with work left spends its budget, except for one expansion a lane")                  \
    X(CHECKER, accounts, "the expansions of all completions are the expansions of all frames")                         \
    X(CHECKER, accepting, "a request is refused only where the queue is full")                                         \
    X(CHECKER, one_completion, "each accepted request gets one completion, with its number, ticket and context")       \
    X(CHECKER, order, "within a frame completions come by submission number")                                          \
    X(CHECKER, urgency, "a single most urgent request begins in the next frame, if there is memory")                   \
    X(CHECKER, timing, "frames and wait_frames are those counted from outside")                                        \
    X(CHECKER, cancelling, "a cancelled or replaced request, and no other, ends so, in the next frame")                \
    X(CHECKER, status, "the status fits the terrain")                                                                  \
    X(CHECKER, no_way, "no_path is answered only where no path exists on the map at hand-over")                        \
    X(CHECKER, pieces,                                                                                                 \
      "a piece of a path is handed over only where the map changed, after the "                                        \
      "restarts or where asked for")                                                                                   \
    X(CHECKER, walkable, "a delivered path leads from start to goal by steps that are allowed at hand-over")           \
    X(CHECKER, cost, "a delivered path costs what the completion says, at hand-over")                                  \
    X(CHECKER, optimum, "no path was cheaper on the map that was searched: a sample, compared with plain Dijkstra")    \
    X(CHECKER, versions, "the map searched is not older than the request, and the map checked is that of hand-over")   \
    X(CHECKER, editing, "a batch makes one epoch, and the map has what the edits wrote")                               \
    X(CHECKER, figures, "a frame's figures are those counted from outside")                                            \
    X(CHECKER, memory, "frames allocate nothing, and the map holds no more than its versions")                         \
    X(LOAD, fair_wait, "nobody waits longer than all before it take at the fair lane's share of the budget")           \
    X(LOAD, burst_ends, "a burst is over one frame after its expansions fit into the budget, at the latest")           \
    X(LOAD, horde_cost, "each cost is that of one flood from the shared goal, and of a lone search")                   \
    X(LOAD, horde_spent, "a horde takes a fifth more than lone searches or one flood, whichever is less, at most")     \
    X(LOAD, siege_restarts, "a request is searched again at most once for each fall of walls and for each eviction")   \
    X(LOAD, islands_free, "what cannot be reached is answered in the next frame, and costs no expansion")              \
    X(LOAD, islands_delay, "the others wait at most one frame longer than in a service without the impossible ones")   \
    X(LOAD, clicks_stop, "when all requests are cancelled, the next frame expands nothing and ends them all")          \
    X(LOAD, pursuit_moves, "the goal of a pending request can be moved")                                               \
    X(LOAD, overload_spent, "99 % of the budget of all frames are spent")                                              \
    X(LOAD, overload_memory, "the service holds the same bytes after every frame")                                     \
    X(LOAD, overload_first, "of the urgent requests that fit into a frame, 99 of 100 begin in the next")               \
    X(LOAD, overload_urgent,                                                                                           \
      "an urgent request takes at most 1 + E / (7/8 of the budget) frames; E is the sum of the "                       \
      "expansions of all urgent requests pending with it and of one lane's turn")                                      \
    X(WALK, overlap, "no two agents hold one cell")                                                                    \
    X(WALK, legal_steps,                                                                                               \
      "an agent holds the same cell as before, or one that a step leads to, "                                          \
      "legal on the terrain then")                                                                                     \
    X(WALK, swaps, "no two agents pass each other on one line")                                                        \
    X(WALK, crossings, "no two agents cross on diagonals")                                                             \
    X(WALK, gliding, "an agent moves along its step, no faster than its speed and the ground allow")                   \
    X(WALK, endings, "each wish ends once, and arrived is said on the goal only")                                      \
    X(WALK, left_behind,                                                                                               \
      "no goal takes longer than 3 x its lone walk + 400 frames in which no other agent is within 3 cells")            \
    X(DISC, apart, "no two bodies touch")                                                                              \
    X(DISC, walls, "no body is on a blocked cell, but where one fell on it")                                           \
    X(DISC, speeds, "no body moves farther in a frame than its speed allows")                                          \
    X(DISC, cells, "the cell of an agent is that of the middle of its body")                                           \
    X(WALK, memory, "frames allocate nothing")

enum {
#define PROMISE_X(who, name, text) who##_##name,
    PROMISES(PROMISE_X)
#undef PROMISE_X
        PROMISE_COUNT
};

/// The checkers.
typedef enum promise_keeper { PROMISE_CHECKER, PROMISE_LOAD, PROMISE_WALK, PROMISE_DISC } promise_keeper;

/// The counts of a run, by promise.
typedef struct promises {
    uint64_t checked[PROMISE_COUNT], broken[PROMISE_COUNT];
    promise_keeper keeper; ///< its promises all count, checked or not; others if checked
} promises;

const char *promise_name(int promise);
const char *promise_text(int promise);
/// Returns true if this promise is one of the run's.
bool promise_applies(const promises *all, int promise);
/// Sums over all promises.
uint64_t promises_checked(const promises *all);
uint64_t promises_broken(const promises *all);

/// Print that a promise was broken in a frame.
void promise_report(int promise, uint64_t frame, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Checks a promise; `watch` has a `ledger` and a `frame`. Each promise is printed when it is first broken; later
/// breaks are only counted.
#define EXPECT(watch, promise, condition, ...)                                                                         \
    do {                                                                                                               \
        (watch)->ledger->checked[promise]++;                                                                           \
        if (!(condition) && (watch)->ledger->broken[promise]++ == 0)                                                   \
            promise_report(promise, (watch)->frame, __VA_ARGS__);                                                      \
    } while (0)

#endif
