/* SPDX-License-Identifier: MIT */
/* Chooses the most promising node of a running search. */
#include "search/store/lead.h"

/* By g + 1.5 x estimate. By g + estimate, as A* expands, the leads of successive prefixes lie in different branches,
 * and an agent walks to and fro: docs/design/head-start.md. */
static uint64_t key_of(const wend__lead *lead) {
    return 2 * lead->g + 3 * lead->left;
}

bool wend__lead_before(const wend__lead *a, const wend__lead *b) {
    const uint64_t one = key_of(a), other = key_of(b);
    if (one != other) return one < other;
    if (a->left != b->left) return a->left < b->left;
    if (a->cell.z != b->cell.z) return a->cell.z < b->cell.z;
    if (a->cell.y != b->cell.y) return a->cell.y < b->cell.y;
    return a->cell.x < b->cell.x;
}

void wend__lead_offer(wend__lead_best *best, const wend__lead *lead) {
    if (best->any && !wend__lead_before(lead, &best->lead)) return;
    best->lead = *lead;
    best->any = true;
}

static bool offer_node(const void *owner, uint32_t node) {
    wend__lead_best *best = (wend__lead_best *)owner;
    wend__lead lead;
    if (best->read(best->search, node, &lead)) wend__lead_offer(best, &lead);
    return false; /* go on to the next */
}

static bool offer_entry(const void *owner, const wend__strict_entry *entry) {
    return offer_node(owner, entry->node);
}

void wend__lead_offer_list(wend__lead_best *best) {
    (void)wend__open_any(&best->search->open, best, offer_node);
}

void wend__lead_offer_strict(wend__lead_best *best) {
    (void)wend__strict_any(&best->search->open, best, offer_entry);
}

static void offer_chain(wend__lead_best *best, uint32_t at) {
    const uint32_t *entries = best->search->open.entries;
    for (; at != 0; at = entries[at + 3]) (void)offer_node(best, entries[at + 1]);
}

void wend__lead_offer_chains(wend__lead_best *best, uint32_t far) {
    const wend__open *open = &best->search->open;
    for (uint64_t words = open->words; words; words &= words - 1) {
        const unsigned word = wend__ctz64(words);
        for (uint64_t bits = open->bits[word]; bits; bits &= bits - 1)
            offer_chain(best, open->top[word << 6 | wend__ctz64(bits)]);
    }
    offer_chain(best, far);
}
