/* SPDX-License-Identifier: MIT */
/* The path of an agent: walked step by step, left by a push, joined again, replaced. */
#include "agents/plan/path.h"

#include "map/ground/ground.h"
#include "map/query/step_cost.h"
#include "map/version/version.h"

enum {
    CHECKED = 32, ///< steps ahead that are checked on a new version
    JOINED = 3,   ///< steps of the path that a pushed agent may skip
    FOUND = 64    ///< steps of a path among which a cell is searched
};

void wend__path_clear(wend_crowd *crowd, uint32_t index) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    wend__stored_path_clear(&crowd->paths, &path->stored);
    path->base = path->end = crowd->in_traffic[index].at;
    path->recent_count = 0;
    path->kind = WEND__PATH_NONE;
    path->changes++;
}

void wend__path_cut(wend_crowd *crowd, uint32_t index, uint32_t steps) {
    WEND__DEBUG_ASSERT(steps <= crowd->agents[index].path.stored.steps);
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    path->end = wend__path_cell_ahead(crowd, index, steps);
    wend__stored_path_truncate(&crowd->paths, &path->stored, steps);
}

wend_cell wend__path_next(const wend_crowd *crowd, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    if (path->recent_count > WEND__RECENT_CELLS) return path->base;
    if (path->recent_count > 0) return wend__path_cell(&crowd->paths, path->recent[path->recent_count - 1]);
    return wend__path_cell_ahead(crowd, index, 1);
}

/* Lists the cells straight ahead of a steered agent, as its likely next ones. Some may be off the map. */
static uint32_t cells_straight_on(const wend_map *map, const wend__traffic_agent *in_traffic, wend_cell *cells,
                                  uint32_t capacity) {
    const wend_cell to = in_traffic->next, d = wend__map_difference(map, in_traffic->at, to);
    const int32_t around_x = map->wrap & WEND_WRAP_X ? map->width : 0;
    const int32_t around_y = map->wrap & WEND_WRAP_Y ? map->height : 0;
    for (int32_t k = 0; k < (int32_t)capacity; k++)
        cells[k] = (wend_cell){wend__wrapped(to.x + k * d.x, around_x), wend__wrapped(to.y + k * d.y, around_y),
                               to.z + k * d.z};
    return capacity;
}

uint32_t wend__path_next_cells(void *context, uint32_t index, wend_cell *cells, uint32_t capacity) {
    const wend_crowd *crowd = context;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    if (in_traffic->steered) return cells_straight_on(crowd->def.map, in_traffic, cells, capacity);
    const wend__agent_path *path = &crowd->agents[index].path;
    uint32_t count = 0;
    const uint32_t known = path->recent_count <= WEND__RECENT_CELLS ? path->recent_count : 0;
    for (uint32_t k = known; k-- > 0 && count < capacity;)
        cells[count++] = wend__path_cell(&crowd->paths, path->recent[k]);
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    while (count < capacity && wend__path_reader_next(&reader)) cells[count++] = reader.cell;
    return count;
}

bool wend__path_rank(void *context, const wend__version *version, uint32_t index, const wend_cell *cells,
                     uint32_t count, uint32_t *ranks) {
    wend_crowd *crowd = context;
    if (crowd->agents[index].goal.kind == WEND__GOAL_NONE || wend__near_find(crowd, version, index) != WEND__NEAR_FOUND)
        return false;
    const wend__near_field *near = wend__near_own(crowd, index);
    for (uint32_t k = 0; k < count; k++) ranks[k] = wend__near_left(near, cells[k]);
    return true;
}

/* ---- walking ---- */

void wend__path_drop(wend_crowd *crowd, uint32_t index, uint32_t steps) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__agent_path *path = &agent->path;
    uint32_t *to_start = &agent->request.steps_to_start;
    *to_start = *to_start > steps ? *to_start - steps : 0;
    if (path->verified != UINT32_MAX) path->verified = path->verified > steps ? path->verified - steps : 0;
    if (steps > 0) agent->stall.stood = 0;
    while (steps-- > 0) wend__stored_path_pop(&crowd->paths, &path->stored);
}

