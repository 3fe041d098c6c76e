/* SPDX-License-Identifier: MIT */
/* The agents of a crowd, slot by slot. Each field is named once, for both directions. */
#include "agents/manners/traffic_state.h"
#include "agents/orders/goal.h"
#include "agents/plan/path.h"
#include "agents/update/agents.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "save/save_crowd.h"
#include "save/save_table.h"
#include <wend/agents.h>

/* ---- lists of agents: their heads lie in other agents, routes and marches ---- */

enum { LIST_NONE, LIST_FLEERS, LIST_ROUTE, LIST_MARCH };

/// A list, by the owner of its head.
typedef struct list_name {
    uint8_t kind;
    uint32_t of;
} list_name;

static uint32_t route_slots(const wend_crowd *crowd) {
    return crowd->routes.capacity + crowd->routes.copies;
}

static list_name name_list(const wend_crowd *crowd, const wend__agent_goal *goal) {
    const uint32_t *list = goal->list;
    if (!list) return (list_name){LIST_NONE, 0};
    if (goal->kind == WEND__GOAL_FLEE && list == &crowd->agents[goal->target.index].first_fleer)
        return (list_name){LIST_FLEERS, goal->target.index};
    if (goal->for_route) return (list_name){LIST_ROUTE, goal->route};
    return (list_name){LIST_MARCH, goal->march - 1u};
}

static uint32_t *find_list(const wend__crowd_save *c, list_name name) {
    wend_crowd *crowd = c->crowd;
    if (name.kind == LIST_FLEERS && name.of < crowd->def.agents) return &wend__crowd_slot(c, name.of)->first_fleer;
    if (name.kind == LIST_ROUTE && name.of < route_slots(crowd)) return &crowd->routes.of[name.of].waiting;
    if (name.kind == LIST_MARCH && name.of < WEND_MAX_MARCHES) return &crowd->marches[name.of].first;
    return NULL;
}

/* Returns whether a goal is in the list of that name: a saved goal names the list. */
static bool has_list(const wend_crowd *crowd, const wend__agent_goal *goal, list_name name) {
    const list_name own = name_list(crowd, goal);
    return own.kind == name.kind && (own.kind == LIST_NONE || own.of == name.of);
}

/* ---- fields ---- */

/* Passes a number in a range, of a signed field. */
WEND__INLINE void check_range(wend__words *f, bool reads, int32_t *value, int32_t least, int32_t most) {
    if (!reads || (*value >= least && *value <= most)) return;
    *value = least;
    f->bad = true;
}

