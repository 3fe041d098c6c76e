/* SPDX-License-Identifier: MIT */
/* Writes a Tiled map: a layer with a tile for each class, a tileset with the classes, and objects. */
#include "base/sized.h"
#include "base/system/replace.h"
#include "drawing/outlet.h"
#include "tiled/tiled.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <wend/versions.h>
#include <wend/ways.h>

/// Tiles have this many pixels a side where the caller names no size, and at most this many.
enum { TILE_PIXELS = 16, MAX_TILE_PIXELS = 65536 };
/// Layers with more cells than this are compressed.
enum { MOST_LISTED = 65536 };
enum { PIECE = 4096 };

typedef struct writing {
    wend__tiled t; ///< for its errors
    const wend_map *map;
    wend_tiled beside; ///< its markers are those below
    wend_map_markers markers;
    wend_map_info info;
    wend_link *links;
    size_t link_count;
    bool used[256]; ///< classes
    bool isometric;
    int32_t tile_width, tile_height;
    int32_t cell_width, cell_height; ///< size of a cell in the coordinates of objects
    wend__outlet outlet;
    int64_t next_object;
} writing;

typedef int32_t piece_fn(writing *w, const uint8_t *classes, int32_t x, int32_t y, int32_t count, void *context);

/// Visits all cells, row by row, a piece at a time.
static wend_error each_piece(writing *w, piece_fn *visit, void *context) {
    uint8_t classes[PIECE];
    for (int32_t y = 0; y < w->info.height; y++) {
        for (int32_t x = 0; x < w->info.width; x += PIECE) {
            int32_t count = w->info.width - x < PIECE ? w->info.width - x : PIECE;
            wend_box box = {{x, y, 0}, {x + count - 1, y, 0}};
            wend_error error = wend_map_get_terrain_box(w->map, box, classes, PIECE);
            if (!error) error = visit(w, classes, x, y, count, context);
            if (error) return error;
        }
    }
    return WEND_OK;
}

static wend_error note_used(writing *w, const uint8_t *classes, int32_t x, int32_t y, int32_t count, void *context) {
    (void)x, (void)y, (void)context;
    for (int32_t i = 0; i < count; i++) w->used[classes[i]] = true;
    return WEND_OK;
}

/// The id of a class's tile is the class, so its number in the layer is the class + 1.
static wend_error list_tiles(writing *w, const uint8_t *classes, int32_t x, int32_t y, int32_t count, void *context) {
    (void)context;
    for (int32_t i = 0; i < count; i++)
        wend__outlet_print(&w->outlet, "%s%d", x + i ? "," : y ? ",\n" : "", classes[i] + 1);
    return w->outlet.error;
}

typedef struct packer {
    z_stream z;
    unsigned char left[3]; ///< bytes that wait for a third
    size_t left_count;
} packer;

static void put_base64(writing *w, const unsigned char bytes[3], size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)(count > 1 ? bytes[1] : 0) << 8 | (count > 2 ? bytes[2] : 0);
    char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], count > 1 ? digits[bits >> 6 & 63] : '=',
                    count > 2 ? digits[bits & 63] : '='};
    wend__outlet_put(&w->outlet, four, 4);
}

static void pack(writing *w, packer *p, int flush) {
    unsigned char out[1024];
    do {
        p->z.next_out = out, p->z.avail_out = sizeof out;
        deflate(&p->z, flush); /* fails only on misuse */
        for (size_t i = 0; i < sizeof out - p->z.avail_out; i++) {
            p->left[p->left_count++] = out[i];
            if (p->left_count < 3) continue;
            put_base64(w, p->left, 3);
            p->left_count = 0;
        }
    } while (!p->z.avail_out);
    if (flush == Z_FINISH && p->left_count) put_base64(w, p->left, p->left_count);
}

static wend_error pack_tiles(writing *w, const uint8_t *classes, int32_t x, int32_t y, int32_t count, void *context) {
    (void)x, (void)y;
    packer *p = context;
    unsigned char numbers[4 * PIECE] = {0};
    for (int32_t i = 0; i < count; i++) {
        numbers[4 * i] = (unsigned char)(classes[i] + 1);
        numbers[4 * i + 1] = classes[i] == 255;
    }
    p->z.next_in = numbers, p->z.avail_in = (uInt)count * 4;
    pack(w, p, Z_NO_FLUSH);
    return w->outlet.error;
}

static wend_error put_packed(writing *w, packer *p) {
    wend__outlet_print(&w->outlet, "\"compression\":\"zlib\",\"encoding\":\"base64\",\"data\":\"");
    wend_error error = each_piece(w, pack_tiles, p);
    if (error) return error;
    pack(w, p, Z_FINISH);
    wend__outlet_print(&w->outlet, "\",\n");
    return WEND_OK;
}

