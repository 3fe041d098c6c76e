/* SPDX-License-Identifier: MIT */
/* Rebuilds views: where a batch changed cells, an edit of the view writes the mover's factors and closed steps, and is
 * made final like any edit. An unchanged view is shared. */
#include "map/kinds/graph.h"
#include "map/movers/footprint.h"
#include "map/movers/standing.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/store/planes.h"
#include "map/store/terrain.h"
#include "map/version/version.h"

typedef struct rebuild {
    wend_map *map;
    const wend__version *version;
    const wend__links *links;  ///< links of the version
    wend__dirty *const *dirty; ///< dirty marks of the version's batch; NULL: everything is new
    const wend__link_changes *changed_links;
    wend__version *before; ///< the old view
    wend_map_rules rules;  ///< rules of the view
    wend_edit *edit;       ///< the view's batch; NULL as long as nothing changed
    uint32_t *room;        ///< buffer for closed steps; NULL until needed
    const wend_mover *mover;
    wend__footprint footprint; ///< footprint of a mover that is no walker
    uint8_t factors[WEND__CHUNK_CELLS];
} rebuild;

/* ---- a view's edit ---- */

void wend__scratch_edit_free(wend_edit *edit) {
    if (!edit) return;
    wend_map *map = edit->map;
    size_t blocks = (edit->bytes - sizeof *edit) / sizeof edit->dirty[0];
    for (size_t i = 0; i < blocks; i++) wend__map_free(map, edit->dirty[i], sizeof *edit->dirty[i]);
    if (edit->draft) wend__version_free(edit->draft);
    wend__map_free(map, edit, edit->bytes);
}

wend_edit *wend__scratch_edit_of(wend_map *map, wend__version *draft) {
    size_t bytes = sizeof(wend_edit) + wend__version_blocks(draft) * sizeof(wend__dirty *);
    wend_edit *edit = wend__map_alloc(map, bytes);
    if (!edit) return NULL;
    memset(edit, 0, bytes);
    edit->map = map;
    edit->draft = draft;
    edit->bytes = bytes;
    return edit;
}

wend_edit *wend__scratch_edit_create(wend_map *map, wend__version *draft) {
    wend_edit *edit = draft ? wend__scratch_edit_of(map, draft) : NULL;
    if (draft && !edit) wend__version_free(draft);
    return edit;
}

/* Begins the view's edit. */
static wend_error begin(rebuild *r) {
    if (r->edit) return WEND_OK;
    r->edit = wend__scratch_edit_create(r->map, wend__version_copy(r->before, r->map, WEND__ROWS_IN_VIEWS));
    if (!r->edit) return WEND_OUT_OF_MEMORY;
    r->edit->base = r->before; /* without a reference: the previous version has one */
    r->edit->changed_links = r->changed_links;
    return WEND_OK;
}

static const wend__version *view_now(const rebuild *r) {
    return r->edit ? r->edit->draft : r->before;
}

/* Gets the chunk, for writing, and its dirty rows. */
static wend_error own_chunk(rebuild *r, int32_t column, int32_t row, wend__chunk **chunk, wend__dirty **dirty) {
    if (begin(r) || wend__edit_own_block(r->edit, column, row)) return WEND_OUT_OF_MEMORY;
    *chunk = wend__edit_chunk(r->edit, column, row);
    *dirty = wend__edit_dirty(r->edit, column, row);
    return WEND_OK;
}

/* ---- the mover's factors in a chunk ---- */

static uint64_t places_on_map(const wend__version *v, int32_t column, int32_t row, unsigned y) {
    if (v->kind == WEND_KIND_GRID)
        return y < wend__chunk_extent(v->height, row) ? wend__low_bits(wend__chunk_extent(v->width, column)) : 0;
    if (v->kind == WEND_KIND_GRAPH) return wend__graph_chunk(v->graph, column)[y];
    uint64_t on = 0;
    int32_t width = v->width - (column << WEND__VOXEL_SHIFT);
    for (unsigned i = 0; i < 4; i++) {
        int32_t cell_y = (row % v->chunk_y << WEND__VOXEL_SHIFT) + (int32_t)((y & 3) << 2 | i);
        int32_t cell_z = (row / v->chunk_y << WEND__VOXEL_SHIFT) + (int32_t)(y >> 2);
        if (cell_y < v->height && cell_z < v->depth)
            on |= wend__low_bits(width < WEND__VOXEL_SIDE ? (unsigned)width : WEND__VOXEL_SIDE) << (i << 4);
    }
    return on;
}

