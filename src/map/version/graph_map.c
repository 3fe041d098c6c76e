/* SPDX-License-Identifier: MIT */
/* Making a map of a graph. */
#include "map/kinds/graph.h"
#include "map/store/rules.h"
#include "map/version/map.h"

#include <inttypes.h>

static wend_graph_def default_def(void) {
    wend_graph_def def = {.struct_bytes = sizeof def,
                          .max_versions = 8,
                          .max_bytes = WEND_NO_LIMIT,
                          .allocator = wend_allocator_default()};
    const wend_map_rules rules = wend__rules_default();
    memcpy(def.factors, rules.factors, sizeof def.factors);
    return def;
}

void wend_graph_def_init(wend_graph_def *def, size_t bytes) {
    const wend_graph_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

/* ---- what is asked for ---- */

static wend_error check_edges(const wend_graph_def *def) {
    for (uint64_t i = 0; i < def->edge_count; i++) {
        const wend_edge *edge = &def->edges[i];
        if (edge->cost < 1 || edge->cost > WEND_MAX_COST)
            return wend__refuse(WEND_BAD_ARGUMENT, "edges[%" PRIu64 "].cost is %d, but must be from 1 to %d", i,
                                edge->cost, WEND_MAX_COST);
        if (!wend__graph_def_has(def, edge->from) || !wend__graph_def_has(def, edge->to))
            return wend__refuse(WEND_OUT_OF_RANGE, "edges[%" PRIu64 "] leads from %u to %u, and one of them is no node",
                                i, edge->from, edge->to);
    }
    return WEND_OK;
}

/* Highest id + 1; 0: there is none. */
static uint32_t count_nodes(const wend_graph_def *def) {
    uint32_t nodes = def->node_count;
    while (nodes > 0 && def->present && !def->present[nodes - 1]) nodes--;
    return nodes;
}

static wend_error check(const wend_graph_def *def) {
    wend_error error = wend__check_range("reserved", def->reserved, 0, 0);
    if (!error) error = wend__check_range("node_count", def->node_count, 1, WEND_MAX_NODES);
    if (!error && count_nodes(def) == 0)
        error = wend__refuse(WEND_BAD_ARGUMENT, "present marks no node: a graph has at least one");
    if (!error) error = wend__check_size("edge_count", def->edge_count, 0, WEND_MAX_EDGES);
    if (!error && def->edge_count && !def->edges) error = wend__refuse_null("edges");
    if (!error) error = wend__check_range("max_versions", def->max_versions, 1, WEND_MAX_VERSIONS);
    if (!error) error = wend__check_allocator(&def->allocator);
    return error ? error : check_edges(def);
}

static wend_error create(const wend_graph_def *def, wend_map **out) {
    wend_error error = check(def);
    if (error) return error;
    wend_map_rules rules = wend__rules_default();
    memcpy(rules.factors, def->factors, sizeof def->factors);
    wend_map_def shape = {.kind = WEND_KIND_GRAPH,
                          .width = (int32_t)count_nodes(def),
                          .height = 1,
                          .depth = 1,
                          .max_versions = def->max_versions,
                          .max_bytes = def->max_bytes,
                          .allocator = def->allocator};
    wend_map *map;
    error = wend__map_found(&shape, &map);
    if (error) return error;
    if (wend__graph_build(map, def)) {
        wend_map_release(map);
        return WEND_OUT_OF_MEMORY;
    }
    error = wend__map_open(map, &rules);
    if (!error) *out = map;
    return error;
}

wend_error wend_graph_create(const wend_graph_def *def, wend_map **out) {
    wend_graph_def own = default_def();
    if (!out) return wend__refuse_null("out");
    return WEND__TAKE(wend_graph_def, allocator, &own, def) ? create(&own, out) : WEND_BAD_ARGUMENT;
}
