/* SPDX-License-Identifier: MIT */
/* Reads the objects of a Tiled map: start, goal, links and routes. */
#include "tiled/tiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

typedef struct object {
    int64_t id; ///< 0: no id
    const json_t *json;
    const char *layer;   ///< its layer's name, or NULL
    wend__pixels offset; ///< offset of its layer, in the coordinates of objects
    int32_t level;       ///< level of the floor of its layer's storey
    bool again;          ///< an object before it has its id
    size_t place;        ///< among all
} object;

typedef struct objects {
    object *list;
    size_t count, capacity;
    wend_edit *edit;
    wend_tiled *beside;
} objects;

static wend_error collect(wend__tiled *t, const json_t *layer, void *context) {
    objects *o = context;
    const json_t *list = json_object_get(layer, "objects");
    const char *name = wend__tiled_string(layer, "name");
    char quote[WEND__NAME_BYTES];
    wend__tiled_quote(name, quote);
    if (!json_is_array(list))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: expected 'objects', a list", quote);
    if (t->layer.storey && t->layer.storey >= t->storeys)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: no layer of tiles is of storey %d", quote,
                                (int)t->layer.storey);
    const int32_t level = wend__tiled_level(t);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (o->count == o->capacity) {
            size_t capacity = o->capacity ? 2 * o->capacity : 64;
            object *grown = realloc(o->list, capacity * sizeof *grown);
            if (!grown) return wend__tiled_no_memory(t);
            o->list = grown, o->capacity = capacity;
        }
        const json_t *json = json_array_get(list, i);
        if (!json_is_object(json))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: object %zu is no JSON object", quote, i + 1);
        const int64_t id = json_integer_value(json_object_get(json, "id"));
        o->list[o->count++] =
            (object){.id = id, .json = json, .layer = name, .offset = wend__tiled_object_offset(t), .level = level};
    }
    return WEND_OK;
}

/// "object 7 'gate' in layer 'things'"
#define WHAT_BYTES (2 * WEND__NAME_BYTES + 48)
static void name_object(const object *o, char out[WHAT_BYTES]) {
    char name[WEND__NAME_BYTES], layer[WEND__NAME_BYTES];
    const char *text = wend__tiled_string(o->json, "name");
    wend__tiled_quote(text, name);
    wend__tiled_quote(o->layer, layer);
    bool named = text && *text;
    snprintf(out, WHAT_BYTES, "object %lld%s%s in layer %s", (long long)o->id, named ? " " : "", named ? name : "",
             layer);
}

static wend_error cell_at(const wend__tiled *t, const object *o, wend__pixels p, const char *what, wend_cell *out) {
    if (t->slant) {
        if (wend__tiled_slant_cell(t, p, out)) return WEND_OK;
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s is not on the map: pixel %.0f,%.0f", what, p.x, p.y);
    }
    double x = floor(p.x / t->cell_width) - t->left, y = floor(p.y / t->cell_height) - t->top;
    if (!(x >= 0 && y >= 0 && x < t->width && y < t->height))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s is not on the map: cell %.0f,%.0f", what, x + t->left,
                                y + t->top);
    *out = (wend_cell){(int32_t)x, (int32_t)y, o->level};
    return WEND_OK;
}

static wend_error place(const wend__tiled *t, const object *o, const char *what, wend__pixels *at) {
    if (!wend__tiled_number(o->json, "x", &at->x) || !wend__tiled_number(o->json, "y", &at->y))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: 'x' and 'y' must be numbers of up to 2^30 pixels", what);
    at->x += o->offset.x, at->y += o->offset.y;
    return WEND_OK;
}

/// Turn a vector clockwise, as Tiled does.
static wend__pixels turned(wend__pixels by, double degrees) {
    if (!(degrees > 0 || degrees < 0)) return by;
    const double angle = degrees * 0.017453292519943295, sine = sin(angle), cosine = cos(angle);
    return (wend__pixels){by.x * cosine - by.y * sine, by.x * sine + by.y * cosine};
}

