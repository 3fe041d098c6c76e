/* SPDX-License-Identifier: MIT */
/* Reads tilesets, from the map or from files of their own: the terrain class of each tile. */
#include "tiled/tiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Most tiles of a set: Tiled keeps the four highest bits of a tile's number for flips.
enum { MAX_TILES = 1 << 28 };

static int by_id(const void *a, const void *b) {
    uint32_t one = ((const wend__tile *)a)->id, two = ((const wend__tile *)b)->id;
    return one < two ? -1 : one > two;
}

/// Get the class of a tile from its properties: blocked, stairs, its cost, or open.
static wend_error read_class(const wend__tiled *t, const json_t *tile, const char *what, uint8_t *out) {
    json_t *blocked, *stairs, *cost;
    wend_error error = wend__tiled_property(t, tile, what, "blocked", &blocked);
    if (!error) error = wend__tiled_property(t, tile, what, "stairs", &stairs);
    if (!error) error = wend__tiled_property(t, tile, what, "cost", &cost);
    if (error) return error;
    if ((blocked && !json_is_boolean(blocked)) || (stairs && !json_is_boolean(stairs)))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property '%s' must be true or false (type bool)", what,
                                blocked && !json_is_boolean(blocked) ? "blocked" : "stairs");
    if (cost && (!json_is_integer(cost) || json_integer_value(cost) < 1 || json_integer_value(cost) > 255))
        return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                "%s: property 'cost' must be a whole number from 1 to 255 (type int)", what);
    *out = WEND_CLASS_OPEN;
    if (cost) *out = (uint8_t)json_integer_value(cost);
    if (json_is_true(stairs)) *out = WEND_CLASS_STAIRS;
    if (json_is_true(blocked)) *out = WEND_CLASS_BLOCKED;
    return WEND_OK;
}

static wend_error read_tile(const wend__tiled *t, const json_t *tile, const char *what, wend__tile *out) {
    int64_t id;
    wend_error error = wend__tiled_whole(t, tile, what, "id", 0, MAX_TILES - 1, &id);
    if (error) return error;
    char name[WEND__NAME_BYTES + 48];
    snprintf(name, sizeof name, "%s, tile %d", what, (int)id);
    out->id = (uint32_t)id;
    return read_class(t, tile, name, &out->terrain);
}

static wend_error read_tiles(const wend__tiled *t, const json_t *list, const char *what, wend__tileset *set) {
    size_t count = json_array_size(list);
    if (list && !json_is_array(list))
        return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                "%s: 'tiles' is no list: written by a Tiled before 1.2? Save it again", what);
    if (!count) return WEND_OK;
    set->tiles = malloc(count * sizeof *set->tiles);
    if (!set->tiles) return wend__tiled_fail(t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    for (size_t i = 0; i < count; i++) {
        wend_error error = read_tile(t, json_array_get(list, i), what, &set->tiles[i]);
        if (error) return error;
    }
    set->tile_count = count;
    qsort(set->tiles, count, sizeof *set->tiles, by_id);
    for (size_t i = 1; i < count; i++)
        if (set->tiles[i].id == set->tiles[i - 1].id)
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: tile %d is there twice", what, (int)set->tiles[i].id);
    if (set->tiles[count - 1].id >= set->count) set->count = set->tiles[count - 1].id + 1;
    return WEND_OK;
}

static wend_error read_set(const wend__tiled *t, const json_t *json, const char *what, wend__tileset *set) {
    int64_t count = 0;
    wend_error error = wend__tiled_whole(t, json, what, "tilecount", 0, MAX_TILES, &count);
    if (error) return error;
    if (json_object_get(json, "tileproperties"))
        return wend__tiled_fail(t, WEND_BAD_FORMAT,
                                "%s: 'tileproperties' was written by a Tiled before 1.2: save it again", what);
    set->count = (uint32_t)count;
    return read_tiles(t, json_object_get(json, "tiles"), what, set);
}

