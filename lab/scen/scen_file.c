/* SPDX-License-Identifier: MIT */
/* A scenario file and the maps that it names. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 /* realpath() */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "scen/scen.h"
#include "cli/world/world.h"
#include "cli/output/cells.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "cli/shared/rules.h"

enum { PLACES = 4, PATH_ROOM = 4096 };

typedef struct places {
    char paths[PLACES][PATH_ROOM];
    int count;
} places;

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_place(places *out, const char *folder, const char *middle, const char *name) {
    char *path = out->paths[out->count];
    int length = snprintf(path, PATH_ROOM, "%s/%s%s%s", folder, middle, middle[0] != '\0' ? "/" : "", name);
    if (length > 0 && length < PATH_ROOM) out->count++;
}

/* The folder of a scenario, and that folder's name. */
static void folder_of(const char *scen, char folder[PATH_ROOM], char name[PATH_ROOM]) {
    const char *slash = strrchr(scen, '/');
    if (!slash)
        snprintf(folder, PATH_ROOM, ".");
    else
        snprintf(folder, PATH_ROOM, "%.*s", slash == scen ? 1 : (int)(slash - scen), scen);
    char *whole = realpath(folder, NULL);
    snprintf(name, PATH_ROOM, "%s", whole ? base_name(whole) : "");
    free(whole);
}

static void list_places(const char *scen, const char *maps, const char *map, places *out) {
    char folder[PATH_ROOM], name[PATH_ROOM];
    folder_of(scen, folder, name);
    if (!maps) maps = folder;
    out->count = 0;
    add_place(out, maps, "", map);
    if (strncmp(map, "maps/", 5) == 0) add_place(out, maps, "", map + 5);
    add_place(out, folder, "", base_name(map));
    add_place(out, maps, name, base_name(map));
}

static bool is_there(const char *path) {
    struct stat what;
    return stat(path, &what) == 0 && !S_ISDIR(what.st_mode);
}

static int open_map(const scen_set *set, size_t query, const char *folder, cli_world *out) {
    const char *map = set->queries[query].map;
    places where;
    list_places(set->path, folder, map, &where);
    for (int i = 0; i < where.count; i++) {
        if (is_there(where.paths[i])) return cli_world_load(where.paths[i], out);
    }
    cli_fail_at(set->path, scen_line(set, query), 0, "there is no map '%s'; looked for:", map);
    for (int i = 0; i < where.count; i++) fprintf(stderr, "  %s\n", where.paths[i]);
    return CLI_BAD_INPUT;
}

static int set_rules(scen_map *map, const scen_settings *settings) {
    map->info = (wend_map_info){.struct_bytes = sizeof map->info};
    wend_map_get_info(map->world.map, &map->info);
    wend_map_rules *rules = &map->rules;
    *rules = cli_map_rules(map->world.map);
    rules->neighbours = map->info.kind == WEND_KIND_VOXEL ? 26 : 8;
    rules->corners = WEND_CORNERS_NEVER;
    rules->cost_straight = 1000;
    rules->cost_diagonal = 1414;
    rules->cost_space = 1732;
    int status = cli_rules_apply(&settings->rules, map->info.kind, rules);
    if (status) return status;
    wend_error error = cli_world_set_rules(&map->world, rules);
    *rules = cli_map_rules(map->world.map);
    return !error ? CLI_DONE : cli_fail("%s", wend_error_detail(error));
}

int scen_prepare(const scen_set *set, const scen_settings *settings) {
    int status = CLI_DONE;
    for (size_t i = 0; i < set->map_count && !status; i++)
        status = cli_engine_prepare(set->maps[i].world.map, settings->rules.engine, settings->landmarks, 0);
    return status;
}

/* The map of a query, read at its first use. The array has room for a map for each query. */
static int find_map(scen_set *set, size_t query, const scen_settings *settings) {
    const char *name = set->queries[query].map;
    for (size_t i = set->map_count; i-- > 0;) {
        if (strcmp(set->maps[i].name, name) != 0) continue;
        set->map_of[query] = &set->maps[i];
        return CLI_DONE;
    }
    scen_map *map = &set->maps[set->map_count];
    int status = open_map(set, query, settings->maps, &map->world);
    if (status) return status;
    map->name = name;
    set->map_of[query] = map;
    set->map_count++;
    return set_rules(map, settings);
}

