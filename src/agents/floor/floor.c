/* SPDX-License-Identifier: MIT */
/* Makes the tables of a chunk's floor from a version, and again after an edit of the chunk or its surroundings. */
#include "agents/floor/floor.h"

#include "base/hash.h"
#include "map/kinds/walls.h"
#include "map/movers/views.h"
#include "map/store/directions.h"

enum {
    AROUND = WEND__FLOOR_FAR, ///< cells round a chunk that its clearance depends on
    SIDE = WEND__FLOOR_SIDE + 2 * AROUND,
    EAST_LEDGES = WEND__LEDGE_EAST_OUT | WEND__LEDGE_EAST_IN,
    SOUTH_LEDGES = WEND__LEDGE_SOUTH_OUT | WEND__LEDGE_SOUTH_IN
};

static void look_at(wend__body_land *floor, const wend__version *version) {
    floor->view = wend__version_view(version, floor->mover);
    floor->ground = floor->size > 1 ? version : floor->view;
}

bool wend__floor_open(wend__body_land *floor, const wend_allocator *allocator, const wend__version *version,
                      int32_t mover) {
    *floor =
        (wend__body_land){.allocator = *allocator, .width = version->width, .height = version->height, .mover = mover};
    floor->size = wend__version_mover_size(version, mover);
    if (floor->size == 1) floor->around_x = version->around_x, floor->around_y = version->around_y;
    floor->offset = (floor->size - 1) * (WEND__BODY_ONE / 2);
    look_at(floor, version);
    floor->columns = (version->width + 63) >> 6, floor->rows = (version->height + 63) >> 6;
    floor->serial = version->serial; /* views have none */
    const size_t count = (size_t)floor->columns * (size_t)floor->rows;
    const bool whole = !version->map->streamed;
    if (count > SIZE_MAX / sizeof *floor->block) return false;
    floor->chunks = wend__allocate(allocator, count * sizeof(*floor->chunks), 64);
    if (whole) floor->block = wend__allocate(allocator, count * sizeof *floor->block, 64);
    floor->stale = wend__allocate(allocator, count * sizeof(*floor->stale), 64);
    if (floor->chunks) memset(floor->chunks, 0, count * sizeof(*floor->chunks));
    if (floor->stale) memset(floor->stale, 0, count * sizeof(*floor->stale));
    if (floor->chunks && floor->stale && (floor->block || !whole)) return true;
    wend__floor_close(floor);
    return false;
}

static void free_piece(wend__body_land *floor, void *piece, size_t bytes) {
    if (piece) floor->allocator.free(floor->allocator.context, piece, bytes);
}

static void free_chunk(wend__body_land *floor, size_t at) {
    if (!floor->block) free_piece(floor, floor->chunks[at], sizeof *floor->chunks[at]);
    floor->chunks[at] = NULL;
}

void wend__floor_close(wend__body_land *floor) {
    const size_t count = (size_t)floor->columns * (size_t)floor->rows;
    for (size_t at = 0; floor->chunks && at < count; at++) free_chunk(floor, at);
    free_piece(floor, floor->chunks, count * sizeof(*floor->chunks));
    free_piece(floor, floor->block, count * sizeof *floor->block);
    free_piece(floor, floor->stale, count * sizeof(*floor->stale));
    *floor = (wend__body_land){0};
}

/* Land that is not loaded: all blocked. */
static const wend__floor_chunk no_land;

static bool is_loaded(const wend__version *view, int32_t column, int32_t row) {
    return wend__version_chunk(view, column, row)->land == WEND_LAND_LOADED;
}

void wend__floor_follow(wend__body_land *floor, const wend__version *version) {
    look_at(floor, version);
    if (floor->serial == version->serial) return;
    floor->serial = version->serial;
    for (int32_t at = 0; at < floor->columns * floor->rows; at++)
        if (floor->chunks[at] && !is_loaded(floor->ground, at % floor->columns, at / floor->columns))
            free_chunk(floor, (size_t)at);
    memset(floor->stale, 1, (size_t)floor->columns * (size_t)floor->rows);
}

