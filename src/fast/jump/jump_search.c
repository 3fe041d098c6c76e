/* SPDX-License-Identifier: MIT */
/* The rare operations on the open list of both jump searches, and reading their paths. */
#include "fast/jump/jump_search.h"
#include "map/ground/ground.h"
#include "fast/jump/jump_lines.h"

#include <string.h>

uint64_t wend__jump_dearest(const wend__version *v) {
    const uint64_t width = (uint64_t)(v->sheets ? v->sheets->width : v->width);
    const uint64_t height = (uint64_t)(v->sheets ? v->sheets->height : v->height);
    const uint64_t longer = width > height ? width : height, shorter = width > height ? height : width;
    const int32_t second = v->rules.neighbours == 4 ? v->rules.cost_straight : v->rules.cost_diagonal;
    return longer * (uint64_t)v->rules.cost_straight + shorter * (uint64_t)second;
}

bool wend__jump_nodes_begin(wend__search *s, wend__stock *stock) {
    const size_t blocks = (size_t)s->view->block_columns * (size_t)s->view->block_rows;
    wend__pages_reset(s);
    if (blocks > WEND__DIRECTORY) {
        const uint32_t page = wend__pages_demand_open(s, stock);
        if (page == WEND__NONE) return false;
        s->directory = s->pool->open_entries + (size_t)page * WEND__OPEN_PAGE_WORDS;
        memset(s->directory, 0xff, blocks * sizeof *s->directory);
    }
    wend__jump_of(s)->block_column = wend__jump_of(s)->block_row = -1;
    wend__jump_of(s)->fresh_node = wend__jump_of(s)->fresh_end = 0;
    return true;
}

/* ---- the open list ---- */

bool wend__jump_spare(wend__search *s, wend__stock *stock) {
    wend__open *open = &s->open;
    while (open->spare < WEND__JUMP_SCAN) {
        if (wend__pages_are_entries(s, wend__jump_of(s)->directories) && wend__jump_compact(s)) return true;
        for (; open->fresh + WEND__JUMP_ENTRY <= open->fresh_end; open->fresh += WEND__JUMP_ENTRY) {
            open->entries[open->fresh + 3] = open->free_block; /* chain the last few entries of a page */
            open->free_block = open->fresh;
        }
        const uint32_t page = wend__pages_demand_open(s, stock);
        if (page == WEND__NONE) return false;
        open->pages++;
        open->fresh = page == 0 ? WEND__JUMP_ENTRY : page * WEND__OPEN_PAGE_WORDS; /* position 0 is none */
        open->fresh_end = (page + 1) * WEND__OPEN_PAGE_WORDS;
        open->spare += (open->fresh_end - open->fresh) / WEND__JUMP_ENTRY;
    }
    return true;
}

void wend__jump_open_begin(wend__search *s, uint32_t bucket) {
    wend__jump_of(s)->floor = bucket;
    s->open.current = bucket & (WEND__BUCKETS - 1);
    wend__jump_of(s)->far = 0;
    wend__jump_of(s)->far_floor = UINT32_MAX;
}

WEND__NOINLINE void wend__jump_push_far(wend__search *s, uint32_t bucket, uint32_t at) {
    s->open.entries[at + 3] = wend__jump_of(s)->far;
    wend__jump_of(s)->far = at;
    if (bucket < wend__jump_of(s)->far_floor) wend__jump_of(s)->far_floor = bucket;
}

/* Reverse a chain. Returns its oldest entry. */
static uint32_t reverse_chain(uint32_t *entries, uint32_t at) {
    uint32_t oldest = 0;
    while (at != 0) {
        const uint32_t below = entries[at + 3];
        entries[at + 3] = oldest;
        oldest = at;
        at = below;
    }
    return oldest;
}

/* Processes from the oldest entry on, so that the newest of a bucket stays the newest. */
WEND__NOINLINE bool wend__jump_draw_near(wend__search *s) {
    uint32_t *const entries = s->open.entries;
    uint32_t at = reverse_chain(entries, wend__jump_of(s)->far);
    if (at == 0) return false;
    wend__jump_open_begin(s, wend__jump_of(s)->far_floor);
    while (at != 0) {
        const uint32_t next = entries[at + 3], bucket = wend__jump_of(s)->kind->bucket_of(s, entries + at);
        if (bucket - wend__jump_of(s)->floor < WEND__BUCKETS)
            wend__jump_link(&s->open, bucket, at);
        else
            wend__jump_push_far(s, bucket, at);
        at = next;
    }
    return true;
}

