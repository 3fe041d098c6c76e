/* SPDX-License-Identifier: MIT */
/* Takes what an order of the catalogue says into the structs of requests and of hosts. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live/message/message.h"

/* ---- requests ---- */

/* Graphs have no distances. */
static void refuse_on_graph(live_message *message, const wend_order *said, const int32_t *member, const char *name) {
    if (message->reader.kind == WEND_KIND_GRAPH && wend_order_gave(said, member))
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is not for graphs", name);
}

void live_take_request(live_message *message, const wend_order *said) {
    wend_request *request = &message->request;
    *request = said->request.def;
    request->more_goals = said->request.goals.items;
    request->more_goal_count = (uint32_t)said->request.goals.count;
    message->mover = said->request.mover.text;
    message->no_cells = !said->request.with_cells;
    message->at_least = (uint64_t)said->request.at_least;
    refuse_on_graph(message, said, &said->request.def.reach, "reach");
    refuse_on_graph(message, said, &said->request.def.occupied_within, "occupied_within");
}

/* ---- edits ---- */

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

/* Cells of a change; a box that is off the map is refused later. */
static uint64_t cells_of(const wend_live_change *change) {
    const uint64_t width = (uint64_t)((int64_t)change->to.x - change->from.x) + 1;
    const uint64_t height = (uint64_t)((int64_t)change->to.y - change->from.y) + 1;
    const uint64_t depth = (uint64_t)((int64_t)change->to.z - change->from.z) + 1;
    const uint64_t most = WEND_MAX_SIDE;
    if (change->what != WEND_LIVE_FILL) return 1;
    if (width > WEND_MAX_NODES || height > most || depth > most) return 1;
    return width * height * depth;
}

/* The host's names of the kinds of changes, from SET on. */
static const int32_t whats[] = {WEND_LIVE_FILL,   WEND_LIVE_FILL, WEND_LIVE_STEP,  WEND_LIVE_LINK,
                                WEND_LIVE_UNLINK, WEND_LIVE_LOAD, WEND_LIVE_UNLOAD};

wend_change_item live_change_item(const wend_live_change *change) {
    int32_t kind = WEND_ORDER_SET;
    const bool one = memcmp(&change->from, &change->to, sizeof change->from) == 0;
    while (kind < WEND_ORDER_UNLOAD && whats[kind - WEND_ORDER_SET] != change->what) kind++;
    if (kind == WEND_ORDER_SET && !one) kind = WEND_ORDER_FILL;
    return (wend_change_item){kind, {change->from, change->to, change->value}};
}

/* A box has its least corner first; one of a single cell is a `set`. */
static wend_live_change take_change(wend_change_item *item) {
    wend_cell *from = &item->change.from, *to = &item->change.to;
    if (item->kind == WEND_ORDER_FILL) {
        sort(&from->x, &to->x), sort(&from->y, &to->y), sort(&from->z, &to->z);
        if (memcmp(from, to, sizeof *from) == 0) item->kind = WEND_ORDER_SET;
    }
    return (wend_live_change){whats[item->kind - WEND_ORDER_SET], item->change.value, *from, *to};
}

static void take_edit(live_message *message, uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    const size_t count = message->lists.change_count;
    uint64_t cells = 0;
    if (count > message->change_capacity) {
        wend_live_change *changes = realloc(message->changes, count * 2 * sizeof *changes);
        if (changes) message->changes = changes, message->change_capacity = count * 2;
    }
    if (count > message->change_capacity) {
        live_reader_fail(reader, WEND_LIVE_BUSY, "no memory for so many changes");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        message->changes[i] = take_change(&message->lists.changes[i]);
        const uint64_t more = cells_of(&message->changes[i]);
        cells = more > UINT64_MAX - cells ? UINT64_MAX : cells + more;
    }
    if (cells > edit_cells)
        live_reader_fail(reader, WEND_LIVE_TOO_LARGE, "an edit changes at most %llu cells",
                         (unsigned long long)edit_cells);
    if (count == 0) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "the edit changes nothing");
    message->changed_cells = cells;
    message->order.changes = message->changes;
    message->order.change_count = count;
}

/* ---- the members of wend_live_order, by the kinds and names of fields ---- */

