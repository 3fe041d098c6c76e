/* SPDX-License-Identifier: MIT */
/* The agents of a script, and the frames that it runs. */
#ifndef WEND_SRC_CLI_RUN_RUN_H
#define WEND_SRC_CLI_RUN_RUN_H

#include "cli/script/script.h"

/// An agent of the script. Its name stays when it is removed, and another agent may have it.
typedef struct cli_agent {
    cli_label label;
    cli_script *script;
    wend_agent_id id;
    bool present;
    bool named;                        ///< by the line that is being read
    int line;                          ///< of a world file: where it is added; 0: in another file
    wend_agent_def def;                ///< the same
    uint32_t track;                    ///< of the film
    struct cli_agent *previous, *next; ///< of those present, in the order of their adding
} cli_agent;

struct cli_crowd {
    bool ended;        ///< after the last frame only REPLACED is printed
    wend_crowd *crowd; ///< NULL: of a world file, which only lists its agents
    cli_labels names;  ///< each a cli_agent
    cli_agent *first, *last;
};

/* Functions that return int: as in script.h. */

/* run_agents.c */

/// An agent that is there now. Anything else is a script error.
int cli_agent_find(cli_script *script, cli_word word, cli_agent **out);
/// The ids of the agents that a list of the order names, each another one; to be freed. NULL where *status is not −1.
wend_agent_id *cli_agents_find(cli_script *script, const wend__order *order, const wend__names *names, int *status);

/// Put it behind the others.
void cli_agent_append(cli_crowd *crowd, cli_agent *agent);

/* run_crowd.c */

/// Before the first agent: the service, and a crowd for all agents of the script.
/// @param said   the order `crowd`; NULL: there is none
int cli_crowd_make(cli_script *script, const wend__order *said);
/// One step of the crowd, if there is one; events are printed.
/// @param milli   thousandths of a unit of time
int cli_crowd_step(cli_script *script, uint32_t milli);
/// Remove all agents, without events, and forget their names.
void cli_crowd_disband(cli_script *script);
/// Would a step change nothing and tell nothing? So it is where each agent stands and wants nothing.
bool cli_crowd_is_quiet(const cli_script *script);
/// Has some agent yet to get where it wants to stand?
bool cli_crowd_is_busy(const cli_script *script);

/* run_orders.c */

/// Put what the order `crowd` gives into a definition.
void cli_crowd_read_limits(const wend__order *said, wend_crowd_def *out);

/* run_recording.c */

/// Do lines wait for the next frame?
bool cli_during_waits(const cli_script *script);
/// The frame is over: run the lines that are left.
int cli_during_end(cli_script *script);

/* run_maps.c */

/// The frame line of one of several maps was read.
void cli_maps_note_frame(cli_script *script, const wend_budget *budget);

/* run_routes.c */

/// Room in a crowd for all routes, those of later lines too.
void cli_routes_limit(const cli_script *script, uint64_t routes, uint64_t corners, wend_crowd_def *out);

/* run_watch.c */

/// After a frame's completions: print which watched paths its edits broke.
int cli_watch_step(cli_script *script);
/// Would a step print nothing?
bool cli_watch_is_quiet(const cli_script *script);

/* run_film.c: nothing happens without --animate. */

/// Before the first frame and the first agent.
int cli_film_begin(cli_script *script);
/// An agent was added; an agent is about to be removed; a frame was run.
void cli_film_add(cli_script *script, cli_agent *agent);
void cli_film_remove(cli_script *script, const cli_agent *agent);
void cli_film_frame(cli_script *script);

#endif
