/* SPDX-License-Identifier: MIT */
/* A far route that is walked leg by leg, by public functions. The targets of legs only move forward along the crossings,
 * and the rest of a leg leads to its target: so the remaining way never costs more than reported. */
#ifndef WEND_SRC_CLI_SHARED_LEGS_H
#define WEND_SRC_CLI_SHARED_LEGS_H

#include <wend/map.h>
#include <wend/search_options.h>

enum {
    CLI_LEG_AHEAD = 3,  ///< crossings that a leg leads ahead, as the first one does
    CLI_LEG_BORDERS = 2 ///< borders of chunks that are walked of it, so that no unit turns where a leg only ends
};

typedef struct cli_legs {
    const wend_request *far;    ///< the far request
    const wend_cell *crossings; ///< of its completion
    size_t count, next;         ///< crossings, and the first that is not passed
    bool last;                  ///< the latest leg leads to the goal
} cli_legs;

static inline bool cli_same_chunk(wend_cell a, wend_cell b) {
    return a.x / WEND_CHUNK_SIDE == b.x / WEND_CHUNK_SIDE && a.y / WEND_CHUNK_SIDE == b.y / WEND_CHUNK_SIDE;
}

/// Returns how many cells of a leg to walk, the first one included.
static inline size_t cli_legs_walk(const cli_legs *legs, const wend_cell *cells, size_t count) {
    int borders = 0;
    for (size_t i = 1; i < count && !legs->last; i++) {
        borders += !cli_same_chunk(cells[i - 1], cells[i]);
        if (borders == CLI_LEG_BORDERS) return i + 1;
    }
    return count;
}

/// Makes the request for the next leg, from where the unit stands. Returns false at the goal.
static inline bool cli_legs_next(cli_legs *legs, wend_cell at, wend_request *out, wend_search_options *options) {
    const wend_request *far = legs->far;
    const size_t end = legs->count - legs->next < CLI_LEG_AHEAD ? legs->count : legs->next + CLI_LEG_AHEAD;
    size_t passed = end;
    if (at.x == far->goal.x && at.y == far->goal.y) return false;
    while (passed > legs->next && !cli_same_chunk(legs->crossings[passed - 1], at)) passed--;
    legs->next = passed;
    legs->last = legs->count - legs->next < CLI_LEG_AHEAD;
    wend_search_options_init(options, sizeof *options);
    if (far->options) *options = *far->options;
    *out = *far;
    out->options = options, out->start = at;
    options->more_goal_count = 0, options->more_goals = NULL, options->weight_milli = 1000;
    if (options->heuristic == WEND_HEURISTIC_MANHATTAN) options->heuristic = WEND_HEURISTIC_EXACT;
    if (!legs->last) out->goal = legs->crossings[legs->next + CLI_LEG_AHEAD - 1], out->reach = 0;
    return true;
}

#endif
