/* SPDX-License-Identifier: MIT */
/* Finds the cells that rectangles, polygons and ellipses cover: those of object layers that block, and of tiles. */
#include "tiled/tiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// A raster that a shape is laid on: cells of 1 × 1.
typedef struct raster {
    int32_t left, top, width, height;
    const double *shifts; ///< shifts of the centres of even and odd rows, in cells; NULL: none
    void (*put)(struct raster *raster, int32_t x, int32_t y);
    wend__tiled *t;
    uint8_t *marks;
    size_t storey;
    size_t count; ///< cells that became blocked
} raster;

/// The corners of a shape in cells; an ellipse has two, the ends of its box before it is rotated.
typedef struct outline {
    wend__pixels *corners;
    size_t count;
    bool ellipse;
    wend__pixels origin; ///< about which an ellipse is turned, and by what
    double sine, cosine;
    double left, top, right, bottom; ///< its box
    double *crossings;               ///< room for as many as corners
} outline;

/// Shapes may cover each cell of the map WORK_TIMES, and WORK_MORE cells: a few bytes could cover more. A side in a row
/// counts as SIDE_WORK cells, as its crossing is computed and sorted.
#define WORK_TIMES 64
#define WORK_MORE (UINT64_C(1) << 23)
#define SIDE_WORK 8

static void turn_of(double degrees, double *sine, double *cosine) {
    const double quarters = degrees / 90, whole = floor(quarters);
    static const double sines[] = {0, 1, 0, -1};
    if (quarters > whole) {
        const double angle = degrees * 0.017453292519943295;
        *sine = sin(angle), *cosine = cos(angle);
        return;
    }
    const int32_t turn = (int32_t)(whole - 4 * floor(whole / 4));
    *sine = sines[turn], *cosine = sines[(turn + 1) % 4];
}

static wend__pixels turned(const outline *o, wend__pixels by) {
    return (wend__pixels){o->origin.x + by.x * o->cosine - by.y * o->sine,
                          o->origin.y + by.x * o->sine + by.y * o->cosine};
}

static void add_to_box(outline *o, wend__pixels at) {
    if (at.x < o->left) o->left = at.x;
    if (at.y < o->top) o->top = at.y;
    if (at.x > o->right) o->right = at.x;
    if (at.y > o->bottom) o->bottom = at.y;
}

static bool read_corner(const json_t *json, wend__pixels *out) {
    return wend__tiled_number(json, "x", &out->x) && wend__tiled_number(json, "y", &out->y);
}

