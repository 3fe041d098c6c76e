/* SPDX-License-Identifier: MIT */
/* The open list as buckets, compared with a plain array: as a ring, as an expansion loop works on it, and as levels;
 * entries that are removed, and blocks that are used again. */
#include "models/oracle.h"
#include "search/open/bucket_ring.h"
#include "search/open/multilevel_buckets.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGES = 160,
    NODES = 7000,
    NEAR = 300,
    MOST = 4000,
    BLOCK_ENTRIES = 31,
    LISTED = 2 * MOST,
    LEVELS = 4,
    DIGITS = 1024
};

/// An entry; they are kept in the order in which they were pushed.
typedef struct item {
    uint64_t place; ///< number of its bucket; unused for levels
    uint32_t node;
} item;

static wend__open list;
static uint32_t pages_used;
static item items[MOST];
static uint32_t item_count;
static bool is_open[NODES], is_done[NODES];
static uint64_t node_key[NODES];

static uint32_t *memory(void) {
    static uint32_t *words;
    if (words) return words;
    words = aligned_alloc(64, sizeof(uint32_t) * WEND__OPEN_PAGE_WORDS * PAGES);
    memset(&list, 0xa5, sizeof list); /* memory that is not cleared */
    wend__open_init(&list);
    return words;
}

/* Resets the list: entries of an earlier course do not matter. */
static void begin(uint32_t shift) {
    uint32_t *words = memory();
    wend__open_reset(&list, words, shift);
    cr_assert_eq(list.words, 0);
    for (uint32_t i = 0; i < WEND__BUCKETS; i++) cr_assert_eq(list.top[i], 0);
    for (uint32_t i = 0; i < WEND__BUCKETS / 64; i++) cr_assert_eq(list.bits[i], 0);
    cr_assert(list.current == 0 && list.free_block == 0 && list.spare == 0 && list.pages == 0);
    memset(words, 0xa5, sizeof(uint32_t) * WEND__OPEN_PAGE_WORDS * PAGES);
    pages_used = item_count = 0;
    for (uint32_t i = 0; i < NODES; i++) is_open[i] = is_done[i] = false;
}

/* Pages come one by one, the pool's first one too. */
static void have_spare(void) {
    if (list.spare > 0) return;
    cr_assert_lt(pages_used, PAGES);
    wend__open_add_page(&list, pages_used++);
    cr_assert_eq(list.spare, pages_used == 1 ? WEND__OPEN_PAGE_BLOCKS - 1 : WEND__OPEN_PAGE_BLOCKS);
}

static bool remember(const void *owner, uint32_t node) {
    item *out = *(item **)(uintptr_t)owner;
    out->node = node;
    *(item **)(uintptr_t)owner = out + 1;
    return false;
}

static uint32_t list_bucket(uint32_t bucket, item *out) {
    item *end = out;
    cr_assert_not(wend__open_any_in(&list, bucket, &end, remember));
    for (item *one = out; one < end; one++) one->place = bucket;
    return (uint32_t)(end - out);
}

/* Lists the entries in the order in which their buckets will be emptied. Levels: the lower ones first. */
static uint32_t list_all(const uint64_t *floor, item *out) {
    uint32_t count = 0;
    if (!floor) {
        for (uint32_t i = 0; i < WEND__BUCKETS; i++)
            count += list_bucket((list.current + i) % WEND__BUCKETS, out + count);
        return count;
    }
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint32_t i = 0; i < DIGITS; i++) {
            const uint32_t digit = (uint32_t)((*floor >> 10 * level) + i) % DIGITS;
            count += list_bucket(level * DIGITS + digit, out + count);
        }
    return count;
}

/* Checks the bits of non-empty buckets; each entry is in the list once; every other block is free. */
static void check_list(uint32_t count) {
    static item listed[LISTED];
    uint32_t blocks = 0, all = 0, visited = 0;
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++) {
        const uint32_t here = list_bucket(bucket, listed);
        cr_assert_eq(list.bits[bucket / 64] >> bucket % 64 & 1, here > 0);
        blocks += (here + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
        all += here;
    }
    for (uint32_t word = 0; word < WEND__BUCKETS / 64; word++)
        cr_assert_eq(list.words >> word & 1, list.bits[word] != 0);
    cr_assert_eq(all, count);
    cr_assert_eq(list.spare, pages_used * WEND__OPEN_PAGE_BLOCKS - (pages_used > 0) - blocks);
    for (uint32_t block = list.free_block; block != 0; visited++) block = list.entries[block << WEND__OPEN_BLOCK_SHIFT];
    cr_assert_eq(visited, list.spare);
}

static bool is_node(const void *owner, uint32_t node) {
    return node == *(const uint32_t *)owner;
}

static bool holds(uint32_t node) {
    for (uint32_t i = 0; i < item_count; i++)
        if (items[i].node == node) return true;
    return false;
}

