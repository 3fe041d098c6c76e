/* SPDX-License-Identifier: MIT */
/* The arena in which paths wait for their delivery: small chained blocks. Steps to neighbours on a plane are stored as
 * directions, two a byte; a path with any other step (up or down, along an edge, through a link) as the numbers of its
 * cells. */
#include "service/store/path_arena.h"

#include <string.h>

void wend__paths_init(wend__paths *paths, void *memory, uint32_t count) {
    *paths = (wend__paths){.blocks = memory, .count = count, .free_first = WEND__NONE, .free_count = count};
}

static uint64_t steps_of_block(bool wide) {
    return wide ? WEND__PATH_BLOCK_NUMBERS : WEND__PATH_BLOCK_STEPS;
}

uint64_t wend__paths_blocks(uint64_t steps, bool wide) {
    uint64_t each = steps_of_block(wide);
    return steps / each + (steps % each != 0);
}

bool wend__paths_may_fit(const wend__paths *paths, uint64_t steps) {
    WEND__DEBUG_ASSERT(paths->promised <= paths->free_count);
    return wend__paths_blocks(steps, false) <= paths->free_count - paths->promised;
}

static uint32_t take_block(wend__paths *paths) {
    uint32_t block = paths->free_first;
    paths->free_count--;
    if (block == WEND__NONE) return paths->fresh++;
    paths->free_first = paths->blocks[block].next;
    return block;
}

/* Returns WEND__DIRECTIONS if a step is not to a neighbour on a plane. */
static uint8_t step_between(wend_cell from, wend_cell to) {
    int32_t direction = to.z == from.z ? wend__flat_direction(to.x - from.x, to.y - from.y) : -1;
    return direction < 0 ? WEND__DIRECTIONS : (uint8_t)direction;
}

bool wend__paths_is_wide(const wend_cell *cells, uint64_t steps) {
    for (uint64_t i = 0; i < steps; i++)
        if (step_between(cells[i], cells[i + 1]) == WEND__DIRECTIONS) return true;
    return false;
}

/* `cells` begins where the first step does. */
static void pack_steps(wend__path_block *block, const wend_cell *cells, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint8_t step = step_between(cells[i], cells[i + 1]);
        if (i % 2 == 0)
            block->steps[i / 2] = step;
        else
            block->steps[i / 2] |= (uint8_t)(step << 4);
    }
}

static void pack_numbers(wend__path_block *block, wend__size size, const wend_cell *cells, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t x = (uint32_t)cells[i + 1].x, y = (uint32_t)cells[i + 1].y, z = (uint32_t)cells[i + 1].z;
        block->numbers[i] = (z * size.height + y) * size.width + x; /* below 2^32, even on the way there */
    }
}

/* A block of known length compiles to a few wide operations, so a partial block is packed whole, too. */
static void pack_directions(wend__path_block *block, const uint8_t *directions, uint64_t count) {
    uint8_t padded[WEND__PATH_BLOCK_STEPS];
    if (count < WEND__PATH_BLOCK_STEPS) {
        memset(padded, 0, sizeof padded);
        directions = memcpy(padded, directions, (size_t)count);
    }
    for (unsigned i = 0; i < WEND__PATH_BLOCK_STEPS / 2; i++)
        block->steps[i] = (uint8_t)(directions[2 * i] | directions[2 * i + 1] << 4);
}

static void append(wend__paths *paths, wend__path *path, uint32_t block) {
    paths->blocks[block].next = WEND__NONE;
    if (path->first == WEND__NONE)
        path->first = block;
    else
        paths->blocks[path->last].next = block;
    path->last = block;
    path->blocks++;
}

