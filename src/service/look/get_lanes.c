/* SPDX-License-Identifier: MIT */
/* Says what each lane runs now. */
#include <string.h>
#include <wend/figures.h>

#include "service/state/service_state.h"

/* Between frames all searches are parked. A lane's list is of the last round; what it had begun and not ended still
 * has its search, as a slot is taken in rounds only, where lists begin again. */
static const wend__entry *entry_of(const wend_service *service, const wend__lane *lane) {
    if (!lane->midway || lane->reached == 0) return NULL;
    const wend__entry *entry = &service->entries[lane->list[lane->reached - 1]];
    return entry->state == WEND__WAITING && entry->slot != WEND__NONE && entry->begun ? entry : NULL;
}

static wend_lane_record record_of(const wend_service *service, uint32_t lane, const wend__entry *entry) {
    const bool backlog = entry->waiter != WEND__NONE;
    return (wend_lane_record){
        .lane = lane,
        .urgency = entry->request.urgency,
        .engine = service->slots[entry->slot].search.engine->name,
        .ticket = {backlog ? entry->waiter : (uint32_t)(entry - service->entries), entry->generation},
        .number = entry->number,
        .agent = entry->request.agent,
        .map = entry->request.map,
        .start = entry->request.start,
        .goal = entry->request.goal,
        .expansions = entry->spent,
        .submitted_frame = entry->submitted_frame,
        .since = entry->answered_wait ? entry->submitted_frame + entry->wait_frames : service->frame};
}

size_t wend_service_get_lanes(const wend_service *service, wend_lane_record *out, size_t bytes, size_t capacity) {
    WEND__ALONE(service, "the service");
    size_t count = 0;
    if (service->ticking) return 0;
    for (uint32_t i = 0; i < service->scheduled && count < capacity; i++) {
        const wend__entry *entry = entry_of(service, &service->lanes[i]);
        if (!entry) continue;
        const wend_lane_record own = record_of(service, i, entry);
        uint8_t *to = (uint8_t *)out + count++ * bytes;
        memcpy(to, &own, bytes < sizeof own ? bytes : sizeof own);
        if (bytes > sizeof own) memset(to + sizeof own, 0, bytes - sizeof own);
    }
    return count;
}
