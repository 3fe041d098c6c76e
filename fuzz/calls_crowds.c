/* SPDX-License-Identifier: MIT */
/* Calls of fuzz_calls on a crowd: agents, goals, routes, boxes, bodies, updates. */
#include "calls.h"

#include <math.h>

static void add_agent(calls_world *w) {
    wend_agent_def def;
    wend_agent_def_init(&def, sizeof def);
    const uint8_t byte = calls_byte(w);
    def.cell = calls_cell(w);
    if (byte & 1) def.ghost = calls_count(w, 1), def.steered = calls_count(w, 1), def.parked = calls_count(w, 1);
    if (byte & 2) def.mover = calls_number(w, 2);
    if (byte & 4) def.speed_milli = calls_count(w, WEND_MAX_SPEED_MILLI);
    if (byte & 8) def.urgency = calls_number(w, WEND_URGENCY_MAX);
    if (byte & 16) def.profile = calls_number(w, 2);
    wend_agent_id id;
    if (wend_crowd_add(w->crowd, &def, &id)) return;
    FUZZ_CHECK(id.index < CALLS_AGENTS);
    w->agents[w->next_agent++ % CALLS_NAMES] = id;
}

static size_t some_agents(calls_world *w, wend_agent_id ids[CALLS_NAMES]) {
    const size_t count = calls_byte(w) % (CALLS_NAMES + 1u);
    for (size_t i = 0; i < count; i++) ids[i] = w->agents[i];
    if (count > 0 && calls_byte(w) % 8 == 0) ids[0] = calls_agent(w);
    return count;
}

static void go(calls_world *w) {
    wend_agent_id ids[CALLS_NAMES];
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    const uint8_t byte = calls_byte(w);
    size_t count = 1;
    ids[0] = calls_agent(w);
    if (byte % 4 == 0) count = some_agents(w, ids);
    goal.cell = calls_cell(w);
    if (byte & 4) goal.kind = calls_number(w, 2);
    if (byte & 4) goal.target = calls_agent(w);
    if (byte & 8) goal.reach = calls_number(w, 9), goal.near_enough = calls_number(w, 5);
    if (byte & 16) goal.distance = calls_number(w, 20), goal.keep = calls_number(w, 1);
    if (byte & 32) goal.formation = calls_number(w, 4), goal.spacing = calls_count(w, WEND_MAX_SPACING);
    if (byte & 64) goal.pace = calls_number(w, 1);
    (void)wend_crowd_go(w->crowd, ids, count, &goal);
}

static void order(calls_world *w) {
    const wend_agent_id id = calls_agent(w);
    wend_agent_id ids[CALLS_NAMES];
    wend_cell cells[16];
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    size_t count = 0;
    switch (calls_byte(w) % 11) {
    case 0: (void)wend_crowd_remove(w->crowd, id); break;
    case 1: (void)wend_crowd_move(w->crowd, id, calls_cell(w)); break;
    case 2: (void)wend_crowd_set_speed(w->crowd, id, calls_count(w, WEND_MAX_SPEED_MILLI)); break;
    case 3: (void)wend_crowd_set_urgency(w->crowd, id, calls_number(w, WEND_URGENCY_MAX)); break;
    case 4: count = some_agents(w, ids), (void)wend_crowd_wait_for(w->crowd, id, ids, count); break;
    case 5: count = some_agents(w, ids), (void)wend_crowd_set_mover(w->crowd, ids, count, calls_number(w, 2)); break;
    case 6: count = some_agents(w, ids), (void)wend_crowd_set_profile(w->crowd, ids, count, calls_number(w, 2)); break;
    case 7: count = some_agents(w, ids), (void)wend_crowd_halt(w->crowd, ids, count); break;
    case 8:
        (void)wend_crowd_get_path(w->crowd, id, cells, calls_byte(w) % 17, &count);
        (void)wend_crowd_get_goal(w->crowd, id, &goal);
        break;
    default: {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (wend_crowd_get_agent(w->crowd, id, &state)) break;
        FUZZ_CHECK(state.state > 0 && state.waits >= 0 && calls_fits(w, (wend_box){state.cell, state.cell}));
        (void)wend_crowd_step(w->crowd, id, calls_neighbour(w, state.cell));
        break;
    }
    }
}

static void change_route(calls_world *w) {
    wend_route_def def;
    wend_cell corners[5];
    uint32_t route;
    const uint8_t byte = calls_byte(w);
    if (byte % 4 == 0) {
        wend_route_def_init(&def, sizeof def);
        def.mode = calls_number(w, 2), def.corners = corners, def.corner_count = calls_byte(w) % 6;
        for (int i = 0; i < 5; i++) corners[i] = calls_cell(w);
        (void)wend_crowd_add_route(w->crowd, &def, &route);
    } else {
        (void)wend_crowd_patrol(w->crowd, calls_agent(w), calls_count(w, 4));
    }
}

static void change_box(calls_world *w) {
    wend_box boxes[8];
    size_t count = 0;
    bool clear;
    const wend_box box = calls_box(w);
    switch (calls_byte(w) % 4) {
    case 0: (void)wend_crowd_clear_box(w->crowd, box); break;
    case 1: (void)wend_crowd_release_box(w->crowd, box); break;
    case 2:
        FUZZ_MUST(wend_crowd_get_boxes(w->crowd, boxes, 8, &count));
        if (count > 0 && count <= 8) FUZZ_MUST(wend_crowd_release_box(w->crowd, boxes[calls_byte(w) % count]));
        break;
    default: (void)wend_crowd_is_clear(w->crowd, box, &clear); break;
    }
}

