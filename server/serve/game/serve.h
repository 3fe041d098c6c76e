/* SPDX-License-Identifier: MIT */
/* wend serve: a world with a service and a crowd, shown by libwend-live. What keeps its orders is above it, in
 * serve_log.h.
 *
 *   serve_world.c   the map, the service, the crowd; reset
 *   serve_checkpoint.c  the world as bytes, and back
 *   serve_history.c  checkpoints that are kept
 *   serve_marks.c   marks of the heap
 *   serve_clock.c   frames, pause, steps, the drain, requests between frames
 *   serve_answer.c  answers to orders
 *   serve_now.c     orders to the server itself, questions
 *   serve_agents.c  agents of the world's file, events, places
 *   inspect.c       all about one agent
 *   serve_fields.c  flow fields that clients ask for
 *   serve_save.c    the world as edited, as a script
 *   serve_wander.c  goals for idle agents
 *   serve_pictures.c  what Tiled draws of the map, as files for the page
 *   serve_stream.c  chunks of a streamed world in files */
#ifndef WEND_SERVER_SERVE_GAME_SERVE_H
#define WEND_SERVER_SERVE_GAME_SERVE_H

#include <stdio.h>

#include <wend/field.h>
#include <wend/figures.h>

#include "base/system/frame_times.h"
#include "live/private/live_private.h"
#include "world/world.h"
#include "output/serve_metrics.h"
#include "serve/once/serve_once.h"
#include "store/log.h"

typedef struct serve serve;
struct saved;

typedef struct serve_options {
    const char *world, *listen, *lines, *host, *token, *owner_token, *certificate, *key, *journal, *record, *stream;
    const char *pictures;             ///< folder of images; NULL: the map's
    const char *node, *cluster, *map; ///< names in a cluster; NULL: none, or for the map, the file's
    const char *advertise;            ///< address for lines that other nodes give to clients; NULL: that of `lines`
    cluster_log_login login;          ///< login for NATS, without its URLs
    uint64_t lease_ms, snapshot_entries;
    uint64_t hz, budget, budget_us; ///< `budget`s of a frame; WEND_NO_LIMIT and 0: a part of its time
    uint64_t workers, lanes, agents, most_agents, queue, seed;
    uint64_t checkpoints, checkpoint_bytes, history; ///< most named ones, and bytes of all; seconds
    uint64_t journal_bytes;                          ///< size above which it begins again from a save; 0: never
    bool read_only, wander;
    wend_live_limits limits;
} serve_options;

/// Longest name of an agent.
enum { SERVE_NAME_BYTES = 71 };

/// Frames, and their times.
typedef struct serve_clock {
    uv_timer_t timer;
    uv_idle_t hurry;         ///< frames that do not wait for the timer
    uv_check_t arrivals;     ///< ticks of requests that came
    wend_frame early;        ///< frames of those requests since the last frame of the clock
    uint64_t pending_before; ///< requests that were pending after the last tick
    wend_budget budget;
    bool shares_time; ///< the budget is a part of the frame's time
    wend_frame last;
    wend__frame_times times;
    uint64_t due; ///< the frame of the timer's next call
    uint64_t steps_left, step_reference;
    uint64_t work;       ///< work left by the last tick: wend_service_get_work()
    uint64_t give_up_ms; ///< end of the drain
    bool paused, ending;
    bool called_back;                  ///< the drain has cancelled the rest
    bool stands, put_off;              ///< an order under way depends on where agents are; they stood still for a frame
    int status;                        ///< exit status of the server
    bool (*busy)(const serve *server); ///< whether orders are under way; NULL: never
    bool (*before)(serve *server);     ///< a node's part of a frame: whether agents walk in it; NULL: they do
} serve_clock;

/// Flow fields for clients, made one after another.
enum { SERVE_MOST_FIELDS = 8 };
typedef struct serve_fields {
    struct serve_field {
        wend_field *field;
        wend_box box;
        uint64_t reference;
    } made[SERVE_MOST_FIELDS];
    size_t count;
    uv_timer_t timer; ///< while fields are made
} serve_fields;

