/* SPDX-License-Identifier: MIT */
/* Units, edits that wait, agents by name and boxes in a script's save. The crowd's own save has the places and states
 * of agents. */
#include <stdlib.h>
#include <string.h>

#include "saves/saves.h"
#include <wend/save.h>

/* ---- units and edits ---- */

static void put_units(saved *s, const cli_units *units) {
    size_t count = 0;
    for (size_t i = 0; i < units->capacity; i++) count += units->places[i].used && units->places[i].count > 0;
    saved_count(s, count);
    for (size_t i = 0; i < units->capacity; i++) {
        if (!units->places[i].used || units->places[i].count == 0) continue;
        saved_cell(s, units->places[i].cell);
        saved_number(s, units->places[i].count);
    }
}

/* The map has them from its own save. */
static void get_units(saved *s, world_state *w) {
    const size_t count = saved_count(s, 0);
    for (size_t i = 0; i < count && !s->bad; i++) {
        const wend_cell cell = saved_cell(s, (wend_cell){0, 0, 0});
        const uint32_t units = (uint32_t)saved_below(s, 0, WEND_MAX_OCCUPANTS + 1);
        if (!s->bad && !world_units_know(w, cell, units)) saved_spoil(s, "no memory");
    }
}

/* Each is checked as a line of a script would be. */
static void get_edit(saved *s, world_state *w) {
    static const world_client itself = {.owner = true};
    wend_order order = {.kind = saved_int(s, 0)};
    world_error error = {0};
    order.change.from = saved_cell(s, (wend_cell){0, 0, 0});
    order.change.to = saved_cell(s, (wend_cell){0, 0, 0});
    order.change.value = saved_int(s, 0);
    if (order.kind == WEND_ORDER_LINK)
        order.change.movers = wend__movers_of((uint32_t)saved_below(s, 0, UINT64_C(1) << 32));
    if (s->bad) return;
    if (order.kind < WEND_ORDER_NODE || order.kind > WEND_ORDER_UNLOAD)
        saved_spoil(s, "the save has an edit of a kind that there is not");
    else if (!world_check_and_do(w, &itself, &order, &error))
        saved_spoil(s, "an edit that waits: %s", error.text);
}

void saved_land(saved *s, world_state *w) {
    if (s->reads)
        get_units(s, w);
    else
        put_units(s, w->units);
    const size_t count = saved_count(s, w->edits.count);
    for (size_t i = 0; i < count && !s->bad; i++) {
        if (s->reads) {
            get_edit(s, w);
            continue;
        }
        const wend_change_item *item = &w->edits.items[i].item;
        saved_int(s, item->kind);
        saved_cell(s, item->change.from);
        saved_cell(s, item->change.to);
        saved_int(s, item->change.value);
        if (item->kind == WEND_ORDER_LINK) saved_number(s, item->change.movers.bits);
    }
}

/* ---- agents ---- */

static wend_agent_id pass_id(saved *s, wend_agent_id id, uint64_t most) {
    id.index = (uint32_t)saved_below(s, id.index, most);
    id.generation = (uint32_t)saved_below(s, id.generation, UINT64_C(1) << 32);
    return id;
}

/* Returns 1 + the number of the route of a name; 0: it goes along none. */
static size_t route_of(const world_state *w, const world_agent *agent) {
    size_t i = 0;
    if (!agent->route) return 0;
    while (i < w->routes->count && w->routes->items[i].name != agent->route) i++;
    return i < w->routes->count ? i + 1 : 0;
}

/* A server's notes on an agent, and its body. */
static void pass_service_of(saved *s, world_agent *agent) {
    const bool *const flags[] = {&agent->of_file, &agent->wanders, &agent->unheard, &agent->stays};
    uint64_t bits = 0;
    for (unsigned i = 0; i < 4; i++) bits |= (uint64_t)*flags[i] << i;
    bits = saved_below(s, bits, 16);
    agent->of_file = bits & 1, agent->wanders = bits >> 1 & 1, agent->unheard = bits >> 2 & 1, agent->stays = bits >> 3;
    agent->owner = saved_number(s, agent->owner);
    agent->orderer = saved_number(s, agent->orderer);
    agent->line = (int)saved_below(s, (uint64_t)agent->line, INT32_MAX);
    agent->sets_off = saved_number(s, agent->sets_off);
    uint32_t *const body[] = {&agent->body.radius_milli, &agent->body.accel_milli, &agent->body.turn_degrees,
                              &agent->body.turning_radius_milli};
    for (unsigned i = 0; i < 4; i++) *body[i] = (uint32_t)saved_below(s, *body[i], UINT64_C(1) << 32);
}

static void put_agent(saved *s, const world_state *w, world_agent *agent) {
    saved_text(s, agent->name, agent->length);
    pass_id(s, agent->id, w->agents.most);
    saved_below(s, (uint64_t)agent->mover, WEND_MAX_MOVERS);
    saved_number(s, route_of(w, agent));
    saved_flag(s, agent->awaited);
    pass_service_of(s, agent);
}

