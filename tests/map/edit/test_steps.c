/* SPDX-License-Identifier: MIT */
/* Closed steps: one-way ledges and thin walls, next to corners, in chunks and across their rims. */
#include "map/store/directions.h"
#include "map/version/version.h"
#include "models/few_or_many.h"
#include "models/steps_model.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <wend/ways.h>

static wend_map_rules rules_of(int32_t neighbours, int32_t corners) {
    wend_map_rules rules = default_rules();
    rules.neighbours = neighbours, rules.corners = corners;
    return rules;
}

static void publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static bool inside(const walled *w, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < w->m.width && y < w->m.height;
}

/* ---- the corner rules ---- */

/* The five steps of a corner: by one side, by the other, and across. */
enum { TO_ONE, FROM_ONE, TO_OTHER, FROM_OTHER, ACROSS, STEPS };

static void set_corner(wend_edit *edit, wend_cell a, int32_t dx, int32_t dy, unsigned open, unsigned closed) {
    const wend_cell one = at(a.x + dx, a.y), other = at(a.x, a.y + dy), b = at(a.x + dx, a.y + dy);
    const wend_cell cells[4] = {a, one, other, b};
    const wend_cell ends[STEPS][2] = {{a, one}, {one, b}, {a, other}, {other, b}, {a, b}};
    for (unsigned i = 0; i < 4; i++) cr_assert_eq(wend_edit_set_cell(edit, cells[i], open >> i & 1), WEND_OK);
    for (unsigned i = 0; i < STEPS; i++)
        cr_assert_eq(wend_edit_set_step(edit, ends[i][0], ends[i][1], !(closed >> i & 1)), WEND_OK);
}

/* The words of the rules. */
static bool corner_allows(int32_t corners, unsigned open, unsigned closed) {
    bool one = open & 2 && !(closed & (1 << TO_ONE | 1 << FROM_ONE));
    bool other = open & 4 && !(closed & (1 << TO_OTHER | 1 << FROM_OTHER));
    if (!(open & 8) || closed & 1 << ACROSS) return false;
    return corners == WEND_CORNERS_NEVER ? one && other : corners == WEND_CORNERS_ONE ? one || other : true;
}

static void check_corner(wend_map *map, wend_cell a, int32_t d, int32_t corners) {
    const int32_t dx = wend__dx[d], dy = wend__dy[d];
    for (unsigned open = 0; open < 16; open++)
        for (unsigned closed = 0; closed < 1 << STEPS; closed++) {
            wend_edit *edit = begin_edit(map);
            set_corner(edit, a, dx, dy, open, closed);
            publish(edit);
            wend__version *v = wend__map_acquire(map, false);
            unsigned steps = wend__version_steps(v, a.x, a.y);
            wend__map_release(v, false);
            bool east = open & 2 && !(closed & 1 << TO_ONE), south = open & 4 && !(closed & 1 << TO_OTHER);
            cr_assert_eq(steps >> d & 1, corner_allows(corners, open, closed), "rule %d, open %x, closed %02x",
                         (int)corners, open, closed);
            cr_assert_eq(steps >> (dx > 0 ? WEND__E : WEND__W) & 1, east);
            cr_assert_eq(steps >> (dy > 0 ? WEND__S : WEND__N) & 1, south);
        }
}

Test(map_steps, s7_follow_the_truth_table_of_corners) {
    const wend_cell places[] = {{63, 63, 0}, {63, 20, 0}, {1, 1, 0}, {64, 64, 0}, {64, 63, 0}, {63, 64, 0}};
    const size_t count = (size_t)few_or_many(1, sizeof places / sizeof *places);
    for (int32_t corners = 0; corners <= 2; corners++)
        for (size_t i = 0; i < count; i++)
            for (int32_t d = WEND__NE; d < WEND__DIRECTIONS; d++) {
                wend_map_rules rules = rules_of(8, corners);
                OWNED_MAP *map = map_of_size(128, 128);
                cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
                check_corner(map, places[i], d, corners);
            }
}

