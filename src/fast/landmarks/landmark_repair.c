/* SPDX-License-Identifier: MIT */
/* Repairs landmarks after an edit that brought cells nearer: Dijkstra's algorithm from all new edges at once lowers
 * numbers that are too great, outwards until all fit. The result has the greatest numbers that fit and do not exceed
 * the old ones. Each landmark has a bound on its work; a landmark that needs more is dropped. */

/* Tried: a binary heap: 60 ns a cell, not 35. Distances on a map where corners may be cut survive more edits, and cost
 * 1.43 of the time. To follow closings would take most of the map after mass edits. */
#include "fast/landmarks/landmark_tables.h"
#include "base/heap.h"
#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/store/terrain.h"
#include <wend/host.h>

/* ---- cells that an edit may have brought nearer ---- */

/* Those that opened or became cheaper, where steps opened, and the ends of new links.
 *
 * Closed or more expensive cells never make landmarks wrong. On graphs only links count, as landmarks ignore the
 * classes of nodes. */

static void add_cell(wend__changed_cells *c, const wend__version *now, wend_cell cell) {
    if (c->many || c->full) return;
    if (c->count == c->most) {
        c->many = true;
        return;
    }
    wend_cell *cells = wend__map_grown(now->map, c->cells, c->count, &c->room, sizeof *cells);
    if (!cells) {
        c->full = true;
        return;
    }
    c->cells = cells;
    cells[c->count++] = cell;
}

/* The cell of a place in a chunk; its coordinates may lie off the map. */
static wend_cell cell_of(const wend__version *v, wend__place chunk, uint32_t local) {
    const int32_t column = chunk.column, row = chunk.row, at = (int32_t)local;
    if (v->kind == WEND_KIND_GRID) return (wend_cell){column << 6 | (at & 63), row << 6 | at >> 6, 0};
    const int32_t layer = row / v->chunk_y;
    return (wend_cell){column << 4 | (at & 15), (row - layer * v->chunk_y) << 4 | (at >> 4 & 15), layer << 4 | at >> 8};
}

static bool on_map(const wend__version *v, wend_cell c) {
    return c.x < v->width && c.y < v->height && c.z < v->depth;
}

/* Returns how far a walker can rise in each cell of a chunk; 0 for other movers, and for cells that it cannot enter. */
static const uint8_t *rises_of(const wend__version *v, const wend__chunk *chunk) {
    static const uint8_t none[WEND__CHUNK_CELLS];
    const wend__footing *footing = wend__is_walker(v) ? wend__footing_of(chunk->open) : NULL;
    return footing ? footing->rise : none;
}

static void compare_chunk(wend__changed_cells *c, const wend__chunk *was, const wend__version *now,
                          const wend__chunk *is, wend__place place) {
    uint8_t before[WEND__CHUNK_SIDE], after[WEND__CHUNK_SIDE];
    const uint8_t *factors = now->rules.factors, *rose = rises_of(now, was), *rises = rises_of(now, is);
    for (uint32_t row = 0; row < WEND__CHUNK_SIDE; row++) {
        wend__chunk_row(was, row, before);
        wend__chunk_row(is, row, after);
        const bool same_rises = memcmp(rose + (row << 6), rises + (row << 6), WEND__CHUNK_SIDE) == 0;
        if (was->closed == is->closed && memcmp(before, after, sizeof before) == 0 && same_rises) continue;
        for (uint32_t i = 0; i < WEND__CHUNK_SIDE; i++) {
            const uint32_t local = row << 6 | i, old = factors[before[i]], new = factors[after[i]];
            const uint32_t shut = was->closed ? was->closed->steps[local] : 0;
            const uint32_t shuts = is->closed ? is->closed->steps[local] : 0;
            const bool rose_here = rose[local] != rises[local];
            if (old == new && shut == shuts && !rose_here) continue;
            const wend_cell cell = cell_of(now, place, local);
            if (!on_map(now, cell)) continue;
            c->changes++;
            if ((new > 0 && (old == 0 || new < old || rose_here)) || (shut & ~shuts)) add_cell(c, now, cell);
        }
    }
}

