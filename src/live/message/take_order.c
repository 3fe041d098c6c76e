/* SPDX-License-Identifier: MIT */
/* Takes what an order of the catalogue says into the structs of requests and of hosts. */
#define _GNU_SOURCE

#include <stdlib.h>

#include "live/message/message.h"

/* ---- requests ---- */

/* Graphs have no distances. */
static void refuse_on_graph(live_message *message, const wend__order *said, const int32_t *member, const char *name) {
    if (message->reader.kind == WEND_KIND_GRAPH && wend__order_gave(said, member))
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is not for graphs", name);
}

void live_take_request(live_message *message, const wend__order *said) {
    wend_request *request = &message->request;
    *request = said->request.def;
    request->more_goals = said->request.goals.items;
    request->more_goal_count = (uint32_t)said->request.goals.count;
    message->mover = said->request.mover.text;
    message->no_cells = !said->request.with_cells;
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

static wend_live_change take_change(const wend__change_item *item) {
    static const int32_t whats[] = {WEND_LIVE_FILL, WEND_LIVE_FILL, WEND_LIVE_STEP, WEND_LIVE_LINK, WEND_LIVE_UNLINK};
    wend_live_change out = {.what = whats[item->kind - WEND__ORDER_SET],
                            .value = item->change.value,
                            .from = item->change.from,
                            .to = item->change.to};
    if (out.what != WEND_LIVE_FILL) return out;
    sort(&out.from.x, &out.to.x);
    sort(&out.from.y, &out.to.y);
    sort(&out.from.z, &out.to.z);
    return out;
}

static void take_edit(live_message *message, const wend__changes *said, uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    uint64_t cells = 0;
    if (said->count > message->change_capacity) {
        wend_live_change *changes = realloc(message->changes, said->count * 2 * sizeof *changes);
        if (changes != NULL) message->changes = changes, message->change_capacity = said->count * 2;
    }
    if (said->count > message->change_capacity) {
        live_reader_fail(reader, WEND_LIVE_BUSY, "no memory for so many changes");
        return;
    }
    for (size_t i = 0; i < said->count; i++) {
        message->changes[i] = take_change(&said->items[i]);
        const uint64_t more = cells_of(&message->changes[i]);
        cells = more > UINT64_MAX - cells ? UINT64_MAX : cells + more;
    }
    if (cells > edit_cells)
        live_reader_fail(reader, WEND_LIVE_TOO_LARGE, "an edit changes at most %llu cells",
                         (unsigned long long)edit_cells);
    if (said->count == 0) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "the edit changes nothing");
    message->changed_cells = cells;
    message->order.changes = message->changes;
    message->order.change_count = said->count;
}

/* ---- agents ---- */

static void take_names(live_message *message, const wend__names *said) {
    if (said->count > message->name_capacity) {
        const char **names = realloc(message->names, said->count * 2 * sizeof *names);
        if (names != NULL) message->names = names, message->name_capacity = said->count * 2;
    }
    if (said->count > message->name_capacity) {
        live_reader_fail(&message->reader, WEND_LIVE_BUSY, "no memory for so long a message");
        return;
    }
    for (size_t i = 0; i < said->count; i++) message->names[i] = said->items[i].text;
    message->order.names = message->names;
    message->order.name_count = said->count;
}

static void take_name(live_message *message, const wend__name *said) {
    take_names(message, &(wend__names){.items = said, .count = 1});
}

static void take_cells(live_message *message, const wend_cell *cells, size_t count) {
    message->order.cells = cells;
    message->order.cell_count = count;
}

static void take_agent(live_message *message, const wend__order *said) {
    const wend_agent_def *def = &said->agent.def;
    wend_live_order *order = &message->order;
    take_name(message, &said->agent.name);
    take_cells(message, &def->cell, 1);
    order->speed_milli = def->speed_milli, order->urgency = def->urgency, order->flags = def->flags;
    order->mover = said->agent.mover.text;
}

