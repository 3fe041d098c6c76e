/* SPDX-License-Identifier: MIT */
/* Connected components: those of a grid by its labels, those of voxels and graphs by their regions. */
#include "map/ground/ground.h"
#include "map/components/components.h"
#include "map/components/labels.h"
#include "map/components/link_components.h"
#include "map/kinds/voxels.h"
#include "map/links/links.h"
#include "map/regions/regions.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/version/validate.h"

/* ---- queries ---- */

uint64_t wend__component_of(const wend__version *view, wend_cell cell) {
    WEND__DEBUG_ASSERT(wend__cell_factor(view, cell) > 0);
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
    return wend__regions_rebuild(version, NULL, NULL, NULL, &version->regions);
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
    const wend__graph *graph = edit->base ? edit->base->graph : edit->draft->graph; /* a new view's edit has no base */
    wend_error error = rebuild ? wend__regions_rebuild(edit->draft, NULL, NULL, NULL, &edit->draft->regions)
                               : wend__regions_rebuild(edit->draft, old, edit->dirty, graph, &edit->draft->regions);
    if (!error) wend__regions_release(edit->map, old);
    return error;
}

wend_error wend__components_rebuild(wend_edit *edit, uint32_t changes) {
    const bool rebuild = changes != 0;
    return edit->draft->kind == WEND_KIND_GRID ? rebuild_labels(edit, rebuild) : rebuild_regions(edit, rebuild);
}

/* ---- correct where they report "no way": a step, an edge or a link never leads from one component to another ---- */

#ifdef WEND_DEBUG

static void validate_step(const wend__version *version, wend_cell from, wend_cell to) {
    if (!wend__cell_factor(version, from) || !wend__cell_factor(version, to)) return;
    WEND__ASSERT(wend__components_connect(version, from, to));
}

static void validate_steps(const wend__version *v, wend_cell cell) {
    if (!wend__cell_factor(v, cell)) return;
    const uint32_t flat = v->kind == WEND_KIND_GRID ? wend__version_steps(v, cell.x, cell.y) : 0;
    for (uint32_t left = flat; left; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        validate_step(v, cell, (wend_cell){cell.x + wend__dx[d], cell.y + wend__dy[d], 0});
    }
    const uint32_t space = v->kind == WEND_KIND_VOXEL ? wend__voxel_steps(v, cell) : 0;
    for (uint32_t left = space; left; left &= left - 1) {
        const unsigned d = wend__ctz32(left);
        validate_step(v, cell, (wend_cell){cell.x + wend__sx[d], cell.y + wend__sy[d], cell.z + wend__sz[d]});
    }
}

/* Reads a sample of cells and of links. */
void wend__components_validate(const wend__version *version) {
    enum { CELLS = 128, LINKS = 64 };
    for (uint32_t k = 0; version->kind != WEND_KIND_GRAPH && k < CELLS; k++)
        validate_steps(version, wend__sample_cell(version, k));
    const uint32_t links = version->links ? version->links->count : 0;
    for (uint32_t k = 0, by = links / LINKS + 1; k < links; k += by) {
        const wend__link *link = &version->links->sorted[k];
        if (!wend__link_cost(version, link)) continue;
        validate_step(version, wend__cell_of_number(version, link->from), wend__cell_of_number(version, link->to));
    }
}

#else

void wend__components_validate(const wend__version *version) {
    (void)version;
}

#endif