WEND__INLINE void traffic_fields(wend__crowd_save *c, wend__words *f, bool reads, uint32_t index) {
    wend__traffic *t = c->crowd->traffic;
    wend__traffic_agent *agent = &t->agents[index];
    wend__traffic_priority *priority = &t->priorities[index];
    WEND__FIELD(agent->at);
    WEND__FIELD(agent->from);
    WEND__FIELD(agent->next);
    WEND__FIELD_BELOW(agent->mover, wend__version_movers(c->version));
    WEND__FIELD(agent->urgency);
    check_range(f, reads, &agent->urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    WEND__FIELD_BELOW(agent->follows, c->crowd->def.agents + 1);
    WEND__FIELD(agent->waited);
    WEND__FIELD_BELOW(agent->size, WEND_MAX_MOVER_SIZE + 1);
    WEND__FIELD_BELOW(agent->present, 2);
    WEND__FIELD_BELOW(agent->ghost, 2);
    WEND__FIELD_BELOW(agent->ready, WEND__READY_UNASKED + 1);
    WEND__FIELD_BELOW(agent->steered, 2);
    WEND__FIELD_BELOW(agent->parked, 2);
    WEND__FIELD_BELOW(agent->waits, WEND_MAX_WAITED_FOR + 1);
    WEND__FIELD_BELOW(agent->awaited, 2);
    WEND__FIELD_BELOW(agent->body, 2);
    WEND__FIELD_BELOW(agent->held, 2);
    WEND__FIELD_BELOW(agent->pushed, 2);
    WEND__FIELD(agent->turn);
    WEND__FIELD_BELOW(agent->has_goal, 2);
    WEND__FIELD(priority->since);
    WEND__FIELD(priority->inherited);
    check_range(f, reads, &priority->inherited, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    WEND__FIELD(priority->refused_in);
    WEND__FIELD(priority->reached_by);
    WEND__FIELD(priority->counted);
    WEND__FIELD(priority->near);
}

WEND__INLINE void goal_fields(wend__crowd_save *c, wend__words *f, bool reads, wend__agent_goal *goal) {
    wend_crowd *crowd = c->crowd;
    const uint64_t newest = c->version->revision;
    const bool placed = goal->on_route || goal->position_known;
    list_name list = name_list(crowd, goal);
    uint32_t route = wend__crowd_route(c, goal->route);
    if (list.kind == LIST_ROUTE) list.of = wend__crowd_route(c, list.of);
    wend__route_position position = placed ? goal->position : (wend__route_position){0, 0};
    WEND__FIELD_BELOW(goal->kind, WEND__GOAL_ROUTE + 1);
    WEND__FIELD(goal->keep);
    WEND__FIELD(goal->end_places);
    WEND__FIELD(goal->for_route);
    WEND__FIELD(goal->asked);
    WEND__FIELD(goal->asked_reach);
    check_range(f, reads, &goal->asked_reach, -1, WEND_MAX_REACH);
    WEND__FIELD(goal->ends_partial);
    WEND__FIELD(goal->reach);
    check_range(f, reads, &goal->reach, 0, WEND_MAX_REACH);
    WEND__FIELD(goal->near_enough);
    check_range(f, reads, &goal->near_enough, 0, WEND_MAX_REACH);
    WEND__FIELD_BELOW(goal->pace, WEND_MAX_SPEED_MILLI + 1);
    WEND__FIELD(goal->distance);
    check_range(f, reads, &goal->distance, 0, WEND_MAX_REACH);
    WEND__FIELD(goal->cell);
    WEND__FIELD_BELOW(goal->origin, wend__crowd_cells(c));
    WEND__FIELD_BELOW(goal->target.index, crowd->def.agents);
    WEND__FIELD(goal->target.generation);
    WEND__FIELD_BELOW(list.kind, LIST_MARCH + 1);
    WEND__FIELD(list.of);
    WEND__FIELD_BELOW(goal->previous, crowd->def.agents + 1);
    WEND__FIELD_BELOW(goal->next, crowd->def.agents + 1);
    WEND__FIELD(route);
    if (reads) goal->route = route;
    WEND__FIELD(position.leg);
    WEND__FIELD(position.at);
    WEND__FIELD(goal->route_steps);
    WEND__FIELD(goal->on_route);
    WEND__FIELD(goal->position_known);
    WEND__FIELD_BELOW(goal->flow, crowd->flow_count + 1);
    WEND__FIELD_BELOW(goal->march, WEND_MAX_MARCHES + 1);
    WEND__FIELD(goal->on_leg);
    WEND__FIELD(goal->last_partial);
    WEND__FIELD_BELOW(goal->station, WEND_MAX_AGENTS);
    WEND__FIELD(goal->last_cell);
    WEND__FIELD_BELOW(goal->counter, WEND__GOAL_COUNTERS + 1);
    WEND__FIELD(goal->off_path);
    WEND__FIELD(goal->counter_serial);
    WEND__FIELD_REVISION(goal->no_route_revision, newest);
    bool no_route = goal->no_route_revision != 0;
    WEND__FIELD(no_route);
    if (!reads) return;
    if (!no_route) goal->no_route_revision = 0;
    /* An invalid place is left over from another mover's route, or from before an edit. */
    if (goal->on_route || goal->position_known) goal->position = position;
    goal->list = find_list(c, list);
    f->bad |= !has_list(crowd, goal, list);
}

WEND__INLINE void path_fields(wend__crowd_save *c, wend__words *f, bool reads, wend__agent_path *path) {
    const uint64_t newest = c->version->revision;
    WEND__FIELD(path->base);
    WEND__FIELD(path->end);
    WEND__FIELD_BELOW(path->kind, WEND__PATH_LEG + 1);
    WEND__FIELD_BELOW(path->recent_count, WEND__RECENT_CELLS + 2);
    for (unsigned k = 0; k < WEND__RECENT_CELLS && !f->mixes; k++) { /* a hash has them behind the fields */
        uint32_t cell = path->recent_count <= WEND__RECENT_CELLS && k < path->recent_count ? path->recent[k] : 0;
        WEND__FIELD_BELOW(cell, wend__crowd_cells(c));
        if (reads) path->recent[k] = cell;
    }
    WEND__FIELD_REVISION(path->revision, newest);
    WEND__FIELD(path->verified);
    WEND__FIELD(path->changes);
}

WEND__INLINE void request_fields(wend__crowd_save *c, wend__words *f, bool reads, wend__path_request *request) {
    const uint64_t newest = c->version->revision;
    WEND__FIELD(request->ticket.index);
    WEND__FIELD(request->ticket.generation);
    WEND__FIELD(request->start);
    WEND__FIELD(request->walked_count);
    WEND__FIELD(request->prefix_expansions);
    WEND__FIELD(request->steps_to_start);
    WEND__FIELD(request->due);
    WEND__FIELD_REVISION(request->map_revision, newest);
    WEND__FIELD_BELOW(request->purpose, WEND__PURPOSE_LEG + 1);
    WEND__FIELD_BELOW(request->asks, WEND__ASKS_LEAD + 1);
    WEND__FIELD(request->wanted);
    WEND__FIELD(request->deferred);
    WEND__FIELD(request->stops_at_start);
    WEND__FIELD(request->led);
    WEND__FIELD(request->goal_only);
    WEND__FIELD(request->among_units);
    WEND__FIELD(request->failure);
}

WEND__INLINE void stall_fields(wend__crowd_save *c, wend__words *f, bool reads, wend__stall *stall) {
    const uint64_t newest = c->version->revision;
    WEND__FIELD(stall->best);
    WEND__FIELD(stall->stood);
    WEND__FIELD(stall->tries);
    WEND__FIELD(stall->remaining_cost);
    WEND__FIELD_REVISION(stall->remaining_revision, newest);
    WEND__FIELD(stall->since);
    WEND__FIELD(stall->backoff);
    WEND__FIELD(stall->before_player);
    WEND__FIELD(stall->no_way_since);
}

/* Only the view has velocities: no later frame depends on them. */
WEND__INLINE void velocity_fields(wend__crowd_save *c, wend__words *f, bool reads, uint32_t index) {
    const bool known = !c->save.reads && index < c->crowd->used;
    wend_point velocity = known ? wend__travel_velocity(c->crowd, index) : (wend_point){0, 0, 0};
    WEND__FIELD(velocity.x);
    WEND__FIELD(velocity.y);
    WEND__FIELD(velocity.z);
    if (reads) wend__travel_restore(c->crowd, index, velocity);
}

/* Updates read some of an agent's fields from arrays of their own. */
WEND__INLINE void pace_fields(wend__crowd_save *c, wend__words *f, bool reads, uint32_t index) {
    WEND__FIELD(c->crowd->remaining[index]);
    WEND__FIELD(c->crowd->speed[index]);
}

WEND__INLINE void agent_fields(wend__crowd_save *c, wend__words *f, bool reads, uint32_t index) {
    wend_crowd *crowd = c->crowd;
    wend__agent *agent = wend__crowd_slot(c, index);
    WEND__FIELD(agent->serial);
    WEND__FIELD(agent->generation);
    if (!f->mixes) WEND__FIELD_BELOW(agent->first_fleer, crowd->def.agents + 1); /* it follows from goals */
    WEND__FIELD(agent->group_order);
    WEND__FIELD(agent->urgency);
    check_range(f, reads, &agent->urgency, WEND_URGENCY_MIN, WEND_URGENCY_MAX);
    WEND__FIELD_BELOW(agent->own_speed, WEND_MAX_SPEED_MILLI + 1);
    WEND__FIELD(agent->arrived);
    WEND__FIELD(agent->rerouted);
    WEND__FIELD(agent->left_cell);
    WEND__FIELD(agent->home_pushes);
    WEND__FIELD(agent->home_pushed);
    WEND__FIELD(agent->pushed_by_endless);
    WEND__FIELD(agent->keeps_goal);
    WEND__FIELD(agent->displaced);
    WEND__FIELD(agent->with_target);
    WEND__FIELD(agent->leaves_box);
    WEND__FIELD(agent->leaves);
    WEND__FIELD(agent->window_due);
    WEND__FIELD_BELOW(agent->window_backoff, WEND__MOST_DOUBLINGS + 1);
    WEND__FIELD(agent->home);
    WEND__FIELD(agent->step);
    WEND__FIELD_BELOW(agent->step_slot, crowd->def.agents + 1);
    WEND__FIELD(agent->length);
    const wend_map *map = crowd->def.map;
    if (f->mixes) {
        const uint32_t as = agent->strays ? (uint32_t)agent->own_mover << 16 | (uint32_t)agent->strays << 8 : 0;
        uint32_t minds = as | (uint32_t)agent->profile;
        WEND__FIELD(minds);
        return;
    }
    WEND__FIELD_BELOW(agent->profile, map->tolls ? map->tolls->profile_count + 1 : 1);
    WEND__FIELD_BELOW(agent->own_mover, wend__version_movers(c->version));
    WEND__FIELD_BELOW(agent->strays, WEND__STRAYS_ON + 1);
    velocity_fields(c, f, reads, index);
}

/// Agents that are passed together, as the rows of a table.
typedef struct agent_table {
    uint32_t first, rows; ///< slots
    uint32_t columns;     ///< number of columns of an agent
    wend__table table;
} agent_table;

WEND__INLINE wend__words row_fields(const wend__crowd_save *c, agent_table *t, uint32_t row) {
    WEND__DEBUG_ASSERT(row < WEND__TABLE_ROWS && t->first + row < c->crowd->def.agents);
    return (wend__words){.at = &t->table.words[0][row], .apart = WEND__TABLE_ROWS - 1, .map = c->crowd->def.map};
}

/* Ends the fields of a row. @return how many columns they are */
WEND__INLINE uint32_t row_fields_end(wend__crowd_save *c, const wend__words *f, const agent_table *t, bool reads) {
    WEND__DEBUG_ASSERT((uint32_t)(f->at - t->table.words[0]) / WEND__TABLE_ROWS <= WEND__TABLE_COLUMNS);
    if (reads) c->save.bad |= f->bad;
    return (uint32_t)(f->at - t->table.words[0]) / WEND__TABLE_ROWS;
}

/* Passes a slot without an agent: others may still go to its last place, and the next agent takes over values that the
 * crowd has not set. */
WEND__INLINE uint32_t free_row(wend__crowd_save *c, agent_table *t, bool reads, uint32_t row) {
    wend__words f = row_fields(c, t, row);
    traffic_fields(c, &f, reads, t->first + row);
    return row_fields_end(c, &f, t, reads);
}

WEND__INLINE uint32_t agent_row(wend__crowd_save *c, agent_table *t, bool reads, uint32_t row) {
    const uint32_t index = t->first + row;
    wend__words f = row_fields(c, t, row);
    wend__agent *agent = wend__crowd_slot(c, index);
    traffic_fields(c, &f, reads, index);
    pace_fields(c, &f, reads, index);
    agent_fields(c, &f, reads, index);
    goal_fields(c, &f, reads, &agent->goal);
    path_fields(c, &f, reads, &agent->path);
    request_fields(c, &f, reads, &agent->request);
    stall_fields(c, &f, reads, &agent->stall);
    return row_fields_end(c, &f, t, reads);
}

/* ---- parts without a fixed length ---- */

static void pass_waits(wend__crowd_save *c, uint32_t index) {
    uint32_t *list = c->crowd->traffic->waits + (size_t)index * WEND_MAX_WAITED_FOR;
    for (uint32_t k = 0; k < c->crowd->in_traffic[index].waits; k++)
        wend__save_below(&c->save, &list[k], c->crowd->def.agents);
}

static void pass_cell(wend__crowd_save *c, wend_cell *cell) {
    const wend_map *map = c->crowd->def.map;
    uint32_t x = (uint32_t)cell->x, y = (uint32_t)cell->y, z = (uint32_t)cell->z;
    wend__save_below(&c->save, &x, (uint64_t)map->width);
    wend__save_below(&c->save, &y, (uint64_t)map->height);
    wend__save_below(&c->save, &z, (uint64_t)map->depth);
    *cell = (wend_cell){(int32_t)x, (int32_t)y, (int32_t)z};
}

static void pass_walked(wend__crowd_save *c, uint32_t index) {
    const uint32_t room = c->crowd->tuning.head_start > 0 ? wend__head_start_cells(&c->crowd->def) : 0;
    const uint32_t count = c->crowd->agents[index].request.walked_count;
    if (!wend__save_check(&c->save, count <= room)) return;
    wend_cell *walked = (wend_cell *)(uintptr_t)&c->crowd->walked[(size_t)index * room];
    for (uint32_t k = 0; k < count; k++) pass_cell(c, &walked[k]);
}

/* The first crossing, or the difference from one to the next, as a number that is not negative. */
static void pass_crossing(wend__crowd_save *c, int32_t *x, int32_t *y, bool first) {
    const int32_t least = first ? 0 : INT8_MIN;
    uint32_t right = (uint32_t)(*x - least), down = (uint32_t)(*y - least);
    wend__save_below(&c->save, &right, first ? (uint64_t)c->crowd->def.map->width : UINT8_MAX + 1);
    wend__save_below(&c->save, &down, first ? (uint64_t)c->crowd->def.map->height : UINT8_MAX + 1);
    *x = (int32_t)right + least, *y = (int32_t)down + least;
}

static void pass_crossings(wend__crowd_save *c, wend__far_way *way) {
    int32_t x = way->x, y = way->y;
    pass_crossing(c, &x, &y, true);
    way->x = (uint16_t)x, way->y = (uint16_t)y;
    wend_cell at = {x, y, 0};
    for (uint8_t k = 1; k < way->count; k++) {
        int8_t *difference = way->differences[k - 1];
        x = difference[0], y = difference[1];
        pass_crossing(c, &x, &y, false);
        difference[0] = (int8_t)x, difference[1] = (int8_t)y;
        at = (wend_cell){at.x + x, at.y + y, 0};
        if (!wend__save_check(&c->save, wend__map_inside(c->crowd->def.map, at))) return;
    }
}

static void pass_far_way(wend__crowd_save *c, uint32_t index) {
    if (c->crowd->agents[index].path.kind != WEND__PATH_LEG) return;
    if (!wend__save_check(&c->save, c->crowd->far_ways != NULL)) return;
    wend__far_way *way = (wend__far_way *)(uintptr_t)&c->crowd->far_ways[index];
    uint32_t count = way->count, more = way->more;
    wend__save_below(&c->save, &way->tail, UINT32_MAX);
    wend__save_below(&c->save, &count, WEND__FAR_KEPT + 1);
    wend__save_below(&c->save, &more, 2);
    way->count = (uint8_t)count, way->more = more != 0;
    if (count > 0) pass_crossings(c, way);
}

/* ---- paths ---- */

static void pass_block(wend__crowd_save *c, wend__stored_block *block, uint32_t taken) {
    uint32_t head = (uint32_t)block->count << 1 | block->wide;
    wend__save_below(&c->save, &head, (WEND__BLOCK_DIRECTIONS + 1) << 1);
    const uint32_t count = head >> 1, most = head & 1 ? WEND__BLOCK_CELLS : WEND__BLOCK_DIRECTIONS;
    if (!wend__save_check(&c->save, count <= most && taken < count)) return;
    block->count = (uint8_t)count, block->wide = head & 1;
    if (block->wide)
        for (uint32_t k = 0; k < count; k++) wend__save_below(&c->save, &block->numbers[k], wend__crowd_cells(c));
    else
        wend__save_bytes(&c->save, block->steps + taken / 2, (count + 1) / 2 - taken / 2);
}

static void save_path(wend__crowd_save *c, uint32_t index) {
    const wend__path_arena *arena = &c->crowd->paths;
    const wend__stored_path *path = &c->crowd->agents[index].path.stored;
    uint32_t count = 0, taken = path->taken;
    for (uint32_t at = path->first; at != WEND__NO_PATH_BLOCK; at = arena->blocks[at].next) count++;
    WEND__DEBUG_ASSERT((count == 0) == (path->steps == 0));
    wend__save_below(&c->save, &count, UINT32_MAX);
    if (count == 0) return;
    wend__save_below(&c->save, &taken, UINT32_MAX);
    for (uint32_t at = path->first; at != WEND__NO_PATH_BLOCK; at = arena->blocks[at].next, taken = 0)
        pass_block(c, &arena->blocks[at], taken);
}

/* Walks the directions of a block. Returns whether each is one and stays on the map. Both coordinates are in one
 * number; where one of them is off the map, its half is negative, or that of the difference from the last cell. */
static bool walk_block(const wend_map *map, const wend__stored_block *block, uint32_t taken, wend_cell *cell) {
    const uint64_t last = (uint64_t)(map->width - 1) << 32 | (uint32_t)(map->height - 1);
    uint64_t at = (uint64_t)cell->x << 32 | (uint32_t)cell->y, strays = 0, steps[WEND__DIRECTIONS];
    unsigned known = 0;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++)
        steps[d] = ((uint64_t)(int64_t)wend__dx[d] << 32) + (uint64_t)(int64_t)wend__dy[d];
    for (uint32_t k = taken; k < block->count; k++) {
        const unsigned d = block->steps[k / 2] >> (k % 2 * 4) & 15;
        known |= d;
        at += steps[d % WEND__DIRECTIONS];
        strays |= at | (last - at);
    }
    cell->x = (int32_t)(at >> 32), cell->y = (int32_t)(uint32_t)at;
    return known < WEND__DIRECTIONS && !(strays & UINT64_C(0x8000000080000000));
}

/* Returns whether all steps stay on the map, and lead where the path ends. */
static bool is_whole(const wend__crowd_save *c, uint32_t index) {
    const wend__path_arena *arena = &c->crowd->paths;
    const wend__agent_path *path = &c->crowd->agents[index].path;
    wend_cell cell = path->base;
    uint32_t taken = path->stored.taken;
    for (uint32_t at = path->stored.first; at != WEND__NO_PATH_BLOCK; at = arena->blocks[at].next, taken = 0) {
        const wend__stored_block *block = &arena->blocks[at];
        if (block->wide)
            cell = wend__path_cell(arena, block->numbers[block->count - 1]); /* each was compared with the map's */
        else if (!walk_block(c->crowd->def.map, block, taken, &cell))
            return false;
    }
    return wend__same_cell(cell, path->end);
}

/* Blocks are taken one after the other, as in an arena that is unused. */
static void restore_path(wend__crowd_save *c, uint32_t index) {
    wend__path_arena *arena = &c->crowd->paths;
    wend__stored_path *path = &wend__crowd_slot(c, index)->path.stored;
    uint32_t count = 0;
    *path = wend__stored_path_none();
    wend__save_below(&c->save, &count, UINT32_MAX);
    if (count == 0 || c->save.bad) return;
    if (!wend__save_check(&c->save, count <= arena->free_count - arena->bare + 1)) return;
    wend__save_below(&c->save, &path->taken, WEND__BLOCK_DIRECTIONS);
    WEND__DEBUG_ASSERT(arena->bare > 0 && count <= arena->free_count);
    path->first = arena->fresh, path->last = arena->fresh + count - 1;
    arena->bare--, arena->free_count -= count, arena->fresh += count;
    for (uint32_t k = 0; k < count; k++) {
        wend__stored_block *block = &arena->blocks[path->first + k];
        *block = (wend__stored_block){.next = k + 1 < count ? path->first + k + 1 : WEND__NO_PATH_BLOCK};
        pass_block(c, block, k == 0 ? path->taken : 0);
        path->steps += block->count;
    }
    if (c->save.bad) return;
    path->steps -= path->taken;
    wend__save_check(&c->save, path->steps > 0 && is_whole(c, index));
}

/* ---- an agent ---- */

/* Returns whether wend_crowd_go() would have accepted the numbers of a goal. */
static bool is_goal(const wend_crowd *crowd, const wend__agent_goal *goal) {
    static const int32_t kinds[] = {[WEND__GOAL_CELL] = WEND_CROWD_CELL,
                                    [WEND__GOAL_FOLLOW] = WEND_CROWD_FOLLOW,
                                    [WEND__GOAL_FLEE] = WEND_CROWD_FLEE,
                                    [WEND__GOAL_ROUTE] = WEND_CROWD_CELL};
    if (goal->kind == WEND__GOAL_NONE) return true;
    const wend_crowd_goal def = {
        .kind = kinds[goal->kind], .reach = goal->reach, .near_enough = goal->near_enough, .distance = goal->distance};
    return !wend__goal_check(crowd, &def);
}

/* Returns whether the goal's place on its route is valid. */
static bool is_on_route(const wend_crowd *crowd, const wend__agent_goal *goal) {
    const wend__routes *routes = &crowd->routes;
    if (goal->kind != WEND__GOAL_ROUTE && !goal->for_route) return true;
    if (goal->route >= routes->count && (goal->route < routes->capacity || goal->route >= route_slots(crowd)))
        return false;
    const wend__route *route = &routes->of[goal->route];
    if (route->leg_count == 0) return false;
    if (goal->kind != WEND__GOAL_ROUTE) return true;
    if (goal->position.leg >= route->leg_count) return false;
    const uint32_t cells = routes->legs[route->legs + goal->position.leg].count;
    return goal->position.at < (cells > 0 ? cells : 1);
}

/* Returns a number above the steps of any path. */
static uint64_t most_steps(const wend_crowd *crowd) {
    return (uint64_t)(crowd->def.path_bytes / sizeof(wend__stored_block) + crowd->def.agents) * WEND__BLOCK_DIRECTIONS;
}

static bool is_sound(const wend__crowd_save *c, uint32_t index) {
    const wend_crowd *crowd = c->crowd;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__agent *agent = &crowd->agents[index];
    const uint8_t phase = crowd->phase[index];
    const int64_t remaining = crowd->remaining[index];
    const wend_cell *cells[] = {&in_traffic->at, &in_traffic->from, &agent->home, &agent->left_cell};
    for (unsigned k = 0; k < sizeof cells / sizeof *cells; k++)
        if (!wend__map_inside(crowd->def.map, *cells[k])) return false;
    const bool steps = phase == WEND__PHASE_STEPPING;
    if (in_traffic->present != (phase != WEND__PHASE_AWAY) || agent->generation == 0) return false;
    if (steps && (remaining <= 0 || remaining > agent->length)) return false;
    if (in_traffic->held && (!steps || in_traffic->body)) return false;
    if (remaining > INT64_MAX / 2 || remaining < -(INT64_MAX / 2)) return false;
    if (!steps && !wend__same_cell(in_traffic->from, in_traffic->at)) return false;
    if (in_traffic->size != wend__version_mover_size(c->version, in_traffic->mover)) return false;
    if (in_traffic->size != wend__version_mover_size(c->version, agent->own_mover)) return false;
    if (agent->strays == WEND__STRAYS_NOT && agent->own_mover != in_traffic->mover) return false;
    if (agent->goal.kind == WEND__GOAL_CELL && !wend__map_inside(crowd->def.map, agent->goal.cell)) return false;
    if (!is_goal(crowd, &agent->goal)) return false;
    if (crowd->speed[index] == 0 || crowd->speed[index] > WEND_MAX_SPEED_MILLI || agent->own_speed == 0) return false;
    if (agent->goal.route_steps > most_steps(crowd)) return false;
    return agent->length >= 0 && agent->length <= INT64_MAX / 4 && agent->serial < crowd->serial &&
           is_on_route(crowd, &agent->goal);
}

/* Puts a restored agent on its place, if no other holds any cell of it. The map has counted it already. */
static bool hold_place(wend_crowd *crowd, uint32_t index) {
    wend__traffic *t = crowd->traffic;
    const wend__traffic_agent *agent = &t->agents[index];
    const int32_t size = agent->size, up = t->kind == WEND_KIND_VOXEL ? size : 1;
    if (!agent->present || agent->ghost) return true;
    for (int32_t k = 0; k < size * size * up; k++) {
        const wend_cell cell = {agent->at.x + k % size, agent->at.y + k / size % size, agent->at.z + k / size / size};
        if (wend__places_at(&t->places, cell).holder >= 0) return false;
    }
    wend__places_enter(&t->places, (int32_t)index, agent->at, size);
    return true;
}

static void restore_agent(wend__crowd_save *c, uint32_t index) {
    wend_crowd *crowd = c->crowd;
    wend__agent *agent = wend__crowd_slot(c, index);
    if (c->save.bad || !wend__save_check(&c->save, is_sound(c, index) && hold_place(crowd, index))) return;
    agent->crowd = crowd;
    agent->context = NULL;
    if (c->host.agent) agent->context = c->host.agent(c->host.context, (wend_agent_id){index, agent->generation});
    agent->wary = wend__version_way_out(c->version, agent->own_mover) >= 0;
    crowd->has_wary |= agent->wary;
    crowd->danger_revision = UINT64_MAX;
    WEND__DEBUG_ASSERT(crowd->count <= index && crowd->count < crowd->def.agents);
    crowd->count++;
    crowd->away_count += crowd->phase[index] == WEND__PHASE_AWAY;
    crowd->leaving_count += agent->leaves;
    crowd->body_count += crowd->in_traffic[index].body;
    crowd->step_count += agent->step_slot > 0;
    crowd->events.reserved += agent->goal.kind != WEND__GOAL_NONE;
    crowd->events.reserved += agent->step_slot > 0;
    if (agent->goal.flow) crowd->flows[agent->goal.flow - 1].users++;
}

/* The fields of an agent are in the table. */
static void pass_agent(wend__crowd_save *c, agent_table *t, uint32_t row) {
    const uint32_t index = t->first + row;
    if (c->save.reads) {
        *wend__crowd_slot(c, index) = (wend__agent){.path.stored = wend__stored_path_none()};
        (void)agent_row(c, t, true, row);
    }
    (c->save.reads ? restore_path : save_path)(c, index);
    pass_waits(c, index);
    pass_walked(c, index);
    pass_far_way(c, index);
    if (c->save.reads) restore_agent(c, index);
}

/* A slot without an agent has the next free one and the generation of the last agent. */
static void pass_free_slot(wend__crowd_save *c, agent_table *t, uint32_t row) {
    const uint32_t index = t->first + row;
    wend__agent *agent = wend__crowd_slot(c, index);
    uint32_t next = agent->next_free + 1;
    if (c->save.reads) {
        (void)free_row(c, t, true, row);
        *agent = (wend__agent){.path.stored = wend__stored_path_none()};
        wend__save_check(&c->save, c->crowd->in_traffic[index].waits == 0);
    }
    wend__save_check(&c->save, !c->crowd->in_traffic[index].present);
    wend__save_below(&c->save, &agent->generation, UINT32_MAX + UINT64_C(1));
    wend__save_below(&c->save, &next, c->crowd->used + UINT64_C(1));
    agent->next_free = next - 1;
}

/* ---- tables of agents ---- */

/* Finds the number of columns, by the fields of slot 0. Before a restore it has none. */
static void count_columns(wend__crowd_save *c, agent_table *t) {
    if (c->save.reads) {
        *wend__crowd_slot(c, 0) = (wend__agent){0};
        c->crowd->remaining[0] = c->crowd->speed[0] = 0;
    }
    t->first = 0;
    t->columns = agent_row(c, t, false, 0);
    WEND__ASSERT(t->columns <= WEND__TABLE_COLUMNS);
}

/* Agents lie in a row, but their paths do not. */
static void look_ahead_in_memory(const wend_crowd *crowd, uint32_t index) {
    enum { AHEAD = 6 };
    if (index + AHEAD >= crowd->used || crowd->phase[index + AHEAD] == WEND__PHASE_ABSENT) return;
    const uint32_t first = crowd->agents[index + AHEAD].path.stored.first;
    if (first != WEND__NO_PATH_BLOCK) WEND__PREFETCH(&crowd->paths.blocks[first]);
}

/* Columns that a free slot lacks are those of the row before, which take no room. */
static void fill_rows(wend__crowd_save *c, agent_table *t) {
    for (uint32_t row = 0; row < t->rows; row++) {
        look_ahead_in_memory(c->crowd, t->first + row);
        if (c->crowd->phase[t->first + row] != WEND__PHASE_ABSENT) {
            (void)agent_row(c, t, false, row);
            continue;
        }
        for (uint32_t column = free_row(c, t, false, row); column < t->columns; column++)
            t->table.words[column][row] = row > 0 ? t->table.words[column][row - 1] : t->table.before[column];
    }
}

static void pass_table(wend__crowd_save *c, agent_table *t) {
    uint8_t *phase = &c->crowd->phase[t->first];
    wend__save_bytes(&c->save, phase, t->rows);
    for (uint32_t row = 0; row < t->rows; row++)
        if (!wend__save_check(&c->save, phase[row] <= WEND__PHASE_AWAKE)) return;
    wend__table_pass(&c->save, &t->table, t->columns, t->rows);
    for (uint32_t row = 0; row < t->rows && !c->save.bad; row++)
        (phase[row] == WEND__PHASE_ABSENT ? pass_free_slot : pass_agent)(c, t, row);
}

static void pass_slots(wend__crowd_save *c) {
    agent_table t;
    const uint32_t used = c->crowd->used;
    wend__table_begin(&t.table);
    if (used > 0) count_columns(c, &t);
    for (t.first = 0; t.first < used && !c->save.bad; t.first += t.rows) {
        t.rows = used - t.first < WEND__TABLE_ROWS ? used - t.first : WEND__TABLE_ROWS;
        if (!c->save.reads) fill_rows(c, &t);
        pass_table(c, &t);
    }
}

/* ---- hashes ---- */

WEND__INLINE wend__words mixed_fields(const wend__crowd_save *c, const wend__lanes *lanes) {
    return (wend__words){.map = c->crowd->def.map, .mixes = true, .mixer = wend__mixer_begin(lanes)};
}

/* Adds the data of a slot that updates write at any time. */
WEND__INLINE void mix_slot(wend__crowd_save *c, wend__words *f, uint32_t index) {
    const bool present = c->crowd->phase[index] != WEND__PHASE_ABSENT;
    traffic_fields(c, f, false, index);
    wend__mixer_add(&f->mixer, present ? (uint64_t)c->crowd->remaining[index] : 0, 64);
    wend__mixer_add(&f->mixer, present ? c->crowd->speed[index] : 0, 32);
    wend__mixer_flush(&f->mixer);
}

/* Adds the parts of an agent without a fixed length. */
static void hash_lists(wend__crowd_save *c, wend__lanes *lanes, uint32_t index) {
    wend__lanes *const all = c->save.hash;
    const wend__agent_path *path = &c->crowd->agents[index].path;
    const uint32_t recent = path->recent_count <= WEND__RECENT_CELLS ? path->recent_count : 0;
    c->save.hash = lanes;
    wend__lanes_add(lanes, path->recent, recent);
    save_path(c, index);
    pass_walked(c, index);
    pass_far_way(c, index);
    c->save.hash = all;
}

/* Returns the hash of an agent's own data but its clock, or of a free slot: all that is written through
 * wend__agent_touch(), and which of its revisions are the map's newest. */
static uint64_t hash_own(wend__crowd_save *c, uint32_t index) {
    const bool present = c->crowd->phase[index] != WEND__PHASE_ABSENT;
    wend__agent *agent = wend__crowd_slot(c, index);
    wend__lanes lanes = wend__lanes_begin(index);
    wend__words own = mixed_fields(c, &lanes), *f = &own;
    if (present) {
        agent_fields(c, f, false, index);
        goal_fields(c, f, false, &agent->goal);
        path_fields(c, f, false, &agent->path);
        request_fields(c, f, false, &agent->request);
    } else {
        wend__mixer_add(&f->mixer, agent->generation, 32);
        wend__mixer_add(&f->mixer, agent->next_free, 32);
    }
    lanes = wend__mixer_end(&f->mixer);
    if (present) hash_lists(c, &lanes, index);
    return wend__lanes_end(&lanes);
}

static uint64_t hash_stall(wend__crowd_save *c, uint32_t index) {
    wend__lanes lanes = wend__lanes_begin(~(uint64_t)index);
    wend__words own = mixed_fields(c, &lanes), *f = &own;
    if (c->crowd->phase[index] != WEND__PHASE_ABSENT) stall_fields(c, f, false, &wend__crowd_slot(c, index)->stall);
    lanes = wend__mixer_end(&f->mixer);
    return wend__lanes_end(&lanes);
}

static void renew_part(wend__crowd_save *c, uint32_t part, uint32_t index) {
    wend__kept_hashes *kept = &c->crowd->kept;
    uint64_t *of = &kept->of[part][index];
    if (kept->holds[index] >> part & 1) return;
    kept->sum -= *of;
    *of = part == WEND__KEPT_OWN ? hash_own(c, index) : hash_stall(c, index);
    kept->sum += *of;
}

/* Asserts in debug builds that the sum is that of all parts, as each write went through wend__agent_touch() or the like. */
static void check_parts(wend__crowd_save *c) {
#ifdef WEND_DEBUG
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->crowd->used; i++) sum += hash_own(c, i) + hash_stall(c, i);
    WEND__ASSERT(sum == c->crowd->kept.sum);
#endif
    (void)c;
}

