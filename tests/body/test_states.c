/* SPDX-License-Identifier: MIT */
/* The host reads the states of bodies, one by one and all at once, while they go, wait, make room and come back. Bodies
 * write only into memory that they were given. */
#include "body/with_bodies.h"
#include "models/made.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/body.h>
#include <wend/ways.h>
#include <wend/wend.h>

enum { MOST = 32, ONE = WEND_BODY_UNITS, STATES = WEND_BODY_AWAY + 1, FENCE = 1 << 16, BLOCKS = 256 };

/* ---- memory with fences round each block ---- */

static uint8_t *blocks[BLOCKS];
static size_t block_bytes[BLOCKS], block_count;

static bool is_whole(const uint8_t *fence) {
    for (size_t i = 0; i < FENCE; i++)
        if (fence[i] != 0xa5) return false;
    return true;
}

static void *take_fenced(void *context, size_t bytes, size_t alignment) {
    (void)context;
    cr_assert(block_count < BLOCKS && alignment <= FENCE);
    const size_t all = FENCE + (bytes + FENCE - 1) / FENCE * FENCE + FENCE;
    uint8_t *memory = aligned_alloc(FENCE, all);
    memset(memory, 0xa5, all);
    blocks[block_count] = memory, block_bytes[block_count++] = bytes;
    return memory + FENCE;
}

static void free_fenced(void *context, void *memory, size_t bytes) {
    size_t i = 0;
    (void)context;
    if (!memory) return;
    while (i < block_count && blocks[i] + FENCE != (uint8_t *)memory) i++;
    cr_assert(i < block_count && block_bytes[i] == bytes);
    cr_assert(is_whole(blocks[i]), "written before a block of %zu bytes", bytes);
    cr_assert(is_whole(blocks[i] + FENCE + bytes), "written behind a block of %zu bytes", bytes);
    free(blocks[i]);
    blocks[i] = blocks[--block_count], block_bytes[i] = block_bytes[block_count];
}

/* ---- ground ---- */

typedef struct ground {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[MOST];
    uint32_t count;
} ground;

static ground *open_ground(const char *const *rows, int32_t height) {
    ground *g = calloc(1, sizeof *g);
    wend_map_def grid = default_map();
    grid.width = (int32_t)strlen(rows[0]), grid.height = height;
    cr_assert_eq(wend_map_create(&grid, &g->map), WEND_OK);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < grid.width; x++)
            if (rows[y][x] == '#') wend_map_set_cell(g->map, (wend_cell){x, y, 0}, 0, NULL);
    wend_crowd_def def = default_crowd();
    def.agents = MOST, def.map = g->map;
    def.allocator = (wend_allocator){g, take_fenced, free_fenced};
    open_with_bodies(def, &g->service, &g->crowd);
    return g;
}

static void close_ground(ground *g) {
    end_with_bodies(g->map, g->service, g->crowd);
    cr_assert_eq(block_count, 0);
    free(g);
}

static uint32_t add(ground *g, int32_t x, int32_t y, uint32_t radius_milli) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    def.cell = (wend_cell){x, y, 0};
    body.radius_milli = radius_milli;
    cr_assert_eq(wend_crowd_add(g->crowd, &def, &g->ids[g->count]), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(g->crowd, g->ids[g->count], &body), WEND_OK);
    return g->count++;
}

static void go(ground *g, uint32_t i, int32_t x, int32_t y) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0};
    cr_assert_eq(wend_crowd_go(g->crowd, &g->ids[i], 1, &goal), WEND_OK);
}

static wend_body_state read_body(const ground *g, uint32_t i) {
    wend_body_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_body(g->crowd, g->ids[i], &state), WEND_OK);
    return state;
}

/* Thousandths are near the exact numbers. */
static void check_rounding(wend_point milli, wend_body_vector exact) {
    cr_assert(fabs(milli.x - exact.x * 1000. / ONE) < 1 && fabs(milli.y - exact.y * 1000. / ONE) < 1);
}

