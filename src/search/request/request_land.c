/* SPDX-License-Identifier: MIT */
/* Decides by components alone whether land that is not loaded could matter to a request.
 *
 * A way through that land leaves the start's component over the rim of loaded land, and enters the goal's over it.
 * If one of them has no rim there, no chunk could bring a way. */
#include "search/request/request_land.h"

#include "map/components/components.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/version/map.h"
#include "search/request/leg.h"

static void note_start(wend__rim_walk *walk, wend_cell start) {
    if (wend__rim_add_place(walk, start)) return;
    if (wend__cell_factor(walk->view, start)) {
        wend__rim_add_component(walk, wend__component_name(walk->view, start));
        return;
    }
    /* A blocked start that is left belongs to no component, but its steps and links may lead into some. */
    uint32_t count = 0;
    const wend__links *links = walk->version->links;
    const wend__link *link = links ? wend__links_from(links, wend__cell_number(walk->version, start), &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const wend_cell to = wend__cell_of_number(walk->version, link[i].to);
        if (!wend__link_serves(walk->view, &link[i])) continue;
        if (!wend__rim_add_place(walk, to) && wend__cell_factor(walk->view, to))
            wend__rim_add_component(walk, wend__component_name(walk->view, to));
    }
    wend__rim_add_cell(walk, start);
    for (int32_t y = start.y - 1; y <= start.y + 1; y++)
        for (int32_t x = start.x - 1; x <= start.x + 1; x++)
            if (wend__on_map(walk->view, x, y) && wend__version_factor(walk->view, x, y))
                wend__rim_add_component(walk, wend__component_name(walk->view, (wend_cell){x, y, 0}));
}

/* ---- goals ---- */

static wend_box box_within(const wend__version *v, wend_cell goal, int32_t reach) {
    const wend_cell low = {goal.x > reach ? goal.x - reach : 0, goal.y > reach ? goal.y - reach : 0, 0};
    const wend_cell high = {goal.x < v->width - reach ? goal.x + reach : v->width - 1,
                            goal.y < v->height - reach ? goal.y + reach : v->height - 1, 0};
    return (wend_box){low, high};
}

static bool is_spent(const wend__rim_walk *walk) {
    return walk->taken >= WEND__RIM_MOST;
}

/* Neighbouring cells mostly belong to one component, which is examined once. */
static bool ends_at_rim(wend__rim_walk *walk, wend_cell goal, int32_t reach) {
    const wend_box box = box_within(walk->view, goal, reach);
    uint64_t before = WEND_NO_LIMIT;
    for (int32_t y = box.min.y; y <= box.max.y; y++)
        for (int32_t x = box.min.x; x <= box.max.x; x++) {
            const wend_cell cell = {x, y, 0};
            walk->taken++;
            if (is_spent(walk) || wend__rim_add_place(walk, cell)) return true;
            if (!wend__version_factor(walk->view, x, y)) continue;
            const uint64_t name = wend__component_name(walk->view, cell);
            if (name != before) wend__rim_add_component(walk, name);
            if (walk->count > 0 || is_spent(walk)) return true;
            before = name;
        }
    return false;
}

bool wend__request_meets_unloaded(const wend__version *version, const wend__request *request, uint64_t *taken) {
    if (!wend__version_lacks_land(version)) return false;
    wend__rim_walk walk = wend__rim_walk_of(version, request->mover);
    walk.any = true;
    note_start(&walk, request->start);
    *taken += walk.taken;
    if (walk.count == 0 && !is_spent(&walk)) return false;
    bool ends = false;
    walk.taken = 0;
    for (uint32_t i = 0; !ends && i <= request->more_goal_count; i++) {
        walk.count = 0;
        ends = ends_at_rim(&walk, i == 0 ? request->goal : request->more_goals[i - 1], request->reach);
    }
    *taken += walk.taken;
    return ends;
}

/* Returns whether a far layer contains a way through known land, or will once it is up to date. */
static bool goes_by_layer(const wend__version *view, const wend__request *request) {
    if (request->unloaded != WEND_UNLOADED_KNOWN || request->mode == WEND_MODE_NEAREST) return false;
    if (!request->map->streamed || !view->far || request->more_goal_count > 0) return false;
    if (wend__cell_factor(view, request->start) == 0) return false;
    const wend_cell goal = request->goal;
    return wend__cell_factor(view, goal) > 0 ||
           wend__version_chunk(view, goal.x >> WEND__CHUNK_SHIFT, goal.y >> WEND__CHUNK_SHIFT)->land == WEND_LAND_KNOWN;
}

bool wend__request_passes_known(const wend__version *view, const wend__request *request) {
    return goes_by_layer(view, request) && !wend__leg_hooks.is_stale(view->far);
}

bool wend__request_awaits_layer(const wend__version *version, const wend__request *request) {
    const wend__version *view = wend__version_view(version, request->mover);
    return version->known > 0 && goes_by_layer(view, request) && wend__leg_hooks.is_stale(view->far);
}

/* ---- the chunks ---- */

uint32_t wend__request_beyond(const wend__version *version, const wend__request *request, uint64_t below,
                              wend__beyond out[WEND__MOST_BEYOND], uint64_t *taken) {
    if (!wend__version_lacks_land(version)) return 0;
    wend_cell goals[WEND_MAX_GOALS] = {request->goal};
    for (uint32_t i = 0; i < request->more_goal_count; i++) goals[i + 1] = request->more_goals[i];
    wend__rim_walk walk = wend__rim_walk_of(version, request->mover);
    walk.start = request->start;
    walk.goals = goals;
    walk.goal_count = request->more_goal_count + 1;
    walk.reach = request->reach;
    walk.below = below;
    wend__rim_add_place(&walk, request->start);
    for (uint32_t i = 0; i < walk.goal_count; i++) wend__rim_add_place(&walk, goals[i]);
    if (walk.count == 0) note_start(&walk, request->start);
    *taken += walk.taken;
    memcpy(out, walk.found, walk.count * sizeof *out);
    return walk.count;
}
