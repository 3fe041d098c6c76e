/* SPDX-License-Identifier: MIT */
/* Random use of a crowd while its service records: every order there is, from callbacks, too. */
#include "recording/live.h"
#include "models/options.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <wend/agents.h>

enum { AGENTS = 12, CORNERS = 4 };

struct live_crowd {
    live *l;
    struct live_land *at;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    int count;
    uint32_t routes;
};

static uint32_t some(live *l, int least, int most) {
    return (uint32_t)(least + oracle_below(&l->random, most - least + 1));
}

/* ---- events, as `wend run` prints them ---- */

static void print_event(void *context, const wend_agent_event *event) {
    struct live_crowd *own = context;
    live *l = own->l;
    FILE *out = l->expected.out;
    fprintf(out, "{\"frame\":%" PRIu64 ",\"agent\":\"a%" PRIu32 "\",\"event\":\"%s\"", l->frame, event->agent.index,
            wend_constant_name(WEND_NAME_AGENT_EVENT, event->event));
    if (event->event == WEND_AGENT_EVENT_GAVE_UP)
        fprintf(out, ",\"why\":\"%s\"", wend_constant_name(WEND_NAME_WHY, event->why));
    fputs(",\"cell\":", out);
    live_print_cell(out, own->at->kind, event->cell);
    if (event->event == WEND_AGENT_EVENT_LINK_AHEAD) {
        fputs(",\"to\":", out);
        live_print_cell(out, own->at->kind, event->to);
        fprintf(out, ",\"ahead\":%" PRId32, event->ahead);
    }
    fputs("}\n", out);
    if (!l->options.callbacks) return;
    const int times = oracle_below(&l->random, 2);
    for (int i = 0; i < times; i++) live_act(l);
}

/* ---- the crowd ---- */

static void make(live *l) {
    struct live_crowd *own = calloc(1, sizeof *own);
    *own = (struct live_crowd){.l = l, .at = l->at};
    wend_crowd_def def = default_crowd();
    def.service = l->service, def.map = l->at->map, def.agents = some(l, 1, AGENTS);
    def.path_bytes = some(l, 0, 3000);
    tuning_of(&def)->events = live_chance(l, 30) ? some(l, AGENTS, 40) : 0;
    tuning_of(&def)->units_within = (int32_t)some(l, 0, 10), tuning_of(&def)->tries = some(l, 1, 4);
    tuning_of(&def)->retry_updates = some(l, 1, 5), tuning_of(&def)->routes = some(l, 0, 4);
    tuning_of(&def)->route_cells = some(l, 0, 200);
    tuning_of(&def)->head_start = live_chance(l, 50) ? some(l, 1, 8) : 0;
    tuning_of(&def)->fields = some(l, 0, 2), tuning_of(&def)->field_agents = some(l, 2, 4);
    tuning_of(&def)->work = live_chance(l, 50) ? some(l, 1, 200) : 0;
    tuning_of(&def)->link_events = def.agents & 1;
    def.on_event = print_event, def.context = own;
    cr_assert_eq(wend_crowd_create(&def, &own->crowd), WEND_OK);
    l->at->crowd = own;
    live_note_map(l);
}

/* In a callback of the service that waits for its searches it stays. */
static void end(live *l, struct live_land *at) {
    struct live_crowd *own = at->crowd;
    if (own == NULL || wend_crowd_destroy(own->crowd) != WEND_OK) return;
    (void)l;
    free(own);
    at->crowd = NULL;
}

void live_crowd_end(live *l, struct live_land *at) {
    end(l, at);
    cr_assert(at->crowd == NULL);
}

wend_crowd *live_crowd_on(const struct live_land *at) {
    return at->crowd ? at->crowd->crowd : NULL;
}

void live_crowd_steps(live *l) {
    for (int i = 0; i < l->land_count; i++) {
        const int times = oracle_below(&l->random, 4);
        for (int k = 0; k < times && l->lands[i].crowd != NULL; k++) {
            const uint32_t milli = live_chance(l, 20) ? some(l, 0, 5000) : 1000;
            cr_assert_eq(wend_crowd_update(l->lands[i].crowd->crowd, milli, NULL, NULL), WEND_OK);
        }
    }
}

/* ---- orders ---- */

