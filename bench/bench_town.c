/* SPDX-License-Identifier: MIT */
/* Agents wander in the streets of a town: each gets a new goal anywhere when one ends. The same town and draws for
 * cells, bodies, and every second agent with a body, and for DetourCrowd where it is installed. A crowd that clots
 * arrives ever less often. CSV, for each 500 updates: goals reached and failed, µs an agent and update; and at the end
 * the mean of the arrivals after the first 500 updates and the least.
 *
 *   bench_town [AGENTS [UPDATES [SEED [KIND]]]]    1,000 agents, 20,000 updates, town 1, all kinds */
#include "bodies.h"
#include "harness.h"

enum { AGENTS = 1000, UPDATES = 20000, SPAN = 500, LONG = 1000 };

static const body_kind kinds[] = {
    {"cells", &crowd_mover, .4, 0},
    {"bodies", &crowd_mover, .4, 1},
    {"half", &crowd_mover, .4, 2},
#ifdef WEND_BENCH_DETOUR
    {"DetourCrowd", &detour_mover, .4, 1},
#endif
};

static body_scene scene;

static void run_kind(const body_kind *kind, int32_t count, int32_t updates, unsigned seed) {
    int32_t least = INT32_MAX, reached = 0, failed = 0;
    scene_make_town(&scene, seed, count);
    scene_set_kind(&scene, kind);
    wander_begin(&scene, kind->mover);
    for (int32_t until = SPAN; until <= updates; until += SPAN) {
        const wander_figures f = wander_run(SPAN);
        printf("%s,%d,%d,%d,%.2f,\n", kind->name, (int)until, (int)f.reached, (int)f.failed, f.us);
        fflush(stdout);
        failed += f.failed;
        if (until == SPAN) continue; /* nobody has arrived from far away yet */
        reached += f.reached;
        least = f.reached < least ? f.reached : least;
    }
    const int32_t spans = updates / SPAN - 1;
    if (spans > 0)
        printf("%s,mean,%d,%d,,least %d stuck %d\n", kind->name, (int)(reached / spans), (int)failed, (int)least,
               (int)wander_stuck(LONG));
    wander_end();
}

int main(int argc, char **argv) {
    const int32_t count = argc > 1 ? atoi(argv[1]) : AGENTS, updates = argc > 2 ? atoi(argv[2]) : UPDATES;
    const unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    need(count <= MOST_BODIES, "fewer agents");
    puts("kind,until,reached,failed,us,least_stuck");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (argc < 5 || !strcmp(argv[4], kinds[k].name)) run_kind(&kinds[k], count, updates, seed);
    return 0;
}
