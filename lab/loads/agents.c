/* SPDX-License-Identifier: MIT */
/* The agents of `wend stress`. Each has its own random numbers, so its next request depends on its own answers, not
   on the order of other agents' answers. */
#include <stdlib.h>

#include "shared/random.h"
#include "loads/agents.h"
#include <wend/search_options.h>

enum { SLOTS = 128, TRIES = 64, STROLL = 32, GOAL_STEPS = 4, URGENT_EACH = 100 };

typedef struct agent_state {
    wend_cell at, goal;
    wend_cell home; /* its first cell */
    wend_ticket ticket;
    uint64_t random;
    uint32_t next;     /* next agent due in the same frame */
    uint32_t position; /* index in `pending` */
    int16_t urgency;
    bool pending, cancelled;
} agent_state;

struct agents {
    agents_def def;
    agent_state *list;
    uint32_t *pending; /* agents with a pending request, in no order */
    uint32_t pending_count;
    uint32_t first_due[SLOTS], last_due[SLOTS]; /* lists by frame modulo SLOTS, in order of insertion */
    uint32_t *on_cell;                          /* number of agents on each cell; NULL where not tracked */
    wend_cell shared_goal;
    uint64_t random;
    uint32_t next[2]; /* the agent that agents_next_free() tries next: of the urgent ones, of the others */
};

bool agents_is_urgent(uint32_t agent) {
    return agent % URGENT_EACH == 0;
}

/* One agent in ten takes what is left of a path where the map has changed (on_stale). */
static bool takes_what_is_left(uint32_t agent) {
    return agent % 10 == 5;
}

int32_t agents_urgency(const agents *all, uint32_t agent) {
    return all->list[agent].urgency;
}

/* ---- when ---- */

static void put_due(agents *all, uint32_t agent, uint64_t frame) {
    uint32_t slot = (uint32_t)(frame % SLOTS);
    all->list[agent].next = AGENTS_NONE;
    if (all->first_due[slot] == AGENTS_NONE)
        all->first_due[slot] = agent;
    else
        all->list[all->last_due[slot]].next = agent;
    all->last_due[slot] = agent;
}

/* Returns the next frame of an agent's request after an answer in `frame`. Beats are frames 1, 1 + beat, 1 + 2 ×
 * beat … */
static uint64_t next_asking(agents *all, uint32_t agent, uint64_t frame) {
    const stress_scenario *scenario = all->def.scenario;
    if (scenario->beat != 0) return frame + scenario->beat - (frame - 1) % scenario->beat;
    if (scenario->urgent_wait != 0 && agents_is_urgent(agent)) return frame + scenario->urgent_wait;
    return frame +
           (uint64_t)random_between(&all->list[agent].random, (int32_t)scenario->wait_min, (int32_t)scenario->wait_max);
}

uint32_t agents_take_due(agents *all, uint64_t frame) {
    uint32_t first = all->first_due[frame % SLOTS];
    all->first_due[frame % SLOTS] = AGENTS_NONE;
    return first;
}

uint32_t agents_next_due(const agents *all, uint32_t agent) {
    return all->list[agent].next;
}

/* ---- where ---- */

wend_cell agents_random_cell(const terrain_copy *land, uint64_t *random) {
    wend_cell cell = {random_between(random, 0, land->width - 1), random_between(random, 0, land->height - 1), 0};
    if (land->depth > 1) cell.z = random_between(random, 0, land->depth - 1);
    return cell;
}

/* The parts are those of the map as it was read: edits are restored soon. */
static uint32_t part_of(const terrain_copy *land, wend_cell cell) {
    return land->home.labels[terrain_index(land, cell)];
}

static bool is_open(const terrain_copy *land, wend_cell cell) {
    return terrain_factor(land, cell) != 0;
}

/* Where few cells are open, the last random cell is followed by a scan for the next open one. */
static wend_cell random_open_cell(const terrain_copy *land, uint64_t *random) {
    wend_cell cell = agents_random_cell(land, random);
    for (int i = 0; i < TRIES && part_of(land, cell) == 0; i++) cell = agents_random_cell(land, random);
    uint64_t index = terrain_index(land, cell);
    while (land->factors[index] == 0) index = (index + 1) % land->cells;
    return terrain_cell(land, (uint32_t)index);
}

/* Goes one of the ways out of a node, or stays. */
static wend_cell step_of_graph(const terrain_copy *land, wend_cell from, uint64_t *random) {
    const terrain_next *nexts;
    const size_t count = terrain_steps(land, terrain_index(land, from), false, &nexts);
    return count > 0 ? terrain_cell(land, nexts[random_below(random, count)].place) : from;
}

/* Random steps: they always lead to a cell that can be reached. */
static wend_cell few_steps(const terrain_copy *land, wend_cell from, uint64_t *random, int count) {
    for (int i = 0; i < count; i++) {
        if (land->kind == WEND_KIND_GRAPH) {
            from = step_of_graph(land, from, random);
            continue;
        }
        wend_cell to = {from.x + random_between(random, -1, 1), from.y, from.z};
        to.y += random_between(random, -1, 1);
        if (land->depth > 1) to.z += random_between(random, -1, 1);
        if (terrain_step(land, from, to) != 0) from = to;
    }
    return from;
}

