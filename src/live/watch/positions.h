/* SPDX-License-Identifier: MIT */
/* Where agents are, as JSON and as bytes. */
#ifndef WEND_SRC_LIVE_WATCH_POSITIONS_H
#define WEND_SRC_LIVE_WATCH_POSITIONS_H

#include "live/state/live_state.h"

/// `{"type":"agents","agents":{NAME:CELL,...},"number":F}`
void live_put_positions_message(const wend_live *live, live_text *text, const wend_live_positions *positions);
/// `{"type":"names","names":[[INDEX,NAME],...]}`
void live_put_names(live_text *text, const wend_live_positions *positions);
/// A binary message: docs/protocol.md describes it.
void live_put_positions_binary(const wend_live *live, live_text *text, const wend_live_positions *positions);

#endif
