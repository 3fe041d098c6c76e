/* SPDX-License-Identifier: MIT */
/* The nearest cell on a grid: goes down the tree of areas, to the parts that are nearest to the goal first. */
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/links/sheet_table.h"
#include "map/nearest/nearest.h"
#include "map/store/terrain.h"

/* Prices, in points. */
enum { PART = 24, CLIMB = 24, CHUNK = 220, ROW = 14, RUN = 8 };
enum { MOST_LABELS = 64 }; /* labels of an area that are compared: one with more may hold the component */

/* ---- components ---- */

static uint64_t component_of_label(const wend__nearest *n, int level, uint32_t label) {
    const int top = wend__labels_top(n->view);
    const int32_t column = n->columns[level], row = n->rows[level];
    for (; level < top && label < n->way[level]->outline->open; level++) {
        const unsigned part = (unsigned)((column >> level & 1) | (row >> level & 1) << 1);
        label = n->way[level + 1]->inside->u.to[n->way[level + 1]->inside->starts[part] + label];
    }
    const wend__component component = {level, column >> level, row >> level, label};
    return wend__component_number(n->view, &component);
}

/* Returns true if a component lies in an area, without touching its rim. */
static bool is_inside(const wend__nearest *n, int level, uint64_t component) {
    const int home = (int)(component >> 60);
    const uint64_t area = component >> 32 & ((UINT64_C(1) << 28) - 1), columns = (uint64_t)n->view->chunk_columns;
    const int up = level - home;
    if (up < 0) return false;
    return (int32_t)(area % columns) >> up == n->columns[level] >> level &&
           (int32_t)(area / columns) >> up == n->rows[level] >> level;
}

/* Returns true if the area may enclose one of the wanted components. */
static bool may_enclose(const wend__nearest *n, int level) {
    const wend__link_components *linked = n->view->link_components;
    if (linked && linked->count > MOST_LABELS) return true;
    for (size_t i = 0; linked && i < linked->count; i++)
        if (is_inside(n, level, linked->of[i].component) && wend__nearest_wants(n, linked->of[i].component))
            return true;
    for (uint32_t i = 0; i < n->component_count; i++)
        if (is_inside(n, level, n->components[i])) return true;
    return false;
}

/* Returns true if the area at this level may hold cells of a wanted component. */
static bool may_hold(wend__nearest *n, int level) {
    const wend__area *area = n->way[level];
    const uint32_t open = area->outline->open;
    if (open == 0 && area->closed == 0) return false;
    if (n->any || open > MOST_LABELS || may_enclose(n, level)) return true;
    for (uint32_t label = 0; label < open; label++) {
        n->points += CLIMB;
        if (wend__nearest_wants(n, component_of_label(n, level, label))) return true;
    }
    return false;
}

/* ---- a chunk ---- */

/* The compared labels of a chunk, and the wanted ones. */
typedef struct labels_known {
    uint64_t asked[WEND__CHUNK_CELLS / 2 / 64 + 1], wanted[WEND__CHUNK_CELLS / 2 / 64 + 1];
} labels_known;

static bool is_wanted(wend__nearest *n, labels_known *known, uint32_t label) {
    const uint64_t bit = UINT64_C(1) << (label & 63);
    if (!(known->asked[label >> 6] & bit)) {
        known->asked[label >> 6] |= bit;
        n->points += CLIMB;
        if (wend__nearest_wants(n, component_of_label(n, 0, label))) known->wanted[label >> 6] |= bit;
    }
    return known->wanted[label >> 6] & bit;
}

static void scan_row(wend__nearest *n, const wend__nearest_query *query, labels_known *known, int32_t y) {
    const wend__version *v = n->view;
    const int32_t column = n->columns[0], left = column << WEND__CHUNK_SHIFT;
    const wend__chunk *chunk = wend__version_chunk(v, column, n->rows[0]);
    const wend__inside *inside = n->way[0]->inside;
    const unsigned row = (unsigned)y & (WEND__CHUNK_SIDE - 1);
    const uint64_t open =
        wend__open_row(v->rules.factors, chunk, row) & wend__low_bits(wend__chunk_extent(v->width, column));
    const uint64_t walls = chunk->closed ? wend__walls_east(chunk->closed, row) : 0;
    uint64_t begins = open & (~(open << 1) | walls << 1), ends = open & (~(open >> 1) | walls);
    n->points += ROW;
    for (uint32_t run = inside->rows[row]; begins; begins &= begins - 1, ends &= ends - 1, run++) {
        const int32_t first = left + (int32_t)wend__ctz64(begins), last = left + (int32_t)wend__ctz64(ends);
        const wend_box box = {{first, y, 0}, {last, y, 0}};
        n->points += RUN;
        if (!wend__nearest_may_hold(n, query, &box)) continue;
        if (is_wanted(n, known, inside->labels <= WEND__NARROW ? inside->u.narrow[run] : inside->u.wide[run]))
            wend__nearest_try_run(n, query, (wend_cell){first, y, 0}, last);
    }
}

