/* SPDX-License-Identifier: MIT */
/* Makes and changes a chunk's jump table from words of rows, which are transposed to make words of columns, and sheared
 * to make words of diagonals. */
#include "fast/tables/jump_tables.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, HALF = SIDE / 2, LAST = SIDE - 1 };

/* ---- jump points and their numbers, by which a search stores its nodes densely ---- */

#define NONE_4(n) (n), (n) + 1, (n) + 1, (n) + 2
#define NONE_16(n) NONE_4(n), NONE_4((n) + 1), NONE_4((n) + 1), NONE_4((n) + 2)
#define NONE_64(n) NONE_16(n), NONE_16((n) + 1), NONE_16((n) + 1), NONE_16((n) + 2)
const uint8_t wend__jump_bits[256] = {NONE_64(0), NONE_64(1), NONE_64(1), NONE_64(2)};

/* Entered from an open cell behind, one of these two cells has no other shortest way to it. */
static uint64_t forced(const uint64_t *open, unsigned behind, unsigned a, unsigned behind_a, unsigned b,
                       unsigned behind_b) {
    return open[behind] & ((open[a] & ~open[behind_a]) | (open[b] & ~open[behind_b]));
}

/* Returns the open cells of a row, by their neighbours' masks, that are jump points in any direction. */
static uint64_t points_of(const uint64_t open[WEND__DIRECTIONS]) {
    uint64_t here = wend__open_cells(open[WEND__E], open[WEND__W]);
    return here & (forced(open, WEND__S, WEND__W, WEND__SW, WEND__E, WEND__SE) |
                   forced(open, WEND__W, WEND__N, WEND__NW, WEND__S, WEND__SW) |
                   forced(open, WEND__N, WEND__W, WEND__NW, WEND__E, WEND__NE) |
                   forced(open, WEND__E, WEND__N, WEND__NE, WEND__S, WEND__SE));
}

/* Returns how many bits each byte of a word has. */
static uint64_t bits_of_bytes(uint64_t word) {
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    return (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

static uint64_t row_of(const wend__jump_points *points, unsigned y) {
    uint64_t row = 0;
    for (unsigned i = 0; i < 8; i++) row |= (uint64_t)points->cells[y << 3 | i] << 8 * i;
    return row;
}

/* Number the rows of a half from this one on; the product's bytes are the sums of all bytes up to each. */
static void number(wend__jump_points *points, unsigned first) {
    const unsigned half = first / HALF, end = (half + 1) * HALF;
    unsigned count = first % HALF ? points->before[first << 3] : 0;
    for (unsigned y = first; y < end; y++) {
        uint64_t sums = bits_of_bytes(row_of(points, y)) * UINT64_C(0x0101010101010101);
        for (unsigned i = 0; i < 8; i++)
            points->before[y << 3 | i] = (uint16_t)(count + (i ? sums >> 8 * (i - 1) & 255 : 0));
        count += (unsigned)(sums >> 56);
    }
    points->count[half] = (uint16_t)count;
}

/* Finds the jump points of some rows, and numbers them from the first of these rows on. */
WEND__CLONED void wend__jump_points_rebuild(wend__jump_points *points, const wend__jump_planes *planes, uint64_t rows) {
    const uint64_t upper = wend__low_bits(HALF);
    for (uint64_t left = rows; left; left &= left - 1) {
        const unsigned y = wend__ctz64(left);
        uint64_t open[WEND__DIRECTIONS];
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++) open[d] = planes->open[d][y];
        const uint64_t row = points_of(open);
        for (unsigned i = 0; i < 8; i++) points->cells[y << 3 | i] = (uint8_t)(row >> 8 * i);
    }
    if (rows & upper) number(points, wend__ctz64(rows));
    if (rows & ~upper) number(points, wend__ctz64(rows & ~upper));
}

/* ---- runs ---- */

WEND__INLINE uint64_t reversed(uint64_t word) {
    word = (word >> 1 & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555)) << 1;
    word = (word >> 2 & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333)) << 2;
    word = (word >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
    word = (word >> 8 & UINT64_C(0x00FF00FF00FF00FF)) | (word & UINT64_C(0x00FF00FF00FF00FF)) << 8;
    word = (word >> 16 & UINT64_C(0x0000FFFF0000FFFF)) | (word & UINT64_C(0x0000FFFF0000FFFF)) << 16;
    return word >> 32 | word << 32;
}

uint64_t wend__reversed(uint64_t word) {
    return reversed(word);
}

/* Transposes: bit x of word y becomes bit y of word x. Squares of `by` bits next to the diagonal change places. */
WEND__INLINE void swap_squares(uint64_t words[SIDE], unsigned by, uint64_t low) {
    for (unsigned i = 0; i < SIDE; i += 2 * by)
        for (unsigned k = i; k < i + by; k++) {
            const uint64_t other = (words[k] >> by ^ words[k + by]) & low;
            words[k + by] ^= other;
            words[k] ^= other << by;
        }
}

