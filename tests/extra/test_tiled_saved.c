/* SPDX-License-Identifier: MIT */
/* Tiled maps as people save them: old versions, missing files, numbers that are there twice; each with its warning. */
#include "extra/tiled_help.h"

#include <unistd.h>

#define PLAIN(layers) HEAD TILES "'layers':[" layers "]}"
#define SET(first, name, rest) "{'firstgid':" #first ",'name':'" name "'" rest "}"
#define WALL ",'tilecount':2,'tiles':[" TILE(1, BLOCKED) "]"

/// Checks that the map has these classes and this warning (NULL: none), and that a strict reader refuses it for that.
static void check_saved(const char *json, const char *classes, const char *warning) {
    tiled_result r = expect_classes(read_tiled("%s", json), classes);
    cr_expect_eq(r.beside->warning_count, warning ? 1 : 0, "%s", json);
    for (size_t i = 0; i < r.beside->warning_count; i++) {
        if (warning) cr_expect_str_eq(r.beside->warnings[i], warning);
    }
    drop_tiled(&r);
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.strict = 1;
    r = read_tiled_with(&how, "%s", json);
    if (warning)
        expect_error(r, WEND_BAD_FORMAT, warning);
    else
        cr_expect_eq(r.code, WEND_OK, "%s", r.error.text);
    drop_tiled(&r);
}

Test(extra_tiled_saved, by_a_tiled_before_1_0_has_no_type) {
    check_saved("{'orientation':'orthogonal','tilewidth':16,'tileheight':16,'width':3,'height':2," TILES
                "'layers':[" LAYER("a", "[1,2,1,1,1,1]") "]}",
                "101/111", "no 'type': read as a map of a Tiled before 1.0");
}

#define OLD "properties are as a Tiled before 1.2 wrote them"

Test(extra_tiled_saved, by_a_tiled_before_1_2_has_properties_as_an_object) {
    check_saved(HEAD "'tilesets':[" SET(
                    1, "s",
                    ",'tilecount':4,'tileproperties':{'1':{'blocked':true},'2':{'cost':3}},"
                    "'tilepropertytypes':{'1':{'blocked':'bool'}}") "],'layers':[" LAYER("a", "[1,2,3,4,1,1]") "]}",
                "103/111", OLD);
    check_saved(HEAD "'tilesets':[" SET(1, "s",
                                        ",'tilecount':4,'tileproperties':{'1':{'blocked':'true'},'2':"
                                        "{'cost':'3'}}") "],'layers':[" LAYER("a", "[1,2,3,4,1,1]") "]}",
                "103/111", OLD);
    check_saved(HEAD "'tilesets':[" SET(
                    1, "s",
                    ",'tilecount':4,'tiles':{'0':{'terrain':[0,0,0,0]},'3':{}},"
                    "'tileproperties':{'3':{'blocked':true}}") "],'layers':[" LAYER("a", "[1,2,3,4,1,1]") "]}",
                "111/011", OLD);
    check_saved(HEAD "'tilesets':[" SET(1, "s",
                                        ",'tilecount':4,'tiles':[{'id':2},{'id':3}],'tileproperties':{'2':"
                                        "{'blocked':true}}") "],'layers':[" LAYER("a", "[1,2,3,4,1,1]") "]}",
                "110/111", OLD);
    check_saved(PLAIN("{'name':'a','type':'tilelayer','width':3,'height':2,'data':[0,1,0,0,0,2],'properties':"
                      "{'mood':'dark'},'propertytypes':{'mood':'string'}}"),
                "111/110", OLD);
}

Test(extra_tiled_saved, with_tilesets_out_of_order_is_sorted) {
    check_saved(HEAD "'tilesets':[" SET(3, "b", ",'tilecount':2") "," SET(1, "a", WALL) "],'layers':[" LAYER(
                    "a", "[1,2,3,4,2,0]") "]}",
                "101/101", "tileset 'a': 'firstgid' 1 is not above that of the tileset before");
    check_saved(HEAD "'tilesets':[" SET(1, "a", ",'tilecount':9,'tiles':[" TILE(5, BLOCKED) "]") "," SET(
                    4, "b", WALL) "],'layers':[" LAYER("a", "[1,5,4,4,5,0]") "]}",
                "101/101", NULL); /* ranges are cut at the next one */
}

