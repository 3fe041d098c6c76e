/* SPDX-License-Identifier: MIT */
/* A recording that begins at any frame: behind its head the script has saves, and continues from them. The recorded
 * service is restored from the same saves, so that both begin unfinished searches and flow fields again. */
#include "agents/plan/path_request.h"
#include "mark/beside.h"
#include "recording/calls/recording_state.h"
#include "recording/crowd/crowd_orders.h"
#include "save/save_crowd.h"
#include "service/backlog/backlog.h"
#include <wend/save.h>

enum { LINE_BYTES = 1024 };

/// The pointers of a request, an agent or an event, which no save contains.
typedef struct owner {
    wend_done_fn *on_done;
    void *context;
} owner;

/// The beginning of a recording.
typedef struct beginning {
    wend_service *service;
    wend_map *map;
    wend_crowd *crowd; ///< NULL: none
    wend_save_host host;
    owner *owners;                     ///< owners of requests, agents and events; the saves follow
    uint32_t requests, agents, events; ///< their numbers
    uint8_t *saves;
    size_t map_bytes, service_bytes, crowd_bytes, all_bytes;
} beginning;

/* ---- requests ---- */

static wend__backlog *backlog_of(const beginning *b) {
    return &b->service->inbox.backlog;
}

/* Requests of the crowd have no lines, as its orders have. */
static wend_error sort_requests(const beginning *b) {
    wend__backlog *backlog = backlog_of(b);
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        wend__waiter *waiter = &backlog->waiters[i];
        const bool owned = waiter->on_done == wend__path_request_done || waiter->on_done == wend__leg_answered;
        const bool orphan = waiter->on_done == wend__orphan_agent || waiter->on_done == wend__orphan_leg;
        if (!waiter->map || !(owned || orphan)) continue;
        if (owned && !(b->crowd && wend__crowd_owns(b->crowd, waiter)))
            return wend__refuse(WEND_BAD_ARGUMENT, "agents of another crowd wait for their searches");
        waiter->unrecorded = true;
    }
    return WEND_OK;
}

static void keep_owners(const beginning *b) {
    owner *next = b->owners;
    for (uint32_t i = 0; i < b->requests; i++, next++)
        *next = (owner){backlog_of(b)->waiters[i].on_done, backlog_of(b)->waiters[i].context};
    for (uint32_t i = 0; i < b->agents; i++) (next++)->context = b->crowd->agents[i].context;
    for (uint32_t i = 0; i < b->events; i++)
        (next++)->context = b->crowd->events.of[b->crowd->events.first + i].context;
}

/* A restore keeps places of requests and agents, and moves events to the front of their queue. */
static void give_back_owners(const beginning *b) {
    const owner *next = b->owners;
    WEND__DEBUG_ASSERT(b->crowd || (b->agents == 0 && b->events == 0));
    for (uint32_t i = 0; i < b->requests; i++, next++) {
        wend__waiter *waiter = &backlog_of(b)->waiters[i];
        if (waiter->map) waiter->on_done = next->on_done, waiter->context = next->context;
    }
    for (uint32_t i = 0; i < b->agents; i++) wend__agent_touch(b->crowd, i)->context = (next++)->context;
    for (uint32_t i = 0; i < b->events; i++, next++) {
        wend__queued_event *event = &b->crowd->events.of[i];
        if (event->event != WEND_AGENT_EVENT_CLEAR) event->context = next->context;
    }
}

/* ---- saves ---- */

/* Without room the bytes are only counted. */
static wend_error save_all(beginning *b) {
    uint8_t *at = b->saves;
    const bool counts = !at;
    wend_error error = wend_map_save_state(b->map, at, b->map_bytes, &b->map_bytes);
    if (!error || counts) {
        if (at) at += b->map_bytes;
        error = wend_service_save_state(b->service, &b->host, at, b->service_bytes, &b->service_bytes);
    }
    if (b->crowd && (!error || (counts && error == WEND_OUT_OF_MEMORY))) {
        if (at) at += b->service_bytes;
        error = wend_crowd_save_state(b->crowd, at, b->crowd_bytes, &b->crowd_bytes);
    }
    return counts && error == WEND_OUT_OF_MEMORY ? WEND_OK : error;
}

static wend_error make_saves(beginning *b) {
    WEND__DEBUG_ASSERT(!b->owners && !b->saves);
    wend_allocator allocator = b->service->def.allocator;
    wend_error error = save_all(b);
    if (error) return error;
    b->requests = backlog_of(b)->fresh;
    if (b->crowd) b->agents = b->crowd->used, b->events = b->crowd->events.count - b->crowd->events.first;
    const size_t owners = ((size_t)b->requests + b->agents + b->events) * sizeof(owner);
    b->all_bytes = owners + b->map_bytes + b->service_bytes + b->crowd_bytes;
    b->owners = wend__allocate(&allocator, b->all_bytes, _Alignof(owner));
    if (!b->owners) return WEND_OUT_OF_MEMORY;
    b->saves = (uint8_t *)b->owners + owners;
    keep_owners(b);
    return save_all(b);
}

