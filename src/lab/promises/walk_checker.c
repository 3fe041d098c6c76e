/* SPDX-License-Identifier: MIT */
/* Checks agents that walk: cells held, steps, and the lines along which agents glide. */
#include "lab/promises/walk_checker.h"

#include <inttypes.h>
#include <stdlib.h>

/* An agent as the checker knows it. Its step is under way until it is where it leads. */
typedef struct known {
    wend_cell cell, from; /* from: where its last step began */
    wend_point point;
    wend_cell goal;
    uint32_t speed;
    uint32_t still, most_still; /* frames that it has held its cell with a wish; the most of them */
    uint64_t way;
    bool seen, wishing, under_way;
} known;

struct walk_checker {
    const terrain_copy *land;
    promises *ledger;
    known *agents;
    uint32_t count;
    uint32_t *holders;  /* of each cell: who holds it, plus 1 */
    uint8_t *diagonals; /* of each cell: diagonals under way in the square of it and those right and down of it, */
                        /* 1: from its corner to the opposite one, 2: the other one; either direction */
    uint64_t frame, steps;
};

uint64_t walk_checker_way(const walk_checker *watch, uint32_t agent) {
    return watch->agents[agent].way;
}

uint64_t walk_checker_stuck(const walk_checker *watch, uint32_t agent) {
    return watch->agents[agent].most_still;
}

uint64_t walk_checker_steps(const walk_checker *watch) {
    return watch->steps;
}

/* ---- life ---- */

walk_checker *walk_checker_create(const terrain_copy *land, uint32_t agents, promises *ledger) {
    walk_checker *watch = calloc(1, sizeof *watch);
    if (watch == NULL) return NULL;
    watch->land = land;
    watch->ledger = ledger;
    watch->count = agents;
    watch->frame = 1;
    watch->agents = calloc(agents, sizeof *watch->agents);
    watch->holders = calloc((size_t)land->cells, sizeof *watch->holders);
    watch->diagonals = calloc((size_t)land->cells, sizeof *watch->diagonals);
    if (watch->agents != NULL && watch->holders != NULL && watch->diagonals != NULL) return watch;
    walk_checker_free(watch);
    return NULL;
}

void walk_checker_free(walk_checker *watch) {
    if (watch == NULL) return;
    free(watch->agents);
    free(watch->holders);
    free(watch->diagonals);
    free(watch);
}

static wend_point middle_of(wend_cell cell) {
    return (wend_point){cell.x * 1000, cell.y * 1000, cell.z * 1000};
}

void walk_checker_added(walk_checker *watch, uint32_t agent, wend_cell cell, uint32_t speed_milli) {
    watch->agents[agent] =
        (known){.cell = cell, .from = cell, .point = middle_of(cell), .speed = speed_milli, .seen = true};
    const uint32_t at = terrain_index(watch->land, cell);
    EXPECT(watch, WALK_overlap, watch->holders[at] == 0, "agents %" PRIu32 " and %" PRIu32 " begin on %d,%d", agent,
           watch->holders[at] - 1, (int)cell.x, (int)cell.y);
    watch->holders[at] = agent + 1;
}

/* ---- wishes ---- */

static bool same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void walk_checker_wished(walk_checker *watch, uint32_t agent, wend_cell goal) {
    known *who = &watch->agents[agent];
    who->wishing = true;
    who->goal = goal;
    who->way = who->still = who->most_still = 0;
}

void walk_checker_heard(walk_checker *watch, uint32_t agent, int32_t event, wend_cell cell) {
    known *who = &watch->agents[agent];
    if (event == WEND_AGENT_EVENT_REROUTED) return;
    EXPECT(watch, WALK_endings, who->wishing, "agent %" PRIu32 " has no wish, and it %s", agent,
           wend_agent_event_name(event));
    EXPECT(watch, WALK_endings, event != WEND_AGENT_EVENT_REPLACED, "agent %" PRIu32 " has no other wish", agent);
    EXPECT(watch, WALK_endings, event != WEND_AGENT_EVENT_ARRIVED || same(cell, who->goal),
           "agent %" PRIu32 " has arrived on %d,%d instead of %d,%d", agent, (int)cell.x, (int)cell.y, (int)who->goal.x,
           (int)who->goal.y);
    who->wishing = false;
}

/* ---- a frame ---- */

static bool is_diagonal(const known *who) {
    return who->under_way && who->cell.x != who->from.x && who->cell.y != who->from.y;
}

/* The corner of the square that a diagonal step crosses, and which of its two diagonals. */
static uint8_t *square_of(walk_checker *watch, const known *who, uint8_t *which) {
    const int32_t x = who->cell.x < who->from.x ? who->cell.x : who->from.x;
    const int32_t y = who->cell.y < who->from.y ? who->cell.y : who->from.y;
    *which = (who->cell.x < who->from.x) == (who->cell.y < who->from.y) ? 1 : 2;
    return &watch->diagonals[terrain_index(watch->land, (wend_cell){x, y, 0})];
}

