/* SPDX-License-Identifier: MIT */
/* Plain Dijkstra, to which the cost of a found path is compared. */
#ifndef WEND_SRC_LAB_ORACLE_DIJKSTRA_H
#define WEND_SRC_LAB_ORACLE_DIJKSTRA_H

#include "lab/oracle/terrain_copy.h"

typedef struct dijkstra dijkstra;

/// @return NULL where memory ran out. The terrain copy must outlive it.
dijkstra *dijkstra_create(const terrain_copy *land);
void dijkstra_free(dijkstra *search);

/// Cost of the cheapest path between two cells of the map; −1: there is none; −2: memory ran out.
int64_t dijkstra_cost(dijkstra *search, wend_cell start, wend_cell goal);

/// Find the costs of the cheapest paths from all cells to one goal. They stay until the next call of any kind.
/// @return false where memory ran out
bool dijkstra_flood(dijkstra *search, wend_cell goal);
/// Cost of the cheapest path from a cell to the goal of the flood; −1: there is none.
int64_t dijkstra_flooded(const dijkstra *search, wend_cell start);

/// Cells closed so far, over all calls.
uint64_t dijkstra_closed(const dijkstra *search);

#endif