/* ---- bodies ---- */

static int32_t any_length(calls_world *w, int32_t cells) {
    const int32_t cell = calls_number(w, cells);
    const int64_t at = (int64_t)cell * WEND_BODY_UNITS + calls_byte(w) * 64 - 8192;
    return at > INT32_MAX ? INT32_MAX : at < INT32_MIN ? INT32_MIN : (int32_t)at;
}

static void fill_body(calls_world *w, wend_body_def *def) {
    wend_body_def_init(def, sizeof *def);
    const uint8_t byte = calls_byte(w);
    if (byte & 1) def->radius_milli = byte & 16 ? calls_count(w, 1400) : WEND_MIN_RADIUS_MILLI + calls_count(w, 399);
    if (byte & 2) def->accel_milli = calls_count(w, WEND_MAX_ACCEL_MILLI);
    if (byte & 4) def->turn_degrees = calls_count(w, WEND_MAX_TURN_DEGREES);
    if (byte & 8) def->turning_radius_milli = calls_count(w, WEND_MAX_TURNING_MILLI);
}

static void change_body(calls_world *w) {
    if (!w->bodies) return;
    const wend_agent_id id = calls_agent(w);
    wend_body_def def;
    wend_body_vector at = {0, 0}, velocity = {0, 0};
    wend_body_state state = {.struct_bytes = sizeof state};
    switch (calls_byte(w) % 5) {
    case 0: (void)wend_body_remove(w->bodies, id); break;
    case 1:
        at.x = any_length(w, w->size.x), at.y = any_length(w, w->size.y);
        velocity.x = calls_number(w, 900), velocity.y = calls_number(w, 900);
        if (!wend_body_set(w->bodies, id, at, velocity)) w->moved_bodies = true;
        break;
    default:
        fill_body(w, &def);
        (void)wend_body_add(w->bodies, id, &def);
        if (!wend_body_get(w->bodies, id, &state)) FUZZ_CHECK(state.radius_milli >= WEND_MIN_RADIUS_MILLI);
        break;
    }
}

/* ---- updates ---- */

static void update(calls_world *w) {
    wend_update_budget budget;
    uint64_t choices;
    wend_agent_event event = {.struct_bytes = sizeof event};
    const uint8_t byte = calls_byte(w);
    wend_update_budget_init(&budget, sizeof budget);
    if (byte & 1) budget.choices = calls_large(w, 30);
    const uint32_t elapsed = byte & 2 ? calls_count(w, WEND_MAX_ELAPSED_MILLI) : 1000;
    (void)wend_service_tick(w->service, NULL, NULL);
    if (byte & 4)
        (void)wend_crowd_update(w->crowd, elapsed, &budget, &choices);
    else
        (void)wend_crowd_update(w->crowd, elapsed, NULL, NULL);
    if (byte & 8) return;
    while (!wend_crowd_poll(w->crowd, &event))
        FUZZ_CHECK(event.event >= 1 && event.event <= WEND_AGENT_EVENT_LINK_AHEAD);
}

/* ---- lasting rules ---- */

/* Returns true if two agents without bodies hold one cell. */
static bool share_cell(const wend_crowd_view *view, const uint8_t *own) {
    for (uint32_t i = 0; i < view->count; i++)
        for (uint32_t j = i + 1; j < view->count; j++)
            if (own[i] && own[j] && !memcmp(&view->cells[i], &view->cells[j], sizeof view->cells[i])) return true;
    return false;
}

static void check_discs(calls_world *w) {
    wend_bodies_view view = {.struct_bytes = sizeof view};
    if (!w->bodies || w->moved_bodies) return;
    FUZZ_MUST(wend_bodies_get_view(w->bodies, &view));
    for (uint32_t i = 0; i < view.count; i++) {
        for (uint32_t j = i + 1; j < view.count; j++) {
            if (!view.radii[i] || !view.radii[j]) continue;
            const double dx = (double)view.points[i].x - view.points[j].x,
                         dy = (double)view.points[i].y - view.points[j].y;
            FUZZ_CHECK(sqrt(dx * dx + dy * dy) >= (double)view.radii[i] + view.radii[j] - 1);
        }
    }
}

void calls_check_crowd(calls_world *w) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    uint8_t own[CALLS_AGENTS] = {0};
    uint32_t count = 0;
    FUZZ_CHECK(wend_crowd_get_view(w->crowd, &view) == WEND_OK && view.count <= CALLS_AGENTS);
    for (uint32_t i = 0; i < view.count; i++) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        wend_body_state body = {.struct_bytes = sizeof body};
        if (view.states[i] == WEND_AGENT_NONE) continue;
        count++;
        FUZZ_MUST(wend_crowd_get_agent(w->crowd, view.ids[i], &state));
        if (w->bodies && !wend_body_get(w->bodies, view.ids[i], &body)) continue;
        own[i] = !state.ghost && state.state != WEND_AGENT_AWAY;
    }
    FUZZ_CHECK(!share_cell(&view, own));
    FUZZ_CHECK(wend_crowd_get_stats(w->crowd, &stats) == WEND_OK && stats.agents == count);
    check_discs(w);
}

static calls_fn *const crowds[] = {add_agent, add_agent,    go,         go,          order, update,
                                   update,    change_route, change_box, change_body, update};

size_t calls_of_crowds(calls_fn *const **table) {
    *table = crowds;
    return sizeof crowds / sizeof *crowds;
}
