/* SPDX-License-Identifier: MIT */
/* Graphs: the estimate by straight distance, and the chunks of nodes. */
#include "map/kinds/graph.h"
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/terrain.h"

/* ---- the heuristic: the distance between nodes, and the least cost of a way of that length ---- */

const uint16_t wend__graph_roots[193] = {
    32768, 33023, 33276, 33527, 33776, 34024, 34270, 34514, 34756, 34996, 35235, 35472, 35708, 35942, 36175,
    36406, 36636, 36864, 37091, 37316, 37540, 37763, 37985, 38205, 38424, 38642, 38858, 39073, 39287, 39500,
    39712, 39923, 40132, 40341, 40548, 40755, 40960, 41164, 41368, 41570, 41771, 41972, 42171, 42369, 42567,
    42763, 42959, 43154, 43348, 43541, 43733, 43925, 44115, 44305, 44494, 44682, 44869, 45056, 45242, 45427,
    45611, 45795, 45977, 46160, 46341, 46522, 46702, 46881, 47059, 47237, 47415, 47591, 47767, 47942, 48117,
    48291, 48465, 48637, 48809, 48981, 49152, 49322, 49492, 49661, 49830, 49998, 50166, 50332, 50499, 50665,
    50830, 50995, 51159, 51323, 51486, 51649, 51811, 51972, 52134, 52294, 52454, 52614, 52773, 52932, 53090,
    53248, 53405, 53562, 53719, 53874, 54030, 54185, 54340, 54494, 54647, 54801, 54954, 55106, 55258, 55410,
    55561, 55712, 55862, 56012, 56162, 56311, 56459, 56608, 56756, 56903, 57051, 57198, 57344, 57490, 57636,
    57781, 57926, 58071, 58215, 58359, 58503, 58646, 58789, 58931, 59073, 59215, 59357, 59498, 59639, 59779,
    59919, 60059, 60199, 60338, 60477, 60615, 60753, 60891, 61029, 61166, 61303, 61440, 61576, 61712, 61848,
    61984, 62119, 62254, 62388, 62523, 62657, 62790, 62924, 63057, 63190, 63323, 63455, 63587, 63719, 63850,
    63982, 64113, 64243, 64374, 64504, 64634, 64763, 64893, 65022, 65151, 65279, 65408, 65535,
};

/* A distance is units / 2^shift; units has 32 bits. From 2^32 on `shift` is -1. */
typedef struct distance {
    uint64_t units;
    int shift;
    bool exact; ///< else the distance is a little more, but less than with one unit more
} distance;

/* Returns the estimate between places that differ by that much in x, y and z, rounded down. */
WEND__INLINE distance measure(uint64_t dx, uint64_t dy, uint64_t dz) {
    uint64_t sum = dx * dx, part = dy * dy, carry = 0;
    sum += part, carry += sum < part;
    part = dz * dz;
    sum += part, carry += sum < part;
    if (carry) {
        uint64_t quarter = sum >> 2 | carry << 62, r = wend__graph_root(quarter);
        return (distance){r, -1, r * r == quarter && !(sum & 3)};
    }
    if (sum == 0) return (distance){0, 0, true};
    unsigned shift = wend__graph_free_bits(sum) / 2;
    sum <<= 2 * shift;
    uint64_t r = wend__graph_root(sum);
    return (distance){r, (int)shift, r * r == sum};
}

uint64_t wend__graph_rate(wend_cell from, wend_cell to, uint32_t cost) {
    distance d = measure(wend__distance(from.x, to.x), wend__distance(from.y, to.y), wend__distance(from.z, to.z));
    if (d.units == 0) return UINT64_MAX;
    if (!d.exact) d.units++;
    /* cost * 2^(32 + shift) / units, in two steps so that 64 bits do */
    if (d.shift < 0) return ((uint64_t)cost << 31) / d.units;
    uint64_t scaled = (uint64_t)cost << 32;
    return (scaled / d.units << d.shift) + ((scaled % d.units) << d.shift) / d.units;
}

/* rate * distance / 2^32, rounded down, for a distance in units. The rate has 52 bits. */
WEND__INLINE uint64_t least_cost(uint64_t rate, uint64_t units, int shift) {
    uint64_t product = (rate >> 32) * units + ((rate & UINT32_MAX) * units >> 32);
    return shift < 0 ? product << 1 : product >> shift;
}

/* ---- the exact estimate */

/* Numbers of 256 bits, the lowest 32 bits first. */
typedef struct wide {
    uint32_t part[8];
} wide;