/* Returns the places of a row that changed. Those off the map do not count; on voxels and graphs they keep their class,
   so that chunks at the rim can be uniform. */
static uint64_t changed_places(rebuild *r, const wend__chunk *chunk, int32_t column, int32_t row, unsigned y) {
    uint8_t before[WEND__CHUNK_SIDE], *now = r->factors + (y << WEND__CHUNK_SHIFT);
    wend__chunk_row(chunk, y, before);
    uint64_t on = places_on_map(r->version, column, row, y), changed = 0;
    if (on == UINT64_MAX && memcmp(before, now, sizeof before) == 0) return 0;
    for (unsigned x = 0; x < WEND__CHUNK_SIDE; x++) changed |= (uint64_t)(before[x] != now[x]) << x;
    for (unsigned x = 0; x < WEND__CHUNK_SIDE && r->version->kind != WEND_KIND_GRID; x++)
        if (!(on >> x & 1)) now[x] = before[x];
    return changed & on;
}

static unsigned around_row(unsigned y, uint64_t changed) {
    bool west = changed & 1, east = changed >> 63;
    unsigned around = (unsigned)west << WEND__W | (unsigned)east << WEND__E;
    if (y == 0) around |= 1u << WEND__N | (unsigned)west << WEND__NW | (unsigned)east << WEND__NE;
    if (y == 63) around |= 1u << WEND__S | (unsigned)west << WEND__SW | (unsigned)east << WEND__SE;
    return around;
}

static wend_error write_rows(rebuild *r, int32_t column, int32_t row, uint64_t rows, unsigned around) {
    wend__chunk *chunk;
    wend__dirty *dirty;
    if (own_chunk(r, column, row, &chunk, &dirty)) return WEND_OUT_OF_MEMORY;
    wend__plane *plane = wend__shared_create(r->map, sizeof(wend__plane));
    if (!plane) return WEND_OUT_OF_MEMORY;
    unsigned width, height;
    wend__chunk_extents(r->version, column, row, &width, &height);
    wend__chunk_expand(chunk, width, height, plane->bytes);
    for (uint64_t left = rows; left; left &= left - 1) {
        unsigned at = wend__ctz64(left) << WEND__CHUNK_SHIFT;
        memcpy(plane->bytes + at, r->factors + at, WEND__CHUNK_SIDE);
    }
    wend__chunk_make_uniform(r->map, chunk, 0);
    chunk->terrain = plane;
    dirty->rows[wend__chunk_index(column, row)] |= rows;
    if (r->version->kind == WEND_KIND_GRID) dirty->around[wend__chunk_index(column, row)] |= (uint8_t)around;
    return WEND_OK;
}

static void mark_all(const rebuild *r, wend__dirty *dirty, unsigned index) {
    dirty->rows[index] = UINT64_MAX;
    if (r->version->kind == WEND_KIND_GRID) dirty->around[index] = UINT8_MAX;
}

static wend_error make_uniform(rebuild *r, int32_t column, int32_t row, uint8_t factor) {
    const wend__chunk *before = wend__version_chunk(view_now(r), column, row);
    if (!before->terrain && !before->bits && before->uniform == factor) return WEND_OK;
    wend__chunk *chunk;
    wend__dirty *dirty;
    if (own_chunk(r, column, row, &chunk, &dirty)) return WEND_OUT_OF_MEMORY;
    wend__chunk_make_uniform(r->map, chunk, factor);
    mark_all(r, dirty, wend__chunk_index(column, row));
    return WEND_OK;
}

/* Writes those of these rows that differ from the view's. */
static wend_error write_changed(rebuild *r, int32_t column, int32_t row, uint64_t rows) {
    const wend__chunk *chunk = wend__version_chunk(view_now(r), column, row);
    uint64_t changed = 0;
    unsigned around = 0;
    for (uint64_t left = rows; left; left &= left - 1) {
        unsigned y = wend__ctz64(left);
        uint64_t places = changed_places(r, chunk, column, row, y);
        if (!places) continue;
        changed |= UINT64_C(1) << y;
        around |= around_row(y, places);
    }
    return changed ? write_rows(r, column, row, changed, around) : WEND_OK;
}

