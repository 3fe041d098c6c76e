/* SPDX-License-Identifier: MIT */
/* Keys, notes and requests. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <uv.h>

#include "cluster/note.h"

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

void cluster_places_key(const char *map, unsigned part, char out[CLUSTER_KEY_BYTES + 1]) {
    snprintf(out, CLUSTER_KEY_BYTES + 1, part > 0 ? "places.%s.%u" : "places.%s", map, part);
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
    return read == 7 && cluster_is_address(out->page) && cluster_is_address(out->lines);
}

/* ---- places and addresses ---- */

static bool read_number(const char **at, int32_t *out) {
    char *end;
    errno = 0;
    const long number = strtol(*at, &end, 10);
    const bool good = end > *at && errno == 0 && number >= INT32_MIN && number <= INT32_MAX;
    *out = good ? (int32_t)number : 0;
    *at = end;
    return good;
}

/* No sscanf(): it looks for the end of the whole text, for each line. */
bool cluster_place_read(const char **at, const char *end, cluster_place *out) {
    const char *next = *at;
    int32_t bytes;
    if (next >= end || !read_number(&next, &out->x) || !read_number(&next, &out->y) || !read_number(&next, &out->z) ||
        !read_number(&next, &bytes) || bytes < 0 || next >= end || end - ++next < bytes)
        return false;
    out->name = next;
    out->name_bytes = (size_t)bytes;
    *at = next + bytes < end ? next + bytes + 1 : end;
    return true;
}

bool cluster_address_read(const char *text, struct sockaddr_storage *out) {
    char name[CLUSTER_ADDRESS_BYTES + 1];
    const char *colon = strrchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof name) return false;
    const bool six = text[0] == '[' && colon > text + 1 && colon[-1] == ']';
    const size_t length = (size_t)(colon - text) - (six ? 2 : 0);
    memcpy(name, text + (six ? 1 : 0), length);
    name[length] = '\0';
    const char *after = colon + 1;
    int32_t port;
    if (!read_number(&after, &port) || *after != '\0' || port < 1 || port > UINT16_MAX) return false;
    return six ? uv_ip6_addr(name, port, (struct sockaddr_in6 *)out) == 0
               : uv_ip4_addr(name, port, (struct sockaddr_in *)out) == 0;
}

/* ---- time and requests ---- */

uint64_t cluster_real_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_A_MS;
}

bool cluster_note_is_new(const cluster_note *note) {
    enum { SILENT_MS = 10000 };
    return note->ms + SILENT_MS > cluster_real_ms();
}

bool cluster_request_move(cluster_store *store, const char *map, const char *node) {
    char key[CLUSTER_KEY_BYTES + 1];
    cluster_value value;
    cluster_move_key(map, key);
    if (store->get(store, key, &value) == CLUSTER_UNKNOWN) return false;
    snprintf(value.text, sizeof value.text, "%s", node);
    return store->set(store, key, &value) == CLUSTER_DONE;
}
