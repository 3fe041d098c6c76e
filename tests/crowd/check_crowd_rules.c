/* SPDX-License-Identifier: MIT */
/* The rules that hold after each update of a crowd, by the models: no two agents share a cell, every step is legal, no
 * agent passes through another, units are counted where agents are, every goal ends once. */
#include "crowd/check_crowd.h"
#include "models/apart.h"

#include <string.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>
#include <wend/units.h>

/* ---- boxes that are cleared ---- */

static bool is_in(const trial *t, const wend_box *box, wend_cell at, int size) {
    const int deep = t->w.kind == WEND_KIND_VOXEL ? size : 1;
    return at.x + size > box->min.x && at.x <= box->max.x && at.y + size > box->min.y && at.y <= box->max.y &&
           at.z + deep > box->min.z && at.z <= box->max.z;
}

unsigned trial_boxes_left(const trial *t, wend_cell at, int size, wend_cell cell) {
    unsigned count = 0;
    for (int k = 0; k < BOXES; k++)
        count += t->boxes[k].present && is_in(t, &t->boxes[k].box, cell, 1) && is_in(t, &t->boxes[k].box, at, size);
    return count;
}

unsigned trial_boxes_at(const trial *t, wend_cell cell) {
    return trial_boxes_left(t, cell, 1, cell);
}

bool trial_is_in_box(const trial *t, wend_cell at, int size) {
    bool in = false;
    for (int k = 0; k < BOXES; k++) in = in || (t->boxes[k].present && is_in(t, &t->boxes[k].box, at, size));
    return in;
}

static bool has_foreign_unit(const trial *t, const wend_box *box) {
    for (int i = 0; i < t->w.cells; i++)
        if (t->foreign[i] > 0 && is_in(t, box, world_cell(&t->w, i), 1)) return true;
    return false;
}

/* Checks that no agent enters a box, and that its event comes in the update after which no body is in it. */
static void check_boxes(trial *t, const wend_agent_state *states) {
    uint32_t due = 0;
    for (int k = 0; k < BOXES; k++) {
        cleared *c = &t->boxes[k];
        bool clear = true;
        bool said = true;
        if (!c->present) continue;
        for (int i = 0; i < ACTORS; i++) {
            const actor *a = &t->actors[i];
            if (!a->present || a->ghost) continue;
            const int size = t->w.movers[a->mover].size;
            const bool now = is_in(t, &c->box, states[i].cell, size);
            CHECK(!now || is_in(t, &c->box, a->cell, size), "agent %u entered a box", a->serial);
            clear = clear && !now && !is_in(t, &c->box, states[i].from, size);
        }
        CHECK(!c->told || clear, "somebody is in a box that was told to be clear");
        clear = clear && !has_foreign_unit(t, &c->box);
        CHECK(wend_crowd_is_clear(t->crowd, c->box, &said) == WEND_OK && said == clear, "clear or not");
        due += clear && !c->told;
        c->told |= clear;
    }
    CHECK(t->polls || due == t->boxes_told, "%u boxes became clear, %u events", due, t->boxes_told);
    t->boxes_told = 0;
}

/* ---- events ---- */

void trial_event(void *context, const wend_agent_event *event) {
    trial *t = context;
    if (event->event == WEND_AGENT_EVENT_CLEAR) {
        t->endings[event->event]++;
        t->boxes_told++;
        t->last_serial = SERIALS;
        return;
    }
    const uint32_t serial = (uint32_t)(uintptr_t)event->context;
    CHECK(serial < t->serials, "an event of nobody");
    CHECK(event->update == t->updates, "an event of another update");
    CHECK(serial >= t->last_serial, "events out of order");
    t->last_serial = serial;
    t->endings[event->event]++;
    if (!wend_agent_event_ends_goal(event->event)) return;
    t->ended[serial]++;
    CHECK(t->ended[serial] <= t->begun[serial], "a wish ended twice");
    CHECK((event->event == WEND_AGENT_EVENT_GAVE_UP) == (event->why != WEND_WHY_NONE), "a reason too many or missing");
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        if (!a->present || a->serial != serial || !a->aims || t->polls) continue;
        if (event->event != WEND_AGENT_EVENT_ARRIVED) continue;
        int x = abs(event->cell.x - a->goal.x), y = abs(event->cell.y - a->goal.y), z = abs(event->cell.z - a->goal.z);
        CHECK(x <= a->reach && y <= a->reach && z <= a->reach, "arrived elsewhere");
    }
}

