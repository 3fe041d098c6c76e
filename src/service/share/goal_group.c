/* SPDX-License-Identifier: MIT */
/* Goal groups: decides when one search from the goal costs less than a search for each request.
 *
 * Requests with one goal begin as lone searches. Their goal group counts the expansions of these. As soon as the mean
 * so far, times the number of remaining requests, exceeds the estimate for one search from the goal, that one is made:
 * at once if the mean is far above, else after the searches so far are a fair sample. An unfinished search counts with
 * its expansions so far. The decision depends on counts alone, never on time. */

/* Tried: the first searches' mean alone as the price of lone searches: 9 % of hordes near the point where both ways
 * are equal took more than 1.2 times the better one; with a sample at a sixteenth 0.3 %. */
#include "service/share/share.h"

#include "field/many/field_search.h"
#include "map/components/components.h"
#include "map/movers/views.h"
#include "service/memory/memory.h"

enum {
    LEAST = 8,             /* fewest requests */
    CHUNK_EXPANSIONS = 64, /* expansions to clear a chunk of a field */
    SAMPLES = 2048,        /* cells sampled for an estimate */
    SAMPLE_PART = 16,      /* divisor: the part of the price that searches must spend for a fair sample */
    FEW = 4,               /* fewest searches for a clear difference */
    CERTAINLY = 4          /* the difference is clear if lone searches cost this many times the price */
};

#define GOLDEN UINT32_C(2654435769) /* 2^32 by the golden ratio: its multiples are evenly spread */

/* Returns whether a field can answer the request: it has no weight, no reach and no flags, and one heuristic. */
static bool may_group(const wend_service *service, const wend__request *request) {
    return service->share.room_bytes > 0 && request->engine == WEND_ENGINE_AUTO && request->weight_milli == 1000 &&
           request->heuristic == WEND_HEURISTIC_EXACT && request->reach == 0 && request->flags == 0 &&
           request->profile == WEND_PROFILE_NONE;
}

/* ---- requests with one goal ---- */

static bool is_of(const wend__goal_group *group, const wend__request *request) {
    return group->map == request->map && wend__same_cell(group->goal, request->goal) && group->mover == request->mover;
}

static void unlink_member(wend__share *share, uint32_t index) {
    wend__share_member *members = share->members, *member = &members[index];
    wend__goal_group *group = &share->goal_groups[member->goal_group];
    *(member->earlier != WEND__NONE ? &members[member->earlier].later : &group->first) = member->later;
    if (member->later != WEND__NONE) members[member->later].earlier = member->earlier;
    member->goal_group = WEND__GOAL_GROUPS;
    if (--group->count == 0) group->map = NULL;
}

/* Returns the goal group of that goal, or a place for a new one: a free one, or the next that holds a single request.
 * WEND__GOAL_GROUPS: none. */
static uint8_t place_for(wend__share *share, const wend__request *request) {
    uint8_t free = WEND__GOAL_GROUPS;
    for (uint8_t i = 0; i < WEND__GOAL_GROUPS; i++) {
        if (is_of(&share->goal_groups[i], request)) return i;
        if (!share->goal_groups[i].map && free == WEND__GOAL_GROUPS) free = i;
    }
    if (free < WEND__GOAL_GROUPS) return free;
    const uint8_t oldest = (uint8_t)(share->oldest++ % WEND__GOAL_GROUPS);
    if (share->goal_groups[oldest].count > 1) return WEND__GOAL_GROUPS;
    unlink_member(share, share->goal_groups[oldest].first);
    return oldest;
}

static void link_member(wend_service *service, uint8_t place, uint32_t index) {
    wend__share *share = &service->share;
    wend__goal_group *group = &share->goal_groups[place];
    wend__share_member *member = &share->members[index];
    member->goal_group = place;
    member->counted = service->entries[index].spent;
    member->earlier = WEND__NONE;
    member->later = group->first;
    if (group->first != WEND__NONE) share->members[group->first].earlier = index;
    group->first = index;
    group->count++;
}

void wend__goal_group_enter(wend_service *service, uint32_t index) {
    const wend__request *request = &service->entries[index].request;
    if (!may_group(service, request)) return;
    const uint8_t place = place_for(&service->share, request);
    if (place == WEND__GOAL_GROUPS) return;
    wend__goal_group *group = &service->share.goal_groups[place];
    if (!group->map)
        *group = (wend__goal_group){.map = request->map,
                                    .goal = request->goal,
                                    .mover = request->mover,
                                    .first = WEND__NONE,
                                    .revision = WEND_NO_LIMIT};
    link_member(service, place, index);
}

