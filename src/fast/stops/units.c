/* SPDX-License-Identifier: MIT */
/* Makes the marks of units, and updates them when units come to cells and leave them. */
#include "fast/stops/units.h"

#include "map/store/directions.h"
#include "map/store/memory.h"
#include "map/version/occupancy.h"
#include <wend/host.h>

enum { EAST_WEST = 1 << WEND__E | 1 << WEND__W, NORTH_SOUTH = 1 << WEND__N | 1 << WEND__S };

/* ---- cells to mark ---- */

/* The directions for which a cell without a unit is marked, by its straight neighbours with units: with one in each
 * direction alone, and with several. */
#define FROM_N (EAST_WEST | 1 << WEND__SE | 1 << WEND__SW)
#define FROM_E (NORTH_SOUTH | 1 << WEND__SW | 1 << WEND__NW)
#define FROM_S (EAST_WEST | 1 << WEND__NE | 1 << WEND__NW)
#define FROM_W (NORTH_SOUTH | 1 << WEND__NE | 1 << WEND__SE)
#define FROM(n, e, s, w) ((n)*FROM_N | (e)*FROM_E | (s)*FROM_S | (w)*FROM_W)
#define FROM_4(s, w) FROM(0, 0, s, w), FROM(1, 0, s, w), FROM(0, 1, s, w), FROM(1, 1, s, w)
static const uint8_t marks_near[16] = {FROM_4(0, 0), FROM_4(1, 0), FROM_4(0, 1), FROM_4(1, 1)};

/* Returns the directions for which a cell is marked.
 * @param near   its neighbours with units
 * @param held   it has a unit itself */
static unsigned unit_marks(unsigned near, bool held) {
    return held ? 255 : marks_near[near & 15];
}

/* ---- memory ---- */

static size_t table_bytes(const wend__units *units) {
    return sizeof *units + units->block_count * sizeof(wend__mark_block *);
}

static void *allocate_marks(wend_map *map, size_t bytes) {
    void *memory = wend__family_alloc_aligned(map->family, bytes, _Alignof(wend__marks));
    if (!memory) return NULL;
    atomic_fetch_add_explicit(&map->unit_bytes, bytes, memory_order_relaxed);
    return memset(memory, 0, bytes);
}

static void give(wend_map *map, const void *memory, size_t bytes) {
    if (!memory) return;
    atomic_fetch_sub_explicit(&map->unit_bytes, bytes, memory_order_relaxed);
    wend__map_free(map, (void *)memory, bytes);
}

static bool make_table(wend_map *map) {
    enum { SHIFT = WEND__CHUNK_SHIFT + WEND__BLOCK_SHIFT };
    const size_t columns = ((size_t)(map->width - 1) >> SHIFT) + 1;
    const size_t rows = ((size_t)(map->height - 1) >> SHIFT) + 1;
    const wend__units own = {.block_columns = columns, .block_count = columns * rows};
    wend__units *units = allocate_marks(map, table_bytes(&own));
    if (!units) return false;
    *units = own;
    map->units = units;
    return true;
}

static void free_block(wend_map *map, wend__mark_block *block) {
    for (unsigned i = 0; block && i < WEND__BLOCK_CHUNKS; i++) give(map, block->chunks[i], sizeof(wend__unit_chunk));
    give(map, block, sizeof *block);
}

void wend__units_free(wend_map *map) {
    wend__units *units = map->units;
    for (size_t i = 0; units && i < units->block_count; i++) free_block(map, units->blocks[i]);
    if (units) give(map, units, table_bytes(units));
    map->units = NULL;
}

static wend__mark_block **block_of(const wend_map *map, wend__place place) {
    WEND__DEBUG_ASSERT(map->units);
    const size_t row = (size_t)(place.row >> WEND__BLOCK_SHIFT), column = (size_t)(place.column >> WEND__BLOCK_SHIFT);
    return &map->units->blocks[row * map->units->block_columns + column];
}

