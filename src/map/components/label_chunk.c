/* SPDX-License-Identifier: MIT */
/* The components of a chunk: runs of open cells row by row, cut at thin walls, united where they touch (Rosenfeld and
 * Pfaltz 1966), numbered from the rim inwards. */
#include "map/components/labels.h"
#include "map/store/memory.h"

enum { SIDE = WEND__CHUNK_SIDE, MOST_RUNS = SIDE * SIDE };

typedef struct run {
    uint8_t x0, x1;
} run;

typedef struct runs {
    uint32_t count;
    uint16_t rows[SIDE + 1];
    uint64_t begins[SIDE]; ///< cells where a run begins
    run at[MOST_RUNS];
    uint16_t root[MOST_RUNS]; ///< union-find over runs: a root is never a later run
    uint16_t label[MOST_RUNS];
} runs;

static uint16_t find(runs *r, uint16_t i) {
    while (r->root[i] != i) i = r->root[i] = r->root[r->root[i]];
    return i;
}

static void join(runs *r, uint16_t a, uint16_t b) {
    a = find(r, a), b = find(r, b);
    if (a < b)
        r->root[b] = a;
    else
        r->root[a] = b;
}

/* Compresses the sets, so that every entry is a root. */
static void flatten(runs *r) {
    for (uint32_t i = 0; i < r->count; i++) r->root[i] = r->root[r->root[i]];
}

/* Splits the runs of a row. `walls`: cells with a wall in the east. */
static void cut_row(runs *r, unsigned y, uint64_t row, uint64_t walls) {
    uint64_t begins = row & (~(row << 1) | walls << 1), ends = row & (~(row >> 1) | walls);
    r->begins[y] = begins;
    for (; begins; begins &= begins - 1, ends &= ends - 1) {
        r->at[r->count] = (run){(uint8_t)wend__ctz64(begins), (uint8_t)wend__ctz64(ends)};
        r->root[r->count] = (uint16_t)r->count;
        r->count++;
    }
}

/* The run of a row that an open cell belongs to. */
static uint16_t run_at(const runs *r, unsigned y, unsigned x) {
    return (uint16_t)(r->rows[y] + wend__popcount64(r->begins[y] & wend__low_bits(x + 1)) - 1);
}

/* Joins a row's runs at these cells with those of the row above, `aside` cells off. Run numbers are counted from the
 * bits: walking along both rows is as fast with few runs, and half as slow again in noise, because no processor can
 * predict its branches. */
static void join_at(runs *r, unsigned y, uint64_t cells, int aside) {
    for (; cells; cells &= cells - 1) {
        unsigned x = wend__ctz64(cells);
        join(r, run_at(r, y - 1, x + (unsigned)aside), run_at(r, y, x));
    }
}

static uint64_t begins_of(uint64_t row) {
    return row & ~(row << 1);
}

/* Two runs touch if both are open, once for each stretch; or else, diagonally, if one ends where the other begins. */
static void join_row(runs *r, unsigned y, const uint64_t rows[SIDE], unsigned contacts) {
    uint64_t above = rows[y - 1], here = rows[y];
    join_at(r, y, begins_of(above & here), 0);
    if (contacts == 8) join_at(r, y, begins_of(here) & ~above & above << 1, -1);
    if (contacts >= 6) join_at(r, y, here & ~(here >> 1) & ~above & above >> 1, 1);
}

/* The same past thin walls: a stretch ends at one, and at the end of either run; diagonally, wherever a way is. */
static void join_walled_row(runs *r, unsigned y, const uint64_t rows[SIDE], const wend__walls *walls,
                            unsigned contacts) {
    uint64_t above = rows[y - 1], here = rows[y], touch = above & here & ~walls->south[y - 1];
    join_at(r, y, touch & (~(touch << 1) | r->begins[y - 1] | r->begins[y]), 0);
    if (contacts == 8) join_at(r, y, here & (above & ~walls->south_east[y - 1]) << 1, -1);
    if (contacts >= 6) join_at(r, y, here & (above & ~walls->south_west[y - 1]) >> 1, 1);
}

/* Returns a component's label, assigned when the rim first meets the component. */
static uint16_t label_of(runs *r, uint32_t i, uint32_t *labels) {
    uint16_t root = r->root[i];
    if (r->label[root] == UINT16_MAX) r->label[root] = (uint16_t)(*labels)++;
    return r->label[root];
}

