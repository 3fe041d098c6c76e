/* SPDX-License-Identifier: MIT */
/* Files are read while the C library's allocator fails, once or for good, at each of its calls in turn: a map is read
 * whole, or the error is lack of memory or a file that cannot be opened. A plain program, as it defines malloc(). */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "models/defaults.h"
#include "models/sparse_file.h"
#include "models/starving.h"

#include <wend/extra.h>
#include <wend/query.h>
#include <wend/wend.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#if !STARVING
int main(void) {
    return 77;
}
#else

static bool for_good;

static bool is_whole(const wend_map *map, bool graph) {
    wend_map_info info = info_now(map);
    uint64_t counts[256];
    wend_map_get_class_counts(map, counts);
    return graph ? info.has_coordinates : counts[WEND_CLASS_BLOCKED] > 0;
}

static bool is_good(wend_error error, const char *text) {
    if (error == WEND_OK || error == WEND_OUT_OF_MEMORY) return true;
    return error == WEND_IO && !strstr(text, "Success");
}

/* Returns how many calls gave a wrong answer. */
static int starve(const char *path, bool tiled, size_t *refused) {
    int bad = 0;
    size_t calls = 1;
    for (size_t at = 1; calls + 1 >= at; at++) { /* until a run makes fewer calls */
        wend_file_error error = {.struct_bytes = sizeof error};
        wend_map *map = NULL;
        const size_t live = starving_live;
        starving_begin(at, for_good);
        wend_tiled *beside = NULL;
        const wend_tiled_def how = {.struct_bytes = sizeof how, .scene = 1};
        const wend_error code = tiled ? wend_tiled_load(path, &how, NULL, &map, &beside, &error)
                                      : wend_map_load(path, NULL, &map, NULL, &error);
        calls = starving_end();
        *refused += code != WEND_OK;
        if (!is_good(code, error.text) || (!code && !is_whole(map, !tiled))) {
            printf("%s, allocation %zu%s: %d, %s\n", path, at, for_good ? " and all after it" : "", (int)code,
                   code ? error.text : "without its coordinates or walls");
            bad++;
        }
        wend_tiled_free(beside);
        wend_map_release(map);
        if (starving_live != live)
            printf("%s, allocation %zu: %td blocks are left\n", path, at, (ptrdiff_t)(starving_live - live)), bad++;
    }
    return bad;
}

typedef struct written {
    char bytes[1 << 16];
    size_t size;
} written;

static wend_error take(void *context, const void *bytes, size_t size) {
    written *out = context;
    if (size > sizeof out->bytes - out->size) return WEND_IO;
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return WEND_OK;
}

/* Returns how many writes of a map with markers and routes gave a wrong answer: it is written whole, or not at all. */
static int starve_writing(size_t *refused) {
    static written whole, starved;
    int bad = 0;
    size_t calls = 1;
    wend_map *map;
    wend_tiled *beside;
    if (wend_tiled_load(TEST_DATA "/tutorial.tmj", NULL, NULL, &map, &beside, NULL)) exit(99);
    whole.size = 0;
    if (wend_tiled_write(map, beside, take, &whole, NULL)) exit(99);
    for (size_t at = 1; calls + 1 >= at; at++) {
        const size_t live = starving_live;
        starved.size = 0;
        starving_begin(at, for_good);
        const wend_error code = wend_tiled_write(map, beside, take, &starved, NULL);
        calls = starving_end();
        *refused += code != WEND_OK;
        const bool right = code ? code == WEND_OUT_OF_MEMORY && starved.size == 0
                                : starved.size == whole.size && memcmp(starved.bytes, whole.bytes, whole.size) == 0;
        if (!right) printf("writing, allocation %zu: %d after %zu bytes\n", at, (int)code, starved.size), bad++;
        if (starving_live != live) printf("writing, allocation %zu: blocks are left\n", at), bad++;
    }
    wend_tiled_free(beside);
    wend_map_release(map);
    return bad;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(99);
}

