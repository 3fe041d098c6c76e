/* SPDX-License-Identifier: MIT */
/* Begins and ends a recording, and adds the maps of its requests. */
#include "recording/calls/recording.h"
#include "map/version/map.h"
#include "mark/beside.h"
#include "recording/calls/recording_state.h"

/* ---- reports of maps ---- */

static void shut_gate(void *context) {
    const wend__recorded_map *map = context;
    wend__mutex_lock(map->recording->gate);
}

static void open_gate(void *context) {
    const wend__recorded_map *map = context;
    wend__mutex_unlock(map->recording->gate);
}

static void record_order(void *context, const wend_order *order) {
    wend__recorded_map *map = context;
    wend__mutex_lock(map->recording->mutex);
    wend__stream_order(map, order);
    wend__mutex_unlock(map->recording->mutex);
}

static void fail(void *context, wend_error error) {
    const wend__recorded_map *map = context;
    wend__mutex_lock(map->recording->mutex);
    wend__stream_fail(map->recording, error);
    wend__mutex_unlock(map->recording->mutex);
}

/* ---- maps ---- */

/* The entry of a map; NULL: it is not recorded. */
static wend__recorded_map *entry_of(const wend__recording *recording, const wend_map *map) {
    const wend__tap *tap = wend__map_tap(map);
    wend__recorded_map *entry = tap ? tap->context : NULL;
    return entry && entry->recording == recording ? entry : NULL;
}

static wend_error error_of(const wend__recording *recording) {
    wend__mutex_lock(recording->mutex);
    const wend_error error = recording->error;
    wend__mutex_unlock(recording->mutex);
    return error;
}

static wend_error refuse_none(void) {
    return wend__refuse(WEND_EMPTY, "the service does not record");
}

static wend_error refuse_broken(const wend__recording *recording) {
    if (!recording->error) return WEND_OK;
    return wend__refuse(recording->error, "the recording has ended before: %s", recording->why);
}

/* Returns a place among the maps. NULL: there is none. */
static wend__recorded_map *add_map(wend__recording *recording, wend_map *map) {
    WEND__DEBUG_ASSERT(recording->map_count <= WEND_MAX_RECORDED_MAPS);
    wend__recorded_map *entry = NULL;
    wend__mutex_lock(recording->mutex);
    if (recording->map_count < WEND_MAX_RECORDED_MAPS) entry = &recording->maps[recording->map_count++];
    if (entry) {
        *entry = (wend__recorded_map){.tap = {entry, shut_gate, open_gate, record_order, fail},
                                      .recording = recording,
                                      .map = map,
                                      .file = recording->map_count};
        wend_map_retain(map);
    } else {
        wend__stream_fail(recording,
                          wend__refuse(WEND_BUSY, "a recording has at most %d maps", WEND_MAX_RECORDED_MAPS));
    }
    wend__mutex_unlock(recording->mutex);
    return entry;
}

/* Tables, landmarks and far layers are made again, as the map that plays back is new. */
static wend_error renew_tables(wend_map *map) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    wend_error error = WEND_OK;
    for (int32_t mover = 0; mover < info.movers && !error; mover++) {
        wend_acceleration def = wend__record_acceleration(map, mover), none = def;
        if (!def.tables && def.landmarks == 0 && !def.far) continue;
        none.tables = false;
        none.landmarks = none.far = 0;
        error = wend_map_accelerate(map, &none);
        if (!error) error = wend_map_accelerate(map, &def);
    }
    return error;
}

/* No batch is published between the written map and the first line from the tap. */
static void see(wend__recording *recording, wend_map *map) {
    if (entry_of(recording, map) || error_of(recording)) return;
    wend_error error = renew_tables(map);
    wend__mutex_lock(map->writer);
    const wend__tap *tap = wend__map_tap(map);
    wend__recorded_map *entry = tap ? NULL : add_map(recording, map);
    if (tap && !entry_of(recording, map)) error = wend__refuse(WEND_IN_USE, "another service records the map");
    if (entry && !error) error = wend__record_world(entry);
    if (entry && !error) wend__map_set_tap(map, &entry->tap);
    wend__mutex_unlock(map->writer);
    if (!error) return;
    wend__mutex_lock(recording->mutex);
    wend__stream_fail(recording, error);
    wend__mutex_unlock(recording->mutex);
}

