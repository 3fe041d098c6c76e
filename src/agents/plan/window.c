/* SPDX-License-Identifier: MIT */
/* A window: its agents and cells, its search, and the steps of the solution. */
#include "agents/plan/window.h"

#include "agents/floor/lacam.h"
#include "agents/plan/path.h"
#include "agents/state/bodies.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

#include <string.h>

enum { NO_CELL = WEND__LACAM_NONE, AHEAD = 64, SEEDS_AHEAD = 16, MOST_DENIED = 64, MOST_LATE = 128, WORK_A_TRY = 4 };
enum { LIMITED_WORK = 8192 };
enum { MOST_SLICES = 256 }; ///< most updates of a search: more than it needs, except with little work
enum { FIRST_MEMBERS = 6 }; ///< members of an agent's first window; each failed window doubles them
enum { ROOM = 2 };          ///< most free cells, for each member that there may be

static uint32_t most_members(const wend_crowd_def *def) {
    return def->agents < WEND__LACAM_AGENTS ? def->agents : WEND__LACAM_AGENTS;
}

static size_t head_bytes(void) {
    return (sizeof(wend__window) + 7) & ~(size_t)7;
}

size_t wend__window_bytes(const wend_crowd_def *def) {
    if (def->map->kind != WEND_KIND_GRID || def->agents < 2) return 0;
    return head_bytes() + wend__lacam_bytes(most_members(def));
}

wend__window *wend__window_init(void *memory, const wend_crowd_def *def) {
    if (wend__window_bytes(def) == 0) return NULL;
    wend__window *window = memory;
    *window = (wend__window){.stage = WEND__WINDOW_CLOSED};
    window->lacam = wend__lacam_init((uint8_t *)memory + head_bytes(), most_members(def));
    return window;
}

static uint8_t number_of(const wend__window *window, wend_cell cell) {
    return wend__window_number(&window->numbers, cell);
}

bool wend__window_closes(const wend_crowd *crowd, wend_cell cell) {
    const wend__window *window = crowd->window;
    return window && window->stage != WEND__WINDOW_CLOSED && number_of(window, cell) != NO_CELL;
}

bool wend__window_holds(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return !in_traffic->ghost && wend__window_closes(crowd, in_traffic->at);
}

/* ---- cells and members ---- */

/* Returns how many members an agent's next window may have, of which the crowd has as many as it has room for. */
static uint32_t members_of_next(const wend_crowd *crowd, uint32_t opener) {
    const uint32_t wanted = (uint32_t)FIRST_MEMBERS << crowd->agents[opener].window_backoff;
    return wanted < WEND__LACAM_AGENTS ? wanted : WEND__LACAM_AGENTS;
}

/* Returns whether an agent is a vehicle: it does not step to any side. */
static bool drives(const wend_crowd *crowd, uint32_t index) {
    return crowd->in_traffic[index].body && wend__bodies_is_vehicle(crowd->bodies->engine, index);
}

/* Returns whether the window can move an agent. */
static bool may_join(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    return in_traffic->size == 1 && in_traffic->mover == crowd->window->mover && !in_traffic->steered &&
           !in_traffic->ghost && !in_traffic->parked && !drives(crowd, index) &&
           !wend__traffic_waits_for(crowd->traffic, (int32_t)crowd->window->opener, (int32_t)index);
}

/* Adds a cell, unless the window cannot move the agent that holds it, or has enough of its kind: free ones or held ones. */
static void add_cell(wend_crowd *crowd, wend_cell cell) {
    wend__window *window = crowd->window;
    uint8_t *number = wend__window_cells_find(&window->numbers, cell);
    if (!number || *number != NO_CELL) return;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    if (holder == WEND__NO_AGENT && wend__map_occupants(crowd->def.map, cell) > 0) return;
    if (holder != WEND__NO_AGENT && !may_join(crowd, (uint32_t)holder)) return;
    if (window->cell_count == WEND__LACAM_CELLS) return;
    const uint32_t room = window->cell_count - window->member_count;
    const bool full =
        holder == WEND__NO_AGENT ? room == ROOM * window->most_members : window->member_count == window->most_members;
    if (full) return;
    if (holder != WEND__NO_AGENT) {
        window->serials[window->member_count] = crowd->agents[holder].serial;
        window->members[window->member_count++] = (uint32_t)holder;
    }
    *number = (uint8_t)window->cell_count;
    window->cells[window->cell_count++] = cell;
}