/// Makes the corners of an object, in cells. @param has_area   receives false for points, lines, texts and tiles
static wend_error make_outline(const wend__tiled *t, const json_t *json, wend__pixels offset,
                               const wend__tiled_lattice *of, outline *o, bool *has_area) {
    const json_t *polygon = json_object_get(json, "polygon");
    const size_t count = polygon ? json_array_size(polygon) : 4;
    double width, height, rotation;
    *o = (outline){.left = 1e18, .top = 1e18, .right = -1e18, .bottom = -1e18};
    bool good = read_corner(json, &o->origin) && wend__tiled_number(json, "width", &width);
    good = good && wend__tiled_number(json, "height", &height) && wend__tiled_number(json, "rotation", &rotation);
    if (!good) return wend__tiled_fail(t, WEND_BAD_FORMAT, "its place, size and rotation must be numbers");
    *has_area = polygon ? count >= 3 : width > 0 && height > 0;
    if (json_object_get(json, "gid") || json_object_get(json, "polyline") || json_object_get(json, "text") ||
        json_is_true(json_object_get(json, "point")))
        *has_area = false;
    if (!*has_area) return WEND_OK;
    o->corners = malloc(count * sizeof *o->corners), o->crossings = malloc(count * sizeof *o->crossings);
    if (!o->corners || !o->crossings) return wend__tiled_no_memory(t);
    o->ellipse = !polygon && json_is_true(json_object_get(json, "ellipse"));
    o->count = count;
    o->origin.x += offset.x, o->origin.y += offset.y;
    turn_of(rotation, &o->sine, &o->cosine);
    const wend__pixels box[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    for (size_t i = 0; i < count; i++) {
        wend__pixels by = polygon ? (wend__pixels){0, 0} : box[i];
        if (polygon && !read_corner(json_array_get(polygon, i), &by))
            return wend__tiled_fail(t, WEND_BAD_FORMAT, "its corner %zu has no place", i + 1);
        const wend__pixels at = turned(o, by);
        const wend__pixels in = {(at.x - of->corner.x) / of->cell.x, (at.y - of->corner.y) / of->cell.y};
        o->corners[i] = of->flat ? (wend__pixels){in.y, in.x} : in;
        add_to_box(o, o->corners[i]);
    }
    return WEND_OK;
}

static void drop_outline(outline *o) {
    free(o->corners);
    free(o->crossings);
}

/// Returns the first cell with its centre at or behind a place, in the raster's bounds.
static int32_t first_centre(double place, int32_t low, int32_t high) {
    const double cell = ceil(place - .5);
    return cell <= low ? low : cell >= high ? high : (int32_t)cell;
}

static int by_size(const void *a, const void *b) {
    const double one = *(const double *)a, two = *(const double *)b;
    return one < two ? -1 : one > two;
}

/// Finds where the sides of a polygon cross the line through the centres of a row. @return how many, in order
static size_t find_crossings(const outline *o, double y) {
    size_t count = 0;
    for (size_t i = 0, j = o->count - 1; i < o->count; j = i++) {
        const wend__pixels a = o->corners[i], b = o->corners[j];
        if ((a.y > y) == (b.y > y)) continue;
        o->crossings[count++] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
    }
    qsort(o->crossings, count, sizeof *o->crossings, by_size);
    return count;
}

static double shift_of(const raster *r, int32_t y) {
    return r->shifts ? r->shifts[y & 1] : 0;
}

static size_t put_run(raster *r, double from, double to, int32_t y) {
    const double shift = shift_of(r, y);
    const int32_t end = first_centre(to - shift, r->left, r->left + r->width);
    size_t count = 0;
    for (int32_t x = first_centre(from - shift, r->left, r->left + r->width); x < end; x++, count++) r->put(r, x, y);
    return count;
}

static bool in_ellipse(const outline *o, double x, double y) {
    /* in the ellipse's own axes, from its middle, where both half axes are 1: its corners are at ±1 */
    const wend__pixels *c = o->corners;
    const double mx = (c[0].x + c[2].x) / 2, my = (c[0].y + c[2].y) / 2;
    const double ux = (c[1].x - c[0].x) / 2, uy = (c[1].y - c[0].y) / 2;
    const double vx = (c[3].x - c[0].x) / 2, vy = (c[3].y - c[0].y) / 2;
    const double area = ux * vy - uy * vx, dx = x - mx, dy = y - my;
    const double u = (dx * vy - dy * vx) / area, v = (ux * dy - uy * dx) / area;
    return u * u + v * v <= 1;
}

static size_t put_ellipse_row(const outline *o, raster *r, int32_t y) {
    const double shift = shift_of(r, y);
    const int32_t end = first_centre(o->right - shift, r->left, r->left + r->width);
    size_t count = 0;
    for (int32_t x = first_centre(o->left - shift, r->left, r->left + r->width); x < end; x++) {
        if (!in_ellipse(o, x + .5 + shift, y + .5)) continue;
        r->put(r, x, y);
        count++;
    }
    return count;
}

/// Puts the cells with their centre in a shape. @return how many
static size_t put_centres(const outline *o, raster *r) {
    const int32_t end = first_centre(o->bottom, r->top, r->top + r->height);
    size_t held = 0;
    for (int32_t y = first_centre(o->top, r->top, r->top + r->height); y < end; y++) {
        if (o->ellipse) {
            held += put_ellipse_row(o, r, y);
            continue;
        }
        const size_t count = find_crossings(o, y + .5);
        for (size_t i = 0; i + 1 < count; i += 2) held += put_run(r, o->crossings[i], o->crossings[i + 1], y);
    }
    return held;
}

/// Cut a polygon off at a line: what is on the side of `keep` stays. @return the new count of corners
static size_t cut_off(const wend__pixels *in, size_t count, bool along_x, double line, bool keep_below,
                      wend__pixels *out) {
    size_t made = 0;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        const wend__pixels a = in[j], b = in[i];
        const double from = along_x ? a.x : a.y, to = along_x ? b.x : b.y;
        const bool was_in = keep_below ? from <= line : from >= line, is_in = keep_below ? to <= line : to >= line;
        if (was_in != is_in) {
            const double part = (line - from) / (to - from);
            out[made++] = (wend__pixels){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
        }
        if (is_in) out[made++] = b;
    }
    return made;
}

/// Returns how much of a cell a polygon covers, 0 to 1. @param room   four times its corners, twice
static double covered(const outline *o, int32_t x, int32_t y, wend__pixels *room) {
    wend__pixels *one = room, *two = room + 8 * o->count + 8;
    size_t count = cut_off(o->corners, o->count, true, x, false, one);
    count = count ? cut_off(one, count, true, x + 1, true, two) : 0;
    count = count ? cut_off(two, count, false, y, false, one) : 0;
    count = count ? cut_off(one, count, false, y + 1, true, two) : 0;
    double twice = 0;
    for (size_t i = 0, j = count - 1; i < count; j = i++)
        twice += (two[j].x - x) * (two[i].y - y) - (two[i].x - x) * (two[j].y - y);
    return fabs(twice) / 2;
}

/// Cells and sides that were looked at, and the most that may be.
typedef struct shape_walk {
    uint64_t work, most;
} shape_walk;

enum { FAR = 1 << 30 };

/// Returns whether a polygon holds a centre, on the raster or off it. Ends at the limit of work.
static bool holds_centre(const outline *o, shape_walk *walk) {
    const int32_t end = first_centre(o->bottom, -FAR, FAR);
    for (int32_t y = first_centre(o->top, -FAR, FAR); y < end && walk->work <= walk->most; y++) {
        const size_t count = find_crossings(o, y + .5);
        walk->work += SIDE_WORK * o->count;
        for (size_t i = 0; i + 1 < count; i += 2)
            if (first_centre(o->crossings[i], -FAR, FAR) < first_centre(o->crossings[i + 1], -FAR, FAR)) return true;
    }
    return false;
}

static int32_t clamped(double place, int32_t low, int32_t high) {
    return place <= low ? low : place >= high ? high : (int32_t)place;
}

/// Puts the cells that a shape without a centre covers by half. An ellipse without the centre covers less.
static wend_error put_halves(const wend__tiled *t, const outline *o, raster *r) {
    const int32_t left = clamped(floor(o->left), r->left, r->left + r->width);
    const int32_t right = clamped(ceil(o->right), r->left, r->left + r->width);
    const int32_t top = clamped(floor(o->top), r->top, r->top + r->height);
    const int32_t bottom = clamped(ceil(o->bottom), r->top, r->top + r->height);
    wend__pixels *room = malloc((16 * o->count + 16) * sizeof *room);
    if (!room) return wend__tiled_no_memory(t);
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++)
            if (covered(o, x, y, room) >= .5) r->put(r, x, y);
    free(room);
    return WEND_OK;
}

