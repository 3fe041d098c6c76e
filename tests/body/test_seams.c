/* SPDX-License-Identifier: MIT */
/* Bodies on a floor cut into sheets behave as on the same floor in one sheet: they glide over seams, and collide with
 * bodies behind a seam, but with none above or below. */
#include "body/discs.h"
#include "body/with_bodies.h"
#include "models/floors.h"

#include <wend/agents.h>
#include <wend/query.h>

enum { EACH = 40, MOST_FRAMES = 3000, ONE = WEND_BODY_UNITS };

typedef struct land {
    floors f;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[EACH];
    wend_cell before[EACH];
    uint32_t crossings;
    discs_ground ground;
    discs seen;
} land;

/* ---- the ground, by the model ---- */

static int32_t number_of(const floors *f, wend_cell cell) {
    const int32_t x = cell.x % FLOORS_SIDE, floor = cell.x / FLOORS_SIDE / 2;
    const bool inside = cell.x >= 0 && cell.y >= 0 && x < FLOOR_WIDTH && cell.y < FLOOR_HEIGHT && floor < FLOORS;
    const int32_t n = floor * FLOOR_CELLS + cell.y * FLOOR_WIDTH + x;
    return inside && same_cell(floors_cell(f, n), cell) ? n : -1;
}

static wend_cell shift_of(void *context, wend_cell cell) {
    (void)context;
    return (wend_cell){-(cell.x / FLOORS_SIDE) * FLOORS_SIDE, 0, 0};
}

static bool are_joined(void *context, wend_cell a, wend_cell b) {
    const floors *f = context;
    const int32_t from = number_of(f, a), to = number_of(f, b);
    if (from < 0 || to < 0 || from == to) return from == to && from >= 0;
    for (int i = 0; i < 4; i++) {
        const int32_t next = f->next[from][i];
        if (next == to) return true;
        for (int k = 0; k < 4 && next >= 0; k++)
            if (f->next[next][k] == to) return true;
    }
    return false;
}

static int32_t step(const floors *f, int32_t cell, int32_t dx, int32_t dy) {
    for (int k = 0; k < 4 && cell >= 0; k++)
        if (floors_dx[k] == dx && floors_dy[k] == dy) return f->next[cell][k];
    return cell;
}

static bool is_open(const floors *f, int32_t cell) {
    return cell >= 0 && f->classes[cell] > 0;
}

/* Returns whether a neighbour blocks. A corner counts only if both straight steps to it are open. */
static bool is_blocked(void *context, wend_cell cell, int32_t dx, int32_t dy) {
    const floors *f = context;
    const int32_t n = number_of(f, cell);
    if (!dx || !dy) return !is_open(f, step(f, n, dx, dy));
    const int32_t across = step(f, n, dx, 0), down = step(f, n, 0, dy);
    if (!is_open(f, across) || !is_open(f, down)) return false;
    return !is_open(f, step(f, across, 0, dy)) || !is_open(f, step(f, down, dx, 0));
}

/* ---- worlds ---- */

static void join_plane(floors *f) {
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t x = floors_x(i) + floors_dx[k], y = floors_y(i) + floors_dy[k];
            const bool on = x >= 0 && y >= 0 && x < FLOOR_WIDTH && y < FLOOR_HEIGHT;
            f->next[i][k] = on ? i + floors_dx[k] + floors_dy[k] * FLOOR_WIDTH : -1;
        }
}

/* Two floors without stairs, cut before a column into two sheets each; 0: in one. */
static void draw_plane(floors *f, uint64_t seed, uint32_t walls, int32_t cut) {
    memset(f, 0, sizeof *f);
    f->neighbours = 8, f->corners = WEND_CORNERS_NEVER;
    for (int32_t i = 0; i < FLOORS_CELLS; i++) {
        f->classes[i] = draw(&seed, 100) >= walls;
        f->sheets[i] = (uint8_t)(2 * (i / FLOOR_CELLS) + (cut > 0 && floors_x(i) >= cut));
    }
    join_plane(f);
}

static void open_on(land *l, wend_map *map) {
    l->map = map;
    wend_crowd_def def = default_crowd();
    def.agents = EACH, def.map = l->map;
    open_with_bodies(def, &l->service, &l->crowd);
}

static land *open_land(const floors *f) {
    land *l = calloc(1, sizeof *l);
    l->f = *f, l->ground = (discs_ground){&l->f, shift_of, are_joined, is_blocked};
    l->seen.ground = &l->ground;
    open_on(l, floors_plain_map(&l->f));
    return l;
}

