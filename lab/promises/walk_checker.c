/* SPDX-License-Identifier: MIT */
/* Checks agents that walk: cells held, steps, and the lines along which agents glide. */
#include "promises/walk_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <wend/agents.h>

enum { NEAR = 3, LONE_WALKS = 3, PATIENCE = 400 };

/* An agent in the checker's state. Its step is under way until it arrives. */
typedef struct known {
    wend_cell cell, from; /* from: where its last step began */
    wend_point point;
    wend_cell goal;
    uint32_t speed;
    uint32_t still, most_still; /* frames that it has held its cell with a goal; the most of them */
    uint64_t way;
    uint64_t alone, most_alone; /* frames in which nobody held its goal up; the most of them, 0: not checked */
    bool searches;              /* in this frame */
    bool seen, has_goal, under_way;
    bool jumps; /* its last step was a link, or an edge of a graph */
} known;

struct walk_checker {
    const terrain_copy *land;
    promises *ledger;
    known *agents;
    uint32_t count;
    uint32_t *holders;  /* for each cell: its holder, plus 1 */
    uint32_t *counts;   /* for each cell: agents in it, with bodies or without; 0 between frames */
    uint8_t *diagonals; /* for each cell: diagonals under way in the square of it and those right and down of it */
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
    if (!watch) return NULL;
    watch->land = land;
    watch->ledger = ledger;
    watch->count = agents;
    watch->frame = 1;
    watch->agents = calloc(agents, sizeof *watch->agents);
    watch->holders = calloc((size_t)land->cells, sizeof *watch->holders);
    watch->counts = calloc((size_t)land->cells, sizeof *watch->counts);
    watch->diagonals = calloc((size_t)land->cells, sizeof *watch->diagonals);
    if (watch->agents && watch->holders && watch->counts && watch->diagonals) return watch;
    walk_checker_free(watch);
    return NULL;
}

void walk_checker_free(walk_checker *watch) {
    if (!watch) return;
    free(watch->agents);
    free(watch->holders);
    free(watch->counts);
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
    EXPECT(watch, WALK_overlap, watch->holders[at] == 0, "agents %" PRIu32 " and %" PRIu32 " begin on %s", agent,
           watch->holders[at] - 1, TERRAIN_NAME(watch->land, cell));
    watch->holders[at] = agent + 1;
}

/* ---- goals ---- */

void walk_checker_set_goal(walk_checker *watch, uint32_t agent, wend_cell goal, uint64_t lone_frames) {
    known *who = &watch->agents[agent];
    const bool flat = watch->land->kind != WEND_KIND_GRAPH && watch->land->sheet_count == 0;
    who->most_alone = flat && lone_frames > 0 ? LONE_WALKS * lone_frames + PATIENCE : 0;
    who->alone = 0;
    who->has_goal = true;
    who->goal = goal;
    who->way = who->still = who->most_still = 0;
}

void walk_checker_searches(walk_checker *watch, uint32_t agent) {
    watch->agents[agent].searches = true;
}

void walk_checker_heard(walk_checker *watch, uint32_t agent, int32_t event, wend_cell cell) {
    known *who = &watch->agents[agent];
    if (!wend_agent_event_ends_goal(event)) return;
    EXPECT(watch, WALK_endings, who->has_goal, "agent %" PRIu32 " has no wish, and it %s", agent,
           wend_constant_name(WEND_NAME_AGENT_EVENT, event));
    EXPECT(watch, WALK_endings, event != WEND_AGENT_EVENT_REPLACED, "agent %" PRIu32 " has no other wish", agent);
    EXPECT(watch, WALK_endings, event != WEND_AGENT_EVENT_ARRIVED || same_cell(cell, who->goal),
           "agent %" PRIu32 " has arrived on %s instead of %s", agent, TERRAIN_NAME(watch->land, cell),
           TERRAIN_NAME(watch->land, who->goal));
    who->has_goal = false;
}

/* ---- a frame ---- */

/* Returns true if a diagonal step within a layer is under way. */
static bool is_diagonal(const known *who) {
    const bool flat = who->cell.z == who->from.z && !who->jumps;
    return who->under_way && flat && who->cell.x != who->from.x && who->cell.y != who->from.y;
}

/* The corner of the square that a diagonal step crosses, and which of its two diagonals. */
static uint8_t *square_of(walk_checker *watch, const known *who, uint8_t *which) {
    const int32_t x = who->cell.x < who->from.x ? who->cell.x : who->from.x;
    const int32_t y = who->cell.y < who->from.y ? who->cell.y : who->from.y;
    *which = (who->cell.x < who->from.x) == (who->cell.y < who->from.y) ? 1 : 2;
    return &watch->diagonals[terrain_index(watch->land, (wend_cell){x, y, who->cell.z})];
}

static int32_t gap(int32_t a, int32_t b) {
    return a < b ? b - a : a - b;
}

/* A link that costs less than a straight step takes less than a frame: the next step begins in the same one. Returns
 * the cost of both, and where the link ends; 0: there is no such link. */
