/* SPDX-License-Identifier: MIT */
/* MAP arguments: any map file, or a world file, which is a script without requests and frames. They contain the map,
 * and its agents at the beginning.
 *
 *   world.c     map files of all formats, and their teleports
 *   file.c      files as a whole
 *   contents.c  names of movers, routes, units, orders that wait for a crowd
 *   chunk.c     a chunk's file, and the changes that load it
 *   limits.c    limits of a service without a value, and its memory
 *   engine.c    jump tables and landmarks */
#ifndef WEND_SRC_CLI_WORLD_WORLD_H
#define WEND_SRC_CLI_WORLD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <wend/extra.h>
#include <wend/layers.h>
#include <wend/service_tuning.h>
#include <wend/wend.h>
#include <wend/ways.h>

#include "orders/orders.h"

/// The values of an option that may be given several times.
typedef struct cli_list {
    const char *items[64];
    size_t count;
} cli_list;

/// How map files are read, as the options of the command say.
typedef struct cli_reading_options {
    bool strict;
    bool anywhere;       ///< files that a Tiled map names may be outside its folder
    cli_list blocked;    ///< characters that block; none: the common names
    bool scene;          ///< data for drawing by Tiled is kept, too
    const char *letters; ///< of MovingAI maps, as E=.,S=.; NULL: as the format has them
} cli_reading_options;
extern cli_reading_options cli_reading;

/// Fills a table of bytes from E=.,S=. @return false: the text has another form
bool cli_letters_read(const char *text, char table[256]);
#define CLI_LETTERS_FORM "letters are given as E=.,S=W, each read as one of . G @ O T S W; not '%s'"

/* ---- movers ---- */

/// Names of a map's movers, from mover 1 on. Movers that orders with `avoid` made have none.
typedef struct cli_movers {
    char **names;
    size_t count;
    int32_t standard; ///< the mover named `default`: 0, or a larger added one
} cli_movers;

/// Keeps the name of the map's newest mover. @return false: no memory
bool cli_movers_add(cli_movers *movers, int32_t mover, const char *name, size_t length);
/// Returns the name of a mover; NULL: it has none.
const char *cli_movers_name(const cli_movers *movers, int32_t mover);
/// Returns the mover of a name; -1: there is none.
int32_t cli_movers_find(const cli_movers *movers, const char *name, size_t length);
void cli_movers_free(cli_movers *movers);

/* ---- layers ---- */

/// Names of a map's layers.
typedef struct cli_layers {
    char *names[WEND_MAX_LAYERS];
    uint64_t walls; ///< a bit for each layer of walls that orders add
    uint32_t count;
} cli_layers;

/// Keeps the name of the next layer; there is room for it. @return false: no memory
bool cli_layers_add(cli_layers *layers, const char *name, size_t length);
/// Returns the layer of a name; -1: there is none.
int32_t cli_layers_find(const cli_layers *layers, const char *name, size_t length);
/// Takes back the name that was kept last.
void cli_layers_drop(cli_layers *layers);
/// Adds the names of others. @return false: no memory
bool cli_layers_copy(cli_layers *to, const cli_layers *from);
void cli_layers_free(cli_layers *layers);

/* ---- routes ---- */

/// A pre-set path by its corners.
typedef struct cli_route {
    char *name;
    int32_t mode; ///< WEND_ROUTE_…
    wend_cell *cells;
    size_t count;
    bool coming; ///< its order was checked, and will be done
    bool added;  ///< the crowd has it, by this number
    uint32_t number;
} cli_route;

typedef struct cli_routes {
    cli_route *items;
    size_t count;
} cli_routes;

/// Keeps a route. @return NULL: no memory
cli_route *cli_route_keep(cli_routes *routes, const char *name, size_t length, int32_t mode, const wend_cell *cells,
                          size_t count);
/// Returns the route of a name; NULL: there is none.
cli_route *cli_route_find(const cli_routes *routes, const char *name, size_t length);
/// Takes back the route that was kept last.
void cli_route_drop(cli_routes *routes);
void cli_routes_free(cli_routes *routes);

/* ---- units ---- */

/// Units that orders put on cells, without agents.
typedef struct cli_units {
    struct cli_unit {
        wend_cell cell;
        uint32_t count, will; ///< number of units now; and after all checked orders
        bool used;
    } * places;
    size_t used, capacity;
} cli_units;

void cli_units_free(cli_units *units);

/* ---- limits ---- */

/// The service's limits of `limit` lines. `def.tuning` is set where the definition is used.
typedef struct cli_limits {
    wend_service_def def; ///< struct_bytes 0: no script, so no limits
    wend_service_tuning tuning;
    int32_t versions; ///< live ones of the map; 0: not given
    uint32_t given;   ///< bits of the given ones: WEND__LIMIT_…
} cli_limits;

void cli_limits_apply(cli_limits *limits, const wend_order *order);
bool cli_limit_given(const cli_limits *limits, int32_t what);
/// Chooses the limits that were not given for a map: each lane can hold a complete search, and a path be as long as the
/// map. Lanes and the queue have their final values.
/// @param spare   room for further paths, in bytes
void cli_limits_complete(cli_limits *limits, const wend_map *map, uint64_t spare);

/// Returns the records for a complete search of a map without costs by place, in the largest form of a record.
uint64_t cli_search_nodes(const wend_map_info *info);
/// Returns an allocator for services and crowds, which allocate all at once, by default for a complete search of the
/// map a lane, and touch little of it: large blocks are mapped without a reservation.
wend_allocator cli_lazy_allocator(void);

