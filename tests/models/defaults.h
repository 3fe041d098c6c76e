/* SPDX-License-Identifier: MIT */
/* Structs of the public headers by value and batches of edits, for initializers in tests and benches. */
#ifndef WEND_TESTS_DEFAULTS_H
#define WEND_TESTS_DEFAULTS_H

#include <stdlib.h>
#include <wend/wend.h>

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
WEND_TESTS_DEFAULT(map, wend_map_def)
WEND_TESTS_DEFAULT(mover, wend_mover)
WEND_TESTS_DEFAULT(request, wend_request)
WEND_TESTS_DEFAULT(route, wend_route_def)
WEND_TESTS_DEFAULT(rules, wend_map_rules)
WEND_TESTS_DEFAULT(search, wend_search_def)
WEND_TESTS_DEFAULT(service, wend_service_def)
WEND_TESTS_DEFAULT(tuning, wend_tuning)
WEND_TESTS_DEFAULT(watch, wend_watch)
WEND_TESTS_DEFAULT(watcher, wend_watcher_def)

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

static inline wend_edit *begin_edit(wend_map *map) {
    wend_edit *edit;
    if (wend_edit_begin(map, &edit) != WEND_OK) abort();
    return edit;
}

#endif
