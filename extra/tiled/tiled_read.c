/* SPDX-License-Identifier: MIT */
/* Reads a Tiled map from bytes or a file: makes the map, its links, markers and routes. */
#include "base/sized.h"
#include "tiled/tiled.h"

#include <stdlib.h>
#include <string.h>

static wend_error read_yes(const wend__tiled *t, const char *key, bool *out) {
    const json_t *value = json_object_get(t->root, key);
    if (value && !json_is_boolean(value))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map: '%s' must be true or false", key);
    *out = json_is_true(value);
    return WEND_OK;
}

static wend_error check_kind(wend__tiled *t) {
    const char *type = wend__tiled_string(t->root, "type"), *shape = wend__tiled_string(t->root, "orientation");
    char quote[WEND__NAME_BYTES];
    wend__tiled_quote(type, quote);
    if (!type || strcmp(type, "map") != 0)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "no Tiled map: its 'type' is %s, not 'map'", quote);
    wend__tiled_quote(shape, quote);
    if (!shape) return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map: expected 'orientation', a string");
    t->isometric = strcmp(shape, "isometric") == 0;
    if (t->isometric || strcmp(shape, "orthogonal") == 0) return WEND_OK;
    return wend__tiled_fail(t, WEND_UNSUPPORTED,
                            "the map's orientation is %s: only 'orthogonal' and 'isometric' are read", quote);
}

static wend_error read_head(wend__tiled *t) {
    int64_t width = 0, height = 0, tile_width, tile_height;
    wend_error error = check_kind(t);
    if (!error) error = read_yes(t, "infinite", &t->infinite);
    if (!error && !t->infinite) error = wend__tiled_whole(t, t->root, "the map", "width", 1, WEND_MAX_SIDE, &width);
    if (!error && !t->infinite) error = wend__tiled_whole(t, t->root, "the map", "height", 1, WEND_MAX_SIDE, &height);
    if (!error) error = wend__tiled_whole(t, t->root, "the map", "tilewidth", 1, 65536, &tile_width);
    if (!error) error = wend__tiled_whole(t, t->root, "the map", "tileheight", 1, 65536, &tile_height);
    if (error) return error;
    t->width = (int32_t)width, t->height = (int32_t)height;
    t->tile_width = (int32_t)tile_width, t->tile_height = (int32_t)tile_height;
    t->cell_width = t->isometric ? t->tile_height : t->tile_width, t->cell_height = t->tile_height;
    return WEND_OK;
}

static wend_error write_levels(wend__tiled *t, wend_edit *edit) {
    uint8_t *classes = malloc((size_t)t->width * (size_t)t->height);
    wend_error error = classes ? WEND_OK : WEND_OUT_OF_MEMORY;
    for (int32_t level = 0; level < t->def.depth && !error; level++) {
        const wend_box box = {{0, 0, level}, {t->width - 1, t->height - 1, level}};
        wend__tiled_level_classes(t, level, classes);
        error = wend_edit_set_box(edit, box, classes, (size_t)t->width);
    }
    free(classes);
    return error ? wend__tiled_fail(t, error, "%s", wend_error_detail(error)) : WEND_OK;
}

static wend_error fill_map(wend__tiled *t, wend_map *map, wend_tiled *beside) {
    wend_edit *edit;
    wend_error error = wend_edit_begin(map, &edit);
    if (error) return wend__tiled_fail(t, error, "%s", wend_error_detail(error));
    error = write_levels(t, edit);
    if (!error) error = wend__tiled_objects(t, edit, beside);
    if (error) {
        wend_edit_discard(edit);
        return error;
    }
    error = wend_edit_publish(edit, NULL);
    return error ? wend__tiled_fail(t, error, "%s", wend_error_detail(error)) : WEND_OK;
}

static wend_error make_map(wend__tiled *t, wend_map **out, wend_tiled *beside) {
    wend_map *map;
    const wend_acceleration *acceleration = t->def.acceleration;
    t->def.acceleration = NULL; /* made when the map is complete */
    t->def.width = t->width, t->def.height = t->height;
    t->def.kind = t->storeys ? WEND_KIND_VOXEL : WEND_KIND_GRID;
    t->def.depth = t->storeys ? t->storeys * WEND_TILED_LEVELS : 1;
    wend_error error = wend_map_create(&t->def, &map);
    if (error) return wend__tiled_fail(t, error, "%s", wend_error_detail(error));
    error = fill_map(t, map, beside);
    if (!error && acceleration) {
        error = wend_map_accelerate(map, acceleration);
        if (error) wend__tiled_fail(t, error, "%s", wend_error_detail(error));
    }
    if (error) {
        wend_map_release(map);
        return error;
    }
    *out = map;
    return WEND_OK;
}

