/* SPDX-License-Identifier: MIT */
/* Internal: fields of structs as words of a record. A function that lists a struct's fields, each once, serves for
 * saves and for restores. It is inline and gets a constant `reads`, so that both are straight code. */
#ifndef WEND_SRC_SAVE_FIELDS_H
#define WEND_SRC_SAVE_FIELDS_H

#include "map/store/map_layout.h"
#include "save/save_bytes.h"

/// A hash of values of fixed widths, put side by side in words of 64 bits by their values, so that the machine's order
/// of bytes does not matter. The four lanes take turns. Where the number of values is constant, so is all of this but
/// the lanes, and compilers load neighbours in a struct at once.
typedef struct wend__mixer {
    uint64_t word, next, second, third, last;
    unsigned bits; ///< of `word`
} wend__mixer;

WEND__INLINE wend__mixer wend__mixer_begin(const wend__lanes *lanes) {
    return (wend__mixer){.next = lanes->of[0], .second = lanes->of[1], .third = lanes->of[2], .last = lanes->of[3]};
}

/// Ends the word.
WEND__INLINE void wend__mixer_flush(wend__mixer *m) {
    if (m->bits == 0) return;
    const uint64_t with = wend__lane_with(m->next, m->word);
    m->next = m->second, m->second = m->third, m->third = m->last, m->last = with;
    m->word = 0, m->bits = 0;
}

WEND__INLINE void wend__mixer_add(wend__mixer *m, uint64_t value, unsigned bits) {
    if (m->bits + bits > 64) wend__mixer_flush(m);
    m->word |= value << m->bits;
    m->bits += bits;
    if (m->bits == 64) wend__mixer_flush(m);
}

WEND__INLINE wend__lanes wend__mixer_end(wend__mixer *m) {
    wend__mixer_flush(m);
    return (wend__lanes){{m->next, m->second, m->third, m->last}};
}

/// A position in the words of a record, or of a table's row.
typedef struct wend__words {
    uint32_t *at;
    uint32_t apart;      ///< words of other rows between two of its own; 0 in a record
    const wend_map *map; ///< map, for cells
    bool bad;            ///< a value is invalid
    bool mixes;          ///< values are only hashed, without a record
    wend__mixer mixer;   ///< with them
} wend__words;

WEND__INLINE void wend__word_u32(wend__words *f, bool reads, uint32_t *value) {
    if (f->mixes) {
        wend__mixer_add(&f->mixer, *value, 32);
        return;
    }
    if (reads)
        *value = *f->at;
    else
        *f->at = *value;
    f->at += 1 + f->apart;
}

WEND__INLINE void wend__word_i32(wend__words *f, bool reads, int32_t *value) {
    uint32_t word = (uint32_t)*value;
    wend__word_u32(f, reads, &word);
    if (reads) *value = (int32_t)word;
}

/* A number of fewer bits. */
WEND__INLINE uint32_t wend__word_small(wend__words *f, bool reads, uint32_t value, uint32_t most) {
    WEND__DEBUG_ASSERT(reads || value <= most);
    if (f->mixes && most <= UINT8_MAX) {
        wend__mixer_add(&f->mixer, value, 8);
        return value;
    }
    wend__word_u32(f, reads, &value);
    if (reads && value > most) f->bad = true, value = 0;
    return value;
}

WEND__INLINE void wend__word_u16(wend__words *f, bool reads, uint16_t *value) {
    *value = (uint16_t)wend__word_small(f, reads, *value, UINT16_MAX);
}

WEND__INLINE void wend__word_u8(wend__words *f, bool reads, uint8_t *value) {
    *value = (uint8_t)wend__word_small(f, reads, *value, UINT8_MAX);
}

WEND__INLINE void wend__word_bool(wend__words *f, bool reads, bool *value) {
    *value = wend__word_small(f, reads, *value, 1) != 0;
}

WEND__INLINE void wend__word_i16(wend__words *f, bool reads, int16_t *value) {
    int32_t wide = *value;
    wend__word_i32(f, reads, &wide);
    if (wide < INT16_MIN || wide > INT16_MAX) f->bad = true, wide = 0;
    *value = (int16_t)wide;
}

WEND__INLINE void wend__word_u64(wend__words *f, bool reads, uint64_t *value) {
    uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
    wend__word_u32(f, reads, &low);
    wend__word_u32(f, reads, &high);
    if (reads) *value = (uint64_t)high << 32 | low;
}

WEND__INLINE void wend__word_i64(wend__words *f, bool reads, int64_t *value) {
    uint64_t bits = (uint64_t)*value;
    wend__word_u64(f, reads, &bits);
    if (reads) *value = (int64_t)bits;
}

/* A coordinate is on the map, or 0. */
WEND__INLINE void wend__word_axis(wend__words *f, bool reads, int32_t *value, int32_t side) {
    wend__word_i32(f, reads, value);
    if (reads && (uint32_t)*value >= (uint32_t)side) f->bad = true, *value = 0;
}

WEND__INLINE void wend__word_cell(wend__words *f, bool reads, wend_cell *cell) {
    wend__word_axis(f, reads, &cell->x, f->map->width);
    wend__word_axis(f, reads, &cell->y, f->map->height);
    wend__word_axis(f, reads, &cell->z, f->map->depth);
}

/// A field of any of these types, by its name.
#define WEND__FIELD(field)                                                                                             \
    _Generic(&(field),                                                                                                 \
        bool *: wend__word_bool,                                                                                      \
        uint8_t *: wend__word_u8,                                                                                     \
        int16_t *: wend__word_i16,                                                                                    \
        uint16_t *: wend__word_u16,                                                                                   \
        int32_t *: wend__word_i32,                                                                                    \
        uint32_t *: wend__word_u32,                                                                                   \
        int64_t *: wend__word_i64,                                                                                    \
        uint64_t *: wend__word_u64,                                                                                   \
        wend_cell *: wend__word_cell)(f, reads, &(field))

/// A bit field of up to 32 bits.
#define WEND__FIELD_BITS(field, most) (field) = wend__word_small(f, reads, (uint32_t)(field), (most)) & (most)

/// A number that has to be below `end`, of any of these types.
#define WEND__FIELD_BELOW(field, end)                                                                                  \
    do {                                                                                                               \
        WEND__FIELD(field);                                                                                            \
        if (reads && (uint64_t)(field) >= (uint64_t)(end)) f->bad = true, (field) = 0;                                 \
    } while (0)

/// A 32-bit index below `end`, or WEND__NONE.
#define WEND__FIELD_INDEX(field, end)                                                                                  \
    do {                                                                                                               \
        WEND__FIELD(field);                                                                                            \
        if (reads && (field) != UINT32_MAX && (field) >= (end)) f->bad = true, (field) = UINT32_MAX;                   \
    } while (0)

/// A revision of the map: only whether it is the newest one, as that alone decides. Any other becomes an older one.
#define WEND__FIELD_REVISION(field, newest)                                                                            \
    do {                                                                                                               \
        bool is_newest = (field) == (newest);                                                                          \
        WEND__FIELD(is_newest);                                                                                        \
        if (reads) (field) = is_newest ? (newest) : (newest)-1;                                                        \
    } while (0)

#endif
