/* SPDX-License-Identifier: MIT */
/* The arena of the agents' paths. Steps are appended at a path's end and taken from its front; a block is free once
 * the agent has walked its steps. */
#include "agents/state/stored_path.h"

#include "map/store/directions.h"

void wend__path_arena_init(wend__path_arena *keep, void *memory, uint32_t blocks, uint32_t agents,
                           const wend_map *map) {
    *keep = (wend__path_arena){.blocks = memory,
                               .free_first = WEND__NO_PATH_BLOCK,
                               .free_count = blocks,
                               .bare = agents,
                               .width = (uint32_t)map->width,
                               .height = (uint32_t)map->height};
}

static uint32_t allocate_block(wend__path_arena *keep) {
    WEND__DEBUG_ASSERT(keep->free_count > 0 && keep->bare <= keep->free_count);
    uint32_t block = keep->free_first;
    keep->free_count--;
    if (block == WEND__NO_PATH_BLOCK) return keep->fresh++;
    keep->free_first = keep->blocks[block].next;
    return block;
}

static void give_block(wend__path_arena *keep, uint32_t block) {
    keep->blocks[block].next = keep->free_first;
    keep->free_first = block;
    keep->free_count++;
}

/* Returns the direction of a step on a plane; above 7: none. */
static unsigned direction_of(wend_cell from, wend_cell to) {
    int32_t d = from.z == to.z ? wend__flat_direction(to.x - from.x, to.y - from.y) : -1;
    return d < 0 ? WEND__DIRECTIONS : (unsigned)d;
}

/* Leaves the other direction in the same byte. */
static void write_direction(wend__stored_block *block, unsigned at, unsigned direction) {
    uint8_t *two = &block->steps[at / 2];
    *two = (uint8_t)(at % 2 == 0 ? (*two & 0xF0U) | direction : (*two & 15U) | direction << 4);
}

/* Clears the half of the last byte that holds no direction: saves have it. */
static void clear_rest(wend__stored_block *block) {
    if (!block->wide && block->count % 2) block->steps[block->count / 2] &= 15;
}

static bool has_room(const wend__stored_block *block, bool narrow) {
    return block->wide ? block->count < WEND__BLOCK_CELLS : narrow && block->count < WEND__BLOCK_DIRECTIONS;
}

static bool append_block(wend__path_arena *keep, wend__stored_path *path, bool narrow) {
    bool first = path->first == WEND__NO_PATH_BLOCK;
    if (!first && keep->free_count <= keep->bare) return false;
    uint32_t block = allocate_block(keep);
    keep->blocks[block].next = WEND__NO_PATH_BLOCK;
    keep->blocks[block].wide = !narrow;
    keep->blocks[block].count = 0;
    if (first) {
        keep->bare--;
        path->first = block;
        path->taken = 0;
    } else {
        keep->blocks[path->last].next = block;
    }
    path->last = block;
    return true;
}

bool wend__stored_path_append(wend__path_arena *keep, wend__stored_path *path, wend_cell from, wend_cell to) {
    unsigned direction = direction_of(from, to);
    bool narrow = direction < WEND__DIRECTIONS;
    if (path->first == WEND__NO_PATH_BLOCK || !has_room(&keep->blocks[path->last], narrow))
        if (!append_block(keep, path, narrow)) return false;
    wend__stored_block *block = &keep->blocks[path->last];
    unsigned at = block->count++;
    if (block->wide)
        block->numbers[at] = wend__path_number(keep, to);
    else
        write_direction(block, at, direction), clear_rest(block);
    path->steps++;
    return true;
}

void wend__stored_path_clear(wend__path_arena *keep, wend__stored_path *path) {
    if (path->first == WEND__NO_PATH_BLOCK) return;
    for (uint32_t block = path->first, next; block != WEND__NO_PATH_BLOCK; block = next) {
        next = keep->blocks[block].next;
        give_block(keep, block);
    }
    keep->bare++;
    *path = wend__stored_path_none();
}

void wend__stored_path_pop(wend__path_arena *keep, wend__stored_path *path) {
    WEND__DEBUG_ASSERT(path->steps > 0);
    if (--path->steps == 0) {
        wend__stored_path_clear(keep, path);
        return;
    }
    uint32_t block = path->first;
    if (++path->taken < keep->blocks[block].count) return;
    path->first = keep->blocks[block].next;
    path->taken = 0;
    give_block(keep, block);
}

void wend__stored_path_truncate(wend__path_arena *keep, wend__stored_path *path, uint32_t steps) {
    if (steps == 0) wend__stored_path_clear(keep, path);
    if (steps >= path->steps) return;
    uint32_t block = path->first, left = steps + path->taken;
    for (; left > keep->blocks[block].count; block = keep->blocks[block].next) left -= keep->blocks[block].count;
    for (uint32_t rest = keep->blocks[block].next, next; rest != WEND__NO_PATH_BLOCK; rest = next) {
        next = keep->blocks[rest].next;
        give_block(keep, rest);
    }
    keep->blocks[block].next = WEND__NO_PATH_BLOCK;
    keep->blocks[block].count = (uint8_t)left;
    path->last = block;
    path->steps = steps;
}

