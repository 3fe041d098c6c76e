/* SPDX-License-Identifier: MIT */
/* Finds the cells within some distance of another: by places, and from sheet to sheet over seams that are as near. */
#include "map/ground/within.h"

#include <stdlib.h>
#include <string.h>

/// Sheets by number, as wend__sheet_part has it: 0 stands for cells in no sheet.
typedef struct joining {
    const wend__version *version;
    wend_cell centre, place; ///< the cell, and its place on the ground
    int32_t reach;
    uint64_t joined[WEND__SHEET_WORDS], asked[WEND__SHEET_WORDS];
} joining;

static bool is_in_reach(const joining *j, wend_cell cell) {
    const wend_cell at = wend__place_on_ground(j->version, cell);
    return abs(at.x - j->place.x) <= j->reach && abs(at.y - j->place.y) <= j->reach;
}

bool wend__sheet_within(const wend_map *map, uint32_t sheet, wend_cell centre, int32_t reach, wend_box *out) {
    const wend_box whole = {{0, 0, 0}, {map->width - 1, map->height - 1, 0}};
    const wend_sheet *of = sheet > 0 ? &map->sheets->list[sheet - 1] : NULL;
    const wend__sheet_part *part = wend__sheets_part(map->sheets, centre);
    const wend_box box = of ? of->box : whole;
    const int32_t x = centre.x + part->x - (of ? of->ground.x - of->box.min.x : 0);
    const int32_t y = centre.y + part->y - (of ? of->ground.y - of->box.min.y : 0);
    *out = (wend_box){{wend__most(x - reach, box.min.x), wend__most(y - reach, box.min.y), 0},
                      {wend__least(x + reach, box.max.x), wend__least(y + reach, box.max.y), 0}};
    return out->min.x <= out->max.x && out->min.y <= out->max.y;
}

/* Joins the sheets from which seams of some chunks lead into a sheet. */
static void join_over(joining *j, uint32_t sheet, wend__link_list list) {
    for (uint32_t i = 0; i < list.count; i++) {
        const wend__version *v = j->version;
        const wend__link *link = &v->links->sorted[list.links[i]];
        if (link->cost != WEND__SHEET_SEAM) continue;
        const wend_cell from = wend__cell_of_number(v, link->from), to = wend__cell_of_number(v, link->to);
        if (wend__sheet_part_of(v, to)->sheet != sheet || !is_in_reach(j, from) || !is_in_reach(j, to)) continue;
        const uint32_t other = wend__sheet_part_of(v, from)->sheet;
        j->joined[other / 64] |= UINT64_C(1) << other % 64;
    }
}

static void join_from(joining *j, uint32_t sheet) {
    const wend__version *v = j->version;
    wend_box box;
    if (!v->links || !wend__sheet_within(v->map, sheet, j->centre, j->reach, &box)) return;
    const int32_t left = box.min.x >> WEND__CHUNK_SHIFT, right = box.max.x >> WEND__CHUNK_SHIFT;
    for (int32_t row = box.min.y >> WEND__CHUNK_SHIFT; row <= box.max.y >> WEND__CHUNK_SHIFT; row++) {
        const uint64_t first = (uint64_t)row * (uint64_t)v->chunk_columns + (uint64_t)left;
        join_over(j, sheet, wend__links_of_chunks(v, v->links, true, first, (uint64_t)(right - left + 1)));
    }
}

void wend__parts_within(const wend__version *v, wend_cell centre, int32_t reach, wend__part_taker *take,
                        void *context) {
    joining j = {.version = v, .centre = centre, .place = wend__place_on_ground(v, centre), .reach = reach};
    const uint32_t words = v->sheets->count / 64 + 1;
    uint32_t sheet = wend__sheet_part_of(v, centre)->sheet;
    j.joined[sheet / 64] |= UINT64_C(1) << sheet % 64;
    for (;;) {
        wend_box box;
        j.asked[sheet / 64] |= UINT64_C(1) << sheet % 64;
        if (wend__sheet_within(v->map, sheet, centre, reach, &box) && !take(context, box, sheet)) return;
        join_from(&j, sheet);
        uint32_t word = 0;
        while (word < words && j.joined[word] == j.asked[word]) word++;
        if (word == words) return;
        sheet = word * 64 + wend__ctz64(j.joined[word] & ~j.asked[word]);
    }
}

static bool count_part(void *context, wend_box box, uint32_t sheet) {
    (void)box, (void)sheet;
    return ++*(uint32_t *)context < 2;
}

bool wend__is_one_part(const wend__version *v, wend_cell centre, int32_t reach) {
    uint32_t parts = 0;
    wend__parts_within(v, centre, reach, count_part, &parts);
    return parts == 1;
}

static bool add_part(void *context, wend_box box, uint32_t sheet) {
    wend__unit_range *range = context;
    (void)box;
    range->joined[sheet / 64] |= UINT64_C(1) << sheet % 64;
    return true;
}

void wend__unit_range_set(wend__unit_range *range, const wend__version *v, wend_cell start, int32_t within) {
    range->start = start, range->within = within;
    if (WEND__LIKELY(!v->sheets) || within < 0) return;
    memset(range->joined, 0, (v->sheets->count / 64 + 1) * sizeof *range->joined);
    wend__parts_within(v, start, within, add_part, range);
}

typedef struct cell_question {
    const wend__version *version;
    wend_cell cell;
    bool within;
} cell_question;

static bool ask_part(void *context, wend_box box, uint32_t sheet) {
    cell_question *q = context;
    const wend_cell cell = q->cell;
    const bool inside = cell.x >= box.min.x && cell.y >= box.min.y && cell.x <= box.max.x && cell.y <= box.max.y;
    q->within = inside && wend__sheet_part_of(q->version, cell)->sheet == sheet;
    return !q->within;
}

bool wend__lies_within(const wend__version *v, wend_cell centre, int32_t reach, wend_cell cell) {
    const wend_cell d = wend__place_difference(v, centre, cell);
    if (abs(d.x) > reach || abs(d.y) > reach || abs(d.z) > reach) return false;
    if (wend__one_sheet(v, centre, cell)) return true;
    cell_question q = {.version = v, .cell = cell};
    wend__parts_within(v, centre, reach, ask_part, &q);
    return q.within;
}
