/* SPDX-License-Identifier: MIT */
/* Connected components of graphs: computed at once, and updated where a batch changed edges or opened nodes. */
#include "map/kinds/graph.h"
#include "map/regions/regions.h"
#include "map/store/memory.h"
#include "map/store/sort.h"
#include "map/store/terrain.h"

static uint64_t open_nodes(const wend__version *v, size_t word) {
    const wend__chunk *chunk = wend__version_chunk(v, (int32_t)(word >> 6), 0);
    return v->graph->blocks[word >> 6]->present[word & 63] &
           wend__open_row(v->rules.factors, chunk, (unsigned)(word & 63));
}

static bool is_open(const wend__node_regions *nodes, uint32_t node) {
    return wend__nodes_open(nodes, node >> 6) >> (node & 63) & 1;
}

/* ---- memory ---- */

static size_t bytes_of(uint32_t pages) {
    return sizeof(wend__node_regions) + pages * sizeof((wend__node_regions *)0)->page[0];
}

void wend__node_regions_free(wend_map *map, wend__node_regions *nodes) {
    if (!nodes) return;
    wend__mutex_lock(map->mutex);
    for (uint32_t i = 0; i < nodes->pages; i++) wend__shared_down(map->family, nodes->page[i]);
    wend__shared_down(map->family, nodes->names);
    wend__mutex_unlock(map->mutex);
    wend__map_free(map, nodes, bytes_of(nodes->pages));
}

static wend__node_regions *alloc_nodes(wend_map *map, uint32_t pages) {
    wend__node_regions *nodes = wend__map_alloc(map, bytes_of(pages));
    if (nodes) memset(nodes, 0, bytes_of(pages));
    if (nodes) nodes->pages = pages;
    return nodes;
}

/* ---- all at once ---- */

static void unite_edges(const wend__graph *graph, const wend__node_regions *nodes, uint32_t *parents) {
    for (uint32_t node = 0; node < graph->nodes; node++) {
        if (!is_open(nodes, node)) continue;
        for (wend__arcs arcs = wend__graph_arcs(graph, node); arcs.first != arcs.end; arcs.first++)
            if (is_open(nodes, arcs.first->to)) wend__set_unite(parents, node, arcs.first->to);
    }
}

/* parents have lower indices, and so have their number already */
static uint32_t number_components(const wend__graph *graph, const wend__node_regions *nodes, uint32_t *parents) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < graph->nodes; node++)
        if (is_open(nodes, node)) parents[node] = parents[node] == node ? count++ : parents[parents[node]];
    return count;
}

/* A page for each chunk; those without open nodes share one. */
static wend_error make_pages(const wend__version *version, wend__node_regions *nodes) {
    wend__node_labels *blank = NULL;
    for (uint32_t i = 0; i < nodes->pages; i++) {
        uint64_t open[WEND__CHUNK_SIDE], any = 0;
        for (unsigned k = 0; k < WEND__CHUNK_SIDE; k++) any |= open[k] = open_nodes(version, (size_t)i << 6 | k);
        if (!any && blank) {
            nodes->page[i] = wend__shared_retain(version->map, blank);
            continue;
        }
        nodes->page[i] = wend__shared_create(version->map, sizeof *nodes->page[i]);
        if (!nodes->page[i]) return WEND_OUT_OF_MEMORY;
        memcpy(nodes->page[i]->open, open, sizeof open);
        if (!any) blank = nodes->page[i];
    }
    return WEND_OK;
}

wend_error wend__node_regions_create(const wend__version *version, wend__node_regions **out) {
    wend_map *map = version->map;
    const wend__graph *graph = version->graph;
    const size_t bytes = graph->nodes * sizeof(uint32_t);
    wend__node_regions *nodes = alloc_nodes(map, (uint32_t)version->chunk_columns);
    uint32_t *parents = nodes ? wend__map_alloc(map, bytes) : NULL;
    if (!parents || make_pages(version, nodes)) {
        wend__map_free(map, parents, parents ? bytes : 0);
        wend__node_regions_free(map, nodes);
        return WEND_OUT_OF_MEMORY;
    }
    for (uint32_t node = 0; node < graph->nodes; node++) parents[node] = node;
    unite_edges(graph, nodes, parents);
    nodes->count = nodes->labels = number_components(graph, nodes, parents);
    for (uint32_t node = 0; node < graph->nodes; node++)
        if (is_open(nodes, node)) nodes->page[node >> 12]->label[node & 4095] = parents[node];
    wend__map_free(map, parents, bytes);
    *out = nodes;
    return WEND_OK;
}

