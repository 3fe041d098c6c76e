/* SPDX-License-Identifier: MIT */
/* Movers of a map: adding and reading them, and references to their views. */
#include "map/movers/views.h"
#include <wend/ways.h>
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/version/map.h"
#include "map/version/validate.h"
#include "map/version/version.h"

const wend__version *wend__version_view(const wend__version *version, int32_t mover) {
    WEND__DEBUG_ASSERT(mover >= 0 && mover < wend__version_movers(version));
    return mover == WEND_MOVER_DEFAULT ? version : version->views->of[mover - 1].view;
}

int32_t wend__version_movers(const wend__version *version) {
    return 1 + (version->views ? version->views->count : 0);
}

int32_t wend__version_mover_size(const wend__version *version, int32_t mover) {
    WEND__DEBUG_ASSERT(mover >= 0 && mover < wend__version_movers(version));
    return mover == WEND_MOVER_DEFAULT ? 1 : version->views->of[mover - 1].mover.size;
}

static bool any_class(const uint64_t bits[4]) {
    return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
}

int32_t wend__version_bolder(const wend__version *version, int32_t mover) {
    return mover > 0 && any_class(version->views->of[mover - 1].mover.shunned) ? mover + 1 : -1;
}

int32_t wend__version_way_out(const wend__version *version, int32_t mover) {
    const int32_t bolder = wend__version_bolder(version, mover);
    if (mover == WEND_MOVER_DEFAULT) return -1;
    const wend_mover *own = &version->views->of[mover - 1].mover;
    if (!any_class(own->avoided)) return bolder;
    int32_t like = own->like;
    while (like > 0 &&
           (any_class(version->views->of[like - 1].mover.avoided) || wend__version_bolder(version, like) > 0))
        like = version->views->of[like - 1].mover.like;
    if (like < 0) return bolder;
    const bool walks = like > 0 && version->views->of[like - 1].mover.walker;
    return wend__version_mover_size(version, like) == own->size && walks == (own->walker != 0) ? like : bolder;
}

int32_t wend__map_movers(wend_map *map) {
    wend__mutex_lock(map->mutex);
    int32_t movers = wend__version_movers(map->newest);
    wend__mutex_unlock(map->mutex);
    return movers;
}

wend_error wend__check_mover_below(int32_t movers, int32_t mover) {
    if (mover >= 0 && mover < movers) return WEND_OK;
    return wend__refuse(WEND_BAD_ARGUMENT, "mover is %d, but the map has movers 0 to %d: wend_map_add_mover() adds one",
                        mover, movers - 1);
}

wend_error wend__check_mover(const wend_map *map, int32_t mover) {
    return wend__check_mover_below(wend__map_movers((wend_map *)map), mover);
}

/* ---- references ---- */

static size_t views_bytes(int32_t count) {
    const wend__views *views = NULL;
    return sizeof *views + (size_t)count * sizeof views->of[0];
}

wend__views *wend__views_create(wend_map *map, int32_t count) {
    wend__views *views = wend__shared_create(map, views_bytes(count));
    if (views) views->count = count;
    return views;
}

wend__version *wend__view_retain(wend_map *map, wend__version *view) {
    wend__mutex_lock(map->mutex);
    view->references++;
    wend__mutex_unlock(map->mutex);
    return view;
}

void wend__view_release(wend_map *map, wend__version *view) {
    WEND__DEBUG_ASSERT(!view || view->references > 0);
    if (!view) return;
    wend__mutex_lock(map->mutex);
    const bool last = --view->references == 0;
    wend__mutex_unlock(map->mutex);
    if (!last) return;
    view->map = map; /* any map that shares data with this one may free the view */
    wend__version_free(view);
}

void wend__views_release(wend_map *map, wend__views *views) {
    if (!wend__shared_drop(map, views)) return;
    WEND__DEBUG_ASSERT(views);
    for (int32_t i = 0; i < views->count; i++) wend__view_release(map, views->of[i].view);
    wend__shared_free(map, views);
}

