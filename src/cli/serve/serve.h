/* SPDX-License-Identifier: MIT */
/* wend serve: a world with a service and a crowd, shown by libwend-live.
 *
 *   serve.c         options
 *   serve_world.c   the map, the service, the crowd, figures for /metrics; reset
 *   serve_run.c     the loop: frames, pause, signals, the end
 *   serve_orders.c  orders of clients: which functions check and do which
 *   serve_edits.c   edits and units
 *   serve_agents.c  agents and their wishes
 *   serve_routes.c  routes
 *   serve_journal.c the journal: what a restart repeats
 *   serve_look.c    orders that only look, and the pace
 *   serve_fields.c  flow fields that clients look at
 *   serve_save.c    the world as edited, as a script
 *   serve_wander.c  goals for idle agents */
#ifndef WEND_SRC_CLI_SERVE_SERVE_H
#define WEND_SRC_CLI_SERVE_SERVE_H

#include <stdio.h>

#include <wend/field.h>
#include <wend/figures.h>
#include <wend/live.h>

#include "cli/record/record_file.h"
#include "cli/script/world.h"
#include "cli/look/serve_metrics.h"

typedef struct serve serve;

typedef struct serve_options {
    const char *world, *listen, *lines, *host, *token, *owner_token, *certificate, *key, *journal, *record;
    uint64_t hz, budget, budget_us, workers, lanes, agents, most_agents, queue, seed;
    bool read_only, wander;
    wend_live_limits limits;
} serve_options;

typedef struct serve_agent {
    char name[72];
    bool here; ///< the crowd has it, by this id
    bool will; ///< it will be there when the orders on their way to the disk are done
    wend_agent_id id;
    uint64_t owner;   ///< session that added it; 0: the server
    uint64_t orderer; ///< session that ordered last
    bool named;       ///< by the order that is being checked
    bool of_file;     ///< the world's file has it
    int line;         ///< of that file; 0: of another one
    int32_t mover;
    char route[72];    ///< that its wish is about; empty: none
    bool wanders;      ///< its wish is a goal that the server gave it
    bool unheard;      ///< the next wish of it that ends as replaced was such a goal
    bool stays;        ///< a client halted or steers it, so the server gives it no goal
    uint64_t sets_off; ///< the frame from which the server may give it a goal
    struct serve_agent *next_named, *next_removed;
} serve_agent;

/// Flow fields that are made for clients, one after another.
enum { SERVE_MOST_FIELDS = 8 };
typedef struct serve_fields {
    struct serve_field {
        wend_field *field;
        wend_box box;
        uint64_t reference;
    } made[SERVE_MOST_FIELDS];
    size_t count;
} serve_fields;

/// Most units that clients put on a cell: an agent always has room, too, so that a unit can be put there again
/// wherever agents are.
enum { SERVE_MOST_UNITS = WEND_MAX_OCCUPANTS - 1 };

/// Units that clients put on a cell: without those that are agents.
typedef struct serve_units {
    struct serve_unit {
        wend_cell cell;
        uint32_t count, will; ///< now; when the orders on their way to the disk are done
        bool used;
    } * places;
    size_t used, capacity;
} serve_units;

struct serve {
    const serve_options *options;
    uv_loop_t loop;
    uv_timer_t clock;
    uv_signal_t terminate, interrupt;
    uv_idle_t hurry;   ///< frames that do not wait for the clock
    uv_timer_t looker; ///< while fields are made
    cli_world world;   ///< its map is as the file has it, and never changes
    wend_map *map;     ///< a fork of it, which clients edit
    int32_t kind;
    wend_cell *units; ///< of the world file
    size_t unit_count;
    wend_service *service;
    wend_crowd *crowd;
    wend_live *live;
    wend_budget budget;
    wend_frame last;
    serve_totals totals;
    wend_figures *figures;
    size_t service_bytes;
    uint64_t start_ns, due; ///< frame `due` is due at start_ns + due / hz
    uint64_t hz;
    char *fields; ///< of the last answer that looked
    bool paused, ending, closed, wander;
    uint64_t wander_random;
    uint64_t steps_left, step_reference;
    uint64_t give_up_ms;                 ///< of the drain
    uint64_t said_refused, say_again_ms; ///< clients refused for want of descriptors that were told of
    serve_agent **agents;                ///< by the crowd's index
    const char **names;                  ///< the same
    uint8_t *sizes;                      ///< the same
    uint64_t names_revision;
    uint64_t shown_revision; ///< of the names that watchers were told of last
    serve_agent **buckets;   ///< by the hash of their names, those that will come, too; the newest first
    size_t bucket_count;
    uint64_t agent_count; ///< that will be there when the orders on their way to the disk are done
    serve_agent *removed; ///< until their last events are out
    cli_routes routes;    ///< those of the file first
    serve_units placed;
    wend_cell *unit_list; ///< of the last answer that had them
    serve_fields looks;
    struct serve_log *log; ///< of the journal; NULL: none
    cli_record record;
};

