/* SPDX-License-Identifier: MIT */
/* MAP arguments: any map file, or a world file, which is a script without requests and frames; and scripts to serve. */
#ifndef WEND_SRC_CLI_SCRIPT_WORLD_H
#define WEND_SRC_CLI_SCRIPT_WORLD_H

#include <stdbool.h>

#include <wend/extra.h>
#include <wend/tuning.h>
#include <wend/wend.h>

#include "orders/orders.h"

/// A pre-set path by its corners, of a script or of a Tiled map.
typedef struct cli_route {
    char *name;
    int32_t mode; ///< WEND_ROUTE_…
    wend_cell *cells;
    size_t count;
    bool coming; ///< it will be there when its order is on disk
    bool added;  ///< the crowd has it, by this number
    uint32_t number;
} cli_route;

typedef struct cli_routes {
    cli_route *items;
    size_t count;
} cli_routes;

/// Keep a route. @return NULL: no memory
cli_route *cli_route_keep(cli_routes *routes, const char *name, size_t length, int32_t mode, const wend_cell *cells,
                          size_t count);
/// The route of a name; NULL: there is none.
cli_route *cli_route_find(const cli_routes *routes, const char *name, size_t length);
/// The crowd gets a route when the first agent takes it, or before. @return as wend_crowd_add_route()
wend_error cli_route_add(cli_route *route, wend_crowd *crowd);
/// Forget the last one; all.
void cli_routes_drop(cli_routes *routes);
void cli_routes_free(cli_routes *routes);

/// An agent of a world file.
typedef struct cli_world_agent {
    char *name;
    wend_agent_def def;
    int line; ///< of the outermost file; 0: of another one
} cli_world_agent;

/// A line of a script that is served: an order to agents before the first frame.
typedef struct cli_world_order {
    char *text;
    int line;
} cli_world_order;

/// What `limit` lines say of the service. `def.tuning` is set where the definition is used.
typedef struct cli_limits {
    wend_service_def def; ///< struct_bytes 0: no script, so no limits
    wend_tuning tuning;
    int32_t versions; ///< live ones of the map; 0: not given
    uint32_t given;   ///< bits of those that were given: WEND__LIMIT_…
} cli_limits;

/// Was a limit given?
bool cli_limit_given(const cli_limits *limits, int32_t what);
/// Choose the limits that were not given for a map: each lane can hold a complete search, and a path be as long as the
/// map. Lanes and the queue are as they will be.
/// @param spare   room for further paths, in bytes
void cli_limits_complete(cli_limits *limits, const wend_map *map, uint64_t spare);

typedef struct cli_world {
    wend_map *map;
    cli_limits limits;
    wend_map_markers markers;
    wend_tiled *tiled; ///< routes and markers of a Tiled map, else NULL
    char **movers;     ///< names of the map's movers, from mover 1 on
    size_t mover_count;
    wend_link *teleports; ///< of grid text, by their cells; cost 0: the script replaced or removed that one
    size_t teleport_count;
    int32_t default_mover; ///< the mover of the name `default`: 0, or a larger one that was added
    cli_routes routes;
    cli_world_agent *agents; ///< in the order written
    size_t agent_count;
    cli_world_order *orders; ///< in the order written
    size_t order_count;
    uint64_t left_out; ///< lines that only a run does
} cli_world;

/// Load a MAP argument ("-": standard input). Prints what is wrong. @return −1 to go on, else the exit status.
int cli_world_load(const char *path, cli_world *out);
/// The same, for a server: any script of `wend run` will do. Its world is as before its first frame.
int cli_world_load_served(const char *path, cli_world *out);
/// Keep the name of the map's newest mover. @return false where memory ran out
bool cli_world_name_mover(cli_world *world, const char *name, size_t length);
/// The mover of a name, or −1.
int32_t cli_world_mover(const cli_world *world, const char *name, size_t length);
/// Keep an agent. @return false where memory ran out
bool cli_world_add_agent(cli_world *world, const char *name, size_t length, const wend_agent_def *def, int line);
void cli_world_free_agents(cli_world *world);
void cli_world_free(cli_world *world);

/// Change the map's rules; its teleports then cost one straight step of theirs. No batch may be open.
wend_error cli_world_set_rules(cli_world *world, const wend_map_rules *rules);
/// A link is no teleport any more, if it was one: the world's script replaced or removed it.
void cli_world_forget_teleport(cli_world *world, wend_cell from, wend_cell to);

/// The most bytes of a script that are read.
#define CLI_MAX_SCRIPT_BYTES (UINT64_C(1) << 28)
/// The whole of a file or of standard input ("-"), to be freed with free(). Prints what is wrong; NULL then.
/// @param most   bytes that it may have; 0: as its first bytes ask for, which are those of a map or of a script
char *cli_read_file(const char *path, uint64_t most, size_t *size);

#endif
