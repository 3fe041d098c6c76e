/* SPDX-License-Identifier: MIT */
/* The program `wend` on a machine that dies, or whose disk is full, in one of the calls for a file: FAULT_AT is the
 * number of that call, from the first open() of a name that contains FAULT_FILE on, and FAULT_ERROR an errno; without
 * that the process ends there. A write takes 1,000 bytes at most. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "server/run/faults.h"

#if FAULTS
__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
    if (error && !error[0]) error = NULL;
    if (!at) return;
    faults = (fault){.kinds = error ? FAULT_SPACE : FAULT_ALL & ~FAULT_READ,
                     .error = error ? atoi(error) : 0,
                     .at = strtoull(at, NULL, 10),
                     .for_good = error,
                     .kills = !error,
                     .most = 1000,
                     .from = getenv("FAULT_FILE")};
}
#endif
