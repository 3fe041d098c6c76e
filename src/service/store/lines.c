/* SPDX-License-Identifier: MIT */
/* Waiting requests in the order of service. */
#include "service/store/lines.h"

#define HEAPED (WEND__NONE - 1) /* value of `before` for an id in the heap */

bool wend__lines_heaped(const wend__lines *lines, uint32_t id) {
    return lines->places[id].before == HEAPED;
}

static bool is_busy(const wend__lines *lines, uint32_t rank) {
    return lines->busy[rank >> 6] >> (rank & 63) & 1;
}

static void mark(wend__lines *lines, uint32_t rank, bool busy) {
    uint64_t *word = &lines->busy[rank >> 6], bit = UINT64_C(1) << (rank & 63);
    *word = busy ? *word | bit : *word & ~bit;
    const uint32_t one = UINT32_C(1) << (rank >> 6);
    lines->words = *word ? lines->words | one : lines->words & ~one;
}

/* Adds an id at either end of its line. Returns false if its place is between others. */
static bool line_up(wend__lines *lines, uint32_t id) {
    wend__line_place *places = lines->places, *place = &places[id];
    const uint32_t rank = wend__line_rank(place->key);
    wend__line_ends *line = &lines->of[rank];
    place->before = place->behind = WEND__NONE;
    if (!is_busy(lines, rank)) {
        *line = (wend__line_ends){id, id};
        mark(lines, rank, true);
    } else if (places[line->last].key < place->key) {
        place->before = line->last;
        places[line->last].behind = id;
        line->last = id;
    } else if (place->key < places[line->first].key) {
        place->behind = line->first;
        places[line->first].before = id;
        line->first = id;
    } else {
        return false;
    }
    return true;
}

void wend__lines_add(wend__lines *lines, uint32_t id, uint64_t key) {
    lines->places[id].key = key;
    if (!(key >> 52 & 1) && line_up(lines, id)) return;
    lines->places[id].before = HEAPED;
    wend__min_max_push(&lines->heap, key, id);
}

void wend__lines_remove(wend__lines *lines, uint32_t id) {
    wend__line_place *places = lines->places;
    const wend__line_place place = places[id];
    if (place.before == HEAPED) {
        wend__min_max_remove(&lines->heap, id);
        return;
    }
    const uint32_t rank = wend__line_rank(place.key);
    wend__line_ends *line = &lines->of[rank];
    *(place.before != WEND__NONE ? &places[place.before].behind : &line->first) = place.behind;
    *(place.behind != WEND__NONE ? &places[place.behind].before : &line->last) = place.before;
    if (line->first == WEND__NONE) mark(lines, rank, false);
}

uint32_t wend__lines_first(const wend__lines *lines) {
    const wend__heap_item *heap = wend__min_max_first(&lines->heap);
    if (lines->words == 0) return heap ? heap->id : WEND__NONE;
    const uint32_t word = wend__ctz32(lines->words);
    const uint32_t first = lines->of[word << 6 | wend__ctz64(lines->busy[word])].first;
    return heap && heap->major < lines->places[first].key ? heap->id : first;
}

/* Returns the last of the lines in a word of `busy`, within the set bits of a mask; or of the previous words. */
static uint32_t last_up_to(const wend__lines *lines, uint32_t word, uint64_t mask) {
    uint64_t bits = lines->busy[word] & mask;
    while (!bits && word > 0) bits = lines->busy[--word];
    return bits ? lines->of[word << 6 | wend__top64(bits)].last : WEND__NONE;
}

uint32_t wend__lines_last_lined(const wend__lines *lines) {
    return last_up_to(lines, WEND__LINE_WORDS - 1, UINT64_MAX);
}

uint32_t wend__lines_before(const wend__lines *lines, uint32_t id) {
    const wend__line_place *place = &lines->places[id];
    const uint32_t rank = wend__line_rank(place->key);
    return place->before != WEND__NONE ? place->before : last_up_to(lines, rank >> 6, (UINT64_C(1) << (rank & 63)) - 1);
}

uint32_t wend__lines_last(const wend__lines *lines) {
    const uint32_t last = wend__lines_last_lined(lines);
    const wend__heap_item *heap = wend__min_max_last(&lines->heap);
    return heap && (last == WEND__NONE || heap->major > lines->places[last].key) ? heap->id : last;
}
