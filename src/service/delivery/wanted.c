/* SPDX-License-Identifier: MIT */
/* Chunks that are not loaded, at which requests stopped: a short list, the most urgent request's chunks first. */
#include "service/delivery/delivery.h"

#include "map/version/map.h"
#include "search/request/request_land.h"
#include "service/queue/queue.h"
#include <string.h>

/* ---- counting the checks of land ---- */

void wend__land_count(wend_service *service, uint32_t index, uint64_t taken) {
    service->entries[index].looked += taken;
    service->land_owed += taken;
}

bool wend__land_meets(wend_service *service, uint32_t index, const wend__version *version) {
    uint64_t taken = 0;
    const wend__request *request = wend__goal_store_ready(service, &service->entries[index]);
    const bool meets = wend__request_meets_unloaded(version, request, &taken);
    wend__land_count(service, index, taken);
    return meets;
}

/* Returns true if a wanted chunk goes before those of an equal request. */
static bool comes_before(const wend__wanted_chunk *a, const wend__wanted_chunk *b) {
    return a->urgency != b->urgency ? a->urgency > b->urgency : a->number < b->number;
}

void wend__wanted_begin_frame(wend_service *service) {
    wend__wanted_chunks *list = &service->wanted_chunks;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (service->frame - list->of[i].frame <= WEND_WANTED_FRAMES) list->of[kept++] = list->of[i];
    list->count = kept;
}

static void take_out(wend__wanted_chunks *list, uint32_t at) {
    memmove(&list->of[at], &list->of[at + 1], (--list->count - at) * sizeof *list->of);
}

/* Puts a chunk in the list once, for the first request in order. */
static void add(wend__wanted_chunks *list, const wend__wanted_chunk *fresh) {
    uint32_t at = 0;
    while (at < list->count &&
           (list->of[at].map != fresh->map || list->of[at].x != fresh->x || list->of[at].y != fresh->y))
        at++;
    if (at < list->count) {
        list->of[at].frame = fresh->frame;
        if (!comes_before(fresh, &list->of[at])) return;
        take_out(list, at);
    }
    if (list->count == WEND_MAX_WANTED) {
        if (!comes_before(fresh, &list->of[WEND_MAX_WANTED - 1])) return;
        list->count--;
    }
    for (at = list->count++; at > 0 && comes_before(fresh, &list->of[at - 1]); at--) list->of[at] = list->of[at - 1];
    list->of[at] = *fresh;
}

static wend__wanted_chunk wanted_chunk_of(const wend_service *service, const wend__entry *entry) {
    return (wend__wanted_chunk){.map = entry->request.map->identity,
                                .number = entry->number,
                                .frame = service->frame,
                                .urgency = entry->request.urgency};
}

/* Skips most requests that come too late for a full list. */
void wend__wanted_note(wend_service *service, uint32_t index, const wend__version *version, uint64_t below) {
    wend__wanted_chunks *list = &service->wanted_chunks;
    wend__entry *entry = &service->entries[index];
    wend__wanted_chunk wanted = wanted_chunk_of(service, entry);
    const bool full = list->count == WEND_MAX_WANTED;
    if (full && comes_before(&list->of[WEND_MAX_WANTED - 1], &wanted)) return;
    const wend__request *request = wend__goal_store_ready(service, entry);
    wend__beyond beyond[WEND__MOST_BEYOND];
    uint64_t taken = 0;
    const uint32_t count = wend__request_beyond(version, request, below, beyond, &taken);
    wend__land_count(service, index, taken);
    for (uint32_t i = 0; i < count; i++) {
        wanted.x = beyond[i].x, wanted.y = beyond[i].y;
        add(list, &wanted);
    }
}

/* A path ends at a chunk through which its route leads on. */
static void note_next(wend_service *service, const wend__entry *entry) {
    wend__answer_crossings(service, entry, service->cells);
    const wend_cell *crossings = service->cells + entry->steps + 1;
    const size_t first = wend__answer_unloaded(entry->request.map, crossings, entry->crossings);
    if (first == entry->crossings) return;
    wend__wanted_chunk wanted = wanted_chunk_of(service, entry);
    wanted.x = crossings[first].x >> WEND__CHUNK_SHIFT, wanted.y = crossings[first].y >> WEND__CHUNK_SHIFT;
    add(&service->wanted_chunks, &wanted);
}

void wend__wanted_note_end(wend_service *service, uint32_t index) {
    const wend__entry *entry = &service->entries[index];
    const wend_status status = entry->status;
    if (!entry->request.map->streamed) return;
    if (entry->crossings > 0) note_next(service, entry);
    if (status != WEND_STATUS_START_BLOCKED && status != WEND_STATUS_GOAL_BLOCKED && status != WEND_STATUS_PARTIAL &&
        !(status == WEND_STATUS_NO_PATH && entry->unknown))
        return;
    wend__version *newest = wend__map_acquire(entry->request.map, false);
    if (entry->unknown || wend__land_meets(service, index, newest))
        wend__wanted_note(service, index, newest, WEND_NO_LIMIT);
    wend__map_release(newest, false);
}

static bool is_wanted(const wend__wanted_chunk *wanted, const wend_map *map, const wend__version *newest) {
    return wanted->map == map->identity && wend__version_chunk(newest, wanted->x, wanted->y)->land != WEND_LAND_LOADED;
}

wend_error wend_service_get_wanted(const wend_service *service, const wend_map *map, wend_cell *chunks, size_t capacity,
                                   size_t *count) {
    WEND__ALONE(service, "the service");
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    wend_error error = wend__check_room("chunks", chunks, capacity);
    if (error) return error;
    if (!map->streamed) return wend__refuse(WEND_BAD_ARGUMENT, "the map is not streamed: all of it is there");
    wend__version *newest = wend__map_newest(map);
    size_t found = 0;
    for (uint32_t i = 0; i < service->wanted_chunks.count; i++) {
        const wend__wanted_chunk *wanted = &service->wanted_chunks.of[i];
        if (!is_wanted(wanted, map, newest)) continue;
        if (found < capacity) chunks[found] = (wend_cell){wanted->x, wanted->y, 0};
        found++;
    }
    wend__map_release(newest, false);
    if (count) *count = found;
    return WEND_OK;
}