/* ---- as derived data ---- */

void wend__views_share(wend__version *version, const wend__version *from) {
    version->views = wend__shared_retain(version->map, from->views);
}

void wend__views_drop(wend__version *version) {
    wend__views_release(version->map, version->views);
    version->views = NULL;
}

/* ---- adding a mover ---- */

static wend_mover default_mover(const wend_map_rules *rules) {
    wend_mover mover = {.struct_bytes = sizeof mover, .size = 1, .step_up = 1, .drop = 1, .headroom = 2, .like = -1};
    memcpy(mover.factors, rules->factors, sizeof mover.factors);
    return mover;
}

void wend_mover_init(wend_mover *mover, size_t bytes) {
    const wend_map_rules rules = wend__rules_default();
    const wend_mover own = default_mover(&rules);
    wend__sized_init(mover, bytes, &own, sizeof own);
}

static wend_error check_walker(const wend_map *map, const wend_mover *mover) {
    if (map->kind != WEND_KIND_VOXEL)
        return wend__refuse(WEND_BAD_ARGUMENT, "a walker needs a voxel map: elsewhere all movers stay on the ground");
    if (mover->size != 1)
        return wend__refuse(WEND_BAD_ARGUMENT, "mover.size is %d, but must be 1 of a walker", mover->size);
    wend_error error = wend__check_range("mover.step_up", mover->step_up, 0, WEND_MAX_LEVELS);
    if (!error) error = wend__check_range("mover.drop", mover->drop, 0, WEND_MAX_LEVELS);
    return error ? error : wend__check_range("mover.headroom", mover->headroom, 1, WEND_MAX_HEADROOM);
}

static bool has_class(const uint64_t bits[4], unsigned class) {
    return bits[class / 64] >> class % 64 & 1;
}

static wend_error check(const wend_map *map, const wend_mover *mover) {
    wend_error error = wend__check_range("mover.walker", mover->walker, 0, 1);
    if (!error && mover->like >= 0) error = wend__check_mover(map, mover->like);
    if (!error && mover->like < -1) error = wend__check_range("mover.like", mover->like, -1, WEND_MAX_MOVERS - 1);
    if (error || mover->walker) return error ? error : check_walker(map, mover);
    if (mover->size == 1) return WEND_OK;
    if (map->kind != WEND_KIND_GRAPH) {
        const wend_error range = wend__check_range("mover.size", mover->size, 1, WEND_MAX_MOVER_SIZE);
        return range ? range : wend__check_squares(map, "movers larger than a cell");
    }
    return wend__refuse(WEND_BAD_ARGUMENT, "mover.size is %d, but must be 1 on a graph", mover->size);
}

/* Makes the draft's views, with one more. */
static wend_error append(wend_edit *edit, const wend_mover *mover) {
    wend_map *map = edit->map;
    wend__views *old = edit->draft->views;
    int32_t count = old ? old->count : 0;
    wend__views *all = wend__views_create(map, count + 1);
    if (!all) return WEND_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        all->of[i] = old->of[i];
        wend__view_retain(map, all->of[i].view);
    }
    all->of[count].mover = *mover;
    const uint32_t links = count + 1 < WEND_LINK_MOVERS ? UINT32_C(2) << count : 0;
    const uint32_t others = mover->like < 0 ? 0 : wend__version_view(edit->draft, mover->like)->link_movers;
    wend_error error = wend__view_build(edit->draft, mover, links | others, &all->of[count].view);
    if (error) {
        wend__views_release(map, all);
        return error;
    }
    wend__views_release(map, old);
    edit->draft->views = all;
    return WEND_OK;
}

/* ---- changing one ---- */

