/* SPDX-License-Identifier: MIT */
/* The lease: its calls one by one, and three nodes over a store that delays, refuses and loses, with clocks of
 * different speeds. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cluster/lease.h"
#include "models/random.h"

enum { NS_A_MS = 1000000, LEASE_MS = 1000, MOST_PENDING = 64 };

/* ---- a store in memory ---- */

/// A write that lands later, if it does.
typedef struct pending {
    uint64_t lands_ns, revision;
    char text[CLUSTER_TEXT_BYTES + 1];
} pending;

static cluster_value there;           ///< the one text
static uint64_t log_length, log_term; ///< the log: how many entries, and the term of the last one
static pending on_its_way[MOST_PENDING];
static size_t pending_count;
static uint64_t true_ns; ///< since the test began

static bool compare_and_set(uint64_t revision, const char *text) {
    if (revision != there.revision) return false;
    snprintf(there.text, sizeof there.text, "%s", text);
    there.revision++;
    return true;
}

static void land(void) {
    for (size_t i = 0; i < pending_count;) {
        if (on_its_way[i].lands_ns > true_ns) {
            i++;
            continue;
        }
        compare_and_set(on_its_way[i].revision, on_its_way[i].text);
        on_its_way[i] = on_its_way[--pending_count];
    }
}

static cluster_outcome read_text(cluster_value *out) {
    *out = there;
    return there.revision > 0 ? CLUSTER_DONE : CLUSTER_NOTHING;
}

/* ---- clocks ---- */

enum { NODES = 3, REAL = -2, STEADY = -1 };

/// A node of the model.
typedef struct node {
    cluster_store store;
    cluster_lease lease;
    char name[2];
    uint64_t rate_permille, offset_ns; ///< of its clock
    uint64_t wakes_ns;                 ///< the true time
    pthread_t thread;
    pthread_cond_t turn;
} node;

static node nodes[NODES];
static int running = REAL; ///< the node whose turn it is; STEADY: the true time; REAL: the system's

static uint64_t clock_of(const node *n) {
    return n->offset_ns + true_ns / 1000 * n->rate_permille;
}

/* lease.c asks for CLOCK_BOOTTIME; the linker sends its call here. */
int __real_clock_gettime(clockid_t clock, struct timespec *out);
__attribute__((visibility("default"))) int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
    enum { NS_A_S = 1000000000 };
    if (clock != CLOCK_BOOTTIME || running == REAL) return __real_clock_gettime(clock, out);
    const uint64_t now = running == STEADY ? true_ns + 1 : clock_of(&nodes[running]);
    out->tv_sec = (time_t)(now / NS_A_S);
    out->tv_nsec = (long)(now % NS_A_S);
    return 0;
}

/* ---- the calls, one by one ---- */

typedef enum trouble { WELL, LOSES_ANSWER, LOSES_BOTH, DELAYS, REPEATS, IS_AWAY } trouble;

static trouble next_set, next_get;

static cluster_outcome plain_get(cluster_store *store, const char *key, cluster_value *out) {
    (void)store, (void)key;
    *out = (cluster_value){.revision = 0};
    return next_get == IS_AWAY ? CLUSTER_UNKNOWN : read_text(out);
}

static cluster_outcome do_set(cluster_value *value, trouble what, uint64_t delay_ns) {
    switch (what) {
    case LOSES_BOTH:
    case IS_AWAY: return CLUSTER_UNKNOWN;
    case DELAYS:
        if (pending_count == MOST_PENDING) return CLUSTER_UNKNOWN;
        on_its_way[pending_count] = (pending){.lands_ns = true_ns + delay_ns, .revision = value->revision};
        memcpy(on_its_way[pending_count++].text, value->text, sizeof value->text);
        return CLUSTER_UNKNOWN;
    default: break;
    }
    if (!compare_and_set(value->revision, value->text)) return CLUSTER_REFUSED;
    if (what == LOSES_ANSWER) return CLUSTER_UNKNOWN;
    if (what == REPEATS) return CLUSTER_REFUSED; /* the client sent it twice, and hears of the second time */
    value->revision++;
    return CLUSTER_DONE;
}

