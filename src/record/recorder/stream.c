/* SPDX-License-Identifier: MIT */
/* The files of a recording in one buffer: runs of bytes, each of one file, in the order in which they were written. */
#include "record/recorder/recorder.h"

#include <stdio.h>

static void keep_error(wend__recorder *recorder, wend_error error, const char *why) {
    recorder->error = error;
    snprintf(recorder->why, sizeof recorder->why, "%s", why);
}

void wend__stream_fail(wend__recorder *recorder, wend_error error) {
    if (recorder->error) return;
    wend__stream_flush(recorder);
    if (!recorder->error) keep_error(recorder, error, wend_error_detail(error));
}

void wend__stream_flush(wend__recorder *recorder) {
    wend__run run;
    for (size_t at = 0; at < recorder->used && !recorder->error; at += sizeof run + run.bytes) {
        memcpy(&run, recorder->buffer + at, sizeof run);
        const char *bytes = recorder->buffer + at + sizeof run;
        const wend_error error = recorder->write(recorder->context, run.file, bytes, run.bytes);
        if (error) keep_error(recorder, error, "the callback that writes returned an error");
        if (!error) recorder->bytes += run.bytes;
    }
    recorder->used = 0;
}

/* Room for at least one more byte of the file's. @return how much there is */
static size_t open_run(wend__recorder *recorder, uint32_t file) {
    wend__run run = {0, 0};
    if (recorder->used > 0) memcpy(&run, recorder->buffer + recorder->run, sizeof run);
    const bool same = recorder->used > 0 && run.file == file;
    if (recorder->used + (same ? 0 : sizeof run) >= sizeof recorder->buffer) {
        wend__stream_flush(recorder);
        return open_run(recorder, file);
    }
    if (same) return sizeof recorder->buffer - recorder->used;
    run = (wend__run){file, 0};
    recorder->run = recorder->used;
    memcpy(recorder->buffer + recorder->used, &run, sizeof run);
    recorder->used += sizeof run;
    return sizeof recorder->buffer - recorder->used;
}

void wend__stream_put(wend__recorder *recorder, uint32_t file, const char *bytes, size_t size) {
    while (size > 0 && !recorder->error) {
        const size_t room = open_run(recorder, file), part = size < room ? size : room;
        wend__run run;
        memcpy(recorder->buffer + recorder->used, bytes, part);
        recorder->used += part;
        memcpy(&run, recorder->buffer + recorder->run, sizeof run);
        run.bytes += (uint32_t)part;
        memcpy(recorder->buffer + recorder->run, &run, sizeof run);
        bytes += part;
        size -= part;
    }
}

static void close_block(wend__recorder *recorder) {
    char text[64];
    wend__phrase line = {text};
    if (recorder->block_lines > 0) {
        wend__phrase_number(&line, recorder->block_file);
        wend__phrase_option(&line, " ", recorder->block_lines);
        wend__phrase_text(&line, "\n");
        wend__stream_put(recorder, 0, text, (size_t)(line.at - text));
    }
    recorder->block_lines = 0;
}

void wend__stream_end_frame(wend__recorder *recorder) {
    static const char word[] = "frame\n";
    close_block(recorder);
    wend__stream_put(recorder, 0, word, sizeof word - 1);
}

void wend__stream_close(wend__recorder *recorder) {
    close_block(recorder);
    wend__stream_flush(recorder);
}

void wend__stream_new_script(wend__recorder *recorder, uint32_t file) {
    char text[64];
    wend__phrase line = {text};
    close_block(recorder);
    wend__phrase_option(&line, "script map", file);
    wend__phrase_text(&line, ".wend\n");
    wend__stream_put(recorder, 0, text, (size_t)(line.at - text));
}

void wend__stream_count(wend__recorder *recorder, uint32_t file, uint64_t count) {
    if (recorder->block_file != file) close_block(recorder);
    recorder->block_file = file;
    recorder->block_lines += count;
}

static void put_bytes(void *context, const char *bytes, size_t size) {
    const wend__recorded_map *map = context;
    wend__stream_put(map->recorder, map->file, bytes, size);
}

void wend__stream_put_order(wend__recorded_map *map, const wend_order *order) {
    wend__order_write(order, wend__kind_axes(map->map->kind), put_bytes, map);
}

/* The lines of an order: an edit has one for each change, and `publish`. */
static void put_lines(wend__recorded_map *map, const wend_order *order) {
    const bool edit = order->kind == WEND_ORDER_EDIT;
    wend__stream_count(map->recorder, map->file, edit ? order->changes.count + 1 : 1);
    wend__stream_put_order(map, order);
    put_bytes(map, "\n", 1);
}

/* In a frame, the line with where in it the next ones belong. */
static void mark_callback(wend__recorder *recorder, wend__recorded_map *map) {
    wend_order order = {.kind = WEND_ORDER_DURING, .about = {.id = {.number = (int64_t)recorder->callback_name}}};
    if (!recorder->in_callback || map->marked == recorder->callbacks) return;
    map->marked = recorder->callbacks;
    wend__order_give(&order, &order.about.id);
    put_lines(map, &order);
}

void wend__stream_order(wend__recorded_map *map, const wend_order *order) {
    if (map->recorder->error) return;
    mark_callback(map->recorder, map);
    put_lines(map, order);
}