/* ---- the source data of a chunk ---- */

/// The open cells of a chunk and round it, and the kinds of their edges in the east and south.
typedef struct surroundings {
    uint8_t open[SIDE * SIDE];
    uint8_t walls[SIDE * SIDE];
} surroundings;

/* Returns whether a mover may be on a single cell. */
static bool is_ground(const wend__body_land *floor, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= floor->width || y >= floor->height) return false;
    if (floor->size == 1) return wend__version_factor(floor->ground, x, y) != 0;
    const wend_mover *mover = &floor->ground->views->of[floor->mover - 1].mover;
    return mover->factors[wend__version_class(floor->ground, x, y)] != 0;
}

/* Returns what the edge to an open neighbour is: a wall if both steps over it are closed, or a ledge. Movers larger
 * than a cell stop at ledges, too. */
static uint8_t edge_of(const wend__body_land *floor, int32_t x, int32_t y, int32_t dx, int32_t dy) {
    const wend_cell here = {x, y, 0}, next = {x + dx, y + dy, 0};
    const int32_t there = wend__flat_direction(dx, dy), back = wend__flat_direction(-dx, -dy);
    if (!is_ground(floor, next.x, next.y)) return 0;
    const bool out = wend__closed_at(floor->ground, here) >> there & 1;
    const bool in = wend__closed_at(floor->ground, next) >> back & 1;
    if ((out && in) || ((out || in) && floor->size > 1)) return dx ? WEND__WALL_EAST : WEND__WALL_SOUTH;
    if (out) return dx ? WEND__LEDGE_EAST_OUT : WEND__LEDGE_SOUTH_OUT;
    return !in ? 0 : dx ? WEND__LEDGE_EAST_IN : WEND__LEDGE_SOUTH_IN;
}

static void look(const wend__body_land *floor, int32_t column, int32_t row, surroundings *s) {
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const wend_cell at = wend__floor_on_map(floor, column * 64 + x - AROUND, row * 64 + y - AROUND);
            const bool open = is_ground(floor, at.x, at.y);
            s->open[y * SIDE + x] = open;
            s->walls[y * SIDE + x] = 0;
            if (!open || !wend__version_chunk(floor->ground, at.x >> 6, at.y >> 6)->closed_near) continue;
            s->walls[y * SIDE + x] = edge_of(floor, at.x, at.y, 1, 0) | edge_of(floor, at.x, at.y, 0, 1);
        }
}

/* Marks the cells in and round a chunk out of which seams lead to other sheets. */
static void mark_seams(const wend__body_land *floor, int32_t column, int32_t row, surroundings *s) {
    const wend__version *v = floor->ground;
    if (!v->sheets || !v->links) return;
    for (int32_t k = 0; k < 9; k++) {
        const int32_t c = column + k % 3 - 1, r = row + k / 3 - 1;
        if (c < 0 || r < 0 || c >= floor->columns || r >= floor->rows) continue;
        const uint64_t chunk = (uint64_t)r * (uint64_t)floor->columns + (uint64_t)c;
        const wend__link_list list = wend__links_of_chunks(v, v->links, false, chunk, 1);
        for (uint32_t i = 0; i < list.count; i++) {
            const wend__link *link = &v->links->sorted[list.links[i]];
            const wend_cell from = wend__cell_of_number(v, link->from);
            const int32_t x = from.x - column * 64 + AROUND, y = from.y - row * 64 + AROUND;
            if (link->cost != WEND__SHEET_SEAM || x < 0 || y < 0 || x >= SIDE || y >= SIDE) continue;
            s->walls[y * SIDE + x] |= WEND__FLOOR_SEAM;
        }
    }
}

/* Marks the cells of a chunk near a seam. */
static void mark_near(const surroundings *s, wend__floor_chunk *chunk) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (!(s->walls[i] & WEND__FLOOR_SEAM)) continue;
        const int32_t x = i % SIDE - AROUND, y = i / SIDE - AROUND;
        for (int32_t ny = wend__most(0, y - WEND__NEAR_SEAM); ny <= wend__least(63, y + WEND__NEAR_SEAM); ny++)
            for (int32_t nx = wend__most(0, x - WEND__NEAR_SEAM); nx <= wend__least(63, x + WEND__NEAR_SEAM); nx++)
                chunk->walls[ny << 6 | nx] |= WEND__FLOOR_NEAR_SEAM;
    }
}

