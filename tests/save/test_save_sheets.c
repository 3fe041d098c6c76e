/* SPDX-License-Identifier: MIT */
/* Maps with sheets saved, restored, baked and forked are the same maps: costs and links. */
#include "models/few_or_many.h"
#include "models/floors.h"
#include "models/both.h"
#include "models/options.h"
#include "save/save_town.h"

#include <wend/agents.h>
#include <wend/io.h>
#include <wend/field.h>
#include <wend/formats.h>
#include <wend/query.h>
#include <wend/save.h>
#include <wend/versions.h>

enum { MOST_LINKS = FLOORS_CELLS * 4, MOST_BYTES = 1 << 20 };

static wend_link *links_of(const wend_map *map, size_t *count) {
    wend_link *links = malloc(MOST_LINKS * sizeof *links);
    wend_map_get_links(map, links, MOST_LINKS, count);
    cr_assert(*count > 0 && *count < MOST_LINKS);
    return links;
}

static void expect_same_links(const wend_map *a, const wend_map *b) {
    size_t count, others;
    wend_link *links = links_of(a, &count), *other = links_of(b, &others);
    cr_assert_eq(count, others);
    for (size_t i = 0; i < count; i++) {
        cr_assert(same_cell(links[i].from, other[i].from) && same_cell(links[i].to, other[i].to));
        cr_assert_eq(links[i].cost, other[i].cost);
    }
    free(links), free(other);
}

static void expect_costs(const floors *f, wend_map *map, uint64_t seed) {
    static int64_t distances[FLOORS_CELLS];
    wend_search_def def = default_search();
    def.nodes = 1 << 17;
    OWNED_SEARCH *search = made_search(&def);
    for (int i = 0; i < 8; i++) {
        const int32_t mover = i % 2, start = (int32_t)draw(&seed, FLOORS_CELLS);
        if (!floors_factor(f, mover, start)) continue;
        floors_measure(f, mover, start, false, distances);
        for (int k = 0; k < 6; k++) {
            const int32_t goal = (int32_t)draw(&seed, FLOORS_CELLS);
            wend_request request = path_request(map, floors_cell(f, start), floors_cell(f, goal));
            request.mover = mover;
            cr_assert_eq(wend_search_begin(search, &request), WEND_OK);
            wend_search_step(search, UINT64_MAX, NULL);
            wend_completion result = {.struct_bytes = sizeof result};
            cr_assert_eq(wend_search_get_result(search, &result), WEND_OK);
            const bool found = floors_factor(f, mover, goal) && distances[goal] >= 0;
            cr_assert_eq(result.status == WEND_STATUS_FOUND, found);
            if (found) cr_assert_eq((int64_t)result.cost, distances[goal]);
        }
    }
}

Test(sheets_kept, a_save_brings_seams_back_and_only_to_a_map_with_its_sheets) {
    static floors f, other;
    static uint8_t bytes[MOST_BYTES], again[MOST_BYTES];
    uint64_t seed = 21;
    size_t size, same;
    floors_draw(&f, &seed, false), floors_draw(&other, &seed, false);
    wend_map *map = floors_map(&f), *into = floors_map(&other);
    wend_edit *edit = begin_edit(map); /* an own link in the place of a seam is no seam */
    const wend_cell from = {10, 10, 0}, to = {64 + 40, 30, 0};
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){from, to, 90000, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    cr_assert_eq(wend_map_save_state(map, bytes, sizeof bytes, &size), WEND_OK);
    floors_edit(&f, map, &seed, false);
    cr_assert_eq(wend_map_restore_state(into, bytes, size), WEND_OK, "%s", wend_error_detail(WEND_BAD_ARGUMENT));
    cr_assert_eq(wend_map_restore_state(map, bytes, size), WEND_OK);
    expect_same_links(map, into);
    cr_assert_eq(wend_map_save_state(into, again, sizeof again, &same), WEND_OK);
    cr_assert(same == size && memcmp(bytes, again, size) == 0);
    wend_map_release(into);
    const wend_sheet sheets[2] = {floors_sheet(0), floors_sheet(1)};
    wend_map_def def = default_map();
    def.width = FLOORS_SHEETS * FLOORS_SIDE, def.height = FLOORS_SIDE;
    for (uint32_t count = 0; count < 3; count += 2) {
        def.sheets = count ? sheets : NULL, def.sheet_count = count;
        cr_assert_eq(wend_map_create(&def, &into), WEND_OK);
        cr_assert_eq(wend_map_restore_state(into, bytes, size), WEND_BAD_ARGUMENT);
        wend_map_release(into);
    }
    wend_map_release(map);
}

