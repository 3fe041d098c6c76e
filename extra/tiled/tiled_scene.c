/* SPDX-License-Identifier: MIT */
/* Collects what Tiled draws of a map: layers of tiles that are shown, the pictures of tilesets, and where a cell of the
 * map is among them. For hosts that draw it; nothing here decides about cells. */
#include "tiled/tiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *pair(wend__pixels at) {
    return json_pack("[ff]", at.x, at.y);
}

wend_error wend__tiled_scene_begin(wend__tiled *t) {
    wend__tiled_scene *scene = &t->scene;
    if (!t->how.scene) return WEND_OK;
    scene->root = json_pack("{s[]s[]}", "tilesets", "blocks");
    scene->sets = json_object_get(scene->root, "tilesets");
    scene->blocks = json_object_get(scene->root, "blocks");
    scene->images = json_object();
    return scene->blocks && scene->images ? WEND_OK : wend__tiled_no_memory(t);
}

void wend__tiled_scene_drop(wend__tiled_scene *scene) {
    json_decref(scene->runs);
    json_decref(scene->images);
    json_decref(scene->root);
}

/* ---- tilesets ---- */

/// Returns the path of an image from the map's folder, to be freed; NULL: no memory.
static char *path_of(const char *source, const char *image) {
    const char *slash = source ? strrchr(source, '/') : NULL, *back = source ? strrchr(source, '\\') : NULL;
    if (!slash || (back && back > slash)) slash = back;
    const int folder = slash && *image != '/' && *image != '\\' ? (int)(slash - source) + 1 : 0;
    const size_t bytes = (size_t)folder + strlen(image) + 1;
    char *path = malloc(bytes);
    if (!path) return NULL;
    snprintf(path, bytes, "%.*s%s", folder, source ? source : "", image);
    for (char *at = path; *at; at++)
        if (*at == '\\') *at = '/'; /* Tiled of Windows wrote them */
    return path;
}

/// Finds the number of an image, which is added where it is new. @param number   receives −1 where there is no image
static wend_error number_image(const wend__tiled *t, const char *source, const char *image, json_int_t *number) {
    json_t *images = t->scene.images;
    *number = -1;
    if (!image || !*image) return WEND_OK;
    char *path = path_of(source, image);
    const json_t *known = path ? json_object_get(images, path) : NULL;
    *number = known ? json_integer_value(known) : (json_int_t)json_object_size(images);
    const bool good = path && (known || json_object_set_new(images, path, json_integer(*number)) == 0);
    free(path);
    return good ? WEND_OK : wend__tiled_no_memory(t);
}

/// Returns the name of the image of a tileset or tile, as JSON or XML have it; NULL: it has none of its own.
static const char *image_of(const json_t *owner) {
    const char *image = wend__tiled_string(owner, "image");
    return image ? image : wend__tiled_string(json_object_get(owner, "picture"), "source");
}

/// Returns a number under a key; 0 where it is none.
static double number_under(const json_t *json, const char *key) {
    double value;
    return wend__tiled_number(json, key, &value) ? value : 0;
}

/* A picture of its own: the id, the image and the part of it that is the tile; 0 wide: all of it. */
static wend_error add_picture(const wend__tiled *t, json_t *list, const json_t *tile, const char *source) {
    const json_t *id = json_object_get(tile, "id");
    json_int_t image;
    const wend_error error = number_image(t, source, image_of(tile), &image);
    if (error || image < 0 || !json_is_integer(id)) return error;
    json_t *row = json_pack("[IIffff]", json_integer_value(id), image, number_under(tile, "x"), number_under(tile, "y"),
                            number_under(tile, "width"), number_under(tile, "height"));
    return row && json_array_append_new(list, row) == 0 ? WEND_OK : wend__tiled_no_memory(t);
}

