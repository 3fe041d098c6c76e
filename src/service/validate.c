/* SPDX-License-Identifier: MIT */
/* Assertions of the invariants of a service between two frames. */
#include "service/validate.h"

#include "base/fault.h"
#include "service/queue/queue.h"

#ifdef WEND_DEBUG

enum { EACH_FRAME = 1024 }; /* entries that a frame checks on average */

/// Counts of entries in each state, and of what they hold, by their lists.
typedef struct census {
    uint64_t entries, waiting, joined, members, with_slot, holding, unslotted, withdrawn, in_field, blocks;
} census;

/* ---- lists ---- */

static void count_entry(const wend_service *service, uint32_t index, census *all) {
    const wend__entry *entry = &service->entries[index];
    const bool finished = entry->state == WEND__FINISHED, joined = entry->state == WEND__JOINED;
    all->entries++;
    all->waiting += entry->state == WEND__WAITING;
    all->joined += joined;
    all->with_slot += entry->slot != WEND__NONE && !finished;
    all->holding += entry->slot != WEND__NONE && finished;
    all->unslotted += entry->slot == WEND__NONE && !finished && !joined;
    all->withdrawn += finished && wend__is_withdrawn(entry);
    all->in_field += entry->in_field;
    all->blocks += entry->path.blocks;
    WEND__ASSERT(entry->buffered == WEND__NONE);
    WEND__ASSERT(entry->path.blocks == 0 || finished);
    WEND__ASSERT((entry->version != NULL) == (entry->slot != WEND__NONE && !finished));
    WEND__ASSERT(entry->slot == WEND__NONE || service->slots[entry->slot].entry == index);
    if (entry->slot != WEND__NONE && finished && !WEND__FAULT("layers-after-version"))
        WEND__ASSERT(!service->slots[entry->slot].search.version && !service->slots[entry->slot].search.layers);
    WEND__ASSERT(entry->slot == WEND__NONE || entry->state == WEND__WAITING || finished);
    const wend__group *group = wend__group_of(service, index);
    WEND__ASSERT(!joined || (group && group->leader != index && group->count > 0));
    if (group && group->leader == index) all->members += group->count;
}

/* Asserts that a list is linked both ways, and all its entries are in one of two states. */
static uint32_t walk_chain(const wend_service *service, wend__chain chain, uint8_t state, uint8_t end, census *all) {
    uint32_t count = 0, before = WEND__NONE;
    for (uint32_t at = chain.first; at != WEND__NONE; before = at, at = service->entries[at].next, count++) {
        WEND__ASSERT(service->entries[at].previous == before && count < service->inbox.fresh_entry);
        WEND__ASSERT(service->entries[at].state >= state && service->entries[at].state <= end);
        if (all) count_entry(service, at, all);
    }
    WEND__ASSERT(chain.last == before);
    return count;
}

/* Asserts that the least is first, and each id is at its place in the heap. */
static void walk_heap(const wend__heap *heap) {
    for (uint32_t k = 0; k < heap->count; k++) {
        WEND__ASSERT(heap->places[heap->items[k].id] == k);
        WEND__ASSERT(k == 0 || !wend__heap_before(&heap->items[k], &heap->items[(k - 1) / 2]));
    }
}

static uint32_t walk_line(const wend_service *service, uint32_t number) {
    const wend__line_ends *line = &service->lines.of[number];
    const wend__line_place *places = service->lines.places;
    uint32_t count = 0, before = WEND__NONE;
    for (uint32_t at = line->first; at != WEND__NONE; before = at, at = places[at].behind, count++) {
        const wend__entry *entry = &service->entries[at];
        WEND__ASSERT(places[at].before == before && count < service->inbox.fresh_entry);
        WEND__ASSERT(entry->state == WEND__WAITING && places[at].key == wend__order_key(entry) && !entry->postponed);
        WEND__ASSERT(wend__rank(entry->request.urgency) == number);
        WEND__ASSERT(before == WEND__NONE || service->entries[before].number < entry->number);
    }
    WEND__ASSERT(count > 0 && line->last == before);
    return count;
}

