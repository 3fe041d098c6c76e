/* SPDX-License-Identifier: MIT */
/* Comparing two versions: cells blocked, steps closed and links removed, and which watched paths that breaks. */
#include "map/ground/ground.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/terrain.h"
#include "map/version/version.h"
#include "motion/watch/watch_state.h"

typedef struct comparison {
    wend_watcher *w;
    const wend__version *now; ///< the newer version
    int32_t mover;
    const wend__link *removed; ///< the removed link to compare, or NULL
    bool streamed;             ///< and the mover covers one cell: a larger one may need cells of several chunks
} comparison;

/* ---- streamed land ----
 * An unloaded chunk that is known by its hash breaks no path: steps in it are unverified. Where it is
 * loaded again with that hash, only steps over its rim are checked, as the land around it may have changed. */

static uint8_t land_at(const wend__version *v, int32_t x, int32_t y) {
    return wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT)->land;
}

/* A diagonal step also depends on the cells on both sides of it. */
static bool is_unverified(const comparison *c, wend_cell from, wend_cell to) {
    const wend__version *v = c->now;
    if (!c->streamed || (c->removed && c->removed->to == wend__cell_number(v, to))) return false;
    return land_at(v, from.x, from.y) == WEND_LAND_KNOWN || land_at(v, to.x, to.y) == WEND_LAND_KNOWN ||
           land_at(v, from.x, to.y) == WEND_LAND_KNOWN || land_at(v, to.x, from.y) == WEND_LAND_KNOWN;
}

/* ---- pieces near a change ---- */

/* Where to look in a tile. `blocked`: cells that were blocked. `near`: cells that may have lost a step. */
typedef struct spots {
    wend_cell first; ///< of the tile
    uint64_t blocked, near;
} spots;

static wend_cell cell_of_bit(const wend_watcher *w, wend_cell first, unsigned bit) {
    const int32_t b = (int32_t)bit;
    if (w->shift == 3) return (wend_cell){first.x + (b & 7), first.y + (b >> 3), 0};
    if (w->shift == 2) return (wend_cell){first.x + (b & 3), first.y + (b >> 2 & 3), first.z + (b >> 4)};
    return (wend_cell){first.x + b, 0, 0};
}

static wend_cell step_by(const wend_watcher *w, wend_cell from, unsigned direction) {
    const bool flat = w->shift == 3;
    from.x += flat ? wend__dx[direction] : wend__sx[direction];
    from.y += flat ? wend__dy[direction] : wend__sy[direction];
    from.z += flat ? 0 : wend__sz[direction];
    return from;
}

static void check_piece(const comparison *c, const wend__piece *piece, const spots *s) {
    wend_watcher *w = c->w;
    const unsigned end = wend__code_end(w), link = wend__code_link(w);
    wend_cell cell = cell_of_bit(w, s->first, piece->trail & 63), next = cell;
    uint64_t trail = piece->trail >> 6;
    uint32_t index = piece->index;
    for (unsigned left = wend__popcount64(piece->places); left; left--, index++, cell = next) {
        const unsigned bit = wend__tile_bit(w, cell), code = (unsigned)trail & end;
        trail >>= w->code_bits;
        if (code < link) next = step_by(w, cell, code);
        if (s->blocked >> bit & 1) wend__watch_break(w, piece->path, index, cell);
        if (code == end || !(s->near >> bit & 1)) continue;
        if (code == link) next = wend__watched_cell(w, piece->path, index + 1);
        if (wend__step_cost(c->now, c->mover, cell, next) == UINT64_MAX && !is_unverified(c, cell, next))
            wend__watch_break(w, piece->path, index + 1, next);
    }
}

static void check_tile(const comparison *c, const spots *s) {
    const wend_watcher *w = c->w;
    const uint64_t places = s->blocked | s->near;
    const uint32_t tile = wend__tile_of(w, s->first);
    uint32_t next = w->buckets[wend__watch_bucket(w, tile, c->mover)];
    while (next != WEND__NO_WATCH) {
        const wend__slot_group *slot_group = &w->slot_groups[next];
        next = slot_group->next;
        if (next != WEND__NO_WATCH) WEND__PREFETCH(&w->slot_groups[next]);
        if (slot_group->tile != tile || slot_group->mover != c->mover) continue;
        for (uint32_t used = slot_group->used; used; used &= used - 1) {
            const wend__piece *piece = &slot_group->of[wend__ctz32(used)];
            if (piece->places & places) check_piece(c, piece, s);
        }
    }
}

