/* SPDX-License-Identifier: MIT */
/* The server of a village at 20 Hz: villagers wander about, doors open and close, and guards gather at
   the well when the bell rings. No two people share a cell. At the end it draws a picture of all of them.
   village_server [FRAMES [PICTURE.svg]]: 400 frames by default, without pauses; a real server would wait. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/extra.h>
#include <wend/boxes.h>
#include <wend/query.h>

enum { WIDTH = 64, HEIGHT = 40, HOUSES = 12, VILLAGERS = 60, GUARDS = 12, BELL = 200, FRAME = 1000 };

typedef struct house {
    wend_cell door; /* in the middle of the lower wall */
    bool open;
} house;

typedef struct village {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    house houses[HOUSES];
    wend_agent_id guards[GUARDS];
    wend_cell well;
    uint64_t seed, frame, walks, shut_out, gathered;
} village;

static int fail(const char *what, wend_error error) {
    return fprintf(stderr, "village_server: %s: %s\n", what, wend_error_detail(error)), 1;
}

static uint64_t dice(village *v, uint64_t sides) {
    v->seed = v->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (v->seed >> 33) % sides;
}

/* ---- the map: rows of houses with a door each, and streets between them ---- */

static void build_house(village *v, wend_edit *edit, int number) {
    const int32_t left = 3 + number % 4 * 15, top = 3 + number / 4 * 12;
    wend_edit_fill_box(edit, (wend_box){{left, top, 0}, {left + 10, top + 7, 0}}, WEND_CLASS_BLOCKED);
    wend_edit_fill_box(edit, (wend_box){{left + 1, top + 1, 0}, {left + 9, top + 6, 0}}, WEND_CLASS_OPEN);
    v->houses[number] = (house){{left + 5, top + 7, 0}, true};
    wend_edit_set_cell(edit, v->houses[number].door, WEND_CLASS_OPEN);
}

static wend_error build(village *v) {
    wend_edit *edit;
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.width = WIDTH, def.height = HEIGHT;
    wend_error error = wend_map_create(&def, &v->map);
    if (error || (error = wend_edit_begin(v->map, &edit))) return error;
    for (int i = 0; i < HOUSES; i++) build_house(v, edit, i);
    v->well = (wend_cell){WIDTH / 2 - 1, HEIGHT - 2, 0};
    if ((error = wend_edit_publish(edit, NULL))) return error;
    return wend_map_accelerate(v->map, NULL);
}

/* Opens or closes a door at a time. Most doors stay open, and none closes on a person. */
static wend_error move_a_door(village *v) {
    house *one = &v->houses[dice(v, HOUSES)];
    bool clear = false;
    wend_edit *edit;
    wend_crowd_is_clear(v->crowd, (wend_box){one->door, one->door}, &clear);
    if (!clear || (one->open && dice(v, 4) > 0)) return WEND_OK;
    wend_error error = wend_edit_begin(v->map, &edit);
    if (error) return error;
    one->open = !one->open;
    wend_edit_set_cell(edit, one->door, one->open ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED);
    return wend_edit_publish(edit, NULL);
}

/* ---- the people ---- */

static void wander(village *v, wend_agent_id id, wend_cell from) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    if (!wend_map_random_cell(v->map, WEND_MOVER_DEFAULT, from, v->seed++, &goal.cell))
        wend_crowd_go(v->crowd, &id, 1, &goal);
}

/* A villager walks on. A guard who came to the well after the bell stays there. */
static void on_event(void *context, const wend_agent_event *event) {
    village *v = context;
    const bool guard = event->context != NULL, ended = event->event != WEND_AGENT_EVENT_REROUTED;
    v->walks += event->event == WEND_AGENT_EVENT_ARRIVED;
    v->shut_out += event->event == WEND_AGENT_EVENT_PARTIAL || event->event == WEND_AGENT_EVENT_GAVE_UP;
    v->gathered += guard && v->frame > BELL && event->event == WEND_AGENT_EVENT_ARRIVED;
    if (ended && event->event != WEND_AGENT_EVENT_REPLACED && (!guard || v->frame < BELL))
        wander(v, event->agent, event->cell);
}