/* Returns the tileset of an object that is a tile, and its number in layers. Numbers of templates begin with 1. */
static const wend__tileset *set_of(const wend__tiled *t, const json_t *json, uint32_t *number) {
    const char *file = wend__tiled_string(json, "gid_of");
    const wend__tileset *set = NULL;
    for (size_t i = 0; file && i < t->tileset_count && !set; i++)
        if (t->tilesets[i].source && strcmp(t->tilesets[i].source, file) == 0) set = &t->tilesets[i];
    *number = (uint32_t)json_integer_value(json_object_get(json, "gid"));
    if (!file) return wend__tileset_of(t, *number & ~WEND__TILE_FLIPS);
    if (set) *number += set->first - 1;
    return set;
}

/// Returns where in a tile the position of an object is: as its tileset has it, else Tiled's default.
static wend__pixels alignment_of(const wend__tiled *t, const json_t *json) {
    uint32_t number;
    const wend__tileset *set = set_of(t, json, &number);
    if (set && set->aligned) return set->align;
    return t->isometric ? (wend__pixels){.5, 1} : (wend__pixels){0, 1};
}

typedef struct extent {
    wend__pixels middle; ///< pixels; of a tile on an isometric map the middle of the cell that it stands on
    double width, height;
} extent;

/* A tile's picture is upright on the screen, and stands on the lowest corner of its cell. */
static wend__pixels foot_of(const wend__tiled *t, const extent *e, wend__pixels align, double rotation) {
    const wend__pixels by = turned((wend__pixels){(.5 - align.x) * e->width, (1 - align.y) * e->height}, rotation);
    const double x = by.x / t->tile_width, y = by.y / t->tile_height;
    return (wend__pixels){(y + x - .5) * t->cell_width, (y - x - .5) * t->cell_height};
}

/// Finds an object's middle. Its position is its upper left corner, unless it is a tile.
static wend_error extent_of(const wend__tiled *t, const object *o, const char *what, extent *out) {
    double rotation;
    wend_error error = place(t, o, what, &out->middle);
    if (error) return error;
    bool good = wend__tiled_number(o->json, "width", &out->width);
    good = good && wend__tiled_number(o->json, "height", &out->height);
    if (!good || !wend__tiled_number(o->json, "rotation", &rotation))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its size and rotation must be numbers", what);
    const bool tile = json_object_get(o->json, "gid") != NULL;
    const wend__pixels align = tile ? alignment_of(t, o->json) : (wend__pixels){0, 0};
    const wend__pixels by =
        tile && t->isometric
            ? foot_of(t, out, align, rotation)
            : turned((wend__pixels){(.5 - align.x) * out->width, (.5 - align.y) * out->height}, rotation);
    out->middle.x += by.x, out->middle.y += by.y;
    return WEND_OK;
}

static wend_error cell_of(const wend__tiled *t, const object *o, wend_cell *out) {
    char what[WHAT_BYTES];
    extent e;
    name_object(o, what);
    wend_error error = extent_of(t, o, what, &e);
    return error ? error : cell_at(t, o, e.middle, what, out);
}

static int by_id(const void *a, const void *b) {
    int64_t one = ((const object *)a)->id, two = ((const object *)b)->id;
    return one < two ? -1 : one > two;
}

/// Finds the object that a link leads to.
static wend_error find(const wend__tiled *t, const objects *sorted, int64_t id, const char *what, const object **out) {
    object key = {.id = id};
    *out = id ? bsearch(&key, sorted->list, sorted->count, sizeof key, by_id) : NULL;
    if (!*out)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its link leads to object %lld, which is not there", what,
                                (long long)id);
    const object *begin = sorted->list, *end = sorted->list + sorted->count;
    const bool twice = (*out > begin && (*out)[-1].id == id) || (*out + 1 < end && (*out)[1].id == id);
    if (!twice) return WEND_OK;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its link leads to object %lld, which is there twice", what,
                            (long long)id);
}

static wend_error add_link(const wend__tiled *t, const objects *o, wend_cell from, wend_cell to, int32_t cost,
                           const char *what) {
    wend_error error = wend_edit_add_link(o->edit, &(wend_link){from, to, cost, 0});
    if (!error) return WEND_OK;
    return wend__tiled_fail(t, error, "%.180s: %s", what, wend_error_detail(error));
}

