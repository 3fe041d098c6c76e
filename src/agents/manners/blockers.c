/* SPDX-License-Identifier: MIT */
/* Obstacles of a step: agents, units of the host, and steps that it would cross. */
#include "agents/floor/unfolded.h"
#include "agents/manners/traffic_state.h"
#include "map/ground/ground.h"
#include "map/links/links.h"
#include "map/links/sheet_table.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

#include <stdlib.h>

bool wend__traffic_leaps(const wend__traffic *t, wend_cell a, wend_cell b) {
    if (!wend__traffic_jumps(t, a, b)) return false;
    if (!t->map->sheets) return true;
    const wend_cell d = wend__map_apart(t->map, a, b);
    return abs(d.x) > 1 || abs(d.y) > 1 || (d.x == 0 && d.y == 0);
}

/* Returns whether two small discs change places by straight steps: they have room side by side. */
static bool are_small_in_swap(const wend__traffic *t, int32_t a, wend_cell a_to, int32_t b, wend_cell b_from,
                              wend_cell b_to) {
    const wend_cell at = t->agents[a].at;
    if (!wend__same_cell(at, b_to) || !wend__same_cell(a_to, b_from) || (a_to.x != at.x && a_to.y != at.y))
        return false;
    if (!t->agents[a].body || !t->agents[b].body || wend__traffic_leaps(t, at, a_to)) return false;
    return wend__body_is_small(wend__bodies_get(t->discs, (uint32_t)a)) &&
           wend__body_is_small(wend__bodies_get(t->discs, (uint32_t)b));
}

bool wend__steps_cross(const wend__traffic *t, int32_t a, wend_cell a_to, int32_t b, wend_cell b_from, wend_cell b_to) {
    const wend__traffic_agent *one = &t->agents[a], *two = &t->agents[b];
    if (wend__same_cell(b_from, b_to)) return false;
    if (WEND__UNLIKELY(t->discs != NULL) && are_small_in_swap(t, a, a_to, b, b_from, b_to)) return false;
    if (t->kind == WEND_KIND_GRAPH) return wend__same_cell(one->at, b_to) && wend__same_cell(a_to, b_from);
    if (wend__traffic_leaps(t, one->at, a_to) || wend__traffic_leaps(t, b_from, b_to)) return false;
    /* Computes twice the distance of their centres half-way. Steps cross if the places overlap by over half a cell. */
    int32_t s = one->size, u = two->size, near = s + u - 1;
    const wend_cell from = wend__map_apart(t->map, one->at, b_from), own = wend__map_apart(t->map, one->at, a_to),
                    step = wend__map_apart(t->map, b_from, b_to);
    return abs(2 * from.x + step.x - own.x + u - s) < near && abs(2 * from.y + step.y - own.y + u - s) < near &&
           abs(2 * from.z + step.z - own.z + (t->kind == WEND_KIND_VOXEL ? u - s : 0)) < near;
}

/* Returns the agent on its way to `cell`, claimed or under way, across a step; WEND__NO_AGENT: none. */
static int32_t crossed_at(const wend__traffic *t, int32_t i, wend_cell to, wend_cell cell) {
    wend__cell_owners cover = wend__places_at(&t->places, cell);
    int32_t j = cover.claimer;
    if (j >= 0 && j != i && wend__steps_cross(t, i, to, j, t->agents[j].at, cell)) return j;
    j = cover.holder;
    return j >= 0 && j != i && wend__steps_cross(t, i, to, j, t->agents[j].from, t->agents[j].at) ? j : WEND__NO_AGENT;
}

static bool crosses_at(const wend__traffic *t, int32_t i, wend_cell to, wend_cell cell) {
    return crossed_at(t, i, to, cell) != WEND__NO_AGENT;
}

