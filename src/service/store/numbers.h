/* SPDX-License-Identifier: MIT */
/* Internal: a set of requests, least number first: bits for a window of numbers, under bits that mark their non-zero
 * words.
 *
 * Numbers of requests that are pending together mostly lie close together, whatever the order in which they come.
 * So adding and taking out cost the same few words for any count; a number outside the window goes to a heap.
 * Nothing but one word has to be cleared before use: a word under a bit that is not set counts as 0, whatever its
 * value. */
#ifndef WEND_SRC_NUMBERS_H
#define WEND_SRC_NUMBERS_H

#include "service/store/heap.h"

enum { WEND__NUMBER_LEVELS = 4 };

typedef struct wend__numbers {
    uint64_t *levels[WEND__NUMBER_LEVELS]; ///< level 0: a bit for each number of the window
    uint32_t *ids;                         ///< id of each number of the window
    uint32_t room;                         ///< numbers in the window, 64 to 2^24, a power of two
    uint32_t count;                        ///< size of the set
    uint32_t near;                         ///< how many of them are in the window
    uint64_t base;                         ///< first number of the window
    wend__heap far;
} wend__numbers;

/// Returns the window for a number of requests, 2^24 at most; words of its bits, of a level and in all.
uint32_t wend__numbers_room(uint32_t requests);
uint32_t wend__numbers_words(uint32_t room, unsigned level);
uint32_t wend__numbers_all_words(uint32_t room);
/// Initializes an empty set, in memory for all words, as many ids as there is room, and a heap for all.
void wend__numbers_init(wend__numbers *numbers, uint32_t room, uint64_t *words, uint32_t *ids);
/// Adds a number and its id, neither of which is in the set. `least`: about the least future number, to which the
/// window moves when it is empty.
void wend__numbers_add(wend__numbers *numbers, uint64_t number, uint32_t id, uint64_t least);
/// Removes a number and its id, both of which are in the set.
void wend__numbers_remove(wend__numbers *numbers, uint64_t number, uint32_t id);
/// Returns the id with the least number. The set is not empty.
uint32_t wend__numbers_first(const wend__numbers *numbers);

#endif
