/* SPDX-License-Identifier: MIT */
/* Internal: a version's links: found by where they begin, grouped for estimates, and what they connect. */
#ifndef WEND_SRC_MAP_LINKS_H
#define WEND_SRC_MAP_LINKS_H

#include "map/store/map_layout.h"

enum { WEND__LINK_GROUPS = 16 };

/// A link by the numbers of its cells.
typedef struct wend__link {
    uint32_t from, to, cost;
} wend__link;

/// Links that begin near one another, so that an estimate need not look at each. With up to 16 links each is a group of its
/// own. Boxes are of cells; of coordinates on graphs that have some, and not to be used on graphs that have none.
typedef struct wend__link_group {
    wend_box entrances, exits;
    uint32_t first, count; ///< in `members`
    uint32_t cheapest;     ///< of their costs
} wend__link_group;

typedef struct wend__link_member {
    wend_cell exit; ///< cell, or a graph node's coordinates
    uint32_t cost;
} wend__link_member;

/// Immutable, shared between versions and forks.
struct wend__links {
    uint32_t references; ///< guarded by the map's mutex
    uint32_t count, group_count;
    size_t bytes;
    uint64_t filter_mask;
    const wend__link *sorted;         ///< by from, then to
    const uint64_t *filter;           ///< bit hash(from) & filter_mask: some link may begin there
    const uint32_t *leaving;          ///< `ways` by the chunk in which they begin, then by number; likewise
    const uint32_t *entering;         ///< by the chunk in which they end
    const wend__link_member *members; ///< `count` of them, group by group; NULL where group_count is 0
    wend__link_group groups[WEND__LINK_GROUPS];
};

static inline uint64_t wend__link_hash(uint32_t from) {
    return from * UINT64_C(0x9E3779B97F4A7C15) >> 20;
}

static inline uint64_t wend__link_key(const wend__link *way) {
    return (uint64_t)way->from << 32 | way->to;
}

/// A set of that many links with one reference, `ways` still to be written; then all that follows from them. NULL: no room.
wend__links *wend__links_create(const wend__version *version, uint32_t count);
wend_error wend__links_index(const wend__version *version, wend__links *links);
/// Its groups and members, with room for two numbers a link. link_groups.c
void wend__links_group(const wend__version *version, wend__links *links, uint64_t *room);

/// Some of a set's links, by their places in `ways`.
typedef struct wend__link_list {
    const uint32_t *links;
    uint32_t count;
} wend__link_list;

/// The links that begin (entering: that end) in `count` chunks of the table's rows, laid end to end, from `first` on.
/// Cost: O(log links).
wend__link_list wend__links_of_chunks(const wend__version *version, const wend__links *links, bool entering,
                                      uint64_t first, uint64_t count);

/// What a link costs; 0: there is none, or no links at all (NULL). Cost: as wend__links_from().
uint32_t wend__links_cost(const wend__links *links, uint32_t from, uint32_t to);

/// The links that begin at a cell, by where they end. Cost: O(1) where there is none, as a rule; else O(log links).
const wend__link *wend__links_from(const wend__links *links, uint32_t from, uint32_t *count);

static inline bool wend__links_maybe(const wend__links *links, uint32_t from) {
    uint64_t bit = wend__link_hash(from) & links->filter_mask;
    return links->filter[bit >> 6] >> (bit & 63) & 1;
}

const wend__links *wend__links_retain(wend_map *map, const wend__links *links); ///< NULL is passed through
void wend__links_release(wend_map *map, const wend__links *links);              ///< NULL is ignored

#endif
