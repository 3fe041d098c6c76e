/* SPDX-License-Identifier: MIT */
/* Joins the components of four areas, using only their outlines. */
#include "map/components/labels.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

enum { NW, NE, SW, SE };

typedef struct joiner {
    wend__area *const *parts;
    uint32_t side;
    unsigned contacts; ///< directions that connect: 4, 6 (hexagons) or 8
    const wend__quarters *quarters;
    uint32_t starts[5]; ///< first of each part's labels
    uint32_t *root;     ///< wend__set_find() over all four parts' labels
    uint32_t *label;    ///< label of a root; NOT_YET: not assigned
} joiner;
#define NOT_YET UINT32_MAX

/* A side of a part, as runs; an empty one if off the map. */
typedef struct seam {
    const wend__rim_run *runs;
    uint32_t count, length, first_label;
} seam;

static seam side_of(const joiner *j, unsigned part, unsigned which) {
    static const wend__rim_run nothing = {.from = 0, .label = WEND__NO_LABEL};
    if (!j->parts[part]) return (seam){&nothing, 1, j->side, 0};
    const wend__outline *outline = j->parts[part]->outline;
    return (seam){outline->runs + outline->sides[which], outline->sides[which + 1] - outline->sides[which], j->side,
                  j->starts[part]};
}

static uint32_t run_end(const seam *s, uint32_t i) {
    return i + 1 < s->count ? s->runs[i + 1].from : s->length;
}

static void join_cells(joiner *j, const seam *a, uint32_t label_a, const seam *b, uint32_t label_b) {
    if (label_a != WEND__NO_LABEL && label_b != WEND__NO_LABEL)
        wend__set_unite(j->root, a->first_label + label_a, b->first_label + label_b);
}

/* Joins two sides that lie along each other. Diagonally a cell of the first touches the previous one on the second, and
 * with 8 contacts the next one. */
static void join_sides(joiner *j, seam a, seam b) {
    const uint32_t before = j->contacts >= 6, after = j->contacts == 8;
    for (uint32_t i = 0, k = 0; i < a.count && k < b.count;) {
        uint32_t end_a = run_end(&a, i), end_b = run_end(&b, k);
        bool touch = a.runs[i].from < end_b + before && b.runs[k].from < end_a + after;
        uint32_t here_a = a.runs[i].label, here_b = b.runs[k].label;
        if (touch) join_cells(j, &a, here_a, &b, here_b);
        if (end_a == end_b) { /* diagonally across both ends */
            if (before && i + 1 < a.count) join_cells(j, &a, a.runs[i + 1].label, &b, here_b);
            if (after && k + 1 < b.count) join_cells(j, &a, here_a, &b, b.runs[k + 1].label);
        }
        if (end_a <= end_b) i++;
        if (end_b <= end_a) k++;
    }
}

/* ---- sides with thin walls along them ---- */

/* Two sides along each other: the first cell of the first, and the direction to the other side. */
typedef struct line {
    int32_t x, y;
    unsigned across; ///< east or south
} line;

/* A wall has closed steps on both sides, so there is none if no chunk of the first side has closed steps. */
static bool may_be_walled(const joiner *j, line l) {
    const wend__version *v = j->quarters->version;
    for (uint32_t i = 0; v && i < j->side; i += WEND__CHUNK_SIDE) {
        int32_t x = l.x + (l.across == WEND__E ? 0 : (int32_t)i), y = l.y + (l.across == WEND__E ? (int32_t)i : 0);
        if (!wend__on_map(v, x, y)) break;
        if (wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT)->closed) return true;
    }
    return false;
}

/* Checks cell by cell: straight across, and diagonally from the previous cell to this one, both ways. */
static void join_walled_sides(joiner *j, seam a, seam b, line l) {
    const wend__version *v = j->quarters->version;
    bool east = l.across == WEND__E;
    unsigned forward = WEND__SE, back = east ? WEND__NE : WEND__SW;
    uint32_t before_a = WEND__NO_LABEL, before_b = WEND__NO_LABEL;
    for (uint32_t t = 0, i = 0, k = 0; t < j->side; t++) {
        int32_t x = l.x + (east ? 0 : (int32_t)t), y = l.y + (east ? (int32_t)t : 0);
        if (t == run_end(&a, i)) i++;
        if (t == run_end(&b, k)) k++;
        uint32_t here_a = a.runs[i].label, here_b = b.runs[k].label;
        bool both = here_a != WEND__NO_LABEL && here_b != WEND__NO_LABEL;
        if (both && !wend__walled(v, x, y, l.across)) join_cells(j, &a, here_a, &b, here_b);
        if (j->contacts == 8 && before_a != WEND__NO_LABEL && here_b != WEND__NO_LABEL &&
            !wend__walled(v, x - !east, y - east, forward))
            join_cells(j, &a, before_a, &b, here_b);
        if (j->contacts >= 6 && here_a != WEND__NO_LABEL && before_b != WEND__NO_LABEL && !wend__walled(v, x, y, back))
            join_cells(j, &a, here_a, &b, before_b);
        before_a = here_a, before_b = here_b;
    }
}