static bool same_chunk(const wend__version *v, const wend__chunk *a, const wend__chunk *b) {
    if (wend__is_walker(v) && a->open != b->open) return false;
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform && a->closed == b->closed;
}

static void compare_cells(wend__changed_cells *c, const wend__version *before, const wend__version *now) {
    const size_t count = wend__version_blocks(now);
    for (size_t b = 0; b < count && now->kind != WEND_KIND_GRAPH; b++) {
        if (before->blocks[b] == now->blocks[b]) continue;
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS && !c->many && !c->full; i++) {
            const wend__chunk *was = &before->blocks[b]->chunks[i], *is = &now->blocks[b]->chunks[i];
            const wend__place place = wend__chunk_place(now, b, i);
            if (!wend__on_table(now, place.column, place.row) || same_chunk(now, was, is)) continue;
            compare_chunk(c, was, now, is, place);
        }
    }
}

static void compare_links(wend__changed_cells *c, const wend__version *before, const wend__version *now,
                          const wend__link_changes *changes) {
    if (before->links == now->links) return;
    c->changes++;
    for (size_t i = 0; changes && i < changes->capacity; i++) {
        const wend__link *link = &changes->slots[i];
        if (link->from == link->to || link->cost == 0) continue;
        add_cell(c, now, wend__cell_of_number(now, link->from));
    }
    for (uint32_t i = 0; !changes && now->links && i < now->links->count; i++) {
        const wend__link *link = &now->links->sorted[i];
        const wend__link *former = wend__links_find(before->links, link->from, link->to);
        const uint32_t cost = former && wend__landmark_counts_link(before, former) ? former->cost : 0;
        if (!wend__landmark_counts_link(now, link)) continue;
        const bool became_seam = cost != link->cost && wend__link_is_seam(link); /* its former cost may be higher */
        if (cost == 0 || cost > link->cost || became_seam) add_cell(c, now, wend__cell_of_number(now, link->from));
    }
}

/* Finds them: cells that differ between two versions and the cells around them, and the ends of links that are new.
 * @param links   how the links differ; NULL: that is not known */
static void find_changes(const wend__version *before, const wend__version *now, const wend__link_changes *links,
                         wend__changed_cells *out) {
    compare_cells(out, before, now);
    compare_links(out, before, now, links);
}

enum {
    COPYING = 16 ///< copying a strip takes as long as this many cells, for each landmark
};
#define INFINITE UINT32_MAX

/* An edge with misfitting ends. */
typedef struct misfit {
    wend_cell a, b;
    uint32_t weight;
} misfit;

/* A cell that was lowered to this number. It may be stale: the cell may have been lowered again. */
typedef struct item {
    uint32_t number;
    wend_cell cell;
} item;

typedef struct repair {
    wend_map *map;
    const wend__version *view;
    wend__landmarks *landmarks; ///< the copy that is written to; before that the original
    unsigned landmark;
    misfit *misfits;
    size_t misfit_count, misfit_room;
    item *heap;
    size_t count, room;
    uint64_t left;    ///< cells that may still be relaxed
    bool full;        ///< out of memory
    bool crowded;     ///< out of memory, or too many links at a cell with a seam
    uint32_t *seen;   ///< numbers + 1 of cells with checked edges, a hash table; 0: free
    size_t seen_most; ///< slots of it - 1
} repair;

static uint32_t number_in(wend__landmark_cell numbers, unsigned landmark) {
    return wend__landmark_has(numbers, landmark) ? wend__landmark_number(numbers, landmark) : INFINITE;
}

static uint32_t number_of(const repair *r, wend_cell cell, unsigned landmark) {
    return number_in(wend__landmark_at(r->landmarks, wend__place_of(r->view, cell)), landmark);
}

