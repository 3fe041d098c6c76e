/* SPDX-License-Identifier: MIT */
/* Parses an edit: one batch of changes, in the order in which they apply. */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "live/message/message.h"

static bool grow(live_message *message, size_t count) {
    if (count <= message->change_capacity) return true;
    const size_t capacity = count < 64 ? 64 : count * 2;
    wend_live_change *changes = realloc(message->changes, capacity * sizeof *changes);
    if (changes == NULL) {
        live_reader_fail(&message->reader, WEND_LIVE_BUSY, "no memory for so many changes");
        return false;
    }
    message->changes = changes;
    message->change_capacity = capacity;
    return true;
}

static void sort(int32_t *a, int32_t *b) {
    const int32_t first = *a;
    if (first <= *b) return;
    *a = *b;
    *b = first;
}

static void read_ground(live_reader *reader, const char *field, const json_t *value, int32_t *out) {
    const char *word = json_string_value(value);
    if (word != NULL && strcmp(word, "blocked") == 0)
        *out = WEND_CLASS_BLOCKED;
    else if (word != NULL && strcmp(word, "open") == 0)
        *out = WEND_CLASS_OPEN;
    else if (json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) <= 255)
        *out = (int32_t)json_integer_value(value);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\": ground is \"open\", \"blocked\" or 0 to 255", field);
}

static void read_state(live_reader *reader, const json_t *value, int32_t *out) {
    const char *word = json_string_value(value);
    *out = word != NULL && strcmp(word, "open") == 0;
    if (word == NULL || (!*out && strcmp(word, "blocked") != 0))
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"steps\": a step is \"open\" or \"blocked\"");
}

static void read_cost(live_reader *reader, const json_t *value, int32_t *out) {
    if (json_is_integer(value) && json_integer_value(value) >= 1 && json_integer_value(value) <= WEND_MAX_COST)
        *out = (int32_t)json_integer_value(value);
    else
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"links\": a cost is from 1 to %d", WEND_MAX_COST);
}

enum { SET, FILL, STEPS, LINKS, UNLINKS, FIELDS };
static const char *const fields[FIELDS] = {"set", "fill", "steps", "links", "unlinks"};

static void read_change(live_reader *reader, int field, const json_t *value, wend_live_change *out) {
    static const size_t lengths[FIELDS] = {2, 3, 3, 3, 2};
    static const int32_t whats[FIELDS] = {WEND_LIVE_FILL, WEND_LIVE_FILL, WEND_LIVE_STEP, WEND_LIVE_LINK,
                                          WEND_LIVE_UNLINK};
    const json_t *last = json_array_get(value, lengths[field] - 1);
    *out = (wend_live_change){.what = whats[field]};
    if (!json_is_array(value) || json_array_size(value) != lengths[field]) {
        live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array of arrays of %d", fields[field],
                         (int)lengths[field]);
        return;
    }
    live_take_cell(reader, fields[field], json_array_get(value, 0), &out->from);
    if (field == SET)
        out->to = out->from;
    else
        live_take_cell(reader, fields[field], json_array_get(value, 1), &out->to);
    if (field == SET || field == FILL) {
        read_ground(reader, fields[field], last, &out->value);
        sort(&out->from.x, &out->to.x);
        sort(&out->from.y, &out->to.y);
        sort(&out->from.z, &out->to.z);
    }
    if (field == STEPS) read_state(reader, last, &out->value);
    if (field == LINKS) read_cost(reader, last, &out->value);
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

void live_parse_edit(live_message *message, uint64_t edit_cells) {
    live_reader *reader = &message->reader;
    size_t used = 0;
    uint64_t cells = 0;
    for (int field = 0; field < FIELDS; field++) {
        const json_t *array = live_read_value(reader, fields[field]);
        const size_t count = json_array_size(array);
        if (array != NULL && !json_is_array(array))
            live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "\"%s\" is an array", fields[field]);
        if (reader->error != WEND_LIVE_OK || !grow(message, used + count)) return;
        for (size_t i = 0; i < count && reader->error == WEND_LIVE_OK; i++, used++) {
            read_change(reader, field, json_array_get(array, i), &message->changes[used]);
            const uint64_t more = cells_of(&message->changes[used]);
            cells = more > UINT64_MAX - cells ? UINT64_MAX : cells + more;
        }
        if (reader->error != WEND_LIVE_OK) return;
    }
    if (cells > edit_cells)
        live_reader_fail(reader, WEND_LIVE_TOO_LARGE, "an edit changes at most %llu cells",
                         (unsigned long long)edit_cells);
    if (used == 0) live_reader_fail(reader, WEND_LIVE_BAD_ARGUMENT, "the edit changes nothing");
    message->changed_cells = cells;
    message->order.changes = message->changes;
    message->order.change_count = used;
}
