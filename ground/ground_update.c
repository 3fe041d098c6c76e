/* SPDX-License-Identifier: MIT */
/* A level that changes: triangles are set, the tiles that they touch are made again, and an edit gets what differs.
 * A tile that was made again has the spans that it would have in a new ground. Only their sheets may differ, and so
 * which of its steps are seams. */
#include <stdlib.h>
#include <string.h>

#include "ground_state.h"

/* ---- triangles ---- */

static float *turn_corners(const float *corners, size_t count) {
    float *turned = malloc((9 * count + 1) * sizeof *turned);
    for (size_t i = 0; turned && i < 3 * count; i++) wend__ground_turn(false, &corners[3 * i], &turned[3 * i]);
    return turned;
}

static wend_error replace_triangles(wend_ground *ground, size_t first, size_t count, const float *corners,
                                    const uint8_t *classes, ground_trouble *trouble) {
    if (!ground->map) {
        wend__ground_fail(trouble, WEND_UNSUPPORTED, "the ground was made without changes");
        return WEND_UNSUPPORTED;
    }
    const wend_error error = wend__ground_check_change(&ground->triangles, first, count, corners, classes, trouble);
    if (error) return error;
    float *turned = corners && !ground->y_up ? turn_corners(corners, count) : NULL;
    if (corners && !ground->y_up && !turned) return WEND_OUT_OF_MEMORY;
    const bool good = wend__ground_replace_triangles(&ground->triangles, &ground->spans, (uint32_t)first,
                                                     (uint32_t)count, turned ? turned : corners, classes);
    free(turned);
    return good ? WEND_OK : WEND_OUT_OF_MEMORY;
}

wend_error wend_ground_set_triangles(wend_ground *ground, size_t first, size_t count, const float *corners,
                                     const uint8_t *classes, wend_file_error *error) {
    ground_trouble trouble = {WEND_OUT_OF_MEMORY, "no memory"};
    trouble.code = replace_triangles(ground, first, count, corners, classes, &trouble);
    return trouble.code ? wend__ground_tell(&trouble, error) : WEND_OK;
}

/* ---- what differs ---- */

/* Columns of a tile, and more around it; both ends in. */
typedef struct column_box {
    int32_t x0, y0, x1, y1;
} column_box;

static column_box tile_columns(const ground_spans *g, uint32_t tile, int32_t more) {
    const int32_t x = (int32_t)tile % g->tiles_x * GROUND_TILE, y = (int32_t)tile / g->tiles_x * GROUND_TILE;
    column_box box = {x - more, y - more, x + GROUND_TILE - 1 + more, y + GROUND_TILE - 1 + more};
    if (box.x0 < 0) box.x0 = 0;
    if (box.y0 < 0) box.y0 = 0;
    if (box.x1 >= g->width) box.x1 = g->width - 1;
    if (box.y1 >= g->height) box.y1 = g->height - 1;
    return box;
}

static uint32_t columns_of(const column_box *box) {
    return (uint32_t)((box->x1 - box->x0 + 1) * (box->y1 - box->y0 + 1));
}

static bool reserve_ways(ground_way_list *list, uint32_t more) {
    if (list->count + more <= list->capacity) return true;
    const uint32_t capacity = list->count + more + list->capacity;
    ground_way *moved = realloc(list->ways, capacity * sizeof *moved);
    if (!moved) return false;
    list->ways = moved;
    list->capacity = capacity;
    return true;
}

static bool reserve_ends(ground_way_list *list, uint32_t count) {
    if (count <= list->end_capacity) return true;
    uint32_t *moved = realloc(list->ends, count * sizeof *moved);
    if (!moved) return false;
    list->ends = moved;
    list->end_capacity = count;
    return true;
}

