/* SPDX-License-Identifier: MIT */
/* The store of further goals: chained one by one, so that a request finds room as long as that much is free. A search
 * needs them side by side: then they are copied to the room of its slot. */
#include "service/queue/queue.h"

#include "service/state/service_state.h"

static uint32_t take(wend__goal_store *goals) {
    uint32_t index = goals->free_first;
    goals->free_count--;
    if (index == WEND__NONE) return goals->fresh++;
    goals->free_first = goals->items[index].next;
    return index;
}

bool wend__goal_store_keep(wend__goal_store *goals, const wend_cell *cells, uint32_t count, uint32_t *first,
                           uint32_t *last) {
    if (count > goals->free_count) return false;
    *first = *last = WEND__NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = take(goals);
        goals->items[index] = (wend__goal){cells[i], WEND__NONE};
        if (i == 0)
            *first = index;
        else
            goals->items[*last].next = index;
        *last = index;
    }
    return true;
}

void wend__goal_store_give(wend__goal_store *goals, uint32_t *first, uint32_t *last, uint32_t count) {
    if (*first == WEND__NONE) return;
    goals->items[*last].next = goals->free_first;
    goals->free_first = *first;
    goals->free_count += count;
    *first = *last = WEND__NONE;
}

void wend__goal_store_free(wend__goal_store *goals, wend__entry *entry) {
    wend__goal_store_give(goals, &entry->goals_first, &entry->goals_last, entry->request.more_goal_count);
}

const wend__request *wend__goal_store_ready(wend_service *service, wend__entry *entry) {
    uint32_t slot = entry->slot != WEND__NONE ? entry->slot : service->tuning.searches;
    wend_cell *room = service->rooms + (size_t)slot * service->room;
    const wend__goal *items = service->inbox.goals.items;
    uint32_t count = 0;
    for (uint32_t i = entry->goals_first; i != WEND__NONE; i = items[i].next) room[count++] = items[i].cell;
    entry->request.more_goals = count > 0 ? room : NULL;
    return &entry->request;
}
