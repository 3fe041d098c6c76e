/* SPDX-License-Identifier: MIT */
/* The tree of areas of a grid: builds it, updates it where a batch wrote, shares it, reads it. */
#include "map/components/labels.h"
#include "map/store/memory.h"
#include "map/store/rules.h"
#include "map/store/terrain.h"

/* ---- references ---- */

wend__outline *wend__outline_create(wend_map *map, uint32_t runs) {
    return wend__shared_create(map, sizeof(wend__outline) + runs * sizeof(wend__rim_run));
}

wend__inside *wend__inside_create(wend_map *map, size_t extra_bytes) {
    return wend__shared_create(map, sizeof(wend__inside) + extra_bytes);
}

void wend__area_release(wend_map *map, wend__area *area) {
    wend__shared_release(map, area);
}

/* ---- making areas ---- */

/* A rebuild under way: the old version's areas, the batch's changes (NULL: everything), and areas that many places
 * share: all open, all blocked, for each level. */
typedef struct rebuild {
    wend_map *map;
    const wend__version *version;
    wend__dirty *const *dirty;
    unsigned contacts;                        ///< wend__contact_directions()
    bool fresh;                               ///< a new map: all of it is open, or blocked if it is streamed
    bool steps;                               ///< the batch closed or opened steps
    int top;                                  ///< level of the whole map
    wend__area *alike[2][WEND__LABEL_LEVELS]; ///< blocked, open
} rebuild;

enum { HELD = 6 }; /* an area's last members */

static wend__area *make_area(wend_map *map, wend__area *const parts[4], wend__outline *outline, wend__inside *inside) {
    wend__area *area = wend__shared_create(map, sizeof *area);
    if (!area) {
        wend__shared_release(map, outline);
        wend__shared_release(map, inside);
        return NULL;
    }
    *area = (wend__area){
        .shared = area->shared, .outline = outline, .inside = inside, .closed = inside->labels - outline->open};
    area->shared.held = HELD;
    for (unsigned part = 0; parts && part < 4; part++) {
        area->parts[part] = wend__shared_retain(map, parts[part]);
        if (parts[part]) area->closed += parts[part]->closed;
    }
    return area;
}

static bool same_outline(const wend__outline *a, const wend__outline *b) {
    const size_t from = offsetof(wend__outline, open);
    return a == b || (a->shared.bytes == b->shared.bytes &&
                      memcmp((const char *)a + from, (const char *)b + from, a->shared.bytes - from) == 0);
}

/* Replaces a new outline by an equal old one, so that the levels above see at once that nothing changed. */
static wend__outline *shared_outline(wend_map *map, wend__outline *fresh, const wend__area *old) {
    if (!old || !same_outline(fresh, old->outline)) return fresh;
    wend__shared_retain(map, old->outline);
    wend__shared_release(map, fresh);
    return old->outline;
}

/* The same for the inside of a larger area: its cells then have the same components as before. */
static wend__inside *shared_inside(wend_map *map, wend__inside *fresh, const wend__area *old) {
    const size_t from = offsetof(wend__inside, labels);
    if (!old || fresh->shared.bytes != old->inside->shared.bytes) return fresh;
    if (memcmp((const char *)fresh + from, (const char *)old->inside + from, fresh->shared.bytes - from) != 0)
        return fresh;
    wend__shared_retain(map, old->inside);
    wend__shared_release(map, fresh);
    return old->inside;
}

static void open_rows(const wend__version *v, int32_t column, int32_t row, uint64_t rows[WEND__CHUNK_SIDE]) {
    const wend__chunk *chunk = wend__version_chunk(v, column, row);
    unsigned width = wend__chunk_extent(v->width, column), height = wend__chunk_extent(v->height, row);
    memset(rows, 0, WEND__CHUNK_SIDE * sizeof *rows);
    for (unsigned y = 0; y < height; y++) rows[y] = wend__low_bits(width) & wend__open_row(v->rules.factors, chunk, y);
}

/* Returns 0 for a whole chunk without closed steps that is blocked, 1 if it is open, else -1. */
static int alike_as(const rebuild *r, int32_t column, int32_t row) {
    const wend__chunk *chunk = wend__version_chunk(r->version, column, row);
    const bool whole =
        wend__chunk_extent(r->version->width, column) == 64 && wend__chunk_extent(r->version->height, row) == 64;
    if (chunk->terrain || chunk->bits || chunk->closed || !whole) return -1;
    return r->version->rules.factors[chunk->uniform] != 0;
}

