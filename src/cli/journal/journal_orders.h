/* SPDX-License-Identifier: MIT */
/* Orders as lines of a journal, and back. */
#ifndef WEND_SRC_CLI_JOURNAL_JOURNAL_ORDERS_H
#define WEND_SRC_CLI_JOURNAL_JOURNAL_ORDERS_H

#include <wend/live.h>

#include "cli/journal/journal.h"

/// Is an order kept in a journal? Those that change the world, and those that agents follow.
bool serve_journal_keeps(const wend_live_order *order);

/// Add the lines of an order to the record that is being made. A name that is no word of a script has its bytes as %XX.
/// @param kind   of the map: WEND_KIND_…
void serve_journal_write(serve_journal *journal, int32_t kind, const wend_live_order *order);

/// A name takes up to three bytes for each of its own.
enum { SERVE_NAME_BYTES = 3 * 256 + 1 };
/// A name as a word that no reader takes for anything else: the bytes that could are written as %XX. @return out
const char *serve_name_write(const char *name, char out[SERVE_NAME_BYTES]);
/// The name that such a word stands for, in its place.
void serve_name_read(char *word);

/// The orders of a journal, read one by one.
typedef struct serve_journal_orders {
    const char *file;
    const serve_journal_past *past;
    int32_t kind;
    serve_journal_line_at at;
    int line;              ///< the first one of the order
    wend_live_order order; ///< read last. Its pointers are valid until the next one
    char *words;           ///< the words of a line, each ended by a zero
    const char **names;
    wend_cell *cells;
    wend_live_change *changes;
    size_t word_count, word_capacity, change_capacity;
} serve_journal_orders;

/// Read the next order. @return −1 to go on, with *found false at the end; else the exit status, after a message
int serve_journal_next_order(serve_journal_orders *orders, bool *found);
void serve_journal_orders_free(serve_journal_orders *orders);

#endif
