/* SPDX-License-Identifier: MIT */
/* The last resort where bodies block each other in narrow places. LaCAM finds steps for a stuck body and its neighbours
 * over the cells round it, and each follows its cells from middle to middle. A member enters a cell once all earlier
 * users of that cell have left. No step moves bodies round in a circle, so some member can always go on. The order of
 * the solution is kept, also if a member is late. No other body enters these cells until then. */
#include "agents/discs/state.h"

enum {
    ONE = WEND__BODY_ONE,
    MEMBERS = WEND__JOINT_MEMBERS,
    FIRST_MEMBERS = 6, ///< members of a body's first search; each failed search doubles them
    MOST_FAILS = WEND__JOINT_FAILS,
    STEPS = WEND__JOINT_STEPS,
    SEEDS = 16,   ///< cells of the way ahead from which the cells are gathered
    AHEAD = 64,   ///< cells of a member's way on which it may leave
    TRIES = 48,   ///< tries of LaCAM in an update
    STALLED = 96, ///< updates without progress of any member after which the search counts as failed
    WAITS = 16,   ///< updates until the next try of a body after a failed search; each failure doubles them
    BEFORE = 8,   ///< updates that a member waits before it pushes a body out of its way
    THERE = ONE / 128,
    NO_CELL = WEND__LACAM_NONE
};

enum { CLOSED = WEND__JOINT_CLOSED, SEARCHING = WEND__JOINT_SEARCHING, WALKING = WEND__JOINT_WALKING };

static size_t joint_head(void) {
    return (sizeof(wend__joint) + 63) & ~(size_t)63;
}

size_t wend__joint_bytes(void) {
    return joint_head() + wend__lacam_bytes(MEMBERS);
}

wend__joint *wend__joint_init(void *memory) {
    wend__joint *joint = memory;
    memset(joint, 0, sizeof *joint);
    joint->lacam = wend__lacam_init((uint8_t *)memory + joint_head(), MEMBERS);
    return joint;
}

/* The window goes on over the rim, and has cells of the map. */
static uint8_t cell_number(const wend__bodies *bodies, wend_cell cell) {
    return wend__window_number(&bodies->joint->numbers, wend__body_on_map(bodies, cell));
}

/* ---- cells and members ---- */

static bool may_take_part(const wend__bodies *bodies, uint32_t index) {
    const wend__body *body = &bodies->of[index], *opener = &bodies->of[bodies->joint->opener];
    if (body->parked || body->tight || body->in_wall || body->turning || body->mover != opener->mover) return false;
    return !bodies->world.spares || !bodies->world.spares(bodies->world.context, bodies->joint->opener, index, false);
}

/* Adds a cell with its bodies, unless it is closed, or holds a body that does not make room. Returns false if there
 * is no room for more. */
static bool add_cell_of(wend__bodies *bodies, wend_cell cell) {
    enum { IN_CELL = 8 };
    wend__joint *joint = bodies->joint;
    uint32_t there[IN_CELL];
    uint8_t *number = wend__window_cells_find(&joint->numbers, cell);
    if (!number || *number != NO_CELL) return true;
    const wend__body *opener = &bodies->of[joint->opener];
    if (!wend__floor_stands(wend__body_map_floor(bodies, opener), cell)) return true;
    const uint32_t count = wend__bodies_list_cell(bodies, cell, there, IN_CELL);
    const bool enters = !wend__same_cell(cell, wend__cell_at(opener->at));
    if (count > 2 || (enters && !wend__bodies_may_enter(bodies, joint->opener, cell))) return true;
    for (uint32_t k = 0; k < count; k++)
        if (!may_take_part(bodies, there[k])) return true;
    if (joint->cell_count == WEND__LACAM_CELLS || joint->member_count + count > joint->most_members) return false;
    memcpy(joint->members + joint->member_count, there, count * sizeof *there);
    joint->member_count += count;
    *number = (uint8_t)joint->cell_count;
    joint->cells[joint->cell_count++] = cell;
    return true;
}

