/* SPDX-License-Identifier: MIT */
/* Masks of a grid's chunk: the open neighbours of each cell or, near closed steps, its legal steps. They depend on the
 * chunk and the cells around it only. */
#include "map/kinds/graph.h"
#include "map/kinds/masks.h"
#include "map/kinds/voxels.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/store/memory.h"

void wend__mask_deriver_init(wend__mask_deriver *deriver, const wend__version *version) {
    deriver->version = version;
    deriver->closed_near = false;
    memset(deriver->memo, 0, sizeof deriver->memo);
}

/* ---- uniform chunks between uniform ones ---- */

enum { CLOSED = 0, OPEN = 1, MIXED = -1 };

static int32_t chunk_state(const wend__mask_deriver *d, int32_t column, int32_t row) {
    const wend__version *v = d->version;
    if (column < 0 || row < 0 || column >= v->chunk_columns || row >= v->chunk_rows) return CLOSED;
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    if (chunk->terrain || chunk->bits) return MIXED;
    return d->version->rules.factors[chunk->uniform] ? OPEN : CLOSED;
}

enum { ALL_OPEN = 511, RIM_EAST = 512, RIM_SOUTH = 1024 };

/* Returns the key of the masks of a chunk in a uniform neighbourhood, or -1: nine open bits, and whether the map ends
 * inside the chunk (at the same place for all chunks of the last column or row). */
static int32_t uniform_key(const wend__mask_deriver *d, int32_t column, int32_t row) {
    int32_t key = 0;
    for (int32_t i = 0; i < 9; i++) {
        int32_t state = chunk_state(d, column + i % 3 - 1, row + i / 3 - 1);
        if (state == MIXED) return -1;
        key |= state << i;
    }
    if (column == d->version->chunk_columns - 1) key |= RIM_EAST;
    if (row == d->version->chunk_rows - 1) key |= RIM_SOUTH;
    return key;
}

static unsigned memo_slot(int32_t key) {
    return ((unsigned)key * 40503u >> 6) % WEND__MEMO;
}

static const wend__plane *known_masks(const wend__mask_deriver *d, int32_t key) {
    if (key < 0) return NULL;
    if (key == ALL_OPEN) return &wend__masks_open;
    if ((key & ALL_OPEN) == 0) return &wend__masks_closed;
    unsigned slot = memo_slot(key);
    return d->memo[slot] && d->memo_keys[slot] == key ? d->memo[slot] : NULL;
}

/* ---- other chunks, cell by cell ---- */

static bool open_at(const wend__mask_deriver *d, const wend__chunk *chunk, unsigned x, unsigned y) {
    uint8_t class = chunk->terrain ? chunk->terrain->bytes[y << WEND__CHUNK_SHIFT | x]
                    : chunk->bits  ? chunk->bits->classes[chunk->bits->rows[y] >> x & 1]
                                   : chunk->uniform;
    return d->version->rules.factors[class] > 0;
}

/* Computes open bytes of a row from the classes' bytes; the largest factor. */
static uint8_t load_bytes(const wend__mask_deriver *d, const uint8_t *classes, unsigned width, uint8_t *out) {
    const uint8_t *factors = d->version->rules.factors;
    uint8_t most = 0;
    for (unsigned x = 0; x < width; x++) out[x] = factors[classes[x]];
    for (unsigned x = 0; x < width; x++) {
        if (out[x] > most) most = out[x];
        out[x] = out[x] ? 0xFF : 0;
    }
    memset(out + width, 0, WEND__CHUNK_SIDE - width);
    return most;
}

/* Copies open bytes of row y of a chunk that is at (column, row) and may be off the map, into a row of the cells. */
static uint8_t load_row(wend__mask_deriver *d, int32_t column, int32_t row, unsigned y, unsigned to_y) {
    const wend__version *v = d->version;
    uint8_t *out = &d->cells[to_y][1];
    if (row < 0 || row >= v->chunk_rows || y >= wend__chunk_extent(v->height, row)) {
        memset(out, 0, WEND__CHUNK_SIDE);
        return 0;
    }
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    unsigned width = wend__chunk_extent(v->width, column);
    if (chunk->terrain) return load_bytes(d, &chunk->terrain->bytes[y << WEND__CHUNK_SHIFT], width, out);
    wend__spread_row(wend__open_row(v->rules.factors, chunk, y) & wend__low_bits(width), out);
    return 0;
}

