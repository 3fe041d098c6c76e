/* SPDX-License-Identifier: MIT */
/* The links that exist once all edits so far are made: a hash table, so that `unlink` can check at its own line. */
#include <stdlib.h>
#include <string.h>

#include "cli/script/script.h"
#include "cli/shared/cells.h"

static uint64_t mix(uint64_t hash, int32_t number) {
    hash = (hash ^ (uint32_t)number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_cell(uint64_t hash, wend_cell cell) {
    return mix(mix(mix(hash, cell.x), cell.y), cell.z);
}

static cli_way *find(cli_way *ways, size_t capacity, wend_cell from, wend_cell to) {
    size_t at = (size_t)hash_cell(hash_cell(0, from), to) & (capacity - 1);
    while (ways[at].used && !(cli_same_cell(ways[at].from, from) && cli_same_cell(ways[at].to, to)))
        at = (at + 1) & (capacity - 1);
    return &ways[at];
}

static bool grow(cli_links *links) {
    size_t capacity = links->capacity == 0 ? 64 : links->capacity * 2;
    cli_way *ways = calloc(capacity, sizeof *ways);
    if (ways == NULL) return false;
    for (size_t i = 0; i < links->capacity; i++) {
        const cli_way *way = &links->ways[i];
        if (way->used) *find(ways, capacity, way->from, way->to) = *way;
    }
    free(links->ways);
    links->ways = ways;
    links->capacity = capacity;
    return true;
}

static cli_way *make(cli_links *links, wend_cell from, wend_cell to) {
    if (2 * (links->used + 1) > links->capacity && !grow(links)) return NULL;
    cli_way *way = find(links->ways, links->capacity, from, to);
    if (!way->used) {
        *way = (cli_way){from, to, true, false};
        links->used++;
    }
    return way;
}

/* Add the links of the map file or the world file. */
static bool load(cli_script *script) {
    cli_links *links = &script->links;
    size_t count;
    wend_map_get_links(script->built.map, NULL, 0, &count);
    wend_link *own = malloc((count + 1) * sizeof *own);
    bool good = own != NULL;
    if (good) wend_map_get_links(script->built.map, own, count, &count);
    for (size_t i = 0; good && i < count; i++) {
        cli_way *way = make(links, own[i].from, own[i].to);
        good = way != NULL;
        if (good) way->there = true;
    }
    free(own);
    links->there = count;
    links->loaded = good;
    return good;
}

cli_way *cli_links_place(cli_script *script, wend_cell from, wend_cell to) {
    if (!script->links.loaded && !load(script)) return NULL;
    return make(&script->links, from, to);
}

void cli_links_free(cli_script *script) {
    free(script->links.ways);
    script->links = (cli_links){0};
}