static bool node_is_open(const void *owner, uint32_t node) {
    cr_assert_eq(owner, &list);
    return is_open[node];
}

static void flip_node(const void *owner, uint32_t node) {
    cr_assert_eq(owner, &list);
    is_open[node] = !is_open[node];
}

/* Keeps one entry of each open node, the first to come off, in its place in its bucket. Writes those entries to `out`.
 * Returns how many there are. */
static uint32_t compact(const uint64_t *floor, item *out) {
    static item before[LISTED];
    static bool was_open[NODES], met[NODES];
    const wend__open_nodes nodes = {&list, node_is_open, flip_node};
    const uint32_t count = list_all(floor, before), spare = list.spare;
    uint32_t kept = 0;
    memcpy(was_open, is_open, sizeof was_open);
    memset(met, 0, sizeof met);
    for (uint32_t i = 0; i < count; i++)
        if (is_open[before[i].node] && !met[before[i].node]) {
            met[before[i].node] = true;
            before[kept++] = before[i];
        }
    const uint32_t told = wend__open_compact(&list, &nodes, pages_used, floor), freed = list.spare - spare;
    cr_assert_eq(told, freed * 8 >= pages_used * WEND__OPEN_PAGE_BLOCKS ? freed : 0);
    cr_assert_eq(memcmp(was_open, is_open, sizeof was_open), 0);
    cr_assert_eq(list_all(floor, out), kept);
    for (uint32_t i = 0; i < kept; i++) cr_assert(out[i].node == before[i].node && out[i].place == before[i].place);
    check_list(kept);
    return kept;
}

/* ---- a ring ---- */

/// The list as an expansion loop has it, or as the others do.
typedef struct loop {
    wend__ring ring;
    bool loaded;
} loop;

static void change_hands(loop *l) {
    if (l->loaded)
        wend__ring_save(&l->ring, &list);
    else
        l->ring = wend__ring_load(&list);
    l->loaded = !l->loaded;
}

static void push_ring(loop *l, uint64_t f, uint32_t node) {
    const bool lacks = l->loaded && l->ring.spare == 0;
    if (lacks) change_hands(l);
    if (!l->loaded) have_spare();
    if (lacks) change_hands(l);
    if (l->loaded)
        wend__ring_push(&l->ring, &list, (uint32_t)(f >> list.shift) % WEND__BUCKETS, node);
    else
        wend__open_push(&list, f, node);
    cr_assert_lt(item_count, MOST);
    items[item_count++] = (item){f >> list.shift, node};
}

/* Pops the newest entry of the lowest bucket. Returns that. */
static uint64_t pop_ring(loop *l) {
    uint32_t best = 0, node;
    for (uint32_t i = 1; i < item_count; i++)
        if (items[i].place <= items[best].place) best = i;
    const item due = items[best];
    if (l->loaded) {
        if (l->ring.head == 0) cr_assert(wend__ring_advance(&l->ring, &list));
        node = wend__ring_pop(&l->ring);
        cr_assert_eq(l->ring.current, due.place % WEND__BUCKETS);
    } else {
        cr_assert(wend__open_advance(&list));
        node = wend__open_pop(&list);
        cr_assert_eq(list.current, due.place % WEND__BUCKETS);
    }
    cr_assert_eq(node, due.node, "node %u, not %u", node, due.node);
    memmove(&items[best], &items[best + 1], sizeof *items * (--item_count - best));
    return due.place;
}

/* Renumbers the plain array after a compaction: buckets number from the one that is emptied. */
static void take_over(const item *kept, uint32_t count, uint64_t lowest) {
    for (uint32_t i = 0; i < count; i++) { /* the newest comes off first */
        const uint32_t ahead = (uint32_t)(kept[i].place - lowest) % WEND__BUCKETS;
        items[count - 1 - i] = (item){lowest + ahead, kept[i].node};
    }
    item_count = count;
}

/* Costs rise by at most `spread` buckets, which is less than the ring has. */
static void go_round(uint64_t seed, uint32_t shift, uint64_t lowest, int spread) {
    static item kept[LISTED];
    oracle_random random = {seed};
    loop l = {.loaded = false};
    begin(shift);
    push_ring(&l, lowest << shift, 0);
    for (int turn = 0; turn < 6000 && item_count > 0; turn++) {
        lowest = pop_ring(&l);
        const int pushes = turn % 3000 < 1500 ? oracle_below(&random, 4) : oracle_below(&random, 2);
        for (int i = 0; i < pushes && item_count < MOST / 2; i++) {
            const uint64_t f = (lowest + (uint64_t)oracle_below(&random, spread)) << shift;
            const uint32_t node = (uint32_t)oracle_below(&random, NEAR);
            push_ring(&l, f + (f & ((UINT64_C(1) << shift) - 1)), node);
            is_open[node] = oracle_below(&random, 4) > 0;
        }
        if (oracle_below(&random, 5) == 0) change_hands(&l);
        if (turn % 300 != 150) continue;
        if (l.loaded) change_hands(&l);
        check_list(item_count);
        const uint32_t node = (uint32_t)oracle_below(&random, NEAR);
        cr_assert_eq(wend__open_any(&list, &node, is_node), holds(node));
        if (turn % 900 == 750) take_over(kept, compact(NULL, kept), lowest);
    }
    if (seed % 2) return; /* the next course resets the rest */
    while (item_count > 0) (void)pop_ring(&l);
    if (l.loaded) cr_assert(l.ring.head == 0 && !wend__ring_advance(&l.ring, &list));
    if (l.loaded) change_hands(&l);
    cr_assert_not(wend__open_advance(&list));
    check_list(0);
}

