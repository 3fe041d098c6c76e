/* SPDX-License-Identifier: MIT */
/* Clocks, samples and set-ups of the benches. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <time.h>
#include <wend/query.h>

/* ---- failures ---- */

void need(bool done, const char *what) {
    if (done) return;
    fprintf(stderr, "bench: %s\n", what);
    exit(2);
}

void check(wend_error error) {
    need(error == WEND_OK, wend_error_detail(error));
}

/* ---- clocks ---- */

static double us_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

double wall_us(void) {
    return us_of(CLOCK_MONOTONIC);
}

double cpu_us(void) {
    return us_of(CLOCK_THREAD_CPUTIME_ID);
}

double process_us(void) {
    return us_of(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t cpu_ns(void *context) {
    (void)context;
    return (uint64_t)(cpu_us() * 1000);
}

wend_clock cpu_clock(void) {
    return (wend_clock){.now_ns = cpu_ns};
}

/* ---- samples ---- */

void note(samples *all, double value) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 256;
        all->values = realloc(all->values, all->capacity * sizeof *all->values);
        need(all->values, "out of memory");
    }
    all->values[all->count++] = value;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double percentile(double *values, size_t count, unsigned permille) {
    const size_t at = count * permille / 1000;
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, by_size);
    return values[at < count ? at : count - 1];
}

double median(double *values, size_t count) {
    return percentile(values, count, 500);
}

double mean(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return sum / (double)count;
}

void clear(samples *all) {
    free(all->values);
    *all = (samples){NULL, 0, 0};
}

/* ---- cells ---- */

uint32_t bench_random(uint64_t *state, uint32_t below) {
    return (uint32_t)(split_bits(state) % below);
}

wend_cell random_place(int32_t width, int32_t height, uint64_t *state) {
    const int32_t x = (int32_t)bench_random(state, (uint32_t)width);
    return (wend_cell){x, (int32_t)bench_random(state, (uint32_t)height), 0};
}

wend_cell random_cell(const wend_map_info *info, uint64_t *state) {
    wend_cell cell = random_place(info->width, info->height, state);
    cell.z = (int32_t)bench_random(state, (uint32_t)info->depth);
    return cell;
}

wend_cell draw_cell(int32_t width, int32_t height, uint64_t *state) {
    const int32_t x = (int32_t)draw(state, (uint32_t)width);
    return (wend_cell){x, (int32_t)draw(state, (uint32_t)height), 0};
}

bool is_connected(const wend_map *map, int32_t mover, wend_cell from, wend_cell to) {
    bool reachable = false;
    return wend_map_reachable(map, mover, from, to, &reachable) == WEND_OK && reachable;
}

wend_cell open_near(const wend_map *map, wend_cell cell) {
    bool found;
    check(wend_map_nearest_open(map, WEND_MOVER_DEFAULT, cell, WEND_MAX_NEAREST, &found, &cell));
    return cell;
}

/* ---- maps ---- */

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

wend_map *load_map(const char *path, int32_t straight, int32_t diagonal) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    wend_file_error error = {.struct_bytes = sizeof error};
    wend_map *map = NULL;
    if (straight > 0) def.rules = &rules;
    rules.cost_straight = straight, rules.cost_diagonal = diagonal;
    rules.cost_space = straight == 1000 ? 1732 : rules.cost_space;
    need(wend_map_load(path, &def, &map, NULL, &error) == WEND_OK, error.text);
    return map;
}

wend_map *grid_of(const uint8_t *cells, int32_t width, int32_t height) {
    wend_map_def def = default_map();
    wend_map *map;
    def.width = width, def.height = height;
    check(wend_map_create(&def, &map));
    if (!cells) return map;
    wend_edit *edit = begin_edit(map);
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {width - 1, height - 1, 0}}, cells, (size_t)width));
    publish(edit);
    return map;
}

void publish(wend_edit *edit) {
    check(wend_edit_publish(edit, NULL));
}

void flip_cell(wend_edit *edit, const wend_map *map, wend_cell cell) {
    uint8_t class;
    check(wend_map_get_terrain(map, cell, &class));
    check(wend_edit_set_cell(edit, cell, class ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN));
}

void flip_one(wend_map *map, wend_cell cell) {
    wend_edit *edit = begin_edit(map);
    flip_cell(edit, map, cell);
    publish(edit);
}

/* ---- searches, services, crowds ---- */

wend_search *open_search(uint64_t nodes) {
    wend_search_def def = default_search();
    wend_search *search;
    if (nodes > 0) def.nodes = nodes;
    check(wend_search_create(&def, &search));
    return search;
}

double solve(wend_search *search, const wend_request *request, wend_completion *result) {
    const double begun = cpu_us();
    check(wend_search_begin(search, request));
    while (wend_search_step(search, WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
    const double us = cpu_us() - begun;
    *result = (wend_completion){.struct_bytes = sizeof *result};
    check(wend_search_get_result(search, result));
    return us;
}

wend_service *open_service(const wend_service_def *def) {
    const wend_service_def plain = default_service();
    wend_service *service;
    check(wend_service_create(def ? def : &plain, &service));
    return service;
}

wend_crowd *open_crowd(const wend_crowd_def *def) {
    wend_crowd *crowd;
    check(wend_crowd_create(def, &crowd));
    return crowd;
}

void submit(wend_service *service, const wend_request *request) {
    check(wend_service_submit(service, request, NULL));
}

void ignore(void *context, const wend_completion *completion) {
    (void)context, (void)completion;
}

void send_to(wend_crowd *crowd, const wend_agent_id *agents, size_t count, wend_cell cell) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = cell;
    check(wend_crowd_go(crowd, agents, count, &goal));
}
