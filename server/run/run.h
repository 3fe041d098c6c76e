/* SPDX-License-Identifier: MIT */
/* The agents of a script, and the frames that it runs. */
#ifndef WEND_SERVER_RUN_RUN_H
#define WEND_SERVER_RUN_RUN_H

#include "script/script.h"

/* Functions that return int: as in script.h. */

/* run_crowd.c */

/// Creates, before the first agent, the service and a crowd for all agents of the script.
/// @param said   the order `crowd`; NULL: there is none
int script_crowd_make(script_state *script, const wend_order *said);
/// Creates the crowd by the script's definition. The service exists.
int script_crowd_create(script_state *script);
/// Runs a step of the crowd, if there is one; events are printed.
/// @param milli   thousandths of a unit of time
/// @param choices   limit of wend_update_budget
int script_crowd_step(script_state *script, uint32_t milli, uint64_t choices);
/// Returns whether a step would change and report nothing, as each agent stands and has no goal.
bool script_crowd_is_quiet(const script_state *script);
/// Returns whether some agent has not reached its place.
bool script_crowd_is_busy(const script_state *script);

/* run_recording.c */

/// Returns whether lines wait for the next frame.
bool script_during_waits(const script_state *script);
/// Runs the remaining lines at the end of a frame.
int script_during_end(script_state *script);

/* run_orders.c */

/// In a frame, after its completions: answers the questions.
int script_nearest_step(script_state *script);

/* run_maps.c */

/// Handles a read frame line of one of several maps.
void script_maps_add_frame(script_state *script, const wend_budget *budget);

/* run_watch.c */

/// Watches the path of a name; its events come last.
int script_watch_name(script_state *script, script_name *name);
/// The same for the path that the name keeps already.
int script_watch_kept(script_state *script, script_name *name);
/// Returns the name that is watched first; NULL: there is none.
const script_name *script_watch_first(const script_state *script);
/// After a frame's completions: prints which watched paths its edits broke.
int script_watch_step(script_state *script);
/// Returns whether a step would print nothing.
bool script_watch_is_quiet(const script_state *script);

#endif
