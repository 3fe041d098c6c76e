/* SPDX-License-Identifier: MIT */
/* Recordings as loads in a build without the server's scripts: there are none. */
#include "cli/output/messages.h"
#include "plan/plan_cli.h"

int plan_recording_read(const char *path, uint64_t agents, cli_world *loaded, plan_recorded *recorded,
                        plan_played *played, bool *taken) {
    (void)path, (void)agents, (void)loaded, (void)recorded, (void)played;
    *taken = false; /* cli_world_load() refuses a script */
    return CLI_DONE;
}

void plan_recording_free(plan_recorded *recorded) {
    (void)recorded;
}

int plan_play_open(plan_load *load, plan_played *played) {
    (void)load;
    return cli_fail_at(played->path, 0, 0, "a recording, which this program cannot play");
}
