/* SPDX-License-Identifier: MIT */
/* Measures slicing with an instruction counter: one long search, whole or in slices.
 *
 *   bench_slicing SLICE [jump]      0: in one piece
 *
 * Only wend_search_step() is meant to be counted; bench/slicing.sh does that with callgrind. */
#include "scenery.h"
#include "fast/acceleration.h"
#include "../tests/models/options.h"

int main(int argc, char **argv) {
    uint64_t slice = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    wend_map *map = bench_map_rooms(512, 16);
    wend_search_def def = default_search();
    wend_search *search;
    if (wend_search_create(&def, &search) != WEND_OK) return 1;
    wend_request request = default_request();
    request.map = map;
    request.start = (wend_cell){1, 1, 0};
    request.goal = (wend_cell){510, 510, 0};
    options_of(&request)->engine = argc > 2 ? WEND_ENGINE_JUMP : WEND_ENGINE_ASTAR;
    if (argc > 2 && wend__map_prepare_jumps(map) != WEND_OK) return 1;
    if (wend_search_begin(search, &request) != WEND_OK) return 1;
    while (wend_search_step(search, slice ? slice : WEND_NO_LIMIT, NULL) == WEND_STATUS_PENDING) continue;
    wend_completion result = {.struct_bytes = sizeof result};
    wend_search_get_result(search, &result);
    printf("%s,%lld,%llu\n", wend_status_name(result.status), (long long)result.cost,
           (unsigned long long)result.expansions);
    wend_search_destroy(search);
    wend_map_release(map);
    return result.status != WEND_STATUS_FOUND;
}