static cluster_outcome plain_set(cluster_store *store, const char *key, cluster_value *value) {
    const trouble what = next_set;
    (void)store, (void)key;
    next_set = WELL;
    return do_set(value, what, LEASE_MS / 10 * (uint64_t)NS_A_MS);
}

static cluster_store plain = {.get = plain_get, .set = plain_set};
static cluster_lease one, two;

static void begin(void) {
    running = STEADY;
    one = (cluster_lease){.store = &plain, .map = "m", .node = "one", .lease_ms = LEASE_MS};
    two = (cluster_lease){.store = &plain, .map = "m", .node = "two", .lease_ms = LEASE_MS};
}

static void pass_ms(uint64_t ms) {
    true_ns += ms * NS_A_MS;
    land();
}

static cluster_holder self_of(const char *name) {
    cluster_holder self = {.lines = "127.0.0.1:1", .page = "127.0.0.1:2"};
    snprintf(self.node, sizeof self.node, "%s", name);
    return self;
}

static cluster_outcome claim(cluster_lease *lease, uint64_t least_term) {
    const cluster_holder self = self_of(lease->node);
    return cluster_lease_claim(lease, &self, least_term);
}

static bool holds(const cluster_lease *lease) {
    return cluster_now_ns() < lease->until_ns;
}

TestSuite(lease, .init = begin);

Test(lease, is_free_at_once_where_nobody_ever_served) {
    cr_assert_eq(cluster_lease_is_free(&one, true), false, "it was not looked at yet");
    cr_assert_eq(cluster_lease_watch(&one), CLUSTER_NOTHING);
    cr_assert(cluster_lease_is_free(&one, true));
    cr_assert_not(cluster_lease_is_free(&one, false), "an owner may have lost its bucket");
    cr_assert_eq(claim(&one, 0), CLUSTER_DONE);
    cr_assert_eq(one.holder.term, 1);
    cr_assert(holds(&one));
    pass_ms(LEASE_MS - 1);
    cr_assert(holds(&one));
    pass_ms(1);
    cr_assert_not(holds(&one));
}

Test(lease, a_candidate_waits_the_time_and_the_drift) {
    cluster_lease_watch(&one);
    cr_assert_eq(claim(&one, 0), CLUSTER_DONE);
    pass_ms(500); /* it counts from when it saw it first */
    cr_assert_eq(cluster_lease_watch(&two), CLUSTER_DONE);
    cr_assert_str_eq(two.holder.node, "one");
    for (int ms = 0; ms <= LEASE_MS + LEASE_MS / CLUSTER_DRIFT_PART; ms += 10, pass_ms(10)) {
        cluster_lease_watch(&two);
        cr_assert_not(cluster_lease_is_free(&two, false), "after %d ms", ms);
    }
    cr_assert(cluster_lease_is_free(&two, false));
    cr_assert_eq(claim(&two, 0), CLUSTER_DONE);
    cr_assert_eq(two.holder.term, 2);
    cr_assert_eq(cluster_lease_renew(&one, 1, 1), CLUSTER_REFUSED);
    cr_assert_eq(one.until_ns, 0);
}

Test(lease, a_renewal_begins_the_wait_again) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    for (int i = 0; i < 5; i++) {
        cluster_lease_watch(&two);
        cr_assert_not(cluster_lease_is_free(&two, false));
        pass_ms(LEASE_MS - 100);
        cr_assert_eq(cluster_lease_renew(&one, 7, 8), CLUSTER_DONE);
        cr_assert(holds(&one));
    }
    cluster_lease_watch(&two);
    cr_assert_eq(two.holder.entry, 7);
    cr_assert_eq(two.holder.epoch, 8);
}

Test(lease, terms_rise_above_the_lease_and_the_log) {
    cluster_lease_watch(&one);
    cr_assert_eq(claim(&one, 41), CLUSTER_DONE);
    cr_assert_eq(one.holder.term, 42);
    cr_assert_eq(cluster_lease_release(&one, "-"), CLUSTER_DONE);
    cluster_lease_watch(&two);
    cr_assert_eq(claim(&two, 7), CLUSTER_DONE);
    cr_assert_eq(two.holder.term, 43);
}

