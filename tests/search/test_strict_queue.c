/* SPDX-License-Identifier: MIT */
/* The open list in strict order, compared with a plain array: keys that fall and rise, any width of buckets, entries
 * that are removed, and pages that come one by one. */
#include "models/oracle.h"
#include "search/open/strict_queue.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 64, MOST = PAGES * WEND__OPEN_PAGE_WORDS / WEND__STRICT_WORDS - 1 };

typedef struct item {
    uint64_t key, estimate;
    uint32_t node; ///< the number of its push
    bool gone;     ///< the node is closed
} item;

static wend__open list;
static uint32_t pages_used, reserve; ///< entries that are spare before each push, as engines have them
static item items[MOST];
static uint32_t item_count;
static bool closed[1 << 20];

static void begin(uint64_t least, uint64_t start) {
    static bool made;
    static uint32_t *memory;
    if (!made) {
        memory = aligned_alloc(64, sizeof(uint32_t) * WEND__OPEN_PAGE_WORDS * PAGES);
        wend__open_init(&list);
        made = true;
    }
    memset(memory, 0xa5, sizeof(uint32_t) * WEND__OPEN_PAGE_WORDS * PAGES);
    wend__open_reset(&list, memory, 0);
    wend__strict_begin(&list, least, start);
    pages_used = item_count = 0;
}

static void push(uint64_t key, uint64_t estimate, uint32_t node) {
    if (list.spare <= reserve) wend__strict_add_page(&list, pages_used++);
    cr_assert_leq(pages_used, PAGES);
    wend__strict_push(&list, wend__strict_make(&list, key, estimate, node, ~node));
    items[item_count++] = (item){key, estimate < UINT32_MAX ? estimate : UINT32_MAX, node, false};
    closed[node] = false;
}

/* Returns the place of the item that must come off next. */
static uint32_t expected(void) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < item_count; i++) {
        const item *a = &items[i], *b = &items[best];
        const bool earlier = a->key != b->key             ? a->key < b->key
                             : a->estimate != b->estimate ? a->estimate < b->estimate
                                                          : a->node > b->node;
        if (earlier) best = i;
    }
    return best;
}

static uint64_t pop(void) {
    const wend__strict_entry *first = wend__strict_first(&list);
    const uint32_t place = expected();
    const item due = items[place];
    cr_assert_not_null(first);
    cr_assert_eq(first->key, due.key, "key %lu, not %lu", (unsigned long)first->key, (unsigned long)due.key);
    cr_assert_eq(first->node, due.node, "node %u, not %u", first->node, due.node);
    cr_assert_eq(first->more, ~due.node);
    wend__strict_pop(&list);
    items[place] = items[--item_count];
    return due.key;
}

static bool is_due(const void *owner, const wend__strict_entry *entry) {
    (void)owner;
    return !closed[entry->node];
}

static bool is_node(const void *owner, const wend__strict_entry *entry) {
    return entry->node == *(const uint32_t *)owner;
}

/* Close some nodes, remove their entries, and compare the count. */
static void compact(oracle_random *random, int percent) {
    const uint32_t spare = list.spare, before = item_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < item_count; i++) closed[items[i].node] = oracle_below(random, 100) < percent;
    for (uint32_t i = 0; i < item_count; i++)
        if (!closed[items[i].node]) items[kept++] = items[i];
    item_count = kept;
    const uint32_t freed = before - kept, told = wend__strict_compact(&list, NULL, is_due);
    cr_assert_eq(list.spare, spare + freed);
    cr_assert_eq(told, freed * 8 >= before ? freed : 0);
}

static void ask_for_one(oracle_random *random) {
    const uint32_t node =
        item_count > 0 && oracle_below(random, 2) ? items[oracle_below(random, (int)item_count)].node : UINT32_MAX;
    cr_assert_eq(wend__strict_any(&list, &node, is_node), node != UINT32_MAX);
}

/* Keys wander like those of a weighted search: each push is near the last key popped, mostly below or above it by
 * `spread`. */