static void close_land(land *l) {
    end_with_bodies(l->map, l->service, l->crowd);
    free(l);
}

static void add_flagged(land *l, uint32_t n, wend_cell cell, uint32_t flags) {
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    body.radius_milli = 300;
    if (flags & AS_PARKED) body.accel_milli = 28; /* also near walls */
    def.cell = l->before[n] = cell, def.speed_milli = 250;
    set_as(&def, flags);
    cr_assert_eq(wend_crowd_add(l->crowd, &def, &l->ids[n]), WEND_OK);
    cr_assert_eq(wend_crowd_set_body(l->crowd, l->ids[n], &body), WEND_OK);
}

static void add_body(land *l, uint32_t n, wend_cell cell) {
    add_flagged(l, n, cell, 0);
}

static void send_body(land *l, uint32_t n, wend_cell cell) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = cell;
    cr_assert_eq(wend_crowd_go(l->crowd, &l->ids[n], 1, &goal), WEND_OK);
}

static wend_cell cell_of(const land *l, uint32_t n) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(l->crowd, l->ids[n], &state), WEND_OK);
    return state.cell;
}

/* Moves all for a frame. Returns how many are still on their way. */
static uint32_t walk(land *l, uint32_t count) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    wend_service_tick(l->service, NULL, &frame);
    cr_assert_eq(wend_crowd_update(l->crowd, 1000, NULL, NULL), WEND_OK);
    cr_assert(discs_check(&l->seen, l->crowd, 1000, NULL, NULL), "%s", l->seen.text);
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell cell = cell_of(l, i);
        l->crossings += cell.x / FLOORS_SIDE != l->before[i].x / FLOORS_SIDE;
        l->before[i] = cell;
    }
    wend_crowd_get_stats(l->crowd, &stats);
    return stats.busy;
}

/* The same starts and goals, by cells of the model. Returns the frames it takes. */
static uint32_t walk_all(land *l, int32_t cells, uint64_t seed, uint32_t *arrived) {
    static bool starts[FLOORS_CELLS], ends[FLOORS_CELLS];
    int32_t goals[EACH];
    memset(starts, 0, sizeof starts), memset(ends, 0, sizeof ends);
    for (uint32_t n = 0; n < EACH;) {
        const int32_t from = (int32_t)draw(&seed, (uint32_t)cells), to = (int32_t)draw(&seed, (uint32_t)cells);
        bool reachable = false;
        wend_map_reachable(l->map, 0, floors_cell(&l->f, from), floors_cell(&l->f, to), &reachable);
        if (starts[from] || ends[to] || !reachable) continue;
        starts[from] = ends[to] = true;
        add_body(l, n, floors_cell(&l->f, from));
        goals[n++] = to;
    }
    for (uint32_t n = 0; n < EACH; n++) send_body(l, n, floors_cell(&l->f, goals[n]));
    uint32_t frames = 1;
    while (walk(l, EACH) > 0 && frames < MOST_FRAMES) frames++;
    for (uint32_t n = 0; n < EACH; n++) *arrived += same_cell(cell_of(l, n), floors_cell(&l->f, goals[n]));
    return frames;
}

Test(body_seams, bodies_do_as_well_on_a_floor_in_two_sheets_as_in_one) {
    static floors f;
    uint32_t frames[2] = {0, 0}, arrived[2] = {0, 0}, crossings = 0;
    for (uint64_t seed = 1; seed <= 2; seed++)
        for (int32_t cut = 0; cut < 2; cut++) {
            draw_plane(&f, seed, seed % 2 ? 0 : 10, cut ? FLOOR_WIDTH / 2 : 0);
            land *l = open_land(&f);
            frames[cut] += walk_all(l, FLOOR_CELLS, seed + 9, &arrived[cut]);
            crossings += l->crossings;
            close_land(l);
        }
    cr_log_info("%u frames in one sheet, %u in two; %u crossings", frames[0], frames[1], crossings);
    cr_assert_eq(arrived[0], 2 * EACH);
    cr_assert_eq(arrived[1], 2 * EACH);
    cr_assert_lt(frames[1] * 10, frames[0] * 13);
    cr_assert_gt(crossings, 3 * EACH / 4);
}

