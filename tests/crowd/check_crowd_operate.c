/* SPDX-License-Identifier: MIT */
/* Random operations on a crowd: agents come and go, are sent, moved and changed, and the world changes under them. */
#include "crowd/check_crowd.h"
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/units.h>

static int below(trial *t, int end) {
    return oracle_below(&t->random, end);
}

static wend_cell any_cell(trial *t) {
    return world_cell(&t->w, below(t, t->w.cells));
}

/* A present agent; NULL: the one drawn is absent. */
static actor *any_actor(trial *t) {
    actor *a = &t->actors[below(t, ACTORS)];
    return a->present ? a : NULL;
}

/* ---- may an agent be there? ---- */

static bool is_free(const trial *t, const actor *self, int mover, wend_cell cell) {
    const int size = t->w.movers[mover].size, layers = t->w.kind == WEND_KIND_VOXEL ? size : 1;
    for (int k = 0; k < size * size * layers; k++) {
        wend_cell c = {cell.x + k % size, cell.y + k / size % size, cell.z + k / size / size};
        uint32_t units = 0;
        wend_map_get_occupants(t->map, c, &units);
        if (self && !self->ghost) {
            const int own = t->w.movers[self->mover].size, deep = t->w.kind == WEND_KIND_VOXEL ? own : 1;
            wend_agent_state state = {.struct_bytes = sizeof state};
            wend_crowd_get_agent(t->crowd, self->id, &state);
            int x = c.x - state.cell.x, y = c.y - state.cell.y, z = c.z - state.cell.z;
            units -= x >= 0 && y >= 0 && z >= 0 && x < own && y < own && z < deep;
        }
        if (units > 0) return false;
    }
    return true;
}

static wend_error placement(const trial *t, const actor *self, int mover, bool ghost, wend_cell cell) {
    if (world_factor(&t->w, mover, cell) == 0) return WEND_BLOCKED;
    return ghost || is_free(t, self, mover, cell) ? WEND_OK : WEND_BUSY;
}

static void add_agent(trial *t) {
    actor *a = &t->actors[below(t, ACTORS)];
    if (a->present || t->serials == SERIALS) return;
    wend_agent_def def = default_agent();
    def.cell = any_cell(t), def.mover = below(t, t->w.mover_count);
    def.speed_milli = 100 + (uint32_t)below(t, 900), def.urgency = below(t, 21) - 10;
    def.ghost = below(t, 10) == 0;
    def.context = (void *)(uintptr_t)t->serials;
    wend_error expected = placement(t, NULL, def.mover, def.ghost, def.cell);
    wend_agent_id id = {7, 7};
    wend_error error = wend_crowd_add(t->crowd, &def, &id);
    CHECK(error == expected, "add: %d instead of %d", error, expected);
    if (error) return;
    *a = (actor){.id = id,
                 .present = true,
                 .placed = true,
                 .ghost = def.ghost,
                 .mover = def.mover,
                 .serial = t->serials++,
                 .speed = def.speed_milli,
                 .cell = def.cell};
}

void trial_crowd(trial *t) {
    for (int i = 0; i < 8 * ACTORS; i++) add_agent(t);
}

static void remove_agent(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    CHECK(wend_crowd_remove(t->crowd, a->id) == WEND_OK, "remove");
    CHECK(wend_crowd_remove(t->crowd, a->id) == WEND_STALE_TICKET, "removed twice");
    trial_forget_step(t, a);
    a->present = false;
}

/* Ends the steering of an agent that gets another goal, or none. */
static void end_steering(trial *t, actor *a) {
    trial_forget_step(t, a);
    a->steered = false;
}

/* Mostly to a neighbour; also where it cannot go. */
static void steer_agent(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_get_agent(t->crowd, a->id, &state);
    wend_cell to = state.cell, near;
    if (t->w.kind == WEND_KIND_GRAPH || below(t, 8) == 0)
        to = any_cell(t);
    else if (world_neighbour(&t->w, state.cell, below(t, 27), &near))
        to = near;
    const wend_error error = wend_crowd_step(t->crowd, a->id, to);
    CHECK(error == WEND_OK || (t->polls && error == WEND_BUSY), "step: %d", error);
    if (error) return;
    end_steering(t, a);
    a->steered = true, a->aims = false, a->ends = true;
    a->stepping = !is_same(to, state.cell), a->step = to;
    t->begun[a->serial] += a->stepping;
}