static void wander(uint64_t seed, uint64_t least, uint64_t start, uint64_t spread) {
    oracle_random random = {seed};
    uint64_t at = start;
    uint32_t node = 0;
    begin(least, start);
    reserve = seed % 2 ? 25 : 0;
    push(start, 7, node++);
    for (unsigned turn = 0; turn < 6000 && item_count > 0; turn++) {
        at = pop();
        const int pushes = turn < 3000 ? oracle_below(&random, 4) : oracle_below(&random, 2);
        for (int i = 0; i < pushes && item_count < MOST / 2; i++) {
            const uint64_t by = (uint64_t)oracle_below(&random, 1000000) * spread / 1000000;
            const uint64_t key = oracle_below(&random, 2) ? at + by : at > by ? at - by : 0;
            push(key, (uint64_t)oracle_below(&random, 3) << (oracle_below(&random, 8) ? 0 : 40), node++);
        }
        if (turn % 1000 == 500) compact(&random, (int)(turn / 60));
        if (turn % 700 == 300) ask_for_one(&random);
    }
    while (item_count > 0) pop();
    cr_assert_null(wend__strict_first(&list));
    cr_assert_eq(list.words, 0);
}

Test(strict_queue, pops_in_strict_order_while_keys_fall_and_rise) {
    wander(1, 0, 0, 3);
    wander(2, 1000, 5000, 100);
    wander(3, 1000, 5000, 100000);
    wander(4, UINT64_C(1) << 40, UINT64_C(1) << 41, UINT64_C(1) << 36);
    wander(5, 1000000, 1000000, 1 << 20);
    wander(6, 50, UINT64_C(1) << 50, 1000);
}

Test(strict_queue, pops_in_order_when_nearly_all_keys_are_beyond_the_row) {
    begin(0, 0);
    cr_assert_eq(list.shift, 0);
    for (uint32_t i = 0; i < 4000; i++) push((uint64_t)(i * 2654435761u), 0, i);
    while (item_count > 0) pop();
    cr_assert_gt(list.shift, 15);
}

Test(strict_queue, pops_the_smaller_estimate_first_and_then_the_newer_entry) {
    begin(0, 100);
    push(100, 5, 0);
    push(100, 3, 1);
    push(100, 3, 2);
    push(99, 9, 3);
    push(100, UINT64_C(1) << 31, 4);
    push(100, UINT64_C(1) << 40, 5); /* counts as the most */
    push(100, UINT32_MAX - 1, 6);
    const uint32_t order[] = {3, 2, 1, 0, 4, 6, 5};
    for (unsigned i = 0; i < 7; i++) {
        cr_assert_eq(wend__strict_first(&list)->node, order[i]);
        wend__strict_pop(&list);
    }
}

Test(strict_queue, gives_the_same_order_after_removals) {
    for (int round = 0; round < 2; round++) {
        begin(0, 1000);
        oracle_random random = {11};
        for (uint32_t i = 0; i < 2000; i++)
            push((uint64_t)oracle_below(&random, 50), (uint64_t)oracle_below(&random, 3), i);
        for (uint32_t i = 0; i < 2000; i++) closed[i] = i % 3 == 0;
        if (round == 1) cr_assert_eq(wend__strict_compact(&list, NULL, is_due), 667);
        static uint32_t first_order[2000];
        uint32_t count = 0;
        for (const wend__strict_entry *e; (e = wend__strict_first(&list)) != NULL; wend__strict_pop(&list)) {
            if (closed[e->node]) continue;
            if (round == 0) first_order[count] = e->node;
            cr_assert_eq(first_order[count++], e->node);
        }
        cr_assert_eq(count, 1333);
    }
}

Test(strict_queue, is_worth_no_compaction_for_less_than_an_eighth_of_its_entries) {
    for (uint32_t count = 64; count < 66; count++)
        for (uint32_t due = 7; due < 10; due++) {
            begin(0, 1000);
            for (uint32_t i = 0; i < count; i++) push(i % 9, 0, i);
            for (uint32_t i = 0; i < due; i++) closed[i * 5] = true;
            cr_assert_eq(wend__strict_compact(&list, NULL, is_due), due * 8 >= count ? due : 0);
        }
}

