/* SPDX-License-Identifier: MIT */
/* Describes a world for the head of a log, so that a node with other files, rules or limits is refused. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cluster/entry.h"
#include "script/script.h"
#include <wend/movers.h>
#include <wend/versions.h>

static bool hash_file(const char *path, int32_t depth, uint64_t *hash);

/* Adds the map file that a line of a world file names; its coordinates are in a file of its own. */
static bool hash_named(const char *path, const char *line, size_t length, int32_t depth, uint64_t *hash) {
    char name[CLI_PATH_BYTES] = "", *folder = cli_folder_of(path), *file = NULL;
    char text[CLI_PATH_BYTES + 8];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    bool good = folder != NULL;
    if (good && sscanf(text, " map %4095[^ \t\r#]", name) == 1) {
        if (asprintf(&file, "%s%s%s", name[0] == '/' ? "" : folder, name[0] == '/' ? "" : "/", name) < 0) file = NULL;
        good = file && hash_file(file, depth + 1, hash);
    }
    free(file);
    free(folder);
    return good;
}

static bool hash_file(const char *path, int32_t depth, uint64_t *hash) {
    size_t size;
    char *bytes = depth <= SCRIPT_MAX_DEPTH ? cli_read_file(path, 0, &size) : NULL;
    bool good = bytes != NULL;
    if (good) *hash = wend__hash_bytes(*hash, bytes, size);
    if (good && cli_script_begins(bytes, size))
        for (const char *line = bytes, *end; good && *line != '\0'; line = *end != '\0' ? end + 1 : end) {
            end = line + strcspn(line, "\n");
            good = hash_named(path, line, (size_t)(end - line), depth, hash);
        }
    free(bytes);
    return good;
}

static void write_rules(const cli_world *loaded, FILE *out) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_info(loaded->map, &info);
    wend_map_get_rules(loaded->map, &rules);
    fprintf(out, "kind %d size %d %d %d links %" PRIu64 "\n", (int)info.kind, (int)info.width, (int)info.height,
            (int)info.depth, info.links);
    fprintf(out, "rules %d %d %d %d %d\n", (int)rules.neighbours, (int)rules.corners, (int)rules.cost_straight,
            (int)rules.cost_diagonal, (int)rules.cost_space);
    for (int32_t i = 0; i < info.movers; i++) {
        wend_mover m = {.struct_bytes = sizeof m};
        if (wend_map_get_mover(loaded->map, i, &m)) continue;
        fprintf(out, "mover %d %d %d %d %d %d", (int)i, (int)m.size, (int)m.walker, (int)m.step_up, (int)m.drop,
                (int)m.headroom);
        for (int k = 0; k < 256; k++) fprintf(out, " %u", m.factors[k]);
        if (m.like >= 0) fprintf(out, " like %d", (int)m.like);
        for (unsigned class = 0; class < 256; class++)
            if (m.avoided[class / 64] >> class % 64 & 1)
                fprintf(out, " avoids %u", class);
            else if (m.shunned[class / 64] >> class % 64 & 1)
                fprintf(out, " shuns %u", class);
        fprintf(out, " %s\n", i > 0 && (size_t)i <= loaded->movers.count ? loaded->movers.names[i - 1] : "");
    }
    for (size_t i = 0; i < cli_reading.blocked.count; i++) fprintf(out, "blocked %s\n", cli_reading.blocked.items[i]);
}

bool cluster_world_read(const char *path, const struct cli_world *loaded, uint64_t most_agents, cluster_world *out) {
    char *text = NULL;
    size_t size = 0;
    *out = (cluster_world){.format = CLUSTER_FORMAT, .world = WEND__HASH_START};
    if (!hash_file(path, 0, &out->world)) return false;
    FILE *file = open_memstream(&text, &size);
    if (!file) return false;
    write_rules(loaded, file);
    const bool good = fclose(file) == 0;
    if (good) out->rules = wend__hash_bytes(WEND__HASH_START, text, size);
    free(text);
    snprintf(out->limits, sizeof out->limits, "max-agents=%" PRIu64, most_agents);
    snprintf(out->version, sizeof out->version, "%s", wend_version());
    return good;
}

bool cluster_world_differs(const cluster_world *needed, const cluster_world *own, char *why, size_t capacity) {
    if (needed->world == own->world && needed->rules == own->rules && strcmp(needed->limits, own->limits) == 0)
        return false;
    snprintf(why, capacity,
             "the log needs world %016" PRIx64 ", rules %016" PRIx64 ", limits %s; this node has world %016" PRIx64
             ", rules %016" PRIx64 ", limits %s",
             needed->world, needed->rules, needed->limits, own->world, own->rules, own->limits);
    return true;
}
