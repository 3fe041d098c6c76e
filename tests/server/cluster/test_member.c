/* SPDX-License-Identifier: MIT */
/* A node's part, over a store in memory that does not answer when a test says so. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/member.h"

enum { LEASE_MS = 600, MOST_ENTRIES = 64 };

/* ---- the store: one lease, one log ---- */

static uv_mutex_t mutex; ///< of what follows
static cluster_value lease;
static cluster_bytes entries[MOST_ENTRIES];
static uint64_t entry_count;
static atomic_bool hangs, loses; ///< a write of the lease takes its time; an append is there, and unanswered

static cluster_outcome get(cluster_store *store, const char *key, cluster_value *out) {
    (void)store;
    *out = (cluster_value){.revision = 0};
    if (strcmp(key, "m") != 0) return CLUSTER_NOTHING;
    uv_mutex_lock(&mutex);
    *out = lease;
    uv_mutex_unlock(&mutex);
    return out->revision > 0 ? CLUSTER_DONE : CLUSTER_NOTHING;
}

static cluster_outcome set(cluster_store *store, const char *key, cluster_value *value) {
    (void)store;
    if (strcmp(key, "m") != 0) return CLUSTER_DONE;
    while (hangs) uv_sleep(1);
    uv_mutex_lock(&mutex);
    const bool good = value->revision == lease.revision;
    if (good) {
        value->revision++;
        lease = *value;
    }
    uv_mutex_unlock(&mutex);
    return good ? CLUSTER_DONE : CLUSTER_REFUSED;
}

static cluster_outcome append(cluster_store *store, const char *map, uint64_t last, const char *bytes, size_t size,
                              uint64_t *sequence) {
    (void)store, (void)map;
    if (loses && entry_count > last) return CLUSTER_UNKNOWN;
    uv_mutex_lock(&mutex);
    const bool good = last == entry_count && entry_count < MOST_ENTRIES;
    if (good) {
        entries[entry_count] = (cluster_bytes){strndup(bytes, size), size, entry_count + 1};
        *sequence = ++entry_count;
    }
    uv_mutex_unlock(&mutex);
    return loses ? CLUSTER_UNKNOWN : good ? CLUSTER_DONE : CLUSTER_REFUSED;
}

static cluster_outcome read_log(cluster_store *store, const char *map, uint64_t after, int wait_ms,
                                cluster_bytes *out) {
    (void)store, (void)map;
    uv_mutex_lock(&mutex);
    const bool found = after < entry_count;
    if (found) *out = entries[after];
    if (found) out->bytes = strndup(out->bytes, out->size);
    uv_mutex_unlock(&mutex);
    if (!found && wait_ms > 0) uv_sleep(1);
    return found ? CLUSTER_DONE : CLUSTER_NOTHING;
}

static cluster_outcome take(cluster_store *store, const char *key, cluster_bytes *out) {
    (void)store, (void)key, (void)out;
    return CLUSTER_NOTHING;
}

static cluster_outcome list(cluster_store *store, const char *prefix, void (*found)(void *context, const char *key),
                            void *context) {
    (void)store, (void)prefix, (void)found, (void)context;
    return CLUSTER_DONE;
}

static cluster_store store = {.get = get, .set = set, .append = append, .read = read_log, .take = take, .list = list};

/* ---- the loop ---- */

static uv_loop_t loop;
static cluster_member *member;
static int elected, lost, came; ///< events
static char damage[CLUSTER_WHY_BYTES];

static void on_event(void *context, const cluster_event *event) {
    (void)context;
    elected += event->kind == CLUSTER_ELECTED;
    lost += event->kind == CLUSTER_LOST;
    came += event->kind == CLUSTER_ENTRY;
    if (event->kind == CLUSTER_DAMAGED) snprintf(damage, sizeof damage, "%s", event->why);
    if (event->kind == CLUSTER_LOST) cluster_member_follow(member); /* nothing is under way here */
}

static void wait_until(const int *count, int most) {
    const uint64_t begin = uv_hrtime();
    while (*count < most && uv_hrtime() - begin < UINT64_C(10000000000)) {
        uv_run(&loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
    cr_assert_str_empty(damage);
    cr_assert_eq(*count, most);
}

static void begin(void) {
    uv_mutex_init(&mutex);
    uv_loop_init(&loop);
    const cluster_member_def def = {.store = &store,
                                    .map = "m",
                                    .node = "a",
                                    .lines = "-",
                                    .page = "-",
                                    .lease_ms = LEASE_MS,
                                    .on_event = on_event};
    member = cluster_member_open(&loop, &def);
    cr_assert(member);
    wait_until(&elected, 1);
}

static void end(void) {
    cluster_member_close(member, NULL, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    cr_assert_eq(uv_loop_close(&loop), 0);
    for (uint64_t i = 0; i < entry_count; i++) free(entries[i].bytes);
}

TestSuite(member, .init = begin, .fini = end);

static cluster_outcome append_entry(void) {
    char text[512];
    size_t size = cluster_member_head(member, "", text, sizeof text);
    return cluster_member_append(member, text, size);
}

Test(member, appends_while_it_owns) {
    cr_assert(cluster_member_owns(member));
    cr_assert_eq(append_entry(), CLUSTER_DONE);
    cr_assert_eq(append_entry(), CLUSTER_DONE);
    cr_assert_eq(entry_count, 3, "the first one began the term");
}

/* The answer of an append is lost until the lease has ended, and then a renewal's answer comes that was sent in time:
 * the node is the holder, but does not know the log's last entry. It follows, reads it, and owns the map again. */
Test(member, an_append_that_was_not_answered_makes_it_follow) {
    cr_assert_eq(append_entry(), CLUSTER_DONE);
    loses = hangs = true;
    cr_assert_eq(append_entry(), CLUSTER_REFUSED);
    loses = hangs = false;
    wait_until(&lost, 1);
    wait_until(&elected, 2);
    cr_assert_eq(came, 1, "the entry whose answer was lost");
    cr_assert_eq(append_entry(), CLUSTER_DONE);
    cr_assert_eq(cluster_member_set_epoch(member, 7).entry, entry_count);
}
