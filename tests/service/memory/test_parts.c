/* SPDX-License-Identifier: MIT */
/* The heaps, and the buckets of the histograms, by themselves. */
#include "service/service_support.h"
#include "service/store/heap.h"
#include "models/options.h"

#include <criterion/criterion.h>

Test(heap, agrees_with_a_sorted_list_under_random_changes) {
    enum { IDS = 60 };
    wend__heap_item items[IDS];
    uint32_t places[IDS];
    wend__heap heap = {items, places, 0};
    wend__heap_item key[IDS];
    bool in[IDS] = {false};
    uint64_t seed = 8;
    for (int step = 0; step < 50000; step++) {
        uint32_t id = draw(&seed, IDS);
        if (in[id]) wend__heap_remove(&heap, id);
        in[id] = !in[id];
        if (in[id]) {
            key[id] = (wend__heap_item){draw(&seed, 5), (uint32_t)step, id};
            wend__heap_push(&heap, key[id].major, key[id].minor, id);
        }
        const wend__heap_item *first = NULL;
        uint32_t count = 0;
        for (uint32_t i = 0; i < IDS; i++) {
            if (!in[i]) continue;
            count++;
            cr_assert_eq(items[places[i]].id, i);
            if (!first || wend__heap_before(&key[i], first)) first = &key[i];
        }
        cr_assert_eq(heap.count, count);
        if (first) cr_assert_eq(items[0].id, first->id);
        if (first && draw(&seed, 4) == 0) {
            wend__heap_remove(&heap, first->id);
            in[first->id] = false;
        }
    }
}

Test(heap, with_two_ends_agrees_with_a_sorted_list) {
    enum { IDS = 70 };
    wend__heap_item items[IDS];
    uint32_t places[IDS];
    wend__heap heap = {items, places, 0};
    uint64_t key[IDS] = {0}; /* 0: not there */
    uint64_t seed = 9;
    for (int step = 0; step < 50000; step++) {
        const uint32_t id = draw(&seed, step / 1000 % 2 ? IDS : 9);
        if (key[id]) wend__min_max_remove(&heap, id);
        key[id] = key[id] ? 0 : (1 + draw(&seed, 1000)) * 100 + id;
        if (key[id]) wend__min_max_push(&heap, key[id], id);
        uint32_t first = WEND__NONE, last = WEND__NONE, count = 0;
        for (uint32_t i = 0; i < IDS; i++) {
            if (!key[i]) continue;
            count++;
            cr_assert_eq(items[places[i]].id, i);
            if (first == WEND__NONE || key[i] < key[first]) first = i;
            if (last == WEND__NONE || key[i] > key[last]) last = i;
        }
        cr_assert_eq(heap.count, count);
        cr_assert(first == WEND__NONE
                      ? !wend__min_max_first(&heap) && !wend__min_max_last(&heap)
                      : wend__min_max_first(&heap)->id == first && wend__min_max_last(&heap)->id == last);
    }
}

enum { BLOCKS = 10, LONGEST = BLOCKS * WEND__PATH_BLOCK_STEPS };
static const wend__size space = {37, 29};

static wend_cell any_cell(uint64_t *seed) {
    wend_cell cell = {(int32_t)draw(seed, space.width), (int32_t)draw(seed, space.height), (int32_t)draw(seed, 50)};
    return cell;
}

/* Draws a path on a plane, of whose cells `apart` are then moved anywhere. */
static void draw_path(wend_cell *cells, uint64_t steps, unsigned apart, uint64_t *seed) {
    cells[0] = any_cell(seed);
    for (uint64_t i = 0; i < steps; i++) {
        unsigned d = draw(seed, WEND__DIRECTIONS);
        wend_cell next = {cells[i].x + wend__dx[d], cells[i].y + wend__dy[d], cells[i].z};
        while (next.x < 0 || next.x >= (int32_t)space.width || next.y < 0 || next.y >= (int32_t)space.height) {
            d = draw(seed, WEND__DIRECTIONS);
            next = (wend_cell){cells[i].x + wend__dx[d], cells[i].y + wend__dy[d], cells[i].z};
        }
        cells[i + 1] = next;
    }
    for (unsigned i = 0; steps > 0 && i < apart; i++) cells[1 + draw(seed, (uint32_t)steps)] = any_cell(seed);
}

