/* SPDX-License-Identifier: MIT */
/* How much of a file is read: its limit, and no more of a file that is no map. */
#include "io/io_help.h"
#include "io/text/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/host.h>

static void put_bytes(const char *path, const char *begin, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    size_t used = strlen(begin);
    cr_assert_eq(fwrite(begin, 1, used, file), used);
    for (; used < size; used++) fputc(used % 80 == 79 ? '\n' : '#', file);
    cr_assert_eq(fclose(file), 0);
}

/* Sizes below, at and above that of the first part which is read. */
Test(limits, of_a_file_are_its_last_byte_and_not_one_more) {
    static const size_t limits[] = {1, 100, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (size_t more = 0; more < 3; more++) {
            wend__file_bytes file;
            wend_file_error error = {.struct_bytes = sizeof error};
            char text[80];
            put_bytes("limit-of-bytes", "", limits[i] - 1 + more);
            wend_error code =
                wend__file_read("limit-of-bytes", wend_allocator_default(), limits[i], NULL, &file, &error);
            if (more < 2) {
                cr_assert_eq(code, WEND_OK);
                cr_assert_eq(file.size, limits[i] - 1 + more);
                wend__file_drop(&file);
                continue;
            }
            cr_assert_eq(code, WEND_UNSUPPORTED);
            snprintf(text, sizeof text, "larger than %zu bytes, the most that is read", limits[i]);
            cr_assert_str_eq(error.text, text);
            cr_assert_eq(error.line, 0);
        }
    remove("limit-of-bytes");
}

static void *limited_alloc(void *context, size_t bytes, size_t alignment) {
    (void)alignment;
    if (bytes > *(size_t *)context) *(size_t *)context = bytes;
    return malloc(bytes);
}

static void limited_free(void *context, void *pointer, size_t bytes) {
    (void)context, (void)bytes;
    free(pointer);
}

static size_t most_taken(const char *path, wend_error wanted) {
    size_t most = 0;
    wend_map_def def = default_map();
    wend_map *map;
    wend_file_error error = {.struct_bytes = sizeof error};
    def.allocator = (wend_allocator){.context = &most, .alloc = limited_alloc, .free = limited_free};
    cr_assert_eq(wend_map_load(path, &def, &map, NULL, &error), wanted, "%s", error.text);
    if (!wanted) wend_map_release(map);
    return most;
}

Test(limits, end_reading_where_the_first_part_is_no_map) {
    const size_t large = 4000000;
    put_bytes("limit-of-a-part", "nonsense 1 2 3\n", large);
    cr_assert_leq(most_taken("limit-of-a-part", WEND_BAD_FORMAT), 65536u);
    put_bytes("limit-of-a-part", "<?xml version=\"1.0\"?>\n<map>\n", large);
    cr_assert_leq(most_taken("limit-of-a-part", WEND_UNSUPPORTED), 65536u);
    put_bytes("limit-of-a-part", "version 1\n", large);
    cr_assert_leq(most_taken("limit-of-a-part", WEND_BAD_FORMAT), 65536u);
    put_bytes("limit-of-a-part", "Rows 1\nColumns 1\n0\n", large); /* and comments behind it */
    cr_assert_gt(most_taken("limit-of-a-part", WEND_OK), large);
    put_bytes("limit-of-a-part", "", large); /* only comments: a map may follow */
    cr_assert_gt(most_taken("limit-of-a-part", WEND_BAD_FORMAT), large);
    remove("limit-of-a-part");
}
