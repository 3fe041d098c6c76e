/* SPDX-License-Identifier: MIT */
/* A network of roads that changes: a bridge is blown up, and a new road is built. */
#include <stdio.h>
#include <stdlib.h>
#include <wend/wend.h>
#include <wend/graph.h>
#include <wend/ways.h>

enum { HARBOUR, BRIDGE, FORD, TOWN, PLACES };

static const char *const names[] = {"harbour", "bridge", "ford", "town"};

static void check(wend_error error) {
    if (!error) return;
    fprintf(stderr, "roads: %s\n", wend_error_detail(error));
    exit(1);
}

static wend_cell place(int32_t number) {
    return (wend_cell){number, 0, 0};
}

static void travel(wend_map *map) {
    wend_cell cells[PLACES];
    wend_status status;
    size_t count;
    check(wend_find_path(map, place(HARBOUR), place(TOWN), cells, PLACES, &count, &status));
    printf("%s:", wend_status_name(status));
    for (size_t i = 0; i < count; i++) printf(" %s", names[cells[i].x]);
    printf("\n");
}

/* Both directions of a road. */
static void build(wend_edit *edit, uint32_t from, uint32_t to, int32_t minutes) {
    check(wend_edit_set_edge(edit, from, to, minutes));
    check(wend_edit_set_edge(edit, to, from, minutes));
}

int main(void) {
    wend_map *map;
    wend_edit *edit;
    wend_graph_def def;
    wend_graph_def_init(&def, sizeof def);
    def.node_count = PLACES;
    check(wend_graph_create(&def, &map));
    check(wend_edit_begin(map, &edit));
    build(edit, HARBOUR, BRIDGE, 10);
    build(edit, BRIDGE, TOWN, 10);
    build(edit, HARBOUR, FORD, 30);
    check(wend_edit_publish(edit, NULL));
    travel(map);
    check(wend_edit_begin(map, &edit));
    check(wend_edit_remove_node(edit, BRIDGE));
    check(wend_edit_publish(edit, NULL));
    travel(map);
    check(wend_edit_begin(map, &edit));
    build(edit, FORD, TOWN, 25);
    check(wend_edit_publish(edit, NULL));
    travel(map);
    wend_map_release(map);
    return 0;
}