/* ---- misfitting edges ---- */

/* Adds misfitting ends. False: out of memory. `here` are the numbers of `a`. */
static bool check_edge(repair *r, wend_cell a, const uint32_t here[WEND__LANDMARK_SLOTS],
                       const wend__landmark_edge *edge) {
    const wend__landmark_cell numbers = wend__landmark_at(r->landmarks, wend__place_of(r->view, edge->to));
    bool fits = true;
    for (uint32_t left = r->landmarks->valid; left && fits; left &= left - 1) {
        const uint32_t from = here[wend__ctz32(left)], to = number_in(numbers, wend__ctz32(left));
        fits = (from > to ? from - to : to - from) <= edge->weight;
    }
    if (fits) return true;
    misfit *misfits = wend__map_grown(r->map, r->misfits, r->misfit_count, &r->misfit_room, sizeof *misfits);
    if (!misfits) return !(r->full = true);
    r->misfits = misfits;
    misfits[r->misfit_count++] = (misfit){a, edge->to, edge->weight};
    return true;
}

/* False: out of memory, or too many links. */
static bool check_edges(repair *r, wend_cell cell) {
    wend__landmark_edge edges[WEND__LANDMARK_EDGES];
    uint32_t here[WEND__LANDMARK_SLOTS];
    const uint32_t count = wend__landmark_edges(r->view, &r->landmarks->scale, cell, edges);
    if (count > WEND__LANDMARK_EDGES) return false;
    for (uint32_t left = count > 0 ? r->landmarks->valid : 0; left; left &= left - 1)
        here[wend__ctz32(left)] = number_of(r, cell, wend__ctz32(left));
    for (uint32_t i = 0; i < count; i++)
        if (!check_edge(r, cell, here, &edges[i])) return false;
    return true;
}

enum { AROUND = 27 };

/* Allocates a slot for each cell around the changed ones. False: out of memory. */
static bool create_seen(repair *r, uint64_t changed) {
    const wend__version *v = r->view;
    const uint64_t all = (uint64_t)v->width * (uint64_t)v->height * (uint64_t)v->depth;
    const uint64_t around = changed * (v->depth > 1 ? AROUND : AROUND / 3), most = around < all ? around : all;
    size_t slots = 64;
    while (slots < 2 * most) slots *= 2;
    r->seen = wend__map_alloc(r->map, slots * sizeof *r->seen);
    if (!r->seen) return !(r->full = true);
    memset(r->seen, 0, slots * sizeof *r->seen);
    r->seen_most = slots - 1;
    return true;
}

/* Returns true the first time that it is called with a cell. */
static bool mark_seen(repair *r, wend_cell cell) {
    const uint32_t key = wend__cell_number(r->view, cell) + 1;
    size_t at = (key * UINT32_C(2654435769) >> 7) & r->seen_most;
    for (; r->seen[at] != 0; at = (at + 1) & r->seen_most)
        if (r->seen[at] == key) return false;
    r->seen[at] = key;
    return true;
}

/* Adds seams that may have opened, or become cheaper. */
static void check_seam(void *context, wend_cell from) {
    repair *r = context;
    if (!r->full && !r->crowded) r->crowded = !check_edges(r, from);
}

/* A cell that opened may also open diagonal steps next to it. */
static bool check_around(repair *r, wend_cell cell) {
    const wend__version *v = r->view;
    for (int32_t i = 0; i < AROUND; i++) {
        const wend_cell at =
            wend__wrapped_cell(v, (wend_cell){cell.x + i % 3 - 1, cell.y + i / 3 % 3 - 1, cell.z + i / 9 - 1});
        const bool on = (uint32_t)at.x < (uint32_t)v->width && (uint32_t)at.y < (uint32_t)v->height &&
                        (uint32_t)at.z < (uint32_t)v->depth;
        if (on && mark_seen(r, at) && !check_edges(r, at)) return false;
    }
    wend__seams_into(v, cell, check_seam, r);
    return !r->crowded;
}

