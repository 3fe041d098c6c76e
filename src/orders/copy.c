/* SPDX-License-Identifier: MIT */
/* A copy of an order with its own lists and texts. */
#include <stdlib.h>

#include "orders/orders.h"

/* Lists stand behind the order, each aligned; texts stand behind the lists. */
static size_t list_bytes(const wend__order_field *field, const void *at) {
    size_t bytes = 0;
    switch (field->kind) {
    case WEND__NAMES: bytes = ((const wend__names *)at)->count * sizeof(wend__name); break;
    case WEND__CELLS: bytes = ((const wend__cells *)at)->count * sizeof(wend_cell); break;
    case WEND__CHANGES: bytes = ((const wend__changes *)at)->count * sizeof(wend__change_item); break;
    default: break;
    }
    return (bytes + 7) / 8 * 8;
}

static size_t name_bytes(wend__name name) {
    return name.text ? (size_t)name.length + 1 : 0;
}

static size_t text_bytes(const wend__order_field *field, const void *at) {
    const wend__names *names = at;
    size_t bytes = 0;
    if (field->kind == WEND__NAME || field->kind == WEND__ID) return name_bytes(*(const wend__name *)at);
    for (size_t i = 0; field->kind == WEND__NAMES && i < names->count; i++)
        bytes += name_bytes(wend__names_at(names, i));
    return bytes;
}

/* A zero ends each text, so that it may be used as a string, too. */
static wend__name put_name(char **texts, wend__name name) {
    if (!name.text) return name;
    memcpy(*texts, name.text, name.length);
    name.text = *texts;
    *texts += name.length;
    *(*texts)++ = '\0';
    return name;
}

static void put_list(const wend__order_field *field, void *at, char *list, char **texts) {
    wend__names *names = at;
    wend__cells *cells = at;
    wend__changes *changes = at;
    wend__name *own = (wend__name *)(void *)list;
    switch (field->kind) {
    case WEND__NAME:
    case WEND__ID: *(wend__name *)at = put_name(texts, *(wend__name *)at); break;
    case WEND__NAMES:
        for (size_t i = 0; i < names->count; i++) own[i] = put_name(texts, wend__names_at(names, i));
        *names = (wend__names){.items = own, .count = names->count};
        break;
    case WEND__CELLS:
        if (cells->count > 0) memcpy(list, cells->items, cells->count * sizeof *cells->items);
        cells->items = (wend_cell *)(void *)list;
        break;
    case WEND__CHANGES:
        if (changes->count > 0) memcpy(list, changes->items, changes->count * sizeof *changes->items);
        changes->items = (wend__change_item *)(void *)list;
        break;
    default: break;
    }
}

wend__order *wend__order_copy(const wend__order *order) {
    const wend__row *row = &wend__order_rows[order->kind];
    size_t lists = 0, texts = 0;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const void *at = (const char *)order + row->fields[i].offset;
        lists += list_bytes(&row->fields[i], at);
        texts += text_bytes(&row->fields[i], at);
    }
    wend__order *copy = malloc(sizeof *copy + lists + texts);
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
