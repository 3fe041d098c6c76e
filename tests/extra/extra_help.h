/* SPDX-License-Identifier: MIT */
/* For the tests of pictures: maps from text, and a sink that keeps the bytes, or fails at a given call. */
#ifndef TESTS_EXTRA_HELP_H
#define TESTS_EXTRA_HELP_H

#include "models/defaults.h"
#include "models/random.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <wend/extra.h>

WEND_TESTS_DEFAULT(picture, wend_picture)

typedef struct bytes {
    char *data;
    size_t size;
    int calls;
    int fail_at;      ///< the call that fails, from 0; −1: none
    wend_error error; ///< the error of that call
} bytes;

static inline bytes no_bytes(void) {
    return (bytes){.fail_at = -1};
}

static inline wend_error keep_bytes(void *context, const void *data, size_t size) {
    bytes *b = context;
    if (b->calls++ == b->fail_at) return b->error;
    b->data = realloc(b->data, b->size + size + 1);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    b->data[b->size] = 0;
    return 0;
}

static inline wend_map *map_of_classes(int32_t width, int32_t height, const uint8_t *classes) {
    wend_map_def def = default_map();
    def.width = width, def.height = height;
    wend_map *map = made_map(&def);
    if (classes) {
        wend_edit *edit = begin_edit(map);
        wend_box all = {{0, 0, 0}, {width - 1, height - 1, 0}};
        cr_assert_eq(wend_edit_set_box(edit, all, classes, (size_t)width), WEND_OK);
        cr_assert_eq(wend_edit_publish(edit, NULL), WEND_OK);
    }
    return map;
}

/// Returns random classes: mostly of one of three kinds of ground, and at times any class.
static inline uint8_t *random_classes(int32_t width, int32_t height, uint64_t seed) {
    size_t count = (size_t)width * (size_t)height;
    uint8_t *classes = malloc(count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t dice = draw(&seed, 100);
        classes[i] = dice < 30 ? 0 : dice < 90 ? 1 : dice < 95 ? 254 : (uint8_t)draw(&seed, 256);
    }
    return classes;
}

/// The tutorial's problem 1 with one of its shortest paths.
static const uint8_t problem_classes[25] = {1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const wend_cell problem_path[7] = {{3, 1, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};

typedef struct problem {
    wend_map *map;
    wend_picture_path path;
    wend_cell start, goal;
    wend_picture picture;
} problem;

static inline void problem_init(problem *p, int32_t format) {
    *p = (problem){
        .map = map_of_classes(5, 5, problem_classes), .path = {problem_path, 7}, .start = {3, 1, 0}, .goal = {0, 3, 0}};
    wend_picture_init(&p->picture, sizeof p->picture);
    p->picture.format = format, p->picture.map = p->map, p->picture.paths = &p->path;
    p->picture.starts = &p->start, p->picture.goals = &p->goal;
    p->picture.path_count = p->picture.start_count = p->picture.goal_count = 1;
}

#endif
