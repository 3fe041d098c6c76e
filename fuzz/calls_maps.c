/* SPDX-License-Identifier: MIT */
/* Calls of fuzz_calls on a map: terrain, steps, links, nodes, land, rules, movers, units, layers. */
#include "calls.h"
#include "models/both.h"

/* The open batch; a new one where none is. */
static wend_edit *batch(calls_world *w) {
    if (!w->edit) (void)wend_edit_begin(w->map, &w->edit);
    return w->edit;
}

static uint8_t any_class(calls_world *w) {
    static const uint8_t classes[] = {0, 0, 0, 1, 1, 1, 2, 9, WEND_CLASS_STAIRS, WEND_CLASS_SWAMP, WEND_CLASS_WATER};
    return classes[calls_byte(w) % sizeof classes];
}

static void set_cell(calls_world *w) {
    const wend_cell cell = calls_cell(w);
    const uint8_t terrain = any_class(w);
    if (w->edit) {
        (void)wend_edit_set_cell(w->edit, cell, terrain);
        FUZZ_CHECK(wend_map_set_cell(w->map, cell, terrain, NULL) == WEND_IN_USE ||
                   !calls_fits(w, (wend_box){cell, cell}));
        return;
    }
    uint8_t now = 77;
    const uint64_t epoch = wend_map_get_epoch(w->map);
    uint64_t made = epoch;
    if (wend_map_set_cell(w->map, cell, terrain, &made)) {
        FUZZ_CHECK(wend_map_get_epoch(w->map) == epoch);
        return;
    }
    FUZZ_CHECK(wend_map_get_terrain(w->map, cell, &now) == WEND_OK && now == terrain);
    FUZZ_CHECK(wend_map_get_epoch(w->map) == made);
}

static void fill_box(calls_world *w) {
    if (!batch(w)) return;
    const wend_box box = calls_box(w);
    (void)wend_edit_fill_box(w->edit, box, any_class(w));
}

static void set_box(calls_world *w) {
    uint8_t classes[CALLS_CELLS];
    const wend_box box = calls_box(w);
    size_t stride = calls_count(w, 80);
    if (calls_fits(w, box)) {
        const size_t width = (size_t)(box.max.x - box.min.x) + 1, rows = (size_t)(box.max.y - box.min.y) + 1;
        if (stride > width + 3) stride = width;
        if ((stride + 1) * rows * (size_t)(box.max.z - box.min.z + 1) > sizeof classes) return;
    }
    for (size_t i = 0; i < sizeof classes; i++) classes[i] = i % 3 == 0 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    if (batch(w)) (void)wend_edit_set_box(w->edit, box, classes, stride);
}

static void set_step(calls_world *w) {
    if (!batch(w)) return;
    const wend_cell from = calls_cell(w), to = calls_neighbour(w, from);
    const uint8_t byte = calls_byte(w);
    if (byte & 2)
        (void)set_step_both(w->edit, from, to, byte & 1);
    else
        (void)wend_edit_set_step(w->edit, from, to, byte & 1);
}

/* A seam between the sheets, where the map has some. */
static void add_seam(calls_world *w, wend_cell from) {
    size_t sheets;
    wend_map_get_sheets(w->map, NULL, 0, &sheets);
    if (sheets == 0 || from.x < CALLS_SHEET_AT || from.x >= 63) return;
    const wend_cell to = {from.x - CALLS_SHEET_AT + 65, from.y, 0};
    (void)add_link_both(w->edit, from, to, WEND_LINK_SEAM);
}

static void change_link(calls_world *w) {
    if (!batch(w)) return;
    const wend_cell from = calls_cell(w), to = calls_cell(w);
    const int32_t cost = calls_number(w, calls_byte(w) % 2 ? WEND_MAX_COST : 60);
    switch (calls_byte(w) % 5) {
    case 0: (void)wend_edit_remove_link(w->edit, from, to); break;
    case 1: (void)add_link_both(w->edit, from, to, cost); break;
    case 2: add_seam(w, from); break;
    case 3: (void)wend_edit_add_link(w->edit, &(wend_link){from, to, cost, calls_byte(w)}); break;
    default: (void)wend_edit_add_link(w->edit, &(wend_link){from, to, cost, 0}); break;
    }
}

