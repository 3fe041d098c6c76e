/* SPDX-License-Identifier: MIT */
/* The parts of a crowd that its agents share: routes, events, boxes, flow fields, marches, places near goals, and the
 * window. */
#include "agents/manners/traffic_state.h"
#include "field/field_state.h"
#include "agents/plan/path_request.h"
#include "agents/plan/window.h"
#include "agents/state/flows.h"
#include "field/field_service.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "save/save_crowd.h"

/* ---- routes ---- */

static uint32_t route_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    const wend__routes *routes = &c->crowd->routes;
    wend__route *route = of;
    uint32_t other = wend__crowd_route(c, route->other);
    WEND__FIELD_BELOW(route->mode, WEND_ROUTE_BACK + 1);
    WEND__FIELD(route->mover);
    WEND__FIELD(route->corners);
    WEND__FIELD(route->corner_count);
    WEND__FIELD(route->legs);
    WEND__FIELD(route->leg_count);
    WEND__FIELD(route->done);
    WEND__FIELD_BELOW(route->base, routes->capacity);
    WEND__FIELD_BELOW(route->waiting, c->crowd->def.agents + 1);
    WEND__FIELD(route->spread);
    WEND__FIELD_INDEX(other, routes->capacity + routes->copies);
    if (reads) route->other = other;
    return wend__crowd_fields_end(f, words, bad);
}

static uint32_t leg_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    const wend__routes *routes = &c->crowd->routes;
    wend__route_leg *leg = of;
    uint32_t route = wend__crowd_route(c, leg->route);
    WEND__FIELD_BELOW(route, routes->capacity + routes->copies);
    if (reads) leg->route = route;
    WEND__FIELD(leg->from);
    WEND__FIELD(leg->to);
    WEND__FIELD(leg->first);
    WEND__FIELD(leg->count);
    WEND__FIELD(leg->ticket.index);
    WEND__FIELD(leg->ticket.generation);
    WEND__FIELD_BELOW(leg->state, WEND__LEG_DONE + 1);
    return wend__crowd_fields_end(f, words, bad);
}

static void pass_route(wend__crowd_save *c, uint32_t number) {
    WEND__DEBUG_ASSERT(number < c->crowd->routes.capacity + c->crowd->routes.copies);
    wend__route *route = &c->crowd->routes.of[number];
    if (c->save.reads) *route = (wend__route){.mode = 0};
    wend__crowd_pass(c, route_fields, route);
}

/* Returns whether a part of a list lies in it. */
static bool lies_in(uint32_t first, uint32_t count, uint32_t all) {
    return first <= all && count <= all - first;
}

/* Its copies come in the order of their numbers, so their chain ends. */
static bool is_route(const wend__crowd_save *c, uint32_t number) {
    const wend__routes *routes = &c->crowd->routes;
    const wend__route *route = &routes->of[number];
    uint32_t done = 0;
    if (!lies_in(route->corners, route->corner_count, routes->cell_count) || route->corner_count == 0) return false;
    if (!lies_in(route->legs, route->leg_count, routes->leg_count) || route->base >= routes->count) return false;
    if (route->mover < -1 || route->mover >= wend__version_movers(c->version)) return false;
    if ((route->mover < 0) != (route->leg_count == 0)) return false;
    if (route->leg_count > 0 && route->leg_count != wend__route_legs(route->mode, route->corner_count)) return false;
    if (route->other != WEND__NO_ROUTE && (route->other < routes->capacity || route->other <= number)) return false;
    for (uint32_t i = 0; i < route->leg_count; i++) {
        const wend__route_leg *leg = &routes->legs[route->legs + i];
        const bool ends = leg->state == WEND__LEG_DONE;
        if (leg->route != number || leg->from >= route->corner_count || leg->to >= route->corner_count) return false;
        if (!lies_in(leg->first, leg->count, routes->cell_count) || (ends && leg->count == 0)) return false;
        done += ends;
    }
    return done == route->done;
}

