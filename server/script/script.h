/* SPDX-License-Identifier: MIT */
/* Scripts for `wend run` and world files. A script is read line by line, and each line runs before the next is read.
 *
 *   server/script/script.c   lines, and errors with their place
 *   server/film/             the film of --animate, the picture of the last frame
 *   server/run/commands.c    what each order does, and where it may stand
 *   server/run/build.c       commands that make the map, its settings and changes, and the data of the fast engine
 *   server/run/load.c        chunks out of files
 *   server/run/graph.c       nodes and edges
 *   server/run/movers.c      kinds of agents
 *   server/run/service.c     limits, requests by name, and what is printed of them
 *   server/run/world.c       world files, and the maps of scripts
 *   server/run/run_*.c       the frames and the agents */
#ifndef WEND_SERVER_SCRIPT_SCRIPT_H
#define WEND_SERVER_SCRIPT_SCRIPT_H

#include <wend/watch.h>

#include <stdbool.h>
#include <stdio.h>

#include "cli/output/messages.h"
#include "world/host.h"
#include "orders/orders.h"

/// How deep world files may be nested; the script itself is not counted.
enum { HOST_MAX_DEPTH = 8 };
/// Highest node of a script's graph: it takes about 5 bytes for each number up to it.
enum { HOST_MAX_NODE = (1 << 27) - 1 };
/// The budget of a frame where neither --budget nor budget= is given.
#define HOST_DEFAULT_BUDGET 20000

/// A word of a line.
typedef wend__span host_word;

/// Options of the command line, which win over the script. Zero lanes and slice: not given.
typedef struct host_trial host_trial;
struct host_script;

typedef struct host_run_options {
    uint64_t lanes, slice, budget, workers;
    int32_t engine; ///< WEND_ENGINE_...
    uint64_t landmarks;
    FILE *out;
    int32_t picture;          ///< of the last frame: WEND_PICTURE_…; 0: none
    const char *picture_file; ///< NULL: standard output
    bool hash;                ///< print a hash over all completions at the end
    const char *film_file;    ///< of --animate; NULL: none
    const char *record_file;  ///< of --record; NULL: none
    /* Limits for untrusted scripts (the fuzzer); zero: none. */
    uint64_t most_cells, most_frames, most_bytes;
    bool no_files; ///< `map` may open no file
    bool serves;   ///< for `wend serve`: what only a run does is left out
    /// Takes a line that is left out, as well as all that is about the service; NULL: none.
    /// @return HOST_DONE, or the exit status after a message
    int (*left_out)(void *context, struct host_script *script, wend_order *order);
    void *context;
    struct host_trial *trial; ///< of wend plan; NULL: none
} host_run_options;

/// Moments of a trial: before and after the tick, before and after the crowd's step, and the script's end.
typedef enum host_moment { HOST_BEGINS, HOST_TICKED, HOST_STEPS, HOST_STEPPED, HOST_ENDS } host_moment;

/// A run that is measured: the script's lines, but with this service and budget. Prints nothing, expects nothing.
struct host_trial {
    wend_service_def service; ///< in place of all limits of the script
    uint64_t budget;          ///< expansions of each frame, in place of all that frames say
    /// @return false: end the run now
    bool (*watch)(void *context, host_moment moment, const wend_service *service, const wend_frame *frame);
    void *context;
    wend_crowd_def crowd; ///< receives that of the script's crowd
    size_t crowd_bytes;
};

/// A graph that the script defines. Its map is made at the word `graph`: lines up to the first frame are read ahead
/// for it.
typedef struct host_graph {
    uint8_t
        *known; ///< by node: 0 no such node, 1 in a later line, 2 in a line already read. NULL: no graph of the script
    uint64_t count; ///< highest node + 1
    int line, end;  ///< line of `graph`; line of the first frame, or one past the last line
    bool empty;     ///< no nodes; its map has one that no line can name
} host_graph;

/// A setting `cost`: its third number can be checked only when the neighbours are known.
typedef struct host_costs {
    int line; ///< 0: not given
    size_t column;
    uint64_t diagonal, space, most; ///< D; the third number, or 0; its highest value
} host_costs;

typedef struct host_name host_name;

/// Names of requests: open addressing, a power of two.
typedef struct host_names {
    host_name **items;
    size_t count, capacity;
} host_names;

/// A path that was delivered, kept for the picture of the last frame.
typedef struct host_trail {
    wend_cell *cells;
    size_t count;
} host_trail;

/// This many of the last paths are in the picture.
enum { HOST_MAX_TRAILS = 64 };

/// The file out of which the last chunk was loaded: mostly the next one is in it, too.
typedef struct host_land_file {
    char *path;
    wend_map *map;
} host_land_file;

