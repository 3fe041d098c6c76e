/* SPDX-License-Identifier: MIT */
/* The parts of a server that take orders: the journal, the node of a cluster, and above them the dispatch. The
 * world that they change is below, in game/serve.h.
 *
 *   serve_run.c       from the opening to the end
 *   serve_orders.c    orders of clients, and their dispatch
 *   serve_numbers.c   numbers for /metrics
 *   serve_journal.c   the journal: what a restart repeats
 *   serve_roll_back.c  the save that a journal goes on from
 *   serve_repeat.c    taking records of a journal again
 *   serve_node.c      a node of a cluster
 *   serve_state.c     a hash of the state
 *   serve_snapshot.c  the world apart from the log, which is cut behind it */
#ifndef WEND_SERVER_SERVE_SERVE_LOG_H
#define WEND_SERVER_SERVE_SERVE_LOG_H

#include "cluster/member.h"
#include "journal/journal_orders.h"
#include "output/serve_metrics.h"
#include "serve/game/serve.h"

/* serve_run.c */

/// Serves until a signal comes. @return the exit status
int serve_run(serve *server);

/* serve_orders.c */

/// For wend_live_def.on_order.
void serve_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order);

/* serve_numbers.c */

/// Text for wend_live_def.get_metrics.
size_t serve_write_metrics(void *context, char *out, size_t capacity);

/* serve_journal.c: with --journal. */

/// Repeats the orders of the journal and opens it. The loop exists, the library does not.
/// @return CLI_DONE, or the exit status
int serve_log_open(serve *server);
/// Writes waiting records, and closes the journal.
void serve_log_close(serve *server);
/// Returns true if an order goes through the journal, or waits for orders that do.
bool serve_log_takes(const serve *server, int32_t kind);
/// Takes such an order. It is executed and answered when it is on disk, or when those before it are.
void serve_log_order(serve *server, uint64_t reference, const wend_live_sender *sender, const world_client *who,
                     const wend_order *order);
/// Returns whether orders of a session are under way. @param same   receives whether one with that number is
bool serve_log_waits_for(const serve *server, const char *session, uint64_t once, bool *same);
/// Writes numbers for metrics. @return false: there is no journal
bool serve_log_numbers(const serve *server, serve_numbers *out);

/// Keeps the journal in a sink instead of a file, for a node.
/// @param on_idle   called with the server when all orders under way are written
int serve_log_open_sink(serve *server, const serve_journal_sink *sink, void (*on_idle)(void *context));
/// Puts agents at random places, as the options require, and writes them.
void serve_log_populate(serve *server);
/// Returns whether records are under way.
bool serve_log_is_busy(const serve *server);
serve_journal *serve_log_journal(const serve *server);

/* serve_roll_back.c: with --journal. */

/// A world from a checkpoint, until the journal continues from it.
typedef struct serve_roll_back {
    serve_checkpoint *checkpoint;
    serve_scene scene;
    serve_journal_save save; ///< its texts are the two below
    char *path, *lines;
    int file; ///< number of the file
} serve_roll_back;
/// Makes the world of ROLL_BACK, so that nothing can fail once the journal has it.
/// @param order   NULL: the world stays, and a journal that has grown continues from it
/// @param alone   no other order is under way
/// @return NULL: refused
serve_roll_back *serve_roll_back_begin(serve *server, const wend_order *order, bool alone, world_error *error);
/// Removes saves that are not needed once the journal continues from its save. @param back   NULL: none is needed
void serve_roll_back_done(serve *server, const serve_roll_back *back);
/// @param taken   the server has taken over its world
void serve_roll_back_end(serve_roll_back *back, bool taken);
/// Continues from the save that an order RESTORE of the journal names.
/// @return CLI_DONE, or the exit status after a message
int serve_roll_back_again(serve *server, const wend_order *order, int line);

/* serve_repeat.c */

/// Replays the records of a journal. A failing one is set aside, with a message.
/// @param aside   grows by their number
/// @return CLI_DONE, or the exit status after a message
int serve_repeat(serve *server, const serve_journal_past *past, uint64_t *aside);
/// Applies the orders of a snapshot to the world of its file. A failing order is skipped, with a message.
/// @return CLI_DONE, or the exit status after a message
int serve_restore(serve *server, const serve_journal_past *past);
/// Finds free places near a cell, the nearest first. @return how many
size_t serve_find_places(const world_state *w, int32_t mover, wend_cell cell, wend_cell *out, size_t capacity);

/* serve_node.c: with --cluster. */

/// Names the map: by its option, or its file, without the part from the first dot. @return CLI_DONE, or the exit status
int serve_node_name(serve *server);
/// Returns whether a text can be an address HOST:PORT.
bool serve_is_address(const char *text);
/// Opens the node; the library exists. @return CLI_DONE, or the exit status
int serve_node_open(serve *server);
/// Stops frames and messages of nodes, when the clients are gone.
void serve_node_end(serve *server);
/// Releases the map.
void serve_node_close(serve *server);
/// Returns whether this server may change the world now: it is no node, or owns the map.
bool serve_node_owns(const serve *server);
/// Refuses an order, as this node does not own the map.
void serve_node_refuse(serve *server, world_error *error);
/// For wend_live_def.get_unready: why it does not serve the log's present map.
size_t serve_node_unready(void *context, char *out, size_t capacity);
/// Writes numbers for metrics, if it is a node.
void serve_node_numbers(serve *server, serve_numbers *out);

/* serve_state.c: with --cluster. */

/// Computes a hash of the state that nodes must agree on. @return false: no memory.
/// Cost: O(cells + edges + cells of layers that do not fade) the first time on a map, then O(changes in rows of
/// these + rows + agents + links + units).
bool serve_state_hash(serve *server, uint64_t *out);
/// Records the changes of an executed order for the next hash.
void serve_state_note(const serve *server, const wend_order *order);
/// Drops all kept hashes: the next count is complete.
void serve_state_forget(serve *server);

/* serve_snapshot.c: with --cluster. */

/// Begins the first record of a snapshot; the number follows.
#define SERVE_SNAPSHOT_EPOCH "# epoch "

/// Returns false if there is no memory.
bool serve_snapshot_open(serve *server);
/// Returns whether a check entry is to be written for a snapshot behind the entry `number`.
bool serve_snapshot_is_due(const serve *server, uint64_t number);
/// Keeps the world if a snapshot is due, when the check entry is written and nothing behind it is executed.
void serve_snapshot_at_check(serve *server, uint64_t state);
/// Records a snapshot of the log.
void serve_snapshot_seen(const serve *server, const cluster_log_snapshot *snapshot);
/// Waits for the thread that writes one.
void serve_snapshot_close(serve *server);

#endif
