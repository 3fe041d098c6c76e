/* SPDX-License-Identifier: MIT */
/* Agents in rooms with doors of one cell that get a new goal when one ends: the same maps and draws for cells, bodies,
 * and every second agent with a body. Dense maps are those of the first 150 on which 90 cells make 20 to 22 trips each,
 * for 28 on most: few doors, and all pass them. CSV: trips, ÷ those of cells, and the agents that made none in the last 1,000 updates.
 *
 *   bench_rooms [MAPS [FIRST [UPDATES]]]         8 maps from number 101 on, and 8 dense ones; 5,000 updates each
 *   bench_rooms one AGENTS RADIUS EVERY [MAPS [FIRST [UPDATES]]]    one kind; each N-th has a body, 0: none has */
#include "bodies.h"
#include "harness.h"

enum { LONG = 1000, MAPS = 8, FIRST = 101, UPDATES = 5000 };

static const body_kind kinds[] = {{"cells", &crowd_mover, .4, 0},
                                  {"half .4", &crowd_mover, .4, 2},
                                  {"half .2", &crowd_mover, .2, 2},
                                  {"all .4", &crowd_mover, .4, 1},
                                  {"all .2", &crowd_mover, .2, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static body_scene scene;

/* Returns the trips of that kind. */
static int32_t run_kind(const char *name, const body_kind *kind, int32_t count, const unsigned *maps,
                        unsigned map_count, int32_t updates, double cells) {
    wander_figures sum = {0};
    int32_t stuck = 0;
    for (unsigned k = 0; k < map_count; k++) {
        scene_make_rooms(&scene, maps[k], count);
        scene_set_kind(&scene, kind);
        wander_begin(&scene, kind->mover);
        const wander_figures f = wander_run(updates);
        sum.reached += f.reached, sum.failed += f.failed, sum.us += f.us;
        stuck += wander_stuck(LONG);
        wander_end();
    }
    printf("%s,%d,%s,%d,%.2f,%d,%d,%.2f\n", name, (int)count, kind->name, (int)sum.reached,
           cells > 0 ? sum.reached / cells : 1, (int)sum.failed, (int)stuck, sum.us / map_count);
    fflush(stdout);
    return sum.reached;
}

static void run_maps(const char *name, int32_t count, const unsigned *maps, unsigned map_count, int32_t updates) {
    double cells = 0;
    for (size_t k = 0; k < KINDS; k++) {
        const int32_t trips = run_kind(name, &kinds[k], count, maps, map_count, updates, cells);
        if (k == 0) cells = trips;
    }
}

int main(int argc, char **argv) {
    static const unsigned dense[MAPS] = {3, 12, 15, 18, 87, 126, 129, 131};
    static unsigned maps[1000];
    const bool one = argc > 4 && !strcmp(argv[1], "one");
    const int at = one ? 5 : 1;
    const unsigned map_count = argc > at ? (unsigned)atoi(argv[at]) : MAPS;
    const unsigned first = argc > at + 1 ? (unsigned)atoi(argv[at + 1]) : FIRST;
    const int32_t updates = argc > at + 2 ? atoi(argv[at + 2]) : UPDATES;
    need(map_count <= sizeof maps / sizeof *maps, "fewer maps");
    for (unsigned k = 0; k < map_count; k++) maps[k] = first + k;
    puts("maps,agents,kind,trips,of_cells,failed,stuck,us");
    if (one) {
        const body_kind kind = {"one", &crowd_mover, atof(argv[3]), atoi(argv[4])};
        return run_kind("rooms", &kind, atoi(argv[2]), maps, map_count, updates, 0), 0;
    }
    run_maps("rooms", 60, maps, map_count, updates);
    run_maps("rooms", 90, maps, map_count, updates);
    run_maps("dense", 90, dense, map_count < MAPS ? map_count : MAPS, updates);
    return 0;
}