void wend__save_routes(wend__crowd_save *c) {
    wend__routes *routes = &c->crowd->routes;
    wend__save_below(&c->save, &routes->count, routes->capacity + UINT64_C(1));
    wend__save_below(&c->save, &routes->copies, routes->leg_capacity + UINT64_C(1));
    wend__save_below(&c->save, &routes->leg_count, routes->leg_capacity + UINT64_C(1));
    wend__save_below(&c->save, &routes->cell_count, routes->cell_capacity + UINT64_C(1));
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < routes->count && !c->save.bad; i++) pass_route(c, i);
    for (uint32_t i = 0; i < routes->copies && !c->save.bad; i++) pass_route(c, routes->capacity + i);
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < routes->leg_count && !c->save.bad; i++) {
        if (c->save.reads) routes->legs[i] = (wend__route_leg){.crowd = c->crowd};
        wend__crowd_pass(c, leg_fields, &routes->legs[i]);
    }
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < routes->cell_count && !c->save.bad; i++) {
        c->series.words[0] = routes->cells[i];
        wend__series_pass(&c->save, &c->series, 1);
        routes->cells[i] = c->series.words[0];
        wend__save_check(&c->save, routes->cells[i] < wend__crowd_cells(c));
    }
    for (uint32_t i = 0; c->save.reads && i < routes->count && !c->save.bad; i++)
        wend__save_check(&c->save, is_route(c, i));
    for (uint32_t i = 0; c->save.reads && i < routes->copies && !c->save.bad; i++)
        wend__save_check(&c->save, is_route(c, routes->capacity + i));
    if (c->save.bad) routes->count = routes->copies = routes->leg_count = 0;
}

/* ---- events ---- */

/* The cells of a link are kept as numbers, and saved as cells. */
static uint32_t event_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    const wend__path_arena *keep = &c->crowd->paths;
    wend__queued_event *item = of;
    WEND__FIELD(item->key);
    WEND__FIELD_BELOW(item->event, 16);
    WEND__FIELD(item->why);
    const bool box = item->event == WEND_AGENT_EVENT_CLEAR, link = item->event == WEND_AGENT_EVENT_LINK_AHEAD;
    wend_agent_id agent = {0, 0};
    wend_cell cell = {0, 0, 0}, corner = {0, 0, 0};
    if (!reads) cell = item->cell;
    if (!reads && box) corner = item->corner;
    if (!reads && !box) agent = item->agent;
    if (link && !reads) {
        corner = wend__path_cell(keep, (uint32_t)cell.y);
        cell = wend__path_cell(keep, (uint32_t)cell.x);
    }
    WEND__FIELD(cell);
    WEND__FIELD_BELOW(agent.index, c->crowd->def.agents);
    WEND__FIELD(agent.generation);
    WEND__FIELD(corner);
    if (reads && box) item->corner = corner;
    if (reads && !box) item->agent = agent;
    if (reads) item->cell = cell;
    if (reads && link)
        item->cell = (wend_cell){(int32_t)wend__path_number(keep, cell), (int32_t)wend__path_number(keep, corner), 0};
    return wend__crowd_fields_end(f, words, bad);
}

/* The room for the last events of goals follows from these. */
void wend__save_events(wend__crowd_save *c) {
    wend__event_queue *queue = &c->crowd->events;
    WEND__DEBUG_ASSERT(queue->first <= queue->fresh && queue->fresh <= queue->count);
    uint32_t count = queue->count - queue->first, fresh = queue->fresh - queue->first;
    wend__save_below(&c->save, &queue->order, UINT32_MAX);
    wend__save_below(&c->save, &count, queue->capacity + UINT64_C(1));
    wend__save_below(&c->save, &fresh, count + UINT64_C(1));
    if (c->save.reads) queue->first = 0, queue->count = count, queue->fresh = fresh;
    wend__series_begin(&c->series);
    for (uint32_t i = queue->first; i < queue->count && !c->save.bad; i++) {
        wend__queued_event *item = &queue->of[i];
        if (c->save.reads) *item = (wend__queued_event){.key = 0};
        wend__crowd_pass(c, event_fields, item);
        if (c->save.reads && c->host.agent && item->event != WEND_AGENT_EVENT_CLEAR)
            item->context = c->host.agent(c->host.context, item->agent);
    }
}

/* ---- boxes ---- */

static uint32_t box_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend_box *box = of;
    WEND__FIELD(box->min);
    WEND__FIELD(box->max);
    return wend__crowd_fields_end(f, words, bad);
}