/* The same with large agents: a step that crosses this one ends on the same place or next to it. */
static bool crosses_near(const wend__traffic *t, int32_t i, wend_cell to) {
    int32_t size = t->agents[i].size, up = t->kind == WEND_KIND_VOXEL;
    wend_cell low = {to.x - 1, to.y - 1, to.z - up}, high = {to.x + size, to.y + size, to.z + up * size}, c;
    WEND__EACH_CELL(c, low, high) {
        wend__cell_owners cover = wend__places_at(&t->places, c);
        int32_t j = cover.claimer, k = cover.holder;
        if (j >= 0 && j != i &&
            wend__steps_cross(t, i, to, j, t->agents[j].at, wend__places_claimed(&t->places, j)->cell))
            return true;
        if (k >= 0 && k != i && wend__steps_cross(t, i, to, k, t->agents[k].from, t->agents[k].at)) return true;
    }
    return false;
}

/* The same on a map with sheets, for agents of size 1. The other step ends at another corner of the box of a diagonal
 * step: next to it in the same sheet, or beyond a seam. */
static int32_t crossed_among_sheets(const wend__traffic *t, const wend__version *v, int32_t i, wend_cell to) {
    const wend_cell from = t->agents[i].at, d = wend__map_apart(t->map, from, to);
    int32_t j = WEND__NO_AGENT;
    if (abs(d.x) != 1 || abs(d.y) != 1) return j;
    const wend_cell corners[2] = {{from.x + d.x, from.y, 0}, {from.x, from.y + d.y, 0}};
    for (int k = 0; k < 2 && j == WEND__NO_AGENT; k++)
        if (wend__on_map(v, corners[k].x, corners[k].y)) j = crossed_at(t, i, to, corners[k]);
    uint32_t count = 0;
    const wend__link *links = v->links ? wend__links_from(v->links, wend__cell_number(v, from), &count) : NULL;
    for (uint32_t k = 0; k < count && j == WEND__NO_AGENT; k++) {
        const wend_cell end = wend__cell_of_number(v, links[k].to), e = wend__map_apart(t->map, from, end);
        const bool corner = (e.x == d.x && e.y == 0) || (e.x == 0 && e.y == d.y);
        if (corner && links[k].cost == WEND__SHEET_SEAM) j = crossed_at(t, i, to, end);
    }
    return j;
}

/* The same with agents of size 1, apart from swaps: a diagonal step crosses only steps that end in another
 * corner of the box of its two cells. */
bool wend__traffic_crosses_corner(const wend__traffic *t, int32_t i, wend_cell to) {
    wend_cell from = t->agents[i].at;
    if (WEND__UNLIKELY(t->map->sheets != NULL)) return crossed_among_sheets(t, t->version, i, to) != WEND__NO_AGENT;
    if (t->kind == WEND_KIND_GRAPH || wend__traffic_jumps(t, from, to)) return false;
    if ((from.x == to.x) + (from.y == to.y) + (from.z == to.z) == 2) return false;
    if (WEND__UNLIKELY(abs(from.x - to.x) > 1 || abs(from.y - to.y) > 1)) /* over the rim of a flat map */
        return crosses_at(t, i, to, (wend_cell){from.x, to.y, 0}) || crosses_at(t, i, to, (wend_cell){to.x, from.y, 0});
    wend_cell low = {wend__least(from.x, to.x), wend__least(from.y, to.y), wend__least(from.z, to.z)};
    wend_cell high = {wend__most(from.x, to.x), wend__most(from.y, to.y), wend__most(from.z, to.z)}, c;
    WEND__EACH_CELL(c, low, high)
        if (!wend__same_cell(c, to) && !wend__same_cell(c, from) && crosses_at(t, i, to, c)) return true;
    return false;
}

/* Returns whether two discs swap: over a link, where both leap, or small ones side by side.
 * @param to   the cell that j leaves */
