/* SPDX-License-Identifier: MIT */
/* Reads orders from the lines of a journal, record by record. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/journal/journal_orders.h"
#include "cli/shared/messages.h"

/* ---- copies ---- */

static size_t text_bytes(const char *text) {
    return text != NULL ? strlen(text) + 1 : 0;
}

static const char *put_text(char **at, const char *text) {
    char *out = *at;
    if (text == NULL) return NULL;
    *at = stpcpy(out, text) + 1;
    return out;
}

/* Arrays first, as they are aligned; the texts behind them. */
wend_live_order *serve_order_copy(const wend_live_order *order) {
    const size_t changes = (size_t)order->change_count * sizeof *order->changes;
    const size_t cells = (size_t)order->cell_count * sizeof *order->cells;
    const size_t names = (size_t)order->name_count * sizeof *order->names;
    size_t bytes = sizeof *order + names + changes + cells + text_bytes(order->target) + text_bytes(order->mover);
    for (uint64_t i = 0; i < order->name_count; i++) bytes += text_bytes(order->names[i]);
    wend_live_order *copy = malloc(bytes);
    if (copy == NULL) return NULL;
    *copy = *order;
    const char **own_names = (const char **)(void *)(copy + 1);
    wend_live_change *own_changes = (wend_live_change *)(void *)((char *)own_names + names);
    wend_cell *own_cells = (wend_cell *)(void *)((char *)own_changes + changes);
    char *at = (char *)own_cells + cells;
    if (changes > 0) memcpy(own_changes, order->changes, changes);
    if (cells > 0) memcpy(own_cells, order->cells, cells);
    for (uint64_t i = 0; i < order->name_count; i++) own_names[i] = put_text(&at, order->names[i]);
    copy->names = own_names;
    copy->changes = own_changes;
    copy->cells = own_cells;
    copy->target = put_text(&at, order->target);
    copy->mover = put_text(&at, order->mover);
    return copy;
}

/* ---- names ---- */

/* Room for so many items. */
static bool make_room(void **items, size_t *capacity, size_t count, size_t bytes) {
    if (count <= *capacity) return true;
    void *more = realloc(*items, count * 2 * bytes);
    if (more == NULL) return false;
    *items = more;
    *capacity = count * 2;
    return true;
}

/* A text that ends with a zero; there is room for all of a line's. */
static const char *put_name(serve_journal_orders *o, wend__name name) {
    char *text = o->texts + o->text_used;
    if (name.length > 0) memcpy(text, name.text, name.length);
    text[name.length] = '\0';
    o->text_used += name.length + 1;
    return text;
}

static bool name_room(serve_journal_orders *o, size_t names) {
    void *items = o->names, *texts = o->texts;
    const bool good = make_room(&items, &o->name_capacity, names, sizeof *o->names);
    o->names = items;
    const bool room = make_room(&texts, &o->text_capacity, o->at.length + 2, 1);
    o->texts = texts;
    o->text_used = 0;
    return good && room;
}

/* ---- orders ---- */

/// Kinds of orders but edits, whose numbers differ.
#define KEPT(X)                                                                                                        \
    X(OCCUPY) X(VACATE) X(AGENT) X(GO) X(FOLLOW) X(FLEE) X(STEER) X(HALT) X(REMOVE) X(ROUTE) X(TAKE) X(ADJUST)

int32_t serve_order_kind(int32_t order) {
    switch (order) {
#define X(name)                                                                                                        \
    case WEND_LIVE_ORDER_##name: return WEND__ORDER_##name;
        KEPT(X)
#undef X
    default: return -1;
    }
}

static int32_t order_of(int32_t kind) {
    switch (kind) {
#define X(name)                                                                                                        \
    case WEND__ORDER_##name: return WEND_LIVE_ORDER_##name;
        KEPT(X)
#undef X
    default: return -1;
    }
}

static void take_names(serve_journal_orders *o, const wend__names *names) {
    for (size_t i = 0; i < names->count; i++) o->names[i] = put_name(o, names->items[i]);
    o->order.name_count = names->count;
}

static void take_name(serve_journal_orders *o, wend__name name) {
    take_names(o, &(wend__names){.items = &name, .count = 1});
}

static void take_cells(wend_live_order *order, const wend_cell *cells, size_t count) {
    order->cells = cells;
    order->cell_count = count;
}