Test(lease, what_is_given_back_is_its_heirs) {
    cluster_lease three = {.store = &plain, .map = "m", .node = "three", .lease_ms = LEASE_MS};
    cluster_lease_watch(&one);
    claim(&one, 0);
    cr_assert_eq(cluster_lease_release(&one, "two"), CLUSTER_DONE);
    cr_assert_not(holds(&one));
    cluster_lease_watch(&two), cluster_lease_watch(&three);
    cr_assert(cluster_lease_is_free(&two, false));
    cr_assert_not(cluster_lease_is_free(&three, false));
    pass_ms(LEASE_MS + LEASE_MS / CLUSTER_DRIFT_PART + 1); /* an heir that never comes is not waited for */
    cr_assert(cluster_lease_is_free(&three, false));
    cr_assert_eq(claim(&three, 0), CLUSTER_DONE);
    cr_assert_eq(claim(&two, 0), CLUSTER_REFUSED);
    cr_assert_eq(two.until_ns, 0);
}

Test(lease, of_two_that_claim_one_gets_it) {
    cluster_lease_watch(&one), cluster_lease_watch(&two);
    cr_assert_eq(claim(&one, 0), CLUSTER_DONE);
    cr_assert_eq(claim(&two, 0), CLUSTER_REFUSED);
}

Test(lease, a_write_whose_answer_was_lost_is_known_by_its_text) {
    cluster_lease_watch(&one);
    next_set = LOSES_ANSWER;
    cr_assert_eq(claim(&one, 0), CLUSTER_DONE);
    next_set = REPEATS;
    cr_assert_eq(cluster_lease_renew(&one, 0, 0), CLUSTER_DONE);
    next_set = LOSES_BOTH;
    const uint64_t until = one.until_ns;
    pass_ms(300);
    cr_assert_eq(cluster_lease_renew(&one, 0, 0), CLUSTER_UNKNOWN);
    cr_assert_eq(one.until_ns, until, "it is the holder until its time has passed, and no longer");
    cr_assert_eq(cluster_lease_renew(&one, 0, 0), CLUSTER_DONE);
    cr_assert_gt(one.until_ns, until);
}

/* The others count from when that renewal came, so the next one's time must not begin with its own try. */
Test(lease, a_renewal_that_came_late_does_not_prolong) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    pass_ms(100);
    next_set = DELAYS;
    cr_assert_eq(cluster_lease_renew(&one, 0, 0), CLUSTER_UNKNOWN);
    pass_ms(100); /* it lands */
    cluster_lease_watch(&two);
    pass_ms(600);
    next_set = LOSES_BOTH;
    (void)cluster_lease_renew(&one, 0, 0); /* the text there says the same as this one would */
    for (int ms = 0; ms < 2 * LEASE_MS; ms += 10, pass_ms(10)) {
        cluster_lease_watch(&two);
        if (cluster_lease_is_free(&two, false)) cr_assert_not(holds(&one), "after %d ms", ms);
    }
}

Test(lease, a_renewal_that_came_late_does_not_lose_the_lease) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    next_set = DELAYS;
    cr_assert_eq(cluster_lease_renew(&one, 0, 0), CLUSTER_UNKNOWN);
    pass_ms(200);
    const cluster_outcome first = cluster_lease_renew(&one, 1, 1);
    cr_assert_neq(first, CLUSTER_REFUSED, "nobody else wrote");
    cr_assert(holds(&one));
    cr_assert_eq(cluster_lease_renew(&one, 1, 1), CLUSTER_DONE);
}

Test(lease, a_renewal_that_came_late_is_not_in_the_heirs_way) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    next_set = DELAYS;
    (void)cluster_lease_renew(&one, 0, 0);
    pass_ms(200);
    cr_assert_eq(cluster_lease_release(&one, "two"), CLUSTER_DONE);
    cr_assert_not(holds(&one));
    cluster_lease_watch(&two);
    cr_assert(cluster_lease_is_free(&two, false));
}