/* Takes the cells where the window begins: the opener's, those of its path, its goal. */
static void add_seeds(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    wend_cell ahead[SEEDS_AHEAD];
    add_cell(crowd, crowd->in_traffic[index].at);
    const uint32_t count = wend__path_next_cells(crowd, index, ahead, SEEDS_AHEAD);
    for (uint32_t k = 0; k < count; k++) add_cell(crowd, ahead[k]);
    add_cell(crowd, agent->goal.kind == WEND__GOAL_NONE ? agent->home : agent->goal.cell);
}

/* Adds cells around the window, the nearest first. Without free ones no disc could move. */
static void add_around(wend_crowd *crowd, const wend__version *view) {
    wend__window *window = crowd->window;
    for (uint32_t k = 0; k < window->cell_count; k++) {
        wend_cell ends[WEND__DIRECTIONS];
        for (uint32_t steps = wend__steps_round(view, window->cells[k], ends); steps; steps &= steps - 1)
            add_cell(crowd, ends[wend__ctz32(steps)]);
    }
}

static void close_window(wend_crowd *crowd, bool solved) {
    wend__window *window = crowd->window;
    wend__agent *opener = wend__agent_touch(crowd, window->opener);
    window->stage = WEND__WINDOW_CLOSED;
    wend__traffic_set_window(crowd->traffic, NULL);
    for (uint32_t k = 0; k < window->member_count; k++) {
        const uint32_t i = window->members[k];
        if (crowd->phase[i] == WEND__PHASE_ASLEEP) crowd->in_traffic[i].ready = 1;
    }
    if (!solved && opener->window_backoff < WEND__MOST_DOUBLINGS) opener->window_backoff++;
    if (!solved) window->due = crowd->counts.updates + window->slices; /* others get as much time as the window took */
    opener->window_due = crowd->counts.updates + ((uint64_t)crowd->tuning.retry_updates << opener->window_backoff);
}

/* Returns whether the window would stop an agent that is on its way to a goal. */
static bool stops_another(const wend_crowd *crowd) {
    const wend__window *window = crowd->window;
    for (uint32_t k = 0; k < window->member_count; k++) {
        const wend__agent *member = &crowd->agents[window->members[k]];
        if (member->goal.kind != WEND__GOAL_NONE && member->stall.stood < crowd->tuning.retry_updates) return true;
    }
    return false;
}

bool wend__window_open(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__window *window = crowd->window;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (!window || window->stage != WEND__WINDOW_CLOSED || crowd->counts.updates < window->due) return false;
    if (crowd->count < 2 || crowd->counts.updates < crowd->agents[index].window_due) return false;
    window->opener = index;
    window->mover = in_traffic->mover;
    if (!may_join(crowd, index)) return false;
    window->denied = window->slices = window->late = window->cell_count = window->member_count = 0;
    window->most_members = members_of_next(crowd, index);
    memset(window->made, 0, sizeof window->made);
    wend__window_cells_on_ground(&window->numbers, crowd->def.map, in_traffic->at, window->cells);
    add_seeds(crowd, index);
    add_around(crowd, wend__version_view(version, in_traffic->mover));
    if (crowd->agents[index].goal.kind == WEND__GOAL_NONE && stops_another(crowd)) {
        wend__agent_touch(crowd, index)->window_due = crowd->counts.updates + crowd->tuning.retry_updates;
        return false;
    }
    for (uint32_t k = 0; k < window->member_count; k++) {
        wend__traffic_agent *member = &crowd->in_traffic[window->members[k]];
        member->next = member->at;
        member->ready = 0;
    }
    window->stage = WEND__WINDOW_GATHERING;
    wend__traffic_set_window(crowd->traffic, &window->numbers);
    if (window->member_count < 2) close_window(crowd, false);
    return window->stage != WEND__WINDOW_CLOSED;
}

/* ---- the question ---- */

