/* SPDX-License-Identifier: MIT */
/* A world that takes orders: a map, a crowd, agents and routes by name, units, edits that wait. `wend run`, `wend
 * serve` and the replay of a journal are its drivers: they read orders of the catalogue, and world_check_and_do() does
 * them.
 *
 *   take.c    which functions check and do which order
 *   refuse.c  errors
 *   agents.c  agents by name, and the orders to them
 *   room.c    room for agents until their order is done, and orders about bodies
 *   waits.c   agents that wait for others
 *   edits.c   changes of the map, and waiting ones
 *   land.c    which chunks of a streamed map are loaded
 *   layers.c  layers of costs by place, by name
 *   units.c   units that clients put on cells
 *   routes.c  routes by name
 *   bodies.c  bodies of agents
 *   crowd.c   the crowd
 *   recording.c  recordings in a file
 *
 * What a file holds of a world at its beginning is in src/cli/world/world.h. */
#ifndef WEND_SERVER_WORLD_WORLD_H
#define WEND_SERVER_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <wend/wend.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/layers.h>
#include <wend/search.h>

#include "base/system/replace.h"
#include "cli/world/jams.h"
#include "cli/world/world.h"
#include "orders/orders.h"

typedef struct world_state world_state;

/* ---- orders ---- */

/// The client that gives an order.
typedef struct world_client {
    uint64_t session; ///< 0: the server itself
    bool owner;       ///< the client may command all agents
} world_client;

typedef enum world_refusal {
    WORLD_TAKEN,
    WORLD_UNKNOWN, ///< unknown name
    WORLD_DENIED,
    WORLD_BUSY,
    WORLD_MOVED,       ///< another node owns the map
    WORLD_UNAVAILABLE, ///< the log cannot be written now
    WORLD_UNCERTAIN,   ///< the order may be executed
    WORLD_TOO_LARGE,
    WORLD_TOO_OLD,   ///< its session's number is too far below the highest one
    WORLD_FORGOTTEN, ///< its session is unknown
    WORLD_BAD_ARGUMENT,
    WORLD_OUT_OF_RANGE,
    WORLD_NO_CROWD, ///< agents are only listed
    WORLD_NO_MEMORY
} world_refusal;

/// Why an order is refused. Zero at first.
typedef struct world_error {
    world_refusal refusal;
    wend_error error;   ///< error of the library, if it refused
    const void *member; ///< the wrong field of the order; NULL: the order as a whole
    size_t index;       ///< index in that field's list
    char text[320];
} world_error;

