/* SPDX-License-Identifier: MIT */
/* The files of a recording in one buffer: runs of bytes, each of one file, in the order in which they were written. */
#include "recording/calls/recording_state.h"

#include <stdio.h>
#include <wend/host.h>

static void keep_error(wend__recording *recording, wend_error error, const char *why) {
    WEND__DEBUG_ASSERT(error && !recording->error);
    recording->error = error;
    snprintf(recording->why, sizeof recording->why, "%s", why);
    wend__log(WEND_LOG_ERROR, error, "a recording has ended: %s", recording->why);
}

void wend__stream_fail(wend__recording *recording, wend_error error) {
    if (recording->error) return;
    wend__stream_flush(recording);
    if (!recording->error) keep_error(recording, error, wend_error_detail(error));
}

void wend__stream_flush(wend__recording *recording) {
    wend__run run;
    for (size_t at = 0; at < recording->used && !recording->error; at += sizeof run + run.bytes) {
        memcpy(&run, recording->buffer + at, sizeof run);
        WEND__DEBUG_ASSERT(at + sizeof run + run.bytes <= recording->used);
        const char *bytes = recording->buffer + at + sizeof run;
        const wend_error error = recording->write(recording->context, run.file, bytes, run.bytes);
        if (error) keep_error(recording, error, "the callback that writes returned an error");
        if (!error) recording->bytes += run.bytes;
    }
    recording->used = 0;
}

/* Returns room for at least one more byte of the file's. @return how much there is */
static size_t open_run(wend__recording *recording, uint32_t file) {
    WEND__DEBUG_ASSERT(recording->used == 0 || recording->run + sizeof(wend__run) <= recording->used);
    wend__run run = {0, 0};
    if (recording->used > 0) memcpy(&run, recording->buffer + recording->run, sizeof run);
    const bool same = recording->used > 0 && run.file == file;
    if (recording->used + (same ? 0 : sizeof run) >= sizeof recording->buffer) {
        wend__stream_flush(recording);
        return open_run(recording, file);
    }
    if (same) return sizeof recording->buffer - recording->used;
    run = (wend__run){file, 0};
    recording->run = recording->used;
    memcpy(recording->buffer + recording->used, &run, sizeof run);
    recording->used += sizeof run;
    return sizeof recording->buffer - recording->used;
}

void wend__stream_put(wend__recording *recording, uint32_t file, const char *bytes, size_t size) {
    while (size > 0 && !recording->error) {
        const size_t room = open_run(recording, file), part = size < room ? size : room;
        wend__run run;
        memcpy(recording->buffer + recording->used, bytes, part);
        WEND__DEBUG_ASSERT(recording->used + part <= sizeof recording->buffer);
        recording->used += part;
        memcpy(&run, recording->buffer + recording->run, sizeof run);
        run.bytes += (uint32_t)part;
        memcpy(recording->buffer + recording->run, &run, sizeof run);
        bytes += part;
        size -= part;
    }
}

static void close_block(wend__recording *recording) {
    char text[64];
    wend__phrase line = {text};
    if (recording->block_lines > 0) {
        wend__phrase_number(&line, recording->block_file);
        wend__phrase_option(&line, " ", recording->block_lines);
        wend__phrase_text(&line, "\n");
        wend__stream_put(recording, 0, text, (size_t)(line.at - text));
    }
    recording->block_lines = 0;
}

void wend__stream_end_frame(wend__recording *recording) {
    static const char word[] = "frame\n";
    close_block(recording);
    wend__stream_put(recording, 0, word, sizeof word - 1);
}

void wend__stream_close(wend__recording *recording) {
    close_block(recording);
    wend__stream_flush(recording);
}

void wend__stream_new_script(wend__recording *recording, uint32_t file) {
    char text[64];
    wend__phrase line = {text};
    close_block(recording);
    wend__phrase_option(&line, "script map", file);
    wend__phrase_text(&line, ".wend\n");
    wend__stream_put(recording, 0, text, (size_t)(line.at - text));
}

void wend__stream_count(wend__recording *recording, uint32_t file, uint64_t count) {
    WEND__DEBUG_ASSERT(file > 0);
    if (recording->block_file != file) close_block(recording);
    recording->block_file = file;
    recording->block_lines += count;
}

static void put_bytes(void *context, const char *bytes, size_t size) {
    const wend__recorded_map *map = context;
    wend__stream_put(map->recording, map->file, bytes, size);
}

void wend__stream_put_order(wend__recorded_map *map, const wend_order *order) {
    wend__order_write(order, wend__kind_axes(map->map->kind), put_bytes, map);
}

/* Writes the lines of an order: an edit has one for each change, and `publish`. */
static void put_lines(wend__recorded_map *map, const wend_order *order) {
    const bool edit = order->kind == WEND_ORDER_EDIT;
    wend__stream_count(map->recording, map->file, edit ? order->changes.count + 1 : 1);
    wend__stream_put_order(map, order);
    put_bytes(map, "\n", 1);
}

/* In a frame, writes the line with the position of the next ones. */
static void mark_callback(wend__recording *recording, wend__recorded_map *map) {
    wend_order order = {.kind = WEND_ORDER_DURING, .about = {.id = {.number = (int64_t)recording->callback_name}}};
    if (!recording->in_callback || map->marked == recording->callbacks) return;
    map->marked = recording->callbacks;
    wend__order_give(&order, &order.about.id);
    put_lines(map, &order);
}

void wend__stream_order(wend__recorded_map *map, const wend_order *order) {
    if (map->recording->error) return;
    mark_callback(map->recording, map);
    put_lines(map, order);
}
