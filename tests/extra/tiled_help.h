/* SPDX-License-Identifier: MIT */
/* For the tests of Tiled maps: JSON with single quotes, maps made of pieces, and results of reading them. */
#ifndef TESTS_TILED_HELP_H
#define TESTS_TILED_HELP_H

#include <stdarg.h>
#include <stdio.h>

#include "extra/extra_help.h"

#define CELL(a, b) ((wend_cell){(a), (b), 0})
#define HEAD "{'type':'map','orientation':'orthogonal','tilewidth':16,'tileheight':16,'width':3,'height':2,"
#define ENDLESS "{'type':'map','orientation':'orthogonal','tilewidth':16,'tileheight':16,'infinite':true,"
#define TILE(id, properties) "{'id':" #id ",'properties':[" properties "]}"
#define BLOCKED "{'name':'blocked','type':'bool','value':true}"
#define COST(n) "{'name':'cost','type':'int','value':" #n "}"
/// Tiles 1 open, 2 blocked, 3 of cost 3, 4 of cost 7 but blocked.
#define TILES                                                                                                          \
    "'tilesets':[{'firstgid':1,'name':'set','tilecount':4,'tiles':[" TILE(1, BLOCKED) "," TILE(2, COST(3)) "," TILE(   \
        3, COST(7) "," BLOCKED) "]}],"
#define LAYER(name, data) "{'name':'" name "','type':'tilelayer','width':3,'height':2,'data':" data "}"
#define OPEN "[1,1,1,1,1,1]"
#define OBJECTS(list) "{'name':'things','type':'objectgroup','objects':[" list "]}"

typedef struct tiled_result {
    int32_t code;
    wend_map *map;
    wend_tiled *beside;
    wend_file_error error;
} tiled_result;

static inline void straight_quotes(char *text) {
    for (; *text; text++)
        if (*text == '\'') *text = '"';
}

static inline tiled_result parse_tiled(const wend_tiled_def *how, const char *format, va_list list) {
    static char text[1 << 16];
    tiled_result r = {.error = {.struct_bytes = sizeof r.error}};
    int length = vsnprintf(text, sizeof text, format, list);
    cr_assert(length >= 0 && (size_t)length < sizeof text);
    straight_quotes(text);
    r.code = wend_tiled_parse(text, (size_t)length, ".", how, NULL, &r.map, &r.beside, &r.error);
    return r;
}

static inline tiled_result read_tiled(const char *format, ...) {
    va_list list;
    va_start(list, format);
    const tiled_result r = parse_tiled(NULL, format, list);
    va_end(list);
    return r;
}

static inline tiled_result read_tiled_with(const wend_tiled_def *how, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const tiled_result r = parse_tiled(how, format, list);
    va_end(list);
    return r;
}

/// Write a file, with straight quotes.
static inline void put_file(const char *name, const char *quoted) {
    char text[4096];
    snprintf(text, sizeof text, "%s", quoted);
    straight_quotes(text);
    FILE *file = fopen(name, "wb");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static inline void drop_tiled(tiled_result *r) {
    wend_tiled_free(r->beside);
    wend_map_release(r->map);
}

/// The classes of all cells as digits, rows parted by '/'.
static inline const char *classes_of(const wend_map *map) {
    static char text[4096];
    wend_map_info info = info_now(map);
    char *at = text;
    for (int32_t y = 0; y < info.height; y++) {
        if (y) *at++ = '/';
        for (int32_t x = 0; x < info.width; x++) {
            uint8_t class;
            cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, 0}, &class), WEND_OK);
            at += sprintf(at, class > 9 ? "(%d)" : "%d", class);
        }
    }
    *at = 0;
    return text;
}

/// Checks that a map is read, and that its cells have these classes.
static inline tiled_result expect_classes(tiled_result r, const char *classes) {
    cr_assert_eq(r.code, WEND_OK, "%s", r.error.text);
    cr_assert_str_eq(classes_of(r.map), classes);
    return r;
}

static inline void expect_error(tiled_result r, int32_t code, const char *text) {
    cr_expect_eq(r.code, code, "%s: %d", text, r.code);
    cr_expect_str_eq(r.error.text, text);
    cr_expect(r.error.line == 0 && r.error.column == 0);
    cr_expect(!r.map && !r.beside);
}

#endif