static void change_graph(calls_world *w) {
    if (!batch(w)) return;
    const uint32_t from = calls_count(w, (uint32_t)w->size.x), to = calls_count(w, (uint32_t)w->size.x);
    const int32_t cost = calls_number(w, 40);
    switch (calls_byte(w) % 5) {
    case 0: (void)wend_edit_add_node(w->edit, from, calls_cell(w), any_class(w), NULL); break;
    case 1: (void)wend_edit_add_node(w->edit, WEND_ANY_NODE, calls_cell(w), any_class(w), NULL); break;
    case 2: (void)wend_edit_remove_node(w->edit, from); break;
    case 3: (void)wend_edit_remove_edge(w->edit, from, to); break;
    default: (void)wend_edit_set_edge(w->edit, from, to, cost); break;
    }
}

static void change_land(calls_world *w) {
    if (!batch(w)) return;
    const int32_t x = calls_number(w, 2), y = calls_number(w, 1);
    uint8_t classes[WEND_CHUNK_SIDE * WEND_CHUNK_SIDE];
    switch (calls_byte(w) % 4) {
    case 0: (void)wend_edit_unload(w->edit, x, y, calls_number(w, 2)); break;
    case 1:
        for (size_t i = 0; i < sizeof classes; i++) classes[i] = i % 7 == 0 ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
        (void)wend_edit_load(w->edit, x, y, classes, WEND_CHUNK_SIDE);
        break;
    default: (void)wend_edit_load(w->edit, x, y, NULL, 0); break;
    }
    int32_t land = 77;
    if (!wend_map_get_land(w->map, x, y, &land)) FUZZ_CHECK(land >= WEND_LAND_LOADED && land <= WEND_LAND_ABSENT);
}

static void end_batch(calls_world *w) {
    if (!w->edit) return;
    bool disconnects = 77;
    wend_edit *edit = w->edit;
    const uint8_t byte = calls_byte(w);
    if (byte % 4 == 0 &&
        !wend_edit_would_disconnect(edit, calls_number(w, 2), calls_cell(w), calls_cell(w), &disconnects))
        FUZZ_CHECK(disconnects == 0 || disconnects == 1);
    w->edit = NULL;
    if (byte > 240) {
        wend_edit_discard(edit);
        return;
    }
    const uint64_t epoch = wend_map_get_epoch(w->map);
    uint64_t made = epoch + 1;
    const wend_error error = wend_edit_publish(edit, &made);
    FUZZ_CHECK(wend_map_get_epoch(w->map) == (error ? epoch : made));
}

/* ---- state without versions ---- */

static void change_rules(calls_world *w) {
    static const int32_t neighbours[] = {0, 4, 6, 8, 18, 26, 5};
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    FUZZ_MUST(wend_map_get_rules(w->map, &rules));
    const uint8_t byte = calls_byte(w);
    rules.neighbours = neighbours[byte % 7];
    rules.corners = calls_number(w, 2);
    if (byte & 64) rules.cost_straight = calls_number(w, 12), rules.cost_diagonal = calls_number(w, 20);
    if (byte & 64) rules.cost_space = calls_number(w, 30);
    rules.factors[calls_byte(w)] = calls_byte(w);
    rules.factors[WEND_CLASS_OPEN] = 1;
    (void)wend_map_set_rules(w->map, &rules);
    if (byte & 128) (void)wend_map_set_max_versions(w->map, calls_number(w, WEND_MAX_VERSIONS));
}

static void add_mover(calls_world *w) {
    wend_mover mover;
    wend_mover_init(&mover, sizeof mover);
    const uint8_t byte = calls_byte(w);
    wend_map_info info = {.struct_bytes = sizeof info};
    FUZZ_MUST(wend_map_get_info(w->map, &info));
    if (info.movers > 4) return;
    mover.size = byte & 1 ? 1 : calls_number(w, 3);
    mover.walker = byte & 2 ? 1 : 0;
    if (byte & 4) mover.step_up = calls_number(w, 3), mover.drop = calls_number(w, WEND_MAX_LEVELS);
    if (byte & 8) mover.headroom = calls_number(w, WEND_MAX_HEADROOM);
    mover.factors[WEND_CLASS_WATER] = calls_byte(w);
    int32_t id = 77;
    if (byte & 16) mover.avoided[0] = calls_byte(w), mover.like = calls_number(w, info.movers) - 1;
    if (!wend_map_add_mover(w->map, &mover, &id)) FUZZ_CHECK(id == info.movers);
    const uint64_t avoided[4] = {byte & 32 ? calls_byte(w) : 0};
    if (!wend_map_mover_avoiding(w->map, calls_number(w, info.movers), avoided, &id)) FUZZ_CHECK(id <= info.movers + 1);
    if (!wend_map_get_mover(w->map, calls_number(w, info.movers), &mover)) FUZZ_CHECK(mover.size >= 1);
}

