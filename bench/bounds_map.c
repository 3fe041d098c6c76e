/* SPDX-License-Identifier: MIT */
/* Loads on maps: slices of maintenance, frames on streamed land, frames among links. */
#include "bounds.h"
#include "../tests/models/options.h"
#include <wend/control.h>
#include <wend/stream.h>
#include <wend/ways.h>

enum { CHUNK = WEND_CHUNK_SIDE, SOURCE = 2048, FRAME_US = 1000, NS_AN_EFFORT = 30 };

static void run_frame(wend_service *service, samples *all) {
    wend_budget budget = default_budget();
    budget.us = FRAME_US;
    const double begun = cpu_us();
    check(wend_service_tick(service, &budget, NULL));
    note(all, cpu_us() - begun);
}

/* Frames until nothing is left to do, up to a limit. */
static void run_frames(wend_service *service, uint32_t most, samples *all) {
    for (uint32_t i = 0; i < most && (i == 0 || wend_service_get_work(service) > 0); i++) run_frame(service, all);
}

static wend_service *open_timed(uint32_t queue) {
    wend_service_def def = default_service();
    wend_service_tuning tuning = default_tuning();
    tuning.prefault = 1;
    def.queue = queue, def.tuning = &tuning, def.clock = cpu_clock();
    return open_service(&def);
}

/* ---- maintenance ---- */

/* A far layer is made in slices, then kept up while cells open and close. */
void bench_maintain(const char *what, ground_fn *fill, int32_t side, uint64_t effort) {
    wend_map *map = make_ground(fill, side);
    wend_acceleration def = default_acceleration();
    samples slices = {0}, repairs = {0};
    uint64_t left = 1, seed = 3;
    def.tables = def.landmarks = 0, def.later = def.far = 1;
    check(wend_map_accelerate(map, &def));
    while (left > 0) {
        const double begun = cpu_us();
        check(wend_map_maintain(map, WEND_MAINTAIN_FAR, effort, &left));
        note(&slices, cpu_us() - begun);
    }
    for (uint32_t i = 0; i < 400; i++) {
        if (i % 4 == 0) flip_one(map, random_place(side, side, &seed));
        const double begun = cpu_us();
        check(wend_map_maintain(map, WEND_MAINTAIN_FAR, effort, NULL));
        note(&repairs, cpu_us() - begun);
    }
    const double budget_us = (double)effort * NS_AN_EFFORT / 1000;
    report(what, "maintain", (uint32_t)side, budget_us, &slices);
    report(what, "maintain after edits", (uint32_t)side, budget_us, &repairs);
    wend_map_release(map);
}

/* ---- streamed land ---- */

static wend_map *open_land(int32_t side) {
    wend_map_def def = default_map();
    wend_map *map;
    def.width = def.height = side, def.streamed = 1;
    check(wend_map_create(&def, &map));
    return map;
}

/* Loads the chunks of a box. */
static void load_box(wend_map *map, ground_fn *fill, int32_t left, int32_t top, int32_t right, int32_t low) {
    static uint8_t cells[SOURCE * SOURCE];
    static ground_fn *filled;
    if (filled != fill) fill(cells, SOURCE);
    filled = fill;
    wend_edit *edit = begin_edit(map);
    for (int32_t y = top; y < low; y++)
        for (int32_t x = left; x < right; x++) {
            const uint8_t *from = cells + (size_t)(y * CHUNK % SOURCE) * SOURCE + (size_t)(x * CHUNK % SOURCE);
            check(wend_edit_load(edit, x, y, from, SOURCE));
        }
    publish(edit);
}

/* Many requests of two corners of the loaded land, while chunks come next to it. */
void bench_waits(const char *what, ground_fn *fill, int32_t side, uint32_t requests, int32_t unloaded) {
    const int32_t across = side / CHUNK / 4;
    wend_map *map = open_land(side);
    wend_service *service = open_timed(requests);
    samples frames = {0};
    uint64_t seed = 9;
    load_box(map, fill, 0, 0, across, across);
    for (uint32_t i = 0; i < requests; i++) {
        wend_request request =
            path_request(map, random_place(across * CHUNK, across * CHUNK, &seed), random_place(side, side, &seed));
        options_of(&request)->unloaded = unloaded, request.on_done = ignore;
        submit(service, &request);
    }
    for (int32_t i = 0; i < 3 * across; i++) {
        if (i % 3 == 0) load_box(map, fill, across + i / 3 % 4, i / 12, across + i / 3 % 4 + 1, i / 12 + 1);
        run_frames(service, 4, &frames);
    }
    report(what, "tick", requests, FRAME_US, &frames);
    check(wend_service_destroy(service));
    wend_map_release(map);
}

