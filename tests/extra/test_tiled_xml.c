/* SPDX-License-Identifier: MIT */
/* Tiled's XML is read as its JSON is; a file that is no XML, or declares entities, is refused with line and column. */
#include "extra/tiled_help.h"

#include <unistd.h>
#include <wend/ways.h>

#define XML "<?xml version='1.0' encoding='UTF-8'?>\n"
#define DOCTYPE_XML "<!DOCTYPE map SYSTEM 'http://mapeditor.org/dtd/1.0/map.dtd'>\n"
#define HEAD_XML XML MAP_XML
#define MAP_XML "<map version='1.10' orientation='orthogonal' width='3' height='2' tilewidth='16' tileheight='16'>\n"
#define TILES_XML                                                                                                      \
    "<tileset firstgid='1' name='set' tilewidth='16' tileheight='16' tilecount='4' columns='2'>\n"                     \
    "<image source='a.png' width='32' height='32'/>\n"                                                                 \
    "<tile id='1'><properties><property name='blocked' type='bool' value='true'/></properties></tile>\n"               \
    "<tile id='2'><properties><property name='cost' type='int' value='3'/></properties></tile>\n"                      \
    "<tile id='3'><properties><property name='cost' type='int' value='7'/>"                                            \
    "<property name='blocked' type='bool' value='true'/></properties></tile></tileset>\n"
#define LAYER_XML(data) "<layer id='1' name='a' width='3' height='2'>" data "</layer>\n"
#define CSV(numbers) LAYER_XML("<data encoding='csv'>\n" numbers "\n</data>")
#define GOOD HEAD_XML TILES_XML CSV("1,2,3,\n4,1,0")

static void check_xml(const char *text, const char *classes) {
    OWNED(drop_tiled) tiled_result r = expect_classes(read_tiled("%s", text), classes);
    cr_expect_eq(r.beside->warning_count, 0);
}

Test(extra_tiled_xml, is_read_with_data_of_each_encoding) {
    check_xml(GOOD "</map>", "103/011");
    check_xml(HEAD_XML TILES_XML LAYER_XML("<data><tile gid='1'/><tile gid='2'/><tile gid='3'/><tile gid='4'/>"
                                           "<tile gid='1'/><tile/></data>") "</map>",
              "103/011");
    check_xml(HEAD_XML TILES_XML LAYER_XML(
                  "<data encoding='base64'>\n   AQAAAAIAAAADAAAABAAAAAEAAAAAAAAA\n  </data>") "</map>",
              "103/011");
    check_xml(HEAD_XML TILES_XML LAYER_XML("<data encoding='base64' compression='zlib'>"
                                           "eJxjZGBgYAJiZiBmAWJGBggAAADAAAw=</data>") "</map>",
              "103/011");
    check_xml(XML DOCTYPE_XML MAP_XML TILES_XML CSV("1,2,3,4,1,0") "</map>", "103/011");
    check_xml(HEAD_XML TILES_XML CSV("1,2147483650, 3,\n\n4,1,0\n") "</map>", "103/011");
}

Test(extra_tiled_xml, has_groups_objects_links_and_routes) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled(
            "%s", HEAD_XML TILES_XML
            "<group name='g'><layer name='a' width='3' height='2'><data encoding='csv'>1,1,1,1,2,1</data></layer>"
            "<objectgroup name='o'><object id='1' type='start' x='8.5' y='8'><point/></object>"
            "<object id='2' class='goal' x='40' y='24'/>"
            "<object id='3' type='link' x='8' y='24'><properties><property name='to' type='object' value='2'/>"
            "<property name='cost' type='int' value='4'/><property name='both' type='bool' value='true'/>"
            "</properties></object>"
            "<object id='4' name='beat' type='route' x='8' y='8'><polygon points='0,0 32,0 32.5,16'/></object>"
            "<object id='5' name='sign' x='0' y='0'><text wrap='1'>Hi</text><properties>"
            "<property name='says'>two\nlines</property><property name='n' type='float' value='0.5'/>"
            "<property name='c' type='class' propertytype='x'><properties><property name='in' value='1'/>"
            "</properties></property></properties></object>"
            "</objectgroup></group></map>"),
        "111/101");
    cr_expect(same_cell(r.beside->markers->start, CELL(0, 0)) && same_cell(r.beside->markers->goal, CELL(2, 1)));
    size_t count;
    wend_map_get_links(r.map, NULL, 0, &count);
    cr_expect_eq(count, 2);
    cr_assert_eq(r.beside->route_count, 1);
    cr_expect_eq(r.beside->routes[0].cell_count, 4);
    cr_assert_eq(r.beside->object_count, 1);
    cr_assert_eq(r.beside->objects[0].property_count, 3);
    cr_expect_str_eq(r.beside->objects[0].properties[0].value, "two\nlines");
    cr_expect_str_eq(r.beside->objects[0].properties[1].value, "0.5");
}

