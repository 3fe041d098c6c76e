/* SPDX-License-Identifier: MIT */
/* MAP arguments: map files and world files, recognised by content. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/cells.h"
#include "cli/output/draw.h"
#include "cli/output/messages.h"
#include "cli/world/heap.h"
#include "cli/world/world.h"
#include <wend/routes.h>
#include <wend/versions.h>
#include <wend/formats.h>

cli_reading_options cli_reading;

/* A route that ends at its beginning is a loop: a polygon. */
static bool keep_routes(cli_world *world) {
    for (size_t i = 0; i < world->tiled->route_count; i++) {
        const wend_tiled_route *route = &world->tiled->routes[i];
        const wend_cell first = route->cells[0], last = route->cells[route->cell_count - 1];
        const bool closed = route->cell_count > 2 && first.x == last.x && first.y == last.y;
        const int32_t mode = closed ? WEND_ROUTE_LOOP : WEND_ROUTE_ONCE;
        if (!cli_route_keep(&world->routes, route->name, strlen(route->name), mode, route->cells,
                            route->cell_count - closed))
            return false;
    }
    return true;
}

static int load_tiled(const char *path, const char *bytes, size_t size, cli_world *out) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    wend_file_error where = {.struct_bytes = sizeof where};
    char *folder = cli_folder_of(path);
    if (!folder) return cli_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
    wend_tiled_def how;
    wend_tiled_def_init(&how, sizeof how);
    how.strict = cli_reading.strict;
    how.scene = cli_reading.scene;
    how.anywhere = cli_reading.anywhere;
    if (cli_reading.blocked.count > 0) how.blocked_names = cli_reading.blocked.items;
    how.blocked_name_count = cli_reading.blocked.count;
    wend_error error = wend_tiled_parse(bytes, size, folder, &how, &def, &out->map, &out->tiled, &where);
    if (error) {
        free(folder);
        return cli_fail_file(path, error, &where);
    }
    out->tiled_folder = folder;
    for (size_t i = 0; i < out->tiled->warning_count; i++) cli_note_at(path, "warning: %s", out->tiled->warnings[i]);
    out->markers = *out->tiled->markers;
    if (keep_routes(out)) return CLI_DONE;
    cli_world_free(out);
    return cli_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
}

/* ---- letters ---- */

static const char known_letters[] = ".G@OTSW";

bool cli_letters_read(const char *text, char table[256]) {
    for (int i = 0; i < 256; i++) table[i] = (char)i;
    for (const char *at = text;; at += 4) {
        const bool whole = at[0] > ' ' && at[1] == '=' && at[2] != '\0' && strchr(known_letters, at[2]);
        if (!whole || (at[3] != ',' && at[3] != '\0')) return false;
        table[(unsigned char)at[0]] = at[2];
        if (at[3] == '\0') return true;
    }
}

/* Returns the first byte behind the line `map`, which ends the header of a MovingAI map. */
static const char *rows_of(const char *bytes, const char *end) {
    while (bytes < end) {
        const char *line = bytes, *last = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = last ? last + 1 : end;
        while (line < bytes && (*line == ' ' || *line == '\t')) line++;
        if (bytes - line >= 3 && memcmp(line, "map", 3) == 0 && (bytes - line == 3 || line[3] <= ' ')) return bytes;
    }
    return end;
}

/* Returns a copy of a MovingAI map with its letters replaced, to be freed; NULL: no memory. */
static char *translate(const char *bytes, size_t size, const char table[256]) {
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    memcpy(copy, bytes, size);
    for (char *at = copy + (rows_of(bytes, bytes + size) - bytes); at < copy + size; at++)
        *at = table[(unsigned char)*at];
    copy[size] = '\0';
    return copy;
}

/* Adds to the refusal of a letter how to read it. */
static int fail_letter(const char *path, const wend_file_error *where) {
    const char *quote = strstr(where->text, "found '");
    return cli_fail_at(path, where->line, where->column, "%s; --letters %c=. reads it as open ground", where->text,
                       quote ? quote[7] : 'E');
}

/* A graph's coordinates are in a file next to it, which is found only by the name. Others are not read twice, since
   they may be pipes. */
static wend_error parse_map(const char *path, const char *bytes, size_t size, cli_world *out, wend_file_error *where) {
    wend_map_def def;
    wend_map_def_init(&def, sizeof def);
    def.allocator = cli_heap_allocator();
    if (wend_format_detect(bytes, size) == WEND_FORMAT_DIMACS && cli_ends_with(path, ".gr"))
        return wend_map_load(path, &def, &out->map, &out->markers, where);
    return wend_map_parse(bytes, size, &def, &out->map, &out->markers, where);
}

