/* SPDX-License-Identifier: MIT */
/* Jump tables from a plain grid, by walking cell by cell. */
#include "models/jumps_model.h"

#include "fast/tables/jump_tables.h"
#include "fast/tables/jumps.h"
#include "map/kinds/masks.h"
#include "map/store/map_layout.h"
#include "map/version/version.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NORTH, EAST, SOUTH, WEST };
static const int32_t step_x[4] = {0, 1, 0, -1}, step_y[4] = {-1, 0, 1, 0};
static const int32_t diagonal_x[4] = {-1, 1, -1, 1}, diagonal_y[4] = {-1, -1, 1, 1}; /* NW, NE, SW, SE */

typedef struct ground {
    int32_t width, height;
    uint8_t *open;
} ground;

static bool open_at(const ground *g, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < g->width && y < g->height && g->open[(size_t)y * (size_t)g->width + (size_t)x];
}

static bool may_step(const ground *g, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    return open_at(g, x + dx, y + dy) && open_at(g, x + dx, y) && open_at(g, x, y + dy);
}

/* Returns whether a cell entered from behind has a neighbour on this side without another shortest way to it. */
static bool forced(const ground *g, int32_t x, int32_t y, int d, int side) {
    return open_at(g, x + step_x[side], y + step_y[side]) &&
           !open_at(g, x - step_x[d] + step_x[side], y - step_y[d] + step_y[side]);
}

static bool is_point(const ground *g, int32_t x, int32_t y, int d) {
    return forced(g, x, y, d, (d + 1) % 4) || forced(g, x, y, d, (d + 3) % 4);
}

static bool same_chunk(int32_t x, int32_t y, int32_t x2, int32_t y2) {
    return x >> 6 == x2 >> 6 && y >> 6 == y2 >> 6 && x2 >= 0 && y2 >= 0;
}

/* ---- liveness: sweeps over all points of the chunk until nothing changes ---- */

typedef bool live_set[64][64][4]; /* by y, x, direction */

static bool straight_lives(const ground *g, live_set live, int32_t x, int32_t y, int d) {
    for (;;) {
        int32_t nx = x + step_x[d], ny = y + step_y[d];
        if (!open_at(g, nx, ny)) return false;
        if (!same_chunk(x, y, nx, ny)) return true;
        if (is_point(g, nx, ny, d)) return live[ny & 63][nx & 63][d];
        x = nx, y = ny;
    }
}

static bool diagonal_lives(const ground *g, live_set live, int32_t x, int32_t y, int dx, int dy) {
    while (may_step(g, x, y, dx, dy)) {
        if (!same_chunk(x, y, x + dx, y + dy)) return true;
        x += dx, y += dy;
        if (straight_lives(g, live, x, y, dx > 0 ? EAST : WEST)) return true;
        if (straight_lives(g, live, x, y, dy > 0 ? SOUTH : NORTH)) return true;
    }
    return false;
}

static bool point_lives(const ground *g, live_set live, int32_t x, int32_t y, int d) {
    if (straight_lives(g, live, x, y, d)) return true;
    for (int turn = 1; turn < 4; turn += 2) {
        int side = (d + turn) % 4;
        if (!forced(g, x, y, d, side)) continue;
        if (straight_lives(g, live, x, y, side)) return true;
        if (diagonal_lives(g, live, x, y, step_x[d] + step_x[side], step_y[d] + step_y[side])) return true;
    }
    return false;
}

static void live_points(const ground *g, int32_t x0, int32_t y0, live_set live) {
    memset(live, 0, sizeof(live_set));
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t y = y0; y < y0 + 64; y++)
            for (int32_t x = x0; x < x0 + 64; x++)
                for (int d = 0; d < 4 && open_at(g, x, y); d++) {
                    if (live[y & 63][x & 63][d] || !open_at(g, x - step_x[d], y - step_y[d])) continue;
                    if (!is_point(g, x, y, d) || !point_lives(g, live, x, y, d)) continue;
                    changed = live[y & 63][x & 63][d] = true;
                }
    }
}

/* ---- a chunk's table ---- */

typedef struct checker {
    const ground *g;
    const wend__version *v;
    live_set *lives; ///< points of each chunk; all, in an unpruned one
} checker;

static bool state_lives(const checker *c, int32_t x, int32_t y, int d) {
    return c->lives[(y >> 6) * c->v->chunk_columns + (x >> 6)][y & 63][x & 63][d];
}