/// Returns the cells and crossings that a shape may ask for.
static uint64_t work_of(const outline *o, const raster *r) {
    const int32_t rows =
        clamped(ceil(o->bottom), r->top, r->top + r->height) - clamped(floor(o->top), r->top, r->top + r->height);
    const int32_t columns =
        clamped(ceil(o->right), r->left, r->left + r->width) - clamped(floor(o->left), r->left, r->left + r->width);
    return (uint64_t)rows * ((uint64_t)columns + SIDE_WORK * o->count) + o->count;
}

/* ---- object layers ---- */

static void block_cell(raster *r, int32_t x, int32_t y) {
    const wend__tiled *t = r->t;
    const size_t row = r->storey * (size_t)t->height + (size_t)(y - t->top);
    uint8_t *cell = &t->classes[row * (size_t)t->width + (size_t)(x - t->left)];
    r->count += *cell != WEND_CLASS_BLOCKED;
    *cell = WEND_CLASS_BLOCKED;
}

/* Rows of a flat lattice are Tiled's columns. */
static void block_column(raster *r, int32_t x, int32_t y) {
    block_cell(r, y, x);
}

static wend_error fail_shape(const wend__tiled *t, const json_t *layer, const json_t *object, wend_error error) {
    char name[WEND__NAME_BYTES], text[160] = "";
    if (error != WEND_BAD_FORMAT || !t->error) return error;
    wend__tiled_quote(wend__tiled_string(layer, "name"), name);
    memcpy(text, t->error->text, sizeof text - 1);
    return wend__tiled_fail(t, error, "object %" JSON_INTEGER_FORMAT " in layer %s: %.100s",
                            json_integer_value(json_object_get(object, "id")), name, text);
}