/* Makes the draft's views, with another one for the mover. */
static wend_error replace(wend_edit *edit, int32_t mover, wend__version *view) {
    wend_map *map = edit->map;
    wend__views *old = edit->draft->views, *all = wend__views_create(map, old->count);
    if (!all) return WEND_OUT_OF_MEMORY;
    for (int32_t i = 0; i < old->count; i++) {
        all->of[i] = old->of[i];
        wend__view_retain(map, i == mover - 1 ? view : all->of[i].view);
    }
    all->of[mover - 1].view = view;
    wend__views_release(map, old);
    edit->draft->views = all;
    return WEND_OK;
}

/* The copy has all derived data: `fn` changes some, and the others stay. */
wend_error wend__view_change(wend_edit *edit, int32_t mover, wend__view_fn *fn, void *context) {
    wend_map *map = edit->map;
    if (mover == WEND_MOVER_DEFAULT) return fn(edit, context);
    wend__version *view = wend__version_copy(edit->draft->views->of[mover - 1].view, map, WEND__ROWS_ALL);
    wend_edit *own = wend__scratch_edit_create(map, view);
    if (!own) return WEND_OUT_OF_MEMORY;
    wend_error error = fn(own, context);
    own->draft = NULL;
    wend__scratch_edit_free(own);
    view->map = NULL;
    if (!error) error = replace(edit, mover, view);
    wend__view_release(map, view);
    return error;
}

/* Splits a mover that shuns classes: one that goes round them, and a bolder one that is like it. */
static void split(const wend_mover *mover, int32_t number, wend_mover *own, wend_mover *bolder) {
    *own = *bolder = *mover;
    memset(bolder->shunned, 0, sizeof bolder->shunned);
    bolder->like = number;
    for (unsigned class = 0; class < 256; class++)
        if (has_class(mover->shunned, class)) own->factors[class] = 0;
}

/* The writer's lock is held, so the newest version stays the newest. */
static int32_t add(wend_map *map, const wend_mover *mover, int32_t *id) {
    int32_t next = wend__map_movers(map);
    const bool shuns = any_class(mover->shunned);
    wend_mover own, bolder;
    split(mover, next, &own, &bolder);
    if (next + shuns >= WEND_MAX_MOVERS)
        return wend__refuse(WEND_BAD_ARGUMENT, "the map has %d movers, the most that it can have", WEND_MAX_MOVERS);
    wend_edit *edit;
    wend_error error = wend__edit_create(map, false, &edit);
    if (error) return error;
    wend__derivations_share(edit->draft, edit->base, WEND__ROWS_NOT_IN_VIEWS);
    error = append(edit, &own);
    if (!error && shuns) error = append(edit, &bolder);
    if (!error) error = wend__edit_install(edit, edit->base->epoch, false);
    wend__edit_free(edit);
    if (!error) wend__tap_mover(map, mover, next, &map->newest->rules);
    if (!error) *id = next;
    return error;
}

/* A mover does not enter what it avoids, and need not shun what it does not enter. */
static void clear_idle(wend_mover *mover) {
    for (unsigned class = 0; class < 256; class++) {
        if (has_class(mover->avoided, class)) mover->factors[class] = 0;
        if (mover->factors[class] == 0) mover->shunned[class / 64] &= ~(UINT64_C(1) << class % 64);
    }
}

wend_error wend_map_add_mover(wend_map *map, const wend_mover *mover, int32_t *id) {
    WEND__ALIVE(map, "the map");
    const wend_map_rules rules = wend__rules_default();
    wend_mover own = default_mover(&rules);
    if (!WEND__READ_STRUCT(wend_mover, factors, &own, mover)) return WEND_BAD_ARGUMENT;
    clear_idle(&own);
    wend_error error = check(map, &own);
    if (!error && map->streamed) error = wend__check_blocked_class(own.factors);
    if (error) return error;
    wend__mutex_lock(map->writer);
    int32_t number = 0;
    error = add(map, &own, &number);
    if (!error && id) *id = number;
    wend__mutex_unlock(map->writer);
    return error;
}

