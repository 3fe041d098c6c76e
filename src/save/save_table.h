/* SPDX-License-Identifier: MIT */
/* Internal: tables of 32-bit words, written column by column. Most columns have one value, or vary in one of their
 * bytes only. So a column is its first word, if that differs from the previous table's, and the varying bytes.
 * Compilers turn these loops into vector code, without a branch for a word. */
#ifndef WEND_SRC_SAVE_TABLE_H
#define WEND_SRC_SAVE_TABLE_H

#include "save/save_bytes.h"

enum { WEND__TABLE_ROWS = 32, WEND__TABLE_COLUMNS = 192 };

/// A table, and the data kept of the previous one.
typedef struct wend__table {
    uint32_t before[WEND__TABLE_COLUMNS]; ///< the first word of each column
    uint32_t words[WEND__TABLE_COLUMNS][WEND__TABLE_ROWS];
} wend__table;

/// Begins a series of tables: the one before the first has only zeros.
void wend__table_begin(wend__table *table);
/// Passes the first `rows` rows of the first `columns` columns. Other rows are changed.
void wend__table_pass(wend__save *save, wend__table *table, uint32_t columns, uint32_t rows);

#endif