static bool list_ways(const wend_ground *ground, const column_box *box, ground_way_list *out) {
    const ground_spans *g = &ground->spans;
    uint32_t done = 0;
    out->count = 0;
    if (!reserve_ends(out, columns_of(box))) return false;
    for (int32_t y = box->y0; y <= box->y1; y++) {
        for (int32_t x = box->x0; x <= box->x1; x++) {
            const size_t column = ground_column(g, x, y);
            for (uint32_t i = g->columns[column]; i < g->columns[column + 1]; i++) {
                if (!reserve_ways(out, GROUND_MOST_WAYS)) return false;
                out->count += wend__ground_find_ways(&ground->ways, (int32_t)i, &out->ways[out->count]);
            }
            out->ends[done++] = out->count;
        }
    }
    return true;
}

static bool same_way(const ground_way *a, const ground_way *b) {
    return a->from.x == b->from.x && a->from.y == b->from.y && a->to.x == b->to.x && a->to.y == b->to.y &&
           (a->kind == GROUND_CLOSED) == (b->kind == GROUND_CLOSED);
}

static const ground_way *find_same(const ground_way *ways, uint32_t begin, uint32_t end, const ground_way *way) {
    for (uint32_t i = begin; i < end; i++)
        if (same_way(&ways[i], way)) return &ways[i];
    return NULL;
}

static wend_error edit_ways(wend_ground *ground, wend_edit *edit, uint32_t columns) {
    const ground_way_list *was = &ground->old_ways, *is = &ground->new_ways;
    uint32_t was_begin = 0, is_begin = 0;
    wend_error error = WEND_OK;
    for (uint32_t c = 0; c < columns && !error; was_begin = was->ends[c], is_begin = is->ends[c], c++) {
        for (uint32_t i = was_begin; i < was->ends[c] && !error; i++) {
            const ground_way *same = find_same(is->ways, is_begin, is->ends[c], &was->ways[i]);
            if (!same || same->kind != was->ways[i].kind || same->cost != was->ways[i].cost)
                error = wend__ground_remove_way(edit, &was->ways[i], &ground->counts);
        }
        for (uint32_t i = is_begin; i < is->ends[c] && !error; i++) {
            const ground_way *same = find_same(was->ways, was_begin, was->ends[c], &is->ways[i]);
            if (!same || same->kind != is->ways[i].kind || same->cost != is->ways[i].cost)
                error = wend__ground_add_way(edit, &is->ways[i], &ground->counts);
        }
    }
    return error;
}

static const ground_span *find_sheet(const ground_span *spans, uint32_t begin, uint32_t end, uint8_t sheet) {
    for (uint32_t i = begin; i < end; i++)
        if (spans[i].sheet == sheet) return &spans[i];
    return NULL;
}

static wend_error edit_cells(wend_ground *ground, wend_edit *edit, const ground_piece *was, const ground_piece *is) {
    wend_error error = WEND_OK;
    for (uint32_t c = 0; c < GROUND_TILE_COLUMNS && !error; c++) {
        for (uint32_t i = was->columns[c]; i < was->columns[c + 1] && !error; i++) {
            const ground_span *s = &was->spans[i];
            if (!find_sheet(is->spans, is->columns[c], is->columns[c + 1], s->sheet))
                error = wend_edit_set_cell(edit, wend__ground_cell_of(&ground->layout, s), WEND_CLASS_BLOCKED);
        }
        for (uint32_t i = is->columns[c]; i < is->columns[c + 1] && !error; i++) {
            const ground_span *s = &is->spans[i],
                              *old = find_sheet(was->spans, was->columns[c], was->columns[c + 1], s->sheet);
            if (!old || old->terrain != s->terrain)
                error = wend_edit_set_cell(edit, wend__ground_cell_of(&ground->layout, s), s->terrain);
        }
    }
    return error;
}

/* ---- tiles ---- */

static void mark(ground_triangles *triangles, uint32_t tile, uint8_t marked) {
    if (triangles->marked[tile] == marked) return;
    triangles->marked[tile] = marked;
    triangles->marked_count += marked ? 1 : UINT32_MAX;
}

