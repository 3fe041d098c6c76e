/* SPDX-License-Identifier: MIT */
/* The binary heap and nothing clever: everything else is compared with it. */
#include "models/dijkstra.h"

#include <stdlib.h>
#include <string.h>

typedef struct dijkstra_entry entry;

void dijkstra_begin(dijkstra *d, int64_t *distances, size_t nodes) {
    *d = (dijkstra){.distances = distances};
    memset(distances, 0xff, nodes * sizeof *distances);
}

void dijkstra_reach(dijkstra *d, int node, int64_t distance) {
    if (d->distances[node] >= 0 && d->distances[node] <= distance) return;
    d->distances[node] = distance;
    if (d->count == d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 1024;
        d->heap = realloc(d->heap, d->capacity * sizeof *d->heap);
        if (!d->heap) abort();
    }
    size_t at = d->count++;
    for (size_t up; at > 0 && d->heap[up = (at - 1) / 2].distance > distance; at = up) d->heap[at] = d->heap[up];
    d->heap[at] = (entry){distance, node};
}

static entry pop(dijkstra *d) {
    const entry top = d->heap[0], last = d->heap[--d->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < d->count; at = child) {
        if (child + 1 < d->count && d->heap[child + 1].distance < d->heap[child].distance) child++;
        if (d->heap[child].distance >= last.distance) break;
        d->heap[at] = d->heap[child];
    }
    d->heap[at] = last;
    return top;
}

bool dijkstra_next(dijkstra *d, int *node) {
    while (d->count > 0) {
        const entry e = pop(d);
        *node = e.node;
        if (e.distance == d->distances[e.node]) return true;
    }
    return false;
}

void dijkstra_end(dijkstra *d) {
    free(d->heap);
}