/* ---- changed cells, tile by tile ---- */

typedef struct range {
    int32_t min, max;
} range;

static range overlap(range a, int32_t first, int32_t side) {
    return (range){wend__most(a.min - first, 0), wend__least(a.max - first, side - 1)};
}

/* The cells of a box, as bits of the tile that begins at `first`. */
static uint64_t bits_of_box(const wend_watcher *w, const range box[3], wend_cell first) {
    const int32_t side = 1 << w->shift, layers = w->shift == 2 ? side : 1;
    const range x = overlap(box[0], first.x, side), y = overlap(box[1], first.y, side);
    const range z = overlap(box[2], first.z, layers);
    if (x.max < x.min) return 0;
    const uint64_t row = (UINT64_C(1) << (x.max - x.min + 1)) - 1;
    uint64_t bits = 0;
    for (int32_t k = z.min; k <= z.max; k++)
        for (int32_t j = y.min; j <= y.max; j++) bits |= row << ((k << w->shift | j) << w->shift | x.min);
    return bits;
}

/* The box around the bits of a tile, and one cell more to each side, within the map. */
static void box_of_bits(const comparison *c, wend_cell first, uint64_t bits, range box[3]) {
    const wend_watcher *w = c->w;
    const int32_t side = 1 << w->shift, size[3] = {c->now->width, c->now->height, c->now->depth};
    const int32_t origin[3] = {first.x, first.y, first.z};
    int32_t low[3] = {side, side, side}, high[3] = {0, 0, 0};
    for (; bits; bits &= bits - 1) {
        const int32_t bit = (int32_t)wend__ctz64(bits);
        const int32_t at[3] = {bit & (side - 1), bit >> w->shift & (side - 1), bit >> 2 * w->shift};
        for (int i = 0; i < 3; i++) low[i] = wend__least(low[i], at[i]), high[i] = wend__most(high[i], at[i]);
    }
    for (int i = 0; i < 3; i++)
        box[i] = (range){wend__most(origin[i] + low[i] - 1, 0), wend__least(origin[i] + high[i] + 1, size[i] - 1)};
}

/* Checks the cells of a box. `blocked`: those of the tile at `first` that were blocked. */
static void check_near(const comparison *c, const range box[3], wend_cell first, uint64_t blocked) {
    const wend_watcher *w = c->w;
    const int32_t s = w->shift;
    for (int32_t z = box[2].min >> s; z <= box[2].max >> s; z++)
        for (int32_t y = box[1].min >> s; y <= box[1].max >> s; y++)
            for (int32_t x = box[0].min >> s; x <= box[0].max >> s; x++) {
                const wend_cell tile = {x << s, y << s, z << s};
                const bool own = tile.x == first.x && tile.y == first.y && tile.z == first.z;
                check_tile(c, &(spots){tile, own ? blocked : 0, bits_of_box(w, box, tile)});
            }
}

/* The cells across the rim of a range that touches it; empty: there are none. */
static range across_rim(range along, int32_t around) {
    if (around && along.min == 0) return (range){around - 1, around - 1};
    return around && along.max == around - 1 ? (range){0, 0} : (range){1, 0};
}

/* Checks the cells next to a box over the rim of a map that wraps. */
static void check_across(const comparison *c, const range box[3], wend_cell first) {
    const range x = across_rim(box[0], c->now->around_x), y = across_rim(box[1], c->now->around_y);
    const range beside[3][3] = {{x, box[1], box[2]}, {box[0], y, box[2]}, {x, y, box[2]}};
    if (x.min <= x.max) check_near(c, beside[0], first, 0);
    if (y.min <= y.max) check_near(c, beside[1], first, 0);
    if (x.min <= x.max && y.min <= y.max) check_near(c, beside[2], first, 0);
}

