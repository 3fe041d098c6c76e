/* SPDX-License-Identifier: MIT */
/* Happenings of agents, boxes and bodies, and of the crowd. */
#include "pairs/pairs.h"

static wend_agent_id some_agent(pair_world *w) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const uint32_t first = draw(&w->random, PEOPLE);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        const wend_agent_id id = w->agents[(first + i) % PEOPLE];
        if (!wend_crowd_get_agent(w->crowd, id, &state)) return id;
    }
    return (wend_agent_id){0, 0};
}

static bool get_agent(const pair_world *w, wend_agent_id id, wend_agent_state *state) {
    *state = (wend_agent_state){.struct_bytes = sizeof *state};
    return !wend_crowd_get_agent(w->crowd, id, state);
}

/* Returns WEND_EMPTY for an error that means lack of room or of a place: nothing happened. */
static wend_error placed(wend_error error) {
    return error == WEND_BUSY || error == WEND_BLOCKED || error == WEND_STALE_TICKET ? WEND_EMPTY : error;
}

static wend_error agent_added(pair_world *w) {
    wend_agent_def agent = default_agent();
    int free_slot = -1;
    agent.mover = w->mover, agent.profile = w->profile, agent.ghost = draw(&w->random, 4) == 0;
    wend_agent_state state;
    for (int i = 0; i < PEOPLE; i++)
        if (!get_agent(w, w->agents[i], &state)) free_slot = i;
    if (free_slot < 0) {
        CLAIM(!wend_crowd_remove(w->crowd, w->agents[0]), "remove");
        free_slot = 0;
    }
    for (int i = 0; i < 20; i++) {
        agent.cell = world_open_place(w);
        const wend_error error = wend_crowd_add(w->crowd, &agent, &w->agents[free_slot]);
        if (!placed(error)) continue;
        if (!error) break;
        if (error != WEND_BUSY && error != WEND_BLOCKED) return error;
    }
    w->unit_moves++;
    return WEND_OK;
}

/* Removes all agents but one, in any state, and adds others. */
static wend_error agent_removed(pair_world *w) {
    wend_error error = WEND_EMPTY;
    w->unit_moves++;
    for (int i = 1; i < PEOPLE; i++)
        if (!wend_crowd_remove(w->crowd, w->agents[i])) error = WEND_OK;
    if (!error) world_add_people(w);
    return error;
}

static wend_error agent_sent(pair_world *w) {
    wend_crowd_goal goal = default_crowd_goal();
    const wend_agent_id id = some_agent(w);
    goal.cell = world_open_place(w);
    return placed(wend_crowd_go(w->crowd, &id, 1, &goal));
}

static wend_error crowd_sent(pair_world *w) {
    world_send(w);
    return WEND_OK;
}

static wend_error agent_follows(pair_world *w) {
    wend_crowd_goal goal = default_crowd_goal();
    const wend_agent_id id = some_agent(w), other = some_agent(w);
    if (id.index == other.index) return WEND_EMPTY;
    goal.kind = WEND_CROWD_FOLLOW, goal.target = other;
    return placed(wend_crowd_go(w->crowd, &id, 1, &goal));
}

static wend_error agent_flees(pair_world *w) {
    wend_crowd_goal goal = default_crowd_goal();
    const wend_agent_id id = some_agent(w), other = some_agent(w);
    if (id.index == other.index) return WEND_EMPTY;
    goal.kind = WEND_CROWD_FLEE, goal.target = other, goal.keep = 1;
    return placed(wend_crowd_go(w->crowd, &id, 1, &goal));
}

static wend_error agent_patrols(pair_world *w) {
    wend_route_def route = default_route();
    const wend_cell corners[2] = {world_open_place(w), world_open_place(w)};
    if (w->route == UINT32_MAX) {
        route.corners = corners, route.corner_count = 2, route.mode = WEND_ROUTE_BACK;
        const wend_error error = wend_crowd_add_route(w->crowd, &route, &w->route);
        if (error) return w->route = UINT32_MAX, placed(error);
    }
    return placed(wend_crowd_patrol(w->crowd, some_agent(w), w->route));
}

static wend_error agent_halted(pair_world *w) {
    const wend_agent_id id = some_agent(w);
    return placed(wend_crowd_halt(w->crowd, &id, 1));
}

static wend_error agent_stepped(pair_world *w) {
    wend_agent_state state;
    const wend_agent_id id = some_agent(w);
    if (!get_agent(w, id, &state)) return WEND_EMPTY;
    wend_cell cell = {state.cell.x + 1, state.cell.y, state.cell.z};
    if (cell.x >= info_now(w->map).width) cell.x = 0;
    const wend_error error = wend_crowd_step(w->crowd, id, cell);
    return error == WEND_OUT_OF_RANGE ? WEND_EMPTY : placed(error); /* no such node */
}

static wend_error agent_moved(pair_world *w) {
    w->unit_moves++;
    return placed(wend_crowd_move(w->crowd, some_agent(w), world_open_place(w)));
}

static wend_error agent_changed(pair_world *w) {
    const wend_agent_id id = some_agent(w), other = some_agent(w);
    wend_error error = wend_crowd_set_speed(w->crowd, id, 900);
    if (!error) error = wend_crowd_set_urgency(w->crowd, id, 50);
    if (!error && id.index != other.index) error = wend_crowd_wait_for(w->crowd, id, &other, 1);
    if (!error) error = wend_crowd_set_profile(w->crowd, &id, 1, draw(&w->random, 2) ? w->profile : 0);
    return placed(error);
}

static wend_error mover_changed(pair_world *w) {
    const wend_agent_id id = some_agent(w);
    w->unit_moves++;
    return placed(wend_crowd_set_mover(w->crowd, &id, 1, draw(&w->random, 2) ? w->mover : WEND_MOVER_DEFAULT));
}