static void write_step(wend__path_arena *keep, wend__stored_block *block, unsigned at, wend_cell from, wend_cell to) {
    if (block->wide)
        block->numbers[at] = wend__path_number(keep, to);
    else
        write_direction(block, at, direction_of(from, to));
}

/* Moves a step within a block. */
static void move_step(wend__stored_block *block, unsigned from, unsigned to) {
    if (block->wide)
        block->numbers[to] = block->numbers[from];
    else
        write_direction(block, to, (unsigned)block->steps[from / 2] >> (from % 2 * 4) & 15);
}

/* Moves the steps of a block that are left, so that they begin elsewhere. */
static void move_steps(wend__stored_block *block, unsigned from, unsigned to) {
    const unsigned left = block->count - from;
    for (unsigned k = 0; k < left && to < from; k++) move_step(block, from + k, to + k);
    for (unsigned k = left; k-- > 0 && to > from;) move_step(block, from + k, to + k);
    block->count = (uint8_t)(to + left);
    clear_rest(block);
}

/* Returns how many of the steps, from the last one back, go into one block. */
static uint32_t count_of_last_block(const wend_cell *cells, uint32_t steps) {
    const bool narrow = direction_of(cells[steps - 1], cells[steps]) < WEND__DIRECTIONS;
    const uint32_t most = narrow ? WEND__BLOCK_DIRECTIONS : WEND__BLOCK_CELLS;
    uint32_t count = 1;
    while (count < steps && count < most &&
           (direction_of(cells[steps - count - 1], cells[steps - count]) < WEND__DIRECTIONS) == narrow)
        count++;
    return count;
}

/* Makes a block of steps. */
static uint32_t make_block(wend__path_arena *keep, const wend_cell *cells, uint32_t steps, uint32_t next) {
    const uint32_t number = allocate_block(keep);
    wend__stored_block *block = &keep->blocks[number];
    block->next = next;
    block->wide = direction_of(cells[0], cells[1]) >= WEND__DIRECTIONS;
    block->count = (uint8_t)steps;
    for (uint32_t k = 0; k < steps; k++) write_step(keep, block, k, cells[k], cells[k + 1]);
    clear_rest(block);
    return number;
}

static bool is_flat(const wend_cell *cells, uint32_t steps) {
    for (uint32_t k = 0; k < steps; k++)
        if (direction_of(cells[k], cells[k + 1]) >= WEND__DIRECTIONS) return false;
    return true;
}

/* Returns whether steps go before those that are left of a path's first block. */
static bool fit_before(const wend__path_arena *keep, const wend__stored_path *path, const wend_cell *cells,
                       uint32_t steps) {
    const wend__stored_block *block = &keep->blocks[path->first];
    const uint32_t most = block->wide ? WEND__BLOCK_CELLS : WEND__BLOCK_DIRECTIONS;
    return block->count - path->taken + steps <= most && (block->wide || is_flat(cells, steps));
}

/* A path without steps has a block of its own. Flat steps fit also after further steps of the path are dropped: one that
 * is left without steps leaves its first block, and one with fewer has more room there. Others may need more. */
bool wend__stored_path_has_room(const wend__path_arena *keep, const wend__stored_path *path, const wend_cell *cells,
                                uint32_t steps) {
    uint32_t blocks = 0;
    const bool bare = path->first == WEND__NO_PATH_BLOCK;
    if (is_flat(cells, steps) && (bare || fit_before(keep, path, cells, steps))) return true;
    for (; steps > 0; steps -= count_of_last_block(cells, steps)) blocks++;
    return keep->free_count >= keep->bare + blocks;
}

/* Puts steps into a path's first block, before those that are left there. */
static void put_before(wend__path_arena *keep, wend__stored_path *path, const wend_cell *cells, uint32_t steps) {
    wend__stored_block *block = &keep->blocks[path->first];
    const uint32_t to = path->taken > steps ? path->taken : steps;
    move_steps(block, path->taken, to);
    path->taken = to - steps;
    for (uint32_t k = 0; k < steps; k++) write_step(keep, block, path->taken + k, cells[k], cells[k + 1]);
}

bool wend__stored_path_lead(wend__path_arena *keep, wend__stored_path *path, const wend_cell *cells, uint32_t steps) {
    WEND__DEBUG_ASSERT(steps <= WEND__BLOCK_DIRECTIONS);
    const bool bare = path->first == WEND__NO_PATH_BLOCK;
    if (steps == 0) return true;
    const bool fits = !bare && fit_before(keep, path, cells, steps);
    if (!fits && !wend__stored_path_has_room(keep, path, cells, steps)) return false;
    path->steps += steps;
    if (fits) {
        put_before(keep, path, cells, steps);
        return true;
    }
    if (bare)
        keep->bare--;
    else
        move_steps(&keep->blocks[path->first], path->taken, 0);
    for (uint32_t left = steps; left > 0;) {
        const uint32_t count = count_of_last_block(cells, left);
        left -= count;
        path->first = make_block(keep, cells + left, count, path->first);
        if (path->last == WEND__NO_PATH_BLOCK) path->last = path->first;
    }
    path->taken = 0;
    return true;
}
