/* SPDX-License-Identifier: MIT */
/* Finds the boxes that contain all changes of a batch, for the map's log of changes. */
#include "map/edit/edit.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/version/map.h"
#include "map/version/version.h"

typedef struct gathered {
    const wend__version *version;
    uint32_t count; ///< may exceed the capacity
    wend_box all;
    wend_box boxes[WEND_MAX_CHANGES_EACH];
} gathered;

static void widen(wend_box *all, const wend_box *box) {
    all->min.x = wend__least(all->min.x, box->min.x), all->max.x = wend__most(all->max.x, box->max.x);
    all->min.y = wend__least(all->min.y, box->min.y), all->max.y = wend__most(all->max.y, box->max.y);
    all->min.z = wend__least(all->min.z, box->min.z), all->max.z = wend__most(all->max.z, box->max.z);
}

static void gather(gathered *g, wend_box box) {
    const wend__version *v = g->version;
    box.max.x = wend__least(box.max.x, v->width - 1);
    box.max.y = wend__least(box.max.y, v->height - 1);
    box.max.z = wend__least(box.max.z, v->depth - 1);
    if (g->count < WEND_MAX_CHANGES_EACH) g->boxes[g->count] = box;
    if (g->count++)
        widen(&g->all, &box);
    else
        g->all = box;
}

/* Adds the box of some rows, each of 64 places, of a chunk. */
static wend_box box_of_rows(const wend__version *v, wend__place chunk, int32_t first, int32_t last) {
    if (v->kind == WEND_KIND_GRID) {
        int32_t x = chunk.column << WEND__CHUNK_SHIFT, y = chunk.row << WEND__CHUNK_SHIFT;
        return (wend_box){{x, y + first, 0}, {x + WEND__CHUNK_SIDE - 1, y + last, 0}};
    }
    if (v->kind == WEND_KIND_GRAPH) {
        int32_t x = chunk.column << 2 * WEND__CHUNK_SHIFT;
        return (wend_box){{x + (first << 6), 0, 0}, {x + (last << 6) + 63, 0, 0}};
    }
    const int32_t x = chunk.column << WEND__VOXEL_SHIFT, side = WEND__VOXEL_SIDE;
    const int32_t y = chunk.row % v->chunk_y << WEND__VOXEL_SHIFT, z = chunk.row / v->chunk_y << WEND__VOXEL_SHIFT;
    const bool layer = first >> 2 == last >> 2; /* four rows a layer */
    const int32_t south = layer ? (first & 3) << 2 : 0, north = layer ? ((last & 3) << 2) + 3 : side - 1;
    return (wend_box){{x, y + south, z + (first >> 2)}, {x + side - 1, y + north, z + (last >> 2)}};
}

static void gather_chunks(gathered *g, const wend_edit *edit) {
    const size_t blocks = wend__version_blocks(g->version);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; edit->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            const uint64_t rows = edit->dirty[b]->rows[i];
            const wend__place chunk = wend__chunk_place(g->version, b, i);
            if (!rows || !wend__on_table(g->version, chunk.column, chunk.row)) continue;
            gather(g, box_of_rows(g->version, chunk, (int32_t)wend__ctz64(rows), (int32_t)wend__top64(rows)));
        }
}

static bool gather_edge(void *context, uint32_t from, uint32_t to, uint32_t before, uint32_t now) {
    const wend_cell a = {(int32_t)from, 0, 0}, b = {(int32_t)to, 0, 0};
    (void)before, (void)now;
    gather(context, (wend_box){a, a});
    gather(context, (wend_box){b, b});
    return true;
}

static void gather_links(gathered *g, const wend__link_changes *changes) {
    for (size_t i = 0; i < changes->capacity; i++) {
        const wend__link *link = &changes->slots[i];
        if (link->from == link->to) continue; /* a free slot */
        const wend_cell from = wend__cell_of_number(g->version, link->from);
        const wend_cell to = wend__cell_of_number(g->version, link->to);
        gather(g, (wend_box){from, from});
        gather(g, (wend_box){to, to});
    }
}

void wend__edit_log_changes(const wend_edit *edit, uint64_t epoch) {
    gathered g;
    if (!wend__change_log_wanted(edit->map)) return;
    g.version = edit->base;
    g.count = 0;
    gather_chunks(&g, edit);
    gather_links(&g, &edit->links);
    if (edit->draft->graph) (void)wend__graph_compare(edit->base->graph, edit->draft->graph, gather_edge, &g);
    if (g.count > WEND_MAX_CHANGES_EACH)
        wend__change_log_add(edit->map, epoch, &g.all, 1);
    else
        wend__change_log_add(edit->map, epoch, g.boxes, g.count);
}
