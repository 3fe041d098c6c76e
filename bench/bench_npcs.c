/* SPDX-License-Identifier: MIT */
/* bench_npcs [FRAMES [SEED [MOST_US]]]: the ordinary life of 500 agents of a game at 20 Hz, on rooms and on caves of
 * 512 x 512: wanderers, patrols, followers, fleers, groups, doors that open and close, and a player. CSV: a line for
 * each map. Its processor times of an expansion are those of the rounds (all by jump search with stops, as searches of
 * a crowd see units), and of whole ticks. Exit status 1 where a search needed the general A*, where a frame's
 * expansions at p50 are above 1,000, or where the processor time of a frame (tick and update) at p99 is above MOST_US,
 * 1,000; 0: time is not judged. */
#include "scenery.h"

#include <wend/figures.h>
#include <wend/agents.h>
#include <wend/units.h>

enum {
    SIDE = 512,
    ROOM = 32,
    WANDERERS = 280,
    PATROLS = 100,
    GROUPS = 4,
    GROUP = 10,
    FOLLOWERS = 40,
    FLEERS = 39,
    AGENTS = WANDERERS + PATROLS + GROUPS * GROUP + FOLLOWERS + FLEERS + 1,
    ROUTES = 20,
    CORNERS = 4,
    DOORS = 64,
    BUDGET = 20000,
    WARM = 200,
    NEAR = 48,
    MOST_EXPANSIONS = 1000
};
_Static_assert(AGENTS == 500, "the bounds are those of 500 agents");

enum kind { WANDERER, PATROL, MEMBER, FOLLOWER, FLEER, PLAYER };

typedef struct life {
    wend_map *map;
    wend_service *service;
    wend_figures *figures;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    uint32_t again[AGENTS]; ///< frame in which a wanderer that has arrived sets out again; 0: it is on its way
    wend_cell doors[DOORS];
    uint32_t door_count, frame;
    uint64_t seed;
    int32_t heading_x, heading_y; ///< the player's direction
} life;

static enum kind kind_of(uint32_t agent) {
    static const uint32_t counts[] = {WANDERERS, PATROLS, GROUPS * GROUP, FOLLOWERS, FLEERS, 1};
    enum kind kind = WANDERER;
    while (agent >= counts[kind]) agent -= counts[kind++];
    return kind;
}

static uint32_t first_of(enum kind kind) {
    uint32_t agent = 0;
    while (kind_of(agent) != kind) agent++;
    return agent;
}

static int32_t clip(int32_t value) {
    return value < 0 ? 0 : value >= SIDE ? SIDE - 1 : value;
}

/* An open cell within a number of cells of another, whether or not a closed door is before it. */
static wend_cell draw_near(life *l, wend_cell from, int32_t within) {
    for (;;) {
        const uint32_t wide = 2 * (uint32_t)within + 1;
        const wend_cell cell = {clip(from.x - within + (int32_t)draw(&l->seed, wide)),
                                clip(from.y - within + (int32_t)draw(&l->seed, wide)), 0};
        uint8_t class = WEND_CLASS_BLOCKED;
        check(wend_map_get_terrain(l->map, cell, &class));
        if (class != WEND_CLASS_BLOCKED) return cell;
    }
}

static const wend_cell middle = {SIDE / 2, SIDE / 2, 0};

static wend_cell place_of(const life *l, uint32_t agent) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(l->crowd, l->ids[agent], &state));
    return state.cell;
}

/* ---- goals ---- */

static void wander(life *l, uint32_t agent) {
    send_to(l->crowd, &l->ids[agent], 1, draw_near(l, place_of(l, agent), NEAR));
}

static void pursue(life *l, uint32_t agent) {
    wend_crowd_goal goal = default_crowd_goal();
    const bool follows = kind_of(agent) == FOLLOWER;
    goal.kind = follows ? WEND_CROWD_FOLLOW : WEND_CROWD_FLEE;
    goal.target = l->ids[follows ? draw(&l->seed, WANDERERS) : AGENTS - 1];
    goal.reach = 2;
    goal.keep = !follows;
    check(wend_crowd_go(l->crowd, &l->ids[agent], 1, &goal));
}

static void send_group(life *l, uint32_t group) {
    const uint32_t first = first_of(MEMBER) + group * GROUP;
    send_to(l->crowd, &l->ids[first], GROUP, draw_near(l, place_of(l, first), 2 * NEAR));
}

/* Each route has its corners near one place, and is for some patrols. */
static void send_patrols(life *l) {
    const uint32_t first = first_of(PATROL);
    for (uint32_t i = 0; i < PATROLS; i++) {
        if (i % (PATROLS / ROUTES) == 0) {
            wend_cell corners[CORNERS];
            uint32_t route;
            for (int corner = 0; corner < CORNERS; corner++)
                corners[corner] = draw_near(l, corner > 0 ? corners[0] : place_of(l, first + i), NEAR);
            wend_route_def def = default_route();
            def.mode = WEND_ROUTE_LOOP, def.corners = corners, def.corner_count = CORNERS;
            check(wend_crowd_add_route(l->crowd, &def, &route));
        }
        check(wend_crowd_patrol(l->crowd, l->ids[first + i], i / (PATROLS / ROUTES)));
    }
}

