/* SPDX-License-Identifier: MIT */
/* Internal: a set of requests, least number first: bits for a window of numbers, under bits that say where there
 * are any.
 *
 * Numbers of requests that are pending together mostly lie close together, whatever the order in which they come.
 * So adding and taking out cost the same few words for any count; a number outside the window goes to a heap.
 * Nothing has to be cleared before use but one word: a word under a bit that is not set counts as 0, whatever it
 * says. */
#ifndef WEND_SRC_NUMBERS_H
#define WEND_SRC_NUMBERS_H

#include "service/store/heap.h"

enum { WEND__NUMBER_LEVELS = 4 };

typedef struct wend__numbers {
    uint64_t *levels[WEND__NUMBER_LEVELS]; ///< level 0: a bit for each number of the window
    uint32_t *ids;                         ///< of each
    uint32_t room;                         ///< numbers in the window, 64 to 2^24, a power of two
    uint32_t count;                        ///< in the set
    uint32_t near;                         ///< of those, in the window
    uint64_t base;                         ///< first number of the window
    wend__heap far;
} wend__numbers;

/// The window for a number of requests, 2^24 at most; words of its bits, of a level and in all.
uint32_t wend__numbers_room(uint32_t requests);
uint32_t wend__numbers_words(uint32_t room, unsigned level);
uint32_t wend__numbers_all_words(uint32_t room);
/// Empty, in memory for all words, as many ids as there is room, and a heap for all.
void wend__numbers_init(wend__numbers *numbers, uint32_t room, uint64_t *words, uint32_t *ids);
/// Neither is in the set. `least`: about as low as numbers get from now on; where the window goes when nothing is in
/// it.
void wend__numbers_add(wend__numbers *numbers, uint64_t number, uint32_t id, uint64_t least);
/// Both are in the set.
void wend__numbers_remove(wend__numbers *numbers, uint64_t number, uint32_t id);
/// The id with the least number. The set is not empty.
uint32_t wend__numbers_first(const wend__numbers *numbers);

#endif
