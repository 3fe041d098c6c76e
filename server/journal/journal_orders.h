/* SPDX-License-Identifier: MIT */
/* Orders as lines of a journal, and back. */
#ifndef WEND_SERVER_JOURNAL_JOURNAL_ORDERS_H
#define WEND_SERVER_JOURNAL_JOURNAL_ORDERS_H

#include "journal/journal.h"
#include "orders/orders.h"

/// Adds the lines of an order to the unfinished record. A name that is no word of a script has its bytes as %XX.
/// @param kind   of the map: WEND_KIND_…
void serve_journal_write(serve_journal *journal, int32_t kind, const wend_order *order);

/// A record of a journal: the orders of one message.
typedef struct serve_journal_record {
    wend_order **orders; ///< in their order
    size_t count, capacity;
    uint64_t number;   ///< from 1
    int line;          ///< its first line
    const char *wrong; ///< why it cannot be read; NULL: no error. Owned by the reader
    int wrong_line;
} serve_journal_record;

/// The records of a journal, read one by one.
typedef struct serve_journal_orders {
    const serve_journal_past *past;
    int32_t kind;
    serve_journal_line_at at;
    wend__order_reader reader;
    wend_change_item *changes; ///< changes of the edit that is being read
    size_t change_count, change_capacity;
    wend_order **copies; ///< of its links with names of movers
    size_t copy_count, copy_capacity;
} serve_journal_orders;

/// Reads the next record. Its seal shows that it is unchanged, so a line that is no order spoils no other record.
/// @param out   its orders are valid until the next one is read
/// @return CLI_DONE, with *found false at the end; or the exit status after a message: no memory
int serve_journal_next_record(serve_journal_orders *orders, serve_journal_record *out, bool *found);
void serve_journal_orders_free(serve_journal_orders *orders);
void serve_journal_record_free(serve_journal_record *record);

#endif
