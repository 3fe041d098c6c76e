/* SPDX-License-Identifier: MIT */
/* Reports which requests wait and run now, by urgency. */
#include <wend/figures.h>
#include "service/state/service_state.h"
#include "service/frame_log/frame_log.h"
#include <string.h>

/* Most requests visited in a list in order of submission. */
enum { MOST_VISITED = 1024 };

/// The oldest request found of each band.
typedef struct census {
    uint64_t frames[WEND_BAND_COUNT]; ///< frame of its submission; WEND_NO_LIMIT: none found
} census;

static void count(census *all, int32_t urgency, uint64_t submitted_frame) {
    uint64_t *frame = &all->frames[wend__urgency_band(urgency)];
    if (submitted_frame < *frame) *frame = submitted_frame;
}

static void count_entry(census *all, const wend__entry *entry) {
    count(all, entry->request.urgency, entry->submitted_frame);
}

/// The oldest requests in an order of service, by band.
typedef struct elders {
    uint64_t numbers[WEND_BAND_COUNT];
    uint32_t ids[WEND_BAND_COUNT]; ///< WEND__NONE: none waits
} elders;

static void consider(elders *all, uint64_t key, uint32_t id) {
    const int band = wend__urgency_band(WEND_URGENCY_MAX - (int32_t)wend__line_rank(key));
    if (all->ids[band] != WEND__NONE && all->numbers[band] < wend__line_number(key)) return;
    all->numbers[band] = wend__line_number(key);
    all->ids[band] = id;
}

/* The first of a line is its oldest. */
static elders elders_of(const wend__lines *lines) {
    elders all;
    for (int band = 0; band < WEND_BAND_COUNT; band++) all.ids[band] = WEND__NONE;
    for (unsigned word = 0; word < WEND__LINE_WORDS; word++)
        for (uint64_t bits = lines->busy[word]; bits; bits &= bits - 1) {
            const uint32_t first = lines->of[word << 6 | wend__ctz64(bits)].first;
            consider(&all, lines->places[first].key, first);
        }
    for (uint32_t i = 0; i < lines->heap.count; i++)
        consider(&all, lines->heap.items[i].major, lines->heap.items[i].id);
    return all;
}

static void visit_chain(const wend_service *service, wend__chain chain, census *all) {
    uint32_t left = MOST_VISITED;
    for (uint32_t i = chain.first; i != WEND__NONE && left > 0; i = service->entries[i].next, left--)
        count_entry(all, &service->entries[i]);
}

static void count_waiter(const wend_service *service, uint32_t index, census *all) {
    const wend__waiter *waiter = &service->inbox.backlog.waiters[index];
    const uint64_t frame = service->inbox.frame;
    count(all, waiter->urgency, frame - (uint32_t)((uint32_t)frame - waiter->submitted));
}

/* Requires the locked inbox. */
static void visit_backlog(const wend_service *service, census *all) {
    const elders found = elders_of(&service->inbox.backlog.lines);
    for (int band = 0; band < WEND_BAND_COUNT; band++)
        if (found.ids[band] != WEND__NONE) count_waiter(service, found.ids[band], all);
}

static census find_oldest(const wend_service *service) {
    census all;
    for (int band = 0; band < WEND_BAND_COUNT; band++) all.frames[band] = WEND_NO_LIMIT;
    const elders found = elders_of(&service->lines);
    for (int band = 0; band < WEND_BAND_COUNT; band++)
        if (found.ids[band] != WEND__NONE) count_entry(&all, &service->entries[found.ids[band]]);
    visit_chain(service, service->ages.chain, &all);
    visit_chain(service, service->arrivals, &all);
    visit_chain(service, service->land_waits, &all);
    return all;
}

/* Searches in flight wait for lanes between frames; their keys are those of the order, inverted. */
static void count_running(const wend_service *service, wend_queue *out) {
    for (uint32_t i = 0; i < service->parked.count; i++) {
        const int32_t urgency = WEND_URGENCY_MAX - (int32_t)(~service->parked.items[i].major >> 53);
        out->bands[wend__urgency_band(urgency)].running++;
    }
}