static void expect_cells(const wend_cell *got, const wend_cell *expected, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        cr_assert(got[i].x == expected[i].x && got[i].y == expected[i].y && got[i].z == expected[i].z, "cell %d",
                  (int)i);
}

static wend_cell drawn[LONGEST + 2], spread[LONGEST + 1];

Test(paths, blocks_are_given_back_and_used_again) {
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    cr_assert_eq(sizeof(wend__path_block), WEND__PATH_BLOCK);
    wend__paths paths;
    wend__paths_init(&paths, memory, BLOCKS);
    uint64_t seed = 2;
    for (uint64_t steps = 0; steps <= LONGEST; steps++) {
        static wend_cell others[101];
        wend__path path, other = wend__no_path();
        uint64_t other_steps = draw(&seed, 100);
        draw_path(others, other_steps, 0, &seed);
        draw_path(drawn, steps, 0, &seed);
        bool both = wend__paths_blocks(steps, false) + wend__paths_blocks(other_steps, false) <= BLOCKS;
        if (both) cr_assert(wend__paths_store(&paths, space, others, other_steps, &other));
        cr_assert(wend__paths_may_fit(&paths, steps));
        cr_assert(wend__paths_store(&paths, space, drawn, steps, &path));
        cr_assert_not(path.wide);
        cr_assert_eq(path.blocks, wend__paths_blocks(steps, false));
        wend__paths_spread(&paths, space, &path, drawn[0], steps, spread);
        expect_cells(spread, drawn + 1, steps);
        wend__paths_free(&paths, &path);
        if (both) wend__paths_spread(&paths, space, &other, others[0], other_steps, spread);
        if (both) expect_cells(spread, others + 1, other_steps);
        wend__paths_free(&paths, &other);
        cr_assert_eq(paths.free_count, BLOCKS);
        cr_assert_eq(path.first, WEND__NONE);
    }
}

Test(paths, the_form_follows_from_the_cells_at_the_arenas_limit_and_one_past) {
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    wend__paths paths;
    uint64_t seed = 3;
    for (int wide = 0; wide < 2; wide++) {
        uint64_t most = wide ? BLOCKS * WEND__PATH_BLOCK_NUMBERS : LONGEST;
        wend__paths_init(&paths, memory, BLOCKS);
        draw_path(drawn, most + 1, 0, &seed);
        if (wide) drawn[most + 1].z = drawn[most].z = drawn[0].z == 0; /* another layer, at the end alone */
        wend__path path = {7, 7, 7, false};
        cr_assert_not(wend__paths_store(&paths, space, drawn, most + 1, &path));
        cr_assert_eq(path.first, 7, "nothing is kept");
        cr_assert_eq(paths.free_count, BLOCKS);
        cr_assert(wend__paths_store(&paths, space, drawn, most, &path));
        cr_assert_eq(path.wide, wide);
        cr_assert_eq(paths.free_count, 0);
        cr_assert_eq(wend__paths_may_fit(&paths, 0), true);
        cr_assert_not(wend__paths_may_fit(&paths, 1));
        wend__paths_spread(&paths, space, &path, drawn[0], most, spread);
        expect_cells(spread, drawn + 1, most);
    }
}

