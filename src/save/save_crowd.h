/* SPDX-License-Identifier: MIT */
/* Internal: the parts of a crowd's save, and the requests of crowds in a service's. */
#ifndef WEND_SRC_SAVE_CROWD_H
#define WEND_SRC_SAVE_CROWD_H

#include "agents/state/crowd_state.h"
#include "save/save_fields.h"
#include <wend/save.h>

/// A crowd that is saved or restored.
typedef struct wend__crowd_save {
    wend__save save;
    wend_crowd *crowd;
    wend__version *version; ///< the newest of its map
    wend_save_host host;
    wend__series series;
} wend__crowd_save;

/// A list of fields. @return their number of words
typedef uint32_t wend__words_fn(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad);

/// Begins a list of fields, for saves and restores.
static inline wend__words wend__crowd_fields(const wend__crowd_save *c, uint32_t *words) {
    return (wend__words){.at = words, .map = c->crowd->def.map};
}

/// Ends it. @return the number of words
static inline uint32_t wend__crowd_fields_end(const wend__words *fields, const uint32_t *words, bool *bad) {
    *bad = fields->bad;
    return (uint32_t)(fields->at - words);
}

/// Passes the fields of a struct as the next record of the series.
/// @param of   to restore: the struct with zeros
static inline void wend__crowd_pass(wend__crowd_save *c, wend__words_fn *fields, void *of) {
    bool bad = false;
    const uint32_t words = fields(c, c->series.words, false, of, &bad);
    wend__series_pass(&c->save, &c->series, words);
    if (c->save.reads) fields(c, c->series.words, true, of, &bad);
    c->save.bad |= bad;
}

/// Returns a route's number as a save has it. Copies of routes have numbers behind the room for routes; in a hash they
/// have numbers that depend neither on that room nor on how many there are.
static inline uint32_t wend__crowd_route(const wend__crowd_save *c, uint32_t number) {
    enum { MOST_ROUTES = 65536 };
    const wend__routes *routes = &c->crowd->routes;
    if (!c->save.hash || number < routes->capacity || number == WEND__NO_ROUTE) return number;
    return routes->capacity == 0 ? number : number - routes->capacity + MOST_ROUTES; /* 0: an agent without a route */
}

/// Returns a slot of an agent. Only a restore writes it, and forgets all kept hashes before.
static inline wend__agent *wend__crowd_slot(const wend__crowd_save *c, uint32_t index) {
    return (wend__agent *)(uintptr_t)&c->crowd->agents[index];
}

/// Returns the number of cells of a crowd's map, an upper bound of their numbers.
static inline uint64_t wend__crowd_cells(const wend__crowd_save *c) {
    const wend_map *map = c->crowd->def.map;
    return (uint64_t)map->width * (uint64_t)map->height * (uint64_t)map->depth;
}

/* ---- hashes of the contents of saves, and of searches ---- */

uint64_t wend__hash_map(wend_map *map);
uint64_t wend__hash_service(wend_service *service);
uint64_t wend__hash_crowd(wend_crowd *crowd);

/* ---- save_map.c ---- */

/// Returns a hash of a graph's nodes and edges: a save contains none, so the map must have the same.
/// 0: there is no graph.
uint64_t wend__save_hash_graph(const wend__version *version);

/* ---- save_crowd.c ---- */

/// Returns whether a request of the service belongs to this crowd.
bool wend__crowd_owns(const wend_crowd *crowd, const wend__waiter *waiter);

/* ---- save_agents.c ---- */

/// Adds an existing agent to a hash.
void wend__hash_agent(wend__crowd_save *c, uint32_t index);
/// Passes all slots: their agents, paths, far routes and head starts. A restore has routes, and flows, before.
void wend__save_agents(wend__crowd_save *c);

/* ---- save_lists.c: parts shared by agents ---- */

void wend__save_routes(wend__crowd_save *c);
void wend__save_events(wend__crowd_save *c);
void wend__save_boxes(wend__crowd_save *c);
void wend__save_narrow_ways(wend__crowd_save *c);
void wend__save_flows(wend__crowd_save *c);
void wend__save_marches(wend__crowd_save *c);
void wend__save_ends(wend__crowd_save *c);
void wend__save_window(wend__crowd_save *c);

/* ---- save_bodies.c ---- */

/// Passes the bodies, after all else. @return WEND_OK, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__save_bodies(wend__crowd_save *c);

/// Adds an agent's body to a hash, if it has one.
void wend__hash_body(wend__crowd_save *c, uint32_t index);
/// Removes all bodies from a crowd. @param slots   those that may have any
void wend__forget_bodies(wend_crowd *crowd, uint32_t slots);

/* ---- save_service.c: requests of crowds, as a restored service has them until their crowd is restored too. Their
 * answers are dropped. ---- */

void wend__orphan_agent(void *context, const wend_completion *done);
void wend__orphan_leg(void *context, const wend_completion *done);

#endif
