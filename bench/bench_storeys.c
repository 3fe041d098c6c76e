/* SPDX-License-Identifier: MIT */
/* Measures walkers in a tower: storeys of rooms with doors, two stairs from each to the next. CSV, a line a number of
 * storeys: microseconds of processor time and expansions of a query without landmarks and with four, of the same
 * queries at the same costs; milliseconds to make these, and to make a field towards one cell; microseconds to publish
 * a door that opens or closes with landmarks, and to repair the field; and its expansions, made and repaired. */
#include "scenery.h"

enum { SIDE = 128, ROOM = 16, LEVELS = 4, QUERIES = 1000, DOORS = 200, LANDMARKS = 4 };

static void fill(wend_edit *edit, wend_cell a, wend_cell b, uint8_t class) {
    check(wend_edit_fill_box(edit, (wend_box){a, b}, class));
}

/* Walls around rooms, with a door each, two cells high. */
static void build_rooms(wend_edit *edit, int32_t z, uint64_t *state) {
    for (int32_t at = ROOM; at < SIDE; at += ROOM) {
        fill(edit, (wend_cell){at, 0, z}, (wend_cell){at, SIDE - 1, z + LEVELS - 2}, WEND_CLASS_BLOCKED);
        fill(edit, (wend_cell){0, at, z}, (wend_cell){SIDE - 1, at, z + LEVELS - 2}, WEND_CLASS_BLOCKED);
    }
    for (int32_t at = ROOM; at < SIDE; at += ROOM)
        for (int32_t room = 0; room < SIDE; room += ROOM) {
            const int32_t place = room + 1 + (int32_t)bench_random(state, ROOM - 1);
            fill(edit, (wend_cell){at, place, z}, (wend_cell){at, place, z + 1}, WEND_CLASS_OPEN);
            fill(edit, (wend_cell){place, at, z}, (wend_cell){place, at, z + 1}, WEND_CLASS_OPEN);
        }
}

/* Blocks of one, two and three levels, below a hole in the ceiling. */
static void build_stairs(wend_edit *edit, int32_t z, uint64_t *state) {
    const int32_t x = (int32_t)bench_random(state, SIDE / ROOM) * ROOM + 5;
    const int32_t y = (int32_t)bench_random(state, SIDE / ROOM) * ROOM + 5;
    for (int32_t i = 0; i < LEVELS - 1; i++)
        fill(edit, (wend_cell){x + i, y, z}, (wend_cell){x + i, y, z + i}, WEND_CLASS_BLOCKED);
    fill(edit, (wend_cell){x, y, z + LEVELS - 1}, (wend_cell){x + LEVELS - 2, y, z + LEVELS - 1}, WEND_CLASS_OPEN);
}

static wend_map *build_tower(int32_t storeys, int32_t *mover) {
    wend_map_def def = default_map();
    wend_mover walker = default_mover();
    wend_map *map;
    wend_edit *edit;
    uint64_t state = 1;
    def.kind = WEND_KIND_VOXEL, def.width = def.height = SIDE, def.depth = storeys * LEVELS;
    check(wend_map_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    for (int32_t z = 0; z < def.depth; z += LEVELS) {
        build_rooms(edit, z, &state);
        fill(edit, (wend_cell){0, 0, z + LEVELS - 1}, (wend_cell){SIDE - 1, SIDE - 1, z + LEVELS - 1},
             WEND_CLASS_BLOCKED);
    }
    for (int32_t z = 0; z + LEVELS < def.depth; z += LEVELS)
        for (int i = 0; i < 2; i++) build_stairs(edit, z, &state);
    publish(edit);
    walker.walker = 1;
    check(wend_map_add_mover(map, &walker, mover));
    return map;
}

/* A cell on the floor of some storey, outside of walls. */
static wend_cell any_floor(int32_t storeys, uint64_t *state) {
    return (wend_cell){(int32_t)bench_random(state, SIDE / ROOM) * ROOM + 9,
                       (int32_t)bench_random(state, SIDE / ROOM) * ROOM + 9,
                       (int32_t)bench_random(state, (uint32_t)storeys) * LEVELS};
}

typedef struct queries {
    double us;
    uint64_t expansions;
    int64_t cost;
} queries;

static queries ask(wend_map *map, int32_t mover, int32_t storeys) {
    wend_search *search = open_search(1 << 22);
    queries all = {0};
    uint64_t state = 5;
    for (int i = 0; i < QUERIES; i++) {
        wend_request request = path_request(map, any_floor(storeys, &state), any_floor(storeys, &state));
        wend_completion result = {.struct_bytes = sizeof result};
        request.mover = mover;
        all.us += solve(search, &request, &result) / QUERIES;
        need(result.status == WEND_STATUS_FOUND, "a way through the tower");
        all.expansions += result.expansions, all.cost += result.cost;
    }
    wend_search_destroy(search);
    return all;
}

/* Doors between rooms of the ground floor close and open. */
static void measure_edits(wend_map *map, wend_field *field, double *publish_us, double *repair_us, uint64_t *repaired) {
    uint64_t state = 9, used;
    *publish_us = *repair_us = 0, *repaired = 0;
    for (int i = 0; i < DOORS; i++) {
        const int32_t wall = ROOM * (1 + (int32_t)bench_random(&state, SIDE / ROOM - 1));
        double begun = cpu_us();
        flip_one(map, (wend_cell){wall, (int32_t)bench_random(&state, SIDE), 0});
        *publish_us += (cpu_us() - begun) / DOORS;
        begun = cpu_us();
        check(wend_field_repair(field, false));
        wend_field_step(field, WEND_NO_LIMIT, &used);
        *repair_us += (cpu_us() - begun) / DOORS, *repaired += used / DOORS;
    }
}

static void measure(int32_t storeys) {
    int32_t mover;
    wend_map *map = build_tower(storeys, &mover);
    const queries plain = ask(map, mover, storeys);
    wend_acceleration landmarks = default_acceleration();
    landmarks.tables = 0, landmarks.landmarks = LANDMARKS, landmarks.mover = mover;
    double begun = cpu_us();
    check(wend_map_accelerate(map, &landmarks));
    const double making_ms = (cpu_us() - begun) / 1e3;
    const queries led = ask(map, mover, storeys);
    need(led.cost == plain.cost, "the same costs");
    wend_field_def def;
    wend_field *field;
    uint64_t made, repaired;
    const wend_cell goal = {9, 9, 0};
    wend_field_def_init(&def, sizeof def);
    def.map = map, def.mover = mover, def.goals = &goal, def.goal_count = 1;
    check(wend_field_create(&def, &field));
    begun = cpu_us();
    wend_field_step(field, WEND_NO_LIMIT, &made);
    const double field_ms = (cpu_us() - begun) / 1e3;
    double publish_us, repair_us;
    measure_edits(map, field, &publish_us, &repair_us, &repaired);
    printf("%d,%.1f,%.0f,%.1f,%.0f,%.1f,%.1f,%.2f,%.1f,%" PRIu64 ",%" PRIu64 "\n", (int)storeys, plain.us,
           (double)plain.expansions / QUERIES, led.us, (double)led.expansions / QUERIES, making_ms, publish_us,
           field_ms, repair_us, made, repaired);
    fflush(stdout);
    wend_field_destroy(field);
    wend_map_release(map);
}

int main(void) {
    printf("storeys,us,expansions,led_us,led_expansions,landmarks_ms,publish_us,field_ms,repair_us,made,repaired\n");
    for (int32_t storeys = 1; storeys <= 16; storeys *= 4) measure(storeys);
    return 0;
}
