/* SPDX-License-Identifier: MIT */
/* The heap of a group's members. */
#include "service/share/share.h"

bool wend__members_before(const wend_service *service, uint32_t a, uint32_t b) {
    const wend__entry *left = &service->entries[a], *right = &service->entries[b];
    if (left->request.urgency != right->request.urgency) return left->request.urgency > right->request.urgency;
    return left->number < right->number;
}

/* Both are roots, without siblings. Returns the root of both. */
static uint32_t link_roots(wend_service *service, uint32_t a, uint32_t b) {
    wend__bond *bonds = service->share.bonds;
    const bool first = wend__members_before(service, a, b);
    const uint32_t top = first ? a : b, below = first ? b : a;
    bonds[below].above = top;
    bonds[below].sibling = bonds[top].child;
    if (bonds[top].child != WEND__NONE) bonds[bonds[top].child].above = below;
    bonds[top].child = below;
    return top;
}

static uint32_t cut_next(wend__bond *bonds, uint32_t *list) {
    const uint32_t index = *list;
    *list = bonds[index].sibling;
    bonds[index].sibling = bonds[index].above = WEND__NONE;
    return index;
}

/* Siblings become one heap: two and two from the first on, then all from the last pair on. */
static uint32_t link_siblings(wend_service *service, uint32_t list) {
    wend__bond *bonds = service->share.bonds;
    uint32_t pairs = WEND__NONE, root = WEND__NONE;
    while (list != WEND__NONE) {
        uint32_t pair = cut_next(bonds, &list);
        if (list != WEND__NONE) pair = link_roots(service, pair, cut_next(bonds, &list));
        bonds[pair].sibling = pairs;
        pairs = pair;
    }
    while (pairs != WEND__NONE) {
        const uint32_t pair = cut_next(bonds, &pairs);
        root = root == WEND__NONE ? pair : link_roots(service, root, pair);
    }
    return root;
}

void wend__members_add(wend_service *service, wend__group *group, uint32_t index) {
    wend__bond *bond = &service->share.bonds[index];
    bond->child = bond->sibling = bond->above = WEND__NONE;
    group->members = group->count++ == 0 ? index : link_roots(service, group->members, index);
}

void wend__members_remove(wend_service *service, wend__group *group, uint32_t index) {
    wend__bond *bonds = service->share.bonds, *bond = &bonds[index];
    const uint32_t below = link_siblings(service, bond->child);
    group->count--;
    if (group->members == index) {
        group->members = below;
        return;
    }
    if (bonds[bond->above].child == index)
        bonds[bond->above].child = bond->sibling;
    else
        bonds[bond->above].sibling = bond->sibling;
    if (bond->sibling != WEND__NONE) bonds[bond->sibling].above = bond->above;
    if (below != WEND__NONE) group->members = link_roots(service, group->members, below);
}

uint32_t wend__members_take_all(wend_service *service, wend__group *group) {
    wend__bond *bonds = service->share.bonds;
    const uint32_t first = group->count > 0 ? group->members : WEND__NONE;
    uint32_t last = first;
    for (uint32_t index = first; index != WEND__NONE; index = bonds[index].sibling) {
        if (bonds[index].child == WEND__NONE) continue;
        bonds[last].sibling = bonds[index].child;
        while (bonds[last].sibling != WEND__NONE) last = bonds[last].sibling;
    }
    group->members = WEND__NONE;
    group->count = 0;
    return first;
}
