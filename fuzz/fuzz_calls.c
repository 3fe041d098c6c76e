/* SPDX-License-Identifier: MIT */
/* Worlds, happenings and hostile calls of tests/pairs, from the bytes of the input: a value for each factor, a seed, then
 * a happening and a moment by two bytes each, then the arguments of the calls that end the world. check_pairs draws the
 * same without a fuzzer. */
#include "fuzz_bytes.h"

#include "pairs/pairs.h"

enum { MOST_HAPPEN = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { HEAD = FACTORS + 9 };
    uint8_t values[FACTORS] = {0};
    uint64_t seed = 0;
    if (happening_count == 0) drive_init();
    if (size < HEAD) return -1;
    for (int i = 0; i < FACTORS; i++) {
        values[i] = (uint8_t)(data[i] % value_count(i));
        if (!cover_can_meet(values, (1 << (i + 1)) - 1, -1, 0)) values[i] = 0;
    }
    memcpy(&seed, data + FACTORS, sizeof seed);
    const uint8_t *at = data + HEAD, *end = data + size;
    pair_world *w = drive_begin(values, seed, 0);
    for (int i = data[HEAD - 1] % MOST_HAPPEN; i > 0 && end - at >= 2; i--, at += 2) {
        const int happening = at[0] % (int)happening_count, moment = at[1] % MOMENTS;
        if (happenings[happening]->needs & ENDS) continue;
        if (cover_can_meet(values, (1 << FACTORS) - 1, happening, moment)) drive_happening(w, happening, moment);
    }
    w->input = at, w->input_end = end;
    drive_hostile(w, (int)seed & (MOMENTS - 1));
    drive_end(w);
    return 0;
}