void wend__save_boxes(wend__crowd_save *c) {
    wend__boxes *boxes = &c->crowd->traffic->boxes;
    WEND__DEBUG_ASSERT(boxes->clearing <= boxes->count);
    wend__save_below(&c->save, &boxes->count, WEND_MAX_CLEARED_BOXES + 1);
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < boxes->count && !c->save.bad; i++) {
        uint32_t empty = c->save.reads ? 0 : boxes->empty[i];
        if (c->save.reads) boxes->of[i] = (wend_box){{0, 0, 0}, {0, 0, 0}};
        wend__crowd_pass(c, box_fields, &boxes->of[i]);
        wend__save_below(&c->save, &empty, 2);
        if (!c->save.reads) continue;
        boxes->empty[i] = empty != 0;
        boxes->clearing += !empty;
        c->crowd->events.reserved += !empty;
        const wend_box *box = &boxes->of[i];
        wend__save_check(&c->save, box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z);
    }
}

/* ---- narrow ways ---- */

/// A narrow way and its slot.
typedef struct way_slot {
    uint32_t slot;
    wend__narrow_way way;
} way_slot;

static uint32_t way_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    way_slot *used = of;
    WEND__FIELD_BELOW(used->slot, c->crowd->traffic->narrow_ways.count);
    WEND__FIELD(used->way.low);
    WEND__FIELD(used->way.last);
    WEND__FIELD(used->way.since);
    WEND__FIELD(used->way.refused);
    WEND__FIELD_BELOW(used->way.direction, 2);
    return wend__crowd_fields_end(f, words, bad);
}

/* Those that are free again are as if they had never been used. */
void wend__save_narrow_ways(wend__crowd_save *c) {
    wend__narrow_ways *ways = &c->crowd->traffic->narrow_ways;
    const uint32_t now = (uint32_t)c->crowd->counts.updates;
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < ways->count && !c->save.reads; slot++)
        count += wend__narrow_way_is_used(&ways->of[slot], now);
    wend__save_below(&c->save, &count, ways->count + UINT64_C(1));
    wend__series_begin(&c->series);
    for (uint32_t slot = 0; count > 0 && !c->save.bad; slot++) {
        if (!c->save.reads && !wend__narrow_way_is_used(&ways->of[slot], now)) continue;
        way_slot used = {.slot = slot};
        if (!c->save.reads) used.way = ways->of[slot];
        wend__crowd_pass(c, way_fields, &used);
        if (c->save.reads) ways->of[used.slot] = used.way;
        count--;
    }
}

/* ---- flow fields, and the counters of goals with fields ---- */

static uint32_t flow_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend__flow *flow = of;
    WEND__FIELD(flow->goal);
    WEND__FIELD_BELOW(flow->mover, wend__version_movers(c->version));
    WEND__FIELD(flow->urgency);
    WEND__FIELD(flow->near_cells);
    WEND__FIELD(flow->stale);
    WEND__FIELD(flow->failed);
    return wend__crowd_fields_end(f, words, bad);
}

static uint32_t counter_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend__goal_counter *counter = of;
    WEND__FIELD(counter->goal);
    WEND__FIELD_BELOW(counter->mover, wend__version_movers(c->version));
    WEND__FIELD(counter->count);
    WEND__FIELD(counter->serial);
    return wend__crowd_fields_end(f, words, bad);
}

enum { FIELD_NONE, FIELD_BEGUN, FIELD_COMPLETE, FIELD_REPAIRED };

static uint32_t field_state(const wend_field *field) {
    if (!field) return FIELD_NONE;
    if (!wend__field_is_complete(field)) return FIELD_BEGUN;
    return wend__field_becomes_repaired(field) ? FIELD_REPAIRED : FIELD_COMPLETE;
}