/* serve_world.c */

/// Load the world, and make the service and the crowd. @return −1 to go on, else the exit status
int serve_world_open(serve *server);
void serve_world_close(serve *server);
/// Put agents at random places, as the options ask; a journal that has begun has them already.
void serve_world_populate(serve *server);
/// The world as its file has it. @return false: no memory, nothing changed
bool serve_world_reset(serve *server);
/// Text for wend_live_def.get_metrics.
size_t serve_write_metrics(void *context, char *out, size_t capacity);

/* serve_run.c */

/// Serve until a signal comes. @return the exit status
int serve_run(serve *server);
bool serve_step(serve *server, uint64_t reference, uint64_t frames);

void serve_set_hz(serve *server, uint64_t hz);

/* serve_look.c */

void serve_look(serve *server, const wend_live_order *order, wend_live_reply *reply);

/* serve_fields.c */

/// Make a field, and answer when it is there. @return false: refused
bool serve_field_begin(serve *server, uint64_t reference, const wend_live_order *order, wend_live_reply *reply);
void serve_fields_tick(uv_timer_t *timer);
/// Refuse those that are under way.
void serve_fields_drop(serve *server);

/* serve_save.c */

/// The world as edited, as a script. @return WEND_LIVE_OK; UNKNOWN: it has no file that a script could name; BUSY
int32_t serve_save(const serve *server, FILE *out);

/* serve_wander.c */

/// Let idle agents wander, or no longer; those that are on their way go on.
void serve_wander_begin(serve *server, bool wander);
/// Give goals to those whose rest is over; before each frame.
void serve_wander_frame(serve *server);
/// A wish of the agent has ended, other than by another order.
void serve_wander_ended(serve *server, serve_agent *agent);

/* serve_orders.c: an order is checked and then done, with a journal when it is on disk. Where it cannot be done it
 * changes nothing. */

void serve_order(void *context, uint64_t reference, const wend_live_order *order);
/// Could it be done when the orders on their way to the disk are? What it does is noted, and orders after it are judged
/// with it. It is to be done or to be forgotten. @return false: refused, and nothing is noted
bool serve_check_order(serve *server, const wend_live_order *order, wend_live_reply *reply);
/// It will not be done. Orders that were checked after it were forgotten before.
void serve_forget_order(serve *server, const wend_live_order *order);
/// Do an order that was checked, any but STEP and FIELD.
void serve_do_order(serve *server, const wend_live_order *order, wend_live_reply *reply);
/// Do one at once, and answer, now or later.
void serve_order_now(serve *server, uint64_t reference, const wend_live_order *order);

/* serve_journal.c: with --journal. */

/// Repeat the orders of the journal and open it. The loop is there, the library is not. @return −1 or the exit status
int serve_log_open(serve *server);
/// Write what waits, and close it.
void serve_log_close(serve *server);
/// Does an order go through the journal, or wait for those that do?
bool serve_log_takes(const serve *server, const wend_live_order *order);
/// Take an order; it is done and answered when it is on disk.
void serve_log_order(serve *server, uint64_t reference, const wend_live_order *order);
/// Numbers for metrics. @return false: there is no journal
bool serve_log_numbers(const serve *server, serve_numbers *out);

