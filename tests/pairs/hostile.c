/* SPDX-License-Identifier: MIT */
/* Calls with hostile arguments: in range, next to a limit, and past it. Errors are fine. What must hold: a refused edit
 * publishes nothing, results lie on the map, frames keep their budgets, figures add up, a save that is restored saves to
 * the same bytes, no two agents cover one cell; and at the end of the world every request has one answer. */
#include "pairs/pairs.h"
#include "models/apart.h"
#include "models/both.h"

#include <stdlib.h>
#include <string.h>
#include <wend/field.h>
#include <wend/geometry.h>
#include <wend/search.h>

/* ---- draws ---- */

/* The next byte of a fuzzer's input, or a random one. */
static uint32_t byte_of(pair_world *w) {
    if (w->input < w->input_end) return *w->input++;
    return draw(&w->random, draw(&w->random, 16) ? 248 : 256);
}

static int32_t number(pair_world *w, int32_t limit) {
    const uint32_t byte = byte_of(w);
    switch (byte) {
    case 255: return INT32_MAX;
    case 254: return INT32_MIN;
    case 253: return -1;
    case 252: return limit;
    case 251: return limit < INT32_MAX ? limit + 1 : limit;
    case 250: return limit - 1;
    case 249: return 0;
    default: return limit > 0 ? (int32_t)((byte | byte_of(w) << 8) % ((uint32_t)limit + 1)) : 0;
    }
}

static uint32_t count_to(pair_world *w, uint32_t limit) {
    return (uint32_t)number(w, (int32_t)limit);
}

static wend_cell any_cell(pair_world *w) {
    const wend_map_info info = info_now(w->map);
    if (byte_of(w) < 160) return w->places[(byte_of(w) | byte_of(w) << 8) % (uint32_t)w->place_count];
    return (wend_cell){number(w, info.width - 1), number(w, info.height - 1), number(w, info.depth - 1)};
}

/* A cell next to another, mostly. */
static wend_cell neighbour(pair_world *w, wend_cell cell) {
    const int32_t byte = (int32_t)byte_of(w), limit = INT32_MAX - 1;
    if (byte > 230 || abs(cell.x / 2) >= limit / 2 || abs(cell.y / 2) >= limit / 2 || abs(cell.z / 2) >= limit / 2)
        return any_cell(w);
    return (wend_cell){cell.x + byte % 3 - 1, cell.y + byte / 3 % 3 - 1, cell.z + (byte / 9 % 5 == 1)};
}

static bool on_map(const pair_world *w, wend_cell cell) {
    const wend_map_info info = info_now(w->map);
    return cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x < info.width && cell.y < info.height &&
           cell.z < info.depth;
}

/* Mostly a small box; at times one of two cells far apart. */
static wend_box any_box(pair_world *w) {
    wend_box box;
    box.min = box.max = any_cell(w);
    const int32_t byte = (int32_t)byte_of(w);
    if (byte > 230) box.max = any_cell(w);
    if (byte <= 230 && on_map(w, box.min)) box.max.x += byte % 6, box.max.y += byte / 6 % 6;
    return box;
}

static uint8_t any_class(pair_world *w) {
    static const uint8_t classes[] = {0, 0, 1, 1, 1, 2, 9, WEND_CLASS_STAIRS, WEND_CLASS_WATER};
    return classes[byte_of(w) % sizeof classes];
}

static wend_agent_id any_agent(pair_world *w) {
    if (byte_of(w) > 240) return (wend_agent_id){count_to(w, PEOPLE), count_to(w, 3)};
    return w->agents[byte_of(w) % PEOPLE];
}

static size_t any_agents(pair_world *w, wend_agent_id ids[PEOPLE]) {
    const size_t count = byte_of(w) % (PEOPLE + 1u);
    for (size_t i = 0; i < count; i++) ids[i] = any_agent(w);
    return count;
}

/* ---- maps ---- */

enum { ROOM = 4096 }; ///< for values and paths

static void set_box(pair_world *w, wend_edit *edit) {
    static const uint8_t classes[ROOM] = {1, 0, 1, 1, 3};
    const wend_box box = any_box(w);
    const int64_t x = (int64_t)box.max.x - box.min.x + 1, y = (int64_t)box.max.y - box.min.y + 1;
    const int64_t z = (int64_t)box.max.z - box.min.z + 1;
    const bool good = on_map(w, box.min) && on_map(w, box.max) && x > 0 && y > 0 && z > 0;
    if (good && x * y * z > ROOM) return;
    (void)wend_edit_set_box(edit, box, classes, good ? (size_t)x : count_to(w, 80));
}

