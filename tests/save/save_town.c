/* SPDX-License-Identifier: MIT */
#include "save/save_town.h"
#include "models/both.h"

#include "base/hash.h"
#include "io/baked/checksum.h"
#include "models/options.h"

#include <wend/agents.h>
#include <wend/boxes.h>
#include <wend/units.h>
#include <wend/ways.h>

enum { WIDTH = 70, HEIGHT = 40, PEOPLE = 60 };

static void hear_event(void *context, const wend_agent_event *event) {
    town *t = context;
    t->heard = wend__hash_u64(t->heard, (uint64_t)event->agent.index << 32 | (uint32_t)event->event);
    t->heard = wend__hash_u64(t->heard, (uint64_t)(uint32_t)event->cell.x << 32 | (uint32_t)event->cell.y);
}

static void hear_answer(void *context, const wend_completion *done) {
    town *t = context;
    t->heard = wend__hash_answer(t->heard, done->number, done->status, done->cost, done->cells, done->cell_count);
}

static void open_town(town *t, uint32_t workers, uint32_t fields) {
    *t = (town){.heard = WEND__HASH_START};
    wend_map_def map = default_map();
    wend_mover cart = default_mover();
    map.width = WIDTH, map.height = HEIGHT;
    cart.size = 2;
    if (wend_map_create(&map, &t->map) || wend_map_add_mover(t->map, &cart, NULL)) abort();
    wend_service_def service = default_service();
    service.queue = 64, service.nodes = 64 * WEND_PAGE_NODES, service.workers = workers;
    if (wend_service_create(&service, &t->service)) abort();
    wend_crowd_def crowd = default_crowd();
    crowd.agents = PEOPLE, crowd.map = t->map, crowd.service = t->service;
    crowd.on_event = hear_event, crowd.context = t;
    if (fields > 0) tuning_of(&crowd)->fields = fields, tuning_of(&crowd)->field_agents = 10;
    if (wend_crowd_create(&crowd, &t->crowd)) abort();
}

void town_open(town *t, uint32_t workers) {
    open_town(t, workers, 0);
}

void town_open_with_fields(town *t) {
    open_town(t, 0, 2);
}

void town_close(town *t) {
    if (wend_crowd_destroy(t->crowd) || wend_service_destroy(t->service)) abort();
    wend_map_release(t->map);
}

static void build(town *t) {
    wend_edit *edit;
    int32_t layer;
    (void)wend_edit_begin(t->map, &edit);
    for (int32_t x = 8; x < WIDTH; x += 12)
        (void)wend_edit_fill_box(edit, (wend_box){{x, x % 5, 0}, {x, HEIGHT - 4 + x % 3, 0}}, WEND_CLASS_BLOCKED);
    (void)wend_edit_fill_box(edit, (wend_box){{30, 30, 0}, {40, 34, 0}}, 3);
    (void)set_step_both(edit, (wend_cell){4, 9, 0}, (wend_cell){5, 9, 0}, 0);
    (void)wend_edit_add_link(edit, &(wend_link){{2, 2, 0}, {60, 30, 0}, 40, 0});
    (void)wend_edit_publish(edit, NULL);
    const wend_layer_def smell = {.struct_bytes = sizeof smell, .half_life = 7};
    (void)wend_map_add_layer(t->map, &smell, &layer);
    (void)wend_map_add_layer_disc(t->map, layer, (wend_cell){20, 20, 0}, 6, 200);
    const wend_layer_weight weight = {layer, 9};
    (void)wend_map_add_profile(t->map, &weight, 1, NULL);
    (void)wend_map_occupy(t->map, (wend_cell){50, 5, 0});
}

static void add_people(town *t, wend_agent_id ids[PEOPLE]) {
    for (int32_t i = 0; i < PEOPLE - 4; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = (wend_cell){i % 7, i / 7, 0}, agent.speed_milli = 150 + 20 * ((uint32_t)i % 9);
        if (wend_crowd_add(t->crowd, &agent, &ids[i])) abort();
    }
    for (int32_t i = PEOPLE - 4; i < PEOPLE; i++) {
        wend_agent_def agent = default_agent();
        agent.cell = (wend_cell){21 + 3 * (i % 4), 10, 0}, agent.mover = i % 2;
        agent.ghost = i % 4 == 0;
        if (wend_crowd_add(t->crowd, &agent, &ids[i])) abort();
    }
}

