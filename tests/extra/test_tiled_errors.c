/* SPDX-License-Identifier: MIT */
/* Tiled maps that are not good: each mistake has a text that names where it is; no bytes at all do harm. */
#define _XOPEN_SOURCE 700
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extra/tiled_help.h"
#include "models/few_or_many.h"

#include <wend/query.h>

#ifdef WEND_HAVE_ZSTD
#define PACKED_TOO ", zstd"
#else
#define PACKED_TOO ""
#endif

/// A good layer behind good tiles, so that a test's change is the only mistake.
#define REST TILES "'layers':[" LAYER("a", OPEN) "]}"
#define WITH_LAYERS(layers) HEAD TILES "'layers':[" layers "]}"
#define WITH_TILES(tiles)                                                                                              \
    HEAD "'tilesets':[{'firstgid':1,'name':'set','tilecount':4,'tiles':[" tiles "]}],'layers':[" LAYER("a", OPEN) "]}"
#define WITH_OBJECT(object) HEAD TILES "'layers':[" LAYER("a", OPEN) "," OBJECTS(object) "]}"

typedef struct mistake {
    const char *json, *text;
} mistake;

static void check_all(const mistake *list, size_t count, int32_t code) {
    for (size_t i = 0; i < count; i++) expect_error(read_tiled("%s", list[i].json), code, list[i].text);
}
#define CHECK_ALL(list, code) check_all(list, sizeof list / sizeof *list, code)

Test(extra_tiled_errors, say_line_and_column_of_broken_json) {
    tiled_result r = read_tiled("{'type':'map',\n  'width':3,, }");
    cr_expect_eq(r.code, WEND_BAD_FORMAT);
    cr_expect(r.error.line == 2 && r.error.column == 13, "%d:%d", r.error.line, r.error.column);
    cr_expect_str_eq(r.error.text, "no JSON: string or '}' expected near ','");
    r = read_tiled("%s", "");
    cr_expect(r.code == WEND_BAD_FORMAT && r.error.line == 1 && r.error.column >= 1);
    r = read_tiled("{'a':1,'a':2}");
    cr_expect(r.code == WEND_BAD_FORMAT && r.error.line == 1);
    expect_error(read_tiled("[]"), WEND_BAD_FORMAT, "expected a JSON object, found an array");
}

Test(extra_tiled_errors, name_what_is_wrong_with_the_map) {
    static const mistake list[] = {
        {"{}", "no Tiled map: its 'type' is (no name), not 'map'"},
        {"{'type':'tileset'}", "no Tiled map: its 'type' is 'tileset', not 'map'"},
        {"{'type':'map'}", "the map: expected 'orientation', a string"},
        {"{'type':'map','orientation':'orthogonal','infinite':1}", "the map: 'infinite' must be true or false"},
        {"{'type':'map','orientation':'orthogonal'}",
         "the map: expected 'width', a whole number from 1 to 65536, found nothing"},
        {"{'type':'map','orientation':'orthogonal','width':0}",
         "the map: expected 'width', a whole number from 1 to 65536, found 0"},
        {"{'type':'map','orientation':'orthogonal','width':65536,'height':65537}",
         "the map: expected 'height', a whole number from 1 to 65536, found 65537"},
        {"{'type':'map','orientation':'orthogonal','width':3,'height':2,'tilewidth':1.5}",
         "the map: expected 'tilewidth', a whole number from 1 to 65536, found a number with a point"},
        {"{'type':'map','orientation':'orthogonal','width':3,'height':2,'tilewidth':1,'tileheight':'x'}",
         "the map: expected 'tileheight', a whole number from 1 to 65536, found a string"},
        {HEAD "'layers':[]}", "expected 'tilesets', a list"},
        {HEAD "'tilesets':[]}", "expected 'layers', a list"},
        {ENDLESS "'tilesets':[],'layers':[{'name':'a','type':'tilelayer','chunks':[]}]}",
         "the map is infinite, and has no tiles"},
    };
    CHECK_ALL(list, WEND_BAD_FORMAT);
    static const mistake unknown[] = {
        {"{'type':'map','orientation':'oblique'}", "the map's orientation is 'oblique': only 'orthogonal', "
                                                   "'isometric', 'hexagonal' and 'staggered' are read"},
    };
    CHECK_ALL(unknown, WEND_UNSUPPORTED);
}