/* Returns whether neither a wall nor a ledge is between a cell and the next one in a straight direction. */
static bool is_step_open(wend__bodies *bodies, wend_cell cell, unsigned d) {
    wend__body_land *floor = wend__body_map_floor(bodies, &bodies->of[bodies->joint->opener]);
    return !wend__floor_holds_up(floor, cell.x, cell.y, wend__dx[d], wend__dy[d]);
}

/* Returns whether the search has all cells, and all bodies, that the stuck body could ever reach. */
static bool gather_cells(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    wend_cell ahead[SEEDS];
    const wend_cell at = wend__cell_at(bodies->of[joint->opener].at);
    joint->cell_count = joint->member_count = 0;
    wend__window_cells_init(&joint->numbers, at);
    joint->numbers.around_x = bodies->version->around_x, joint->numbers.around_y = bodies->version->around_y;
    add_cell_of(bodies, at);
    const uint32_t count = bodies->world.way(bodies->world.context, joint->opener, 0, ahead, SEEDS);
    for (uint32_t k = 0; k < count; k++) add_cell_of(bodies, ahead[k]);
    for (uint32_t k = 0; k < joint->cell_count; k++) /* the nearest first */
        for (unsigned d = 0; d < WEND__NE; d++) {
            const wend_cell from = joint->cells[k], to = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
            if (is_step_open(bodies, from, d) && !add_cell_of(bodies, wend__body_on_map(bodies, to))) return false;
        }
    wend__body_land *floor = wend__body_map_floor(bodies, &bodies->of[joint->opener]);
    for (uint32_t k = 0; k < joint->cell_count && bodies->sheets; k++) /* the search ends at seams */
        if (wend__floor_is_near_seam(floor, joint->cells[k])) return false;
    return true;
}

/* ---- the question ---- */

static void describe_floor(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    joint->lacam->cell_count = joint->cell_count;
    for (uint32_t k = 0; k < joint->cell_count; k++) {
        const wend_cell at = joint->cells[k];
        wend__lacam_cell *cell = &joint->lacam->cells[k];
        memset(cell, NO_CELL, sizeof *cell);
        cell->steps = 0;
        for (unsigned d = 0; d < WEND__NE; d++) { /* on a diagonal a disc would need both corners */
            cell->neighbours[d] = cell_number(bodies, (wend_cell){at.x + wend__dx[d], at.y + wend__dy[d], 0});
            if (cell->neighbours[d] != NO_CELL && is_step_open(bodies, at, d)) cell->steps |= (uint8_t)(1U << d);
        }
    }
}

/* Returns the cell of a body, or one next to it if another body has that already. */
static uint8_t own_cell(const wend__bodies *bodies, uint32_t index, const bool *taken) {
    const wend__joint *joint = bodies->joint;
    const uint8_t own = cell_number(bodies, wend__cell_at(bodies->of[index].at));
    if (!taken[own]) return own;
    uint8_t found = NO_CELL;
    int64_t least = INT64_MAX;
    for (unsigned d = 0; d < WEND__NE; d++) {
        const uint8_t to = joint->lacam->cells[own].neighbours[d];
        if (!(joint->lacam->cells[own].steps >> d & 1) || taken[to]) continue;
        const wend__vec off = wend__body_off(bodies, bodies->of[index].at, wend__middle_of(joint->cells[to]));
        if (wend__vec_dot(off, off) < least) least = wend__vec_dot(off, off), found = to;
    }
    return found;
}

/* Returns a member's goal: its own if the window has that cell, else the last cell of its way in the window. Member 0
 * is the stuck body. */
