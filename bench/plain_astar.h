/* SPDX-License-Identifier: MIT */
/* A yardstick: A* over flat arrays, as a textbook has it, with units, slow ground, links and several goals. It
 * shares no code with the library. */
#ifndef WEND_BENCH_PLAIN_ASTAR_H
#define WEND_BENCH_PLAIN_ASTAR_H

#include <stdbool.h>
#include <wend/wend.h>
#include <wend/ways.h>

enum { PLAIN_GOALS = 64 };

/// A map as arrays, row by row. 8 neighbours, no corner cut.
typedef struct plain_ground {
    int width, height, straight, diagonal;
    uint8_t *factors; ///< 0: blocked
    uint8_t *units;   ///< 1: a unit stands there
    wend_link *links;
    int link_count;
} plain_ground;

typedef struct plain_query {
    int start, goals[PLAIN_GOALS], goal_count; ///< cells, y * width + x
    int reach;                                 ///< to within this number of cells of the first goal
    int occupied, within;                      ///< as in wend_request
    bool blind;                                ///< without an estimate: Dijkstra
} plain_query;

/// Arrays for searches on one map. Free with plain_close().
typedef struct plain_search plain_search;
plain_search *plain_open(const plain_ground *ground);
/// After links were added to the ground.
void plain_renew_links(plain_search *search);
void plain_close(plain_search *search);

/// @param expansions   receives the nodes expanded; may be NULL
/// @return the cheapest path's cost, -1: none
int64_t plain_run(plain_search *search, const plain_query *query, uint64_t *expansions);

#endif