Test(extra_tiled_errors, name_the_layer) {
    static const mistake list[] = {
        {WITH_LAYERS("{'name':'a'}"), "layer 1: expected 'type', a string"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer'}"),
         "layer 'a': expected 'width', a whole number from 1 to 65536, found nothing"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':3}"),
         "layer 'a' is 3 x 3, but the map is 3 x 2"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':2}"),
         "layer 'a': expected 'data', a list of numbers"},
        {WITH_LAYERS(LAYER("a\\u00e4\\n", "'1,1,1,1,1,1'")),
         "layer 'a\\xc3\\xa4\\x0a': expected 'data', a list of numbers"},
        {WITH_LAYERS(LAYER("a", "[1,1,1,1,1]")), "layer 'a': expected 6 tiles (3 x 2), found 5"},
        {WITH_LAYERS(LAYER("", "[1,1,1,1,1,1,1]")), "layer (no name): expected 6 tiles (3 x 2), found 7"},
        {WITH_LAYERS(LAYER("a", "[1,1,1,1,1,1.0]")),
         "layer 'a': tile 5 of its data is not a whole number from 0 to 4294967295"},
        {WITH_LAYERS(LAYER("a", "[1,1,4294967296,1,1,1]")),
         "layer 'a': tile 2 of its data is not a whole number from 0 to 4294967295"},
        {WITH_LAYERS(LAYER("a", "[1,-1,1,1,1,1]")),
         "layer 'a': tile 1 of its data is not a whole number from 0 to 4294967295"},
        {WITH_LAYERS(LAYER("a", "[1,1,1,1,5,1]")), "layer 'a': tile 5 at 1,1 belongs to no tileset"},
        {WITH_LAYERS(LAYER("a", "[2147483648,1,1,1,1,1]")), "layer 'a': tile 0 at 0,0 belongs to no tileset"},
        {HEAD "'tilesets':[],'layers':[" LAYER("a", "[0,0,1,0,0,0]") "]}",
         "layer 'a': tile 1 at 2,0 belongs to no tileset"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':2,'encoding':'base64','data':[]}"),
         "layer 'a': expected 'data', a string of base64"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':2,'encoding':'base64','data':'AQAA'}"),
         "layer 'a': its data is too short for 6 tiles (3 x 2)"},
        {ENDLESS TILES "'layers':[" LAYER("a", OPEN) "]}",
         "layer 'a': expected 'chunks', a list, as the map is infinite"},
        {ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[{'x':0}]}]}",
         "layer 'a', chunk 1: expected 'y', a whole number from -268435456 to 268435456, found nothing"},
        {ENDLESS TILES "'layers':[{'name':'a','type':'tilelayer','chunks':[{'x':-5,'y':0,'width':2,'height':1,"
                       "'data':[1,9]}]}]}",
         "layer 'a', chunk 1: tile 9 at -4,0 belongs to no tileset"},
        {WITH_LAYERS(LAYER("a", OPEN) ",{'name':'o','type':'objectgroup'}"), "layer 'o': expected 'objects', a list"},
        {WITH_LAYERS(LAYER("a", OPEN) "," OBJECTS("3")), "layer 'things': object 1 is no JSON object"},
    };
    CHECK_ALL(list, WEND_BAD_FORMAT);
    static const mistake unknown[] = {
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':2,'encoding':'base85'}"),
         "layer 'a': encoding 'base85' is not known: choose CSV or Base64 in Tiled"},
        {WITH_LAYERS("{'name':'a','type':'tilelayer','width':3,'height':2,'encoding':'base64','compression':'lz4'}"),
         "layer 'a': compression 'lz4' is not known: choose zlib, gzip" PACKED_TOO " or none in Tiled "
         "(Map Properties, Tile Layer Format)"},
    };
    CHECK_ALL(unknown, WEND_UNSUPPORTED);
}