Test(lease, a_claim_of_the_process_before_is_not_this_ones) {
    cluster_lease_watch(&one);
    next_set = DELAYS;
    cr_assert_eq(claim(&one, 0), CLUSTER_UNKNOWN);
    begin();
    cluster_lease_watch(&one);
    pass_ms(200); /* it lands */
    cr_assert_eq(claim(&one, 0), CLUSTER_REFUSED, "others count from when it landed");
}

Test(lease, a_claim_that_was_refused_waits_again) {
    cluster_lease_watch(&one), cluster_lease_watch(&two);
    pass_ms(2 * LEASE_MS);
    cr_assert_eq(claim(&one, 0), CLUSTER_DONE);
    cr_assert_eq(claim(&two, 0), CLUSTER_REFUSED);
    there = (cluster_value){.revision = 0}; /* the bucket is lost, and looks as it did before */
    cluster_lease_watch(&two);
    cr_assert_not(cluster_lease_is_free(&two, false));
}

/* A bucket that was made again counts its revisions from 1. */
Test(lease, another_text_of_the_same_revision_is_new) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    cluster_lease_watch(&two);
    pass_ms(5 * LEASE_MS);
    there = (cluster_value){.revision = 0};
    cluster_lease third = {.store = &plain, .map = "m", .node = "third", .lease_ms = LEASE_MS};
    cluster_lease_watch(&third);
    claim(&third, 5);
    cr_assert_eq(there.revision, two.value.revision);
    cluster_lease_watch(&two);
    cr_assert_str_eq(two.holder.node, "third");
    cr_assert_not(cluster_lease_is_free(&two, false));
}

Test(lease, a_store_that_is_away_changes_nothing) {
    cluster_lease_watch(&one);
    claim(&one, 0);
    cluster_lease_watch(&two);
    next_get = IS_AWAY;
    const cluster_lease before = two;
    pass_ms(10);
    cr_assert_eq(cluster_lease_watch(&two), CLUSTER_UNKNOWN);
    cr_assert_eq(two.seen_ns, before.seen_ns);
    cr_assert_eq(two.value.revision, before.value.revision);
}

Test(lease, texts_that_are_none_have_no_term) {
    static const char *const bad[] = {"",
                                      "-",
                                      "term=x",
                                      "term=1 node=a lines=- page=- heir=- entry=1 epoch=1",
                                      "term=1 node= lines=- page=- heir=- entry=1 epoch=1 renewals=1",
                                      "term=1 node=a\"b lines=- page=- heir=- entry=1 epoch=1 renewals=1",
                                      "term=1 node=a lines=a\"b page=- heir=- entry=1 epoch=1 renewals=1",
                                      "term=1 node=a lines=- page=\\ heir=- entry=1 epoch=1 renewals=1",
                                      "term=1 node=a lines=- page=\xff heir=- entry=1 epoch=1 renewals=1",
                                      "term=1 node=a lines=- page=- heir=. entry=1 epoch=1 renewals=1"};
    cluster_holder holder;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_assert_not(cluster_holder_read(bad[i], &holder), "%zu", i);
    cr_assert(
        cluster_holder_read("term=9 node=a lines=/tmp/s page=[::1]:80 heir=- entry=1 epoch=2 renewals=3", &holder));
    cr_assert_eq(holder.term, 9);
    cr_assert_str_eq(holder.page, "[::1]:80");
    snprintf(there.text, sizeof there.text, "nonsense");
    there.revision = 3;
    cluster_lease_watch(&one);
    cr_assert_eq(one.holder.term, 0);
    cr_assert_not(cluster_lease_is_free(&one, true), "there may be an owner");
    pass_ms(LEASE_MS + LEASE_MS / CLUSTER_DRIFT_PART + 1);
    cr_assert(cluster_lease_is_free(&one, false));
    cr_assert_eq(claim(&one, 12), CLUSTER_DONE);
    cr_assert_eq(one.holder.term, 13);
}

/* ---- three nodes and random troubles ----
 *
 * Each node is a thread, and one runs at a time: the one that wakes first by the true time. A call of the store takes
 * time, in which the others run. The log is as plain as the promise: an append names how long the log is. */

