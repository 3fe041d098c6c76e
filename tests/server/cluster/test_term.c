/* SPDX-License-Identifier: MIT */
/* The rules of claims: by hand, and in random worlds. A world has some nodes and a log that delays, loses, repeats and
 * refuses; its checker knows only the log's fence, and which node was sent each acknowledgement. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cluster/term.h"

enum { MS = 1000000, LEASE_MS = 1000 };

static cluster_term node_of(const char *name) {
    cluster_term t = {.node = name, .lease_ns = (uint64_t)LEASE_MS * MS};
    cluster_term_begin(&t, 1, 1, 0, 0);
    return t;
}

/* The entry goes into the log, and is done at a node. */
static const char *do_entry(cluster_term *t, const cluster_entry *entry, uint64_t now) {
    const char *wrong = cluster_term_check(t, entry);
    if (!wrong) cluster_term_done(t, entry, entry->number, now);
    return wrong;
}

Test(term, is_claimed_after_the_whole_lease_and_a_part) {
    cluster_term t = node_of("a");
    cr_assert_not(cluster_term_may_claim(&t, (uint64_t)LEASE_MS * MS * 11 / 10 - 1));
    cr_assert(cluster_term_may_claim(&t, (uint64_t)LEASE_MS * MS * 135 / 100));
    t.never_owns = true;
    cr_assert_not(cluster_term_may_claim(&t, (uint64_t)LEASE_MS * MS * 9));
    t.never_owns = false, t.floor = 2; /* the journal has more */
    cr_assert_not(cluster_term_may_claim(&t, (uint64_t)LEASE_MS * MS * 9));
    t.floor = 0, t.cut_off_ns = 1;
    cr_assert_not(cluster_term_may_claim(&t, (uint64_t)LEASE_MS * MS * 9));
}

Test(term, beats_put_a_claim_off) {
    cluster_term t = node_of("a"), o = node_of("o");
    const cluster_entry claim = cluster_term_next(&o, "m", CLUSTER_KIND_CLAIM);
    cr_assert(!do_entry(&t, &claim, 0));
    cluster_report beat = {.term = 2, .sequence = 2};
    const uint64_t later = (uint64_t)LEASE_MS * MS * 135 / 100;
    cluster_term_heard(&t, &beat, later - 1);
    cr_assert_not(cluster_term_may_claim(&t, later));
    beat.term = 1; /* beat of an earlier owner */
    cluster_term_heard(&t, &beat, 2 * later - 1);
    cr_assert(cluster_term_may_claim(&t, 2 * later));
}

Test(term, entries_of_others_than_the_owner_are_wrong) {
    cluster_term t = node_of("a"), o = node_of("o");
    const cluster_entry early = cluster_term_next(&o, "m", CLUSTER_KIND_ORDERS);
    cr_assert(do_entry(&t, &early, 0)); /* before any claim */
    cluster_entry entry = cluster_term_next(&o, "m", CLUSTER_KIND_CLAIM);
    entry.term = 7;
    cr_assert(do_entry(&t, &entry, 0));
    entry.term = 2;
    cr_assert(!do_entry(&t, &entry, 0) && !do_entry(&o, &entry, 0));
    cr_assert(t.term == 2 && strcmp(t.owner, "o") == 0);
    entry = cluster_term_next(&o, "m", CLUSTER_KIND_ORDERS);
    entry.after++;
    cr_assert(do_entry(&t, &entry, 0));
    entry.after--, entry.number++;
    cr_assert(do_entry(&t, &entry, 0));
    entry.number--;
    snprintf(entry.writer, sizeof entry.writer, "x");
    cr_assert(do_entry(&t, &entry, 0));
    snprintf(entry.writer, sizeof entry.writer, "o");
    cr_assert(!do_entry(&t, &entry, 0) && !do_entry(&o, &entry, 0));
    entry = cluster_term_next(&o, "m", CLUSTER_KIND_RELEASE);
    cr_assert(!do_entry(&t, &entry, 0) && !do_entry(&o, &entry, 0));
    entry = cluster_term_next(&o, "m", CLUSTER_KIND_ORDERS);
    cr_assert(do_entry(&t, &entry, 0)); /* the term has ended */
}

