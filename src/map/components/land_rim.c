/* SPDX-License-Identifier: MIT */
/* Finds where components end at chunks that are not loaded.
 *
 * The search goes down the tree of areas (labels.h) to the chunks with a part of a component, the nearest first. It
 * skips areas that cannot be better than the best found, or have all land around them. Only blocks know the gaps.
 *
 * Visits count: an area, a link, a chunk next to land that is not loaded. A query ends after WEND__RIM_MOST
 * expansions. */
#include "map/components/land_rim.h"

#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/components/link_components.h"
#include "map/ground/ground.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/store/rules.h"
#include "map/version/map.h"

/* Expansions that a visit costs. */
enum { AREA = 2, LINK = 1, CHUNK = 64 };

static bool spend_expansions(wend__rim_walk *walk, uint32_t expansions) {
    if (walk->taken >= WEND__RIM_MOST) return false;
    walk->taken += expansions;
    return true;
}

wend__rim_walk wend__rim_walk_of(const wend__version *version, int32_t mover) {
    wend__rim_walk walk = {.view = wend__version_view(version, mover),
                           .version = version,
                           .size = wend__version_mover_size(version, mover),
                           .below = WEND_NO_LIMIT,
                           .cheapest_link = WEND_NO_LIMIT};
    const wend__links *links = version->links;
    for (uint32_t i = 0; links && i < links->group_count; i++)
        if (links->groups[i].cheapest < walk.cheapest_link) walk.cheapest_link = links->groups[i].cheapest;
    return walk;
}

/* ---- bounds ---- */

/* A way without steps costs nothing; any other has steps, or at least a link. */
static uint64_t cost_of(const wend__rim_walk *walk, uint32_t dx, uint32_t dy) {
    const wend_map_rules *rules = &walk->version->rules;
    const uint64_t straight = (uint64_t)rules->cost_straight, longer = dx > dy ? dx : dy, shorter = dx > dy ? dy : dx;
    const uint64_t extra = rules->neighbours == 4 ? straight : (uint64_t)rules->cost_diagonal - straight;
    const uint64_t steps = longer * straight + shorter * extra;
    return steps < walk->cheapest_link ? steps : walk->cheapest_link;
}

static uint32_t outside(int32_t at, int32_t least, int32_t most) {
    return at < least ? (uint32_t)(least - at) : at > most ? (uint32_t)(at - most) : 0;
}

/* Returns a lower bound of a way from the start through some cell of a box to a goal. */
static uint64_t cost_through(const wend__rim_walk *walk, wend_box box) {
    const wend_cell start = walk->start;
    uint64_t onward = walk->goal_count > 0 ? WEND_NO_LIMIT : 0;
    for (uint32_t i = 0; i < walk->goal_count; i++) {
        const wend_cell goal = walk->goals[i];
        const uint64_t cost = cost_of(walk, outside(goal.x, box.min.x - walk->reach, box.max.x + walk->reach),
                                      outside(goal.y, box.min.y - walk->reach, box.max.y + walk->reach));
        if (cost < onward) onward = cost;
    }
    return onward + cost_of(walk, outside(start.x, box.min.x, box.max.x), outside(start.y, box.min.y, box.max.y));
}

/* Returns true if a chunk of that cost would be recorded. */
static bool is_wanted(const wend__rim_walk *walk, uint64_t cost) {
    if (walk->any && walk->count > 0) return false;
    if (cost >= walk->below) return false;
    return walk->count < WEND__MOST_BEYOND || cost <= walk->found[WEND__MOST_BEYOND - 1].cost;
}

/* ---- recording chunks ---- */

static bool comes_before(const wend__beyond *a, const wend__beyond *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    return a->y != b->y ? a->y < b->y : a->x < b->x;
}

/* Records a chunk once, with the least cost. */
static void add_chunk(wend__rim_walk *walk, int32_t x, int32_t y, uint64_t cost) {
    const wend__beyond fresh = {x, y, cost};
    uint32_t at = 0;
    if (!is_wanted(walk, cost)) return;
    while (at < walk->count && (walk->found[at].x != x || walk->found[at].y != y)) at++;
    if (at < walk->count) {
        if (walk->found[at].cost <= cost) return;
    } else if (walk->count < WEND__MOST_BEYOND) {
        walk->count++;
    } else if (!comes_before(&fresh, &walk->found[--at])) {
        return;
    }
    for (; at > 0 && comes_before(&fresh, &walk->found[at - 1]); at--) walk->found[at] = walk->found[at - 1];
    walk->found[at] = fresh;
}

static bool is_unloaded(const wend__rim_walk *walk, int32_t x, int32_t y) {
    const wend__version *v = walk->version;
    return wend__on_map(v, x, y) &&
           wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT)->land != WEND_LAND_LOADED;
}

