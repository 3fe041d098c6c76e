/* SPDX-License-Identifier: MIT */
/* Chooses the most promising node of a running search. */
#include "search/store/candidate.h"

/* Compares by g + 1.5 x estimate. By g + estimate, as A* expands, the candidates of successive prefixes lie in
 * different branches, and an agent walks to and fro: docs/design/head-start.md. */
static uint64_t key_of(const wend__candidate *candidate) {
    return 2 * candidate->g + 3 * candidate->left;
}

/* Returns whether one candidate is better than another. A total order, so that the order of offers does not
 * matter. */
static bool is_before(const wend__candidate *a, const wend__candidate *b) {
    const uint64_t one = key_of(a), other = key_of(b);
    if (one != other) return one < other;
    if (a->left != b->left) return a->left < b->left;
    if (a->cell.z != b->cell.z) return a->cell.z < b->cell.z;
    if (a->cell.y != b->cell.y) return a->cell.y < b->cell.y;
    return a->cell.x < b->cell.x;
}

static void list_node(const wend__candidate_best *best, const wend__candidate *candidate) {
    wend__open_nodes_list *list = best->list;
    if (list->count++ >= list->capacity) return;
    wend__candidate parent = *candidate;
    (void)best->search->engine->back(best->search, &parent);
    list->nodes[list->count - 1] =
        (wend_search_node){candidate->cell, parent.cell, (int64_t)candidate->g, (int64_t)candidate->left};
}

void wend__candidate_offer(wend__candidate_best *best, const wend__candidate *candidate) {
    if (best->list) {
        list_node(best, candidate);
        return;
    }
    if (best->any && !is_before(candidate, &best->candidate)) return;
    best->candidate = *candidate;
    best->any = true;
}

/* Returns true when no more are to be offered. */
static bool offer_node(const void *owner, uint32_t node) {
    wend__candidate_best *best = (wend__candidate_best *)owner;
    wend__candidate candidate;
    if (best->left == 0) return true;
    best->left--;
    if (best->read(best->search, node, &candidate)) wend__candidate_offer(best, &candidate);
    return false;
}

static bool offer_entry(const void *owner, const wend__strict_entry *entry) {
    wend__candidate_best *best = (wend__candidate_best *)owner;
    wend__candidate candidate;
    if (best->read(best->search, entry->node, &candidate)) wend__candidate_offer(best, &candidate);
    return false;
}

/* Offer the nodes of buckets: those of a word, from the bit of `from` on. */
static void offer_word(wend__candidate_best *best, unsigned word, uint64_t from,
                       bool (*offer)(wend__candidate_best *best, uint32_t bucket)) {
    for (uint64_t bits = best->search->open.bits[word] & from; bits; bits &= bits - 1)
        if (offer(best, word << 6 | wend__ctz64(bits))) return;
}

/* All buckets round the ring, the bucket being emptied first. */
static void offer_buckets(wend__candidate_best *best, bool (*offer)(wend__candidate_best *best, uint32_t bucket)) {
    const wend__open *open = &best->search->open;
    const unsigned first = open->current >> 6;
    const uint64_t behind = ~UINT64_C(0) << (open->current & 63), ahead = (UINT64_C(2) << first) - 1;
    if (open->words >> first & 1) offer_word(best, first, behind, offer);
    for (uint64_t words = open->words & ~ahead; words; words &= words - 1)
        offer_word(best, wend__ctz64(words), ~UINT64_C(0), offer);
    for (uint64_t words = open->words & ahead >> 1; words; words &= words - 1)
        offer_word(best, wend__ctz64(words), ~UINT64_C(0), offer);
    if (open->words >> first & 1) offer_word(best, first, ~behind, offer);
}

static bool offer_blocks(wend__candidate_best *best, uint32_t bucket) {
    return wend__open_any_in(&best->search->open, bucket, best, offer_node);
}

void wend__candidate_offer_list(wend__candidate_best *best) {
    WEND__DEBUG_ASSERT(best->search->begun && best->search->status == WEND_STATUS_PENDING);
    offer_buckets(best, offer_blocks);
}

void wend__candidate_offer_strict(wend__candidate_best *best) {
    if (best->list)
        wend__strict_in_order(&best->search->open, best, offer_entry);
    else
        (void)wend__strict_any(&best->search->open, best, offer_entry);
}

static bool offer_chain(wend__candidate_best *best, uint32_t at) {
    const uint32_t *entries = best->search->open.entries;
    for (; at != 0; at = entries[at + 3])
        if (offer_node(best, entries[at + 1])) return true;
    return false;
}

static bool offer_top(wend__candidate_best *best, uint32_t bucket) {
    return offer_chain(best, best->search->open.top[bucket]);
}

void wend__candidate_offer_chains(wend__candidate_best *best, uint32_t far) {
    offer_buckets(best, offer_top);
    (void)offer_chain(best, far);
}