/* Members that are discs do not move on a diagonal or in a circle. */
static void describe_cells(const wend_crowd *crowd, const wend__version *view) {
    const wend__window *window = crowd->window;
    wend__lacam *lacam = window->lacam;
    lacam->cell_count = window->cell_count;
    lacam->no_circles = false;
    for (uint32_t k = 0; k < window->member_count; k++) lacam->no_circles |= crowd->in_traffic[window->members[k]].body;
    for (uint32_t k = 0; k < window->cell_count; k++) {
        wend_cell ends[WEND__DIRECTIONS];
        wend__lacam_cell *cell = &lacam->cells[k];
        cell->steps = (uint8_t)wend__steps_round(view, window->cells[k], ends);
        for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
            const bool outside = view->sheets && !wend__on_map(view, ends[d].x, ends[d].y);
            cell->neighbours[d] = outside ? NO_CELL : number_of(window, ends[d]);
            const bool diagonal = d >= WEND__DIRECTIONS / 2;
            if (cell->neighbours[d] == NO_CELL || (diagonal && lacam->no_circles)) cell->steps &= (uint8_t) ~(1u << d);
        }
    }
}

/* Returns the last cell of the window on an agent's path before it leaves; NO_CELL: none. */
static uint8_t find_exit(wend_crowd *crowd, uint32_t index) {
    wend_cell ahead[AHEAD];
    uint8_t last = NO_CELL;
    const uint32_t count = wend__path_next_cells(crowd, index, ahead, AHEAD);
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t number = number_of(crowd->window, ahead[k]);
        if (number != NO_CELL) last = number;
    }
    return last;
}

/* Describes a member's goal: its own if the window contains it, else its exit along its path. */
static wend__lacam_agent describe_member(wend_crowd *crowd, uint32_t index) {
    const wend__agent *agent = &crowd->agents[index];
    const wend__window *window = crowd->window;
    wend__lacam_agent member = {.start = number_of(window, crowd->in_traffic[index].at), .goal = NO_CELL};
    if (agent->goal.kind == WEND__GOAL_NONE) {
        member.goal = number_of(window, agent->home);
        member.must = agent->keeps_goal;
    } else if (agent->goal.kind == WEND__GOAL_CELL) {
        member.goal = number_of(window, agent->goal.cell);
        member.must = agent->goal.reach == 0;
    }
    if (member.goal != NO_CELL) return member;
    member.goal = find_exit(crowd, index);
    member.must = member.goal != NO_CELL && index == window->opener;
    return member;
}

/* Runs LaCAM for steps. Returns false if the opener has no goal in the window, or is on it. */
static bool ask(wend_crowd *crowd, const wend__version *version) {
    wend__window *window = crowd->window;
    wend__lacam *lacam = window->lacam;
    bool wanted[WEND__LACAM_CELLS + 1] = {false};
    describe_cells(crowd, wend__version_view(version, window->mover));
    lacam->agent_count = window->member_count;
    for (uint32_t k = 0; k < window->member_count; k++) {
        wend__lacam_agent member = describe_member(crowd, window->members[k]);
        if (member.must && wanted[member.goal]) member.must = false;
        if (!member.must && wanted[member.goal]) member.goal = NO_CELL;
        wanted[member.goal] |= member.must;
        lacam->agents[k] = member;
    }
    wend__lacam_begin(lacam);
    window->revision = version->revision;
    return lacam->agents[0].must && lacam->agents[0].start != lacam->agents[0].goal;
}

bool wend__window_repeat(wend_crowd *crowd, const wend__version *version, uint32_t searches, uint32_t tries) {
    wend__window *window = crowd->window;
    wend__lacam *lacam = window->lacam;
    int found = WEND__LACAM_RUNNING;
    describe_cells(crowd, wend__version_view(version, window->mover));
    lacam->searches = searches - 1;
    wend__lacam_begin(lacam);
    for (uint32_t k = 0; k < tries && found == WEND__LACAM_RUNNING; k++) found = wend__lacam_try(lacam);
    return found == (window->stage == WEND__WINDOW_WALKING ? WEND__LACAM_SOLVED : WEND__LACAM_RUNNING);
}

