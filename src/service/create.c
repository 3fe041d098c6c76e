/* SPDX-License-Identifier: MIT */
/* Creates a service: the one allocation, with all parts empty. */
#include "service/memory/memory.h"
#include "base/base.h"
#include "field/many/field_search.h"
#include "mark/beside.h"
#include "search/request/leg.h"
#include "service/backlog/backlog.h"
#include "service/queue/queue.h"
#include "service/scheduling/scheduling.h"
#include "service/share/share.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/numbers.h"
#include "service/store/path_arena.h"

#include <string.h>
#include <wend/host.h>

static wend_service_tuning default_tuning(void) {
    return (wend_service_tuning){.struct_bytes = sizeof(wend_service_tuning),
                                 .lanes = 4,
                                 .searches = 64,
                                 .list = 16,
                                 .fair = 8,
                                 .evictions = 8,
                                 .restarts = 8,
                                 .goals = 4096,
                                 .horizon = 8,
                                 .slice = 1000,
                                 .share_cells = 262144,
                                 .far_nodes = WEND__FAR_NODES};
}

void wend_service_tuning_init(wend_service_tuning *tuning, size_t bytes) {
    const wend_service_tuning own = default_tuning();
    wend__sized_init(tuning, bytes, &own, sizeof own);
}

static wend_service_def default_def(void) {
    return (wend_service_def){.struct_bytes = sizeof(wend_service_def),
                              .queue = 65536,
                              .nodes = UINT64_C(1) << 20,
                              .max_path_cells = 65536,
                              .path_bytes = UINT64_C(1) << 20,
                              .allocator = wend_allocator_default(),
                              .clock = wend__clock_default()};
}

void wend_service_def_init(wend_service_def *def, size_t bytes) {
    const wend_service_def own = default_def();
    wend__sized_init(def, bytes, &own, sizeof own);
}

wend_error wend_service_def_preset(wend_service_def *def, size_t bytes, int32_t preset) {
    static const struct {
        uint32_t queue;
        uint64_t nodes, max_path_cells;
    } presets[] = {[WEND_PRESET_SMALL] = {256, UINT64_C(1) << 18, 1024},
                   [WEND_PRESET_SERVER] = {2048, UINT64_C(1) << 20, 4096},
                   [WEND_PRESET_MMO] = {32768, UINT64_C(1) << 22, 8192}};
    wend_service_def own = default_def();
    wend_error error = wend__check_range("preset", preset, WEND_PRESET_SMALL, WEND_PRESET_MMO);
    if (!error) {
        own.queue = presets[preset].queue;
        own.nodes = presets[preset].nodes;
        own.max_path_cells = presets[preset].max_path_cells;
    }
    wend__sized_init(def, bytes, &own, sizeof own);
    return error;
}

/* Copies both structs of the caller, with defaults for fields that it does not know; out->tuning is `tuning`. */
static bool take_def(const wend_service_def *theirs, wend_service_def *out, wend_service_tuning *tuning) {
    *out = default_def();
    *tuning = default_tuning();
    if (!WEND__READ_STRUCT(wend_service_def, tuning, out, theirs)) return false;
    const wend_service_tuning *given = out->tuning;
    out->tuning = tuning;
    return !given || WEND__READ_STRUCT(wend_service_tuning, quantum, tuning, given);
}

static wend__chain empty_chain(void) {
    return (wend__chain){WEND__NONE, WEND__NONE};
}

static void place_lines(wend__lines *lines, uint8_t *memory, const wend__lines_layout *layout) {
    lines->of = (wend__line_ends *)(void *)(memory + layout->of);
    lines->places = (wend__line_place *)(void *)(memory + layout->places);
    lines->heap.items = (wend__heap_item *)(void *)(memory + layout->items);
    lines->heap.places = (uint32_t *)(void *)(memory + layout->heap_places);
}

static void place_backlog(wend__backlog *backlog, uint8_t *memory, const wend__layout *layout) {
    backlog->waiters = (wend__waiter *)(void *)(memory + layout->waiters);
    backlog->capacity = layout->queue_places;
    backlog->entries = layout->entry_count;
    backlog->spare = layout->entry_count < layout->queue_places ? WEND__BACKLOG_SPARE : 0;
    backlog->free_first = WEND__NONE;
    place_lines(&backlog->lines, memory, &layout->waiter_lines);
    backlog->ages = backlog->ended = empty_chain();
    backlog->wheel = (uint32_t *)(void *)(memory + layout->wheel);
    for (uint32_t i = 0; i < WEND__WHEEL; i++) backlog->wheel[i] = WEND__NONE;
    backlog->promoted = (uint32_t *)(void *)(memory + layout->promoted);
    memset(backlog->promoted, 0, WEND__LESSER_WORDS * sizeof *backlog->promoted);
}

