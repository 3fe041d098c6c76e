/* SPDX-License-Identifier: MIT */
/* Rows of maps: questions and changes. A row with a change makes it on a fork, or undoes it. */
#include "each.h"

#include <wend/acceleration.h>
#include <wend/edit.h>
#include <wend/graph.h>
#include <wend/host.h>
#include <wend/layers.h>
#include <wend/query.h>
#include <wend/stream.h>
#include <wend/units.h>
#include <wend/ways.h>

static wend_box around(wend_cell cell) {
    return (wend_box){cell, cell};
}

static wend_map *fork_of(wend_map *map) {
    wend_map *fork;
    check(wend_map_fork(map, &fork));
    return fork;
}

static void ask_words(void) {
    wend_set_assert_handler(NULL);
    ROW(wend_error_name, "", wend_error_name(WEND_BLOCKED));
    ROW(wend_error_text, "", wend_error_text(WEND_BLOCKED));
    ROW(wend_error_detail, "", wend_error_detail(WEND_BLOCKED));
    ROW(wend_status_name, "", wend_status_name(WEND_STATUS_FOUND));
    ROW(wend_version, "", wend_version());
    ROW(wend_allocator_default, "", wend_allocator_default());
    ROW(wend_set_assert_handler, "", wend_set_assert_handler(NULL));
    ROW(wend_set_log, "", wend_set_log(NULL, NULL, 0));
}

static void make_maps(world *w) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    wend_acceleration acceleration = default_acceleration();
    wend_map *map = w->map;
    ROW(wend_map_def_init, "", wend_map_def_init(&def, sizeof def));
    ROW(wend_map_rules_init, "", wend_map_rules_init(&rules, sizeof rules));
    ROW(wend_acceleration_init, "", wend_acceleration_init(&acceleration, sizeof acceleration));
    def.width = def.height = w->side;
    ROW_ONCE(wend_map_create, "all open", , check(wend_map_create(&def, &map)), wend_map_release(map));
    ROW_ONCE(wend_map_release, "the last one", check(wend_map_create(&def, &map)), wend_map_release(map), );
    ROW_ONCE(wend_map_retain, "", , wend_map_retain(w->map), wend_map_release(w->map));
    ROW_ONCE(wend_map_release, "", wend_map_retain(w->map), wend_map_release(w->map), );
    ROW_ONCE(wend_map_fork, "", , check(wend_map_fork(w->map, &map)), wend_map_release(map));
    ROW_ONCE(wend_map_accelerate, "", check(wend_map_create(&def, &map)),
             check(wend_map_accelerate(map, &acceleration)), wend_map_release(map));
    map = fork_of(w->map);
    check(wend_map_set_cell(map, w->to, WEND_CLASS_BLOCKED, NULL));
    uint64_t left;
    ROW(wend_map_maintain, "", check(wend_map_maintain(map, WEND_MAINTAIN_ALL, 1000, &left)));
    wend_map_release(map);
}

static void ask_map(world *w) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_rules rules = default_rules();
    wend_box boxes[16], all = {{0, 0, 0}, {w->side - 1, w->side - 1, 0}};
    wend_changes changes = {.struct_bytes = sizeof changes};
    wend_link links[4];
    wend_sheet sheets[4];
    wend_step steps[4];
    uint8_t class, *classes = malloc((size_t)w->side * (size_t)w->side);
    uint64_t counts[256];
    size_t count;
    need(classes != NULL, "memory");
    ROW(wend_map_get_info, "", check(wend_map_get_info(w->map, &info)));
    ROW(wend_map_get_rules, "", check(wend_map_get_rules(w->map, &rules)));
    ROW(wend_map_get_epoch, "", wend_map_get_epoch(w->map));
    ROW(wend_map_get_terrain, "", check(wend_map_get_terrain(w->map, w->from, &class)));
    ROW(wend_map_get_terrain_box, "all", check(wend_map_get_terrain_box(w->map, all, classes, (size_t)w->side)));
    ROW(wend_map_get_class_counts, "", wend_map_get_class_counts(w->map, counts));
    ROW(wend_map_changes, "", check(wend_map_changes(w->map, 0, boxes, 16, &count, &changes)));
    ROW(wend_map_get_links, "none", wend_map_get_links(w->map, links, 4, &count));
    ROW(wend_map_get_sheets, "none", wend_map_get_sheets(w->map, sheets, 4, &count));
    ROW(wend_map_get_closed_steps, "none", wend_map_get_closed_steps(w->map, steps, 4, &count));
    free(classes);
}

