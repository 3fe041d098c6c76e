/* SPDX-License-Identifier: MIT */
/* A batch's changes of links: the last one for each pair of cells; and the set of links after the batch. */
#include "map/edit/edit.h"
#include "map/ground/ground.h"
#include "map/store/memory.h"
#include "map/store/sort.h"
#include "map/version/map.h"
#include <wend/ways.h>

enum { FIRST_SLOTS = 16 };

/* ---- a table of changes; a slot with from = to is free ---- */

static bool is_free(const wend__link *slot) {
    return slot->from == slot->to;
}

static size_t hash_of(uint32_t from, uint32_t to) {
    uint64_t hash = ((uint64_t)from << 32 | to) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(hash >> 32);
}

/* Returns the pair's slot, or the free one where it would be. */
static wend__link *slot_of(const wend__link_changes *changes, uint32_t from, uint32_t to) {
    size_t mask = changes->capacity - 1, i = hash_of(from, to) & mask;
    while (!is_free(&changes->slots[i]) && (changes->slots[i].from != from || changes->slots[i].to != to))
        i = (i + 1) & mask;
    return &changes->slots[i];
}

static wend_error grow(wend_map *map, wend__link_changes *changes) {
    wend__link_changes larger = *changes;
    larger.capacity = changes->capacity ? 2 * changes->capacity : FIRST_SLOTS;
    if (larger.capacity > SIZE_MAX / sizeof *larger.slots) return WEND_OUT_OF_MEMORY;
    larger.slots = wend__map_alloc(map, larger.capacity * sizeof *larger.slots);
    if (!larger.slots) return WEND_OUT_OF_MEMORY;
    memset(larger.slots, 0, larger.capacity * sizeof *larger.slots);
    for (size_t i = 0; i < changes->capacity; i++) {
        const wend__link *slot = &changes->slots[i];
        if (!is_free(slot)) *slot_of(&larger, slot->from, slot->to) = *slot;
    }
    wend__map_free(map, changes->slots, changes->capacity * sizeof *changes->slots);
    *changes = larger;
    return WEND_OK;
}

void wend__link_changes_free(wend_map *map, wend__link_changes *changes) {
    wend__map_free(map, changes->slots, changes->capacity * sizeof *changes->slots);
    *changes = (wend__link_changes){0};
}

bool wend__link_changed(const wend__link_changes *changes, uint32_t from, uint32_t to) {
    return changes->capacity && !is_free(slot_of(changes, from, to));
}

/* ---- functions for the host ---- */

/* Returns the link as it is after the batch; cost 0: there is none. */
static wend__link link_now(const wend_edit *edit, uint32_t from, uint32_t to) {
    const wend__link *slot = edit->links.capacity ? slot_of(&edit->links, from, to) : NULL;
    const wend__link *link = slot && !is_free(slot) ? slot : wend__links_find(edit->base->links, from, to);
    return link ? *link : (wend__link){from, to, 0, 0};
}

static uint32_t cost_now(const wend_edit *edit, uint32_t from, uint32_t to) {
    return link_now(edit, from, to).cost;
}

static uint32_t links_now(const wend_edit *edit) {
    uint32_t before = edit->base->links ? edit->base->links->count : 0;
    return (uint32_t)((int64_t)before + edit->links.more);
}

/* Records a link as it is from now on; cost 0: it is gone. */
static wend_error change(wend_edit *edit, wend__link now) {
    const uint32_t from = now.from, to = now.to, cost = now.cost;
    wend__link_changes *changes = &edit->links;
    const wend__link link = link_now(edit, from, to);
    const uint32_t before = link.cost;
    if (before == cost && link.movers == now.movers) return WEND_OK;
    if (!before && links_now(edit) - (edit->base->links ? edit->base->links->seams : 0) >= WEND_MAX_LINKS)
        return wend__refuse(WEND_BAD_ARGUMENT, "the map has %d links, the most that it can have", WEND_MAX_LINKS);
    if (4 * (changes->used + 1) > 3 * changes->capacity && grow(edit->map, changes)) return WEND_OUT_OF_MEMORY;
    wend__link *slot = slot_of(changes, from, to);
    changes->used += is_free(slot);
    changes->more += (cost != 0) - (before != 0);
    *slot = now;
    return WEND_OK;
}

static wend_error check_ends(const wend_edit *edit, wend_cell from, wend_cell to) {
    wend_error error = wend__edit_check_cell(edit, "from", from);
    return error ? error : wend__edit_check_cell(edit, "to", to);
}

