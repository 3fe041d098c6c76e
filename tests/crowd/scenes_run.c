/* SPDX-License-Identifier: MIT */
/* Runs a scene, and checks after each update that no discs overlap, and no cells. */
#include "body/discs.h"
#include "models/apart.h"
#include "models/both.h"
#include "crowd/scenes_world.h"
#include "models/defaults.h"

#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/boxes.h>

enum { RADIUS_MILLI = 400, SPEED_MILLI = 250 };

const char *const scene_mixes[SCENE_MIXES] = {"cells", "discs", "mixed"};

typedef struct member {
    const scene_group *group;
    wend_agent_id id;
    wend_cell goal; ///< or where it began
    int32_t ended;  ///< the last event that ended a goal of its own
} member;

typedef struct stage {
    const scene *scene;
    int32_t width, height;
    scene_world world;
    member members[SCENE_AGENTS];
    uint32_t count, gave_up;
    bool clear;
    discs seen;
} stage;

static char char_at(const stage *st, int32_t x, int32_t y) {
    return st->scene->rows[y * (st->width + 1) + x];
}

static bool is_wall(void *context, int32_t x, int32_t y) {
    const stage *st = context;
    return x < 0 || y < 0 || x >= st->width || y >= st->height || char_at(st, x, y) == '#';
}

/* Returns how many cells have a letter; at most `most` of them, by rows. */
static uint32_t cells_of(const stage *st, char letter, wend_cell *cells, uint32_t most) {
    uint32_t count = 0;
    for (int32_t y = 0; y < st->height; y++)
        for (int32_t x = 0; x < st->width && count < most; x++)
            if (char_at(st, x, y) == letter) cells[count++] = (wend_cell){x, y, 0};
    return count;
}

static void note_event(void *context, const wend_agent_event *event) {
    stage *st = context;
    if (event->event == WEND_AGENT_EVENT_CLEAR) st->clear = true;
    if (!wend_agent_event_ends_goal(event->event) || event->event == WEND_AGENT_EVENT_REPLACED) return;
    member *m = event->context;
    m->ended = event->event;
    st->gave_up += event->event == WEND_AGENT_EVENT_GAVE_UP && m->group->act != SCENE_STEER;
}

/* ---- setting up ---- */

static void open_map(stage *st) {
    wend_map_def def = default_map();
    def.width = st->width = (int32_t)strcspn(st->scene->rows, "\n");
    def.height = st->height = (int32_t)(strlen(st->scene->rows) / (size_t)(st->width + 1));
    check(wend_map_create(&def, &st->world.map));
    wend_edit *edit = begin_edit(st->world.map);
    for (int32_t y = 0; y < st->height; y++)
        for (int32_t x = 0; x < st->width; x++)
            if (is_wall(st, x, y)) check(wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0));
    for (const wend_link *l = st->scene->links; l < st->scene->links + SCENE_LINKS && l->cost > 0; l++)
        check(add_link_both(edit, l->from, l->to, l->cost));
    check(wend_edit_publish(edit, NULL));
}

static void add_member(stage *st, const scene_group *group, wend_cell at, bool has_body) {
    member *m = &st->members[st->count++];
    wend_agent_def def = default_agent();
    *m = (member){.group = group, .goal = at};
    def.cell = at, def.context = m;
    def.speed_milli = group->speed_milli > 0 ? group->speed_milli : SPEED_MILLI;
    def.steered = group->act == SCENE_STEER;
    check(wend_crowd_add(st->world.crowd, &def, &m->id));
    if (!has_body) return;
    wend_body_def body = default_body();
    body.radius_milli = RADIUS_MILLI;
    check(wend_crowd_set_body(st->world.crowd, m->id, &body));
}

static void add_group(stage *st, const scene_group *group, int mix) {
    wend_cell starts[SCENE_AGENTS], goals[SCENE_AGENTS];
    const char to = group->to ? group->to : (char)(group->of - 'a' + 'A');
    const uint32_t count = cells_of(st, group->of, starts, SCENE_AGENTS - st->count);
    const uint32_t goal_count = group->act <= SCENE_STEER ? cells_of(st, to, goals, SCENE_AGENTS) : 0;
    for (uint32_t k = 0; k < count; k++) {
        member *m = &st->members[st->count];
        add_member(st, group, starts[k], mix == SCENE_DISCS || (mix == SCENE_MIXED && st->count % 2));
        if (goal_count > 0) m->goal = goals[k < goal_count ? k : goal_count - 1];
    }
}

static void open_stage(stage *st, const scene *s, int mix) {
    *st = (stage){.scene = s};
    open_map(st);
    scene_world_open(&st->world, SCENE_AGENTS, note_event, st);
    for (const scene_group *g = s->groups; g < s->groups + SCENE_GROUPS && g->of; g++) add_group(st, g, mix);
    if (s->box.max.x > 0) check(wend_crowd_clear_box(st->world.crowd, s->box));
}

static void close_stage(stage *st) {
    scene_world_close(&st->world);
}

