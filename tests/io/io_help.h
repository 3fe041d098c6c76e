/* SPDX-License-Identifier: MIT */
/* Shared by the tests of src/io: texts in, errors and written bytes out, and an allocator that counts and fails. */
#ifndef WEND_TESTS_IO_HELP_H
#define WEND_TESTS_IO_HELP_H

#include "models/counting.h"
#include "models/defaults.h"

#include <criterion/criterion.h>
#include <wend/wend.h>

/// Counts bytes allocated and freed; the allocation number `fail_at` (from 1; 0: none) fails, and all after it.
/// A file that must be refused, and how.
typedef struct bad_file {
    const char *bytes;
    int32_t code, line, column;
    const char *text; ///< the whole text
} bad_file;

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/// From a copy of exactly that size, so that a read past the end is found by the sanitizers.
wend_error parse_map(const void *bytes, size_t size, const wend_map_def *def, wend_map **out, wend_map_markers *markers,
                     wend_file_error *error);

/// The map of a text that must be good.
wend_map *good_map(const char *text, wend_map_markers *markers);

void expect_bad_map(const bad_file *file);

/// The classes of a whole map, row by row, as digits and '#' for those above 9.
void expect_classes(const wend_map *map, int32_t width, int32_t height, const char *classes);
/// Kind, size, classes, links, and of graphs nodes, edges and coordinates.
bool same_map(const wend_map *a, const wend_map *b);

/// Bytes written; the write call number `fail_at` (from 1; 0: none) returns WEND_BUSY, which nothing else does.
typedef struct written {
    char *bytes;
    size_t size, calls, fail_at;
} written;

wend_error write_memory(void *context, const void *bytes, size_t size);
void expect_written(const written *out, const char *text);

/// A map of random classes of a list: flat, or of voxels.
wend_map *random_map(uint32_t *seed, int32_t width, int32_t height, const uint8_t *classes, size_t class_count);
wend_map *random_space(uint32_t *seed, wend_cell size, const uint8_t *classes, size_t class_count);
/// Between random cells of class 1 that have none: links both ways, each at that cost.
void add_teleports(uint32_t *seed, wend_map *map, int32_t pairs, int32_t cost);
uint32_t next_random(uint32_t *seed);

#endif
