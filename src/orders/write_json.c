/* SPDX-License-Identifier: MIT */
/* Writes an order as a JSON object. The changes of an edit are arrays of their placed fields. */
#include "orders/out.h"

static void put_name(wend__out *out, const wend_name *name, bool id) {
    char text[WEND__NUMBER_BYTES + 2];
    wend__phrase line = {text};
    if (name->text) {
        wend__out_string(out, name->text, name->length);
        return;
    }
    if (name->letter) *line.at++ = name->letter;
    wend__phrase_signed(&line, name->number);
    if (id && !name->letter)
        wend__out_bytes(out, text, (size_t)(line.at - text));
    else
        wend__out_string(out, text, (size_t)(line.at - text));
}

static void put_names(wend__out *out, const wend_names *names) {
    wend__out_text(out, "[");
    for (size_t i = 0; i < names->count; i++) {
        if (i > 0) wend__out_text(out, ",");
        const wend_name name = wend__names_at(names, i);
        put_name(out, &name, false);
    }
    wend__out_text(out, "]");
}

static void put_factor(wend__out *out, const wend_factors *factors, uint32_t class) {
    const uint8_t factor = factors->factors[class];
    if (factors->avoided.bits[class / 64] >> class % 64 & 1) {
        wend__out_text(out, "\"avoided\"");
    } else if (!(factors->shunned.bits[class / 64] >> class % 64 & 1)) {
        wend__out_number(out, factor, false);
    } else {
        wend__out_text(out, factor ? "\"shunned:" : "\"shunned");
        if (factor) wend__out_number(out, factor, false);
        wend__out_text(out, "\"");
    }
}

/* An object: "CLASS":FACTOR, 0 for blocked, "avoided", "shunned" or "shunned:FACTOR". */
static void put_factors(wend__out *out, const wend_factors *factors) {
    const char *before = "{\"";
    for (uint32_t class = 0; class < 256; class++) {
        if (!(factors->given[class / 64] >> class % 64 & 1)) continue;
        wend__out_text(out, before);
        wend__out_number(out, class, false);
        wend__out_text(out, "\":");
        put_factor(out, factors, class);
        before = ",\"";
    }
    wend__out_text(out, before[0] == '{' ? "{}" : "}");
}

static void put_classes(wend__out *out, const wend_classes *classes) {
    const char *before = "[";
    for (uint32_t class = 0; class < 256; class++) {
        if (!(classes->bits[class / 64] >> class % 64 & 1)) continue;
        wend__out_text(out, before);
        wend__out_number(out, class, false);
        before = ",";
    }
    wend__out_text(out, before[0] == '[' ? "[]" : "]");
}

/* An object: "LAYER":WEIGHT. */
static void put_weights(wend__out *out, const wend_weights *weights) {
    wend__out_text(out, "{");
    for (uint32_t i = 0; i < weights->count; i++) {
        if (i > 0) wend__out_text(out, ",");
        put_name(out, &weights->items[i].layer, false);
        wend__out_text(out, ":");
        wend__out_number(out, weights->items[i].weight, false);
    }
    wend__out_text(out, "}");
}

static void put_value(wend__out *out, const wend__order_field *field, const wend_order *order) {
    const void *at = (const char *)order + field->offset;
    const int64_t value = field->size <= sizeof(int64_t) ? wend__value_get(field, order) : 0;
    const bool bits = wend__value_bits(field);
    const char *word =
        field->kind == WEND__CHOICE || (!bits && value < field->least) ? wend__value_word(field, value) : NULL;
    switch (field->kind) {
    case WEND__NUMBER:
    case WEND__CHOICE:
        if (word)
            wend__out_string(out, word, strlen(word));
        else
            wend__out_number(out, value, bits);
        break;
    case WEND__MILLI: wend__out_milli(out, (int32_t)value); break;
    case WEND__FLAG:
    case WEND__SWITCH: wend__out_text(out, value ? "true" : "false"); break;
    case WEND__CELL: wend__out_cell(out, *(const wend_cell *)at); break;
    case WEND__CELLS: wend__out_cells(out, ((const wend_cells *)at)->items, ((const wend_cells *)at)->count); break;
    case WEND__NAME:
    case WEND__ID: put_name(out, at, field->kind == WEND__ID); break;
    case WEND__NAMES: put_names(out, at); break;
    case WEND__FACTORS: put_factors(out, at); break;
    case WEND__CLASSES: put_classes(out, at); break;
    case WEND__WEIGHTS: put_weights(out, at); break;
    default: break;
    }
}

static void put_change(wend__out *out, const wend_change_item *item) {
    const wend_order order = wend__change_order(item);
    const wend__row *row = &wend__order_rows[item->kind];
    for (uint32_t i = 0; i < row->field_count && !row->fields[i].only; i++) {
        if (!wend__value_shows(&order, i)) break; /* a node without coordinates, a link for all */
        wend__out_text(out, i == 0 ? "[" : ",");
        put_value(out, &row->fields[i], &order);
    }
    wend__out_text(out, "]");
}

/* Writes an array for each kind of change in the edit. */
static void put_changes(wend__out *out, const wend_change_list *changes) {
    for (int32_t kind = WEND_ORDER_NODE; kind <= WEND_ORDER_UNLOAD; kind++) {
        bool any = false;
        for (size_t i = 0; i < changes->count; i++) {
            if (changes->items[i].kind != kind) continue;
            wend__out_text(out, any ? "," : ",\"");
            if (!any) wend__out_text(out, wend__change_key(kind));
            if (!any) wend__out_text(out, "\":[");
            put_change(out, &changes->items[i]);
            any = true;
        }
        if (any) wend__out_text(out, "]");
    }
}

void wend__order_write_json(const wend_order *order, int32_t axes, wend__put_fn *put, void *context) {
    const wend__row *row = &wend__order_rows[order->kind];
    wend__out out = {.put = put, .context = context, .axes = axes};
    wend__out_text(&out, "{\"op\":");
    wend__out_string(&out, row->name, strlen(row->name));
    if (order->kind == WEND_ORDER_EDIT) put_changes(&out, &order->changes);
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (field->kind == WEND__CHANGES || field->only == WEND__TEXT_ONLY || !wend__value_shows(order, i)) continue;
        wend__out_text(&out, ",");
        wend__out_string(&out, field->name, strlen(field->name));
        wend__out_text(&out, ":");
        put_value(&out, field, order);
    }
    wend__out_text(&out, "}");
    wend__out_flush(&out);
}
