/* SPDX-License-Identifier: MIT */
/* Requests through land that is known, but not loaded. A twin map, all of which is loaded, gives the true answers. */
#include "models/defaults.h"
#include "models/few_or_many.h"
#include "models/options.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <wend/wend.h>
#include <wend/stream.h>

enum { SIDE = WEND_CHUNK_SIDE, CHUNKS = 6, WIDTH = CHUNKS * SIDE, MOST = WIDTH * WIDTH };

typedef struct world {
    uint64_t seed;
    wend_map *map, *twin;
    wend_search *search;
    wend_service *service; /* frames keep the layer up to date */
    int32_t mover;
    bool slow;
} world;

static uint32_t dice(world *w, uint32_t below) {
    return draw(&w->seed, below);
}

static void publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void fill(wend_map *map, int32_t x, int32_t y, int32_t width, int32_t height, uint8_t class) {
    const int32_t right = x + width < WIDTH ? x + width : WIDTH, bottom = y + height < WIDTH ? y + height : WIDTH;
    const wend_cell end = {right - 1, bottom - 1, 0};
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{x, y, 0}, end}, class), WEND_OK);
    publish(edit);
}

static int32_t land_of(const world *w, int32_t x, int32_t y) {
    int32_t land;
    cr_assert_eq(wend_map_get_land(w->map, x, y, &land), WEND_OK);
    return land;
}

/* ---- land comes and goes ---- */

static void load(world *w, int32_t x, int32_t y) {
    static uint8_t cells[SIDE * SIDE];
    const wend_box box = {{x * SIDE, y * SIDE, 0}, {x * SIDE + SIDE - 1, y * SIDE + SIDE - 1, 0}};
    cr_assert_eq(wend_map_get_terrain_box(w->twin, box, cells, SIDE), WEND_OK);
    wend_edit *edit = begin_edit(w->map);
    cr_assert_eq(wend_edit_load(edit, x, y, cells, SIDE), WEND_OK);
    publish(edit);
}

static void unload(world *w, int32_t x, int32_t y, int32_t land) {
    wend_edit *edit = begin_edit(w->map);
    cr_assert_eq(wend_edit_unload(edit, x, y, land), WEND_OK);
    publish(edit);
}

static void maintain(world *w, uint64_t effort) {
    cr_assert_eq(wend_map_maintain(w->map, WEND_MAINTAIN_FAR, effort, NULL), WEND_OK);
}

/* Another mover for which slow ground is slower. */
static void add_mover(world *w) {
    wend_mover mover = default_mover();
    mover.factors[3] = 7;
    cr_assert_eq(wend_map_add_mover(w->map, &mover, &w->mover), WEND_OK);
    cr_assert_eq(wend_map_add_mover(w->twin, &mover, &w->mover), WEND_OK);
}

static world world_create(uint64_t seed) {
    world w = {.seed = seed, .slow = seed % 3 == 0};
    wend_map_def def = default_map();
    def.width = def.height = WIDTH;
    cr_assert_eq(wend_map_create(&def, &w.twin), WEND_OK);
    def.streamed = 1;
    cr_assert_eq(wend_map_create(&def, &w.map), WEND_OK);
    const uint32_t walls = 40 + dice(&w, 500);
    for (uint32_t i = 0; i < walls; i++) {
        const bool flat = dice(&w, 2);
        const int32_t length = 2 + (int32_t)dice(&w, 60);
        const uint8_t class = w.slow && dice(&w, 3) == 0 ? 3 : WEND_CLASS_BLOCKED;
        fill(w.twin, (int32_t)dice(&w, WIDTH), (int32_t)dice(&w, WIDTH), flat ? length : 2, flat ? 2 : length, class);
    }
    for (int32_t i = 0; i < CHUNKS * CHUNKS; i++) load(&w, i % CHUNKS, i / CHUNKS);
    if (seed % 4 == 0) add_mover(&w);
    wend_acceleration with = {.struct_bytes = sizeof with};
    wend_acceleration_init(&with, sizeof with);
    with.far = 1, with.mover = w.mover;
    if (seed % 8 < 4) cr_assert_eq(wend_map_accelerate(w.map, &with), WEND_OK); /* else an unload makes the layer */
    cr_assert_eq(wend_map_accelerate(w.twin, &with), WEND_OK);
    wend_service_def service = default_service();
    cr_assert_eq(wend_service_create(&service, &w.service), WEND_OK);
    wend_search_def search = {.struct_bytes = sizeof search};
    wend_search_def_init(&search, sizeof search);
    search.far_nodes = 16384;
    cr_assert_eq(wend_search_create(&search, &w.search), WEND_OK);
    return w;
}

