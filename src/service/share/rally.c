/* SPDX-License-Identifier: MIT */
/* When one search from a goal pays for all that ask for it.
 *
 * Requests with one goal begin as lone searches. Their rally counts what these spend. As soon as the mean so far, times
 * the requests that are left, exceeds the estimate for one search from the goal, that one is made: at once where the
 * mean is far above, else after the searches so far are a fair sample. A search that goes on counts with what it has
 * spent. All of it follows from counts alone. */
#include "service/share/share.h"

#include "field/many/field_search.h"
#include "map/components/components.h"
#include "map/movers/views.h"
#include "service/memory/memory.h"

enum {
    LEAST = 8,             /* requests */
    CHUNK_EXPANSIONS = 64, /* to clear a chunk of a field */
    SAMPLES = 2048,        /* cells that are looked at */
    SAMPLE_PART = 16,      /* a sample costs such a part of the price */
    FEW = 4,               /* searches begun, */
    CERTAINLY = 4          /* and so many times the price: it is certain to pay */
};

#define GOLDEN UINT32_C(2654435769) /* 2^32 by the golden ratio: its multiples lie evenly */

/* A field knows no starts that are blocked, no weight, and one heuristic. */
static bool may_rally(const wend_service *service, const wend_request *request) {
    return service->share.room_bytes > 0 && request->engine == WEND_ENGINE_AUTO && request->weight_milli == 1000 &&
           request->heuristic == WEND_HEURISTIC_EXACT && request->reach == 0 && request->flags == 0;
}

/* ---- who is there ---- */

static bool is_of(const wend__rally *rally, const wend_request *request) {
    return rally->map == request->map && wend__same_cell(rally->goal, request->goal) && rally->mover == request->mover;
}

static void unlink_bond(wend__share *share, uint32_t index) {
    wend__bond *bonds = share->bonds, *bond = &bonds[index];
    wend__rally *rally = &share->rallies[bond->rally];
    *(bond->earlier != WEND__NONE ? &bonds[bond->earlier].later : &rally->first) = bond->later;
    if (bond->later != WEND__NONE) bonds[bond->later].earlier = bond->earlier;
    bond->rally = WEND__RALLIES;
    if (--rally->count == 0) rally->map = NULL;
}

/* The rally of that goal, or a place for it: a free one, or in turn one of a single request. WEND__RALLIES: none. */
static uint8_t place_for(wend__share *share, const wend_request *request) {
    uint8_t free = WEND__RALLIES;
    for (uint8_t i = 0; i < WEND__RALLIES; i++) {
        if (is_of(&share->rallies[i], request)) return i;
        if (!share->rallies[i].map && free == WEND__RALLIES) free = i;
    }
    if (free < WEND__RALLIES) return free;
    const uint8_t oldest = (uint8_t)(share->oldest++ % WEND__RALLIES);
    if (share->rallies[oldest].count > 1) return WEND__RALLIES;
    unlink_bond(share, share->rallies[oldest].first);
    return oldest;
}

static void link_bond(wend_service *service, uint8_t place, uint32_t index) {
    wend__share *share = &service->share;
    wend__rally *rally = &share->rallies[place];
    wend__bond *bond = &share->bonds[index];
    bond->rally = place;
    bond->counted = service->entries[index].spent;
    bond->earlier = WEND__NONE;
    bond->later = rally->first;
    if (rally->first != WEND__NONE) share->bonds[rally->first].earlier = index;
    rally->first = index;
    rally->count++;
}

void wend__rally_enter(wend_service *service, uint32_t index) {
    const wend_request *request = &service->entries[index].request;
    if (!may_rally(service, request)) return;
    const uint8_t place = place_for(&service->share, request);
    if (place == WEND__RALLIES) return;
    wend__rally *rally = &service->share.rallies[place];
    if (!rally->map)
        *rally = (wend__rally){.map = request->map,
                               .goal = request->goal,
                               .mover = request->mover,
                               .first = WEND__NONE,
                               .serial = WEND_NO_LIMIT};
    link_bond(service, place, index);
}

void wend__rally_leave(wend_service *service, uint32_t index) {
    if (service->share.bonds[index].rally != WEND__RALLIES) unlink_bond(&service->share, index);
}

void wend__rally_replace(wend_service *service, uint32_t before, uint32_t after) {
    const uint8_t place = service->share.bonds[before].rally;
    if (place == WEND__RALLIES) return;
    link_bond(service, place, after);
    unlink_bond(&service->share, before);
}