/* Records the unloaded chunks of a line of cells, no longer than a chunk. */
static bool add_line(wend__rim_walk *walk, wend_cell from, wend_cell to, uint64_t cost) {
    const wend_cell ends[2] = {from, to};
    bool noted = false;
    for (unsigned i = 0; i < 2; i++)
        if (is_unloaded(walk, ends[i].x, ends[i].y)) {
            add_chunk(walk, ends[i].x >> WEND__CHUNK_SHIFT, ends[i].y >> WEND__CHUNK_SHIFT, cost);
            noted = true;
        }
    return noted;
}

bool wend__rim_add_place(wend__rim_walk *walk, wend_cell cell) {
    const uint64_t cost = cost_through(walk, (wend_box){cell, cell});
    const int32_t last = walk->size - 1;
    const bool top = add_line(walk, cell, (wend_cell){cell.x + last, cell.y, 0}, cost);
    const bool low =
        add_line(walk, (wend_cell){cell.x, cell.y + last, 0}, (wend_cell){cell.x + last, cell.y + last, 0}, cost);
    return top || low;
}

/* Steps that leave loaded land lead to places that cover cells beyond. Diagonal steps need to be considered only where
 * they connect without a straight way round. */
void wend__rim_add_cell(wend__rim_walk *walk, wend_cell cell) {
    const int32_t left = cell.x - 1, right = cell.x + walk->size, up = cell.y - 1, down = cell.y + walk->size;
    const uint64_t cost = cost_through(walk, (wend_box){cell, cell});
    if (!is_wanted(walk, cost)) return;
    add_line(walk, (wend_cell){left, cell.y, 0}, (wend_cell){left, down - 1, 0}, cost);
    add_line(walk, (wend_cell){right, cell.y, 0}, (wend_cell){right, down - 1, 0}, cost);
    add_line(walk, (wend_cell){cell.x, up, 0}, (wend_cell){right - 1, up, 0}, cost);
    add_line(walk, (wend_cell){cell.x, down, 0}, (wend_cell){right - 1, down, 0}, cost);
    const unsigned contacts = wend__contact_directions(&walk->version->rules, WEND_KIND_GRID);
    if (contacts == 4) return;
    const bool hexagons = contacts == 6;
    add_line(walk, (wend_cell){hexagons ? right : left, up, 0}, (wend_cell){right, up, 0}, cost);
    add_line(walk, (wend_cell){left, down, 0}, (wend_cell){hexagons ? left : right, down, 0}, cost);
}

/* ---- the tree of areas ---- */

/* An area on the way down. */
typedef struct square {
    const wend__area *area;
    int32_t level, column, row; ///< level of the area, and its first chunk
} square;

static wend_box box_of(const square *at) {
    const int32_t side = 1 << (at->level + WEND__CHUNK_SHIFT);
    const wend_cell first = {at->column << WEND__CHUNK_SHIFT, at->row << WEND__CHUNK_SHIFT, 0};
    return (wend_box){first, {first.x + side - 1, first.y + side - 1, 0}};
}

/* The chunks around one that are not loaded. */
typedef struct surroundings {
    bool unloaded[3][3]; ///< row, column
} surroundings;

static surroundings read_around(const wend__rim_walk *walk, int32_t column, int32_t row) {
    surroundings around;
    for (int32_t y = 0; y < 3; y++)
        for (int32_t x = 0; x < 3; x++) {
            const int32_t left = (column + x - 1) * WEND__CHUNK_SIDE, top = (row + y - 1) * WEND__CHUNK_SIDE;
            around.unloaded[y][x] = is_unloaded(walk, left, top);
        }
    return around;
}

/* Returns true if a chunk of an area, no larger than a block, or a chunk next to it is not loaded. */
static bool lacks_land(const wend__version *v, const square *at) {
    const int32_t side = 1 << at->level;
    const int32_t left = wend__most(at->column - 1, 0), right = wend__least(at->column + side, v->chunk_columns - 1);
    const int32_t top = wend__most(at->row - 1, 0), low = wend__least(at->row + side, v->chunk_rows - 1);
    for (int32_t x = left; x <= right; x = (x | (WEND__BLOCK_SIDE - 1)) + 1) {
        const uint32_t last = (uint32_t)wend__least(right, x | (WEND__BLOCK_SIDE - 1)) & (WEND__BLOCK_SIDE - 1);
        const uint32_t first = (uint32_t)x & (WEND__BLOCK_SIDE - 1), columns = (2u << last) - (1u << first);
        for (int32_t y = top; y <= low; y++)
            if (v->blocks[wend__block_index(v, x, y)]->lacking[y & (WEND__BLOCK_SIDE - 1)] & columns) return true;
    }
    return false;
}

/* Returns the columns or rows of chunks into which a step from a line of cells may lead: 0 to 2. */
static int32_t side_of(const wend__rim_walk *walk, int32_t line) {
    return line == 0 ? 0 : line + walk->size >= WEND__CHUNK_SIDE ? 2 : 1;
}