static void check_seam(void *context, wend_cell from) {
    const range cell[3] = {{from.x, from.x}, {from.y, from.y}, {0, 0}};
    check_near(context, cell, from, 0);
}

/* Checks the cells from which seams lead to those of a tile. */
static void check_seams(const comparison *c, wend_cell first, uint64_t bits) {
    const int32_t side = 1 << c->w->shift;
    for (; bits && c->now->sheets; bits &= bits - 1) {
        const int32_t bit = (int32_t)wend__ctz64(bits);
        const wend_cell cell = {first.x + (bit & (side - 1)), first.y + (bit >> c->w->shift & (side - 1)), 0};
        if (wend__on_map(c->now, cell.x, cell.y)) wend__seams_into(c->now, cell, check_seam, (void *)c);
    }
}

/* Cells of a tile were blocked, and steps out of some were closed. A step depends on cells next to both its ends. */
static void check_around(const comparison *c, wend_cell first, uint64_t blocked, uint64_t closed) {
    if (c->now->kind == WEND_KIND_GRAPH) {
        check_tile(c, &(spots){first, blocked, 0});
        return;
    }
    range box[3];
    box_of_bits(c, first, blocked | closed, box);
    check_near(c, box, first, blocked);
    check_across(c, box, first);
    check_seams(c, first, blocked | closed);
}

/* ---- changed chunks ---- */

/* Bits of a chunk's 64 tiles. */
typedef struct tiles {
    uint64_t blocked[64], closed[64];
} tiles;

/* Where a cell of a chunk is among its tiles: tile << 6 | bit. */
static unsigned tile_place(int32_t kind, unsigned local) {
    if (kind == WEND_KIND_GRAPH) return local;
    if (kind == WEND_KIND_GRID) return (local >> 9) << 9 | (local >> 3 & 7) << 6 | (local >> 6 & 7) << 3 | (local & 7);
    const unsigned x = local & 15, y = local >> 4 & 15, z = local >> 8;
    return (z >> 2) << 10 | (y >> 2) << 8 | (x >> 2) << 6 | (z & 3) << 4 | (y & 3) << 2 | (x & 3);
}

static void mark(uint64_t *bits, int32_t kind, unsigned local) {
    const unsigned place = tile_place(kind, local);
    bits[place >> 6] |= UINT64_C(1) << (place & 63);
}

static bool same_row(const wend__chunk *a, const wend__chunk *b, unsigned y) {
    const unsigned at = y << WEND__CHUNK_SHIFT;
    if (a->terrain && b->terrain) return memcmp(a->terrain->bytes + at, b->terrain->bytes + at, 64) == 0;
    return false;
}

static bool mark_blocked(const wend__version *before, const wend__chunk *a, const wend__chunk *b, uint64_t *bits) {
    bool any = false;
    if (a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform) return false;
    for (unsigned y = 0; y < WEND__CHUNK_SIDE; y++) {
        if (same_row(a, b, y)) continue;
        uint64_t gone = wend__open_row(before->rules.factors, a, y) & ~wend__open_row(before->rules.factors, b, y);
        any = any || gone;
        for (; gone; gone &= gone - 1) mark(bits, before->kind, y << WEND__CHUNK_SHIFT | wend__ctz64(gone));
    }
    return any;
}

static bool mark_closed(int32_t kind, const wend__chunk *a, const wend__chunk *b, uint64_t *bits) {
    bool any = false;
    if (a->closed == b->closed || !b->closed) return false;
    for (unsigned local = 0; local < WEND__CHUNK_CELLS; local++) {
        if (!(b->closed->steps[local] & ~(a->closed ? a->closed->steps[local] : 0))) continue;
        mark(bits, kind, local);
        any = true;
    }
    return any;
}

