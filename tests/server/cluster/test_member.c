/* SPDX-License-Identifier: MIT */
/* A node's part, over a log in memory whose answers a test chooses. The log's consumer is the test itself. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/member.h"

enum { LEASE_MS = 400, MOST = 64 };

typedef enum answer { GOOD, LOSES_ANSWER, LOSES_CALL, IS_FULL } answer;

static struct {
    cluster_log log;
    uv_mutex_t mutex; ///< of what follows
    char *entries[MOST + 1];
    uint64_t last;
    _Atomic answer answer;
    _Atomic uint64_t from; ///< of follow()
    cluster_log_snapshot snapshots[3];
    int snapshot_count;
    atomic_bool closed;
} fake;

static struct {
    uv_loop_t loop;
    cluster_member *member;
    uint64_t done; ///< the last entry that was done
    int owns, lost, stops, snapshots, written;
    bool accepts; ///< snapshots
    char why[256], heir[64];
    bool closed;
} node;

/* ---- the log ---- */

static bool add(const char *bytes, size_t size, uint64_t expected) {
    uv_mutex_lock(&fake.mutex);
    const bool good = expected == fake.last && fake.last < MOST;
    if (good) fake.entries[++fake.last] = strndup(bytes, size);
    uv_mutex_unlock(&fake.mutex);
    return good;
}

static cluster_log_answer append(cluster_log *log, uint64_t expected, const char *bytes, size_t size) {
    const answer how = fake.answer;
    (void)log;
    if (how == LOSES_CALL) return (cluster_log_answer){.outcome = CLUSTER_LOG_UNKNOWN};
    if (how == IS_FULL) return (cluster_log_answer){.outcome = CLUSTER_LOG_FAILED};
    const bool good = add(bytes, size, expected);
    if (how == LOSES_ANSWER) return (cluster_log_answer){.outcome = CLUSTER_LOG_UNKNOWN};
    return (cluster_log_answer){.outcome = good ? CLUSTER_LOG_DONE : CLUSTER_LOG_REFUSED, .sequence = expected + 1};
}

static void follow(cluster_log *log, uint64_t from) {
    (void)log;
    fake.from = from;
}

static cluster_log_answer snapshot_get(cluster_log *log, uint64_t before, cluster_log_snapshot *out) {
    (void)log;
    for (int i = fake.snapshot_count; i-- > 0;) {
        if (fake.snapshots[i].last >= before) continue;
        *out = fake.snapshots[i];
        out->text = strdup("text");
        return (cluster_log_answer){.outcome = CLUSTER_LOG_DONE};
    }
    return (cluster_log_answer){.outcome = CLUSTER_LOG_REFUSED};
}

static void close_log(cluster_log *log) {
    (void)log;
    fake.closed = true;
}

/* ---- the node ---- */

static bool on_snapshot(void *context, const cluster_log_snapshot *snapshot) {
    (void)context;
    node.snapshots++;
    if (node.accepts) node.done = snapshot->entry;
    return node.accepts;
}

static const char *on_entry(void *context, const cluster_entry *entry, const char *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    node.done = entry->number;
    return NULL;
}

static void on_written(void *context, const cluster_entry *entry, const char *bytes, size_t size) {
    (void)context, (void)entry, (void)bytes, (void)size;
    node.written++;
}

static void on_owns(void *context) {
    (void)context;
    node.owns++;
}

static void on_lost(void *context) {
    (void)context;
    node.lost++;
}

static void on_beat(void *context, const cluster_report *beat, const char *more) {
    (void)context, (void)beat, (void)more;
}

static void on_seen(void *context, const cluster_report *seen, const char *why) {
    (void)context, (void)seen, (void)why;
}

static void on_move(void *context, const char *name) {
    (void)context;
    snprintf(node.heir, sizeof node.heir, "%s", name);
}

static void on_turn(void *context, uint64_t now_ns) {
    (void)context, (void)now_ns;
}