Test(sheets_kept, a_restored_map_and_a_fork_cost_what_the_floors_do) {
    static floors f, other;
    static uint8_t bytes[MOST_BYTES];
    uint64_t seed = 22;
    size_t size;
    OWNED_MAP *fork = NULL;
    floors_draw(&f, &seed, false), floors_draw(&other, &seed, false);
    wend_map *map = floors_map(&f), *into = floors_map(&other);
    cr_assert_eq(wend_map_save_state(map, bytes, sizeof bytes, &size), WEND_OK);
    cr_assert_eq(wend_map_restore_state(into, bytes, size), WEND_OK);
    expect_costs(&f, into, 1);
    wend_map_release(into);
    const floors before = f;
    cr_assert_eq(wend_map_fork(map, &fork), WEND_OK);
    floors_edit(&f, fork, &seed, false);
    expect_costs(&f, fork, 2), expect_costs(&before, map, 2);
    wend_map_release(map);
    expect_costs(&f, fork, 3);
}

static uint8_t baked[MOST_BYTES];
static size_t baked_size;

static wend_error put_bytes(void *context, const void *bytes, size_t count) {
    (void)context;
    cr_assert(baked_size + count <= sizeof baked);
    memcpy(baked + baked_size, bytes, count);
    baked_size += count;
    return WEND_OK;
}

Test(sheets_kept, a_baked_map_costs_what_the_floors_do_with_another_mover_and_after_edits) {
    static floors f;
    wend_file_error error = {.struct_bytes = sizeof error};
    OWNED_MAP *read = NULL;
    uint64_t seed = 23;
    floors_draw(&f, &seed, false);
    OWNED_MAP *map = floors_plain_map(&f);
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_MOVINGAI, NULL, put_bytes, NULL, &error), WEND_UNSUPPORTED);
    baked_size = 0;
    cr_assert_eq(wend_map_write(map, WEND_FORMAT_BAKED, NULL, put_bytes, NULL, &error), WEND_OK, "%s", error.text);
    cr_assert_eq(wend_map_parse(baked, baked_size, NULL, &read, NULL, &error), WEND_OK, "%s", error.text);
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(read, &info);
    cr_assert_eq(info.sheets, FLOORS_SHEETS);
    expect_same_links(map, read);
    floors_add_mover(read);
    expect_costs(&f, read, 4);
    floors_edit(&f, read, &seed, false);
    expect_costs(&f, read, 5);
}

static bool is_in(wend_cell cell, const wend_box *boxes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (cell.x >= boxes[i].min.x && cell.y >= boxes[i].min.y && cell.x <= boxes[i].max.x &&
            cell.y <= boxes[i].max.y)
            return true;
    return false;
}