static bool may_swap(const wend__traffic *t, int32_t i, wend_cell to, int32_t j) {
    const wend_cell back = wend__places_claimed(&t->places, j)->cell;
    if (!t->agents[i].body || !t->agents[j].body) return false;
    if (wend__traffic_leaps(t, t->agents[i].at, to)) return wend__same_cell(back, t->agents[i].at);
    return are_small_in_swap(t, i, to, j, to, back);
}

/* Returns whether the steps of j and of those whose places it enters lead to a place of i, if any of them has a body.
 * @param left   how many steps are looked at */
static bool leads_to(const wend__traffic *t, int32_t i, int32_t j, bool discs, uint32_t *left) {
    const wend__held_place *claimed = wend__places_claimed(&t->places, j);
    wend_cell last = wend__traffic_last(t, claimed->cell, claimed->size), c;
    if (*left == 0) return false;
    --*left;
    discs |= t->agents[j].body;
    WEND__EACH_CELL(c, claimed->cell, last) {
        const int32_t next = wend__places_at(&t->places, c).holder;
        if (next == i && discs) return true;
        if (next < 0 || next == i || next == j || !wend__traffic_moves(t, next)) continue;
        if (leads_to(t, i, next, discs, left)) return true;
    }
    return false;
}

/* Returns whether a step into the cell that j leaves would close a circle with a disc: discs never move in circles.
 * Two may swap. */
static bool closes_circle(const wend__traffic *t, int32_t i, wend_cell to, int32_t j) {
    uint32_t left = t->claimed_count + 1;
    if (!wend__traffic_moves(t, j) || may_swap(t, i, to, j)) return false;
    return leads_to(t, i, j, t->agents[i].body, &left);
}

/* ---- diagonals of discs ---- */

/* Returns where a corner cell of a diagonal step lies from its own cell. A large agent has two such cells as well.
 * @param second   the corner along y */
static wend_cell corner_off(wend_cell way, int32_t size, bool second) {
    const int32_t x = way.x > 0 ? size : -1, y = way.y > 0 ? size : -1;
    return second ? (wend_cell){way.x > 0 ? 0 : size - 1, y, 0} : (wend_cell){x, way.y > 0 ? 0 : size - 1, 0};
}

/* Returns whether a cell is a corner of an agent's step, if that is the diagonal one of a disc. */
static bool is_corner_of(const wend__traffic *t, int32_t agent, wend_cell from, wend_cell to, wend_cell cell) {
    if (!t->agents[agent].body) return false;
    if (!t->map->sheets && (from.x == to.x || from.y == to.y)) return false;
    const wend_cell way = wend__map_apart(t->map, from, to), off = wend__map_apart(t->map, from, cell);
    if (!way.x || !way.y || !wend__is_unit(way.x) || !wend__is_unit(way.y)) return false;
    const int32_t size = t->agents[agent].size;
    const wend_cell first = corner_off(way, size, false), second = corner_off(way, size, true);
    return wend__same_cell(off, first) || wend__same_cell(off, second);
}

/* Finds the cell next to another one in a straight direction. Returns false if there is none. */
static bool find_neighbour(const wend__version *version, wend_cell cell, unsigned d, wend_cell *to) {
    if (WEND__UNLIKELY(version->sheets != NULL)) return wend__unfolded_step(version, cell, d, to);
    *to = wend__wrapped_cell(version, (wend_cell){cell.x + wend__dx[d], cell.y + wend__dy[d], 0});
    return true;
}

bool wend__traffic_is_corner(const wend__traffic *t, const wend__version *version, uint32_t index, wend_cell cell) {
    const int32_t i = (int32_t)index;
    for (unsigned d = 0; d < WEND__NE; d++) {
        wend_cell to;
        if (!find_neighbour(version, cell, d, &to)) continue;
        const wend__cell_owners cover = wend__places_at(&t->places, to);
        const int32_t j = cover.holder, k = cover.claimer;
        if (j >= 0 && j != i && is_corner_of(t, j, t->agents[j].from, t->agents[j].at, cell)) return true;
        if (k >= 0 && k != i && is_corner_of(t, k, t->agents[k].at, wend__places_claimed(&t->places, k)->cell, cell))
            return true;
    }
    return false;
}

