/* SPDX-License-Identifier: MIT */
/* MAP arguments and `map FILE`: map files and world files, told apart by content. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "script/script.h"
#include "run/world.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"

/* Returns whether it begins like JSON, as no other map file does. */
static bool looks_tiled(const char *bytes, size_t size) {
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at] != '\0') at++;
    return at < size && bytes[at] == '{';
}

/* The most bytes to read of a file, by its first part: a larger script or map is a mistake, such as a device. Only a
   comment may come before the words that show a map's format; any other first part is enough to refuse the file. */
static uint64_t most_of(const char *bytes, size_t size) {
    if (host_script_begins(bytes, size)) return HOST_MAX_SCRIPT_BYTES;
    if (looks_tiled(bytes, size)) return WEND_MAX_TILED_BYTES;
    size_t blank = strspn(bytes, " \t\r\n");
    bool comment = blank < size && (bytes[blank] == '#' || bytes[blank] == 'c');
    bool known = wend_format_detect(bytes, size) != WEND_FORMAT_UNKNOWN || blank == size || comment;
    return known ? WEND_MAX_MAP_BYTES : size;
}

typedef struct reading {
    char *bytes;
    size_t used, capacity;
    uint64_t most; /* 0: told by the first part */
} reading;

/* 0, or an errno; EFBIG: larger than `most`. */
static int read_parts(FILE *file, reading *r) {
    for (;;) {
        r->used += fread(r->bytes + r->used, 1, r->capacity - 1 - r->used, file);
        r->bytes[r->used] = '\0';
        if (r->used < r->capacity - 1) return ferror(file) ? (errno != 0 ? errno : EIO) : 0;
        if (r->most == 0) {
            r->most = most_of(r->bytes, r->used);
            if (r->most == r->used) return 0; /* no map: the parser says why */
        }
        if (r->used > r->most) return EFBIG;
        size_t capacity = r->capacity > SIZE_MAX / 2 ? SIZE_MAX : r->capacity * 2;
        if (capacity - 2 > r->most) capacity = (size_t)r->most + 2;
        char *more = realloc(r->bytes, capacity);
        if (!more) return ENOMEM;
        r->bytes = more;
        r->capacity = capacity;
    }
}

/* Returns a whole file, with a zero behind it. NULL: errno says why; where that is EFBIG, *most says the limit. */
static char *read_whole(const char *path, uint64_t *most, size_t *size) {
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) return NULL;
    reading r = {.capacity = (size_t)1 << 16, .most = *most};
    errno = 0;
    r.bytes = malloc(r.capacity);
    int error = !r.bytes ? ENOMEM : read_parts(file, &r);
    if (!standard) fclose(file);
    *size = r.used;
    *most = r.most;
    if (error == 0) return r.bytes;
    free(r.bytes);
    errno = error;
    return NULL;
}

/* Why read_whole() failed. */
static const char *reason(int error, uint64_t most, char out[80]) {
    snprintf(out, 80, "larger than %" PRIu64 " bytes, the most that is read", most);
    return error == EFBIG ? out : strerror(error);
}

char *host_read_file(const char *path, uint64_t most, size_t *size) {
    char text[80], *bytes = read_whole(path, &most, size);
    if (!bytes) host_fail_at(path, 0, 0, "%s", reason(errno, most, text));
    return bytes;
}

char *host_path_beside(const char *path, host_word file) {
    const char *slash = strrchr(path, '/');
    size_t folder = !slash || file.text[0] == '/' || host_word_is(file, "-") ? 0 : (size_t)(slash - path) + 1;
    char *all = malloc(folder + file.length + 1);
    if (!all) return NULL;
    memcpy(all, path, folder);
    memcpy(all + folder, file.text, file.length);
    all[folder + file.length] = '\0';
    return all;
}

char *host_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A route that ends where it begins is a loop: a polygon. */
static bool keep_routes(host_world *world) {
    for (size_t i = 0; i < world->tiled->route_count; i++) {
        const wend_tiled_route *route = &world->tiled->routes[i];
        const wend_cell first = route->cells[0], last = route->cells[route->cell_count - 1];
        const bool closed = route->cell_count > 2 && first.x == last.x && first.y == last.y;
        const int32_t mode = closed ? WEND_ROUTE_LOOP : WEND_ROUTE_ONCE;
        if (!host_route_keep(&world->routes, route->name, strlen(route->name), mode, route->cells,
                             route->cell_count - closed))
            return false;
    }
    return true;
}