static void ask_queries(world *w) {
    bool answer;
    wend_cell cell, out[9];
    uint64_t cost;
    size_t count;
    wend_places_def places;
    ROW(wend_map_reachable, "", check(wend_map_reachable(w->map, 0, w->from, w->to, &answer)));
    ROW(wend_map_line_of_sight, "", check(wend_map_line_of_sight(w->map, 0, w->from, w->to, &answer, &cell)));
    ROW(wend_map_nearest_open, "open", check(wend_map_nearest_open(w->map, 0, w->from, 1000, &answer, &cell)));
    ROW(wend_map_nearest_open, "blocked", check(wend_map_nearest_open(w->map, 0, w->blocked, 1000, &answer, &cell)));
    ROW(wend_map_path_cost, "", check(wend_map_path_cost(w->map, 0, w->path, w->count, &count, &cost)));
    ROW(wend_map_step_legal, "", check(wend_map_step_legal(w->map, 0, w->path[0], w->path[1], &answer, &cost)));
    ROW(wend_places_def_init, "", wend_places_def_init(&places, sizeof places));
    places.goal = places.from = w->from;
    ROW(wend_map_free_places, "9", check(wend_map_free_places(w->map, &places, out, 9, &count)));
    ROW(wend_map_random_cell, "", check(wend_map_random_cell(w->map, 0, w->from, k, &cell)));
}

static void use_movers(world *w) {
    wend_mover mover;
    int32_t id;
    wend_map *map = w->map;
    ROW(wend_mover_init, "", wend_mover_init(&mover, sizeof mover));
    mover.size = 2;
    ROW_ONCE(wend_map_add_mover, "of 2 x 2", map = fork_of(w->map), check(wend_map_add_mover(map, &mover, &id)),
             wend_map_release(map));
    static const uint64_t water[4] = {1 << WEND_CLASS_WATER};
    ROW_ONCE(wend_map_mover_avoiding, "new", map = fork_of(w->map), check(wend_map_mover_avoiding(map, 0, water, &id)),
             wend_map_release(map));
    ROW(wend_map_get_mover, "", check(wend_map_get_mover(w->map, 0, &mover)));
}

static void use_units(world *w) {
    wend_map *map = fork_of(w->map);
    uint32_t units;
    check(wend_map_occupy(map, w->from));
    check(wend_map_vacate(map, w->from));
    ROW_ONCE(wend_map_occupy, "", , check(wend_map_occupy(map, w->from)), check(wend_map_vacate(map, w->from)));
    ROW_ONCE(wend_map_vacate, "", check(wend_map_occupy(map, w->from)), check(wend_map_vacate(map, w->from)), );
    ROW(wend_map_get_occupants, "", check(wend_map_get_occupants(map, w->from, &units)));
    wend_map_release(map);
}

static void use_layers(world *w) {
    wend_layer_def def;
    wend_layer_info info = {.struct_bytes = sizeof info};
    wend_layer_weight weight = {.layer = 0, .weight = 1}, given[8];
    wend_map *map = w->map;
    uint8_t value = 7;
    int32_t layer, profile;
    uint32_t weights;
    ROW(wend_layer_def_init, "", wend_layer_def_init(&def, sizeof def));
    ROW_ONCE(wend_map_add_layer, "", map = fork_of(w->map), check(wend_map_add_layer(map, &def, &layer)),
             wend_map_release(map));
    def.half_life = 100;
    ROW_ONCE(wend_map_add_profile, "", map = fork_of(w->map); check(wend_map_add_layer(map, &def, &layer)),
                                                              check(wend_map_add_profile(map, &weight, 1, &profile)),
                                                              wend_map_release(map));
    map = fork_of(w->map);
    check(wend_map_add_layer(map, &def, &layer));
    weight.layer = layer;
    check(wend_map_add_profile(map, &weight, 1, &profile));
    ROW(wend_layer_add_disc, "of 3", check(wend_layer_add_disc(map, layer, w->from, 3, 9)));
    ROW(wend_layer_set_box, "a cell", check(wend_layer_set_box(map, layer, around(w->from), &value, 1)));
    ROW(wend_layer_get, "", check(wend_layer_get(map, layer, w->from, &value)));
    ROW(wend_layer_get_box, "a cell", check(wend_layer_get_box(map, layer, around(w->from), &value, 1)));
    ROW(wend_layer_update, "", check(wend_layer_update(map, 1)));
    ROW(wend_map_get_layer, "", check(wend_map_get_layer(map, layer, &info)));
    ROW(wend_map_get_profile, "", check(wend_map_get_profile(map, profile, given, &weights)));
    wend_map_release(map);
}

void each_map(world *w) {
    ask_words();
    make_maps(w);
    ask_map(w);
    ask_queries(w);
    use_movers(w);
    use_units(w);
    use_layers(w);
}

/* ---- changes ---- */