/* Restores unrecorded, as the script does the same in its first lines. */
static wend_error restore_all(const beginning *b) {
    WEND__DEBUG_ASSERT(b->saves && b->service->recording);
    wend__recording *const recording = b->service->recording;
    b->service->recording = NULL;
    const uint8_t *at = b->saves + b->map_bytes;
    wend_error error = wend_service_restore_state(b->service, &b->host, at, b->service_bytes);
    if (!error && b->crowd) error = wend_crowd_restore_state(b->crowd, NULL, at + b->service_bytes, b->crowd_bytes);
    b->service->recording = recording;
    if (!error) give_back_owners(b);
    return error;
}

/* ---- lines ---- */

static void put_state(const beginning *b, int32_t part, uint64_t number, const wend_name *text) {
    wend_order order = {.kind = WEND_ORDER_STATE, .state = {.part = part, .number = number}};
    if (text) order.state.text = *text, wend__order_give(&order, &order.state.text);
    wend__tap_report(b->map, &order);
}

static void put_save(const beginning *b, int32_t part, const uint8_t *from, size_t bytes) {
    static const char digits[] = "0123456789abcdef";
    char text[2 * LINE_BYTES];
    while (bytes > 0) {
        const size_t now = bytes < LINE_BYTES ? bytes : LINE_BYTES;
        for (size_t i = 0; i < now; i++) text[2 * i] = digits[from[i] >> 4], text[2 * i + 1] = digits[from[i] & 15];
        from += now, bytes -= now;
        put_state(b, part, bytes, &(wend_name){.text = text, .length = (uint32_t)(2 * now)});
    }
}

/* Comes behind the map's save, as a restored map has other landmarks. */
static void put_tables(const beginning *b) {
    wend__version *version = wend__map_acquire(b->map, false);
    wend_order order;
    for (int32_t mover = 0; mover < wend__version_movers(version); mover++)
        if (wend__record_prepares(version, mover, &order)) wend__tap_report(b->map, &order);
    wend__map_release(version, false);
}

/* Names come before the saves that contain their objects. */
static void put_all(const beginning *b) {
    const wend__backlog *backlog = backlog_of(b);
    put_save(b, WEND__STATE_MAP, b->saves, b->map_bytes);
    put_tables(b);
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        const wend_name name = wend__numbered(0, (int64_t)wend__backlog_number(backlog, i));
        if (backlog->waiters[i].map && !backlog->waiters[i].unrecorded) put_state(b, WEND__STATE_REQUEST, i, &name);
    }
    put_save(b, WEND__STATE_SERVICE, b->saves + b->map_bytes, b->service_bytes);
    if (!b->crowd) return;
    wend__crowd_record_created(b->crowd);
    for (uint32_t i = 0; i < b->crowd->routes.count; i++) {
        const wend_name name = wend__numbered('r', i);
        put_state(b, WEND__STATE_ROUTE, i, &name);
    }
    put_save(b, WEND__STATE_CROWD, b->saves + b->map_bytes + b->service_bytes, b->crowd_bytes);
}

/* ---- all of it ---- */

static bool has_field(const wend_crowd *crowd, const wend_field *field) {
    bool has = false;
    for (uint32_t i = 0; crowd && i < crowd->flow_count; i++) has |= crowd->flows[i].field == field;
    return has;
}

static wend_error check(const beginning *b) {
    const wend_service *service = b->service;
    if (b->crowd && (b->crowd->def.service != service || b->crowd->def.map != b->map))
        return wend__refuse(WEND_BAD_ARGUMENT, "the crowd is of another service, or of another map");
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    if (b->map->arena != service->arena) return wend__refuse_arenas();
    for (const wend_field *field = service->fields.first; field; field = field->next)
        if (!has_field(b->crowd, field))
            return wend__refuse(WEND_UNSUPPORTED,
                                "a recording cannot hold flow fields: take them out of the service first");
    return sort_requests(b);
}

wend_error wend_service_record_state(wend_service *service, wend_map *map, wend_crowd *crowd, wend_record_fn *write,
                                     void *context) {
    if (!service) return wend__refuse_null("service");
    WEND__ALONE(service, "the service");
    if (!map) return wend__refuse_null("map");
    WEND__ALIVE(map, "the map");
    if (crowd) WEND__ALIVE(crowd, "the crowd");
    if (!write) return wend__refuse_null("write");
    beginning b = {.service = service, .map = map, .crowd = crowd};
    wend_allocator allocator = service->def.allocator;
    wend_save_host_init(&b.host, sizeof b.host);
    b.host.maps = &b.map, b.host.map_count = 1;
    wend_error error = check(&b);
    if (!error) error = wend__record_begin(service, write, context);
    if (error) return error;
    service->recording->first_number = 0;
    service->recording->saved_map = map;
    error = wend__record_see(service, map);
    if (!error) error = make_saves(&b);
    if (!error) error = restore_all(&b);
    if (!error) put_all(&b);
    if (b.owners) allocator.free(allocator.context, b.owners, b.all_bytes);
    if (error) (void)wend__record_end(service);
    return error;
}