Test(extra_tiled_saved, with_one_number_for_two_tilesets_takes_the_later) {
    check_saved(HEAD "'tilesets':[" SET(1, "lost", ",'tilecount':9") "," SET(1, "found", WALL) "],'layers':[" LAYER(
                    "a", "[1,2,1,0,2,0]") "]}",
                "101/101", "two tilesets have the 'firstgid' 1: the later counts");
}

Test(extra_tiled_saved, without_a_count_of_tiles_takes_all_of_them) {
    static const char warning[] = "tileset 'b' does not say how many tiles it has";
    check_saved(HEAD "'tilesets':[" SET(1, "a", WALL) "," SET(9, "b", ",'tilecount':0") "],'layers':[" LAYER(
                    "a", "[9,2,77,9999,1,0]") "]}",
                "101/111", warning);
    check_saved(
        HEAD "'tilesets':[" SET(1, "a", WALL) "," SET(9, "b", "") "],'layers':[" LAYER("a", "[9,2,77,9999,1,0]") "]}",
        "101/111", warning);
}

Test(extra_tiled_saved, without_its_tileset_takes_tiles_that_say_nothing) {
    check_saved(HEAD "'tilesets':[" SET(1, "a", WALL) ",{'firstgid':9,'source':'no-such.tsx'},{'firstgid':99,'source':"
                                                      "'nor-this.tsj'}],'layers':[" LAYER("a", "[9,2,77,99,1,0]") "]}",
                "101/111", "tileset 'no-such.tsx' is missing: its tiles say nothing (and 1 more)");
}

Test(extra_tiled_saved, in_memory_has_no_files_beside_it) {
    char text[] = HEAD "'tilesets':[" SET(1, "a", WALL) ",{'firstgid':9,'source':'tiled-beside.tsj'}],'layers':[" LAYER(
        "a", "[9,2,1,0,0,0]") "]}";
    straight_quotes(text);
    put_file("tiled-beside.tsj", "{'type':'tileset','tilecount':1,'tiles':[" TILE(0, BLOCKED) "]}");
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_parse(text, strlen(text), NULL, NULL, NULL, &r.map, &r.beside, &r.error);
    expect_classes(r, "101/111");
    cr_expect_str_eq(r.beside->warnings[0], "tileset 'tiled-beside.tsj' is missing: its tiles say nothing");
    drop_tiled(&r);
    r = expect_classes(read_tiled("%s", text), "001/111");
    cr_expect_eq(r.beside->warning_count, 0);
    drop_tiled(&r);
    unlink("tiled-beside.tsj");
}

Test(extra_tiled_saved, on_windows_names_files_with_backslashes) {
    put_file("tiled-windows.tsj", "{'tilecount':2,'tiles':[" TILE(1, BLOCKED) "]}");
    check_saved(HEAD "'tilesets':[{'firstgid':1,'source':'.\\\\tiled-windows.tsj'}],'layers':[" LAYER(
                    "a", "[1,2,0,0,0,0]") "]}",
                "101/111", "tileset '.\\x5ctiled-windows.tsj' has no 'type': read as a tileset of an old Tiled");
    unlink("tiled-windows.tsj");
}

Test(extra_tiled_saved, with_two_objects_of_one_number_keeps_the_first) {
    const char *json = PLAIN(LAYER("a", "[1,2,1,1,1,1]") "," OBJECTS(
        "{'id':7,'type':'start','x':4,'y':4},{'id':7,'type':'start','x':40,'y':4},{'id':8,'name':'n','x':4,'y':4},"
        "{'id':8,'name':'m','x':4,'y':4}"));
    check_saved(json, "101/111", "object 7 is there twice: the first counts (and 1 more)");
    tiled_result r = read_tiled("%s", json);
    cr_expect(r.beside->markers->has_start && same_cell(r.beside->markers->start, CELL(0, 0)));
    cr_assert_eq(r.beside->object_count, 1);
    cr_expect_str_eq(r.beside->objects[0].name, "n");
    drop_tiled(&r);
}

