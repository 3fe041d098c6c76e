/* SPDX-License-Identifier: MIT */
/* Each public function that takes a crowd, called between an edit and the next update, with
 * bodies in narrow cells and on their way there: outside an update the engine holds no version. A fault shows under
 * AddressSanitizer. */
#include "agents/discs/state.h"
#include "agents/state/bodies.h"
#include "agents/state/crowd_state.h"
#include "body/with_bodies.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/crowd_tuning.h>
#include <wend/edit.h>
#include <wend/routes.h>
#include <wend/save.h>
#include <wend/units.h>

enum { WIDTH = 128, HEIGHT = 64, CORRIDOR = 30, LENGTH = 40, BODIES = 6, SAVE = 1 << 16 };
enum { FLAT, ROUND, SHEETS, KINDS };

typedef struct corridor {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
    wend_agent_id ids[BODIES], walker; /* the walker has no body */
    uint32_t in;                       /* a body in the corridor */
    uint32_t route;
    uint8_t save[SAVE];
    size_t saved;
} corridor;

static void publish(wend_edit *edit) {
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

/* A corridor one cell wide through a wall from top to bottom. */
static wend_map *make_map(int kind) {
    const wend_sheet sheets[2] = {{{{0, 0, 0}, {63, 63, 0}}, {0, 0, 0}}, {{{64, 0, 0}, {127, 63, 0}}, {64, 0, 0}}};
    wend_map_def def = default_map();
    def.width = WIDTH, def.height = HEIGHT;
    if (kind == ROUND) def.wrap = WEND_WRAP_X | WEND_WRAP_Y;
    if (kind == SHEETS) def.sheets = sheets, def.sheet_count = 2;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    const int32_t left = 12;
    wend_edit_fill_box(edit, (wend_box){{left, 0, 0}, {left + LENGTH - 1, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED);
    wend_edit_fill_box(edit, (wend_box){{left, CORRIDOR, 0}, {left + LENGTH - 1, CORRIDOR, 0}}, WEND_CLASS_OPEN);
    if (kind == ROUND) wend_edit_fill_box(edit, (wend_box){{100, 0, 0}, {102, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED);
    if (kind == SHEETS) wend_edit_fill_box(edit, (wend_box){{63, 0, 0}, {64, HEIGHT - 1, 0}}, WEND_CLASS_BLOCKED);
    publish(edit);
    return map;
}

static void orphan(void *context, const wend_agent_event *event) {
    (void)context, (void)event;
}

static void save_all(corridor *c) {
    cr_assert_eq(wend_crowd_save_state(c->crowd, c->save, SAVE, &c->saved), WEND_OK);
}

static void open_corridor(corridor *c, int kind) {
    memset(c, 0, sizeof *c);
    c->map = make_map(kind);
    wend_crowd_def def = default_crowd();
    def.agents = 32, def.map = c->map, def.on_event = orphan;
    open_with_bodies(def, &c->service, &c->crowd);
    wend_agent_def agent = default_agent();
    for (int32_t i = 0; i < BODIES; i++) {
        agent.cell = (wend_cell){10, CORRIDOR - 3 + i, 0};
        cr_assert_eq(wend_crowd_add(c->crowd, &agent, &c->ids[i]), WEND_OK);
        cr_assert_eq(give_disc(c->crowd, c->ids[i]), WEND_OK);
    }
    agent.cell = (wend_cell){4, 4, 0};
    cr_assert_eq(wend_crowd_add(c->crowd, &agent, &c->walker), WEND_OK);
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){56, CORRIDOR, 0}, goal.reach = 3;
    cr_assert_eq(wend_crowd_go(c->crowd, c->ids, BODIES, &goal), WEND_OK);
    const wend__bodies *engine = c->crowd->bodies->engine;
    for (int frame = 0;; frame++) {
        cr_assert(frame < 200, "a body came into the corridor");
        wend_service_tick(c->service, NULL, NULL);
        cr_assert_eq(wend_crowd_update(c->crowd, 1000, NULL, NULL), WEND_OK);
        uint32_t in = 0;
        for (uint32_t i = 0; i < BODIES; i++)
            if (wend__body_cell(&engine->of[i]).x > 12) in++, c->in = i;
        if (in > 1) break;
    }
    save_all(c);
}

/* Narrow cells change, too, at the end of the corridor; the version before is freed. */
static void edit_map(corridor *c) {
    for (int32_t i = 0; i < 2; i++) {
        wend_edit *edit = begin_edit(c->map);
        cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){45 + i, CORRIDOR + 1, 0}, WEND_CLASS_OPEN), WEND_OK);
        cr_assert_eq(wend_edit_set_cell(edit, (wend_cell){100, 2 + i, 0}, WEND_CLASS_OPEN), WEND_OK);
        publish(edit);
    }
}

static void close_corridor(corridor *c) {
    if (c->crowd) cr_assert_eq(wend_crowd_destroy(c->crowd), WEND_OK);
    cr_assert_eq(wend_service_destroy(c->service), WEND_OK);
    wend_map_release(c->map);
}

/* ---- the calls ---- */

static const wend_box mouth = {{8, CORRIDOR - 2, 0}, {20, CORRIDOR + 2, 0}};

static void call_step(corridor *c) {
    (void)wend_crowd_step(c->crowd, c->ids[c->in], (wend_cell){11, CORRIDOR, 0});
}
static void call_move(corridor *c) {
    (void)wend_crowd_move(c->crowd, c->ids[c->in], (wend_cell){5, 20, 0});
}
static void call_set_speed(corridor *c) {
    (void)wend_crowd_set_speed(c->crowd, c->ids[c->in], 500);
}
static void call_set_urgency(corridor *c) {
    (void)wend_crowd_set_urgency(c->crowd, c->ids[c->in], 5);
}
static void call_wait_for(corridor *c) {
    (void)wend_crowd_wait_for(c->crowd, c->ids[0], &c->ids[c->in], 1);
}
static void call_set_mover(corridor *c) {
    wend_mover mover = default_mover();
    int32_t id;
    if (wend_map_add_mover(c->map, &mover, &id)) return;
    (void)wend_crowd_set_mover(c->crowd, c->ids, BODIES, id);
}
static void call_set_profile(corridor *c) {
    (void)wend_crowd_set_profile(c->crowd, c->ids, BODIES, 0);
}
static void call_get_path(corridor *c) {
    wend_cell cells[64];
    size_t count;
    (void)wend_crowd_get_path(c->crowd, c->ids[c->in], cells, 64, &count);
}
static void call_set_body(corridor *c) {
    cr_assert_eq(give_disc(c->crowd, c->walker), WEND_OK);
}
static void call_take_body(corridor *c) {
    for (uint32_t i = 0; i < BODIES; i++) (void)wend_crowd_set_body(c->crowd, c->ids[i], NULL);
}
static void call_get_body(corridor *c) {
    wend_body_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_body(c->crowd, c->ids[c->in], &state), WEND_OK);
}
static void call_place_body(corridor *c) {
    wend_body_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_body(c->crowd, c->ids[c->in], &state), WEND_OK);
    (void)place_rounded(c->crowd, c->ids[c->in], state.exact_at, (wend_body_vector){0, 0});
    (void)place_rounded(c->crowd, c->ids[0], (wend_body_vector){5 * WEND_BODY_UNITS, 20 * WEND_BODY_UNITS},
                        (wend_body_vector){0, 0});
}
static void call_is_clear(corridor *c) {
    bool clear;
    cr_assert_eq(wend_crowd_is_clear(c->crowd, mouth, &clear), WEND_OK);
}
static void call_clear_box(corridor *c) {
    cr_assert_eq(wend_crowd_clear_box(c->crowd, mouth), WEND_OK);
}
static void call_release_box(corridor *c) {
    cr_assert_eq(wend_crowd_clear_box(c->crowd, mouth), WEND_OK);
    cr_assert_eq(wend_crowd_release_box(c->crowd, mouth), WEND_OK);
}
static void call_get_boxes(corridor *c) {
    size_t count;
    cr_assert_eq(wend_crowd_get_boxes(c->crowd, NULL, 0, &count), WEND_OK);
}
static void call_crowd_create(corridor *c) {
    wend_crowd_def def = default_crowd();
    wend_crowd *other;
    def.agents = 4, def.service = c->service, def.map = c->map, def.on_event = orphan;
    if (wend_crowd_create(&def, &other) == WEND_OK) cr_assert_eq(wend_crowd_destroy(other), WEND_OK);
}
static void call_crowd_destroy(corridor *c) {
    cr_assert_eq(wend_crowd_destroy(c->crowd), WEND_OK);
    c->crowd = NULL;
}
static void call_crowd_add(corridor *c) {
    wend_agent_def agent = default_agent();
    wend_agent_id id;
    agent.cell = (wend_cell){13, CORRIDOR, 0};
    (void)wend_crowd_add(c->crowd, &agent, &id);
    agent.cell = (wend_cell){5, 40, 0};
    cr_assert_eq(wend_crowd_add(c->crowd, &agent, &id), WEND_OK);
}
static void call_go(corridor *c) {
    wend_crowd_goal goal = default_crowd_goal();
    goal.cell = (wend_cell){4, CORRIDOR, 0};
    cr_assert_eq(wend_crowd_go(c->crowd, c->ids, BODIES, &goal), WEND_OK);
}
static void call_halt(corridor *c) {
    cr_assert_eq(wend_crowd_halt(c->crowd, c->ids, BODIES), WEND_OK);
}
static void call_remove(corridor *c) {
    for (uint32_t i = 0; i < BODIES; i++) cr_assert_eq(wend_crowd_remove(c->crowd, c->ids[i]), WEND_OK);
}
static void call_update(corridor *c) {
    cr_assert_eq(wend_crowd_update(c->crowd, 1000, NULL, NULL), WEND_OK);
}
static void call_poll(corridor *c) {
    wend_agent_event event = {.struct_bytes = sizeof event};
    (void)wend_crowd_poll(c->crowd, &event);
}
static void call_get_agent(corridor *c) {
    wend_agent_state state = {.struct_bytes = sizeof state};
    cr_assert_eq(wend_crowd_get_agent(c->crowd, c->ids[c->in], &state), WEND_OK);
}
static void call_get_goal(corridor *c) {
    wend_crowd_goal goal = {.struct_bytes = sizeof goal};
    (void)wend_crowd_get_goal(c->crowd, c->ids[c->in], &goal);
}
static void call_get_view(corridor *c) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    cr_assert_eq(wend_crowd_get_view(c->crowd, &view), WEND_OK);
}
static void call_get_stats(corridor *c) {
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    cr_assert_eq(wend_crowd_get_stats(c->crowd, &stats), WEND_OK);
}
static void call_route(corridor *c) {
    const wend_cell stations[2] = {{5, 20, 0}, {56, CORRIDOR, 0}};
    wend_route_def def = default_route();
    def.corners = stations, def.corner_count = 2;
    if (wend_crowd_add_route(c->crowd, &def, &c->route)) return;
    edit_map(c);
    (void)wend_crowd_patrol(c->crowd, c->ids[c->in], c->route);
}
static void call_hash(corridor *c) {
    uint64_t hash;
    cr_assert_eq(wend_world_hash(c->map, c->service, c->crowd, &hash), WEND_OK);
    cr_assert_eq(wend_crowd_hash_agent(c->crowd, c->ids[0], &hash), WEND_OK);
}