static pthread_mutex_t baton = PTHREAD_MUTEX_INITIALIZER;
static uint64_t random_state, ends_ns;
static uint64_t claims, renewals, terms_begun, buckets_lost; ///< what happened
static uint64_t bucket_lost_ns;
static const char *wrong;
static int wrong_node;

static void complain(const node *n, const char *what) {
    if (wrong) return;
    wrong = what;
    wrong_node = (int)(n - nodes);
}

static void check_holders(void) {
    int holders = 0;
    for (int i = 0; i < NODES; i++) holders += clock_of(&nodes[i]) < nodes[i].lease.until_ns;
    if (holders > 1) complain(&nodes[0], "two nodes hold the lease at one time");
}

/* Lets those run that wake before this node does. */
static void sleep_ns(node *n, uint64_t ns) {
    n->wakes_ns = true_ns + ns;
    int first = 0;
    for (int i = 1; i < NODES; i++)
        if (nodes[i].wakes_ns < nodes[first].wakes_ns) first = i;
    if (nodes[first].wakes_ns > true_ns) true_ns = nodes[first].wakes_ns;
    land();
    check_holders();
    running = first;
    if (&nodes[first] == n) return;
    pthread_cond_signal(&nodes[first].turn);
    while (running != (int)(n - nodes)) pthread_cond_wait(&n->turn, &baton);
}

static void sleep_ms(node *n, uint32_t least, uint32_t most) {
    sleep_ns(n, (least + draw(&random_state, most - least + 1)) * (uint64_t)NS_A_MS);
}

static trouble draw_trouble(void) {
    const uint32_t chance = draw(&random_state, 100);
    return chance < 70   ? WELL
           : chance < 76 ? LOSES_ANSWER
           : chance < 82 ? LOSES_BOTH
           : chance < 92 ? DELAYS
           : chance < 96 ? REPEATS
                         : IS_AWAY;
}

static node *node_of(cluster_store *store) {
    return (node *)(void *)store;
}

static cluster_outcome far_get(cluster_store *store, const char *key, cluster_value *out) {
    (void)key;
    *out = (cluster_value){.revision = 0};
    sleep_ms(node_of(store), 0, 40);
    cluster_value now;
    const cluster_outcome outcome = read_text(&now);
    sleep_ms(node_of(store), 0, 40);
    if (draw_trouble() >= DELAYS) return CLUSTER_UNKNOWN;
    *out = now;
    return outcome;
}

static cluster_outcome far_set(cluster_store *store, const char *key, cluster_value *value) {
    (void)key;
    sleep_ms(node_of(store), 0, 60);
    const uint64_t delay_ns = draw(&random_state, 3 * LEASE_MS) * (uint64_t)NS_A_MS;
    const cluster_outcome outcome = do_set(value, draw_trouble(), delay_ns);
    sleep_ms(node_of(store), 0, outcome == CLUSTER_UNKNOWN ? LEASE_MS * 2 / 3 : 60);
    return outcome;
}

/* As begin_term() of member.c: reads to the log's end, and appends behind it. */
static bool begin_term(node *n) {
    while (cluster_now_ns() < n->lease.until_ns) {
        const uint64_t length = log_length;
        sleep_ms(n, 0, 100);
        if (cluster_now_ns() >= n->lease.until_ns || length != log_length) continue;
        if (n->lease.holder.term <= log_term) complain(n, "a term does not rise above the log's");
        log_length++;
        log_term = n->lease.holder.term;
        terms_begun++;
        return true;
    }
    return false;
}

static void stand_for_it(node *n) {
    const cluster_outcome seen = cluster_lease_watch(&n->lease);
    if (seen == CLUSTER_UNKNOWN || !cluster_lease_is_free(&n->lease, log_length == 0)) return;
    const uint64_t known = n->lease.holder.term, of_log = log_term;
    if (draw(&random_state, 4) == 0) sleep_ms(n, 0, 400); /* entries are brought back */
    const cluster_holder self = self_of(n->name);
    if (cluster_lease_claim(&n->lease, &self, of_log) != CLUSTER_DONE) return;
    claims++;
    if (n->lease.holder.term <= known || n->lease.holder.term <= of_log) complain(n, "a term does not rise");
    if (!begin_term(n)) cluster_lease_release(&n->lease, "-");
}

