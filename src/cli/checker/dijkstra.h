/* SPDX-License-Identifier: MIT */
/* Dijkstra's algorithm, plain: what the cost of a found path is checked against. */
#ifndef WEND_SRC_CLI_CHECKER_DIJKSTRA_H
#define WEND_SRC_CLI_CHECKER_DIJKSTRA_H

#include "cli/checker/ground.h"

typedef struct dijkstra dijkstra;

/// NULL where there is no memory. The ground must outlive it.
dijkstra *dijkstra_create(const ground *land);
void dijkstra_free(dijkstra *search);

/// Cost of the cheapest way between two cells of the map; −1: there is none; −2: no memory left to tell.
int64_t dijkstra_cost(dijkstra *search, wend_cell start, wend_cell goal);

/// Cells taken off the heap so far, over all calls: what it has worked.
uint64_t dijkstra_settled(const dijkstra *search);

#endif
