/* SPDX-License-Identifier: MIT */
/* Structs of the public headers by value, objects of good definitions, and batches of edits. */
#ifndef WEND_TESTS_MODELS_MADE_H
#define WEND_TESTS_MODELS_MADE_H

#include "owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <wend/body.h>
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
WEND_TESTS_DEFAULT(body, wend_body_def)
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

/// Gives an agent a body with the defaults.
static inline wend_error give_disc(wend_crowd *crowd, wend_agent_id id) {
    const wend_body_def def = default_body();
    return wend_crowd_set_body(crowd, id, &def);
}

static inline int32_t nearest_milli(int32_t exact) {
    enum { MILLI = 1000, HALF_UNIT = WEND_BODY_UNITS / 2 };
    return (int32_t)(((int64_t)exact * MILLI + (exact < 0 ? -HALF_UNIT : HALF_UNIT)) / WEND_BODY_UNITS);
}

/// Puts a body at the thousandths that are nearest to an exact point.
/// @param velocity   rounded down
static inline wend_error place_rounded(wend_crowd *crowd, wend_agent_id id, wend_body_vector at,
                                       wend_body_vector velocity) {
    const wend_point by = {(int32_t)((int64_t)velocity.x * 1000 / WEND_BODY_UNITS),
                           (int32_t)((int64_t)velocity.y * 1000 / WEND_BODY_UNITS), 0};
    return wend_crowd_place_body(crowd, id, (wend_point){nearest_milli(at.x), nearest_milli(at.y), 0}, by);
}

/* Kinds of agents that a test asks for by a number. */
enum { AS_GHOST = 1, AS_STEERED = 2, AS_PARKED = 4 };

static inline void set_as(wend_agent_def *def, uint32_t as) {
    def->ghost = as & AS_GHOST, def->steered = as & AS_STEERED, def->parked = as & AS_PARKED;
}

static inline wend_budget budget_of(uint64_t expansions) {
    wend_budget budget = default_budget();
    budget.expansions = expansions;
    return budget;
}

static inline wend_request path_request(wend_map *map, wend_cell start, wend_cell goal) {
    wend_request request = default_request();
    request.map = map, request.start = start, request.goal = goal;
    return request;
}

static inline void must_do(wend_error error, const char *call) {
    if (error == WEND_OK) return;
    fprintf(stderr, "%s: %s: %s\n", call, wend_error_name(error), wend_error_detail(error));
    abort();
}

/// Defines made_…(), which returns an object of a definition that is good.
#define WEND_TESTS_MADE(name, object, type, create)                                                                    \
    static inline object *made_##name(const type *def) {                                                               \
        object *made;                                                                                                  \
        must_do(create(def, &made), #create);                                                                          \
        return made;                                                                                                   \
    }
WEND_TESTS_MADE(map, wend_map, wend_map_def, wend_map_create)
WEND_TESTS_MADE(graph, wend_map, wend_graph_def, wend_graph_create)
WEND_TESTS_MADE(search, wend_search, wend_search_def, wend_search_create)
WEND_TESTS_MADE(service, wend_service, wend_service_def, wend_service_create)
WEND_TESTS_MADE(crowd, wend_crowd, wend_crowd_def, wend_crowd_create)
WEND_TESTS_MADE(figures, wend_figures, wend_figures_def, wend_figures_create)
WEND_TESTS_MADE(field, wend_field, wend_field_def, wend_field_create)

/// An open grid with the default rules.
static inline wend_map *grid_map(int32_t width, int32_t height) {
    wend_map_def def = default_map();
    def.width = width, def.height = height;
    return made_map(&def);
}

static inline wend_map *forked(wend_map *map) {
    wend_map *fork;
    must_do(wend_map_fork(map, &fork), "wend_map_fork");
    return fork;
}

static inline int32_t add_mover_of_size(wend_map *map, int32_t size) {
    wend_mover mover = default_mover();
    int32_t id;
    mover.size = size;
    must_do(wend_map_add_mover(map, &mover, &id), "wend_map_add_mover");
    return id;
}

static inline wend_edit *begin_edit(wend_map *map) {
    wend_edit *edit;
    must_do(wend_edit_begin(map, &edit), "wend_edit_begin");
    return edit;
}

/// Publishes a batch of changes, each a call with `edit`.
#define IN_BATCH(map, ...)                                                                                             \
    do {                                                                                                               \
        wend_edit *edit = begin_edit(map);                                                                             \
        __VA_ARGS__;                                                                                                   \
        must_do(wend_edit_publish(edit, NULL), "wend_edit_publish");                                                   \
    } while (0)

#endif
