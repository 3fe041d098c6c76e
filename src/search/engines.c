/* SPDX-License-Identifier: MIT */
/* The table of engines: chooses the engine for a request; and the common parts of all searches. */
#include "search/engines.h"
#include "base/names.h"

#include "map/version/layers.h"
#include "map/movers/views.h"
#include "map/store/memory.h"
#include "map/version/accelerator.h"
#include "search/enclosed/enclosure.h"
#include "search/request/leg.h"
#include "search/request/request_land.h"

#include <string.h>

static const wend__engine *choose_engine(const wend__version *version, const wend__request *request) {
    size_t row = 0;
    while (!wend__engines[row]->serves(version, request)) row++;
    return wend__engines[row];
}

int32_t wend__request_engine(const wend__version *version, const wend__request *request) {
    return choose_engine(version, request)->name;
}

void wend__search_init(wend__search *s, wend__pool *pool) {
    memset(s, 0, offsetof(wend__search, open));
    s->pool = pool;
    s->engine = &wend__general_astar;
    s->pages = s->open_pages = (wend__page_list){WEND__NONE, WEND__NONE, 0};
    s->far = (wend__far_leg){.page = WEND__NONE};
    wend__open_init(&s->open);
}

void wend__search_begin(wend__search *s, const wend__version *version, const wend__request *request) {
    wend__search_begin_answered(s, version, request, wend__request_answer(version, request));
}

static void set_engine(wend__search *s, const wend__engine *engine) {
    s->engine = engine;
    s->outgrown = s->begun = false;
    s->price = 1;
    s->part_shift = 0;
    s->describe_page = NULL;
}

static void begin_by(wend__search *s, const wend__engine *engine, const wend__request *request) {
    set_engine(s, engine);
    engine->begin(s, request);
}

static void keep_request(wend__search *s, const wend__request *request) {
    s->request = *request;
    s->goals[0] = request->goal;
    for (uint32_t i = 0; i < request->more_goal_count; i++) s->goals[i + 1] = request->more_goals[i];
    s->request.more_goals = s->goals + 1;
}

/* Returns the request that its engine answers: with one goal cell for an aimed search. */
static wend__request request_now(const wend__search *s) {
    wend__request request = s->request;
    if (s->far.aimed) {
        wend__leg_aim(&request, s->far.target);
    } else if (s->enclosure.aimed) {
        request.goal = s->enclosure.target;
        request.reach = 0;
        request.more_goal_count = 0;
    }
    return request;
}

/* The search keeps the present layers, also when another engine begins it again. */
static void hold_layers(wend__search *s, int32_t profile) {
    wend_map *map = s->version->map;
    s->layers = profile != WEND_PROFILE_NONE ? wend__layers_acquire(map) : NULL;
    s->profile = s->layers ? wend__profile_of(map, profile) : NULL;
}

static void drop_layers(wend__search *s) {
    WEND__DEBUG_ASSERT(!s->layers || s->version);
    if (s->layers) wend__shared_release(s->version->map, s->layers);
    s->layers = NULL;
    s->profile = NULL;
}

void wend__search_leave(wend__search *s) {
    drop_layers(s);
    s->version = s->view = NULL;
}

void wend__search_begin_answered(wend__search *s, const wend__version *version, const wend__request *request,
                                 int32_t answer) {
    drop_layers(s);
    s->version = version;
    s->view = wend__version_view(version, request->mover);
    s->start = request->start, s->goal = request->goal;
    s->mover = request->mover;
    s->starved = false;
    s->cost = s->steps = s->expansions = s->owed = 0;
    s->status = answer;
    s->ended = WEND_STATUS_PENDING;
    s->grace = WEND__TAKEN_GRACE;
    wend__leg_forget(s);
    keep_request(s, request);
    hold_layers(s, request->profile);
    if (request->occupied != WEND_OCCUPIED_IGNORE) {
        wend__accelerator.make_units(version->map);
        s->unit_moves = version->map->unit_moves;
        wend__unit_range_set(&s->seen, version, request->start, request->occupied_within);
    }
    wend__enclosure_begin(s);
    s->far.waits = answer == WEND_STATUS_PENDING && wend__leg_serves(s->view, request);
    if (WEND__UNLIKELY(s->enclosure.state == WEND__ENCLOSURE_NEAREST || s->far.waits)) /* the goal depends on this */
        set_engine(s, choose_engine(version, request));
    else
        begin_by(s, choose_engine(version, request), request);
}

/* The engine that serves most requests gives the reason for a refusal; if it serves, the search began with another. */
int32_t wend__search_general(const wend__search *s) {
    if (s->engine != &wend__general_astar) return WEND_GENERAL_NONE;
    const wend__request request = request_now(s);
    int32_t reason = s->view->kind == WEND_KIND_GRID ? WEND_GENERAL_TABLES : WEND_GENERAL_KIND;
    for (size_t row = 0; wend__engines[row] != &wend__general_astar; row++)
        if (wend__engines[row]->refuses) reason = wend__engines[row]->refuses(s->version, &request);
    return reason == WEND_GENERAL_NONE ? WEND_GENERAL_AGAIN : reason;
}

