/* SPDX-License-Identifier: MIT */
/* The floor of bodies, compared with a sampler that uses only the map's public functions; also after edits. */
#include "agents/floor/floor.h"
#include "models/few_or_many.h"
#include "models/both.h"
#include "map/version/version.h"
#include "models/counting.h"
#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <wend/host.h>
#include <wend/stream.h>
#include <wend/ways.h>
#include <wend/wend.h>

enum { SIDE = 150, ONE = WEND__BODY_ONE, POINTS = 3000 };

static bool blocked[SIDE][SIDE];

static void set_cell(wend_edit *edit, int32_t x, int32_t y, bool blocks) {
    blocked[y][x] = blocks;
    cr_assert(!wend_edit_set_cell(edit, (wend_cell){x, y, 0}, blocks ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
}

static wend_map *make_map(uint64_t *seed, uint32_t blocked_percent) {
    wend_map_def def = default_map();
    wend_map *map;
    wend_edit *edit;
    def.width = SIDE, def.height = SIDE - 7;
    cr_assert(!wend_map_create(&def, &map) && !wend_edit_begin(map, &edit));
    for (int32_t k = 0; k < def.width * def.height; k++)
        set_cell(edit, k % SIDE, k / SIDE, draw(seed, 100) < blocked_percent);
    cr_assert(!wend_edit_publish(edit, NULL));
    return map;
}

static bool is_open(int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < SIDE && y < SIDE - 7 && !blocked[y][x];
}

/* Returns the distance of a point from the nearest obstacle, in units; at most a cell and a half. */
static double distance(wend__vec p) {
    double least = 1.5 * ONE;
    for (int32_t y = p.y / ONE - 2; y <= p.y / ONE + 2; y++)
        for (int32_t x = p.x / ONE - 2; x <= p.x / ONE + 2; x++) {
            if (is_open(x, y)) continue;
            const double dx = fmax(fmax((double)x * ONE - p.x, p.x - (x + 1.0) * ONE), 0);
            const double dy = fmax(fmax((double)y * ONE - p.y, p.y - (y + 1.0) * ONE), 0);
            least = fmin(least, hypot(dx, dy));
        }
    return least;
}

static wend__vec random_point(uint64_t *seed) {
    return (wend__vec){(int32_t)draw(seed, SIDE * ONE), (int32_t)draw(seed, (SIDE - 7) * ONE)};
}

/* Discs fit exactly where nothing that blocks is nearer than their radius. */
static void check_points(wend__body_land *floor, uint64_t *seed) {
    for (int k = 0; k < POINTS; k++) {
        const wend__vec p = random_point(seed);
        const int32_t radius = 1638 + (int32_t)draw(seed, 20000);
        const double apart = is_open(p.x / ONE, p.y / ONE) ? distance(p) : -1;
        if (fabs(apart - radius) < 2) continue; /* sampled in floating point */
        cr_assert_eq(wend__floor_fits(floor, p, radius), apart > radius, "%d,%d radius %d, %.1f apart", p.x, p.y,
                     radius, apart);
    }
}

static void follow(wend__body_land *floor, wend__version **version, wend_map *map) {
    wend__version *now = wend__map_newest(map);
    if (*version) wend__floor_follow(floor, now);
    if (*version) wend__map_release(*version, false);
    *version = now;
}

static void edit_some(wend_map *map, uint64_t *seed) {
    wend_edit *edit;
    cr_assert(!wend_edit_begin(map, &edit));
    for (uint32_t k = draw(seed, 12); k-- > 0;) {
        const int32_t x = (int32_t)draw(seed, SIDE), y = (int32_t)draw(seed, SIDE - 7);
        set_cell(edit, x, y, draw(seed, 2));
    }
    cr_assert(!wend_edit_publish(edit, NULL));
}

Test(floor, fits_where_nothing_is_nearer_on_random_maps_after_edits) {
    const wend_allocator allocator = wend__allocator_or_default((wend_allocator){0});
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed;
        OWNED_MAP *map = make_map(&state, seed % 4 * 12);
        wend__version *version = NULL;
        wend__body_land floor;
        follow(&floor, &version, map);
        cr_assert(wend__floor_open(&floor, &allocator, version, 0));
        for (int round = 0; round < 5; round++) {
            check_points(&floor, &state);
            edit_some(map, &state);
            follow(&floor, &version, map);
        }
        wend__floor_close(&floor);
        wend__map_release(version, false);
    }
}

/* Builds a wall on the edge of two chunks, or within a chunk; there are no others. */
Test(floor, keeps_discs_off_closed_steps) {
    static const wend_cell places[] = {{63, 20, 0}, {100, 90, 0}};
    const wend_allocator allocator = wend__allocator_or_default((wend_allocator){0});
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const wend_cell west = places[i], east = {west.x + 1, west.y, 0};
        uint64_t state = 5;
        OWNED_MAP *map = make_map(&state, 0);
        wend_edit *edit;
        cr_assert(!wend_edit_begin(map, &edit));
        cr_assert(!set_step_both(edit, west, east, 0));
        cr_assert(!wend_edit_publish(edit, NULL));
        wend__version *version = NULL;
        wend__body_land floor;
        follow(&floor, &version, map);
        cr_assert(wend__floor_open(&floor, &allocator, version, 0));
        const int32_t y = west.y * ONE + ONE / 2, wall = east.x * ONE;
        cr_assert(!wend__floor_fits(&floor, (wend__vec){wall - 6000, y}, 6001));
        cr_assert(wend__floor_fits(&floor, (wend__vec){wall - 6000, y}, 6000));
        cr_assert(!wend__floor_fits(&floor, (wend__vec){wall + 6000, y}, 6001));
        cr_assert(wend__floor_fits(&floor, (wend__vec){wall + 6000, y}, 6000));
        cr_assert(!wend__floor_sees(&floor, (wend__vec){wall - ONE, y}, (wend__vec){wall + ONE, y}, 6000));
        cr_assert(
            wend__floor_sees(&floor, (wend__vec){wall - ONE, y + 2 * ONE}, (wend__vec){wall + ONE, y + 2 * ONE}, 6000));
        wend__floor_close(&floor);
        wend__map_release(version, false);
    }
}

