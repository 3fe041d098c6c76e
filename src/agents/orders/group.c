/* SPDX-License-Identifier: MIT */
/* Places for a group: the free ones by cost from the goal, for one mover after another, large ones first, and for each
 * part of the map with members. */
#include "agents/orders/goal.h"

#include "agents/orders/march.h"
#include "agents/plan/stations.h"
#include "agents/plan/strays.h"
#include "agents/state/flows.h"
#include "agents/state/free_places.h"
#include "map/components/components.h"
#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/sort.h"
#include "map/version/occupancy.h"
#include "map/version/version.h"

#include <string.h>

/// The search for places, mover by mover.
typedef struct place_order {
    wend_crowd *crowd;
    const wend_crowd_goal *def;
    const wend_agent_id *ids;
    uint32_t count;
    const wend__version *version;
    int32_t mover;
    wend__member_place place; ///< place of the mover
} place_order;

static bool mark_members(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count) {
    const uint32_t number = ++crowd->group.order_number;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *named = &wend__agent_touch(crowd, ids[i].index)->group_order;
        if (*named == number) return false;
        *named = number;
    }
    return true;
}

static bool is_taken(void *context, wend_cell cell) {
    place_order *o = context;
    return wend__member_place_taken(&o->place, cell);
}

/* Reserves a place for a member, so that no other member gets it. */
static void reserve(void *context, wend_cell cell, size_t number) {
    const place_order *o = context;
    const uint32_t member = o->crowd->group.members[number];
    wend__traffic_reserve(o->crowd->traffic, o->ids[member].index, cell);
}

/* Selects the next mover: the largest first, then by number. Returns false if there are no more. */
static bool next_mover(place_order *o) {
    int32_t mover = -1, size = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const wend__traffic_agent *t = &o->crowd->in_traffic[o->ids[i].index];
        const int32_t before = o->place.size;
        bool later = o->mover < 0 || t->size < before || (t->size == before && t->mover > o->mover);
        if (later && (t->size > size || (t->size == size && t->mover < mover))) mover = t->mover, size = t->size;
    }
    o->mover = mover;
    o->place = (wend__member_place){o->crowd, size, o->version->kind == WEND_KIND_VOXEL ? size : 1};
    return mover >= 0;
}

/* Gives members their places. Those without one get the goal cell and go as near as they can. */
static void give_places(place_order *o, uint32_t members, uint32_t places, wend_cell cell, bool ends_partial,
                        uint8_t flow) {
    wend__group_buffers *group = &o->crowd->group;
    for (uint32_t i = 0; i < members; i++) {
        const uint32_t place = group->place_of[i], agent = group->members[i];
        group->goals[agent] = place < places ? group->places[place] : cell;
        group->ends_partial[agent] = place < places && ends_partial;
        group->placed[agent] = true;
        group->flows[agent] = flow;
    }
}

/* Returns a number for the cells from which the same places can be reached; 0 inside a wall, where all can. */
static uint64_t part_of(const place_order *o, wend_cell cell) {
    const wend__version *view = wend__version_view(o->version, o->mover);
    return wend__cell_factor(view, cell) ? wend__component_name(view, cell) + 1 : 0;
}

/* Lists the mover's unplaced members that are connected with the first of them. Returns false if there are none. */
static bool list_connected(const place_order *o, uint32_t *members) {
    wend__group_buffers *group = &o->crowd->group;
    uint64_t part = 0;
    *members = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const wend__traffic_agent *t = &o->crowd->in_traffic[o->ids[i].index];
        if (t->mover != o->mover || group->placed[i]) continue;
        const uint64_t own = *members == 0 || part ? part_of(o, t->at) : 0;
        if (*members == 0) part = own;
        if (own && part != own) continue;
        group->members[*members] = i;
        group->starts[(*members)++] = t->at;
    }
    return *members > 0;
}

/* Returns whether a member has costs by place, which fields do not contain. */
static bool minds_layers(const place_order *o, uint32_t members) {
    for (uint32_t i = 0; i < members; i++)
        if (o->crowd->agents[o->ids[o->crowd->group.members[i]].index].profile != WEND_PROFILE_NONE) return true;
    return false;
}

/* Claims a field to the centre of the places, if there are enough members. */
static uint8_t claim_field(const place_order *o, wend_cell centre, uint32_t members, uint32_t places) {
    const wend__group_buffers *group = &o->crowd->group;
    uint32_t apart = 0;
    int32_t urgency = WEND_URGENCY_MIN;
    if (minds_layers(o, members)) return 0;
    for (uint32_t i = 0; i < places; i++) {
        const uint32_t cells = wend__cells_apart(o->crowd->def.map, centre, group->places[i]);
        if (cells > apart) apart = cells;
    }
    for (uint32_t i = 0; i < members; i++)
        urgency = wend__most(urgency, o->crowd->agents[o->ids[group->members[i]].index].urgency);
    return wend__flow_claim(o->crowd, members, o->mover, centre, apart, urgency);
}

