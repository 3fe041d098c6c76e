/* SPDX-License-Identifier: MIT */
/* The order of service: urgency, then those that have not yielded before those that have, then submission number. */
#include "service/queue/queue.h"

#include "service/state/service_state.h"
#include "service/store/heap.h"

/* Numbers stay below 2^52: ten million requests a second for fourteen years. */
wend__heap_item wend__order_key(const wend__entry *entry) {
    const uint64_t rank = (uint64_t)(WEND_URGENCY_MAX - entry->request.urgency);
    return (wend__heap_item){rank << 53 | (uint64_t)entry->yielded << 52 | entry->number, 0, 0};
}

bool wend__order_before(const wend_service *service, uint32_t a, uint32_t b) {
    wend__heap_item key_a = wend__order_key(&service->entries[a]), key_b = wend__order_key(&service->entries[b]);
    return wend__heap_before(&key_a, &key_b);
}

/* ---- lines ---- */

static unsigned line_of(const wend__entry *entry) {
    return (unsigned)(WEND_URGENCY_MAX - entry->request.urgency);
}

static void mark(wend__lines *lines, unsigned line, bool busy) {
    uint64_t *word = &lines->busy[line >> 6], bit = UINT64_C(1) << (line & 63);
    *word = busy ? *word | bit : *word & ~bit;
    uint32_t one = UINT32_C(1) << (line >> 6);
    lines->words = *word ? lines->words | one : lines->words & ~one;
}

/* At either end of its line. False where its place is between others. */
static bool line_up(wend_service *service, uint32_t index) {
    wend__lines *lines = &service->lines;
    const wend__entry *entry = &service->entries[index];
    const unsigned number_of_line = line_of(entry);
    wend__urgency_line *line = &lines->of[number_of_line];
    if (!(lines->busy[number_of_line >> 6] >> (number_of_line & 63) & 1)) {
        *line = (wend__urgency_line){index, index, entry->number};
        lines->links[index] = (wend__chain){WEND__NONE, WEND__NONE};
        mark(lines, number_of_line, true);
    } else if (entry->number > line->last_number) {
        lines->links[index] = (wend__chain){line->last, WEND__NONE};
        lines->links[line->last].last = index;
        line->last = index;
        line->last_number = entry->number;
    } else if (entry->number < service->entries[line->first].number) {
        lines->links[index] = (wend__chain){WEND__NONE, line->first};
        lines->links[line->first].first = index;
        line->first = index;
    } else {
        return false;
    }
    return true;
}

/* The next in line is mostly scheduled next; among many that wait it is in no cache. */
static void fetch(const wend__entry *entry) {
    for (size_t at = 0; at < sizeof *entry; at += 64) WEND__PREFETCH((const char *)entry + at);
}

static void leave_line(wend_service *service, uint32_t index) {
    wend__lines *lines = &service->lines;
    const unsigned number_of_line = line_of(&service->entries[index]);
    wend__urgency_line *line = &lines->of[number_of_line];
    const uint32_t before = lines->links[index].first, behind = lines->links[index].last;
    if (before != WEND__NONE) lines->links[before].last = behind;
    if (behind != WEND__NONE) {
        lines->links[behind].first = before;
        fetch(&service->entries[behind]);
    }
    if (before == WEND__NONE) line->first = behind;
    if (behind == WEND__NONE) {
        line->last = before;
        if (before == WEND__NONE)
            mark(lines, number_of_line, false);
        else
            line->last_number = service->entries[before].number;
    }
}

static uint32_t first_in_line(const wend__lines *lines) {
    if (lines->words == 0) return WEND__NONE;
    const unsigned word = wend__ctz32(lines->words);
    return lines->of[word << 6 | wend__ctz64(lines->busy[word])].first;
}

/* ---- lines and heap ---- */

uint32_t wend__order_first(const wend_service *service) {
    const wend__heap *heap = &service->runnable;
    const uint32_t first = first_in_line(&service->lines);
    if (heap->count == 0) return first;
    if (first == WEND__NONE) return heap->items[0].id;
    const wend__heap_item key = wend__order_key(&service->entries[first]);
    return wend__heap_before(&key, &heap->items[0]) ? first : heap->items[0].id;
}

/* A request comes later where it is less urgent, or as urgent and newer. Quanta do not matter. */
static bool comes_later(const wend_service *service, uint32_t index, uint32_t than) {
    if (than == WEND__NONE) return true;
    const wend__entry *a = &service->entries[index], *b = &service->entries[than];
    return a->request.urgency != b->request.urgency ? a->request.urgency < b->request.urgency : a->number > b->number;
}

/* The last without a slot: few have one. */
static uint32_t last_in_lines(const wend_service *service) {
    const wend__lines *lines = &service->lines;
    for (unsigned number_of_line = WEND__LINES; number_of_line-- > 0;) {
        if (!lines->busy[number_of_line >> 6]) {
            number_of_line &= ~63u; /* the loop goes on with the word before */
            continue;
        }
        if (!(lines->busy[number_of_line >> 6] >> (number_of_line & 63) & 1)) continue;
        uint32_t index = lines->of[number_of_line].last;
        while (index != WEND__NONE && service->entries[index].slot != WEND__NONE) index = lines->links[index].first;
        if (index != WEND__NONE) return index;
    }
    return WEND__NONE;
}

static uint32_t last_in_heap(const wend_service *service, const wend__heap *heap, uint32_t last) {
    for (uint32_t i = 0; i < heap->count; i++) {
        const uint32_t index = heap->items[i].id;
        if (service->entries[index].slot == WEND__NONE && comes_later(service, index, last)) last = index;
    }
    return last;
}

uint32_t wend__order_last(const wend_service *service, uint64_t *visited) {
    uint32_t last = last_in_heap(service, &service->runnable, last_in_lines(service));
    *visited += service->runnable.count;
    const uint32_t chains[2] = {service->arrivals.first, service->land_waits.first};
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = chains[k]; i != WEND__NONE; i = service->entries[i].next, ++*visited)
            if (comes_later(service, i, last)) last = i;
    return last;
}

void wend__order_push(wend_service *service, uint32_t index) {
    wend__entry *entry = &service->entries[index];
    entry->state = WEND__WAITING;
    entry->lined = !entry->yielded && line_up(service, index);
    if (entry->lined && entry->slot == WEND__NONE) return;
    const wend__heap_item key = wend__order_key(entry);
    if (!entry->lined) wend__heap_push(&service->runnable, key.major, key.minor, index);
    if (entry->slot != WEND__NONE) wend__heap_push(&service->parked, ~key.major, 0, entry->slot);
}

void wend__order_remove(wend_service *service, uint32_t index) {
    WEND__DEBUG_ASSERT(service->entries[index].state == WEND__WAITING);
    if (service->entries[index].lined)
        leave_line(service, index);
    else
        wend__heap_remove(&service->runnable, index);
    if (service->entries[index].slot != WEND__NONE) wend__heap_remove(&service->parked, service->entries[index].slot);
}