static wend_error add_pictures(const wend__tiled *t, json_t *list, const json_t *set, const char *source) {
    const json_t *tiles = json_object_get(set, "tiles");
    wend_error error = WEND_OK;
    for (size_t i = 0; i < json_array_size(tiles) && !error; i++)
        error = add_picture(t, list, json_array_get(tiles, i), source);
    return error;
}

static json_t *make_set(const json_t *set, uint32_t first, json_int_t image) {
    const json_t *offset = json_object_get(set, "tileoffset");
    const char *clear = wend__tiled_string(set, "transparentcolor");
    const char *size = wend__tiled_string(set, "tilerendersize");
    if (!clear) clear = wend__tiled_string(json_object_get(set, "picture"), "trans");
    json_t *made =
        json_pack("{sIs[ff]sfsfs[ff]sbs[]}", "first", (json_int_t)first, "tile", number_under(set, "tilewidth"),
                  number_under(set, "tileheight"), "margin", number_under(set, "margin"), "spacing",
                  number_under(set, "spacing"), "offset", number_under(offset, "x"), number_under(offset, "y"), "grid",
                  size && strcmp(size, "grid") == 0, "pictures");
    if (made && image >= 0) json_object_set_new(made, "image", json_integer(image));
    if (made && clear) json_object_set_new(made, "clear", json_string(clear));
    return made;
}

wend_error wend__tiled_scene_set(const wend__tiled *t, const json_t *set, uint32_t first, const char *source) {
    json_int_t image;
    if (!t->scene.root) return WEND_OK;
    wend_error error = number_image(t, source, image_of(set), &image);
    if (error) return error;
    json_t *made = make_set(set, first, image);
    if (!made || json_array_append_new(t->scene.sets, made) != 0) return wend__tiled_no_memory(t);
    return add_pictures(t, json_object_get(made, "pictures"), set, source);
}

/* ---- layers ---- */

static bool put_run(wend__tiled_scene *scene) {
    if (!scene->count) return true;
    return json_array_append_new(scene->runs, json_integer(scene->number)) == 0 &&
           json_array_append_new(scene->runs, json_integer(scene->count)) == 0;
}

static wend_error put_number(wend__tiled *t, const wend__tile_block *block, size_t index, uint32_t number) {
    wend__tiled_scene *scene = &t->scene;
    (void)block, (void)index;
    if (scene->count && scene->number == number) {
        scene->count++;
        return WEND_OK;
    }
    if (!put_run(scene)) return wend__tiled_no_memory(t);
    scene->number = number, scene->count = 1;
    return WEND_OK;
}

wend_error wend__tiled_scene_layer(const wend__tiled *t, json_t *members) {
    json_t *made = json_pack("{sisisfs[ff]}", "layer", (int)t->layer.number, "storey", (int)t->layer.storey, "opacity",
                             1 - t->layer.see_through, "offset", t->layer.offset.x, t->layer.offset.y);
    bool good = made && members && json_object_update(made, members) == 0;
    good = good && json_array_append(t->scene.blocks, made) == 0;
    json_decref(members);
    json_decref(made);
    return good ? WEND_OK : wend__tiled_no_memory(t);
}

wend_error wend__tiled_scene_block(wend__tiled *t, const wend__tile_block *block, int32_t x, int32_t y) {
    wend__tiled_scene *scene = &t->scene;
    if (t->layer.see_through >= 1) return WEND_OK;
    json_decref(scene->runs);
    scene->runs = json_array(), scene->count = 0;
    if (!scene->runs) return wend__tiled_no_memory(t);
    const wend_error error = wend__tile_block_read(t, block, put_number);
    if (error) return error;
    if (!put_run(scene)) return wend__tiled_no_memory(t);
    return wend__tiled_scene_layer(t, json_pack("{s[ii]s[ii]sO}", "at", (int)x, (int)y, "size", (int)block->width,
                                                (int)block->height, "runs", scene->runs));
}

wend_error wend__tiled_scene_image(const wend__tiled *t, const json_t *layer, json_int_t *number) {
    return number_image(t, NULL, image_of(layer), number);
}