static void change_land(pair_world *w, wend_edit *edit) {
    const int32_t x = number(w, 2), y = number(w, 2);
    int32_t land = WEND_LAND_LOADED;
    if (byte_of(w) % 2)
        (void)wend_edit_unload(edit, x, y, number(w, 2));
    else
        (void)wend_edit_load(edit, x, y, NULL, 0);
    if (!wend_map_get_land(w->map, x, y, &land)) CLAIM(land >= WEND_LAND_LOADED && land <= WEND_LAND_ABSENT, "land");
}

static void change(pair_world *w, wend_edit *edit) {
    const wend_cell from = any_cell(w), to = byte_of(w) % 2 ? any_cell(w) : neighbour(w, from);
    const int32_t cost = number(w, byte_of(w) % 8 ? 60 : WEND_MAX_COST);
    const uint32_t node = count_to(w, 200), other = count_to(w, 200);
    switch (byte_of(w) % 14) {
    case 0: (void)wend_edit_set_cell(edit, from, any_class(w)); break;
    case 1: (void)wend_edit_fill_box(edit, any_box(w), any_class(w)); break;
    case 2: set_box(w, edit); break;
    case 3: (void)set_step_both(edit, from, neighbour(w, from), (int32_t)byte_of(w) % 2); break;
    case 4: (void)wend_edit_set_step(edit, from, to, number(w, 1)); break;
    case 5: (void)wend_edit_remove_link(edit, from, to); break;
    case 6: (void)wend_edit_add_link(edit, &(wend_link){from, to, byte_of(w) % 8 ? cost : WEND_LINK_SEAM, 0}); break;
    case 7: (void)wend_edit_add_link(edit, &(wend_link){from, to, cost, byte_of(w)}); break;
    case 8: (void)wend_edit_add_node(edit, byte_of(w) % 2 ? node : WEND_ANY_NODE, to, any_class(w), NULL); break;
    case 9: (void)wend_edit_remove_node(edit, node); break;
    case 10: (void)wend_edit_remove_edge(edit, node, other); break;
    case 11: (void)wend_edit_set_edge(edit, node, other, cost); break;
    default: change_land(w, edit); break;
    }
}

static void edit_map(pair_world *w) {
    const uint64_t epoch = wend_map_get_epoch(w->map);
    uint64_t made = epoch;
    bool disconnects = false;
    wend_edit *edit = NULL;
    if (wend_edit_begin(w->map, &edit)) return;
    for (uint32_t i = byte_of(w) % 12; i > 0; i--) change(w, edit);
    (void)wend_edit_would_disconnect(edit, number(w, 2), any_cell(w), any_cell(w), &disconnects);
    CLAIM(wend_map_set_cell(w->map, w->places[0], 1, NULL) == WEND_IN_USE, "two batches at once");
    if (byte_of(w) > 220) {
        wend_edit_discard(edit);
        return;
    }
    const wend_error error = wend_edit_publish(edit, &made);
    CLAIM(wend_map_get_epoch(w->map) == (error ? epoch : made), "the epoch of a publish");
}

static void set_cell(pair_world *w) {
    const wend_cell cell = any_cell(w);
    const uint8_t class = any_class(w);
    const uint64_t epoch = wend_map_get_epoch(w->map);
    uint64_t made = epoch;
    uint8_t now = 0;
    if (wend_map_set_cell(w->map, cell, class, &made)) {
        CLAIM(wend_map_get_epoch(w->map) == epoch, "a refused change has made a version");
        return;
    }
    CLAIM(!wend_map_get_terrain(w->map, cell, &now) && now == class, "another class than the one set");
    CLAIM(wend_map_get_epoch(w->map) == made, "the epoch of a change");
}

static void change_rules(pair_world *w) {
    static const int32_t neighbours[] = {0, 4, 6, 8, 18, 26, 5};
    wend_map_rules rules = rules_now(w->map);
    if (byte_of(w) % 2) rules.neighbours = neighbours[byte_of(w) % 7], rules.corners = number(w, 2);
    if (byte_of(w) % 2) rules.cost_straight = number(w, 12), rules.cost_diagonal = number(w, 20);
    if (byte_of(w) % 2) rules.cost_space = number(w, 30);
    rules.factors[byte_of(w) % 256] = (uint8_t)byte_of(w);
    (void)wend_map_set_rules(w->map, &rules);
    (void)wend_map_set_max_versions(w->map, number(w, WEND_MAX_VERSIONS));
}

