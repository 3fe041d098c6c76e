/* SPDX-License-Identifier: MIT */
/* Services: pending requests, in their order, and the estimates of the schedule. A restore puts them where new requests
 * wait. Running searches, and answers that wait for a later frame, are in no save: they begin again. */
#include "agents/plan/path_request.h"
#include "map/version/map.h"
#include "mark/beside.h"
#include "save/save_crowd.h"
#include "save/save_fields.h"
#include "search/request/request.h"
#include "service/fields/service_fields.h"
#include "service/inbox/inbox.h"
#include "service/memory/memory.h"
#include "service/queue/queue.h"
#include <wend/save.h>

/// Owners of a request. A restored crowd finds its own requests by their tickets.
enum { OWNER_HOST, OWNER_AGENT, OWNER_LEG };

enum { MOST_LAG = 1 << 20 };      ///< most frames by which deadlines of the backlog may be late
#define UNLISTED (WEND__NONE - 1) ///< a free record that is not in the list of free ones so far
#define MOST_NUMBER (UINT64_C(1) << 52)
#define MOST_LACK (INT64_C(1) << 61) ///< so that expansions can be added

/// A service that is saved or restored.
typedef struct service_save {
    wend__save save;
    wend_service *service;
    wend_save_host host;
    wend__series series;
    uint32_t used; ///< restoring: records with a request
    bool settles;  ///< restoring at the place of the save: owners stay
    bool any_map;  ///< hashing: requests may be on any map
} service_save;

/* ---- counts of the service and its schedule ---- */

WEND__INLINE void histogram_fields(wend__words *f, bool reads, wend__histogram *histogram) {
    WEND__FIELD(histogram->total);
    WEND__FIELD(histogram->max);
}

/* Refused requests are only counted. A recording does not have them. */
WEND__INLINE uint32_t service_fields(uint32_t *words, bool reads, bool hashes, wend_service *service, bool *bad) {
    wend__words own = {.at = words}, *f = &own;
    wend__inbox *inbox = &service->inbox;
    wend__figures *figures = &service->figures;
    WEND__FIELD_BELOW(service->frame, MOST_NUMBER);
    WEND__FIELD_BELOW(inbox->number, MOST_NUMBER);
    WEND__FIELD(inbox->submitted);
    if (!hashes) WEND__FIELD(inbox->refused);
    WEND__FIELD(inbox->served);
    WEND__FIELD(inbox->backlog.dealt);
    WEND__FIELD(inbox->backlog.expired);
    WEND__FIELD(service->choices);
    WEND__FIELD(service->slice);
    WEND__FIELD(service->last_slice);
    WEND__FIELD(service->quantum);
    WEND__FIELD(service->usual_spent);
    WEND__FIELD(service->list_length);
    WEND__FIELD(service->lanes_scheduled);
    WEND__FIELD(service->fair_turn);
    WEND__FIELD(service->fair_lack);
    WEND__FIELD(service->ended.count);
    WEND__FIELD(service->ended.spent);
    WEND__FIELD(service->shared_rounds);
    WEND__FIELD(service->submitted_before);
    WEND__FIELD(figures->shared);
    WEND__FIELD(figures->frames);
    WEND__FIELD(figures->completed);
    WEND__FIELD(figures->expansions);
    WEND__FIELD(figures->rounds);
    WEND__FIELD(figures->evictions);
    WEND__FIELD(figures->checks);
    WEND__FIELD(figures->outdated);
    for (int i = 0; i < 16; i++) WEND__FIELD(figures->statuses[i]);
    histogram_fields(f, reads, &figures->wait);
    histogram_fields(f, reads, &figures->latency);
    if (reads && (service->fair_lack > MOST_LACK || service->fair_lack < -MOST_LACK))
        own.bad = true, service->fair_lack = 0;
    *bad = own.bad;
    return (uint32_t)(own.at - words);
}

