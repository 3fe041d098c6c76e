/* SPDX-License-Identifier: MIT */
/* Random numbers for the generators: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64. */
#include "base/hash.h"
#include "generate/gen.h"

static uint64_t rotate(uint64_t value, int by) {
    return value << by | value >> (64 - by);
}

void gen_seed(gen_random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++) random->state[i] = wend__random(&seed);
}

uint32_t gen_next(gen_random *random) {
    uint64_t *state = random->state;
    uint64_t result = rotate(state[1] * 5, 7) * 9, carried = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= carried;
    state[3] = rotate(state[3], 45);
    return (uint32_t)(result >> 32);
}

uint32_t gen_below(gen_random *random, uint32_t n) {
    return (uint32_t)((uint64_t)gen_next(random) * n >> 32);
}

int32_t gen_between(gen_random *random, int32_t low, int32_t high) {
    return low + (int32_t)gen_below(random, (uint32_t)(high - low + 1));
}

bool gen_chance(gen_random *random, int32_t milli) {
    return gen_below(random, 1000) < (uint32_t)milli;
}