static void be_the_holder(node *n) {
    if (draw(&random_state, 12) == 0) {
        const char *heir = draw(&random_state, 2) ? "-" : nodes[draw(&random_state, NODES)].name;
        cluster_lease_release(&n->lease, heir);
        return;
    }
    renewals += cluster_lease_renew(&n->lease, log_length, 0) == CLUSTER_DONE;
}

/* A node that stood still while a bucket was lost, claimed in and lost again cannot know: the log alone helps there. */
static void lose_bucket(void) {
    enum { APART = 6 };
    if (log_length == 0 || true_ns < bucket_lost_ns + (uint64_t)APART * LEASE_MS * NS_A_MS) return;
    bucket_lost_ns = true_ns;
    there = (cluster_value){.revision = 0};
    pending_count = 0; /* they are for a stream that is not there any more */
    buckets_lost++;
}

static void *live(void *context) {
    node *n = context;
    pthread_mutex_lock(&baton);
    while (running != (int)(n - nodes)) pthread_cond_wait(&n->turn, &baton);
    while (true_ns < ends_ns && !wrong) {
        const uint32_t chance = draw(&random_state, 300);
        if (chance < 6) sleep_ms(n, 0, 3 * LEASE_MS); /* it stands still */
        if (chance == 6)
            n->lease = (cluster_lease){.store = &n->store, .map = "m", .node = n->name, .lease_ms = LEASE_MS};
        if (chance >= 290) lose_bucket();
        const bool owns = cluster_now_ns() < n->lease.until_ns;
        if (owns)
            be_the_holder(n);
        else
            stand_for_it(n);
        sleep_ms(n, 1, owns ? LEASE_MS / 2 : LEASE_MS / 8);
    }
    n->wakes_ns = UINT64_MAX;
    for (int i = 0; i < NODES; i++)
        if (nodes[i].wakes_ns != UINT64_MAX) running = i;
    pthread_cond_signal(&nodes[running].turn);
    pthread_mutex_unlock(&baton);
    return NULL;
}

static void run_world(uint64_t seed) {
    enum { LEASES = 200 };
    random_state = seed;
    there = (cluster_value){.revision = 0};
    pending_count = 0, log_length = log_term = 0, true_ns = bucket_lost_ns = 0;
    ends_ns = (uint64_t)LEASES * LEASE_MS * NS_A_MS;
    for (int i = 0; i < NODES; i++) {
        nodes[i] = (node){.store = {.get = far_get, .set = far_set}, .name = {(char)('a' + i), '\0'}};
        nodes[i].lease =
            (cluster_lease){.store = &nodes[i].store, .map = "m", .node = nodes[i].name, .lease_ms = LEASE_MS};
        nodes[i].rate_permille = 1000 + draw(&random_state, 1000 / CLUSTER_DRIFT_PART);
        nodes[i].offset_ns = 1 + draw(&random_state, 1000) * (uint64_t)NS_A_MS;
        pthread_cond_init(&nodes[i].turn, NULL);
    }
    running = 0;
    for (int i = 0; i < NODES; i++) cr_assert_eq(pthread_create(&nodes[i].thread, NULL, live, &nodes[i]), 0);
    for (int i = 0; i < NODES; i++) pthread_join(nodes[i].thread, NULL);
    cr_assert_null(wrong, "seed %llu, %llu ms, node %d: %s", (unsigned long long)seed,
                   (unsigned long long)(true_ns / NS_A_MS), wrong_node, wrong);
}

Test(lease_model, never_has_two_holders_and_terms_rise) {
    enum { WORLDS = 40 };
    for (uint64_t seed = 1; seed <= WORLDS; seed++) run_world(seed);
    cr_log_info("%llu claims, %llu renewals, %llu terms begun, %llu buckets lost", (unsigned long long)claims,
                (unsigned long long)renewals, (unsigned long long)terms_begun, (unsigned long long)buckets_lost);
    cr_assert(claims > 10 * WORLDS && renewals > 30 * WORLDS && terms_begun > 10 * WORLDS && buckets_lost > WORLDS);
}
