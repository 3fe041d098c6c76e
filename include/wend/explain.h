/* SPDX-License-Identifier: MIT */
/* Growing: reasons and kinds of work may be added, or go with an engine. See docs/stability.md. */
/* Which engine answers a request, and why; and the loops of engines, by which work is counted. */
#ifndef WEND_EXPLAIN_H
#define WEND_EXPLAIN_H

#include <wend/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Explain which engine would answer a request now, and why not jump search. An edit can change the answer.
/// @param engine   receives WEND_ENGINE_…; may be NULL
/// @param why      receives a constant line of text, NULL where jump search answers; may be NULL
/// @return WEND_OK, WEND_BAD_ARGUMENT, WEND_OUT_OF_RANGE
/// Threads: any. Cost: O(1).
WEND_API wend_error wend_request_explain(const wend_request *request, int32_t *engine, const char **why);

/// Reasons for which the general A* (WEND_WORK_GENERAL_ASTAR), the slowest engine, searched for a request.
/// wend_constant_name() gives the word, and the sentence behind it here (WEND_NAME_GENERAL_TEXT).
enum {
    WEND_GENERAL_NONE = 0,      ///< another engine answered
    WEND_GENERAL_ENGINE = 1,    ///< the request names A*
    WEND_GENERAL_HEURISTIC = 2, ///< the request has another heuristic than exact
    WEND_GENERAL_START = 3,     ///< the start is blocked
    WEND_GENERAL_TABLES = 4,    ///< the map has no jump tables
    WEND_GENERAL_RULES = 5,     ///< the map's rules, size or costs; a box over its rim
    WEND_GENERAL_UNITS = 6,     ///< a mover of several cells among units; or no memory for marks
    WEND_GENERAL_KIND = 7,      ///< in space or on a graph, what its own A* does not serve
    WEND_GENERAL_AGAIN = 8,     ///< another engine could not end the search
    WEND_GENERAL_LAYERS = 9,    ///< the request pays for costs by place
    WEND_GENERAL_COUNT = 10
};

/// Kinds of work whose expansions take different times: which loop of an engine, or a flow field. What the service
/// looks at where land is not loaded counts as GENERAL_ASTAR.
enum {
    WEND_WORK_GRID_ASTAR = 0,
    WEND_WORK_GRID_JUMP = 1,
    WEND_WORK_STOP_JUMP = 2,
    WEND_WORK_VOXEL_ASTAR = 3,
    WEND_WORK_GRAPH_ASTAR = 4,
    WEND_WORK_GENERAL_ASTAR = 5,
    WEND_WORK_FIELD = 6,
    WEND_WORK_COUNT = 7
};

#ifdef __cplusplus
}
#endif
#endif