/* A step to another cell began in this frame. */
static void check_step(walk_checker *watch, uint32_t agent, wend_cell cell) {
    known *who = &watch->agents[agent];
    const int64_t dx = (int64_t)cell.x - who->cell.x, dy = (int64_t)cell.y - who->cell.y;
    const bool near = dx >= -1 && dx <= 1 && dy >= -1 && dy <= 1 && cell.z == 0;
    const uint64_t cost = near ? terrain_step(watch->land, who->cell, (int32_t)dx, (int32_t)dy) : 0;
    EXPECT(watch, WALK_legal_steps, cost > 0, "agent %" PRIu32 " goes from %d,%d to %d,%d", agent, (int)who->cell.x,
           (int)who->cell.y, (int)cell.x, (int)cell.y);
    watch->steps++;
    who->way += cost;
    who->from = who->cell;
    who->cell = cell;
    who->still = 0;
    who->under_way = true;
}

static int32_t gap(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

/* A step takes as long as its cost says; diagonals are no faster along an axis than straight steps. Where one step ends
 * and another begins within a frame, the agent turns. */
static void check_gliding(walk_checker *watch, uint32_t agent, wend_point point) {
    known *who = &watch->agents[agent];
    const wend_point a = middle_of(who->from), b = middle_of(who->cell);
    const int32_t moved_x = gap(point.x, who->point.x), moved_y = gap(point.y, who->point.y);
    const int64_t most = (int64_t)who->speed + 1;
    const bool between = gap(point.x, a.x) + gap(point.x, b.x) <= gap(a.x, b.x) &&
                         gap(point.y, a.y) + gap(point.y, b.y) <= gap(a.y, b.y);
    const bool straight = a.x == b.x || a.y == b.y || gap(gap(point.x, a.x), gap(point.y, a.y)) <= 1;
    EXPECT(watch, WALK_gliding, between && straight, "agent %" PRIu32 " is at %d,%d on its way from %d,%d to %d,%d",
           agent, (int)point.x, (int)point.y, (int)who->from.x, (int)who->from.y, (int)who->cell.x, (int)who->cell.y);
    EXPECT(watch, WALK_gliding, moved_x <= most && moved_y <= most, "agent %" PRIu32 " moved by %d,%d", agent,
           (int)moved_x, (int)moved_y);
    who->point = point;
    who->under_way = point.x != b.x || point.y != b.y;
}

void walk_checker_saw(walk_checker *watch, uint32_t agent, wend_cell cell, wend_point point) {
    known *who = &watch->agents[agent];
    const bool on_map = terrain_on_map(watch->land, cell.x, cell.y);
    EXPECT(watch, WALK_legal_steps, on_map, "agent %" PRIu32 " is off the map", agent);
    if (!on_map) return;
    uint32_t *holder = &watch->holders[terrain_index(watch->land, who->cell)];
    if (*holder == agent + 1) *holder = 0; /* frame_ends() puts all back */
    if (!same(who->cell, cell))
        check_step(watch, agent, cell);
    else if (who->wishing && !same(cell, who->goal))
        who->still++;
    if (who->still > who->most_still) who->most_still = who->still;
    check_gliding(watch, agent, point);
}

/* Two pass each other where each is on its way to the cell that the other one left. */
static void check_pair(walk_checker *watch, uint32_t agent) {
    const known *who = &watch->agents[agent];
    const uint32_t other = watch->holders[terrain_index(watch->land, who->from)];
    if (other == 0 || other - 1 == agent) return;
    const known *met = &watch->agents[other - 1];
    EXPECT(watch, WALK_swaps, !met->under_way || !same(met->from, who->cell),
           "agents %" PRIu32 " and %" PRIu32 " change places at %d,%d and %d,%d", agent, other - 1, (int)who->cell.x,
           (int)who->cell.y, (int)who->from.x, (int)who->from.y);
}

static void check_diagonals(walk_checker *watch) {
    uint8_t which;
    for (uint32_t i = 0; i < watch->count; i++)
        if (is_diagonal(&watch->agents[i])) {
            uint8_t *square = square_of(watch, &watch->agents[i], &which);
            *square |= which;
            EXPECT(watch, WALK_crossings, *square != 3, "agent %" PRIu32 " crosses another between %d,%d and %d,%d", i,
                   (int)watch->agents[i].from.x, (int)watch->agents[i].from.y, (int)watch->agents[i].cell.x,
                   (int)watch->agents[i].cell.y);
        }
    for (uint32_t i = 0; i < watch->count; i++)
        if (is_diagonal(&watch->agents[i])) *square_of(watch, &watch->agents[i], &which) = 0;
}

void walk_checker_frame_ends(walk_checker *watch, uint64_t allocations) {
    for (uint32_t i = 0; i < watch->count; i++) {
        if (!watch->agents[i].seen) continue;
        const wend_cell cell = watch->agents[i].cell;
        uint32_t *holder = &watch->holders[terrain_index(watch->land, cell)];
        EXPECT(watch, WALK_overlap, *holder == 0 || *holder == i + 1, "agents %" PRIu32 " and %" PRIu32 " hold %d,%d",
               i, *holder - 1, (int)cell.x, (int)cell.y);
        *holder = i + 1;
    }
    for (uint32_t i = 0; i < watch->count; i++)
        if (watch->agents[i].under_way) check_pair(watch, i);
    check_diagonals(watch);
    EXPECT(watch, WALK_memory, allocations == 0, "%" PRIu64 " allocations since creation", allocations);
    watch->frame++;
}

void walk_checker_finish(walk_checker *watch, uint64_t unfinished) {
    EXPECT(watch, WALK_endings, unfinished == 0, "%" PRIu64 " wishes have no end", unfinished);
}