/* Passes the goal of a stale field, as its flow has another goal already. */
static void pass_stale(wend__crowd_save *c, wend__flow *flow) {
    const wend_map *map = c->crowd->def.map;
    const wend_field *field = flow->field;
    uint64_t urgency = 0;
    uint32_t goal = 0, mover = 0;
    if (!c->save.reads) {
        goal = wend__cell_number(c->version, wend__field_cell(field, field->goals[0]));
        mover = (uint32_t)field->def.mover;
        urgency = (uint64_t)(field->def.urgency - WEND_URGENCY_MIN);
    }
    wend__save_below(&c->save, &goal, wend__crowd_cells(c));
    wend__save_below(&c->save, &mover, (uint64_t)wend__version_movers(c->version));
    wend__save_number(&c->save, &urgency);
    if (!wend__save_check(&c->save, urgency <= WEND_URGENCY_MAX - WEND_URGENCY_MIN) || !c->save.reads) return;
    flow->goal = wend__cell_of_number(c->version, goal);
    flow->mover = (int32_t)mover;
    flow->urgency = (int32_t)urgency + WEND_URGENCY_MIN;
    wend__save_check(&c->save, wend__map_inside(map, flow->goal));
}

/* Passes the debt of a complete field, and whether it was repaired: then ties of steps are resolved otherwise. */
static void pass_complete(wend__crowd_save *c, wend_field *field, bool repaired) {
    enum { MOST_OWED = 1 << 30, MOST_POINTS = 64 };
    uint32_t owed = 0, points = 0;
    if (!c->save.reads) owed = field->owed < MOST_OWED ? (uint32_t)field->owed : MOST_OWED - 1, points = field->points;
    wend__save_below(&c->save, &owed, MOST_OWED);
    wend__save_below(&c->save, &points, MOST_POINTS);
    if (!c->save.reads || !field) return;
    field->owed = owed, field->points = points;
    field->repaired = repaired, field->fresh &= !repaired;
}

/* Makes a field again. A field complete at the save is complete at once. */
static void pass_field(wend__crowd_save *c, uint32_t number, uint32_t state) {
    WEND__DEBUG_ASSERT(number < c->crowd->flow_count && state != FIELD_NONE);
    wend__flow *flow = &c->crowd->flows[number];
    const wend__flow own = *flow;
    if (own.stale) pass_stale(c, flow);
    if (c->save.bad) return;
    if (c->save.reads) wend__flow_repeat(c->crowd, number, state >= FIELD_COMPLETE);
    if (state >= FIELD_COMPLETE) pass_complete(c, flow->field, state == FIELD_REPAIRED);
    flow->goal = own.goal, flow->mover = own.mover, flow->urgency = own.urgency;
    flow->stale = own.stale;
}

/* Its goal may be a removed node, and so may cells of agents. */
static void pass_flow(wend__crowd_save *c, uint32_t number) {
    wend__flow *flow = &c->crowd->flows[number];
    uint32_t state = c->save.reads ? FIELD_NONE : field_state(flow->field);
    wend__crowd_pass(c, flow_fields, flow);
    wend__save_below(&c->save, &state, FIELD_REPAIRED + 1);
    wend__save_check(&c->save, wend__map_inside(c->crowd->def.map, flow->goal) && flow->urgency >= WEND_URGENCY_MIN &&
                                   flow->urgency <= WEND_URGENCY_MAX);
    if (state != FIELD_NONE && !c->save.bad) pass_field(c, number, state);
}

void wend__save_flows(wend__crowd_save *c) {
    wend_crowd *crowd = c->crowd;
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < crowd->flow_count && !c->save.bad; i++) pass_flow(c, i);
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < WEND__GOAL_COUNTERS; i++) wend__crowd_pass(c, counter_fields, &crowd->counters[i]);
}

/* ---- marches ---- */

static uint32_t march_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend__march *march = of;
    WEND__FIELD(march->used);
    WEND__FIELD(march->waits);
    WEND__FIELD(march->holds);
    WEND__FIELD(march->left);
    WEND__FIELD(march->open_from);
    WEND__FIELD(march->begun);
    WEND__FIELD(march->has_room);
    WEND__FIELD_BELOW(march->first, c->crowd->def.agents + 1);
    WEND__FIELD_INDEX(march->leader, c->crowd->def.agents);
    WEND__FIELD_BELOW(march->mover, wend__version_movers(c->version));
    WEND__FIELD_BELOW(march->formation.as, WEND_AS_BOX + 1);
    WEND__FIELD(march->formation.members);
    WEND__FIELD(march->formation.apart);
    WEND__FIELD(march->formation.dx);
    WEND__FIELD(march->formation.dy);
    WEND__FIELD(march->ahead);
    WEND__FIELD(march->steps_ahead);
    WEND__FIELD(march->changes);
    WEND__FIELD(march->least_behind);
    WEND__FIELD(march->waits_until);
    return wend__crowd_fields_end(f, words, bad);
}