void trial_forget_step(trial *t, actor *a) {
    if (a->stepping) t->begun[a->serial]--;
    a->stepping = false;
}

/* ---- steps ---- */

static bool leads(const trial *t, int mover, wend_cell from, wend_cell to) {
    const wend_request request = {.mover = mover};
    return world_step(&t->w, &request, from, to) != UINT64_MAX;
}

/* Searches for a way by several steps: short steps (cheap links and edges) may be several in an update. */
static bool has_way(const trial *t, int mover, wend_cell from, wend_cell to) {
    static int queue[WORLD_CELLS];
    static bool seen[WORLD_CELLS];
    int count = 0;
    memset(seen, 0, sizeof seen);
    seen[queue[count++] = world_number(&t->w, from)] = true;
    for (int i = 0; i < count; i++)
        for (int next = 0; next < t->w.cells; next++) {
            if (seen[next] || !leads(t, mover, world_cell(&t->w, queue[i]), world_cell(&t->w, next))) continue;
            seen[queue[count++] = next] = true;
            if (is_same(world_cell(&t->w, next), to)) return true;
        }
    return false;
}

static void check_step(const trial *t, const actor *a, wend_cell to) {
    if (a->placed || is_same(a->cell, to) || leads(t, a->mover, a->cell, to)) return;
    const bool short_steps = t->w.kind == WEND_KIND_GRAPH || t->w.link_count > 0;
    CHECK(short_steps && has_way(t, a->mover, a->cell, to), "no step from %d,%d,%d to %d,%d,%d", a->cell.x, a->cell.y,
          a->cell.z, to.x, to.y, to.z);
}

/* Checks that only the host moves a steered agent: by a step that it ordered, or not at all. If the step does not
 * begin, there must be an event. */
static void check_steered(trial *t, actor *a, const wend_agent_state *state) {
    CHECK(!state->steered == !a->steered, "steered or not");
    if (!a->steered) return;
    CHECK(!state->has_goal && state->steps_left == 0, "steered, with a wish");
    const bool put_there = a->placed && is_same(a->cell, a->step); /* the host has put it there: the order has ended */
    const bool went = a->stepping && is_same(state->cell, a->step) && !put_there;
    CHECK(went || is_same(state->cell, a->cell), "pushed to %d,%d,%d", state->cell.x, state->cell.y, state->cell.z);
    if (went) trial_forget_step(t, a);
    CHECK(t->polls || t->begun[a->serial] == t->ended[a->serial], "a step without an end");
    a->stepping = false;
}

/* ---- places ---- */

static int layers_of(const trial *t, int size) {
    return t->w.kind == WEND_KIND_VOXEL ? size : 1;
}

/* Every cell has as many units as the host put there, and one for the agent that covers it. */
static void check_places(trial *t, const wend_cell *now) {
    static int holder[WORLD_CELLS];
    for (int i = 0; i < t->w.cells; i++) holder[i] = -1;
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        if (!a->present || a->ghost) continue;
        const int size = t->w.movers[a->mover].size;
        for (int k = 0; k < size * size * layers_of(t, size); k++) {
            wend_cell c = {now[i].x + k % size, now[i].y + k / size % size, now[i].z + k / size / size};
            int number = world_number(&t->w, c);
            holder[number] = i;
        }
    }
    for (int i = 0; i < t->w.cells; i++) {
        uint32_t units;
        wend_map_get_occupants(t->map, world_cell(&t->w, i), &units);
        CHECK(units == (uint32_t)t->foreign[i] + (holder[i] >= 0) + trial_boxes_at(t, world_cell(&t->w, i)),
              "%u units in cell %d", units, i);
    }
}