WEND__INLINE void transpose(uint64_t words[SIDE]) {
    swap_squares(words, 32, UINT64_C(0x00000000FFFFFFFF));
    swap_squares(words, 16, UINT64_C(0x0000FFFF0000FFFF));
    swap_squares(words, 8, UINT64_C(0x00FF00FF00FF00FF));
    swap_squares(words, 4, UINT64_C(0x0F0F0F0F0F0F0F0F));
    swap_squares(words, 2, UINT64_C(0x3333333333333333));
    swap_squares(words, 1, UINT64_C(0x5555555555555555));
}

/* Turns words of rows into words of the lanes of a direction, with bits along its runs. */
WEND__CLONED static void by_lanes(const uint64_t rows[SIDE], unsigned d, uint64_t lanes[SIDE]) {
    for (unsigned y = 0; y < SIDE; y++) {
        if (d == WEND__W)
            lanes[y] = reversed(rows[y]);
        else
            lanes[y] = rows[d == WEND__N ? LAST - y : y];
    }
    if (wend__is_vertical(d)) transpose(lanes);
}

static void fill_ends(wend__jump_table *table, const wend__jump_planes *planes) {
    for (unsigned d = 0; d < 4; d++) {
        uint64_t *ends = table->ends[d];
        by_lanes(planes->pass[d], d, ends);
        for (unsigned l = 0; l < SIDE; l++) ends[l] = ~ends[l] | UINT64_C(1) << LAST;
    }
}

WEND__CLONED void wend__jump_set_live(wend__jump_table *table, const uint64_t steps[4][SIDE], uint64_t changed[4]) {
    for (unsigned d = 0; d < 4; d++) {
        uint64_t lanes[SIDE];
        by_lanes(steps[d], d, lanes);
        uint64_t others = 0;
        for (unsigned l = 0; l < SIDE; l++) {
            const uint64_t live = lanes[l] & wend__low_bits(LAST);
            others |= (uint64_t)(table->lines[d][l].live != live) << l;
            table->lines[d][l].live = live;
        }
        if (changed) changed[d] = others;
    }
}

/* ---- lines ---- */

/* The places that have bit n set, as a word. */
static uint64_t places_with(unsigned n) {
    static const uint64_t words[6] = {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC),
                                      UINT64_C(0xF0F0F0F0F0F0F0F0), UINT64_C(0xFF00FF00FF00FF00),
                                      UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000)};
    return words[n];
}

/* Moves the bits p of words whose bit n of p is set that many words up, around. `n` is known at compile time, so that
 * the loops become wide operations. */
WEND__INLINE void move_up(const uint64_t from[restrict SIDE], uint64_t to[restrict SIDE], unsigned n) {
    const uint64_t moves = places_with(n);
    const unsigned by = 1u << n;
    for (unsigned i = 0; i < by; i++) to[i] = (from[i] & ~moves) | (from[i + SIDE - by] & moves);
    for (unsigned i = by; i < SIDE; i++) to[i] = (from[i] & ~moves) | (from[i - by] & moves);
}

/* Turns words of rows into words of a quadrant's lines: row q begins as line -q, and bit p moves p words up, in six
 * steps, one for each bit of p. @param rows   mirrored as the quadrant */
WEND__CLONED static void shear(const uint64_t rows[SIDE], unsigned quadrant, uint64_t lines[SIDE]) {
    uint64_t one[SIDE], other[SIDE];
    for (unsigned i = 0; i < SIDE; i++) one[i] = rows[((SIDE - i) & LAST) ^ wend__flip_y[quadrant]];
    move_up(one, other, 0);
    move_up(other, one, 1);
    move_up(one, other, 2);
    move_up(other, one, 3);
    move_up(one, other, 4);
    move_up(other, lines, 5);
}

WEND__CLONED static void mirror(const uint64_t rows[restrict SIDE], uint64_t out[restrict SIDE]) {
    for (unsigned y = 0; y < SIDE; y++) out[y] = reversed(rows[y]);
}

