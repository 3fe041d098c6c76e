/* SPDX-License-Identifier: MIT */
/* The bytes of numbers, records, rows and tables: those of plain loops over their definition, in any room. */
#include "save/save_table.h"

#include <criterion/criterion.h>
#include <models/random.h>
#include <stdlib.h>

enum { ROOM = 1 << 16 };

/// Bytes by the definition of the format.
typedef struct plain {
    uint8_t bytes[ROOM];
    size_t count;
} plain;

static void add_number(plain *p, uint64_t value) {
    for (; value > 127; value >>= 7) p->bytes[p->count++] = (uint8_t)(128 | (value & 127));
    p->bytes[p->count++] = (uint8_t)value;
}

static void add_record(plain *p, const uint32_t *words, const uint32_t *before, uint32_t count) {
    uint32_t equal = 0;
    for (uint32_t i = 0; i < count; i++, equal++) {
        const int32_t difference = (int32_t)(words[i] - before[i]);
        if (difference == 0) continue;
        add_number(p, 1 + (uint64_t)equal);
        add_number(p, difference < 0 ? (uint64_t)(-2 * (int64_t)difference - 1) : (uint64_t)difference * 2);
        equal = UINT32_MAX;
    }
    add_number(p, 0);
}

/* Values of every length, and next to where lengths change. */
static uint64_t some_value(unsigned i, uint64_t *random) {
    const unsigned bits = i % 65;
    const uint64_t power = bits < 64 ? UINT64_C(1) << bits : 0;
    return i < 65 ? power : i < 130 ? power - 1 : bits == 0 ? 0 : (draw(random, UINT32_MAX) * power) | (power >> 1);
}

/* Written into memory of just that size, and of less, where it is only counted. */
static void expect_bytes(const plain *p, void write(wend__save *, void *), void *context) {
    for (size_t room = 32; room <= 32 + p->count + 20; room++) {
        uint8_t *to = malloc(room);
        wend__save save;
        wend__save_begin(&save, WEND__SAVE_MAP, to, room);
        write(&save, context);
        cr_assert_eq(save.at, 32 + p->count);
        if (save.at <= room) cr_assert_eq(memcmp(to + 32, p->bytes, p->count), 0);
        free(to);
        if (room > 40 && room < 32 + p->count) room += p->count / 8;
    }
}

/* A save to read, of these bytes, in memory of just that size. */
static wend__save reading(const uint8_t *bytes, size_t count) {
    return (wend__save){.reads = true, .from = bytes, .bytes = count};
}

static void write_one(wend__save *save, void *value) {
    wend__save_number(save, value);
}

Test(save_bytes, a_number_has_seven_bits_a_byte_and_is_read_again) {
    uint64_t random = 1;
    for (unsigned i = 0; i < 400; i++) {
        uint64_t value = some_value(i, &random);
        plain p = {.count = 0};
        add_number(&p, value);
        expect_bytes(&p, write_one, &value);
        for (size_t more = 0; more < 10; more++) {
            uint8_t *bytes = calloc(1, p.count + more);
            memcpy(bytes, p.bytes, p.count);
            wend__save save = reading(bytes, p.count + more);
            uint64_t got = 0;
            wend__save_number(&save, &got);
            cr_assert(got == value && save.at == p.count && !save.bad);
            free(bytes);
        }
        uint8_t *cut = malloc(p.count);
        memcpy(cut, p.bytes, p.count);
        wend__save save = reading(cut, p.count - 1);
        wend__save_number(&save, &value);
        cr_assert(save.bad && value == 0);
        free(cut);
    }
}

Test(save_bytes, a_number_without_an_end_is_refused) {
    uint8_t bytes[32];
    uint64_t value = 1;
    memset(bytes, 255, sizeof bytes);
    wend__save save = reading(bytes, sizeof bytes);
    wend__save_number(&save, &value);
    cr_assert(save.bad && value == 0);
}