static wend_error link_properties(const wend__tiled *t, const object *o, const char *what, int64_t *to, int32_t *cost,
                                  bool *both) {
    json_t *target, *price;
    int64_t number = t->rules.cost_straight;
    bool given;
    wend_error error = wend__tiled_property(t, o->json, what, "to", &target);
    if (!error) error = wend__tiled_property(t, o->json, what, "cost", &price);
    if (error) return error;
    if (!wend__tiled_integer(target, to) || *to < 1)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a link needs the property 'to' (type object)", what);
    if (price && (!wend__tiled_integer(price, &number) || number < 1 || number > WEND_MAX_COST))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property 'cost' must be a whole number from 1 to %d", what,
                                WEND_MAX_COST);
    *cost = (int32_t)number;
    return wend__tiled_yes(t, o->json, what, "both", &given, both);
}

static wend_error read_link(const wend__tiled *t, const objects *sorted, const object *o, const char *what) {
    int64_t id = 0;
    int32_t cost = 0;
    bool both = false;
    wend_cell from, to;
    wend_error error = link_properties(t, o, what, &id, &cost, &both);
    if (error) return error;
    const object *target;
    error = find(t, sorted, id, what, &target);
    if (!error) error = cell_of(t, o, &from);
    if (!error) error = cell_of(t, target, &to);
    if (error) return error;
    if (from.x == to.x && from.y == to.y && from.z == to.z)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its link leads to its own cell %d,%d", what,
                                (int)(from.x + t->left), (int)(from.y + t->top));
    error = add_link(t, sorted, from, to, cost, what);
    if (!error && both) error = add_link(t, sorted, to, from, cost, what);
    return error;
}

static wend_error read_corners(const wend__tiled *t, const object *o, const char *what, const json_t *line,
                               wend_cell *cells, size_t *count) {
    wend__pixels at = {0, 0}, corner;
    double rotation;
    wend_error error = place(t, o, what, &at);
    if (!error && !wend__tiled_number(o->json, "rotation", &rotation))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its rotation must be a number", what);
    for (size_t i = 0; i < json_array_size(line) && !error; i++) {
        const json_t *json = json_array_get(line, i);
        wend_cell cell;
        if (!wend__tiled_number(json, "x", &corner.x) || !wend__tiled_number(json, "y", &corner.y))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: corner %zu has no place", what, i + 1);
        corner = turned(corner, rotation);
        error = cell_at(t, o, (wend__pixels){at.x + corner.x, at.y + corner.y}, what, &cell);
        if (error) return error;
        const bool again = *count && cells[*count - 1].x == cell.x && cells[*count - 1].y == cell.y;
        if (!again) cells[(*count)++] = cell;
    }
    return error;
}

static wend_error check_route(const wend__tiled *t, const objects *o, const object *route, const char *what,
                              const json_t *line) {
    const char *name = wend__tiled_string(route->json, "name");
    if (!json_array_size(line))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a route must be a polyline or a polygon", what);
    if (!name || !*name) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a route needs a name", what);
    for (size_t i = 0; i < o->beside->route_count; i++)
        if (strcmp(o->beside->routes[i].name, name) == 0)
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: there is a route of this name already", what);
    return WEND_OK;
}

static wend_error read_route(const wend__tiled *t, const objects *o, const object *route, const char *what) {
    enum { MAX_ROUTES = 4096 }; /* as names are compared one by one */
    const json_t *polygon = json_object_get(route->json, "polygon");
    const json_t *line = polygon ? polygon : json_object_get(route->json, "polyline");
    wend_error error = check_route(t, o, route, what, line);
    if (error) return error;
    wend_tiled *beside = o->beside;
    if (beside->route_count == MAX_ROUTES)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: more than %d routes", what, MAX_ROUTES);
    const char *name = wend__tiled_string(route->json, "name");
    wend_tiled_route *grown = realloc((void *)(uintptr_t)beside->routes, (beside->route_count + 1) * sizeof *grown);
    if (!grown) return wend__tiled_no_memory(t);
    beside->routes = grown;
    size_t corners = json_array_size(line), count = 0;
    wend_cell *cells = malloc((corners + 1) * sizeof *cells);
    char *copy = malloc(strlen(name) + 1);
    if (!cells || !copy)
        error = wend__tiled_no_memory(t);
    else
        error = read_corners(t, route, what, line, cells, &count);
    if (error) {
        free(cells);
        free(copy);
        return error;
    }
    memcpy(copy, name, strlen(name) + 1);
    const bool open = cells[0].x != cells[count - 1].x || cells[0].y != cells[count - 1].y;
    if (polygon && open) cells[count++] = cells[0];
    grown[beside->route_count++] = (wend_tiled_route){copy, cells, count};
    return WEND_OK;
}