static const char *mover_text(serve_journal_orders *o, wend__name mover) {
    return mover.text != NULL ? put_name(o, mover) : NULL;
}

static void take_adjust(serve_journal_orders *o, const wend__order *from) {
    wend_live_order *to = &o->order;
    take_names(o, &from->adjust.names);
    if (wend__order_gave(from, &from->adjust.cell)) take_cells(to, &from->adjust.cell, 1);
    to->speed_milli = from->adjust.speed_milli, to->urgency = from->adjust.urgency;
    to->has_urgency = wend__order_gave(from, &from->adjust.urgency);
    to->mover = mover_text(o, from->adjust.mover);
}

static void take_agent(serve_journal_orders *o, const wend__order *from) {
    const wend_agent_def *def = &from->agent.def;
    wend_live_order *to = &o->order;
    take_name(o, from->agent.name);
    take_cells(to, &def->cell, 1);
    to->speed_milli = def->speed_milli, to->urgency = def->urgency, to->flags = def->flags;
    to->has_urgency = wend__order_gave(from, &def->urgency);
    to->mover = mover_text(o, from->agent.mover);
}

static void take_wish(serve_journal_orders *o, const wend__order *from) {
    const wend_crowd_goal *def = &from->go.def;
    wend_live_order *to = &o->order;
    to->reach = def->reach, to->distance = def->distance, to->keep = def->keep;
    if (from->kind == WEND__ORDER_GO) {
        take_names(o, &from->go.names);
        take_cells(to, &def->cell, 1);
        return;
    }
    take_name(o, from->go.name);
    to->target = put_name(o, from->go.target);
}

/* Fills o->order. There is room for the names. */
static void take_order(serve_journal_orders *o, const wend__order *from) {
    wend_live_order *to = &o->order;
    to->order = order_of(from->kind);
    to->names = o->names;
    switch (from->kind) {
    case WEND__ORDER_OCCUPY:
    case WEND__ORDER_VACATE: take_cells(to, from->cells.items, from->cells.count); break;
    case WEND__ORDER_AGENT: take_agent(o, from); break;
    case WEND__ORDER_GO:
    case WEND__ORDER_FOLLOW:
    case WEND__ORDER_FLEE: take_wish(o, from); break;
    case WEND__ORDER_STEER:
        take_name(o, from->steer.name);
        take_cells(to, &from->steer.cell, 1);
        break;
    case WEND__ORDER_ROUTE:
        take_name(o, from->route.name);
        take_cells(to, from->route.cells.items, from->route.cells.count);
        to->mode = from->route.mode;
        break;
    case WEND__ORDER_TAKE:
        take_name(o, from->take.name);
        to->target = put_name(o, from->take.route);
        break;
    case WEND__ORDER_ADJUST: take_adjust(o, from); break;
    default: take_names(o, &from->names); break;
    }
}

/* ---- records ---- */

static const char no_memory[] = "out of memory";
static const char not_an_edit[] = "no edit goes on like this";

/* These return NULL, or what is wrong. */

static const char *keep_order(serve_journal_orders *o, serve_journal_record *record) {
    void *orders = record->orders;
    const bool room = make_room(&orders, &record->capacity, record->count + 1, sizeof *record->orders);
    record->orders = orders;
    wend_live_order *copy = room ? serve_order_copy(&o->order) : NULL;
    if (copy == NULL) return no_memory;
    record->orders[record->count++] = copy;
    o->order = (wend_live_order){.struct_bytes = sizeof o->order, .owner = 1};
    return NULL;
}

static const char *keep_change(serve_journal_orders *o, const wend__order *from) {
    static const int32_t whats[] = {WEND_LIVE_FILL, WEND_LIVE_FILL, WEND_LIVE_STEP, WEND_LIVE_LINK, WEND_LIVE_UNLINK};
    const size_t used = (size_t)o->order.change_count;
    const wend__change_order *change = &from->change;
    void *changes = o->changes;
    const bool room = make_room(&changes, &o->change_capacity, used + 1, sizeof *o->changes);
    o->changes = changes;
    if (!room) return no_memory;
    o->changes[used] = (wend_live_change){.what = whats[from->kind - WEND__ORDER_SET],
                                          .value = change->value,
                                          .from = change->from,
                                          .to = from->kind == WEND__ORDER_SET ? change->from : change->to};
    o->order.changes = o->changes;
    o->order.change_count = used + 1;
    return NULL;
}

