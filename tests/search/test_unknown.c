/* SPDX-License-Identifier: MIT */
/* "No path" on streamed land: `unknown` is compared with plain floods, in one of which all land that is not loaded is
 * open. */
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/wend.h>
#include <wend/stream.h>
#include <wend/ways.h>

enum { SIDE = WEND_CHUNK_SIDE, WIDTH = 200, HEIGHT = 150, COLUMNS = 4, ROWS = 3, CELLS = WIDTH * HEIGHT, LINKS = 3 };

/* ---- the model ---- */

typedef struct world {
    uint8_t open[CELLS];
    bool loaded[COLUMNS * ROWS];
    int32_t corners, neighbours, size;
    struct {
        int32_t from, to;
    } links[LINKS];
    int32_t link_count;
} world;

static bool on_map(int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
}

static bool is_loaded(const world *w, int32_t x, int32_t y) {
    return w->loaded[y / SIDE * COLUMNS + x / SIDE];
}

/* Returns whether the mover may stand there. With `hope` all land that is not loaded is open. */
static bool stands(const world *w, int32_t x, int32_t y, bool hope) {
    for (int32_t v = y; v < y + w->size; v++)
        for (int32_t u = x; u < x + w->size; u++) {
            if (!on_map(u, v)) return false;
            if (is_loaded(w, u, v) ? !w->open[v * WIDTH + u] : !hope) return false;
        }
    return true;
}

static bool steps(const world *w, int32_t x, int32_t y, int32_t dx, int32_t dy, bool hope) {
    if (!stands(w, x + dx, y + dy, hope)) return false;
    if (dx == 0 || dy == 0) return true;
    if (w->neighbours == 4) return false;
    const int beside = stands(w, x + dx, y, hope) + stands(w, x, y + dy, hope);
    return beside >= (w->corners == WEND_CORNERS_NEVER ? 2 : w->corners == WEND_CORNERS_ONE ? 1 : 0);
}

/* Marks all that is reached from a cell. With `weak` links lead both ways. */
static void flood(const world *w, int32_t from, bool hope, bool weak, bool *reached) {
    static int32_t stack[CELLS];
    int32_t count = 0;
    memset(reached, 0, CELLS * sizeof *reached);
    reached[from] = true;
    stack[count++] = from;
    while (count > 0) {
        const int32_t cell = stack[--count], x = cell % WIDTH, y = cell / WIDTH;
        for (int32_t i = 0; i < 9; i++) {
            const int32_t dx = i % 3 - 1, dy = i / 3 - 1, to = cell + dy * WIDTH + dx;
            if (i == 4 || !on_map(x + dx, y + dy) || reached[to] || !steps(w, x, y, dx, dy, hope)) continue;
            reached[to] = true;
            stack[count++] = to;
        }
        for (int32_t i = 0; i < w->link_count; i++)
            for (int back = 0; back <= weak; back++) {
                const int32_t at = back ? w->links[i].to : w->links[i].from;
                const int32_t to = back ? w->links[i].from : w->links[i].to;
                if (at != cell || reached[to] || !stands(w, to % WIDTH, to / WIDTH, hope)) continue;
                reached[to] = true;
                stack[count++] = to;
            }
    }
}

/* Returns whether the mover would cover land that is not loaded there. */
static bool covers_unloaded(const world *w, int32_t x, int32_t y) {
    for (int32_t v = y; v < y + w->size; v++)
        for (int32_t u = x; u < x + w->size; u++)
            if (on_map(u, v) && !is_loaded(w, u, v)) return true;
    return false;
}

/* Returns whether a part of the cells connected with a cell is next to land that is not loaded. */
static bool touches(const world *w, int32_t from) {
    static bool reached[CELLS];
    flood(w, from, false, true, reached);
    const bool diagonal = w->neighbours == 8 && w->corners == WEND_CORNERS_ALWAYS;
    for (int32_t cell = 0; cell < CELLS; cell++) {
        if (!reached[cell]) continue;
        for (int32_t i = 0; i < 9; i++)
            if ((i % 2 == 1 || diagonal) && covers_unloaded(w, cell % WIDTH + i % 3 - 1, cell / WIDTH + i / 3 - 1))
                return true;
    }
    for (int32_t i = 0; i < w->link_count; i++) {
        const int32_t a = w->links[i].from, b = w->links[i].to;
        if (reached[a] && covers_unloaded(w, b % WIDTH, b / WIDTH)) return true;
        if (reached[b] && covers_unloaded(w, a % WIDTH, a / WIDTH)) return true;
    }
    return false;
}

