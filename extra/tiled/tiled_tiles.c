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

/// The size of a tile, in pixels: its picture's, its set's, or the map's.
static void tile_size(const wend__tiled *t, const json_t *set, const json_t *tile, double *width, double *height) {
    const json_t *picture = json_object_get(tile, "picture");
    static const char *const wide[] = {"width", "imagewidth", "tilewidth"};
    static const char *const high[] = {"height", "imageheight", "tileheight"};
    const json_t *const owners[] = {tile, picture, tile, set};
    const int32_t keys[] = {0, 0, 1, 2};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
        const bool good =
            wend__tiled_number(owners[i], wide[keys[i]], width) && wend__tiled_number(owners[i], high[keys[i]], height);
        if (good && *width >= 1 && *height >= 1) return;
    }
    *width = t->tile_width, *height = t->tile_height;
}

/// Collision shapes decide for a tile without a property that does.
static wend_error read_shapes(const wend__tiled *t, const json_t *set, const json_t *tile, bool *blocked) {
    const json_t *group = json_object_get(tile, "objectgroup");
    double width, height;
    if (!json_array_size(json_object_get(group, "objects"))) return WEND_OK;
    tile_size(t, set, tile, &width, &height);
    wend_error error = wend__tiled_half_covered(t, group, width, height, blocked);
    if (!error) wend__tiled_note_shapes(t, *blocked);
    return error;
}

/// Gets the class of a tile: blocked, stairs, its cost, or open.
static wend_error read_class(const wend__tiled *t, const json_t *set, const json_t *tile, const char *what,
                             uint8_t *out) {
    bool said, stairs, has_stairs, blocked;
    wend__tiled_name *by;
    int32_t cost;
    wend_error error = wend__tiled_blocks(t, tile, what, &said, &by);
    if (!error) error = wend__tiled_yes(t, tile, what, "stairs", &has_stairs, &stairs);
    if (!error) error = wend__tiled_cost(t, tile, what, &cost);
    blocked = by != NULL;
    if (!error && !said) error = read_shapes(t, set, tile, &blocked);
    if (error) return error;
    if (by) by->tiles++;
    if (said || has_stairs || t->costs->list[0].tiles) wend__tiled_note_said(t);
    *out = cost ? (uint8_t)cost : WEND_CLASS_OPEN;
    if (stairs) *out = WEND_CLASS_STAIRS;
    if (blocked) *out = WEND_CLASS_BLOCKED;
    return WEND_OK;
}

static wend_error read_tile(const wend__tiled *t, const json_t *set, const json_t *tile, const char *what,
                            wend__tile *out) {
    int64_t id;
    wend_error error = wend__tiled_whole(t, tile, what, "id", 0, MAX_TILES - 1, &id);
    if (error) return error;
    char name[WEND__NAME_BYTES + 48];
    snprintf(name, sizeof name, "%s, tile %d", what, (int)id);
    out->id = (uint32_t)id;
    return read_class(t, set, tile, name, &out->terrain);
}

static wend_error read_tiles(const wend__tiled *t, const json_t *json, const char *what, wend__tileset *set) {
    const json_t *list = json_object_get(json, "tiles");
    size_t count = json_array_size(list);
    if (list && !json_is_array(list)) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: 'tiles' is no list", what);
    if (!count) return WEND_OK;
    set->tiles = malloc(count * sizeof *set->tiles);
    if (!set->tiles) return wend__tiled_no_memory(t);
    for (size_t i = 0; i < count; i++) {
        wend_error error = read_tile(t, json, json_array_get(list, i), what, &set->tiles[i]);
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

/// Reads where in a tile the position of an object is.
static void read_alignment(const json_t *json, wend__tileset *set) {
    static const struct {
        const char *word;
        wend__pixels at;
    } known[] = {{"topleft", {0, 0}},    {"top", {.5, 0}},     {"topright", {1, 0}},
                 {"left", {0, .5}},      {"center", {.5, .5}}, {"right", {1, .5}},
                 {"bottomleft", {0, 1}}, {"bottom", {.5, 1}},  {"bottomright", {1, 1}}};
    const char *word = wend__tiled_string(json, "objectalignment");
    for (size_t i = 0; word && i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i].word) == 0) set->align = known[i].at, set->aligned = true;
}

/* Tiled writes no count of tiles for a set without its picture. All its tiles are open then. */
static wend_error read_set(const wend__tiled *t, const json_t *json, const char *what, wend__tileset *set) {
    int64_t count = 0;
    wend_error error = WEND_OK;
    if (json_object_get(json, "tilecount")) error = wend__tiled_whole(t, json, what, "tilecount", 0, MAX_TILES, &count);
    if (error) return error;
    if (!count) wend__tiled_note(t, WEND__NOTE_SET_COUNT, "%s does not say how many tiles it has", what);
    set->count = count ? (uint32_t)count : MAX_TILES;
    read_alignment(json, set);
    error = wend__tiled_scene_set(t, json, set->first, set->source);
    return error ? error : read_tiles(t, json, what, set);
}

