/* SPDX-License-Identifier: MIT */
/* Two factions and their fear. Soldiers of red and of blue cross a valley again and again. Each side has a tower in it
 * that shoots at the other's. A shot leaves danger in the layer that the victims' faction minds; it fades. So they go
 * round, and come back when a tower is silent. factions: prints hits and crossings. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/layers.h>
#include <wend/wend.h>

enum { WIDTH = 56, HEIGHT = 19, SIDES = 2, SOLDIERS = 5, RANGE = 5, HALF_LIFE = 150, ROUND = 400, ROUNDS = 6, WAR = 4 };

typedef struct side {
    const char *name;
    wend_cell tower;       /* position of the side's tower, which shoots at the other side */
    int32_t near_x, far_x; /* between which its soldiers go */
    int32_t layer;         /* danger that its soldiers fear: a layer for each faction, and no fork of the map */
    wend_agent_id soldiers[SOLDIERS];
    int hits, crossings;
} side;

static side sides[SIDES] = {{.name = "red", .tower = {38, 5, 0}, .near_x = 2, .far_x = 53},
                            {.name = "blue", .tower = {18, 13, 0}, .near_x = 53, .far_x = 2}};
static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;
static bool trail[HEIGHT][WIDTH]; /* cells walked by red's last soldier in this round */

static void check(wend_error error) {
    if (error) fprintf(stderr, "factions: %s\n", wend_error_detail(error)), exit(1);
}

static wend_cell cell_of(wend_agent_id id) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    check(wend_crowd_get_agent(crowd, id, &state));
    return state.cell;
}

/* To the other end of the valley, in the row where it stands. */
static void cross(const side *own, wend_agent_id id, int32_t row) {
    const bool is_near = (cell_of(id).x < WIDTH / 2) == (own->near_x < WIDTH / 2);
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = (wend_cell){is_near ? own->far_x : own->near_x, row, 0};
    goal.reach = 2;
    check(wend_crowd_go(crowd, &id, 1, &goal));
}

static int row_of(int number) {
    return 5 + 2 * number;
}

static void on_event(void *context, const wend_agent_event *event) {
    (void)context;
    if (event->event != WEND_AGENT_EVENT_ARRIVED && event->event != WEND_AGENT_EVENT_GAVE_UP) return;
    for (int s = 0; s < SIDES; s++)
        for (int i = 0; i < SOLDIERS; i++) {
            if (sides[s].soldiers[i].index != event->agent.index) continue;
            sides[s].crossings += event->event == WEND_AGENT_EVENT_ARRIVED;
            cross(&sides[s], event->agent, row_of(i));
        }
}

static void make_world(void) {
    wend_map_def map_def;
    wend_service_def service_def;
    wend_crowd_def crowd_def;
    wend_map_def_init(&map_def, sizeof map_def);
    map_def.width = WIDTH, map_def.height = HEIGHT;
    check(wend_map_create(&map_def, &map));
    wend_service_def_init(&service_def, sizeof service_def);
    check(wend_service_create(&service_def, &service));
    wend_crowd_def_init(&crowd_def, sizeof crowd_def);
    crowd_def.service = service, crowd_def.map = map, crowd_def.agents = SIDES * SOLDIERS;
    crowd_def.on_event = on_event;
    check(wend_crowd_create(&crowd_def, &crowd));
}

/* The layer of a side, the profile that minds it, and the soldiers who go by that profile. */
static void muster(side *own) {
    wend_layer_def layer;
    wend_agent_def soldier;
    wend_layer_def_init(&layer, sizeof layer);
    layer.half_life = HALF_LIFE;
    check(wend_map_add_layer(map, &layer, &own->layer));
    wend_agent_def_init(&soldier, sizeof soldier);
    const wend_layer_weight weight = {.layer = own->layer, .weight = 8};
    check(wend_map_add_profile(map, &weight, 1, &soldier.profile));
    for (int i = 0; i < SOLDIERS; i++) {
        soldier.cell = (wend_cell){own->near_x, row_of(i), 0};
        check(wend_crowd_add(crowd, &soldier, &own->soldiers[i]));
        cross(own, own->soldiers[i], row_of(i));
    }
}

/* A tower hits all that are in its range. The danger lies where it reaches: one shot teaches the whole faction. */
static void shoot(const side *shooter, side *victims) {
    int hits = 0;
    for (int i = 0; i < SOLDIERS; i++) {
        const wend_cell at = cell_of(victims->soldiers[i]);
        const int32_t dx = at.x - shooter->tower.x, dy = at.y - shooter->tower.y;
        hits += dx * dx + dy * dy <= RANGE * RANGE;
    }
    victims->hits += hits;
    if (hits) check(wend_map_add_layer_disc(map, victims->layer, shooter->tower, RANGE + 1, 80));
}

static void run_round(bool war) {
    wend_budget frame;
    wend_budget_init(&frame, sizeof frame);
    frame.expansions = 4000;
    for (int s = 0; s < SIDES; s++) sides[s].hits = sides[s].crossings = 0;
    memset(trail, 0, sizeof trail);
    for (int update = 0; update < ROUND; update++) {
        if (war && update % 5 == 0) shoot(&sides[0], &sides[1]), shoot(&sides[1], &sides[0]);
        check(wend_service_tick(service, &frame, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
        check(wend_map_update_layers(map, 1)); /* time passes: O(1) */
        const wend_cell at = cell_of(sides[0].soldiers[SOLDIERS - 1]);
        trail[at.y][at.x] = true;
    }
}

/* Prints the danger for red, from 1 to 9, and * where its last soldier walked. */
static void draw_fear(void) {
    for (int32_t y = 0; y < HEIGHT; y++, putchar('\n'))
        for (int32_t x = 0; x < WIDTH; x++) {
            uint8_t fear;
            check(wend_map_get_layer_value(map, sides[0].layer, (wend_cell){x, y, 0}, &fear));
            putchar(trail[y][x] ? '*' : fear ? '1' + fear * 9 / 256 : '.');
        }
}

int main(void) {
    make_world();
    for (int s = 0; s < SIDES; s++) muster(&sides[s]);
    for (int round = 1; round <= ROUNDS; round++) {
        run_round(round <= WAR);
        printf("round %d, %s:", round, round <= WAR ? "towers shoot" : "towers are silent");
        for (int s = 0; s < SIDES; s++)
            printf(" %s was hit %d times, %d crossings;", sides[s].name, sides[s].hits, sides[s].crossings);
        putchar('\n');
        if (round == WAR || round == ROUNDS) draw_fear();
    }
    wend_crowd_destroy(crowd);
    wend_service_destroy(service);
    wend_map_release(map);
}
