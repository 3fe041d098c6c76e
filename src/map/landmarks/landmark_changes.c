/* SPDX-License-Identifier: MIT */
/* Finds where an edit may have brought cells nearer: cells that opened or became cheaper, steps that opened, new links.
 *
 * What closes or becomes dearer never makes landmarks wrong. On graphs only links count, as landmarks do not heed the
 * classes of nodes. */
#include "map/landmarks/landmark_tables.h"
#include "map/links/links.h"
#include "map/store/memory.h"
#include "map/store/terrain.h"

static void add_cell(wend__changed_cells *c, const wend__version *now, wend_cell cell) {
    if (c->many || c->full) return;
    if (c->count == c->most) {
        c->many = true;
        return;
    }
    wend_cell *cells = wend__map_grown(now->map, c->cells, c->count, &c->room, sizeof *cells);
    if (!cells) {
        c->full = true;
        return;
    }
    c->cells = cells;
    cells[c->count++] = cell;
}

/* The cell of a place in a chunk; its coordinates may lie off the map. */
static wend_cell cell_of(const wend__version *v, wend__place chunk, uint32_t local) {
    const int32_t column = chunk.column, row = chunk.row, at = (int32_t)local;
    if (v->kind == WEND_KIND_GRID) return (wend_cell){column << 6 | (at & 63), row << 6 | at >> 6, 0};
    const int32_t layer = row / v->chunk_y;
    return (wend_cell){column << 4 | (at & 15), (row - layer * v->chunk_y) << 4 | (at >> 4 & 15), layer << 4 | at >> 8};
}

static bool on_map(const wend__version *v, wend_cell c) {
    return c.x < v->width && c.y < v->height && c.z < v->depth;
}

static void compare_chunk(wend__changed_cells *c, const wend__chunk *was, const wend__version *now,
                          const wend__chunk *is, wend__place place) {
    uint8_t before[WEND__CHUNK_SIDE], after[WEND__CHUNK_SIDE];
    const uint8_t *factors = now->rules.factors;
    for (uint32_t row = 0; row < WEND__CHUNK_SIDE; row++) {
        wend__chunk_row(was, row, before);
        wend__chunk_row(is, row, after);
        if (was->closed == is->closed && memcmp(before, after, sizeof before) == 0) continue;
        for (uint32_t i = 0; i < WEND__CHUNK_SIDE; i++) {
            const uint32_t local = row << 6 | i, old = factors[before[i]], new = factors[after[i]];
            const uint32_t shut = was->closed ? was->closed->steps[local] : 0;
            const uint32_t shuts = is->closed ? is->closed->steps[local] : 0;
            if (old == new &&shut == shuts) continue;
            const wend_cell cell = cell_of(now, place, local);
            if (!on_map(now, cell)) continue;
            c->any = true;
            if ((new > 0 && (old == 0 || new < old)) || (shut & ~shuts)) add_cell(c, now, cell);
        }
    }
}

static bool same_chunk(const wend__chunk *a, const wend__chunk *b) {
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform && a->closed == b->closed;
}

static void compare_cells(wend__changed_cells *c, const wend__version *before, const wend__version *now) {
    const size_t count = wend__version_blocks(now);
    for (size_t b = 0; b < count && now->kind != WEND_KIND_GRAPH; b++) {
        if (before->blocks[b] == now->blocks[b]) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !c->many && !c->full; i++) {
            const wend__chunk *was = &before->blocks[b]->chunks[i], *is = &now->blocks[b]->chunks[i];
            const wend__place place = wend__chunk_place(now, b, i);
            if (!wend__on_table(now, place.column, place.row) || same_chunk(was, is)) continue;
            compare_chunk(c, was, now, is, place);
        }
    }
}

static void compare_links(wend__changed_cells *c, const wend__version *before, const wend__version *now,
                          const wend__link_changes *changes) {
    if (before->links == now->links) return;
    c->any = true;
    for (size_t i = 0; changes && i < changes->capacity; i++) {
        const wend__link *link = &changes->slots[i];
        if (link->from == link->to || link->cost == 0) continue;
        add_cell(c, now, wend__cell_of_number(now, link->from));
    }
    for (uint32_t i = 0; !changes && now->links && i < now->links->count; i++) {
        const wend__link *link = &now->links->sorted[i];
        const uint32_t cost = before->links ? wend__links_cost(before->links, link->from, link->to) : 0;
        if (cost == 0 || cost > link->cost) add_cell(c, now, wend__cell_of_number(now, link->from));
    }
}

void wend__landmarks_find_changes(const wend__version *before, const wend__version *now,
                                  const wend__link_changes *links, wend__changed_cells *out) {
    compare_cells(out, before, now);
    compare_links(out, before, now, links);
}