/* A ledge is a wall in the direction in which it is closed alone, and for the middle of a disc: all four directions. */
Test(floor, holds_discs_up_at_ledges_one_way) {
    static const wend_cell ways[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const wend_allocator allocator = wend__allocator_or_default((wend_allocator){0});
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const wend_cell low = {63, 63, 0}, high = {low.x + ways[i].x, low.y + ways[i].y, 0};
        uint64_t state = 7;
        OWNED_MAP *map = make_map(&state, 0);
        wend_edit *edit;
        cr_assert(!wend_edit_begin(map, &edit));
        cr_assert(!wend_edit_set_step(edit, low, high, false));
        cr_assert(!wend_edit_publish(edit, NULL));
        wend__version *version = NULL;
        wend__body_land floor;
        follow(&floor, &version, map);
        cr_assert(wend__floor_open(&floor, &allocator, version, 0));
        const wend__vec below = wend__middle_of(low), above = wend__middle_of(high), up = wend__minus(above, below);
        const wend__vec edge = {(below.x + above.x) / 2, (below.y + above.y) / 2};
        const wend__vec short_of = wend__minus(edge, wend__scaled(up, 1, 8));
        cr_assert(wend__floor_fits(&floor, edge, 6000));
        cr_assert(!wend__floor_sees(&floor, below, above, 6000) && wend__floor_sees(&floor, above, below, 6000));
        cr_assert(wend__floor_hits(&floor, below, up, 6000));
        cr_assert(!wend__floor_hits(&floor, above, wend__minus(below, above), 6000));
        cr_assert(!wend__floor_hits(&floor, below, wend__minus(short_of, below), 6000)); /* only the rim does */
        cr_assert(wend__floor_hits_more(&floor, below, up, 6000));
        wend__floor_close(&floor);
        wend__map_release(version, false);
    }
}

