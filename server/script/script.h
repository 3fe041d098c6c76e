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
 *   server/run/run_*.c       the frames and the agents; saves */
#ifndef WEND_SERVER_SCRIPT_SCRIPT_H
#define WEND_SERVER_SCRIPT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/output/messages.h"
#include "world/world.h"
#include "orders/orders.h"

/// Most levels of nested world files; the script itself is not counted.
enum { SCRIPT_MAX_DEPTH = 8 };
/// The budget of a frame without --budget and budget=.
#define SCRIPT_DEFAULT_BUDGET 20000

/// A word of a line.
typedef wend__span script_word;

/// Options of the command line, which win over the script. Zero lanes and slice: not given.
typedef struct script_trial script_trial;
struct script_state;

typedef struct script_options {
    uint64_t lanes, slice, budget, workers;
    int32_t engine; ///< WEND_ENGINE_...
    uint64_t landmarks;
    FILE *out;
    int32_t picture;          ///< picture of the last frame: WEND_PICTURE_…; 0: none
    const char *picture_file; ///< NULL: standard output
    bool hash;                ///< print a hash over all completions at the end
    const char *film_file;    ///< file of --animate; NULL: none
    const char *record_file;  ///< file of --record; NULL: none
    uint64_t record_from;     ///< frame behind which the recording begins; 0: it begins with the service
    /* Limits for untrusted scripts (the fuzzer); zero: none. */
    uint64_t most_cells, most_frames, most_bytes;
    bool no_files; ///< `map` may open no file
    bool serves;   ///< for `wend serve`: lines that only a run executes are left out
    /// Takes a line that is left out, and all lines about the service; NULL: none.
    /// @return CLI_DONE, or the exit status after a message
    int (*left_out)(void *context, struct script_state *script, wend_order *order);
    void *context;
    struct script_trial *trial;                                      ///< trial of wend plan; NULL: none
    bool hash_frames;                                                ///< print a hash after each frame
    void (*before_hash)(void *watcher, struct script_state *script); ///< called before each; NULL: nothing
    /// Takes the hash after each frame; false: the run ends. NULL: no callback.
    bool (*after_frame)(void *watcher, const struct script_state *script, uint64_t hash);
    void *watcher;
} script_options;

/// Moments of a trial: before and after the tick, before and after the crowd's step, and the script's end.
typedef enum script_moment { SCRIPT_BEGINS, SCRIPT_TICKED, SCRIPT_STEPS, SCRIPT_STEPPED, SCRIPT_ENDS } script_moment;

/// A run that is measured: the script's lines, but with this service and budget. Prints nothing, expects nothing.
struct script_trial {
    wend_service_def service; ///< in place of all limits of the script
    uint64_t budget;          ///< expansions of each frame, in place of all budgets of frames
    /// @return false: end the run now
    bool (*watch)(void *context, script_moment moment, const wend_service *service, const wend_frame *frame);
    void *context;
    wend_crowd_def crowd; ///< receives the definition of the script's crowd
    size_t crowd_bytes;
};

/// A graph that the script defines. Its map is made at the word `graph`: lines up to the first frame or `publish` are
/// read ahead for it.
typedef struct script_graph {
    uint8_t
        *known; ///< by node: 0 no such node, 1 in a later line, 2 in a line already read. NULL: no graph of the script
    uint64_t count; ///< highest node + 1
    int line, end;  ///< line of `graph`; that of the first edit is behind it; INT_MAX: none is
    bool empty;     ///< no nodes; its map has a nameless one
} script_graph;

/// A setting `cost`: its third number can be checked only when the neighbours are known.
typedef struct script_costs {
    int line; ///< 0: not given
    size_t column;
    uint64_t diagonal, space, most; ///< D; the third number, or 0; its highest value
} script_costs;

typedef struct script_name script_name;

/// Names of requests: open addressing, a power of two.
typedef struct script_names {
    script_name **items;
    size_t count, capacity;
} script_names;

/// A path that was delivered, kept for the picture of the last frame.
typedef struct script_trail {
    wend_cell *cells;
    size_t count;
} script_trail;

/// most paths in the picture
enum { SCRIPT_MAX_TRAILS = 64 };