static void on_stop(void *context, const char *why) {
    (void)context;
    node.stops++;
    snprintf(node.why, sizeof node.why, "%s", why);
}

static void on_closed(void *context) {
    (void)context;
    node.closed = true;
}

static void open_node(void) {
    memset(&node, 0, sizeof node);
    uv_mutex_init(&fake.mutex);
    fake.log = (cluster_log){.append = append, .follow = follow, .snapshot_get = snapshot_get, .close = close_log};
    node.accepts = true;
    uv_loop_init(&node.loop);
    const cluster_member_def def = {"town",  "a",     LEASE_MS, 0,       false,   on_snapshot, on_entry, on_written,
                                    on_owns, on_lost, on_beat,  on_seen, on_move, on_turn,     on_stop,  NULL};
    node.member = cluster_member_open(&node.loop, &def);
    cr_assert(node.member);
    cluster_member_begin(node.member, &fake.log);
    const cluster_log_state state = {.connected = true, .usable = true};
    cluster_member_take_state(node.member, &state);
}

static void close_node(void) {
    cluster_member_close(node.member, on_closed, NULL);
    while (!node.closed) uv_run(&node.loop, UV_RUN_ONCE);
    cr_assert(fake.closed);
    cr_assert_eq(uv_loop_close(&node.loop), 0);
}

#define RUN_UNTIL(what)                                                                                                \
    do {                                                                                                               \
        const uint64_t end_ns = uv_hrtime() + UINT64_C(60000000000);                                                   \
        while (!(what) && uv_hrtime() < end_ns) uv_run(&node.loop, UV_RUN_ONCE);                                       \
        cr_assert(what, "%s: %s", #what, node.why);                                                                    \
    } while (0)

static void run_for(unsigned ms) {
    const uint64_t end_ns = uv_hrtime() + (uint64_t)ms * 1000000;
    while (uv_hrtime() < end_ns) uv_run(&node.loop, UV_RUN_ONCE);
}

/* What the consumer brings: the entry of a number. */
static void bring(uint64_t number) {
    uv_mutex_lock(&fake.mutex);
    char *bytes = strdup(fake.entries[number]);
    uv_mutex_unlock(&fake.mutex);
    cluster_member_take_entry(node.member, number, bytes, strlen(bytes));
    free(bytes);
}

/* An entry behind the log's last one. */
static cluster_entry next_of_log(cluster_kind kind, const char *writer, uint64_t term) {
    cluster_entry entry = {.kind = kind, .map = "town", .number = fake.last + 1, .term = term};
    const char *before = fake.last > 0 ? fake.entries[fake.last] : NULL;
    entry.after = before ? cluster_entry_hash(before, strlen(before)) : 0;
    entry.world = (cluster_world){.format = 1, .version = "1", .limits = "none"};
    snprintf(entry.writer, sizeof entry.writer, "%s", writer);
    return entry;
}

static void write_other(cluster_kind kind, const char *writer, uint64_t term) {
    char bytes[CLUSTER_HEAD_BYTES];
    const cluster_entry entry = next_of_log(kind, writer, term);
    cr_assert(add(bytes, cluster_entry_write(&entry, true, bytes), entry.number - 1));
}

static void become_owner(void) {
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    open_node();
    RUN_UNTIL(fake.from == 1);
    bring(1);
    RUN_UNTIL(node.owns == 1);
    cr_assert(node.done == 1 && cluster_member_owns(node.member));
    cr_assert_eq(cluster_member_term(node.member).term, 2);
}

static cluster_log_outcome append_own(cluster_kind kind) {
    char bytes[CLUSTER_HEAD_BYTES];
    const cluster_term term = cluster_member_term(node.member);
    const cluster_entry entry = cluster_term_next(&term, "town", kind);
    return cluster_member_append(node.member, bytes, cluster_entry_write(&entry, true, bytes));
}

/* ---- cases ---- */

Test(member, claims_a_quiet_map_and_appends) {
    become_owner();
    for (int i = 0; i < 5; i++) cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_DONE);
    for (uint64_t number = 2; number <= 7; number++) bring(number); /* its own entries are no news */
    run_for(100);
    cr_assert(node.done == 1 && node.lost == 0 && node.written == 6);
    close_node();
}