/* Returns the distance of a point from a cell's edge to the east, or to the south. */
static double edge_distance(wend__vec p, wend_cell cell, bool south) {
    const double left = (cell.x + !south) * (double)ONE, top = (cell.y + south) * (double)ONE;
    const double right = south ? left + ONE : left, bottom = south ? top : top + ONE;
    return hypot(fmax(fmax(left - p.x, p.x - right), 0), fmax(fmax(top - p.y, p.y - bottom), 0));
}

/* Also near their ends, which reach cells that have no closed step. */
Test(floor, fits_where_no_closed_step_is_nearer) {
    enum { EDGES = 400 };
    const wend_allocator allocator = wend__allocator_or_default((wend_allocator){0});
    wend_cell cells[EDGES];
    uint64_t state = 6;
    OWNED_MAP *map = make_map(&state, 0);
    wend_edit *edit;
    cr_assert(!wend_edit_begin(map, &edit));
    for (int32_t i = 0; i < EDGES; i++) {
        cells[i] = (wend_cell){1 + (int32_t)draw(&state, SIDE - 3), 1 + (int32_t)draw(&state, SIDE - 10), 0};
        const wend_cell to = {cells[i].x + (i % 2 == 0), cells[i].y + i % 2, 0};
        cr_assert(!set_step_both(edit, cells[i], to, 0));
    }
    cr_assert(!wend_edit_publish(edit, NULL));
    wend__version *version = NULL;
    wend__body_land floor;
    follow(&floor, &version, map);
    cr_assert(wend__floor_open(&floor, &allocator, version, 0));
    for (int k = 0; k < few_or_many(3, 10) * POINTS; k++) {
        const wend__vec p = random_point(&state);
        const int32_t radius = 1638 + (int32_t)draw(&state, 20000);
        double apart = distance(p);
        for (int32_t i = 0; i < EDGES; i++) apart = fmin(apart, edge_distance(p, cells[i], i % 2));
        if (fabs(apart - radius) < 2) continue;
        cr_assert_eq(wend__floor_fits(&floor, p, radius), apart > radius, "%d,%d radius %d, %.1f apart", p.x, p.y,
                     radius, apart);
    }
    wend__floor_close(&floor);
    wend__map_release(version, false);
}

static void change_land(wend_map *map, int32_t column, bool loads) {
    wend_edit *edit;
    cr_assert(!wend_edit_begin(map, &edit));
    cr_assert(!(loads ? wend_edit_load(edit, column, 0, NULL, 0)
                      : wend_edit_unload(edit, column, 0, column % 2 ? WEND_LAND_KNOWN : WEND_LAND_ABSENT)));
    cr_assert(!wend_edit_publish(edit, NULL));
}

Test(floor, frees_the_tables_of_land_that_is_unloaded) {
    enum { COLUMNS = 6, CHUNK = WEND_CHUNK_SIDE };
    counting counts = {0};
    const wend_allocator allocator = counting_allocator(&counts);
    wend_map_def def = default_map();
    OWNED_MAP *map = NULL;
    def.width = COLUMNS * CHUNK, def.height = CHUNK, def.streamed = true;
    cr_assert(!wend_map_create(&def, &map));
    wend__version *version = NULL;
    wend__body_land floor;
    follow(&floor, &version, map);
    cr_assert(wend__floor_open(&floor, &allocator, version, 0));
    const size_t none = counts.bytes;
    for (int32_t k = 0; k < 3 * COLUMNS; k++) { /* chunk after chunk, as for a player who walks */
        const int32_t column = k % COLUMNS;
        const wend__vec middle = {(column * CHUNK + CHUNK / 2) * ONE, CHUNK / 2 * ONE};
        change_land(map, column, true);
        follow(&floor, &version, map);
        cr_assert(wend__floor_fits(&floor, middle, ONE / 2));
        cr_assert_gt(counts.bytes, none);
        change_land(map, column, false);
        follow(&floor, &version, map);
        cr_assert(!wend__floor_fits(&floor, middle, ONE / 2));
        cr_assert_eq(counts.bytes, none, "%zu bytes are left", counts.bytes - none);
    }
    wend__floor_close(&floor);
    cr_assert_eq(counts.bytes, 0);
    wend__map_release(version, false);
}