/* Returns whether a corner of a disc's diagonal is open ground without holder, claim, unit or another diagonal. */
static bool is_corner_free(const wend__traffic *t, const wend__version *version, int32_t i, wend_cell to, bool second) {
    const wend__traffic_agent *agent = &t->agents[i];
    wend_cell corner; /* of an agent of more than a cell, its own cell there */
    if (!wend__find_corner(wend__version_view(version, agent->mover), agent->at, to, second, &corner)) return false;
    if (wend__step_cost(version, agent->mover, agent->at, corner) == UINT64_MAX ||
        wend__step_cost(version, agent->mover, corner, to) == UINT64_MAX)
        return false;
    if (agent->size > 1) {
        const wend_cell off = corner_off(wend__map_apart(t->map, agent->at, to), agent->size, second);
        corner = (wend_cell){agent->at.x + off.x, agent->at.y + off.y, 0};
    }
    const wend__cell_owners cover = wend__places_at(&t->places, corner);
    if ((cover.holder >= 0 && cover.holder != i) || (cover.claimer >= 0 && cover.claimer != i)) return false;
    if (t->window && wend__window_number(t->window, corner) != WEND__WINDOW_NONE) return false;
    const uint32_t units = wend__map_occupants(t->map, corner);
    return (units == 0 || units <= wend__traffic_units_left(t, i, corner)) &&
           !wend__traffic_is_corner(t, version, (uint32_t)i, corner);
}

bool wend__traffic_diagonal_is_free(const wend__traffic *t, const wend__version *version, uint32_t index,
                                    wend_cell to) {
    return is_corner_free(t, version, (int32_t)index, to, false) &&
           is_corner_free(t, version, (int32_t)index, to, true);
}

/* Returns whether a step is a diagonal on which a disc has no room. */
static bool is_narrow_diagonal(const wend__traffic *t, int32_t i, wend_cell to) {
    if (!t->agents[i].body) return false;
    const wend_cell way = wend__map_apart(t->map, t->agents[i].at, to);
    if (!(way.x && way.y && wend__is_unit(way.x) && wend__is_unit(way.y))) return false;
    return !wend__traffic_diagonal_is_free(t, t->version, (uint32_t)i, to);
}

/* ---- blockers ---- */

/* Returns the obstacle in one cell with these owners. */
static int32_t blocker_of_cover(const wend__traffic *t, int32_t i, wend_cell cell, wend__cell_owners cover) {
    int32_t j = cover.holder;
    if (WEND__UNLIKELY(t->window != NULL) && wend__window_number(t->window, cell) != WEND__WINDOW_NONE)
        return WEND__BLOCKER_LATER;
    if (cover.claimer >= 0)
        return t->priorities[cover.claimer].reached_by == t->pushes ? WEND__BLOCKER_CLOSED : WEND__BLOCKER_LATER;
    if (j == i) return WEND__BLOCKER_NONE;
    bool stays = j >= 0 && !wend__traffic_moves(t, j);
    if (stays && (wend__traffic_spares(t, i, j) || wend__traffic_spares(t, t->root, j))) return WEND__BLOCKER_LATER;
    if (stays && t->agents[j].parked) return WEND__BLOCKER_CLOSED;
    if (WEND__UNLIKELY(t->discs != NULL) && j >= 0 && !stays && closes_circle(t, i, cell, j))
        return WEND__BLOCKER_CLOSED;
    if (stays && (!t->agents[j].ready || t->priorities[j].refused_in == t->decision)) return WEND__BLOCKER_LATER;
    const uint32_t own = j >= 0 && t->priorities[j].counted, units = wend__map_occupants(t->map, cell);
    if (units > own && units > own + wend__traffic_units_left(t, i, cell)) return WEND__BLOCKER_CLOSED;
    return stays ? j : WEND__BLOCKER_NONE;
}