static void world_free(world *w) {
    wend_search_destroy(w->search);
    wend_service_destroy(w->service);
    wend_map_release(w->map);
    wend_map_release(w->twin);
}

/* ---- questions ---- */

static wend_request request_of(const world *w, wend_map *map, wend_cell from, wend_cell to, int32_t mode,
                               int32_t unloaded) {
    wend_request request = path_request(map, from, to);
    request.mode = mode, options_of(&request)->unloaded = unloaded, request.mover = w->mover;
    return request;
}

static wend_completion ask(world *w, wend_map *map, wend_cell from, wend_cell to, int32_t mode, int32_t unloaded,
                           wend_cell *cells) {
    const wend_request request = request_of(w, map, from, to, mode, unloaded);
    cr_assert_eq(wend_search_begin(w->search, &request), WEND_OK);
    cr_assert(wend_search_step(w->search, WEND_NO_LIMIT, NULL) != WEND_STATUS_PENDING);
    wend_completion done = {.struct_bytes = sizeof done};
    cr_assert_eq(wend_search_get_result(w->search, &done), WEND_OK);
    if (done.status == WEND_STATUS_FOUND && cells)
        cr_assert_eq(wend_search_get_path(w->search, cells, MOST, NULL), WEND_OK);
    return done;
}

static bool is_open(const wend_map *map, wend_cell c) {
    uint8_t class;
    cr_assert_eq(wend_map_get_terrain_box(map, (wend_box){c, c}, &class, 1), WEND_OK);
    return class != WEND_CLASS_BLOCKED;
}

static wend_cell some_open(world *w, const wend_map *map) {
    wend_cell c;
    do c = (wend_cell){(int32_t)dice(w, WIDTH), (int32_t)dice(w, WIDTH), 0};
    while (!is_open(map, c));
    return c;
}

static bool is_loaded(const world *w, wend_cell c) {
    return land_of(w, c.x / SIDE, c.y / SIDE) == WEND_LAND_LOADED;
}

static int32_t far_apart(wend_cell a, wend_cell b) {
    const int32_t dx = a.x > b.x ? a.x - b.x : b.x - a.x, dy = a.y > b.y ? a.y - b.y : b.y - a.y;
    return dx + dy;
}

/* Checks a path through known land: its cells are loaded, and its crossings go on from the last of them. */
static void check_answer(world *w, const wend_completion *done, const wend_cell *cells, wend_cell goal) {
    static wend_cell crossings[4096];
    size_t count;
    for (size_t i = 0; i < done->cell_count; i++) cr_assert(is_loaded(w, cells[i]) && is_open(w->map, cells[i]));
    cr_assert_eq(wend_search_get_crossings(w->search, crossings, 4096, &count), WEND_OK);
    cr_assert_eq(count, done->crossing_count);
    size_t first = 0;
    while (first < count && is_loaded(w, crossings[first])) first++;
    cr_assert_eq(done->first_unloaded, first);
    const wend_cell end = cells[done->cell_count - 1];
    if (count == 0)
        cr_assert(end.x == goal.x && end.y == goal.y);
    else if (first == 0)
        cr_assert_eq(far_apart(end, crossings[0]), 1, "the last loaded cell is beside the crossing");
    cr_assert(count == 0 || !done->exact);
}

