/* SPDX-License-Identifier: MIT */
/* Decides which requests jump search with stops serves. */
#include "fast/jump_stops/stop_search.h"
#include "fast/tables/jumps.h"
#include "map/ground/within.h"
#include "map/movers/views.h"
#include "fast/stops/units.h"
#include "search/grid/grid_astar.h"
#include "fast/jump/grid_jump_choice.h"
#include "fast/jump_stops/stop_nodes.h"

/* A diagonal across the map, then straight, over the most expensive ground, into a unit's cell. */
uint64_t wend__stop_dearest(const wend__version *view) {
    return wend__jump_dearest(view) * (view->max_factor > 1 ? view->max_factor : 1) + 2 * WEND_MAX_COST;
}

/* Returns whether the tables hold under the map's rules: not on hexagons. With 4 neighbours they have no stops. */
static bool serves_rules(const wend__version *version, const wend__version *view) {
    if (view->rules.neighbours != 4) return view->rules.corners == WEND_CORNERS_NEVER;
    return view->max_factor <= 1 && view->closed_steps == 0 && !version->links;
}

/* Grids with the tables' rules, and with costs that fit. */
static bool serves_map(const wend__version *version, const wend__version *view) {
    if (!serves_rules(version, view)) return false;
    if ((uint64_t)view->block_columns * (uint64_t)view->block_rows > WEND__JUMP_BLOCKS) return false;
    return wend__stop_dearest(view) < WEND__STOP_G_MAX / 2;
}

/* Units are seen where the map keeps their marks. */
static bool serves_units(const wend__version *version, const wend__request *request) {
    if (request->occupied == WEND_OCCUPIED_IGNORE) return true;
    return wend__units_serve(version->map) && version->rules.neighbours == 8 &&
           wend__version_mover_size(version, request->mover) == 1;
}

static bool box_fits(const wend__version *v, wend_cell cell, int32_t by) {
    return (!v->around_x || (cell.x >= by && cell.x < v->width - by)) &&
           (!v->around_y || (cell.y >= by && cell.y < v->height - by));
}

/* Returns whether the cells within reach of a goal lie in its sheet, and fill their box there. */
static bool keeps_to_sheet(const wend__version *v, wend_cell goal, int32_t reach) {
    const wend_cell low = {wend__most(goal.x - reach, 0), wend__most(goal.y - reach, 0), 0};
    const wend_cell high = {wend__least(goal.x + reach, v->width - 1), wend__least(goal.y + reach, v->height - 1), 0};
    const bool known = wend__sheet_part_of(v, goal)->sheet > 0;
    if (!known || !wend__one_sheet(v, goal, low) || !wend__one_sheet(v, goal, high)) return false;
    return wend__is_one_part(v, goal, reach);
}

static bool serves_sheets(const wend__version *version, const wend__request *request) {
    if (request->reach == 0) return true;
    for (uint32_t i = 0; i < request->more_goal_count; i++)
        if (!keeps_to_sheet(version, request->more_goals[i], request->reach)) return false;
    return keeps_to_sheet(version, request->goal, request->reach);
}

/* Boxes of goals and of units are those of the map: no cell of them lies over its rim. */
static bool serves_boxes(const wend__version *version, const wend__request *request) {
    if (version->sheets && !serves_sheets(version, request)) return false;
    if (!wend__wraps(version)) return true;
    const bool all = request->occupied == WEND_OCCUPIED_IGNORE || request->occupied_within == WEND_EVERYWHERE;
    if (!all && !box_fits(version, request->start, request->occupied_within)) return false;
    if (request->reach == 0) return true;
    for (uint32_t i = 0; i < request->more_goal_count; i++)
        if (!box_fits(version, request->more_goals[i], request->reach)) return false;
    return box_fits(version, request->goal, request->reach);
}

/* The special cells of a view. Cost: O(blocks). */
static uint64_t special_cells(const wend__version *view) {
    uint64_t sum = 0;
    for (size_t i = 0; view->stops && i < wend__version_blocks(view); i++)
        if (view->stops->blocks[i]) sum += view->stops->blocks[i]->special;
    return sum;
}

/* Returns true if jump search with stops pays. Requests that A* for grids does not serve go to the general A*, which is
 * always slower. Among small obstacles with slow ground everywhere jump search does not pay: nearly every run ends
 * after a few cells. */
static bool pays(const wend__version *version, const wend__version *view, const wend__request *request) {
    if (!wend__grid_astar.serves(version, request)) return true;
    if (view->rules.neighbours == 4) return wend__jump_pays_four(view);
    const uint64_t *counts = view->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    if (!wend__jump_pays(view, request)) return false;
    if (wend__wraps(version) && 100 * counts[WEND__JUMP_CORNERS] > WEND__CHOICE_CORNERS_WRAPPED * ends) return false;
    if (100 * counts[WEND__JUMP_CORNERS] <= WEND__CHOICE_CORNERS * ends ||
        100 * counts[WEND__JUMP_DIAGONALS] < WEND__CHOICE_DIAGONALS * ends)
        return true;
    return WEND__CHOICE_SPECIAL * special_cells(view) < (uint64_t)view->width * (uint64_t)view->height;
}

int32_t wend__stop_refuses(const wend__version *version, const wend__request *request) {
    const wend__version *view = wend__version_view(version, request->mover);
    if (view->kind != WEND_KIND_GRID) return WEND_GENERAL_KIND;
    if (request->engine == WEND_ENGINE_ASTAR) return WEND_GENERAL_ENGINE;
    if (request->profile != WEND_PROFILE_NONE) return WEND_GENERAL_LAYERS;
    if (!view->jumps) return WEND_GENERAL_TABLES;
    if (!serves_map(version, view) || !serves_boxes(version, request)) return WEND_GENERAL_RULES;
    if (!serves_units(version, request)) return WEND_GENERAL_UNITS;
    /* With a weight, a cheapest path is right, too. */
    if (request->heuristic != WEND_HEURISTIC_EXACT) return WEND_GENERAL_HEURISTIC;
    if (wend__version_factor(view, request->start.x, request->start.y) == 0) return WEND_GENERAL_START;
    return WEND_GENERAL_NONE;
}

bool wend__stop_serves(const wend__version *version, const wend__request *request) {
    if (wend__stop_refuses(version, request) != WEND_GENERAL_NONE) return false;
    const wend__version *view = wend__version_view(version, request->mover);
    return request->engine == WEND_ENGINE_JUMP || pays(version, view, request);
}
