/* SPDX-License-Identifier: MIT */
/* Marks where memory is short or locked: nothing changes, or nothing is lost. */
#include <criterion/criterion.h>

#include "mark/arenas.h"
#include "mark/tree.h"
#include "models/random.h"

#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

Test(marks, change_nothing_where_memory_is_lacking) {
    enum { BYTES = 1 << 20 };
    counting counts = {0};
    wend_arena *arena = open_arena(4, 0, &counts);
    uint8_t *block = take(arena, BYTES);
    memset(block, 0, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    for (size_t fail = 1; fail < 60; fail++) {
        counts.fail_at = 0;
        cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
        memset(block, (int)fail, BYTES);
        counts.fail_at = counts.calls + fail;
        const wend_error error = wend_arena_mark(arena, 2);
        cr_assert(error == WEND_OK || error == WEND_OUT_OF_MEMORY);
        counts.fail_at = counts.calls + fail / 2 + 1;
        wend_error back = wend_arena_rewind(arena, 1);
        cr_assert(back == WEND_OK || back == WEND_OUT_OF_MEMORY);
        if (back) cr_assert_eq(block[77], fail);
        counts.fail_at = 0;
        cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK);
        for (size_t i = 0; i < BYTES; i += 512) cr_assert_eq(block[i], 0, "%zu", fail);
        if (!error) {
            cr_assert_eq(wend_arena_rewind(arena, 2), WEND_OK);
            for (size_t i = 0; i < BYTES; i += 512) cr_assert_eq(block[i], fail);
        }
        cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    }
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    cr_assert_eq(counts.bytes, 0);
}

Test(marks, keep_to_their_limit_of_bytes) {
    enum { BYTES = 1 << 20, MOST = 1 << 18 };
    wend_arena *arena = open_arena(4, MOST, NULL);
    uint8_t *block = take(arena, BYTES);
    memset(block, 0, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    memset(block, 1, MOST / 2);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    memset(block, 2, BYTES);
    cr_assert_eq(wend_arena_mark(arena, 2), WEND_OUT_OF_MEMORY);
    cr_assert_eq(block[BYTES - 1], 2);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK);
    cr_assert(block[0] == 1 && block[BYTES - 1] == 0);
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
}

/* ---- courses of marks ---- */

enum { SLOTS = 5, LINES = 900, WORDS = 8, STEPS = 150 };

/// Marks, rewinds and writes in random order, and what each slot is to hold: a value for each line.
typedef struct course {
    counting counts;
    uint64_t random;
    wend_arena *arena;
    uint64_t *lines;
    uint64_t now[LINES], kept[SLOTS][LINES];
    bool used[SLOTS];
    uint32_t refused;
} course;

static void begin_course(course *c, uint64_t seed, uint64_t mark_bytes) {
    wend_arena_def def;
    wend_arena_def_init(&def, sizeof def);
    def.marks = SLOTS, def.bytes = 1 << 20, def.mark_bytes = mark_bytes, def.allocator = counting_allocator(&c->counts);
    c->random = seed;
    wend_error error = wend_arena_create(&def, &c->arena);
    if (error == WEND_OUT_OF_MEMORY) error = wend_arena_create(&def, &c->arena);
    cr_assert_eq(error, WEND_OK);
    c->lines = (uint64_t *)(void *)take(c->arena, sizeof(uint64_t) * LINES * WORDS);
    memset(c->lines, 0, sizeof(uint64_t) * LINES * WORDS);
}

static void end_course(course *c) {
    give(c->arena, c->lines, sizeof(uint64_t) * LINES * WORDS);
    cr_assert_eq(wend_arena_destroy(c->arena), WEND_OK);
    cr_assert_eq(c->counts.bytes, 0);
}

static void check_lines(const course *c, int step) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < LINES; i++) cr_assert_eq(c->lines[i * WORDS], c->now[i], "step %d: line %u", step, i);
    for (uint32_t slot = 0; slot < SLOTS; slot++) used += c->used[slot];
    cr_assert_eq(info_of(c->arena).marks, used, "step %d", step);
}

