/* SPDX-License-Identifier: MIT */
/* Orders as the lines of a journal, record by record. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "journal/journal_orders.h"
#include "cli/output/messages.h"

/* ---- records ---- */

static const char no_memory[] = "out of memory";
static const char not_an_edit[] = "no edit goes on like this";

/* These functions return NULL, or an error text. */

static const char *keep_order(const wend_order *order, serve_journal_record *record) {
    const bool room = WEND__ARRAY_ROOM(record->orders, record->capacity, record->count + 1);
    wend_order *copy = room ? wend__order_copy(order) : NULL;
    if (!copy) return no_memory;
    record->orders[record->count++] = copy;
    return NULL;
}

/* The names in a line are valid until the next one. */
static const char *keep_change(serve_journal_orders *o, const wend_order *order) {
    if (!WEND__ARRAY_ROOM(o->changes, o->change_capacity, o->change_count + 1)) return no_memory;
    if (order->kind == WEND_ORDER_LINK && order->change.movers.count > 0) {
        const bool room = WEND__ARRAY_ROOM(o->copies, o->copy_capacity, o->copy_count + 1);
        order = room ? wend__order_copy(order) : NULL;
        if (!order) return no_memory;
        o->copies[o->copy_count++] = (wend_order *)order;
    }
    o->changes[o->change_count++] = (wend_change_item){order->kind, order->change};
    return NULL;
}

static const char *read_line(serve_journal_orders *o, serve_journal_record *record) {
    wend_order order;
    const int status = wend__order_read(&o->reader, o->at.text, o->at.length, &order);
    const bool edits = o->change_count > 0;
    if (status == 0) return NULL;
    if (status < 0) return o->reader.why[0] != '\0' ? o->reader.why : no_memory;
    if (order.kind >= WEND_ORDER_NODE && order.kind <= WEND_ORDER_UNLOAD) return keep_change(o, &order);
    if (edits != (order.kind == WEND_ORDER_PUBLISH)) return not_an_edit;
    if (edits) order = (wend_order){.kind = WEND_ORDER_EDIT, .changes = {o->changes, o->change_count}};
    o->change_count = 0;
    return keep_order(&order, record);
}

static void forget_changes(serve_journal_orders *o) {
    while (o->copy_count > 0) free(o->copies[--o->copy_count]);
    o->change_count = 0;
}

static void begin_record(serve_journal_orders *o, serve_journal_record *out) {
    for (size_t i = 0; i < out->count; i++) free(out->orders[i]);
    out->count = 0;
    out->wrong = NULL;
    out->line = out->wrong_line = 0;
    o->reader.axes = wend__kind_axes(o->kind);
    o->reader.where = WEND__JOURNAL;
    forget_changes(o);
}

int serve_journal_next_record(serve_journal_orders *o, serve_journal_record *out, bool *found) {
    begin_record(o, out);
    for (serve_journal_line_at before = o->at; serve_journal_next(o->past, &o->at); before = o->at) {
        if (out->line > 0 && o->at.record != out->number) {
            o->at = before; /* the next record begins here */
            break;
        }
        if (out->line == 0) out->line = o->at.line, out->number = o->at.record;
        if (!out->wrong) out->wrong = read_line(o, out), out->wrong_line = o->at.line;
    }
    if (!out->wrong && o->change_count > 0) out->wrong = not_an_edit;
    *found = out->line > 0;
    return out->wrong == no_memory ? cli_fail(no_memory) : CLI_DONE;
}

/* ---- writing ---- */

/* Writes a line for each unit. */
void serve_journal_write(serve_journal *journal, int32_t kind, const wend_order *order) {
    const bool units = order->kind == WEND_ORDER_OCCUPY || order->kind == WEND_ORDER_VACATE;
    for (size_t i = 0; i < (units ? order->cells.count : 1); i++) {
        wend_order line = *order;
        if (units) line.cells = (wend_cells){&order->cells.items[i], 1};
        wend__order_write(&line, wend__kind_axes(kind), serve_journal_put, journal);
        serve_journal_put(journal, "\n", 1);
    }
}

void serve_journal_orders_free(serve_journal_orders *o) {
    wend__order_reader_free(&o->reader);
    forget_changes(o);
    free(o->copies);
    free(o->changes);
}

void serve_journal_record_free(serve_journal_record *record) {
    for (size_t i = 0; i < record->count; i++) free(record->orders[i]);
    free(record->orders);
}