static unsigned run_wanted(const checker *c, int32_t x, int32_t y, int d) {
    for (unsigned n = 0;; n++) {
        int32_t nx = x + step_x[d], ny = y + step_y[d];
        if ((d == NORTH && (y & 63) == 0) || (d == SOUTH && (y & 63) == 63)) return 0x80 | n;
        if ((d == WEST && (x & 63) == 0) || (d == EAST && (x & 63) == 63)) return 0x80 | n;
        if (!open_at(c->g, nx, ny)) return n;
        if (is_point(c->g, nx, ny, d)) return (state_lives(c, nx, ny, d) ? 0x40 : 0xC0) | n;
        x = nx, y = ny;
    }
}

static unsigned line_bits(const wend__jump_line *line, unsigned p) {
    const uint64_t words[] = {line->legal, line->live_h, line->live_v, line->rim_h,
                              line->rim_v, line->any_h,  line->any_v};
    unsigned bits = 0;
    for (unsigned i = 0; i < 7; i++) bits |= (unsigned)(words[i] >> p & 1) << i;
    return bits;
}

static void check_lines(const checker *c, const wend__jump_table *table, int32_t x, int32_t y, const unsigned run[4]) {
    for (int k = 0; k < 4; k++) {
        unsigned p = (unsigned)(diagonal_x[k] > 0 ? x & 63 : 63 - (x & 63));
        unsigned q = (unsigned)(diagonal_y[k] > 0 ? y & 63 : 63 - (y & 63));
        unsigned h = run[diagonal_x[k] > 0 ? EAST : WEST] >> 6, v = run[diagonal_y[k] > 0 ? SOUTH : NORTH] >> 6;
        unsigned wanted = may_step(c->g, x, y, diagonal_x[k], diagonal_y[k]);
        wanted |= (unsigned)(h == 1) << 1 | (unsigned)(v == 1) << 2 | (unsigned)(h == 2) << 3 | (unsigned)(v == 2) << 4;
        wanted |= (h & 1) << 5 | (v & 1) << 6;
        unsigned got = line_bits(&table->lines[k][(p - q) & 63], p);
        cr_assert_eq(got, wanted, "frame %d at %d,%d: %02x, not %02x", k, x, y, got, wanted);
    }
}

static void check_cell(const checker *c, int32_t x, int32_t y) {
    const wend__jump_table *table = wend__jump_table_at(c->v, x >> 6, y >> 6);
    unsigned runs[4];
    for (int d = 0; d < 4; d++) {
        const wend__jump_run run = wend__run_of(table, (unsigned)((y & 63) << 6 | (x & 63)), (unsigned)d);
        const unsigned got = run.kind << 6 | run.cells;
        runs[d] = run_wanted(c, x, y, d);
        cr_assert_eq(got, runs[d], "run %d at %d,%d: %02x, not %02x", d, x, y, got, runs[d]);
        bool rim = runs[d] == 0x80, leads = table->leaves[d] >> (d % 2 ? y & 63 : x & 63) & 1;
        if (rim) cr_assert_eq(leads, open_at(c->g, x + step_x[d], y + step_y[d]), "leaves %d at %d,%d", d, x, y);
    }
    bool point = false;
    for (int d = 0; d < 4; d++)
        point = point || (open_at(c->g, x - step_x[d], y - step_y[d]) && is_point(c->g, x, y, d));
    cr_assert_eq(wend__jump_is_point(&table->points, (uint32_t)x & 63, (uint32_t)y & 63), point, "%d,%d", x, y);
    check_lines(c, table, x, y, runs);
}

/* Points are numbered from 0 in each half, row by row, none left out. */
static void check_numbers(const wend__jump_points *points) {
    uint32_t next[2] = {0, 0};
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            if (wend__jump_is_point(points, x, y)) cr_assert_eq(wend__jump_number(points, x, y), next[y / 32]++);
    for (int half = 0; half < 2; half++) cr_assert_eq(points->count[half], next[half]);
}

/* ---- lanes ---- */

static int32_t reach_wanted(const checker *c, int32_t x, int32_t y, int d, bool *live) {
    const int32_t x0 = x, y0 = y;
    *live = false;
    for (int32_t n = 0;; n++) {
        int32_t nx = x + step_x[d], ny = y + step_y[d];
        if (!open_at(c->g, nx, ny)) return -n;
        *live = true;
        if (nx >> 10 != x0 >> 10 || ny >> 10 != y0 >> 10) return WEND__JUMP_LANE_RIM + n;
        *live = state_lives(c, nx, ny, d);
        if (is_point(c->g, nx, ny, d)) return n + 1;
        x = nx, y = ny, *live = false;
    }
}