/* Takes the parts again that were written, or whose revisions may be others. */
static void renew_parts(wend__crowd_save *c) {
    wend__kept_hashes *kept = &c->crowd->kept;
    const uint32_t used = c->crowd->used;
    if (kept->used > used || kept->revision != c->version->revision)
        memset(kept->holds, 0, used), kept->used = 0, kept->sum = 0;
    kept->revision = c->version->revision;
    for (; kept->used < used; kept->used++)
        for (uint32_t part = 0; part < WEND__KEPT_PARTS; part++) kept->of[part][kept->used] = 0;
    for (uint32_t i = 0; i < used; i++) {
        if (kept->holds[i] == WEND__KEPT_ALL) continue;
        for (uint32_t part = 0; part < WEND__KEPT_PARTS; part++) renew_part(c, part, i);
        kept->holds[i] = WEND__KEPT_ALL;
    }
    check_parts(c);
}

static void hash_slots(wend__crowd_save *c) {
    const wend_crowd *crowd = c->crowd;
    wend__words own = mixed_fields(c, c->save.hash), *f = &own;
    renew_parts(c);
    for (uint32_t i = 0; i < crowd->used; i++) mix_slot(c, f, i);
    wend__mixer_add(&f->mixer, crowd->kept.sum, 64);
    *c->save.hash = wend__mixer_end(&f->mixer);
    wend__save_bytes(&c->save, crowd->phase, crowd->used);
    for (uint32_t i = 0; i < crowd->used; i++)
        if (crowd->in_traffic[i].waits > 0) pass_waits(c, i);
}