static uint64_t step_past_link(const terrain_copy *land, wend_cell from, wend_cell to, wend_cell *end) {
    const terrain_next *nexts;
    const size_t count = terrain_steps(land, terrain_index(land, from), false, &nexts);
    for (size_t i = 0; i < count; i++) {
        const wend_cell middle = terrain_cell(land, nexts[i].place);
        const uint64_t step = nexts[i].cost < (uint64_t)land->rules.cost_straight ? terrain_step(land, middle, to) : 0;
        if (step > 0) return *end = middle, nexts[i].cost + step;
    }
    return 0;
}

/* A step to another cell began in this frame. */
static void check_step(walk_checker *watch, uint32_t agent, wend_cell cell) {
    known *who = &watch->agents[agent];
    wend_cell from = who->cell;
    uint64_t cost = terrain_step(watch->land, from, cell);
    if (cost == 0) cost = step_past_link(watch->land, who->cell, cell, &from);
    EXPECT(watch, WALK_legal_steps, cost > 0, "agent %" PRIu32 " goes from %s to %s", agent,
           TERRAIN_NAME(watch->land, who->cell), TERRAIN_NAME(watch->land, cell));
    watch->steps++;
    who->way += cost;
    who->from = from;
    who->cell = cell;
    who->still = 0;
    who->under_way = true;
    who->jumps = watch->land->kind == WEND_KIND_GRAPH || gap(cell.x, who->from.x) > 1 || gap(cell.y, who->from.y) > 1 ||
                 gap(cell.z, who->from.z) > 1;
}

static bool is_between(int32_t at, int32_t a, int32_t b) {
    return gap(at, a) + gap(at, b) <= gap(a, b);
}

/* Over a seam the first half of a step goes on beyond its first cell, and the second half ends at the other. Sets the
 * ends of the half that the agent is on. */
static void cut_at_seam(const walk_checker *watch, const known *who, wend_point point, wend_point *a, wend_point *b) {
    enum { HALF = 500 };
    if (!who->jumps || watch->land->sheet_count == 0) return;
    const wend_cell d = terrain_way_on_ground(watch->land, who->from, who->cell);
    if (gap(d.x, 0) > 1 || gap(d.y, 0) > 1) return;
    if (gap(point.x, a->x) <= HALF && gap(point.y, a->y) <= HALF)
        *b = (wend_point){a->x + HALF * d.x, a->y + HALF * d.y, b->z};
    else
        *a = (wend_point){b->x - HALF * d.x, b->y - HALF * d.y, a->z};
}

/* A step takes as long as its cost; diagonals are no faster along an axis than straight steps. Where one step ends
 * and another begins within a frame, the agent turns. A link has no length but its cost, so its speed is not checked. A
 * graph has no lines: a step of its agents counts as under way in the frame in which it begins. */
static void check_gliding(walk_checker *watch, uint32_t agent, wend_point point, bool began, bool jumped) {
    known *who = &watch->agents[agent];
    who->under_way = began;
    if (watch->land->kind == WEND_KIND_GRAPH) return;
    wend_point a = middle_of(who->from), b = middle_of(who->cell);
    const wend_point end = b;
    cut_at_seam(watch, who, point, &a, &b);
    const int32_t x = gap(point.x, who->point.x), y = gap(point.y, who->point.y), z = gap(point.z, who->point.z);
    const int32_t most = (int32_t)who->speed + 1;
    const bool between =
        is_between(point.x, a.x, b.x) && is_between(point.y, a.y, b.y) && is_between(point.z, a.z, b.z);
    const bool straight = who->jumps || ((a.x == b.x || a.y == b.y || gap(gap(point.x, a.x), gap(point.y, a.y)) <= 1) &&
                                         (a.x == b.x || a.z == b.z || gap(gap(point.x, a.x), gap(point.z, a.z)) <= 1));
    EXPECT(watch, WALK_gliding, between && straight, "agent %" PRIu32 " is at %d,%d,%d on its way from %s to %s", agent,
           (int)point.x, (int)point.y, (int)point.z, TERRAIN_NAME(watch->land, who->from),
           TERRAIN_NAME(watch->land, who->cell));
    EXPECT(watch, WALK_gliding, jumped || who->jumps || (x <= most && y <= most && z <= most),
           "agent %" PRIu32 " moved by %d,%d,%d", agent, (int)x, (int)y, (int)z);
    who->point = point;
    who->under_way = point.x != end.x || point.y != end.y || point.z != end.z;
}

void walk_checker_saw(walk_checker *watch, uint32_t agent, wend_cell cell, wend_point point) {
    known *who = &watch->agents[agent];
    const bool on_map = terrain_on_map(watch->land, cell), began = !same_cell(who->cell, cell);
    const wend_cell before = who->cell;
    bool jumped = who->jumps;
    EXPECT(watch, WALK_legal_steps, on_map, "agent %" PRIu32 " is off the map", agent);
    if (!on_map) return;
    uint32_t *holder = &watch->holders[terrain_index(watch->land, who->cell)];
    if (*holder == agent + 1) *holder = 0; /* frame_ends() puts all back */
    if (began)
        check_step(watch, agent, cell);
    else if (who->has_goal && !same_cell(cell, who->goal))
        who->still++;
    if (who->still > who->most_still) who->most_still = who->still;
    jumped |= began && !same_cell(who->from, before);
    check_gliding(watch, agent, point, began, jumped);
}