void town_fill(town *t) {
    static const wend_cell corners[] = {{1, 30, 0}, {60, 30, 0}, {60, 5, 0}};
    wend_agent_id ids[PEOPLE];
    wend_route_def round = default_route();
    wend_crowd_goal goal = default_crowd_goal();
    uint32_t route;
    build(t);
    add_people(t, ids);
    round.mode = WEND_ROUTE_LOOP, round.corners = corners, round.corner_count = 3;
    (void)wend_crowd_add_route(t->crowd, &round, &route);
    for (int i = 0; i < 6; i++) (void)wend_crowd_patrol(t->crowd, ids[i], route);
    goal.cell = (wend_cell){64, 20, 0}, goal.formation = WEND_AS_WEDGE;
    (void)wend_crowd_go(t->crowd, ids + 6, 9, &goal);
    goal.formation = WEND_AS_CROWD;
    (void)wend_crowd_go(t->crowd, ids + 15, 30, &goal);
    goal.kind = WEND_CROWD_FOLLOW, goal.target = ids[15];
    (void)wend_crowd_go(t->crowd, ids + 45, 4, &goal);
    goal.kind = WEND_CROWD_FLEE, goal.target = ids[0], goal.distance = 9, goal.keep = 1;
    (void)wend_crowd_go(t->crowd, ids + 49, 3, &goal);
    (void)wend_crowd_step(t->crowd, ids[55], (wend_cell){1, 8, 0});
    (void)wend_crowd_wait_for(t->crowd, ids[1], &ids[2], 1);
    (void)wend_crowd_clear_box(t->crowd, (wend_box){{0, 0, 0}, {3, 3, 0}});
    for (int32_t i = 0; i < 8; i++) {
        wend_request request = default_request();
        request.map = t->map, request.start = (wend_cell){i, 35, 0}, request.goal = (wend_cell){69, 39 - i, 0};
        request.urgency = i % 3, request.agent = (uint64_t)i / 2, request.deadline_frames = 9;
        request.on_done = hear_answer, request.context = t;
        (void)wend_service_submit(t->service, &request, NULL);
    }
}

void town_send_group(town *t, wend_cell goal) {
    enum { FIRST = 15, GROUP = 15 };
    wend_agent_id ids[GROUP];
    wend_crowd_goal order = default_crowd_goal();
    order.cell = goal;
    for (uint32_t i = 0; i < GROUP; i++) ids[i] = (wend_agent_id){FIRST + i, 1};
    if (wend_crowd_go(t->crowd, ids, GROUP, &order)) abort();
}

uint64_t town_frame(town *t) {
    wend_crowd_view view = {.struct_bytes = sizeof view};
    if (wend_service_tick(t->service, NULL, NULL) || wend_crowd_update(t->crowd, 300, NULL, NULL)) abort();
    (void)wend_map_update_layers(t->map, 1);
    wend_crowd_get_view(t->crowd, &view);
    uint64_t hash = t->heard;
    for (uint32_t i = 0; i < view.count; i++) {
        hash = wend__hash_u64(hash, (uint64_t)(uint32_t)view.points[i].x << 32 | (uint32_t)view.points[i].y);
        hash = wend__hash_u32(hash, view.states[i]);
    }
    return hash;
}

/* ---- saves ---- */

static void set_answer(void *context, wend_ticket ticket, wend_request *request) {
    (void)ticket;
    request->on_done = hear_answer, request->context = context;
}

wend_save_host town_host(town *t) {
    wend_save_host host;
    wend_save_host_init(&host, sizeof host);
    host.maps = &t->map, host.map_count = 1, host.context = t, host.request = set_answer;
    return host;
}

wend_error town_store(town *t, town_save *save) {
    wend_save_host host = town_host(t);
    uint8_t *at = save->bytes;
    wend_error error = wend_map_save_state(t->map, at, TOWN_BYTES / 3, &save->of[0]);
    at += save->of[0];
    if (!error) error = wend_service_save_state(t->service, &host, at, TOWN_BYTES / 3, &save->of[1]);
    at += save->of[1];
    return error ? error : wend_crowd_save_state(t->crowd, at, TOWN_BYTES / 3, &save->of[2]);
}

wend_error town_restore(town *t, const town_save *save) {
    const wend_save_host host = town_host(t);
    const uint8_t *at = save->bytes;
    wend_error error = wend_map_restore_state(t->map, at, save->of[0]);
    at += save->of[0];
    if (!error) error = wend_service_restore_state(t->service, &host, at, save->of[1]);
    at += save->of[1];
    return error ? error : wend_crowd_restore_state(t->crowd, &host, at, save->of[2]);
}

void town_sum(uint8_t *bytes, size_t count) {
    wend__checksum sum;
    wend__checksum_begin(&sum);
    wend__checksum_add(&sum, bytes + 8, 16);
    wend__checksum_add(&sum, bytes + 32, count - 32);
    const uint64_t value = wend__checksum_of(&sum);
    for (int i = 0; i < 8; i++) bytes[24 + i] = (uint8_t)(value >> 8 * i);
}
