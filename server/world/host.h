/* SPDX-License-Identifier: MIT */
/* A world that takes orders: a map, a crowd, agents and routes by name, units, edits that wait. `wend run`, `wend
 * serve` and the replay of a journal are its drivers: they read orders of the catalogue, and host_take() does them.
 *
 *   take.c    which functions check and do which order
 *   refuse.c  errors
 *   agents.c  agents by name, and the orders to them
 *   edits.c   changes of the map, and those that wait
 *   land.c    which chunks of a streamed map are loaded
 *   units.c   units that clients put on cells
 *   routes.c  routes by name
 *   crowd.c   the crowd
 *   record.c  recordings in a file
 *
 * What a file holds of a world at its beginning is in src/cli/world/world.h. */
#ifndef WEND_SERVER_WORLD_HOST_H
#define WEND_SERVER_WORLD_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <wend/wend.h>
#include <wend/boxes.h>

#include "cli/world/world.h"
#include "orders/orders.h"

typedef struct host host;

/* ---- orders ---- */

/// The client that gives an order.
typedef struct host_client {
    uint64_t session; ///< 0: the host itself
    bool owner;       ///< it may command all agents
} host_client;

typedef enum host_refusal {
    HOST_TAKEN,
    HOST_UNKNOWN, ///< a name
    HOST_DENIED,
    HOST_BUSY,
    HOST_MOVED, ///< another node owns the map
    HOST_BAD_ARGUMENT,
    HOST_OUT_OF_RANGE,
    HOST_NO_CROWD, ///< agents are only listed
    HOST_NO_MEMORY
} host_refusal;

/// Why an order is refused. Zero at first.
typedef struct host_error {
    host_refusal refusal;
    wend_error error;   ///< of the library, where it refused
    const void *member; ///< the field of the order that is wrong; NULL: the order as a whole
    size_t index;       ///< in that field's list
    char text[320];
} host_error;

