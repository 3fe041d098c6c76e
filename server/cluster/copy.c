/* SPDX-License-Identifier: MIT */
/* A node's copy of its map's log. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cluster/copy.h"

static const char not_written[] = "this node's journal cannot be written";

bool cluster_copy_read(const cluster_copy *copy, uint64_t number, cluster_bytes *out) {
    const uint64_t after = number - copy->base - 1;
    return copy->store->read(copy->store, copy->map, after, 0, out) == CLUSTER_DONE;
}

const char *cluster_copy_begin(cluster_copy *copy, uint64_t next) {
    if (!copy->store) return NULL;
    if (copy->last > 0 && copy->store->cut(copy->store, copy->map, UINT64_MAX) != CLUSTER_DONE) return not_written;
    copy->first = next;
    copy->last = copy->base = next - 1;
    return NULL;
}

bool cluster_copy_find(const cluster_copy *copy, cluster_start *out) {
    cluster_bytes bytes;
    *out = (cluster_start){.after = 0};
    while (copy->store && copy->store->read(copy->store, copy->map, out->after, 0, &bytes) == CLUSTER_DONE)
        if (cluster_start_read(out, bytes)) return true;
    return false;
}

bool cluster_copy_open(cluster_copy *copy) {
    cluster_start place;
    cluster_bytes bytes;
    const bool found = cluster_copy_find(copy, &place);
    cluster_start_drop(&place);
    if (place.first == 0) return true;
    copy->first = place.first;
    copy->base = place.first - place.first_sequence;
    copy->last = copy->base + place.after;
    if (!found) return !cluster_copy_begin(copy, 1);
    while (cluster_copy_read(copy, copy->last + 1, &bytes)) {
        copy->last++;
        free(bytes.bytes);
    }
    return true;
}

const char *cluster_copy_entry(cluster_copy *copy, uint64_t number, const char *bytes, size_t size) {
    cluster_bytes own = {0};
    uint64_t sequence;
    if (!copy->store || number < copy->first) return NULL;
    if (number == copy->last + 1) {
        const uint64_t last = copy->last - copy->base;
        if (copy->store->append(copy->store, copy->map, last, bytes, size, &sequence) != CLUSTER_DONE)
            return not_written;
        copy->last++;
        return NULL;
    }
    if (!cluster_copy_read(copy, number, &own)) return "this node's journal cannot be read";
    const bool same = own.size == size && memcmp(own.bytes, bytes, size) == 0;
    free(own.bytes);
    return same ? NULL : "this node's journal is of another history: nothing is served before one of them is put away";
}

void cluster_copy_cut(cluster_copy *copy, uint64_t first) {
    if (!copy->store || first <= copy->first) return;
    if (copy->store->cut(copy->store, copy->map, first - copy->base) == CLUSTER_DONE) copy->first = first;
}