static void add_mover(pair_world *w) {
    wend_mover mover = default_mover();
    const int32_t movers = (int32_t)info_now(w->map).movers;
    int32_t id = 0;
    mover.size = number(w, 3), mover.walker = number(w, 1);
    if (byte_of(w) % 2) mover.step_up = number(w, 3), mover.drop = number(w, WEND_MAX_LEVELS);
    if (byte_of(w) % 2) mover.headroom = number(w, WEND_MAX_HEADROOM);
    if (byte_of(w) % 4 == 0) mover.avoided[0] = byte_of(w), mover.like = number(w, movers) - 1;
    mover.factors[WEND_CLASS_WATER] = (uint8_t)byte_of(w);
    if (byte_of(w) % 4 == 0) mover.shunned[0] = byte_of(w);
    const uint64_t avoided[4] = {byte_of(w)}, shunned[4] = {byte_of(w)};
    if (movers < 20 && !wend_map_add_mover(w->map, &mover, &id)) CLAIM(id == movers, "a mover's number");
    if (movers < 20) (void)wend_map_mover_avoiding(w->map, number(w, movers), avoided, &id);
    if (movers < 20) (void)wend_map_mover_shunning(w->map, number(w, movers), shunned, &id);
    if (!wend_map_get_mover(w->map, number(w, movers), &mover)) CLAIM(mover.size >= 1, "a mover without a size");
}

static void change_units(pair_world *w) {
    const wend_cell cell = any_cell(w);
    uint32_t before = 0, after = 0;
    const bool there = !wend_map_get_occupants(w->map, cell, &before);
    const wend_error error = wend_map_occupy(w->map, cell);
    CLAIM(there || error, "a unit where there is no cell");
    if (error) return;
    CLAIM(!wend_map_get_occupants(w->map, cell, &after) && after == before + 1, "%u units, not one more", after);
    if (byte_of(w) % 2) CLAIM(!wend_map_vacate(w->map, cell), "vacate");
}

static void change_layers(pair_world *w) {
    wend_layer_def def = default_layer();
    const int32_t layer = number(w, 3);
    const wend_layer_weight weights[2] = {{layer, number(w, 200)}, {number(w, 3), number(w, 200)}};
    const wend_box box = any_box(w);
    uint8_t values[ROOM] = {9, 200, 7}, value = 0;
    int32_t added = 0;
    def.half_life = byte_of(w) % 2 ? 0 : count_to(w, 9), def.within = byte_of(w) % 2 ? 0 : number(w, 9);
    switch (byte_of(w) % 6) {
    case 0: (void)wend_map_add_layer(w->map, &def, &added); break;
    case 1: (void)wend_map_add_profile(w->map, weights, byte_of(w) % 3, &added); break;
    case 2: (void)wend_map_update_layers(w->map, byte_of(w) % 4 ? count_to(w, 300) : UINT32_MAX); break;
    case 3:
        if (on_map(w, box.min) && on_map(w, box.max)) break; /* it might need more values than there are */
        (void)wend_map_set_layer_box(w->map, layer, box, values, count_to(w, 9));
        (void)wend_map_get_layer_box(w->map, layer, box, values, count_to(w, 9));
        break;
    default: (void)wend_map_add_layer_disc(w->map, layer, any_cell(w), number(w, 12), number(w, 255)); break;
    }
    (void)wend_map_get_layer_value(w->map, layer, any_cell(w), &value);
}

static void derive(pair_world *w) {
    wend_acceleration def = default_acceleration();
    uint64_t left = 0;
    def.mover = number(w, 2), def.tables = number(w, 1), def.far = number(w, 1), def.later = number(w, 1);
    def.landmarks = number(w, byte_of(w) % 8 ? 2 : WEND_MAX_LANDMARKS);
    (void)wend_map_accelerate(w->map, &def);
    (void)wend_map_maintain(w->map, count_to(w, WEND_MAINTAIN_ALL), count_to(w, 60000), &left);
}

