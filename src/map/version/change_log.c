/* SPDX-License-Identifier: MIT */
/* The log of a map's changes: a ring of boxes that a publish writes and any thread reads. */
#include "map/store/memory.h"
#include "map/version/map.h"

/* Begins the log of a map without one at the newest version. */
static wend_error make_log(wend_map *map) {
    wend__mutex_lock(map->mutex);
    bool made = map->changes;
    wend__mutex_unlock(map->mutex);
    if (made) return WEND_OK;
    wend__change_log *log = wend__map_alloc(map, sizeof *log);
    if (!log) return WEND_OUT_OF_MEMORY;
    wend__mutex_lock(map->mutex);
    if (!map->changes) {
        log->from = log->lost = log->noted = map->newest->epoch;
        log->serial = map->newest->serial;
        log->first = log->count = 0;
        map->changes = log, log = NULL;
    }
    wend__mutex_unlock(map->mutex);
    wend__map_free(map, log, sizeof *log); /* another thread was faster */
    return WEND_OK;
}

void wend__change_log_free(wend_map *map) {
    wend__map_free(map, map->changes, sizeof *map->changes);
}

bool wend__change_log_wanted(wend_map *map) {
    wend__mutex_lock(map->mutex);
    bool wanted = map->changes;
    wend__mutex_unlock(map->mutex);
    return wanted;
}

void wend__change_log_add(wend_map *map, uint64_t epoch, const wend_box *boxes, uint32_t count) {
    wend__change_log *log = map->changes;
    WEND__DEBUG_ASSERT(log && log->count <= WEND_MAX_CHANGES);
    wend__mutex_lock(map->mutex);
    log->noted = epoch;
    for (uint32_t i = 0; i < count; i++) {
        if (log->count == WEND_MAX_CHANGES) {
            log->from = log->lost = log->of[log->first].epoch; /* some changes of that epoch are lost */
            log->first = (log->first + 1) % WEND_MAX_CHANGES;
            log->count--;
        }
        uint32_t at = (log->first + log->count++) % WEND_MAX_CHANGES;
        log->of[at].epoch = epoch;
        log->of[at].box = boxes[i];
    }
    wend__mutex_unlock(map->mutex);
}

/* If the log was made while a batch was being published, that batch is missing. */
void wend__change_log_turn(wend_map *map, uint64_t before, bool anywhere) {
    wend__change_log *log = map->changes;
    const uint64_t epoch = map->newest->epoch;
    if (log && anywhere) log->from = epoch + 1, log->lost = 0, log->serial = map->newest->serial, log->count = 0;
    if (log && epoch > before && log->noted != epoch) log->from = log->lost = epoch;
}

/* Requires the mutex. Boxes of an unpublished version do not count. */
static size_t list_boxes(const wend_map *map, uint64_t since, wend_box *boxes, size_t capacity) {
    const wend__change_log *log = map->changes;
    size_t count = 0;
    for (uint32_t i = 0; i < log->count; i++) {
        uint32_t at = (log->first + i) % WEND_MAX_CHANGES;
        if (log->of[at].epoch <= since || log->of[at].epoch > map->newest->epoch) continue;
        if (count < capacity) boxes[count] = log->of[at].box;
        count++;
    }
    return count;
}

wend_error wend_map_changes(const wend_map *map, uint64_t since_epoch, wend_box *boxes, size_t capacity, size_t *count,
                            wend_changes *changes) {
    WEND__ALIVE(map, "the map");
    wend_changes own = {.struct_bytes = sizeof own};
    const wend_box whole = {{0, 0, 0}, {map->width - 1, map->height - 1, map->depth - 1}};
    size_t listed = 1;
    wend_error error = wend__check_room("boxes", boxes, capacity);
    if (error) return error;
    if (changes && !WEND__FITS(wend_changes, revision, changes)) return WEND_BAD_ARGUMENT;
    error = make_log((wend_map *)map);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    own.epoch = map->newest->epoch;
    own.revision = map->newest->revision;
    own.everything = since_epoch < map->changes->from;
    if (!own.everything)
        listed = list_boxes(map, since_epoch, boxes, capacity);
    else if (capacity)
        boxes[0] = whole;
    wend__mutex_unlock(map->mutex);
    if (count) *count = listed;
    if (changes) wend__sized_give(changes, WEND__FIRST_BYTES(wend_changes, revision), &own, sizeof own);
    return WEND_OK;
}

wend_error wend__map_changes_since(const wend_map *map, uint64_t epoch, uint64_t serial, wend_box *boxes, size_t *count,
                                   bool *everything) {
    const wend_error error = make_log((wend_map *)map);
    if (error) return error;
    wend__mutex_lock(map->mutex);
    const wend__change_log *log = map->changes;
    *everything = serial < log->serial || epoch < log->lost;
    *count = list_boxes(map, epoch, boxes, WEND_MAX_CHANGES);
    wend__mutex_unlock(map->mutex);
    return WEND_OK;
}