bool wend__path_lead(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t passed,
                     const wend_cell *cells, uint32_t steps) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    const bool checked = path->revision == version->revision;
    const uint32_t stood = crowd->agents[index].stall.stood;
    if (!wend__stored_path_has_room(&crowd->paths, &path->stored, cells, steps)) return false;
    wend__path_drop(crowd, index, passed);
    wend__agent_touch(crowd, index)->stall.stood = stood; /* it has made no step */
    (void)wend__stored_path_lead(&crowd->paths, &path->stored, cells, steps);
    path->base = crowd->in_traffic[index].at;
    path->recent_count = 0;
    if (!checked)
        path->verified = 0;
    else if (path->verified != UINT32_MAX)
        path->verified += steps;
    return true;
}

void wend__path_follow(wend_crowd *crowd, uint32_t index) {
    wend__agent *agent = wend__agent_touch(crowd, index);
    wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    agent->left_cell = in_traffic->at;
    in_traffic->at = wend__path_next(crowd, index);
    in_traffic->from = in_traffic->next = in_traffic->at;
    wend__path_drop(crowd, index, 1);
    agent->path.base = in_traffic->at;
}

/* Drops the steps of the path that an agent off it has passed: its near field leads to a later one. Returns whether the
 * agent stands on the path again. */
static bool join_by_field(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    const wend__near_field *near = wend__near_own(crowd, index);
    const wend_cell at = crowd->in_traffic[index].at;
    const uint8_t left = wend__near_left(near, at);
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    wend_cell base = path->base;
    const uint32_t horizon = wend__near_horizon(crowd, version, index);
    uint32_t passed = 0;
    bool level = false, here = false;
    for (uint32_t k = 0; k <= horizon && !here; k++) {
        here = wend__same_cell(reader.cell, at);
        if (here || (!level && wend__near_left(near, reader.cell) <= left)) {
            level = true;
            base = reader.cell;
            passed = k;
        }
        if (!wend__path_reader_next(&reader)) break;
    }
    if (here)
        path->recent_count = 0;
    else if (passed > 0)
        path->recent_count = WEND__RECENT_CELLS + 1;
    wend__path_drop(crowd, index, passed);
    path->base = base;
    return here;
}

void wend__path_join_end(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    if (wend__near_left(wend__near_own(crowd, index), crowd->in_traffic[index].at) == 0)
        (void)join_by_field(crowd, version, index);
}

bool wend__path_step_began(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell before) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    wend_cell at = crowd->in_traffic[index].at;
    const bool known = path->recent_count > 0 && path->recent_count <= WEND__RECENT_CELLS;
    if (known && wend__path_number(&crowd->paths, at) == path->recent[path->recent_count - 1]) {
        path->recent_count--;
        return true;
    }
    if (path->recent_count == 0 && path->stored.steps > 0 && wend__same_cell(at, wend__path_next(crowd, index))) {
        wend__path_drop(crowd, index, 1);
        path->base = at;
        return true;
    }
    const wend__near_state near = wend__near_find(crowd, version, index);
    if (near == WEND__NEAR_FOUND && join_by_field(crowd, version, index)) return true;
    if (path->recent_count >= WEND__RECENT_CELLS) { /* too many cells since the path was left */
        path->recent_count = WEND__RECENT_CELLS + 1;
        return near != WEND__NEAR_NONE;
    }
    if (wend__step_cost(version, crowd->in_traffic[index].mover, at, before) == UINT64_MAX) return false;
    path->recent[path->recent_count++] = wend__path_number(&crowd->paths, before);
    return true;
}

void wend__path_step_taken_back(wend_crowd *crowd, uint32_t index, wend_cell to) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    if (path->recent_count < WEND__RECENT_CELLS)
        path->recent[path->recent_count++] = wend__path_number(&crowd->paths, to);
    else
        path->recent_count = WEND__RECENT_CELLS + 1;
}

/* With a single recent cell, the agent's next cell is that cell, and the path begins there. */
void wend__path_rejoin(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    uint32_t best = UINT32_MAX;
    wend_cell join = path->base;
    for (uint32_t k = 0; k <= JOINED; k++) {
        bool here = wend__same_cell(reader.cell, in_traffic->at);
        if (here || wend__step_cost(version, in_traffic->mover, in_traffic->at, reader.cell) != UINT64_MAX) {
            best = k;
            join = reader.cell;
        }
        if (here || !wend__path_reader_next(&reader)) break;
    }
    if (best == UINT32_MAX) return;
    wend__path_drop(crowd, index, best);
    path->base = join;
    path->recent_count = !wend__same_cell(join, in_traffic->at);
    path->recent[0] = wend__path_number(&crowd->paths, join);
}

