/* SPDX-License-Identifier: MIT */
/* A crowded house of rooms with narrow doors: the work for deferred steps that an update needs, so that all arrive.
 * | Too little work makes a jam worse. An agent without work left stands, even in a door, and blocks those behind it.
 * All standing agents request work in each update, and some searches for ways round. So the less work there is, the
 * more is requested, and the few searches left go to agents that only stand because others do. With 16 pieces an agent,
 * the default, nothing waits; with half of that some do not arrive; with a quarter the house does not empty. */
#include "models/defaults.h"
#include "models/options.h"
#include "models/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/wend.h>

enum { SIDE = 96, ROOM = 16, AGENTS = 800, ASKING = 300, MOST = 3000, NEAR = 40, WAIT = 20, GOALS = 65536 };

typedef struct walker {
    wend_agent_id id;
    wend_cell cell, goal;
    uint32_t still, most; ///< updates that it stood, now and at most, with this goal
    uint32_t due;         ///< frame of its next goal
    bool busy;
} walker;

typedef struct house {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    walker walkers[AGENTS];
    bool taken[SIDE * SIDE]; ///< goals, and cells of agents without goals
    uint32_t stands[GOALS];
    uint32_t frame, busy, goals, arrived, others;
    uint64_t seed, put_off;
} house;

static bool is_wall(int32_t x, int32_t y) {
    const bool wall_x = x % ROOM == 0, wall_y = y % ROOM == 0;
    const bool door = (wall_x && y % ROOM == ROOM / 2 && x > 0) || (wall_y && x % ROOM == ROOM / 2 && y > 0);
    return (wall_x || wall_y) && !door;
}

static wend_map *open_rooms(void) {
    wend_map *map = grid_map(SIDE, SIDE);
    cr_assert_eq(wend_map_accelerate(map, NULL), WEND_OK);
    wend_edit *edit = begin_edit(map);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            if (is_wall(x, y)) wend_edit_set_cell(edit, (wend_cell){x, y, 0}, 0);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static int32_t clipped(int32_t at) {
    return at < 0 ? 0 : at < SIDE ? at : SIDE - 1;
}

/* Returns a free cell of a room, no door, and reserves it. */
static wend_cell draw_place(house *h, wend_cell from, int32_t within) {
    for (;;) {
        const int32_t x = clipped(from.x - within + (int32_t)draw(&h->seed, 2 * (uint32_t)within + 1));
        const int32_t y = clipped(from.y - within + (int32_t)draw(&h->seed, 2 * (uint32_t)within + 1));
        if (x % ROOM == 0 || y % ROOM == 0 || h->taken[y * SIDE + x]) continue;
        h->taken[y * SIDE + x] = true;
        return (wend_cell){x, y, 0};
    }
}

static void note_event(void *context, const wend_agent_event *event) {
    house *h = context;
    walker *w = &h->walkers[event->agent.index];
    if (!wend_agent_event_ends_goal(event->event)) return;
    cr_assert(w->busy);
    if (event->event == WEND_AGENT_EVENT_ARRIVED)
        h->arrived++;
    else
        h->others++;
    h->stands[h->goals++] = w->most;
    w->busy = false;
    h->busy--;
    w->due = h->frame + WAIT;
}

static void open_house(house *h, uint32_t work) {
    memset(h, 0, sizeof *h);
    h->seed = 5, h->map = open_rooms();
    wend_service_def service = default_service();
    service.queue = 2 * AGENTS, service.nodes = 256 * WEND_PAGE_NODES;
    cr_assert_eq(wend_service_create(&service, &h->service), WEND_OK);
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, def.service = h->service, def.map = h->map, def.on_event = note_event, def.context = h;
    tuning_of(&def)->work = work;
    cr_assert_eq(wend_crowd_create(&def, &h->crowd), WEND_OK);
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = draw_place(h, (wend_cell){SIDE / 2, SIDE / 2, 0}, SIDE);
        agent.speed_milli = 250;
        h->walkers[i].cell = h->walkers[i].goal = agent.cell;
        h->walkers[i].due = draw(&h->seed, WAIT);
        cr_assert_eq(wend_crowd_add(h->crowd, &agent, &h->walkers[i].id), WEND_OK);
        cr_assert_eq(h->walkers[i].id.index, i);
    }
}

static void close_house(house *h) {
    cr_assert_eq(wend_crowd_destroy(h->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(h->service), WEND_OK);
    wend_map_release(h->map);
}

static void send_due(house *h) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        walker *w = &h->walkers[i];
        if (w->busy || w->due > h->frame) continue;
        const wend_cell before = w->goal;
        w->goal = draw_place(h, w->cell, NEAR);
        h->taken[before.y * SIDE + before.x] = false;
        w->busy = true, w->still = w->most = 0;
        h->busy++;
        wend_crowd_goal goal = default_crowd_goal();
        goal.cell = w->goal;
        cr_assert_eq(wend_crowd_go(h->crowd, &w->id, 1, &goal), WEND_OK);
    }
}

static void measure_stands(house *h) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    cr_assert_eq(wend_crowd_get_view(h->crowd, &view), WEND_OK);
    for (uint32_t i = 0; i < AGENTS; i++) {
        walker *w = &h->walkers[i];
        const wend_cell now = view.cells[i];
        const bool moved = now.x != w->cell.x || now.y != w->cell.y;
        w->cell = now, w->still = moved || !w->busy ? 0 : w->still + 1;
        if (w->still > w->most) w->most = w->still;
    }
}

static void frame(house *h) {
    wend_budget budget = default_budget();
    budget.expansions = 8 * AGENTS;
    if (h->frame < ASKING) send_due(h);
    cr_assert_eq(wend_service_tick(h->service, &budget, NULL), WEND_OK);
    cr_assert_eq(wend_crowd_update(h->crowd, 1000, NULL, NULL), WEND_OK);
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    cr_assert_eq(wend_crowd_get_stats(h->crowd, &stats), WEND_OK);
    h->put_off += stats.put_off;
    measure_stands(h);
    h->frame++;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Returns the longest stand with a goal at p99, in updates. */
static uint32_t walk(house *h, uint32_t work_an_agent) {
    open_house(h, work_an_agent * AGENTS);
    while (h->frame < ASKING || (h->busy > 0 && h->frame < MOST)) frame(h);
    qsort(h->stands, h->goals, sizeof *h->stands, by_number);
    close_house(h);
    return h->stands[h->goals * 99 / 100];
}

Test(jam, does_not_feed_itself_where_work_grows_with_the_agents) {
    static house h;
    const uint32_t stand = walk(&h, 16);
    cr_assert_eq(h.busy, 0);
    cr_assert_eq(h.others, 0, "all arrive");
    cr_assert_gt(h.arrived, AGENTS);
    cr_assert_leq(stand, 70);
    cr_assert_eq(h.put_off, 0);
    const uint32_t frames = h.frame;
    (void)walk(&h, 4);
    cr_assert_gt(h.frame, 3 * frames / 2);
    cr_assert_gt(h.busy + h.others, AGENTS / 20, "%u are not helped by time", h.busy + h.others);
    cr_assert_gt(h.put_off, 100 * (uint64_t)AGENTS);
}