/// The file of the last loaded chunk: mostly the next chunk is in it, too.
typedef struct script_land_file {
    char *path;
    wend_map *map;
} script_land_file;

/// The data of the fast engine that was made, for a restored map.
typedef struct script_prepared {
    bool first;         ///< before the first frame, by default
    int32_t engine;     ///< engine of that data, WEND_ENGINE_…
    uint64_t landmarks; ///< number of its landmarks
    uint64_t movers;    ///< a bit for each mover with a line that made some, the last time with `of`
    wend_acceleration of[WEND_MAX_MOVERS];
} script_prepared;

typedef struct script_state {
    const char *file; ///< "-": standard input
    const char *text;
    size_t size, next;
    int32_t depth; ///< 0, or how many scripts this world file stands in
    bool is_world; ///< a world file is not run: it builds a map, with limits, routes and agents
    bool begun;    ///< for a served world: the first frame was read, and lines from there on are left out
    const script_options *options;

    int line;
    wend__order_reader reader; ///< has the line's words

    cli_world built;
    script_land_file land_file;
    int32_t kind, width, height, layers;
    uint64_t cells;
    script_graph graph;
    script_costs costs;
    bool quiet;       ///< reading ahead: errors are not printed
    bool starved;     ///< memory ran out
    size_t here;      ///< start of the line from which lines are read ahead
    bool changed;     ///< a set, request or frame was read: settings may not change any more
    bool stepped;     ///< a step was read: the neighbours may not change any more
    bool accelerated; ///< a line of the script makes the fast engine's data
    bool requested;   ///< a request or agent was read: the default mover may not change any more
    int limits_end;   ///< the last line with a limit read before the service was made, or 0

    bool recorded;                  ///< a recording: only its lines have effects
    world_recording record;         ///< recording of --record
    struct script_saves *saves;     ///< saves from which a recording continues; NULL: none
    struct script_during *during;   ///< lines inside the next frame; NULL: there never were any
    bool during_open;               ///< lines are kept until the next command that runs frames
    size_t during_place;            ///< place of these lines
    struct script_maps *maps;       ///< the recording of several maps that contains this script; NULL: none
    uint64_t completed, hash;       ///< hash of --hash
    uint64_t positions;             ///< with --hash: hash of all positions of agents
    uint64_t crowd_epoch;           ///< epoch of the map at the last update of the crowd
    wend_service *service;          ///< made by the first request
    uint64_t frames;                ///< number of the last frame run
    uint64_t first_epoch;           ///< the map's number for the script's epoch 0
    bool ending;                    ///< the script has ended: completions are cancellations
    uint64_t pending;               ///< requests of the script's, without those of its agents
    uint64_t cancelled;             ///< requests that were pending at the script's end
    world_state world;              ///< its agents; its crowd is made by the first one
    bool crowd_ended;               ///< only REPLACED is printed
    struct script_watches *watches; ///< made by the first watch
    int32_t has_watch;              ///< 1: some line watches a path, 2: none does, 0: not looked
    struct film *film;              ///< made where --animate is given
    bool failed;                    ///< nothing more is printed
    script_trail trails[SCRIPT_MAX_TRAILS];
    uint64_t trail_count; ///< number of all paths; the newest is at trail_count - 1 modulo the room
    script_names names;   ///< names of requests
    cli_kept nearest;     ///< orders that the next frame answers
    script_prepared prepared;
    wend_crowd_def crowd_def; ///< definition of the crowd, if there is one; the next field is its tuning
    wend_crowd_tuning crowd_tuning;
} script_state;

/* Every function that returns int: CLI_DONE, or the exit status after a message. */

/// Initializes a script over `text` and `options`, which must outlive it.
void script_init(script_state *script, const char *file, const char *text, size_t size, const script_options *options);
/// Gives the script no map, and an empty world. The previous contents were freed.
void script_begin_world(script_state *script);
/// Runs the line that begins at a place of the text, and returns to the previous place.
int script_line_at(script_state *script, size_t place, int line);
/// Runs the next line. Returns false at the end of the text, and if *status is not CLI_DONE.
bool script_run_line(script_state *script, int *status);
/// Runs it to its end; then prints what is pending.
int script_run(script_state *script);
/// Frees everything except the map in `built`, which belongs to the caller.
void script_free(script_state *script);