void wend__record_unsupported(wend_service *service) {
    wend__mutex_lock(service->recording->mutex);
    wend__stream_fail(service->recording,
                      wend__refuse(WEND_UNSUPPORTED, "a recording cannot hold flow fields of a host"));
    wend__mutex_unlock(service->recording->mutex);
}

wend_error wend__record_see(wend_service *service, wend_map *map) {
    see(service->recording, map);
    wend__mutex_lock(service->recording->mutex);
    const wend_error error = refuse_broken(service->recording);
    wend__mutex_unlock(service->recording->mutex);
    return error;
}

void wend__record_shut_for(wend_service *service, const wend_request *request) {
    wend__request own;
    if (wend__request_take(request, &own) && !wend__request_check(&own)) see(service->recording, own.map);
    wend__record_shut(service);
}

/* ---- beginning and ending ---- */

static size_t rounded(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

wend_error wend__record_begin(wend_service *service, wend_record_fn *write, void *context) {
    const size_t head = rounded(sizeof(wend__recording)), lock = rounded(wend__mutex_bytes());
    wend_allocator allocator = service->def.allocator;
    if (service->recording) return wend__refuse(WEND_IN_USE, "the service records already: end that recording first");
    wend__recording *recording = wend__allocate(&allocator, head + 2 * lock, 64);
    if (!recording) return WEND_OUT_OF_MEMORY;
    memset(recording, 0, offsetof(wend__recording, maps));
    recording->service = service;
    recording->write = write;
    recording->context = context;
    recording->object_bytes = head + 2 * lock;
    service->recordings++;
    recording->gate = (wend__mutex *)((char *)recording + head);
    recording->mutex = (wend__mutex *)((char *)recording + head + lock);
    recording->first_number = service->inbox.number;
    wend__mutex_init(recording->gate);
    wend__mutex_init(recording->mutex);
    wend__stream_put(recording, 0, "recording\n", 10);
    service->recording = recording;
    wend__arena_hold(service->arena, true);
    return WEND_OK;
}

wend_error wend__record_end(wend_service *service) {
    wend__recording *recording = service->recording;
    if (!recording) return refuse_none();
    for (uint32_t i = 0; i < recording->map_count; i++) {
        wend_map *map = recording->maps[i].map;
        WEND__DEBUG_ASSERT(recording->maps[i].recording == recording);
        wend__mutex_lock(map->writer);
        if (entry_of(recording, map)) wend__map_set_tap(map, NULL);
        wend__mutex_unlock(map->writer);
        wend_map_release(map);
    }
    wend__stream_close(recording);
    const wend_error error = refuse_broken(recording);
    service->recording = NULL;
    wend__arena_hold(service->arena, false);
    wend__mutex_destroy(recording->gate);
    wend__mutex_destroy(recording->mutex);
    wend_allocator allocator = service->def.allocator;
    allocator.free(allocator.context, recording, recording->object_bytes);
    return error;
}

wend_error wend_service_get_recording(const wend_service *service, wend_recording *out) {
    WEND__ALONE(service, "the service");
    wend__recording *recording = service->recording;
    if (!WEND__FITS(wend_recording, bytes, out)) return WEND_BAD_ARGUMENT;
    if (!recording) return refuse_none();
    wend__mutex_lock(recording->mutex);
    const wend_recording own = {.struct_bytes = sizeof own,
                                .error = recording->error,
                                .maps = recording->map_count,
                                .frames = recording->frames,
                                .bytes = recording->bytes};
    wend__mutex_unlock(recording->mutex);
    (void)WEND__GIVE(wend_recording, bytes, out, &own);
    return WEND_OK;
}

/* ---- crowds that are recorded by their orders ---- */

static wend__recorded_map *map_of(const wend_map *map) {
    wend__tap *tap = wend__map_tap(map);
    return tap ? tap->context : NULL;
}

uint64_t wend__record_orders(wend_service *service, wend_map *map) {
    if (!service->recording || wend__record_see(service, map)) return 0;
    wend__recorded_map *entry = map_of(map);
    WEND__DEBUG_ASSERT(entry && entry->recording == service->recording);
    if (entry->ordered) return 0;
    entry->ordered = true;
    return service->recordings;
}

void wend__record_orders_end(wend_service *service, const wend_map *map) {
    wend__recorded_map *entry = service->recording ? map_of(map) : NULL;
    if (entry) entry->ordered = false;
}
