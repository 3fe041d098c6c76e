/* SPDX-License-Identifier: MIT */
/* The agents of a script, and the frames that it runs. */
#ifndef WEND_SRC_CLI_RUN_RUN_H
#define WEND_SRC_CLI_RUN_RUN_H

#include "cli/script/script.h"

/* Functions that return int: as in script.h. */

/* run_crowd.c */

/// Before the first agent: the service, and a crowd for all agents of the script.
/// @param said   the order `crowd`; NULL: there is none
int cli_crowd_make(cli_script *script, const wend__order *said);
/// One step of the crowd, if there is one; events are printed.
/// @param milli   thousandths of a unit of time
int cli_crowd_step(cli_script *script, uint32_t milli);
/// Would a step change nothing and tell nothing? So it is where each agent stands and wants nothing.
bool cli_crowd_is_quiet(const cli_script *script);
/// Has some agent yet to get where it wants to stand?
bool cli_crowd_is_busy(const cli_script *script);

/* run_recording.c */

/// Do lines wait for the next frame?
bool cli_during_waits(const cli_script *script);
/// The frame is over: run the lines that are left.
int cli_during_end(cli_script *script);

/* run_maps.c */

/// The frame line of one of several maps was read.
void cli_maps_note_frame(cli_script *script, const wend_budget *budget);

/* run_watch.c */

/// After a frame's completions: print which watched paths its edits broke.
int cli_watch_step(cli_script *script);
/// Would a step print nothing?
bool cli_watch_is_quiet(const cli_script *script);

/* run_film.c: nothing happens without --animate. */

/// Before the first frame and the first agent.
int cli_film_begin(cli_script *script);
/// An agent was added; an agent is about to be removed; a frame was run.
void cli_film_add(cli_script *script, host_agent *agent);
void cli_film_remove(cli_script *script, const host_agent *agent);
void cli_film_frame(cli_script *script);

#endif