static void change_units(calls_world *w) {
    const wend_cell cell = calls_cell(w);
    uint32_t before = 0, after = 0;
    const bool there = !wend_map_get_occupants(w->map, cell, &before);
    const bool comes = calls_byte(w) & 1;
    /* Units of the crowd stay: the host takes away its own alone. */
    if (!comes) return;
    const wend_error error = wend_map_occupy(w->map, cell);
    FUZZ_CHECK(there || error);
    if (error) return;
    FUZZ_CHECK(!wend_map_get_occupants(w->map, cell, &after) && after == before + 1);
    if (calls_byte(w) & 1) FUZZ_MUST(wend_map_vacate(w->map, cell));
}

static void change_layers(calls_world *w) {
    wend_layer_def def;
    wend_layer_def_init(&def, sizeof def);
    const uint8_t byte = calls_byte(w);
    const int32_t layer = calls_number(w, 3);
    int32_t added;
    uint8_t value;
    if (byte % 8 == 0) {
        def.half_life = byte & 64 ? 0 : calls_count(w, 9);
        def.within = byte & 64 ? calls_number(w, 9) : 0;
        if (!wend_map_add_layer(w->map, &def, &added)) w->layers = true;
    } else if (byte % 8 == 1) {
        wend_layer_weight weights[2] = {{layer, calls_number(w, 200)}, {calls_number(w, 3), calls_number(w, 200)}};
        (void)wend_map_add_profile(w->map, weights, calls_byte(w) % 3, &added);
    } else if (byte % 8 == 2) {
        (void)wend_map_update_layers(w->map, calls_byte(w) == 255 ? UINT32_MAX : calls_byte(w));
    } else if (byte % 8 == 3) {
        uint8_t values[CALLS_CELLS] = {9, 200, 7};
        const wend_box box = calls_box(w);
        if (calls_fits(w, box) &&
            (box.max.x - box.min.x + 1) * (box.max.y - box.min.y + 1) * (box.max.z - box.min.z + 1) > 2000)
            return;
        const size_t stride = calls_fits(w, box) ? (size_t)(box.max.x - box.min.x) + 1 : calls_count(w, 9);
        (void)wend_map_set_layer_box(w->map, layer, box, values, stride);
        (void)wend_map_get_layer_box(w->map, layer, box, values, stride);
    } else {
        (void)wend_map_add_layer_disc(w->map, layer, calls_cell(w), calls_number(w, 12), calls_number(w, 255));
        (void)wend_map_get_layer_value(w->map, layer, calls_cell(w), &value);
    }
}

static void accelerate(calls_world *w) {
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    const uint8_t byte = calls_byte(w);
    def.mover = calls_number(w, 2);
    def.tables = byte & 1;
    def.landmarks = calls_number(w, byte & 2 ? WEND_MAX_LANDMARKS : 1);
    def.far = byte & 4 ? 1 : 0;
    (void)wend_map_accelerate(w->map, &def);
    uint64_t left;
    if (byte & 8) (void)wend_map_maintain(w->map, calls_count(w, 7), calls_large(w, 60000), &left);
}

static void restart_on_fork(calls_world *w) {
    wend_map *fork;
    if (wend_map_fork(w->map, &fork)) return;
    uint8_t there = 7, here = 9;
    const wend_cell cell = calls_cell(w);
    const wend_error known = wend_map_get_terrain(w->map, cell, &here);
    FUZZ_CHECK(wend_map_get_terrain(fork, cell, &there) == known && (known || here == there));
    (void)wend_map_set_cell(fork, cell, any_class(w), NULL);
    FUZZ_CHECK(wend_map_get_terrain(w->map, cell, &there) == known && (known || here == there));
    wend_map_release(fork);
}

static calls_fn *const maps[] = {set_cell,  set_cell,     fill_box,      set_box,        set_step,  change_link,
                                 end_batch, change_units, change_layers, accelerate,     end_batch, change_graph,
                                 set_cell,  change_rules, add_mover,     restart_on_fork};

