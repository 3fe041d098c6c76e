/* SPDX-License-Identifier: MIT */
/* Seams of a map with sheets: steps between cells that lie side by side on the ground. */
#include "oracle/terrain_copy.h"

/* Where a cell lies on the ground. */
static wend_cell place_of(const terrain_copy *land, wend_cell cell) {
    for (size_t i = 0; i < land->sheet_count; i++) {
        const wend_sheet *sheet = &land->sheets[i];
        const wend_cell low = sheet->box.min, high = sheet->box.max;
        if (cell.x < low.x || cell.y < low.y || cell.x > high.x || cell.y > high.y) continue;
        return (wend_cell){sheet->ground.x + cell.x - low.x, sheet->ground.y + cell.y - low.y, 0};
    }
    return cell;
}

wend_cell terrain_way_on_ground(const terrain_copy *land, wend_cell from, wend_cell to) {
    const wend_cell a = place_of(land, from), b = place_of(land, to);
    return (wend_cell){b.x - a.x, b.y - a.y, 0};
}

static bool is_seam_to(const terrain_way *way, uint32_t to) {
    return way->cost == TERRAIN_SEAM && way->to == to;
}

/* Returns whether a straight step leads to an open cell: one of the map between neighbours on the ground, or a seam. */
static bool goes_straight(const terrain_copy *land, wend_cell from, wend_cell to) {
    const wend_cell d = terrain_way_on_ground(land, from, to);
    if (d.x * d.x + d.y * d.y != 1 || terrain_factor(land, to) == 0) return false;
    const bool neighbours = to.x - from.x == d.x && to.y - from.y == d.y;
    if (neighbours && !terrain_step_closed(land, from, d.x, d.y, 0)) return true;
    const uint32_t place = terrain_index(land, from);
    for (uint32_t i = land->out.first[place]; i < land->out.first[place + 1]; i++)
        if (is_seam_to(&land->ways[land->out.ways[i]], terrain_index(land, to))) return true;
    return false;
}

/* The same by two straight steps, the first of them in direction d on the ground. */
static bool goes_round(const terrain_copy *land, wend_cell from, wend_cell to, wend_cell d) {
    const wend_cell beside = {from.x + d.x, from.y + d.y, 0};
    if (terrain_on_map(land, beside) && goes_straight(land, from, beside) && goes_straight(land, beside, to))
        return true;
    const uint32_t place = terrain_index(land, from);
    for (uint32_t i = land->out.first[place]; i < land->out.first[place + 1]; i++) {
        const wend_cell end = terrain_cell(land, land->ways[land->out.ways[i]].to);
        if (same_cell(terrain_way_on_ground(land, from, end), d) && goes_straight(land, from, end) &&
            goes_straight(land, end, to))
            return true;
    }
    return false;
}

/* NEVER: the corner can be passed on both sides. ONE: on one of them. */
uint64_t terrain_seam_cost(const terrain_copy *land, const terrain_way *seam) {
    const wend_cell from = terrain_cell(land, seam->from), to = terrain_cell(land, seam->to);
    const uint64_t factor = land->factors[seam->to];
    const wend_cell d = terrain_way_on_ground(land, from, to), across = {d.x, 0, 0}, down = {0, d.y, 0};
    if (factor == 0) return 0;
    if (d.x == 0 || d.y == 0) return (uint64_t)land->rules.cost_straight * factor;
    if (land->rules.neighbours == 4) return 0;
    const int32_t needed = land->rules.corners == WEND_CORNERS_NEVER ? 2 : land->rules.corners == WEND_CORNERS_ONE;
    if (needed > 0 && goes_round(land, from, to, across) + goes_round(land, from, to, down) < needed) return 0;
    return (uint64_t)land->rules.cost_diagonal * factor;
}