static wend__area *rebuild_chunk(rebuild *r, const wend__area *old, int32_t column, int32_t row) {
    const int as = alike_as(r, column, row);
    if (as >= 0 && r->alike[as][0]) return wend__shared_retain(r->map, r->alike[as][0]);
    uint64_t rows[WEND__CHUNK_SIDE];
    wend__outline *outline;
    wend__inside *inside;
    open_rows(r->version, column, row, rows);
    const wend__closed *closed = wend__version_chunk(r->version, column, row)->closed;
    wend__walls walls;
    if (closed) wend__walls_of(closed, r->contacts > 4, &walls);
    if (wend__label_chunk(r->map, rows, closed ? &walls : NULL, r->contacts, &outline, &inside)) return NULL;
    wend__area *area = make_area(r->map, NULL, shared_outline(r->map, outline, old), inside);
    if (area && as >= 0) r->alike[as][0] = wend__shared_retain(r->map, area);
    return area;
}

/* Returns whether no outline of the four areas changed; then their join did not change. */
static bool same_outlines(wend__area *const parts[4], const wend__area *old) {
    for (unsigned part = 0; part < 4; part++) {
        if (!parts[part] != !old->parts[part]) return false;
        if (parts[part] && parts[part]->outline != old->parts[part]->outline) return false;
    }
    return true;
}

static bool stepped(const rebuild *r, int32_t column, int32_t row) {
    const wend__version *v = r->version;
    if (column >= v->chunk_columns || row >= v->chunk_rows) return false;
    const wend__dirty *dirty = r->dirty[wend__block_index(v, column, row)];
    return dirty && dirty->steps[wend__chunk_index(column, row)];
}

/* Returns true if the batch changed steps in chunks along a square's seams. Then thin walls may have come or gone.
   Adding a wall marks both sides as changed; removing one may mark a single side. */
static bool seams_stepped(const rebuild *r, int level, int32_t column, int32_t row) {
    int32_t half = 1 << (level - 1);
    if (!r->steps) return false;
    for (int32_t i = 0; i < 2 * half; i++)
        for (int32_t side = -1; side < 1; side++)
            if (stepped(r, column + i, row + half + side) || stepped(r, column + half + side, row + i)) return true;
    return false;
}

/* Returns the list that contains four equal areas of a level; NULL: they differ, or are in no list. */
static wend__area **list_of(rebuild *r, wend__area *const parts[4], int level) {
    for (unsigned part = 1; part < 4; part++)
        if (parts[part] != parts[0]) return NULL;
    for (unsigned as = 0; as < 2; as++)
        if (parts[0] && parts[0] == r->alike[as][level]) return r->alike[as];
    return NULL;
}

static wend__area *join_areas(rebuild *r, wend__area *const parts[4], const wend__area *old, int level, int32_t column,
                              int32_t row) {
    wend__area **alike = list_of(r, parts, level - 1);
    if (alike && alike[level]) return wend__shared_retain(r->map, alike[level]);
    if (old && same_outlines(parts, old) && !seams_stepped(r, level, column, row)) {
        wend__shared_retain(r->map, old->outline);
        wend__shared_retain(r->map, old->inside);
        return make_area(r->map, parts, old->outline, old->inside);
    }
    wend__outline *outline;
    wend__inside *inside;
    wend__quarters quarters = {.parts = parts,
                               .side = UINT32_C(1) << (level - 1 + WEND__CHUNK_SHIFT),
                               .x = column << WEND__CHUNK_SHIFT,
                               .y = row << WEND__CHUNK_SHIFT,
                               .version = r->version->closed_steps > 0 ? r->version : NULL};
    if (wend__label_join(r->map, &quarters, r->contacts, level == r->top, &outline, &inside)) return NULL;
    inside = shared_inside(r->map, inside, old);
    wend__area *area = make_area(r->map, parts, shared_outline(r->map, outline, old), inside);
    if (area && alike) alike[level] = wend__shared_retain(r->map, area);
    return area;
}

/* Returns true if the batch touched a chunk of this square. */
static bool touched(const rebuild *r, int level, int32_t column, int32_t row) {
    const wend__version *v = r->version;
    int32_t end_column = column + (1 << level), end_row = row + (1 << level);
    if (!r->dirty) return true;
    if (end_column > v->chunk_columns) end_column = v->chunk_columns;
    if (end_row > v->chunk_rows) end_row = v->chunk_rows;
    int32_t stride = level >= WEND__BLOCK_SHIFT ? WEND__BLOCK_SIDE : 1;
    for (int32_t y = row; y < end_row; y += stride)
        for (int32_t x = column; x < end_column; x += stride) {
            const wend__dirty *dirty = r->dirty[wend__block_index(v, x, y)];
            if (dirty && (stride > 1 || dirty->rows[wend__chunk_index(x, y)])) return true;
        }
    return false;
}

static bool whole(const wend__version *v, int level, int32_t column, int32_t row) {
    int64_t side = INT64_C(1) << (level + WEND__CHUNK_SHIFT);
    return ((int64_t)column << WEND__CHUNK_SHIFT) + side <= v->width &&
           ((int64_t)row << WEND__CHUNK_SHIFT) + side <= v->height;
}