/* A wanderer rests for one to five seconds, and a follower or a fleer that gave up begins again. */
static void on_event(void *context, const wend_agent_event *event) {
    life *l = context;
    const uint32_t agent = event->agent.index;
    if (!wend_agent_event_ends_goal(event->event)) return;
    if (event->event == WEND_AGENT_EVENT_REPLACED) return;
    if (kind_of(agent) == WANDERER || kind_of(agent) == FOLLOWER || kind_of(agent) == FLEER)
        l->again[agent] = l->frame + 20 + draw(&l->seed, 81);
}

static void renew_goals(life *l) {
    for (uint32_t agent = 0; agent < AGENTS; agent++) {
        if (l->again[agent] == 0 || l->again[agent] > l->frame) continue;
        l->again[agent] = 0;
        if (kind_of(agent) == WANDERER)
            wander(l, agent);
        else
            pursue(l, agent);
    }
    if (l->frame % 150 == 0)
        for (uint32_t group = 0; group < GROUPS; group++) send_group(l, group);
}

/* ---- the host ---- */

/* The player walks straight on until that fails, and then another way: a step in every fourth frame. */
static void steer(life *l) {
    if (l->frame % 4 != 0) return;
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(l->crowd, l->ids[AGENTS - 1], &state));
    wend_cell next = {state.cell.x + l->heading_x, state.cell.y + l->heading_y, 0};
    uint8_t class = WEND_CLASS_BLOCKED;
    const bool inside = next.x >= 0 && next.y >= 0 && next.x < SIDE && next.y < SIDE;
    if (inside) check(wend_map_get_terrain(l->map, next, &class));
    if (class == WEND_CLASS_BLOCKED || draw(&l->seed, 32) == 0) {
        const uint32_t way = draw(&l->seed, 4);
        l->heading_x = way == 0 ? 1 : way == 1 ? -1 : 0;
        l->heading_y = way == 2 ? 1 : way == 3 ? -1 : 0;
        return;
    }
    check(wend_crowd_step(l->crowd, l->ids[AGENTS - 1], next));
}

/* A door opens or closes in every tenth frame, if no agent stands in it. */
static void work_doors(life *l) {
    if (l->frame % 10 != 0 || l->door_count == 0) return;
    const wend_cell door = l->doors[draw(&l->seed, l->door_count)];
    uint32_t units = 0;
    uint8_t class;
    check(wend_map_get_occupants(l->map, door, &units));
    check(wend_map_get_terrain(l->map, door, &class));
    if (units > 0) return;
    wend_edit *edit = begin_edit(l->map);
    check(wend_edit_set_cell(edit, door, class == WEND_CLASS_BLOCKED ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED));
    publish(edit);
}

/* A door is an open cell between two blocked ones. */
static void find_doors(life *l) {
    for (uint32_t tries = 0; tries < 1000000 && l->door_count < DOORS; tries++) {
        const wend_cell cell = {1 + (int32_t)draw(&l->seed, SIDE - 2), 1 + (int32_t)draw(&l->seed, SIDE - 2), 0};
        uint8_t here, west, east, north, south;
        check(wend_map_get_terrain(l->map, cell, &here));
        check(wend_map_get_terrain(l->map, (wend_cell){cell.x - 1, cell.y, 0}, &west));
        check(wend_map_get_terrain(l->map, (wend_cell){cell.x + 1, cell.y, 0}, &east));
        check(wend_map_get_terrain(l->map, (wend_cell){cell.x, cell.y - 1, 0}, &north));
        check(wend_map_get_terrain(l->map, (wend_cell){cell.x, cell.y + 1, 0}, &south));
        if (here == WEND_CLASS_BLOCKED) continue;
        if ((west == WEND_CLASS_BLOCKED && east == WEND_CLASS_BLOCKED) ||
            (north == WEND_CLASS_BLOCKED && south == WEND_CLASS_BLOCKED))
            l->doors[l->door_count++] = cell;
    }
}

/* ---- the run ---- */

static void populate(life *l) {
    for (uint32_t i = 0; i < AGENTS; i++) {
        wend_agent_def agent = default_agent();
        agent.steered = kind_of(i) == PLAYER;
        /* A group begins in one place. */
        const bool joins = kind_of(i) == MEMBER && (i - first_of(MEMBER)) % GROUP > 0;
        do agent.cell = draw_near(l, joins ? place_of(l, i - 1) : middle, joins ? 4 : SIDE / 2);
        while (wend_crowd_add(l->crowd, &agent, &l->ids[i]));
    }
    send_patrols(l);
    for (uint32_t i = 0; i < AGENTS; i++) {
        if (kind_of(i) == WANDERER)
            wander(l, i);
        else if (kind_of(i) == FOLLOWER || kind_of(i) == FLEER)
            pursue(l, i);
    }
}

