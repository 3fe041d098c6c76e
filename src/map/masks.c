/* SPDX-License-Identifier: MIT */
/* Which neighbours of each cell are open: a pure function of a chunk and the cells around it. */
#include "map/map_private.h"

void wend__deriver_init(wend__deriver *deriver, const wend__version *version) {
    deriver->version = version;
    memset(deriver->memo, 0, sizeof deriver->memo);
}

/* ---- chunks amid uniform ones ---- */

enum { CLOSED = 0, OPEN = 1, MIXED = -1 };

static int32_t chunk_state(const wend__deriver *d, int32_t column, int32_t row) {
    const wend__version *v = d->version;
    if (column < 0 || row < 0 || column >= v->chunk_columns || row >= v->chunk_rows) return CLOSED;
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    if (chunk->terrain) return MIXED;
    return d->version->rules.factors[chunk->uniform] ? OPEN : CLOSED;
}

enum { ALL_OPEN = 511, RIM_EAST = 512, RIM_SOUTH = 1024 };

/* What tells apart the masks of chunks whose whole neighbourhood is uniform, or -1: nine open bits, and whether the
   map ends inside the chunk (as it does in the same place for all chunks of the last column or row). */
static int32_t uniform_key(const wend__deriver *d, int32_t column, int32_t row) {
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

static const wend__plane *known_masks(const wend__deriver *d, int32_t key) {
    if (key < 0) return NULL;
    if (key == ALL_OPEN) return &wend__masks_open;
    if ((key & ALL_OPEN) == 0) return &wend__masks_closed;
    unsigned slot = memo_slot(key);
    return d->memo[slot] && d->memo_keys[slot] == key ? d->memo[slot] : NULL;
}

/* ---- all others, by their cells ---- */

static uint8_t open_at(const wend__deriver *d, const wend__chunk *chunk, unsigned x, unsigned y) {
    uint8_t class = chunk->terrain ? chunk->terrain->bytes[y << WEND__CHUNK_SHIFT | x] : chunk->uniform;
    return d->version->rules.factors[class] ? 0xFF : 0;
}

/* Copy the open bytes of a neighbour's edge (or corner): `columns` × `rows` cells from (x, y) on of the chunk, to
   (to_x, to_y) of the cells, where (1, 1) is the first cell of the chunk in the middle. */
static void load_edge(wend__deriver *d, int32_t column, int32_t row, unsigned x, unsigned y, unsigned columns,
                      unsigned rows, unsigned to_x, unsigned to_y) {
    const wend__version *v = d->version;
    if (column < 0 || row < 0 || column >= v->chunk_columns || row >= v->chunk_rows) return;
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    for (unsigned j = 0; j < rows; j++)
        for (unsigned i = 0; i < columns; i++) d->cells[to_y + j][to_x + i] = open_at(d, chunk, x + i, y + j);
}

/* Turn factors into open bytes; the largest of them. */
static unsigned open_bytes(uint8_t *cells, unsigned count) {
    unsigned char most = 0;
    for (unsigned i = 0; i < count; i++) {
        if (cells[i] > most) most = cells[i];
        cells[i] = cells[i] ? 0xFF : 0;
    }
    return most;
}

static void load_middle(wend__deriver *d, const wend__chunk *chunk, unsigned width, unsigned height,
                        uint8_t *max_factor) {
    const uint8_t *factors = d->version->rules.factors;
    unsigned most = 0;
    for (unsigned y = 0; y < height; y++) {
        uint8_t *out = &d->cells[y + 1][1];
        if (chunk->terrain) {
            const uint8_t *classes = &chunk->terrain->bytes[y << WEND__CHUNK_SHIFT];
            for (unsigned x = 0; x < width; x++) out[x] = factors[classes[x]];
        } else {
            memset(out, factors[chunk->uniform], width);
        }
        unsigned row_most = open_bytes(out, width);
        if (row_most > most) most = row_most;
    }
    *max_factor = (uint8_t)most;
}

static void load_cells(wend__deriver *d, int32_t column, int32_t row, uint8_t *max_factor) {
    const wend__version *v = d->version;
    unsigned width = wend__chunk_extent(v->width, column), height = wend__chunk_extent(v->height, row);
    memset(d->cells, 0, sizeof d->cells);
    load_middle(d, wend__version_chunk(v, column, row), width, height, max_factor);
    load_edge(d, column, row - 1, 0, 63, width, 1, 1, 0);
    load_edge(d, column, row + 1, 0, 0, width, 1, 1, 65);
    load_edge(d, column - 1, row, 63, 0, 1, height, 0, 1);
    load_edge(d, column + 1, row, 0, 0, 1, height, 65, 1);
    load_edge(d, column - 1, row - 1, 63, 63, 1, 1, 0, 0);
    load_edge(d, column + 1, row - 1, 0, 63, 1, 1, 65, 0);
    load_edge(d, column - 1, row + 1, 63, 0, 1, 1, 0, 65);
    load_edge(d, column + 1, row + 1, 0, 0, 1, 1, 65, 65);
}

/* Bytes of 0xFF and 0, so that a neighbour's bit is one AND: compilers turn the inner loop into wide operations. */
static void combine_cells(wend__deriver *d) {
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) {
        const uint8_t *restrict up = d->cells[y], *restrict here = d->cells[y + 1], *restrict down = d->cells[y + 2];
        uint8_t *restrict out = &d->scratch.bytes[y << WEND__CHUNK_SHIFT];
        for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++)
            out[x] = (uint8_t)((up[x + 1] & 1 << WEND__N) | (here[x + 2] & 1 << WEND__E) |
                               (down[x + 1] & 1 << WEND__S) | (here[x] & 1 << WEND__W) | (up[x + 2] & 1 << WEND__NE) |
                               (down[x + 2] & 1 << WEND__SE) | (down[x] & 1 << WEND__SW) | (up[x] & 1 << WEND__NW));
    }
}