Test(member, needs_none_of_its_own_entries_from_a_log_that_was_cut) {
    become_owner();
    for (int i = 0; i < 5; i++) cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_DONE);
    bring(6);
    run_for(100);
    cr_assert(node.stops == 0 && cluster_member_owns(node.member));
    write_other(CLUSTER_KIND_CLAIM, "b", 8);
    bring(8);
    RUN_UNTIL(node.lost == 1);
    close_node();
}

Test(member, waits_for_the_first_entry) {
    open_node();
    RUN_UNTIL(fake.from == 1);
    run_for(2 * LEASE_MS);
    cr_assert(node.owns == 0 && fake.last == 0);
    close_node();
}

Test(member, beats_keep_it_from_claiming) {
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    write_other(CLUSTER_KIND_CLAIM, "b", 2);
    open_node();
    RUN_UNTIL(fake.from == 1);
    bring(1), bring(2);
    char line[CLUSTER_REPORT_BYTES];
    const cluster_report beat = {.node = "b", .address = "-", .page = "-", .version = "1", .term = 2, .sequence = 2};
    const size_t size = cluster_report_write(&beat, line, sizeof line);
    for (int i = 0; i < 12; i++) {
        cluster_member_take_message(node.member, CLUSTER_LOG_BEAT, "", line, size);
        run_for(LEASE_MS / 4);
    }
    cr_assert_eq(node.owns, 0);
    RUN_UNTIL(node.owns == 1);
    cr_assert_eq(cluster_member_term(node.member).term, 3);
    cluster_member_take_message(node.member, CLUSTER_LOG_ASK, "", "move b", 6);
    RUN_UNTIL(strcmp(node.heir, "b") == 0);
    close_node();
}

static void append_in_pool(uv_work_t *work) {
    *(cluster_log_outcome *)work->data = append_own(CLUSTER_KIND_ORDERS);
}

static void appended(uv_work_t *work, int status) {
    (void)status;
    work->data = NULL;
}

Test(member, an_unanswered_entry_is_known_by_the_log) {
    uv_work_t work;
    cluster_log_outcome outcome = CLUSTER_LOG_FAILED;
    become_owner();
    fake.answer = LOSES_ANSWER;
    work.data = &outcome;
    uv_queue_work(&node.loop, &work, append_in_pool, appended);
    RUN_UNTIL(fake.last == 3);
    bring(2), bring(3);
    RUN_UNTIL(!work.data);
    cr_assert_eq(outcome, CLUSTER_LOG_DONE);
    cr_assert(cluster_member_owns(node.member) && fake.last == 3 && node.lost == 0);
    close_node();
}

Test(member, an_unanswered_entry_whose_place_another_has_is_not_done) {
    uv_work_t work;
    cluster_log_outcome outcome = CLUSTER_LOG_FAILED;
    become_owner();
    fake.answer = LOSES_CALL;
    work.data = &outcome;
    uv_queue_work(&node.loop, &work, append_in_pool, appended);
    run_for(50);
    write_other(CLUSTER_KIND_CLAIM, "b", 3);
    bring(2), bring(3);
    RUN_UNTIL(!work.data && node.lost == 1);
    cr_assert_eq(outcome, CLUSTER_LOG_REFUSED);
    cluster_member_follow(node.member);
    RUN_UNTIL(node.done == 3);
    cr_assert(strcmp(cluster_member_term(node.member).owner, "b") == 0);
    close_node();
}

