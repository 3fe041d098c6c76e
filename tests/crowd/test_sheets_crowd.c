/* SPDX-License-Identifier: MIT */
/* Crowds that walk over seams: on the ground no agent passes through another, and all arrive. */
#include "crowd/crowd_support.h"
#include "models/floors.h"

#include <wend/query.h>
#include <wend/save.h>

enum { WALKERS = 60, MOST_FRAMES = 600 };

static void join_plane(floors *f) {
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
            const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
            f->next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
        }
}

/* Two floors without stairs; the lower one is used. */
static void make_plane(floors *f, uint64_t seed, bool open) {
    floors_draw(f, &seed, false);
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        if (open || f->classes[i] > 0) f->classes[i] = 1;
    join_plane(f);
}

/* A picture on the lower floor, cut into two sheets before column `cut`. */
static wend_map *picture_map(floors *f, const char *const *rows, int32_t count, int32_t cut) {
    memset(f, 0, sizeof *f);
    f->neighbours = 8, f->corners = WEND_CORNERS_NEVER;
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        const int32_t x = floors_x(i), y = floors_y(i);
        f->sheets[i] = (uint8_t)(2 * (i / FLOOR_CELLS) + (x >= cut));
        if (i < FLOOR_CELLS && y < count && x < (int32_t)strlen(rows[y])) f->classes[i] = rows[y][x] == '.';
    }
    join_plane(f);
    return floors_map(f);
}

static uint32_t add_at(town *t, const floors *f, int32_t x, int32_t y, uint32_t speed) {
    const wend_cell cell = floors_cell(f, y * FLOOR_WIDTH + x);
    return town_add(t, cell.x, cell.y, speed);
}

static void go_to(town *t, const floors *f, uint32_t agent, int32_t x, int32_t y) {
    const wend_cell cell = floors_cell(f, y * FLOOR_WIDTH + x);
    town_go(t, agent, cell.x, cell.y);
}

static wend_cell on_ground(wend_cell cell) {
    return (wend_cell){cell.x % FLOORS_SIDE, cell.y, 0};
}

static bool passed(wend_cell a, wend_cell a_to, wend_cell b, wend_cell b_to) {
    if (same_cell(a, a_to) || same_cell(b, b_to)) return false;
    return a.x + a_to.x == b.x + b_to.x && a.y + a_to.y == b.y + b_to.y;
}

static uint32_t walk(town *t, uint32_t *passes) {
    static wend_cell before[TOWN_AGENTS], now[TOWN_AGENTS];
    uint32_t frames = 0;
    for (uint32_t i = 0; i < t->agent_count; i++) before[i] = on_ground(town_cell(t, i));
    for (; town_counts(t).busy > 0; frames++) {
        cr_assert_lt(frames, MOST_FRAMES);
        town_frame(t);
        for (uint32_t i = 0; i < t->agent_count; i++) {
            now[i] = on_ground(town_cell(t, i));
            cr_assert(abs(now[i].x - before[i].x) <= 1 && abs(now[i].y - before[i].y) <= 1);
            for (uint32_t k = 0; k < i; k++) *passes += passed(before[i], now[i], before[k], now[k]);
        }
        memcpy(before, now, sizeof now);
    }
    return frames;
}

Test(sheets_crowd, all_arrive_and_nobody_passes_through_another) {
    static floors f;
    static town t;
    uint32_t passes = 0, arrived = 0, frames = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        uint64_t draws = seed;
        bool taken[2][FLOOR_CELLS] = {{false}};
        wend_cell goals[WALKERS];
        make_plane(&f, seed, seed == 3);
        OWNED_MAP *map = floors_map(&f);
        wend_map_retain(map);
        town_open_on(&t, map, NULL, 0);
        for (uint32_t n = 0; n < WALKERS;) {
            const int32_t from = (int32_t)draw(&draws, FLOOR_CELLS), to = (int32_t)draw(&draws, FLOOR_CELLS);
            const wend_cell a = floors_cell(&f, from), b = floors_cell(&f, to);
            bool reachable = false;
            wend_map_reachable(map, 0, a, b, &reachable);
            if (taken[0][from] || taken[1][to] || !reachable) continue;
            taken[0][from] = taken[1][to] = true;
            town_add(&t, a.x, a.y, 1000);
            goals[n++] = b;
        }
        for (uint32_t i = 0; i < WALKERS; i++) town_go(&t, i, goals[i].x, goals[i].y);
        frames += walk(&t, &passes);
        for (uint32_t i = 0; i < WALKERS; i++) arrived += town_is_at(&t, i, goals[i].x, goals[i].y);
        town_close(&t);
    }
    cr_log_info("%u frames, %u arrived, %u passes", frames, arrived, passes);
    cr_assert_eq(arrived, 3 * WALKERS);
    cr_assert_eq(passes, 0);
}