/* Without edits the map's layer has the twin's costs. Landmarks may lead along another route. */
static void check_cost(world *w, wend_cell from, wend_cell to, int64_t told) {
    const wend_completion twin = ask(w, w->twin, from, to, WEND_MODE_FAR, WEND_UNLOADED_BLOCK, NULL);
    if (twin.crossing_count > 0) cr_assert_leq(told, twin.cost * 102 / 100);
}

static void check_pair(world *w, bool edited, uint64_t *through) {
    static wend_cell cells[MOST];
    const wend_cell from = some_open(w, w->map), to = some_open(w, w->twin);
    if (land_of(w, to.x / SIDE, to.y / SIDE) == WEND_LAND_ABSENT) return;
    const wend_completion truth = ask(w, w->twin, from, to, WEND_MODE_EXACT, WEND_UNLOADED_BLOCK, NULL);
    for (int32_t mode = 0; mode < 2; mode++) {
        const int32_t as = mode ? WEND_MODE_FAR : WEND_MODE_EXACT;
        const wend_completion blocked = ask(w, w->map, from, to, as, WEND_UNLOADED_BLOCK, NULL);
        cr_assert_eq(blocked.first_unloaded, blocked.crossing_count, "block passes no known land");
        const wend_completion done = ask(w, w->map, from, to, as, WEND_UNLOADED_KNOWN, cells);
        if (done.status == WEND_STATUS_FOUND) {
            check_answer(w, &done, cells, to);
            *through += done.first_unloaded < done.crossing_count;
            if (is_loaded(w, to)) {
                cr_assert_eq(truth.status, WEND_STATUS_FOUND);
                cr_assert_geq(done.cost, truth.cost);
                if (!edited && done.crossing_count > 0) check_cost(w, from, to, done.cost);
            }
        } else {
            cr_assert_neq(blocked.status, WEND_STATUS_FOUND);
            if (!edited) cr_assert_neq(truth.status, WEND_STATUS_FOUND);
        }
    }
}

/* The same cell gets the same class on both maps, where it is loaded. */
static void edit_some(world *w) {
    const wend_cell c = some_open(w, w->map);
    const int32_t x = c.x / SIDE * SIDE, y = c.y / SIDE * SIDE;
    for (int i = 0; i < 3; i++) {
        const int32_t left = (int32_t)dice(w, SIDE - 8), top = (int32_t)dice(w, SIDE - 8);
        const bool rim = dice(w, 2);
        const uint8_t class = dice(w, 2) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED;
        fill(w->map, x + (rim ? 0 : left), y + top, 3, 8, class);
        fill(w->twin, x + (rim ? 0 : left), y + top, 3, 8, class);
    }
}

/* A question of a host that calls only frames: the answers are those of a layer that is up to date. */
typedef struct question {
    wend_cell from, to;
    wend_completion done;
} question;

enum { QUESTIONS = 4 };

static void note_answer(void *context, const wend_completion *done) {
    ((question *)context)->done = *done;
}

static void ask_service(world *w, question *all) {
    const wend_budget budget = budget_of(500 + dice(w, 5000));
    for (int i = 0; i < QUESTIONS; i++) {
        all[i] = (question){.from = some_open(w, w->map), .to = some_open(w, w->twin)};
        wend_request request = request_of(w, w->map, all[i].from, all[i].to, WEND_MODE_EXACT, WEND_UNLOADED_KNOWN);
        request.on_done = note_answer, request.context = &all[i];
        cr_assert_eq(wend_service_submit(w->service, &request, NULL), WEND_OK);
    }
    for (int frame = 0; frame < 10000 && wend_service_get_pending(w->service) > 0; frame++)
        cr_assert_eq(wend_service_tick(w->service, &budget, NULL), WEND_OK);
    cr_assert_eq(wend_service_get_pending(w->service), 0);
}

/* A way on loaded land alone is an answer, too: a layer that is up to date may have a cheaper one. */
static void check_asked(world *w, const question *all, uint64_t *by_frames) {
    for (int i = 0; i < QUESTIONS; i++) {
        const wend_completion now = ask(w, w->map, all[i].from, all[i].to, WEND_MODE_EXACT, WEND_UNLOADED_KNOWN, NULL);
        cr_assert_eq(all[i].done.status, now.status, "%s, not %s", wend_status_name(all[i].done.status),
                     wend_status_name(now.status));
        *by_frames += all[i].done.first_unloaded < all[i].done.crossing_count;
    }
}