Test(member, an_entry_without_an_answer_for_a_lease_is_unknown_and_may_come_later) {
    become_owner();
    char bytes[CLUSTER_HEAD_BYTES];
    const cluster_term term = cluster_member_term(node.member);
    const cluster_entry entry = cluster_term_next(&term, "town", CLUSTER_KIND_ORDERS);
    const size_t size = cluster_entry_write(&entry, true, bytes);
    fake.answer = LOSES_CALL;
    const uint64_t begun = uv_hrtime();
    cr_assert_eq(cluster_member_append(node.member, bytes, size), CLUSTER_LOG_UNKNOWN);
    cr_assert(uv_hrtime() - begun >= (uint64_t)LEASE_MS * 1000000);
    RUN_UNTIL(node.lost == 1);
    cr_assert_not(cluster_member_owns(node.member));
    cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_REFUSED); /* nothing more is sent */
    cluster_member_follow(node.member);
    cr_assert(add(bytes, size, 2));
    bring(2), bring(3);
    RUN_UNTIL(node.done == 3);
    fake.answer = GOOD;
    RUN_UNTIL(node.owns == 2);
    cr_assert_eq(cluster_member_term(node.member).term, 4);
    close_node();
}

Test(member, a_refused_entry_ends_its_term) {
    become_owner();
    write_other(CLUSTER_KIND_CLAIM, "b", 3);
    cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_REFUSED);
    RUN_UNTIL(node.lost == 1);
    close_node();
}

Test(member, a_claim_of_another_ends_its_term) {
    become_owner();
    write_other(CLUSTER_KIND_CLAIM, "b", 3);
    bring(2), bring(3);
    RUN_UNTIL(node.lost == 1);
    cluster_member_follow(node.member);
    RUN_UNTIL(node.done == 3);
    close_node();
}

Test(member, a_full_log_ends_no_term) {
    become_owner();
    fake.answer = IS_FULL;
    cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_FAILED);
    run_for(50);
    fake.answer = GOOD;
    cr_assert_eq(append_own(CLUSTER_KIND_ORDERS), CLUSTER_LOG_DONE);
    cr_assert_eq(node.lost, 0);
    close_node();
}

static void lose_the_log(const cluster_log_state *state, const char *why) {
    become_owner();
    cluster_member_take_state(node.member, state);
    run_for(LEASE_MS / 4);
    cr_assert(cluster_member_owns(node.member));
    RUN_UNTIL(node.lost == 1);
    cr_assert_not(cluster_member_owns(node.member));
    cr_assert(strstr(cluster_member_problem(node.member), why));
    close_node();
}

Test(member, an_owner_without_a_connection_stops_after_a_lease) {
    lose_the_log(&(cluster_log_state){.connected = false}, "no connection");
}

Test(member, an_owner_whose_stream_is_gone_stops_after_a_lease) {
    lose_the_log(&(cluster_log_state){.connected = true, .why = "stream not found"}, "not found");
}

Test(member, begins_at_the_newest_snapshot_that_is_good) {
    fake.snapshots[0] = (cluster_log_snapshot){.entry = 5, .term = 2, .after = 9, .first = 1, .last = 3};
    fake.snapshots[1] = (cluster_log_snapshot){.entry = 8, .term = 2, .after = 9, .first = 4, .last = 6};
    fake.snapshot_count = 2;
    open_node();
    RUN_UNTIL(fake.from == 9);
    cr_assert(node.snapshots == 1 && node.done == 8);
    close_node();
}

Test(member, waits_for_the_next_snapshot_where_none_is_good) {
    fake.snapshots[0] = (cluster_log_snapshot){.entry = 5, .first = 1, .last = 3};
    fake.snapshots[1] = (cluster_log_snapshot){.entry = 8, .first = 4, .last = 6};
    fake.snapshot_count = 2;
    open_node();
    node.accepts = false;
    RUN_UNTIL(cluster_member_waits(node.member)[0]);
    cr_assert(node.snapshots == 2 && fake.from == 0 && strstr(cluster_member_waits(node.member), "no snapshot"));
    fake.snapshots[fake.snapshot_count++] = (cluster_log_snapshot){.entry = 9, .first = 7, .last = 9};
    node.accepts = true;
    RUN_UNTIL(fake.from == 10);
    cr_assert(node.stops == 0 && cluster_member_waits(node.member)[0] == '\0');
    close_node();
}