static int load_tiled(const char *path, const char *bytes, size_t size, host_world *out) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    wend_file_error where = {.struct_bytes = sizeof where};
    char *folder = host_folder_of(path);
    if (!folder) return host_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
    wend_error error = wend_tiled_parse(bytes, size, folder, &def, &out->map, &out->tiled, &where);
    free(folder);
    if (error) return host_fail_file(path, error, &where);
    out->markers = *out->tiled->markers;
    return keep_routes(out) ? HOST_DONE : host_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A graph's coordinates are in a file beside it, which is found only by the name. Other files are not read twice, since
   they may be pipes. */
static wend_error parse_map(const char *path, const char *bytes, size_t size, host_world *out, wend_file_error *where) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    if (wend_format_detect(bytes, size) == WEND_FORMAT_DIMACS && ends_with(path, ".gr"))
        return wend_map_load(path, &def, &out->map, &out->markers, where);
    return wend_map_parse(bytes, size, &def, &out->map, &out->markers, where);
}

/* An error in the file beside a graph comes as "name.co:line:column: …", without the folder. */
static int fail_map(const char *path, wend_error error, const wend_file_error *where) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t stem = ends_with(name, ".gr") ? strlen(name) - strlen("gr") : 0;
    bool beside = stem > 0 && where->line == 0 && strncmp(where->text, name, stem) == 0 &&
                  strncmp(where->text + stem, "co:", 3) == 0;
    char *file = beside ? strdup(path) : NULL;
    if (!file) return host_fail_file(path, error, where);
    memcpy(file + strlen(file) - 2, "co", 2);
    char *text;
    long line = strtol(where->text + stem + 3, &text, 10), column = *text == ':' ? strtol(text + 1, &text, 10) : 0;
    int status = host_fail_at(file, (int)line, (int)column, "%s", text + strspn(text, ": "));
    free(file);
    return status;
}

/* ---- teleports: they cost one straight step, whatever that costs ---- */

/* All links of grid text are teleports; the map lists them in the order of their cells. */
static wend_error keep_teleports(host_world *world) {
    size_t count;
    if (world->markers.format != WEND_FORMAT_GRID_TEXT) return WEND_OK;
    wend_map_get_links(world->map, NULL, 0, &count);
    if (count == 0) return WEND_OK;
    world->teleports = malloc(count * sizeof *world->teleports);
    if (!world->teleports) return WEND_OUT_OF_MEMORY;
    wend_map_get_links(world->map, world->teleports, count, &count);
    world->teleport_count = count;
    return WEND_OK;
}

void host_world_forget_teleport(host_world *world, wend_cell from, wend_cell to) {
    const wend_link key = {.from = from, .to = to};
    wend_link *found = world->teleport_count == 0
                           ? NULL
                           : bsearch(&key, world->teleports, world->teleport_count, sizeof key, host_compare_links);
    if (found) found->cost = 0;
}

wend_error host_world_set_rules(host_world *world, const wend_map_rules *rules) {
    wend_edit *edit;
    bool dearer = false;
    wend_error error = wend_map_set_rules(world->map, rules);
    for (size_t i = 0; i < world->teleport_count; i++)
        dearer = dearer || (world->teleports[i].cost != 0 && world->teleports[i].cost != rules->cost_straight);
    if (error || !dearer) return error;
    error = wend_edit_begin(world->map, &edit);
    if (error) return error;
    for (size_t i = 0; i < world->teleport_count; i++) {
        wend_link *teleport = &world->teleports[i];
        if (teleport->cost == 0) continue;
        teleport->cost = rules->cost_straight;
        wend_edit_add_link(edit, teleport->from, teleport->to, teleport->cost); /* the batch keeps its first error */
    }
    return wend_edit_publish(edit, NULL);
}

