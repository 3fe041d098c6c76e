/* SPDX-License-Identifier: MIT */
/* The 3 x 3 around a cell, read from a version, and what follows from it: exits and stops. */
#include "map/stops/stop_tables.h"

/* The cell may be off the map. */
static void load_cell(const wend__version *v, int32_t x, int32_t y, uint8_t *factor, uint8_t *steps) {
    *factor = *steps = 0;
    if (!wend__on_map(v, x, y)) return;
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    const uint32_t local = (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63);
    *factor = v->rules.factors[wend__chunk_class(chunk, local)];
    *steps = wend__chunk_steps(v, chunk, local);
}

/* The same for a 3 x 3 that lies in one chunk. */
static void load_inside(const wend__version *v, const wend__chunk *chunk, uint32_t local, wend__nine *nine) {
    for (unsigned i = 0; i <= 8; i++) {
        const uint32_t at = i < 8 ? local + (uint32_t)(wend__dy[i] * WEND__CHUNK_SIDE + wend__dx[i]) : local;
        nine->factors[i] = v->rules.factors[wend__chunk_class(chunk, at)];
        nine->steps[i] = wend__chunk_steps(v, chunk, at);
    }
}

void wend__nine_of_cell(const wend__version *view, int32_t x, int32_t y, wend__nine *nine) {
    const unsigned in_x = (unsigned)(x & 63), in_y = (unsigned)(y & 63);
    const bool inside = in_x - 1 < 62 && in_y - 1 < 62 && x + 1 < view->width && y + 1 < view->height;
    if (inside) {
        const wend__chunk *chunk = wend__version_chunk(view, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        load_inside(view, chunk, in_y << WEND__CHUNK_SHIFT | in_x, nine);
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        load_cell(view, x + wend__dx[i], y + wend__dy[i], &nine->factors[i], &nine->steps[i]);
    load_cell(view, x, y, &nine->factors[8], &nine->steps[8]);
}

uint8_t wend__nine_open(const wend__nine *nine) {
    unsigned open = 0;
    for (unsigned i = 0; i < 8; i++) open |= (unsigned)(nine->factors[i] != 0) << i;
    return (uint8_t)open;
}

/* Directions that stay in a 3 x 3, by the cell that they begin at. */
static const uint8_t inside[9] = {
    [WEND__N] = 1 << WEND__E | 1 << WEND__S | 1 << WEND__W | 1 << WEND__SE | 1 << WEND__SW,
    [WEND__E] = 1 << WEND__N | 1 << WEND__S | 1 << WEND__W | 1 << WEND__SW | 1 << WEND__NW,
    [WEND__S] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__W | 1 << WEND__NE | 1 << WEND__NW,
    [WEND__W] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__S | 1 << WEND__NE | 1 << WEND__SE,
    [WEND__NE] = 1 << WEND__S | 1 << WEND__W | 1 << WEND__SW,
    [WEND__SE] = 1 << WEND__N | 1 << WEND__W | 1 << WEND__NW,
    [WEND__SW] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__NE,
    [WEND__NW] = 1 << WEND__E | 1 << WEND__S | 1 << WEND__SE,
    [8] = UINT8_MAX};

static bool is_open(const wend__nine *nine, int32_t x, int32_t y) {
    const int32_t d = wend__flat_direction(x, y);
    return nine->factors[d < 0 ? 8 : d] != 0;
}

/* Does the rule "no corner cut" allow a step that is closed? */
static bool has_closed(const wend__nine *nine, unsigned i) {
    const int32_t x = i < 8 ? wend__dx[i] : 0, y = i < 8 ? wend__dy[i] : 0;
    for (unsigned left = inside[i] & ~nine->steps[i]; left && nine->factors[i]; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        const int32_t dx = wend__dx[d], dy = wend__dy[d];
        if (is_open(nine, x + dx, y + dy) && is_open(nine, x + dx, y) && is_open(nine, x, y + dy)) return true;
    }
    return false;
}

bool wend__nine_special(const wend__nine *nine) {
    bool special = false;
    for (unsigned i = 0; i < 8; i++) special |= nine->factors[i] && nine->factors[i] != nine->factors[8];
    for (unsigned i = 0; i <= 8 && !special; i++) special = has_closed(nine, i);
    return special;
}

wend__stop wend__stop_of_nine(const wend__nine *nine, const wend__step_prices *prices, bool entrance) {
    const unsigned open = wend__nine_open(nine);
    wend__stop stop = {0, 0};
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        if (!wend__nine_arrives(nine, d)) continue;
        const uint32_t exits = wend__nine_exits(nine, prices, d, 0), natural = wend__canonical_exits(open, d);
        const bool other_price = nine->factors[8] != nine->factors[wend__opposite(d)];
        stop.exits |= (uint64_t)exits << 8 * d;
        if (other_price || exits & ~natural || natural & ~nine->steps[8]) stop.arrivals |= (uint8_t)(1u << d);
    }
    if (entrance) stop.arrivals = UINT8_MAX;
    return stop;
}

uint32_t wend__stops_exits_now(const wend__version *view, int32_t x, int32_t y, unsigned d, unsigned occupied) {
    const wend__step_prices prices = wend__step_prices_of(&view->rules);
    wend__nine nine;
    wend__nine_of_cell(view, x, y, &nine);
    return wend__nine_exits(&nine, &prices, d, occupied);
}