/* Copies the cell left or right of a row. */
static void load_end(wend__mask_deriver *d, int32_t column, int32_t row, unsigned x, unsigned y, unsigned to_x,
                     unsigned to_y) {
    const wend__version *v = d->version;
    bool there = column >= 0 && row >= 0 && column < v->chunk_columns && row < v->chunk_rows &&
                 x < wend__chunk_extent(v->width, column) && y < wend__chunk_extent(v->height, row);
    d->cells[to_y][to_x] = there && open_at(d, wend__version_chunk(v, column, row), x, y) ? 0xFF : 0;
}

/* Copies the rows of the cells, of 66, that these rows of masks need; returns the largest factor among them if the
   chunk has bytes. */
static uint8_t load_cells(wend__mask_deriver *d, int32_t column, int32_t row, uint64_t rows) {
    uint8_t most = 0;
    for (unsigned to_y = 0; to_y < WEND__CHUNK_SIDE + 2; to_y++) {
        unsigned first = to_y < 2 ? 0 : to_y - 2, last = to_y < 63 ? to_y : 63; /* the masks' rows that depend on it */
        if (!(rows & wend__low_bits(last + 1) & ~wend__low_bits(first))) continue;
        int32_t of = to_y == 0 ? row - 1 : to_y == 65 ? row + 1 : row;
        unsigned y = (to_y + 63) & 63;
        uint8_t factor = load_row(d, column, of, y, to_y);
        if (of == row && factor > most) most = factor;
        load_end(d, column - 1, of, 63, y, 0, to_y);
        load_end(d, column + 1, of, 0, y, 65, to_y);
    }
    return most;
}

/* Bytes of 0xFF and 0, so that a neighbour's bit is one AND: compilers turn the loop into wide operations. */
static void combine_row(wend__mask_deriver *d, unsigned y) {
    const uint8_t *restrict up = d->cells[y], *restrict here = d->cells[y + 1], *restrict down = d->cells[y + 2];
    uint8_t *restrict out = &d->scratch.bytes[y << WEND__CHUNK_SHIFT];
    for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++)
        out[x] = (uint8_t)((up[x + 1] & 1 << WEND__N) | (here[x + 2] & 1 << WEND__E) | (down[x + 1] & 1 << WEND__S) |
                           (here[x] & 1 << WEND__W) | (up[x + 2] & 1 << WEND__NE) | (down[x + 2] & 1 << WEND__SE) |
                           (down[x] & 1 << WEND__SW) | (up[x] & 1 << WEND__NW));
}

/* Returns true if all cells of a chunk are blocked because they are not loaded. Their masks are never read and stay
 * empty, so land loaded or unloaded next to the chunk does not change them. */
static bool is_absent(const wend__version *v, int32_t column, int32_t row) {
    return wend__version_chunk(v, column, row)->land != WEND_LAND_LOADED;
}

void wend__masks_of_open(const wend__version *version, int32_t column, int32_t row, uint8_t out[WEND__CHUNK_CELLS]) {
    wend__mask_deriver deriver;
    memset(out, 0, WEND__CHUNK_CELLS);
    if (is_absent(version, column, row)) return;
    wend__mask_deriver_init(&deriver, version);
    load_cells(&deriver, column, row, UINT64_MAX);
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) combine_row(&deriver, y);
    memcpy(out, deriver.scratch.bytes, WEND__CHUNK_CELLS);
}

/* ---- closed steps ---- */

static const wend__closed *closed_of(const wend__mask_deriver *d, int32_t column, int32_t row) {
    const wend__version *v = d->version;
    if (column < 0 || row < 0 || column >= v->chunk_columns || row >= v->chunk_rows) return NULL;
    return wend__version_chunk(v, column, row)->closed;
}

/* Copies the closed steps of cells from..to of a row of a chunk. Returns whether there are any. */
static bool load_closed(wend__mask_deriver *d, const wend__closed *closed, unsigned y, unsigned from, unsigned to,
                        unsigned to_y, unsigned to_x) {
    uint32_t any = 0;
    if (!closed) return false;
    for (unsigned x = from; x <= to; x++) {
        uint32_t steps = closed->steps[y << WEND__CHUNK_SHIFT | x];
        d->closed[to_y][to_x + x - from] = (uint8_t)steps;
        any |= steps;
    }
    return any != 0;
}

/* Copies closed steps: a cell's diagonal steps depend on those at its four straight neighbours, and on no others.
   False: no closed step affects the chunk. */