static wend_cell tile_first(const wend__version *v, wend__place chunk, int32_t tile) {
    if (v->kind == WEND_KIND_GRAPH) return (wend_cell){chunk.column << 12 | tile << 6, 0, 0};
    if (v->kind == WEND_KIND_GRID)
        return (wend_cell){chunk.column << 6 | (tile & 7) << 3, chunk.row << 6 | tile >> 3 << 3, 0};
    return (wend_cell){chunk.column << 4 | (tile & 3) << 2, (chunk.row % v->chunk_y) << 4 | (tile >> 2 & 3) << 2,
                       (chunk.row / v->chunk_y) << 4 | tile >> 4 << 2};
}

static void compare_chunk(const comparison *c, const wend__version *before, const wend__chunk *a, const wend__chunk *b,
                          wend__place place) {
    tiles t;
    memset(&t, 0, sizeof t);
    bool any = mark_blocked(before, a, b, t.blocked);
    any = mark_closed(before->kind, a, b, t.closed) || any;
    for (int32_t tile = 0; tile < 64 && any; tile++)
        if (t.blocked[tile] | t.closed[tile])
            check_around(c, tile_first(before, place, tile), t.blocked[tile], t.closed[tile]);
}

static bool same_chunk(const wend__chunk *a, const wend__chunk *b) {
    return a->terrain == b->terrain && a->bits == b->bits && a->uniform == b->uniform && a->closed == b->closed;
}

static void compare_blocks(const comparison *c, const wend__version *before, const wend__version *after) {
    const size_t blocks = wend__version_blocks(before);
    for (size_t i = 0; i < blocks; i++) {
        if (before->blocks[i] == after->blocks[i]) continue;
        for (unsigned k = 0; k < WEND__BLOCK_CHUNKS; k++) {
            const wend__chunk *a = &before->blocks[i]->chunks[k], *b = &after->blocks[i]->chunks[k];
            const bool is_known = c->streamed && c->now->blocks[i]->chunks[k].land == WEND_LAND_KNOWN;
            if (!is_known && !same_chunk(a, b)) compare_chunk(c, before, a, b, wend__chunk_place(before, i, k));
        }
    }
}

/* ---- chunks that were known ---- */

/* The cells of a grid's tile that are in the outermost rows and columns of its chunk. */
static uint64_t rim_of_tile(int32_t tile) {
    const int32_t x = tile & 7, y = tile >> 3;
    return (y == 0 ? UINT64_C(0xFF) : 0) | (y == 7 ? UINT64_C(0xFF) << 56 : 0) |
           (x == 0 ? UINT64_C(0x0101010101010101) : 0) | (x == 7 ? UINT64_C(0x8080808080808080) : 0);
}

/* Checks all steps of a chunk that was known before, or those over its rim. */
static void verify_chunk(const comparison *c, wend__place place, bool rim_only) {
    const wend__version *view = wend__version_view(c->now, c->mover);
    const wend__chunk *chunk = wend__version_chunk(view, place.column, place.row);
    for (int32_t tile = 0; tile < 64; tile++) {
        uint64_t blocked = 0;
        for (unsigned y = 0; y < 8 && !rim_only; y++) {
            const uint64_t open = wend__open_row(view->rules.factors, chunk, (unsigned)tile >> 3 << 3 | y);
            blocked |= (~open >> 8 * (tile & 7) & 0xFF) << 8 * y;
        }
        const uint64_t near = rim_only ? rim_of_tile(tile) : UINT64_MAX;
        if (near) check_around(c, tile_first(c->now, place, tile), blocked, near);
    }
}

static void verify_land(const comparison *c, const wend__version *before, const wend__version *now) {
    for (size_t i = 0; i < wend__version_blocks(before); i++) {
        if (before->blocks[i] == now->blocks[i]) continue;
        for (unsigned k = 0; k < WEND__BLOCK_CHUNKS; k++) {
            const wend__chunk *a = &before->blocks[i]->chunks[k], *b = &now->blocks[i]->chunks[k];
            const wend__place place = wend__chunk_place(before, i, k);
            if (a->land != WEND_LAND_KNOWN || (b->land == WEND_LAND_KNOWN && b->hash == a->hash)) continue;
            const bool same = b->land == WEND_LAND_LOADED && wend__chunk_hash(now, place.column, place.row) == a->hash;
            verify_chunk(c, place, same);
        }
    }
}

