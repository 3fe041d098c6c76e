/* SPDX-License-Identifier: MIT */
/* Writes trace events as JSON, one a line. Times are in microseconds since the first frame. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "trace/trace_events.h"
#include <wend/search.h>

/* Processes of the trace: rows of the same kind stand together. */
enum { FRAMES = 1, THREADS, LANES };
enum { ROW_FRAMES = 0, ROW_PHASES, ROW_COMPLETIONS, ROW_HOST };

static double us_of(const trace_events *trace, uint64_t ns) {
    return ns > trace->base_ns ? (double)(ns - trace->base_ns) / 1000 : 0;
}

static void name_process(FILE *out, int process, const char *name) {
    fprintf(out, "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}},\n", process, name);
    fprintf(out, "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%d}},\n", process,
            process);
}

static void name_row(FILE *out, int process, uint32_t row, const char *name, uint32_t number) {
    fprintf(out, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%" PRIu32 ",\"name\":\"thread_name\",\"args\":{\"name\":\"%s",
            process, row, name);
    if (number > 0) fprintf(out, " %" PRIu32, number);
    fputs("\"}},\n", out);
}

void trace_begin(trace_events *trace, FILE *out, uint32_t lanes, uint32_t workers) {
    *trace = (trace_events){.out = out};
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out);
    name_process(out, FRAMES, "frames");
    name_process(out, THREADS, "threads");
    name_process(out, LANES, "lanes");
    name_row(out, FRAMES, ROW_FRAMES, "frames", 0);
    name_row(out, FRAMES, ROW_PHASES, "phases", 0);
    name_row(out, FRAMES, ROW_COMPLETIONS, "completions", 0);
    name_row(out, THREADS, 0, "ticking thread", 0);
    for (uint32_t i = 1; i <= workers; i++) name_row(out, THREADS, i, "worker", i);
    for (uint32_t i = 0; i < lanes; i++) name_row(out, LANES, i, "lane", i + 1);
}

/* The beginning of an event that lasts; the caller adds its arguments and the end. */
static void span(const trace_events *trace, int process, uint32_t row, const char *name, uint64_t from, uint64_t to) {
    fprintf(trace->out, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%" PRIu32 ",\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\"",
            process, row, us_of(trace, from), (double)(to - from) / 1000, name);
}

static void write_frame(trace_events *trace, const wend_frame_record *frame) {
    FILE *out = trace->out;
    char name[40];
    if (trace->frames == 0) trace->base_ns = frame->began_ns;
    snprintf(name, sizeof name, "frame %" PRIu64, frame->frame);
    span(trace, FRAMES, ROW_FRAMES, name, frame->began_ns, frame->ended_ns);
    fprintf(out, ",\"args\":{\"expansions\":%" PRIu64 ",\"rounds\":%" PRIu64 ",\"evictions\":%" PRIu64 "}},\n",
            frame->expansions, frame->rounds, frame->evictions);
    span(trace, FRAMES, ROW_PHASES, "intake", frame->began_ns, frame->intake_ns);
    fprintf(out, ",\"args\":{\"intakes\":%" PRIu64 ",\"changes\":%" PRIu64 "}},\n", frame->intakes, frame->changes);
    span(trace, FRAMES, ROW_PHASES, "rounds", frame->intake_ns, frame->rounds_ns);
    fprintf(out, ",\"args\":{\"rounds\":%" PRIu64 "}},\n", frame->rounds);
    span(trace, FRAMES, ROW_PHASES, "delivery", frame->rounds_ns, frame->ended_ns);
    fprintf(out, ",\"args\":{\"deliveries\":%" PRIu64 ",\"shared\":%" PRIu64 ",\"cells\":%" PRIu64 "}},\n",
            frame->deliveries, frame->shared, frame->cells);
    fprintf(out,
            "{\"ph\":\"C\",\"pid\":%d,\"ts\":%.3f,\"name\":\"requests\",\"args\":{\"waiting\":%" PRIu64
            ",\"in search\":%" PRIu64 "}},\n",
            FRAMES, us_of(trace, frame->ended_ns), frame->waiting, frame->running);
}