static void check_state(trial *t, const actor *a, const wend_agent_state *state) {
    wend_cell cells[4];
    size_t count;
    CHECK(wend_crowd_get_path(t->crowd, a->id, cells, 4, &count) == WEND_OK && count >= 1, "no path");
    CHECK(is_same(cells[0], state->cell), "a path begins elsewhere");
    CHECK(count == state->steps_left + 1, "%zu cells, %u steps", count, state->steps_left);
    CHECK(state->state != WEND_AGENT_NONE && state->mover == a->mover && state->speed_milli == a->speed, "a state");
    CHECK(state->has_goal == (t->begun[a->serial] > t->ended[a->serial]) || t->polls, "a wish without an end");
}

static void check_view(trial *t, const wend_agent_state *states) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    uint32_t present = 0, seen = 0;
    CHECK(wend_crowd_get_view(t->crowd, &view) == WEND_OK, "no view");
    for (int i = 0; i < ACTORS; i++) {
        const actor *a = &t->actors[i];
        if (!a->present) continue;
        present++;
        CHECK(a->id.index < view.count && view.ids[a->id.index].generation == a->id.generation, "not in the view");
        CHECK(is_same(view.cells[a->id.index], states[i].cell), "the view has another cell");
        CHECK(view.states[a->id.index] == states[i].state, "the view has another state");
        CHECK(memcmp(&view.points[a->id.index], &states[i].point, sizeof(wend_point)) == 0, "another point");
        const int8_t *facing = &view.facings[3 * (size_t)a->id.index];
        CHECK(is_same((wend_cell){facing[0], facing[1], facing[2]}, states[i].facing), "another facing");
    }
    for (uint32_t i = 0; i < view.count; i++) seen += view.states[i] != WEND_AGENT_NONE;
    CHECK(seen == present, "%u agents in the view, %u are there", seen, present);
}

/* Returns whether an agent is in a step that others may have to wait for. */
static bool anyone_steps_long(trial *t, const wend_agent_state *states) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_crowd_get_stats(t->crowd, &counts);
    const bool begun = counts.steps > t->steps;
    t->steps = counts.steps;
    for (int i = 0; i < ACTORS && !begun; i++)
        if (t->actors[i].present && !is_same(states[i].from, states[i].cell)) return true;
    return false;
}

/* Returns whether other units occupy the end of an agent's path. */
static bool is_end_taken(const trial *t, const actor *a) {
    static wend_cell cells[8 * WORLD_CELLS];
    size_t count;
    uint32_t units;
    wend_crowd_get_path(t->crowd, a->id, cells, sizeof cells / sizeof *cells, &count);
    const wend_cell end = cells[count - 1];
    const int size = t->w.movers[a->mover].size;
    for (int k = 0; k < size * size * layers_of(t, size); k++) {
        const wend_cell c = {end.x + k % size, end.y + k / size % size, end.z + k / size / size};
        wend_map_get_occupants(t->map, c, &units);
        if (units > 0 && (!is_same(end, a->cell) || units > 1)) return true;
    }
    return false;
}

/* Returns whether an agent waits for its group while any agent waits for a search: it may be one of the group. */
static bool group_may_search(const trial *t, const wend_agent_state *states, int agent) {
    for (int i = 0; i < ACTORS && states[agent].waits == WEND_WAIT_GROUP; i++)
        if (t->actors[i].present && states[i].ticket.generation > 0) return true;
    return false;
}

/* Checks that a waiting agent without a search ends its goal in bounded time: between two tries there are at most 64 x
 * retry_updates. An agent that waits for its group may wait for all tries of another member. */