/* ---- lowered cells, in a heap ---- */

#define IS_LESS(r, a, b) ((a).number < (b).number)
WEND__HEAP(lowered, repair *, item, IS_LESS, WEND__HEAP_PUT)

static bool push_item(repair *r, item it) {
    item *heap = wend__map_grown(r->map, r->heap, r->count, &r->room, sizeof *heap);
    if (!heap) return !(r->full = true);
    r->heap = heap;
    lowered_up(r, heap, r->count++, it);
    return true;
}

static item pop_item(repair *r) {
    const item top = r->heap[0], last = r->heap[--r->count];
    lowered_down(r, r->heap, r->count, 0, last);
    return top;
}

static void charge(repair *r, uint64_t cells) {
    r->left -= cells < r->left ? cells : r->left;
}

/* Lowers the end of an edge of that weight from `number`. False: out of memory, or numbers that differ too much. */
static bool reach(repair *r, wend_cell cell, uint32_t number, uint32_t weight) {
    wend__landmarks *l = r->landmarks;
    const uint32_t reached = number + weight;
    if (number == INFINITE || reached >= number_of(r, cell, r->landmark)) return true;
    const wend__place p = wend__place_of(r->view, cell);
    const size_t at = wend__landmark_strip(l, p);
    if (!wend__landmark_is_own(l, at)) charge(r, COPYING * l->count);
    const wend__landmark_fit fit =
        wend__landmark_set(r->map, l, at, p.local & (WEND__STRIP_CELLS - 1), r->landmark, reached);
    r->full = r->full || fit == WEND__LANDMARK_FULL;
    if (fit != WEND__LANDMARK_FITS) return false;
    return push_item(r, (item){reached, cell});
}

/* ---- a single landmark ---- */

/* False: out of memory, too many links, or the bound. */
static bool spread(repair *r) {
    wend__landmark_edge edges[WEND__LANDMARK_EDGES];
    while (r->count > 0) {
        const item from = pop_item(r);
        if (number_of(r, from.cell, r->landmark) != from.number) continue;
        if (r->left == 0) return false;
        charge(r, 1);
        const uint32_t count = wend__landmark_edges(r->view, &r->landmarks->scale, from.cell, edges);
        if (count > WEND__LANDMARK_EDGES) return false;
        for (uint32_t i = 0; i < count; i++)
            if (!reach(r, edges[i].to, from.number, edges[i].weight)) return false;
    }
    return true;
}

static bool mend_one(repair *r) {
    r->count = 0;
    for (size_t i = 0; i < r->misfit_count; i++) {
        const misfit *m = &r->misfits[i];
        if (!reach(r, m->b, number_of(r, m->a, r->landmark), m->weight)) return false;
        if (!reach(r, m->a, number_of(r, m->b, r->landmark), m->weight)) return false;
    }
    return spread(r);
}

static wend_error mend_all(repair *r, wend__landmarks *landmarks, uint64_t most, wend__landmarks **out) {
    wend__landmarks *l = r->landmarks = wend__landmarks_repair_begin(r->map, landmarks);
    if (!l) return WEND_OUT_OF_MEMORY;
    for (uint32_t left = l->valid; left && !r->full; left &= left - 1) {
        r->landmark = wend__ctz32(left);
        r->left = most;
        if (!mend_one(r)) l->valid &= ~(1u << r->landmark);
    }
    const bool keep = !r->full && l->valid;
    if (!keep) wend__landmarks_release(r->map, l);
    *out = keep ? l : NULL;
    return r->full ? WEND_OUT_OF_MEMORY : WEND_OK;
}