static wend_error read_all(wend__tiled *t, const void *bytes, size_t size, wend_map **out, wend_tiled *beside) {
    wend_error error = wend__tiled_json(t, bytes, size, NULL, &t->root);
    if (!error) error = read_head(t);
    if (!error) error = wend__tilesets_read(t);
    if (!error) error = wend__tiled_cells(t);
    if (!error) error = make_map(t, out, beside);
    beside->origin = (wend_cell){t->left, t->top, 0};
    beside->orientation = t->isometric ? WEND_TILED_ISOMETRIC : WEND_TILED_ORTHOGONAL;
    beside->tile_width = t->tile_width, beside->tile_height = t->tile_height;
    free(t->classes);
    wend__tilesets_drop(t);
    json_decref(t->root);
    return error;
}

/* The result for the caller, in one piece. */
typedef struct found_map {
    wend_tiled beside; /* first, as wend_tiled_free() gets its address */
    wend_map_markers markers;
} found_map;

/* The caller's definition, of any size, and its rules. */
static bool take_def(wend__tiled *t, const wend_map_def *theirs) {
    wend_map_def_init(&t->def, sizeof t->def);
    wend_map_rules_init(&t->rules, sizeof t->rules);
    const size_t first = WEND__FIRST_BYTES(wend_map_def, allocator);
    if (theirs && !wend__sized_read(&t->def, sizeof t->def, first, theirs)) return false;
    const wend_map_rules *rules = t->def.rules;
    t->def.rules = &t->rules;
    const size_t rules_first = WEND__FIRST_BYTES(wend_map_rules, factors);
    return !rules || wend__sized_read(&t->rules, sizeof t->rules, rules_first, rules);
}

wend_error wend_tiled_parse(const void *bytes, size_t size, const char *folder, const wend_map_def *def, wend_map **out,
                            wend_tiled **beside, wend_file_error *error) {
    wend__tiled t = {.folder = folder, .error = error};
    if (!wend__tiled_error_fits(error)) return WEND_BAD_ARGUMENT;
    const bool good = out && (bytes || !size) && take_def(&t, def) && t.def.kind == WEND_KIND_GRID;
    if (!good) return wend__tiled_fail(&t, WEND_BAD_ARGUMENT, "%s", wend_error_text(WEND_BAD_ARGUMENT));
    found_map *found = calloc(1, sizeof *found);
    if (!found) return wend__tiled_fail(&t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    found->beside.struct_bytes = sizeof found->beside;
    found->beside.markers = t.markers = &found->markers;
    found->markers.struct_bytes = sizeof found->markers;
    int32_t code = read_all(&t, bytes, size, out, &found->beside);
    if (code || !beside)
        wend_tiled_free(&found->beside);
    else
        *beside = &found->beside;
    return code;
}

wend_error wend_tiled_load(const char *path, const wend_map_def *def, wend_map **out, wend_tiled **beside,
                           wend_file_error *error) {
    wend__tiled t = {.error = error};
    if (!wend__tiled_error_fits(error)) return WEND_BAD_ARGUMENT;
    if (!path) return wend__tiled_fail(&t, WEND_BAD_ARGUMENT, "%s", wend_error_text(WEND_BAD_ARGUMENT));
    char *bytes;
    size_t size;
    int32_t code = wend__tiled_file(&t, path, "", &bytes, &size);
    if (code) return code;
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 0;
    char *folder = malloc(length + 1);
    if (folder) {
        memcpy(folder, path, length);
        folder[length] = 0;
        code = wend_tiled_parse(bytes, size, folder, def, out, beside, error);
    } else {
        code = wend__tiled_fail(&t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    }
    free(folder);
    free(bytes);
    return code;
}

void wend_tiled_free(wend_tiled *beside) {
    if (!beside) return;
    for (size_t i = 0; i < beside->route_count; i++) {
        free((void *)(uintptr_t)beside->routes[i].cells);
        free((void *)(uintptr_t)beside->routes[i].name);
    }
    free((void *)(uintptr_t)beside->routes);
    for (size_t i = 0; i < beside->object_count; i++) {
        free((void *)(uintptr_t)beside->objects[i].name);
        free((void *)(uintptr_t)beside->objects[i].type);
    }
    free((void *)(uintptr_t)beside->objects);
    free(beside);
}
