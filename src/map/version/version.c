/* SPDX-License-Identifier: MIT */
/* Versions of a map: their tables of blocks, their references, and the chain of live versions. */
#include "map/canonical/canonical.h"
#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/kinds/masks.h"
#include "map/links/links.h"
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/rules.h"
#include "map/store/sweep.h"
#include "map/version/validate.h"
#include "map/version/version.h"

static int32_t shift_up(int32_t count, int shift) {
    return (int32_t)(((int64_t)count + (1 << shift) - 1) >> shift);
}

void wend__version_set_rules(wend__version *version, const wend_map_rules *rules) {
    version->rules = *rules;
    wend__legal_table(rules, version->legal);
    wend__canonical_prepare(version->kind, rules);
}

/* Chunks of a map: columns, rows in all, and rows in a layer. */
static void size_table(wend__version *v) {
    if (v->kind == WEND_KIND_GRID) {
        v->chunk_columns = shift_up(v->width, WEND__CHUNK_SHIFT);
        v->chunk_rows = v->chunk_y = shift_up(v->height, WEND__CHUNK_SHIFT);
    } else if (v->kind == WEND_KIND_VOXEL) {
        v->chunk_columns = shift_up(v->width, WEND__VOXEL_SHIFT);
        v->chunk_y = shift_up(v->height, WEND__VOXEL_SHIFT);
        v->chunk_rows = v->chunk_y * shift_up(v->depth, WEND__VOXEL_SHIFT);
    } else {
        v->chunk_columns = shift_up(v->width, 2 * WEND__CHUNK_SHIFT);
        v->chunk_rows = v->chunk_y = 1;
    }
    v->block_columns = shift_up(v->chunk_columns, WEND__BLOCK_SHIFT);
    v->block_rows = shift_up(v->chunk_rows, WEND__BLOCK_SHIFT);
}

wend__version *wend__version_create(wend_map *map) {
    wend__version size = {.kind = map->kind, .width = map->width, .height = map->height, .depth = map->depth};
    size.sheets = map->sheets;
    size.around_x = map->wrap & WEND_WRAP_X ? map->width : 0;
    size.around_y = map->wrap & WEND_WRAP_Y ? map->height : 0;
    size_table(&size);
    size_t bytes = wend__version_bytes((size_t)size.block_columns * (size_t)size.block_rows);
    wend__version *v = wend__map_alloc(map, bytes);
    if (!v) return NULL;
    memset(v, 0, bytes);
    *v = size;
    v->map = map;
    v->references = 1;
    v->revision = WEND__FIRST_REVISION;
    v->link_movers = 1u << WEND_MOVER_DEFAULT;
    return v;
}

wend__version *wend__version_copy(const wend__version *from, wend_map *map, wend__rows rows) {
    wend__version *v = wend__version_create(map);
    if (!v) return NULL;
    v->epoch = from->epoch;
    v->rules = from->rules;
    v->max_factor = from->max_factor;
    v->walker = from->walker;
    v->link_movers = from->link_movers;
    v->closed_steps = from->closed_steps;
    v->torn = from->torn;
    v->loaded = from->loaded;
    v->known = from->known;
    memcpy(v->legal, from->legal, sizeof v->legal);
    size_t count = wend__version_blocks(from);
    wend__mutex_lock(map->mutex); /* the mutex belongs to the family, whatever the map */
    for (size_t i = 0; i < count; i++) {
        v->blocks[i] = from->blocks[i];
        v->blocks[i]->shared.references++;
    }
    wend__mutex_unlock(map->mutex);
    v->links = wend__shared_retain(map, from->links);
    v->graph = wend__shared_retain(map, from->graph);
    wend__derivations_share(v, from, rows);
    return v;
}

void wend__version_free(wend__version *version) {
    WEND__DEBUG_ASSERT(version->pins == 0);
    wend_map *map = version->map;
    wend__version_check_seal(version);
    wend__derivations_drop(version);
    wend__shared_release(map, version->links);
    wend__graph_release(map, version->graph);
    wend__sweep_version(version);
}

