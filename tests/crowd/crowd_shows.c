/* SPDX-License-Identifier: MIT */
/* Shows of a crowd: the frame, and its checks. */
#include "models/apart.h"
#include "models/defaults.h"
#include "crowd/crowd_shows.h"

#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>

static wend_cell cell_at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}

static bool is_same(wend_cell a, wend_cell b) {
    return a.x == b.x && a.y == b.y;
}

static void check(wend_error error) {
    if (error) abort();
}

static void note_event(void *context, const wend_agent_event *event) {
    show *s = context;
    show_agent *agent = &s->agents[(uintptr_t)event->context];
    if (!wend_agent_event_ends_goal(event->event)) return;
    if (event->event == WEND_AGENT_EVENT_REPLACED) return;
    agent->wants = false, agent->ended = s->frame;
    agent->met = event->event == WEND_AGENT_EVENT_ARRIVED && is_same(event->cell, agent->goal);
    s->met += agent->met;
    s->partial += event->event == WEND_AGENT_EVENT_PARTIAL;
}

void show_open(show *s, int32_t width, int32_t height, const uint8_t *open, uint32_t agents) {
    size_t cells = (size_t)width * (size_t)height;
    *s = (show){.width = width, .height = height, .capacity = agents, .random = 7};
    s->open = malloc(cells);
    memcpy(s->open, open, cells);
    s->agents = calloc(agents, sizeof *s->agents);
    wend_map_def map = default_map();
    map.width = width, map.height = height;
    check(wend_map_create(&map, &s->map));
    wend_edit *edit = begin_edit(s->map);
    check(wend_edit_set_box(edit, (wend_box){{0, 0, 0}, {width - 1, height - 1, 0}}, open, (size_t)width));
    check(wend_edit_publish(edit, NULL));
    wend_service_def service = default_service();
    service.queue = 4 * agents, service.nodes = 256 * WEND_PAGE_NODES;
    check(wend_service_create(&service, &s->service));
    wend_crowd_def crowd = default_crowd();
    crowd.agents = agents, crowd.service = s->service, crowd.map = s->map;
    crowd.on_event = note_event, crowd.context = s;
    check(wend_crowd_create(&crowd, &s->crowd));
}

void show_close(show *s) {
    check(wend_crowd_destroy(s->crowd));
    check(wend_service_destroy(s->service));
    wend_map_release(s->map);
    free(s->doors);
    free(s->agents);
    free(s->open);
}

uint32_t show_add(show *s, int32_t x, int32_t y, int32_t speed_milli) {
    uint32_t i = s->count++;
    wend_agent_def def = default_agent();
    def.cell = cell_at(x, y), def.speed_milli = (uint32_t)speed_milli;
    def.context = (void *)(uintptr_t)i;
    s->agents[i] = (show_agent){.cell = def.cell, .goal = def.cell, .speed_milli = speed_milli};
    check(wend_crowd_add(s->crowd, &def, &s->agents[i].id));
    return i;
}

/* By a search of its own; 0: there is no way. */
static uint64_t lone_frames(const show *s, const show_agent *agent) {
    wend_cell cells[4096];
    size_t count = 0;
    check(wend_find_path(s->map, agent->cell, agent->goal, cells, 4096, &count, NULL));
    if (count > 4096) abort();
    uint64_t cost = 0, speed = (uint64_t)agent->speed_milli;
    for (size_t k = 1; k < count; k++)
        cost += cells[k].x != cells[k - 1].x && cells[k].y != cells[k - 1].y ? 1400 : 1000;
    return (cost + speed - 1) / speed;
}

void show_go(show *s, uint32_t i, int32_t x, int32_t y) {
    show_agent *agent = &s->agents[i];
    wend_crowd_goal goal = default_crowd_goal();
    agent->goal = goal.cell = cell_at(x, y), agent->lone_frames = lone_frames(s, agent);
    agent->began = s->frame, agent->wants = true, agent->met = false;
    s->goals++;
    check(wend_crowd_go(s->crowd, &agent->id, 1, &goal));
}

/* ---- checks ---- */

static bool is_open(const show *s, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < s->width && y < s->height && s->open[y * s->width + x];
}

static bool is_step(const show *s, wend_cell a, wend_cell b) {
    if (abs(a.x - b.x) > 1 || abs(a.y - b.y) > 1) return false;
    return is_open(s, a.x, a.y) && is_open(s, b.x, b.y) && is_open(s, a.x, b.y) && is_open(s, b.x, a.y);
}

/* At these speeds an agent makes one step in a frame at most. */
static const char *fault_of(show *s, show_agent *agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(s->crowd, agent->id, &state));
    bool moved = !is_same(state.cell, agent->cell);
    if (moved && !is_step(s, agent->cell, state.cell)) return "an illegal step";
    if (moved && !is_same(state.from, agent->cell)) return "a step that began elsewhere";
    agent->cell = state.cell;
    return NULL;
}

bool show_frame(show *s) {
    wend_budget budget = budget_of(400000);
    s->frame++;
    check(wend_service_tick(s->service, &budget, NULL));
    check(wend_crowd_update(s->crowd, 1000, NULL, NULL));
    for (uint32_t i = 0; i < s->count && !s->fault; i++) s->fault = fault_of(s, &s->agents[i]);
    if (!s->fault) s->fault = crowd_fault(s->map, s->crowd);
    return !s->fault;
}

uint32_t show_run(show *s, uint64_t most) {
    for (;;) {
        uint32_t wants = 0, unmet = 0;
        for (uint32_t i = 0; i < s->count; i++) wants += s->agents[i].wants, unmet += !s->agents[i].met;
        if (!wants || s->frame >= most || !show_frame(s)) return unmet;
    }
}

uint64_t show_longest_walk(const show *s) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->agents[i].lone_frames > longest) longest = s->agents[i].lone_frames;
    return longest;
}