static void ask_ways(pair_world *w) {
    const int32_t mover = number(w, 2);
    const wend_cell a = any_cell(w), b = neighbour(w, a);
    bool said = false;
    uint64_t cost = 0;
    wend_cell out, cells[ROOM / 8];
    size_t count = 0, walkable = 0;
    wend_status status = WEND_STATUS_PENDING;
    (void)wend_map_reachable(w->map, mover, a, b, &said);
    (void)wend_map_line_of_sight(w->map, mover, a, b, &said, &out);
    if (!wend_map_see_many(w->map, mover, &a, &b, 1, &said, &out)) CLAIM(on_map(w, out), "a line of many");
    if (!wend_map_step_legal(w->map, mover, a, b, &said, &cost)) CLAIM(said || cost == 0, "the cost of no step");
    if (!wend_map_nearest_open(w->map, mover, a, number(w, 40), &said, &out) && said) CLAIM(on_map(w, out), "nearest");
    if (!wend_map_random_cell(w->map, mover, a, byte_of(w), &out)) CLAIM(on_map(w, out), "random cell");
    if (wend_find_path(w->map, a, any_cell(w), cells, ROOM / 8, &count, &status)) return;
    if (status != WEND_STATUS_FOUND || count > ROOM / 8) return;
    CLAIM(!wend_map_path_cost(w->map, WEND_MOVER_DEFAULT, cells, count, &walkable, &cost) && walkable == count,
          "%zu of %zu cells can be walked", walkable, count);
}

static void ask_places(pair_world *w) {
    wend_places_def def;
    wend_nearest_def nearest = default_nearest();
    wend_cell out[32];
    wend_hit hits[8];
    size_t count = 0, found = 0;
    wend_places_def_init(&def, sizeof def);
    def.mover = number(w, 2), def.goal = any_cell(w), def.from = any_cell(w);
    def.occupied = number(w, 1), def.max_cells = count_to(w, 400);
    if (wend_map_free_places(w->map, &def, out, byte_of(w) % 33, &count)) count = 0;
    CLAIM(count <= 32, "%zu places", count);
    nearest.map = w->map, nearest.start = any_cell(w), nearest.mover = number(w, 2);
    nearest.cells = out, nearest.cell_count = (uint32_t)count, nearest.profile = number(w, 2);
    (void)wend_find_nearest(&nearest, hits, byte_of(w) % 9, &found);
}

static void ask_map(pair_world *w) {
    const wend_map_info info = info_now(w->map);
    wend_changes changes = {.struct_bytes = sizeof changes};
    uint64_t counts[256], sum = 0;
    wend_box boxes[16];
    wend_link links[8];
    wend_step steps[8];
    wend_edge edges[8];
    wend_cell out;
    size_t count = 0;
    wend_map_get_class_counts(w->map, counts);
    for (int i = 0; i < 256; i++) sum += counts[i];
    CLAIM(info.cells == sum, "classes of other cells than there are");
    wend_map_get_links(w->map, links, byte_of(w) % 9, &count);
    CLAIM(count == info.links, "%zu links", count);
    wend_map_get_closed_steps(w->map, steps, byte_of(w) % 9, &count);
    CLAIM(count == info.closed_steps, "%zu closed steps", count);
    (void)wend_map_get_edges(w->map, count_to(w, 200), edges, 8, &count);
    (void)wend_map_get_coordinates(w->map, count_to(w, 200), &out);
    if (!wend_map_changes(w->map, count_to(w, 60), boxes, byte_of(w) % 17, &count, &changes))
        CLAIM(changes.epoch == wend_map_get_epoch(w->map), "changes of another version");
}

/* ---- services ---- */

static void fill_options(pair_world *w, asked *own) {
    wend_search_options *options = &own->options;
    const uint32_t byte = byte_of(w);
    options->engine = number(w, 2), options->on_stale = number(w, 1), options->unloaded = number(w, 2);
    if (byte & 1) options->leave_blocked_start = number(w, 1) & 1, options->far_begin = number(w, 1) & 1;
    if (byte & 2) options->heuristic = number(w, 3);
    if (byte & 4) options->weight_milli = number(w, 200000);
    if (byte & 8) options->occupied = number(w, 30), options->occupied_within = number(w, 20);
    if (byte & 16) options->profile = number(w, 2);
    if (byte & 32) options->max_expansions = count_to(w, 300);
    options->more_goal_count = byte & 64 ? byte_of(w) % MOST_TOLD : 0;
    for (uint32_t i = 0; i < options->more_goal_count; i++) own->goals[i] = any_cell(w);
    options->more_goals = own->goals;
}

static void any_request(pair_world *w, asked *own) {
    wend_request *request = &own->request;
    world_ask(w, own);
    const uint32_t byte = byte_of(w);
    request->start = any_cell(w), request->goal = any_cell(w);
    if (byte & 1) request->mover = number(w, 2);
    if (byte & 2) request->mode = number(w, 2);
    if (byte & 4) request->reach = number(w, 9);
    if (byte & 8) request->agent = byte_of(w);
    if (byte & 16) request->deadline_frames = count_to(w, 4);
    if (byte & 32) request->urgency = number(w, WEND_URGENCY_MAX);
    if (byte & 64) fill_options(w, own);
    request->options = &own->options;
}

