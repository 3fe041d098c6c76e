/* SPDX-License-Identifier: MIT */
/* MAP arguments: any map file, or a world file, which is a script without requests and frames; and scripts to serve. */
#ifndef WEND_SERVER_RUN_WORLD_H
#define WEND_SERVER_RUN_WORLD_H

#include <stdbool.h>

#include <wend/extra.h>
#include <wend/tuning.h>
#include <wend/wend.h>

#include "world/host.h"

/// Orders of a world file that wait for a crowd, as they were written.
typedef struct host_kept {
    struct host_kept_order {
        wend__order *order;
        int line; ///< of the outermost file; 0: of another one
    } * items;
    size_t count, capacity;
} host_kept;

typedef struct host_world {
    wend_map *map;
    host_limits limits;
    wend_map_markers markers;
    wend_tiled *tiled; ///< routes and markers of a Tiled map, else NULL
    host_movers movers;
    wend_link *teleports; ///< of grid text, by their cells; cost 0: the script replaced or removed that one
    size_t teleport_count;
    host_routes routes;
    host_units units;
    host_kept agents;  ///< orders `agent`, of those that are there at the end of the file
    host_kept orders;  ///< to agents, of a script that is served, before its first frame
    uint64_t left_out; ///< lines that only a run does
} host_world;

/// Load a MAP argument ("-": standard input). Prints what is wrong. @return HOST_DONE, or the exit status.
int host_world_load(const char *path, host_world *out);
/// The same, for a server: any script of `wend run` will do. Its world is as before its first frame.
int host_world_load_served(const char *path, host_world *out);
/// Keep a copy of an order. @return false where memory ran out
bool host_keep(host_kept *kept, const wend__order *order, int line);
void host_kept_free(host_kept *kept);
void host_world_free(host_world *world);

/// Change the map's rules; its teleports then cost one straight step of theirs. No batch may be open.
wend_error host_world_set_rules(host_world *world, const wend_map_rules *rules);
/// A link is no teleport any more, if it was one: the world's script replaced or removed it.
void host_world_forget_teleport(host_world *world, wend_cell from, wend_cell to);

/// The most bytes of a script that are read.
#define HOST_MAX_SCRIPT_BYTES (UINT64_C(1) << 28)
/// Returns the whole of a file or of standard input ("-"), to be freed with free(). Prints what is wrong; NULL then.
/// @param most   bytes that it may have; 0: as its first bytes ask for, which are those of a map or of a script
char *host_read_file(const char *path, uint64_t most, size_t *size);
/// Returns the folder of a file, to be freed; NULL: no memory.
char *host_folder_of(const char *path);

#endif
