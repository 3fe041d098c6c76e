/* SPDX-License-Identifier: MIT */
/* A town with the default settings: four walled quarters joined by gates of three cells, houses, a market, and 500
 * agents that get a new goal when one ends. The same towns and draws without bodies, with 150 and with 500. CSV: goals
 * reached, those of as many without bodies, agents that reached none in the last 1,000 updates.
 *
 *   bench_town [TOWNS [FIRST [UPDATES]]]    4 towns from number 1 on, 3,000 updates each
 *   bench_town where TOWN RADIUS BODIES     what the agents without a goal reached wait for */
#include "harness.h"
#include <wend/agents.h>
#include <wend/body.h>

enum { SIDE = 96, AGENTS = 500, LONG = 1000, STALLS = 6 };
enum { ROOM, HOUSE, GATE, MARKET, PLACE_KINDS };
static const char *const place_names[] = {"street", "house", "gate", "market"};

typedef struct town {
    uint8_t class[SIDE * SIDE], kind[SIDE * SIDE];
    uint64_t draws;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_bodies *bodies;
    wend_agent_id ids[AGENTS];
    bool ended[AGENTS], has_body[AGENTS];
    uint32_t last[AGENTS]; ///< update of the last arrival
    uint32_t now, reached, failed;
} town;

/* ---- the map ---- */

static void set_kind(town *t, int x, int y, int width, int height, uint8_t kind) {
    for (int k = 0; k < width * height; k++) t->kind[(y + k / width) * SIDE + x + k % width] = kind;
}

static void block(town *t, int x, int y, int width, int height) {
    for (int k = 0; k < width * height; k++) t->class[(y + k / width) * SIDE + x + k % width] = WEND_CLASS_BLOCKED;
}

/* Opens a gate of three cells through each arm of the walls, two cells thick. */
static void build_walls(town *t) {
    block(t, SIDE / 2 - 1, 0, 2, SIDE), block(t, 0, SIDE / 2 - 1, SIDE, 2);
    for (int k = 0; k < 4; k++) {
        const int along = k % 2 * SIDE / 2 + 12 + (int)bench_random(&t->draws, SIDE / 2 - 27);
        for (int c = 0; c < 6; c++) {
            const int x = k < 2 ? SIDE / 2 - 1 + c / 3 : along + c % 3,
                      y = k < 2 ? along + c % 3 : SIDE / 2 - 1 + c / 3;
            t->class[y * SIDE + x] = WEND_CLASS_OPEN, t->kind[y * SIDE + x] = GATE;
        }
    }
}

/* Builds a house: four walls and a door of one cell. */
static void build_house(town *t, int x, int y) {
    const int width = 5 + (int)bench_random(&t->draws, 3), height = 5 + (int)bench_random(&t->draws, 3);
    const uint32_t side = bench_random(&t->draws, 4);
    const int door = 1 + (int)bench_random(&t->draws, (uint32_t)(side < 2 ? width : height) - 2);
    block(t, x, y, width, height);
    for (int k = 0; k < (width - 2) * (height - 2); k++)
        t->class[(y + 1 + k / (width - 2)) * SIDE + x + 1 + k % (width - 2)] = WEND_CLASS_OPEN;
    const int door_x = side < 2 ? x + door : side == 2 ? x : x + width - 1;
    const int door_y = side >= 2 ? y + door : side == 0 ? y : y + height - 1;
    t->class[door_y * SIDE + door_x] = WEND_CLASS_OPEN;
    set_kind(t, x, y, width, height, HOUSE);
}

/* Builds the market: stalls of two cells round the middle of a quarter, in place of four houses. */
static void build_market(town *t, int x, int y) {
    set_kind(t, x, y, 22, 22, MARKET);
    for (int k = 0; k < STALLS * STALLS; k++)
        if (k % 2) block(t, x + 2 + k % STALLS * 3, y + 2 + k / STALLS * 3, 2, 1);
}

static void build_town(town *t) {
    memset(t->class, WEND_CLASS_OPEN, sizeof t->class);
    build_walls(t);
    const uint32_t market = bench_random(&t->draws, 4);
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        const int left = (int)(quarter % 2) * (SIDE / 2 + 1), top = (int)(quarter / 2) * (SIDE / 2 + 1);
        for (int k = 0; k < 16; k++) {
            const bool in_market = quarter == market && k % 4 > 0 && k % 4 < 3 && k / 4 > 0 && k / 4 < 3;
            if (!in_market) build_house(t, left + 2 + k % 4 * 11, top + 2 + k / 4 * 11);
        }
        if (quarter == market) build_market(t, left + 12, top + 12);
    }
}

/* Draws where an agent wants to go: every third time to the market, else into a house or a street anywhere. */
static wend_cell draw_goal(town *t, bool anywhere) {
    const bool market = !anywhere && bench_random(&t->draws, 3) == 0;
    for (;;) {
        const wend_cell cell = random_place(SIDE, SIDE, &t->draws);
        const int at = cell.y * SIDE + cell.x;
        if (t->class[at] == WEND_CLASS_OPEN && t->kind[at] != GATE && (!market || t->kind[at] == MARKET)) return cell;
    }
}

/* ---- the crowd ---- */

static void on_event(void *context, const wend_agent_event *event) {
    town *t = context;
    const uint32_t i = event->agent.index;
    const bool arrived = event->event == WEND_AGENT_EVENT_ARRIVED;
    const bool failed = event->event == WEND_AGENT_EVENT_GAVE_UP || event->event == WEND_AGENT_EVENT_PARTIAL;
    if (!arrived && !failed) return;
    t->ended[i] = true;
    t->failed += failed;
    if (arrived) t->reached++, t->last[i] = t->now;
}

