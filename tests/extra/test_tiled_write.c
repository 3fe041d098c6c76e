/* SPDX-License-Identifier: MIT */
/* Writing Tiled maps: a written map reads back as the same; maps that the format cannot hold are refused. */
#include "extra/tiled_help.h"

#include <sys/stat.h>
#include <unistd.h>
#include <wend/ways.h>

static bytes write_map(const wend_map *map, const wend_tiled *beside) {
    bytes out = no_bytes();
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_tiled_write(map, beside, keep_bytes, &out, &error), WEND_OK, "%s", error.text);
    return out;
}

static tiled_result read_back(const bytes *b) {
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_parse(b->data, b->size, NULL, NULL, NULL, &r.map, &r.beside, &r.error);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    return r;
}

static void check_same_ground(const wend_map *a, const wend_map *b, int32_t width, int32_t height) {
    uint8_t *one = malloc((size_t)width * (size_t)height), *two = malloc((size_t)width * (size_t)height);
    wend_box all = {.max = {width - 1, height - 1, 0}};
    cr_assert_eq(wend_map_get_terrain_box(a, all, one, (size_t)width), WEND_OK);
    cr_assert_eq(wend_map_get_terrain_box(b, all, two, (size_t)width), WEND_OK);
    cr_assert_arr_eq(one, two, (size_t)width * (size_t)height);
    free(one), free(two);
}

static void round_trip(int32_t width, int32_t height, uint64_t seed, int packed) {
    uint8_t *classes = random_classes(width, height, seed);
    OWNED_MAP *map = map_of_classes(width, height, classes);
    bytes first = write_map(map, NULL);
    cr_assert_eq(strstr(first.data, "\"zlib\"") != NULL, packed);
    OWNED(drop_tiled) tiled_result r = read_back(&first);
    wend_map_info info = info_now(r.map);
    cr_assert(info.width == width && info.height == height);
    check_same_ground(map, r.map, width, height);
    bytes second = write_map(r.map, NULL);
    cr_assert_eq(first.size, second.size);
    cr_assert_arr_eq(first.data, second.data, first.size);
    free(first.data), free(second.data), free(classes);
}

Test(extra_tiled_write, keeps_every_class) {
    uint8_t classes[256];
    for (int i = 0; i < 256; i++) classes[i] = (uint8_t)i;
    OWNED_MAP *map = map_of_classes(16, 16, classes);
    bytes out = write_map(map, NULL);
    tiled_result r = read_back(&out);
    check_same_ground(map, r.map, 16, 16);
    drop_tiled(&r);
    free(out.data);
}

Test(extra_tiled_write, keeps_maps_small_and_large) {
    round_trip(1, 1, 1, 0);
    round_trip(256, 256, 2, 0);
    round_trip(65537 / 3 + 1, 3, 3, 1);
    round_trip(5000, 14, 4, 1);
    round_trip(300, 400, 5, 1);
}

Test(extra_tiled_write, keeps_links_markers_and_routes) {
    OWNED_MAP *map = map_of_classes(70, 5, NULL);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{0, 0, 0}, {69, 4, 0}, 77, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{69, 4, 0}, {0, 0, 0}, WEND_MAX_COST, 0}), WEND_OK);
    cr_assert_eq(wend_edit_add_link(edit, &(wend_link){{3, 3, 0}, {0, 0, 0}, 1, 0}), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    static const wend_cell cells[3] = {{5, 1, 0}, {60, 4, 0}, {5, 1, 0}};
    static const wend_tiled_route routes[2] = {{"a \"b\" \\ \xC3\xBC", cells, 3}, {"c", cells, 1}};
    wend_tiled beside = {.struct_bytes = sizeof beside, .routes = routes, .route_count = 2};
    const wend_map_markers markers = {
        .struct_bytes = sizeof markers, .has_start = 1, .has_goal = 1, .start = {1, 2, 0}, .goal = {69, 0, 0}};
    beside.markers = &markers;
    bytes out = write_map(map, &beside);
    OWNED(drop_tiled) tiled_result r = read_back(&out);
    wend_link one[4], two[4];
    size_t count, again;
    wend_map_get_links(map, one, 4, &count);
    wend_map_get_links(r.map, two, 4, &again);
    cr_assert(count == 3 && again == 3);
    cr_assert_arr_eq(one, two, 3 * sizeof *one);
    cr_expect(r.beside->markers->has_start && same_cell(r.beside->markers->start, markers.start));
    cr_expect(r.beside->markers->has_goal && same_cell(r.beside->markers->goal, markers.goal));
    cr_assert_eq(r.beside->route_count, 2);
    for (int i = 0; i < 2; i++) {
        cr_expect_str_eq(r.beside->routes[i].name, routes[i].name);
        cr_assert_eq(r.beside->routes[i].cell_count, routes[i].cell_count);
        cr_assert_arr_eq(r.beside->routes[i].cells, cells, routes[i].cell_count * sizeof *cells);
    }
    free(out.data);
}

