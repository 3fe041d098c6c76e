/* SPDX-License-Identifier: MIT */
/* Crowds that walk over seams: on the ground nobody passes through another, and all arrive. */
#include "crowd/crowd_support.h"
#include "models/floors.h"

#include <wend/query.h>

enum { WALKERS = 60, MOST_FRAMES = 600 };

/* Two floors without stairs; the lower one is used. */
static void make_plane(floors *f, uint64_t seed, bool open) {
    floors_draw(f, &seed, false);
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        if (open || f->classes[i] > 0) f->classes[i] = 1;
        for (int k = 0; k < 4; k++) {
            const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
            const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
            f->next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
        }
    }
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
        wend_map *map = floors_map(&f);
        wend_map_retain(map);
        town_open_on(&t, map, NULL, 0);
        for (uint32_t n = 0; n < WALKERS;) {
            const int32_t from = (int32_t)draw(&draws, FLOOR_CELLS), to = (int32_t)draw(&draws, FLOOR_CELLS);
            const wend_cell a = floors_cell(&f, from), b = floors_cell(&f, to);
            int32_t reachable = 0;
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
        wend_map_release(map);
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

/* Where a point of the map lies on the ground: its nearest cell tells the sheet. */
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
        before = now;
    }
    cr_assert(town_is_at(&t, 0, b.x, b.y) && frame >= 1000 / SPEED && frame < 20, "%d frames", frame);
    town_close(&t);
}
