/* SPDX-License-Identifier: MIT */
/* Refusals of orders: errors of the library, cells off the map, missing movers. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/output/cells.h"
#include "orders/avoiding.h"
#include "world/rows.h"

/* ---- errors ---- */

bool world_refuse(world_error *error, world_refusal refusal, const void *member, const char *format, ...) {
    va_list arguments;
    error->refusal = refusal;
    error->member = member;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool world_refuse_error(world_error *out, wend_error error, const void *member) {
    world_refusal refusal = WORLD_BAD_ARGUMENT;
    switch (error) {
    case WEND_OK: return true;
    case WEND_OUT_OF_RANGE: refusal = WORLD_OUT_OF_RANGE; break;
    case WEND_OUT_OF_MEMORY: refusal = WORLD_NO_MEMORY; break;
    case WEND_BUSY:
    case WEND_CLOSED:
    case WEND_IN_USE: refusal = WORLD_BUSY; break;
    default: break;
    }
    out->error = error;
    return world_refuse(out, refusal, member, "%s", wend_error_detail(error));
}

bool world_no_memory(world_error *error) {
    return world_refuse(error, WORLD_NO_MEMORY, NULL, "no memory");
}

/* ---- cells ---- */

bool world_is_on_map(const world_state *w, wend_cell cell) {
    uint8_t terrain;
    if (w->nodes) return cell.x >= 0 && (uint64_t)cell.x < w->node_count && w->nodes[cell.x] == 2;
    return !wend_map_get_terrain(w->map, cell, &terrain);
}

bool world_refuse_cell(const world_state *w, const char *words, const void *member, world_error *error) {
    wend_map_info info = {.struct_bytes = sizeof info};
    if (w->kind == WEND_KIND_GRAPH)
        return world_refuse(error, WORLD_OUT_OF_RANGE, member, "there is no node %s", words);
    wend_map_get_info(w->map, &info);
    return world_refuse(error, WORLD_OUT_OF_RANGE, member,
                        w->kind == WEND_KIND_GRID ? "the cell %s is not on the map of %d x %d"
                                                  : "the cell %s is not on the map of %d x %d x %d",
                        words, (int)info.width, (int)info.height, (int)info.depth);
}

bool world_check_cell(const world_state *w, const wend_cell *cell, world_error *error) {
    return world_is_on_map(w, *cell) || world_refuse_cell(w, cli_cell_text(w->kind, *cell).text, cell, error);
}

int32_t world_mover_of(const world_state *w, const wend_name *name, world_error *error) {
    if (!name->text) return w->movers->standard;
    const int32_t mover = cli_movers_find(w->movers, name->text, name->length);
    if (mover < 0)
        world_refuse(error, WORLD_UNKNOWN, name, "there is no mover '%s'",
                     wend__show_word((wend__span){name->text, name->length, 0}).text);
    return mover;
}

int32_t world_mover_minding(const world_state *w, int32_t mover, const wend_classes *avoid, const wend_classes *shun,
                            world_error *error) {
    int32_t own = mover;
    const wend_error refused = mover < 0 ? WEND_OK : wend__mover_minding(w->map, mover, avoid, shun, false, &own);
    return world_refuse_error(error, refused, wend__any_class(avoid) ? avoid : shun) ? own : -1;
}

int32_t world_named_mover(const world_state *w, int32_t mover, wend_classes *avoid, wend_classes *shun) {
    wend_mover own = {.struct_bytes = sizeof own};
    while (mover >= 0 && !cli_movers_name(w->movers, mover)) {
        wend_map_get_mover(w->map, mover, &own);
        for (int i = 0; i < 4; i++) avoid->bits[i] |= own.avoided[i], shun->bits[i] |= own.shunned[i];
        mover = own.like;
    }
    return mover;
}

int32_t world_agent_mover(const world_state *w, const wend_order *order, world_error *error) {
    return world_mover_minding(w, world_mover_of(w, &order->agent.mover, error), &order->agent.avoid,
                               &order->agent.shun, error);
}
