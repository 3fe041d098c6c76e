/* SPDX-License-Identifier: MIT */
/* Measures a host's own map: which engine answers requests on it, and how hard they are.
 *
 *   measure MAP [REQUESTS]     between random cells that are connected; 1,000 by default */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/explain.h>
#include <wend/query.h>

enum { TRIES = 1000 }; /* random cells for one request */

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "measure: %s\n", wend_error_detail(error));
    exit(1);
}

static wend_cell random_cell(const wend_map_info *info) {
    return (wend_cell){rand() % info->width, rand() % info->height, rand() % info->depth};
}

/* Draws the ends of a request. Returns false where hardly any two cells are connected. */
static bool draw(const wend_map *map, const wend_map_info *info, wend_request *request) {
    bool connected = false;
    for (int i = 0; i < TRIES && !connected; i++) {
        request->start = random_cell(info), request->goal = random_cell(info);
        check(wend_map_reachable(map, WEND_MOVER_DEFAULT, request->start, request->goal, &connected));
    }
    return connected;
}

static void on_done(void *context, const wend_completion *done) {
    *(uint64_t *)context = done->expansions;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    wend_map *map;
    wend_service *service;
    wend_service_def def;
    wend_request request;
    wend_map_info info = {.struct_bytes = sizeof info};
    int jumps = 0, count = 0, wanted = argc > 2 ? atoi(argv[2]) : 1000;
    uint64_t *expansions = calloc((size_t)wanted + 1, sizeof *expansions);
    if (argc < 2 || !expansions) return fprintf(stderr, "usage: measure MAP [REQUESTS]\n"), 2;
    check(wend_map_load(argv[1], NULL, &map, NULL, NULL));
    check(wend_map_accelerate(map, NULL));
    wend_map_get_info(map, &info);
    wend_service_def_init(&def, sizeof def);
    check(wend_service_create(&def, &service));
    for (; count < wanted; count++) {
        int32_t engine;
        wend_request_init(&request, sizeof request);
        request.map = map, request.on_done = on_done, request.context = &expansions[count];
        if (!draw(map, &info, &request)) break;
        check(wend_request_explain(&request, &engine, NULL));
        jumps += engine != WEND_ENGINE_ASTAR;
        check(wend_service_submit(service, &request, NULL));
        while (wend_service_get_work(service) > 0) check(wend_service_tick(service, NULL, NULL));
    }
    qsort(expansions, (size_t)count, sizeof *expansions, by_size);
    printf("%d requests, %d by jump search; expansions: half take at most %d, 95 of 100 at most %d, the hardest %d\n",
           count, jumps, (int)expansions[count / 2], (int)expansions[count * 95 / 100],
           (int)expansions[count > 0 ? count - 1 : 0]);
    wend_service_destroy(service);
    wend_map_release(map);
    free(expansions);
    return 0;
}