/* Visits the rows of a chunk, those nearest to the goal first. */
static void scan_chunk(wend__nearest *n, const wend__nearest_query *query) {
    labels_known known;
    memset(&known, 0, sizeof known);
    const wend__version *v = n->view;
    const int32_t column = n->columns[0], top = n->rows[0] << WEND__CHUNK_SHIFT, left = column << WEND__CHUNK_SHIFT;
    const int32_t bottom = top + (int32_t)wend__chunk_extent(v->height, n->rows[0]) - 1,
                  goal = wend__nearest_goal(n, query).y;
    int32_t up = goal < top ? top - 1 : goal > bottom ? bottom : goal, down = up + 1;
    n->points += CHUNK;
    while (up >= top || down <= bottom) {
        const bool upward = down > bottom || (up >= top && goal - up <= down - goal);
        const int32_t y = upward ? up-- : down++;
        const wend_box box = {{left, y, 0}, {left + WEND__CHUNK_SIDE - 1, y, 0}};
        if (wend__nearest_may_hold(n, query, &box)) scan_row(n, query, &known, y);
    }
}

/* ---- the tree ---- */

static wend_box box_of(int level, int32_t column, int32_t row) {
    const int32_t side = 1 << (level + WEND__CHUNK_SHIFT);
    const wend_cell low = {column << WEND__CHUNK_SHIFT, row << WEND__CHUNK_SHIFT, 0};
    return (wend_box){low, {low.x + side - 1, low.y + side - 1, 0}};
}

/* Returns the part of a square of areas that is the `rank`-th nearest to the goal: first the one that contains the goal
 * or is nearest to it, then across the nearer seam. */
static unsigned part_by_rank(const wend__nearest *n, const wend__nearest_query *query, int level, unsigned rank) {
    const int32_t half = 1 << (level - 1 + WEND__CHUNK_SHIFT);
    const wend_cell goal = wend__nearest_goal(n, query);
    const int32_t x = goal.x - (n->columns[level] << WEND__CHUNK_SHIFT) - half;
    const int32_t y = goal.y - (n->rows[level] << WEND__CHUNK_SHIFT) - half;
    const unsigned nearest = (unsigned)(x >= 0) | (unsigned)(y >= 0) << 1;
    const bool beside = wend__distance(x, 0) <= wend__distance(y, 0); /* the seam between west and east is nearer */
    static const uint8_t across[2][4] = {{0, 2, 1, 3}, {0, 1, 2, 3}};
    return nearest ^ across[beside][rank];
}

/* Returns whether the chunk is in another sheet than the searched one. */
static bool is_other_sheet(const wend__nearest *n) {
    const wend_cell first = {n->columns[0] << WEND__CHUNK_SHIFT, n->rows[0] << WEND__CHUNK_SHIFT, 0};
    return n->view->sheets && wend__sheet_part_of(n->view, first)->sheet != n->joining.sheet;
}

/* Turn to the next part of the area. False: there is no other. */
static bool go_down(wend__nearest *n, const wend__nearest_query *query) {
    const int level = n->level, half = 1 << (level - 1);
    while (n->next[level] < 4) {
        const unsigned part = part_by_rank(n, query, level, n->next[level]++);
        const wend__area *area = n->way[level]->parts[part];
        n->columns[level - 1] = n->columns[level] + (int32_t)(part & 1) * half;
        n->rows[level - 1] = n->rows[level] + (int32_t)(part >> 1) * half;
        const wend_box box = box_of(level - 1, n->columns[level - 1], n->rows[level - 1]);
        n->points += PART;
        if (!area || !wend__nearest_may_hold(n, query, &box)) continue;
        if (level == 1 && is_other_sheet(n)) continue;
        n->way[level - 1] = area;
        if (!may_hold(n, level - 1)) continue;
        n->level--;
        n->next[n->level] = 0;
        return true;
    }
    return false;
}

static void begin(wend__nearest *n) {
    n->begun = true;
    n->level = wend__labels_top(n->view);
    n->way[n->level] = n->view->labels;
    n->columns[n->level] = n->rows[n->level] = 0;
    n->next[n->level] = 0;
}

bool wend__nearest_on_grid(wend__nearest *n, const wend__nearest_query *query, uint64_t points) {
    const int top = wend__labels_top(n->view);
    if (!n->begun) begin(n);
    while (n->level <= top) {
        if (n->points >= points) return false;
        if (n->level == 0) scan_chunk(n, query);
        if (n->level == 0 || !go_down(n, query)) n->level++;
    }
    return true;
}
