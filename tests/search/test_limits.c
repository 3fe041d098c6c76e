/* SPDX-License-Identifier: MIT */
/* A search at its limits: pages, records of 27 bits, expansions, memory, and the cost of begin(). */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "models/counting.h"
#include "models/worlds.h"
#include "search/engines.h"
#include "models/defaults.h"
#include "models/options.h"
#include "models/kept.h"

static wend_map *open_map(int width, int height) {
    return grid_map(width, height);
}

static wend_search *search_of(uint64_t pages) {
    wend_search_def def = default_search();
    def.nodes = pages * WEND_PAGE_NODES;
    return made_search(&def);
}

static wend_request between(wend_map *map, int x0, int y0, int x1, int y1) {
    wend_request request = path_request(map, (wend_cell){x0, y0, 0}, (wend_cell){x1, y1, 0});
    return request;
}

static int32_t run(wend_search *search, const wend_request *request) {
    cr_assert_eq(wend_search_begin(search, request), WEND_OK);
    return wend_search_step(search, WEND_NO_LIMIT, NULL);
}

Test(search_limits, one_page_serves_a_map_of_one_chunk) {
    OWNED_MAP *map = open_map(64, 64);
    OWNED_SEARCH *search = search_of(1);
    wend_request request = between(map, 0, 0, 63, 63);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
}

/* A corridor through exactly five chunks needs five pages, and four are one too few. */
Test(search_limits, runs_out_of_nodes_one_page_short) {
    OWNED_MAP *map = open_map(5 * 64, 1);
    wend_request request = between(map, 0, 0, 5 * 64 - 1, 0);
    for (uint64_t pages = 1; pages <= 6; pages++) {
        OWNED_SEARCH *search = search_of(pages);
        wend_status status = run(search, &request);
        cr_assert_eq(status, pages < 5 ? WEND_STATUS_OUT_OF_NODES : WEND_STATUS_FOUND, "%d pages", (int)pages);
        wend_completion completion = result_now(search);
        cr_assert_eq(completion.cost, pages < 5 ? -1 : (5 * 64 - 1) * 10);
        size_t count;
        cr_assert_eq(wend_search_get_path(search, NULL, 0, &count), pages < 5 ? WEND_EMPTY : WEND_OK);
        cr_assert_eq(run(search, &request), status, "and the same again with the same memory");
    }
}

/* A goal at a page's rim: near it, the search requests no page beyond. */
Test(search_limits, needs_no_page_beyond_the_goal) {
    OWNED_MAP *map = open_map(6 * 64, 1);
    wend_request request = between(map, 0, 0, 5 * 64 - 1, 0);
    OWNED_SEARCH *search = search_of(5);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
    request.goal.x++;
    cr_assert_eq(run(search, &request), WEND_STATUS_OUT_OF_NODES);
}

Test(search_limits, a_search_over_many_pages_changes_to_the_larger_directory) {
    OWNED_MAP *map = open_map(64 * 300, 2); /* 300 pages: the larger directory begins at 256 */
    OWNED_SEARCH *search = search_of(300);
    wend_request request = between(map, 0, 0, 64 * 300 - 1, 1);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
    wend_completion completion = result_now(search);
    cr_assert_eq(completion.cost, (64 * 300 - 2) * 10 + 14);
    cr_assert_eq(completion.cell_count, 64 * 300);
}

Test(search_limits, most_expansions_are_exact) {
    OWNED_MAP *map = open_map(100, 1);
    OWNED_SEARCH *search = search_of(2);
    wend_request request = between(map, 0, 0, 99, 0);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
    wend_completion completion = result_now(search);
    uint64_t needed = completion.expansions;
    for (uint64_t limit = needed - 1; limit <= needed + 1; limit++) {
        options_of(&request)->max_expansions = limit;
        for (uint64_t slice = 1; slice <= 3 * needed; slice *= 3) {
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            wend_status status;
            while ((status = wend_search_step(search, slice, NULL)) == WEND_STATUS_PENDING) continue;
            cr_assert_eq(status, limit < needed ? WEND_STATUS_LIMIT : WEND_STATUS_FOUND);
            wend_search_get_result(search, &completion);
            cr_assert_eq(completion.expansions, limit < needed ? limit : needed);
        }
    }
    options_of(&request)->max_expansions = 0;
    cr_assert_eq(run(search, &request), WEND_STATUS_LIMIT);
    request.goal = request.start;
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND, "what needs no search is answered all the same");
}