/* ---- what pays ---- */

void wend__rally_note(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    if (index >= share->buckets || share->bonds[index].rally == WEND__RALLIES) return;
    wend__bond *bond = &share->bonds[index];
    wend__rally *rally = &share->rallies[bond->rally];
    const uint64_t spent = service->entries[index].spent;
    rally->begun += bond->counted == 0 && spent > 0;
    rally->spent += spent - bond->counted;
    bond->counted = spent;
}

/* Cells that the goal, which is open, can be reached from, by samples, and what the field takes for their chunks. One
 * cell of each stretch is looked at, each at a place of its own, as a map may have a pattern. */
static uint64_t price_of(const wend__version *version, int32_t mover, wend_cell goal) {
    const wend__version *view = wend__version_view(version, mover);
    const uint64_t cells = (uint64_t)view->width * (uint64_t)view->height * (uint64_t)view->depth;
    const uint64_t chunks = (uint64_t)view->chunk_rows * (uint64_t)view->chunk_columns;
    const uint64_t stretch = cells / SAMPLES + 1, samples = cells / stretch;
    uint64_t found = 0;
    for (uint64_t i = 0; i < samples; i++) {
        const uint32_t place = (uint32_t)i * GOLDEN;
        const uint64_t number = i * stretch + ((uint64_t)place * stretch >> 32);
        const wend_cell cell = wend__cell_of_number(view, (uint32_t)number);
        if (wend__cell_factor(view, cell) > 0) found += wend__components_connect(view, goal, cell);
    }
    return found * stretch + CHUNK_EXPANSIONS * chunks * found / (samples > 0 ? samples : 1);
}

/* A mean of few searches may be far from that of all. So one search from the goal is made at once only where it is
 * certain to pay, else after a sample worth a part of its price. */
static bool pays_now(const wend__rally *rally) {
    const uint64_t lone = rally->spent * rally->count, once = rally->price * rally->begun;
    if (lone <= once) return false;
    return rally->spent >= rally->price / SAMPLE_PART || (rally->begun >= FEW && lone / CERTAINLY > once);
}

bool wend__rally_pays(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    const uint8_t place = share->bonds[index].rally;
    if (place == WEND__RALLIES || share->field) return false;
    wend__rally *rally = &share->rallies[place];
    wend_map *map = service->entries[index].request.map;
    if (rally->count < LEAST || rally->begun == 0) return false;
    if (rally->spent / rally->begun > UINT64_MAX / 65536 / 65536) return false;
    const wend__version *newest = wend__version_pin(service, map);
    const wend__version *view = wend__version_view(newest, rally->mover);
    if (wend__cell_factor(view, rally->goal) == 0) return false; /* each is refused without a search */
    if (rally->serial != newest->serial) {
        if (!wend__field_fits(map, share->room_bytes)) return false;
        rally->price = price_of(newest, rally->mover, rally->goal);
        rally->serial = newest->serial;
    }
    return pays_now(rally);
}

/* ---- the field ---- */

void wend__rally_begin(wend_service *service, uint32_t index) {
    wend__share *share = &service->share;
    const wend_request *request = &service->entries[index].request;
    share->version = wend__map_acquire(request->map, true);
    wend_map_retain(request->map);
    share->field = wend__field_place(share->room, share->version, request->mover, request->goal);
}

bool wend__rally_has_field(wend_service *service, const wend_request *request) {
    const wend__share *share = &service->share;
    if (share->many == WEND__NONE || !may_rally(service, request)) return false;
    const wend_field *field = share->field;
    return field->def.map == request->map && field->def.mover == request->mover &&
           field->goals[0] == wend__field_id(field, request->goal) &&
           share->version == wend__version_pin(service, request->map);
}

static void close_field(wend__share *share) {
    wend_map *map = share->version->map;
    wend__map_release(share->version, true);
    wend_map_release(map);
    share->version = NULL;
    share->field = NULL;
}

void wend__rally_end(wend_service *service) {
    service->share.many = WEND__NONE;
    if (service->share.holders == 0) close_field(&service->share);
}

void wend__rally_drop_path(wend_service *service) {
    wend__share *share = &service->share;
    if (--share->holders == 0 && share->many == WEND__NONE) close_field(share);
}