void wend__version_sum(wend__version *version) {
    size_t count = wend__version_blocks(version);
    version->max_factor = 0;
    for (size_t i = 0; i < count; i++)
        if (version->blocks[i]->max_factor > version->max_factor) version->max_factor = version->blocks[i]->max_factor;
}

/* Requires the mutex. */
static void leave_chain(wend__version *version) {
    if (version->older) version->older->newer = version->newer;
    if (version->newer) version->newer->older = version->older;
}

static wend__version *acquire(wend_map *map, uint32_t references, uint32_t pins) {
    WEND__DEBUG_ASSERT(references > 0 && pins <= references);
    wend__mutex_lock(map->mutex);
    wend__version *version = map->newest;
    version->references += references;
    version->pins += pins;
    wend__mutex_unlock(map->mutex);
    return version;
}

static void release(wend__version *version, uint32_t references, uint32_t pins) {
    WEND__DEBUG_ASSERT(pins <= references);
    wend_map *map = version->map;
    wend__mutex_lock(map->mutex);
    WEND__ASSERT(version->references >= references && version->pins >= pins);
    version->pins -= pins;
    version->references -= references;
    const wend__family *family = map->family;
    const bool last = version->references == 0, left = family->garbage || family->gone || family->dying;
    if (last) leave_chain(version);
    wend__mutex_unlock(map->mutex);
    if (last) wend__version_free(version);
    if (last || left) wend__sweep_slice(map->family);
}

wend__version *wend__map_acquire(wend_map *map, bool pin) {
    return acquire(map, 1, pin);
}

void wend__map_release(wend__version *version, bool pinned) {
    release(version, 1, pinned);
}

wend__version *wend__map_pin(wend_map *map, uint32_t count) {
    return acquire(map, count, count);
}

void wend__map_unpin(wend__version *version, uint32_t count) {
    release(version, count, count);
}

bool wend__map_any_pinned(const wend_map *map) {
    for (const wend__version *v = map->newest; v; v = v->older)
        if (v->pins > 0) return true;
    return false;
}

uint64_t wend__map_serial(const wend_map *map) {
    return atomic_load_explicit(&map->serial, memory_order_acquire);
}

uint64_t wend__map_revision(const wend_map *map) {
    return atomic_load_explicit(&map->revision, memory_order_acquire);
}

bool wend__version_retired(const wend__version *version) {
    wend__mutex_lock(version->map->mutex);
    bool retired = version->retired;
    wend__mutex_unlock(version->map->mutex);
    return retired;
}

/* The newest counts, pinned or not: it may be pinned at any moment. */
void wend__map_retire_excess(wend_map *map) {
    uint32_t live = 1;
    for (wend__version *v = map->newest->older; v; v = v->older) {
        if (v->pins == 0) continue;
        if (++live > map->max_versions) v->retired = true;
    }
}

/* ---- a map's first version ---- */

/* All cells are open, or all chunks absent. Equal blocks are shared. */

/* Returns on which of the table's four sides a block lies: on an empty grid blocks with equal sides are equal. */
static uint64_t block_side(const wend__version *v, int32_t column, int32_t row) {
    return (unsigned)(column == 0) | (unsigned)(column == v->block_columns - 1) << 1 | (unsigned)(row == 0) << 2 |
           (unsigned)(row == v->block_rows - 1) << 3;
}

/* Returns for voxels which rows of chunks end in y or z inside their chunks, or are absent; and whether the last column
 * does. */
static uint64_t block_rim(const wend__version *v, int32_t column, int32_t row) {
    uint64_t rim = column == v->block_columns - 1;
    for (int32_t r = row * WEND__BLOCK_SIDE; r < (row + 1) * WEND__BLOCK_SIDE; r++) {
        bool there = r < v->chunk_rows;
        bool south = there && v->height % WEND__VOXEL_SIDE && r % v->chunk_y == v->chunk_y - 1;
        bool top = there && v->depth % WEND__VOXEL_SIDE && r >= v->chunk_rows - v->chunk_y;
        rim = rim << 2 | (there ? (unsigned)south << 1 | (unsigned)top : 0);
        if (!there) rim |= UINT64_C(1) << 63;
    }
    return rim;
}

