/* SPDX-License-Identifier: MIT */
/* Keys, notes and wishes. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/cluster/note.h"

enum { NS_A_MS = 1000000 };

void cluster_node_key(const char *map, const char *node, char out[CLUSTER_KEY_BYTES + 1]) {
    snprintf(out, CLUSTER_KEY_BYTES + 1, "node.%s.%s", map, node);
}

bool cluster_node_key_read(const char *key, char map[CLUSTER_NODE_BYTES + 1], char node[CLUSTER_NODE_BYTES + 1]) {
    return sscanf(key, "node.%63[^.].%63[^.]", map, node) == 2;
}

void cluster_move_key(const char *map, char out[CLUSTER_KEY_BYTES + 1]) {
    snprintf(out, CLUSTER_KEY_BYTES + 1, "move.%s", map);
}

void cluster_places_key(const char *map, char out[CLUSTER_KEY_BYTES + 1]) {
    snprintf(out, CLUSTER_KEY_BYTES + 1, "places.%s", map);
}

void cluster_note_write(const cluster_note *note, char out[CLUSTER_TEXT_BYTES + 1]) {
    snprintf(out, CLUSTER_TEXT_BYTES + 1,
             "entry=%" PRIu64 " epoch=%" PRIu64 " ms=%" PRIu64 " page=%s lines=%s owns=%d load=%" PRIu64, note->entry,
             note->epoch, note->ms, note->page, note->lines, note->owns, note->load);
}

bool cluster_note_read(const char *text, cluster_note *out) {
    int owns = 0;
    *out = (cluster_note){.entry = 0};
    const int read =
        sscanf(text, "entry=%" SCNu64 " epoch=%" SCNu64 " ms=%" SCNu64 " page=%119s lines=%119s owns=%d load=%" SCNu64,
               &out->entry, &out->epoch, &out->ms, out->page, out->lines, &owns, &out->load);
    out->owns = owns != 0;
    return read == 7;
}

uint64_t cluster_real_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_A_MS;
}

bool cluster_note_is_new(const cluster_note *note) {
    enum { SILENT_MS = 10000 };
    return note->ms + SILENT_MS > cluster_real_ms();
}

bool cluster_wish(cluster_store *store, const char *map, const char *node) {
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_value value;
    cluster_move_key(map, key);
    if (store->get(store, key, &value) == CLUSTER_UNKNOWN) return false;
    snprintf(value.text, sizeof value.text, "%s", node);
    return store->set(store, key, &value) == CLUSTER_DONE;
}
