/* SPDX-License-Identifier: MIT */
/* An agent's wish begins and ends. Every wish ends once, with one event. */
#include "crowd/orders/wish.h"

#include "crowd/flow/flows.h"
#include "crowd/orders/steer.h"
#include "crowd/paths/ask.h"
#include "crowd/paths/trip.h"
#include "crowd/state/notes.h"
#include "crowd/state/peers.h"

void wend__wish_settle(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    wend__flow_leave(crowd, &agent->wish);
    wend__peers_leave(crowd, index);
    wend__ask_drop(crowd, index);
    wend__trip_clear(crowd, index);
    wend__step_drop(crowd, index);
    traveller->steered = 0;
    agent->home = traveller->at;
    agent->wish.kind = WEND__WISH_NONE;
    agent->wish.keeps = false;
    agent->unsettled = false;
    agent->patience = wend__fresh_patience();
    traveller->next = traveller->at;
    traveller->urgency = WEND_URGENCY_MIN;
    traveller->has_wish = 0;
    wend__traffic_end_wish(crowd->traffic, index);
    traveller->ready = crowd->phase[index] != WEND__STEPS;
    if (crowd->phase[index] == WEND__WANTS) crowd->phase[index] = WEND__STANDS;
}

void wend__wish_sleep(wend_crowd *crowd, uint32_t index) {
    wend__traveller *traveller = &crowd->travellers[index];
    traveller->next = traveller->at;
    traveller->ready = 1;
    crowd->phase[index] = WEND__STANDS;
}

void wend__wish_end(wend_crowd *crowd, uint32_t index, int32_t event, int32_t why) {
    wend__notes_end(crowd, index, event, why);
    crowd->agents[index].arrived = event == WEND_AGENT_EVENT_ARRIVED || event == WEND_AGENT_EVENT_PARTIAL;
    wend__wish_settle(crowd, index);
}

void wend__wish_begin(wend_crowd *crowd, uint32_t index, const wend__wish *wish) {
    wend__agent *agent = &crowd->agents[index];
    wend__traveller *traveller = &crowd->travellers[index];
    if (agent->wish.kind != WEND__WISH_NONE)
        wend__notes_end(crowd, index, WEND_AGENT_EVENT_REPLACED, WEND_WHY_NONE);
    else
        wend__trip_clear(crowd, index); /* a way home */
    wend__step_drop(crowd, index);
    wend__notes_reserve(crowd);
    crowd->counts.wishes++;
    wend__ask_drop(crowd, index);
    agent->quest.due = 0;
    wend__flow_leave(crowd, &agent->wish);
    wend__peers_leave(crowd, index);
    agent->wish = *wish;
    wend__flow_join(crowd, wish);
    if (wish->keeps) wend__peers_join(crowd, &crowd->agents[wish->target.index].fleer, index);
    agent->wish.origin = traveller->at;
    agent->trip.ends = WEND__ENDS_NOWHERE; /* the old path does not lead to the new goal */
    agent->patience = wend__fresh_patience();
    agent->arrived = false;
    agent->asks = 0;
    agent->asked = false;
    traveller->steered = 0;
    traveller->urgency = agent->urgency;
    wend__traffic_end_wish(crowd->traffic, index);
    traveller->has_wish = 1;
    if (crowd->phase[index] == WEND__STANDS) crowd->phase[index] = WEND__WANTS;
}
