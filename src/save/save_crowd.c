/* SPDX-License-Identifier: MIT */
/* Crowds: their counts, their parts, and their requests in the service. */
#include "save/save_crowd.h"

#include "agents/manners/traffic_state.h"
#include "agents/plan/path.h"
#include "agents/plan/path_request.h"
#include "agents/state/bodies.h"
#include "base/hash.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "service/backlog/backlog.h"

/* ---- limits: a crowd restores saves of crowds of its own definition ---- */

enum { LIMITS = 12, WITH_GRAPH = LIMITS + 2 }; ///< and a hash of the graph

static uint32_t limit_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    uint32_t *limits = of;
    for (int i = 0; i < WITH_GRAPH; i++) WEND__FIELD(limits[i]);
    return wend__crowd_fields_end(&own, words, bad);
}

static wend_error pass_limits(wend__crowd_save *c) {
    const wend_crowd *crowd = c->crowd;
    const wend_map *map = crowd->def.map;
    const uint64_t graph = wend__save_hash_graph(c->version);
    const uint32_t own[WITH_GRAPH] = {
        crowd->def.agents,         (uint32_t)(crowd->def.path_bytes / sizeof(wend__stored_block)),
        crowd->tuning.events,      crowd->tuning.routes,
        crowd->tuning.route_cells, crowd->tuning.head_start,
        crowd->tuning.fields,      (uint32_t)map->width,
        (uint32_t)map->height,     (uint32_t)map->depth,
        (uint32_t)map->kind,       crowd->far_ways != NULL,
        (uint32_t)graph,           (uint32_t)(graph >> 32)};
    uint32_t saved[WITH_GRAPH];
    memcpy(saved, own, sizeof own);
    wend__series_begin(&c->series);
    wend__crowd_pass(c, limit_fields, saved);
    if (c->save.bad || memcmp(saved, own, sizeof own) == 0) return WEND_OK;
    if (memcmp(saved, own, LIMITS * sizeof *own) == 0)
        return wend__refuse(WEND_BAD_ARGUMENT, "the save is of a crowd on a graph with other nodes or edges");
    return wend__refuse(WEND_BAD_ARGUMENT,
                        "the save is of a crowd with other limits: %u agents, a map of %u x %u x %u cells, …", saved[0],
                        saved[7], saved[8], saved[9]);
}

/* ---- counts ---- */

#define MOST_SCALE (INT64_MAX / WEND_MAX_SPEED_MILLI) ///< a count times a speed stays in range

static uint32_t count_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend_crowd *crowd = of;
    wend__traffic *t = crowd->traffic;
    wend_crowd_stats *counts = &crowd->counts;
    const uint64_t newest = c->version->revision;
    WEND__FIELD_REVISION(crowd->land_revision, newest);
    WEND__FIELD(crowd->serial);
    WEND__FIELD_BELOW(crowd->elapsed, WEND_MAX_ELAPSED_MILLI + 1);
    WEND__FIELD(crowd->scale);
    WEND__FIELD(crowd->latency);
    WEND__FIELD(crowd->lead_effort);
    WEND__FIELD(crowd->led_effort);
    WEND__FIELD(crowd->busy_at);
    WEND__FIELD(crowd->work.left);
    WEND__FIELD(crowd->work.kept);
    WEND__FIELD(crowd->work.waited);
    WEND__FIELD_INDEX(crowd->first_starved, crowd->def.agents);
    WEND__FIELD_INDEX(crowd->work_exempt, crowd->def.agents);
    WEND__FIELD(crowd->group.order_number);
    WEND__FIELD(crowd->next_counter);
    WEND__FIELD(t->decision);
    WEND__FIELD(t->pushes);
    WEND__FIELD(t->turns);
    WEND__FIELD(counts->updates);
    WEND__FIELD(counts->goals_begun);
    for (int i = 0; i < 16; i++) WEND__FIELD(counts->event_counts[i]);
    WEND__FIELD(counts->searches_begun);
    WEND__FIELD(counts->steps);
    WEND__FIELD(counts->head_starts);
    WEND__FIELD(counts->field_goals);
    WEND__FIELD(counts->far_routes);
    if (reads && (crowd->scale < 0 || crowd->scale > MOST_SCALE)) f->bad = true, crowd->scale = 0;
    return wend__crowd_fields_end(&own, words, bad);
}

/* ---- its requests ---- */

enum { OF_AGENT, OF_LEG };

/// A request by its place in the service's queue, and the owner of its answer.
typedef struct crowd_request {
    uint32_t waiter, of;
    uint8_t kind;
} crowd_request;

static uint32_t pending_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    crowd_request *request = of;
    WEND__FIELD(request->waiter);
    WEND__FIELD_BELOW(request->kind, OF_LEG + 1);
    WEND__FIELD(request->of);
    return wend__crowd_fields_end(&own, words, bad);
}

