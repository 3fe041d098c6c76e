/* SPDX-License-Identifier: MIT */
/* Joining the regions of all chunks of voxels into components. */
#include "map/regions.h"

/* A join under way. */
typedef struct joining {
    const wend__version *version;
    wend__tracts *const *blocks;
    const uint32_t *base;
    uint32_t *parents;
    unsigned directions;
} joining;

static wend__side side_of(const joining *j, int32_t column, int32_t row) {
    size_t block = wend__block_index(j->version, column, row);
    unsigned index = wend__chunk_index(column, row);
    const wend__tracts *tracts = j->blocks[block];
    return (wend__side){.tract = tracts->tracts[index], .base = j->base[block] + tracts->first[index]};
}

static void join_two(const joining *j, const wend__side *a, const wend__side *b, const int8_t offset[3]) {
    if (a->tract->rim == 0 || b->tract->rim == 0) return;
    bool simple = a->tract->rim == 1 && b->tract->rim == 1;
    if (simple && wend__set_find(j->parents, a->base) == wend__set_find(j->parents, b->base)) return;
    if (a->tract == &wend__tract_whole && b->tract == &wend__tract_whole)
        wend__set_unite(j->parents, a->base, b->base);
    else
        wend__sides_touch(j->parents, a, b, offset, j->directions);
}

/* With the chunks south, up and so on of it: half of those around, as the others have their own turn. */
static void join_chunk(const joining *j, int32_t column, int32_t row) {
    const wend__version *v = j->version;
    const wend__side side = side_of(j, column, row);
    int32_t layer = row / v->chunk_y, y = row % v->chunk_y, layers = v->chunk_rows / v->chunk_y;
    if (side.tract->rim == 0) return;
    for (unsigned d = 0; d < j->directions; d++) {
        const int8_t offset[3] = {wend__sx[d], wend__sy[d], wend__sz[d]};
        bool forward = offset[2] > 0 || (offset[2] == 0 && (offset[1] > 0 || (offset[1] == 0 && offset[0] > 0)));
        int32_t to_column = column + offset[0], to_y = y + offset[1], to_layer = layer + offset[2];
        if (!forward || to_column < 0 || to_column >= v->chunk_columns || to_y < 0 || to_y >= v->chunk_y) continue;
        if (to_layer >= layers) continue;
        const wend__side other = side_of(j, to_column, to_layer * v->chunk_y + to_y);
        join_two(j, &side, &other, offset);
    }
}

/* Chunks of a block that is one region have nothing to join but at the block's sides. */
static bool amid(const wend__tracts *block, int32_t index) {
    int32_t column = index % WEND__BLOCK_SIDE, row = index / WEND__BLOCK_SIDE;
    return block->whole && column > 0 && column < WEND__BLOCK_SIDE - 1 && row > 0 && row < WEND__BLOCK_SIDE - 1;
}

/* Blocks of one region on top of one another: one chunk's turn is all of theirs. */
static bool under_whole(const joining *j, size_t block) {
    const wend__version *v = j->version;
    size_t above = block + (size_t)(v->chunk_y >> WEND__BLOCK_SHIFT) * (size_t)v->block_columns;
    return j->blocks[block]->whole && (above >= wend__version_blocks(v) || j->blocks[above]->whole);
}

static void join_block(const joining *j, size_t block) {
    const wend__version *v = j->version;
    int32_t first_column = (int32_t)(block % (size_t)v->block_columns) * WEND__BLOCK_SIDE;
    int32_t first_row = (int32_t)(block / (size_t)v->block_columns) * WEND__BLOCK_SIDE;
    bool skip = j->directions == WEND__SPACE_FLAT && under_whole(j, block);
    for (int32_t i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        int32_t column = first_column + i % WEND__BLOCK_SIDE, row = first_row + i / WEND__BLOCK_SIDE;
        if (skip && amid(j->blocks[block], i)) continue;
        if (column < v->chunk_columns && row < v->chunk_rows) join_chunk(j, column, row);
    }
}

/* Parents lie below, and so have their number already. */
static uint32_t number_components(uint32_t *parents, uint32_t regions) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < regions; i++) parents[i] = parents[i] == i ? count++ : parents[parents[i]];
    return count;
}

int32_t wend__seam_create(const wend__version *version, wend__tracts *const *blocks, wend__seam **out) {
    size_t count = wend__version_blocks(version), regions = 0;
    for (size_t b = 0; b < count; b++) regions += blocks[b]->rim;
    size_t bytes = sizeof(wend__seam) + (count + regions) * sizeof(uint32_t);
    wend__seam *seam = wend__map_alloc(version->map, bytes);
    if (!seam) return WEND_OUT_OF_MEMORY;
    uint32_t *base = (uint32_t *)(seam + 1), *component = base + count, next = 0;
    for (size_t b = 0; b < count; b++) {
        base[b] = next;
        next += blocks[b]->rim;
    }
    for (uint32_t i = 0; i < next; i++) component[i] = i;
    joining j = {.version = version,
                 .blocks = blocks,
                 .base = base,
                 .parents = component,
                 .directions = wend__region_directions(&version->rules)};
    for (size_t b = 0; b < count; b++) join_block(&j, b);
    *seam = (wend__seam){.references = 1, .bytes = bytes, .base = base, .component = component};
    seam->count = number_components(component, next);
    *out = seam;
    return WEND_OK;
}
