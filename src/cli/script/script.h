/* SPDX-License-Identifier: MIT */
/* Scripts for `wend run` and world files. A script is read line by line, and each line runs before the next is read.
 *
 *   script.c           lines, errors, cells
 *   script_commands.c  what each order does, and where it may stand
 *   script_build.c     commands that make the map, and its settings
 *   script_graph.c     nodes and edges
 *   script_movers.c    kinds of agents
 *   script_edits.c     commands that change the map
 *   script_accelerate.c  the data of the fast engine
 *   script_request.c   what a line says of a request
 *   script_picture.c   the picture of the last frame
 *   script_service.c   limits, requests, and what is printed of them
 *   world.c            map files and nested world files
 *
 * src/cli/run has the frames and the agents. */
#ifndef WEND_SRC_CLI_SCRIPT_SCRIPT_H
#define WEND_SRC_CLI_SCRIPT_SCRIPT_H

#include <wend/watch.h>

#include <stdbool.h>
#include <stdio.h>

#include "cli/record/record_file.h"
#include "cli/script/world.h"
#include "cli/shared/options.h"
#include "orders/orders.h"

/// How deep world files may be nested; the script itself is not counted.
enum { CLI_MAX_DEPTH = 8 };
/// Highest node of a script's graph: it takes about 5 bytes for each number up to it.
enum { CLI_MAX_NODE = (1 << 27) - 1 };
/// The budget of a frame where neither --budget nor budget= is given.
#define CLI_DEFAULT_BUDGET 20000

/// A word of a line.
typedef wend__span cli_word;

/// Options of the command line, which win over the script. Zero lanes and slice: not given.
typedef struct cli_trial cli_trial;

typedef struct cli_run_options {
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
    bool no_files;           ///< `map` may open no file
    bool serves;             ///< for `wend serve`: what only a run does is left out
    struct cli_trial *trial; ///< of wend plan; NULL: none
} cli_run_options;

/// Moments of a trial: before and after the tick, before and after the crowd's step, and the script's end.
typedef enum cli_moment { CLI_BEGINS, CLI_TICKED, CLI_STEPS, CLI_STEPPED, CLI_ENDS } cli_moment;

/// A run that is measured: the script's lines, but with this service and budget. Prints nothing, expects nothing.
struct cli_trial {
    wend_service_def service; ///< in place of all limits of the script
    uint64_t budget;          ///< expansions of each frame, in place of all that frames say
    /// @return false: end the run now
    bool (*watch)(void *context, cli_moment moment, const wend_service *service, const wend_frame *frame);
    void *context;
    wend_crowd_def crowd; ///< receives that of the script's crowd
    size_t crowd_bytes;
};

/// A graph that the script defines. Its map is made at the word `graph`: lines up to the first frame are read ahead
/// for it.
typedef struct cli_graph {
    uint8_t
        *known; ///< by node: 0 no such node, 1 in a later line, 2 in a line already read. NULL: no graph of the script
    uint64_t count; ///< highest node + 1
    int line, end;  ///< line of `graph`; line of the first frame, or one past the last line
    bool empty;     ///< no nodes; its map has one that no line can name
} cli_graph;

/// A setting `cost`: its third number can be checked only when the neighbours are known.
typedef struct cli_costs {
    int line; ///< 0: not given
    size_t column;
    uint64_t diagonal, space, most; ///< D; the third number, or 0; its highest value
} cli_costs;

/// A name of a script, and what it stands for: the first member of the struct that has both.
typedef struct cli_label {
    char *text; ///< zero-terminated; it ends with its struct
    size_t length;
} cli_label;

/// A set of names: open addressing, a power of two.
typedef struct cli_labels {
    cli_label **items;
    size_t count, capacity;
} cli_labels;

typedef struct cli_name cli_name;

/// A path that was delivered, kept for the picture of the last frame.
typedef struct cli_trail {
    wend_cell *cells;
    size_t count;
} cli_trail;

/// So many of the last paths are in the picture.
enum { CLI_MAX_TRAILS = 64 };