Test(paths, every_step_that_is_no_neighbours_on_a_plane_is_kept_too) {
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    wend__paths paths;
    wend__paths_init(&paths, memory, BLOCKS);
    for (int32_t dz = -2; dz <= 2; dz++)
        for (int32_t dy = -2; dy <= 2; dy++)
            for (int32_t dx = -2; dx <= 2; dx++) {
                const wend_cell cells[3] = {{9, 9, 9}, {9 + dx, 9 + dy, 9 + dz}, {9 + dx, 10 + dy, 9 + dz}};
                bool plain = dz == 0 && dx * dx <= 1 && dy * dy <= 1 && (dx != 0 || dy != 0);
                wend__path path;
                cr_assert(wend__paths_store(&paths, space, cells, 2, &path));
                cr_assert_eq(path.wide, !plain, "%d %d %d", dx, dy, dz);
                wend__paths_spread(&paths, space, &path, cells[0], 2, spread);
                expect_cells(spread, cells + 1, 2);
                wend__paths_free(&paths, &path);
            }
}

Test(paths, the_largest_maps_corners_survive) {
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    wend__paths paths;
    wend__paths_init(&paths, memory, BLOCKS);
    static const wend_cell sides[] = {{65536, 65536, 1},
                                      {65536, 1, 65536},
                                      {1, 65536, 65536},
                                      {2048, 2048, 1024},
                                      {INT32_MAX, 1, 1}}; /* the last is a graph */
    for (int i = 0; i < 5; i++) {
        wend__size size = {(uint32_t)sides[i].x, (uint32_t)sides[i].y};
        wend_cell last = {sides[i].x - 1, sides[i].y - 1, sides[i].z - 1};
        const wend_cell cells[] = {{0, 0, 0},      last,           {last.x, 0, 0},
                                   {0, last.y, 0}, {0, 0, last.z}, {0, last.y, last.z}};
        wend__path path;
        cr_assert(wend__paths_store(&paths, size, cells, 5, &path));
        wend__paths_spread(&paths, size, &path, cells[0], 5, spread);
        expect_cells(spread, cells + 1, 5);
        wend__paths_free(&paths, &path);
    }
}

/* Paths of both forms come and go; each stays the same, whole or in part. */
Test(paths, random_mixes_come_back_as_they_were) {
    enum { HELD = 12, ROOM = 60, MOST = 400 };
    static _Alignas(64) uint8_t memory[ROOM * WEND__PATH_BLOCK];
    static wend_cell held[HELD][MOST + 1];
    static wend__path path[HELD];
    static uint64_t steps[HELD];
    bool in[HELD] = {false};
    wend__paths paths;
    wend__paths_init(&paths, memory, ROOM);
    uint64_t seed = 5, forms[2] = {0, 0}, refused = 0;
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t i = draw(&seed, HELD), used = 0;
        if (in[i]) {
            uint64_t part = draw(&seed, (uint32_t)steps[i] + 1);
            wend__paths_spread(&paths, space, &path[i], held[i][0], part, spread);
            expect_cells(spread, held[i] + 1, part);
            wend__paths_free(&paths, &path[i]);
            in[i] = false;
        } else {
            steps[i] = draw(&seed, draw(&seed, 2) ? MOST + 1 : 40);
            draw_path(held[i], steps[i], draw(&seed, 2) ? draw(&seed, 3) : 0, &seed);
            in[i] = wend__paths_store(&paths, space, held[i], steps[i], &path[i]);
            refused += !in[i];
            if (in[i]) forms[path[i].wide]++;
        }
        for (int j = 0; j < HELD; j++) used += in[j] ? path[j].blocks : 0;
        cr_assert_eq(paths.free_count, ROOM - used);
    }
    cr_assert(forms[0] > 1000 && forms[1] > 1000 && refused > 50, "%d %d %d", (int)forms[0], (int)forms[1],
              (int)refused);
}

/* ---- further goals ---- */

