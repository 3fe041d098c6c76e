/* SPDX-License-Identifier: MIT */
/* Fields of an order as numbers, their ranges and words; rows by name; limits of a service by name. */
#include <string.h>

#include "orders/orders.h"

/* ---- fields ---- */

int64_t wend__value_get(const wend__order_field *field, const wend_order *order) {
    const char *at = (const char *)order + field->offset;
    int64_t wide;
    int32_t narrow;
    if (field->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (field->size == sizeof(bool)) return *(const bool *)at;
    memcpy(&narrow, at, sizeof narrow);
    return field->kind != WEND__NUMBER || field->least < 0 || field->fallback < 0 || field->words
               ? narrow
               : (int64_t)(uint32_t)narrow;
}

void wend__value_set(const wend__order_field *field, wend_order *order, int64_t value) {
    char *at = (char *)order + field->offset;
    const uint32_t narrow = (uint32_t)value;
    if (field->size == sizeof value)
        memcpy(at, &value, sizeof value);
    else if (field->size == sizeof(bool))
        *(bool *)at = value != 0;
    else
        memcpy(at, &narrow, sizeof narrow);
}

void wend__value_range(const wend__order_field *field, const wend_order *order, int64_t *least, uint64_t *most) {
    const bool limit = order->kind == WEND_ORDER_LIMIT && field->offset == offsetof(wend_order, limit.value);
    *least = limit ? (int64_t)wend__limits[order->limit.what].least : field->least;
    *most = limit ? wend__limits[order->limit.what].most : field->most;
}

const char *wend__value_word(const wend__order_field *field, int64_t value) {
    for (const wend__choice *word = field->words; word && word->text; word++)
        if (word->value == value) return word->text;
    return NULL;
}

/* Returns whether an option exists that was not marked as given. */
static bool differs(const wend__order_field *field, const wend_order *order) {
    const void *at = (const char *)order + field->offset;
    switch (field->kind) {
    case WEND__NAME:
    case WEND__ID: return ((const wend_name *)at)->text || ((const wend_name *)at)->letter;
    case WEND__CELLS: return ((const wend_cells *)at)->count > 0;
    case WEND__NAMES: return ((const wend_names *)at)->count > 0;
    case WEND__WEIGHTS: return ((const wend_weights *)at)->count > 0;
    case WEND__CLASSES:
    case WEND__FACTORS: { /* both begin with a bit for each class */
        const uint64_t *said = at;
        return (said[0] | said[1] | said[2] | said[3]) != 0;
    }
    default: return wend__value_get(field, order) != field->fallback;
    }
}

bool wend__value_shows(const wend_order *order, uint32_t index) {
    const wend__order_field *field = &wend__order_rows[order->kind].fields[index];
    const bool given = order->given >> index & 1;
    if (field->form == WEND__MAYBE || field->form == WEND__UNSET) return given;
    return field->form != WEND__OPTION || given || differs(field, order);
}

/* ---- rows ---- */

int32_t wend__order_find(const char *name, size_t length, uint32_t where) {
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        if ((row->where & where) && strlen(row->name) == length && memcmp(row->name, name, length) == 0) return kind;
    }
    return -1;
}

bool wend__is_near(const char *word, size_t length, const char *name) {
    const size_t named = strlen(name);
    size_t front = 0, back = 0;
    while (front < length && word[front] == name[front]) front++;
    while (front + back < length && front + back < named && word[length - 1 - back] == name[named - 1 - back]) back++;
    return 2 * (front + back) >= named && length - front - back <= 2 && named - front - back <= 2;
}

const char *wend__order_near(const char *word, size_t length, uint32_t where) {
    for (int32_t kind = 0; kind < WEND_ORDER_KINDS; kind++) {
        const wend__row *row = &wend__order_rows[kind];
        if ((row->where & where) != 0 && wend__is_near(word, length, row->name)) return row->name;
    }
    return NULL;
}