static void submit(pair_world *w) {
    int32_t engine = 0;
    const uint64_t pending = wend_service_get_pending(w->service);
    if (w->asked_count > MOST_ASKED / 2) return;
    asked *own = world_new_asked(w);
    any_request(w, own);
    (void)wend_request_explain(&own->request, &engine, NULL);
    const wend_error error = wend_service_submit(w->service, &own->request, &own->ticket);
    if (error) CLAIM(wend_service_get_pending(w->service) == pending, "a refused request is pending");
    if (!error) w->asked_count++;
}

static void change_request(pair_world *w) {
    wend_ticket ticket = w->asked[byte_of(w) % (uint32_t)(w->asked_count + 1)].ticket;
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_progress progress = {.struct_bytes = sizeof progress};
    wend_cell cells[16];
    size_t count = 0;
    if (byte_of(w) > 220) ticket = (wend_ticket){count_to(w, 70), count_to(w, 3)};
    switch (byte_of(w) % 8) {
    case 0: (void)wend_service_cancel(w->service, ticket); break;
    case 1: (void)wend_service_set_urgency(w->service, ticket, number(w, WEND_URGENCY_MAX)); break;
    case 2: (void)wend_service_set_goal(w->service, ticket, any_cell(w)); break;
    case 3:
        if (!wend_service_get_prefix(w->service, ticket, cells, byte_of(w) % 17, &prefix))
            CLAIM(prefix.cell_count > 0, "an empty prefix");
        break;
    case 4: (void)wend_service_get_progress(w->service, ticket, &progress); break;
    case 5: (void)wend_service_get_expanded(w->service, ticket, cells, byte_of(w) % 17, &count); break;
    case 6: (void)wend_service_get_wanted(w->service, w->map, cells, byte_of(w) % 17, &count); break;
    default:
        if (byte_of(w) % 8 == 0) (void)wend_service_cancel_map(w->service, w->map, &count);
        break;
    }
}

static void tick(pair_world *w) {
    wend_budget budget = budget_of(count_to(w, 2000) % 100000);
    wend_frame_limits limits;
    wend_frame frame = {.struct_bytes = sizeof frame};
    wend_frame_limits_init(&limits, sizeof limits);
    const uint32_t byte = byte_of(w);
    budget.limits = &limits;
    if (byte & 1) limits.intakes = count_to(w, 3);
    if (byte & 2) limits.deliveries = count_to(w, 3);
    if (byte & 4) limits.rounds = count_to(w, 3);
    if (byte & 8) limits.changes = count_to(w, 3);
    if (byte & 16) limits.checks = count_to(w, 3);
    if (byte & 32) limits.chosen = count_to(w, 3);
    if (byte & 64) limits.cells = count_to(w, 60);
    if (wend_service_tick(w->service, &budget, &frame)) return;
    CLAIM(frame.expansions <= budget.expansions, "a frame above its budget");
    CLAIM(frame.waiting + frame.running + frame.finished == wend_service_get_pending(w->service), "pending");
}

static void search_alone(pair_world *w) {
    wend_search_def def = default_search();
    wend_search *search = NULL;
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    wend_cell cells[16];
    wend_search_node nodes[4];
    size_t count = 0;
    asked *own = world_new_asked(w);
    def.nodes = 8 * WEND_PAGE_NODES, def.far_nodes = 512, def.allocator = w->allocator;
    any_request(w, own);
    if (wend_search_create(&def, &search)) return;
    if (!wend_search_begin(search, &own->request)) {
        for (int i = 0; i < 6; i++) {
            const uint64_t budget = byte_of(w) * 4u;
            uint64_t used = 0;
            const wend_status status = wend_search_step(search, budget, &used);
            CLAIM(used <= budget && status >= 0 && status < WEND_STATUS_COUNT, "a step of a search");
            if (!wend_search_get_path(search, cells, byte_of(w) % 17, &count))
                CLAIM(count == result_now(search).cell_count, "%zu cells", count);
            (void)wend_search_get_crossings(search, cells, byte_of(w) % 17, &count);
            (void)wend_search_get_prefix(search, cells, byte_of(w) % 17, &prefix);
            (void)wend_search_get_expanded(search, cells, byte_of(w) % 17, &count);
            (void)wend_search_get_open(search, nodes, byte_of(w) % 5, &count);
            if (i == 2) set_cell(w);
        }
    }
    wend_search_destroy(search);
}

