/* SPDX-License-Identifier: MIT */
/* Random orders by the table. */
#include "random_orders.h"

#include <string.h>

static uint64_t next(uint64_t *seed) {
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Names have all kinds of bytes that a word cannot have. A name is sometimes the word that ends a list of names. */
static wend_name random_name(uint64_t *seed, random_lists *lists) {
    static const char bytes[] = "abcXYZ019_-.,;\"\\/ %#=\t\xC3\xA4";
    char *text = lists->text[lists->text_count++];
    size_t length = 1 + next(seed) % 16;
    for (size_t i = 0; i < length; i++) text[i] = bytes[next(seed) % (sizeof bytes - 3)];
    if (next(seed) % 8 == 0) length = 2, memcpy(text, "to", 2);
    if (next(seed) % 8 == 0) length = 3, memcpy(text, "x\xC3\xA4", 3);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\t') text[i] = '-';
    return (wend_name){.text = text, .length = (uint32_t)length};
}

static wend_cell random_cell(uint64_t *seed, int32_t axes) {
    wend_cell cell = {(int32_t)next(seed), (int32_t)next(seed), (int32_t)next(seed)};
    if (axes < 3) cell.z = 0;
    if (axes < 2) cell.y = 0;
    return cell;
}

static wend_cells random_cells(uint64_t *seed, int32_t axes, size_t least, random_lists *lists) {
    wend_cell *cells = lists->cells + lists->cell_count;
    const size_t count = least + (least == 2 ? 0 : next(seed) % 8);
    for (size_t i = 0; i < count; i++) cells[i] = random_cell(seed, axes);
    lists->cell_count += count;
    return (wend_cells){cells, count};
}

static int64_t random_number(uint64_t *seed, const wend__order_field *field, const wend_order *order,
                             uint64_t highest) {
    int64_t least;
    uint64_t most;
    wend__value_range(field, order, &least, &most);
    if (most > highest) most = highest;
    const uint64_t span = most - (uint64_t)least;
    switch (next(seed) % 4) {
    case 0: return least;
    case 1: return (int64_t)most;
    default: return (int64_t)((uint64_t)least + (span == UINT64_MAX ? next(seed) : next(seed) % (span + 1)));
    }
}

static int64_t random_word(uint64_t *seed, const wend__order_field *field) {
    size_t count = 0;
    while (field->words[count].text) count++;
    return field->words[next(seed) % count].value;
}

static void fill_order(uint64_t *seed, int32_t kind, int32_t axes, int32_t hidden, uint64_t most, random_lists *lists,
                       wend_order *out);

static wend_change_list random_changes(uint64_t *seed, int32_t axes, random_lists *lists) {
    size_t count = 0;
    for (int32_t kind = WEND_ORDER_NODE; kind <= WEND_ORDER_UNLINK; kind++)
        for (uint64_t i = next(seed) % 4; i > 0; i--) {
            wend_order order;
            fill_order(seed, kind, axes, 0, INT64_MAX, lists, &order);
            lists->changes[count++] = (wend_change_item){kind, order.change};
        }
    return (wend_change_list){lists->changes, count};
}

static bool same_name(const wend_name *a, const wend_name *b) {
    if (!a->text || !b->text) return !a->text && !b->text && a->letter == b->letter && a->number == b->number;
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Each layer is named once: JSON has them as keys. */
static bool has_layer(const wend_weights *weights, uint32_t index) {
    for (uint32_t i = 0; i < index; i++)
        if (same_name(&weights->items[i].layer, &weights->items[index].layer)) return true;
    return false;
}

static void fill_field(uint64_t *seed, const wend__order_field *field, int32_t axes, uint64_t most, random_lists *lists,
                       wend_order *out) {
    void *at = (char *)out + field->offset;
    switch (field->kind) {
    case WEND__NUMBER:
        if (field->words && next(seed) % 2)
            wend__value_set(field, out, random_word(seed, field));
        else
            wend__value_set(field, out, random_number(seed, field, out, most));
        break;
    case WEND__CHOICE: wend__value_set(field, out, random_word(seed, field)); break;
    case WEND__MILLI: wend__value_set(field, out, random_number(seed, field, out, most)); break;
    case WEND__FLAG: wend__value_set(field, out, 1); break;
    case WEND__SWITCH: wend__value_set(field, out, (int64_t)(next(seed) % 2)); break;
    case WEND__CELL: *(wend_cell *)at = random_cell(seed, axes); break;
    case WEND__CELLS: {
        wend_cells *cells = at;
        *cells = random_cells(seed, axes, (size_t)field->least, lists);
        if (cells->count > field->most) cells->count = (size_t)field->most;
        break;
    }
    case WEND__NAME:
    case WEND__ID: *(wend_name *)at = random_name(seed, lists); break;
    case WEND__NAMES: {
        wend_names names = {.items = lists->names + lists->name_count, .count = 1 + next(seed) % 6};
        for (size_t i = 0; i < names.count; i++) lists->names[lists->name_count++] = random_name(seed, lists);
        *(wend_names *)at = names;
        break;
    }
    case WEND__FACTORS: {
        wend_factors *factors = at;
        for (int i = 0; i < 5; i++) {
            const unsigned class = (unsigned)(next(seed) % 256);
            if (factors->given[class / 64] >> class % 64 & 1) continue;
            factors->given[class / 64] |= UINT64_C(1) << class % 64;
            factors->factors[class] = class == 0 ? 0 : (uint8_t)next(seed);
            if (next(seed) % 3 > 0) continue;
            factors->factors[class] = 0;
            factors->avoided.bits[class / 64] |= UINT64_C(1) << class % 64;
        }
        break;
    }
    case WEND__CLASSES:
        for (int i = 0; i < 5; i++) {
            const unsigned class = (unsigned)(next(seed) % 256);
            ((wend_classes *)at)->bits[class / 64] |= UINT64_C(1) << class % 64;
        }
        break;
    case WEND__WEIGHTS: {
        wend_weights *weights = at;
        weights->count = 1 + (uint32_t)(next(seed) % WEND_MAX_PROFILE_LAYERS);
        for (uint32_t i = 0; i < weights->count; i++) {
            do weights->items[i].layer = random_name(seed, lists);
            while (has_layer(weights, i));
            weights->items[i].weight = 1 + (int32_t)(next(seed) % WEND_MAX_COST);
        }
        break;
    }
    case WEND__CHANGES: *(wend_change_list *)at = random_changes(seed, axes, lists); break;
    default: break;
    }
}

static void fill_order(uint64_t *seed, int32_t kind, int32_t axes, int32_t hidden, uint64_t most, random_lists *lists,
                       wend_order *out) {
    const wend__row *row = &wend__order_rows[kind];
    wend__order_init(out, kind);
    bool missing = false; /* the last fields by position may be missing */
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (field->only == hidden && hidden != 0) continue;
        if (field->kind == WEND__CHANGES && kind != WEND_ORDER_EDIT) continue; /* classes of a load are only read */
        if (field->form == WEND__MAYBE) missing = missing || next(seed) % 2;
        const bool option = field->form == WEND__OPTION || field->form == WEND__UNSET;
        if ((field->form == WEND__MAYBE && missing) || (option && next(seed) % 2)) continue;
        fill_field(seed, field, axes, most, lists, out);
        out->given |= UINT64_C(1) << i;
    }
    if (kind == WEND_ORDER_NODE && (out->given & 14) == 2) out->given &= ~UINT64_C(2), out->change.to.x = 0;
    if (kind == WEND_ORDER_NODE) out->change.value = (out->given & 2) != 0;
    if (kind == WEND_ORDER_ADJUST && out->given == 1) out->adjust.urgency = -7, out->given |= 8;
    if (kind == WEND_ORDER_SET) out->change.to = out->change.from;
}

void random_order(uint64_t *seed, int32_t kind, int32_t axes, int32_t hidden, uint64_t most, random_lists *lists,
                  wend_order *out) {
    lists->text_count = lists->name_count = lists->cell_count = 0;
    fill_order(seed, kind, axes, hidden, most, lists, out);
}

static bool same_names(const wend_names *a, const wend_names *b) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_name(&a->items[i], &b->items[i])) return false;
    return true;
}

