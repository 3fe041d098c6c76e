/* SPDX-License-Identifier: MIT */
/* Closed steps: edits close and open them; the closed steps of a version are listed. */
#include "map/edit/edit.h"
#include "map/store/directions.h"
#include "map/store/planes.h"
#include "map/version/map.h"
#include "map/version/version.h"
#include "map/store/memory.h"
#include <wend/ways.h>

/* Returns the direction of a step between neighbours, or -1. Straight directions come first, and as many count as the
 * rules have neighbours.
 * @param ever   neighbours under any rules count */
static int32_t direction_of(const wend__version *v, wend_cell from, wend_cell to, bool ever) {
    int32_t dx = to.x - from.x, dy = to.y - from.y, dz = to.z - from.z;
    int32_t d = v->kind == WEND_KIND_GRID ? wend__flat_direction(dx, dy) : wend__space_direction(dx, dy, dz);
    if (ever) return d;
    if (d >= 0 && wend__is_hex(v)) return WEND__HEX_STEPS >> d & 1 ? d : -1;
    return d < v->rules.neighbours ? d : -1;
}

/* Returns the chunk's closed steps, for writing in the draft only. NULL: no memory. */
static wend__closed *own_closed(wend_edit *edit, const wend__place *p) {
    if (wend__edit_own_block(edit, p->column, p->row)) return NULL;
    wend__chunk *chunk = wend__edit_chunk(edit, p->column, p->row);
    if (chunk->closed && wend__edit_dirty(edit, p->column, p->row)->steps[wend__chunk_index(p->column, p->row)])
        return (wend__closed *)chunk->closed;
    wend__closed *closed = wend__shared_create(edit->map, sizeof(wend__closed));
    if (!closed) return NULL;
    if (chunk->closed) {
        memcpy(closed->steps, chunk->closed->steps, sizeof closed->steps);
        closed->count = chunk->closed->count;
        wend__shared_release(edit->map, chunk->closed);
    }
    chunk->closed = closed;
    return closed;
}

/* Marks the rows of masks that depend on the cell: a diagonal step also depends on closed steps at the two cells next
 * to it. Labels depend on the two ends of a step only, and a wall is written at both ends. */
static void mark(wend_edit *edit, const wend__place *p) {
    wend__dirty *dirty = wend__edit_dirty(edit, p->column, p->row);
    unsigned index = wend__chunk_index(p->column, p->row), x = p->local & 63, y = p->local >> WEND__CHUNK_SHIFT;
    dirty->rows[index] |= UINT64_C(1) << y;
    dirty->steps[index] = true;
    if (edit->draft->kind != WEND_KIND_GRID) return;
    dirty->around[index] |= (uint8_t)((unsigned)(y == 0) << WEND__N | (unsigned)(x == 63) << WEND__E |
                                      (unsigned)(y == 63) << WEND__S | (unsigned)(x == 0) << WEND__W);
}

static wend_error set_step(wend_edit *edit, wend_cell from, uint32_t direction, bool open) {
    wend__version *draft = edit->draft;
    const wend__place p = wend__place_of(draft, from);
    const wend__closed *now = wend__version_chunk(draft, p.column, p.row)->closed;
    uint32_t bit = UINT32_C(1) << direction;
    bool is_open = !now || !(now->steps[p.local] & bit);
    if (is_open == open) return WEND_OK;
    wend__closed *closed = own_closed(edit, &p);
    if (!closed) return WEND_OUT_OF_MEMORY;
    closed->steps[p.local] ^= bit;
    closed->count = open ? closed->count - 1 : closed->count + 1;
    draft->closed_steps = open ? draft->closed_steps - 1 : draft->closed_steps + 1;
    if (closed->count == 0) {
        wend__edit_chunk(edit, p.column, p.row)->closed = NULL;
        wend__shared_release(edit->map, closed);
    }
    mark(edit, &p);
    return WEND_OK;
}

