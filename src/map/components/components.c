/* SPDX-License-Identifier: MIT */
/* Connected components: those of a grid by its labels, those of voxels and graphs by their regions. */
#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/components/link_components.h"
#include "map/regions/regions.h"
#include "map/store/memory.h"

/* ---- asking ---- */

uint64_t wend__component_of(const wend__version *view, wend_cell cell) {
    if (view->kind != WEND_KIND_GRID) return wend__regions_of(view, cell);
    wend__component c = wend__version_component(view, cell.x, cell.y);
    return wend__component_number(view, &c);
}

uint64_t wend__version_components(const wend__version *version) {
    if (version->regions) return wend__regions_count(version->regions);
    return version->labels->closed + version->labels->outline->open;
}

uint64_t wend__component_name(const wend__version *view, wend_cell cell) {
    return wend__link_component_name(view, wend__component_of(view, cell));
}

bool wend__components_connect(const wend__version *view, wend_cell a, wend_cell b) {
    uint64_t from = wend__component_of(view, a), to = wend__component_of(view, b);
    if (from == to || !view->link_components) return from == to;
    return wend__link_component_name(view, from) == wend__link_component_name(view, to);
}

/* ---- as derived data ---- */

void wend__components_share(wend__version *version, const wend__version *from) {
    version->labels = wend__shared_retain(version->map, from->labels);
    version->regions = wend__shared_retain(version->map, from->regions);
}

void wend__components_drop(wend__version *version) {
    wend__area_release(version->map, version->labels);
    wend__regions_release(version->map, version->regions);
    version->labels = NULL;
    version->regions = NULL;
}

wend_error wend__components_create(wend__version *version) {
    if (version->kind == WEND_KIND_GRID) return wend__labels_create(version, &version->labels);
    return wend__regions_rebuild(version, NULL, NULL, &version->regions);
}

static int32_t rebuild_labels(wend_edit *edit, bool rebuild) {
    wend__area *old = edit->draft->labels;
    wend_error error =
        wend__labels_rebuild(edit->draft, rebuild ? NULL : old, rebuild ? NULL : edit->dirty, &edit->draft->labels);
    if (!error) wend__area_release(edit->map, old);
    return error;
}

static int32_t rebuild_regions(wend_edit *edit, bool rebuild) {
    wend__regions *old = edit->draft->regions;
    wend_error error =
        wend__regions_rebuild(edit->draft, rebuild ? NULL : old, rebuild ? NULL : edit->dirty, &edit->draft->regions);
    if (!error) wend__regions_release(edit->map, old);
    return error;
}

wend_error wend__components_rebuild(wend_edit *edit, uint32_t changes) {
    const bool rebuild = changes != 0;
    return edit->draft->kind == WEND_KIND_GRID ? rebuild_labels(edit, rebuild) : rebuild_regions(edit, rebuild);
}
