/* SPDX-License-Identifier: MIT */
/* The engine of bodies alone, on random maps with edits and foreign discs: its promises after each update, by all pairs
 * and all cells. */
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
    int8_t field[BODIES][SIDE][SIDE]; ///< direction, 0 to 7; -1: none
    wend__other others[OTHERS];
    uint32_t other_count;
    wend_cell cells[BODIES]; ///< cells reported to entered()
} course;

static const int dx[] = {1, 0, -1, 0, 1, -1, -1, 1}, dy[] = {0, 1, 0, -1, 1, 1, -1, -1};

static bool is_open(const course *c, int x, int y) {
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE && !c->blocked[y][x];
}

static uint32_t way(void *context, uint32_t body, uint32_t skip, wend_cell *cells, uint32_t capacity) {
    const course *c = context;
    wend_cell at = wend__cell_at(wend__bodies_get(c->bodies, body)->at);
    uint32_t count = 0;
    for (uint32_t k = 0; count < capacity && k < 4 * SIDE * SIDE; k++) {
        const int8_t d = c->field[body][at.y][at.x];
        if (d < 0) break;
        at = (wend_cell){at.x + dx[d], at.y + dy[d], 0};
        if (k >= skip) cells[count++] = at;
    }
    return count;
}

static uint32_t others_near(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    const course *c = context;
    (void)x, (void)y, (void)reach, (void)capacity;
    memcpy(out, c->others, c->other_count * sizeof *out);
    return c->other_count;
}

static void entered(void *context, uint32_t body, wend_cell cell, bool stops) {
    course *c = context;
    (void)stops;
    c->cells[body] = cell;
}

/* Breadth first, by straight and diagonal steps that cut no corner. */
static void make_field(course *c, uint32_t body, wend_cell goal) {
    static int queue[SIDE * SIDE];
    int count = 0;
    memset(c->field[body], -1, sizeof c->field[body]);
    static bool seen[SIDE][SIDE];
    memset(seen, 0, sizeof seen);
    queue[count++] = goal.y * SIDE + goal.x;
    seen[goal.y][goal.x] = true;
    for (int k = 0; k < count; k++) {
        const int x = queue[k] % SIDE, y = queue[k] / SIDE;
        for (int d = 0; d < 8; d++) {
            const int ax = x - dx[d], ay = y - dy[d];
            if (!is_open(c, ax, ay) || seen[ay][ax] || (d > 3 && (!is_open(c, ax, y) || !is_open(c, x, ay)))) continue;
            seen[ay][ax] = true;
            c->field[body][ay][ax] = (int8_t)d;
            queue[count++] = ay * SIDE + ax;
        }
    }
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

/* Sends a body to a cell of some columns. */
static void send_to(course *c, uint32_t i, uint32_t first, uint32_t count) {
    wend_cell goal;
    do goal = (wend_cell){(int32_t)(first + draw(&c->seed, count)), (int32_t)draw(&c->seed, SIDE), 0};
    while (c->blocked[goal.y][goal.x]);
    make_field(c, i, goal);
    wend__bodies_go(c->bodies, i, wend__middle_of(goal), draw(&c->seed, 4) == 0);
}

static void send(course *c, uint32_t i) {
    send_to(c, i, 0, SIDE);
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
        c->cells[i] = wend__cell_at(at);
        if (!one.parked) send(c, i);
        i++;
    }
}

