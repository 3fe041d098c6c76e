/* SPDX-License-Identifier: MIT */
/* The agents of a script, and the frames that it runs. */
#ifndef WEND_SERVER_RUN_RUN_H
#define WEND_SERVER_RUN_RUN_H

#include "script/script.h"

/* Functions that return int: as in script.h. */

/* run_crowd.c */

/// Before the first agent: the service, and a crowd for all agents of the script.
/// @param said   the order `crowd`; NULL: there is none
int script_crowd_make(script_state *script, const wend_order *said);
/// Create the crowd by the script's definition of it. The service is there.
int script_crowd_create(script_state *script);
/// One step of the crowd, if there is one; events are printed.
/// @param milli   thousandths of a unit of time
/// @param choices   limit of wend_update_budget
int script_crowd_step(script_state *script, uint32_t milli, uint64_t choices);
/// Returns whether a step would change nothing and tell nothing, as each agent stands and has no goal.
bool script_crowd_is_quiet(const script_state *script);
/// Returns whether some agent is not where it is to stand.
bool script_crowd_is_busy(const script_state *script);

/* run_recording.c */

/// Returns whether lines wait for the next frame.
bool script_during_waits(const script_state *script);
/// The frame is over: run the lines that are left.
int script_during_end(script_state *script);

/* run_orders.c */

/// In a frame, behind its completions: answer what was asked.
int script_nearest_step(script_state *script);

/* run_maps.c */

/// The frame line of one of several maps was read.
void script_maps_add_frame(script_state *script, const wend_budget *budget);

/* run_watch.c */

/// Watch the path of a name; its events come last.
int script_watch_name(script_state *script, script_name *name);
/// The same for the path that the name keeps already.
int script_watch_kept(script_state *script, script_name *name);
/// Returns the name that is watched first; NULL: none is.
const script_name *script_watch_first(const script_state *script);
/// After a frame's completions: print which watched paths its edits broke.
int script_watch_step(script_state *script);
/// Returns whether a step would print nothing.
bool script_watch_is_quiet(const script_state *script);

#endif