/// Refuse an order. @return false
bool host_refuse(host_error *error, host_refusal refusal, const void *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Refuse it where the library did, with its words. @return whether it did not
bool host_refuse_error(host_error *out, wend_error error, const void *member);

/// Returns whether a host takes orders of a kind.
bool host_takes(int32_t kind);
/// Do an order, or refuse it and change nothing. A single change of the map waits for host_publish().
bool host_take(host *h, const host_client *who, const wend_order *order, host_error *error);

/// Returns whether a cell is on the map.
bool host_is_on_map(const host *h, wend_cell cell);
/// Check that a cell is on the map, or refuse the order. @param cell   a field of it
bool host_check_cell(const host *h, const wend_cell *cell, host_error *error);
/// Refuse it as a cell is off the map. @param words   the cell as it was said. @return false
bool host_refuse_cell(const host *h, const char *words, const void *member, host_error *error);

/* An order that is written to a disk first is checked before that, and done after that. */

/// Check that an order can be done once those that were checked before are done. What it does is noted, and orders
/// after it are judged with it. It is to be done or to be forgotten. @return false: refused, and nothing is noted
bool host_check(host *h, const host_client *who, const wend_order *order, host_error *error);
/// Take back what a check noted. Orders that were checked after this one were forgotten before.
void host_forget(host *h, const wend_order *order);
/// Do an order that was checked.
bool host_do(host *h, const host_client *who, const wend_order *order, host_error *error);

/* ---- movers and routes ---- */

/// Returns the mover of an order's field; the standard one where it was not said; -1, and the order is refused.
int32_t host_mover_of(const host *h, const wend_name *name, host_error *error);
/// The crowd gets a route when the first agent takes it, or before. @return as wend_crowd_add_route()
wend_error host_route_add(host_route *route, wend_crowd *crowd);

/* ---- agents ---- */

typedef struct host_agent {
    bool here;  ///< the crowd has it, by this id
    bool will;  ///< it will be there when all orders that were checked are done
    bool named; ///< by the order that is being checked
    wend_agent_id id;
    uint64_t owner;   ///< session that added it; 0: the host
    uint64_t orderer; ///< session that ordered last
    int32_t mover;
    int line;                           ///< of the world's file that adds it; 0: of another one, or none
    bool of_file;                       ///< the world's file has it
    bool wanders;                       ///< its goal is one that a server gave it
    bool unheard;                       ///< its next goal that ends as replaced was such a one
    bool stays;                         ///< a client halted or steers it, so a server gives it no goal
    uint64_t sets_off;                  ///< the frame from which a server may give it a goal
    uint32_t track;                     ///< of a film
    const char *route;                  ///< along which it was sent last; NULL: it was sent otherwise
    wend_agent_def def;                 ///< as it was added
    struct host_agent *previous, *next; ///< of those here, in the order of their adding
    struct host_agent *next_named, *next_removed;
    uint32_t length;
    char name[]; ///< ends with a zero
} host_agent;

typedef struct host_agents {
    host_agent *first, *last;
    host_agent **buckets; ///< by the hash of their names, those that will come, too; the newest first
    size_t bucket_count, entries;
    uint64_t count;        ///< that will be there when all orders that were checked are done
    host_agent *removed;   ///< until their last events are out
    uint64_t most;         ///< of the crowd; 0: there is none
    host_agent **by_index; ///< the crowd's, and the arrays below
    const char **names;
    uint8_t *sizes;
    uint64_t names_revision; ///< another number whenever a name came or went, or a size changed
} host_agents;

static inline wend_name host_agent_name(const host_agent *agent) {
    return (wend_name){.text = agent->name, .length = agent->length};
}
/// Returns the agent of a name that is here; NULL: there is none.
host_agent *host_agent_find(const host *h, const char *name, size_t length);
/// Fill the orders that would add the agent as it is now, one or two; without a crowd, as it was added. Their names are
/// the agent's. @return how many
int host_agent_orders(const host *h, const host_agent *agent, wend_order out[2]);
/// Fill the order that would send the agent where it is going. @param name   receives the agent's name, for the order
/// @return false: it is going nowhere, or a server sent it
bool host_agent_wish(const host *h, const host_agent *agent, wend_name *name, wend_order *out);
/// Check that there is room now where the agents of an order are to stand (AGENT, ADJUST). @return false: refused
bool host_has_room(const host *h, const wend_order *order, host_error *error);
/// After an update, when the last events of removed agents are out.
void host_agents_updated(host *h);
/// Forget all agents; the crowd is gone.
void host_agents_free(host_agents *agents);

/* ---- units ---- */

/// Put the units of the world's file on the map. @return false: no memory
bool host_units_begin(host *h, const host_units *file);
/// Returns how many units there are, and fills a list of their cells with room for this many; NULL: only counts.
size_t host_units_list(const host_units *units, wend_cell *out);

/* ---- boxes that agents leave ---- */

/// Those that will be there when all orders that were checked are done.
typedef struct host_boxes {
    wend_box of[WEND_MAX_CLEARED_BOXES];
    uint64_t orderers[WEND_MAX_CLEARED_BOXES]; ///< session that ordered it; 0: the host, or nobody yet
    size_t count;
} host_boxes;

/// Returns the session that ordered a box; 0: none.
uint64_t host_box_orderer(const host *h, wend_box box);

/* ---- edits ---- */

/// A change that was checked and waits to be published.
typedef struct host_edit {
    wend_change_item item;
    bool was_there; ///< LINK, UNLINK: there was a link before; LOAD, UNLOAD: the chunk was loaded
} host_edit;

/// A link, with all changes that wait.
typedef struct host_link {
    wend_cell from, to;
    bool used, there;
} host_link;

/// Chunks of a streamed map, with all changes that wait.
typedef struct host_land {
    uint8_t *loaded; ///< 0 or 1, row by row; NULL: not known, or the map is not streamed
    int32_t columns, rows;
    bool known;
} host_land;

static inline uint8_t *host_land_at(const host_land *land, wend_cell chunk) {
    return &land->loaded[(size_t)chunk.y * (size_t)land->columns + (size_t)chunk.x];
}

/// Changes that wait, in their order: a script's until its next frame, those of a client's edit until it is on disk.
typedef struct host_edits {
    host_edit *items;
    size_t count, capacity;
    host_link *links; ///< by both cells
    size_t link_count, link_entries, link_capacity;
    bool has_links; ///< those of the map are among them
    host_land land;
} host_edits;

/// Publish the first changes that wait, up to a number, as a version. They wait no more, whatever is returned.
wend_error host_publish(host *h, size_t count);
/// Returns the box of a SET or FILL, whose corners come in any order.
wend_box host_box(const wend_change_item *item);
void host_edits_free(host_edits *edits);

/* ---- the crowd ---- */

/// Make the crowd of a host by a definition with limits and callbacks, and room for its agents.
wend_error host_crowd_make(host *h, const wend_crowd_def *def);
/// Destroy it; names of agents are forgotten.
void host_crowd_free(host *h);

struct host {
    wend_map *map;
    int32_t kind;
    wend_service *service;
    wend_crowd *crowd; ///< NULL: agents are only listed
    const host_movers *movers;
    host_routes *routes;
    host_agents agents;
    host_units *units;
    host_boxes boxes;
    host_edits edits;
    const uint8_t *nodes; ///< of a script's graph, by number: 2 where its line was read; NULL: those of the map
    uint64_t node_count;
    bool tells_events; ///< where a goal finds no room, events are told first, between two frames
    bool recorded;     ///< of a recording: the crowd gets a route at once, and units of agents may be taken off
    bool has_clients;  ///< orders are theirs: at most this many routes, and always room for an agent on a cell
    bool repeats;      ///< orders are repeated from a journal
};

/* ---- a recording of a service with one map, in a file: the script of that map, which `wend run` plays back ---- */

typedef struct host_record {
    const char *name;
    FILE *file; ///< NULL: nothing is recorded
    wend_service *service;
} host_record;

/* Functions that return int: HOST_DONE, or the exit status after a message. */

/// Begin to record into a file, the map first. A name of NULL does nothing.
int host_record_open(host_record *record, const char *name, wend_service *service, wend_map *map);
/// End it, before the service is destroyed; nothing happens where it has ended.
int host_record_close(host_record *record);

#endif
