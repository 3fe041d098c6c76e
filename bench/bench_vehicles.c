/* SPDX-License-Identifier: MIT */
/* How vehicles drive: alone, past what stands, head on, through doors, among discs and cells. CSV: agents of all runs,
 * those at home, mean update in which the last of all was (or that of the end), way of the vehicles at home ÷ the steps
 * of their paths, goals that ended elsewhere, updates of vehicles that backed (%), and what must not be: pairs closer
 * than .95 of their radii, and turns beyond the least circle. Public calls alone, so that builds compare.
 *
 *   bench_vehicles [SCENE [TURNING]]   all scenes, or one; the least circle in thousandths of a cell, 1500 */
#include "harness.h"

#include <math.h>
#include <wend/agents.h>
#include <wend/body.h>

enum { MOST = 64, SIDE = 64, UNITS = WEND_BODY_UNITS, SPEED = 250 };

/// An agent of a scene: a vehicle, a disc, or without a body.
typedef enum agent_kind { CAR, DISC, CELL } agent_kind;

typedef struct driver {
    agent_kind kind;
    bool parked, done, home;
    wend_cell at, goal, then; ///< the second goal
    int32_t turns_at;         ///< update in which it gets that; 0: none, -1: when the first one ends
    wend_agent_id id;
    wend_body_vector was, velocity;
    double way, steps;
} driver;

typedef struct scene {
    int32_t width, height, count, updates, turning;
    bool wall[SIDE][SIDE], used[SIDE][SIDE];
    uint64_t draws;
    driver of[MOST];
} scene;

typedef struct figures {
    int32_t runs, agents, home, failed, at, touching, turns;
    double way, steps;
    int64_t on, backed;
} figures;

static scene s;

/* ---- scenes ---- */

static void open_ground(int32_t width, int32_t height, unsigned seed) {
    const int32_t turning = s.turning;
    s = (scene){.width = width, .height = height, .updates = 2000, .turning = turning};
    s.draws = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static int32_t below(int32_t limit) {
    s.draws = s.draws * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return (int32_t)((s.draws >> 33) % (uint64_t)limit);
}

static void wall_box(int32_t x, int32_t y, int32_t to_x, int32_t to_y, bool wall) {
    for (int32_t b = y; b <= to_y; b++)
        for (int32_t a = x; a <= to_x; a++) s.wall[b][a] = wall;
}

static driver *add(agent_kind kind, int32_t x, int32_t y, int32_t to_x, int32_t to_y) {
    driver *d = &s.of[s.count++];
    *d = (driver){.kind = kind, .at = {x, y, 0}, .goal = {to_x, to_y, 0}};
    return d;
}

/* Draws an open cell that no start, or no goal, has. */
static wend_cell take_cell(bool starts) {
    static bool goals[SIDE][SIDE];
    if (s.count == 0 && starts) memset(goals, 0, sizeof goals);
    for (;;) {
        const int32_t x = below(s.width), y = below(s.height);
        bool *taken = starts ? &s.used[y][x] : &goals[y][x];
        if (s.wall[y][x] || *taken) continue;
        *taken = true;
        return (wend_cell){x, y, 0};
    }
}

static void add_random(agent_kind kind, int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        const wend_cell at = take_cell(true), to = take_cell(false);
        add(kind, at.x, at.y, to.x, to.y);
    }
}

/* Rooms of 9 x 9 cells with doors of some cells. */
static void rooms(unsigned seed, int32_t door) {
    open_ground(39, 29, seed);
    for (int32_t y = 0; y < s.height; y++)
        for (int32_t x = 0; x < s.width; x++) s.wall[y][x] = x % 10 == 9 || y % 10 == 9;
    for (int32_t y = 0; y < s.height; y++)
        for (int32_t x = 0; x < s.width; x++) {
            const int32_t a = x % 10, b = y % 10;
            const bool across = a == 9 && b >= 4 - door / 2 && b < 4 - door / 2 + door;
            const bool down = b == 9 && a >= 4 - door / 2 && a < 4 - door / 2 + door;
            if (across || down) s.wall[y][x] = false;
        }
}

static void make_block(unsigned seed) {
    open_ground(24, 12, seed);
    add(DISC, 10, 6, 10, 6)->parked = true;
    add(CAR, 2, 6, 20, 6);
}

static void make_head_on(unsigned seed) {
    open_ground(24, 3, seed);
    add(CAR, 1, 1, 22, 1);
    add(CAR, 22, 1, 1, 1);
}