static const char *read_line(serve_journal_orders *o, serve_journal_record *record) {
    wend__order order;
    const int status = wend__order_read(&o->reader, o->at.text, o->at.length, &order);
    const bool edits = o->order.change_count > 0;
    if (status == 0) return NULL;
    if (status < 0) return o->reader.why[0] != '\0' ? o->reader.why : no_memory;
    if (order.kind >= WEND__ORDER_SET && order.kind <= WEND__ORDER_UNLINK) return keep_change(o, &order);
    if (edits != (order.kind == WEND__ORDER_PUBLISH)) return not_an_edit;
    if (!name_room(o, o->reader.name_count + 1)) return no_memory;
    if (edits)
        o->order.order = WEND_LIVE_ORDER_EDIT;
    else
        take_order(o, &order);
    return keep_order(o, record);
}

static void begin_record(serve_journal_orders *o, serve_journal_record *out) {
    for (size_t i = 0; i < out->count; i++) free(out->orders[i]);
    out->count = 0;
    out->wrong = NULL;
    out->line = out->wrong_line = 0;
    o->reader.axes = wend__kind_axes(o->kind);
    o->reader.where = WEND__JOURNAL;
    o->order = (wend_live_order){.struct_bytes = sizeof o->order, .owner = 1};
}

int serve_journal_next_record(serve_journal_orders *o, serve_journal_record *out, bool *found) {
    begin_record(o, out);
    for (serve_journal_line_at before = o->at; serve_journal_next(o->past, &o->at); before = o->at) {
        if (out->line > 0 && o->at.record != out->number) {
            o->at = before; /* the next record begins here */
            break;
        }
        if (out->line == 0) out->line = o->at.line, out->number = o->at.record;
        if (out->wrong == NULL) out->wrong = read_line(o, out), out->wrong_line = o->at.line;
    }
    if (out->wrong == NULL && o->order.change_count > 0) out->wrong = not_an_edit;
    *found = out->line > 0;
    return out->wrong == no_memory ? cli_fail(no_memory) : -1;
}

wend_live_order *serve_journal_read_line(serve_journal_orders *o, const char *line) {
    wend__order order;
    begin_record(o, &(serve_journal_record){0});
    o->reader.where = WEND__SCRIPT;
    o->at.length = strlen(line);
    if (wend__order_read(&o->reader, line, o->at.length, &order) != 1) return NULL;
    if (!name_room(o, o->reader.name_count + 1)) return NULL;
    take_order(o, &order);
    return serve_order_copy(&o->order);
}

/* ---- records that were refused ---- */

static const char void_word[] = "# void ";

void serve_journal_write_void(serve_journal *journal, uint64_t record) {
    serve_journal_line(journal, "%s%" PRIu64, void_word, record);
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t *one = a, *two = b;
    return *one < *two ? -1 : *one > *two;
}

size_t serve_journal_voids(const serve_journal_past *past, uint64_t **out) {
    serve_journal_line_at at = {0};
    size_t count = 0, capacity = 0;
    *out = NULL;
    while (serve_journal_next(past, &at)) {
        uint64_t number;
        if (at.length < sizeof void_word || memcmp(at.text, void_word, sizeof void_word - 1) != 0) continue;
        if (sscanf(at.text + sizeof void_word - 1, "%" SCNu64, &number) != 1) continue;
        if (count == capacity) {
            capacity = capacity == 0 ? 16 : 2 * capacity;
            uint64_t *more = realloc(*out, capacity * sizeof *more);
            if (more == NULL) return SIZE_MAX;
            *out = more;
        }
        (*out)[count++] = number;
    }
    if (count > 0) qsort(*out, count, sizeof **out, compare_numbers);
    return count;
}

void serve_journal_orders_free(serve_journal_orders *o) {
    wend__order_reader_free(&o->reader);
    free(o->changes);
    free(o->names);
    free(o->texts);
}

void serve_journal_record_free(serve_journal_record *record) {
    for (size_t i = 0; i < record->count; i++) free(record->orders[i]);
    free(record->orders);
}
