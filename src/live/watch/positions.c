/* SPDX-License-Identifier: MIT */
/* Writes where agents are, as JSON and as bytes. */
#define _GNU_SOURCE

#include "live/watch/positions.h"

#include <string.h>

#include "live/watch/watch.h"

void live_put_positions(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    bool first = true;
    live_puts(text, "\"agents\":{");
    for (uint32_t i = 0; i < positions->count; i++) {
        const char *name = positions->names[i];
        if (name == NULL) continue;
        if (!first) live_put(text, ",", 1);
        first = false;
        live_put_string(text, name, strlen(name));
        live_put(text, ":", 1);
        live_put_cell(text, live->kind, positions->cells[i]);
    }
    live_puts(text, "}");
}

void live_put_positions_message(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    text->used = 0;
    live_puts(text, "{");
    live_put_positions(live, text, positions);
    live_put_field(text, "number", live->frame);
    live_puts(text, "}");
}

void live_put_names(live_text *text, const wend_live_positions *positions) {
    const char *separator = "[";
    text->used = 0;
    live_puts(text, "{\"names\":[");
    for (uint32_t i = 0; i < positions->count; i++) {
        const char *name = positions->names[i];
        if (name == NULL) continue;
        live_puts(text, separator);
        live_put_number(text, i);
        live_put(text, ",", 1);
        live_put_string(text, name, strlen(name));
        live_put(text, "]", 1);
        separator = ",[";
    }
    live_puts(text, "]}");
}

/* Numbers are little-endian. */
static unsigned char *put_32(unsigned char *at, uint32_t number) {
    for (int i = 0; i < 4; i++) *at++ = (unsigned char)(number >> 8 * i);
    return at;
}

static int32_t coordinate(const wend_live_positions *positions, uint32_t i, int axis) {
    const wend_cell cell = positions->cells[i];
    const int32_t whole = axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
    if (positions->points == NULL) return (int32_t)((int64_t)whole * 1000);
    const wend_point point = positions->points[i];
    return (int32_t)(axis == 0 ? point.x : axis == 1 ? point.y : point.z);
}

void live_put_positions_binary(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    enum { HEADER = 16, EACH = 20 };
    unsigned char bytes[EACH] = {1, 0, 0, 0}, *at;
    uint32_t count = 0;
    for (uint32_t i = 0; i < positions->count; i++) count += positions->names[i] != NULL;
    text->used = 0;
    at = put_32(bytes + 4, count);
    at = put_32(at, (uint32_t)live->frame);
    put_32(at, (uint32_t)(live->frame >> 32));
    live_put(text, (const char *)bytes, HEADER);
    for (uint32_t i = 0; i < positions->count; i++) {
        if (positions->names[i] == NULL) continue;
        at = put_32(bytes, i);
        for (int axis = 0; axis < 3; axis++) at = put_32(at, (uint32_t)coordinate(positions, i, axis));
        put_32(at, positions->states != NULL ? positions->states[i] : WEND_AGENT_IDLE);
        live_put(text, (const char *)bytes, EACH);
    }
}