static wend_error add(wend_edit *edit, const wend_link *link) {
    const wend_cell from = link->from, to = link->to;
    const int32_t cost = link->cost;
    const uint32_t movers = link->movers;
    const bool seam = cost == WEND_LINK_SEAM && edit->base->sheets;
    wend_error error = check_ends(edit, from, to);
    if (!error && !seam) error = wend__check_range("cost", cost, 1, WEND_MAX_COST);
    if (error) return error;
    if (seam && movers) return wend__refuse(WEND_BAD_ARGUMENT, "a seam is for all movers");
    if (seam && !wend__may_be_seam(edit->base, from, to))
        return wend__refuse(WEND_BAD_ARGUMENT,
                            "a seam leads from a cell to a neighbour on the ground in another sheet");
    uint32_t a = wend__cell_number(edit->base, from), b = wend__cell_number(edit->base, to);
    if (a == b) return wend__refuse(WEND_BAD_ARGUMENT, "from and to are one cell, but a link leads to another one");
    if (wend__is_seam(edit->base, from, to))
        return wend__refuse(WEND_BAD_ARGUMENT, "from and to are neighbours over the rim: no link joins such cells");
    wend__log_change(edit->map, &edit->log,
                     (wend_change_item){WEND_ORDER_LINK, {from, to, cost, wend__movers_of(movers)}});
    return change(edit, (wend__link){a, b, seam ? WEND__SHEET_SEAM : (uint32_t)cost, movers});
}

wend_error wend_edit_add_link(wend_edit *edit, const wend_link *link) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, add(edit, link));
}

static wend_error remove_link(wend_edit *edit, wend_cell from, wend_cell to) {
    wend_error error = check_ends(edit, from, to);
    if (error) return error;
    uint32_t a = wend__cell_number(edit->base, from), b = wend__cell_number(edit->base, to);
    if (!cost_now(edit, a, b) || wend__is_seam(edit->base, from, to))
        return wend__refuse(WEND_EMPTY, "no link leads from there to there");
    wend__log_change(edit->map, &edit->log, (wend_change_item){WEND_ORDER_UNLINK, {.from = from, .to = to}});
    return change(edit, (wend__link){a, b, 0, 0});
}

wend_error wend_edit_remove_link(wend_edit *edit, wend_cell from, wend_cell to) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    wend_error error = remove_link(edit, from, to);
    return error == WEND_EMPTY ? error : wend__edit_keep(edit, error);
}

bool wend__edit_has_link(const wend_edit *edit, uint32_t from, uint32_t to) {
    return cost_now(edit, from, to) > 0;
}

wend_error wend__edit_remove_links(wend_edit *edit, uint32_t node) {
    const wend__links *old = edit->base->links;
    wend_error error = WEND_OK;
    for (uint32_t i = 0; old && i < old->count && !error; i++)
        if (old->sorted[i].from == node || old->sorted[i].to == node)
            error = change(edit, (wend__link){old->sorted[i].from, old->sorted[i].to, 0, 0});
    for (size_t i = 0; i < edit->links.capacity && !error; i++) {
        wend__link *slot = &edit->links.slots[i];
        if (is_free(slot) || (slot->from != node && slot->to != node) || slot->cost == 0) continue;
        slot->cost = 0; /* a used slot stays: cost 0 means that there is no link */
        edit->links.more--;
    }
    return error;
}

/* ---- the resulting set ---- */

/* Merges old and changed links in order; `keys` are those of the changes, in order. */
static void merge(const wend_edit *edit, const uint64_t *keys, wend__links *into) {
    const wend__links *old = edit->base->links;
    wend__link *out = (wend__link *)into->sorted;
    uint32_t i = 0, count = old ? old->count : 0;
    for (size_t k = 0; k < edit->links.used; k++) {
        while (i < count && wend__link_key(&old->sorted[i]) < keys[k]) *out++ = old->sorted[i++];
        if (i < count && wend__link_key(&old->sorted[i]) == keys[k]) i++;
        const wend__link *slot = slot_of(&edit->links, (uint32_t)(keys[k] >> 32), (uint32_t)keys[k]);
        if (slot->cost) *out++ = *slot;
    }
    while (i < count) *out++ = old->sorted[i++];
    WEND__ASSERT(out == into->sorted + into->count);
}

static wend_error make(const wend_edit *edit, uint64_t *keys, wend__links **out) {
    const wend__link_changes *changes = &edit->links;
    size_t used = 0;
    for (size_t i = 0; i < changes->capacity; i++)
        if (!is_free(&changes->slots[i])) keys[used++] = wend__link_key(&changes->slots[i]);
    wend__sort_numbers(keys, keys + used, used);
    wend__links *links = wend__links_create(edit->base, links_now(edit));
    if (!links) return WEND_OUT_OF_MEMORY;
    merge(edit, keys, links);
    wend_error error = wend__links_index(edit->base, links);
    if (error)
        wend__shared_release(edit->map, links);
    else
        *out = links;
    return error;
}

wend_error wend__edit_links(const wend_edit *edit, const wend__links **out) {
    if (!edit->links.used) {
        *out = wend__shared_retain(edit->map, edit->base->links);
        return WEND_OK;
    }
    wend__links *links = NULL;
    if (links_now(edit) > 0) {
        size_t bytes = edit->links.used * 2 * sizeof(uint64_t);
        uint64_t *keys = wend__map_alloc(edit->map, bytes);
        wend_error error = keys ? make(edit, keys, &links) : WEND_OUT_OF_MEMORY;
        wend__map_free(edit->map, keys, bytes);
        if (error) return error;
    }
    *out = links;
    return WEND_OK;
}