static void check_waiting(trial *t, const wend_agent_state *states) {
    enum { MOST = 2000, TRIES = 8 };
    const bool counts = !anyone_steps_long(t, states);
    for (int i = 0; i < ACTORS; i++) {
        actor *a = &t->actors[i];
        if (!a->present) continue;
        const bool waits = states[i].state == WEND_AGENT_WAITING && a->ends && states[i].ticket.generation == 0;
        const bool for_group = states[i].waits == WEND_WAIT_GROUP;
        if (for_group != a->waits_for_group) a->waits = 0;
        a->waits_for_group = for_group;
        a->waits = waits ? a->waits + (counts && !group_may_search(t, states, i)) : 0;
        if (a->waits < (for_group ? TRIES * MOST : MOST)) continue;
        CHECK(is_end_taken(t, a), "agent %u waits for nothing", a->serial);
        a->waits = 0;
    }
}

/* ---- what an agent waits for ---- */

static int find_actor(const trial *t, wend_agent_id id) {
    int i = 0;
    while (i < ACTORS &&
           !(t->actors[i].present && t->actors[i].id.index == id.index && t->actors[i].id.generation == id.generation))
        i++;
    return i;
}

static bool has_blocker(const wend_agent_state *state) {
    return state->blocker.index > 0 || state->blocker.generation > 0;
}

/* Returns whether a unit of the host, or a box that the agent is not in, is on a cell that it would cover. */
static bool is_closed_by(const trial *t, const actor *a, const wend_agent_state *state, bool box) {
    const int size = t->w.movers[a->mover].size;
    for (int k = 0; k < size * size * layers_of(t, size); k++) {
        const wend_cell at = state->blocked_cell, c = {at.x + k % size, at.y + k / size % size, at.z + k / size / size};
        if (!box && t->foreign[world_number(&t->w, c)] > 0) return true;
        if (box && trial_boxes_at(t, c) > trial_boxes_left(t, state->cell, size, c)) return true;
    }
    return false;
}

/* Checks that the blocker is another agent of the reported kind that stands in the cell or crosses the way there. */
static void check_blocker(const trial *t, int i, const wend_agent_state *states) {
    const wend_agent_state *state = &states[i];
    const int j = find_actor(t, state->blocker);
    CHECK(j < ACTORS && j != i, "agent %u waits for one that is not there", t->actors[i].serial);
    if (state->waits == WEND_WAIT_TARGET) return;
    const int32_t is = states[j].steered ? WEND_WAIT_PLAYER : states[j].parked ? WEND_WAIT_PARKED : WEND_WAIT_AGENT;
    const int size = t->w.movers[t->actors[i].mover].size, other = t->w.movers[t->actors[j].mover].size;
    const wend_cell at = state->blocked_cell, its = states[j].cell;
    const int near = !is_same(its, states[j].from); /* the step may cross this cell */
    CHECK(state->waits == is, "agent %u waits for a %s", t->actors[i].serial,
          wend_constant_name(WEND_NAME_WAIT, state->waits));
    CHECK(at.x < its.x + other + near && its.x < at.x + size + near && at.y < its.y + other + near &&
              its.y < at.y + size + near,
          "agent %u waits for one that is not in its way", t->actors[i].serial);
    CHECK(!t->actors[j].ghost, "a ghost is in the way");
}