static void check_lane(const checker *c, int32_t x, int32_t y, int d) {
    const wend__jump_block *jumps = wend__jumps_of(c->v, x >> 6, y >> 6);
    const unsigned column = (unsigned)(x >> 6 & 15), row = (unsigned)(y >> 6 & 15), l = (unsigned)(d % 2 ? y : x) & 63;
    const wend__jump_lanes *lanes = d % 2 ? &jumps->rows[row]->lanes[column] : &jumps->columns[column]->lanes[row];
    bool live;
    int32_t wanted = reach_wanted(c, x, y, d, &live), got = lanes->reach[d / 2][l];
    cr_assert_eq(got, wanted, "lane %d at %d,%d: %d, not %d", d, x, y, got, wanted);
    for (unsigned k = 0; k < 4; k++) {
        if (d % 2 ? (diagonal_x[k] > 0) != (d == EAST) : (diagonal_y[k] > 0) != (d == SOUTH)) continue;
        bool flip = d % 2 ? diagonal_y[k] < 0 : diagonal_x[k] < 0;
        unsigned bit = flip ? 63 - l : l;
        cr_assert_eq(lanes->any[k] >> bit & 1, wanted > 0, "lane %d at %d,%d", d, x, y);
        cr_assert_eq(lanes->live[k] >> bit & 1, live, "liveness of lane %d at %d,%d: not %d", d, x, y, live);
    }
}

static void check_lanes(const checker *c, int32_t column, int32_t row) {
    for (int32_t i = 0; i < 64; i++)
        for (int d = 0; d < 4; d++) {
            int32_t x = column * 64 + (d == EAST ? 63 : d == WEST ? 0 : i);
            int32_t y = row * 64 + (d == SOUTH ? 63 : d == NORTH ? 0 : i);
            if (open_at(c->g, x, y)) check_lane(c, x, y, d);
        }
}

/* ---- a version ---- */

static ground ground_of(const model *m) {
    ground g = {m->width, m->height, malloc((size_t)m->width * (size_t)m->height)};
    for (int32_t y = 0; y < m->height; y++)
        for (int32_t x = 0; x < m->width; x++) g.open[(size_t)y * (size_t)m->width + (size_t)x] = model_open(m, x, y);
    return g;
}

/* Counts ends of runs and diagonal steps from an open cell. */
static void count_cell(const ground *g, const wend__jump_table *table, int32_t x, int32_t y, uint32_t *counts) {
    for (unsigned d = 0; d < 4; d++) {
        const uint32_t kind = wend__run_of(table, (unsigned)((y & 63) << 6 | (x & 63)), d).kind;
        if (kind != WEND__RUN_RIM) counts[kind & 1 ? WEND__JUMP_CORNERS : WEND__JUMP_WALLS]++;
        const int32_t dx = d & 1 ? 1 : -1, dy = d & 2 ? 1 : -1;
        counts[WEND__JUMP_DIAGONALS] += open_at(g, x + dx, y) && open_at(g, x, y + dy) && open_at(g, x + dx, y + dy);
    }
}

static void check_counts(const ground *g, const wend__version *v) {
    uint64_t all[WEND__JUMP_COUNTS] = {0};
    for (int32_t i = 0; i < v->chunk_columns * v->chunk_rows; i++) {
        const int32_t column = i % v->chunk_columns, row = i / v->chunk_columns;
        const wend__jump_table *table = wend__jump_table_at(v, column, row);
        uint32_t counts[WEND__JUMP_COUNTS] = {0};
        for (int32_t cell = 0; cell < WEND__CHUNK_CELLS; cell++) {
            const int32_t x = column * 64 + (cell & 63), y = row * 64 + (cell >> 6);
            if (open_at(g, x, y)) count_cell(g, table, x, y, counts);
        }
        for (unsigned k = 0; k < WEND__JUMP_COUNTS; k++) {
            cr_assert_eq(table->counts[k], counts[k], "chunk %d, %d: %u, not %u", column, row, table->counts[k],
                         counts[k]);
            all[k] += counts[k];
        }
    }
    cr_assert_eq(memcmp(v->jump_counts, all, sizeof all), 0);
}

void jumps_check(const model *m, const wend__version *v) {
    cr_assert(v->jumps);
    ground g = ground_of(m);
    size_t chunks = (size_t)v->chunk_columns * (size_t)v->chunk_rows;
    checker c = {&g, v, malloc(chunks * sizeof(live_set))};
    uint64_t unpruned = 0;
    for (int32_t i = 0; i < (int32_t)chunks; i++) {
        int32_t column = i % v->chunk_columns, row = i / v->chunk_columns;
        bool pruned = wend__jump_table_at(v, column, row)->pruned;
        unpruned += !pruned;
        if (pruned)
            live_points(&g, column * 64, row * 64, c.lives[i]);
        else
            memset(c.lives[i], true, sizeof c.lives[i]);
        check_numbers(&wend__jump_table_at(v, column, row)->points);
    }
    cr_assert_eq(v->jumps_unpruned, unpruned);
    for (int32_t y = 0; y < g.height; y++)
        for (int32_t x = 0; x < g.width; x++)
            if (open_at(&g, x, y)) check_cell(&c, x, y);
    for (int32_t i = 0; i < (int32_t)chunks; i++) check_lanes(&c, i % v->chunk_columns, i / v->chunk_columns);
    check_counts(&g, v);
    free(c.lives);
    free(g.open);
}

