/* SPDX-License-Identifier: MIT */
/* The pairing heap of a group's members. */
#include "service/share/share.h"

bool wend__member_heap_before(const wend_service *service, uint32_t a, uint32_t b) {
    const wend__entry *left = &service->entries[a], *right = &service->entries[b];
    if (left->request.urgency != right->request.urgency) return left->request.urgency > right->request.urgency;
    return left->number < right->number;
}

/* Links two heaps; their roots have no siblings. Returns the root of the result. */
static uint32_t link_roots(wend_service *service, uint32_t a, uint32_t b) {
    wend__share_member *members = service->share.members;
    const bool first = wend__member_heap_before(service, a, b);
    const uint32_t top = first ? a : b, below = first ? b : a;
    members[below].above = top;
    members[below].sibling = members[top].child;
    if (members[top].child != WEND__NONE) members[members[top].child].above = below;
    members[top].child = below;
    return top;
}

/* Removes the first of a list of siblings, and returns it. */
static uint32_t cut_next(wend__share_member *members, uint32_t *list) {
    const uint32_t index = *list;
    *list = members[index].sibling;
    members[index].sibling = members[index].above = WEND__NONE;
    return index;
}

/* Links a list of siblings into one heap: in pairs from the first on, then all pairs from the last on. */
static uint32_t link_siblings(wend_service *service, uint32_t list) {
    wend__share_member *members = service->share.members;
    uint32_t pairs = WEND__NONE, root = WEND__NONE;
    while (list != WEND__NONE) {
        uint32_t pair = cut_next(members, &list);
        if (list != WEND__NONE) pair = link_roots(service, pair, cut_next(members, &list));
        members[pair].sibling = pairs;
        pairs = pair;
    }
    while (pairs != WEND__NONE) {
        const uint32_t pair = cut_next(members, &pairs);
        root = root == WEND__NONE ? pair : link_roots(service, root, pair);
    }
    return root;
}

void wend__member_heap_add(wend_service *service, wend__group *group, uint32_t index) {
    wend__share_member *member = &service->share.members[index];
    member->child = member->sibling = member->above = WEND__NONE;
    group->first = group->count++ == 0 ? index : link_roots(service, group->first, index);
}

void wend__member_heap_remove(wend_service *service, wend__group *group, uint32_t index) {
    WEND__DEBUG_ASSERT(group->count > 0);
    wend__share_member *members = service->share.members, *member = &members[index];
    const uint32_t below = link_siblings(service, member->child);
    group->count--;
    if (group->first == index) {
        group->first = below;
        return;
    }
    if (members[member->above].child == index)
        members[member->above].child = member->sibling;
    else
        members[member->above].sibling = member->sibling;
    if (member->sibling != WEND__NONE) members[member->sibling].above = member->above;
    if (below != WEND__NONE) group->first = link_roots(service, group->first, below);
}

uint32_t wend__member_heap_take_all(wend_service *service, wend__group *group) {
    wend__share_member *members = service->share.members;
    const uint32_t first = group->count > 0 ? group->first : WEND__NONE;
    uint32_t last = first;
    for (uint32_t index = first; index != WEND__NONE; index = members[index].sibling) {
        if (members[index].child == WEND__NONE) continue;
        members[last].sibling = members[index].child;
        while (members[last].sibling != WEND__NONE) last = members[last].sibling;
    }
    group->first = WEND__NONE;
    group->count = 0;
    return first;
}