/* Maps for code of its own: XML, a tileset and a template in files, old properties, shapes. */
static void write_maps(void) {
    write_file(
        "starved.tmx",
        "<map orientation='orthogonal' width='2' height='2' tilewidth='16' tileheight='16'><tileset firstgid='1' "
        "source='starved.tsx'/><layer name='walls' width='2' height='2'><data encoding='csv'>1,0,0,2</data></layer>"
        "<objectgroup name='solid'><object id='1' x='0' y='0' width='16' height='16'/><object id='2' template="
        "'starved.tj' x='3' y='3'><properties><property name='p' value='v'/></properties></object><object id='3' "
        "gid='1' x='0' y='16'/></objectgroup><imagelayer name='i'><image source='i.png'/></imagelayer></map>");
    write_file("starved.tsx",
               "<tileset name='s' tilecount='2'><image source='s.png' trans='ff00ff'/><tile "
               "id='0'><properties><property name='collides' "
               "type='bool' value='true'/></properties></tile><tile id='1'><image source='t.png'/></tile>"
               "</tileset>");
    write_file("starved.tj", "{\"type\":\"template\",\"object\":{\"name\":\"n\",\"polygon\":[{\"x\":0,\"y\":0},{\"x\":"
                             "9,\"y\":0},{\"x\":9,\"y\":9}],\"properties\":{\"q\":1}}}");
    write_file("starved.tmj",
               "{\"orientation\":\"orthogonal\",\"width\":1,\"height\":1,\"tilewidth\":1,\"tileheight\":1,"
               "\"tilesets\":[{\"firstgid\":1,\"tiles\":{\"1\":{}},\"tileproperties\":{\"0\":{\"wall\":true}}"
               "}],\"layers\":[{\"type\":\"tilelayer\",\"name\":\"a\",\"width\":1,\"height\":1,\"data\":[1]}]}");
}

static void remove_maps(void) {
    static const char *const names[] = {"starved.tmx", "starved.tsx", "starved.tj", "starved.tmj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) remove(names[i]);
}

/* A file of WEND_MAX_TILED_BYTES is read, for which there is no memory here; a larger one is refused, and the error
   names the limit. Returns how many calls gave a wrong answer. */
static int try_limit(const char *path, const char *large) {
    int bad = 0;
    char limit[80];
    if (!sparse_file_can(large, (int64_t)WEND_MAX_TILED_BYTES + 1)) {
        puts("no sparse files of 1 GiB: their limit was not tried");
        return 0;
    }
    snprintf(limit, sizeof limit, "larger than %llu bytes, the most that is read",
             (unsigned long long)WEND_MAX_TILED_BYTES);
    for (uint64_t bytes = WEND_MAX_TILED_BYTES - 1; bytes <= WEND_MAX_TILED_BYTES + 1; bytes++) {
        wend_file_error error = {.struct_bytes = sizeof error};
        OWNED_MAP *map = NULL;
        if (!sparse_file_put(large, "{", (int64_t)bytes)) exit(99);
        starving_above = 1 << 20;
        const wend_error code = wend_tiled_load(path, NULL, NULL, &map, NULL, &error);
        starving_above = 0;
        const bool past = bytes > WEND_MAX_TILED_BYTES, named = strstr(error.text, limit) != NULL;
        if (code != (past ? WEND_UNSUPPORTED : WEND_OUT_OF_MEMORY) || named != past)
            printf("%s of %llu bytes: %d, %s\n", large, (unsigned long long)bytes, (int)code, error.text), bad++;
    }
    return bad;
}

/* jansson 2.14 ends the program where its buffer cannot grow: it always gets memory. */
static void *feed(size_t bytes) {
    return starving_count(__libc_malloc(bytes));
}

int main(void) {
    int bad = 0;
    size_t refused = 0;
    json_set_alloc_funcs(feed, free);
    write_maps();
    for (int i = 0; i < 2; i++) {
        for_good = i;
        bad += starve("starved.tmx", true, &refused);
        bad += starve("starved.tmj", true, &refused);

        bad += starve(TEST_DATA "/roads.gr", false, &refused);
        bad += starve(TEST_DATA "/tutorial.tmj", true, &refused);
        bad += starve_writing(&refused);
    }
    bad += try_limit("starved.tmx", "starved.tsx");
    bad += try_limit("starved.tmj", "starved.tmj");
    remove_maps();
    printf("%zu refusals, %d wrong answers\n", refused, bad);
    return bad > 0 || refused < 20;
}
#endif