Test(term, a_released_map_is_claimed_at_once_and_a_handed_one_by_the_heir) {
    cluster_term o = node_of("o"), heir = node_of("heir"), other = node_of("other");
    cluster_entry entry = cluster_term_next(&o, "m", CLUSTER_KIND_CLAIM);
    cr_assert(!do_entry(&o, &entry, 0) && !do_entry(&heir, &entry, 0) && !do_entry(&other, &entry, 0));
    entry = cluster_term_next(&o, "m", CLUSTER_KIND_HAND);
    snprintf(entry.heir, sizeof entry.heir, "heir");
    cr_assert(!do_entry(&o, &entry, 0) && !do_entry(&heir, &entry, 0) && !do_entry(&other, &entry, 0));
    const uint64_t soon = (uint64_t)LEASE_MS * MS / 16;
    cr_assert(cluster_term_may_claim(&heir, soon));
    cr_assert_not(cluster_term_may_claim(&other, soon));
    entry = cluster_term_next(&heir, "m", CLUSTER_KIND_CLAIM);
    cr_assert(!do_entry(&heir, &entry, 0) && !do_entry(&other, &entry, 0));
    entry = cluster_term_next(&heir, "m", CLUSTER_KIND_RELEASE);
    cr_assert(!do_entry(&other, &entry, 0));
    cr_assert(cluster_term_may_claim(&other, soon));
}

Test(term, an_owner_acts_while_the_log_answers) {
    cluster_term t = node_of("a");
    t.stand = CLUSTER_OWNS;
    cr_assert(cluster_term_may_act(&t, (uint64_t)LEASE_MS * MS * 99));
    t.under_way_ns = 5;
    cr_assert(cluster_term_may_act(&t, (uint64_t)LEASE_MS * MS + 4));
    cr_assert_not(cluster_term_may_act(&t, (uint64_t)LEASE_MS * MS + 5));
    t.under_way_ns = 0, t.cut_off_ns = 5;
    cr_assert(cluster_term_may_act(&t, (uint64_t)LEASE_MS * MS + 4));
    cr_assert_not(cluster_term_may_act(&t, (uint64_t)LEASE_MS * MS + 5));
}

/* ---- random worlds ---- */

enum { NODES = 3, MOST_ENTRIES = 4096, STEPS = 4000, STEP_MS = 25 };

static uint64_t random_state;

static unsigned random_below(unsigned most) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % most;
}

static bool chance(unsigned percent) {
    return random_below(100) < percent;
}

/// A node, with its own clock, and its last sent entry.
typedef struct actor {
    cluster_term t;
    char name[4];
    uint64_t clock_ns; ///< runs at its own speed, and goes on while the node stands still
    unsigned speed;    ///< in hundredths
    uint64_t stands_until, cut_until;
    uint64_t beats_ns;
    bool sent, unknown; ///< an entry is under way; a call for it had no answer
    cluster_entry own;
    uint64_t own_mark;
} actor;

/// The log: entries by their number, and whether a writer may have seen their acknowledgement.
static struct {
    struct logged {
        cluster_entry entry;
        uint64_t mark;
        int writer;
        bool acknowledged;
    } entries[MOST_ENTRIES + 1];
    uint64_t last;
    struct late { ///< a call that reaches the log later
        cluster_entry entry;
        uint64_t mark, due;
        int writer;
    } late[64];
    size_t late_count;
    unsigned claims, orders, refusals, unknowns;
} world;
static actor actors[NODES];
static uint64_t step, next_mark;

/* The fence: the entry names the last one. */
static bool write_entry(const cluster_entry *entry, uint64_t mark, int writer) {
    if (entry->number != world.last + 1 || world.last == MOST_ENTRIES) return false;
    world.entries[++world.last] = (struct logged){*entry, mark, writer, false};
    world.claims += entry->kind == CLUSTER_KIND_CLAIM;
    return true;
}

