/* SPDX-License-Identifier: MIT */
/* The lists that a request is in, from its intake until it is finished, and how it leaves them. */
#include "service/delivery/delivery.h"

#include "service/inbox/inbox.h"
#include "service/queue/queue.h"

/* Schedules a barred request again once it is the oldest. */
static void welcome_oldest(wend_service *service) {
    const uint32_t oldest = wend__ages_first(service);
    service->inherits = false;
    if (oldest != WEND__NONE && service->entries[oldest].state == WEND__BARRED) wend__order_push(service, oldest);
}

void wend__lists_leave_order(wend_service *service, uint32_t index) {
    if (service->entries[index].state == WEND__WAITING) wend__order_remove(service, index);
    bool oldest = wend__ages_oldest(service) == index;
    wend__ages_remove(service, index);
    if (oldest) welcome_oldest(service);
}

/* ---- requests that wait for land ---- */

/* Only frames can end a request with a deadline, or a wait for a layer. */
static void count_work(wend_service *service, const wend__entry *entry, bool waits) {
    if (entry->request.deadline_frames == WEND_NO_LIMIT && entry->request.unloaded != WEND_UNLOADED_KNOWN)
        wend__inbox_rests(service, waits);
}

void wend__lists_add_land_wait(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->state = WEND__AWAITS_LAND;
    wend__chain_append(service, &service->land_waits, index);
    service->land_wait_count++;
    count_work(service, entry, true);
}

void wend__lists_leave_land_waits(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->land_wait_count > 0);
    wend__chain_remove(service, &service->land_waits, index);
    service->land_wait_count--;
    count_work(service, &service->entries[index], false);
}

/* ---- any list ---- */

void wend__lists_leave(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state != WEND__FINISHED);
    switch (service->entries[index].state) {
    case WEND__ARRIVED: wend__chain_remove(service, &service->arrivals, index); break;
    case WEND__AWAITS_LAND: wend__lists_leave_land_waits(service, index); break;
    default: wend__lists_leave_order(service, index);
    }
}
