/* SPDX-License-Identifier: MIT */
/* Groups of requests that are alike: joining, leaving, and leaders.
 *
 * The leader of a group is its first member in the order of service. It waits in the order as any request, and the
 * search in its slot is the group's. So the search has the urgency of its most urgent request, and its expansions are
 * the leader's. When another request becomes the first, or the leader leaves, the slot passes to the new leader. */
#include "service/share/share.h"

#include "search/request/request_land.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"

/* ---- groups ---- */

static uint64_t sum_within(uint64_t a, uint64_t b) {
    return a < WEND_NO_LIMIT - b ? a + b : WEND_NO_LIMIT;
}

/* Makes an entry part of the group. Its limit counts the group's expansions from now on. */
static void enter_group(wend_service *service, wend__group *group, uint32_t index) {
    WEND__DEBUG_ASSERT(service->share.members[index].group == WEND__NONE);
    wend__share *share = &service->share;
    wend__share_member *member = &share->members[index];
    const wend__entry *entry = &service->entries[index];
    member->group = (uint32_t)(group - share->groups);
    member->joined_frame = service->frame;
    const uint64_t most = entry->request.max_expansions;
    member->limit = most == WEND_NO_LIMIT ? most : sum_within(group->spent, most - entry->spent);
    if (member->limit < group->least_limit) group->least_limit = member->limit;
    if (member->limit > group->most_limit) group->most_limit = member->limit;
}

/* Takes an entry out of its group. It may spend the rest of its limit. */
static void exit_group(wend_service *service, const wend__group *group, uint32_t index) {
    WEND__DEBUG_ASSERT(group == wend__group_of(service, index));
    wend__share_member *member = &service->share.members[index];
    wend__entry *entry = &service->entries[index];
    const uint64_t left = member->limit > group->spent ? member->limit - group->spent : 0;
    if (member->limit != WEND_NO_LIMIT) entry->request.max_expansions = sum_within(entry->spent, left);
    member->group = WEND__NONE;
}

static wend__group *new_group(wend__share *share) {
    const bool again = share->free_group != WEND__NONE;
    WEND__DEBUG_ASSERT(share->groups);
    wend__group *group = &share->groups[again ? share->free_group : share->fresh_group++];
    if (again) share->free_group = group->next_free;
    *group = (wend__group){.leader = WEND__NONE, .first = WEND__NONE, .least_limit = WEND_NO_LIMIT};
    return group;
}

static wend__group *make_group(wend_service *service, uint32_t leader) {
    wend__group *group = new_group(&service->share);
    group->leader = leader;
    enter_group(service, group, leader);
    return group;
}

/* Frees a group without members. A search from the goal goes on for its leader alone, so that group stays. */
static void dissolve_if_empty(wend_service *service, wend__group *group) {
    wend__share *share = &service->share;
    if (group->count > 0 || (group->many && group->leader != WEND__NONE)) return;
    if (group->leader != WEND__NONE) exit_group(service, group, group->leader);
    if (group->many) wend__goal_group_end(service);
    group->next_free = share->free_group;
    share->free_group = (uint32_t)(group - share->groups);
}

/* ---- leading ---- */

/* Puts an entry among the members. A member has no search, and cannot be displaced from a full queue. */
static void begin_membership(wend_service *service, wend__group *group, uint32_t index) {
    service->entries[index].state = WEND__JOINED;
    wend__full_count(service, service->entries[index].request.urgency, -1);
    wend__member_heap_add(service, group, index);
}

/* Ends the state of a member, which is then in no list but the ages. */
static void release_member(wend_service *service, const wend__group *group, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (group->first_frame > 0 && !entry->answered_wait) {
        const uint64_t joined = service->share.members[index].joined_frame, first = group->first_frame;
        entry->wait_frames = (first > joined ? first : joined) - entry->submitted_frame;
        entry->answered_wait = true;
    }
    wend__full_count(service, entry->request.urgency, 1);
    entry->state = WEND__SCHEDULED;
}

