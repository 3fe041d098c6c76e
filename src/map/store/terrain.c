/* SPDX-License-Identifier: MIT */
/* The forms of a chunk's terrain: one class, two classes as bits, or a byte a cell. */
#include "base/hash.h"
#include "map/store/planes.h"
#include "map/store/terrain.h"
#include "map/store/memory.h"

/* ---- eight cells at a time; whatever order bytes have, cell 0 is the lowest ---- */

#define BIT(b, i) ((b) >> (i)&1 ? 0xFF : 0)
#define SPREAD(b)                                                                                                      \
    { BIT(b, 0), BIT(b, 1), BIT(b, 2), BIT(b, 3), BIT(b, 4), BIT(b, 5), BIT(b, 6), BIT(b, 7) }
#define SPREAD_4(b) SPREAD(b), SPREAD((b) + 1), SPREAD((b) + 2), SPREAD((b) + 3)
#define SPREAD_16(b) SPREAD_4(b), SPREAD_4((b) + 4), SPREAD_4((b) + 8), SPREAD_4((b) + 12)
#define SPREAD_64(b) SPREAD_16(b), SPREAD_16((b) + 16), SPREAD_16((b) + 32), SPREAD_16((b) + 48)

/* Expands bits to bytes of 0xFF and 0. */
static const uint8_t spread[256][8] = {SPREAD_64(0), SPREAD_64(64), SPREAD_64(128), SPREAD_64(192)};

void wend__spread_row(uint64_t word, uint8_t out[WEND__CHUNK_SIDE]) {
    for (unsigned i = 0; i < WEND__CHUNK_SIDE; i += 8) memcpy(out + i, spread[word >> i & 0xFF], 8);
}

/* Compilers turn this into one load. */
static uint64_t load_8(const uint8_t *cells) {
    return (uint64_t)cells[0] | (uint64_t)cells[1] << 8 | (uint64_t)cells[2] << 16 | (uint64_t)cells[3] << 24 |
           (uint64_t)cells[4] << 32 | (uint64_t)cells[5] << 40 | (uint64_t)cells[6] << 48 | (uint64_t)cells[7] << 56;
}

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* Gathers bit i from byte i, all of which are 0 or 1. */
static uint64_t gather(uint64_t bytes) {
    return bytes * UINT64_C(0x0102040810204080) >> 56;
}

uint64_t wend__pack_run(const uint8_t *cells, unsigned count, uint8_t base, uint8_t other) {
    const unsigned shift = wend__ctz32((uint32_t)base ^ other), whole = count & ~7u;
    uint64_t word = 0;
    for (unsigned i = 0; i < whole; i += 8)
        word |= gather((load_8(cells + i) ^ base * EACH_BYTE) >> shift & EACH_BYTE) << i;
    for (unsigned i = whole; i < count; i++) word |= (uint64_t)(cells[i] == other) << i;
    return word;
}

/* ---- reading ---- */

void wend__chunk_row(const wend__chunk *chunk, unsigned y, uint8_t out[WEND__CHUNK_SIDE]) {
    if (chunk->terrain) {
        memcpy(out, &chunk->terrain->bytes[y << WEND__CHUNK_SHIFT], WEND__CHUNK_SIDE);
    } else if (chunk->bits) {
        uint8_t base = chunk->bits->classes[0], other = base ^ chunk->bits->classes[1];
        wend__spread_row(chunk->bits->rows[y], out);
        for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++) out[x] = (uint8_t)((out[x] & other) ^ base);
    } else {
        memset(out, chunk->uniform, WEND__CHUNK_SIDE);
    }
}

/* A fast path: mostly the classes are 0 and 1, equal to their bits, and eight are processed at a time. */
static uint64_t open_bytes(const uint8_t factors[256], const uint8_t *classes) {
    bool plain = factors[0] == 0 && factors[1] != 0;
    uint64_t row = 0;
    for (unsigned x = 0; x < WEND__CHUNK_SIDE; x += 8) {
        uint64_t bytes = load_8(classes + x);
        if (plain && !(bytes & ~EACH_BYTE)) {
            row |= gather(bytes) << x;
            continue;
        }
        for (unsigned i = x; i < x + 8; i++) row |= (uint64_t)(factors[classes[i]] != 0) << i;
    }
    return row;
}