static void check_waits(trial *t, int i, const wend_agent_state *states) {
    const actor *a = &t->actors[i];
    const wend_agent_state *state = &states[i];
    const int32_t waits = state->waits;
    const bool steps = !is_same(state->from, state->cell), in_way = waits >= WEND_WAIT_AGENT && waits <= WEND_WAIT_BOX;
    const bool leaves = trial_is_in_box(t, state->cell, t->w.movers[a->mover].size);
    t->waits[waits]++;
    if (steps || a->steered) CHECK(waits == WEND_WAIT_NONE, "agent %u steps, and waits", a->serial);
    if (state->state == WEND_AGENT_BLOCKED) CHECK(waits != WEND_WAIT_NONE, "agent %u is blocked by nothing", a->serial);
    if (state->state == WEND_AGENT_IDLE || state->state == WEND_AGENT_ARRIVED)
        CHECK(waits == WEND_WAIT_NONE || waits == WEND_WAIT_WINDOW || in_way, /* pushed off its place */
              "agent %u waits for %s without a goal", a->serial, wend_constant_name(WEND_NAME_WAIT, waits));
    if (state->state == WEND_AGENT_WAITING && state->ticket.generation && !leaves) /* the agent may be leaving a box */
        CHECK(waits == WEND_WAIT_SEARCH || waits == WEND_WAIT_WINDOW || waits == WEND_WAIT_TARGET,
              "agent %u has a search, and waits for %s", a->serial, wend_constant_name(WEND_NAME_WAIT, waits));
    if (state->state == WEND_AGENT_WAITING && !leaves)
        CHECK(waits != WEND_WAIT_NONE, "agent %u waits for nothing", a->serial);
    if (in_way) CHECK(!a->ghost, "%s is in a ghost's way", wend_constant_name(WEND_NAME_WAIT, waits));
    if (has_blocker(state)) check_blocker(t, i, states);
    const bool elsewhere = !is_same(state->blocked_cell, state->cell);
    if (waits == WEND_WAIT_UNIT && elsewhere) CHECK(is_closed_by(t, a, state, false), "agent %u: no unit", a->serial);
    if (waits == WEND_WAIT_BOX) CHECK(is_closed_by(t, a, state, true), "agent %u: no box", a->serial);
}

void trial_update(trial *t) {
    wend_agent_state states[ACTORS];
    wend_cell now[ACTORS];
    wend_budget budget = default_budget();
    budget.expansions = 1 + (uint64_t)oracle_below(&t->random, 400);
    CHECK(wend_service_tick(t->service, &budget, NULL) == WEND_OK, "tick");
    t->updates++;
    t->last_serial = 0;
    wend_update_budget limits = {.struct_bytes = sizeof limits, .us = WEND_NO_LIMIT, .choices = WEND_NO_LIMIT};
    if (oracle_below(&t->random, 4) == 0) limits.choices = (uint64_t)oracle_below(&t->random, 2);
    CHECK(wend_crowd_update(t->crowd, 1000, &limits, NULL) == WEND_OK, "update");
    wend_agent_event event = {.struct_bytes = sizeof event};
    while (t->polls && oracle_below(&t->random, 50) && wend_crowd_poll(t->crowd, &event) == WEND_OK) {
        uint64_t update = t->updates;
        if (event.update < update) t->last_serial = 0, t->updates = event.update;
        trial_event(t, &event);
        if (event.update < update) t->last_serial = 0;
        t->updates = update;
    }
    for (int i = 0; i < ACTORS; i++) {
        actor *a = &t->actors[i];
        if (!a->present) continue;
        states[i] = (wend_agent_state){.struct_bytes = sizeof states[i]};
        CHECK(wend_crowd_get_agent(t->crowd, a->id, &states[i]) == WEND_OK, "an agent is gone");
        now[i] = states[i].cell;
        check_step(t, a, now[i]);
        check_steered(t, a, &states[i]);
        check_state(t, a, &states[i]);
        trial_hash(&t->hash, (uint64_t)(uint32_t)now[i].x << 32 | (uint32_t)now[i].y << 8 | (uint32_t)now[i].z);
        trial_hash(&t->hash, (uint64_t)(uint32_t)states[i].point.x << 32 | (uint32_t)states[i].point.y);
        trial_hash(&t->hash, (uint64_t)states[i].state << 32 | (uint32_t)i);
    }
    const char *fault = crowd_fault(t->map, t->crowd);
    CHECK(!fault, "%s", fault);
    check_places(t, now);
    check_waiting(t, states);
    check_boxes(t, states);
    for (int i = 0; i < ACTORS; i++)
        if (t->actors[i].present) check_waits(t, i, states);
    if (t->updates % 16 == 0) check_view(t, states);
    for (int i = 0; i < ACTORS; i++) t->actors[i].cell = now[i], t->actors[i].placed = false;
}
