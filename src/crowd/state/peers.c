/* SPDX-License-Identifier: MIT */
/* Doubly linked lists of agents, by the links in their wishes. */
#include "crowd/state/peers.h"

void wend__peers_join(wend_crowd *crowd, uint32_t *first, uint32_t index) {
    wend__wish *wish = &crowd->agents[index].wish;
    if (*first) crowd->agents[*first - 1].wish.before = index + 1;
    wish->list = first;
    wish->before = 0;
    wish->behind = *first;
    *first = index + 1;
}

void wend__peers_leave(wend_crowd *crowd, uint32_t index) {
    wend__wish *wish = &crowd->agents[index].wish;
    if (!wish->list) return;
    *(wish->before ? &crowd->agents[wish->before - 1].wish.behind : wish->list) = wish->behind;
    if (wish->behind) crowd->agents[wish->behind - 1].wish.before = wish->before;
    wish->list = NULL;
}
