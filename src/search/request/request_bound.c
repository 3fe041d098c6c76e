/* SPDX-License-Identifier: MIT */
/* The quality of an answer: exact, or within a bound of the cheapest. */
#include "search/request/request.h"

/* The factor by which `manhattan` can exceed the cost of a path on an empty map: 2 S for D, 3 S
 * for T; in thousandths, rounded up. (On graphs the exact estimate takes its place.) */
static int64_t manhattan_excess(const wend_map_rules *rules) {
    int64_t excess = 1000, s = rules->cost_straight;
    if (rules->neighbours == 4 || rules->neighbours == 6) return excess;
    excess = (2000 * s + rules->cost_diagonal - 1) / rules->cost_diagonal;
    if (rules->neighbours != 26) return excess;
    int64_t space = (3000 * s + rules->cost_space - 1) / rules->cost_space;
    return space > excess ? space : excess;
}

void wend__request_bound(const wend__version *version, const wend_request *request, int32_t *exact,
                         int32_t *bound_milli) {
    int64_t bound = request->weight_milli;
    if (!wend__request_bound_asks(request)) {
        *exact = bound == 1000;
        *bound_milli = (int32_t)bound;
        return;
    }
    const wend_map_rules *rules = &version->rules;
    bool graph = version->kind == WEND_KIND_GRAPH;
    int64_t excess = graph ? 1000 : manhattan_excess(rules);
    if (!graph && rules->neighbours == 8 && excess != 1000) /* one division, so that it is rounded once */
        bound = (bound * 2 * rules->cost_straight + rules->cost_diagonal - 1) / rules->cost_diagonal;
    else
        bound = (bound * excess + 999) / 1000;
    *exact = bound == 1000;
    *bound_milli = (int32_t)bound;
}
