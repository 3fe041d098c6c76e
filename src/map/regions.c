/* SPDX-License-Identifier: MIT */
/* Connected components of voxel maps and graphs: made, renewed where a batch touched them, shared, asked. */
#include "map/regions.h"

/* ---- counting who holds what ---- */

static void hold(wend_map *map, uint32_t *references) {
    wend__mutex_lock(map->mutex);
    ++*references;
    wend__mutex_unlock(map->mutex);
}

/* True for the last holder. */
static bool let_go(wend_map *map, uint32_t *references) {
    wend__mutex_lock(map->mutex);
    bool last = --*references == 0;
    wend__mutex_unlock(map->mutex);
    return last;
}

static void release_tracts(wend_map *map, wend__tracts *block) {
    if (!block || !let_go(map, &block->references)) return;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) wend__tract_release(map, block->tracts[i]);
    wend__map_free(map, block, sizeof *block);
}

static void release_seam(wend_map *map, wend__seam *seam) {
    if (seam && let_go(map, &seam->references)) wend__map_free(map, seam, seam->bytes);
}

static size_t regions_bytes(size_t blocks) {
    return sizeof(wend__regions) + blocks * sizeof((wend__regions *)0)->of[0];
}

wend__regions *wend__regions_retain(wend_map *map, wend__regions *regions) {
    if (regions) hold(map, &regions->references);
    return regions;
}

void wend__regions_release(wend_map *map, wend__regions *regions) {
    if (!regions || !let_go(map, &regions->references)) return;
    for (size_t b = 0; b < regions->blocks; b++) {
        release_tracts(map, regions->of[b].tracts);
        wend__meetings_release(map, regions->of[b].meetings);
    }
    release_seam(map, regions->seam);
    if (regions->nodes) wend__map_free(map, regions->nodes, regions->nodes->bytes);
    wend__map_free(map, regions, regions_bytes(regions->blocks));
}

static wend__regions *create(wend_map *map, size_t blocks) {
    wend__regions *regions = wend__map_alloc(map, regions_bytes(blocks));
    if (!regions) return NULL;
    memset(regions, 0, regions_bytes(blocks));
    regions->references = 1;
    regions->blocks = blocks;
    return regions;
}

/* ---- renewing ---- */

enum { MEMO = 16 };

/* A renewal of voxels under way. Blocks that several places of a new map share are looked at once. */
typedef struct renewal {
    const wend__version *version;
    const wend__regions *old;
    wend__marks *const *marks;
    bool alike; ///< from outside no tract is another than before
    unsigned known;
    struct {
        const wend__block *block;
        wend__tracts *tracts;
    } memo[MEMO];
} renewal;

/* All its chunks are open, and in one layer: so they are connected. */
static bool is_whole(const wend__version *v, const wend__tracts *block) {
    if (v->chunk_y % WEND__BLOCK_SIDE) return false;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->tracts[i] != &wend__tract_whole) return false;
    return true;
}

static void sum_up(const wend__version *v, wend__tracts *block) {
    block->whole = is_whole(v, block);
    block->rim = block->whole;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !block->whole; i++) {
        if (!block->tracts[i]) continue;
        block->first[i] = block->rim;
        block->rim += block->tracts[i]->rim;
        block->inner += block->tracts[i]->count - block->tracts[i]->rim;
    }
}

static bool touched(const renewal *r, size_t index, unsigned chunk) {
    return !r->marks || (r->marks[index] && r->marks[index]->rows[chunk]);
}

/* The tracts of one block. NULL: no room. */
static wend__tracts *renew_block(renewal *r, size_t index) {
    const wend__version *v = r->version;
    const wend__tracts *old = r->old ? r->old->of[index].tracts : NULL;
    wend__tracts *block = wend__map_alloc(v->map, sizeof *block);
    if (!block) return NULL;
    memset(block, 0, sizeof *block);
    block->references = 1;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        int32_t column = (int32_t)(index % (size_t)v->block_columns) * WEND__BLOCK_SIDE + (int32_t)i % WEND__BLOCK_SIDE;
        int32_t row = (int32_t)(index / (size_t)v->block_columns) * WEND__BLOCK_SIDE + (int32_t)i / WEND__BLOCK_SIDE;
        if (column >= v->chunk_columns || row >= v->chunk_rows) continue;
        const wend__tract *before = old ? old->tracts[i] : NULL;
        if (before && !touched(r, index, i)) {
            block->tracts[i] = wend__tract_retain(v->map, before);
        } else if (wend__tract_create(v, column, row, before, &block->tracts[i])) {
            release_tracts(v->map, block);
            return NULL;
        }
        r->alike = r->alike && wend__tracts_alike(before, block->tracts[i]);
    }
    sum_up(v, block);
    return block;
}

static bool block_touched(const renewal *r, size_t index) {
    if (!r->marks) return true;
    for (unsigned i = 0; r->marks[index] && i < WEND__BLOCK_CHUNKS; i++)
        if (r->marks[index]->rows[i]) return true;
    return false;
}

