/* SPDX-License-Identifier: MIT */
/* Small scenes at random: noise, links, few agents, some parked. Counts the goals that have no end. */
#include "crowd/scenes_world.h"
#include "models/both.h"
#include "models/made.h"
#include "models/random.h"

#include <wend/agents.h>

enum { WIDE = 16, HIGH = 12, AGENTS = 12, UPDATES = 6000, SPEED_MILLI = 250, SLOW_STEP = 30, FAST_STEP = 5 };

typedef struct stage {
    uint64_t draws;
    int32_t width, height;
    wend_cell open[WIDE * HIGH]; /* in random order */
    uint32_t open_count, goals;  /* goals: those without an end */
    scene_world world;
} stage;

static uint32_t random_below(stage *st, uint32_t below) {
    return (uint32_t)(split_bits(&st->draws) % below);
}

static void note_event(void *context, const wend_agent_event *event) {
    stage *st = context;
    st->goals -= wend_agent_event_ends_goal(event->event);
}

static void open_cells(stage *st, wend_edit *edit) {
    static const uint32_t blocked_percent[] = {0, 10, 25};
    const uint32_t blocked = blocked_percent[random_below(st, 3)];
    for (int32_t k = 0; k < st->width * st->height; k++) {
        const wend_cell cell = {k % st->width, k / st->width, 0};
        if (random_below(st, 100) < blocked) {
            check(wend_edit_set_cell(edit, cell, WEND_CLASS_BLOCKED));
            continue;
        }
        const uint32_t other = random_below(st, ++st->open_count);
        st->open[st->open_count - 1] = st->open[other];
        st->open[other] = cell;
    }
}

static void add_links(stage *st, wend_edit *edit) {
    static const uint32_t counts[] = {0, 0, 1, 3};
    for (uint32_t left = counts[random_below(st, 4)]; left > 0; left--) {
        const wend_cell a = st->open[random_below(st, st->open_count)], b = st->open[random_below(st, st->open_count)];
        if (abs(a.x - b.x) <= 1 && abs(a.y - b.y) <= 1) continue;
        (void)add_link_both(edit, a, b, random_below(st, 2) ? FAST_STEP : SLOW_STEP); /* refused: it is there */
    }
}

static void make_map(stage *st) {
    wend_map_def def = default_map();
    wend_map_rules rules = default_rules();
    def.rules = &rules;
    def.width = st->width = 5 + (int32_t)random_below(st, WIDE - 4);
    def.height = st->height = 4 + (int32_t)random_below(st, HIGH - 3);
    rules.corners = (int32_t)random_below(st, 3);
    check(wend_map_create(&def, &st->world.map));
    wend_edit *edit = begin_edit(st->world.map);
    open_cells(st, edit);
    add_links(st, edit);
    check(wend_edit_publish(edit, NULL));
}

static void add_agent(stage *st, wend_cell cell, bool disc) {
    static const uint32_t radii[] = {200, 300, 400};
    wend_agent_def def = default_agent();
    wend_body_def body = default_body();
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_id id;
    def.cell = cell, def.speed_milli = SPEED_MILLI, def.parked = random_below(st, 12) == 0;
    check(wend_crowd_add(st->world.crowd, &def, &id));
    body.radius_milli = radii[random_below(st, 3)];
    if (disc) check(wend_crowd_set_body(st->world.crowd, id, &body));
    if (random_below(st, 100) < 15) return;
    goal.cell = st->open[random_below(st, st->open_count)], goal.reach = random_below(st, 4) == 0;
    st->goals++;
    check(wend_crowd_go(st->world.crowd, &id, 1, &goal));
}

static void open_stage(stage *st, uint32_t seed, int mix) {
    *st = (stage){.draws = seed};
    make_map(st);
    scene_world_open(&st->world, AGENTS, note_event, st);
    const uint32_t most = st->open_count / 2 < AGENTS ? st->open_count / 2 : AGENTS,
                   count = 2 + random_below(st, most - 1);
    for (uint32_t i = 0; i < count; i++) {
        const bool both = random_below(st, 2) == 0;
        add_agent(st, st->open[i], mix == SCENE_DISCS || (mix == SCENE_MIXED && both));
    }
}

uint32_t scene_random_without_end(uint32_t seed, int mix) {
    static stage st;
    open_stage(&st, seed, mix);
    for (uint32_t update = 0; update < UPDATES && st.goals > 0; update++) {
        check(wend_service_tick(st.world.service, NULL, NULL));
        check(wend_crowd_update(st.world.crowd, 1000, NULL, NULL));
    }
    const uint32_t open = st.goals;
    scene_world_close(&st.world);
    return open;
}
