/* SPDX-License-Identifier: MIT */
/* Parts that keep waiting cheap: lines, the set of numbers, cached versions, paths kept as directions. */
#include "models/fast.h"
#include "service/service_support.h"
#include "fast/acceleration.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- the set of numbers ---- */

enum { IDS = 70, ROOM = 128 };

static wend__numbers numbers_in(uint32_t room, uint64_t *words, uint32_t *ids, wend__heap heap) {
    wend__numbers numbers = {.far = heap};
    wend__numbers_init(&numbers, room, words, ids);
    return numbers;
}

static int least_of(const uint64_t *number, const bool *in) {
    int least = -1;
    for (int i = 0; i < IDS; i++)
        if (in[i] && (least < 0 || number[i] < number[least])) least = i;
    return least;
}

Test(numbers, agree_with_a_sorted_list_inside_the_window_and_out_of_it) {
    static uint64_t words[8], number[IDS];
    static uint32_t ids[ROOM], places[IDS];
    static wend__heap_item items[IDS];
    memset(words, 0xa5, sizeof words); /* words that are not cleared */
    cr_assert_eq(wend__numbers_room(IDS), ROOM);
    cr_assert_leq(wend__numbers_all_words(ROOM), 8);
    wend__numbers numbers = numbers_in(ROOM, words, ids, (wend__heap){items, places, 0});
    bool in[IDS] = {false}, far = false, near_again = false;
    uint64_t seed = 5, next = 1000;
    for (int step = 0; step < 200000; step++) {
        const uint32_t id = draw(&seed, IDS);
        const bool emptying = step / 500 % 2 == 1;
        if (in[id]) {
            wend__numbers_remove(&numbers, number[id], id);
            in[id] = false;
        } else if (!emptying) {
            number[id] = next++;
            if (draw(&seed, 20) == 0) next += draw(&seed, 5) == 0 ? 1000 : 20;
            int old = least_of(number, in);
            uint64_t least = draw(&seed, 2) && old >= 0 ? number[old] : number[id] - draw(&seed, 300);
            wend__numbers_add(&numbers, number[id], id, least);
            in[id] = true;
        }
        far |= numbers.far.count > 0;
        near_again |= numbers.far.count > 0 && numbers.near > 0;
        const int least = least_of(number, in);
        cr_assert_eq(numbers.count == 0, least < 0);
        if (least >= 0) cr_assert_eq(wend__numbers_first(&numbers), (uint32_t)least);
    }
    cr_assert(far && near_again, "both sides were used");
}

Test(numbers, the_window_holds_its_first_and_last_and_not_one_past) {
    static uint64_t words[8];
    static uint32_t ids[64], places[4];
    static wend__heap_item items[4];
    cr_assert_eq(wend__numbers_room(1), 64);
    cr_assert_eq(wend__numbers_room(64), 64);
    cr_assert_eq(wend__numbers_room(65), 128);
    wend__numbers numbers = numbers_in(64, words, ids, (wend__heap){items, places, 0});
    wend__numbers_add(&numbers, 10, 0, 10);
    wend__numbers_add(&numbers, 73, 1, 10);
    cr_assert_eq(numbers.near, 2);
    wend__numbers_add(&numbers, 74, 2, 10);
    wend__numbers_add(&numbers, 9, 3, 9);
    cr_assert_eq(numbers.near, 2);
    cr_assert_eq(numbers.far.count, 2);
    const uint64_t number[4] = {10, 73, 74, 9};
    const uint32_t order[4] = {3, 0, 1, 2};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(wend__numbers_first(&numbers), order[i]);
        wend__numbers_remove(&numbers, number[order[i]], order[i]);
    }
    cr_assert_eq(numbers.count, 0);
}