void jumps_check_map(const model *m, wend_map *map) {
    OWNED_VERSION *v = wend__map_acquire(map, false);
    jumps_check(m, v);
}

/* ---- against a full build ---- */

static void check_table(const wend__jump_table *table, const uint8_t *masks, wend__jump_table *fresh) {
    static wend__jump_planes planes;
    wend__jump_build(fresh, masks, &planes);
    if (table->pruned) wend__jump_prune(fresh, masks, &planes, true, NULL);
    cr_assert_eq(memcmp(fresh->lines, table->lines, sizeof fresh->lines), 0);
    cr_assert_eq(memcmp(fresh->ends, table->ends, sizeof fresh->ends), 0);
    cr_assert_eq(memcmp(fresh->leaves, table->leaves, sizeof fresh->leaves), 0);
    cr_assert_eq(memcmp(fresh->counts, table->counts, sizeof fresh->counts), 0);
    cr_assert_eq(memcmp(&fresh->points, &table->points, sizeof fresh->points), 0);
}

static void check_block_lanes(const wend__version *v, size_t index) {
    const wend__block *block = v->blocks[index];
    const wend__jump_ground here = wend__jump_ground_of(v, index);
    static wend__jump_row rows[16];
    static wend__jump_column columns[16];
    wend__jump_block fresh = *block->jumps;
    memset(rows, 0, sizeof rows);
    memset(columns, 0, sizeof columns);
    for (unsigned i = 0; i < 16; i++) {
        if (fresh.rows[i]) memcpy(rows[i].tables, fresh.rows[i]->tables, sizeof rows[i].tables);
        if (fresh.rows[i]) fresh.rows[i] = &rows[i];
        if (fresh.columns[i]) fresh.columns[i] = &columns[i];
    }
    for (unsigned i = 0; i < WEND__BLOCK_SIDE; i++) wend__jump_lanes_build(&here, &fresh, i);
    for (unsigned i = 0; i < 16; i++) {
        if (fresh.rows[i]) cr_assert_eq(memcmp(rows[i].lanes, block->jumps->rows[i]->lanes, sizeof rows[i].lanes), 0);
        if (!fresh.columns[i]) continue;
        cr_assert_eq(memcmp(columns[i].lanes, block->jumps->columns[i]->lanes, sizeof columns[i].lanes), 0);
    }
}

void jumps_check_fresh(const wend__version *v) {
    static wend__jump_table fresh;
    uint8_t masks[WEND__CHUNK_CELLS];
    uint64_t unpruned = 0, counts[WEND__JUMP_COUNTS] = {0};
    cr_assert(v->jumps);
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__jump_table *table = wend__jump_table_at(v, column, row);
            unpruned += !table->pruned;
            for (unsigned k = 0; k < WEND__JUMP_COUNTS; k++) counts[k] += table->counts[k];
            wend__masks_of_open(v, column, row, masks);
            check_table(table, masks, &fresh);
            if (column % 16 == 0 && row % 16 == 0) check_block_lanes(v, wend__block_index(v, column, row));
        }
    cr_assert_eq(v->jumps_unpruned, unpruned);
    cr_assert_eq(memcmp(v->jump_counts, counts, sizeof counts), 0);
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++) sum = (sum ^ at[i]) * UINT64_C(0x100000001B3);
    return sum;
}

uint64_t jumps_checksum(const wend__version *v) {
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (int32_t row = 0; row < v->chunk_rows; row++)
        for (int32_t column = 0; column < v->chunk_columns; column++) {
            const wend__jump_table *table = wend__jump_table_at(v, column, row);
            const wend__jump_block *jumps = wend__jumps_of(v, column, row);
            sum = mix(sum, table->lines, sizeof table->lines);
            sum = mix(sum, table->ends, sizeof table->ends);
            sum = mix(sum, table->counts, sizeof table->counts);
            sum = mix(sum, table->leaves, sizeof table->leaves);
            sum = mix(sum, &table->points, sizeof table->points);
            sum = mix(sum, &table->pruned, sizeof table->pruned);
            sum = mix(sum, &jumps->rows[row & 15]->lanes[column & 15], sizeof(wend__jump_lanes));
            sum = mix(sum, &jumps->columns[column & 15]->lanes[row & 15], sizeof(wend__jump_lanes));
        }
    return sum;
}