static void validate_order(const wend_service *service, const census *all) {
    const wend__lines *lines = &service->lines;
    uint64_t count = lines->heap.count;
    for (uint32_t word = 0; word < WEND__LINE_WORDS; word++) {
        WEND__ASSERT((lines->words >> word & 1) == (lines->busy[word] != 0));
        for (uint64_t left = lines->busy[word]; left; left &= left - 1)
            count += walk_line(service, word << 6 | wend__ctz64(left));
    }
    for (uint32_t k = 0; k < lines->heap.count; k++) {
        const wend__heap_item *item = &lines->heap.items[k];
        WEND__ASSERT(lines->heap.places[item->id] == k && wend__lines_heaped(lines, item->id));
        WEND__ASSERT(item->major == wend__order_key(&service->entries[item->id]));
    }
    WEND__ASSERT(count == all->waiting); /* each waits in one place of the order */
}

static void walk_ages(const wend_service *service, census *all) {
    const wend__ages *ages = &service->ages;
    walk_chain(service, ages->chain, WEND__WAITING, WEND__JOINED, all);
    for (uint32_t at = ages->chain.first; at != WEND__NONE; at = service->entries[at].next) {
        const uint32_t next = service->entries[at].next;
        WEND__ASSERT(service->entries[at].state != WEND__SCHEDULED && !service->entries[at].returned);
        WEND__ASSERT(next == WEND__NONE || service->entries[at].number < service->entries[next].number);
    }
    for (uint32_t k = 0; k < ages->returned.count; k++) {
        WEND__ASSERT(service->entries[ages->returned.items[k].id].returned);
        count_entry(service, ages->returned.items[k].id, all);
    }
    const uint32_t oldest = wend__ages_first(service);
    WEND__ASSERT(oldest == WEND__NONE || service->entries[oldest].state != WEND__BARRED); /* or it would never go on */
}

static void count_finished(const wend_service *service, uint32_t index, bool left_over, census *all) {
    WEND__ASSERT(service->entries[index].state == WEND__FINISHED && service->entries[index].left_over == left_over);
    WEND__ASSERT(service->entries[index].status != WEND_STATUS_PENDING);
    count_entry(service, index, all);
}

static void walk_finished(const wend_service *service, census *all) {
    const wend__numbers *finished = &service->finished;
    uint64_t *const *levels = finished->levels;
    uint32_t near = 0;
    for (uint32_t place = 0; finished->near > 0 && place < finished->room; place++) {
        bool has = true;
        for (unsigned level = WEND__NUMBER_LEVELS; has && level-- > 0;)
            has = levels[level][(uint64_t)place >> 6 * (level + 1)] >> (place >> 6 * level & 63) & 1;
        if (!has) continue;
        WEND__ASSERT(service->entries[finished->ids[place]].number == finished->base + place);
        count_finished(service, finished->ids[place], false, all);
        near++;
    }
    for (uint32_t k = 0; k < finished->far.count; k++) count_finished(service, finished->far.items[k].id, false, all);
    for (uint32_t k = 0; k < service->left_over.count; k++)
        count_finished(service, service->left_over.items[k].id, true, all);
    WEND__ASSERT(near == finished->near && near + finished->far.count == finished->count);
    WEND__ASSERT(walk_chain(service, service->left_since, WEND__FINISHED, WEND__FINISHED, NULL) ==
                 service->left_over.count);
}

/* ---- references of entries ---- */

static uint32_t walk_free_slots(const wend_service *service, uint32_t first) {
    uint32_t count = 0;
    for (uint32_t at = first; at != WEND__NONE; at = service->slots[at].next_free, count++)
        WEND__ASSERT(service->slots[at].entry == WEND__NONE && count < service->fresh_slot);
    return count;
}

/* Asserts that each slot and each page has one owner, or is free. */
static void validate_slots(const wend_service *service, const census *all) {
    const wend__pool *pool = &service->pool;
    uint64_t pages = wend__pool_free_pages(pool), open = wend__pool_free_open(pool), used = 0;
    for (uint32_t k = 0; k < service->fresh_slot; k++) {
        const wend__slot *slot = &service->slots[k];
        used += slot->entry != WEND__NONE;
        WEND__ASSERT(slot->entry == WEND__NONE || service->entries[slot->entry].slot == k);
        if (!slot->ready) continue;
        pages += slot->search.pages.count + (slot->search.far.page != WEND__NONE);
        open += slot->search.open_pages.count;
    }
    const uint32_t free =
        walk_free_slots(service, service->free_slots[0]) + walk_free_slots(service, service->free_slots[1]);
    WEND__ASSERT(used == (uint64_t)service->running + service->holding && used + free == service->fresh_slot);
    WEND__ASSERT(all->with_slot == service->running && all->holding == service->holding);
    WEND__ASSERT(service->parked.count == service->running);
    WEND__ASSERT(pages == pool->page_count && open == pool->open_count);
}

