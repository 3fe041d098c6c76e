/* SPDX-License-Identifier: MIT */
/* Tiled maps that are good: every way of storing tiles, layers over layers, tilesets, objects. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "extra/tiled_help.h"
#include "models/defaults.h"

#include <unistd.h>
#include <zlib.h>
#ifdef WEND_HAVE_ZSTD
#include <zstd.h>
#endif
#include <wend/ways.h>

static void check(tiled_result r, const char *classes) {
    r = expect_classes(r, classes);
    drop_tiled(&r);
}

Test(extra_tiled, takes_the_class_from_the_tiles_properties) {
    check(read_tiled(HEAD TILES "'layers':[" LAYER("a", "[1,2,3,4,0,1]") "]}"), "103/011");
}

Test(extra_tiled, lets_blocked_win_over_cost_and_the_larger_cost_over_the_smaller) {
    static const char a[] = LAYER("a", "[2,3,3,0,4,1]"), b[] = LAYER("b", "[3,2,1,3,1,0]");
    check(read_tiled(HEAD TILES "'layers':[%s,%s]}", a, b), "003/301");
    check(read_tiled(HEAD TILES "'layers':[%s,%s]}", b, a), "003/301");
}

Test(extra_tiled, counts_hidden_layers_and_those_in_groups) {
    check(read_tiled(HEAD TILES "'layers':[" LAYER(
              "a", OPEN) ",{'type':'group','name':'g','layers':[{'type':'group',"
                         "'name':'h','layers':[{'type':'tilelayer','name':'w','visible':false,'width':3,"
                         "'height':2,'data':[0,0,2,0,0,0]}]},{'type':'imagelayer','name':'sky'}]}]}"),
          "110/111");
}

Test(extra_tiled, takes_flips_off) {
    check(read_tiled(HEAD TILES "'layers':[" LAYER("a", "[2147483650,1073741826,536870914,268435458,4026531842,"
                                                        "4026531843]") "]}"),
          "000/003");
}

Test(extra_tiled, knows_every_class) {
    check(read_tiled(
              HEAD
              "'tilesets':[{'firstgid':1,'tilecount':9,'tiles':[" TILE(0, COST(255)) "," TILE(8, COST(254)) "," TILE(
                  4, COST(1)) "," TILE(5, "{'name':'blocked','type':'bool','value':"
                                          "false},{'name':'sound','value':'x'}") "]}],"
                                                                                 "'layers':[" LAYER(
                                                                                     "a", "[1,9,5,6,1,9]") "]}"),
          "(255)(254)1/1(255)(254)");
}

Test(extra_tiled, parts_several_tilesets_by_their_first_tile) {
    check(read_tiled(HEAD "'tilesets':[{'firstgid':1,'tilecount':2,'tiles':[" TILE(
              1, BLOCKED) "]},"
                          "{'firstgid':3,'tilecount':0},{'firstgid':10,'tilecount':2,'tiles':[" TILE(
                              0, COST(5)) "," TILE(7, COST(6)) "]}],'layers':[" LAYER("a", "[1,2,10,11,17,0]") "]}"),
          "105/161");
}

static char *base64(const unsigned char *in, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = calloc(1, size / 3 * 4 + 8), *at = out;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits =
            (uint32_t)in[i] << 16 | (uint32_t)(i + 1 < size ? in[i + 1] : 0) << 8 | (i + 2 < size ? in[i + 2] : 0);
        *at++ = digits[bits >> 18], *at++ = digits[bits >> 12 & 63];
        *at++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        *at++ = i + 2 < size ? digits[bits & 63] : '=';
    }
    return out;
}

static const unsigned char tiles[24] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};

/// @param window   15 zlib, 31 gzip
static char *packed(const unsigned char *in, size_t size, int window) {
    unsigned char out[4096];
    z_stream z = {0};
    cr_assert_eq(deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)in, z.avail_in = (uInt)size;
    z.next_out = out, z.avail_out = sizeof out;
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return base64(out, sizeof out - z.avail_out);
}

static tiled_result read_data(const char *data, const char *compression) {
    return read_tiled(HEAD TILES "'layers':[{'name':'a','type':'tilelayer','width':3,'height':2,'encoding':'base64',"
                                 "'compression':'%s','data':'%s'}]}",
                      compression, data);
}

Test(extra_tiled, reads_base64_as_it_is_and_packed) {
    char *plain = base64(tiles, 24), *zlib = packed(tiles, 24, 15), *gzip = packed(tiles, 24, 31);
    check(read_data(plain, ""), "103/011");
    check(read_data(zlib, "zlib"), "103/011");
    check(read_data(gzip, "gzip"), "103/011");
    expect_error(read_data(gzip, "zlib"), WEND_BAD_FORMAT, "layer 'a': its data is not zlib, or not whole");
    expect_error(read_data(zlib, "gzip"), WEND_BAD_FORMAT, "layer 'a': its data is not gzip, or not whole");
    free(plain), free(zlib), free(gzip);
}

Test(extra_tiled, refuses_packed_data_that_is_cut_or_of_another_length) {
    char *zlib = packed(tiles, 24, 15);
    size_t length = strlen(zlib);
    for (size_t cut = 4; cut < length; cut += 4) {
        char part[256];
        snprintf(part, sizeof part, "%.*s", (int)(length - cut), zlib);
        tiled_result r = read_data(part, "zlib");
        cr_expect_eq(r.code, WEND_BAD_FORMAT);
        cr_expect(strstr(r.error.text, "not whole") || strstr(r.error.text, "too short"), "%s", r.error.text);
    }
    free(zlib);
    unsigned char more[64] = {0};
    char *longer = packed(more, 28, 15), *shorter = packed(more, 20, 15), *odd = packed(more, 22, 15);
    expect_error(read_data(longer, "zlib"), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found more");
    expect_error(read_data(shorter, "zlib"), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found less");
    expect_error(read_data(odd, "zlib"), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found less");
    free(longer), free(shorter), free(odd);
    longer = base64(more, 28), shorter = base64(more, 22);
    expect_error(read_data(longer, ""), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found more");
    expect_error(read_data(shorter, ""), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found less");
    free(longer), free(shorter);
    expect_error(read_data("AQAAAAIAAAADAAAABAAAAAAAAAABAA!A", ""), WEND_BAD_FORMAT,
                 "layer 'a': its data is not base64");
    expect_error(read_data("AQAAAAIAAAADAAAABAAAAAAAAAABAAAAA", ""), WEND_BAD_FORMAT,
                 "layer 'a': its data is not base64");
    expect_error(read_data("AQAAAAIAAAADAAAABAAAAAAAAAABA===", ""), WEND_BAD_FORMAT,
                 "layer 'a': its data is not base64");
    expect_error(read_data("AQAAAAIAAAADAAAA=AAAAAAAAAABAAAA", ""), WEND_BAD_FORMAT,
                 "layer 'a': its data is not base64");
}

#ifdef WEND_HAVE_ZSTD
static char *packed_zstd(const unsigned char *in, size_t size) {
    unsigned char out[4096];
    const size_t used = ZSTD_compress(out, sizeof out, in, size, 3);
    cr_assert(!ZSTD_isError(used));
    return base64(out, used);
}

Test(extra_tiled, reads_zstd_whole_and_refuses_what_is_not) {
    unsigned char more[64] = {0};
    char *zstd = packed_zstd(tiles, 24), *longer = packed_zstd(more, 28), *shorter = packed_zstd(more, 20);
    check(read_data(zstd, "zstd"), "103/011");
    expect_error(read_data(zstd, "zlib"), WEND_BAD_FORMAT, "layer 'a': its data is not zlib, or not whole");
    expect_error(read_data(longer, "zstd"), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found more");
    expect_error(read_data(shorter, "zstd"), WEND_BAD_FORMAT, "layer 'a': expected 6 tiles (3 x 2), found less");
    for (size_t cut = 4; cut < strlen(zstd); cut += 4) {
        char part[256];
        snprintf(part, sizeof part, "%.*s", (int)(strlen(zstd) - cut), zstd);
        expect_error(read_data(part, "zstd"), WEND_BAD_FORMAT, "layer 'a': its data is not zstd, or not whole");
    }
    free(zstd), free(longer), free(shorter);
}

/* 1 GiB is the window that this frame of no block names. */
Test(extra_tiled, takes_no_window_larger_than_its_tiles_need) {
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 0x01, 0x00, 0x00};
    char *huge = base64(frame, sizeof frame);
    expect_error(read_data(huge, "zstd"), WEND_BAD_FORMAT, "layer 'a': its data is not zstd, or not whole");
    free(huge);
}
#endif

