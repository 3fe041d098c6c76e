/* SPDX-License-Identifier: MIT */
/* The straight lines of discs, compared with an own measure of walls, steps and cheapest ways; and where the points of
 * their places lean. */
#include "agents/discs/state.h"
#include "agents/plan/path.h"
#include "agents/state/bodies.h"
#include "body/with_bodies.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <math.h>
#include <wend/edit.h>

enum { SIDE = 32, CELLS = SIDE * SIDE, MOST = 12, ONE = WEND_BODY_UNITS };

/// Discs on a map of open, slow and blocked cells.
typedef struct land {
    uint64_t random;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[MOST];
    uint32_t count;
    bool blocked[SIDE][SIDE];
} land;

static bool is_wall(const land *l, int32_t x, int32_t y) {
    return x < 0 || y < 0 || x >= SIDE || y >= SIDE || l->blocked[y][x];
}

static void told(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
}

static void open_land(land *l, uint64_t seed, uint32_t walls, uint32_t slow) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.factors[2] = 3, rules.corners = WEND_CORNERS_NEVER;
    def.width = def.height = SIDE, def.rules = &rules;
    *l = (land){.random = seed, .map = made_map(&def)};
    wend_edit *edit = begin_edit(l->map);
    for (int32_t k = 0; k < CELLS; k++) {
        const uint32_t kind = draw(&l->random, 100);
        const wend_cell cell = {k % SIDE, k / SIDE, 0};
        l->blocked[cell.y][cell.x] = kind < walls;
        if (kind < walls + slow) wend_edit_set_cell(edit, cell, kind < walls ? 0 : 2);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    wend_crowd_def crowd = default_crowd();
    crowd.agents = MOST, crowd.map = l->map, crowd.on_event = told;
    open_with_bodies(crowd, &l->service, &l->crowd);
}

static void close_land(land *l) {
    end_with_bodies(l->map, l->service, l->crowd);
}

static wend_cell open_cell(land *l) {
    for (;;) {
        const wend_cell cell = {(int32_t)draw(&l->random, SIDE), (int32_t)draw(&l->random, SIDE), 0};
        if (!is_wall(l, cell.x, cell.y)) return cell;
    }
}

static void add(land *l, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    body.radius_milli = radius_milli, def.speed_milli = 250;
    do def.cell = open_cell(l);
    while (wend_crowd_add(l->crowd, &def, &l->ids[l->count]));
    cr_assert_eq(wend_crowd_set_body(l->crowd, l->ids[l->count++], &body), WEND_OK);
}

static void send(land *l, uint32_t i) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = open_cell(l);
    cr_assert_eq(wend_crowd_go(l->crowd, &l->ids[i], 1, &goal), WEND_OK);
}