static wend_cell stroll(const terrain_copy *land, wend_cell from, uint64_t *random) {
    return few_steps(land, from, random, STROLL);
}

wend_cell agents_near_cell(const terrain_copy *land, wend_cell from, int32_t reach, uint64_t *random) {
    if (land->kind == WEND_KIND_GRAPH) return few_steps(land, from, random, reach);
    wend_cell cell = from;
    cell.x += random_between(random, -reach, reach);
    cell.y += random_between(random, -reach, reach);
    if (land->depth > 1) cell.z += random_between(random, -reach, reach);
    return cell;
}

/* A goal in the same part; on a map with one-way steps it may be out of reach all the same. */
static wend_cell reachable_goal(const terrain_copy *land, wend_cell from, bool far, uint64_t *random) {
    uint32_t part = part_of(land, from);
    int32_t reach = random_between(random, 4, AGENTS_NEAR);
    for (int i = 0; i < TRIES && part != 0; i++) { /* part 0: the agent is where a wall was */
        const wend_cell goal = far ? agents_random_cell(land, random) : agents_near_cell(land, from, reach, random);
        if (is_open(land, goal) && part_of(land, goal) == part) return goal;
    }
    return stroll(land, from, random);
}

bool agents_unreachable_exists(const terrain_copy *land) {
    return land->home.count > 1 || land->blocked > 0;
}

/* A cell of another part; a blocked cell where there is only one part. */
static wend_cell unreachable_goal(const terrain_copy *land, wend_cell from, uint64_t *random) {
    uint32_t part = part_of(land, from);
    for (int i = 0; i < TRIES && land->home.count > 1; i++) {
        wend_cell goal = agents_random_cell(land, random);
        if (part_of(land, goal) != 0 && part_of(land, goal) != part) return goal;
    }
    if (land->home.count > 1) return terrain_cell(land, land->home.first[part == 1 ? 1 : 0]);
    for (int i = 0; i < TRIES; i++) {
        wend_cell goal = agents_random_cell(land, random);
        if (part_of(land, goal) == 0 && terrain_exists(land, terrain_index(land, goal))) return goal;
    }
    return terrain_cell(land, land->blocked_cell);
}

static void move_to(agents *all, agent_state *who, wend_cell cell) {
    if (all->on_cell) {
        all->on_cell[terrain_index(all->def.land, who->at)]--;
        all->on_cell[terrain_index(all->def.land, cell)]++;
    }
    who->at = cell;
}

/* An agent on the shared goal would ask for a path to its own cell: it starts from home again. */
static void go_home(agents *all, agent_state *who) {
    bool arrived = terrain_index(all->def.land, who->at) == terrain_index(all->def.land, all->shared_goal);
    if (all->def.same_goal_percent > 0 && arrived && is_open(all->def.land, who->home)) move_to(all, who, who->home);
}

void agents_fill_request(agents *all, uint32_t agent, wend_request *request, wend_search_options *options) {
    agent_state *who = &all->list[agent];
    const terrain_copy *land = all->def.land;
    uint64_t *random = &who->random;
    go_home(all, who);
    bool unreachable = random_below(random, 100) < all->def.unreachable_percent;
    bool together = random_below(random, 100) < all->def.same_goal_percent;
    bool far = random_below(random, 100) < all->def.scenario->far_percent;
    if (unreachable)
        who->goal = unreachable_goal(land, who->at, random);
    else if (together && part_of(land, who->at) == part_of(land, all->shared_goal))
        who->goal = all->shared_goal;
    else
        who->goal = reachable_goal(land, who->at, far, random);
    request->start = who->at;
    request->goal = who->goal;
    request->urgency = who->urgency;
    options->on_stale = takes_what_is_left(agent) ? WEND_ON_STALE_DELIVER : WEND_ON_STALE_RESTART;
}

/* ---- answers ---- */

bool agents_on(const agents *all, uint32_t cell) {
    return all->on_cell != NULL && all->on_cell[cell] > 0;
}

void agents_accepted(agents *all, uint32_t agent, wend_ticket ticket) {
    agent_state *who = &all->list[agent];
    who->ticket = ticket;
    who->pending = true;
    who->cancelled = false;
    who->position = all->pending_count;
    all->pending[all->pending_count++] = agent;
}

/* In some scenarios it is not an agent's last answer that decides when it requests again. */
static bool asks_after_answer(const agents *all) {
    return all->def.scenario->click_frames == 0 && all->def.scenario->times_served == 0;
}

void agents_refused(agents *all, uint32_t agent, uint64_t frame) {
    if (asks_after_answer(all)) put_due(all, agent, frame + 1);
}

