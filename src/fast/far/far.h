/* SPDX-License-Identifier: MIT */
/* Internal: the far layer of a version: gates between chunks and the costs between them, for routes across large grids.
 *
 * It is HPA* (Botea, Mueller, Schaeffer 2004) with gates chosen by components, levels made in the same way from the
 * level below, and landmarks on the gates of the top level (ALT: Goldberg, Harrelson 2005).
 *
 * A *gate* is a pair of neighbouring open cells on the two sides of a border; a *crossing* is the step over the border
 * there. A *record* holds the gates of a chunk and the costs between them inside of it. Level 0 has a record for each
 * chunk, level 1 for 4 x 4 chunks, level 2 for 16 x 16. A gate of a level is a gate of the level below.
 *
 * A *sheet* holds the records of a block of 16 x 16 chunks at all levels, and which of them are stale. Versions and
 * forks share layers, sheets and records. A publish marks what it touched as stale; far_repair.c makes that again. A
 * record depends on the cells of its chunk and on the borders of the chunks around it alone, so a repaired layer equals
 * a layer made from nothing.
 *
 * Costs are in far units: 29 for a straight step, in proportion for a diagonal one (41 for 10:14 or 1000:1414), times
 * the factor of the cell entered. So the costs of a chunk of even ground fit into 16 bits. */

/* Tried on paper: a far layer of voxels. Two of three maps have more gates than A* expands cells; on the third some
 * 1,700 expansions of 22 gates each stand against 6.5 ms, and walkers would need one each. */
#ifndef WEND_SRC_FAST_FAR_FAR_H
#define WEND_SRC_FAST_FAR_FAR_H

#include "map/store/map_layout.h"

enum {
    WEND__FAR_STRAIGHT = 29,
    WEND__FAR_LEVELS = 3,
    WEND__FAR_SIDE_GATES = 62, ///< most gates of a side of a record
    WEND__FAR_GATES = 4 * WEND__FAR_SIDE_GATES,
    WEND__FAR_LANDMARKS = 8,
    /* slots of a sheet: the records by level, then the numbers of top-level records, 1 or 16 */
    WEND__FAR_SLOT_1 = WEND__BLOCK_CHUNKS,
    WEND__FAR_SLOT_2 = WEND__FAR_SLOT_1 + 16,
    WEND__FAR_RECORDS = WEND__FAR_SLOT_2 + 1,
    WEND__FAR_SLOTS = WEND__FAR_RECORDS + 16,
    WEND__FAR_STALE_WORDS = (WEND__FAR_SLOTS + 63) / 64
};
#define WEND__FAR_NONE UINT32_MAX ///< no way

/* Sides, in the order in which a record lists its gates. The opposite side is side ^ 2. */
enum { WEND__FAR_WEST, WEND__FAR_NORTH, WEND__FAR_EAST, WEND__FAR_SOUTH };

/// The gates of a chunk, or of a block of chunks, and the costs between them. It never changes.
typedef struct wend__far_record {
    wend__shared shared;
    uint8_t first[5];   ///< gates of side s: first[s] to first[s + 1] - 1, by place
    uint8_t components; ///< number of components with gates
    uint8_t shift;      ///< a cost is stored in units of 1 << shift, rounded up
    bool mixed;         ///< costs depend on the direction: slow ground, closed steps
    bool priced;        ///< some crossing does not cost a plain step both ways
    /// Where the costs of each component begin, components + 1 numbers; the place of each gate on its side, in cells;
    /// the costs. Of a component of m gates these are, mixed, m x m from each to each; else the lower triangle. Then,
    /// as bytes, the component of each gate; where priced, the factors of its crossings out, and in.
    uint16_t words[];
} wend__far_record;

/// The landmarks' numbers at the gates of a record of the top level on its east and south sides, 8 a gate.
typedef struct wend__far_numbers {
    wend__shared shared;
    uint32_t of[];
} wend__far_numbers;

