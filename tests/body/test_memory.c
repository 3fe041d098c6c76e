/* SPDX-License-Identifier: MIT */
/* When bodies allocate: at their creation, for the first body of another mover, and never in an update. */
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
    wend_bodies *bodies;
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
    open_with_bodies(def, &h->service, &h->crowd, &h->bodies);
}

static void close_hall(hall *h) {
    end_with_bodies(h->map, h->service, h->crowd, h->bodies);
}

static wend_agent_id add_body(hall *h, wend_cell cell, int32_t mover, uint32_t radius_milli) {
    wend_agent_def agent = default_agent();
    wend_body_def body = default_body();
    agent.cell = cell, agent.mover = mover, agent.speed_milli = 900;
    must_do(wend_crowd_add(h->crowd, &agent, &h->ids[h->count]), "wend_crowd_add");
    body.radius_milli = radius_milli;
    must_do(wend_body_add(h->bodies, h->ids[h->count], &body), "wend_body_add");
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
Test(memory_of_bodies, none_is_taken_after_creation) {
    counting counts = {0};
    hall h;
    uint64_t random = 7;
    open_hall(&h, SIDE, counting_allocator(&counts));
    const size_t created = counts.calls;
    for (int32_t i = 0; i < AGENTS - 2; i++) add_body(&h, (wend_cell){2 + i % 5 * 2, 3 + i / 5 * 2, 0}, 0, 400);
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

/* Where memory lacks, the creation says so, and leaves nothing behind. */
Test(memory_of_bodies, each_lack_at_creation_is_told) {
    counting counts = {0};
    hall h;
    open_hall(&h, SIDE, counting_allocator(&counts));
    must_do(wend_bodies_destroy(h.bodies), "wend_bodies_destroy");
    wend_bodies_def def = default_bodies();
    def.crowd = h.crowd;
    const size_t blocks = counts.blocks;
    for (size_t k = 1; k <= 1 + OF_A_MOVER; k++) {
        counts.fail_at = counts.calls + k;
        cr_expect_eq(wend_bodies_create(&def, &h.bodies), WEND_OUT_OF_MEMORY, "allocation %zu", k);
        cr_expect_eq(counts.blocks, blocks);
    }
    counts.fail_at = 0;
    h.bodies = made_bodies(&def);
    close_hall(&h);
    cr_expect_eq(counts.blocks, 0);
}

/* Bodies of a destroyed crowd have no agents. */
Test(memory_of_bodies, of_a_destroyed_crowd_take_no_body) {
    hall h;
    open_hall(&h, 9, wend_allocator_default());
    const wend_agent_id id = add_body(&h, (wend_cell){4, 4, 0}, 0, 400);
    must_do(wend_crowd_destroy(h.crowd), "wend_crowd_destroy");
    h.crowd = NULL;
    const wend_body_def def = default_body();
    wend_bodies_view view = {.struct_bytes = sizeof view};
    cr_expect_eq(wend_body_add(h.bodies, id, &def), WEND_STALE_TICKET);
    cr_expect_eq(wend_body_remove(h.bodies, id), WEND_STALE_TICKET);
    cr_expect_eq(wend_bodies_get_view(h.bodies, &view), WEND_OK);
    cr_expect_eq(view.count, 0);
    close_hall(&h);
}