void agents_answered(agents *all, uint32_t agent, uint64_t frame, const wend_completion *completion) {
    agent_state *who = &all->list[agent];
    uint32_t moved = all->pending[--all->pending_count];
    all->pending[who->position] = moved;
    all->list[moved].position = who->position;
    who->pending = false;
    if (completion->cell_count > 0 && completion->cells) {
        wend_cell end = completion->cells[completion->cell_count - 1];
        /* A broken service may send the agent anywhere; its next start must be open. */
        if (is_open(all->def.land, end)) move_to(all, who, end);
        if (all->def.scenario->click_frames > 0) move_to(all, &all->list[agents_other_hand(agent)], who->at);
    }
    if (asks_after_answer(all)) put_due(all, agent, next_asking(all, agent, frame));
}

uint32_t agents_pick_to_cancel(agents *all, wend_ticket *ticket) {
    for (int i = 0; i < TRIES && all->pending_count > 0; i++) {
        uint32_t picked = all->pending[random_below(&all->random, all->pending_count)];
        if (all->list[picked].cancelled) continue;
        all->list[picked].cancelled = true;
        *ticket = all->list[picked].ticket;
        return picked;
    }
    return AGENTS_NONE;
}

uint32_t agents_pending_count(const agents *all) {
    return all->pending_count;
}

uint32_t agents_pending_at(const agents *all, uint32_t index) {
    return all->pending[index];
}

bool agents_is_pending(const agents *all, uint32_t agent) {
    return all->list[agent].pending;
}

bool agents_cancel(agents *all, uint32_t agent, wend_ticket *ticket) {
    agent_state *who = &all->list[agent];
    if (!who->pending || who->cancelled) return false;
    who->cancelled = true;
    *ticket = who->ticket;
    return true;
}

/* ---- scenarios ---- */

uint32_t agents_next_free(agents *all, bool urgent) {
    for (uint32_t i = 0; i < all->def.count; i++) {
        const uint32_t agent = all->next[urgent ? 0 : 1];
        const uint64_t next = (uint64_t)agent + (urgent ? URGENT_EACH : 1);
        all->next[urgent ? 0 : 1] = next < all->def.count ? (uint32_t)next : 0;
        if (agents_is_urgent(agent) == urgent && !all->list[agent].pending) return agent;
    }
    return AGENTS_NONE;
}

void agents_ask_in(agents *all, uint32_t agent, uint64_t frame) {
    put_due(all, agent, frame);
}

uint32_t agents_other_hand(uint32_t agent) {
    return agent ^ 1;
}

bool agents_move_goal(agents *all, uint32_t agent, wend_ticket *ticket, wend_cell *goal) {
    agent_state *who = &all->list[agent];
    if (!who->pending || who->cancelled) return false;
    who->goal = few_steps(all->def.land, who->goal, &who->random, GOAL_STEPS);
    *ticket = who->ticket, *goal = who->goal;
    return true;
}

wend_cell agents_shared_goal(const agents *all) {
    return all->shared_goal;
}

/* ---- life ---- */

static void settle(agents *all, uint32_t agent) {
    agent_state *who = &all->list[agent];
    const stress_scenario *scenario = all->def.scenario;
    uint64_t seed = all->def.seed ^ (uint64_t)agent << 32;
    who->random = wend__random(&seed);
    who->at = who->home = random_open_cell(all->def.land, &who->random);
    if (all->on_cell) all->on_cell[terrain_index(all->def.land, who->at)]++;
    who->urgency = (int16_t)(agents_is_urgent(agent) ? random_between(&who->random, 901, 1000)
                                                     : random_between(&who->random, -100, 100));
    if (scenario->times_served > 0) return;
    if (scenario->click_frames > 0 && agent % 2 != 0) { /* the second hand of a player stands where the first does */
        move_to(all, who, all->list[agents_other_hand(agent)].at);
        return;
    }
    uint64_t spread = scenario->click_frames > 0 ? scenario->click_frames
                      : scenario->beat != 0      ? 1
                                                 : scenario->wait_max;
    if (spread > all->def.frames) spread = all->def.frames;
    put_due(all, agent, 1 + random_below(&who->random, spread));
}

agents *agents_create(const agents_def *def) {
    agents *all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->def = *def;
    all->list = calloc(def->count, sizeof *all->list);
    all->pending = calloc(def->count, sizeof *all->pending);
    if (def->track_cells) all->on_cell = calloc((size_t)def->land->cells, sizeof *all->on_cell);
    if (!all->list || !all->pending || (def->track_cells && !all->on_cell)) {
        agents_free(all);
        return NULL;
    }
    for (int i = 0; i < SLOTS; i++) all->first_due[i] = AGENTS_NONE;
    all->random = ~def->seed;
    all->shared_goal = random_open_cell(def->land, &all->random);
    for (uint32_t i = 0; i < def->count; i++) settle(all, i);
    return all;
}

void agents_free(agents *all) {
    if (!all) return;
    free(all->list);
    free(all->pending);
    free(all->on_cell);
    free(all);
}
