/* SPDX-License-Identifier: MIT */
/* Line of sight among voxels: the cells that the straight line between two centres passes through, in integers. */
#include "map/kinds/voxels.h"
#include "map/query/sight.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"

typedef struct line {
    const wend__version *version;
    int32_t sign[3];      ///< along x, y, z
    int64_t cells[3];     ///< how many steps there are along each
    int32_t direction[8]; ///< of a step along some axes (bit 0: x): its number among the 26
} line;

static wend_cell beside(const line *l, wend_cell c, unsigned axes) {
    c.x += axes & 1 ? l->sign[0] : 0;
    c.y += axes & 2 ? l->sign[1] : 0;
    c.z += axes & 4 ? l->sign[2] : 0;
    return c;
}

static bool leads(const line *l, wend_cell from, unsigned axes) {
    return wend__voxel_steps(l->version, from) >> l->direction[axes] & 1;
}

/* Can one go along some axes by every order of straight steps? */
static bool every_way(const line *l, wend_cell from, unsigned axes) {
    for (unsigned gone = 0; gone < axes; gone++)
        for (unsigned next = 1; next < 8; next <<= 1)
            if ((gone & ~axes) == 0 && next & axes & ~gone && !leads(l, beside(l, from, gone), next)) return false;
    return true;
}

/* Through a side, an edge or a corner of the cell: as the rules let one step there. Where they know no such step, all
   cells around have to be open, as on a flat grid. Both are judged the same from either end. */
static bool passes(const line *l, wend_cell from, unsigned axes) {
    uint32_t step = UINT32_C(1) << l->direction[axes];
    if (wend__voxel_every_step(l->version) & step) return leads(l, from, axes);
    return every_way(l, from, axes);
}

/* With a steps of the n along an axis behind it, the line leaves the cell there at (2a + 1) / 2n of its length; through
   an edge or a corner where those are equal. An axis with no step left comes after all others. */
static unsigned next_axes(const line *l, const int64_t gone[3]) {
    unsigned axes = 0, first = 3;
    for (unsigned i = 0; i < 3; i++) {
        if (gone[i] == l->cells[i]) continue;
        int64_t later = axes ? (2 * gone[i] + 1) * l->cells[first] - (2 * gone[first] + 1) * l->cells[i] : -1;
        if (later < 0) axes = 0, first = i;
        if (later <= 0) axes |= 1u << i;
    }
    return axes;
}

wend_cell wend__space_line(const wend__version *version, wend_cell from, wend_cell to) {
    const int32_t way[3] = {to.x - from.x, to.y - from.y, to.z - from.z};
    line l = {.version = version};
    int64_t gone[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        l.sign[i] = way[i] < 0 ? -1 : 1;
        l.cells[i] = (int64_t)way[i] * l.sign[i];
    }
    for (unsigned axes = 1; axes < 8; axes++) {
        wend_cell step = beside(&l, (wend_cell){0, 0, 0}, axes);
        l.direction[axes] = wend__space_direction(step.x, step.y, step.z);
    }
    for (unsigned axes; (axes = next_axes(&l, gone)) != 0 && passes(&l, from, axes);) {
        from = beside(&l, from, axes);
        for (unsigned i = 0; i < 3; i++) gone[i] += axes >> i & 1;
    }
    return from;
}
