/* SPDX-License-Identifier: MIT */
/* Writes an order as a line of a script. */
#include "orders/out.h"

/* Writes a name as a word that no reader mistakes for another: critical bytes are written as %XX.
 * joined: others follow it in the same word. */
static void put_name(wend__out *out, const wend_name *name, bool joined) {
    static const char digits[] = "0123456789abcdef";
    const bool is_to = name->text && name->length == 2 && memcmp(name->text, "to", 2) == 0;
    if (!name->text) {
        wend__out_bytes(out, &name->letter, name->letter != 0);
        wend__out_number(out, name->number, false);
    }
    for (uint32_t i = 0; name->text && i < name->length; i++) {
        const unsigned char c = (unsigned char)name->text[i];
        const char code[3] = {'%', digits[c >> 4], digits[c & 15]};
        const bool plain = c > ' ' && c != 0x7F && c != '%' && c != '#' && c != '=' && !is_to && !(joined && c == ';');
        wend__out_bytes(out, plain ? name->text + i : code, plain ? 1 : sizeof code);
    }
}

static void put_names(wend__out *out, const wend_names *names, bool joined) {
    for (size_t i = 0; i < names->count; i++) {
        if (i > 0) wend__out_text(out, joined ? ";" : " ");
        const wend_name name = wend__names_at(names, i);
        put_name(out, &name, joined);
    }
}

static void put_cell(wend__out *out, wend_cell cell) {
    char text[WEND__CELL_TEXT_BYTES];
    wend__phrase line = {text};
    wend__phrase_cell(&line, out->axes, cell);
    wend__out_bytes(out, text, (size_t)(line.at - text));
}

static void put_cells(wend__out *out, const wend_cells *cells, const char *between) {
    for (size_t i = 0; i < cells->count; i++) {
        if (i > 0) wend__out_text(out, between);
        put_cell(out, cells->items[i]);
    }
}

static void put_factors(wend__out *out, const wend_factors *factors) {
    bool any = false;
    for (uint32_t class = 0; class < 256; class++) {
        if (!(factors->given[class / 64] >> class % 64 & 1)) continue;
        if (any) wend__out_text(out, " ");
        any = true;
        wend__out_number(out, class, false);
        wend__out_text(out, "=");
        if (factors->shunned.bits[class / 64] >> class % 64 & 1)
            wend__out_text(out, factors->factors[class] ? "shunned:" : "shunned");
        if (factors->factors[class])
            wend__out_number(out, factors->factors[class], false);
        else if (!(factors->shunned.bits[class / 64] >> class % 64 & 1))
            wend__out_text(out, factors->avoided.bits[class / 64] >> class % 64 & 1 ? "avoided" : "blocked");
    }
}

static void put_classes(wend__out *out, const wend_classes *classes) {
    bool any = false;
    for (uint32_t class = 0; class < 256; class++) {
        if (!(classes->bits[class / 64] >> class % 64 & 1)) continue;
        if (any) wend__out_text(out, ";");
        any = true;
        wend__out_number(out, class, false);
    }
}

/* NAME:WEIGHT, the next one behind a semicolon; none are written as a word. */
static void put_weights(wend__out *out, const wend_weights *weights) {
    if (weights->count == 0) wend__out_text(out, "none");
    for (uint32_t i = 0; i < weights->count; i++) {
        if (i > 0) wend__out_text(out, ";");
        put_name(out, &weights->items[i].layer, true);
        wend__out_text(out, ":");
        wend__out_number(out, weights->items[i].weight, false);
    }
}

/* A value that has a number is written as a number. */
static void put_number(wend__out *out, const wend__order_field *field, const wend_order *order) {
    const int64_t value = wend__value_get(field, order);
    const bool bits = wend__value_bits(field);
    const char *word = bits || value >= field->least ? NULL : wend__value_word(field, value);
    if (word)
        wend__out_text(out, word);
    else
        wend__out_number(out, value, bits);
}

static void put_value(wend__out *out, const wend__order_field *field, const wend_order *order) {
    const void *at = (const char *)order + field->offset;
    switch (field->kind) {
    case WEND__NUMBER: put_number(out, field, order); break;
    case WEND__CHOICE: wend__out_text(out, wend__value_word(field, wend__value_get(field, order))); break;
    case WEND__MILLI: wend__out_milli(out, (int32_t)wend__value_get(field, order)); break;
    case WEND__FLAG: wend__out_text(out, field->name); break;
    case WEND__CELL: put_cell(out, *(const wend_cell *)at); break;
    case WEND__CELLS: put_cells(out, at, field->form == WEND__OPTION ? ";" : " "); break;
    case WEND__NAME:
    case WEND__ID: put_name(out, at, false); break;
    case WEND__NAMES: put_names(out, at, field->form > WEND__KEYED); break;
    case WEND__FACTORS: put_factors(out, at); break;
    case WEND__CLASSES: put_classes(out, at); break;
    case WEND__WEIGHTS: put_weights(out, at); break;
    default: break;
    }
}

static void put_line(wend__out *out, const wend_order *order) {
    const wend__row *row = &wend__order_rows[order->kind];
    wend__out_text(out, row->name);
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (field->only == WEND__JSON_ONLY || !wend__value_shows(order, i)) continue;
        const bool bare = field->kind == WEND__FLAG || field->kind == WEND__FACTORS;
        wend__out_text(out, " ");
        if (field->form >= WEND__KEYED && !bare) {
            wend__out_text(out, field->name);
            wend__out_text(out, field->form == WEND__KEYED ? " " : "=");
        }
        put_value(out, field, order);
    }
}

static void put_edit(wend__out *out, const wend_change_list *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        const wend_order order = wend__change_order(&changes->items[i]);
        put_line(out, &order);
        wend__out_text(out, "\n");
    }
    wend__out_text(out, wend__order_rows[WEND_ORDER_PUBLISH].name);
}

void wend__order_write(const wend_order *order, int32_t axes, wend__put_fn *put, void *context) {
    wend__out out = {.put = put, .context = context, .axes = axes};
    if (order->kind == WEND_ORDER_EDIT)
        put_edit(&out, &order->changes);
    else
        put_line(&out, order);
    wend__out_flush(&out);
}