static void pass_histogram(wend__save *save, wend__histogram *histogram) {
    for (unsigned i = 0; i < WEND__HISTOGRAM; i++) wend__save_number(save, &histogram->counts[i]);
}

static void pass_counts(service_save *s) {
    wend_service *service = s->service;
    bool bad = false;
    wend__series_begin(&s->series);
    wend__series_pass(&s->save, &s->series,
                      service_fields(s->series.words, false, s->save.hash != NULL, service, &bad));
    if (s->save.reads) {
        service_fields(s->series.words, true, false, service, &bad);
        const uint64_t late = service->frame - service->inbox.backlog.expired;
        bad |= late > MOST_LAG || service->list_length == 0 || service->list_length > service->tuning.list;
        service->inbox.frame = service->frame;
    }
    s->save.bad |= bad;
    if (s->save.hash) return;
    pass_histogram(&s->save, &service->figures.wait);
    pass_histogram(&s->save, &service->figures.latency);
}

/* ---- its maps: no save of a service contains graphs ---- */

static void pass_maps(service_save *s, wend_error *error) {
    uint32_t count = s->host.map_count;
    wend__save_below(&s->save, &count, UINT32_MAX);
    for (uint32_t i = 0; i < count && !s->save.bad && !*error; i++) {
        wend_map *map = i < s->host.map_count ? s->host.maps[i] : NULL;
        wend__version *version = map && map->kind == WEND_KIND_GRAPH ? wend__map_newest(map) : NULL;
        const uint64_t own = version ? wend__save_hash_graph(version) : 0;
        uint64_t hash = own;
        if (version) wend__map_release(version, false);
        wend__save_number(&s->save, &hash);
        if (map && hash != own)
            *error =
                wend__refuse(WEND_BAD_ARGUMENT, "maps[%u] is a graph with other nodes or edges than the save's", i);
    }
}

/* ---- a request ---- */

/// A request's record in a save.
typedef struct saved_request {
    wend__waiter waiter;
    uint64_t number;
    uint32_t index, map;
    uint8_t owner;
} saved_request;

WEND__INLINE void request_fields(wend__words *f, bool reads, saved_request *saved) {
    wend__waiter *w = &saved->waiter;
    WEND__FIELD(saved->index);
    WEND__FIELD_BELOW(saved->number, MOST_NUMBER);
    WEND__FIELD(saved->map);
    WEND__FIELD_BELOW(saved->owner, OWNER_LEG + 1);
    WEND__FIELD(w->max_expansions);
    WEND__FIELD(w->agent);
    WEND__FIELD(w->start);
    WEND__FIELD(w->goal);
    WEND__FIELD(w->submitted);
    WEND__FIELD(w->deadline);
    WEND__FIELD(w->occupied);
    WEND__FIELD(w->urgency);
    WEND__FIELD(w->minds);
    WEND__FIELD(w->mover);
    WEND__FIELD(w->reach);
    WEND__FIELD(w->goal_count);
    WEND__FIELD_BELOW(w->ends, WEND_STATUS_COUNT);
    WEND__FIELD_BITS(w->weight_milli, 0x1ffff);
    WEND__FIELD_BITS(w->engine, 3);
    WEND__FIELD_BITS(w->mode, 3);
    WEND__FIELD_BITS(w->unloaded, 3);
    WEND__FIELD_BITS(w->heuristic, 3);
    WEND__FIELD_BITS(w->on_stale, 1);
    WEND__FIELD_BITS(w->leaves, 1);
    WEND__FIELD_BITS(w->far_begin, 1);
    WEND__FIELD_BITS(w->moved, 1);
    WEND__FIELD_BITS(w->open, 1);
    WEND__FIELD_BITS(w->cancelled, 1);
    WEND__FIELD_BITS(w->unrecorded, 1);
}

WEND__INLINE void hash_request(wend__lanes *lanes, saved_request *saved) {
    wend__words f = {.mixes = true, .mixer = wend__mixer_begin(lanes)};
    request_fields(&f, false, saved);
    *lanes = wend__mixer_end(&f.mixer);
}