static void put_back(wend_ground *ground, const ground_update *update) {
    wend__ground_put_tile(&ground->spans, update->tile, &update->piece);
    ground->counts = update->counts;
}

static wend_error edit_tile(wend_ground *ground, wend_edit *edit, ground_update *update) {
    const int32_t reach = wend__ground_leap_reach(&ground->ways.leaper);
    const column_box box = tile_columns(&ground->spans, update->tile, reach + 1);
    ground_piece *piece = &ground->piece;
    if (!wend__ground_copy_tile(&ground->spans, update->tile, &update->piece)) return WEND_OUT_OF_MEMORY;
    wend_error error = wend__ground_voxelise(&ground->triangles, &ground->spans, update->tile, piece);
    if (!error) error = wend__ground_choose_sheets(&ground->spans, &ground->layout, update->tile, piece);
    if (error) return error;
    if (!list_ways(ground, &box, &ground->old_ways) || !wend__ground_reserve_tile(&ground->spans, update->tile, piece))
        return WEND_OUT_OF_MEMORY;
    wend__ground_put_tile(&ground->spans, update->tile, piece);
    if (!list_ways(ground, &box, &ground->new_ways)) error = WEND_OUT_OF_MEMORY;
    if (!error) error = edit_cells(ground, edit, &update->piece, piece);
    if (!error) error = edit_ways(ground, edit, columns_of(&box));
    if (error) put_back(ground, update);
    return error;
}

static wend_error update_tile(wend_ground *ground, wend_edit *edit, uint32_t tile) {
    ground_update *update = calloc(1, sizeof *update);
    if (!update) return WEND_OUT_OF_MEMORY;
    *update = (ground_update){.before = ground->updates, .tile = tile, .counts = ground->counts};
    const wend_error error = edit_tile(ground, edit, update);
    if (error) {
        wend__ground_drop_piece(&update->piece);
        free(update);
        return error;
    }
    ground->updates = update;
    mark(&ground->triangles, tile, 0);
    return WEND_OK;
}

/* Versions before the newest one cannot be undone. */
static void forget_updates(wend_ground *ground, bool all) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(ground->map, &info);
    while (ground->updates && (all || info.epoch != ground->epoch)) {
        ground_update *first = ground->updates;
        ground->updates = first->before;
        wend__ground_drop_piece(&first->piece);
        free(first);
    }
    ground->epoch = info.epoch;
}

wend_error wend_ground_update(wend_ground *ground, wend_edit *edit, uint32_t tiles, uint32_t *left) {
    if (!ground->map) return WEND_UNSUPPORTED;
    ground_triangles *triangles = &ground->triangles;
    wend_error error = WEND_OK;
    forget_updates(ground, false);
    for (; tiles > 0 && triangles->marked_count > 0 && !error; tiles--) {
        while (!triangles->marked[ground->next_tile])
            ground->next_tile = (ground->next_tile + 1) % triangles->tile_count;
        error = update_tile(ground, edit, ground->next_tile);
        if (error) ground->next_tile = (ground->next_tile + 1) % triangles->tile_count; /* others go first next time */
    }
    if (!error && left) *left = triangles->marked_count;
    return error;
}

void wend_ground_undo(wend_ground *ground) {
    if (!ground->map) return;
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(ground->map, &info);
    for (const ground_update *u = info.epoch == ground->epoch ? ground->updates : NULL; u; u = u->before) {
        put_back(ground, u);
        mark(&ground->triangles, u->tile, 1);
    }
    forget_updates(ground, true);
}

void wend__ground_drop_updates(wend_ground *ground) {
    if (ground->map) forget_updates(ground, true);
    free(ground->old_ways.ways);
    free(ground->old_ways.ends);
    free(ground->new_ways.ways);
    free(ground->new_ways.ends);
}
