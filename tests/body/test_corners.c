/* SPDX-License-Identifier: MIT */
/* How deep discs cover walls in random scenes with free corners and diagonal gaps: after each update not at all, and
 * between two positions a unit of time apart by a seventh of their radius, whatever the corner rule and the length of
 * the update. A disc over which a wall was built covers it no deeper later. */
#include "agents/discs/state.h"
#include "agents/state/bodies.h"
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/edit.h>

enum { SIDE = 20, WALKERS = 8, ONE = WEND_BODY_UNITS };

typedef struct walker {
    wend_agent_id id;
    double radius;  ///< in cells, as set by the host
    bool there;     ///< measured at its present place
    double inside;  ///< part of its radius inside a wall that was built over it; decreases as it comes out
    wend__vec last; ///< position of the last measurement
} walker;

/// A scene, and the engine's questions to its crowd, at which it measures where bodies are within an update.
typedef struct scene {
    unsigned long seed;
    uint64_t random;
    int32_t corners;
    bool blocked[SIDE][SIDE];
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend__body_world world;
    walker walkers[WALKERS];
    uint32_t count;
    unsigned long moves, cuts; ///< measured ways, and ways that covered a corner
    unsigned long came_out;    ///< discs that left walls built over them
    double deepest;            ///< deepest cover beyond that at the first of two positions, by radius
} scene;

static uint32_t below(scene *s, uint32_t end) {
    return draw(&s->random, end);
}

static bool is_blocked(const scene *s, int x, int y) {
    return x < 0 || y < 0 || x >= SIDE || y >= SIDE || s->blocked[y][x];
}

/* Returns how far a point is from the nearest blocked cell, at most one cell; all in cells. */
static double from_walls(const scene *s, double x, double y) {
    double least = 1;
    for (int cy = (int)floor(y) - 1; cy <= (int)floor(y) + 1; cy++)
        for (int cx = (int)floor(x) - 1; cx <= (int)floor(x) + 1; cx++) {
            if (!is_blocked(s, cx, cy)) continue;
            const double dx = fmax(0, fmax(cx - x, x - cx - 1)), dy = fmax(0, fmax(cy - y, y - cy - 1));
            least = fmin(least, sqrt(dx * dx + dy * dy));
        }
    return least;
}

/* Returns the greatest part of its radius by which a disc covers a wall on a straight way. */
static double covered(const scene *s, wend__vec from, wend__vec to, double radius) {
    enum { POINTS = 32 };
    double most = 0;
    for (int k = 0; k <= POINTS; k++) {
        const double x = (from.x + (to.x - from.x) * (double)k / POINTS) / ONE;
        const double y = (from.y + (to.y - from.y) * (double)k / POINTS) / ONE;
        most = fmax(most, 1 - from_walls(s, x, y) / radius);
    }
    return most;
}

/* ---- measuring ---- */

/* Measures the way of each body since it was measured last. Within an update no body moves twice between two calls. */
static void measure(scene *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        walker *w = &s->walkers[i];
        const wend__body *body = wend__bodies_get(s->crowd->bodies->engine, w->id.index);
        const wend__vec at = body->at, from = w->there ? w->last : at;
        if (w->there && at.x == from.x && at.y == from.y) continue;
        const double before = w->inside;
        const double now = covered(s, at, at, w->radius), most = covered(s, from, at, w->radius);
        cr_assert(now <= before, "seed %lu: body %u at %d,%d covers a wall by %.4f of its radius, before by %.4f",
                  s->seed, i, at.x, at.y, now, before);
        cr_assert(most <= before + 1.0 / 7,
                  "seed %lu: body %u of radius %.3f, from %d,%d to %d,%d, covers a wall by %.4f of it, before by %.4f",
                  s->seed, i, w->radius, from.x, from.y, at.x, at.y, most, before);
        s->deepest = fmax(s->deepest, most - before);
        s->came_out += before > 0 && now <= 0;
        w->inside = now, w->there = true, w->last = at;
        s->moves++, s->cuts += most > fmax(before, now) + 0.01;
    }
}

static uint32_t others(void *context, int32_t x, int32_t y, int32_t reach, wend__other *out, uint32_t capacity) {
    scene *s = context;
    measure(s);
    return s->world.others(s->world.context, x, y, reach, out, capacity);
}

/* ---- scenes ---- */

static wend_cell open_cell(scene *s) {
    wend_cell cell;
    do cell = (wend_cell){(int32_t)below(s, SIDE), (int32_t)below(s, SIDE), 0};
    while (s->blocked[cell.y][cell.x]);
    return cell;
}

/* Single blocks, some touch at corners, and walls with free ends. */
static void build(scene *s, wend_edit *edit) {
    const uint32_t blocks = 10 + below(s, 50), walls = below(s, 8);
    for (uint32_t k = 0; k < blocks + walls; k++) {
        const int x = (int)below(s, SIDE), y = (int)below(s, SIDE), across = (int)below(s, 2);
        const int length = k < blocks ? 1 : 2 + (int)below(s, 6);
        for (int m = 0; m < length && x + m < SIDE && y + m < SIDE; m++)
            s->blocked[across ? y : y + m][across ? x + m : x] = true;
    }
    for (int k = 0; k < SIDE * SIDE; k++)
        if (s->blocked[k / SIDE][k % SIDE])
            cr_assert(!wend_edit_set_cell(edit, (wend_cell){k % SIDE, k / SIDE, 0}, WEND_CLASS_BLOCKED));
}

