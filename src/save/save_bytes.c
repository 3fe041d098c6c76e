/* SPDX-License-Identifier: MIT */
/* The frame of a save, its numbers and its records. */
#include "save/save_bytes.h"

#include "base/hash.h"
#include "io/baked/checksum.h"

enum { FORMAT = 1, HEAD = 32, SUMMED_FROM = 8, SUM_AT = 24, ITEM_ROOM = 7 };
static const uint8_t mark[8] = {'w', 'e', 'n', 'd', 's', 'a', 'v', 'e'};
static const char *const kinds[] = {"nothing", "a map", "a service", "a crowd", "bodies"};

/* ---- the frame ---- */

/* Returns the checksum of all bytes but the mark and the checksum itself. */
static uint64_t sum_of(const uint8_t *bytes, size_t count) {
    wend__checksum sum;
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, bytes + SUMMED_FROM, SUM_AT - SUMMED_FROM);
    wend__checksum_add(&sum, bytes + HEAD, count - HEAD);
    return wend__checksum_of(&sum);
}

void wend__save_begin(wend__save *save, uint32_t kind, void *to, size_t room) {
    WEND__DEBUG_ASSERT(kind > 0 && kind < sizeof kinds / sizeof *kinds);
    *save = (wend__save){.kind = kind, .to = to, .room = to ? room : 0, .at = HEAD};
}

wend_error wend__save_end(wend__save *save, size_t *bytes) {
    WEND__DEBUG_ASSERT(!save->reads && !save->hash && save->at >= HEAD);
    if (bytes) *bytes = save->at;
    if (save->at > save->room)
        return wend__refuse(WEND_OUT_OF_MEMORY, "the save takes %zu bytes, but there is room for %zu", save->at,
                            save->room);
    memcpy(save->to, mark, sizeof mark);
    wend__put_fixed(save->to + 8, FORMAT, 4);
    wend__put_fixed(save->to + 12, save->kind, 4);
    wend__put_fixed(save->to + 16, save->at, 8);
    wend__put_fixed(save->to + SUM_AT, sum_of(save->to, save->at), 8);
    return WEND_OK;
}

/* ---- hashes ---- */

void wend__hash_begin(wend__save *save, uint32_t kind, wend__lanes *lanes) {
    wend__save_begin(save, kind, NULL, 0);
    *lanes = wend__lanes_begin(kind);
    save->hash = lanes;
}

uint64_t wend__hash_end(const wend__save *save) {
    WEND__DEBUG_ASSERT(save->hash);
    return wend__lanes_end(save->hash);
}

/* Words are put together by values, so that the machine's order of bytes does not matter. */
void wend__lanes_add(wend__lanes *lanes, const uint32_t *words, size_t count) {
    size_t i = 0;
    for (; i + 2 * WEND__LANES <= count; i += 2 * WEND__LANES)
        for (size_t k = 0; k < WEND__LANES; k++)
            lanes->of[k] = wend__lane_with(lanes->of[k], words[i + 2 * k] | (uint64_t)words[i + 2 * k + 1] << 32);
    for (; i < count; i++) lanes->of[i % WEND__LANES] = wend__lane_with(lanes->of[i % WEND__LANES], words[i] + i);
}

static void hash_bytes(wend__lanes *lanes, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) lanes->of[1] = wend__lane_with(lanes->of[1], wend__load8(bytes));
    for (; count > 0; bytes++, count--) lanes->of[2] = wend__lane_with(lanes->of[2], *bytes);
}

