/* SPDX-License-Identifier: MIT */
/* Making a map, holding it, saying what it is, and changing how it is walked. */
#include "map/map_private.h"

wend_map_rules wend_map_rules_default(void) {
    wend_map_rules rules = {.struct_bytes = sizeof rules,
                            .neighbours = 8,
                            .corners = WEND_CORNERS_NEVER,
                            .cost_straight = 10,
                            .cost_diagonal = 14};
    for (unsigned class = 0; class < 256; class ++) rules.factors[class] = (uint8_t) class;
    rules.factors[WEND_CLASS_SWAMP] = 1;
    rules.factors[WEND_CLASS_WATER] = 0;
    return rules;
}

wend_map_def wend_map_default(void) {
    wend_map_def def = {.struct_bytes = sizeof def,
                        .kind = WEND_KIND_GRID,
                        .max_bytes = WEND_NO_LIMIT,
                        .rules = wend_map_rules_default(),
                        .allocator = wend_allocator_default()};
    return def;
}

static int32_t check(const wend_map_def *def) {
    if (def->struct_bytes != sizeof *def || def->kind != WEND_KIND_GRID) return WEND_BAD_ARGUMENT;
    if (def->width < 1 || def->width > WEND_MAX_SIDE) return WEND_BAD_ARGUMENT;
    if (def->height < 1 || def->height > WEND_MAX_SIDE) return WEND_BAD_ARGUMENT;
    if ((uint64_t)def->width * (uint64_t)def->height > WEND_MAX_CELLS) return WEND_BAD_ARGUMENT;
    return wend__rules_check(&def->rules);
}

static size_t rounded(size_t bytes) {
    const size_t unit = _Alignof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

/* The object and its two locks, in one piece, without a version. */
static wend_map *create_object(const wend_map_def *def) {
    size_t head = rounded(sizeof(wend_map)), lock = rounded(wend__mutex_bytes()), bytes = head + 2 * lock;
    if (bytes > def->max_bytes) return NULL;
    wend_allocator allocator = wend__allocator_or_default(def->allocator);
    wend_map *map = allocator.alloc(allocator.context, bytes, _Alignof(max_align_t));
    if (!map) return NULL;
    *map = (wend_map){.allocator = allocator,
                      .max_bytes = def->max_bytes,
                      .object_bytes = bytes,
                      .width = def->width,
                      .height = def->height,
                      .mutex = (wend__mutex *)((char *)map + head),
                      .writer = (wend__mutex *)((char *)map + head + lock),
                      .references = 1,
                      .bytes = bytes,
                      .bytes_peak = bytes};
    wend__mutex_init(map->mutex);
    wend__mutex_init(map->writer);
    return map;
}

static void free_map(wend_map *map) {
    if (map->newest) {
        WEND__ASSERT(map->newest->references == 1);
        wend__version_free(map->newest);
    }
    WEND__ASSERT(map->bytes == map->object_bytes);
    wend__mutex_destroy(map->writer);
    wend__mutex_destroy(map->mutex);
    map->allocator.free(map->allocator.context, map, map->object_bytes);
}

int32_t wend_map_create(const wend_map_def *def, wend_map **out) {
    int32_t error = check(def);
    if (error) return error;
    wend_map *map = create_object(def);
    if (!map) return WEND_OUT_OF_MEMORY;
    map->newest = wend__version_create(map);
    if (map->newest) wend__version_set_rules(map->newest, &def->rules);
    error = map->newest ? wend__version_open(map->newest) : WEND_OUT_OF_MEMORY;
    if (error) {
        free_map(map);
        return error;
    }
    *out = map;
    return WEND_OK;
}

void wend_map_retain(wend_map *map) {
    if (!map) return;
    wend__mutex_lock(map->mutex);
    map->references++;
    wend__mutex_unlock(map->mutex);
}

void wend_map_release(wend_map *map) {
    if (!map) return;
    wend__mutex_lock(map->mutex);
    WEND__ASSERT(map->references > 0);
    bool last = --map->references == 0;
    wend__mutex_unlock(map->mutex);
    if (last) free_map(map);
}

void wend_map_describe(const wend_map *map, wend_map_info *out) {
    wend__mutex_lock(map->mutex);
    *out = (wend_map_info){.struct_bytes = sizeof *out,
                           .kind = WEND_KIND_GRID,
                           .width = map->width,
                           .height = map->height,
                           .depth = 1,
                           .epoch = map->newest->epoch,
                           .bytes = map->bytes,
                           .bytes_peak = map->bytes_peak,
                           .rules = map->newest->rules};
    wend__mutex_unlock(map->mutex);
}

int32_t wend_map_set_rules(wend_map *map, const wend_map_rules *rules) {
    wend_edit *edit;
    int32_t error = wend__rules_check(rules);
    if (error) return error;
    wend__mutex_lock(map->writer);
    error = wend__map_pinned(map) ? WEND_IN_USE : wend__edit_create(map, false, &edit);
    if (!error) {
        error = wend__edit_finish(edit, rules);
        if (!error) error = wend__edit_install(edit, edit->base->epoch);
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