static void add_walkers(scene *s) {
    for (uint32_t i = 0; i < WALKERS; i++) {
        walker *w = &s->walkers[s->count];
        const uint32_t radius = 100 + below(s, 400);
        wend_agent_def def = default_agent();
        wend_body_def body = default_body();
        def.cell = open_cell(s), def.speed_milli = below(s, 2) ? 1000 : 50 + below(s, 950);
        body.radius_milli = radius, body.accel_milli = below(s, 2) ? 0 : WEND_MAX_ACCEL_MILLI;
        if (below(s, 4) == 0) body.turning_radius_milli = 200 + below(s, 2000);
        if (wend_crowd_add(s->crowd, &def, &w->id)) continue;
        cr_assert(!wend_crowd_set_body(s->crowd, w->id, &body));
        w->radius = radius / 1000.0;
        s->count++;
    }
}

static void ignore(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
}

static void open_scene(scene *s, unsigned long seed) {
    wend_edit *edit;
    wend_map_rules rules = default_rules();
    wend_map_def grid = default_map();
    wend_service_def service = default_service();
    wend_crowd_def crowd = default_crowd();
    *s = (scene){.seed = seed, .random = (uint64_t)seed * 7919, .corners = (int32_t)(seed % 3)};
    rules.corners = s->corners;
    grid.width = grid.height = SIDE, grid.rules = &rules;
    cr_assert(!wend_map_create(&grid, &s->map));
    cr_assert(!wend_edit_begin(s->map, &edit));
    build(s, edit);
    cr_assert(!wend_edit_publish(edit, NULL));
    cr_assert(!wend_service_create(&service, &s->service));
    crowd.agents = WALKERS, crowd.service = s->service, crowd.map = s->map, crowd.on_event = ignore;
    cr_assert(!wend_crowd_create(&crowd, &s->crowd));
    add_walkers(s);
    s->world = s->crowd->bodies->engine->world;
    s->crowd->bodies->engine->world = (wend__body_world){s, others};
}

static void close_scene(scene *s) {
    cr_assert(!wend_crowd_destroy(s->crowd));
    wend_service_destroy(s->service);
    wend_map_release(s->map);
}

/* ---- what the host does ---- */

/* Puts a body elsewhere, also so that it presses others. */
static void set(scene *s, walker *w) {
    wend_body_state state = {.struct_bytes = sizeof state};
    wend_body_vector still = {0, 0};
    cr_assert(!wend_crowd_get_body(s->crowd, w->id, &state));
    state.exact_at.x += (int32_t)below(s, ONE) - ONE / 2, state.exact_at.y += (int32_t)below(s, ONE) - ONE / 2;
    if (place_rounded(s->crowd, w->id, state.exact_at, below(s, 2) ? state.exact_velocity : still)) return;
    w->there = false, w->inside = 0;
}

/* Builds or removes a wall next to bodies, or over bodies. */
static void build_beside(scene *s, const walker *beside) {
    const wend__body *body = wend__bodies_get(s->crowd->bodies->engine, beside->id.index);
    const wend_cell at = wend__cell_at(body->at);
    const wend_cell cell = {at.x + (int32_t)below(s, 3) - 1, at.y + (int32_t)below(s, 3) - 1, 0};
    if (cell.x < 0 || cell.y < 0 || cell.x >= SIDE || cell.y >= SIDE) return;
    s->blocked[cell.y][cell.x] = below(s, 2);
    cr_assert(
        !wend_map_set_cell(s->map, cell, s->blocked[cell.y][cell.x] ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN, NULL));
    for (uint32_t i = 0; i < s->count; i++) {
        walker *w = &s->walkers[i];
        const wend__vec there = wend__bodies_get(s->crowd->bodies->engine, w->id.index)->at;
        w->inside = fmax(0, covered(s, there, there, w->radius));
    }
}

static void send(scene *s, const walker *w) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = open_cell(s), goal.reach = below(s, 3) ? 0 : 2;
    cr_assert(!wend_crowd_go(s->crowd, &w->id, 1, &goal));
}

static void act(scene *s) {
    walker *w = &s->walkers[below(s, s->count)];
    switch (below(s, 12)) {
    case 0: set(s, w); return;
    case 1: build_beside(s, w); return;
    case 2:
    case 3:
    case 4: send(s, w); return;
    default: return;
    }
}

Test(corners, are_cut_by_a_seventh_of_a_radius_however_long_an_update) {
    enum { UPDATES = 200 };
    const unsigned long scenes = (unsigned long)enough_or_many(36, 150);
    static const uint32_t times[] = {250, 1000, 5000};
    static scene s;
    unsigned long moves = 0, cuts = 0, came_out = 0;
    double deepest = 0;
    for (unsigned long seed = 1; seed <= scenes; seed++) {
        open_scene(&s, seed);
        for (uint32_t i = 0; i < s.count; i++) send(&s, &s.walkers[i]);
        for (int k = 0; k < UPDATES; k++) {
            wend_frame frame = {.struct_bytes = sizeof frame};
            act(&s);
            wend_service_tick(s.service, NULL, &frame);
            cr_assert(!wend_crowd_update(s.crowd, times[seed / 3 % 4 < 3 ? seed / 3 % 4 : below(&s, 3)], NULL, NULL));
            measure(&s);
        }
        moves += s.moves, cuts += s.cuts, came_out += s.came_out, deepest = fmax(deepest, s.deepest);
        close_scene(&s);
    }
    cr_log_info("%lu moves, %lu over a corner, by %.4f of a radius at most, %lu out of walls", moves, cuts, deepest,
                came_out);
    cr_assert(moves > 667 * scenes && cuts > scenes / 8 && came_out > scenes,
              "%lu moves, %lu over a corner, %lu out of walls", moves, cuts, came_out);
}
