/* SPDX-License-Identifier: MIT */
/* Measures land that comes and goes: a streamed grid with chunks loaded out of caves made here, a twentieth of it,
 * without jump tables and with them. CSV, a line a map: bytes of the map without any land, and with the
 * twentieth; microseconds of processor time to load a chunk and publish it, alone (mean, 99th percentile) and 50 in a
 * batch, and to unload one of 50; and the longest batch of 50 loads with one of 50 unloads, as 20 frames a second have
 * it where a thousand chunks come and a thousand go, in milliseconds.
 *
 *   bench_land [SIDE ...]   default 4096 16384 */
#include "scenery.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <wend/stream.h>
#endif

enum { CHUNK = WEND_CHUNK_SIDE, SOURCE = 2048, BATCH = 50, BATCHES = 40 };

typedef struct world {
    wend_map *map;
    const uint8_t *cells; ///< SOURCE x SOURCE of them, repeated
    int32_t across;       ///< chunks along the square that is loaded
} world;

static void load_chunk(wend_edit *edit, const world *w, int32_t x, int32_t y) {
    const size_t left = (size_t)(x * CHUNK % SOURCE), top = (size_t)(y * CHUNK % SOURCE);
    check(wend_edit_load(edit, x, y, w->cells + top * SOURCE + left, SOURCE));
}

static double publish_since(wend_edit *edit, double begun) {
    check(wend_edit_publish(edit, NULL));
    return cpu_us() - begun;
}

static double load_alone(const world *w, int32_t x, int32_t y) {
    wend_edit *edit;
    const double begun = cpu_us();
    check(wend_edit_begin(w->map, &edit));
    load_chunk(edit, w, x, y);
    return publish_since(edit, begun);
}

/* Chunks of the square from number `first` on, in columns, so that a batch is a strip as a agent needs it. */
static double load_batch(const world *w, int32_t first) {
    wend_edit *edit;
    const double begun = cpu_us();
    check(wend_edit_begin(w->map, &edit));
    for (int32_t i = first; i < first + BATCH; i++) load_chunk(edit, w, i / w->across, i % w->across);
    return publish_since(edit, begun);
}

static double unload_batch(const world *w, int32_t first) {
    wend_edit *edit;
    const double begun = cpu_us();
    check(wend_edit_begin(w->map, &edit));
    for (int32_t i = first; i < first + BATCH; i++)
        check(wend_edit_unload(edit, i / w->across, i % w->across, WEND_LAND_KNOWN));
    return publish_since(edit, begun);
}

/* With nothing, with jump tables, or with a far layer, which includes unloaded chunks. */
enum { NOTHING, TABLES, FAR, KINDS };

static void measure(const uint8_t *cells, int32_t side, int kind) {
    wend_map_def def = default_map();
    wend_acceleration tables = default_acceleration();
    world w = {.cells = cells};
    def.width = def.height = side, def.streamed = 1;
    tables.landmarks = 0, tables.tables = kind == TABLES, tables.far = kind == FAR;
    check(wend_map_create(&def, &w.map));
    check(wend_map_accelerate(w.map, &tables));
    const uint64_t empty = info_now(w.map).bytes;
    const int32_t columns = side / CHUNK;
    while (w.across * w.across * 20 < columns * columns) w.across++;
    samples alone = {0}, loads = {0}, unloads = {0}, frames = {0};
    for (int32_t i = 0; i < w.across * w.across; i++) note(&alone, load_alone(&w, i / w.across, i % w.across));
    const uint64_t loaded = info_now(w.map).bytes;
    for (int32_t i = 0; i < BATCHES; i++) {
        const int32_t first = i * BATCH % (w.across * w.across - BATCH);
        const double gone = unload_batch(&w, first), come = load_batch(&w, first);
        note(&unloads, gone / BATCH), note(&loads, come / BATCH), note(&frames, (gone + come) / 1000);
    }
    static const char *const names[KINDS] = {"nothing", "tables", "far layer"};
    printf("%d,%s,%d,%" PRIu64 ",%" PRIu64 ",%.1f,%.1f,%.1f,%.1f,%.2f\n", (int)side, names[kind],
           (int)(w.across * w.across), empty, loaded, mean(alone.values, alone.count),
           percentile(alone.values, alone.count, 990), mean(loads.values, loads.count),
           mean(unloads.values, unloads.count), percentile(frames.values, frames.count, 1000));
    clear(&alone), clear(&loads), clear(&unloads), clear(&frames);
    wend_map_release(w.map);
}

int main(int argc, char **argv) {
    static uint8_t cells[SOURCE * SOURCE];
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 1 << 30); /* pages that the system takes back and clears are no work of the map's */
    mallopt(M_TOP_PAD, 64 << 20);
#endif
    fill_caves(cells, SOURCE);
    printf("side,with,chunks,empty_bytes,loaded_bytes,load_us,load_p99_us,load_in_batch_us,unload_in_batch_us,frame_"
           "ms\n");
    for (int kind = NOTHING; kind < KINDS; kind++) {
        for (int i = 1; i < argc; i++) measure(cells, atoi(argv[i]), kind);
        for (int32_t side = 4096; argc == 1 && side <= 16384; side *= 4) measure(cells, side, kind);
    }
    return 0;
}
