/* SPDX-License-Identifier: MIT */
/* Levels for tests of the ground: quads, boxes and ramps as triangles. */
#ifndef TESTS_GROUND_LEVELS_H
#define TESTS_GROUND_LEVELS_H

#include "models/random.h"

#include <assert.h>
#include <wend/ground.h>

typedef struct test_level {
    float vertices[3 * 60000];
    uint32_t triangles[3 * 30000];
    uint8_t classes[30000];
    size_t vertex_count, triangle_count;
    uint8_t terrain; ///< class of the next triangles
} test_level;

static inline void add_triangle(test_level *l, const float a[3], const float b[3], const float c[3]) {
    const float *corners[] = {a, b, c};
    assert(l->triangle_count < 30000);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) l->vertices[3 * l->vertex_count + (size_t)k] = corners[i][k];
        l->triangles[3 * l->triangle_count + (size_t)i] = (uint32_t)l->vertex_count++;
    }
    l->classes[l->triangle_count++] = l->terrain;
}

/// Adds a floor whose height rises from low to high along x, both ends included.
static inline void add_ramp(test_level *l, float x0, float z0, float x1, float z1, float low, float high) {
    const float a[] = {x0, low, z0}, b[] = {x1, high, z0}, c[] = {x1, high, z1}, d[] = {x0, low, z1};
    add_triangle(l, a, d, c);
    add_triangle(l, a, c, b);
}

static inline void add_floor(test_level *l, float x0, float z0, float x1, float z1, float y) {
    add_ramp(l, x0, z0, x1, z1, y, y);
}

/// A block on which one may stand, with its sides.
static inline void add_block(test_level *l, float x0, float z0, float x1, float z1, float low, float high) {
    const float corners[4][2] = {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}};
    add_floor(l, x0, z0, x1, z1, high);
    for (int i = 0; i < 4; i++) {
        const float *p = corners[i], *q = corners[(i + 1) % 4];
        const float a[] = {p[0], low, p[1]}, b[] = {q[0], low, q[1]}, c[] = {q[0], high, q[1]},
                    d[] = {p[0], high, p[1]};
        add_triangle(l, a, d, c);
        add_triangle(l, a, c, b);
    }
}

static inline wend_ground_def level_def(const test_level *l) {
    wend_ground_def def;
    wend_ground_def_init(&def, sizeof def);
    def.vertices = l->vertices, def.vertex_count = l->vertex_count, def.triangles = l->triangles;
    def.triangle_count = l->triangle_count, def.classes = l->classes;
    return def;
}

/// Floors above each other with ramps between, blocks and pits: 24 m by 24 m.
static inline void random_level(test_level *l, uint64_t *seed) {
    l->vertex_count = l->triangle_count = 0, l->terrain = WEND_CLASS_OPEN;
    add_floor(l, 0, 0, 24, 24, 0);
    const uint32_t storeys = 1 + draw(seed, 3);
    for (uint32_t s = 1; s <= storeys; s++) {
        const float y = 3 * (float)s, x = (float)draw(seed, 6), z = (float)draw(seed, 6);
        l->terrain = (uint8_t)(1 + draw(seed, 3));
        add_floor(l, x, z, x + 8 + (float)draw(seed, 8), z + 8 + (float)draw(seed, 8), y);
        add_ramp(l, x + 2, z + 3, x + 8, z + 5, y - 3, y);
        if (draw(seed, 2)) add_ramp(l, x + 2, z + 6, x + 8, z + 8, y - 3, y);
    }
    for (uint32_t i = draw(seed, 30); i > 0; i--) {
        const float x = (float)draw(seed, 22), z = (float)draw(seed, 22), y = 3 * (float)draw(seed, storeys + 1);
        l->terrain = (uint8_t)(1 + draw(seed, 3));
        add_block(l, x, z, x + .5f + (float)draw(seed, 3), z + .5f + (float)draw(seed, 3), y,
                  y + .3f * (float)(1 + draw(seed, 8)));
    }
}

#endif
