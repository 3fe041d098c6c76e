/* SPDX-License-Identifier: MIT */
/* Components of four areas, two by two, from their outlines alone. */
#include "map/labels.h"

enum { NW, NE, SW, SE };

typedef struct joiner {
    wend__area *const *parts;
    uint32_t side;
    bool diagonal;
    uint32_t starts[5]; ///< of each part's labels
    uint32_t *root;     ///< union-find over all four parts' labels
    uint32_t *label;    ///< of a root; NOT_YET: none yet
} joiner;
#define NOT_YET UINT32_MAX

static uint32_t find(joiner *j, uint32_t i) {
    while (j->root[i] != i) i = j->root[i] = j->root[j->root[i]];
    return i;
}

static void join(joiner *j, uint32_t a, uint32_t b) {
    a = find(j, a), b = find(j, b);
    if (a < b)
        j->root[b] = a;
    else
        j->root[a] = b;
}

/* A side of a part, as runs; an empty one off the map. */
typedef struct seam {
    const wend__rim_run *runs;
    uint32_t count, length, first_label;
} seam;

static seam side_of(const joiner *j, unsigned part, unsigned which) {
    static const wend__rim_run nothing = {0, WEND__NO_LABEL};
    if (!j->parts[part]) return (seam){&nothing, 1, j->side, 0};
    const wend__outline *outline = j->parts[part]->outline;
    return (seam){outline->runs + outline->sides[which], outline->sides[which + 1] - outline->sides[which], j->side,
                  j->starts[part]};
}

static uint32_t run_end(const seam *s, uint32_t i) {
    return i + 1 < s->count ? s->runs[i + 1].from : s->length;
}

/* Two sides that lie along each other. */
static void join_sides(joiner *j, seam a, seam b) {
    uint32_t reach = j->diagonal;
    for (uint32_t i = 0, k = 0; i < a.count && k < b.count;) {
        uint32_t end_a = run_end(&a, i), end_b = run_end(&b, k);
        bool touch = a.runs[i].from < end_b + reach && b.runs[k].from < end_a + reach;
        if (touch && a.runs[i].label != WEND__NO_LABEL && b.runs[k].label != WEND__NO_LABEL)
            join(j, a.first_label + a.runs[i].label, b.first_label + b.runs[k].label);
        if (reach && end_a == end_b) { /* diagonally across both ends */
            uint32_t next_a = i + 1 < a.count ? a.runs[i + 1].label : WEND__NO_LABEL, here_b = b.runs[k].label;
            uint32_t next_b = k + 1 < b.count ? b.runs[k + 1].label : WEND__NO_LABEL, here_a = a.runs[i].label;
            if (next_a != WEND__NO_LABEL && here_b != WEND__NO_LABEL)
                join(j, a.first_label + next_a, b.first_label + here_b);
            if (next_b != WEND__NO_LABEL && here_a != WEND__NO_LABEL)
                join(j, a.first_label + here_a, b.first_label + next_b);
        }
        if (end_a <= end_b) i++;
        if (end_b <= end_a) k++;
    }
}

static void join_corners(joiner *j, seam a, bool a_last, seam b, bool b_last) {
    uint32_t label_a = a.runs[a_last ? a.count - 1 : 0].label, label_b = b.runs[b_last ? b.count - 1 : 0].label;
    if (label_a != WEND__NO_LABEL && label_b != WEND__NO_LABEL)
        join(j, a.first_label + label_a, b.first_label + label_b);
}

static void join_parts(joiner *j) {
    join_sides(j, side_of(j, NW, WEND__SIDE_EAST), side_of(j, NE, WEND__SIDE_WEST));
    join_sides(j, side_of(j, SW, WEND__SIDE_EAST), side_of(j, SE, WEND__SIDE_WEST));
    join_sides(j, side_of(j, NW, WEND__SIDE_SOUTH), side_of(j, SW, WEND__SIDE_NORTH));
    join_sides(j, side_of(j, NE, WEND__SIDE_SOUTH), side_of(j, SE, WEND__SIDE_NORTH));
    if (!j->diagonal) return;
    join_corners(j, side_of(j, NW, WEND__SIDE_SOUTH), true, side_of(j, SE, WEND__SIDE_NORTH), false);
    join_corners(j, side_of(j, NE, WEND__SIDE_SOUTH), false, side_of(j, SW, WEND__SIDE_NORTH), true);
}

