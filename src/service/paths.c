/* SPDX-License-Identifier: MIT */
/* The arena in which found paths wait for their delivery: small chained blocks, two steps a byte. */
#include "service/service_internal.h"

void wend__paths_init(wend__paths *paths, void *memory, uint32_t count) {
    *paths = (wend__paths){.blocks = memory, .count = count, .free_first = WEND__NONE, .free_count = count};
}

uint64_t wend__paths_blocks(uint64_t steps) {
    return steps / WEND__PATH_BLOCK_STEPS + (steps % WEND__PATH_BLOCK_STEPS != 0);
}

bool wend__paths_fit(const wend__paths *paths, uint64_t steps) {
    return wend__paths_blocks(steps) <= paths->free_count;
}

static uint32_t take_block(wend__paths *paths) {
    uint32_t block = paths->free_first;
    paths->free_count--;
    if (block == WEND__NONE) return paths->fresh++;
    paths->free_first = paths->blocks[block].next;
    return block;
}

static void pack(wend__path_block *block, const uint8_t *directions, uint64_t count) {
    for (uint64_t i = 0; i + 1 < count; i += 2) block->steps[i / 2] = (uint8_t)(directions[i] | directions[i + 1] << 4);
    if (count & 1) block->steps[count / 2] = directions[count - 1];
}

void wend__paths_store(wend__paths *paths, const uint8_t *directions, uint64_t steps, uint32_t *first, uint32_t *last) {
    *first = *last = WEND__NONE;
    for (uint64_t done = 0; done < steps; done += WEND__PATH_BLOCK_STEPS) {
        uint32_t block = take_block(paths);
        uint64_t count = steps - done < WEND__PATH_BLOCK_STEPS ? steps - done : WEND__PATH_BLOCK_STEPS;
        pack(&paths->blocks[block], directions + done, count);
        paths->blocks[block].next = WEND__NONE;
        if (*first == WEND__NONE)
            *first = block;
        else
            paths->blocks[*last].next = block;
        *last = block;
    }
}

void wend__paths_free(wend__paths *paths, uint32_t first, uint32_t last, uint32_t count) {
    if (first == WEND__NONE) return;
    paths->blocks[last].next = paths->free_first;
    paths->free_first = first;
    paths->free_count += count;
}

wend_cell wend__paths_walk(wend_cell at, const uint8_t *directions, uint64_t count, wend_cell *out) {
    for (uint64_t i = 0; i < count; i++) {
        at.x += wend__dx[directions[i]];
        at.y += wend__dy[directions[i]];
        out[i] = at;
    }
    return at;
}

void wend__paths_spread(const wend__paths *paths, uint32_t block, wend_cell at, uint64_t steps, wend_cell *out) {
    uint8_t directions[WEND__PATH_BLOCK_STEPS];
    for (uint64_t done = 0; done < steps; done += WEND__PATH_BLOCK_STEPS) {
        const uint8_t *packed = paths->blocks[block].steps;
        uint64_t count = steps - done < WEND__PATH_BLOCK_STEPS ? steps - done : WEND__PATH_BLOCK_STEPS;
        for (uint64_t i = 0; i < count; i++) directions[i] = packed[i / 2] >> (i % 2 * 4) & 15;
        at = wend__paths_walk(at, directions, count, out + done);
        block = paths->blocks[block].next;
    }
}
