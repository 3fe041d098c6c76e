/* SPDX-License-Identifier: MIT */
/* The engine of bodies alone, which are granted places at random, on random maps with edits and foreign discs: its
 * promises after each update, by all pairs and all cells. */
#include "agents/discs/engine.h"
#include "models/few_or_many.h"
#include "base/hash.h"
#include "map/version/version.h"
#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/wend.h>

enum { SIDE = 40, BODIES = 60, OTHERS = 6, ONE = WEND__BODY_ONE };

typedef struct course {
    uint64_t seed;
    wend_map *map;
    wend__version *version;
    wend__bodies *bodies;
    void *memory;
    bool blocked[SIDE][SIDE];
    wend__other others[OTHERS];
    uint32_t other_count;
    uint32_t steps;
    uint64_t granted;
} course;

static bool is_open(const course *c, int x, int y) {
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE && !c->blocked[y][x];
}

static uint32_t others_near(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    const course *c = context;
    (void)x, (void)y, (void)reach, (void)capacity;
    memcpy(out, c->others, c->other_count * sizeof *out);
    return c->other_count;
}

static void follow(course *c) {
    wend__version *now = wend__map_newest(c->map), *before = c->version;
    c->version = now;
    wend__bodies_follow(c->bodies, now);
    if (before) wend__map_release(before, false);
}

