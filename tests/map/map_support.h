/* SPDX-License-Identifier: MIT */
/* Shared by the map's tests: a counting allocator that can fail, and a plain model of a grid. */
#ifndef WEND_TESTS_MAP_SUPPORT_H
#define WEND_TESTS_MAP_SUPPORT_H

#include "models/defaults.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"
#include "models/counting.h"
#include "models/random.h"

/// Fail each allocation of an act in turn, alone and with all after it: nothing changes, neither what the map says of
/// itself nor `sum`, and the act still works afterwards. The map's allocator is `counts`'.
void fail_everywhere(wend_map *map, counting *counts, int32_t (*act)(wend_map *map), uint64_t (*sum)(wend_map *map));

static inline void owned_version_end(wend__version **version) {
    wend__map_release(*version, false);
}

#define OWNED_VERSION OWNED(owned_version_end) wend__version

typedef struct model {
    int32_t width, height;
    uint8_t *classes;
    wend_map_rules rules;
} model;

model model_create(int32_t width, int32_t height, const wend_map_rules *rules);
model model_copy(const model *from);
void model_free(model *m);
bool model_open(const model *m, int32_t x, int32_t y);
/// Returns whether a step from an on-map cell to another is allowed, by the words of the rules, without tables.
bool model_step(const model *m, int32_t x, int32_t y, int32_t dx, int32_t dy);

/// Every class, mask, step and largest factor of a version, against the model; and that all that can be shared is.
void model_check(const model *m, const wend__version *v);
void model_check_map(const model *m, wend_map *map);

/// A map that is like the model, at epoch 1.
wend_map *map_of(const model *m);
wend_map *map_of_size(int32_t width, int32_t height);
/// From rows of '.' and '#' of equal length.
model model_of_text(const char *const *rows, int32_t count, const wend_map_rules *rules);

uint64_t map_bytes(const wend_map *map);
/// The same without the labels of components. The map's forks must have none of their own.
uint64_t map_ground_bytes(wend_map *map);
uint64_t map_epoch(const wend_map *map);

static inline wend_cell at(int32_t x, int32_t y) {
    return (wend_cell){x, y, 0};
}
static inline wend_box box_of(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    return (wend_box){{x0, y0, 0}, {x1, y1, 0}};
}

#endif
