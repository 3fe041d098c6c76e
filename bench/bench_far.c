/* SPDX-License-Identifier: MIT */
/* Routes across the far layer, compared with exact jump search in the same run: what making the layer takes, its bytes,
 * a route, its first part, a leg; and what a unit walks that follows the route, by the optimum. Repairs after edits of
 * one cell. A MAP is a file, or caves, city, rooms or noise of SIDE cells, made here; `MAP:N` is N x N tiles of it,
 * which have to be connected. Maps of more than 2^28 cells have no tables and no landmarks, and nothing is searched
 * exactly: a route's own bound stands for the optimum.
 *
 *   bench_far [SIDE [QUERIES [MAP ...]]]   default 8192, 100, all four that are made here */
#include "scenery.h"
#include "../tests/models/both.h"

#include "fast/far/far_layer.h"
#include "map/version/version.h"
#include "fast/routes/far_route.h"
#include <wend/stream.h>
#include <wend/ways.h>

enum { NODES = 1 << 17, ROOM = 1 << 16, REPEAT = 2, EDITS = 200 };

typedef struct figures {
    samples route_us, kept_us, begin_us, all_us, first_part_us, part_us, leg_us, exact_ms, estimate, walked;
    uint64_t lost;
    double longest_us; ///< the longest leg
    uint64_t longest_expansions;
} figures;

static wend__far_finder *finder;
static wend_search *search;
static wend_cell cells[1 << 20];
static bool exactly; ///< compares with exact searches

/* ---- walking ---- */

typedef struct list {
    wend__far_route of;
    wend__far_crossing_at at[ROOM];
} list;

static wend__far_route *emptied(list *l) {
    l->of = (wend__far_route){.crossings = l->at, .room = ROOM};
    return &l->of;
}

/* All parts of a route, one after another, as a list one level lower. */
static bool refine(const wend__version *v, const list *route, wend_cell start, wend_cell goal, list *out, figures *f) {
    static list parts[2];
    const wend__far_route *before = NULL;
    wend_cell from = start;
    emptied(out);
    for (unsigned k = 0;; k ^= 1) {
        double least = 1e18;
        for (int i = 0; i < REPEAT; i++) {
            const double begin = cpu_us();
            wend__far_find_part(finder, v, &route->of, before, from, goal, emptied(&parts[k]));
            const double us = cpu_us() - begin;
            if (us < least) least = us;
        }
        const wend__far_route *part = &parts[k].of;
        if (!part->found) return false;
        note(&f->part_us, least);
        if (!before && v->far->levels - 1 == route->of.level) note(&f->first_part_us, least);
        memcpy(out->at + out->of.count, part->crossings, part->count * sizeof *out->at);
        out->of.count += part->count;
        out->of.level = part->level;
        if (part->last) return true;
        from = wend__far_cell_of(part->crossings[part->count - 1]);
        before = part;
    }
}

static wend_completion search_now(wend_map *map, wend_cell from, wend_cell to, double *us) {
    const wend_request request = path_request(map, from, to);
    const double begin = cpu_us();
    check(wend_search_begin(search, &request));
    while (!wend_search_step(search, UINT64_MAX, NULL)) {
    }
    *us = cpu_us() - begin;
    return result_now(search);
}

static bool same_chunk(wend_cell a, wend_cell b) {
    return a.x >> 6 == b.x >> 6 && a.y >> 6 == b.y >> 6;
}

/* Walks a route of level 0 in legs: each leads three crossings ahead, and two are walked of it. 0: a leg is lost. */
static uint64_t walk(wend_map *map, const list *route, wend_cell start, wend_cell goal, figures *f) {
    uint64_t cost = 0;
    uint32_t next = 0;
    for (wend_cell at = start;;) {
        const uint32_t end = next + WEND__FAR_LEG_AHEAD - 1;
        const bool last = end >= route->of.count;
        double us;
        const wend_completion leg = search_now(map, at, last ? goal : wend__far_cell_of(route->at[end]), &us);
        if (leg.status != WEND_STATUS_FOUND) return 0;
        note(&f->leg_us, us);
        if (us > f->longest_us) f->longest_us = us, f->longest_expansions = leg.expansions;
        size_t count;
        check(wend_search_get_path(search, cells, sizeof cells / sizeof *cells, &count));
        size_t steps = leg.cell_count - 1, borders = 0;
        for (size_t i = 1; i < leg.cell_count && !last; i++)
            if (!same_chunk(cells[i - 1], cells[i]) && ++borders == WEND__FAR_LEG_KEEP) {
                steps = i;
                break;
            }
        uint64_t part;
        check(wend_map_path_cost(map, WEND_MOVER_DEFAULT, cells, steps + 1, NULL, &part));
        cost += part;
        at = cells[steps];
        if (last) return cost;
        for (uint32_t i = end + 1; i-- > next;)
            if (same_chunk(wend__far_cell_of(route->at[i]), at)) next = i + 1;
    }
}