static void edit(course *c, uint32_t count, uint32_t blocked_percent) {
    wend_edit *e;
    cr_assert(!wend_edit_begin(c->map, &e));
    for (uint32_t k = 0; k < count; k++) {
        const int x = (int)draw(&c->seed, SIDE), y = (int)draw(&c->seed, SIDE);
        const bool blocks = draw(&c->seed, 100) < blocked_percent;
        bool taken = false;
        for (uint32_t i = 0; i < BODIES && blocks; i++) { /* no wall on a disc */
            const wend__body *b = wend__bodies_get(c->bodies, i);
            taken = taken ||
                    (abs(b->at.x - x * ONE - ONE / 2) < 3 * ONE / 2 && abs(b->at.y - y * ONE - ONE / 2) < 3 * ONE / 2);
        }
        if (taken) continue;
        c->blocked[y][x] = blocks;
        cr_assert(!wend_edit_set_cell(e, (wend_cell){x, y, 0}, blocks ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
    }
    cr_assert(!wend_edit_publish(e, NULL));
    follow(c);
}

/* Grants a body the place beside its own, or another point of its own, wherever others are. */
static void grant(course *c, uint32_t i) {
    const wend__body *b = wend__bodies_get(c->bodies, i);
    const wend_cell at = wend__cell_at(b->post);
    const wend_cell to = {at.x + (int32_t)draw(&c->seed, 3) - 1, at.y + (int32_t)draw(&c->seed, 3) - 1, 0};
    if (!is_open(c, to.x, to.y) || !is_open(c, to.x, at.y) || !is_open(c, at.x, to.y)) return;
    wend__bodies_set_going(c->bodies, i, true);
    wend__bodies_grant(c->bodies, i, wend__middle_of(to), ++c->steps);
    c->granted += to.x != at.x || to.y != at.y;
}

/* Bodies of all sizes and speeds, where there is room. */
static void put_bodies(course *c) {
    for (uint32_t i = 0; i < BODIES;) {
        const wend__vec at = {(int32_t)draw(&c->seed, SIDE * ONE), (int32_t)draw(&c->seed, SIDE * ONE)};
        const wend__body_def one = {.at = at,
                                    .radius = 1638 + (int32_t)draw(&c->seed, 6539),
                                    .speed = 200 + (int32_t)draw(&c->seed, ONE - 200),
                                    .accel = 100 + (int32_t)draw(&c->seed, 2000),
                                    .turn = draw(&c->seed, 2) ? 0 : 1 + (int32_t)draw(&c->seed, 180),
                                    .turning = draw(&c->seed, 8) ? 0 : ONE * 3 / 2,
                                    .parked = draw(&c->seed, 10) == 0};
        if (wend__bodies_put(c->bodies, i, &one)) continue;
        wend__bodies_set_place(c->bodies, i++, at);
    }
}

static void begin(course *c, uint64_t seed, uint32_t blocked_percent, uint32_t others) {
    const wend__body_world world = {.context = c, .others = others_near};
    static wend_allocator allocator;
    wend_map_def def = default_map();
    allocator = wend__allocator_or_default((wend_allocator){0});
    memset(c, 0, sizeof *c);
    c->seed = seed;
    def.width = def.height = SIDE;
    cr_assert(!wend_map_create(&def, &c->map));
    c->memory = aligned_alloc(64, wend__bodies_bytes(c->map, BODIES));
    c->bodies = wend__bodies_init(c->memory, c->map, BODIES, &allocator, &world);
    for (uint32_t k = 0; k < others; k++) {
        const int32_t x = (int32_t)draw(&c->seed, SIDE) * ONE + ONE / 2,
                      y = (int32_t)draw(&c->seed, SIDE) * ONE + ONE / 2;
        c->others[k] = (wend__other){
            .x = x, .y = y, .to_x = x + (k & 1 ? ONE : 0), .to_y = y, .radius = ONE / 2, .step = INT32_MAX};
    }
    c->other_count = others;
    follow(c);
    edit(c, SIDE * SIDE, blocked_percent);
    put_bodies(c);
}

static void end(course *c) {
    wend__bodies_end(c->bodies);
    wend__map_release(c->version, false);
    wend_map_release(c->map);
    free(c->memory);
}

/* ---- promises ---- */

static int64_t square(int64_t a) {
    return a * a;
}

static void check_walls(const course *c, const wend__body *b) {
    const int cx = b->at.x / ONE, cy = b->at.y / ONE;
    for (int y = cy - 1; y <= cy + 1; y++)
        for (int x = cx - 1; x <= cx + 1; x++) {
            if (is_open(c, x, y)) continue;
            const int64_t left = (int64_t)x * ONE, top = (int64_t)y * ONE;
            const int64_t ax = b->at.x < left ? left - b->at.x : b->at.x > left + ONE ? b->at.x - left - ONE : 0;
            const int64_t ay = b->at.y < top ? top - b->at.y : b->at.y > top + ONE ? b->at.y - top - ONE : 0;
            cr_assert(square(ax) + square(ay) >= square(b->radius), "a disc covers the wall %d,%d", x, y);
        }
}

/* In floating point: discs that are not the engine's are kept a few units off. */
static void check_others(const course *c, const wend__body *b) {
    for (uint32_t k = 0; k < c->other_count; k++) {
        const wend__other *o = &c->others[k];
        const int64_t px = b->at.x < o->x ? b->at.x - o->x : b->at.x > o->to_x ? b->at.x - o->to_x : 0;
        cr_assert(square(px) + square(b->at.y - o->y) >= square((int64_t)o->radius + b->radius));
    }
}

/* Boxes of cells here and there: does a disc reach into them? */
static void check_boxes(const course *c, uint64_t seed) {
    for (uint32_t k = 0; k < 4; k++) {
        const wend_cell low = {(int32_t)draw(&seed, SIDE), (int32_t)draw(&seed, SIDE), 0};
        const wend_cell high = {low.x + (int32_t)draw(&seed, 3), low.y + (int32_t)draw(&seed, 3), 0};
        const int left = low.x * ONE, top = low.y * ONE, right = (high.x + 1) * ONE, bottom = (high.y + 1) * ONE;
        bool reaches = false;
        for (uint32_t i = 0; i < BODIES; i++) {
            const wend__body *b = wend__bodies_get(c->bodies, i);
            const int64_t ax = b->at.x < left ? left - b->at.x : b->at.x > right ? b->at.x - right : 0;
            const int64_t ay = b->at.y < top ? top - b->at.y : b->at.y > bottom ? b->at.y - bottom : 0;
            reaches = reaches || square(ax) + square(ay) < square(b->radius);
        }
        cr_assert_eq(wend__bodies_reach(c->bodies, low, high), reaches, "the box from %d,%d", low.x, low.y);
    }
}

static void check_all(const course *c, const wend__body *before, uint32_t elapsed) {
    check_boxes(c, c->seed);
    for (uint32_t i = 0; i < BODIES; i++) {
        const wend__body *b = wend__bodies_get(c->bodies, i);
        cr_assert(square(b->velocity.x) + square(b->velocity.y) <= square(b->speed));
        const int64_t most = (int64_t)b->speed * elapsed / 1000 + 2;
        cr_assert(square(b->at.x - before[i].at.x) + square(b->at.y - before[i].at.y) <= square(most),
                  "faster than its speed");
        check_walls(c, b);
        check_others(c, b);
        for (uint32_t j = 0; j < i; j++) {
            const wend__body *o = wend__bodies_get(c->bodies, j);
            cr_assert(square(b->at.x - o->at.x) + square(b->at.y - o->at.y) >= square((int64_t)b->radius + o->radius),
                      "%u and %u overlap", i, j);
        }
    }
}

static uint64_t hash_bodies(const course *c, uint64_t hash) {
    for (uint32_t i = 0; i < BODIES; i++) {
        const wend__body *b = wend__bodies_get(c->bodies, i);
        hash = wend__hash_u32(wend__hash_u32(hash, (uint32_t)b->at.x), (uint32_t)b->at.y);
        hash = wend__hash_u32(wend__hash_u32(hash, (uint32_t)b->velocity.x), (uint32_t)b->velocity.y);
        hash = wend__hash_u32(hash, b->state);
    }
    return hash;
}

static uint64_t run(uint64_t seed, uint32_t updates, bool checks) {
    static course c;
    static wend__body before[BODIES];
    uint64_t hash = WEND__HASH_START;
    begin(&c, seed, (uint32_t)(seed % 4) * 9, seed % 3 ? OTHERS : 0);
    for (uint32_t t = 0; t < updates; t++) {
        if (draw(&c.seed, 8) == 0) edit(&c, draw(&c.seed, 6), 50);
        for (uint32_t i = 0; i < BODIES; i++)
            if (draw(&c.seed, 40) == 0 || wend__bodies_stepped(c.bodies, i)) grant(&c, i);
        for (uint32_t i = 0; i < BODIES; i++) before[i] = *wend__bodies_get(c.bodies, i);
        const uint32_t elapsed = draw(&c.seed, 3) ? 1000 : draw(&c.seed, 3000);
        wend__bodies_update(c.bodies, elapsed);
        if (checks) check_all(&c, before, elapsed);
        hash = hash_bodies(&c, hash);
    }
    cr_assert_gt(c.granted, updates, "%llu", (unsigned long long)c.granted);
    end(&c);
    return hash;
}

Test(engine, keeps_its_promises_on_random_maps_with_edits) {
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(4, 12); seed++) (void)run(seed, 300, true);
}

/* Numbers that a change of the engine's rules may change. Nothing else may. */
Test(engine, moves_the_same_way_in_each_build) {
    static const uint64_t expected[] = {UINT64_C(0x56cbea1df70e439), UINT64_C(0x8cc99ab1d86b06dc),
                                        UINT64_C(0x79b6c599b9e05e26)};
    for (uint64_t seed = 20; seed < 23; seed++) {
        const uint64_t hash = run(seed, 200, false);
        cr_expect_eq(hash, expected[seed - 20], "hash %llx", (unsigned long long)hash);
        cr_assert_eq(run(seed, 200, false), hash);
    }
}

/* ---- single rules ---- */

static wend__body_def usual(double x, double y) {
    return (wend__body_def){
        .at = {(int32_t)(x * ONE), (int32_t)(y * ONE)}, .radius = 6554, .speed = 4096, .accel = 456};
}

static void empty(course *c) {
    begin(c, 3, 0, 0);
    for (uint32_t i = 0; i < BODIES; i++) wend__bodies_take(c->bodies, i);
}

Test(engine, takes_no_body_where_another_or_a_wall_is) {
    static course c;
    empty(&c);
    wend__body_def one = usual(10.5, 10.5), other = usual(10.5, 10.5);
    cr_assert(!wend__bodies_put(c.bodies, 0, &one));
    other.at.x += 2 * 6554 - 1;
    cr_assert_eq(wend__bodies_put(c.bodies, 1, &other), WEND_BUSY);
    other.at.x += 1;
    cr_assert(!wend__bodies_put(c.bodies, 1, &other));
    one = usual(0, 20.5);
    one.at.x = 6553;
    cr_assert_eq(wend__bodies_put(c.bodies, 2, &one), WEND_BLOCKED);
    one.at.x = 6554;
    cr_assert(!wend__bodies_put(c.bodies, 2, &one));
    end(&c);
}
