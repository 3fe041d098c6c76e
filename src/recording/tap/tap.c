/* SPDX-License-Identifier: MIT */
/* Orders for a tap: the changes of a batch, units, movers, acceleration. */
#include "recording/tap/tap.h"

#include "map/store/memory.h"

wend__tap *wend__map_tap(const wend_map *map) {
    return atomic_load_explicit(&map->tap, memory_order_acquire);
}

void wend__map_set_tap(wend_map *map, wend__tap *tap) {
    atomic_store_explicit(&map->tap, tap, memory_order_release);
}

/* ---- the log of a batch ---- */

static bool make_room(wend_map *map, wend__edit_log *log) {
    WEND__DEBUG_ASSERT(log->count <= log->capacity);
    if (log->count < log->capacity) return true;
    const size_t capacity = log->capacity ? log->capacity * 2 : 32, bytes = capacity * sizeof *log->items;
    wend_change_item *items = wend__map_alloc(map, bytes);
    if (!items) return false;
    if (log->count > 0) memcpy(items, log->items, log->count * sizeof *items);
    wend__map_free(map, log->items, log->capacity * sizeof *items);
    log->items = items;
    log->capacity = capacity;
    return true;
}

void wend__log_change(wend_map *map, wend__edit_log *log, wend_change_item item) {
    if (!log->kept || log->lost) return;
    log->lost = !make_room(map, log);
    if (log->lost) return;
    const bool one = memcmp(&item.change.from, &item.change.to, sizeof item.change.from) == 0;
    if (item.kind == WEND_ORDER_FILL && one) item.kind = WEND_ORDER_SET;
    log->items[log->count++] = item;
}

void wend__log_free(wend_map *map, wend__edit_log *log) {
    wend__map_free(map, log->items, log->capacity * sizeof *log->items);
    *log = (wend__edit_log){0};
}

/* ---- events ---- */

void wend__tap_report(const wend_map *map, const wend_order *order) {
    const wend__tap *tap = wend__map_tap(map);
    if (tap) tap->note(tap->context, order);
}

void wend__tap_published(wend__tap *tap, const wend__edit_log *log) {
    WEND__DEBUG_ASSERT(log->count == 0 || log->items);
    const wend_order order = {.kind = WEND_ORDER_EDIT, .changes = {log->items, log->count}};
    if (log->kept && log->unsaid) {
        tap->fail(tap->context,
                  wend__refuse(WEND_UNSUPPORTED,
                               "a recording has no word for a node that goes, or for an edge where a link is, too"));
        return;
    }
    if (log->kept && !log->lost) {
        tap->note(tap->context, &order);
        return;
    }
    const wend_error error = log->lost ? wend__refuse(WEND_OUT_OF_MEMORY, "no memory for the changes of a batch")
                                       : wend__refuse(WEND_IN_USE, "a batch was open when the recording began");
    tap->fail(tap->context, error);
}

void wend__tap_moved(const wend_map *map, wend_cell cell, bool came) {
    if (!wend__map_tap(map)) return;
    const wend_order order = {.kind = came ? WEND_ORDER_OCCUPY : WEND_ORDER_VACATE, .cells = {&cell, 1}};
    wend__tap_report(map, &order);
}

wend_order wend__acceleration_order(const wend_acceleration *def) {
    wend_order order = {.kind = WEND_ORDER_PREPARE, .accelerate = {.def = *def}};
    if (def->mover != WEND_MOVER_DEFAULT) order.accelerate.mover = wend__numbered('m', def->mover);
    order.accelerate.def.units = 0; /* 1 means the same, and lines omit it */
    return order;
}

static wend_name mover_name(int32_t id) {
    return id == WEND_MOVER_DEFAULT ? wend__named("default") : wend__numbered('m', id);
}

bool wend__mover_order(const wend_mover *mover, int32_t id, const uint8_t factors[256], wend_order *out) {
    if (mover->factors[WEND_CLASS_BLOCKED] != 0) return false;
    wend__order_init(out, WEND_ORDER_MOVER);
    out->mover.name = mover_name(id);
    out->mover.size = mover->size;
    memcpy(out->mover.factors.factors, mover->factors, sizeof mover->factors);
    if (mover->walker) {
        out->mover.walker = 1;
        out->mover.step_up = mover->step_up, out->mover.drop = mover->drop, out->mover.headroom = mover->headroom;
    }
    for (uint32_t class = 0; class < 256; class++)
        if ((mover->avoided[class / 64] | mover->shunned[class / 64]) >> class % 64 & 1 ||
            mover->factors[class] != (mover->walker && class == WEND_CLASS_STAIRS ? 1 : factors[class]))
            out->mover.factors.given[class / 64] |= UINT64_C(1) << class % 64;
    memcpy(out->mover.factors.avoided.bits, mover->avoided, sizeof mover->avoided);
    memcpy(out->mover.factors.shunned.bits, mover->shunned, sizeof mover->shunned);
    for (uint32_t class = 0; class < 256; class++)
        if (mover->shunned[class / 64] >> class % 64 & 1 && mover->factors[class] == factors[class])
            out->mover.factors.factors[class] = 0; /* as in the rules */
    if (mover->like >= 0) out->mover.like = mover_name(mover->like);
    return true;
}

void wend__tap_mover(const wend_map *map, const wend_mover *mover, int32_t id, const wend_map_rules *rules) {
    const wend__tap *tap = wend__map_tap(map);
    wend_order order;
    if (!tap) return;
    if (wend__mover_order(mover, id, rules->factors, &order))
        tap->note(tap->context, &order);
    else
        tap->fail(tap->context, wend__refuse(WEND_UNSUPPORTED, "a script cannot say the factors of mover %d", id));
}

void wend__tap_unsupported(const wend_map *map, const char *why) {
    const wend__tap *tap = wend__map_tap(map);
    if (tap) tap->fail(tap->context, wend__refuse(WEND_UNSUPPORTED, "%s", why));
}
