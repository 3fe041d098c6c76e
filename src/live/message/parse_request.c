/* SPDX-License-Identifier: MIT */
/* Parses a request: names and meanings are those of scripts. */
#define _GNU_SOURCE

#include <math.h>
#include <string.h>

#include "live/message/message.h"

/* Numbers that do not fit the request are as wrong as those outside a range of it. */
static void read_count(live_reader *reader, const char *name, uint64_t *out) {
    int64_t number;
    if (live_read_number(reader, name, 0, INT64_MAX, &number)) *out = (uint64_t)number;
}

static void read_goals(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *goals = live_read_value(reader, "goals");
    const size_t count = json_array_size(goals);
    if (goals == NULL) return;
    if (!json_is_array(goals) || count >= WEND_MAX_GOALS) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"goals\" is an array of up to %d cells", WEND_MAX_GOALS - 1);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!live_take_cell(reader, "goals", json_array_get(goals, i), &message->goals[i])) return;
    message->request.more_goals = message->goals;
    message->request.more_goal_count = (uint32_t)count;
}

static void read_occupied(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *value = live_read_value(reader, "occupied");
    const char *word = json_string_value(value);
    if (value == NULL || (word != NULL && strcmp(word, "ignore") == 0)) return;
    if (word != NULL && strcmp(word, "block") == 0)
        message->request.occupied = WEND_OCCUPIED_BLOCK;
    else if (json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= WEND_MAX_COST)
        message->request.occupied = (int32_t)json_integer_value(value);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"occupied\" is \"ignore\", \"block\" or a cost");
}

static void read_weight(live_message *message) {
    live_reader *reader = &message->reader;
    const json_t *value = live_read_value(reader, "weight");
    if (value == NULL) return;
    const double weight = json_number_value(value);
    if (json_is_number(value) && weight >= 1 && weight <= WEND_WEIGHT_MAX_MILLI / 1000)
        message->request.weight_milli = (int32_t)lround(weight * 1000);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"weight\" is a number from 1 to %d",
                         WEND_WEIGHT_MAX_MILLI / 1000);
}

/* Graphs have no reach, and units count everywhere there. */
static void read_small(live_reader *reader, const char *name, int32_t *out) {
    int64_t number;
    if (!live_read_number(reader, name, 0, WEND_MAX_REACH, &number)) return;
    if (reader->kind == WEND_KIND_GRAPH)
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is not for graphs", name);
    *out = (int32_t)number;
}

void live_parse_request(live_message *message) {
    static const char *const modes[] = {"exact", "nearest"}, *const stales[] = {"restart", "deliver"};
    static const char *const engines[] = {"auto", "astar", "jump"};
    static const char *const heuristics[] = {"exact", "manhattan", "euclid", "zero"};
    live_reader *reader = &message->reader;
    wend_request *request = &message->request;
    bool cells = true, leave = false;
    wend_request_init(request, sizeof *request);
    live_read_cell(reader, "from", &request->start);
    live_read_cell(reader, "to", &request->goal);
    live_read_clamped(reader, "urgency", &request->urgency);
    read_count(reader, "deadline", &request->deadline_frames);
    read_count(reader, "max", &request->max_expansions);
    request->mode = live_read_choice(reader, "mode", modes, 2, WEND_MODE_EXACT);
    read_small(reader, "reach", &request->reach);
    read_goals(message);
    message->mover = live_read_name(reader, "mover");
    read_occupied(message);
    read_small(reader, "occupied_within", &request->occupied_within);
    request->on_stale = live_read_choice(reader, "on_stale", stales, 2, WEND_ON_STALE_RESTART);
    read_weight(message);
    read_count(reader, "agent", &request->agent);
    request->engine = live_read_choice(reader, "engine", engines, 3, WEND_ENGINE_AUTO);
    request->heuristic = live_read_choice(reader, "heuristic", heuristics, 4, WEND_HEURISTIC_EXACT);
    live_read_flag(reader, "leave_blocked_start", &leave);
    live_read_flag(reader, "cells", &cells);
    if (leave) request->flags |= WEND_REQUEST_LEAVE_BLOCKED_START;
    message->no_cells = !cells;
}