/* ---- assignment ---- */

enum { MOST_EXCHANGING = 512, MOST_PAIRS = 131072 }; ///< members; comparisons: all pairs of that many members once

static int32_t coordinate(wend_cell cell, unsigned axis) {
    return axis == 0 ? cell.x : axis == 1 ? cell.y : cell.z;
}

/* Returns the extent along an axis. The low 32 bits of a key are an index in `cells`. */
static int64_t extent(const wend_cell *cells, const uint64_t *keys, uint32_t from, uint32_t to, unsigned axis) {
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (uint32_t i = from; i < to; i++) {
        int32_t x = coordinate(cells[(uint32_t)keys[i]], axis);
        least = wend__least(least, x);
        most = wend__most(most, x);
    }
    return (int64_t)most - least;
}

/* Puts the lowest keys along an axis before `middle`: quickselect (Hoare 1961), without a branch that mispredicts. */
static void split_along(const wend_cell *cells, uint64_t *keys, uint64_t *scratch, uint32_t from, uint32_t middle,
                        uint32_t to, unsigned axis) {
    enum { FEW = 8, MOST_ROUNDS = 64 };
    for (uint32_t i = from; i < to; i++) {
        uint32_t number = (uint32_t)keys[i];
        keys[i] = (uint64_t)(uint32_t)coordinate(cells[number], axis) << 32 | number;
    }
    for (uint32_t round = 0; round < MOST_ROUNDS && to - from > FEW; round++) {
        const uint64_t a = keys[from], b = keys[from + (to - from) / 2], c = keys[to - 1];
        const uint64_t pivot = (a < b) == (b < c) ? b : (b < a) == (a < c) ? a : c;
        uint32_t lower = from;
        for (uint32_t i = from; i < to; i++) {
            const uint64_t key = keys[i];
            keys[i] = keys[lower];
            keys[lower] = key;
            lower += key < pivot;
        }
        *(middle < lower ? &to : &from) = lower;
    }
    wend__sort_numbers(keys + from, scratch, to - from);
}

static void assign_halves(wend__group_buffers *group, uint32_t from, uint32_t to) {
    if (to - from == 1) {
        group->place_of[(uint32_t)group->keys[0][from]] = (uint32_t)group->keys[1][from];
        return;
    }
    unsigned axis = 0;
    int64_t widest = -1;
    for (unsigned i = 0; i < 3; i++) {
        int64_t wide =
            extent(group->starts, group->keys[0], from, to, i) + extent(group->places, group->keys[1], from, to, i);
        if (wide > widest) axis = i, widest = wide;
    }
    const uint32_t middle = from + (to - from) / 2;
    split_along(group->starts, group->keys[0], group->scratch, from, middle, to, axis);
    split_along(group->places, group->keys[1], group->scratch, from, middle, to, axis);
    assign_halves(group, from, middle);
    assign_halves(group, middle, to);
}

static uint64_t squared(wend_cell a, wend_cell b) {
    const uint64_t x = wend__distance(a.x, b.x), y = wend__distance(a.y, b.y), z = wend__distance(a.z, b.z);
    return x * x + y * y + z * z;
}

/* Lets two members exchange their places if that shortens their ways. Returns whether they did. */
static bool try_exchange(wend__group_buffers *group, uint32_t a, uint32_t b) {
    const wend_cell *to_a = &group->places[group->place_of[a]], *to_b = &group->places[group->place_of[b]];
    uint64_t now = squared(group->starts[a], *to_a) + squared(group->starts[b], *to_b);
    if (squared(group->starts[a], *to_b) + squared(group->starts[b], *to_a) >= now) return false;
    uint32_t place = group->place_of[a];
    group->place_of[a] = group->place_of[b];
    group->place_of[b] = place;
    return true;
}

/* Writes cells as they lie round a centre, which may be beyond the rim. */
static void unroll(const wend__version *version, wend_cell centre, wend_cell *cells, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell way = wend__ground_difference(version, centre, cells[i]);
        cells[i] = (wend_cell){centre.x + way.x, centre.y + way.y, centre.z + way.z};
    }
}

static void roll_up(const wend__version *version, wend_cell *cells, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) cells[i] = wend__wrapped_cell(version, cells[i]);
}

static void assign_places(wend__group_buffers *group, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) group->keys[0][i] = group->keys[1][i] = i;
    if (count == 0) return;
    assign_halves(group, 0, count);
    if (count > MOST_EXCHANGING) return;
    uint32_t pairs = 0;
    for (bool better = true; better;) {
        better = false;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = a + 1; b < count; b++) {
                if (++pairs > MOST_PAIRS) return;
                if (try_exchange(group, a, b)) better = true;
            }
    }
}