static wend_error read_marker(const wend__tiled *t, const object *o, const char *what, bool *has, wend_cell *cell) {
    if (*has) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: there is one of its class already", what);
    *has = 1;
    return cell_of(t, o, cell);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/// A property's value as text, for free(); NULL: no memory.
static char *text_of(const json_t *value) {
    const char *text = json_string_value(value);
    if (text) return copy_of(text);
    return value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : copy_of("");
}

static wend_error list_properties(const wend__tiled *t, const json_t *json, wend_tiled_object *to) {
    const json_t *list = json_object_get(json, "properties");
    const size_t count = json_array_size(list);
    if (!count) return WEND_OK;
    wend_tiled_property *properties = calloc(count, sizeof *properties);
    if (!properties) return wend__tiled_no_memory(t);
    to->properties = properties;
    for (size_t i = 0; i < count; i++) {
        const json_t *property = json_array_get(list, i);
        const char *name = wend__tiled_string(property, "name");
        wend_tiled_property *added = &properties[to->property_count++];
        added->name = copy_of(name ? name : "");
        added->value = text_of(json_object_get(property, "value"));
        if (!added->name || !added->value) return wend__tiled_no_memory(t);
    }
    return WEND_OK;
}

static int32_t clamped(double cell, int32_t side) {
    return !(cell > 0) ? 0 : cell >= side ? side - 1 : (int32_t)cell;
}

/// The cells under a rectangle, as far as they are on the map.
static wend_box box_of(const wend__tiled *t, const extent *e, wend_cell cell) {
    const double left = (e->middle.x - e->width / 2) / t->cell_width - t->left;
    const double top = (e->middle.y - e->height / 2) / t->cell_height - t->top;
    const double right = ceil(left + e->width / t->cell_width) - 1, bottom = ceil(top + e->height / t->cell_height) - 1;
    if (!(e->width > 0 && e->height > 0) || t->slant) return (wend_box){cell, cell};
    return (wend_box){{clamped(floor(left), t->width), clamped(floor(top), t->height), cell.z},
                      {clamped(right, t->width), clamped(bottom, t->height), cell.z}};
}

/* An object without a name, or without a place on the map, is not listed, and no mistake. */
static wend_error list_object(const wend__tiled *t, const objects *all, const object *o, const char *type) {
    const char *name = wend__tiled_string(o->json, "name");
    wend_tiled *beside = all->beside;
    wend__tiled quiet = *t;
    wend_cell cell;
    extent e;
    quiet.error = NULL;
    if (!name || !*name || extent_of(&quiet, o, "", &e) || cell_at(&quiet, o, e.middle, "", &cell)) return WEND_OK;
    wend_tiled_object *grown = realloc((void *)(uintptr_t)beside->objects, (beside->object_count + 1) * sizeof *grown);
    if (!grown) return wend__tiled_no_memory(t);
    beside->objects = grown;
    wend_tiled_object *added = &grown[beside->object_count++];
    *added = (wend_tiled_object){.name = copy_of(name),
                                 .type = copy_of(type ? type : ""),
                                 .cell = cell,
                                 .width = e.width,
                                 .height = e.height,
                                 .box = box_of(t, &e, cell)};
    return added->name && added->type ? list_properties(t, o->json, added) : wend__tiled_no_memory(t);
}

static wend_error read_object(const wend__tiled *t, const objects *sorted, const object *o) {
    char what[WHAT_BYTES];
    wend_map_markers *markers = t->markers;
    const char *type = wend__tiled_class(o->json);
    name_object(o, what);
    if (!type) return list_object(t, sorted, o, type);
    if (strcmp(type, "start") == 0) return read_marker(t, o, what, &markers->has_start, &markers->start);
    if (strcmp(type, "goal") == 0) return read_marker(t, o, what, &markers->has_goal, &markers->goal);
    if (strcmp(type, "link") == 0) return read_link(t, sorted, o, what);
    if (strcmp(type, "route") == 0) return read_route(t, sorted, o, what);
    return list_object(t, sorted, o, type);
}

static int by_id_and_place(const void *a, const void *b) {
    const object *one = a, *two = b;
    const int order = by_id(a, b);
    return order ? order : one->place < two->place ? -1 : one->place > two->place;
}

/// Copies the objects, sorted by id; those without an id come first. Of two with one id only the first counts.
static wend_error sort(const wend__tiled *t, objects *all, objects *sorted) {
    *sorted = *all;
    sorted->list = malloc(all->count * sizeof *all->list);
    if (!sorted->list) return wend__tiled_no_memory(t);
    for (size_t i = 0; i < all->count; i++) all->list[i].place = i;
    memcpy(sorted->list, all->list, all->count * sizeof *all->list);
    qsort(sorted->list, all->count, sizeof *all->list, by_id_and_place);
    for (size_t i = 1; i < all->count; i++) {
        if (!sorted->list[i].id || sorted->list[i].id != sorted->list[i - 1].id) continue;
        all->list[sorted->list[i].place].again = true;
        wend__tiled_note(t, WEND__NOTE_SAME_ID, "object %lld is there twice: the first counts",
                         (long long)sorted->list[i].id);
    }
    return WEND_OK;
}

wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside) {
    objects all = {.edit = edit, .beside = beside}, sorted = {0};
    wend_error error = wend__tiled_layers(t, "objectgroup", collect, &all);
    if (!error && all.count) error = sort(t, &all, &sorted);
    for (size_t i = 0; i < all.count && !error; i++)
        if (!all.list[i].again) error = read_object(t, &sorted, &all.list[i]);
    free(all.list);
    free(sorted.list);
    return error;
}

