/* SPDX-License-Identifier: MIT */
/* fuzz_calls without a fuzzer, on random inputs: check_calls [INPUTS [SEED]], 100 and 1 by default. It ends by abort()
 * at the first promise that is broken. With VERBOSE set it prints the seed of each input first. */
#include "fuzz_bytes.h"

#include "models/random.h"

enum { LEAST = 200, MOST = 2600 };

int main(int argc, char **argv) {
    const uint64_t inputs = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    static uint8_t bytes[MOST];
    for (uint64_t i = 0; i < inputs; i++) {
        uint64_t state = (seed + i) * 1000003;
        const size_t size = LEAST + split_bits(&state) % (MOST - LEAST);
        for (size_t k = 0; k < size; k++) /* about every 64th byte may select a limit */
            bytes[k] = (uint8_t)(split_bits(&state) % (split_bits(&state) % 64 ? 249 : 256));
        if (getenv("VERBOSE")) fprintf(stderr, "%llu\n", (unsigned long long)(seed + i));
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%llu inputs\n", (unsigned long long)inputs);
    return 0;
}
