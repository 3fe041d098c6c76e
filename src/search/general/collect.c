/* SPDX-License-Identifier: MIT */
/* Picks the nearest places among the cells that a search takes. */
#include "search/general/collect.h"

#include "map/nearest/nearest.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

static bool is_listed(const wend__collector *c, uint32_t number) {
    uint32_t low = 0, high = c->def->cell_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->numbers[middle] == number) return true;
        if (c->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_wanted(const wend__collector *c, const wend__search *s, wend_cell cell) {
    if (c->numbers) return is_listed(c, wend__cell_number(s->version, cell));
    const wend__place place = wend__place_of(s->version, cell);
    const uint8_t class = wend__chunk_class(wend__version_chunk(s->version, place.column, place.row), place.local);
    return c->def->classes[class / 64] >> class % 64 & 1;
}

/* Inserts a hit in order; drops the last one if there is no room. */
static void keep_hit(wend__collector *c, wend_hit hit) {
    size_t at = c->count < c->capacity ? c->count++ : c->capacity;
    for (; at > 0; at--) {
        const wend_hit *before = &c->hits[at - 1];
        if (before->cost < hit.cost || (before->cost == hit.cost && wend__earlier(before->cell, hit.cell))) break;
        if (at < c->capacity) c->hits[at] = *before;
    }
    if (at < c->capacity) c->hits[at] = hit;
}

void wend__collect(wend__collector *c, const wend__search *s, wend_cell cell, uint64_t cost) {
    const bool full = c->count == c->capacity && (int64_t)cost > c->hits[c->count - 1].cost;
    c->done |= full || (int64_t)cost > c->def->most_cost;
    if (c->done || !is_wanted(c, s, cell)) return;
    c->met++;
    const wend_map *map = s->version->map;
    if (c->score) cost += wend__layers_cost(c->layers, c->score, s->version, wend__place_of(s->version, cell));
    const bool fits = (int64_t)cost <= c->def->most_cost;
    if (fits && (!c->def->free_only || !wend__map_occupied(map, cell, c->mover_size, s->start)))
        keep_hit(c, (wend_hit){cell, (int64_t)cost});
    c->done |= c->numbers && c->met == c->def->cell_count;
}
