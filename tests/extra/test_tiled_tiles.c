/* SPDX-License-Identifier: MIT */
/* The tile size and orientation of Tiled maps, and where objects of isometric maps are. */
#include "extra/tiled_help.h"

#define ISOMETRIC "{'type':'map','orientation':'isometric','tilewidth':64,'tileheight':32,'width':3,'height':2,"
#define POINT(id, type, x, y) "{'id':" #id ",'type':'" type "','x':" #x ",'y':" #y ",'width':0,'height':0}"

Test(extra_tiled_tiles, have_a_size_and_an_orientation) {
    tiled_result r = expect_classes(read_tiled(HEAD TILES "'layers':[" LAYER("a", "[1,2,3,1,1,4]") "]}"), "103/110");
    cr_expect(r.beside->tile_width == 16 && r.beside->tile_height == 16);
    cr_expect_eq(r.beside->orientation, WEND_TILED_ORTHOGONAL);
    drop_tiled(&r);
    r = expect_classes(read_tiled(ISOMETRIC TILES "'layers':[" LAYER("a", "[1,2,3,1,1,4]") "]}"), "103/110");
    cr_expect(r.beside->tile_width == 64 && r.beside->tile_height == 32);
    cr_expect_eq(r.beside->orientation, WEND_TILED_ISOMETRIC);
    drop_tiled(&r);
}

/// On an isometric map a cell is as many pixels wide and high, for objects, as a tile is high.
Test(extra_tiled_tiles, of_isometric_maps_are_square_for_objects) {
    tiled_result r =
        read_tiled(ISOMETRIC TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(POINT(1, "start", 95, 31) "," POINT(
            2, "goal", 32, 32) ","
                               "{'id':3,'type':'route','name':'r','x':1,'y':1,'polyline':[{'x':0,'y':0},"
                               "{'x':64,'y':32}]}") "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_expect(same_cell(r.beside->markers->start, (wend_cell){2, 0, 0}));
    cr_expect(same_cell(r.beside->markers->goal, (wend_cell){1, 1, 0}));
    cr_assert_eq(r.beside->route_count, 1);
    cr_expect(same_cell(r.beside->routes[0].cells[1], (wend_cell){2, 1, 0}));
    drop_tiled(&r);
    expect_error(read_tiled(ISOMETRIC TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(POINT(1, "start", 96, 31)) "]}"),
                 WEND_BAD_FORMAT, "object 1 in layer 'things' is not on the map: cell 3,0");
}

/// A tall tile stands on the lowest corner of its cell's diamond, however high its image is.
Test(extra_tiled_tiles, as_objects_of_isometric_maps_stand_on_their_cell) {
    for (int high = 16; high <= 128; high *= 2) {
        OWNED(drop_tiled)
        tiled_result r = read_tiled(ISOMETRIC TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(
                                        "{'id':1,'type':'start','gid':1,'x':64,'y':64,'width':64,'height':%d}") "]}",
                                    high);
        cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
        cr_expect(same_cell(r.beside->markers->start, (wend_cell){1, 1, 0}), "%d pixels high", high);
    }
}

static int32_t write_tiles(const wend_map *map, const wend_tiled *beside, bytes *out) {
    *out = no_bytes();
    return wend_tiled_write(map, beside, keep_bytes, out, NULL);
}

Test(extra_tiled_tiles, are_written_as_they_were_read) {
    static const wend_cell corners[2] = {{2, 1, 0}, {0, 0, 0}};
    static const wend_tiled_route route = {"way", corners, 2};
    static const int32_t sizes[][2] = {{1, 1}, {7, 5}, {64, 32}, {65536, 65536}};
    OWNED_MAP *map = map_of_classes(3, 2, NULL);
    for (int shape = 0; shape < 2; shape++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            wend_tiled beside = {.struct_bytes = sizeof beside, .orientation = shape};
            const wend_map_markers markers = {.struct_bytes = sizeof markers, .has_start = 1, .start = {2, 1, 0}};
            beside.markers = &markers, beside.routes = &route, beside.route_count = 1;
            beside.tile_width = sizes[s][0], beside.tile_height = sizes[s][1];
            bytes out;
            cr_assert_eq(write_tiles(map, &beside, &out), WEND_OK);
            OWNED(drop_tiled) tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
            r.code = wend_tiled_parse(out.data, out.size, NULL, NULL, NULL, &r.map, &r.beside, &r.error);
            cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
            cr_expect(r.beside->tile_width == sizes[s][0] && r.beside->tile_height == sizes[s][1]);
            cr_expect_eq(r.beside->orientation, shape);
            cr_expect(same_cell(r.beside->markers->start, corners[0]));
            cr_assert_eq(r.beside->route_count, 1);
            cr_expect(same_cell(r.beside->routes[0].cells[0], corners[0]));
            cr_expect(same_cell(r.beside->routes[0].cells[1], corners[1]));
            free(out.data);
        }
}

Test(extra_tiled_tiles, have_sizes_from_1_to_65536) {
    OWNED_MAP *map = map_of_classes(3, 2, NULL);
    static const int32_t bad[][3] = {{0, 16, 0},     {16, 0, 0},  {-1, 16, 0},  {16, -1, 0}, {65537, 16, 0},
                                     {16, 65537, 0}, {16, 16, 4}, {16, 16, -1}, {0, 0, 4}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wend_tiled beside = {.struct_bytes = sizeof beside, .orientation = bad[i][2]};
        beside.tile_width = bad[i][0], beside.tile_height = bad[i][1];
        bytes out;
        cr_expect_eq(write_tiles(map, &beside, &out), WEND_BAD_ARGUMENT, "case %zu", i);
        cr_expect_eq(out.calls, 0);
        free(out.data);
    }
    wend_tiled none = {.struct_bytes = sizeof none};
    bytes out;
    cr_expect_eq(write_tiles(map, &none, &out), WEND_OK);
    cr_expect(strstr(out.data, "\"tilewidth\":16"));
    free(out.data);
}