static void make_street(unsigned seed) { /* three each way in a street of 5 */
    open_ground(30, 5, seed);
    for (int32_t k = 0; k < 3; k++) {
        add(CAR, 1, 1 + k, 28, 1 + (k + (int32_t)seed) % 3);
        add(CAR, 28, 1 + k, 1, 1 + (k + (int32_t)seed) % 3);
    }
}

static void make_dead_end(unsigned seed) { /* it looks at the end, and has to come out */
    open_ground(20, 12, seed);
    wall_box(0, 0, 11, 11, true);
    wall_box(2, 5, 11, 5 + (int32_t)seed % 3, false);
    wall_box(0, 0, 2, 11, false);
    driver *d = add(CAR, 2, 5, 11, 5);
    d->then = (wend_cell){0, 1, 0}, d->turns_at = -1;
}

static void make_turn(unsigned seed) {
    open_ground(24, 24, seed);
    driver *d = add(CAR, 8, 12, 20, 12);
    d->then = (wend_cell){2, 12, 0}, d->turns_at = 16;
}

static void make_door(unsigned seed) {
    open_ground(24, 15, seed);
    wall_box(12, 0, 12, 14, true);
    wall_box(12, 6, 12, 8, false);
    for (int32_t k = 0; k < 8; k++) {
        const int32_t y = 1 + (4 * (k % 4) + (int32_t)seed) % 14, to = 14 - y;
        add(k % 2 ? DISC : CAR, 1 + 2 * (k / 4), y, 22 - 2 * (k / 4), to);
        add(k % 2 ? CAR : DISC, 22 - 2 * (k / 4), y, 1 + 2 * (k / 4), to);
    }
}

static void make_rooms(unsigned seed) {
    rooms(seed, 3);
    add_random(CAR, 5);
    add_random(DISC, 20);
}

static void make_narrow_rooms(unsigned seed) {
    rooms(seed, 1);
    add_random(CAR, 5);
    add_random(DISC, 20);
}

static void make_open(unsigned seed) {
    open_ground(32, 32, seed);
    add_random(CAR, 5);
    add_random(DISC, 20);
}

static void make_cells(unsigned seed) {
    rooms(seed, 3);
    add_random(CAR, 5);
    add_random(CELL, 20);
}

static void make_cars(unsigned seed) {
    open_ground(32, 32, seed);
    add_random(CAR, 20);
}

static void make_alone(unsigned seed) {
    rooms(seed, 1 + (int32_t)seed % 3);
    add_random(CAR, 1);
}

static void make_blocks(unsigned seed) {
    open_ground(32, 32, seed);
    for (int32_t k = 0; k < 60; k++) {
        const int32_t x = below(31), y = below(31);
        wall_box(x, y, x + below(2), y + below(2), true);
    }
    add_random(CAR, 1);
}

typedef struct kind {
    const char *name;
    void (*make)(unsigned seed);
    unsigned seeds;
} kind;

static const kind kinds[] = {
    {"one block", make_block, 1},         {"head on", make_head_on, 1}, {"street", make_street, 3},
    {"dead end", make_dead_end, 3},       {"U-turn", make_turn, 1},     {"alone in rooms", make_alone, 60},
    {"alone in blocks", make_blocks, 60}, {"door of 3", make_door, 12}, {"rooms 3", make_rooms, 10},
    {"rooms 1", make_narrow_rooms, 10},   {"open", make_open, 10},      {"20 vehicles", make_cars, 10},
    {"rooms and cells", make_cells, 10}};

/* ---- a run ---- */

static wend_crowd *crowd;

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    for (int32_t i = 0; i < s.count; i++) {
        if (s.of[i].id.index != event->agent.index) continue;
        if (event->event == WEND_AGENT_EVENT_ARRIVED) s.of[i].done = s.of[i].home = true;
        if (event->event == WEND_AGENT_EVENT_GAVE_UP || event->event == WEND_AGENT_EVENT_PARTIAL) s.of[i].done = true;
    }
}

