/* SPDX-License-Identifier: MIT */
/* Big worlds: what loading, editing and searching one takes, and that beginning, cancelling and beginning again
 * cost the same however large the map is. Prints CSV. It writes its maps to a file in the folder WEND_BENCH_OUT (or
 * here), and removes it; they need 6 bytes a cell of memory.
 *
 *   bench_big [SIDE]     of the largest map, 16384 where not given */
#include "bare.h"
#include "scenery.h"
#include "fast/acceleration.h"
#include "../tests/models/more.h"
#include "../tests/models/kept.h"
#include <wend/host.h>

enum { SMALLEST = 1024, EDITS = 200, BEGINS = 20000, TURNS = 5 };
static int32_t side = 16384;

/* ---- memory, counted ---- */

static uint64_t held, peak;

static void *take(void *context, size_t bytes, size_t alignment) {
    wend_allocator plain = wend_allocator_default();
    void *memory = plain.alloc(context, bytes, alignment);
    if (memory) held += bytes;
    if (held > peak) peak = held;
    return memory;
}

static void give_back(void *context, void *memory, size_t bytes) {
    wend_allocator plain = wend_allocator_default();
    plain.free(context, memory, bytes);
    held -= bytes;
}

static double ms_since(double begun) {
    return (cpu_us() - begun) / 1e3;
}

/* ---- a map, through a file ---- */

static void file_name(char out[512]) {
    const char *folder = getenv("WEND_BENCH_OUT");
    snprintf(out, 512, "%s/bench_big.map", folder ? folder : ".");
}

static void write_file(ground_fn *fill) {
    char name[512];
    file_name(name);
    FILE *file = fopen(name, "wb");
    uint8_t *cells = malloc((size_t)side * (size_t)side);
    if (!file || !cells) exit(2);
    fill(cells, side);
    fprintf(file, "type octile\nheight %d\nwidth %d\nmap\n", (int)side, (int)side);
    for (int32_t y = 0; y < side; y++) {
        uint8_t *row = cells + (size_t)y * (size_t)side;
        for (int32_t x = 0; x < side; x++) row[x] = row[x] ? '.' : '@';
        fwrite(row, 1, (size_t)side, file);
        fputc('\n', file);
    }
    free(cells);
    if (fclose(file)) exit(2);
}

static wend_map *load(const char *name, ground_fn *fill) {
    char file[512];
    wend_map_def def = default_map();
    def.allocator = (wend_allocator){.alloc = take, .free = give_back};
    wend_map *map;
    write_file(fill);
    file_name(file);
    double best = 0;
    for (int turn = 0; turn < 3; turn++) {
        peak = held = 0;
        const double begun = cpu_us();
        check(wend_map_load(file, &def, &map, NULL, NULL));
        double ms = ms_since(begun);
        if (turn == 0 || ms < best) best = ms;
        if (turn < 2) wend_map_release(map);
    }
    remove(file);
    double cells = (double)side * side;
    printf("%s,load,%.0f ms,%.2f bytes a cell while loading,%.2f bytes a cell held\n", name, best, (double)peak / cells,
           (double)held / cells);
    return map;
}

/* ---- edits ---- */

static void set_some(wend_map *map, uint64_t *state, int cells) {
    wend_edit *edit = begin_edit(map);
    for (; cells > 0; cells--) {
        wend_cell cell = draw_cell(side, side, state);
        check(wend_edit_set_cell(edit, cell, (uint8_t)draw(state, 2)));
    }
    publish(edit);
}

static void time_edits(const char *name, wend_map *map) {
    uint64_t state = 7, base = held;
    double us[EDITS];
    peak = held;
    for (int i = 0; i < EDITS; i++) {
        double begun = cpu_us();
        set_some(map, &state, 1);
        us[i] = cpu_us() - begun;
    }
    printf("%s,publish a cell,%.1f us in the median,%.1f us at most,%.0f kB more at most\n", name, median(us, EDITS),
           us[EDITS - 1], (double)(peak - base) / 1e3);
    double begun = cpu_us();
    set_some(map, &state, 1000);
    printf("%s,publish 1000 cells,%.2f ms\n", name, ms_since(begun));
    wend_map *fork;
    begun = cpu_us(), base = held;
    check(wend_map_fork(map, &fork));
    printf("%s,fork,%.1f us,%.0f bytes\n", name, ms_since(begun) * 1e3, (double)(held - base));
    wend_map_release(fork);
}

/* ---- corner to corner ---- */

/* Cells that the search has a way to: what it keeps of others has all bits set. */
static uint64_t touched(const bare *b) {
    uint64_t count = 0;
    for (uint32_t page = b->search->pages.first, n = b->search->pages.count; n > 0; n--) {
        const uint32_t *records = (const uint32_t *)(const void *)(b->pool.records + (size_t)page * 4 * 4096);
        for (unsigned i = 0; i < 4096; i++) count += records[i] != UINT32_MAX;
        page = b->pool.pages[page].next;
    }
    return count;
}

/* The first open cell on the way from a corner inwards that is connected with `other`. */
static wend_cell corner(const wend_map *map, int32_t from, int32_t to, const wend_cell *other) {
    for (int32_t at = from, way = from < to ? 1 : -1; at != to; at += way) {
        wend_cell cell = {at, at, 0};
        if (is_connected(map, WEND_MOVER_DEFAULT, cell, other ? *other : cell)) return cell;
    }
    exit(2);
}

