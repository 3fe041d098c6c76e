/* SPDX-License-Identifier: MIT */
/* Measures a host's own map: which engine answers the queries of a scenario, and how long updates of a crowd take. The
 * queries that were hard go into a scenario of their own.
 *
 *   measure MAP SCENARIO HARD     HARD: the file to write */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/explain.h>
#include <wend/figures.h>
#include <wend/host.h>
#include <wend/record.h>
#include <wend/scen.h>

enum { HARD = 50, AGENTS = 60, UPDATES = 400 }; /* expansions of a hard query; the crowd */

static wend_map *map;
static wend_service *service;
static wend_figures *figures;
static const wend_scen_query *queries;
static size_t query_count, hard_count;
static wend_scen_query *hard;
static int wakes;

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "measure: %s\n", wend_error_detail(error));
    exit(1);
}

/* Called before the library aborts: a host keeps what its log needs. */
static void on_assert(const char *condition, const char *file, int line) {
    fprintf(stderr, "measure: %s, %s:%d: an error of wend, please report it\n", condition, file, line);
}

/* Called when there is work again: a host that sleeps between frames wakes here. */
static void on_wake(void *context) {
    (void)context;
    wakes++;
}

static wend_error write_file(void *context, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

static wend_error write_recording(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size; /* only its size matters here */
    return WEND_OK;
}

static void on_done(void *context, const wend_completion *done) {
    if (done->expansions >= HARD) hard[hard_count++] = *(const wend_scen_query *)context;
}

static void ask_all(void) {
    wend_recording recording = {.struct_bytes = sizeof recording};
    int jumps = 0;
    check(wend_service_record(service, write_recording, NULL));
    for (size_t i = 0; i < query_count; i++) {
        int32_t engine;
        wend_request request;
        wend_request_init(&request, sizeof request);
        request.map = map, request.start = queries[i].start, request.goal = queries[i].goal;
        request.on_done = on_done, request.context = (void *)&queries[i];
        check(wend_request_explain(&request, &engine, NULL));
        jumps += engine != WEND_ENGINE_ASTAR;
        check(wend_service_submit(service, &request, NULL));
        while (wend_service_get_work(service) > 0) check(wend_service_tick(service, NULL, NULL));
    }
    check(wend_service_get_recording(service, &recording));
    check(wend_service_end_recording(service));
    printf("%d queries, %d by jump search, %d hard; the service woke %d times; a recording of %d frames\n",
           (int)query_count, jumps, (int)hard_count, wakes, (int)recording.frames);
}

/* Agents from all over go to one cell: how long do updates take, and how many stand? */
static void crowd_one_cell(wend_cell cell) {
    wend_crowd *crowd;
    wend_crowd_def def;
    wend_agent_id ids[AGENTS];
    wend_crowd_goal goal;
    uint32_t count = 0;
    wend_crowd_def_init(&def, sizeof def);
    wend_crowd_goal_init(&goal, sizeof goal);
    def.map = map, def.service = service, def.agents = AGENTS;
    check(wend_crowd_create(&def, &crowd));
    for (size_t i = 0; i < query_count && count < AGENTS; i++) {
        wend_agent_def agent;
        wend_agent_def_init(&agent, sizeof agent);
        agent.cell = queries[i].start;
        count += wend_crowd_add(crowd, &agent, &ids[count]) == WEND_OK; /* else another stands there */
    }
    goal.cell = cell;
    for (uint32_t i = 0; i < count; i++) check(wend_crowd_go(crowd, &ids[i], 1, &goal));
    for (int i = 0; i < UPDATES; i++) {
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
    }
    wend_update_record last;
    size_t found;
    check(wend_figures_get_records(figures, WEND_FIGURES_UPDATES, UPDATES - 1, &last, sizeof last, 1, &found));
    if (found == 1)
        printf("%d agents: the last update took %d ns, %d stood\n", (int)count, (int)(last.ended_ns - last.began_ns),
               (int)last.stands);
    check(wend_crowd_destroy(crowd));
}

int main(int argc, char **argv) {
    wend_scen *scen;
    wend_service_def def;
    wend_figures_def records;
    if (argc != 4) return fprintf(stderr, "usage: measure MAP SCENARIO HARD\n"), 2;
    wend_set_assert_handler(on_assert);
    check(wend_map_load(argv[1], NULL, &map, NULL, NULL));
    check(wend_map_accelerate(map, NULL));
    check(wend_scen_load(argv[2], &scen, NULL));
    queries = wend_scen_get_queries(scen, &query_count);
    hard = calloc(query_count + 1, sizeof *hard);
    wend_service_def_init(&def, sizeof def);
    wend_figures_def_init(&records, sizeof records);
    check(wend_service_create(&def, &service));
    check(wend_figures_create(&records, &figures));
    check(wend_service_set_figures(service, figures));
    wend_service_set_wake(service, on_wake, NULL);
    ask_all();
    if (query_count > 0) crowd_one_cell(queries[0].goal);
    FILE *out = fopen(argv[3], "w");
    if (!out || !hard || wend_scen_write(hard, hard_count, write_file, out) || fclose(out))
        return fprintf(stderr, "measure: %s cannot be written\n", argv[3]), 1;
    wend_service_destroy(service);
    wend_figures_destroy(figures);
    wend_scen_free(scen);
    free(hard);
    wend_map_release(map);
    return 0;
}