/* ---- formations ---- */

/* Returns the formation, turned from the middle of the members towards the cell; east if both are the same. */
static wend__formation formation_of(const place_order *o, uint32_t members, wend_cell cell) {
    const wend_cell *starts = o->crowd->group.starts;
    wend__formation formation = {.as = o->def->formation,
                                 .members = members,
                                 .apart = wend__most((int32_t)o->def->spacing, o->place.size),
                                 .dx = 1};
    int64_t x = 0, y = 0;
    for (uint32_t i = 0; i < members; i++) {
        const wend_cell way = wend__ground_difference(o->version, starts[i], cell);
        x += way.x, y += way.y;
    }
    wend__formation_turn(&formation, x, y);
    return formation;
}

/* Finds a free place at each station, or as near to it as possible, and reserves the place. Returns their number. */
static uint32_t find_stations(place_order *o, const wend__places_search *search, const wend__formation *formation,
                              wend_cell cell, uint32_t members) {
    wend__group_buffers *group = &o->crowd->group;
    wend__places_search at = *search;
    at.give = NULL; /* one place at a time */
    uint32_t found = 0;
    for (uint32_t i = 0; i < members; i++) {
        at.goal = wend__wrapped_cell(o->version, wend__formation_cell(formation, cell, i));
        wend_cell centre;
        if (!wend__on_map(o->version, at.goal.x, at.goal.y) || !wend__places_centre(&at, &centre)) continue;
        if (wend__places_find(&at, centre, &group->places[found], 1) == 0) continue;
        reserve(o, group->places[found], found);
        found++;
    }
    const uint32_t formed = found; /* the other members stand round the goal */
    found += (uint32_t)wend__places_find(&at, cell, group->places + found, members - found);
    for (uint32_t i = formed; i < found; i++) reserve(o, group->places[i], i);
    return found;
}

/* ---- the order ---- */

static void place_members(place_order *o, wend_cell cell, uint32_t members) {
    wend__group_buffers *group = &o->crowd->group;
    const bool formed = o->def->formation != WEND_AS_CROWD;
    const wend__places_search search = {.flood = group->flood,
                                        .version = o->version,
                                        .mover = o->mover,
                                        .goal = cell,
                                        .from = group->starts[0],
                                        .taken = is_taken,
                                        .give = o->place.size > 1 || members < o->count ? reserve : NULL,
                                        .context = o};
    wend_cell centre = cell;
    uint32_t places = 0;
    const bool reached = wend__places_centre(&search, &centre);
    const wend__formation formation = formation_of(o, members, centre);
    if (reached)
        places = formed ? find_stations(o, &search, &formation, centre, members)
                        : (uint32_t)wend__places_find(&search, centre, group->places, members);
    for (uint32_t i = places; i < members; i++) group->places[i] = centre;
    const bool wraps = wend__wraps(o->version);
    if (wraps) unroll(o->version, centre, group->starts, members), unroll(o->version, centre, group->places, members);
    assign_places(group, members);
    if (wraps) roll_up(o->version, group->starts, members), roll_up(o->version, group->places, members);
    const bool partial = !wend__same_cell(centre, cell), marches = formed && places == members && members > 1;
    const uint8_t march = marches ? wend__march_claim(o->crowd, &formation, o->mover) : 0;
    give_places(o, members, places, cell, partial, march ? 0 : claim_field(o, centre, members, places));
    for (uint32_t i = 0; i < members; i++)
        group->marches[group->members[i]] = march, group->stations[group->members[i]] = group->place_of[i];
}

bool wend__group_places(wend_crowd *crowd, const wend_agent_id *ids, uint32_t count, const wend_crowd_goal *def) {
    if (!mark_members(crowd, ids, count)) return false;
    for (uint32_t i = 0; i < count; i++) wend__flow_leave(crowd, &wend__agent_touch(crowd, ids[i].index)->goal);
    wend__version *version = wend__map_newest(crowd->def.map);
    place_order o = {.crowd = crowd, .def = def, .ids = ids, .count = count, .version = version, .mover = -1};
    memset(crowd->group.placed, false, count);
    for (uint32_t i = 0; i < count; i++)
        if (crowd->agents[ids[i].index].wary) wend__strays_decide(crowd, version, ids[i].index, def->cell);
    while (next_mover(&o))
        for (uint32_t members; list_connected(&o, &members);) place_members(&o, def->cell, members);
    for (uint32_t i = 0; i < count; i++) wend__traffic_unreserve(crowd->traffic, ids[i].index);
    wend__map_release(version, false);
    return true;
}
