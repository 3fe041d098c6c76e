/* SPDX-License-Identifier: MIT */
/* Link components: components that links connect, as if every link led both ways. */
#include "map/ground/ground.h"
#include "map/components/components.h"
#include "map/components/link_components.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

/* Returns whether a link is a seam that adds no connection. */
static bool is_idle_seam(const wend__version *version, const wend__link *link, wend_cell from, wend_cell to) {
    const bool seam = version->sheets ? link->cost == WEND__SHEET_SEAM : wend__is_seam(version, from, to);
    return seam && !wend__seam_connects(version, from, to);
}

bool wend__tie_make(const wend__version *version, uint64_t key, wend__tie *out) {
    wend_cell from = wend__cell_of_number(version, (uint32_t)(key >> 32));
    wend_cell to = wend__cell_of_number(version, (uint32_t)key);
    if (!wend__cell_factor(version, from) || !wend__cell_factor(version, to)) return false;
    const wend__link *link = wend__links_find(version->links, (uint32_t)(key >> 32), (uint32_t)key);
    if (!link || !wend__link_serves(version, link) || is_idle_seam(version, link, from, to)) return false;
    *out = (wend__tie){key, {wend__component_of(version, from), wend__component_of(version, to)}};
    return out->ends[0] != out->ends[1];
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

/* Makes the lower of two roots the root of both, so that a set is named by its lowest component. */
static void unite(uint64_t *parents, uint64_t a, uint64_t b) {
    a = root_of(parents, a), b = root_of(parents, b);
    if (a < b) parents[b] = a;
    if (b < a) parents[a] = b;
}

/* `ends` holds two components for each tie; `sorted` the same in any order; `parents` has room for as many numbers. */
static wend_error name_all(wend_map *map, const wend__tie *ties, size_t count, uint64_t *sorted, uint64_t *parents,
                           wend__link_components **out) {
    wend__sort_numbers(sorted, parents, 2 * count);
    size_t names = unique(sorted, 2 * count);
    size_t bytes = sizeof(wend__link_components) + count * sizeof *ties + names * sizeof(wend__link_component);
    wend__link_components *components = wend__shared_create(map, bytes);
    if (!components) return WEND_OUT_OF_MEMORY;
    wend__tie *own = (wend__tie *)(components + 1);
    wend__link_component *of = (wend__link_component *)(own + count);
    *components = (wend__link_components){
        .shared = components->shared, .tie_count = count, .ties = own, .count = names, .of = of};
    memcpy(own, ties, count * sizeof *ties);
    for (size_t i = 0; i < names; i++) parents[i] = i;
    for (size_t i = 0; i < count; i++)
        unite(parents, index_of(sorted, names, ties[i].ends[0]), index_of(sorted, names, ties[i].ends[1]));
    for (size_t i = 0; i < names; i++) of[i] = (wend__link_component){sorted[i], sorted[root_of(parents, i)]};
    *out = components;
    return WEND_OK;
}

wend_error wend__link_components_create(wend_map *map, const wend__tie *ties, size_t count,
                                        wend__link_components **out) {
    if (count == 0) {
        *out = NULL;
        return WEND_OK;
    }
    size_t bytes = 4 * count * sizeof(uint64_t);
    uint64_t *sorted = wend__map_alloc(map, bytes);
    if (!sorted) return WEND_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) sorted[2 * i] = ties[i].ends[0], sorted[2 * i + 1] = ties[i].ends[1];
    wend_error error = name_all(map, ties, count, sorted, sorted + 2 * count, out);
    wend__map_free(map, sorted, bytes);
    return error;
}

wend_error wend__link_components_build(const wend__version *version, wend__link_components **out) {
    const wend__links *links = version->links;
    wend_map *map = version->map;
    wend__tie *ties = NULL;
    size_t count = 0, room = 0;
    wend_error error = WEND_OK;
    for (uint32_t i = 0; links && i < links->count && !error; i++) {
        wend__tie tie;
        if (!wend__tie_make(version, wend__link_key(&links->sorted[i]), &tie)) continue;
        wend__tie *longer = wend__map_grown(map, ties, count, &room, sizeof *ties);
        if (longer)
            ties = longer, ties[count++] = tie;
        else
            error = WEND_OUT_OF_MEMORY;
    }
    if (!error) error = wend__link_components_create(map, ties, count, out); /* on error the old ones stay */
    wend__map_free(map, ties, room * sizeof *ties);
    return error;
}

/* ---- queries ---- */

const wend__link_component *wend__link_components_find(const wend__link_components *components, uint64_t component) {
    size_t low = 0, high = components->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (components->of[middle].component < component)
            low = middle + 1;
        else
            high = middle;
    }
    return low < components->count && components->of[low].component == component ? &components->of[low] : NULL;
}

uint64_t wend__link_component_name(const wend__version *version, uint64_t component) {
    const wend__link_component *found =
        version->link_components ? wend__link_components_find(version->link_components, component) : NULL;
    return found ? found->name : component;
}

/* ---- as derived data ---- */

void wend__link_components_share(wend__version *version, const wend__version *from) {
    version->link_components = wend__shared_retain(version->map, from->link_components);
}

void wend__link_components_drop(wend__version *version) {
    wend__shared_release(version->map, version->link_components);
    version->link_components = NULL;
}

wend_error wend__link_components_rebuild(wend_edit *edit, uint32_t changes) {
    wend__link_components *old = edit->draft->link_components;
    wend_error error = changes || !edit->base ? wend__link_components_build(edit->draft, &edit->draft->link_components)
                                              : wend__link_components_update(edit, &edit->draft->link_components);
    if (!error) wend__shared_release(edit->map, old);
    return error;
}
