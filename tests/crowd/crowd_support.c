/* SPDX-License-Identifier: MIT */
/* Towns: a map, a service and a crowd, all of whose frames are checked. */
#include "crowd/crowd_support.h"
#include "models/apart.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/query.h>
#include <wend/units.h>

static void hash_bytes(town *t, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) t->hash = (t->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(1099511628211);
}

static uint32_t number_of(const town *t, wend_agent_id id) {
    for (uint32_t i = t->agent_count; i-- > 0;)
        if (t->agents[i].id.index == id.index && t->agents[i].id.generation == id.generation) return i;
    cr_assert_fail("an event of an unknown agent");
    return 0;
}

/* Notes events. They come in the order of adding, and in order for each agent; each goal ends once. */
static void note_event(void *context, const wend_agent_event *event) {
    town *t = context;
    if (event->event == WEND_AGENT_EVENT_CLEAR) {
        cr_assert(event->update == t->frame && !event->context && event->agent.generation == 0);
        t->clear_count++;
        return;
    }
    uint32_t number = number_of(t, event->agent);
    town_agent *agent = &t->agents[number];
    if (t->event_count > 0 && t->events[t->event_count - 1].update == event->update)
        cr_assert_leq(number_of(t, t->events[t->event_count - 1].agent), number, "events out of order");
    cr_assert_eq(event->update, t->frame);
    cr_assert_eq(event->struct_bytes, sizeof *event);
    const bool goes_on = !wend_agent_event_ends_goal(event->event);
    if (!goes_on) agent->ended++;
    cr_assert_leq(agent->ended, agent->begun, "a wish ended twice");
    cr_assert_eq(event->why != WEND_WHY_NONE, event->event == WEND_AGENT_EVENT_GAVE_UP);
    if (t->event_count == TOWN_EVENTS) memmove(t->events, t->events + 1, --t->event_count * sizeof *t->events);
    t->events[t->event_count++] = *event;
    int32_t said[6] = {event->event, event->why, (int32_t)number, event->cell.x, event->cell.y, event->cell.z};
    hash_bytes(t, said, sizeof said);
}

static void open_all(town *t, wend_map *map, const wend_crowd_def *def, uint32_t workers, uint32_t queue) {
    memset(t, 0, sizeof *t);
    t->map = map, t->budget = 100000;
    wend_service_def service = default_service();
    service.queue = queue, service.nodes = 64 * WEND_PAGE_NODES, service.workers = workers;
    cr_assert_eq(wend_service_create(&service, &t->service), WEND_OK);
    wend_crowd_def own = default_crowd();
    own.agents = TOWN_AGENTS;
    if (def) own = *def;
    own.service = t->service, own.map = map, own.on_event = note_event;
    own.context = t;
    cr_assert_eq(wend_crowd_create(&own, &t->crowd), WEND_OK);
}

void town_open_on(town *t, wend_map *map, const wend_crowd_def *def, uint32_t workers) {
    open_all(t, map, def, workers, 1024);
}

void town_open_queue(town *t, wend_map *map, uint32_t queue) {
    open_all(t, map, NULL, 0, queue);
}

void town_open(town *t, const char *const *rows, int32_t count, const wend_crowd_def *def) {
    wend_map_def of_map = default_map();
    of_map.width = (int32_t)strlen(rows[0]), of_map.height = count;
    wend_map *map = made_map(&of_map);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < count; y++)
        for (int32_t x = 0; x < of_map.width; x++) {
            char c = rows[y][x];
            wend_edit_set_cell(edit, (wend_cell){x, y, 0}, c == '#' ? 0 : c == '.' ? 1 : (uint8_t)(c - '0'));
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    town_open_on(t, map, def, 0);
}

void town_close(town *t) {
    cr_assert_eq(wend_crowd_destroy(t->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(t->service), WEND_OK);
    wend_map_release(t->map);
}

uint32_t town_add_def(town *t, const wend_agent_def *def) {
    town_agent *agent = &t->agents[t->agent_count];
    cr_assert_lt(t->agent_count, TOWN_AGENTS);
    wend_mover mover = {.struct_bytes = sizeof mover};
    cr_assert_eq(wend_map_get_mover(t->map, def->mover, &mover), WEND_OK);
    *agent =
        (town_agent){.present = true, .ghost = def->ghost, .mover = def->mover, .size = mover.size, .cell = def->cell};
    cr_assert_eq(wend_crowd_add(t->crowd, def, &agent->id), WEND_OK);
    return t->agent_count++;
}

uint32_t town_add(town *t, int32_t x, int32_t y, uint32_t speed_milli) {
    wend_agent_def def = default_agent();
    def.cell = (wend_cell){x, y, 0}, def.speed_milli = speed_milli;
    return town_add_def(t, &def);
}

void town_remove(town *t, uint32_t agent) {
    cr_assert_eq(wend_crowd_remove(t->crowd, t->agents[agent].id), WEND_OK);
    t->agents[agent].present = false;
}

void town_go_all(town *t, const uint32_t *agents, uint32_t count, wend_cell cell, int32_t reach) {
    wend_agent_id ids[TOWN_AGENTS];
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = cell, goal.reach = reach;
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = t->agents[agents[i]].id;
        t->agents[agents[i]].begun++;
    }
    cr_assert_eq(wend_crowd_go(t->crowd, ids, count, &goal), WEND_OK);
}