bool wend__crowd_owns(const wend_crowd *crowd, const wend__waiter *waiter) {
    const uintptr_t context = (uintptr_t)waiter->context, first = (uintptr_t)crowd;
    if (!waiter->map || (waiter->on_done != wend__path_request_done && waiter->on_done != wend__leg_answered))
        return false;
    return context >= first && context - first < crowd->bytes;
}

static void save_pending(wend__crowd_save *c) {
    const wend_crowd *crowd = c->crowd;
    const wend__backlog *backlog = &crowd->def.service->inbox.backlog;
    uint64_t pending = crowd->pending;
    wend__save_number(&c->save, &pending);
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < backlog->fresh && pending > 0; i++) {
        const wend__waiter *waiter = &backlog->waiters[i];
        if (!wend__crowd_owns(crowd, waiter)) continue;
        crowd_request request = {.waiter = i, .kind = waiter->on_done == wend__leg_answered ? OF_LEG : OF_AGENT};
        if (request.kind == OF_LEG)
            request.of = (uint32_t)((wend__route_leg *)waiter->context - crowd->routes.legs);
        else
            request.of = (uint32_t)((wend__agent *)waiter->context - crowd->agents);
        pending--;
        if (c->save.hash)
            c->save.hash->of[i % WEND__LANES] =
                wend__lane_with(c->save.hash->of[i % WEND__LANES], (uint64_t)request.of << 32 | i << 1 | request.kind);
        else
            wend__crowd_pass(c, pending_fields, &request);
    }
}

/* The service has been restored from a save of the same frame, so that it has these requests, without an owner. */
static wend_error restore_pending(wend__crowd_save *c) {
    wend_crowd *crowd = c->crowd;
    wend__backlog *backlog = &crowd->def.service->inbox.backlog;
    uint64_t pending = 0;
    wend__save_number(&c->save, &pending);
    wend__series_begin(&c->series);
    for (uint64_t i = 0; i < pending && !c->save.bad; i++) {
        crowd_request request = {0};
        wend__crowd_pass(c, pending_fields, &request);
        const bool leg = request.kind == OF_LEG;
        if (!wend__save_check(&c->save, request.of < (leg ? crowd->routes.leg_count : crowd->def.agents))) break;
        wend__waiter *waiter = request.waiter < backlog->fresh ? &backlog->waiters[request.waiter] : NULL;
        if (!waiter || !waiter->map || waiter->on_done != (leg ? wend__orphan_leg : wend__orphan_agent))
            return wend__refuse(WEND_BAD_ARGUMENT, "the service lacks requests of the crowd: restore it first, from a "
                                                   "save of the same frame");
        waiter->on_done = leg ? wend__leg_answered : wend__path_request_done;
        waiter->context = leg ? (void *)&crowd->routes.legs[request.of] : (void *)&crowd->agents[request.of];
        if (!leg) wend__crowd_slot(c, request.of)->crowd = crowd; /* its agent may be removed */
        crowd->pending++;
    }
    return WEND_OK;
}

/* Returns whether a ticket belongs to the pending request with that owner. */
static bool is_pending(const wend_crowd *crowd, wend_ticket ticket, wend_done_fn *on_done, const void *context) {
    const wend__backlog *backlog = &crowd->def.service->inbox.backlog;
    if (ticket.index >= backlog->fresh) return false;
    const wend__waiter *waiter = &backlog->waiters[ticket.index];
    return waiter->map && waiter->generation == ticket.generation && waiter->on_done == on_done &&
           waiter->context == context;
}

/* Returns whether all searches of the crowd are its own requests. */
static bool are_searches_sound(const wend_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__agent *agent = &crowd->agents[i];
        if (crowd->phase[i] == WEND__PHASE_ABSENT || agent->request.ticket.generation == 0) continue;
        if (!is_pending(crowd, agent->request.ticket, wend__path_request_done, agent)) return false;
    }
    for (uint32_t i = 0; i < crowd->routes.leg_count; i++) {
        const wend__route_leg *leg = &crowd->routes.legs[i];
        if (leg->state == WEND__LEG_REQUESTED && !is_pending(crowd, leg->ticket, wend__leg_answered, leg)) return false;
    }
    return true;
}

/* Drops the present requests: their answers have no owner. */
static void disown(wend_crowd *crowd) {
    wend__backlog *backlog = &crowd->def.service->inbox.backlog;
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        wend__waiter *waiter = &backlog->waiters[i];
        if (!wend__crowd_owns(crowd, waiter)) continue;
        waiter->on_done = waiter->on_done == wend__leg_answered ? wend__orphan_leg : wend__orphan_agent;
        waiter->context = NULL;
    }
}

/* ---- all of it ---- */

/* In this order each part can be checked with the parts before. */
static void pass_parts(wend__crowd_save *c) {
    void (*const parts[])(wend__crowd_save *) = {wend__save_routes, wend__save_flows,       wend__save_marches,
                                                 wend__save_ends,   wend__save_agents,      wend__save_events,
                                                 wend__save_boxes,  wend__save_narrow_ways, wend__save_window};
    wend__series_begin(&c->series);
    wend__crowd_pass(c, count_fields, c->crowd);
    for (unsigned i = 0; i < sizeof parts / sizeof *parts && !c->save.bad; i++) parts[i](c);
}