static void validate_paths(const wend_service *service, const census *all) {
    const wend__paths *paths = &service->paths;
    WEND__ASSERT(paths->promised == 0);
    WEND__ASSERT(all->blocks + paths->free_count == paths->count);
    WEND__ASSERT(all->in_field == service->share.holders);
    WEND__ASSERT(all->in_field == 0 || service->share.field);
}

/* ---- counts ---- */

/* Asserts that the counts by urgency match the accepted and unfinished requests. */
static uint32_t sum_unfinished(const wend_service *service) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < WEND__LINES; k++) sum += service->inbox.came[k] - service->went[k];
    return sum;
}

static uint32_t walk_free_entries(const wend__inbox *inbox) {
    uint32_t count = 0;
    for (uint32_t at = inbox->free_entry; at != WEND__NONE; at = inbox->changes[at].next_free, count++)
        WEND__ASSERT(count < inbox->fresh_entry);
    return count;
}

/* Asserts that every accepted request is pending, or got its one completion, and every pending one is in a list. */
static void validate_counts(const wend_service *service, const census *all) {
    const wend__inbox *inbox = &service->inbox;
    uint64_t changes = 0;
    for (uint32_t k = 0; k < inbox->fresh_entry; k++)
        changes += (inbox->changes[k].side[0].what != 0) + (uint64_t)(inbox->changes[k].side[1].what != 0);
    WEND__ASSERT(all->entries + walk_free_entries(inbox) == inbox->fresh_entry && all->entries == inbox->backlog.used);
    WEND__ASSERT(all->entries + inbox->backlog.count == inbox->pending);
    WEND__ASSERT(inbox->work + inbox->resting == inbox->pending);
    WEND__ASSERT(inbox->submitted == service->figures.completed + inbox->pending);
    WEND__ASSERT(sum_unfinished(service) == (uint32_t)(inbox->pending - wend__finished_count(service)));
    WEND__ASSERT(inbox->asked == changes);
    WEND__ASSERT(!inbox->lesser ||
                 wend__full_below(inbox->lesser, WEND_URGENCY_MAX + 1) == all->unslotted + inbox->backlog.count);
    WEND__ASSERT(all->members == all->joined);
    WEND__ASSERT(all->withdrawn == service->withdrawn);
}

/* ---- a frame ---- */

static bool looks(const wend_service *service) {
    return service->frame % (1 + service->inbox.fresh_entry / EACH_FRAME) == 0;
}

static void validate(const wend_service *service) {
    census all = {0};
    walk_chain(service, service->arrivals, WEND__ARRIVED, WEND__ARRIVED, &all);
    WEND__ASSERT(walk_chain(service, service->land_waits, WEND__AWAITS_LAND, WEND__AWAITS_LAND, &all) ==
                 service->land_wait_count);
    walk_ages(service, &all);
    walk_finished(service, &all);
    const wend__heap *heaps[] = {&service->due, &service->finished.far, &service->parked, &service->left_over,
                                 &service->ages.returned};
    for (size_t k = 0; k < sizeof heaps / sizeof *heaps; k++) walk_heap(heaps[k]);
    validate_order(service, &all);
    validate_slots(service, &all);
    validate_paths(service, &all);
    validate_counts(service, &all);
}

void wend__service_validate(wend_service *service) {
    WEND__ASSERT(service->pins.spare == 0 && !service->newest.version); /* no unused pin between frames */
    wend__mutex_lock(service->inbox.mutex);
    if (looks(service)) validate(service);
    wend__mutex_unlock(service->inbox.mutex);
}

void wend__service_validate_rounds(const wend_service *service, const wend__tick *tick) {
    const wend__budget *budget = tick->budget;
    const bool limited = budget->us != WEND_NO_LIMIT || budget->rounds != WEND_NO_LIMIT;
    WEND__ASSERT(tick->frame->expansions + tick->left == budget->expansions);
    if (limited || service->closing || tick->left == 0 || service->holding > 0) return;
    WEND__ASSERT(wend__order_first(service) == WEND__NONE);
}

#endif
