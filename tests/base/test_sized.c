/* SPDX-License-Identifier: MIT */
/* Structs that begin with their size: at every size, with guards behind them, and in real calls. */
#include <criterion/criterion.h>
#include <string.h>

#include "models/defaults.h"
#include "base/sized.h"
#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/crowd.h>
#include <wend/figures.h>

typedef struct thing {
    uint32_t struct_bytes, a, b, c;
} thing;

enum { FIRST = 8, GUARD = 0xA5, ROOM = 4200 };

static union {
    uint8_t bytes[ROOM];
    uint64_t aligned;
} memory;

/* A caller's struct of that size, all of one byte, and guards behind it. */
static void *caller(uint32_t bytes, int fill) {
    memset(memory.bytes, GUARD, ROOM);
    memset(memory.bytes, fill, bytes < ROOM ? bytes : ROOM);
    memcpy(memory.bytes, &bytes, sizeof bytes);
    return memory.bytes;
}

static void check_guards(uint32_t bytes) {
    for (uint32_t i = bytes; i < ROOM; i++) cr_assert_eq(memory.bytes[i], GUARD, "byte %u of %u", i, bytes);
}

Test(sized, inputs_are_taken_at_every_size) {
    for (uint32_t bytes = 0; bytes <= 4100; bytes++) {
        thing own = {sizeof own, 1, 2, 3};
        void *theirs = caller(bytes < 4 ? 4 : bytes, 0);
        memcpy(theirs, &bytes, sizeof bytes);
        const bool fits = bytes >= FIRST && bytes <= WEND__SIZED_MAX;
        cr_assert_eq(wend__sized_read(&own, sizeof own, FIRST, theirs), fits, "%u", bytes);
        if (!fits) continue;
        cr_assert_eq(own.struct_bytes, sizeof own);
        cr_assert_eq(own.a, 0u);
        if (bytes == 8) cr_assert(own.b == 2 && own.c == 3, "missing fields keep their defaults");
        if (bytes == 12) cr_assert(own.b == 0 && own.c == 3);
        if (bytes >= 16) cr_assert(own.b == 0 && own.c == 0);
        if (bytes <= 16) continue;
        memory.bytes[bytes - 1] = 1;
        cr_assert_not(wend__sized_read(&own, sizeof own, FIRST, theirs), "a surplus that is not zero, of %u", bytes);
    }
    thing own;
    cr_assert_not(wend__sized_read(&own, sizeof own, FIRST, NULL));
}

Test(sized, outputs_are_filled_up_to_their_size_and_not_a_byte_further) {
    const thing own = {0, 0x01010101, 0x02020202, 0x03030303};
    for (uint32_t bytes = 4; bytes <= 4100; bytes++) {
        void *theirs = caller(bytes, 0x77);
        const bool fits = bytes >= FIRST && bytes <= WEND__SIZED_MAX;
        cr_assert_eq(wend__sized_give(theirs, FIRST, &own, sizeof own), fits);
        check_guards(bytes);
        cr_assert_eq(wend__sized_bytes(theirs), bytes);
        for (uint32_t i = 4; i < bytes; i++) {
            const uint8_t wanted = !fits ? 0x77 : i < 16 ? (uint8_t)(i / 4) : 0;
            cr_assert_eq(memory.bytes[i], wanted, "byte %u of %u", i, bytes);
        }
    }
    cr_assert_not(wend__sized_give(NULL, FIRST, &own, sizeof own));
}

Test(sized, defaults_are_written_up_to_the_size_given) {
    const thing own = {sizeof own, 1, 2, 3};
    for (uint32_t bytes = 0; bytes <= 4096; bytes++) {
        caller(bytes < 4 ? 4 : bytes, 0x77);
        if (bytes < 4) memset(memory.bytes, GUARD, 4);
        wend__sized_init(memory.bytes, bytes, &own, sizeof own);
        check_guards(bytes);
        if (bytes < 4) continue;
        cr_assert_eq(wend__sized_bytes(memory.bytes), bytes);
        for (uint32_t i = 16; i < bytes; i++) cr_assert_eq(memory.bytes[i], 0);
    }
}

/* ---- real calls ---- */

static wend_map *open_map(void) {
    wend_map *map;
    map = grid_map(8, 8);
    return map;
}