bool wend__paths_store(wend__paths *paths, wend__size size, const wend_cell *cells, uint64_t steps, wend__path *out) {
    wend__path path = wend__no_path();
    path.wide = wend__paths_is_wide(cells, steps);
    if (wend__paths_blocks(steps, path.wide) > paths->free_count - paths->promised) return false;
    uint64_t each = steps_of_block(path.wide);
    for (uint64_t done = 0; done < steps; done += each) {
        uint32_t block = take_block(paths);
        uint64_t count = steps - done < each ? steps - done : each;
        if (path.wide)
            pack_numbers(&paths->blocks[block], size, cells + done, count);
        else
            pack_steps(&paths->blocks[block], cells + done, count);
        append(paths, &path, block);
    }
    *out = path;
    return true;
}

bool wend__paths_store_directions(wend__paths *paths, const uint8_t *directions, uint64_t steps, wend__path *out) {
    wend__path path = wend__no_path();
    if (!wend__paths_may_fit(paths, steps)) return false;
    for (uint64_t done = 0; done < steps; done += WEND__PATH_BLOCK_STEPS) {
        uint32_t block = take_block(paths);
        uint64_t count = steps - done < WEND__PATH_BLOCK_STEPS ? steps - done : WEND__PATH_BLOCK_STEPS;
        pack_directions(&paths->blocks[block], directions + done, count);
        append(paths, &path, block);
    }
    *out = path;
    return true;
}

void wend__paths_free(wend__paths *paths, wend__path *path) {
    if (path->first != WEND__NONE) {
        paths->blocks[path->last].next = paths->free_first;
        paths->free_first = path->first;
        paths->free_count += path->blocks;
    }
    *path = wend__no_path();
}

/* Packs x and y in one word, which a step changes by one addition: neither is ever below 0. */
#define STEP(dx, dy) ((uint64_t)(int64_t)(dx) + ((uint64_t)(int64_t)(dy) << 32))
static const uint64_t step_words[16] = {STEP(0, -1), STEP(1, 0), STEP(0, 1),  STEP(-1, 0),
                                        STEP(1, -1), STEP(1, 1), STEP(-1, 1), STEP(-1, -1)};

/* x and y lie side by side: in one word where the lower half comes first. */
WEND__INLINE void put_cell(wend_cell *out, uint64_t word, int32_t z) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(out, &word, sizeof word);
#else
    out->x = (int32_t)(uint32_t)word;
    out->y = (int32_t)(uint32_t)(word >> 32);
#endif
    out->z = z;
}

/* Returns the end of the steps. */
static uint64_t spread_steps(const wend__path_block *block, uint64_t word, int32_t z, uint64_t count, wend_cell *out) {
    const uint8_t *steps = block->steps, *last = steps + count / 2;
    for (; steps < last; steps++, out += 2) {
        const unsigned both = *steps;
        const uint64_t middle = word + step_words[both & 15];
        word = middle + step_words[both >> 4];
        put_cell(out, middle, z);
        put_cell(out + 1, word, z);
    }
    if (count % 2 == 0) return word;
    word += step_words[*steps & 15];
    put_cell(out, word, z);
    return word;
}

static void spread_numbers(const wend__path_block *block, wend__size size, uint64_t count, wend_cell *out) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t number = block->numbers[i], row = number / size.width;
        out[i] =
            (wend_cell){(int32_t)(number % size.width), (int32_t)(row % size.height), (int32_t)(row / size.height)};
    }
}

void wend__paths_spread(const wend__paths *paths, wend__size size, const wend__path *path, wend_cell at, uint64_t steps,
                        wend_cell *out) {
    uint64_t each = steps_of_block(path->wide), word = (uint32_t)at.x | (uint64_t)(uint32_t)at.y << 32;
    uint32_t index = path->first;
    for (uint64_t done = 0; done < steps; done += each) {
        const wend__path_block *block = &paths->blocks[index];
        uint64_t count = steps - done < each ? steps - done : each;
        if (path->wide)
            spread_numbers(block, size, count, out + done);
        else
            word = spread_steps(block, word, at.z, count, out + done);
        index = block->next;
    }
}