typedef enum outcome { DONE, REFUSED, UNKNOWN } outcome;

/* Makes a call: it is done and answered, done without an answer, comes late, or is lost. */
static outcome call(actor *a) {
    const int writer = (int)(a - actors);
    const bool cut = a->cut_until > step;
    const unsigned fate = cut ? 99 : random_below(100);
    if (fate < 80) {
        const bool there = write_entry(&a->own, a->own_mark, writer);
        if (there) world.entries[world.last].acknowledged = true;
        return there ? DONE : REFUSED;
    }
    if (fate < 88) {
        (void)write_entry(&a->own, a->own_mark, writer);
    } else if (fate < 95 && world.late_count < 64) {
        world.late[world.late_count++] = (struct late){a->own, a->own_mark, step + random_below(200), writer};
    }
    return UNKNOWN;
}

static void deliver_late(void) {
    for (size_t i = 0; i < world.late_count;) {
        struct late *one = &world.late[i];
        if (one->due > step) {
            i++;
            continue;
        }
        (void)write_entry(&one->entry, one->mark, one->writer);
        *one = world.late[--world.late_count];
    }
}

/* Handles the outcome of an append as member.c does. */
static void finish(actor *a, outcome known) {
    a->sent = a->unknown = false, a->t.under_way_ns = 0;
    if (known == DONE) {
        cluster_term_done(&a->t, &a->own, a->own_mark, a->clock_ns);
        if (a->own.kind == CLUSTER_KIND_CLAIM) a->t.stand = CLUSTER_OWNS;
        if (a->t.ended) a->t.stand = CLUSTER_FOLLOWS;
        world.orders += a->own.kind == CLUSTER_KIND_ORDERS;
        return;
    }
    world.refusals += known == REFUSED;
    world.unknowns += known == UNKNOWN;
    a->t.stand = CLUSTER_FOLLOWS, a->t.heard_ns = a->clock_ns;
}

static void go_on_sending(actor *a) {
    const outcome answer = call(a);
    if (answer == DONE || (answer == REFUSED && !a->unknown)) {
        finish(a, answer);
        return;
    }
    a->unknown = true;
    if (world.last >= a->own.number && a->cut_until <= step) { /* the consumer brings the next entries */
        struct logged *there = &world.entries[a->own.number];
        if (there->mark == a->own_mark) there->acknowledged = true;
        finish(a, there->mark == a->own_mark ? DONE : REFUSED);
    } else if (a->clock_ns >= a->t.under_way_ns + a->t.lease_ns) {
        finish(a, UNKNOWN);
    }
}

static void send_own(actor *a, cluster_kind kind) {
    a->own = cluster_term_next(&a->t, "m", kind);
    if (kind == CLUSTER_KIND_HAND) snprintf(a->own.heir, sizeof a->own.heir, "%s", actors[random_below(NODES)].name);
    a->own_mark = ++next_mark, a->sent = true, a->t.under_way_ns = a->clock_ns;
    go_on_sending(a);
}

/* Reads some entries; the log's end is never known. */
static void read_some(actor *a) {
    for (unsigned count = random_below(4); count > 0 && a->t.number < world.last; count--) {
        const struct logged *next = &world.entries[a->t.number + 1];
        if (a->t.stand == CLUSTER_OWNS) {
            a->t.stand = CLUSTER_FOLLOWS; /* replaced */
            a->t.heard_ns = a->clock_ns;
        }
        const char *wrong = cluster_term_check(&a->t, &next->entry);
        cr_assert(!wrong, "node %s at entry %d: %s", a->name, (int)next->entry.number, wrong);
        cluster_term_done(&a->t, &next->entry, next->mark, a->clock_ns);
    }
}