Test(strict_queue, uses_every_entry_of_its_pages) {
    begin(0, 1000);
    for (uint32_t i = 0; i < MOST; i++) push(i * 37 % 1009, 0, i);
    cr_assert_eq(list.spare, 0);
    cr_assert_eq(pages_used, PAGES);
    for (uint32_t i = 0; i < 500; i++) {
        pop();
        push(500, 0, MOST + i);
    }
    cr_assert_eq(pages_used, PAGES);
}

/* The row of buckets is two to four times as long as the way from the least key to the start's. */
Test(strict_queue, has_a_width_that_fits_the_keys) {
    oracle_random random = {13};
    for (int i = 0; i < 2000; i++) {
        const uint64_t least = oracle_next(&random) >> oracle_below(&random, 60) >> 2;
        const uint64_t ahead =
            (WEND__BUCKETS + oracle_next(&random) % (UINT64_C(1) << (13 + oracle_below(&random, 40)))) &
            ~UINT64_C(1023);
        begin(least, least + ahead);
        const uint64_t row = (uint64_t)WEND__BUCKETS << list.shift;
        cr_assert(row > 2 * ahead && row <= 4 * ahead, "%lu buckets for %lu", (unsigned long)row, (unsigned long)ahead);
        begin(least + ahead, least);
        cr_assert_eq(list.shift, 0);
    }
}

Test(strict_queue, a_bucket_is_as_wide_as_the_others) {
    oracle_random random = {19};
    for (int i = 0; i < 1000; i++) {
        const uint64_t least = 1 + (oracle_next(&random) >> 20);
        begin(least, least + (oracle_next(&random) >> (20 + oracle_below(&random, 30))));
        cr_assert_eq(wend__strict_bucket(&list, least - 1), 0);
        for (int k = 0; k < 20; k++) {
            const uint64_t ahead = oracle_next(&random) >> (20 + oracle_below(&random, 44));
            const uint64_t bucket = ahead / (UINT64_C(1) << list.shift);
            cr_assert_eq(wend__strict_bucket(&list, least + ahead),
                         bucket < WEND__BUCKETS ? bucket : WEND__BUCKETS - 1);
        }
    }
}

/* Wider by no more than the least key needs. */
Test(strict_queue, widens_until_the_least_key_is_in_the_row) {
    oracle_random random = {23};
    for (int i = 0; i < 1000; i++) {
        const uint64_t least = oracle_next(&random) >> (20 + oracle_below(&random, 30));
        begin(least, least + (oracle_next(&random) >> (30 + oracle_below(&random, 30))));
        const uint32_t shift = list.shift;
        const uint64_t key = least + ((uint64_t)WEND__STRICT_LAST << shift << oracle_below(&random, 10));
        push(key, 0, 0);
        push(key + 1000, 0, 1);
        cr_assert_eq(wend__strict_first(&list)->key, key);
        cr_assert_lt((key - least) >> list.shift, WEND__STRICT_LAST);
        cr_assert(list.shift == shift + 1 || (key - least) >> (list.shift - 1) >= WEND__STRICT_LAST);
    }
}

/// Entries as they were shown, until `most` are.
typedef struct shown {
    uint32_t count, most;
    uint32_t nodes[1000];
} shown;

static bool note_entry(const void *owner, const wend__strict_entry *entry) {
    shown *s = *(shown *const *)owner;
    s->nodes[s->count++] = entry->node;
    return s->count == s->most;
}

Test(strict_queue, shows_its_entries_in_order_and_keeps_them) {
    static shown s;
    shown *const out = &s;
    oracle_random random = {29};
    for (uint32_t most = 1; most <= 1000; most += 111) {
        begin(0, 2000);
        s = (shown){.most = most};
        for (uint32_t i = 0; i < 900; i++)
            push((uint64_t)oracle_below(&random, 5000), (uint64_t)oracle_below(&random, 3), i);
        wend__strict_in_order(&list, &out, note_entry);
        cr_assert_eq(s.count, most < 900 ? most : 900);
        for (uint32_t i = 0; i < 900; i++) {
            if (i < s.count) cr_assert_eq(wend__strict_first(&list)->node, s.nodes[i]);
            (void)pop();
        }
        cr_assert_eq(list.words, 0);
    }
}
