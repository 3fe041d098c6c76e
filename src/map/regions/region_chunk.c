/* SPDX-License-Identifier: MIT */
/* The regions of a chunk of voxels: runs of open cells, united where they touch, numbered from the rim inwards. */
#include "map/kinds/voxels.h"
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/store/terrain.h"
#include "map/store/sort.h"

const wend__chunk_regions wend__chunk_regions_open = {.count = 1, .rim = 1, .full = true, .open = &wend__voxels_open};
const wend__chunk_regions wend__chunk_regions_blocked = {.open = &wend__voxels_blocked};

enum { RUNS = WEND__CHUNK_CELLS, WORDS = WEND__CHUNK_SIDE, NARROW = 256 };

/* An in_chunk under construction. */
typedef struct draft {
    wend__bits open; ///< open bits of the terrain
    const wend__closed *closed;
    uint64_t split[WORDS];
    uint16_t before[WORDS];
    uint32_t runs;
    uint32_t parents[RUNS];
    uint16_t numbers[RUNS]; ///< by run: its region
    uint32_t count, rim;
    bool full;
} draft;

/* ---- open cells ---- */

/* Returns true if all cells on the map are open. */
static bool is_full(const wend__version *v, int32_t column, int32_t row, const draft *d) {
    wend__extent extent = wend__voxels_extent(v, column, row);
    for (unsigned word = 0; word < WORDS; word++)
        if (d->open.rows[word] != wend__voxels_on_map(&extent, word)) return false;
    return !d->closed;
}

static void read_open(const wend__version *v, const wend__chunk *chunk, int32_t column, int32_t row, draft *d) {
    wend__extent extent = wend__voxels_extent(v, column, row);
    for (unsigned word = 0; word < WORDS; word++)
        d->open.rows[word] = wend__open_row(v->rules.factors, chunk, word) & wend__voxels_on_map(&extent, word);
    d->closed = chunk->closed;
}

static bool same_open(const wend__bits *a, const wend__bits *b) {
    return a == b || memcmp(a->rows, b->rows, sizeof a->rows) == 0;
}

/* Returns true if a walker can rise as far here as there. Views of other movers do not store this. */
static bool same_rise(const wend__bits *a, const wend__bits *b) {
    const wend__footing *before = wend__footing_of(a), *now = wend__footing_of(b);
    if (!before || !now) return !before && !now;
    return before == now || memcmp(before->rise, now->rise, sizeof now->rise) == 0;
}

/* ---- runs ---- */

/* Returns cells of a word that closed steps in both directions separate from the previous cell. */
static uint64_t parted_from_west(const wend__closed *closed, unsigned word) {
    uint64_t parted = 0;
    for (uint32_t i = 1; i < 64; i++) {
        uint32_t local = word << 6 | i;
        bool both = closed->steps[local] >> WEND__W & 1 && closed->steps[local - 1] >> WEND__E & 1;
        parted |= (uint64_t)both << i;
    }
    return parted;
}

static void find_runs(draft *d) {
    d->runs = 0;
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t open = d->open.rows[word], joined = open << 1 & UINT64_C(0xFFFEFFFEFFFEFFFE);
        if (d->closed) joined &= ~parted_from_west(d->closed, word);
        d->split[word] = open & ~joined;
        d->before[word] = (uint16_t)d->runs;
        d->runs += wend__popcount64(d->split[word]);
    }
    for (uint32_t run = 0; run < d->runs; run++) d->parents[run] = run;
}

static void join_runs(const wend__version *v, const wend__chunk *chunk, draft *d) {
    static const int8_t here[3] = {0, 0, 0};
    const bool walker = wend__is_walker(v);
    const wend__chunk_regions in_chunk = {
        .open = walker ? chunk->open : &d->open, .closed = d->closed, .split = d->split, .before = d->before};
    const wend__side side = {.in_chunk = &in_chunk, .by_run = true};
    if (walker)
        wend__sides_touch_walker(v, d->parents, &side, &side, here, NULL);
    else
        wend__sides_touch(d->parents, &side, &side, here, wend__contact_directions(&v->rules, WEND_KIND_VOXEL), NULL);
}

/* ---- numbers ---- */

/* Returns the rim's cells of a word's four rows. */
static uint64_t rim_cells(unsigned word) {
    unsigned z = word >> 2, part = word & 3;
    if (z == 0 || z == 15) return UINT64_MAX;
    uint64_t sides = UINT64_C(0x8001800180018001);
    if (part == 0) sides |= UINT64_C(0xFFFF);
    if (part == 3) sides |= UINT64_C(0xFFFF) << 48;
    return sides;
}

#define UNNUMBERED UINT16_MAX

static void number_run(draft *d, uint32_t run) {
    uint32_t root = wend__set_find(d->parents, run);
    if (d->numbers[root] == UNNUMBERED) d->numbers[root] = (uint16_t)d->count++;
}