/* Text ends with a zero, as JSON has it. */
static void take_names(live_message *message, const wend_name *names, size_t count) {
    if (count > message->name_capacity) {
        const char **more = realloc(message->names, count * 2 * sizeof *more);
        if (more) message->names = more, message->name_capacity = count * 2;
    }
    if (count > message->name_capacity) {
        live_reader_fail(&message->reader, WEND_LIVE_BUSY, "no memory for so long a message");
        return;
    }
    for (size_t i = 0; i < count; i++) message->names[i] = names[i].text;
    message->order.names = message->names;
    message->order.name_count = count;
}

/* The first name is what the order is about. */
static void take_name(live_message *message, const wend__order_field *field, const wend_name *name) {
    const wend__row *row = &wend__order_rows[message->said.kind];
    if (strcmp(field->name, "mover") == 0)
        message->order.mover = name->text;
    else if (field != &row->fields[0])
        message->order.target = name->text;
    else
        take_names(message, name, 1);
}

static void take_cells(wend_live_order *order, const wend__order_field *field, const wend_cells *cells) {
    if (strcmp(field->name, "box") == 0)
        order->box = (wend_box){cells->items[0], cells->items[1]};
    else
        order->cells = cells->items, order->cell_count = cells->count;
}

/* A switch is 1 or -1, and 0 where it was not said. */
static void take_number(wend_live_order *order, const wend__order_field *field, const wend_order *said, bool given) {
#define MEMBER(label, member)                                                                                          \
    { label, offsetof(wend_live_order, member), sizeof order->member }
    static const struct {
        const char *name;
        size_t offset, size;
    } members[] = {MEMBER("mode", mode),     MEMBER("reach", reach),     MEMBER("distance", distance),
                   MEMBER("keep", keep),     MEMBER("urgency", urgency), MEMBER("speed", speed_milli),
                   MEMBER("ghost", flags),   MEMBER("frames", frames),   MEMBER("hz", hz),
                   MEMBER("budget", budget), MEMBER("wander", wander)};
#undef MEMBER
    int64_t number = wend__value_get(field, said);
    if (field->kind == WEND__FLAG && number) number = (int64_t)field->most;
    if (field->kind == WEND__SWITCH) number = !given ? 0 : number ? 1 : -1;
    const uint32_t narrow = (uint32_t)number;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if (strcmp(members[i].name, field->name) == 0)
            memcpy((char *)order + members[i].offset,
                   members[i].size == sizeof number ? (const void *)&number : (const void *)&narrow, members[i].size);
}

static void take_field(live_message *message, uint32_t index, const wend_order *said) {
    const wend__order_field *field = &wend__order_rows[said->kind].fields[index];
    const void *at = (const char *)said + field->offset;
    if (field->only == WEND__TEXT_ONLY) return;
    switch (field->kind) {
    case WEND__NAMES: take_names(message, ((const wend_names *)at)->items, ((const wend_names *)at)->count); break;
    case WEND__NAME: take_name(message, field, at); break;
    case WEND__CELL: take_cells(&message->order, field, &(wend_cells){at, 1}); break;
    case WEND__CELLS: take_cells(&message->order, field, at); break;
    case WEND__CHANGES: break;
    default: take_number(&message->order, field, said, said->given >> index & 1);
    }
}

/* ---- orders ---- */

/* On a graph only one that follows may be a step away. */
static void check_reach(live_message *message, const wend_order *said) {
    const int32_t most = said->kind == WEND_ORDER_FOLLOW;
    const bool has_reach = most || said->kind == WEND_ORDER_GO;
    if (message->reader.kind == WEND_KIND_GRAPH && has_reach && said->go.def.reach > most)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"reach\" is a whole number from 0 to %d",
                         (int)most);
}

void live_take_order(live_message *message, uint64_t edit_cells) {
    enum { NAMES_ONLY = 1 };
    const wend_order *said = &message->said;
    wend_live_order *order = &message->order;
    order->said = said;
    for (uint32_t i = 0; i < wend__order_rows[said->kind].field_count; i++) take_field(message, i, said);
    order->has_urgency = said->kind == WEND_ORDER_ADJUST && wend_order_gave(said, &said->adjust.urgency);
    order->brief = said->kind == WEND_ORDER_INSPECT && !said->inspect.trace;
    if (said->kind == WEND_ORDER_EDIT) take_edit(message, edit_cells);
    if (said->kind == WEND_ORDER_ADJUST && said->given == NAMES_ONLY)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"speed\", \"urgency\" and \"mover\" are missing");
    check_reach(message, said);
}
