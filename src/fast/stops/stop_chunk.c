/* SPDX-License-Identifier: MIT */
/* Makes the stops of a chunk: copies its cells and those around into a window, finds special cells in the window, and
 * computes their exits. */
#include "map/kinds/masks.h"
#include "fast/stops/stop_tables.h"
#include "map/store/terrain.h"

/* ---- the 3 x 3 around a cell, read from a version, with its exits and stops ---- */

/* The cell may be off the map. */
static void load_cell(const wend__version *v, int32_t x, int32_t y, uint8_t *factor, uint8_t *steps) {
    *factor = *steps = 0;
    if (!wend__on_map(v, x, y)) return;
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    const uint32_t local = (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63);
    *factor = v->rules.factors[wend__chunk_class(chunk, local)];
    *steps = wend__chunk_steps(v, chunk, local);
}

/* The same for a 3 x 3 that lies in one chunk. */
static void load_inside(const wend__version *v, const wend__chunk *chunk, uint32_t local, wend__nine *nine) {
    for (unsigned i = 0; i <= 8; i++) {
        const uint32_t at = i < 8 ? local + (uint32_t)(wend__dy[i] * WEND__CHUNK_SIDE + wend__dx[i]) : local;
        nine->factors[i] = v->rules.factors[wend__chunk_class(chunk, at)];
        nine->steps[i] = wend__chunk_steps(v, chunk, at);
    }
}