static bool make_chunk(wend_map *map, wend__place place) {
    wend__mark_block **block = block_of(map, place);
    const unsigned chunk = wend__chunk_index(place.column, place.row);
    if (!*block && !(*block = allocate_marks(map, sizeof **block))) return false;
    if ((*block)->chunks[chunk]) return true;
    wend__unit_chunk *units = allocate_marks(map, sizeof *units);
    if (!units) return false;
    (*block)->chunks[chunk] = &units->marks;
    return true;
}

/* Makes the chunks of a cell and its neighbours. On failure marks are lost, and chunks made so far stay with them. */
static bool make_room(wend_map *map, wend_cell cell) {
    if (!map->units && !make_table(map)) return false;
    const int32_t left = wend__most(cell.x - 1, 0), right = wend__least(cell.x + 1, map->width - 1);
    const int32_t top = wend__most(cell.y - 1, 0), bottom = wend__least(cell.y + 1, map->height - 1);
    for (int32_t row = top >> WEND__CHUNK_SHIFT; row <= bottom >> WEND__CHUNK_SHIFT; row++)
        for (int32_t column = left >> WEND__CHUNK_SHIFT; column <= right >> WEND__CHUNK_SHIFT; column++)
            if (!make_chunk(map, (wend__place){column, row, 0})) return false;
    return true;
}

/* ---- units that come and go ---- */

/* A cell in its chunk and block. */
typedef struct spot {
    wend__mark_block *block;
    wend__unit_chunk *units;
    unsigned chunk, local;
} spot;

static spot spot_at(const wend_map *map, int32_t x, int32_t y) {
    const wend__place place = wend__place_in(WEND_KIND_GRID, 0, (wend_cell){x, y, 0});
    wend__mark_block *block = *block_of(map, place);
    const unsigned chunk = wend__chunk_index(place.column, place.row);
    return (spot){block, (wend__unit_chunk *)(void *)block->chunks[chunk], chunk, place.local};
}

static bool is_held(const spot *s) {
    return s->units->held[s->local >> 6] >> (s->local & 63) & 1;
}

static void count_touched(const spot *s, bool came, unsigned cells) {
    const uint32_t before = s->units->touched;
    WEND__DEBUG_ASSERT(came || before >= cells);
    s->units->touched += came ? cells : 0u - cells;
    if (came ? before == 0 : s->units->touched == 0) wend__mark_block_special(s->block, s->chunk, came);
}

static inline void change_marks(const spot *s, unsigned before, unsigned after) {
    if (before != after) wend__mark_block_flip(s->block, s->chunk, s->local, before ^ after);
}

static void change_own(const spot *s, bool came) {
    WEND__DEBUG_ASSERT(is_held(s) != came && (came || s->units->units > 0));
    const unsigned near = s->units->near[s->local];
    s->units->held[s->local >> 6] ^= UINT64_C(1) << (s->local & 63);
    s->units->units += came ? 1u : UINT32_MAX;
    change_marks(s, unit_marks(near, !came), unit_marks(near, came));
}

/* The neighbour in direction d. A unit on a diagonal marks nothing. */
static inline void change_neighbour(const spot *s, unsigned d) {
    const unsigned before = s->units->near[s->local], after = before ^ 1u << wend__opposite(d);
    s->units->near[s->local] = (uint8_t)after;
    if (d < WEND__NE && !is_held(s)) change_marks(s, unit_marks(before, false), unit_marks(after, false));
}

static const int32_t offsets[WEND__DIRECTIONS] = {-64, 1, 64, -1, -63, 65, 63, -65};

/* Handles nine cells in one chunk, all on the map. */
static void change_inside(const spot *own, bool came) {
    count_touched(own, came, WEND__DIRECTIONS + 1);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        spot at = *own;
        at.local += (unsigned)offsets[d];
        change_neighbour(&at, d);
    }
}

static void change_across(const wend_map *map, const spot *own, wend_cell cell, bool came) {
    count_touched(own, came, 1);
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const int32_t x = cell.x + wend__dx[d], y = cell.y + wend__dy[d];
        if ((uint32_t)x >= (uint32_t)map->width || (uint32_t)y >= (uint32_t)map->height) continue;
        const spot at = spot_at(map, x, y);
        count_touched(&at, came, 1);
        change_neighbour(&at, d);
    }
}

