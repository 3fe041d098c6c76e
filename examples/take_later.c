/* SPDX-License-Identifier: MIT */
/* A host that takes completions when it likes: its callback pushes each into a ring of the host's own. */
#include <stdio.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/control.h>

enum { RING = 64, CELLS = 256 };

typedef struct answer {
    wend_completion done;
    wend_cell cells[CELLS];
} answer;

static answer ring[RING]; /* as many as may be pending, so that none is lost */
static unsigned pushed, taken;

/* The cells are the service's, and good only inside the callback: keep a copy. */
static void push(void *context, const wend_completion *done) {
    answer *slot = &ring[pushed++ % RING];
    (void)context;
    slot->done = *done;
    slot->done.cells = slot->cells;
    if (done->cell_count > 0) memcpy(slot->cells, done->cells, done->cell_count * sizeof *done->cells);
}

/* The next answer, or NULL. */
static const answer *take(void) {
    return taken != pushed ? &ring[taken++ % RING] : NULL;
}

static int run(wend_map *map, wend_service *service) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.on_done = push;
    for (int32_t i = 1; i <= 3; i++) {
        request.goal = (wend_cell){4, i, 0};
        if (wend_service_submit(service, &request, NULL)) return 1;
    }
    while (wend_service_get_work(service) > 0)
        if (wend_service_tick(service, NULL, NULL)) return 1;
    for (const answer *next; (next = take()) != NULL;)
        printf("request %d: %s, cost %d, %d cells\n", (int)next->done.number, wend_status_name(next->done.status),
               (int)next->done.cost, (int)next->done.cell_count);
    return 0;
}

int main(void) {
    wend_map *map = NULL;
    wend_service *service = NULL;
    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    def.queue = RING, def.max_path_cells = CELLS;
    wend_error error = wend_map_load("data/problem1.txt", NULL, &map, NULL, NULL);
    if (!error) error = wend_service_create(&def, &service);
    int failed = error ? 1 : run(map, service);
    if (failed) fprintf(stderr, "take_later: %s\n", wend_error_detail(error));
    wend_service_destroy(service);
    wend_map_release(map);
    return failed;
}
