/* SPDX-License-Identifier: MIT */
/* Convoys of agents that cross a streamed world from west to east, while few chunks are loaded: those
 * around the convoys, out of rocks made here (about a fifth is closed). A convoy is sent on, 96 cells at a time, when
 * all of it has come. Frames have 20,000 expansions, agents walk a cell in each. CSV: processor time of a frame (the
 * service's, the crowd's and the host's), most chunks loaded, chunks that came, bytes of the map, and who arrived.
 *
 *   bench_caravan [SIDE [AGENTS [CHUNKS [DIR]]]]   default 16384, 2000, 400
 *
 * With DIR it records: `wend run DIR/play.wend` then prints DIR/events, byte for byte. */
#include "harness.h"
#include "../tests/models/more.h"

#include <wend/record.h>
#include <wend/agents.h>
#include <wend/stream.h>

enum { CHUNK = WEND_CHUNK_SIDE, SOURCE = 2048, CONVOY = 100, HOP = 96, MOST_AGENTS = 10000, LAST_COLUMNS = 40 };

typedef struct convoy {
    wend_agent_id ids[CONVOY];
    int32_t walking; ///< that have not ended their goals
    wend_cell next;
} convoy;

typedef struct caravan {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    const uint8_t *cells;
    int32_t side, convoys;
    convoy of[MOST_AGENTS / CONVOY];
    uint8_t *loaded; ///< by chunk: 1; 2: needed now
    int32_t loaded_count, most_loaded;
    uint64_t frame, loads;
    FILE *files[2], *events;
    const char *folder;
} caravan;

static caravan c;

/* ---- land ---- */

static void fill_rocks(uint8_t *cells) {
    uint64_t seed = 3;
    memset(cells, WEND_CLASS_OPEN, SOURCE * SOURCE);
    for (int i = 0; i < 9000; i++) {
        const uint32_t width = 4 + bench_random(&seed, 13), height = 4 + bench_random(&seed, 13);
        const uint32_t x = bench_random(&seed, SOURCE - width), y = bench_random(&seed, SOURCE - height);
        for (uint32_t row = y; row < y + height; row++) memset(cells + row * SOURCE + x, WEND_CLASS_BLOCKED, width);
    }
}

static void change(int32_t chunk, bool load, wend_edit **edit) {
    const int32_t columns = c.side / CHUNK, x = chunk % columns, y = chunk / columns;
    const size_t left = (size_t)(x * CHUNK % SOURCE), top = (size_t)(y * CHUNK % SOURCE);
    if (!*edit) check(wend_edit_begin(c.map, edit));
    if (load)
        check(wend_edit_load(*edit, x, y, c.cells + top * SOURCE + left, SOURCE));
    else
        check(wend_edit_unload(*edit, x, y, WEND_LAND_KNOWN));
    c.loaded[chunk] = load;
    c.loaded_count += load ? 1 : -1;
    c.loads += load;
}

static void need_around(wend_cell from, wend_cell to) {
    const int32_t columns = c.side / CHUNK;
    for (int32_t y = from.y / CHUNK - 1; y <= to.y / CHUNK + 1; y++)
        for (int32_t x = from.x / CHUNK; x <= to.x / CHUNK; x++)
            if (x >= 0 && y >= 0 && x < columns && y < columns) c.loaded[y * columns + x] |= 2;
}

/* Loads what is around the convoys and their next places, and unloads all else, in one batch. */
static void follow(void) {
    const int32_t columns = c.side / CHUNK;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_edit *edit = NULL;
    check(wend_crowd_get_view(c.crowd, &view));
    for (int32_t k = 0; k < c.convoys; k++) {
        wend_cell low = c.of[k].next, high = low;
        for (int32_t i = 0; i < CONVOY && view.count > 0; i++) {
            const wend_cell at = view.cells[c.of[k].ids[i].index];
            low = (wend_cell){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y, 0};
            high = (wend_cell){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y, 0};
        }
        need_around((wend_cell){low.x - 12, low.y, 0}, (wend_cell){high.x + 12, high.y, 0});
    }
    for (int32_t i = 0; i < columns * columns; i++)
        if (c.loaded[i] == 1) change(i, false, &edit);
    for (int32_t i = 0; i < columns * columns; i++) {
        if (c.loaded[i] == 2) change(i, true, &edit);
        c.loaded[i] &= 1;
    }
    if (c.loaded_count > c.most_loaded) c.most_loaded = c.loaded_count;
    if (edit) check(wend_edit_publish(edit, NULL));
}

/* ---- the convoys ---- */

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    if (c.events)
        fprintf(c.events,
                "{\"frame\":%" PRIu64 ",\"agent\":\"a%" PRIu32 "\",\"event\":\"%s\"%s%s%s,\"cell\":[%d,%d]}\n", c.frame,
                event->agent.index, wend_agent_event_name(event->event), event->why ? ",\"why\":\"" : "",
                event->why ? wend_agent_why_name(event->why) : "", event->why ? "\"" : "", (int)event->cell.x,
                (int)event->cell.y);
    convoy *of = event->context;
    if (wend_agent_event_ends_goal(event->event)) of->walking--;
}