/* Returns a mover as it was added: the factors of what it shuns are those of the bolder one. */
static wend_mover added_mover(const wend__views *views, int32_t id) {
    wend_mover mover = views->of[id - 1].mover;
    for (unsigned class = 0; class < 256; class++)
        if (has_class(mover.shunned, class)) mover.factors[class] = views->of[id].mover.factors[class];
    return mover;
}

/* Finds the number of an equal mover, or else adds it. The writer's lock is held, so none comes between. */
static wend_error find_or_add(wend_map *map, const wend_mover *mover, int32_t *id) {
    const wend__views *views = map->newest->views;
    for (int32_t i = 1; views && i <= views->count; i++) {
        const wend_mover one = added_mover(views, i);
        if (memcmp(&one, mover, sizeof one) == 0) return *id = i, WEND_OK;
    }
    return add(map, mover, id);
}

/* Gives a mover some of the classes, and those that it cannot enter anyway are left out: of a walker they may be
   floor, which matters to what is avoided. Returns whether there is any. */
static bool add_classes(const wend_mover *mover, const uint64_t *asked, bool floor, uint64_t bits[4]) {
    bool any = false;
    for (unsigned class = 0; class < 256; class++) {
        const bool idle = has_class(bits, class) || has_class(mover->avoided, class) ||
                          (mover->factors[class] == 0 && !(floor && mover->walker));
        if (idle || !has_class(asked, class)) continue;
        any = true;
        bits[class / 64] |= UINT64_C(1) << class % 64;
    }
    return any;
}

static wend_error find_like(wend_map *map, int32_t mover, wend_mover *own, int32_t *id) {
    wend_error error = WEND_OK;
    own->like = mover;
    clear_idle(own);
    if (map->streamed) error = wend__check_blocked_class(own->factors);
    wend__mutex_lock(map->writer);
    if (!error) error = find_or_add(map, own, id);
    wend__mutex_unlock(map->writer);
    return error;
}

wend_error wend_map_mover_avoiding(wend_map *map, int32_t mover, const uint64_t *avoided, int32_t *id) {
    WEND__ALIVE(map, "the map");
    wend_mover own = {.struct_bytes = sizeof own};
    if (!avoided || !id) return wend__refuse_null(avoided ? "id" : "avoided");
    wend_error error = wend_map_get_mover(map, mover, &own);
    if (error) return error;
    *id = mover;
    return add_classes(&own, avoided, true, own.avoided) ? find_like(map, mover, &own, id) : WEND_OK;
}

wend_error wend_map_mover_shunning(wend_map *map, int32_t mover, const uint64_t *shunned, int32_t *id) {
    WEND__ALIVE(map, "the map");
    wend_mover own = {.struct_bytes = sizeof own};
    if (!shunned || !id) return wend__refuse_null(shunned ? "id" : "shunned");
    wend_error error = wend_map_get_mover(map, mover, &own);
    if (error) return error;
    *id = mover;
    return add_classes(&own, shunned, false, own.shunned) ? find_like(map, mover, &own, id) : WEND_OK;
}

wend_error wend_map_get_mover(const wend_map *map, int32_t id, wend_mover *out) {
    WEND__ALIVE(map, "the map");
    wend__version *v = wend__map_newest(map);
    wend_error error = wend__check_mover_below(wend__version_movers(v), id);
    wend_mover own;
    if (!error) own = id == WEND_MOVER_DEFAULT ? default_mover(&v->rules) : added_mover(v->views, id);
    wend__map_release(v, false);
    if (!error && !WEND__GIVE(wend_mover, factors, out, &own)) error = WEND_BAD_ARGUMENT;
    return error;
}

void wend__views_validate(const wend__version *version) {
    for (int32_t k = 0; version->views && k < version->views->count; k++) {
        const wend__version *view = version->views->of[k].view;
        WEND__ASSERT(!view->map && !view->views && view->links == version->links);
        wend__version_validate(view);
    }
}