/* ---- random batches ---- */

static void random_terrain(walled *w, wend_edit *edit, uint64_t *seed) {
    wend_cell cell = at((int32_t)draw(seed, (uint32_t)w->m.width), (int32_t)draw(seed, (uint32_t)w->m.height));
    uint8_t class = (uint8_t)draw(seed, 4);
    wend_box box = {cell, cell};
    if (draw(seed, 10) == 0) {
        box.max.x += (int32_t)draw(seed, (uint32_t)(w->m.width - cell.x));
        box.max.y += (int32_t)draw(seed, (uint32_t)(w->m.height - cell.y));
        class = 1;
    }
    cr_assert_eq(wend_edit_fill_box(edit, box, class), WEND_OK);
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        memset(w->m.classes + (size_t)y * (size_t)w->m.width + (size_t)box.min.x, class,
               (size_t)(box.max.x - box.min.x + 1));
}

/* A place, half of the time at a rim of a chunk. */
static wend_error random_place(int32_t below, uint64_t *seed) {
    int32_t place = (int32_t)draw(seed, (uint32_t)below), rim = (place & -64) + (int32_t)draw(seed, 3) - 1;
    return draw(seed, 2) && rim >= 0 && rim < below ? rim : place;
}

static void random_step(walled *w, wend_edit *edit, uint64_t *seed) {
    int32_t x = random_place(w->m.width, seed), y = random_place(w->m.height, seed);
    unsigned d = draw(seed, (uint32_t)w->m.rules.neighbours);
    if (!inside(w, x + wend__dx[d], y + wend__dy[d])) return;
    if (draw(seed, 3))
        walled_wall(w, edit, x, y, wend__dx[d], wend__dy[d]);
    else
        walled_set(w, edit, x, y, wend__dx[d], wend__dy[d], draw(seed, 3) == 0);
}

/* A straight wall, or the way through one. */
static void random_wall(walled *w, wend_edit *edit, uint64_t *seed) {
    bool east = draw(seed, 2), open = draw(seed, 4) == 0;
    int32_t x = random_place(w->m.width, seed), y = random_place(w->m.height, seed);
    int32_t dx = east ? 1 : 0, dy = east ? 0 : 1, length = (int32_t)draw(seed, 80);
    for (int32_t i = 0; i < length && inside(w, x + dx, y + dy); i++, x += dy, y += dx) {
        for (int32_t aside = w->m.rules.neighbours == 8 ? -1 : 0; aside <= (w->m.rules.neighbours == 8); aside++) {
            int32_t tx = x + dx + (dx ? 0 : aside), ty = y + dy + (dy ? 0 : aside);
            if (!inside(w, tx, ty)) continue;
            walled_set(w, edit, x, y, tx - x, ty - y, open);
            walled_set(w, edit, tx, ty, x - tx, y - ty, open);
        }
    }
}

/* All that was closed within some columns is opened again. */
static void open_again(walled *w, wend_edit *edit, uint64_t *seed) {
    int32_t from = (int32_t)draw(seed, (uint32_t)w->m.width), to = from + (int32_t)draw(seed, 140);
    for (int32_t y = 0; y < w->m.height; y++)
        for (int32_t x = from; x < to && x < w->m.width; x++)
            for (int32_t d = 0; d < w->m.rules.neighbours; d++)
                if (inside(w, x + wend__dx[d], y + wend__dy[d]) && walled_closed(w, x, y, wend__dx[d], wend__dy[d]))
                    walled_set(w, edit, x, y, wend__dx[d], wend__dy[d], true);
}

static void random_batch(walled *w, wend_map *map, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    uint32_t changes = draw(seed, 3) ? 1 + draw(seed, 3) : 1 + draw(seed, 100);
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t kind = draw(seed, 40);
        if (kind < 12)
            random_terrain(w, edit, seed);
        else if (kind < 34)
            random_step(w, edit, seed);
        else if (kind < 39)
            random_wall(w, edit, seed);
        else
            open_again(w, edit, seed);
    }
    publish(edit);
}