#define CHUNK(x, y, w, h, data) "{'x':" #x ",'y':" #y ",'width':" #w ",'height':" #h ",'data':" data "}"

Test(extra_tiled, puts_an_infinite_map_into_the_box_of_its_chunks) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled(ENDLESS TILES "'width':9,'height':0,'layers':[{'name':'a','type':'tilelayer','chunks':[" CHUNK(
            -2, -1, 2, 2,
            "[2,1,3,1]") "," CHUNK(1, 1, 1, 1,
                                   "[2]") "]},{'name':'b','type':'tilelayer',"
                                          "'chunks':[" CHUNK(-1, -1, 2, 1, "[3,2]") "]}," OBJECTS(
                                              "{'id':1,'type':'start','x':-32,'y':-16},{'id':2,'class':'goal',"
                                              "'x':31.9,'y':31.9}") "]}"),
        "0301/3111/1110");
    cr_expect(same_cell(r.beside->origin, CELL(-2, -1)));
    cr_expect(r.beside->markers->has_start && same_cell(r.beside->markers->start, CELL(0, 0)));
    cr_expect(r.beside->markers->has_goal && same_cell(r.beside->markers->goal, CELL(3, 2)));
}

Test(extra_tiled, holds_chunks_against_the_box_round_them) {
    /* with a cell each: 2 × 256 + 2^20 cells are allowed, that is 1024 × 1024 and 512 more */
    tiled_result r = read_tiled(ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[" CHUNK(
        0, 0, 1, 1, "[1]") "," CHUNK(1023, 1023, 1, 1, "[2]") "]}]}");
    cr_assert_eq(r.code, WEND_OK);
    drop_tiled(&r);
    expect_error(read_tiled(ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[" CHUNK(
                     0, 0, 1, 1, "[1]") "," CHUNK(1023, 1024, 1, 1, "[2]") "]}]}"),
                 WEND_UNSUPPORTED, "chunks are too far apart: they have 2 cells, the box round them 1024 x 1025");
    r = read_tiled(ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[" CHUNK(
        -268435456, 0, 1, 1, "[1]") "," CHUNK(-268369921, 0, 1, 1, "[2]") "]}]}");
    cr_assert_eq(r.code, WEND_OK, "65,536 cells wide");
    cr_expect_eq(r.beside->origin.x, -268435456);
    drop_tiled(&r);
    expect_error(read_tiled(ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[" CHUNK(
                     0, 0, 1, 1, "[1]") "," CHUNK(65536, 0, 1, 1, "[2]") "]}]}"),
                 WEND_UNSUPPORTED, "all chunks together are 65537 x 1 cells: at most 65536 a side");
}

