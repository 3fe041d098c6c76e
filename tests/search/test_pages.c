/* SPDX-License-Identifier: MIT */
/* The pool of pages and the pages of a search, compared with plain arrays: the owner of each page, and its place. */
#include "map/version/map.h"
#include "models/oracle.h"
#include "search/engines.h"
#include "search/store/pages.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { OWNERS = 3, KINDS = 2, FEW = 40, MANY = 1100, OPEN_MOST = 2 * FEW + 128 + 8 * OWNERS };

static wend__pool pool;
static wend__search *searches[OWNERS];
static wend__stock stocks[OWNERS];

static void begin(uint64_t pages) {
    const size_t bytes = wend__pool_bytes(pages, OWNERS);
    void *memory = aligned_alloc(64, bytes);
    memset(memory, 0x5a, bytes);
    memset(&pool, 0x5a, sizeof pool);
    wend__pool_init(&pool, memory, pages, OWNERS);
    for (int i = 0; i < OWNERS; i++) {
        searches[i] = malloc(sizeof(wend__search_memory));
        memset(searches[i], 0x5a, sizeof(wend__search_memory));
        wend__search_init(searches[i], &pool);
        wend__pages_reset(searches[i]);
        stocks[i] = (wend__stock){.page_count = 0};
    }
}

static void end(void) {
    free(pool.records); /* records are first in its memory */
    for (int i = 0; i < OWNERS; i++) free(searches[i]);
}

/* ---- the pool ---- */

static size_t lines_of(size_t bytes) {
    return bytes % 64 == 0 ? bytes : bytes + 64 - bytes % 64;
}

Test(pool, has_room_for_all_that_it_counts) {
    const uint64_t most = (UINT64_C(1) << 20) - 1, most_open = (UINT64_C(1) << 22) - 1;
    cr_assert_eq(wend__pool_pages(0), 1);
    cr_assert_eq(wend__pool_pages(1), 1);
    cr_assert_eq(wend__pool_pages(4096), 1);
    cr_assert_eq(wend__pool_pages(4097), 2);
    cr_assert_eq(wend__pool_pages(UINT64_MAX), UINT64_C(1) << 52);
    cr_assert_eq(wend__pool_bytes(0, 1), 0);
    const bool wide = SIZE_MAX > UINT32_MAX; /* else the size exceeds the addresses */
    cr_assert_eq(wend__pool_bytes(most, 1) != 0, wide);
    cr_assert_eq(wend__pool_bytes(most + 1, 1), 0);
    cr_assert_eq(wend__pool_bytes(1, most_open) != 0, wide);
    cr_assert_eq(wend__pool_bytes(1, most_open + 1), 0);
    cr_assert_eq(wend__pool_bytes(1, most_open), wend__pool_bytes(1, most_open / 2), "as many as positions allow");
    for (size_t pages = 1; pages < 70; pages++) {
        begin(pages);
        const size_t open = pool.open_count;
        cr_assert_eq(pool.page_count, pages);
        cr_assert_eq(open, 2 * pages + 128 + 8 * OWNERS);
        const uint8_t *const at = pool.records;
        const size_t entries = pages * 16384, headers = entries + open * 4096;
        const size_t next = headers + lines_of(pages * sizeof(wend__page));
        cr_assert_eq((uintptr_t)at % 64, 0);
        cr_assert_eq((const void *)pool.open_entries, at + entries);
        cr_assert_eq((const void *)pool.pages, at + headers);
        cr_assert_eq((const void *)pool.open_next, at + next);
        cr_assert_eq(wend__pool_bytes(pages, OWNERS), next + lines_of(open * sizeof(uint32_t)));
        end();
    }
}

/// Pages of a kind: a stack of free ones, the next page to be taken on top; pages of stocks and searches.
typedef struct pile {
    uint32_t count, at[OPEN_MOST];
} pile;

typedef struct model {
    pile free, stock[OWNERS], search[OWNERS];
    uint32_t used[OWNERS]; ///< pages of the search that it took since it was reset
} model;

static model models[KINDS]; /* pages, open pages */

static void begin_models(void) {
    begin(FEW);
    memset(models, 0, sizeof models);
    for (int kind = 0; kind < KINDS; kind++) {
        const uint32_t count = kind ? pool.open_count : pool.page_count;
        cr_assert_leq(count, OPEN_MOST);
        for (uint32_t i = count; i-- > 0;) models[kind].free.at[models[kind].free.count++] = i;
    }
}

static uint32_t stock_count(int kind, int i) {
    return kind ? stocks[i].open_count : stocks[i].page_count;
}