static void random_rules(walled *w, wend_map *map, uint64_t *seed) {
    w->m.rules.neighbours = draw(seed, 3) ? 8 : 4, w->m.rules.corners = (int32_t)draw(seed, 3);
    if (draw(seed, 4) == 0) w->m.rules.factors[draw(seed, 4)] = (uint8_t)draw(seed, 3);
    cr_assert_eq(wend_map_set_rules(map, &w->m.rules), WEND_OK);
}

static void fill(walled *w, uint64_t *seed) {
    uint32_t blocked = draw(seed, 3) ? draw(seed, 30) : 0;
    for (int32_t i = 0; i < w->m.width * w->m.height; i++)
        w->m.classes[i] = draw(seed, 100) < blocked ? 0 : draw(seed, 20) ? 1 : (uint8_t)draw(seed, 4);
}

static void run(int32_t width, int32_t height, int batches, uint64_t *seed) {
    wend_map_rules rules = rules_of(draw(seed, 3) ? 8 : 4, (int32_t)draw(seed, 3));
    OWNED(walled_free) walled w = walled_create(width, height, &rules);
    if (draw(seed, 2)) fill(&w, seed);
    OWNED_MAP *map = map_of(&w.m);
    walled_check(&w, map);
    for (int i = 0; i < batches; i++) {
        OWNED_MAP *fork = NULL;
        OWNED(walled_free) walled other = {0};
        if (draw(seed, 6) == 0) {
            cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
            other = walled_copy(&w);
            random_batch(&other, fork, seed);
        }
        if (draw(seed, 4) == 0) random_rules(&w, map, seed);
        if (draw(seed, 8) == 0) walled_check(&w, map);
        random_batch(&w, map, seed);
        walled_check(&w, map);
        if (!fork) continue;
        walled_check(&other, fork);
    }
}

static void run_many(int32_t most_width, int32_t most_height, int maps, int batches, uint64_t seed) {
    for (int i = 0; i < maps; i++)
        run(1 + (int32_t)draw(&seed, (uint32_t)most_width), 1 + (int32_t)draw(&seed, (uint32_t)most_height), batches,
            &seed);
}

Test(map_steps, are_those_of_the_rules_over_many_batches) {
    run_many(150, 150, few_or_many(2, 60), 20, 1);
}

Test(map_steps, are_those_of_the_rules_on_maps_of_few_cells) {
    run_many(5, 5, 400, 12, 2);
    run_many(200, 1, 30, 12, 3);
    run_many(1, 200, 30, 12, 4);
}

Test(map_steps, are_those_of_the_rules_over_several_levels_of_areas) {
    run_many(520, 300, few_or_many(1, 6), 12, 5);
}

/* ---- rules that change ---- */

Test(map_steps, follow_rules_that_change_amid_a_batch) {
    uint64_t seed = 9;
    for (int i = 0; i < 60; i++) {
        wend_map_rules rules = rules_of(8, (int32_t)draw(&seed, 3));
        OWNED(walled_free) walled w = walled_create(140, 80, &rules);
        OWNED_MAP *map = map_of(&w.m);
        random_batch(&w, map, &seed);
        wend_edit *edit = begin_edit(map);
        for (int k = 0; k < 5; k++) random_step(&w, edit, &seed);
        w.m.rules.corners = (int32_t)draw(&seed, 3), w.m.rules.neighbours = draw(&seed, 2) ? 8 : 4;
        cr_assert_eq(wend_map_set_rules(map, &w.m.rules), WEND_OK);
        publish(edit);
        walled_check(&w, map);
    }
}

/* ---- results of set_step ---- */