/* ---- changes of a batch ---- */

typedef struct ends {
    uint32_t a, b;
} ends;

typedef struct update {
    wend_map *map;
    const wend__version *version;
    const wend__graph *before, *now;
    wend__node_regions *nodes;
    ends *parted; ///< ends of removed edges without another edge between them
    size_t parted_count, parted_room;
    ends *joined;
    size_t joined_count, joined_room;
    uint32_t *opened;
    size_t opened_count, opened_room;
    uint32_t *seen[2], *queue[2]; ///< nodes followed from each end: a hash table of numbers + 1, and the list
    size_t seen_room[2], queue_room[2], queue_count[2];
    uint64_t left; ///< nodes that may still be followed before it is cheaper to begin again
    bool full;     ///< out of memory
} update;

static bool list_pair(update *u, ends **list, size_t *count, size_t *room, ends pair) {
    ends *longer = wend__map_grown(u->map, *list, *count, room, sizeof pair);
    if (!longer) return !(u->full = true);
    *list = longer;
    longer[(*count)++] = pair;
    return true;
}

static bool touch(const wend__graph *graph, uint32_t a, uint32_t b) {
    return wend__graph_leads(graph, a, b) || wend__graph_leads(graph, b, a);
}

static bool list_change(void *context, uint32_t from, uint32_t to, uint32_t before, uint32_t now) {
    update *u = context;
    const ends pair = {from, to};
    if (from == to || (before > 0) == (now > 0)) return true;
    if (now > 0) return list_pair(u, &u->joined, &u->joined_count, &u->joined_room, pair);
    return touch(u->now, from, to) || list_pair(u, &u->parted, &u->parted_count, &u->parted_room, pair);
}

/* Lists nodes that opened. False: some closed, or memory ran out. */
static bool list_opened(update *u, wend__dirty *const *dirty) {
    const wend__version *v = u->version;
    for (int32_t column = 0; column < v->chunk_columns; column++) {
        if (!wend__dirty_rows(v, dirty, column, 0)) continue;
        for (size_t word = (size_t)column << 6; word < ((size_t)column + 1) << 6; word++) {
            const uint64_t was = wend__nodes_open(u->nodes, word), is = open_nodes(v, word);
            if (was & ~is) return false;
            for (uint64_t left = is & ~was; left; left &= left - 1) {
                uint32_t *list = wend__map_grown(u->map, u->opened, u->opened_count, &u->opened_room, sizeof *list);
                if (!list) return !(u->full = true);
                u->opened = list;
                list[u->opened_count++] = (uint32_t)(word << 6) | wend__ctz64(left);
            }
        }
    }
    return true;
}

/* ---- labels ---- */

static wend__node_labels *own_page(update *u, uint32_t node) {
    wend__node_labels **at = &u->nodes->page[node >> 12];
    wend__mutex_lock(u->map->mutex);
    const bool own = (*at)->shared.references == 1;
    wend__mutex_unlock(u->map->mutex);
    if (own) return *at;
    wend__node_labels *copy = wend__shared_copy(u->map, *at);
    if (!copy) return NULL;
    wend__shared_release(u->map, *at);
    return *at = copy;
}

static bool set_label(update *u, uint32_t node, uint32_t label) {
    wend__node_labels *page = own_page(u, node);
    if (!page) return !(u->full = true);
    page->open[node >> 6 & 63] |= UINT64_C(1) << (node & 63);
    page->label[node & 4095] = label;
    return true;
}

/* Makes names of its own, with room for as many more labels as there may be. */
static bool own_names(update *u, uint32_t more) {
    wend__node_regions *nodes = u->nodes;
    const size_t count = (size_t)nodes->labels + more;
    wend__label_names *names = wend__shared_alloc(u->map, sizeof *names + count * sizeof names->of[0], false);
    if (!names) return !(u->full = true);
    for (uint32_t i = 0; i < count; i++) names->of[i] = nodes->names && i < nodes->labels ? nodes->names->of[i] : i;
    wend__shared_release(u->map, nodes->names);
    nodes->names = names;
    return true;
}

