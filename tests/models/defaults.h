/* SPDX-License-Identifier: MIT */
/* Objects of made.h, and the present figures of objects by value: for tests and benches. */
#ifndef WEND_TESTS_DEFAULTS_H
#define WEND_TESTS_DEFAULTS_H

#include "made.h"

#include <stdbool.h>

static inline bool same_cell(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline wend_map_rules rules_now(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules;
}

static inline wend_map_info info_now(const wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    return info;
}

static inline wend_stats stats_now(const wend_service *service) {
    wend_stats stats = {.struct_bytes = sizeof stats};
    wend_service_get_stats(service, &stats);
    return stats;
}

static inline wend_completion result_now(const wend_search *search) {
    wend_completion result = {.struct_bytes = sizeof result};
    wend_search_get_result(search, &result);
    return result;
}

#endif