Test(map_steps, are_closed_in_one_direction_only) {
    OWNED(walled_free) walled w = walled_create(10, 10, NULL);
    OWNED_MAP *map = map_of(&w.m);
    wend_edit *edit = begin_edit(map);
    walled_set(&w, edit, 4, 4, 1, 0, false);
    publish(edit);
    wend_cell there[2] = {at(4, 4), at(5, 4)}, back[2] = {at(5, 4), at(4, 4)};
    uint64_t cost;
    size_t count;
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, there, 2, &count, &cost), WEND_OK);
    cr_assert_eq(count, 1);
    cr_assert_eq(wend_map_path_cost(map, WEND_MOVER_DEFAULT, back, 2, &count, &cost), WEND_OK);
    cr_assert(count == 2 && cost == 10);
    bool reachable;
    cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, at(4, 4), at(5, 4), &reachable), WEND_OK);
    cr_assert(reachable);
    walled_check(&w, map);
}

static wend_error try_step(wend_map *map, wend_cell from, wend_cell to, int32_t open) {
    wend_edit *edit = begin_edit(map);
    wend_error error = wend_edit_set_step(edit, from, to, open);
    cr_assert_eq(wend_edit_set_step(edit, at(0, 0), at(1, 0), true), error, "the first error sticks");
    cr_assert_eq(wend_edit_publish(edit, NULL), error);
    return error;
}

