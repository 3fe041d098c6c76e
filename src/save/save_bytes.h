/* SPDX-License-Identifier: MIT */
/* Internal: the bytes of a save. One function for each kind of value both writes and reads, so that a save and its
 * restore cannot differ: it writes *value, or sets it.
 *
 * Numbers are in base 128 with the low digits first (LEB128), so a save is the same on every machine. A save begins
 * with 32 bytes: the mark, the version of the format, what is saved, the number of bytes, a checksum (XXH64). */
#ifndef WEND_SRC_SAVE_BYTES_H
#define WEND_SRC_SAVE_BYTES_H

#include "base/base.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/refuse.h"
#include <string.h>

/// The kinds of saves.
enum { WEND__SAVE_MAP = 1, WEND__SAVE_SERVICE = 2, WEND__SAVE_CROWD = 3, WEND__SAVE_BODIES = 4 };

/// The state of a hash over the bytes of a save: four words next to each other, as in XXH64 (Collet 2012).
#define WEND__LANE_PRIME UINT64_C(0x9E3779B185EBCA87)
enum { WEND__LANES = 4 };
typedef struct wend__lanes {
    uint64_t of[WEND__LANES];
} wend__lanes;

static inline wend__lanes wend__lanes_begin(uint64_t seed) {
    wend__lanes lanes;
    for (unsigned i = 0; i < WEND__LANES; i++) lanes.of[i] = (seed + 1) * WEND__LANE_PRIME + i;
    return lanes;
}

/// Returns a lane with another word.
static inline uint64_t wend__lane_with(uint64_t lane, uint64_t word) {
    lane += word * UINT64_C(0xC2B2AE3D27D4EB4F);
    return (lane << 31 | lane >> 33) * WEND__LANE_PRIME;
}

/// Returns the hash of all that was added.
static inline uint64_t wend__lanes_end(const wend__lanes *lanes) {
    uint64_t hash = 0;
    for (unsigned i = 0; i < WEND__LANES; i++) hash = (hash ^ lanes->of[i]) * WEND__LANE_PRIME;
    return wend__mix64(hash);
}

/// A save that is written or read; or only hashed.
typedef struct wend__save {
    bool reads;
    bool bad;            ///< reading: the bytes are not a valid save; nothing more is read then
    uint32_t kind;       ///< WEND__SAVE_…
    uint8_t *to;         ///< writing; may be NULL
    size_t room;         ///< size of `to`: bytes beyond are only counted
    const uint8_t *from; ///< reading
    size_t bytes;        ///< size of `from`
    size_t at;           ///< written or read so far
    wend__lanes *hash;   ///< NULL: the save is written or read
} wend__save;

/// Begins a save in memory of the host's.
/// @param to   may be NULL with room 0: the bytes are only counted
void wend__save_begin(wend__save *save, uint32_t kind, void *to, size_t room);
/// Ends it.
/// @param bytes   receives its size, even if there is no room; may be NULL
/// @return WEND_OK, WEND_OUT_OF_MEMORY (it takes more than `room`)
wend_error wend__save_end(wend__save *save, size_t *bytes);

/// Begins to hash the contents of a save.
void wend__hash_begin(wend__save *save, uint32_t kind, wend__lanes *lanes);
uint64_t wend__hash_end(const wend__save *save);
/// Adds words to the hash.
void wend__lanes_add(wend__lanes *lanes, const uint32_t *words, size_t count);

/// Begins to read a save. @return WEND_OK, WEND_BAD_FORMAT, WEND_UNSUPPORTED (of a later version of the format),
/// WEND_BAD_ARGUMENT (it is of another kind)
wend_error wend__load_begin(wend__save *save, uint32_t kind, const void *from, size_t bytes);
/// Returns WEND_BAD_FORMAT if anything was bad, or bytes are left; else WEND_OK.
wend_error wend__load_end(const wend__save *save);

/// Marks the save as bad. @return false
static inline bool wend__save_spoil(wend__save *save) {
    save->bad = true;
    return false;
}

/// Returns whether reading may go on: a condition must hold.
static inline bool wend__save_check(wend__save *save, bool holds) {
    if (save->reads && !holds) save->bad = true;
    return !save->bad;
}

static inline void wend__save_byte(wend__save *save, uint8_t *value) {
    if (!save->reads && !save->hash) {
        if (save->at < save->room) save->to[save->at] = *value;
        save->at++;
    } else if (save->hash) {
        save->hash->of[0] = (save->hash->of[0] ^ *value) * WEND__LANE_PRIME;
    } else if (save->at < save->bytes && !save->bad) {
        *value = save->from[save->at++];
    } else {
        *value = 0;
        save->bad = true;
    }
}

void wend__save_bytes(wend__save *save, void *bytes, size_t count);

/// A number of up to 64 bits.
void wend__save_number(wend__save *save, uint64_t *value);

/// Passes a number below `end`; 0 if the number read is not.
static inline void wend__save_below(wend__save *save, uint32_t *value, uint64_t end) {
    uint64_t number = *value;
    wend__save_number(save, &number);
    if (save->reads && number >= end) number = 0, save->bad = true;
    *value = (uint32_t)number;
}

/// Passes 64 rows of bits: which rows differ from the previous one, and those rows.
void wend__save_rows(wend__save *save, uint64_t rows[64]);

/// Moves the lowest bits of eight bytes, each 0 or 1, next to each other.
static inline uint64_t wend__gather_flags(const uint8_t *flags) {
    return wend__load8(flags) * UINT64_C(0x0102040810204080) >> 56;
}

/* ---- series: records of 32-bit words, each written as its difference from the previous one ---- */

enum { WEND__RECORD_WORDS = 320 };

/// The records of one kind. Most words of a record are as in the previous one, and take no room.
typedef struct wend__series {
    uint32_t before[WEND__RECORD_WORDS], words[WEND__RECORD_WORDS];
} wend__series;

/// Begins a series: the record before the first has only zeros.
void wend__series_begin(wend__series *series);
/// Passes `count` words of series->words. In the next call they are those of the previous record.
void wend__series_pass(wend__save *save, wend__series *series, uint32_t count);

#endif
