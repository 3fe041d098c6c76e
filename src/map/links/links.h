/* SPDX-License-Identifier: MIT */
/* Internal: sets of links: sorted by where they begin, indexed by chunk, and grouped for heuristics. */
#ifndef WEND_SRC_MAP_LINKS_H
#define WEND_SRC_MAP_LINKS_H

#include "map/store/map_layout.h"
#include <wend/ways.h>

enum {
    WEND__LINK_GROUPS = 16,
    WEND__FEW_LINKS = 16,       ///< links at a cell that add no cost to a search or query
    WEND__LINKS_AT_ONCE = 1024, ///< links that a search counts before it processes more
};

/// The cost of a link that is a seam: that of its step, see ground/ground.h.
#define WEND__SEAM UINT32_MAX
/// The same, added by the host, between sheets.
#define WEND__SHEET_SEAM (UINT32_MAX - 1)

/// A link, by the numbers of its cells.
typedef struct wend__link {
    uint32_t from, to, cost;
    uint32_t movers; ///< as in wend_link
} wend__link;

/// Links that begin near one another, so that a heuristic need not visit each. Up to 16 links have a group each. The
/// boxes hold cells, or coordinates of a graph's nodes. Graphs without coordinates have no groups.
typedef struct wend__link_group {
    wend_box entrances, exits;
    uint32_t first, count; ///< in `members`
    uint32_t cheapest;     ///< least of their costs
} wend__link_group;

typedef struct wend__link_member {
    wend_cell exit; ///< a cell, or the coordinates of a graph's node
    uint32_t cost;
} wend__link_member;

/// Immutable, shared between versions and forks.
struct wend__links {
    wend__shared shared;
    uint32_t count, seams, sheet_seams; ///< links; those that are seams over the rim, and seams between sheets
    uint32_t group_count;
    uint64_t filter_mask;
    const wend__link *sorted;         ///< links by from, then to
    const uint64_t *filter;           ///< bit hash(from) & filter_mask: a link may begin there
    const uint32_t *leaving;          ///< places in `sorted`, by the chunk in which the link begins, then by place
    const uint32_t *entering;         ///< the same, by the chunk in which it ends
    const wend__link_member *members; ///< for each link but the seams, group by group; NULL without groups
    wend__link_group groups[WEND__LINK_GROUPS];
};

static inline uint64_t wend__link_hash(uint32_t from) {
    return from * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

static inline uint64_t wend__link_key(const wend__link *link) {
    return (uint64_t)link->from << 32 | link->to;
}

/// Makes a set of that many links with one reference; NULL: out of memory. The caller writes `sorted`, then calls
/// wend__links_index(), which makes the rest.
wend__links *wend__links_create(const wend__version *version, uint32_t count);
wend_error wend__links_index(const wend__version *version, wend__links *links);
/// Makes its groups and members.
/// @param room   for two numbers a link
void wend__links_group(const wend__version *version, wend__links *links, uint64_t *room);

/// Returns how many links of a set, or of none (NULL), are the host's, and no seams.
static inline uint32_t wend__links_of_host(const wend__links *links) {
    return links ? links->count - links->seams : 0;
}

/// How many of a set are in groups.
static inline uint32_t wend__links_in_groups(const wend__links *links) {
    return links ? links->count - links->seams - links->sheet_seams : 0;
}

static inline bool wend__link_is_seam(const wend__link *link) {
    return link->cost >= WEND__SHEET_SEAM;
}

/// A link's cost as the host set it.
static inline int32_t wend__link_cost_said(const wend__link *link) {
    return link->cost == WEND__SHEET_SEAM ? WEND_LINK_SEAM : (int32_t)link->cost;
}

/// Some links of a set, by their places in `sorted`.
typedef struct wend__link_list {
    const uint32_t *links;
    uint32_t count;
} wend__link_list;

/// Finds the links that begin (with `entering`: that end) in `count` chunks from number `first` on. Chunks are numbered
/// row by row.
/// Cost: O(log links).
wend__link_list wend__links_of_chunks(const wend__version *version, const wend__links *links, bool entering,
                                      uint64_t first, uint64_t count);

/// Returns a link's cost, WEND__SEAM or WEND__SHEET_SEAM; 0: there is no such link, or no set (NULL). Cost: like
/// wend__links_from().
uint32_t wend__links_cost(const wend__links *links, uint32_t from, uint32_t to);

/// Finds a link; NULL: there is no such link, or no set. Cost: like wend__links_from().
const wend__link *wend__links_find(const wend__links *links, uint32_t from, uint32_t to);

/// Finds the links that begin at a cell, by where they end. Cost: mostly O(1) if there is none; else O(log links).
const wend__link *wend__links_from(const wend__links *links, uint32_t from, uint32_t *count);

static inline bool wend__links_maybe(const wend__links *links, uint32_t from) {
    uint64_t bit = wend__link_hash(from) & links->filter_mask;
    return links->filter[bit >> 6] >> (bit & 63) & 1;
}

#endif
