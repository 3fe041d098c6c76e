/* SPDX-License-Identifier: MIT */
/* Events that wait for the host's poll are part of a save. */
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/crowd_tuning.h>
#include <wend/save.h>
#include <wend/ways.h>

enum { ROOM = 1 << 16 };

typedef struct hall {
    wend_map *map;
    wend_service *service;
    wend_crowd *crowd;
} hall;

/* Two rooms, joined by a link far from the corner of the map: the numbers of its cells are no coordinates. */
static hall open_hall(void) {
    hall h = {.map = grid_map(40, 30)};
    IN_BATCH(h.map,
             cr_assert_eq(wend_edit_fill_box(edit, (wend_box){{20, 0, 0}, {20, 29, 0}}, WEND_CLASS_BLOCKED), WEND_OK);
             cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{18, 25, 0}, {30, 27, 0}, 10, 0}), WEND_OK));
    const wend_service_def service = default_service();
    cr_assert_eq(wend_service_create(&service, &h.service), WEND_OK);
    wend_crowd_tuning tuning;
    wend_crowd_tuning_init(&tuning, sizeof tuning);
    tuning.link_events = 1;
    wend_crowd_def crowd = default_crowd();
    crowd.agents = 4, crowd.service = h.service, crowd.map = h.map, crowd.tuning = &tuning;
    cr_assert_eq(wend_crowd_create(&crowd, &h.crowd), WEND_OK);
    return h;
}

static void close_hall(hall h) {
    wend_crowd_destroy(h.crowd);
    wend_service_destroy(h.service);
    wend_map_release(h.map);
}

Test(save_events, a_link_ahead_waits_in_a_save) {
    static uint8_t save[ROOM];
    size_t bytes = 0;
    hall first = open_hall(), other = open_hall();
    wend_agent_def agent = default_agent();
    wend_crowd_goal goal = default_crowd_goal();
    wend_agent_id id;
    agent.cell = (wend_cell){18, 23, 0}, goal.cell = (wend_cell){33, 27, 0};
    cr_assert_eq(wend_crowd_add(first.crowd, &agent, &id), WEND_OK);
    cr_assert_eq(wend_crowd_go(first.crowd, &id, 1, &goal), WEND_OK);
    wend_crowd_stats stats = {.struct_bytes = sizeof stats};
    for (int i = 0; i < 100 && stats.event_counts[WEND_AGENT_EVENT_LINK_AHEAD] < 2; i++) {
        cr_assert_eq(wend_service_tick(first.service, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_update(first.crowd, 1000, NULL, NULL), WEND_OK);
        cr_assert_eq(wend_crowd_get_stats(first.crowd, &stats), WEND_OK);
    }
    cr_assert_eq(stats.event_counts[WEND_AGENT_EVENT_LINK_AHEAD], 2, "one as it comes, one as it leaps");
    cr_assert_eq(wend_crowd_save_state(first.crowd, save, sizeof save, &bytes), WEND_OK);
    cr_assert_eq(wend_crowd_restore_state(other.crowd, NULL, save, bytes), WEND_OK, "%s",
                 wend_error_detail(WEND_BAD_FORMAT));
    for (int i = 0; i < 2; i++) {
        wend_agent_event event = {.struct_bytes = sizeof event};
        cr_assert_eq(wend_crowd_poll(other.crowd, &event), WEND_OK);
        cr_assert_eq(event.event, WEND_AGENT_EVENT_LINK_AHEAD);
        cr_assert(same_cell(event.cell, (wend_cell){18, 25, 0}));
        cr_assert(same_cell(event.to, (wend_cell){30, 27, 0}));
        cr_assert_eq(event.ahead, 1 - i);
    }
    close_hall(first);
    close_hall(other);
}