static void note_sent(trial *t, actor *a, const wend_crowd_goal *goal, bool aims) {
    end_steering(t, a);
    t->begun[a->serial]++;
    a->aims = aims, a->ends = true, a->goal = goal->cell;
    a->reach = goal->reach;
}

static void send_some(trial *t) {
    actor *some[ACTORS];
    wend_agent_id ids[ACTORS];
    uint32_t count = 0, most = below(t, 4) ? 1 : 1 + (uint32_t)below(t, 8);
    for (int i = below(t, ACTORS); i < ACTORS && count < most; i++)
        if (t->actors[i].present) ids[count] = t->actors[i].id, some[count++] = &t->actors[i];
    if (count == 0) return;
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = any_cell(t);
    if (t->w.kind != WEND_KIND_GRAPH && below(t, 3) == 0) goal.reach = below(t, 4);
    if (t->w.kind == WEND_KIND_GRID && below(t, 2)) goal.formation = below(t, 5), goal.pace = below(t, 2);
    goal.spacing = 1 + (uint32_t)below(t, 3);
    wend_error error = wend_crowd_go(t->crowd, ids, count, &goal);
    CHECK(error == WEND_OK || (t->polls && error == WEND_BUSY), "go: %d", error);
    for (uint32_t i = 0; i < count && !error; i++) note_sent(t, some[i], &goal, count == 1);
}

/* Sends all agents somewhere: each to a cell of its own, but sometimes two to one. */
static void send_home(trial *t) {
    for (int i = 0; i < ACTORS; i++) {
        wend_crowd_goal goal = default_crowd_goal();
        actor *a = &t->actors[i];
        if (!a->present) continue;
        goal.cell = below(t, 6) || i == 0 ? any_cell(t) : t->actors[below(t, i)].goal;
        const wend_error error = wend_crowd_go(t->crowd, &a->id, 1, &goal);
        CHECK(error == WEND_OK || (t->polls && error == WEND_BUSY), "go: %d", error);
        if (!error) note_sent(t, a, &goal, true);
    }
}

static void pursue(trial *t) {
    actor *a = any_actor(t), *b = any_actor(t);
    if (!a || !b || a == b) return;
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = below(t, 2) ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE, goal.target = b->id;
    goal.distance = 1 + below(t, 6), goal.keep = goal.kind == WEND_CROWD_FLEE && below(t, 2);
    if (t->w.kind == WEND_KIND_GRAPH) goal.kind = WEND_CROWD_FOLLOW;
    wend_error error = wend_crowd_go(t->crowd, &a->id, 1, &goal);
    CHECK(error == WEND_OK || (t->polls && error == WEND_BUSY), "pursue: %d", error);
    if (error) return;
    end_steering(t, a);
    t->begun[a->serial]++;
    a->aims = a->ends = false;
}

/* Routes are added until there are no more; corners may be anywhere, also in walls. */
static void take_route(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    if (t->route_count < ROUTES) {
        wend_cell corners[6];
        wend_route_def def = default_route();
        def.mode = below(t, 3), def.corners = corners, def.corner_count = 1 + (uint32_t)below(t, 6);
        for (uint32_t i = 0; i < def.corner_count; i++) corners[i] = any_cell(t);
        CHECK(wend_crowd_add_route(t->crowd, &def, &t->routes[t->route_count]) == WEND_OK, "add route");
        t->once[t->route_count++] = def.mode == WEND_ROUTE_ONCE;
    }
    const int route = below(t, (int)t->route_count);
    wend_error error = wend_crowd_patrol(t->crowd, a->id, t->routes[route]);
    CHECK(error == WEND_OK || error == WEND_BUSY, "take: %d", error);
    if (error) return;
    end_steering(t, a);
    t->begun[a->serial]++;
    a->aims = false, a->ends = t->once[route];
}

static void halt_agent(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    CHECK(wend_crowd_halt(t->crowd, &a->id, 1) == WEND_OK, "halt");
    end_steering(t, a);
}

