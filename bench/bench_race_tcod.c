/* SPDX-License-Identifier: MIT */
/* libtcod in the race: a loop of whole searches, until the frame's time is over; the urgent first.
 *
 *   bench_race_tcod MAP SCEN FRAME_US distinct|shared
 *
 * TCOD_path_compute() on a TCODMap: 8 neighbours, a diagonal costs 1.41, corners are cut; reading the cells is not
 * timed. */
#include "harness.h"
#include <libtcod/fov.h>
#include <libtcod/path.h>

#include "race.h"

static void frame(void *state, race *all) {
    uint32_t index;
    while (!race_is_over(all) && race_next(all, &index)) {
        const race_ask *ask = &all->asks[index];
        race_served(all, index, TCOD_path_compute(state, ask->start.x, ask->start.y, ask->goal.x, ask->goal.y));
    }
}

int main(int argc, char **argv) {
    race all;
    race_open(&all, argc, argv);
    TCOD_map_t map = TCOD_map_new(all.task.width, all.task.height);
    for (int y = 0; y < all.task.height; y++)
        for (int x = 0; x < all.task.width; x++)
            TCOD_map_set_properties(map, x, y, true, peer_is_open(&all.task, x, y));
    TCOD_path_t path = TCOD_path_new_using_map(map, 1.41f);
    const race_player player = {.name = "libtcod loop", .state = path, .frame = frame};
    race_run(&all, &player);
    TCOD_path_delete(path);
    TCOD_map_delete(map);
    race_close(&all);
    return 0;
}