/* ---- stages ---- */

/* Returns whether all members are there still, and may be moved. */
static bool is_intact(const wend_crowd *crowd) {
    const wend__window *window = crowd->window;
    for (uint32_t k = 0; k < window->member_count; k++) {
        const uint32_t i = window->members[k];
        if (crowd->phase[i] < WEND__PHASE_ASLEEP || crowd->agents[i].serial != window->serials[k]) return false;
        if (!may_join(crowd, i) || number_of(window, crowd->in_traffic[i].at) == NO_CELL) return false;
    }
    return true;
}

/* Returns whether a member is at rest, and has time left in this update. */
static bool is_at_rest(const wend_crowd *crowd, uint32_t member) {
    const uint32_t i = crowd->window->members[member];
    return crowd->phase[i] == WEND__PHASE_ASLEEP || crowd->remaining[i] < 0;
}

static bool are_at_rest(const wend_crowd *crowd) {
    for (uint32_t k = 0; k < crowd->window->member_count; k++)
        if (!is_at_rest(crowd, k)) return false;
    return true;
}

/* Counts work, not time: within limits a search takes more updates, as the tries of one update may take ms. */
static void search(wend_crowd *crowd, bool limited) {
    wend__window *window = crowd->window;
    const uint32_t each = WORK_A_TRY * window->member_count;
    uint32_t spent = 0;
    int found;
    do {
        found = wend__lacam_try(window->lacam);
        wend__work_spend(&crowd->work, each);
        spent += each;
    } while (found == WEND__LACAM_RUNNING && crowd->work.left > crowd->work.kept &&
             !(limited && spent >= LIMITED_WORK));
    if (found == WEND__LACAM_SOLVED) window->stage = WEND__WINDOW_WALKING;
    const bool ends = found == WEND__LACAM_RUNNING && ++window->slices == MOST_SLICES;
    if (found == WEND__LACAM_FAILED || ends) close_window(crowd, false);
}

/// The next move of a member: to another cell, in a step of the solution.
typedef struct move {
    uint32_t step; ///< UINT32_MAX: it stays where it is
    uint8_t from, to;
} move;

/* Finds the next moves of all members behind the steps that each has made. */
static void find_moves(const wend_crowd *crowd, move *moves) {
    const wend__window *window = crowd->window;
    for (uint32_t k = 0; k < window->member_count; k++) {
        const uint8_t from = wend__lacam_after(window->lacam, window->made[k])[k];
        moves[k] = (move){UINT32_MAX, from, from};
    }
    for (uint32_t step = wend__lacam_steps(window->lacam); step > 0; step--) {
        const uint8_t *cells = wend__lacam_after(window->lacam, step);
        for (uint32_t k = 0; k < window->member_count; k++)
            if (step > window->made[k] && cells[k] != moves[k].from) moves[k].step = step, moves[k].to = cells[k];
    }
}

/* Returns whether all members are where the steps that they have made lead, apart from those that took the last one
 * back. */
static bool are_on_way(wend_crowd *crowd) {
    wend__window *window = crowd->window;
    for (uint32_t k = 0; k < window->member_count; k++) {
        const uint8_t at = number_of(window, crowd->in_traffic[window->members[k]].at);
        uint32_t *made = &window->made[k];
        if (at == wend__lacam_after(window->lacam, *made)[k]) continue;
        if (*made == 0 || at != wend__lacam_after(window->lacam, *made - 1)[k]) return false;
        --*made;
    }
    return true;
}

/* Finds which members may move now: all that come to their next cell before them in the solution have left it, or leave
 * it by their next move (Hönig, Kiesel, Tinka, Durham, Ayanian 2019). */