/* ---- the data of the engines ---- */

/// Value of wend_service_tuning.prefault: services of up to 256 MiB have all their memory touched at creation.
uint32_t cli_prefault(const wend_service_def *def);
wend_map_rules cli_map_rules(const wend_map *map);
/// Makes jump tables and landmarks, where the engine can use them, and a far layer. Called once the rules are set.
/// @param far   as wend_acceleration has it; 1: also where there are no tables
/// @return CLI_DONE, or the exit status after a message
int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks, int32_t far);
/// Prune jump tables, repair far layers and landmarks after edits. Called between frames.
/// @return CLI_DONE, or the exit status
int cli_engine_upkeep(wend_map *map);
/// Returns the name of an engine in JSON.
const char *cli_engine_name(int32_t engine);

/* ---- chunks ---- */

static inline int32_t cli_least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

enum { CLI_PATH_BYTES = 4096 };

/// The name of a chunk's file in a folder: CX,CY.wend. @return false: it is too long
bool cli_chunk_path(const char *folder, wend_cell chunk, char out[CLI_PATH_BYTES]);
/// The chunk's cells, as far as they are on the map.
wend_box cli_chunk_box(const wend_map *map, wend_cell chunk);
/// Writes a chunk's terrain to a file, as a baked map of the chunk's size.
/// @param from   a flat grid
wend_error cli_chunk_write(const wend_map *from, wend_cell chunk, const char *path, wend_file_error *where);
/// Fills a list with a load of a chunk, and a fill for each run of its cells in a row that are of one class and not
/// blocked. To be freed with free().
/// @param from    a flat map that has the chunk's cells, as far as they are on the world's map
/// @param first   the chunk's first cell there
/// @return how many changes; 0: no memory
size_t cli_chunk_changes(const wend_map *from, wend_cell first, wend_cell chunk, wend_change_item **out);

/* ---- worlds ---- */

/// Orders of a world file that wait for a crowd, as they were written.
typedef struct cli_kept {
    struct cli_kept_order {
        wend_order *order;
        int line; ///< line of the outermost file; 0: of another file
    } * items;
    size_t count, capacity;
} cli_kept;

typedef struct cli_world {
    wend_map *map;
    cli_limits limits;
    wend_map_markers markers;
    wend_tiled *tiled;  ///< routes and markers of a Tiled map, else NULL
    char *tiled_folder; ///< folder of that map's file
    cli_movers movers;
    cli_layers layers;
    wend_link *teleports; ///< teleports of grid text, by their cells; cost 0: the script replaced or removed that one
    size_t teleport_count;
    cli_routes routes;
    cli_units units;
    cli_kept agents;   ///< orders `agent`, of the agents at the end of the file
    cli_kept orders;   ///< orders to agents, of a script that is served, before its first frame
    uint64_t left_out; ///< lines that only a run executes
} cli_world;

/// World files are scripts, which the package `server` reads. A build without it refuses them.
struct script_options;
typedef struct cli_world_files {
    /// Reads a world file. Prints errors. @return CLI_DONE, or the exit status
    int (*load)(const char *path, const char *bytes, size_t size, int32_t depth, const struct script_options *options,
                cli_world *out);
} cli_world_files;
extern const cli_world_files cli_world_files_read;

/// Loads a MAP argument ("-": standard input). Prints errors. @return CLI_DONE, or the exit status.
int cli_world_load(const char *path, cli_world *out);
/// Loads a map, or a world file nested to this depth in others. Prints errors.
/// @return CLI_DONE, or the exit status
int cli_world_parse(const char *path, const char *bytes, size_t size, int32_t depth,
                    const struct script_options *options, cli_world *out);
/// Keeps a copy of an order. @return false where memory ran out
bool cli_keep_order(cli_kept *kept, const wend_order *order, int line);
void cli_kept_free(cli_kept *kept);
void cli_world_free(cli_world *world);

/// Lets cells be read and printed as Tiled numbers them, where the world is an infinite map of Tiled.
void cli_world_number_cells(const cli_world *world);

/// Changes the map's rules; its teleports then cost one straight step of theirs. No batch may be open.
wend_error cli_world_set_rules(cli_world *world, const wend_map_rules *rules);
/// Records that a link is no teleport any more, if it was one: the world's script replaced or removed it.
void cli_world_forget_teleport(cli_world *world, wend_cell from, wend_cell to);

/// The most bytes of a script that are read.
#define CLI_MAX_SCRIPT_BYTES (UINT64_C(1) << 28)
/// Returns whether the first word of a text is a command of scripts.
bool cli_script_begins(const char *text, size_t size);
/// Returns whether it begins like JSON or XML, as no other map file does.
bool cli_looks_tiled(const char *bytes, size_t size);
/// Returns the whole of a file or of standard input ("-"), to be freed with free(). Prints errors; NULL then.
/// @param most   bytes that it may have; 0: the limit follows from its first bytes, those of a map or of a script
char *cli_read_file(const char *path, uint64_t most, size_t *size);
/// The same, but prints nothing. @param why   receives the error
char *cli_read_map(const char *path, size_t *size, char why[80]);
/// Returns the folder of a file, to be freed; NULL: no memory.
char *cli_folder_of(const char *path);

#endif