/* ---- random worlds ---- */

static int32_t some(uint64_t *seed, int32_t count) {
    return (int32_t)draw(seed, (uint32_t)count);
}

/* Noise between walls, so that some components are closed in and some are not. */
static world make_world(uint64_t *seed, int32_t size) {
    world w = {.corners = some(seed, 3), .neighbours = some(seed, 4) ? 8 : 4, .size = size};
    const int32_t blocked = size > 1 ? some(seed, 12) : some(seed, 55);
    for (int32_t i = 0; i < CELLS; i++) w.open[i] = some(seed, 100) >= blocked;
    for (int32_t n = some(seed, 12); n > 0; n--) {
        const int32_t x = some(seed, WIDTH - 50), y = some(seed, HEIGHT - 50), side = 10 + some(seed, 40);
        for (int32_t i = 0; i <= side; i++)
            w.open[y * WIDTH + x + i] = w.open[(y + side) * WIDTH + x + i] = w.open[(y + i) * WIDTH + x] =
                w.open[(y + i) * WIDTH + x + side] = 0;
    }
    for (int32_t i = 0; i < COLUMNS * ROWS; i++) w.loaded[i] = some(seed, 3) > 0;
    w.loaded[some(seed, COLUMNS * ROWS)] = true;
    if (some(seed, 2) == 0) return w;
    for (; w.link_count < LINKS; w.link_count++) {
        w.links[w.link_count].from = some(seed, CELLS / 2);
        w.links[w.link_count].to = CELLS / 2 + some(seed, CELLS / 2);
    }
    return w;
}

static wend_cell cell_of(int32_t cell) {
    return (wend_cell){cell % WIDTH, cell / WIDTH, 0};
}

static wend_map *map_of_world(const world *w) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    rules.neighbours = w->neighbours, rules.corners = w->corners;
    def.width = WIDTH, def.height = HEIGHT, def.streamed = 1, def.rules = &rules;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < COLUMNS * ROWS; i++)
        if (w->loaded[i])
            cr_assert_eq(wend_edit_load(edit, i % COLUMNS, i / COLUMNS,
                                        w->open + i / COLUMNS * SIDE * WIDTH + i % COLUMNS * SIDE, WIDTH),
                         WEND_OK);
    for (int32_t i = 0; i < w->link_count; i++)
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){cell_of(w->links[i].from), cell_of(w->links[i].to), 10, 0}),
                     WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static int32_t mover_of(wend_map *map, int32_t size) {
    wend_mover mover = {.struct_bytes = sizeof mover};
    int32_t id = WEND_MOVER_DEFAULT;
    if (size == 1) return id;
    cr_assert_eq(wend_map_get_mover(map, WEND_MOVER_DEFAULT, &mover), WEND_OK);
    mover.size = size;
    cr_assert_eq(wend_map_add_mover(map, &mover, &id), WEND_OK);
    return id;
}

static wend_completion ask(wend_search *search, const wend_request *request) {
    wend_completion done = {.struct_bytes = sizeof done};
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    while (wend_search_step(search, 1000, NULL) == WEND_STATUS_PENDING) continue;
    cr_assert_eq(wend_search_get_result(search, &done), WEND_OK);
    return done;
}

/* How often each answer came, so that none of them is left out. */
typedef struct tally {
    int32_t known, unknown, hoped;
} tally;

static void check_query(const world *w, wend_search *search, wend_request *request, uint64_t *seed, tally *sum) {
    static bool hoped[CELLS];
    const int32_t from = some(seed, CELLS), to = some(seed, CELLS);
    request->start = cell_of(from), request->goal = cell_of(to);
    const wend_completion done = ask(search, request);
    if (done.status != WEND_STATUS_NO_PATH) {
        cr_assert_eq(done.unknown, 0);
        return;
    }
    cr_assert_eq(done.unknown, touches(w, from) && touches(w, to), "%d,%d to %d,%d", from % WIDTH, from / WIDTH,
                 to % WIDTH, to / WIDTH);
    flood(w, from, true, false, hoped);
    cr_assert(done.unknown || !hoped[to]);
    sum->unknown += done.unknown == 1;
    sum->known += done.unknown == 0;
    sum->hoped += hoped[to];
}