void wend__hash_agent(wend__crowd_save *c, uint32_t index) {
    WEND__DEBUG_ASSERT(index < c->crowd->used && c->crowd->phase[index] != WEND__PHASE_ABSENT);
    wend__words own = mixed_fields(c, c->save.hash), *f = &own;
    mix_slot(c, f, index);
    wend__mixer_add(&f->mixer, c->crowd->phase[index], 8);
    wend__mixer_flush(&f->mixer);
    wend__mixer_add(&f->mixer, hash_own(c, index), 64);
    wend__mixer_add(&f->mixer, hash_stall(c, index), 64);
    *c->save.hash = wend__mixer_end(&f->mixer);
    pass_waits(c, index);
}

/* ---- references of agents ---- */

/* Checks that each list begins at its head and is linked both ways, so it is no circle. */
static bool is_linked(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_goal *goal = &crowd->agents[index].goal;
    if (!goal->list) return true;
    if (goal->previous == 0 && *goal->list != index + 1) return false;
    if (goal->previous > 0) {
        const wend__agent_goal *before = &crowd->agents[goal->previous - 1].goal;
        if (goal->previous > crowd->used || before->list != goal->list || before->next != index + 1) return false;
    }
    if (goal->next == 0) return true;
    const wend__agent_goal *after = &crowd->agents[goal->next - 1].goal;
    return goal->next <= crowd->used && after->list == goal->list && after->previous == index + 1;
}

