/* SPDX-License-Identifier: MIT */
/* Beginning and ending a recording, and taking in the maps of its requests. */
#include "record/recorder/record.h"
#include "map/version/map.h"
#include "record/recorder/recorder.h"

/* ---- what maps tell ---- */

static void shut_gate(void *context) {
    const wend__recorded_map *map = context;
    wend__mutex_lock(map->recorder->gate);
}

static void open_gate(void *context) {
    const wend__recorded_map *map = context;
    wend__mutex_unlock(map->recorder->gate);
}

static void note_order(void *context, const wend_order *order) {
    wend__recorded_map *map = context;
    wend__mutex_lock(map->recorder->mutex);
    wend__stream_order(map, order);
    wend__mutex_unlock(map->recorder->mutex);
}

static void fail(void *context, wend_error error) {
    const wend__recorded_map *map = context;
    wend__mutex_lock(map->recorder->mutex);
    wend__stream_fail(map->recorder, error);
    wend__mutex_unlock(map->recorder->mutex);
}

/* ---- maps ---- */

/* The recorder's entry of a map; NULL: it is not in the recording. */
static wend__recorded_map *entry_of(const wend__recorder *recorder, const wend_map *map) {
    const wend__tap *tap = wend__map_tap(map);
    wend__recorded_map *entry = tap ? tap->context : NULL;
    return entry && entry->recorder == recorder ? entry : NULL;
}

static wend_error error_of(const wend__recorder *recorder) {
    wend__mutex_lock(recorder->mutex);
    const wend_error error = recorder->error;
    wend__mutex_unlock(recorder->mutex);
    return error;
}

static wend_error refuse_none(void) {
    return wend__refuse(WEND_EMPTY, "the service does not record");
}

static wend_error refuse_broken(const wend__recorder *recorder) {
    if (!recorder->error) return WEND_OK;
    return wend__refuse(recorder->error, "the recording has ended before: %s", recorder->why);
}

/* A place among the maps. NULL: there is none. */
static wend__recorded_map *add_map(wend__recorder *recorder, wend_map *map) {
    wend__recorded_map *entry = NULL;
    wend__mutex_lock(recorder->mutex);
    if (recorder->map_count < WEND_MAX_RECORDED_MAPS) entry = &recorder->maps[recorder->map_count++];
    if (entry) {
        *entry = (wend__recorded_map){.tap = {entry, shut_gate, open_gate, note_order, fail},
                                      .recorder = recorder,
                                      .map = map,
                                      .file = recorder->map_count};
        wend_map_retain(map);
    } else {
        wend__stream_fail(recorder, wend__refuse(WEND_BUSY, "a recording has at most %d maps", WEND_MAX_RECORDED_MAPS));
    }
    wend__mutex_unlock(recorder->mutex);
    return entry;
}

/* Tables, landmarks and far layers are made again: those of the map that plays back are new. */
static wend_error renew_tables(wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_error error = WEND_OK;
    for (int32_t mover = 0; mover < info.movers && !error; mover++) {
        wend_acceleration def = wend__record_acceleration(map, mover), none = def;
        if (!def.tables && def.landmarks == 0 && !def.far) continue;
        none.tables = none.landmarks = none.far = 0;
        error = wend_map_accelerate(map, &none);
        if (!error) error = wend_map_accelerate(map, &def);
    }
    return error;
}

/* No batch is published between what is written and the first line from the tap. */
static void see(wend__recorder *recorder, wend_map *map) {
    if (entry_of(recorder, map) || error_of(recorder)) return;
    wend_error error = renew_tables(map);
    wend__mutex_lock(map->writer);
    const wend__tap *tap = wend__map_tap(map);
    wend__recorded_map *entry = tap ? NULL : add_map(recorder, map);
    if (tap && !entry_of(recorder, map)) error = wend__refuse(WEND_IN_USE, "another service records the map");
    if (entry && !error) error = wend__record_world(entry);
    if (entry && !error) wend__map_set_tap(map, &entry->tap);
    wend__mutex_unlock(map->writer);
    if (!error) return;
    wend__mutex_lock(recorder->mutex);
    wend__stream_fail(recorder, error);
    wend__mutex_unlock(recorder->mutex);
}

void wend__record_unsupported(wend_service *service) {
    wend__mutex_lock(service->recorder->mutex);
    wend__stream_fail(service->recorder,
                      wend__refuse(WEND_UNSUPPORTED, "a recording cannot hold flow fields of a host"));
    wend__mutex_unlock(service->recorder->mutex);
}