static void settle(village *v, void *context, wend_agent_id *id) {
    wend_agent_def agent;
    wend_agent_def_init(&agent, sizeof agent);
    agent.context = context;
    agent.speed_milli = (uint32_t)(200 + dice(v, 100));
    agent.urgency = context ? 10 : 0; /* guards go first */
    do agent.cell = (wend_cell){(int32_t)dice(v, WIDTH), (int32_t)dice(v, HEIGHT), 0};
    while (wend_crowd_add(v->crowd, &agent, id)); /* a wall or another person is there */
    wander(v, *id, agent.cell);
}

static wend_error populate(village *v) {
    wend_service_def service;
    wend_service_def_init(&service, sizeof service);
    wend_error error = wend_service_create(&service, &v->service);
    if (error) return error;
    wend_crowd_def def;
    wend_crowd_def_init(&def, sizeof def);
    def.service = v->service, def.map = v->map, def.agents = VILLAGERS + GUARDS;
    def.on_event = on_event, def.context = v;
    if ((error = wend_crowd_create(&def, &v->crowd))) return error;
    for (int i = 0; i < GUARDS; i++) settle(v, "guard", &v->guards[i]);
    for (int i = 0; i < VILLAGERS; i++) settle(v, NULL, &(wend_agent_id){0, 0});
    return WEND_OK;
}

/* ---- frames ---- */

/* A group order: each guard gets a place of its own by the well. */
static wend_error ring_the_bell(village *v) {
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = v->well;
    return wend_crowd_go(v->crowd, v->guards, GUARDS, &goal);
}

static wend_error run_frame(village *v, const wend_budget *budget) {
    wend_error error = WEND_OK;
    v->frame++;
    if (v->frame % 10 == 0) error = move_a_door(v);
    if (!error && v->frame == BELL) error = ring_the_bell(v);
    if (!error) error = wend_service_tick(v->service, budget, NULL);
    return error ? error : wend_crowd_update(v->crowd, FRAME, NULL, NULL);
}

static wend_error put(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

/* All people as units, and the guards as the ends of ways. */
static wend_error draw(village *v, const char *name) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    wend_cell guards[GUARDS];
    wend_picture picture;
    FILE *file = name ? fopen(name, "wb") : stdout;
    if (!file) return WEND_IO;
    wend_crowd_get_view(v->crowd, &view);
    for (int i = 0; i < GUARDS; i++) guards[i] = view.cells[v->guards[i].index];
    wend_picture_init(&picture, sizeof picture);
    picture.map = v->map;
    picture.format = name ? WEND_PICTURE_SVG : WEND_PICTURE_ANSI;
    picture.units = view.cells, picture.unit_count = view.count;
    picture.goals = guards, picture.goal_count = GUARDS;
    wend_error error = wend_picture_write(&picture, put, file);
    if (name && fclose(file) != 0) error = WEND_IO;
    return error;
}

int main(int argc, char **argv) {
    static village v = {.seed = 7};
    const uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    wend_budget budget;
    wend_budget_init(&budget, sizeof budget);
    budget.expansions = 5000;
    wend_error error = build(&v);
    if (error || (error = populate(&v))) return fail("the village", error);
    while (v.frame < frames && !error) error = run_frame(&v, &budget);
    if (error) return fail("a frame", error);
    if ((error = draw(&v, argc > 2 ? argv[2] : NULL))) return fail("the picture", error);
    printf("%llu frames: %llu walks ended where they should, %llu at a closed door; %llu of %d guards at the well\n",
           (unsigned long long)v.frame, (unsigned long long)v.walks, (unsigned long long)v.shut_out,
           (unsigned long long)v.gathered, GUARDS);
    wend_crowd_destroy(v.crowd);
    wend_service_destroy(v.service);
    wend_map_release(v.map);
}