/* Repairs landmarks: lowers numbers until the two ends of each changed cell's edges fit. A landmark for which more than
 * `most` cells would be relaxed becomes invalid.
 * @param out   receives the landmarks, with a reference: the same if nothing was to do; NULL: none is valid
 * @return WEND_OK, WEND_OUT_OF_MEMORY
 * Cost: O((most + changed cells) x count), O(cells / 1024), and copying the strips written to. */
static wend_error repair_landmarks(wend_map *map, const wend__version *view, wend__landmarks *landmarks,
                                   const wend__changed_cells *changed, uint64_t most, wend__landmarks **out) {
    repair r = {.map = map, .view = view, .landmarks = landmarks};
    bool fits = view->kind != WEND_KIND_GRAPH || changed->count == 0;
    if (fits && changed->count > 0) fits = create_seen(&r, changed->count);
    for (size_t i = 0; i < changed->count && fits; i++) fits = check_around(&r, changed->cells[i]);
    wend_error error = r.full ? WEND_OUT_OF_MEMORY : WEND_OK;
    *out = NULL;
    if (fits && r.misfit_count > 0) {
        error = mend_all(&r, landmarks, most, out);
    } else if (fits) {
        *out = wend__shared_retain(map, landmarks);
    }
    wend__map_free(map, r.seen, r.seen ? (r.seen_most + 1) * sizeof *r.seen : 0);
    wend__map_free(map, r.misfits, r.misfit_room * sizeof *r.misfits);
    wend__map_free(map, r.heap, r.room * sizeof *r.heap);
    return error;
}

/* ---- graphs ---- */

/* A new or cheaper edge may not fit the numbers of its ends, and then makes the landmark invalid. Removed or
 * more expensive edges leave all as they are. */

typedef struct edge_check {
    const wend__landmarks *landmarks;
    uint32_t valid;   ///< slots that fit all edges so far
    uint64_t changes; ///< edges that differ
} edge_check;

/* Numbers are costs in units of `rate`, rounded down. So costs differ by less than one unit more than numbers. */
static bool fits_edge(const edge_check *c, uint32_t from, uint32_t to, uint32_t cost) {
    const uint64_t rate = c->landmarks->scale.rate >> WEND__LANDMARK_FRACTION;
    return to <= from || ((uint64_t)(to - from) + 1) * rate - 1 <= cost;
}

static bool check_slot(const edge_check *c, unsigned slot, uint32_t a, uint32_t b, uint32_t cost) {
    if (a == INFINITE || b == INFINITE) return false;
    if (!c->landmarks->directed) return fits_edge(c, a, b, cost) && fits_edge(c, b, a, cost);
    return slot & 1 ? fits_edge(c, b, a, cost) : fits_edge(c, a, b, cost);
}

static bool check_changed(void *context, uint32_t from, uint32_t to, uint32_t before, uint32_t now) {
    edge_check *c = context;
    const wend__place a = {(int32_t)(from >> 12), 0, from & 4095}, b = {(int32_t)(to >> 12), 0, to & 4095};
    c->changes++;
    if (now == 0 || (before > 0 && before <= now)) return true;
    const wend__landmark_cell here = wend__landmark_at(c->landmarks, a), there = wend__landmark_at(c->landmarks, b);
    for (uint32_t left = c->valid; left; left &= left - 1) {
        const unsigned slot = wend__ctz32(left);
        if (!check_slot(c, slot, number_in(here, slot), number_in(there, slot), now)) c->valid &= ~(1u << slot);
    }
    return c->valid != 0;
}

/* Keeps the landmarks with numbers that fit all edges, with a reference; NULL: none. Added or removed nodes are found
 * by their edges. */