static void pass_request(service_save *s, saved_request *saved) {
    wend__words written = {.at = s->series.words}, read = written;
    if (s->save.hash) {
        hash_request(s->save.hash, saved);
        return;
    }
    request_fields(&written, false, saved);
    wend__series_pass(&s->save, &s->series, (uint32_t)(written.at - s->series.words));
    if (s->save.reads) request_fields(&read, true, saved);
    s->save.bad |= read.bad;
}

/* ---- saving: a request after all requested changes ---- */

/* Another thread may have requested changes since the last frame. The side that threads write has the later ones. */
static void apply_asked(const wend__inbox *inbox, uint32_t entry, saved_request *saved) {
    for (unsigned i = 0; i < 2; i++) {
        const wend__change *change = &inbox->changes[entry].side[i == 0 ? 1 - inbox->side : inbox->side];
        if (change->what & WEND__CHANGE_URGENCY) saved->waiter.urgency = (int16_t)change->urgency;
        if (change->what & WEND__CHANGE_GOAL) wend__backlog_set_goal(&saved->waiter, change->goal);
        if (change->what & WEND__CHANGE_END) saved->waiter.ends = (uint8_t)wend__change_status(change->what);
    }
}

/* Returns whether a request ends with a fixed status, whatever a search would find. */
static bool ends_so(wend_status status) {
    return status == WEND_STATUS_CANCELLED || status == WEND_STATUS_REPLACED || status == WEND_STATUS_EXPIRED ||
           status == WEND_STATUS_DISPLACED;
}

static uint8_t owner_of(const wend__waiter *waiter) {
    if (waiter->on_done == wend__path_request_done || waiter->on_done == wend__orphan_agent) return OWNER_AGENT;
    if (waiter->on_done == wend__leg_answered || waiter->on_done == wend__orphan_leg) return OWNER_LEG;
    return OWNER_HOST;
}

/* Takes what an entry has of a request since it left the backlog: its urgency, limit, goal, and end. */
static void take_present(wend__waiter *now, const wend__entry *entry) {
    now->urgency = (int16_t)entry->request.urgency;
    now->max_expansions = entry->request.max_expansions;
    now->moved = (entry->request.flags & WEND__REQUEST_GOAL_MOVED) != 0;
    if (now->moved) wend__backlog_set_goal(now, entry->request.goal);
    now->ends = entry->state == WEND__FINISHED && ends_so(entry->status) ? (uint8_t)entry->status : 0;
}

static wend_error describe_request(const service_save *s, uint32_t index, saved_request *saved, uint32_t *goals) {
    const wend__inbox *inbox = &s->service->inbox;
    const wend__waiter *waiter = &inbox->backlog.waiters[index];
    WEND__DEBUG_ASSERT(index < inbox->backlog.fresh && waiter->map);
    *saved = (saved_request){.waiter = *waiter,
                             .number = wend__backlog_number(&inbox->backlog, index),
                             .index = index,
                             .owner = owner_of(waiter)};
    *goals = waiter->goals_first;
    if (waiter->entry != WEND__NONE) {
        const wend__entry *entry = &s->service->entries[waiter->entry];
        take_present(&saved->waiter, entry);
        saved->number = entry->number;
        *goals = entry->goals_first;
        apply_asked(inbox, waiter->entry, saved);
    }
    for (; saved->map < s->host.map_count; saved->map++)
        if (s->host.maps[saved->map] == waiter->map) return WEND_OK;
    if (s->any_map) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "a pending request is on a map that is not among the %u of the host",
                        s->host.map_count);
}

/* Hashes a request whose goal is that of its record, and which has no further goals and no changes to come: without
 * a copy of the record. Returns false if it is none. */
