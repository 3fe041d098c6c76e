/* SPDX-License-Identifier: MIT */
/* Reads the objects of a Tiled map: start, goal, links and routes. */
#include "tiled/tiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wend/ways.h>

typedef struct object {
    int64_t id; ///< 0: it has none
    const json_t *json;
    const char *layer; ///< its layer's name, or NULL
    int32_t level;     ///< of the floor of its layer's storey
} object;

typedef struct objects {
    object *list;
    size_t count, capacity;
    wend_edit *edit;
    wend_tiled *beside;
} objects;

typedef struct point {
    double x, y;
} point;

static wend_error out_of_memory(const wend__tiled *t) {
    return wend__tiled_fail(t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
}

static wend_error collect(wend__tiled *t, const json_t *layer, void *context) {
    objects *o = context;
    const json_t *list = json_object_get(layer, "objects");
    const char *name = wend__tiled_string(layer, "name");
    char quote[WEND__NAME_BYTES];
    wend__tiled_quote(name, quote);
    if (!json_is_array(list))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: expected 'objects', a list", quote);
    if (t->storey && t->storey >= t->storeys)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: no layer of tiles is of storey %d", quote,
                                (int)t->storey);
    const int32_t level = wend__tiled_level(t);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (o->count == o->capacity) {
            size_t capacity = o->capacity ? 2 * o->capacity : 64;
            object *grown = realloc(o->list, capacity * sizeof *grown);
            if (!grown) return out_of_memory(t);
            o->list = grown, o->capacity = capacity;
        }
        const json_t *json = json_array_get(list, i);
        if (!json_is_object(json))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "layer %s: object %zu is no JSON object", quote, i + 1);
        o->list[o->count++] = (object){
            .id = json_integer_value(json_object_get(json, "id")), .json = json, .layer = name, .level = level};
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

/// A finite number under a key; missing is 0.
static bool number(const json_t *json, const char *key, double *out) {
    enum { LARGEST = 1 << 30 };
    const json_t *value = json_object_get(json, key);
    *out = value ? json_number_value(value) : 0;
    return (!value || json_is_number(value)) && *out >= -LARGEST && *out <= LARGEST;
}

static wend_error cell_at(const wend__tiled *t, const object *o, point p, const char *what, wend_cell *out) {
    double x = floor(p.x / t->cell_width) - t->left, y = floor(p.y / t->cell_height) - t->top;
    if (!(x >= 0 && y >= 0 && x < t->width && y < t->height))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s is not on the map: cell %.0f,%.0f", what, x + t->left,
                                y + t->top);
    *out = (wend_cell){(int32_t)x, (int32_t)y, o->level};
    return WEND_OK;
}

static int32_t place(const wend__tiled *t, const object *o, const char *what, point *at) {
    if (number(o->json, "x", &at->x) && number(o->json, "y", &at->y)) return WEND_OK;
    return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: 'x' and 'y' must be numbers of up to 2^30 pixels", what);
}

/// Find the cell of an object's middle. The position of an object that is a tile is its lower left corner; on an
/// isometric map it is the middle of its lower side, which is at the lowest corner of the cell.
static wend_error cell_of(const wend__tiled *t, const object *o, wend_cell *out) {
    char what[WHAT_BYTES];
    point at;
    double width, height, rotation;
    name_object(o, what);
    wend_error error = place(t, o, what, &at);
    if (error) return error;
    bool good = number(o->json, "width", &width) && number(o->json, "height", &height);
    if (!good || !number(o->json, "rotation", &rotation))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its size and rotation must be numbers", what);
    bool has_size = width > 0 || height > 0;
    if (has_size && (rotation > 0 || rotation < 0))
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s is rotated, so its middle is not known: use a point", what);
    bool tile = json_object_get(o->json, "gid") != NULL;
    if (tile && t->isometric) {
        at.x -= t->cell_width / 2.0;
        at.y -= t->cell_height / 2.0;
    } else {
        at.x += width / 2;
        at.y += tile ? -height / 2 : height / 2;
    }
    return cell_at(t, o, at, what, out);
}

static int by_id(const void *a, const void *b) {
    int64_t one = ((const object *)a)->id, two = ((const object *)b)->id;
    return one < two ? -1 : one > two;
}

static const object *find(const objects *sorted, int64_t id) {
    object key = {.id = id};
    return id ? bsearch(&key, sorted->list, sorted->count, sizeof key, by_id) : NULL;
}

static wend_error add_link(const wend__tiled *t, const objects *o, wend_cell from, wend_cell to, int32_t cost,
                           const char *what) {
    wend_error error = wend_edit_add_link(o->edit, from, to, cost);
    if (!error) return WEND_OK;
    return wend__tiled_fail(t, error, "%.180s: %s", what, wend_error_detail(error));
}

static wend_error link_properties(const wend__tiled *t, const object *o, const char *what, int64_t *to, int32_t *cost,
                                  bool *both) {
    json_t *target, *price, *two;
    wend_error error = wend__tiled_property(t, o->json, what, "to", &target);
    if (!error) error = wend__tiled_property(t, o->json, what, "cost", &price);
    if (!error) error = wend__tiled_property(t, o->json, what, "both", &two);
    if (error) return error;
    if (!json_is_integer(target) || json_integer_value(target) < 1)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a link needs the property 'to' (type object)", what);
    if (price &&
        (!json_is_integer(price) || json_integer_value(price) < 1 || json_integer_value(price) > WEND_MAX_COST))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property 'cost' must be a whole number from 1 to %d", what,
                                WEND_MAX_COST);
    if (two && !json_is_boolean(two))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: property 'both' must be true or false (type bool)", what);
    *to = json_integer_value(target);
    *cost = price ? (int32_t)json_integer_value(price) : t->rules.cost_straight;
    *both = json_is_true(two);
    return WEND_OK;
}

