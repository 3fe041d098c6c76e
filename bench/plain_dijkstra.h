/* SPDX-License-Identifier: MIT */
/* A plain Dijkstra over a flat grid, as one would write it for one game: a field is compared with it. */
#ifndef WEND_BENCH_PLAIN_DIJKSTRA_H
#define WEND_BENCH_PLAIN_DIJKSTRA_H

#include <wend/wend.h>

typedef struct plain_dijkstra plain_dijkstra;

/// Copies the map: 8 neighbours, corners never, costs 10 and 14, all open cells alike.
plain_dijkstra *plain_dijkstra_create(const wend_map *map);
void plain_dijkstra_free(plain_dijkstra *plain);
/// Costs from all cells to a goal. Returns how many cells were reached.
uint32_t plain_dijkstra_run(plain_dijkstra *plain, wend_cell goal);
/// UINT32_MAX: it was not reached.
uint32_t plain_dijkstra_cost(const plain_dijkstra *plain, wend_cell cell);

#endif
