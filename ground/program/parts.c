/* SPDX-License-Identifier: MIT */
/* Counts the parts of a ground, and tries climbs that join them. The ground is made again for each try: where a step is
 * too high, the agent's radius keeps both sides of it apart, so their heights next to each other are not known. */
#include "parts.h"

#include <math.h>
#include <wend/query.h>

/// Parts that are compared, and cells of parts that are counted at all; the share of the places of a part that counts.
enum { MOST_PARTS = 64, MOST_FOUND = 256, A_SHARE = 100, MOST_LEVELS = 255 };

/* Any cell of a part, and how many places the part has. */
typedef struct part {
    wend_cell cell;
    uint64_t places;
} part;

static bool is_joined(const wend_map *map, wend_cell a, wend_cell b) {
    bool reachable = false;
    return wend_map_reachable(map, WEND_MOVER_DEFAULT, a, b, &reachable) == WEND_OK && reachable;
}

/* Counts the places of each part. Returns the number of parts. */
static uint32_t count_places(const wend_ground *ground, const wend_map *map, part *found) {
    wend_map_info info = {.struct_bytes = sizeof info};
    uint32_t count = 0, last = 0;
    wend_map_get_info(map, &info);
    for (int32_t y = 0; y < info.height; y++)
        for (int32_t x = 0; x < info.width; x++) {
            const wend_cell cell = {x, y, 0};
            float at[3];
            if (wend_ground_get_world(ground, cell, at)) continue;
            if (count == 0 || !is_joined(map, cell, found[last].cell))
                for (last = 0; last < count && !is_joined(map, cell, found[last].cell);) last++;
            if (last == MOST_FOUND)
                last = 0; /* one of too many small parts */
            else if (last == count)
                found[count++] = (part){cell, 1};
            else
                found[last].places++;
        }
    return count;
}

/* Keeps the parts that are large enough, in their order. Returns their number. */
static uint32_t keep_large(part *found, uint32_t count, uint64_t places) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && kept < MOST_PARTS; i++)
        if (found[i].places * A_SHARE >= places) found[kept++] = found[i];
    return kept;
}

/* Makes the ground with a climb of `levels` levels. Returns the most parts that become one; 0: none do, or the ground
 * cannot be made. */
static uint32_t try_climb(const wend_ground_def *def, int32_t level, int32_t levels, float points[][3],
                          uint32_t count) {
    wend_ground_def other = *def;
    wend_ground *ground;
    wend_map *map;
    wend_cell cells[MOST_PARTS];
    uint32_t most = 1;
    other.climb = (float)(levels * level) / 1000;
    if (wend_ground_create(&other, &ground, &map, NULL)) return 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 1;
        if (wend_ground_get_cell(ground, points[i], def->cell + def->level, &cells[i])) cells[i].x = -1;
        for (uint32_t k = 0; k < i; k++) same += is_joined(map, cells[k], cells[i]);
        if (same > most) most = same;
    }
    wend_ground_destroy(ground);
    wend_map_release(map);
    return most > 1 ? most : 0;
}

void ground_find_parts(const wend_ground_def *def, int32_t level, const wend_ground *ground, const wend_map *map,
                       ground_parts *out) {
    part found[MOST_FOUND];
    float points[MOST_PARTS][3];
    wend_ground_info info = {.struct_bytes = sizeof info};
    wend_ground_get_info(ground, &info);
    const uint32_t count = keep_large(found, count_places(ground, map, found), info.spans);
    *out = (ground_parts){.count = count};
    for (uint32_t i = 0; i < count; i++) (void)wend_ground_get_world(ground, found[i].cell, points[i]);
    int32_t low = (int32_t)floorf(def->climb / def->level + 1e-4f), high = (int32_t)ceilf(def->height / def->level);
    if (high > MOST_LEVELS) high = MOST_LEVELS;
    if (count < 2 || high <= low) return;
    out->joined = try_climb(def, level, high, points, count);
    while (out->joined > 0 && high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        const uint32_t joined = try_climb(def, level, middle, points, count);
        if (joined > 0)
            out->joined = joined, high = middle;
        else
            low = middle;
    }
    if (out->joined > 0) out->join_climb = high * level;
}
