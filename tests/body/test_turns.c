/* SPDX-License-Identifier: MIT */
/* Whose turn it is at a narrow way, and who overtakes whom. */
#include "agents/manners/narrow_ways.h"
#include "agents/state/bodies.h"
#include "body/with_bodies.h"
#include "map/version/map.h"

#include <string.h>

enum { MOST = 8 };

/// A crowd with bodies on rows of cells.
typedef struct lanes {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[MOST];
    uint32_t count;
} lanes;

static void open_lanes(lanes *l, const char *const *rows, int32_t height) {
    *l = (lanes){.map = grid_map((int32_t)strlen(rows[0]), height)};
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; rows[y][x]; x++)
            if (rows[y][x] == '#') cr_assert_eq(wend_map_set_cell(l->map, (wend_cell){x, y, 0}, 0, NULL), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.agents = MOST, def.map = l->map;
    open_with_bodies(def, &l->service, &l->crowd);
}

static void close_lanes(lanes *l) {
    end_with_bodies(l->map, l->service, l->crowd);
}

static uint32_t add(lanes *l, int32_t x, int32_t y, uint32_t speed_milli, bool parked) {
    wend_agent_def def = default_agent();
    const wend_body_def body = default_body();
    def.cell = (wend_cell){x, y, 0}, def.speed_milli = speed_milli, def.parked = parked;
    cr_assert_eq(wend_crowd_add(l->crowd, &def, &l->ids[l->count]), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(l->crowd, l->ids[l->count], &body), WEND_OK);
    return l->count++;
}

static void go(lanes *l, uint32_t i, int32_t x, int32_t y) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){x, y, 0};
    cr_assert_eq(wend_crowd_go(l->crowd, &l->ids[i], 1, &goal), WEND_OK);
}

static wend_cell next_frame(lanes *l, uint32_t i) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_service_tick(l->service, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(l->crowd, 1000, NULL, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_get_agent(l->crowd, l->ids[i], &state), WEND_OK);
    return state.cell;
}

/* ---- narrow ways ---- */

/* Asks for an agent at a column that goes along the middle row, by 1 or −1. */
static bool may_pass(lanes *l, int32_t x, int32_t by, uint32_t now) {
    wend_cell cells[WEND__TURN_CELLS];
    for (int32_t k = 0; k < WEND__TURN_CELLS; k++) cells[k] = (wend_cell){x + k * by, 1, 0};
    wend__version *version = wend__map_newest(l->map);
    const bool may = wend__traffic_may_pass(l->crowd->traffic, version, 0, cells, WEND__TURN_CELLS, now);
    wend__map_release(version, false);
    return may;
}

static const char *const lane[] = {"........######........", "......................", "........######........"};
enum { WEST = 5, EAST = 16, INSIDE = 10, LASTS = 4, HELD = 160 }; /* three steps before the lane, and in it */

static void open_lane(lanes *l) {
    open_lanes(l, lane, 3);
    (void)add(l, 0, 1, 250, false);
}

Test(turns, a_direction_keeps_a_narrow_way_for_four_updates) {
    lanes l;
    open_lane(&l);
    cr_expect(may_pass(&l, WEST - 1, 1, 100) && may_pass(&l, EAST, -1, 100),
              "who is four steps before it takes no turn");
    cr_expect(may_pass(&l, WEST, 1, 200));
    for (uint32_t now = 200; now <= 200 + LASTS; now++) cr_expect(!may_pass(&l, EAST, -1, now), "%u", now);
    cr_expect(may_pass(&l, EAST, -1, 201 + LASTS));
    cr_expect(!may_pass(&l, WEST, 1, 202 + LASTS), "now it is the turn of the others");
    close_lanes(&l);
}

Test(turns, who_is_inside_goes_on) {
    lanes l;
    open_lane(&l);
    cr_expect(may_pass(&l, WEST, 1, 100));
    cr_expect(may_pass(&l, INSIDE, -1, 101) && !may_pass(&l, EAST, -1, 101));
    close_lanes(&l);
}

Test(turns, others_get_theirs_after_160_updates) {
    for (int waits = 0; waits < 2; waits++) {
        lanes l;
        open_lane(&l);
        for (uint32_t now = 100; now <= 100 + HELD; now++) {
            cr_expect(may_pass(&l, WEST, 1, now), "%u", now);
            if (waits) cr_expect(!may_pass(&l, EAST, -1, now));
        }
        const uint32_t last = 101 + HELD;
        cr_expect_eq(may_pass(&l, WEST, 1, last), !waits);
        cr_expect(may_pass(&l, INSIDE, 1, last), "who is inside goes on");
        cr_expect(!may_pass(&l, EAST, -1, last + LASTS));
        cr_expect(may_pass(&l, EAST, -1, last + LASTS + 1));
        close_lanes(&l);
    }
}

/* ---- overtaking ---- */

static const char *const field[] = {"..............................", "..............................",
                                    "..............................", "..............................",
                                    ".............................."};

/* Returns the first row beside its own that a disc comes to behind a slower one; 2: it stays in its own.
 * @param above, below   a parked disc is beside the slow one */
static int32_t row_behind(uint32_t fast, uint32_t slow, bool above, bool below) {
    lanes l;
    int32_t row = 2;
    open_lanes(&l, field, 5);
    const uint32_t b = add(&l, 10, 2, slow, false), a = add(&l, 8, 2, fast, false);
    for (int32_t k = 9; k < 24; k++) {
        if (above && k % 3 == 0) (void)add(&l, k, 1, 250, true);
        if (below && k % 3 == 0) (void)add(&l, k, 3, 250, true);
        if (l.count + above + below > MOST) break;
    }
    go(&l, b, 29, 2), go(&l, a, 28, 2);
    for (int k = 0; k < 16 && row == 2; k++) row = next_frame(&l, a).y;
    close_lanes(&l);
    return row;
}

Test(turns, a_disc_overtakes_who_goes_at_three_quarters_of_its_speed) {
    cr_expect_neq(row_behind(400, 100, false, false), 2);
    cr_expect_neq(row_behind(400, 300, false, false), 2);
    cr_expect_eq(row_behind(400, 304, false, false), 2);
    cr_expect_eq(row_behind(400, 400, false, false), 2);
}

Test(turns, it_does_so_where_nobody_is_beside_and_ahead) {
    cr_expect_eq(row_behind(400, 200, true, false), 3);
    cr_expect_eq(row_behind(400, 200, false, true), 1);
    cr_expect_eq(row_behind(400, 200, true, true), 2);
}