static void next_frame(land *l) {
    cr_assert_eq(wend_service_tick(l->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(l->crowd, 1000, NULL, NULL), WEND_OK);
}

/* ---- an oracle ---- */

/* Writes the cost of the cheapest way from each cell to one, by Bellman and Ford. */
static void relax(const land *l, wend_cell goal, uint64_t left[CELLS]) {
    wend__version *version = wend__map_newest(l->map);
    for (int32_t k = 0; k < CELLS; k++) left[k] = UINT64_MAX;
    left[goal.y * SIDE + goal.x] = 0;
    for (bool more = true; more;) {
        more = false;
        for (int32_t k = 0; k < 9 * CELLS; k++) {
            const wend_cell from = {k / 9 % SIDE, k / 9 / SIDE, 0},
                            to = {from.x + k % 3 - 1, from.y + k / 3 % 3 - 1, 0};
            if (is_wall(l, from.x, from.y) || is_wall(l, to.x, to.y) || left[to.y * SIDE + to.x] == UINT64_MAX)
                continue;
            const uint64_t step = wend__step_cost(version, 0, from, to);
            if (step == UINT64_MAX || left[to.y * SIDE + to.x] + step >= left[from.y * SIDE + from.x]) continue;
            left[from.y * SIDE + from.x] = left[to.y * SIDE + to.x] + step;
            more = true;
        }
    }
    wend__map_release(version, false);
}

static double beside(double at, int32_t cell) {
    return fmax(fmax(cell - at, at - cell - 1), 0);
}

/* Returns how near a segment comes to a blocked cell, in cells; points along it are tried. */
static double clearance(const land *l, wend__vec from, wend__vec to) {
    enum { PARTS = 400 };
    double least = SIDE;
    for (int k = 0; k <= PARTS; k++) {
        const double x = (from.x + (double)(to.x - from.x) * k / PARTS) / ONE,
                     y = (from.y + (double)(to.y - from.y) * k / PARTS) / ONE;
        for (int32_t n = 0; n < 9; n++) {
            const int32_t cx = (int32_t)floor(x) + n % 3 - 1, cy = (int32_t)floor(y) + n / 3 - 1;
            if (is_wall(l, cx, cy)) least = fmin(least, hypot(beside(x, cx), beside(y, cy)));
        }
    }
    return least;
}

/* Checks the path of a lone disc: its steps past open corners, and a way as cheap as there is. */
static void check_path(const land *l, const uint64_t left[CELLS]) {
    static wend_cell cells[CELLS];
    wend__version *version = wend__map_newest(l->map);
    uint64_t cost = 0;
    size_t count;
    cr_assert_eq(wend_crowd_get_path(l->crowd, l->ids[0], cells, CELLS, &count), WEND_OK);
    for (size_t k = 1; k < count; k++) {
        const wend_cell a = cells[k - 1], b = cells[k];
        cr_assert(abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1 && !is_wall(l, b.x, b.y));
        cr_assert(!is_wall(l, a.x, b.y) && !is_wall(l, b.x, a.y), "past a corner at %d,%d", b.x, b.y);
        cost += wend__step_cost(version, 0, a, b);
    }
    wend__map_release(version, false);
    cr_assert_eq(cost, left[cells[0].y * SIDE + cells[0].x], "%lu for %lu, %zu steps", cost,
                 left[cells[0].y * SIDE + cells[0].x], count);
}

/* Checks a line that was drawn in this update: free for the disc, and next to the cells of its steps. */
static void check_line(const land *l, uint32_t radius_milli) {
    const wend__body_line *line = &l->crowd->bodies->lines[0];
    const wend__agent_path *path = &l->crowd->agents[0].path;
    wend__path_reader reader = wend__path_read(&l->crowd->paths, &path->stored, path->base);
    const double dx = line->way.x, dy = line->way.y;
    cr_assert_geq(clearance(l, line->from, wend__plus(line->from, line->way)), radius_milli / 1000. - .001);
    for (uint32_t left = path->stored.steps; left > line->until + 1 && wend__path_reader_next(&reader); left--) {
        const double x = reader.cell.x + .5 - (double)line->from.x / ONE,
                     y = reader.cell.y + .5 - (double)line->from.y / ONE;
        const double off = fabs(dx) >= fabs(dy) ? y - x * dy / dx : x - y * dx / dy;
        cr_assert_leq(fabs(off), .5 + .001, "%d,%d is %.3f off", reader.cell.x, reader.cell.y, off);
    }
}

Test(lines, are_as_cheap_as_the_path_and_clear) {
    static const uint32_t radii[] = {200, 300, 400, 451, 499};
    static uint64_t left[CELLS];
    uint32_t drawn = 0, steps = 0;
    for (uint32_t seed = 1; seed <= (uint32_t)enough_or_many(20, 100); seed++) {
        land l;
        open_land(&l, seed, seed % 3 * 8, seed % 2 * 10);
        const uint32_t radius = radii[seed % 5];
        add(&l, radius);
        for (uint32_t goals = 0; goals < 6; goals++) {
            wend_agent_state state = {.struct_bytes = sizeof state};
            send(&l, 0);
            wend_crowd_get_agent(l.crowd, l.ids[0], &state);
            relax(&l, state.goal_cell, left);
            if (left[state.cell.y * SIDE + state.cell.x] == UINT64_MAX) continue;
            wend__body_line before = {.steps = 0};
            for (uint32_t k = 0; k < 400 && state.has_goal; k++) {
                next_frame(&l);
                wend_crowd_get_agent(l.crowd, l.ids[0], &state);
                if (!state.has_goal || l.crowd->agents[0].path.stored.steps == 0) continue;
                check_path(&l, left);
                const wend__body_line *line = &l.crowd->bodies->lines[0];
                if (!wend__line_is_drawn(line)) continue;
                if (!memcmp(line, &before, sizeof before)) continue;
                before = *line;
                check_line(&l, radius);
                drawn++, steps += line->steps - line->until;
            }
            cr_assert(!state.has_goal);
        }
        close_land(&l);
    }
    cr_assert(drawn > 100 && steps > 5 * drawn, "%u lines of %u steps", drawn, steps);
}

/* ---- leaning ---- */

static bool is_held(const land *l, uint32_t i, int32_t x, int32_t y) {
    for (uint32_t k = 0; k < l->count; k++) {
        const wend_cell at = l->crowd->in_traffic[k].at;
        if (k != i && at.x == x && at.y == y) return true;
    }
    return false;
}

/* Returns how far a point leans along an axis, and checks that nobody holds a cell on that side.
 * @param dx, dy   the side */
static bool leans(const land *l, uint32_t i, int32_t by, int32_t dx, int32_t dy) {
    const wend__body *body = wend__bodies_get(l->crowd->bodies->engine, i);
    const wend_cell at = l->crowd->in_traffic[i].at;
    cr_assert_leq(by, ONE * 48 / 100 + 1);
    if (by <= ONE / 2 - body->radius + 1) return false;
    for (int32_t k = -1; k <= 1; k++) {
        const int32_t x = at.x + dx + (dx ? 0 : k), y = at.y + dy + (dy ? 0 : k);
        cr_assert(!is_held(l, i, x, y), "%u leans to %d,%d", i, x, y);
    }
    return true;
}

Test(lines, places_lean_to_them_where_nobody_is_beside) {
    uint32_t leaning = 0, middles = 0;
    for (uint32_t seed = 1; seed <= (uint32_t)few_or_many(4, 20); seed++) {
        land l;
        open_land(&l, seed, 0, 0);
        for (uint32_t i = 0; i < MOST; i++) add(&l, 300);
        for (uint32_t k = 0; k < 600; k++) {
            if (k % 10 == 0) send(&l, draw(&l.random, MOST));
            next_frame(&l);
            for (uint32_t i = 0; i < MOST; i++) {
                const wend__body *body = wend__bodies_get(l.crowd->bodies->engine, i);
                const wend__vec middle = wend__middle_of(l.crowd->in_traffic[i].at);
                const int32_t x = body->post.x - middle.x, y = body->post.y - middle.y;
                if (body->swaps || l.crowd->phase[i] != WEND__PHASE_STEPPING) continue;
                if (body->strict) cr_assert(x == 0 && y == 0);
                const wend_cell at = wend__body_cell(body);
                if (wend__floor_clear(&l.crowd->bodies->engine->floors[0], at.x, at.y) <= 3)
                    cr_assert(x == 0 && y == 0);
                leaning += leans(&l, i, abs(x), x < 0 ? -1 : 1, 0);
                leaning += leans(&l, i, abs(y), 0, y < 0 ? -1 : 1);
                middles += x == 0 && y == 0;
            }
        }
        close_land(&l);
    }
    cr_assert(leaning > 200 && middles > 200, "%u, %u", leaning, middles);
}