Test(sized, a_shorter_or_longer_info_is_filled_as_far_as_it_goes) {
    OWNED_MAP *map = open_map();
    for (uint32_t bytes = 4; bytes <= 4100; bytes++) {
        const bool fits = bytes >= WEND__FIRST_BYTES(wend_map_info, landmark_effort) && bytes <= 4096;
        cr_assert_eq(wend_map_get_info(map, caller(bytes, 0x77)), fits ? WEND_OK : WEND_BAD_ARGUMENT, "%u", bytes);
        check_guards(bytes);
    }
    cr_assert_eq(wend_map_get_info(map, NULL), WEND_BAD_ARGUMENT);
}

Test(sized, a_shorter_or_longer_tuning_of_a_service) {
    wend_service_def def = default_service();
    def.nodes = 4096, def.queue = 16;
    const size_t wanted = wend_service_bytes(&def);
    cr_assert_gt(wanted, 0);
    for (uint32_t bytes = 4; bytes <= 4100; bytes++) {
        const bool fits = bytes >= WEND__FIRST_BYTES(wend_service_tuning, quantum) && bytes <= 4096;
        wend_service_tuning *tuning = caller(bytes, 0x77);
        wend_service_tuning_init(tuning, bytes);
        def.tuning = tuning;
        cr_assert_eq(wend_service_bytes(&def), fits ? wanted : 0, "%u", bytes);
        check_guards(bytes);
        if (bytes <= sizeof *tuning) continue;
        memory.bytes[bytes - 1] = 1; /* a setting that this library does not know */
        cr_assert_eq(wend_service_bytes(&def), 0, "%u", bytes);
    }
}

static void ignore(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
}

Test(sized, a_longer_request_of_a_newer_caller_is_served_where_its_surplus_is_zero) {
    wend_service_def def = default_service();
    def.nodes = 4096, def.queue = 16;
    wend_service *service = made_service(&def);
    enum { BYTES = sizeof(wend_request) + 40 };
    static uint64_t memory_of[BYTES / 8];
    wend_request *request = (wend_request *)(void *)memory_of;
    OWNED_MAP *map = open_map();
    wend_request_init(request, BYTES);
    request->map = map, request->goal = (wend_cell){1, 7, 0}, request->on_done = ignore;
    cr_assert_eq(wend_service_submit(service, request, NULL), WEND_OK);
    ((uint8_t *)memory_of)[BYTES - 1] = 1; /* the surplus */
    cr_assert_eq(wend_service_submit(service, request, NULL), WEND_BAD_ARGUMENT);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
}

/* An array by number of a kind is last in its struct, or before such arrays only, with room for twice as many kinds. */
#define HAS_ROOM(type, array, kinds, end)                                                                              \
    _Static_assert(sizeof(((type *)0)->array) / sizeof(((type *)0)->array[0]) >= 2 * (kinds), #array " has no room");  \
    _Static_assert(offsetof(type, array) + sizeof(((type *)0)->array) == (end), "behind " #array " is more")
HAS_ROOM(wend_frame, statuses, WEND_STATUS_COUNT, offsetof(wend_frame, work_expansions));
HAS_ROOM(wend_frame, work_expansions, WEND_WORK_COUNT, offsetof(wend_frame, work_ns));
HAS_ROOM(wend_frame, work_ns, WEND_WORK_COUNT, sizeof(wend_frame));
HAS_ROOM(wend_stats, statuses, WEND_STATUS_COUNT, sizeof(wend_stats));
HAS_ROOM(wend_crowd_stats, states, WEND_AGENT_AWAY + 1, offsetof(wend_crowd_stats, event_counts));
HAS_ROOM(wend_crowd_stats, event_counts, WEND_AGENT_EVENT_LINK_AHEAD + 1, sizeof(wend_crowd_stats));
HAS_ROOM(wend_frame_record, work_expansions, WEND_WORK_COUNT, offsetof(wend_frame_record, work_ns));
HAS_ROOM(wend_frame_record, work_ns, WEND_WORK_COUNT, sizeof(wend_frame_record));
HAS_ROOM(wend_figures_stats, engine_answers, WEND_ENGINE_JUMP + 1, offsetof(wend_figures_stats, engine_expansions));
HAS_ROOM(wend_figures_stats, engine_expansions, WEND_ENGINE_JUMP + 1, offsetof(wend_figures_stats, work_expansions));
HAS_ROOM(wend_figures_stats, work_expansions, WEND_WORK_COUNT, offsetof(wend_figures_stats, work_ns));
HAS_ROOM(wend_figures_stats, work_ns, WEND_WORK_COUNT, offsetof(wend_figures_stats, general_answers));
HAS_ROOM(wend_figures_stats, general_answers, WEND_GENERAL_COUNT, sizeof(wend_figures_stats));