WEND__INLINE void fill_lines(wend__jump_table *restrict table, const wend__jump_planes *restrict planes) {
    static const uint8_t mirrored[3] = {WEND__N, WEND__S, WEND__W}; /* directions of the quadrants to the west */
    uint64_t legal[SIDE], any[4][SIDE], rim[4][SIDE], words[5][SIDE];
    for (unsigned i = 0; i < 3; i++) {
        mirror(planes->any[mirrored[i]], any[mirrored[i]]);
        mirror(planes->rim[mirrored[i]], rim[mirrored[i]]);
    }
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const unsigned h = wend__quadrant_h[k], v = wend__quadrant_v[k];
        const bool west = wend__flip_x[k];
        if (west) mirror(planes->legal[k], legal);
        shear(west ? legal : planes->legal[k], k, words[0]);
        shear(west ? any[h] : planes->any[h], k, words[1]);
        shear(west ? any[v] : planes->any[v], k, words[2]);
        shear(west ? rim[h] : planes->rim[h], k, words[3]);
        shear(west ? rim[v] : planes->rim[v], k, words[4]);
        for (unsigned i = 0; i < SIDE; i++)
            table->lines[k][i] = (wend__jump_line){.legal = words[0][i],
                                                   .live_h = words[1][i],
                                                   .live_v = words[2][i],
                                                   .rim_h = words[3][i],
                                                   .rim_v = words[4][i],
                                                   .any_h = words[1][i],
                                                   .any_v = words[2][i]};
    }
}

static bool any_bit(const uint64_t words[SIDE]) {
    uint64_t all = 0;
    for (unsigned i = 0; i < SIDE; i++) all |= words[i];
    return all != 0;
}

WEND__CLONED void wend__jump_bury(wend__jump_table *table, const uint64_t (*dead)[SIDE]) {
    static const uint8_t mirrored[3] = {WEND__N, WEND__S, WEND__W}; /* directions of the quadrants to the west */
    uint64_t turned[4][SIDE], words[2][SIDE];
    bool some[4];
    for (unsigned d = 0; d < 4; d++) some[d] = dead && any_bit(dead[d]);
    for (unsigned i = 0; i < 3; i++)
        if (some[mirrored[i]]) mirror(dead[mirrored[i]], turned[mirrored[i]]);
    memset(words, 0, sizeof words);
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const unsigned of[2] = {wend__quadrant_h[k], wend__quadrant_v[k]};
        for (unsigned i = 0; i < 2; i++) {
            if (some[of[i]])
                shear(wend__flip_x[k] ? turned[of[i]] : dead[of[i]], k, words[i]);
            else
                memset(words[i], 0, sizeof words[i]);
        }
        for (unsigned l = 0; l < SIDE; l++) {
            wend__jump_line *line = &table->lines[k][l];
            line->live_h = line->any_h & ~words[0][l], line->live_v = line->any_v & ~words[1][l];
        }
    }
}

static void fill_leaves(wend__jump_table *table, const wend__jump_planes *planes) {
    uint64_t east = 0, west = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        east |= (planes->open[WEND__E][y] >> LAST) << y;
        west |= (planes->open[WEND__W][y] & 1) << y;
    }
    table->leaves[WEND__N] = planes->open[WEND__N][0], table->leaves[WEND__S] = planes->open[WEND__S][LAST];
    table->leaves[WEND__E] = east, table->leaves[WEND__W] = west;
}

/* Returns how many bits are set in all words. */
WEND__INLINE uint32_t count_bits(const uint64_t words[SIDE]) {
    const uint64_t low = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t sums = 0; /* sums of 16 bits each */
    for (unsigned y = 0; y < SIDE; y++) {
        const uint64_t bytes = bits_of_bytes(words[y]);
        sums += (bytes & low) + (bytes >> 8 & low);
    }
    return (uint32_t)(sums * UINT64_C(0x0001000100010001) >> 48);
}

WEND__CLONED static void fill_counts(wend__jump_table *table, const wend__jump_planes *planes) {
    uint32_t counts[WEND__JUMP_COUNTS] = {0};
    uint64_t here[SIDE], words[SIDE];
    for (unsigned y = 0; y < SIDE; y++) here[y] = wend__open_cells(planes->open[WEND__E][y], planes->open[WEND__W][y]);
    for (unsigned d = 0; d < 4; d++) {
        for (unsigned y = 0; y < SIDE; y++) words[y] = here[y] & ~planes->any[d][y] & ~planes->rim[d][y];
        counts[WEND__JUMP_WALLS] += count_bits(words);
        for (unsigned y = 0; y < SIDE; y++) words[y] = here[y] & planes->any[d][y];
        counts[WEND__JUMP_CORNERS] += count_bits(words);
        for (unsigned y = 0; y < SIDE; y++) words[y] = here[y] & planes->legal[d][y]; /* quadrant d */
        counts[WEND__JUMP_DIAGONALS] += count_bits(words);
    }
    for (unsigned i = 0; i < WEND__JUMP_COUNTS; i++) table->counts[i] = (uint16_t)counts[i];
}

/* ---- changing lines ---- */

enum { FEW_BITS = 48 }; ///< with more bits a plane is sheared, which is faster than one by one