/* @param here   the crowd has it; else its last events wait */
static void get_agent(saved *s, world_state *w, bool here) {
    char *name = saved_text(s, NULL, 0);
    const wend_agent_id id = pass_id(s, (wend_agent_id){0}, w->agents.most);
    const int32_t mover = (int32_t)saved_below(s, 0, WEND_MAX_MOVERS);
    const size_t route = (size_t)saved_below(s, 0, w->routes->count + UINT64_C(1));
    const bool awaited = saved_flag(s, false);
    world_agent *agent = s->bad ? NULL : world_agent_restore(w, name, id, mover, here);
    if (!agent) saved_spoil(s, "two agents of the save have one name or place, or there is no memory");
    if (agent && route > 0) agent->route = w->routes->items[route - 1].name;
    if (agent) agent->awaited = awaited, pass_service_of(s, agent);
    free(name);
}

static void pass_boxes(saved *s, world_boxes *boxes) {
    boxes->count = (size_t)saved_below(s, boxes->count, WEND_MAX_CLEARED_BOXES + 1);
    for (size_t i = 0; i < boxes->count; i++) {
        boxes->of[i].min = saved_cell(s, boxes->of[i].min);
        boxes->of[i].max = saved_cell(s, boxes->of[i].max);
        boxes->orderers[i] = saved_number(s, boxes->orderers[i]);
    }
}

static void pass_agents(saved *s, world_state *w) {
    world_agents *agents = &w->agents;
    size_t here = 0, removed = 0;
    for (const world_agent *agent = agents->first; !s->reads && agent; agent = agent->next) here++;
    for (const world_agent *agent = agents->removed; !s->reads && agent; agent = agent->next_removed) removed++;
    here = saved_count(s, here);
    removed = saved_count(s, removed);
    for (size_t i = 0; s->reads && i < here + removed && !s->bad; i++) get_agent(s, w, i < here);
    for (world_agent *agent = agents->first; !s->reads && agent; agent = agent->next) put_agent(s, w, agent);
    for (world_agent *agent = agents->removed; !s->reads && agent; agent = agent->next_removed) put_agent(s, w, agent);
    pass_boxes(s, &w->boxes);
}

/* Returns an agent by its id, removed or not; NULL: there is none. The context of a crowd's restore. */
static void *agent_of(void *context, wend_agent_id id) {
    const world_agents *agents = &((const world_state *)context)->agents;
    world_agent *agent = id.index < agents->most ? agents->by_index[id.index] : NULL;
    if (agent && agent->id.generation == id.generation) return agent;
    for (agent = agents->removed; agent; agent = agent->next_removed)
        if (agent->id.index == id.index && agent->id.generation == id.generation) return agent;
    return NULL;
}

/* The crowd's save has the same list by ids; this one is the world's. */
static void pass_waits_of(saved *s, const world_state *w, world_agent *agent) {
    agent->waits = (uint32_t)saved_below(s, agent->waits, WEND_MAX_WAITED_FOR + 1);
    for (uint32_t i = 0; i < agent->waits; i++) {
        const uint64_t index = saved_below(s, s->reads ? 0 : agent->waits_for[i]->id.index, w->agents.most);
        agent->waits_for[i] = w->agents.by_index[index];
        if (!agent->waits_for[i]) saved_spoil(s, "an agent of the save waits for one that is not there");
    }
    if (s->bad) agent->waits = 0;
}

/* Reading: after the restore of the crowd, which has to have all agents. */
static void pass_waits(saved *s, world_state *w) {
    for (world_agent *agent = w->agents.first; agent && !s->bad; agent = agent->next) {
        wend_agent_state state = {.struct_bytes = sizeof state};
        if (s->reads) saved_allows(s, wend_crowd_get_agent(w->crowd, agent->id, &state));
        pass_waits_of(s, w, agent);
    }
}

/* ---- the crowd ---- */

/* All limits are fields of the order `crowd`. */
void saved_crowd_limits(saved *s, wend_crowd_def *def, wend_crowd_tuning *tuning) {
    const wend__row *row = &wend__order_rows[WEND_ORDER_CROWD];
    wend_order order = {.kind = WEND_ORDER_CROWD};
    order.crowd.def = *def;
    order.crowd.tuning = *tuning;
    for (uint32_t i = 0; i < row->field_count; i++) {
        const int64_t value = (int64_t)saved_number(s, (uint64_t)wend__value_get(&row->fields[i], &order));
        wend__value_set(&row->fields[i], &order, value);
    }
    *def = order.crowd.def;
    *tuning = order.crowd.tuning;
}

static void put_crowd(saved *s, wend_crowd *crowd) {
    size_t room, bytes = 0;
    uint8_t *part;
    do part = saved_part_begin(s, &room);
    while (saved_part_end(s, wend_crowd_save_state(crowd, part, room, &bytes), &bytes));
}

static void get_crowd(saved *s, world_state *w) {
    wend_save_host host;
    size_t bytes = 0;
    const uint8_t *part = saved_part(s, &bytes);
    wend_save_host_init(&host, sizeof host);
    host.agent = agent_of;
    host.context = w;
    if (part) saved_allows(s, wend_crowd_restore_state(w->crowd, &host, part, bytes));
}

void saved_crowd(saved *s, world_state *w) {
    pass_agents(s, w);
    if (s->reads)
        get_crowd(s, w);
    else
        put_crowd(s, w->crowd);
    if (s->bad) return;
    pass_waits(s, w);
    if (saved_flag(s, w->jams) && s->reads && !s->bad && !world_jams_begin(w)) saved_spoil(s, "no memory");
}

void saved_service(saved *s, wend_service *service, const wend_save_host *host) {
    size_t room, bytes = 0;
    uint8_t *part;
    do part = saved_part_begin(s, &room);
    while (saved_part_end(s, wend_service_save_state(service, host, part, room, &bytes), &bytes));
}