typedef struct wend__far_sheet {
    wend__shared shared;
    uint64_t stale[WEND__FAR_STALE_WORDS]; ///< slots with no object, or one made of other cells
    const void *of[WEND__FAR_SLOTS];       ///< records; from WEND__FAR_RECORDS on numbers. NULL: none
} wend__far_sheet;

/// A far layer.
typedef struct wend__far {
    wend__shared shared;
    uint64_t identity; ///< changes whenever the layer changes; unique in the process
    int32_t levels;
    int32_t columns[WEND__FAR_LEVELS], rows[WEND__FAR_LEVELS]; ///< number of records, by level
    int32_t sheet_columns;
    uint32_t sheet_count;
    uint32_t diagonal; ///< far units of a diagonal step
    uint64_t stale;    ///< slots in all sheets
    uint64_t age;      ///< records of the top level made again since the landmarks were made
    wend__far_sheet *sheets[];
} wend__far;

/* ---- records ---- */

static inline uint32_t wend__far_count(const wend__far_record *r) {
    WEND__DEBUG_ASSERT(r);
    return r->first[4];
}

static inline const uint16_t *wend__far_places(const wend__far_record *r) {
    return r->words + r->components + 1;
}

static inline const uint16_t *wend__far_costs(const wend__far_record *r) {
    return wend__far_places(r) + r->first[4];
}

static inline const uint8_t *wend__far_components(const wend__far_record *r) {
    return (const uint8_t *)(wend__far_costs(r) + r->words[r->components]);
}

/// Returns the factor of the crossing at a gate, out of the record's area or into it; 0: closed.
static inline uint32_t wend__far_crossing(const wend__far_record *r, uint32_t gate, bool in) {
    return r->priced ? wend__far_components(r)[(in ? 2u : 1u) * r->first[4] + gate] : 1;
}

static inline unsigned wend__far_side(const wend__far_record *r, uint32_t gate) {
    return (unsigned)(gate >= r->first[1]) + (unsigned)(gate >= r->first[2]) + (unsigned)(gate >= r->first[3]);
}

/// The costs inside the record's area from a gate to all its gates, or to a gate from all; WEND__FAR_NONE: no way.
void wend__far_row(const wend__far_record *record, uint32_t gate, bool backwards, uint32_t costs[WEND__FAR_GATES]);
/// The gate at a place of a side; WEND__FAR_NONE: there is none.
uint32_t wend__far_gate_at(const wend__far_record *record, unsigned side, uint32_t place);

/* ---- the layer ---- */

/// A record's area: its level, column and row. Level WEND__FAR_NUMBERS means the numbers of a record of the top level.
enum { WEND__FAR_NUMBERS = WEND__FAR_LEVELS };
typedef struct wend__far_area {
    int32_t level, column, row;
} wend__far_area;

/// Bits of a cell's coordinates inside an area of a level.
static inline int wend__far_bits(int32_t level) {
    return WEND__CHUNK_SHIFT + 2 * level;
}

static inline wend__far_area wend__far_area_at(int32_t level, wend_cell cell) {
    return (wend__far_area){level, cell.x >> wend__far_bits(level), cell.y >> wend__far_bits(level)};
}

static inline bool wend__far_has(const wend__far *far, wend__far_area a) {
    return a.column >= 0 && a.row >= 0 && a.column < far->columns[a.level] && a.row < far->rows[a.level];
}

static inline wend__far_area wend__far_above(wend__far_area a) {
    return (wend__far_area){a.level + 1, a.column >> 2, a.row >> 2};
}

static inline bool wend__far_same(wend__far_area a, wend__far_area b) {
    return a.column == b.column && a.row == b.row;
}

/// The area next to another one, perhaps off the map.
static inline wend__far_area wend__far_beyond(wend__far_area a, unsigned side) {
    static const int8_t dx[4] = {-1, 0, 1, 0}, dy[4] = {0, -1, 0, 1};
    return (wend__far_area){a.level, a.column + dx[side], a.row + dy[side]};
}

