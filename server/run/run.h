/* SPDX-License-Identifier: MIT */
/* The agents of a script, and the frames that it runs. */
#ifndef WEND_SERVER_RUN_RUN_H
#define WEND_SERVER_RUN_RUN_H

#include "script/script.h"

/* Functions that return int: as in script.h. */

/* run_crowd.c */

/// Before the first agent: the service, and a crowd for all agents of the script.
/// @param said   the order `crowd`; NULL: there is none
int host_script_crowd_make(host_script *script, const wend__order *said);
/// One step of the crowd, if there is one; events are printed.
/// @param milli   thousandths of a unit of time
/// @param choices   limit of wend_update_budget
int host_script_crowd_step(host_script *script, uint32_t milli, uint64_t choices);
/// Returns whether a step would change nothing and tell nothing, as each agent stands and has no goal.
bool host_script_crowd_is_quiet(const host_script *script);
/// Returns whether some agent is not where it is to stand.
bool host_script_crowd_is_busy(const host_script *script);

/* run_recording.c */

/// Returns whether lines wait for the next frame.
bool host_during_waits(const host_script *script);
/// The frame is over: run the lines that are left.
int host_during_end(host_script *script);

/* run_maps.c */

/// The frame line of one of several maps was read.
void host_maps_note_frame(host_script *script, const wend_budget *budget);

/* run_watch.c */

/// After a frame's completions: print which watched paths its edits broke.
int host_watch_step(host_script *script);
/// Returns whether a step would print nothing.
bool host_watch_is_quiet(const host_script *script);

#endif