static wend_error block_outline(wend__tiled *t, const outline *o, wend__tiled_name *name, shape_walk *walk) {
    const wend__tiled_lattice *of = &t->lattice;
    raster r = {of->flat ? t->top : t->left,
                of->flat ? t->left : t->top,
                of->flat ? t->height : t->width,
                of->flat ? t->width : t->height,
                t->slant ? of->shifts : NULL,
                of->flat ? block_column : block_cell,
                t,
                NULL,
                (size_t)t->layer.storey,
                0};
    wend_error error = WEND_OK;
    walk->work += work_of(o, &r);
    const bool whole = walk->work > walk->most || put_centres(o, &r) > 0 || o->ellipse || t->slant;
    if (!whole && !holds_centre(o, walk)) error = put_halves(t, o, &r);
    if (walk->work > walk->most)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "shapes that block cover more than %llu cells in all",
                                (unsigned long long)walk->most);
    name->shapes++;
    name->shape_cells += r.count;
    return error;
}

/// Returns whether an object is one of wend's own, which are no walls whatever their layer is.
static bool has_meaning(const char *class) {
    static const char *const words[] = {"start", "goal", "link", "route"};
    for (size_t i = 0; class && i < sizeof words / sizeof *words; i++)
        if (strcmp(class, words[i]) == 0) return true;
    return false;
}

static wend_error visit_objects(wend__tiled *t, const json_t *layer, void *context) {
    const json_t *list = json_object_get(layer, "objects");
    const wend__pixels offset = wend__tiled_object_offset(t);
    if (t->layer.storey && t->layer.storey >= t->storeys) return WEND_OK; /* refused with its objects */
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *class = json_is_object(object) ? wend__tiled_class(object) : "start";
        wend__tiled_name *name = wend__tiled_blocking_name(t, class, WEND__NAMES_ALL);
        if (!name) name = t->layer.name;
        if (!name || has_meaning(class)) continue;
        bool has_area;
        outline o;
        wend_error error = make_outline(t, object, offset, &t->lattice, &o, &has_area);
        if (error)
            error = fail_shape(t, layer, object, error);
        else if (has_area)
            error = block_outline(t, &o, name, context);
        else
            name->no_area++;
        drop_outline(&o);
        if (error) return error;
    }
    return WEND_OK;
}

wend_error wend__tiled_shapes(wend__tiled *t) {
    shape_walk walk = {.most = WORK_MORE + WORK_TIMES * (uint64_t)t->width * (uint64_t)t->height};
    return wend__tiled_layers(t, "objectgroup", visit_objects, &walk);
}

/* ---- collision shapes of tiles ---- */

enum { MOST_SIDE = 128 };

static void mark_pixel(raster *r, int32_t x, int32_t y) {
    uint8_t *mark = &r->marks[y * MOST_SIDE + x];
    r->count += !*mark;
    *mark = 1;
}

/// A tile is a raster of its pixels, of 128 × 128 parts at most.
wend_error wend__tiled_half_covered(const wend__tiled *t, const json_t *group, double width, double height, bool *out) {
    uint8_t marks[MOST_SIDE * MOST_SIDE] = {0};
    const json_t *list = json_object_get(group, "objects");
    const int32_t columns = width < MOST_SIDE ? (int32_t)width : MOST_SIDE;
    const int32_t rows = height < MOST_SIDE ? (int32_t)height : MOST_SIDE;
    raster r = {0, 0, columns, rows, NULL, mark_pixel, NULL, marks, 0, 0};
    const wend__tiled_lattice pixel = {.cell = {width / columns, height / rows}};
    wend_error error = WEND_OK;
    for (size_t i = 0; i < json_array_size(list) && !error; i++) {
        bool has_area;
        outline o;
        error = make_outline(t, json_array_get(list, i), (wend__pixels){0, 0}, &pixel, &o, &has_area);
        if (!error && has_area) put_centres(&o, &r);
        drop_outline(&o);
    }
    *out = 2 * r.count >= (size_t)columns * (size_t)rows;
    return error;
}