static void join_along(joiner *j, seam a, seam b, line l) {
    if (may_be_walled(j, l))
        join_walled_sides(j, a, b, l);
    else
        join_sides(j, a, b);
}

/* Joins the four cells where all four areas meet. */
static void join_corners(joiner *j) {
    const wend__quarters *q = j->quarters;
    int32_t x = q->x + (int32_t)q->side, y = q->y + (int32_t)q->side; /* cell in the south-east */
    seam nw = side_of(j, NW, WEND__SIDE_SOUTH), ne = side_of(j, NE, WEND__SIDE_SOUTH);
    seam sw = side_of(j, SW, WEND__SIDE_NORTH), se = side_of(j, SE, WEND__SIDE_NORTH);
    uint32_t label_nw = nw.runs[nw.count - 1].label, label_ne = ne.runs[0].label;
    uint32_t label_sw = sw.runs[sw.count - 1].label, label_se = se.runs[0].label;
    bool all = j->parts[SE] && q->version; /* else one of each pair is blocked, or there are no walls */
    if (j->contacts == 8 && (!all || !wend__walled(q->version, x - 1, y - 1, WEND__SE)))
        join_cells(j, &nw, label_nw, &se, label_se);
    if (!all || !wend__walled(q->version, x, y - 1, WEND__SW)) join_cells(j, &ne, label_ne, &sw, label_sw);
}

static void join_parts(joiner *j) {
    int32_t x = j->quarters->x, y = j->quarters->y, side = (int32_t)j->side;
    join_along(j, side_of(j, NW, WEND__SIDE_EAST), side_of(j, NE, WEND__SIDE_WEST), (line){x + side - 1, y, WEND__E});
    join_along(j, side_of(j, SW, WEND__SIDE_EAST), side_of(j, SE, WEND__SIDE_WEST),
               (line){x + side - 1, y + side, WEND__E});
    join_along(j, side_of(j, NW, WEND__SIDE_SOUTH), side_of(j, SW, WEND__SIDE_NORTH), (line){x, y + side - 1, WEND__S});
    join_along(j, side_of(j, NE, WEND__SIDE_SOUTH), side_of(j, SE, WEND__SIDE_NORTH),
               (line){x + side, y + side - 1, WEND__S});
    if (j->contacts >= 6) join_corners(j);
}

/* Appends a part's side to a side of the whole; labels are assigned when they are met. */
static uint32_t append(joiner *j, seam s, uint32_t offset, uint32_t *labels, wend__rim_run *out, uint32_t count,
                       bool first) {
    for (uint32_t i = 0; i < s.count; i++) {
        uint32_t label = WEND__NO_LABEL;
        if (s.runs[i].label != WEND__NO_LABEL) {
            uint32_t root = wend__set_find(j->root, s.first_label + s.runs[i].label);
            if (j->label[root] == NOT_YET) j->label[root] = (*labels)++;
            label = j->label[root];
        }
        bool goes_on = (i > 0 || !first) && out[count - 1].label == label;
        if (!goes_on) out[count++] = wend__rim(offset + s.runs[i].from, label);
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
        uint32_t root = wend__set_find(j->root, i);
        if (j->label[root] == NOT_YET) j->label[root] = labels++;
        inside->u.to[i] = j->label[root];
    }
    inside->labels = labels;
    return inside;
}

wend_error wend__label_join(wend_map *map, const wend__quarters *quarters, unsigned contacts, bool top,
                            wend__outline **outline, wend__inside **inside) {
    joiner j = {.parts = quarters->parts, .side = quarters->side, .contacts = contacts, .quarters = quarters};
    for (unsigned part = 0; part < 4; part++)
        j.starts[part + 1] = j.starts[part] + (j.parts[part] ? j.parts[part]->outline->open : 0);
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
    if (*outline && !*inside) wend__shared_release(map, *outline);
    wend__map_free(map, j.root, bytes);
    return *inside ? WEND_OK : WEND_OUT_OF_MEMORY;
}
