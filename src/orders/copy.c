/* SPDX-License-Identifier: MIT */
/* A copy of an order with its own lists and texts. */
#include <stdlib.h>

#include "orders/orders.h"

/* Lists stand behind the order, each aligned; texts stand behind the lists. The names of changes stand behind them. */
static size_t list_bytes(const wend__order_field *field, const void *at) {
    const wend_change_list *changes = at;
    size_t bytes = 0;
    switch (field->kind) {
    case WEND__NAMES: bytes = ((const wend_names *)at)->count * sizeof(wend_name); break;
    case WEND__CELLS: bytes = ((const wend_cells *)at)->count * sizeof(wend_cell); break;
    case WEND__CHANGES:
        for (size_t i = 0; i < changes->count; i++)
            bytes += sizeof *changes->items + changes->items[i].change.movers.count * sizeof(wend_name);
        break;
    default: break;
    }
    return (bytes + 7) / 8 * 8;
}

static size_t name_bytes(wend_name name) {
    return name.text ? (size_t)name.length + 1 : 0;
}

static size_t names_bytes(const wend_names *names) {
    size_t bytes = 0;
    for (size_t i = 0; i < names->count; i++) bytes += name_bytes(wend__names_at(names, i));
    return bytes;
}

static size_t text_bytes(const wend__order_field *field, const void *at) {
    const wend_change_list *changes = at;
    const wend_weights *weights = at;
    size_t bytes = 0;
    if (field->kind == WEND__NAME || field->kind == WEND__ID) return name_bytes(*(const wend_name *)at);
    if (field->kind == WEND__NAMES) return names_bytes(at);
    for (size_t i = 0; field->kind == WEND__CHANGES && i < changes->count; i++)
        bytes += names_bytes(&changes->items[i].change.movers);
    for (uint32_t i = 0; field->kind == WEND__WEIGHTS && i < weights->count; i++)
        bytes += name_bytes(weights->items[i].layer);
    return bytes;
}

/* A zero ends each text, so that it can be used as a string. */
static wend_name put_name(char **texts, wend_name name) {
    if (!name.text) return name;
    memcpy(*texts, name.text, name.length);
    name.text = *texts;
    *texts += name.length;
    *(*texts)++ = '\0';
    return name;
}

static void put_names(wend_names *names, wend_name *own, char **texts) {
    for (size_t i = 0; i < names->count; i++) own[i] = put_name(texts, wend__names_at(names, i));
    *names = (wend_names){.items = own, .count = names->count};
}

static void put_changes(wend_change_list *changes, wend_change_item *own, char **texts) {
    wend_name *names = (wend_name *)(void *)(own + changes->count);
    if (changes->count > 0) memcpy(own, changes->items, changes->count * sizeof *own);
    for (size_t i = 0; i < changes->count; names += own[i++].change.movers.count)
        if (own[i].change.movers.count > 0) put_names(&own[i].change.movers, names, texts);
    changes->items = own;
}

static void put_list(const wend__order_field *field, void *at, char *list, char **texts) {
    wend_cells *cells = at;
    wend_weights *weights = at;
    switch (field->kind) {
    case WEND__NAME:
    case WEND__ID: *(wend_name *)at = put_name(texts, *(wend_name *)at); break;
    case WEND__NAMES: put_names(at, (void *)list, texts); break;
    case WEND__CELLS:
        if (cells->count > 0) memcpy(list, cells->items, cells->count * sizeof *cells->items);
        cells->items = (wend_cell *)(void *)list;
        break;
    case WEND__WEIGHTS:
        for (uint32_t i = 0; i < weights->count; i++)
            weights->items[i].layer = put_name(texts, weights->items[i].layer);
        break;
    case WEND__CHANGES: put_changes(at, (void *)list, texts); break;
    default: break;
    }
}

wend_order *wend__order_copy_into(const wend_order *order, void *(*alloc)(size_t bytes)) {
    const wend__row *row = &wend__order_rows[order->kind];
    size_t lists = 0, texts = 0;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const void *at = (const char *)order + row->fields[i].offset;
        lists += list_bytes(&row->fields[i], at);
        texts += text_bytes(&row->fields[i], at);
    }
    wend_order *copy = alloc(sizeof *copy + lists + texts);
    if (!copy) return NULL;
    *copy = *order;
    char *list = (char *)(copy + 1), *text = list + lists;
    for (uint32_t i = 0; i < row->field_count; i++) {
        void *at = (char *)copy + row->fields[i].offset;
        const size_t bytes = list_bytes(&row->fields[i], at);
        put_list(&row->fields[i], at, list, &text);
        list += bytes;
    }
    return copy;
}

wend_order *wend__order_copy(const wend_order *order) {
    return wend__order_copy_into(order, malloc);
}