/// Join folder and source; an absolute source stays as it is.
static char *join(const char *folder, const char *source) {
    bool alone = source[0] == '/' || !*folder;
    size_t bytes = strlen(folder) + strlen(source) + 2;
    char *path = malloc(bytes);
    if (path) snprintf(path, bytes, "%s%s%s", alone ? "" : folder, alone ? "" : "/", source);
    return path;
}

static wend_error read_external(const wend__tiled *t, const char *source, const char *what, wend__tileset *set) {
    size_t length = strlen(source), size = 0;
    if (length >= 4 && strcmp(source + length - 4, ".tsx") == 0)
        return wend__tiled_fail(t, WEND_UNSUPPORTED,
                                "%s is XML, which is not read: embed it in the map, or export it as .tsj", what);
    if (!t->folder)
        return wend__tiled_fail(t, WEND_UNSUPPORTED,
                                "%s is a file of its own, which is read only beside a map that is a file", what);
    char *path = join(t->folder, source), *bytes = NULL, before[WEND__NAME_BYTES + 32];
    if (!path) return wend__tiled_fail(t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    snprintf(before, sizeof before, "%s ", what);
    json_t *json = NULL;
    wend_error error = wend__tiled_file(t, path, before, &bytes, &size);
    free(path);
    if (!error) error = wend__tiled_json(t, bytes, size, what, &json);
    free(bytes);
    if (error) return error;
    const char *type = wend__tiled_string(json, "type");
    if (!type || strcmp(type, "tileset") != 0)
        error = wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: no Tiled tileset: its 'type' is not \"tileset\"", what);
    if (!error) error = read_set(t, json, what, set);
    json_decref(json);
    return error;
}

static wend_error read_one(const wend__tiled *t, const json_t *json, size_t number, wend__tileset *set) {
    char what[WEND__NAME_BYTES + 16], name[WEND__NAME_BYTES];
    const char *source = wend__tiled_string(json, "source"), *text = wend__tiled_string(json, "name");
    wend__tiled_quote(source ? source : text, name);
    if (source || text)
        snprintf(what, sizeof what, "tileset %s", name);
    else
        snprintf(what, sizeof what, "tileset %zu", number + 1);
    int64_t first;
    wend_error error = wend__tiled_whole(t, json, what, "firstgid", 1, MAX_TILES - 1, &first);
    if (error) return error;
    set->first = (uint32_t)first;
    if (number && set[-1].first >= set->first)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: 'firstgid' %d is not above that of the tileset before", what,
                                (int)first);
    return source ? read_external(t, source, what, set) : read_set(t, json, what, set);
}

wend_error wend__tilesets_read(wend__tiled *t) {
    const json_t *list = json_object_get(t->root, "tilesets");
    size_t count = json_array_size(list);
    if (!json_is_array(list)) return wend__tiled_fail(t, WEND_BAD_FORMAT, "expected 'tilesets', a list");
    if (!count) return WEND_OK;
    t->tilesets = calloc(count, sizeof *t->tilesets);
    if (!t->tilesets) return wend__tiled_fail(t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    for (size_t i = 0; i < count; i++) {
        t->tileset_count = i + 1;
        wend_error error = read_one(t, json_array_get(list, i), i, &t->tilesets[i]);
        if (error) return error;
    }
    return WEND_OK;
}

void wend__tilesets_drop(wend__tiled *t) {
    for (size_t i = 0; i < t->tileset_count; i++) free(t->tilesets[i].tiles);
    free(t->tilesets);
}

int32_t wend__tile_class(const wend__tiled *t, uint32_t number) {
    size_t low = 0, high = t->tileset_count; /* the last that begins at or below the number */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->tilesets[middle].first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return -1;
    const wend__tileset *set = &t->tilesets[low - 1];
    wend__tile key = {.id = number - set->first};
    if (key.id >= set->count) return -1;
    const wend__tile *tile = set->tile_count ? bsearch(&key, set->tiles, set->tile_count, sizeof key, by_id) : NULL;
    return tile ? tile->terrain : WEND_CLASS_OPEN;
}