static void end_membership(wend_service *service, wend__group *group, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__JOINED);
    wend__member_heap_remove(service, group, index);
    release_member(service, group, index);
}

static void pass_search(wend_service *service, wend__entry *from, wend__entry *to) {
    WEND__DEBUG_ASSERT(from->slot != WEND__NONE && to->slot == WEND__NONE);
    to->slot = from->slot;
    to->version = from->version;
    to->begun = from->begun;
    to->starved = from->starved;
    to->wants_pages = from->wants_pages;
    to->wants_open = from->wants_open;
    to->dated = from->dated;
    to->searched = from->searched;
    to->epoch = from->epoch;
    to->revision = from->revision;
    to->dated_revision = from->dated_revision;
    to->asked = from->asked;
    to->again = from->again;
    service->slots[to->slot].entry = (uint32_t)(to - service->entries);
    wend__full_count(service, to->request.urgency, -1);
    wend__full_count(service, from->request.urgency, 1);
    from->slot = WEND__NONE;
    from->version = NULL;
    from->begun = from->starved = from->again = false;
}

/* Makes the first member the leader, if there is one. The previous leader is then in no list. */
static void hand_over(wend_service *service, wend__group *group) {
    if (group->count == 0) return;
    const uint32_t before = group->leader, first = group->first;
    wend__entry *from = &service->entries[before], *to = &service->entries[first];
    if (from->state == WEND__WAITING) wend__order_remove(service, before);
    from->state = WEND__SCHEDULED;
    end_membership(service, group, first);
    wend__share_table_replace(service, before, first);
    wend__goal_group_replace(service, before, first);
    group->leader = first;
    if (from->slot != WEND__NONE) pass_search(service, from, to);
    to->postponed = from->postponed;
    from->postponed = false;
    wend__order_push(service, first);
}

/* ---- joining ---- */

/* Limits of a group, so that its end takes a bounded time. */
enum { MOST_MEMBERS = 1023, MOST_STARTS = 4096 };

/* Returns whether others may join the entry: it waits, and its search has not begun, or is on the newest version. */
static bool is_joinable_by(wend_service *service, uint32_t index, uint32_t most) {
    const wend__entry *entry = &service->entries[index];
    const bool waits = entry->state == WEND__WAITING || entry->state == WEND__BARRED;
    const wend__group *group = wend__group_of(service, index);
    if (group && group->count >= most) return false;
    return waits && (!entry->version || entry->version == wend__version_pin(service, entry->request.map));
}

/* Puts a barred leader back into the order if it, or a member, is the oldest request. */
static void unbar_leader(wend_service *service, const wend__group *group) {
    const uint32_t leader = group->leader;
    if (service->entries[leader].state != WEND__BARRED) return;
    if (wend__ages_first(service) == leader) wend__order_push(service, leader);
}

static bool is_joinable(wend_service *service, uint32_t index) {
    return is_joinable_by(service, index, MOST_MEMBERS);
}

static void join_leader(wend_service *service, uint32_t leader, uint32_t index) {
    WEND__DEBUG_ASSERT(leader != index);
    wend__group *group = wend__group_of(service, leader);
    if (!group) group = make_group(service, leader);
    enter_group(service, group, index);
    begin_membership(service, group, index);
    wend__share_reorder(service, index);
    unbar_leader(service, group);
}

/* Joins the group with many starts, if the request has its goal. The field grows from the goal, and may reach a start
 * late. So a request that is more urgent than all for which the field was begun joins only if its way is known already.
 * It is answered after the next slice. */
static bool join_field(wend_service *service, uint32_t index) {
    const wend__request *request = &service->entries[index].request;
    if (!wend__goal_group_has_field(service, request)) return false;
    wend__group *group = &service->share.groups[service->share.many];
    const uint32_t leader = group->leader;
    if (!is_joinable_by(service, leader, MOST_STARTS)) return false;
    const bool urgent = request->urgency > group->urgency;
    if (urgent && wend_field_next(service->share.field, request->start, NULL, NULL) == WEND_STATUS_PENDING)
        return false;
    if (urgent) group->next_check = 0;
    join_leader(service, leader, index);
    return true;
}

