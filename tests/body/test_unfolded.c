/* SPDX-License-Identifier: MIT */
/* The picture of the ground round a cell, compared with a flood by the map's rules: blocked cells, the rim of the map,
 * steps that are closed in one direction. */
#include "agents/floor/floor.h"
#include "agents/floor/unfolded.h"
#include "map/version/version.h"
#include "models/defaults.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <string.h>
#include <wend/ways.h>
#include <wend/wend.h>

enum { WIDTH = 33, HEIGHT = 27, REACH = WEND__UNFOLDED_REACH };

static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
static bool blocked[HEIGHT][WIDTH], closed[HEIGHT][WIDTH][4], seen[HEIGHT][WIDTH];

static bool on_map(int x, int y) {
    return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
}

static wend_map *draw_map(uint64_t *seed, uint32_t blocked_percent, uint32_t closed_percent) {
    wend_map_def def = default_map();
    wend_map *map;
    wend_edit *edit;
    def.width = WIDTH, def.height = HEIGHT;
    cr_assert(!wend_map_create(&def, &map) && !wend_edit_begin(map, &edit));
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            const wend_cell cell = {x, y, 0};
            blocked[y][x] = draw(seed, 100) < blocked_percent;
            if (blocked[y][x]) cr_assert(!wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED));
            for (int d = 0; d < 4; d++) {
                closed[y][x][d] = on_map(x + dx[d], y + dy[d]) && draw(seed, 100) < closed_percent;
                if (!closed[y][x][d]) continue;
                cr_assert(!wend_edit_set_step(edit, cell, (wend_cell){x + dx[d], y + dy[d], 0}, false));
            }
        }
    cr_assert(!wend_edit_publish(edit, NULL));
    return map;
}

/* A step that is closed in both directions is a wall to a disc. */
static bool is_step(int x, int y, int d) {
    const int to_x = x + dx[d], to_y = y + dy[d];
    return on_map(to_x, to_y) && !(closed[y][x][d] && closed[to_y][to_x][(d + 2) % 4]);
}

static bool in_reach(wend_cell middle, int x, int y) {
    return abs(x - middle.x) <= REACH && abs(y - middle.y) <= REACH;
}

/* Cells that straight steps lead to over ground, within reach. */
static void flood(wend_cell middle) {
    static int queue[WIDTH * HEIGHT];
    int count = 0;
    memset(seen, 0, sizeof seen);
    seen[middle.y][middle.x] = true;
    queue[count++] = middle.y * WIDTH + middle.x;
    for (int k = 0; k < count; k++) {
        const int x = queue[k] % WIDTH, y = queue[k] / WIDTH;
        if (k > 0 && blocked[y][x]) continue;
        for (int d = 0; d < 4; d++) {
            const int to_x = x + dx[d], to_y = y + dy[d];
            if (!is_step(x, y, d) || !in_reach(middle, to_x, to_y) || seen[to_y][to_x]) continue;
            seen[to_y][to_x] = true;
            queue[count++] = to_y * WIDTH + to_x;
        }
    }
}

static bool is_wall(wend_cell middle, int x, int y, int d) {
    const int to_x = x + dx[d], to_y = y + dy[d];
    if (blocked[y][x] || !on_map(to_x, to_y) || !in_reach(middle, to_x, to_y)) return false;
    return seen[to_y][to_x] && !blocked[to_y][to_x] && !is_step(x, y, d);
}

/* Returns the marks on the edge of a seen cell, in the east or in the south. */
static int edge(wend_cell middle, int x, int y, int d) {
    const int to_x = x + dx[d], to_y = y + dy[d];
    if (is_wall(middle, x, y, d)) return d ? WEND__WALL_SOUTH : WEND__WALL_EAST;
    if (blocked[y][x] || !on_map(to_x, to_y) || !in_reach(middle, to_x, to_y)) return 0;
    if (!seen[to_y][to_x] || blocked[to_y][to_x]) return 0;
    if (closed[y][x][d]) return d ? WEND__LEDGE_SOUTH_OUT : WEND__LEDGE_EAST_OUT;
    if (closed[to_y][to_x][d + 2]) return d ? WEND__LEDGE_SOUTH_IN : WEND__LEDGE_EAST_IN;
    return 0;
}

static void check_picture(const wend__version *version, wend_cell middle) {
    wend__unfolded picture;
    wend__unfold(version, middle, &picture);
    flood(middle);
    cr_assert(picture.made && picture.serial == version->serial && picture.shift_count == 1);
    for (int y = middle.y - REACH; y <= middle.y + REACH; y++)
        for (int x = middle.x - REACH; x <= middle.x + REACH; x++) {
            const bool sees = on_map(x, y) && seen[y][x];
            cr_assert_eq(wend__unfolded_shift(&picture, x, y), sees ? 0 : WEND__UNFOLDED_NONE, "%d,%d", x, y);
            const int edges = sees ? edge(middle, x, y, 0) | edge(middle, x, y, 1) : 0;
            cr_assert_eq(wend__unfolded_walls(&picture, x, y), edges, "%d,%d", x, y);
        }
}

Test(unfolded, shows_what_straight_steps_lead_to) {
    for (uint32_t seed = 1; seed <= 30; seed++) {
        uint64_t state = seed;
        OWNED_MAP *map = draw_map(&state, seed % 3 * 15, seed % 5 * 6);
        wend__version *version = wend__map_newest(map);
        for (int i = 0; i < 12; i++)
            check_picture(version, (wend_cell){(int32_t)draw(&state, WIDTH), (int32_t)draw(&state, HEIGHT), 0});
        wend__map_release(version, false);
    }
}

Test(unfolded, a_step_closed_in_both_directions_leads_nowhere) {
    uint64_t state = 9;
    OWNED_MAP *map = draw_map(&state, 10, 10);
    wend__version *version = wend__map_newest(map);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++)
            for (unsigned d = 0; d < 4; d++) {
                wend_cell to;
                int k = 0;
                while (dx[k] != wend__dx[d] || dy[k] != wend__dy[d]) k++;
                const bool leads = wend__unfolded_step(version, (wend_cell){x, y, 0}, d, &to);
                cr_assert_eq(leads, is_step(x, y, k));
                if (leads) cr_assert(to.x == x + dx[k] && to.y == y + dy[k]);
            }
    wend__map_release(version, false);
}
