/* SPDX-License-Identifier: MIT */
/* Orders as lines of a journal, and back. */
#ifndef WEND_SRC_CLI_JOURNAL_JOURNAL_ORDERS_H
#define WEND_SRC_CLI_JOURNAL_JOURNAL_ORDERS_H

#include <wend/live.h>

#include "cli/journal/journal.h"
#include "orders/orders.h"

/// Is an order kept in a journal? Those that change the world, and those that agents follow.
bool serve_journal_keeps(const wend_live_order *order);

/// The kind in the catalogue of an order, WEND_LIVE_ORDER_…; −1: it is none of those that agents follow, nor units.
int32_t serve_order_kind(int32_t order);

/// Add the lines of an order to the record that is being made. A name that is no word of a script has its bytes as %XX.
/// @param kind   of the map: WEND_KIND_…
void serve_journal_write(serve_journal *journal, int32_t kind, const wend_live_order *order);

/// A copy with its own arrays and texts, in one piece of memory; without the message. To be freed. NULL: no memory
wend_live_order *serve_order_copy(const wend_live_order *order);

/// A record of a journal: the orders of one message.
typedef struct serve_journal_record {
    wend_live_order **orders; ///< in their order
    size_t count, capacity;
    uint64_t number;   ///< from 1
    int line;          ///< its first one
    const char *wrong; ///< why it cannot be read; NULL: it can. The reader's
    int wrong_line;
} serve_journal_record;

/// The records of a journal, read one by one.
typedef struct serve_journal_orders {
    const serve_journal_past *past;
    int32_t kind;
    serve_journal_line_at at;
    wend__order_reader reader;
    wend_live_order order; ///< being read
    wend_live_change *changes;
    const char **names;
    char *texts; ///< of a line's names, each ended by a zero
    size_t change_capacity, name_capacity, text_capacity, text_used;
} serve_journal_orders;

/// Write that the order of a record was refused after all. A restart takes no such record; a script's reader does not
/// see it.
void serve_journal_write_void(serve_journal *journal, uint64_t record);
/// The numbers of such records, in rising order. @return how many; SIZE_MAX: no memory. *out is to be freed
size_t serve_journal_voids(const serve_journal_past *past, uint64_t **out);

/// Read the next record. Seals say that it is as it was written, so a line that is no order spoils no other record.
/// @param out   its orders are valid until the next one is read
/// @return −1 to go on, with *found false at the end; else the exit status, after a message: no memory
int serve_journal_next_record(serve_journal_orders *orders, serve_journal_record *out, bool *found);
/// Read a line of a script as an order of the server's own. @return NULL: no memory. It is to be freed
wend_live_order *serve_journal_read_line(serve_journal_orders *orders, const char *line);
void serve_journal_orders_free(serve_journal_orders *orders);
void serve_journal_record_free(serve_journal_record *record);

#endif