/* A long snake on the slowest ground: its cost outgrows 27 bits on the way, which the estimate does not show. */
Test(search_limits, goes_on_with_wide_records_where_27_bits_are_too_few) {
    enum { SIDE = 63 };
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, SIDE, SIDE, 1);
    grid.rules.cost_straight = 10007, grid.rules.cost_diagonal = 14143; /* no common divisor */
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            bool wall = y % 2 == 1 && x != (y % 4 == 1 ? SIDE - 1 : 0);
            grid.terrain[y * SIDE + x] = wall ? 0 : 9;
        }
    wend_map *map = world_map(&grid);
    wend_search *search = search_of(4);
    wend_request request = between(map, 0, 0, SIDE - 1, SIDE - 1);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
    wend_completion completion = result_now(search);
    cr_assert_gt(completion.cost, INT64_C(1) << 27, "the case must really occur");
    cr_assert_eq(completion.cost, world_cost(&grid, request.start, request.goal));
    static wend_cell cells[SIDE * SIDE];
    size_t count;
    cr_assert_eq(wend_search_get_path(search, cells, SIDE * SIDE, &count), WEND_OK);
    cr_assert_eq(world_path(&grid, request.start, request.goal, cells, count), completion.cost);
    uint64_t whole = completion.expansions;
    cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
    while (wend_search_step(search, 7, NULL) == WEND_STATUS_PENDING) continue;
    wend_search_get_result(search, &completion);
    cr_assert_eq(completion.expansions, whole, "also in slices");
    wend_search_destroy(search);
    wend_map_release(map);
    world_free(&grid);
}

/* Corridors up and down on even ground: there nodes on a straight way are expanded without being pushed, until
 * the way's cost outgrows 27 bits in the midst of one. */
Test(search_limits, goes_on_with_wide_records_in_the_midst_of_a_corridor) {
    enum { WIDTH = 263, HEIGHT = 512, ROUND = HEIGHT + 1, STRAIGHT = 2044 };
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, WIDTH, HEIGHT, 1);
    grid.rules.cost_straight = STRAIGHT, grid.rules.cost_diagonal = STRAIGHT + 1; /* a bucket for each cost */
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        grid.terrain[i] = x % 2 == 0 || y == (x % 4 == 1 ? HEIGHT - 1 : 0);
    }
    wend_map *map = world_map(&grid);
    wend_search *search = search_of(100);
    const int before = ((1 << 27) / STRAIGHT) % ROUND; /* distance of the event from the beginning of a corridor */
    for (int y = 20; y < 52; y += 4) {                 /* in the midst of a page, towards the goal */
        const wend_request request = between(map, 2, 6 * 64 + y + before, WIDTH - 1, 0);
        cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
        wend_completion completion = result_now(search);
        cr_assert_gt(completion.cost, INT64_C(1) << 27, "the case must really occur");
        cr_assert_eq(completion.cost, (int64_t)STRAIGHT * (request.start.y + (WIDTH / 2 - 1) * ROUND));
    }
    wend_search_destroy(search);
    wend_map_release(map);
    world_free(&grid);
}