/* wend__traffic_blocker() for agents of size 1. */
static int32_t blocker_of_one(const wend__traffic *t, int32_t i, wend_cell to) {
    wend__cell_owners cover = wend__places_at(&t->places, to);
    int32_t blocker = blocker_of_cover(t, i, to, cover), j = cover.holder;
    if (blocker <= WEND__BLOCKER_LATER) return blocker;
    if (WEND__UNLIKELY(t->discs != NULL) && wend__traffic_is_corner(t, t->version, (uint32_t)i, to))
        return WEND__BLOCKER_LATER;
    bool swaps = j >= 0 && wend__traffic_moves(t, j) &&
                 wend__steps_cross(t, i, to, j, to, wend__places_claimed(&t->places, j)->cell);
    if (swaps || wend__traffic_crosses_corner(t, i, to)) return WEND__BLOCKER_LATER;
    return wend__traffic_touches(t, i, to) ? WEND__BLOCKER_LATER : blocker;
}

int32_t wend__traffic_blocker(const wend__traffic *t, int32_t i, wend_cell to) {
    if (WEND__UNLIKELY(t->discs != NULL) && is_narrow_diagonal(t, i, to)) return WEND__BLOCKER_CLOSED;
    if (WEND__UNLIKELY(t->discs != NULL) && !wend__traffic_vehicle_leads(t, i, to)) return WEND__BLOCKER_CLOSED;
    if (WEND__UNLIKELY(t->discs != NULL) && wend__traffic_meets_vehicle(t, i, to)) return WEND__BLOCKER_LATER;
    if (WEND__LIKELY(!wend__places_any_large(&t->places))) return blocker_of_one(t, i, to);
    wend_cell last = wend__traffic_last(t, to, t->agents[i].size), c;
    int32_t blocker = WEND__BLOCKER_NONE;
    WEND__EACH_CELL(c, to, last) {
        int32_t j = blocker_of_cover(t, i, c, wend__places_at(&t->places, c));
        if (j <= WEND__BLOCKER_LATER) return j;
        if (WEND__UNLIKELY(t->discs != NULL) && wend__traffic_is_corner(t, t->version, (uint32_t)i, c))
            return WEND__BLOCKER_LATER;
        if (j >= 0) blocker = blocker == WEND__BLOCKER_NONE || blocker == j ? j : WEND__BLOCKER_SEVERAL;
    }
    bool crosses = t->kind == WEND_KIND_GRAPH || wend__traffic_jumps(t, t->agents[i].at, to)
                       ? crosses_at(t, i, to, t->agents[i].at)
                       : crosses_near(t, i, to);
    if (WEND__UNLIKELY(t->map->sheets != NULL))
        crosses = crosses || crosses_at(t, i, to, t->agents[i].at) || crossed_among_sheets(t, t->version, i, to) >= 0;
    return crosses || wend__traffic_touches(t, i, to) ? WEND__BLOCKER_LATER : blocker;
}

int32_t wend__traffic_crossed(const wend__traffic *t, const wend__version *version, uint32_t index, wend_cell to) {
    const int32_t i = (int32_t)index, size = t->agents[i].size, up = t->kind == WEND_KIND_VOXEL;
    if (t->kind == WEND_KIND_GRAPH || wend__traffic_leaps(t, t->agents[i].at, to)) return WEND__NO_AGENT;
    if (t->map->sheets && size == 1) return crossed_among_sheets(t, version, i, to);
    wend_cell low = {to.x - 1, to.y - 1, to.z - up}, high = {to.x + size, to.y + size, to.z + up * size}, c;
    WEND__EACH_CELL(c, low, high) {
        const int32_t j = wend__places_at(&t->places, c).holder;
        if (j >= 0 && j != i && wend__steps_cross(t, i, to, j, t->agents[j].from, t->agents[j].at)) return j;
    }
    return WEND__NO_AGENT;
}