static void hear_beats(actor *a) {
    for (int i = 0; i < NODES; i++) {
        const actor *o = &actors[i];
        const cluster_report beat = {.term = o->t.term, .sequence = o->t.number};
        const bool beats =
            o != a && o->stands_until <= step && o->cut_until <= step && cluster_term_may_act(&o->t, o->clock_ns);
        if (beats && chance(90)) cluster_term_heard(&a->t, &beat, a->clock_ns);
    }
}

static void act(actor *a) {
    a->clock_ns += (uint64_t)STEP_MS * MS * a->speed / 100;
    if (a->stands_until > step) return;
    const bool cut = a->cut_until > step;
    if (!cut) a->t.cut_off_ns = 0;
    if (cut && a->t.cut_off_ns == 0) a->t.cut_off_ns = a->clock_ns;
    if (a->sent) {
        go_on_sending(a);
        return;
    }
    if (!cut) read_some(a);
    if (!cut && step % 10 == 0) hear_beats(a);
    if (a->t.stand == CLUSTER_OWNS && !cluster_term_may_act(&a->t, a->clock_ns)) {
        a->t.stand = CLUSTER_FOLLOWS, a->t.heard_ns = a->clock_ns;
    }
    if (a->t.stand == CLUSTER_OWNS && chance(20))
        send_own(a, chance(2) ? CLUSTER_KIND_RELEASE : chance(2) ? CLUSTER_KIND_HAND : CLUSTER_KIND_ORDERS);
    else if (cluster_term_may_claim(&a->t, a->clock_ns)) {
        a->t.stand = CLUSTER_CLAIMS;
        send_own(a, CLUSTER_KIND_CLAIM);
    }
}

static void break_something(void) {
    actor *a = &actors[random_below(NODES)];
    if (chance(1)) a->stands_until = step + random_below(120);
    if (chance(1)) a->cut_until = step + random_below(120);
}

/* Checks that terms rise, that a claim begins each, and that later entries of a term come from its owner. */
static void check_log(void) {
    uint64_t term = 0;
    int owner = -1;
    for (uint64_t number = 2; number <= world.last; number++) {
        const struct logged *one = &world.entries[number];
        const struct logged *before = &world.entries[number - 1];
        cr_assert_eq(one->entry.after, before->mark, "entry %d", (int)number);
        if (one->entry.kind == CLUSTER_KIND_CLAIM) {
            cr_assert(one->entry.term == number && number > term);
            term = number;
            owner = one->writer;
        }
        cr_assert(one->entry.term == term && one->writer == owner, "entry %d", (int)number);
    }
}

static void run_world(uint64_t seed) {
    memset(&world, 0, sizeof world);
    random_state = seed * 977 + 1;
    step = next_mark = 0;
    world.last = 1, world.entries[1].mark = 1;
    next_mark = 1;
    for (int i = 0; i < NODES; i++) {
        actors[i] = (actor){.speed = 95 + random_below(11), .clock_ns = random_below(1000000)};
        memcpy(actors[i].name, (const char[]){'n', (char)('0' + i), 0}, 3);
        actors[i].t = (cluster_term){.node = actors[i].name, .lease_ns = (uint64_t)LEASE_MS * MS};
        cluster_term_begin(&actors[i].t, 1, 1, 0, actors[i].clock_ns);
    }
    for (; step < STEPS && world.last < MOST_ENTRIES - NODES; step++) {
        break_something();
        deliver_late();
        for (int i = 0; i < NODES; i++) act(&actors[i]);
    }
    check_log();
    cr_assert(world.claims > 1 && world.orders > 50, "seed %d: %u claims, %u orders", (int)seed, world.claims,
              world.orders);
}

Test(term, random_worlds_have_one_owner_in_a_term_and_lose_nothing) {
    unsigned refusals = 0, unknowns = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        run_world(seed);
        refusals += world.refusals, unknowns += world.unknowns;
    }
    cr_assert(refusals > 200 && unknowns > 200, "%u refusals, %u unknown", refusals, unknowns);
}
