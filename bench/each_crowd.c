/* SPDX-License-Identifier: MIT */
/* Rows of lines along paths, and of crowds of eight agents. */
#include "each.h"

#include <wend/agents.h>
#include <wend/body.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>
#include <wend/geometry.h>
#include <wend/hex.h>
#include <wend/mark.h>
#include <wend/order.h>
#include <wend/query.h>
#include <wend/routes.h>
#include <wend/save.h>

static wend_cell cells[EACH_PATH];

static void bend(world *w) {
    wend_pull_def pull;
    wend_round_def round;
    wend_turn turns[64];
    wend_point points[512], ends[2];
    const wend_placement placement = {.cell_width = 1, .cell_height = 1};
    const wend_hex_placement hexagons = {.column_width = 1, .row_height = 1};
    wend_cell cell;
    double x, y;
    size_t count, turn_count, index;
    int32_t column, row_of_hex;
    bool visible;
    uint32_t clearance;
    ROW(wend_path_turns, "", check(wend_path_turns(w->path, w->count, cells, EACH_PATH, &count)));
    ROW(wend_pull_def_init, "", wend_pull_def_init(&pull, sizeof pull));
    ROW(wend_path_pull, "", check(wend_path_pull(w->map, &pull, w->path, w->count, turns, 64, &turn_count)));
    ROW(wend_round_def_init, "", wend_round_def_init(&round, sizeof round));
    ROW(wend_path_round, "", check(wend_path_round(w->map, &round, turns, turn_count, points, 512, &count)));
    ROW(wend_waypoint_next, "", index = 0;
        check(wend_waypoint_next(w->map, 0, points, count, points[0], 1000, &index)));
    ends[0] = points[0], ends[1] = points[count - 1];
    ROW(wend_line_clearance, "", check(wend_line_clearance(w->map, 0, ends, 2, &clearance)));
    ROW(wend_point_line_of_sight, "", check(wend_point_line_of_sight(w->map, 0, ends[0], ends[1], &visible)));
    ROW(wend_placement_get_world, "", check(wend_placement_get_world(&placement, w->from, &x, &y)));
    ROW(wend_placement_get_cell, "", check(wend_placement_get_cell(&placement, 1.5, 1.5, &cell)));
    ROW(wend_hex_from_offset, "", wend_hex_from_offset(WEND_HEX_POINTY_ODD, 3, 3, 0));
    ROW(wend_hex_to_offset, "", wend_hex_to_offset(WEND_HEX_POINTY_ODD, w->from, 0, &column, &row_of_hex));
    ROW(wend_hex_get_world, "", check(wend_hex_get_world(&hexagons, w->from, &x, &y)));
    ROW(wend_hex_get_cell, "", check(wend_hex_get_cell(&hexagons, 1.5, 1.5, &cell)));
}

void each_path(world *w) {
    bend(w);
}

/* ---- crowds ---- */

/* A crowd on a fork, as its agents hold cells. */
typedef struct team {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[EACH_AGENTS];
} team;

static void skip_event(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
}

static void open_team(world *w, team *t) {
    wend_crowd_def def = default_crowd();
    wend_agent_def agent = default_agent();
    check(wend_map_fork(w->map, &t->map));
    t->service = open_service(NULL);
    def.map = t->map, def.service = t->service, def.agents = 2 * EACH_AGENTS, def.on_event = skip_event;
    t->crowd = open_crowd(&def);
    for (int i = 0; i < EACH_AGENTS; i++) {
        wend_places_def places;
        wend_places_def_init(&places, sizeof places);
        places.goal = places.from = w->from;
        size_t count;
        check(wend_map_free_places(t->map, &places, &agent.cell, 1, &count));
        check(wend_crowd_add(t->crowd, &agent, &t->ids[i]));
    }
}

static void close_team(team *t) {
    check(wend_crowd_destroy(t->crowd));
    wend_service_destroy(t->service);
    wend_map_release(t->map);
}

static void make_crowd(world *w) {
    wend_crowd_def def;
    wend_crowd_tuning tuning;
    wend_agent_def agent;
    wend_crowd_goal goal;
    wend_update_budget budget;
    wend_crowd *crowd = NULL;
    ROW(wend_crowd_def_init, "", wend_crowd_def_init(&def, sizeof def));
    ROW(wend_crowd_def_preset, "SMALL", check(wend_crowd_def_preset(&def, sizeof def, WEND_PRESET_SMALL)));
    ROW(wend_crowd_tuning_init, "", wend_crowd_tuning_init(&tuning, sizeof tuning));
    ROW(wend_agent_def_init, "", wend_agent_def_init(&agent, sizeof agent));
    ROW(wend_crowd_goal_init, "", wend_crowd_goal_init(&goal, sizeof goal));
    ROW(wend_update_budget_init, "", wend_update_budget_init(&budget, sizeof budget));
    def.map = w->map, def.service = w->service;
    ROW(wend_crowd_bytes, "SMALL", wend_crowd_bytes(&def));
    ROW_ONCE(wend_crowd_create, "SMALL", , check(wend_crowd_create(&def, &crowd)), check(wend_crowd_destroy(crowd)));
    ROW_ONCE(wend_crowd_destroy, "SMALL", check(wend_crowd_create(&def, &crowd)), check(wend_crowd_destroy(crowd)), );
    ROW(wend_agent_state_name, "", wend_agent_state_name(0));
    ROW(wend_agent_event_name, "", wend_agent_event_name(0));
    ROW(wend_agent_why_name, "", wend_agent_why_name(0));
    ROW(wend_agent_wait_name, "", wend_agent_wait_name(0));
    ROW(wend_agent_event_ends_goal, "", wend_agent_event_ends_goal(0));
}