static int fail_map(const scen_set *set, size_t query, const char *what) {
    return cli_fail_at(set->path, scen_line(set, query), 0, "the map '%s' is %s", set->queries[query].map, what);
}

/* Voxel scenarios have no sizes: start and goal must be on the map. */
static int check_voxels(const scen_set *set, size_t query) {
    const scenario_query *asked = &set->queries[query];
    const scen_map *map = set->map_of[query];
    if (map->info.kind != WEND_KIND_VOXEL) return fail_map(set, query, "none of voxels");
    bool on =
        cli_has_cell(map->world.map, &map->info, asked->start) && cli_has_cell(map->world.map, &map->info, asked->goal);
    return on ? CLI_DONE : cli_fail_at(set->path, scen_line(set, query), 0, "a cell is off the map '%s'", asked->map);
}

static int check_map(const scen_set *set, size_t query) {
    const scenario_query *asked = &set->queries[query];
    const wend_map_info *info = &set->map_of[query]->info;
    if (asked->depth == 0) return check_voxels(set, query);
    if (info->kind != WEND_KIND_GRID) return fail_map(set, query, "no flat grid");
    if (asked->width == info->width && asked->height == info->height) return CLI_DONE;
    return cli_fail_at(set->path, scen_line(set, query), 0,
                       "the map '%s' is %" PRId32 " x %" PRId32 ", not %" PRId32 " x %" PRId32, asked->map, info->width,
                       info->height, asked->width, asked->height);
}

static int read_queries(const char *path, scen_set *set) {
    set->text = cli_read_file(path, SCENARIO_MOST_BYTES, &set->text_size);
    if (!set->text) return CLI_BAD_INPUT;
    wend_file_error where;
    wend_error error = scenario_parse(set->text, set->text_size, &set->file, &where);
    if (error) return cli_fail_file(path, error, &where);
    set->queries = set->file.queries, set->count = set->file.count;
    set->maps = calloc(set->count + 1, sizeof *set->maps);
    set->map_of = calloc(set->count + 1, sizeof *set->map_of);
    set->results = calloc(set->count + 1, sizeof *set->results);
    bool room = set->maps && set->map_of && set->results;
    return room ? CLI_DONE : cli_fail("%s", wend_error_text(WEND_OUT_OF_MEMORY));
}

int scen_load(const char *path, const scen_settings *settings, scen_set *out) {
    scen_set set = {.path = path};
    int status = read_queries(path, &set);
    for (size_t i = 0; i < set.count && !status; i++) {
        status = find_map(&set, i, settings);
        if (!status) status = check_map(&set, i);
    }
    if (!status)
        *out = set;
    else
        scen_free(&set);
    return status;
}

void scen_free(scen_set *set) {
    for (size_t i = 0; i < set->map_count; i++) cli_world_free(&set->maps[i].world);
    scenario_free(&set->file);
    free(set->maps);
    free(set->map_of);
    free(set->results);
    free(set->cells);
    free(set->text);
}

static bool is_blank(const char *line, const char *end) {
    for (; line < end; line++) {
        if (*line != ' ' && *line != '\t' && *line != '\r') return false;
    }
    return true;
}

/* The queries are the file's last lines that are not blank; a version line may come before them. Lines are counted only
   for a message. */
int scen_line(const scen_set *set, size_t query) {
    size_t left = set->count - query; /* lines that are not blank, from here to the end */
    const char *end = set->text + set->text_size;
    for (const char *at = end; at > set->text && left > 0;) {
        const char *line = at - (at[-1] == '\n' ? 1 : 0), *line_end = line;
        while (line > set->text && line[-1] != '\n') line--;
        if (!is_blank(line, line_end)) left--;
        at = line;
        end = line;
    }
    int number = 1;
    for (const char *at = set->text; at < end; at++) number += *at == '\n';
    return number;
}

bool scen_reserve(scen_set *set, size_t cells) {
    return WEND__ARRAY_ROOM(set->cells, set->cell_capacity, cells);
}