static void check_worlds(int32_t size, uint64_t worlds) {
    tally sum = {0};
    for (uint64_t i = 1; i <= worlds; i++) {
        uint64_t seed = i * 977 + (uint64_t)size;
        world *w = malloc(sizeof *w);
        *w = make_world(&seed, size);
        OWNED_MAP *map = map_of_world(w);
        wend_search_def def = default_search();
        OWNED_SEARCH *search = made_search(&def);
        wend_request request = default_request();
        request.map = map, request.mover = mover_of(map, size);
        for (int32_t query = 0; query < 40; query++) check_query(w, search, &request, &seed, &sum);
        free(w);
    }
    const int32_t least = (int32_t)worlds / 4;
    cr_assert(sum.known > least && sum.unknown > least && sum.hoped > least, "%d %d %d", sum.known, sum.unknown,
              sum.hoped);
}

Test(unknown, is_what_a_plain_flood_says) {
    check_worlds(1, (uint64_t)enough_or_many(20, 1500));
}

Test(unknown, is_what_a_plain_flood_says_of_large_movers) {
    check_worlds(2, (uint64_t)enough_or_many(10, 800));
    check_worlds(5, (uint64_t)enough_or_many(10, 800));
}

/* ---- by hand ---- */

/* Two chunks in a row of four: a room in each, one with a door to the north. */
static world two_rooms(void) {
    world w = {.corners = WEND_CORNERS_NEVER, .neighbours = 8, .size = 1};
    w.loaded[0] = w.loaded[2] = true;
    memset(w.open, 1, sizeof w.open);
    for (int32_t i = 0; i <= 20; i++)
        for (int32_t x = 10; x <= 140; x += 130)
            w.open[10 * WIDTH + x + i] = w.open[30 * WIDTH + x + i] = w.open[(10 + i) * WIDTH + x] =
                w.open[(10 + i) * WIDTH + x + 20] = 0;
    return w;
}

static int32_t unknown_between(const world *w, wend_cell from, wend_cell to, int32_t reach, wend_status wanted) {
    OWNED_MAP *map = map_of_world(w);
    wend_search_def def = default_search();
    OWNED_SEARCH *search = made_search(&def);
    wend_request request = default_request();
    request.map = map, request.start = from, request.goal = to, request.reach = reach;
    const wend_completion done = ask(search, &request);
    cr_assert_eq(done.status, wanted);
    return done.unknown;
}

static wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

Test(unknown, needs_a_rim_at_both_ends) {
    world w = two_rooms();
    cr_assert_eq(unknown_between(&w, at(0, 0), at(130, 0), 0, WEND_STATUS_NO_PATH), 1);
    cr_assert_eq(unknown_between(&w, at(15, 15), at(130, 0), 0, WEND_STATUS_NO_PATH), 0);
    cr_assert_eq(unknown_between(&w, at(0, 0), at(150, 20), 0, WEND_STATUS_NO_PATH), 0);
    cr_assert_eq(unknown_between(&w, at(15, 15), at(150, 20), 0, WEND_STATUS_NO_PATH), 0);
    w.open[10 * WIDTH + 20] = w.open[10 * WIDTH + 150] = 1;
    cr_assert_eq(unknown_between(&w, at(15, 15), at(150, 20), 0, WEND_STATUS_NO_PATH), 1);
}

Test(unknown, is_said_of_no_path_alone) {
    world w = two_rooms();
    cr_assert_eq(unknown_between(&w, at(0, 0), at(70, 0), 0, WEND_STATUS_GOAL_BLOCKED), 0);
    cr_assert_eq(unknown_between(&w, at(70, 0), at(0, 0), 0, WEND_STATUS_START_BLOCKED), 0);
    cr_assert_eq(unknown_between(&w, at(0, 0), at(50, 50), 0, WEND_STATUS_FOUND), 0);
}

Test(unknown, looks_at_all_that_is_within_reach) {
    const world w = two_rooms();
    cr_assert_eq(unknown_between(&w, at(0, 0), at(150, 20), 9, WEND_STATUS_NO_PATH), 0);
    cr_assert_eq(unknown_between(&w, at(0, 0), at(150, 20), 11, WEND_STATUS_NO_PATH), 1, "beyond the wall");
    cr_assert_eq(unknown_between(&w, at(15, 15), at(150, 20), 110, WEND_STATUS_NO_PATH), 0);
}

Test(unknown, is_never_said_where_all_land_is_loaded) {
    world w = two_rooms();
    memset(w.loaded, true, sizeof w.loaded);
    cr_assert_eq(unknown_between(&w, at(15, 15), at(150, 20), 0, WEND_STATUS_NO_PATH), 0);
}