Test(sheets_kept, changes_hold_both_ends_of_a_seam_that_goes_and_comes) {
    static floors f;
    uint64_t seed = 24;
    wend_box boxes[8];
    size_t count, links;
    floors_draw(&f, &seed, false);
    OWNED_MAP *map = floors_map(&f);
    wend_link *list = links_of(map, &links);
    wend_changes changes = {.struct_bytes = sizeof changes};
    cr_assert_eq(wend_map_changes(map, 0, NULL, 0, &count, &changes), WEND_OK);
    for (int i = 0; i < 20; i++) {
        const wend_link link = list[draw(&seed, (uint32_t)links)];
        const uint64_t since = wend_map_get_epoch(map);
        wend_edit *edit = begin_edit(map);
        cr_assert_eq(wend_edit_remove_link(edit, link.from, link.to), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        for (int added = 0; added < 2; added++) {
            cr_assert_eq(wend_map_changes(map, since + (uint64_t)added, boxes, 8, &count, &changes), WEND_OK);
            cr_assert(count > 0 && count <= 8 && (i == 0 || changes.everything == 0));
            cr_assert(is_in(link.from, boxes, count) && is_in(link.to, boxes, count));
            if (added > 0) continue;
            edit = begin_edit(map);
            cr_assert_eq(wend_edit_add_link(edit, &(wend_link){link.from, link.to, WEND_LINK_SEAM, 0}), WEND_OK);
            cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
        }
    }
    free(list);
}

/* Takes seams away, and restores seams taken before. */
static void edit_seams(floors *f, wend_map *map, const floors *whole, uint64_t *seed) {
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < FLOORS_CELLS; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t to = whole->next[i][k];
            if (to < i || f->sheets[to] == f->sheets[i] || draw(seed, 3)) continue;
            const wend_cell a = floors_cell(f, i), b = floors_cell(f, to);
            const bool there = f->next[i][k] >= 0;
            for (int back = 0; back < 2; back++)
                cr_assert_eq(
                    there ? wend_edit_remove_link(edit, back ? b : a, back ? a : b)
                          : wend_edit_add_link(edit, &(wend_link){back ? b : a, back ? a : b, WEND_LINK_SEAM, 0}),
                    WEND_OK);
            f->next[i][k] = there ? -1 : to, f->next[to][(k + 2) % 4] = there ? -1 : i;
        }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}

static void expect_field(const floors *f, wend_field *field, int32_t goal) {
    static int64_t distances[FLOORS_CELLS];
    floors_measure(f, 0, goal, true, distances);
    for (int32_t i = 0; i < FLOORS_CELLS; i += 7) {
        wend_cell next;
        uint64_t cost;
        if (!floors_factor(f, 0, i)) continue;
        const wend_status status = wend_field_next(field, floors_cell(f, i), &next, &cost);
        cr_assert_eq(status == WEND_STATUS_FOUND, distances[i] >= 0);
        if (distances[i] >= 0) cr_assert_eq((int64_t)cost, distances[i], "cell %d: %d", i, (int)cost);
    }
}

Test(sheets_kept, seams_that_go_and_come_change_costs_tables_and_fields) {
    static floors f;
    uint64_t seed = 25;
    for (int32_t landmarks = -1; landmarks < 5; landmarks += 2) {
        floors_draw(&f, &seed, false);
        int32_t goal = 0;
        while (!f.classes[goal]) goal++;
        const floors whole = f;
        OWNED_MAP *map = floors_map(&f);
        wend_acceleration acceleration = default_acceleration();
        acceleration.landmarks = landmarks;
        for (acceleration.mover = 0; acceleration.mover < 2 && landmarks >= 0; acceleration.mover++)
            cr_assert_eq(wend_map_accelerate(map, &acceleration), WEND_OK);
        const wend_cell cell = floors_cell(&f, goal);
        wend_field_def def = default_field();
        def.map = map, def.goals = &cell, def.goal_count = 1;
        OWNED_FIELD *field = made_field(&def);
        for (uint64_t i = 0; i < 6; i++) {
            wend_field_step(field, UINT64_MAX, NULL);
            expect_field(&f, field, goal);
            expect_costs(&f, map, i);
            edit_seams(&f, map, &whole, &seed);
            cr_assert_eq(wend_field_repair(field, false), WEND_OK);
        }
    }
}

/* ---- a window ---- */

