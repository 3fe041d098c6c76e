/* SPDX-License-Identifier: MIT */
/* The host's log: which calls write lines, at which level, and which write none. */
#include "models/counting.h"
#include "models/defaults.h"
#include "models/fast.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/acceleration.h>
#include <wend/host.h>
#include <wend/record.h>
#include <wend/units.h>

enum { LINES = 64, TEXT = 256 };

static struct {
    int count;
    int32_t levels[LINES];
    wend_error errors[LINES];
    char texts[LINES][TEXT];
} lines;

static void keep(void *context, int32_t level, wend_error error, const char *text) {
    cr_assert_eq(context, &lines);
    cr_assert_lt(lines.count, LINES);
    cr_assert(strlen(text) < TEXT && !strchr(text, '\n'));
    lines.levels[lines.count] = level, lines.errors[lines.count] = error;
    strcpy(lines.texts[lines.count++], text);
}

static void begin(int32_t level) {
    lines.count = 0;
    wend_set_log(keep, &lines, level);
}

/* Checks that the log has exactly this line, and clears it. */
static void expect(int32_t level, wend_error error, const char *part) {
    cr_assert_eq(lines.count, 1, "%d lines, the first '%s'", lines.count, lines.texts[0]);
    cr_assert_eq(lines.levels[0], level);
    cr_assert_eq(lines.errors[0], error);
    cr_assert(strstr(lines.texts[0], part), "'%s' is not in '%s'", part, lines.texts[0]);
    lines.count = 0;
}

static wend_map *plain_map(int32_t side) {
    wend_map *map;
    wend_map_def def = default_map();
    def.width = def.height = side;
    cr_assert(!wend_map_create(&def, &map));
    return map;
}

static void write_class(wend_map *map, wend_cell cell, uint8_t terrain) {
    wend_edit *edit;
    cr_assert(!wend_edit_begin(map, &edit));
    cr_assert(!wend_edit_set_cell(edit, cell, terrain));
    cr_assert(!wend_edit_publish(edit, NULL));
}

Test(log, gets_a_refused_call_with_its_detail) {
    wend_map *map = plain_map(8);
    begin(WEND_LOG_INFO);
    const wend_error error = wend_map_add_mover(map, NULL, NULL);
    cr_assert(error);
    expect(WEND_LOG_WARNING, error, wend_error_detail(error));
    cr_assert_eq(wend_map_vacate(map, (wend_cell){1, 1, 0}), WEND_EMPTY);
    expect(WEND_LOG_INFO, WEND_EMPTY, "");
    cr_assert_eq(wend_map_occupy(map, (wend_cell){8, 0, 0}), WEND_OUT_OF_RANGE);
    expect(WEND_LOG_INFO, WEND_OUT_OF_RANGE, "8");
    wend_map_release(map);
    cr_assert_eq(lines.count, 0);
}

Test(log, has_a_level_up_to_which_it_is_called) {
    OWNED_MAP *map = plain_map(8);
    begin(WEND_LOG_WARNING);
    cr_assert(wend_map_vacate(map, (wend_cell){1, 1, 0}));
    cr_assert_eq(lines.count, 0);
    cr_assert(wend_map_add_mover(map, NULL, NULL));
    expect(WEND_LOG_WARNING, WEND_BAD_ARGUMENT, "");
    begin(WEND_LOG_ERROR);
    cr_assert(wend_map_add_mover(map, NULL, NULL));
    begin(0);
    cr_assert(wend_map_add_mover(map, NULL, NULL));
    cr_assert_eq(lines.count, 0);
    wend_set_log(NULL, &lines, WEND_LOG_INFO);
    cr_assert(wend_map_add_mover(map, NULL, NULL));
    cr_assert_eq(lines.count, 0);
}

Test(log, gets_lacking_memory_with_its_bytes) {
    counting counts = {.fail_from = 1};
    wend_map_def def = default_map();
    wend_map *map;
    def.width = def.height = 8, def.allocator = counting_allocator(&counts);
    begin(WEND_LOG_ERROR);
    cr_assert_eq(wend_map_create(&def, &map), WEND_OUT_OF_MEMORY);
    cr_assert_geq(lines.count, 1);
    cr_assert_eq(lines.errors[0], WEND_OUT_OF_MEMORY);
    cr_assert(strstr(lines.texts[0], "bytes"));
}