Test(map_steps, lead_to_neighbours_only) {
    for (int32_t neighbours = 4; neighbours <= 8; neighbours += 4) {
        OWNED_MAP *map = map_of_size(70, 70);
        wend_map_rules rules = rules_of(neighbours, 0);
        cr_assert_eq(wend_map_set_rules(map, &rules), WEND_OK);
        for (int32_t dy = -2; dy <= 2; dy++)
            for (int32_t dx = -2; dx <= 2; dx++) {
                int32_t far = abs(dx) > abs(dy) ? abs(dx) : abs(dy), both = abs(dx) + abs(dy);
                bool near = neighbours == 4 ? both == 1 : far == 1;
                for (int32_t open = 0; open <= 1; open++)
                    cr_assert_eq(try_step(map, at(64, 63), at(64 + dx, 63 + dy), open),
                                 near ? WEND_OK : WEND_BAD_ARGUMENT);
            }
        cr_assert_eq(try_step(map, at(0, 0), at(-1, 0), 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(try_step(map, at(70, 0), at(69, 0), 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(try_step(map, at(69, 69), at(69, 70), 1), WEND_OUT_OF_RANGE);
        wend_cell up = {3, 3, 1};
        cr_assert_eq(try_step(map, at(3, 3), up, 0), WEND_OUT_OF_RANGE);
        cr_assert_eq(try_step(map, at(0, 0), at(INT32_MAX, INT32_MIN), 0), WEND_OUT_OF_RANGE);
    }
}

Test(map_steps, of_a_discarded_batch_were_never_closed) {
    OWNED(walled_free) walled w = walled_create(100, 100, NULL);
    OWNED_MAP *map = map_of(&w.m);
    uint64_t bytes = map_bytes(map);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_step(edit, at(63, 63), at(64, 63), false), WEND_OK);
    wend_edit_discard(edit);
    walled_check(&w, map);
    cr_assert_eq(map_bytes(map), bytes);
}

Test(map_steps, that_are_open_again_leave_no_trace) {
    OWNED(walled_free) walled w = walled_create(1000, 200, NULL);
    OWNED_MAP *map = map_of(&w.m);
    uint64_t bytes = map_bytes(map), seed = 3;
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < 200; i++) random_step(&w, edit, &seed);
    publish(edit);
    cr_assert_gt(map_bytes(map), bytes);
    edit = begin_edit(map);
    for (int32_t y = 0; y < 200; y++)
        for (int32_t x = 0; x < 1000; x++)
            for (int32_t d = 0; d < 8; d++)
                if (inside(&w, x + wend__dx[d], y + wend__dy[d]))
                    walled_set(&w, edit, x, y, wend__dx[d], wend__dy[d], true);
    publish(edit);
    walled_check(&w, map);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_step(edit, at(63, 63), at(64, 63), false), WEND_OK);
    cr_assert_eq(wend_edit_set_step(edit, at(63, 63), at(64, 63), true), WEND_OK);
    publish(edit);
    walled_check(&w, map);
}

Test(map_steps, are_listed_by_chunk_and_cell_as_far_as_there_is_room) {
    OWNED_MAP *map = map_of_size(200, 200);
    const wend_step steps[] = {{at(63, 70), at(64, 71)}, {at(10, 199), at(10, 198)}, {at(3, 0), at(4, 1)},
                               {at(3, 0), at(2, 0)},     {at(199, 0), at(198, 0)},   {at(64, 3), at(63, 3)}};
    const size_t order[] = {3, 2, 5, 4, 0, 1};
    wend_edit *edit = begin_edit(map);
    for (size_t i = 0; i < 6; i++) cr_assert_eq(wend_edit_set_step(edit, steps[i].from, steps[i].to, false), WEND_OK);
    publish(edit);
    for (size_t capacity = 0; capacity <= 7; capacity++) {
        wend_step out[7];
        size_t count;
        memset(out, 0x77, sizeof out);
        wend_map_get_closed_steps(map, out, capacity, &count);
        cr_assert_eq(count, 6);
        for (size_t i = 0; i < 7; i++) {
            wend_step none;
            memset(&none, 0x77, sizeof none);
            const wend_step *expected = i < capacity && i < 6 ? &steps[order[i]] : &none;
            cr_assert_eq(memcmp(&out[i], expected, sizeof none), 0, "%d of %d", (int)i, (int)capacity);
        }
    }
}

/* ---- rooms ---- */

/* Builds a room whose walls run along and across rims of chunks and larger areas. */
static void build_room(walled *w, wend_edit *edit, wend_box room) {
    for (int32_t y = room.min.y; y <= room.max.y; y++)
        for (int32_t x = room.min.x; x <= room.max.x; x++)
            for (int32_t d = 0; d < 8; d++) {
                int32_t tx = x + wend__dx[d], ty = y + wend__dy[d];
                bool within = tx >= room.min.x && tx <= room.max.x && ty >= room.min.y && ty <= room.max.y;
                if (!within && inside(w, tx, ty)) walled_wall(w, edit, x, y, wend__dx[d], wend__dy[d]);
            }
}

Test(map_steps, part_rooms_that_thin_walls_close) {
    const wend_box rooms[] = {box_of(64, 64, 127, 127), box_of(60, 70, 130, 90),   box_of(63, 63, 64, 64),
                              box_of(0, 0, 127, 127),   box_of(128, 0, 255, 255),  box_of(100, 100, 100, 100),
                              box_of(63, 0, 63, 250),   box_of(10, 127, 250, 128), box_of(128, 128, 191, 191)};
    const bool few = few_or_many(1, 0);
    for (int32_t corners = 0; corners <= 2; corners++)
        for (size_t i = few ? (size_t)corners : 0; i < sizeof rooms / sizeof *rooms; i += few ? 3 : 1) {
            wend_map_rules rules = rules_of(8, corners);
            OWNED(walled_free) walled w = walled_create(256, 256, &rules);
            OWNED_MAP *map = map_of(&w.m);
            wend_edit *edit = begin_edit(map);
            build_room(&w, edit, rooms[i]);
            bool disconnects;
            wend_cell out = rooms[i].min.x > 0 ? at(0, 5) : at(255, 250), in = rooms[i].min;
            cr_assert_eq(wend_edit_would_disconnect(edit, WEND_MOVER_DEFAULT, in, out, &disconnects), WEND_OK);
            cr_assert(disconnects, "room %d", (int)i);
            publish(edit);
            walled_check(&w, map);
            edit = begin_edit(map); /* a door that only lets in */
            walled_set(&w, edit, rooms[i].max.x, rooms[i].min.y, rooms[i].max.x < 255 ? 1 : -1, 0, true);
            if (rooms[i].max.x == 255) walled_set(&w, edit, 128, 9, -1, 0, true);
            publish(edit);
            walled_check(&w, map);
            bool reachable;
            cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, in, out, &reachable), WEND_OK);
            cr_assert(reachable, "room %d", (int)i);
        }
}