/* An error in the file next to a graph comes as "name.co:line:column: …", without the folder. */
static int fail_map(const char *path, wend_error error, const wend_file_error *where) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t stem = cli_ends_with(name, ".gr") ? strlen(name) - strlen("gr") : 0;
    bool beside = stem > 0 && where->line == 0 && strncmp(where->text, name, stem) == 0 &&
                  strncmp(where->text + stem, "co:", 3) == 0;
    char *file = beside ? strdup(path) : NULL;
    if (!file) return cli_fail_file(path, error, where);
    char *end = file + strlen(file);
    end[-2] = 'c', end[-1] = 'o';
    char *text;
    long line = strtol(where->text + stem + 3, &text, 10), column = *text == ':' ? strtol(text + 1, &text, 10) : 0;
    int status = cli_fail_at(file, (int)line, (int)column, "%s", text + strspn(text, ": "));
    free(file);
    return status;
}

/* ---- teleports cost one straight step, whatever its cost ---- */

/* All links of grid text are teleports; the map lists them in the order of their cells. */
static wend_error keep_teleports(cli_world *world) {
    size_t count;
    if (world->markers.format != WEND_FORMAT_GRID_TEXT) return WEND_OK;
    wend_map_get_links(world->map, NULL, 0, &count);
    if (count == 0) return WEND_OK;
    world->teleports = cli_alloc(count * sizeof *world->teleports);
    if (!world->teleports) return WEND_OUT_OF_MEMORY;
    wend_map_get_links(world->map, world->teleports, count, &count);
    world->teleport_count = count;
    return WEND_OK;
}

void cli_world_forget_teleport(cli_world *world, wend_cell from, wend_cell to) {
    const wend_link key = {.from = from, .to = to};
    wend_link *found = world->teleport_count == 0
                           ? NULL
                           : bsearch(&key, world->teleports, world->teleport_count, sizeof key, cli_compare_links);
    if (found) found->cost = 0;
}

wend_error cli_world_set_rules(cli_world *world, const wend_map_rules *rules) {
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
        wend_edit_add_link(
            edit, &(wend_link){teleport->from, teleport->to, teleport->cost, 0}); /* the batch keeps its first error */
    }
    return wend_edit_publish(edit, NULL);
}

static int load_map(const char *path, const char *bytes, size_t size, cli_world *out) {
    wend_file_error where = {.struct_bytes = sizeof where};
    out->markers = (wend_map_markers){.struct_bytes = sizeof out->markers};
    if (cli_looks_tiled(bytes, size)) return load_tiled(path, bytes, size, out);
    char table[256], *own = NULL;
    const int32_t format = wend_format_detect(bytes, size);
    if (cli_reading.letters) {
        if (!cli_letters_read(cli_reading.letters, table)) return cli_fail(CLI_LETTERS_FORM, cli_reading.letters);
        own = format == WEND_FORMAT_MOVINGAI ? translate(bytes, size, table) : NULL;
        if (format == WEND_FORMAT_MOVINGAI && !own) return cli_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
    }
    wend_error error = parse_map(path, own ? own : bytes, size, out, &where);
    free(own);
    if (!error && out->markers.assumed[0] && cli_reading.strict) {
        const int status = cli_fail_at(path, 0, 0, "%s", out->markers.assumed);
        cli_world_free(out);
        return status;
    }
    if (!error && out->markers.assumed[0]) cli_note_at(path, "warning: %s", out->markers.assumed);
    if (!error && !keep_teleports(out)) return CLI_DONE;
    if (!error) {
        cli_world_free(out);
        return cli_fail_file(path, WEND_OUT_OF_MEMORY, NULL);
    }
    if (error == WEND_BAD_FORMAT && format == WEND_FORMAT_MOVINGAI && strstr(where.text, "one of . G"))
        return fail_letter(path, &where);
    if (error == WEND_BAD_FORMAT && format == WEND_FORMAT_UNKNOWN)
        return cli_fail_at(path, where.line, where.column,
                           "%s; nor a script, which begins with map, grid, voxels or graph", where.text);
    return fail_map(path, error, &where);
}

int cli_world_parse(const char *path, const char *bytes, size_t size, int32_t depth,
                    const struct script_options *options, cli_world *out) {
    if (cli_script_begins(bytes, size)) return cli_world_files_read.load(path, bytes, size, depth, options, out);
    return load_map(path, bytes, size, out);
}

int cli_world_load(const char *path, cli_world *out) {
    size_t size;
    cli_world world = {0};
    char *bytes = cli_read_file(path, 0, &size);
    if (!bytes) return CLI_BAD_INPUT;
    const int status = cli_world_parse(path, bytes, size, 0, NULL, &world);
    free(bytes);
    if (!status) *out = world;
    return status;
}

/* A script has its own numbers, from 0 on. */
void cli_world_number_cells(const cli_world *world) {
    const bool script = world->limits.def.struct_bytes != 0;
    if (world->tiled && !script) cli_first_cell = world->tiled->origin;
}

void cli_world_free(cli_world *world) {
    cli_routes_free(&world->routes);
    cli_units_free(&world->units);
    cli_kept_free(&world->agents);
    cli_kept_free(&world->orders);
    wend_map_release(world->map);
    wend_tiled_free(world->tiled);
    free(world->tiled_folder);
    cli_movers_free(&world->movers);
    cli_layers_free(&world->layers);
    cli_free(world->teleports);
    *world = (cli_world){0};
}