static wend_error keep_fitting(wend_map *map, wend__landmarks *landmarks, const wend__graph *before,
                               const wend__graph *now, uint64_t *changes, wend__landmarks **out) {
    edge_check c = {.landmarks = landmarks, .valid = landmarks->valid};
    (void)wend__graph_compare(before, now, check_changed, &c);
    *changes += c.changes;
    *out = NULL;
    if (c.valid == 0) return WEND_OK;
    if (c.valid == landmarks->valid) {
        *out = wend__shared_retain(map, landmarks);
        return WEND_OK;
    }
    *out = wend__landmarks_repair_begin(map, landmarks);
    if (!*out) return WEND_OUT_OF_MEMORY;
    (*out)->valid = c.valid;
    return WEND_OK;
}

/* ---- landmarks of versions and views ---- */

enum { FEW_CHANGES = 4096, LOOKS = 8 }; /* changed cells that are examined; a cell of the effort pays for 8 of them */

/* ---- references ---- */

/* A view's map is known only to its version; maps that share data share a mutex. */
void wend__landmarks_share(wend__version *version, const wend__version *from) {
    if (!from->landmarks) return;
    version->landmarks = wend__shared_retain(version->map, from->landmarks);
    version->landmarks_age = from->landmarks_age;
    version->landmarks_changes = from->landmarks_changes;
}

void wend__landmarks_drop(wend__version *version) {
    wend__landmarks_release(version->map, version->landmarks);
    version->landmarks = NULL;
    version->landmarks_age = version->landmarks_changes = 0;
}

/* ---- after an edit ---- */

static bool same_rules(const wend_map_rules *a, const wend_map_rules *b) {
    return wend__rules_cost_alike(a, b) && a->cost_space == b->cost_space && a->neighbours == b->neighbours &&
           a->corners == b->corners && memcmp(a->factors, b->factors, sizeof a->factors) == 0;
}

static size_t most_changes(uint64_t effort) {
    const uint64_t most = effort < UINT64_MAX / LOOKS ? LOOKS * effort : UINT64_MAX;
    return most < FEW_CHANGES ? FEW_CHANGES : most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

wend_error wend__landmarks_carry(wend_map *map, wend__landmarks *landmarks, const wend__version *before,
                                 wend__version *draft, const wend__link_changes *links, uint64_t *changes) {
    const uint64_t effort = atomic_load_explicit(&map->landmark_effort, memory_order_relaxed);
    wend__landmarks_drop(draft);
    if (!landmarks || !same_rules(&before->rules, &draft->rules)) return WEND_OK;
    wend__changed_cells cells = {.most = most_changes(effort)};
    find_changes(before, draft, links, &cells);
    wend_error error = cells.full ? WEND_OUT_OF_MEMORY : WEND_OK;
    const bool edges = draft->graph && before->graph != draft->graph;
    if (!error && edges && cells.count == 0)
        error = keep_fitting(map, landmarks, before->graph, draft->graph, &cells.changes, &draft->landmarks);
    else if (!error && !cells.many && !edges)
        error = repair_landmarks(map, draft, landmarks, &cells, effort, &draft->landmarks);
    wend__map_free(map, cells.cells, cells.room * sizeof *cells.cells);
    *changes = cells.changes;
    return error;
}

/* Landmarks may have been made since the batch began: those of the newest version count. A view's edit begins with the
   newest view; the edit of a new view has none before. */
wend_error wend__landmarks_rebuild(wend_edit *edit, uint32_t rules) {
    const wend__version *before = edit->base && edit->base->map ? edit->map->newest : edit->base;
    uint64_t changes = 0;
    if (!before) return WEND_OK;
    (void)rules; /* the rules are compared here */
    wend_error error =
        wend__landmarks_carry(edit->map, before->landmarks, before, edit->draft, edit->changed_links, &changes);
    if (edit->draft->landmarks)
        wend__landmarks_set_age(edit->draft, before->landmarks_age, before->landmarks_changes, changes);
    else if (before->landmarks && !error)
        wend__log(WEND_LOG_WARNING, WEND_OK,
                  "an edit has cost a map its landmarks: searches expand more until wend_map_maintain() or "
                  "wend_map_accelerate() has made them again");
    return error;
}
