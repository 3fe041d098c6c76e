/* SPDX-License-Identifier: MIT */
/* Times flow fields on flat maps given as arguments: making one next to a plain Dijkstra, repairing it after edits of
 * one cell, asking it, and a minute of agents that walk to one goal while cells close on their ways, by a field and by
 * lone searches. CSV. */
#include "harness.h"
#include "plain_dijkstra.h"
#include <wend/layers.h>
#include <wend/query.h>

enum { REPEATS = 9, EDITS = 301, ASKS = 2000000 };
enum {
    AGENTS = 1000,
    FRAMES = 1200,
    FRAMES_A_STEP = 4,
    FRAMES_AN_EDIT = 4,
    FRAMES_CLOSED = 40,
    AHEAD = 12,
    CLOSED = 64
};

static void report(const char *map, const char *figure, double value, const char *unit) {
    printf("%s,%s,%.4g,%s\n", map, figure, value, unit);
}

static void report_of(const char *map, const char *figure, const char *which, double value, const char *unit) {
    printf("%s,%s%s,%.4g,%s\n", map, figure, which, value, unit);
}

/* ---- cells ---- */

static wend_cell any_cell(const wend_map *map, uint64_t *seed) {
    const wend_map_info info = info_now(map);
    return draw_cell(info.width, info.height, seed);
}

/* An open cell from which about as many cells can be reached as from any. */
static wend_cell choose_goal(const wend_map *map, plain_dijkstra *plain, uint64_t *seed) {
    wend_cell best = {0, 0, 0};
    uint32_t most = 0;
    for (int i = 0; i < 12; i++) {
        wend_cell cell = any_cell(map, seed);
        const uint32_t reached = plain_dijkstra_run(plain, cell);
        if (reached > most) most = reached, best = cell;
    }
    return best;
}

static void set_cell(wend_map *map, wend_cell cell, uint8_t class) {
    wend_edit *edit = begin_edit(map);
    check(wend_edit_set_cell(edit, cell, class));
    publish(edit);
}

static wend_field *make_field(wend_map *map, wend_cell goal) {
    wend_field *field;
    wend_field_def def = default_field();
    def.map = map, def.goals = &goal, def.goal_count = 1;
    check(wend_field_create(&def, &field));
    wend_field_step(field, WEND_NO_LIMIT, NULL);
    return field;
}

/* ---- making, repairing, asking ---- */

static double bench_making(const char *name, plain_dijkstra *plain, wend_field *field, wend_cell goal) {
    double plain_us[REPEATS], us[REPEATS];
    uint64_t used = 0;
    for (int i = 0; i < REPEATS; i++) {
        double begun = cpu_us();
        const uint32_t reached = plain_dijkstra_run(plain, goal);
        plain_us[i] = cpu_us() - begun;
        begun = cpu_us();
        check(wend_field_set_goals(field, &goal, 1));
        wend_field_step(field, WEND_NO_LIMIT, &used);
        us[i] = cpu_us() - begun;
        need(used >= reached, "the field is not complete");
    }
    const double alone = median(plain_us, REPEATS), made = median(us, REPEATS);
    report(name, "plain Dijkstra", alone, "us");
    report(name, "making a field", made, "us");
    report(name, "making against plain Dijkstra", made / alone, "times");
    report(name, "an expansion of the field", made * 1000 / (double)used, "ns");
    return made;
}

/* Leaves the map as it was. */
static void bench_repairs(const char *name, const char *which, wend_map *map, wend_field *field, wend_cell goal,
                          double made) {
    static double us[EDITS];
    static wend_cell cells[EDITS];
    static uint8_t classes[EDITS];
    uint64_t seed = 5;
    for (int i = 0; i < EDITS; i++) {
        wend_cell cell = any_cell(map, &seed);
        uint8_t class;
        while (cell.x == goal.x && cell.y == goal.y) cell = any_cell(map, &seed);
        check(wend_map_get_terrain(map, cell, &class));
        cells[i] = cell, classes[i] = class;
        set_cell(map, cell, class == 0 ? 1 : 0);
        const double begun = cpu_us();
        check(wend_field_repair(field, false));
        wend_field_step(field, WEND_NO_LIMIT, NULL);
        us[i] = cpu_us() - begun;
    }
    for (int i = EDITS - 1; i >= 0; i--) set_cell(map, cells[i], classes[i]);
    const double middle = median(us, EDITS);
    report_of(name, "a repair: median", which, middle, "us");
    report_of(name, "a repair: mean", which, mean(us, EDITS), "us");
    report_of(name, "a repair: largest", which, us[EDITS - 1], "us");
    report_of(name, "median repair against making", which, middle / made, "times");
}

