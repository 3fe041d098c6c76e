/* SPDX-License-Identifier: MIT */
/* The pending request of each agent, found by the agent's number. The hashing is linear (Litwin 1980): each new
 * ticket adds a bucket and splits one. So nothing is cleared at a service's creation, and a chain has one request on
 * average. */
#include "base/hash.h"
#include "service/queue/queue.h"

#include "service/state/service_state.h"

static uint64_t agent_of(const wend_service *service, uint32_t index) {
    return service->inbox.backlog.waiters[index].agent;
}

/* Most requests ever pending at a time. */
static uint32_t count_tickets(const wend_service *service) {
    return service->inbox.backlog.fresh;
}

/* Returns the greatest power of two that is not above `count`, which is at least 1. */
static uint32_t power_within(uint32_t count) {
    return UINT32_C(1) << wend__top64(count);
}

/* Buckets below the power also serve buckets still to be added. */
static uint32_t bucket_of(const wend_service *service, uint64_t agent) {
    const uint32_t count = count_tickets(service), power = power_within(count);
    const uint64_t hash = wend__mix64(agent);
    const uint64_t wide = hash & (2 * (uint64_t)power - 1);
    return (uint32_t)(wide < count ? wide : hash & (power - 1));
}

static void push_front(wend_service *service, uint32_t bucket, uint32_t index) {
    wend__agent_place *places = service->inbox.agents;
    places[index].next = places[bucket].first;
    places[bucket].first = index;
}

void wend__agents_grow(wend_service *service) {
    wend__agent_place *places = service->inbox.agents;
    const uint32_t added = count_tickets(service) - 1;
    places[added].first = WEND__NONE;
    if (added == 0) return;
    const uint32_t split = added - power_within(added);
    uint32_t index = places[split].first;
    places[split].first = WEND__NONE;
    while (index != WEND__NONE) {
        const uint32_t next = places[index].next;
        push_front(service, bucket_of(service, agent_of(service, index)), index);
        index = next;
    }
}

/* Takes the first request out of a chain that is `index`, or else belongs to the agent. */
static uint32_t take_out(wend_service *service, uint64_t agent, uint32_t index) {
    wend__agent_place *places = service->inbox.agents;
    uint32_t *link = &places[bucket_of(service, agent)].first;
    while (*link != WEND__NONE && (index != WEND__NONE ? *link != index : agent_of(service, *link) != agent))
        link = &places[*link].next;
    const uint32_t found = *link;
    if (found != WEND__NONE) *link = places[found].next;
    return found;
}

uint32_t wend__agents_put(wend_service *service, uint32_t index) {
    const uint64_t agent = agent_of(service, index);
    const uint32_t older = take_out(service, agent, WEND__NONE);
    push_front(service, bucket_of(service, agent), index);
    return older;
}

void wend__agents_remove(wend_service *service, uint32_t index) {
    take_out(service, agent_of(service, index), index);
}