/* As with a pool of any size: the same cells after the same expansions. */
static void needs_no_more_pages(const world *grid, wend_request request, uint64_t pages) {
    static wend_cell cells[2][512 * 512];
    wend_completion completions[2];
    size_t counts[2];
    request.map = world_map(grid);
    for (int large = 0; large < 2; large++) {
        OWNED_SEARCH *search = search_of(large ? 4 * pages : pages);
        cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
        while (wend_search_step(search, large ? 1009 : WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
        completions[large].struct_bytes = sizeof completions[large];
        wend_search_get_result(search, &completions[large]);
        cr_assert_eq(completions[large].status, WEND_STATUS_FOUND, "%d", completions[large].status);
        cr_assert_eq(wend_search_get_path(search, cells[large], 512 * 512, &counts[large]), WEND_OK);
    }
    cr_assert_eq(completions[0].expansions, completions[1].expansions);
    cr_assert_eq(counts[0], counts[1]);
    cr_assert_arr_eq(cells[0], cells[1], counts[0] * sizeof(wend_cell));
    int64_t cost = world_path(grid, request.start, request.goal, cells[0], counts[0]);
    cr_assert_eq(cost, completions[0].cost);
    wend_map_release(request.map);
}

/* Weighted searches open nodes again and again on slow ground: 27 entries of 28 and more are out of date when
 * the room is full. */
Test(search_limits, entries_out_of_date_do_not_fill_the_open_list) {
    enum { SIDE = 128 };
    for (int round = 0; round < 3; round++) {
        oracle_random random = {(uint64_t)(3 + round)};
        world grid = {0};
        world_begin(&grid, WEND_KIND_GRID, SIDE, SIDE, 1);
        world_scatter(&grid, &random, 0, 0.6, 252);
        wend_request request = between(NULL, 0, 0, SIDE - 1, SIDE - 1);
        options_of(&request)->weight_milli = 2500;
        needs_no_more_pages(&grid, request, 2 * (SIDE / 64) * (SIDE / 64)); /* two pages a chunk: the whole map */
        world_free(&grid);
    }
}

/* Cheap lines on expensive ground: every expensive cell is entered twice long before its turn comes, first by an
 * expensive diagonal. */
Test(search_limits, waiting_entries_do_not_fill_the_open_list) {
    enum { SIDE = 512 };
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, SIDE, SIDE, 1);
    grid.rules.corners = WEND_CORNERS_ALWAYS, grid.rules.factors[2] = grid.movers[0].factors[2] = 255;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) grid.terrain[y * SIDE + x] = y % 3 == 1 || x == SIDE / 2 ? 1 : 2;
    wend_request request = between(NULL, SIDE / 2, SIDE / 2, SIDE - 1, SIDE - 2);
    options_of(&request)->heuristic = WEND_HEURISTIC_ZERO;
    needs_no_more_pages(&grid, request, (SIDE / 64) * (SIDE / 64));
    world_free(&grid);
}

/* Returns the cell of a corridor to and fro after this number of steps. */
static wend_cell in_corridor(int32_t steps) {
    const int32_t row = steps / 65, along = steps % 65;
    const int32_t x = along == 64 ? 63 : along;
    return (wend_cell){row % 2 == 0 ? x : 63 - x, 2 * row + (along == 64), 0};
}

/* An open page holds 4,096 directions: paths of as many are read from there, longer ones from the records. */
Test(search_limits, reads_paths_as_long_as_an_open_page_and_longer) {
    enum { STEPS = 4200, ROWS = 2 * (STEPS / 65 + 1) };
    static const int32_t lengths[] = {0, 1, 64, 4095, 4096, 4097, STEPS};
    static wend_cell cells[STEPS + 1];
    static uint8_t directions[STEPS + 1];
    world grid = {0};
    world_begin(&grid, WEND_KIND_GRID, 64, ROWS, 1);
    memset(grid.terrain, 0, (size_t)grid.cells);
    for (int32_t i = 0; i <= STEPS; i++) grid.terrain[in_corridor(i).y * 64 + in_corridor(i).x] = 1;
    wend_map *map = world_map(&grid);
    wend__version *version = wend__map_acquire(map, true);
    void *memory = aligned_alloc(64, wend__pool_bytes(3, 1) / 64 * 64 + 64);
    wend__pool pool;
    wend__stock stock = {.page_count = 0};
    wend__search *search = malloc(sizeof(wend__search_memory));
    wend__pool_init(&pool, memory, 3, 1);
    wend__search_init(search, &pool);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const wend_cell end = in_corridor(lengths[i]);
        const wend_request request = between(map, 0, 0, end.x, end.y);
        wend__search_begin(search, version, KEPT(&request));
        while (search->status == WEND_STATUS_PENDING) {
            wend__pool_grant(&pool, &stock, 1, 1);
            wend__search_step(search, &stock, 100);
        }
        cr_assert_eq(search->status, WEND_STATUS_FOUND);
        cr_assert_eq(search->steps, (uint64_t)lengths[i]);
        cells[lengths[i] / 2] = cells[lengths[i]] = (wend_cell){-1, -1, -1};
        wend__search_cells(search, cells, (uint64_t)lengths[i] / 2);
        cr_assert_eq(cells[lengths[i] / 2].z, -1, "no more than asked for");
        wend__search_cells(search, cells, (uint64_t)lengths[i] + 1);
        directions[lengths[i]] = 99;
        cr_assert(wend__search_directions(search, directions));
        cr_assert_eq(directions[lengths[i]], 99, "no more than there are");
        for (int32_t n = 0; n <= lengths[i]; n++) {
            const wend_cell at = in_corridor(n), to = in_corridor(n + 1);
            cr_assert_eq(memcmp(&cells[n], &at, sizeof at), 0, "cell %d of %d", n, lengths[i]);
            if (n == lengths[i]) break;
            cr_assert_eq(at.x + wend__dx[directions[n]], to.x, "step %d of %d", n, lengths[i]);
            cr_assert_eq(at.y + wend__dy[directions[n]], to.y, "step %d of %d", n, lengths[i]);
        }
        wend__search_drop(search);
        wend__pool_return(&pool, &stock);
    }
    wend__map_release(version, true);
    wend_map_release(map);
    free(search);
    free(memory);
    world_free(&grid);
}

