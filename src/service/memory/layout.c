/* SPDX-License-Identifier: MIT */
/* Checks limits, and lays out all parts in one piece of memory. */
#include "service/memory/memory.h"

#include "field/many/field_search.h"
#include "search/request/leg.h"
#include "service/backlog/backlog.h"
#include "service/queue/queue.h"
#include "service/state/service_state.h"
#include "service/store/heap.h"
#include "service/store/numbers.h"
#include "service/store/path_arena.h"

#include <inttypes.h>

enum { LINE = 64 };

static wend_error check_def(const wend_service_def *def) {
    const wend__range ranges[] = {{"queue", def->queue, 1, UINT32_C(1) << 24},
                                  {"workers", def->workers, 0, WEND_MAX_WORKERS},
                                  {"max_path_cells", def->max_path_cells, 1, UINT64_C(1) << 32},
                                  {"reserve", def->reserve, 0, def->queue}};
    return wend__check_ranges(ranges, sizeof ranges / sizeof ranges[0]);
}

static wend_error check_tuning(const wend_service_tuning *tuning) {
    const wend__range ranges[] = {{"tuning.lanes", tuning->lanes, 1, 64},
                                  {"tuning.searches", tuning->searches, tuning->lanes, 65536},
                                  {"tuning.list", tuning->list, 1, 256},
                                  {"tuning.fair", tuning->fair, 0, UINT32_MAX},
                                  {"tuning.evictions", tuning->evictions, 0, 1000000},
                                  {"tuning.restarts", tuning->restarts, 0, 1000000},
                                  {"tuning.goals", tuning->goals, 0, UINT32_C(1) << 24},
                                  {"tuning.horizon", tuning->horizon, 0, 65536},
                                  {"tuning.slice", tuning->slice, 1, UINT64_MAX},
                                  {"tuning.quantum", tuning->quantum, 0, UINT64_MAX},
                                  {"tuning.share_cells", tuning->share_cells, 0, UINT64_C(1) << 31},
                                  {"tuning.rush", tuning->rush, 0, WEND_URGENCY_MAX},
                                  {"tuning.far_nodes", tuning->far_nodes, 0, WEND_MAX_FAR_NODES}};
    return wend__check_ranges(ranges, sizeof ranges / sizeof ranges[0]);
}

/* Adds a part: `count` things of `size` bytes, on cache lines of their own. Too much sets bytes to SIZE_MAX. */
static size_t add(wend__layout *layout, uint64_t count, size_t size) {
    size_t at = layout->bytes;
    size_t room = (SIZE_MAX / 2 - LINE) / size;
    if (at == SIZE_MAX || count > room) {
        layout->bytes = SIZE_MAX;
        return 0;
    }
    size_t part = ((size_t)count * size + LINE - 1) / LINE * LINE;
    layout->bytes = at > SIZE_MAX / 2 - part ? SIZE_MAX : at + part;
    return at;
}

static void add_heap(wend__layout *layout, unsigned heap, uint32_t ids) {
    layout->items[heap] = add(layout, ids, sizeof(wend__heap_item));
    layout->places[heap] = add(layout, ids, sizeof(uint32_t));
}

static wend__lines_layout add_lines(wend__layout *layout, uint32_t ids) {
    const size_t of = add(layout, WEND__LINES, sizeof(wend__line_ends)),
                 places = add(layout, ids, sizeof(wend__line_place));
    const size_t items = add(layout, ids, sizeof(wend__heap_item)), heap_places = add(layout, ids, sizeof(uint32_t));
    return (wend__lines_layout){of, places, items, heap_places};
}

/* In a long queue only the next requests have entries. */
static void count_entries(wend__layout *layout, const wend_service_def *def) {
    layout->queue_places = layout->entry_count = def->queue + wend__full_beyond(def);
    if (def->queue > WEND__BACKLOG_FROM) layout->entry_count = WEND__BACKLOG_ENTRIES;
}

static void add_backlog(wend__layout *layout) {
    layout->waiters = add(layout, layout->queue_places, sizeof(wend__waiter));
    layout->waiter_lines = add_lines(layout, layout->queue_places);
    layout->wheel = add(layout, WEND__WHEEL, sizeof(uint32_t));
    layout->promoted = add(layout, WEND__LESSER_WORDS, sizeof(uint32_t));
}