Test(bucket_queue, pops_the_newest_entry_of_the_lowest_bucket) {
    go_round(1, 0, 0, 4095);
    go_round(2, 0, 5000, 4096);
    go_round(3, 0, 4095, 64);
    go_round(4, 3, 100, 3);
    go_round(5, 0, 63, 200);
    go_round(6, 7, UINT64_C(1) << 33, 1000);
    go_round(8, 1, 70, 1);
}

/* A word of the ring has buckets before and after the one that is emptied: the former come last. */
Test(bucket_queue, goes_round_to_the_lower_buckets_of_its_word) {
    for (int loaded = 0; loaded < 2; loaded++) {
        loop l = {.loaded = false};
        begin(0);
        push_ring(&l, 40, 1);
        cr_assert_eq(pop_ring(&l), 40);
        if (loaded) change_hands(&l);
        for (uint32_t bucket = 41; bucket < 40 + WEND__BUCKETS; bucket += bucket % 7 + 1) push_ring(&l, bucket, bucket);
        while (item_count > 0) (void)pop_ring(&l);
        cr_assert_not(loaded ? wend__ring_advance(&l.ring, &list) : wend__open_advance(&list));
    }
}

/* Returns the result of a compaction that frees `blocks` blocks of the blocks of `pages`. */
static uint32_t told_of(uint32_t pages, uint32_t blocks) {
    const wend__open_nodes nodes = {&list, node_is_open, flip_node};
    begin(0);
    while (pages_used < pages) wend__open_add_page(&list, pages_used++);
    for (uint32_t i = 0; i < blocks; i++) wend__open_push(&list, 3 * i, 1); /* for a closed node */
    is_open[2] = true;
    wend__open_push(&list, 1, 2);
    const uint32_t told = wend__open_compact(&list, &nodes, pages, NULL);
    check_list(1);
    return told;
}

Test(bucket_queue, is_worth_no_compaction_for_less_than_an_eighth_of_its_blocks) {
    for (uint32_t pages = 1; pages < 4; pages++)
        for (uint32_t blocks = 0; blocks < 16; blocks++)
            cr_assert_eq(told_of(pages, blocks), blocks >= 4 * pages ? blocks : 0);
}

/* Stacks of several blocks of which some entries stay: none, few, all. */
Test(bucket_queue, packs_long_buckets) {
    static item kept[LISTED];
    oracle_random random = {3};
    for (uint32_t length = 1; length < 5 * BLOCK_ENTRIES; length += 1 + length % 3)
        for (uint32_t share = 0; share <= 4; share++) {
            begin(0);
            for (uint32_t i = 0; i < length; i++) {
                have_spare();
                wend__open_push(&list, 7, i);
                is_open[i] = (uint32_t)oracle_below(&random, 4) < share;
            }
            const uint32_t count = compact(NULL, kept);
            take_over(kept, count, 0);
            loop l = {.loaded = false};
            for (uint32_t i = 0; i < 2 * BLOCK_ENTRIES; i++) push_ring(&l, 7, i); /* the blocks are as good as before */
            check_list(count + 2 * BLOCK_ENTRIES);
            while (item_count > 0) (void)pop_ring(&l);
        }
}

/* ---- levels ---- */

Test(multilevel_buckets, a_bucket_is_the_digits_of_a_key_that_differ_first) {
    oracle_random random = {5};
    const uint64_t farthest = (UINT64_C(1) << 40) - (UINT64_C(1) << 31);
    for (int i = 0; i < 200000; i++) {
        const uint64_t floor = oracle_next(&random) >> (14 + oracle_below(&random, 40));
        const uint64_t ahead = oracle_next(&random) >> (24 + oracle_below(&random, 40));
        const uint64_t key = floor + (ahead < farthest ? ahead : farthest);
        uint32_t level = 0;
        while (level < 3 && key >> 10 * (level + 1) != floor >> 10 * (level + 1)) level++;
        const uint32_t digit = (uint32_t)(key >> 10 * level) % DIGITS;
        cr_assert_eq(wend__level_bucket(floor, key), level * DIGITS + digit);
        if (level > 0) cr_assert_eq(wend__level_floor(floor, level * DIGITS + digit), key >> 10 * level << 10 * level);
        cr_assert_eq(wend__level_bucket(floor, floor + farthest + ahead + 1),
                     wend__level_bucket(floor, floor + farthest));
    }
}