/* Orders by subject: serve_check_… and serve_unexpect_… for serve_check_order() and serve_forget_order(); the others do
 * what was checked. An error is in reply->error, WEND_LIVE_…, with words in reply->text. */

/* serve_edits.c */

void serve_edit(serve *server, const wend_live_order *order, wend_live_reply *reply);
/// Add a change, or all changes of an order, to a batch. @return false: refused
bool serve_edit_change(serve *server, wend_edit *batch, const wend_live_change *change, wend_live_reply *reply);
bool serve_edit_changes(serve *server, wend_edit *batch, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_units(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_unexpect_units(serve *server, const wend_live_order *order);
void serve_set_units(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_units_free(serve_units *units);
/// A unit of the world file.
bool serve_units_add(serve *server, wend_cell cell);
/// For wend_live_def.get_units.
void serve_units_list(void *context, wend_live_units *out);
/// An error of the library as reply.
void serve_refuse(wend_live_reply *reply, int32_t error, const char *text);
void serve_refuse_error(wend_live_reply *reply, wend_error error);

/* serve_agents.c */

bool serve_agents_open(serve *server);
/// Forget all agents.
void serve_agents_close(serve *server);
/// Put the agents of the world's file where it has them. Prints what is wrong. @return false: one cannot be there
bool serve_agents_bring(serve *server);
/// Give them the orders of the world's file. The same.
bool serve_orders_bring(serve *server);
/// The order that would add an agent as it is now. Its pointers are valid until the agent changes.
void serve_agent_order(const serve *server, const serve_agent *agent, wend_cell *cell, wend_live_order *out);
/// Agents that an order names.
typedef struct serve_named {
    serve_agent **agents;
    wend_agent_id *ids;
    size_t count;
} serve_named;

/// Those that are there, or those that will be when the orders on their way to the disk are done.
typedef enum serve_when { SERVE_NOW, SERVE_EXPECTED } serve_when;

/// Find them: each is known to the crowd, the session may command it, and it is named once. Nothing else looks at ids
/// and owners. @return false: refused
bool serve_agents_named(const serve *server, const wend_live_order *order, serve_when when, serve_named *out,
                        wend_live_reply *reply);
void serve_named_free(serve_named *named);
/// The same, as a check.
bool serve_check_named(serve *server, const wend_live_order *order, wend_live_reply *reply);
/// The crowd was busy: it tells of its events. @return whether another try is worth while
bool serve_tell_events(serve *server, wend_error error);
/// AGENT, ADJUST: is there room where the agents are to stand, as things are? @return false: refused
bool serve_has_room(const serve *server, const wend_live_order *order, wend_live_reply *reply);
/// Put agents at random places. @return how many found one
uint64_t serve_agents_scatter(serve *server, uint64_t count, uint64_t seed);
void serve_agents_event(void *context, const wend_agent_event *event);
/// After an update: agents that were removed before it are freed.
void serve_agents_updated(serve *server);
void serve_agents_positions(void *context, wend_live_positions *out);
serve_agent *serve_agent_find(const serve *server, const char *name);
/// A client's order ends the agent's wish. What becomes of the next one is told to `session`.
/// @param stays   it stands until it is ordered again
void serve_agent_ordered(serve_agent *agent, uint64_t session, bool stays);
/// The mover of an order; −1: there is none of that name.
int32_t serve_mover_of(const serve *server, const wend_live_order *order);
bool serve_check_agent(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_unexpect_agent(serve *server, const wend_live_order *order);
void serve_add(serve *server, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_wish(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_wish(serve *server, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_steer(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_steer(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_halt(serve *server, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_adjust(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_adjust(serve *server, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_remove(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_unexpect_remove(serve *server, const wend_live_order *order);
void serve_remove(serve *server, const wend_live_order *order, wend_live_reply *reply);

/* serve_routes.c */

bool serve_routes_open(serve *server);
bool serve_check_route(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_unexpect_route(serve *server, const wend_live_order *order);
void serve_route_add(serve *server, const wend_live_order *order, wend_live_reply *reply);
bool serve_check_take(serve *server, const wend_live_order *order, wend_live_reply *reply);
void serve_take(serve *server, const wend_live_order *order, wend_live_reply *reply);

#endif