static void add_queue(wend__layout *layout, const wend_service_def *def) {
    count_entries(layout, def);
    const uint32_t entries = layout->entry_count;
    add_backlog(layout);
    layout->changes = add(layout, entries, sizeof(wend__entry_changes));
    layout->agents = add(layout, layout->queue_places, sizeof(wend__agent_place));
    layout->entries = add(layout, entries, sizeof(wend__entry));
    for (unsigned i = 0; i < 2; i++) add_heap(layout, i, entries);
    for (unsigned i = 3; i < 5; i++) layout->items[i] = add(layout, entries, sizeof(wend__heap_item));
    if (def->displace) {
        layout->lesser = add(layout, WEND__LESSER_WORDS, sizeof(uint32_t));
        layout->takers = add(layout, WEND__MOST_OWED, sizeof(int32_t));
    }
    if (def->share) {
        layout->members = add(layout, entries, sizeof(wend__share_member));
        layout->groups = add(layout, entries / 2 + 1, sizeof(wend__group));
        layout->field = add(layout, wend__field_room(def->tuning->share_cells), 1);
    }
    layout->came = add(layout, WEND__LINES, sizeof(uint32_t));
    layout->went = add(layout, WEND__LINES, sizeof(uint32_t));
    layout->lines = add_lines(layout, entries);
    layout->numbers_room = wend__numbers_room(entries);
    layout->words = add(layout, wend__numbers_all_words(layout->numbers_room), sizeof(uint64_t));
    layout->ids = add(layout, layout->numbers_room, sizeof(uint32_t));
}

uint32_t wend__service_finders(const wend_service_def *def) {
    return def->workers > 0 || def->jobs.run ? def->tuning->lanes : 1;
}

static void add_searches(wend__layout *layout, const wend_service_def *def, size_t pool_bytes) {
    add_heap(layout, 2, def->tuning->searches);
    layout->slots = add(layout, def->tuning->searches, sizeof(wend__slot));
    layout->lanes = add(layout, def->tuning->lanes, sizeof(wend__lane));
    layout->lists = add(layout, (uint64_t)def->tuning->lanes * def->tuning->list, sizeof(uint32_t));
    layout->buffers = add(layout, def->tuning->lanes, WEND__LANE_BUFFER);
    const size_t finder_bytes = wend__finder_bytes(def->tuning->far_nodes);
    if (finder_bytes > 0) layout->finders = add(layout, wend__service_finders(def), finder_bytes);
    layout->pool = add(layout, 1, pool_bytes);
}

static void add_paths(wend__layout *layout, const wend_service_def *def) {
    layout->blocks = add(layout, layout->block_count, sizeof(wend__path_block));
    layout->cells = add(layout, def->max_path_cells, sizeof(wend_cell));
}

static void add_goals(wend__layout *layout, const wend_service_def *def) {
    layout->room = def->tuning->goals < WEND_MAX_GOALS - 1 ? def->tuning->goals : WEND_MAX_GOALS - 1;
    layout->goals = add(layout, def->tuning->goals, sizeof(wend__goal));
    layout->rooms = add(layout, ((uint64_t)def->tuning->searches + 1) * layout->room, sizeof(wend_cell));
}

wend_error wend__service_layout(const wend_service_def *def, wend__layout *out) {
    wend_error error = check_def(def);
    if (!error) error = check_tuning(def->tuning);
    if (!error) error = wend__check_allocator(&def->allocator);
    if (error) return error;
    if (def->workers > 0 && def->jobs.run)
        return wend__refuse(WEND_BAD_ARGUMENT, "workers is %u, but must be 0 where jobs.run is given", def->workers);
    wend__layout layout = {.pages = wend__pool_pages(def->nodes)};
    if (layout.pages < def->tuning->lanes) layout.pages = def->tuning->lanes;
    uint64_t blocks = def->path_bytes / sizeof(wend__path_block);
    uint64_t least = wend__paths_blocks(def->max_path_cells - 1, true);
    if (blocks < least) blocks = least;
    size_t pool_bytes = wend__pool_bytes(layout.pages, def->tuning->searches);
    if (blocks >= WEND__NONE) return wend__refuse(WEND_BAD_ARGUMENT, "path_bytes is more than 256 GiB of blocks");
    if (pool_bytes == 0)
        return wend__refuse(WEND_BAD_ARGUMENT, "nodes is %" PRIu64 ", more than fit into memory", def->nodes);
    layout.block_count = (uint32_t)blocks;
    add(&layout, 1, sizeof(wend_service));
    layout.mutex = add(&layout, 1, wend__mutex_bytes());
    if (def->workers > 0) layout.crew = add(&layout, 1, wend__crew_bytes(def->workers));
    layout.slices = add(&layout, (uint64_t)def->workers + 1, sizeof(uint64_t));
    add_queue(&layout, def);
    add_searches(&layout, def, pool_bytes);
    add_paths(&layout, def);
    add_goals(&layout, def);
    if (layout.bytes == SIZE_MAX)
        return wend__refuse(WEND_BAD_ARGUMENT, "the limits together need more bytes than a size_t holds");
    *out = layout;
    return WEND_OK;
}
