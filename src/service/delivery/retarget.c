/* SPDX-License-Identifier: MIT */
/* Moves a request's goal: its search goes on if it can, else it begins again. */
#include "service/delivery/delivery.h"

#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include "service/share/share.h"
#include "service/state/service_state.h"

static void set_goal(wend_service *service, wend__entry *entry, wend_cell goal) {
    wend__inbox *inbox = &service->inbox;
    wend__mutex_lock(inbox->mutex);
    wend__goal_store_free(&inbox->goals, entry);
    wend__mutex_unlock(inbox->mutex);
    entry->request.flags |= WEND__REQUEST_GOAL_MOVED; /* a search that can go on follows */
    entry->request.goal = goal;
    entry->request.more_goal_count = 0;
    entry->request.more_goals = NULL;
}

/* Continues the search, or drops it to begin again: the newest version may have a path that its own lacks. */
static void move_search(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    wend__search *search = &service->slots[entry->slot].search;
    const bool as_before = search->request.mover == entry->request.mover;
    bool asks = as_before && wend__request_answer(entry->version, &entry->request) == WEND_STATUS_PENDING;
    if (!asks || !wend__search_move_goal(search, &entry->request)) {
        wend__memory_lose_search(service, index);
        wend__order_push(service, index);
    } else if (search->status != WEND_STATUS_PENDING) {
        wend__complete(service, index, search->status);
    }
}

static bool is_goal(const wend__request *request, wend_cell goal) {
    return request->more_goal_count == 0 && request->goal.x == goal.x && request->goal.y == goal.y &&
           request->goal.z == goal.z;
}

/* Takes a request out of its group. The request loses its search if others use that. */
static void leave_others(wend_service *service, uint32_t index) {
    wend__share_quit(service, index);
    if (service->entries[index].state == WEND__SCHEDULED) wend__order_push(service, index);
}

void wend__retarget(wend_service *service, uint32_t index, wend_cell goal) {
    wend__entry *entry = &service->entries[index];
    if (wend__is_withdrawn(entry) || entry->status == WEND_STATUS_DISPLACED || is_goal(&entry->request, goal)) return;
    leave_others(service, index);
    set_goal(service, entry, goal);
    if (entry->state == WEND__AWAITS_LAND) wend__land_wake(service, index);
    if (entry->state == WEND__ARRIVED) return;
    if (entry->state == WEND__FINISHED) {
        wend__choose_remove(service, index);
        wend__complete_undo(service, index);
    }
    if (wend__complete_early(service, index)) return;
    if (entry->slot != WEND__NONE && entry->begun) move_search(service, index);
}