wend_error wend__edit_open_steps(wend_edit *edit, int32_t column, int32_t row) {
    const wend__closed *closed = wend__version_chunk(edit->draft, column, row)->closed;
    if (!closed) return WEND_OK;
    if (wend__edit_own_block(edit, column, row)) return WEND_OUT_OF_MEMORY;
    wend__dirty *dirty = wend__edit_dirty(edit, column, row);
    const unsigned index = wend__chunk_index(column, row);
    edit->draft->closed_steps -= closed->count;
    wend__edit_chunk(edit, column, row)->closed = NULL;
    wend__shared_release(edit->map, closed);
    dirty->rows[index] = UINT64_MAX;
    dirty->around[index] = UINT8_MAX;
    dirty->steps[index] = true;
    return WEND_OK;
}

static wend_error try_step(wend_edit *edit, wend_cell from, wend_cell to, bool open, bool ever) {
    wend_error error = wend__check_cell(edit->map, "from", from);
    if (!error) error = wend__check_cell(edit->map, "to", to);
    if (error) return error;
    if (edit->draft->kind == WEND_KIND_GRAPH)
        return wend__refuse(WEND_BAD_ARGUMENT, "a graph has edges and links, but no steps to open or close");
    int32_t direction = direction_of(edit->draft, from, to, ever);
    if (direction < 0)
        return wend__refuse(WEND_BAD_ARGUMENT, "%d,%d,%d and %d,%d,%d are no neighbours under the map's rules", from.x,
                            from.y, from.z, to.x, to.y, to.z);
    error = wend__edit_check_land(edit, (wend_box){from, from});
    if (error) return error;
    wend__log_change(edit->map, &edit->log,
                     (wend_change_item){WEND_ORDER_STEP, {.from = from, .to = to, .value = open}});
    return set_step(edit, from, (uint32_t)direction, open);
}

wend_error wend_edit_set_step(wend_edit *edit, wend_cell from, wend_cell to, bool open) {
    WEND__ALIVE(edit, "the batch");
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, try_step(edit, from, to, open, false));
}

wend_error wend__edit_restore_step(wend_edit *edit, wend_cell from, wend_cell to, bool open) {
    if (edit->error) return wend__edit_failed(edit);
    return wend__edit_keep(edit, try_step(edit, from, to, open, true));
}

/* ---- listing ---- */

typedef struct list {
    const wend__version *version;
    wend_step *out;
    size_t capacity, count;
} list;

static void list_cell(list *l, wend_cell from, uint32_t steps) {
    bool flat = l->version->kind == WEND_KIND_GRID;
    for (; steps && l->count < l->capacity; steps &= steps - 1) {
        unsigned d = wend__ctz32(steps);
        wend_cell to = from;
        to.x += flat ? wend__dx[d] : wend__sx[d];
        to.y += flat ? wend__dy[d] : wend__sy[d];
        to.z += flat ? 0 : wend__sz[d];
        l->out[l->count++] = (wend_step){from, to};
    }
}

static void list_chunk(list *l, int32_t column, int32_t row) {
    const wend__closed *closed = wend__version_chunk(l->version, column, row)->closed;
    for (uint32_t local = 0; closed && local < WEND__CHUNK_CELLS; local++)
        if (closed->steps[local])
            list_cell(l, wend__cell_of_place(l->version, (wend__place){column, row, local}), closed->steps[local]);
}

void wend_map_get_closed_steps(const wend_map *map, wend_step *out, size_t capacity, size_t *count) {
    WEND__ALIVE(map, "the map");
    wend__version *v = wend__map_newest(map);
    list l = {.version = v, .out = out, .capacity = capacity};
    size_t most = v->closed_steps < capacity ? (size_t)v->closed_steps : capacity;
    for (int32_t row = 0; row < v->chunk_rows && l.count < most; row++)
        for (int32_t column = 0; column < v->chunk_columns && l.count < most; column++) list_chunk(&l, column, row);
    if (count) *count = (size_t)v->closed_steps;
    wend__map_release(v, false);
}
