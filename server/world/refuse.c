/* SPDX-License-Identifier: MIT */
/* Refusals of orders: errors of the library, cells off the map, movers that are not there. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/output/cells.h"
#include "world/rows.h"

/* ---- errors ---- */

bool host_refuse(host_error *error, host_refusal refusal, const void *member, const char *format, ...) {
    va_list arguments;
    error->refusal = refusal;
    error->member = member;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool host_refuse_error(host_error *out, wend_error error, const void *member) {
    host_refusal refusal = HOST_BAD_ARGUMENT;
    switch (error) {
    case WEND_OK: return true;
    case WEND_OUT_OF_RANGE: refusal = HOST_OUT_OF_RANGE; break;
    case WEND_OUT_OF_MEMORY: refusal = HOST_NO_MEMORY; break;
    case WEND_BUSY:
    case WEND_CLOSED:
    case WEND_IN_USE: refusal = HOST_BUSY; break;
    default: break;
    }
    out->error = error;
    return host_refuse(out, refusal, member, "%s", wend_error_detail(error));
}

bool host_no_memory(host_error *error) {
    return host_refuse(error, HOST_NO_MEMORY, NULL, "no memory");
}

/* ---- cells ---- */

bool host_is_on_map(const host *h, wend_cell cell) {
    uint8_t terrain;
    if (h->nodes) return cell.x >= 0 && (uint64_t)cell.x < h->node_count && h->nodes[cell.x] == 2;
    return !wend_map_get_terrain(h->map, cell, &terrain);
}

bool host_refuse_cell(const host *h, const char *words, const void *member, host_error *error) {
    wend_map_info info = {.struct_bytes = sizeof info};
    if (h->kind == WEND_KIND_GRAPH) return host_refuse(error, HOST_OUT_OF_RANGE, member, "there is no node %s", words);
    wend_map_get_info(h->map, &info);
    return host_refuse(error, HOST_OUT_OF_RANGE, member,
                       h->kind == WEND_KIND_GRID ? "the cell %s is not on the map of %d x %d"
                                                 : "the cell %s is not on the map of %d x %d x %d",
                       words, (int)info.width, (int)info.height, (int)info.depth);
}

bool host_check_cell(const host *h, const wend_cell *cell, host_error *error) {
    return host_is_on_map(h, *cell) || host_refuse_cell(h, host_cell_text(h->kind, *cell).text, cell, error);
}

int32_t host_mover_of(const host *h, const wend_name *name, host_error *error) {
    if (!name->text) return h->movers->standard;
    const int32_t mover = host_movers_find(h->movers, name->text, name->length);
    if (mover < 0)
        host_refuse(error, HOST_UNKNOWN, name, "there is no mover '%s'",
                    wend__show_word((wend__span){name->text, name->length, 0}).text);
    return mover;
}
