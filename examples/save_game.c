/* SPDX-License-Identifier: MIT */
/* A save game in a file: save_game FILE FRAMES goes on from FILE, where it is there, and saves in it. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/routes.h>
#include <wend/save.h>
#include <wend/wend.h>

enum { WIDTH = 40, HEIGHT = 24, GUARDS = 12, ROOM = 1 << 16 };

static wend_map *map;
static wend_service *service;
static wend_crowd *crowd;

static void check(wend_error error) {
    if (error) fprintf(stderr, "save_game: %s\n", wend_error_detail(error)), exit(1);
}

static char saved[3][ROOM]; /* saves of the map, the service and the crowd */
static size_t bytes[3];
static const wend_save_host host = {.struct_bytes = sizeof host, .map_count = 1, .maps = &map};

static void save_game(FILE *file) {
    check(wend_map_save_state(map, saved[0], ROOM, &bytes[0]));
    check(wend_service_save_state(service, &host, saved[1], ROOM, &bytes[1]));
    check(wend_crowd_save_state(crowd, saved[2], ROOM, &bytes[2]));
    for (int i = 0; i < 3; i++) fprintf(file, "%08zu", bytes[i]), fwrite(saved[i], bytes[i], 1, file);
}

static void load_game(FILE *file) {
    for (int i = 0; i < 3; i++) {
        if (fscanf(file, "%8zu", &bytes[i]) != 1 || bytes[i] > ROOM) bytes[i] = 0;
        bytes[i] = fread(saved[i], 1, bytes[i], file); /* wend refuses damaged saves */
    }
    check(wend_map_restore_state(map, saved[0], bytes[0]));
    check(wend_service_restore_state(service, &host, saved[1], bytes[1]));
    check(wend_crowd_restore_state(crowd, &host, saved[2], bytes[2]));
}

/* The same definitions whether the game begins or goes on. */
static void open_game(void) {
    wend_map_def land;
    wend_service_def queue;
    wend_crowd_def def;
    wend_map_def_init(&land, sizeof land), wend_service_def_init(&queue, sizeof queue);
    wend_crowd_def_init(&def, sizeof def);
    land.width = WIDTH, land.height = HEIGHT;
    check(wend_map_create(&land, &map));
    check(wend_service_create(&queue, &service));
    def.service = service, def.map = map, def.agents = GUARDS;
    check(wend_crowd_create(&def, &crowd));
}

static void begin_game(void) {
    static const wend_cell corners[] = {{2, 2, 0}, {WIDTH - 3, HEIGHT - 3, 0}};
    wend_edit *edit;
    wend_route_def round;
    wend_agent_def guard;
    uint32_t route;
    wend_route_def_init(&round, sizeof round), wend_agent_def_init(&guard, sizeof guard);
    check(wend_edit_begin(map, &edit));
    check(wend_edit_fill_box(edit, (wend_box){{WIDTH / 2, 4, 0}, {WIDTH / 2, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED));
    check(wend_edit_publish(edit, NULL));
    round.mode = WEND_ROUTE_LOOP, round.corners = corners, round.corner_count = 2;
    check(wend_crowd_add_route(crowd, &round, &route));
    for (int32_t i = 0; i < GUARDS; i++) {
        wend_agent_id id;
        guard.cell = (wend_cell){i % 4 * 2, i / 4 * 2, 0};
        check(wend_crowd_add(crowd, &guard, &id));
        check(wend_crowd_patrol(crowd, id, route));
    }
}

int main(int argc, char **argv) {
    char next[FILENAME_MAX];
    if (argc != 3 || snprintf(next, sizeof next, "%s.new", argv[1]) >= FILENAME_MAX)
        return fputs("usage: save_game FILE FRAMES\n", stderr), 2;
    wend_crowd_view view = {.struct_bytes = sizeof view};
    open_game();
    FILE *file = fopen(argv[1], "rb");
    if (file)
        load_game(file), fclose(file);
    else
        begin_game();
    for (int frame = 0; frame < atoi(argv[2]); frame++) {
        check(wend_service_tick(service, NULL, NULL));
        check(wend_crowd_update(crowd, 1000, NULL, NULL));
    }
    check(wend_crowd_get_view(crowd, &view));
    for (uint32_t i = 0; i < view.count; i++) printf("%.1f,%.1f\n", view.points[i].x / 1e3, view.points[i].y / 1e3);
    file = fopen(next, "wb");
    if (!file) return perror(next), 1;
    save_game(file);
    const int failed = ferror(file);
    if (fclose(file) || failed) return perror(next), 1;
#ifdef _WIN32
    remove(argv[1]); /* rename() replaces no file there */
#endif
    if (rename(next, argv[1])) return perror(argv[1]), 1; /* the last save stays until this one is written */
    wend_crowd_destroy(crowd), wend_service_destroy(service), wend_map_release(map);
}