static bool is_march(const wend__march *march) {
    const wend__formation *formation = &march->formation;
    return formation->apart >= 0 && formation->apart < 1 << 16 && formation->members <= WEND_MAX_AGENTS &&
           formation->dx >= -1 && formation->dx <= 1 && formation->dy >= -1 && formation->dy <= 1;
}

void wend__save_marches(wend__crowd_save *c) {
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < WEND_MAX_MARCHES; i++) {
        wend__crowd_pass(c, march_fields, &c->crowd->marches[i]);
        wend__save_check(&c->save, is_march(&c->crowd->marches[i]));
    }
}

/* ---- places near ends ---- */

static uint32_t ends_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend__end_places *list = of;
    const uint64_t newest = c->version->revision;
    WEND__FIELD(list->end);
    WEND__FIELD_BELOW(list->mover, wend__version_movers(c->version));
    WEND__FIELD_BELOW(list->next, WEND__END_PLACES + 1);
    WEND__FIELD_BELOW(list->count, WEND__END_PLACES + 1);
    WEND__FIELD_REVISION(list->revision, newest);
    WEND__FIELD(list->until);
    for (uint32_t k = 0; k < WEND__END_PLACES; k++) {
        wend_cell place = k < list->count ? list->places[k] : (wend_cell){0, 0, 0};
        WEND__FIELD(place);
        if (reads) list->places[k] = place;
    }
    return wend__crowd_fields_end(f, words, bad);
}

void wend__save_ends(wend__crowd_save *c) {
    wend__series_begin(&c->series);
    for (uint32_t i = 0; i < WEND__END_LISTS; i++) wend__crowd_pass(c, ends_fields, &c->crowd->end_lists[i]);
}

/* ---- the window ---- */

/// Passes the question of LaCAM, which determines its search.
typedef struct window_state {
    wend__window *window;
    uint32_t searches, tries;
} window_state;

static uint32_t window_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    window_state *state = of;
    wend__window *window = state->window;
    const uint64_t newest = c->version->revision;
    WEND__FIELD_BELOW(window->stage, WEND__WINDOW_WALKING + 1);
    WEND__FIELD_BELOW(window->opener, c->crowd->def.agents);
    WEND__FIELD_BELOW(window->mover, wend__version_movers(c->version));
    WEND__FIELD_REVISION(window->revision, newest);
    WEND__FIELD(window->denied);
    WEND__FIELD(window->slices);
    WEND__FIELD_BELOW(window->late, UINT32_C(256));
    WEND__FIELD(window->due);
    WEND__FIELD_BELOW(window->cell_count, WEND__LACAM_CELLS + 1);
    WEND__FIELD_BELOW(window->member_count, window->lacam->most_agents + 1);
    if (!c->save.hash) WEND__FIELD(window->most_members); /* it decides nothing in a window that is open */
    WEND__FIELD(state->searches);
    WEND__FIELD(state->tries);
    return wend__crowd_fields_end(f, words, bad);
}

static uint32_t window_cell_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    wend_cell *cell = of;
    WEND__FIELD(*cell);
    return wend__crowd_fields_end(f, words, bad);
}

/// Passes a member, its order, and the steps that it has made.
typedef struct window_member {
    uint32_t index, made;
    uint64_t serial;
    wend__lacam_agent asked;
} window_member;

static uint32_t member_fields(wend__crowd_save *c, uint32_t *words, bool reads, void *of, bool *bad) {
    wend__words own = wend__crowd_fields(c, words), *f = &own;
    window_member *member = of;
    WEND__FIELD_BELOW(member->index, c->crowd->def.agents);
    WEND__FIELD(member->serial);
    WEND__FIELD(member->made);
    WEND__FIELD(member->asked.start);
    WEND__FIELD(member->asked.goal);
    WEND__FIELD(member->asked.must);
    return wend__crowd_fields_end(f, words, bad);
}