/// Clients, and the state of their answers.
typedef struct serve_clients {
    wend_live *live;
    char map_name[64];     ///< name of the map in messages; "": none
    const char *owner;     ///< members of a reply that name the map's owner; NULL: unknown
    char *answer;          ///< members of the last answer to a question
    wend_cell *unit_list;  ///< units of the last answer with any
    serve_fields fields;   ///< fields requested by them
    uint64_t said_refused; ///< number of refused ones for lack of descriptors that were reported
    uint64_t say_again_ms;
    uint64_t shown_revision; ///< revision of the names last sent to watchers
} serve_clients;

/// Slots of marks for the longest history, and a free one.
enum { SERVE_MOST_MARKS = 3601 };

/// A kept checkpoint: a save, or a mark.
typedef struct serve_checkpoint {
    uint32_t holders; ///< number of users
    bool automatic;
    uint64_t frame;
    uint8_t *bytes;                  ///< NULL: the checkpoint is a mark
    uint32_t slot;                   ///< slot of the mark
    size_t size;                     ///< size of the save; for a mark the bytes that differ from the previous one
    char name[SERVE_NAME_BYTES + 1]; ///< "": automatic
} serve_checkpoint;
/// Checkpoints of a server, the oldest first.
typedef struct serve_history {
    serve_checkpoint **kept;
    size_t count, capacity;
    uint64_t bytes;   ///< bytes of all saves
    size_t last;      ///< bytes of the last one made, also for a journal
    uint64_t seconds; ///< interval for one in each second, and number of them; 0: none
    bool full_said;
    struct serve_marked *marked; ///< in the heap; NULL: a history consists of saves
} serve_history;

struct serve {
    const serve_options *options;
    uv_loop_t loop;
    uv_signal_t terminate, interrupt;
    cli_world original; ///< its map is the file's, and never changes
    world_state world;  ///< on a fork of that map, which clients edit
    cli_routes routes;  ///< routes; those of the file first
    cli_units units;    ///< units that are no agents
    cli_layers layers;  ///< layers; those of the file first
    serve_once once;    ///< orders with a number of their session
    world_recording record;
    serve_clock clock;
    serve_clients clients;
    struct {
        bool on;
        uint64_t random;
    } wander; ///< goals for idle agents
    struct {
        wend_live_file *files;
        size_t count;
    } pictures; ///< images of a Tiled map
    struct {
        serve_totals totals;
        wend_figures *figures; ///< in the heap if that is an arena
        size_t figures_bytes;  ///< their size there
        size_t service_bytes;
    } counts;
    serve_history history;           ///< checkpoints
    struct serve_stream *stream;     ///< files of chunks; NULL: none
    struct serve_log *log;           ///< state of the journal; NULL: none
    const char *log_name;            ///< its name in messages
    int save_file;                   ///< number of the save from which the journal continues; 0: none
    struct serve_node *node;         ///< node of a cluster; NULL: standing alone
    struct serve_snapshot *snapshot; ///< snapshot of the node's log; NULL: none
    struct serve_state *state;       ///< hashes of its terrain; NULL: none
};

/* serve_world.c */

/// Loads the world, and makes the service and the crowd. @return CLI_DONE, or the exit status
int serve_world_open(serve *server);
/// @return CLI_DONE; else land or the recording could not be written, which was printed
int serve_world_close(serve *server);
/// Puts agents at random places, as the options require; a journal that has begun has them already.
void serve_world_populate(serve *server);
/// Restores the world of its file. @return false: no memory, nothing changed
bool serve_world_reset(serve *server);

/// Sets the limits and functions of a crowd of this server, on the map and the service of `w`.
void serve_world_crowd_def(serve *server, const world_state *w, wend_crowd_def *def, wend_crowd_tuning *tuning);
/// Limits the versions of a map, and makes the data of the fast engine.
void serve_world_prepare_map(const serve *server, wend_map *map);

/// A world that is made next to the served world.
typedef struct serve_scene {
    world_state world; ///< its lists are those below
    cli_routes routes;
    cli_units units;
    cli_layers layers;
    uint64_t frame, first_epoch;
} serve_scene;
/// Replaces the served world, which is freed: its pending requests are cancelled.
void serve_scene_take(serve *server, serve_scene *scene);
/// Returns the world that is served, by its own lists.
serve_scene serve_scene_now(const serve *server);
/// Serves it, from its frame on: the previous world is freed.
void serve_scene_begin(serve *server, const serve_scene *scene);
void serve_scene_free(serve_scene *scene);