Test(extra_tiled_errors, refuse_sizes_that_so_few_bytes_cannot_have) {
    static const char huge[] =
        "{'type':'map','orientation':'orthogonal','tilewidth':1,'tileheight':1,'width':65536,'height':65536," TILES
        "'layers':[{'name':'a','type':'tilelayer','width':65536,'height':65536,%s}]}";
    char json[1024];
    snprintf(json, sizeof json, huge, "'data':[]");
    expect_error(read_tiled("%s", json), WEND_BAD_FORMAT,
                 "layer 'a': expected 4294967296 tiles (65536 x 65536), found 0");
    snprintf(json, sizeof json, huge, "'encoding':'base64','compression':'zlib','data':'eJxjZGBgYAJiZiBmAWIAABQABw=='");
    expect_error(read_tiled("%s", json), WEND_BAD_FORMAT,
                 "layer 'a': its data is too short for 4294967296 tiles (65536 x 65536)");
}

Test(extra_tiled_errors, name_the_tileset_and_the_tile) {
    static const mistake list[] = {
        {HEAD "'tilesets':[{'name':'set'}]}",
         "tileset 'set': expected 'firstgid', a whole number from 1 to 268435455, found nothing"},
        {HEAD "'tilesets':[{'firstgid':0}]}",
         "tileset 1: expected 'firstgid', a whole number from 1 to 268435455, found 0"},
        {HEAD "'tilesets':[{'firstgid':1,'tilecount':-1}]}",
         "tileset 1: expected 'tilecount', a whole number from 0 to 268435456, found -1"},
        {HEAD "'tilesets':[{'firstgid':1,'name':'set','tilecount':1,'tiles':3}]}", "tileset 'set': 'tiles' is no list"},
        {WITH_TILES("{}"), "tileset 'set': expected 'id', a whole number from 0 to 268435455, found nothing"},
        {WITH_TILES(TILE(1, BLOCKED) "," TILE(1, BLOCKED)), "tileset 'set': tile 1 is there twice"},
        {WITH_TILES("{'id':2,'properties':3}"), "tileset 'set', tile 2: 'properties' is no list"},
        {WITH_TILES("{'id':2,'properties':[{'value':3}]}"), "tileset 'set', tile 2: a property has no name"},
        {WITH_TILES("{'id':2,'properties':[{'name':'cost'}]}"), "tileset 'set', tile 2: property 'cost' has no value"},
        {WITH_TILES(TILE(2, COST(3) "," COST(4))), "tileset 'set', tile 2: property 'cost' is there twice"},
        {WITH_TILES(TILE(2, COST(0))),
         "tileset 'set', tile 2: property 'cost' must be a whole number from 1 to 255 (type int)"},
        {WITH_TILES(TILE(2, COST(256))),
         "tileset 'set', tile 2: property 'cost' must be a whole number from 1 to 255 (type int)"},
        {WITH_TILES(TILE(2, COST(2.5))),
         "tileset 'set', tile 2: property 'cost' must be a whole number from 1 to 255 (type int)"},
        {WITH_TILES(TILE(2, COST('3a'))),
         "tileset 'set', tile 2: property 'cost' must be a whole number from 1 to 255 (type int)"},
        {WITH_TILES("{'id':0,'properties':[{'name':'blocked','value':2}]}"),
         "tileset 'set', tile 0: property 'blocked' must be true or false (type bool)"},
    };
    CHECK_ALL(list, WEND_BAD_FORMAT);
}

