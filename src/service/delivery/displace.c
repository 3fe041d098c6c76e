/* SPDX-License-Identifier: MIT */
/* Requests whose places in a full queue more urgent ones took end as displaced. */
#include "service/delivery/displace.h"

#include "service/delivery/complete.h"
#include "service/queue/order.h"
#include "service/state/service_state.h"

#include <string.h>

/* Places are still lacking for a request of such an urgency, as far as requests that waited when the frame began had
 * them. */
static bool is_crowded(const wend_service *service, int32_t urgency, uint64_t displaced) {
    const uint64_t places = service->def.queue - (urgency > 0 ? 0 : service->def.reserve);
    return service->opened > places + service->withdrawn + displaced;
}

/* Where many requests are in no line, a frame displaces some and the next one goes on. */
enum { MOST_LOOKED = 1 << 18 };

/* Returns how many of those that were owed are settled. */
static uint32_t displace_some(wend_service *service, wend__turn *turn) {
    const uint32_t owed = service->owed;
    uint64_t displaced = 0, looked = 0;
    for (uint32_t i = 0; i < owed; i++) {
        if (!is_crowded(service, service->inbox.takers[i], displaced)) continue;
        if (looked > MOST_LOOKED) return i;
        const uint32_t victim = wend__order_last(service, &looked);
        if (victim == WEND__NONE) break;
        if (service->entries[victim].request.urgency >= service->inbox.takers[i]) continue;
        wend__complete(service, victim, WEND_STATUS_DISPLACED);
        turn->frame->changes++;
        displaced++;
    }
    return owed;
}

void wend__displace(wend_service *service, wend__turn *turn) {
    wend__inbox *inbox = &service->inbox;
    if (service->owed == 0 || service->behind || service->closing) return;
    const uint32_t owed = displace_some(service, turn);
    wend__mutex_lock(inbox->mutex);
    inbox->owed -= owed;
    memmove(inbox->takers, inbox->takers + owed, inbox->owed * sizeof *inbox->takers);
    wend__mutex_unlock(inbox->mutex);
    service->owed = 0;
}