typedef struct cli_script {
    const char *file; ///< "-": standard input
    const char *text;
    size_t size, next;
    int32_t depth; ///< 0, or how many scripts this world file stands in
    bool world;    ///< it is not run: it builds a map, with limits, routes and agents
    bool begun;    ///< of a world that is served: the first frame was read, and lines from there on are left out
    const cli_run_options *options;

    int line;
    wend__order_reader reader; ///< has the line's words

    cli_world built;
    int32_t kind, width, height, layers;
    uint64_t cells;
    cli_graph graph;
    cli_costs costs;
    size_t unnamed;   ///< the first mover that was added before its line was read, once requested
    bool quiet;       ///< reading ahead: errors are not printed
    bool starved;     ///< memory ran out
    size_t here;      ///< start of the line from which lines are read ahead
    bool changed;     ///< a set, request or frame was read: settings may not change any more
    bool stepped;     ///< a step was read: the neighbours may not change any more
    bool accelerated; ///< the script says when the fast engine's data is made
    bool requested;   ///< a request or agent was read: the default mover may not change any more
    int limits_end;   ///< the last line whose limit was read before the service was made, or 0

    bool recorded;               ///< a recording: nothing happens but what its lines say
    cli_record record;           ///< of --record
    struct cli_during *during;   ///< lines inside the next frame; NULL: there never were any
    bool during_open;            ///< lines are kept until the next command that runs frames
    size_t during_place;         ///< to which they belong
    struct cli_maps *maps;       ///< the recording of several maps that this script is one of; NULL: none
    uint64_t completed, hash;    ///< of --hash
    uint64_t positions;          ///< of --hash: over all positions of agents
    wend_service *service;       ///< made by the first request
    uint64_t frames;             ///< number of the last frame run
    uint64_t first_epoch;        ///< the map's number of the script's epoch 0
    bool ending;                 ///< the script has ended: completions are cancellations
    uint64_t pending;            ///< requests of the script's, without those of its agents
    uint64_t cancelled;          ///< requests that were pending at the script's end
    host host;                   ///< its agents; its crowd is made by the first one
    bool crowd_ended;            ///< only REPLACED is printed
    struct cli_watches *watches; ///< made by the first watch
    int32_t has_watch;           ///< 1: some line watches a path, 2: none does, 0: not looked yet
    struct film *film;           ///< made where --animate is given
    bool failed;                 ///< nothing more is printed
    cli_trail trails[CLI_MAX_TRAILS];
    uint64_t trail_count; ///< of all; the newest is at trail_count - 1 modulo the room
    cli_labels names;     ///< of requests: each a cli_name
} cli_script;

/* Every function that returns int: -1 to go on, else the exit status, after a message. */

/// A script over `text`, which must outlive it. `options` too.
void cli_script_init(cli_script *script, const char *file, const char *text, size_t size,
                     const cli_run_options *options);
/// Run the line that begins at a place of the text, and go on where the script was.
int cli_script_line_at(cli_script *script, size_t place, int line);
/// Run the next line. False at the end of the text, and where *status is not -1.
bool cli_script_run_line(cli_script *script, int *status);
/// Run it to its end; print what is pending then.
int cli_script_run(cli_script *script);
/// Is the first word of a text a command?
bool cli_script_begins(const char *text, size_t size);
/// Free everything except the map in `built`, which belongs to the caller.
void cli_script_free(cli_script *script);

/* script.c */

/// Read the next line's words. False at the end of the text, and after an error (*status then).
bool cli_script_next_line(cli_script *script, int *status);
/// "file:line:column: ...", and nothing more is printed from now on. Returns CLI_BAD_INPUT.
int cli_script_fail(cli_script *script, size_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));
int cli_script_no_memory(cli_script *script);

/// Where lines are read ahead from.
typedef struct cli_place {
    size_t next;
    int line;
    wend__order_reader reader;
} cli_place;
/// Begin to read ahead: errors are not printed.
cli_place cli_script_mark(cli_script *script);
/// Go back to the line. @return false where memory ran out
bool cli_script_return(cli_script *script, cli_place *place);

/// Read the line's words as an order.
int cli_script_read(cli_script *script, wend__order *out);
/// The word of a member of an order; the text of a name of it.
cli_word cli_said(const cli_script *script, const wend__order *order, const void *member);
cli_word cli_named(const cli_script *script, const wend__order *order, const wend__name *name);
/// The host has refused an order: say why, at the word that is wrong.
int cli_script_refused(cli_script *script, const wend__order *order, const host_error *error);

bool cli_word_is(cli_word word, const char *text);
/// A word as it fits into a message.
static inline host_quote cli_quoted(cli_word word) {
    return host_quoted(word.text, word.length);
}

/// Does an order.
typedef int cli_act(cli_script *script, wend__order *order);
extern cli_act *const cli_acts[WEND__ORDER_KINDS];

/* script_build.c */

cli_act cli_act_map;
cli_act cli_act_grid;
cli_act cli_act_neighbours, cli_act_corners;
cli_act cli_act_cost;
/// Are the costs complete for the number of neighbours? Called when no more settings can come.
int cli_script_check_costs(cli_script *script);
void cli_script_rules(const cli_script *script, wend_map_rules *out);
void cli_script_take_size(cli_script *script);

/* script_graph.c */

cli_act cli_act_graph;
cli_act cli_act_node;
cli_act cli_act_edge;

/* script_movers.c */

cli_act cli_act_mover;
/// Add the movers of all later lines. Called once, before the first request.
int cli_script_movers_ahead(cli_script *script);

/* script_edits.c */

cli_act cli_act_change;
/// Publish all edits as one version.
int cli_script_publish(cli_script *script);

/* script_accelerate.c */

cli_act cli_act_accelerate;
/// Before the first frame: make jump tables and landmarks, unless a line of the script, read or not, says when.
int cli_script_accelerate_first(cli_script *script);