static bool hash_plain_request(service_save *s, uint32_t index) {
    const wend__inbox *inbox = &s->service->inbox;
    const wend__waiter *waiter = &inbox->backlog.waiters[index];
    const wend__entry *entry = waiter->entry != WEND__NONE ? &s->service->entries[waiter->entry] : NULL;
    if (waiter->goal_count > 0 || (entry && entry->request.flags & WEND__REQUEST_GOAL_MOVED)) return false;
    if (entry && (inbox->changes[waiter->entry].side[0].what | inbox->changes[waiter->entry].side[1].what))
        return false;
    saved_request saved = {.waiter = *waiter, .index = index, .owner = owner_of(waiter)};
    saved.number = entry ? entry->number : wend__backlog_number(&inbox->backlog, index);
    if (entry) take_present(&saved.waiter, entry);
    hash_request(s->save.hash, &saved);
    return true;
}

static wend_error save_request(service_save *s, uint32_t index, bool ended) {
    const wend__inbox *inbox = &s->service->inbox;
    saved_request saved;
    uint32_t at;
    if (s->save.hash && hash_plain_request(s, index)) return WEND_OK;
    const wend_error error = describe_request(s, index, &saved, &at);
    if (error || ((saved.waiter.ends != 0) != ended && !s->save.hash)) return error;
    pass_request(s, &saved);
    for (uint32_t k = 0; k < saved.waiter.goal_count && at != WEND__NONE; k++, at = inbox->goals.items[at].next) {
        wend_cell cell = inbox->goals.items[at].cell;
        uint64_t x = (uint32_t)cell.x, y = (uint32_t)cell.y, z = (uint32_t)cell.z;
        wend__save_number(&s->save, &x);
        wend__save_number(&s->save, &y);
        wend__save_number(&s->save, &z);
    }
    return WEND_OK;
}

/* Requests that ended come first, in the order in which they ended. */
static wend_error save_requests(service_save *s) {
    const wend__backlog *backlog = &s->service->inbox.backlog;
    wend_error error = WEND_OK;
    wend__series_begin(&s->series);
    for (uint32_t i = backlog->ended.first; i != WEND__NONE && !error; i = backlog->waiters[i].newer)
        error = save_request(s, i, true);
    for (uint32_t i = 0; i < backlog->fresh && !error && !s->save.hash; i++)
        if (backlog->waiters[i].map && backlog->waiters[i].entry != WEND__NONE) error = save_request(s, i, true);
    for (uint32_t i = 0; i < backlog->fresh && !error; i++)
        if (backlog->waiters[i].map) error = save_request(s, i, false);
    return error;
}

/* ---- tickets: a restored ticket is valid, and a stale one stays stale ---- */

static void hash_tickets(const service_save *s) {
    const wend__backlog *backlog = &s->service->inbox.backlog;
    wend__mixer mixer = wend__mixer_begin(s->save.hash);
    wend__mixer_add(&mixer, backlog->fresh, 32);
    for (uint32_t i = 0; i < backlog->fresh; i++) wend__mixer_add(&mixer, backlog->waiters[i].generation, 32);
    for (uint32_t at = backlog->free_first; at != WEND__NONE; at = backlog->waiters[at].entry)
        wend__mixer_add(&mixer, at, 32);
    *s->save.hash = wend__mixer_end(&mixer);
}

static void save_tickets(service_save *s) {
    WEND__DEBUG_ASSERT(s->service->inbox.pending <= s->service->inbox.backlog.fresh);
    const wend__backlog *backlog = &s->service->inbox.backlog;
    uint64_t fresh = backlog->fresh, free = fresh - s->service->inbox.pending;
    wend__save_number(&s->save, &fresh);
    wend__save_number(&s->save, &free);
    wend__series_begin(&s->series);
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        s->series.words[0] = backlog->waiters[i].generation;
        wend__series_pass(&s->save, &s->series, 1);
    }
    wend__series_begin(&s->series);
    for (uint32_t at = backlog->free_first; at != WEND__NONE; at = backlog->waiters[at].entry) {
        s->series.words[0] = at;
        wend__series_pass(&s->save, &s->series, 1);
    }
}