static void set_waits(trial *t, const actor *a) {
    wend_agent_id ids[WEND_MAX_WAITED_FOR];
    size_t count = 0;
    for (int i = 0; i < ACTORS && count < WEND_MAX_WAITED_FOR; i++) {
        const actor *other = &t->actors[below(t, ACTORS)];
        if (other->present && other != a && below(t, 3) == 0) ids[count++] = other->id;
    }
    CHECK(wend_crowd_wait_for(t->crowd, a->id, ids, count) == WEND_OK, "wait for");
}

static void change_agent(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    if (below(t, 3) == 0) {
        set_waits(t, a);
    } else if (below(t, 2)) {
        a->speed = 100 + (uint32_t)below(t, 900);
        CHECK(wend_crowd_set_speed(t->crowd, a->id, a->speed) == WEND_OK, "set speed");
    } else {
        CHECK(wend_crowd_set_urgency(t->crowd, a->id, below(t, 21) - 10) == WEND_OK, "set urgency");
    }
}

/* Returns whether a cell is an agent's own, in a box that is being cleared: it may be put in the middle of that. */
static bool stays_in_box(const trial *t, const actor *a, wend_cell cell) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    const int size = t->w.movers[a->mover].size;
    wend_crowd_get_agent(t->crowd, a->id, &state);
    return same_cell(state.cell, cell) && state.state != WEND_AGENT_AWAY && trial_is_in_box(t, cell, size);
}

static void move_agent(trial *t) {
    actor *a = any_actor(t);
    if (!a) return;
    wend_cell cell = any_cell(t);
    wend_error expected = placement(t, a, a->mover, a->ghost, cell);
    if (expected == WEND_BUSY && stays_in_box(t, a, cell)) expected = WEND_OK;
    wend_error error = wend_crowd_move(t->crowd, a->id, cell);
    CHECK(error == expected, "move: %d instead of %d", error, expected);
    if (!error) a->cell = cell, a->placed = true;
}

/* ---- another mover ---- */

static wend_cell cell_of(const trial *t, const actor *a) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    wend_crowd_get_agent(t->crowd, a->id, &state);
    return state.cell;
}

static bool covers(const trial *t, wend_cell at, int mover, wend_cell c) {
    const int size = t->w.movers[mover].size, deep = t->w.kind == WEND_KIND_VOXEL ? size : 1;
    const int x = c.x - at.x, y = c.y - at.y, z = c.z - at.z;
    return x >= 0 && y >= 0 && z >= 0 && x < size && y < size && z < deep;
}

/* Returns whether the cells of `self`'s new size are free of units and, once all are changed, of other agents. */
static bool has_room(const trial *t, const actor *self, int mover, const bool *changes) {
    for (int number = 0; number < t->w.cells; number++) {
        const wend_cell c = world_cell(&t->w, number), at = cell_of(t, self);
        if (!covers(t, at, mover, c)) continue;
        if (t->foreign[number] > 0 && !covers(t, at, self->mover, c)) return false;
        if (trial_boxes_at(t, c) > trial_boxes_left(t, at, t->w.movers[self->mover].size, c)) return false;
        for (int i = 0; i < ACTORS; i++) {
            const actor *other = &t->actors[i];
            if (other == self || !other->present || other->ghost) continue;
            if (covers(t, cell_of(t, other), changes[i] ? mover : other->mover, c)) return false;
        }
    }
    return true;
}

static void change_movers(trial *t) {
    bool changes[ACTORS] = {false};
    wend_agent_id ids[ACTORS];
    size_t count = 0, most = 1 + (size_t)below(t, 4);
    const int mover = below(t, t->w.mover_count);
    wend_error expected = WEND_OK;
    for (int i = below(t, ACTORS); i < ACTORS && count < most; i++)
        if (t->actors[i].present) changes[i] = true, ids[count++] = t->actors[i].id;
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        if (!changes[i] || a->mover == mover || expected == WEND_BLOCKED) continue;
        if (world_factor(&t->w, mover, cell_of(t, a)) == 0)
            expected = WEND_BLOCKED;
        else if (!a->ghost && !has_room(t, a, mover, changes))
            expected = WEND_BUSY;
    }
    const wend_error error = wend_crowd_set_mover(t->crowd, ids, count, mover);
    const bool no_legs = error == WEND_BUSY && t->route_count > 0; /* an agent's route may find no room */
    CHECK(error == expected || (expected == WEND_OK && no_legs), "set mover: %d instead of %d", error, expected);
    for (int i = 0; i < ACTORS && !error; i++) {
        actor *a = &t->actors[i];
        if (!changes[i] || a->mover == mover) continue;
        a->mover = mover, a->cell = cell_of(t, a), a->placed = true;
    }
}