static void begin(course *c, uint64_t seed, uint32_t blocked_percent, uint32_t others) {
    const wend__body_world world = {.context = c, .way = way, .entered = entered, .others = others_near};
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

static void check_all(const course *c, const wend__vec *before, uint32_t elapsed) {
    check_boxes(c, c->seed);
    for (uint32_t i = 0; i < BODIES; i++) {
        const wend__body *b = wend__bodies_get(c->bodies, i);
        cr_assert(square(b->velocity.x) + square(b->velocity.y) <= square(b->speed));
        const int64_t most = (int64_t)b->speed * elapsed / 1000 + 2;
        cr_assert(square(b->at.x - before[i].x) + square(b->at.y - before[i].y) <= square(most),
                  "faster than its speed");
        cr_assert(c->cells[i].x == b->at.x / ONE && c->cells[i].y == b->at.y / ONE, "not told of a cell");
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
    static wend__vec before[BODIES];
    uint64_t hash = WEND__HASH_START;
    begin(&c, seed, (uint32_t)(seed % 4) * 9, seed % 3 ? OTHERS : 0);
    for (uint32_t t = 0; t < updates; t++) {
        if (draw(&c.seed, 8) == 0) edit(&c, draw(&c.seed, 6), 50);
        if (draw(&c.seed, 4) == 0) send(&c, draw(&c.seed, BODIES));
        if (draw(&c.seed, 8) == 0) wend__bodies_stop(c.bodies, draw(&c.seed, BODIES));
        for (uint32_t i = 0; i < BODIES; i++) before[i] = wend__bodies_get(c.bodies, i)->at;
        const uint32_t elapsed = draw(&c.seed, 3) ? 1000 : draw(&c.seed, 3000);
        wend__bodies_update(c.bodies, elapsed);
        if (checks) check_all(&c, before, elapsed);
        hash = hash_bodies(&c, hash);
    }
    end(&c);
    return hash;
}

Test(engine, keeps_its_promises_on_random_maps_with_edits) {
    for (uint64_t seed = 1; seed <= (uint64_t)few_or_many(4, 12); seed++) (void)run(seed, 300, true);
}

/* Numbers that a change of the engine's rules may change. Nothing else may. */
Test(engine, moves_the_same_way_in_each_build) {
    static const uint64_t expected[] = {UINT64_C(0x74d4fd844425dc97), UINT64_C(0x38ad327bdcf7ab67),
                                        UINT64_C(0x4fc23cf6a05dfe7a)};
    for (uint64_t seed = 20; seed < 23; seed++) {
        const uint64_t hash = run(seed, 200, false);
        cr_expect_eq(hash, expected[seed - 20], "hash %llx", (unsigned long long)hash);
        cr_assert_eq(run(seed, 200, false), hash);
    }
}

/* Rooms joined by lanes of one cell: bodies go to and fro, and wait for each other before each lane. With one lane
 * between two rooms more bodies arrive than a turn lets through. */
static void wall_off_rooms(course *c, bool one) {
    enum { LANES = 3, APART = 12, LENGTH = 5 };
    wend_edit *e;
    cr_assert(!wend_edit_begin(c->map, &e));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            c->blocked[y][x] = one ? x >= SIDE / 2 && x < SIDE / 2 + LENGTH && y != SIDE / 2
                                   : x % APART >= APART - LENGTH && x < LANES * APART && y % 8 != 3;
            if (c->blocked[y][x]) cr_assert(!wend_edit_set_cell(e, (wend_cell){x, y, 0}, WEND_CLASS_BLOCKED));
        }
    cr_assert(!wend_edit_publish(e, NULL));
    follow(c);
}

/* Streams: nearly all go one way at a time, and a few wait on the other side. Returns a hash of all moves; `waits`
 * receives how often a body waited before a lane. */
static uint64_t run_lanes(uint64_t seed, bool one, bool streams, uint32_t *waits) {
    static course c;
    static wend__vec before[BODIES];
    uint64_t hash = WEND__HASH_START;
    begin(&c, seed, 0, 0);
    for (uint32_t i = 0; i < BODIES; i++) wend__bodies_take(c.bodies, i);
    wall_off_rooms(&c, one);
    put_bodies(&c);
    for (uint32_t t = 0; t < (one ? 1500 : 500); t++) {
        for (uint32_t i = 0; i < BODIES; i++) {
            const wend__body *body = wend__bodies_get(c.bodies, i);
            before[i] = body->at;
            *waits += body->pass == WEND__PASS_ASKS;
            const bool moves = body->state != WEND__BODY_GOES && draw(&c.seed, 40) == 0;
            const uint32_t east = (t / 400 + (i % 10 == 0)) % 2;
            if (moves && streams)
                send_to(&c, i, east * SIDE / 2, SIDE / 2);
            else if (moves)
                send(&c, i);
        }
        wend__bodies_update(c.bodies, 1000);
        if (t % 8 == 0) check_all(&c, before, 1000);
        hash = hash_bodies(&c, hash);
    }
    end(&c);
    return hash;
}

Test(engine, waits_before_lanes_the_same_way_in_each_build) {
    static const uint64_t expected[] = {UINT64_C(0x533cffb0c064459a), UINT64_C(0x587f1db47d819491),
                                        UINT64_C(0x7e976d7bcdcdc1f1), UINT64_C(0x2842e67a5a78a82a)};
    for (uint64_t seed = 40; seed < 44; seed++) {
        uint32_t waits = 0;
        const uint64_t hash = run_lanes(seed, seed > 40, seed == 42, &waits);
        cr_expect_eq(hash, expected[seed - 40], "hash %llx", (unsigned long long)hash);
        cr_assert_gt(waits, 2000, "%u", waits);
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

static void go(course *c, uint32_t i, int x, int y) {
    make_field(c, i, (wend_cell){x, y, 0});
    wend__bodies_go(c->bodies, i, wend__middle_of((wend_cell){x, y, 0}), false);
}

static bool is_there(const course *c, uint32_t i, int x, int y) {
    const wend__vec at = wend__bodies_get(c->bodies, i)->at, goal = wend__middle_of((wend_cell){x, y, 0});
    return abs(at.x - goal.x) <= ONE / 64 && abs(at.y - goal.y) <= ONE / 64;
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

Test(engine, passes_a_door_in_both_directions) {
    enum { EACH = 6, UPDATES = 900 };
    static course c;
    empty(&c);
    wend_edit *e;
    cr_assert(!wend_edit_begin(c.map, &e));
    for (int y = 0; y < SIDE; y++) {
        c.blocked[y][20] = y != 10;
        if (y != 10) cr_assert(!wend_edit_set_cell(e, (wend_cell){20, y, 0}, WEND_CLASS_BLOCKED));
    }
    cr_assert(!wend_edit_publish(e, NULL));
    follow(&c);
    for (uint32_t i = 0; i < 2 * EACH; i++) {
        const int x = i % 2 ? 31 : 8, y = 4 + 2 * (int)(i / 2);
        const wend__body_def one = usual(x + .5, y + .5);
        cr_assert(!wend__bodies_put(c.bodies, i, &one));
        go(&c, i, i % 2 ? 8 : 31, y);
    }
    for (int t = 0; t < UPDATES; t++) wend__bodies_update(c.bodies, 1000);
    for (uint32_t i = 0; i < 2 * EACH; i++)
        cr_assert(is_there(&c, i, i % 2 ? 8 : 31, 4 + 2 * (int)(i / 2)), "%u is stuck", i);
    end(&c);
}

Test(engine, never_turns_a_vehicle_on_less_than_its_circle) {
    static course c;
    empty(&c);
    wend__body_def car = usual(10.5, 10.5);
    car.turning = 2 * ONE;
    cr_assert(!wend__bodies_put(c.bodies, 0, &car));
    go(&c, 0, 30, 10);
    wend__vec was = {0, 0};
    for (int t = 0; t < 400; t++) {
        if (t == 60) go(&c, 0, 10, 30);
        wend__bodies_update(c.bodies, 1000);
        const wend__vec v = wend__bodies_get(c.bodies, 0)->velocity;
        const double speed = wend__length(v), before = wend__length(was);
        if (speed > 40 &&
            before > 40) { /* sine of the turn, at most what the circle allows, and a degree of rounding */
            const double sine = (double)wend__vec_cross(was, v) / speed / before;
            cr_assert((sine < 0 ? -sine : sine) <= speed / car.turning + 0.03, "update %d: %f at %f", t, sine, speed);
            cr_assert(wend__vec_dot(was, v) > 0);
            was = v;
        } else if (speed > 40)
            was = v;
    }
    end(&c);
}

Test(engine, returns_one_at_rest_that_was_pushed_to_its_place) {
    static course c;
    empty(&c);
    for (uint32_t i = 0; i < 25; i++) {
        const wend__body_def one = usual(10.5 + i % 5, 10.5 + (int)(i / 5));
        cr_assert(!wend__bodies_put(c.bodies, i, &one));
    }
    const wend__body_def through = usual(5.5, 12.5);
    cr_assert(!wend__bodies_put(c.bodies, 30, &through));
    go(&c, 30, 20, 12);
    uint32_t returned = 0, counted = 0;
    for (int t = 0; t < 1500; t++) {
        bool returns[25];
        for (uint32_t i = 0; i < 25; i++) returns[i] = wend__bodies_get(c.bodies, i)->state == WEND__BODY_RETURNS;
        wend__bodies_update(c.bodies, 1000);
        for (uint32_t i = 0; i < 25; i++)
            returned += returns[i] && wend__bodies_get(c.bodies, i)->state == WEND__BODY_RESTS;
    }
    for (uint32_t i = 0; i < 25; i++) counted += wend__bodies_get(c.bodies, i)->returns;
    cr_assert(returned > 0 && counted == returned, "%u times, %u counted", returned, counted);
    cr_assert_eq(wend__bodies_get(c.bodies, 30)->returns, 0);
    cr_assert(is_there(&c, 30, 20, 12));
    for (uint32_t i = 0; i < 25; i++)
        cr_assert(is_there(&c, i, 10 + (int)(i % 5), 10 + (int)(i / 5)), "%u is off its place", i);
    for (uint32_t i = 0; i < 25; i++) { /* and then nothing stirs */
        const wend__vec v = wend__bodies_get(c.bodies, i)->velocity;
        cr_assert(!v.x && !v.y);
    }
    end(&c);
}
