/* SPDX-License-Identifier: MIT */
/* The rules of claims. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "cluster/term.h"

uint64_t cluster_now_ns(void) {
    enum { NS = 1000000000 };
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

void cluster_term_begin(cluster_term *t, uint64_t number, uint64_t hash, uint64_t term, uint64_t now_ns) {
    t->number = number;
    t->hash = hash;
    t->term = term;
    t->owner[0] = '\0';
    t->stand = CLUSTER_FOLLOWS;
    t->heard_ns = now_ns;
    t->ended = t->is_free = false;
    t->under_way_ns = 0;
}

/* Operators write heads. A node that began at a snapshot does not know who owned the map then. */
static bool may_write(const cluster_term *t, const cluster_entry *entry) {
    if (entry->kind == CLUSTER_KIND_CLAIM) return entry->term == entry->number;
    if (entry->kind == CLUSTER_KIND_HEAD) return entry->number == 1 || entry->term == t->term;
    if (entry->term != t->term || t->term == 0 || t->ended) return false;
    return t->owner[0] == '\0' || strcmp(entry->writer, t->owner) == 0;
}

const char *cluster_term_check(const cluster_term *t, const cluster_entry *entry) {
    if (entry->number != t->number + 1) return "the log has an entry with another number than its place";
    if (entry->after != t->hash) return "the log has an entry whose writer did not know the one before";
    return may_write(t, entry) ? NULL : "the log has an entry by a node that did not own the map";
}

void cluster_term_done(cluster_term *t, const cluster_entry *entry, uint64_t hash, uint64_t now_ns) {
    t->number = entry->number;
    t->hash = hash;
    t->term = entry->term;
    t->heard_ns = now_ns;
    if (entry->kind == CLUSTER_KIND_HEAD) return;
    t->ended = entry->kind == CLUSTER_KIND_RELEASE || entry->kind == CLUSTER_KIND_HAND;
    t->is_free = entry->kind == CLUSTER_KIND_RELEASE || strcmp(entry->heir, t->node) == 0;
    snprintf(t->owner, sizeof t->owner, "%s", t->ended ? "" : entry->writer);
}

void cluster_term_heard(cluster_term *t, const cluster_report *beat, uint64_t now_ns) {
    if (beat->term >= t->term && beat->sequence >= t->number) t->heard_ns = now_ns;
}

/* Varies by the node's name and the entry: so two nodes rarely claim together, and no node always comes last. */
static uint64_t spread(const cluster_term *t, uint64_t most) {
    const uint64_t hash = wend__hash_bytes(WEND__HASH_START, &t->number, sizeof t->number);
    return wend__hash_bytes(hash, t->node, strlen(t->node)) % (most + 1);
}

bool cluster_term_may_claim(const cluster_term *t, uint64_t now_ns) {
    const uint64_t soon = t->lease_ns / 32, patience = t->lease_ns + t->lease_ns / CLUSTER_DRIFT_PART;
    if (t->stand != CLUSTER_FOLLOWS || t->never_owns || t->cut_off_ns > 0 || t->number < t->floor || t->number == 0)
        return false;
    if (t->is_free) return now_ns >= t->heard_ns + spread(t, soon);
    return now_ns >= t->heard_ns + patience + spread(t, t->lease_ns * CLUSTER_SPREAD_PERCENT / 100);
}

bool cluster_term_may_act(const cluster_term *t, uint64_t now_ns) {
    const bool waits = t->under_way_ns > 0 && now_ns >= t->under_way_ns + t->lease_ns;
    const bool cut_off = t->cut_off_ns > 0 && now_ns >= t->cut_off_ns + t->lease_ns;
    return t->stand == CLUSTER_OWNS && !waits && !cut_off;
}

cluster_entry cluster_term_next(const cluster_term *t, const char *map, cluster_kind kind) {
    const uint64_t number = t->number + 1;
    cluster_entry entry = {
        .kind = kind, .number = number, .term = kind == CLUSTER_KIND_CLAIM ? number : t->term, .after = t->hash};
    snprintf(entry.map, sizeof entry.map, "%s", map);
    snprintf(entry.writer, sizeof entry.writer, "%s", t->node);
    return entry;
}
