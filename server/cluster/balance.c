/* SPDX-License-Identifier: MIT */
/* Adds up what nodes say, and chooses a move. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cluster/balance.h"

/* ---- choosing ---- */

static uint64_t load_of(const balance_row *rows, size_t count, const char *node) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].node, node) == 0) sum += rows[i].load;
    return sum;
}

static const char *busiest(const balance_row *rows, size_t count, uint64_t *load) {
    const char *node = NULL;
    *load = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t sum = load_of(rows, count, rows[i].node);
        if (sum > *load) node = rows[i].node, *load = sum;
    }
    return node;
}

/* Owner and follower change places, so both nodes keep a cost for the map. @return the greater load after it */
static uint64_t load_after(const balance_row *rows, size_t count, const balance_row *from, const balance_row *to) {
    const uint64_t here = load_of(rows, count, from->node) - from->load + to->load;
    const uint64_t there = load_of(rows, count, to->node) - to->load + from->load;
    return here > there ? here : there;
}

bool cluster_balance_choose(const balance_row *rows, size_t count, const balance_row **from, const balance_row **to) {
    enum { TENTH = 10, TWENTIETH = 50 };
    uint64_t before, best;
    const char *node = busiest(rows, count, &before);
    const uint64_t least_gain = before / TENTH > TWENTIETH ? before / TENTH : TWENTIETH;
    if (!node || before < least_gain) return false;
    best = before - least_gain + 1;
    *from = *to = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].owns || strcmp(rows[i].node, node) != 0) continue;
        for (size_t k = 0; k < count; k++) {
            if (rows[k].owns || strcmp(rows[k].map, rows[i].map) != 0 || strcmp(rows[k].node, node) == 0) continue;
            const uint64_t after = load_after(rows, count, &rows[i], &rows[k]);
            if (after < best) best = after, *from = &rows[i], *to = &rows[k];
        }
    }
    return *from;
}

/* ---- looking ---- */

typedef struct list {
    cluster_store *store;
    balance_row *rows;
    size_t count, capacity;
} list;

static void add_note(void *context, const char *key) {
    list *all = context;
    balance_row row = {.load = 0};
    cluster_value value;
    cluster_note note;
    if (!cluster_node_key_read(key, row.map, row.node)) return;
    if (all->store->get(all->store, key, &value) != CLUSTER_DONE) return;
    if (!cluster_note_read(value.text, &note) || !cluster_note_is_new(&note)) return;
    if (!WEND__ARRAY_ROOM(all->rows, all->capacity, all->count + 1)) return;
    row.owns = note.owns;
    row.load = note.load;
    all->rows[all->count++] = row;
}

static bool move_last(cluster_balance *balance, cluster_store *store, const balance_row *from, const balance_row *to) {
    cluster_value next = {.revision = balance->last.revision};
    snprintf(next.text, sizeof next.text, "map=%s from=%s to=%s", from->map, from->node, to->node);
    return store->set(store, CLUSTER_BALANCE_KEY, &next) == CLUSTER_DONE &&
           cluster_request_move(store, from->map, to->node);
}

void cluster_balance_step(cluster_balance *balance, cluster_store *store, const char *map, const char *node,
                          uint64_t hold_ms) {
    enum { NS_A_MS = 1000000, LOOKS = 4 };
    const uint64_t now = cluster_now_ns(), hold_ns = hold_ms * NS_A_MS;
    const balance_row *from, *to;
    cluster_value last;
    if (now < balance->next_ns) return;
    balance->next_ns = now + hold_ns / LOOKS;
    if (store->get(store, CLUSTER_BALANCE_KEY, &last) == CLUSTER_UNKNOWN) return;
    if (balance->seen_ns == 0 || last.revision != balance->last.revision) balance->seen_ns = now;
    balance->last = last;
    if (now - balance->seen_ns < hold_ns) return;
    list all = {.store = store};
    if (store->list(store, "node.", add_note, &all) == CLUSTER_DONE &&
        cluster_balance_choose(all.rows, all.count, &from, &to) && strcmp(from->map, map) == 0 &&
        strcmp(from->node, node) == 0)
        (void)move_last(balance, store, from, to);
    free(all.rows);
}