static void enter(wend_map *map, driver *d) {
    static wend_cell cells[SIDE * SIDE];
    wend_agent_def agent = default_agent();
    wend_body_def body;
    size_t count = 0;
    agent.cell = d->at, agent.speed_milli = SPEED, agent.parked = d->parked;
    check(wend_crowd_add(crowd, &agent, &d->id));
    wend_body_def_init(&body, sizeof body);
    if (d->kind == CAR) body.turning_radius_milli = (uint32_t)s.turning;
    if (d->kind != CELL) check(wend_crowd_set_body(crowd, d->id, &body));
    check(wend_find_path(map, d->at, d->goal, cells, SIDE * SIDE, &count, NULL));
    for (size_t k = 1; k < count; k++) d->steps += hypot(cells[k].x - cells[k - 1].x, cells[k].y - cells[k - 1].y);
    if (d->parked) d->done = d->home = true;
    if (!d->parked) send_to(crowd, &d->id, 1, d->goal);
}

/* Gives an agent its second goal. */
static void turn_round(driver *d, int32_t at) {
    if (d->turns_at == 0 || (d->turns_at > 0 ? at != d->turns_at : !d->done)) return;
    d->turns_at = 0, d->done = d->home = false;
    send_to(crowd, &d->id, 1, d->then);
}

static void look_at(driver *d, const wend_body_state *state, figures *f) {
    const double x = state->exact_velocity.x, y = state->exact_velocity.y, speed = hypot(x, y);
    const double before = hypot(d->velocity.x, d->velocity.y), circle = s.turning * UNITS / 1000.;
    const double sine = (d->velocity.x * y - d->velocity.y * x) / (speed * before);
    f->turns += speed > 200 && before > 200 && fabs(sine) - fmax(speed, before) / circle > .035;
    d->velocity = state->exact_velocity;
    if (d->done) return;
    d->way += speed / UNITS;
    f->on++;
    f->backed += x * state->facing.x + y * state->facing.y < 0;
}

static void check_pairs(figures *f) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(crowd, &view));
    for (uint32_t i = 0; i < view.count; i++)
        for (uint32_t j = i + 1; j < view.count; j++) {
            if (!view.radii[i] || !view.radii[j]) continue;
            const double apart = hypot(view.points[i].x - view.points[j].x, view.points[i].y - view.points[j].y);
            f->touching += apart < .95 * (view.radii[i] + view.radii[j]);
        }
}

static void run(figures *f) {
    uint8_t cells[SIDE * SIDE];
    wend_service *service;
    const wend_service_def serves = default_service();
    wend_crowd_def walks = default_crowd();
    for (int32_t k = 0; k < s.width * s.height; k++)
        cells[k] = s.wall[k / s.width][k % s.width] ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    wend_map *map = grid_of(cells, s.width, s.height);
    check(wend_service_create(&serves, &service));
    walks.service = service, walks.map = map, walks.on_event = on_event;
    check(wend_crowd_create(&walks, &crowd));
    for (int32_t i = 0; i < s.count; i++) enter(map, &s.of[i]);
    int32_t at = 0, open = s.count;
    for (; open > 0 && at < s.updates; at++) {
        for (int32_t i = 0; i < s.count; i++) turn_round(&s.of[i], at);
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
        open = 0; /* a second goal may follow */
        for (int32_t i = 0; i < s.count; i++) {
            wend_body_state state = {.struct_bytes = sizeof state};
            open += !s.of[i].done || s.of[i].turns_at;
            if (s.of[i].kind != CAR) continue;
            check(wend_crowd_get_body(crowd, s.of[i].id, &state));
            look_at(&s.of[i], &state, f);
        }
        check_pairs(f);
    }
    f->runs++, f->agents += s.count, f->at += at;
    for (int32_t i = 0; i < s.count; i++) {
        const driver *d = &s.of[i];
        f->home += d->home, f->failed += d->done && !d->home;
        if (d->home && d->kind == CAR) f->way += d->way, f->steps += d->steps;
    }
    check(wend_crowd_destroy(crowd));
    check(wend_service_destroy(service));
    wend_map_release(map);
}

int main(int argc, char **argv) {
    s.turning = argc > 2 ? atoi(argv[2]) : 1500;
    puts("scene,agents,home,at,way,elsewhere,backed,touching,turns");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        figures f = {0};
        if (argc > 1 && *argv[1] && strcmp(argv[1], kinds[k].name)) continue;
        for (unsigned seed = 0; seed < kinds[k].seeds; seed++) {
            kinds[k].make(seed);
            run(&f);
        }
        printf("%s,%d,%d,%d,%.3f,%d,%.1f,%d,%d\n", kinds[k].name, f.agents, f.home, f.at / f.runs,
               f.steps > 0 ? f.way / f.steps : 0, f.failed, f.on ? 100. * (double)f.backed / (double)f.on : 0,
               f.touching, f.turns);
        fflush(stdout);
    }
    return 0;
}