static void call_save(corridor *c) {
    save_all(c);
}
static void call_restore(corridor *c) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    (void)wend_crowd_restore_state(c->crowd, &host, c->save, c->saved);
}
static wend_error drop_bytes(void *context, uint32_t kind, const void *bytes, size_t count) {
    (void)context, (void)kind, (void)bytes, (void)count;
    return WEND_OK;
}
static void call_record(corridor *c) {
    (void)wend_service_record_state(c->service, c->map, c->crowd, drop_bytes, NULL);
}

/* Functions in the order of the headers. */
#define CALLS(X)                                                                                                       \
    X(wend_crowd_step, call_step)                                                                                      \
    X(wend_crowd_move, call_move)                                                                                      \
    X(wend_crowd_set_speed, call_set_speed)                                                                            \
    X(wend_crowd_set_urgency, call_set_urgency)                                                                        \
    X(wend_crowd_wait_for, call_wait_for)                                                                              \
    X(wend_crowd_set_mover, call_set_mover)                                                                            \
    X(wend_crowd_set_profile, call_set_profile)                                                                        \
    X(wend_crowd_get_path, call_get_path)                                                                              \
    X(wend_crowd_set_body, call_set_body)                                                                              \
    X(wend_crowd_set_body, call_take_body)                                                                             \
    X(wend_crowd_get_body, call_get_body)                                                                              \
    X(wend_crowd_place_body, call_place_body)                                                                          \
    X(wend_crowd_is_clear, call_is_clear)                                                                              \
    X(wend_crowd_clear_box, call_clear_box)                                                                            \
    X(wend_crowd_release_box, call_release_box)                                                                        \
    X(wend_crowd_get_boxes, call_get_boxes)                                                                            \
    X(wend_crowd_create, call_crowd_create)                                                                            \
    X(wend_crowd_destroy, call_crowd_destroy)                                                                          \
    X(wend_crowd_add, call_crowd_add)                                                                                  \
    X(wend_crowd_go, call_go)                                                                                          \
    X(wend_crowd_halt, call_halt)                                                                                      \
    X(wend_crowd_remove, call_remove)                                                                                  \
    X(wend_crowd_update, call_update)                                                                                  \
    X(wend_crowd_poll, call_poll)                                                                                      \
    X(wend_crowd_get_agent, call_get_agent)                                                                            \
    X(wend_crowd_get_goal, call_get_goal)                                                                              \
    X(wend_crowd_get_view, call_get_view)                                                                              \
    X(wend_crowd_get_stats, call_get_stats)                                                                            \
    X(wend_crowd_add_route, call_route)                                                                                \
    X(wend_crowd_patrol, call_route)                                                                                   \
    X(wend_crowd_save_state, call_save)                                                                                \
    X(wend_crowd_restore_state, call_restore)                                                                          \
    X(wend_world_hash, call_hash)                                                                                      \
    X(wend_crowd_hash_agent, call_hash)                                                                                \
    X(wend_service_record_state, call_record)