/// Three records of a series.
typedef struct records {
    uint32_t count, words[3][WEND__RECORD_WORDS];
} records;

static void write_records(wend__save *save, void *context) {
    const records *all = context;
    wend__series series;
    wend__series_begin(&series);
    for (int k = 0; k < 3; k++) {
        memcpy(series.words, all->words[k], all->count * sizeof(uint32_t));
        wend__series_pass(save, &series, all->count);
    }
}

/* How many words differ, and by how much, changes from round to round. */
static void make_records(records *all, plain *p, unsigned round, uint64_t *random) {
    static const uint32_t none[WEND__RECORD_WORDS];
    all->count = 1 + draw(random, WEND__RECORD_WORDS);
    const uint32_t seldom = 1 + round % 7 * (round % 5) * 4, shift = round % 32;
    p->count = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t *before = k > 0 ? all->words[k - 1] : none;
        for (uint32_t i = 0; i < all->count; i++) {
            const uint32_t change = draw(random, seldom) == 0 ? draw(random, UINT32_MAX) >> shift : 0;
            all->words[k][i] = change & 1 ? before[i] - change : before[i] + change;
        }
        add_record(p, all->words[k], before, all->count);
    }
}

Test(save_bytes, a_record_has_what_differs_from_the_one_before_and_is_read_again) {
    static records all;
    static plain p;
    uint64_t random = 2;
    for (unsigned round = 0; round < 600; round++) {
        make_records(&all, &p, round, &random);
        expect_bytes(&p, write_records, &all);
        uint8_t *bytes = malloc(p.count);
        memcpy(bytes, p.bytes, p.count);
        for (int cut = 0; cut < 2; cut++) {
            wend__save save = reading(bytes, p.count - (size_t)cut);
            wend__series series;
            wend__series_begin(&series);
            for (int k = 0; k < 3; k++) {
                wend__series_pass(&save, &series, all.count);
                if (!cut) cr_assert_eq(memcmp(series.words, all.words[k], all.count * sizeof(uint32_t)), 0);
            }
            cr_assert_eq(save.bad, cut == 1);
        }
        free(bytes);
    }
}

Test(save_bytes, a_record_with_more_words_than_there_are_is_refused) {
    static const uint8_t far[] = {9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                         wide[] = {1, 255, 255, 255, 255, 127, 0, 0, 0, 0};
    const uint8_t *const all[] = {far, wide};
    const size_t of[] = {sizeof far, sizeof wide};
    for (int i = 0; i < 2; i++) {
        wend__save save = reading(all[i], of[i]);
        wend__series series;
        wend__series_begin(&series);
        wend__series_pass(&save, &series, 8);
        cr_assert(save.bad);
    }
}

static void write_rows(wend__save *save, void *rows) {
    wend__save_rows(save, rows);
}

static void add_fixed(plain *p, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) p->bytes[p->count++] = (uint8_t)(value >> 8 * i);
}

Test(save_bytes, rows_are_which_differ_from_the_row_before_and_those) {
    static plain p;
    uint64_t random = 3, rows[64], got[64];
    for (unsigned round = 0; round < 65; round++) {
        uint64_t differing = 0;
        p.count = 0;
        for (unsigned y = 0; y < 64; y++) {
            rows[y] = y % 5 == 4 ? rows[y - 1] : some_value(130 + round, &random) ^ (y % 3 == 0 ? UINT64_MAX : 0);
            differing |= (uint64_t)(rows[y] != (y > 0 ? rows[y - 1] : 0)) << y;
        }
        add_fixed(&p, differing, 8);
        for (unsigned y = 0; y < 64; y++)
            if (differing >> y & 1) add_fixed(&p, rows[y], 8);
        expect_bytes(&p, write_rows, rows);
        for (size_t cut = 0; cut < 2; cut++) {
            wend__save save = reading(p.bytes, p.count - cut);
            wend__save_rows(&save, got);
            cr_assert(save.bad ? cut == 1 : cut == 0 && memcmp(got, rows, sizeof rows) == 0 && save.at == p.count);
        }
    }
}