static void write_slice(const trace_events *trace, const wend_slice_record *slice) {
    char name[40];
    for (int i = 0; i < 2; i++) {
        const bool by_thread = i == 0;
        if (by_thread && slice->thread == UINT32_MAX) continue; /* one of the host's */
        if (by_thread)
            snprintf(name, sizeof name, "lane %" PRIu32 "%s", slice->lane + 1, slice->fair ? " (fair)" : "");
        else
            snprintf(name, sizeof name, "request %" PRIu64 "%s", slice->number, slice->requests > 1 ? " …" : "");
        span(trace, by_thread ? THREADS : LANES, by_thread ? slice->thread : slice->lane, name, slice->began_ns,
             slice->ended_ns);
        fprintf(trace->out,
                ",\"args\":{\"frame\":%" PRIu64 ",\"round\":%" PRIu64 ",\"requests\":%" PRIu32
                ",\"expansions\":%" PRIu64 "}},\n",
                slice->frame, slice->round, slice->requests, slice->expansions);
    }
}

static void write_completion(const trace_events *trace, const wend_done_record *done, const wend_frame_record *frame) {
    fprintf(trace->out,
            "{\"ph\":\"i\",\"s\":\"t\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"name\":\"%s %" PRIu64
            "\",\"args\":{\"urgency\":%" PRId32 ",\"frames\":%" PRIu64 ",\"wait_frames\":%" PRIu64
            ",\"expansions\":%" PRIu64 ",\"engine\":%" PRId32 ",\"shared\":%" PRId32 "}},\n",
            FRAMES, ROW_COMPLETIONS, us_of(trace, frame->rounds_ns), wend_status_name(done->status), done->number,
            done->urgency, done->frames, done->wait_frames, done->expansions, done->engine, done->shared);
}

/* Records that the ring does not keep any more are lost. */
static void count_lost(trace_events *trace, uint64_t total, uint64_t *written, size_t count) {
    trace->lost += total - *written - count;
    *written = total;
}

bool trace_frame(trace_events *trace, const wend_figures *figures) {
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    wend_frame_record frame = {0};
    wend_figures_get_stats(figures, &counts);
    const uint64_t slices = counts.slices - trace->slices, dones = counts.completions - trace->completions;
    wend_slice_record *slice = malloc((size_t)(slices + 1) * sizeof *slice);
    wend_done_record *done = malloc((size_t)(dones + 1) * sizeof *done);
    const bool ok = slice != NULL && done != NULL;
    size_t count = 0;
    if (ok) wend_figures_get_records(figures, WEND_FIGURES_FRAMES, counts.frames - 1, &frame, sizeof frame, 1, &count);
    if (count == 1) {
        write_frame(trace, &frame);
        wend_figures_get_records(figures, WEND_FIGURES_SLICES, trace->slices, slice, sizeof *slice, (size_t)slices,
                                 &count);
        for (size_t i = 0; i < count; i++) write_slice(trace, &slice[i]);
        count_lost(trace, counts.slices, &trace->slices, count);
        wend_figures_get_records(figures, WEND_FIGURES_COMPLETIONS, trace->completions, done, sizeof *done,
                                 (size_t)dones, &count);
        for (size_t i = 0; i < count; i++) write_completion(trace, &done[i], &frame);
        count_lost(trace, counts.completions, &trace->completions, count);
        trace->frames++;
    }
    free(slice);
    free(done);
    return ok;
}

void trace_name_host(trace_events *trace, const char *name) {
    name_row(trace->out, FRAMES, ROW_HOST, name, 0);
}

void trace_host(trace_events *trace, const char *name, uint64_t from_ns, uint64_t to_ns) {
    span(trace, FRAMES, ROW_HOST, name, from_ns, to_ns);
    fputs("},\n", trace->out);
}

void trace_count(trace_events *trace, const char *name, uint64_t ns, uint64_t number) {
    fprintf(trace->out, "{\"ph\":\"C\",\"pid\":%d,\"ts\":%.3f,\"name\":\"%s\",\"args\":{\"number\":%" PRIu64 "}},\n",
            FRAMES, us_of(trace, ns), name, number);
}

/* The last event has no comma behind it. */
void trace_end(trace_events *trace) {
    fprintf(trace->out,
            "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_labels\",\"args\":{\"labels\":\"%" PRIu64
            " records lost\"}}\n]}\n",
            FRAMES, trace->lost);
}
