/* SPDX-License-Identifier: MIT */
/* A world in space: two floors and a staircase. Then a lift is built, and the same way is asked for again. */
#include <stdio.h>
#include <wend/wend.h>
#include <wend/ways.h>

static void print_path(void *context, const wend_completion *done) {
    printf("%s: %s, cost %lld:", (const char *)context, wend_status_name(done->status), (long long)done->cost);
    for (size_t i = 0; i < done->cell_count; i++)
        printf(" %d,%d,%d", (int)done->cells[i].x, (int)done->cells[i].y, (int)done->cells[i].z);
    printf("\n");
}

static void require(wend_error error) {
    if (error) fprintf(stderr, "house: %s\n", wend_error_detail(error));
}

int main(void) {
    wend_map_def house;
    wend_map_def_init(&house, sizeof house);
    house.kind = WEND_KIND_VOXEL, house.width = 8, house.height = 4, house.depth = 3;
    wend_map *map;
    wend_edit *edit;
    require(wend_map_create(&house, &map));
    require(wend_edit_begin(map, &edit)); /* a batch's first error sticks: publishing returns it */
    wend_edit_fill_box(edit, (wend_box){{0, 0, 1}, {7, 3, 1}}, WEND_CLASS_BLOCKED);
    wend_edit_set_cell(edit, (wend_cell){7, 3, 1}, WEND_CLASS_OPEN); /* the staircase */
    require(wend_edit_publish(edit, NULL));

    wend_service_def def;
    wend_service_def_init(&def, sizeof def);
    wend_service *service;
    require(wend_service_create(&def, &service));
    wend_request up;
    wend_request_init(&up, sizeof up);
    up.map = map, up.start = (wend_cell){0, 0, 0}, up.goal = (wend_cell){0, 3, 2}, up.on_done = print_path;
    up.context = "by the stairs";
    require(wend_service_submit(service, &up, NULL));
    require(wend_service_tick(service, NULL, NULL));

    require(wend_edit_begin(map, &edit));
    wend_edit_add_link(edit, &(wend_link){{1, 1, 0}, {1, 1, 2}, 25, 0});
    require(wend_edit_publish(edit, NULL));
    up.context = "by the lift";
    require(wend_service_submit(service, &up, NULL));
    require(wend_service_tick(service, NULL, NULL));
    require(wend_service_destroy(service));
    wend_map_release(map);
}
