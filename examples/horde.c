/* SPDX-License-Identifier: MIT */
/* A hundred agents go to one gate by a flow field, which the crowd makes by itself. horde [PICTURE.svg] draws such a
 * field as arrows. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/extra.h>
#include <wend/field.h>
#include <wend/wend.h>

enum { WIDTH = 48, HEIGHT = 24, AGENTS = 100 };

static const wend_cell gate = {44, 12, 0};

static void need(wend_error error) {
    if (!error) return;
    fprintf(stderr, "horde: %s\n", wend_error_detail(error));
    exit(1);
}

static wend_map *make_map(void) {
    static const wend_box walls[] = {
        {{12, 0, 0}, {12, 9, 0}}, {{12, 14, 0}, {12, 23, 0}}, {{24, 6, 0}, {24, 20, 0}}, {{36, 0, 0}, {36, 15, 0}}};
    wend_map *map;
    wend_map_def def;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    def.width = WIDTH, def.height = HEIGHT;
    need(wend_map_create(&def, &map));
    need(wend_edit_begin(map, &edit));
    for (size_t i = 0; i < sizeof walls / sizeof walls[0]; i++) wend_edit_fill_box(edit, walls[i], WEND_CLASS_BLOCKED);
    need(wend_edit_publish(edit, NULL));
    return map;
}

/* ---- the picture ---- */

static wend_error write_bytes(void *file, const void *bytes, size_t count) {
    return fwrite(bytes, 1, count, file) == count ? WEND_OK : WEND_IO;
}

/* All ways as one line, which goes back and forth along them: so they have one colour. */
typedef struct arrows {
    const wend_field *field;
    wend_point points[WIDTH * HEIGHT * 7];
    size_t count;
} arrows;

static void add_point(arrows *a, wend_cell cell, int32_t dx, int32_t dy) {
    a->points[a->count++] = (wend_point){cell.x * 1000 + dx, cell.y * 1000 + dy, 0};
}

/* Draws an arrow from each cell to the next one; then the arrows of cells that lead to that cell. */
static void add_arrows(arrows *a, wend_cell to) {
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            const wend_cell from = {to.x - dx, to.y - dy, 0};
            wend_cell next;
            uint64_t cost;
            if (wend_field_next(a->field, from, &next, &cost) != WEND_STATUS_FOUND || cost == 0) continue;
            if (next.x != to.x || next.y != to.y) continue;
            add_point(a, from, 200 * dx, 200 * dy);
            add_point(a, from, -200 * dy - 50 * dx, 200 * dx - 50 * dy);
            add_point(a, from, 200 * dx, 200 * dy);
            add_point(a, from, 200 * dy - 50 * dx, -200 * dx - 50 * dy);
            add_point(a, from, 200 * dx, 200 * dy);
            add_arrows(a, from);
            add_point(a, to, 0, 0);
        }
}

static void draw_field(wend_map *map, const char *name) {
    static arrows all;
    wend_field *field;
    wend_field_def def;
    wend_picture picture;
    wend_field_def_init(&def, sizeof def);
    def.map = map, def.goals = &gate, def.goal_count = 1;
    need(wend_field_create(&def, &field));
    wend_field_step(field, WEND_NO_LIMIT, NULL); /* a game gives it a slice a frame instead */
    wend_picture_init(&picture, sizeof picture);
    picture.format = WEND_PICTURE_SVG, picture.map = map, picture.cell_pixels = 20;
    picture.goals = &gate, picture.goal_count = 1;
    all.field = field;
    add_point(&all, gate, 0, 0);
    add_arrows(&all, gate);
    const wend_picture_line line = {.points = all.points, .point_count = all.count};
    picture.lines = &line, picture.line_count = 1;
    FILE *file = fopen(name, "wb");
    need(file ? wend_picture_write(&picture, write_bytes, file) : WEND_IO);
    if (fclose(file)) need(WEND_IO);
    wend_field_destroy(field);
}

/* ---- the crowd ---- */

static void walk(wend_map *map) {
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[AGENTS];
    wend_service_def service_def;
    wend_crowd_def crowd_def;
    wend_agent_def agent;
    wend_crowd_goal goal;
    wend_service_def_init(&service_def, sizeof service_def);
    need(wend_service_create(&service_def, &service));
    wend_crowd_def_init(&crowd_def, sizeof crowd_def);
    crowd_def.service = service, crowd_def.map = map, crowd_def.agents = AGENTS;
    need(wend_crowd_create(&crowd_def, &crowd));
    wend_agent_def_init(&agent, sizeof agent);
    for (int32_t i = 0; i < AGENTS; i++) {
        agent.cell = (wend_cell){i % 10, 2 * (i / 10), 0};
        need(wend_crowd_add(crowd, &agent, &ids[i]));
    }
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = gate;
    need(wend_crowd_go(crowd, ids, AGENTS, &goal));
    wend_crowd_stats counts = {.struct_bytes = sizeof counts};
    wend_budget frame;
    wend_budget_init(&frame, sizeof frame);
    frame.expansions = 2000;
    do {
        need(wend_service_tick(service, &frame, NULL));
        need(wend_crowd_update(crowd, 1000, NULL, NULL));
        need(wend_crowd_get_stats(crowd, &counts));
    } while (counts.busy > 0);
    printf("%d of %d arrived, %d of them by a field, after %d updates\n",
           (int)counts.event_counts[WEND_AGENT_EVENT_ARRIVED], AGENTS, (int)counts.field_goals, (int)counts.updates);
    wend_crowd_destroy(crowd);
    wend_service_destroy(service);
}

int main(int argc, char **argv) {
    wend_map *map = make_map();
    if (argc > 1) draw_field(map, argv[1]);
    walk(map);
    wend_map_release(map);
}