/* ---- orders ---- */

static wend_agent_state state_of(const stage *st, const member *m) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(st->world.crowd, m->id, &state));
    return state;
}

static const member *first_of(const stage *st, char letter) {
    const member *m = st->members;
    while (m->group->of != letter) m++;
    return m;
}

static void order_group(stage *st, const scene_group *group) {
    wend_agent_id ids[SCENE_AGENTS];
    wend_crowd_goal goal = default_crowd_goal();
    uint32_t count = 0;
    goal.reach = group->reach, goal.formation = group->formation, goal.spacing = group->act == SCENE_FORM ? 2 : 1;
    for (uint32_t i = 0; i < st->count; i++) {
        if (st->members[i].group != group) continue;
        ids[count++] = st->members[i].id;
        goal.cell = st->members[i].goal;
        if (group->act == SCENE_GO || group->act == SCENE_HOME)
            check(wend_crowd_go(st->world.crowd, &st->members[i].id, 1, &goal));
    }
    if (group->act == SCENE_FOLLOW) goal.kind = WEND_CROWD_FOLLOW, goal.target = first_of(st, group->to)->id;
    if (group->act == SCENE_FORM || group->act == SCENE_FOLLOW)
        check(wend_crowd_go(st->world.crowd, ids, count, &goal));
}

static int32_t toward(int32_t at, int32_t to) {
    return at + (to > at) - (to < at);
}

/* The next step, where it stands and is not there. */
static void steer(stage *st, const member *m) {
    const wend_agent_state state = state_of(st, m);
    if (state.state == WEND_AGENT_WALKING || same_cell(state.cell, m->goal)) return;
    const wend_cell to = {toward(state.cell.x, m->goal.x), toward(state.cell.y, m->goal.y), 0};
    check(wend_crowd_step(st->world.crowd, m->id, to));
}

static void give_orders(stage *st, uint32_t update) {
    for (const scene_group *g = st->scene->groups; g < st->scene->groups + SCENE_GROUPS && g->of; g++)
        if (g->begins == update) order_group(st, g);
    for (uint32_t i = 0; i < st->count; i++) {
        const member *m = &st->members[i];
        if (m->group->act == SCENE_STEER && m->group->begins <= update) steer(st, m);
    }
}

/* ---- the end ---- */

static bool is_within(wend_cell a, wend_cell b, int32_t cells) {
    return abs(a.x - b.x) <= cells && abs(a.y - b.y) <= cells;
}

static bool is_there(const stage *st, const member *m) {
    const scene_group *group = m->group;
    const wend_cell at = state_of(st, m).cell;
    switch (group->act) {
    case SCENE_GO:
        if (group->near > 0 && m->ended == WEND_AGENT_EVENT_PARTIAL) return is_within(at, m->goal, group->near);
        return m->ended == WEND_AGENT_EVENT_ARRIVED && is_within(at, m->goal, group->near + group->reach);
    case SCENE_FORM: return m->ended == WEND_AGENT_EVENT_ARRIVED;
    case SCENE_FOLLOW: return is_within(at, state_of(st, first_of(st, group->to)).cell, group->near);
    default: return same_cell(at, m->goal);
    }
}

static void count_there(const stage *st, scene_result *result) {
    result->there = result->awaited = 0;
    for (uint32_t i = 0; i < st->count; i++) {
        result->awaited += !st->members[i].group->free;
        result->there += !st->members[i].group->free && is_there(st, &st->members[i]);
    }
}

static bool run_update(stage *st) {
    const wend_budget budget = budget_of(100000);
    st->seen.links = st->scene->links[0].cost > 0;
    check(wend_service_tick(st->world.service, &budget, NULL));
    check(wend_crowd_update(st->world.crowd, 1000, NULL, NULL));
    if (!discs_check(&st->seen, st->world.crowd, 1000, is_wall, st)) return false;
    const char *fault = crowd_fault(st->world.map, st->world.crowd);
    if (fault) snprintf(st->seen.text, sizeof st->seen.text, "%s", fault);
    return !fault;
}

uint32_t scene_limit(const scene *s) {
    return s->limit.best * 3 / 2;
}

scene_result scene_run(const scene *s, int mix) {
    static stage st;
    scene_result result = {.updates = 0};
    open_stage(&st, s, mix);
    for (uint32_t update = 0; update < SCENE_MOST && !result.updates; update++) {
        give_orders(&st, update);
        if (!run_update(&st)) {
            snprintf(result.fault, sizeof result.fault, "update %u: %s", update + 1, st.seen.text);
            break;
        }
        count_there(&st, &result);
        if (result.there == result.awaited && (st.clear || s->box.max.x == 0)) result.updates = update + 1;
    }
    result.gave_up = st.gave_up;
    close_stage(&st);
    return result;
}

bool scene_is_met(const scene *s, const scene_result *result) {
    return result->updates > 0 && result->updates <= scene_limit(s) && result->gave_up == 0 && !result->fault[0];
}