static bool same_weights(const wend_weights *a, const wend_weights *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_name(&a->items[i].layer, &b->items[i].layer) || a->items[i].weight != b->items[i].weight)
            return false;
    return true;
}

static bool same_changes(const wend_change_list *a, const wend_change_list *b) {
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        const wend_order one = {.kind = a->items[i].kind, .change = a->items[i].change};
        const wend_order two = {.kind = b->items[i].kind, .change = b->items[i].change};
        if (one.kind != two.kind || order_difference(&one, &two, 0)) return false;
    }
    return true;
}

static bool same_field(const wend__order_field *field, const wend_order *one, const wend_order *two) {
    const void *a = (const char *)one + field->offset, *b = (const char *)two + field->offset;
    switch (field->kind) {
    case WEND__CELL: return memcmp(a, b, sizeof(wend_cell)) == 0;
    case WEND__CELLS: {
        const wend_cells *x = a, *y = b;
        return x->count == y->count && (x->count == 0 || memcmp(x->items, y->items, x->count * sizeof *x->items) == 0);
    }
    case WEND__NAME:
    case WEND__ID: return same_name(a, b);
    case WEND__NAMES: return same_names(a, b);
    case WEND__FACTORS: return memcmp(a, b, sizeof(wend_factors)) == 0;
    case WEND__CLASSES: return memcmp(a, b, sizeof(wend_classes)) == 0;
    case WEND__WEIGHTS: return same_weights(a, b);
    case WEND__CHANGES: return same_changes(a, b);
    default: return wend__value_get(field, one) == wend__value_get(field, two);
    }
}

const char *order_difference(const wend_order *one, const wend_order *two, int32_t hidden) {
    const wend__row *row = &wend__order_rows[one->kind];
    if (one->kind != two->kind) return "the kind";
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        if (hidden != 0 && field->only == hidden) continue;
        if (wend__value_shows(one, i) != wend__value_shows(two, i) || !same_field(field, one, two)) return field->name;
    }
    return NULL;
}

void put_order_text(void *context, const char *bytes, size_t size) {
    order_text *text = context;
    if (size > sizeof text->bytes - text->used) size = sizeof text->bytes - text->used;
    memcpy(text->bytes + text->used, bytes, size);
    text->used += size;
}

enum { MOST_CELLS = 256 };

bool has_most_cells(const wend__order_field *field) {
    return field->kind == WEND__CELLS && field->most < MOST_CELLS;
}

void give_cells(wend_order *order, const wend__order_field *field, size_t count) {
    static const wend_cell cells[MOST_CELLS];
    *(wend_cells *)(void *)((char *)order + field->offset) = (wend_cells){cells, count};
    order->given |= UINT64_C(1) << (field - wend__order_rows[order->kind].fields);
}
