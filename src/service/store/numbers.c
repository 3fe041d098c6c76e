/* SPDX-License-Identifier: MIT */
/* A set of requests, least number first. */
#include "service/store/numbers.h"

#include "service/store/heap.h"

enum { LEAST_ROOM = 64, TOP = WEND__NUMBER_LEVELS - 1 };

uint32_t wend__numbers_room(uint32_t requests) {
    uint32_t room = LEAST_ROOM;
    while (room < requests) room *= 2;
    return room;
}

uint32_t wend__numbers_words(uint32_t room, unsigned level) {
    uint32_t words = room >> 6 * (level + 1);
    return words > 0 ? words : 1;
}

uint32_t wend__numbers_all_words(uint32_t room) {
    uint32_t words = 0;
    for (unsigned level = 0; level < WEND__NUMBER_LEVELS; level++) words += wend__numbers_words(room, level);
    return words;
}

void wend__numbers_init(wend__numbers *numbers, uint32_t room, uint64_t *words, uint32_t *ids) {
    numbers->room = room;
    numbers->ids = ids;
    numbers->count = numbers->near = numbers->far.count = 0;
    numbers->base = 0;
    for (unsigned level = 0; level < WEND__NUMBER_LEVELS; level++) {
        numbers->levels[level] = words;
        words += wend__numbers_words(room, level);
    }
    *numbers->levels[TOP] = 0;
}

static uint64_t bit_of(uint32_t place, unsigned level) {
    return UINT64_C(1) << (place >> 6 * level & 63);
}

static uint64_t *word_of(const wend__numbers *numbers, uint32_t place, unsigned level) {
    return &numbers->levels[level][(uint64_t)place >> 6 * (level + 1)];
}

static bool has(const wend__numbers *numbers, uint32_t place) {
    for (unsigned level = WEND__NUMBER_LEVELS; level-- > 0;)
        if (!(*word_of(numbers, place, level) & bit_of(place, level))) return false;
    return true;
}

static void set(wend__numbers *numbers, uint32_t place) {
    bool known = true;
    for (unsigned level = WEND__NUMBER_LEVELS; level-- > 0;) {
        uint64_t *word = word_of(numbers, place, level), bit = bit_of(place, level), before = known ? *word : 0;
        *word = before | bit;
        known = before & bit;
    }
}

static void clear(wend__numbers *numbers, uint32_t place) {
    for (unsigned level = 0; level < WEND__NUMBER_LEVELS; level++)
        if ((*word_of(numbers, place, level) &= ~bit_of(place, level)) != 0) return;
}

static uint32_t first_place(const wend__numbers *numbers) {
    uint32_t place = 0;
    for (unsigned level = WEND__NUMBER_LEVELS; level-- > 0;)
        place = place << 6 | wend__ctz64(numbers->levels[level][place]);
    return place;
}

static bool in_window(const wend__numbers *numbers, uint64_t number) {
    return number - numbers->base < numbers->room; /* below the base the difference is very large */
}

void wend__numbers_add(wend__numbers *numbers, uint64_t number, uint32_t id, uint64_t least) {
    numbers->count++;
    if (numbers->near == 0) numbers->base = least <= number && number - least < numbers->room / 2 ? least : number;
    if (!in_window(numbers, number)) {
        wend__heap_push(&numbers->far, number, 0, id);
        return;
    }
    const uint32_t place = (uint32_t)(number - numbers->base);
    set(numbers, place);
    numbers->ids[place] = id;
    numbers->near++;
}

/* The window may now contain a number of the heap. */
void wend__numbers_remove(wend__numbers *numbers, uint64_t number, uint32_t id) {
    WEND__DEBUG_ASSERT(numbers->count > 0 && numbers->near <= numbers->count);
    numbers->count--;
    if (numbers->near > 0 && in_window(numbers, number) && has(numbers, (uint32_t)(number - numbers->base))) {
        clear(numbers, (uint32_t)(number - numbers->base));
        numbers->near--;
    } else {
        wend__heap_remove(&numbers->far, id);
    }
}

uint32_t wend__numbers_first(const wend__numbers *numbers) {
    WEND__DEBUG_ASSERT(numbers->count > 0);
    const wend__heap_item *far = numbers->far.count > 0 ? &numbers->far.items[0] : NULL;
    WEND__DEBUG_ASSERT(far || numbers->near > 0);
    if (numbers->near == 0) return far->id;
    const uint32_t place = first_place(numbers);
    return far && far->major < numbers->base + place ? far->id : numbers->ids[place];
}