/// Refuses an order. @return false
bool world_refuse(world_error *error, world_refusal refusal, const void *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Refuses it if the library did, with its words. @return whether it did not
bool world_refuse_error(world_error *out, wend_error error, const void *member);

/// Returns whether a world takes orders of a kind.
bool world_accepts(int32_t kind);
/// Executes an order, or refuses it and changes nothing. A single change of the map waits for world_publish().
bool world_check_and_do(world_state *w, const world_client *who, const wend_order *order, world_error *error);

/// Returns whether a cell is on the map.
bool world_is_on_map(const world_state *w, wend_cell cell);
/// Checks that a cell is on the map, or refuses the order. @param cell   a field of it
bool world_check_cell(const world_state *w, const wend_cell *cell, world_error *error);
/// Refuses it as a cell is off the map. @param words   the cell in the order's words. @return false
bool world_refuse_cell(const world_state *w, const char *words, const void *member, world_error *error);

/* An order that is written to a disk first is checked before that, and executed after that. */

/// Checks that an order can be executed once those checked before are. The effect is noted, and later orders are
/// judged with it. The order must then be executed or forgotten. @return false: refused, and nothing is noted
bool world_check(world_state *w, const world_client *who, const wend_order *order, world_error *error);
/// Undoes the notes of a check. Orders that were checked after this one were forgotten before.
void world_forget(world_state *w, const wend_order *order);
/// Executes an order that was checked.
bool world_do(world_state *w, const world_client *who, const wend_order *order, world_error *error);

/* ---- movers and routes ---- */

/// Returns the mover of an order's field; the default one if it is missing; -1, and the order is refused.
int32_t world_mover_of(const world_state *w, const wend_name *name, world_error *error);
/// Returns the mover that is like another one and avoids and shuns classes besides; the map gets it with its first
/// order.
/// @param mover   -1: it was refused before. @param avoid, shun   fields of the order
int32_t world_mover_minding(const world_state *w, int32_t mover, const wend_classes *avoid, const wend_classes *shun,
                            world_error *error);
/// Returns a mover with a name that this one is like, or itself, and adds the classes that it avoids and shuns besides.
int32_t world_named_mover(const world_state *w, int32_t mover, wend_classes *avoid, wend_classes *shun);
/// Returns the mover of an order AGENT, as world_mover_minding() does.
int32_t world_agent_mover(const world_state *w, const wend_order *order, world_error *error);
/// Returns whether an order ADJUST gives agents another mover.
static inline bool world_becomes(const wend_order *order) {
    return wend_order_gave(order, &order->adjust.mover) || wend_order_gave(order, &order->adjust.avoid) ||
           wend_order_gave(order, &order->adjust.shun);
}
/// Returns the field of an order ADJUST that gives agents another mover, for errors.
static inline const void *world_mover_member(const wend_order *order) {
    if (wend_order_gave(order, &order->adjust.mover)) return &order->adjust.mover;
    return wend_order_gave(order, &order->adjust.avoid) ? &order->adjust.avoid : &order->adjust.shun;
}
/// Adds a route to the crowd: at once, or with clients when the first agent takes it, as their routes may fill the
/// room for ways. A crowd without room for it refuses the agents that take it. @return as wend_crowd_add_route()
wend_error world_route_add(cli_route *route, wend_crowd *crowd);

/* ---- agents ---- */

typedef struct world_agent {
    bool here;  ///< the crowd has it, by this id
    bool will;  ///< the agent will exist after all checked orders
    bool named; ///< the order being checked names it
    wend_agent_id id;
    uint64_t owner;   ///< session that added it; 0: the server
    uint64_t orderer; ///< session that ordered last
    int32_t mover;
    int line;           ///< line of the world's file that adds it; 0: of another file, or none
    bool of_file;       ///< the world's file contains it
    bool wanders;       ///< a server gave it its goal
    bool unheard;       ///< its next goal that ends as replaced was given by a server
    bool stays;         ///< a client halted or steers it, so a server gives it no goal
    uint64_t sets_off;  ///< the frame from which a server may give it a goal
    uint32_t track;     ///< number in a film
    const char *route;  ///< its last route; NULL: it was sent otherwise
    wend_agent_def def; ///< definition when it was added
    wend_body_def body; ///< its last body; radius 0: none
    struct world_agent *waits_for[WEND_MAX_WAITED_FOR]; ///< agents that it never pushes
    uint32_t waits;                                     ///< number of those
    bool awaited;                                       ///< another one waits for it, or has waited
    wend_cell kept;                                     ///< before it comes: where cells are kept for it
    uint64_t state_hash;                                ///< hash that a server keeps of it; 0: none
    bool shed;                                          ///< the agent lost its body before that order was executed
    uint8_t kept_size;                                  ///< cells along a side; 0: none are
    struct world_agent *previous, *next;                ///< neighbours among present ones, in the order of their adding
    struct world_agent *next_named, *next_removed;
    uint32_t length;
    char name[]; ///< ends with a zero
} world_agent;

typedef struct world_agents {
    world_agent *first, *last;
    world_agent **buckets; ///< by the hash of their names, with future ones; the newest first
    size_t bucket_count, entries;
    uint64_t count;         ///< number after all checked orders
    world_agent *removed;   ///< until their last events are delivered
    uint64_t most;          ///< most agents of the crowd; 0: there is no crowd
    world_agent **by_index; ///< the crowd's, and the arrays below
    const char **names;
    uint8_t *sizes;
    uint64_t names_revision; ///< changes whenever a name came or went, or a size changed
    uint64_t checked;        ///< index of the crowd at which the last check of agents ended
} world_agents;

/// Returns the mover that an order ADJUST gives an agent, as world_mover_minding() does.
int32_t world_adjusted_mover(const world_state *w, const wend_order *order, const world_agent *agent,
                             world_error *error);

static inline wend_name world_agent_name(const world_agent *agent) {
    return (wend_name){.text = agent->name, .length = agent->length};
}
/// Returns the present agent of a name; NULL: there is none.
world_agent *world_agent_find(const world_state *w, const char *name, size_t length);
/// Fills the orders that would add the present agent, one or two; without a crowd, as it was added. Their names are
/// the agent's. @return how many
int world_agent_orders(const world_state *w, const world_agent *agent, wend_order out[2]);
/// Fills the order that would send the agent to its goal. @param name   receives the agent's name, for the order
/// @return false: it has no goal, or a server sent it
bool world_agent_goal(const world_state *w, const world_agent *agent, wend_name *name, wend_order *out);
/// Returns the names of the agents for which an agent waits. @param names   receives them
wend_names world_agent_waits(const world_agent *agent, wend_name names[WEND_MAX_WAITED_FOR]);
/// Returns whether an order can fail depending on where agents stand. Until such an order is executed nothing may
/// move, and no other order be executed.
bool world_needs_standstill(const world_state *w, const wend_order *order);
/// Makes sure that a checked order can be executed: an agent's cells are kept free until it is executed or forgotten;
/// conditions that need a standstill are tried, and undone. @return false: refused
bool world_reserve(world_state *w, const wend_order *order, world_error *error);
/// Returns whether an order of a kind changes only the goals and places of agents, which differ between the nodes of a
/// cluster: one may refuse it when it is executed, and another not, and both have the same state.
bool world_only_moves(int32_t kind);
/// Called after an update, when the last events of removed agents are delivered.
void world_agents_updated(world_state *w);
/// Records an agent of a restored crowd by its id, also a removed one with events that wait.
/// @return NULL: the name or the id is taken, or there is no memory
world_agent *world_agent_restore(world_state *w, const char *name, wend_agent_id id, int32_t mover, bool here);
/// Handles a restored crowd: takes its movers over, and moves missing agents to the removed ones.
void world_agents_settle(world_state *w);
/// Forgets all agents; the crowd was destroyed.
void world_agents_free(world_agents *agents);

/* ---- units ---- */

/// Puts the units of the world's file on the map. @return false: no memory
bool world_units_begin(world_state *w, const cli_units *file);
/// Records units that the map has already, from a save. @return false: no memory
bool world_units_know(world_state *w, wend_cell cell, uint32_t count);
/// Returns how many units there are, and fills a list of their cells with room for this many; NULL: only counts.
size_t world_units_list(const cli_units *units, wend_cell *out);

/* ---- layers ---- */

/// Passes time for the world's layers: a frame is an update. @return WEND_OK, WEND_OUT_OF_MEMORY
wend_error world_layers_pass(const world_state *w, uint64_t updates);
/// Returns the profile of an order's weights, which is added to the map; 0: none; -1, and the order is refused.
int32_t world_profile_of(const world_state *w, const wend_weights *weights, world_error *error);
/// Returns it for a query of a client: these leave orders half of the map's profiles, so those of nodes agree.
int32_t world_read_profile(const world_state *w, const wend_weights *weights, world_error *error);
/// Returns the weights of a profile. Their names are the world's.
wend_weights world_weights_of(const world_state *w, int32_t profile);
/// Checks the names in a NEAREST. @return false: refused
bool world_check_nearest(const world_state *w, const wend_order *order, world_error *error);
/// Executes it. @param hits   room for the requested number. @return false: refused
bool world_nearest(const world_state *w, const wend_order *order, wend_hit *hits, size_t *count, world_error *error);
/// Writes "places":[…], the answer to it.
void world_put_places(FILE *out, int32_t kind, const wend_hit *hits, size_t count);

/* ---- boxes that agents leave ---- */

/// The boxes after all checked orders.
typedef struct world_boxes {
    wend_box of[WEND_MAX_CLEARED_BOXES];
    uint64_t orderers[WEND_MAX_CLEARED_BOXES]; ///< session that ordered it; 0: the server, or none
    size_t count;
} world_boxes;

/// Returns the session that ordered a box; 0: none.
uint64_t world_box_orderer(const world_state *w, wend_box box);

/* ---- edits ---- */

/// A change that was checked and waits to be published.
typedef struct world_edit {
    wend_change_item item;
    bool was_there; ///< LINK, UNLINK: there was a link before; EDGE, or `of_edge`: an edge; LOAD, UNLOAD: the chunk
    bool of_edge;   ///< UNLINK: the change removes edges
} world_edit;

/// A link, or the edges from a node to another, with all changes that wait; or a node, if `to.x` is -1.
typedef struct world_link {
    wend_cell from, to;
    bool used, there;
    bool edge_known, edge; ///< there is an edge, or the node
} world_link;

/// Chunks of a streamed map, with all changes that wait.
typedef struct world_land {
    uint8_t *loaded; ///< 0 or 1, row by row; NULL: unknown, or the map is not streamed
    int32_t columns, rows;
    bool known;
} world_land;

static inline uint8_t *world_land_at(const world_land *land, wend_cell chunk) {
    return &land->loaded[(size_t)chunk.y * (size_t)land->columns + (size_t)chunk.x];
}

/// Changes that wait, in their order: a script's until its next frame, those of a client's edit until it is on disk.
typedef struct world_edits {
    world_edit *items;
    size_t count, capacity;
    world_link *links; ///< by both cells
    size_t link_count, link_entries, link_capacity;
    bool has_links; ///< the map's links are included
    world_land land;
} world_edits;

/// Publishes the first changes that wait, up to a number, as a version. They do not wait any more, whatever it returns.
wend_error world_publish(world_state *w, size_t count);
/// Returns the box of a SET or FILL; its corners come in any order.
wend_box world_box(const wend_change_item *item);
void world_edits_free(world_edits *edits);

/* ---- the crowd ---- */

/// Makes the crowd of a world from a definition with limits and callbacks, and room for its agents.
wend_error world_crowd_make(world_state *w, const wend_crowd_def *def);
/// Destroys it; names of agents are forgotten.
void world_crowd_free(world_state *w);

/// Begins to count where agents are blocked, if there is a crowd and it does not yet. @return false: no memory
bool world_jams_begin(world_state *w);
/// Writes "updates", "waits" and "jams":[…], the answer to JAMS. @return false: no memory
bool world_put_jams(const world_state *w, FILE *out, const wend_order *order);

struct world_state {
    wend_map *map;
    int32_t kind;
    wend_service *service;
    wend_crowd *crowd; ///< NULL: agents are only listed
    bool has_bodies;   ///< an agent of the crowd has had one
    cli_jams *jams;    ///< NULL: no query so far
    const cli_movers *movers;
    cli_routes *routes;
    cli_layers *layers;
    world_agents agents;
    cli_units *units;
    world_boxes boxes;
    world_edits edits;
    const uint8_t *nodes; ///< nodes of a script's graph, by number: 2 if its line was read; NULL: the map's
    uint64_t node_count;
    bool tells_events; ///< if a goal finds no room, events are sent first, between two frames
    bool recorded;     ///< for a recording: a route without room is refused at once, units of agents may be removed
    bool has_clients;  ///< orders come from clients: at most this many routes, and always room for an agent on a cell
    bool repeats;      ///< orders are repeated from a journal
};

/// Updates the crowd and counts blocked agents, if they are counted. @return as wend_crowd_update()
static inline wend_error world_crowd_update(world_state *w, uint32_t milli, const wend_update_budget *budget) {
    const wend_error error = wend_crowd_update(w->crowd, milli, budget, NULL);
    if (!error && w->jams) cli_jams_count(w->jams, w->crowd);
    return error;
}

/* ---- a recording of a service with one map, in a file: the script of that map, which `wend run` plays back ---- */

typedef struct world_recording {
    const char *name;
    wend__replacement file; ///< no stream: nothing is recorded
    wend_service *service;
    int status; ///< after its end: CLI_DONE, or the exit status
} world_recording;

/* Functions that return int: CLI_DONE, or the exit status after a message. */

/// Begins to record into a file, the map first. A name of NULL does nothing.
int world_recording_open(world_recording *record, const char *name, wend_service *service, wend_map *map);
/// The same for a running service, with a crowd or NULL: by wend_service_record_state().
int world_recording_open_late(world_recording *record, const char *name, wend_service *service, wend_map *map,
                              wend_crowd *crowd);
/// Ends it, before the service is destroyed. Nothing happens if it has ended; the status is that of its end.
int world_recording_close(world_recording *record);

#endif
