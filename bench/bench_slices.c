/* SPDX-License-Identifier: MIT */
/* How long slices of background work take at worst on large maps: flow fields by wend_field_step(), and the making and
 * upkeep of jump tables and landmarks by wend_map_maintain(). CSV, in microseconds of this thread's processor time: the
 * median, the 99th percentile and the longest slice, and the sum of all.
 *
 *   bench_slices [SIDE...]     of the maps, 1024 2048 4096 where not given */
#include "scenery.h"

enum { FIELD_SLICE = 4000, FRAME_US = 1000, MAINTAIN_SLICE = 30000, WALLS = 40 };

static void report(const char *ground, int32_t side, const char *work, samples *all) {
    if (all->count == 0) return;
    printf("%s,%d,%s,%zu,%.0f,%.0f,%.0f,%.0f\n", ground, (int)side, work, all->count, median(all->values, all->count),
           percentile(all->values, all->count, 990), percentile(all->values, all->count, 1000),
           mean(all->values, all->count) * (double)all->count);
    fflush(stdout);
    clear(all);
}

/* ---- fields ---- */

static void step_all(wend_field *field, samples *all) {
    for (int done = 0; !done;) {
        const double begun = cpu_us();
        done = wend_field_step(field, FIELD_SLICE, NULL);
        note(all, cpu_us() - begun);
    }
}

static void build_walls(wend_map *map, int32_t side, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < WALLS; i++) {
        const wend_cell at = draw_cell(side, side, seed);
        check(wend_edit_set_cell(edit, at, (uint8_t)draw(seed, 2)));
    }
    publish(edit);
}

static wend_cell goal_on(const wend_map *map, int32_t side) {
    return open_near(map, (wend_cell){side / 3, side / 3, 0});
}

static void bench_field(const char *ground, wend_map *map, int32_t side, int32_t purpose) {
    const char *const names[][3] = {{"field toward", "its repairs", "its repairs: the call"},
                                    {"field away", "its repairs", "its repairs: the call"}};
    const wend_cell goal = goal_on(map, side);
    uint64_t seed = 5;
    samples all = {NULL, 0, 0}, calls = {NULL, 0, 0};
    wend_field *field;
    wend_field_def def = default_field();
    def.map = map, def.goals = &goal, def.goal_count = 1, def.purpose = purpose;
    check(wend_field_create(&def, &field));
    step_all(field, &all);
    report(ground, side, names[purpose][0], &all);
    for (int i = 0; i < 40; i++) {
        build_walls(map, side, &seed);
        if (i % 10 == 9) check(wend_field_set_goals(field, &goal, 1)); /* edits of fields that are not complete, too */
        if (i % 10 == 9) wend_field_step(field, (uint64_t)side * (uint64_t)side / 2, NULL);
        if (i % 10 == 9) build_walls(map, side, &seed);
        const double begun = cpu_us();
        check(wend_field_repair(field, false));
        note(&calls, cpu_us() - begun);
        step_all(field, &all);
    }
    report(ground, side, names[purpose][1], &all);
    report(ground, side, names[purpose][2], &calls);
    wend_field_destroy(field);
}

/* Frames of a service that has nothing else to do. */
static void bench_frames(const char *ground, wend_map *map, int32_t side, int32_t purpose) {
    const wend_cell goal = goal_on(map, side);
    samples all = {NULL, 0, 0};
    wend_field *field;
    wend_service *service = open_service(NULL);
    wend_field_def def = default_field();
    def.map = map, def.goals = &goal, def.goal_count = 1, def.purpose = purpose;
    check(wend_field_create(&def, &field));
    check(wend_service_add_field(service, field));
    wend_budget budget = default_budget();
    budget.us = FRAME_US;
    while (wend_service_get_work(service) > 0) {
        const double begun = cpu_us();
        check(wend_service_tick(service, &budget, NULL));
        note(&all, cpu_us() - begun);
    }
    report(ground, side, purpose == WEND_FIELD_TOWARD ? "field toward: frames of 1 ms" : "field away: frames of 1 ms",
           &all);
    wend_field_destroy(field);
    check(wend_service_destroy(service));
}

/* ---- tables and landmarks ---- */

static void maintain_all(wend_map *map, samples *all) {
    for (uint64_t left = 1; left > 0;) {
        const double begun = cpu_us();
        check(wend_map_maintain(map, WEND_MAINTAIN_ALL, MAINTAIN_SLICE, &left));
        note(all, cpu_us() - begun);
    }
}

static void bench_acceleration(const char *ground, wend_map *map, int32_t side) {
    samples all = {NULL, 0, 0}, call = {NULL, 0, 0};
    uint64_t seed = 7;
    wend_acceleration def = default_acceleration();
    def.later = 1;
    const double begun = cpu_us();
    check(wend_map_accelerate(map, &def));
    note(&call, cpu_us() - begun);
    report(ground, side, "accelerate later: the call", &call);
    maintain_all(map, &all);
    report(ground, side, "accelerate later: maintain", &all);
    for (int i = 0; i < 20; i++) build_walls(map, side, &seed);
    maintain_all(map, &all);
    report(ground, side, "maintain after edits", &all);
}

/* ---- all ---- */

static void bench_side(const char *ground, ground_fn *fill, int32_t side) {
    wend_map *map = make_ground(fill, side);
    bench_field(ground, map, side, WEND_FIELD_TOWARD);
    bench_field(ground, map, side, WEND_FIELD_AWAY);
    bench_frames(ground, map, side, WEND_FIELD_TOWARD);
    bench_frames(ground, map, side, WEND_FIELD_AWAY);
    bench_acceleration(ground, map, side);
    wend_map_release(map);
}

int main(int argc, char **argv) {
    static const int32_t sides[] = {1024, 2048, 4096};
    puts("ground,side,work,slices,p50 us,p99 us,longest us,sum us");
    for (int i = 0; i < (argc > 1 ? argc - 1 : 3); i++) {
        const int32_t side = argc > 1 ? (int32_t)strtol(argv[i + 1], NULL, 10) : sides[i];
        if (side < 256 || side > WEND_MAX_SIDE) return fprintf(stderr, "bench_slices: sides from 256 to 65536\n"), 2;
        bench_side("caves", fill_caves, side);
        bench_side("open", fill_open, side);
    }
    return 0;
}