/* Sheets with islands of single cells in each other, two floors, and stairs between these. */
Test(body_seams, all_arrive_over_stairs) {
    static floors f;
    uint32_t arrived = 0, crossings = 0;
    for (uint64_t seed = 1; seed <= 1; seed++) {
        uint64_t draws = seed;
        floors_draw(&f, &draws, true);
        land *l = open_land(&f);
        (void)walk_all(l, FLOORS_CELLS, seed + 9, &arrived);
        crossings += l->crossings;
        close_land(l);
    }
    cr_log_info("%u arrived, %u crossings", arrived, crossings);
    cr_assert_eq(arrived, EACH);
    cr_assert_gt(crossings, 5 * EACH / 2);
}

/* A straight way over the seam takes as long as on the same floor in one sheet, past a body that stands on the floor
 * above and does not move. */
Test(body_seams, a_straight_way_over_a_seam_is_as_long_and_nobody_above_is_in_it) {
    static floors f;
    uint32_t frames[2] = {1, 1};
    for (int32_t cut = 0; cut < 2; cut++) {
        draw_plane(&f, 1, 0, cut ? FLOOR_WIDTH / 2 : 0);
        land *l = open_land(&f);
        const int32_t row = 7 * FLOOR_WIDTH;
        wend_body_state body = {.struct_bytes = sizeof body};
        add_body(l, 0, floors_cell(&f, row + 10));
        for (int32_t k = 0; k < 4 && cut; k++)
            add_body(l, 1 + (uint32_t)k, floors_cell(&f, FLOOR_CELLS + row + FLOOR_WIDTH / 2 - 2 + k));
        send_body(l, 0, floors_cell(&f, row + 40));
        while (walk(l, cut ? 5 : 1) > 0) frames[cut]++;
        cr_assert(same_cell(cell_of(l, 0), floors_cell(&f, row + 40)));
        cr_assert_eq(l->crossings, (uint32_t)cut);
        for (int32_t k = 0; k < 4 && cut; k++) {
            const wend_cell at = floors_cell(&f, FLOOR_CELLS + row + FLOOR_WIDTH / 2 - 2 + k);
            cr_assert_eq(wend_crowd_get_body(l->crowd, l->ids[1 + k], &body), WEND_OK);
            cr_assert(body.exact_at.x == at.x * ONE && body.exact_at.y == at.y * ONE);
        }
        close_land(l);
    }
    cr_assert_eq(frames[0], frames[1]);
}

/* A body behind the seam is in the way. */
Test(body_seams, it_goes_round_one_behind_a_seam_and_may_not_be_put_onto_it) {
    static floors f;
    draw_plane(&f, 1, 0, FLOOR_WIDTH / 2);
    land *l = open_land(&f);
    const int32_t row = 7 * FLOOR_WIDTH, cut = FLOOR_WIDTH / 2;
    const wend_cell before = floors_cell(&f, row + cut - 1), behind = floors_cell(&f, row + cut);
    add_body(l, 0, before);
    add_body(l, 1, behind);
    const wend_body_vector close = {before.x * ONE + ONE * 49 / 100, before.y * ONE};
    cr_assert_eq(place_rounded(l->crowd, l->ids[0], close, (wend_body_vector){0, 0}), WEND_BUSY, "over the seam");
    send_body(l, 0, floors_cell(&f, row + cut + 5));
    while (walk(l, 2) > 0) continue;
    cr_assert(same_cell(cell_of(l, 0), floors_cell(&f, row + cut + 5)));
    cr_assert(same_cell(cell_of(l, 1), behind));
    close_land(l);
}

/* The map has a new version in each frame, and the version of the frame before is freed. */
Test(body_seams, one_before_a_gap_behind_a_seam_gives_up) {
    enum { AT = FLOOR_WIDTH / 2 };
    static floors f;
    draw_plane(&f, 1, 0, AT);
    for (int32_t i = 0; i < FLOOR_CELLS; i++) f.classes[i] = floors_y(i) < 3;
    land *l = open_land(&f);
    uint32_t frames = 1;
    for (uint32_t n = 0; n < 2; n++) add_flagged(l, n, floors_cell(&f, (int32_t)n * 2 * FLOOR_WIDTH + AT), AS_PARKED);
    add_body(l, 2, floors_cell(&f, FLOOR_WIDTH + 10));
    send_body(l, 2, floors_cell(&f, FLOOR_WIDTH + 40));
    do {
        for (uint32_t n = 0; n < 2; n++) {
            const wend_cell cell = floors_cell(&f, AT);
            const wend_body_vector at = {cell.x * ONE, cell.y * ONE + (n ? 2 * ONE - ONE * 9 / 20 : ONE * 9 / 20)};
            l->seen.of[l->ids[n].index].placed = l->seen.of[l->ids[n].index].pressed = true;
            cr_assert_eq(place_rounded(l->crowd, l->ids[n], at, (wend_body_vector){0, 0}), WEND_OK);
        }
        const wend_cell above = floors_cell(&f, FLOOR_CELLS + 20 * FLOOR_WIDTH + 30);
        cr_assert_eq(wend_map_set_cell(l->map, above, (uint8_t)(frames % 2), NULL), WEND_OK);
    } while (walk(l, 3) > 0 && frames++ < 1500);
    cr_expect(frames > 1200 && frames < 1400, "%u frames", frames);
    close_land(l);
}