/* Only cells on a few lines touch other chunks: on the chunk's sides, and where a large mover begins to cover the
 * next. */
static void add_chunk_rim(wend__rim_walk *walk, const square *at, uint32_t label) {
    const wend_cell first = box_of(at).min;
    const surroundings around = read_around(walk, at->column, at->row);
    const int32_t columns[3] = {0, WEND__CHUNK_SIDE - walk->size, WEND__CHUNK_SIDE - 1};
    if (!spend_expansions(walk, CHUNK)) return;
    for (int32_t y = 0; y < WEND__CHUNK_SIDE; y++) {
        const int32_t row = side_of(walk, y);
        for (int32_t i = 0; i < (row == 1 ? 3 : WEND__CHUNK_SIDE); i++) {
            const int32_t x = row == 1 ? columns[i] : i, column = side_of(walk, x);
            const wend_cell cell = {first.x + x, first.y + y, 0};
            if (walk->any && walk->count > 0) return;
            if (!around.unloaded[row][column] && !around.unloaded[row][1] && !around.unloaded[1][column]) continue;
            if (!wend__on_map(walk->view, cell.x, cell.y) || !wend__version_factor(walk->view, cell.x, cell.y))
                continue;
            if (wend__chunk_label(walk->view, at->area->inside, cell.x, cell.y) == label)
                wend__rim_add_cell(walk, cell);
        }
    }
}

static void descend(wend__rim_walk *walk, const square *at, uint32_t label);

/* Finds the parts of a label in one of four areas. */
static void descend_part(wend__rim_walk *walk, const square *at, unsigned part, uint32_t label) {
    const wend__inside *inside = at->area->inside;
    const int32_t half = 1 << (at->level - 1);
    const square below = {at->area->parts[part], at->level - 1, at->column + (int32_t)(part & 1) * half,
                          at->row + (int32_t)(part >> 1) * half};
    for (uint32_t i = inside->starts[part]; i < inside->starts[part + 1]; i++)
        if (inside->u.to[i] == label) descend(walk, &below, i - inside->starts[part]);
}

/* Visits the nearest part first, as its result prunes others. */
static void descend(wend__rim_walk *walk, const square *at, uint32_t label) {
    if (!is_wanted(walk, cost_through(walk, box_of(at))) || !spend_expansions(walk, AREA)) return;
    if (at->level <= WEND__BLOCK_SHIFT && !lacks_land(walk->version, at)) return;
    if (at->level == 0) {
        add_chunk_rim(walk, at, label);
        return;
    }
    const int32_t half = 1 << (at->level - 1 + WEND__CHUNK_SHIFT);
    const wend_cell first = box_of(at).min;
    const unsigned near = (unsigned)(walk->start.x >= first.x + half) | (unsigned)(walk->start.y >= first.y + half)
                                                                            << 1;
    for (unsigned i = 0; i < 4; i++)
        if (at->area->parts[near ^ i]) descend_part(walk, at, near ^ i, label);
}

/* Starts at the area in which the component is closed. */
static void add_component(wend__rim_walk *walk, uint64_t component) {
    const wend__version *view = walk->view;
    const int32_t level = (int32_t)(component >> 60);
    const uint64_t area = component >> 32 & ((UINT64_C(1) << 28) - 1), columns = (uint64_t)view->chunk_columns;
    square at = {view->labels, wend__labels_top(view), 0, 0};
    const int32_t column = (int32_t)(area % columns) << level, row = (int32_t)(area / columns) << level;
    for (int32_t i = at.level; i > level; i--)
        at.area = at.area->parts[(column >> (i - 1) & 1) | (row >> (i - 1) & 1) << 1];
    at.level = level, at.column = column, at.row = row;
    descend(walk, &at, (uint32_t)component);
}

/* A link with one end beyond leads out or in: components count links as if they led both ways. */
static void add_links(wend__rim_walk *walk, uint64_t name) {
    const wend__links *links = walk->version->links;
    for (uint32_t i = 0; links && i < links->count && spend_expansions(walk, LINK); i++) {
        if (!wend__link_serves(walk->view, &links->sorted[i])) continue;
        const wend_cell ends[2] = {wend__cell_of_number(walk->version, links->sorted[i].from),
                                   wend__cell_of_number(walk->version, links->sorted[i].to)};
        for (unsigned k = 0; k < 2; k++) {
            const bool leads = wend__cell_factor(walk->view, ends[k]) > 0;
            if (leads && wend__component_name(walk->view, ends[k]) == name) wend__rim_add_place(walk, ends[1 - k]);
        }
    }
}

void wend__rim_add_component(wend__rim_walk *walk, uint64_t name) {
    const wend__link_components *linked = walk->view->link_components;
    bool alone = true;
    for (size_t i = 0; linked && i < linked->count; i++)
        if (linked->of[i].name == name) {
            add_component(walk, linked->of[i].component);
            alone = false;
        }
    if (alone) add_component(walk, name);
    add_links(walk, name);
}