Test(extra_tiled_xml, of_an_endless_map_has_chunks) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled("%s",
                   XML "<map orientation='orthogonal' infinite='1' width='9' height='9' tilewidth='16' tileheight="
                       "'16'>" TILES_XML "<layer name='a' width='9' height='9'><data encoding='csv'>"
                       "<chunk x='-2' y='-1' width='2' height='2'>2,1,3,1</chunk>"
                       "<chunk x='1' y='1' width='1' height='1'>2</chunk></data></layer>"
                       "<layer name='empty' width='9' height='9'><data encoding='csv'></data></layer></map>"),
        "0111/3111/1110");
    cr_expect(same_cell(r.beside->origin, CELL(-2, -1)));
}

Test(extra_tiled_xml, has_shapes_and_files_beside_it) {
    put_file("tiled-beside.tsx", XML "<tileset name='x' tilewidth='16' tileheight='16' tilecount='4' objectalignment="
                                     "'top'><tile id='1' type='t'><objectgroup><object id='1' x='0' y='0' width='16' "
                                     "height='9'/></objectgroup></tile></tileset>");
    put_file("tiled-beside.tx", XML "<template><tileset firstgid='1' source='tiled-beside.tsx'/><object name='n' "
                                    "type='start' gid='2' width='16' height='16'/></template>");
    tiled_result r = expect_classes(
        read_tiled("%s",
                   HEAD_XML "<tileset firstgid='5' source='tiled-beside.tsx'/>" CSV(
                       "5,6,7,8,5,6") "<objectgroup name='walls'><object x='0' y='16' width='16' height='16'><ellipse/>"
                                      "</object><object id='9' template='tiled-beside.tx' x='24' y='16'/>"
                                      "</objectgroup></map>"),
        "101/010");
    cr_expect(same_cell(r.beside->markers->start, CELL(1, 1)), "aligned by the middle of its upper side");
    cr_assert_eq(r.beside->warning_count, 2);
    cr_expect_str_eq(r.beside->warnings[0], "1 shape blocked by 'walls': 1 cell");
    cr_expect_str_eq(r.beside->warnings[1], "1 tile has shapes: 1 blocked, 0 open");
    drop_tiled(&r);
    put_file("tiled-beside.tsx", XML "<tileset name='x'>\n<tile id='1'></tileset>");
    expect_error(read_tiled("%s", HEAD_XML "<tileset firstgid='5' source='tiled-beside.tsx'/></map>"), WEND_BAD_FORMAT,
                 "tileset 'tiled-beside.tsx', line 3, column 16: no XML: mismatched tag");
    unlink("tiled-beside.tsx");
    unlink("tiled-beside.tx");
}

Test(extra_tiled_xml, of_16_bits_is_read_too) {
    static const char text[] = "<map orientation='orthogonal' width='1' height='1' tilewidth='1' tileheight='1'><layer "
                               "name='walls' width='1' height='1'><data encoding='csv'>1</data></layer>"
                               "<tileset firstgid='1' tilecount='1'/></map>";
    char wide[2 * sizeof text] = {'\xFF', '\xFE'};
    for (size_t i = 0; i + 1 < sizeof text; i++) wide[2 + 2 * i] = text[i];
    OWNED(drop_tiled) tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_parse(wide, 2 * sizeof text, NULL, NULL, NULL, &r.map, &r.beside, &r.error);
    expect_classes(r, "0");
}

