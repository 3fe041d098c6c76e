/* SPDX-License-Identifier: MIT */
/* Parses orders: units, agents and their wishes, routes, time. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live/message/message.h"

/* Room for so many names and cells. */
static bool make_room(live_message *message, size_t names, size_t cells) {
    if (names > message->name_capacity) {
        const char **more = realloc(message->names, names * 2 * sizeof *more);
        if (more != NULL) message->names = more, message->name_capacity = names * 2;
    }
    if (cells > message->cell_capacity) {
        wend_cell *more = realloc(message->cells, cells * 2 * sizeof *more);
        if (more != NULL) message->cells = more, message->cell_capacity = cells * 2;
    }
    if (names <= message->name_capacity && cells <= message->cell_capacity) return true;
    live_reader_fail(&message->reader, WEND_LIVE_BUSY, "no memory for so long a message");
    return false;
}

static void read_cells(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *cells = live_read_needed(reader, "cells");
    const size_t count = json_array_size(cells);
    if (cells == NULL) return;
    if (!json_is_array(cells) || count == 0) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"cells\" is an array of cells");
        return;
    }
    if (!make_room(message, 0, count)) return;
    for (size_t i = 0; i < count; i++)
        if (!live_take_cell(reader, "cells", json_array_get(cells, i), &message->cells[i])) return;
    message->order.cells = message->cells;
    message->order.cell_count = count;
}

static void read_names(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *names = live_read_needed(reader, "names");
    const size_t count = json_array_size(names);
    if (names == NULL) return;
    if (!json_is_array(names) || count == 0) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"names\" is an array of names");
        return;
    }
    if (!make_room(message, count, 0)) return;
    for (size_t i = 0; i < count; i++) {
        const json_t *name = json_array_get(names, i);
        if (!live_check_name(reader, "names", name)) return;
        message->names[i] = json_string_value(name);
    }
    message->order.names = message->names;
    message->order.name_count = count;
}

static const char *read_needed_name(live_message *message, const char *field) {
    if (live_read_needed(&message->reader, field) == NULL) return NULL;
    return live_read_name(&message->reader, field);
}

/* "name" as the only name. */
static void read_name(live_message *message) {
    const char *name = read_needed_name(message, "name");
    if (name == NULL || !make_room(message, 1, 0)) return;
    message->names[0] = name;
    message->order.names = message->names;
    message->order.name_count = 1;
}

static void read_one_cell(live_message *message, const char *field) {
    wend_cell cell;
    if (!live_read_cell(&message->reader, field, &cell) || !make_room(message, 0, 1)) return;
    message->cells[0] = cell;
    message->order.cells = message->cells;
    message->order.cell_count = 1;
}

/* A distance; on a graph `graph` is the most. */
static int32_t read_distance(live_message *message, const char *field, int32_t least, int32_t graph, int32_t standard) {
    int64_t number = standard;
    const int32_t most = message->reader.kind == WEND_KIND_GRAPH ? graph : WEND_MAX_REACH;
    live_read_number(&message->reader, field, least, most, &number);
    return (int32_t)number;
}

static void read_agent(live_message *message) {
    live_reader *reader = &message->reader;
    int64_t speed = 250, urgency = 0;
    bool ghost = false;
    read_name(message);
    read_one_cell(message, "cell");
    live_read_number(reader, "speed", 1, WEND_MAX_SPEED_MILLI, &speed);
    live_read_number(reader, "urgency", WEND_URGENCY_MIN, WEND_URGENCY_MAX, &urgency);
    message->order.mover = live_read_name(reader, "mover");
    live_read_flag(reader, "ghost", &ghost);
    message->order.speed_milli = (uint32_t)speed;
    message->order.urgency = (int32_t)urgency;
    message->order.flags = ghost ? WEND_AGENT_GHOST : 0;
}

static void read_flee(live_message *message) {
    bool keep = false;
    read_name(message);
    message->order.target = read_needed_name(message, "target");
    message->order.distance = read_distance(message, "distance", 1, WEND_MAX_REACH, 10);
    live_read_flag(&message->reader, "keep", &keep);
    message->order.keep = keep;
}