/* ---- what Tiled draws besides tiles of layers ---- */

/// Adds an object that is a tile: its number, its place on the screen, where in the tile that is, its size (0: the
/// tile's) and its rotation in degrees.
static bool add_object(const wend__tiled *t, json_t *list, const json_t *json) {
    wend__pixels at;
    double width, height, rotation;
    const json_t *shown = json_object_get(json, "visible");
    uint32_t number;
    bool good = wend__tiled_number(json, "x", &at.x) && wend__tiled_number(json, "y", &at.y);
    good = good && wend__tiled_number(json, "width", &width) && wend__tiled_number(json, "height", &height);
    if (!good || !wend__tiled_number(json, "rotation", &rotation)) return true;
    if (!json_object_get(json, "gid") || (shown && wend__tiled_truth(shown) == 0)) return true;
    if (!set_of(t, json, &number)) return true;
    const wend__pixels align = alignment_of(t, json);
    if (t->isometric) {
        const double right = at.x / t->cell_width, down = at.y / t->cell_height;
        at = (wend__pixels){(right - down) * t->tile_width / 2, (right + down) * t->tile_height / 2};
    }
    return json_array_append_new(list, json_pack("[Ifffffff]", (json_int_t)number, at.x, at.y, align.x, align.y, width,
                                                 height, rotation)) == 0;
}

static wend_error add_objects(wend__tiled *t, const json_t *layer, void *context) {
    const json_t *rows = json_object_get(layer, "objects");
    const char *order = wend__tiled_string(layer, "draworder");
    json_t *list = json_array();
    bool good = list != NULL;
    (void)context;
    for (size_t i = 0; i < json_array_size(rows) && good; i++) good = add_object(t, list, json_array_get(rows, i));
    if (good && json_array_size(list) > 0 && t->layer.see_through < 1)
        return wend__tiled_scene_layer(
            t, json_pack("{sosb}", "objects", list, "by_index", order && strcmp(order, "index") == 0));
    json_decref(list);
    return good ? WEND_OK : wend__tiled_no_memory(t);
}

static bool is_set(const json_t *json, const char *key) {
    const json_t *value = json_object_get(json, key);
    return value && wend__tiled_truth(value) == 1;
}

static wend_error add_image_layer(wend__tiled *t, const json_t *layer, void *context) {
    json_int_t image;
    (void)context;
    if (t->layer.see_through >= 1) return WEND_OK;
    const wend_error error = wend__tiled_scene_image(t, layer, &image);
    if (error || image < 0) return error;
    return wend__tiled_scene_layer(
        t, json_pack("{sIs[bb]}", "image", image, "repeat", is_set(layer, "repeatx"), is_set(layer, "repeaty")));
}

wend_error wend__tiled_scene_rest(wend__tiled *t) {
    if (!t->scene.root) return WEND_OK;
    const wend_error error = wend__tiled_layers(t, "objectgroup", add_objects, NULL);
    return error ? error : wend__tiled_layers(t, "imagelayer", add_image_layer, NULL);
}