void wend__goal_group_leave(wend_service *service, uint32_t index) {
    if (service->share.members[index].goal_group != WEND__GOAL_GROUPS) unlink_member(&service->share, index);
}

void wend__goal_group_replace(wend_service *service, uint32_t before, uint32_t after) {
    const uint8_t place = service->share.members[before].goal_group;
    if (place == WEND__GOAL_GROUPS) return;
    link_member(service, place, after);
    unlink_member(&service->share, before);
}

/* ---- comparing the costs ---- */

void wend__goal_group_note(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    if (index >= share->buckets || share->members[index].goal_group == WEND__GOAL_GROUPS) return;
    wend__share_member *member = &share->members[index];
    wend__goal_group *group = &share->goal_groups[member->goal_group];
    const uint64_t spent = service->entries[index].spent;
    group->begun += member->counted == 0 && spent > 0;
    group->spent += spent - member->counted;
    member->counted = spent;
}

/* Estimates the expansions of a field: the cells that can reach the goal (an open cell), and the clearing of their
 * chunks. It samples one cell of each stretch, at an offset that varies, because a map may have a pattern. */
static uint64_t price_of(const wend__version *version, int32_t mover, wend_cell goal) {
    const wend__version *view = wend__version_view(version, mover);
    const uint64_t cells = (uint64_t)view->width * (uint64_t)view->height * (uint64_t)view->depth;
    const uint64_t chunks = (uint64_t)view->chunk_rows * (uint64_t)view->chunk_columns;
    const uint64_t stretch = cells / SAMPLES + 1, samples = cells / stretch;
    uint64_t found = 0;
    for (uint64_t i = 0; i < samples; i++) {
        const uint32_t place = (uint32_t)i * GOLDEN;
        const uint64_t number = i * stretch + ((uint64_t)place * stretch >> 32);
        const wend_cell cell = wend__cell_of_number(view, (uint32_t)number);
        if (wend__cell_factor(view, cell) > 0) found += wend__components_connect(view, goal, cell);
    }
    return found * stretch + CHUNK_EXPANSIONS * chunks * found / (samples > 0 ? samples : 1);
}

/* Returns whether one search from the goal is expected to cost less. The mean of few searches may be far from that of
 * all. So few searches suffice only if the difference is large; else they must have spent a part of the price. */
static bool pays_now(const wend__goal_group *group) {
    const uint64_t lone = group->spent * group->count, once = group->price * group->begun;
    if (lone <= once) return false;
    return group->spent >= group->price / SAMPLE_PART || (group->begun >= FEW && lone / CERTAINLY > once);
}

bool wend__goal_group_pays(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    const uint8_t place = share->members[index].goal_group;
    if (place == WEND__GOAL_GROUPS || share->field) return false;
    wend__goal_group *group = &share->goal_groups[place];
    wend_map *map = service->entries[index].request.map;
    if (group->count < LEAST || group->begun == 0) return false;
    if (group->spent / group->begun > UINT64_MAX / 65536 / 65536) return false;
    const wend__version *newest = wend__version_pin(service, map);
    const wend__version *view = wend__version_view(newest, group->mover);
    if (wend__cell_factor(view, group->goal) == 0) return false; /* each request is refused without a search */
    if (group->revision != newest->revision) {
        if (!wend__field_fits(map, share->room_bytes)) return false;
        group->price = price_of(newest, group->mover, group->goal);
        group->revision = newest->revision;
    }
    return pays_now(group);
}

/* ---- the field ---- */

void wend__goal_group_begin(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    const wend__request *request = &service->entries[index].request;
    share->version = wend__map_acquire(request->map, true);
    wend_map_retain(request->map);
    share->field = wend__field_place(share->room, share->version, request->mover, request->goal);
}

bool wend__goal_group_has_field(wend_service *service, const wend__request *request) {
    const wend__share *share = &service->share;
    if (share->many == WEND__NONE || !may_group(service, request)) return false;
    const wend_field *field = share->field;
    return field->def.map == request->map && field->def.mover == request->mover &&
           field->goals[0] == wend__field_id(field, request->goal) &&
           share->version == wend__version_pin(service, request->map);
}

static void close_field(wend__share *share) {
    wend_map *map = share->version->map;
    wend__map_release(share->version, true);
    wend_map_release(map);
    share->version = NULL;
    share->field = NULL;
}

void wend__goal_group_end(wend_service *service) {
    service->share.many = WEND__NONE;
    if (service->share.holders == 0) close_field(&service->share);
}

void wend__goal_group_drop_path(wend_service *service) {
    WEND__DEBUG_ASSERT(service->share.holders > 0 && service->share.field);
    wend__share *share = &service->share;
    if (--share->holders == 0 && share->many == WEND__NONE) close_field(share);
}