static wend_error box_cleared(pair_world *w) {
    const wend_cell cell = world_place(w);
    const wend_box box = {cell, cell};
    bool clear = false;
    w->unit_moves++;
    wend_error error = wend_crowd_is_clear(w->crowd, box, &clear);
    if (!error) error = wend_crowd_clear_box(w->crowd, box);
    return error == WEND_IN_USE || error == WEND_BUSY ? WEND_EMPTY : error;
}

static wend_error box_released(pair_world *w) {
    wend_box boxes[64];
    size_t count = 0;
    w->unit_moves++;
    if (box_cleared(w)) return WEND_EMPTY;
    world_frame(w, 10, WEND_NO_LIMIT, NULL);
    CLAIM(!wend_crowd_update(w->crowd, 500, NULL, NULL), "update");
    CLAIM(!wend_crowd_get_boxes(w->crowd, boxes, 64, &count) && count > 0, "boxes");
    return wend_crowd_release_box(w->crowd, boxes[draw(&w->random, (uint32_t)count)]);
}

static wend_error crowd_asked(pair_world *w) {
    wend_cell cells[16];
    size_t count = 0;
    wend_agent_state state;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    for (int i = 0; i < PEOPLE; i++)
        if (get_agent(w, w->agents[i], &state))
            CLAIM(!wend_crowd_get_path(w->crowd, w->agents[i], cells, 16, &count), "path");
    CLAIM(!wend_crowd_get_stats(w->crowd, &stats), "stats");
    return wend_crowd_get_view(w->crowd, &view);
}

static wend_error updated_within(pair_world *w) {
    wend_update_budget budget;
    uint64_t choices = 0;
    wend_update_budget_init(&budget, sizeof budget);
    budget.choices = draw(&w->random, 3);
    w->unit_moves++;
    return wend_crowd_update(w->crowd, 1 + draw(&w->random, 3000), &budget, &choices);
}

static wend_error crowd_destroyed(pair_world *w) {
    w->unit_moves++;
    CLAIM(!wend_crowd_destroy(w->crowd), "crowd");
    w->crowd = NULL;
    world_finish(w);
    return WEND_OK;
}

/* ---- bodies ---- */

/* Removes the body of the first agent that has one. */
static wend_error body_removed(pair_world *w) {
    wend_error error = WEND_EMPTY;
    for (int i = 0; i < PEOPLE && error; i++) error = placed(wend_crowd_set_body(w->crowd, w->agents[i], NULL));
    return error;
}

/* Gives a body to the first agent that takes one. */
static wend_error body_added(pair_world *w) {
    wend_body_def body = default_body();
    wend_error error = WEND_EMPTY;
    if (world_is(w, MOVER, BIT(LARGE))) body.radius_milli = 800;
    for (int i = 0; i < PEOPLE; i++) (void)wend_crowd_halt(w->crowd, &w->agents[i], 1);
    for (int i = 0; i < 6; i++)
        CLAIM(!wend_crowd_update(w->crowd, 1000, NULL, NULL), "update"); /* out of their steps */
    w->unit_moves++;
    (void)body_removed(w);
    for (int i = 0; i < PEOPLE && error; i++) {
        error = wend_crowd_set_body(w->crowd, w->agents[i], &body);
        const bool expected = error == WEND_IN_USE || error == WEND_BAD_ARGUMENT; /* has one, or is a ghost */
        if (error && !expected && placed(error) != WEND_EMPTY) return error;
    }
    return error ? WEND_EMPTY : WEND_OK;
}

static wend_error body_set(pair_world *w) {
    wend_body_state state = {.struct_bytes = sizeof state};
    const wend_agent_id id = some_agent(w);
    wend_error error = wend_crowd_get_body(w->crowd, id, &state);
    if (error) return placed(error);
    state.exact_at.x += (int32_t)draw(&w->random, 12000) - 6000,
        state.exact_at.y += (int32_t)draw(&w->random, 12000) - 6000;
    w->unit_moves++;
    error = place_rounded(w->crowd, id, state.exact_at, (wend_body_vector){0, 0});
    return error == WEND_OUT_OF_RANGE ? WEND_EMPTY : placed(error);
}

const happening_row happenings_of_crowds[] = {
    {"agent added", agent_added, NEEDS_CROWD},
    {"agent removed", agent_removed, NEEDS_CROWD},
    {"agent sent", agent_sent, NEEDS_CROWD},
    {"crowd sent", crowd_sent, NEEDS_CROWD},
    {"agent follows", agent_follows, NEEDS_CROWD},
    {"agent flees", agent_flees, NEEDS_CROWD},
    {"agent patrols", agent_patrols, NEEDS_CROWD},
    {"agent halted", agent_halted, NEEDS_CROWD},
    {"agent stepped", agent_stepped, NEEDS_CROWD},
    {"agent moved", agent_moved, NEEDS_CROWD},
    {"agent changed", agent_changed, NEEDS_CROWD},
    {"mover changed", mover_changed, NEEDS_CROWD},
    {"box cleared", box_cleared, NEEDS_CROWD},
    {"box released", box_released, NEEDS_CROWD},
    {"crowd asked", crowd_asked, NEEDS_CROWD},
    {"updated within", updated_within, NEEDS_CROWD},
    {"crowd destroyed", crowd_destroyed, NEEDS_CROWD | ENDS},
    {"body added", body_added, NEEDS_BODIES},
    {"body removed", body_removed, NEEDS_BODIES},
    {"body set", body_set, NEEDS_BODIES},
    {NULL, NULL, 0},
};