Test(numbers, the_largest_window_has_one_word_on_top) {
    const uint32_t room = wend__numbers_room(UINT32_C(1) << 24);
    cr_assert_eq(room, UINT32_C(1) << 24);
    cr_assert_eq(wend__numbers_words(room, 0), UINT32_C(1) << 18);
    cr_assert_eq(wend__numbers_words(room, WEND__NUMBER_LEVELS - 1), 1);
    uint64_t *words = malloc(wend__numbers_all_words(room) * sizeof *words);
    uint32_t *ids = malloc(room * sizeof *ids);
    wend__numbers numbers = numbers_in(room, words, ids, (wend__heap){0});
    for (uint32_t place = room - 1; place > 0; place /= 3) {
        wend__numbers_add(&numbers, 7 + place, place, 7);
        cr_assert_eq(numbers.base, place < room / 2 ? 7 : 7 + place, "unless the least is too far off");
        cr_assert_eq(wend__numbers_first(&numbers), place);
        wend__numbers_remove(&numbers, 7 + place, place);
        cr_assert_eq(numbers.count, 0);
    }
    wend__numbers_add(&numbers, 7, 1, 7);
    wend__numbers_add(&numbers, 7 + room - 1, 2, 7);
    cr_assert_eq(numbers.near, 2);
    wend__numbers_remove(&numbers, 7, 1);
    cr_assert_eq(wend__numbers_first(&numbers), 2);
    free(words);
    free(ids);
}

/* ---- lines ---- */

Test(lines, come_in_the_order_of_service_whoever_comes_and_goes) {
    enum { QUEUE = 64 };
    wend_service_def def = small_def();
    tuning.quantum = 10;
    OWNED_SERVICE *service = service_of(&def);
    uint64_t seed = 6, number = 0;
    bool in[QUEUE] = {false}, lined = false, heaped = false;
    for (uint32_t i = 0; i < QUEUE; i++) service->entries[i] = (wend__entry){.slot = WEND__NONE, .number = number++};
    for (int step = 0; step < 100000; step++) {
        const uint32_t id = draw(&seed, QUEUE);
        wend__entry *entry = &service->entries[id];
        if (in[id]) {
            wend__order_remove(service, id);
        } else {
            if (draw(&seed, 2)) entry->number = number++;
            entry->request.urgency = (int32_t)draw(&seed, 4) * 500 - 1000 + (draw(&seed, 9) == 0 ? 500 : 0);
            if (draw(&seed, 3) == 0) entry->spent = draw(&seed, 30);
            wend__order_push(service, id);
            lined |= !wend__lines_heaped(&service->lines, id);
            heaped |= wend__lines_heaped(&service->lines, id);
            cr_assert_eq(entry->state, WEND__WAITING);
        }
        in[id] = !in[id];
        uint32_t first = WEND__NONE;
        for (uint32_t i = 0; i < QUEUE; i++)
            if (in[i] && (first == WEND__NONE || wend__order_before(service, i, first))) first = i;
        cr_assert_eq(wend__order_first(service), first);
    }
    cr_assert(lined && heaped);
}

/* ---- versions ---- */

static wend_map *watched;
static uint64_t publishes;
static int32_t set_rules_said;

static void publish_nothing_once(const seen *last) {
    (void)last;
    if (publishes++ > 0) return;
    wend_edit *edit = begin_edit(watched);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

Test(versions, a_delivery_is_checked_against_what_a_callback_published_a_moment_ago) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    watched = open_map(20, 20);
    publishes = 0;
    seen_clear();
    seen_hook = publish_nothing_once;
    submit_from_to(service, watched, (wend_cell){0, 0, 0}, (wend_cell){5, 5, 0}, 0); /* searched */
    submit_from_to(service, watched, (wend_cell){0, 0, 0}, (wend_cell){9, 5, 0}, 0);
    submit_from_to(service, watched, (wend_cell){1, 1, 0}, (wend_cell){1, 1, 0}, 0); /* not searched */
    frame_of(service, 10000);
    seen_hook = NULL;
    cr_assert_eq(seen_count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(seen_log[i].completion.status, WEND_STATUS_FOUND);
        cr_assert_eq(seen_log[i].completion.checked, i > 0);
        cr_assert_eq(seen_log[i].completion.epoch, i == 2);
    }
    wend_map_release(watched);
}

static void set_rules(const seen *last) {
    (void)last;
    wend_map_rules info_rules = rules_now(watched);
    set_rules_said = wend_map_set_rules(watched, &info_rules);
}