Test(goals, all_of_the_room_can_be_used_however_it_was_given_back) {
    enum { ROOM = 100, HELD = 40 };
    static wend__goal items[ROOM];
    static wend__entry entries[HELD];
    static wend_cell rooms[2 * (WEND_MAX_GOALS - 1)];
    static wend_service service;
    service.rooms = rooms, service.room = WEND_MAX_GOALS - 1, service.tuning.searches = 1;
    service.inbox.goals = (wend__goal_store){items, ROOM, 0, WEND__NONE, ROOM};
    wend__goal_store *goals = &service.inbox.goals;
    uint64_t seed = 6, refused = 0;
    uint32_t used = 0;
    for (int i = 0; i < HELD; i++) entries[i].slot = entries[i].goals_first = entries[i].goals_last = WEND__NONE;
    for (int trial = 0; trial < 50000; trial++) {
        uint32_t i = draw(&seed, HELD);
        wend__entry *entry = &entries[i];
        if (entry->goals_first != WEND__NONE) {
            entry->slot = draw(&seed, 2) ? 0 : WEND__NONE;
            const wend__request *request = wend__goal_store_ready(&service, entry);
            cr_assert_eq(request->more_goals, rooms + (entry->slot == 0 ? 0 : service.room));
            for (uint32_t j = 0; j < request->more_goal_count; j++)
                cr_assert(request->more_goals[j].x == (int32_t)i && request->more_goals[j].y == (int32_t)j);
            used -= request->more_goal_count;
            wend__goal_store_free(goals, entry);
            entry->request.more_goal_count = 0;
            cr_assert_null(wend__goal_store_ready(&service, entry)->more_goals);
        } else {
            wend_cell cells[WEND_MAX_GOALS - 1];
            uint32_t count = draw(&seed, WEND_MAX_GOALS);
            for (uint32_t j = 0; j < count; j++) cells[j] = at((int32_t)i, (int32_t)j);
            bool kept = wend__goal_store_keep(goals, cells, count, &entry->goals_first, &entry->goals_last);
            cr_assert_eq(kept, used + count <= ROOM, "room is room, wherever it lies");
            entry->request.more_goal_count = kept ? count : 0;
            used += kept ? count : 0;
            refused += !kept;
        }
        cr_assert_eq(goals->free_count, ROOM - used);
    }
    cr_assert_gt(refused, 1000);
}

/* Requests by number come in order, leave from anywhere and come back; some of them wait to be dealt. */
Test(ages, agree_with_a_list_under_random_changes) {
    enum { COUNT = 40 };
    static wend__entry entries[COUNT];
    static wend_service service;
    wend__heap_item items[COUNT];
    uint32_t places[COUNT];
    service.entries = entries;
    service.ages =
        (wend__ages){.chain = {WEND__NONE, WEND__NONE}, .returned = {items, places, 0}, .fair_next = WEND__NONE};
    for (uint32_t i = 0; i < COUNT; i++) entries[i].number = 100 + i;
    bool in[COUNT] = {false};
    uint64_t seed = 4;
    uint32_t most = 0;
    for (int step = 0; step < 100000; step++) {
        const uint32_t i = draw(&seed, COUNT);
        if (in[i])
            wend__ages_remove(&service, i);
        else
            wend__ages_add(&service, i);
        in[i] = !in[i];
        entries[i].state = draw(&seed, 3) ? WEND__WAITING : WEND__SCHEDULED;
        uint32_t oldest = WEND__NONE, waiting = WEND__NONE;
        for (uint32_t j = COUNT; j-- > 0;) {
            if (in[j]) oldest = j;
            if (in[j] && entries[j].state == WEND__WAITING) waiting = j;
        }
        cr_assert_eq(wend__ages_oldest(&service), oldest);
        wend__ages_begin_round(&service);
        cr_assert_eq(wend__ages_oldest_waiting(&service), waiting);
        if (waiting != WEND__NONE && draw(&seed, 2)) {
            wend__ages_remove(&service, waiting); /* in a round */
            in[waiting] = false;
            do waiting++;
            while (waiting < COUNT && !(in[waiting] && entries[waiting].state == WEND__WAITING));
            cr_assert_eq(wend__ages_oldest_waiting(&service), waiting < COUNT ? waiting : WEND__NONE);
        }
        if (service.ages.returned.count > most) most = service.ages.returned.count;
    }
    cr_assert_gt(most, COUNT / 3, "many belonged between others");
}
