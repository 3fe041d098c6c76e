/* SPDX-License-Identifier: MIT */
/* The host speaks: answers to orders, and events of agents. */
#ifndef WEND_SRC_LIVE_ANSWER_ORDERS_H
#define WEND_SRC_LIVE_ANSWER_ORDERS_H

#include "live/state/live_state.h"

void live_reply(wend_live *live, uint64_t reference, const wend_live_reply *reply);
void live_agent_event(wend_live *live, uint64_t session, uint64_t frame, const char *agent,
                      const wend_agent_event *event);

#endif
