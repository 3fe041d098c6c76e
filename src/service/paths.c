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

static uint8_t step_between(wend_cell from, wend_cell to) {
    static const uint8_t directions[3][3] = {
        {WEND__NW, WEND__N, WEND__NE}, {WEND__W, WEND__DIRECTIONS, WEND__E}, {WEND__SW, WEND__S, WEND__SE}};
    return directions[to.y - from.y + 1][to.x - from.x + 1];
}

/* `cells` begins where the first step does. */
static void pack(wend__path_block *block, const wend_cell *cells, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint8_t step = step_between(cells[i], cells[i + 1]);
        if (i % 2 == 0)
            block->steps[i / 2] = step;
        else
            block->steps[i / 2] |= (uint8_t)(step << 4);
    }
}

void wend__paths_store(wend__paths *paths, const wend_cell *cells, uint64_t steps, uint32_t *first, uint32_t *last) {
    *first = *last = WEND__NONE;
    for (uint64_t done = 0; done < steps; done += WEND__PATH_BLOCK_STEPS) {
        uint32_t block = take_block(paths);
        uint64_t count = steps - done < WEND__PATH_BLOCK_STEPS ? steps - done : WEND__PATH_BLOCK_STEPS;
        pack(&paths->blocks[block], cells + done, count);
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

static wend_cell walk(wend_cell at, const uint8_t *directions, uint64_t count, wend_cell *out) {
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
        at = walk(at, directions, count, out + done);
        block = paths->blocks[block].next;
    }
}