wend_error wend__record_see(wend_service *service, wend_map *map) {
    see(service->recorder, map);
    wend__mutex_lock(service->recorder->mutex);
    const wend_error error = refuse_broken(service->recorder);
    wend__mutex_unlock(service->recorder->mutex);
    return error;
}

void wend__record_shut_for(wend_service *service, const wend_request *requests, size_t count) {
    const size_t step = count > 0 ? requests->struct_bytes : 0; /* the caller's */
    for (size_t i = 0; i < count; i++) {
        const wend_request *theirs = (const void *)((const uint8_t *)requests + i * step);
        wend__request own;
        if (theirs->struct_bytes != step || !wend__request_take(theirs, &own) || wend__request_check(&own)) break;
        see(service->recorder, own.map);
    }
    wend__record_shut(service);
}

/* ---- beginning and ending ---- */

static size_t rounded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

wend_error wend__record_begin(wend_service *service, wend_record_fn *write, void *context) {
    const size_t head = rounded(sizeof(wend__recorder)), lock = rounded(wend__mutex_bytes());
    wend_allocator allocator = service->def.allocator;
    if (service->recorder) return wend__refuse(WEND_IN_USE, "the service records already: end that recording first");
    wend__recorder *recorder = wend__allocate(&allocator, head + 2 * lock, 64);
    if (!recorder) return WEND_OUT_OF_MEMORY;
    memset(recorder, 0, offsetof(wend__recorder, maps));
    recorder->service = service;
    recorder->write = write;
    recorder->context = context;
    recorder->object_bytes = head + 2 * lock;
    service->recordings++;
    recorder->gate = (wend__mutex *)((char *)recorder + head);
    recorder->mutex = (wend__mutex *)((char *)recorder + head + lock);
    recorder->first_number = service->inbox.number;
    wend__mutex_init(recorder->gate);
    wend__mutex_init(recorder->mutex);
    wend__stream_put(recorder, 0, "recording\n", 10);
    service->recorder = recorder;
    return WEND_OK;
}

wend_error wend__record_end(wend_service *service) {
    wend__recorder *recorder = service->recorder;
    if (!recorder) return refuse_none();
    for (uint32_t i = 0; i < recorder->map_count; i++) {
        wend_map *map = recorder->maps[i].map;
        wend__mutex_lock(map->writer);
        if (entry_of(recorder, map)) wend__map_set_tap(map, NULL);
        wend__mutex_unlock(map->writer);
        wend_map_release(map);
    }
    wend__stream_close(recorder);
    const wend_error error = refuse_broken(recorder);
    service->recorder = NULL;
    wend__mutex_destroy(recorder->gate);
    wend__mutex_destroy(recorder->mutex);
    wend_allocator allocator = service->def.allocator;
    allocator.free(allocator.context, recorder, recorder->object_bytes);
    return error;
}

wend_error wend_service_get_recording(const wend_service *service, wend_recording *out) {
    WEND__ALONE(service, "the service");
    wend__recorder *recorder = service->recorder;
    if (!WEND__FITS(wend_recording, bytes, out)) return WEND_BAD_ARGUMENT;
    if (!recorder) return refuse_none();
    wend__mutex_lock(recorder->mutex);
    const wend_recording own = {.struct_bytes = sizeof own,
                                .error = recorder->error,
                                .maps = recorder->map_count,
                                .frames = recorder->frames,
                                .bytes = recorder->bytes};
    wend__mutex_unlock(recorder->mutex);
    (void)WEND__GIVE(wend_recording, bytes, out, &own);
    return WEND_OK;
}

/* ---- crowds that are recorded by their orders ---- */

static wend__recorded_map *map_of(const wend_map *map) {
    wend__tap *tap = wend__map_tap(map);
    return tap ? tap->context : NULL;
}

uint64_t wend__record_orders(wend_service *service, wend_map *map) {
    if (!service->recorder || wend__record_see(service, map)) return 0;
    wend__recorded_map *entry = map_of(map);
    if (entry->ordered) return 0;
    entry->ordered = true;
    return service->recordings;
}

void wend__record_orders_end(wend_service *service, const wend_map *map) {
    wend__recorded_map *entry = service->recorder ? map_of(map) : NULL;
    if (entry) entry->ordered = false;
}