Test(extra_tiled_errors, name_the_object) {
    static const mistake list[] = {
        {WITH_OBJECT("{'id':1,'type':'start','x':48,'y':0}"), "object 1 in layer 'things' is not on the map: cell 3,0"},
        {WITH_OBJECT("{'id':1,'name':'home','type':'start','x':0,'y':-0.1}"),
         "object 1 'home' in layer 'things' is not on the map: cell 0,-1"},
        {WITH_OBJECT("{'id':1,'type':'start','x':'0','y':0}"),
         "object 1 in layer 'things': 'x' and 'y' must be numbers of up to 2^30 pixels"},
        {WITH_OBJECT("{'id':1,'type':'start','x':1e300,'y':0}"),
         "object 1 in layer 'things': 'x' and 'y' must be numbers of up to 2^30 pixels"},
        {WITH_OBJECT("{'id':1,'type':'start','x':0,'y':0,'width':true}"),
         "object 1 in layer 'things': its size and rotation must be numbers"},
        {WITH_OBJECT("{'id':1,'type':'goal','x':0,'y':0},{'id':2,'type':'goal','x':0,'y':0}"),
         "object 2 in layer 'things': there is one of its class already"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':2}]},{'id':2,'x':19,'y':9},"
                     "{'id':2,'x':40,'y':9}"),
         "object 1 in layer 'things': its link leads to object 2, which is there twice"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0}"),
         "object 1 in layer 'things': a link needs the property 'to' (type object)"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':0}]}"),
         "object 1 in layer 'things': a link needs the property 'to' (type object)"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':5}]}"),
         "object 1 in layer 'things': its link leads to object 5, which is not there"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':2}]},{'id':2,'x':9,'y':9}"),
         "object 1 in layer 'things': its link leads to its own cell 0,0"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':2}]},{'id':2,'x':9,'y':99}"),
         "object 2 in layer 'things' is not on the map: cell 0,6"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':2},{'name':'cost',"
                     "'value':1000001}]},{'id':2,'x':19,'y':9}"),
         "object 1 in layer 'things': property 'cost' must be a whole number from 1 to 1000000"},
        {WITH_OBJECT("{'id':1,'type':'link','x':0,'y':0,'properties':[{'name':'to','value':2},{'name':'both',"
                     "'value':2}]},{'id':2,'x':19,'y':9}"),
         "object 1 in layer 'things': property 'both' must be true or false (type bool)"},
        {WITH_OBJECT("{'id':1,'type':'route','name':'r','x':0,'y':0}"),
         "object 1 'r' in layer 'things': a route must be a polyline or a polygon"},
        {WITH_OBJECT("{'id':1,'type':'route','x':0,'y':0,'polyline':[{'x':0,'y':0}]}"),
         "object 1 in layer 'things': a route needs a name"},
        {WITH_OBJECT("{'id':1,'type':'route','name':'r','x':0,'y':0,'polyline':[{'x':0,'y':0},{'x':0,'y':32}]}"),
         "object 1 'r' in layer 'things' is not on the map: cell 0,2"},
        {WITH_OBJECT("{'id':1,'type':'route','name':'r','x':0,'y':0,'polyline':[{'x':0,'y':0},{'x':'a','y':32}]}"),
         "object 1 'r' in layer 'things': corner 2 has no place"},
        {WITH_OBJECT("{'id':1,'type':'route','name':'r','x':0,'y':0,'polyline':[{'x':0,'y':0}]},"
                     "{'id':2,'type':'route','name':'r','x':0,'y':0,'polyline':[{'x':0,'y':0}]}"),
         "object 2 'r' in layer 'things': there is a route of this name already"},
    };
    CHECK_ALL(list, WEND_BAD_FORMAT);
}

Test(extra_tiled_errors, bound_the_depth_of_groups) {
    for (int depth = 63; depth <= 64; depth++) {
        char json[8192] = HEAD TILES "'layers':[";
        for (int i = 0; i < depth; i++) strcat(json, "{'type':'group','layers':[");
        strcat(json, LAYER("a", OPEN));
        for (int i = 0; i < depth; i++) strcat(json, "]}");
        strcat(json, "]}");
        tiled_result r = read_tiled("%s", json);
        if (depth == 64) {
            expect_error(r, WEND_UNSUPPORTED, "groups of layers are nested more than 64 deep");
        } else {
            cr_expect_eq(r.code, WEND_OK, "%s", r.error.text);
            drop_tiled(&r);
        }
    }
}