/* Kinds of blocks in the order in which they are met. There are fewer than 100: along y the rim lies in one of 16 rows
   of a block, in none, or (where a layer is narrower) in several that begin at one of 15. */
enum { BLOCK_KINDS = 128 };
typedef struct block_kinds {
    unsigned count;
    struct {
        uint64_t key;
        size_t index; ///< index of the first block
        wend__block *block;
    } of[BLOCK_KINDS];
} block_kinds;

/* Returns its place in the list, which may be the one behind the last. */
static unsigned find_kind(const wend__version *v, const block_kinds *kinds, int32_t column, int32_t row,
                          uint64_t *key) {
    unsigned i = 0;
    *key = v->kind == WEND_KIND_VOXEL ? block_rim(v, column, row) : block_side(v, column, row);
    while (i < kinds->count && kinds->of[i].key != *key) i++;
    WEND__ASSERT(i < BLOCK_KINDS);
    return i;
}

static void open_chunks(const wend__version *v, wend__block *block, size_t index) {
    const bool streamed = v->map->streamed;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place p = wend__chunk_place(v, index, i);
        bool inside = wend__on_table(v, p.column, p.row);
        block->chunks[i] = (wend__chunk){.masks = &wend__masks_closed,
                                         .uniform = inside && !streamed ? WEND_CLASS_OPEN : WEND_CLASS_BLOCKED,
                                         .land = inside && streamed ? WEND_LAND_ABSENT : WEND_LAND_LOADED};
        if (inside && streamed) block->lacking[i / WEND__BLOCK_SIDE] |= (uint16_t)(1u << i % WEND__BLOCK_SIDE);
        if (v->kind == WEND_KIND_VOXEL) block->chunks[i].open = &wend__voxels_blocked;
    }
}

static wend_error share_blocks(wend__version *v, block_kinds *kinds) {
    for (int32_t row = 0; row < v->block_rows; row++)
        for (int32_t column = 0; column < v->block_columns; column++) {
            uint64_t key;
            unsigned i = find_kind(v, kinds, column, row, &key);
            wend__block *block = i < kinds->count ? kinds->of[i].block : wend__block_create(v->map);
            if (!block) return WEND_OUT_OF_MEMORY;
            size_t index = (size_t)row * (size_t)v->block_columns + (size_t)column;
            v->blocks[index] = block;
            if (i < kinds->count) {
                block->shared.references++; /* no other thread can see the block */
                continue;
            }
            open_chunks(v, block, index);
            kinds->of[i].key = key, kinds->of[i].block = block, kinds->of[i].index = index;
            kinds->count++;
        }
    return WEND_OK;
}

static wend_error derive_block(wend__mask_deriver *deriver, wend__block *block, size_t index) {
    const wend__version *v = deriver->version;
    for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
        const wend__place p = wend__chunk_place(v, index, i);
        if (!wend__on_table(v, p.column, p.row)) continue;
        wend_error error = wend__chunk_derive(deriver, &block->chunks[i], p.column, p.row);
        if (error) return error;
    }
    wend__block_sum(block);
    return WEND_OK;
}

wend_error wend__version_open(wend__version *version) {
    block_kinds kinds;
    kinds.count = 0;
    wend_error error = share_blocks(version, &kinds);
    wend__mask_deriver deriver;
    wend__mask_deriver_init(&deriver, version);
    for (unsigned i = 0; i < kinds.count && !error; i++)
        error = derive_block(&deriver, kinds.of[i].block, kinds.of[i].index);
    if (error) return error;
    if (version->kind == WEND_KIND_GRAPH && wend__graph_open(version)) return WEND_OUT_OF_MEMORY;
    wend__version_sum(version);
    version->torn = wend__sheets_torn(version);
    if (wend__wraps(version) && wend__rim_seams(version)) return WEND_OUT_OF_MEMORY;
    return wend__derivations_create(version);
}