static void add(live *l, struct live_crowd *own) {
    wend_agent_def def = default_agent();
    def.cell = live_cell(l);
    def.mover = live_chance(l, 30) ? oracle_below(&l->random, own->at->land->mover_count) : WEND_MOVER_DEFAULT;
    def.speed_milli = some(l, 50, 2500), def.urgency = (int32_t)some(l, 0, 4) - 2;
    def.ghost = live_chance(l, 10);
    if (own->count < AGENTS && wend_crowd_add(own->crowd, &def, &own->ids[own->count]) == WEND_OK) own->count++;
}

static void take_away(struct live_crowd *own, int which) {
    cr_assert_eq(wend_crowd_remove(own->crowd, own->ids[which]), WEND_OK);
    own->ids[which] = own->ids[--own->count];
}

/* Draws a range of the agents. */
static size_t group(live *l, const struct live_crowd *own, wend_agent_id *out) {
    const int first = oracle_below(&l->random, own->count), most = oracle_below(&l->random, own->count) + 1;
    for (int i = 0; i < most; i++) out[i] = own->ids[(first + i) % own->count];
    return (size_t)most;
}

static void go(live *l, struct live_crowd *own) {
    wend_agent_id ids[AGENTS];
    const size_t count = group(l, own, ids);
    wend_crowd_goal goal = default_crowd_goal();
    goal.kind = live_chance(l, 70) ? WEND_CROWD_CELL : 1 + oracle_below(&l->random, 2);
    goal.cell = live_cell(l);
    if (live_chance(l, 20)) goal.reach = oracle_below(&l->random, 3);
    goal.distance = 1 + oracle_below(&l->random, 8), goal.keep = live_chance(l, 50);
    goal.target = own->ids[oracle_below(&l->random, own->count)];
    (void)wend_crowd_go(own->crowd, ids, live_chance(l, 40) ? 1 : count, &goal);
}

static void patrol(live *l, struct live_crowd *own) {
    wend_cell corners[CORNERS];
    wend_route_def def = default_route();
    def.mode = oracle_below(&l->random, 3);
    def.corners = corners, def.corner_count = some(l, 1, CORNERS);
    for (uint32_t i = 0; i < def.corner_count; i++) corners[i] = live_cell(l);
    if (wend_crowd_add_route(own->crowd, &def, NULL) == WEND_OK) own->routes++;
}

/* Mostly to a neighbour, also off the map. */
static void steer(live *l, struct live_crowd *own, wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(own->crowd, id, &state), WEND_OK);
    const wend_cell near = {state.cell.x + oracle_below(&l->random, 3) - 1,
                            state.cell.y + oracle_below(&l->random, 3) - 1, state.cell.z};
    (void)wend_crowd_step(own->crowd, id, live_chance(l, 80) ? near : live_cell(l));
}

static void change(live *l, struct live_crowd *own) {
    wend_agent_id ids[AGENTS];
    const int which = oracle_below(&l->random, own->count);
    const wend_agent_id id = own->ids[which];
    const size_t count = group(l, own, ids);
    switch (oracle_below(&l->random, 9)) {
    case 0: (void)wend_crowd_move(own->crowd, id, live_cell(l)); break;
    case 1: (void)wend_crowd_set_speed(own->crowd, id, some(l, 1, 3000)); break;
    case 2: (void)wend_crowd_set_urgency(own->crowd, id, (int32_t)some(l, 0, 6) - 3); break;
    case 3: cr_assert_eq(wend_crowd_halt(own->crowd, ids, count), WEND_OK); break;
    case 8: (void)wend_crowd_wait_for(own->crowd, id, ids, count < 3 ? count : 3); break;
    case 4: take_away(own, which); break;
    case 5: steer(l, own, id); break;
    case 6:
        (void)wend_crowd_set_mover(own->crowd, ids, count, oracle_below(&l->random, own->at->land->mover_count));
        break;
    default: (void)wend_crowd_patrol(own->crowd, id, some(l, 0, 3)); break;
    }
}

void live_crowd_act(live *l) {
    struct live_crowd *own = l->at->crowd;
    const int what = oracle_below(&l->random, 100);
    if (own == NULL)
        make(l);
    else if (what < 25 || own->count == 0)
        add(l, own);
    else if (what < 70)
        go(l, own);
    else if (what < 78)
        patrol(l, own);
    else if (what < 98)
        change(l, own);
    else if (!l->options.callbacks) /* not in its own callback */
        end(l, l->at);
}
