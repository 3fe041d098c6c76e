/* SPDX-License-Identifier: MIT */
/* Adds up the layers of a search's profile in one plane a page, and compares each cell's cost with its neighbours'. */
#include "search/grid/grid_tolls.h"

#include "map/version/layers.h"
#include "map/version/map.h"
#include "search/store/pages.h"

#include <string.h>

enum { SIDE = WEND__CHUNK_SIDE, UNKNOWN = 0xff };

/* Prices of a chunk's plane, in points; measured. */
enum { FOLD = 1536, FOLD_A_LAYER = 1024 };

/* A ring of buckets must cover the largest rise of f. If that makes a bucket wider than a fourth of a straight step,
 * too many nodes would be opened again. A width is a power of two. */
bool wend__grid_tolls_serve(const wend__version *version, int32_t profile) {
    const wend_map_rules *rules = &version->rules;
    const uint32_t straight = (uint32_t)rules->cost_straight;
    const uint64_t width = straight < 8 ? 1 : straight / 8;
    const uint64_t dearest = (uint64_t)(rules->neighbours == 8 ? rules->cost_diagonal : 2 * rules->cost_straight) * 2;
    return dearest + wend__layers_most(wend__profile_of(version->map, profile)) < width * (WEND__BUCKETS - 2);
}

/* Returns how much more two diagonal steps cost than two straight ones. */
static uint32_t detour_of(const wend__search *s) {
    const uint32_t straight = s->edge[WEND__N], diagonal = s->edge[WEND__NE];
    return diagonal > straight ? 2 * (diagonal - straight) : 0;
}

bool wend__grid_tolls_are_wide(const wend__search *s) {
    return wend__grid_of(s)->most_toll + (uint64_t)detour_of(s) > INT16_MAX;
}

/* ---- comparisons ---- */

static const int32_t straight_offset[4] = {-SIDE, 1, SIDE, -1};

/* Cells on a page's border are not compared with cells beyond it. */
static void forget_border(uint8_t *compared, int rows) {
    memset(compared, UNKNOWN, SIDE);
    memset(compared + (rows - 1) * SIDE, UNKNOWN, SIDE);
    for (int row = 1; row < rows - 1; row++) compared[row * SIDE] = compared[row * SIDE + SIDE - 1] = UNKNOWN;
}

/* All in 16 bits, so that compilers compare many cells at once. */
WEND__INLINE int16_t compare_one(int16_t own, int16_t much, int16_t other) {
    return (int16_t)((int16_t)(other >= own) + (int16_t)(other > own) + (int16_t)(other > much));
}

/* Costs and the detour are at most INT16_MAX in all. */
static void compare_narrow(const int16_t *restrict costs, int16_t detour, uint8_t *restrict compared) {
    for (int i = SIDE; i < WEND__CHUNK_CELLS - SIDE; i++) {
        const int16_t own = costs[i], much = (int16_t)(own + detour);
        const int16_t all =
            (int16_t)(compare_one(own, much, costs[i - SIDE]) | compare_one(own, much, costs[i + 1]) << 2 |
                      compare_one(own, much, costs[i + SIDE]) << 4 | compare_one(own, much, costs[i - 1]) << 6);
        compared[i] = (uint8_t)all;
    }
    forget_border(compared, SIDE);
}

static void compare_wide(const uint32_t *costs, uint32_t detour, uint8_t *compared) {
    const int rows = 1 << WEND__WIDE_ROW_SHIFT;
    for (int i = SIDE; i < (rows - 1) * SIDE; i++) {
        uint32_t all = 0;
        for (unsigned d = 0; d < 4; d++) {
            const uint32_t own = costs[i], other = costs[i + straight_offset[d]];
            all |= (uint32_t)((other >= own) + (other > own) + (other > own + detour)) << 2 * d;
        }
        compared[i] = (uint8_t)all;
    }
    forget_border(compared, rows);
}

/* ---- planes ---- */

static wend__place chunk_of(const wend__page *header) {
    return (wend__place){header->x >> WEND__CHUNK_SHIFT, header->y >> WEND__CHUNK_SHIFT, 0};
}

/* Returns whether a chunk or one next to it has costs by place. */
static bool is_near_values(const wend__search *s, wend__place place) {
    for (int32_t y = place.row - 1; y <= place.row + 1; y++)
        for (int32_t x = place.column - 1; x <= place.column + 1; x++)
            if (wend__on_table(s->view, x, y) &&
                wend__layers_touch(s->layers, s->profile, s->version, (wend__place){x, y, 0}))
                return true;
    return false;
}

static void fill_plane(wend__search *s, const wend__page *header, void *plane) {
    uint8_t *compared = (uint8_t *)plane + WEND__TOLL_COMPARED;
    const wend__place place = chunk_of(header);
    if (!s->wide) {
        wend__layers_fold_narrow(s->layers, s->profile, s->version, place, plane);
        compare_narrow(plane, (int16_t)detour_of(s), compared);
        return;
    }
    uint32_t costs[WEND__CHUNK_CELLS];
    wend__layers_fold(s->layers, s->profile, s->version, place, costs);
    memcpy(plane, &costs[(header->y & (SIDE - 1)) * SIDE], WEND__TOLL_COMPARED);
    compare_wide(plane, detour_of(s), compared);
}

/* Returns whether half of the cells differ in cost from a neighbour, or have all legal steps. */
static bool is_uneven(const wend__page *header, const uint8_t *compared, int count) {
    const uint8_t all_equal = WEND__TOLL_EQUAL * 0x55;
    int differ = 0;
    for (int i = 0; i < count; i++) differ += compared[i] != all_equal;
    return header->arrivals == 0 || differ > count / 2;
}

bool wend__grid_find_tolls(wend__search *s, wend__stock *stock, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const wend__grid_toll_steps *steps = wend__grid_of(s)->toll_steps;
    if (!header->untolled) return true;
    if (is_near_values(s, chunk_of(header))) {
        const uint32_t plane = wend__pages_get(s, stock, header->x, header->y + WEND__TOLL_PAGE_DOWN);
        if (plane == WEND__NONE) return false;
        header->tolls = wend__page_records(s->pool, plane);
        fill_plane(s, header, wend__page_records(s->pool, plane));
        header->uneven = is_uneven(header, wend__grid_compared(header), WEND__CHUNK_SIDE << wend__row_shift(s));
        s->owed += (FOLD + FOLD_A_LAYER * s->profile->count) / WEND__EXPANSION_POINTS;
        if (header->arrivals) header->steps = &steps->always[0][0];
    }
    header->untolled = false;
    return true;
}
