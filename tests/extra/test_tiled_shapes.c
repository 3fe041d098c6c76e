/* SPDX-License-Identifier: MIT */
/* Cells blocked by the shapes of object layers, and tiles blocked by their collision shapes. */
#include "extra/tiled_help.h"

#define FIELD                                                                                                          \
    "{'type':'map','orientation':'orthogonal','tilewidth':16,'tileheight':16,'width':4,'height':3,'tilesets':[],"      \
    "'layers':[{'name':'%s','type':'objectgroup','objects':[%s]}]}"

static void expect_field(const char *layer, const char *objects, const char *classes, const char *warning) {
    OWNED(drop_tiled) tiled_result r = expect_classes(read_tiled(FIELD, layer, objects), classes);
    cr_assert_geq(r.beside->warning_count, 1);
    cr_expect_str_eq(r.beside->warnings[0], warning, "%s: %s", objects, r.beside->warnings[0]);
}

#define SHAPES(count, cells) count " shape" cells

Test(extra_tiled_shapes, block_the_cells_whose_centres_they_hold) {
    static const struct {
        const char *object, *classes;
        int cells;
    } rows[] = {
        {"{'x':16,'y':0,'width':32,'height':16}", "1001/1111/1111", 2},
        {"{'x':8,'y':8,'width':16,'height':16}", "0111/1111/1111", 1}, /* upper and left sides hold, others do not */
        {"{'x':7,'y':7,'width':18,'height':18}", "0011/0011/1111", 4},
        {"{'x':-99,'y':20,'width':999,'height':8}", "1111/0000/1111", 4},
        {"{'x':0,'y':0,'width':64,'height':48,'ellipse':true}", "1001/0000/1001", 8},
        {"{'x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':64,'y':0},{'x':0,'y':48}]}", "0001/0011/0111", 6},
        {"{'x':64,'y':48,'polygon':[{'x':0,'y':0},{'x':-64,'y':0},{'x':-64,'y':-48},{'x':-48,'y':-48},{'x':-48,"
         "'y':-16},{'x':0,'y':-16}]}",
         "0111/0111/0000", 6},
        {"{'x':32,'y':0,'width':32,'height':16,'rotation':90}", "1011/1011/1111", 2},
        {"{'x':64,'y':48,'width':32,'height':16,'rotation':180}", "1111/1111/1100", 2},
        {"{'x':64,'y':48,'width':32,'height':16,'rotation':-180}", "1111/1111/1100", 2},
        {"{'x':32,'y':-9,'width':40,'height':40,'rotation':45}", "1001/1001/1111", 4},
        {"{'x':999,'y':0,'width':16,'height':16}", "1111/1111/1111", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char warning[96];
        snprintf(warning, sizeof warning, "1 shape blocked by 'walls': %d cell%s", rows[i].cells,
                 rows[i].cells == 1 ? "" : "s");
        expect_field("Walls", rows[i].object, rows[i].classes, warning);
    }
}

Test(extra_tiled_shapes, that_hold_no_centre_block_what_they_cover_by_half) {
    expect_field("walls", "{'x':0,'y':0,'width':8,'height':16}", "0111/1111/1111",
                 "1 shape blocked by 'walls': 1 cell");
    expect_field("walls", "{'x':0,'y':0,'width':7.9,'height':16}", "1111/1111/1111",
                 "1 shape blocked by 'walls': 0 cells");
    expect_field("walls", "{'x':0,'y':0,'width':7,'height':48}", "1111/1111/1111",
                 "1 shape blocked by 'walls': 0 cells");
    expect_field("walls", "{'x':-16,'y':0,'width':24,'height':16}", "1111/1111/1111",
                 "1 shape blocked by 'walls': 0 cells"); /* the cell's centre is off the map */
    /* a frame without the middle of its cell: 16² − 11² of 16² are covered */
    expect_field("walls",
                 "{'x':16,'y':16,'polygon':[{'x':0,'y':0},{'x':16,'y':0},{'x':16,'y':16},{'x':0,'y':16},{'x':0,'y':1},"
                 "{'x':3,'y':3},{'x':3,'y':14},{'x':14,'y':14},{'x':14,'y':3},{'x':3,'y':3},{'x':0,'y':1}]}",
                 "1111/1011/1111", "1 shape blocked by 'walls': 1 cell");
    expect_field(
        "walls",
        "{'x':16,'y':16,'polygon':[{'x':0,'y':0},{'x':16,'y':0},{'x':16,'y':16},{'x':10,'y':16},{'x':10,'y':6},"
        "{'x':6,'y':6},{'x':6,'y':16},{'x':0,'y':16}]}",
        "1111/1011/1111", "1 shape blocked by 'walls': 1 cell");
}

Test(extra_tiled_shapes, without_an_area_are_left_out) {
    expect_field("walls",
                 "{'x':8,'y':8},{'x':8,'y':8,'point':true},{'x':0,'y':0,'polyline':[{'x':0,'y':0},{'x':64,'y':48}]},"
                 "{'x':0,'y':16,'width':16,'height':16,'gid':1},{'x':0,'y':0,'width':64,'height':48,'text':{}},"
                 "{'x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':64,'y':48}]}",
                 "1111/1111/1111", "6 objects of 'walls' left out: no rectangle, polygon or ellipse");
}

Test(extra_tiled_shapes, block_by_their_class_in_any_layer) {
    expect_field("things",
                 "{'type':'Wall','x':0,'y':0,'width':16,'height':16},{'class':'wall','x':16,'y':0,'width':16,"
                 "'height':16},{'type':'door','x':32,'y':0,'width':16,'height':16}",
                 "0011/1111/1111", "2 shapes blocked by 'wall': 2 cells");
    expect_field("walls",
                 "{'type':'route','name':'r','x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':63,'y':0},{'x':0,'y':47}]}",
                 "1111/1111/1111",
                 "no tile, layer or object of this map says what blocks: all 12 cells are open (--blocked NAME)");
}

Test(extra_tiled_shapes, of_moved_layers_and_of_storeys_block_there) {
    tiled_result r = expect_classes(
        read_tiled("{'type':'map','orientation':'orthogonal','tilewidth':16,'tileheight':16,'width':4,'height':3,"
                   "'tilesets':[],'layers':[{'name':'walls','type':'objectgroup','offsetx':16,'offsety':32,"
                   "'objects':[{'x':0,'y':0,'width':16,'height':16}]}]}"),
        "1111/1111/1011");
    drop_tiled(&r);
    r = expect_classes(read_tiled("{'type':'map','orientation':'isometric','tilewidth':64,'tileheight':32,'width':4,"
                                  "'height':3,'tilesets':[],'layers':[{'name':'walls','type':'objectgroup',"
                                  "'objects':[{'x':32,'y':64,'width':64,'height':32}]}]}"),
                       "1111/1111/1001");
    drop_tiled(&r);
    r = read_tiled(HEAD TILES "'layers':[" LAYER(
        "hall", OPEN) ",{'name':'above','type':'group','properties':[{'name':"
                      "'storey','value':1}],'layers':[" LAYER(
                          "a", OPEN) ",{'name':'walls','type':'objectgroup',"
                                     "'objects':[{'x':16,'y':0,'width':16,'height':16}]}]}]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    for (int32_t z = 0; z < 6; z++) {
        uint8_t class;
        cr_assert_eq(wend_map_get_terrain(r.map, (wend_cell){1, 0, z}, &class), WEND_OK);
        cr_expect_eq(class == WEND_CLASS_BLOCKED, z >= 2, "level %d: the ceiling, then a wall", z);
    }
    drop_tiled(&r);
}

Test(extra_tiled_shapes, say_which_object_is_wrong) {
    expect_error(read_tiled(FIELD, "walls", "{'id':4,'x':0,'y':0,'width':'a','height':16}"), WEND_BAD_FORMAT,
                 "object 4 in layer 'walls': its place, size and rotation must be numbers");
    expect_error(read_tiled(FIELD, "walls", "{'id':4,'x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':0,'y':'b'},{'x':1}]}"),
                 WEND_BAD_FORMAT, "object 4 in layer 'walls': its corner 2 has no place");
}

/// Each shape counts a row of 1,024 cells and 4 sides of 8 1,024 times, and 4: 75,497,472 / 1,081,348 is 69.8.
Test(extra_tiled_shapes, that_cover_a_map_too_often_are_refused) {
    static char objects[1 << 12];
    for (int count = 69; count <= 70; count++) {
        objects[0] = 0;
        for (int i = 0; i < count; i++)
            strcat(objects,
                   i ? ",{'x':0,'y':0,'width':9999,'height':9999}" : "{'x':0,'y':0,'width':9999,'height':9999}");
        OWNED(drop_tiled)
        tiled_result r = read_tiled(
            "{'type':'map','orientation':'orthogonal','tilewidth':1,'tileheight':1,'width':1024,'height':1024,"
            "'tilesets':[],'layers':[{'name':'walls','type':'objectgroup','objects':[%s]}]}",
            objects);
        if (count == 69)
            cr_expect_eq(r.code, WEND_OK, "%s", r.error.text);
        else
            expect_error(r, WEND_UNSUPPORTED, "shapes that block cover more than 75497472 cells in all");
    }
}

#define SHAPED(shape)                                                                                                  \
    HEAD "'tilesets':[{'firstgid':1,'name':'s','tilewidth':16,'tileheight':16,'tilecount':3,'tiles':[{'id':1,"         \
         "'objectgroup':{'objects':[" shape "]}}%s]}],'layers':[" LAYER("a", "[1,2,1,3,2,0]") "]}"

static void expect_tile(const char *shapes, bool blocked) {
    char json[2048];
    snprintf(json, sizeof json, SHAPED("%s"), shapes, "");
    OWNED(drop_tiled) tiled_result r = expect_classes(read_tiled("%s", json), blocked ? "101/101" : "111/111");
    cr_expect_str_eq(r.beside->warnings[0],
                     blocked ? "1 tile has shapes: 1 blocked, 0 open" : "1 tile has shapes: 0 blocked, 1 open");
}

Test(extra_tiled_shapes, of_a_tile_block_it_where_they_cover_half_of_it) {
    expect_tile("{'x':0,'y':0,'width':16,'height':8}", true);
    expect_tile("{'x':0,'y':0,'width':16,'height':7}", false);
    expect_tile("{'x':0,'y':0,'width':16,'height':5},{'x':0,'y':8,'width':16,'height':3}", true);
    expect_tile("{'x':0,'y':0,'width':16,'height':5},{'x':0,'y':2,'width':16,'height':5}", false); /* shapes overlap */
    expect_tile("{'x':-16,'y':-16,'width':99,'height':20}", false);
    expect_tile("{'x':0,'y':0,'width':16,'height':16,'ellipse':true}", true);
    expect_tile("{'x':0,'y':0,'width':12,'height':12,'ellipse':true}", false);
    expect_tile("{'x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':16,'y':0},{'x':16,'y':9}]}", false);
    expect_tile("{'x':0,'y':0,'polygon':[{'x':0,'y':0},{'x':16,'y':0},{'x':16,'y':16},{'x':1,'y':16}]}", true);
    expect_tile("{'x':8,'y':8}", false);
}

Test(extra_tiled_shapes, of_a_tile_say_less_than_its_properties) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled(HEAD "'tilesets':[{'firstgid':1,'name':'s','tilecount':3,'tiles':[{'id':1,'objectgroup':{'objects':["
                        "{'x':0,'y':0,'width':16,'height':16}]},'properties':[{'name':'blocked','value':false}]}]}],"
                        "'layers':[" LAYER("a", "[1,2,1,3,2,0]") "]}"),
        "111/111");
    cr_expect_eq(r.beside->warning_count, 0);
}

/// The sizes of a tile: of its picture, else of its set, else of the map.
Test(extra_tiled_shapes, of_a_tile_are_compared_with_its_size) {
    static const char *const sizes[] = {"'imagewidth':32,'imageheight':32,", "'width':16,'height':16,", ""};
    for (int i = 0; i < 3; i++) {
        OWNED(drop_tiled)
        tiled_result r = read_tiled(
            HEAD "'tilesets':[{'firstgid':1,'name':'s','tilecount':3,'tilewidth':8,'tileheight':8,'tiles':[{"
                 "'id':1,%s'objectgroup':{'objects':[{'x':0,'y':0,'width':16,'height':8}]}}]}],'layers':[" LAYER(
                     "a", "[1,2,1,3,2,0]") "]}",
            sizes[i]);
        expect_classes(r, i == 0 ? "111/111" : "101/101");
    }
}
