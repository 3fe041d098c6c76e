/* SPDX-License-Identifier: MIT */
/* How agents walk in the open and through a door: cells, bodies, and DetourCrowd where it is installed. CSV: agents at
 * home in the end, mean update in which the last of all was (or that of the end), way ÷ straight line, turns above 40°,
 * and shares of the updates of those on their way: velocity changed by 40 % of the speed, standing; of those that go,
 * away from walls: stairs, along an axis or a diagonal within a degree, where the goal is at another angle.
 *
 *   bench_bodies [SEEDS [FIRST]]      300 and 800 agents in the open, 12 seeds from number 1 on
 *   bench_bodies open N SEEDS [FIRST] N agents
 *   bench_bodies door                 30 each way through a door of one cell
 *   bench_bodies scale [N [SIDE]]     costs of N agents on caves, with bodies or none, and of 800 in the open */
#include "bodies.h"
#include "harness.h"

static const body_kind kinds[] = {
    {"cells", &crowd_mover, .4, 0},
    {"bodies", &crowd_mover, .4, 1},
#ifdef WEND_BENCH_DETOUR
    {"DetourCrowd", &detour_mover, .4, 1},
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds, SEEDS = 12 };

static body_scene scene;

static void run_open(int32_t count, unsigned seeds, unsigned first) {
    for (size_t k = 0; k < KINDS; k++) {
        body_figures sum = {0};
        for (unsigned seed = first; seed < first + seeds; seed++) {
            scene_make_open(&scene, seed, count);
            scene_set_kind(&scene, &kinds[k]);
            const body_figures f = figures_of(&scene, kinds[k].mover);
            figures_add(&sum, &f);
        }
        sum.at /= (int32_t)seeds;
        sum.us /= seeds;
        char name[16];
        snprintf(name, sizeof name, "open %d", (int)count);
        figures_print(name, kinds[k].name, &sum);
    }
}

static void run_door(void) {
    for (size_t k = 0; k < KINDS; k++) {
        scene_make_door(&scene);
        scene_set_kind(&scene, &kinds[k]);
        const body_figures f = figures_of(&scene, kinds[k].mover);
        figures_print("door", kinds[k].name, &f);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "scale"))
        return scale_run(argc > 3 ? atoi(argv[3]) : 2048, argc > 2 ? (uint32_t)atoi(argv[2]) : 20000);
    figures_print_head();
    if (!strcmp(what, "door")) return run_door(), 0;
    if (!strcmp(what, "open") && argc > 3)
        return run_open(atoi(argv[2]), (unsigned)atoi(argv[3]), argc > 4 ? (unsigned)atoi(argv[4]) : 1), 0;
    const unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : SEEDS, first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    run_open(300, seeds, first);
    run_open(800, seeds, first);
    return 0;
}