wend_error wend_crowd_save_state(wend_crowd *crowd, void *buffer, size_t capacity, size_t *bytes) {
    if (!crowd) return wend__refuse_null("crowd");
    WEND__CROWD_CALL(crowd);
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    wend__crowd_save c = {.crowd = crowd};
    if (!crowd->def.service->recording)
        wend__near_drop(crowd); /* no save has near fields: they begin again here, too */
    c.version = wend__map_newest(crowd->def.map);
    wend__save_begin(&c.save, WEND__SAVE_CROWD, buffer, capacity);
    (void)pass_limits(&c);
    pass_parts(&c);
    save_pending(&c);
    (void)wend__save_bodies(&c);
    wend__map_release(c.version, false);
    return wend__save_end(&c.save, bytes);
}

uint64_t wend__hash_crowd(wend_crowd *crowd) {
    wend__lanes lanes;
    wend__crowd_save c = {.crowd = crowd};
    c.version = wend__map_newest(crowd->def.map);
    wend__hash_begin(&c.save, WEND__SAVE_CROWD, &lanes);
    pass_parts(&c);
    save_pending(&c);
    (void)wend__save_bodies(&c);
    wend__map_release(c.version, false);
    return wend__hash_end(&c.save);
}

static wend_error restore(wend__crowd_save *c) {
    const wend__event_queue *events = &c->crowd->events;
    wend_error error = pass_limits(c);
    if (error) return error;
    disown(c->crowd);
    wend__forget_bodies(c->crowd, c->crowd->used);
    wend__crowd_forget(c->crowd);
    pass_parts(c);
    wend__save_check(&c->save, events->count - events->first + events->reserved <= events->capacity);
    if (!c->save.bad) error = restore_pending(c);
    if (!c->save.bad && !error) wend__save_check(&c->save, are_searches_sound(c->crowd));
    if (!c->save.bad && !error) error = wend__save_bodies(c);
    if (!error) error = wend__load_end(&c->save);
    if (!error) return WEND_OK;
    disown(c->crowd);
    wend__forget_bodies(c->crowd, c->crowd->def.agents);
    wend__crowd_forget(c->crowd);
    return error;
}

wend_error wend_crowd_restore_state(wend_crowd *crowd, const wend_save_host *host, const void *buffer, size_t bytes) {
    if (!crowd) return wend__refuse_null("crowd");
    WEND__CROWD_CALL(crowd);
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    if (crowd->def.service->recording)
        return wend__refuse(WEND_IN_USE, "the crowd's service is being recorded: end the recording first");
    wend__crowd_save c = {.crowd = crowd, .host.struct_bytes = sizeof c.host};
    if (host && !WEND__READ_STRUCT(wend_save_host, agent, &c.host, host)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__load_begin(&c.save, WEND__SAVE_CROWD, buffer, bytes);
    if (error) return error;
    c.version = wend__map_newest(crowd->def.map);
    error = restore(&c);
    wend__map_release(c.version, false);
    return error;
}

/* ---- one number for all data that affects later frames ---- */

wend_error wend_world_hash(wend_map *map, wend_service *service, wend_crowd *crowd, uint64_t *hash) {
    if (map) WEND__ALIVE(map, "the map");
    if (service) WEND__ALIVE(service, "the service");
    if (crowd) WEND__ALIVE(crowd, "the crowd");
    if (!hash) return wend__refuse_null("hash");
    if (service && wend__service_in_callback(service)) return wend__refuse_in_frame();
    if (crowd && wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    uint64_t all = map ? wend__hash_map(map) : 0;
    all = wend__mix64(all) + (service ? wend__hash_service(service) : 0);
    *hash = wend__mix64(all) + (crowd ? wend__hash_crowd(crowd) : 0);
    return WEND_OK;
}

wend_error wend_crowd_hash_agent(wend_crowd *crowd, wend_agent_id id, uint64_t *hash) {
    if (!crowd) return wend__refuse_null("crowd");
    WEND__CROWD_CALL(crowd);
    if (!hash) return wend__refuse_null("hash");
    if (wend__crowd_in_callback(crowd)) return wend__crowd_refuse_callback();
    if (!wend__crowd_has(crowd, id)) return wend__crowd_refuse_id(id);
    wend__lanes lanes;
    wend__crowd_save c = {.crowd = crowd};
    c.version = wend__map_newest(crowd->def.map);
    wend__hash_begin(&c.save, WEND__SAVE_CROWD, &lanes);
    wend__hash_agent(&c, id.index);
    wend__hash_body(&c, id.index);
    wend__map_release(c.version, false);
    *hash = wend__hash_end(&c.save);
    return WEND_OK;
}
