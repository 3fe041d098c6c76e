/* SPDX-License-Identifier: MIT */
/* A horde goes to the nearest gate by one flow field, which costs the same for ten walkers and for ten thousand. The
 * service makes the field in its frames, a part at a time. A wall is built and the field is repaired; then another gate
 * opens. A lone scout sets out before its search has ended. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/field.h>
#include <wend/search.h>
#include <wend/versions.h>

enum { SIDE = 96, WALKERS = 64, BUDGET = 1500, FRAMES = 400, QUEUE = 8 };

static wend_map *map;
static wend_service *service;
static wend_field *field;
static wend_cell walkers[WALKERS];

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "fields: %s\n", wend_error_detail(error));
    exit(1);
}

static void build_wall(int32_t x, int32_t from_y, int32_t to_y) {
    wend_edit *edit;
    check(wend_edit_begin(map, &edit));
    check(wend_edit_fill_box(edit, (wend_box){{x, from_y, 0}, {x, to_y, 0}}, WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
}

/* Steps each walker with a way in the field. Returns how many have arrived. */
static int walk(void) {
    int arrived = 0;
    for (int i = 0; i < WALKERS; i++) {
        wend_cell next;
        if (wend_field_next(field, walkers[i], &next, NULL) != WEND_STATUS_FOUND) continue; /* not known so far */
        arrived += next.x == walkers[i].x && next.y == walkers[i].y;
        walkers[i] = next;
    }
    return arrived;
}

/* Runs frames until all walkers stand in a gate, and returns how many it took. */
static int run_until_there(const wend_budget *budget) {
    for (int frame = 1; frame <= FRAMES; frame++) {
        check(wend_service_tick(service, budget, NULL));
        if (walk() == WALKERS) return frame;
    }
    return FRAMES;
}

/* Prints where something changed since a version: a host redraws its picture there. */
static void say_changes(uint64_t before) {
    wend_box box;
    size_t count;
    check(wend_map_changes(map, before, &box, 1, &count, NULL));
    printf("changed: %d chunks, the first from %d,%d to %d,%d\n", (int)count, (int)box.min.x, (int)box.min.y,
           (int)box.max.x, (int)box.max.y);
}

/* ---- a scout, with a path of its own ---- */

static void scout_done(void *context, const wend_completion *done) {
    *(size_t *)context = done->cell_count;
}

/* Submits until the queue is full, and prints how long that takes; sets out on what the search has found so far. */
static void send_scout(const wend_budget *budget) {
    wend_cell begun[SIDE];
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_ticket ticket, last;
    wend_request request;
    size_t cells = 0;
    wend_request_init(&request, sizeof request);
    request.map = map, request.goal = (wend_cell){SIDE - 1, SIDE - 1, 0};
    request.on_done = scout_done, request.context = &cells;
    check(wend_service_submit(service, &request, &ticket));
    while (wend_service_submit(service, &request, &last) != WEND_BUSY) continue;
    check(wend_service_tick(service, budget, NULL));
    const wend_error early = wend_service_get_prefix(service, ticket, begun, SIDE, &prefix);
    if (!early) printf("the scout sets out with %d cells\n", (int)prefix.cell_count);
    while (wend_service_get_wait(service) == WEND_NO_LIMIT) check(wend_service_tick(service, budget, NULL));
    printf("the queue was full: %d frames more or so\n", (int)wend_service_get_wait(service));
    while (wend_service_get_pending(service) > 0) check(wend_service_tick(service, budget, NULL));
    printf("its whole path has %d cells\n", (int)cells);
}

/* ---- the horde ---- */

static void make_world(void) {
    wend_map_def def;
    wend_service_def limits;
    wend_map_def_init(&def, sizeof def);
    def.width = def.height = SIDE;
    check(wend_map_create(&def, &map));
    wend_service_def_init(&limits, sizeof limits);
    limits.queue = QUEUE;
    check(wend_service_create(&limits, &service));
    for (int i = 0; i < WALKERS; i++) walkers[i] = (wend_cell){i % 8, i / 8, 0};
}

static void make_field(wend_cell gate) {
    wend_field_def def;
    wend_field_def_init(&def, sizeof def);
    def.map = map, def.goals = &gate, def.goal_count = 1;
    check(wend_field_create(&def, &field));
    check(wend_service_add_field(service, field));
}

int main(void) {
    const wend_cell gates[] = {{SIDE - 1, SIDE / 2, 0}, {0, SIDE - 1, 0}};
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = BUDGET;
    make_world();
    make_field(gates[0]);
    const uint64_t before = wend_map_get_epoch(map);
    size_t none;
    check(wend_map_changes(map, before, NULL, 0, &none, NULL)); /* the first call begins the log */
    printf("all are at the gate after %d frames\n", run_until_there(&budget));
    build_wall(SIDE / 2, 10, SIDE - 1); /* the service repairs the field in its next frames */
    say_changes(before);
    check(wend_field_set_goals(field, gates, 2));
    for (int i = 0; i < WALKERS; i++) walkers[i] = (wend_cell){SIDE / 2 - 1 - i % 8, SIDE / 2, 0};
    printf("with a second gate, after %d\n", run_until_there(&budget));
    send_scout(&budget);
    /* A host may do without the service, too: it repairs and steps a field itself. */
    check(wend_service_remove_field(service, field));
    build_wall(SIDE / 4, 0, SIDE - 10);
    check(wend_field_repair(field, false));
    uint64_t used, all = 0;
    while (wend_field_step(field, BUDGET, &used) == 0) all += used;
    printf("repaired by hand with %d expansions\n", (int)(all + used));
    wend_field_destroy(field);
    wend_service_destroy(service);
    wend_map_release(map);
    return 0;
}