static void check_models(void) {
    for (int kind = 0; kind < KINDS; kind++) {
        const model *m = &models[kind];
        cr_assert_eq(kind ? wend__pool_free_open(&pool) : wend__pool_free_pages(&pool), m->free.count);
        for (int i = 0; i < OWNERS; i++) {
            cr_assert_eq(stock_count(kind, i), m->stock[i].count);
            const uint32_t *have = kind ? stocks[i].open : stocks[i].pages;
            for (uint32_t k = 0; k < m->stock[i].count; k++) cr_assert_eq(have[k], m->stock[i].at[k]);
            const wend__page_list *list = kind ? &searches[i]->open_pages : &searches[i]->pages;
            cr_assert_eq(list->count, m->search[i].count);
            uint32_t page = list->first;
            for (uint32_t k = 0; k < list->count; k++) {
                cr_assert_eq(page, m->search[i].at[k]);
                if (k + 1 == list->count) cr_assert_eq(page, list->last);
                page = kind ? pool.open_next[page] : pool.pages[page].next;
            }
            cr_assert_eq(page, WEND__NONE);
        }
    }
}

/* The page on top goes to the last place of the stock, from which the search takes first. */
static void grant(int i, uint32_t pages, uint32_t open) {
    for (int kind = 0; kind < KINDS; kind++) {
        model *m = &models[kind];
        pile *to = &m->stock[i];
        uint32_t wanted = kind ? open : pages;
        if (wanted > WEND__STOCK) wanted = WEND__STOCK;
        if (wanted > to->count + m->free.count) wanted = to->count + m->free.count;
        for (uint32_t k = wanted; k > to->count; k--) to->at[k - 1] = m->free.at[--m->free.count];
        if (wanted > to->count) to->count = wanted;
    }
    wend__pool_grant(&pool, &stocks[i], pages, open);
}

static void take(int kind, int i) {
    model *m = &models[kind];
    uint32_t due = WEND__NONE;
    if (m->used[i] < m->search[i].count) {
        due = m->search[i].at[m->used[i]++];
    } else if (m->stock[i].count > 0) {
        due = m->stock[i].at[--m->stock[i].count];
        m->search[i].at[m->search[i].count++] = due;
        m->used[i]++;
    }
    cr_assert_eq(kind ? wend__pages_take_open(searches[i], &stocks[i]) : wend__pages_take(searches[i], &stocks[i]),
                 due);
}

static void give_back(int i) {
    for (int kind = 0; kind < KINDS; kind++) {
        model *m = &models[kind];
        while (m->search[i].count > 0) m->free.at[m->free.count++] = m->search[i].at[--m->search[i].count];
        m->used[i] = 0;
    }
    wend__pool_give_back(&pool, &searches[i]->pages, &searches[i]->open_pages);
    wend__pages_reset(searches[i]);
}

static void return_stock(int i) {
    for (int kind = 0; kind < KINDS; kind++) {
        model *m = &models[kind];
        for (uint32_t k = 0; k < m->stock[i].count; k++) m->free.at[m->free.count++] = m->stock[i].at[k];
        m->stock[i].count = 0;
    }
    wend__pool_return(&pool, &stocks[i]);
}

Test(pool, each_page_has_one_owner) {
    oracle_random random = {17};
    bool lacks[KINDS] = {false};
    begin_models();
    for (int turn = 0; turn < 20000; turn++) {
        const int i = oracle_below(&random, OWNERS), what = oracle_below(&random, 40);
        if (what < 10) grant(i, (uint32_t)oracle_below(&random, 12), (uint32_t)oracle_below(&random, 12));
        if (what >= 10 && what < 36) take(what % KINDS, i);
        if (what == 36 && turn % 5000 > 4000) give_back(i); /* before, all of them are taken */
        if (what == 37) return_stock(i);
        if (what == 38) { /* the search keeps its pages, and takes them first */
            wend__pages_reset(searches[i]);
            models[0].used[i] = models[1].used[i] = 0;
        }
        check_models();
        for (int kind = 0; kind < KINDS; kind++) lacks[kind] |= models[kind].free.count == 0;
    }
    cr_assert(lacks[0] && lacks[1]);
    end();
}

/* ---- pages by their place ---- */

/// A page of records, and the part of the map that it stands for.
typedef struct known {
    int32_t left, top;
    uint32_t part, page;
} known;

static known pages[MANY];
static uint32_t page_count, described;

static void describe(wend__search *s, uint32_t page) {
    (void)s;
    (void)page;
    described++;
}