/* Every cell on its own: as many components as cells in each area, and the most runs that a chunk can have. */
Test(map_steps, part_every_cell_from_all_others) {
    wend_map_rules rules = rules_of(8, WEND_CORNERS_ALWAYS);
    OWNED(walled_free) walled w = walled_create(200, 140, &rules);
    OWNED_MAP *map = map_of(&w.m);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < 140; y++)
        for (int32_t x = 0; x < 200; x++)
            for (int32_t d = 0; d < 8; d++)
                if (inside(&w, x + wend__dx[d], y + wend__dy[d]))
                    walled_set(&w, edit, x, y, wend__dx[d], wend__dy[d], false);
    publish(edit);
    walled_check(&w, map);
    wend_map_info info = info_now(map);
    cr_assert_eq(info.components, 200 * 140);
}

/* Closes off cells of the rim of a quarter of the largest map, from one another and from the inside. */
static void part_rim_cell(wend_edit *edit, int32_t x, int32_t y) {
    for (int32_t d = 0; d < 4; d++) {
        int32_t tx = x + wend__dx[d], ty = y + wend__dy[d];
        if (tx < 0 || ty < 0 || tx > 32767 || ty > 32767) continue;
        cr_assert_eq(wend_edit_set_step(edit, at(x, y), at(tx, ty), false), WEND_OK);
        cr_assert_eq(wend_edit_set_step(edit, at(tx, ty), at(x, y), false), WEND_OK);
    }
}

Test(map_steps, part_more_cells_of_a_rim_than_16_bits_count) {
    OWNED_MAP *map = map_of_size(65536, 65536);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 32768; i++) {
        part_rim_cell(edit, i, 0);
        part_rim_cell(edit, i, 32767);
        part_rim_cell(edit, 0, i);
        part_rim_cell(edit, 32767, i);
    }
    publish(edit);
    wend_map_info info = info_now(map);
    /* In the north and west each is alone but for the last, which lead out; then the inside, and the outside. */
    cr_assert_eq(info.components, 32767 + 32766 + 2);
    const wend_cell cells[] = {{5, 0, 0},       {0, 32766, 0},   {300, 300, 0},
                               {32767, 900, 0}, {900, 32767, 0}, {50000, 9, 0}};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++) {
            bool reachable;
            cr_assert_eq(wend_map_reachable(map, WEND_MOVER_DEFAULT, cells[i], cells[k], &reachable), WEND_OK);
            cr_assert_eq(reachable, i == k || (i > 2 && k > 2), "%d, %d", (int)i, (int)k);
        }
}

/* ---- sight ---- */

Test(map_steps, that_are_closed_block_the_line_that_crosses_them) {
    size_t seen = 0, hidden = 0, one_way = 0;
    for (uint64_t round = 0; round < 12; round++) {
        uint64_t seed = round + 77;
        wend_map_rules rules = rules_of(round % 4 ? 8 : 4, (int32_t)(round % 3));
        OWNED(walled_free) walled w = walled_create(80, 70, &rules);
        OWNED_MAP *map = map_of(&w.m);
        wend_edit *edit = begin_edit(map);
        for (int i = 0; i < 700; i++) random_step(&w, edit, &seed);
        for (int i = 0; i < 60; i++) random_terrain(&w, edit, &seed);
        publish(edit);
        for (int i = 0; i < 3000; i++) {
            wend_cell a = at((int32_t)draw(&seed, 80), (int32_t)draw(&seed, 70));
            wend_cell b = at(a.x + (int32_t)draw(&seed, 15) - 7, a.y + (int32_t)draw(&seed, 15) - 7), last;
            if (!inside(&w, b.x, b.y)) continue;
            bool back;
            bool there;
            cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, a, b, &there, &last), WEND_OK);
            cr_assert_eq(wend_map_line_of_sight(map, WEND_MOVER_DEFAULT, b, a, &back, NULL), WEND_OK);
            cr_assert_eq(there, walled_sees(&w, a, b), "(%d, %d) to (%d, %d)", a.x, a.y, b.x, b.y);
            cr_assert_eq(back, walled_sees(&w, b, a));
            cr_assert_eq(there, last.x == b.x && last.y == b.y && model_open(&w.m, a.x, a.y));
            seen += (size_t)there, hidden += !there, one_way += there != back;
        }
    }
    cr_assert(seen > 3000 && hidden > 3000 && one_way > 500, "%zu, %zu, %zu", seen, hidden, one_way);
}