static void pass_takers(service_save *s) {
    wend__inbox *inbox = &s->service->inbox;
    wend__save_below(&s->save, &inbox->owed, inbox->takers ? WEND__MOST_OWED + UINT64_C(1) : 1);
    WEND__DEBUG_ASSERT(inbox->takers || inbox->owed == 0);
    for (uint32_t i = 0; i < inbox->owed; i++) {
        uint32_t rank = s->save.reads ? 0 : wend__rank(inbox->takers[i]);
        wend__save_below(&s->save, &rank, WEND__LINES);
        inbox->takers[i] = WEND_URGENCY_MAX - (int32_t)rank;
    }
}

/* ---- restoring ---- */

static void restore_tickets(service_save *s, uint64_t *free) {
    wend__backlog *backlog = &s->service->inbox.backlog;
    uint64_t fresh = 0;
    wend__save_number(&s->save, &fresh);
    wend__save_number(&s->save, free);
    if (!wend__save_check(&s->save, fresh <= backlog->capacity && *free <= fresh)) return;
    wend__series_begin(&s->series);
    for (uint32_t i = 0; i < fresh && !s->save.bad; i++) {
        wend__series_pass(&s->save, &s->series, 1);
        wend__waiter *waiter = &backlog->waiters[i];
        *waiter = (wend__waiter){.generation = s->series.words[0],
                                 .entry = UNLISTED,
                                 .on_done = s->settles ? waiter->on_done : NULL,
                                 .context = s->settles ? waiter->context : NULL};
        wend__save_check(&s->save, s->series.words[0] != 0);
        backlog->fresh = i + 1;
        wend__agents_grow(s->service);
    }
    uint32_t *link = &backlog->free_first;
    wend__series_begin(&s->series);
    for (uint64_t i = 0; i < *free && !s->save.bad; i++) {
        wend__series_pass(&s->save, &s->series, 1);
        const uint32_t at = s->series.words[0];
        if (!wend__save_check(&s->save, at < fresh && backlog->waiters[at].entry == UNLISTED)) break;
        backlog->waiters[at].entry = WEND__NONE;
        *link = at;
        link = &backlog->waiters[at].entry;
    }
}

static void no_answer(void *context, const wend_completion *done) {
    (void)context, (void)done;
}

void wend__orphan_agent(void *context, const wend_completion *done) {
    no_answer(context, done);
}

void wend__orphan_leg(void *context, const wend_completion *done) {
    no_answer(context, done);
}

/* Restores the fields of a request that no save contains: the owner of its answer. */
static void find_owner(const service_save *s, const saved_request *saved, const wend_cell *goals,
                       wend__waiter *waiter) {
    WEND__DEBUG_ASSERT(saved->owner <= OWNER_LEG);
    if (saved->owner != OWNER_HOST) {
        waiter->on_done = saved->owner == OWNER_AGENT ? wend__orphan_agent : wend__orphan_leg;
        return;
    }
    wend_request request;
    wend_search_options options;
    wend_request_init(&request, sizeof request);
    wend__request own = wend__backlog_read(waiter);
    own.more_goals = goals;
    wend__request_give(&own, &request, &options);
    request.agent = waiter->agent;
    request.on_done = NULL;
    if (s->host.request) s->host.request(s->host.context, (wend_ticket){saved->index, waiter->generation}, &request);
    waiter->on_done = request.on_done ? request.on_done : no_answer;
    waiter->context = request.context;
}

/* Returns whether submit() would have accepted the request, as the map's rules and nodes may have changed. */
static bool is_valid(const wend__waiter *waiter, const wend_cell *goals) {
    wend__request request = wend__backlog_read(waiter);
    request.flags &= ~WEND__REQUEST_GOAL_MOVED;
    request.more_goals = goals;
    const bool flat = waiter->map->kind == WEND_KIND_GRID && !waiter->map->wrap;
    if (flat && request.mode == WEND_MODE_FAR) request.mode = WEND_MODE_EXACT;
    const int64_t cells = (int64_t)waiter->map->width * waiter->map->height * waiter->map->depth;
    return waiter->start < cells && waiter->goal < cells && waiter->urgency >= WEND_URGENCY_MIN &&
           waiter->urgency <= WEND_URGENCY_MAX && !wend__request_check_form(&request);
}

