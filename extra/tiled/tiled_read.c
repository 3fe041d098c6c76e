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

/* A Tiled before 1.0 wrote no type. Then layers show that it is a map. */
static wend_error check_type(wend__tiled *t) {
    const char *type = wend__tiled_string(t->root, "type");
    char quote[WEND__NAME_BYTES];
    if (type && strcmp(type, "map") == 0) return WEND_OK;
    wend__tiled_quote(type, quote);
    if (type || !json_is_array(json_object_get(t->root, "layers")))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "no Tiled map: its 'type' is %s, not 'map'", quote);
    wend__tiled_note(t, WEND__NOTE_NO_TYPE, "no 'type': read as a map of a Tiled before 1.0");
    return WEND_OK;
}

static wend_error check_kind(wend__tiled *t) {
    const char *shape = wend__tiled_string(t->root, "orientation");
    char quote[WEND__NAME_BYTES];
    wend_error error = check_type(t);
    if (error) return error;
    wend__tiled_quote(shape, quote);
    if (!shape) return wend__tiled_fail(t, WEND_BAD_FORMAT, "the map: expected 'orientation', a string");
    t->isometric = strcmp(shape, "isometric") == 0;
    t->slant = strcmp(shape, "hexagonal") == 0   ? WEND_TILED_HEXAGONAL
               : strcmp(shape, "staggered") == 0 ? WEND_TILED_STAGGERED
                                                 : 0;
    if (t->slant) return wend__tiled_slant_head(t);
    if (t->isometric || strcmp(shape, "orthogonal") == 0) return WEND_OK;
    return wend__tiled_fail(
        t, WEND_UNSUPPORTED,
        "the map's orientation is %s: only 'orthogonal', 'isometric', 'hexagonal' and 'staggered' are read", quote);
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
    t->lattice =
        t->slant ? wend__tiled_slant_lattice(t) : (wend__tiled_lattice){.cell = {t->cell_width, t->cell_height}};
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

static wend_error read_parts(wend__tiled *t, const void *bytes, size_t size, wend_map **out, wend_tiled *beside) {
    wend_error error = wend__tiled_tree(t, bytes, size, NULL, &t->root);
    if (!error) error = read_head(t);
    if (!error) error = wend__tiled_scene_begin(t);
    if (!error) error = wend__tilesets_read(t);
    if (!error) error = wend__tiled_templates(t);
    if (!error) error = wend__tiled_cells(t);
    if (!error) error = wend__tiled_shapes(t);
    if (!error && t->slant) error = wend__tiled_slant(t);
    if (!error) error = make_map(t, out, beside);
    if (error) return error;
    error = wend__tiled_notes_give(t, beside);
    if (!error) error = wend__tiled_scene_rest(t);
    if (!error) error = wend__tiled_scene_give(t, beside);
    if (!error) return WEND_OK;
    wend_map_release(*out);
    *out = NULL;
    return error;
}

/// The parts of the state that are too large for the stack.
typedef struct scratch {
    wend__tiled_names blocked, costs;
} scratch;

static wend_error read_all(wend__tiled *t, const void *bytes, size_t size, wend_map **out, wend_tiled *beside) {
    scratch *own = calloc(1, sizeof *own);
    wend_error error;
    t->notes = wend__tiled_notes_make();
    if (!own || !t->notes) {
        error = wend__tiled_no_memory(t);
    } else {
        t->blocked = &own->blocked, t->costs = &own->costs;
        error = wend__tiled_names_take(t->blocked, t->costs, &t->how)
                    ? read_parts(t, bytes, size, out, beside)
                    : wend__tiled_fail(t, WEND_BAD_ARGUMENT, "a list of names has up to %d, none of them empty",
                                       WEND_TILED_MAX_NAMES);
    }
    beside->orientation = t->isometric ? WEND_TILED_ISOMETRIC : t->slant;
    if (t->slant)
        beside->layout = t->layout, beside->first = t->first;
    else
        beside->origin = (wend_cell){t->left, t->top, 0};
    beside->tile_width = t->tile_width, beside->tile_height = t->tile_height;
    free(t->classes);
    wend__tilesets_drop(t);
    wend__tiled_scene_drop(&t->scene);
    json_decref(t->templates);
    json_decref(t->root);
    wend__tiled_notes_drop(t->notes);
    free(own);
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

void wend_tiled_def_init(wend_tiled_def *def, size_t bytes) {
    const wend_tiled_def defaults = {.struct_bytes = sizeof defaults};
    wend__sized_init(def, bytes, &defaults, sizeof defaults);
}

static bool take_how(wend__tiled *t, const wend_tiled_def *theirs) {
    const size_t first = WEND__FIRST_BYTES(wend_tiled_def, cost_name_count);
    return !theirs || wend__sized_read(&t->how, sizeof t->how, first, theirs);
}

wend_error wend_tiled_parse(const void *bytes, size_t size, const char *folder, const wend_tiled_def *how,
                            const wend_map_def *def, wend_map **out, wend_tiled **beside, wend_file_error *error) {
    wend__tiled t = {.folder = folder, .error = error};
    if (!wend__tiled_error_fits(error)) return WEND_BAD_ARGUMENT;
    bool good = out && (bytes || !size) && take_def(&t, def) && t.def.kind == WEND_KIND_GRID;
    good = good && take_how(&t, how);
    if (!good) return wend__tiled_fail(&t, WEND_BAD_ARGUMENT, "%s", wend_error_text(WEND_BAD_ARGUMENT));
    found_map *found = calloc(1, sizeof *found);
    if (!found) return wend__tiled_no_memory(&t);
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

wend_error wend_tiled_load(const char *path, const wend_tiled_def *how, const wend_map_def *def, wend_map **out,
                           wend_tiled **beside, wend_file_error *error) {
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
        code = wend_tiled_parse(bytes, size, folder, how, def, out, beside, error);
    } else {
        code = wend__tiled_no_memory(&t);
    }
    free(folder);
    free(bytes);
    return code;
}

static void free_object(const wend_tiled_object *object) {
    for (size_t i = 0; i < object->property_count; i++) {
        free((void *)(uintptr_t)object->properties[i].name);
        free((void *)(uintptr_t)object->properties[i].value);
    }
    free((void *)(uintptr_t)object->properties);
    free((void *)(uintptr_t)object->name);
    free((void *)(uintptr_t)object->type);
}

void wend_tiled_free(wend_tiled *beside) {
    if (!beside) return;
    for (size_t i = 0; i < beside->route_count; i++) {
        free((void *)(uintptr_t)beside->routes[i].cells);
        free((void *)(uintptr_t)beside->routes[i].name);
    }
    free((void *)(uintptr_t)beside->routes);
    for (size_t i = 0; i < beside->object_count; i++) free_object(&beside->objects[i]);
    free((void *)(uintptr_t)beside->objects);
    for (size_t i = 0; i < beside->warning_count; i++) free((void *)(uintptr_t)beside->warnings[i]);
    free((void *)(uintptr_t)beside->warnings);
    for (size_t i = 0; i < beside->image_count; i++) free((void *)(uintptr_t)beside->images[i]);
    free((void *)(uintptr_t)beside->images);
    free((void *)(uintptr_t)beside->scene);
    free(beside);
}