static wend_error read_external(const wend__tiled *t, const char *what, wend__tileset *set) {
    json_t *json;
    wend_error error = wend__tiled_beside(t, set->source, what, &json);
    if (error) return error;
    if (!json) {
        wend__tiled_note(t, WEND__NOTE_SET_MISSING, "%s is missing: its tiles say nothing", what);
        set->count = MAX_TILES;
        return WEND_OK;
    }
    const char *type = wend__tiled_string(json, "type");
    if (type && strcmp(type, "tileset") != 0)
        error = wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: no Tiled tileset: its 'type' is not \"tileset\"", what);
    if (!type) wend__tiled_note(t, WEND__NOTE_SET_TYPE, "%s has no 'type': read as a tileset of an old Tiled", what);
    if (!error) error = read_set(t, json, what, set);
    json_decref(json);
    return error;
}

/// "tileset 'walls'"
enum { WHAT_BYTES = WEND__NAME_BYTES + 16 };
static void name_set(const json_t *json, size_t number, char out[WHAT_BYTES]) {
    char name[WEND__NAME_BYTES];
    const char *source = wend__tiled_string(json, "source"), *text = source ? source : wend__tiled_string(json, "name");
    wend__tiled_quote(text, name);
    if (text)
        snprintf(out, WHAT_BYTES, "tileset %s", name);
    else
        snprintf(out, WHAT_BYTES, "tileset %zu", number + 1);
}

static wend_error read_one(const wend__tiled *t, const json_t *json, size_t number, wend__tileset *set) {
    char what[WHAT_BYTES];
    int64_t first;
    name_set(json, number, what);
    wend_error error = wend__tiled_whole(t, json, what, "firstgid", 1, MAX_TILES - 1, &first);
    if (error) return error;
    set->first = (uint32_t)first, set->order = number;
    set->source = wend__tiled_string(json, "source");
    if (number && set[-1].first > set->first)
        wend__tiled_note(t, WEND__NOTE_SET_ORDER, "%s: 'firstgid' %d is not above that of the tileset before", what,
                         (int)first);
    return set->source ? read_external(t, what, set) : read_set(t, json, what, set);
}

static int by_first(const void *a, const void *b) {
    const wend__tileset *one = a, *two = b;
    if (one->first != two->first) return one->first < two->first ? -1 : 1;
    return one->order < two->order ? -1 : one->order > two->order;
}

wend_error wend__tilesets_read(wend__tiled *t) {
    const json_t *list = json_object_get(t->root, "tilesets");
    size_t count = json_array_size(list);
    if (!json_is_array(list)) return wend__tiled_fail(t, WEND_BAD_FORMAT, "expected 'tilesets', a list");
    if (!count) return WEND_OK;
    t->tilesets = calloc(count, sizeof *t->tilesets);
    if (!t->tilesets) return wend__tiled_no_memory(t);
    for (size_t i = 0; i < count; i++) {
        t->tileset_count = i + 1;
        wend_error error = read_one(t, json_array_get(list, i), i, &t->tilesets[i]);
        if (error) return error;
    }
    qsort(t->tilesets, count, sizeof *t->tilesets, by_first);
    for (size_t i = 1; i < count; i++)
        if (t->tilesets[i].first == t->tilesets[i - 1].first)
            wend__tiled_note(t, WEND__NOTE_SET_SAME, "two tilesets have the 'firstgid' %d: the later counts",
                             (int)t->tilesets[i].first);
    return WEND_OK;
}

void wend__tilesets_drop(wend__tiled *t) {
    for (size_t i = 0; i < t->tileset_count; i++) free(t->tilesets[i].tiles);
    free(t->tilesets);
}

const wend__tileset *wend__tileset_of(const wend__tiled *t, uint32_t number) {
    size_t low = 0, high = t->tileset_count; /* the last that begins at or below the number */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->tilesets[middle].first <= number)
            low = middle + 1;
        else
            high = middle;
    }
    const wend__tileset *set = low ? &t->tilesets[low - 1] : NULL;
    return set && number - set->first < set->count ? set : NULL;
}

int32_t wend__tile_class(const wend__tiled *t, uint32_t number) {
    const wend__tileset *set = wend__tileset_of(t, number);
    if (!set) return -1;
    const wend__tile key = {.id = number - set->first};
    const wend__tile *tile = set->tile_count ? bsearch(&key, set->tiles, set->tile_count, sizeof key, by_id) : NULL;
    return tile ? tile->terrain : WEND_CLASS_OPEN;
}