Test(extra_tiled_errors, fail_clearly_where_there_is_no_file) {
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    cr_expect_eq(wend_tiled_load("no-such.tmj", NULL, NULL, &map, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be opened: No such file or directory");
    cr_expect_eq(wend_tiled_load(".", NULL, NULL, &map, NULL, &error), WEND_IO);
    cr_expect_str_eq(error.text, "cannot be read: Is a directory");
    cr_expect_eq(wend_tiled_load(NULL, NULL, NULL, &map, NULL, &error), WEND_BAD_ARGUMENT);
    cr_expect_eq(wend_tiled_parse("{}", 2, NULL, NULL, NULL, NULL, NULL, &error), WEND_BAD_ARGUMENT);
    cr_expect_null(map);
}

/* ---- files that a map names ---- */

/* A folder with tilesets in it and outside. */
static char folder[64];

static void name_in_folder(char path[96], const char *name) {
    snprintf(path, 96, "%s/%s", folder, name);
}

static void begin_folder(void) {
    char path[96], other[96];
    strcpy(folder, "/tmp/tiled-XXXXXX");
    cr_assert(mkdtemp(folder));
    name_in_folder(path, "maps");
    cr_assert_eq(mkdir(path, 0700), 0);
    name_in_folder(path, "maps/sets");
    cr_assert_eq(mkdir(path, 0700), 0);
    const char *const names[] = {"x.tsx", "maps/sets/x.tsx"};
    for (int i = 0; i < 2; i++) {
        name_in_folder(path, names[i]);
        FILE *file = fopen(path, "w");
        cr_assert(file);
        fputs("<tileset name='x' tilecount='1'><tile id='0'><properties><property name='blocked' type='bool' "
              "value='true'/></properties></tile></tileset>",
              file);
        fclose(file);
    }
    name_in_folder(path, "maps/pipe");
    cr_assert_eq(mkfifo(path, 0600), 0);
    name_in_folder(path, "maps/out.tsx");
    cr_assert_eq(symlink("../x.tsx", path), 0);
    name_in_folder(path, "maps/in.tsx");
    cr_assert_eq(symlink("sets/x.tsx", path), 0);
    name_in_folder(path, "maps/zero");
    cr_assert_eq(symlink("/dev/zero", path), 0);
    name_in_folder(path, "maps-too"); /* a name that begins like that of the map's folder */
    cr_assert_eq(mkdir(path, 0700), 0);
    name_in_folder(path, "x.tsx");
    name_in_folder(other, "maps-too/x.tsx");
    cr_assert_eq(link(path, other), 0);
}

static void end_folder(void) {
    static const char *const names[] = {"maps/pipe", "maps/out.tsx", "maps/in.tsx", "maps/zero",      "maps/sets/x.tsx",
                                        "maps/sets", "maps",         "x.tsx",       "maps-too/x.tsx", "maps-too",
                                        ""};
    char path[96];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        name_in_folder(path, names[i]);
        remove(path);
    }
}

/* Reads a map in maps/ with the tileset or template of a name. */
static tiled_result read_naming(const char *format, const char *source, bool anywhere) {
    char maps[96], text[1024];
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.anywhere = anywhere;
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    name_in_folder(maps, "maps");
    const int length = snprintf(text, sizeof text, format, source);
    cr_assert(length > 0 && (size_t)length < sizeof text);
    straight_quotes(text);
    r.code = wend_tiled_parse(text, (size_t)length, maps, &how, NULL, &r.map, &r.beside, &r.error);
    return r;
}

static const char with_set[] = HEAD "'tilesets':[{'firstgid':1,'source':'%s'}],'layers':[" LAYER("a", OPEN) "]}";
static const char with_template[] = HEAD "'tilesets':[],'layers':[" OBJECTS("{'id':1,'template':'%s'}") "]}";

static void expect_blocked(const char *source, bool anywhere) {
    OWNED(drop_tiled) tiled_result r = read_naming(with_set, source, anywhere);
    uint64_t counts[256];
    cr_assert_eq(r.code, WEND_OK, "%s: %s", source, r.error.text);
    wend_map_get_class_counts(r.map, counts);
    cr_expect_eq(counts[WEND_CLASS_BLOCKED], 6, "%s was not read", source);
}

static void expect_refused(const char *source, bool anywhere, const char *why) {
    char text[256];
    snprintf(text, sizeof text, "tileset '%s' %s", source, why);
    expect_error(read_naming(with_set, source, anywhere), WEND_IO, text);
    snprintf(text, sizeof text, "template '%s' %s", source, why);
    expect_error(read_naming(with_template, source, anywhere), WEND_IO, text);
}

Test(extra_tiled_errors, read_plain_files_below_the_folder_only, .init = begin_folder, .fini = end_folder,
     .timeout = 60) {
    static const char outside[] = "is not below the map's folder (--anywhere reads it)", odd[] = "is no plain file";
    char absolute[96], own[96];
    name_in_folder(absolute, "x.tsx");
    name_in_folder(own, "maps/sets/x.tsx");
    const char *const inside[] = {"sets/x.tsx", "in.tsx", "../maps/sets/x.tsx", ".\\\\sets\\\\x.tsx", own};
    for (int i = 0; i < 5; i++) expect_blocked(inside[i], false);
    const char *const apart[] = {"../x.tsx", "out.tsx", "sets/../../x.tsx", "../maps-too/x.tsx", absolute};
    for (int i = 0; i < 5; i++) {
        expect_refused(apart[i], false, outside);
        expect_blocked(apart[i], true);
    }
    /* Checks that each returns without waiting for a writer, or reading without an end. */
    expect_refused("pipe", false, odd);
    expect_refused("pipe", true, odd);
    expect_refused("sets", false, odd);
    expect_refused("/dev/zero", false, outside);
    expect_refused("zero", false, outside);
    expect_refused("/dev/zero", true, odd);
    expect_refused("zero", true, odd);
}

static void read_bytes(const char *text, size_t size) {
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    char *exact = malloc(size ? size : 1); /* exact size, so that a sanitizer sees a read behind it */
    memcpy(exact, text, size);
    r.code = wend_tiled_parse(exact, size, NULL, NULL, NULL, &r.map, &r.beside, &r.error);
    if (r.code) {
        cr_assert(!r.map && !r.beside && memchr(r.error.text, 0, sizeof r.error.text) && r.error.text[0]);
        for (const char *at = r.error.text; *at; at++) cr_assert(*at >= 0x20 && *at < 0x7F);
    }
    drop_tiled(&r);
    free(exact);
}

Test(extra_tiled_errors, survive_every_truncation_and_many_changes) {
    char text[] = HEAD TILES "'layers':[" LAYER(
        "a",
        OPEN) ",{'name':'b','type':'tilelayer','width':3,'height':2,"
              "'encoding':'base64','compression':'zlib','data':'eJxjZGBgYAJiZiBmAWIAABQABw=='}," OBJECTS(
                  "{'id':1,'type':'start','x':1,'y':1},{'id':2,'type':'link','x':1,'y':1,'properties':[{'name':'to','"
                  "value':3}]},"
                  "{'id':3,'type':'route','name':'r','x':20,'y':0,'polyline':[{'x':0,'y':0},{'x':0,'y':18}]}") "]}";
    straight_quotes(text);
    size_t size = strlen(text);
    for (size_t cut = 0; cut < size; cut++) read_bytes(text, cut);
    uint64_t seed = 1;
    static const char better[] = "0123456789{}[],:\"-.et\xff\x80";
    for (int round = 0; round < few_or_many(5000, 20000); round++) {
        char changed[sizeof text];
        memcpy(changed, text, sizeof text);
        for (int i = 0; i <= round % 3; i++) {
            const uint32_t place = draw(&seed, (uint32_t)size);
            changed[place] = better[draw(&seed, sizeof better - 1)];
        }
        read_bytes(changed, size);
    }
}