static const struct {
    const char *name;
    void (*call)(corridor *c);
} calls[] = {
#define ROW(name, call) {#name, call},
    CALLS(ROW)};
enum { COUNT = sizeof calls / sizeof calls[0] };

Test(after_edit, each_function_finds_the_newest_version) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < COUNT; k++) {
            if (k > 0 && calls[k].call == calls[k - 1].call) continue;
            static corridor c;
            open_corridor(&c, kind);
            edit_map(&c);
            calls[k].call(&c);
            for (int frame = 0; c.crowd && frame < 3; frame++) {
                wend_service_tick(c.service, NULL, NULL);
                cr_assert_eq(wend_crowd_update(c.crowd, 1000, NULL, NULL), WEND_OK, "after %s()", calls[k].name);
            }
            edit_map(&c);
            close_corridor(&c);
        }
}

/* ---- the headers ---- */

static bool has_row(const char *name, size_t length) {
    for (int k = 0; k < COUNT; k++)
        if (strlen(calls[k].name) == length && !strncmp(calls[k].name, name, length)) return true;
    return false;
}

/* Returns how many declarations of a header take a crowd. */
static int check_header(char *text) {
    int found = 0;
    for (char *at = text; (at = strstr(at, "\nWEND_API ")); at++) {
        char *end = strchr(at, ';'), *open = strchr(at, '('), *name = open;
        if (!end || !open || open > end) continue;
        *end = '\0';
        const bool takes = strstr(open, "wend_crowd *") || strstr(open, "wend_crowd_def *def, wend_crowd **");
        while (name > at &&
               (name[-1] == '_' || (name[-1] >= '0' && name[-1] <= '9') || (name[-1] >= 'a' && name[-1] <= 'z')))
            name--;
        if (takes) cr_assert(has_row(name, (size_t)(open - name)), "%.*s() has no row", (int)(open - name), name);
        found += takes;
        *end = ';';
    }
    return found;
}

Test(after_edit, each_function_of_the_headers_has_a_row) {
    static char text[1 << 16];
    int found = 0;
    DIR *folder = opendir(HEADERS);
    cr_assert_not_null(folder, "%s", HEADERS);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[1024];
        if (!strstr(entry->d_name, ".h") || strstr(entry->d_name, ".hpp")) continue;
        snprintf(path, sizeof path, "%s/%s", HEADERS, entry->d_name);
        FILE *file = fopen(path, "r");
        cr_assert_not_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        found += check_header(text);
    }
    closedir(folder);
    cr_assert_geq(found, COUNT - 2, "the headers were read");
}
