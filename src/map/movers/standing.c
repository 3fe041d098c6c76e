/* SPDX-License-Identifier: MIT */
/* Cells on which walkers stand: each column of a chunk is read from the floor below it to the last level above it. */
#include "map/movers/standing.h"
#include "map/kinds/voxels.h"

enum {
    SIDE = WEND__VOXEL_SIDE,
    CHUNKS = WEND__STANDING_BELOW + 1 + WEND__STANDING_ABOVE,
    LAYERS = SIDE + WEND_MAX_HEADROOM + WEND_MAX_LEVELS
};

/* The chunks of a column of chunks, from the one below on. */
typedef struct shaft {
    const wend_mover *mover;
    const wend__chunk *chunks[CHUNKS]; ///< NULL: off the map
    int32_t first, depth;              ///< the chunk's first layer, and the map's
    int32_t above;                     ///< layers that are read above the chunk
} shaft;

/* Returns how many layers above a chunk are read. */
static int32_t layers_above(const wend_mover *mover) {
    return mover->headroom - 1 + wend__most(mover->step_up, mover->drop);
}

static shaft shaft_of(const wend__version *v, const wend_mover *mover, int32_t column, int32_t row) {
    shaft s = {.mover = mover, .first = row / v->chunk_y << WEND__VOXEL_SHIFT, .depth = v->depth};
    for (int32_t i = 0; i < CHUNKS; i++) {
        const int32_t at = row + (i - WEND__STANDING_BELOW) * v->chunk_y;
        if (at >= 0 && at < v->chunk_rows) s.chunks[i] = wend__version_chunk(v, column, at);
    }
    s.above = layers_above(mover);
    return s;
}

/* Returns whether a walker stands on cells of a class: on those that it cannot enter, but none that it avoids or
 * shuns. */
static bool is_floor(const wend_mover *mover, uint8_t class) {
    const uint64_t feared = mover->avoided[class / 64] | mover->shunned[class / 64];
    return mover->factors[class] == 0 && !(feared >> class % 64 & 1);
}

/* Returns the class of a cell of a column, by its layer from the chunk's first one on, -1 included. */
static uint8_t class_at(const shaft *s, unsigned column, int32_t layer) {
    const wend__chunk *chunk = s->chunks[WEND__STANDING_BELOW + (layer >> WEND__VOXEL_SHIFT)];
    return wend__chunk_class(chunk, (uint32_t)(layer & (SIDE - 1)) << 8 | column);
}

static bool is_one_class(const wend__chunk *chunk) {
    return !chunk->terrain && !chunk->bits;
}

/* Returns true if the chunks alone show that there is no floor: all blocked, or this and the one below all open. */
static bool has_no_floor(const shaft *s) {
    const wend__chunk *here = s->chunks[WEND__STANDING_BELOW], *below = s->chunks[0];
    if (!is_one_class(here)) return false;
    if (s->mover->factors[here->uniform] == 0) return true;
    return here->uniform != WEND_CLASS_STAIRS && below && is_one_class(below) && !is_floor(s->mover, below->uniform);
}

/* Processes a column. Returns whether the walker can stand anywhere in it. */
static bool stand_in_column(const shaft *s, unsigned column, uint8_t *factors, uint8_t *rise) {
    const int32_t last = wend__least(SIDE + s->above, s->depth - s->first) - 1, headroom = s->mover->headroom;
    uint8_t classes[LAYERS];
    int32_t open = 0; /* open cells from a layer on */
    bool any = false;
    for (int32_t z = 0; z <= last; z++) classes[z] = class_at(s, column, z);
    for (int32_t z = last; z >= 0; z--) {
        const unsigned at = (unsigned)z << 8 | column;
        const uint8_t class = classes[z];
        open = s->mover->factors[class] > 0 ? open + 1 : 0;
        if (z >= SIDE || open < headroom) continue;
        const bool bottom = s->first + z == 0, stairs = class == WEND_CLASS_STAIRS;
        if (!bottom && !stairs && !is_floor(s->mover, z ? classes[z - 1] : class_at(s, column, -1))) continue;
        factors[at] = s->mover->factors[class];
        rise[at] = (uint8_t)(wend__least(open - headroom, WEND__RISE_LEVELS) | (stairs ? WEND__RISE_STAIRS : 0));
        any = true;
    }
    return any;
}

/* Clears a fourth of all layers. */
static void clear_part(uint8_t values[WEND__CHUNK_CELLS], unsigned part) {
    for (unsigned z = 0; z < SIDE; z++) memset(values + (z << 8 | part << 6), 0, WEND__CHUNK_SIDE);
}

bool wend__standing(const wend__version *v, const wend_mover *mover, int32_t column, int32_t row, unsigned parts,
                    uint8_t factors[WEND__CHUNK_CELLS], uint8_t rise[WEND__CHUNK_CELLS]) {
    const shaft s = shaft_of(v, mover, column, row);
    const bool nowhere = has_no_floor(&s);
    const wend__extent extent = wend__voxels_extent(v, column, row);
    bool any = false;
    for (unsigned part = 0; part < WEND__STANDING_PARTS; part++) {
        if (!(parts >> part & 1)) continue;
        clear_part(factors, part);
        clear_part(rise, part);
        for (unsigned y = 4 * part; y < 4 * part + 4 && y < extent.height && !nowhere; y++)
            for (unsigned x = 0; x < extent.width; x++)
                any = stand_in_column(&s, y << WEND__VOXEL_SHIFT | x, factors, rise) || any;
    }
    return any;
}

uint64_t wend__standing_read(const wend_mover *mover, int32_t chunks) {
    if (chunks == 0) return UINT64_MAX;
    if (chunks < 0) return ~wend__low_bits(4 * (SIDE - 1)); /* the floor */
    const int32_t above = layers_above(mover) - SIDE * (chunks - 1);
    return wend__low_bits(4 * (unsigned)wend__least(SIDE, wend__most(0, above)));
}