/* ---- queries ---- */

/* Forgets the ends of the route before. */
static void forget(bool goal_too) {
    finder->ends[0].levels = 0;
    if (goal_too) finder->ends[1].levels = 0;
}

/* A route; with its goal's side kept, the least of REPEAT. */
static double time_route(const wend__version *v, wend_cell start, wend_cell goal, bool kept, list *route) {
    double least = 1e18;
    for (int i = 0; i < REPEAT; i++) {
        forget(!kept);
        const double begin = cpu_us();
        wend__far_find(finder, v, start, goal, emptied(route));
        const double us = cpu_us() - begin;
        if (us < least) least = us;
    }
    return least;
}

/* A route with a number of crossings of level 0, as a request finds it. */
static double time_all(const wend__version *v, wend_cell start, wend_cell goal, uint32_t least_crossings) {
    double least = 1e18;
    for (int i = 0; i < REPEAT; i++) {
        wend__far_route route;
        forget(true);
        const double begin = cpu_us();
        wend__far_find_all(finder, v, start, goal, least_crossings, &route);
        const double us = cpu_us() - begin;
        if (us < least) least = us;
    }
    return least;
}

static void query(wend_map *map, const wend__version *v, wend_cell start, wend_cell goal, figures *f) {
    static list lists[WEND__FAR_LEVELS];
    double exact;
    list *route = &lists[WEND__FAR_LEVELS - 1];
    const double fresh = time_route(v, start, goal, false, route);
    if (!route->of.found) {
        f->lost++;
        return;
    }
    note(&f->route_us, fresh);
    note(&f->kept_us, time_route(v, start, goal, true, route));
    const uint64_t estimate = route->of.cost;
    note(&f->begin_us, time_all(v, start, goal, WEND__FAR_BEGIN));
    note(&f->all_us, time_all(v, start, goal, UINT32_MAX));
    for (int32_t level = route->of.level; level > 0; level--) {
        if (!refine(v, route, start, goal, &lists[level - 1], f)) {
            f->lost++;
            return;
        }
        route = &lists[level - 1];
    }
    const uint64_t walked = walk(map, route, start, goal, f);
    if (walked == 0) {
        f->lost++;
        return;
    }
    const uint64_t best = exactly ? (uint64_t)search_now(map, start, goal, &exact).cost : estimate;
    if (exactly) note(&f->exact_ms, exact / 1000);
    note(&f->estimate, (double)estimate / (double)best);
    note(&f->walked, (double)walked / (double)best);
}

static void edit_cells(wend_map *map, int32_t side, uint64_t *seed, samples *publish_us, samples *repair_us) {
    for (int i = 0; i < EDITS; i++) {
        const wend_cell c = draw_cell(side, side, seed);
        const double begin = cpu_us();
        wend_edit *edit = begin_edit(map);
        check(wend_edit_fill_box(edit, (wend_box){c, c}, i % 2 ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED));
        check(wend_edit_publish(edit, NULL));
        note(publish_us, cpu_us() - begin);
        const double repair = cpu_us();
        check(wend__map_repair_far(map, UINT64_MAX, NULL));
        note(repair_us, cpu_us() - repair);
    }
}

/* Times publishes without the layer. */
static void print_publishes(const char *name, const char *with, wend_map *map) {
    const wend_map_info info = info_now(map);
    samples publish_us = {0}, none = {0};
    uint64_t seed = 3;
    edit_cells(map, info.width < info.height ? info.width : info.height, &seed, &publish_us, &none);
    printf("%s: %s publish %.0f us, p99 %.0f\n", name, with, mean(publish_us.values, EDITS),
           percentile(publish_us.values, EDITS, 990));
    clear(&publish_us), clear(&none);
}

static void print(const char *name, figures *f) {
    printf("%s: with its beginning %.0f us, most %.0f; with all parts %.0f, most %.0f\n", name,
           mean(f->begin_us.values, f->begin_us.count), percentile(f->begin_us.values, f->begin_us.count, 1000),
           mean(f->all_us.values, f->all_us.count), percentile(f->all_us.values, f->all_us.count, 1000));
    printf("%s: routes %.0f us, most %.0f; with the goal's side kept %.0f, most %.0f; first part %.0f, most %.0f; "
           "parts %.0f, most %.0f; legs %.0f, most %.0f with %" PRIu64
           " expansions; exact %.2f ms; estimate %.4f, most %.4f; walked %.4f, most "
           "%.4f; lost %" PRIu64 "\n",
           name, mean(f->route_us.values, f->route_us.count), percentile(f->route_us.values, f->route_us.count, 1000),
           mean(f->kept_us.values, f->kept_us.count), percentile(f->kept_us.values, f->kept_us.count, 1000),
           mean(f->first_part_us.values, f->first_part_us.count),
           percentile(f->first_part_us.values, f->first_part_us.count, 1000), mean(f->part_us.values, f->part_us.count),
           percentile(f->part_us.values, f->part_us.count, 1000), mean(f->leg_us.values, f->leg_us.count),
           f->longest_us, f->longest_expansions, exactly ? mean(f->exact_ms.values, f->exact_ms.count) : 0,
           mean(f->estimate.values, f->estimate.count), percentile(f->estimate.values, f->estimate.count, 1000),
           mean(f->walked.values, f->walked.count), percentile(f->walked.values, f->walked.count, 1000), f->lost);
}

