/* SPDX-License-Identifier: MIT */
/* Where a fleeing agent may run to: cells on a ring around its target, the nearest to the agent first. */
#include "crowd/paths/ask.h"

#include "map/movers/views.h"
#include "map/query/reachable.h"
#include "map/version/map.h"

enum { GOALS = 16, LAYERS = 2 };

typedef struct ring {
    const wend_crowd *crowd;
    const wend__version *version;
    uint32_t index;
    wend_cell at;
    uint32_t count;
    wend_cell best[GOALS]; ///< by distance from the agent
} ring;

static bool may_stand(const ring *r, wend_cell cell) {
    const wend__traveller *traveller = &r->crowd->travellers[r->index];
    if (!wend__map_has(r->crowd->def.map, cell)) return false;
    const wend__version *view = wend__version_view(r->version, traveller->mover);
    if (!wend__cell_factor(view, cell)) return false;
    if (wend__cell_factor(view, r->at) && !wend__version_connected(r->version, traveller->mover, r->at, cell))
        return false;
    return traveller->ghost || !wend__traffic_is_held(r->crowd->traffic, cell, traveller->size, (int32_t)r->index);
}

/* Ties stay in the order in which the ring is gone round. */
static void consider(ring *r, wend_cell cell) {
    uint64_t x = wend__distance(cell.x, r->at.x), y = wend__distance(cell.y, r->at.y), length = x * x + y * y;
    uint32_t place = r->count < GOALS ? r->count : GOALS;
    while (place > 0) {
        const wend_cell *other = &r->best[place - 1];
        uint64_t ox = wend__distance(other->x, r->at.x), oy = wend__distance(other->y, r->at.y);
        if (ox * ox + oy * oy <= length) break;
        place--;
    }
    if (place == GOALS || !may_stand(r, cell)) return;
    if (r->count < GOALS) r->count++;
    for (uint32_t i = r->count - 1; i > place; i--) r->best[i] = r->best[i - 1];
    r->best[place] = cell;
}

static void go_round(ring *r, wend_cell target, int32_t distance) {
    const int32_t layers = r->version->kind == WEND_KIND_VOXEL ? LAYERS : 0;
    for (int32_t z = r->at.z - layers; z <= r->at.z + layers; z++)
        for (int32_t i = -distance; i < distance; i++) {
            consider(r, (wend_cell){target.x + i, target.y - distance, z});
            consider(r, (wend_cell){target.x + distance, target.y + i, z});
            consider(r, (wend_cell){target.x - i, target.y + distance, z});
            consider(r, (wend_cell){target.x - distance, target.y - i, z});
        }
}

/* As far away as asked for, or less where there is no such cell; but farther than the agent is. */
uint32_t wend__flee_goals(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *goal) {
    const wend__wish *wish = &crowd->agents[index].wish;
    ring r = {.crowd = crowd, .version = version, .index = index, .at = crowd->travellers[index].at};
    wend_cell target = crowd->travellers[wish->target.index].at;
    const int32_t now = (int32_t)wend__cells_apart(r.at, target);
    for (int32_t distance = wish->distance; distance > now && r.count == 0; distance--) go_round(&r, target, distance);
    if (r.count == 0) return 0;
    *goal = r.best[0];
    memcpy(crowd->goals, r.best + 1, (r.count - 1) * sizeof *r.best);
    return r.count;
}