Test(member, begins_at_the_first_entry_where_broken_snapshots_are_gone) {
    fake.snapshots[0] = (cluster_log_snapshot){.entry = 5, .first = 1, .last = 3};
    fake.snapshot_count = 1;
    open_node();
    node.accepts = false;
    RUN_UNTIL(cluster_member_waits(node.member)[0]);
    fake.snapshot_count = 0;
    RUN_UNTIL(fake.from == 1);
    cr_assert(node.stops == 0 && cluster_member_waits(node.member)[0] == '\0');
    close_node();
}

Test(member, a_follower_that_lacks_entries_begins_again_at_a_snapshot) {
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    for (int i = 0; i < 8; i++) write_other(CLUSTER_KIND_CLAIM, "b", fake.last + 1);
    open_node();
    RUN_UNTIL(fake.from == 1);
    run_for(50);
    bring(1);
    RUN_UNTIL(node.done == 1);
    const char *sixth = fake.entries[6];
    fake.snapshots[0] = (cluster_log_snapshot){
        .entry = 6, .term = 6, .after = cluster_entry_hash(sixth, strlen(sixth)), .first = 1, .last = 1};
    fake.snapshot_count = 1;
    bring(9);
    RUN_UNTIL(fake.from == 7);
    run_for(50);
    bring(7), bring(8), bring(9);
    RUN_UNTIL(node.done == 9);
    bring(9); /* again */
    run_for(50);
    cr_assert_eq(node.stops, 0);
    close_node();
}

Test(member, waits_for_a_snapshot_where_entries_are_gone) {
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    for (int i = 0; i < 8; i++) write_other(CLUSTER_KIND_CLAIM, "b", fake.last + 1);
    open_node();
    RUN_UNTIL(fake.from == 1);
    run_for(50);
    bring(9);
    RUN_UNTIL(cluster_member_waits(node.member)[0]);
    cr_assert(strstr(cluster_member_waits(node.member), "lacks entries"));
    run_for(2 * LEASE_MS);
    cr_assert(node.owns == 0 && node.done == 0 && node.stops == 0);
    const char *ninth = fake.entries[9];
    fake.snapshots[0] = (cluster_log_snapshot){
        .entry = 9, .term = 9, .after = cluster_entry_hash(ninth, strlen(ninth)), .first = 1, .last = 1};
    fake.snapshot_count = 1;
    RUN_UNTIL(fake.from == 10);
    cr_assert(node.stops == 0 && cluster_member_waits(node.member)[0] == '\0');
    close_node();
}

Test(member, stops_at_what_it_cannot_read) {
    static const char *const bad[] = {
        "# a journal of wend serve\n# map town entry 2 term 2 writer b after 0000000000000000 dance\n",
        "# a journal of wend serve\n# map town entry 2 term 2 writer b after 0000000000000000 claim\n", "nonsense", ""};
    static const char *const why[] = {"newer wend", "cannot be read", "cannot be read", "cannot be read"};
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fake.from = 0;
        fake.closed = false;
        open_node();
        RUN_UNTIL(fake.from == 1);
        bring(1);
        cluster_member_take_entry(node.member, 2, bad[i], strlen(bad[i]));
        RUN_UNTIL(node.stops == 1);
        cr_assert(strstr(node.why, why[i]), "%s", node.why);
        run_for(2 * LEASE_MS);
        cr_assert_eq(node.owns, 0);
        close_node();
    }
}

Test(member, a_log_that_refuses_all_claims_stops_it) {
    write_other(CLUSTER_KIND_HEAD, "init", 0);
    open_node();
    RUN_UNTIL(fake.from == 1);
    bring(1);
    RUN_UNTIL(node.done == 1);
    fake.last = 0; /* it is another one, and shorter */
    RUN_UNTIL(node.stops == 1);
    cr_assert(strstr(node.why, "refuses"));
    close_node();
}