Test(search_limits, begin_and_a_short_search_cost_nothing_for_a_large_map) {
    OWNED_MAP *map = open_map(16384, 16384);
    OWNED_SEARCH *search = search_of(1);
    wend_request request = between(map, 8200, 8200, 8210, 8205);
    cr_assert_eq(run(search, &request), WEND_STATUS_FOUND, "one page is enough anywhere");
}

Test(search_limits, allocates_once_what_it_said_and_nothing_after) {
    counting counts = {.fail_from = 2};
    OWNED_MAP *map = open_map(200, 200);
    wend_search_def def = default_search();
    def.allocator = counting_allocator(&counts);
    wend_search *search = made_search(&def);
    cr_assert_eq(counts.bytes, wend__search_bytes(&def));
    wend_request request = between(map, 0, 0, 199, 199);
    for (int i = 0; i < 3; i++) cr_assert_eq(run(search, &request), WEND_STATUS_FOUND);
    cr_assert_eq(counts.calls, 1);
    wend_search_destroy(search);
    cr_assert_eq(counts.bytes, 0);
    cr_assert_eq(wend_search_create(&def, &search), WEND_OUT_OF_MEMORY);
}

Test(search_limits, refuses_bad_definitions_and_requests) {
    wend_search_def def = default_search();
    OWNED_SEARCH *search = NULL;
    def.nodes = 0;
    cr_assert_eq(wend_search_create(&def, &search), WEND_BAD_ARGUMENT);
    def.nodes = ((UINT64_C(1) << 20) - 1) * WEND_PAGE_NODES;
    bool addressable = SIZE_MAX > UINT32_MAX;
    cr_assert_eq(wend__search_bytes(&def) != 0, addressable, "as many pages as a node's id can name");
    def.nodes++;
    cr_assert_eq(wend__search_bytes(&def), 0);
    wend_search_def_init(&def, sizeof def);
    def.struct_bytes = offsetof(wend_search_def, far_nodes) - 1;
    cr_assert_eq(wend_search_create(&def, &search), WEND_BAD_ARGUMENT);
    search = search_of(1);
    OWNED_MAP *map = open_map(3, 3);
    const wend_request good = between(map, 0, 0, 2, 2);
    wend_request bad[12];
    for (int i = 0; i < 12; i++) bad[i] = good;
    bad[0].struct_bytes = 0, bad[1].map = NULL, bad[2].mode = 3, bad[3].urgency = WEND_URGENCY_MAX + 1;
    bad[4].urgency = WEND_URGENCY_MIN - 1, options_of(&bad[5])->engine = WEND_ENGINE_JUMP + 1,
    options_of(&bad[6])->engine = -1, options_of(&bad[7])->heuristic = 4;
    options_of(&bad[8])->heuristic = -1, options_of(&bad[9])->weight_milli = 999,
    options_of(&bad[10])->weight_milli = WEND_WEIGHT_MAX_MILLI + 1;
    bad[11].deadline_frames = 0;
    for (int i = 0; i < 12; i++) cr_assert_eq(wend_search_begin(search, &bad[i]), WEND_BAD_ARGUMENT, "case %d", i);
    cr_assert_eq(wend_search_begin(search, NULL), WEND_BAD_ARGUMENT);
    wend_search_destroy(NULL);
}
