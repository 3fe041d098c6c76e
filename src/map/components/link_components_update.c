/* SPDX-License-Identifier: MIT */
/* Link components after a batch, from those before. Components outside the touched chunks keep their cells, but may get
 * other names, be merged or be cut into parts. A comparison of both versions' components shows this. These
 * are checked again:
 * - links that end in a touched chunk, or that the batch changed;
 * - in a cut component, links that end in parts whose name differs from that of most of its cells now. */
#include "map/components/labels.h"
#include "base/heap.h"
#include "map/components/link_components.h"
#include "map/regions/regions.h"
#include "map/store/memory.h"

#include <string.h>

/* ---- comparing components before and after a batch, by the cells in chunks that the batch did not touch ---- */

/// Cells of untouched chunks that are in one component before a batch, and in one after it.
typedef struct same_cells {
    uint64_t before, now;                     ///< the components, as wend__component_of() names them
    uint64_t weight;                          ///< approximate number of such cells
    int32_t column, row, end_column, end_row; ///< the chunks of the table that contain all of them; ends are exclusive
} same_cells;

typedef wend_error same_cells_fn(void *context, const same_cells *cells);

typedef struct comparison {
    const wend__version *now, *before;
    wend__dirty *const *dirty;
    same_cells_fn *fn;
    void *context;
} comparison;

/* ---- grids: areas that both trees share hang off the paths down to the touched chunks ---- */

/* An area of both trees, with the names of its labels' components, which end here or in an area above. */
typedef struct pair {
    const wend__area *before, *now;
    int32_t level, column, row; /* level, column and row, in chunks */
    const uint64_t *before_names, *now_names;
} pair;

static uint64_t own_name(const comparison *c, const pair *p, uint32_t label) {
    const wend__component here = {p->level, p->column >> p->level, p->row >> p->level, label};
    return wend__component_number(c->now, &here);
}