Test(sheets_crowd, two_face_to_face_over_a_seam_change_places) {
    static floors f;
    static town t;
    uint32_t passes = 0;
    make_plane(&f, 4, true);
    int32_t i = 10 * FLOOR_WIDTH;
    while (f.sheets[i] == f.sheets[i + 1]) i++;
    const wend_cell a = floors_cell(&f, i), b = floors_cell(&f, i + 1);
    town_open_on(&t, floors_map(&f), NULL, 0);
    town_add(&t, a.x, a.y, 1000), town_add(&t, b.x, b.y, 1000);
    town_go(&t, 0, b.x, b.y), town_go(&t, 1, a.x, a.y);
    cr_assert_leq(walk(&t, &passes), 30);
    cr_assert(town_is_at(&t, 0, b.x, b.y) && town_is_at(&t, 1, a.x, a.y));
    cr_assert_eq(passes, 0);
    town_close(&t);
}

/* Returns the place of a map's point on the ground: its nearest cell decides the sheet. */
static wend_point point_on_ground(wend_point at) {
    const wend_cell cell = {(at.x + 500) / 1000, (at.y + 500) / 1000, 0};
    const int32_t shift = cell.x - on_ground(cell).x;
    return (wend_point){at.x - 1000 * shift, at.y, 0};
}

Test(sheets_crowd, points_go_over_a_seam_in_small_steps) {
    static floors f;
    static town t;
    enum { SPEED = 250 };
    int frame = 0;
    make_plane(&f, 4, true);
    int32_t i = 10 * FLOOR_WIDTH;
    while (f.sheets[i] == f.sheets[i + 1]) i++;
    const wend_cell a = floors_cell(&f, i), b = floors_cell(&f, i + 1);
    town_open_on(&t, floors_map(&f), NULL, 0);
    town_add(&t, a.x, a.y, SPEED);
    town_go(&t, 0, b.x, b.y);
    wend_point before = point_on_ground(town_state(&t, 0).point);
    for (; town_counts(&t).busy > 0; frame++) {
        wend_crowd_view view = {.struct_bytes = sizeof view};
        town_frame(&t);
        const wend_agent_state state = town_state(&t, 0);
        const wend_point now = point_on_ground(state.point);
        cr_assert_eq(wend_crowd_get_view(t.crowd, &view), WEND_OK);
        cr_assert(view.points[0].x == state.point.x && view.points[0].y == state.point.y);
        cr_assert(now.y == before.y && now.x >= before.x && now.x <= before.x + SPEED, "%d, then %d", (int)before.x,
                  (int)now.x);
        if (state.state == WEND_AGENT_WALKING) cr_assert(state.facing.x == 1 && view.facings[0] == 1);
        cr_assert(view.velocities[0].x == now.x - before.x && view.velocities[0].y == 0);
        before = now;
    }
    cr_assert(town_is_at(&t, 0, b.x, b.y) && frame >= 1000 / SPEED && frame < 20, "%d frames", frame);
    town_close(&t);
}

/* As in test_window.c, but the corridor leads over a seam at each place in turn. */
Test(sheets_crowd, a_window_sorts_agents_on_both_sides_of_a_seam) {
    static const char *const rows[] = {"...######", "........#", "...######"};
    static floors f;
    static town t;
    uint32_t passes = 0;
    for (int32_t cut = 1; cut <= 7; cut++) {
        town_open_on(&t, picture_map(&f, rows, 3, cut), NULL, 0);
        for (int32_t k = 0; k < 5; k++) add_at(&t, &f, 3 + k, 1, 1000);
        for (uint32_t k = 0; k < 5; k++) go_to(&t, &f, k, 7 - (int32_t)k, 1);
        cr_assert_leq(walk(&t, &passes), 400);
        for (int32_t k = 0; k < 5; k++) {
            const wend_cell goal = floors_cell(&f, FLOOR_WIDTH + 7 - k);
            cr_assert(town_is_at(&t, (uint32_t)k, goal.x, goal.y), "cut %d, agent %d", cut, k);
        }
        town_close(&t);
    }
    cr_assert_eq(passes, 0);
}

