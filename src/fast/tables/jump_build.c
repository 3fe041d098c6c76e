/* SPDX-License-Identifier: MIT */
/* Making a chunk's jump table: the bits of its masks become words of rows; these are turned so that columns become
 * words, and sheared so that diagonals do. */
#include "fast/tables/jump_tables.h"
#include "map/store/terrain.h"

enum { SIDE = WEND__CHUNK_SIDE, HALF = SIDE / 2, LAST = SIDE - 1 };

/* ---- bits by rows ---- */

static uint64_t bits_of_row(const uint8_t *masks, unsigned d) {
    uint64_t word = 0;
    for (unsigned x = 0; x < SIDE; x += 8) {
        uint64_t bytes = 0;
        for (unsigned i = 0; i < 8; i++) bytes |= (uint64_t)masks[x + i] << 8 * i;
        word |= ((bytes >> d & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << x;
    }
    return word;
}

/* The open words of a row from that of its middle: the neighbour in the east of a cell is the middle one of the next.
 * Of the first cell, and of the last one, the masks tell. */
static uint64_t shifted_west(const uint8_t *masks, uint64_t middle, unsigned d) {
    return middle << 1 | (masks[0] >> d & 1);
}

static uint64_t shifted_east(const uint8_t *masks, uint64_t middle, unsigned d) {
    return middle >> 1 | (uint64_t)(masks[LAST] >> d & 1) << LAST;
}

/* Returns the cells with an open neighbour in the west, from those with one in the east. */
static uint64_t open_west(const uint8_t *masks, uint64_t open_east) {
    const unsigned first = (unsigned)(masks[1] >> WEND__W & 1) << 1 | (unsigned)(masks[0] >> WEND__W & 1);
    return open_east << 2 | first;
}

/* Computes, for each direction, the cells of a row with an open neighbour there. */
static void open_words(const uint8_t *masks, uint64_t open[WEND__DIRECTIONS]) {
    open[WEND__E] = bits_of_row(masks, WEND__E);
    open[WEND__W] = open_west(masks, open[WEND__E]);
    open[WEND__N] = bits_of_row(masks, WEND__N);
    open[WEND__NE] = shifted_east(masks, open[WEND__N], WEND__NE);
    open[WEND__NW] = shifted_west(masks, open[WEND__N], WEND__NW);
    open[WEND__S] = bits_of_row(masks, WEND__S);
    open[WEND__SE] = shifted_east(masks, open[WEND__S], WEND__SE);
    open[WEND__SW] = shifted_west(masks, open[WEND__S], WEND__SW);
}

/* The same for all rows: what a row has in the north is what the row above has in the middle. */
static void open_planes(const uint8_t *masks, uint64_t open[WEND__DIRECTIONS][SIDE]) {
    static const uint8_t middle[3] = {WEND__W, WEND__N, WEND__E}, north[3] = {WEND__NW, WEND__N, WEND__NE},
                         south[3] = {WEND__SW, WEND__S, WEND__SE};
    uint64_t rows[3][SIDE], first[WEND__DIRECTIONS], last[WEND__DIRECTIONS];
    for (unsigned y = 0; y < SIDE; y++) {
        const uint8_t *row = masks + (y << WEND__CHUNK_SHIFT);
        rows[2][y] = bits_of_row(row, WEND__E);
        rows[0][y] = open_west(row, rows[2][y]);
        rows[1][y] = wend__open_cells(rows[2][y], rows[0][y]);
    }
    open_words(masks, first);
    open_words(masks + (LAST << WEND__CHUNK_SHIFT), last);
    for (unsigned i = 0; i < 3; i++) {
        memcpy(&open[north[i]][1], rows[i], LAST * sizeof rows[i][0]);
        memcpy(open[south[i]], &rows[i][1], LAST * sizeof rows[i][0]);
        open[north[i]][0] = first[north[i]];
        open[south[i]][LAST] = last[south[i]];
        if (middle[i] != WEND__N) memcpy(open[middle[i]], rows[i], sizeof rows[i]);
    }
}

/* ---- which cells are jump points, and their numbers, so that a search can store its nodes densely ---- */

#define NONE_4(n) (n), (n) + 1, (n) + 1, (n) + 2
#define NONE_16(n) NONE_4(n), NONE_4((n) + 1), NONE_4((n) + 1), NONE_4((n) + 2)
#define NONE_64(n) NONE_16(n), NONE_16((n) + 1), NONE_16((n) + 1), NONE_16((n) + 2)
const uint8_t wend__jump_bits[256] = {NONE_64(0), NONE_64(1), NONE_64(1), NONE_64(2)};

/* Entered from an open cell behind, one of these two has no other shortest way to it. */
static uint64_t forced(const uint64_t *open, unsigned behind, unsigned a, unsigned behind_a, unsigned b,
                       unsigned behind_b) {
    return open[behind] & ((open[a] & ~open[behind_a]) | (open[b] & ~open[behind_b]));
}

/* The open cells of a row, as their neighbours know it, that are points in any direction. */
static uint64_t points_of(const uint64_t open[WEND__DIRECTIONS]) {
    uint64_t here = wend__open_cells(open[WEND__E], open[WEND__W]);
    return here & (forced(open, WEND__S, WEND__W, WEND__SW, WEND__E, WEND__SE) |
                   forced(open, WEND__W, WEND__N, WEND__NW, WEND__S, WEND__SW) |
                   forced(open, WEND__N, WEND__W, WEND__NW, WEND__E, WEND__NE) |
                   forced(open, WEND__E, WEND__N, WEND__NE, WEND__S, WEND__SE));
}

/* How many bits each byte of a word has. */
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

/* Find the jump points of some rows, and number them from the first of these on. */
void wend__jump_points_rebuild(wend__jump_points *points, const wend__jump_planes *planes, uint64_t rows) {
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

/* ---- words of a chunk ---- */

/* Where steps lead: the same as wend__jump_class, 64 cells at a time. */
static void step_words(wend__jump_planes *planes) {
    static const uint8_t sides[4][4] = {{WEND__W, WEND__NW, WEND__E, WEND__NE},
                                        {WEND__N, WEND__NE, WEND__S, WEND__SE},
                                        {WEND__W, WEND__SW, WEND__E, WEND__SE},
                                        {WEND__N, WEND__NW, WEND__S, WEND__SW}};
    static const uint8_t diagonals[WEND__QUADRANTS] = {WEND__NW, WEND__NE, WEND__SW, WEND__SE};
    for (unsigned d = 0; d < 4; d++) {
        const uint64_t *here = planes->open[d], *a = planes->open[sides[d][0]], *next_a = planes->open[sides[d][1]];
        const uint64_t *b = planes->open[sides[d][2]], *next_b = planes->open[sides[d][3]];
        for (unsigned y = 0; y < SIDE; y++) {
            const uint64_t corner = (~a[y] & next_a[y]) | (~b[y] & next_b[y]);
            planes->point[d][y] = here[y] & corner;
            planes->pass[d][y] = here[y] & ~corner;
        }
    }
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const uint64_t *diagonal = planes->open[diagonals[k]];
        const uint64_t *h = planes->open[wend__quadrant_h[k]], *v = planes->open[wend__quadrant_v[k]];
        for (unsigned y = 0; y < SIDE; y++) planes->legal[k][y] = diagonal[y] & h[y] & v[y];
    }
}

/* Carry what a run ends at back along it, in a row: bit x follows bit x + 1 where bit x of pass is set. */
WEND__INLINE uint64_t carry_west(uint64_t ends, uint64_t pass) {
    for (unsigned n = 1; n < SIDE; n <<= 1) {
        ends |= pass & ends >> n;
        pass &= pass >> n;
    }
    return ends;
}

WEND__INLINE uint64_t carry_east(uint64_t ends, uint64_t pass) {
    for (unsigned n = 1; n < SIDE; n <<= 1) {
        ends |= pass & ends << n;
        pass &= pass << n;
    }
    return ends;
}

static void end_words(wend__jump_planes *planes) {
    const uint64_t east = UINT64_C(1) << LAST, west = 1;
    for (unsigned y = 0; y < SIDE; y++) {
        const uint64_t pass = planes->pass[WEND__E][y] & ~east;
        planes->any[WEND__E][y] = carry_west(planes->point[WEND__E][y] & ~east, pass);
        planes->rim[WEND__E][y] = carry_west(east, pass);
    }
    for (unsigned y = 0; y < SIDE; y++) {
        const uint64_t pass = planes->pass[WEND__W][y] & ~west;
        planes->any[WEND__W][y] = carry_east(planes->point[WEND__W][y] & ~west, pass);
        planes->rim[WEND__W][y] = carry_east(west, pass);
    }
    for (unsigned d = 0; d < 4; d += 2) {
        unsigned border = d == WEND__S ? LAST : 0, back = d == WEND__S ? SIDE - 1 : 1; /* modulo 64 */
        planes->any[d][border] = 0;
        planes->rim[d][border] = UINT64_MAX;
        for (unsigned i = 1, y = border; i < SIDE; i++) {
            unsigned before = (y + back) & LAST;
            planes->any[d][before] = planes->point[d][before] | (planes->pass[d][before] & planes->any[d][y]);
            planes->rim[d][before] = planes->pass[d][before] & planes->rim[d][y];
            y = before;
        }
    }
}

void wend__jump_planes_of(const uint8_t *masks, wend__jump_planes *planes) {
    open_planes(masks, planes->open);
    step_words(planes);
    end_words(planes);
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

static void transpose(uint64_t words[SIDE]) {
    swap_squares(words, 32, UINT64_C(0x00000000FFFFFFFF));
    swap_squares(words, 16, UINT64_C(0x0000FFFF0000FFFF));
    swap_squares(words, 8, UINT64_C(0x00FF00FF00FF00FF));
    swap_squares(words, 4, UINT64_C(0x0F0F0F0F0F0F0F0F));
    swap_squares(words, 2, UINT64_C(0x3333333333333333));
    swap_squares(words, 1, UINT64_C(0x5555555555555555));
}

/* Words of rows become those of a direction's lanes, bits along its runs. */
static void by_lanes(const uint64_t rows[SIDE], unsigned d, uint64_t lanes[SIDE]) {
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

void wend__jump_set_live(wend__jump_table *table, const uint64_t steps[4][SIDE]) {
    for (unsigned d = 0; d < 4; d++) {
        uint64_t lanes[SIDE];
        by_lanes(steps[d], d, lanes);
        for (unsigned l = 0; l < SIDE; l++) table->lines[d][l].live = lanes[l] & wend__low_bits(LAST);
    }
}

/* ---- lines ---- */

/* Which bits of a place have bit n set. */
static uint64_t places_with(unsigned n) {
    static const uint64_t words[6] = {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC),
                                      UINT64_C(0xF0F0F0F0F0F0F0F0), UINT64_C(0xFF00FF00FF00FF00),
                                      UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000)};
    return words[n];
}

/* Bits p of the words that have bit n of p set move that many words up, around. `n` is known where it is compiled, so
 * that the loops become wide operations. */
WEND__INLINE void move_up(const uint64_t from[restrict SIDE], uint64_t to[restrict SIDE], unsigned n) {
    const uint64_t moves = places_with(n);
    const unsigned by = 1u << n;
    for (unsigned i = 0; i < by; i++) to[i] = (from[i] & ~moves) | (from[i + SIDE - by] & moves);
    for (unsigned i = by; i < SIDE; i++) to[i] = (from[i] & ~moves) | (from[i - by] & moves);
}

/* Words of rows become words of a quadrant's lines: row q begins as line -q, and bit p moves p words up, in six steps,
 * one for each bit of p.
 * @param rows   mirrored where the quadrant is */
static void shear(const uint64_t rows[SIDE], unsigned quadrant, uint64_t lines[SIDE]) {
    uint64_t one[SIDE], other[SIDE];
    for (unsigned i = 0; i < SIDE; i++) one[i] = rows[((SIDE - i) & LAST) ^ wend__flip_y[quadrant]];
    move_up(one, other, 0);
    move_up(other, one, 1);
    move_up(one, other, 2);
    move_up(other, one, 3);
    move_up(one, other, 4);
    move_up(other, lines, 5);
}

static void mirror(const uint64_t rows[restrict SIDE], uint64_t out[restrict SIDE]) {
    for (unsigned y = 0; y < SIDE; y++) out[y] = reversed(rows[y]);
}

static void fill_lines(wend__jump_table *restrict table, const wend__jump_planes *restrict planes) {
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

/* Runs in direction d from these cells end at dead points. */
static void bury_runs(wend__jump_table *table, unsigned d, const uint64_t rows[SIDE]) {
    uint64_t words[SIDE], mirrored[SIDE];
    if (!any_bit(rows)) return;
    if (d != WEND__E) mirror(rows, mirrored);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned k = wend__quadrants_of[d][i];
        shear(wend__flip_x[k] ? mirrored : rows, k, words);
        for (unsigned l = 0; l < SIDE; l++)
            *(wend__is_vertical(d) ? &table->lines[k][l].live_v : &table->lines[k][l].live_h) &= ~words[l];
    }
}

void wend__jump_bury(wend__jump_table *table, const uint64_t dead[4][SIDE]) {
    for (unsigned d = 0; d < 4; d++) bury_runs(table, d, dead[d]);
    table->pruned = true;
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

/* How many bits are set in all words. */
static uint32_t count_bits(const uint64_t words[SIDE]) {
    const uint64_t low = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t sums = 0; /* of 16 bits */
    for (unsigned y = 0; y < SIDE; y++) {
        const uint64_t bytes = bits_of_bytes(words[y]);
        sums += (bytes & low) + (bytes >> 8 & low);
    }
    return (uint32_t)(sums * UINT64_C(0x0001000100010001) >> 48);
}

static void fill_counts(wend__jump_table *table, const wend__jump_planes *planes) {
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

void wend__jump_fill(wend__jump_table *table, const wend__jump_planes *planes) {
    fill_lines(table, planes);
    wend__jump_refill(table, planes, UINT64_MAX);
}

void wend__jump_refill(wend__jump_table *table, const wend__jump_planes *planes, uint64_t rows) {
    fill_ends(table, planes);
    fill_leaves(table, planes);
    wend__jump_points_rebuild(&table->points, planes, rows);
    fill_counts(table, planes);
    table->pruned = false;
}

void wend__jump_build(wend__jump_table *table, const uint8_t *masks, wend__jump_planes *planes) {
    wend__jump_planes_of(masks, planes);
    wend__jump_fill(table, planes);
    wend__jump_set_live(table, planes->point);
}