/* The engine cannot finish the search, as costs exceed its records: another engine begins it again, in the pages that
 * it holds. The expansions spent still count. */
static void begin_wider(wend__search *s) {
    const wend__request request = request_now(s);
    begin_by(s, s->engine->wider, &request);
}

/* The goals are out of reach, and the search goes to the nearest cell. */
static void turn_to_target(wend__search *s, uint64_t spent) {
    s->enclosure.turns = false;
    s->enclosure.aimed = true;
    s->enclosure.after = spent + WEND__ENCLOSURE_AFTER;
    const wend__request request = request_now(s);
    s->goal = request.goal;
    begin_by(s, choose_engine(s->version, &request), &request);
}

/* Returns whether the search backwards is next: the search itself goes first, until it has had no answer for long. */
static bool is_going_back(const wend__search *s, uint64_t spent) {
    if (s->enclosure.state == WEND__ENCLOSURE_WAITS) return spent >= s->enclosure.after;
    return s->enclosure.state != WEND__ENCLOSURE_DONE;
}

/* Without a route, land that is not loaded is closed. Returns whether a way is still possible. */
static bool may_go_alone(wend__search *s) {
    if (s->far.aimed || s->request.unloaded != WEND_UNLOADED_KNOWN) return true;
    wend__request alone = s->request;
    alone.unloaded = WEND_UNLOADED_BLOCK;
    s->status = wend__request_answer(s->version, &alone);
    return s->status == WEND_STATUS_PENDING;
}

/* Returns whether units have taken all goals. No path enters them, so the search would expand all reachable cells. With
 * reach it may end next to a goal. */
static bool are_goals_taken(const wend__search *s) {
    if (s->request.reach > 0 || s->request.mode == WEND_MODE_NEAREST) return false;
    for (uint32_t i = 0; i <= s->request.more_goal_count; i++)
        if (!wend__enclosure_taken(s, s->goals[i]) &&
            (wend__cell_factor(s->view, s->goals[i]) > 0 || wend__request_passes_known(s->view, &s->request)))
            return false;
    return true;
}

/* Aims at the route's first crossings, or at the goal without a route. Units around a far goal do not matter. */
static void find_leg(wend__search *s, wend__stock *stock) {
    wend__leg_hooks.find(s, stock);
    if (s->far.aimed && wend__enclosure_taken(s, s->far.target)) wend__leg_forget(s);
    if (s->starved || !may_go_alone(s)) return;
    if (s->far.aimed) s->enclosure.state = WEND__ENCLOSURE_DONE;
    const wend__request request = request_now(s);
    s->goal = request.goal;
    begin_by(s, choose_engine(s->version, &request), &request);
    if (s->far.aimed && s->goal.x == s->start.x && s->goal.y == s->start.y) s->status = WEND_STATUS_FOUND;
}

/* The leg cannot be walked, as units block it: the search begins again, to its goal. */
static void drop_leg(wend__search *s) {
    wend__leg_forget(s);
    s->status = WEND_STATUS_PENDING;
    if (!may_go_alone(s)) return;
    s->goal = s->request.goal;
    wend__enclosure_begin(s);
    begin_by(s, choose_engine(s->version, &s->request), &s->request);
}

/* An aimed search ends next to its goals. */
static void judge_end(wend__search *s) {
    if (s->status == WEND_STATUS_FOUND && s->enclosure.aimed) s->status = WEND_STATUS_PARTIAL;
    if (WEND__UNLIKELY(s->status == WEND_STATUS_NO_PATH && s->far.aimed)) drop_leg(s);
}

/* Does work for at most `budget` expansions, except that the last unit may count as more. */
static uint64_t step_engine(wend__search *s, wend__stock *stock, uint64_t budget) {
    const uint64_t price = s->price;
    const uint64_t units = WEND__LIKELY(price == 1) ? budget : budget / price + (budget % price != 0);
    const uint64_t used = s->engine->step(s, stock, units) * price;
    judge_end(s);
    return used;
}

static uint64_t step_or_look(wend__search *s, wend__stock *stock, uint64_t spent, uint64_t budget) {
    if (!is_going_back(s, spent)) {
        const uint64_t left = s->enclosure.after - spent;
        return step_engine(s, stock, left < budget ? left : budget);
    }
    const uint64_t used = wend__enclosure_step(s, budget);
    if (s->enclosure.turns) turn_to_target(s, spent + used);
    return used;
}

/* Counts what the search owes, within the budget. When it owes nothing any more, it may end. */
static uint64_t count_owed(wend__search *s, uint64_t budget) {
    const uint64_t used = s->owed < budget ? s->owed : budget;
    s->owed -= used;
    if (s->owed > 0 || s->ended == WEND_STATUS_PENDING) return used;
    s->status = s->ended;
    s->ended = WEND_STATUS_PENDING;
    return used;
}