Test(versions, are_pinned_by_searches_under_way_alone_when_callbacks_run) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    watched = moat_map(60);
    seen_clear();
    seen_hook = set_rules;
    for (int i = 0; i < 20; i++) submit_from_to(service, watched, (wend_cell){0, 0, 0}, (wend_cell){i % 5, 1, 0}, 0);
    frame_of(service, 100000);
    cr_assert_eq(seen_count, 20);
    cr_assert_eq(set_rules_said, WEND_OK);
    submit_from_to(service, watched, (wend_cell){0, 0, 0}, moat_goal(60), 0);
    submit_from_to(service, watched, (wend_cell){0, 0, 0}, (wend_cell){2, 0, 0}, 1);
    wend_frame frame = frame_of(service, 200);
    cr_assert_eq(frame.running, 1);
    cr_assert_eq(set_rules_said, WEND_IN_USE);
    wend__version *newest = wend__map_acquire(watched, false);
    cr_assert_eq(newest->pins, 1);
    cr_assert_eq(newest->references, 3, "the map's, the search's, this one");
    wend__map_release(newest, false);
    seen_hook = NULL;
    wend_map_release(watched);
}

Test(versions, pins_in_hand_follow_the_map_that_is_asked_for) {
    wend_service_def def = small_def();
    OWNED_SERVICE *service = service_of(&def);
    wend_map *maps[2] = {open_map(8, 8), open_map(9, 9)};
    wend__version *held[200];
    for (int i = 0; i < 200; i++) {
        held[i] = wend__pins_take(service, maps[i / 3 % 2]);
        cr_assert_eq(held[i]->map, maps[i / 3 % 2]);
        if (i == 100) cr_assert_eq(wend__map_prepare_jumps(maps[0]), WEND_OK); /* a newer one, of the same epoch */
        if (HAS_FAST && i > 110 && held[i]->map == maps[0]) cr_assert(held[i]->jumps);
    }
    for (int i = 0; i < 200; i++) wend__pins_return(service, held[i * 7 % 200]);
    wend__pins_drop(service);
    for (int m = 0; m < 2; m++) {
        wend__version *newest = wend__map_acquire(maps[m], false);
        cr_assert_eq(newest->pins, 0);
        cr_assert_eq(newest->references, 2);
        cr_assert_null(newest->older);
        wend__map_release(newest, false);
        wend_map_release(maps[m]);
    }
}

/* ---- paths as directions ---- */

enum { BLOCKS = 4, LONGEST = BLOCKS * WEND__PATH_BLOCK_STEPS };

Test(paths, directions_are_kept_as_the_cells_they_lead_to) {
    static _Alignas(64) uint8_t memory[2 * BLOCKS * WEND__PATH_BLOCK];
    static uint8_t directions[LONGEST + 1];
    static wend_cell cells[LONGEST + 1], back[LONGEST + 1];
    const wend__size size = {65536, 65536};
    uint64_t seed = 9;
    for (uint64_t steps = 0; steps <= LONGEST; steps++) {
        wend__paths paths;
        wend__path one, other;
        wend__paths_init(&paths, memory, 2 * BLOCKS);
        cells[0] = (wend_cell){LONGEST, LONGEST, 0};
        for (uint64_t i = 0; i < steps; i++) {
            directions[i] = (uint8_t)draw(&seed, WEND__DIRECTIONS);
            cells[i + 1] = (wend_cell){cells[i].x + wend__dx[directions[i]], cells[i].y + wend__dy[directions[i]], 0};
        }
        cr_assert(wend__paths_store_directions(&paths, directions, steps, &one));
        cr_assert(wend__paths_store(&paths, size, cells, steps, &other));
        cr_assert_eq(one.blocks, other.blocks);
        cr_assert_not(one.wide);
        memset(back, 0, sizeof back);
        wend__paths_spread(&paths, size, &one, cells[0], steps, back);
        cr_assert_eq(memcmp(back, cells + 1, steps * sizeof *back), 0, "%d steps", (int)steps);
        wend__paths_free(&paths, &one);
        wend__paths_free(&paths, &other);
        cr_assert_eq(paths.free_count, 2 * BLOCKS);
    }
}

Test(paths, directions_that_do_not_fit_are_refused_at_one_past_the_arena) {
    static _Alignas(64) uint8_t memory[BLOCKS * WEND__PATH_BLOCK];
    static uint8_t directions[LONGEST + 1];
    wend__paths paths;
    wend__path path = {7, 7, 7, false};
    wend__paths_init(&paths, memory, BLOCKS);
    cr_assert_not(wend__paths_store_directions(&paths, directions, LONGEST + 1, &path));
    cr_assert_eq(path.first, 7);
    cr_assert_eq(paths.free_count, BLOCKS);
    cr_assert(wend__paths_store_directions(&paths, directions, LONGEST, &path));
    cr_assert_eq(paths.free_count, 0);
}