/* Its way is counted as so many straight steps. Bodies share cells. */
void walk_checker_saw_body(walk_checker *watch, uint32_t agent, wend_cell cell) {
    known *who = &watch->agents[agent];
    watch->holders[terrain_index(watch->land, who->cell)] = 0;
    if (!same_cell(who->cell, cell))
        watch->steps++, who->way += (uint64_t)watch->land->rules.cost_straight, who->still = 0;
    else if (who->has_goal && !same_cell(cell, who->goal))
        who->still++;
    if (who->still > who->most_still) who->most_still = who->still;
    who->cell = cell;
    who->seen = false; /* holds no cell for itself */
}

/* Two pass each other where each is on its way to the cell that the other one left, unless a link leads there. */
static void check_pair(walk_checker *watch, uint32_t agent) {
    const known *who = &watch->agents[agent];
    const uint32_t other = watch->holders[terrain_index(watch->land, who->from)];
    const bool links = who->jumps && watch->land->kind != WEND_KIND_GRAPH;
    if (other == 0 || other - 1 == agent || links) return;
    const known *met = &watch->agents[other - 1];
    EXPECT(watch, WALK_swaps, !met->under_way || !same_cell(met->from, who->cell),
           "agents %" PRIu32 " and %" PRIu32 " change places at %s and %s", agent, other - 1,
           TERRAIN_NAME(watch->land, who->cell), TERRAIN_NAME(watch->land, who->from));
}

static void check_diagonals(walk_checker *watch) {
    uint8_t which;
    for (uint32_t i = 0; i < watch->count; i++)
        if (is_diagonal(&watch->agents[i])) {
            uint8_t *square = square_of(watch, &watch->agents[i], &which);
            *square |= which;
            EXPECT(watch, WALK_crossings, *square != 3, "agent %" PRIu32 " crosses another between %s and %s", i,
                   TERRAIN_NAME(watch->land, watch->agents[i].from), TERRAIN_NAME(watch->land, watch->agents[i].cell));
        }
    for (uint32_t i = 0; i < watch->count; i++)
        if (is_diagonal(&watch->agents[i])) *square_of(watch, &watch->agents[i], &which) = 0;
}

/* ---- left behind ---- */

static bool is_alone(const walk_checker *watch, const known *who) {
    enum { SIDE = 2 * NEAR + 1 };
    const int32_t layers = watch->land->kind == WEND_KIND_GRID ? 1 : SIDE;
    uint32_t count = 0;
    for (int32_t k = 0; k < SIDE * SIDE * layers; k++) {
        const wend_cell at = {who->cell.x + k % SIDE - NEAR, who->cell.y + k / SIDE % SIDE - NEAR,
                              who->cell.z + k / (SIDE * SIDE) - layers / 2};
        if (terrain_on_map(watch->land, at)) count += watch->counts[terrain_index(watch->land, at)];
    }
    return count == 1;
}

static void check_left_behind(walk_checker *watch) {
    for (uint32_t i = 0; i < watch->count; i++) watch->counts[terrain_index(watch->land, watch->agents[i].cell)]++;
    for (uint32_t i = 0; i < watch->count; i++) {
        known *who = &watch->agents[i];
        const bool counts = who->has_goal && who->most_alone > 0 && !who->searches && is_alone(watch, who);
        who->searches = false;
        if (!counts) continue;
        who->alone++;
        EXPECT(watch, WALK_left_behind, who->alone <= who->most_alone,
               "nobody held agent %" PRIu32 " at %s up for %" PRIu64 " frames", i, TERRAIN_NAME(watch->land, who->cell),
               who->alone);
        if (who->alone > who->most_alone) who->most_alone = 0;
    }
    for (uint32_t i = 0; i < watch->count; i++) watch->counts[terrain_index(watch->land, watch->agents[i].cell)] = 0;
}

void walk_checker_frame_ends(walk_checker *watch, uint64_t allocations) {
    for (uint32_t i = 0; i < watch->count; i++) {
        if (!watch->agents[i].seen) continue;
        const wend_cell cell = watch->agents[i].cell;
        uint32_t *holder = &watch->holders[terrain_index(watch->land, cell)];
        EXPECT(watch, WALK_overlap, *holder == 0 || *holder == i + 1, "agents %" PRIu32 " and %" PRIu32 " hold %s", i,
               *holder - 1, TERRAIN_NAME(watch->land, cell));
        *holder = i + 1;
    }
    for (uint32_t i = 0; i < watch->count; i++)
        if (watch->agents[i].under_way) check_pair(watch, i);
    check_diagonals(watch);
    check_left_behind(watch);
    EXPECT(watch, WALK_memory, allocations == 0, "%" PRIu64 " allocations since creation", allocations);
    watch->frame++;
}

void walk_checker_finish(walk_checker *watch, uint64_t unfinished) {
    EXPECT(watch, WALK_endings, unfinished == 0, "%" PRIu64 " wishes have no end", unfinished);
}
