/* SPDX-License-Identifier: MIT */
/* Internal: a request as the library keeps it: wend_request and its wend_search_options in one struct. */
#ifndef WEND_SRC_SEARCH_STORE_REQUEST_FIELDS_H
#define WEND_SRC_SEARCH_STORE_REQUEST_FIELDS_H

#include <wend/search_options.h>

typedef struct wend__request {
    wend_map *map;
    wend_cell start, goal;
    int32_t urgency;
    int32_t engine;
    int32_t heuristic;
    int32_t weight_milli;
    int32_t on_stale;
    int32_t mover;
    int32_t mode;
    int32_t reach;
    int32_t occupied;
    uint32_t more_goal_count;
    const wend_cell *more_goals;
    uint64_t max_expansions;
    uint64_t deadline_frames;
    wend_done_fn *on_done;
    void *context;
    int32_t occupied_within;
    int32_t unloaded;
    uint64_t agent;
    uint32_t flags;
    int32_t profile;
} wend__request;

#endif