static void place_inbox(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    wend__inbox *inbox = &service->inbox;
    inbox->changes = (wend__entry_changes *)(void *)(memory + layout->changes);
    inbox->agents = (wend__agent_place *)(void *)(memory + layout->agents);
    inbox->free_entry = inbox->changed[0] = inbox->changed[1] = WEND__NONE;
    inbox->queue = service->def.queue;
    inbox->reserve = service->def.reserve;
    place_backlog(&inbox->backlog, memory, layout);
    if (service->def.displace) {
        inbox->lesser = (uint32_t *)(void *)(memory + layout->lesser);
        inbox->takers = (int32_t *)(void *)(memory + layout->takers);
        memset(inbox->lesser, 0, WEND__LESSER_WORDS * sizeof *inbox->lesser);
    }
    inbox->came = (uint32_t *)(void *)(memory + layout->came);
    memset(inbox->came, 0, WEND__LINES * sizeof *inbox->came);
    inbox->goals = (wend__goal_store){.items = (wend__goal *)(void *)(memory + layout->goals),
                                      .count = service->tuning.goals,
                                      .free_first = WEND__NONE,
                                      .free_count = service->tuning.goals};
}

static void place_heaps(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    wend__heap *heaps[3] = {&service->due, &service->finished.far, &service->parked};
    for (unsigned i = 0; i < 3; i++) {
        heaps[i]->items = (wend__heap_item *)(void *)(memory + layout->items[i]);
        heaps[i]->places = (uint32_t *)(void *)(memory + layout->places[i]);
    }
    service->ages.returned.items = (wend__heap_item *)(void *)(memory + layout->items[3]);
    service->left_over.items = (wend__heap_item *)(void *)(memory + layout->items[4]);
    service->ages.returned.places = service->left_over.places = service->finished.far.places; /* no entry is in two */
}

static void place_order(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    service->went = (uint32_t *)(void *)(memory + layout->went);
    memset(service->went, 0, WEND__LINES * sizeof *service->went);
    place_lines(&service->lines, memory, &layout->lines);
    wend__numbers_init(&service->finished, layout->numbers_room, (uint64_t *)(void *)(memory + layout->words),
                       (uint32_t *)(void *)(memory + layout->ids));
}

static void place_share(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    service->share.free_group = service->share.many = WEND__NONE;
    if (!service->def.share) return;
    service->share.members = (wend__share_member *)(void *)(memory + layout->members);
    service->share.groups = (wend__group *)(void *)(memory + layout->groups);
    service->share.room = memory + layout->field;
    service->share.room_bytes = wend__field_room(service->tuning.share_cells);
}

static void place_lanes(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    service->lanes = (wend__lane *)(void *)(memory + layout->lanes);
    uint32_t *lists = (uint32_t *)(void *)(memory + layout->lists);
    const uint32_t far_nodes = service->tuning.far_nodes;
    const size_t finder_bytes = wend__finder_bytes(far_nodes);
    for (uint32_t i = 0; i < service->tuning.lanes; i++) {
        memset(&service->lanes[i], 0, sizeof service->lanes[i]);
        service->lanes[i].list = lists + (size_t)i * service->tuning.list;
        if (finder_bytes == 0) continue;
        const uint32_t own = i % wend__service_finders(&service->def);
        struct wend__far_finder *finder =
            (struct wend__far_finder *)(void *)(memory + layout->finders + own * finder_bytes);
        if (own == i) wend__leg_hooks.finder_init(finder, far_nodes);
        service->lanes[i].stock.finder = finder;
    }
    service->list_length = 1;
}

/* No system has smaller pages; the last one may begin behind the last step. */
static void prefault(uint8_t *memory, size_t bytes) {
    enum { PAGE = 4096 };
    for (size_t at = 0; at < bytes; at += PAGE) *(volatile uint8_t *)(memory + at) = 0;
    *(volatile uint8_t *)(memory + bytes - 1) = 0;
}

/* Empties all lists of requests. */
static void place_requests(wend_service *service, uint8_t *memory, const wend__layout *layout) {
    service->entries = (wend__entry *)(void *)(memory + layout->entries);
    service->arrivals = service->land_waits = service->ages.chain = service->left_since = empty_chain();
    place_inbox(service, memory, layout);
    place_heaps(service, memory, layout);
    place_order(service, memory, layout);
    place_share(service, memory, layout);
    service->slots = (wend__slot *)(void *)(memory + layout->slots);
    service->free_slots[0] = service->free_slots[1] = WEND__NONE;
    place_lanes(service, memory, layout);
    wend__paths_init(&service->paths, memory + layout->blocks, layout->block_count);
}

