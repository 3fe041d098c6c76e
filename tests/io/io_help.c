/* SPDX-License-Identifier: MIT */
/* Shared by the tests of src/io. */
#include "io/io_help.h"

#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

static void *exact_copy(const void *bytes, size_t size) {
    void *copy = malloc(size ? size : 1);
    cr_assert_not_null(copy);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

wend_error parse_map(const void *bytes, size_t size, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                     wend_file_error *error) {
    void *copy = exact_copy(bytes, size);
    int32_t code = wend_map_parse(copy, size, def, out, markers, error);
    free(copy);
    return code;
}

wend_map *good_map(const char *text, wend_map_markers *markers) {
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    int32_t code = parse_map(text, strlen(text), NULL, &map, markers, &error);
    cr_assert_eq(code, WEND_OK, "%s\n%d:%d: %s", text, (int)error.line, (int)error.column, error.text);
    cr_assert_not_null(map);
    return map;
}

static void expect_error(const bad_file *file, int32_t code, const wend_file_error *error) {
    bool same = code == file->code && error->line == file->line && error->column == file->column;
    cr_assert(same && strcmp(error->text, file->text) == 0, "%s\nis %s at %d:%d: %s\nnot %s at %d:%d: %s", file->bytes,
              wend_error_name(code), (int)error->line, (int)error->column, error->text, wend_error_name(file->code),
              (int)file->line, (int)file->column, file->text);
    cr_assert_eq(error->struct_bytes, sizeof *error);
}

void expect_bad_map(const bad_file *file) {
    counting counts = {0};
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_map_markers markers = {.struct_bytes = sizeof markers, .format = 77};
    wend_file_error error = {.struct_bytes = sizeof error};
    def.allocator = counting_allocator(&counts);
    expect_error(file, parse_map(file->bytes, strlen(file->bytes), &def, &map, &markers, &error), &error);
    cr_assert_null(map);
    cr_assert_eq(markers.format, 77, "markers were touched");
    cr_assert_eq(counts.bytes, 0);
    cr_assert_eq(parse_map(file->bytes, strlen(file->bytes), NULL, &map, NULL, NULL), file->code);
}

void expect_classes(const wend_map *map, int32_t width, int32_t height, const char *classes) {
    wend_map_info info = info_now(map);
    cr_assert_eq(info.width, width);
    cr_assert_eq(info.height, height);
    cr_assert_eq(info.epoch, 0, "a map that was read is as built");
    cr_assert_eq(strlen(classes), (size_t)width * (size_t)height);
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            uint8_t terrain = 0;
            cr_assert_eq(wend_map_get_terrain(map, (wend_cell){x, y, 0}, &terrain), WEND_OK);
            char shown = terrain <= 9 ? (char)('0' + terrain) : terrain == 254 ? 's' : terrain == 255 ? 'w' : '#';
            cr_assert_eq(shown, classes[y * width + x], "cell %d,%d is %c", (int)x, (int)y, shown);
        }
    }
}

static bool same_classes(const wend_map *a, const wend_map *b, const wend_map_info *info) {
    size_t cells = (size_t)info->width * (size_t)info->height * (size_t)info->depth;
    uint8_t *first = malloc(cells), *second = malloc(cells);
    cr_assert(first && second);
    memset(first, 0, cells);
    memset(second, 0, cells);
    if (info->kind == WEND_KIND_GRAPH) {
        for (int32_t x = 0; x < info->width; x++) {
            uint8_t one = 99, two = 99; /* absent nodes are as different as any */
            wend_map_get_terrain(a, (wend_cell){x, 0, 0}, &one);
            wend_map_get_terrain(b, (wend_cell){x, 0, 0}, &two);
            first[x] = one, second[x] = two;
        }
    } else {
        wend_box box = {{0, 0, 0}, {info->width - 1, info->height - 1, info->depth - 1}};
        cr_assert_eq(wend_map_get_terrain_box(a, box, first, (size_t)info->width), WEND_OK);
        cr_assert_eq(wend_map_get_terrain_box(b, box, second, (size_t)info->width), WEND_OK);
    }
    bool same = memcmp(first, second, cells) == 0;
    free(first);
    free(second);
    return same;
}

static bool same_links(const wend_map *a, const wend_map *b, size_t count) {
    wend_link *first = calloc(count + 1, sizeof *first), *second = calloc(count + 1, sizeof *second);
    cr_assert(first && second);
    wend_map_get_links(a, first, count, &count);
    wend_map_get_links(b, second, count, &count);
    bool same = memcmp(first, second, count * sizeof *first) == 0;
    free(first);
    free(second);
    return same;
}