static wend_error rebuild_factors(rebuild *r, int32_t column, int32_t row, uint64_t rows) {
    uint8_t factor;
    if (wend__footprint_uniform(&r->footprint, column, row, &factor)) return make_uniform(r, column, row, factor);
    wend__footprint_factors(&r->footprint, column, row, rows, r->factors);
    return write_changed(r, column, row, rows);
}

/* ---- cells on which a walker stands ---- */

/* Where a walker stands in a chunk, and how far it can rise there. */
typedef struct stand {
    uint64_t open[WEND__CHUNK_SIDE]; ///< as the rows of wend__bits
    uint8_t rise[WEND__CHUNK_CELLS];
} stand;

/* Reads where it stood. */
static void read_stand(const wend__bits *before, stand *s) {
    const wend__footing *footing = wend__footing_of(before);
    memcpy(s->open, before->rows, sizeof s->open);
    footing ? memcpy(s->rise, footing->rise, sizeof s->rise) : memset(s->rise, 0, sizeof s->rise);
}

/* Sets the open bits in some parts by the factors there. */
static void open_parts(stand *s, unsigned parts, const uint8_t *factors) {
    for (unsigned word = 0; word < WEND__CHUNK_SIDE; word++) {
        if (!(parts >> word % WEND__STANDING_PARTS & 1)) continue;
        s->open[word] = 0;
        for (unsigned i = 0; i < 64; i++) s->open[word] |= (uint64_t)(factors[word << 6 | i] > 0) << i;
    }
}

static bool stands_anywhere(const stand *s) {
    uint64_t any = 0;
    for (unsigned word = 0; word < WEND__CHUNK_SIDE; word++) any |= s->open[word];
    return any != 0;
}

/* Returns true for the same levels above the same cells. */
static bool same_footing(const wend__bits *before, const stand *s) {
    const wend__footing *footing = wend__footing_of(before);
    if (!footing) return before == &wend__voxels_blocked && !stands_anywhere(s);
    return memcmp(before->rows, s->open, sizeof s->open) == 0 && memcmp(footing->rise, s->rise, sizeof s->rise) == 0;
}

static const wend__bits *make_footing(wend_map *map, const stand *s) {
    wend__footing *footing = wend__shared_create(map, sizeof *footing);
    if (!footing) return NULL;
    footing->open.classes[0] = WEND_CLASS_BLOCKED, footing->open.classes[1] = WEND_CLASS_OPEN;
    memcpy(footing->open.rows, s->open, sizeof s->open);
    memcpy(footing->rise, s->rise, sizeof s->rise);
    return &footing->open;
}

/* Gives the view's chunk its footing. A chunk in which only the rise differs counts as written to. */
static wend_error set_footing(rebuild *r, int32_t column, int32_t row, const wend__bits *open) {
    wend__chunk *chunk;
    wend__dirty *dirty;
    if (own_chunk(r, column, row, &chunk, &dirty)) {
        wend__shared_release(r->map, open);
        return WEND_OUT_OF_MEMORY;
    }
    wend__shared_release(r->map, chunk->open);
    chunk->open = open;
    mark_all(r, dirty, wend__chunk_index(column, row));
    return WEND_OK;
}

/* Returns the parts of layers that have rows among these. */
static unsigned parts_of_rows(uint64_t rows) {
    unsigned parts = 0;
    for (; rows; rows >>= WEND__STANDING_PARTS) parts |= (unsigned)(rows & 15);
    return parts;
}

/* @param rows   only in their columns has anything changed */
static wend_error rebuild_standing(rebuild *r, int32_t column, int32_t row, uint64_t rows) {
    const unsigned parts = parts_of_rows(rows);
    const wend__bits *before = wend__version_chunk(view_now(r), column, row)->open;
    stand now;
    read_stand(before, &now);
    wend__standing(r->version, r->mover, column, row, parts, r->factors, now.rise);
    open_parts(&now, parts, r->factors);
    const bool any = stands_anywhere(&now);
    if (!same_footing(before, &now)) {
        const wend__bits *open = any ? make_footing(r->map, &now) : &wend__voxels_blocked;
        if (!open || set_footing(r, column, row, open)) return WEND_OUT_OF_MEMORY;
    }
    return any ? write_changed(r, column, row, parts * UINT64_C(0x1111111111111111)) : make_uniform(r, column, row, 0);
}

/* ---- its closed steps ---- */

