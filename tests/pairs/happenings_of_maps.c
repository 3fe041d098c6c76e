/* SPDX-License-Identifier: MIT */
/* Happenings of a map: edits of each kind, rules, movers, layers, units, land, derived data, forks, saves. */
#include "pairs/pairs.h"
#include "models/both.h"

#include <stdlib.h>

/* ---- cells ---- */

static wend_error wall_near(pair_world *w) {
    return world_edit(w);
}

static wend_error wall_far(pair_world *w) {
    w->changes++;
    return wend_map_set_cell(w->map, world_loaded_place(w), WEND_CLASS_BLOCKED, NULL);
}

static wend_error cell_opened(pair_world *w) {
    w->changes++;
    return wend_map_set_cell(w->map, world_loaded_place(w), WEND_CLASS_OPEN, NULL);
}

static wend_error ground_slowed(pair_world *w) {
    w->changes++;
    return wend_map_set_cell(w->map, world_loaded_place(w), 3, NULL);
}

static int32_t apart_of(wend_cell a, wend_cell b) {
    const int32_t x = abs(a.x - b.x), y = abs(a.y - b.y), z = abs(a.z - b.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}

/* What movers that are shy shun comes over the ground round an agent, or round the start of the request. */
static wend_error danger_spread(pair_world *w) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_cell middle = w->main->request.start;
    if (w->crowd && !wend_crowd_get_agent(w->crowd, w->agents[draw(&w->random, PEOPLE)], &state)) middle = state.cell;
    const int32_t reach = 1 + (int32_t)draw(&w->random, 3);
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    for (int i = 0; i < w->place_count; i++)
        if (apart_of(w->places[i], middle) <= reach && world_is_loaded(w, w->places[i]))
            CLAIM(!wend_edit_set_cell(edit, w->places[i], 3), "danger");
    return wend_edit_publish(edit, NULL);
}

static wend_error danger_gone(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    for (int i = 0; i < w->place_count; i++) {
        uint8_t class = 0;
        if (!world_is_loaded(w, w->places[i]) || wend_map_get_terrain(w->map, w->places[i], &class)) continue;
        if (class == 3) CLAIM(!wend_edit_set_cell(edit, w->places[i], WEND_CLASS_OPEN), "danger");
    }
    return wend_edit_publish(edit, NULL);
}

static wend_error start_built_over(pair_world *w) {
    if (!world_is_loaded(w, w->main->request.start)) return WEND_EMPTY;
    w->changes++;
    return wend_map_set_cell(w->map, w->main->request.start, WEND_CLASS_BLOCKED, NULL);
}

static wend_error goal_built_over(pair_world *w) {
    if (!world_is_loaded(w, w->main->request.goal)) return WEND_EMPTY;
    w->changes++;
    return wend_map_set_cell(w->map, w->main->request.goal, WEND_CLASS_BLOCKED, NULL);
}

