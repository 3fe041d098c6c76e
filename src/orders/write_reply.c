/* SPDX-License-Identifier: MIT */
/* Writes completions and events as JSON: the same keys in lines of scripts and in messages. */
#include "base/utf8.h"
#include "orders/out.h"

void wend__out_string(wend__out *out, const char *text, size_t length) {
    static const char digits[] = "0123456789abcdef";
    wend__out_text(out, "\"");
    for (size_t i = 0, bytes; i<length; i += bytes> 0 ? bytes : 1) {
        const unsigned char c = (unsigned char)text[i];
        const char code[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
        bytes = wend__utf8_length(text + i, length - i);
        if (c == '"' || c == '\\') wend__out_text(out, "\\");
        if (bytes == 0)
            wend__out_text(out, "\\ufffd");
        else if (c < ' ' || c == 0x7F)
            wend__out_bytes(out, code, sizeof code);
        else
            wend__out_bytes(out, text + i, bytes);
    }
    wend__out_text(out, "\"");
}

void wend__string_write_json(const char *text, size_t length, wend__put_fn *put, void *context) {
    wend__out out = {.put = put, .context = context};
    wend__out_string(&out, text, length);
    wend__out_flush(&out);
}

static void put_count(wend__out *out, const char *key, uint64_t count) {
    wend__out_text(out, key);
    wend__out_number(out, (int64_t)count, true);
}

void wend__event_write_json(const wend__event_line *line, wend__put_fn *put, void *context) {
    wend__out out = {.put = put, .context = context, .axes = line->axes};
    wend__out_text(&out, "{\"frame\":");
    wend__out_number(&out, (int64_t)line->frame, true);
    if (line->agent) wend__out_text(&out, ",\"agent\":");
    if (line->agent) wend__out_string(&out, line->agent, strlen(line->agent));
    wend__out_text(&out, ",\"event\":\"");
    wend__out_text(&out, line->event);
    if (line->why) wend__out_text(&out, "\",\"why\":\"");
    if (line->why) wend__out_text(&out, line->why);
    wend__out_text(&out, line->no_cell ? "\"" : "\",\"cell\":");
    if (!line->no_cell) wend__out_cell(&out, line->cell);
    if (line->to) wend__out_text(&out, ",\"to\":");
    if (line->to) wend__out_cell(&out, *line->to);
    if (line->to) put_count(&out, ",\"ahead\":", (uint64_t)line->ahead);
    if (line->box) wend__out_text(&out, ",\"box\":");
    if (line->box) wend__out_cells(&out, (const wend_cell[]){line->box->min, line->box->max}, 2);
    wend__out_text(&out, "}");
    wend__out_flush(&out);
}

static void put_chunk(wend__out *out, wend_cell cell) {
    wend__out_text(out, ",\"first_unloaded\":");
    wend__out_cell(out, (wend_cell){cell.x / 64, cell.y / 64, 0});
}

/* The first one may be below 0: a host that began with a copy of another one's map. */
static uint64_t epoch_since(uint64_t epoch, uint64_t first) {
    return (int64_t)(epoch - first) > 0 ? epoch - first : 0;
}

/* Returns whether a step leads to a neighbour, so that a direction names it. */
static bool is_straight(wend_cell from, wend_cell to, int32_t axes) {
    const int64_t dx = (int64_t)to.x - from.x, dy = (int64_t)to.y - from.y, dz = (int64_t)to.z - from.z;
    return axes > 1 && dx * dx <= 1 && dy * dy <= 1 && dz * dz <= 1 && (dx | dy | dz) != 0;
}

static void put_direction(wend__out *out, wend_cell from, wend_cell to) {
    if (to.y != from.y) wend__out_text(out, to.y < from.y ? "N" : "S");
    if (to.x != from.x) wend__out_text(out, to.x > from.x ? "E" : "W");
    if (to.z != from.z) wend__out_text(out, to.z > from.z ? "U" : "D");
}

static bool is_same_step(const wend_cell *at, const wend_cell *first) {
    return at[1].x - at[0].x == first[1].x - first[0].x && at[1].y - at[0].y == first[1].y - first[0].y &&
           at[1].z - at[0].z == first[1].z - first[0].z;
}

/* The start, then a direction with the number of steps, or the cell to which a link or an edge leads. */
static void put_runs(wend__out *out, const wend_cell *cells, size_t count) {
    wend__out_text(out, "[");
    if (count > 0) wend__out_cell(out, cells[0]);
    for (size_t i = 1, steps; i < count; i += steps) {
        steps = 1;
        wend__out_text(out, ",");
        if (!is_straight(cells[i - 1], cells[i], out->axes)) {
            wend__out_cell(out, cells[i]);
            continue;
        }
        while (i + steps < count && is_same_step(&cells[i + steps - 1], &cells[i - 1])) steps++;
        wend__out_text(out, "\"");
        put_direction(out, cells[i - 1], cells[i]);
        wend__out_number(out, (int64_t)steps, false);
        wend__out_text(out, "\"");
    }
    wend__out_text(out, "]");
}

void wend__completion_write_json(const wend__completion_line *line, wend__put_fn *put, void *context) {
    const wend_completion *done = line->done;
    wend__out out = {.put = put, .context = context, .axes = line->axes};
    wend__out_text(&out, "\"status\":\"");
    wend__out_text(&out, wend_status_name(done->status));
    wend__out_text(&out, "\",\"cost\":");
    wend__out_number(&out, done->cost, false);
    if (!line->no_cells) {
        wend__out_text(&out, line->runs ? ",\"runs\":" : ",\"cells\":");
        if (line->runs)
            put_runs(&out, done->cells, done->cell_count);
        else
            wend__out_cells(&out, done->cells, done->cell_count);
    }
    if (!line->no_cells && done->crossing_count > 0) {
        wend__out_text(&out, ",\"crossings\":");
        wend__out_cells(&out, done->crossings, done->crossing_count);
    }
    if (done->first_unloaded < done->crossing_count) put_chunk(&out, done->crossings[done->first_unloaded]);
    put_count(&out, ",\"expansions\":", done->expansions);
    put_count(&out, ",\"frames\":", line->frames);
    put_count(&out, ",\"epoch\":", epoch_since(done->epoch, line->first_epoch));
    put_count(&out, ",\"checked\":", epoch_since(done->checked, line->first_epoch));
    wend__out_text(&out, done->exact ? ",\"exact\":true" : ",\"exact\":false");
    wend__out_text(&out, done->engine == WEND_ENGINE_JUMP ? ",\"engine\":\"jump\"" : ",\"engine\":\"astar\"");
    if (done->shared) wend__out_text(&out, ",\"shared\":true");
    if (done->unknown) wend__out_text(&out, ",\"unknown\":true");
    wend__out_flush(&out);
}