/* Visits the labels of a shared part: each is a set of cells in one component before and now. */
static wend_error report_labels(const comparison *c, const pair *p, const uint32_t *before_to, const uint32_t *now_to,
                                const uint64_t *before_names, const uint64_t *now_names) {
    int32_t side = 1 << p->level, right = p->column + side, below = p->row + side;
    same_cells cells = {.weight = UINT64_C(1) << 2 * p->level, .column = p->column, .row = p->row};
    cells.end_column = right < c->now->chunk_columns ? right : c->now->chunk_columns;
    cells.end_row = below < c->now->chunk_rows ? below : c->now->chunk_rows;
    for (uint32_t label = 0; label < p->now->outline->open; label++) {
        cells.before = before_names[before_to[label]], cells.now = now_names[now_to[label]];
        wend_error error = c->fn(c->context, &cells);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error compare_parts(const comparison *c, const pair *p);

/* Visits a part on the way to a touched chunk: its labels get their names from the area above. */
static wend_error descend(const comparison *c, pair *p, const uint32_t *before_to, const uint32_t *now_to,
                          const uint64_t *before_names, const uint64_t *now_names) {
    uint32_t before = p->before->inside->labels, now = p->now->inside->labels;
    size_t bytes = ((size_t)before + now) * sizeof(uint64_t);
    uint64_t *names = bytes ? wend__map_alloc(c->now->map, bytes) : NULL;
    if (bytes && !names) return WEND_OUT_OF_MEMORY;
    WEND__DEBUG_ASSERT(names || (!before && !now));
    for (uint32_t i = 0; i < before; i++)
        names[i] = i < p->before->outline->open ? before_names[before_to[i]] : own_name(c, p, i);
    for (uint32_t i = 0; i < now; i++)
        names[before + i] = i < p->now->outline->open ? now_names[now_to[i]] : own_name(c, p, i);
    p->before_names = names, p->now_names = names + before;
    wend_error error = compare_parts(c, p);
    wend__map_free(c->now->map, names, bytes);
    return error;
}

static wend_error compare_parts(const comparison *c, const pair *p) {
    int32_t half = p->level > 0 ? 1 << (p->level - 1) : 0, error = WEND_OK;
    for (unsigned i = 0; i < 4 && p->level > 0 && !error; i++) {
        pair part = {.before = p->before->parts[i],
                     .now = p->now->parts[i],
                     .level = p->level - 1,
                     .column = p->column + (int32_t)(i & 1) * half,
                     .row = p->row + (int32_t)(i >> 1) * half};
        if (!part.now) continue;
        const uint32_t *before_to = p->before->inside->u.to + p->before->inside->starts[i];
        const uint32_t *now_to = p->now->inside->u.to + p->now->inside->starts[i];
        if (part.before == part.now)
            error = report_labels(c, &part, before_to, now_to, p->before_names, p->now_names);
        else if (part.level > 0)
            error = descend(c, &part, before_to, now_to, p->before_names, p->now_names);
    }
    return error;
}

/* Names the whole map's components, which all end in its area. */
static wend_error compare_grids(const comparison *c) {
    if (wend__labels_alike(c->now, c->before->labels)) return WEND_OK;
    pair whole = {.before = c->before->labels, .now = c->now->labels, .level = wend__labels_top(c->now)};
    uint32_t before = whole.before->inside->labels, now = whole.now->inside->labels;
    size_t bytes = ((size_t)before + now) * sizeof(uint64_t);
    uint64_t *names = bytes ? wend__map_alloc(c->now->map, bytes) : NULL;
    if (bytes && !names) return WEND_OUT_OF_MEMORY;
    WEND__DEBUG_ASSERT(names || (!before && !now));
    for (uint32_t i = 0; i < before; i++) names[i] = own_name(c, &whole, i);
    for (uint32_t i = 0; i < now; i++) names[before + i] = own_name(c, &whole, i);
    whole.before_names = names, whole.now_names = names + before;
    wend_error error = compare_parts(c, &whole);
    wend__map_free(c->now->map, names, bytes);
    return error;
}

/* ---- voxels: the regions of each chunk that touch its rim; the others are components of their own ---- */

static same_cells one_chunk(wend__place chunk) {
    return (same_cells){.weight = 1,
                        .column = chunk.column,
                        .row = chunk.row,
                        .end_column = chunk.column + 1,
                        .end_row = chunk.row + 1};
}

static uint64_t rim_component(const wend__regions *regions, size_t block, unsigned chunk, uint32_t region) {
    return regions->rims->component[regions->rims->base[block] + regions->of[block].regions->first[chunk] + region];
}

static wend_error compare_chunk(const comparison *c, size_t block, unsigned chunk) {
    const wend__regions *before = c->before->regions, *now = c->now->regions;
    const wend__chunk_regions *in_chunk = now->of[block].regions->chunks[chunk];
    same_cells cells = one_chunk(wend__chunk_place(c->now, block, chunk));
    for (uint32_t region = 0; in_chunk && region < in_chunk->rim; region++) {
        cells.before = rim_component(before, block, chunk, region);
        cells.now = rim_component(now, block, chunk, region);
        wend_error error = c->fn(c->context, &cells);
        if (error) return error;
    }
    return WEND_OK;
}

static wend_error compare_voxels(const comparison *c) {
    if (wend__regions_alike(c->now->regions, c->before->regions)) return WEND_OK;
    for (size_t b = 0; b < c->now->regions->blocks; b++)
        for (unsigned i = 0; i < WEND__BLOCK_CHUNKS; i++) {
            if (c->dirty[b] && c->dirty[b]->rows[i]) continue;
            wend_error error = compare_chunk(c, b, i);
            if (error) return error;
        }
    return WEND_OK;
}

/* ---- graphs: each node ---- */

static wend_error compare_graphs(const comparison *c) {
    const wend__node_regions *before = c->before->regions->nodes, *now = c->now->regions->nodes;
    if (before == now) return WEND_OK;
    for (int32_t column = 0; column < c->now->chunk_columns; column++) {
        if (wend__dirty_rows(c->now, c->dirty, column, 0)) continue;
        same_cells cells = one_chunk((wend__place){column, 0, 0});
        for (size_t word = (size_t)column << 6; word < ((size_t)column + 1) << 6; word++)
            for (uint64_t open = wend__nodes_open(now, word); open; open &= open - 1) {
                size_t node = word << 6 | wend__ctz64(open);
                cells.before = wend__node_component(before, (uint32_t)node),
                cells.now = wend__node_component(now, (uint32_t)node);
                wend_error error = c->fn(c->context, &cells);
                if (error) return error;
            }
    }
    return WEND_OK;
}

/* Calls for all such sets of cells, until one call fails; for none if all untouched cells have the same components as
 * before. Both versions have their labels; `dirty` are those of the batch between them. Components that lie in one
 * untouched chunk alone may be missing.
 * @return WEND_OK, WEND_OUT_OF_MEMORY, or the result of a call
 * Cost: as relabelling after the batch. */
static wend_error compare_components(const wend__version *now, const wend__version *before, wend__dirty *const *dirty,
                                     same_cells_fn *fn, void *context) {
    const comparison c = {now, before, dirty, fn, context};
    if (now->kind == WEND_KIND_GRID) return compare_grids(&c);
    return now->kind == WEND_KIND_VOXEL ? compare_voxels(&c) : compare_graphs(&c);
}

enum { FIRST_SLOTS = 64 };

/* The fate of a component that has cells outside the touched chunks. */
typedef struct change {
    bool used;
    bool cut;             /* some of its cells got another name than `now` */
    uint64_t before, now; /* names */
    uint64_t votes;       /* votes for `now` in the majority vote */
} change;

typedef struct rebuild {
    const wend_edit *edit;
    wend_map *map;
    const wend__version *now, *before;
    const wend__link_components *old; /* NULL: no ties */
    change *changes;                  /* open addressing; a power of two */
    size_t change_count, change_room;
    bool cut;        /* some component was cut */
    bool differs;    /* the ties, or their components, have changed */
    wend__tie *ties; /* ties among the links checked again; may contain one twice */
    size_t tie_count, tie_room;
} rebuild;

/* ---- components after the batch ---- */

static change *slot_of(change *changes, size_t room, uint64_t before) {
    size_t i = (size_t)(before * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (room - 1);
    while (changes[i].used && changes[i].before != before) i = (i + 1) & (room - 1);
    return &changes[i];
}

static wend_error grow(rebuild *r) {
    size_t room = r->change_room ? 2 * r->change_room : FIRST_SLOTS;
    change *larger = wend__map_alloc(r->map, room * sizeof *larger);
    if (!larger) return WEND_OUT_OF_MEMORY;
    memset(larger, 0, room * sizeof *larger);
    for (size_t i = 0; i < r->change_room; i++)
        if (r->changes[i].used) *slot_of(larger, room, r->changes[i].before) = r->changes[i];
    wend__map_free(r->map, r->changes, r->change_room * sizeof *r->changes);
    r->changes = larger;
    r->change_room = room;
    return WEND_OK;
}

/* Boyer and Moore's vote: a name that most of the cells have wins. Any other choice would be correct, but slower. */
static wend_error add_change(void *context, const same_cells *cells) {
    rebuild *r = context;
    if (2 * (r->change_count + 1) > r->change_room && grow(r)) return WEND_OUT_OF_MEMORY;
    change *c = slot_of(r->changes, r->change_room, cells->before);
    if (!c->used) {
        *c = (change){.used = true, .before = cells->before, .now = cells->now};
        r->change_count++;
    }
    if (c->now != cells->now) c->cut = r->cut = true;
    if (c->now == cells->now)
        c->votes += cells->weight;
    else if (c->votes >= cells->weight)
        c->votes -= cells->weight;
    else
        c->votes = cells->weight - c->votes, c->now = cells->now;
    return WEND_OK;
}

static const change *change_of(const rebuild *r, uint64_t component) {
    if (!r->change_room) return NULL;
    const change *c = slot_of(r->changes, r->change_room, component);
    return c->used ? c : NULL;
}

static bool any_renamed(const rebuild *r) {
    for (size_t i = 0; r->old && i < r->change_room; i++) {
        const change *c = &r->changes[i];
        if (c->used && (c->cut || c->now != c->before) && wend__link_components_find(r->old, c->before)) return true;
    }
    return false;
}

/* ---- links to check again ---- */

static const wend__tie *old_tie(const rebuild *r, uint64_t key) {
    size_t low = 0, high = r->old ? r->old->tie_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->old->ties[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return r->old && low < r->old->tie_count && r->old->ties[low].key == key ? &r->old->ties[low] : NULL;
}

static wend_error check_link(rebuild *r, uint64_t key, bool there) {
    wend__tie tie;
    const wend__tie *before = old_tie(r, key);
    bool ties = there && wend__tie_make(r->now, key, &tie);
    if (ties != (before != NULL) || (ties && memcmp(before->ends, tie.ends, sizeof tie.ends) != 0)) r->differs = true;
    if (!ties) return WEND_OK;
    wend__tie *longer = wend__map_grown(r->map, r->ties, r->tie_count, &r->tie_room, sizeof tie);
    if (!longer) return WEND_OUT_OF_MEMORY;
    r->ties = longer;
    r->ties[r->tie_count++] = tie;
    return WEND_OK;
}

/* Finds links that begin or end in chunks of a row, laid end to end. */
static wend_error check_chunks(rebuild *r, uint64_t first, uint64_t count) {
    const wend__links *links = r->now->links;
    wend_error error = WEND_OK;
    for (int entering = 0; links && entering < 2 && !error; entering++) {
        wend__link_list list = wend__links_of_chunks(r->now, links, entering, first, count);
        for (uint32_t i = 0; i < list.count && !error; i++)
            error = check_link(r, wend__link_key(&links->sorted[list.links[i]]), true);
    }
    return error;
}

static wend_error check_touched(rebuild *r) {
    const wend__version *v = r->now;
    for (size_t b = 0; b < wend__version_blocks(v); b++)
        for (unsigned i = 0; r->edit->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!r->edit->dirty[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(v, b, i);
            uint64_t chunk = (uint64_t)p.row * (uint64_t)v->chunk_columns + (uint64_t)p.column;
            if (check_chunks(r, chunk, 1)) return WEND_OUT_OF_MEMORY;
        }
    return WEND_OK;
}

static wend_error check_cut(void *context, const same_cells *cells) {
    rebuild *r = context;
    const change *c = change_of(r, cells->before);
    if (!c->cut || c->now == cells->now) return WEND_OK;
    const uint64_t columns = (uint64_t)r->now->chunk_columns;
    for (int32_t row = cells->row; row < cells->end_row; row++)
        if (check_chunks(r, (uint64_t)row * columns + (uint64_t)cells->column,
                         (uint64_t)(cells->end_column - cells->column)))
            return WEND_OUT_OF_MEMORY;
    return WEND_OK;
}

static wend_error check_changed(rebuild *r) {
    const wend__link_changes *changes = r->edit->changed_links;
    for (size_t i = 0; changes && i < changes->capacity; i++) {
        const wend__link *slot = &changes->slots[i];
        if (slot->from == slot->to) continue; /* free slot */
        if (check_link(r, wend__link_key(slot), slot->cost != 0)) return WEND_OUT_OF_MEMORY;
    }
    return WEND_OK;
}

/* ---- the present ties ---- */

static bool is_touched(const rebuild *r, uint32_t cell) {
    wend__place p = wend__place_of(r->now, wend__cell_of_number(r->now, cell));
    return wend__dirty_rows(r->now, r->edit->dirty, p.column, p.row) != 0;
}

/* Keeps a tie with untouched ends and an unchanged link. Returns false if it is no tie any more. */
static bool carry(const rebuild *r, const wend__tie *old, wend__tie *out) {
    *out = *old;
    for (unsigned i = 0; i < 2; i++) {
        const change *c = change_of(r, old->ends[i]);
        if (c && c->cut) return wend__tie_make(r->now, old->key, out);
        if (c) out->ends[i] = c->now;
    }
    return out->ends[0] != out->ends[1];
}

#define HAS_LESS_KEY(a, b) ((a).key < (b).key)
WEND__HEAP_SORT(sort_ties, wend__tie, HAS_LESS_KEY)

static bool changed_link(const rebuild *r, uint64_t key) {
    return r->edit->changed_links && wend__link_changed(r->edit->changed_links, (uint32_t)(key >> 32), (uint32_t)key);
}

/* Merges both lists in order, each key once. @return how many */
static size_t merge(const rebuild *r, wend__tie *out) {
    size_t count = 0, next = 0;
    WEND__DEBUG_ASSERT(out || (r->tie_count == 0 && (!r->old || r->old->tie_count == 0)));
    for (size_t i = 0; r->old && i < r->old->tie_count; i++) {
        const wend__tie *old = &r->old->ties[i];
        wend__tie tie;
        while (next < r->tie_count && r->ties[next].key < old->key) out[count++] = r->ties[next++];
        if (is_touched(r, (uint32_t)(old->key >> 32)) || is_touched(r, (uint32_t)old->key)) continue;
        if (changed_link(r, old->key) || !carry(r, old, &tie)) continue;
        if (next < r->tie_count && r->ties[next].key == old->key) next++;
        out[count++] = tie;
    }
    while (next < r->tie_count) out[count++] = r->ties[next++];
    return count;
}

static wend_error make(rebuild *r, wend__link_components **out) {
    sort_ties(r->ties, r->tie_count);
    size_t kept = 0;
    for (size_t i = 0; i < r->tie_count; i++)
        if (!kept || r->ties[kept - 1].key != r->ties[i].key) r->ties[kept++] = r->ties[i];
    r->tie_count = kept;
    size_t room = kept + (r->old ? r->old->tie_count : 0);
    wend__tie *all = room ? wend__map_alloc(r->map, room * sizeof *all) : NULL;
    if (room && !all) return WEND_OUT_OF_MEMORY;
    wend_error error = wend__link_components_create(r->map, all, merge(r, all), out);
    wend__map_free(r->map, all, room * sizeof *all);
    return error;
}

static wend_error check_links(rebuild *r) {
    wend_error error = compare_components(r->now, r->before, r->edit->dirty, add_change, r);
    if (!error) error = check_touched(r);
    if (!error) error = check_changed(r);
    if (!error && r->cut) error = compare_components(r->now, r->before, r->edit->dirty, check_cut, r);
    return error;
}

wend_error wend__link_components_update(const wend_edit *edit, wend__link_components **out) {
    const wend__version *now = edit->draft, *before = edit->base;
    rebuild r = {.edit = edit, .map = edit->map, .now = now, .before = before, .old = before->link_components};
    if (!now->links && !before->links) {
        *out = NULL;
        return WEND_OK;
    }
    wend_error error = check_links(&r);
    if (!error && !r.differs && !any_renamed(&r))
        *out = wend__shared_retain(r.map, before->link_components);
    else if (!error)
        error = make(&r, out);
    wend__map_free(r.map, r.changes, r.change_room * sizeof *r.changes);
    wend__map_free(r.map, r.ties, r.tie_room * sizeof *r.ties);
    return error;
}