static bool restore_goals(service_save *s, wend__waiter *waiter, wend_cell goals[WEND_MAX_GOALS]) {
    if (!wend__save_check(&s->save, waiter->goal_count < WEND_MAX_GOALS)) return false;
    for (uint32_t k = 0; k < waiter->goal_count; k++) {
        uint32_t x = 0, y = 0, z = 0;
        wend__save_below(&s->save, &x, (uint64_t)waiter->map->width);
        wend__save_below(&s->save, &y, (uint64_t)waiter->map->height);
        wend__save_below(&s->save, &z, (uint64_t)waiter->map->depth);
        goals[k] = (wend_cell){(int32_t)x, (int32_t)y, (int32_t)z};
    }
    if (!wend__save_check(&s->save, is_valid(waiter, goals))) return false;
    return wend__save_check(&s->save, wend__goal_store_keep(&s->service->inbox.goals, goals, waiter->goal_count,
                                                            &waiter->goals_first, &waiter->goals_last));
}

/* Adds an ended request to the ended ones; any other to a heap, which gives them in the order of submission. */
static void restore_request(service_save *s) {
    wend__inbox *inbox = &s->service->inbox;
    wend__backlog *backlog = &inbox->backlog;
    saved_request saved = {0};
    pass_request(s, &saved);
    if (!wend__save_check(&s->save, saved.index < backlog->fresh && saved.map < s->host.map_count &&
                                        saved.number < inbox->number &&
                                        (saved.waiter.ends == 0 || ends_so(saved.waiter.ends))))
        return;
    wend__waiter *waiter = &backlog->waiters[saved.index];
    if (!wend__save_check(&s->save, waiter->entry == UNLISTED)) return;
    saved.waiter.generation = waiter->generation;
    saved.waiter.entry = WEND__NONE;
    saved.waiter.map = s->host.maps[saved.map];
    wend_cell goals[WEND_MAX_GOALS];
    if (!restore_goals(s, &saved.waiter, goals)) return;
    saved.waiter.on_done = waiter->on_done, saved.waiter.context = waiter->context;
    if (!s->settles) find_owner(s, &saved, goals, &saved.waiter);
    *waiter = saved.waiter;
    wend_map_retain(waiter->map);
    s->used++;
    inbox->came[wend__rank(waiter->urgency)]++;
    if (inbox->lesser) wend__full_add(inbox->lesser, waiter->urgency, 1);
    const uint8_t ends = waiter->ends;
    backlog->lines.places[saved.index].key = wend__line_key(waiter->urgency, false, saved.number);
    if (ends == 0) {
        wend__heap_push(&backlog->lines.heap, saved.number, 0, saved.index);
        return;
    }
    waiter->ends = 0;
    wend__backlog_add(backlog, saved.index, saved.number);
    wend__backlog_end(backlog, saved.index, ends);
}

/* Adds each at the end of its line, in the order of submission, never to the lines' own heap. */
static void order_requests(service_save *s) {
    wend__backlog *backlog = &s->service->inbox.backlog;
    wend__heap *heap = &backlog->lines.heap;
    uint64_t before = UINT64_MAX;
    while (heap->count > 0) {
        const uint64_t number = heap->items[0].major;
        const uint32_t index = heap->items[0].id;
        wend__heap_remove(heap, index);
        wend__save_check(&s->save, number != before);
        WEND__DEBUG_ASSERT(index < backlog->fresh && backlog->waiters[index].map);
        if (!s->save.bad) wend__backlog_add(backlog, index, number);
        if (backlog->waiters[index].agent != WEND_NO_AGENT) wend__agents_put(s->service, index);
        before = number;
    }
}