/* A search that owes expansions has not ended. */
static void hold_end(wend__search *s) {
    if (s->owed == 0 || s->status == WEND_STATUS_PENDING) return;
    s->ended = s->status;
    s->status = WEND_STATUS_PENDING;
}

/* Finishes the result of the search. If units leave no cell to end in now, they are the reason. */
static void heed_units(wend__search *s) {
    const bool found = s->status == WEND_STATUS_FOUND, none = s->status == WEND_STATUS_NO_PATH;
    if ((found && are_goals_taken(s)) ||
        (none && wend__request_answer(s->version, &s->request) == WEND_STATUS_GOAL_BLOCKED))
        s->status = WEND_STATUS_GOAL_BLOCKED;
}

static uint64_t step_search(wend__search *s, wend__stock *stock, uint64_t budget) {
    uint64_t used = WEND__UNLIKELY(s->owed > 0) ? count_owed(s, budget) : 0;
    s->starved = false;
    while (s->status == WEND_STATUS_PENDING && !s->starved && used < budget) {
        if (WEND__UNLIKELY(s->far.waits))
            find_leg(s, stock);
        else if (WEND__LIKELY(s->enclosure.state == WEND__ENCLOSURE_DONE))
            used += step_engine(s, stock, budget - used);
        else
            used += step_or_look(s, stock, s->expansions + used, budget - used);
        if (s->outgrown) begin_wider(s);
        used += s->owed;
        s->owed = 0;
    }
    if (used > budget) {
        s->owed = used - budget;
        used = budget;
        hold_end(s);
    }
    s->expansions += used;
    return used;
}

/* Units may have come since the last step. If they stand on all goals the search goes on for a few expansions only, and
 * ends if no goal is free by then. */
static uint64_t step_among_units(wend__search *s, wend__stock *stock, uint64_t budget) {
    const bool runs = s->ended == WEND_STATUS_PENDING, taken = runs && are_goals_taken(s);
    if (!taken) s->grace = WEND__TAKEN_GRACE;
    if (runs && !taken && s->far.aimed && wend__enclosure_taken(s, s->far.target)) drop_leg(s);
    uint64_t used = step_search(s, stock, taken && budget > s->grace ? s->grace : budget);
    if (taken) s->grace -= (uint32_t)used;
    if (s->status == WEND_STATUS_PENDING && s->grace == 0) {
        s->status = WEND_STATUS_GOAL_BLOCKED;
        hold_end(s);
        used += step_search(s, stock, budget - used); /* expansions that it owes */
    }
    heed_units(s);
    return used;
}

uint64_t wend__search_step(wend__search *s, wend__stock *stock, uint64_t budget) {
    if (WEND__LIKELY(s->request.occupied != WEND_OCCUPIED_BLOCK) || s->status != WEND_STATUS_PENDING)
        return step_search(s, stock, budget);
    return step_among_units(s, stock, budget);
}

bool wend__search_conclude(wend__search *s, wend__stock *stock) {
    s->starved = false;
    if (s->status != WEND_STATUS_PENDING || s->owed > 0 || s->far.waits) return true;
    if (is_going_back(s, s->expansions)) (void)wend__enclosure_step(s, 0); /* maybe none is needed */
    if (is_going_back(s, s->expansions)) return true;
    s->engine->conclude(s, stock);
    judge_end(s);
    if (s->request.occupied == WEND_OCCUPIED_BLOCK) heed_units(s);
    hold_end(s);
    return !s->starved;
}

bool wend__search_compact(wend__search *s) {
    return s->engine->compact(s);
}

bool wend__search_take_nearest(wend__search *s) {
    if (s->ended != WEND_STATUS_PENDING) return s->ended == WEND_STATUS_FOUND || s->ended == WEND_STATUS_PARTIAL;
    if (!s->begun && s->enclosure.state == WEND__ENCLOSURE_NEAREST) return true; /* the start: cost and steps are 0 */
    return s->engine->take_nearest && s->engine->take_nearest(s);
}

/* A nearest search must judge all nodes again; a far one, or one through known land, must find another route. */
bool wend__search_move_goal(wend__search *s, const wend__request *request) {
    if (s->request.mode != WEND_MODE_EXACT || s->request.unloaded == WEND_UNLOADED_KNOWN) return false;
    if (!s->engine->move_goal || !s->engine->move_goal(s, request)) return false;
    s->ended = WEND_STATUS_PENDING;
    keep_request(s, request);
    wend__enclosure_begin(s);
    return true;
}

void wend__search_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    s->engine->cells(s, out, count);
}

bool wend__search_directions(const wend__search *s, uint8_t *out) {
    return s->engine->directions && s->engine->directions(s, out);
}

void wend__search_expanded(const wend__search *s, wend__cell_list *list) {
    if (s->begun) s->engine->expanded(s, list);
}

int64_t wend__search_cost(const wend__search *s) {
    return (int64_t)(s->far.aimed ? s->far.cost : s->cost);
}

void wend__search_drop(wend__search *s) {
    wend__search_leave(s);
    wend__leg_forget(s);
    wend__pool_give_back(s->pool, &s->pages, &s->open_pages);
}