static bool is_inside(const wend_map *map, wend_cell cell) {
    const unsigned column = (unsigned)cell.x & 63, row = (unsigned)cell.y & 63;
    return column - 1 < 62 && row - 1 < 62 && cell.x + 1 < map->width && cell.y + 1 < map->height;
}

/* Updates marks when the first unit comes to a cell, or the last leaves it. Returns false without memory for marks. */
static bool change(wend_map *map, wend_cell cell, bool came) {
    if (came && !make_room(map, cell)) return false;
    const spot own = spot_at(map, cell.x, cell.y);
    change_own(&own, came);
    if (is_inside(map, cell))
        change_inside(&own, came);
    else
        change_across(map, &own, cell, came);
    return true;
}

/* ---- deferred marks ---- */

static wend__unit_chunk *find_chunk(const wend_map *map, int32_t column, int32_t row) {
    const wend__mark_block *block = *block_of(map, (wend__place){column, row, 0});
    return block ? (wend__unit_chunk *)(void *)block->chunks[wend__chunk_index(column, row)] : NULL;
}

/* Returns the cells of a row with units. NULL: none. */
static uint64_t counted_row(const uint8_t *counts, unsigned y) {
    uint64_t cells = 0;
    for (unsigned x = 0; counts && x < WEND__CHUNK_SIDE; x += 8) {
        uint64_t eight;
        memcpy(&eight, counts + (y << 6 | x), sizeof eight);
        for (unsigned i = 0; eight && i < 8; i++) cells |= (uint64_t)(counts[y << 6 | x | i] > 0) << (x + i);
    }
    return cells;
}

/* Marks the units of some cells of a row. Returns false if memory for marks is lacking. */
static bool mark_row(wend_map *map, int32_t column, int32_t row, unsigned y, uint64_t cells) {
    wend__unit_chunk *units = find_chunk(map, column, row);
    const uint64_t now = counted_row(wend__occupancy_plane(map->occupancy, column, row), y);
    bool good = true;
    for (uint64_t left = (now ^ units->held[y]) & cells; left && good; left &= left - 1) {
        const unsigned x = wend__ctz64(left);
        good = change(map, (wend_cell){column << 6 | (int32_t)x, row << 6 | (int32_t)y, 0}, now >> x & 1);
    }
    if (cells == UINT64_MAX) units->stale &= ~(UINT64_C(1) << y);
    return good;
}

/* Returns the marked columns (or rows) of a chunk: all between `first` and `last`, next to these the border's. */
static uint64_t lines_followed(int32_t chunk, int32_t first, int32_t last) {
    return chunk < first ? UINT64_C(1) << 63 : chunk > last ? 1 : UINT64_MAX;
}

static bool follow_chunk(wend_map *map, int32_t column, int32_t row, wend_box chunks) {
    const wend__unit_chunk *units = find_chunk(map, column, row);
    uint64_t rows = units ? units->stale & lines_followed(row, chunks.min.y, chunks.max.y) : 0;
    bool good = true;
    for (; rows && good; rows &= rows - 1)
        good = mark_row(map, column, row, wend__ctz64(rows), lines_followed(column, chunks.min.x, chunks.max.x));
    return good;
}

static bool follow_chunks(wend_map *map, wend_box chunks) {
    const int32_t columns = (map->width - 1) >> WEND__CHUNK_SHIFT, rows = (map->height - 1) >> WEND__CHUNK_SHIFT;
    bool good = true;
    for (int32_t row = wend__most(chunks.min.y - 1, 0); row <= wend__least(chunks.max.y + 1, rows); row++)
        for (int32_t column = wend__most(chunks.min.x - 1, 0); column <= wend__least(chunks.max.x + 1, columns) && good;
             column++)
            good = follow_chunk(map, column, row, chunks);
    return good;
}

/* ---- as a whole ---- */

static int32_t state_of(const wend_map *map) {
    return atomic_load_explicit(&map->unit_state, memory_order_acquire);
}