static void find_next(const wend__window *window, const move *moves, bool *may_move) {
    uint8_t first[WEND__LACAM_CELLS + 1]; /* the member that moves to a cell before all others */
    memset(first, NO_CELL, sizeof first);
    for (uint32_t k = 0; k < window->member_count; k++) {
        may_move[k] = moves[k].step != UINT32_MAX;
        if (!may_move[k]) continue;
        uint8_t *of = &first[moves[k].to];
        if (*of != NO_CELL && moves[*of].step < moves[k].step) {
            may_move[k] = false;
            continue;
        }
        if (*of != NO_CELL) may_move[*of] = false;
        *of = (uint8_t)k;
    }
    for (uint32_t step = wend__lacam_steps(window->lacam); step > 0; step--) {
        const uint8_t *cells = wend__lacam_after(window->lacam, step - 1);
        for (uint32_t k = 0; k < window->member_count; k++) {
            const uint8_t next = first[cells[k]];
            if (next == NO_CELL || next == k || step - 1 < window->made[k] || step > moves[next].step) continue;
            if (step - 1 >= moves[k].step || cells[k] != moves[k].from) may_move[next] = false;
        }
    }
}

/* Returns whether all members have made their last step; *rest: all are at rest. */
static bool have_arrived(const wend_crowd *crowd, const move *moves, bool *rest) {
    bool arrived = true;
    *rest = true;
    for (uint32_t k = 0; k < crowd->window->member_count; k++) {
        *rest = *rest && is_at_rest(crowd, k);
        arrived = arrived && moves[k].step == UINT32_MAX;
    }
    return arrived && *rest;
}

/* Returns whether the members have stood for long, or a body has been in a step for long. */
static bool is_stuck(const wend_crowd *crowd, bool rest) {
    wend__window *window = crowd->window;
    if (rest) return window->denied++ == MOST_DENIED;
    return crowd->body_count > 0 && window->late++ == MOST_LATE;
}

/* Plans the moves that the members at rest may make now. */
static void walk(wend_crowd *crowd) {
    wend__window *window = crowd->window;
    move moves[WEND__LACAM_AGENTS];
    bool may_move[WEND__LACAM_AGENTS], rest = true;
    const bool known = are_on_way(crowd);
    if (known) find_moves(crowd, moves);
    const bool solved = known && have_arrived(crowd, moves, &rest);
    if (!known || solved || is_stuck(crowd, rest)) {
        close_window(crowd, solved);
        return;
    }
    find_next(window, moves, may_move);
    uint32_t count = 0;
    for (uint32_t k = 0; k < window->member_count; k++) {
        wend__traffic_agent *member = &crowd->in_traffic[window->members[k]];
        member->next = member->at;
        window->next[k] = moves[k].step;
        if (!may_move[k] || !is_at_rest(crowd, k)) continue;
        member->next = window->cells[moves[k].to];
        window->planned[count++] = window->members[k];
    }
    wend__traffic_plan(crowd->traffic, window->planned, count);
}

void wend__window_note_steps(wend_crowd *crowd) {
    wend__window *window = crowd->window;
    if (!window || window->stage != WEND__WINDOW_WALKING) return;
    for (uint32_t k = 0; k < window->member_count; k++) {
        const uint32_t i = window->members[k];
        if (!crowd->in_traffic[i].moved) continue;
        window->made[k] = window->next[k];
        /* A step that was taken back leads there again: a disc that holds it up would keep the window open for ever. */
        if (!wend__same_cell(crowd->in_traffic[i].at, crowd->agents[i].left_cell)) window->denied = window->late = 0;
    }
}

void wend__window_update(wend_crowd *crowd, const wend__version *version, bool limited) {
    wend__window *window = crowd->window;
    if (!window || window->stage == WEND__WINDOW_CLOSED) return;
    if (!is_intact(crowd) || (window->stage != WEND__WINDOW_GATHERING && window->revision != version->revision)) {
        close_window(crowd, false);
        return;
    }
    if (window->stage == WEND__WINDOW_WALKING) {
        walk(crowd);
        return;
    }
    if (!are_at_rest(crowd)) {
        if (crowd->body_count > 0 && window->late++ == MOST_LATE) close_window(crowd, false);
        return;
    }
    window->late = 0;
    if (window->stage == WEND__WINDOW_GATHERING) {
        window->stage = WEND__WINDOW_SEARCHING;
        if (!ask(crowd, version)) close_window(crowd, false);
    }
    if (window->stage == WEND__WINDOW_SEARCHING) search(crowd, limited);
    if (window->stage == WEND__WINDOW_WALKING) walk(crowd);
}
