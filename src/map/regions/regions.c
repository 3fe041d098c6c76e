/* SPDX-License-Identifier: MIT */
/* Connected components of voxel maps: builds them, updates them where a batch wrote, shares and reads them. */
#include "map/regions/regions.h"
#include "map/store/memory.h"
#include "map/store/terrain.h"
#include "map/store/sort.h"

/* ---- references ---- */

static void free_block_regions(wend_map *map, wend__block_regions *block) {
    if (!block) return;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) wend__chunk_regions_release(map, block->chunks[i]);
    wend__shared_free(map, block);
}

static void release_block_regions(wend_map *map, wend__block_regions *block) {
    if (wend__shared_drop(map, block)) free_block_regions(map, block);
}

/* Releases all at once, and clears those with other references. */
static void keep_last(wend_map *map, wend__regions *regions) {
    wend__mutex_lock(map->mutex);
    for (size_t b = 0; b < regions->blocks; b++) {
        wend__block_regions **in_block = &regions->of[b].regions;
        wend__contacts **contacts = &regions->of[b].contacts;
        if (*in_block && --(*in_block)->shared.references) *in_block = NULL;
        if (*contacts && --(*contacts)->shared.references) *contacts = NULL;
    }
    wend__mutex_unlock(map->mutex);
}

/* Adds references to all that another object holds. */
static void share_all(wend_map *map, const wend__regions *from, wend__regions *regions) {
    wend__mutex_lock(map->mutex);
    for (size_t b = 0; b < regions->blocks; b++) {
        regions->of[b] = from->of[b];
        regions->of[b].regions->shared.references++;
        regions->of[b].contacts->shared.references++;
    }
    wend__mutex_unlock(map->mutex);
}

static size_t regions_bytes(size_t blocks) {
    return sizeof(wend__regions) + blocks * sizeof((wend__regions *)0)->of[0];
}

void wend__regions_release(wend_map *map, wend__regions *regions) {
    if (!wend__shared_drop(map, regions)) return;
    keep_last(map, regions);
    for (size_t b = 0; b < regions->blocks; b++) {
        free_block_regions(map, regions->of[b].regions);
        wend__shared_free(map, regions->of[b].contacts);
    }
    wend__shared_release(map, regions->rims);
    wend__node_regions_free(map, regions->nodes);
    wend__shared_free(map, regions);
}

static wend__regions *create(wend_map *map, size_t blocks) {
    wend__regions *regions = wend__shared_create(map, regions_bytes(blocks));
    if (regions) regions->blocks = blocks;
    return regions;
}

/* ---- rebuilding ---- */

enum { MEMO = 128, BESIDE = 30, LATELY = 8 };

/* A rebuild of voxels under way. Blocks that several places of a new map share are visited once. */
typedef struct rebuild {
    const wend__version *version;
    const wend__regions *old;
    wend__dirty *const *dirty;
    bool alike; ///< no in_chunk has changed as seen from outside
    unsigned known;
    struct {
        const wend__block *block;
        int32_t layer; ///< layer, as in layer_begins()
        wend__block_regions *regions;
    } memo[MEMO];
} rebuild;

/* Position of the next layer in a block's rows: at its first row (0), at a later one, right behind the last (16) or not
   at all (17). If layers are narrower than a block, a number for each possible position. */
static int32_t layer_begins(const wend__version *v, size_t index) {
    int32_t phase = (int32_t)(index / (size_t)v->block_columns) * WEND__BLOCK_SIDE % v->chunk_y;
    if (v->chunk_y <= WEND__BLOCK_SIDE || phase == 0) return phase;
    return v->chunk_y - phase <= WEND__BLOCK_SIDE ? v->chunk_y - phase : WEND__BLOCK_SIDE + 1;
}

/* Returns the row of the block from which on its chunks do not touch those before: they are in the next layer,
   beyond all chunks above the earlier ones. 0: all touch, or there are none. */
static int32_t parted_from(const wend__version *v, size_t index) {
    if (v->chunk_y <= WEND__BLOCK_SIDE) return 0;
    int32_t row = layer_begins(v, index);
    return row < WEND__BLOCK_SIDE ? row : 0;
}

static bool all_full(const wend__block_regions *block) {
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++)
        if (block->chunks[i] && !block->chunks[i]->full) return false;
    return true;
}