/* script.c */

/// Reads the next line's words. Returns false at the end of the text, and after an error (*status then).
bool script_next_line(script_state *script, int *status);
/// "file:line:column: ...", and nothing more is printed from now on. Returns CLI_BAD_INPUT.
int script_fail(script_state *script, size_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));
int script_no_memory(script_state *script);

/// The position from which lines are read ahead.
typedef struct script_place {
    size_t next;
    int line;
    wend__order_reader reader;
} script_place;
/// Begins to read ahead: errors are not printed.
script_place script_mark(script_state *script);
/// Goes back to the line. @return false if memory ran out
bool script_return(script_state *script, script_place *place);

/// Reads the line's words as an order.
int script_read(script_state *script, wend_order *out);
/// Returns the word of a member of an order; the text of a name in it.
script_word script_word_of(const script_state *script, const wend_order *order, const void *member);
script_word script_name_of(const script_state *script, const wend_order *order, const wend_name *name);
/// Reports why the world refused an order, at the wrong word.
int script_refused(script_state *script, const wend_order *order, const world_error *error);

bool script_word_is(script_word word, const char *text);

/// Executes an order.
typedef int script_act(script_state *script, wend_order *order);
extern script_act *const script_acts[WEND_ORDER_KINDS];

/* load.c */

script_act script_act_load;
void script_land_file_free(script_land_file *file);

/* build.c */

script_act script_act_map;
script_act script_act_grid;
script_act script_act_neighbours, script_act_corners;
script_act script_act_cost;
/// Checks that the costs are complete for the number of neighbours, when no more settings can come.
int script_check_costs(script_state *script);
void script_rules(const script_state *script, wend_map_rules *out);
void script_read_size(script_state *script);

/* graph.c */

script_act script_act_graph;
script_act script_act_node;
script_act script_act_edge;

/* movers.c */

script_act script_act_mover;

script_act script_act_change;
/// Publish all edits as one version.
int script_publish(script_state *script);

script_act script_act_accelerate;
/// Before the first frame: makes jump tables and landmarks, unless a line of the script, read or not, decides when.
int script_accelerate_first(script_state *script);
/// Makes the data named in a save again.
int script_accelerate_again(script_state *script);

/* service.c */

/// Fills a request from a line: movers, defaults of the command line, graphs.
int script_request(script_state *script, wend_order *order);

/// Finds the request that an order names.
int script_request_find(script_state *script, const wend_order *order, script_name **out);
/// Handles the completion of a request, as its callback.
void script_done(void *context, const wend_completion *done);
script_act script_act_limit;
script_act script_act_request;
script_act script_act_cancel;
script_act script_act_urgency;
script_act script_act_goal;
/// WEND_OUT_OF_RANGE as out_of_range. @return `out`
enum { SCRIPT_REFUSAL_BYTES = 32 };
const char *script_refusal_name(wend_error error, char out[SCRIPT_REFUSAL_BYTES]);
script_act script_act_nearest;
script_act script_act_publish;
script_act script_act_expect;
/// Before the first request or agent: adds all movers, and creates the service by the limits so far.
int script_make_service(script_state *script);
/// Create the service by the script's limits.
int script_create_service(script_state *script);
/// Cancels what is pending, and prints it unless the script failed.
void script_end_service(script_state *script);

/* run_*.c: frames and agents. */

/// Executes any order of world_check_and_do().
script_act script_act_world;
script_act script_act_agent, script_act_clear, script_act_remove, script_act_positions, script_act_bodies,
    script_act_jams, script_act_wanted, script_act_walk, script_act_crowd;
script_act script_act_disband, script_act_update;
script_act script_act_recording, script_act_during, script_act_maintain, script_act_close;
script_act script_act_save, script_act_restore, script_act_state;
script_act script_act_mark, script_act_rewind;
/// Before the first line: if a line marks, puts the world's memory into an arena. One script of a process at a time.
int script_marks_begin(script_state *script);
/// Called when the world is freed.
void script_marks_end(void);

void script_saves_free(script_state *script);
struct saved;
/// Saves the world in memory, unless something forbids it.
void script_save(script_state *script, struct saved *to);
/// Continues from a save in memory, after its head was checked; the script's world is freed. @return false: see `why`
bool script_restore(script_state *script, struct saved *from);