/// Areas of a level along a side of a sheet, as a shift.
static inline int wend__far_shift(const wend__far *far, int32_t level) {
    return WEND__BLOCK_SHIFT - 2 * (level == WEND__FAR_NUMBERS ? far->levels - 1 : level);
}

/// The sheet of an area, and the area's slot in it.
static inline uint32_t wend__far_sheet_of(const wend__far *far, wend__far_area a) {
    const int shift = wend__far_shift(far, a.level);
    WEND__DEBUG_ASSERT(shift >= 0);
    return (uint32_t)((a.row >> shift) * far->sheet_columns + (a.column >> shift));
}

static inline uint32_t wend__far_slot(const wend__far *far, wend__far_area a) {
    static const uint16_t first[] = {0, WEND__FAR_SLOT_1, WEND__FAR_SLOT_2, WEND__FAR_RECORDS};
    const int shift = wend__far_shift(far, a.level), mask = (1 << shift) - 1;
    WEND__DEBUG_ASSERT(a.level >= 0 && a.level <= WEND__FAR_NUMBERS && shift >= 0);
    return first[a.level] + (uint32_t)((a.row & mask) << shift | (a.column & mask));
}

static inline const void *wend__far_at(const wend__far *far, wend__far_area a) {
    return far->sheets[wend__far_sheet_of(far, a)]->of[wend__far_slot(far, a)];
}

static inline const wend__far_record *wend__far_get(const wend__far *far, wend__far_area a) {
    return wend__far_at(far, a);
}

static inline wend_cell wend__far_cell(wend__far_area a, unsigned side, uint32_t place) {
    const int bits = wend__far_bits(a.level);
    const int32_t last = (1 << bits) - 1, x = a.column << bits, y = a.row << bits, at = (int32_t)place;
    if (side & 1) return (wend_cell){x + at, side == WEND__FAR_NORTH ? y : y + last, 0};
    return (wend_cell){side == WEND__FAR_WEST ? x : x + last, y + at, 0};
}

/// The area of the top level that has a gate on its east or south side, and the gate's number there.
static inline wend__far_area wend__far_owner(const wend__far *far, wend__far_area a, uint32_t *gate) {
    const wend__far_record *r = wend__far_get(far, a);
    const unsigned side = wend__far_side(r, *gate);
    if (side >= WEND__FAR_EAST) return a;
    const wend__far_area owner = wend__far_beyond(a, side);
    *gate += wend__far_get(far, owner)->first[side ^ 2] - (uint32_t)r->first[side];
    return owner;
}

/// The landmarks' numbers at a gate of the top level; NULL: none.
static inline const uint32_t *wend__far_numbers_at(const wend__far *far, wend__far_area area, uint32_t gate) {
    const wend__far_area owner = wend__far_owner(far, area, &gate);
    const wend__far_numbers *numbers = wend__far_at(far, (wend__far_area){WEND__FAR_NUMBERS, owner.column, owner.row});
    return numbers ? numbers->of + (gate - wend__far_get(far, owner)->first[WEND__FAR_EAST]) * WEND__FAR_LANDMARKS
                   : NULL;
}

/// The gate of the level below at a place of a side of an area, and the child area with that gate;
/// WEND__FAR_NONE: there is none.
uint32_t wend__far_below(const wend__far *far, wend__far_area area, unsigned side, uint32_t place,
                         wend__far_area *child);

/// The cost on open ground between two cells, in far units.
static inline uint32_t wend__far_estimate(const wend__far *far, wend_cell a, wend_cell b) {
    const uint32_t dx = (uint32_t)(a.x > b.x ? a.x - b.x : b.x - a.x),
                   dy = (uint32_t)(a.y > b.y ? a.y - b.y : b.y - a.y);
    const uint32_t less = dx < dy ? dx : dy, more = dx < dy ? dy : dx;
    return (more - less) * WEND__FAR_STRAIGHT + less * far->diagonal;
}

#endif