/* ---- links ---- */

static wend_cell open_cell(wend_map *map, int32_t width, int32_t height, uint64_t *seed) {
    for (;;) {
        uint8_t class;
        const wend_cell c = draw_cell(width, height, seed);
        check(wend_map_get_terrain(map, c, &class));
        if (class != WEND_CLASS_BLOCKED) return c;
    }
}

/* Routes with all their parts on the same map with links, each both ways, of the cost of 100 steps. */
static void measure_links(const char *name, wend_map *map, int32_t width, int32_t height, int links, int queries) {
    static list route;
    figures f = {0};
    samples all_us = {0}, none_us = {0};
    uint64_t seed = 7;
    wend_edit *edit = begin_edit(map);
    for (int i = 0; i < links; i++)
        check(add_link_both(edit, open_cell(map, width, height, &seed), open_cell(map, width, height, &seed), 1000));
    check(wend_edit_publish(edit, NULL));
    check(wend__map_repair_far(map, UINT64_MAX, NULL));
    wend__version *v = wend__map_acquire(map, false);
    while (all_us.count < (size_t)queries) {
        wend__far_route found;
        const wend_cell a = draw_cell(width, height, &seed), b = draw_cell(width, height, &seed);
        if (abs(a.x - b.x) + abs(a.y - b.y) < (width + height) * 3 / 10) continue;
        if (!is_connected(map, WEND_MOVER_DEFAULT, a, b)) continue;
        note(&all_us, time_all(v, a, b, UINT32_MAX));
        forget(true);
        double us = cpu_us();
        wend__far_find_ground(finder, v, a, b, UINT32_MAX, &found);
        note(&none_us, cpu_us() - us);
        wend__far_find_all(finder, v, a, b, UINT32_MAX, &found);
        need(found.found, "a route by links");
        emptied(&route)->count = found.count;
        memcpy(route.at, found.crossings, found.count * sizeof *route.at);
        const uint64_t told = found.cost, walked = walk(map, &route, a, b, &f);
        const wend_completion best = search_now(map, a, b, &us);
        note(&f.exact_ms, us / 1000);
        note(&f.estimate, (double)told / (double)best.cost);
        note(&f.walked, (double)walked / (double)best.cost);
    }
    wend__map_release(v, false);
    printf(
        "%s: %d links: a route with all parts %.0f us, most %.0f (without links %.0f, %.0f); exact %.2f ms; estimate "
        "%.4f, most %.4f; walked %.4f, most %.4f; longest leg %.0f us with %" PRIu64 " expansions\n",
        name, links, mean(all_us.values, all_us.count), percentile(all_us.values, all_us.count, 1000),
        mean(none_us.values, none_us.count), percentile(none_us.values, none_us.count, 1000),
        mean(f.exact_ms.values, f.exact_ms.count), mean(f.estimate.values, f.estimate.count),
        percentile(f.estimate.values, f.estimate.count, 1000), mean(f.walked.values, f.walked.count),
        percentile(f.walked.values, f.walked.count, 1000), f.longest_us, f.longest_expansions);
}

static void measure(const char *name, wend_map *map, int32_t width, int32_t height, int queries) {
    figures f = {0};
    samples publish_us = {0}, repair_us = {0};
    uint64_t seed = 1;
    const double begin = cpu_us();
    check(wend__map_prepare_far(map, WEND_MOVER_DEFAULT, 0));
    const double made = cpu_us() - begin;
    wend__version *v = wend__map_acquire(map, false);
    const double chunks = (double)v->chunk_columns * v->chunk_rows;
    printf("%s: %d x %d, %d levels: made in %.3f ms a chunk, %.4f bytes a cell, %.0f a chunk\n", name, width, height,
           v->far->levels, made / 1000 / chunks, (double)wend__far_bytes(v->far) / width / height,
           (double)wend__far_bytes(v->far) / chunks);
    while (f.route_us.count + f.lost < (size_t)queries) {
        const wend_cell a = draw_cell(width, height, &seed), b = draw_cell(width, height, &seed);
        if (abs(a.x - b.x) + abs(a.y - b.y) < (width + height) * 3 / 10) continue;
        if (is_connected(map, WEND_MOVER_DEFAULT, a, b)) query(map, v, a, b, &f);
    }
    wend__map_release(v, false);
    print(name, &f);
    edit_cells(map, width < height ? width : height, &seed, &publish_us, &repair_us);
    printf("%s: publish %.0f us, p99 %.0f; repair %.0f us, p99 %.0f\n", name, mean(publish_us.values, EDITS),
           percentile(publish_us.values, EDITS, 990), mean(repair_us.values, EDITS),
           percentile(repair_us.values, EDITS, 990));
    if (exactly) measure_links(name, map, width, height, 20, queries < 20 ? queries : 20);
    wend_map_release(map);
}

