/* SPDX-License-Identifier: MIT */
/* The columns of tables. */
#include "save/save_table.h"

enum { ROWS = WEND__TABLE_ROWS, PLANES = 4, ANOTHER_FIRST = 1 << PLANES, HEADS = 1 << (PLANES + 1) };
enum { COLUMN_ROOM = 1 + PLANES + PLANES * ROWS };

void wend__table_begin(wend__table *table) {
    memset(table->before, 0, sizeof table->before);
}

/* Returns the bits in which words of a column differ. */
static uint32_t find_varying(const uint32_t words[ROWS]) {
    uint32_t varying = 0;
    for (unsigned row = 0; row < ROWS; row++) varying |= words[row] ^ words[0];
    return varying;
}

/* Writes the head: a bit for each byte that varies, and one if the first word follows. Each varying byte takes ROWS
 * bytes of memory, of which the first `rows` are written. @return the end of these */
static uint8_t *write_column(uint8_t *at, const uint32_t words[ROWS], uint32_t rows, uint32_t *before) {
    const uint32_t varying = find_varying(words), other = words[0] != *before;
    uint8_t *const head = at++;
    *head = (uint8_t)(other * ANOTHER_FIRST);
    wend__store4(at, words[0]);
    at += PLANES * other;
    *before = words[0];
    for (unsigned plane = 0; varying && plane < PLANES; plane++) {
        const unsigned shift = 8 * plane;
        if (!(varying >> shift & 255)) continue;
        *head |= (uint8_t)(1 << plane);
        for (unsigned row = 0; row < ROWS; row++) at[row] = (uint8_t)(words[row] >> shift);
        at += rows;
    }
    return at;
}

static void put_column(wend__save *save, const uint32_t words[ROWS], uint32_t rows, uint32_t *before) {
    if (save->at <= save->room && save->room - save->at >= COLUMN_ROOM) {
        save->at = (size_t)(write_column(save->to + save->at, words, rows, before) - save->to);
        return;
    }
    uint8_t bytes[COLUMN_ROOM];
    wend__save_bytes(save, bytes, (size_t)(write_column(bytes, words, rows, before) - bytes));
}

static void read_plane(wend__save *save, uint32_t words[ROWS], uint32_t rows, unsigned shift) {
    uint8_t own[ROWS] = {0};
    const uint8_t *bytes = own;
    if (!save->bad && save->bytes - save->at >= ROWS)
        bytes = save->from + save->at, save->at += rows;
    else
        wend__save_bytes(save, own, rows);
    for (unsigned row = 0; row < ROWS; row++)
        words[row] = (words[row] & ~(UINT32_C(255) << shift)) | (uint32_t)bytes[row] << shift;
}

static void get_column(wend__save *save, uint32_t words[ROWS], uint32_t rows, uint32_t *before) {
    uint8_t head = 0;
    wend__save_byte(save, &head);
    if (!wend__save_check(save, head < HEADS)) head = 0;
    if (head & ANOTHER_FIRST) {
        uint8_t first[PLANES];
        wend__save_bytes(save, first, PLANES);
        *before = wend__load4(first);
    }
    for (unsigned row = 0; row < ROWS; row++) words[row] = *before;
    for (unsigned plane = 0; plane < PLANES; plane++)
        if (head >> plane & 1) read_plane(save, words, rows, 8 * plane);
}

void wend__table_pass(wend__save *save, wend__table *table, uint32_t columns, uint32_t rows) {
    WEND__DEBUG_ASSERT(!save->hash && columns <= WEND__TABLE_COLUMNS && rows > 0 && rows <= ROWS);
    for (uint32_t column = 0; column < columns; column++) {
        uint32_t *words = table->words[column], *before = &table->before[column];
        if (save->reads) {
            get_column(save, words, rows, before);
            continue;
        }
        for (uint32_t row = rows; row < ROWS; row++) words[row] = words[0];
        put_column(save, words, rows, before);
    }
}
