/* SPDX-License-Identifier: MIT */
/* Treats agents without bodies as discs, too: of half their size, from where they are drawn to their step's end. */
#include "agents/update/agents.h"

#include "motion/walk/points.h"

enum { ONE = 1 << 14, SQUARE = 3 }; ///< unit of length: a cell; a hashed square has 2^SQUARE cells a side

static uint32_t heads_of(uint32_t agents) {
    uint32_t heads = 16;
    while (heads < agents) heads *= 2;
    return heads;
}

size_t wend__others_bytes(uint32_t agents) {
    return ((size_t)heads_of(agents) + agents) * sizeof(int32_t);
}

void wend__others_init(wend__others *others, void *memory, const wend_crowd *crowd) {
    const uint32_t heads = heads_of(crowd->def.agents);
    *others = (wend__others){.crowd = crowd, .heads = memory, .mask = heads - 1, .most_size = 1};
    others->next = others->heads + heads;
    memset(others->heads, 0xFF, heads * sizeof *others->heads);
}

static int32_t *head_of(const wend__others *others, int32_t x, int32_t y) {
    const uint64_t h = ((uint64_t)(uint32_t)y << 32 | (uint32_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return &others->heads[(uint32_t)(h >> 32) & others->mask];
}

/* Returns the cell that the hash has for an agent: the end of its step, or the cell where it waits to begin that. */
static wend_cell found_at(const wend__traffic_agent *in_traffic) {
    return in_traffic->held ? in_traffic->from : in_traffic->at;
}

void wend__others_update(wend__others *others) {
    const wend_crowd *crowd = others->crowd;
    if (others->count > 0) memset(others->heads, 0xFF, ((size_t)others->mask + 1) * sizeof *others->heads);
    others->count = 0;
    others->most_size = 1;
    if (crowd->count == crowd->body_count) return;
    for (uint32_t i = 0; i < crowd->used; i++) {
        const wend__traffic_agent *in_traffic = &crowd->in_traffic[i];
        if (crowd->phase[i] <= WEND__PHASE_AWAY || in_traffic->body || in_traffic->ghost) continue;
        const wend_cell cell = found_at(in_traffic);
        int32_t *head = head_of(others, cell.x >> SQUARE, cell.y >> SQUARE);
        others->next[i] = *head;
        *head = (int32_t)i;
        others->count++;
        others->most_size = wend__most(others->most_size, in_traffic->size);
    }
}

/* Returns an agent's disc from where it is drawn to its step's end. In a held step, and on links, it stands. */
static wend__other disc_of(const wend_crowd *crowd, uint32_t index) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const wend_cell at = in_traffic->at, way = wend__map_apart(crowd->def.map, in_traffic->from, at);
    const bool steps = wend__is_unit(way.x) && wend__is_unit(way.y), moves = steps && !in_traffic->held;
    const wend_cell begin = moves ? (wend_cell){at.x - way.x, at.y - way.y, 0} : found_at(in_traffic);
    wend__other disc = wend__other_from(in_traffic->size, begin, moves ? way : (wend_cell){0, 0, 0});
    disc.goes_x = disc.to_x, disc.goes_y = disc.to_y, disc.step = INT32_MAX;
    if (crowd->phase[index] != WEND__PHASE_STEPPING) return disc;
    disc.step = (int32_t)(in_traffic->turn & INT32_MAX);
    if (in_traffic->held && steps) disc.goes_x += way.x * ONE, disc.goes_y += way.y * ONE;
    if (!moves) return disc;
    int64_t length = crowd->agents[index].length, done = length - crowd->remaining[index];
    for (; length >= INT64_C(1) << 31; length >>= 1) done >>= 1;
    disc.x = wend__part_of_way(disc.x, disc.to_x, done, length);
    disc.y = wend__part_of_way(disc.y, disc.to_y, done, length);
    return disc;
}

/* Returns whether an agent's disc may reach into a square: it is within a step of the cell that the hash has. */
static bool is_near(wend_cell cell, int32_t size, int32_t x, int32_t y, int32_t reach) {
    const uint32_t far = (uint32_t)(reach + (size + 3) * ONE / 2);
    const int32_t middle = size * ONE / 2;
    return wend__distance(cell.x * ONE + middle, x) <= far && wend__distance(cell.y * ONE + middle, y) <= far;
}

/* Returns whether a disc on its way reaches into a square. */
static bool reaches(const wend__other *disc, int32_t x, int32_t y, int32_t reach) {
    const int32_t far = reach + disc->radius;
    return wend__least(disc->x, disc->to_x) <= x + far && wend__most(disc->x, disc->to_x) >= x - far &&
           wend__least(disc->y, disc->to_y) <= y + far && wend__most(disc->y, disc->to_y) >= y - far;
}

uint32_t wend__others_near(const wend__others *others, int32_t x, int32_t y, int32_t reach, wend__other *out,
                           uint32_t capacity) {
    uint32_t count = 0;
    if (others->count == 0) return 0;
    const int32_t far = reach + (others->most_size + 1) * ONE; /* a step leads from a neighbour of the cell */
    for (int32_t sy = (y - far) >> (14 + SQUARE); sy <= (y + far) >> (14 + SQUARE); sy++)
        for (int32_t sx = (x - far) >> (14 + SQUARE); sx <= (x + far) >> (14 + SQUARE); sx++)
            for (int32_t i = *head_of(others, sx, sy); i >= 0; i = others->next[i]) {
                const wend__traffic_agent *in_traffic = &others->crowd->in_traffic[i];
                const wend_cell at = found_at(in_traffic);
                if (at.x >> SQUARE != sx || at.y >> SQUARE != sy) continue; /* in another square */
                if (!is_near(at, in_traffic->size, x, y, reach)) continue;
                const wend__other disc = disc_of(others->crowd, (uint32_t)i);
                if (!reaches(&disc, x, y, reach)) continue;
                if (count == capacity) return count;
                out[count++] = disc;
            }
    return count;
}