void wend__nine_of_cell(const wend__version *view, int32_t x, int32_t y, wend__nine *nine) {
    const unsigned in_x = (unsigned)(x & 63), in_y = (unsigned)(y & 63);
    const bool inside = in_x - 1 < 62 && in_y - 1 < 62 && x + 1 < view->width && y + 1 < view->height;
    if (inside) {
        const wend__chunk *chunk = wend__version_chunk(view, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        load_inside(view, chunk, in_y << WEND__CHUNK_SHIFT | in_x, nine);
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        load_cell(view, x + wend__dx[i], y + wend__dy[i], &nine->factors[i], &nine->steps[i]);
    load_cell(view, x, y, &nine->factors[8], &nine->steps[8]);
}

uint8_t wend__nine_open(const wend__nine *nine) {
    unsigned open = 0;
    for (unsigned i = 0; i < 8; i++) open |= (unsigned)(nine->factors[i] != 0) << i;
    return (uint8_t)open;
}

/* Directions that stay in a 3 x 3, by the cell where they begin. */
static const uint8_t inside[9] = {
    [WEND__N] = 1 << WEND__E | 1 << WEND__S | 1 << WEND__W | 1 << WEND__SE | 1 << WEND__SW,
    [WEND__E] = 1 << WEND__N | 1 << WEND__S | 1 << WEND__W | 1 << WEND__SW | 1 << WEND__NW,
    [WEND__S] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__W | 1 << WEND__NE | 1 << WEND__NW,
    [WEND__W] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__S | 1 << WEND__NE | 1 << WEND__SE,
    [WEND__NE] = 1 << WEND__S | 1 << WEND__W | 1 << WEND__SW,
    [WEND__SE] = 1 << WEND__N | 1 << WEND__W | 1 << WEND__NW,
    [WEND__SW] = 1 << WEND__N | 1 << WEND__E | 1 << WEND__NE,
    [WEND__NW] = 1 << WEND__E | 1 << WEND__S | 1 << WEND__SE,
    [8] = UINT8_MAX};

static bool is_open(const wend__nine *nine, int32_t x, int32_t y) {
    const int32_t d = wend__flat_direction(x, y);
    return nine->factors[d < 0 ? 8 : d] != 0;
}

/* Returns true if the rule "no corner cut" allows a closed step. */
static bool has_closed(const wend__nine *nine, unsigned i) {
    const int32_t x = i < 8 ? wend__dx[i] : 0, y = i < 8 ? wend__dy[i] : 0;
    for (unsigned left = inside[i] & ~nine->steps[i]; left && nine->factors[i]; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        const int32_t dx = wend__dx[d], dy = wend__dy[d];
        if (is_open(nine, x + dx, y + dy) && is_open(nine, x + dx, y) && is_open(nine, x, y + dy)) return true;
    }
    return false;
}

bool wend__nine_special(const wend__nine *nine) {
    bool special = false;
    for (unsigned i = 0; i < 8; i++) special |= nine->factors[i] && nine->factors[i] != nine->factors[8];
    for (unsigned i = 0; i <= 8 && !special; i++) special = has_closed(nine, i);
    return special;
}

wend__stop wend__stop_of_nine(const wend__nine *nine, const wend__step_prices *prices, bool entrance) {
    const unsigned open = wend__nine_open(nine);
    wend__stop stop = {0, 0};
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        if (!wend__nine_arrives(nine, d)) continue;
        const uint32_t exits = wend__nine_exits(nine, prices, d, 0), natural = wend__canonical_exits(open, d);
        const bool other_price = nine->factors[8] != nine->factors[wend__opposite(d)];
        stop.exits |= (uint64_t)exits << 8 * d;
        if (other_price || exits & ~natural || natural & ~nine->steps[8]) stop.arrivals |= (uint8_t)(1u << d);
    }
    if (entrance) stop.arrivals = UINT8_MAX;
    return stop;
}

uint32_t wend__stops_exits_now(const wend__version *view, int32_t x, int32_t y, unsigned d, unsigned occupied) {
    const wend__step_prices prices = wend__step_prices_of(&view->rules);
    wend__nine nine;
    wend__nine_of_cell(view, x, y, &nine);
    return wend__nine_exits(&nine, &prices, d, occupied);
}

enum { SIDE = WEND__CHUNK_SIDE, ROWS = SIDE + 2, STRIDE = 80 };

/* The cells of a chunk and those around it: cell (x, y) of the chunk is at [y + 1][x + 1]. */
typedef struct window {
    const wend__version *version;
    int32_t column, row;
    bool slow, closed; ///< there may be different factors; there may be closed steps
    uint8_t factors[ROWS][STRIDE], steps[ROWS][STRIDE];
    uint64_t special[SIDE], entrances[SIDE];
} window;

/* ---- chunks that can have stops ---- */

/* Finds which cells are possible, from the chunk and those around it. */
static void read_surroundings(window *w) {
    for (int32_t i = 0; i < 9; i++) {
        const int32_t column = w->column + i % 3 - 1, row = w->row + i / 3 - 1;
        if (!wend__on_table(w->version, column, row)) continue;
        const wend__chunk *chunk = wend__version_chunk(w->version, column, row);
        w->slow = w->slow || chunk->max_factor > 1;
        w->closed = w->closed || chunk->closed;
    }
}

static bool find_entrances(window *w) {
    const wend__version *v = w->version;
    if (!v->links) return false;
    const uint64_t number = (uint64_t)w->row * (uint64_t)v->chunk_columns + (uint64_t)w->column;
    const wend__link_list list = wend__links_of_chunks(v, v->links, false, number, 1);
    for (uint32_t i = 0; i < list.count; i++) {
        const wend_cell cell = wend__cell_of_number(v, v->links->sorted[list.links[i]].from);
        w->entrances[cell.y & 63] |= UINT64_C(1) << (cell.x & 63);
    }
    return list.count > 0;
}

/* ---- loading ---- */

/* Copies cells first to last of row y of a chunk, maybe off the table, to the window. */
static void load_part(window *w, int32_t column, int32_t row, unsigned y, unsigned first, unsigned last, unsigned to_y,
                      unsigned to_x) {
    const wend__version *v = w->version;
    uint8_t *factors = &w->factors[to_y][to_x], *steps = &w->steps[to_y][to_x];
    memset(factors, 0, last - first + 1);
    memset(steps, 0, last - first + 1);
    if (!wend__on_table(v, column, row) || y >= wend__chunk_extent(v->height, row)) return;
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    const unsigned width = wend__chunk_extent(v->width, column);
    for (unsigned x = first; x <= last && x < width; x++) {
        const uint32_t local = y << WEND__CHUNK_SHIFT | x;
        factors[x - first] = v->rules.factors[wend__chunk_class(chunk, local)];
        steps[x - first] = wend__chunk_steps(v, chunk, local);
    }
}

static void load_row(window *w, int32_t row, unsigned y, unsigned to_y) {
    load_part(w, w->column - 1, row, y, SIDE - 1, SIDE - 1, to_y, 0);
    load_part(w, w->column, row, y, 0, SIDE - 1, to_y, 1);
    load_part(w, w->column + 1, row, y, 0, 0, to_y, SIDE + 1);
}

static void load_window(window *w) {
    load_row(w, w->row - 1, SIDE - 1, 0);
    for (unsigned y = 0; y < SIDE; y++) load_row(w, w->row, y, y + 1);
    load_row(w, w->row + 1, 0, SIDE + 1);
}

/* ---- special cells ---- */

/* Open cells next to an open cell of another factor: a byte each, 64 at a time. */
static uint64_t uneven_row(const window *w, unsigned y) {
    uint8_t uneven[SIDE] = {0};
    const uint8_t *here = &w->factors[y + 1][1];
    for (unsigned i = 0; i < WEND__DIRECTIONS; i++) {
        const uint8_t *beside = &w->factors[(int)y + 1 + wend__dy[i]][1 + wend__dx[i]];
        for (unsigned x = 0; x < SIDE; x++) uneven[x] |= (uint8_t)((beside[x] != 0) & (beside[x] != here[x]));
    }
    uint64_t word = 0;
    for (unsigned x = 0; x < SIDE; x++) word |= (uint64_t)(uneven[x] & (here[x] != 0)) << x;
    return word;
}

static uint64_t open_row(const window *w, unsigned y) {
    const uint8_t *here = &w->factors[y + 1][1];
    uint64_t word = 0;
    for (unsigned x = 0; x < SIDE; x++) word |= (uint64_t)(here[x] != 0) << x;
    return word;
}

static bool terrain_allows(const window *w, int x, int y, unsigned d) {
    const int to_x = x + wend__dx[d], to_y = y + wend__dy[d];
    if (to_x < 0 || to_y < 0 || to_x >= ROWS || to_y >= ROWS) return false;
    return w->factors[y][x] && w->factors[to_y][to_x] && w->factors[y][to_x] && w->factors[to_y][x];
}

/* All cells with both ends of a step in their 3 x 3. */
static void mark_step(window *w, int x, int y, unsigned d) {
    const int to_x = x + wend__dx[d], to_y = y + wend__dy[d];
    const int west = wend__most(wend__most(x, to_x) - 1, 1), east = wend__least(wend__least(x, to_x) + 1, SIDE);
    const int north = wend__most(wend__most(y, to_y) - 1, 1), south = wend__least(wend__least(y, to_y) + 1, SIDE);
    for (int r = north; r <= south; r++)
        for (int c = west; c <= east; c++) w->special[r - 1] |= UINT64_C(1) << (c - 1);
}

/* The closed steps of a neighbour chunk (offset dx, dy) that begin in the window. */
static void mark_closed(window *w, int32_t dx, int32_t dy) {
    if (!wend__on_table(w->version, w->column + dx, w->row + dy)) return;
    const wend__closed *closed = wend__version_chunk(w->version, w->column + dx, w->row + dy)->closed;
    if (!closed) return;
    const int west = dx < 0 ? SIDE - 1 : 0, east = dx > 0 ? 0 : SIDE - 1;
    const int north = dy < 0 ? SIDE - 1 : 0, south = dy > 0 ? 0 : SIDE - 1;
    for (int y = north; y <= south; y++)
        for (int x = west; x <= east; x++)
            for (uint32_t steps = closed->steps[y << WEND__CHUNK_SHIFT | x]; steps; steps &= steps - 1) {
                const unsigned d = wend__ctz32(steps);
                const int at_x = x + 1 + dx * SIDE, at_y = y + 1 + dy * SIDE;
                if (terrain_allows(w, at_x, at_y, d)) mark_step(w, at_x, at_y, d);
            }
}

static uint32_t find_special(window *w) {
    uint32_t count = 0;
    for (int32_t i = 0; i < 9 && w->closed; i++) mark_closed(w, i % 3 - 1, i / 3 - 1);
    for (unsigned y = 0; y < SIDE; y++) {
        w->special[y] = (w->special[y] | w->entrances[y]) & open_row(w, y);
        if (w->slow) w->special[y] |= uneven_row(w, y);
        count += wend__popcount64(w->special[y]);
    }
    return count;
}

/* ---- a chunk's stops ---- */

static void nine_at(const window *w, unsigned x, unsigned y, wend__nine *nine) {
    for (unsigned i = 0; i < 8; i++) {
        nine->factors[i] = w->factors[(int)y + 1 + wend__dy[i]][(int)x + 1 + wend__dx[i]];
        nine->steps[i] = w->steps[(int)y + 1 + wend__dy[i]][(int)x + 1 + wend__dx[i]];
    }
    nine->factors[8] = w->factors[y + 1][x + 1];
    nine->steps[8] = w->steps[y + 1][x + 1];
}

void wend__stop_lines_set(wend__stop_lines *lines, unsigned cell, unsigned arrivals) {
    static const uint8_t diagonals[WEND__QUADRANTS] = {WEND__NW, WEND__NE, WEND__SW, WEND__SE};
    const unsigned x = cell & 63, y = cell >> 6;
    for (unsigned d = 0; d < 4; d++) {
        uint64_t *word = &lines->straight[d][d & 1 ? y : x];
        const unsigned bit = d & 1 ? x : y;
        *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)(arrivals >> d & 1) << bit;
    }
    for (unsigned k = 0; k < WEND__QUADRANTS; k++) {
        const unsigned p = x ^ wend__flip_x[k], q = y ^ wend__flip_y[k];
        uint64_t *word = &lines->diagonal[k][(p - q) & 63];
        *word = (*word & ~(UINT64_C(1) << p)) | (uint64_t)(arrivals >> diagonals[k] & 1) << p;
    }
}