static wend_error read_link(const wend__tiled *t, const objects *sorted, const object *o, const char *what) {
    int64_t id = 0;
    int32_t cost = 0;
    bool both = false;
    wend_cell from, to;
    wend_error error = link_properties(t, o, what, &id, &cost, &both);
    if (error) return error;
    const object *target = find(sorted, id);
    if (!target)
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: its link leads to object %lld, which is not there", what,
                                (long long)id);
    error = cell_of(t, o, &from);
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
    point at = {0, 0}, corner;
    wend_error error = place(t, o, what, &at);
    for (size_t i = 0; i < json_array_size(line) && !error; i++) {
        const json_t *json = json_array_get(line, i);
        wend_cell cell;
        if (!number(json, "x", &corner.x) || !number(json, "y", &corner.y))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: corner %zu has no place", what, i + 1);
        error = cell_at(t, o, (point){at.x + corner.x, at.y + corner.y}, what, &cell);
        bool again = *count && cells[*count - 1].x == cell.x && cells[*count - 1].y == cell.y;
        if (!error && !again) cells[(*count)++] = cell;
    }
    return error;
}

static wend_error check_route(const wend__tiled *t, const objects *o, const object *route, const char *what,
                              const json_t *line) {
    const char *name = wend__tiled_string(route->json, "name");
    double rotation;
    if (!json_array_size(line))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a route must be a polyline or a polygon", what);
    if (!name || !*name) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: a route needs a name", what);
    if (!number(route->json, "rotation", &rotation) || rotation > 0 || rotation < 0)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: a route may not be rotated", what);
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
    if (!grown) return out_of_memory(t);
    beside->routes = grown;
    size_t corners = json_array_size(line), count = 0;
    wend_cell *cells = malloc((corners + 1) * sizeof *cells);
    char *copy = malloc(strlen(name) + 1);
    if (!cells || !copy)
        error = out_of_memory(t);
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

static wend_error read_marker(const wend__tiled *t, const object *o, const char *what, int32_t *has, wend_cell *cell) {
    if (*has) return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: there is one of its class already", what);
    *has = 1;
    return cell_of(t, o, cell);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* An object without a name, or without a place on the map, is not listed, and no mistake. */
static wend_error list_object(const wend__tiled *t, const objects *all, const object *o, const char *type) {
    const char *name = wend__tiled_string(o->json, "name");
    wend_tiled *beside = all->beside;
    wend__tiled quiet = *t;
    wend_cell cell;
    quiet.error = NULL;
    if (!name || !*name || cell_of(&quiet, o, &cell)) return WEND_OK;
    wend_tiled_object *grown = realloc((void *)(uintptr_t)beside->objects, (beside->object_count + 1) * sizeof *grown);
    if (!grown) return out_of_memory(t);
    beside->objects = grown;
    wend_tiled_object *added = &grown[beside->object_count++];
    *added = (wend_tiled_object){copy_of(name), copy_of(type ? type : ""), cell};
    return added->name && added->type ? WEND_OK : out_of_memory(t);
}

static wend_error read_object(const wend__tiled *t, const objects *sorted, const object *o) {
    char what[WHAT_BYTES];
    wend_map_markers *markers = t->markers;
    const char *type = wend__tiled_string(o->json, "type");
    if (!type || !*type) type = wend__tiled_string(o->json, "class"); /* as Tiled 1.9 writes it */
    name_object(o, what);
    if (json_object_get(o->json, "template"))
        return wend__tiled_fail(t, WEND_UNSUPPORTED,
                                "%s is made from a template, which is not read: detach it in Tiled", what);
    if (!type) return list_object(t, sorted, o, type);
    if (strcmp(type, "start") == 0) return read_marker(t, o, what, &markers->has_start, &markers->start);
    if (strcmp(type, "goal") == 0) return read_marker(t, o, what, &markers->has_goal, &markers->goal);
    if (strcmp(type, "link") == 0) return read_link(t, sorted, o, what);
    if (strcmp(type, "route") == 0) return read_route(t, sorted, o, what);
    return list_object(t, sorted, o, type);
}

/// Copy the objects, sorted by id; those without an id come first.
static wend_error sort(const wend__tiled *t, const objects *all, objects *sorted) {
    *sorted = *all;
    sorted->list = malloc(all->count * sizeof *all->list);
    if (!sorted->list) return out_of_memory(t);
    memcpy(sorted->list, all->list, all->count * sizeof *all->list);
    qsort(sorted->list, all->count, sizeof *all->list, by_id);
    for (size_t i = 1; i < all->count; i++)
        if (sorted->list[i].id && sorted->list[i].id == sorted->list[i - 1].id)
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "object %lld is there twice", (long long)sorted->list[i].id);
    return WEND_OK;
}

wend_error wend__tiled_objects(wend__tiled *t, wend_edit *edit, wend_tiled *beside) {
    objects all = {.edit = edit, .beside = beside}, sorted = {0};
    wend_error error = wend__tiled_layers(t, "objectgroup", collect, &all);
    if (!error && all.count) error = sort(t, &all, &sorted);
    for (size_t i = 0; i < all.count && !error; i++) error = read_object(t, &sorted, &all.list[i]);
    free(all.list);
    free(sorted.list);
    return error;
}