wend_error wend__load_begin(wend__save *save, uint32_t kind, const void *from, size_t bytes) {
    WEND__DEBUG_ASSERT(kind > 0 && kind < sizeof kinds / sizeof *kinds);
    const uint8_t *at = from;
    if (!from) return wend__refuse_null("buffer");
    if (bytes < HEAD || memcmp(at, mark, sizeof mark) != 0)
        return wend__refuse(WEND_BAD_FORMAT, "these bytes are no save of wend");
    const uint64_t format = wend__get_fixed(at + 8, 4), of = wend__get_fixed(at + 12, 4),
                   length = wend__get_fixed(at + 16, 8);
    if (format == 0 || format > FORMAT)
        return wend__refuse(WEND_UNSUPPORTED, "the save has format %u, this version reads up to %d", (unsigned)format,
                            FORMAT);
    if (length != bytes)
        return wend__refuse(WEND_BAD_FORMAT, "the save is cut: it has %zu bytes, and had %llu", bytes,
                            (unsigned long long)length);
    if (wend__get_fixed(at + SUM_AT, 8) != sum_of(at, bytes))
        return wend__refuse(WEND_BAD_FORMAT, "the save is damaged: its checksum is wrong");
    if (of != kind)
        return wend__refuse(WEND_BAD_ARGUMENT, "the save is of %s, not of %s",
                            kinds[of < sizeof kinds / sizeof *kinds ? of : 0], kinds[kind]);
    *save = (wend__save){.reads = true, .kind = kind, .from = from, .bytes = bytes, .at = HEAD};
    return WEND_OK;
}

wend_error wend__load_end(const wend__save *save) {
    WEND__DEBUG_ASSERT(save->reads && save->at <= save->bytes);
    if (!save->bad && save->at == save->bytes) return WEND_OK;
    return wend__refuse(WEND_BAD_FORMAT, "the save of %s has a value that it cannot have, before byte %zu",
                        kinds[save->kind], save->at);
}

/* ---- values ---- */

void wend__save_bytes(wend__save *save, void *bytes, size_t count) {
    if (save->hash) {
        hash_bytes(save->hash, bytes, count);
    } else if (!save->reads) {
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

static void put_number(wend__save *save, uint64_t value) {
    WEND__DEBUG_ASSERT(!save->reads && !save->hash);
    if (save->at <= save->room && save->room - save->at >= WEND__LONGEST_NUMBER) {
        save->at = (size_t)(wend__write_number(save->to + save->at, value) - save->to);
        return;
    }
    uint8_t bytes[WEND__LONGEST_NUMBER];
    wend__save_bytes(save, bytes, (size_t)(wend__write_number(bytes, value) - bytes));
}

static uint64_t get_number(wend__save *save) {
    WEND__DEBUG_ASSERT(save->reads && save->at <= save->bytes);
    uint64_t value = 0;
    uint8_t byte = 128;
    for (unsigned i = 0; i < WEND__LONGEST_NUMBER && byte & 128; i++) {
        wend__save_byte(save, &byte);
        value |= (uint64_t)(byte & 127) << 7 * i;
    }
    if (byte & 128) save->bad = true;
    return save->bad ? 0 : value;
}

void wend__save_number(wend__save *save, uint64_t *value) {
    if (save->reads)
        *value = get_number(save);
    else if (save->hash)
        save->hash->of[3] = wend__lane_with(save->hash->of[3], *value);
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

/* For each word that differs: 1 + the number of equal ones before it, and the difference; at the end 0. */
static void put_record(wend__save *save, wend__series *series, uint32_t count) {
    uint8_t bytes[WEND__RECORD_WORDS * ITEM_ROOM + 1], *at = bytes;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (series->words[i] == series->before[i]) continue;
        at = wend__write_number(at, 1 + i - next);
        at = wend__write_number(at, fold(series->words[i] - series->before[i]));
        series->before[i] = series->words[i];
        next = i + 1;
    }
    *at++ = 0;
    WEND__DEBUG_ASSERT(at <= bytes + sizeof bytes);
    wend__save_bytes(save, bytes, (size_t)(at - bytes));
}

static void get_record(wend__save *save, wend__series *series, uint32_t count) {
    uint64_t next = 0, more;
    while ((more = get_number(save)) > 0) {
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
    else if (save->hash)
        wend__lanes_add(save->hash, series->words, count);
    else
        put_record(save, series, count);
}