static bool is_head(const wend_crowd *crowd, const uint32_t *first) {
    if (*first == 0) return true;
    if (*first > crowd->used || crowd->phase[*first - 1] == WEND__PHASE_ABSENT) return false;
    return crowd->agents[*first - 1].goal.list == first && crowd->agents[*first - 1].goal.previous == 0;
}

static bool are_lists_sound(wend_crowd *crowd) {
    bool sound = true;
    for (uint32_t i = 0; i < crowd->used; i++)
        if (crowd->phase[i] != WEND__PHASE_ABSENT)
            sound = sound && is_linked(crowd, i) && is_head(crowd, &crowd->agents[i].first_fleer);
    for (uint32_t i = 0; i < route_slots(crowd); i++)
        if (i < crowd->routes.count || i >= crowd->routes.capacity)
            sound = sound && is_head(crowd, &crowd->routes.of[i].waiting);
    for (uint32_t i = 0; i < WEND_MAX_MARCHES; i++) sound = sound && is_head(crowd, &crowd->marches[i].first);
    return sound;
}

/* Returns whether the objects that agents name exist: free slots, targets, and agents that they wait for. */
static bool are_names_sound(wend_crowd *crowd) {
    uint32_t free = 0;
    for (uint32_t at = crowd->free_first; at != UINT32_MAX; at = crowd->agents[at].next_free)
        if (at >= crowd->used || crowd->phase[at] != WEND__PHASE_ABSENT || free++ >= crowd->used) return false;
    if (free + crowd->count != crowd->used) return false;
    for (uint32_t i = 0; i < crowd->step_count; i++) crowd->stepping[i] = UINT32_MAX;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const uint32_t slot = crowd->agents[i].step_slot;
        const wend__agent_goal *goal = &crowd->agents[i].goal;
        if (crowd->phase[i] == WEND__PHASE_ABSENT) continue;
        if (goal->target.index >= crowd->used && goal->target.index > 0) return false;
        if (slot == 0) continue;
        if (slot > crowd->step_count || crowd->stepping[slot - 1] != UINT32_MAX) return false;
        crowd->stepping[slot - 1] = i;
    }
    return true;
}

void wend__save_agents(wend__crowd_save *c) {
    wend_crowd *crowd = c->crowd;
    uint32_t free_first = crowd->free_first + 1;
    wend__save_below(&c->save, &crowd->used, crowd->def.agents + UINT64_C(1));
    wend__save_below(&c->save, &free_first, crowd->used + UINT64_C(1));
    crowd->free_first = free_first - 1;
    (c->save.hash ? hash_slots : pass_slots)(c);
    if (c->save.reads && !c->save.bad) wend__save_check(&c->save, are_lists_sound(crowd) && are_names_sound(crowd));
    if (c->save.bad) crowd->used = 0;
}