static uint32_t first_from(uint32_t level, uint32_t from) {
    for (uint32_t i = 0; i < DIGITS; i++)
        if (list.top[level * DIGITS + (from + i) % DIGITS] != 0) return level * DIGITS + (from + i) % DIGITS;
    return WEND__NONE;
}

Test(multilevel_buckets, the_first_bucket_of_a_level_is_found_round_its_ring) {
    oracle_random random = {7};
    for (int round = 0; round < 200; round++) {
        begin(0);
        const int buckets = oracle_below(&random, 1 << oracle_below(&random, 7));
        for (int i = 0; i < buckets; i++) {
            have_spare();
            wend__open_push_bucket(&list, (uint32_t)oracle_below(&random, WEND__BUCKETS), 0);
        }
        for (int i = 0; i < 50; i++) {
            const uint32_t level = (uint32_t)oracle_below(&random, LEVELS),
                           from = (uint32_t)oracle_below(&random, DIGITS);
            cr_assert_eq(wend__level_first(&list, level, from), first_from(level, from));
        }
    }
}

static uint32_t moves, pushes;

static void push_key(uint64_t floor, uint32_t node) {
    have_spare();
    wend__open_push_bucket(&list, wend__level_bucket(floor, node_key[node] < floor ? floor : node_key[node]), node);
}

/* Finds the bucket of the lowest key, and moves entries down until it is ready. False: the list is empty. */
static bool advance_levels(uint64_t *floor) {
    for (;;) {
        const int found = wend__levels_advance(&list, floor);
        if (found == WEND__LEVELS_EMPTY) return false;
        if (found == WEND__LEVELS_READY) return true;
        cr_assert_geq(list.current, DIGITS);
        while (list.top[list.current] != 0) {
            const uint32_t node = wend__open_pop(&list);
            if (!is_open[node]) continue;
            push_key(*floor, node);
            moves++;
        }
    }
}

/* The lowest key of an open node; UINT64_MAX: there is none. */
static uint64_t lowest_key(void) {
    uint64_t lowest = UINT64_MAX;
    for (uint32_t i = 0; i < NODES; i++)
        if (is_open[i] && node_key[i] < lowest) lowest = node_key[i];
    return lowest;
}

/* Nodes become cheaper while they are open, and are pushed again. Keys rise by less than 2^`bits`. */
static void go_up(uint64_t seed, uint64_t floor, int bits) {
    static item kept[LISTED];
    oracle_random random = {seed};
    begin(0);
    moves = pushes = 0;
    node_key[0] = floor, is_open[0] = true;
    push_key(floor, 0);
    for (int turn = 0; turn < 6000; turn++) {
        const uint64_t lowest = lowest_key();
        uint32_t node = NODES;
        while (node == NODES && advance_levels(&floor)) {
            node = wend__open_pop(&list);
            if (!is_open[node]) node = NODES; /* a later entry of this node came off before */
        }
        if (node == NODES) {
            cr_assert_eq(lowest, UINT64_MAX);
            check_list(0);
            return;
        }
        cr_assert(node_key[node] == lowest && floor == lowest);
        is_open[node] = false, is_done[node] = true;
        const int count = turn < 3000 ? 1 + oracle_below(&random, 6) : oracle_below(&random, 2);
        for (int i = 0; i < count; i++) {
            const uint32_t to = (uint32_t)(turn + oracle_below(&random, NEAR));
            const uint64_t key =
                floor + (oracle_next(&random) >> (64 - bits)) / (1 + (uint64_t)oracle_below(&random, 4));
            if (is_done[to] || (is_open[to] && node_key[to] <= key)) continue;
            node_key[to] = key, is_open[to] = true;
            push_key(floor, to);
            pushes++;
        }
        if (turn % 200 == 100) (void)compact(&floor, kept);
    }
    cr_assert(false, "it does not end");
}

Test(multilevel_buckets, pops_the_lowest_key) {
    go_up(1, 0, 1);
    go_up(2, 0, 8);
    go_up(3, 1000, 12);
    go_up(4, (UINT64_C(1) << 20) - 30, 21);
    go_up(5, (UINT64_C(1) << 30) - 500, 31);
    go_up(6, (UINT64_C(1) << 40) - 5000, 39);
    cr_assert_leq(moves, 3 * pushes);
    go_up(7, 0, 44); /* farther than the levels reach */
    go_up(8, UINT64_C(1) << 50, 41);
}