static void run(uint64_t seed, bool edits, int rounds, uint64_t *through, uint64_t *by_frames) {
    question asked[QUESTIONS];
    OWNED(world_free) world w = world_create(seed);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 6; i++) {
            const int32_t x = (int32_t)dice(&w, CHUNKS), y = (int32_t)dice(&w, CHUNKS);
            if (edits && dice(&w, 2)) edit_some(&w);
            if (land_of(&w, x, y) != WEND_LAND_LOADED)
                load(&w, x, y);
            else if (edits && dice(&w, 8) == 0)
                unload(&w, x, y, WEND_LAND_ABSENT);
            else
                unload(&w, x, y, WEND_LAND_KNOWN);
            if (dice(&w, 3) == 0) maintain(&w, dice(&w, 20) * (uint64_t)WEND_FAR_EFFORT);
        }
        ask_service(&w, asked);
        maintain(&w, WEND_NO_LIMIT);
        check_asked(&w, asked, by_frames);
        for (int i = 0; i < 12; i++) check_pair(&w, edits, through);
    }
}

Test(known, s31_ways_lead_through_land_as_it_was) {
    uint64_t through = 0, by_frames = 0;
    const int rounds = enough_or_many(4, 12), seeds = enough_or_many(3, 200);
    for (int seed = 1; seed <= seeds; seed++) run((uint64_t)seed, false, rounds, &through, &by_frames);
    cr_assert_gt(through, (uint64_t)(seeds * rounds));
    cr_assert_gt(by_frames, (uint64_t)(seeds * rounds / 3));
}

Test(known, ways_that_are_told_exist_after_edits_too) {
    uint64_t through = 0, by_frames = 0;
    const int rounds = enough_or_many(4, 12), seeds = enough_or_many(3, 200);
    for (int seed = 1; seed <= seeds; seed++) run((uint64_t)seed + 1000, true, rounds, &through, &by_frames);
    cr_assert_gt(through, (uint64_t)(seeds * rounds));
    cr_assert_gt(by_frames, (uint64_t)(seeds * rounds / 3));
}

/* A walker loads the land on its way, chunk by chunk, and arrives. */
Test(known, a_walker_arrives_as_its_land_is_loaded) {
    static wend_cell cells[MOST];
    const uint32_t seeds = (uint32_t)few_or_many(3, 40);
    uint32_t arrived = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        OWNED(world_free) world w = world_create(seed);
        wend_cell at = some_open(&w, w.twin);
        const wend_cell to = some_open(&w, w.twin);
        for (int32_t i = 0; i < CHUNKS * CHUNKS; i++)
            if (i != at.y / SIDE * CHUNKS + at.x / SIDE) unload(&w, i % CHUNKS, i / CHUNKS, WEND_LAND_KNOWN);
        const bool reachable = ask(&w, w.twin, at, to, WEND_MODE_EXACT, 0, NULL).status == WEND_STATUS_FOUND;
        for (int legs = 0; legs < CHUNKS * CHUNKS * 2; legs++) {
            maintain(&w, WEND_NO_LIMIT);
            const wend_completion done = ask(&w, w.map, at, to, WEND_MODE_FAR, WEND_UNLOADED_KNOWN, cells);
            if (reachable) cr_assert_eq(done.status, WEND_STATUS_FOUND);
            if (done.status != WEND_STATUS_FOUND) break;
            at = cells[done.cell_count - 1];
            if (done.crossing_count == 0) {
                arrived++;
                break;
            }
            if (done.first_unloaded == done.crossing_count) continue;
            static wend_cell crossings[4096];
            cr_assert_eq(wend_search_get_crossings(w.search, crossings, 4096, NULL), WEND_OK);
            const wend_cell next = crossings[done.first_unloaded];
            load(&w, next.x / SIDE, next.y / SIDE);
        }
    }
    cr_assert_gt(2 * arrived, seeds);
}