static void set_state(wend_map *map, int32_t state) {
    if (state == WEND__UNITS_LOST)
        wend__log(WEND_LOG_WARNING, WEND_OUT_OF_MEMORY,
                  "a map has no memory to mark its units: searches that avoid them use the general A* from now on");
    atomic_store_explicit(&map->unit_state, state, memory_order_release);
}

/* A chunk with counts gets marks, too, so that no unit that comes to it later allocates. */
static bool add_chunk(wend_map *map, int32_t column, int32_t row) {
    const uint8_t *counts = wend__occupancy_plane(map->occupancy, column, row);
    bool good = !counts || make_room(map, (wend_cell){column << 6, row << 6, 0});
    for (int32_t i = 0; counts && i < WEND__CHUNK_CELLS && good; i++)
        if (counts[i]) good = change(map, (wend_cell){column << 6 | (i & 63), row << 6 | i >> 6, 0}, true);
    return good;
}

static bool add_units(wend_map *map) {
    const int32_t columns = ((map->width - 1) >> WEND__CHUNK_SHIFT) + 1;
    const int32_t rows = ((map->height - 1) >> WEND__CHUNK_SHIFT) + 1;
    bool good = true;
    for (int32_t row = 0; map->occupancy && row < rows; row++)
        for (int32_t column = 0; column < columns && good; column++) good = add_chunk(map, column, row);
    return good;
}

void wend__units_want(wend_map *map) {
    int32_t none = WEND__UNITS_NONE;
    atomic_compare_exchange_strong_explicit(&map->unit_state, &none, WEND__UNITS_WANTED, memory_order_release,
                                            memory_order_relaxed);
}

void wend__units_make(wend_map *map) {
    if (state_of(map) != WEND__UNITS_WANTED) return;
    wend__mutex_lock(map->family->unit_maker);
    if (state_of(map) == WEND__UNITS_WANTED) {
        const bool good = add_units(map);
        if (!good) wend__units_free(map);
        set_state(map, good ? WEND__UNITS_KEPT : WEND__UNITS_LOST);
    }
    wend__mutex_unlock(map->family->unit_maker);
}

void wend__units_follow(wend_map *map, wend_box chunks) {
    if (state_of(map) != WEND__UNITS_KEPT || !map->units) return;
    if (!follow_chunks(map, chunks)) set_state(map, WEND__UNITS_LOST);
}

void wend__units_set_reader(wend_map *map, const void *pool) {
    if (map->unit_reader) wend__units_follow(map, wend__all_chunks(map));
    map->unit_reader = pool;
}

/* Makes marks that another thread requested by accelerating the map after the search began. */
bool wend__units_show(wend_map *map, const void *pool) {
    wend__units_make(map);
    if (!wend__units_serve(map)) return false;
    if (!map->unit_reader || map->unit_reader == pool) return true;
    atomic_store_explicit(&map->units_shared, true, memory_order_relaxed);
    return false;
}

/* Records the row of a cell as one to be marked. Makes the room now, as searches must not allocate. */
static bool note_move(wend_map *map, wend_cell cell, bool came) {
    if (came && !make_room(map, cell)) return false;
    wend__unit_chunk *units = find_chunk(map, cell.x >> WEND__CHUNK_SHIFT, cell.y >> WEND__CHUNK_SHIFT);
    units->stale |= UINT64_C(1) << (cell.y & 63);
    return true;
}

/* A unit that leaves a map with requested marks makes none: the next arrival, or a search, does. Searches may still
 * read lost marks, so these stay until the map goes. */
void wend__units_moved(wend_map *map, wend_cell cell, bool came) {
    if (came) wend__units_make(map);
    if (state_of(map) != WEND__UNITS_KEPT) return;
    if (map->unit_reader && atomic_load_explicit(&map->units_shared, memory_order_relaxed)) {
        if (!came) (void)note_move(map, cell, false); /* not counted any more: its mark goes with the others */
        wend__units_set_reader(map, NULL);
        if (!came || state_of(map) != WEND__UNITS_KEPT) return;
    }
    const bool good = map->unit_reader ? note_move(map, cell, came) : change(map, cell, came);
    if (!good) set_state(map, WEND__UNITS_LOST);
}