static bool same_node(const wend_map *a, const wend_map *b, uint32_t node) {
    wend_edge first[64], second[64];
    wend_cell one = {0, 0, 0}, two = {0, 0, 0};
    size_t count = 0, other = 0;
    if (wend_map_get_edges(a, node, first, 64, &count) != wend_map_get_edges(b, node, second, 64, &other)) return false;
    cr_assert_leq(count, 64);
    if (count != other || memcmp(first, second, count * sizeof *first) != 0) return false;
    if (wend_map_get_coordinates(a, node, &one) != wend_map_get_coordinates(b, node, &two)) return false;
    return one.x == two.x && one.y == two.y && one.z == two.z;
}

bool same_map(const wend_map *a, const wend_map *b) {
    wend_map_info one = {.struct_bytes = sizeof one}, two = {.struct_bytes = sizeof two};
    wend_map_get_info(a, &one);
    wend_map_get_info(b, &two);
    if (one.kind != two.kind || one.width != two.width || one.height != two.height || one.depth != two.depth ||
        one.links != two.links || one.edges != two.edges || one.has_coordinates != two.has_coordinates)
        return false;
    for (uint32_t node = 0; one.kind == WEND_KIND_GRAPH && node < (uint32_t)one.width; node++)
        if (!same_node(a, b, node)) return false;
    return same_classes(a, b, &one) && same_links(a, b, (size_t)one.links);
}

wend_error write_memory(void *context, const void *bytes, size_t size) {
    written *out = context;
    cr_assert_gt(size, 0, "an empty write");
    if (++out->calls == out->fail_at) return WEND_BUSY;
    cr_assert(out->fail_at == 0 || out->calls < out->fail_at, "written on after an error");
    out->bytes = realloc(out->bytes, out->size + size);
    cr_assert_not_null(out->bytes);
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return WEND_OK;
}

void expect_written(const written *out, const char *text) {
    bool same = out->size == strlen(text) && memcmp(out->bytes, text, out->size) == 0;
    cr_assert(same, "written:\n%.*s\nexpected:\n%s", (int)out->size, out->bytes ? out->bytes : "", text);
}

uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static wend_map *random_cells(uint32_t *seed, const wend_map_def *def, const uint8_t *classes, size_t class_count) {
    wend_map *map = made_map(def);
    wend_edit *edit = begin_edit(map);
    for (int32_t z = 0; z < def->depth; z++)
        for (int32_t y = 0; y < def->height; y++)
            for (int32_t x = 0; x < def->width; x++)
                wend_edit_set_cell(edit, (wend_cell){x, y, z}, classes[next_random(seed) % class_count]);
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    return map;
}

wend_map *random_map(uint32_t *seed, int32_t width, int32_t height, const uint8_t *classes, size_t class_count) {
    wend_map_def def = default_map();
    def.width = width, def.height = height;
    return random_cells(seed, &def, classes, class_count);
}

wend_map *random_space(uint32_t *seed, wend_cell size, const uint8_t *classes, size_t class_count) {
    wend_map_def def = default_map();
    def.kind = WEND_KIND_VOXEL, def.width = size.x, def.height = size.y;
    def.depth = size.z;
    return random_cells(seed, &def, classes, class_count);
}

static bool has_link(const wend_link *links, int32_t count, wend_cell cell) {
    for (int32_t i = 0; i < count; i++)
        if (memcmp(&links[i].from, &cell, sizeof cell) == 0 || memcmp(&links[i].to, &cell, sizeof cell) == 0)
            return true;
    return false;
}

static wend_cell free_cell(uint32_t *seed, const wend_map *map, const wend_link *links, int32_t count) {
    wend_map_info info = info_now(map);
    for (;;) {
        wend_cell cell = {(int32_t)(next_random(seed) % (uint32_t)info.width),
                          (int32_t)(next_random(seed) % (uint32_t)info.height),
                          (int32_t)(next_random(seed) % (uint32_t)info.depth)};
        uint8_t terrain = 0;
        wend_map_get_terrain(map, cell, &terrain);
        if (terrain == WEND_CLASS_OPEN && !has_link(links, count, cell)) return cell;
    }
}

void add_teleports(uint32_t *seed, wend_map *map, int32_t pairs, int32_t cost) {
    wend_link links[64] = {0};
    cr_assert_leq(pairs, 64);
    wend_edit *edit = begin_edit(map);
    for (int32_t i = 0; i < pairs; i++) {
        links[i].from = free_cell(seed, map, links, i);
        links[i].to = links[i].from; /* the loop below chooses another end */
        links[i].to = free_cell(seed, map, links, i + 1);
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){links[i].from, links[i].to, cost, 0}), WEND_OK);
        cr_assert_eq(wend_edit_add_link(edit, &(wend_link){links[i].to, links[i].from, cost, 0}), WEND_OK);
    }
    cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
}
