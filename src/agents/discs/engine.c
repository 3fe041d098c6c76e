/* SPDX-License-Identifier: MIT */
/* Makes, places, moves and removes bodies. */
#include "agents/discs/state.h"

#include "map/version/map.h"
#include "map/version/version.h"

enum { LINE = 64 };

static size_t rounded(size_t bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
}

size_t wend__bodies_bytes(const wend_map *map, uint32_t capacity) {
    return rounded(sizeof(wend__bodies)) + rounded(wend__body_bins(map, capacity) * sizeof(int32_t)) +
           rounded(capacity * sizeof(wend__body)) +
           (map->sheets ? rounded(WEND__UNFOLDED_KEPT * sizeof(wend__unfolded)) : 0);
}

static void *carve(uint8_t **memory, size_t bytes) {
    void *piece = *memory;
    *memory += rounded(bytes);
    return piece;
}

wend__bodies *wend__bodies_init(void *memory, const wend_map *map, uint32_t capacity, const wend_allocator *allocator,
                                const wend__body_world *world) {
    uint8_t *rest = memory;
    const uint32_t bins = wend__body_bins(map, capacity);
    wend__bodies *bodies = carve(&rest, sizeof *bodies);
    *bodies = (wend__bodies){.world = *world, .allocator = *allocator, .elapsed = 1000};
    if (map->wrap & WEND_WRAP_X) bodies->around.x = map->width * WEND__BODY_ONE;
    if (map->wrap & WEND_WRAP_Y) bodies->around.y = map->height * WEND__BODY_ONE;
    bodies->bin_columns = (map->width + 1) / 2, bodies->bin_rows = (map->height + 1) / 2;
    const bool hashed = (uint64_t)bodies->bin_columns * (uint64_t)bodies->bin_rows > bins;
    bodies->bin_mask = hashed ? bins - 1 : 0;
    bodies->bins = carve(&rest, bins * sizeof *bodies->bins);
    memset(bodies->bins, 0xFF, bins * sizeof *bodies->bins);
    bodies->of = carve(&rest, capacity * sizeof *bodies->of);
    memset(bodies->of, 0, capacity * sizeof *bodies->of);
    bodies->sheets = map->sheets;
    if (map->sheets) {
        bodies->sights = carve(&rest, WEND__UNFOLDED_KEPT * sizeof *bodies->sights);
        memset(bodies->sights, 0, WEND__UNFOLDED_KEPT * sizeof *bodies->sights);
    }
    WEND__DEBUG_ASSERT(rest == (uint8_t *)memory + wend__bodies_bytes(map, capacity));
    return bodies;
}

void wend__bodies_end(wend__bodies *bodies) {
    for (int32_t mover = 0; mover < WEND_MAX_MOVERS; mover++)
        if (bodies->floors[mover].chunks) wend__floor_close(&bodies->floors[mover]);
}

void wend__bodies_follow(wend__bodies *bodies, const wend__version *version) {
    bodies->version = version;
    for (int32_t mover = 0; mover < WEND_MAX_MOVERS; mover++)
        if (bodies->floors[mover].chunks) wend__floor_follow(&bodies->floors[mover], version);
}

wend__version *wend__bodies_follow_newest(wend__bodies *bodies, const wend_map *map) {
    wend__version *version = wend__map_newest(map);
    wend__bodies_follow(bodies, version);
    return version;
}

bool wend__bodies_open_floor(wend__bodies *bodies, int32_t mover) {
    wend__body_land *floor = &bodies->floors[mover];
    if (floor->chunks) return true;
    return wend__floor_open(floor, &bodies->allocator, bodies->version, mover);
}

bool wend__bodies_become(wend__bodies *bodies, uint32_t index, int32_t mover) {
    if (!wend__bodies_open_floor(bodies, mover)) return false;
    bodies->of[index].mover = mover;
    bodies->fits_on = 0; /* what it covers may be a wall now, or none any more */
    return true;
}

void wend__bodies_clear(wend__bodies *bodies, uint32_t slots) {
    for (uint32_t i = 0; i < slots; i++)
        if (bodies->of[i].state != WEND__BODY_NONE) wend__body_leave_bin(bodies, i);
    memset(bodies->of, 0, slots * sizeof *bodies->of);
    bodies->used = bodies->count = bodies->vehicles = 0;
    bodies->most_radius = bodies->most_offset = bodies->posts = 0;
    bodies->fits_on = 0;
}

bool wend__bodies_fit(wend__bodies *bodies, uint32_t self, int32_t mover, wend_cell cell, int32_t radius) {
    if (!wend__bodies_open_floor(bodies, mover)) return false;
    const wend__body disc = {.offset = bodies->floors[mover].offset};
    const wend__vec at = wend__body_middle(&disc, cell);
    return wend__floor_fits(wend__body_floor_from(bodies, mover, cell), at, radius) &&
           wend__body_touches(bodies, self, at, (wend__vec){0, 0}, radius) == -1;
}