void town_go(town *t, uint32_t agent, int32_t x, int32_t y) {
    town_go_all(t, &agent, 1, (wend_cell){x, y, 0}, 0);
}

void town_halt(town *t, uint32_t agent) {
    cr_assert_eq(wend_crowd_halt(t->crowd, &t->agents[agent].id, 1), WEND_OK);
}

/* ---- rules of every frame ---- */

static void check_step(const town *t, const town_agent *agent, wend_cell to) {
    bool legal;
    if (same_cell(agent->cell, to)) return;
    uint64_t cost;
    cr_assert_eq(wend_map_step_legal(t->map, agent->mover, agent->cell, to, &legal, &cost), WEND_OK);
    uint8_t class;
    wend_map_get_terrain(t->map, agent->cell, &class);
    cr_assert(legal || class == 0, "from %d,%d to %d,%d", (int)agent->cell.x, (int)agent->cell.y, (int)to.x, (int)to.y);
}

static void check_pair(const town *t, const wend_map_info *info, uint32_t i, uint32_t j, const wend_cell *now) {
    const town_agent *a = &t->agents[i], *b = &t->agents[j];
    if (!a->present || !b->present || a->ghost || b->ghost) return;
    const stand own = stand_of(info, a->cell, now[i], a->size), other = stand_of(info, b->cell, now[j], b->size);
    cr_assert_not(stands_overlap(info, &own, &other), "agents %u and %u share a cell in frame %llu", i, j,
                  (unsigned long long)t->frame);
    cr_assert_not(stands_cross(info, &own, &other), "agents %u and %u crossed in frame %llu", i, j,
                  (unsigned long long)t->frame);
}

static void check_agents(town *t) {
    static wend_cell now[TOWN_AGENTS];
    const wend_map_info info = info_now(t->map);
    for (uint32_t i = 0; i < t->agent_count; i++) {
        if (!t->agents[i].present) continue;
        wend_agent_state state = town_state(t, i);
        now[i] = state.cell;
        check_step(t, &t->agents[i], now[i]);
        hash_bytes(t, &now[i], sizeof now[i]);
        hash_bytes(t, &state.point, sizeof state.point);
        uint32_t units;
        wend_map_get_occupants(t->map, now[i], &units);
        if (!t->agents[i].ghost) cr_assert_geq(units, 1, "a held cell is occupied");
    }
    for (uint32_t i = 0; i < t->agent_count; i++)
        for (uint32_t j = 0; j < i; j++) check_pair(t, &info, i, j, now);
    for (uint32_t i = 0; i < t->agent_count; i++)
        if (t->agents[i].present) t->agents[i].cell = now[i];
}

void town_frame(town *t) {
    wend_budget budget = budget_of(t->budget);
    t->frame++;
    cr_assert_eq(wend_service_tick(t->service, &budget, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(t->crowd, 1000, NULL, NULL), WEND_OK);
    check_agents(t);
}

void town_frames(town *t, uint32_t count) {
    while (count-- > 0) town_frame(t);
}

uint32_t town_walk(town *t, uint32_t most) {
    uint32_t frames = 0;
    for (; town_counts(t).busy > 0; frames++) {
        cr_assert_lt(frames, most, "still busy");
        town_frame(t);
    }
    return frames;
}

/* ---- questions of the tests ---- */

wend_agent_state town_state(const town *t, uint32_t agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(t->crowd, t->agents[agent].id, &state), WEND_OK);
    return state;
}

wend_cell town_cell(const town *t, uint32_t agent) {
    return town_state(t, agent).cell;
}

bool town_is_at(const town *t, uint32_t agent, int32_t x, int32_t y) {
    return same_cell(town_cell(t, agent), (wend_cell){x, y, 0});
}

static const wend_agent_event *last_event(const town *t, uint32_t agent) {
    for (uint32_t i = t->event_count; i-- > 0;)
        if (t->events[i].event != WEND_AGENT_EVENT_DISPLACED && number_of(t, t->events[i].agent) == agent)
            return &t->events[i];
    return NULL;
}

int32_t town_last(const town *t, uint32_t agent) {
    const wend_agent_event *event = last_event(t, agent);
    return event ? event->event : 0;
}

int32_t town_why(const town *t, uint32_t agent) {
    const wend_agent_event *event = last_event(t, agent);
    return event ? event->why : 0;
}

uint32_t town_count(const town *t, uint32_t agent, int32_t event) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->event_count; i++)
        count += t->events[i].event == event && number_of(t, t->events[i].agent) == agent;
    return count;
}

wend_crowd_stats town_counts(const town *t) {
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    cr_assert_eq(wend_crowd_get_stats(t->crowd, &counts), WEND_OK);
    return counts;
}

void town_set(town *t, int32_t x, int32_t y, uint8_t class) {
    cr_assert_eq(wend_map_set_cell(t->map, (wend_cell){x, y, 0}, class, NULL), WEND_OK);
}