/* serve_checkpoint.c */

/// Cancels the host's pending requests of a service whose clients are gone: without a completion.
/// @return false: no memory, and some are not cancelled
bool serve_cancel_unheard(wend_service *service);
/// Makes a world from a save with a good head. @param same_clients   sessions are those of that time
/// @return false: see `why`; nothing was made
bool serve_checkpoint_read(serve *server, struct saved *s, bool same_clients, serve_scene *scene);

/// Makes a save of a world. @return NULL: refused; else to be released
serve_checkpoint *serve_checkpoint_make(serve *server, serve_scene *scene, world_error *error);
void serve_checkpoint_release(serve_checkpoint *checkpoint);

/* serve_history.c */

/// Executes CHECKPOINT: keeps the world under a name, or drops the one of that name.
void serve_history_order(serve *server, const wend_order *order, wend_live_reply *reply, FILE *out);
/// Writes "checkpoints":[…], after a comma.
void serve_history_list(const serve *server, FILE *out);
/// Returns the checkpoint that ROLL_BACK names, and the world that it makes. @param idle   no order is under way
/// @return NULL: refused; else a save, to be released with serve_checkpoint_release()
serve_checkpoint *serve_history_open(serve *server, const wend_order *order, bool idle, serve_scene *scene,
                                     world_error *error);
/// After a frame: makes one each second, if no order is under way. @param idle   none is
void serve_history_frame(serve *server, bool idle);
/// Keeps one for each of the last seconds. 0: none
void serve_history_begin(serve *server, uint64_t seconds);
void serve_history_free(serve *server);

/// Goes back to the checkpoint that ROLL_BACK names. @return false: refused
bool serve_history_go(serve *server, const wend_order *order, world_error *error);

/* serve_marks.c: the world lies in the heap (cli/world/heap.h). */

/// Opens the heap for a server with a history that can consist of marks, before its world is made.
/// @return CLI_DONE, or the exit status
int serve_marks_open(serve *server);
void serve_marks_close(serve *server);
/// Returns the bytes that all marks take.
uint64_t serve_marks_bytes(const serve *server);
/// Marks the present world. @param size   receives the bytes that changed. @return false: refused
bool serve_mark_make(serve *server, uint32_t slot, size_t *size, world_error *error);
void serve_mark_forget(uint32_t slot);
/// Goes back to a mark. Requests pending in the present are cancelled. @return false: refused
bool serve_mark_go(serve *server, uint32_t slot, world_error *error);
/// Makes a save of a mark. @return NULL: refused; else to be released
serve_checkpoint *serve_mark_save(serve *server, uint32_t slot, world_error *error);

/* serve_clock.c */

/// Makes the clock ready. It begins with serve_set_hz().
void serve_clock_open(serve *server);
/// Sets how many frames a second has.
void serve_set_hz(serve_clock *clock, uint64_t hz);
/// Sets a frame's expansions, in place of a part of its time.
void serve_set_budget(serve_clock *clock, uint64_t expansions);
/// Lets agents walk again. A frame in which they stood still is made up for.
void serve_walk_again(serve *server);
/// Runs frames at once, and answers then. @return false: others are under way
bool serve_step(serve_clock *clock, uint64_t reference, uint64_t frames);
/// Ends the server, with a status. @param status   the exit status
void serve_end(serve *server, int status);

/* inspect.c */

/// Writes the members of a JSON object, each after a comma, that describe an agent: its place, its goal, its
/// path and its pulled line, the progress of its search in the service, and the cells expanded by that so far. An
/// agent without one gets the cells that a search from its cell to its goal expands.
/// @param brief   without those cells
/// Cost: O(path + nodes that its search has memory for), or at most 50,000 expansions; O(path + queue) if brief.
/// @return the cost of the expanded cells, in units of about 10 ns
uint64_t serve_inspect(FILE *out, const wend_service *service, const wend_crowd *crowd, wend_map *map, wend_agent_id id,
                       const wend_agent_state *agent, bool brief);

/* serve_fields.c */