static bool same_bytes(const wend__plane *a, const wend__plane *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

const wend__plane *wend__derive(wend__deriver *deriver, int32_t column, int32_t row, uint8_t *max_factor,
                                int32_t *key) {
    const wend__chunk *chunk = wend__version_chunk(deriver->version, column, row);
    *key = uniform_key(deriver, column, row);
    const wend__plane *known = known_masks(deriver, *key);
    if (known) {
        *max_factor = deriver->version->rules.factors[chunk->uniform];
        return known;
    }
    load_cells(deriver, column, row, max_factor);
    combine_cells(deriver);
    if (same_bytes(&deriver->scratch, chunk->masks)) return chunk->masks;
    if (same_bytes(&deriver->scratch, &wend__masks_open)) return &wend__masks_open;
    if (same_bytes(&deriver->scratch, &wend__masks_closed)) return &wend__masks_closed;
    return &deriver->scratch;
}

int32_t wend__derive_store(wend__deriver *deriver, wend__chunk *chunk, const wend__plane *masks, uint8_t max_factor,
                           int32_t key) {
    wend_map *map = deriver->version->map;
    if (masks == &deriver->scratch) {
        wend__plane *copy = wend__plane_create(map);
        if (!copy) return WEND_OUT_OF_MEMORY;
        memcpy(copy->bytes, deriver->scratch.bytes, sizeof copy->bytes);
        masks = copy;
    } else if (masks != chunk->masks) {
        wend__plane_retain(map, masks);
    }
    if (masks != chunk->masks) {
        wend__plane_release(map, chunk->masks);
        chunk->masks = masks;
    }
    if (max_factor != chunk->max_factor) chunk->max_factor = max_factor;
    if (key >= 0) {
        deriver->memo[memo_slot(key)] = masks;
        deriver->memo_keys[memo_slot(key)] = (uint16_t)key;
    }
    return WEND_OK;
}
