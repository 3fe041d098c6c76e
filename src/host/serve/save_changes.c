/* SPDX-License-Identifier: MIT */
/* Writes what differs between a map and the file that it came from, as a script. */
#include <stdlib.h>
#include <string.h>

#include "host/serve/look.h"
#include "host/output/cells.h"

typedef struct changes {
    const wend_map *now, *before;
    int32_t kind;
} changes;

static void put_bytes(void *out, const char *bytes, size_t size) {
    fwrite(bytes, 1, size, out);
}

void host_put_order(FILE *out, int32_t kind, const wend__order *order) {
    wend__order_write(order, wend__kind_axes(kind), put_bytes, out);
    fputc('\n', out);
}

static void put_change(FILE *out, const changes *maps, int32_t what, wend_cell from, wend_cell to, int32_t value) {
    const wend__order order = {.kind = what, .change = {from, to, value}};
    host_put_order(out, maps->kind, &order);
}

/* Runs of cells of a row that differ from the file. */
static bool put_rows(FILE *out, const changes *maps) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(maps->now, &info);
    const size_t width = (size_t)info.width;
    uint8_t *now = malloc(width), *before = malloc(width);
    const bool good = now != NULL && before != NULL;
    for (int32_t z = 0; good && z < info.depth; z++)
        for (int32_t y = 0; y < info.height; y++) {
            const wend_box row = {{0, y, z}, {info.width - 1, y, z}};
            wend_map_get_terrain_box(maps->now, row, now, width);
            wend_map_get_terrain_box(maps->before, row, before, width);
            if (memcmp(now, before, width) == 0) continue;
            for (size_t x = 0, end; x < width; x = end) {
                end = x + 1;
                if (now[x] == before[x]) continue;
                while (maps->kind != WEND_KIND_GRAPH && end < width && now[end] == now[x] && now[end] != before[end])
                    end++;
                const wend_cell from = {(int32_t)x, y, z}, to = {(int32_t)end - 1, y, z};
                put_change(out, maps, end - x > 1 ? WEND__ORDER_FILL : WEND__ORDER_SET, from, to, now[x]);
            }
        }
    free(now);
    free(before);
    return good;
}

static int compare_steps(const void *a, const void *b) {
    const wend_step *one = a, *two = b;
    const int order = host_compare_cells(&one->from, &two->from);
    return order ? order : host_compare_cells(&one->to, &two->to);
}

static wend_link *get_links(const wend_map *map, size_t *count) {
    wend_map_get_links(map, NULL, 0, count);
    wend_link *links = malloc((*count + 1) * sizeof *links);
    if (links == NULL) return NULL;
    wend_map_get_links(map, links, *count, count);
    qsort(links, *count, sizeof *links, host_compare_links);
    return links;
}

static wend_step *get_steps(const wend_map *map, size_t *count) {
    wend_map_get_closed_steps(map, NULL, 0, count);
    wend_step *steps = malloc((*count + 1) * sizeof *steps);
    if (steps == NULL) return NULL;
    wend_map_get_closed_steps(map, steps, *count, count);
    qsort(steps, *count, sizeof *steps, compare_steps);
    return steps;
}

/* Links that the file has not, and those that it has and are gone. */
static bool put_links(FILE *out, const changes *maps) {
    size_t now_count = 0, before_count = 0;
    wend_link *now = get_links(maps->now, &now_count), *before = get_links(maps->before, &before_count);
    const bool good = now != NULL && before != NULL;
    for (size_t i = 0, j = 0; good && (i < now_count || j < before_count);) {
        const int order = i == now_count ? 1 : j == before_count ? -1 : host_compare_links(&now[i], &before[j]);
        if (order > 0)
            put_change(out, maps, WEND__ORDER_UNLINK, before[j].from, before[j].to, 0);
        else if (order < 0 || now[i].cost != before[j].cost)
            put_change(out, maps, WEND__ORDER_LINK, now[i].from, now[i].to, now[i].cost);
        i += order <= 0;
        j += order >= 0;
    }
    free(now);
    free(before);
    return good;
}

static bool put_steps(FILE *out, const changes *maps) {
    size_t now_count = 0, before_count = 0;
    wend_step *now = get_steps(maps->now, &now_count), *before = get_steps(maps->before, &before_count);
    const bool good = now != NULL && before != NULL;
    for (size_t i = 0, j = 0; good && (i < now_count || j < before_count);) {
        const int order = i == now_count ? 1 : j == before_count ? -1 : compare_steps(&now[i], &before[j]);
        if (order > 0) put_change(out, maps, WEND__ORDER_STEP, before[j].from, before[j].to, 1);
        if (order < 0) put_change(out, maps, WEND__ORDER_STEP, now[i].from, now[i].to, 0);
        i += order <= 0;
        j += order >= 0;
    }
    free(now);
    free(before);
    return good;
}

bool serve_save_changes(FILE *out, const char *name, const wend_map *now, const wend_map *before) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(now, &info);
    const changes maps = {now, before, info.kind};
    fprintf(out, "# What was edited: keep it beside the file of the map.\nmap %s\n", name);
    return put_rows(out, &maps) && put_links(out, &maps) && put_steps(out, &maps);
}