/// Makes a field, and answers when it is complete. @return false: refused
bool serve_field_begin(serve *server, uint64_t reference, const wend_order *order, wend_live_reply *reply);
/// Refuses the unfinished fields.
void serve_fields_drop(serve_clients *clients);

/* serve_save.c */

/// Writes the edited world as a script. @return WEND_LIVE_OK; UNKNOWN: it has no file that a script could name; BUSY
int32_t serve_save(const serve *server, FILE *out);

/// The world at a moment, for a script that is written later.
typedef struct serve_saved {
    const cli_world *world; ///< the world of its file
    int32_t kind;
    wend_map *map; ///< a fork
    wend_cell *units;
    size_t unit_count;
    cli_layers layers;
    char *agents; ///< lines of routes, agents and their goals
    size_t agents_bytes;
} serve_saved;
/// Copies the present world. @param goals   also the goals of agents. @return false: no memory
bool serve_save_begin(const serve *server, bool goals, serve_saved *out);
/// Writes the differences from the world's file, as lines. @return false: no memory
/// Threads: any, until serve_save_end(). Cost: O(cells of the map).
bool serve_save_write(const serve_saved *saved, FILE *out);
void serve_save_end(serve_saved *saved);

/* serve_wander.c */

/// Makes idle agents wander, or ends it; agents on their way go on.
void serve_wander_begin(serve *server, bool wander);
/// Gives goals to agents after their rest; before each frame.
void serve_wander_frame(serve *server);
/// Records that a goal of the agent has ended, other than by another order.
void serve_wander_ended(serve *server, world_agent *agent);

/* serve_stream.c: with --stream. */

/// @return CLI_DONE, or the exit status
int serve_stream_open(serve *server);
/// After the world of its file has begun again: land that it loads itself gives way to that of the files, which has
/// what was edited.
void serve_stream_begin(serve *server);
/// Loads the needed chunks, and unloads those unneeded for a while; before each frame.
void serve_stream_frame(serve *server);
/// Writes the changed chunks. @return false: some could not be written, which was printed
bool serve_stream_write(const serve *server);
/// Checks that an order leaves the land of the files. @return false: refused
bool serve_stream_allows(const serve *server, const wend_order *order, world_error *error);
void serve_stream_close(serve *server);

/* serve_pictures.c */

/// Reads the images that a Tiled map names, and keeps them for clients. Unusable ones are left out, with a note.
void serve_pictures_open(serve *server);
void serve_pictures_close(serve *server);

/* serve_now.c */

/// Executes an order to the server itself at once, and answers, now or later.
void serve_order_now(serve *server, uint64_t reference, const wend_order *order);
void serve_reset(serve *server, wend_live_reply *reply);
/// Completes the answer to a ROLL_BACK.
void serve_went_back(const serve *server, wend_live_reply *reply);

/* serve_answer.c */

/// Answers an order to the world.
void serve_answer(const serve *server, uint64_t reference, const world_error *error);
void serve_refuse(wend_live_reply *reply, int32_t error, const char *text);
/// Fills the reply for an error of the world; its text is the reply's.
void serve_refuse_error(wend_live_reply *reply, const world_error *error);
/// Answers that an order was executed before.
void serve_answer_again(const serve *server, uint64_t reference);
/// Informs watchers of a change that no client of this server gave.
void serve_send_order(const serve *server, const wend_order *order);

/* serve_agents.c */

/// Puts the agents of the world's file at their places, and gives them its orders. Prints errors.
/// @return false: one cannot be there, or not get its order
bool serve_agents_bring(serve *server);
/// Puts agents at random places. @return how many found one
uint64_t serve_agents_scatter(world_state *w, uint64_t count, uint64_t seed);
void serve_agents_event(void *context, const wend_agent_event *event);
void serve_agents_positions(void *context, wend_live_positions *out);
/// For wend_live_def.get_profile.
int32_t serve_get_profile(void *context, const wend_weights *layers);
/// For wend_live_def.get_layers.
size_t serve_get_layers(void *context, const char *const **names);
/// For wend_live_def.get_hash.
uint64_t serve_get_hash(void *context);
/// For wend_live_def.get_units.
void serve_units_list(void *context, wend_live_units *out);

#endif
