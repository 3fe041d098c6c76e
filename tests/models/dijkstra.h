/* SPDX-License-Identifier: MIT */
/* Dijkstra (1959) over numbered nodes, with a binary heap: the caller lists the neighbours of a node. */
#ifndef WEND_TESTS_DIJKSTRA_H
#define WEND_TESTS_DIJKSTRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dijkstra {
    int64_t *distances; ///< distances of all nodes, in the caller's memory; -1: not reached
    struct dijkstra_entry {
        int64_t distance;
        int node;
    } * heap;
    size_t count, capacity;
} dijkstra;

/// Sets all distances to -1. Free with dijkstra_end().
void dijkstra_begin(dijkstra *d, int64_t *distances, size_t nodes);
/// Offers a way to a node. Longer ones than that known are ignored.
void dijkstra_reach(dijkstra *d, int node, int64_t distance);
/// Takes the closest node that is not expanded. Returns false if none is left.
bool dijkstra_next(dijkstra *d, int *node);
void dijkstra_end(dijkstra *d);

#endif
