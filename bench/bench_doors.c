/* SPDX-License-Identifier: MIT */
/* Two groups that pass one door against each other: agents without bodies, with bodies, and every second one with a
 * body. An agent that waits in a queue goes little farther than the shortest way through the door. CSV: agents at home
 * in the end, mean update of the last arrival, way ÷ straight line, way ÷ shortest way, updates stood.
 *
 *   bench_doors [DRAWS [FIRST]]    8 draws of the goals from number 1 on, 2,500 updates each at most */
#include "harness.h"
#include <math.h>
#include <wend/agents.h>
#include <wend/body.h>

enum { WIDE = 31, HIGH = 15, WALL = WIDE / 2, ROWS = 7, MOST = 120, UPDATES = 2500 };

/// A kind of crowd.
typedef struct kind {
    const char *name;
    uint32_t radius_milli, every; ///< each N-th agent has a body; 0: none
} kind;

static const kind kinds[] = {{"cells", 0, 0},
                             {"half with bodies of .4", 400, 2},
                             {"half with bodies of .3", 300, 2},
                             {"bodies of .4", 400, 1},
                             {"bodies of .3", 300, 1}};

typedef struct spot {
    double x, y;
} spot;

typedef struct doors {
    uint64_t draws;
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[MOST];
    spot at[MOST]; ///< each agent's point after the last update
    uint32_t count, now, home, last;
    bool is_home[MOST];
} doors;

/// Sums over draws.
typedef struct sums {
    uint32_t home, last;
    double way, straight, shortest, us;
    uint64_t stood, on;
} sums;

static spot middle_of(wend_cell cell) {
    return (spot){cell.x + .5, cell.y + .5};
}

static double distance(spot a, spot b) {
    return hypot(a.x - b.x, a.y - b.y);
}

/* Returns the place of the i-th agent on the left, or mirrored. */
static wend_cell place_of(uint32_t i, bool right) {
    const int32_t x = 3 + (int32_t)i / ROWS, y = (HIGH - ROWS) / 2 + (int32_t)i % ROWS;
    return (wend_cell){right ? WIDE - 1 - x : x, y, 0};
}

static void on_event(void *context, const wend_agent_event *event) {
    doors *d = context;
    const uint32_t i = event->agent.index;
    if (event->event != WEND_AGENT_EVENT_ARRIVED) return;
    d->home++, d->last = d->now + 1;
    d->is_home[i] = true;
}

static void build_map(doors *d, int32_t door) {
    uint8_t cells[WIDE * HIGH];
    memset(cells, WEND_CLASS_OPEN, sizeof cells);
    for (int32_t y = 0; y < HIGH; y++) {
        const int32_t from = HIGH / 2 - door / 2;
        if (y < from || y >= from + door) cells[y * WIDE + WALL] = WEND_CLASS_BLOCKED;
    }
    d->map = grid_of(cells, WIDE, HIGH);
}

/* Draws a place of the other side for each agent of one. */
static void draw_goals(doors *d, uint32_t *goals, uint32_t each) {
    for (uint32_t i = 0; i < each; i++) {
        const uint32_t k = bench_random(&d->draws, i + 1);
        goals[i] = goals[k], goals[k] = i;
    }
}

static void add_agents(doors *d, uint32_t each, const kind *of, double door_y, sums *all) {
    uint32_t goals[2][MOST / 2];
    draw_goals(d, goals[0], each), draw_goals(d, goals[1], each);
    for (uint32_t i = 0; i < 2 * each; i++) {
        const bool right = i % 2;
        const spot door = {WALL + .5, door_y};
        wend_agent_def agent = default_agent();
        wend_crowd_goal goal = default_crowd_goal();
        wend_body_def body;
        wend_body_def_init(&body, sizeof body);
        agent.cell = place_of(i / 2, right), goal.cell = place_of(goals[right][i / 2], !right);
        body.radius_milli = of->radius_milli;
        check(wend_crowd_add(d->crowd, &agent, &d->ids[i]));
        if (of->every > 0 && i / 2 % of->every == 0) check(wend_crowd_set_body(d->crowd, d->ids[i], &body));
        check(wend_crowd_go(d->crowd, &d->ids[i], 1, &goal));
        d->at[i] = middle_of(agent.cell);
        all->straight += distance(d->at[i], middle_of(goal.cell));
        all->shortest += distance(d->at[i], door) + distance(door, middle_of(goal.cell));
    }
    d->count = 2 * each;
}

static void open_doors(doors *d, unsigned number, int32_t door, uint32_t each, const kind *of, sums *all) {
    const wend_service_def service = default_service();
    wend_crowd_def crowd = default_crowd();
    *d = (doors){.draws = number * 7919};
    build_map(d, door);
    check(wend_service_create(&service, &d->service));
    crowd.map = d->map, crowd.service = d->service, crowd.on_event = on_event, crowd.context = d;
    check(wend_crowd_create(&crowd, &d->crowd));
    add_agents(d, each, of, HIGH / 2 - door / 2 + door / 2., all);
}

static void close_doors(doors *d) {
    check(wend_crowd_destroy(d->crowd));
    check(wend_service_destroy(d->service));
    wend_map_release(d->map);
}

static void note_ways(doors *d, sums *all) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    check(wend_crowd_get_view(d->crowd, &view));
    for (uint32_t i = 0; i < d->count; i++) {
        const wend_point point = view.points[d->ids[i].index];
        const spot at = {point.x / 1000. + .5, point.y / 1000. + .5};
        const double way = distance(at, d->at[i]);
        all->way += way;
        if (!d->is_home[i]) all->on++, all->stood += way < .02;
        d->at[i] = at;
    }
}

static void run(doors *d, sums *all) {
    for (; d->now < UPDATES && d->home < d->count; d->now++) {
        const double begun = cpu_us();
        check(wend_service_tick(d->service, NULL, NULL));
        check(wend_crowd_update(d->crowd, 1000, NULL, NULL));
        all->us += (cpu_us() - begun) / d->count;
        note_ways(d, all);
    }
    all->home += d->home, all->last += d->home < d->count ? UPDATES : d->last;
}

int main(int argc, char **argv) {
    static const struct {
        int32_t door;
        uint32_t each;
    } scenes[] = {{1, 14}, {2, 14}, {1, 30}, {2, 30}, {3, 30}, {3, 60}};
    static doors d;
    const unsigned draws = argc > 1 ? (unsigned)atoi(argv[1]) : 8, first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    puts("door,each,kind,agents,home,last,of_cells,way_straight,way_shortest,stood_percent,us");
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        double cells = 1;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            sums all = {0};
            double updates = 0;
            for (unsigned number = first; number < first + draws; number++) {
                open_doors(&d, number, scenes[s].door, scenes[s].each, &kinds[k], &all);
                run(&d, &all);
                updates += d.now;
                close_doors(&d);
            }
            if (k == 0) cells = all.last;
            printf("%d,%u,%s,%u,%u,%u,%.2f,%.2f,%.2f,%.0f,%.2f\n", (int)scenes[s].door, scenes[s].each, kinds[k].name,
                   2 * scenes[s].each * draws, all.home, all.last / draws, all.last / cells, all.way / all.straight,
                   all.way / all.shortest, all.on > 0 ? 100. * (double)all.stood / (double)all.on : 0,
                   all.us / updates);
            fflush(stdout);
        }
    }
    return 0;
}
