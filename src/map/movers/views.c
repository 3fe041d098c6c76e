/* SPDX-License-Identifier: MIT */
/* Movers of a map: adding them, asking for them, and who holds what they see. */
#include "map/edit/edit.h"
#include "map/edit/publish.h"
#include "map/movers/views.h"
#include "map/store/map_layout.h"
#include "map/store/memory.h"
#include "map/version/derivation.h"
#include "map/version/version.h"

const wend__version *wend__version_ground(const wend__version *version, int32_t mover) {
    return mover == WEND_MOVER_DEFAULT ? version : version->grounds->of[mover - 1].ground;
}

int32_t wend__version_movers(const wend__version *version) {
    return 1 + (version->grounds ? version->grounds->count : 0);
}

int32_t wend__version_mover_size(const wend__version *version, int32_t mover) {
    return mover == WEND_MOVER_DEFAULT ? 1 : version->grounds->of[mover - 1].mover.size;
}

int32_t wend__map_movers(wend_map *map) {
    wend__mutex_lock(map->mutex);
    int32_t movers = wend__version_movers(map->newest);
    wend__mutex_unlock(map->mutex);
    return movers;
}

/* ---- who holds what ---- */

static size_t grounds_bytes(int32_t count) {
    const wend__grounds *grounds = NULL;
    return sizeof *grounds + (size_t)count * sizeof grounds->of[0];
}

wend__grounds *wend__grounds_create(wend_map *map, int32_t count) {
    wend__grounds *grounds = wend__map_alloc(map, grounds_bytes(count));
    if (!grounds) return NULL;
    memset(grounds, 0, grounds_bytes(count));
    grounds->references = 1;
    grounds->count = count;
    return grounds;
}

wend__version *wend__ground_retain(wend_map *map, wend__version *ground) {
    wend__hold(map, &ground->references);
    return ground;
}

void wend__ground_release(wend_map *map, wend__version *ground) {
    if (!ground || !wend__let_go(map, &ground->references)) return;
    ground->map = map; /* of all that share it, the one that is here to give it back */
    wend__version_free(ground);
}

wend__grounds *wend__grounds_retain(wend_map *map, wend__grounds *grounds) {
    if (grounds) wend__hold(map, &grounds->references);
    return grounds;
}

void wend__grounds_release(wend_map *map, wend__grounds *grounds) {
    if (!grounds || !wend__let_go(map, &grounds->references)) return;
    for (int32_t i = 0; i < grounds->count; i++) wend__ground_release(map, grounds->of[i].ground);
    wend__map_free(map, grounds, grounds_bytes(grounds->count));
}

/* ---- as derived data ---- */

void wend__views_share(wend__version *version, const wend__version *from) {
    version->grounds = wend__grounds_retain(version->map, from->grounds);
}

void wend__views_drop(wend__version *version) {
    wend__grounds_release(version->map, version->grounds);
    version->grounds = NULL;
}

/* ---- adding a mover ---- */

static wend_error check(const wend_map *map, const wend_mover *mover) {
    if (!mover || mover->struct_bytes != sizeof *mover) return WEND_BAD_ARGUMENT;
    if (mover->size < 1 || mover->size > WEND_MAX_MOVER_SIZE) return WEND_BAD_ARGUMENT;
    if (map->kind == WEND_KIND_GRAPH && mover->size > 1) return WEND_BAD_ARGUMENT;
    return WEND_OK;
}

/* Those of a draft, and one more. */
static wend_error append(wend_edit *edit, const wend_mover *mover) {
    wend_map *map = edit->map;
    wend__grounds *old = edit->draft->grounds;
    int32_t count = old ? old->count : 0;
    wend__grounds *all = wend__grounds_create(map, count + 1);
    if (!all) return WEND_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        all->of[i] = old->of[i];
        wend__ground_retain(map, all->of[i].ground);
    }
    all->of[count].mover = *mover;
    wend_error error = wend__ground_build(edit->draft, mover, &all->of[count].ground);
    if (error) {
        wend__grounds_release(map, all);
        return error;
    }
    wend__grounds_release(map, old);
    edit->draft->grounds = all;
    return WEND_OK;
}

/* The writer's lock is held, so the newest version stays the newest. */
static int32_t add(wend_map *map, const wend_mover *mover, int32_t *id) {
    int32_t next = wend__map_movers(map);
    if (next >= WEND_MAX_MOVERS) return WEND_BAD_ARGUMENT;
    wend_edit *edit;
    wend_error error = wend__edit_create(map, false, &edit);
    if (error) return error;
    wend__derivations_share(edit->draft, edit->base, WEND__ROWS_NOT_IN_VIEWS);
    error = append(edit, mover);
    if (!error) error = wend__edit_install(edit, edit->base->epoch, true);
    wend__edit_free(edit);
    if (!error && id) *id = next;
    return error;
}

wend_error wend_map_add_mover(wend_map *map, const wend_mover *mover, int32_t *id) {
    wend_error error = check(map, mover);
    if (error) return error;
    wend__mutex_lock(map->writer);
    error = add(map, mover, id);
    wend__mutex_unlock(map->writer);
    return error;
}

wend_error wend_map_get_mover(const wend_map *map, int32_t id, wend_mover *out) {
    wend__version *v = wend__map_look(map);
    wend_error error = id >= 0 && id < wend__version_movers(v) ? WEND_OK : WEND_BAD_ARGUMENT;
    if (!error && id == WEND_MOVER_DEFAULT) {
        *out = (wend_mover){.struct_bytes = sizeof *out, .size = 1};
        memcpy(out->factors, v->rules.factors, sizeof out->factors);
    } else if (!error) {
        *out = v->grounds->of[id - 1].mover;
    }
    wend__map_release(v, false);
    return error;
}