uint32_t wend__path_open_steps(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t most) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const int32_t mover = crowd->in_traffic[index].mover;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    uint32_t steps = 0;
    for (wend_cell from = reader.cell; steps < most && wend__path_reader_next(&reader); steps++, from = reader.cell)
        if (wend__step_cost(version, mover, from, reader.cell) == UINT64_MAX) break;
    return steps;
}

uint32_t wend__path_check(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__agent_path *known = &crowd->agents[index].path;
    if (known->revision == version->revision && known->verified > 0) return UINT32_MAX;
    const uint32_t most = wend__crowd_work_begin(crowd, index, CHECKED) ? CHECKED : 1; /* the next step cannot wait */
    const uint32_t open = wend__path_open_steps(crowd, version, index, most);
    const bool whole = open == known->stored.steps;
    if (open < most && !whole) return open;
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    path->revision = version->revision;
    path->verified = whole ? UINT32_MAX : open;
    return UINT32_MAX;
}

/* ---- replacing ---- */

/* Finds where the answer meets the path: how many steps of the path stay, and how many cells of the answer are
 * skipped. A path may pass a cell twice, so the start of the search is tried first. */
static bool find_joint(const wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint32_t *stay,
                       size_t *passed) {
    const wend__agent_path *path = &crowd->agents[index].path;
    *stay = crowd->agents[index].request.steps_to_start;
    *passed = 0;
    if (*stay <= path->stored.steps && wend__same_cell(wend__path_cell_ahead(crowd, index, *stay), cells[0]))
        return true;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    for (*stay = 0; *stay <= FOUND; ++*stay) {
        if (wend__same_cell(reader.cell, cells[0])) return true;
        if (!wend__path_reader_next(&reader)) break;
    }
    for (*stay = 0; *passed < count && *passed <= FOUND; ++*passed)
        if (wend__same_cell(path->base, cells[*passed])) return true;
    return false;
}

/* Returns whether the path of an agent off it, or with a body, may begin elsewhere: its near field leads there. */
static bool may_begin_elsewhere(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    return crowd->def.map->kind == WEND_KIND_GRID &&
           (crowd->agents[index].path.recent_count > 0 || crowd->in_traffic[index].body) &&
           wend__cells_apart(crowd->def.map, crowd->in_traffic[index].at, cell) < WEND__NEAR_RADIUS;
}

bool wend__path_splice(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends) {
    wend__agent_path *path = &wend__agent_touch(crowd, index)->path;
    uint32_t stay;
    size_t passed;
    if (!find_joint(crowd, index, cells, count, &stay, &passed)) {
        if (!may_begin_elsewhere(crowd, index, cells[0])) return false;
        const wend_cell at = crowd->in_traffic[index].at;
        wend__path_clear(crowd, index);
        path->base = cells[0];
        path->recent_count = wend__same_cell(at, cells[0]) ? 0 : WEND__RECENT_CELLS + 1;
        stay = 0;
        passed = 0;
    }
    wend__stored_path_truncate(&crowd->paths, &path->stored, stay);
    path->kind = ends;
    path->changes++;
    path->end = cells[passed];
    path->revision = wend__map_revision(crowd->def.map);
    path->verified = 0; /* the service may have checked the answer on an older version */
    for (size_t i = passed; i + 1 < count; i++) {
        if (!wend__stored_path_append(&crowd->paths, &path->stored, cells[i], cells[i + 1])) {
            path->kind = WEND__PATH_PIECE;
            break;
        }
        path->end = cells[i + 1];
    }
    return true;
}

/* ---- leaps: LINK and LINK_AHEAD events, if wend_crowd_tuning.link_events has them ---- */

void wend__link_tell_begun(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                           wend_cell to) {
    if (wend__step_is_leap(version, crowd->in_traffic[index].mover, from, to))
        wend__events_add_link(crowd, index, from, to, 0);
}

/* Handles an agent off its path: its next cells are its way back. */
void wend__link_tell_ahead(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend__agent_path *path = &crowd->agents[index].path;
    const bool on_path = path->recent_count == 0 && wend__same_cell(path->base, in_traffic->at);
    if (in_traffic->steered || !on_path || path->stored.steps == 0) return;
    const wend_cell next = wend__path_next(crowd, index);
    if (wend__step_is_leap(version, in_traffic->mover, in_traffic->at, next))
        wend__events_add_link(crowd, index, in_traffic->at, next, 1);
}