/* ---- links ---- */

static void check_link(comparison c, const wend__link *link) {
    const wend_cell from = wend__cell_of_number(c.now, link->from);
    const int32_t s = c.w->shift, sx = c.w->shift_x;
    const wend_cell first = {from.x >> sx << sx, from.y >> s << s, from.z >> s << s};
    const uint64_t bit = UINT64_C(1) << wend__tile_bit(c.w, from);
    c.removed = link;
    check_tile(&c, &(spots){first, 0, bit});
    c.removed = NULL;
    /* diagonal steps may have passed a corner by the seam */
    if (link->cost == WEND__SHEET_SEAM) check_around(&c, first, 0, bit);
}

/* Both lists are sorted: what the second lacks was removed. A seam of another cost is a seam no more. */
static void compare_links(const comparison *c, const wend__links *before, const wend__links *after) {
    const uint32_t count = after ? after->count : 0;
    for (uint32_t i = 0, k = 0; before && i < before->count; i++) {
        const wend__link *link = &before->sorted[i];
        const uint64_t key = wend__link_key(link);
        while (k < count && wend__link_key(&after->sorted[k]) < key) k++;
        const bool stays = k < count && wend__link_key(&after->sorted[k]) == key;
        if (!stays || (link->cost == WEND__SHEET_SEAM && after->sorted[k].cost != link->cost)) check_link(*c, link);
    }
}

/* ---- all ---- */

uint32_t wend__watch_walk(const wend_watcher *w, const wend__watched *path) {
    uint32_t at = path->first * WEND__STRAND_WORDS, index = 0;
    while (index < path->from) at = wend__strand_next(w, at), index++;
    wend_cell cell = wend__cell_unpack(wend__strand_word(w, at));
    while (++index < path->count) {
        at = wend__strand_next(w, at);
        const wend_cell next = wend__cell_unpack(wend__strand_word(w, at));
        if (wend__step_cost(w->version, path->mover, cell, next) == UINT64_MAX) break;
        cell = next;
    }
    return index;
}

/* Any step may be gone, as the rules have changed. */
static void check_all(wend_watcher *w, int32_t mover) {
    for (uint32_t i = 0; i < w->def.paths; i++) {
        const wend__watched *path = &w->paths[i];
        if (path->state != WEND__WATCH_WATCHED || path->mover != mover) continue;
        const uint32_t index = wend__watch_walk(w, path);
        if (index < path->count) wend__watch_break(w, i, index, wend__watched_cell(w, i, index));
    }
}

static bool same_rules(const wend__version *a, const wend__version *b) {
    return a->rules.neighbours == b->rules.neighbours && a->rules.corners == b->rules.corners &&
           memcmp(a->rules.factors, b->rules.factors, sizeof a->rules.factors) == 0;
}

static void compare(wend_watcher *w, const wend__version *before, const wend__version *now) {
    const int32_t movers = wend__version_movers(before);
    for (int32_t mover = 0; mover < movers; mover++) {
        if (!w->of_mover[mover]) continue;
        const wend__version *a = wend__version_view(before, mover), *b = wend__version_view(now, mover);
        const bool streamed = w->def.map->streamed && wend__version_mover_size(now, mover) == 1;
        const comparison c = {.w = w, .now = now, .mover = mover, .streamed = streamed};
        const bool other_levels = wend__is_walker(b) && a != b; /* a step of several levels depends on cells far away */
        if (!same_rules(a, b) || !same_rules(before, now) || other_levels) {
            check_all(w, mover);
            continue;
        }
        if (a != b) compare_blocks(&c, a, b);
        if (c.streamed) verify_land(&c, before, now);
        if (before->links != now->links) compare_links(&c, before->links, now->links);
    }
}

void wend__watch_sync(wend_watcher *w) {
    wend__version *before = w->version;
    if (wend__map_serial(w->def.map) == before->serial) return;
    w->version = wend__map_acquire(w->def.map, false);
    if (w->version->revision != before->revision && w->watched) compare(w, before, w->version);
    wend__map_release(before, false);
}