static void unite(update *u, uint32_t a, uint32_t b) {
    if (!is_open(u->nodes, a) || !is_open(u->nodes, b)) return;
    const uint32_t first = u->nodes->page[a >> 12]->label[a & 4095], other = u->nodes->page[b >> 12]->label[b & 4095];
    u->nodes->count -= wend__set_unite(u->nodes->names->of, first, other);
}

static void unite_node(update *u, uint32_t node) {
    uint32_t count;
    const uint32_t *sources = wend__graph_sources_of(u->now, node, &count);
    for (wend__arcs arcs = wend__graph_arcs(u->now, node); arcs.first != arcs.end; arcs.first++)
        unite(u, node, arcs.first->to);
    for (uint32_t i = 0; i < count; i++) unite(u, node, sources[i]);
}

static bool join_all(update *u) {
    for (size_t i = 0; i < u->opened_count; i++) {
        if (!set_label(u, u->opened[i], u->nodes->labels++)) return false;
        u->nodes->count++;
    }
    for (size_t i = 0; i < u->opened_count; i++) unite_node(u, u->opened[i]);
    for (size_t i = 0; i < u->joined_count; i++) unite(u, u->joined[i].a, u->joined[i].b);
    for (uint32_t i = 0; i < u->nodes->labels; i++) /* parents have lower indices */
        u->nodes->names->of[i] = u->nodes->names->of[u->nodes->names->of[i]];
    return true;
}

/* ---- parting ---- */

enum { FIRST_SEEN = 256 };

static bool has_seen(const update *u, int side, uint32_t node) {
    const size_t mask = u->seen_room[side] - 1;
    for (size_t at = (node * UINT32_C(2654435769) >> 7) & mask; u->seen[side][at]; at = (at + 1) & mask)
        if (u->seen[side][at] == node + 1) return true;
    return false;
}

static void put_seen(uint32_t *seen, size_t room, uint32_t node) {
    size_t at = (node * UINT32_C(2654435769) >> 7) & (room - 1);
    while (seen[at]) at = (at + 1) & (room - 1);
    seen[at] = node + 1;
}

static bool grow_seen(update *u, int side) {
    const size_t room = u->seen_room[side] ? 4 * u->seen_room[side] : FIRST_SEEN;
    uint32_t *seen = wend__map_alloc(u->map, room * sizeof *seen);
    if (!seen) return !(u->full = true);
    memset(seen, 0, room * sizeof *seen);
    for (size_t i = 0; i < u->queue_count[side]; i++) put_seen(seen, room, u->queue[side][i]);
    wend__map_free(u->map, u->seen[side], u->seen_room[side] * sizeof *seen);
    u->seen[side] = seen, u->seen_room[side] = room;
    return true;
}

static bool follow(update *u, int side, uint32_t node) {
    if (!is_open(u->nodes, node) || (u->seen_room[side] && has_seen(u, side, node))) return true;
    if (2 * (u->queue_count[side] + 1) > u->seen_room[side] && !grow_seen(u, side)) return false;
    uint32_t *queue =
        wend__map_grown(u->map, u->queue[side], u->queue_count[side], &u->queue_room[side], sizeof *queue);
    if (!queue) return !(u->full = true);
    u->queue[side] = queue;
    queue[u->queue_count[side]++] = node;
    put_seen(u->seen[side], u->seen_room[side], node);
    return true;
}

/* Follows all edges of a node, in either direction. *met: one leads to a node that was seen from the other end. */
static bool follow_edges(update *u, int side, uint32_t node, bool *met) {
    uint32_t count;
    const uint32_t *sources = wend__graph_sources_of(u->now, node, &count);
    for (wend__arcs arcs = wend__graph_arcs(u->now, node); arcs.first != arcs.end && !*met; arcs.first++) {
        *met = has_seen(u, !side, arcs.first->to);
        if (!*met && !follow(u, side, arcs.first->to)) return false;
    }
    for (uint32_t i = 0; i < count && !*met; i++) {
        *met = has_seen(u, !side, sources[i]);
        if (!*met && !follow(u, side, sources[i])) return false;
    }
    return true;
}

static void forget_seen(update *u, int side) {
    if (u->seen_room[side] > 4 * FIRST_SEEN) { /* clearing the table would take longer than making it */
        wend__map_free(u->map, u->seen[side], u->seen_room[side] * sizeof *u->seen[side]);
        u->seen[side] = NULL, u->seen_room[side] = 0;
    } else if (u->seen_room[side]) {
        memset(u->seen[side], 0, u->seen_room[side] * sizeof *u->seen[side]);
    }
    u->queue_count[side] = 0;
}