/* A product that fits in 256 bits. */
static wide times(const wide *a, const wide *b) {
    wide product = {{0}};
    for (unsigned i = 0; i < 8; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; i + j < 8; j++) {
            carry += (uint64_t)a->part[i] * b->part[j] + product.part[i + j];
            product.part[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

static wide square_of(uint64_t n) {
    const wide a = {{(uint32_t)n, (uint32_t)(n >> 32)}};
    return times(&a, &a);
}

static void add_to(wide *sum, const wide *more) {
    uint64_t carry = 0;
    for (unsigned i = 0; i < 8; i++) {
        carry += (uint64_t)sum->part[i] + more->part[i];
        sum->part[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static bool is_at_most(const wide *a, const wide *b) {
    for (unsigned i = 8; i-- > 0;)
        if (a->part[i] != b->part[i]) return a->part[i] < b->part[i];
    return true;
}

/* Returns whether a cost is at most rate * distance / 2^32. Both squared: cost^2 * 2^64 and rate^2 * distance^2. */
static bool is_no_dearer(uint64_t cost, const wide *limit) {
    const wide square = square_of(cost);
    wide shifted = {{0}};
    for (unsigned i = 2; i < 8; i++) shifted.part[i] = square.part[i - 2];
    return is_at_most(&shifted, limit);
}

/* Returns the largest cost from `low` to `high` that is at most rate * distance / 2^32; `low` must be. */
static WEND__NOINLINE uint64_t settle(uint64_t rate, wend_cell from, wend_cell to, uint64_t low, uint64_t high) {
    wide sum = square_of(wend__distance(from.x, to.x));
    const wide down = square_of(wend__distance(from.y, to.y)), up = square_of(wend__distance(from.z, to.z));
    add_to(&sum, &down);
    add_to(&sum, &up);
    const wide rates = square_of(rate), limit = times(&rates, &sum);
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (is_no_dearer(middle, &limit))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Why that is no more than any path costs: an edge e of length |e| costs c(e) >= rate * |e| / 2^32, as the rate is the
 * least of all c(e) * 2^32 / |e|, rounded down (with the lengths rounded up); an edge without length costs at least 0 =
 * rate * 0. A class multiplies that by 1 or more. A path from a to b costs the sum of its edges, so at least rate /
 * 2^32 * (sum of lengths) >= rate / 2^32 * |ab|, as no path is shorter than the straight line.
 *
 * It is consistent, too: rate / 2^32 * |ab| is, by the triangle inequality, and costs are whole numbers, so rounding it
 * down changes nothing. For that it must be rounded once, to the whole number below. `measure` rounds the distance; in
 * the few cases in which that could change the result, `settle` computes it exactly. */
uint64_t wend__graph_estimate(const wend__graph *graph, wend_cell from, wend_cell to) {
    const uint64_t rate = graph->cost_per_unit;
    if (!rate) return 0;
    const distance d =
        measure(wend__distance(from.x, to.x), wend__distance(from.y, to.y), wend__distance(from.z, to.z));
    const uint64_t low = least_cost(rate, d.units, d.shift);
    if (d.exact && d.shift >= 0) return low;
    const uint64_t high = least_cost(rate, d.units + 1, d.shift) + (d.shift < 0 ? 2 : 0);
    return WEND__LIKELY(low == high) ? low : settle(rate, from, to, low, high);
}

/* ---- its chunks ---- */

void wend__graph_derive(const wend__version *version, wend__chunk *chunk, int32_t column) {
    const uint64_t *present = wend__graph_chunk(version->graph, column);
    const uint8_t *factors = version->rules.factors;
    chunk->max_factor = 0;
    for (uint32_t word = 0; word < WEND__CHUNK_SIDE; word++)
        for (uint64_t left = present[word]; left; left &= left - 1) {
            uint8_t factor = factors[wend__chunk_class(chunk, word << 6 | wend__ctz64(left))];
            if (factor > chunk->max_factor) chunk->max_factor = factor;
            if (!chunk->terrain && !chunk->bits) return;
        }
}

/* Writes class 0 where there is no node. */
static wend_error open_chunk(wend__version *version, wend__chunk *chunk, int32_t column) {
    const uint64_t *present = wend__graph_chunk(version->graph, column);
    wend__bits *bits = wend__shared_create(version->map, sizeof(wend__bits));
    if (!bits) return WEND_OUT_OF_MEMORY;
    bits->classes[0] = 0, bits->classes[1] = WEND_CLASS_OPEN;
    memcpy(bits->rows, present, sizeof bits->rows);
    chunk->bits = bits;
    wend__form form = wend__chunk_form(chunk, &version->rules, WEND__CHUNK_SIDE, WEND__CHUNK_SIDE);
    if (wend__chunk_reform(version->map, chunk, &form, WEND__CHUNK_SIDE, WEND__CHUNK_SIDE)) return WEND_OUT_OF_MEMORY;
    wend__graph_derive(version, chunk, column);
    return WEND_OK;
}

static bool is_full(const wend__graph *graph, int32_t column) {
    const uint64_t *present = wend__graph_chunk(graph, column);
    for (unsigned word = 0; word < WEND__CHUNK_SIDE; word++)
        if (~present[word]) return false;
    return true;
}

/* Gives a block that another place shares a copy of its own. */
static wend__block *own_block(wend__version *version, int32_t column) {
    wend__block **slot = &version->blocks[wend__block_index(version, column, 0)];
    if ((*slot)->shared.references == 1) return *slot;
    wend__block *block = wend__block_copy(version->map, *slot);
    if (!block) return NULL;
    wend__shared_release(version->map, *slot);
    return *slot = block;
}

wend_error wend__graph_open(wend__version *version) {
    for (int32_t column = 0; column < version->chunk_columns; column++) {
        if (is_full(version->graph, column)) continue;
        wend__block *block = own_block(version, column);
        if (!block) return WEND_OUT_OF_MEMORY;
        if (open_chunk(version, &block->chunks[wend__chunk_index(column, 0)], column)) return WEND_OUT_OF_MEMORY;
        wend__block_sum(block);
    }
    return WEND_OK;
}
