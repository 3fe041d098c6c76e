/* SPDX-License-Identifier: MIT */
/* Internal: words and sentences of public constants: X(constant, text). Functions such as wend_status_name() are made
 * from them, and bindings read them here. The headers have the constants, with a line on each. */
#ifndef WEND_SRC_BASE_NAMES_H
#define WEND_SRC_BASE_NAMES_H

#define WEND__ERRORS(X)                                                                                                \
    X(WEND_OK, "no error")                                                                                             \
    X(WEND_BAD_ARGUMENT, "an argument is outside its range, does not fit the object, or has the wrong size")           \
    X(WEND_OUT_OF_RANGE, "a cell is off the map, or an index is behind the end")                                       \
    X(WEND_OUT_OF_MEMORY, "the allocator, a limit of bytes, or the system has no room")                                \
    X(WEND_BUSY, "there is no room now, or work is pending")                                                           \
    X(WEND_STALE_TICKET, "the ticket or id names nothing any more, or never did")                                      \
    X(WEND_IN_CALLBACK, "not allowed inside a callback or while a frame runs")                                         \
    X(WEND_CLOSED, "the service is closed")                                                                            \
    X(WEND_BAD_FORMAT, "the bytes are not a valid file of their format")                                               \
    X(WEND_IO, "a file could not be read or written")                                                                  \
    X(WEND_UNSUPPORTED, "this kind of map, this format or this version does not have it")                              \
    X(WEND_IN_USE, "an open batch, a search, a field or a service is using it")                                        \
    X(WEND_EMPTY, "there is nothing to return or remove")                                                              \
    X(WEND_BLOCKED, "the mover cannot stand there")

#define WEND__STATUSES(X)                                                                                              \
    X(WEND_STATUS_PENDING, "pending")                                                                                  \
    X(WEND_STATUS_FOUND, "found")                                                                                      \
    X(WEND_STATUS_PARTIAL, "partial")                                                                                  \
    X(WEND_STATUS_NO_PATH, "no_path")                                                                                  \
    X(WEND_STATUS_START_BLOCKED, "start_blocked")                                                                      \
    X(WEND_STATUS_GOAL_BLOCKED, "goal_blocked")                                                                        \
    X(WEND_STATUS_CANCELLED, "cancelled")                                                                              \
    X(WEND_STATUS_EXPIRED, "expired")                                                                                  \
    X(WEND_STATUS_LIMIT, "limit")                                                                                      \
    X(WEND_STATUS_OUT_OF_NODES, "out_of_nodes")                                                                        \
    X(WEND_STATUS_STALE, "stale")                                                                                      \
    X(WEND_STATUS_TOO_LONG, "too_long")                                                                                \
    X(WEND_STATUS_REPLACED, "replaced")                                                                                \
    X(WEND_STATUS_DISPLACED, "displaced")

#define WEND__AGENT_STATES(X)                                                                                          \
    X(WEND_AGENT_NONE, "none")                                                                                         \
    X(WEND_AGENT_IDLE, "idle")                                                                                         \
    X(WEND_AGENT_WAITING, "waiting")                                                                                   \
    X(WEND_AGENT_WALKING, "walking")                                                                                   \
    X(WEND_AGENT_BLOCKED, "blocked")                                                                                   \
    X(WEND_AGENT_ARRIVED, "arrived")                                                                                   \
    X(WEND_AGENT_ASIDE, "aside")                                                                                       \
    X(WEND_AGENT_AWAY, "away")

#define WEND__AGENT_EVENTS(X)                                                                                          \
    X(WEND_AGENT_EVENT_ARRIVED, "arrived")                                                                             \
    X(WEND_AGENT_EVENT_PARTIAL, "partial")                                                                             \
    X(WEND_AGENT_EVENT_REROUTED, "rerouted")                                                                           \
    X(WEND_AGENT_EVENT_GAVE_UP, "gave_up")                                                                             \
    X(WEND_AGENT_EVENT_REPLACED, "replaced")                                                                           \
    X(WEND_AGENT_EVENT_DISPLACED, "displaced")                                                                         \
    X(WEND_AGENT_EVENT_AWAY, "away")                                                                                   \
    X(WEND_AGENT_EVENT_BACK, "back")                                                                                   \
    X(WEND_AGENT_EVENT_CLEAR, "clear")                                                                                 \
    X(WEND_AGENT_EVENT_LINK_AHEAD, "link_ahead")

#define WEND__AGENT_WHYS(X)                                                                                            \
    X(WEND_WHY_NONE, "none")                                                                                           \
    X(WEND_WHY_NO_PATH, "no_path")                                                                                     \
    X(WEND_WHY_BLOCKED, "blocked")                                                                                     \
    X(WEND_WHY_LIMIT, "limit")                                                                                         \
    X(WEND_WHY_GONE, "gone")                                                                                           \
    X(WEND_WHY_STEPPING, "stepping")

#define WEND__AGENT_WAITS(X)                                                                                           \
    X(WEND_WAIT_NONE, "none")                                                                                          \
    X(WEND_WAIT_SEARCH, "search")                                                                                      \
    X(WEND_WAIT_QUEUE, "queue")                                                                                        \
    X(WEND_WAIT_WORK, "work")                                                                                          \
    X(WEND_WAIT_TIME, "time")                                                                                          \
    X(WEND_WAIT_FIELD, "field")                                                                                        \
    X(WEND_WAIT_GROUP, "group")                                                                                        \
    X(WEND_WAIT_TARGET, "target")                                                                                      \
    X(WEND_WAIT_WAY, "way")                                                                                            \
    X(WEND_WAIT_LAND, "land")                                                                                          \
    X(WEND_WAIT_AGENT, "agent")                                                                                        \
    X(WEND_WAIT_PLAYER, "player")                                                                                      \
    X(WEND_WAIT_PARKED, "parked")                                                                                      \
    X(WEND_WAIT_UNIT, "unit")                                                                                          \
    X(WEND_WAIT_BOX, "box")                                                                                            \
    X(WEND_WAIT_WINDOW, "window")

#define WEND__PROGRESS_LIST(X)                                                                                         \
    X(WEND_PROGRESS_WAITING, "waiting")                                                                                \
    X(WEND_PROGRESS_RUNNING, "running")                                                                                \
    X(WEND_PROGRESS_SHARED, "shared")                                                                                  \
    X(WEND_PROGRESS_FINISHED, "finished")

#define WEND__GENERAL_LIST(X)                                                                                          \
    X(WEND_GENERAL_NONE, "none", "another engine answered")                                                            \
    X(WEND_GENERAL_ENGINE, "engine", "the request asks for A*")                                                        \
    X(WEND_GENERAL_HEURISTIC, "heuristic", "the request has another heuristic than exact")                             \
    X(WEND_GENERAL_START, "start", "the start is blocked")                                                             \
    X(WEND_GENERAL_TABLES, "tables", "the map has no jump tables")                                                     \
    X(WEND_GENERAL_RULES, "rules", "the map's rules, size or costs; a box over its rim")                               \
    X(WEND_GENERAL_UNITS, "units", "a mover of several cells among units; or no memory for marks")                     \
    X(WEND_GENERAL_KIND, "kind", "in space or on a graph, what its own A* does not serve")                             \
    X(WEND_GENERAL_AGAIN, "again", "another engine could not end the search")                                          \
    X(WEND_GENERAL_LAYERS, "layers", "the request pays for costs by place")

#endif
