/* SPDX-License-Identifier: MIT */
/* Claims, renews, watches and releases a lease. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cluster/lease.h"

enum { NS_A_MS = 1000000, S_TO_NS = 1000000000 };

uint64_t cluster_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * S_TO_NS + (uint64_t)now.tv_nsec;
}

/* ---- its text ---- */

bool cluster_is_address(const char *text) {
    const char *at = text;
    while (*at > ' ' && *at <= '~' && *at != '"' && *at != '\\') at++;
    return at > text && *at == '\0';
}

static bool is_name_or_none(const char *name) {
    return strcmp(name, "-") == 0 || cluster_is_name(name);
}

bool cluster_holder_read(const char *text, cluster_holder *out) {
    *out = (cluster_holder){0};
    return sscanf(text,
                  "term=%" SCNu64 " node=%63s lines=%119s page=%119s heir=%63s entry=%" SCNu64 " epoch=%" SCNu64
                  " renewals=%" SCNu64,
                  &out->term, out->node, out->lines, out->page, out->heir, &out->entry, &out->epoch,
                  &out->renewals) == 8 &&
           is_name_or_none(out->node) && cluster_is_address(out->lines) && cluster_is_address(out->page) &&
           is_name_or_none(out->heir);
}

static void write_holder(const cluster_holder *holder, char out[CLUSTER_TEXT_BYTES + 1]) {
    snprintf(out, CLUSTER_TEXT_BYTES + 1,
             "term=%" PRIu64 " node=%s lines=%s page=%s heir=%s entry=%" PRIu64 " epoch=%" PRIu64 " renewals=%" PRIu64,
             holder->term, holder->node, holder->lines, holder->page, holder->heir, holder->entry, holder->epoch,
             holder->renewals);
}

/* ---- its four calls ---- */

cluster_outcome cluster_lease_watch(cluster_lease *lease) {
    cluster_value now;
    const cluster_outcome outcome = lease->store->get(lease->store, lease->map, &now);
    if (outcome == CLUSTER_UNKNOWN) return outcome;
    if (outcome == CLUSTER_NOTHING) now = (cluster_value){.revision = 0};
    const bool same = lease->seen_ns != 0 && now.revision == lease->value.revision &&
                      strcmp(now.text, lease->value.text) == 0; /* a bucket that was made again counts from 1 */
    if (!same) {
        lease->value = now;
        lease->seen_ns = cluster_now_ns();
        if (!cluster_holder_read(now.text, &lease->holder)) lease->holder = (cluster_holder){.term = 0};
    }
    return outcome;
}

bool cluster_lease_is_free(const cluster_lease *lease, bool fresh) {
    const cluster_holder *holder = &lease->holder;
    const uint64_t time = lease->lease_ms + lease->lease_ms / CLUSTER_DRIFT_PART;
    if (lease->seen_ns == 0) return false;
    if (fresh && lease->value.revision == 0) return true;
    if (cluster_now_ns() - lease->seen_ns > time * NS_A_MS) return true;
    /* Where there is no text, an owner may have lost its bucket: its time must pass, too. */
    if (strcmp(holder->node, "-") != 0) return false;
    return strcmp(holder->heir, "-") == 0 || strcmp(holder->heir, lease->node) == 0;
}

/* Another text is there than the intended one. An earlier try of this node may have come late: the next one is to
 * follow it. The time still counts from the last try that is known to have come when it was sent. */
static cluster_outcome judge_other(cluster_lease *lease, const cluster_value *found) {
    cluster_holder other;
    const bool own = cluster_holder_read(found->text, &other) && other.term == lease->holder.term &&
                     strcmp(other.node, lease->node) == 0;
    if (!own) return CLUSTER_REFUSED;
    lease->value = *found;
    return CLUSTER_UNKNOWN;
}

/* Writes the holder's text. Its time counts from before. Without an answer it may be written: reading it decides, as no
 * two texts are the same. */
static cluster_outcome write_lease(cluster_lease *lease, const cluster_holder *holder) {
    cluster_value value = {.revision = lease->value.revision}, found;
    const uint64_t begin = cluster_now_ns();
    write_holder(holder, value.text);
    cluster_outcome outcome = lease->store->set(lease->store, lease->map, &value);
    if (outcome != CLUSTER_DONE && lease->store->get(lease->store, lease->map, &found) == CLUSTER_DONE &&
        found.revision > lease->value.revision) {
        const bool written = strcmp(found.text, value.text) == 0;
        outcome = written ? CLUSTER_DONE : judge_other(lease, &found);
        if (written) value.revision = found.revision;
    }
    if (outcome == CLUSTER_REFUSED) lease->seen_ns = 0; /* another node wrote: a candidate waits again */
    if (outcome != CLUSTER_DONE) return outcome;
    lease->value = value;
    lease->holder = *holder;
    lease->seen_ns = begin;
    lease->until_ns = begin + lease->lease_ms * NS_A_MS;
    return CLUSTER_DONE;
}

cluster_outcome cluster_lease_claim(cluster_lease *lease, const cluster_holder *self, uint64_t least_term) {
    cluster_holder claim = *self;
    claim.term = lease->holder.term;
    if (claim.term < least_term) claim.term = least_term;
    claim.term++;
    claim.renewals = cluster_now_ns();
    snprintf(claim.heir, sizeof claim.heir, "-");
    const cluster_outcome outcome = write_lease(lease, &claim);
    if (outcome != CLUSTER_DONE) lease->until_ns = 0;
    return outcome;
}

cluster_outcome cluster_lease_renew(cluster_lease *lease, uint64_t entry, uint64_t epoch) {
    lease->holder.renewals++;
    cluster_holder same = lease->holder;
    same.entry = entry;
    same.epoch = epoch;
    const cluster_outcome outcome = write_lease(lease, &same);
    if (outcome == CLUSTER_REFUSED) lease->until_ns = 0;
    return outcome;
}

cluster_outcome cluster_lease_release(cluster_lease *lease, const char *heir) {
    cluster_holder free_again = lease->holder;
    snprintf(free_again.node, sizeof free_again.node, "-");
    snprintf(free_again.heir, sizeof free_again.heir, "%s", heir);
    lease->until_ns = 0;
    cluster_outcome outcome = write_lease(lease, &free_again);
    if (outcome == CLUSTER_UNKNOWN) outcome = write_lease(lease, &free_again); /* behind a renewal that came late */
    lease->until_ns = 0;
    return outcome;
}
