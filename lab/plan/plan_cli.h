/* SPDX-License-Identifier: MIT */
/* `wend plan`: scripts as loads, and what is printed. */
#ifndef WEND_LAB_PLAN_PLAN_CLI_H
#define WEND_LAB_PLAN_PLAN_CLI_H

#include "cli/world/world.h"
#include "plan/plan.h"

/* plan_recording.c */

/// Reads a script with requests: its world, and its requests. Prints what is wrong.
/// @param taken   receives whether it was one; else nothing has changed
/// @param agents   how many will submit random ones of the requests; 0: the script is the load
/// @param played   receives a script with agents that is the load; its text is the caller's to free
/// @return CLI_DONE, or the exit status
int plan_recording_read(const char *path, uint64_t agents, cli_world *loaded, plan_recorded *recorded,
                        plan_played *played, bool *taken);
void plan_recording_free(plan_recorded *recorded);

/* plan_play.c */

/// Lets a script be the load, and gives its last answers time. @return CLI_DONE, or the exit status after a message
int plan_play_open(plan_load *load, plan_played *played);

/* plan_report.c */

void plan_print_json(const plan_answer *answer, const plan_demand *demand);
void plan_print_table(const plan_answer *answer, const plan_demand *demand);

#endif