static void fill_cells(const window *w, wend__stop_chunk *chunk) {
    const wend__step_prices prices = wend__step_prices_of(&w->version->rules);
    uint8_t *arrivals = (uint8_t *)wend__stop_arrivals(chunk);
    uint32_t n = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        chunk->special[y] = w->special[y];
        chunk->before[y] = (uint16_t)n;
        for (uint64_t left = w->special[y]; left; left &= left - 1, n++) {
            const unsigned x = wend__ctz64(left), cell = y << WEND__CHUNK_SHIFT | x;
            wend__nine nine;
            nine_at(w, x, y, &nine);
            const wend__stop stop = wend__stop_of_nine(&nine, &prices, w->entrances[y] >> x & 1);
            chunk->exits[n] = stop.exits;
            arrivals[n] = stop.arrivals;
            wend__stop_lines_set(&chunk->tight, cell, stop.arrivals);
            wend__marks_add(&chunk->loose, cell, UINT8_MAX);
        }
    }
}

bool wend__stop_chunk_possible(const wend__version *version, int32_t column, int32_t row) {
    bool possible = version->links != NULL;
    for (int32_t i = 0; i < 9 && !possible; i++) {
        const int32_t c = column + i % 3 - 1, r = row + i / 3 - 1;
        if (!wend__on_table(version, c, r)) continue;
        const wend__chunk *chunk = wend__version_chunk(version, c, r);
        possible = chunk->max_factor > 1 || chunk->closed;
    }
    return possible;
}

wend_error wend__stop_chunk_build(const wend__version *version, int32_t column, int32_t row,
                                  const wend__stop_chunk **out) {
    const bool closed_near = wend__version_chunk(version, column, row)->closed_near;
    window w = {.version = version, .column = column, .row = row};
    read_surroundings(&w);
    const bool links = find_entrances(&w);
    *out = NULL;
    if (!w.slow && !w.closed && !links) return WEND_OK;
    load_window(&w);
    const uint32_t count = find_special(&w);
    if (count == 0 && !closed_near) return WEND_OK;
    wend__stop_chunk *chunk = wend__stop_chunk_create(version->map, count, closed_near);
    if (!chunk) return WEND_OUT_OF_MEMORY;
    fill_cells(&w, chunk);
    wend__lines_over_rim(version, column, row, chunk->over);
    if (closed_near) wend__masks_of_open(version, column, row, (uint8_t *)chunk->open);
    *out = chunk;
    return WEND_OK;
}