Test(extra_tiled, reads_a_tileset_beside_the_map) {
    put_file("tiled-beside.tsj", "{'type':'tileset','name':'x','tilecount':4,'tiles':[" TILE(1, BLOCKED) "]}");
    put_file("tiled-beside.tmj", HEAD
             "'tilesets':[{'firstgid':5,'source':'tiled-beside.tsj'}],'layers':[" LAYER("a", "[5,6,7,8,5,6]") "]}");
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_load("tiled-beside.tmj", NULL, NULL, &r.map, &r.beside, &r.error);
    check(r, "101/110");
    char path[512];
    cr_assert(getcwd(path, 400));
    strcat(path, "/tiled-beside.tmj");
    r = (tiled_result){.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_load(path, NULL, NULL, &r.map, &r.beside, &r.error);
    check(r, "101/110");
    put_file("tiled-beside.tsj", "{'type':'tileset',\n 'tilecount':,}");
    expect_error(read_tiled(HEAD "'tilesets':[{'firstgid':5,'source':'tiled-beside.tsj'}],'layers':[]}"),
                 WEND_BAD_FORMAT, "tileset 'tiled-beside.tsj', line 2, column 14: no JSON: unexpected token near ','");
    put_file("tiled-beside.tsj", "{'type':'map'}");
    expect_error(read_tiled(HEAD "'tilesets':[{'firstgid':5,'source':'tiled-beside.tsj'}],'layers':[]}"),
                 WEND_BAD_FORMAT, "tileset 'tiled-beside.tsj': no Tiled tileset: its 'type' is not \"tileset\"");
    unlink("tiled-beside.tsj");
    unlink("tiled-beside.tmj");
}

Test(extra_tiled, reads_markers_in_the_middle_of_their_objects) {
    OWNED(drop_tiled)
    tiled_result r = expect_classes(
        read_tiled(HEAD TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(
            "{'id':1,'type':'start','x':8,'y':8,'width':20,'height':16},{'id':2,'type':'','class':'goal','x':32,'y':16,"
            "'width':16,'height':16,'gid':1},{'id':3,'type':'chest','x':-99,'y':0}") "]}"),
        "111/111");
    cr_expect(same_cell(r.beside->markers->start, CELL(1, 1)));
    cr_expect(same_cell(r.beside->markers->goal, CELL(2, 0)), "a tile stands on its lower left corner");
    cr_expect(same_cell(r.beside->origin, CELL(0, 0)));
}

Test(extra_tiled, reads_links_one_way_and_both_ways) {
    OWNED(drop_tiled)
    tiled_result r = read_tiled(HEAD TILES "'layers':[" OBJECTS(
        "{'id':7,'type':'link','x':1,'y':1,'properties':[{'name':'to','type':'object','value':9}]"
        "}") "," LAYER("a",
                       OPEN) ",{'type':'group','name':'g','layers':[" OBJECTS("{'id':9,'type':'','x':40,'y':20},{'id':"
                                                                              "3,'class':'link','x':20,'y':1,'"
                                                                              "properties':[{'name':'cost','value':"
                                                                              "4},"
                                                                              "{'name':'both','value':true},{'name':'"
                                                                              "to','value':7}]}") "]}]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    wend_link links[8];
    size_t count;
    wend_map_get_links(r.map, links, 8, &count);
    cr_assert_eq(count, 3);
    int seen = 0;
    for (size_t i = 0; i < count; i++) {
        const wend_link *l = &links[i];
        if (same_cell(l->from, CELL(0, 0)) && same_cell(l->to, CELL(2, 1))) seen |= l->cost == 10 ? 1 : 8;
        if (same_cell(l->from, CELL(1, 0)) && same_cell(l->to, CELL(0, 0))) seen |= l->cost == 4 ? 2 : 8;
        if (same_cell(l->from, CELL(0, 0)) && same_cell(l->to, CELL(1, 0))) seen |= l->cost == 4 ? 4 : 8;
    }
    cr_expect_eq(seen, 7);
}

Test(extra_tiled, reads_routes_by_their_corners) {
    OWNED(drop_tiled)
    tiled_result r = read_tiled(HEAD TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(
        "{'id':1,'type':'route','name':'patrol','x':8,'y':8,'polyline':[{'x':0,'y':0},{'x':3,'y':3},{'x':32,'y':0},"
        "{'x':32,'y':16},{'x':0,'y':0}]},{'id':2,'type':'route','name':'\\u00fc','x':0,'y':0,'polyline':[{'x':1,'y':1}]"
        "}") "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_eq(r.beside->route_count, 2);
    const wend_tiled_route *route = r.beside->routes;
    static const wend_cell corners[] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 0, 0}};
    cr_expect_str_eq(route->name, "patrol");
    cr_assert_eq(route->cell_count, 4);
    for (int i = 0; i < 4; i++) cr_expect(same_cell(route->cells[i], corners[i]), "%d", i);
    cr_expect_str_eq(route[1].name, "\xC3\xBC");
    cr_expect_eq(route[1].cell_count, 1);
}

Test(extra_tiled, reads_polygons_as_routes_that_end_where_they_begin_and_lists_named_objects) {
    OWNED(drop_tiled)
    tiled_result r = read_tiled(HEAD TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(
        "{'id':1,'type':'route','name':'beat','x':8,'y':8,'polygon':[{'x':0,'y':0},{'x':32,'y':0},{'x':32,'y':16}]},"
        "{'id':2,'type':'spawn','name':'gate','x':40,'y':20,'point':true},{'id':3,'name':'sign','x':0,'y':0},"
        "{'id':4,'type':'spawn','x':0,'y':0},{'id':5,'type':'door','name':'off','x':900,'y':0}") "]}");
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_eq(r.beside->route_count, 1);
    const wend_tiled_route *route = r.beside->routes;
    cr_assert_eq(route->cell_count, 4);
    cr_expect(same_cell(route->cells[0], CELL(0, 0)) && same_cell(route->cells[3], CELL(0, 0)));
    cr_assert_eq(r.beside->object_count, 2);
    const wend_tiled_object *objects = r.beside->objects;
    cr_expect_str_eq(objects[0].name, "gate");
    cr_expect_str_eq(objects[0].type, "spawn");
    cr_expect(same_cell(objects[0].cell, CELL(2, 1)));
    cr_expect_str_eq(objects[1].name, "sign");
    cr_expect_str_eq(objects[1].type, "");
}

Test(extra_tiled, takes_rules_and_limits_from_the_definition) {
    char text[] = HEAD TILES "'layers':[" LAYER("a", OPEN) "]}";
    straight_quotes(text);
    wend_map_def def = default_map();
    wend_map_rules def_rules = default_rules();
    def.rules = &def_rules;
    def_rules.neighbours = 4;
    wend_map *map = NULL;
    cr_assert_eq(wend_tiled_parse(text, strlen(text), NULL, NULL, &def, &map, NULL, NULL), WEND_OK);
    wend_map_rules info_rules = rules_now(map);
    cr_expect_eq(info_rules.neighbours, 4);
    wend_map_release(map);
    def.max_bytes = 100;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_tiled_parse(text, strlen(text), NULL, NULL, &def, &map, NULL, &error), WEND_OUT_OF_MEMORY);
    cr_expect_str_eq(error.text, "max_bytes, 100, has no room for a map");
    def.kind = WEND_KIND_VOXEL;
    cr_expect_eq(wend_tiled_parse(text, strlen(text), NULL, NULL, &def, &map, NULL, NULL), WEND_BAD_ARGUMENT);
    wend_tiled_free(NULL);
}

Test(extra_tiled, reads_the_tutorials_tiles) {
    OWNED(drop_tiled) tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    r.code = wend_tiled_load(TEST_DATA "/tutorial.tmj", NULL, NULL, &r.map, &r.beside, &r.error);
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    const char *classes = classes_of(r.map);
    cr_expect_eq(strlen(classes), 15 * 21 - 1);
    cr_expect_eq(classes[3 * 21 + 5], '3', "a bush");
    cr_expect_eq(classes[3 * 21 + 13], '5', "stones");
    cr_expect_eq(classes[0], '0', "a tree");
    cr_expect_eq(classes[21 + 1], '1', "grass");
    cr_expect(same_cell(r.beside->markers->start, CELL(2, 2)) && same_cell(r.beside->markers->goal, CELL(17, 11)));
    cr_expect_eq(r.beside->route_count, 1);
}