/* script_request.c, script_service.c */

/// Fill a request from what a line says of it: movers, defaults of the command line, graphs.
int cli_script_request(cli_script *script, wend__order *order);

/// The request that an order is about.
int cli_request_find(cli_script *script, const wend__order *order, cli_name **out);
/// The callback of every request.
void cli_script_done(void *context, const wend_completion *done);
cli_act cli_act_limit;
cli_act cli_act_request;
cli_act cli_act_cancel;
cli_act cli_act_urgency;
cli_act cli_act_goal;
cli_act cli_act_publish;
cli_act cli_act_expect;
/// Before the first request or agent: all movers, and the service by the limits so far.
int cli_script_make_service(cli_script *script);
/// Cancel what is pending, and print it unless the script failed.
void cli_script_end_service(cli_script *script);

/* src/cli/run: frames and agents. */

/// Any order that host_take() does.
cli_act cli_act_host;
cli_act cli_act_agent, cli_act_remove, cli_act_positions, cli_act_walk, cli_act_crowd, cli_act_disband, cli_act_update;
cli_act cli_act_recording, cli_act_during, cli_act_maintain, cli_act_poll, cli_act_close;

/// A request was answered: its path is kept where a line watches one.
void cli_watch_keep(cli_name *name, const wend_completion *done);
void cli_watch_end(cli_script *script);
cli_act cli_act_watch;
cli_act cli_act_frame;
cli_act cli_act_drain;
/// A moment for the trial, if there is one. @return false: the run is over
bool cli_trial_goes_on(const cli_script *script, cli_moment moment, const wend_frame *frame);
/// Does the line that was read belong inside the next frame? Then it is kept.
bool cli_during_takes(const cli_script *script);
int cli_during_keep(cli_script *script);
/// In the callback of a request: the lines that belong there.
void cli_during_callback(const cli_name *name);
void cli_during_free(cli_script *script);
/// The script is over: what is completed from now on is cancelled.
void cli_script_begin_end(cli_script *script);
/// Does a text begin as file 0 of a recording, which says how the scripts of several maps take turns?
bool cli_maps_begins(const char *text, size_t size);
/// Run them to their end. The options must ask for no picture, film or recording.
int cli_maps_run(const char *path, const char *text, size_t size, const cli_run_options *options);
/// The service of the recording's other maps, if the script is one of several and it is there.
bool cli_maps_take_service(cli_script *script);
/// The script that counts completions and has their hash.
cli_script *cli_maps_tally(cli_script *script);
/// At the script's end: is a recording whole?
int cli_recording_check_end(cli_script *script);
/// Count a completion for --hash, and print the hash at the script's end.
void cli_recording_completed(cli_script *script, const wend_completion *done);
void cli_recording_print_hash(const cli_script *script);
/// Add the agents of the world file that is the map, before the first line that could meet them.
int cli_world_agents_begin(cli_script *script);
/// The end of a world file: its agents are listed with the world.
int cli_world_agents_end(cli_script *script);
/// Remove all agents, without events. The service goes on.
void cli_crowd_end(cli_script *script);
/// The film of --animate: an edit is published; the script has ended.
void cli_film_edit(cli_script *script, const wend__change_item *edit);
int cli_film_write(cli_script *script);
void cli_film_free(cli_script *script);

/* script_picture.c */

/// Keep a delivered path, where a picture is asked for.
void cli_script_keep_trail(cli_script *script, const wend_completion *done);
/// Draw the map after the last frame, where a picture is asked for: units, the last paths, and what is pending.
int cli_script_draw(cli_script *script);
void cli_trails_free(cli_script *script);

/* script_names.c: what a NAME means. */

struct cli_name {
    cli_label label;
    cli_script *script;
    wend_ticket ticket; ///< ticket of its latest request
    uint64_t submitted; ///< the last frame before it
    bool pending;
    bool polled;           ///< its completion waits for `poll`
    wend_cell start, goal; ///< of the latest request
    wend_status status;    ///< of the latest completion, for `expect`
    wend_error refused;    ///< WEND_OK, or why the latest request was refused
    int64_t cost;          ///< of the latest completion
    cli_trail path;        ///< of the latest completion, where the script watches any; freed with the script
    int32_t mover;         ///< of the latest request
    wend_watch_id watch;
    struct cli_name *next_watched; ///< in the order of watching
    bool watched;
};

/// Find the struct of a name; NULL where there is none.
void *cli_label_find(const cli_labels *labels, cli_word word);
/// Find a name, or add a struct of so many bytes, zero but for its label. @return NULL where memory ran out
void *cli_label_make(cli_labels *labels, cli_word word, size_t bytes);
void cli_labels_free(cli_labels *labels);

/* world.c */

/// Load what stands behind `map FILE`, seen from the script's own folder.
int cli_world_load_from(cli_script *script, cli_word file);

#endif