/* A batch of many kinds; a box first. */
static wend_error batch(pair_world *w) {
    const wend_cell a = world_loaded_place(w), b = world_loaded_place(w);
    wend_box box = {a, a};
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    if (b.x > a.x && b.x < a.x + 4 && world_is_loaded(w, (wend_cell){b.x, a.y, a.z})) box.max.x = b.x;
    wend_error error = wend_edit_fill_box(edit, box, draw(&w->random, 2) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
    for (int i = 0; i < 12 && !error; i++)
        error =
            wend_edit_set_cell(edit, world_loaded_place(w), draw(&w->random, 3) ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
    if (!error) return wend_edit_publish(edit, NULL);
    return wend_edit_discard(edit), error;
}

static wend_error batch_discarded(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    bool disconnects = false;
    wend_error error = wend_edit_set_cell(edit, world_loaded_place(w), WEND_CLASS_BLOCKED);
    if (!error) error = wend_edit_would_disconnect(edit, w->mover, world_place(w), world_place(w), &disconnects);
    wend_edit_discard(edit);
    return error;
}

/* Publishes more versions than may be live: searches on the oldest begin again. */
static wend_error versions_used_up(pair_world *w) {
    wend_error error = wend_map_set_max_versions(w->map, 1);
    for (int i = 0; i < 3 && !error; i++) (void)world_edit(w);
    return error ? error : wend_map_set_max_versions(w->map, 8);
}

/* ---- ways ---- */

static wend_error link_added(pair_world *w) {
    const wend_cell from = world_place(w), to = world_place(w);
    if (!world_links(w, from, to)) return WEND_EMPTY;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    CLAIM(!wend_edit_add_link(edit, &(wend_link){from, to, 3 + (int32_t)draw(&w->random, 40), 0}), "link");
    return wend_edit_publish(edit, NULL);
}

/* Adds a link, or changes one that is there: it is for the world's mover, or for the default mover alone. */
static wend_error link_for_some(pair_world *w) {
    wend_link link = {.from = world_place(w), .to = world_place(w), .cost = 3 + (int32_t)draw(&w->random, 40)};
    size_t count = 0;
    if (draw(&w->random, 2)) wend_map_get_links(w->map, &link, 1, &count);
    if (link.cost == WEND_LINK_SEAM || !world_links(w, link.from, link.to)) return WEND_EMPTY;
    const uint32_t movers = draw(&w->random, 3) ? 1u << w->mover : 1u << WEND_MOVER_DEFAULT;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    CLAIM(!wend_edit_add_link(edit, &(wend_link){link.from, link.to, link.cost, movers}), "link");
    return wend_edit_publish(edit, NULL);
}

static wend_error link_removed(pair_world *w) {
    wend_link links[128];
    size_t count = 0;
    wend_map_get_links(w->map, links, 128, &count);
    if (count > 128) count = 128;
    if (count == 0 && link_added(w)) return WEND_EMPTY;
    if (count == 0) wend_map_get_links(w->map, links, 128, &count);
    if (count == 0) return WEND_EMPTY;
    const wend_link link = links[draw(&w->random, (uint32_t)count)];
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    CLAIM(!wend_edit_remove_link(edit, link.from, link.to), "link");
    return wend_edit_publish(edit, NULL);
}

static wend_error set_step(pair_world *w, int32_t open) {
    const wend_cell from = world_loaded_place(w);
    wend_cell to = {from.x + 1, from.y, from.z};
    if (to.x >= info_now(w->map).width || !world_is_loaded(w, to)) to.x = from.x - 1;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    wend_error error = set_step_both(edit, from, to, open);
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static wend_error step_closed(pair_world *w) {
    return set_step(w, 0);
}

static wend_error step_opened(pair_world *w) {
    return set_step(w, 1);
}

static wend_error node_added(pair_world *w) {
    uint32_t node = 0;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    wend_error error = wend_edit_add_node(edit, WEND_ANY_NODE, (wend_cell){3, 4, 0}, WEND_CLASS_OPEN, &node);
    if (!error) error = wend_edit_set_edge(edit, (uint32_t)world_place(w).x, node, 5);
    if (!error) error = wend_edit_set_edge(edit, node, (uint32_t)world_place(w).x, 5);
    if (error == WEND_OUT_OF_RANGE) error = WEND_EMPTY; /* an end is missing, or no id is left */
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static wend_error node_removed(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    const wend_cell node = world_place(w);
    w->changes++;
    wend_error error = wend_edit_remove_node(edit, (uint32_t)node.x);
    if (error == WEND_OUT_OF_RANGE) error = WEND_EMPTY;
    if (error) return wend_edit_discard(edit), error;
    error = wend_edit_publish(edit, NULL);
    /* Adds the node again, as the places of this world are its nodes. */
    edit = begin_edit(w->map);
    CLAIM(!wend_edit_add_node(edit, (uint32_t)node.x, (wend_cell){1, 1, 0}, WEND_CLASS_OPEN, NULL), "node");
    CLAIM(!wend_edit_set_edge(edit, (uint32_t)node.x, (uint32_t)((node.x + 1) % 150), 12), "edge");
    CLAIM(!wend_edit_publish(edit, NULL), "publish");
    return error;
}

static wend_error edge_set(pair_world *w) {
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    wend_error error = wend_edit_set_edge(edit, (uint32_t)world_place(w).x, (uint32_t)world_place(w).x,
                                          1 + (int32_t)draw(&w->random, 50));
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static wend_error edge_removed(pair_world *w) {
    wend_edge edges[64];
    size_t count = 0;
    const uint32_t node = (uint32_t)world_place(w).x;
    wend_error error = wend_map_get_edges(w->map, node, edges, 64, &count);
    if (error) return error;
    if (count == 0) return WEND_EMPTY;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    CLAIM(!wend_edit_remove_edge(edit, node, edges[0].to), "edge");
    return wend_edit_publish(edit, NULL);
}

/* ---- rules, movers, layers, units ---- */

static wend_error rules_set(pair_world *w) {
    wend_map_rules rules = rules_now(w->map);
    rules.factors[3] = rules.factors[3] == 3 ? 4 : 3;
    if (draw(&w->random, 2)) rules.cost_straight = rules.cost_straight == 10 ? 11 : 10;
    if (world_is(w, GROUND, BIT(HEX))) rules.cost_diagonal = rules.cost_straight;
    w->changes++;
    return wend_map_set_rules(w->map, &rules);
}

static wend_error mover_added(pair_world *w) {
    wend_mover mover = default_mover();
    int32_t id = 0;
    mover.factors[3] = 0;
    if (info_now(w->map).movers >= 60) return WEND_EMPTY;
    return wend_map_add_mover(w->map, &mover, &id);
}

static wend_error mover_avoids(pair_world *w) {
    const uint64_t avoided[4] = {UINT64_C(1) << (2 + draw(&w->random, 2))};
    int32_t id = 0;
    if (info_now(w->map).movers >= 60) return WEND_EMPTY;
    return wend_map_mover_avoiding(w->map, w->mover, avoided, &id);
}

static wend_error layer_added(pair_world *w) {
    wend_layer_def def = default_layer();
    int32_t layer = 0;
    wend_layer_info info = {.struct_bytes = sizeof info};
    if (!wend_map_get_layer(w->map, 0, &info) && info.layers >= 30) return WEND_EMPTY;
    return wend_map_add_layer(w->map, &def, &layer);
}

static bool has_own_layer(const pair_world *w) {
    return world_is(w, LAYERS, BIT(VALUES) | BIT(FADING));
}

/* Returns a layer of values. Worlds without one get a new one, which only later requests may use. */
static int32_t layer_of(pair_world *w) {
    wend_layer_def def = default_layer();
    wend_layer_info info = {.struct_bytes = sizeof info};
    int32_t layer = 0;
    if (has_own_layer(w)) return w->layer;
    for (layer = 0; !wend_map_get_layer(w->map, layer, &info); layer++)
        if (!info.within) return layer;
    CLAIM(!wend_map_add_layer(w->map, &def, &layer), "layer");
    return layer;
}

static wend_error disc_painted(pair_world *w) {
    const bool graph = world_is(w, GROUND, BIT(GRAPH) | BIT(PLACED));
    w->changes++;
    return wend_map_add_layer_disc(w->map, layer_of(w), world_place(w), graph ? 0 : (int32_t)draw(&w->random, 6), 255);
}

static wend_error box_painted(pair_world *w) {
    static const uint8_t values[4] = {200, 0, 90, 255};
    const wend_cell cell = world_place(w);
    w->changes++;
    return wend_map_set_layer_box(w->map, layer_of(w), (wend_box){cell, cell}, values + draw(&w->random, 4), 1);
}

static wend_error layers_faded(pair_world *w) {
    w->changes++;
    return wend_map_update_layers(w->map, 1 + draw(&w->random, 3));
}

static wend_error profile_added(pair_world *w) {
    const wend_layer_weight weight = {layer_of(w), 1 + (int32_t)draw(&w->random, 20)};
    int32_t profile = 0;
    return wend_map_add_profile(w->map, &weight, 1, &profile);
}

static wend_error unit_came(pair_world *w) {
    w->unit_moves++;
    return wend_map_occupy(w->map, world_place(w));
}

/* Takes away a unit that came first: agents' units are the crowd's. */
static wend_error unit_went(pair_world *w) {
    const wend_cell cell = world_place(w);
    wend_error error = wend_map_occupy(w->map, cell);
    w->unit_moves++;
    return error ? error : wend_map_vacate(w->map, cell);
}

/* ---- land ---- */

static wend_error load(pair_world *w, uint32_t chunk) {
    uint8_t cells[64 * 64];
    for (size_t i = 0; i < sizeof cells; i++) cells[i] = draw(&w->random, 5) ? WEND_CLASS_BLOCKED : WEND_CLASS_OPEN;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    wend_error error = wend_edit_load(edit, (int32_t)chunk % 2, (int32_t)chunk / 2, cells, 64);
    for (int i = 0; i < w->place_count && !error; i++)
        if ((uint32_t)(w->places[i].x / 64 + w->places[i].y / 64 * 2) == chunk && draw(&w->random, 4))
            error = wend_edit_set_cell(edit, w->places[i], WEND_CLASS_OPEN);
    if (!error) return wend_edit_publish(edit, NULL);
    wend_edit_discard(edit);
    return error;
}

static wend_error chunk_loaded(pair_world *w) {
    return load(w, draw(&w->random, 4));
}

static wend_error unload(pair_world *w, int32_t chunk, int32_t land) {
    int32_t now = WEND_LAND_LOADED;
    wend_error error = wend_map_get_land(w->map, chunk % 2, chunk / 2, &now);
    if (error) return error;
    if (now != WEND_LAND_LOADED || info_now(w->map).loaded_chunks < 2) return chunk_loaded(w) ? WEND_EMPTY : WEND_OK;
    wend_edit *edit = begin_edit(w->map);
    w->changes++;
    CLAIM(!wend_edit_unload(edit, chunk % 2, chunk / 2, land), "unload");
    return wend_edit_publish(edit, NULL);
}

static wend_error chunk_known(pair_world *w) {
    return unload(w, (int32_t)draw(&w->random, 4), WEND_LAND_KNOWN);
}

static wend_error chunk_gone(pair_world *w) {
    return unload(w, (int32_t)draw(&w->random, 4), WEND_LAND_ABSENT);
}

/* ---- derived data ---- */

static wend_error accelerated(pair_world *w) {
    wend_acceleration def = default_acceleration();
    def.mover = world_is(w, MOVER, BIT(WALKER)) ? WEND_MOVER_DEFAULT : w->mover;
    def.landmarks = 1, def.far = !world_is(w, GROUND, BIT(ROUND) | BIT(SHEETS)),
    def.later = (int32_t)draw(&w->random, 2);
    return wend_map_accelerate(w->map, &def);
}

static wend_error derived_dropped(pair_world *w) {
    wend_acceleration def = default_acceleration();
    def.mover = world_is(w, MOVER, BIT(WALKER)) ? WEND_MOVER_DEFAULT : w->mover;
    def.landmarks = 0, def.far = 0, def.tables = 0;
    return wend_map_accelerate(w->map, &def);
}

/* Maintains in slices so small that edits and frames come in the middle of each kind of work. */
static wend_error maintained(pair_world *w) {
    wend_acceleration def = default_acceleration();
    def.mover = world_is(w, MOVER, BIT(WALKER)) ? WEND_MOVER_DEFAULT : w->mover;
    def.landmarks = 1, def.far = !world_is(w, GROUND, BIT(ROUND) | BIT(SHEETS)), def.later = 1;
    if (world_is(w, DERIVED, BIT(UNDERIVED)) || draw(&w->random, 4) == 0)
        CLAIM(!wend_map_accelerate(w->map, &def), "later");
    const bool streamed = world_is(w, GROUND, BIT(STREAMED));
    for (int i = 0; i < (streamed ? 40 : 10); i++) {
        uint64_t left = 0;
        wend_error error = wend_map_maintain(w->map, WEND_MAINTAIN_ALL, 200u << draw(&w->random, 9), &left);
        if (error) return error;
        if (draw(&w->random, 2))
            (void)(draw(&w->random, 3) ? world_edit(w) : draw(&w->random, 2) ? chunk_known(w) : chunk_gone(w));
        if (i == 6) world_frame(w, 1, WEND_NO_LIMIT, NULL);
        if (i % 4 == 3) (void)chunk_loaded(w);
    }
    return WEND_OK;
}

static void maintain(pair_world *w, int slices, uint64_t effort) {
    uint64_t left = 1;
    for (int i = 0; i < slices && left > 0; i++)
        CLAIM(!wend_map_maintain(w->map, WEND_MAINTAIN_FAR, effort, &left), "slice");
}

/* Unloads a chunk when its neighbour has been repaired from its cells, and it has not. */
static wend_error chunk_gone_under_repair(pair_world *w) {
    wend_acceleration def = default_acceleration();
    def.mover = w->mover, def.landmarks = 0, def.tables = 0, def.far = 1, def.later = 1;
    int32_t land = WEND_LAND_LOADED;
    wend_error error = wend_map_get_land(w->map, 0, 0, &land);
    if (!error) error = wend_map_accelerate(w->map, &def);
    for (int i = 0; i < 12 && !error; i++) {
        const uint32_t chunk = 1 + draw(&w->random, 3);
        (void)unload(w, (int32_t)chunk, WEND_LAND_ABSENT);
        maintain(w, 1000, 50000);
        error = load(w, chunk);
        (void)world_edit(w);
        maintain(w, 1 + (int)draw(&w->random, 6), 1000u << draw(&w->random, 5));
        (void)unload(w, (int32_t)chunk, WEND_LAND_ABSENT);
        maintain(w, 1000, 50000);
        if (!error) error = load(w, chunk);
    }
    return error;
}

/* ---- copies ---- */

static wend_error fork_made(pair_world *w) {
    wend_map *fork = NULL;
    wend_error error = wend_map_fork(w->map, &fork);
    if (error) return error;
    asked *own = world_new_asked(w);
    world_ask(w, own);
    own->request.map = fork;
    (void)world_submit(w, own);
    error = wend_map_set_cell(fork, world_loaded_place(w), WEND_CLASS_BLOCKED, NULL);
    if (draw(&w->random, 2)) world_frame(w, 5, WEND_NO_LIMIT, NULL);
    wend_map_release(fork);
    return error;
}

/* Saves the map, changes it, and restores it. */
static wend_error map_restored(pair_world *w) {
    size_t bytes = 0;
    w->changes++, w->unit_moves++;
    wend_error error = wend_map_save_state(w->map, NULL, 0, &bytes);
    void *save = malloc(bytes);
    CLAIM(save, "memory");
    error = wend_map_save_state(w->map, save, bytes, &bytes);
    if (!error) (void)world_edit(w);
    if (!error && draw(&w->random, 2)) error = disc_painted(w);
    if (!error) error = wend_map_restore_state(w->map, save, bytes);
    free(save);
    return error;
}

const happening_row happenings_of_maps[] = {
    {"wall near", wall_near, 0},
    {"wall far", wall_far, 0},
    {"cell opened", cell_opened, 0},
    {"ground slowed", ground_slowed, 0},
    {"danger spread", danger_spread, 0},
    {"danger gone", danger_gone, 0},
    {"start built over", start_built_over, 0},
    {"goal built over", goal_built_over, 0},
    {"batch", batch, 0},
    {"batch discarded", batch_discarded, 0},
    {"versions used up", versions_used_up, 0},
    {"link added", link_added, 0},
    {"link for some", link_for_some, 0},
    {"link removed", link_removed, 0},
    {"step closed", step_closed, 0},
    {"step opened", step_opened, 0},
    {"node added", node_added, 0},
    {"node removed", node_removed, 0},
    {"edge set", edge_set, 0},
    {"edge removed", edge_removed, 0},
    {"rules set", rules_set, 0},
    {"mover added", mover_added, 0},
    {"mover avoids", mover_avoids, 0},
    {"layer added", layer_added, 0},
    {"disc painted", disc_painted, 0},
    {"box painted", box_painted, 0},
    {"layers faded", layers_faded, 0},
    {"profile added", profile_added, 0},
    {"unit came", unit_came, 0},
    {"unit went", unit_went, 0},
    {"chunk loaded", chunk_loaded, 0},
    {"chunk known", chunk_known, 0},
    {"chunk gone", chunk_gone, 0},
    {"accelerated", accelerated, 0},
    {"derived dropped", derived_dropped, 0},
    {"maintained", maintained, 0},
    {"chunk gone under repair", chunk_gone_under_repair, 0},
    {"fork made", fork_made, 0},
    {"map restored", map_restored, 0},
    {NULL, NULL, 0},
};