typedef struct host_script {
    const char *file; ///< "-": standard input
    const char *text;
    size_t size, next;
    int32_t depth; ///< 0, or how many scripts this world file stands in
    bool world;    ///< it is not run: it builds a map, with limits, routes and agents
    bool begun;    ///< of a world that is served: the first frame was read, and lines from there on are left out
    const host_run_options *options;

    int line;
    wend__order_reader reader; ///< has the line's words

    host_world built;
    host_land_file land_file;
    int32_t kind, width, height, layers;
    uint64_t cells;
    host_graph graph;
    host_costs costs;
    size_t unnamed;   ///< the first mover that was added before its line was read, once requested
    bool quiet;       ///< reading ahead: errors are not printed
    bool starved;     ///< memory ran out
    size_t here;      ///< start of the line from which lines are read ahead
    bool changed;     ///< a set, request or frame was read: settings may not change any more
    bool stepped;     ///< a step was read: the neighbours may not change any more
    bool accelerated; ///< the script has when the fast engine's data is made
    bool requested;   ///< a request or agent was read: the default mover may not change any more
    int limits_end;   ///< the last line whose limit was read before the service was made, or 0

    bool recorded;                ///< a recording: nothing happens but what its lines say
    host_record record;           ///< of --record
    struct host_during *during;   ///< lines inside the next frame; NULL: there never were any
    bool during_open;             ///< lines are kept until the next command that runs frames
    size_t during_place;          ///< to which they belong
    struct host_maps *maps;       ///< the recording of several maps that this script is one of; NULL: none
    uint64_t completed, hash;     ///< of --hash
    uint64_t positions;           ///< of --hash: over all positions of agents
    wend_service *service;        ///< made by the first request
    uint64_t frames;              ///< number of the last frame run
    uint64_t first_epoch;         ///< the map's number of the script's epoch 0
    bool ending;                  ///< the script has ended: completions are cancellations
    uint64_t pending;             ///< requests of the script's, without those of its agents
    uint64_t cancelled;           ///< requests that were pending at the script's end
    host host;                    ///< its agents; its crowd is made by the first one
    bool crowd_ended;             ///< only REPLACED is printed
    struct host_watches *watches; ///< made by the first watch
    int32_t has_watch;            ///< 1: some line watches a path, 2: none does, 0: not looked
    struct film *film;            ///< made where --animate is given
    bool failed;                  ///< nothing more is printed
    host_trail trails[HOST_MAX_TRAILS];
    uint64_t trail_count; ///< of all; the newest is at trail_count - 1 modulo the room
    host_names names;     ///< of requests
} host_script;

/* Every function that returns int: HOST_DONE, or the exit status after a message. */

/// A script over `text`, which must outlive it. `options` too.
void host_script_init(host_script *script, const char *file, const char *text, size_t size,
                      const host_run_options *options);
/// Run the line that begins at a place of the text, and go on where the script was.
int host_script_line_at(host_script *script, size_t place, int line);
/// Run the next line. False at the end of the text, and where *status is not HOST_DONE.
bool host_script_run_line(host_script *script, int *status);
/// Run it to its end; print what is pending then.
int host_script_run(host_script *script);
/// Free everything except the map in `built`, which belongs to the caller.
void host_script_free(host_script *script);

/* script.c */

/// Read the next line's words. False at the end of the text, and after an error (*status then).
bool host_script_next_line(host_script *script, int *status);
/// "file:line:column: ...", and nothing more is printed from now on. Returns HOST_BAD_INPUT.
int host_script_fail(host_script *script, size_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));
int host_script_no_memory(host_script *script);

/// Where lines are read ahead from.
typedef struct host_place {
    size_t next;
    int line;
    wend__order_reader reader;
} host_place;
/// Begin to read ahead: errors are not printed.
host_place host_script_mark(host_script *script);
/// Go back to the line. @return false where memory ran out
bool host_script_return(host_script *script, host_place *place);

/// Read the line's words as an order.
int host_script_read(host_script *script, wend_order *out);
/// Returns the word of a member of an order; the text of a name of it.
host_word host_said(const host_script *script, const wend_order *order, const void *member);
host_word host_named(const host_script *script, const wend_order *order, const wend_name *name);
/// The host has refused an order: say why, at the word that is wrong.
int host_script_refused(host_script *script, const wend_order *order, const host_error *error);

bool host_word_is(host_word word, const char *text);

/// Does an order.
typedef int host_act(host_script *script, wend_order *order);
extern host_act *const host_acts[WEND_ORDER_KINDS];

/* load.c */

host_act host_act_load;
void host_land_file_free(host_land_file *file);

/* build.c */

host_act host_act_map;
host_act host_act_grid;
host_act host_act_neighbours, host_act_corners;
host_act host_act_cost;
/// Check that the costs are complete for the number of neighbours, when no more settings can come.
int host_script_check_costs(host_script *script);
void host_script_rules(const host_script *script, wend_map_rules *out);
void host_script_take_size(host_script *script);

/* graph.c */

host_act host_act_graph;
host_act host_act_node;
host_act host_act_edge;

/* movers.c */

host_act host_act_mover;
/// Add the movers of all later lines. Called once, before the first request.
int host_script_movers_ahead(host_script *script);

host_act host_act_change;
/// Publish all edits as one version.
int host_script_publish(host_script *script);