static uint32_t known_page(int32_t left, int32_t top, uint32_t part) {
    for (uint32_t i = 0; i < page_count; i++)
        if (pages[i].left == left && pages[i].top == top && pages[i].part == part) return pages[i].page;
    return WEND__NONE;
}

static void begin_pages(bool wide) {
    begin(MANY);
    page_count = described = 0;
    searches[0]->wide = wide;
    searches[0]->describe_page = describe;
    searches[0]->part_shift = 0;
}

/* A new page has no records and no neighbours. */
static void check_new(uint32_t page) {
    const uint8_t *records = wend__page_records(&pool, page);
    for (uint32_t i = 0; i < WEND__PAGE_RECORD_BYTES; i++) cr_assert_eq(records[i], 0xff);
    for (unsigned i = 0; i < 8; i++) cr_assert_eq(pool.pages[page].links[i], WEND__NONE);
    memset(wend__page_records(&pool, page), 1, WEND__PAGE_RECORD_BYTES);
}

/* Records the page of a place: a new one, if none is known. */
static void check_page(uint32_t page, int32_t left, int32_t top, uint32_t part, uint32_t was_described) {
    const uint32_t before = known_page(left, top, part);
    cr_assert_neq(page, WEND__NONE);
    if (before != WEND__NONE) {
        cr_assert_eq(page, before);
        cr_assert_eq(described, was_described);
        return;
    }
    for (uint32_t i = 0; i < page_count; i++) cr_assert_neq(pages[i].page, page);
    pages[page_count++] = (known){left, top, part, page};
    check_new(page);
    cr_assert_eq(described, was_described + 1);
    cr_assert_eq(searches[0]->active_pages, page_count);
}

static void get_page(int32_t x, int32_t y) {
    wend__search *s = searches[0];
    const int32_t rows = s->wide ? 32 : 64, left = x / 64 * 64, top = y / rows * rows;
    const uint32_t before = known_page(left, top, 0), was_described = described;
    cr_assert_eq(wend__pages_find(s, x, y), before);
    uint32_t page = wend__pages_get(s, &stocks[0], x, y);
    if (page == WEND__NONE) {
        cr_assert(before == WEND__NONE && stocks[0].page_count == 0);
        wend__pool_grant(&pool, &stocks[0], 3, 0);
        page = wend__pages_get(s, &stocks[0], x, y);
    }
    check_page(page, left, top, 0, was_described);
    cr_assert(pool.pages[page].x == left && pool.pages[page].y == top);
}

/* From 256 pages on the directory is an open page, as soon as there is one. */
static void check_directory(bool given) {
    const bool grows = given && page_count > 256;
    cr_assert_eq(searches[0]->directory_shift, grows ? 5 : 3);
    const uint32_t *first = pool.open_entries + (size_t)searches[0]->open_pages.first * WEND__OPEN_PAGE_WORDS;
    const uint32_t *last = pool.open_entries + (size_t)searches[0]->open_pages.last * WEND__OPEN_PAGE_WORDS;
    if (grows) cr_assert(searches[0]->directory == first || searches[0]->directory == last);
}

Test(pages, are_found_by_their_place_on_the_map) {
    for (int wide = 0; wide < 2; wide++) {
        oracle_random random = {23};
        begin_pages(wide);
        for (int i = 0; i < 6000 && page_count < MANY - 10; i++) {
            get_page(oracle_below(&random, 40 * 64), oracle_below(&random, 40 * 64));
            if (i == 700) { /* the first one has other uses */
                wend__pool_grant(&pool, &stocks[0], 0, 2);
                cr_assert_eq(wend__pages_take_open(searches[0], &stocks[0]), 0);
            }
            if (i < 700 || i > 800) check_directory(i > 800);
        }
        cr_assert_gt(page_count, 1000);
        wend__pages_reset(searches[0]); /* the pages stay, and have no places */
        page_count = 0;
        cr_assert(searches[0]->active_pages == 0 && searches[0]->goal_id == WEND__NONE);
        for (int i = 0; i < 500; i++) {
            get_page(oracle_below(&random, 16 * 64), oracle_below(&random, 16 * 64));
            check_directory(true);
        }
        end();
    }
}

/* The directory of pages.c has one page in each bucket, for 8 x 8 pages in the first one and 32 x 32 in the second. */
Test(pages, of_a_square_share_no_bucket) {
    const int32_t sides[] = {8, 32};
    for (int i = 0; i < 2; i++) {
        begin_pages(false);
        wend__pool_grant(&pool, &stocks[0], 0, 1);
        for (int32_t k = 0; k < sides[i] * sides[i]; k++) get_page((5 + k % sides[i]) * 64, (11 + k / sides[i]) * 64);
        for (uint32_t k = 0; k < page_count; k++) cr_assert_eq(pool.pages[pages[k].page].next_in_bucket, WEND__NONE);
        end();
    }
}

