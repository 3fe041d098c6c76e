/* SPDX-License-Identifier: MIT */
/* Compares bodies with DetourCrowd where it is installed, on the same scenes of one generator. CSV.
 *
 *   bench_bodies                             the table: open ground, 300 and 800 bodies
 *   bench_bodies SCENE [N [SEED]]            one scene; open has N bodies
 *   bench_bodies --all                       every scene once
 *   bench_bodies --maps N [FIRST]            rooms and noise, maps FIRST to FIRST + N - 1: who is not home
 *   bench_bodies lifelong N MAPS             a new goal at once, on rooms
 *   bench_bodies scale [N [SIDE]]            costs of N agents on caves, with bodies or none, and of 800 in the open */
#include "bodies.h"
#include "harness.h"

static body_scene scene;

static void print_head(void) {
    puts("scene,library,bodies,home,update,travelled_straight,turns_100_cells,jumps_percent,standing_percent,touching,"
         "least,us,broken,hash");
}

/* Returns whether all bodies begin in the middle of a cell of their own, as agents of a crowd do. */
static bool in_cells(const body_scene *s) {
    for (int32_t i = 0; i < s->count; i++) {
        const body_start *b = &s->of[i];
        if (b->x != (int32_t)b->x + .5 || b->y != (int32_t)b->y + .5 || b->radius > .499) return false;
    }
    return true;
}

static int run_scene(const char *name, int32_t count, unsigned seed) {
    scene_seed = seed;
    if (!scene_make(&scene, name, count)) return fprintf(stderr, "bench_bodies: no scene %s\n", name), 2;
    const body_figures f = figures_of(&scene, &engine_mover);
    figures_print(name, engine_mover.name, &f);
    if (in_cells(&scene)) {
        const body_figures c = figures_of(&scene, &crowd_mover);
        figures_print(name, crowd_mover.name, &c);
    }
#ifdef WEND_BENCH_DETOUR
    if (!strcmp(name, "open") || !strcmp(name, "crossing") || !strcmp(name, "packing")) {
        const body_figures d = figures_of(&scene, &detour_mover);
        figures_print(name, detour_mover.name, &d);
    }
#endif
    return f.home < f.bodies;
}

static int run_maps(const body_mover *mover, const char *name, unsigned maps, unsigned first, int32_t count,
                    int32_t noise) {
    body_figures sum = {0};
    for (unsigned k = first; k < first + maps; k++) {
        scene_wander(&scene, k, count, noise);
        const body_figures f = figures_of(&scene, mover);
        figures_add(&sum, &f);
        if (f.home < f.bodies)
            fprintf(stderr, "%s %s %u: %d of %d home\n", mover->name, name, k, (int)f.home, (int)f.bodies);
    }
    sum.at /= (int32_t)maps;
    sum.us /= maps;
    figures_print(name, mover->name, &sum);
    return sum.home < sum.bodies;
}

static void send_on(int32_t i) {
    int x, y;
    do x = 1 + (int)(scene_random() % 46), y = 1 + (int)(scene_random() % 46);
    while (!scene_open(&scene, x, y));
    scene.of[i].goal_x = x, scene.of[i].goal_y = y;
    engine_send(i, x, y);
}

/* Bodies that get a new goal at once: trips, and bodies under way for more than 1,000 updates at the end. */
static int run_lifelong(int32_t count, unsigned maps) {
    enum { UPDATES = 5000, LONG = 1000 };
    static int since[MOST_BODIES];
    static body_points points;
    int trips = 0, stuck = 0;
    double us = 0;
    for (unsigned k = 1; k <= maps; k++) {
        scene_wander(&scene, k, count, 0);
        engine_mover.begin(&scene);
        memset(since, 0, sizeof since);
        for (int t = 0; t < UPDATES; t++) {
            const double begun = cpu_us();
            engine_mover.update();
            us += cpu_us() - begun;
            engine_mover.read(&points);
            for (int32_t i = 0; i < count; i++) {
                if (!figures_is_home(&scene, &points, i)) continue;
                trips++, since[i] = t;
                send_on(i);
            }
        }
        for (int32_t i = 0; i < count; i++) stuck += UPDATES - since[i] > LONG;
        engine_mover.end();
    }
    printf("lifelong,engine,%d,%u maps,%d trips,%d stuck,%.2f us\n", (int)count, maps, trips, stuck,
           us / maps / count / UPDATES);
    return stuck > 0;
}

int main(int argc, char **argv) {
    static const char *const all[] = {"door",   "door1", "street2",  "overtake", "column",
                                      "player", "big",   "crossing", "packing",  "mixed"};
    const char *what = argc > 1 ? argv[1] : "open";
    const int32_t count = argc > 2 ? atoi(argv[2]) : 0;
    const unsigned third = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    int bad = 0;
    if (!strcmp(what, "scale")) return scale_run(argc > 3 ? (int32_t)third : 2048, count > 0 ? (uint32_t)count : 20000);
    print_head();
    if (!strcmp(what, "--maps")) {
        const unsigned maps = count > 0 ? (unsigned)count : 20;
        bad = run_maps(&engine_mover, "rooms", maps, third, 60, 0);
        bad |= run_maps(&engine_mover, "random", maps, third, 100, 20);
        bad |= run_maps(&crowd_mover, "rooms", maps, third, 60, 0);
        return bad | run_maps(&crowd_mover, "random", maps, third, 100, 20);
    }
    if (!strcmp(what, "lifelong")) return run_lifelong(count > 0 ? count : 45, argc > 3 ? third : 5);
    if (strcmp(what, "--all") && argc > 1) return run_scene(what, count > 0 ? count : 300, third);
    bad |= run_scene("open", 300, 1) | run_scene("open", 800, 1);
    for (unsigned k = 0; argc > 1 && k < sizeof all / sizeof *all; k++) bad |= run_scene(all[k], 0, 1);
    return bad;
}