static wend__lacam_agent describe(const wend__bodies *bodies, uint32_t member) {
    const wend__joint *joint = bodies->joint;
    const uint32_t index = joint->members[member];
    const wend__body *body = &bodies->of[index];
    wend_cell ahead[AHEAD];
    wend__lacam_agent agent = {.goal = NO_CELL};
    if (body->state == WEND__BODY_STOPS) return agent;
    agent.goal = cell_number(bodies, wend__cell_at(body->goal));
    agent.must = agent.goal != NO_CELL;
    if (agent.must) return agent;
    const uint32_t count = bodies->world.way(bodies->world.context, index, 0, ahead, AHEAD);
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t number = cell_number(bodies, ahead[k]);
        if (number != NO_CELL) agent.goal = number;
    }
    agent.must = agent.goal != NO_CELL && member == 0;
    return agent;
}

/* Returns false if there is nothing to search for. */
static bool begin_search(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    bool wanted[NO_CELL + 1] = {false}, taken[NO_CELL + 1] = {false};
    describe_floor(bodies);
    joint->lacam->agent_count = joint->member_count;
    joint->lacam->no_circles = true;
    for (uint32_t m = 0; m < joint->member_count; m++) {
        wend__lacam_agent agent = describe(bodies, m);
        if (wanted[agent.goal]) agent.goal = NO_CELL, agent.must = false;
        wanted[agent.goal] = agent.must;
        wanted[NO_CELL] = false;
        agent.start = own_cell(bodies, joint->members[m], taken);
        if (agent.start == NO_CELL) return false;
        taken[agent.start] = true;
        joint->lacam->agents[m] = agent;
        joint->plan[0][m] = agent.start;
        joint->made[m] = 0;
    }
    wend__lacam_begin(joint->lacam); /* drops goals that no steps lead to */
    const wend__lacam_agent *first = &joint->lacam->agents[0];
    return first->must && first->start != first->goal;
}

static void release_bodies(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    joint->stage = CLOSED;
    bodies->closed = NULL;
    for (uint32_t m = 0; m < joint->member_count; m++) {
        wend__body *body = &bodies->of[joint->members[m]];
        body->member = 0;
        body->waited = body->meek = body->aim_age = 0;
    }
}

void wend__joint_drop(wend__bodies *bodies) {
    if (bodies->joint->stage != CLOSED) release_bodies(bodies);
    bodies->joint->lacam->searches = 0;
}

static void close_joint(wend__bodies *bodies, bool solved) {
    wend__body *opener = &bodies->of[bodies->joint->opener];
    release_bodies(bodies);
    if (!solved && opener->fails < MOST_FAILS) opener->fails++;
    if (solved) opener->fails = opener->returns = 0, opener->late = 0;
    opener->joint_due = bodies->updates + ((uint32_t)WAITS << opener->fails);
}

void wend__joint_open(wend__bodies *bodies, uint32_t index, bool closed) {
    wend__joint *joint = bodies->joint;
    wend__body *opener = &bodies->of[index];
    if (joint->stage != CLOSED || bodies->updates < opener->joint_due || opener->radius > ONE / 2 || opener->offset > 0)
        return;
    joint->opener = index;
    if (!may_take_part(bodies, index)) return;
    joint->most_members = (uint32_t)wend__least(MEMBERS, FIRST_MEMBERS << opener->fails);
    joint->revision = bodies->version->revision;
    joint->stalled = 0;
    joint->whole = gather_cells(bodies);
    opener->hopeless = 0;
    if (closed && !joint->whole) {
        joint->member_count = 0;
        opener->joint_due = bodies->updates + 4 * WAITS;
        return;
    }
    const bool asks = joint->member_count > 1 && begin_search(bodies);
    for (uint32_t m = 0; m < joint->member_count && asks; m++) {
        wend__body_leave_narrow(bodies, joint->members[m]);
        bodies->of[joint->members[m]].member = (uint8_t)(m + 1);
    }
    joint->stage = SEARCHING;
    bodies->closed = &joint->numbers;
    if (!asks) joint->member_count = 0, close_joint(bodies, false);
}