/* Returns the area of a square of 2^level chunks a side. NULL: off the map, or no memory (*failed). */
static wend__area *rebuild_square(rebuild *r, wend__area *old, int level, int32_t column, int32_t row, bool *failed) {
    if (column >= r->version->chunk_columns || row >= r->version->chunk_rows) return NULL;
    wend__area *same = r->fresh ? r->alike[!r->version->map->streamed][level] : NULL;
    if (same && whole(r->version, level, column, row)) return wend__shared_retain(r->map, same);
    if (old && !touched(r, level, column, row)) return wend__shared_retain(r->map, old);
    wend__area *area = NULL;
    if (level == 0) {
        area = rebuild_chunk(r, old, column, row);
    } else {
        wend__area *parts[4] = {NULL};
        int32_t half = 1 << (level - 1);
        for (unsigned part = 0; part < 4 && !*failed; part++)
            parts[part] =
                rebuild_square(r, old ? old->parts[part] : NULL, level - 1, column + (int32_t)(part & 1) * half,
                               row + (int32_t)(part >> 1) * half, failed);
        if (!*failed) area = join_areas(r, parts, old, level, column, row);
        for (unsigned part = 0; part < 4; part++) wend__area_release(r->map, parts[part]);
    }
    if (!area) *failed = true;
    return area;
}

int wend__labels_top(const wend__version *v) {
    int32_t side = v->chunk_columns > v->chunk_rows ? v->chunk_columns : v->chunk_rows;
    int level = 0;
    while (1 << level < side) level++;
    return level;
}

static bool any_stepped(const rebuild *r) {
    size_t blocks = r->dirty ? wend__version_blocks(r->version) : 0;
    for (size_t b = 0; b < blocks; b++)
        if (r->dirty[b] && memchr(r->dirty[b]->steps, true, sizeof r->dirty[b]->steps)) return true;
    return false;
}

static wend_error rebuild_all(rebuild *r, wend__area *old, wend__area **out) {
    bool failed = false;
    r->map = r->version->map;
    r->contacts = wend__contact_directions(&r->version->rules, WEND_KIND_GRID);
    r->top = wend__labels_top(r->version);
    r->steps = any_stepped(r);
    wend__area *area = rebuild_square(r, old, r->top, 0, 0, &failed);
    for (unsigned level = 0; level < WEND__LABEL_LEVELS; level++) {
        wend__area_release(r->map, r->alike[0][level]);
        wend__area_release(r->map, r->alike[1][level]);
    }
    if (failed) return WEND_OUT_OF_MEMORY;
    *out = area;
    return WEND_OK;
}

wend_error wend__labels_rebuild(const wend__version *version, wend__area *old, wend__dirty *const *dirty,
                                wend__area **out) {
    rebuild r = {.version = version, .dirty = dirty};
    return rebuild_all(&r, old, out);
}

wend_error wend__labels_create(const wend__version *version, wend__area **out) {
    rebuild r = {.version = version, .fresh = true};
    return rebuild_all(&r, NULL, out);
}

static bool alike(const wend__area *now, const wend__area *before, int level) {
    if (now == before || level == 0) return true;
    if (now->inside != before->inside) return false;
    for (unsigned part = 0; part < 4; part++)
        if (now->parts[part] && !alike(now->parts[part], before->parts[part], level - 1)) return false;
    return true;
}

bool wend__labels_alike(const wend__version *version, const wend__area *before) {
    return alike(version->labels, before, wend__labels_top(version));
}

/* ---- queries ---- */

/* Takes the label of the last run that begins at the cell or before. */
uint32_t wend__chunk_label(const wend__version *v, const wend__inside *inside, int32_t x, int32_t y) {
    const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    unsigned column = x & (WEND__CHUNK_SIDE - 1), row = y & (WEND__CHUNK_SIDE - 1);
    uint64_t open = wend__open_row(v->rules.factors, chunk, row);
    uint64_t walls = chunk->closed ? wend__walls_east(chunk->closed, row) : 0,
             begins = open & (~(open << 1) | walls << 1);
    unsigned run = inside->rows[row] + wend__popcount64(begins & wend__low_bits(column + 1)) - 1;
    return inside->labels <= WEND__NARROW ? inside->u.narrow[run] : inside->u.wide[run];
}

wend__component wend__version_component(const wend__version *v, int32_t x, int32_t y) {
    const wend__area *way[WEND__LABEL_LEVELS];
    int top = wend__labels_top(v);
    int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    way[top] = v->labels;
    for (int level = top; level > 0; level--)
        way[level - 1] = way[level]->parts[(column >> (level - 1) & 1) | (row >> (level - 1) & 1) << 1];
    uint32_t label = wend__chunk_label(v, way[0]->inside, x, y);
    int level = 0;
    for (; level < top && label < way[level]->outline->open; level++) {
        unsigned part = (unsigned)((column >> level & 1) | (row >> level & 1) << 1);
        label = way[level + 1]->inside->u.to[way[level + 1]->inside->starts[part] + label];
    }
    return (wend__component){level, column >> level, row >> level, label};
}