static void edit_cells(world *w, wend_map *map) {
    wend_edit *edit = NULL;
    uint8_t blocked = WEND_CLASS_BLOCKED;
    bool answer;
    ROW_ONCE(wend_edit_begin, "", , check(wend_edit_begin(map, &edit)), wend_edit_discard(edit));
    ROW_ONCE(wend_edit_discard, "", check(wend_edit_begin(map, &edit)), wend_edit_discard(edit), );
#define IN_EDIT(function, tag, ...)                                                                                    \
    ROW_ONCE(function, tag, check(wend_edit_begin(map, &edit)), check(function(edit, __VA_ARGS__)),                    \
             wend_edit_discard(edit))
    IN_EDIT(wend_edit_set_cell, "", w->to, blocked);
    IN_EDIT(wend_edit_fill_box, "a cell", around(w->to), blocked);
    IN_EDIT(wend_edit_set_box, "a cell", around(w->to), &blocked, 1);
    IN_EDIT(wend_edit_set_step, "", w->path[0], w->path[1], 0);
    IN_EDIT(wend_edit_add_link, "", w->from, w->to, 10);
    IN_EDIT(wend_edit_add_link_for, "", w->from, w->to, 10, 1);
    ROW_ONCE(wend_edit_remove_link, "", check(wend_edit_begin(map, &edit));
             check(wend_edit_add_link(edit, w->from, w->to, 10)), check(wend_edit_remove_link(edit, w->from, w->to)),
             wend_edit_discard(edit));
    ROW_ONCE(wend_edit_would_disconnect, "", check(wend_edit_begin(map, &edit));
             check(wend_edit_set_cell(edit, w->path[1], blocked)),
             check(wend_edit_would_disconnect(edit, 0, w->from, w->to, &answer)), wend_edit_discard(edit));
    ROW_ONCE(wend_edit_publish, "a cell", check(wend_edit_begin(map, &edit));
             flip_cell(edit, map, w->to), check(wend_edit_publish(edit, NULL)), );
}

static void change_map(world *w, wend_map *map) {
    wend_map_rules rules = rules_now(map);
    ROW(wend_map_set_cell, "", check(wend_map_set_cell(map, w->to, k & 1, NULL)));
    ROW(wend_map_set_rules, "the same", check(wend_map_set_rules(map, &rules)));
    ROW(wend_map_set_rules, "other costs", rules.factors[9] = (uint8_t)(2 + k % 2);
        check(wend_map_set_rules(map, &rules)));
    ROW(wend_map_set_max_versions, "", check(wend_map_set_max_versions(map, 8)));
}

static void stream_land(world *w) {
    static uint8_t classes[64 * 64];
    const size_t stride = w->side < 64 ? (size_t)w->side : 64;
    wend_map_def def = default_map();
    wend_map *map;
    wend_edit *edit = NULL;
    int32_t land;
    memset(classes, WEND_CLASS_OPEN, sizeof classes);
    def.width = def.height = w->side, def.streamed = 1;
    check(wend_map_create(&def, &map));
    IN_EDIT(wend_edit_load, "a chunk", 0, 0, classes, stride);
    ROW_ONCE(wend_edit_unload, "a chunk", check(wend_edit_begin(map, &edit));
             check(wend_edit_load(edit, 0, 0, classes, stride)), check(wend_edit_unload(edit, 0, 0, WEND_LAND_ABSENT)),
             wend_edit_discard(edit));
    ROW(wend_map_get_land, "", check(wend_map_get_land(map, 0, 0, &land)));
    wend_map_release(map);
}

/* A ring of as many nodes as the map has cells. */
static void use_graph(world *w) {
    const uint32_t count = (uint32_t)(w->side * w->side);
    wend_edge *edges = calloc(count, sizeof *edges), out[4];
    wend_cell *places = calloc(count, sizeof *places), at;
    wend_graph_def def = default_graph();
    wend_map *map;
    wend_edit *edit = NULL;
    size_t found;
    uint32_t node;
    need(edges && places, "memory");
    for (uint32_t i = 0; i < count; i++) {
        edges[i] = (wend_edge){i, (i + 1) % count, 10};
        places[i] = (wend_cell){(int32_t)i, 0, 0};
    }
    ROW(wend_graph_def_init, "", wend_graph_def_init(&def, sizeof def));
    def.node_count = count, def.edges = edges, def.edge_count = count, def.coordinates = places;
    def.node_capacity = count + 8;
    ROW_ONCE(wend_graph_create, "", , check(wend_graph_create(&def, &map)), wend_map_release(map));
    check(wend_graph_create(&def, &map));
    ROW(wend_map_get_edges, "", check(wend_map_get_edges(map, 3, out, 4, &found)));
    ROW(wend_map_get_coordinates, "", check(wend_map_get_coordinates(map, 3, &at)));
    const wend_cell place = {7, 7, 0};
    IN_EDIT(wend_edit_add_node, "", count, place, WEND_CLASS_OPEN, &node);
    IN_EDIT(wend_edit_remove_node, "", 3);
    IN_EDIT(wend_edit_set_edge, "", 3, 5, 7);
    IN_EDIT(wend_edit_remove_edge, "", 3, 4);
    wend_map_release(map);
    free(edges);
    free(places);
}

void each_map_changes(world *w) {
    wend_map *map = fork_of(w->map);
    edit_cells(w, map);
    change_map(w, map);
    wend_map_release(map);
    stream_land(w);
    use_graph(w);
}