static void sum_up(const wend__version *v, size_t index, wend__block_regions *block) {
    int32_t parted = parted_from(v, index);
    block->whole = all_full(block);
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__chunk_regions *in_chunk = block->chunks[i];
        if (!in_chunk) continue;
        if (block->whole) {
            block->first[i] = parted && i / WEND__BLOCK_SIDE >= (unsigned)parted;
            block->rim = block->first[i] + 1;
            continue;
        }
        block->first[i] = block->rim;
        block->rim += in_chunk->rim;
        block->inner += in_chunk->count - in_chunk->rim;
    }
}

static bool touched(const rebuild *r, size_t index, unsigned chunk) {
    return !r->dirty || (r->dirty[index] && r->dirty[index]->rows[chunk]);
}

/* Rebuilds the in_block of one block. NULL: no memory. */
static wend__block_regions *rebuild_block(rebuild *r, size_t index) {
    const wend__version *v = r->version;
    const wend__block_regions *old = r->old ? r->old->of[index].regions : NULL;
    wend__block_regions *block = wend__shared_create(v->map, sizeof *block);
    if (!block) return NULL;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place p = wend__chunk_place(v, index, i);
        if (!wend__on_table(v, p.column, p.row)) continue;
        const wend__chunk_regions *before = old ? old->chunks[i] : NULL;
        if (before && !touched(r, index, i)) {
            block->chunks[i] = wend__shared_retain(v->map, before);
        } else if (wend__chunk_regions_create(v, p.column, p.row, before, &block->chunks[i])) {
            release_block_regions(v->map, block);
            return NULL;
        }
        r->alike = r->alike && wend__chunk_regions_alike(before, block->chunks[i]);
    }
    sum_up(v, index, block);
    return block;
}

static bool block_touched(const rebuild *r, size_t index) {
    if (!r->dirty) return true;
    for (unsigned i = 0; r->dirty[index] && i < WEND__BLOCK_CHUNKS; i++)
        if (r->dirty[index]->rows[i]) return true;
    return false;
}

/* The same, shared if it is equal to another on a new map. */
static wend__block_regions *share_block(rebuild *r, size_t index) {
    const wend__block *block = r->version->blocks[index];
    int32_t layer = layer_begins(r->version, index);
    for (unsigned i = 0; i < r->known; i++)
        if (r->memo[i].block == block && r->memo[i].layer == layer) {
            wend__shared_retain(r->version->map, r->memo[i].regions);
            return r->memo[i].regions;
        }
    wend__block_regions *found = rebuild_block(r, index);
    if (found && r->known < MEMO && !r->old) {
        r->memo[r->known].block = block, r->memo[r->known].layer = layer;
        r->memo[r->known++].regions = found;
    }
    return found;
}

static const wend__block_regions *block_at(const wend__version *v, const wend__regions *regions, int64_t column,
                                           int64_t row) {
    if (column < 0 || column >= v->block_columns || row >= v->block_rows) return NULL;
    return regions->of[row * v->block_columns + column].regions;
}

/* Lists the in_block of a block, then those that its chunks may touch: adjacent chunks are a row or a layer away. */
static void list_beside(const wend__version *v, const wend__regions *regions, size_t block,
                        const wend__block_regions *out[BESIDE]) {
    int64_t column = (int64_t)(block % (size_t)v->block_columns), row = (int64_t)(block / (size_t)v->block_columns);
    const int64_t away[] = {0, 1, (int64_t)v->chunk_y - 1, v->chunk_y, (int64_t)v->chunk_y + 1};
    for (unsigned i = 0; i < BESIDE; i++) {
        int64_t first = (row * WEND__BLOCK_SIDE + away[i / 6]) >> WEND__BLOCK_SHIFT;
        const int64_t columns[] = {column, column - 1, column + 1};
        out[i] = block_at(v, regions, columns[i % 3], first + i / 3 % 2);
    }
}

/* The blocks with the most recently found contacts, with their surroundings: on an empty map other blocks have the
 * same. (The layer boundaries inside them need no comparison: they differ only if in_block differs.) */
typedef struct lately {
    unsigned count, next;
    struct {
        const wend__block_regions *beside[BESIDE];
        wend__contacts *contacts;
    } of[LATELY];
} lately;

static wend__contacts *find_lately(const lately *l, const wend__block_regions *const beside[BESIDE]) {
    for (unsigned i = 0; i < l->count; i++)
        if (memcmp(l->of[i].beside, beside, sizeof l->of[i].beside) == 0) return l->of[i].contacts;
    return NULL;
}

static void remember(lately *l, const wend__block_regions *const beside[BESIDE], wend__contacts *contacts) {
    memcpy(l->of[l->next].beside, beside, sizeof l->of[l->next].beside);
    l->of[l->next].contacts = contacts;
    l->next = (l->next + 1) % LATELY;
    if (l->count < LATELY) l->count++;
}

