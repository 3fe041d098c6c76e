/* SPDX-License-Identifier: MIT */
/* Measures a recording: two services do the same on maps of their own, frame by frame in turns, and one of them
 * records into a file. CSV, a line a load: microseconds a frame of both, with the calls between two frames, the ratio
 * of all frames, and bytes a frame. Time is the thread's processor time.
 *
 *   bench_record MAP [FRAMES [AGENTS]]     1,200 frames and 3,000 agents by default */
#include "harness.h"

#include <wend/record.h>

enum { BUDGET = 20000, MOST_AGENTS = 65536, EDIT_CELLS = 4, OPEN_TRIES = 1000 };

/// A side of the comparison: its own map, service and random numbers.
typedef struct side {
    wend_map *map;
    wend_service *service;
    int32_t width, height;
    uint64_t random, bytes, completed;
    double us;
    uint32_t idle; ///< agents that ask before the next frame
    FILE *file;
} side;

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
    return draw_cell(s->width, s->height, &s->random);
}

static wend_cell some_open_cell(side *s) {
    wend_cell cell = some_cell(s);
    uint8_t ground = WEND_CLASS_BLOCKED;
    for (int i = 0; i < OPEN_TRIES; i++) {
        check(wend_map_get_terrain(s->map, cell, &ground));
        if (ground != WEND_CLASS_BLOCKED) break;
        cell = some_cell(s);
    }
    return cell;
}

static void ask(side *s) {
    wend_request request = path_request(s->map, some_open_cell(s), some_open_cell(s));
    request.urgency = (int32_t)draw(&s->random, 10);
    request.on_done = on_done;
    request.context = s;
    submit(s->service, &request);
}

static void edit(side *s) {
    wend_edit *batch = begin_edit(s->map);
    for (int i = 0; i < EDIT_CELLS; i++) {
        const wend_cell cell = some_cell(s);
        check(wend_edit_set_cell(batch, cell, (uint8_t)draw(&s->random, 2)));
    }
    publish(batch);
}

static void run_frame(side *s, uint32_t edits) {
    const wend_budget budget = budget_of(BUDGET);
    const double begun = cpu_us();
    for (uint32_t i = 0; i < edits; i++) edit(s);
    for (; s->idle > 0; s->idle--) ask(s);
    check(wend_service_tick(s->service, &budget, NULL));
    s->us += cpu_us() - begun;
}

/* ---- both ---- */

static void open_side(side *s, const char *name, uint32_t agents, bool accelerated) {
    *s = (side){.random = 1, .idle = agents};
    s->map = load_map(name, 0, 0);
    wend_map_info info = info_now(s->map);
    s->width = info.width, s->height = info.height;
    if (accelerated) check(wend_map_accelerate(s->map, NULL));
    wend_service_def def = default_service();
    def.queue = agents;
    s->service = open_service(&def);
}

static void close_side(side *s) {
    check(wend_service_destroy(s->service));
    wend_map_release(s->map);
}

static void measure(const char *name, uint32_t frames, uint32_t agents, bool accelerated, uint32_t edits) {
    side plain, recording;
    open_side(&plain, name, agents, accelerated);
    open_side(&recording, name, agents, accelerated);
    recording.file = tmpfile();
    need(recording.file, "no file");
    check(wend_service_record(recording.service, take, &recording));
    check(wend_service_record_map(recording.service, recording.map));
    const uint64_t head = recording.bytes;
    for (uint32_t i = 0; i < frames; i++) {
        run_frame(i % 2 == 0 ? &plain : &recording, edits);
        run_frame(i % 2 == 0 ? &recording : &plain, edits);
        if (i < frames / 10) plain.us = recording.us = 0; /* warm */
    }
    check(wend_service_end_recording(recording.service));
    need(plain.completed == recording.completed, "a recording changes the answers");
    const double timed = frames - frames / 10;
    printf("%s,%" PRIu32 ",%" PRIu64 ",%.1f,%.1f,%.4f,%.0f\n", accelerated ? "jump" : "astar", edits, plain.completed,
           plain.us / timed, recording.us / timed, recording.us / plain.us, (double)(recording.bytes - head) / frames);
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
