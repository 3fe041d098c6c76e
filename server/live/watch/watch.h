/* SPDX-License-Identifier: MIT */
/* Subscriptions: messages to watchers after each frame, for each edit and each completion. */
#ifndef WEND_SERVER_LIVE_WATCH_WATCH_H
#define WEND_SERVER_LIVE_WATCH_WATCH_H

#include "live/state/live_state.h"

/// Replaces a subscription.
void live_watch_set(live_client *client, const live_subscription *subscription);
/// Removes a client.
void live_watch_end(live_client *client);
/// Returns whether a client watches a subject.
bool live_watch_wanted(const wend_live *live, uint32_t what);
/// Sends the last frame, the queue and the agents to the watchers that are due.
/// @param is_new      false: they have the frame, and get agents only
/// @param positions   NULL: the host provides them
void live_watch_frame(wend_live *live, bool is_new, const wend_live_positions *positions);
/// Sends the present state to a client with a new subscription.
void live_watch_first(live_client *client);
/// Sends an event, as whole message, to all its watchers but one.
void live_watch_event(wend_live *live, uint32_t what, const live_text *text, const live_client *except);
/// Writes `"agents":{NAME:CELL,...}`
void live_put_positions(const wend_live *live, live_text *text, const wend_live_positions *positions);

/* ---- queue.c: Writes the requests in the host's service ---- */

/// `{"type":"queue","queue":{...}}`, or nothing where the host has no service.
void live_put_queue(const wend_live *live, live_text *text);

/* ---- positions.c: The places of agents, as JSON and as bytes ---- */

/// `{"type":"agents","agents":{NAME:CELL,...},"number":F}`
void live_put_positions_message(const wend_live *live, live_text *text, const wend_live_positions *positions);
/// `{"type":"names","names":[[INDEX,NAME],...]}`
void live_put_names(live_text *text, const wend_live_positions *positions);
/// A binary message: docs/protocol.md describes it.
void live_put_positions_binary(const wend_live *live, live_text *text, const wend_live_positions *positions);

#endif