/* A field that is not given stays as it is; one at least is given. */
static void read_adjust(live_message *message) {
    live_reader *reader = &message->reader;
    wend_live_order *order = &message->order;
    int64_t speed = 0, urgency = 0;
    read_names(message);
    live_read_number(reader, "speed", 1, WEND_MAX_SPEED_MILLI, &speed);
    order->has_urgency = live_read_number(reader, "urgency", WEND_URGENCY_MIN, WEND_URGENCY_MAX, &urgency);
    order->mover = live_read_name(reader, "mover");
    order->speed_milli = (uint32_t)speed;
    order->urgency = (int32_t)urgency;
    if (speed == 0 && !order->has_urgency && order->mover == NULL)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"speed\", \"urgency\" and \"mover\" are missing");
}

/* Goals, and the box of cells that the answer is about. */
static void read_field(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *box = live_read_needed(reader, "box");
    read_cells(message);
    message->order.mover = live_read_name(reader, "mover");
    if (!json_is_array(box) || json_array_size(box) != 2)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"box\" is two cells");
    live_take_cell(reader, "box", json_array_get(box, 0), &message->order.box.min);
    live_take_cell(reader, "box", json_array_get(box, 1), &message->order.box.max);
}

static void read_inspect(live_message *message) {
    bool trace = true;
    read_name(message);
    live_read_flag(&message->reader, "trace", &trace);
    message->order.brief = !trace;
}

/* Frames a second, expansions of a frame, and whether idle agents wander: what is not given stays. */
static void read_pace(live_message *message) {
    int64_t hz = 0, budget = 0;
    bool wander = false;
    if (live_read_value(&message->reader, "wander")) {
        live_read_flag(&message->reader, "wander", &wander);
        message->order.wander = wander ? 1 : -1;
    }
    live_read_number(&message->reader, "hz", 1, 1000, &hz);
    live_read_number(&message->reader, "budget", 1, INT64_C(1000000000), &budget);
    message->order.hz = (uint32_t)hz;
    message->order.budget = (uint64_t)budget;
}

void live_parse_order(live_message *message) {
    static const char *const modes[] = {"once", "loop", "back"}; /* WEND_ROUTE_… */
    wend_live_order *order = &message->order;
    int64_t frames = 1;
    switch (order->order) {
    case WEND_LIVE_ORDER_OCCUPY:
    case WEND_LIVE_ORDER_VACATE: read_cells(message); break;
    case WEND_LIVE_ORDER_AGENT: read_agent(message); break;
    case WEND_LIVE_ORDER_GO:
        read_names(message);
        read_one_cell(message, "to");
        order->reach = read_distance(message, "reach", 0, 0, 0);
        break;
    case WEND_LIVE_ORDER_FOLLOW:
        read_name(message);
        order->target = read_needed_name(message, "target");
        order->reach = read_distance(message, "reach", 0, 1, 1);
        break;
    case WEND_LIVE_ORDER_FLEE: read_flee(message); break;
    case WEND_LIVE_ORDER_HALT:
    case WEND_LIVE_ORDER_REMOVE: read_names(message); break;
    case WEND_LIVE_ORDER_ROUTE:
        read_name(message);
        order->mode = live_read_choice(&message->reader, "mode", modes, 3, WEND_ROUTE_ONCE);
        read_cells(message);
        break;
    case WEND_LIVE_ORDER_TAKE:
        read_name(message);
        order->target = read_needed_name(message, "route");
        break;
    case WEND_LIVE_ORDER_STEP:
        live_read_number(&message->reader, "frames", 1, 1000000, &frames);
        order->frames = (uint64_t)frames;
        break;
    case WEND_LIVE_ORDER_STEER:
        read_name(message);
        read_one_cell(message, "cell");
        break;
    case WEND_LIVE_ORDER_INSPECT: read_inspect(message); break;
    case WEND_LIVE_ORDER_ADJUST: read_adjust(message); break;
    case WEND_LIVE_ORDER_FIELD: read_field(message); break;
    case WEND_LIVE_ORDER_PACE: read_pace(message); break;
    default: break;
    }
}