uint64_t wend__open_row(const uint8_t factors[256], const wend__chunk *chunk, unsigned y) {
    if (chunk->terrain) return open_bytes(factors, &chunk->terrain->bytes[y << WEND__CHUNK_SHIFT]);
    if (!chunk->bits) return factors[chunk->uniform] ? UINT64_MAX : 0;
    uint64_t zeros = factors[chunk->bits->classes[0]] ? UINT64_MAX : 0;
    uint64_t ones = factors[chunk->bits->classes[1]] ? UINT64_MAX : 0;
    return (~chunk->bits->rows[y] & zeros) | (chunk->bits->rows[y] & ones);
}

void wend__chunk_expand(const wend__chunk *chunk, unsigned width, unsigned height, uint8_t *bytes) {
    for (unsigned y = 0; y < height; y++) {
        wend__chunk_row(chunk, y, bytes + (y << WEND__CHUNK_SHIFT));
        memset(bytes + (y << WEND__CHUNK_SHIFT) + width, 0, WEND__CHUNK_SIDE - width);
    }
    memset(bytes + (height << WEND__CHUNK_SHIFT), 0, (WEND__CHUNK_SIDE - height) << WEND__CHUNK_SHIFT);
}

uint32_t wend__chunk_hash(const wend__version *v, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    uint8_t classes[WEND__CHUNK_CELLS];
    unsigned width, height;
    wend__chunk_extents(v, column, row, &width, &height);
    wend__chunk_expand(chunk, width, height, classes);
    uint64_t hash = wend__hash_bytes(WEND__HASH_START, classes, sizeof classes);
    for (uint32_t i = 0; chunk->closed && i < WEND__CHUNK_CELLS; i++)
        if (chunk->closed->steps[i]) hash = wend__hash_u32(wend__hash_u32(hash, i), chunk->closed->steps[i]);
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- the smallest form ---- */

typedef struct palette {
    unsigned count; ///< 1, 2, or 3: more than two
    uint8_t classes[2];
} palette;

bool wend__row_of_two(const uint8_t *cells, unsigned width, uint8_t first, uint8_t second) {
    unsigned char others = 0;
    for (unsigned x = 0; x < width; x++) others |= (unsigned char)((cells[x] != first) & (cells[x] != second));
    return !others;
}

static palette palette_of_bytes(const uint8_t *bytes, unsigned width, unsigned height) {
    palette p = {1, {bytes[0], bytes[0]}};
    for (unsigned y = 0; y < height; y++) {
        const uint8_t *cells = bytes + (y << WEND__CHUNK_SHIFT);
        if (wend__row_of_two(cells, width, p.classes[0], p.classes[1])) continue;
        if (p.count == 2) return (palette){3, {0, 0}};
        unsigned x = 0;
        while (cells[x] == p.classes[0]) x++;
        p = (palette){2, {p.classes[0], cells[x]}};
        if (!wend__row_of_two(cells, width, p.classes[0], p.classes[1])) return (palette){3, {0, 0}};
    }
    return p;
}

static palette palette_of_bits(const wend__bits *bits, unsigned width, unsigned height) {
    uint64_t all = wend__low_bits(width), none = 0, every = all;
    for (unsigned y = 0; y < height; y++) none |= bits->rows[y], every &= bits->rows[y];
    if ((none & all) == 0) return (palette){1, {bits->classes[0], bits->classes[0]}};
    if ((every & all) == all) return (palette){1, {bits->classes[1], bits->classes[1]}};
    return (palette){2, {bits->classes[0], bits->classes[1]}};
}

wend__form wend__chunk_form(const wend__chunk *chunk, const wend_map_rules *rules, unsigned width, unsigned height) {
    if (!chunk->terrain && !chunk->bits) return (wend__form){.kind = WEND__FORM_AS_IS};
    palette p = chunk->bits ? palette_of_bits(chunk->bits, width, height)
                            : palette_of_bytes(chunk->terrain->bytes, width, height);
    wend__form form = {.classes = {p.classes[0], p.classes[1]}};
    bool slow = rules->factors[p.classes[0]] > 1 || rules->factors[p.classes[1]] > 1;
    if (p.count == 1)
        form.kind = WEND__FORM_UNIFORM;
    else if (p.count == 2 && !slow)
        form.kind = chunk->bits ? WEND__FORM_AS_IS : WEND__FORM_BITS;
    else
        form.kind = chunk->bits ? WEND__FORM_BYTES : WEND__FORM_AS_IS;
    return form;
}

static wend_error become_bits(wend_map *map, wend__chunk *chunk, const wend__form *form, unsigned width,
                              unsigned height) {
    wend__bits *bits = wend__shared_create(map, sizeof(wend__bits));
    if (!bits) return WEND_OUT_OF_MEMORY;
    memcpy(bits->classes, form->classes, sizeof bits->classes);
    for (unsigned y = 0; y < height; y++)
        bits->rows[y] =
            wend__pack_run(&chunk->terrain->bytes[y << WEND__CHUNK_SHIFT], width, form->classes[0], form->classes[1]);
    wend__shared_release(map, chunk->terrain);
    chunk->terrain = NULL;
    chunk->bits = bits;
    return WEND_OK;
}

static wend_error become_bytes(wend_map *map, wend__chunk *chunk, unsigned width, unsigned height) {
    wend__plane *plane = wend__shared_create(map, sizeof(wend__plane));
    if (!plane) return WEND_OUT_OF_MEMORY;
    wend__chunk_expand(chunk, width, height, plane->bytes);
    wend__shared_release(map, chunk->bits);
    chunk->bits = NULL;
    chunk->terrain = plane;
    return WEND_OK;
}

void wend__chunk_make_uniform(wend_map *map, wend__chunk *chunk, uint8_t class) {
    wend__shared_release(map, chunk->terrain);
    wend__shared_release(map, chunk->bits);
    chunk->terrain = NULL;
    chunk->bits = NULL;
    chunk->uniform = class;
}

wend_error wend__chunk_reform(wend_map *map, wend__chunk *chunk, const wend__form *form, unsigned width,
                              unsigned height) {
    switch (form->kind) {
    case WEND__FORM_UNIFORM: wend__chunk_make_uniform(map, chunk, form->classes[0]); return WEND_OK;
    case WEND__FORM_BITS: return become_bits(map, chunk, form, width, height);
    case WEND__FORM_BYTES: return become_bytes(map, chunk, width, height);
    default: return WEND_OK;
    }
}

/* ---- places one after another ---- */

/* Handles places of one row of 64. */
static void read_bits(const wend__bits *bits, unsigned place, unsigned count, uint8_t *out) {
    uint64_t word = bits->rows[place >> 6] >> (place & 63);
    uint8_t base = bits->classes[0], other = base ^ bits->classes[1], bytes[WEND__CHUNK_SIDE];
    if (count > 16) {
        wend__spread_row(word, bytes);
        for (unsigned i = 0; i < count; i++) out[i] = (uint8_t)((bytes[i] & other) ^ base);
    } else {
        for (unsigned i = 0; i < count; i++) out[i] = (uint8_t)((word >> i & 1) * other ^ base);
    }
}

void wend__chunk_read_run(const wend__chunk *chunk, unsigned place, unsigned count, uint8_t *out) {
    if (chunk->terrain) {
        memcpy(out, &chunk->terrain->bytes[place], count);
    } else if (!chunk->bits) {
        memset(out, chunk->uniform, count);
    } else {
        for (unsigned end = place + count, next; place < end; place = next) {
            next = (place | 63) + 1 < end ? (place | 63) + 1 : end;
            read_bits(chunk->bits, place, next - place, out);
            out += next - place;
        }
    }
}

bool wend__chunk_run_is(const wend__chunk *chunk, unsigned place, unsigned count, const uint8_t *classes) {
    if (wend__chunk_class(chunk, place) != classes[0]) return false;
    if (chunk->terrain) return memcmp(&chunk->terrain->bytes[place], classes, count) == 0;
    for (unsigned end = place + count, next; place < end; place = next) {
        uint8_t run[WEND__CHUNK_SIDE];
        next = (place | 63) + 1 < end ? (place | 63) + 1 : end;
        wend__chunk_read_run(chunk, place, next - place, run);
        if (memcmp(run, classes, next - place) != 0) return false;
        classes += next - place;
    }
    return true;
}
