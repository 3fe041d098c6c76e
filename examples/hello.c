/* SPDX-License-Identifier: MIT */
/* The smallest program: loads a map with a start A and a goal B, requests a path, and runs frames until it is there. */
#include <stdio.h>
#include <wend/wend.h>

static void print_path(void *context, const wend_completion *done) {
    (void)context;
    for (size_t i = 0; i < done->cell_count; i++) printf("%d,%d\n", (int)done->cells[i].x, (int)done->cells[i].y);
    printf("%s, cost %lld\n", wend_status_name(done->status), (long long)done->cost);
}

static int fail(wend_error error) {
    return fprintf(stderr, "hello: %s\n", wend_error_detail(error)), 1;
}

int main(int argc, char **argv) {
    const char *file = argc > 1 ? argv[1] : "data/problem1.txt";
    wend_map *map;
    wend_map_markers ends = {.struct_bytes = sizeof ends};
    wend_file_error where = {.struct_bytes = sizeof where};
    wend_error error = wend_map_load(file, NULL, &map, &ends, &where);
    if (error && where.line > 0)
        return fprintf(stderr, "%s:%d:%d: %s\n", file, (int)where.line, (int)where.column, where.text), 1;
    if (error) return fprintf(stderr, "%s: %s\n", file, where.text), 1;
    if (!ends.has_start || !ends.has_goal) return fprintf(stderr, "%s: no A or no B\n", file), 1;
    wend_map_accelerate(map, NULL); /* faster searches on flat grids; other maps do without */

    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    wend_service *service;
    error = wend_service_create(&def, &service);
    if (error) return fail(error);

    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.start = ends.start, request.goal = ends.goal, request.on_done = print_path;
    if ((error = wend_service_submit(service, &request, NULL))) return fail(error);

    wend_budget frame;
    wend_budget_init(&frame, sizeof frame);
    frame.expansions = 10; /* a game's frame has thousands, and other things to do in between */
    while (wend_service_get_pending(service)) wend_service_tick(service, &frame, NULL);
    wend_service_destroy(service);
    wend_map_release(map);
}