/// Two tables of a series.
typedef struct tables {
    uint32_t columns, rows[2], words[2][WEND__TABLE_COLUMNS][WEND__TABLE_ROWS];
} tables;

static void write_tables(wend__save *save, void *context) {
    static wend__table table;
    const tables *all = context;
    wend__table_begin(&table);
    for (int k = 0; k < 2; k++) {
        memcpy(table.words, all->words[k], sizeof table.words);
        wend__table_pass(save, &table, all->columns, all->rows[k]);
    }
}

static void add_column(plain *p, const uint32_t *words, uint32_t rows, uint32_t before) {
    uint32_t varying = 0, head = words[0] != before ? 16 : 0;
    for (uint32_t row = 1; row < rows; row++) varying |= words[row] ^ words[0];
    for (unsigned plane = 0; plane < 4; plane++) head |= (varying >> 8 * plane & 255) ? 1u << plane : 0;
    add_fixed(p, head, 1);
    if (words[0] != before) add_fixed(p, words[0], 4);
    for (unsigned plane = 0; plane < 4; plane++)
        for (uint32_t row = 0; row < rows && head >> plane & 1; row++) add_fixed(p, words[row] >> 8 * plane, 1);
}

/* Columns of one value, of another one, and that vary in some of their bytes. */
static void make_tables(tables *all, plain *p, unsigned round, uint64_t *random) {
    all->columns = 1 + draw(random, round % 2 ? 9 : 60);
    p->count = 0;
    for (int k = 0; k < 2; k++) {
        all->rows[k] = k > 0 ? 1 + draw(random, WEND__TABLE_ROWS) : WEND__TABLE_ROWS;
        for (uint32_t i = 0; i < all->columns; i++) {
            const uint32_t first = k > 0 && draw(random, 2) ? all->words[0][i][0] : draw(random, UINT32_MAX);
            const uint32_t varies = draw(random, 3) ? UINT32_C(255) << 8 * draw(random, 4) : draw(random, UINT32_MAX);
            for (uint32_t row = 0; row < all->rows[k]; row++)
                all->words[k][i][row] = first ^ (row > 0 && round % 3 ? varies & draw(random, UINT32_MAX) : 0);
            add_column(p, all->words[k][i], all->rows[k], k > 0 ? all->words[0][i][0] : 0);
        }
    }
}

static void expect_tables(const tables *all, wend__save save, bool cut) {
    static wend__table table;
    wend__table_begin(&table);
    for (int k = 0; k < 2; k++) {
        wend__table_pass(&save, &table, all->columns, all->rows[k]);
        for (uint32_t i = 0; i < all->columns && !cut; i++)
            cr_assert_eq(memcmp(table.words[i], all->words[k][i], all->rows[k] * sizeof(uint32_t)), 0);
    }
    cr_assert_eq(save.bad, cut);
}

Test(save_bytes, a_table_has_the_bytes_of_each_column_that_vary_and_is_read_again) {
    static tables all;
    static plain p;
    uint64_t random = 4;
    for (unsigned round = 0; round < 200; round++) {
        make_tables(&all, &p, round, &random);
        expect_bytes(&p, write_tables, &all);
        for (size_t cut = 0; cut < 2; cut++) {
            uint8_t *bytes = malloc(p.count - cut);
            memcpy(bytes, p.bytes, p.count - cut);
            expect_tables(&all, reading(bytes, p.count - cut), cut == 1);
            free(bytes);
        }
    }
}

Test(save_bytes, a_column_with_bytes_beyond_a_word_is_refused) {
    static const uint8_t bytes[64] = {32};
    static wend__table table;
    wend__save save = reading(bytes, sizeof bytes);
    wend__table_begin(&table);
    wend__table_pass(&save, &table, 1, 2);
    cr_assert(save.bad);
}
