/* SPDX-License-Identifier: MIT */
/* Costs by place in a field: the layers of its profile are frozen when it begins, and added up to one cost a cell. */
#include "field/field_state.h"
#include "map/store/memory.h"
#include "map/version/layers.h"

#include <string.h>

/* Expansions that the sum of a chunk counts as, and each layer of it. */
enum { CELLS = 4096, FOLD = 24, FOLD_A_LAYER = 16 };

static const wend__profile *profile_of(const wend_field *f) {
    return wend__profile_of(f->def.map, f->def.profile);
}

static bool has_walls(const wend__layers *layers, const wend__profile *profile) {
    for (uint32_t i = 0; i < profile->count; i++)
        if (layers->layers[profile->weights[i].layer]->within > 0) return true;
    return false;
}

uint32_t wend__field_most_toll(const wend_field *f) {
    return f->tolls ? wend__layers_most(profile_of(f)) : 0;
}

void wend__field_drop_layers(wend_field *f) {
    if (f->layers) wend__shared_release(f->def.map, f->layers);
    f->layers = NULL;
}

void wend__field_freeze_layers(wend_field *f) {
    wend__field_drop_layers(f);
    if (!f->tolls) return;
    f->layers = wend__layers_acquire(f->def.map);
    f->minds_walls = has_walls(f->layers, profile_of(f));
}

void wend__field_fold_layers(wend_field *f, uint32_t chunk) {
    WEND__DEBUG_ASSERT(f->tolls && f->layers && chunk < f->chunks);
    uint32_t *tolls = f->tolls + ((size_t)chunk << 12);
    const wend__place place = {(int32_t)(chunk % f->columns), (int32_t)(chunk / f->columns), 0};
    const wend__profile *profile = profile_of(f);
    if (!wend__layers_touch(f->layers, profile, f->version, place)) {
        memset(tolls, 0, CELLS * sizeof *tolls);
        return;
    }
    wend__layers_fold(f->layers, profile, f->version, place, tolls);
    f->owed += FOLD + FOLD_A_LAYER * profile->count;
}