static wend_error create(const wend_service_def *def, wend_service **out) {
    wend__layout layout;
    wend_error error = wend__service_layout(def, &layout);
    if (error) return error;
    wend_allocator allocator = wend__allocator_or_default(def->allocator);
    uint8_t *memory = wend__allocate(&allocator, layout.bytes, 64);
    if (!memory) return WEND_OUT_OF_MEMORY;
    if (def->tuning->prefault) {
        wend__allocator_use_huge_pages(&allocator, memory, layout.bytes);
        prefault(memory, layout.bytes);
    }
    wend_service *service = (wend_service *)(void *)memory;
    memset(service, 0, sizeof *service);
    service->def = *def;
    service->tuning = *def->tuning;
    service->def.tuning = &service->tuning;
    service->def.allocator = allocator;
    service->arena = wend__arena_of(memory);
    service->def.clock = wend__clock_or_default(def->clock);
    service->bytes = layout.bytes;
    service->inbox.mutex = (wend__mutex *)(void *)(memory + layout.mutex);
    wend__mutex_init(service->inbox.mutex);
    place_requests(service, memory, &layout);
    wend__pool_init(&service->pool, memory + layout.pool, layout.pages, def->tuning->searches);
    service->buffers = memory + layout.buffers;
    service->cells = (wend_cell *)(void *)(memory + layout.cells);
    service->rooms = (wend_cell *)(void *)(memory + layout.rooms);
    service->room = layout.room;
    service->slices = (uint64_t *)(void *)(memory + layout.slices);
    memset(service->slices, 0, ((size_t)def->workers + 1) * sizeof *service->slices);
    if (!wend__workers_start(service, memory + layout.crew)) {
        wend__mutex_destroy(service->inbox.mutex);
        allocator.free(allocator.context, memory, layout.bytes);
        return wend__refuse(WEND_OUT_OF_MEMORY, "the system cannot start %u threads: ask for fewer workers",
                            def->workers);
    }
    WEND__BORN(service, "the service");
    *out = service;
    return WEND_OK;
}

/* Releases what an entry holds. */
static void forget_entry(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    if (entry->slot != WEND__NONE) wend__memory_free_slot(service, index);
    wend_map_release(entry->request.map);
}

static void forget_requests(wend_service *service) {
    const wend__backlog *backlog = &service->inbox.backlog;
    for (uint32_t i = 0; i < backlog->fresh; i++) {
        const wend__waiter *waiter = &backlog->waiters[i];
        if (!waiter->map) continue;
        if (waiter->entry != WEND__NONE)
            forget_entry(service, waiter->entry);
        else
            wend_map_release(waiter->map);
    }
    if (service->share.field) {
        service->share.holders = 0;
        wend__goal_group_end(service);
    }
    wend__pins_drop(service);
}

void wend__service_forget(wend_service *service) {
    wend__layout layout;
    const wend__inbox inbox = service->inbox;
    forget_requests(service);
    (void)wend__service_layout(&service->def, &layout); /* the same layout as at creation */
    service->inbox = (wend__inbox){.mutex = inbox.mutex,
                                   .closed = inbox.closed,
                                   .fields_work = inbox.fields_work,
                                   .wake = inbox.wake,
                                   .wake_context = inbox.wake_context};
    service->all_pages = service->behind = service->ends = service->inherits = false;
    service->owed = service->withdrawn = service->land_wait_count = 0;
    service->fresh_slot = service->running = service->holding = 0;
    service->land_owed = 0;
    service->ages.returned.count = service->left_over.count = service->due.count = service->parked.count = 0;
    memset(&service->lines, 0, sizeof service->lines);
    memset(&service->finished, 0, sizeof service->finished);
    memset(&service->share, 0, sizeof service->share);
    service->wanted_chunks.count = 0;
    place_requests(service, (uint8_t *)service, &layout);
}

wend_error wend_service_create(const wend_service_def *def, wend_service **out) {
    wend_service_def own;
    wend_service_tuning tuning;
    if (!out) return wend__refuse_null("out");
    return take_def(def, &own, &tuning) ? create(&own, out) : WEND_BAD_ARGUMENT;
}

size_t wend_service_bytes(const wend_service_def *def) {
    wend_service_def own;
    wend_service_tuning tuning;
    wend__layout layout;
    return take_def(def, &own, &tuning) && !wend__service_layout(&own, &layout) ? layout.bytes : 0;
}