static void refuse(const wend_map *map, const wend_tiled *beside, int32_t code, const char *text) {
    bytes out = no_bytes();
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_tiled_write(map, beside, keep_bytes, &out, &error), code);
    cr_expect_str_eq(error.text, text);
    cr_expect_eq(out.calls, 0, "nothing is written");
}

Test(extra_tiled_write, refuses_what_is_not_on_the_map) {
    OWNED_MAP *map = map_of_classes(3, 3, NULL);
    wend_cell cell = {3, 0, 0};
    wend_tiled_route route = {"r", &cell, 1};
    wend_tiled beside = {.struct_bytes = sizeof beside, .routes = &route, .route_count = 1};
    const char *bad = wend_error_text(WEND_BAD_ARGUMENT), *off = wend_error_text(WEND_OUT_OF_RANGE);
    refuse(map, &beside, WEND_OUT_OF_RANGE, off);
    cell.x = 2;
    route.name = "\xFF";
    refuse(map, &beside, WEND_BAD_ARGUMENT, bad);
    route.name = "";
    refuse(map, &beside, WEND_BAD_ARGUMENT, bad);
    beside.route_count = 0;
    const wend_map_markers markers = {.struct_bytes = sizeof markers, .has_goal = 1, .goal = {0, -1, 0}};
    beside.markers = &markers;
    refuse(map, &beside, WEND_OUT_OF_RANGE, off);
    beside.struct_bytes = 8;
    refuse(map, &beside, WEND_BAD_ARGUMENT, bad);
}

Test(extra_tiled_write, refuses_kinds_of_maps_that_tiled_lacks) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = def.height = def.depth = 2;
    wend_map *map;
    cr_assert_eq(wend_map_create(&def, &map), WEND_OK);
    refuse(map, NULL, WEND_UNSUPPORTED, "a Tiled map cannot hold voxels: it is flat cells");
    wend_map_release(map);
    wend_graph_def graph = default_graph();
    graph.node_count = 2;
    cr_assert_eq(wend_graph_create(&graph, &map), WEND_OK);
    refuse(map, NULL, WEND_UNSUPPORTED, "a Tiled map cannot hold a graph: it is flat cells");
    wend_map_release(map);
    map = map_of_classes(3, 3, NULL);
    wend_edit *edit = begin_edit(map);
    cr_assert_eq(wend_edit_set_step(edit, (wend_cell){1, 1, 0}, (wend_cell){2, 1, 0}, false), WEND_OK);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    refuse(map, NULL, WEND_UNSUPPORTED, "a Tiled map cannot hold the closed step from 1,1 to 2,1");
    wend_map_release(map);
}

Test(extra_tiled_write, hands_on_the_error_of_the_writer) {
    OWNED_MAP *map = map_of_classes(300, 300, NULL);
    for (int at = 0; at < 2; at++) {
        bytes out = no_bytes();
        out.fail_at = at, out.error = WEND_IO;
        wend_tiled beside = {.struct_bytes = sizeof beside};
        cr_expect_eq(wend_tiled_write(map, &beside, keep_bytes, &out, NULL), at ? WEND_OK : WEND_IO, "%d", at);
        free(out.data);
    }
}

Test(extra_tiled_write, saves_files_whole_or_not_at_all) {
    OWNED_MAP *map = map_of_classes(5, 5, problem_classes);
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_assert_eq(wend_tiled_save(map, "tiled-saved.tmj", NULL, &error), WEND_OK);
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_load("tiled-saved.tmj", NULL, NULL, &r.map, &r.beside, &r.error);
    r = expect_classes(r, "11111/11011/11001/11111/11111");
    drop_tiled(&r);
    unlink("tiled-saved.tmj");
    cr_expect_eq(wend_tiled_save(map, "no-such-folder/x.tmj", NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened for writing: No such file or directory");
    struct stat what;
    if (stat("/dev/full", &what) == 0) {
        cr_expect_eq(wend_tiled_save(map, "/dev/full", NULL, &error), WEND_IO);
        cr_expect_str_eq(error.text, "cannot be written: No space left on device");
        cr_expect_eq(stat("/dev/full", &what), 0);
    }
}
