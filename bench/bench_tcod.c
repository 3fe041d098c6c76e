/* SPDX-License-Identifier: MIT */
/* libtcod's A* on a MovingAI map and scenario: thread CPU time, the best of REPS for each query.
 *
 *   bench_tcod MAP SCEN [REPS]
 *
 * TCOD_path_compute() on a TCODMap: 8 neighbours, a diagonal costs 1.41, corners are cut; reading the cells is not
 * timed. */
#include "harness.h"
#include <libtcod/fov.h>
#include <libtcod/path.h>

#include "peer.h"

int main(int argc, char **argv) {
    peer_task task;
    peer_open(&task, argc, argv);
    TCOD_map_t map = TCOD_map_new(task.width, task.height);
    for (int y = 0; y < task.height; y++)
        for (int x = 0; x < task.width; x++) TCOD_map_set_properties(map, x, y, true, peer_is_open(&task, x, y));
    TCOD_path_t path = TCOD_path_new_using_map(map, 1.41f);
    for (size_t i = 0; i < task.count; i++) {
        const scenario_query *query = &task.queries[i];
        double best = 1e18;
        bool found = false;
        for (int repeat = 0; repeat < task.repeats; repeat++) {
            double begun = cpu_us();
            found = TCOD_path_compute(path, query->start.x, query->start.y, query->goal.x, query->goal.y);
            best = peer_least(best, cpu_us() - begun);
        }
        peer_count(&task, best, found);
    }
    TCOD_path_delete(path);
    TCOD_map_delete(map);
    return peer_close(&task);
}
