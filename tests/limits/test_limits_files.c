/* SPDX-License-Identifier: MIT */
/* Limits of files, and of the maps of a recording. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include "limits/limits.h"
#include "models/owned.h"
#include "models/sparse_file.h"

#include <stdio.h>
#include <wend/io.h>
#include <wend/record.h>

/* ---- bytes ---- */

static void put_sparse(const char *path, const char *begin, int64_t bytes) {
    cr_assert(sparse_file_put(path, begin, bytes));
}

/* Ends a test where there can be no such files, with a word. */
#define NEEDS_FILES_OF(bytes)                                                                                          \
    if (!sparse_file_can("limits.probe", (int64_t)(bytes)))                                                            \
    cr_skip_test("no sparse files of %lld bytes", (long long)(bytes))

/* Keeps to 2 MiB. */
static void *small_alloc(void *context, size_t bytes, size_t alignment) {
    *(size_t *)context = bytes;
    (void)alignment;
    return bytes <= 2 << 20 ? malloc(bytes) : NULL;
}

static void small_free(void *context, void *pointer, size_t bytes) {
    (void)context, (void)bytes;
    free(pointer);
}

/* A map within the limit is read whole, which needs more memory than there is here: one byte more than the file. For a
 * larger file no memory is requested, and its error names the limit. */
static wend_error load_map(const char *begin, int64_t bytes) {
    size_t asked = 0;
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    char limit[80];
    put_sparse("limits.map", begin, bytes);
    def.allocator = (wend_allocator){&asked, small_alloc, small_free};
    const wend_error code = wend_map_load("limits.map", &def, &map, NULL, &error);
    remove("limits.map");
    snprintf(limit, sizeof limit, "larger than %llu bytes, the most that is read",
             (unsigned long long)WEND_MAX_MAP_BYTES);
    if (code == WEND_UNSUPPORTED)
        cr_expect_str_eq(error.text, limit);
    else
        cr_expect_eq((int64_t)asked, bytes + 1);
    return code;
}

Test(limits_files, of_a_maps_bytes) {
    NEEDS_FILES_OF(WEND_MAX_MAP_BYTES + 1);
    AT_MOST_GIVES(WEND_MAX_MAP_BYTES, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED,
                  load_map("type octile\nheight 1\nwidth 1\nmap\n.\n", value));
    AT_MOST_GIVES(WEND_MAX_MAP_BYTES, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED, load_map("p sp 3 2\n", value));
}

/* The coordinates next to a graph. */
static wend_error load_graph(int64_t bytes) {
    size_t asked = 0;
    wend_map_def def = default_map();
    wend_map *map = NULL;
    wend_file_error error = {.struct_bytes = sizeof error};
    put_sparse("limits.gr", "p sp 2 1\na 1 2 5", 17);
    put_sparse("limits.co", "p aux sp co 2\nv 1 0 0\nv 2 1 1\n", bytes);
    def.allocator = (wend_allocator){&asked, small_alloc, small_free};
    const wend_error code = wend_map_load("limits.gr", &def, &map, NULL, &error);
    remove("limits.gr"), remove("limits.co");
    return code;
}

Test(limits_files, of_the_bytes_of_coordinates) {
    NEEDS_FILES_OF(WEND_MAX_MAP_BYTES + 1);
    AT_MOST_GIVES(WEND_MAX_MAP_BYTES, WEND_OUT_OF_MEMORY, WEND_UNSUPPORTED, load_graph(value));
}

/* ---- recordings ---- */

static wend_error drop_bytes(void *context, uint32_t file, const void *bytes, size_t size) {
    (void)context, (void)file, (void)bytes, (void)size;
    return WEND_OK;
}

/* Returns the error of the last of `count` maps in a recording. */
static wend_error record_maps(int64_t count) {
    static wend_map *maps[WEND_MAX_RECORDED_MAPS + 1];
    const wend_service_def def = default_service();
    wend_recording recording = {.struct_bytes = sizeof recording};
    wend_service *service;
    cr_assert_eq(wend_service_create(&def, &service), WEND_OK);
    cr_assert_eq(wend_service_record(service, drop_bytes, NULL), WEND_OK);
    wend_error error = WEND_OK;
    for (int32_t i = 0; i < count; i++) {
        cr_assert_eq(error, WEND_OK);
        maps[i] = grid_map(2, 2);
        error = wend_service_record_map(service, maps[i]);
    }
    cr_assert_eq(wend_service_get_recording(service, &recording), WEND_OK);
    cr_expect_eq(recording.error, error);
    cr_expect_eq(recording.maps, count - (error != 0));
    cr_expect_eq(wend_service_end_recording(service), error);
    cr_assert_eq(wend_service_destroy(service), WEND_OK);
    for (int32_t i = 0; i < count; i++) wend_map_release(maps[i]);
    return error;
}

Test(limits_files, of_the_maps_of_a_recording) {
    AT_MOST(WEND_MAX_RECORDED_MAPS, WEND_BUSY, record_maps(value));
}