static void begin(life *l, wend_map *map, uint64_t seed) {
    *l = (life){.map = map, .seed = seed, .heading_x = 1};
    find_doors(l);
    check(wend_map_accelerate(l->map, NULL));
    wend_service_def service = default_service();
    service.clock = cpu_clock();
    l->service = open_service(&service);
    wend_figures_def figures = default_figures();
    check(wend_figures_create(&figures, &l->figures));
    check(wend_service_set_figures(l->service, l->figures));
    wend_crowd_def def = default_crowd();
    def.agents = AGENTS, def.service = l->service, def.map = l->map;
    def.on_event = on_event, def.context = l;
    l->crowd = open_crowd(&def);
    populate(l);
}

static void end(life *l) {
    check(wend_crowd_destroy(l->crowd));
    check(wend_service_destroy(l->service));
    wend_figures_destroy(l->figures);
    wend_map_release(l->map);
}

/* The cost of a frame: processor time of its tick, and of tick and update, in microseconds; and its expansions. */
typedef struct spent {
    double tick_us, us;
    uint64_t expansions;
} spent;

static spent run_frame(life *l) {
    wend_frame frame = {.struct_bytes = sizeof frame};
    const wend_budget budget = budget_of(BUDGET);
    l->frame++;
    work_doors(l);
    steer(l);
    renew_goals(l);
    const double began = cpu_us();
    check(wend_service_tick(l->service, &budget, &frame));
    const double ticked = cpu_us();
    check(wend_crowd_update(l->crowd, 1000, NULL, NULL));
    return (spent){ticked - began, cpu_us() - began, frame.expansions};
}

static wend_figures_stats counts_of(const life *l) {
    wend_figures_stats counts = {.struct_bytes = sizeof counts};
    check(wend_figures_get_stats(l->figures, &counts));
    return counts;
}

static uint64_t print_general(const wend_figures_stats *counts) {
    uint64_t all = 0;
    for (int32_t i = WEND_GENERAL_NONE + 1; i < WEND_GENERAL_COUNT; i++) {
        all += counts->general_answers[i];
        if (counts->general_answers[i] > 0)
            fprintf(stderr, "bench_npcs: %" PRIu64 " answers by the general A*, because: %s\n",
                    counts->general_answers[i], wend_constant_name(WEND_NAME_GENERAL_TEXT, i));
    }
    return all + counts->work_expansions[WEND_WORK_GENERAL_ASTAR];
}

static uint64_t rounds_ns(const wend_figures_stats *counts) {
    uint64_t sum = 0;
    for (int work = 0; work < WEND_WORK_COUNT; work++) sum += counts->work_ns[work];
    return sum;
}

/* Takes over the map. */
static bool measure(const char *name, wend_map *map, uint32_t frames, uint64_t seed, uint64_t most_us) {
    static life l;
    double *us = calloc(frames, sizeof *us), *expansions = calloc(frames, sizeof *expansions);
    need(us && expansions, "out of memory");
    begin(&l, map, seed);
    for (uint32_t i = 0; i < WARM; i++) (void)run_frame(&l);
    const wend_figures_stats before = counts_of(&l);
    spent sum = {0};
    for (uint32_t i = 0; i < frames; i++) {
        const spent frame = run_frame(&l);
        us[i] = frame.us, expansions[i] = (double)frame.expansions;
        sum.tick_us += frame.tick_us, sum.expansions += frame.expansions;
    }
    const wend_figures_stats after = counts_of(&l);
    const uint64_t general = print_general(&after);
    const double usual = median(expansions, frames), p99 = percentile(expansions, frames, 990);
    const double time = percentile(us, frames, 500), longest = percentile(us, frames, 990);
    const bool holds = general == 0 && usual <= MOST_EXPANSIONS && (most_us == 0 || longest <= (double)most_us);
    printf("%s,%d,%u,%u,%" PRIu64 ",%.0f,%.0f,%.1f,%.1f,%.1f,%.1f,%.1f,%s\n", name, AGENTS, (unsigned)l.door_count,
           (unsigned)frames, general, usual, p99, (double)sum.expansions / frames, time, longest,
           (double)(rounds_ns(&after) - rounds_ns(&before)) / (double)sum.expansions,
           sum.tick_us * 1e3 / (double)sum.expansions, holds ? "holds" : "fails");
    end(&l);
    free(us);
    free(expansions);
    return holds;
}

int main(int argc, char **argv) {
    const uint32_t frames = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const uint64_t most_us = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000;
    if (frames == 0) return 2;
    puts("map,agents,doors,frames,general,expansions_p50,expansions_p99,expansions_mean,us_p50,us_p99,round_ns,"
         "tick_ns,verdict");
    const bool rooms = measure("rooms", bench_map_rooms(SIDE, ROOM), frames, seed, most_us);
    const bool caves = measure("caves", make_ground(fill_caves, SIDE), frames, seed, most_us);
    return rooms && caves ? 0 : 1;
}
