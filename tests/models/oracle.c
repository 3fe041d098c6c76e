/* SPDX-License-Identifier: MIT */
/* The random numbers of the models. */
#include "models/oracle.h"

#include "models/random.h"

uint64_t oracle_next(oracle_random *random) {
    return split_bits(&random->state);
}

int oracle_below(oracle_random *random, int below) {
    return (int)(oracle_next(random) % (uint64_t)below);
}