static void restore_requests(service_save *s) {
    wend__inbox *inbox = &s->service->inbox;
    uint64_t free = 0;
    restore_tickets(s, &free);
    pass_takers(s);
    const uint64_t used = inbox->backlog.fresh - free;
    wend__series_begin(&s->series);
    for (uint64_t i = 0; i < used && !s->save.bad; i++) restore_request(s);
    order_requests(s);
    inbox->pending = inbox->work = s->used;
    wend__save_check(&s->save, inbox->submitted - s->service->figures.completed == s->used && inbox->owed <= s->used);
}

/* ---- all of it ---- */

static const wend_save_host default_host = {.struct_bytes = sizeof default_host};

static wend_error read_host(const wend_service *service, const wend_save_host *theirs, wend_save_host *own) {
    *own = default_host;
    if (theirs && !WEND__READ_STRUCT(wend_save_host, agent, own, theirs)) return WEND_BAD_ARGUMENT;
    wend_error error = wend__check_room("maps", own->maps, own->map_count);
    for (uint32_t i = 0; i < own->map_count && !error; i++)
        if (!own->maps[i])
            error = wend__refuse_null("maps[]");
        else if (own->maps[i]->arena != service->arena)
            error = wend__refuse_arenas();
    return error;
}

void wend_save_host_init(wend_save_host *host, size_t bytes) {
    wend__sized_init(host, bytes, &default_host, sizeof default_host);
}

/* Adds the progress of searches, which no save contains. */
static void hash_searches(service_save *s) {
    const wend_service *service = s->service;
    const wend__backlog *backlog = &service->inbox.backlog;
    wend__mixer mixer = wend__mixer_begin(s->save.hash);
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        if (!backlog->waiters[i].map || backlog->waiters[i].entry == WEND__NONE) continue;
        const wend__entry *entry = &service->entries[backlog->waiters[i].entry];
        const bool searched = entry->slot != WEND__NONE && service->slots[entry->slot].ready;
        const wend__search *search = searched ? &service->slots[entry->slot].search : NULL;
        wend__mixer_add(&mixer, i, 32);
        wend__mixer_add(&mixer, entry->state, 8);
        wend__mixer_add(&mixer, (uint64_t)entry->status & UINT8_MAX, 8);
        wend__mixer_add(&mixer, searched, 8);
        wend__mixer_flush(&mixer);
        wend__mixer_add(&mixer, entry->spent, 64);
        wend__mixer_add(&mixer, entry->wait_frames, 64);
        wend__mixer_add(&mixer, (uint64_t)entry->cost, 64);
        if (!searched) continue;
        wend__mixer_add(&mixer, search->expansions, 64);
        wend__mixer_add(&mixer, search->owed, 64);
    }
    *s->save.hash = wend__mixer_end(&mixer);
    for (const wend_field *field = service->fields.first; field; field = field->next) {
        uint64_t numbers[] = {field->phase, field->cursor, field->known, field->owed, field->goal_count};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) wend__save_number(&s->save, &numbers[k]);
    }
}

uint64_t wend__hash_service(wend_service *service) {
    wend__lanes lanes;
    service_save s = {.service = service, .any_map = true};
    wend__hash_begin(&s.save, WEND__SAVE_SERVICE, &lanes);
    wend__mutex_lock(service->inbox.mutex);
    pass_counts(&s);
    hash_tickets(&s);
    pass_takers(&s);
    (void)save_requests(&s);
    hash_searches(&s);
    wend__mutex_unlock(service->inbox.mutex);
    return wend__hash_end(&s.save);
}

/* After a failed restore a service is empty. */
static wend_error drop_all(service_save *s, wend_error error) {
    wend__inbox *inbox = &s->service->inbox;
    while (inbox->backlog.lines.heap.count > 0)
        wend__heap_remove(&inbox->backlog.lines.heap, inbox->backlog.lines.heap.items[0].id);
    wend__service_forget(s->service);
    inbox->frame = inbox->backlog.expired = s->service->frame;
    inbox->submitted = s->service->submitted_before = s->service->figures.completed;
    s->service->list_length = 1;
    return error;
}

