/* SPDX-License-Identifier: MIT */
/* A far request, and a unit that walks its route leg by leg.
 *
 * The answer to a far request is its first leg, and the crossings between chunks behind it. While the unit walks, the
 * host requests the next leg: an ordinary exact request from where the unit stands to a crossing three ahead. Of each
 * leg the unit walks up to the second border between chunks, so that it never turns at a crossing only because a leg
 * ends there. So it arrives, and pays no more than the first answer's cost, as long as the map stays as it is. Where an
 * edit has closed a crossing, the next leg finds no path: send another far request then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>

enum { SIDE = 1024, CROSSINGS = 256, CELLS = SIDE * 8, AHEAD = 3, BORDERS = 2 };

typedef struct answer {
    wend_cell crossings[CROSSINGS], cells[CELLS];
    size_t crossing_count, cell_count;
    int64_t cost;
} answer;

static wend_map *map;
static wend_service *service;

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "far_legs: %s\n", wend_error_detail(error));
    exit(1);
}

/* Walls across the map, each with one gap. */
static void make_map(void) {
    wend_map_def def;
    wend_map_rules rules;
    wend_acceleration how;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    wend_map_rules_init(&rules, sizeof rules);
    def.width = def.height = SIDE, def.rules = &rules;
    rules.corners = WEND_CORNERS_NEVER;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    for (int x = 40; x < SIDE; x += 40) {
        const wend_box wall = {{x, 0, 0}, {x, SIDE - 1, 0}},
                       gap = {{x, x * 7 % (SIDE - 3), 0}, {x, x * 7 % (SIDE - 3) + 2, 0}};
        check(wend_edit_fill_box(edit, wall, WEND_CLASS_BLOCKED));
        check(wend_edit_fill_box(edit, gap, WEND_CLASS_OPEN));
    }
    check(wend_edit_publish(edit, NULL));
    wend_acceleration_init(&how, sizeof how);
    how.far = true;
    check(wend_map_accelerate(map, &how));
}

static void on_done(void *context, const wend_completion *done) {
    answer *out = context;
    out->cost = done->status == WEND_STATUS_FOUND ? done->cost : -1;
    out->cell_count = done->cell_count, out->crossing_count = done->crossing_count;
    if (out->cell_count > CELLS || out->crossing_count > CROSSINGS) exit(1);
    if (out->cell_count > 0) memcpy(out->cells, done->cells, out->cell_count * sizeof *out->cells);
    if (out->crossing_count > 0) memcpy(out->crossings, done->crossings, out->crossing_count * sizeof *out->crossings);
}

static void ask(wend_cell from, wend_cell to, int32_t mode, answer *out) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = map, request.start = from, request.goal = to, request.mode = mode;
    request.on_done = on_done, request.context = out;
    out->cost = -2;
    check(wend_service_submit(service, &request, NULL));
    while (out->cost == -2) check(wend_service_tick(service, NULL, &frame)); /* a game does so once a frame */
    if (out->cost < 0) exit(1);
}

static bool same_chunk(wend_cell a, wend_cell b) {
    return a.x / WEND_CHUNK_SIDE == b.x / WEND_CHUNK_SIDE && a.y / WEND_CHUNK_SIDE == b.y / WEND_CHUNK_SIDE;
}

int main(void) {
    static answer route, leg;
    const wend_cell start = {1, 1, 0}, goal = {SIDE - 2, SIDE - 2, 0};
    wend_service_def def;
    wend_cell at = start;
    size_t next = 0, legs = 1, walked = 0;
    make_map();
    wend_service_def_init(&def, sizeof def);
    check(wend_service_create(&def, &service));
    ask(start, goal, WEND_MODE_FAR, &route);
    leg = route;
    bool last = route.crossing_count == 0;
    for (;; legs++) {
        int borders = 0;
        for (size_t i = 1; i < leg.cell_count && (last || borders < BORDERS); i++, walked++)
            borders += !same_chunk(leg.cells[i - 1], leg.cells[i]), at = leg.cells[i];
        if (at.x == goal.x && at.y == goal.y) break;
        /* Passes the crossings that lead to the chunk where the unit stands. */
        size_t passed = route.crossing_count - next < AHEAD ? route.crossing_count : next + AHEAD;
        while (passed > next && !same_chunk(route.crossings[passed - 1], at)) passed--;
        next = passed;
        last = route.crossing_count - next < AHEAD;
        ask(at, last ? goal : route.crossings[next + AHEAD - 1], WEND_MODE_EXACT, &leg);
    }
    printf("%d crossings, at most %d; there after %d legs and %d steps\n", (int)route.crossing_count, (int)route.cost,
           (int)legs, (int)walked);
    wend_service_destroy(service);
    wend_map_release(map);
    return 0;
}