static bool load_all_closed(wend__mask_deriver *d, int32_t column, int32_t row) {
    const wend__closed *here = closed_of(d, column, row), *beside[4];
    bool any = here != NULL;
    for (unsigned i = 0; i < 4; i++) {
        beside[i] = closed_of(d, column + wend__dx[i], row + wend__dy[i]);
        any = any || beside[i];
    }
    if (!any) return false;
    enum { LAST = WEND__CHUNK_SIDE - 1 };
    memset(d->closed, 0, sizeof d->closed);
    any = load_closed(d, beside[WEND__N], LAST, 0, LAST, 0, 1);
    any = load_closed(d, beside[WEND__S], 0, 0, LAST, LAST + 2, 1) || any;
    for (unsigned y = 0; y <= LAST; y++) {
        any = load_closed(d, here, y, 0, LAST, y + 1, 1) || any;
        any = load_closed(d, beside[WEND__W], y, LAST, LAST, y + 1, 0) || any;
        any = load_closed(d, beside[WEND__E], y, 0, 0, y + 1, LAST + 2) || any;
    }
    return any;
}

/* Returns whether one of the two straight ways round a corner exists, by the neighbour in direction `first`. */
static bool way_round(unsigned open, unsigned closed, unsigned closed_beside, unsigned first, unsigned then) {
    return (open & ~closed) >> first & 1 && !(closed_beside >> then & 1);
}

/* Returns the legal steps of a cell. `beside`: closed steps at its neighbours in the north, east, south and west. */
static uint8_t settled_steps(const wend__version *v, unsigned open, unsigned closed, const uint8_t beside[4]) {
    static const uint8_t ways[4][2] = {{WEND__N, WEND__E}, {WEND__S, WEND__E}, {WEND__S, WEND__W}, {WEND__N, WEND__W}};
    unsigned steps = v->legal[open] & ~closed;
    if (v->rules.corners == WEND_CORNERS_ALWAYS) return (uint8_t)steps;
    for (unsigned diagonal = steps >> WEND__NE; diagonal; diagonal &= diagonal - 1) {
        unsigned i = wend__ctz32(diagonal), a = ways[i][0], b = ways[i][1];
        unsigned there = (unsigned)way_round(open, closed, beside[a], a, b) + way_round(open, closed, beside[b], b, a);
        if (there < (v->rules.corners == WEND_CORNERS_NEVER ? 2u : 1u)) steps &= ~(1u << (WEND__NE + i));
    }
    return (uint8_t)steps;
}

/* Turns open neighbours into legal steps. */
static void settle_row(wend__mask_deriver *d, unsigned y) {
    const uint8_t *up = d->closed[y], *here = d->closed[y + 1], *down = d->closed[y + 2];
    uint8_t *out = &d->scratch.bytes[y << WEND__CHUNK_SHIFT];
    for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++) {
        const uint8_t beside[4] = {up[x + 1], here[x + 2], down[x + 1], here[x]};
        bool none = !(here[x + 1] | beside[0] | beside[1] | beside[2] | beside[3]);
        out[x] = none ? d->version->legal[out[x]] : settled_steps(d->version, out[x], here[x + 1], beside);
    }
}

/* Puts the requested rows into the scratch and copies the others. Returns false if no row differs. */
static bool combine_cells(wend__mask_deriver *d, const wend__plane *before, uint64_t rows) {
    bool changed = false;
    if (rows != UINT64_MAX) memcpy(d->scratch.bytes, before->bytes, sizeof before->bytes);
    for (uint64_t left = rows; left; left &= left - 1) {
        unsigned y = wend__ctz64(left), at = y << WEND__CHUNK_SHIFT;
        combine_row(d, y);
        if (d->closed_near) settle_row(d, y);
        changed = changed || memcmp(&d->scratch.bytes[at], &before->bytes[at], WEND__CHUNK_SIDE) != 0;
    }
    return changed;
}