Test(extra_tiled_saved, from_templates_has_their_objects) {
    put_file("tiled-door.tj", "{'type':'template','object':{'name':'door','type':'exit','width':16,'height':32,"
                              "'properties':[{'name':'key','type':'int','value':3},{'name':'open','value':false}]}}");
    tiled_result r = expect_classes(
        read_tiled(PLAIN(LAYER("a", "[1,2,1,1,1,1]") "," OBJECTS(
            "{'id':1,'template':'tiled-door.tj','x':32,'y':0},{'id':2,'template':'tiled-door.tj','name':'gate','x':0,"
            "'y':0,'height':16,'properties':[{'name':'open','value':true}]},{'id':3,'template':'none.tj','x':0,'y':"
            "0}"))),
        "101/111");
    cr_assert_eq(r.beside->object_count, 2);
    const wend_tiled_object *door = &r.beside->objects[0], *gate = &r.beside->objects[1];
    cr_expect_str_eq(door->name, "door");
    cr_expect_str_eq(door->type, "exit");
    cr_expect(same_cell(door->cell, CELL(2, 1)), "its middle");
    cr_expect(same_cell(door->box.min, CELL(2, 0)) && same_cell(door->box.max, CELL(2, 1)));
    cr_assert_eq(door->property_count, 2);
    cr_expect_str_eq(door->properties[0].name, "key");
    cr_expect_str_eq(door->properties[0].value, "3");
    cr_expect_str_eq(gate->name, "gate");
    cr_expect_str_eq(gate->type, "exit");
    cr_expect(gate->width > 15 && gate->width < 17 && gate->height > 15 && gate->height < 17);
    cr_assert_eq(gate->property_count, 2);
    cr_expect_str_eq(gate->properties[0].value, "true", "its own value");
    cr_expect_str_eq(gate->properties[1].name, "key");
    cr_assert_eq(r.beside->warning_count, 1);
    cr_expect_str_eq(r.beside->warnings[0], "object 3 left out: its template 'none.tj' is missing");
    drop_tiled(&r);
    put_file("tiled-door.tj", "{'type':'template'}");
    expect_error(read_tiled(PLAIN(LAYER("a", OPEN) "," OBJECTS("{'id':1,'template':'tiled-door.tj','x':32,'y':0}"))),
                 WEND_BAD_FORMAT, "template 'tiled-door.tj': no Tiled template: it has no object");
    unlink("tiled-door.tj");
}

Test(extra_tiled_saved, from_templates_of_256_properties_at_most) {
    for (int count = 256; count <= 257; count++) {
        static char text[1 << 14];
        char *at = text + sprintf(text, "{\"type\":\"template\",\"object\":{\"name\":\"n\",\"properties\":[");
        for (int i = 0; i < count; i++) at += sprintf(at, "%s{\"name\":\"p%d\",\"value\":1}", i ? "," : "", i);
        strcpy(at, "]}}");
        FILE *file = fopen("tiled-many.tj", "wb");
        cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
        tiled_result r =
            read_tiled(PLAIN(LAYER("a", OPEN) "," OBJECTS("{'id':1,'template':'tiled-many.tj','x':0,'y':0}")));
        if (count == 257)
            expect_error(r, WEND_UNSUPPORTED, "template 'tiled-many.tj': more than 256 properties");
        else
            cr_expect(r.code == WEND_OK && r.beside->objects[0].property_count == 256, "%s", r.error.text);
        drop_tiled(&r);
    }
    unlink("tiled-many.tj");
}

Test(extra_tiled_saved, in_a_file_is_read_by_the_same_rules) {
    put_file("tiled-strict.tmj", PLAIN(LAYER("walls", "[0,1,0,0,0,0]")));
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    r.code = wend_tiled_load("tiled-strict.tmj", &how, NULL, &r.map, &r.beside, &r.error);
    expect_classes(r, "101/111");
    cr_expect_str_eq(r.beside->warnings[0], "1 layer blocked by 'walls': 1 tile");
    drop_tiled(&r);
    r = (tiled_result){.error = {.struct_bytes = sizeof r.error}};
    how.strict = 1;
    r.code = wend_tiled_load("tiled-strict.tmj", &how, NULL, &r.map, &r.beside, &r.error);
    expect_error(r, WEND_BAD_FORMAT, "1 layer blocked by 'walls': 1 tile");
    unlink("tiled-strict.tmj");
}

