/* SPDX-License-Identifier: MIT */
/* A host built with the headers of 0.2: every sized struct of libwend, with guards behind it, in calls of the library of today. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { GUARD = 0xA5, GUARDS = 512 };

static int failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition);                                   \
    } while (0)

/* A struct of this program's size with guards behind it. */
#define GUARDED(type, name)                                                                                            \
    struct {                                                                                                           \
        type of;                                                                                                       \
        unsigned char guards[GUARDS];                                                                                  \
    } name;                                                                                                            \
    memset(&name, GUARD, sizeof name)

#define CHECK_GUARDS(name) check_guards((name).guards, #name)

static void check_guards(const unsigned char *guards, const char *name) {
    for (int i = 0; i < GUARDS; i++)
        if (guards[i] != GUARD) {
            failures++, printf("%s: byte %d behind it was written\n", name, i);
            return;
        }
}

static wend_map *make_map(void) {
    GUARDED(wend_map_def, def);
    GUARDED(wend_map_rules, rules);
    GUARDED(wend_acceleration, acceleration);
    wend_map *map = NULL;
    wend_map_def_init(&def.of, sizeof def.of);
    wend_map_rules_init(&rules.of, sizeof rules.of);
    wend_acceleration_init(&acceleration.of, sizeof acceleration.of);
    def.of.width = def.of.height = 100, def.of.rules = &rules.of, def.of.acceleration = &acceleration.of;
    CHECK(wend_map_create(&def.of, &map) == WEND_OK);
    memset(&rules.of, 0, sizeof rules.of);
    rules.of.struct_bytes = sizeof rules.of;
    CHECK(wend_map_get_rules(map, &rules.of) == WEND_OK && rules.of.neighbours == 8);
    CHECK(wend_map_accelerate(map, &acceleration.of) == WEND_OK);
    CHECK_GUARDS(def);
    CHECK_GUARDS(rules);
    CHECK_GUARDS(acceleration);
    return map;
}

static void check_map(wend_map *map) {
    GUARDED(wend_map_info, info);
    GUARDED(wend_mover, mover);
    int32_t id = -1;
    info.of.struct_bytes = sizeof info.of;
    CHECK(wend_map_get_info(map, &info.of) == WEND_OK && info.of.width == 100 && info.of.jumps == 1);
    CHECK_GUARDS(info);
    wend_mover_init(&mover.of, sizeof mover.of);
    CHECK(wend_map_add_mover(map, &mover.of, &id) == WEND_OK && id == 1);
    CHECK(wend_map_get_mover(map, 1, &mover.of) == WEND_OK && mover.of.size == 1);
    CHECK_GUARDS(mover);
}

static void check_files(void) {
    static const char good[] = "Rows 1\nColumns 2\nA B\n", bad[] = "Rows 1\nColumns 2\nA ?\n";
    GUARDED(wend_map_markers, markers);
    GUARDED(wend_file_error, error);
    wend_map *map = NULL;
    markers.of.struct_bytes = sizeof markers.of, error.of.struct_bytes = sizeof error.of;
    CHECK(wend_map_parse(good, sizeof good - 1, NULL, &map, &markers.of, &error.of) == WEND_OK);
    CHECK(markers.of.has_start == 1 && markers.of.goal.x == 1);
    wend_map_release(map);
    CHECK(wend_map_parse(bad, sizeof bad - 1, NULL, &map, &markers.of, &error.of) == WEND_BAD_FORMAT);
    CHECK(error.of.line == 3 && error.of.text[0]);
    CHECK_GUARDS(markers);
    CHECK_GUARDS(error);
}

static void check_graph(void) {
    GUARDED(wend_graph_def, def);
    const wend_edge edge = {0, 1, 5};
    wend_map *map = NULL;
    wend_graph_def_init(&def.of, sizeof def.of);
    def.of.node_count = 2, def.of.edges = &edge, def.of.edge_count = 1;
    CHECK(wend_graph_create(&def.of, &map) == WEND_OK);
    wend_map_release(map);
    CHECK_GUARDS(def);
}

