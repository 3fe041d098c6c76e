/* SPDX-License-Identifier: MIT */
/* Makes the picture of the ground round a cell by a flood over straight steps, the nearest first. So of two floors at a
 * place the nearer one by steps counts. */
#include "agents/floor/unfolded.h"

#include "agents/floor/floor.h"
#include "map/kinds/walls.h"

enum { SIDE = WEND__UNFOLDED_SIDE, CELLS = WEND__UNFOLDED_CELLS, STRAIGHT = 4 };

static bool is_ground(const wend__version *v, wend_cell cell) {
    return wend__on_map(v, cell.x, cell.y) && wend__version_class(v, cell.x, cell.y) != 0;
}

/* Returns whether the steps between two cells are closed both ways. A ledge is none for the sight over it. */
static bool is_closed(const wend__version *v, wend_cell from, wend_cell to, unsigned d) {
    return wend__closed_at(v, from) >> d & 1 &&
           wend__closed_at(v, to) >> wend__flat_direction(-wend__dx[d], -wend__dy[d]) & 1;
}

/* Finds the cell that a seam joins to another both ways. */
static bool find_seam(const wend__version *v, wend_cell from, unsigned d, wend_cell *to) {
    uint32_t count = 0;
    const uint32_t number = wend__cell_number(v, from);
    const wend__link *links = v->links ? wend__links_from(v->links, number, &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (links[i].cost != WEND__SHEET_SEAM) continue;
        const wend_cell end = wend__cell_of_number(v, links[i].to), way = wend__place_difference(v, from, end);
        if (way.x != wend__dx[d] || way.y != wend__dy[d]) continue;
        if (wend__links_cost(v->links, links[i].to, number) != WEND__SHEET_SEAM) continue;
        *to = end;
        return true;
    }
    return false;
}

bool wend__unfolded_step(const wend__version *v, wend_cell from, unsigned d, wend_cell *to) {
    const wend_cell next = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
    const bool on_map = wend__on_map(v, next.x, next.y), open = on_map && !is_closed(v, from, next, d);
    *to = next;
    if (open && is_ground(v, next)) return true;
    return find_seam(v, from, d, to) || (open && wend__lie_together(v, from, next));
}

/* Returns the number of a shift, which is added if it is not there; WEND__UNFOLDED_NONE: there is no room. */
static uint8_t shift_number(wend__unfolded *sight, wend_cell shift) {
    uint32_t k = 0;
    while (k < sight->shift_count && !wend__same_cell(sight->shifts[k], shift)) k++;
    if (k == WEND__UNFOLDED_SHIFTS) return WEND__UNFOLDED_NONE;
    if (k == sight->shift_count) sight->shifts[sight->shift_count++] = shift;
    return (uint8_t)k;
}

/* Returns the ledge on the edge of two cells between which a step leads one way at least; 0: none. */
static uint8_t ledge_of(const wend__version *v, wend_cell here, wend_cell next, unsigned d) {
    if (next.x != here.x + wend__dx[d] || next.y != here.y + wend__dy[d]) return 0; /* over a seam */
    if (wend__closed_at(v, here) >> d & 1) return d == WEND__S ? WEND__LEDGE_SOUTH_OUT : WEND__LEDGE_EAST_OUT;
    const int32_t back = wend__flat_direction(-wend__dx[d], -wend__dy[d]);
    if (!(wend__closed_at(v, next) >> back & 1)) return 0;
    return d == WEND__S ? WEND__LEDGE_SOUTH_IN : WEND__LEDGE_EAST_IN;
}

static void mark_walls(const wend__version *v, wend__unfolded *sight) {
    for (int32_t i = 0; i < CELLS; i++) {
        sight->walls[i] = 0;
        if (sight->of[i] == WEND__UNFOLDED_NONE) continue;
        const int32_t x = sight->cell.x + i % SIDE - WEND__UNFOLDED_REACH,
                      y = sight->cell.y + i / SIDE - WEND__UNFOLDED_REACH;
        const wend_cell here = wend__unfolded_cell(sight, x, y);
        if (!is_ground(v, here)) continue;
        for (int32_t south = 0; south < 2; south++) {
            wend_cell end;
            const wend_cell next = wend__unfolded_cell(sight, x + !south, y + south);
            if (!is_ground(v, next)) continue;
            const unsigned d = south ? WEND__S : WEND__E;
            if (!wend__unfolded_step(v, here, d, &end) || !wend__same_cell(end, next))
                sight->walls[i] |= south ? WEND__WALL_SOUTH : WEND__WALL_EAST;
            else
                sight->walls[i] |= ledge_of(v, here, next, d);
        }
    }
}

void wend__unfold(const wend__version *v, wend_cell cell, wend__unfolded *out) {
    uint16_t queue[CELLS];
    uint32_t count = 0;
    *out = (wend__unfolded){.made = true, .serial = v->serial, .cell = cell, .shift_count = 1};
    memset(out->of, WEND__UNFOLDED_NONE, sizeof out->of);
    out->of[CELLS / 2] = 0;
    queue[count++] = CELLS / 2;
    for (uint32_t k = 0; k < count; k++) {
        const int32_t x = queue[k] % SIDE, y = queue[k] / SIDE;
        const wend_cell place = {cell.x + x - WEND__UNFOLDED_REACH, cell.y + y - WEND__UNFOLDED_REACH, 0};
        const wend_cell here = wend__unfolded_cell(out, place.x, place.y);
        if (k > 0 && !is_ground(v, here)) continue;
        for (unsigned d = 0; d < STRAIGHT; d++) {
            const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d], to = to_y * SIDE + to_x;
            wend_cell end;
            if (to_x < 0 || to_y < 0 || to_x >= SIDE || to_y >= SIDE || out->of[to] != WEND__UNFOLDED_NONE) continue;
            if (!wend__unfolded_step(v, here, d, &end)) continue;
            out->of[to] =
                shift_number(out, (wend_cell){end.x - place.x - wend__dx[d], end.y - place.y - wend__dy[d], 0});
            if (out->of[to] != WEND__UNFOLDED_NONE) queue[count++] = (uint16_t)to;
        }
    }
    mark_walls(v, out);
}
