/* SPDX-License-Identifier: MIT */
/* What links connect: components that are one as soon as links count, weakly, as if all led both ways. */
#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/components/link_components.h"
#include "map/edit/edit.h"
#include "map/links/links.h"
#include "map/regions/regions.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

typedef struct naming {
    uint64_t component, name;
} naming;

struct wend__joined {
    uint32_t references; ///< guarded by the map's mutex
    size_t count;
    size_t bytes;
    naming of[]; ///< by component: those that some link joins with another
};

/* Does a link connect two components, both its ends being open? `ends` may be written to either way. */
static bool connects(const wend__version *version, const wend__way *way, uint64_t *ends) {
    wend_cell from = wend__cell_of_number(version, way->from), to = wend__cell_of_number(version, way->to);
    if (!wend__cell_factor(version, from) || !wend__cell_factor(version, to)) return false;
    ends[0] = wend__component_of(version, from);
    ends[1] = wend__component_of(version, to);
    return ends[0] != ends[1];
}

static size_t unique(uint64_t *numbers, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!kept || numbers[kept - 1] != numbers[i]) numbers[kept++] = numbers[i];
    return kept;
}

static size_t index_of(const uint64_t *numbers, size_t count, uint64_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t root_of(uint64_t *parents, uint64_t i) {
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
}

/* Of two roots the lower is the root of both, so a set is named by its lowest component. */
static void unite(uint64_t *parents, uint64_t a, uint64_t b) {
    a = root_of(parents, a), b = root_of(parents, b);
    if (a < b) parents[b] = a;
    if (b < a) parents[a] = b;
}

/* `sorted` holds the components of all pairs; `parents` has room for as many numbers. */
static wend_error name_all(wend_map *map, const uint64_t *ends, size_t pairs, uint64_t *sorted, uint64_t *parents,
                           wend__joined **out) {
    wend__sort_numbers(sorted, parents, 2 * pairs);
    size_t count = unique(sorted, 2 * pairs), bytes = sizeof(wend__joined) + count * sizeof(naming);
    wend__joined *joined = wend__map_alloc(map, bytes);
    if (!joined) return WEND_OUT_OF_MEMORY;
    joined->references = 1;
    joined->count = count;
    joined->bytes = bytes;
    for (size_t i = 0; i < count; i++) parents[i] = i;
    for (size_t i = 0; i < pairs; i++)
        unite(parents, index_of(sorted, count, ends[2 * i]), index_of(sorted, count, ends[2 * i + 1]));
    for (size_t i = 0; i < count; i++) joined->of[i] = (naming){sorted[i], sorted[root_of(parents, i)]};
    *out = joined;
    return WEND_OK;
}

static wend_error join(wend_map *map, const uint64_t *ends, size_t pairs, wend__joined **out) {
    size_t bytes = 4 * pairs * sizeof(uint64_t);
    uint64_t *sorted = wend__map_alloc(map, bytes);
    if (!sorted) return WEND_OUT_OF_MEMORY;
    memcpy(sorted, ends, bytes / 2);
    wend_error error = name_all(map, ends, pairs, sorted, sorted + 2 * pairs, out);
    wend__map_free(map, sorted, bytes);
    return error;
}

/* All links are asked once, as that is what takes the time. */
wend_error wend__links_join(const wend__version *version, wend__joined **out) {
    const wend__links *links = version->links;
    wend__joined *joined = NULL;
    if (!links) {
        *out = NULL;
        return WEND_OK;
    }
    wend_map *map = version->map;
    size_t pairs = 0, bytes = (size_t)links->count * 2 * sizeof(uint64_t);
    uint64_t *ends = wend__map_alloc(map, bytes);
    if (!ends) return WEND_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < links->count; i++) pairs += connects(version, &links->ways[i], ends + 2 * pairs);
    wend_error error = pairs ? join(map, ends, pairs, &joined) : WEND_OK;
    wend__map_free(map, ends, bytes);
    if (!error) *out = joined; /* else what was there stays: its holder gives it back */
    return error;
}

/* ---- do they stand? ---- */

