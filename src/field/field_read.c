/* SPDX-License-Identifier: MIT */
/* Answers about a cell, and about the field itself. */
#include "field/field_ways.h"
#include "map/version/map.h"

/* Is the cost of a cell final? */
static wend_status status_of(const wend_field *f, uint32_t id) {
    const bool none = f->costs[id] == WEND__FIELD_FAR;
    if (f->ways[id] == WEND__FIELD_OUT) return WEND_STATUS_NO_PATH;
    if (f->ways[id] & (WEND__FIELD_LOST | WEND__FIELD_DOUBT)) return WEND_STATUS_PENDING;
    if (!none && f->costs[id] < f->known) return WEND_STATUS_FOUND;
    return f->phase == WEND__FIELD_COMPLETE ? WEND_STATUS_NO_PATH : WEND_STATUS_PENDING;
}

static wend_cell next_of(const wend_field *f, uint32_t id, wend_cell cell) {
    const unsigned way = f->ways[id] & WEND__FIELD_WAY;
    if (way == WEND__FIELD_SOURCE) return cell;
    if (way == WEND__FIELD_LEAP) return wend__field_cell(f, wend__field_find_leap(f, id));
    if (f->view->kind == WEND_KIND_GRID) return (wend_cell){cell.x + wend__dx[way], cell.y + wend__dy[way], cell.z};
    return (wend_cell){cell.x + wend__sx[way], cell.y + wend__sy[way], cell.z + wend__sz[way]};
}

wend_status wend_field_next(const wend_field *f, wend_cell cell, wend_cell *next, uint64_t *cost) {
    if (!wend__map_has(f->def.map, cell) || !wend__cell_factor(f->view, cell)) return WEND_STATUS_START_BLOCKED;
    if (f->phase <= WEND__FIELD_TURNING) return WEND_STATUS_PENDING;
    const uint32_t id = wend__field_id(f, cell);
    const wend_status status = status_of(f, id);
    if (status != WEND_STATUS_FOUND) return status;
    if (cost) *cost = f->costs[id] - f->lift;
    if (next) *next = next_of(f, id, cell);
    return WEND_STATUS_FOUND;
}

int32_t wend_field_is_complete(const wend_field *f) {
    return f->phase == WEND__FIELD_COMPLETE;
}

uint64_t wend_field_get_epoch(const wend_field *f) {
    return f->version->epoch;
}