/* ---- maps ---- */

static wend_map *make_map(const char *name, int32_t side) {
    wend_map *map;
    if (strcmp(name, "caves") == 0) return make_ground(fill_caves, side);
    if (strcmp(name, "city") == 0) return make_ground(fill_city, side);
    if (strcmp(name, "rooms") == 0) return bench_map_rooms(side, 64);
    if (strcmp(name, "noise") == 0) return make_ground(fill_noise_20, side);
    check(wend_map_load(name, NULL, &map, NULL, NULL));
    return map;
}

/* Copies of a map next to each other, loaded chunk by chunk: a copy of all its cells in one piece would take as much
 * memory again. The map's sides are cut to whole chunks. */
static wend_map *tile(wend_map *map, int32_t copies) {
    const wend_map_info info = info_now(map);
    const int32_t columns = info.width / WEND_CHUNK_SIDE, rows = info.height / WEND_CHUNK_SIDE;
    uint8_t *classes = malloc((size_t)info.width * (size_t)info.height);
    wend_map_def def = default_map();
    wend_map *tiles;
    need(classes, "memory");
    for (wend_cell c = {0, 0, 0}; c.y < info.height; c.y++)
        for (c.x = 0; c.x < info.width; c.x++)
            check(wend_map_get_terrain(map, c, &classes[(size_t)c.y * (size_t)info.width + (size_t)c.x]));
    def.width = columns * WEND_CHUNK_SIDE * copies, def.height = rows * WEND_CHUNK_SIDE * copies, def.streamed = 1;
    check(wend_map_create(&def, &tiles));
    for (int32_t row = 0; row < rows * copies; row++) {
        wend_edit *edit = begin_edit(tiles);
        for (int32_t column = 0; column < columns * copies; column++)
            check(wend_edit_load(edit, column, row,
                                 classes + (size_t)(row % rows * WEND_CHUNK_SIDE) * (size_t)info.width +
                                     column % columns * WEND_CHUNK_SIDE,
                                 (size_t)info.width));
        check(wend_edit_publish(edit, NULL));
    }
    free(classes);
    wend_map_release(map);
    return tiles;
}

static void measure_named(const char *argument, int32_t side, int queries) {
    char name[4096];
    const char *colon = strrchr(argument, ':');
    const int32_t copies = colon ? atoi(colon + 1) : 1;
    snprintf(name, sizeof name, "%.*s", (int)(colon ? colon - argument : (ptrdiff_t)strlen(argument)), argument);
    wend_map *map = make_map(name, side);
    if (copies > 1) map = tile(map, copies);
    const wend_map_info info = info_now(map);
    wend_acceleration def = default_acceleration();
    print_publishes(argument, "bare", map);
    def.far = 0, def.landmarks = 0; /* the layer is timed by itself */
    exactly = (uint64_t)info.width * (uint64_t)info.height <= UINT64_C(1) << 28;
    if (exactly) {
        check(wend_map_accelerate(map, &def));
        print_publishes(argument, "with tables", map);
        def.landmarks = 4;
        check(wend_map_accelerate(map, &def));
        print_publishes(argument, "with tables and landmarks", map);
    }
    printf("%s: %.0f MB without the layer\n", argument, (double)info_now(map).bytes / (1 << 20));
    measure(argument, map, info.width, info.height, queries);
}

int main(int argc, char **argv) {
    static const char *const made[] = {"caves", "city", "rooms", "noise"};
    const int32_t side = argc > 1 ? atoi(argv[1]) : 8192;
    const int queries = argc > 2 ? atoi(argv[2]) : 100;
    setvbuf(stdout, NULL, _IOLBF, 0);
    wend_search_def def = default_search();
    def.nodes = UINT64_C(1) << 26;
    check(wend_search_create(&def, &search));
    finder = malloc(wend__far_finder_bytes(NODES));
    need(finder, "memory");
    wend__far_finder_init(finder, NODES);
    for (int i = 3; i < argc; i++) measure_named(argv[i], side, queries);
    for (int i = 0; i < 4 && argc <= 3; i++) measure_named(made[i], side, queries);
    return 0;
}