static wend_error put_layer(writing *w, packer *p) {
    wend__outlet *out = &w->outlet;
    wend__outlet_print(out, "{\"compressionlevel\":-1,\n\"height\":%d,\n\"infinite\":false,\n\"layers\":[\n{",
                       (int)w->info.height);
    wend_error error;
    if (p) {
        error = put_packed(w, p);
    } else {
        wend__outlet_print(out, "\"data\":[");
        error = each_piece(w, list_tiles, NULL);
        wend__outlet_print(out, "],\n");
    }
    wend__outlet_print(out,
                       "\"height\":%d,\"id\":1,\"name\":\"ground\",\"opacity\":1,\"type\":\"tilelayer\","
                       "\"visible\":true,\"width\":%d,\"x\":0,\"y\":0}",
                       (int)w->info.height, (int)w->info.width);
    return error;
}

static int64_t put_point(writing *w, const char *type, wend_cell cell) {
    int64_t id = w->next_object++;
    wend__outlet_print(&w->outlet,
                       "%s{\"id\":%lld,\"name\":\"\",\"type\":\"%s\",\"x\":%lld,\"y\":%lld,\"width\":0,\"height\":0,"
                       "\"rotation\":0,\"visible\":true,\"point\":true",
                       id > 1 ? ",\n" : "", (long long)id, type, (long long)cell.x * w->cell_width + w->cell_width / 2,
                       (long long)cell.y * w->cell_height + w->cell_height / 2);
    return id;
}

static void put_link(writing *w, const wend_link *link) {
    int64_t target = put_point(w, "", link->to);
    wend__outlet_print(&w->outlet, "}");
    put_point(w, "link", link->from);
    wend__outlet_print(&w->outlet,
                       ",\"properties\":[{\"name\":\"cost\",\"type\":\"int\",\"value\":%d},"
                       "{\"name\":\"to\",\"type\":\"object\",\"value\":%lld}]}",
                       (int)link->cost, (long long)target);
}