/* Writes the north or south side: the runs of its row, and the gaps between them. Runs split only by a wall may be one
   component. */
static uint32_t walk_row(runs *r, unsigned y, uint32_t *labels, wend__rim_run *out) {
    uint32_t count = 0;
    uint16_t x = 0;
    for (uint32_t i = r->rows[y]; i < r->rows[y + 1]; i++) {
        uint16_t label = label_of(r, i, labels);
        if (r->at[i].x0 > x) out[count++] = wend__rim(x, WEND__NO_LABEL);
        if (count == 0 || out[count - 1].label != label) out[count++] = wend__rim(r->at[i].x0, label);
        x = (uint16_t)(r->at[i].x1 + 1);
    }
    if (x < SIDE) out[count++] = wend__rim(x, WEND__NO_LABEL);
    return count;
}

/* Writes the east or west side: each row's last or first run, if it reaches the side. */
static uint32_t walk_column(runs *r, bool east, uint32_t *labels, wend__rim_run *out) {
    uint32_t count = 0;
    for (uint16_t y = 0; y < SIDE; y++) {
        uint32_t i = east ? r->rows[y + 1] - 1u : r->rows[y];
        bool open = r->rows[y] < r->rows[y + 1] && (east ? r->at[i].x1 == SIDE - 1 : r->at[i].x0 == 0);
        uint32_t label = open ? label_of(r, i, labels) : WEND__NO_LABEL;
        if (count == 0 || out[count - 1].label != label) out[count++] = wend__rim(y, label);
    }
    return count;
}

static uint32_t walk_side(runs *r, unsigned side, uint32_t *labels, wend__rim_run *out) {
    if (side == WEND__SIDE_NORTH || side == WEND__SIDE_SOUTH)
        return walk_row(r, side == WEND__SIDE_NORTH ? 0 : SIDE - 1, labels, out);
    return walk_column(r, side == WEND__SIDE_EAST, labels, out);
}

static wend__outline *make_outline(wend_map *map, runs *r, uint32_t *labels) {
    wend__rim_run rim[4 * SIDE];
    uint32_t sides[5] = {0};
    for (unsigned side = 0; side < 4; side++)
        sides[side + 1] = sides[side] + walk_side(r, side, labels, rim + sides[side]);
    wend__outline *outline = wend__outline_create(map, sides[4]);
    if (!outline) return NULL;
    outline->open = *labels;
    memcpy(outline->sides, sides, sizeof sides);
    memcpy(outline->runs, rim, sides[4] * sizeof *rim);
    return outline;
}

static wend__inside *make_inside(wend_map *map, runs *r, uint32_t labels) {
    for (uint32_t i = 0; i < r->count; i++) label_of(r, i, &labels);
    bool narrow = labels <= WEND__NARROW;
    wend__inside *inside = wend__inside_create(map, r->count * (narrow ? sizeof(uint8_t) : sizeof(uint16_t)));
    if (!inside) return NULL;
    inside->labels = labels;
    memcpy(inside->rows, r->rows, sizeof r->rows);
    for (uint32_t i = 0; i < r->count; i++) {
        uint16_t label = r->label[r->root[i]];
        if (narrow)
            inside->u.narrow[i] = (uint8_t)label;
        else
            inside->u.wide[i] = label;
    }
    return inside;
}

WEND__CLONED wend_error wend__label_chunk(wend_map *map, const uint64_t rows[SIDE], const wend__walls *walls,
                                          unsigned contacts, wend__outline **outline, wend__inside **inside) {
    runs r;
    r.count = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        r.rows[y] = (uint16_t)r.count;
        cut_row(&r, y, rows[y], walls ? walls->east[y] : 0);
        r.rows[y + 1] = (uint16_t)r.count;
        if (y > 0 && walls)
            join_walled_row(&r, y, rows, walls, contacts);
        else if (y > 0)
            join_row(&r, y, rows, contacts);
    }
    flatten(&r);
    memset(r.label, 0xff, r.count * sizeof *r.label);
    uint32_t labels = 0;
    *outline = make_outline(map, &r, &labels);
    *inside = *outline ? make_inside(map, &r, labels) : NULL;
    if (*inside) return WEND_OK;
    wend__shared_release(map, *outline);
    return WEND_OUT_OF_MEMORY;
}
