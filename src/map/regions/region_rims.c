/* SPDX-License-Identifier: MIT */
/* Rim components: the regions of all chunks of voxels united by their contacts. */
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/union_find.h"

/* The number of a region that touches its chunk's rim. */
static uint32_t place_of(const wend__regions *regions, const uint32_t *base, size_t block, unsigned chunk) {
    return base[block] + regions->of[block].regions->first[chunk];
}

static void join_block(const wend__version *v, const wend__regions *regions, const uint32_t *base, uint32_t *parents,
                       size_t block) {
    const wend__contacts *contacts = regions->of[block].contacts;
    for (uint32_t i = 0; i < contacts->count; i++) {
        const wend__contact *m = &contacts->of[i];
        const wend__place here = wend__chunk_place(v, block, m->chunk);
        int32_t column = here.column + wend__sx[m->direction];
        int32_t row = here.row + wend__sy[m->direction] + wend__sz[m->direction] * v->chunk_y;
        uint32_t from = place_of(regions, base, block, m->chunk) + m->a;
        size_t to_block = wend__block_index(v, column, row);
        wend__set_unite(parents, from, place_of(regions, base, to_block, wend__chunk_index(column, row)) + m->b);
    }
}

/* Parents lie below, and so have their number already. */
static uint32_t number_components(uint32_t *parents, uint32_t regions) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < regions; i++) parents[i] = parents[i] == i ? count++ : parents[parents[i]];
    return count;
}

wend_error wend__rim_components_create(const wend__version *version, const wend__regions *regions,
                                       wend__rim_components **out) {
    size_t count = regions->blocks, rim_regions = 0;
    for (size_t b = 0; b < count; b++) rim_regions += regions->of[b].regions->rim;
    size_t bytes = sizeof(wend__rim_components) + (count + rim_regions) * sizeof(uint32_t);
    wend__rim_components *rims = wend__map_alloc(version->map, bytes);
    if (!rims) return WEND_OUT_OF_MEMORY;
    uint32_t *base = (uint32_t *)(rims + 1), *component = base + count, next = 0;
    for (size_t b = 0; b < count; b++) {
        base[b] = next;
        next += regions->of[b].regions->rim;
    }
    for (uint32_t i = 0; i < next; i++) component[i] = i;
    for (size_t b = 0; b < count; b++) join_block(version, regions, base, component, b);
    *rims = (wend__rim_components){.references = 1, .bytes = bytes, .base = base, .component = component};
    rims->count = number_components(component, next);
    *out = rims;
    return WEND_OK;
}