/* The view shows the same as each body; nothing where none is. */
static void check_view(const ground *g) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    cr_assert_eq(wend_crowd_get_view(g->crowd, &view), WEND_OK);
    cr_assert_eq(view.count, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
        const uint32_t at = g->ids[i].index;
        const wend_body_state state = read_body(g, i);
        if (state.state == WEND_BODY_AWAY) {
            cr_assert_eq(view.radii[at], 0);
            continue;
        }
        cr_assert_eq(view.radii[at], state.radius_milli);
        cr_assert(view.points[at].x == state.at.x && view.points[at].y == state.at.y);
        cr_assert(view.velocities[at].x == state.velocity.x && view.velocities[at].y == state.velocity.y);
        check_rounding(state.at, state.exact_at), check_rounding(state.velocity, state.exact_velocity);
    }
}

static void next_frame(ground *g) {
    cr_assert_eq(wend_service_tick(g->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(g->crowd, 1000, NULL, NULL), WEND_OK);
    check_view(g);
}

/* Returns whether a body is in the middle of a cell, nearly. */
static bool is_at(const ground *g, uint32_t i, int32_t x, int32_t y) {
    const wend_body_state state = read_body(g, i);
    return abs(state.exact_at.x - x * ONE) < ONE / 32 && abs(state.exact_at.y - y * ONE) < ONE / 32;
}

static const char *const room[] = {"........................", "........................", "........................",
                                   "........................", "........................", "........................"};

Test(body_states, goes_until_it_rests) {
    ground *g = open_ground(room, 6);
    const uint32_t i = add(g, 2, 3, 400);
    next_frame(g);
    cr_assert_eq(read_body(g, i).state, WEND_BODY_RESTS);
    go(g, i, 20, 3);
    next_frame(g);
    next_frame(g);
    int frames = 0;
    for (; !is_at(g, i, 20, 3) && frames < 300; frames++) {
        cr_assert_eq(read_body(g, i).state, WEND_BODY_GOES);
        next_frame(g);
    }
    cr_assert(frames > 60 && frames < 300);
    for (int k = 0; k < 20; k++) next_frame(g);
    cr_assert_eq(read_body(g, i).state, WEND_BODY_RESTS);
    close_ground(g);
}

/* Two from either side of a lane: one goes through while the other waits before it. */
Test(body_states, waits_before_a_narrow_way) {
    static const char *const lane[] = {"........########........", "........########........",
                                       "........................", "........########........",
                                       "........########........"};
    ground *g = open_ground(lane, 5);
    const uint32_t west = add(g, 6, 2, 400), east = add(g, 19, 2, 400);
    uint32_t waits = 0, goes = 0;
    go(g, west, 20, 2), go(g, east, 3, 2);
    for (int k = 0; k < 600; k++) {
        next_frame(g);
        for (uint32_t i = 0; i < 2; i++) {
            const wend_body_state state = read_body(g, i), other = read_body(g, !i);
            const bool inside = state.exact_at.x > 8 * ONE && state.exact_at.x < 15 * ONE;
            goes += inside && state.state == WEND_BODY_GOES && other.state == WEND_BODY_WAITS;
            if (state.state != WEND_BODY_WAITS) continue;
            waits++;
            cr_assert(!inside && other.state != WEND_BODY_WAITS);
        }
    }
    cr_assert(waits > 20 && goes > 10, "%u, %u", waits, goes);
    cr_assert(is_at(g, west, 20, 2) && is_at(g, east, 3, 2));
    close_ground(g);
}

/* A body crosses a crowd at rest: the others make room, and come back. */
Test(body_states, makes_room_and_returns) {
    ground *g = open_ground(room, 6);
    uint32_t seen[STATES] = {0};
    for (int k = 0; k < 24; k++) (void)add(g, 8 + k % 4, k / 4, 400);
    const uint32_t through = add(g, 2, 3, 400);
    go(g, through, 20, 3);
    for (int k = 0; k < 900; k++) {
        next_frame(g);
        for (uint32_t i = 0; i < through; i++) seen[read_body(g, i).state]++;
    }
    cr_assert(seen[WEND_BODY_RETURNS] > 0 && seen[WEND_BODY_ASIDE] > 0, "%u, %u", seen[WEND_BODY_RETURNS],
              seen[WEND_BODY_ASIDE]);
    cr_assert(seen[WEND_BODY_GOES] == 0 && seen[WEND_BODY_WAITS] == 0 && seen[WEND_BODY_AWAY] == 0);
    cr_assert(is_at(g, through, 20, 3));
    for (uint32_t i = 0; i < through; i++) {
        cr_assert(is_at(g, i, 8 + (int32_t)i % 4, (int32_t)i / 4));
        cr_assert_eq(read_body(g, i).state, WEND_BODY_RESTS);
    }
    close_ground(g);
}

static wend_body_vector at_hundredths(int32_t x, int32_t y) {
    return (wend_body_vector){x * ONE / 100, y * ONE / 100};
}

/* A body overlaps a large disc, and a small one is nearer that it does not touch. */
Test(body_states, parts_from_one_that_is_not_the_nearest) {
    const wend_body_vector still = {0, 0};
    ground *g = open_ground(room, 6);
    const uint32_t pressed = add(g, 8, 2, 400), large = add(g, 12, 2, 450), small = add(g, 11, 4, 100);
    cr_assert_eq(place_rounded(g->crowd, g->ids[small], at_hundredths(1118, 255), still), WEND_OK);
    cr_assert_eq(place_rounded(g->crowd, g->ids[pressed], at_hundredths(1118, 200), still), WEND_OK);
    for (int k = 0; k < 100; k++) next_frame(g);
    const wend_body_vector a = read_body(g, pressed).exact_at, b = read_body(g, large).exact_at;
    const double x = a.x - b.x, y = a.y - b.y, reach = 0.85 * ONE;
    cr_assert(x * x + y * y >= reach * reach);
    close_ground(g);
}

/* Runs an update, and compares the points before it with point - velocity x elapsed, to two thousandths; a leap has no
 * velocity. Returns how many leapt. */
static int leaps_in(ground *g, uint32_t elapsed_milli) {
    wend_point before[MOST];
    wend_crowd_view view = {.struct_bytes = sizeof view};
    int leaps = 0;
    cr_assert_eq(wend_crowd_get_view(g->crowd, &view), WEND_OK);
    memcpy(before, view.points, view.count * sizeof *before);
    cr_assert_eq(wend_service_tick(g->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(g->crowd, elapsed_milli, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_get_view(g->crowd, &view), WEND_OK);
    for (uint32_t i = 0; i < view.count; i++) {
        const wend_point v = view.velocities[i];
        const double x = view.points[i].x - v.x * (elapsed_milli / 1000.0) - before[i].x;
        const double y = view.points[i].y - v.y * (elapsed_milli / 1000.0) - before[i].y;
        const bool leapt = x * x + y * y > 1e6;
        const double most = 2;
        leaps += leapt;
        cr_assert(leapt ? v.x == 0 && v.y == 0 : fabs(x) <= most && fabs(y) <= most, "%g, %g", x, y);
    }
    return leaps;
}

Test(body_states, shows_the_points_between_updates) {
    ground *g = open_ground(room, 6);
    int leaps = 0, moved = 0;
    IN_BATCH(g->map, wend_edit_add_link(edit, &(wend_link){{12, 5, 0}, {12, 0, 0}, 10, 0}));
    for (int32_t i = 0; i < 6; i++) {
        go(g, add(g, 2, i, 400), 20, 5 - i);
        go(g, add(g, 21, i, 300), 3, 5 - i);
    }
    for (int k = 0; k < 200; k++) {
        leaps += leaps_in(g, k % 2 ? 1000 : 370);
        moved += read_body(g, 0).speed_milli > 0;
    }
    cr_assert(leaps > 0 && moved > 50, "%d leaps, %d updates on its way", leaps, moved);
    close_ground(g);
}
