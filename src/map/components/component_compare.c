/* SPDX-License-Identifier: MIT */
/* Compares components before and after a batch, by the cells in chunks that the batch did not touch. */
#include "map/components/component_compare.h"
#include "map/components/labels.h"
#include "map/edit/edit.h"
#include "map/regions/regions.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"

typedef struct comparison {
    const wend__version *now, *before;
    wend__dirty *const *dirty;
    wend__same_cells_fn *fn;
    void *context;
} comparison;

/* ---- grids: areas that both trees share hang beside the ways down to the touched chunks ---- */

/* An area of both trees. The names of its labels' components, as they end: here or in an area above. */
typedef struct pair {
    const wend__area *before, *now;
    int32_t level, column, row; /* of chunks */
    const uint64_t *before_names, *now_names;
} pair;

static uint64_t own_name(const comparison *c, const pair *p, uint32_t label) {
    const wend__component here = {p->level, p->column >> p->level, p->row >> p->level, label};
    return wend__component_number(c->now, &here);
}

/* Each label of a shared part is a set of cells that is in one component before and now. */
static wend_error tell_labels(const comparison *c, const pair *p, const uint32_t *before_to, const uint32_t *now_to,
                              const uint64_t *before_names, const uint64_t *now_names) {
    int32_t side = 1 << p->level, right = p->column + side, below = p->row + side;
    wend__same_cells cells = {.weight = UINT64_C(1) << 2 * p->level, .column = p->column, .row = p->row};
    cells.end_column = right < c->now->chunk_columns ? right : c->now->chunk_columns;
    cells.end_row = below < c->now->chunk_rows ? below : c->now->chunk_rows;
    for (uint32_t label = 0; label < p->now->outline->open; label++) {
        cells.before = before_names[before_to[label]], cells.now = now_names[now_to[label]];
        wend_error error = c->fn(c->context, &cells);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error compare_parts(const comparison *c, const pair *p);

/* A part on the way to a touched chunk: its labels' names follow from those of the area above, where they go on
   there. */
static wend_error descend(const comparison *c, pair *p, const uint32_t *before_to, const uint32_t *now_to,
                          const uint64_t *before_names, const uint64_t *now_names) {
    uint32_t before = p->before->inside->labels, now = p->now->inside->labels;
    size_t bytes = ((size_t)before + now) * sizeof(uint64_t);
    uint64_t *names = bytes ? wend__map_alloc(c->now->map, bytes) : NULL;
    if (bytes && !names) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < before; i++)
        names[i] = i < p->before->outline->open ? before_names[before_to[i]] : own_name(c, p, i);
    for (uint32_t i = 0; i < now; i++)
        names[before + i] = i < p->now->outline->open ? now_names[now_to[i]] : own_name(c, p, i);
    p->before_names = names, p->now_names = names + before;
    wend_error error = compare_parts(c, p);
    wend__map_free(c->now->map, names, bytes);
    return error;
}

static wend_error compare_parts(const comparison *c, const pair *p) {
    int32_t half = p->level > 0 ? 1 << (p->level - 1) : 0, error = WEND_OK;
    for (unsigned i = 0; i < 4 && p->level > 0 && !error; i++) {
        pair part = {.before = p->before->parts[i],
                     .now = p->now->parts[i],
                     .level = p->level - 1,
                     .column = p->column + (int32_t)(i & 1) * half,
                     .row = p->row + (int32_t)(i >> 1) * half};
        if (!part.now) continue;
        const uint32_t *before_to = p->before->inside->u.to + p->before->inside->starts[i];
        const uint32_t *now_to = p->now->inside->u.to + p->now->inside->starts[i];
        if (part.before == part.now)
            error = tell_labels(c, &part, before_to, now_to, p->before_names, p->now_names);
        else if (part.level > 0)
            error = descend(c, &part, before_to, now_to, p->before_names, p->now_names);
    }
    return error;
}

/* The whole map's components all end in its area. */
static wend_error compare_grids(const comparison *c) {
    if (wend__labels_alike(c->now, c->before->labels)) return WEND_OK;
    pair whole = {.before = c->before->labels, .now = c->now->labels, .level = wend__labels_top(c->now)};
    uint32_t before = whole.before->inside->labels, now = whole.now->inside->labels;
    size_t bytes = ((size_t)before + now) * sizeof(uint64_t);
    uint64_t *names = bytes ? wend__map_alloc(c->now->map, bytes) : NULL;
    if (bytes && !names) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < before; i++) names[i] = own_name(c, &whole, i);
    for (uint32_t i = 0; i < now; i++) names[before + i] = own_name(c, &whole, i);
    whole.before_names = names, whole.now_names = names + before;
    wend_error error = compare_parts(c, &whole);
    wend__map_free(c->now->map, names, bytes);
    return error;
}

/* ---- voxels: the regions of each chunk that touch its rim; the others are components of their own ---- */

static wend__same_cells one_chunk(wend__place chunk) {
    return (wend__same_cells){.weight = 1,
                              .column = chunk.column,
                              .row = chunk.row,
                              .end_column = chunk.column + 1,
                              .end_row = chunk.row + 1};
}

static uint64_t rim_component(const wend__regions *regions, size_t block, unsigned chunk, uint32_t region) {
    return regions->rims->component[regions->rims->base[block] + regions->of[block].regions->first[chunk] + region];
}

static wend_error compare_chunk(const comparison *c, size_t block, unsigned chunk) {
    const wend__regions *before = c->before->regions, *now = c->now->regions;
    const wend__chunk_regions *in_chunk = now->of[block].regions->chunks[chunk];
    wend__same_cells cells = one_chunk(wend__chunk_place(c->now, block, chunk));
    for (uint32_t region = 0; in_chunk && region < in_chunk->rim; region++) {
        cells.before = rim_component(before, block, chunk, region);
        cells.now = rim_component(now, block, chunk, region);
        wend_error error = c->fn(c->context, &cells);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error compare_voxels(const comparison *c) {
    if (wend__regions_alike(c->now->regions, c->before->regions)) return WEND_OK;
    for (size_t b = 0; b < c->now->regions->blocks; b++)
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
            if (c->dirty[b] && c->dirty[b]->rows[i]) continue;
            wend_error error = compare_chunk(c, b, i);
            if (error) return error;
        }
    return WEND_OK;
}

/* ---- graphs: each node ---- */

static wend_error compare_graphs(const comparison *c) {
    const wend__node_regions *before = c->before->regions->nodes, *now = c->now->regions->nodes;
    if (before == now) return WEND_OK;
    for (int32_t column = 0; column < c->now->chunk_columns; column++) {
        if (wend__dirty_rows(c->now, c->dirty, column, 0)) continue;
        wend__same_cells cells = one_chunk((wend__place){column, 0, 0});
        for (size_t word = (size_t)column << 6; word < ((size_t)column + 1) << 6; word++)
            for (uint64_t open = now->open[word]; open; open &= open - 1) {
                size_t node = word << 6 | wend__ctz64(open);
                cells.before = before->component[node], cells.now = now->component[node];
                wend_error error = c->fn(c->context, &cells);
                if (error) return error;
            }
    }
    return WEND_OK;
}

wend_error wend__components_compare(const wend__version *now, const wend__version *before, wend__dirty *const *dirty,
                                    wend__same_cells_fn *fn, void *context) {
    const comparison c = {now, before, dirty, fn, context};
    if (now->kind == WEND_KIND_GRID) return compare_grids(&c);
    return now->kind == WEND_KIND_VOXEL ? compare_voxels(&c) : compare_graphs(&c);
}