void wend__order_init(wend_order *order, int32_t kind) {
    const wend__row *row = &wend__order_rows[kind];
    memset(order, 0, sizeof *order);
    order->kind = kind;
    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].fallback != 0) wend__value_set(&row->fields[i], order, row->fields[i].fallback);
    switch (kind) {
    case WEND_ORDER_REQUEST:
        order->request.def.struct_bytes = sizeof order->request.def;
        order->request.options.struct_bytes = sizeof order->request.options;
        break;
    case WEND_ORDER_AGENT: order->agent.def.struct_bytes = sizeof order->agent.def; break;
    case WEND_ORDER_GO:
    case WEND_ORDER_FOLLOW:
    case WEND_ORDER_FLEE: order->go.def.struct_bytes = sizeof order->go.def; break;
    case WEND_ORDER_ACCELERATE:
    case WEND_ORDER_PREPARE: order->accelerate.def.struct_bytes = sizeof order->accelerate.def; break;
    case WEND_ORDER_FRAME:
        order->frame.budget.struct_bytes = sizeof order->frame.budget;
        order->frame.limits.struct_bytes = sizeof order->frame.limits;
        break;
    default: break;
    }
}

/* Returns the bit of a field; 0: the row has no such field. */
static uint64_t bit_of(const wend_order *order, const void *member) {
    const wend__row *row = &wend__order_rows[order->kind];
    const size_t offset = (size_t)((const char *)member - (const char *)order);
    for (uint32_t i = 0; i < row->field_count; i++)
        if (row->fields[i].offset == offset) return UINT64_C(1) << i;
    return 0;
}

void wend__order_give(wend_order *order, const void *member) {
    order->given |= bit_of(order, member);
}

bool wend_order_gave(const wend_order *order, const void *member) {
    return (order->given & bit_of(order, member)) != 0;
}

const char *wend__change_key(int32_t kind) {
    static const char *const keys[] = {"nodes", "edges",   "set",   "fill",   "steps",
                                       "links", "unlinks", "loads", "unloads"};
    return keys[kind - WEND_ORDER_NODE];
}

wend_order wend__change_order(const wend_change_item *item) {
    wend_order order = {.kind = item->kind, .change = item->change};
    if (item->kind != WEND_ORDER_NODE || !item->change.value) return order;
    wend__order_give(&order, &order.change.to.x);
    wend__order_give(&order, &order.change.to.y);
    wend__order_give(&order, &order.change.to.z);
    return order;
}

/* ---- limits ---- */

typedef struct limit_place {
    enum { IN_DEF, IN_TUNING, IN_MAP } holder;
    size_t offset, size;
} limit_place;

#define SIZE_IN(type, member) sizeof(((type *)0)->member)
#define PLACE_DEF(member) IN_DEF, offsetof(wend_service_def, member), SIZE_IN(wend_service_def, member)
#define PLACE_TUNING(member) IN_TUNING, offsetof(wend_service_tuning, member), SIZE_IN(wend_service_tuning, member)
#define PLACE_MAP(member) IN_MAP, 0, 0
static const limit_place limit_places[WEND__LIMIT_COUNT] = {
#define WEND_X(name, text, least, most, holder, member, says) {PLACE_##holder(member)},
    WEND__LIMITS(WEND_X)
#undef WEND_X
};

const wend__limit wend__limits[WEND__LIMIT_COUNT] = {
#define WEND_X(name, text, least, most, holder, member, says) {least, most, says},
    WEND__LIMITS(WEND_X)
#undef WEND_X
};

const wend__choice wend__limit_words[] = {
#define WEND_X(name, text, least, most, holder, member, says) {text, WEND__LIMIT_##name},
    WEND__LIMITS(WEND_X)
#undef WEND_X
        {NULL, 0}};

uint64_t wend__limit_get(int32_t what, const wend_service_def *def, const wend_service_tuning *tuning) {
    const limit_place *place = &limit_places[what];
    const char *at = (place->holder == IN_DEF ? (const char *)def : (const char *)tuning) + place->offset;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (place->size == sizeof wide) memcpy(&wide, at, sizeof wide);
    if (place->size == sizeof narrow) memcpy(&narrow, at, sizeof narrow);
    if (place->size == sizeof(bool)) narrow = *(const bool *)at;
    return wide + narrow;
}

void wend__limit_set(int32_t what, uint64_t value, wend_service_def *def, wend_service_tuning *tuning) {
    const limit_place *place = &limit_places[what];
    char *at = (place->holder == IN_DEF ? (char *)def : (char *)tuning) + place->offset;
    const uint32_t narrow = (uint32_t)value;
    if (place->size == sizeof value) memcpy(at, &value, sizeof value);
    if (place->size == sizeof narrow) memcpy(at, &narrow, sizeof narrow);
    if (place->size == sizeof(bool)) *(bool *)at = value != 0;
}