/* Returns the closed steps of a chunk, with a reference; NULL: none, or out of memory (*failed). */
static wend__closed *closed_of_chunk(rebuild *r, int32_t column, int32_t row, bool *failed) {
    if (!wend__footprint_any_closed(&r->footprint, column, row)) return NULL;
    if (r->footprint.size == 1) {
        const wend__closed *same = wend__version_chunk(r->version, column, row)->closed;
        wend__shared_retain(r->map, same);
        return (wend__closed *)same;
    }
    if (!r->room) r->room = wend__map_alloc(r->map, WEND__FOOTPRINT_CELLS * sizeof *r->room);
    wend__closed *closed = r->room ? wend__shared_create(r->map, sizeof(wend__closed)) : NULL;
    if (!closed) {
        *failed = true;
        return NULL;
    }
    wend__footprint_closed(&r->footprint, column, row, r->room, closed->steps);
    for (unsigned i = 0; i < WEND__CHUNK_CELLS; i++) closed->count += wend__popcount64(closed->steps[i]);
    if (closed->count) return closed;
    wend__shared_release(r->map, closed);
    return NULL;
}

static wend_error rebuild_closed(rebuild *r, int32_t column, int32_t row) {
    bool failed = false;
    wend__closed *now = closed_of_chunk(r, column, row, &failed);
    if (failed) return WEND_OUT_OF_MEMORY;
    wend__chunk *chunk;
    wend__dirty *dirty;
    bool same = wend__closed_alike(now, wend__version_chunk(view_now(r), column, row)->closed);
    if (same || own_chunk(r, column, row, &chunk, &dirty)) {
        wend__shared_release(r->map, now);
        return same ? WEND_OK : WEND_OUT_OF_MEMORY;
    }
    wend__version *draft = r->edit->draft;
    draft->closed_steps += now ? now->count : 0;
    draft->closed_steps -= chunk->closed ? chunk->closed->count : 0;
    wend__shared_release(r->map, chunk->closed);
    chunk->closed = now;
    mark_all(r, dirty, wend__chunk_index(column, row));
    dirty->steps[wend__chunk_index(column, row)] = true;
    return WEND_OK;
}

static wend_error rebuild_chunk(rebuild *r, int32_t column, int32_t row, uint64_t rows) {
    wend_error error =
        r->mover->walker ? rebuild_standing(r, column, row, rows) : rebuild_factors(r, column, row, rows);
    bool closed = r->version->closed_steps || view_now(r)->closed_steps;
    return error || !closed ? error : rebuild_closed(r, column, row);
}

/* ---- chunks and rows to rebuild ---- */

/* Turns rows of 64 places into layers of voxels, and back. */
static uint64_t layers_of_rows(uint64_t rows) {
    uint64_t layers = 0;
    for (unsigned z = 0; z < WEND__VOXEL_SIDE; z++) layers |= (uint64_t)((rows >> (z * 4) & 15) != 0) << z;
    return layers;
}

static uint64_t rows_of_layers(uint64_t layers) {
    uint64_t rows = 0;
    for (unsigned z = 0; z < WEND__VOXEL_SIDE; z++) rows |= (layers >> z & 1) * UINT64_C(15) << (z * 4);
    return rows;
}

/* The rows of a chunk from which the mover covers a written row. @param first   the first of the chunks
   that it may cover with such a row */
static uint64_t stale_rows(const rebuild *r, int32_t column, int32_t row, unsigned *first) {
    bool space = r->version->kind == WEND_KIND_VOXEL;
    unsigned parts = wend__footprint_parts(&r->footprint), span = space ? WEND__VOXEL_SIDE : WEND__CHUNK_SIDE;
    uint64_t near = 0, beyond = 0, stale = 0; /* along the axis of rows, or of layers */
    *first = parts;
    for (unsigned k = 0; k < parts; k++) {
        int32_t c, t;
        uint64_t rows = wend__footprint_part(r->version, column, row, k, 1, &c, &t)
                            ? wend__dirty_rows(r->version, r->dirty, c, t)
                            : 0;
        if (rows && *first == parts) *first = k;
        if (parts == 1) return rows;
        if (space) rows = layers_of_rows(rows);
        *(k >= parts / 2 ? &beyond : &near) |= rows;
    }
    for (unsigned i = 0; i < (unsigned)r->footprint.size; i++) stale |= near >> i | (i ? beyond << (span - i) : 0);
    stale &= wend__low_bits(span);
    return space ? rows_of_layers(stale) : stale;
}