/* Measures a field whose profile has layers with nonzero values in all cells. */
static void bench_layers(const char *name, wend_map *map, wend_cell goal, double plain) {
    static uint8_t values[1 << 16];
    const wend_map_info info = info_now(map);
    wend_layer_weight weights[WEND_MAX_PROFILE_LAYERS];
    double us[REPEATS];
    for (int32_t layer = 0; layer < WEND_MAX_PROFILE_LAYERS; layer++) {
        wend_layer_def def;
        wend_layer_def_init(&def, sizeof def);
        check(wend_map_add_layer(map, &def, NULL));
        for (int32_t y = 0; y < info.height; y++) {
            for (int32_t x = 0; x < info.width; x++) values[x] = (uint8_t)(1 + (x * (layer + 1) + y * 3) % 255);
            const wend_box row = {{0, y, 0}, {info.width - 1, y, 0}};
            check(wend_map_set_layer_box(map, layer, row, values, (size_t)info.width));
        }
        weights[layer] = (wend_layer_weight){layer, 2};
    }
    for (uint32_t count = 1; count <= WEND_MAX_PROFILE_LAYERS; count += 7) {
        wend_field *field;
        wend_field_def def = default_field();
        check(wend_map_add_profile(map, weights, count, &def.profile));
        def.map = map, def.goals = &goal, def.goal_count = 1;
        check(wend_field_create(&def, &field));
        for (int i = 0; i < REPEATS; i++) {
            const double begun = cpu_us();
            (void)wend_field_repair(field, true);
            wend_field_step(field, WEND_NO_LIMIT, NULL);
            us[i] = cpu_us() - begun;
        }
        report_of(name, "making with full layers, against none", count == 1 ? " (1)" : " (8)",
                  median(us, REPEATS) / plain, "times");
        wend_field_destroy(field);
    }
}

/* Measures a field away from the goal. */
static void bench_away(const char *name, wend_map *map, wend_cell goal) {
    double us[REPEATS];
    wend_field *field;
    wend_field_def def = default_field();
    def.map = map, def.goals = &goal, def.goal_count = 1, def.purpose = WEND_FIELD_AWAY;
    check(wend_field_create(&def, &field));
    for (int i = 0; i < REPEATS; i++) {
        const double begun = cpu_us();
        check(wend_field_set_goals(field, &goal, 1));
        wend_field_step(field, WEND_NO_LIMIT, NULL);
        us[i] = cpu_us() - begun;
    }
    const double made = median(us, REPEATS);
    report(name, "making a field away", made, "us");
    bench_repairs(name, " (away)", map, field, goal, made);
    wend_field_destroy(field);
}

static void bench_asking(const char *name, const wend_map *map, const wend_field *field) {
    uint64_t seed = 9, asked = 0, steps = 0;
    const double begun = cpu_us();
    while (asked < ASKS) {
        wend_cell cell = any_cell(map, &seed), next = cell;
        uint64_t cost = 1;
        for (; cost > 0 && wend_field_next(field, cell, &next, &cost) == WEND_STATUS_FOUND; asked++, steps++)
            cell = next;
        asked++;
    }
    report(name, "asking for the next cell", (cpu_us() - begun) * 1e3 / (double)asked, "ns");
}

/* ---- a minute of walking ---- */

typedef struct agent {
    wend_cell at;
    wend_cell *path; /* lone */
    size_t count, place;
} agent;

typedef struct walk {
    wend_map *map;
    wend_field *field;   /* NULL: lone */
    wend_search *search; /* NULL: by the field */
    wend_cell goal;
    agent agents[AGENTS];
    wend_cell closed[CLOSED];
    uint64_t closed_frame[CLOSED];
    int closed_count;
    uint64_t seed, searches, steps;
    double us;
} walk;

static void search_path(walk *w, agent *a) {
    wend_request request = path_request(w->map, a->at, w->goal);
    const double begun = cpu_us();
    check(wend_search_begin(w->search, &request));
    const wend_status status = wend_search_step(w->search, WEND_NO_LIMIT, NULL);
    a->count = a->place = 0;
    if (status == WEND_STATUS_FOUND) {
        wend_search_get_path(w->search, NULL, 0, &a->count);
        a->path = realloc(a->path, a->count * sizeof *a->path);
        wend_search_get_path(w->search, a->path, a->count, &a->count);
    }
    w->us += cpu_us() - begun;
    w->searches++;
}

static bool next_cell(const walk *w, const agent *a, wend_cell at, size_t place, wend_cell *next) {
    if (w->field) return wend_field_next(w->field, at, next, NULL) == WEND_STATUS_FOUND;
    if (place + 1 >= a->count) return false;
    *next = a->path[place + 1];
    return true;
}

