/* SPDX-License-Identifier: MIT */
/* When bodies allocate: for the first one, for the first of another mover, and never in an update. */
#include "body/with_bodies.h"
#include "models/counting.h"
#include "models/random.h"

#include <wend/edit.h>
#include <wend/host.h>
#include <wend/movers.h>

enum { AGENTS = 24, SIDE = 150, WALLS = 13, OF_A_MOVER = 3 };

typedef struct hall {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    uint32_t count;
} hall;

/* Walls across the map, each with a gap of `gap` cells. */
static void build_walls(wend_map *map, int32_t gap) {
    wend_edit *edit = begin_edit(map);
    for (int32_t k = 1; k * WALLS < SIDE; k++) {
        const int32_t at = k * WALLS * 5 % (SIDE - gap), x = k * WALLS;
        const wend_box whole = {{x, 0, 0}, {x, SIDE - 1, 0}}, open = {{x, at, 0}, {x, at + gap - 1, 0}};
        must_do(wend_edit_fill_box(edit, whole, WEND_CLASS_BLOCKED), "wend_edit_fill_box");
        must_do(wend_edit_fill_box(edit, open, WEND_CLASS_OPEN), "wend_edit_fill_box");
    }
    must_do(wend_edit_publish(edit, NULL), "wend_edit_publish");
}

static void open_hall(hall *h, int32_t side, wend_allocator allocator) {
    *h = (hall){.map = grid_map(side, side)};
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, def.map = h->map, def.allocator = allocator;
    open_with_bodies(def, &h->service, &h->crowd);
}

static void close_hall(hall *h) {
    end_with_bodies(h->map, h->service, h->crowd);
}

static wend_agent_id add_body(hall *h, wend_cell cell, int32_t mover, uint32_t radius_milli) {
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = cell, agent.mover = mover, agent.speed_milli = 900;
    must_do(wend_crowd_add(h->crowd, &agent, &h->ids[h->count]), "wend_crowd_add");
    body.radius_milli = radius_milli;
    must_do(wend_crowd_set_body(h->crowd, h->ids[h->count], &body), "wend_crowd_set_body");
    return h->ids[h->count++];
}

static void send_all(hall *h, uint64_t *random) {
    for (uint32_t i = 0; i < h->count; i++) {
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = (wend_cell){(int32_t)draw(random, SIDE - 1), (int32_t)draw(random, SIDE - 1), 0};
        must_do(wend_crowd_go(h->crowd, &h->ids[i], 1, &goal), "wend_crowd_go");
    }
}

static void run_frames(hall *h, uint32_t frames) {
    for (uint32_t i = 0; i < frames; i++) {
        must_do(wend_service_tick(h->service, NULL, NULL), "wend_service_tick");
        must_do(wend_crowd_update(h->crowd, 1000, NULL, NULL), "wend_crowd_update");
        wend_agent_event event = {.struct_bytes = sizeof event};
        while (!wend_crowd_poll(h->crowd, &event)) continue;
    }
}

/* They come to new chunks, pass gaps, and walls are built and moved round them. */
Test(memory_of_bodies, none_is_taken_after_the_first) {
    counting counts = {0};
    hall h;
    uint64_t random = 7;
    open_hall(&h, SIDE, counting_allocator(&counts));
    add_body(&h, (wend_cell){30, 3, 0}, 0, 400);
    const size_t created = counts.calls;
    for (int32_t i = 0; i < AGENTS - 3; i++) add_body(&h, (wend_cell){2 + i % 5 * 2, 3 + i / 5 * 2, 0}, 0, 400);
    cr_expect_eq(counts.calls, created, "a body of the default mover needs no memory");
    for (int32_t gap = 1; gap < 4; gap++) {
        build_walls(h.map, gap);
        for (int32_t k = 0; k < 3; k++) {
            send_all(&h, &random);
            run_frames(&h, 80);
        }
        cr_expect_eq(counts.calls, created, "%zu allocations", counts.calls - created);
    }
    close_hall(&h);
    cr_expect_eq(counts.blocks, 0);
}

Test(memory_of_bodies, the_first_body_of_another_mover_takes_its_floor) {
    counting counts = {0};
    hall h;
    uint64_t random = 8;
    open_hall(&h, SIDE, counting_allocator(&counts));
    const int32_t large = add_mover_of_size(h.map, 2);
    add_body(&h, (wend_cell){30, 3, 0}, 0, 400);
    const size_t created = counts.calls;
    add_body(&h, (wend_cell){4, 4, 0}, large, 700);
    cr_expect_eq(counts.calls, created + OF_A_MOVER);
    add_body(&h, (wend_cell){8, 8, 0}, large, 700);
    build_walls(h.map, 3);
    send_all(&h, &random);
    run_frames(&h, 200);
    cr_expect_eq(counts.calls, created + OF_A_MOVER);
    close_hall(&h);
    cr_expect_eq(counts.blocks, 0);
}

/* Where memory lacks, the first body says so, and leaves nothing behind. */
Test(memory_of_bodies, each_lack_with_the_first_is_told) {
    counting counts = {0};
    hall h;
    wend_agent_def agent = default_agent();
    wend_agent_id id;
    open_hall(&h, SIDE, counting_allocator(&counts));
    must_do(wend_crowd_add(h.crowd, &agent, &id), "wend_crowd_add");
    const size_t blocks = counts.blocks;
    for (size_t k = 1; k <= 1 + OF_A_MOVER; k++) {
        counts.fail_at = counts.calls + k;
        cr_expect_eq(give_disc(h.crowd, id), WEND_OUT_OF_MEMORY, "allocation %zu", k);
        cr_expect_eq(counts.blocks, blocks);
    }
    counts.fail_at = 0;
    cr_expect_eq(give_disc(h.crowd, id), WEND_OK);
    close_hall(&h);
    cr_expect_eq(counts.blocks, 0);
}