/* Removes stale entries of a chain. Returns how many; `visited` counts all. */
static uint32_t compact_chain(wend__search *s, uint32_t *link, uint32_t *visited) {
    wend__open *open = &s->open;
    uint32_t freed = 0;
    for (; *link != 0; ++*visited) {
        const uint32_t at = *link;
        uint32_t *entry = open->entries + at;
        if (wend__jump_of(s)->kind->is_due(s, entry)) {
            link = &entry[3];
            continue;
        }
        *link = entry[3];
        entry[3] = open->free_block;
        open->free_block = at;
        freed++;
    }
    return freed;
}

/* Returns the lowest bucket of the entries beyond the ring. */
static uint32_t lowest_far(const wend__search *s) {
    const uint32_t *entries = s->open.entries;
    uint32_t lowest = UINT32_MAX;
    for (uint32_t at = wend__jump_of(s)->far; at != 0; at = entries[at + 3]) {
        const uint32_t bucket = wend__jump_of(s)->kind->bucket_of(s, entries + at);
        if (bucket < lowest) lowest = bucket;
    }
    return lowest;
}

/* An eighth of the entries must go, so that the work is at most eight entries for each one pushed later. */
bool wend__jump_compact(wend__search *s) {
    wend__open *open = &s->open;
    uint32_t visited = 0, freed = compact_chain(s, &wend__jump_of(s)->far, &visited);
    wend__jump_of(s)->far_floor = lowest_far(s);
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++) {
        if (open->top[bucket] == 0) continue;
        freed += compact_chain(s, &open->top[bucket], &visited);
        if (open->top[bucket] == 0 && (open->bits[bucket >> 6] &= ~(UINT64_C(1) << (bucket & 63))) == 0)
            open->words &= ~(UINT64_C(1) << (bucket >> 6));
    }
    open->spare += freed;
    return open->spare >= WEND__JUMP_SCAN && freed >= visited / 8;
}

/* ---- the path ---- */

void wend__jump_read_cells(const wend__search *s, bool four, wend__jump_back_fn *back, wend_cell *out, uint64_t count) {
    wend__jump_walk walk = {0};
    uint64_t i = s->steps;
    if (i == 0 && count > 0) *out = s->start; /* also where no search was needed */
    if (i == 0) return;
    int32_t x = wend__jump_x(wend__jump_of(s)->goal_cell), y = wend__jump_y(wend__jump_of(s)->goal_cell);
    if (i < count) out[i] = (wend_cell){x, y, 0};
    while (i > 0) {
        back(s, &walk);
        const int32_t from_x = x - wend__shorter_way(x - wend__jump_x(walk.before), walk.around_x);
        const int32_t from_y = y - wend__shorter_way(y - wend__jump_y(walk.before), walk.around_y);
        const leap l = leap_between(four, from_x, from_y, x, y);
        for (unsigned part = 0; part < 2 && !walk.link; part++) {
            const unsigned way = part == 0 ? l.then_way : l.first_way;
            const int32_t dx = wend__dx[way & 7], dy = wend__dy[way & 7];
            for (uint32_t left = part == 0 ? l.then : l.first; left > 0; left--) {
                x -= dx, y -= dy;
                if (--i < count)
                    out[i] = (wend_cell){wend__wrapped(x, walk.around_x), wend__wrapped(y, walk.around_y), 0};
            }
        }
        x = wend__jump_x(walk.before), y = wend__jump_y(walk.before);
        if (walk.link && --i < count) out[i] = (wend_cell){x, y, 0};
    }
}

void wend__jump_read_directions(const wend__search *s, bool four, wend__jump_back_fn *back, uint8_t *out) {
    wend__jump_walk walk = {0};
    int32_t x = wend__jump_x(wend__jump_of(s)->goal_cell), y = wend__jump_y(wend__jump_of(s)->goal_cell);
    for (uint64_t i = s->steps; i > 0;) {
        back(s, &walk);
        const leap l = leap_between(four, wend__jump_x(walk.before), wend__jump_y(walk.before), x, y);
        memset(out + (i -= l.then), (int)l.then_way, l.then);
        memset(out + (i -= l.first), (int)l.first_way, l.first);
        x = l.x, y = l.y;
    }
}