/* ---- the whole ---- */

/// From a cell of the map to the next one, and the place of the upper left corner of cell 0, 0; in pixels of Tiled.
typedef struct axes {
    wend__pixels right, down, corner;
} axes;

static axes slanted_axes(const wend__tiled *t) {
    const wend__pixels by = t->lattice.cell;
    const bool flat = t->lattice.flat;
    const wend__pixels q = {by.x, flat ? by.y / 2 : 0}, r = {flat ? 0 : by.x / 2, by.y}; /* axial coordinates */
    axes a = {q, r, {0, 0}};
    if (t->slant == WEND_TILED_STAGGERED) {
        a.right = (wend__pixels){q.x - r.x, q.y - r.y};
        if (flat) a.down = q;
    }
    const double shift = t->lattice.shifts[(flat ? t->left : t->top) & 1];
    const double x = t->corner.x + .5, y = t->corner.y + .5;
    a.corner.x = (t->left + (flat ? 0 : shift)) * by.x + t->tile_width / 2.0 - x * a.right.x - y * a.down.x;
    a.corner.y = (t->top + (flat ? shift : 0)) * by.y + t->tile_height / 2.0 - x * a.right.y - y * a.down.y;
    return a;
}

static axes find_axes(const wend__tiled *t) {
    const double width = t->tile_width, height = t->tile_height;
    axes a = {{width, 0}, {0, height}, {0, 0}};
    if (t->slant) return slanted_axes(t);
    if (t->isometric) a = (axes){{width / 2, height / 2}, {-width / 2, height / 2}, {0, 0}};
    a.corner.x = t->left * a.right.x + t->top * a.down.x;
    a.corner.y = t->left * a.right.y + t->top * a.down.y;
    return a;
}

/* Tiled's column and row have the upper left corner of their tile at `from` + column × `column` + row × `row`, and a
 * shift in steps of `row` or `column` by whether the row, or, where flat, the column is even or odd. */
static bool put_geometry(const wend__tiled *t) {
    const axes a = find_axes(t);
    const wend__pixels by = t->lattice.cell;
    const wend__pixels column = t->slant ? (wend__pixels){by.x, 0} : a.right;
    const wend__pixels row = t->slant ? (wend__pixels){0, by.y} : a.down;
    json_t *made = json_pack("{s[ii]sososososos[ff]s[ff]sbsb}", "tile", (int)t->tile_width, (int)t->tile_height,
                             "corner", pair(a.corner), "right", pair(a.right), "down", pair(a.down), "column",
                             pair(column), "row", pair(row), "from", t->isometric ? -t->tile_width / 2.0 : 0.0, 0.0,
                             "shifts", t->lattice.shifts[0], t->lattice.shifts[1], "flat", (int)t->lattice.flat,
                             "hexagonal", (int)(t->slant == WEND_TILED_HEXAGONAL));
    const bool good = made && json_object_update(t->scene.root, made) == 0;
    json_decref(made);
    return good;
}

static char *copy_text(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

static bool give_images(const wend__tiled *t, wend_tiled *beside) {
    json_t *images = t->scene.images, *number;
    const char *path;
    char **list = calloc(json_object_size(images) + 1, sizeof *list);
    bool good = list;
    beside->images = (const char *const *)list;
    if (list) beside->image_count = json_object_size(images);
    json_object_foreach(images, path, number) {
        char **place = list ? &list[json_integer_value(number)] : NULL;
        if (place) *place = copy_text(path), good = good && *place;
    }
    return good;
}

wend_error wend__tiled_scene_give(const wend__tiled *t, wend_tiled *beside) {
    if (!t->scene.root) return WEND_OK;
    if (!give_images(t, beside) || !put_geometry(t)) return wend__tiled_no_memory(t);
    char *text = json_dumps(t->scene.root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (!text) return wend__tiled_no_memory(t);
    beside->scene = text, beside->scene_bytes = strlen(text);
    return WEND_OK;
}