static void make_field(pair_world *w) {
    wend_field_def def = default_field();
    wend_field *field = NULL;
    wend_cell goals[4], next;
    uint64_t used = 0, cost = 0;
    for (int i = 0; i < 4; i++) goals[i] = any_cell(w);
    def.map = w->map, def.mover = number(w, 2), def.goals = goals, def.goal_count = byte_of(w) % 5;
    def.most_goals = count_to(w, 5), def.purpose = number(w, 1), def.fear_milli = 1000 + count_to(w, 900);
    if (byte_of(w) % 2) def.largest_cost = count_to(w, 400);
    def.profile = number(w, 2), def.allocator = w->allocator;
    if (wend_field_create(&def, &field)) return;
    for (int i = 0; i < 6; i++) {
        const uint64_t budget = byte_of(w) * 8u;
        switch (byte_of(w) % 4) {
        case 0: (void)wend_field_set_goals(field, goals, byte_of(w) % 5); break;
        case 1: (void)wend_field_repair(field, byte_of(w) % 2); break;
        case 2: set_cell(w); break;
        default: (void)wend_field_step(field, budget, &used), CLAIM(used <= budget, "a field above its budget"); break;
        }
        if (wend_field_next(field, any_cell(w), &next, &cost) == WEND_STATUS_FOUND) CLAIM(on_map(w, next), "next");
    }
    wend_field_destroy(field);
}

/* Saves, restores, and saves again: the bytes are the same. */
static void restore(pair_world *w) {
    world_saves first = {0}, second = {0};
    if (!world_save(w, &first) && !world_load(w, &first)) {
        CLAIM(!world_save(w, &second), "what was restored can be saved");
        for (int i = 0; i < 3; i += 2)
            CLAIM(first.count[i] == second.count[i] &&
                      (!first.count[i] || !memcmp(first.bytes[i], second.bytes[i], first.count[i])),
                  "another save of the same world, part %d", i);
    }
    world_saves_free(&first), world_saves_free(&second);
}

static void count_bytes(pair_world *w) {
    wend_service_def service = default_service();
    wend_service_tuning tuning = default_tuning();
    wend_crowd_def crowd = default_crowd();
    service.queue = count_to(w, 1 << 24), service.workers = count_to(w, WEND_MAX_WORKERS);
    service.nodes = count_to(w, 1 << 20), service.max_path_cells = count_to(w, 1 << 20);
    service.path_bytes = count_to(w, 1 << 20), service.reserve = count_to(w, 60);
    tuning.lanes = count_to(w, 64), tuning.searches = count_to(w, 65536), tuning.goals = count_to(w, 1 << 24);
    service.tuning = &tuning;
    (void)wend_service_bytes(&service);
    crowd.map = w->map, crowd.service = w->service, crowd.agents = count_to(w, WEND_MAX_AGENTS);
    crowd.path_bytes = count_to(w, 1 << 30);
    (void)wend_crowd_bytes(&crowd);
}

/* ---- lines ---- */

static void pull_line(pair_world *w) {
    enum { TURNS = 64, POINTS = 256 };
    wend_pull_def def;
    wend_round_def round;
    wend_cell cells[TURNS];
    wend_turn turns[TURNS];
    wend_point points[POINTS];
    size_t count = 1 + byte_of(w) % 9, turned = 0, made = 0, index = 0;
    uint32_t clearance = 0;
    bool visible = false;
    wend_pull_def_init(&def, sizeof def), wend_round_def_init(&round, sizeof round);
    cells[0] = any_cell(w);
    for (size_t i = 1; i < count; i++) cells[i] = neighbour(w, cells[i - 1]);
    if (byte_of(w) % 4 && wend_find_path(w->map, any_cell(w), any_cell(w), cells, TURNS, &count, NULL)) return;
    if (count > TURNS) return;
    def.mover = number(w, 2), def.units = number(w, 1) & 1, def.search = number(w, 1) & 1;
    def.radius_milli = byte_of(w) % 2 ? 0 : count_to(w, WEND_MAX_CLEARANCE);
    if (wend_path_pull(w->map, &def, cells, count, turns, TURNS, &turned) || turned > TURNS) return;
    for (size_t i = 0; i < turned; i++) CLAIM(turns[i].index < count, "a turn behind the path");
    if (turned && byte_of(w) % 4 == 0) turns[byte_of(w) % turned].cell = any_cell(w);
    round.kind = number(w, 1), round.mover = number(w, 2), round.radius_milli = count_to(w, 3000);
    round.spacing_milli = count_to(w, 1000), round.clearance_milli = count_to(w, 900);
    round.turning_milli = byte_of(w) % 2 ? 0 : count_to(w, 3000), round.heading_x = number(w, 9);
    if (wend_path_round(w->map, &round, turns, turned, points, POINTS, &made) || !made || made > POINTS) return;
    (void)wend_line_clearance(w->map, round.mover, points, made, &clearance);
    (void)wend_point_line_of_sight(w->map, number(w, 2), points[0], points[made - 1], &visible);
    if (!wend_waypoint_next(w->map, round.mover, points, made, points[0], count_to(w, 2000), &index))
        CLAIM(index < made, "a waypoint behind the line");
}