/* All is loaded but a chunk in a corner that a wall closes off: no component but that chunk's has a rim. */
void bench_rim(const char *what, int32_t side, uint32_t requests) {
    const int32_t chunks = side / CHUNK;
    wend_map *map = open_land(side);
    wend_service *service = open_timed(requests);
    samples frames = {0};
    for (int32_t y = 0; y < chunks; y++) load_box(map, fill_open, y == 0, y, chunks, y + 1);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < CHUNK + 2; i++) {
        check(wend_edit_set_cell(edit, (wend_cell){CHUNK + 1, i, 0}, WEND_CLASS_BLOCKED));
        check(wend_edit_set_cell(edit, (wend_cell){i, CHUNK + 1, 0}, WEND_CLASS_BLOCKED));
    }
    check(wend_edit_set_cell(edit, (wend_cell){CHUNK + 1, CHUNK + 1, 0}, WEND_CLASS_BLOCKED));
    publish(edit);
    for (uint32_t i = 0; i < requests; i++) {
        const wend_cell start = {side - 2 - (int32_t)(i % 64), side - 2, 0};
        wend_request request = path_request(map, start, (wend_cell){CHUNK, CHUNK, 0});
        request.on_done = ignore;
        options_of(&request)->unloaded = i % 2 ? WEND_UNLOADED_WAIT : WEND_UNLOADED_BLOCK;
        submit(service, &request);
    }
    run_frames(service, 4 * requests, &frames);
    report(what, "tick", (uint32_t)side, FRAME_US, &frames);
    check(wend_service_destroy(service));
    wend_map_release(map);
}

/* ---- links ---- */

/* A cell with many links, to cells all over the map; requests lead over it, from it and past it. */
void bench_links(const char *what, int32_t side, uint32_t links, int32_t tables) {
    wend_map *map = grid_of(NULL, side, side);
    wend_acceleration def = default_acceleration();
    const wend_cell hub = {side / 2, side / 2, 0};
    wend_edit *edit = begin_edit(map);
    samples frames = {0};
    uint64_t seed = 5;
    for (uint32_t i = 0; i < links;) {
        const wend_cell to = random_place(side, side, &seed);
        if (to.x == hub.x && to.y == hub.y) continue;
        check(wend_edit_add_link(edit, &(wend_link){hub, to, 100 + (int32_t)(i % 7), 0}));
        i++;
    }
    publish(edit);
    def.tables = tables, def.landmarks = 0;
    if (tables) check(wend_map_accelerate(map, &def));
    wend_service *service = open_timed(64);
    for (uint32_t i = 0; i < 24; i++) {
        const wend_cell near = {hub.x + (int32_t)(i % 5) - 2, hub.y + (int32_t)(i % 3), 0};
        wend_request request = path_request(map, i % 3 ? near : hub, random_place(side, side, &seed));
        request.on_done = ignore;
        submit(service, &request);
        run_frames(service, 1000, &frames);
    }
    report(what, "tick", links, FRAME_US, &frames);
    check(wend_service_destroy(service));
    wend_map_release(map);
}

/* The publish that brings the first links to a map with tables. */
void bench_first_links(const char *what, int32_t side, uint32_t links, double said_us) {
    wend_map *map = make_ground(fill_caves, side);
    wend_acceleration def = default_acceleration();
    samples first = {0}, next = {0};
    uint64_t seed = 7;
    def.landmarks = def.far = 0;
    check(wend_map_accelerate(map, &def));
    for (int turn = 0; turn < 2; turn++) {
        wend_edit *edit = begin_edit(map);
        for (uint32_t i = 0; i < (turn ? 1 : links); i++)
            (void)wend_edit_add_link(
                edit, &(wend_link){random_place(side, side, &seed), random_place(side, side, &seed), 500, 0});
        const double begun = cpu_us();
        publish(edit);
        note(turn ? &next : &first, cpu_us() - begun);
    }
    report(what, "first publish of links", links, said_us, &first);
    report(what, "publish of one more", 1, 0, &next);
    wend_map_release(map);
}