host_act host_act_accelerate;
/// Before the first frame: make jump tables and landmarks, unless a line of the script, read or not, has when.
int host_script_accelerate_first(host_script *script);

/* service.c */

/// Fill a request from what a line says of it: movers, defaults of the command line, graphs.
int host_script_request(host_script *script, wend_order *order);

/// The request that an order is about.
int host_request_find(host_script *script, const wend_order *order, host_name **out);
/// Takes the completion of a request, as its callback.
void host_script_done(void *context, const wend_completion *done);
host_act host_act_limit;
host_act host_act_request;
host_act host_act_cancel;
host_act host_act_urgency;
host_act host_act_goal;
host_act host_act_publish;
host_act host_act_expect;
/// Before the first request or agent: all movers, and the service by the limits so far.
int host_script_make_service(host_script *script);
/// Cancel what is pending, and print it unless the script failed.
void host_script_end_service(host_script *script);

/* run_*.c: frames and agents. */

/// Any order that host_take() does.
host_act host_act_host;
host_act host_act_agent, host_act_clear, host_act_remove, host_act_positions, host_act_wanted, host_act_walk,
    host_act_crowd;
host_act host_act_disband, host_act_update;
host_act host_act_recording, host_act_during, host_act_maintain, host_act_close;

/// A request was answered: its path is kept where a line watches one.
void host_watch_keep(host_name *name, const wend_completion *done);
void host_watch_end(host_script *script);
host_act host_act_watch;
host_act host_act_frame;
host_act host_act_drain;
/// A moment for the trial, if there is one. @return false: the run is over
bool host_trial_goes_on(const host_script *script, host_moment moment, const wend_frame *frame);
/// Returns whether the line that was read belongs inside the next frame, and is kept.
bool host_during_takes(const host_script *script);
int host_during_keep(host_script *script);
/// In the callback of a request: the lines that belong there.
void host_during_callback(const host_name *name);
void host_during_free(host_script *script);
/// The script is over: what is completed from now on is cancelled.
void host_script_begin_end(host_script *script);
/// Returns whether a text begins as file 0 of a recording, which has how the scripts of several maps take turns.
bool host_maps_begins(const char *text, size_t size);
/// Run them to their end. The options must ask for no picture, film or recording.
int host_maps_run(const char *path, const char *text, size_t size, const host_run_options *options);
/// Returns the service of the recording's other maps, if the script is one of several and it is there.
bool host_maps_take_service(host_script *script);
/// Returns the script that counts completions and has their hash.
host_script *host_maps_tally(host_script *script);
/// At the script's end: is a recording whole?
int host_recording_check_end(host_script *script);
/// Count a completion for --hash, and print the hash at the script's end.
void host_recording_completed(host_script *script, const wend_completion *done);
void host_recording_print_hash(const host_script *script);
/// Add the agents of the world file that is the map, before the first line that could meet them.
int host_world_agents_begin(host_script *script);
/// The end of a world file: its agents are listed with the world.
int host_world_agents_end(host_script *script);
/// Remove all agents, without events. The service goes on.
void host_script_crowd_end(host_script *script);
/* film.c: the film of --animate; without it nothing happens. */

/// Before the first frame and the first agent.
int host_film_begin(host_script *script);
/// An agent was added; an agent is about to be removed; a frame was run.
void host_film_add(host_script *script, host_agent *agent);
void host_film_remove(host_script *script, const host_agent *agent);
void host_film_frame(host_script *script);
/// An edit is published; the script has ended.
void host_film_edit(host_script *script, const wend_change_item *edit);
int host_film_write(host_script *script);
void host_film_free(host_script *script);

/* picture.c */

/// Keep a delivered path, where a picture is asked for.
void host_script_keep_trail(host_script *script, const wend_completion *done);
/// Draw the map after the last frame, where a picture is asked for: units, the last paths, and what is pending.
int host_script_draw(host_script *script);
void host_trails_free(host_script *script);

/// A request by its name.
struct host_name {
    host_script *script;
    wend_ticket ticket; ///< ticket of its latest request
    uint64_t submitted; ///< the last frame before it
    bool pending;
    wend_cell start, goal; ///< of the latest request
    wend_status status;    ///< of the latest completion, for `expect`
    wend_error refused;    ///< WEND_OK, or why the latest request was refused
    int64_t cost;          ///< of the latest completion
    host_trail path;       ///< of the latest completion, where the script watches any; freed with the script
    int32_t mover;         ///< of the latest request
    wend_watch_id watch;
    struct host_name *next_watched; ///< in the order of watching
    bool watched;
    size_t length;
    char text[]; ///< ends with a zero
};

void host_names_free(host_names *names);

/* world.c */

/// Returns a name relative to the folder of a file, to be freed; NULL: no memory.
char *host_path_beside(const char *path, host_word file);
/// Load a MAP argument for a server: any script of `wend run` will do. Its world is as before its first frame.
int host_world_load_served(const char *path, host_world *out);
/// Load what stands behind `map FILE`, seen from the script's own folder.
int host_world_load_from(host_script *script, host_word file);

#endif