/* ---- crowds ---- */

static void add_agent(pair_world *w) {
    wend_agent_def def = default_agent();
    const uint32_t byte = byte_of(w);
    def.cell = any_cell(w);
    if (byte & 1) set_as(&def, byte_of(w));
    if (byte & 2) def.mover = number(w, 2);
    if (byte & 4) def.speed_milli = count_to(w, WEND_MAX_SPEED_MILLI);
    if (byte & 8) def.urgency = number(w, WEND_URGENCY_MAX);
    if (byte & 16) def.profile = number(w, 2);
    wend_agent_id id;
    if (!wend_crowd_add(w->crowd, &def, &id)) w->agents[byte_of(w) % PEOPLE] = id;
}

static void send_agents(pair_world *w) {
    wend_agent_id ids[PEOPLE];
    wend_crowd_goal goal = default_crowd_goal();
    const uint32_t byte = byte_of(w);
    const size_t count = any_agents(w, ids);
    goal.cell = any_cell(w);
    if (byte & 4) goal.kind = number(w, 2), goal.target = any_agent(w);
    if (byte & 8) goal.reach = number(w, 9), goal.near_enough = number(w, 5);
    if (byte & 16) goal.distance = number(w, 20), goal.keep = number(w, 1);
    if (byte & 32) goal.formation = number(w, 4), goal.spacing = count_to(w, WEND_MAX_SPACING);
    if (byte & 64) goal.pace = number(w, 1);
    (void)wend_crowd_go(w->crowd, ids, count, &goal);
}

static void order(pair_world *w) {
    const wend_agent_id id = any_agent(w);
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    wend_agent_id ids[PEOPLE];
    wend_cell cells[16];
    size_t count = any_agents(w, ids);
    switch (byte_of(w) % 10) {
    case 0: (void)wend_crowd_remove(w->crowd, id); break;
    case 1: (void)wend_crowd_move(w->crowd, id, any_cell(w)); break;
    case 2: (void)wend_crowd_set_speed(w->crowd, id, count_to(w, WEND_MAX_SPEED_MILLI)); break;
    case 3: (void)wend_crowd_set_urgency(w->crowd, id, number(w, WEND_URGENCY_MAX)); break;
    case 4: (void)wend_crowd_wait_for(w->crowd, id, ids, count); break;
    case 5: (void)wend_crowd_set_mover(w->crowd, ids, count, number(w, 2)); break;
    case 6: (void)wend_crowd_set_profile(w->crowd, ids, count, number(w, 2)); break;
    case 7: (void)wend_crowd_halt(w->crowd, ids, count); break;
    case 8:
        (void)wend_crowd_get_path(w->crowd, id, cells, byte_of(w) % 17, &count);
        (void)wend_crowd_get_goal(w->crowd, id, &goal);
        break;
    default:
        if (wend_crowd_get_agent(w->crowd, id, &state)) break;
        CLAIM(state.state > 0 && state.waits >= 0 && on_map(w, state.cell), "a state");
        (void)wend_crowd_step(w->crowd, id, neighbour(w, state.cell));
        break;
    }
}

static void patrol(pair_world *w) {
    wend_route_def def = default_route();
    wend_cell corners[5];
    uint32_t route = 0;
    for (int i = 0; i < 5; i++) corners[i] = any_cell(w);
    def.mode = number(w, 2), def.corners = corners, def.corner_count = byte_of(w) % 6;
    if (byte_of(w) % 2) (void)wend_crowd_add_route(w->crowd, &def, &route);
    (void)wend_crowd_patrol(w->crowd, any_agent(w), count_to(w, 8));
}