/* Requires the locked inbox. */
static void count_unfinished(const wend_service *service, wend_queue *out) {
    const uint32_t *came = service->inbox.came;
    for (int band = 0; band < WEND_BAND_COUNT; band++) {
        const uint32_t end = wend__rank(out->bands[band].least) + 1;
        uint32_t unfinished = 0; /* modulo 2^32, as the counts are */
        for (uint32_t i = wend__rank(out->bands[band].most); i < end; i++) unfinished += came[i] - service->went[i];
        out->bands[band].waiting = unfinished;
    }
}

static void set_bands(wend_queue *out) {
    int32_t urgency = WEND_URGENCY_MIN;
    for (int32_t band = 0; band < WEND_BAND_COUNT; band++) {
        out->bands[band].least = urgency;
        while (urgency <= WEND_URGENCY_MAX && wend__urgency_band(urgency) == band) urgency++;
        out->bands[band].most = urgency - 1;
    }
}

wend_error wend_service_get_queue(const wend_service *service, wend_queue *out) {
    WEND__ALONE(service, "the service");
    if (service->ticking) return wend__refuse_in_frame();
    wend_queue own = {.struct_bytes = sizeof own, .lanes = service->tuning.lanes, .frame = service->frame};
    set_bands(&own);
    census all = find_oldest(service);
    wend__mutex_lock(service->inbox.mutex);
    visit_backlog(service, &all);
    count_unfinished(service, &own);
    wend__mutex_unlock(service->inbox.mutex);
    count_running(service, &own);
    for (int band = 0; band < WEND_BAND_COUNT; band++) {
        wend_queue_band *row = &own.bands[band];
        own.running += row->running;
        row->waiting -= row->running;
        own.waiting += row->waiting;
        if (all.frames[band] != WEND_NO_LIMIT) row->oldest_frames = service->frame - all.frames[band];
    }
    own.finished = wend__finished_count(service);
    return WEND__GIVE(wend_queue, bands, out, &own) ? WEND_OK : WEND_BAD_ARGUMENT;
}

/* ---- the requests of each lane ---- */

/* Between frames all searches are parked. A lane's list belongs to the last round. Requests that it began and did not
 * end still have their searches, as slots are taken only in rounds, where lists begin again. */
static const wend__entry *entry_of(const wend_service *service, const wend__lane *lane) {
    if (!lane->midway || lane->reached == 0) return NULL;
    const wend__entry *entry = &service->entries[lane->list[lane->reached - 1]];
    return entry->state == WEND__WAITING && entry->slot != WEND__NONE && entry->begun ? entry : NULL;
}

static wend_lane_record record_of(const wend_service *service, uint32_t lane, const wend__entry *entry) {
    return (wend_lane_record){.lane = lane,
                              .urgency = entry->request.urgency,
                              .engine = service->slots[entry->slot].search.engine->name,
                              .ticket = {entry->waiter, entry->generation},
                              .number = entry->number,
                              .agent = entry->request.agent,
                              .map = entry->request.map,
                              .start = entry->request.start,
                              .goal = entry->request.goal,
                              .expansions = entry->spent,
                              .submitted_frame = entry->submitted_frame,
                              .since =
                                  entry->answered_wait ? entry->submitted_frame + entry->wait_frames : service->frame};
}

wend_error wend_service_get_lanes(const wend_service *service, wend_lane_record *out, size_t bytes, size_t capacity,
                                  size_t *count) {
    WEND__ALONE(service, "the service");
    size_t found = 0;
    if (service->ticking) return wend__refuse(WEND_IN_CALLBACK, "a frame runs");
    if (!out && capacity > 0) return wend__refuse_null("out");
    for (uint32_t i = 0; i < service->scheduled; i++) {
        const wend__entry *entry = entry_of(service, &service->lanes[i]);
        if (!entry || found++ >= capacity) continue;
        const wend_lane_record own = record_of(service, i, entry);
        uint8_t *to = (uint8_t *)out + (found - 1) * bytes;
        memcpy(to, &own, bytes < sizeof own ? bytes : sizeof own);
        if (bytes > sizeof own) memset(to + sizeof own, 0, bytes - sizeof own);
    }
    if (count) *count = found;
    return WEND_OK;
}
