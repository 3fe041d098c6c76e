/* SPDX-License-Identifier: MIT */
/* A guard walks to and fro between two posts. Then a wall falls across the street, and the patrol goes round it. */
#include <stdio.h>
#include <wend/wend.h>

static const wend_cell posts[2] = {{1, 1, 0}, {14, 1, 0}};
static int arrivals;

static int fail(wend_error error) {
    return fprintf(stderr, "patrol: %s\n", wend_error_detail(error)), 1;
}

/* The crowd calls this at the end of an update. The agent's context is the crowd, so that the next order is easy. */
static void on_event(void *context, const wend_agent_event *event) {
    wend_crowd *crowd = *(wend_crowd **)context;
    printf("update %llu: the guard %s at %d,%d\n", (unsigned long long)event->update,
           wend_agent_event_name(event->event), (int)event->cell.x, (int)event->cell.y);
    if (event->event != WEND_AGENT_EVENT_ARRIVED) return;
    wend_crowd_goal goal;
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = posts[++arrivals % 2];
    wend_crowd_go(crowd, &event->agent, 1, &goal);
}

/* A street from post to post, and an alley beside it. */
static wend_error make_map(wend_map **map) {
    wend_map_def def;
    wend_edit *edit;
    wend_map_def_init(&def, sizeof def);
    def.width = 16, def.height = 5;
    wend_error error = wend_map_create(&def, map);
    if (error || (error = wend_edit_begin(*map, &edit))) return error;
    wend_edit_fill_box(edit, (wend_box){{3, 2, 0}, {12, 2, 0}}, WEND_CLASS_BLOCKED);
    return wend_edit_publish(edit, NULL);
}

static wend_error let_wall_fall(wend_map *map) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return error;
    wend_edit_fill_box(edit, (wend_box){{8, 0, 0}, {8, 2, 0}}, WEND_CLASS_BLOCKED);
    printf("a wall falls across the street\n");
    return wend_edit_publish(edit, NULL);
}

int main(void) {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_service_def service_def;
    wend_crowd_def crowd_def;
    wend_error error = make_map(&map);
    if (error) return fail(error);
    wend_service_def_init(&service_def, sizeof service_def);
    if ((error = wend_service_create(&service_def, &service))) return fail(error);
    wend_crowd_def_init(&crowd_def, sizeof crowd_def);
    crowd_def.service = service, crowd_def.map = map, crowd_def.agents = 1;
    crowd_def.on_event = on_event, crowd_def.context = &crowd;
    if ((error = wend_crowd_create(&crowd_def, &crowd))) return fail(error);

    wend_agent_def guard;
    wend_agent_id id;
    wend_crowd_goal goal;
    wend_agent_def_init(&guard, sizeof guard);
    guard.cell = posts[0];
    if ((error = wend_crowd_add(crowd, &guard, &id))) return fail(error);
    wend_crowd_goal_init(&goal, sizeof goal);
    goal.cell = posts[++arrivals];
    if ((error = wend_crowd_go(crowd, &id, 1, &goal))) return fail(error);
    for (int frame = 1; frame <= 260; frame++) {
        if (frame == 70 && (error = let_wall_fall(map))) return fail(error);
        wend_service_tick(service, NULL, NULL);
        wend_crowd_update(crowd, 1000); /* one frame: the guard goes a quarter of a cell */
    }
    wend_crowd_destroy(crowd);
    wend_service_destroy(service);
    wend_map_release(map);
}