/* Continues after the head of the save and its maps. */
static wend_error load(service_save *s) {
    wend__service_forget(s->service);
    pass_counts(s);
    restore_requests(s);
    const wend_error error = wend__load_end(&s->save);
    return error ? drop_all(s, error) : WEND_OK;
}

/* Brings the service into the state to which a restore of its save brings another one. */
static wend_error settle(const service_save *saved, const void *buffer, size_t bytes) {
    service_save s = {.service = saved->service, .host = saved->host, .settles = true};
    wend_error error = wend__load_begin(&s.save, WEND__SAVE_SERVICE, buffer, bytes);
    if (!error) pass_maps(&s, &error);
    wend__service_fields_restart(s.service);
    return error ? error : load(&s);
}

wend_error wend_service_save_state(wend_service *service, const wend_save_host *host, void *buffer, size_t capacity,
                                   size_t *bytes) {
    if (!service) return wend__refuse_null("service");
    WEND__ALONE(service, "the service");
    service_save s = {.service = service};
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    wend_error error = read_host(service, host, &s.host);
    if (error) return error;
    wend__save_begin(&s.save, WEND__SAVE_SERVICE, buffer, capacity);
    pass_maps(&s, &error);
    wend__mutex_lock(service->inbox.mutex);
    pass_counts(&s);
    save_tickets(&s);
    pass_takers(&s);
    error = save_requests(&s);
    wend__mutex_unlock(service->inbox.mutex);
    size_t count = 0;
    if (!error) error = wend__save_end(&s.save, &count);
    if (bytes && count > 0) *bytes = count;
    return error || service->recording ? error : settle(&s, buffer, count);
}

wend_error wend_service_restore_state(wend_service *service, const wend_save_host *host, const void *buffer,
                                      size_t bytes) {
    if (!service) return wend__refuse_null("service");
    WEND__ALONE(service, "the service");
    service_save s = {.service = service};
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    if (service->recording) return wend__refuse(WEND_IN_USE, "the service is being recorded: end the recording first");
    wend_error error = read_host(service, host, &s.host);
    if (!error) error = wend__load_begin(&s.save, WEND__SAVE_SERVICE, buffer, bytes);
    if (!error) pass_maps(&s, &error);
    if (error) return error;
    return load(&s);
}

/* ---- owners ---- */

static void adopt(service_save *s, uint32_t index) {
    const wend__inbox *inbox = &s->service->inbox;
    wend__waiter *waiter = &inbox->backlog.waiters[index];
    wend_cell goals[WEND_MAX_GOALS];
    saved_request saved;
    uint32_t at;
    (void)describe_request(s, index, &saved, &at);
    for (uint32_t k = 0; k < saved.waiter.goal_count && at != WEND__NONE; k++, at = inbox->goals.items[at].next)
        goals[k] = inbox->goals.items[at].cell;
    find_owner(s, &saved, goals, &saved.waiter);
    waiter->on_done = saved.waiter.on_done, waiter->context = saved.waiter.context;
    if (waiter->entry == WEND__NONE) return;
    wend__request *request = &s->service->entries[waiter->entry].request;
    request->on_done = waiter->on_done, request->context = waiter->context;
}

wend_error wend_service_adopt(wend_service *service, const wend_save_host *host) {
    if (!service) return wend__refuse_null("service");
    WEND__ALONE(service, "the service");
    service_save s = {.service = service, .any_map = true};
    if (wend__service_in_callback(service)) return wend__refuse_in_frame();
    const wend_error error = read_host(service, host, &s.host);
    if (error) return error;
    for (uint32_t i = 0; i < service->inbox.backlog.fresh; i++) {
        const wend__waiter *waiter = &service->inbox.backlog.waiters[i];
        if (waiter->map && owner_of(waiter) == OWNER_HOST) adopt(&s, i);
    }
    return WEND_OK;
}
