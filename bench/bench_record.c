/* SPDX-License-Identifier: MIT */
/* What a recording costs: two services do the same on maps of their own, frame by frame in turns, and one of them
 * records into a file. CSV, a line a load: microseconds a frame of both, with the calls between two frames, the ratio
 * of all frames, and bytes a frame. Time is the thread's processor time.
 *
 *   bench_record MAP [FRAMES [AGENTS]]     1,200 frames and 3,000 agents by default */
#define _POSIX_C_SOURCE 200809L
#include <wend/wend.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUDGET = 20000, MOST_AGENTS = 65536, EDIT_CELLS = 4, OPEN_TRIES = 1000 };

/// One of the two: its own map, service and random numbers.
typedef struct side {
    wend_map *map;
    wend_service *service;
    int32_t width, height;
    uint64_t random, ns, bytes, completed;
    uint32_t idle; ///< agents that ask before the next frame
    FILE *file;
} side;

static void need(wend_error error) {
    if (error == WEND_OK) return;
    fprintf(stderr, "bench_record: %s\n", wend_error_detail(error));
    exit(1);
}

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint32_t below(side *s, uint32_t count) {
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((s->random >> 33) % count);
}

static wend_error take(void *context, uint32_t file, const void *bytes, size_t size) {
    side *s = context;
    s->bytes += size;
    (void)file;
    return fwrite(bytes, 1, size, s->file) == size ? WEND_OK : WEND_IO;
}

static void on_done(void *context, const wend_completion *done) {
    side *s = context;
    (void)done;
    s->idle++;
    s->completed++;
}

/* ---- calls ---- */

static wend_cell some_cell(side *s) {
    const int32_t x = (int32_t)below(s, (uint32_t)s->width), y = (int32_t)below(s, (uint32_t)s->height);
    return (wend_cell){x, y, 0};
}

static wend_cell some_open_cell(side *s) {
    wend_cell cell = some_cell(s);
    uint8_t ground = WEND_CLASS_BLOCKED;
    for (int i = 0; i < OPEN_TRIES; i++) {
        need(wend_map_get_terrain(s->map, cell, &ground));
        if (ground != WEND_CLASS_BLOCKED) break;
        cell = some_cell(s);
    }
    return cell;
}

static void ask(side *s) {
    wend_request request;
    wend_request_init(&request, sizeof request);
    request.map = s->map;
    request.start = some_open_cell(s);
    request.goal = some_open_cell(s);
    request.urgency = (int32_t)below(s, 10);
    request.on_done = on_done;
    request.context = s;
    need(wend_service_submit(s->service, &request, NULL));
}

static void edit(side *s) {
    wend_edit *batch;
    need(wend_edit_begin(s->map, &batch));
    for (int i = 0; i < EDIT_CELLS; i++) {
        const wend_cell cell = some_cell(s);
        need(wend_edit_set_cell(batch, cell, (uint8_t)below(s, 2)));
    }
    need(wend_edit_publish(batch, NULL));
}

static void run_frame(side *s, uint32_t edits) {
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = BUDGET;
    const uint64_t begun = now_ns();
    for (uint32_t i = 0; i < edits; i++) edit(s);
    for (; s->idle > 0; s->idle--) ask(s);
    need(wend_service_tick(s->service, &budget, NULL));
    s->ns += now_ns() - begun;
}

/* ---- both ---- */

static void open_side(side *s, const char *name, uint32_t agents, bool accelerated) {
    wend_service_def def;
    wend_map_info info = {.struct_bytes = sizeof info};
    *s = (side){.random = 1, .idle = agents};
    need(wend_map_load(name, NULL, &s->map, NULL, NULL));
    need(wend_map_get_info(s->map, &info));
    s->width = info.width, s->height = info.height;
    if (accelerated) need(wend_map_accelerate(s->map, NULL));
    wend_service_def_init(&def, sizeof def);
    def.queue = agents;
    need(wend_service_create(&def, &s->service));
}

static void close_side(side *s) {
    need(wend_service_destroy(s->service));
    wend_map_release(s->map);
}

static void measure(const char *name, uint32_t frames, uint32_t agents, bool accelerated, uint32_t edits) {
    side plain, recording;
    open_side(&plain, name, agents, accelerated);
    open_side(&recording, name, agents, accelerated);
    recording.file = tmpfile();
    if (recording.file == NULL) need(WEND_IO);
    need(wend_service_record(recording.service, take, &recording));
    need(wend_service_record_map(recording.service, recording.map));
    const uint64_t head = recording.bytes;
    for (uint32_t i = 0; i < frames; i++) {
        run_frame(i % 2 == 0 ? &plain : &recording, edits);
        run_frame(i % 2 == 0 ? &recording : &plain, edits);
        if (i < frames / 10) plain.ns = recording.ns = 0; /* warm */
    }
    need(wend_service_record(recording.service, NULL, NULL));
    if (plain.completed != recording.completed) need(WEND_BAD_ARGUMENT);
    const double timed = frames - frames / 10;
    printf("%s,%" PRIu32 ",%" PRIu64 ",%.1f,%.1f,%.4f,%.0f\n", accelerated ? "jump" : "astar", edits, plain.completed,
           (double)plain.ns / timed / 1000, (double)recording.ns / timed / 1000,
           (double)recording.ns / (double)plain.ns, (double)(recording.bytes - head) / frames);
    fclose(recording.file);
    close_side(&plain);
    close_side(&recording);
}

int main(int argc, char **argv) {
    const uint32_t frames = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1200;
    const uint32_t agents = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 3000;
    if (argc < 2 || frames < 10 || agents < 1 || agents > MOST_AGENTS)
        return fprintf(stderr, "usage: bench_record MAP [FRAMES [AGENTS]]\n"), 2;
    printf("engine,edits,completed,us_plain,us_recording,ratio,bytes_frame\n");
    for (int accelerated = 0; accelerated < 2; accelerated++) {
        measure(argv[1], frames, agents, accelerated != 0, 0);
        measure(argv[1], frames, agents, accelerated != 0, 1);
        measure(argv[1], frames, agents, accelerated != 0, 5);
    }
}