static void write_lines(course *c) {
    const uint32_t first = draw(&c->random, LINES), most = draw(&c->random, 3) ? 20 : LINES;
    const uint32_t count = draw(&c->random, LINES - first < most ? LINES - first : most) + 1;
    for (uint32_t i = first; i < first + count; i++) c->lines[i * WORDS] = c->now[i] = draw(&c->random, 1 << 20);
}

static wend_error go_to(course *c, uint32_t slot, bool back) {
    const wend_error error = back ? wend_arena_rewind(c->arena, slot) : wend_arena_mark(c->arena, slot);
    if (error) return error;
    memcpy(back ? c->now : c->kept[slot], back ? c->kept[slot] : c->now, sizeof c->now);
    c->used[slot] = true;
    return WEND_OK;
}

/* Takes a step. @param retries   false: what memory is too short for is left out */
static void take_step(course *c, int step, bool retries) {
    const uint32_t slot = draw(&c->random, SLOTS), kind = draw(&c->random, 8);
    if (kind < 2) write_lines(c);
    if (kind == 2) {
        cr_assert_eq(wend_arena_forget(c->arena, slot), WEND_OK, "it needs no memory");
        c->used[slot] = false;
    }
    const bool back = kind > 5 && c->used[slot];
    wend_error error = kind > 2 ? go_to(c, slot, back) : WEND_OK;
    if (error) {
        cr_assert_eq(error, WEND_OUT_OF_MEMORY, "step %d", step);
        c->refused++;
        check_lines(c, step);
        if (retries) cr_assert_eq(go_to(c, slot, back), WEND_OK, "step %d", step);
    }
    check_lines(c, step);
}

Test(marks, change_nothing_whichever_allocation_fails) {
    size_t fail = 0, calls;
    do {
        course c = {.counts.fail_at = ++fail};
        begin_course(&c, 7, 0);
        for (int step = 0; step < STEPS; step++) take_step(&c, step, true);
        calls = c.counts.calls, c.counts.fail_at = 0;
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            if (c.used[slot]) cr_assert_eq(go_to(&c, slot, true), WEND_OK);
        check_lines(&c, STEPS);
        cr_assert_eq(c.refused, fail > 1 && fail <= calls, "allocation %zu", fail);
        end_course(&c);
    } while (fail <= calls);
    cr_assert_gt(fail, 20, "%zu", fail);
}

Test(marks, change_nothing_under_any_limit_of_bytes) {
    uint32_t refused = 0;
    for (uint64_t chunks = 1; chunks <= 12; chunks++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            course c = {0};
            begin_course(&c, seed, chunks * sizeof(wend__line_chunk) + 100);
            for (int step = 0; step < STEPS; step++) take_step(&c, step, false);
            refused += c.refused;
            cr_assert_leq(c.counts.peak, 100000 + chunks * sizeof(wend__line_chunk));
            end_course(&c);
        }
    cr_assert_gt(refused, 1000, "%u", refused);
}

/* ---- locked memory ---- */

#if defined(__linux__)
Test(marks, keep_what_is_there_in_a_process_that_locks_its_memory) {
    enum { BYTES = 200000 };
    if (mlockall(MCL_FUTURE)) return; /* the system allows none */
    wend_arena *arena = open_large(2, 1 << 20, 0, NULL);
    uint8_t *block = take(arena, BYTES);
    for (int i = 0; i < BYTES; i++) block[i] = (uint8_t)(i % 251);
    cr_assert_eq(wend_arena_mark(arena, 0), WEND_OK);
    for (int i = 0; i < BYTES; i++) cr_assert_eq(block[i], i % 251, "byte %d", i);
    memset(block + 100, 1, BYTES / 2);
    cr_assert_eq(wend_arena_mark(arena, 1), WEND_OK);
    cr_assert_eq(wend_arena_rewind(arena, 0), WEND_OK);
    for (int i = 0; i < BYTES; i++) cr_assert_eq(block[i], i % 251, "byte %d", i);
    cr_assert_eq(wend_arena_rewind(arena, 1), WEND_OK);
    for (int i = 100; i < 100 + BYTES / 2; i++) cr_assert_eq(block[i], 1, "byte %d", i);
    give(arena, block, BYTES);
    cr_assert_eq(wend_arena_destroy(arena), WEND_OK);
    munlockall();
}
#endif