/* Sets the contacts of a block: shared with an equal block, or found again where chunks are stale. */
static wend_error rebuild_contacts(const rebuild *r, wend__regions *regions, size_t block, const uint64_t *stale,
                                   lately *l) {
    const wend__version *v = r->version;
    const wend__block_regions *beside[BESIDE];
    list_beside(v, regions, block, beside);
    wend__contacts *found = find_lately(l, beside);
    if (found)
        wend__shared_retain(v->map, found);
    else if (wend__contacts_create(v, regions, r->old, stale, block, &found))
        return WEND_OUT_OF_MEMORY;
    else
        remember(l, beside, found);
    wend__shared_release(v->map, regions->of[block].contacts);
    regions->of[block].contacts = found;
    return WEND_OK;
}

/// For each block, a bit for each chunk whose contacts have to be found again.
typedef uint64_t stale_chunks[WEND__BLOCK_WORDS];

static void mark(const wend__version *v, int32_t column, int32_t row, stale_chunks *stale) {
    const unsigned chunk = wend__chunk_index(column, row);
    stale[wend__block_index(v, column, row)][chunk >> 6] |= UINT64_C(1) << (chunk & 63);
}

/* Marks a chunk that changed, and those behind it: a contact is listed with the chunk behind. */
static void mark_behind(const wend__version *v, wend__place p, stale_chunks *stale) {
    mark(v, p.column, p.row, stale);
    for (unsigned d = 0; d < WEND__SPACE_DIRECTIONS; d++) {
        const int32_t column = p.column - wend__sx[d], y = p.row % v->chunk_y - wend__sy[d];
        const int32_t row = p.row - wend__sy[d] - wend__sz[d] * v->chunk_y;
        if (wend__leads_forward(d) && y >= 0 && y < v->chunk_y && wend__on_table(v, column, row))
            mark(v, column, row, stale);
    }
}

/* Marks what the changed chunks of a block make stale. A whole block counts its regions in another way: all of it. */
static void mark_changed(const rebuild *r, const wend__regions *regions, size_t block, stale_chunks *stale) {
    const wend__block_regions *now = regions->of[block].regions, *before = r->old->of[block].regions;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && now != before; i++) {
        const wend__place p = wend__chunk_place(r->version, block, i);
        const bool changed = now->whole || before->whole || now->chunks[i] != before->chunks[i];
        if (changed && wend__on_table(r->version, p.column, p.row)) mark_behind(r->version, p, stale);
    }
}

static bool any_stale(const stale_chunks stale) {
    uint64_t any = 0;
    for (unsigned i = 0; i < WEND__BLOCK_WORDS; i++) any |= stale[i];
    return any != 0;
}

/* Finds the contacts of all changed chunks again. */
static wend_error rebuild_changed_contacts(const rebuild *r, wend__regions *regions) {
    lately l = {.count = 0};
    wend_map *map = r->version->map;
    wend_error error = WEND_OK;
    stale_chunks *stale = wend__map_alloc(map, regions->blocks * sizeof *stale);
    if (!stale) return WEND_OUT_OF_MEMORY;
    memset(stale, 0, regions->blocks * sizeof *stale);
    for (size_t b = 0; b < regions->blocks; b++) mark_changed(r, regions, b, stale);
    for (size_t b = 0; b < regions->blocks && !error; b++) {
        if (!any_stale(stale[b])) continue;
        if (regions->of[b].regions->whole) memset(stale[b], 0xFF, sizeof stale[b]);
        error = rebuild_contacts(r, regions, b, stale[b], &l);
    }
    wend__map_free(map, stale, regions->blocks * sizeof *stale);
    return error;
}

static wend_error rebuild_all_contacts(const rebuild *r, wend__regions *regions) {
    lately l = {.count = 0};
    wend_error error = WEND_OK;
    if (r->old) return rebuild_changed_contacts(r, regions);
    for (size_t b = 0; b < regions->blocks && !error; b++) error = rebuild_contacts(r, regions, b, NULL, &l);
    return error;
}

/* Returns whether the rim regions have the same numbers and touch as before, so that their components are the same. */
static bool touch_as_before(const wend__regions *old, const wend__regions *now) {
    for (size_t b = 0; b < now->blocks; b++) {
        const wend__block_regions *in_block = now->of[b].regions, *before = old->of[b].regions;
        const wend__contacts *contacts = now->of[b].contacts, *then = old->of[b].contacts;
        if (in_block != before &&
            (in_block->rim != before->rim || memcmp(in_block->first, before->first, sizeof in_block->first) != 0))
            return false;
        if (contacts != then && (contacts->count != then->count ||
                                 memcmp(contacts->of, then->of, contacts->count * sizeof contacts->of[0]) != 0))
            return false;
    }
    return true;
}