/* A town that goes on from a save of another one, before its first frame, tells the same of an agent. */
static void expect_same_waits_from_save(town *t, floors *f, const char *const *rows, int32_t cut, uint32_t agent) {
    enum { BYTES = 1 << 18 };
    static uint8_t map_bytes[BYTES], service_bytes[BYTES], crowd_bytes[BYTES];
    static town other;
    size_t of_map, of_service, of_crowd;
    cr_assert_eq(wend_map_save_state(t->map, map_bytes, BYTES, &of_map), WEND_OK);
    cr_assert_eq(wend_service_save_state(t->service, NULL, service_bytes, BYTES, &of_service), WEND_OK);
    cr_assert_eq(wend_crowd_save_state(t->crowd, crowd_bytes, BYTES, &of_crowd), WEND_OK);
    town_open_on(&other, picture_map(f, rows, 4, cut), NULL, 0);
    cr_assert_eq(wend_map_restore_state(other.map, map_bytes, of_map), WEND_OK);
    cr_assert_eq(wend_service_restore_state(other.service, NULL, service_bytes, of_service), WEND_OK);
    cr_assert_eq(wend_crowd_restore_state(other.crowd, NULL, crowd_bytes, of_crowd), WEND_OK);
    wend_agent_state was = town_state(t, agent), is = {.struct_bytes = sizeof is};
    cr_assert_eq(wend_crowd_get_agent(other.crowd, t->agents[agent].id, &is), WEND_OK);
    cr_assert(is.waits == was.waits && is.blocker.index == was.blocker.index, "waits for %d, now for %d",
              (int)was.blocker.index, (int)is.blocker.index);
    town_close(&other);
}

/* A slow one steps from corner to corner; another agent whose step would cross that step, over seams or not, waits for
 * it. */
Test(sheets_crowd, one_waits_for_another_whose_step_crosses_its_own_over_a_seam) {
    static const char *const rows[] = {"....", "....", "....", "...."};
    static floors f;
    static town t;
    for (int32_t cut = 0; cut <= 3; cut++) {
        town_open_on(&t, picture_map(&f, rows, 4, cut), NULL, 0);
        const uint32_t slow = add_at(&t, &f, 2, 1, 20), a = add_at(&t, &f, 1, 1, 1000);
        go_to(&t, &f, slow, 1, 2);
        for (int frame = 0; town_state(&t, slow).cell.y == 1; frame++) {
            cr_assert_lt(frame, 30);
            town_frame(&t);
        }
        go_to(&t, &f, a, 2, 2);
        uint32_t waited = 0;
        for (int frame = 0; frame < 12; frame++) {
            const wend_agent_state state = town_state(&t, a);
            const bool waits = state.waits == WEND_WAIT_AGENT && state.blocker.index == t.agents[slow].id.index &&
                               state.blocker.generation == t.agents[slow].id.generation;
            if (waits && waited++ == 0) expect_same_waits_from_save(&t, &f, rows, cut, a);
            town_frame(&t);
        }
        cr_assert_gt(waited, 0, "cut %d", cut);
        town_close(&t);
    }
}

/* Two floors, each a sheet, with stairs at one end. A goal with a reach is met beyond the stairs, and not below it. */
Test(sheets_crowd, a_goal_within_reach_is_met_over_stairs_and_through_no_floor) {
    static floors f;
    static town t;
    memset(&f, 0, sizeof f);
    f.neighbours = 8, f.corners = WEND_CORNERS_NEVER;
    for (int32_t i = 0; i < FLOORS_CELLS; i++) f.sheets[i] = (uint8_t)(2 * (i / FLOOR_CELLS));
    for (int32_t i = 0; i < FLOORS_CELLS; i++) f.classes[i] = floors_y(i) == 5;
    join_plane(&f);
    const int32_t low = 5 * FLOOR_WIDTH + 10, high = FLOOR_CELLS + low; /* the stairs lead from x = 10 to 11 */
    f.next[low][1] = high + 1, f.next[high + 1][3] = low, f.next[low + 1][3] = f.next[high][1] = -1;
    town_open_on(&t, floors_map(&f), NULL, 0);
    const wend_cell below = floors_cell(&f, low - 4), goal = floors_cell(&f, high + 3);
    const wend_cell far = floors_cell(&f, high + 20), under = floors_cell(&f, low + 20);
    const uint32_t a = town_add(&t, below.x, below.y, 1000), b = town_add(&t, under.x, under.y, 1000);
    town_go_all(&t, &a, 1, goal, 4);
    town_go_all(&t, &b, 1, far, 4);
    town_frames(&t, 60);
    const wend_cell end = floors_cell(&f, low); /* 3 from the goal's place, and the seam is as near */
    cr_assert_eq(town_last(&t, a), WEND_AGENT_EVENT_ARRIVED);
    cr_assert(town_cell(&t, a).x / FLOORS_SIDE == end.x / FLOORS_SIDE && town_cell(&t, a).x >= end.x - 1);
    cr_assert_neq(town_last(&t, b), WEND_AGENT_EVENT_ARRIVED);
    town_close(&t);
}