/* Follows both ends alternately. False: too many nodes, or out of memory. *side: the fully known one; -1: they met. */
static bool meet(update *u, ends pair, int *side) {
    size_t next[2] = {0, 0};
    bool met = false;
    forget_seen(u, 0), forget_seen(u, 1);
    if (!follow(u, 0, pair.a) || !follow(u, 1, pair.b)) return false;
    for (int turn = 0;; turn = !turn) {
        *side = turn;
        if (next[turn] == u->queue_count[turn]) return true;
        if (u->left == 0) return false;
        u->left--;
        if (!follow_edges(u, turn, u->queue[turn][next[turn]++], &met)) return false;
        *side = -1;
        if (met) return true;
    }
}

static bool part_all(update *u) {
    wend__node_regions *nodes = u->nodes;
    for (size_t i = 0; i < u->parted_count; i++) {
        const ends pair = u->parted[i];
        int side;
        if (!is_open(nodes, pair.a) || !is_open(nodes, pair.b)) continue;
        if (wend__node_component(nodes, pair.a) != wend__node_component(nodes, pair.b)) continue;
        if (!meet(u, pair, &side)) return false;
        if (side < 0) continue;
        for (size_t k = 0; k < u->queue_count[side]; k++)
            if (!set_label(u, u->queue[side][k], nodes->labels)) return false;
        nodes->labels++, nodes->count++;
    }
    return true;
}

/* ---- together ---- */

static void free_lists(update *u) {
    wend__map_free(u->map, u->parted, u->parted_room * sizeof *u->parted);
    wend__map_free(u->map, u->joined, u->joined_room * sizeof *u->joined);
    wend__map_free(u->map, u->opened, u->opened_room * sizeof *u->opened);
    for (int side = 0; side < 2; side++) {
        wend__map_free(u->map, u->seen[side], u->seen_room[side] * sizeof *u->seen[side]);
        wend__map_free(u->map, u->queue[side], u->queue_room[side] * sizeof *u->queue[side]);
    }
}

static bool copy_nodes(update *u, const wend__node_regions *old) {
    wend__node_regions *nodes = alloc_nodes(u->map, old->pages);
    if (!nodes) return !(u->full = true);
    nodes->count = old->count, nodes->labels = old->labels, nodes->names = old->names;
    memcpy(nodes->page, old->page, old->pages * sizeof nodes->page[0]);
    wend__mutex_lock(u->map->mutex);
    for (uint32_t i = 0; i < nodes->pages; i++) wend__shared_up(nodes->page[i]);
    wend__shared_up(nodes->names);
    wend__mutex_unlock(u->map->mutex);
    u->nodes = nodes;
    return true;
}

/* Labels are used up: as many again as there are nodes mean that all are to be numbered again. */
static bool has_labels(const update *u, const wend__node_regions *old) {
    const uint64_t more = (uint64_t)u->opened_count + u->parted_count;
    return old->labels + more <= UINT64_C(2) * u->now->nodes + WEND__CHUNK_CELLS;
}

wend_error wend__node_regions_update(const wend__version *version, const wend__node_regions *old,
                                     wend__dirty *const *dirty, const wend__graph *before, wend__node_regions **out,
                                     bool *same) {
    update u = {.map = version->map, .version = version, .before = before, .now = version->graph};
    *out = NULL, *same = false;
    u.left = (uint64_t)u.now->present_count / 4 + 1000;
    u.nodes = (wend__node_regions *)old; /* only read so far */
    bool good = list_opened(&u, dirty) && wend__graph_compare(before, u.now, list_change, &u);
    *same = good && u.opened_count + u.joined_count + u.parted_count == 0;
    u.nodes = NULL;
    if (good && !*same && has_labels(&u, old)) {
        good = copy_nodes(&u, old) && own_names(&u, (uint32_t)(u.opened_count + u.parted_count)) && join_all(&u) &&
               part_all(&u);
        if (good) *out = u.nodes;
    }
    if (!*out) wend__node_regions_free(u.map, u.nodes);
    free_lists(&u);
    return u.full ? WEND_OUT_OF_MEMORY : WEND_OK;
}