static int load_map(const char *path, const char *bytes, size_t size, host_world *out) {
    wend_file_error where = {.struct_bytes = sizeof where};
    out->markers = (wend_map_markers){.struct_bytes = sizeof out->markers};
    if (looks_tiled(bytes, size)) return load_tiled(path, bytes, size, out);
    wend_error error = parse_map(path, bytes, size, out, &where);
    if (!error && !keep_teleports(out)) return HOST_DONE;
    if (!error) {
        host_world_free(out);
        return host_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
    }
    if (error == WEND_BAD_FORMAT && wend_format_detect(bytes, size) == WEND_FORMAT_UNKNOWN)
        return host_fail_at(path, where.line, where.column,
                            "%s; nor a script, which begins with map, grid, voxels or graph", where.text);
    return fail_map(path, error, &where);
}

static int load_script(const char *path, const char *bytes, size_t size, int32_t depth, const host_run_options *options,
                       host_world *out) {
    host_script script;
    host_script_init(&script, path, bytes, size, options);
    script.depth = depth;
    script.world = true;
    int status = host_script_run(&script);
    host_script_free(&script);
    if (!status)
        *out = script.built;
    else
        host_world_free(&script.built);
    return status;
}

static int load(const char *path, const char *bytes, size_t size, int32_t depth, const host_run_options *options,
                host_world *out) {
    if (host_script_begins(bytes, size)) return load_script(path, bytes, size, depth, options, out);
    return load_map(path, bytes, size, out);
}

static int load_argument(const char *path, const host_run_options *options, host_world *out) {
    size_t size;
    host_world world = {0};
    char *bytes = host_read_file(path, 0, &size);
    if (!bytes) return HOST_BAD_INPUT;
    int status = load(path, bytes, size, 0, options, &world);
    free(bytes);
    if (!status) *out = world;
    return status;
}

int host_world_load(const char *path, host_world *out) {
    static const host_run_options options = {0};
    return load_argument(path, &options, out);
}

int host_world_load_served(const char *path, host_world *out) {
    static const host_run_options options = {.serves = true};
    return load_argument(path, &options, out);
}

bool host_keep(host_kept *kept, const wend__order *order, int line) {
    if (!WEND__ARRAY_ROOM(kept->items, kept->capacity, kept->count + 1)) return false;
    wend__order *copy = wend__order_copy(order);
    if (!copy) return false;
    kept->items[kept->count++] = (struct host_kept_order){copy, line};
    return true;
}

void host_kept_free(host_kept *kept) {
    for (size_t i = 0; i < kept->count; i++) free(kept->items[i].order);
    free(kept->items);
    *kept = (host_kept){0};
}

void host_world_free(host_world *world) {
    host_routes_free(&world->routes);
    host_units_free(&world->units);
    host_kept_free(&world->agents);
    host_kept_free(&world->orders);
    wend_map_release(world->map);
    wend_tiled_free(world->tiled);
    host_movers_free(&world->movers);
    free(world->teleports);
    *world = (host_world){0};
}

static int load_path(host_script *script, host_word file, const char *path) {
    size_t size;
    uint64_t most = 0;
    char text[80], *bytes = read_whole(path, &most, &size);
    if (!bytes) return host_script_fail(script, file.column, "cannot read '%s': %s", path, reason(errno, most, text));
    host_world world = {0};
    int status;
    if (script->depth == HOST_MAX_DEPTH && host_script_begins(bytes, size))
        status =
            host_script_fail(script, file.column, "'%s' is a world file in more than %d others", path, HOST_MAX_DEPTH);
    else
        status = load(path, bytes, size, script->depth + 1, script->options, &world);
    free(bytes);
    for (size_t i = 0; i < world.agents.count; i++) world.agents.items[i].line = 0;
    if (!status) {
        /* a map has no limits, and a script for `wend run` has its own */
        if (!script->world || world.limits.def.struct_bytes == 0) world.limits = script->built.limits;
        script->built = world;
    }
    return status;
}

int host_world_load_from(host_script *script, host_word file) {
    if (script->options->no_files) return host_script_fail(script, file.column, "no map file may be opened here");
    if (host_word_is(file, "-") && strcmp(script->file, "-") == 0)
        return host_script_fail(script, file.column, "standard input is this script already");
    char *path = host_path_beside(script->file, file);
    if (!path) return host_script_no_memory(script);
    int status = load_path(script, file, path);
    free(path);
    return status;
}