/// Keeps the path of an answered request if a line watches it.
void script_watch_keep(script_name *name, const wend_completion *done);
void script_watch_end(script_state *script);
script_act script_act_watch;
script_act script_act_frame;
script_act script_act_drain;
/// Reports a moment to the trial, if there is one. @return false: the run is over
bool script_trial_goes_on(const script_state *script, script_moment moment, const wend_frame *frame);
/// Returns whether the line that was read belongs inside the next frame, and is kept.
bool script_during_takes(const script_state *script);
int script_during_keep(script_state *script);
/// In the callback of a request: runs the lines of that place.
void script_during_callback(const script_name *name);
void script_during_free(script_state *script);
/// Ends the script: later completions count as cancelled.
void script_begin_end(script_state *script);
/// Returns whether a text begins as file 0 of a recording, which has the turns of the scripts of several maps.
bool script_maps_begins(const char *text, size_t size);
/// Runs them to their end. The options must request no picture, film or recording.
int script_maps_run(const char *path, const char *text, size_t size, const script_options *options);
/// Shares the service of the recording's other maps, if the script is one of several. Returns whether it exists.
bool script_maps_share_service(script_state *script);
/// Returns the script that counts completions and has their hash.
script_state *script_maps_tally(script_state *script);
/// At the script's end: checks that a recording is whole.
int script_recording_check_end(script_state *script);
/// Counts a completion for --hash, and prints the hash at the script's end.
void script_recording_completed(script_state *script, const wend_completion *done);
void script_recording_print_hash(const script_state *script);
/// Adds the agents of the map's world file, before the first line that could meet them.
int script_agents_begin(script_state *script);
/// The end of a world file: its agents are listed with the world.
int script_agents_end(script_state *script);
/// Removes all agents, without events. The service goes on.
void script_crowd_end(script_state *script);
/* film.c: the film of --animate; without it nothing happens. */

/// Before the first frame and the first agent.
int script_film_begin(script_state *script);
/// Records that an agent was added; that one is about to be removed; that a frame was run.
void script_film_add(script_state *script, world_agent *agent);
void script_film_remove(script_state *script, const world_agent *agent);
void script_film_frame(script_state *script);
/// Records that an edit is published; that the script has ended.
void script_film_edit(script_state *script, const wend_change_item *edit);
int script_film_write(script_state *script);
void script_film_free(script_state *script);

/* picture.c */

/// Keeps a delivered path, if a picture is requested.
void script_keep_trail(script_state *script, const wend_completion *done);
/// Draws the map after the last frame, if a picture is requested: units, the last paths, and pending requests.
int script_draw(script_state *script);
void script_trails_free(script_state *script);

/// A request by its name.
struct script_name {
    script_state *script;
    wend_ticket ticket; ///< ticket of its latest request
    uint64_t submitted; ///< the last frame before it
    bool pending;
    wend_cell start, goal; ///< ends of the latest request
    wend_status status;    ///< status of the latest completion, for `expect`
    wend_error refused;    ///< WEND_OK, or why the latest request was refused
    int64_t cost;          ///< cost of the latest completion
    script_trail path;     ///< path of the latest completion, if the script watches any; freed with the script
    int32_t mover;         ///< mover of the latest request
    script_trail kept;     ///< the watched path, whatever was requested since; freed with the script
    int32_t kept_mover;
    struct script_name *next_watched; ///< in the order of watching
    bool watched;
    size_t length;
    char text[]; ///< ends with a zero
};

void script_names_free(script_names *names);
/// Returns the entry of a name; NULL: there is none.
script_name *script_name_find(const script_names *names, script_word word);
/// Finds a name, or adds it. NULL: no memory
script_name *script_name_make(script_names *names, script_word word);

/* world.c */

/// Returns a name relative to the folder of a file, to be freed; NULL: no memory.
char *script_path_beside(const char *path, script_word file);
/// Loads a MAP argument for a server: any script of `wend run` is accepted. Its world is as before its first frame.
int script_load_served(const char *path, cli_world *out);
/// Loads the file of `map FILE`, relative to the script's own folder.
int script_load_from(script_state *script, script_word file);

#endif