static wend_error rebuild_block_regions(rebuild *r, wend__regions *regions) {
    wend_map *map = r->version->map;
    if (r->old) {
        share_all(map, r->old, regions);
        regions->inner = r->old->inner;
    }
    for (size_t b = 0; b < regions->blocks; b++) {
        if (r->old && !block_touched(r, b)) continue;
        wend__block_regions *before = regions->of[b].regions, *in_block = share_block(r, b);
        if (!in_block) return WEND_OUT_OF_MEMORY;
        regions->inner += in_block->inner;
        if (before) {
            regions->inner -= before->inner;
            if (before->whole != in_block->whole) r->alike = false; /* the two are counted differently */
            release_block_regions(map, before);
        }
        regions->of[b].regions = in_block;
    }
    return WEND_OK;
}

static wend_error rebuild_voxels(const wend__version *version, const wend__regions *old, wend__dirty *const *dirty,
                                 wend__regions *regions) {
    rebuild r = {.version = version, .old = old, .dirty = dirty, .alike = old != NULL};
    if (rebuild_block_regions(&r, regions)) return WEND_OUT_OF_MEMORY;
    if (!r.alike && rebuild_all_contacts(&r, regions)) return WEND_OUT_OF_MEMORY;
    if (r.alike || (old && touch_as_before(old, regions))) {
        wend__shared_retain(version->map, old->rims);
        regions->rims = old->rims;
    } else if (wend__rim_components_create(version, regions, &regions->rims)) {
        return WEND_OUT_OF_MEMORY;
    }
    regions->count = regions->rims->count + regions->inner;
    return WEND_OK;
}

/* The regions of a graph: one object of nodes. */
static wend_error wrap_nodes(const wend__version *version, wend__node_regions *nodes, wend__regions **out) {
    wend__regions *regions = create(version->map, 0);
    if (!regions) {
        wend__node_regions_free(version->map, nodes);
        return WEND_OUT_OF_MEMORY;
    }
    regions->nodes = nodes, regions->count = nodes->count;
    *out = regions;
    return WEND_OK;
}

static wend_error rebuild_graph(const wend__version *version, const wend__regions *old, wend__dirty *const *dirty,
                                const wend__graph *before, wend__regions **out) {
    wend__node_regions *nodes = NULL;
    wend_error error = WEND_OK;
    bool same = false;
    if (old) error = wend__node_regions_update(version, old->nodes, dirty, before, &nodes, &same);
    if (same) *out = wend__shared_retain(version->map, old);
    if (same || error) return error;
    if (!nodes) error = wend__node_regions_create(version, &nodes);
    return error ? error : wrap_nodes(version, nodes, out);
}

wend_error wend__regions_rebuild(const wend__version *version, const wend__regions *old, wend__dirty *const *dirty,
                                 const wend__graph *before, wend__regions **out) {
    if (version->kind == WEND_KIND_GRAPH) return rebuild_graph(version, old, dirty, before, out);
    wend__regions *regions = create(version->map, wend__version_blocks(version));
    if (!regions) return WEND_OUT_OF_MEMORY;
    wend_error error = rebuild_voxels(version, old, dirty, regions);
    if (error) {
        wend__regions_release(version->map, regions);
        return error;
    }
    *out = regions;
    return WEND_OK;
}

/* ---- queries ---- */

uint64_t wend__regions_of(const wend__version *version, wend_cell cell) {
    const wend__regions *regions = version->regions;
    if (regions->nodes) return wend__node_component(regions->nodes, (uint32_t)cell.x);
    wend__place p = wend__place_of(version, cell);
    size_t block = wend__block_index(version, p.column, p.row);
    unsigned index = wend__chunk_index(p.column, p.row);
    const wend__block_regions *in_block = regions->of[block].regions;
    uint32_t region = wend__chunk_region_of(in_block->chunks[index], p.local);
    if (region < in_block->chunks[index]->rim)
        return regions->rims->component[regions->rims->base[block] + in_block->first[index] + region];
    /* Names a component of one region: there are fewer than 2^12 in a chunk, and 2^32 chunks at most. */
    return UINT64_C(1) << 63 | ((uint64_t)block << 8 | index) << 12 | region;
}

uint64_t wend__regions_count(const wend__regions *regions) {
    return regions->count;
}

bool wend__regions_alike(const wend__regions *a, const wend__regions *b) {
    return !a->nodes && a->rims == b->rims;
}