/* A search finds "no path" only if links or closed steps lead one way. On streamed land that may be unknown, so each
 * request searches alone. */
static bool may_end_unknown(wend_service *service, uint32_t index) {
    const wend__version *newest = wend__version_pin(service, service->entries[index].request.map);
    return wend__version_lacks_land(newest) && (newest->links || newest->closed_steps > 0);
}

bool wend__share_enter(wend_service *service, uint32_t index) {
    if (!wend__may_share(&service->entries[index]) || may_end_unknown(service, index)) return false;
    const uint32_t alike = wend__share_table_find(service, index);
    if (join_field(service, index)) return true;
    if (alike != WEND__NONE && is_joinable(service, alike)) {
        join_leader(service, alike, index);
        return true;
    }
    if (alike != WEND__NONE) wend__share_table_remove(service, alike);
    wend__share_table_add(service, index);
    wend__goal_group_enter(service, index);
    return false;
}

/* ---- many starts ---- */

/* Moves an entry into the group with many starts: out of the order and the table, without its search. The members of
 * its own group move with it. */
static void move_to_group(wend_service *service, wend__group *into, uint32_t index) {
    wend__group *own = wend__group_of(service, index);
    uint32_t member = own ? wend__member_heap_take_all(service, own) : WEND__NONE;
    while (member != WEND__NONE) {
        const uint32_t next = service->share.members[member].sibling;
        exit_group(service, own, member);
        enter_group(service, into, member);
        wend__member_heap_add(service, into, member);
        member = next;
    }
    if (own) dissolve_if_empty(service, own);
    wend__entry *entry = &service->entries[index];
    if (entry->state == WEND__WAITING) wend__order_remove(service, index);
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    entry->starved = entry->again = entry->postponed = false;
    wend__share_table_remove(service, index);
    wend__goal_group_leave(service, index);
    enter_group(service, into, index);
    begin_membership(service, into, index);
}

/* Returns whether an entry may move into a group: it waits or is barred. A scheduled one goes on alone. */
static bool may_move(const wend_service *service, uint32_t index) {
    const uint8_t state = service->entries[index].state;
    return state == WEND__WAITING || state == WEND__BARRED;
}

uint32_t wend__share_group_starts(wend_service *service, uint32_t index) {
    if (index >= service->share.buckets || !wend__goal_group_pays(service, index)) return index;
    wend__share *share = &service->share;
    const wend__goal_group *waiting = &share->goal_groups[share->members[index].goal_group];
    wend__goal_group_begin(service, index);
    wend__group *group = new_group(share);
    group->many = true;
    share->many = (uint32_t)(group - share->groups);
    for (uint32_t at = waiting->first, next; at != WEND__NONE; at = next) {
        next = share->members[at].later;
        if (group->count < MOST_STARTS && may_move(service, at)) move_to_group(service, group, at);
    }
    const uint32_t first = group->leader = group->first;
    group->urgency = service->entries[first].request.urgency;
    end_membership(service, group, first);
    wend__order_push(service, first);
    return first;
}

/* Expansions for each start between two checks of all starts. A check of one takes about as many instructions as an
 * expansion. */
enum { CHECK_EVERY = 4 };

uint32_t wend__share_take_known(wend_service *service, wend__group *group, bool *leader) {
    wend__share *share = &service->share;
    uint32_t index = wend__member_heap_take_all(service, group), known = WEND__NONE;
    *leader =
        wend_field_next(share->field, service->entries[group->leader].request.start, NULL, NULL) != WEND_STATUS_PENDING;
    while (index != WEND__NONE) {
        const uint32_t next = share->members[index].sibling;
        if (wend_field_next(share->field, service->entries[index].request.start, NULL, NULL) != WEND_STATUS_PENDING) {
            release_member(service, group, index);
            share->members[index].group = WEND__NONE;
            share->members[index].sibling = known;
            known = index;
        } else {
            wend__member_heap_add(service, group, index);
        }
        index = next;
    }
    group->next_check = group->spent + 1 + CHECK_EVERY * group->count;
    return known;
}

