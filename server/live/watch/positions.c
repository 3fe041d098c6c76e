/* SPDX-License-Identifier: MIT */
/* Writes the places of agents, as JSON and as bytes. */
#define _GNU_SOURCE

#include "live/watch/watch.h"

#include <stdio.h>
#include <string.h>

/* Returns a name with its quotes, as it can be written. @return NULL: it has bytes that must be escaped */
static char *plain_name(char *at, const char *name) {
    *at++ = '"';
    for (; *name != '\0'; name++) {
        const unsigned char byte = (unsigned char)*name;
        if (byte < 0x20 || byte == '"' || byte == '\\' || byte >= 0x7f) return NULL;
        *at++ = *name;
    }
    *at++ = '"';
    return at;
}

void live_put_positions(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    bool first = true;
    live_puts(text, "\"agents\":{");
    for (uint32_t i = 0; i < positions->count; i++) {
        const char *name = positions->names[i];
        if (!name) continue;
        const size_t length = strlen(name);
        char *at = live_room(text, length + LIVE_CELL_BYTES + 8);
        if (!at) return;
        if (!first) *at++ = ',';
        first = false;
        text->used = (size_t)(at - text->bytes);
        at = plain_name(at, name);
        if (!at) { /* the name is written again */
            live_put_string(text, name, length);
            at = live_room(text, LIVE_CELL_BYTES + 8);
            if (!at) return;
        }
        *at++ = ':';
        at = live_cell(at, live->kind, positions->cells[i]);
        text->used = (size_t)(at - text->bytes);
    }
    live_puts(text, "}");
}

/* Returns the radius of an agent's body in thousandths of a cell; 0: it has none. */
static uint32_t radius_of(const wend_live_positions *positions, uint32_t i) {
    return positions->radii ? positions->radii[i] : 0;
}

/* Writes the places of the bodies: "bodies":{"a":[x,y,radius],…}. Nothing if there are none. */
static void put_bodies(live_text *text, const wend_live_positions *positions) {
    const char *separator = ",\"bodies\":{";
    for (uint32_t i = 0; positions->radii && positions->points && i < positions->count; i++) {
        char numbers[96];
        const wend_point at = positions->points[i];
        if (!positions->names[i] || positions->radii[i] == 0) continue;
        live_puts(text, separator);
        live_put_string(text, positions->names[i], strlen(positions->names[i]));
        const int length = snprintf(numbers, sizeof numbers, ":[%.3f,%.3f,%.3f]", at.x / 1000., at.y / 1000.,
                                    radius_of(positions, i) / 1000.);
        live_put(text, numbers, (size_t)length);
        separator = ",";
    }
    if (separator[1] == '\0') live_puts(text, "}");
}

void live_put_positions_message(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    live_unasked_begin(text, "agents");
    live_puts(text, ",");
    live_put_positions(live, text, positions);
    put_bodies(text, positions);
    live_put_field(text, "number", live->frame);
    live_puts(text, "}");
}

void live_put_names(live_text *text, const wend_live_positions *positions) {
    const char *separator = "[";
    live_unasked_begin(text, "names");
    live_puts(text, ",\"names\":[");
    for (uint32_t i = 0; i < positions->count; i++) {
        const char *name = positions->names[i];
        if (!name) continue;
        live_puts(text, separator);
        live_put_number(text, i);
        live_put(text, ",", 1);
        live_put_string(text, name, strlen(name));
        const uint32_t size = positions->sizes ? positions->sizes[i] : 1, radius = radius_of(positions, i);
        if (size > 1 || radius > 0) live_puts(text, ",");
        if (size > 1 || radius > 0) live_put_number(text, size);
        if (radius > 0) live_puts(text, ",");
        if (radius > 0) live_put_number(text, radius);
        live_put(text, "]", 1);
        separator = ",[";
    }
    live_puts(text, "]}");
}

/* Numbers are little-endian. */
static inline char *put_32(char *at, uint32_t number) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) number = __builtin_bswap32(number);
    memcpy(at, &number, sizeof number);
    return at + sizeof number;
}

static wend_point place_of(const wend_live_positions *positions, uint32_t i) {
    enum { MILLI = 1000 };
    if (positions->points) return positions->points[i];
    const wend_cell cell = positions->cells[i];
    return (wend_point){(int32_t)((int64_t)cell.x * MILLI), (int32_t)((int64_t)cell.y * MILLI),
                        (int32_t)((int64_t)cell.z * MILLI)};
}

void live_put_positions_binary(const wend_live *live, live_text *text, const wend_live_positions *positions) {
    enum { HEADER = 16, EACH = 20 };
    text->used = 0;
    char *at = live_room(text, HEADER + (size_t)positions->count * EACH), *count_at;
    uint32_t count = 0;
    if (!at) return;
    at = put_32(at, 1);
    count_at = at;
    at = put_32(at + 4, (uint32_t)live->frame);
    at = put_32(at, (uint32_t)(live->frame >> 32));
    for (uint32_t i = 0; i < positions->count; i++) {
        if (!positions->names[i]) continue;
        const wend_point point = place_of(positions, i);
        at = put_32(at, i);
        at = put_32(at, (uint32_t)point.x);
        at = put_32(at, (uint32_t)point.y);
        at = put_32(at, (uint32_t)point.z);
        at = put_32(at, positions->states ? positions->states[i] : WEND_AGENT_IDLE);
        count++;
    }
    put_32(count_at, count);
    text->used = (size_t)(at - text->bytes);
}