enum { SQUARE = 20, HALF_SQUARE = SQUARE / 2, SIDE = WEND_CHUNK_SIDE };

/* Makes a square whose lower half is in a sheet that lies elsewhere in the map, below the upper half. */
static wend_map *square_in_two(void) {
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {SIDE - 1, SIDE - 1, 0}}, {0, 0, 0}},
                                  {{{0, SIDE, 0}, {SIDE - 1, 2 * SIDE - 1, 0}}, {0, HALF_SQUARE, 0}}};
    wend_map_def def = default_map();
    def.width = SIDE, def.height = 2 * SIDE, def.sheets = sheets, def.sheet_count = 2;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {SIDE - 1, 2 * SIDE - 1, 0}}, 0);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {SQUARE - 1, HALF_SQUARE - 1, 0}}, 1);
    wend_edit_fill_box(edit, (wend_box){{0, SIDE, 0}, {SQUARE - 1, SIDE + HALF_SQUARE - 1, 0}}, 1);
    for (int32_t x = 0; x < SQUARE; x++)
        for (int32_t to = x > 0 ? x - 1 : 0; to <= x + 1 && to < SQUARE; to++) {
            const wend_cell above = {x, HALF_SQUARE - 1, 0}, below = {to, SIDE, 0};
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){above, below, WEND_LINK_SEAM, 0}), WEND_OK);
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){below, above, WEND_LINK_SEAM, 0}), WEND_OK);
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

/* Returns where a body is on the ground. */
static wend_body_vector place_of(const land *l, uint32_t n) {
    wend_body_state body = {.struct_bytes = sizeof body};
    cr_assert_eq(wend_crowd_get_body(l->crowd, l->ids[n], &body), WEND_OK);
    if (body.exact_at.y > SIDE / 2 * ONE) body.exact_at.y -= (SIDE - HALF_SQUARE) * ONE;
    return body.exact_at;
}

/* Many go down and many up: no two discs overlap on the ground. */
Test(body_seams, they_keep_apart_over_a_seam_below) {
    enum { EACH_WAY = 12 };
    static land l;
    uint32_t crossed = 0;
    open_on(&l, square_in_two());
    for (uint32_t n = 0; n < 2 * EACH_WAY; n++)
        add_body(&l, n, (wend_cell){3 + (int32_t)n / 2, n % 2 ? SIDE + 6 : 3, 0});
    for (uint32_t n = 0; n < 2 * EACH_WAY; n++)
        send_body(&l, n, (wend_cell){SQUARE - 4 - (int32_t)n / 2, n % 2 ? 3 : SIDE + 6, 0});
    for (int frame = 0; frame < 400; frame++) {
        wend_service_tick(l.service, NULL, NULL);
        cr_assert_eq(wend_crowd_update(l.crowd, 1000, NULL, NULL), WEND_OK);
        for (uint32_t i = 0; i < 2 * EACH_WAY; i++)
            for (uint32_t j = 0; j < i; j++) {
                const wend_body_vector a = place_of(&l, i), b = place_of(&l, j);
                const int64_t x = a.x - b.x, y = a.y - b.y, apart = 2 * 300 * ONE / 1000;
                cr_assert(x * x + y * y >= apart * apart, "frame %d: %u and %u overlap", frame, i, j);
            }
    }
    for (uint32_t n = 0; n < 2 * EACH_WAY; n++)
        crossed += same_cell(cell_of(&l, n), (wend_cell){SQUARE - 4 - (int32_t)n / 2, n % 2 ? 3 : SIDE + 6, 0});
    cr_assert_eq(crossed, 2 * EACH_WAY);
    cr_assert_eq(wend_crowd_destroy(l.crowd), WEND_OK);
    wend_service_destroy(l.service);
    wend_map_release(l.map);
}