uint32_t wend__share_ungroup_starts(wend_service *service) {
    wend__share *share = &service->share;
    wend__group *group = &share->groups[share->many];
    const uint32_t leader = group->leader;
    uint32_t index = wend__member_heap_take_all(service, group);
    for (uint32_t at = index; at != WEND__NONE; at = share->members[at].sibling) {
        release_member(service, group, at);
        exit_group(service, group, at);
    }
    if (service->entries[leader].state == WEND__WAITING) wend__order_remove(service, leader);
    if (service->entries[leader].slot != WEND__NONE) wend__memory_free_slot(service, leader);
    service->entries[leader].state = WEND__SCHEDULED;
    service->entries[leader].starved = false;
    exit_group(service, group, leader);
    share->members[leader].sibling = index;
    group->leader = WEND__NONE;
    dissolve_if_empty(service, group);
    return leader;
}

/* ---- leaving ---- */

void wend__share_quit(wend_service *service, uint32_t index) {
    wend__group *group = wend__group_of(service, index);
    if (index >= service->share.buckets) return;
    if (group && group->leader == index) hand_over(service, group);
    if (group && group->leader == index && group->many) {
        if (service->entries[index].state == WEND__WAITING) wend__order_remove(service, index);
        if (service->entries[index].slot != WEND__NONE) wend__memory_free_slot(service, index);
        service->entries[index].state = WEND__SCHEDULED;
        group->leader = WEND__NONE;
    }
    if (group && service->entries[index].state == WEND__JOINED) end_membership(service, group, index);
    if (group && group->leader != index) exit_group(service, group, index);
    if (group) dissolve_if_empty(service, group);
    wend__share_table_remove(service, index);
    wend__goal_group_leave(service, index);
}

void wend__share_resign(wend_service *service, uint32_t index) {
    wend__group *group = wend__group_of(service, index);
    if (group && group->count > 0) {
        const uint32_t first = group->leader = group->first;
        end_membership(service, group, first);
        wend__share_table_replace(service, index, first);
        wend__goal_group_replace(service, index, first);
        wend__order_push(service, first);
        exit_group(service, group, index);
    }
    if (group) dissolve_if_empty(service, group);
    wend__share_table_remove(service, index);
    wend__goal_group_leave(service, index);
}

uint32_t wend__share_next(wend_service *service, uint32_t leader) {
    wend__group *group = wend__group_of(service, leader);
    return group && group->count > 0 ? group->first : WEND__NONE;
}

/* ---- order ---- */

void wend__share_reorder(wend_service *service, uint32_t index) {
    wend__group *group = wend__group_of(service, index);
    if (!group) return;
    if (group->leader != index) { /* its place in the heap has changed */
        wend__member_heap_remove(service, group, index);
        wend__member_heap_add(service, group, index);
    }
    const uint32_t leader = group->leader;
    if (group->count == 0 || !wend__member_heap_before(service, group->first, leader)) return;
    hand_over(service, group);
    begin_membership(service, group, leader);
}

/* ---- limits ---- */

uint32_t wend__share_take_limited(wend_service *service, wend__group *group) {
    wend__share_member *members = service->share.members;
    uint32_t index = wend__member_heap_take_all(service, group), limited = WEND__NONE;
    const uint64_t own = members[group->leader].limit;
    group->least_limit = own > group->spent ? own : WEND_NO_LIMIT;
    group->most_limit = own;
    while (index != WEND__NONE) {
        const uint32_t next = members[index].sibling;
        const uint64_t limit = members[index].limit;
        if (limit <= group->spent) {
            release_member(service, group, index);
            members[index].group = WEND__NONE;
            members[index].sibling = limited;
            limited = index;
        } else {
            wend__member_heap_add(service, group, index);
            if (limit < group->least_limit) group->least_limit = limit;
            if (limit > group->most_limit) group->most_limit = limit;
        }
        index = next;
    }
    dissolve_if_empty(service, group);
    return limited;
}