/* On a graph only one that follows may be a step away. */
static void take_wish(live_message *message, const wend__order *said) {
    const wend_crowd_goal *def = &said->go.def;
    wend_live_order *order = &message->order;
    const int32_t most = said->kind == WEND__ORDER_FOLLOW;
    if (message->reader.kind == WEND_KIND_GRAPH && said->kind != WEND__ORDER_FLEE && def->reach > most)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"reach\" is a whole number from 0 to %d",
                         (int)most);
    order->reach = def->reach, order->distance = def->distance, order->keep = def->keep;
    order->target = said->go.target.text;
    if (said->kind == WEND__ORDER_GO)
        take_names(message, &said->go.names), take_cells(message, &def->cell, 1);
    else
        take_name(message, &said->go.name);
}

/* A field that is not given stays as it is; one at least is given. */
static void take_adjust(live_message *message, const wend__order *said) {
    wend_live_order *order = &message->order;
    take_names(message, &said->adjust.names);
    order->speed_milli = said->adjust.speed_milli, order->urgency = said->adjust.urgency;
    order->has_urgency = wend__order_gave(said, &said->adjust.urgency);
    order->mover = said->adjust.mover.text;
    if (order->speed_milli == 0 && !order->has_urgency && order->mover == NULL)
        live_reader_fail(&message->reader, WEND_LIVE_BAD_ARGUMENT, "\"speed\", \"urgency\" and \"mover\" are missing");
}

static void take_route(live_message *message, const wend__order *said) {
    take_name(message, &said->route.name);
    take_cells(message, said->route.cells.items, said->route.cells.count);
    message->order.mode = said->route.mode;
}

/* ---- the world ---- */

static void take_field(live_message *message, const wend__order *said) {
    take_cells(message, said->field.cells.items, said->field.cells.count);
    message->order.mover = said->field.mover.text;
    message->order.box = (wend_box){said->field.box.items[0], said->field.box.items[1]};
}

/* A rate that is not given stays as it is. */
static void take_pace(live_message *message, const wend__order *said) {
    wend_live_order *order = &message->order;
    order->hz = said->pace.hz;
    order->budget = said->pace.budget;
    if (wend__order_gave(said, &said->pace.wander)) order->wander = said->pace.wander ? 1 : -1;
}

void live_take_order(live_message *message, const wend__order *said, uint64_t edit_cells) {
    wend_live_order *order = &message->order;
    switch (said->kind) {
    case WEND__ORDER_EDIT: take_edit(message, &said->changes, edit_cells); break;
    case WEND__ORDER_OCCUPY:
    case WEND__ORDER_VACATE: take_cells(message, said->cells.items, said->cells.count); break;
    case WEND__ORDER_AGENT: take_agent(message, said); break;
    case WEND__ORDER_GO:
    case WEND__ORDER_FOLLOW:
    case WEND__ORDER_FLEE: take_wish(message, said); break;
    case WEND__ORDER_HALT:
    case WEND__ORDER_REMOVE: take_names(message, &said->names); break;
    case WEND__ORDER_ROUTE: take_route(message, said); break;
    case WEND__ORDER_TAKE:
        take_name(message, &said->take.name);
        order->target = said->take.route.text;
        break;
    case WEND__ORDER_STEER:
        take_name(message, &said->steer.name);
        take_cells(message, &said->steer.cell, 1);
        break;
    case WEND__ORDER_ADJUST: take_adjust(message, said); break;
    case WEND__ORDER_ADVANCE: order->frames = said->frame.count; break;
    case WEND__ORDER_INSPECT:
        take_name(message, &said->inspect.name);
        order->brief = !said->inspect.trace;
        break;
    case WEND__ORDER_PACE: take_pace(message, said); break;
    case WEND__ORDER_FIELD: take_field(message, said); break;
    default: break;
    }
}
