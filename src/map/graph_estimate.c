/* SPDX-License-Identifier: MIT */
/* How far a graph's nodes are from one another, and what a way costs at least for it. */
#include "map/graph.h"

/* 16 times the root of i + 1/2, for i from 64 to 255. */
static const uint8_t roots[192] = {
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 144, 145, 146, 147, 148,
    149, 150, 151, 151, 152, 153, 154, 155, 156, 156, 157, 158, 159, 160, 160, 161, 162, 163, 164, 164, 165, 166,
    167, 167, 168, 169, 170, 170, 171, 172, 173, 173, 174, 175, 176, 176, 177, 178, 179, 179, 180, 181, 181, 182,
    183, 183, 184, 185, 186, 186, 187, 188, 188, 189, 190, 190, 191, 192, 192, 193, 194, 194, 195, 196, 196, 197,
    198, 198, 199, 200, 200, 201, 201, 202, 203, 203, 204, 205, 205, 206, 206, 207, 208, 208, 209, 210, 210, 211,
    211, 212, 213, 213, 214, 214, 215, 216, 216, 217, 217, 218, 219, 219, 220, 220, 221, 221, 222, 223, 223, 224,
    224, 225, 225, 226, 227, 227, 228, 228, 229, 229, 230, 230, 231, 232, 232, 233, 233, 234, 234, 235, 235, 236,
    237, 237, 238, 238, 239, 239, 240, 240, 241, 241, 242, 242, 243, 243, 244, 244, 245, 246, 246, 247, 247, 248,
    248, 249, 249, 250, 250, 251, 251, 252, 252, 253, 253, 254, 254, 255, 255, 255,
};

/* The root of a number of 63 or 64 bits, rounded down. The table is right to about 8 bits, and each of Newton's steps
 * doubles that; a step never ends below the root rounded down, whatever it began from, so what is left is to go down. */
WEND__INLINE uint64_t root(uint64_t n) {
    uint64_t r = (uint64_t)roots[(n >> 56) - 64] << 24;
    r = (r + n / r) >> 1;
    r = (r + n / r) >> 1;
    if (r > UINT32_MAX) r = UINT32_MAX;
    while (r * r > n) r--;
    return r;
}

/* Bits above the highest one that is set; n is not 0. */
static unsigned free_bits(uint64_t n) {
#if defined(__GNUC__)
    return (unsigned)__builtin_clzll(n);
#else
    unsigned count = 0;
    while (!(n >> 63)) n <<= 1, count++;
    return count;
#endif
}

/* A distance is units / 2^shift; units has 32 bits. Beyond 2^32 `shift` is -1. */
typedef struct distance {
    uint64_t units;
    int shift;
    bool exact; ///< else it is a little more than that, but less than with one unit more
} distance;

/* Of places that differ by that much in x, y and z. Rounded down. */
WEND__INLINE distance measure(uint64_t dx, uint64_t dy, uint64_t dz) {
    uint64_t sum = dx * dx, part = dy * dy, carry = 0;
    sum += part, carry += sum < part;
    part = dz * dz;
    sum += part, carry += sum < part;
    if (carry) {
        uint64_t quarter = sum >> 2 | carry << 62, r = root(quarter);
        return (distance){r, -1, r * r == quarter && !(sum & 3)};
    }
    if (sum == 0) return (distance){0, 0, true};
    unsigned shift = free_bits(sum) / 2;
    sum <<= 2 * shift;
    uint64_t r = root(sum);
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

/* rate * distance / 2^32, rounded down. The rate has 52 bits. */
WEND__INLINE uint64_t least_cost(uint64_t rate, const distance *d) {
    uint64_t product = (rate >> 32) * d->units + ((rate & UINT32_MAX) * d->units >> 32);
    return d->shift < 0 ? product << 1 : product >> d->shift;
}

/* Why that is no more than any way costs: an edge e of length |e| costs c(e) >= rate * |e| / 2^32, as the rate is the least
 * of all c(e) * 2^32 / |e|, rounded down (with the lengths rounded up); an edge without length costs at least 0 = rate * 0.
 * A class multiplies that by 1 or more. A way from a to b costs the sum of its edges, so at least rate / 2^32 * (sum of
 * lengths) >= rate / 2^32 * |ab|, as no way is shorter than the straight line. `measure` rounds |ab| down, and so does the
 * division. */
uint64_t wend__graph_estimate(const wend__graph *graph, wend_cell from, wend_cell to) {
    if (!graph->cost_per_unit) return 0;
    distance d = measure(wend__distance(from.x, to.x), wend__distance(from.y, to.y), wend__distance(from.z, to.z));
    return least_cost(graph->cost_per_unit, &d);
}