/* ---- the way of the members ---- */

static void search_on(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    int found = WEND__LACAM_RUNNING;
    for (int32_t k = 0; k < TRIES && found == WEND__LACAM_RUNNING; k++) found = wend__lacam_try(joint->lacam);
    joint->stalled = 0;
    if (found == WEND__LACAM_RUNNING) return;
    joint->steps = found == WEND__LACAM_SOLVED ? wend__lacam_steps(joint->lacam) : STEPS;
    if (joint->steps >= STEPS) {
        bodies->of[joint->opener].hopeless = joint->whole && found == WEND__LACAM_FAILED;
        close_joint(bodies, false);
        return;
    }
    for (uint32_t k = 0; k <= joint->steps; k++)
        memcpy(joint->plan[k], wend__lacam_after(joint->lacam, k), joint->member_count);
    joint->stage = WALKING;
}

void wend__joint_update(wend__bodies *bodies) {
    wend__joint *joint = bodies->joint;
    if (joint->stage == CLOSED) return;
    bool intact = joint->revision == bodies->version->revision && joint->stalled++ < STALLED, there = true;
    for (uint32_t m = 0; m < joint->member_count; m++) {
        const wend__body *body = &bodies->of[joint->members[m]];
        intact = intact && body->state != WEND__BODY_NONE && body->member == m + 1 && !body->parked && !body->in_wall;
        there = there && joint->made[m] == joint->steps;
    }
    if (!intact || (joint->stage == WALKING && there))
        close_joint(bodies, intact);
    else if (joint->stage == SEARCHING)
        search_on(bodies);
}

/* Returns whether a member may make its next step: no other member is in that cell, or must use it first. */
static bool is_its_turn(const wend__joint *joint, uint32_t member) {
    const uint32_t step = joint->made[member];
    const uint8_t to = joint->plan[step + 1][member];
    for (uint32_t m = 0; m < joint->member_count; m++)
        for (uint32_t k = joint->made[m]; m != member && k <= step; k++)
            if (joint->plan[k][m] == to) return false;
    return true;
}

/* Counts the steps that a member has made, and those in which it waits. Returns the cell to which it goes. */
static wend_cell cell_to_go_to(const wend__bodies *bodies, uint32_t member, wend__vec at) {
    wend__joint *joint = bodies->joint;
    for (;;) {
        const uint32_t step = joint->made[member];
        const uint8_t here = joint->plan[step][member];
        if (joint->stage != WALKING || step == joint->steps) return joint->cells[here];
        const uint8_t to = joint->plan[step + 1][member];
        if (to != here) {
            const wend__vec off = wend__body_off(bodies, wend__middle_of(joint->cells[to]), at);
            if (!is_its_turn(joint, member)) return joint->cells[here];
            if (wend__vec_dot(off, off) > THERE * THERE) return joint->cells[to];
        }
        joint->made[member]++;
        joint->stalled = 0;
    }
}

wend__vec wend__joint_velocity(wend__bodies *bodies, uint32_t index, const wend__near_bodies *near) {
    wend__body *body = &bodies->of[index];
    const wend_cell to = cell_to_go_to(bodies, body->member - 1U, body->at);
    const wend__vec off = wend__body_off(bodies, body->at, wend__middle_of(to));
    const int32_t left = wend__length(off);
    body->under_for = 0;
    if (left == 0) return (wend__vec){0, 0};
    body->to = wend__plus(body->at, off);
    body->want = wend__scaled(off, ONE, left);
    body->waited = body->velocity.x || body->velocity.y ? 0 : body->waited + 1;
    if (body->waited > BEFORE) wend__body_press(bodies, index, body->want, near, 0);
    const int32_t stops = (int32_t)wend__root(2 * (uint64_t)body->accel * (uint32_t)left) * 7 / 8;
    return wend__scaled(off, wend__least(wend__least(body->speed, left), wend__most(stops, body->accel)), left);
}
