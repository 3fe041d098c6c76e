/* SPDX-License-Identifier: MIT */
/* The frame of a save, its numbers and its records. */
#include "save/save_bytes.h"

#include "io/baked/checksum.h"

enum { FORMAT = 6, HEAD = 32, SUMMED_FROM = 8, SUM_AT = 24, LONGEST = 10 };
static const uint8_t mark[8] = {'w', 'e', 'n', 'd', 's', 'a', 'v', 'e'};
static const char *const kinds[] = {"nothing", "a map", "a service", "a crowd", "bodies"};

/* ---- the frame ---- */

static void put_fixed(uint8_t *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_fixed(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* Returns the checksum of all bytes but the mark and the checksum itself. */
static uint64_t sum_of(const uint8_t *bytes, size_t count) {
    wend__checksum sum;
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, bytes + SUMMED_FROM, SUM_AT - SUMMED_FROM);
    wend__checksum_add(&sum, bytes + HEAD, count - HEAD);
    return wend__checksum_of(&sum);
}

void wend__save_begin(wend__save *save, uint32_t kind, void *to, size_t room) {
    *save = (wend__save){.kind = kind, .format = FORMAT, .to = to, .room = to ? room : 0, .at = HEAD};
}

wend_error wend__save_end(wend__save *save, size_t *bytes) {
    if (bytes) *bytes = save->at;
    if (save->at > save->room)
        return wend__refuse(WEND_OUT_OF_MEMORY, "the save takes %zu bytes, but there is room for %zu", save->at,
                            save->room);
    memcpy(save->to, mark, sizeof mark);
    put_fixed(save->to + 8, FORMAT, 4);
    put_fixed(save->to + 12, save->kind, 4);
    put_fixed(save->to + 16, save->at, 8);
    put_fixed(save->to + SUM_AT, sum_of(save->to, save->at), 8);
    return WEND_OK;
}

wend_error wend__load_begin(wend__save *save, uint32_t kind, const void *from, size_t bytes) {
    const uint8_t *at = from;
    if (!from) return wend__refuse_null("buffer");
    if (bytes < HEAD || memcmp(at, mark, sizeof mark) != 0)
        return wend__refuse(WEND_BAD_FORMAT, "these bytes are no save of wend");
    const uint64_t format = get_fixed(at + 8, 4), of = get_fixed(at + 12, 4), length = get_fixed(at + 16, 8);
    if (format == 0 || format > FORMAT)
        return wend__refuse(WEND_UNSUPPORTED, "the save has format %u, this version reads up to %d", (unsigned)format,
                            FORMAT);
    if (length != bytes)
        return wend__refuse(WEND_BAD_FORMAT, "the save is cut: it has %zu bytes, and had %llu", bytes,
                            (unsigned long long)length);
    if (get_fixed(at + SUM_AT, 8) != sum_of(at, bytes))
        return wend__refuse(WEND_BAD_FORMAT, "the save is damaged: its checksum is wrong");
    if (of != kind)
        return wend__refuse(WEND_BAD_ARGUMENT, "the save is of %s, not of %s",
                            kinds[of < sizeof kinds / sizeof *kinds ? of : 0], kinds[kind]);
    *save =
        (wend__save){.reads = true, .kind = kind, .format = (uint32_t)format, .from = from, .bytes = bytes, .at = HEAD};
    return WEND_OK;
}

wend_error wend__load_end(const wend__save *save) {
    if (!save->bad && save->at == save->bytes) return WEND_OK;
    return wend__refuse(WEND_BAD_FORMAT, "the save of %s has a value that it cannot have, before byte %zu",
                        kinds[save->kind], save->at);
}

/* ---- values ---- */

void wend__save_bytes(wend__save *save, void *bytes, size_t count) {
    if (!save->reads) {
        if (save->at <= save->room && count <= save->room - save->at) memcpy(save->to + save->at, bytes, count);
        save->at += count;
    } else if (!save->bad && count <= save->bytes - save->at) {
        memcpy(bytes, save->from + save->at, count);
        save->at += count;
    } else {
        memset(bytes, 0, count);
        save->bad = true;
    }
}

#define ALL_MORE UINT64_C(0x8080808080808080) /* the bit of each byte that says that more bytes follow */

/* Returns how many bytes a number has after its first: one for each seven bits. */
static inline unsigned bytes_after_first(uint64_t value) {
    return wend__top64(value | 1) * 37 >> 8;
}

/* Spreads 56 bits over eight bytes, seven in each, in three steps of halves; and gathers them again. No branch depends
 * on the value, as lengths of numbers cannot be predicted. */
static inline uint64_t spread_digits(uint64_t value) {
    value = (value & UINT64_C(0x000000000FFFFFFF)) | (value & UINT64_C(0x00FFFFFFF0000000)) << 4;
    value = (value & UINT64_C(0x00003FFF00003FFF)) | (value & UINT64_C(0x0FFFC0000FFFC000)) << 2;
    return (value & UINT64_C(0x007F007F007F007F)) | (value & UINT64_C(0x3F803F803F803F80)) << 1;
}

static inline uint64_t gather_digits(uint64_t bytes) {
    bytes = (bytes & UINT64_C(0x007F007F007F007F)) | (bytes & UINT64_C(0x7F007F007F007F00)) >> 1;
    bytes = (bytes & UINT64_C(0x00003FFF00003FFF)) | (bytes & UINT64_C(0x3FFF00003FFF0000)) >> 2;
    return (bytes & UINT64_C(0x000000000FFFFFFF)) | (bytes & UINT64_C(0x0FFFFFFF00000000)) >> 4;
}

/* Writes a number, and up to LONGEST bytes in all. @return behind the number */
static inline uint8_t *write_number(uint8_t *at, uint64_t value) {
    const unsigned more = bytes_after_first(value), marked = more < 8 ? more : 7;
    uint64_t word = spread_digits(value) | (ALL_MORE & ((UINT64_C(1) << 8 * marked) - 1));
    if (more >= 8) word |= UINT64_C(1) << 63;
    wend__store8(at, word);
    at[8] = (uint8_t)((value >> 56 & 127) | (more > 8 ? 128 : 0));
    at[9] = (uint8_t)(value >> 63);
    return at + more + 1;
}

static void put_number(wend__save *save, uint64_t value) {
    if (save->at <= save->room && save->room - save->at >= LONGEST) {
        save->to[save->at] = (uint8_t)value;
        if (value < 128) {
            save->at++;
            return; /* most */
        }
        save->at = (size_t)(write_number(save->to + save->at, value) - save->to);
        return;
    }
    uint8_t bytes[LONGEST];
    wend__save_bytes(save, bytes, (size_t)(write_number(bytes, value) - bytes));
}

/* Reads a number byte by byte. */
static uint64_t get_long_number(wend__save *save) {
    uint64_t value = 0;
    uint8_t byte = 128;
    for (unsigned i = 0; i < LONGEST && byte & 128; i++) {
        wend__save_byte(save, &byte);
        value |= (uint64_t)(byte & 127) << 7 * i;
    }
    if (byte & 128) save->bad = true;
    return save->bad ? 0 : value;
}

static inline uint64_t get_number(wend__save *save) {
    if (save->bad || save->bytes - save->at < 8) return get_long_number(save);
    const uint8_t *at = save->from + save->at;
    if (*at < 128) {
        save->at++;
        return *at; /* most */
    }
    const uint64_t word = wend__load8(at), last = ~word & ALL_MORE;
    if (!last) return get_long_number(save);
    save->at += wend__ctz64(last) / 8 + 1;
    return gather_digits(word & (last ^ (last - 1)));
}

void wend__save_number(wend__save *save, uint64_t *value) {
    if (save->reads)
        *value = get_number(save);
    else
        put_number(save, *value);
}

static void put_rows(wend__save *save, const uint64_t rows[64]) {
    uint8_t bytes[8 + 64 * 8], *at = bytes + 8;
    uint64_t differing = 0, before = 0;
    for (unsigned y = 0; y < 64; before = rows[y++]) {
        const unsigned differs = rows[y] != before;
        differing |= (uint64_t)differs << y;
        wend__store8(at, rows[y]);
        at += 8 * differs;
    }
    wend__store8(bytes, differing);
    wend__save_bytes(save, bytes, (size_t)(at - bytes));
}

void wend__save_rows(wend__save *save, uint64_t rows[64]) {
    uint8_t bytes[8];
    if (!save->reads) {
        put_rows(save, rows);
        return;
    }
    wend__save_bytes(save, bytes, sizeof bytes);
    const uint64_t differing = wend__load8(bytes);
    for (unsigned y = 0; y < 64; y++) {
        if (differing >> y & 1) wend__save_bytes(save, bytes, sizeof bytes);
        rows[y] = differing >> y & 1 ? wend__load8(bytes) : y > 0 ? rows[y - 1] : 0;
    }
}

/* ---- series ---- */

void wend__series_begin(wend__series *series) {
    memset(series->before, 0, sizeof series->before);
}

/* Small differences of both signs become small numbers. */
static inline uint32_t fold(uint32_t difference) {
    return difference << 1 ^ (0 - (difference >> 31));
}

static inline uint32_t unfold(uint32_t folded) {
    return folded >> 1 ^ (0 - (folded & 1));
}

/// Words in each of which one bit says whether a word of a record differs.
enum {
    MASK_WORDS = (WEND__RECORD_WORDS + 63) / 64,
    ITEM_ROOM = 7,
    RECORD_ROOM = WEND__RECORD_WORDS * ITEM_ROOM + LONGEST
};

/* Finds the words that differ from the record before. Compilers make vectors of the first loop. */
static void find_differing(const wend__series *series, uint32_t count, uint64_t mask[MASK_WORDS]) {
    uint8_t differs[MASK_WORDS * 64];
    const uint32_t end = (count + 63) / 64 * 64;
    for (uint32_t i = 0; i < end; i++) differs[i] = series->words[i] != series->before[i];
    for (uint32_t i = 0; i < end; i += 64) {
        uint64_t bits = 0;
        for (uint32_t k = 0; k < 64; k += 8) bits |= wend__gather_flags(differs + i + k) << k;
        mask[i / 64] = bits;
    }
    if (count % 64 > 0) mask[count / 64] &= (UINT64_C(1) << count % 64) - 1;
}

/* For each word that differs: 1 + the number of equal ones before it, and the difference; at the end 0. */
static void put_record(wend__save *save, wend__series *series, uint32_t count) {
    uint8_t bytes[RECORD_ROOM];
    uint64_t mask[MASK_WORDS];
    const bool fits = save->at <= save->room && save->room - save->at >= sizeof bytes;
    uint8_t *const first = fits ? save->to + save->at : bytes, *at = first;
    uint32_t next = 0;
    find_differing(series, count, mask);
    for (uint32_t from = 0; from < count; from += 64)
        for (uint64_t left = mask[from / 64]; left; left &= left - 1) {
            const uint32_t i = from + wend__ctz64(left), gap = 1 + i - next;
            const uint32_t folded = fold(series->words[i] - series->before[i]);
            if (gap < 128 && folded < 1 << 14) { /* most */
                const uint32_t more = folded > 127;
                wend__store4(at, gap | (folded + (folded & ~UINT32_C(127))) << 8 | more << 15);
                at += 2 + more;
            } else {
                at = write_number(at, gap);
                at = write_number(at, folded);
            }
            series->before[i] = series->words[i];
            next = i + 1;
        }
    *at++ = 0;
    if (fits)
        save->at += (size_t)(at - first);
    else
        wend__save_bytes(save, bytes, (size_t)(at - first));
}

/* Reads the differences of a record while each takes at most two bytes. @return whether that was all of it */
static bool get_short_items(wend__save *save, wend__series *series, uint32_t count, uint64_t *next) {
    while (!save->bad && save->bytes - save->at >= 8) {
        const uint64_t word = wend__load8(save->from + save->at);
        const uint32_t gap = word & 255, more = word >> 15 & 1;
        if (gap == 0) {
            save->at++;
            return true;
        }
        if (gap > 127 || gap > count - *next || (more && (word >> 23 & 1))) return false;
        const uint32_t folded = (uint32_t)((word >> 8 & 127) | ((word >> 16 & 127) << 7) * more);
        *next += gap;
        series->before[*next - 1] += unfold(folded);
        save->at += 2 + more;
    }
    return false;
}

static void get_record(wend__save *save, wend__series *series, uint32_t count) {
    uint64_t next = 0, more;
    while (!get_short_items(save, series, count, &next) && (more = get_number(save)) > 0) {
        next += more <= count ? more : count + UINT64_C(1);
        if (next > count) {
            save->bad = true;
            break;
        }
        const uint64_t folded = get_number(save);
        if (folded > UINT32_MAX) save->bad = true;
        series->before[next - 1] += unfold((uint32_t)folded);
    }
    memcpy(series->words, series->before, count * sizeof *series->words);
}

void wend__series_pass(wend__save *save, wend__series *series, uint32_t count) {
    WEND__DEBUG_ASSERT(count <= WEND__RECORD_WORDS);
    if (save->reads)
        get_record(save, series, count);
    else
        put_record(save, series, count);
}