/* A corridor that is closed at one end, over a rim or a seam: column k of the picture lies at jam_cell(wraps, k, y). */
static const char *const jam_rows[] = {"...######", "........#", "...######"};
enum { JAM_WIDTH = 16, JAM_LEFT = 11, JAM_CUT = 5, JAM_AGENTS = 5 };

static wend_cell jam_cell(bool wraps, int32_t k, int32_t y) {
    if (wraps) return (wend_cell){(JAM_LEFT + k) % JAM_WIDTH, y, 0};
    return (wend_cell){k + (k >= JAM_CUT ? FLOORS_SIDE : 0), y, 0};
}

static wend_map *jam_map(bool wraps) {
    const wend_sheet sheets[2] = {floors_sheet(0), floors_sheet(1)};
    wend_map_def def = default_map();
    def.width = wraps ? JAM_WIDTH : 2 * FLOORS_SIDE, def.height = wraps ? 3 : FLOORS_SIDE;
    def.wrap = wraps ? WEND_WRAP_X : 0;
    def.sheets = wraps ? NULL : sheets, def.sheet_count = wraps ? 0 : 2;
    wend_map *map = made_map(&def);
    wend_edit *edit = begin_edit(map);
    wend_edit_fill_box(edit, (wend_box){{0, 0, 0}, {def.width - 1, def.height - 1, 0}}, WEND_CLASS_BLOCKED);
    for (int32_t y = 0; y < 3; y++)
        for (int32_t k = 0; jam_rows[y][k]; k++)
            if (jam_rows[y][k] == '.') wend_edit_set_cell(edit, jam_cell(wraps, k, y), WEND_CLASS_OPEN);
    const wend_cell a = jam_cell(wraps, JAM_CUT - 1, 1), b = jam_cell(wraps, JAM_CUT, 1);
    if (!wraps) cr_assert_eq(add_link_both(edit, a, b, WEND_LINK_SEAM), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

static void open_jam(town *t, bool wraps) {
    wend_service_def service = default_service();
    wend_crowd_def crowd = default_crowd();
    *t = (town){.map = jam_map(wraps)};
    service.queue = 16, service.nodes = 16 * WEND_PAGE_NODES;
    cr_assert_eq(wend_service_create(&service, &t->service), WEND_OK);
    crowd.agents = JAM_AGENTS, crowd.map = t->map, crowd.service = t->service;
    cr_assert_eq(wend_crowd_create(&crowd, &t->crowd), WEND_OK);
}

/* Five in the wrong order. */
static void fill_jam(town *t, bool wraps) {
    for (int32_t k = 0; k < JAM_AGENTS; k++) {
        wend_agent_def agent = default_agent();
        wend_crowd_goal goal = default_crowd_goal();
        wend_agent_id id;
        agent.cell = jam_cell(wraps, 3 + k, 1), goal.cell = jam_cell(wraps, 7 - k, 1);
        cr_assert_eq(wend_crowd_add(t->crowd, &agent, &id), WEND_OK);
        cr_assert_eq(wend_crowd_go(t->crowd, &id, 1, &goal), WEND_OK);
    }
}

Test(sheets_kept, a_window_over_a_seam_or_the_rim_is_restored_in_each_frame) {
    static town_save save;
    for (int wraps = 0; wraps < 2; wraps++) {
        town first, second;
        open_jam(&first, wraps), open_jam(&second, wraps);
        fill_jam(&first, wraps);
        wend_crowd_stats counts = {.struct_bytes = sizeof counts};
        uint64_t hash = 0;
        for (int frame = 0; frame < 600; frame++) {
            hash = town_frame(&first);
            if (frame > 0) cr_assert_eq(town_frame(&second), hash, "frame %d", frame);
            cr_assert_eq(town_store(&first, &save), WEND_OK);
            cr_assert_eq(town_restore(&second, &save), WEND_OK, "wraps %d, frame %d", wraps, frame);
        }
        wend_crowd_get_stats(first.crowd, &counts);
        cr_assert_eq(counts.busy, 0, "%u", counts.busy);
        town_close(&first), town_close(&second);
    }
}