Test(extra_tiled_saved, without_tiles_has_the_size_that_it_says) {
    check_saved("{'type':'map','orientation':'orthogonal','tilewidth':16,'tileheight':16,'width':3,'height':2,"
                "'tilesets':[],'layers':[" OBJECTS("{'id':1,'type':'solid','x':16,'y':0,'width':16,'height':32}") "]}",
                "101/101", "1 shape blocked by 'solid': 2 cells");
    tiled_result r = read_tiled("{'type':'map','orientation':'orthogonal','tilewidth':1,'tileheight':1,'width':1024,"
                                "'height':1024,'tilesets':[],'layers':[]}");
    cr_expect_eq(r.code, WEND_OK);
    cr_expect_str_eq(r.beside->warnings[0],
                     "no tile, layer or object of this map says what blocks: all 1,048,576 cells "
                     "are open (--blocked NAME)");
    drop_tiled(&r);
    expect_error(read_tiled("{'type':'map','orientation':'orthogonal','tilewidth':1,'tileheight':1,'width':1025,"
                            "'height':1024,'tilesets':[],'layers':[]}"),
                 WEND_UNSUPPORTED, "a map of 1025 x 1024 cells without a layer of tiles: at most 1048576 cells");
}

#define MOVED(name, x, y, data)                                                                                        \
    "{'name':'" name "','type':'tilelayer','width':3,'height':2,'offsetx':" #x ",'offsety':" #y ",'data':" data "}"
#define WALLS_ABOVE "[2,2,2,0,0,0]"

Test(extra_tiled_saved, with_moved_layers_has_their_tiles_there) {
    check_saved(PLAIN(MOVED("a", 0, 16, WALLS_ABOVE)), "111/000", NULL);
    check_saved(PLAIN(MOVED("a", 16, 0, WALLS_ABOVE)), "100/111", "layer 'a': the tile at 3,0 is off the map");
    check_saved(PLAIN(MOVED("a", -16, 0, WALLS_ABOVE)), "001/111", "layer 'a': the tile at -1,0 is off the map");
    check_saved(PLAIN(MOVED("a", 0, 24, WALLS_ABOVE)), "111/000",
                "layer 'a' is moved by 0,24 pixels, which is taken as 0,1 tiles");
    check_saved(PLAIN(MOVED("a", 0, -1, "[0,0,0,2,2,2]")), "000/111",
                "layer 'a' is moved by 0,-1 pixels, which is taken as 0,-1 tiles");
    check_saved(
        PLAIN("{'type':'group','name':'g','offsetx':-8,'offsety':8,'layers':[" MOVED("a", 8, 8, WALLS_ABOVE) "]}"),
        "111/000", NULL);
    expect_error(read_tiled(PLAIN(MOVED("a", 'far', 0, WALLS_ABOVE))), WEND_BAD_FORMAT,
                 "layer 'a': its offset must be numbers of up to 2^30 pixels");
    expect_error(read_tiled("{'type':'map','orientation':'orthogonal','tilewidth':1,'tileheight':1,'width':3,"
                            "'height':2," TILES "'layers':[" MOVED("a", 268435457, 0, WALLS_ABOVE) "]}"),
                 WEND_BAD_FORMAT, "layer 'a' is moved by more than 268435456 tiles");
}

