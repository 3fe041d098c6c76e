/* SPDX-License-Identifier: MIT */
/* Finds in which rows and columns of a chunk at a rim that wraps a straight run over the rim leads on. Most runs end
 * soon behind it, at a wall: searches need not follow them. */
#include "fast/stops/stop_tables.h"
#include "map/store/terrain.h"

/* Both sides of the rim at which runs in straight direction d come to it. */
typedef struct sides {
    unsigned d;
    int32_t longest; /* steps from rim to rim */
    const uint8_t *before;
    const wend__chunk *beyond; /* the chunk on the other side */
    const wend__jump_table *table;
    int32_t last, first; /* column (row) of the last cells before the rim and of the first ones beyond, in the map */
} sides;

static uint32_t local_of(const sides *s, int32_t place, unsigned line) {
    return s->d & 1 ? line << WEND__CHUNK_SHIFT | ((uint32_t)place & 63)
                    : ((uint32_t)place & 63) << WEND__CHUNK_SHIFT | line;
}

/* Returns whether a run from the first cell beyond the rim meets a jump point, the chunk's border or another rim. */
static bool meets_something(const sides *s, unsigned line) {
    const uint32_t cell = local_of(s, s->first, line);
    const unsigned cells = wend__jump_cells(s->table, cell & 63, cell >> WEND__CHUNK_SHIFT, s->d);
    return wend__jump_end(s->table, cell & 63, cell >> WEND__CHUNK_SHIFT, s->d, cells) != WEND__RUN_WALL ||
           (int32_t)cells >= s->longest;
}

/* Returns whether a run that comes to the rim in this row (column) of the chunk needs a node there or beyond. */
static bool leads_on(const wend__version *v, const sides *s, unsigned line) {
    const uint8_t *exits = wend__jump_exits[1u << s->d];
    const unsigned a = (s->d + 1) & 3, b = (s->d + 3) & 3, back = (s->d + 2) & 3;
    const unsigned last = s->before[local_of(s, s->last, line)];
    const uint32_t cell = local_of(s, s->first, line);
    if (exits[last]) return true; /* a corner turns it at the last cell */
    if (!v->rules.factors[wend__chunk_class(s->beyond, cell)]) return false;
    /* The mask of the first cell lacks the neighbours on this side, which that of the last one has. */
    const unsigned open =
        s->beyond->masks->bytes[cell] | 1u << back | (last >> a & 1) << (4 + a) | (last >> b & 1) << (4 + back);
    return exits[open] != 0 && (exits[open] != 1u << s->d || meets_something(s, line));
}

/* Returns these rows (columns) for one direction, a bit each. */
static uint64_t lines_over(const wend__version *v, int32_t column, int32_t row, unsigned d) {
    const bool h = d & 1, forward = d == WEND__E || d == WEND__S;
    const int32_t around = h ? v->around_x : v->around_y, lines = h ? v->height : v->width, side = h ? row : column;
    const int32_t rim = forward ? around - 1 : 0, other = around - 1 - rim;
    if (!around || rim >> WEND__CHUNK_SHIFT != (h ? column : row)) return 0;
    const int32_t to_column = h ? other >> WEND__CHUNK_SHIFT : column, to_row = h ? row : other >> WEND__CHUNK_SHIFT;
    const sides s = {.d = d,
                     .longest = around - 1,
                     .before = wend__version_chunk(v, column, row)->masks->bytes,
                     .beyond = wend__version_chunk(v, to_column, to_row),
                     .table = wend__jump_table_at(v, to_column, to_row),
                     .last = rim,
                     .first = other};
    uint64_t over = 0;
    for (unsigned line = 0; line < wend__chunk_extent(lines, side); line++) {
        const int32_t place = (side << WEND__CHUNK_SHIFT) + (int32_t)line;
        const bool corner = place == 0 || place == lines - 1;
        over |= (uint64_t)(corner || leads_on(v, &s, line)) << line;
    }
    return over;
}

void wend__lines_over_rim(const wend__version *version, int32_t column, int32_t row,
                          uint64_t over[WEND__MARKS_AXES][WEND__QUADRANTS]) {
    uint64_t by_direction[4] = {0};
    for (unsigned d = 0; d < 4 && (version->around_x || version->around_y); d++)
        by_direction[d] = lines_over(version, column, row, d);
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const uint64_t rows = by_direction[wend__quadrant_h[k]], columns = by_direction[wend__quadrant_v[k]];
        over[WEND__MARKS_ACROSS][k] = wend__flip_y[k] ? wend__reversed(rows) : rows;
        over[WEND__MARKS_DOWN][k] = wend__flip_x[k] ? wend__reversed(columns) : columns;
    }
}