static void change_box(pair_world *w) {
    wend_box boxes[8];
    const wend_box box = any_box(w);
    size_t count = 0;
    bool clear = false;
    switch (byte_of(w) % 4) {
    case 0: (void)wend_crowd_clear_box(w->crowd, box); break;
    case 1: (void)wend_crowd_release_box(w->crowd, box); break;
    case 2:
        CLAIM(!wend_crowd_get_boxes(w->crowd, boxes, 8, &count), "boxes");
        if (count > 0 && count <= 8) CLAIM(!wend_crowd_release_box(w->crowd, boxes[byte_of(w) % count]), "a box");
        break;
    default: (void)wend_crowd_is_clear(w->crowd, box, &clear); break;
    }
}

static void change_body(pair_world *w) {
    wend_body_def def = default_body();
    wend_body_vector at = {number(w, 90 * WEND_BODY_UNITS), number(w, 90 * WEND_BODY_UNITS)}, velocity;
    const wend_agent_id id = any_agent(w);
    wend_body_state state = {.struct_bytes = sizeof state};
    if (!world_is(w, CROWD, BIT(BODIES))) return;
    velocity = (wend_body_vector){number(w, 900), number(w, 900)};
    def.radius_milli = count_to(w, 1400);
    if (byte_of(w) % 2) def.accel_milli = count_to(w, WEND_MAX_ACCEL_MILLI);
    if (byte_of(w) % 2) def.turn_degrees = count_to(w, WEND_MAX_TURN_DEGREES);
    if (byte_of(w) % 2) def.turning_radius_milli = count_to(w, WEND_MAX_TURNING_MILLI);
    switch (byte_of(w) % 3) {
    case 0: (void)wend_crowd_set_body(w->crowd, id, NULL); break;
    case 1: (void)place_rounded(w->crowd, id, at, velocity); break;
    default: (void)wend_crowd_set_body(w->crowd, id, &def); break;
    }
    if (!wend_crowd_get_body(w->crowd, id, &state)) CLAIM(state.radius_milli >= WEND_MIN_RADIUS_MILLI, "a radius");
}

static void update(pair_world *w) {
    wend_update_budget budget;
    wend_agent_event event = {.struct_bytes = sizeof event};
    uint64_t choices = 0;
    wend_update_budget_init(&budget, sizeof budget);
    if (byte_of(w) % 2) budget.choices = count_to(w, 30);
    (void)wend_crowd_update(w->crowd, byte_of(w) % 2 ? 1000 : count_to(w, WEND_MAX_ELAPSED_MILLI), &budget, &choices);
    while (byte_of(w) % 8 && !wend_crowd_poll(w->crowd, &event))
        CLAIM(event.event >= 1 && event.event <= WEND_AGENT_EVENT_LINK_AHEAD, "event %d", event.event);
}

/* ---- what holds between any two calls ---- */

static void check_figures(pair_world *w) {
    const wend_stats stats = stats_now(w->service);
    wend_queue queue = {.struct_bytes = sizeof queue};
    uint64_t sum = 0;
    for (int i = 0; i < 16; i++) sum += stats.statuses[i];
    CLAIM(stats.submitted == stats.completed + stats.pending && sum == stats.completed, "figures do not add up");
    CLAIM(stats.pending == wend_service_get_pending(w->service), "pending");
    CLAIM(!wend_service_get_queue(w->service, &queue), "queue");
}

static wend_error hostile_calls(pair_world *w) {
    static void (*const calls[])(pair_world * w) = {set_cell,  edit_map,   change_rules,   add_mover, change_units,
                                                    derive,    ask_ways,   ask_places,     ask_map,   change_layers,
                                                    submit,    submit,     change_request, tick,      search_alone,
                                                    pull_line, make_field, tick,           restore,   count_bytes};
    static void (*const of_crowds[])(pair_world * w) = {add_agent,  send_agents, send_agents, order,  order, patrol,
                                                        change_box, change_body, update,      update, update};
    enum { CALLS = sizeof calls / sizeof *calls, OF_CROWDS = sizeof of_crowds / sizeof *of_crowds };
    w->unjudged = true;
    for (int i = 0; i < HOSTILE_CALLS; i++) {
        const uint32_t number = byte_of(w) % (w->crowd ? CALLS + OF_CROWDS : CALLS);
        (number < CALLS ? calls[number] : of_crowds[number - CALLS])(w);
        check_figures(w);
        const char *fault = w->crowd ? crowd_fault(w->map, w->crowd) : NULL;
        CLAIM(!fault, "%s", fault);
    }
    return WEND_OK;
}

const happening_row hostile_happenings[] = {
    {"hostile calls", hostile_calls, ENDS},
    {NULL, NULL, 0},
};