static void check_search(wend_map *map) {
    GUARDED(wend_search_def, def);
    GUARDED(wend_request, request);
    GUARDED(wend_completion, result);
    wend_search *search = NULL;
    wend_search_def_init(&def.of, sizeof def.of);
    wend_request_init(&request.of, sizeof request.of);
    request.of.map = map, request.of.goal = (wend_cell){99, 99, 0};
    result.of.struct_bytes = sizeof result.of;
    CHECK(wend_search_create(&def.of, &search) == WEND_OK);
    CHECK(wend_search_begin(search, &request.of) == WEND_OK);
    CHECK(wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_FOUND);
    CHECK(wend_search_get_result(search, &result.of) == WEND_OK && result.of.cost == 99 * 14);
    wend_search_destroy(search);
    CHECK_GUARDS(def);
    CHECK_GUARDS(request);
    CHECK_GUARDS(result);
}

/* A tuning that is too short is refused; a longer one is served where its surplus is zero. */
static void check_tuning(const wend_service_def *given) {
    wend_service_def def = *given;
    struct {
        wend_tuning of;
        unsigned char surplus[40], guards[GUARDS];
    } tuning;
    memset(&tuning, GUARD, sizeof tuning);
    wend_tuning_init(&tuning.of, 4); /* no room for more than the size */
    CHECK(tuning.of.struct_bytes == 4 && tuning.of.list == 0xA5A5A5A5);
    def.tuning = &tuning.of;
    CHECK(wend_service_bytes(&def) == 0);
    wend_tuning_init(&tuning.of, sizeof tuning.of + sizeof tuning.surplus);
    CHECK(tuning.of.slice == 1000 && tuning.surplus[39] == 0);
    CHECK(wend_service_bytes(&def) == wend_service_bytes(given));
    tuning.surplus[39] = 1;
    CHECK(wend_service_bytes(&def) == 0);
    CHECK_GUARDS(tuning);
}

static int delivered;

static void on_done(void *context, const wend_completion *completion) {
    (void)context;
    CHECK(completion->struct_bytes >= sizeof *completion && completion->cost == 99 * 14);
    delivered++;
}

static void check_service(wend_map *map) {
    GUARDED(wend_service_def, def);
    GUARDED(wend_tuning, tuning);
    GUARDED(wend_budget, budget);
    GUARDED(wend_frame, frame);
    GUARDED(wend_stats, stats);
    GUARDED(wend_completion, polled);
    static wend_cell cells[200];
    wend_request requests[3];
    wend_service *service = NULL;
    wend_service_def_init(&def.of, sizeof def.of);
    wend_tuning_init(&tuning.of, sizeof tuning.of);
    check_tuning(&def.of);
    def.of.tuning = &tuning.of;
    wend_budget_init(&budget.of, sizeof budget.of);
    CHECK(wend_service_create(&def.of, &service) == WEND_OK);
    for (int i = 0; i < 3; i++) {
        wend_request_init(&requests[i], sizeof requests[i]);
        requests[i].map = map, requests[i].goal = (wend_cell){99, 99, 0};
        if (i < 2) requests[i].on_done = on_done;
    }
    CHECK(wend_service_submit_many(service, requests, 3, NULL, NULL) == WEND_OK);
    frame.of.struct_bytes = sizeof frame.of, stats.of.struct_bytes = sizeof stats.of;
    polled.of.struct_bytes = sizeof polled.of;
    CHECK(wend_service_tick(service, &budget.of, &frame.of) == WEND_OK && frame.of.deliveries == 3);
    CHECK(delivered == 2);
    CHECK(wend_service_poll(service, &polled.of, cells, 200) == WEND_OK && polled.of.cell_count == 100);
    CHECK(wend_service_get_stats(service, &stats.of) == WEND_OK && stats.of.submitted == 3);
    CHECK(wend_service_destroy(service) == WEND_OK);
    CHECK_GUARDS(def);
    CHECK_GUARDS(tuning);
    CHECK_GUARDS(budget);
    CHECK_GUARDS(frame);
    CHECK_GUARDS(stats);
    CHECK_GUARDS(polled);
}

int main(void) {
    wend_map *map = make_map();
    if (!map) return 1;
    check_search(map);
    check_service(map);
    check_map(map);
    wend_map_release(map);
    check_files();
    check_graph();
    printf("%d failures\n", failures);
    return failures > 0;
}