/* Append a part's side to a side of the whole; labels are given as they are met. */
static uint32_t append(joiner *j, seam s, uint32_t offset, uint32_t *labels, wend__rim_run *out, uint32_t count,
                       bool first) {
    for (uint32_t i = 0; i < s.count; i++) {
        uint32_t label = WEND__NO_LABEL;
        if (s.runs[i].label != WEND__NO_LABEL) {
            uint32_t root = find(j, s.first_label + s.runs[i].label);
            if (j->label[root] == NOT_YET) j->label[root] = (*labels)++;
            label = j->label[root];
        }
        bool goes_on = (i > 0 || !first) && out[count - 1].label == label;
        if (!goes_on) out[count++] = (wend__rim_run){(uint16_t)(offset + s.runs[i].from), (uint16_t)label};
    }
    return count;
}

static uint32_t rim_runs(const joiner *j) {
    uint32_t count = 0;
    for (unsigned part = 0; part < 4; part++) count += j->parts[part] ? j->parts[part]->outline->sides[4] : 4;
    return count;
}

/* Rim: NW and NE in the north, SW and SE in the south, NE and SE in the east, NW and SW in the west. */
static wend__outline *make_outline(wend_map *map, joiner *j, uint32_t *labels) {
    static const uint8_t order[4][2] = {{NW, NE}, {SW, SE}, {NE, SE}, {NW, SW}};
    uint32_t most = rim_runs(j), sides[5] = {0};
    wend__rim_run *rim = wend__map_alloc(map, most * sizeof *rim);
    if (!rim) return NULL;
    for (unsigned which = 0; which < 4; which++) {
        uint32_t count = sides[which];
        count = append(j, side_of(j, order[which][0], which), 0, labels, rim, count, true);
        count = append(j, side_of(j, order[which][1], which), j->side, labels, rim, count, false);
        sides[which + 1] = count;
    }
    wend__outline *outline = wend__outline_create(map, sides[4]);
    if (outline) {
        outline->open = *labels;
        memcpy(outline->sides, sides, sizeof sides);
        memcpy(outline->runs, rim, sides[4] * sizeof *rim);
    }
    wend__map_free(map, rim, most * sizeof *rim);
    return outline;
}

static wend__inside *make_inside(wend_map *map, joiner *j, uint32_t labels) {
    wend__inside *inside = wend__inside_create(map, j->starts[4] * sizeof(uint32_t));
    if (!inside) return NULL;
    memcpy(inside->starts, j->starts, sizeof j->starts);
    for (uint32_t i = 0; i < j->starts[4]; i++) {
        uint32_t root = find(j, i);
        if (j->label[root] == NOT_YET) j->label[root] = labels++;
        inside->u.to[i] = j->label[root];
    }
    inside->labels = labels;
    return inside;
}

int32_t wend__label_join(wend_map *map, wend__area *const parts[4], uint32_t side, bool diagonal, bool top,
                         wend__outline **outline, wend__inside **inside) {
    joiner j = {.parts = parts, .side = side, .diagonal = diagonal};
    for (unsigned part = 0; part < 4; part++)
        j.starts[part + 1] = j.starts[part] + (parts[part] ? parts[part]->outline->open : 0);
    size_t bytes = (size_t)j.starts[4] * 2 * sizeof *j.root + sizeof *j.root;
    j.root = wend__map_alloc(map, bytes);
    if (!j.root) return WEND_OUT_OF_MEMORY;
    j.label = j.root + j.starts[4];
    for (uint32_t i = 0; i < j.starts[4]; i++) j.root[i] = i;
    memset(j.label, 0xff, j.starts[4] * sizeof *j.label);
    join_parts(&j);
    uint32_t labels = 0;
    *outline = top ? wend__outline_create(map, 0) : make_outline(map, &j, &labels);
    *inside = *outline ? make_inside(map, &j, labels) : NULL;
    if (*outline && !*inside) wend__outline_release(map, *outline);
    wend__map_free(map, j.root, bytes);
    return *inside ? WEND_OK : WEND_OUT_OF_MEMORY;
}
