/* SPDX-License-Identifier: MIT */
/* What made.h has, and what objects state of themselves now, by value: for tests and benches. */
#ifndef WEND_TESTS_DEFAULTS_H
#define WEND_TESTS_DEFAULTS_H

#include <stdbool.h>
#include <stdlib.h>
#include <wend/field.h>
#include <wend/figures.h>
#include <wend/layers.h>
#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/graph.h>
#include <wend/movers.h>
#include <wend/routes.h>
#include <wend/search.h>
#include <wend/versions.h>

/// Defines default_…(), which returns the struct as its _init function fills it.
#define WEND_TESTS_DEFAULT(name, type)                                                                                 \
    static inline type default_##name(void) {                                                                          \
        type filled;                                                                                                   \
        type##_init(&filled, sizeof filled);                                                                           \
        return filled;                                                                                                 \
    }
WEND_TESTS_DEFAULT(acceleration, wend_acceleration)
WEND_TESTS_DEFAULT(agent, wend_agent_def)
WEND_TESTS_DEFAULT(budget, wend_budget)
WEND_TESTS_DEFAULT(crowd, wend_crowd_def)
WEND_TESTS_DEFAULT(crowd_goal, wend_crowd_goal)
WEND_TESTS_DEFAULT(field, wend_field_def)
WEND_TESTS_DEFAULT(figures, wend_figures_def)
WEND_TESTS_DEFAULT(graph, wend_graph_def)
WEND_TESTS_DEFAULT(layer, wend_layer_def)
WEND_TESTS_DEFAULT(map, wend_map_def)
WEND_TESTS_DEFAULT(mover, wend_mover)
WEND_TESTS_DEFAULT(nearest, wend_nearest_def)
WEND_TESTS_DEFAULT(request, wend_request)
WEND_TESTS_DEFAULT(route, wend_route_def)
WEND_TESTS_DEFAULT(rules, wend_map_rules)
WEND_TESTS_DEFAULT(search, wend_search_def)
WEND_TESTS_DEFAULT(service, wend_service_def)
WEND_TESTS_DEFAULT(tuning, wend_service_tuning)

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