/// Quote a text as JSON, for free(). @return NULL: out of memory, or not UTF-8
static char *as_json(const char *text) {
    json_t *json = json_string(text);
    char *dumped = json ? json_dumps(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    json_decref(json);
    return dumped;
}

static wend_error put_route(writing *w, const wend_tiled_route *route) {
    wend_cell first = route->cells[0];
    char *name = as_json(route->name);
    if (!name) return WEND_OUT_OF_MEMORY;
    int64_t id = w->next_object++;
    wend__outlet_print(&w->outlet, "%s{\"id\":%lld,\"name\":", id > 1 ? ",\n" : "", (long long)id);
    wend__outlet_put(&w->outlet, name, strlen(name));
    free(name);
    wend__outlet_print(&w->outlet,
                       ",\"type\":\"route\",\"x\":%lld,\"y\":%lld,\"width\":0,\"height\":0,\"rotation\":0,"
                       "\"visible\":true,\"polyline\":[",
                       (long long)first.x * w->cell_width + w->cell_width / 2,
                       (long long)first.y * w->cell_height + w->cell_height / 2);
    for (size_t i = 0; i < route->cell_count; i++)
        wend__outlet_print(&w->outlet, "%s{\"x\":%lld,\"y\":%lld}", i ? "," : "",
                           ((long long)route->cells[i].x - first.x) * w->cell_width,
                           ((long long)route->cells[i].y - first.y) * w->cell_height);
    wend__outlet_print(&w->outlet, "]}");
    return w->outlet.error;
}

static wend_error put_objects(writing *w) {
    const wend_tiled *beside = &w->beside;
    const wend_map_markers *markers = &w->markers;
    w->next_object = 1;
    if (!w->link_count && !markers->has_start && !markers->has_goal && !beside->route_count) return WEND_OK;
    wend__outlet_print(&w->outlet, ",\n{\"draworder\":\"topdown\",\"id\":2,\"name\":\"things\",\"objects\":[\n");
    if (markers->has_start) put_point(w, "start", markers->start);
    if (markers->has_start) wend__outlet_print(&w->outlet, "}");
    if (markers->has_goal) put_point(w, "goal", markers->goal);
    if (markers->has_goal) wend__outlet_print(&w->outlet, "}");
    for (size_t i = 0; i < w->link_count && !w->outlet.error; i++) put_link(w, &w->links[i]);
    wend_error error = WEND_OK;
    for (size_t i = 0; i < beside->route_count && !error; i++) error = put_route(w, &beside->routes[i]);
    wend__outlet_print(&w->outlet, "],\n\"opacity\":1,\"type\":\"objectgroup\",\"visible\":true,\"x\":0,\"y\":0}");
    return error;
}

static void put_tileset(writing *w) {
    wend__outlet *out = &w->outlet;
    bool any = false;
    wend__outlet_print(out,
                       "],\n\"nextlayerid\":3,\n\"nextobjectid\":%lld,\n\"orientation\":\"%s\",\n"
                       "\"renderorder\":\"right-down\",\n\"tiledversion\":\"1.10.2\",\n\"tileheight\":%d,\n"
                       "\"tilesets\":[\n{\"columns\":0,\"firstgid\":1,\"margin\":0,\"name\":\"classes\",\"spacing\":0,"
                       "\"tilecount\":256,\"tileheight\":%d,\"tilewidth\":%d,\"tiles\":[",
                       (long long)w->next_object, w->isometric ? "isometric" : "orthogonal", (int)w->tile_height,
                       (int)w->tile_height, (int)w->tile_width);
    for (int32_t class = 0; class < 256; class++) {
        if (!w->used[class]) continue;
        wend__outlet_print(out,
                           "%s\n{\"id\":%d,\"properties\":[{\"name\":\"%s\",\"type\":\"%s\",\"value\":", any ? "," : "",
                           (int)class, class ? "cost" : "blocked", class ? "int" : "bool");
        if (class)
            wend__outlet_print(out, "%d}]}", (int)class);
        else
            wend__outlet_print(out, "true}]}");
        any = true;
    }
    wend__outlet_print(out, "]}],\n\"tilewidth\":%d,\n\"type\":\"map\",\n\"version\":\"1.10\",\n\"width\":%d}\n",
                       (int)w->tile_width, (int)w->info.width);
}

static wend_error put_all(writing *w) {
    packer p = {.left_count = 0};
    bool packed = w->info.cells > MOST_LISTED;
    if (packed && deflateInit(&p.z, Z_DEFAULT_COMPRESSION) != Z_OK) return WEND_OUT_OF_MEMORY;
    wend_error error = put_layer(w, packed ? &p : NULL);
    if (packed) deflateEnd(&p.z);
    if (!error) error = put_objects(w);
    if (error) return error;
    put_tileset(w);
    wend__outlet_flush(&w->outlet);
    return w->outlet.error;
}

static wend_error take_tiles(writing *w) {
    const wend_tiled *beside = &w->beside;
    bool sized = beside->tile_width || beside->tile_height;
    w->tile_width = sized ? beside->tile_width : TILE_PIXELS;
    w->tile_height = sized ? beside->tile_height : TILE_PIXELS;
    w->isometric = beside->orientation == WEND_TILED_ISOMETRIC;
    w->cell_width = w->isometric ? w->tile_height : w->tile_width, w->cell_height = w->tile_height;
    if (beside->orientation != WEND_TILED_ORTHOGONAL && !w->isometric) return WEND_BAD_ARGUMENT;
    bool good = w->tile_width > 0 && w->tile_height > 0;
    good = good && w->tile_width <= MAX_TILE_PIXELS && w->tile_height <= MAX_TILE_PIXELS;
    return good ? WEND_OK : WEND_BAD_ARGUMENT;
}

static bool is_on(const writing *w, wend_cell c) {
    return c.x >= 0 && c.y >= 0 && c.x < w->info.width && c.y < w->info.height && c.z == 0;
}

static wend_error check_beside(const writing *w) {
    const wend_tiled *beside = &w->beside;
    const wend_map_markers *m = &w->markers;
    if (beside->route_count && !beside->routes) return WEND_BAD_ARGUMENT;
    if ((m->has_start && !is_on(w, m->start)) || (m->has_goal && !is_on(w, m->goal))) return WEND_OUT_OF_RANGE;
    for (size_t i = 0; i < beside->route_count; i++) {
        const wend_tiled_route *route = &beside->routes[i];
        if (!route->name || !route->name[0] || !route->cells || !route->cell_count) return WEND_BAD_ARGUMENT;
        json_t *name = json_string(route->name);
        json_decref(name);
        if (!name) return WEND_BAD_ARGUMENT; /* no UTF-8 */
        for (size_t k = 0; k < route->cell_count; k++)
            if (!is_on(w, route->cells[k])) return WEND_OUT_OF_RANGE;
    }
    return WEND_OK;
}

static wend_error check_map(const writing *w) {
    wend_step step;
    size_t steps;
    if (w->info.kind != WEND_KIND_GRID)
        return wend__tiled_fail(&w->t, WEND_UNSUPPORTED, "a Tiled map cannot hold %s: it is flat cells",
                                w->info.kind == WEND_KIND_GRAPH ? "a graph" : "voxels");
    if (w->info.wrap) return wend__tiled_fail(&w->t, WEND_UNSUPPORTED, "the map wraps, which a Tiled map cannot hold");
    if (w->info.sheets)
        return wend__tiled_fail(&w->t, WEND_UNSUPPORTED, "the map has sheets, which a Tiled map cannot hold");
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(w->map, &rules);
    const int32_t orientation = w->beside.orientation;
    if (rules.neighbours == 6 || orientation == WEND_TILED_HEXAGONAL || orientation == WEND_TILED_STAGGERED)
        return wend__tiled_fail(&w->t, WEND_UNSUPPORTED, "hexagonal and staggered maps of Tiled are only read");
    wend_map_get_closed_steps(w->map, &step, 1, &steps);
    if (!steps) return WEND_OK;
    return wend__tiled_fail(&w->t, WEND_UNSUPPORTED, "a Tiled map cannot hold the closed step from %d,%d to %d,%d",
                            (int)step.from.x, (int)step.from.y, (int)step.to.x, (int)step.to.y);
}

static wend_error prepare(writing *w) {
    wend_map_get_info(w->map, &w->info);
    wend_error error = check_map(w);
    if (error) return error;
    error = check_beside(w);
    if (!error) error = take_tiles(w);
    if (error) return wend__tiled_fail(&w->t, error, "%s", wend_error_text(error));
    size_t count;
    wend_map_get_links(w->map, NULL, 0, &w->link_count);
    if (w->link_count) w->links = malloc(w->link_count * sizeof *w->links);
    if (w->link_count && !w->links)
        return wend__tiled_fail(&w->t, WEND_OUT_OF_MEMORY, "%s", wend_error_text(WEND_OUT_OF_MEMORY));
    wend_map_get_links(w->map, w->links, w->link_count, &count);
    for (size_t i = 0; i < count; i++) {
        const wend_link *link = &w->links[i];
        if (link->movers)
            return wend__tiled_fail(&w->t, WEND_UNSUPPORTED,
                                    "a Tiled map cannot hold the link from %d,%d to %d,%d, "
                                    "which is for some movers",
                                    (int)link->from.x, (int)link->from.y, (int)link->to.x, (int)link->to.y);
    }
    return each_piece(w, note_used, NULL);
}

/* Takes the caller's struct, of any size. */
static bool take_beside(writing *w, const wend_tiled *theirs) {
    const size_t first = WEND__FIRST_BYTES(wend_tiled, tile_height);
    if (theirs && !wend__sized_read(&w->beside, sizeof w->beside, first, theirs)) return false;
    const wend_map_markers *markers = w->beside.markers;
    const size_t markers_first = WEND__FIRST_BYTES(wend_map_markers, goal);
    return !markers || wend__sized_read(&w->markers, sizeof w->markers, markers_first, markers);
}

wend_error wend_tiled_write(const wend_map *map, const wend_tiled *beside, wend_write_fn *write, void *context,
                            wend_file_error *error) {
    writing w = {.t = {.error = error}, .map = map};
    if (!wend__tiled_error_fits(error)) return WEND_BAD_ARGUMENT;
    w.info.struct_bytes = sizeof w.info;
    w.outlet.write = write;
    w.outlet.context = context;
    if (!map || !write || !take_beside(&w, beside))
        return wend__tiled_fail(&w.t, WEND_BAD_ARGUMENT, "%s", wend_error_text(WEND_BAD_ARGUMENT));
    int32_t code = prepare(&w);
    if (!code) {
        code = put_all(&w);
        if (code) wend__tiled_fail(&w.t, code, "%s", wend_error_text(code));
    }
    free(w.links);
    return code;
}

static wend_error to_file(void *context, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? WEND_OK : WEND_IO;
}

/// Called only where the map is not refused. The writer itself never returns WEND_EMPTY.
static wend_error stop_at_once(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_EMPTY;
}

wend_error wend_tiled_save(const wend_map *map, const char *path, const wend_tiled *beside, wend_file_error *error) {
    wend__tiled t = {.error = error};
    if (!path) return wend__tiled_fail(&t, WEND_BAD_ARGUMENT, "%s", wend_error_text(WEND_BAD_ARGUMENT));
    int32_t code = wend_tiled_write(map, beside, stop_at_once, NULL, error);
    if (code != WEND_EMPTY) return code; /* before a file is made */
    wend__replacement file;
    int reason = wend__replace_begin(&file, path);
    if (reason) return wend__tiled_fail(&t, WEND_IO, "cannot be opened for writing: %s", wend__errno_text(reason));
    errno = 0;
    code = wend_tiled_write(map, beside, to_file, file.stream, error);
    reason = wend__replace_end(&file, !code ? 0 : errno ? errno : EIO);
    if (!code && reason) code = WEND_IO;
    return code == WEND_IO ? wend__tiled_fail(&t, WEND_IO, "cannot be written: %s", wend__errno_text(reason)) : code;
}