/* ---- memory ---- */

static wend_error change(walled *w, wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    uint64_t seed = 4;
    for (int i = 0; i < 60; i++) {
        int32_t x = random_place(w->m.width - 2, &seed) + 1, y = random_place(w->m.height - 2, &seed) + 1;
        if (!inside(w, x - 1, y - 1) || !inside(w, x + 1, y + 1)) continue;
        unsigned d = draw(&seed, 8), open = draw(&seed, 3) == 0;
        error = wend_edit_set_step(edit, at(x, y), at(x + wend__dx[d], y + wend__dy[d]), open);
        walled_set(w, NULL, x, y, wend__dx[d], wend__dy[d], open);
    }
    int32_t published = wend_edit_publish(edit, NULL);
    if (error) cr_assert_eq(published, error);
    return published;
}

Test(map_steps, change_nothing_where_memory_runs_out) {
    counting c = {0};
    wend_map_def def = default_map();
    def.width = 300, def.height = 140, def.allocator = counting_allocator(&c);
    wend_map *map = made_map(&def);
    OWNED(walled_free) walled w = walled_create(300, 140, NULL);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < 300; i += 3) walled_wall(&w, edit, i, 64, 0, -1);
    publish(edit);
    size_t failures = 0;
    for (bool done = false; !done; failures++) {
        OWNED(walled_free) walled next = walled_copy(&w);
        size_t bytes = c.bytes;
        c.calls = 0, c.fail_at = failures + 1;
        wend_error error = change(&next, map);
        c.fail_at = 0;
        done = error == WEND_OK;
        cr_assert(done || error == WEND_OUT_OF_MEMORY);
        if (!done) cr_assert_eq(c.bytes, bytes);
        if (done || failures % (size_t)few_or_many(8, 1) == 0) walled_check(done ? &next : &w, map);
    }
    cr_assert_gt(failures, 20);
    wend_map_release(map);
    cr_assert(c.blocks == 0 && c.bytes == 0);
}

/* Closed steps of the base stay the base's. */
Test(map_steps, of_an_older_version_are_not_touched_by_newer_ones) {
    OWNED(walled_free) walled w = walled_create(130, 70, NULL);
    wend_map *map = map_of(&w.m);
    wend_edit *edit = begin_edit(map);
    walled_wall(&w, edit, 63, 10, 1, 0);
    walled_set(&w, edit, 5, 5, 1, 1, false);
    publish(edit);
    OWNED_MAP *fork = forked(map);
    OWNED(walled_free) walled old = walled_copy(&w);
    edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_cell(edit, at(6, 6), 0), WEND_OK);
    w.m.classes[6 * 130 + 6] = 0;
    walled_set(&w, edit, 63, 10, 1, 0, true);
    walled_set(&w, edit, 5, 5, 1, 1, true);
    walled_set(&w, edit, 64, 10, -1, 0, true);
    publish(edit);
    walled_check(&w, map);
    walled_check(&old, fork);
    wend_map_release(map);
    walled_check(&old, fork);
}
