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
                        .max_versions = 8,
                        .max_bytes = WEND_NO_LIMIT,
                        .rules = wend_map_rules_default(),
                        .allocator = wend_allocator_default()};
    return def;
}

static int32_t check(const wend_map_def *def) {
    if (!def || def->struct_bytes != sizeof *def || def->kind != WEND_KIND_GRID) return WEND_BAD_ARGUMENT;
    if (def->width < 1 || def->width > WEND_MAX_SIDE) return WEND_BAD_ARGUMENT;
    if (def->height < 1 || def->height > WEND_MAX_SIDE) return WEND_BAD_ARGUMENT;
    if ((uint64_t)def->width * (uint64_t)def->height > WEND_MAX_CELLS) return WEND_BAD_ARGUMENT;
    if (def->max_versions < 1 || def->max_versions > WEND_MAX_VERSIONS) return WEND_BAD_ARGUMENT;
    return wend__rules_check(&def->rules);
}

static size_t rounded(size_t bytes) {
    const size_t unit = _Alignof(max_align_t);
    return (bytes + unit - 1) / unit * unit;
}

static wend__family *create_family(const wend_map_def *def) {
    size_t head = rounded(sizeof(wend__family)), bytes = head + rounded(wend__mutex_bytes());
    if (bytes > def->max_bytes) return NULL;
    wend_allocator allocator = wend__allocator_or_default(def->allocator);
    wend__family *family = allocator.alloc(allocator.context, bytes, _Alignof(max_align_t));
    if (!family) return NULL;
    *family = (wend__family){.allocator = allocator,
                             .max_bytes = def->max_bytes,
                             .object_bytes = bytes,
                             .mutex = (wend__mutex *)((char *)family + head),
                             .bytes = bytes,
                             .bytes_peak = bytes};
    wend__mutex_init(family->mutex);
    return family;
}

static void free_family(wend__family *family) {
    WEND__ASSERT(family->bytes == family->object_bytes);
    wend_allocator allocator = family->allocator;
    wend__mutex_destroy(family->mutex);
    allocator.free(allocator.context, family, family->object_bytes);
}

/* The object with its writers' lock, in one piece, a member of the family, without a version. */
static wend_map *create_object(wend__family *family, int32_t width, int32_t height, uint32_t max_versions) {
    size_t head = rounded(sizeof(wend_map)), bytes = head + rounded(wend__mutex_bytes());
    wend_map *map = wend__family_alloc(family, bytes);
    if (!map) return NULL;
    *map = (wend_map){.family = family,
                      .object_bytes = bytes,
                      .width = width,
                      .height = height,
                      .max_versions = max_versions,
                      .mutex = family->mutex,
                      .writer = (wend__mutex *)((char *)map + head),
                      .references = 1};
    wend__mutex_init(map->writer);
    wend__mutex_lock(family->mutex);
    family->members++;
    wend__mutex_unlock(family->mutex);
    return map;
}

static void free_map(wend_map *map) {
    wend__family *family = map->family;
    if (map->newest) {
        WEND__ASSERT(map->newest->references == 1 && !map->newest->older);
        wend__version_free(map->newest);
    }
    wend__mutex_destroy(map->writer);
    wend__family_free(family, map, map->object_bytes);
    wend__mutex_lock(family->mutex);
    bool last = --family->members == 0;
    wend__mutex_unlock(family->mutex);
    if (last) free_family(family);
}

int32_t wend_map_create(const wend_map_def *def, wend_map **out) {
    int32_t error = check(def);
    if (error) return error;
    wend__family *family = create_family(def);
    if (!family) return WEND_OUT_OF_MEMORY;
    wend_map *map = create_object(family, def->width, def->height, (uint32_t)def->max_versions);
    if (!map) {
        free_family(family);
        return WEND_OUT_OF_MEMORY;
    }
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

int32_t wend_map_fork(wend_map *map, wend_map **out) {
    wend__mutex_lock(map->mutex);
    uint32_t max_versions = map->max_versions;
    wend__mutex_unlock(map->mutex);
    wend_map *fork = create_object(map->family, map->width, map->height, max_versions);
    if (!fork) return WEND_OUT_OF_MEMORY;
    wend__version *from = wend__map_acquire(map, false);
    fork->newest = wend__version_copy(from, fork);
    wend__map_release(from, false);
    if (!fork->newest) {
        free_map(fork);
        return WEND_OUT_OF_MEMORY;
    }
    *out = fork;
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
                           .components = wend__version_components(map->newest),
                           .bytes = map->family->bytes,
                           .bytes_peak = map->family->bytes_peak,
                           .rules = map->newest->rules};
    wend__mutex_unlock(map->mutex);
}

int32_t wend_map_set_max_versions(wend_map *map, int32_t max_versions) {
    if (max_versions < 1 || max_versions > WEND_MAX_VERSIONS) return WEND_BAD_ARGUMENT;
    wend__mutex_lock(map->mutex);
    map->max_versions = (uint32_t)max_versions;
    wend__map_retire_excess(map);
    wend__mutex_unlock(map->mutex);
    return WEND_OK;
}

int32_t wend_map_set_rules(wend_map *map, const wend_map_rules *rules) {
    wend_edit *edit;
    int32_t error = wend__rules_check(rules);
    if (error) return error;
    wend__mutex_lock(map->writer);
    error = wend__edit_create(map, false, &edit);
    if (!error) {
        error = wend__edit_finish(edit, rules);
        if (!error) error = wend__edit_install(edit, edit->base->epoch, true);
        wend__edit_free(edit);
    }
    wend__mutex_unlock(map->writer);
    return error;
}