static uint32_t hash_of(const surroundings *s) {
    uint64_t hash = 1;
    for (size_t i = 0; i + 8 <= sizeof *s; i += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)s + i, sizeof word);
        hash = wend__hash_u64(hash, word);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

/* ---- its tables ---- */

/* Limits the clearance to 1 in cells that a closed step's edge or its ends touch: discs check these exactly. */
static void look_closely(uint8_t *clear, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    for (int32_t y = wend__most(top, 0); y <= wend__least(bottom, SIDE - 1); y++)
        for (int32_t x = wend__most(left, 0); x <= wend__least(right, SIDE - 1); x++)
            if (clear[y * SIDE + x] > 1) clear[y * SIDE + x] = 1;
}

static void clear_of(const surroundings *s, uint8_t *clear) {
    for (int32_t i = 0; i < SIDE * SIDE; i++) clear[i] = s->open[i] ? WEND__FLOOR_FAR : 0;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const uint8_t walls = s->walls[y * SIDE + x];
            if (walls & (WEND__WALL_EAST | EAST_LEDGES)) look_closely(clear, x, y - 1, x + 1, y + 1);
            if (walls & (WEND__WALL_SOUTH | SOUTH_LEDGES)) look_closely(clear, x - 1, y, x + 1, y + 1);
        }
    /* two passes: from the upper left, and back; a distance along the longer axis */
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < SIDE * SIDE; k++) {
            const int32_t at = pass ? SIDE * SIDE - 1 - k : k, x = at % SIDE, y = at / SIDE, by = pass ? 1 : -1;
            uint8_t least = clear[at];
            const int32_t beside[4][2] = {{x + by, y}, {x - 1, y + by}, {x, y + by}, {x + 1, y + by}};
            for (int32_t m = 0; m < 4 && least > 0; m++) {
                if (beside[m][0] < 0 || beside[m][1] < 0 || beside[m][0] >= SIDE || beside[m][1] >= SIDE) continue;
                const uint8_t there = clear[beside[m][1] * SIDE + beside[m][0]];
                if (there + 1 < least) least = (uint8_t)(there + 1);
            }
            clear[at] = least;
        }
}

static void fill(wend__floor_chunk *chunk, const surroundings *s) {
    uint8_t clear[SIDE * SIDE];
    clear_of(s, clear);
    chunk->has_walls = false;
    for (int32_t y = 0; y < 64; y++)
        for (int32_t x = 0; x < 64; x++) {
            const int32_t from = (y + AROUND) * SIDE + x + AROUND, to = y << 6 | x;
            chunk->clear[to] = clear[from];
            chunk->walls[to] = s->walls[from];
            chunk->has_walls |= s->walls[from] != 0;
        }
    mark_near(s, chunk);
}

const wend__floor_chunk *wend__floor_chunk_at(wend__body_land *floor, int32_t column, int32_t row) {
    const size_t at = (size_t)row * (size_t)floor->columns + (size_t)column;
    if (!is_loaded(floor->ground, column, row)) return &no_land;
    surroundings s;
    look(floor, column, row, &s);
    mark_seams(floor, column, row, &s);
    const uint32_t hash = hash_of(&s);
    floor->stale[at] = false;
    if (floor->chunks[at] && floor->chunks[at]->hash == hash) return floor->chunks[at];
    if (!floor->chunks[at]) {
        wend__floor_chunk *made =
            floor->block ? floor->block + at : wend__allocate(&floor->allocator, sizeof *made, 64);
        if (!made) {
            floor->stale[at] = floor->lacks_memory = true;
            return NULL;
        }
        floor->chunks[at] = made;
    }
    floor->chunks[at]->hash = hash;
    fill(floor->chunks[at], &s);
    return floor->chunks[at];
}