/* Rebuilds all chunks from which the mover can cover cells of this one, each once. */
static wend_error rebuild_around(rebuild *r, int32_t column, int32_t row) {
    for (unsigned k = 0; k < wend__footprint_parts(&r->footprint); k++) {
        int32_t c, t;
        unsigned first;
        if (!wend__footprint_part(r->version, column, row, k, -1, &c, &t)) continue;
        uint64_t rows = stale_rows(r, c, t, &first);
        if (first != k || !rows) continue;
        wend_error error = rebuild_chunk(r, c, t, rows);
        if (error) return error;
    }
    return WEND_OK;
}

/* The same for a walker: the written rows of the shaft on which its standing in a chunk depends.
   @param first   receives how far above the chunk the lowest of them is, in chunks */
static uint64_t stale_below(const rebuild *r, int32_t column, int32_t row, int32_t *first) {
    const wend__version *v = r->version;
    uint64_t stale = 0;
    for (int32_t k = WEND__STANDING_ABOVE; k >= -WEND__STANDING_BELOW; k--) {
        const int32_t t = row + k * v->chunk_y;
        if (t < 0 || t >= v->chunk_rows) continue;
        const uint64_t rows = wend__dirty_rows(v, r->dirty, column, t) & wend__standing_read(r->mover, k);
        if (rows) *first = k;
        stale |= rows;
    }
    return stale;
}

/* All chunks above and below in which a cell of this one lets it stand. */
static wend_error rebuild_shaft(rebuild *r, int32_t column, int32_t row) {
    const wend__version *v = r->version;
    for (int32_t k = -WEND__STANDING_ABOVE; k <= WEND__STANDING_BELOW; k++) {
        const int32_t t = row + k * v->chunk_y;
        int32_t first = 0;
        const uint64_t rows = t >= 0 && t < v->chunk_rows ? stale_below(r, column, t, &first) : 0;
        const wend_error error = rows && first == -k ? rebuild_chunk(r, column, t, rows) : WEND_OK;
        if (error) return error;
    }
    return WEND_OK;
}

/* Copies a chunk's loaded state into a view. */
static wend_error copy_land(rebuild *r, int32_t column, int32_t row) {
    const wend__chunk *from = wend__version_chunk(r->version, column, row);
    const wend__chunk *before = wend__version_chunk(view_now(r), column, row);
    if (from->land == before->land && from->hash == before->hash) return WEND_OK;
    wend__chunk *chunk;
    wend__dirty *dirty;
    if (own_chunk(r, column, row, &chunk, &dirty)) return WEND_OUT_OF_MEMORY;
    chunk->land = from->land;
    chunk->hash = from->hash;
    dirty->rows[wend__chunk_index(column, row)] = UINT64_MAX;
    return WEND_OK;
}

static wend_error rebuild_touched(rebuild *r) {
    const wend__version *v = r->version;
    size_t blocks = wend__version_blocks(v);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned i = 0; r->dirty[b] && i < WEND__BLOCK_CHUNKS; i++) {
            if (!r->dirty[b]->rows[i]) continue;
            const wend__place p = wend__chunk_place(v, b, i);
            wend_error error =
                r->mover->walker ? rebuild_shaft(r, p.column, p.row) : rebuild_around(r, p.column, p.row);
            if (!error) error = copy_land(r, p.column, p.row);
            if (error) return error;
        }
    return WEND_OK;
}

static wend_error rebuild_all(rebuild *r) {
    wend_error error = WEND_OK;
    for (int32_t row = 0; row < r->version->chunk_rows && !error; row++)
        for (int32_t column = 0; column < r->version->chunk_columns && !error; column++)
            if (!(error = rebuild_chunk(r, column, row, UINT64_MAX))) error = copy_land(r, column, row);
    return error;
}

/* ---- a view ---- */

/* Turns the edit's draft into a view. */
static wend_error finish(rebuild *r, wend__version **out) {
    if (begin(r)) return WEND_OUT_OF_MEMORY;
    wend__version *draft = r->edit->draft;
    draft->known = r->version->known;
    if (draft->links != r->links) {
        wend__shared_release(r->map, draft->links);
        draft->links = wend__shared_retain(r->map, r->links);
    }
    if (draft->graph != r->version->graph) {
        wend__graph_release(r->map, draft->graph);
        draft->graph = wend__shared_retain(r->map, r->version->graph);
    }
    wend_error error = wend__edit_finish_view(r->edit, &r->rules);
    if (error) return error;
    draft->map = NULL;
    r->edit->draft = NULL;
    *out = draft;
    return WEND_OK;
}