Test(extra_tiled_saved, with_moved_layers_of_an_endless_map_grows) {
    tiled_result r = expect_classes(
        read_tiled(ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[{'x':0,'y':0,'width':2,'height':1,"
                                 "'data':[1,2]}]},{'name':'b','type':'tilelayer','offsetx':-16,'offsety':16,'chunks':[{"
                                 "'x':0,'y':0,'width':1,'height':1,'data':[2]}]}]}"),
        "110/011");
    cr_expect(same_cell(r.beside->origin, CELL(-1, 0)));
    drop_tiled(&r);
}

Test(extra_tiled_saved, with_moved_objects_has_them_there) {
    tiled_result r = read_tiled(PLAIN(LAYER("a", OPEN) ",{'name':'o','type':'objectgroup','offsetx':16,'offsety':16,"
                                                       "'objects':[{'id':1,'type':'start','x':4,'y':4}]}"));
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_expect(same_cell(r.beside->markers->start, CELL(1, 1)));
    drop_tiled(&r);
    r = read_tiled("{'type':'map','orientation':'isometric','tilewidth':64,'tileheight':32,'width':3,'height':2," TILES
                   "'layers':[" LAYER("a", OPEN) ",{'name':'o','type':'objectgroup','offsetx':32,'offsety':16,"
                                                 "'objects':[{'id':1,'type':'start','x':4,'y':4}]}]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_expect(same_cell(r.beside->markers->start, CELL(1, 0)), "right and down on the screen is one cell along x");
    drop_tiled(&r);
}

static wend_cell start_of_tile(const char *alignment, const char *rest) {
    tiled_result r = read_tiled(
        HEAD "'tilesets':[{'firstgid':1,'name':'s','tilecount':4,'objectalignment':'%s'}],"
             "'layers':[" LAYER("a", OPEN) "," OBJECTS("{'id':1,'type':'start','gid':2,'x':24,'y':16,%s}") "]}",
        alignment, rest);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    const wend_cell cell = r.beside->markers->start;
    drop_tiled(&r);
    return cell;
}

/// The middle of a tile of 14 × 14 pixels is 7 away from the position, or 0.
Test(extra_tiled_saved, has_tiles_as_objects_where_their_tileset_aligns_them) {
    static const struct {
        const char *word;
        wend_cell cell;
    } rows[] = {{"topleft", {1, 1, 0}},     {"top", {1, 1, 0}},    {"topright", {1, 1, 0}},
                {"left", {1, 1, 0}},        {"center", {1, 1, 0}}, {"right", {1, 1, 0}},
                {"bottomleft", {1, 0, 0}},  {"bottom", {1, 0, 0}}, {"bottomright", {1, 0, 0}},
                {"unspecified", {1, 0, 0}}, {"", {1, 0, 0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const wend_cell cell = start_of_tile(rows[i].word, "'width':14,'height':14");
        cr_expect(same_cell(cell, rows[i].cell), "%s: %d,%d", rows[i].word, cell.x, cell.y);
    }
    cr_expect(same_cell(start_of_tile("left", "'width':20,'height':2"), CELL(2, 1)));
    cr_expect(same_cell(start_of_tile("right", "'width':20,'height':2"), CELL(0, 1)));
    cr_expect(same_cell(start_of_tile("left", "'width':20,'height':2,'rotation':180"), CELL(0, 1)));
    cr_expect(same_cell(start_of_tile("bottomleft", "'width':2,'height':20,'rotation':90"), CELL(2, 1)));
}

Test(extra_tiled_saved, lists_objects_with_size_and_properties) {
    tiled_result r = read_tiled(PLAIN(LAYER("a", OPEN) "," OBJECTS(
        "{'id':1,'name':'zone','x':8,'y':8,'width':39.5,'height':8,'properties':[{'name':'a','value':'x "
        "y'},{'name':'b',"
        "'value':true},{'name':'c','value':-7},{'name':'d','value':{'k':[1]}}]},{'id':2,'name':'point','x':40,'y':20},"
        "{'id':3,'name':'large','x':-99,'y':-99,'width':246,'height':230}")));
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_eq(r.beside->object_count, 3);
    const wend_tiled_object *o = r.beside->objects;
    cr_expect(o[0].width > 39.4 && o[0].width < 39.6 && o[0].height > 7.9 && o[0].height < 8.1);
    cr_expect(same_cell(o[0].box.min, CELL(0, 0)) && same_cell(o[0].box.max, CELL(2, 0)));
    static const char *const values[] = {"x y", "true", "-7", "{\"k\":[1]}"};
    cr_assert_eq(o[0].property_count, 4);
    for (int i = 0; i < 4; i++) cr_expect_str_eq(o[0].properties[i].value, values[i]);
    cr_expect(same_cell(o[1].box.min, CELL(2, 1)) && same_cell(o[1].box.max, CELL(2, 1)) && o[1].property_count == 0);
    cr_expect(same_cell(o[2].box.min, CELL(0, 0)) && same_cell(o[2].box.max, CELL(2, 1)));
    drop_tiled(&r);
}