/* The numbers of all cells in chunks that a batch touched lie from the first up to the last of these. */
static void touched_numbers(const wend__version *v, wend__marks *const *marks, uint32_t *first, uint32_t *last) {
    int32_t top = v->height, bottom = -1, low = v->depth, high = -1; /* rows and layers */
    unsigned shift = v->kind == WEND_KIND_VOXEL ? WEND__VOXEL_SHIFT : WEND__CHUNK_SHIFT;
    for (size_t b = 0; b < wend__version_blocks(v); b++)
        for (unsigned i = 0; marks[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!marks[b]->rows[i]) continue;
            int32_t row = wend__chunk_place(v, b, i).row;
            int32_t y = row % v->chunk_y << shift, z = row / v->chunk_y << shift, end = (1 << shift) - 1;
            if (y < top) top = y;
            if (y + end > bottom) bottom = y + end;
            if (z < low) low = z;
            if (z + end > high) high = z + end;
        }
    if (bottom >= v->height) bottom = v->height - 1;
    if (high >= v->depth) high = v->depth - 1;
    *first = 1, *last = 0; /* none */
    if (bottom < 0) return;
    *first = wend__cell_number(v, (wend_cell){0, top, low});
    *last = wend__cell_number(v, (wend_cell){v->width - 1, bottom, high});
}

/* Is the end of a link blocked, or of that component, as it was? */
static bool end_stands(const wend__version *now, const wend__version *before, wend__marks *const *marks,
                       uint32_t number) {
    wend_cell cell = wend__cell_of_number(now, number);
    wend__place p = wend__place_of(now, cell);
    if (!wend__rows_written(now, marks, p.column, p.row)) return true;
    bool open = wend__cell_factor(now, cell) != 0;
    if (open != (wend__cell_factor(before, cell) != 0)) return false;
    return !open || wend__component_of(now, cell) == wend__component_of(before, cell);
}

bool wend__joined_stands(const wend__version *now, const wend__version *before, wend__marks *const *marks) {
    const wend__links *links = now->links;
    if (links != before->links) return false;
    if (!links || (now->graph && now->regions == before->regions)) return true;
    bool alike = now->kind == WEND_KIND_GRID ? wend__labels_alike(now, before->labels)
                                             : wend__regions_alike(now->regions, before->regions);
    if (!alike) return false;
    uint32_t first, last;
    touched_numbers(now, marks, &first, &last);
    for (uint32_t i = 0; i < links->count; i++) {
        const wend__way *way = &links->ways[i];
        if (way->from >= first && way->from <= last && !end_stands(now, before, marks, way->from)) return false;
        if (way->to >= first && way->to <= last && !end_stands(now, before, marks, way->to)) return false;
    }
    return true;
}

/* ---- who holds them, and what they say ---- */

wend__joined *wend__joined_retain(wend_map *map, wend__joined *joined) {
    if (joined) wend__hold(map, &joined->references);
    return joined;
}

void wend__joined_release(wend_map *map, wend__joined *joined) {
    if (joined && wend__let_go(map, &joined->references)) wend__map_free(map, joined, joined->bytes);
}

uint64_t wend__joined_component(const wend__version *version, uint64_t component) {
    const wend__joined *joined = version->joined;
    if (!joined) return component;
    size_t low = 0, high = joined->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (joined->of[middle].component < component)
            low = middle + 1;
        else
            high = middle;
    }
    return low < joined->count && joined->of[low].component == component ? joined->of[low].name : component;
}

/* ---- as derived data ---- */

void wend__link_components_share(wend__version *version, const wend__version *from) {
    version->joined = wend__joined_retain(version->map, from->joined);
}

void wend__link_components_drop(wend__version *version) {
    wend__joined_release(version->map, version->joined);
    version->joined = NULL;
}

/* The draft has what its base's links join. */
int32_t wend__link_components_renew(wend_edit *edit, uint32_t changes) {
    if (!changes && edit->base && wend__joined_stands(edit->draft, edit->base, edit->marks)) return WEND_OK;
    wend__joined *old = edit->draft->joined;
    wend_error error = wend__links_join(edit->draft, &edit->draft->joined);
    if (!error) wend__joined_release(edit->map, old);
    return error;
}
