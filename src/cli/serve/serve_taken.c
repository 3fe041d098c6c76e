/* SPDX-License-Identifier: MIT */
/* Orders of clients in the catalogue's structs: a loop over the fields of their rows. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "cli/serve/serve.h"

int32_t serve_order_kind(const wend_live_order *order) {
    static const char *const names[] = {
#define WEND_X(name, number, text) [number] = text,
        WEND_LIVE_ORDERS(WEND_X)
#undef WEND_X
    };
    const char *name = names[order->order];
    return wend__order_find(name, strlen(name), WEND__WIRE);
}

static int64_t number_of(const wend_live_order *from, const wend__order_field *field) {
    static const struct {
        const char *name;
        size_t offset;
    } members[] = {{"mode", offsetof(wend_live_order, mode)},         {"reach", offsetof(wend_live_order, reach)},
                   {"distance", offsetof(wend_live_order, distance)}, {"keep", offsetof(wend_live_order, keep)},
                   {"urgency", offsetof(wend_live_order, urgency)},   {"speed", offsetof(wend_live_order, speed_milli)},
                   {"ghost", offsetof(wend_live_order, flags)}};
    int32_t number = 0;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].name, field->name) == 0)
            memcpy(&number, (const char *)from + members[i].offset, sizeof number);
    return field->kind == WEND__FLAG ? ((uint32_t)number & field->most) != 0 : number;
}

/* Their corners are sorted. */
static bool take_changes(const wend_live_order *from, wend__changes *out, wend__change_item **memory) {
    static const int32_t kinds[] = {[WEND_LIVE_FILL] = WEND__ORDER_FILL,
                                    [WEND_LIVE_STEP] = WEND__ORDER_STEP,
                                    [WEND_LIVE_LINK] = WEND__ORDER_LINK,
                                    [WEND_LIVE_UNLINK] = WEND__ORDER_UNLINK};
    const size_t count = (size_t)from->change_count;
    wend__change_item *items = *memory = malloc((count + 1) * sizeof *items);
    if (!items) return false;
    for (size_t i = 0; i < count; i++) {
        const wend_live_change *change = &from->changes[i];
        items[i] = (wend__change_item){kinds[change->what], {change->from, change->to, change->value}};
        const bool one = memcmp(&change->from, &change->to, sizeof change->from) == 0;
        if (change->what == WEND_LIVE_FILL && one) items[i].kind = WEND__ORDER_SET;
    }
    *out = (wend__changes){items, count};
    return true;
}

/* A first name is the agent or the route, a second one the target. */
static wend__name take_name(const wend_live_order *from, const wend__order_field *field, uint32_t index) {
    if (strcmp(field->name, "mover") == 0) return wend__named(from->mover);
    return wend__named(index > 0 ? from->target : from->names[0]);
}

bool serve_order_take(const wend_live_order *from, int32_t kind, wend__order *out, wend__change_item **memory) {
    const wend__row *row = &wend__order_rows[kind];
    wend__order_init(out, kind);
    *memory = NULL;
    if (kind == WEND__ORDER_EDIT) return take_changes(from, &out->changes, memory);
    for (uint32_t i = 0; i < row->field_count; i++) {
        const wend__order_field *field = &row->fields[i];
        char *at = (char *)out + field->offset;
        int64_t number = 0;
        bool said = false;
        switch (field->kind) {
        case WEND__NAMES:
            *(wend__names *)(void *)at = (wend__names){.texts = from->names, .count = (size_t)from->name_count};
            break;
        case WEND__NAME:
            *(wend__name *)(void *)at = take_name(from, field, i);
            said = ((wend__name *)(void *)at)->text != NULL;
            break;
        case WEND__CELL:
            if (field->only != WEND__TEXT_ONLY) *(wend_cell *)(void *)at = from->cells[0];
            break;
        case WEND__CELLS: *(wend__cells *)(void *)at = (wend__cells){from->cells, (size_t)from->cell_count}; break;
        default:
            number = number_of(from, field);
            said = number != field->fallback || (from->has_urgency && strcmp(field->name, "urgency") == 0);
            wend__value_set(field, out, number);
        }
        if (said) wend__order_give(out, at);
    }
    return true;
}