static void number_regions(draft *d, bool all_touch) {
    for (uint32_t run = 0; run < d->runs; run++) d->numbers[run] = UNNUMBERED;
    d->count = 0;
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t cells = d->open.rows[word] & (all_touch ? UINT64_MAX : rim_cells(word));
        for (; cells; cells &= cells - 1) {
            uint64_t up_to = wend__low_bits(wend__ctz64(cells) + 1);
            number_run(d, d->before[word] + wend__popcount64(d->split[word] & up_to) - 1);
        }
    }
    d->rim = d->count;
    for (uint32_t run = 0; run < d->runs; run++) number_run(d, run);
    for (uint32_t run = 0; run < d->runs; run++) d->numbers[run] = d->numbers[wend__set_find(d->parents, run)];
}

/* ---- the in_chunk ---- */

/* Returns the chunk's own bits if they are equal; else new ones. */
static const wend__bits *hold_open(wend_map *map, const wend__chunk *chunk, const wend__bits *open) {
    if (chunk->open && same_open(chunk->open, open)) {
        wend__shared_retain(map, chunk->open);
        return chunk->open;
    }
    wend__bits *own = wend__shared_create(map, sizeof(wend__bits));
    if (!own) return NULL;
    own->classes[0] = WEND_CLASS_BLOCKED, own->classes[1] = WEND_CLASS_OPEN;
    memcpy(own->rows, open->rows, sizeof own->rows);
    return own;
}

static size_t tract_bytes(const draft *d) {
    size_t bytes = sizeof(wend__chunk_regions);
    if (d->count <= 1) return bytes;
    if (d->closed) bytes += sizeof d->split;
    return bytes + sizeof d->before + d->runs * (d->count <= NARROW ? sizeof(uint8_t) : sizeof(uint16_t));
}

static void fill_tract(wend__chunk_regions *in_chunk, const draft *d) {
    char *end = (char *)(in_chunk + 1);
    if (d->count <= 1) return;
    if (d->closed) {
        in_chunk->split = memcpy(end, d->split, sizeof d->split);
        end += sizeof d->split;
    }
    in_chunk->before = memcpy(end, d->before, sizeof d->before);
    end += sizeof d->before;
    if (d->count > NARROW) {
        in_chunk->wide = memcpy(end, d->numbers, d->runs * sizeof *d->numbers);
        return;
    }
    uint8_t *narrow = (uint8_t *)end;
    for (uint32_t run = 0; run < d->runs; run++) narrow[run] = (uint8_t)d->numbers[run];
    in_chunk->narrow = narrow;
}

static const wend__chunk_regions *make_tract(wend_map *map, const wend__chunk *chunk, const draft *d) {
    wend__chunk_regions *in_chunk = wend__shared_create(map, tract_bytes(d));
    const wend__bits *open = in_chunk ? hold_open(map, chunk, &d->open) : NULL;
    if (!open) {
        wend__shared_free(map, in_chunk);
        return NULL;
    }
    wend__shared_retain(map, d->closed);
    *in_chunk = (wend__chunk_regions){.shared = in_chunk->shared, .open = open, .closed = d->closed};
    in_chunk->count = d->count, in_chunk->rim = d->rim, in_chunk->full = d->full;
    fill_tract(in_chunk, d);
    return in_chunk;
}

wend_error wend__chunk_regions_create(const wend__version *version, int32_t column, int32_t row,
                                      const wend__chunk_regions *old, const wend__chunk_regions **out) {
    const wend__chunk *chunk = wend__version_chunk(version, column, row);
    const bool walker = wend__is_walker(version);
    draft d;
    read_open(version, chunk, column, row, &d);
    if (same_open(&d.open, &wend__voxels_blocked)) {
        *out = &wend__chunk_regions_blocked;
    } else if (!d.closed && !walker && same_open(&d.open, &wend__voxels_open)) {
        *out = &wend__chunk_regions_open;
    } else if (old && same_open(&d.open, old->open) && wend__closed_alike(d.closed, old->closed) &&
               (!walker || same_rise(old->open, chunk->open))) {
        *out = wend__shared_retain(version->map, old);
    } else {
        find_runs(&d);
        join_runs(version, chunk, &d);
        number_regions(&d, walker);
        d.full = !walker && is_full(version, column, row, &d);
        *out = make_tract(version->map, chunk, &d);
        if (!*out) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

void wend__chunk_regions_release(wend_map *map, const wend__chunk_regions *in_chunk) {
    if (!wend__shared_drop(map, in_chunk)) return;
    wend__shared_release(map, in_chunk->open);
    wend__shared_release(map, in_chunk->closed);
    wend__shared_free(map, in_chunk);
}

bool wend__chunk_regions_alike(const wend__chunk_regions *a, const wend__chunk_regions *b) {
    if (a == b) return true;
    if (!a || !b || a->rim != b->rim || !wend__closed_alike(a->closed, b->closed)) return false;
    if (!same_rise(a->open, b->open)) return false;
    if (wend__footing_of(a->open)) return same_open(a->open, b->open);
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t rim = rim_cells(word), cells = a->open->rows[word] & rim;
        if (cells != (b->open->rows[word] & rim)) return false;
        for (; cells && a->rim > 1; cells &= cells - 1) {
            uint32_t local = word << 6 | wend__ctz64(cells);
            if (wend__chunk_region_of(a, local) != wend__chunk_region_of(b, local)) return false;
        }
    }
    return true;
}
