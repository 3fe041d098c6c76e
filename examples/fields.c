/* SPDX-License-Identifier: MIT */
/* A horde goes to the nearest gate by one flow field, which costs the same for ten walkers and for ten thousand. The
 * service makes the field in its frames, a part at a time. A wall is built and the field is repaired; then another gate
 * opens. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/control.h>
#include <wend/field.h>

enum { SIDE = 96, WALKERS = 64, BUDGET = 1500, FRAMES = 400 };

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

static void make_world(void) {
    wend_map_def def;
    wend_service_def limits;
    wend_map_def_init(&def, sizeof def);
    wend_service_def_init(&limits, sizeof limits);
    def.width = def.height = SIDE;
    check(wend_map_create(&def, &map));
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
    printf("all are at the gate after %d frames\n", run_until_there(&budget));
    build_wall(SIDE / 2, 10, SIDE - 1); /* the service repairs the field in its next frames */
    check(wend_field_set_goals(field, gates, 2));
    for (int i = 0; i < WALKERS; i++) walkers[i] = (wend_cell){SIDE / 2 - 1 - i % 8, SIDE / 2, 0};
    printf("with a second gate, after %d\n", run_until_there(&budget));
    wend_field_destroy(field);
    wend_service_destroy(service);
    wend_map_release(map);
    return 0;
}