static void expect_at(const char *text, int line, int column, const char *message) {
    tiled_result r = read_tiled("%s", text);
    cr_expect_eq(r.code, WEND_BAD_FORMAT, "%s", message);
    cr_expect_str_eq(r.error.text, message);
    cr_expect(r.error.line == line && r.error.column == column, "%s: %d:%d", message, r.error.line, r.error.column);
    cr_expect(!r.map && !r.beside);
}

Test(extra_tiled_xml, that_is_wrong_is_refused_with_its_place) {
    expect_at("<map>\n</mop>", 2, 3, "no XML: mismatched tag");
    expect_at("<map>\n", 2, 1, "no XML: no element found");
    expect_at("<html>\n</html>", 1, 1, "no XML of Tiled: expected map, tileset or template");
    expect_at("<!DOCTYPE a [<!ENTITY b 'bbbb'>]><map>&b;</map>", 1, 13,
              "no XML of Tiled: a DOCTYPE with declarations, which are not read");
    expect_at(DOCTYPE_XML "<map>\n&b;</map>", 3, 1, "no XML of Tiled: an entity that is not declared");
    expect_at(HEAD_XML CSV("1,2,x"), 5, 1, "no XML of Tiled: CSV of tiles has whole numbers from 0 to 4294967295");
    expect_at(HEAD_XML CSV("1,4294967296"), 5, 1,
              "no XML of Tiled: CSV of tiles has whole numbers from 0 to 4294967295");
    expect_at(HEAD_XML LAYER_XML("<data>\n<tile gid='-1'/></data>"), 4, 1,
              "no XML of Tiled: a tile's 'gid' is no whole number from 0 to 4294967295");
    expect_at(HEAD_XML "<objectgroup><object><polygon points='0,0 1'/></object></objectgroup>", 3, 22,
              "no XML of Tiled: corners are pairs of numbers such as 0,16 32,16.5");
    expect_error(read_tiled("%s", HEAD_XML TILES_XML CSV("1,2,3") "</map>"), WEND_BAD_FORMAT,
                 "layer 'a': expected 6 tiles (3 x 2), found 3");
    expect_error(read_tiled("%s", HEAD_XML "<layer name='b' width='x' height='2'/></map>"), WEND_BAD_FORMAT,
                 "layer 'b': expected 'width', a whole number from 1 to 65536, found a string");
    expect_error(read_tiled("<tileset/>"), WEND_BAD_FORMAT, "no Tiled map: its 'type' is 'tileset', not 'map'");
}

Test(extra_tiled_xml, that_is_cut_off_is_refused_at_any_byte) {
    static const char text[] = GOOD "</map>";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
        r.code = wend_tiled_parse(text, size, NULL, NULL, NULL, &r.map, &r.beside, &r.error);
        cr_expect_eq(r.code, WEND_BAD_FORMAT, "%zu bytes", size);
        cr_expect(r.error.line > 0);
    }
}

Test(extra_tiled_xml, is_nested_255_deep_at_most) {
    for (int depth = 63; depth <= 300; depth += 237) {
        static char text[1 << 14];
        strcpy(text, HEAD_XML TILES_XML);
        for (int i = 0; i < depth; i++) strcat(text, "<group>");
        strcat(text, CSV("2,0,0,0,0,0"));
        for (int i = 0; i < depth; i++) strcat(text, "</group>");
        strcat(text, "</map>");
        OWNED(drop_tiled) tiled_result r = read_tiled("%s", text);
        cr_expect_eq(r.code, depth == 63 ? WEND_OK : WEND_BAD_FORMAT, "%s", r.error.text);
        if (r.code) cr_expect_str_eq(r.error.text, "elements are nested more than 255 deep");
    }
}