static void across(const char *name, wend_map *map, int32_t engine) {
    const wend_cell middle = corner(map, side / 2, side, NULL);
    wend_request request = path_request(map, corner(map, 0, side, &middle), corner(map, side - 1, -1, &middle));
    more_of(&request)->engine = engine;
    wend__version *version = wend__map_acquire(map, true);
    bare b;
    bare_open(&b, (uint64_t)(side / 64) * (uint64_t)(side / 64) + 64);
    const double begun = cpu_us();
    wend__search_begin(b.search, version, KEPT(&request));
    bare_step(&b, WEND_NO_LIMIT, 1000);
    double ms = ms_since(begun), expansions = (double)b.search->expansions;
    if (b.search->status != WEND_STATUS_FOUND) exit(2);
    double bytes = (double)b.search->pages.count * (WEND__PAGE_RECORD_BYTES + sizeof(wend__page)) +
                   (double)b.search->open_pages.count * 4096;
    printf("%s,%s across,%.0f ms,%.0f expansions,%.1f ns each,%.0f MB", name,
           engine == WEND_ENGINE_JUMP ? "jumps" : "A*", ms, expansions, ms * 1e6 / expansions, bytes / 1e6);
    if (engine == WEND_ENGINE_ASTAR) printf(",%.2f bytes for each cell touched", bytes / (double)touched(&b));
    puts("");
    wend__search_drop(b.search);
    wend__map_release(version, true);
    bare_close(&b);
}

static void across_by_jumps(const char *name, wend_map *map) {
    const double begun = cpu_us();
    const uint64_t base = held;
    check(wend__map_prepare_jumps(map));
    printf("%s,prepare jumps,%.0f ms,%.2f bytes a cell\n", name, ms_since(begun),
           (double)(held - base) / ((double)side * side));
    across(name, map, WEND_ENGINE_JUMP);
}

static void big(const char *name, ground_fn *fill) {
    wend_map *map = load(name, fill);
    time_edits(name, map);
    across(name, map, WEND_ENGINE_ASTAR);
    across_by_jumps(name, map);
    wend_map_release(map);
}

/* ---- whatever the map's size ---- */

/* In the middle, as many cells apart on a map of any size. */
static wend_cell any_cell(uint64_t *state, int32_t size) {
    const wend_cell cell = draw_cell(512, 512, state);
    return (wend_cell){cell.x + size / 2 - 256, cell.y + size / 2 - 256, 0};
}

static wend_request any_request(uint64_t *state, wend_map *map, int32_t size) {
    for (;;) {
        const wend_cell start = any_cell(state, size), goal = any_cell(state, size);
        if (is_connected(map, WEND_MOVER_DEFAULT, start, goal)) return path_request(map, start, goal);
    }
}

/* ns to begin and drop a search with a number of expansions between. The expansions do not count. */
static double begin_ns(wend_map *map, int32_t size, uint64_t expansions, int times) {
    wend__version *version = wend__map_acquire(map, true);
    bare b;
    uint64_t state = 3;
    double us = 0;
    bare_open(&b, 4096);
    for (int i = 0; i < times; i++) {
        wend_request request = any_request(&state, map, size);
        double begun = wall_us();
        wend__search_begin(b.search, version, KEPT(&request));
        us += wall_us() - begun;
        bare_step(&b, expansions, 1000);
        begun = wall_us();
        wend__search_drop(b.search);
        us += wall_us() - begun;
    }
    bare_close(&b);
    wend__map_release(version, true);
    return us * 1000 / times;
}

/* ns to submit a request, have it taken in, cancel it and have that delivered; with a number of expansions between. */
static double cancel_ns(wend_map *map, int32_t size, uint64_t expansions, int times) {
    wend_service_def def = default_service();
    wend_ticket ticket;
    def.nodes = 4096 * UINT64_C(4096);
    wend_service *service = open_service(&def);
    uint64_t state = 3;
    double us = 0;
    const wend_budget none = budget_of(0), some = budget_of(expansions);
    for (int i = 0; i < times; i++) {
        wend_request request = any_request(&state, map, size);
        request.on_done = ignore;
        double begun = wall_us();
        check(wend_service_submit(service, &request, &ticket));
        check(wend_service_tick(service, &none, NULL));
        us += wall_us() - begun;
        check(wend_service_tick(service, &some, NULL));
        begun = wall_us();
        wend_error error = wend_service_cancel(service, ticket);
        if (error != WEND_STALE_TICKET) check(error);
        check(wend_service_tick(service, &none, NULL));
        us += wall_us() - begun;
    }
    check(wend_service_destroy(service));
    return us * 1000 / times;
}

static void least(double *best, double value, int turn) {
    if (turn == 0 || value < *best) *best = value;
}

/* The least of a few turns: other work on the machine only adds. */
static void same_at(int32_t size) {
    wend_map *map = make_ground(fill_noise_20, size);
    double begin = 0, fresh = 0, cancel = 0, late = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        least(&begin, begin_ns(map, size, 1, BEGINS), turn);
        least(&fresh, begin_ns(map, size, 2000, BEGINS / 20), turn);
        least(&cancel, cancel_ns(map, size, 0, BEGINS), turn);
        least(&late, cancel_ns(map, size, 2000, BEGINS / 20), turn);
    }
    printf("%d,%.0f,%.0f,%.0f,%.0f\n", (int)size, begin, fresh, cancel, late);
    wend_map_release(map);
}

int main(int argc, char **argv) {
    if (argc > 1) side = (int32_t)atoi(argv[1]);
    if (side < SMALLEST || side > 32768 || side % 64) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("side,begin_and_drop_ns,after_2000_expansions_ns,submit_and_cancel_ns,after_2000_expansions_ns");
    for (int32_t size = SMALLEST; size <= side; size *= 2) same_at(size);
    printf("\n%d x %d cells,what,time,and\n", (int)side, (int)side);
    big("noise", fill_noise_20);
    big("caves", fill_caves);
    return 0;
}