size_t calls_of_maps(calls_fn *const **table) {
    *table = maps;
    return sizeof maps / sizeof *maps;
}

/* ---- questions ---- */

static void ask_ways(calls_world *w) {
    const int32_t mover = calls_number(w, 2);
    const wend_cell a = calls_cell(w), b = calls_neighbour(w, a);
    bool said = 77;
    uint64_t cost;
    wend_cell out;
    if (!wend_map_reachable(w->map, mover, a, b, &said)) FUZZ_CHECK(said == 0 || said == 1);
    if (!wend_map_line_of_sight(w->map, mover, a, b, &said, &out)) FUZZ_CHECK(said == 0 || said == 1);
    if (!wend_map_step_legal(w->map, mover, a, b, &said, &cost)) FUZZ_CHECK(said ? cost > 0 || w->graph : cost == 0);
    if (!wend_map_nearest_open(w->map, mover, a, calls_number(w, 40), &said, &out) && said)
        FUZZ_CHECK(calls_fits(w, (wend_box){out, out}));
    if (!wend_map_random_cell(w->map, mover, a, calls_byte(w), &out)) FUZZ_CHECK(calls_fits(w, (wend_box){out, out}));
}

static void ask_places(calls_world *w) {
    wend_places_def def;
    wend_cell out[32];
    size_t count = 0;
    wend_places_def_init(&def, sizeof def);
    def.mover = calls_number(w, 2), def.goal = calls_cell(w), def.from = calls_cell(w);
    def.occupied = calls_byte(w) & 1, def.max_cells = calls_count(w, 400);
    if (!wend_map_free_places(w->map, &def, out, calls_byte(w) % 33, &count)) FUZZ_CHECK(count <= 32);
    wend_nearest_def nearest;
    wend_hit hits[8];
    wend_nearest_def_init(&nearest, sizeof nearest);
    nearest.map = w->map, nearest.start = calls_cell(w), nearest.mover = calls_number(w, 2);
    nearest.cells = out, nearest.cell_count = (uint32_t)count;
    (void)wend_find_nearest(&nearest, hits, calls_byte(w) % 9, &count);
}

static void ask_changes(calls_world *w) {
    wend_box boxes[16];
    wend_changes changes = {.struct_bytes = sizeof changes};
    size_t count = 0;
    if (wend_map_changes(w->map, calls_large(w, 40), boxes, calls_byte(w) % 17, &count, &changes)) return;
    FUZZ_CHECK(changes.epoch == wend_map_get_epoch(w->map));
}

static void ask_all(calls_world *w) {
    uint64_t counts[256], sum = 0;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_link links[8];
    wend_step steps[8];
    wend_edge edges[8];
    wend_cell out;
    size_t count;
    wend_map_get_class_counts(w->map, counts);
    for (int i = 0; i < 256; i++) sum += counts[i];
    FUZZ_CHECK(!wend_map_get_info(w->map, &info) && info.cells == sum);
    wend_map_get_links(w->map, links, 8, &count);
    FUZZ_CHECK(count == info.links);
    wend_map_get_closed_steps(w->map, steps, 8, &count);
    FUZZ_CHECK(count == info.closed_steps);
    FUZZ_CHECK(info.bytes <= info.bytes_peak && info.bytes <= CALLS_BYTES);
    (void)wend_map_get_edges(w->map, calls_count(w, 40), edges, 8, &count);
    (void)wend_map_get_coordinates(w->map, calls_count(w, 40), &out);
}

static void find_path(calls_world *w) {
    const wend_cell start = calls_cell(w), goal = calls_cell(w);
    wend_status status = WEND_STATUS_PENDING;
    size_t count = 0, walkable = 0;
    uint64_t cost;
    if (wend_find_path(w->map, start, goal, w->path, CALLS_CELLS, &count, &status)) return;
    FUZZ_CHECK(status != WEND_STATUS_PENDING && count <= CALLS_CELLS);
    w->path_count = count;
    if (status != WEND_STATUS_FOUND) return;
    FUZZ_CHECK(!wend_map_path_cost(w->map, WEND_MOVER_DEFAULT, w->path, count, &walkable, &cost) && walkable == count);
}

static calls_fn *const lands[] = {change_land, change_land, end_batch,   ask_ways, ask_places,
                                  ask_changes, ask_all,     change_land, find_path};

size_t calls_of_land(calls_fn *const **table) {
    *table = lands;
    return sizeof lands / sizeof *lands;
}