static void send_on(convoy *of) {
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    wend_crowd_goal_init(&goal, sizeof goal);
    of->next.x = of->next.x + HOP < c.side - LAST_COLUMNS ? of->next.x + HOP : c.side - LAST_COLUMNS;
    goal.cell = of->next;
    of->walking = CONVOY;
    follow();
    check(wend_crowd_go(c.crowd, of->ids, CONVOY, &goal));
}

static void set_out(void) {
    const int32_t columns = c.side / CHUNK;
    for (int32_t k = 0; k < c.convoys; k++) c.of[k].next = (wend_cell){30, (2 * k + 1) * c.side / (2 * c.convoys), 0};
    c.loaded = calloc((size_t)columns * (size_t)columns, 1);
    need(c.loaded, "memory");
    follow();
    for (int32_t k = 0; k < c.convoys; k++)
        for (int32_t i = 0, place = 0; i < CONVOY; place++) {
            wend_agent_def def = {.struct_bytes = sizeof def};
            wend_agent_def_init(&def, sizeof def);
            def.cell = (wend_cell){8 + place % 24, c.of[k].next.y + place / 24, 0};
            def.speed_milli = 1000, def.context = &c.of[k];
            if (!is_connected(c.map, WEND_MOVER_DEFAULT, def.cell, open_near(c.map, c.of[k].next))) continue;
            check(wend_crowd_add(c.crowd, &def, &c.of[k].ids[i++]));
        }
}

/* Returns whether a convoy is still on its way. */
static bool send_all_on(void) {
    bool any = false;
    for (int32_t k = 0; k < c.convoys; k++) {
        if (c.of[k].walking == 0 && c.of[k].next.x < c.side - LAST_COLUMNS) send_on(&c.of[k]);
        any |= c.of[k].walking > 0;
    }
    return any;
}

static uint32_t count_arrived(void) {
    uint32_t arrived = 0;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(c.crowd, &view));
    for (uint32_t i = 0; i < view.count; i++) arrived += view.cells[i].x >= c.side - 2 * LAST_COLUMNS;
    return arrived;
}

/* ---- the recording ---- */

static wend_error write_file(void *context, uint32_t file, const void *bytes, size_t size) {
    static const char *const names[] = {"play", "map1"};
    char path[4096];
    (void)context;
    need(file < 2, "a recording of one map");
    snprintf(path, sizeof path, "%s/%s.wend", c.folder, names[file]);
    if (!c.files[file]) c.files[file] = fopen(path, "wb");
    return c.files[file] && fwrite(bytes, 1, size, c.files[file]) == size ? WEND_OK : WEND_IO;
}

static void begin_recording(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/events", c.folder);
    c.events = fopen(path, "wb");
    need(c.events, "the folder");
    check(wend_service_record(c.service, write_file, NULL));
}

static void end_recording(void) {
    check(wend_service_end_recording(c.service));
    for (int i = 0; i < 2; i++) need(c.files[i] && fclose(c.files[i]) == 0, "a file of the recording");
    need(fclose(c.events) == 0, "the events");
}

int main(int argc, char **argv) {
    static uint8_t cells[SOURCE * SOURCE];
    const int32_t agents = argc > 2 ? atoi(argv[2]) : 2000, most = argc > 3 ? atoi(argv[3]) : 400;
    c.side = argc > 1 ? atoi(argv[1]) : 16384, c.convoys = agents / CONVOY, c.cells = cells;
    c.folder = argc > 4 ? argv[4] : NULL;
    need(c.convoys > 0 && agents <= MOST_AGENTS && c.side >= 512 && c.side % CHUNK == 0, "numbers that it can do");
    fill_rocks(cells);
    wend_map_def map = default_map();
    map.width = map.height = c.side, map.streamed = 1;
    check(wend_map_create(&map, &c.map));
    wend_service_def service = default_service();
    check(wend_service_create(&service, &c.service));
    if (c.folder) begin_recording();
    wend_crowd_def crowd = default_crowd();
    crowd.agents = (uint32_t)agents, crowd.service = c.service, crowd.map = c.map, tuning_of(&crowd)->fields = 0;
    crowd.on_event = on_event;
    c.crowd = open_crowd(&crowd);
    set_out();
    samples frames = {0};
    for (bool walking = true; walking;) {
        const double begun = cpu_us();
        walking = send_all_on();
        c.frame++;
        wend_budget budget = {.struct_bytes = sizeof budget};
        wend_budget_init(&budget, sizeof budget);
        budget.expansions = 20000;
        check(wend_service_tick(c.service, &budget, NULL));
        check(wend_crowd_update(c.crowd, 1000));
        follow();
        note(&frames, (cpu_us() - begun) / 1000);
    }
    printf("side,agents,frames,ms_mean,ms_p99,ms_most,chunks_most,chunks_loaded,map_bytes,arrived\n");
    printf("%d,%d,%zu,%.2f,%.2f,%.2f,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu32 "\n", (int)c.side, (int)agents, frames.count,
           mean(frames.values, frames.count), percentile(frames.values, frames.count, 990),
           percentile(frames.values, frames.count, 1000), (int)c.most_loaded, c.loads, info_now(c.map).bytes,
           count_arrived());
    need(c.most_loaded <= most, "more chunks were loaded than may be");
    need(count_arrived() == (uint32_t)agents, "all arrive");
    wend_crowd_destroy(c.crowd);
    if (c.folder) end_recording();
    wend_service_destroy(c.service);
    wend_map_release(c.map);
    return 0;
}
