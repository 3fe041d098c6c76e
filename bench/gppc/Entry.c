/* SPDX-License-Identifier: MIT */
/* An entry for the dynamic track of the Grid-Based Path Planning Competition. It has one map with jump tables and one
 * search; each change of the competition's map is an edit. The competition's kit has Entry.h and the program that calls
 * these functions; docs/performance.md has how to run both. */
#include "Entry.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/search.h>

/* Expansions after which an unfinished search hands over the beginning of its path, where that is 20 cells long. The
 * path may be longer than the shortest then. 0: whole paths only, all of them shortest. */
#ifndef HEAD_START
#define HEAD_START 0
#endif

enum { BLOCKED = 0, STRAIGHT = 1000, DIAGONAL = 1414, FIRST_STEPS = 20 };

typedef struct entry {
    struct gppc_patch now; ///< the kit's map; the kit changes it before it calls gppc_map_change()
    wend_map *map;
    wend_search *search;
    wend_request request;
    uint8_t *classes;         ///< a patch; room for the whole map
    wend_cell *cells;         ///< cells of a path
    struct gppc_point *turns; ///< turns of that path
    size_t room;              ///< number of cells and turns that fit
    bool begun;               ///< the kit has the beginning of this query's path, which ends at request.start
} entry;

/* The kit has no way to report an error. */
static void need(wend_error error) {
    if (!error) return;
    fprintf(stderr, "wend: %s\n", wend_error_detail(error));
    exit(2);
}

/* ---- the map ---- */

/* Reads the classes of a box of the kit's map, row by row. */
static void read_classes(const entry *e, wend_box box) {
    uint8_t *to = e->classes;
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) {
            const size_t i = (size_t)y * e->now.width + (size_t)x;
            *to++ = e->now.bitarray[i >> 3] >> (i & 7) & 1 ? WEND_CLASS_OPEN : BLOCKED;
        }
}

static void set_patch(const entry *e, wend_edit *edit, const struct gppc_patch *patch) {
    const wend_cell first = {patch->pos.x, patch->pos.y, 0};
    const wend_box box = {first, {first.x + patch->width - 1, first.y + patch->height - 1, 0}};
    read_classes(e, box);
    need(wend_edit_set_box(edit, box, e->classes, patch->width));
}

static void publish_patches(const entry *e, const struct gppc_patch *patches, uint32_t count) {
    wend_edit *edit;
    need(wend_edit_begin(e->map, &edit));
    for (uint32_t i = 0; i < count; i++) set_patch(e, edit, &patches[i]);
    need(wend_edit_publish(edit, NULL));
}

static void create_map(entry *e) {
    wend_map_rules rules;
    wend_map_def def;
    wend_map_rules_init(&rules, sizeof rules);
    rules.cost_straight = STRAIGHT, rules.cost_diagonal = DIAGONAL;
    wend_map_def_init(&def, sizeof def);
    def.width = e->now.width, def.height = e->now.height;
    def.rules = &rules;
    need(wend_map_create(&def, &e->map));
    publish_patches(e, &e->now, 1);
}

static void accelerate(const entry *e) {
    wend_acceleration acceleration;
    wend_acceleration_init(&acceleration, sizeof acceleration);
    acceleration.landmarks = 0; /* edits would soon spoil them */
    need(wend_map_accelerate(e->map, &acceleration));
}

/* ---- a path ---- */

static void *grown(void *list, size_t bytes) {
    void *longer = realloc(list, bytes);
    if (!longer) abort();
    return longer;
}

/* Makes room for a number of cells. Returns false if there is enough. */
static bool make_room(entry *e, size_t count) {
    if (count <= e->room) return false;
    e->room = 2 * count;
    e->cells = grown(e->cells, e->room * sizeof *e->cells);
    e->turns = grown(e->turns, e->room * sizeof *e->turns);
    return true;
}

static size_t read_cells(entry *e) {
    size_t count = 0;
    do wend_search_get_path(e->search, e->cells, e->room, &count);
    while (make_room(e, count));
    return count;
}

/* Reads the beginning of the path of an unfinished search. Returns 0 if it is too short. */
static size_t read_prefix(entry *e) {
    wend_prefix prefix = {.struct_bytes = sizeof prefix};
    do
        if (wend_search_get_prefix(e->search, e->cells, e->room, &prefix) != WEND_OK) return 0;
    while (make_room(e, prefix.cell_count));
    return prefix.cost >= FIRST_STEPS * STRAIGHT ? prefix.cell_count : 0;
}

static bool turns_at(const wend_cell *cell) {
    return cell[1].x - cell[0].x != cell[0].x - cell[-1].x || cell[1].y - cell[0].y != cell[0].y - cell[-1].y;
}

/* Both ends of the path and the cells where it changes its direction: the kit takes straight lines. */
static uint32_t find_turns(const entry *e, size_t count) {
    uint32_t turns = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || i + 1 == count || turns_at(&e->cells[i]))
            e->turns[turns++] = (struct gppc_point){(uint16_t)e->cells[i].x, (uint16_t)e->cells[i].y};
    return turns;
}

/* ---- called by the kit ---- */

void gppc_preprocess_init_map(struct gppc_patch init_map, const char *preprocess_filename) {
    (void)init_map;
    (void)preprocess_filename; /* tables are made in less time than a file is read */
}

void *gppc_search_init(struct gppc_patch active_map, const char *preprocess_filename) {
    (void)preprocess_filename;
    entry *e = grown(NULL, sizeof *e);
    *e = (entry){.now = active_map};
    e->classes = grown(NULL, (size_t)active_map.width * active_map.height);
    create_map(e);
    accelerate(e);
    wend_search_def def;
    wend_search_def_init(&def, sizeof def);
    def.nodes = 4 * ((uint64_t)active_map.width + 64) * ((uint64_t)active_map.height + 64);
    need(wend_search_create(&def, &e->search));
    wend_request_init(&e->request, sizeof e->request);
    e->request.map = e->map;
    return e;
}

void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t changes_length) {
    publish_patches(data, changes, changes_length);
}

struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal) {
    entry *e = data;
    size_t count = 0;
    if (!e->begun) e->request.start = (wend_cell){start.x, start.y, 0};
    e->request.goal = (wend_cell){goal.x, goal.y, 0};
    need(wend_search_begin(e->search, &e->request));
    const bool first = HEAD_START > 0 && !e->begun;
    const wend_status status = wend_search_step(e->search, first ? HEAD_START : WEND_NO_LIMIT, NULL);
    if (status == WEND_STATUS_PENDING) count = read_prefix(e);
    e->begun = count > 0;
    if (e->begun)
        e->request.start = e->cells[count - 1];
    else if (status == WEND_STATUS_PENDING)
        wend_search_step(e->search, WEND_NO_LIMIT, NULL);
    if (!e->begun) count = read_cells(e);
    const uint32_t turns = find_turns(e, count);
    return (struct gppc_path){.path = e->turns, .length = turns, .incomplete = e->begun};
}

void gppc_free_data(void *data) {
    entry *e = data;
    if (!e) return;
    wend_search_destroy(e->search);
    wend_map_release(e->map);
    free(e->classes);
    free(e->cells);
    free(e->turns);
    free(e);
}

const char *gppc_get_name(void) {
    return "wend";
}