static bool is_at(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

/* Agents begin anywhere from where a way leads to the goal. */
static void enter(walk *w, agent *a) {
    wend_cell next;
    do {
        a->at = any_cell(w->map, &w->seed);
        if (w->search) search_path(w, a);
    } while (is_at(a->at, w->goal) || !next_cell(w, a, a->at, 0, &next));
}

/* Closes a cell ahead of an agent, and opens cells that were closed long enough. */
static void edit_ways(walk *w, uint64_t frame) {
    const agent *a = &w->agents[draw(&w->seed, AGENTS)];
    const int ahead = 2 + (int)draw(&w->seed, AHEAD);
    wend_cell cell = a->at, next;
    for (int i = 0; i < ahead && next_cell(w, a, cell, a->place + (size_t)i, &next); i++) cell = next;
    wend_edit *edit = begin_edit(w->map);
    if (!is_at(cell, w->goal) && !is_at(cell, a->at) && w->closed_count < CLOSED) {
        check(wend_edit_set_cell(edit, cell, 0));
        w->closed[w->closed_count] = cell;
        w->closed_frame[w->closed_count++] = frame;
    }
    for (int i = 0; i < w->closed_count; i++) {
        if (w->closed_frame[i] + FRAMES_CLOSED > frame) continue;
        check(wend_edit_set_cell(edit, w->closed[i], 1));
        w->closed[i] = w->closed[--w->closed_count];
        w->closed_frame[i] = w->closed_frame[w->closed_count];
    }
    publish(edit);
}

/* The rest of a lone agent's path has to be legal; finding that out is not timed. */
static bool is_broken(const walk *w, const agent *a) {
    size_t walkable = 0;
    check(wend_map_path_cost(w->map, 0, a->path + a->place, a->count - a->place, &walkable, NULL));
    return walkable < a->count - a->place;
}

static void move_agents(walk *w, uint64_t frame) {
    const double begun = cpu_us(), before = w->us;
    for (uint64_t i = frame % FRAMES_A_STEP; i < AGENTS; i += FRAMES_A_STEP) {
        agent *a = &w->agents[i];
        wend_cell next;
        if (!next_cell(w, a, a->at, a->place, &next) || is_at(a->at, w->goal)) {
            enter(w, a);
            continue;
        }
        a->at = next;
        a->place++;
        w->steps++;
    }
    if (w->field) w->us = before + cpu_us() - begun;
}

static void run_frame(walk *w, uint64_t frame) {
    if (frame % FRAMES_AN_EDIT == 0) {
        edit_ways(w, frame);
        const double begun = cpu_us();
        if (w->field) check(wend_field_repair(w->field, false));
        if (w->field) wend_field_step(w->field, WEND_NO_LIMIT, NULL);
        if (w->field) w->us += cpu_us() - begun;
        for (int i = 0; i < AGENTS && !w->field; i++)
            if (is_broken(w, &w->agents[i])) search_path(w, &w->agents[i]);
    }
    move_agents(w, frame);
}

/* Milliseconds spent on finding ways. The map is made for fast searches where agents search alone. */
static double bench_walk(const char *file, const char *name, wend_cell goal, bool lone) {
    walk *w = calloc(1, sizeof *w);
    w->map = load_map(file, 0, 0), w->goal = goal, w->seed = 77;
    if (lone) {
        check(wend_map_accelerate(w->map, NULL));
        w->search = open_search(0);
    } else {
        const double begun = cpu_us();
        w->field = make_field(w->map, goal);
        w->us = cpu_us() - begun;
    }
    for (int i = 0; i < AGENTS; i++) enter(w, &w->agents[i]);
    for (uint64_t frame = 0; frame < FRAMES; frame++) run_frame(w, frame);
    const double ms = w->us / 1e3;
    report(name, lone ? "a minute: lone searches" : "a minute: a field", ms, "ms");
    if (lone) report(name, "a minute: number of searches", (double)w->searches, "searches");
    report(name, lone ? "a minute: steps, lone" : "a minute: steps, by the field", (double)w->steps, "steps");
    for (int i = 0; i < AGENTS; i++) free(w->agents[i].path);
    wend_search_destroy(w->search);
    wend_field_destroy(w->field);
    wend_map_release(w->map);
    free(w);
    return ms;
}

static void bench_file(const char *file) {
    const char *name = base_name(file);
    uint64_t seed = 3;
    wend_map *map = load_map(file, 0, 0);
    plain_dijkstra *plain = plain_dijkstra_create(map);
    const wend_cell goal = choose_goal(map, plain, &seed);
    wend_field *field = make_field(map, goal);
    const double made = bench_making(name, plain, field, goal);
    bench_asking(name, map, field);
    bench_away(name, map, goal);
    bench_repairs(name, "", map, field, goal, made);
    wend_field_destroy(field);
    bench_layers(name, map, goal, made);
    plain_dijkstra_free(plain);
    wend_map_release(map);
    const double ways = bench_walk(file, name, goal, false), lone = bench_walk(file, name, goal, true);
    report(name, "a minute: a field against lone searches", ways / lone, "times");
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "bench_field: MAP...\n"), 2;
    puts("map,figure,value,unit");
    for (int i = 1; i < argc; i++) bench_file(argv[i]);
    return 0;
}
