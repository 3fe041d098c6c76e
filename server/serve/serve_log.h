/* SPDX-License-Identifier: MIT */
/* The parts of a server that take orders: the journal, the node of a cluster, and above them who is asked first. The
 * world that they change is below, in game/serve.h.
 *
 *   serve_run.c       from the opening to the end
 *   serve_orders.c    orders of clients, and who takes them
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

/// Serve until a signal comes. @return the exit status
int serve_run(serve *server);

/* serve_orders.c */

/// For wend_live_def.on_order.
void serve_order(void *context, uint64_t reference, const wend_live_sender *sender, const wend_order *order);

/* serve_numbers.c */

/// Text for wend_live_def.get_metrics.
size_t serve_write_metrics(void *context, char *out, size_t capacity);

/* serve_journal.c: with --journal. */

/// Repeat the orders of the journal and open it. The loop is there, the library is not.
/// @return CLI_DONE, or the exit status
int serve_log_open(serve *server);
/// Write what waits, and close it.
void serve_log_close(serve *server);
/// Returns true if an order goes through the journal, or waits for orders that do.
bool serve_log_takes(const serve *server, int32_t kind);
/// Take such an order. It is done and answered when it is on disk, or when those before it are.
void serve_log_order(serve *server, uint64_t reference, const wend_live_sender *sender, const world_client *who,
                     const wend_order *order);
/// Returns whether orders of a session are on their way. @param same   receives whether that of a number is
bool serve_log_waits_for(const serve *server, const char *session, uint64_t once, bool *same);
/// Numbers for metrics. @return false: there is no journal
bool serve_log_numbers(const serve *server, serve_numbers *out);

/// Keep the journal elsewhere than in a file, for a node.
/// @param on_idle   called with the server when all that was on its way is written
int serve_log_open_sink(serve *server, const serve_journal_sink *sink, void (*on_idle)(void *context));
/// Put agents at random places, as the options ask, and write them.
void serve_log_populate(serve *server);
/// Returns whether records are on their way.
bool serve_log_is_busy(const serve *server);
serve_journal *serve_log_journal(const serve *server);

/* serve_roll_back.c: with --journal. */

/// A world from a checkpoint, until the journal goes on from it.
typedef struct serve_roll_back {
    serve_checkpoint *checkpoint;
    serve_scene scene;
    serve_journal_save save; ///< its texts are the two below
    char *path, *lines;
    int file; ///< its number
} serve_roll_back;
/// Make the world of ROLL_BACK, so that nothing can fail once the journal has it.
/// @param order   NULL: the world stays as it is, and a journal that has grown goes on from it
/// @param alone   no other order is on its way
/// @return NULL: refused
serve_roll_back *serve_roll_back_begin(serve *server, const wend_order *order, bool alone, world_error *error);
/// The journal goes on from its save, and needs no other one. @param back   NULL: it needs none
void serve_roll_back_done(serve *server, const serve_roll_back *back);
/// @param taken   its world is the server's
void serve_roll_back_end(serve_roll_back *back, bool taken);
/// Go on from the save that an order RESTORE of the journal names.
/// @return CLI_DONE, or the exit status after a message
int serve_roll_back_again(serve *server, const wend_order *order, int line);

/* serve_repeat.c */

/// Replays the records of a journal. One that fails is set aside, with a message.
/// @param aside   grows by those set aside
/// @return CLI_DONE, or the exit status after a message
int serve_repeat(serve *server, const serve_journal_past *past, uint64_t *aside);
/// Applies the orders of a snapshot, on a world as its file has it. An order that fails is left out, with a message.
/// @return CLI_DONE, or the exit status after a message
int serve_restore(serve *server, const serve_journal_past *past);
/// Free places near a cell, the nearest first. @return how many
size_t serve_find_places(const world_state *w, int32_t mover, wend_cell cell, wend_cell *out, size_t capacity);

/* serve_node.c: with --cluster. */

/// Name the map: by its option, or its file, without what follows the first dot. @return CLI_DONE, or the exit status
int serve_node_name(serve *server);
/// Returns whether a text can be an address HOST:PORT.
bool serve_is_address(const char *text);
/// The library is there. @return CLI_DONE, or the exit status
int serve_node_open(serve *server);
/// The clients are gone: no frames and messages of nodes any more.
void serve_node_end(serve *server);
/// Release the map.
void serve_node_close(serve *server);
/// Returns whether this server may change the world now: it is no node, or owns the map.
bool serve_node_owns(const serve *server);
/// Refuse an order, as this node does not own the map.
void serve_node_refuse(serve *server, world_error *error);
/// For wend_live_def.get_unready: why it does not serve the map as the log has it now.
size_t serve_node_unready(void *context, char *out, size_t capacity);
/// Numbers for metrics, where it is a node.
void serve_node_numbers(serve *server, serve_numbers *out);

/* serve_state.c: with --cluster. */

/// Count a hash of the state that nodes must agree on. @return false: no memory.
/// Cost: O(cells + edges + cells of layers that do not fade) the first time on a map, then O(what changed in rows of
/// these + rows + agents + links + units).
bool serve_state_hash(serve *server, uint64_t *out);
/// An order was done: what it changed is counted again.
void serve_state_note(const serve *server, const wend_order *order);
/// Keep nothing: the next count is whole.
void serve_state_forget(serve *server);

/* serve_snapshot.c: with --cluster. */

/// Begins the first record of a snapshot; the number is behind it.
#define SERVE_SNAPSHOT_EPOCH "# epoch "

/// Returns false where there is no memory.
bool serve_snapshot_open(serve *server);
/// Returns whether a check entry is to be written for a snapshot behind the entry `number`.
bool serve_snapshot_is_due(const serve *server, uint64_t number);
/// The check entry is written, and nothing behind it is done: keep the world, where a snapshot is due.
void serve_snapshot_at_check(serve *server, uint64_t state);
/// The log has this one.
void serve_snapshot_seen(const serve *server, const cluster_log_snapshot *snapshot);
/// Waits for the thread that writes one.
void serve_snapshot_close(serve *server);

#endif