static bool same_bytes(const wend__plane *a, const wend__plane *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static const wend__plane *derive_cells(wend__mask_deriver *d, const wend__chunk *chunk, uint64_t rows) {
    if (!combine_cells(d, chunk->masks, rows)) return chunk->masks;
    if (same_bytes(&d->scratch, &wend__masks_open)) return &wend__masks_open;
    if (same_bytes(&d->scratch, &wend__masks_closed)) return &wend__masks_closed;
    return &d->scratch;
}

/* ---- the largest factor ---- */

static uint8_t most_of_bytes(wend__mask_deriver *d, const wend__chunk *chunk, int32_t column, int32_t row) {
    const wend__version *v = d->version;
    unsigned width = wend__chunk_extent(v->width, column), height = wend__chunk_extent(v->height, row);
    uint8_t most = 0;
    for (unsigned y = 0; y < height; y++) {
        uint8_t out[WEND__CHUNK_SIDE],
            factor = load_bytes(d, &chunk->terrain->bytes[y << WEND__CHUNK_SHIFT], width, out);
        if (factor > most) most = factor;
    }
    return most;
}

/* `seen` is the largest factor of the processed rows, which are all that may have changed. */
static uint8_t most_of_chunk(wend__mask_deriver *d, int32_t column, int32_t row, uint64_t rows, uint8_t seen) {
    const wend__chunk *chunk = wend__version_chunk(d->version, column, row);
    const uint8_t *factors = d->version->rules.factors;
    if (chunk->terrain) {
        bool known = rows == UINT64_MAX || seen >= chunk->max_factor;
        return known ? seen : most_of_bytes(d, chunk, column, row);
    }
    if (!chunk->bits) return factors[chunk->uniform];
    uint8_t one = factors[chunk->bits->classes[0]], other = factors[chunk->bits->classes[1]];
    return one > other ? one : other;
}

const wend__plane *wend__masks_derive(wend__mask_deriver *deriver, int32_t column, int32_t row, uint64_t rows,
                                      uint8_t *max_factor, int32_t *key) {
    const wend__chunk *chunk = wend__version_chunk(deriver->version, column, row);
    if (is_absent(deriver->version, column, row)) {
        deriver->closed_near = false;
        *max_factor = 0, *key = -1;
        return &wend__masks_closed;
    }
    deriver->closed_near = load_all_closed(deriver, column, row);
    if (deriver->closed_near != chunk->closed_near) rows = UINT64_MAX; /* the bytes get another meaning */
    *key = deriver->closed_near ? -1 : uniform_key(deriver, column, row);
    const wend__plane *masks = known_masks(deriver, *key);
    uint8_t seen = 0;
    if (!masks) {
        seen = load_cells(deriver, column, row, rows);
        masks = derive_cells(deriver, chunk, rows);
    }
    *max_factor = most_of_chunk(deriver, column, row, rows, seen);
    return masks;
}

bool wend__masks_differ(const wend__mask_deriver *deriver, const wend__chunk *chunk, const wend__plane *masks,
                        uint8_t max_factor) {
    return masks != chunk->masks || max_factor != chunk->max_factor || deriver->closed_near != chunk->closed_near;
}

wend_error wend__masks_store(wend__mask_deriver *deriver, wend__chunk *chunk, const wend__plane *masks,
                             uint8_t max_factor, int32_t key) {
    wend_map *map = deriver->version->map;
    if (masks == &deriver->scratch) {
        wend__plane *copy = wend__shared_create(map, sizeof(wend__plane));
        if (!copy) return WEND_OUT_OF_MEMORY;
        memcpy(copy->bytes, deriver->scratch.bytes, sizeof copy->bytes);
        masks = copy;
    } else if (masks != chunk->masks) {
        wend__shared_retain(map, masks);
    }
    if (masks != chunk->masks) {
        wend__shared_release(map, chunk->masks);
        chunk->masks = masks;
    }
    if (max_factor != chunk->max_factor) chunk->max_factor = max_factor;
    if (deriver->closed_near != chunk->closed_near) chunk->closed_near = deriver->closed_near;
    if (key >= 0) {
        deriver->memo[memo_slot(key)] = masks;
        deriver->memo_keys[memo_slot(key)] = (uint16_t)key;
    }
    return WEND_OK;
}

/* ---- what follows from a chunk's terrain, for each kind of map ---- */

wend_error wend__chunk_derive(wend__mask_deriver *deriver, wend__chunk *chunk, int32_t column, int32_t row) {
    const wend__version *v = deriver->version;
    if (v->kind == WEND_KIND_VOXEL) return wend__voxels_derive(v, chunk, column, row);
    if (v->kind == WEND_KIND_GRAPH) {
        wend__graph_derive(v, chunk, column);
        return WEND_OK;
    }
    uint8_t max_factor;
    int32_t key;
    const wend__plane *masks = wend__masks_derive(deriver, column, row, UINT64_MAX, &max_factor, &key);
    return wend__masks_store(deriver, chunk, masks, max_factor, key);
}
