/* SPDX-License-Identifier: MIT */
/* wend's engine of bodies on a scene, each led by a field of its own. */
#include "bodies.h"
#include "harness.h"

#include "agents/discs/engine.h"
#include "map/version/version.h"

#define ONE WEND__BODY_ONE

typedef int8_t one_field[MOST_SIDE][MOST_SIDE];
static one_field *fields; /* by body */
static wend_map *map;
static wend__bodies *bodies;
static wend__version *version;
static const body_scene *scene_now;
static wend_allocator allocator;

static uint32_t way(void *context, uint32_t body, uint32_t skip, wend_cell *cells, uint32_t capacity) {
    (void)context;
    wend_cell at = wend__cell_at(wend__bodies_get(bodies, body)->at);
    uint32_t count = 0;
    for (uint32_t k = 0; count < capacity; k++) {
        const int8_t d = fields[body][at.y][at.x];
        if (d < 0) break;
        at = (wend_cell){at.x + scene_dx[d], at.y + scene_dy[d], 0};
        if (k >= skip) cells[count++] = at;
    }
    return count;
}

static uint32_t nobody(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    (void)context, (void)x, (void)y, (void)reach, (void)out, (void)capacity;
    return 0;
}

static wend__vec middle(int32_t x, int32_t y) {
    return wend__middle_of((wend_cell){x, y, 0});
}

void engine_send(int32_t i, int32_t x, int32_t y) {
    scene_field(scene_now, x, y, fields[i]);
    wend__bodies_go(bodies, (uint32_t)i, middle(x, y), false);
}

static void put_body(const body_scene *s, int32_t i) {
    const body_start *b = &s->of[i];
    const char *turn = getenv("TURN");
    const wend__body_def def = {.at = {(int32_t)(b->x * ONE), (int32_t)(b->y * ONE)},
                                .radius = (int32_t)(b->radius * ONE + .999), /* never less */
                                .speed = (int32_t)(b->speed * ONE),
                                .accel = (int32_t)(b->speed * ONE * .1143),
                                .turn = turn ? atoi(turn) : 0};
    check(wend__bodies_put(bodies, (uint32_t)i, &def));
    if (b->goal_x >= 0) engine_send(i, b->goal_x, b->goal_y);
}

static void begin(const body_scene *s) {
    const wend__body_world world = {.way = way, .others = nobody};
    const uint32_t count = (uint32_t)s->count;
    scene_now = s;
    map = scene_map(s);
    allocator = wend__allocator_or_default((wend_allocator){0});
    fields = malloc(count * sizeof *fields);
    void *memory = aligned_alloc(64, wend__bodies_bytes(map, count));
    need(fields && memory, "memory");
    version = wend__map_newest(map);
    bodies = wend__bodies_init(memory, map, count, &allocator, &world);
    wend__bodies_follow(bodies, version);
    for (int32_t i = 0; i < s->count; i++) put_body(s, i);
}

static void update(void) {
    wend__bodies_update(bodies, 1000);
}

static void read_points(body_points *points) {
    for (int32_t i = 0; i < scene_now->count; i++) {
        const wend__body *body = wend__bodies_get(bodies, (uint32_t)i);
        points->x[i] = body->at.x / (double)ONE;
        points->y[i] = body->at.y / (double)ONE;
    }
}

static void end(void) {
    wend__bodies_end(bodies);
    wend__map_release(version, false);
    free(bodies), free(fields);
    wend_map_release(map);
}

const body_mover engine_mover = {"engine", begin, update, read_points, end};