/* Returns WEND_OK where a disc covers no wall; WEND_OUT_OF_MEMORY where that cannot be found out. */
static wend_error check_walls(wend__bodies *bodies, wend__body_land *floor, wend__vec at, int32_t radius) {
    floor->lacks_memory = false;
    if (wend__floor_fits(floor, at, radius)) return WEND_OK;
    bodies->in_way = wend__floor_wall(floor, at, radius);
    return floor->lacks_memory ? WEND_OUT_OF_MEMORY : WEND_BLOCKED;
}

wend_error wend__bodies_put(wend__bodies *bodies, uint32_t index, const wend__body_def *def) {
    if (!wend__bodies_open_floor(bodies, def->mover)) return WEND_OUT_OF_MEMORY;
    const wend__body disc = {.offset = bodies->floors[def->mover].offset};
    wend__body_land *floor = wend__body_floor_from(bodies, def->mover, wend__body_cell_at(&disc, def->at));
    const wend_error walls = check_walls(bodies, floor, def->at, def->radius);
    if (walls) return walls;
    if (wend__body_overlaps(bodies, index, def->at, def->radius, false)) return WEND_BUSY;
    bodies->of[index] = (wend__body){.at = def->at,
                                     .aim = def->at,
                                     .radius = def->radius,
                                     .offset = bodies->floors[def->mover].offset,
                                     .speed = def->speed,
                                     .accel = def->accel,
                                     .turn = (int16_t)def->turn,
                                     .turning = def->turning,
                                     .mover = def->mover,
                                     .parked = def->parked,
                                     .state = WEND__BODY_RESTS};
    bodies->most_radius = wend__most(bodies->most_radius, def->radius);
    bodies->most_offset = wend__most(bodies->most_offset, bodies->of[index].offset);
    if (index >= bodies->used) bodies->used = index + 1;
    bodies->count++;
    bodies->vehicles += def->turning > 0;
    wend__body_enter_bin(bodies, index);
    return WEND_OK;
}

void wend__bodies_take(wend__bodies *bodies, uint32_t index) {
    if (bodies->of[index].state == WEND__BODY_NONE) return;
    wend__body_leave_bin(bodies, index);
    bodies->of[index].state = WEND__BODY_NONE;
    bodies->count--;
    bodies->vehicles -= bodies->of[index].turning > 0;
}

wend_error wend__bodies_moved(wend__bodies *bodies, uint32_t index, wend__vec at, wend__vec velocity) {
    wend__body *body = &bodies->of[index];
    const uint8_t pressed = body->pressed;
    wend__body_land *floor = wend__body_floor_from(bodies, body->mover, wend__body_cell_at(body, at));
    const wend_error walls = check_walls(bodies, floor, at, body->radius);
    if (walls) return walls;
    body->pressed = 0;
    if (wend__body_overlaps(bodies, index, at, body->radius, true)) {
        body->pressed = pressed;
        return WEND_BUSY;
    }
    wend__body_leave_bin(bodies, index);
    body->at = at;
    body->velocity = velocity;
    body->in_wall = 0;
    wend__body_enter_bin(bodies, index);
    return WEND_OK;
}

bool wend__bodies_swap(wend__bodies *bodies, uint32_t a, uint32_t b) {
    wend__body *const two[] = {&bodies->of[a], &bodies->of[b]};
    const wend__vec places[] = {two[1]->at, two[0]->at};
    if (two[0]->radius != two[1]->radius || two[0]->mover != two[1]->mover) return false;
    if (two[0]->in_wall || two[1]->in_wall) return false;
    for (uint32_t k = 0; k < 2; k++) {
        wend__body_leave_bin(bodies, k ? b : a);
        two[k]->at = places[k];
        two[k]->velocity = (wend__vec){0, 0};
        wend__body_enter_bin(bodies, k ? b : a);
    }
    return true;
}

void wend__bodies_set_speed(wend__bodies *bodies, uint32_t index, int32_t speed) {
    bodies->of[index].speed = speed;
}

void wend__bodies_set_parked(wend__bodies *bodies, uint32_t index, bool parked) {
    bodies->of[index].parked = parked;
}

wend_cell wend__bodies_in_way(const wend__bodies *bodies) {
    return wend__body_on_map(bodies, bodies->in_way);
}

bool wend__bodies_any(const wend__bodies *bodies) {
    return bodies->count > 0;
}

const wend__body *wend__bodies_get(const wend__bodies *bodies, uint32_t index) {
    return &bodies->of[index];
}
