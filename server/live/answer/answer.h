/* SPDX-License-Identifier: MIT */
/* Answers to messages. */
#ifndef WEND_SERVER_LIVE_ANSWER_ANSWER_H
#define WEND_SERVER_LIVE_ANSWER_ANSWER_H

#include "live/state/live_state.h"

/// Handles a message: answers, refuses, or passes it to the host.
void live_on_message(void *context, live_connection *connection, const char *bytes, size_t count);

/* write_answer.c */

/// Begins `{"id":ID,"ok":true`, to be continued in live->text and ended by live_answer_end().
live_text *live_answer_begin(wend_live *live, const live_id_text *id);
void live_answer_end(live_client *client);
/// Adds `,"term":N`, in a cluster.
void live_put_term(const wend_live *live, live_text *text);
void live_answer_ok(live_client *client, const live_id_text *id);
void live_answer_error(live_client *client, const live_id_text *id, int32_t error, const char *why);
/// An error as answer to the message that is being answered.
void live_refuse(live_client *client, int32_t error, const char *why);
/// Returns the word for an error of the library.
int32_t live_error_of(wend_error error);
const char *live_error_name(int32_t error);

/* hello.c */

/// Returns whether two texts agree. Takes the same time wherever they differ.
bool live_same_secret(const char *given, const char *right);
/// Checks the token of a client, and counts it if it is wrong.
/// @param given    NULL: none
/// @param socket   the client's
/// @param owner    receives whether the client may do everything
/// @return WEND_LIVE_OK, WEND_LIVE_DENIED, WEND_LIVE_TOO_FAST (too many wrong ones came from its address; this one was
/// not checked)
int32_t live_check_token(wend_live *live, const char *given, int socket, bool *owner);

/* later.c */

/// Keeps a request for an epoch that the map lacks. @return true: it is kept, or was refused
bool live_later_takes(live_client *client);
/// A deferred message.
typedef void live_message_fn(void *live, live_connection *connection, const char *bytes, size_t count);
/// Passes on messages when their epoch exists, or they waited too long; after each frame.
void live_later_pass_on(wend_live *live, live_message_fn *take);
/// Drops the messages of a client that is gone.
void live_later_forget(const live_client *client);

/* queries.c */

#define LIVE_BAD_BOX "a box goes from its lowest cell to its highest"
#define LIVE_LARGE_BOX "so many cells do not fit an answer: ask for parts"
/// Returns the number of cells of a box. @return 0: it is none; most + 1: more than that
uint64_t live_box_cells(wend_box box, uint64_t most);

/* orders.c */

/// Informs watchers of frames about the map's owner.
void live_owner_event(wend_live *live);
/// Writes the members for that: `,"node":NAME,"page":ADDRESS`.
void live_put_owner(const wend_live *live, live_text *text);

/* A file by subject. */
void live_answer_hello(live_client *client);
void live_answer_request(live_client *client);
void live_answer_cancel(live_client *client);
void live_answer_urgency(live_client *client);
void live_answer_goal(live_client *client);
void live_answer_map(live_client *client);
void live_answer_stats(live_client *client);
void live_answer_positions(live_client *client);
void live_answer_subscribe(live_client *client);
void live_answer_order(live_client *client);

/* ---- features.c: Features of a map besides its terrain ---- */

/// Writes links, closed steps and units; of a graph also its nodes and edges. Each list has at most `answer_cells`.
/// @return false: it was refused
bool live_put_features(live_client *client, live_text *text);

/* ---- orders.c: answers of the host to orders, and events of agents ---- */

void live_reply(wend_live *live, uint64_t reference, const wend_live_reply *reply);

#endif