static void ignore(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

/* A service with room for one search: a more urgent request takes it. */
Test(log, gets_the_first_eviction_of_a_service) {
    OWNED_MAP *map = plain_map(128);
    OWNED_SERVICE *service = NULL;
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    tuning.lanes = tuning.searches = 1, tuning.fair = 0;
    def.tuning = &tuning;
    cr_assert(!wend_service_create(&def, &service));
    write_class(map, (wend_cell){64, 64, 0}, WEND_CLASS_BLOCKED);
    begin(WEND_LOG_WARNING);
    wend_budget budget = default_budget();
    wend_request request = default_request();
    request.map = map, request.goal = (wend_cell){127, 90, 0}, request.on_done = ignore;
    cr_assert(!wend_service_submit(service, &request, NULL)); /* the oldest is not evicted */
    budget.expansions = 10;
    for (int i = 1; i < 6; i++) {
        request.urgency = i;
        cr_assert(!wend_service_submit(service, &request, NULL));
        cr_assert(!wend_service_tick(service, &budget, NULL));
    }
    cr_assert_gt(stats_now(service).evictions, 1);
    expect(WEND_LOG_WARNING, WEND_OK, "evicted its first search");
}

Test(log, gets_landmarks_that_an_edit_costs) {
    NEEDS_FAST();
    OWNED_MAP *map = plain_map(64);
    cr_assert(!wend_map_accelerate(map, NULL));
    cr_assert_gt(info_now(map).landmarks, 0);
    begin(WEND_LOG_WARNING);
    write_class(map, (wend_cell){9, 9, 0}, WEND_CLASS_BLOCKED);
    cr_assert_eq(lines.count, 0, "repaired");
    wend_map_rules rules = rules_now(map);
    rules.factors[7] = 9;
    cr_assert(!wend_map_set_rules(map, &rules));
    cr_assert_eq(info_now(map).landmarks, 0);
    expect(WEND_LOG_WARNING, WEND_OK, "landmarks");
}

#ifndef TEST_CORE /* the core library has no recordings */
static wend_error refuse_bytes(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_IO;
}

Test(log, gets_the_error_that_ends_a_recording) {
    OWNED_MAP *map = plain_map(8);
    OWNED_SERVICE *service = NULL;
    wend_service_def def = default_service();
    cr_assert(!wend_service_create(&def, &service));
    begin(WEND_LOG_ERROR);
    cr_assert(!wend_service_record(service, refuse_bytes, NULL));
    cr_assert(!wend_service_tick(service, NULL, NULL));
    (void)wend_service_record_map(service, map);
    cr_assert_eq(wend_service_end_recording(service), WEND_IO);
    int ends = 0;
    for (int i = 0; i < lines.count; i++)
        ends += strstr(lines.texts[i], "a recording has ended: the callback that writes") != NULL;
    cr_assert_eq(ends, 1);
}
#endif

/* Makes only correct calls, as a game does. */
Test(log, is_silent_while_nothing_is_refused) {
    wend_map *map = plain_map(64);
    wend_service *service;
    wend_service_def def = default_service();
    wend_request request = default_request();
    begin(WEND_LOG_INFO);
    if (HAS_FAST) cr_assert(!wend_map_accelerate(map, NULL));
    cr_assert(!wend_service_create(&def, &service));
    request.map = map, request.goal = (wend_cell){60, 31, 0}, request.on_done = ignore;
    for (int i = 0; i < 50; i++) {
        request.start.y = i;
        cr_assert(!wend_service_submit(service, &request, NULL));
        write_class(map, (wend_cell){30, i, 0}, i % 2 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN);
        cr_assert(!wend_service_tick(service, NULL, NULL));
    }
    wend_service_destroy(service);
    wend_map_release(map);
    cr_assert_eq(lines.count, 0, "%s", lines.texts[0]);
}