static bool unchanged(const rebuild *r) {
    return !r->edit && r->before->links == r->links && r->before->graph == r->version->graph &&
           memcmp(&r->before->rules, &r->rules, sizeof r->rules) == 0;
}

static int32_t run(rebuild *r, wend__version **out) {
    wend_error error = r->dirty ? rebuild_touched(r) : rebuild_all(r);
    if (!error && unchanged(r))
        *out = wend__view_retain(r->map, r->before);
    else if (!error)
        error = finish(r, out);
    wend__scratch_edit_free(r->edit);
    wend__map_free(r->map, r->room, WEND__FOOTPRINT_CELLS * sizeof *r->room);
    return error;
}

static void init(rebuild *r, wend_map *map, const wend__version *version, const wend_map_rules *rules,
                 const wend_mover *mover) {
    r->map = map;
    r->version = version;
    r->links = version->links;
    r->dirty = NULL, r->changed_links = NULL, r->before = NULL, r->edit = NULL, r->room = NULL;
    r->rules = *rules;
    r->mover = mover;
    for (unsigned class = 0; class < 256; class++) r->rules.factors[class] = (uint8_t)class;
    wend__footprint_init(&r->footprint, version, mover);
}

wend_error wend__view_rebuild(const wend_edit *edit, const wend_map_rules *rules, const wend__links *links,
                              const wend_mover *mover, wend__version *before, wend__version **out) {
    rebuild r;
    init(&r, edit->map, edit->draft, rules, mover);
    r.links = links;
    r.dirty = edit->dirty;
    r.changed_links = edit->changed_links;
    r.before = before;
    return run(&r, out);
}

wend_error wend__view_build(const wend__version *version, const wend_mover *mover, uint32_t link_movers,
                            wend__version **out) {
    rebuild r;
    init(&r, version->map, version, &version->rules, mover);
    wend__version *draft = wend__version_create(version->map);
    if (!draft) return WEND_OUT_OF_MEMORY;
    draft->link_movers = link_movers;
    draft->graph = wend__shared_retain(version->map, version->graph);
    wend__version_set_rules(draft, &r.rules);
    wend_error error = wend__version_open(draft);
    if (error) {
        wend__version_free(draft);
        return error;
    }
    if (mover->walker)
        draft->walker = (wend__walker){(uint8_t)mover->headroom, (uint8_t)mover->step_up, (uint8_t)mover->drop};
    r.edit = wend__scratch_edit_create(version->map, draft);
    return r.edit ? run(&r, out) : WEND_OUT_OF_MEMORY;
}

/* Rebuilds views one after another. *same: none changed. */
static wend_error rebuild_each(wend_edit *edit, const wend__views *before, wend__views *after, bool *same) {
    *same = true;
    for (int32_t i = 0; i < before->count; i++) {
        wend__version *old = before->of[i].view;
        after->of[i].mover = before->of[i].mover;
        const wend__version *draft = edit->draft;
        if (wend__is_hex(draft) && before->of[i].mover.size > 1)
            return wend__refuse(WEND_UNSUPPORTED, "rules.neighbours is 6, but mover %d is larger than a cell", i + 1);
        wend_error error =
            wend__view_rebuild(edit, &draft->rules, draft->links, &before->of[i].mover, old, &after->of[i].view);
        if (error) return error;
        *same = *same && after->of[i].view == old;
    }
    return WEND_OK;
}

wend_error wend__views_rebuild(wend_edit *edit, uint32_t changes) {
    (void)changes; /* each view's own edit finds them */
    wend_map *map = edit->map;
    wend__views *before = map->newest->views;
    if (!before) return WEND_OK;
    wend__views *after = wend__views_create(map, before->count);
    bool same;
    wend_error error = after ? rebuild_each(edit, before, after, &same) : WEND_OUT_OF_MEMORY;
    if (error || same) {
        wend__views_release(map, after);
        after = error ? NULL : wend__shared_retain(map, before);
    }
    if (error) return error;
    wend__views_release(map, edit->draft->views);
    edit->draft->views = after;
    return WEND_OK;
}