/* ---- the world ---- */

static void change_cell(trial *t) {
    const int number = below(t, t->w.cells);
    const uint8_t class = below(t, 3) ? 1 : (uint8_t)(below(t, 2) * below(t, 4));
    IN_BATCH(t->map, world_set_cell(&t->w, edit, world_cell(&t->w, number), class));
}

static void change_step(trial *t) {
    const wend_cell from = world_cell(&t->w, below(t, t->w.cells));
    const int step = below(t, 27);
    wend_cell to;
    if (t->w.kind == WEND_KIND_GRAPH || !world_neighbour(&t->w, from, step, &to)) return;
    const bool open = below(t, 2);
    IN_BATCH(t->map, world_set_step(&t->w, edit, from, step, open));
}

static void change_units(trial *t) {
    const int number = below(t, t->w.cells);
    uint32_t units;
    wend_map_get_occupants(t->map, world_cell(&t->w, number), &units);
    if (t->foreign[number] > 0) {
        CHECK(wend_map_vacate(t->map, world_cell(&t->w, number)) == WEND_OK, "vacate");
        t->foreign[number]--;
    } else if (units == 0) {
        CHECK(wend_map_occupy(t->map, world_cell(&t->w, number)) == WEND_OK, "occupy");
        t->foreign[number]++;
    }
}

void trial_release(trial *t, int number) {
    cleared *c = &t->boxes[number];
    if (c->present) CHECK(wend_crowd_release_box(t->crowd, c->box) == WEND_OK, "release");
    c->present = false;
}

static void clear_box(trial *t) {
    const int number = below(t, BOXES);
    cleared *c = &t->boxes[number];
    const wend_cell a = any_cell(t);
    wend_cell b = any_cell(t);
    if (c->present) {
        trial_release(t, number);
        return;
    }
    if (below(t, 2)) /* a small one */
        b = (wend_cell){a.x + 1 < t->w.width ? a.x + below(t, 2) : a.x, a.y, a.z};
    c->box = (wend_box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z},
                        {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z}};
    const wend_error error = wend_crowd_clear_box(t->crowd, c->box);
    const bool twice = error == WEND_IN_USE, full = t->polls && error == WEND_BUSY;
    CHECK(error == WEND_OK || twice || full, "clear: %d", error);
    c->present = !error, c->told = false;
}

/* Edits make far layers stale; some are repaired. */
static void maintain(trial *t) {
    const uint64_t effort = below(t, 2) ? WEND_NO_LIMIT : (uint64_t)below(t, 100000);
    CHECK(wend_map_maintain(t->map, WEND_MAINTAIN_FAR, effort, NULL) == WEND_OK, "maintain");
}

void trial_operate(trial *t) {
    t->operations++;
    if (t->far && below(t, 3) == 0) maintain(t);
    const int kind = below(t, 116);
    if (kind < 60) {
        trial_update(t);
    } else if (kind < 70) {
        add_agent(t);
    } else if (kind < 72) {
        remove_agent(t);
    } else if (kind < 84) {
        send_some(t);
    } else if (kind < 87) {
        pursue(t);
    } else if (kind < 89) {
        halt_agent(t);
    } else if (kind < 92) {
        change_agent(t);
    } else if (kind < 93) {
        move_agent(t);
    } else if (kind < 96) {
        change_cell(t);
    } else if (kind < 98) {
        change_step(t);
    } else if (kind < 100) {
        change_units(t);
    } else if (kind < 103) {
        take_route(t);
    } else if (kind < 109) {
        steer_agent(t);
    } else if (kind < 112) {
        change_movers(t);
    } else if (kind == 112) {
        send_home(t);
    } else {
        clear_box(t);
    }
}