static void pass_window_cells(wend__crowd_save *c, wend__window *window) {
    WEND__DEBUG_ASSERT(window->cell_count <= WEND__LACAM_CELLS);
    wend__series_begin(&c->series);
    for (uint32_t k = 0; k < window->cell_count && !c->save.bad; k++) {
        if (c->save.reads) window->cells[k] = (wend_cell){0, 0, 0};
        wend__crowd_pass(c, window_cell_fields, &window->cells[k]);
        if (!c->save.reads) continue;
        if (k == 0) wend__window_cells_on_ground(&window->numbers, c->crowd->def.map, window->cells[0], window->cells);
        uint8_t *number = wend__window_cells_find(&window->numbers, window->cells[k]);
        if (wend__save_check(&c->save, number && *number == WEND__WINDOW_NONE)) *number = (uint8_t)k;
    }
}

static bool is_asked(const wend__window *window, const wend__lacam_agent *asked) {
    return asked->start < window->cell_count &&
           (asked->goal < window->cell_count || (asked->goal == WEND__LACAM_NONE && !asked->must));
}

/* Before a search no member has an order. */
static void pass_members(wend__crowd_save *c, wend__window *window) {
    const bool asked = window->stage > WEND__WINDOW_GATHERING;
    wend__lacam *lacam = window->lacam;
    WEND__DEBUG_ASSERT(window->member_count <= lacam->most_agents);
    wend__series_begin(&c->series);
    for (uint32_t k = 0; k < window->member_count && !c->save.bad; k++) {
        window_member member = {0};
        if (!c->save.reads) member = (window_member){window->members[k], window->made[k], window->serials[k], {0}};
        if (!c->save.reads && asked) member.asked = lacam->agents[k];
        wend__crowd_pass(c, member_fields, &member);
        if (!c->save.reads) continue;
        window->members[k] = member.index, window->serials[k] = member.serial;
        window->made[k] = member.made;
        lacam->agents[k] = member.asked;
        wend__save_check(&c->save, member.index < c->crowd->used && (!asked || is_asked(window, &member.asked)));
    }
    if (c->save.reads) lacam->agent_count = window->member_count;
}

static void restore_search(wend__crowd_save *c, wend__window *window, const window_state *state) {
    enum { MOST_TRIES = 4 * WEND__LACAM_NODES };
    wend__traffic_set_window(c->crowd->traffic, &window->numbers);
    window->lacam->searches = state->searches;
    if (window->stage == WEND__WINDOW_GATHERING || window->revision != c->version->revision) return;
    if (!wend__save_check(&c->save, state->tries <= MOST_TRIES)) return;
    const bool again = wend__window_repeat(c->crowd, c->version, state->searches, state->tries);
    if (!wend__save_check(&c->save, again) || window->stage != WEND__WINDOW_WALKING) return;
    for (uint32_t k = 0; k < window->member_count; k++)
        wend__save_check(&c->save, window->made[k] <= wend__lacam_steps(window->lacam));
}

void wend__save_window(wend__crowd_save *c) {
    wend__window *window = c->crowd->window;
    if (!window || (c->save.hash && window->stage == WEND__WINDOW_CLOSED && window->lacam->searches == 0)) return;
    const bool open = window->stage != WEND__WINDOW_CLOSED;
    wend__window closed = {.due = window->due, .lacam = window->lacam}; /* remaining state of a closed window */
    const bool asked = window->stage > WEND__WINDOW_GATHERING && window->revision == c->version->revision;
    window_state state = {open ? window : &closed, window->lacam->searches, asked ? window->lacam->tries : 0};
    if (c->save.reads) state.window = window;
    wend__series_begin(&c->series);
    wend__crowd_pass(c, window_fields, &state);
    if (c->save.reads) window->lacam->searches = state.searches;
    if (window->stage == WEND__WINDOW_CLOSED || c->save.bad) return;
    wend__save_check(&c->save, window->cell_count > 0 && window->member_count > 0 && window->opener < c->crowd->used);
    pass_window_cells(c, window);
    if (!c->save.bad) pass_members(c, window);
    if (c->save.reads && !c->save.bad) restore_search(c, window, &state);
    if (c->save.bad) window->stage = WEND__WINDOW_CLOSED;
}