Test(pages, know_their_neighbours) {
    for (int wide = 0; wide < 2; wide++) {
        oracle_random random = {29};
        begin_pages(wide);
        get_page(20 * 64, 20 * 64);
        for (int i = 0; i < 3000; i++) {
            const known from = pages[oracle_below(&random, (int)page_count)];
            const unsigned d = (unsigned)oracle_below(&random, 8);
            const int32_t left = from.left + wend__dx[d] * 64, top = from.top + wend__dy[d] * (wide ? 32 : 64);
            if (left < 0 || top < 0 || left >= 30 * 64 || top >= 30 * 64) continue;
            wend__pool_grant(&pool, &stocks[0], 1, 0);
            const uint32_t was_described = described;
            const uint32_t page = wend__pages_neighbour(searches[0], &stocks[0], from.page, d);
            cr_assert_eq(pool.pages[from.page].links[d], page);
            cr_assert(pool.pages[page].x == left && pool.pages[page].y == top);
            uint32_t links = 0;
            for (unsigned k = 0; k < 8; k++) links += pool.pages[page].links[k] == from.page;
            cr_assert_eq(links, 1);
            for (unsigned k = 0; k < 8; k++)
                if (wend__dx[k] == -wend__dx[d] && wend__dy[k] == -wend__dy[d])
                    cr_assert_eq(pool.pages[page].links[k], from.page);
            memset(pool.pages[page].links, 0xff, sizeof pool.pages[page].links);
            check_page(page, left, top, 0, was_described);
        }
        cr_assert_gt(page_count, 100);
        end();
    }
}

/* ---- parts of chunks ---- */

static void get_part(wend__search *s, uint32_t near, wend__place place) {
    const uint32_t part = place.local / 1024, was_described = described;
    const uint32_t before = known_page(place.column, place.row, part);
    cr_assert_eq(wend__pages_find_part(s, place), before);
    uint32_t page = wend__pages_get_part(s, &stocks[0], near, place);
    if (page == WEND__NONE) {
        cr_assert(before == WEND__NONE && stocks[0].page_count == 0);
        wend__pool_grant(&pool, &stocks[0], 2, 1);
        page = wend__pages_get_part(s, &stocks[0], near, place);
    }
    if (near != WEND__NONE && page != near) { /* the neighbour has a link to it */
        bool remembered = false;
        for (unsigned k = 0; k < 8; k++) remembered = remembered || pool.pages[near].links[k] == page;
        cr_assert(remembered);
    }
    check_page(page, place.column, place.row, part, was_described);
    const wend__page *header = &pool.pages[page];
    cr_assert(header->column == place.column && header->row == place.row && header->part == part);
    cr_assert(header->layer == place.row / s->view->chunk_y);
    cr_assert_eq(header->chunk, wend__version_chunk(s->view, place.column, place.row));
}

static uint32_t most_in_a_bucket(const wend__search *s) {
    uint32_t most = 0;
    for (uint32_t bucket = 0; bucket < 1u << 2 * s->directory_shift; bucket++) {
        uint32_t count = 0;
        for (uint32_t page = s->directory[bucket]; page != WEND__NONE; page = pool.pages[page].next_in_bucket) count++;
        if (count > most) most = count;
    }
    return most;
}

Test(pages, of_parts_are_found_by_chunk_and_part) {
    oracle_random random = {31};
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = 128, def.depth = 96;
    OWNED_MAP *map = made_map(&def);
    wend__version *version = wend__map_acquire(map, true);
    begin_pages(false);
    wend__search *s = searches[0];
    s->part_shift = 10, s->view = version;
    for (int i = 0; i < 6000 && page_count < MANY - 10; i++) {
        const wend__place place = {oracle_below(&random, 8), oracle_below(&random, 6 * 8),
                                   (uint32_t)oracle_below(&random, 4096)};
        const bool far = page_count == 0 || oracle_below(&random, 3) == 0;
        get_part(s, far ? WEND__NONE : pages[oracle_below(&random, (int)page_count)].page, place);
        cr_assert_eq(s->directory_shift, page_count <= 256 ? 3 : 5);
    }
    cr_assert_gt(page_count, 1000);
    cr_assert_eq(s->directory_shift, 5);
    cr_assert_leq(most_in_a_bucket(s), 6, "%u", most_in_a_bucket(s));
    end();
    wend__map_release(version, true);
}