static void send_on(town *t, uint32_t i) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = draw_goal(t, false);
    t->ended[i] = false;
    check(wend_crowd_go(t->crowd, &t->ids[i], 1, &goal));
}

static void add_agents(town *t, uint32_t radius_milli, uint32_t bodies) {
    wend_body_def body;
    wend_body_def_init(&body, sizeof body);
    body.radius_milli = radius_milli;
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        do agent.cell = draw_goal(t, true);
        while (wend_crowd_add(t->crowd, &agent, &t->ids[i]));
        t->has_body[i] = i * bodies / AGENTS < (i + 1) * bodies / AGENTS;
        if (t->has_body[i]) check(wend_body_add(t->bodies, t->ids[i], &body));
        send_on(t, i);
    }
}

static void open_town(town *t, unsigned number, uint32_t radius_milli, uint32_t bodies) {
    const wend_service_def service = default_service();
    wend_crowd_def crowd = default_crowd();
    wend_bodies_def discs;
    *t = (town){.draws = number * 7919};
    build_town(t);
    t->map = grid_of(t->class, SIDE, SIDE);
    check(wend_service_create(&service, &t->service));
    crowd.map = t->map, crowd.service = t->service, crowd.on_event = on_event, crowd.context = t;
    check(wend_crowd_create(&crowd, &t->crowd));
    wend_bodies_def_init(&discs, sizeof discs);
    discs.crowd = t->crowd;
    if (bodies > 0) check(wend_bodies_create(&discs, &t->bodies));
    add_agents(t, radius_milli, bodies);
}

static void close_town(town *t) {
    check(wend_crowd_destroy(t->crowd));
    if (t->bodies) check(wend_bodies_destroy(t->bodies));
    check(wend_service_destroy(t->service));
    wend_map_release(t->map);
}

static uint32_t run(town *t, uint32_t updates, double *us) {
    uint32_t stuck = 0;
    for (t->now = 0; t->now < updates; t->now++) {
        const double begun = cpu_us();
        check(wend_service_tick(t->service, NULL, NULL));
        check(wend_crowd_update(t->crowd, 1000, NULL, NULL));
        *us += cpu_us() - begun;
        for (uint32_t i = 0; i < AGENTS; i++)
            if (t->ended[i]) send_on(t, i);
    }
    for (uint32_t i = 0; i < AGENTS; i++) stuck += updates - t->last[i] > LONG;
    return stuck;
}

/* ---- where they stand ---- */

static void print_agent(const town *t, uint32_t i, uint32_t updates) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(t->crowd, t->ids[i], &state));
    printf("%u,%s,%s,%s,", i, t->has_body[i] ? "disc" : "cell",
           place_names[t->kind[state.cell.y * SIDE + state.cell.x]], wend_constant_name(WEND_NAME_WAIT, state.waits));
    if (state.blocker.generation > 0)
        printf("%s %u", t->has_body[state.blocker.index] ? "disc" : "cell", state.blocker.index);
    printf(",%u,%u,%d %d,%d %d,%d %d\n", updates - t->last[i], state.waited, state.cell.x, state.cell.y,
           state.blocked_cell.x, state.blocked_cell.y, state.goal_cell.x, state.goal_cell.y);
}

static int run_where(town *t, unsigned number, uint32_t radius_milli, uint32_t bodies, uint32_t updates) {
    double us = 0;
    open_town(t, number, radius_milli, bodies);
    const uint32_t stuck = run(t, updates, &us);
    printf("%u reached, %u failed, %u stuck\n", t->reached, t->failed, stuck);
    puts("agent,kind,place,waits,for,since,waited,cell,wants,goal");
    for (uint32_t i = 0; i < AGENTS; i++)
        if (updates - t->last[i] > LONG) print_agent(t, i, updates);
    close_town(t);
    return 0;
}

int main(int argc, char **argv) {
    static const struct {
        uint32_t radius_milli, bodies;
    } kinds[] = {{0, 0}, {300, 150}, {400, 150}, {300, AGENTS}, {400, AGENTS}};
    static town t;
    if (argc > 4 && !strcmp(argv[1], "where"))
        return run_where(&t, (unsigned)atoi(argv[2]), (uint32_t)(atof(argv[3]) * 1000 + .5), (uint32_t)atoi(argv[4]),
                         argc > 5 ? (uint32_t)atoi(argv[5]) : 3000);
    const unsigned towns = argc > 1 ? (unsigned)atoi(argv[1]) : 4, first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    const uint32_t updates = argc > 3 ? (uint32_t)atoi(argv[3]) : 3000;
    double without = 0;
    puts("radius,bodies,goals,of_none,failed,stuck,us");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t reached = 0, stuck = 0, failed = 0;
        double us = 0;
        for (unsigned number = first; number < first + towns; number++) {
            open_town(&t, number, kinds[k].radius_milli, kinds[k].bodies);
            stuck += run(&t, updates, &us);
            reached += t.reached, failed += t.failed;
            close_town(&t);
        }
        if (k == 0) without = reached;
        printf("%.1f,%u,%u,%.2f,%u,%u,%.2f\n", kinds[k].radius_milli / 1000., kinds[k].bodies, reached,
               reached / without, failed, stuck, us / towns / AGENTS / updates);
        fflush(stdout);
    }
    return 0;
}