/* The same, shared where it is as before or as elsewhere. */
static wend__tracts *take_block(renewal *r, size_t index) {
    wend_map *map = r->version->map;
    const wend__block *block = r->version->blocks[index];
    wend__tracts *found = r->old && !block_touched(r, index) ? r->old->of[index].tracts : NULL;
    for (unsigned i = 0; !found && i < r->known; i++)
        if (r->memo[i].block == block) found = r->memo[i].tracts;
    if (found) {
        hold(map, &found->references);
        return found;
    }
    found = renew_block(r, index);
    if (found && r->known < MEMO && !r->old) {
        r->memo[r->known].block = block;
        r->memo[r->known++].tracts = found;
    }
    return found;
}

/* Are the tracts of a block, and of all that its chunks may touch, the very ones they were? Rows of chunks beside it
   lie a row or a layer away. */
static bool stands(const wend__version *v, const wend__regions *old, const wend__regions *regions, size_t block) {
    int64_t column = (int64_t)(block % (size_t)v->block_columns), row = (int64_t)(block / (size_t)v->block_columns);
    const int64_t away[] = {0, 1, (int64_t)v->chunk_y - 1, v->chunk_y, (int64_t)v->chunk_y + 1};
    for (unsigned i = 0; i < sizeof away / sizeof *away; i++) {
        int64_t first = (row * WEND__BLOCK_SIDE + away[i]) >> WEND__BLOCK_SHIFT;
        for (int64_t y = first; y <= first + 1 && y < v->block_rows; y++)
            for (int64_t x = column > 0 ? column - 1 : 0; x <= column + 1 && x < v->block_columns; x++) {
                size_t beside = (size_t)y * (size_t)v->block_columns + (size_t)x;
                if (old->of[beside].tracts != regions->of[beside].tracts) return false;
            }
    }
    return true;
}

static int32_t renew_meetings(const renewal *r, wend__regions *regions) {
    const wend__version *v = r->version;
    for (size_t b = 0; b < regions->blocks; b++) {
        if (r->old && (r->alike || stands(v, r->old, regions, b))) {
            hold(v->map, &r->old->of[b].meetings->references);
            regions->of[b].meetings = r->old->of[b].meetings;
        } else if (wend__meetings_create(v, regions, r->old, b, &regions->of[b].meetings)) {
            return WEND_OUT_OF_MEMORY;
        }
    }
    return WEND_OK;
}

static int32_t renew_voxels(const wend__version *version, const wend__regions *old, wend__marks *const *marks,
                            wend__regions *regions) {
    renewal r = {.version = version, .old = old, .marks = marks, .alike = old != NULL};
    uint64_t inner = 0;
    for (size_t b = 0; b < regions->blocks; b++) {
        wend__tracts *tracts = regions->of[b].tracts = take_block(&r, b);
        if (!tracts) return WEND_OUT_OF_MEMORY;
        inner += tracts->inner;
        /* One region or 256: they are counted otherwise. */
        if (old && old->of[b].tracts->whole != tracts->whole) r.alike = false;
    }
    if (renew_meetings(&r, regions)) return WEND_OUT_OF_MEMORY;
    if (r.alike) {
        hold(version->map, &old->seam->references);
        regions->seam = old->seam;
    } else if (wend__seam_create(version, regions, &regions->seam)) {
        return WEND_OUT_OF_MEMORY;
    }
    regions->count = regions->seam->count + inner;
    return WEND_OK;
}

static int32_t renew_nodes(const wend__version *version, wend__regions *regions) {
    int32_t error = wend__node_regions_create(version, &regions->nodes);
    if (!error) regions->count = regions->nodes->count;
    return error;
}

int32_t wend__regions_renew(const wend__version *version, const wend__regions *old, wend__marks *const *marks,
                            wend__regions **out) {
    bool graph = version->kind == WEND_KIND_GRAPH;
    if (graph && old && wend__node_regions_hold(version, old->nodes, marks)) {
        *out = wend__regions_retain(version->map, (wend__regions *)old);
        return WEND_OK;
    }
    wend__regions *regions = create(version->map, graph ? 0 : wend__version_blocks(version));
    if (!regions) return WEND_OUT_OF_MEMORY;
    int32_t error = graph ? renew_nodes(version, regions) : renew_voxels(version, old, marks, regions);
    if (error) {
        wend__regions_release(version->map, regions);
        return error;
    }
    *out = regions;
    return WEND_OK;
}

/* ---- asking ---- */

uint64_t wend__regions_of(const wend__version *version, wend_cell cell) {
    const wend__regions *regions = version->regions;
    if (regions->nodes) return regions->nodes->component[cell.x];
    wend__place p = wend__place_of(version, cell);
    size_t block = wend__block_index(version, p.column, p.row);
    unsigned index = wend__chunk_index(p.column, p.row);
    const wend__tracts *tracts = regions->of[block].tracts;
    uint32_t region = wend__tract_region(tracts->tracts[index], p.local);
    if (region < tracts->tracts[index]->rim)
        return regions->seam->component[regions->seam->base[block] + tracts->first[index] + region];
    /* One of its own: there are fewer than 2^12 in a chunk, and 2^32 chunks at most. */
    return UINT64_C(1) << 63 | ((uint64_t)block << 8 | index) << 12 | region;
}

uint64_t wend__regions_count(const wend__regions *regions) {
    return regions->count;
}