static bool are_few(const uint64_t plane[SIDE], uint64_t rows) {
    unsigned count = 0;
    for (; rows; rows &= rows - 1) count += wend__popcount64(plane[wend__ctz64(rows)]);
    return count <= FEW_BITS;
}

/* Words of a line: the first of two, horizontal and vertical. */
enum { LEGAL = 0, RIM = 3, ANY = 5 };

static uint64_t *word_of(wend__jump_line *line, unsigned word) {
    return (uint64_t *)line + word;
}

WEND__INLINE void flip_bits(wend__jump_line lines[SIDE], const unsigned k, const uint64_t plane[SIDE], uint64_t rows,
                            const unsigned word) {
    const unsigned flip_x = k & 1 ? 0 : LAST, flip_y = k & 2 ? 0 : LAST;
    for (; rows; rows &= rows - 1) {
        const unsigned y = wend__ctz64(rows), q = y ^ flip_y;
        for (uint64_t bits = plane[y]; bits; bits &= bits - 1) {
            const unsigned p = wend__ctz64(bits) ^ flip_x;
            *word_of(&lines[(p - q) & LAST], word) ^= UINT64_C(1) << p;
        }
    }
}

static void flip_sheared(wend__jump_line lines[SIDE], unsigned k, const uint64_t plane[SIDE], unsigned word) {
    uint64_t mirrored[SIDE], sheared[SIDE];
    if (wend__flip_x[k]) mirror(plane, mirrored);
    shear(wend__flip_x[k] ? mirrored : plane, k, sheared);
    for (unsigned l = 0; l < SIDE; l++) *word_of(&lines[l], word) ^= sheared[l];
}

WEND__INLINE void flip_plane(wend__jump_table *table, const unsigned k, const uint64_t plane[SIDE], uint64_t rows,
                             const unsigned word) {
    if (are_few(plane, rows))
        flip_bits(table->lines[k], k, plane, rows, word);
    else
        flip_sheared(table->lines[k], k, plane, word);
}

WEND__INLINE void flip_quadrant(wend__jump_table *table, const unsigned k, const wend__jump_differences *found) {
    const unsigned h = k & 1 ? WEND__E : WEND__W, v = k & 2 ? WEND__S : WEND__N;
    flip_plane(table, k, found->legal[k], found->changed, LEGAL);
    flip_plane(table, k, found->any[h], found->rows[h], ANY);
    flip_plane(table, k, found->any[v], found->rows[v], ANY + 1);
    flip_plane(table, k, found->rim[h], found->rows[h], RIM);
    flip_plane(table, k, found->rim[v], found->rows[v], RIM + 1);
}

/* Updates the lanes' ends: a bit flips if a step leads on now and did not, or did. */
static void flip_ends(wend__jump_table *table, const wend__jump_planes *planes, const wend__jump_differences *found) {
    for (uint64_t left = found->changed; left; left &= left - 1) {
        const unsigned y = wend__ctz64(left);
        table->ends[WEND__E][y] = ~planes->pass[WEND__E][y] | UINT64_C(1) << LAST;
        table->ends[WEND__W][y] = ~reversed(planes->pass[WEND__W][y]) | UINT64_C(1) << LAST;
        if (y > 0)
            for (uint64_t bits = found->pass[WEND__N][y]; bits; bits &= bits - 1)
                table->ends[WEND__N][wend__ctz64(bits)] ^= UINT64_C(1) << (LAST - y);
        if (y < LAST)
            for (uint64_t bits = found->pass[WEND__S][y]; bits; bits &= bits - 1)
                table->ends[WEND__S][wend__ctz64(bits)] ^= UINT64_C(1) << y;
    }
}

static void fill_rest(wend__jump_table *table, const wend__jump_planes *planes, uint64_t rows) {
    fill_leaves(table, planes);
    wend__jump_points_rebuild(&table->points, planes, rows);
    fill_counts(table, planes);
    table->pruned = false;
}

WEND__CLONED void wend__jump_patch(wend__jump_table *table, const wend__jump_planes *planes,
                                   const wend__jump_differences *found) {
    flip_quadrant(table, 0, found);
    flip_quadrant(table, 1, found);
    flip_quadrant(table, 2, found);
    flip_quadrant(table, 3, found);
    flip_ends(table, planes, found);
    fill_rest(table, planes, found->changed);
}

WEND__CLONED void wend__jump_fill(wend__jump_table *table, const wend__jump_planes *planes) {
    fill_lines(table, planes);
    fill_ends(table, planes);
    fill_rest(table, planes, UINT64_MAX);
}

void wend__jump_build(wend__jump_table *table, const uint8_t *masks, wend__jump_planes *planes) {
    wend__jump_planes_of(masks, planes);
    wend__jump_fill(table, planes);
    wend__jump_set_live(table, planes->point, NULL);
}