static void order_agents(world *w, team *t) {
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_id id;
    const wend_agent_id first = t->ids[0];
    const wend_box box = {w->to, w->to};
    size_t count;
    uint32_t route;
    wend_route_def def;
    agent.ghost = true, agent.cell = w->from, goal.cell = w->to;
    ROW_ONCE(wend_crowd_add, "", , check(wend_crowd_add(t->crowd, &agent, &id)), check(wend_crowd_remove(t->crowd, id));
             check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW_ONCE(wend_crowd_remove, "", check(wend_crowd_add(t->crowd, &agent, &id)),
             check(wend_crowd_remove(t->crowd, id)), check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW_ONCE(wend_crowd_go, "one", , check(wend_crowd_go(t->crowd, &first, 1, &goal)),
             check(wend_crowd_halt(t->crowd, &first, 1));
             check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW_ONCE(wend_crowd_halt, "one", check(wend_crowd_go(t->crowd, &first, 1, &goal)),
             check(wend_crowd_halt(t->crowd, &first, 1)), check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW(wend_crowd_set_speed, "", check(wend_crowd_set_speed(t->crowd, first, 250)));
    ROW(wend_crowd_set_urgency, "", check(wend_crowd_set_urgency(t->crowd, first, (int32_t)(k & 1))));
    ROW(wend_crowd_wait_for, "one", check(wend_crowd_wait_for(t->crowd, first, &t->ids[1], 1)));
    check(wend_crowd_wait_for(t->crowd, first, NULL, 0));
    ROW(wend_crowd_set_mover, "one", check(wend_crowd_set_mover(t->crowd, &first, 1, 0)));
    ROW(wend_crowd_set_profile, "one", check(wend_crowd_set_profile(t->crowd, &first, 1, 0)));
    ROW(wend_crowd_step, "to its own cell", (void)wend_crowd_step(t->crowd, first, w->from));
    ROW(wend_crowd_move, "to its own cell", (void)wend_crowd_move(t->crowd, first, w->from));
    ROW(wend_route_def_init, "", wend_route_def_init(&def, sizeof def));
    const wend_cell corners[2] = {w->from, w->to};
    def.corners = corners, def.corner_count = 2, def.mode = WEND_ROUTE_BACK;
    ROW_ONCE(wend_crowd_add_route, "2 corners", , check(wend_crowd_add_route(t->crowd, &def, &route)), );
    ROW_ONCE(wend_crowd_patrol, "", , check(wend_crowd_patrol(t->crowd, first, route)),
             check(wend_crowd_halt(t->crowd, &first, 1));
             check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    wend_box boxes[4];
    bool clear;
    ROW_ONCE(wend_crowd_clear_box, "a cell", , check(wend_crowd_clear_box(t->crowd, box)),
             check(wend_crowd_release_box(t->crowd, box));
             check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW_ONCE(wend_crowd_release_box, "a cell", check(wend_crowd_clear_box(t->crowd, box)),
             check(wend_crowd_release_box(t->crowd, box)), check(wend_crowd_update(t->crowd, 1, NULL, NULL)));
    ROW(wend_crowd_is_clear, "a cell", check(wend_crowd_is_clear(t->crowd, box, &clear)));
    ROW(wend_crowd_get_boxes, "none", check(wend_crowd_get_boxes(t->crowd, boxes, 4, &count)));
}

static void ask_crowd(world *w, team *t) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    wend_agent_event event = {.struct_bytes = sizeof event};
    wend_update_budget budget;
    uint64_t choices;
    size_t count, bytes = 0;
    wend_update_budget_init(&budget, sizeof budget);
    ROW(wend_crowd_update, "of 8 that stand", check(wend_crowd_update(t->crowd, 1000, &budget, &choices)));
    ROW(wend_crowd_poll, "", (void)wend_crowd_poll(t->crowd, &event));
    ROW(wend_crowd_get_agent, "", check(wend_crowd_get_agent(t->crowd, t->ids[0], &state)));
    send_to(t->crowd, t->ids, 1, w->to);
    ROW(wend_crowd_get_goal, "", check(wend_crowd_get_goal(t->crowd, t->ids[0], &goal)));
    ROW(wend_crowd_get_path, "", check(wend_crowd_get_path(t->crowd, t->ids[0], cells, EACH_PATH, &count)));
    ROW(wend_crowd_get_view, "of 8", check(wend_crowd_get_view(t->crowd, &view)));
    ROW(wend_crowd_get_stats, "of 8", check(wend_crowd_get_stats(t->crowd, &stats)));
    (void)wend_crowd_save_state(t->crowd, NULL, 0, &bytes);
    void *buffer = malloc(bytes);
    need(buffer != NULL, "memory");
    ROW(wend_crowd_save_state, "of 8", check(wend_crowd_save_state(t->crowd, buffer, bytes, &bytes)));
    ROW(wend_crowd_restore_state, "of 8", check(wend_crowd_restore_state(t->crowd, NULL, buffer, bytes)));
    free(buffer);
    uint64_t hash;
    ROW(wend_crowd_hash_agent, "", check(wend_crowd_hash_agent(t->crowd, t->ids[0], &hash)));
}

static void use_bodies(team *t) {
    wend_bodies_def def;
    wend_body_def body;
    wend_bodies *bodies = NULL;
    wend_body_state state = {.struct_bytes = sizeof state};
    wend_bodies_view view = {.struct_bytes = sizeof view};
    wend_body_vector velocity;
    ROW(wend_bodies_def_init, "", wend_bodies_def_init(&def, sizeof def));
    ROW(wend_body_def_init, "", wend_body_def_init(&body, sizeof body));
    def.crowd = t->crowd;
    ROW_ONCE(wend_bodies_create, "", , check(wend_bodies_create(&def, &bodies)), check(wend_bodies_destroy(bodies)));
    ROW_ONCE(wend_bodies_destroy, "", check(wend_bodies_create(&def, &bodies)), check(wend_bodies_destroy(bodies)), );
    check(wend_bodies_create(&def, &bodies));
    ROW_ONCE(wend_body_add, "", , check(wend_body_add(bodies, t->ids[0], &body)),
             check(wend_body_remove(bodies, t->ids[0])));
    ROW_ONCE(wend_body_remove, "", check(wend_body_add(bodies, t->ids[0], &body)),
             check(wend_body_remove(bodies, t->ids[0])), );
    check(wend_body_add(bodies, t->ids[0], &body));
    ROW(wend_body_get, "", check(wend_body_get(bodies, t->ids[0], &state)));
    velocity = (wend_body_vector){0, 0};
    ROW(wend_body_set, "where it is", (void)wend_body_set(bodies, t->ids[0], state.at, velocity));
    ROW(wend_bodies_get_view, "", check(wend_bodies_get_view(bodies, &view)));
    check(wend_body_remove(bodies, t->ids[0]));
    check(wend_bodies_destroy(bodies));
}

static void use_marks(void) {
    enum { BYTES = 1 << 20, WRITTEN = 1 << 18 };
    wend_arena_def def;
    wend_arena_info info = {.struct_bytes = sizeof info};
    wend_arena *arena;
    int value = 0;
    ROW(wend_arena_def_init, "", wend_arena_def_init(&def, sizeof def));
    ROW_ONCE(wend_arena_create, "", , check(wend_arena_create(&def, &arena)), check(wend_arena_destroy(arena)));
    ROW_ONCE(wend_arena_destroy, "", check(wend_arena_create(&def, &arena)), check(wend_arena_destroy(arena)), );
    check(wend_arena_create(&def, &arena));
    wend_allocator allocator = wend_arena_allocator(arena);
    ROW(wend_arena_allocator, "", allocator = wend_arena_allocator(arena));
    uint8_t *block = allocator.alloc(allocator.context, BYTES, 64);
    memset(block, 0, BYTES);
    ROW_ONCE(wend_arena_mark, "256 KiB", memset(block, ++value, WRITTEN), check(wend_arena_mark(arena, 0)), );
    ROW_ONCE(wend_arena_rewind, "256 KiB", memset(block, ++value, WRITTEN), check(wend_arena_rewind(arena, 0)), );
    ROW_ONCE(wend_arena_forget, "256 KiB", memset(block, ++value, WRITTEN), check(wend_arena_mark(arena, 0));
             check(wend_arena_forget(arena, 0)), );
    ROW(wend_arena_get_info, "", check(wend_arena_get_info(arena, &info)));
    allocator.free(allocator.context, block, BYTES);
    check(wend_arena_destroy(arena));
}

void each_crowd(world *w) {
    static wend_order order;
    team t;
    use_marks();
    order.kind = WEND_ORDER_GO;
    ROW(wend_order_gave, "", wend_order_gave(&order, &order.go.def.reach));
    make_crowd(w);
    open_team(w, &t);
    order_agents(w, &t);
    ask_crowd(w, &t);
    use_bodies(&t);
    close_team(&t);
}
