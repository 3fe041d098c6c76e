/* SPDX-License-Identifier: MIT */
/* The hash table of requests that others may join. */
#include "service/share/share.h"

#include "search/request/request.h"

bool wend__may_share(const wend__entry *entry) {
    const wend__request *request = &entry->request;
    return request->mode == WEND_MODE_EXACT && request->occupied == WEND_OCCUPIED_IGNORE &&
           request->more_goal_count == 0 && request->unloaded == WEND_UNLOADED_BLOCK &&
           !(request->flags & WEND__REQUEST_GOAL_MOVED);
}

/* ---- the fields that a search depends on ---- */

static bool are_alike(const wend__request *a, const wend__request *b) {
    return wend__same_cell(a->start, b->start) && wend__same_cell(a->goal, b->goal) && a->map == b->map &&
           a->mover == b->mover && a->engine == b->engine && a->heuristic == b->heuristic &&
           a->weight_milli == b->weight_milli && a->reach == b->reach && a->flags == b->flags &&
           a->profile == b->profile;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 31;
}

static uint64_t mix_cell(uint64_t hash, wend_cell cell) {
    return mix(mix(hash, (uint64_t)(uint32_t)cell.x << 32 | (uint32_t)cell.y), (uint32_t)cell.z);
}

/* Hashes the fields that the search depends on, except the map's address, so that chains are the same in every run. */
static uint32_t hash_of(const wend__request *request) {
    const uint64_t options = (uint64_t)(uint32_t)request->weight_milli << 32 | (uint32_t)request->mover;
    const uint64_t hash = mix_cell(mix_cell(mix(0, options), request->start), request->goal);
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- the table ---- */

static uint32_t power_within(uint32_t count) {
    return UINT32_C(1) << wend__top64(count);
}

static uint32_t bucket_of(const wend__share *share, uint32_t hash) {
    const uint32_t power = power_within(share->buckets);
    const uint64_t wide = hash & (2 * (uint64_t)power - 1);
    return (uint32_t)(wide < share->buckets ? wide : hash & (power - 1));
}

static void push_front(wend__share *share, uint32_t bucket, uint32_t index) {
    share->members[index].next = share->members[bucket].bucket;
    share->members[bucket].bucket = index;
}

static void add_bucket(wend__share *share) {
    const uint32_t added = share->buckets++;
    share->members[added] =
        (wend__share_member){.group = WEND__NONE, .bucket = WEND__NONE, .goal_group = WEND__GOAL_GROUPS};
    if (added == 0) return;
    const uint32_t split = added - power_within(added);
    uint32_t index = share->members[split].bucket;
    share->members[split].bucket = WEND__NONE;
    while (index != WEND__NONE) {
        const uint32_t next = share->members[index].next;
        push_front(share, bucket_of(share, share->members[index].hash), index);
        index = next;
    }
}

static uint32_t *link_to(wend__share *share, uint32_t index) {
    uint32_t *link = &share->members[bucket_of(share, share->members[index].hash)].bucket;
    while (*link != index) link = &share->members[*link].next;
    return link;
}

uint32_t wend__share_table_find(wend_service *service, uint32_t entry) {
    wend__share *share = &service->share;
    while (share->buckets <= entry) add_bucket(share);
    const wend__request *request = &service->entries[entry].request;
    const uint32_t hash = share->members[entry].hash = hash_of(request);
    uint32_t index = share->members[bucket_of(share, hash)].bucket;
    while (index != WEND__NONE &&
           (share->members[index].hash != hash || !are_alike(&service->entries[index].request, request)))
        index = share->members[index].next;
    return index;
}

void wend__share_table_add(wend_service *service, uint32_t entry) {
    WEND__DEBUG_ASSERT(!service->share.members[entry].listed);
    wend__share *share = &service->share;
    push_front(share, bucket_of(share, share->members[entry].hash), entry);
    share->members[entry].listed = true;
}

void wend__share_table_remove(wend_service *service, uint32_t entry) {
    wend__share *share = &service->share;
    if (!share->members[entry].listed) return;
    *link_to(share, entry) = share->members[entry].next;
    share->members[entry].listed = false;
}

void wend__share_table_replace(wend_service *service, uint32_t before, uint32_t after) {
    wend__share *share = &service->share;
    if (!share->members[before].listed) return;
    *link_to(share, before) = after;
    share->members[after].next = share->members[before].next;
    share->members[after].listed = true;
    share->members[before].listed = false;
}
