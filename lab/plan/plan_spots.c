/* SPDX-License-Identifier: MIT */
/* Finds the hard spots of a map from the paths of a load: counts expansions between areas, and paths through cells. */
#include <stdlib.h>

#include <wend/query.h>

#include "plan/plan.h"

/* Paths through cells are counted on maps of up to this many; a chokepoint carries at least one path in this many. */
enum { COUNTED_CELLS_MAX = 1 << 24, CHOKE_PATHS = 100, AREAS_MAX = PLAN_AREAS_SIDE * PLAN_AREAS_SIDE };

typedef struct pair_count {
    uint64_t requests, expansions, worst_expansions;
    wend_cell worst_from, worst_to;
} pair_count;

struct plan_spots {
    wend_map *map;
    wend_map_info info;
    int32_t mover;
    pair_count *pairs; /* from an area to an area */
    uint32_t *paths;   /* through each cell; NULL on large maps */
    uint64_t path_count, expansions;
};

plan_spots *plan_spots_create(wend_map *map, int32_t mover) {
    plan_spots *spots = calloc(1, sizeof *spots);
    if (!spots) return NULL;
    spots->map = map;
    spots->mover = mover;
    spots->info.struct_bytes = sizeof spots->info;
    wend_map_get_info(map, &spots->info);
    const wend_map_info *info = &spots->info;
    const uint64_t all = (uint64_t)info->width * (uint64_t)info->height * (uint64_t)info->depth;
    spots->pairs = calloc((size_t)AREAS_MAX * AREAS_MAX, sizeof *spots->pairs);
    if (all <= COUNTED_CELLS_MAX) spots->paths = calloc((size_t)all, sizeof *spots->paths);
    if (spots->pairs && (all > COUNTED_CELLS_MAX || spots->paths)) return spots;
    plan_spots_free(spots);
    return NULL;
}

void plan_spots_free(plan_spots *spots) {
    if (!spots) return;
    free(spots->pairs);
    free(spots->paths);
    free(spots);
}

uint64_t plan_spots_paths(const plan_spots *spots) {
    return spots->path_count;
}

uint64_t plan_spots_expansions(const plan_spots *spots) {
    return spots->expansions;
}

/* ---- areas ---- */

/* The map is cut into equal parts along x and y; a graph, which has no y, along its numbers. */
static int32_t parts_along(int32_t length, int32_t most) {
    return length < most ? length : most;
}

static int32_t columns_of(const wend_map_info *info) {
    return parts_along(info->width, info->kind == WEND_KIND_GRAPH ? AREAS_MAX : PLAN_AREAS_SIDE);
}

static int32_t part_at(int32_t at, int32_t length, int32_t parts) {
    return (int32_t)((int64_t)at * parts / length);
}

static size_t area_of(const wend_map_info *info, wend_cell cell) {
    const int32_t columns = columns_of(info), rows = parts_along(info->height, PLAN_AREAS_SIDE);
    return (size_t)part_at(cell.y, info->height, rows) * (size_t)columns +
           (size_t)part_at(cell.x, info->width, columns);
}

/* The first cell of a part: the smallest `at` for which part_at() is `part`. */
static int32_t part_begin(int32_t part, int32_t length, int32_t parts) {
    return (int32_t)(((int64_t)part * length + parts - 1) / parts);
}

static wend_box area_box(const wend_map_info *info, size_t area) {
    const int32_t columns = columns_of(info), rows = parts_along(info->height, PLAN_AREAS_SIDE);
    const int32_t x = (int32_t)area % columns, y = (int32_t)area / columns;
    const wend_cell from = {part_begin(x, info->width, columns), part_begin(y, info->height, rows), 0};
    const wend_cell to = {part_begin(x + 1, info->width, columns) - 1, part_begin(y + 1, info->height, rows) - 1,
                          info->depth - 1};
    return (wend_box){from, to};
}

/* ---- counting ---- */

static size_t index_of(const wend_map_info *info, wend_cell cell) {
    return ((size_t)cell.z * (size_t)info->height + (size_t)cell.y) * (size_t)info->width + (size_t)cell.x;
}

