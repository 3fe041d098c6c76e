/* SPDX-License-Identifier: MIT */
/* Writes what waits and runs in the host's service. */
#ifndef WEND_SRC_LIVE_WATCH_QUEUE_H
#define WEND_SRC_LIVE_WATCH_QUEUE_H

#include "live/state/live_state.h"

/// `{"type":"queue","queue":{...}}`, or nothing where the host has no service.
void live_put_queue(const wend_live *live, live_text *text);

#endif