void plan_spots_add(plan_spots *spots, wend_cell start, wend_cell goal, const wend_completion *completion) {
    pair_count *pair = &spots->pairs[area_of(&spots->info, start) * AREAS_MAX + area_of(&spots->info, goal)];
    pair->requests++;
    pair->expansions += completion->expansions;
    spots->expansions += completion->expansions;
    if (completion->expansions > pair->worst_expansions) {
        pair->worst_expansions = completion->expansions;
        pair->worst_from = start;
        pair->worst_to = goal;
    }
    if (completion->cell_count == 0) return;
    spots->path_count++;
    if (!spots->paths) return;
    for (size_t i = 0; i < completion->cell_count; i++) spots->paths[index_of(&spots->info, completion->cells[i])]++;
}

size_t plan_spots_pairs(const plan_spots *spots, plan_pair out[PLAN_SPOTS_MAX]) {
    size_t count = 0;
    for (size_t at = 0; at < (size_t)AREAS_MAX * AREAS_MAX; at++) {
        const pair_count *pair = &spots->pairs[at];
        if (pair->expansions == 0) continue;
        size_t place = count;
        while (place > 0 && out[place - 1].expansions < pair->expansions) place--;
        if (place == PLAN_SPOTS_MAX) continue;
        if (count < PLAN_SPOTS_MAX) count++;
        for (size_t i = count - 1; i > place; i--) out[i] = out[i - 1];
        out[place] = (plan_pair){.from = area_box(&spots->info, at / AREAS_MAX),
                                 .to = area_box(&spots->info, at % AREAS_MAX),
                                 .requests = pair->requests,
                                 .expansions = pair->expansions,
                                 .worst_from = pair->worst_from,
                                 .worst_to = pair->worst_to,
                                 .worst_expansions = pair->worst_expansions};
    }
    return count;
}

/* ---- chokepoints ---- */

static bool is_open(const plan_spots *spots, wend_cell cell) {
    bool open = false;
    return wend_map_reachable(spots->map, spots->mover, cell, cell, &open) == WEND_OK && open == 1;
}

/* Counts open cells in a line through a cell, up to one more than a chokepoint may have. The map's rim is a wall. */
static int32_t line_width(const plan_spots *spots, wend_cell cell, int32_t dx, int32_t dy) {
    int32_t width = 1;
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        wend_cell at = {cell.x + sign * dx, cell.y + sign * dy, cell.z};
        for (; width <= PLAN_CHOKE_WIDTH && is_open(spots, at); width++) at.x += sign * dx, at.y += sign * dy;
    }
    return width;
}

/* The smaller width of both axes; above PLAN_CHOKE_WIDTH: no chokepoint. */
static int32_t width_at(const plan_spots *spots, wend_cell cell) {
    if (spots->info.kind == WEND_KIND_GRAPH) return 0;
    const int32_t across = line_width(spots, cell, 1, 0), down = line_width(spots, cell, 0, 1);
    return across < down ? across : down;
}

static bool is_near(const wend_map_info *info, wend_cell a, wend_cell b) {
    if (info->kind == WEND_KIND_GRAPH) return a.x == b.x;
    return abs(a.x - b.x) <= PLAN_CHOKE_WIDTH && abs(a.y - b.y) <= PLAN_CHOKE_WIDTH &&
           abs(a.z - b.z) <= PLAN_CHOKE_WIDTH;
}

/* Returns the cell with most paths that is far from the found chokepoints and narrow enough. */
static bool next_choke(const plan_spots *spots, const plan_choke *found, size_t count, plan_choke *out) {
    const wend_map_info *info = &spots->info;
    uint64_t most = spots->path_count / CHOKE_PATHS;
    bool any = false;
    for (wend_cell cell = {0, 0, 0}; cell.z < info->depth; cell.z++) {
        for (cell.y = 0; cell.y < info->height; cell.y++) {
            for (cell.x = 0; cell.x < info->width; cell.x++) {
                const uint32_t paths = spots->paths[index_of(info, cell)];
                if (paths <= most) continue;
                size_t near = 0;
                while (near < count && !is_near(info, cell, found[near].cell)) near++;
                const int32_t width = near < count ? 0 : width_at(spots, cell);
                if (near < count || width > PLAN_CHOKE_WIDTH) continue;
                most = paths;
                *out = (plan_choke){cell, paths, width};
                any = true;
            }
        }
    }
    return any;
}

size_t plan_spots_chokes(const plan_spots *spots, plan_choke out[PLAN_SPOTS_MAX]) {
    size_t count = 0;
    if (!spots->paths) return 0;
    while (count < PLAN_SPOTS_MAX && next_choke(spots, out, count, &out[count])) count++;
    return count;
}
